//! The events of property-directed reachability.

use serde::{Deserialize, Serialize};

use crate::kit::{self, Answer, Counted, Family, FormulaId, Journal, Problem, Reader, Role};

/// The phases, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// A frame is opened.
    Frame,
    /// Does the frame contain a bad state?
    Check,
    /// Predecessors of bad states become proof obligations.
    Block,
    /// Lemmas exclude them, and are pushed to later frames.
    Learn,
}

impl Phase {
    /// All of them.
    pub const ALL: [Phase; 4] = [Phase::Frame, Phase::Check, Phase::Block, Phase::Learn];

    /// The name on screen.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Phase::Frame => "Frame",
            Phase::Check => "Check",
            Phase::Block => "Block",
            Phase::Learn => "Learn",
        }
    }

    /// The role that all methods share.
    #[must_use]
    pub fn role(self) -> Role {
        match self {
            Phase::Frame => Role::Abstract,
            Phase::Check => Role::Check,
            Phase::Block => Role::Concretize,
            Phase::Learn => Role::Refine,
        }
    }
}

/// One fact about property-directed reachability.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Event {
    /// A new frame, of all states.
    FrameOpened {
        /// Its number of steps.
        frame: u32,
    },
    /// Is a state of the frame bad?
    FrameChecked {
        /// The frame.
        frame: u32,
        /// Sat: one is.
        answer: Answer,
    },
    /// States that lead to a bad one, to be shown unreachable in a number of steps.
    ObligationRaised {
        /// The number of steps.
        frame: u32,
        /// The cube of states.
        formula: FormulaId,
    },
    /// A lemma holds in this frame and those before.
    LemmaLearned {
        /// The frame.
        frame: u32,
        /// The lemma.
        formula: FormulaId,
    },
    /// Lemmas of a frame that still hold after a step were pushed to the next one.
    LemmasPushed {
        /// The frame.
        frame: u32,
        /// How many could not be pushed.
        left: u32,
    },
}

impl Event {
    /// The phase it belongs to.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match self {
            Event::FrameOpened { .. } => Phase::Frame,
            Event::FrameChecked { .. } => Phase::Check,
            Event::ObligationRaised { .. } => Phase::Block,
            Event::LemmaLearned { .. } | Event::LemmasPushed { .. } => Phase::Learn,
        }
    }

    /// Does it refer only to what is there?
    pub(crate) fn check(&self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        match *self {
            Event::FrameOpened { .. } | Event::FrameChecked { .. } | Event::LemmasPushed { .. } => Ok(()),
            Event::ObligationRaised { formula, .. } | Event::LemmaLearned { formula, .. } => {
                reader.formula(formula)
            }
        }
    }
}

impl Family for Event {
    fn phase(&self) -> kit::Phase {
        kit::Phase::Pdr(Event::phase(self))
    }

    fn asked(&self) -> u32 {
        match *self {
            Event::FrameChecked { .. } => 1,
            Event::FrameOpened { .. }
            | Event::ObligationRaised { .. }
            | Event::LemmaLearned { .. }
            | Event::LemmasPushed { .. } => 0,
        }
    }

    fn counted(&self) -> Option<Counted> {
        match self {
            Event::ObligationRaised { .. } => Some(Counted::Node),
            Event::LemmaLearned { .. } => Some(Counted::Predicate),
            Event::FrameOpened { .. } | Event::FrameChecked { .. } | Event::LemmasPushed { .. } => None,
        }
    }

    fn line(&self, journal: &Journal) -> String {
        match *self {
            Event::FrameOpened { frame } => format!("  frame {frame}"),
            Event::FrameChecked { frame, answer } => format!("  bad in frame {frame}? {answer:?}"),
            Event::ObligationRaised { frame, formula: id } => {
                format!("  to block at {frame}: {}", journal.formula(id))
            }
            Event::LemmaLearned { frame, formula: id } => {
                format!("  lemma of {frame}: {}", journal.formula(id))
            }
            Event::LemmasPushed { frame, left } => format!("  pushed from {frame}, {left} left"),
        }
    }
}
