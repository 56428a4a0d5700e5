//! A solver that is rebuilt from its assertions when an engine is copied.

use solver_lite::term::{Term, Terms};
use solver_lite::{Answer, Limits, Solver};

/// Permanent assertions, and a solver with them.
pub(crate) struct Context {
    solver: Option<Box<Solver>>,
    assertions: Vec<Term>,
    limits: Limits,
}

impl Clone for Context {
    fn clone(&self) -> Context {
        Context { solver: None, assertions: self.assertions.clone(), limits: self.limits }
    }
}

impl Context {
    /// Without assertions.
    pub(crate) fn new(limits: Limits) -> Context {
        Context { solver: None, assertions: Vec::new(), limits }
    }

    /// Adds an assertion.
    pub(crate) fn assert(&mut self, terms: &mut Terms, t: Term) {
        if let Some(solver) = &mut self.solver {
            solver.assert(terms, t);
        }
        self.assertions.push(t);
    }

    /// The permanent assertions.
    pub(crate) fn assertions(&self) -> &[Term] {
        &self.assertions
    }

    fn solver(&mut self, terms: &mut Terms) -> &mut Solver {
        let (limits, assertions) = (self.limits, &self.assertions);
        self.solver.get_or_insert_with(|| {
            let mut solver = Solver::new(limits);
            assertions.iter().for_each(|a| solver.assert(terms, *a));
            Box::new(solver)
        })
    }

    /// Are the assertions satisfiable together with these assumptions?
    pub(crate) fn check(&mut self, terms: &mut Terms, assumptions: &[Term]) -> Answer {
        self.solver(terms).check(terms, assumptions)
    }

    /// After *unsat*: the failed assumptions.
    pub(crate) fn failed(&mut self, terms: &mut Terms) -> Vec<Term> {
        self.solver.as_mut().map_or_else(Vec::new, |s| s.failed_assumptions(terms))
    }
}
