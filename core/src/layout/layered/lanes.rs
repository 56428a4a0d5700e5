//! Straight lanes: the inner vertices of an edge share one x as far as their neighbours leave room.
//!
//! Each edge is cut greedily into the fewest runs of ranks that have a common free x; a run at an end of the edge
//! takes the x of the node there, if it can. Nodes stay, and so does the order in each rank.

use super::Options;
use super::chain::{Chain, Chains};
use super::place::room;

/// Straightens the edges one by one, long ones first.
pub(super) fn straighten(graph: &Chains, rows: &[Vec<usize>], options: &Options, x: &mut [f64]) {
    let mut slot = vec![0; graph.vertices.len()];
    for row in rows {
        row.iter().enumerate().for_each(|(at, v)| slot[*v] = at);
    }
    // The range of a vertex, given its neighbours.
    let free = |v: usize, x: &[f64]| {
        let row = &rows[graph.vertices[v].rank];
        let gap = |a: usize, b: usize| room(&graph.vertices[a], &graph.vertices[b], options);
        let left = slot[v].checked_sub(1).map(|at| row[at]);
        let right = row.get(slot[v] + 1).copied();
        let low = left.map_or(f64::NEG_INFINITY, |left| x[left] + gap(left, v));
        (low, right.map_or(f64::INFINITY, |right| x[right] - gap(v, right)))
    };
    let mut order: Vec<&Chain> = graph.chains.iter().filter(|chain| chain.edge.is_some()).collect();
    order.sort_by_key(|chain| std::cmp::Reverse(chain.vertices.len()));
    // Room freed by one edge can be used by another in the second round.
    for chain in order.iter().chain(&order) {
        let inner = &chain.vertices[1..chain.vertices.len() - 1];
        let mut start = 0;
        while start < inner.len() {
            let (mut low, mut high) = free(inner[start], x);
            let mut end = start + 1;
            while end < inner.len() {
                let (l, h) = free(inner[end], x);
                if l.max(low) > h.min(high) {
                    break;
                }
                (low, high) = (l.max(low), h.min(high));
                end += 1;
            }
            if low <= high {
                let at = wish(chain, start, end, (low, high), x).clamp(low, high);
                inner[start..end].iter().for_each(|v| x[*v] = at);
            }
            start = end;
        }
    }
}

/// The preferred x of a run of inner vertices: that of a node it touches, or its own.
fn wish(chain: &Chain, start: usize, end: usize, (low, high): (f64, f64), x: &[f64]) -> f64 {
    let inner = &chain.vertices[1..chain.vertices.len() - 1];
    let first = (start == 0).then(|| x[chain.vertices[0]]);
    let last = (end == inner.len()).then(|| x[chain.vertices[chain.vertices.len() - 1]]);
    let mean = inner[start..end].iter().map(|v| x[*v]).sum::<f64>() / (end - start).max(1) as f64;
    let fits = |at: &f64| (low..=high).contains(at);
    match (first.filter(fits), last.filter(fits)) {
        // The nearer one, so that an edge that bulges keeps its side.
        (Some(a), Some(b)) => {
            if (a - mean).abs() < (b - mean).abs() {
                a
            } else {
                b
            }
        }
        (Some(at), None) | (None, Some(at)) => at,
        (None, None) => mean,
    }
}
