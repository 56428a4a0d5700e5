//! Büchi automata: accepting states with a double border, guards on the transitions, and current states of runs.

use crate::buchi::{Automaton, Guard, StateId};
use crate::layout::layered::Options;
use crate::scene::{Drawing, Edge, Mark, Node, Row, Shape, Thing, middle};

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
    let options =
        Options { corner: 21.0, node_gap: 34.0, rank_gap: 26.0, margin: 28.0, ..Options::default() };
    let nodes = automaton.ids().map(node).collect();
    Some(Drawing::layered(nodes, edges, automaton.initial.index(), &options))
}

/// The sign of an acceptance set.
fn circled(set: u32) -> char {
    char::from_u32(0x2460 + set).filter(|_| set < 20).unwrap_or('•')
}
