//! Starting, continuing and stopping runs, and checking their certificates.

use crate::protocol::{Budget, FoundRun, Job, RunOf, ToEngine};
use crate::state::{BUDGET, Checked, Effect, Engine, Run, State, Status};

impl Run {
    /// What was run, for another engine.
    pub(super) fn of(&self) -> RunOf {
        let proof = self.outcome.as_ref().and_then(|outcome| outcome.certificate.as_ref());
        let found = proof.map_or_else(FoundRun::default, |proof| proof.shown.run());
        let (text, property, options) = (self.text.to_string(), self.property.clone(), self.options.clone());
        RunOf { kind: self.kind, text, property, options, found }
    }
}

impl State {
    pub(super) fn run_or_continue(&mut self, follow: bool) -> Vec<Effect> {
        if self.busy() {
            return vec![];
        }
        let budget = Budget { fuel: self.fuel, events: BUDGET.events };
        let current = self.current();
        if let Some(run) = self.run.as_mut().filter(|_| current)
            && let Status::Paused(_) = run.status
        {
            run.status = Status::Running;
            run.revealed |= follow;
            self.following = follow && self.wanted.is_none();
            return vec![Effect::Send(ToEngine::Continue { job: run.job, budget })];
        }
        self.start(follow, budget)
    }

    /// Starts a run to be stepped through: the verdict is hidden until the end is reached or it is requested.
    pub(super) fn step_through(&mut self) -> Vec<Effect> {
        let before = self.run.as_ref().map(|run| run.job);
        let effects = self.run_or_continue(false);
        if let Some(run) = self.run.as_mut().filter(|run| Some(run.job) != before) {
            run.revealed = false;
        }
        effects
    }

    /// The end of a run shows its verdict.
    pub(super) fn reveal_at_end(&mut self) {
        let at_end = self.frame.cursor == self.journal.length();
        if let Some(run) = self.run.as_mut().filter(|run| at_end && run.outcome.is_some()) {
            run.revealed = true;
        }
    }

    /// Shows the verdict at once.
    pub(super) fn reveal(&mut self) -> Vec<Effect> {
        if let Some(run) = &mut self.run {
            run.revealed = true;
        }
        vec![]
    }

    pub(super) fn start(&mut self, follow: bool, budget: Budget) -> Vec<Effect> {
        if !matches!(self.engine, Engine::Ready | Engine::MainThread | Engine::Starting) {
            return vec![];
        }
        if self.stops_engine() {
            return vec![];
        }
        self.failure = None;
        let unreadable = self.property_problem.is_some() || self.no_property().is_some();
        if !self.reading && unreadable {
            return vec![Effect::FocusProperty];
        }
        self.forget_run();
        self.view.certificate = false;
        let job = self.next_job();
        self.following = follow;
        self.run = Some(Run {
            job,
            status: Status::Running,
            text: self.text.clone(),
            kind: self.kind,
            property: self.property.clone(),
            options: self.options.clone(),
            model: self.model.clone(),
            outcome: None,
            revealed: true,
            used: 0,
            checked: Checked::No,
        });
        let (text, property) = (self.text.to_string(), self.property.clone());
        let options = self.options.clone();
        vec![Effect::Send(ToEngine::Start { job, kind: self.kind, text, property, options, budget })]
    }

    pub(super) fn ask(&mut self, status: Status, message: impl Fn(Job) -> ToEngine) -> Vec<Effect> {
        match self.run.as_mut() {
            Some(run) if run.status == Status::Running => {
                run.status = status;
                vec![Effect::Send(message(run.job))]
            }
            _ => vec![],
        }
    }

    pub(super) fn stop(&mut self) -> Vec<Effect> {
        self.playing = false;
        self.wanted = None;
        let Some(run) = self.run.as_mut() else { return vec![] };
        if !matches!(run.status, Status::Running | Status::Pausing | Status::Paused(_)) {
            return vec![];
        }
        run.status = Status::Stopping;
        vec![Effect::Send(ToEngine::Cancel { job: run.job }), Effect::StopForCertain(run.job)]
    }

    pub(super) fn check(&mut self) -> Vec<Effect> {
        let job = self.next_job();
        let Some(run) = self.run.as_mut() else { return vec![] };
        let Some(proof) = run.outcome.as_ref().and_then(|o| o.certificate.as_ref()) else { return vec![] };
        run.checked = Checked::Asked(job);
        vec![Effect::Send(ToEngine::Certify {
            job,
            kind: run.kind,
            text: run.text.to_string(),
            property: run.property.clone(),
            certificate: proof.json.clone(),
        })]
    }
}
