//! Ranks: every link leads down by at least one unit, and nodes that can move without stretching edges do. Borders
//! are above and below all others.

use std::collections::BTreeSet;

use super::acyclic::Component;
use super::{Borders, Edge};

/// The rank of each node of a component, by node index; `usize::MAX` elsewhere. The top has rank 0, or 1 below a
/// border.
pub(super) fn ranks(
    component: &Component,
    nodes: usize,
    edges: &[Edge],
    unit: usize,
    Borders { upper, lower }: Borders,
) -> Vec<usize> {
    let mut rank = vec![usize::MAX; nodes];
    let mut above: Vec<Vec<(usize, usize)>> = vec![Vec::new(); nodes];
    let mut below: Vec<Vec<(usize, usize)>> = vec![Vec::new(); nodes];
    let mut seen = BTreeSet::new();
    let repeated: BTreeSet<(usize, usize)> = component
        .links
        .iter()
        .map(|link| (link.upper, link.lower))
        .filter(|pair| !seen.insert(*pair))
        .collect();
    for link in &component.links {
        // The next rank is near enough for a border, unless a label or a parallel edge needs a place in between.
        let is_short = (Some(link.upper) == upper || Some(link.lower) == lower)
            && link.edge.is_none_or(|edge| edges[edge].label.is_none())
            && !repeated.contains(&(link.upper, link.lower));
        let length = if is_short { 1 } else { unit };
        above[link.lower].push((link.upper, length));
        // A link without an edge does not pull.
        below[link.upper].extend(link.edge.map(|_| (link.lower, length)));
    }
    for &node in &component.order {
        let least = usize::from(upper.is_some_and(|upper| upper != node));
        rank[node] = above[node].iter().map(|(upper, n)| rank[*upper] + n).max().unwrap_or(0).max(least);
    }
    // With more edges below than above, a node is better off further down.
    let below_top = component.order.iter().filter(|node| Some(**node) != upper).skip(1);
    for &node in below_top.collect::<Vec<_>>().into_iter().rev() {
        let lowest = below[node].iter().map(|(lower, n)| rank[*lower] - n).min();
        let pulled = component.links.iter().filter(|l| l.lower == node && l.edge.is_some()).count();
        if let Some(lowest) = lowest.filter(|_| below[node].len() > pulled) {
            rank[node] = lowest;
        }
    }
    if let Some(lower) = lower.filter(|lower| rank[*lower] != usize::MAX) {
        let others = component.order.iter().filter(|node| **node != lower);
        let last = others.map(|node| rank[*node] + 1).max().unwrap_or(0);
        rank[lower] = above[lower].iter().map(|(upper, n)| rank[*upper] + n).max().unwrap_or(0).max(last);
    }
    rank
}
