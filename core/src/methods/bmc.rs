//! Bounded model checking (Biere, Cimatti, Clarke and Zhu, "Symbolic Model Checking without BDDs", 1999): is a bad
//! state reached after exactly `k` steps, for `k = 0, 1, 2, …`?
//!
//! ```text
//! for k ← 0, 1, … until the bound
//!   Init(s₀) ∧ Tran(s₀, s₁) ∧ … ∧ Tran(sₖ₋₁, sₖ) ∧ Bad(sₖ) is satisfiable → violated
//! ```
//!
//! It finds shortest violations. It proves the property only if no run is longer than the current bound.

mod event;
#[cfg(test)]
pub(crate) mod example;
pub(crate) mod explain;
pub mod lasso;
pub(crate) mod scene;

pub use event::{Event, Phase};

use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::task::Poll;

use solver_lite::{Answer, Limits, Model};

use crate::kit::{Cx, Engine, Sink, UnknownReason, drive};
use crate::methods::Plan;
use crate::methods::options::MethodOption;
use crate::methods::outcome::{Next, Outcome, stop};
use crate::methods::shared::{Shared, answer, number};
use crate::methods::table::About;
use crate::symbolic::{Context, Outline, Unrolling};
use crate::system::System;

/// The description of the method.
pub const ABOUT: About = About {
    name: "bmc",
    what: "Bounded model checking: checks runs of 0, 1, 2, … steps and finds shortest violations.",
    states: true,
    runs: true,
    options: || {
        vec![MethodOption::text(
            "bound",
            "Bound",
            "Maximal number of steps; if empty, the search is unbounded.",
        )]
    },
    plan: |options| Some(Plan::Bmc(options.bound)),
};

/// Runs from the initial states, longer and longer.
#[derive(Clone)]
pub(crate) struct Runs {
    pub(crate) unrolling: Unrolling,
    context: Context,
    /// The number of asserted steps.
    steps: usize,
}

impl Runs {
    pub(crate) fn new(shared: &mut Shared) -> Runs {
        let mut runs =
            Runs { unrolling: Unrolling::default(), context: Context::new(shared.limits), steps: 0 };
        let init = runs.unrolling.at(&mut shared.symbolic, shared.init, 0);
        runs.context.assert(shared.symbolic.terms(), init);
        runs
    }

    /// One more step.
    pub(crate) fn extend(&mut self, shared: &mut Shared) {
        let step = self.unrolling.at(&mut shared.symbolic, shared.trans, self.steps);
        self.context.assert(shared.symbolic.terms(), step);
        self.steps += 1;
    }

    /// Can the last state be bad?
    pub(crate) fn ask<S: Sink>(&mut self, shared: &mut Shared, sink: &mut S) -> Answer {
        let bad = self.unrolling.at(&mut shared.symbolic, shared.bad, self.steps);
        shared.now().queries += 1;
        shared.report("Is a bad state reached after this number of steps?", &self.context, &[bad], sink);
        let checked = self.context.check(shared.symbolic.terms(), &[bad]);
        sink.event(Event::BadChecked { steps: number(self.steps), answer: answer(&checked) });
        checked
    }

    /// The run that a model describes.
    pub(crate) fn outline(&mut self, shared: &mut Shared, model: &Model) -> Option<Outline> {
        shared.symbolic.outline(&mut self.unrolling, self.steps, model)
    }
}

#[derive(Clone, Default)]
enum Stage {
    #[default]
    Ask,
    Extend,
}

/// The engine.
#[derive(Clone)]
pub struct Bmc {
    pub(crate) shared: Shared,
    runs: Runs,
    bound: Option<u32>,
    stage: Next<Stage>,
}

impl Bmc {
    /// A run on `system`, whose error location is the target, up to the bound if there is one.
    #[must_use]
    pub fn new(system: &Arc<System>, bound: Option<u32>, limits: Limits) -> Bmc {
        let mut shared = Shared::new(system, &[], limits);
        let runs = Runs::new(&mut shared);
        Bmc { shared, runs, bound, stage: Continue(Stage::Ask) }
    }

    fn ask<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        self.shared.begin(sink);
        match self.runs.ask(&mut self.shared, sink) {
            Answer::Sat(model) => {
                let run =
                    self.runs.outline(&mut self.shared, &model).expect("a model takes a way at each step");
                Break(Box::new(self.shared.violated(&run, sink)))
            }
            Answer::Unsat if self.bound.is_some_and(|b| self.runs.steps >= b as usize) => {
                stop(UnknownReason::Bound, sink)
            }
            Answer::Unsat => Continue(Stage::Extend),
            Answer::Unknown(_) => stop(UnknownReason::Solver, sink),
        }
    }
}

impl Engine for Bmc {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        drive(
            self,
            cx,
            |e| &mut e.stage,
            |e, stage, sink| match stage {
                Stage::Extend => {
                    e.runs.extend(&mut e.shared);
                    Continue(Stage::Ask)
                }
                Stage::Ask => e.ask(sink),
            },
        )
    }
}
