//! The interface for incremental use: assertions in frames, checks under assumptions, cores.

use crate::proof::Proof;
use crate::refute::replay;
use crate::search::{Found, Incomplete, Limits, Model, Search};
use crate::term::{Term, Terms};

/// The answer to a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Satisfiable, with a model that was evaluated on every assertion.
    Sat(Model),
    /// Unsatisfiable.
    Unsat,
    /// Not decided.
    Unknown(Incomplete),
}

impl Answer {
    /// Is it `Unsat`?
    #[must_use]
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat)
    }
}

/// A stack of assertions with everything learned about them. Terms live outside, in a [`Terms`].
pub struct Solver {
    search: Search,
    /// Assertions of the outermost frame are permanent; those of inner frames are assumed in each check.
    assertions: Vec<Term>,
    permanent: usize,
    frames: Vec<usize>,
    limits: Limits,
    failed: Vec<Term>,
    /// Checks answered so far.
    checks: u64,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new(Limits::default())
    }
}

impl Solver {
    /// A solver without assertions.
    #[must_use]
    pub fn new(limits: Limits) -> Solver {
        Solver {
            search: Search::new(),
            assertions: Vec::new(),
            permanent: 0,
            frames: Vec::new(),
            limits,
            failed: Vec::new(),
            checks: 0,
        }
    }

    /// Adds an assertion to the current frame.
    ///
    /// # Panics
    /// If `t` is not Boolean.
    pub fn assert(&mut self, terms: &mut Terms, t: Term) {
        assert!(terms.sort(t) == crate::term::Sort::Bool, "only Boolean terms are asserted");
        if self.frames.is_empty() {
            self.search.assert(terms, t);
            self.permanent += 1;
        }
        self.assertions.push(t);
    }

    /// The assertions of all frames, oldest first.
    #[must_use]
    pub fn assertions(&self) -> &[Term] {
        &self.assertions
    }

    /// Opens a frame.
    pub fn push(&mut self) {
        self.frames.push(self.assertions.len());
    }

    /// Withdraws the assertions of the innermost frame; `false` when no frame is open.
    pub fn pop(&mut self) -> bool {
        let Some(length) = self.frames.pop() else { return false };
        self.assertions.truncate(length);
        true
    }

    /// The number of open frames.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Are the assertions together with `assumptions` satisfiable?
    ///
    /// # Panics
    /// If a model is wrong, which would be a defect of this crate.
    pub fn check(&mut self, terms: &mut Terms, assumptions: &[Term]) -> Answer {
        self.checks += 1;
        let (fixed, scoped) = self.assertions.split_at(self.permanent.min(self.assertions.len()));
        let assumed: Vec<Term> = scoped.iter().chain(assumptions).copied().collect();
        match self.search.solve(terms, fixed, &assumed, None, self.limits) {
            Found::Incomplete(why) => Answer::Unknown(why),
            Found::Unsat => {
                self.failed = self.search.failed(terms, &assumed).into_iter().map(|i| assumed[i]).collect();
                Answer::Unsat
            }
            Found::Model(model) => {
                let all: Vec<Term> = fixed.iter().chain(&assumed).copied().collect();
                for (t, value) in all.iter().zip(model.eval_all(terms, &all)) {
                    assert!(value.bool(), "the model does not satisfy {}", terms.smt(*t));
                }
                Answer::Sat(model)
            }
        }
    }

    /// After `Unsat`: scoped assertions and assumptions that, with the outermost frame, are contradictory.
    #[must_use]
    pub fn failed_assumptions(&self) -> &[Term] {
        &self.failed
    }

    /// After `Unsat`: a refutation of `assertions`, which are those of all frames and the assumptions of the
    /// last check, in any order.
    ///
    /// # Panics
    /// If they are not contradictory.
    pub fn refutation(&mut self, terms: &mut Terms, assertions: &[Term]) -> Proof {
        replay(terms, assertions, &mut self.search)
    }

    /// The number of checks so far.
    #[must_use]
    pub fn checks(&self) -> u64 {
        self.checks
    }
}
