//! Each event of the family, over the names of the example of all methods.

use crate::kit::{Arrival, FormulaId, NodeId, PredicateId};
use crate::methods::under::Event;
use crate::system::EdgeId;

/// The events, in an order in which they may occur.
pub(crate) fn events() -> Vec<Event> {
    let n = NodeId;
    let by = |node, edge| Arrival::new((n(node), EdgeId(edge)));
    vec![
        Event::PredicateAdded { predicate: PredicateId(0) },
        Event::StateStored { state: n(0), from: None },
        Event::StateStored { state: n(1), from: Some(by(0, 0)) },
        Event::TransitionChecked { state: n(1), lost: None, asked: 0 },
        Event::StateExpanded { state: n(0) },
        Event::StateMatched { state: n(2), from: by(1, 1), stored: n(1) },
        Event::TransitionChecked { state: n(2), lost: Some(FormulaId(2)), asked: 1 },
        Event::DisabledChecked { state: n(1), edge: EdgeId(2), lost: None, asked: false },
        Event::DisabledChecked { state: n(1), edge: EdgeId(3), lost: Some(FormulaId(4)), asked: true },
        Event::InputsChecked { state: n(1), edge: EdgeId(1), lost: None },
        Event::InputsChecked { state: n(0), edge: EdgeId(0), lost: Some(FormulaId(5)) },
        Event::ErrorReached { state: n(3), from: by(1, 2) },
        Event::SearchEnded { generated: 3, stored: 2, inexact: 2, found: 1 },
        Event::Forgotten { state: n(0) },
    ]
}
