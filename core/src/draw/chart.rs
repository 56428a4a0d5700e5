//! Statecharts: states in states, laid out from the inside out. The states directly in a composite state are a graph,
//! whose edges are the transitions between them or between states in them; regions are beside each other.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::chart::{Chart, StateId, StateKind, Transition, TransitionId};
use crate::formats::sc;
use crate::layout::layered::{self, Options};
use crate::layout::{Arrow, Point, Size};
use crate::scene::{
    Anchor, Body, Drawing, Edge, HEAD, LINE, Label, Mark, Node, PADDING, Rect, Region, Row, Scene, Shape,
    Text, fit, width,
};
use crate::text::count;

/// The greatest length of a text in a state, and at a transition.
const LONGEST: usize = 36;
/// The distance of states from the border of the state around them.
const INSIDE: f64 = 18.0;

/// Is this the drawing of a chart?
pub(super) fn is_one(drawing: &Drawing) -> bool {
    drawing.nodes.first().is_some_and(|node| node.key.starts_with('c'))
}

/// The scene.
pub(super) fn scene(drawing: &Drawing) -> Scene {
    let states = drawing.nodes.iter().map(|node| &node.key);
    let states = states.chain(drawing.regions.iter().map(|region| &region.key));
    let caption = format!(
        "{}, {}.",
        count(states.filter(|key| key.starts_with('c')).count(), "state"),
        count(drawing.edges.len(), "arrow")
    );
    Scene::of("Statechart", Text::plain(&caption), Body::Drawing(Arc::new(drawing.clone())))
}

/// The drawing.
pub(super) fn model(chart: &Chart) -> Drawing {
    let mut layout = Layout { chart, blocks: BTreeMap::new() };
    layout.measure(Chart::ROOT);
    let mut picture = Picture {
        layout: &layout,
        drawing: Drawing::default(),
        rects: BTreeMap::new(),
        bends: BTreeMap::new(),
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
    /// The places of the labels of transitions.
    labels: Vec<((TransitionId, usize), Point)>,
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
                let (inside, labels) = (Vec::new(), Vec::new());
                Block { size: Size::new(rect.width, rect.height), facts, inside, labels }
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
        Block { size, facts, inside, labels: Vec::new() }
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
        let shift = |p: Point| Point::new(p.x + INSIDE, p.y + head.height + 8.0);
        let corner = |(i, centre): (usize, &Point)| {
            let size = nodes[i].size;
            (children[i], shift(Point::new(centre.x - size.width / 2.0, centre.y - size.height / 2.0)))
        };
        Block {
            size: Size::new(
                (drawn.size.width + 2.0 * INSIDE).max(head.width),
                drawn.size.height + head.height + 8.0 + INSIDE,
            ),
            facts,
            inside: drawn.nodes.iter().enumerate().map(corner).collect(),
            labels: names.into_iter().zip(drawn.edges.iter().map(|arrow| shift(arrow.label))).collect(),
        }
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
    node.marked(&[(Mark::Initial, is_initial(chart, state)), (Mark::Final, s.kind == StateKind::Final)])
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
    layout: &'a Layout<'a>,
    drawing: Drawing,
    rects: BTreeMap<StateId, Rect>,
    /// The places of labels.
    bends: BTreeMap<(TransitionId, usize), Point>,
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
        let moved = |p: &Point| Point::new(p.x + at.x, p.y + at.y);
        self.bends.extend(block.labels.iter().map(|(name, p)| (*name, moved(p))));
        for (child, p) in &block.inside {
            self.place(*child, moved(p));
        }
    }

    /// The border and the texts of a state with others in it.
    fn around(&mut self, state: StateId, rect: Rect, facts: &[String]) {
        let chart = self.layout.chart;
        let s = chart.state(state);
        let is_region = s.parent.is_some_and(|p| chart.state(p).kind == StateKind::Parallel);
        let mut marks = vec![if is_region { Mark::Orthogonal } else { Mark::Composite }];
        marks.extend(is_initial(chart, state).then_some(Mark::Initial));
        self.drawing.regions.push(Region { key: key(state), rect, marks, about: Vec::new() });
        let texts = std::iter::once(fit(&s.label, LONGEST)).chain(facts.iter().cloned());
        for (i, text) in texts.enumerate() {
            let y = rect.y + LINE + if i == 0 { 0.0 } else { 4.0 + i as f64 * LINE };
            let marks = if i == 0 { Vec::new() } else { vec![Mark::Muted] };
            let at = Point::new(rect.x + PADDING, y);
            self.drawing.labels.push(Label { text, at, anchor: Anchor::Start, marks });
        }
    }

    fn transitions(&mut self) {
        let chart = self.layout.chart;
        let mut loops: BTreeMap<StateId, usize> = BTreeMap::new();
        for (name, source, target) in arrows(chart) {
            let (from, to) = (self.rects[&source], self.rects[&target]);
            let text = label(chart, chart.transition(name.0));
            let arrow = if source == target {
                let number = loops.entry(source).or_default();
                *number += 1;
                let side = Point::new(from.right(), from.centre().y);
                Arrow::looped(side, (1.0, 0.0), *number - 1, Size::new(width(&text), LINE))
            } else {
                arrow(from, to, self.bends.get(&name).copied())
            };
            let title =
                format!("{}: {}", chart.transition_text(name.0), sc::label(chart, chart.transition(name.0)));
            let mut edge = Edge::new(format!("t{}.{}", name.0.0, name.1), key(source), key(target))
                .labelled(text, title);
            edge.arrow = arrow;
            self.drawing.edges.push(edge);
        }
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
