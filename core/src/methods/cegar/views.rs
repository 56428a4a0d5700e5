//! Views of abstraction refinement: its part of the graph, the counterexample, the precision.

mod cex;
mod precision;

pub use cex::{CexView, Feasibility, LassoView, StepView};
pub use precision::PrecisionView;

use crate::kit::{Answer, Journal};
use crate::methods::cegar::Event;
use crate::views::{ArgView, Status};

/// Draws an event in the graph.
pub(crate) fn draw(graph: &mut ArgView, event: Event, journal: &Journal) {
    match event {
        Event::NodeAdded { node, from } => graph.add(node, from, journal),
        Event::NodeSelected { node } => graph.set(node, Status::Current),
        Event::NodeCovered { node, by } => {
            graph.set(node, Status::Covered(by));
            graph.focus.push(by);
        }
        Event::NodeExpanded { node } => graph.set(node, Status::Expanded),
        Event::CexFound { node, .. } => graph.set(node, Status::Target),
        Event::NodeUncovered { node } => graph.set(node, Status::Open),
        Event::NodeReopened { node } => {
            graph.set(node, Status::Open);
            graph.nodes[node.index()].blocked.clear();
        }
        Event::EdgeChecked { node, edge, answer: Answer::Unsat }
        | Event::ValuesListed { node, edge, found: 0, complete: true }
        | Event::EdgeBlocked { node, edge } => {
            graph.nodes[node.index()].blocked.push(edge);
            graph.focus.push(node);
        }
        Event::Pruned { node } => {
            graph.prune(node);
            graph.focus.push(node);
        }
        Event::CoverChecked { node, by, .. } | Event::CexSkipped { node, by } => {
            graph.focus.extend([node, by])
        }
        Event::EdgeChecked { node, .. }
        | Event::ValuesListed { node, .. }
        | Event::CubesListed { node, .. }
        | Event::PredicateChecked { node, .. }
        | Event::CexChosen { node, .. }
        | Event::Interpolated { node, .. } => graph.focus.push(node),
        Event::StepEncoded { .. } | Event::PrefixChecked { .. } | Event::PathFeasible { .. } => {}
        Event::ValuationFound { .. } | Event::PathInfeasible { .. } | Event::SuffixChecked { .. } => {}
        Event::PathRefuted { .. } | Event::PruneCompared { .. } | Event::PrecisionGrew { .. } => {}
        Event::VariableTracked { .. } | Event::ChainGrew { .. } => {}
    }
}
