//! The graph of difference constraints: terms on a circle, at fixed places, and for x − y ≤ c an edge from y to x with
//! the label ≤ c. A cycle with a negative sum is a contradiction.

use std::f64::consts::{FRAC_PI_2, TAU};

use crate::layout::{Arrow, Point, Size};
use crate::scene::{Drawing, Edge, Mark, Node, Rect, Row, Shape, fit};

/// The maximal number of drawn terms.
const DRAWN: usize = 28;
/// The maximal length of a name.
const LONGEST: usize = 14;
/// The least radius of the circle, and the distance between two terms on it.
const RADIUS: f64 = 110.0;
const GAP: f64 = 70.0;
/// More constraints need a larger circle.
const MANY: f64 = 10.0;
/// Places of labels along their edges, the best first: nearer to the start, so that labels of edges that cross or come
/// back keep apart.
const LABELS: [f64; 15] =
    [0.36, 0.5, 0.28, 0.43, 0.58, 0.22, 0.66, 0.32, 0.74, 0.18, 0.4, 0.54, 0.62, 0.7, 0.8];

/// A constraint: the difference of two terms is at most a bound.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// The number of the term that is subtracted.
    pub from: usize,
    /// The number of the other term.
    pub to: usize,
    /// The bound, as in `≤ 3`.
    pub bound: String,
    /// The constraint in words.
    pub title: String,
    /// Its roles.
    pub marks: Vec<(Mark, bool)>,
}

/// The graph of terms with their values (or empty texts), the first of which is zero; none if there are too many terms
/// to be drawn. Zero is drawn if a constraint has it.
#[must_use]
pub fn differences(terms: &[(String, String)], constraints: &[Difference]) -> Option<Drawing> {
    if terms.len() > DRAWN {
        return None;
    }
    let mut nodes: Vec<Node> = terms.iter().enumerate().map(term).collect();
    let widest = nodes.iter().map(|node| node.rect.width).fold(0.0, f64::max);
    let count = terms.len().max(1) as f64;
    let crowded = (constraints.len() as f64 / MANY).sqrt().max(1.0);
    let radius = (count * (widest + GAP) / TAU).max(RADIUS * crowded);
    for (number, node) in nodes.iter_mut().enumerate() {
        let angle = number as f64 / count * TAU - FRAC_PI_2;
        let centre = Point::new(1.15 * radius * angle.cos(), radius * angle.sin());
        node.rect = Rect::around(centre, Size::new(node.rect.width, node.rect.height));
    }
    let mut taken: Vec<Rect> = nodes.iter().map(|node| node.rect).collect();
    let mut edges: Vec<Edge> = Vec::new();
    for (number, constraint) in constraints.iter().enumerate() {
        // Several constraints between the same terms lie beside each other.
        let same = |other: &&Difference| (other.from, other.to) == (constraint.from, constraint.to);
        let before = constraints[..number].iter().filter(same).count();
        let edge = Edge::new(format!("d{number}"), constraint.from.to_string(), constraint.to.to_string())
            .labelled(constraint.bound.clone(), constraint.title.clone())
            .marked(&constraint.marks);
        let ends = (nodes[constraint.from].rect, nodes[constraint.to].rect);
        let with = |label: &f64| Edge { arrow: arrow(ends, before, *label), ..edge.clone() };
        // The first place of the label where it covers no node and no other label.
        let free =
            |edge: &Edge| edge.plate().is_none_or(|plate| !taken.iter().any(|other| other.meets(&plate)));
        let edge = LABELS.iter().map(with).find(free).unwrap_or_else(|| with(&LABELS[0]));
        taken.extend(edge.plate());
        edges.push(edge);
    }
    let zero = constraints.iter().any(|constraint| constraint.from == 0 || constraint.to == 0);
    let nodes = nodes.into_iter().skip(usize::from(!zero)).collect();
    Some(Drawing { nodes, edges, ..Drawing::default() }.bounded(16.0))
}

fn term((number, (name, value)): (usize, &(String, String))) -> Node {
    let mut rows = vec![Row::name(fit(name, LONGEST))];
    if value.is_empty() {
        return Node::new(number.to_string(), Shape::Ellipse, rows, name.clone());
    }
    rows.push(Row::name(format!("= {}", fit(value, LONGEST))));
    Node::new(number.to_string(), Shape::Ellipse, rows, format!("{name} = {value}"))
}

