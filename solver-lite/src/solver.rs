//! The interface for incremental use: assertions in frames, checks under assumptions, cores.

use crate::proof::Proof;
use crate::reduce::{Reduced, reduce};
use crate::refute::replay;
use crate::search::{Found, Incomplete, Limits, Model, Search};
use crate::term::{Reachable, Term, Terms};

/// The answer to a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Satisfiable, with a model that was evaluated on every assertion.
    Sat(Model),
    /// Unsatisfiable.
    Unsat,
    /// Undecided.
    Unknown(Incomplete),
}

impl Answer {
    /// Is it `Unsat`?
    #[must_use]
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat)
    }
}

/// A stack of assertions with all learned clauses. Terms are stored outside, in a [`Terms`].
pub struct Solver {
    search: Search,
    /// Number of permanent assertions passed to the search.
    told: usize,
    /// Are refutations needed?
    proofs: bool,
    /// The last contradiction was found after elimination of variables, so the search does not have it.
    reduced: bool,
    /// Assertions of the outermost frame are permanent; those of inner frames are assumed in each check.
    assertions: Vec<Term>,
    permanent: usize,
    /// The sub-terms of this number of permanent assertions, on which every model is evaluated. They only grow.
    below: Option<(usize, Reachable)>,
    frames: Vec<usize>,
    limits: Limits,
    /// The assumptions of the last check, if it was contradictory.
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
            told: 0,
            proofs: false,
            reduced: false,
            assertions: Vec::new(),
            permanent: 0,
            below: None,
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
            self.permanent += 1;
        }
        self.assertions.push(t);
    }

    /// Sets whether refutations are needed. They are available in any case, but without this some work of the search is
    /// wasted.
    pub fn expect_proofs(&mut self, proofs: bool) {
        self.proofs = proofs;
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

    /// How many assertions are in the outermost frame.
    #[must_use]
    pub fn permanent(&self) -> usize {
        self.permanent
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
        self.reduced = false;
        let (fixed, scoped) = self.assertions.split_at(self.permanent);
        let assumed: Vec<Term> = scoped.iter().chain(assumptions).copied().collect();
        // Variables are eliminated for one query only; lemmas about the rest do not help the next one.
        let once = self.checks == 1 && assumed.is_empty() && !self.proofs;
        let found = match once.then(|| reduce(terms, fixed)).flatten() {
            Some(reduced) => self.solve_reduced(terms, &reduced),
            None => self.solve(terms, &assumed),
        };
        match found {
            Found::Incomplete(why) => Answer::Unknown(why),
            Found::Unsat => {
                self.failed = if self.reduced { Vec::new() } else { assumed };
                Answer::Unsat
            }
            Found::Model(model) => {
                self.confirm(terms, &model, &assumed);
                Answer::Sat(model)
            }
        }
    }

    /// Evaluates assertions and assumptions.
    fn confirm(&mut self, terms: &Terms, model: &Model, assumed: &[Term]) {
        let fixed = &self.assertions[..self.permanent];
        if self.below.as_ref().is_none_or(|(n, _)| *n != fixed.len()) {
            self.below = Some((fixed.len(), terms.reachable(fixed)));
        }
        let (_, below) = self.below.as_ref().expect("it was found");
        let values = [model.eval_below(terms, below, fixed), model.eval_all(terms, assumed)];
        for (t, value) in fixed.iter().chain(assumed).zip(values.into_iter().flatten()) {
            assert!(value.bool(), "the model does not satisfy {}", terms.smt(*t));
        }
    }

    fn solve(&mut self, terms: &mut Terms, assumed: &[Term]) -> Found {
        let fixed = &self.assertions[..self.permanent];
        for a in &fixed[self.told..] {
            self.search.assert(terms, *a);
        }
        self.told = fixed.len();
        self.search.solve(terms, fixed, assumed, None, self.limits)
    }

    fn solve_reduced(&mut self, terms: &mut Terms, reduced: &Reduced) -> Found {
        let mut search = Search::new();
        for a in &reduced.assertions {
            search.assert(terms, *a);
        }
        let mut found = search.solve(terms, &reduced.assertions, &[], None, self.limits);
        if let Found::Model(model) = &mut found {
            reduced.complete(terms, model);
        }
        self.reduced = matches!(found, Found::Unsat);
        found
    }

    /// After `Unsat`: scoped assertions and assumptions that, with the outermost frame, are contradictory.
    pub fn failed_assumptions(&mut self, terms: &mut Terms) -> Vec<Term> {
        let fixed = &self.assertions[..self.permanent];
        let failed = self.search.failed(terms, fixed, &self.failed, self.limits);
        failed.into_iter().map(|i| self.failed[i]).collect()
    }

    /// After `Unsat`: a refutation of `assertions`, which are those of all frames and the assumptions of the
    /// last check, in any order.
    ///
    /// # Errors
    /// If the proof exceeds the limits.
    ///
    /// # Panics
    /// If they are not contradictory.
    pub fn refutation(&mut self, terms: &mut Terms, assertions: &[Term]) -> Result<Proof, Incomplete> {
        if self.reduced {
            match self.solve(terms, &[]) {
                Found::Unsat => self.reduced = false,
                Found::Incomplete(why) => return Err(why),
                Found::Model(_) => panic!("elimination of variables changed the answer"),
            }
        }
        replay(terms, assertions, &self.search, self.limits)
    }

    /// The number of checks so far.
    #[must_use]
    pub fn checks(&self) -> u64 {
        self.checks
    }
}
