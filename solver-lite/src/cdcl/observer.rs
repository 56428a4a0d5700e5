//! What an onlooker is told of a search. Nobody looks while verdicts are sought; one query can be run again with an
//! onlooker to show its inside.

use crate::cdcl::lit::Lit;

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// An assumption opened a level.
    Assumed(Lit),
    /// A decision opened a level.
    Decided(Lit),
    /// A clause had one literal left.
    Propagated(Lit, Vec<Lit>),
    /// The theory implies it.
    Implied(Lit),
    /// A clause is false, or the negations of a theory's contradiction are (`true`).
    Conflict(Vec<Lit>, bool),
    /// A conflict was resolved with the reason of a literal.
    Resolved { lit: Lit, reason: Vec<Lit>, resolvent: Vec<Lit> },
    /// A clause was learned; the search jumped back to this level.
    Learned(Vec<Lit>, usize),
    /// All decisions were taken back.
    Restarted,
}

/// An onlooker.
pub(crate) trait Observer {
    /// Does it look? Payload is made only then.
    const ON: bool;
    /// Something happened.
    fn see(&mut self, step: Step);

    #[inline]
    fn step(&mut self, step: impl FnOnce() -> Step) {
        if Self::ON {
            self.see(step());
        }
    }
}

/// Nobody.
pub(crate) struct Off;

impl Observer for Off {
    const ON: bool = false;

    fn see(&mut self, _: Step) {}
}
