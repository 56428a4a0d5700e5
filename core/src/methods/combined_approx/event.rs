//! The events of under- and over-approximation in turns, besides those of the two engines.

use serde::{Deserialize, Serialize};

use crate::kit::{self, Counted, Family, Journal, PredicateId, Problem, Reader, Role, UnknownReason};

/// One of the two engines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Side {
    /// The search of an under-approximation.
    Under,
    /// Abstraction refinement, which explores an over-approximation.
    Over,
}

impl Side {
    /// The other engine.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::Under => Side::Over,
            Side::Over => Side::Under,
        }
    }

    /// Its name on screen.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Side::Under => "under-approximation",
            Side::Over => "over-approximation",
        }
    }
}

/// The phases.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// The turn of an engine begins, with the predicates of the other one.
    Share,
}

impl Phase {
    /// All of them.
    pub const ALL: [Phase; 1] = [Phase::Share];

    /// The name on screen.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Phase::Share => "Share",
        }
    }

    /// The role that all methods share.
    #[must_use]
    pub fn role(self) -> Role {
        match self {
            Phase::Share => Role::Refine,
        }
    }
}

/// One fact about the two engines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Event {
    /// The turn of an engine begins.
    TurnBegan {
        /// The engine.
        side: Side,
        /// The number of its turn, from 1.
        turn: u32,
        /// Does it continue an iteration that its last turn did not complete?
        resumed: bool,
    },
    /// A predicate that the other engine found is used by this one from now on.
    Shared {
        /// The predicate.
        predicate: PredicateId,
        /// The engine that uses it now.
        with: Side,
    },
    /// An engine has ended without a verdict.
    GaveUp {
        /// The engine.
        side: Side,
        /// Its reason.
        why: UnknownReason,
    },
}

impl Event {
    /// Does it refer only to what is there?
    pub(crate) fn check(&self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        match *self {
            Event::Shared { predicate, .. } => reader.predicate(predicate),
            Event::TurnBegan { .. } | Event::GaveUp { .. } => Ok(()),
        }
    }
}

impl Family for Event {
    fn phase(&self) -> kit::Phase {
        kit::Phase::CombinedApprox(Phase::Share)
    }

    fn asked(&self) -> u32 {
        0
    }

    fn counted(&self) -> Option<Counted> {
        match self {
            Event::Shared { .. } => Some(Counted::Predicate),
            Event::TurnBegan { .. } | Event::GaveUp { .. } => None,
        }
    }

    fn line(&self, journal: &Journal) -> String {
        match *self {
            Event::TurnBegan { side, turn, resumed } => {
                let goes_on = if resumed { ", resumed" } else { "" };
                format!("  {}, turn {turn}{goes_on}", side.name())
            }
            Event::Shared { predicate, with } => {
                format!("  predicate {} shared with the {}", journal.literal((predicate, true)), with.name())
            }
            Event::GaveUp { side, why } => format!("  the {} gave up: {why}", side.name()),
        }
    }
}
