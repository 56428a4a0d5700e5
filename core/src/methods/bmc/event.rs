//! The event of bounded model checking.

use serde::{Deserialize, Serialize};

use crate::kit::{self, Answer, Counted, Family, Journal, Problem, Reader, Role};

/// The phases, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Runs of one length are searched for a violation.
    Unroll,
}

impl Phase {
    /// All of them.
    pub const ALL: [Phase; 1] = [Phase::Unroll];

    /// The name on screen.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Phase::Unroll => "Unroll",
        }
    }

    /// The role that all methods share.
    #[must_use]
    pub fn role(self) -> Role {
        match self {
            Phase::Unroll => Role::Check,
        }
    }
}

/// One fact about bounded model checking.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Event {
    /// Is a bad state reached after exactly this number of steps?
    BadChecked {
        /// The number of steps.
        steps: u32,
        /// Sat: it is.
        answer: Answer,
    },
}

impl Event {
    /// The phase it belongs to.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match self {
            Event::BadChecked { .. } => Phase::Unroll,
        }
    }

    /// Does it refer only to what is there?
    pub(crate) fn check(&self, _: &mut Reader<'_>) -> Result<(), Problem> {
        match *self {
            Event::BadChecked { .. } => Ok(()),
        }
    }
}

impl Family for Event {
    fn phase(&self) -> kit::Phase {
        kit::Phase::Bmc(Event::phase(self))
    }

    fn asked(&self) -> u32 {
        match *self {
            Event::BadChecked { .. } => 1,
        }
    }

    fn counted(&self) -> Option<Counted> {
        None
    }

    fn line(&self, _: &Journal) -> String {
        match *self {
            Event::BadChecked { steps, answer } => format!("  bad after {steps}? {answer:?}"),
        }
    }
}
