//! The events of the search for infinite runs: product with an automaton, accepting cycles, and their feasibility.

use serde::{Deserialize, Serialize};

use crate::buchi::emptiness::Colour;
use crate::kit::{self, Answer, Counted, Family, FormulaId, Journal, NodeId, Problem, Reader, Role};

/// The phases, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Steps of the automaton are checked.
    Product,
    /// Accepting cycles are searched.
    Search,
    /// A lasso is checked on the concrete system.
    Close,
    /// A ranking function shows that a cycle terminates.
    Rank,
}

impl Phase {
    /// All of them.
    pub const ALL: [Phase; 4] = [Phase::Product, Phase::Search, Phase::Close, Phase::Rank];

    /// The name on screen.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Phase::Product => "Product",
            Phase::Search => "Search",
            Phase::Close => "Close",
            Phase::Rank => "Rank",
        }
    }

    /// The role that all methods share.
    #[must_use]
    pub fn role(self) -> Role {
        match self {
            Phase::Product => Role::Abstract,
            Phase::Search => Role::Check,
            Phase::Close => Role::Concretize,
            Phase::Rank => Role::Interpolate,
        }
    }
}

/// One fact about the search for an infinite run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Event {
    /// A node changed its colour in the search for an accepting cycle.
    Coloured {
        /// The node.
        node: NodeId,
        /// Its colour from now on.
        colour: Colour,
    },
    /// Does the automaton have a step for some state of the node?
    LetterChecked {
        /// The node.
        node: NodeId,
        /// Unsat: it does not.
        answer: Answer,
    },
    /// An accepting lasso of abstract states was found.
    LassoFound {
        /// The position on it where the cycle begins, from 0.
        back: u32,
        /// The number of its steps.
        length: u32,
    },
    /// A node is on the lasso.
    LassoVisited {
        /// The position, from 0.
        position: u32,
        /// The node.
        node: NodeId,
    },
    /// Is there a run along the lasso whose state is the same at the beginning and at the end of the cycle?
    CycleChecked {
        /// Sat: there is.
        answer: Answer,
    },
    /// The lasso is one of a concrete run.
    LassoClosed {
        /// The number of its steps.
        length: u32,
    },
    /// An expression with a lower bound decreases along the cycle: no run repeats the cycle infinitely often.
    RankingFound {
        /// The expression where the cycle begins.
        formula: FormulaId,
    },
    /// With the run's choices, the cycle leads from each state of a set back into it.
    RecurrenceFound {
        /// The set, where the cycle begins.
        formula: FormulaId,
    },
}

impl Event {
    /// The phase it belongs to.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match self {
            Event::LetterChecked { .. } => Phase::Product,
            Event::Coloured { .. } | Event::LassoFound { .. } | Event::LassoVisited { .. } => Phase::Search,
            Event::CycleChecked { .. } | Event::LassoClosed { .. } | Event::RecurrenceFound { .. } => {
                Phase::Close
            }
            Event::RankingFound { .. } => Phase::Rank,
        }
    }

    /// The node it is about.
    #[must_use]
    pub fn node(&self) -> Option<NodeId> {
        match *self {
            Event::Coloured { node, .. }
            | Event::LetterChecked { node, .. }
            | Event::LassoVisited { node, .. } => Some(node),
            Event::LassoFound { .. } | Event::CycleChecked { .. } | Event::LassoClosed { .. } => None,
            Event::RankingFound { .. } | Event::RecurrenceFound { .. } => None,
        }
    }

    /// Does it refer only to what is there?
    pub(crate) fn check(&self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        match *self {
            Event::Coloured { node, .. }
            | Event::LetterChecked { node, .. }
            | Event::LassoVisited { node, .. } => reader.node(node),
            Event::LassoFound { .. } | Event::CycleChecked { .. } | Event::LassoClosed { .. } => Ok(()),
            Event::RankingFound { formula, .. } | Event::RecurrenceFound { formula, .. } => {
                reader.formula(formula)
            }
        }
    }
}

impl Family for Event {
    fn phase(&self) -> kit::Phase {
        kit::Phase::Lasso(Event::phase(self))
    }

    fn asked(&self) -> u32 {
        match *self {
            Event::LetterChecked { .. } | Event::CycleChecked { .. } => 1,
            Event::Coloured { .. }
            | Event::LassoFound { .. }
            | Event::LassoVisited { .. }
            | Event::LassoClosed { .. }
            | Event::RankingFound { .. }
            | Event::RecurrenceFound { .. } => 0,
        }
    }

    fn counted(&self) -> Option<Counted> {
        None
    }

    fn line(&self, journal: &Journal) -> String {
        match *self {
            Event::Coloured { node, colour } => format!("  {node} is {}", colour.name()),
            Event::LetterChecked { node, answer } => format!("  letter? {node}: {answer:?}"),
            Event::LassoFound { back, length } => format!("  lasso of {length} steps, back to {back}"),
            Event::LassoVisited { position, node } => format!("  lasso {position}: {node}"),
            Event::CycleChecked { answer } => format!("  same at both ends? {answer:?}"),
            Event::LassoClosed { length } => format!("  closed after {length} steps"),
            Event::RankingFound { formula: id } => format!("  decreases: {}", journal.formula(id)),
            Event::RecurrenceFound { formula: id } => format!("  kept: {}", journal.formula(id)),
        }
    }
}
