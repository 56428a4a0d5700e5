//! Statecharts: states in states, laid out from the inside out. The states directly in a composite state are a graph,
//! whose edges are the transitions between them or between states in them; regions are beside each other.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Step;
use super::graph::lead;
use crate::chart::reading::Reading;
use crate::chart::{Chart, StateId, StateKind, Transition, TransitionId};
use crate::expr::{Binary, Expr, Kind};
use crate::formats::sc;
use crate::layout::layered::{self, Options};
use crate::layout::{Arrow, Point, Size};
use crate::scene::{
    Body, Drawing, Edge, HEAD, LINE, Mark, Node, PADDING, Rect, Region, Row, Scene, Shape, Text, Thing, fit,
    shifted, width,
};
use crate::system::{self, EdgeId, System, VarId};
use crate::text::count;
use crate::views::Status;

/// The greatest length of a text in a state, and at a transition.
const LONGEST: usize = 36;
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
    let mut layout = Layout { chart, blocks: BTreeMap::new() };
    layout.measure(Chart::ROOT);
    let mut picture = Picture {
        system,
        layout: &layout,
        drawing: Drawing::default(),
        rects: BTreeMap::new(),
        arrows: BTreeMap::new(),
    };
    picture.place(Chart::ROOT, Point::new(0.0, 0.0));
    picture.transitions();
    picture.drawing.bounded(super::model::MARGIN)
}

/// A state with the places of what is directly in it.
struct Block {
    size: Size,
    /// Lines below the name.
    facts: Vec<String>,
    /// The states in it with the places of their top left corners.
    inside: Vec<(StateId, Point)>,
    /// The arrows between the states in it; they end there also for transitions of states further inside.
    arrows: Vec<((TransitionId, usize), Arrow)>,
}

struct Layout<'a> {
    chart: &'a Chart,
    blocks: BTreeMap<StateId, Block>,
}

