//! The events of explicit search.

use serde::{Deserialize, Serialize};

use crate::kit::{self, Arrival, Counted, Family, FormulaId, Journal, NodeId, Problem, Reader, Role};

/// The phases, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// States are enumerated.
    Explore,
    /// A state violates the property.
    Check,
}

impl Phase {
    /// All of them.
    pub const ALL: [Phase; 2] = [Phase::Explore, Phase::Check];

    /// The name on screen.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Phase::Explore => "Explore",
            Phase::Check => "Check",
        }
    }

    /// The role that all methods share.
    #[must_use]
    pub fn role(self) -> Role {
        match self {
            Phase::Explore => Role::Abstract,
            Phase::Check => Role::Check,
        }
    }
}

/// One fact about explicit search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Event {
    /// A concrete state was reached for the first time; its values are in the journal's `states`.
    StateReached {
        /// The state.
        state: NodeId,
        /// How it was reached; `None` if it is initial.
        from: Option<Arrival>,
    },
    /// An edge leads to a state that was reached before.
    StateKnown {
        /// That state.
        state: NodeId,
        /// The edge that leads to it.
        from: Arrival,
    },
    /// All states after this one were reached.
    StateExpanded {
        /// The state.
        state: NodeId,
    },
    /// The state is at the error location.
    ErrorReached {
        /// The state.
        state: NodeId,
    },
    /// So many states have been found; those after the first ones are not reported one by one.
    StatesFound {
        /// Their number.
        states: u32,
    },
    /// Stubborn sets left out firings of enabled transitions.
    FiringsLeftOut {
        /// The number of firings that were computed.
        fired: u32,
        /// The number of those that were left out.
        left_out: u32,
    },
    /// The net was replaced by a smaller one, with so many places and transitions.
    NetReduced {
        /// The number of its places.
        places: u32,
        /// The number of its transitions.
        transitions: u32,
        /// The number of reductions.
        rules: u32,
    },
    /// Walks towards a violation ended.
    WalksEnded {
        /// The number of their steps.
        steps: u32,
        /// One of them led to a violation.
        found: bool,
    },
    /// A formula of branching time was evaluated.
    FormulaEvaluated {
        /// The formula.
        formula: FormulaId,
        /// The number of states that certainly satisfy it.
        states: u32,
        /// The number of states whose successors are unknown, and not needed.
        open: u32,
    },
}

impl Event {
    /// The phase it belongs to.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match self {
            Event::StateReached { .. }
            | Event::StateKnown { .. }
            | Event::StateExpanded { .. }
            | Event::FiringsLeftOut { .. }
            | Event::WalksEnded { .. }
            | Event::NetReduced { .. }
            | Event::StatesFound { .. } => Phase::Explore,
            Event::ErrorReached { .. } | Event::FormulaEvaluated { .. } => Phase::Check,
        }
    }

    /// Does it refer only to what is there?
    pub(crate) fn check(&self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        match *self {
            Event::StateReached { state, from } => reader.added(state, from.map(Arrival::pair)),
            Event::StateKnown { state, from } => {
                let (node, edge) = from.pair();
                reader.node(state).and(reader.node(node)).and(reader.edge(edge))
            }
            Event::StateExpanded { state } | Event::ErrorReached { state } => reader.node(state),
            Event::StatesFound { .. } | Event::FiringsLeftOut { .. } => Ok(()),
            Event::WalksEnded { .. } | Event::NetReduced { .. } => Ok(()),
            Event::FormulaEvaluated { formula, .. } => reader.formula(formula),
        }
    }
}

impl Family for Event {
    fn phase(&self) -> kit::Phase {
        kit::Phase::Explicit(Event::phase(self))
    }

    fn asked(&self) -> u32 {
        match *self {
            Event::StateReached { .. }
            | Event::StateKnown { .. }
            | Event::StateExpanded { .. }
            | Event::ErrorReached { .. }
            | Event::StatesFound { .. }
            | Event::FiringsLeftOut { .. }
            | Event::WalksEnded { .. }
            | Event::NetReduced { .. }
            | Event::FormulaEvaluated { .. } => 0,
        }
    }

    fn counted(&self) -> Option<Counted> {
        match self {
            Event::StateReached { .. } => Some(Counted::Node),
            Event::StateKnown { .. } | Event::StateExpanded { .. } | Event::ErrorReached { .. } => None,
            Event::StatesFound { .. } | Event::FiringsLeftOut { .. } => None,
            Event::WalksEnded { .. } | Event::NetReduced { .. } | Event::FormulaEvaluated { .. } => None,
        }
    }

    fn line(&self, journal: &Journal) -> String {
        match *self {
            Event::StateReached { state, from } => journal.node_line(state, from),
            Event::StateKnown { state, from } => {
                let (from, edge) = from.pair();
                format!("  {from} leads to {state} again by {edge}")
            }
            Event::StateExpanded { state } => format!("  expanded {state}"),
            Event::ErrorReached { state } => format!("  error at {state}"),
            Event::StatesFound { states } => format!("  found {states} states"),
            Event::NetReduced { places, transitions, rules } => {
                format!("  reduced by {rules} rules to {places} places, {transitions} transitions")
            }
            Event::WalksEnded { steps, found } => {
                format!("  walked {steps} steps{}", if found { " to a violation" } else { "" })
            }
            Event::FiringsLeftOut { fired, left_out } => format!("  fired {fired}, left out {left_out}"),
            Event::FormulaEvaluated { formula, states, open } => {
                let open =
                    if open > 0 { format!(", with {open} states not expanded") } else { String::new() };
                format!("  {states} states satisfy {}{open}", journal.formula(formula))
            }
        }
    }
}
