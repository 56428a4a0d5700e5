//! The abstract reachability graph: a tree with covered-by edges laid over it. Of large graphs only the part around the
//! step and the counterexample is drawn; what is below is folded and counted.

mod folding;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::draw::Step;
use crate::draw::graph::folding::Shown;
use crate::kit::{Event, Journal, Label, NodeId, Phase, Role, Verdict};
use crate::layout::tidy::{self, Options, Show, Tidy};
use crate::layout::{Arrow, Point, Size};
use crate::methods::explicit;
use crate::scene::{
    Body, Drawing, Edge, Mark, Node, Rect, Row, Scene, Shape, Text, Thing, fit, middle, width,
};
use crate::system::{EdgeId, VarId};
use crate::text::{count, operation};
use crate::views::{ArgNodeView, Status};

/// A part of the reachability graph. Whatever it is, the nodes of the step, the counterexample and what is above them
/// are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GraphPart {
    /// A node that was chosen: it and what is around it is drawn, too.
    pub chosen: Option<NodeId>,
    /// Draw removed nodes, too; otherwise only during the pruning that removes them.
    pub removed: bool,
    /// What is folded.
    pub fold: Fold,
}

/// The nodes that are folded, unless they are on the way to others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Fold {
    /// None, as long as the graph can be read.
    #[default]
    Nothing,
    /// Those of earlier iterations.
    Iterations,
    /// Those at other locations than the chosen node or that of the step.
    Locations,
}

impl Fold {
    /// All of them, each with its name on screen.
    pub const ALL: [(Fold, &'static str); 3] = [
        (Fold::Nothing, "all nodes"),
        (Fold::Iterations, "this iteration"),
        (Fold::Locations, "this location"),
    ];
}

const LONGEST_FACT: usize = 30;
const LONGEST_NAME: usize = 26;
const MOST_FACTS: usize = 4;
const LONGEST_LABEL: usize = 24;
/// Nodes farther away do not fix the place of the next drawing, so that coordinates stay exact in every renderer.
const FARTHEST: f64 = 500_000.0;
/// The maximal number of drawn edges that cannot be taken, for each node.
const MOST_STUBS: usize = 4;
/// The distance of these signs.
const STUB: f64 = 14.0;

/// The first event of the pruning of which the step is a part; none in other phases.
fn pruning_since(events: &[Event]) -> Option<usize> {
    let pruning = |event: &Event| event.phase().map(Phase::role) == Some(Role::Prune);
    events.last().filter(|last| pruning(last))?;
    Some(events.iter().rposition(|event| !pruning(event)).map_or(0, |before| before + 1))
}

/// An edge of explicit search that leads to a state reached before and so is no edge of the tree.
#[derive(Clone, Copy)]
struct ToKnown {
    from: NodeId,
    to: NodeId,
    by: EdgeId,
}

impl ToKnown {
    /// That of the step.
    fn of(step: &Step<'_>) -> Option<ToKnown> {
        let Event::Explicit(explicit::Event::StateKnown { state, from }) = *last_event(step)? else {
            return None;
        };
        let (from, by) = from.pair();
        Some(ToKnown { from, to: state, by })
    }

