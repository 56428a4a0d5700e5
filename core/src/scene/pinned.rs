//! Nodes at places that a person chose, and the edges at them.

use std::collections::BTreeMap;

use crate::layout::{Arrow, Point, Size};
use crate::scene::{Drawing, Edge, Rect, svg};

/// The bend of an edge that is not the only one between two nodes, and how much more each further one bends, in parts
/// of its length.
const BEND: f64 = 0.14;
const MORE: f64 = 0.16;
/// The places of labels along their edges, the best first.
const LABELS: [f64; 7] = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78];

impl Drawing {
    /// Moves the centres of nodes, given by their keys, to these places. The edges at them are drawn from node to node;
    /// other edges stay as they are.
    #[must_use]
    pub fn pinned(mut self, pins: &[(String, Point)], margin: f64) -> Drawing {
        let mut moved: BTreeMap<String, Point> = BTreeMap::new();
        for (key, at) in pins {
            let Some(node) = self.nodes.iter_mut().find(|node| node.key == *key) else { continue };
            let before = node.rect.centre();
            node.rect = Rect::around(*at, Size::new(node.rect.width, node.rect.height));
            moved.insert(key.clone(), Point::new(at.x - before.x, at.y - before.y));
        }
        if moved.is_empty() {
            return self;
        }
        let at_pin = |edge: &Edge| moved.contains_key(&edge.source) || moved.contains_key(&edge.target);
        let rects: BTreeMap<&str, Rect> =
            self.nodes.iter().map(|node| (node.key.as_str(), node.rect)).collect();
        let mut taken: Vec<Rect> = rects.values().copied().collect();
        taken.extend(self.edges.iter().filter(|edge| !at_pin(edge)).filter_map(Edge::plate));
        let count = |pairs: &BTreeMap<(String, String), usize>, from: &str, to: &str| {
            pairs.get(&(from.to_owned(), to.to_owned())).copied().unwrap_or(0)
        };
        let mut all: BTreeMap<(String, String), usize> = BTreeMap::new();
        for edge in &self.edges {
            *all.entry((edge.source.clone(), edge.target.clone())).or_default() += 1;
        }
        let mut drawn = BTreeMap::new();
        for edge in self.edges.iter_mut().filter(|edge| at_pin(edge)) {
            if edge.source == edge.target {
                edge.arrow = shifted(&edge.arrow, moved[&edge.source]);
            } else if let (Some(from), Some(to)) =
                (rects.get(edge.source.as_str()), rects.get(edge.target.as_str()))
            {
                let (there, back) =
                    (count(&all, &edge.source, &edge.target), count(&all, &edge.target, &edge.source));
                let before = drawn.entry((edge.source.clone(), edge.target.clone())).or_insert(0_usize);
                let bend = if there + back == 1 { 0.0 } else { BEND + MORE * *before as f64 };
                *before += 1;
                let at = |label: &f64| Edge { arrow: between(*from, *to, bend, *label), ..edge.clone() };
                let free =
                    |edge: &Edge| edge.plate().is_none_or(|plate| !taken.iter().any(|t| t.meets(&plate)));
                edge.arrow = LABELS.iter().map(at).find(free).unwrap_or_else(|| at(&LABELS[0])).arrow;
            }
            taken.extend(edge.plate());
        }
        self.bounded(margin)
    }
}

/// An arrow from one rectangle to another that bends to one side, so that there and back are two curves.
fn between(from: Rect, to: Rect, bend: f64, label: f64) -> Arrow {
    let (start, end) = (from.centre(), to.centre());
    let towards = Point::new(
        f64::midpoint(start.x, end.x) - (end.y - start.y) * bend,
        f64::midpoint(start.y, end.y) + (end.x - start.x) * bend,
    );
    Arrow::bent(on_border(from, towards), towards, on_border(to, towards), label)
}

/// Where the line from the centre of a rectangle to another point leaves it.
fn on_border(rect: Rect, to: Point) -> Point {
    let centre = rect.centre();
    let (x, y) = (to.x - centre.x, to.y - centre.y);
    let reach = (2.0 * x.abs() / rect.width).max(2.0 * y.abs() / rect.height).max(1e-6);
    Point::new(centre.x + x / reach, centre.y + y / reach)
}

fn shifted(arrow: &Arrow, by: Point) -> Arrow {
    let moved = |point: Point| Point::new(point.x + by.x, point.y + by.y);
    Arrow {
        path: svg::shifted(&arrow.path, by),
        tip: moved(arrow.tip),
        label: moved(arrow.label),
        angle: arrow.angle,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::layered::Options;
    use crate::scene::{Node, Row, Shape};

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
    }
}
