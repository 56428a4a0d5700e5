//! Coordinates of the vertices: initial ones from the library, then exact gaps.
//!
//! `rust-sugiyama` orders the ranks (barycentre with transposition) and chooses x (Brandes and Köpf). It is given
//! a connected simple acyclic graph in topological order whose edges all span one rank, so it neither breaks
//! cycles nor ranks by network simplex. Its result is only a preference: gaps are enforced rank by rank with the
//! least squared displacement (pool adjacent violators), and a graph too large for its recursion, or an answer
//! that is not finite, is replaced by sweeps of our own.

use rust_sugiyama::configure::{Config, CrossingMinimization, RankingType};

use super::chain::{Chains, Detail, Kind, Vertex};
use super::{Options, lanes};
use crate::layout::Point;

/// The library recurses; beyond this many vertices a small stack could overflow.
const LIBRARY_MAX: usize = 1_200;

/// Centres of the vertices, and top and bottom of each rank.
pub(super) struct Places {
    pub(super) centres: Vec<Point>,
    pub(super) bands: Vec<(f64, f64)>,
}

pub(super) fn places(graph: &Chains, options: &Options) -> Places {
    let neighbours = Neighbours::new(graph);
    let mut x = proposed(graph, options).unwrap_or_else(|| swept(graph, &neighbours));
    let rows = rows(graph, &x);
    for _ in 0..2 {
        separate(graph, &rows, options, &mut x);
        settle(graph, &neighbours, &mut x);
    }
    separate(graph, &rows, options, &mut x);
    lanes::straighten(graph, &rows, options, &mut x);
    let bands = bands(graph, &x, options);
    let middle = |v: usize| f64::midpoint(bands[graph.vertices[v].rank].0, bands[graph.vertices[v].rank].1);
    let centres = (0..x.len()).map(|v| Point::new(x[v], middle(v))).collect();
    Places { centres, bands }
}

/// The vertices above and below each vertex.
struct Neighbours {
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
}

impl Neighbours {
    fn new(graph: &Chains) -> Neighbours {
        let mut above = vec![Vec::new(); graph.vertices.len()];
        let mut below = above.clone();
        for chain in graph.chains.iter().filter(|chain| chain.edge.is_some()) {
            for pair in chain.vertices.windows(2) {
                below[pair[0]].push(pair[1]);
                above[pair[1]].push(pair[0]);
            }
        }
        Neighbours { above, below }
    }
}

/// The library's result; `None` if the graph is too large for it or the result is not finite.
fn proposed(graph: &Chains, options: &Options) -> Option<Vec<f64>> {
    if graph.vertices.len() > LIBRARY_MAX || graph.detail == Detail::Labels {
        return None;
    }
    // In order of rank, which is a topological order.
    let mut order: Vec<usize> = (0..graph.vertices.len()).collect();
    order.sort_by_key(|v| graph.vertices[*v].rank);
    let vertices: Vec<(u32, (f64, f64))> = order
        .iter()
        .map(|v| (*v as u32, (graph.vertices[*v].left + graph.vertices[*v].right, 1.0)))
        .collect();
    let edges: Vec<(u32, u32)> = graph
        .chains
        .iter()
        .flat_map(|chain| chain.vertices.windows(2))
        .map(|pair| (pair[0] as u32, pair[1] as u32))
        .collect();
    let config = Config {
        minimum_length: 1,
        vertex_spacing: options.node_gap,
        dummy_vertices: true,
        ranking_type: RankingType::Up,
        c_minimization: CrossingMinimization::Barycenter,
        transpose: true,
        dummy_size: 1.0,
    };
    let mut x = vec![f64::NAN; graph.vertices.len()];
    // Ids are the positions in which vertices were given.
    for (layout, _, _) in rust_sugiyama::from_vertices_and_edges(&vertices, &edges, &config) {
        for (id, (at, _)) in layout {
            let vertex = *order.get(id)?;
            x[vertex] = at;
        }
    }
    x.iter().all(|x| x.is_finite()).then_some(x)
}

