//! Büchi automata: accepting states with a double border, guards on the transitions, and current states of runs.

use crate::buchi::hoa::label_and_sets;
use crate::buchi::{Automaton, Guard, StateId};
use crate::edit::automaton::{Automaton as Drawn, EdgeText};
use crate::layout::Point;
use crate::layout::layered::Options;
use crate::scene::{Drawing, Edge, Mark, Node, Row, Shape, Thing, middle};
use crate::system::{EdgeId, LocationId, Role};

/// The maximal number of drawn states.
const DRAWN: usize = 80;
/// The maximal length of a drawn guard.
const LABEL: usize = 26;

/// The marks of a drawing.
#[derive(Default)]
pub struct Marked {
    /// The current states of runs, and whether the rest of the word is accepted from there.
    pub active: Vec<(StateId, bool)>,
    /// Transitions: a state and the number of the transition out of it.
    pub taken: Vec<(StateId, usize)>,
}

/// The automaton as a graph; none if it is too large to be drawn.
#[must_use]
pub fn automaton(automaton: &Automaton, marked: &Marked) -> Option<Drawing> {
    if automaton.states.len() > DRAWN {
        return None;
    }
    let plain = automaton.is_plain();
    let node = |q: StateId| {
        let active = marked.active.iter().find(|(p, _)| *p == q).map(|(_, alive)| *alive);
        let rows = vec![Row::name(q.to_string())];
        Node::new(q.to_string(), Shape::Ellipse, rows, format!("state {q}")).about([Thing::State(q)]).marked(
            &[
                (Mark::Initial, q == automaton.initial),
                (Mark::Accepting, plain && automaton.is_accepting(q)),
                (Mark::Active, active == Some(true)),
                (Mark::Lost, active == Some(false)),
            ],
        )
    };
    let mut guards = automaton.guards.clone();
    let mut edges = Vec::new();
    for from in automaton.ids() {
        for (number, t) in automaton.out(from).iter().enumerate() {
            let guard = match t.guard {
                Guard::TRUE => "true".to_owned(),
                guard => guards.text(guard, &|v| automaton.atoms[v as usize].clone()),
            };
            let sets: String =
                (0..automaton.marks).filter(|m| !plain && t.marks.has(*m)).map(circled).collect();
            let edge = Edge::new(format!("{from}.{number}"), from.to_string(), t.target.to_string());
            let label = format!("{}{sets}", middle(&guard, LABEL));
            edges.push(
                edge.labelled(label, format!("{guard}{sets}"))
                    .marked(&[(Mark::Taken, marked.taken.contains(&(from, number)))]),
            );
        }
    }
    let nodes = automaton.ids().map(node).collect();
    Some(Drawing::layered(nodes, edges, automaton.initial.index(), &options()))
}

/// The margin around a drawing.
const MARGIN: f64 = 28.0;

fn options() -> Options {
    Options { node_gap: 34.0, rank_gap: 26.0, margin: MARGIN, ..Options::default() }
}

/// An automaton as it is written, with states where a person put them; none if it is too large to be drawn. States and
/// transitions are given by their numbers: the current states with whether the rest of the word is accepted from there,
/// and the transitions of the next letter.
#[must_use]
pub fn drawn_automaton(drawn: &Drawn, active: &[(usize, bool)], taken: &[usize]) -> Option<Drawing> {
    if drawn.locations.len() > DRAWN {
        return None;
    }
    let key = |state: usize| format!("l{state}");
    let state = |name: &str| drawn.locations.iter().position(|(own, _)| own == name).unwrap_or_default();
    let node = |(state, (name, role)): (usize, &(String, Role))| {
        let active = active.iter().find(|(own, _)| *own == state).map(|(_, alive)| *alive);
        let accepting = drawn.accepting.contains(name);
        let roles = [(*role == Role::Initial, ", initial"), (accepting, ", accepting")];
        let roles: String = roles.iter().filter(|(has, _)| *has).map(|(_, text)| *text).collect();
        let rows = vec![Row::name(middle(name, LABEL))];
        let node = Node::new(key(state), Shape::Ellipse, rows, format!("state {name}{roles}"));
        node.about([Thing::Location(LocationId::new(state))]).marked(&[
            (Mark::Initial, *role == Role::Initial),
            (Mark::Accepting, accepting),
            (Mark::Active, active == Some(true)),
            (Mark::Lost, active == Some(false)),
        ])
    };
    let edge = |(number, edge): (usize, &EdgeText)| {
        let text = edge.statements.join(" ");
        let (label, sets) = label_and_sets(&text);
        let label = format!("{} {sets}", middle(label, LABEL)).trim_end().to_owned();
        let ends = (key(state(&edge.source)), key(state(&edge.target)));
        let mut line = Edge::new(format!("e{number}"), ends.0, ends.1).labelled(label, text.clone());
        line.about = vec![Thing::Edge(EdgeId::new(number))];
        line.marked(&[(Mark::Taken, taken.contains(&number))])
    };
    let nodes: Vec<Node> = drawn.locations.iter().enumerate().map(node).collect();
    let edges = drawn.edges.iter().enumerate().map(edge).collect();
    let initial = drawn.locations.iter().position(|(_, role)| *role == Role::Initial).unwrap_or_default();
    let drawing = Drawing::layered(nodes, edges, initial, &options());
    let pins = drawn.locations.iter().enumerate().filter_map(|(state, (name, _))| {
        let (x, y) = *drawn.pins.get(name)?;
        Some((key(state), Point::new(f64::from(x), f64::from(y))))
    });
    let pins: Vec<(String, Point)> = pins.collect();
    Some(if pins.is_empty() { drawing } else { drawing.pinned(&pins, MARGIN) })
}

/// The sign of an acceptance set.
fn circled(set: u32) -> char {
    char::from_u32(0x2460 + set).filter(|_| set < 20).unwrap_or('•')
}