    /// Without its arrow.
    fn draw(self, journal: &Journal) -> Edge {
        let ToKnown { from, to, by } = self;
        let text = journal.names.edges.get(by.index()).map(|e| operation(&e.text)).unwrap_or_default();
        let mut edge = Edge::new(format!("r{from}"), from.to_string(), to.to_string())
            .labelled(String::new(), format!("{from} leads to {to}, which was reached before: {text}"))
            .marked(&[(Mark::Taken, true)]);
        edge.about = journal.names.with_inner(by).into_iter().map(Thing::Edge).collect();
        edge
    }
}

/// The graph at a step.
pub(super) fn graph(step: &Step<'_>) -> Scene {
    let (graph, journal) = (step.graph, step.journal);
    // Removed nodes stay until the pruning that removed them is over.
    let since = pruning_since(&journal.events[..graph.applied.min(journal.events.len())]);
    let ghost = |node: &ArgNodeView| {
        step.part.removed || node.died.zip(since).is_some_and(|(died, since)| died >= since)
    };
    if graph.nodes.is_empty() {
        return Scene::of(
            heading(journal),
            Text::plain("No node yet: the search begins with the next step."),
            Body::Nothing,
        );
    }
    let present: Vec<bool> = graph.nodes.iter().map(|node| !node.pruned || ghost(node)).collect();
    let path = on_path(step);
    let centres: Vec<NodeId> = step.subjects.nodes.iter().copied().chain(step.part.chosen).collect();
    let kept = kept(step, &centres);
    let shown = folding::shown(graph, &present, (&centres, &path), (kept, step.most));
    let before = step.last.map(centres_of).unwrap_or_default();
    let joins = joins(step, &path);
    let drawing =
        Part { step, path: &path, joins: &joins, shown: &shown, known: ToKnown::of(step), before }.drawing();
    let live = graph.live().count();
    let drawn = shown.ids.len();
    let states = graph.live().filter(|(_, node)| node.searched).count();
    let mut caption = match (states, live - states) {
        (0, _) => count(live, "node"),
        (_, 0) => count(live, "state"),
        (_, nodes) => format!("{} of the search and {}", count(states, "state"), count(nodes, "node")),
    };
    if drawn < live {
        caption.push_str(&format!(
            ", {drawn} of them drawn: {}those around this step, the selection and the counterexample",
            match step.part.fold {
                Fold::Nothing => "",
                Fold::Iterations => "those of this iteration and ",
                Fold::Locations => "those at this location and ",
            }
        ));
    }
    Scene::of(heading(journal), Text::plain(&format!("{caption}.")), Body::Drawing(Arc::new(drawing)))
}

/// The centres of the nodes of a drawing, by ascending number, unless they are too far away.
fn centres_of(drawing: &Drawing) -> Vec<(NodeId, Point)> {
    let centre = |node: &Node| match (node.about.first(), node.rect.centre()) {
        (Some(Thing::Node(id)), at) if node.shape == Shape::Box => Some((*id, at)),
        _ => None,
    };
    let near = |(_, at): &(NodeId, Point)| at.x.abs().max(at.y.abs()) < FARTHEST;
    drawing.nodes.iter().filter_map(centre).filter(near).collect()
}

/// The name of the graph: that of explicit search is of concrete states.
fn heading(journal: &Journal) -> &'static str {
    match journal.first_step() {
        Some(Event::Explicit(_)) => "State graph",
        Some(Event::Under(_)) => "Concrete states, matched by predicates",
        Some(Event::CombinedApprox(_)) => "Concrete states, and abstract reachability graph",
        _ => "Abstract reachability graph",
    }
}

/// Is it a run of explicit search?
fn is_explicit(journal: &Journal) -> bool {
    matches!(journal.first_step(), Some(Event::Explicit(_)))
}

/// By node, whether it is not folded; none if nothing is folded.
fn kept(step: &Step<'_>, centres: &[NodeId]) -> Option<Vec<bool>> {
    let graph = step.graph;
    let all = |keep: &dyn Fn(&ArgNodeView) -> bool| Some(graph.nodes.iter().map(keep).collect());
    match step.part.fold {
        Fold::Nothing => None,
        Fold::Iterations => {
            let events = &step.journal.events[..graph.applied.min(step.journal.events.len())];
            let began = events.iter().rposition(|event| matches!(event, Event::IterationStarted { .. }));
            all(&|node| node.born >= began.unwrap_or(0))
        }
        Fold::Locations => {
            let centre = step.part.chosen.as_ref().or(centres.first()).or(graph.focus.first());
            let here = centre.and_then(|id| graph.nodes.get(id.index())).map(|node| node.label.location);
            all(&|node| Some(node.label.location) == here)
        }
    }
}

/// The nodes on the counterexample; none when the run has ended without one.
fn on_path(step: &Step<'_>) -> Vec<bool> {
    let mut on = vec![false; step.graph.nodes.len()];
    if matches!(last_event(step), Some(Event::Decided { verdict }) if *verdict != Verdict::Violated) {
        return on;
    }
    // A run of concrete states needs no check of a path.
    let target = step.graph.live().find(|(_, node)| node.status == Status::Reached);
    let run = target.map(|(id, _)| step.graph.path(id)).unwrap_or_default();
    for node in step.cex.nodes(step.graph).into_iter().chain(run) {
        if step.graph.nodes.get(node.index()).is_some_and(|n| !n.pruned) {
            on[node.index()] = true;
        }
    }
    on
}

