//! What the page asks its engine, and what it does with the answers.

use std::rc::Rc;

use veristep_core::link::MAX_FRAGMENT;

use crate::browser;
use crate::client::{Client, Heard};
use crate::protocol::{FromEngine, PROTOCOL, ToEngine, pack, unpack};
use crate::solver::protocol::{Ask, Job, Told};
use crate::solver::scripts::SCRIPTS;
use crate::solver::{Inside, Move, Solver, Tab};

impl Solver {
    pub(super) fn next_job(&mut self) -> Job {
        self.job += 1;
        self.job
    }

    /// Asks the engine. One that is busy with something else is ended first; cuts are moved faster than they are answered.
    pub(super) fn send(&mut self, ask: &Ask) {
        if self.pending && !matches!(ask, Ask::Interpolate { .. }) {
            self.restart();
        }
        self.pending = true;
        self.client.send(&ToEngine::Solver(pack(ask)));
    }

    pub(super) fn reset(&mut self, text: &str) {
        self.text = text.into();
        self.version += 1;
        self.ran = "".into();
        self.said = Rc::default();
        self.inside = None;
        self.opening = None;
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
        self.opening = None;
        self.stopped = false;
        self.send(&Ask::Run { job, text: self.text.to_string() });
        self.running = true;
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

    /// Another engine in the place of this one.
    pub(super) fn restart(&mut self) {
        self.client = Client::start(self.heard.clone());
        self.ready = false;
        self.running = false;
        self.opening = None;
        self.pending = false;
    }

    pub(super) fn open(&mut self, check: u32) {
        let job = self.next_job();
        self.send(&Ask::Open { job, text: self.ran.to_string(), check });
        self.opening = Some(check);
    }

    /// Asks for what the view shows and is not there yet: the refutation, then the interpolant.
    pub(super) fn ask_for_view(&mut self) {
        let Some(inside) = &self.inside else { return };
        let (check, cut, method) = (inside.opened.check, inside.cut, inside.method);
        let proved = inside.proof.is_some();
        let cuttable = inside.opened.assertions.len() >= 2 && inside.found.is_none();
        let text = self.ran.to_string();
        if self.tab != Tab::Search && !proved && !self.pending {
            let job = self.next_job();
            self.send(&Ask::Prove { job, text, check });
        } else if self.tab == Tab::Interpolants && proved && cuttable {
            let job = self.next_job();
            self.send(&Ask::Interpolate { job, text, check, cut, method });
        }
    }

    pub(super) fn heard(&mut self, heard: Heard) {
        match heard {
            Heard::Message(message) => self.heard_message(*message),
            Heard::OnMainThread => {}
            Heard::Failed(_) if !self.client.is_ready() && self.client.is_worker() => {
                self.client.use_main_thread();
            }
            Heard::Failed(why) => {
                self.running = false;
                self.lost = Some(format!("The engine cannot be used: {why}. Reloading the page may help."));
            }
        }
    }

    pub(super) fn heard_message(&mut self, message: FromEngine) {
        match message {
            FromEngine::Ready { protocol, .. } if protocol != PROTOCOL => {
                self.lost = Some(
                    "The page and its engine are of different versions; reloading should help.".to_owned(),
                );
            }
            FromEngine::Ready { .. } => {
                self.ready = true;
                self.client.opened();
            }
            FromEngine::Solver(bytes) => {
                if let Some(told) = unpack(&bytes) {
                    self.told(told);
                }
            }
            FromEngine::Panicked { message } => {
                self.restart();
                self.notice =
                    Some(format!("The engine broke, which is our mistake, and was started anew: {message}"));
            }
            _ => {}
        }
    }

    pub(super) fn told(&mut self, told: Told) {
        self.pending &= matches!(told, Told::Said { .. }) || !self.is_current(&told);
        match told {
            Told::Said { job, said } if job == self.job => Rc::make_mut(&mut self.said).push(said),
            Told::Ran { job } if job == self.job => {
                self.running = false;
                // The last check is usually the one in question.
                let last = self.said.iter().rev().find_map(|said| said.check);
                let wanted = self.wanted.map(|(check, _, _)| check).filter(|check| Some(*check) <= last);
                if let Some(check) = wanted.or(last) {
                    self.open(check);
                }
            }
            Told::Opened { job, opened } if job == self.job => {
                self.opening = None;
                self.inside = Some(Inside::new(*opened));
                if let Some((_, step, tab)) = self.wanted.take() {
                    self.tab = tab;
                    self.go(Move::To(step));
                }
                self.ask_for_view();
            }
            Told::Proved { job, proof } if job == self.job => {
                if let Some(inside) = &mut self.inside {
                    inside.leaf = proof.as_ref().map_or(0, |proof| proof.steps.len());
                    inside.proof = Some(Rc::new(proof));
                }
                self.ask_for_view();
            }
            Told::Interpolated { job, result } if job == self.job => {
                self.inside.iter_mut().for_each(|inside| inside.found = Some(Rc::new(result.clone())));
            }
            Told::Questions { job, result } if job == self.job => self.linked_to(result),
            _ => {}
        }
    }

    pub(super) fn is_current(&self, told: &Told) -> bool {
        let (Told::Said { job, .. }
        | Told::Ran { job }
        | Told::Opened { job, .. }
        | Told::Proved { job, .. }
        | Told::Interpolated { job, .. }
        | Told::Questions { job, .. }) = told;
        *job == self.job
    }

    pub(super) fn linked_to(&mut self, result: Result<Vec<(String, String)>, String>) {
        let Some(linked) = &mut self.linked else { return };
        match result {
            Ok(questions) if questions.is_empty() => {
                self.notice = Some("The solver was not asked anything at this step of the run.".to_owned());
                self.load(SCRIPTS[0].text);
            }
            Ok(questions) => {
                let last = questions.len() - 1;
                Rc::make_mut(linked).questions = questions;
                self.question(last);
            }
            Err(why) => {
                self.notice = Some(why);
                self.load(SCRIPTS[0].text);
            }
        }
    }
}
