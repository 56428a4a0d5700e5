//! Statecharts: states in states, the transitions between them, and what a step or a simulation marks in them.

mod layout;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use self::layout::{Ends, Layout, Name, moved};
use super::Step;
use super::graph::lead;
use crate::chart::reading::Reading;
use crate::chart::{Chart, StateId, StateKind, Transition, TransitionId};
use crate::expr::{Binary, Expr, Kind};
use crate::formats::sc;
use crate::layout::{Arrow, Point, Size};
use crate::scene::{
    Body, Drawing, Edge, LINE, Mark, Node, Rect, Region, Row, Scene, Shape, Text, Thing, fit, width,
};
use crate::system::{self, EdgeId, System, VarId};
use crate::text::count;
use crate::views::Status;

/// The greatest length of a text in a state, and at a transition.
const LONGEST: usize = 36;
/// The distance of arrows between the same states.
const APART: f64 = 36.0;
/// The distance of states from the border of the state around them.
const INSIDE: f64 = 18.0;

/// Is this the drawing of a chart?
pub(super) fn is_one(drawing: &Drawing) -> bool {
    drawing.nodes.first().is_some_and(|node| node.key.starts_with('c'))
}

/// The scene.
pub(super) fn scene(drawing: &Drawing, step: Option<&Step<'_>>) -> Scene {
    let drawing = step.map_or_else(|| drawing.clone(), |step| at(drawing, step));
    let caption =
        format!("{}, {}.", count(drawing.nodes.len(), "state"), count(drawing.edges.len(), "arrow"));
    Scene::of("Statechart", Text::plain(&caption), Body::Drawing(Arc::new(drawing)))
}

/// For each state, the variable of the system and its value by which it is active; none if there is no such variable.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Configurations(Vec<Option<(VarId, String)>>);

impl Configurations {
    /// Those of the system of a chart.
    #[must_use]
    pub fn of(system: &System, reading: &Reading) -> Configurations {
        let condition = |inside: &Expr| {
            let Kind::Binary(Binary::Eq, sides) = &inside.kind else { return None };
            let Kind::Var(v) = sides[0].kind else { return None };
            Some((v, system.value_text(v, &sides[1].as_constant()?)))
        };
        Configurations(reading.inside.iter().map(condition).collect())
    }

    /// The states that are active by these values.
    fn active(&self, values: &[(VarId, String)]) -> Vec<StateId> {
        let holds = |condition: &(VarId, String)| values.contains(condition);
        let all = self.0.iter().enumerate();
        all.filter(|(_, c)| c.as_ref().is_some_and(holds)).map(|(s, _)| StateId::new(s)).collect()
    }
}

/// The drawing at a step of a run: the states that are known to be active, and the transitions of the step.
pub(super) fn at(drawing: &Drawing, step: &Step<'_>) -> Drawing {
    let mut drawing = drawing.clone();
    let target = || step.graph.nodes.iter().find(|node| node.status == Status::Target);
    let here = lead(step).and_then(|id| step.graph.nodes.get(id.index())).or_else(target);
    if let (Some(node), Some(configurations)) = (here, step.configurations) {
        show(&mut drawing, &configurations.active(&node.label.values));
    }
    for edge in &mut drawing.edges {
        let is_taken = |thing: &Thing| matches!(thing, Thing::Edge(e) if step.subjects.edges.contains(e));
        edge.marks.extend(edge.about.iter().any(is_taken).then_some(Mark::Taken));
    }
    drawing
}

/// The drawing in a simulation: these states are active, and the last microstep took these transitions.
#[must_use]
pub fn simulated(drawing: &Drawing, active: &[StateId], taken: &[TransitionId]) -> Drawing {
    let mut drawing = drawing.clone();
    show(&mut drawing, active);
    for edge in &mut drawing.edges {
        let is_arrow = |t: &TransitionId| edge.key.starts_with(&format!("t{}.", t.0));
        edge.marks.extend(taken.iter().any(is_arrow).then_some(Mark::Taken));
    }
    drawing
}

