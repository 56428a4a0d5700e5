//! Distances in the graph of a system.

use std::collections::VecDeque;

use crate::system::{LocationId, System};

/// The distance of each location to the error location, by breadth-first search backwards; `None` where there is no
/// way.
#[must_use]
pub fn distances(system: &System) -> Vec<Option<u32>> {
    let mut into: Vec<Vec<LocationId>> = vec![Vec::new(); system.locations.len()];
    for edge in &system.edges {
        into[edge.target.index()].push(edge.source);
    }
    let mut distance = vec![None; system.locations.len()];
    let mut queue = VecDeque::new();
    if let Some(error) = system.error {
        distance[error.index()] = Some(0);
        queue.push_back((error, 0));
    }
    while let Some((location, d)) = queue.pop_front() {
        for source in &into[location.index()] {
            if distance[source.index()].is_none() {
                distance[source.index()] = Some(d + 1);
                queue.push_back((*source, d + 1));
            }
        }
    }
    distance
}
