//! State changes by the engine's messages. Answers to finished jobs are dropped.

use std::rc::Rc;

use veristep_core::kit::{Event, Verdict};
use veristep_core::methods::cegar;

use crate::protocol::{Budget, FromEngine, Job, RunResult, Stop};
use crate::state::editing::same_model;
use crate::state::{Checked, Effect, Engine, JournalRef, Run, State, Status, Tone, Wanted};
use veristep_core::link::{Place, find};

/// The notice, after a number, when refinement seems to diverge.
const DIVERGES: &str = "predicates found so far differ only in constants: this run may diverge. Another \
    abstract domain, refinement or splitting of predicates (see Options) may generalize them.";

impl State {
    pub(super) fn receive(&mut self, message: FromEngine) -> Vec<Effect> {
        if !matches!(message, FromEngine::Ready { .. } | FromEngine::Panicked { .. }) {
            self.restoring = false;
        }
        match message {
            FromEngine::Ready { library, .. } => {
                self.library = Rc::new(library);
                if self.engine != Engine::MainThread {
                    self.engine = Engine::Ready;
                }
                vec![]
            }
            FromEngine::Parsed { job, model, diagnostics, property } => {
                if job == self.parse_job {
                    self.reading = false;
                    self.property_problem = property.map(Rc::from);
                    self.diagnostics = Rc::new(diagnostics);
                    return self.parsed(model.map(Rc::new));
                }
                vec![]
            }
            FromEngine::Started { job, names } => {
                if self.mine(job).is_some() {
                    self.journal = JournalRef::new(names);
                }
                vec![]
            }
            FromEngine::Refused { job, message } => {
                if let Some(run) = self.mine(job) {
                    run.status = Status::Failed(message);
                }
                vec![]
            }
            FromEngine::Events { job, delta } => self.grown(job, delta),
            FromEngine::Paused { job, why, used } => self.paused(job, why, used),
            FromEngine::Done { job, outcome } => self.done(job, outcome),
            FromEngine::Cancelled { job } => {
                if let Some(run) = self.mine(job) {
                    run.status = Status::Stopped;
                }
                vec![]
            }
            FromEngine::Edited { job, written } => self.written(job, &written),
            FromEngine::Saved { name, format, content } => self.saved(name, format, content),
            FromEngine::Chart(bytes) => {
                self.heard_of_chart(&bytes);
                vec![]
            }
            // The other page's.
            FromEngine::Solver(_) | FromEngine::Formula(_) => vec![],
            FromEngine::Certified { job, result } => {
                if let Some(run) = self.run.as_mut().filter(|run| run.checked == Checked::Asked(job)) {
                    run.checked = match result {
                        Ok(what) => Checked::Accepted(what),
                        Err(why) => Checked::Refused(why),
                    };
                }
                vec![]
            }
            FromEngine::Explained { job, explained } => {
                self.heard_explanation(job, explained);
                vec![]
            }
            FromEngine::Panicked { message } => self.engine_failed(&message),
        }
    }

    fn mine(&mut self, job: Job) -> Option<&mut Run> {
        self.run.as_mut().filter(|run| run.job == job)
    }

    /// Sets the model of a run that began before its text was parsed.
    pub(super) fn give_model_to_run(&mut self) {
        let model = self.model.clone().filter(|_| self.diagnostics.is_empty());
        let (text, kind) = (self.text.clone(), self.kind);
        if let Some(run) = self.run.as_mut().filter(|run| same_model(&run.text, &text) && run.kind == kind) {
            run.model = model.or(run.model.take());
        }
    }

    fn grown(&mut self, job: Job, delta: Vec<u8>) -> Vec<Effect> {
        if self.mine(job).is_none() {
            return vec![];
        }
        let before = self.journal.length();
        let fits = self.journal.append(delta);
        debug_assert!(fits, "parts of a journal come in order");
        let chain = |e: &Event| {
            if let Event::Cegar(cegar::Event::ChainGrew { length, .. }) = e { Some(*length) } else { None }
        };
        let grew = self.journal.get().events[before..].iter().rev().find_map(chain);
        if let Some(length) = grew {
            self.notices.retain(|n| !n.text.ends_with(DIVERGES));
            self.say(Tone::Warning, &format!("{length} {DIVERGES}"));
        }
        self.reach(false);
        vec![]
    }

