//! The events of all engines: facts in past tense, ids only, at most 20 bytes.
//!
//! Each method has a family of events of its own. This is their sum, with the two events that every run has.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use crate::kit::{Journal, NodeId, Phase, Verdict};
use crate::methods::{bmc, cegar, combined_approx, equation, explicit, imc, kind, lasso, pdr, split, under};
use crate::system::EdgeId;

/// A solver's answer to one query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// The solver returned unknown.
    Unknown,
}

/// The truth of a predicate in an abstract state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Truth {
    /// It holds in every state represented.
    True,
    /// It holds in no state represented.
    False,
    /// Neither is entailed.
    Unknown,
}

/// A parent and an edge from it, in eight bytes even when optional.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Arrival {
    /// The parent's id plus one, which is never zero.
    parent: NonZeroU32,
    edge: EdgeId,
}

impl Arrival {
    /// By this edge from this node.
    ///
    /// # Panics
    /// For node 2³² − 1.
    #[must_use]
    pub fn new((parent, edge): (NodeId, EdgeId)) -> Arrival {
        let parent = parent.0.checked_add(1).and_then(NonZeroU32::new).expect("fewer than 2^32 - 1 nodes");
        Arrival { parent, edge }
    }

    /// The node and the edge.
    #[must_use]
    pub fn pair(self) -> (NodeId, EdgeId) {
        (NodeId(self.parent.get() - 1), self.edge)
    }
}

/// The count of an iteration that an event increases by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counted {
    /// A node, a state, a cell or a proof obligation.
    Node,
    /// A node that is covered.
    Covered,
    /// A predicate of the precision, an image, a lemma or a split.
    Predicate,
    /// A variable of the precision.
    Variable,
}

/// The interface of a method's events to the journal. (Soundness is checked by `check` of each family, which pages do
/// not link.)
pub trait Family {
    /// The phase of the method that it belongs to.
    fn phase(&self) -> Phase;

    /// The number of queries of the event.
    fn asked(&self) -> u32;

    /// The count of its iteration that it increases.
    fn counted(&self) -> Option<Counted>;

    /// Its line in the text of the journal.
    fn line(&self, journal: &Journal) -> String;
}

/// One fact about a run. Ids refer to the tables of the journal and to the system.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Event {
    /// A round of the method began (numbered from 1).
    IterationStarted {
        /// Its number.
        iteration: u32,
    },
    /// Abstraction refinement.
    Cegar(cegar::Event),
    /// The search for infinite runs.
    Lasso(lasso::Event),
    /// Bounded model checking.
    Bmc(bmc::Event),
    /// k-induction.
    Induction(kind::Event),
    /// Interpolation-based model checking.
    Imc(imc::Event),
    /// Property-directed reachability.
    Pdr(pdr::Event),
    /// Refinement by splitting.
    Split(split::Event),
    /// Explicit search.
    Explicit(explicit::Event),
    /// The run ended.
    Decided {
        /// With this verdict.
        verdict: Verdict,
    },
    /// The state equation of a Petri net.
    Equation(equation::Event),
    /// Refinement of an under-approximation.
    Under(under::Event),
    /// Under- and over-approximation in turns.
    CombinedApprox(combined_approx::Event),
}

impl Event {
    /// The event as one of its method's family; none for the two events of every run.
    #[must_use]
    pub fn family(&self) -> Option<&dyn Family> {
        match self {
            Event::IterationStarted { .. } | Event::Decided { .. } => None,
            Event::Cegar(event) => Some(event),
            Event::Lasso(event) => Some(event),
            Event::Bmc(event) => Some(event),
            Event::Induction(event) => Some(event),
            Event::Imc(event) => Some(event),
            Event::Pdr(event) => Some(event),
            Event::Split(event) => Some(event),
            Event::Explicit(event) => Some(event),
            Event::Equation(event) => Some(event),
            Event::Under(event) => Some(event),
            Event::CombinedApprox(event) => Some(event),
        }
    }

    /// The phase this fact belongs to; `None` for the start of an iteration.
    #[must_use]
    pub fn phase(&self) -> Option<Phase> {
        match self {
            Event::IterationStarted { .. } => None,
            Event::Decided { .. } => Some(Phase::Decided),
            event => event.family().map(Family::phase),
        }
    }

    /// The number of queries of the event.
    #[must_use]
    pub fn asked(&self) -> u32 {
        self.family().map_or(0, Family::asked)
    }

    /// The count of its iteration that it increases.
    #[must_use]
    pub fn counted(&self) -> Option<Counted> {
        self.family().and_then(Family::counted)
    }

    /// Does the event have a query?
    #[must_use]
    pub fn was_asked(&self) -> bool {
        self.asked() > 0
    }
}

impl From<cegar::Event> for Event {
    fn from(event: cegar::Event) -> Event {
        Event::Cegar(event)
    }
}

impl From<lasso::Event> for Event {
    fn from(event: lasso::Event) -> Event {
        Event::Lasso(event)
    }
}

impl From<bmc::Event> for Event {
    fn from(event: bmc::Event) -> Event {
        Event::Bmc(event)
    }
}

impl From<kind::Event> for Event {
    fn from(event: kind::Event) -> Event {
        Event::Induction(event)
    }
}

impl From<imc::Event> for Event {
    fn from(event: imc::Event) -> Event {
        Event::Imc(event)
    }
}

impl From<pdr::Event> for Event {
    fn from(event: pdr::Event) -> Event {
        Event::Pdr(event)
    }
}

impl From<split::Event> for Event {
    fn from(event: split::Event) -> Event {
        Event::Split(event)
    }
}

impl From<explicit::Event> for Event {
    fn from(event: explicit::Event) -> Event {
        Event::Explicit(event)
    }
}

impl From<equation::Event> for Event {
    fn from(event: equation::Event) -> Event {
        Event::Equation(event)
    }
}

impl From<under::Event> for Event {
    fn from(event: under::Event) -> Event {
        Event::Under(event)
    }
}

impl From<combined_approx::Event> for Event {
    fn from(event: combined_approx::Event) -> Event {
        Event::CombinedApprox(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_stay_small() {
        assert!(size_of::<Event>() <= 20, "an event has {} bytes", size_of::<Event>());
    }
}
