//! Edges along their chains: straight inside a rank, swinging between two ranks, loops beside their node.

use super::chain::{Chain, Chains, Kind, LOOP_LABEL_GAP, LOOP_REACH, loop_height};
use super::place::Places;
use super::{Drawing, Edge, Ports};
use crate::layout::curve::Curve;
use crate::layout::{Arrow, Point, Size};

/// Edges at the same side of a node are this far apart, if the node is wide enough.
pub(crate) const PORT_GAP: f64 = 16.0;

/// Draws a component with its upper left corner here and returns its extent.
pub(super) fn component(
    graph: &Chains,
    places: &Places,
    edges: &[Edge],
    corner: Point,
    drawing: &mut Drawing,
) -> Size {
    let shown = |v: usize| graph.vertices[v].kind != Kind::Bend || used(graph, v);
    let all = || (0..graph.vertices.len()).filter(|v| shown(*v));
    let start = all().map(|v| places.centres[v].x - graph.vertices[v].left).fold(f64::INFINITY, f64::min);
    let end = all().map(|v| places.centres[v].x + graph.vertices[v].right).fold(f64::NEG_INFINITY, f64::max);
    let move_by = Point::new(corner.x - start, corner.y);
    let page = Page { graph, places, move_by, ports: ports(graph, places, edges) };
    for (id, vertex) in graph.vertices.iter().enumerate() {
        if let Kind::Node(node) = vertex.kind {
            drawing.nodes[node] = page.centre(id);
        }
    }
    for (at, chain) in graph.chains.iter().enumerate() {
        if let Some(edge) = chain.edge {
            drawing.edges[edge] = page.chain(at, chain);
        }
    }
    page.loops(edges, drawing);
    Size { width: end - start, height: places.bands.last().map_or(0.0, |band| band.1) }
}

/// Whether a bend belongs to an edge that is drawn.
fn used(graph: &Chains, vertex: usize) -> bool {
    // Bends are numbered chain by chain; chains without an edge are few and come last.
    let hidden = graph.chains.iter().rev().take_while(|chain| chain.edge.is_none());
    !hidden.flat_map(|chain| &chain.vertices[1..chain.vertices.len() - 1]).any(|v| *v == vertex)
}

/// For each chain, how far from the centre of its upper and of its lower node it is attached.
fn ports(graph: &Chains, places: &Places, edges: &[Edge]) -> Vec<(f64, f64)> {
    let mut below: Vec<Vec<(f64, usize)>> = vec![Vec::new(); graph.vertices.len()];
    let mut above = below.clone();
    let mut ports = vec![(0.0, 0.0); graph.chains.len()];
    for (at, chain) in graph.chains.iter().enumerate() {
        let Some(edge) = chain.edge else { continue };
        let Ports { source, target } = edges[edge].ports;
        let (top, bottom) = if chain.turned { (target, source) } else { (source, target) };
        ports[at] = (top.unwrap_or(0.0), bottom.unwrap_or(0.0));
        if let ([upper, second, ..], None) = (&chain.vertices[..], top) {
            below[*upper].push((places.centres[*second].x, at));
        }
        if let ([.., before, lower], None) = (&chain.vertices[..], bottom) {
            above[*lower].push((places.centres[*before].x, at));
        }
    }
    for (v, vertex) in graph.vertices.iter().enumerate() {
        for (down, side) in [(true, &mut below[v]), (false, &mut above[v])] {
            side.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let gap = PORT_GAP.min(vertex.left * 1.5 / side.len().max(1) as f64);
            for (i, (_, chain)) in side.iter().enumerate() {
                let offset = (i as f64 - (side.len() as f64 - 1.0) / 2.0) * gap;
                if down { ports[*chain].0 = offset } else { ports[*chain].1 = offset }
            }
        }
    }
    ports
}

struct Page<'a> {
    graph: &'a Chains,
    places: &'a Places,
    move_by: Point,
    ports: Vec<(f64, f64)>,
}