/// An arrow that bends to one side, so that there and back are two curves; further ones bend more. The label is after
/// this part of it.
fn arrow((from, to): (Rect, Rect), before: usize, label: f64) -> Arrow {
    let (start, end) = (from.centre(), to.centre());
    let bend = 0.12 + 0.13 * before as f64;
    let middle = Point::new(
        f64::midpoint(start.x, end.x) - (end.y - start.y) * bend,
        f64::midpoint(start.y, end.y) + (end.x - start.x) * bend,
    );
    Arrow::bent(on_border(from, middle), middle, on_border(to, middle), label)
}

/// Where the line from the centre of an ellipse to another point leaves it.
fn on_border(ellipse: Rect, to: Point) -> Point {
    let centre = ellipse.centre();
    let (x, y) = (to.x - centre.x, to.y - centre.y);
    let reach = (2.0 * x / ellipse.width).hypot(2.0 * y / ellipse.height).max(1e-6);
    Point::new(centre.x + x / reach, centre.y + y / reach)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(count: usize) -> Vec<(String, String)> {
        (0..count).map(|number| (format!("start_of_task_{number}"), (7 * number).to_string())).collect()
    }

    fn constraint(from: usize, to: usize) -> Difference {
        let (bound, title) = ("≤ 3".to_owned(), format!("{to} − {from} ≤ 3"));
        Difference { from, to, bound, title, marks: vec![(Mark::Conflict, from == 1)] }
    }

    #[test]
    fn terms_do_not_overlap_and_arrows_end_at_them() {
        for count in [2, 3, 9, DRAWN] {
            let constraints: Vec<Difference> =
                (0..count).flat_map(|from| [1, 2].map(|by| constraint(from, (from + by) % count))).collect();
            let constraints: Vec<Difference> = constraints.into_iter().filter(|c| c.from != c.to).collect();
            let drawing = differences(&terms(count), &constraints).expect("it can be drawn");
            for (i, node) in drawing.nodes.iter().enumerate() {
                assert!(drawing.nodes[..i].iter().all(|other| !node.rect.meets(&other.rect)), "{count}");
            }
            let plates: Vec<Rect> = drawing.edges.iter().filter_map(Edge::plate).collect();
            for (i, plate) in plates.iter().enumerate() {
                assert!(plates[..i].iter().all(|other| !other.meets(plate)), "labels of {count} terms");
                assert!(drawing.nodes.iter().all(|node| !node.rect.meets(plate)), "labels of {count} terms");
            }
            for edge in &drawing.edges {
                let target = drawing.node(&edge.target).expect("its target").rect;
                let at = Rect { x: edge.arrow.tip.x, y: edge.arrow.tip.y, width: 0.0, height: 0.0 };
                assert!(target.inset(-1.0).meets(&at), "{}", edge.title);
            }
        }
    }

    #[test]
    fn labels_keep_apart_where_all_terms_are_compared() {
        for count in 3..8 {
            let others = |from: usize| (0..count).filter(move |to| *to != from);
            let constraints: Vec<Difference> =
                (0..count).flat_map(|from| others(from).map(move |to| constraint(from, to))).collect();
            let names: Vec<(String, String)> =
                (0..count).map(|n| (format!("x{n}"), "1".to_owned())).collect();
            let drawing = differences(&names, &constraints).expect("it can be drawn");
            let plates: Vec<Rect> = drawing.edges.iter().filter_map(Edge::plate).collect();
            for (i, plate) in plates.iter().enumerate() {
                assert!(plates[..i].iter().all(|other| !other.meets(plate)), "labels of {count} terms");
                assert!(drawing.nodes.iter().all(|node| !node.rect.meets(plate)), "labels of {count} terms");
            }
        }
    }

    #[test]
    fn zero_is_drawn_where_something_is_compared_with_it() {
        let count = |constraints: &[Difference]| differences(&terms(4), constraints).map(|d| d.nodes.len());
        assert_eq!(count(&[constraint(1, 2)]), Some(3));
        assert_eq!(count(&[constraint(0, 2)]), Some(4));
        assert_eq!(differences(&terms(DRAWN + 1), &[]), None);
        let twice = differences(&terms(3), &[constraint(1, 2), constraint(1, 2)]).expect("it can be drawn");
        assert_ne!(twice.edges[0].arrow, twice.edges[1].arrow);
        assert!(twice.edges[0].marks.contains(&Mark::Conflict));
    }
}
