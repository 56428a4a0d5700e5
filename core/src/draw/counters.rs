//! The program counters of a system of guarded commands as automata: a node for each value, and an edge for each
//! command that tests the counter for a value.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::draw::Step;
use crate::draw::graph::lead;
use crate::draw::model::{self, MARGIN, Taken};
use crate::expr::{Binary, Expr, Kind, Nary};
use crate::layout::layered::Options;
use crate::scene::{Body, Drawing, Edge, Mark, Node, Row, Scene, Shape, Text, Thing, middle};
use crate::system::{EdgeId, Formalism, Op, System, VarId};
use crate::text::{count, operation};

/// The greatest length of a name and of a label.
const LONGEST: usize = 34;

/// A command that tests a counter: the values before and after it, as texts.
struct Test {
    edge: EdgeId,
    from: String,
    to: String,
}

/// Is this the drawing of program counters?
pub(super) fn is_one(drawing: &Drawing) -> bool {
    drawing.nodes.first().is_some_and(|node| node.key.starts_with('v'))
}

/// The drawing; none if no command tests a program counter.
pub(super) fn model(system: &System) -> Option<Drawing> {
    if system.formalism != Formalism::Commands {
        return None;
    }
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    for v in &system.control {
        let tests = tests(system, *v);
        // The value at the start comes first.
        let first = start(system, *v);
        let mut values: Vec<&String> = first.iter().collect();
        for value in tests.iter().flat_map(|test| [&test.from, &test.to]) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        nodes.extend(values.into_iter().map(|value| node(system, *v, value, first.as_ref())));
        edges.extend(tests.iter().map(|test| edge(system, *v, test)));
    }
    if edges.is_empty() {
        return None;
    }
    let options = Options { rank_gap: 28.0, margin: MARGIN, ..Options::default() };
    Some(Drawing::layered(nodes, edges, 0, &options))
}

/// The scene, at a step if there is one: the values of the counters there are marked.
pub(super) fn scene(drawing: &Drawing, step: Option<&Step<'_>>) -> Scene {
    let counters: BTreeSet<&str> =
        drawing.nodes.iter().filter_map(|node| node.key.split('=').next()).collect();
    let caption = format!(
        "{}, {}, {}.",
        count(counters.len(), "program counter"),
        count(drawing.nodes.len(), "value"),
        count(drawing.edges.len(), "command")
    );
    let drawing = step.map_or_else(|| drawing.clone(), |step| at(drawing, &Taken::of(drawing), step));
    Scene::of("Program counters", Text::plain(&caption), Body::Drawing(Arc::new(drawing)))
}

/// The drawing with what a step adds: the values of the counters are marked.
pub(super) fn at(drawing: &Drawing, taken: &Taken, step: &Step<'_>) -> Drawing {
    let mut drawing = model::at(drawing, taken, step);
    let here = lead(step).and_then(|id| step.graph.nodes.get(id.index()));
    for (v, value) in here.into_iter().flat_map(|node| &node.label.values) {
        let key = key(*v, value);
        for node in drawing.nodes.iter_mut().filter(|node| node.key == key) {
            node.marks.push(Mark::Current);
        }
    }
    drawing
}

fn key(v: VarId, value: &str) -> String {
    format!("v{}={value}", v.0)
}

fn node(system: &System, v: VarId, value: &str, first: Option<&String>) -> Node {
    let title = format!("{} = {value}", system.variable(v).name);
    let is_first = first.is_some_and(|first| first == value);
    Node::new(key(v, value), Shape::Pill, vec![Row::name(middle(&title, LONGEST))], title)
        .marked(&[(Mark::Initial, is_first)])
}

fn edge(system: &System, v: VarId, test: &Test) -> Edge {
    let text = operation(&system.edge(test.edge).label);
    let mut edge = Edge::new(format!("e{}.{}", test.edge.0, v.0), key(v, &test.from), key(v, &test.to))
        .labelled(middle(&text, LONGEST), text);
    edge.about = vec![Thing::Edge(test.edge)];
    edge
}

/// The initial value of a counter, which the first edge assigns.
fn start(system: &System, v: VarId) -> Option<String> {
    let first = system.out_edges(system.initial).first()?;
    assigned(&system.edge(*first).op, v, system)
}

/// The commands that test a counter for a value.
fn tests(system: &System, v: VarId) -> Vec<Test> {
    let of = |id: EdgeId| {
        let op = &system.edge(id).op;
        let from = tested(op, v, system)?;
        let to = assigned(op, v, system).unwrap_or_else(|| from.clone());
        Some(Test { edge: id, from, to })
    };
    system.edge_ids().filter_map(of).collect()
}

/// The value for which the guard of a command tests a variable.
fn tested(op: &Op, v: VarId, system: &System) -> Option<String> {
    match op {
        Op::Assume(guard) => in_guard(guard, v, system),
        Op::Sequence(all) => all.iter().find_map(|op| tested(op, v, system)),
        _ => None,
    }
}

fn in_guard(guard: &Expr, v: VarId, system: &System) -> Option<String> {
    let is = |e: &Expr| e.kind == Kind::Var(v);
    let value = |e: &Expr| Some(system.value_text(v, &e.as_constant()?));
    match &guard.kind {
        Kind::Nary(Nary::And, all) => all.iter().find_map(|part| in_guard(part, v, system)),
        Kind::Binary(Binary::Eq, ab) if is(&ab[0]) => value(&ab[1]),
        Kind::Binary(Binary::Eq, ab) if is(&ab[1]) => value(&ab[0]),
        _ => None,
    }
}

/// The value that a command assigns to a variable, if it is always the same.
fn assigned(op: &Op, v: VarId, system: &System) -> Option<String> {
    let value =
        |e: &Expr| e.as_constant().map_or_else(|| "?".to_owned(), |value| system.value_text(v, &value));
    match op {
        Op::Assign(w, e) if *w == v => Some(value(e)),
        Op::Update(all) => all.iter().find(|(w, _)| *w == v).map(|(_, e)| value(e)),
        Op::Havoc(w) if *w == v => Some("?".to_owned()),
        Op::Sequence(all) => all.iter().find_map(|op| assigned(op, v, system)),
        _ => None,
    }
}