impl Page<'_> {
    fn centre(&self, vertex: usize) -> Point {
        let at = self.places.centres[vertex];
        Point::new(at.x + self.move_by.x, at.y + self.move_by.y)
    }

    fn band(&self, vertex: usize) -> (f64, f64) {
        let (top, bottom) = self.places.bands[self.graph.vertices[vertex].rank];
        (top + self.move_by.y, bottom + self.move_by.y)
    }

    /// How far below its centre the outline of a node is, at this distance from the centre.
    fn outline(&self, vertex: usize, across: f64) -> f64 {
        let (half, middle) = (self.graph.vertices[vertex].left, self.node_height(vertex) / 2.0);
        let corner = self.graph.vertices[vertex].corner.min(half).min(middle);
        let into = (across.abs() - (half - corner)).clamp(0.0, corner);
        middle - corner + (corner * corner - into * into).sqrt()
    }

    /// The node's own height; its vertex may be higher because of loops.
    fn node_height(&self, vertex: usize) -> f64 {
        self.graph.vertices[vertex].own_height
    }

    /// The way of a chain downwards: alternately entering and leaving a rank.
    fn way(&self, at: usize, chain: &Chain) -> Vec<Point> {
        let (upper, lower) = (chain.vertices[0], chain.vertices[chain.vertices.len() - 1]);
        let (out, into) = self.ports[at];
        let (from, to) = (self.centre(upper), self.centre(lower));
        let mut way = vec![
            Point::new(from.x + out, from.y + self.outline(upper, out)),
            Point::new(from.x + out, self.band(upper).1),
        ];
        for vertex in &chain.vertices[1..chain.vertices.len() - 1] {
            let x = self.centre(*vertex).x;
            let (top, bottom) = self.band(*vertex);
            way.extend([Point::new(x, top), Point::new(x, bottom)]);
        }
        way.push(Point::new(to.x + into, self.band(lower).0));
        way.push(Point::new(to.x + into, to.y - self.outline(lower, into)));
        way
    }

    fn chain(&self, at: usize, chain: &Chain) -> Arrow {
        let mut way = self.way(at, chain);
        if chain.turned {
            way.reverse();
        }
        let mut curve = Curve::from(way[0]);
        for pair in way[1..].chunks(2) {
            curve.line(pair[0]);
            if let Some(next) = pair.get(1) {
                curve.swing(*next);
            }
        }
        let label = match chain.label {
            Some(at) => self.centre(chain.vertices[at]),
            None => way[way.len() / 2],
        };
        Arrow { tip: curve.end(), angle: curve.angle(), path: curve.data(), label }
    }

    /// Loops bulge out of the right side of their node, one under another.
    fn loops(&self, edges: &[Edge], drawing: &mut Drawing) {
        for (id, vertex) in self.graph.vertices.iter().enumerate() {
            let Kind::Node(node) = vertex.kind else { continue };
            let mine: Vec<usize> =
                self.graph.loops.iter().copied().filter(|l| edges[*l].source == node).collect();
            let size = |l: usize| edges[l].label.map_or(Size::default(), |s| Size::new(s.width, s.height));
            let total: f64 = mine.iter().map(|l| loop_height(size(*l))).sum();
            let centre = self.centre(id);
            let side = centre.x + vertex.left;
            let mut top = centre.y - total / 2.0;
            for (i, l) in mine.iter().enumerate() {
                let height = loop_height(size(*l));
                let middle = top + height / 2.0;
                top += height;
                // Both ends stay on the straight part of the side.
                let flat = (vertex.own_height / 2.0 - vertex.corner).max(2.0);
                let share = 2.0 * flat / mine.len() as f64;
                let slot = centre.y - flat + share * (i as f64 + 0.5);
                let reach = (height / 2.0 - 2.0).max(6.0);
                let far = side + LOOP_REACH * 4.0 / 3.0;
                let mut curve = Curve::from(Point::new(side, slot - share * 0.3));
                let end = Point::new(side, slot + share * 0.3);
                curve.cubic(Point::new(far, middle - reach), Point::new(far, middle + reach), end);
                let label = Point::new(side + LOOP_REACH + LOOP_LABEL_GAP + size(*l).width / 2.0, middle);
                drawing.edges[*l] =
                    Arrow { tip: curve.end(), angle: curve.angle(), path: curve.data(), label };
            }
        }
    }
}
