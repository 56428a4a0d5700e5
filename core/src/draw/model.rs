//! The model as a control flow automaton: locations and edges, with the location of the step and, below each location,
//! the labels of the nodes of the reachability graph there.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::draw::Step;
use crate::draw::graph::lead;
use crate::kit::Journal;
use crate::layout::layered::Options;
use crate::layout::{Point, in_order_of};
use crate::scene::{
    Anchor, Body, Drawing, Edge, Label, Mark, Node, Rect, Row, Scene, Shape, Text, Thing, middle, width,
};
use crate::system::{EdgeId, LocationId, Role, System};
use crate::text::{count, operation};
use crate::views::ArgNodeView;

const LONGEST_NAME: usize = 28;
const LONGEST_LABEL: usize = 34;
/// The longest label of nodes below a location, unless the next location is nearer.
const LONGEST_FACTS: usize = 30;
/// With room for fewer characters there is no label.
const SHORTEST_FACTS: usize = 7;

/// A label within this distance below a node would be read as its label.
const BELOW: f64 = 24.0;

/// The scene, at a step if there is one.
pub(super) fn scene(drawing: &Drawing, step: Option<&Step<'_>>) -> Scene {
    let (l, e) = (count(drawing.nodes.len(), "location"), count(drawing.edges.len(), "edge"));
    let drawing = step.map_or_else(|| drawing.clone(), |step| at(drawing, &Taken::of(drawing), step));
    Scene::of("Control flow automaton", Text::plain(&format!("{l}, {e}.")), Body::Drawing(Arc::new(drawing)))
}

/// The margin around the drawing.
pub const MARGIN: f64 = 24.0;

/// The drawing of a model.
pub(super) fn model(system: &System) -> Drawing {
    let nodes = system.location_ids().map(|l| location(system, l)).collect();
    let edges = gathered(system.edge_ids().map(|e| edge(system, e)).collect());
    let options = Options { rank_gap: 28.0, margin: MARGIN, ..Options::default() };
    let drawing = Drawing::layered(nodes, edges, system.initial.index(), &options);
    if system.pins.is_empty() { drawing } else { pinned(drawing, system, options.margin) }
}

/// The drawing with locations where a person put them.
#[inline(never)]
fn pinned(drawing: Drawing, system: &System, margin: f64) -> Drawing {
    let pin = |id: LocationId| {
        let (x, y) = *system.pins.get(&system.location(id).name)?;
        Some((format!("l{}", id.0), Point::new(f64::from(x), f64::from(y))))
    };
    let pins: Vec<(String, Point)> = system.location_ids().filter_map(pin).collect();
    drawing.pinned(&pins, margin)
}

/// More loops at one location are drawn as one edge.
const LOOPS: usize = 3;

/// Edges, of which many loops at one location are one.
fn gathered(edges: Vec<Edge>) -> Vec<Edge> {
    let mut loops: BTreeMap<&str, usize> = BTreeMap::new();
    for edge in edges.iter().filter(|edge| edge.source == edge.target) {
        *loops.entry(&edge.source).or_default() += 1;
    }
    let many: Vec<String> =
        loops.into_iter().filter(|(_, count)| *count > LOOPS).map(|(key, _)| key.to_owned()).collect();
    let mut drawn: Vec<Edge> = Vec::new();
    for edge in edges {
        let is_one = edge.source == edge.target && many.contains(&edge.source);
        let same = |first: &&mut Edge| first.source == edge.source && first.target == edge.source;
        let first = if is_one { drawn.iter_mut().find(same) } else { None };
        match first {
            Some(first) => {
                first.title = format!("{}\n{}", first.title, edge.title);
                first.about.extend(edge.about);
                first.label = count(first.about.len(), "edge");
            }
            None => drawn.push(edge),
        }
    }
    drawn
}

/// The edges of the model that an edge stands for.
fn edges_of(edge: &Edge) -> Vec<EdgeId> {
    let id = |thing: &Thing| if let Thing::Edge(id) = thing { Some(*id) } else { None };
    edge.about.iter().filter_map(id).collect()
}

