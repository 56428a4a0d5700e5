//! Nodes at places that a person chose, and the edges at them.

use std::collections::BTreeMap;

use crate::layout::{Arrow, Point, Size};
use crate::scene::place::Side;
use crate::scene::svg::along;
use crate::scene::{Drawing, Edge, Node, Rect, Shape};

/// The bend of an edge that is not the only one between two nodes, and how much more each further one bends, in parts
/// of its length.
const BEND: f64 = 0.14;
const MORE: f64 = 0.16;
/// What an edge bends more to pass other nodes, the best first.
const PASSING: [f64; 7] = [0.0, 0.18, -0.18, 0.34, -0.34, 0.5, -0.5];
/// With more nodes and labels, no free place is searched for.
const CROWDED: usize = 2_000;
/// With more nodes, edges do not pass others.
const COMPARED: usize = 300;
/// The places of labels along their edges, the best first.
const LABELS: [f64; 7] = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78];

/// The sides of a node at which loops are drawn, the best first. From the left comes the mark of an initial node.
const SIDES: [(f64, f64); 4] = [(1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (-1.0, 0.0)];

impl Drawing {
    /// Moves the centres of nodes, given by their keys, to these places. The edges at them are drawn from node to node,
    /// around other nodes where there is room; other edges stay as they are. Names beside nodes are at a side that is
    /// free.
    #[must_use]
    pub fn pinned(mut self, pins: &[(String, Point)], margin: f64) -> Drawing {
        let pins: BTreeMap<&str, Point> = pins.iter().map(|(key, at)| (key.as_str(), *at)).collect();
        for node in &mut self.nodes {
            if let Some(at) = pins.get(node.key.as_str()) {
                node.rect = Rect::around(*at, Size::new(node.rect.width, node.rect.height));
            }
        }
        for (number, arrow) in self.arrows(&pins) {
            self.edges[number].arrow = arrow;
        }
        self.place_names(&pins);
        self.bounded(margin)
    }

    /// The arrows of the edges at pinned nodes. Labels cover neither nodes nor other labels where there is room.
    fn arrows(&self, pins: &BTreeMap<&str, Point>) -> Vec<(usize, Arrow)> {
        let leads_to_pin =
            |edge: &Edge| [&edge.source, &edge.target].iter().any(|end| pins.contains_key(end.as_str()));
        let beside: Vec<&str> = self
            .edges
            .iter()
            .filter(|edge| leads_to_pin(edge))
            .flat_map(|edge| [edge.source.as_str(), edge.target.as_str()])
            .collect();
        // A pinned node can be where a loop at another one was.
        let at_pin = |edge: &Edge| {
            leads_to_pin(edge) || edge.source == edge.target && beside.contains(&edge.source.as_str())
        };
        let nodes: BTreeMap<&str, &Node> = self.nodes.iter().map(|node| (node.key.as_str(), node)).collect();
        let mut taken: Vec<Rect> = self.nodes.iter().map(|node| node.rect).collect();
        taken.extend(self.edges.iter().filter(|edge| !at_pin(edge)).filter_map(Edge::plate));
        // Those between the same nodes, in both directions.
        let mut between: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for edge in &self.edges {
            *between.entry(ends(edge)).or_default() += 1;
        }
        let mut before: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let mut arrows = Vec::new();
        for (number, edge) in self.edges.iter().enumerate().filter(|(_, edge)| at_pin(edge)) {
            let (Some(from), Some(to)) = (nodes.get(edge.source.as_str()), nodes.get(edge.target.as_str()))
            else {
                continue;
            };
            let same = before.entry((&edge.source, &edge.target)).or_default();
            let bend = if between[&ends(edge)] == 1 { 0.0 } else { BEND + MORE * *same as f64 };
            let way = Way { from, to, bend, loops: *same, others: &self.nodes };
            let arrow = match edge.source == edge.target {
                true => way.looped(edge, &self.neighbours(&edge.source), &taken),
                false => way.arrow(edge, &taken),
            };
            *same += 1;
            taken.extend(Edge { arrow: arrow.clone(), ..edge.clone() }.plate());
            arrows.push((number, arrow));
        }
        arrows
    }

    /// Moves the names beside pinned nodes and their neighbours to the first side where they cover nothing.
    fn place_names(&mut self, pins: &BTreeMap<&str, Point>) {
        if pins.is_empty() || self.nodes.len() > CROWDED {
            return;
        }
        let numbers: BTreeMap<&str, usize> =
            self.nodes.iter().enumerate().map(|(number, node)| (node.key.as_str(), number)).collect();
        let mut changes: Vec<bool> =
            self.nodes.iter().map(|node| pins.contains_key(node.key.as_str())).collect();
        for edge in &self.edges {
            let ends = [edge.source.as_str(), edge.target.as_str()];
            if ends.iter().any(|end| pins.contains_key(end)) {
                ends.iter().filter_map(|end| numbers.get(end)).for_each(|number| changes[*number] = true);
            }
        }
        let is_own = |number: &usize| changes[*number] && self.nodes[*number].name_rect().is_some();
        let own: Vec<usize> = (0..self.nodes.len()).filter(is_own).collect();
        if own.is_empty() {
            return;
        }
        let mut taken: Vec<Rect> = self.nodes.iter().map(|node| node.rect).collect();
        taken.extend(self.edges.iter().filter_map(Edge::plate));
        let others = self.nodes.iter().enumerate().filter(|(number, _)| !own.contains(number));
        taken.extend(others.filter_map(|(_, node)| node.name_rect()));
        for number in own {
            let own = &self.nodes[number];
            let at = |edge: &&Edge| edge.source == own.key || edge.target == own.key;
            let arcs: Vec<Point> = self.edges.iter().filter(at).flat_map(Edge::along).collect();
            let point = |p: &Point| Rect { x: p.x, y: p.y, ..Rect::default() };
            let covered = |side: &Side| {
                let name = Node { side: Some(*side), ..own.clone() }.name_rect().unwrap_or_default();
                let crossed = arcs.iter().filter(|p| name.meets(&point(p))).count();
                // A name that arcs cross can be read, one that is on another cannot.
                (taken.iter().map(|other| overlap(&name, other)).sum::<f64>(), crossed as f64)
            };
            let better = |a: &Side, b: &Side| {
                let (a, b) = (covered(a), covered(b));
                a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
            };
            let side = Side::ALL.into_iter().min_by(better);
            self.nodes[number].side = side;
            taken.extend(self.nodes[number].name_rect());
        }
    }

    /// The centres of the nodes that edges connect with a node.
    fn neighbours(&self, key: &str) -> Vec<Point> {
        let other = |edge: &Edge| match (edge.source == key, edge.target == key) {
            (true, false) => self.node(&edge.target),
            (false, true) => self.node(&edge.source),
            _ => None,
        };
        self.edges.iter().filter_map(other).map(|node| node.rect.centre()).collect()
    }
}

/// The area that two rectangles share.
fn overlap(a: &Rect, b: &Rect) -> f64 {
    let along = |from: f64, to: f64| (to - from).max(0.0);
    let width = along(a.x.max(b.x), a.right().min(b.right()));
    width * along(a.y.max(b.y), a.bottom().min(b.bottom()))
}

/// The keys of both ends, in order.
fn ends(edge: &Edge) -> (&str, &str) {
    let (source, target) = (edge.source.as_str(), edge.target.as_str());
    (source.min(target), source.max(target))
}

/// The ends of an edge, and its bend or, for a loop, the number of loops before it.
struct Way<'a> {
    from: &'a Node,
    to: &'a Node,
    bend: f64,
    loops: usize,
    others: &'a [Node],
}

