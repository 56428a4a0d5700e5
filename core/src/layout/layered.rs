//! A layered drawing of a graph with cycles, such as a control flow automaton: top to bottom, the initial node on
//! top, back edges along their own lanes, labels at reserved places on the edges.
//!
//! The pipeline is Sugiyama's. Cycles are broken at the edges that close them ([`acyclic`]), nodes get ranks
//! ([`rank`]), and every edge becomes a chain of small vertices, one a rank, the middle one as large as its label
//! ([`chain`]). The library `rust-sugiyama` orders the ranks and chooses x; widths and gaps are then enforced
//! exactly ([`place`]) and long edges straightened ([`lanes`]). Edges follow their chains ([`route`]): between two
//! ranks they swing, inside a rank they are straight, so no edge crosses a node or the label of another. Components
//! are drawn side by side.

mod acyclic;
mod chain;
mod lanes;
mod place;
mod rank;
mod route;
#[cfg(test)]
mod tests;

pub(crate) use route::PORT_GAP;

use crate::layout::{Arrow, Point, Size};

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Node {
    /// Its extent.
    pub size: Size,
    /// The radius of its corners, so that arrows touch the outline.
    pub corner: f64,
    /// The width of what is written at its right.
    pub beside: f64,
}

/// An edge of the graph.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Edge {
    /// The index of the node it starts at.
    pub source: usize,
    /// The index of the node it ends at.
    pub target: usize,
    /// The size of its label, if it has one.
    pub label: Option<Size>,
    /// How far from the middle of its source and of its target it is attached; otherwise edges are side by side around
    /// the middle.
    pub ports: Ports,
}

/// Where an edge is attached to its ends: how far to the right of their middles.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Ports {
    /// At its source.
    pub source: Option<f64>,
    /// At its target.
    pub target: Option<f64>,
}

/// The nodes that stand for the borders of the drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Borders {
    /// The upper one, to which no edge leads.
    pub upper: Option<usize>,
    /// The lower one, from which no edge leads.
    pub lower: Option<usize>,
}

impl Edge {
    /// An edge that is attached where there is room.
    #[must_use]
    pub fn new(source: usize, target: usize, label: Option<Size>) -> Edge {
        Edge { source, target, label, ports: Ports::default() }
    }
}

/// Distances.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// Between neighbours in a rank.
    pub node_gap: f64,
    /// Between ranks, at least.
    pub rank_gap: f64,
    /// Between components.
    pub component_gap: f64,
    /// Around the drawing.
    pub margin: f64,
    /// The nodes that stand for borders; their component is at the left.
    pub borders: Borders,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            node_gap: 18.0,
            rank_gap: 22.0,
            component_gap: 48.0,
            margin: 16.0,
            borders: Borders::default(),
        }
    }
}

/// A finished drawing.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Drawing {
    /// The centre of each node.
    pub nodes: Vec<Point>,
    /// Each edge.
    pub edges: Vec<Arrow>,
    /// The extent of everything.
    pub size: Size,
}

/// The width of a row of components.
const ROW: f64 = 320.0;

/// Which edges lead upwards in the drawing, where this node stands for the upper border.
#[must_use]
pub fn turned(nodes: usize, edges: &[Edge], initial: usize, border: Option<usize>) -> Vec<bool> {
    let mut found = vec![false; edges.len()];
    for link in
        acyclic::components(nodes, edges, initial, border).iter().flat_map(|component| &component.links)
    {
        if let Some(edge) = link.edge {
            found[edge] = acyclic::turned(link, edges);
        }
    }
    found
}

/// Draws a graph. Edges with an end that is not a node get an empty path.
#[must_use]
pub fn draw(nodes: &[Node], edges: &[Edge], initial: usize, options: &Options) -> Drawing {
    let sane = |node: &Node| Node { size: Size::new(node.size.width, node.size.height), ..*node };
    let nodes: Vec<Node> = nodes.iter().map(sane).collect();
    let mut drawing = Drawing {
        nodes: vec![Point::default(); nodes.len()],
        edges: vec![Arrow::default(); edges.len()],
        size: Size::default(),
    };
    // Components are beside each other, in rows; those with a border reach from the top to the bottom.
    let components = acyclic::components(nodes.len(), edges, initial, options.borders.upper);
    let Borders { upper, lower } = options.borders;
    let is_border = |node: &usize| Some(*node) == upper || Some(*node) == lower;
    let (mut left, mut corner) = (options.margin, Point::new(options.margin, options.margin));
    let mut below = 0.0_f64;
    let (bordered, others): (Vec<_>, Vec<_>) =
        components.into_iter().partition(|component| component.order.iter().any(is_border));
    for (number, component) in bordered.iter().chain(&others).enumerate() {
        let graph = chain::Chains::new(component, &nodes, edges, options.borders);
        let places = place::places(&graph, options);
        let extent = route::component(&graph, &places, edges, corner, &mut drawing);
        drawing.size.width = drawing.size.width.max(corner.x + extent.width + options.margin);
        drawing.size.height = drawing.size.height.max(corner.y + extent.height + options.margin);
        below = below.max(corner.y + extent.height + options.component_gap);
        corner.x += extent.width + options.component_gap;
        if number < bordered.len() {
            left = corner.x;
        } else if corner.x > left + ROW {
            corner = Point::new(left, below);
        }
    }
    drawing
}
