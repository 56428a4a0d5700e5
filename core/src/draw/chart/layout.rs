//! Places of the states of a chart, from the inside out: the states directly in a composite state are a layered graph,
//! whose edges are the transitions between them or between states in them; regions are beside each other.
//!
//! A transition that leaves or enters states is drawn in pieces, one for each of them: inside of a state, its piece
//! leads to the border or from it, as an edge of that state's graph, and the piece around the state goes on from
//! there. So arrows across levels keep clear of states, too.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{INSIDE, LONGEST, facts, leaf, text};
use crate::chart::{Chart, StateId, StateKind, TransitionId};
use crate::layout::layered::{self, Borders, Options, PORT_GAP, Ports};
use crate::layout::{Arrow, Point, Size};
use crate::scene::{HEAD, LINE, PADDING, Rect, bounds, first_point, fit, reversed, shifted, width};

/// The height of a row for labels.
const LABELS: f64 = LINE + 10.0;

/// What an arrow stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    /// A transition and one of its targets: the number of this arrow among those of all transitions.
    Transition(TransitionId, usize),
    /// Where a history leads that has recorded nothing yet: one of the targets, by its number.
    Default(StateId, usize),
}

/// An arrow between the states that are drawn for its ends.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    pub(super) name: Name,
    pub(super) source: StateId,
    pub(super) target: StateId,
}

/// An end of a piece: a state directly in the state, or a border of the state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Child(StateId),
    Top,
    Bottom,
}

/// The part of an arrow that is in one state.
#[derive(Clone, Copy)]
struct Piece {
    name: Name,
    from: End,
    to: End,
    labelled: bool,
}

/// A state with the places of what is directly in it.
pub(super) struct Block {
    pub(super) size: Size,
    /// Lines below the name.
    pub(super) facts: Vec<String>,
    /// The states in it with the places of their top left corners.
    pub(super) inside: Vec<(StateId, Point)>,
    /// The pieces of arrows in it.
    pieces: BTreeMap<Name, Arrow>,
    /// Where arrows cross its upper or lower border: how far from its left border.
    ports: BTreeMap<Name, f64>,
}

/// The layout of a chart.
pub(super) struct Layout<'a> {
    pub(super) chart: &'a Chart,
    pub(super) blocks: BTreeMap<StateId, Block>,
    /// The arrows: one for each target of a transition, and those of histories, but for those inside of folded states.
    pub(super) arrows: Vec<Ends>,
    pieces: BTreeMap<StateId, Vec<Piece>>,
}