impl Way<'_> {
    /// A loop: at a side to which no other edge leads, where its label covers nothing.
    fn looped(&self, edge: &Edge, neighbours: &[Point], taken: &[Rect]) -> Arrow {
        let (node, centre) = (self.from.rect, self.from.rect.centre());
        let label = edge.plate().map_or(Size::default(), |plate| Size::new(plate.width, plate.height));
        let at = |(x, y): (f64, f64)| {
            let side = Point::new(centre.x + x * node.width / 2.0, centre.y + y * node.height / 2.0);
            Edge { arrow: Arrow::looped(side, (x, y), self.loops, label), ..edge.clone() }
        };
        let leads_there = |(x, y): (f64, f64), to: &Point| {
            let (right, down) = (to.x - centre.x, to.y - centre.y);
            let (along, across) = (right * x + down * y, (right * y - down * x).abs());
            along > 0.0 && along >= across
        };
        let is_free = |side: &(f64, f64)| {
            let covers =
                |edge: &Edge| edge.plate().is_some_and(|plate| taken.iter().any(|other| other.meets(&plate)));
            !neighbours.iter().any(|to| leads_there(*side, to)) && !covers(&at(*side))
        };
        let side = SIDES.into_iter().find(is_free).unwrap_or(SIDES[0]);
        at(side).arrow
    }

    fn arrow(&self, edge: &Edge, taken: &[Rect]) -> Arrow {
        let bend = self.passing();
        let at = |label: &f64| Edge { arrow: between(self.from, self.to, bend, *label), ..edge.clone() };
        let free =
            |edge: &Edge| edge.plate().is_none_or(|plate| !taken.iter().any(|other| other.meets(&plate)));
        let places = if taken.len() > CROWDED { &LABELS[..0] } else { &LABELS[..] };
        places.iter().map(at).find(free).unwrap_or_else(|| at(&LABELS[0])).arrow
    }

    /// A bend with which no other node is on the way, if there is one.
    fn passing(&self) -> f64 {
        let is_end = |node: &Node| std::ptr::eq(node, self.from) || std::ptr::eq(node, self.to);
        let others = || self.others.iter().filter(|node| !is_end(node));
        let is_free = |bend: &f64| {
            let arrow = between(self.from, self.to, *bend, LABELS[0]);
            let way = along(&arrow.path);
            !others().any(|node| {
                way.iter().any(|p| node.rect.inset(-3.0).meets(&Rect { x: p.x, y: p.y, ..Rect::default() }))
            })
        };
        let bends = PASSING.iter().map(|more| self.bend + more);
        let most = if self.others.len() > COMPARED { 0 } else { PASSING.len() };
        bends.take(most).find(is_free).unwrap_or(self.bend)
    }
}

