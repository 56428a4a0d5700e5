//! The events of under-approximation refinement.

use serde::{Deserialize, Serialize};

use crate::kit::{
    self, Arrival, Counted, Family, FormulaId, Journal, NodeId, PredicateId, Problem, Reader, Renaming, Role,
};
use crate::system::EdgeId;

/// The phases, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Concrete transitions are executed, and their states matched.
    Search,
    /// Is the abstraction exact with respect to a transition?
    Check,
    /// Predicates are added.
    Refine,
}

impl Phase {
    /// All of them.
    pub const ALL: [Phase; 3] = [Phase::Search, Phase::Check, Phase::Refine];

    /// The name on screen.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Phase::Search => "Search",
            Phase::Check => "Check exactness",
            Phase::Refine => "Refine",
        }
    }

    /// The role that all methods share.
    #[must_use]
    pub fn role(self) -> Role {
        match self {
            Phase::Search => Role::Abstract,
            Phase::Check => Role::Check,
            Phase::Refine => Role::Refine,
        }
    }
}

/// One fact about under-approximation refinement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Event {
    /// The predicate belongs to the abstraction from now on.
    PredicateAdded {
        /// The predicate.
        predicate: PredicateId,
    },
    /// A concrete state was generated whose abstract state is new.
    StateStored {
        /// The state.
        state: NodeId,
        /// How it was reached; `None` if it is initial.
        from: Option<Arrival>,
    },
    /// A concrete state was generated whose abstract state was stored before, so it is not explored.
    StateMatched {
        /// The state.
        state: NodeId,
        /// How it was reached.
        from: Arrival,
        /// The state that was stored.
        stored: NodeId,
    },
    /// Is the abstraction exact with respect to the transition that leads to a state?
    TransitionChecked {
        /// The state.
        state: NodeId,
        /// The part of the weakest precondition that the abstract state does not imply; none if it is exact.
        lost: Option<FormulaId>,
        /// The number of queries.
        asked: u32,
    },
    /// Is a command disabled in all states of the abstract state, as it is in a state?
    DisabledChecked {
        /// The state.
        state: NodeId,
        /// The command.
        edge: EdgeId,
        /// The negated guard, if the abstract state does not imply it.
        lost: Option<FormulaId>,
        /// Was there a query?
        asked: bool,
    },
    /// Do inputs of a command lead from all states of the abstract state into the same abstract states?
    InputsChecked {
        /// The state.
        state: NodeId,
        /// The command.
        edge: EdgeId,
        /// The condition under which they do not, negated, if the abstract state does not imply it.
        lost: Option<FormulaId>,
    },
    /// All commands were tried in the state.
    StateExpanded {
        /// The state.
        state: NodeId,
    },
    /// A concrete run reaches the error.
    ErrorReached {
        /// The state at the error location.
        state: NodeId,
        /// The edge that leads there.
        from: Arrival,
    },
    /// No state is left to be explored.
    SearchEnded {
        /// The number of concrete states that were generated.
        generated: u32,
        /// The number of abstract states that were stored.
        stored: u32,
        /// The number of checks that found a loss of precision.
        inexact: u32,
        /// The number of new predicates.
        found: u32,
    },
    /// The states below an initial state are forgotten; the search begins again with more predicates.
    Forgotten {
        /// The initial state.
        state: NodeId,
    },
}

