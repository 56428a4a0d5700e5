//! The event of k-induction, besides those of bounded model checking for its base cases.

use serde::{Deserialize, Serialize};

use crate::kit::{self, Answer, Counted, Family, Journal, Problem, Reader, Role};

/// The phases, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// The induction step is checked.
    Induction,
}

impl Phase {
    /// All of them.
    pub const ALL: [Phase; 1] = [Phase::Induction];

    /// The name on screen.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Phase::Induction => "Induction",
        }
    }

    /// The role that all methods share.
    #[must_use]
    pub fn role(self) -> Role {
        match self {
            Phase::Induction => Role::Check,
        }
    }
}

/// One fact about k-induction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Event {
    /// Does a path of this number of steps lead from good states to a bad one?
    InductionChecked {
        /// The number of steps.
        steps: u32,
        /// Are all states required to differ?
        simple: bool,
        /// Unsat: no such path exists.
        answer: Answer,
    },
}

impl Event {
    /// The phase it belongs to.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match self {
            Event::InductionChecked { .. } => Phase::Induction,
        }
    }

    /// Does it refer only to what is there?
    pub(crate) fn check(&self, _: &mut Reader<'_>) -> Result<(), Problem> {
        match *self {
            Event::InductionChecked { .. } => Ok(()),
        }
    }
}

impl Family for Event {
    fn phase(&self) -> kit::Phase {
        kit::Phase::Induction(Event::phase(self))
    }

    fn asked(&self) -> u32 {
        match *self {
            Event::InductionChecked { .. } => 1,
        }
    }

    fn counted(&self) -> Option<Counted> {
        None
    }

    fn line(&self, _: &Journal) -> String {
        match *self {
            Event::InductionChecked { steps, simple, answer } => {
                let simple = if simple { ", states differ" } else { "" };
                format!("  induction over {steps}{simple}? {answer:?}")
            }
        }
    }
}
