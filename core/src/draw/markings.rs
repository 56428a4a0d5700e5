//! The reachability graph of a net: its markings, and the firings between them.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use crate::draw::model::MARGIN;
use crate::draw::names::Names;
use crate::formats::net::edge_of;
use crate::layout::layered::Options;
use crate::net::{Marking, Net, TransitionId};
use crate::scene::{Body, Drawing, Edge, Mark, Node, Phrase, Row, Scene, Shape, Text, Thing, middle};
use crate::system::EdgeId;
use crate::text::count;

/// The greatest number of markings that are drawn.
pub(super) const MARKINGS: usize = 120;
/// The greatest length of the texts of markings and firings.
pub(super) const LONGEST: usize = 40;
/// The number of characters after which the text of a marking goes on in the next row, and the number of rows.
const WIDE: usize = 26;
const ROWS: usize = 5;
/// The end of the title of a dead marking.
pub(super) const DEAD: &str = ", dead";

/// The reachability graph, with the marking of a step; also, whether it is all of it.
pub(super) fn reachable(net: &Net, now: Option<&Marking>) -> (Scene, bool) {
    let mut markings = vec![net.initial()];
    let mut numbers: HashMap<Marking, usize> = HashMap::from([(net.initial(), 0)]);
    let (mut edges, mut dead, mut at, mut is_whole) = (Vec::new(), Vec::new(), 0, true);
    while at < markings.len() {
        let enabled: Vec<TransitionId> = net.enabled(&markings[at]).collect();
        dead.push(enabled.is_empty());
        for t in enabled {
            let mut after = markings[at].clone();
            if net.fire(&mut after, t).is_err() {
                is_whole = false;
                continue;
            }
            let next = markings.len();
            match numbers.get(&after) {
                Some(to) => edges.push((at, t, *to)),
                None if next < MARKINGS => {
                    numbers.insert(after.clone(), next);
                    markings.push(after);
                    edges.push((at, t, next));
                }
                None => is_whole = false,
            }
        }
        at += 1;
    }
    let names = Names::of(net);
    let node = |(number, marking): (usize, &Marking)| {
        let text = names.marking(marking);
        let rows = rows(&text);
        let title = if dead[number] { format!("{text}{DEAD}") } else { text };
        Node::new(format!("m{number}"), Shape::Box, rows, title)
            .marked(&[
                (Mark::Initial, number == 0),
                (Mark::Dead, dead[number]),
                (Mark::Current, now == Some(marking)),
            ])
            .about(u32::try_from(number).map(Thing::Marking))
    };
    let nodes: Vec<Node> = markings.iter().enumerate().map(node).collect();
    let drawing = graph(net, nodes, &edges);
    let deadlocks = dead.iter().filter(|dead| **dead).count();
    let caption = match is_whole {
        true => format!(
            "{}, {}, {}.",
            count(markings.len(), "marking"),
            count(edges.len(), "firing"),
            count(deadlocks, "dead marking")
        ),
        false => format!("The first {}; there are more.", count(markings.len(), "marking")),
    };
    (Scene::of("Reachability graph", Text::plain(&caption), Body::Drawing(Arc::new(drawing))), is_whole)
}

/// The drawing of markings and firings between them.
pub(super) fn graph(net: &Net, nodes: Vec<Node>, edges: &[(usize, TransitionId, usize)]) -> Drawing {
    // Several transitions between two markings are one edge.
    let mut all: BTreeMap<(usize, usize), Vec<TransitionId>> = BTreeMap::new();
    for (from, t, to) in edges {
        all.entry((*from, *to)).or_default().push(*t);
    }
    let names = Names::of(net);
    let keys: Vec<String> = nodes.iter().map(|node| node.key.clone()).collect();
    let edge = |((from, to), fired): (&(usize, usize), &Vec<TransitionId>)| {
        let fired_names: Vec<&str> = fired.iter().map(|t| names.transition(*t)).collect();
        let label = fired_names.join(", ");
        let mut edge = Edge::new(format!("{from}-{to}"), keys[*from].clone(), keys[*to].clone())
            .labelled(middle(&label, LONGEST), label);
        edge.about = fired.iter().map(|t| Thing::Edge(edge_of(*t))).collect();
        edge
    };
    let edges = all.iter().map(edge).collect();
    Drawing::layered(nodes, edges, 0, &Options { rank_gap: 30.0, margin: MARGIN, ..Options::default() })
}

/// The rows of the text of a marking: its places are kept whole, and there are a few rows at most.
pub(super) fn rows(text: &str) -> Vec<Row> {
    let mut rows: Vec<String> = Vec::new();
    for part in text.split(" + ") {
        match rows.last_mut() {
            Some(row) if row.chars().count() + part.chars().count() < WIDE => {
                row.push_str(" + ");
                row.push_str(part);
            }
            Some(row) => {
                row.push_str(" +");
                rows.push(part.to_owned());
            }
            None => rows.push(part.to_owned()),
        }
    }
    if rows.len() > ROWS {
        rows.truncate(ROWS);
        rows[ROWS - 1].push_str(" …");
    }
    rows.iter().map(|row| Row::name(middle(row, LONGEST))).collect()
}

/// The node of a marking, given as text.
fn node_of<'a>(drawing: &'a Drawing, marking: &str) -> Option<&'a Node> {
    let is_it = |node: &&Node| node.title.strip_suffix(DEAD).unwrap_or(&node.title) == marking;
    drawing.nodes.iter().find(is_it)
}

/// The scene of a reachability graph with another marking as the current one.
pub(super) fn with_current(scene: &Scene, marking: &str) -> Scene {
    let mut scene = scene.clone();
    for part in &mut scene.parts {
        let Body::Drawing(drawing) = &mut part.body else { continue };
        let here = node_of(drawing, marking).map(|node| node.key.clone());
        let is_graph = drawing.nodes.iter().any(|node| matches!(node.about[..], [Thing::Marking(_)]));
        if !is_graph {
            continue;
        }
        if here.is_none() {
            part.caption.0.push(Phrase::Plain(" The marking of the game is not among them.".to_owned()));
        }
        for node in &mut Arc::make_mut(drawing).nodes {
            node.marks.retain(|mark| *mark != Mark::Current);
            if here.as_ref() == Some(&node.key) {
                node.marks.push(Mark::Current);
            }
        }
    }
    scene
}

/// The shortest firing sequence of a reachability graph from one marking, given as text, to another, given by its
/// number; none if there is none in the drawing.
pub(super) fn firings(drawing: &Drawing, from: &str, to: u32) -> Option<Vec<EdgeId>> {
    let start = node_of(drawing, from)?.key.as_str();
    let goal = drawing.nodes.iter().find(|node| node.about.contains(&Thing::Marking(to)))?.key.as_str();
    let mut next: HashMap<&str, Vec<(&str, EdgeId)>> = HashMap::new();
    for edge in &drawing.edges {
        if let Some(Thing::Edge(t)) = edge.about.first() {
            next.entry(&edge.source).or_default().push((&edge.target, *t));
        }
    }
    let mut before: HashMap<&str, (&str, EdgeId)> = HashMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front().filter(|at| *at != goal) {
        for (after, t) in next.get(at).into_iter().flatten() {
            if *after != start && !before.contains_key(after) {
                before.insert(after, (at, *t));
                queue.push_back(after);
            }
        }
    }
    let mut fired = Vec::new();
    let mut at = goal;
    while at != start {
        let (previous, t) = *before.get(at)?;
        fired.push(t);
        at = previous;
    }
    fired.reverse();
    Some(fired)
}