/// The drawing, which takes these places, with what a step adds.
pub(super) fn at(drawing: &Drawing, taken: &Taken, step: &Step<'_>) -> Drawing {
    let mut drawing = drawing.clone();
    let current = current(&drawing, step);
    let mut here: BTreeMap<LocationId, Vec<&ArgNodeView>> = BTreeMap::new();
    for (_, node) in step.graph.live() {
        here.entry(step.journal.names.place(node.label.location)).or_default().push(node);
    }
    let named = here.iter().filter_map(|(id, nodes)| Some((drawing.node(&format!("l{}", id.0))?, nodes)));
    let named: Vec<(&Node, &Vec<&ArgNodeView>)> = named.collect();
    let counted = |(node, nodes): &(&Node, &Vec<&ArgNodeView>)| Label {
        text: nodes.len().to_string(),
        at: Point::new(node.rect.right() + 5.0, node.rect.y + 2.0),
        anchor: Anchor::Start,
        marks: vec![Mark::Muted],
    };
    let mut labels: Vec<Label> =
        named.iter().filter(|(node, _)| !node.is(Mark::Between)).map(counted).collect();
    let mut others: Vec<Rect> = labels.iter().map(Label::rect).collect();
    for (node, nodes) in &named {
        let known = known((taken, &others), node.rect, &facts(step.journal, nodes));
        others.extend(known.as_ref().map(Label::rect));
        labels.extend(known);
    }
    for node in &mut drawing.nodes {
        let [Thing::Location(id)] = node.about[..] else { continue };
        let there = count(here.get(&id).map_or(0, Vec::len), "node");
        node.title.push_str(&format!(", {there} there"));
        if current == Some(id) {
            node.marks.push(Mark::Current);
        }
    }
    let names = &step.journal.names;
    for edge in &mut drawing.edges {
        let ids = edges_of(edge);
        if !ids.is_empty() && ids.iter().all(|id| names.sliced.contains(id)) {
            edge.marks.push(Mark::Sliced);
            edge.title.push_str(" (removed by slicing, completely or in part)");
        }
        let Some(subject) = step.subjects.edges.iter().rev().find(|id| ids.contains(id)) else { continue };
        let last = step.subjects.edges.last() == Some(subject);
        edge.marks.push(if last { Mark::Taken } else { Mark::Trail });
    }
    drawing.labels = labels;
    drawing.bounded(MARGIN)
}

fn location(system: &System, id: LocationId) -> Node {
    let location = system.location(id);
    let role = match location.role {
        Role::Plain => "",
        Role::Initial => ", initial",
        Role::Final => ", final",
        Role::Error => ", error",
    };
    let title = format!("{}, location{role}", location.name);
    let between = location.anonymous && location.role == Role::Plain;
    let key = format!("l{}", id.0);
    let mut node = if between {
        Node::new(key, Shape::Ellipse, Vec::new(), title)
    } else {
        Node::new(key, Shape::Pill, vec![Row::name(middle(&location.name, LONGEST_NAME))], title)
    };
    if between {
        (node.rect.width, node.rect.height) = (14.0, 14.0);
    }
    node.about([Thing::Location(id)]).marked(&[
        (Mark::Initial, location.role == Role::Initial),
        (Mark::Final, location.role == Role::Final),
        (Mark::Error, location.role == Role::Error),
        (Mark::Between, between),
    ])
}

fn edge(system: &System, id: EdgeId) -> Edge {
    let edge = system.edge(id);
    let text = operation(&edge.label);
    let (source, target) = (format!("l{}", edge.source.0), format!("l{}", edge.target.0));
    let mut drawn =
        Edge::new(format!("e{}", id.0), source, target).labelled(middle(&text, LONGEST_LABEL), text);
    drawn.about = vec![Thing::Edge(id)];
    drawn
}

/// The location of the step: that of the node that the graph marks; without a graph the end of a path, or else the
/// first subject.
fn current(drawing: &Drawing, step: &Step<'_>) -> Option<LocationId> {
    let subjects = step.subjects;
    if let Some(node) = lead(step).and_then(|id| step.graph.nodes.get(id.index())) {
        return Some(step.journal.names.place(node.label.location));
    }
    let known = |id: &EdgeId| drawing.edges.iter().find(|edge| edge.about.contains(&Thing::Edge(*id)));
    // A block comes with the edges in it, and is no path.
    let path = subjects.edges.len() > 1 && subjects.edges.iter().all(|id| known(id).is_some());
    let end =
        subjects.edges.last().filter(|_| path).and_then(known).and_then(|edge| drawing.node(&edge.target));
    let end = end.and_then(|node| match node.about[..] {
        [Thing::Location(id)] => Some(id),
        _ => None,
    });
    end.or_else(|| subjects.locations.first().copied())
}

/// The maximal number of nodes whose labels are read.
const READ: usize = 64;

/// The facts of the nodes at a location: those of the first of them, and whether others differ; none if there is a node
/// without facts.
fn facts(journal: &Journal, nodes: &[&ArgNodeView]) -> (Vec<String>, bool) {
    if nodes.iter().any(|node| node.label.is_top()) {
        return (Vec::new(), false);
    }
    let mut all = nodes.iter().take(READ).map(|node| journal.facts(&node.label));
    let first = all.next().unwrap_or_default();
    let differ = all.any(|facts| facts != first);
    (first, differ)
}

/// The places of what a drawing has, where no label can be.
#[derive(PartialEq)]
pub struct Taken {
    /// Nodes and labels of edges.
    rects: Vec<Rect>,
    /// The number of nodes.
    nodes: usize,
    /// Points along the edges, from above.
    points: Vec<Point>,
}

impl Taken {
    /// Those of a drawing.
    #[must_use]
    pub fn of(drawing: &Drawing) -> Taken {
        let plates = drawing.edges.iter().filter_map(Edge::plate);
        let points: Vec<Point> = drawing.edges.iter().flat_map(Edge::along).collect();
        let mut order: Vec<usize> = (0..points.len()).collect();
        in_order_of(&mut order, &|at| points[at].y);
        Taken {
            rects: drawing.nodes.iter().map(|node| node.rect).chain(plates).collect(),
            nodes: drawing.nodes.len(),
            points: order.into_iter().map(|at| points[at]).collect(),
        }
    }

