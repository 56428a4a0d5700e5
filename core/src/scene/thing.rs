//! What the parts of pictures stand for.

use serde::{Deserialize, Serialize};

use crate::buchi::StateId;
use crate::chart;
use crate::kit::{CellId, NodeId, PredicateId};
use crate::system::{EdgeId, LocationId, VarId};

/// What a part of a picture stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Thing {
    /// A node of the reachability graph.
    Node(NodeId),
    /// A location of the model.
    Location(LocationId),
    /// An edge of the model.
    Edge(EdgeId),
    /// A predicate.
    Predicate(PredicateId),
    /// A cell of an abstract transition system.
    Cell(CellId),
    /// A state of a Büchi automaton.
    State(StateId),
    /// A variable.
    Variable(VarId),
    /// A clause of a refutation, by its number.
    Clause(u32),
    /// A marking of a reachability graph, by its number.
    Marking(u32),
    /// A state of a statechart.
    ChartState(chart::StateId),
}

impl Thing {
    /// Its name in attributes: a letter for its kind, and its number.
    #[must_use]
    pub fn token(self) -> String {
        let (kind, number) = match self {
            Thing::Node(id) => ('n', id.0),
            Thing::Location(id) => ('l', id.0),
            Thing::Edge(id) => ('e', id.0),
            Thing::Predicate(id) => ('p', id.0),
            Thing::Cell(id) => ('c', id.0),
            Thing::State(id) => ('q', id.0),
            Thing::Variable(id) => ('v', id.0),
            Thing::Clause(number) => ('k', number),
            Thing::Marking(number) => ('m', number),
            Thing::ChartState(id) => ('s', id.0),
        };
        format!("{kind}{number}")
    }
}