impl Layout<'_> {
    pub(super) fn new(chart: &Chart) -> Layout<'_> {
        let arrows = arrows(chart);
        let mut layout = Layout { chart, blocks: BTreeMap::new(), arrows, pieces: BTreeMap::new() };
        let mut homes: BTreeMap<StateId, Vec<Ends>> = BTreeMap::new();
        for ends in &layout.arrows {
            homes.entry(layout.home(ends.source, ends.target)).or_default().push(*ends);
        }
        layout.divide(Chart::ROOT, &homes);
        layout.measure(Chart::ROOT);
        layout
    }

    /// The states that are drawn in a state.
    fn children(&self, state: StateId) -> &[StateId] {
        if self.chart.is_folded(state) { &[] } else { &self.chart.state(state).children }
    }

    /// The child of a state that a state is, or is in.
    fn child(&self, state: StateId, inner: StateId) -> Option<StateId> {
        let found = self.chart.state(state).children.iter();
        found.copied().find(|child| *child == inner || self.chart.is_inside(inner, *child))
    }

    /// The state whose layout has the main piece of an arrow: the innermost one with both ends in it; of an arrow
    /// between a state and one in it, that state.
    fn home(&self, source: StateId, target: StateId) -> StateId {
        let chart = self.chart;
        if chart.is_inside(target, source) {
            return source;
        }
        let around = |s: StateId| chart.is_inside(source, s) && (s == target || chart.is_inside(target, s));
        chart.around(source).find(|s| around(*s)).unwrap_or(Chart::ROOT)
    }

    /// Divides the arrows whose main pieces are in a state, and in the states in it. Those of the states around it are
    /// divided already.
    fn divide(&mut self, state: StateId, homes: &BTreeMap<StateId, Vec<Ends>>) {
        if self.children(state).is_empty() {
            return;
        }
        let all = homes.get(&state).map_or(&[][..], Vec::as_slice);
        let end = |s: StateId, border: End| self.child(state, s).map_or(border, End::Child);
        let main = |ends: &Ends| Piece {
            name: ends.name,
            from: end(ends.source, End::Top),
            to: end(ends.target, End::Bottom),
            labelled: true,
        };
        let mains: Vec<Piece> = all.iter().map(main).collect();
        let pieces = self.pieces.entry(state).or_default();
        pieces.extend(mains);
        let pieces = pieces.clone();
        let is_parallel = self.chart.state(state).kind == StateKind::Parallel;
        let turned = if is_parallel { vec![] } else { self.turned(state, &pieces) };
        for ends in all {
            let is_turned = || pieces.iter().zip(&turned).any(|(piece, t)| *t && piece.name == ends.name);
            let (out, into) = match (ends.source == state, ends.target == state) {
                (false, false) if is_turned() => (End::Top, End::Bottom),
                // Arrows from one region to another are drawn across.
                (false, false) if is_parallel => continue,
                _ => (End::Bottom, End::Top),
            };
            self.leave(ends, state, out);
            self.enter(ends, state, into);
        }
        self.children(state).to_vec().into_iter().for_each(|child| self.divide(child, homes));
    }

    /// Which pieces of a composite state lead upwards.
    fn turned(&self, state: StateId, pieces: &[Piece]) -> Vec<bool> {
        let graph = self.graph(state, pieces, &|_| Size::default());
        layered::turned(graph.nodes.len(), &graph.edges, graph.initial, graph.borders.upper)
    }

    /// The states around an end of an arrow that are in its home, from the inside out, each with the state in it.
    fn crossed(&self, home: StateId, end: StateId) -> Vec<(StateId, StateId)> {
        let around = self.chart.around(end).take_while(|around| end != home && *around != home);
        let states: Vec<StateId> = std::iter::once(end).chain(around).collect();
        states.windows(2).map(|pair| (pair[1], pair[0])).collect()
    }

    /// The pieces of an arrow from its source to the borders of the states that it leaves, on this side.
    fn leave(&mut self, ends: &Ends, home: StateId, side: End) {
        for (state, inner) in self.crossed(home, ends.source) {
            let piece = Piece { name: ends.name, from: End::Child(inner), to: side, labelled: false };
            self.pieces.entry(state).or_default().push(piece);
        }
    }

    /// The pieces of an arrow to its target from the borders of the states that it enters, on this side.
    fn enter(&mut self, ends: &Ends, home: StateId, side: End) {
        for (state, inner) in self.crossed(home, ends.target) {
            let piece = Piece { name: ends.name, from: side, to: End::Child(inner), labelled: false };
            self.pieces.entry(state).or_default().push(piece);
        }
    }

    /// Computes the sizes of a state and of those in it.
    fn measure(&mut self, state: StateId) {
        let chart = self.chart;
        self.children(state).to_vec().into_iter().for_each(|child| self.measure(child));
        let facts = facts(chart, state);
        let block = match chart.state(state).kind {
            _ if self.children(state).is_empty() => {
                let rect = leaf(chart, state, &facts).rect;
                let size = Size::new(rect.width, rect.height);
                Block { size, facts, inside: vec![], pieces: BTreeMap::new(), ports: BTreeMap::new() }
            }
            StateKind::Parallel => self.regions(state, facts),
            _ => self.layered(state, facts),
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

    /// Regions beside each other, each with its loops.
    fn regions(&self, state: StateId, facts: Vec<String>) -> Block {
        let head = self.head(state, &facts);
        let none = Vec::new();
        let crossing = self.pieces.get(&state).unwrap_or(&none);
        let room = |side: End| {
            let is_labelled = |p: &Piece| p.labelled && (p.from == side || p.to == side);
            if crossing.iter().any(is_labelled) { LABELS } else { 0.0 }
        };
        let top = head.height + 4.0 + room(End::Top);
        let (mut x, mut height, mut inside) = (INSIDE, 0.0_f64, Vec::new());
        let mut pieces = BTreeMap::new();
        for child in &self.chart.state(state).children {
            let (names, drawn) = self.with_loops(*child);
            let (size, centre) = (self.blocks[child].size, drawn.nodes[0]);
            let corner = Point::new(x, top);
            let at = Point::new(x + centre.x - size.width / 2.0, top + centre.y - size.height / 2.0);
            inside.push((*child, at));
            pieces.extend(names.into_iter().zip(drawn.edges.iter().map(|arrow| moved(arrow, corner))));
            x += drawn.size.width + INSIDE;
            height = height.max(drawn.size.height);
        }
        let size = Size::new(x.max(head.width), top + height + room(End::Bottom) + INSIDE);
        let ports = BTreeMap::new();
        let mut block = Block { size, facts, inside, pieces, ports };
        self.straight(crossing, head.height, &mut block);
        block
    }

    /// The pieces of arrows in a state with regions: straight between a region and the border.
    fn straight(&self, crossing: &[Piece], head: f64, block: &mut Block) {
        for (child, at) in block.inside.clone() {
            let is_its = |piece: &&Piece| [piece.from, piece.to].contains(&End::Child(child));
            let all: Vec<&Piece> = crossing.iter().filter(is_its).collect();
            let Block { size, ports, .. } = &self.blocks[&child];
            let apart = (size.width / (all.len() + 1) as f64).min(PORT_GAP);
            for (number, piece) in all.iter().enumerate() {
                let beside = (number as f64 - (all.len() as f64 - 1.0) / 2.0) * apart;
                let x = at.x + ports.get(&piece.name).copied().unwrap_or(size.width / 2.0 + beside);
                let below = at.y + size.height;
                let (outer, inner, label) = match (piece.from, piece.to) {
                    (End::Child(_), End::Child(_)) => continue,
                    (End::Top, _) | (_, End::Top) => (0.0, at.y, head + 4.0 + LABELS / 2.0),
                    _ => (block.size.height, below, block.size.height - INSIDE - LABELS / 2.0),
                };
                let leaves = matches!(piece.from, End::Child(_));
                let ends = if leaves { (inner, outer) } else { (outer, inner) };
                let arrow = Arrow::straight(Point::new(x, ends.0), Point::new(x, ends.1));
                block.ports.insert(piece.name, x);
                block.pieces.insert(piece.name, Arrow { label: Point::new(x, label), ..arrow });
            }
        }
    }

    /// A region with the arrows from it to itself.
    fn with_loops(&self, region: StateId) -> (Vec<Name>, layered::Drawing) {
        let all = self.arrows.iter().filter(|ends| ends.source == region && ends.target == region);
        let names: Vec<Name> = all.map(|ends| ends.name).collect();
        let looped = |name: &Name| layered::Edge::new(0, 0, label_size(&text(self.chart, *name)));
        let edges: Vec<layered::Edge> = names.iter().map(looped).collect();
        let node = layered::Node { size: self.blocks[&region].size, corner: 8.0, beside: 0.0 };
        (names, layered::draw(&[node], &edges, 0, &Options { margin: 0.0, ..Options::default() }))
    }

    /// The states in a state as a graph; borders are nodes that are as wide as their arrows need.
    fn graph(&self, state: StateId, pieces: &[Piece], size: &dyn Fn(StateId) -> Size) -> Graph {
        let chart = self.chart;
        let children = &chart.state(state).children;
        let node = |size: Size, corner: f64| layered::Node { size, corner, beside: 0.0 };
        let mut nodes: Vec<layered::Node> = children.iter().map(|c| node(size(*c), 8.0)).collect();
        let mut border = |side: End| {
            let arrows = pieces.iter().filter(|p| p.from == side || p.to == side).count();
            (arrows > 0).then(|| {
                nodes.push(node(Size::new(PORT_GAP * arrows as f64, 0.0), 0.0));
                nodes.len() - 1
            })
        };
        let borders = Borders { upper: border(End::Top), lower: border(End::Bottom) };
        let place = |end: End| match end {
            End::Child(child) => children.iter().position(|c| *c == child),
            End::Top => borders.upper,
            End::Bottom => borders.lower,
        };
        let port = |name: Name, end: End| match end {
            End::Child(child) => {
                let block = self.blocks.get(&child)?;
                Some(block.ports.get(&name)? - block.size.width / 2.0)
            }
            _ => None,
        };
        let edge = |piece: &Piece| {
            let label = piece.labelled.then(|| label_size(&text(chart, piece.name))).flatten();
            // Edges lead from the upper border and to the lower one.
            let (from, to) = if is_reversed(piece) { (piece.to, piece.from) } else { (piece.from, piece.to) };
            layered::Edge {
                source: place(from).expect("an end of a piece is in its graph"),
                target: place(to).expect("an end of a piece is in its graph"),
                label,
                ports: Ports { source: port(piece.name, from), target: port(piece.name, to) },
            }
        };
        let edges = pieces.iter().map(edge).collect();
        let first = chart.state(state).initial.targets.first();
        let initial = first.and_then(|s| place(End::Child(self.child(state, *s)?))).unwrap_or(0);
        Graph { nodes, edges, initial, borders }
    }

    /// The states in a composite state, as their graph is drawn.
    fn layered(&self, state: StateId, facts: Vec<String>) -> Block {
        let children = &self.chart.state(state).children;
        let pieces = self.pieces.get(&state).cloned().unwrap_or_default();
        let graph = self.graph(state, &pieces, &|child| self.blocks[&child].size);
        let options = Options { rank_gap: 18.0, margin: 0.0, borders: graph.borders, ..Options::default() };
        let drawn = layered::draw(&graph.nodes, &graph.edges, graph.initial, &options);
        let head = self.head(state, &facts);
        let by = Point::new(INSIDE, head.height + 8.0);
        let shift = |p: Point| Point::new(p.x + by.x, p.y + by.y);
        let corner = |(i, child): (usize, &StateId)| {
            let (centre, size) = (drawn.nodes[i], graph.nodes[i].size);
            (*child, shift(Point::new(centre.x - size.width / 2.0, centre.y - size.height / 2.0)))
        };
        let piece = |(piece, arrow): (&Piece, &Arrow)| {
            let arrow = moved(arrow, by);
            (piece.name, if is_reversed(piece) { turned_round(&arrow) } else { arrow })
        };
        let block = Block {
            size: Size::new(
                (drawn.size.width + 2.0 * INSIDE).max(head.width),
                drawn.size.height + head.height + 8.0 + INSIDE,
            ),
            facts,
            inside: children.iter().enumerate().map(corner).collect(),
            pieces: pieces.iter().zip(&drawn.edges).map(piece).collect(),
            ports: BTreeMap::new(),
        };
        let mut block = self.pinned(block, head, &pieces);
        block.ports = pieces.iter().filter_map(|piece| Some((piece.name, port(piece, &block)?))).collect();
        block
    }

    /// A block whose states are where a person put them: their middles, from the top left corner of the state around
    /// them. The block is as large as they need.
    fn pinned(&self, mut block: Block, head: Size, pieces: &[Piece]) -> Block {
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
        for ends in self.arrows.iter().filter(|ends| is_at(ends.source) || is_at(ends.target)) {
            block.pieces.remove(&ends.name);
        }
        let (left, top) = (INSIDE, head.height + 8.0);
        let least =
            |side: &dyn Fn(&Point) -> f64| block.inside.iter().map(|(_, p)| side(p)).fold(f64::MAX, f64::min);
        let by = Point::new((left - least(&|p| p.x)).max(0.0), (top - least(&|p| p.y)).max(0.0));
        block.inside.iter_mut().for_each(|(_, p)| *p = Point::new(p.x + by.x, p.y + by.y));
        block.pieces.values_mut().for_each(|arrow| *arrow = moved(arrow, by));
        let ends = block
            .inside
            .iter()
            .map(|(s, p)| (p.x + self.blocks[s].size.width, p.y + self.blocks[s].size.height));
        let arrow = |(name, arrow): (&Name, &Arrow)| {
            let label = label_size(&text(chart, *name)).map(|size| Rect::around(arrow.label, size));
            bounds(&arrow.path).into_iter().chain(label).reduce(Rect::with)
        };
        let arrows = block.pieces.iter().filter_map(arrow);
        let ends = ends.chain(arrows.map(|rect| (rect.right(), rect.bottom())));
        let (right, bottom) =
            ends.fold((0.0_f64, 0.0_f64), |most, end| (most.0.max(end.0), most.1.max(end.1)));
        let old =
            std::mem::replace(&mut block.size, Size::new((right + INSIDE).max(head.width), bottom + INSIDE));
        // What leads to the lower border would go on through what is below.
        let is_lower = |p: &&Piece| p.to == End::Bottom || p.from == End::Bottom;
        let moved = pieces.iter().filter(is_lower).filter(|_| block.size.height > old.height + 1.0);
        moved.for_each(|piece| drop(block.pieces.remove(&piece.name)));
        block
    }

    /// An arrow with its pieces put together, where the states have these top left corners; none if a piece is missing.
    pub(super) fn arrow(
        &self,
        Ends { name, source, target }: Ends,
        corners: &BTreeMap<StateId, Point>,
    ) -> Option<Arrow> {
        let chart = self.chart;
        let home = self.home(source, target);
        let up_to_home = |s: StateId| chart.around(s).take_while(move |around| s != home && *around != home);
        let mut states: Vec<StateId> = up_to_home(source).collect();
        states.push(home);
        let mut down: Vec<StateId> = up_to_home(target).collect();
        down.reverse();
        states.extend(down);
        let border = |y: f64| Some(Point::new(corners[&home].x + self.blocks[&home].ports.get(&name)?, y));
        let mut joined = Joined::default();
        if home == source {
            joined.point(border(corners[&home].y)?);
        }
        for state in states {
            let piece = self.blocks[&state].pieces.get(&name)?;
            joined.piece(&moved(piece, corners[&state]), state == home);
        }
        if home == target {
            joined.point(border(corners[&home].y + self.blocks[&home].size.height)?);
        }
        Some(joined.0)
    }
}

/// The arrows between the states that are drawn.
fn arrows(chart: &Chart) -> Vec<Ends> {
    let of = |t: TransitionId| {
        let transition = chart.transition(t);
        transition.targets.iter().map(move |target| (t, transition.source, *target))
    };
    let all = chart.transition_ids().flat_map(of).enumerate();
    let all = all.map(|(number, (t, source, target))| (Name::Transition(t, number), source, target));
    let histories = chart.state_ids().filter(|s| chart.is_history(*s)).flat_map(|s| {
        let targets = chart.state(s).initial.targets.iter().enumerate();
        targets.map(move |(number, target)| (Name::Default(s, number), s, *target))
    });
    let shown = |(name, from, to): (Name, StateId, StateId)| {
        let (source, target) = (chart.shown_as(from), chart.shown_as(to));
        let is_shown = source != target || (source, target) == (from, to);
        is_shown.then_some(Ends { name, source, target })
    };
    all.chain(histories).filter_map(shown).collect()
}

/// The room of a text at an arrow.
fn label_size(text: &str) -> Option<Size> {
    (!text.is_empty()).then(|| Size::new(width(text) + 8.0, LINE + 2.0))
}

/// The graph of the states directly in a state.
struct Graph {
    nodes: Vec<layered::Node>,
    edges: Vec<layered::Edge>,
    initial: usize,
    borders: Borders,
}

/// An arrow that is put together.
#[derive(Default)]
struct Joined(Arrow);

impl Joined {
    fn point(&mut self, p: Point) {
        let letter = if self.0.path.is_empty() { 'M' } else { 'L' };
        let _ = write!(self.0.path, "{letter}{:.1} {:.1}", p.x, p.y);
        self.0.angle = if p.y < self.0.tip.y { -90.0 } else { 90.0 };
        self.0.tip = p;
    }

    fn piece(&mut self, piece: &Arrow, is_main: bool) {
        let path = if self.0.path.is_empty() { piece.path.clone() } else { piece.path.replacen('M', "L", 1) };
        self.0.path.push_str(&path);
        (self.0.tip, self.0.angle) = (piece.tip, piece.angle);
        if is_main {
            self.0.label = piece.label;
        }
    }
}

/// Is the edge of a piece turned round? Edges lead from the upper border and to the lower one.
fn is_reversed(piece: &Piece) -> bool {
    piece.to == End::Top || piece.from == End::Bottom
}

/// Where a piece meets the border of its block, from the left.
fn port(piece: &Piece, block: &Block) -> Option<f64> {
    let arrow = block.pieces.get(&piece.name)?;
    let is_border = |end: End| !matches!(end, End::Child(_));
    if is_border(piece.to) {
        Some(arrow.tip.x)
    } else if is_border(piece.from) {
        first_point(&arrow.path).map(|p| p.x)
    } else {
        None
    }
}

/// An arrow that leads downwards, in the opposite direction.
fn turned_round(arrow: &Arrow) -> Arrow {
    let tip = first_point(&arrow.path).unwrap_or(arrow.tip);
    Arrow { path: reversed(&arrow.path), tip, angle: -90.0, ..arrow.clone() }
}

/// An arrow that is moved.
pub(super) fn moved(arrow: &Arrow, by: Point) -> Arrow {
    let shift = |p: Point| Point::new(p.x + by.x, p.y + by.y);
    Arrow {
        path: shifted(&arrow.path, by),
        tip: shift(arrow.tip),
        label: shift(arrow.label),
        angle: arrow.angle,
    }
}
