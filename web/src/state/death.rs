//! An engine that ended by itself: by a panic, a stack overflow, or because there was no memory left.
//!
//! Another engine takes its place. Text and journal are the page's own and stay. Nothing that may have ended the engine is
//! sent again before the reader asks for it: not the text that was being read, not the explanation that was being made,
//! and not the journal, if the engine had done nothing since it was given back.

use std::rc::Rc;

use veristep_core::run::Kind;

use crate::state::{Checked, Effect, Engine, State, Status};

/// What an engine was at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doing {
    /// Reading the model.
    Reading,
    /// Running.
    Running,
    /// Checking the certificate.
    Checking,
    /// Explaining a step.
    Explaining,
    /// Nothing that it was asked for.
    Nothing,
}

impl Doing {
    /// In words, before the model.
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
pub struct Death {
    /// What it was at.
    pub doing: Doing,
    /// The model and the property, in words.
    pub input: String,
    /// What the browser or the engine itself reported.
    pub why: String,
    text: Rc<str>,
    kind: Kind,
}

/// Longer first lines of models end in `…`.
const SHOWN: usize = 60;

impl State {
    /// The text ended an engine that read it, and was not changed since.
    #[must_use]
    pub fn is_deadly(&self) -> bool {
        let this = |d: &Death| d.doing == Doing::Reading && d.text == self.text && d.kind == self.kind;
        self.death.as_ref().is_some_and(this)
    }

    fn doing(&self) -> Doing {
        let run = self.run.as_ref();
        let running =
            |status: &Status| matches!(status, Status::Running | Status::Pausing | Status::Stopping);
        // A text that waits to be parsed during a run is parsed again afterwards, so the run is the first suspect.
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

    /// The model and the property that an engine was given, in words.
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

    /// The engine ended by itself; another one is started.
    pub(super) fn engine_died(&mut self, why: &str) -> Vec<Effect> {
        let doing = self.doing();
        let input = self.input(doing);
        let (text, kind) = (self.text.clone(), self.kind);
        self.engine = Engine::Starting;
        self.reading = false;
        self.playing = false;
        if doing == Doing::Explaining {
            self.leave_unexplained();
        }
        self.give_up_run(Status::Failed("the engine stopped".to_owned()));
        self.death = Some(Death { doing, input, why: why.to_owned(), text, kind });
        let journal = if self.restoring { self.forget_asked() } else { self.give_journal_back() };
        [vec![Effect::Respawn], journal].concat()
    }

    /// The message was read. A text that ended an engine is still known, so that it is not read again by itself.
    pub(super) fn dismiss_death(&mut self) -> Vec<Effect> {
        self.death.take_if(|death| death.doing != Doing::Reading);
        vec![]
    }

    /// What ended the engine is tried once more.
    pub(super) fn try_again(&mut self) -> Vec<Effect> {
        let Some(death) = self.death.take() else { return vec![] };
        match death.doing {
            Doing::Reading => self.parse(),
            Doing::Running => self.run_or_continue(true),
            Doing::Checking => self.check(),
            Doing::Explaining | Doing::Nothing => self.explain_again(),
        }
    }
}
