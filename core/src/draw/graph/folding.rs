//! Which part of a large graph is drawn: at most as many nodes as can be read.
//!
//! The nodes of the step, the selection, the counterexample and their ancestors come first, and then the nodes nearest
//! to them, so that nothing is ever blank. Below the others the tree is folded.

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
/// until there are `most`.
pub(super) fn shown(
    graph: &ArgView,
    present: &[bool],
    (centres, path): (&[NodeId], &[bool]),
    most: usize,
) -> Shown {
    let drawn = if present.iter().filter(|p| **p).count() <= most {
        present.to_vec()
    } else {
        around(graph, present, (centres, path), most)
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
