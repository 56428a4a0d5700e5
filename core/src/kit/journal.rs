//! The journal: the append-only list of events of a run, with its payload interned by id.

use serde::{Deserialize, Serialize};

use crate::kit::{Event, PredicateId};
use crate::system::LocationId;

/// The label of a node: where it is and what is known there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Label {
    /// The location.
    pub location: LocationId,
    /// The tracked predicates whose truth is known, ascending.
    pub literals: Vec<(PredicateId, bool)>,
}

/// An edge of the system, for texts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EdgeName {
    /// Where it starts.
    pub source: LocationId,
    /// Where it ends.
    pub target: LocationId,
    /// Its operation.
    pub text: String,
}

/// The names of the system a journal is about.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Names {
    /// By location id.
    pub locations: Vec<String>,
    /// By edge id.
    pub edges: Vec<EdgeName>,
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

    /// A location's name.
    #[must_use]
    pub fn location(&self, id: LocationId) -> &str {
        self.names.locations.get(id.index()).map_or("?", String::as_str)
    }

    /// A label as text: `x <= 1, not (i <= 0)`, or `true`.
    #[must_use]
    pub fn literals(&self, label: &Label) -> String {
        if label.literals.is_empty() {
            return "true".to_owned();
        }
        let literal = |(p, positive): &(PredicateId, bool)| {
            let text = &self.predicates[p.index()];
            if *positive { text.clone() } else { format!("not ({text})") }
        };
        label.literals.iter().map(literal).collect::<Vec<_>>().join(", ")
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