/// The drawing while states are moved, each with what is in it, to these middles.
#[must_use]
pub fn carried(drawing: &Drawing, places: &[(String, Point)]) -> Drawing {
    let mut new = drawing.clone();
    // How far a part moves: with the outermost state around it that is moved.
    let by = |rect: &Rect| {
        let mut found: Option<(f64, Point)> = None;
        for (key, at) in places {
            let Some(moved) = drawing.node(key).map(|node| node.rect) else { continue };
            let centre = moved.centre();
            if moved.contains(rect) && found.is_none_or(|(width, _)| width < moved.width) {
                found = Some((moved.width, Point::new(at.x - centre.x, at.y - centre.y)));
            }
        }
        found.map(|(_, by)| by)
    };
    let shift = |rect: &mut Rect| {
        let by = by(rect).unwrap_or_default();
        *rect = Rect { x: rect.x + by.x, y: rect.y + by.y, ..*rect };
    };
    new.nodes.iter_mut().for_each(|node| shift(&mut node.rect));
    new.regions.iter_mut().for_each(|region| shift(&mut region.rect));
    for (number, edge) in drawing.edges.iter().enumerate() {
        let before = |key: &str| drawing.node(key).and_then(|node| by(&node.rect));
        let (source, target) = (before(&edge.source), before(&edge.target));
        if let (true, Some(from), Some(to)) =
            (source.or(target).is_some(), new.node(&edge.source), new.node(&edge.target))
        {
            new.edges[number].arrow = match source {
                Some(by) if edge.source == edge.target => moved(&edge.arrow, by),
                _ => arrow(from.rect, to.rect, None),
            };
        }
    }
    new.bounded(super::model::MARGIN)
}

/// Marks active states.
fn show(drawing: &mut Drawing, active: &[StateId]) {
    let keys: Vec<String> = active.iter().map(|s| key(*s)).collect();
    for node in drawing.nodes.iter_mut().filter(|node| keys.contains(&node.key)) {
        node.marks.push(Mark::InConfiguration);
    }
    for region in drawing.regions.iter_mut().filter(|region| keys.contains(&region.key)) {
        region.marks.push(Mark::InConfiguration);
    }
}

/// The drawing of a chart with its system.
pub(super) fn model(system: &System, chart: &Chart) -> Drawing {
    let layout = Layout::new(chart);
    let mut picture =
        Picture { system, layout: &layout, drawing: Drawing::default(), corners: BTreeMap::new() };
    picture.place(Chart::ROOT, Point::new(0.0, 0.0));
    picture.arrows();
    picture.drawing.bounded(super::model::MARGIN)
}

fn label(chart: &Chart, t: &Transition) -> String {
    fit(&sc::label(chart, t), LONGEST)
}

/// The text at an arrow.
fn text(chart: &Chart, name: Name) -> String {
    match name {
        Name::Transition(t, _) => label(chart, chart.transition(t)),
        Name::Default(history, _) => {
            let actions = sc::actions_text(chart, &chart.state(history).initial.actions);
            if actions.is_empty() { actions } else { fit(&format!("/ {actions}"), LONGEST) }
        }
    }
}

/// The actions on entry and exit, and the transitions without targets.
fn facts(chart: &Chart, state: StateId) -> Vec<String> {
    let s = chart.state(state);
    let mut facts = Vec::new();
    for (word, all) in [("entry", &s.entry), ("exit", &s.exit)] {
        let text = sc::actions_text(chart, all);
        if !text.is_empty() {
            facts.push(fit(&format!("{word} / {text}"), LONGEST));
        }
    }
    let stay = s.transitions.iter().map(|t| chart.transition(*t)).filter(|t| t.targets.is_empty());
    facts.extend(stay.map(|t| label(chart, t)));
    facts
}