/// An arrow from one node to another that bends to one side, so that there and back are two curves.
fn between(from: &Node, to: &Node, bend: f64, label: f64) -> Arrow {
    let (start, end) = (from.rect.centre(), to.rect.centre());
    let towards = Point::new(
        f64::midpoint(start.x, end.x) - (end.y - start.y) * bend,
        f64::midpoint(start.y, end.y) + (end.x - start.x) * bend,
    );
    Arrow::bent(on_border(from, towards), towards, on_border(to, towards), label)
}

/// Where the line from the centre of a node to another point leaves it: a rectangle with sharp corners, or a pill.
fn on_border(node: &Node, to: Point) -> Point {
    let rect = node.rect;
    let (centre, radius) = (rect.centre(), rect.height / 2.0);
    let straight = (rect.width / 2.0 - radius).max(0.0);
    let (x, y) = (to.x - centre.x, to.y - centre.y);
    let length = x.hypot(y);
    if length < 1e-6 {
        // The nodes lie on each other.
        return centre;
    }
    let (x, y) = (x / length, y / length);
    let reach = if node.shape == Shape::Tile {
        // The nearer of both sides.
        (radius / y.abs()).min(rect.width / 2.0 / x.abs())
    } else if x.abs() * radius <= straight * y.abs() {
        radius / y.abs()
    } else {
        straight * x.abs() + (radius * radius - (straight * y).powi(2)).max(0.0).sqrt()
    };
    Point::new(centre.x + x * reach, centre.y + y * reach)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::layered::Options;
    use crate::scene::Row;

    fn drawing(edges: &[(usize, usize)]) -> Drawing {
        let node =
            |n: usize| Node::new(n.to_string(), Shape::Pill, vec![Row::name(format!("l{n}"))], String::new());
        let edge = |(i, (from, to)): (usize, &(usize, usize))| {
            Edge::new(format!("e{i}"), from.to_string(), to.to_string())
                .labelled(format!("x := {i}"), String::new())
        };
        let edges = edges.iter().enumerate().map(edge).collect();
        Drawing::layered((0..4).map(node).collect(), edges, 0, &Options::default())
    }

    #[test]
    fn edges_at_a_node_that_was_moved_end_at_it_and_others_stay() {
        let before = drawing(&[(0, 1), (1, 2), (2, 1), (1, 1), (2, 3), (1, 2)]);
        let at = Point::new(300.0, 40.0);
        let after = before.clone().pinned(&[("1".to_owned(), at), ("9".to_owned(), at)], 16.0);
        assert!((after.nodes[1].rect.centre().x - 300.0).abs() < 0.1);
        assert_eq!(before.edges[4], after.edges[4], "not at the node");
        for (i, edge) in after.edges.iter().enumerate() {
            let tip = Rect { x: edge.arrow.tip.x, y: edge.arrow.tip.y, width: 0.0, height: 0.0 };
            assert!(after.node(&edge.target).expect("a node").rect.inset(-1.0).meets(&tip), "edge {i}");
            let plate = edge.plate().expect("a label");
            let others = after.edges[..i].iter().filter_map(Edge::plate);
            assert!(
                others.chain(after.nodes.iter().map(|n| n.rect)).all(|other| !other.meets(&plate)),
                "label {i}"
            );
        }
        assert_eq!(before.clone().pinned(&[], 16.0), before);
        // A loop is not at the side where another node is.
        let right = Point::new(at.x + 120.0, at.y);
        let beside =
            drawing(&[(0, 1), (0, 0)]).pinned(&[("0".to_owned(), at), ("1".to_owned(), right)], 16.0);
        let (node, tip) = (beside.nodes[0].rect, beside.edges[1].arrow.tip);
        assert!(tip.y <= node.y + 0.1 && (tip.x - node.centre().x).abs() < 6.0, "the loop is above: {tip:?}");
        let by_itself = drawing(&[(0, 1), (0, 0)]);
        let right =
            Point::new(by_itself.nodes[0].rect.centre().x + 120.0, by_itself.nodes[0].rect.centre().y);
        let beside = by_itself.pinned(&[("1".to_owned(), right)], 16.0);
        assert!(
            beside.edges[1].arrow.tip.y <= beside.nodes[0].rect.y + 0.1,
            "also at a node without a place"
        );
        let on_another = before.clone().pinned(&[("1".to_owned(), before.nodes[2].rect.centre())], 16.0);
        assert!(
            on_another
                .edges
                .iter()
                .all(|edge| edge.arrow.tip.x.is_finite() && edge.arrow.label.x.is_finite())
        );
    }
}
