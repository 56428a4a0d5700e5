//! Ranks: every link leads down by at least one unit, and nodes that can move without stretching edges do.

use super::acyclic::Component;

/// The rank of each node of a component, by node index; `usize::MAX` elsewhere. The top has rank 0.
pub(super) fn ranks(component: &Component, nodes: usize, unit: usize) -> Vec<usize> {
    let mut rank = vec![usize::MAX; nodes];
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for link in &component.links {
        above[link.lower].push(link.upper);
        // A link without an edge does not pull.
        below[link.upper].extend(link.edge.map(|_| link.lower));
    }
    for &node in &component.order {
        rank[node] = above[node].iter().map(|upper| rank[*upper] + unit).max().unwrap_or(0);
    }
    // With more edges below than above, a node is better off further down.
    for &node in component.order.iter().skip(1).rev() {
        let lowest = below[node].iter().map(|lower| rank[*lower]).min().map(|r| r - unit);
        let pulled = component.links.iter().filter(|l| l.lower == node && l.edge.is_some()).count();
        if let Some(lowest) = lowest.filter(|_| below[node].len() > pulled) {
            rank[node] = lowest;
        }
    }
    rank
}