    /// The points at the height of a rectangle.
    fn beside(&self, row: Rect) -> &[Point] {
        let first = self.points.partition_point(|p| p.y <= row.y);
        &self.points[first..self.points.partition_point(|p| p.y < row.bottom()).max(first)]
    }

    /// The number of characters that have room in a label, up to the next thing on its way; `others` are labels, too.
    fn room(&self, label: &Label, own: Rect, others: &[Rect]) -> usize {
        let row = label.rect();
        let ahead = |from: f64, to: f64| match label.anchor {
            Anchor::Start => (to > label.at.x).then_some(from - label.at.x),
            Anchor::Middle | Anchor::End => (from < label.at.x).then_some(label.at.x - to),
        };
        let rects = self.rects.iter().chain(others).filter(|r| r.y < row.bottom() && row.y < r.bottom());
        // Just below another node it would be taken for the label of that one.
        let is_above = |r: &&Rect| **r != own && r.bottom() <= row.y && row.y < r.bottom() + BELOW;
        let above = self.rects[..self.nodes].iter().filter(is_above);
        let distances = rects.chain(above).filter_map(|r| ahead(r.x, r.right()));
        let points = self.beside(row).iter().filter_map(|p| ahead(p.x - 4.0, p.x + 4.0));
        let free = distances.chain(points).map(|free| free.max(0.0) / width("x"));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few characters")]
        let room = free.fold(LONGEST_FACTS as f64 + 1.0, f64::min) as usize;
        room
    }
}

/// The label of the nodes at a location: where there is most room for it beside or below its rectangle. It covers
/// nothing; where there is no room, there is none.
fn known(
    (taken, others): (&Taken, &[Rect]),
    rect: Rect,
    (facts, differ): &(Vec<String>, bool),
) -> Option<Label> {
    if facts.is_empty() {
        return None;
    }
    let or = if *differ { " or …" } else { "" };
    let (middle, below) = (rect.centre().y + 8.0, rect.bottom() + 18.0);
    let places = [
        (rect.centre().x + 12.0, below, Anchor::Start),
        (rect.centre().x - 12.0, below, Anchor::End),
        (rect.right() + 8.0, middle, Anchor::Start),
        (rect.x - 8.0, middle, Anchor::End),
    ];
    let at =
        |(x, y, anchor)| Label { at: Point::new(x, y), anchor, marks: vec![Mark::Known], ..Label::default() };
    let rooms = places.map(at).map(|label| (taken.room(&label, rect, others), label));
    // The first of the places with most room.
    let (room, mut label) =
        rooms.into_iter().reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    let room = room.checked_sub(or.chars().count() + 1).filter(|room| *room >= SHORTEST_FACTS)?;
    label.text = whole(facts, room) + or;
    Some(label)
}

/// As many facts as there is room for, and the number of the others; a single one is shortened if it is too long.
fn whole(facts: &[String], room: usize) -> String {
    let text = |shown: usize| match facts.len() - shown {
        0 => facts.join(", "),
        left => format!("{} +{left}", facts[..shown].join(", ")),
    };
    let fits = |shown: &usize| text(*shown).chars().count() <= room;
    let most = (1..=facts.len()).rev().find(fits);
    most.map_or_else(|| middle(&facts.join(", "), room), text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Kind, load_for};

    #[test]
    fn many_loops_at_one_location_are_one_edge() {
        let system = |loops: usize| {
            let edges: String = (0..loops).map(|n| format!("a -> a {{ x := x + {n} }}\n")).collect();
            let text = format!(
                "main process p {{ var x : int\n init loc a\n error loc e\n {edges} a -> e {{ assume x < 0 }} }}"
            );
            load_for(Kind::Cfa, &text, None).expect("a model")
        };
        assert_eq!(model(&system(LOOPS)).edges.len(), LOOPS + 1);
        let drawing = model(&system(LOOPS + 2));
        let [all, other] = &drawing.edges[..] else { panic!("{:?}", drawing.edges) };
        assert_eq!((all.label.as_str(), edges_of(all).len(), edges_of(other).len()), ("5 edges", 5, 1));
        assert_eq!(all.title.lines().count(), 5);
        assert!(!all.arrow.path.is_empty());
    }

    #[test]
    fn facts_are_left_out_rather_than_cut() {
        let facts: Vec<String> = ["x <= 0", "y <= 100", "z <= 7"].map(str::to_owned).to_vec();
        assert_eq!(whole(&facts, 40), "x <= 0, y <= 100, z <= 7");
        assert_eq!(whole(&facts, 20), "x <= 0, y <= 100 +1");
        assert_eq!(whole(&facts, 10), "x <= 0 +2");
        assert_eq!(whole(&facts[1..2], 5).chars().count(), 5);
    }
}
