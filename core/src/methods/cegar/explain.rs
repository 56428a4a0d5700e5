//! Explanations of abstraction refinement over a graph.

mod abstraction;
mod refinement;
mod refutation;
mod strategy;
mod verdict;

use crate::explain::{Context, Explanation};
use crate::kit::Arrival;
use crate::methods::cegar::Event;

pub(crate) use abstraction::iteration_started;
pub(crate) use verdict::decided;

/// Explains an event.
pub(crate) fn explain(cx: &Context<'_>, event: Event) -> Explanation {
    match event {
        Event::NodeSelected { node } => abstraction::node_selected(cx, node),
        Event::CoverChecked { node, by, answer } => abstraction::cover_checked(cx, node, by, answer),
        Event::NodeCovered { node, by } => abstraction::node_covered(cx, node, by),
        Event::EdgeChecked { node, edge, answer } => abstraction::edge_checked(cx, node, edge, answer),
        Event::PredicateChecked { node, edge, predicate, truth, .. } => {
            abstraction::predicate_checked(cx, node, edge, predicate, truth)
        }
        Event::NodeAdded { node, from } => abstraction::node_added(cx, node, from.map(Arrival::pair)),
        Event::EdgeBlocked { node, edge } => strategy::edge_blocked(cx, node, edge),
        Event::ValuesListed { node, edge, found, complete } => {
            strategy::values_listed(cx, node, edge, found, complete)
        }
        Event::CubesListed { node, edge, cubes, .. } => strategy::cubes_listed(cx, node, edge, cubes),
        Event::NodeExpanded { node } => abstraction::node_expanded(cx, node),
        Event::CexFound { node, length } => refinement::cex_found(cx, node, length),
        Event::CexChosen { node, length } => strategy::cex_chosen(cx, node, length),
        Event::StepEncoded { step, edge, formula } => refinement::step_encoded(cx, step, edge, formula),
        Event::PrefixChecked { steps, answer } => refinement::prefix_checked(cx, steps, answer),
        Event::PathFeasible { steps } => refinement::path_feasible(cx, steps),
        Event::ValuationFound { step, formula } => refinement::valuation_found(cx, step, formula),
        Event::PathInfeasible { steps } => refinement::path_infeasible(cx, steps),
        Event::SuffixChecked { from, answer } => refutation::suffix_checked(cx, from, answer),
        Event::PathRefuted { from, proof_steps } => refutation::path_refuted(cx, from, proof_steps),
        Event::Interpolated { cut, node, formula } => refinement::interpolated(cx, cut, node, formula),
        Event::PruneCompared { forward: f, backward: b, backwards } => {
            strategy::prune_compared(cx, f, b, backwards)
        }
        Event::CexSkipped { node, by } => strategy::cex_skipped(cx, node, by),
        Event::PrecisionGrew { predicate, location } => refinement::precision_grew(cx, predicate, location),
        Event::VariableTracked { variable, location } => strategy::variable_tracked(cx, variable, location),
        Event::ChainGrew { predicate, length } => strategy::chain_grew(cx, predicate, length),
        Event::Pruned { node } => verdict::pruned(cx, node),
        Event::NodeUncovered { node } => verdict::node_uncovered(cx, node),
        Event::NodeReopened { node } => verdict::node_reopened(cx, node),
    }
}