/// The nodes from which a lasso goes on where it meets covered nodes: those that cover them.
fn joins(step: &Step<'_>, path: &[bool]) -> BTreeSet<NodeId> {
    let is_lasso = step.cex.lasso.is_some();
    let covered = step.graph.nodes.iter().zip(path).filter(|(_, on)| **on && is_lasso);
    covered.filter_map(|(node, _)| node.status.by()).collect()
}

/// The operation of the edge to a node.
fn arrival(journal: &Journal, node: &ArgNodeView) -> String {
    let edge = node.from.and_then(|(_, edge)| journal.names.edges.get(edge.index()));
    edge.map(|e| operation(&e.text)).unwrap_or_default()
}

/// The node that a step is about: the end of a path, or else the first of its subjects.
pub(super) fn lead(step: &Step<'_>) -> Option<NodeId> {
    let nodes = &step.subjects.nodes;
    let from =
        |id: &NodeId| step.graph.nodes.get(id.index()).and_then(|node| node.from).map(|(parent, _)| parent);
    let explores = last_event(step).and_then(Event::phase).is_none_or(|phase| phase.role() == Role::Abstract);
    let is_path = nodes.len() > 1 && nodes.windows(2).all(|pair| from(&pair[1]) == Some(pair[0]));
    if is_path && !explores { nodes.last().copied() } else { nodes.first().copied() }
}

/// The event of the step.
fn last_event<'a>(step: &Step<'a>) -> Option<&'a Event> {
    let last = step.graph.applied.min(step.journal.events.len()).checked_sub(1)?;
    step.journal.events.get(last)
}

/// The name of a state and the rest of its label: the name is that of its location, or the values of program counters.
fn named(journal: &Journal, label: &Label) -> (String, Label) {
    let is_counter = |(v, _): &(VarId, String)| journal.names.counters.contains(v);
    let (counters, values): (Vec<_>, Vec<_>) = label.values.iter().cloned().partition(is_counter);
    if counters.is_empty() {
        return (journal.location(label.location).to_owned(), label.clone());
    }
    let text = |(v, value): &(VarId, String)| format!("{} = {value}", journal.variable(*v));
    let name = counters.iter().map(text).collect::<Vec<_>>().join(", ");
    (name, Label { values, ..label.clone() })
}

fn node(step: &Step<'_>, id: NodeId, (lead, on_path): (Option<NodeId>, bool)) -> Node {
    let (journal, view) = (step.journal, &step.graph.nodes[id.index()]);
    let (name, label) = named(journal, &view.label);
    let all = journal.facts(&label);
    // Values come first and belong to no predicate, then literals, then disjunctions.
    let (values, literals) = (label.values.len(), &label.literals);
    let predicate = |i: usize| i.checked_sub(values).and_then(|i| literals.get(i)).map(|(p, _)| *p);
    let place = journal.names.place(view.label.location);
    // Explicit search does not report which state it expands, but its successors.
    let expands = is_explicit(journal) && !view.children.is_empty();
    let (sign, status) = match view.status {
        Status::Open if expands => ("", "being expanded".to_owned()),
        Status::Open => ("○ ", "waiting".to_owned()),
        Status::Current => ("", "being expanded".to_owned()),
        Status::Expanded => ("", "expanded".to_owned()),
        Status::Matched(with) => ("↷ ", format!("matched with {with}")),
        Status::Covered(by) => ("↷ ", format!("covered by {by}")),
        Status::Target | Status::Reached => ("✕ ", "at the error location".to_owned()),
    };
    let mut rows = vec![Row::name(middle(&name, LONGEST_NAME)), Row::corner(format!("{sign}{id}"))];
    for (i, text) in all.iter().take(MOST_FACTS).enumerate() {
        rows.push(Row::fact(fit(text, LONGEST_FACT), predicate(i).map(Thing::Predicate)));
    }
    if all.len() > MOST_FACTS {
        rows.push(Row::fact(format!("and {} more", all.len() - MOST_FACTS), None));
    }
    let was = if view.pruned { "removed, was " } else { "" };
    let title = format!("{id} at {name}, {was}{status}: {}", journal.label(&label));
    let is_lead = lead == Some(id);
    Node::new(id.to_string(), Shape::Box, rows, title)
        .about(
            [Thing::Node(id), Thing::Location(place)]
                .into_iter()
                .chain(view.label.predicates().map(Thing::Predicate)),
        )
        .marked(&[
            (Mark::Current, is_lead),
            (Mark::Second, !is_lead && step.subjects.nodes.contains(&id)),
            (Mark::Waiting, view.status == Status::Open && !expands),
            (Mark::Covered, matches!(view.status, Status::Covered(_))),
            (Mark::Matched, matches!(view.status, Status::Matched(_))),
            (Mark::Target, matches!(view.status, Status::Target | Status::Reached)),
            (Mark::Path, on_path),
            (Mark::Pruned, view.pruned),
        ])
}

