//! The text form of a journal, for golden tests and readers: a version line, then one line for each event.

use std::fmt::{self, Write as _};

use crate::kit::{Arrival, Event, FormulaId, Journal, NodeId, PredicateId};
use crate::system::{EdgeId, LocationId};

/// The first line of the text form. A change of the format changes the number.
pub const VERSION_LINE: &str = "veristep journal 1";

impl fmt::Display for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{VERSION_LINE}")?;
        self.events.iter().try_for_each(|event| writeln!(f, "{}", self.event_line(event)))
    }
}

impl Journal {
    /// One event as a line of text, ids resolved to names and formulas.
    #[must_use]
    pub fn event_line(&self, event: &Event) -> String {
        match event {
            Event::IterationStarted { iteration } => format!("iteration {iteration}"),
            Event::Decided { verdict } => format!("decided {verdict:?}"),
            event => event.family().map_or_else(String::new, |event| event.line(self)),
        }
    }

    /// The line of a node that is added.
    pub(crate) fn node_line(&self, node: NodeId, from: Option<Arrival>) -> String {
        let mut line = format!("  added {node}");
        if let Some(label) = self.states.get(node.index()) {
            let _ = write!(line, " at {}: {}", self.location(label.location), self.label(label));
        }
        if let Some((parent, edge)) = from.map(Arrival::pair) {
            let _ = write!(line, " from {parent} by {edge}");
        }
        line
    }

    /// The scope of an element of the precision, if not global.
    pub(crate) fn place(&self, location: Option<LocationId>) -> String {
        location.map(|l| format!(" at {}", self.location(l))).unwrap_or_default()
    }

    /// The text of an edge.
    pub(crate) fn edge(&self, id: EdgeId) -> &str {
        self.names.edges.get(id.index()).map_or("?", |edge| edge.text.as_str())
    }

    /// The text of a predicate.
    pub(crate) fn predicate(&self, id: PredicateId) -> &str {
        self.predicates.get(id.index()).map_or("?", String::as_str)
    }

    /// The text of a formula.
    pub(crate) fn formula(&self, id: FormulaId) -> &str {
        self.formulas.get(id.index()).map_or("?", String::as_str)
    }
}