/// Without the library: ranks in the order of discovery, then barycentre sweeps.
fn swept(graph: &Chains, neighbours: &Neighbours) -> Vec<f64> {
    let mut ranks: Vec<Vec<usize>> = vec![Vec::new(); graph.ranks];
    for (id, vertex) in graph.vertices.iter().enumerate() {
        ranks[vertex.rank].push(id);
    }
    let mut place = vec![0.0; graph.vertices.len()];
    let number = |row: &[usize], place: &mut Vec<f64>| {
        let middle = row.len() as f64 / 2.0;
        row.iter().enumerate().for_each(|(at, v)| place[*v] = at as f64 - middle);
    };
    ranks.iter().for_each(|row| number(row, &mut place));
    for sweep in 0..8 {
        let down = sweep % 2 == 0;
        let order: Vec<usize> =
            if down { (0..graph.ranks).collect() } else { (0..graph.ranks).rev().collect() };
        for rank in order {
            let side = if down { &neighbours.above } else { &neighbours.below };
            let wish = |v: usize| mean(&side[v], &place).unwrap_or(place[v]);
            let mut keyed: Vec<(f64, usize)> = ranks[rank].iter().map(|v| (wish(*v), *v)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            ranks[rank] = keyed.into_iter().map(|(_, v)| v).collect();
            number(&ranks[rank], &mut place);
        }
    }
    place.iter().map(|x| x * 60.0).collect()
}

fn mean(of: &[usize], x: &[f64]) -> Option<f64> {
    if of.is_empty() { None } else { Some(of.iter().map(|v| x[*v]).sum::<f64>() / of.len() as f64) }
}

/// The vertices of each rank from left to right.
fn rows(graph: &Chains, x: &[f64]) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); graph.ranks];
    for (id, vertex) in graph.vertices.iter().enumerate() {
        rows[vertex.rank].push(id);
    }
    for row in &mut rows {
        row.sort_by(|a, b| x[*a].total_cmp(&x[*b]));
    }
    rows
}

/// The least distance of the centres of two neighbours.
pub(super) fn room(left: &Vertex, right: &Vertex, options: &Options) -> f64 {
    let lanes = left.kind == Kind::Bend && right.kind == Kind::Bend;
    left.right + right.left + if lanes { options.node_gap * 0.6 } else { options.node_gap }
}

/// Keeps every gap in every row, moving as little as possible.
fn separate(graph: &Chains, rows: &[Vec<usize>], options: &Options, x: &mut [f64]) {
    for row in rows {
        let mut offset = 0.0;
        let mut offsets = Vec::with_capacity(row.len());
        for (at, id) in row.iter().enumerate() {
            if at > 0 {
                offset += room(&graph.vertices[row[at - 1]], &graph.vertices[*id], options);
            }
            offsets.push(offset);
        }
        let wishes: Vec<f64> = row.iter().zip(&offsets).map(|(id, offset)| x[*id] - offset).collect();
        for ((id, offset), at) in row.iter().zip(&offsets).zip(isotonic(&wishes)) {
            x[*id] = at + offset;
        }
    }
}

/// The nondecreasing sequence nearest to `wishes` in least squares.
fn isotonic(wishes: &[f64]) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for wish in wishes {
        let (mut sum, mut count) = (*wish, 1);
        while let Some((before, n)) = blocks.last().copied() {
            if before / n as f64 <= sum / count as f64 {
                break;
            }
            blocks.pop();
            (sum, count) = (sum + before, count + n);
        }
        blocks.push((sum, count));
    }
    blocks.into_iter().flat_map(|(sum, n)| std::iter::repeat_n(sum / n as f64, n)).collect()
}

/// Pulls lanes and labels towards the vertices above and below them.
fn settle(graph: &Chains, neighbours: &Neighbours, x: &mut [f64]) {
    let wishes: Vec<f64> = (0..x.len())
        .map(|v| {
            let near = [mean(&neighbours.above[v], x), mean(&neighbours.below[v], x)];
            let near: Vec<f64> = near.into_iter().flatten().collect();
            let pull = if matches!(graph.vertices[v].kind, Kind::Node(_)) { 0.0 } else { 0.5 };
            if near.is_empty() {
                x[v]
            } else {
                x[v] + pull * (near.iter().sum::<f64>() / near.len() as f64 - x[v])
            }
        })
        .collect();
    x.copy_from_slice(&wishes);
}

/// Top and bottom of each rank. Where edges swing far to the side, ranks are further apart.
fn bands(graph: &Chains, x: &[f64], options: &Options) -> Vec<(f64, f64)> {
    let mut heights = vec![0.0_f64; graph.ranks];
    let mut swings = vec![0.0_f64; graph.ranks];
    for vertex in &graph.vertices {
        heights[vertex.rank] = heights[vertex.rank].max(vertex.height);
    }
    for chain in graph.chains.iter().filter(|chain| chain.edge.is_some()) {
        for pair in chain.vertices.windows(2) {
            let rank = graph.vertices[pair[0]].rank;
            swings[rank] = swings[rank].max((x[pair[0]] - x[pair[1]]).abs());
        }
    }
    let mut top = 0.0;
    let mut bands = Vec::with_capacity(graph.ranks);
    for (height, swing) in heights.iter().zip(&swings) {
        bands.push((top, top + height));
        top += height + options.rank_gap + (swing * 0.07).min(options.rank_gap * 1.5);
    }
    bands
}

#[cfg(test)]
mod tests {
    use super::isotonic;

    #[test]
    fn violators_are_pooled() {
        assert_eq!(isotonic(&[]), Vec::<f64>::new());
        assert_eq!(isotonic(&[1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
        assert_eq!(isotonic(&[3.0, 1.0, 5.0]), [2.0, 2.0, 5.0]);
        assert_eq!(isotonic(&[5.0, 4.0, 0.0]), [3.0, 3.0, 3.0]);
    }
}
