//! Rows run one after the other; late rows are cancelled, with their engine if it does not respond.

use std::rc::Rc;

use gloo_timers::callback::Timeout;

use veristep_core::diagnostic::{Diagnostic, LineIndex, Severity};

use veristep_core::run::Kind;

use crate::browser;
use crate::client::{Client, Heard};
use crate::compare::Compare;
use crate::compare::row::{Row, Status};
use crate::protocol::{Budget, FromEngine, Job, RunResult, Stop, ToEngine};
use crate::state::FrameRef;

/// The budget of a row; usually its time limit expires before.
const BUDGET: Budget = Budget { fuel: 100_000_000, events: 400_000 };
/// The number of graphs shown by default.
const SHOWN: usize = 2;

impl Compare {
    /// Stopped rows wait again, and a text whose parsing ended an engine is parsed again.
    pub(super) fn again(&mut self) {
        self.stopped_on = None;
        for row in self.rows.iter_mut().filter(|row| matches!(row.status, Status::Ended(_))) {
            *row = Row { shown: row.shown, ..Row::new(row.choices.clone()) };
        }
    }

    /// Starts the next waiting row, unless one is running.
    pub(super) fn run(&mut self) {
        if self.running.is_some() {
            return;
        }
        if !self.is_read() {
            if self.stopped_on.as_ref() == Some(&self.question()) {
                return;
            }
            self.last_job += 1;
            let (kind, text, property) = (self.kind, self.text.to_string(), self.property.clone());
            return self.client.send(&ToEngine::Parse { job: self.last_job, kind, text, property });
        }
        let Some(at) = self.rows.iter().position(|row| row.status == Status::Waiting) else { return };
        self.last_job += 1;
        let job = self.last_job;
        let row = &mut self.rows[at];
        *row = Row { job, status: Status::Running, shown: row.shown, ..Row::new(row.choices.clone()) };
        let late = self.late.clone();
        let timer = Timeout::new(self.limit * 1000, move || late.emit(job));
        self.running = Some((at, timer));
        let (text, property) = (self.text.to_string(), self.property.clone());
        let options = self.rows[at].choices.clone();
        self.client.send(&ToEngine::Start { job, kind: self.kind, text, property, options, budget: BUDGET });
    }

    /// Were the current text and property parsed?
    fn is_read(&self) -> bool {
        self.read.as_ref() == Some(&self.question())
    }

    /// The language, the text and the property.
    fn question(&self) -> (Kind, Rc<str>, String) {
        (self.kind, self.text.clone(), self.property.clone())
    }

    /// The running row, if it belongs to this request.
    fn at_work(&mut self, job: Job) -> Option<&mut Row> {
        let (at, _) = self.running.as_ref()?;
        self.rows.get_mut(*at).filter(|row| row.job == job)
    }

    /// All results are discarded.
    pub(super) fn forget(&mut self) {
        // An answer about the text or the property before the change is late.
        self.last_job += 1;
        self.stop("stopped");
        for row in &mut self.rows {
            *row = Row { shown: row.shown, ..Row::new(row.choices.clone()) };
        }
    }

    /// Ends the running row.
    pub(super) fn stop(&mut self, why: &str) {
        let Some((at, _)) = self.running.take() else { return };
        self.rows[at].status = Status::Ended(why.to_owned());
        self.rows[at].stepper = self.stepper(&self.rows[at]);
        self.client.send(&ToEngine::Cancel { job: self.rows[at].job });
        self.another_engine();
    }

    /// The work of an engine cannot be interrupted reliably, but its worker can be terminated.
    fn another_engine(&mut self) {
        if self.client.is_worker() {
            self.client = Client::start(self.heard.clone());
            self.ready = false;
            self.warm = false;
        }
    }

    pub(super) fn late(&mut self, job: Job) {
        if self.at_work(job).is_some() {
            let why = format!("no answer in {} s", self.limit);
            self.stop(&why);
            self.run();
        }
    }

    /// The running row starts again.
    fn once_more(&mut self) {
        if let Some((at, _)) = self.running.take() {
            self.rows[at].status = Status::Waiting;
        }
        self.run();
    }

    /// The running row is finished.
    fn over(&mut self) {
        if let Some((at, _)) = self.running.take() {
            self.rows[at].stepper = self.stepper(&self.rows[at]);
        }
        let shown = self.rows.iter().filter(|row| row.shown).count();
        let part = self.part;
        let fresh = self.rows.iter_mut().filter(|row| row.status == Status::Done);
        for row in fresh {
            row.fold(part);
        }
        // The first results are shown by default.
        if shown < SHOWN {
            let hidden = self
                .rows
                .iter()
                .position(|row| row.status == Status::Done && !row.shown && row.journal.length() > 0);
            if let Some(at) = hidden {
                self.toggle(at);
            }
        }
        self.run();
    }