/// The drawn part of a graph.
struct Part<'a> {
    step: &'a Step<'a>,
    path: &'a [bool],
    joins: &'a BTreeSet<NodeId>,
    shown: &'a Shown,
    known: Option<ToKnown>,
    /// The centres of the nodes that the previous drawing had.
    before: Vec<(NodeId, Point)>,
}

impl Part<'_> {
    /// The number of a node among those that are drawn.
    fn place(&self, id: NodeId) -> Option<usize> {
        self.shown.ids.binary_search(&id).ok()
    }

    fn view(&self, id: NodeId) -> &ArgNodeView {
        &self.step.graph.nodes[id.index()]
    }

    fn drawing(&self) -> Drawing {
        let ids = &self.shown.ids;
        let lead = lead(self.step);
        let drawn = |id: &NodeId| {
            let on_path = self.path[id.index()] || self.joins.contains(id);
            node(self.step, *id, (lead, on_path))
        };
        let mut nodes: Vec<Node> = ids.iter().map(drawn).collect();
        let tree: Vec<tidy::Node> =
            ids.iter().zip(&nodes).map(|(id, node)| self.in_tree(*id, node)).collect();
        let placed = tidy::draw(&tree, &Options::default());
        for (node, centre) in nodes.iter_mut().zip(&placed.nodes) {
            let size = Size::new(node.rect.width, node.rect.height);
            node.rect = Rect::around(centre.unwrap_or_default(), size);
        }
        let mut edges: Vec<Edge> =
            placed.edges.iter().zip(ids).filter_map(|(arrow, id)| self.edge(*id, arrow.clone()?)).collect();
        edges.extend(self.across(&placed));
        let mut below = Vec::new();
        for (id, node) in ids.iter().zip(&nodes) {
            let blocked = self.view(*id).blocked.iter().take(MOST_STUBS).enumerate();
            below.extend(blocked.map(|(number, edge)| stub(self.step, node, (number, *edge))));
            let hidden = self.shown.below[id.index()];
            below.extend((hidden > 0).then(|| folded(node, hidden)));
        }
        nodes.extend(below);
        Drawing { nodes, edges, ..Drawing::default() }.bounded(24.0)
    }

    /// A node for the layout; one whose parent is not drawn is a root.
    fn in_tree(&self, id: NodeId, node: &Node) -> tidy::Node {
        let view = self.view(id);
        let label = middle(&arrival(self.step.journal, view), LONGEST_LABEL);
        tidy::Node {
            parent: view.from.and_then(|(parent, _)| self.place(parent)),
            size: Size::new(node.rect.width, node.rect.height),
            label: width(&label) + 8.0,
            show: Show::Open,
            before: self.before.binary_search_by_key(&id, |(id, _)| *id).ok().map(|at| self.before[at].1),
        }
    }

    /// The edge from the parent of a node.
    fn edge(&self, id: NodeId, arrow: Arrow) -> Option<Edge> {
        let (step, view) = (self.step, self.view(id));
        let (parent, by) = view.from?;
        let text = arrival(step.journal, view);
        let inner = step.journal.names.with_inner(by);
        let is_subject = inner.iter().any(|edge| step.subjects.edges.contains(edge));
        let of_step = |node: NodeId| step.subjects.nodes.contains(&node);
        let taken = is_subject && of_step(id) && of_step(parent) && self.known.is_none();
        let lost =
            view.lost.map(|lost| format!("{text}: not exact, {} is not implied", step.journal.formula(lost)));
        let mut edge = Edge::new(format!("e{id}"), parent.to_string(), id.to_string())
            .labelled(middle(&text, LONGEST_LABEL), lost.unwrap_or(text))
            .marked(&[
                (Mark::Taken, taken),
                (Mark::Inexact, view.lost.is_some()),
                (Mark::Path, self.path[id.index()]),
                (Mark::Pruned, view.pruned),
            ]);
        edge.about = inner.into_iter().map(Thing::Edge).collect();
        edge.arrow = arrow;
        Some(edge)
    }

    /// The edges that are not in the tree: from covered nodes to those that cover them, and that of the step.
    fn across(&self, placed: &Tidy) -> Vec<Edge> {
        let cover = |id: &NodeId| {
            let status = self.view(*id).status;
            let by = status.by().filter(|_| !self.view(*id).pruned)?;
            let on_path = self.path[id.index()] && self.joins.contains(&by);
            Some((*id, by, covered(*id, by, (on_path, matches!(status, Status::Matched(_))))))
        };
        let known = self.known.map(|edge| (edge.from, edge.to, edge.draw(self.step.journal)));
        let edges = self.shown.ids.iter().filter_map(cover).chain(known);
        let drawn =
            |(from, to, edge): (NodeId, NodeId, Edge)| Some(((self.place(from)?, self.place(to)?), edge));
        let (ends, edges): (Vec<(usize, usize)>, Vec<Edge>) = edges.filter_map(drawn).unzip();
        let arrows = placed.covers(&ends).into_iter();
        arrows.zip(edges).filter_map(|(arrow, edge)| Some(Edge { arrow: arrow?, ..edge })).collect()
    }
}

