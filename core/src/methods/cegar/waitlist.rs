//! The waitlist: open nodes in the order in which they are to be explored (Hajdu and Micskei 2020, section 3.1.2).
//!
//! The order is by `w_D · depth + w_E · distance`, where the distance of a location is the length of a shortest path of
//! the automaton from it to the error location, regardless of the operations; among equals the oldest node comes first.

use std::collections::BTreeSet;

use crate::kit::NodeId;
use crate::methods::cegar::strategy::Search;
use crate::system::{LocationId, System, distances};

/// Open nodes, the next one first. It may still contain nodes that are not open any more.
#[derive(Clone, Debug)]
pub(super) struct Waitlist {
    depth_weight: i64,
    distance_weight: i64,
    distance: Vec<Option<u32>>,
    nodes: BTreeSet<(i64, NodeId)>,
}

/// The weights of depth and distance.
fn weights(search: Search) -> (i64, i64) {
    match search {
        Search::Bfs => (1, 0),
        Search::Dfs => (-1, 0),
        Search::Err => (0, 1),
        Search::ErrDfs => (2, 1),
        Search::DfsErr => (1, 2),
    }
}

impl Waitlist {
    pub(super) fn new(system: &System, search: Search) -> Waitlist {
        let (depth_weight, distance_weight) = weights(search);
        Waitlist { depth_weight, distance_weight, distance: distances(system), nodes: BTreeSet::new() }
    }

    pub(super) fn insert(&mut self, node: NodeId, depth: u32, location: LocationId) {
        // A location without a path to the error location is far from it.
        let distance = self.distance[location.index()].map_or(1 << 32, i64::from);
        self.nodes.insert((self.depth_weight * i64::from(depth) + self.distance_weight * distance, node));
    }

    pub(super) fn pop(&mut self) -> Option<NodeId> {
        self.nodes.pop_first().map(|(_, node)| node)
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
    }
}