    pub(super) fn heard(&mut self, heard: Heard) {
        match self.client.listen(heard) {
            Some(Ok(message)) => self.heard_message(message),
            Some(Err(why)) => {
                self.lost = Some(why);
            }
            None => {}
        }
    }

    fn heard_message(&mut self, message: FromEngine) {
        match message {
            FromEngine::Ready { library, .. } => {
                self.ready = true;
                self.library = Rc::new(library);
            }
            FromEngine::Parsed { job, diagnostics, property, .. } if job == self.last_job => {
                self.parsed(diagnostics, property);
            }
            FromEngine::Started { job, names } => {
                if let Some(row) = self.at_work(job) {
                    row.journal = crate::state::JournalRef::new(names);
                    row.frame = FrameRef::default();
                }
            }
            FromEngine::Events { job, delta } => {
                if let Some(row) = self.at_work(job) {
                    row.journal.append(delta);
                }
            }
            FromEngine::Refused { job, message } => self.ended(job, message),
            FromEngine::Paused { job, why, .. } => {
                let why = if why == Stop::Events { "too many events" } else { "budget exhausted" };
                self.ended(job, why.to_owned());
            }
            FromEngine::Done { job, outcome } => self.done(job, outcome),
            FromEngine::Certified { job, result } => {
                if let Some(row) = self.at_work(job) {
                    row.certified = Some(result.is_ok());
                    row.trusted = result.map(|accepted| accepted.trusted).unwrap_or_default();
                    row.status = Status::Done;
                    self.over();
                }
            }
            FromEngine::Saved { name, format, content } => {
                self.notice = browser::offer_saved(&name, format.names(), content);
            }
            FromEngine::Panicked { message } => self.engine_failed(&message),
            _ => {}
        }
    }

    /// The engine crashed; waiting rows continue with another one.
    fn engine_failed(&mut self, why: &str) {
        let doing = match self.running.as_ref().map(|(at, _)| &self.rows[*at].status) {
            Some(Status::Checking) => "checking a certificate",
            Some(_) => "running a row",
            None if !self.is_read() => {
                "reading the model, which is parsed again only when it is edited or run"
            }
            None => "waiting",
        };
        self.notice = Some(format!(
            "The engine stopped while {doing} and was restarted. This is a defect of Veristep: {why}"
        ));
        self.stopped_on = (!self.is_read()).then(|| self.question());
        if self.running.is_some() {
            self.stop("the engine ended");
        } else {
            self.another_engine();
        }
        self.run();
    }

    /// Rows run only on a text and a property without errors.
    fn parsed(&mut self, diagnostics: Vec<Diagnostic>, property: Option<String>) {
        let wrong = diagnostics.iter().find(|d| d.severity == Severity::Error).cloned();
        self.diagnostics = Rc::new(diagnostics);
        match (wrong, property) {
            (Some(wrong), _) => {
                let (line, column) = LineIndex::new(&self.text).position(wrong.span.start);
                self.notice = Some(format!("The model cannot be read: {line}:{column}: {}", wrong.message));
            }
            (None, Some(why)) => self.notice = Some(why),
            (None, None) => {
                self.read = Some(self.question());
                self.run();
            }
        }
    }

    fn ended(&mut self, job: Job, why: String) {
        if let Some(row) = self.at_work(job) {
            row.status = Status::Ended(why);
            self.over();
        }
    }

    fn done(&mut self, job: Job, outcome: RunResult) {
        let (kind, text, property) = (self.kind, self.text.to_string(), self.property.clone());
        if self.at_work(job).is_none() {
            return;
        }
        // The first run of an engine is slower, because the browser has not compiled all of it.
        if !std::mem::replace(&mut self.warm, true) {
            return self.once_more();
        }
        let Some(row) = self.at_work(job) else { return };
        let certificate = outcome.certificate.as_ref().map(|proof| proof.json.clone());
        row.outcome = Some(Rc::new(outcome));
        let Some(certificate) = certificate else {
            row.status = Status::Done;
            return self.over();
        };
        row.status = Status::Checking;
        self.client.send(&ToEngine::Certify { job, kind, text, property, certificate });
    }
}
