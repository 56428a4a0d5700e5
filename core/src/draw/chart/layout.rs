//! Places of the states of a chart, from the inside out: the states directly in a composite state are a layered graph,
//! whose edges are the transitions between them or between states in them; regions are beside each other.
//!
//! A transition that leaves or enters states is drawn in pieces, one for each of them: inside of a state, its piece
//! leads to the border or from it, as an edge of that state's graph, and the piece around the state goes on from
//! there. So arrows across levels keep clear of states, too.

use std::collections::BTreeMap;

use super::{INSIDE, LONGEST, facts, leaf, text};
use crate::chart::{Chart, StateId, StateKind, TransitionId};
use crate::layout::layered::{self, Options};
use crate::layout::{Arrow, Point, Size};
use crate::scene::{HEAD, LINE, PADDING, bounds, first_point, fit, reversed, shifted, width};

/// The distance of arrows at a border.
const PORTS: f64 = 16.0;

/// What an arrow stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    /// A transition and one of its targets: the number of this arrow among those of all transitions.
    Transition(TransitionId, usize),
    /// Where a history leads that has recorded nothing yet.
    Default(StateId),
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
        layout.divide(Chart::ROOT);
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

    /// Divides the arrows whose main pieces are in a state, after those of the states around it.
    fn divide(&mut self, state: StateId) {
        let all = self.arrows.iter().copied().filter(|ends| self.home(ends.source, ends.target) == state);
        let all: Vec<Ends> = all.collect();
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
        if self.chart.state(state).kind != StateKind::Parallel {
            let graph = self.graph(state, &pieces, &|_| Size::default());
            let turned = layered::turned(graph.nodes.len(), &graph.edges, graph.initial, graph.borders.0);
            let upwards: BTreeMap<Name, bool> = pieces.iter().map(|p| p.name).zip(turned).collect();
            for Ends { name, source, target, .. } in all {
                let (out, into) =
                    if upwards[&name] { (End::Top, End::Bottom) } else { (End::Bottom, End::Top) };
                self.cross(state, name, (source, out), true);
                self.cross(state, name, (target, into), false);
            }
        } else {
            for Ends { name, source, target, .. } in all {
                match (source == state, target == state) {
                    (false, true) => self.cross(state, name, (source, End::Bottom), true),
                    (true, false) => self.cross(state, name, (target, End::Top), false),
                    // Arrows from one region to another are drawn across.
                    _ => {}
                }
            }
        }
        self.children(state).to_vec().into_iter().for_each(|child| self.divide(child));
    }

    /// The pieces from an end of an arrow to the borders of the states around it, up to one state.
    fn cross(&mut self, home: StateId, name: Name, (end, side): (StateId, End), is_source: bool) {
        let mut inner = end;
        for state in self.chart.around(end).collect::<Vec<_>>() {
            if end == home || state == home {
                return;
            }
            let ends = (End::Child(inner), side);
            let (from, to) = if is_source { ends } else { (ends.1, ends.0) };
            self.pieces.entry(state).or_default().push(Piece { name, from, to, labelled: false });
            inner = state;
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
            StateKind::Parallel => self.beside(state, facts),
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

    /// Regions beside each other, each with its loops. Arrows lead straight to them and through them.
    fn beside(&self, state: StateId, facts: Vec<String>) -> Block {
        let head = self.head(state, &facts);
        let (mut x, mut height, mut inside) = (INSIDE, 0.0_f64, Vec::new());
        let mut pieces = BTreeMap::new();
        for child in &self.chart.state(state).children {
            let (names, drawn) = self.with_loops(*child);
            let (size, centre) = (self.blocks[child].size, drawn.nodes[0]);
            let corner = Point::new(x, head.height + 4.0);
            let at =
                Point::new(corner.x + centre.x - size.width / 2.0, corner.y + centre.y - size.height / 2.0);
            inside.push((*child, at));
            pieces.extend(names.into_iter().zip(drawn.edges.iter().map(|arrow| moved(arrow, corner))));
            x += drawn.size.width + INSIDE;
            height = height.max(drawn.size.height);
        }
        let size = Size::new(x.max(head.width), head.height + height + 4.0 + INSIDE);
        let mut ports = BTreeMap::new();
        for (child, at) in &inside {
            let is_its = |piece: &&Piece| [piece.from, piece.to].contains(&End::Child(*child));
            let all: Vec<&Piece> = self.pieces.get(&state).into_iter().flatten().filter(is_its).collect();
            let block = &self.blocks[child];
            let apart = (block.size.width / (all.len() + 1) as f64).min(PORTS);
            for (number, piece) in all.iter().enumerate() {
                let beside = (number as f64 - (all.len() as f64 - 1.0) / 2.0) * apart;
                let port = block.ports.get(&piece.name).copied().unwrap_or(block.size.width / 2.0 + beside);
                let x = at.x + port;
                let inner = match (piece.from, piece.to) {
                    // From one region to another one.
                    (End::Child(_), End::Child(_)) => continue,
                    (End::Top, _) | (_, End::Top) => (0.0, at.y),
                    _ => (size.height, at.y + block.size.height),
                };
                let (outer, inner) = inner;
                let ends = if matches!(piece.from, End::Child(_)) { (inner, outer) } else { (outer, inner) };
                ports.insert(piece.name, x);
                pieces.insert(piece.name, Arrow::straight(Point::new(x, ends.0), Point::new(x, ends.1)));
            }
        }
        Block { size, facts, inside, pieces, ports }
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
                nodes.push(node(Size::new(PORTS * arrows as f64, 0.0), 0.0));
                nodes.len() - 1
            })
        };
        let borders = (border(End::Top), border(End::Bottom));
        let place = |end: End| match end {
            End::Child(child) => children.iter().position(|c| *c == child),
            End::Top => borders.0,
            End::Bottom => borders.1,
        };
        let port = |name: Name, end: End| match end {
            End::Child(child) => {
                let block = self.blocks.get(&child)?;
                Some(block.ports.get(&name)? - block.size.width / 2.0)
            }
            _ => None,
        };
        let edge = |piece: &Piece| {
            let label = label_size(&text(chart, piece.name)).filter(|_| piece.labelled);
            // Edges lead from the upper border and to the lower one.
            let (from, to) = if is_reversed(piece) { (piece.to, piece.from) } else { (piece.from, piece.to) };
            layered::Edge {
                source: place(from).unwrap_or(usize::MAX),
                target: place(to).unwrap_or(usize::MAX),
                label,
                attached: (port(piece.name, from), port(piece.name, to)),
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
            (piece.name, if is_reversed(piece) { upwards(&arrow) } else { arrow })
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
        let mut block = self.pinned(block, head);
        block.ports = pieces.iter().filter_map(|piece| Some((piece.name, port(piece, &block)?))).collect();
        block
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
        let arrows = block.pieces.values().filter_map(|arrow| bounds(&arrow.path));
        let ends = ends.chain(arrows.map(|rect| (rect.right(), rect.bottom())));
        let (right, bottom) =
            ends.fold((0.0_f64, 0.0_f64), |most, end| (most.0.max(end.0), most.1.max(end.1)));
        block.size = Size::new((right + INSIDE).max(head.width), bottom + INSIDE);
        block
    }

    /// An arrow with its pieces put together, where the states have these top left corners; none if a piece is missing.
    pub(super) fn arrow(
        &self,
        Ends { name, source, target, .. }: Ends,
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
        let border = |bottom: bool| {
            let (block, corner) = (&self.blocks[&home], corners[&home]);
            let y = if bottom { corner.y + block.size.height } else { corner.y };
            Some(Point::new(corner.x + block.ports.get(&name)?, y))
        };
        let mut way = Way::default();
        if home == source {
            way.point(border(false)?);
        }
        for state in states {
            let piece = self.blocks[&state].pieces.get(&name)?;
            way.piece(&moved(piece, corners[&state]), state == home);
        }
        if home == target {
            way.point(border(true)?);
        }
        Some(way.0)
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
        let targets = chart.state(s).initial.targets.iter();
        targets.take(1).map(move |target| (Name::Default(s), s, *target))
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
    borders: (Option<usize>, Option<usize>),
}

/// An arrow that is put together.
#[derive(Default)]
struct Way(Arrow);

impl Way {
    fn point(&mut self, p: Point) {
        let letter = if self.0.path.is_empty() { "M" } else { "L" };
        self.0.path.push_str(&shifted(&format!("{letter}0 0"), p));
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

/// An arrow downwards, from its end to its beginning.
fn upwards(arrow: &Arrow) -> Arrow {
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
