//! What is known of a net: its invariants, siphons and traps as parts of its drawing, its reachability graph, and its
//! coverability graph.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::sync::Arc;

use crate::draw::markings::{LONGEST, MARKINGS, graph, rows};
use crate::draw::model::MARGIN;
use crate::draw::names::Names;
use crate::layout::layered::Options;
use crate::net::coverability::{Count, NoTree, Tree};
use crate::net::facts::{Behaviour, Limits, Liveness, Structure};
use crate::net::invariants::{self, Invariant};
use crate::net::reduce::{self, Goal};
use crate::net::siphons::{self, Kind};
use crate::net::witness::{End, Witness};
use crate::net::{Net, PlaceId, TransitionId};
use crate::scene::{
    Body, Chip, Drawing, Edge, Mark, Node, Part, Phrase, Row, Scene, Shape, Table, TableRow, Text, Thing,
    middle,
};
use crate::system::System;
use crate::text::count;

/// Invariants, siphons and traps of each kind that are drawn.
const DRAWN: usize = 6;
/// The greatest number of nodes of a coverability graph that are drawn.
const NODES: usize = 120;
/// The greatest number of nodes of a coverability tree.
const TREE: usize = 5_000;
/// The greatest number of markings that are enumerated for their number, bound, and liveness.
const FEW: usize = 20_000;

/// A scene of one sentence, or of a picture with a sentence.
fn part(heading: &str, caption: Vec<Phrase>, body: Body) -> Part {
    Part { heading: heading.to_owned(), caption: Text(caption), body }
}

fn plain(text: impl Display) -> Phrase {
    Phrase::Plain(text.to_string())
}

/// Invariants, siphons and traps, each as a part of the net. Siphons that may become empty are first: in a dead
/// marking of an ordinary net, the places without tokens are a siphon.
pub(super) fn structure(net: &Net, drawing: &Drawing) -> Scene {
    let limits = Limits { sets: 200, ..Limits::default() };
    let found = Structure::of(net, limits);
    let names = Names::of(net);
    let mut parts = vec![facts(net, &found)];
    let siphons = found.siphons.iter().flatten().map(|places| (places, SiphonState::of(net, places)));
    let (endangered, others): (Vec<_>, Vec<_>) =
        siphons.partition(|(_, state)| *state == SiphonState::MayLoseAll);
    let siphon = |(places, state): &(&Vec<PlaceId>, SiphonState)| {
        let caption = vec![Phrase::Code(set(&names, places)), plain(state.text())];
        part("Siphon", caption, Body::Drawing(Arc::new(subnet(net, drawing, places, None))))
    };
    parts.extend(endangered.iter().take(DRAWN).map(siphon));
    parts.extend(smaller(net));
    let body = |places: &[PlaceId], transitions: Option<&[TransitionId]>| {
        Body::Drawing(Arc::new(subnet(net, drawing, places, transitions)))
    };
    for invariant in found.place_invariants.iter().flatten().take(DRAWN) {
        let places: Vec<PlaceId> = invariant.iter().map(|(p, _)| PlaceId::new(*p)).collect();
        let caption =
            vec![Phrase::Code(equation(net, &names, invariant)), plain(" in every reachable marking.")];
        parts.push(part("Place invariant", caption, body(&places, None)));
    }
    for invariant in found.transition_invariants.iter().flatten().take(DRAWN) {
        let own: Vec<TransitionId> = invariant.iter().map(|(t, _)| TransitionId::new(*t)).collect();
        let firings = sum(invariant, |t| names.transition(TransitionId::new(t)));
        let caption = vec![
            Phrase::Code(firings),
            plain(": firing these transitions, in any enabled order, leads back to the same marking."),
        ];
        let mut places = Vec::new();
        for t in &own {
            let t = net.transition(*t);
            places.extend(t.inputs.iter().chain(&t.outputs).map(|arc| arc.place));
        }
        parts.push(part("Transition invariant", caption, body(&places, Some(&own))));
    }
    parts.extend(others.iter().take(DRAWN.saturating_sub(endangered.len())).map(siphon));
    let initial = net.initial();
    for places in found.traps.iter().flatten().take(DRAWN) {
        let more = match siphons::is_marked(places, &initial) {
            true => ": it has tokens, and never becomes empty.",
            false => ": once it has a token, it never becomes empty.",
        };
        parts.push(part("Trap", vec![Phrase::Code(set(&names, places)), plain(more)], body(places, None)));
    }
    Scene { parts }
}

