//! The part of under-approximation refinement in the graph: concrete states, and how they are matched.

use crate::kit::Journal;
use crate::methods::under::Event;
use crate::views::{ArgView, Status};

/// Draws an event in the graph.
pub(crate) fn draw(graph: &mut ArgView, event: Event, journal: &Journal) {
    let first = graph.nodes.len();
    match event {
        Event::StateStored { state, from } => graph.add(state, from, journal),
        Event::StateMatched { state, from, stored } => {
            graph.add(state, Some(from), journal);
            graph.set(state, Status::Matched(stored));
            graph.focus.push(stored);
        }
        Event::ErrorReached { state, from } => {
            graph.add(state, Some(from), journal);
            graph.set(state, Status::Reached);
        }
        Event::StateExpanded { state } => graph.set(state, Status::Expanded),
        Event::TransitionChecked { state, lost, .. } => {
            graph.nodes[state.index()].lost = lost;
            graph.focus.push(state);
            let parent = graph.nodes.get(state.index()).and_then(|node| node.from);
            graph.focus.extend(parent.map(|(parent, _)| parent));
        }
        Event::DisabledChecked { state, edge, .. } => {
            let node = &mut graph.nodes[state.index()];
            if !node.blocked.contains(&edge) {
                node.blocked.push(edge);
            }
            graph.focus.push(state);
        }
        Event::InputsChecked { state, .. } => graph.focus.push(state),
        Event::Forgotten { state } => graph.prune(state),
        Event::PredicateAdded { .. } | Event::SearchEnded { .. } => {}
    }
    for added in first..graph.nodes.len() {
        graph.nodes[added].searched = true;
    }
}
