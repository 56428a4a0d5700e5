//! Each event of the family, over the names of the example of all methods.

use crate::kit::{Arrival, FormulaId, NodeId};
use crate::methods::explicit::Event;
use crate::system::EdgeId;

/// The events, in an order in which they may occur.
pub(crate) fn events() -> Vec<Event> {
    let n = NodeId;
    let by = |node, edge| Arrival::new((n(node), EdgeId(edge)));
    vec![
        Event::StateReached { state: n(0), from: None },
        Event::StateReached { state: n(1), from: Some(by(0, 0)) },
        Event::StateExpanded { state: n(0) },
        Event::StateReached { state: n(2), from: Some(by(1, 1)) },
        Event::StateKnown { state: n(1), from: by(1, 1) },
        Event::StateReached { state: n(3), from: Some(by(2, 2)) },
        Event::StatesFound { states: 4 },
        Event::NetReduced { places: 2, transitions: 3, rules: 5 },
        Event::WalksEnded { steps: 40, found: true },
        Event::FiringsLeftOut { fired: 4, left_out: 3 },
        Event::ErrorReached { state: n(3) },
        Event::FormulaEvaluated { formula: FormulaId(0), states: 2, open: 0 },
    ]
}
