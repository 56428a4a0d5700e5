//! The journal: the append-only list of events of a run, with its payload interned by id.

use serde::{Deserialize, Serialize};

use crate::kit::{Event, PredicateId};
use crate::system::{EdgeId, LocationId, VarId};

/// The label of a node: its location and abstract state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Label {
    /// The location.
    pub location: LocationId,
    /// The tracked variables whose value is known, ascending, with the value.
    pub values: Vec<(VarId, String)>,
    /// The tracked predicates whose truth is known, ascending.
    pub literals: Vec<(PredicateId, bool)>,
    /// The disjunction of these conjunctions holds, too (Boolean predicate abstraction); `true` if there are none.
    pub either: Vec<Vec<(PredicateId, bool)>>,
}

impl Label {
    /// Is the abstract state `true`?
    #[must_use]
    pub fn is_top(&self) -> bool {
        self.values.is_empty() && self.literals.is_empty() && self.either.is_empty()
    }

    /// The predicates in it, possibly repeated.
    pub fn predicates(&self) -> impl Iterator<Item = PredicateId> + '_ {
        self.literals.iter().chain(self.either.iter().flatten()).map(|(p, _)| *p)
    }
}

/// An edge of the system, for texts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EdgeName {
    /// Its source.
    pub source: LocationId,
    /// Its target.
    pub target: LocationId,
    /// Its operation.
    pub text: String,
    /// The edges inside if it is a large block.
    #[serde(default)]
    pub block: Vec<EdgeId>,
}

/// The names of the system a journal is about.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Names {
    /// By variable id.
    pub variables: Vec<String>,
    /// By location id.
    pub locations: Vec<String>,
    /// By edge id.
    pub edges: Vec<EdgeName>,
    /// The edges that slicing removes, or of which it removes assignments.
    #[serde(default)]
    pub sliced: Vec<EdgeId>,
    /// If the system is a product: the locations and edges of the model behind its own.
    #[serde(default)]
    pub origin: Option<Origin>,
    /// What reaching the error location means.
    #[serde(default)]
    pub goal: Goal,
    /// Are the states markings of a net?
    #[serde(default)]
    pub markings: bool,
    /// The program counters, which name a state of a model without named locations.
    #[serde(default)]
    pub counters: Vec<VarId>,
    /// Are the states those of a time net?
    #[serde(default)]
    pub timed: bool,
}

/// What reaching the error location of the explored system means for the property.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Goal {
    /// The error location of the model itself.
    #[default]
    Error,
    /// A state that violates a property of states.
    Violation,
    /// A state in which no step can be taken.
    Deadlock,
    /// A target state of a reachability property: a run to it is a witness.
    Wanted,
    /// A run that violates a temporal formula.
    Lasso,
}

/// The parts of a model behind the parts of a product.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Origin {
    /// By location of the product.
    pub locations: Vec<LocationId>,
    /// By edge of the product; none if the system does not move.
    pub edges: Vec<Option<EdgeId>>,
}

impl Names {
    /// An edge and, for a block, the edges inside; for a product the edge of the model.
    pub fn with_inner(&self, edge: EdgeId) -> Vec<EdgeId> {
        if let Some(origin) = &self.origin {
            return origin.edges.get(edge.index()).copied().flatten().into_iter().collect();
        }
        let inner = self.edges.get(edge.index()).map_or(&[][..], |e| &e.block);
        std::iter::once(edge).chain(inner.iter().copied()).collect()
    }

    /// The location of the model behind a location.
    #[must_use]
    pub fn place(&self, location: LocationId) -> LocationId {
        let origin = self.origin.as_ref().and_then(|o| o.locations.get(location.index()));
        origin.copied().unwrap_or(location)
    }
}

/// A recorded run. Every prefix of the events is a state of the run; the tables may run ahead of a prefix.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Journal {
    /// The system's names.
    pub names: Names,
    /// The facts, in order.
    pub events: Vec<Event>,
    /// The text of each predicate, by [`PredicateId`].
    pub predicates: Vec<String>,
    /// The label of each node, by [`crate::kit::NodeId`].
    pub states: Vec<Label>,
    /// The text of each formula, by [`crate::kit::FormulaId`].
    pub formulas: Vec<String>,
}

impl Journal {
    /// An empty journal about a system.
    #[must_use]
    pub fn new(names: Names) -> Journal {
        Journal { names, ..Journal::default() }
    }

    /// Does the run have a graph? Abstraction refinement and explicit search have one; `true` before the first event
    /// after the start of the first round, when the method is unknown.
    #[must_use]
    pub fn has_graph(&self) -> bool {
        !self.states.is_empty() || self.events.iter().all(|e| matches!(e, Event::IterationStarted { .. }))
    }

    /// The first event that belongs to a method.
    #[must_use]
    pub fn first_step(&self) -> Option<&Event> {
        self.events.iter().find(|event| !matches!(event, Event::IterationStarted { .. }))
    }

    /// A location's name.
    #[must_use]
    pub fn location(&self, id: LocationId) -> &str {
        self.names.locations.get(id.index()).map_or("?", String::as_str)
    }

    /// A variable's name.
    #[must_use]
    pub fn variable(&self, id: VarId) -> &str {
        self.names.variables.get(id.index()).map_or("?", String::as_str)
    }

    /// A literal as text: `x <= 1`, `not (i <= 0)`.
    #[must_use]
    pub fn literal(&self, (predicate, positive): (PredicateId, bool)) -> String {
        let text = self.predicates.get(predicate.index()).map_or("?", String::as_str);
        if positive { text.to_owned() } else { format!("not ({text})") }
    }

    /// The conjuncts of a label besides the location: `x = 1`, `not (i <= 0)`, `(a and b) or (not (a))`.
    #[must_use]
    pub fn facts(&self, label: &Label) -> Vec<String> {
        let value = |(v, value): &(VarId, String)| format!("{} = {value}", self.variable(*v));
        let mut facts: Vec<String> = label.values.iter().map(value).collect();
        facts.extend(label.literals.iter().map(|l| self.literal(*l)));
        if !label.either.is_empty() {
            let cube = |cube: &Vec<(PredicateId, bool)>| {
                let literals: Vec<String> = cube.iter().map(|l| self.literal(*l)).collect();
                format!("({})", literals.join(" and "))
            };
            facts.push(label.either.iter().map(cube).collect::<Vec<_>>().join(" or "));
        }
        facts
    }

    /// A label as text: `x <= 1, not (i <= 0)`, or `true`.
    #[must_use]
    pub fn label(&self, label: &Label) -> String {
        if label.is_top() { "true".to_owned() } else { self.facts(label).join(", ") }
    }

    /// A 32-bit hash (FNV-1a over the text form's event lines) of the first `length` events, for links.
    #[must_use]
    pub fn prefix_hash(&self, length: usize) -> u32 {
        let lines = self.events[..length.min(self.events.len())].iter().map(|event| self.event_line(event));
        fnv1a(lines.flat_map(String::into_bytes))
    }
}

/// The 32-bit hash of Fowler, Noll and Vo.
pub(crate) fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u32 {
    bytes.into_iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
