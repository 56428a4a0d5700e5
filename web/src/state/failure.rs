//! A crashed engine: by a panic, a stack overflow, or lack of memory.
//!
//! Another engine replaces it. Text and journal are kept by the page. No request that may have ended the engine is
//! sent again unless the user requests it: not the text that was parsed, not the explanation that was computed,
//! and not the journal, if the engine had not answered since it was restored.

use std::rc::Rc;

use veristep_core::run::Kind;

use crate::state::{Checked, Effect, Engine, State, Status};

/// The last work of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doing {
    /// Parsing the model.
    Reading,
    /// Running.
    Running,
    /// Checking the certificate.
    Checking,
    /// Explaining a step.
    Explaining,
    /// Idle.
    Nothing,
}

impl Doing {
    /// In words, followed by the model.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Doing::Reading => "reading",
            Doing::Running => "running on",
            Doing::Checking => "checking a certificate of",
            Doing::Explaining => "explaining a step of",
            Doing::Nothing => "waiting, with",
        }
    }
}

/// The end of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Its last work.
    pub doing: Doing,
    /// The model and the property, in words.
    pub input: String,
    /// The report of the browser or of the engine.
    pub why: String,
    text: Rc<str>,
    kind: Kind,
}

/// Longer first lines of models end in `…`.
const SHOWN: usize = 60;

impl State {
    /// Parsing the current text ended an engine.
    #[must_use]
    pub fn stops_engine(&self) -> bool {
        let this = |d: &Failure| d.doing == Doing::Reading && d.text == self.text && d.kind == self.kind;
        self.failure.as_ref().is_some_and(this)
    }

    fn doing(&self) -> Doing {
        let run = self.run.as_ref();
        let running =
            |status: &Status| matches!(status, Status::Running | Status::Pausing | Status::Stopping);
        // A text that waits to be parsed during a run is parsed again afterwards, so the run is the likelier cause.
        if run.is_some_and(|run| running(&run.status)) {
            Doing::Running
        } else if self.reading {
            Doing::Reading
        } else if run.is_some_and(|run| matches!(run.checked, Checked::Asked(_))) {
            Doing::Checking
        } else if self.explaining() {
            Doing::Explaining
        } else {
            Doing::Nothing
        }
    }

    /// The model and the property of the last request, in words.
    fn input(&self, doing: Doing) -> String {
        let of_run = self.run.as_ref().filter(|_| doing != Doing::Reading);
        let (text, property) = of_run.map_or((&self.text, &self.property), |run| (&run.text, &run.property));
        let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let first: String = match first.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}…", &first[..end]),
            None => first.to_owned(),
        };
        let lines = veristep_core::text::count(text.lines().count(), "line");
        let asked = if property.trim().is_empty() || doing == Doing::Reading {
            String::new()
        } else {
            format!(", with the property “{property}”")
        };
        format!("the model that begins with “{first}” ({lines}){asked}")
    }

    /// The engine crashed; another one is started.
    pub(super) fn engine_failed(&mut self, why: &str) -> Vec<Effect> {
        let doing = self.doing();
        let input = self.input(doing);
        let (text, kind) = (self.text.clone(), self.kind);
        self.engine = Engine::Starting;
        self.reading = false;
        self.playing = false;
        self.writing.give_up();
        if doing == Doing::Explaining {
            self.leave_unexplained();
        }
        self.give_up_run(Status::Failed("the engine stopped".to_owned()));
        self.failure = Some(Failure { doing, input, why: why.to_owned(), text, kind });
        let journal = if self.restoring { self.forget_asked() } else { self.give_journal_back() };
        [vec![Effect::Respawn], journal].concat()
    }

    /// The message is dismissed. A text that ended an engine stays recorded, so that it is not parsed again.
    pub(super) fn dismiss_failure(&mut self) -> Vec<Effect> {
        self.failure.take_if(|failure| failure.doing != Doing::Reading);
        vec![]
    }

    /// Repeats the request that ended the engine.
    pub(super) fn try_again(&mut self) -> Vec<Effect> {
        let Some(failure) = self.failure.take() else { return vec![] };
        match failure.doing {
            Doing::Reading => self.parse(),
            Doing::Running => self.run_or_continue(true),
            Doing::Checking => self.check(),
            Doing::Explaining | Doing::Nothing => self.explain_again(),
        }
    }
}
