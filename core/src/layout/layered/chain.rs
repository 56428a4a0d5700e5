//! Chains: every link is drawn through one vertex a rank, so that it has a lane of its own.

use std::collections::BTreeSet;

use super::acyclic::{Component, Link, turned};
use super::{Borders, Edge, Node, rank};
use crate::layout::Size;

/// Room beside a node for the loops at it: the curve bulges this far.
pub(super) const LOOP_REACH: f64 = 26.0;
/// Between the curve of a loop and its label.
pub(super) const LOOP_LABEL_GAP: f64 = 6.0;

/// The kind of a vertex.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kind {
    /// A node of the graph.
    Node(usize),
    /// The place of a label.
    Label,
    /// A point of an edge.
    Bend,
}

/// A vertex of the layered graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) kind: Kind,
    pub(super) rank: usize,
    /// How far it extends from its centre.
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) height: f64,
    /// Without the loops beside it.
    pub(super) own_height: f64,
    /// The radius of its corners.
    pub(super) corner: f64,
}

/// A link with its vertices, from the upper node to the lower one, both included.
pub(super) struct Chain {
    pub(super) edge: Option<usize>,
    pub(super) turned: bool,
    pub(super) vertices: Vec<usize>,
    /// Where in `vertices` the label is.
    pub(super) label: Option<usize>,
}

/// Beyond this many bends, edges are drawn without lanes: such a drawing is illegible, but it must be fast.
const BENDS_MAX: usize = 20_000;

/// How much of the edges is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Detail {
    /// A vertex in every rank.
    Lanes,
    /// A vertex for each label only.
    Labels,
}

/// A component, each of whose connections leads from one rank to the next.
pub(super) struct Chains {
    pub(super) vertices: Vec<Vertex>,
    pub(super) chains: Vec<Chain>,
    pub(super) loops: Vec<usize>,
    pub(super) ranks: usize,
    pub(super) detail: Detail,
}

impl Chains {
    pub(super) fn new(component: &Component, nodes: &[Node], edges: &[Edge], borders: Borders) -> Chains {
        let unit = unit(component, edges);
        let rank = rank::ranks(component, nodes.len(), edges, unit, borders);
        let mut index = vec![usize::MAX; nodes.len()];
        let bends: usize = component.links.iter().map(|link| rank[link.lower] - rank[link.upper] - 1).sum();
        let mut graph = Chains {
            vertices: Vec::new(),
            chains: Vec::new(),
            loops: component.loops.clone(),
            ranks: 0,
            detail: if bends <= BENDS_MAX { Detail::Lanes } else { Detail::Labels },
        };
        for &node in &component.order {
            index[node] = graph.vertices.len();
            let Node { size: Size { width, height }, corner, beside } = nodes[node];
            let extra = loop_room(component.loops.iter().filter(|l| edges[**l].source == node), edges);
            graph.vertices.push(Vertex {
                kind: Kind::Node(node),
                rank: rank[node],
                left: width / 2.0,
                right: width / 2.0 + extra.width.max(beside),
                height: height.max(extra.height),
                own_height: height,
                corner,
            });
        }
        for link in &component.links {
            graph.add(link, &index, edges);
        }
        graph.ranks = graph.vertices.iter().map(|v| v.rank + 1).max().unwrap_or(0);
        graph
    }

    fn add(&mut self, link: &Link, index: &[usize], edges: &[Edge]) {
        let (upper, lower) = (index[link.upper], index[link.lower]);
        let (top, bottom) = (self.vertices[upper].rank, self.vertices[lower].rank);
        let size = link.edge.and_then(|edge| edges[edge].label).map(|s| Size::new(s.width, s.height));
        // The label sits halfway; the far half of a long edge is a single line.
        let middle = top + (bottom - top) / 2;
        let mut chain =
            Chain { edge: link.edge, turned: turned(link, edges), vertices: vec![upper], label: None };
        let inner = if self.detail == Detail::Lanes { top + 1..bottom } else { middle..middle + 1 };
        for rank in inner.filter(|rank| (top + 1..bottom).contains(rank)) {
            let label = size.filter(|_| rank == middle);
            let Size { width, height } = label.unwrap_or_default();
            if label.is_some() {
                chain.label = Some(chain.vertices.len());
            }
            let half = (width / 2.0).max(3.0);
            let kind = if label.is_some() { Kind::Label } else { Kind::Bend };
            chain.vertices.push(self.vertices.len());
            let (left, right) = (half, half);
            self.vertices.push(Vertex { kind, rank, left, right, height, own_height: height, corner: 0.0 });
        }
        chain.vertices.push(lower);
        self.chains.push(chain);
    }
}

/// How many ranks an edge spans at least, but for edges at borders: two when labels or parallel edges need a place in
/// between.
fn unit(component: &Component, edges: &[Edge]) -> usize {
    let mut seen = BTreeSet::new();
    let separate = component.links.iter().all(|link| seen.insert((link.upper, link.lower)));
    let labelled = component.links.iter().any(|link| link.edge.is_some_and(|e| edges[e].label.is_some()));
    if labelled || !separate { 2 } else { 1 }
}

/// The width of the loops to the right of a node.
fn loop_room<'a>(loops: impl Iterator<Item = &'a usize>, edges: &[Edge]) -> Size {
    let mut room = Size::default();
    for id in loops {
        let label = edges[*id].label.map_or(Size::default(), |s| Size::new(s.width, s.height));
        let gap = if label.width > 0.0 { LOOP_LABEL_GAP } else { 0.0 };
        room.width = room.width.max(LOOP_REACH + gap + label.width);
        room.height += loop_height(label);
    }
    room
}

/// The height of one loop beside a node.
pub(super) fn loop_height(label: Size) -> f64 {
    label.height.max(18.0) + 4.0
}