/// The edge from a covered node to the one that covers it, without its arrow.
fn covered(node: NodeId, by: NodeId, (on_path, matched): (bool, bool)) -> Edge {
    let title =
        if matched { format!("{node} is matched with {by}") } else { format!("{node} is covered by {by}") };
    Edge::new(format!("c{node}"), node.to_string(), by.to_string()).labelled(String::new(), title).marked(&[
        (Mark::Covered, !matched),
        (Mark::Matched, matched),
        (Mark::Path, on_path),
    ])
}

/// An edge that cannot be taken: a short line that ends in a bar, below its node.
fn stub(step: &Step<'_>, node: &Node, (number, edge): (usize, EdgeId)) -> Node {
    let names = &step.journal.names;
    let text = names.edges.get(edge.index()).map(|e| operation(&e.text)).unwrap_or_default();
    let inner = names.with_inner(edge);
    let is_subject = inner.iter().any(|edge| step.subjects.edges.contains(edge))
        && node.about.first() == step.subjects.nodes.first().map(|n| Thing::Node(*n)).as_ref();
    let mut stub = Node::new(
        format!("{}.{edge}", node.key),
        Shape::Stub,
        Vec::new(),
        format!("infeasible at {}: {text}", node.key),
    )
    .about(inner.into_iter().map(Thing::Edge))
    .marked(&[(Mark::Infeasible, true), (Mark::Current, is_subject)]);
    // From the right towards the middle, where the other edges leave; then on the left of it.
    let right = ((node.rect.width / 2.0 - 12.0) / STUB).max(0.0) as usize;
    let (end, place) =
        if number < right { (node.rect.right(), number) } else { (node.rect.centre().x, number - right) };
    stub.rect.x = end - 16.0 - STUB * place as f64;
    // Outside of the ring of a current node.
    stub.rect.y = node.rect.bottom() + if node.is(Mark::Current) { 7.0 } else { 0.0 };
    stub
}

/// The number of nodes that are folded below a node.
fn folded(node: &Node, count: usize) -> Node {
    let rows = vec![Row::fact(format!("+{count}"), None)];
    let title = format!("{} folded below {}", crate::text::count(count, "node"), node.key);
    let mut plus = Node::new(format!("{}+", node.key), Shape::Pill, rows, title)
        .about(node.about.first().copied())
        .marked(&[(Mark::Folded, true)]);
    plus.rect = Rect::around(
        Point::new(node.rect.centre().x, node.rect.bottom() + 16.0),
        Size::new(width(&format!("+{count}")) + 18.0, 22.0),
    );
    plus
}