/// What is known of a siphon.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SiphonState {
    HasMarkedTrap,
    MayLoseAll,
    Empty,
}

impl SiphonState {
    fn of(net: &Net, siphon: &[PlaceId]) -> SiphonState {
        let initial = net.initial();
        let trap = siphons::greatest(net, Kind::Trap, siphon);
        match (siphons::is_marked(&trap, &initial), siphons::is_marked(siphon, &initial)) {
            (true, _) => SiphonState::HasMarkedTrap,
            (false, true) => SiphonState::MayLoseAll,
            (false, false) => SiphonState::Empty,
        }
    }

    fn text(self) -> &'static str {
        match self {
            SiphonState::HasMarkedTrap => ": it contains a trap with tokens, so it never becomes empty.",
            SiphonState::MayLoseAll => {
                ": it contains no trap with tokens, so it may become empty; then it stays empty."
            }
            SiphonState::Empty => ": it is empty and stays empty.",
        }
    }
}

/// The class of a net, the numbers of its minimal invariants, siphons and traps, and what its markings say.
fn facts(net: &Net, found: &Structure) -> Part {
    let number =
        |all: Option<usize>| all.map_or_else(|| "too many to be listed".to_owned(), |n| n.to_string());
    let mut rows = vec![
        ("class", found.class.name().to_owned()),
        ("place invariants", number(found.place_invariants.as_ref().map(Vec::len))),
        ("transition invariants", number(found.transition_invariants.as_ref().map(Vec::len))),
        ("siphons", number(found.siphons.as_ref().map(Vec::len))),
        ("traps", number(found.traps.as_ref().map(Vec::len))),
        ("places bounded by invariants", found.bounds.iter().flatten().count().to_string()),
    ];
    if !net.is_timed() {
        rows.extend(behaviour(net, found));
    }
    let row = |(what, value): (&str, String)| TableRow {
        key: what.to_owned(),
        cells: [what.to_owned(), value]
            .map(|text| vec![Chip { text: Text::plain(&text), ..Chip::default() }])
            .to_vec(),
    };
    let columns = ["Property", "Value"].map(str::to_owned).to_vec();
    let table = Table { columns, rows: rows.into_iter().map(row).collect() };
    let caption = format!("At most {DRAWN} minimal sets of each kind are drawn.");
    part("Structure", vec![plain(caption)], Body::Table(table))
}

/// What the reachable markings say, if they are few, or the coverability tree.
fn behaviour(net: &Net, found: &Structure) -> Vec<(&'static str, String)> {
    let shown = Names::of(net);
    let unbounded = || {
        let bounds = Tree::of(net, TREE).ok()?.bounds();
        let unbounded = net.place_ids().zip(bounds).filter(|(_, bound)| *bound == Count::Omega);
        let names: Vec<&str> = unbounded.map(|(p, _)| shown.place(p)).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let may_grow = found.bounds.contains(&None);
    if let Some(names) = may_grow.then(unbounded).flatten() {
        return vec![("unbounded places", names)];
    }
    let limits = Limits { markings: FEW, ..Limits::default() };
    let Some(all) = Behaviour::of(net, found, limits) else {
        return vec![("reachable markings", format!("more than {FEW}"))];
    };
    let mut rows = vec![
        ("reachable markings", all.markings.to_string()),
        ("dead markings", all.dead.to_string()),
        ("most tokens in a place", all.bound().to_string()),
    ];
    if let Some(liveness) = &all.liveness {
        let others = net.transition_ids().zip(liveness).filter(|(_, level)| **level != Liveness::Live);
        let names: Vec<&str> = others.map(|(t, _)| shown.transition(t)).collect();
        rows.push(match names.is_empty() {
            true => ("live", "yes".to_owned()),
            false => ("transitions that are not live", names.join(", ")),
        });
    }
    if let Some(home) = all.home {
        rows.push((
            "home states",
            if home == all.markings { "all markings".to_owned() } else { home.to_string() },
        ));
    }
    rows
}

/// The net after structural reductions that keep its deadlocks, if there are any.
fn smaller(net: &Net) -> Option<Part> {
    let reduced = reduce::reduced(net, &Goal::Dead);
    let places = reduced.places();
    if reduced.rules.is_empty() {
        return None;
    }
    let mut letters: BTreeMap<char, usize> = BTreeMap::new();
    for rule in &reduced.rules {
        *letters.entry(rule.letter()).or_default() += 1;
    }
    let rules: Vec<String> = letters.iter().map(|(letter, n)| format!("{letter} {n}×")).collect();
    let left = reduced.net.transitions.len();
    let caption = format!(
        "It has a deadlock exactly if the net has one. Left: {} of {} places, {left} of {} transitions. Rules: {}.",
        places.len(),
        net.places.len(),
        net.transitions.len(),
        rules.join(", "),
    );
    let drawing = super::net::part(&reduced.net, &places);
    let body = if drawing.nodes.is_empty() { Body::Nothing } else { Body::Drawing(Arc::new(drawing)) };
    Some(part("Reduced net", vec![plain(caption)], body))
}

/// `2 p + q`
fn sum<'a>(invariant: &Invariant, name: impl Fn(usize) -> &'a str) -> String {
    let term = |(of, n): &(usize, u64)| match n {
        1 => name(*of).to_owned(),
        n => format!("{n} {}", name(*of)),
    };
    invariant.iter().map(term).collect::<Vec<_>>().join(" + ")
}

