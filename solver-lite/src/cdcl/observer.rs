//! What an onlooker is told of a search. Nobody looks while verdicts are sought; one query can be run again with an
//! onlooker to show its inside.

use crate::arith::picture::Picture;
use crate::cdcl::Theory;
use crate::cdcl::lit::Lit;
use crate::number::Q;
use crate::term::Term;

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The search begins, or goes on, with this trail; the levels begin at these places.
    Began(Vec<Lit>, Vec<usize>),
    /// An assumption or a decision opened a level.
    Decided(Lit),
    /// A clause had one literal left.
    Propagated(Lit, Vec<Lit>),
    /// The theory was told a literal.
    Told(Lit),
    /// In the tableau the first column left the basis and the second one entered it.
    Pivoted(Term, Term),
    /// The theory implies it, because of these.
    Implied(Lit, Vec<Lit>),
    /// A clause is false, or the negations of a theory's contradiction are (`true`).
    Conflict(Vec<Lit>, bool),
    /// A conflict was resolved with the reason of a literal.
    Resolved { lit: Lit, reason: Vec<Lit>, resolvent: Vec<Lit> },
    /// A clause was learned; the search jumped back to this level.
    Learned(Vec<Lit>, usize),
    /// The values are no integers; one of these literals must hold.
    Demanded(Vec<Lit>),
    /// All decisions were taken back.
    Restarted,
    /// Everything has a value, and clauses and the theory agree; integers have still to be found.
    Consistent,
    /// The search ended with a model: these values of variables.
    Found(Vec<(Term, Q)>),
    /// A limit was reached.
    GaveUp,
    /// A contradiction without decisions, or of the assumptions.
    Refuted,
}

/// An onlooker.
pub(crate) trait Observer {
    /// Does it look? Payload is made only then.
    const ON: bool;
    /// Something happened.
    fn see(&mut self, step: Step);
    /// Has it seen enough?
    fn full(&self) -> bool;
    /// The arithmetic looks like this from now on; `None` where it is too large to draw.
    fn picture(&mut self, picture: impl FnOnce() -> Option<Picture<Lit>>);

    #[inline]
    fn step(&mut self, step: impl FnOnce() -> Step) {
        if Self::ON {
            self.see(step());
        }
    }

    #[inline]
    fn look(&mut self, theory: &mut impl Theory) {
        if Self::ON {
            self.picture(|| Some(theory.picture()));
        }
    }
}

/// Nobody.
pub(crate) struct Off;

impl Observer for Off {
    const ON: bool = false;

    fn see(&mut self, _: Step) {}

    fn full(&self) -> bool {
        false
    }

    fn picture(&mut self, _: impl FnOnce() -> Option<Picture<Lit>>) {}
}
