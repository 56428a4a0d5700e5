//! The part of explicit search in the graph.

use crate::kit::Journal;
use crate::methods::explicit::Event;
use crate::views::{ArgView, Status};

/// Draws an event in the graph.
pub(crate) fn draw(graph: &mut ArgView, event: Event, journal: &Journal) {
    match event {
        Event::StateReached { state, from } => graph.add(state, from, journal),
        Event::StateKnown { state, from } => graph.focus.extend([state, from.pair().0]),
        Event::StateExpanded { state } => graph.set(state, Status::Expanded),
        Event::ErrorReached { state } => graph.set(state, Status::Target),
        Event::StatesFound { .. } | Event::FiringsLeftOut { .. } => {}
        Event::WalksEnded { .. } | Event::NetReduced { .. } | Event::FormulaEvaluated { .. } => {}
    }
}
