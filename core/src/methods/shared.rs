//! Common parts of the methods over one symbolic transition system: bounded model checking, k-induction, interpolation,
//! property-directed reachability; and of explicit search.

use std::sync::Arc;

use solver_lite::smtlib::{Asking, script};
use solver_lite::term::Term;
use solver_lite::{Limits, Refutation, interpolate, refute};

use crate::expr::Expr;
use crate::kit::{Answer, Event, FormulaId, IterationCounts, Question, Sink, UnknownReason, Verdict};
use crate::methods::outcome::{Outcome, done, give_up};
use crate::symbolic::{Context, Outline, Symbolic};
use crate::system::System;

/// The common state of these methods: the transition system, and the counts of the run.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) symbolic: Symbolic,
    /// `Init`, `Tran` and the bad states.
    pub(crate) init: Term,
    pub(crate) trans: Term,
    pub(crate) bad: Term,
    pub(crate) limits: Limits,
    pub(crate) iterations: Vec<IterationCounts>,
    formulas: u32,
}

/// The factor by which the limit of conflicts is greater here, where one hard query decides the run.
const PATIENCE: u64 = 20;

impl Shared {
    pub(crate) fn new(system: &Arc<System>, given: &[Expr], limits: Limits) -> Shared {
        Shared::over(Symbolic::new(system, given), limits)
    }

    /// Over a transition system.
    pub(crate) fn over(mut symbolic: Symbolic, limits: Limits) -> Shared {
        let [init, trans, bad] = symbolic.formulas();
        let limits = Limits { conflicts: limits.conflicts.saturating_mul(PATIENCE), ..limits };
        Shared { symbolic, init, trans, bad, limits, iterations: Vec::new(), formulas: 0 }
    }

    pub(crate) fn begin<S: Sink>(&mut self, sink: &mut S) {
        self.iterations.push(IterationCounts::default());
        let iteration = u32::try_from(self.iterations.len()).expect("fewer than 2^32 iterations");
        sink.event(Event::IterationStarted { iteration });
    }

    pub(crate) fn now(&mut self) -> &mut IterationCounts {
        if self.iterations.is_empty() {
            self.iterations.push(IterationCounts::default());
        }
        self.iterations.last_mut().expect("there is one")
    }

    /// Continues the counts of another method.
    pub(crate) fn after(&mut self, before: &Shared) {
        self.iterations.clone_from(&before.iterations);
        self.formulas = before.formulas;
    }

    /// The next id of a formula over states, with its text.
    pub(crate) fn formula<S: Sink>(&mut self, t: Term, sink: &mut S) -> FormulaId {
        let id = FormulaId(self.formulas);
        self.formulas += 1;
        sink.formula(id, || self.symbolic.text(t));
        id
    }

    /// Reports a query to the sink.
    pub(crate) fn report<S: Sink>(&self, what: &str, context: &Context, assumed: &[Term], sink: &mut S) {
        sink.question(|| {
            let all = context.assertions().iter().chain(assumed).filter(|t| **t != Term::TRUE);
            let all: Vec<(Option<&str>, Term)> = all.map(|t| (None, *t)).collect();
            Question {
                what: what.to_owned(),
                script: script(&self.symbolic.encoding.terms, &all, Asking::Check),
            }
        });
    }

    /// Reports a query for an interpolant of two formulas to the sink.
    pub(crate) fn report_interpolation<S: Sink>(&self, what: &str, [a, b]: [Term; 2], sink: &mut S) {
        sink.question(|| {
            let parts = [(Some("A"), a), (Some("B"), b)];
            Question {
                what: what.to_owned(),
                script: script(&self.symbolic.encoding.terms, &parts, Asking::Interpolants),
            }
        });
    }

    /// A sequence interpolant of formulas that contradict each other.
    pub(crate) fn interpolants(&mut self, formulas: &[Term]) -> Option<Vec<Term>> {
        self.now().queries += 1;
        let terms = self.symbolic.terms();
        match refute(terms, formulas, self.limits) {
            Refutation::Proof(proof) => Some(interpolate::sequence(terms, formulas, &proof)),
            _ => None,
        }
    }

    /// The invariant was found.
    pub(crate) fn holds<S: Sink>(&mut self, inductive: Term, sink: &mut S) -> Outcome {
        match self.symbolic.certificate(inductive) {
            Some(certificate) => done(Verdict::Holds, Some(certificate), sink),
            None => done(Verdict::Unknown(UnknownReason::TooLarge), None, sink),
        }
    }

    /// A run to a bad state was found.
    pub(crate) fn violated<S: Sink>(&mut self, run: &Outline, sink: &mut S) -> Outcome {
        match self.symbolic.run_along(run, self.limits) {
            Ok(certificate) => done(Verdict::Violated, Some(certificate), sink),
            Err(why) => give_up(why, sink),
        }
    }
}

/// A solver's answer as a value of an event.
pub(crate) fn answer(checked: &solver_lite::Answer) -> Answer {
    match checked {
        solver_lite::Answer::Sat(_) => Answer::Sat,
        solver_lite::Answer::Unsat => Answer::Unsat,
        solver_lite::Answer::Unknown(_) => Answer::Unknown,
    }
}

pub(crate) fn number(steps: usize) -> u32 {
    u32::try_from(steps).expect("fewer than 2^32 steps")
}