    /// Shows the newest step of a run that is followed.
    pub fn catch_up(&mut self) {
        if self.following {
            self.move_to(self.journal.length());
        }
    }

    /// Goes to the requested step if the journal contains it.
    fn reach(&mut self, ended: bool) {
        let length = self.journal.length();
        match self.wanted {
            Some(Wanted::Index(index)) if index <= length || ended => {
                self.wanted = None;
                self.move_to(index.min(length));
            }
            Some(Wanted::Linked(cursor)) => {
                let place = find(&cursor, &self.journal.get(), ended);
                match place {
                    Place::NotYet => return,
                    Place::Exact(index) => self.move_to(index),
                    Place::Nearest(index) => {
                        self.move_to(index);
                        self.say(
                            Tone::Warning,
                            "This run differs from the run of the link; the closest step is shown.",
                        );
                    }
                }
                self.wanted = None;
            }
            _ => {}
        }
    }

    fn paused(&mut self, job: Job, why: Stop, used: u64) -> Vec<Effect> {
        self.catch_up();
        if let Some(run) = self.mine(job).filter(|run| run.status != Status::Stopping) {
            run.status = Status::Paused(why);
            run.used = used;
            if matches!(self.wanted, Some(Wanted::Linked(_))) {
                self.say(Tone::Info, "The step of this link is beyond the budget of links. Press Continue.");
            }
        }
        vec![Effect::SaveLink]
    }

    fn done(&mut self, job: Job, outcome: RunResult) -> Vec<Effect> {
        let Some(run) = self.mine(job) else { return vec![] };
        let verdict = outcome.verdict.to_string();
        let decided = !matches!(outcome.verdict, Verdict::Unknown(_));
        run.status = Status::Done;
        run.used = outcome.used;
        run.outcome = Some(Rc::new(outcome));
        self.catch_up();
        self.reach(true);
        self.reveal_at_end();
        if decided {
            self.notices.retain(|n| !n.text.ends_with(DIVERGES));
        }
        let claimed = std::mem::take(&mut self.claimed);
        if !claimed.is_empty() && claimed != verdict {
            self.say(
                Tone::Warning,
                &format!("The link states the verdict “{claimed}”, but this run ends with “{verdict}”."),
            );
        }
        vec![Effect::SaveLink]
    }

    pub(super) fn on_main_thread(&mut self) -> Vec<Effect> {
        self.engine = Engine::MainThread;
        self.say(Tone::Warning, "No background worker could be started, so the engine runs in the page's thread: long runs block the page.");
        vec![]
    }

    pub(super) fn engine_lost(&mut self, why: String) -> Vec<Effect> {
        self.engine = Engine::Lost(why.clone());
        if let Some(run) = self.run.as_mut()
            && !matches!(run.status, Status::Done | Status::Stopped)
        {
            run.status = Status::Failed(why);
        }
        vec![]
    }

    /// The engine was terminated because it did not answer.
    pub(super) fn engine_ended(&mut self) -> Vec<Effect> {
        self.engine = Engine::Starting;
        self.give_up_run(Status::Stopped);
        let mut effects = [vec![Effect::Respawn], self.give_journal_back()].concat();
        if self.reading {
            effects.extend(self.parse());
        }
        if self.writing.is_pending() {
            effects.extend(self.write_again());
        }
        effects
    }

    pub(super) fn give_up_run(&mut self, status: Status) {
        if let Some(run) = self.run.as_mut() {
            if run.checked != Checked::No && !matches!(run.checked, Checked::Accepted(_)) {
                run.checked = Checked::No;
            }
            if !matches!(run.status, Status::Done | Status::Stopped) {
                run.status = status;
            }
        }
    }

    /// The budget of runs.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget { fuel: self.fuel, ..super::BUDGET }
    }
}