impl Event {
    /// The phase it belongs to.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match self {
            Event::StateStored { .. }
            | Event::StateMatched { .. }
            | Event::StateExpanded { .. }
            | Event::ErrorReached { .. }
            | Event::SearchEnded { .. } => Phase::Search,
            Event::TransitionChecked { .. } | Event::DisabledChecked { .. } | Event::InputsChecked { .. } => {
                Phase::Check
            }
            Event::PredicateAdded { .. } | Event::Forgotten { .. } => Phase::Refine,
        }
    }

    /// With the numbers of a shared journal.
    pub(crate) fn renamed(mut self, to: &Renaming) -> Event {
        match &mut self {
            Event::PredicateAdded { predicate } => *predicate = to.predicate(*predicate),
            Event::StateStored { state, from } => {
                *state = to.node(*state);
                *from = from.map(|from| to.arrival(from));
            }
            Event::StateMatched { state, from, stored } => {
                *state = to.node(*state);
                *from = to.arrival(*from);
                *stored = to.node(*stored);
            }
            Event::ErrorReached { state, from } => {
                *state = to.node(*state);
                *from = to.arrival(*from);
            }
            Event::TransitionChecked { state, lost, .. }
            | Event::DisabledChecked { state, lost, .. }
            | Event::InputsChecked { state, lost, .. } => {
                *state = to.node(*state);
                *lost = lost.map(|id| to.formula(id));
            }
            Event::StateExpanded { state } | Event::Forgotten { state } => *state = to.node(*state),
            Event::SearchEnded { .. } => {}
        }
        self
    }

    /// Does it refer only to what is there?
    pub(crate) fn check(&self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        let lost = |reader: &Reader<'_>, id: Option<FormulaId>| id.map_or(Ok(()), |id| reader.formula(id));
        match *self {
            Event::PredicateAdded { predicate } => reader.predicate(predicate),
            Event::StateStored { state, from } => reader.added(state, from.map(Arrival::pair)),
            Event::StateMatched { state, from, stored } => {
                reader.node(stored)?;
                reader.added(state, Some(from.pair()))
            }
            Event::ErrorReached { state, from } => reader.added(state, Some(from.pair())),
            Event::TransitionChecked { state, lost: id, .. } => reader.node(state).and(lost(reader, id)),
            Event::DisabledChecked { state, edge, lost: id, .. } => {
                reader.node(state).and(reader.edge(edge)).and(lost(reader, id))
            }
            Event::InputsChecked { state, edge, lost: id } => {
                reader.node(state).and(reader.edge(edge)).and(lost(reader, id))
            }
            Event::StateExpanded { state } | Event::Forgotten { state } => reader.node(state),
            Event::SearchEnded { .. } => Ok(()),
        }
    }
}

impl Family for Event {
    fn phase(&self) -> kit::Phase {
        kit::Phase::Under(Event::phase(self))
    }

    fn asked(&self) -> u32 {
        match *self {
            Event::TransitionChecked { asked, .. } => asked,
            Event::DisabledChecked { asked, .. } => u32::from(asked),
            Event::InputsChecked { .. } => 1,
            Event::PredicateAdded { .. }
            | Event::StateStored { .. }
            | Event::StateMatched { .. }
            | Event::StateExpanded { .. }
            | Event::ErrorReached { .. }
            | Event::SearchEnded { .. }
            | Event::Forgotten { .. } => 0,
        }
    }

    fn counted(&self) -> Option<Counted> {
        match self {
            Event::StateStored { .. } => Some(Counted::Node),
            Event::StateMatched { .. } => Some(Counted::Covered),
            Event::PredicateAdded { .. } => Some(Counted::Predicate),
            Event::TransitionChecked { .. }
            | Event::DisabledChecked { .. }
            | Event::InputsChecked { .. }
            | Event::StateExpanded { .. }
            | Event::ErrorReached { .. }
            | Event::SearchEnded { .. }
            | Event::Forgotten { .. } => None,
        }
    }

    fn line(&self, journal: &Journal) -> String {
        let lost = |id: Option<FormulaId>| match id {
            None => "exact".to_owned(),
            Some(id) => format!("inexact: {}", journal.formula(id)),
        };
        match *self {
            Event::PredicateAdded { predicate } => {
                format!("  predicate {}", journal.literal((predicate, true)))
            }
            Event::StateStored { state, from } => journal.node_line(state, from),
            Event::StateMatched { state, from, stored } => {
                format!("{}, matched with {stored}", journal.node_line(state, Some(from)))
            }
            Event::ErrorReached { state, from } => {
                format!("{}: an error", journal.node_line(state, Some(from)))
            }
            Event::TransitionChecked { state, lost: id, .. } => format!("  step to {state}: {}", lost(id)),
            Event::DisabledChecked { state, edge, lost: id, .. } => {
                format!("  {edge} disabled in {state}: {}", lost(id))
            }
            Event::InputsChecked { state, edge, lost: id } => {
                format!("  inputs of {edge} in {state}: {}", lost(id))
            }
            Event::StateExpanded { state } => format!("  expanded {state}"),
            Event::SearchEnded { generated, stored, inexact, found } => {
                format!(
                    "  searched: {generated} concrete states, {stored} stored, {inexact} inexact, {found} new predicates"
                )
            }
            Event::Forgotten { state } => format!("  forgot the states below {state}"),
        }
    }
}
