//! The observer of a search receives its steps. Verdicts are computed without one; a query can be run again with an
//! observer to show the search.

use crate::arith::snapshot::Snapshot;
use crate::cdcl::Theory;
use crate::cdcl::lit::Lit;
use crate::number::Q;
use crate::term::Term;

/// A step of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The search begins, or continues, with this trail; the levels begin at these positions.
    Began(Vec<Lit>, Vec<usize>),
    /// An assumption or a decision opened a level.
    Decided(Lit),
    /// A clause became unit.
    Propagated(Lit, Vec<Lit>),
    /// A literal was passed to the theory.
    Asserted(Lit),
    /// In the tableau the first column left the basis and the second one entered it.
    Pivoted(Term, Term),
    /// The theory propagated a literal, with its explanation.
    Implied(Lit, Vec<Lit>),
    /// A clause is false, or the negated literals of a theory conflict are (`true`).
    Conflict(Vec<Lit>, bool),
    /// A conflict was resolved with the reason of a literal.
    Resolved { lit: Lit, reason: Vec<Lit>, resolvent: Vec<Lit> },
    /// A clause was learned; the search jumped back to this level.
    Learned(Vec<Lit>, usize),
    /// The values are not integers; one of these literals must hold.
    Demanded(Vec<Lit>),
    /// All decisions were undone.
    Restarted,
    /// Every variable has a value, and clauses and theory are satisfied; integers have still to be found.
    Consistent,
    /// The search ended with a model: these values of variables.
    Found(Vec<(Term, Q)>),
    /// A limit was reached.
    GaveUp,
    /// A contradiction without decisions, or under the assumptions.
    Refuted,
}

/// Receives the steps of a search.
pub(crate) trait Observer {
    /// Is it active? Otherwise no payload is computed.
    const ON: bool;
    /// Receives a step.
    fn see(&mut self, step: Step);
    /// Has it received enough?
    fn full(&self) -> bool;
    /// Receives the new snapshot of the arithmetic; `None` where it is too large to draw.
    fn snapshot(&mut self, snapshot: impl FnOnce() -> Option<Snapshot<Lit>>);

    #[inline]
    fn step(&mut self, step: impl FnOnce() -> Step) {
        if Self::ON {
            self.see(step());
        }
    }

    #[inline]
    fn observe(&mut self, theory: &mut impl Theory) {
        if Self::ON {
            self.snapshot(|| Some(theory.snapshot()));
        }
    }
}

/// No observer.
pub(crate) struct Off;

impl Observer for Off {
    const ON: bool = false;

    fn see(&mut self, _: Step) {}

    fn full(&self) -> bool {
        false
    }

    fn snapshot(&mut self, _: impl FnOnce() -> Option<Snapshot<Lit>>) {}
}