/// A state without others in it.
fn leaf(chart: &Chart, state: StateId, facts: &[String]) -> Node {
    let s = chart.state(state);
    let (shape, name) = match s.kind {
        StateKind::History { deep: false } => (Shape::Ellipse, "H".to_owned()),
        StateKind::History { deep: true } => (Shape::Ellipse, "H*".to_owned()),
        StateKind::Final => (Shape::Pill, fit(&s.label, LONGEST)),
        _ => (Shape::Box, fit(&s.label, LONGEST)),
    };
    let folded = chart.is_folded(state).then(|| {
        let inside = chart.inside(state).filter(|s| !chart.is_history(*s)).count();
        format!("\u{22ef} {}", count(inside, "state"))
    });
    let facts = facts.iter().cloned().chain(folded).map(|fact| Row::fact(fact, None));
    let rows = std::iter::once(Row::name(name)).chain(facts).collect();
    let node = Node::new(key(state), shape, rows, chart.path(state));
    let node = node.about([Thing::ChartState(state)]);
    let is_region =
        s.parent.is_some_and(|p| chart.state(p).kind == StateKind::Parallel) && chart.is_atomic(state);
    node.marked(&[
        (Mark::Initial, is_initial(chart, state)),
        (Mark::Final, s.kind == StateKind::Final),
        (Mark::Orthogonal, is_region),
        (Mark::Composite, chart.is_folded(state)),
    ])
}

fn key(state: StateId) -> String {
    format!("c{}", state.0)
}

/// Does the state around it begin there?
fn is_initial(chart: &Chart, state: StateId) -> bool {
    let s = chart.state(state);
    let around = s.parent.map(|p| chart.state(p)).filter(|p| p.kind == StateKind::Composite);
    around.is_some_and(|p| p.initial.targets.iter().any(|t| *t == state || chart.is_inside(*t, state)))
}

struct Picture<'a> {
    system: &'a System,
    layout: &'a Layout<'a>,
    drawing: Drawing,
    /// The upper left corners of the states.
    corners: BTreeMap<StateId, Point>,
}

impl Picture<'_> {
    /// Places a state with its top left corner there, and what is in it.
    fn place(&mut self, state: StateId, at: Point) {
        let chart = self.layout.chart;
        let block = &self.layout.blocks[&state];
        self.corners.insert(state, at);
        let rect = self.rect(state);
        if block.inside.is_empty() {
            let mut node = leaf(chart, state, &block.facts);
            node.rect = rect;
            self.drawing.nodes.push(node);
            return;
        }
        if state != Chart::ROOT {
            self.around(state, rect, &block.facts);
        }
        for (child, p) in &block.inside {
            self.place(*child, Point::new(p.x + at.x, p.y + at.y));
        }
    }

    /// The border and the texts of a state with others in it.
    fn around(&mut self, state: StateId, rect: Rect, facts: &[String]) {
        let chart = self.layout.chart;
        let s = chart.state(state);
        let is_region = s.parent.is_some_and(|p| chart.state(p).kind == StateKind::Parallel);
        let mark = if is_region { Mark::Orthogonal } else { Mark::Composite };
        let ground = rect.inset(1.5);
        self.drawing.regions.push(Region {
            key: key(state),
            rect: ground,
            marks: vec![mark],
            about: Vec::new(),
        });
        let rows = std::iter::once(Row::name(fit(&s.label, LONGEST)));
        let rows = rows.chain(facts.iter().map(|fact| Row::fact(fact.clone(), None))).collect();
        let node = Node::new(key(state), Shape::Frame, rows, chart.path(state));
        let mut node = node.about([Thing::ChartState(state)]);
        node = node.marked(&[(mark, true), (Mark::Initial, is_initial(chart, state))]);
        node.rect = rect;
        self.drawing.nodes.push(node);
    }

    fn rect(&self, state: StateId) -> Rect {
        let (at, size) = (self.corners[&state], self.layout.blocks[&state].size);
        Rect { x: at.x, y: at.y, width: size.width, height: size.height }
    }

    fn arrows(&mut self) {
        let chart = self.layout.chart;
        let (mut loops, mut beside) = (BTreeMap::<StateId, usize>::new(), BTreeMap::new());
        for ends in &self.layout.arrows {
            let Ends { name, source, target } = *ends;
            let text = text(chart, name);
            let arrow = if let Some(arrow) = self.layout.arrow(*ends, &self.corners) {
                arrow
            } else if source == target {
                let number = loops.entry(source).or_default();
                *number += 1;
                let from = self.rect(source);
                let side = Point::new(from.right(), from.centre().y);
                Arrow::looped(side, (1.0, 0.0), *number - 1, Size::new(width(&text), LINE))
            } else {
                let pair = (source.min(target), source.max(target));
                let number = beside.entry(pair).and_modify(|n| *n += 1).or_insert(0);
                side_by_side((self.rect(pair.0), self.rect(pair.1)), source < target, *number)
            };
            let (name, title) = match name {
                Name::Transition(t, number) => {
                    let title =
                        format!("{}: {}", chart.transition_text(t), sc::label(chart, chart.transition(t)));
                    (format!("t{}.{number}", t.0), title)
                }
                Name::Default(history, number) => (
                    format!("h{}-{number}", history.0),
                    format!("where {} leads at first", chart.path(history)),
                ),
            };
            let mut edge = Edge::new(name, key(source), key(target)).labelled(text, title);
            edge.arrow = arrow;
            if let Name::Transition(t, _) = ends.name {
                edge.about = self.executed(t);
            }
            self.drawing.edges.push(edge);
        }
    }

    /// The edges of the system that execute a transition.
    fn executed(&self, t: TransitionId) -> Vec<Thing> {
        let chart = self.layout.chart;
        let (span, text) = (chart.transition(t).span, chart.transition_text(t));
        let executes = |e: &system::Edge| e.span == span && e.label == text;
        let all = self.system.edges.iter().enumerate().filter(|(_, e)| executes(e));
        all.map(|(e, _)| Thing::Edge(EdgeId::new(e))).collect()
    }
}

