//! The requests of the page to its engine, and the handling of the answers.

use std::rc::Rc;

use veristep_core::link::MAX_FRAGMENT;

use crate::browser;
use crate::client::{Client, Heard};
use crate::protocol::{FromEngine, ToEngine, pack, unpack};
use crate::solver::protocol::{Interpolation, Job, Request, Response};
use crate::solver::scripts::SCRIPTS;
use crate::solver::{Inside, Move, Solver, Tab, Work};

impl Solver {
    pub(super) fn next_job(&mut self) -> Job {
        self.job += 1;
        self.job
    }

    /// Sends a request to the engine; an engine that is busy with another one is restarted first.
    pub(super) fn send(&mut self, ask: &Request, work: Work) {
        if self.work != Work::Idle {
            self.restart();
        }
        self.work = work;
        self.client.send(&ToEngine::Solver(pack(ask)));
    }

    pub(super) fn reset(&mut self, text: &str) {
        self.text = text.into();
        self.version += 1;
        self.ran = "".into();
        self.said = Rc::default();
        self.inside = None;
        self.stopped = false;
    }

    /// Shows a script and executes it.
    pub(super) fn load(&mut self, text: &str) {
        self.reset(text);
        self.run();
    }

    pub(super) fn question(&mut self, which: usize) {
        let Some(linked) = &mut self.linked else { return };
        let linked = Rc::make_mut(linked);
        linked.shown = which;
        if let Some((_, script)) = linked.questions.get(which) {
            let script = script.clone();
            self.tab = if script.contains("(get-interpolants") { Tab::Interpolants } else { Tab::Search };
            self.load(&script);
        }
    }

    pub(super) fn run(&mut self) {
        let job = self.next_job();
        self.ran = self.text.clone();
        self.said = Rc::default();
        self.inside = None;
        self.stopped = false;
        self.send(&Request::Run { job, text: self.text.to_string() }, Work::Running);
        self.save();
    }

    /// The address follows the script, so that reloading keeps it.
    pub(super) fn save(&mut self) {
        if self.linked.is_some() || self.wanted.is_some() {
            return;
        }
        let first = self.saved.len() <= 1 && &*self.text == SCRIPTS[0].text;
        let fragment = if first { String::new() } else { self.link().encode() };
        if fragment.len() > 1 && fragment.len() <= MAX_FRAGMENT {
            browser::replace_fragment(&fragment);
            self.saved = fragment;
        }
    }

    /// Replaces the engine; on the page's own thread there is only one, whose late answers are dropped.
    pub(super) fn restart(&mut self) {
        self.work = Work::Idle;
        if self.client.is_worker() {
            self.client = Client::start(self.heard.clone());
            self.ready = false;
        }
    }

    /// Ends the engine's current request; a late answer is dropped.
    pub(super) fn stop(&mut self) {
        let stopped = || "Stopped. Open the check again to repeat it.".to_owned();
        match (self.work, &mut self.inside) {
            (Work::Running, _) => self.stopped = true,
            (Work::Proving, Some(inside)) => inside.proof = Some(Rc::new(Err(stopped()))),
            (Work::Interpolating, Some(inside)) => inside.found = Some(Rc::new(Err(stopped()))),
            _ => {}
        }
        self.next_job();
        self.restart();
    }

    pub(super) fn open(&mut self, check: u32) {
        self.inside = None;
        self.stopped = false;
        let job = self.next_job();
        self.send(&Request::Open { job, text: self.ran.to_string(), check }, Work::Opening(check));
    }

    /// Requests the data missing in the view: the refutation, then the interpolant. One request at a time, because cuts
    /// are moved faster than they are answered.
    pub(super) fn ask_for_view(&mut self) {
        let Some(inside) = self.inside.as_ref().filter(|_| self.work == Work::Idle) else { return };
        let (check, cut, method) = (inside.opened.check, inside.cut, inside.method);
        let cuttable = inside.opened.assertions.len() >= 2 && inside.found.is_none();
        let proved = inside.proof.as_deref().map(Result::is_ok);
        let text = self.ran.to_string();
        match (self.tab, proved) {
            (Tab::Proof | Tab::Interpolants, None) => {
                let job = self.next_job();
                self.send(&Request::Prove { job, text, check }, Work::Proving);
            }
            (Tab::Interpolants, Some(true)) if cuttable => {
                let job = self.next_job();
                self.send(&Request::Interpolate { job, text, check, cut, method }, Work::Interpolating);
            }
            _ => {}
        }
    }