impl Layout<'_> {
    /// Computes the sizes of a state and of those in it.
    fn measure(&mut self, state: StateId) {
        let chart = self.chart;
        let children = chart.state(state).children.clone();
        children.iter().for_each(|child| self.measure(*child));
        let facts = facts(chart, state);
        let block = match chart.state(state).kind {
            StateKind::Parallel => self.beside(state, facts),
            StateKind::Composite => self.graph(state, facts),
            _ => {
                let rect = leaf(chart, state, &facts).rect;
                let (inside, arrows) = (Vec::new(), Vec::new());
                Block { size: Size::new(rect.width, rect.height), facts, inside, arrows }
            }
        };
        self.blocks.insert(state, block);
    }

    /// The size of the texts of a state with others in it.
    fn head(&self, state: StateId, facts: &[String]) -> Size {
        if state == Chart::ROOT {
            return Size::default();
        }
        let name = width(&fit(&self.chart.state(state).label, LONGEST));
        let widest = facts.iter().map(|fact| width(fact)).fold(name, f64::max);
        Size::new(widest + 2.0 * PADDING, HEAD + facts.len() as f64 * LINE)
    }

    /// Regions beside each other.
    fn beside(&self, state: StateId, facts: Vec<String>) -> Block {
        let head = self.head(state, &facts);
        let (mut x, mut height, mut inside) = (INSIDE, 0.0_f64, Vec::new());
        for child in &self.chart.state(state).children {
            let size = self.blocks[child].size;
            inside.push((*child, Point::new(x, head.height + 4.0)));
            x += size.width + INSIDE;
            height = height.max(size.height);
        }
        let size = Size::new(x.max(head.width), head.height + height + 4.0 + INSIDE);
        Block { size, facts, inside, arrows: Vec::new() }
    }

    /// The states in a composite state as a graph.
    fn graph(&self, state: StateId, facts: Vec<String>) -> Block {
        let chart = self.chart;
        let children = &chart.state(state).children;
        let node =
            |child: &StateId| layered::Node { size: self.blocks[child].size, corner: 8.0, beside: 0.0 };
        let nodes: Vec<layered::Node> = children.iter().map(node).collect();
        let place = |s: StateId| children.iter().position(|c| *c == s || chart.is_inside(s, *c));
        let (mut names, mut edges) = (Vec::new(), Vec::new());
        for (name, source, target) in arrows(chart) {
            let (Some(source), Some(target)) = (place(source), place(target)) else { continue };
            let text = label(chart, chart.transition(name.0));
            let size = (!text.is_empty()).then(|| Size::new(width(&text) + 8.0, LINE + 2.0));
            if source != target || children[source] == chart.transition(name.0).source {
                names.push(name);
                edges.push(layered::Edge { source, target, label: size });
            }
        }
        let initial = chart.state(state).initial.targets.first().and_then(|s| place(*s)).unwrap_or(0);
        let options = Options { rank_gap: 26.0, margin: 0.0, ..Options::default() };
        let drawn = layered::draw(&nodes, &edges, initial, &options);
        let head = self.head(state, &facts);
        let by = Point::new(INSIDE, head.height + 8.0);
        let shift = |p: Point| Point::new(p.x + by.x, p.y + by.y);
        let corner = |(i, centre): (usize, &Point)| {
            let size = nodes[i].size;
            (children[i], shift(Point::new(centre.x - size.width / 2.0, centre.y - size.height / 2.0)))
        };
        let block = Block {
            size: Size::new(
                (drawn.size.width + 2.0 * INSIDE).max(head.width),
                drawn.size.height + head.height + 8.0 + INSIDE,
            ),
            facts,
            inside: drawn.nodes.iter().enumerate().map(corner).collect(),
            arrows: names.into_iter().zip(drawn.edges.iter().map(|arrow| moved(arrow, by))).collect(),
        };
        self.pinned(block, head)
    }

    /// A block whose states are where a person put them: their middles, from the top left corner of the state around
    /// them. The block is as large as they need.
    fn pinned(&self, mut block: Block, head: Size) -> Block {
        let chart = self.chart;
        let pin = |s: StateId| chart.pins.get(&chart.state(s).name);
        let pinned: Vec<StateId> =
            block.inside.iter().map(|(s, _)| *s).filter(|s| pin(*s).is_some()).collect();
        if pinned.is_empty() {
            return block;
        }
        for (s, corner) in &mut block.inside {
            if let Some((x, y)) = pin(*s) {
                let size = self.blocks[s].size;
                *corner = Point::new(f64::from(*x) - size.width / 2.0, f64::from(*y) - size.height / 2.0);
            }
        }
        let is_at = |s: StateId| pinned.iter().any(|p| *p == s || chart.is_inside(s, *p));
        block.arrows.retain(|((t, target), _)| {
            let t = chart.transition(*t);
            !is_at(t.source) && !t.targets.get(*target).is_some_and(|s| is_at(*s))
        });
        let (left, top) = (INSIDE, head.height + 8.0);
        let least =
            |side: &dyn Fn(&Point) -> f64| block.inside.iter().map(|(_, p)| side(p)).fold(f64::MAX, f64::min);
        let by = Point::new((left - least(&|p| p.x)).max(0.0), (top - least(&|p| p.y)).max(0.0));
        block.inside.iter_mut().for_each(|(_, p)| *p = Point::new(p.x + by.x, p.y + by.y));
        block.arrows.iter_mut().for_each(|(_, arrow)| *arrow = moved(arrow, by));
        let ends = block
            .inside
            .iter()
            .map(|(s, p)| (p.x + self.blocks[s].size.width, p.y + self.blocks[s].size.height));
        let (right, bottom) =
            ends.fold((0.0_f64, 0.0_f64), |most, end| (most.0.max(end.0), most.1.max(end.1)));
        block.size = Size::new((right + INSIDE).max(head.width), bottom + INSIDE);
        block
    }
}

/// An arrow: the transition with the number of its target, source, and target.
type Ends = ((TransitionId, usize), StateId, StateId);