/// Of several arrows between two states, in this order or the other one, the one with this number: they are side by
/// side.
fn side_by_side((first, second): (Rect, Rect), forwards: bool, number: usize) -> Arrow {
    let (a, b) = (first.centre(), second.centre());
    let length = (b.x - a.x).hypot(b.y - a.y).max(1.0);
    let side = if number.is_multiple_of(2) { 1.0 } else { -1.0 };
    let by = side * APART * number.div_ceil(2) as f64 / length;
    let through =
        Point::new(f64::midpoint(a.x, b.x) - (b.y - a.y) * by, f64::midpoint(a.y, b.y) + (b.x - a.x) * by);
    let (from, to) = if forwards { (first, second) } else { (second, first) };
    arrow(from, to, Some(through))
}

/// An arrow from one border to the other, through the place of its label.
fn arrow(from: Rect, to: Rect, through: Option<Point>) -> Arrow {
    let middle = |a: Point, b: Point| Point::new(f64::midpoint(a.x, b.x), f64::midpoint(a.y, b.y));
    let through = through.unwrap_or_else(|| middle(from.centre(), to.centre()));
    let (start, tip) = (border(from, through), border(to, through));
    let ends = middle(start, tip);
    let towards = Point::new(2.0 * through.x - ends.x, 2.0 * through.y - ends.y);
    Arrow::bent(start, towards, tip, 0.5)
}

/// The point of a border that is nearest to a point outside of it, or on the way to a point inside.
fn border(rect: Rect, towards: Point) -> Point {
    let inset = |side: f64, low: f64, high: f64| crate::layout::between(side, low + 10.0, high - 10.0);
    let (x, y) = (inset(towards.x, rect.x, rect.right()), inset(towards.y, rect.y, rect.bottom()));
    if towards.y <= rect.y {
        Point::new(x, rect.y)
    } else if towards.y >= rect.bottom() {
        Point::new(x, rect.bottom())
    } else if towards.x <= rect.centre().x {
        Point::new(rect.x, y)
    } else {
        Point::new(rect.right(), y)
    }
}