    pub(super) fn heard(&mut self, heard: Heard) {
        match self.client.listen(heard) {
            Some(Ok(message)) => self.heard_message(message),
            Some(Err(why)) => {
                self.work = Work::Idle;
                self.lost = Some(why);
            }
            None => {}
        }
    }

    pub(super) fn heard_message(&mut self, message: FromEngine) {
        match message {
            FromEngine::Ready { .. } => {
                self.ready = true;
            }
            FromEngine::Solver(bytes) => {
                if let Some(response) = unpack(&bytes) {
                    self.receive(response);
                }
            }
            FromEngine::Saved { name, format, content } => {
                self.notice = browser::offer_saved(&name, format.names(), content);
            }
            FromEngine::Panicked { message } => {
                self.restart();
                self.notice = Some(format!(
                    "The engine stopped and was restarted. This is a defect of Veristep: {message}"
                ));
            }
            _ => {}
        }
    }

    pub(super) fn receive(&mut self, response: Response) {
        if !self.is_current(&response) {
            return;
        }
        if !matches!(response, Response::Said { .. }) {
            self.work = Work::Idle;
        }
        match response {
            Response::Said { said, .. } => Rc::make_mut(&mut self.said).push(said),
            Response::Ran { .. } => {
                // The last check is usually the relevant one.
                let last = self.said.iter().rev().find_map(|said| said.check);
                let wanted = self.wanted.map(|(check, _, _)| check).filter(|check| Some(*check) <= last);
                if let Some(check) = wanted.or(last) {
                    self.open(check);
                }
            }
            Response::Opened { result: Ok(opened), .. } => {
                self.inside = Some(Inside::new(*opened));
                if let Some((_, step, tab)) = self.wanted.take() {
                    self.tab = tab;
                    self.go(Move::To(step));
                }
            }
            Response::Opened { result: Err(why), .. } => self.notice = Some(why),
            Response::Proved { proof, .. } => {
                if let Some(inside) = &mut self.inside {
                    inside.leaf = proof.as_ref().map_or(0, |proof| proof.steps.len());
                    inside.proof = Some(Rc::new(proof));
                }
            }
            Response::Interpolated { result, .. } => {
                if let Some(inside) = &mut self.inside {
                    // The cut may have been moved meanwhile; then the request is repeated.
                    let fits = |i: &Interpolation| (i.cut, i.method) == (inside.cut, inside.method);
                    inside.found = result.as_ref().map_or(true, fits).then(|| Rc::new(result));
                }
            }
            Response::Questions { result, .. } => self.linked_to(result),
        }
        self.ask_for_view();
    }

    pub(super) fn is_current(&self, response: &Response) -> bool {
        let (Response::Said { job, .. }
        | Response::Ran { job }
        | Response::Opened { job, .. }
        | Response::Proved { job, .. }
        | Response::Interpolated { job, .. }
        | Response::Questions { job, .. }) = response;
        *job == self.job
    }

    pub(super) fn linked_to(&mut self, result: Result<(Vec<(String, String)>, bool), String>) {
        let (questions, same) = match result {
            Ok((questions, same)) if !questions.is_empty() => (questions, same),
            other => {
                let nothing = || "This step of the run has no solver queries.".to_owned();
                self.notice = Some(other.err().unwrap_or_else(nothing));
                self.linked = None;
                return self.load(SCRIPTS[0].text);
            }
        };
        if !same {
            self.notice = Some(
                "The run has changed since this link was made; these are the queries of its step of this number."
                    .to_owned(),
            );
        }
        let last = questions.len() - 1;
        if let Some(linked) = &mut self.linked {
            Rc::make_mut(linked).questions = questions;
        }
        self.question(last);
    }
}
