//! A run in progress: its portions of fuel, its budget, and the part of its journal that was sent.

use std::task::Poll;

use veristep_core::draw::Pictures;
use veristep_core::kit::{Cx, Fuel, Journal, Names, Recorder};
use veristep_core::run::Kind;

use crate::protocol::{Budget, Delta, Job, RunOf, RunResult, Sent, Stop, unpack};
use crate::worker::adapter::{self, Engine};

/// A portion of fuel should take about this long, in milliseconds.
const PORTION: f64 = 4.0;
const LARGEST_PORTION: u64 = 1 << 20;
/// A run with fewer events has just begun.
const NEW: usize = 100;

/// A run and its record.
pub(super) struct Work {
    job: Job,
    engine: Engine,
    pictures: Pictures,
    recorder: Recorder,
    sent: Sent,
    portion: u64,
    used: u64,
    ms: f64,
    fuel_until: u64,
    events_until: usize,
    pause: bool,
}

/// A finished run, or one of another engine.
pub(super) struct Record {
    job: Job,
    journal: Journal,
    /// What was run, if it was another engine's run.
    of: RunOf,
    pictures: Option<Pictures>,
}

impl Record {
    /// The record of another engine's run; `None` if the parts do not fit.
    pub(super) fn restored(job: Job, of: RunOf, names: Names, parts: &[Vec<u8>]) -> Option<Record> {
        let mut record = Record { job, journal: Journal::new(names), of, pictures: None };
        record.grow(parts).then_some(record)
    }

    pub(super) fn job(&self) -> Job {
        self.job
    }

    /// Appends parts of the journal; `false` if they do not fit.
    pub(super) fn grow(&mut self, parts: &[Vec<u8>]) -> bool {
        parts.iter().all(|part| unpack::<Delta>(part).is_some_and(|delta| delta.append(&mut self.journal)))
    }

    /// The journal.
    pub(super) fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The journal, and the model for pictures of it, which is read if the run belongs to another engine.
    ///
    /// # Errors
    /// Why the model cannot be read.
    pub(super) fn shown(&mut self) -> Result<(&Journal, &mut Pictures), String> {
        let pictures = match &mut self.pictures {
            Some(pictures) => pictures,
            none => {
                let of = &self.of;
                let (engine, _) = adapter::start(of.kind, &of.text, &of.property, &of.options)?;
                let mut pictures = engine.pictures();
                pictures.found(of.found.clone());
                none.insert(pictures)
            }
        };
        Ok((&self.journal, pictures))
    }
}

/// The result of a portion.
pub(super) enum Progress {
    More,
    Stopped(Stop),
    Done(RunResult),
}

impl Work {
    pub(super) fn new(
        job: Job,
        (kind, text): (Kind, &str),
        property: &str,
        options: &[(String, String)],
        budget: Budget,
    ) -> Result<Work, String> {
        let (engine, names) = adapter::start(kind, text, property, options)?;
        let mut recorder = Recorder::default();
        recorder.journal.names = names;
        let (fuel_until, events_until) = (budget.fuel, budget.events as usize);
        // The first query may take seconds: before it, the first events are sent.
        let (portion, used, ms, sent, pause) = (1, 0, 0.0, Sent::default(), false);
        let pictures = engine.pictures();
        Ok(Work { job, engine, pictures, recorder, sent, portion, used, ms, fuel_until, events_until, pause })
    }

    pub(super) fn job(&self) -> Job {
        self.job
    }

    /// The part that is kept after its end.
    pub(super) fn into_record(self) -> Record {
        let (job, journal) = (self.job, self.recorder.journal);
        Record { job, journal, of: RunOf::default(), pictures: Some(self.pictures) }
    }

    /// The journal.
    pub(super) fn journal(&self) -> &Journal {
        &self.recorder.journal
    }

    /// The journal, and the model for pictures of it.
    pub(super) fn shown(&mut self) -> (&Journal, &mut Pictures) {
        (&self.recorder.journal, &mut self.pictures)
    }

    pub(super) fn names(&self) -> Names {
        self.recorder.journal.names.clone()
    }

    /// Has the run just begun?
    pub(super) fn is_new(&self) -> bool {
        self.recorder.journal.events.len() < NEW
    }

    pub(super) fn used(&self) -> u64 {
        self.used
    }

    pub(super) fn pause(&mut self) {
        self.pause = true;
    }

    pub(super) fn run_on(&mut self, budget: Budget) {
        self.pause = false;
        self.fuel_until = self.used.saturating_add(budget.fuel);
        self.events_until = self.recorder.journal.events.len() + budget.events as usize;
    }

    pub(super) fn news(&mut self) -> Option<Delta> {
        Delta::next(&self.recorder.journal, &mut self.sent)
    }

    /// Runs for a few milliseconds.
    pub(super) fn portion(&mut self, now: impl Fn() -> f64) -> Progress {
        if self.pause {
            self.pause = false;
            return Progress::Stopped(Stop::Asked);
        }
        if self.recorder.journal.events.len() >= self.events_until {
            return Progress::Stopped(Stop::Events);
        }
        let allowed = self.portion.min(self.fuel_until.saturating_sub(self.used));
        if allowed == 0 {
            return Progress::Stopped(Stop::Fuel);
        }
        let began = now();
        let mut fuel = Fuel::new(allowed);
        let result = self.engine.poll(&mut Cx { fuel: &mut fuel, sink: &mut self.recorder });
        self.used += allowed - fuel.left();
        let took = now() - began;
        self.ms += took;
        if took < PORTION / 2.0 {
            self.portion = (self.portion * 2).min(LARGEST_PORTION);
        } else if took > PORTION * 2.0 {
            self.portion = (self.portion / 2).max(1);
        }
        match result {
            Poll::Pending => Progress::More,
            Poll::Ready(outcome) => {
                if let Some(proof) = &outcome.certificate {
                    self.pictures.found(proof.shown.run());
                }
                Progress::Done(RunResult { used: self.used, ms: self.ms, ..outcome })
            }
        }
    }
}