/// The transitions with targets, one arrow for each target.
fn arrows(chart: &Chart) -> Vec<Ends> {
    let of = |t: TransitionId| {
        let transition = chart.transition(t);
        let source = transition.source;
        transition.targets.iter().enumerate().map(move |(i, target)| ((t, i), source, *target))
    };
    chart.transition_ids().flat_map(of).collect()
}

fn label(chart: &Chart, t: &Transition) -> String {
    fit(&sc::label(chart, t), LONGEST)
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
    let rows = std::iter::once(Row::name(name)).chain(facts.iter().map(|f| Row::fact(f.clone(), None)));
    let node = Node::new(key(state), shape, rows.collect(), chart.path(state));
    let node = node.about([Thing::ChartState(state)]);
    let is_region =
        s.parent.is_some_and(|p| chart.state(p).kind == StateKind::Parallel) && chart.is_atomic(state);
    node.marked(&[
        (Mark::Initial, is_initial(chart, state)),
        (Mark::Final, s.kind == StateKind::Final),
        (Mark::Orthogonal, is_region),
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
    rects: BTreeMap<StateId, Rect>,
    /// The arrows between states that are beside each other.
    arrows: BTreeMap<(TransitionId, usize), Arrow>,
}

impl Picture<'_> {
    /// Places a state with its top left corner there, and what is in it.
    fn place(&mut self, state: StateId, at: Point) {
        let chart = self.layout.chart;
        let block = &self.layout.blocks[&state];
        let rect = Rect { x: at.x, y: at.y, width: block.size.width, height: block.size.height };
        self.rects.insert(state, rect);
        if block.inside.is_empty() {
            let mut node = leaf(chart, state, &block.facts);
            node.rect = rect;
            self.drawing.nodes.push(node);
            return;
        }
        if state != Chart::ROOT {
            self.around(state, rect, &block.facts);
        }
        self.arrows.extend(block.arrows.iter().map(|(name, arrow)| (*name, moved(arrow, at))));
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

    fn transitions(&mut self) {
        let chart = self.layout.chart;
        let mut loops: BTreeMap<StateId, usize> = BTreeMap::new();
        for (name, source, target) in arrows(chart) {
            let (from, to) = (self.rects[&source], self.rects[&target]);
            let text = label(chart, chart.transition(name.0));
            let beside = self.arrows.get(&name);
            let is_beside = chart.state(source).parent == chart.state(target).parent;
            let arrow = if let Some(arrow) = beside.filter(|_| is_beside) {
                arrow.clone()
            } else if source == target {
                let number = loops.entry(source).or_default();
                *number += 1;
                let side = Point::new(from.right(), from.centre().y);
                Arrow::looped(side, (1.0, 0.0), *number - 1, Size::new(width(&text), LINE))
            } else {
                arrow(from, to, beside.map(|arrow| arrow.label))
            };
            let title =
                format!("{}: {}", chart.transition_text(name.0), sc::label(chart, chart.transition(name.0)));
            let mut edge = Edge::new(format!("t{}.{}", name.0.0, name.1), key(source), key(target))
                .labelled(text, title);
            edge.arrow = arrow;
            let span = chart.transition(name.0).span;
            let text = chart.transition_text(name.0);
            let executes = |e: &system::Edge| e.span == span && e.label == text;
            let all = self.system.edges.iter().enumerate().filter(|(_, e)| executes(e));
            edge.about = all.map(|(e, _)| Thing::Edge(EdgeId::new(e))).collect();
            self.drawing.edges.push(edge);
        }
    }
}

/// An arrow that is moved.
fn moved(arrow: &Arrow, by: Point) -> Arrow {
    let shift = |p: Point| Point::new(p.x + by.x, p.y + by.y);
    Arrow {
        path: shifted(&arrow.path, by),
        tip: shift(arrow.tip),
        label: shift(arrow.label),
        angle: arrow.angle,
    }
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