fn equation(net: &Net, names: &Names<'_>, invariant: &Invariant) -> String {
    let total = invariants::sum(invariant, &net.initial());
    format!("{} = {total}", sum(invariant, |p| names.place(PlaceId::new(p))))
}

fn set(names: &Names<'_>, places: &[PlaceId]) -> String {
    let all: Vec<&str> = places.iter().map(|p| names.place(*p)).collect();
    format!("{{{}}}", all.join(", "))
}

/// The part of a net with some places and the transitions at them, or with these transitions and the places at them.
fn subnet(net: &Net, drawing: &Drawing, places: &[PlaceId], transitions: Option<&[TransitionId]>) -> Drawing {
    let at = |t: TransitionId| {
        let t = net.transition(t);
        t.inputs.iter().chain(&t.outputs).any(|arc| places.contains(&arc.place))
    };
    let belongs = |node: &&Node| match node.about.first() {
        Some(Thing::Variable(p)) => places.contains(&PlaceId(p.0)),
        Some(Thing::Edge(e)) => {
            let t = TransitionId(e.0 - 1);
            transitions.map_or_else(|| at(t), |own| own.contains(&t))
        }
        _ => false,
    };
    let shape = if transitions.is_some() { Shape::Tile } else { Shape::Place };
    let node = |node: &Node| {
        let marks = if node.shape == shape { vec![Mark::Member] } else { Vec::new() };
        Node { marks, ..node.clone() }
    };
    let nodes: Vec<Node> = drawing.nodes.iter().filter(belongs).map(node).collect();
    let is_there = |key: &str| nodes.iter().any(|node| node.key == key);
    let within = |edge: &&Edge| {
        is_there(&edge.source) && is_there(&edge.target) && !edge.marks.contains(&Mark::Inhibitor)
    };
    let edge = |edge: &Edge| Edge { marks: Vec::new(), ..edge.clone() };
    let edges = drawing.edges.iter().filter(within).map(edge).collect();
    Drawing::layered(nodes, edges, 0, &Options { rank_gap: 26.0, margin: MARGIN, ..Options::default() })
}

/// The witness of a formula of branching time in the initial marking, as a tree: a row of nodes for each path.
pub(super) fn witness(system: &System, net: &Net, found: &Witness) -> Part {
    let truth = format!(" is {} in the initial marking.", found.holds);
    let mut caption = vec![Phrase::Code(found.formula.text(system)), plain(truth)];
    let markings = found.markings();
    if markings > MARKINGS {
        let text =
            format!(" Its witness has {markings} markings, too many to be drawn; veristep check prints it.");
        caption.push(plain(text));
        return part("Witness", caption, Body::Nothing);
    }
    let mut tree = WitnessTree { system, names: Names::of(net), nodes: Vec::new(), edges: Vec::new() };
    tree.add(found);
    if found.parts.is_empty() && found.path.is_empty() {
        caption.push(plain(match found.is_about_all() {
            true => " The formula is about all paths, so no single path is a witness.",
            false => " The initial marking alone is the witness.",
        }));
    } else if !found.parts.is_empty() {
        caption.push(plain(" Edges without a name lead to the subformulas of a marking."));
    }
    let options = Options { rank_gap: 30.0, margin: MARGIN, ..Options::default() };
    let drawing = Drawing::layered(tree.nodes, tree.edges, 0, &options);
    part("Witness", caption, Body::Drawing(Arc::new(drawing)))
}

/// The drawing of a witness in the making.
struct WitnessTree<'a> {
    system: &'a System,
    names: Names<'a>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

