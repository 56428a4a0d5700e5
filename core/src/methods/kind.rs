//! k-induction (Sheeran, Singh and Stålmarck, "Checking Safety Properties Using Induction and a SAT-Solver", 2000):
//!
//! ```text
//! for k ← 0, 1, 2, …
//!   base: a bad state is reached after exactly k steps → violated
//!   step: Tran(s₀, s₁) ∧ … ∧ Tran(sₖ, sₖ₊₁) with no bad state before Bad(sₖ₊₁) is unsatisfiable → holds
//!         the same with states that all differ is unsatisfiable → no run without repetition is longer: holds
//! ```
//!
//! The certificate is an ordinary inductive invariant, computed from interpolants: those of the step, `Jⱼ` over a state
//! that is reached after `j` steps from any state, and those of the base cases, `Xᵈⱼ` over the state after `j` of `d`
//! steps. States after at least `k + 1` steps satisfy all `Jⱼ`, states after `m` steps satisfy `Xᵈₘ` for all `d ≥ m`
//! and `J₁ … Jₘ`, and each of these sets leads into the next one.

mod event;
#[cfg(test)]
pub(crate) mod example;
pub(crate) mod explain;
pub(crate) mod scene;
pub use event::{Event, Phase};

use std::sync::Arc;
use std::task::Poll;

use solver_lite::term::{Sort, Term};
use solver_lite::{Answer, Limits};

use crate::kit::{Cx, Engine, Sink, UnknownReason};
use crate::methods::Plan;
use crate::methods::bmc::Runs;
use crate::methods::outcome::{Outcome, give_up};
use crate::methods::pdr::Pdr;
use crate::methods::shared::{Shared, answer, number};
use crate::methods::table::About;
use crate::symbolic::{Context, Unrolling};
use crate::system::System;

/// The description of the method.
pub const ABOUT: About = About {
    name: "kind",
    what: "k-induction: proves that k consecutive good states are always followed by a good one.",
    states: true,
    runs: false,
    options: Vec::new,
    plan: |_| Some(Plan::KInduction),
};

#[derive(Clone)]
enum Stage {
    Base,
    Step,
    /// The step again, with states that all differ.
    Simple,
    /// Runs without repetition are short, so the property holds; another method computes the invariant.
    Prove(Box<Pdr>),
    Done(Box<Outcome>),
}

/// The engine.
#[derive(Clone)]
pub struct KInduction {
    system: Arc<System>,
    limits: Limits,
    pub(crate) shared: Shared,
    runs: Runs,
    unrolling: Unrolling,
    step: Context,
    /// All states of the step differ.
    distinct: Vec<Term>,
    /// No state before the last one is bad; `None` if this formula would need a quantifier.
    good: Option<Term>,
    k: usize,
    stage: Stage,
}

impl KInduction {
    /// A run on `system`, whose error location is the target.
    #[must_use]
    pub fn new(system: &Arc<System>, limits: Limits) -> KInduction {
        let mut shared = Shared::new(system, &[], limits);
        let runs = Runs::new(&mut shared);
        let (bad, current) = (shared.bad, shared.symbolic.current.clone());
        let plain = shared.symbolic.terms().vars(bad).iter().all(|v| current.contains(v));
        let good = plain.then(|| shared.symbolic.terms().not(bad));
        KInduction {
            system: Arc::clone(system),
            limits,
            step: Context::new(shared.limits),
            shared,
            runs,
            unrolling: Unrolling::default(),
            distinct: Vec::new(),
            good,
            k: 0,
            stage: Stage::Base,
        }
    }

    fn base<S: Sink>(&mut self, sink: &mut S) -> Stage {
        self.shared.begin(sink);
        match self.runs.ask(&mut self.shared, sink) {
            Answer::Sat(model) => {
                let run =
                    self.runs.outline(&mut self.shared, &model).expect("a model takes a way at each step");
                Stage::Done(Box::new(self.shared.violated(&run, sink)))
            }
            Answer::Unsat => Stage::Step,
            Answer::Unknown(_) => Stage::Done(Box::new(give_up(UnknownReason::Solver, sink))),
        }
    }

    /// For states `0 … k + 1` of the step: state `i` is good, and leads to the next one.
    fn link(&mut self, i: usize) -> Term {
        let step = self.unrolling.at(&mut self.shared.symbolic, self.shared.trans, i);
        let good = self.good.unwrap_or(Term::TRUE);
        let good = self.unrolling.at(&mut self.shared.symbolic, good, i);
        self.shared.symbolic.terms().and([step, good])
    }

