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
pub(crate) mod steps;

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
use crate::net::timed::encoding::{Encoding, Logic};
use crate::symbolic::{Context, Outline, Unrolling};
use crate::system::System;

/// The description of the method.
pub const ABOUT: About = About {
    name: "bmc",
    what: "Bounded model checking: checks runs of 0, 1, 2, … steps and finds shortest violations.",
    states: true,
    runs: true,
    options: || {
        let bound = MethodOption::text(
            "bound",
            "Bound",
            "Maximal number of steps; if empty, the search is unbounded.",
        );
        let dl = ("dl", "differences of dates (difference logic)");
        let la = ("la", "ages and durations (linear arithmetic)");
        let encoding = vec![dl, la];
        let replace = vec![
            ("on", "a variable whose value does not change is the one before"),
            ("off", "each state has variables of its own"),
        ];
        let elapse = vec![
            ("exact", "time does not pass a moment at which a transition must fire"),
            ("paper", "it may, so that the formula has solutions that are no runs"),
        ];
        vec![
            bound,
            MethodOption::list("encoding", "Time of P-time nets", "dl", encoding),
            MethodOption::list("replace", "Replacing of variables", "on", replace),
            MethodOption::list("elapse", "Passing of time", "exact", elapse),
        ]
    },
    plan: |options| Some(Plan::Bmc(options.bmc)),
};

/// The options of bounded model checking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BmcOptions {
    /// The greatest number of steps.
    pub bound: Option<u32>,
    /// Of nets with delays of places: how steps are written.
    pub encoding: Encoding,
}

impl BmcOptions {
    /// The options by name that differ from the defaults.
    fn unusual(&self) -> Vec<(&'static str, String)> {
        let mut all = Vec::new();
        all.extend(self.bound.map(|bound| ("bound", bound.to_string())));
        let Encoding { logic, replace, exact } = self.encoding;
        all.extend((logic == Logic::Arithmetic).then(|| ("encoding", "la".to_owned())));
        all.extend((!replace).then(|| ("replace", "off".to_owned())));
        all.extend((!exact).then(|| ("elapse", "paper".to_owned())));
        all
    }

    /// In short, for people.
    pub(crate) fn short(&self) -> String {
        let unusual = self.unusual().into_iter().map(|(name, value)| format!(", {name} {value}"));
        format!("bmc{}", unusual.collect::<String>())
    }

    /// The options by name that differ from the defaults.
    pub(crate) fn choices(&self) -> Vec<(String, String)> {
        self.unusual().into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Sets an option.
    ///
    /// # Errors
    /// What is wrong with the value, in words.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let chosen = |is: &str, other: &str| match value {
            value if value == is => Ok(true),
            value if value == other => Ok(false),
            _ => Err(format!("{name}: '{value}' is neither {is} nor {other}")),
        };
        match name {
            "encoding" => {
                let is_difference = chosen("dl", "la")?;
                self.encoding.logic = if is_difference { Logic::Difference } else { Logic::Arithmetic };
            }
            "replace" => self.encoding.replace = chosen("on", "off")?,
            "elapse" => self.encoding.exact = chosen("exact", "paper")?,
            _ => {
                let bound = value.parse();
                self.bound = Some(bound.map_err(|_| format!("bound: '{value}' is not a number of steps"))?);
            }
        }
        Ok(())
    }
}

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