impl WitnessTree<'_> {
    /// Adds a witness; gives the key of its first node.
    fn add(&mut self, found: &Witness) -> String {
        let first = self.nodes.len();
        let last = found.path.len();
        // The marking that closes a cycle is the node to which the cycle leads back.
        let key = |position: usize| match found.end {
            End::Loop(back) if position == last => format!("w{}", first + back),
            _ => format!("w{}", first + position),
        };
        let own = if matches!(found.end, End::Loop(_)) { last } else { last + 1 };
        let markings = std::iter::once(&found.marking).chain(found.path.iter().map(|(_, m)| m));
        for (position, marking) in markings.enumerate().take(own) {
            let text = self.names.marking(marking);
            let mut rows = vec![Row::name(middle(&text, LONGEST))];
            let mut title = text;
            if position == 0 {
                let claim = format!("{} is {}", found.formula.text(self.system), found.holds);
                rows.push(Row::fact(middle(&claim, LONGEST), None));
                title = format!("{title}: {claim}");
            }
            let is_dead = found.end == End::Dead && position == last;
            let marks = [(Mark::Initial, first + position == 0), (Mark::Dead, is_dead)];
            self.nodes.push(Node::new(key(position), Shape::Box, rows, title).marked(&marks));
        }
        for (position, (t, _)) in found.path.iter().enumerate() {
            let name = self.names.transition(*t);
            let (from, to) = (key(position), key(position + 1));
            let edge = Edge::new(format!("{from}-{to}"), from, to);
            self.edges.push(edge.labelled(middle(name, LONGEST), name.to_owned()));
        }
        for (position, part) in &found.parts {
            let (from, to) = (key(*position), self.add(part));
            self.edges.push(Edge::new(format!("{from}-{to}"), from, to));
        }
        key(0)
    }
}

/// The coverability graph: the coverability tree, in which nodes with one marking are one.
pub(super) fn coverable(net: &Net) -> Scene {
    let tree = match Tree::of(net, TREE) {
        Ok(tree) => tree,
        Err(NoTree::Inhibitors) => {
            return Scene::sentence(
                "The net has inhibitor arcs, for which the construction of the coverability graph is not valid.",
            );
        }
        Err(NoTree::TooLarge) => {
            return Scene::sentence(&format!("The coverability tree has more than {TREE} nodes."));
        }
    };
    if !tree.nodes.iter().any(|node| node.marking.contains(&Count::Omega)) {
        return Scene::sentence("The net is bounded, so its coverability graph is the reachability graph.");
    }
    let names = Names::of(net);
    let text = |marking: &[Count]| {
        let token = |(p, n): (usize, &Count)| match n {
            Count::Tokens(0) => None,
            Count::Tokens(1) => Some(names.place(PlaceId::new(p)).to_owned()),
            n => Some(format!("{n} {}", names.place(PlaceId::new(p)))),
        };
        let all: Vec<String> = marking.iter().enumerate().filter_map(token).collect();
        if all.is_empty() { "0".to_owned() } else { all.join(" + ") }
    };
    // Nodes with one marking are one.
    let mut numbers: HashMap<&[Count], usize> = HashMap::new();
    let (mut edges, mut nodes) = (Vec::new(), Vec::new());
    for node in &tree.nodes {
        let new = numbers.len();
        let number = *numbers.entry(&node.marking).or_insert(new);
        if number == new {
            let text = text(&node.marking);
            nodes.push(Node::new(format!("m{number}"), Shape::Box, rows(&text), text).marked(&[
                (Mark::Initial, number == 0),
                (Mark::Unbounded, node.marking.contains(&Count::Omega)),
                (Mark::Dead, node.is_dead),
            ]));
        }
        edges.extend(node.from.map(|(from, t)| (numbers[tree.nodes[from].marking.as_slice()], t, number)));
    }
    edges.sort_unstable();
    edges.dedup();
    if nodes.len() > NODES {
        return Scene::sentence(&format!(
            "The coverability graph has {} nodes, too many to be drawn.",
            nodes.len()
        ));
    }
    let omega = |p: &PlaceId| tree.nodes.iter().any(|node| node.marking[p.index()] == Count::Omega);
    let unbounded: Vec<&str> = net.place_ids().filter(omega).map(|p| names.place(p)).collect();
    let caption = format!("{}; unbounded: {}.", count(nodes.len(), "node"), unbounded.join(", "));
    let drawing = graph(net, nodes, &edges);
    Scene::of("Coverability graph", Text::plain(&caption), Body::Drawing(Arc::new(drawing)))
}