    fn step<S: Sink>(&mut self, simple: bool, sink: &mut S) -> Stage {
        if !simple {
            let link = self.link(self.k);
            self.step.assert(self.shared.symbolic.terms(), link);
            self.differ();
        }
        let bad = self.unrolling.at(&mut self.shared.symbolic, self.shared.bad, self.k + 1);
        let mut assumed = vec![bad];
        if simple {
            assumed.extend(&self.distinct);
        }
        self.shared.now().queries += 1;
        self.shared.report("Can a bad state follow good states?", &self.step, &assumed, sink);
        let checked = self.step.check(self.shared.symbolic.terms(), &assumed);
        sink.event(Event::InductionChecked { steps: number(self.k + 1), simple, answer: answer(&checked) });
        match (checked, simple) {
            (Answer::Unsat, false) => match self.invariant() {
                Some(inductive) => Stage::Done(Box::new(self.shared.holds(inductive, sink))),
                None => Stage::Done(Box::new(give_up(UnknownReason::Interpolation, sink))),
            },
            (Answer::Unsat, true) => {
                let pdr = Pdr::new(&self.system, self.limits).after(&self.shared);
                Stage::Prove(Box::new(pdr))
            }
            // Over reals and unbounded integers, runs without repetition may be infinite.
            (_, false) if self.shared.symbolic.finite => Stage::Simple,
            _ => {
                self.k += 1;
                self.runs.extend(&mut self.shared);
                Stage::Base
            }
        }
    }

    /// The newest state differs from all before.
    fn differ(&mut self) {
        let last = self.unrolling.state(&mut self.shared.symbolic, self.k + 1);
        for i in 0..=self.k {
            let other = self.unrolling.state(&mut self.shared.symbolic, i);
            let terms = self.shared.symbolic.terms();
            let differs = |(a, b): (&Term, &Term)| {
                let same = if terms.sort(*a) == Sort::Bool { terms.iff(*a, *b) } else { terms.eq(*a, *b) };
                terms.not(same)
            };
            let any: Vec<Term> = last.iter().zip(&other).map(differs).collect();
            let any = self.shared.symbolic.terms().or(any);
            self.distinct.push(any);
        }
    }

    /// The inductive invariant; see above.
    fn invariant(&mut self) -> Option<Term> {
        let k = self.k + 1;
        let mut formulas: Vec<Term> = (0..k).map(|i| self.link(i)).collect();
        formulas.push(self.unrolling.at(&mut self.shared.symbolic, self.shared.bad, k));
        let sequence = self.shared.interpolants(&formulas)?;
        // J₁ … Jₖ over current values.
        let mut later = Vec::with_capacity(k);
        for (j, formula) in sequence.iter().enumerate().take(k + 1).skip(1) {
            later.push(self.unrolling.over_current(&mut self.shared.symbolic, *formula, j));
        }
        let good = self.good.unwrap_or(Term::TRUE);
        let mut sets = Vec::new();
        // For each m < k the formulas that hold after m steps.
        let mut after: Vec<Vec<Term>> = (0..k).map(|m| later[..m].to_vec()).collect();
        for d in 0..k {
            let mut formulas = vec![self.unrolling.at(&mut self.shared.symbolic, self.shared.init, 0)];
            for i in 0..d {
                formulas.push(self.unrolling.at(&mut self.shared.symbolic, self.shared.trans, i));
            }
            formulas.push(self.unrolling.at(&mut self.shared.symbolic, self.shared.bad, d));
            let sequence = self.shared.interpolants(&formulas)?;
            for m in 0..=d {
                let x = self.unrolling.over_current(&mut self.shared.symbolic, sequence[m + 1], m);
                after[m].push(x);
            }
        }
        for mut parts in after {
            parts.push(good);
            sets.push(self.shared.symbolic.terms().and(parts));
        }
        later.push(good);
        let always = self.shared.symbolic.terms().and(later);
        sets.push(always);
        Some(self.shared.symbolic.terms().or(sets))
    }
}

impl Engine for KInduction {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        loop {
            match &mut self.stage {
                Stage::Done(outcome) => return Poll::Ready((**outcome).clone()),
                Stage::Prove(pdr) => {
                    let Poll::Ready(outcome) = pdr.poll(cx) else { return Poll::Pending };
                    self.shared.after(&pdr.shared);
                    self.stage = Stage::Done(Box::new(outcome));
                    continue;
                }
                _ => {}
            }
            if !cx.fuel.spend() {
                return Poll::Pending;
            }
            self.stage = match self.stage {
                Stage::Base => self.base(cx.sink),
                Stage::Step => self.step(false, cx.sink),
                _ => self.step(true, cx.sink),
            };
        }
    }
}
