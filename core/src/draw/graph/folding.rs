//! Which part of a large graph is drawn: at most as many nodes as can be read.
//!
//! The nodes of the step, the selection, the counterexample and their ancestors come first, and then the nodes nearest
//! to them, so that nothing is ever blank. Below the others the tree is folded. Where only some nodes are kept, the
//! others are folded unless they are above those that are drawn.

use std::collections::VecDeque;

use crate::kit::NodeId;
use crate::views::ArgView;

/// The maximal number of drawn ancestors of a node.
const ANCESTORS: usize = 60;

/// The drawn part of a graph.
pub(super) struct Shown {
    /// The nodes that are drawn, in ascending order.
    pub(super) ids: Vec<NodeId>,
    /// By node, how many below it are folded; 0 for nodes that are not drawn.
    pub(super) below: Vec<usize>,
}

/// Chooses the nodes that are drawn among those that are `present`: the centres, what is above them, and around them
/// until there are `most`. If only some are `kept`, of those and what is above them.
pub(super) fn shown(
    graph: &ArgView,
    present: &[bool],
    (centres, path): (&[NodeId], &[bool]),
    (kept, most): (Option<Vec<bool>>, usize),
) -> Shown {
    let unfolded = kept.map(|kept| with_ancestors(graph, present, (centres, path), &kept));
    let candidates = unfolded.as_deref().unwrap_or(present);
    let drawn = if candidates.iter().filter(|p| **p).count() <= most {
        candidates.to_vec()
    } else {
        around(graph, candidates, (centres, path), most)
    };
    let mut below = vec![0; present.len()];
    for node in (0..present.len()).rev().filter(|node| !drawn[*node]) {
        let hidden = std::mem::take(&mut below[node]) + usize::from(present[node]);
        if let Some((parent, _)) = graph.nodes[node].from {
            below[parent.index()] += hidden;
        }
    }
    let ids = (0..drawn.len()).filter(|node| drawn[*node]).map(NodeId::new).collect();
    Shown { ids, below }
}

/// The kept nodes, the centres, the end of the counterexample, and what is above them.
fn with_ancestors(
    graph: &ArgView,
    present: &[bool],
    (centres, path): (&[NodeId], &[bool]),
    kept: &[bool],
) -> Vec<bool> {
    let mut unfolded: Vec<bool> = present.iter().zip(kept).map(|(present, kept)| *present && *kept).collect();
    let end = path.iter().rposition(|on| *on);
    for node in centres.iter().map(|n| n.index()).chain(end).chain(Some(0)) {
        if present.get(node) == Some(&true) {
            unfolded[node] = true;
        }
    }
    // Parents come first.
    for node in (0..unfolded.len()).rev().filter(|node| present[*node]) {
        if unfolded[node]
            && let Some((parent, _)) = graph.nodes[node].from
        {
            unfolded[parent.index()] = present[parent.index()];
        }
    }
    unfolded
}

fn around(
    graph: &ArgView,
    present: &[bool],
    (centres, path): (&[NodeId], &[bool]),
    most: usize,
) -> Vec<bool> {
    let mut drawn = vec![false; present.len()];
    let mut queue = VecDeque::new();
    let mut draw = |node: usize, queue: &mut VecDeque<usize>| {
        let new = present[node] && !std::mem::replace(&mut drawn[node], true);
        if new {
            queue.push_back(node);
        }
        usize::from(new)
    };
    // The centres, the end of the counterexample and the newest node, each with its ancestors.
    let end = path.iter().rposition(|on| *on);
    let newest = present.iter().rposition(|p| *p);
    let mut number = 0;
    for node in centres.iter().map(|n| n.index()).chain(end).chain(newest).filter(|n| *n < present.len()) {
        number += ancestors(graph, node)
            .take(ANCESTORS.min(most))
            .map(|above| draw(above, &mut queue))
            .sum::<usize>();
    }
    // The nodes around them, the nearest first.
    while let Some(node) = queue.pop_front().filter(|_| number < most) {
        let parent = graph.nodes[node].from.map(|(parent, _)| parent.index());
        let next = parent.into_iter().chain(graph.nodes[node].children.iter().map(|c| c.index()));
        number += next.map(|next| draw(next, &mut queue)).sum::<usize>();
    }
    drawn
}

/// A node and its ancestors, upwards.
fn ancestors(graph: &ArgView, node: usize) -> impl Iterator<Item = usize> {
    let above = |node: &usize| graph.nodes.get(*node)?.from.map(|(parent, _)| parent.index());
    std::iter::successors(Some(node), above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::{Arrival, Event, Journal, Label, Names, View};
    use crate::methods::cegar;
    use crate::system::{EdgeId, LocationId};

    /// A root with three chains of four nodes.
    fn graph() -> ArgView {
        let mut journal = Journal::new(Names::default());
        let mut graph = ArgView::default();
        for number in 0..13_u32 {
            let label =
                Label { location: LocationId(number % 4), values: vec![], literals: vec![], either: vec![] };
            journal.states.push(label);
            let parent = match number {
                0 => None,
                1 | 5 | 9 => Some(0),
                _ => Some(number - 1),
            };
            let from = parent.map(|parent| Arrival::new((NodeId(parent), EdgeId(0))));
            let event = Event::Cegar(cegar::Event::NodeAdded { node: NodeId(number), from });
            journal.events.push(event);
            graph.apply(&event, &journal);
        }
        graph
    }

    #[test]
    fn what_is_kept_is_drawn_with_what_is_above_it_and_the_rest_is_counted() {
        let graph = graph();
        let all = vec![true; 13];
        let whole = shown(&graph, &all, (&[], &[]), (None, 20));
        assert_eq!((whole.ids.len(), whole.below.iter().sum::<usize>()), (13, 0));
        // Kept: a node in the middle of the second chain. The centre is in the third one.
        let kept = (0..13).map(|node| node == 7).collect();
        let part = shown(&graph, &all, (&[NodeId(9)], &[]), (Some(kept), 20));
        assert_eq!(part.ids, [0, 5, 6, 7, 9].map(NodeId));
        assert_eq!([0, 7, 9].map(|node| part.below[node]), [4, 1, 3]);
        // As few as possible, but the centre with what is above it.
        let few = shown(&graph, &all, (&[NodeId(9)], &[]), (Some(vec![true; 13]), 2));
        assert!(few.ids.contains(&NodeId(9)) && few.ids.contains(&NodeId(0)));
        assert_eq!(few.ids.len() + few.below.iter().sum::<usize>(), 13);
    }
}
