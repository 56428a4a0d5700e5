//! A Petri net: places with their tokens, transitions, and arcs; at a step with the marking of the step.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::Span;
use crate::draw::Step;
use crate::draw::graph::lead;
use crate::draw::model::MARGIN;
use crate::draw::names::Names;
use crate::formats::net::edge_of;
use crate::kit::{Event, NodeId};
use crate::layout::layered::Options;
use crate::layout::{Point, Size};
use crate::net::{Interval, Marking, Net, Place, PlaceArc, PlaceId, Transition, TransitionId, marking_text};
use crate::scene::{
    Body, Drawing, Edge, Mark, Node, Rect, Row, RowKind, Scene, Shape, Text, Thing, middle, number_of, tokens,
};
use crate::system::{EdgeId, System, VarId};
use crate::text::count;
use crate::views::{ArgNodeView, Status};

const LONGEST_NAME: usize = 22;
/// The parts of the title of a transition.
const TRANSITION: &str = ", transition";
const ENABLED: &str = ", enabled";
/// The part of the title of a place after its name.
const PLACE: &str = ", place";
const IN_CONFLICT: &str = ", in conflict";
/// Nodes with less room between them are crowded.
const GAP: f64 = 10.0;
/// In larger nets, no crowded nodes are searched for.
const MOST_COMPARED: usize = 2_000;
/// Conflicts of more transitions are not marked.
const COMPARED: usize = 60;
/// The greatest number of firings of one transition in a step.
const MOST: usize = 1_000;

/// The scene of a net, at a step if there is one.
#[inline(never)]
pub(super) fn scene(drawing: &Drawing, step: Option<&Step<'_>>) -> Scene {
    let of = |shape: Shape| drawing.nodes.iter().filter(|n| n.shape == shape).count();
    let caption = format!(
        "{}, {}, {}.",
        count(of(Shape::Place), "place"),
        count(of(Shape::Tile), "transition"),
        count(drawing.edges.len(), "arc")
    );
    let mut drawing = drawing.clone();
    if let Some(step) = step {
        at(&mut drawing, step);
    }
    Scene::of("Petri net", Text::plain(&caption), Body::Drawing(Arc::new(drawing)))
}

/// Is this the drawing of a net?
pub(super) fn is_one(drawing: &Drawing) -> bool {
    drawing.nodes.iter().any(|node| node.shape == Shape::Tile)
        || drawing.nodes.first().is_some_and(|node| place_of(node).is_some())
}

/// The drawing of a net with its initial marking.
#[inline(never)]
pub(super) fn model(system: &System, net: &Net) -> Drawing {
    let mut nodes = nodes(net, net.place_ids());
    let mut pins = Vec::new();
    if !system.pins.is_empty() {
        let key = |node: &Node| match node.about.first()? {
            Thing::Variable(v) => Some(net.place(PlaceId(v.0)).name.clone()),
            Thing::Edge(e) => Some(net.transition(TransitionId(e.0 - 1)).name.clone()),
            _ => None,
        };
        let pin = |node: &Node| {
            let (x, y) = *system.pins.get(&key(node)?)?;
            Some((node.key.clone(), Point::new(f64::from(x), f64::from(y))))
        };
        pins = nodes.iter().filter_map(pin).collect();
        if is_crowded(&nodes, &pins) {
            let small = |node: Node| if node.shape == Shape::Tile { node.small() } else { node };
            nodes = nodes.into_iter().map(small).collect();
        }
    }
    let mut drawing = of(net, nodes).pinned(&pins, MARGIN);
    mark_enabled(&mut drawing);
    drawing
}

/// Are many nodes at or near others, at these places?
fn is_crowded(nodes: &[Node], pins: &[(String, Point)]) -> bool {
    if pins.len() > MOST_COMPARED {
        return false;
    }
    // Pins are in the order of the nodes.
    let mut rest = nodes.iter();
    let rect = |(key, at): &(String, Point)| {
        let rect = rest.find(|node| node.key == *key)?.rect;
        Some(Rect::around(*at, Size::new(rect.width, rect.height)))
    };
    let rects: Vec<Rect> = pins.iter().filter_map(rect).collect();
    let is_near = |(number, rect): &(usize, &Rect)| {
        let other = |(other, near): (usize, &Rect)| other != *number && rect.inset(-GAP).meets(near);
        rects.iter().enumerate().any(other)
    };
    let near = rects.iter().enumerate().filter(is_near).count();
    near >= 4 && 10 * near > rects.len()
}

/// Places of a net and its transitions, at no place yet.
fn nodes(net: &Net, places: impl Iterator<Item = PlaceId>) -> Vec<Node> {
    let names = Names::of(net);
    let places = places.map(|p| place(net, p, &names));
    places.chain(net.transition_ids().map(|t| transition(net, t, &names))).collect()
}

/// The drawing of some places of a net, with its transitions, which are not those of the model.
pub(super) fn part(net: &Net, places: &BTreeSet<PlaceId>) -> Drawing {
    let mut drawing = of(net, nodes(net, places.iter().copied()));
    drawing.nodes.iter_mut().for_each(|node| node.about.clear());
    drawing.edges.iter_mut().for_each(|edge| edge.about.clear());
    drawing
}

/// The drawing of a net with these nodes.
fn of(net: &Net, nodes: Vec<Node>) -> Drawing {
    // Places with tokens are at the top.
    let first = nodes.iter().position(|node| shown(node) > 0).unwrap_or(0);
    let names = Names::of(net);
    let edges: Vec<Edge> = net.transition_ids().flat_map(|t| arcs(net, t, &names)).collect();
    let options = Options { rank_gap: 26.0, margin: MARGIN, ..Options::default() };
    match nodes.is_empty() {
        true => Drawing::default(),
        false => Drawing::layered(nodes, edges, first, &options),
    }
}

fn place(net: &Net, id: PlaceId, names: &Names<'_>) -> Node {
    let (place, name) = (net.place(id), names.place(id));
    let rows = vec![named(name, place.delay), Row::fact(tokens(place.tokens), None)];
    let title = format!("{name}{PLACE} with {}", count(place.tokens as usize, "token"));
    let node = Node::new(format!("p{}", id.0), Shape::Place, rows, title);
    node.about([Thing::Variable(VarId(id.0))])
}

/// A name with an interval of time, unless that permits every time.
fn named(name: &str, delay: Option<Interval>) -> Row {
    let name = middle(name, LONGEST_NAME);
    match delay.filter(|delay| !delay.is_always()) {
        Some(delay) => Row::name(format!("{name} {}", delay.to_string().replace('w', "∞"))),
        None => Row::name(name),
    }
}

fn transition(net: &Net, id: TransitionId, names: &Names<'_>) -> Node {
    let name = names.transition(id);
    let rows = vec![named(name, net.transition(id).delay)];
    let node = Node::new(format!("t{}", id.0), Shape::Tile, rows, format!("{name}{TRANSITION}"));
    node.about([Thing::Edge(edge_of(id))])
}

/// The arcs of a transition.
fn arcs(net: &Net, id: TransitionId, names: &Names<'_>) -> Vec<Edge> {
    let t = net.transition(id);
    let own = format!("t{}", id.0);
    let arc = |a: &PlaceArc, kind: &str, into: bool, what: &str| {
        let place = format!("p{}", a.place.0);
        let (source, target) = if into { (place, own.clone()) } else { (own.clone(), place) };
        let label = if a.weight == 1 { String::new() } else { a.weight.to_string() };
        let (name, other) = (names.place(a.place), names.transition(id));
        let title = match into {
            true => format!("{what} from {name} to {other}, weight {}", a.weight),
            false => format!("{what} from {other} to {name}, weight {}", a.weight),
        };
        let mut edge =
            Edge::new(format!("{kind}{}-{}", id.0, a.place.0), source, target).labelled(label, title);
        edge.about = vec![Thing::Edge(edge_of(id)), Thing::Variable(VarId(a.place.0))];
        edge
    };
    let inputs = t.inputs.iter().map(|a| arc(a, "i", true, "arc"));
    let outputs = t.outputs.iter().map(|a| arc(a, "o", false, "arc"));
    let inhibitors =
        t.inhibitors.iter().map(|a| arc(a, "h", true, "inhibitor arc").marked(&[(Mark::Inhibitor, true)]));
    inputs.chain(outputs).chain(inhibitors).collect()
}

/// The place that a node stands for.
fn place_of(node: &Node) -> Option<VarId> {
    match node.about.first() {
        Some(Thing::Variable(v)) if node.shape == Shape::Place => Some(*v),
        _ => None,
    }
}

/// The drawing with the marking of a step, and the transition of the step.
#[inline(never)]
pub(super) fn at(drawing: &mut Drawing, step: &Step<'_>) {
    if let Some(node) = node_at(step) {
        for place in &mut drawing.nodes {
            if let Some(v) = place_of(place) {
                show(place, tokens_of(node, v));
            }
        }
    }
    mark_enabled(drawing);
    if let Some(last) = step.subjects.edges.last() {
        mark_last(drawing, *last);
    }
}

/// The node whose marking is that of a step. Markings are the states of explicit search only.
fn node_at<'a>(step: &Step<'a>) -> Option<&'a ArgNodeView> {
    let explicit = matches!(step.journal.first_step(), Some(Event::Explicit(_)));
    let here = || lead(step).and_then(|id| step.graph.nodes.get(id.index()));
    // At the end of a run that is the violation.
    let target = || step.graph.nodes.iter().find(|node| node.status == Status::Target);
    here().or_else(target).filter(|_| explicit)
}

/// The state of explicit search at a step.
pub(super) fn state_at(step: &Step<'_>) -> Option<NodeId> {
    let explicit = matches!(step.journal.first_step(), Some(Event::Explicit(_)));
    lead(step).filter(|_| explicit)
}

/// Draws a marking, and which transitions are enabled in it.
pub(super) fn show_marking(drawing: &mut Drawing, marking: &[u32]) {
    drawing.nodes.iter_mut().zip(marking).for_each(|(place, tokens)| show(place, *tokens));
    mark_enabled(drawing);
}

/// The tokens of a place in the marking of a node.
fn tokens_of(node: &ArgNodeView, place: VarId) -> u32 {
    let own = node.label.values.iter().find(|(of, _)| *of == place);
    own.and_then(|(_, tokens)| tokens.parse().ok()).unwrap_or(0)
}

/// The marking of a step, if it has one.
pub(super) fn marking_at(net: &Net, step: &Step<'_>) -> Option<Marking> {
    let node = node_at(step)?;
    Some(net.place_ids().map(|p| tokens_of(node, VarId(p.0))).collect())
}

/// Marks the transition that was fired last, and its arcs.
pub(super) fn mark_last(drawing: &mut Drawing, last: EdgeId) {
    let is_last = |about: &[Thing]| matches!(about.first(), Some(Thing::Edge(e)) if *e == last);
    for node in drawing.nodes.iter_mut().filter(|node| is_last(&node.about)) {
        node.marks.push(Mark::Current);
    }
    for edge in drawing.edges.iter_mut().filter(|edge| is_last(&edge.about)) {
        if !edge.marks.contains(&Mark::Inhibitor) {
            edge.marks.push(Mark::Taken);
        }
    }
}

/// The drawing after firings.
#[inline(never)]
pub(super) fn played(drawing: &Drawing, fired: &[EdgeId]) -> Drawing {
    let mut drawing = drawing.clone();
    let (mut marking, arcs) = (marking(&drawing), Arcs::of(&drawing));
    for t in fired {
        let Some(own) =
            t.index().checked_sub(1).and_then(|t| arcs.get(t)).filter(|own| own.is_enabled(&marking))
        else {
            break;
        };
        own.take(&mut marking);
        own.give(&mut marking);
    }
    drawing.nodes.iter_mut().zip(marking).for_each(|(place, tokens)| show(place, tokens));
    mark_enabled(&mut drawing);
    fired.last().into_iter().for_each(|last| mark_last(&mut drawing, *last));
    drawing
}

/// The title of a transition of a time net, for the state that is drawn.
pub(super) fn entitle(node: &mut Node, may_fire: bool) {
    let Some((name, rest)) = node.title.split_once(TRANSITION) else { return };
    node.title = match may_fire {
        true => format!("{name}{TRANSITION}, may fire"),
        false if rest.starts_with(ENABLED) => format!("{name}{TRANSITION}{ENABLED}, not ready"),
        false => return,
    };
}

/// The number of these firings that are possible one after the other, from the marking that is drawn.
pub(super) fn possible(drawing: &Drawing, fired: &[EdgeId]) -> usize {
    let (mut marking, arcs) = (marking(drawing), Arcs::of(drawing));
    let fires = |t: &&EdgeId| {
        let own = t.index().checked_sub(1).and_then(|t| arcs.get(t));
        own.filter(|own| own.is_enabled(&marking)).is_some_and(|own| {
            own.take(&mut marking);
            own.give(&mut marking);
            true
        })
    };
    fired.iter().take_while(fires).count()
}

/// Are both drawings of one net, wherever its parts are?
pub(super) fn is_same(one: &Drawing, other: &Drawing) -> bool {
    let same_node = |(a, b): (&Node, &Node)| (&a.key, &a.title) == (&b.key, &b.title);
    let same_edge = |(a, b): (&Edge, &Edge)| (&a.key, &a.label) == (&b.key, &b.label);
    one.nodes.len() == other.nodes.len()
        && one.edges.len() == other.edges.len()
        && one.nodes.iter().zip(&other.nodes).all(same_node)
        && one.edges.iter().zip(&other.edges).all(same_edge)
}

/// The name of a transition as it is drawn.
pub(super) fn transition_name(drawing: &Drawing, t: EdgeId) -> Option<&str> {
    let places = drawing.nodes.iter().take_while(|node| place_of(node).is_some()).count();
    let transitions = drawing.nodes.get(places..)?;
    let node = transitions.get(t.index().checked_sub(1)?)?;
    node.title.split(TRANSITION).next()
}

/// The transitions that are marked as enabled.
pub(super) fn enabled(drawing: &Drawing) -> Vec<EdgeId> {
    let of = |node: &Node| match node.about.first() {
        Some(Thing::Edge(t)) if node.is(Mark::Enabled) => Some(*t),
        _ => None,
    };
    drawing.nodes.iter().filter_map(of).collect()
}

/// The net that is drawn, without the names of its parts.
pub(super) fn net_of(drawing: &Drawing) -> Net {
    let id = |p: usize| PlaceId::new(p);
    let mut net = Net::default();
    for tokens in marking(drawing) {
        let (name, span) = (String::new(), Span::default());
        net.places.push(Place { name, label: None, tokens, delay: None, span });
    }
    for own in Arcs::of(drawing) {
        let list = |arcs: &[(usize, u32)]| {
            let arc = |(p, weight): &(usize, u32)| PlaceArc {
                place: id(*p),
                weight: *weight,
                span: Span::default(),
            };
            let mut arcs: Vec<PlaceArc> = arcs.iter().map(arc).collect();
            arcs.sort_by_key(|arc| arc.place);
            arcs
        };
        net.transitions.push(Transition {
            name: String::new(),
            label: None,
            inputs: list(&own.inputs),
            outputs: list(&own.outputs),
            inhibitors: list(&own.inhibitors),
            reads: Vec::new(),
            delay: None,
            span: Span::default(),
        });
    }
    net
}

/// The name of a place as it is drawn.
pub(super) fn place_name(drawing: &Drawing, place: PlaceId) -> &str {
    drawing.nodes.get(place.index()).map_or("?", name_of)
}

/// The name of a place.
fn name_of(place: &Node) -> &str {
    place.title.split(PLACE).next().unwrap_or_default()
}

/// The marking that is drawn, as text.
pub(super) fn marking_of(drawing: &Drawing) -> String {
    let places = drawing.nodes.iter().take_while(|node| place_of(node).is_some());
    marking_text(places.map(|place| (name_of(place), shown(place).to_string())))
}

/// Why a transition is not enabled in the marking that is drawn.
pub(super) fn why_disabled(drawing: &Drawing, t: EdgeId) -> Option<String> {
    let (marking, arcs) = (marking(drawing), Arcs::of(drawing));
    let (places, transitions) = drawing.nodes.split_at(marking.len());
    let number = t.index().checked_sub(1)?;
    let name = transitions.get(number)?.title.split(TRANSITION).next()?;
    let why = arcs.get(number)?.obstacle(&marking, places)?;
    Some(format!("{name} is not enabled: {why}"))
}

/// Draws tokens in a place.
fn show(place: &mut Node, number: u32) {
    let name = name_of(place);
    place.title = format!("{name}{PLACE} with {}", count(number as usize, "token"));
    if let Some(row) = place.rows.iter_mut().find(|row| row.kind == RowKind::Fact) {
        row.text = tokens(number);
    }
}

/// The tokens that are drawn in a place.
fn shown(place: &Node) -> u32 {
    let text = place.rows.iter().find(|row| row.kind == RowKind::Fact).map_or("", |row| &row.text);
    number_of(text)
}

/// The arcs of a transition: places with weights.
#[derive(Clone, Debug, Default)]
struct Arcs {
    inputs: Vec<(usize, u32)>,
    outputs: Vec<(usize, u32)>,
    inhibitors: Vec<(usize, u32)>,
}

impl Arcs {
    /// Those of all transitions of a drawing, in order.
    fn of(drawing: &Drawing) -> Vec<Arcs> {
        let places = drawing.nodes.iter().take_while(|node| place_of(node).is_some()).count();
        let mut all = vec![Arcs::default(); drawing.nodes.len() - places];
        for edge in &drawing.edges {
            let [Thing::Edge(t), Thing::Variable(p)] = &edge.about[..] else { continue };
            let arc = (p.index(), edge.label.parse().unwrap_or(1));
            let Some(own) = all.get_mut(t.index() - 1) else { continue };
            match (edge.marks.contains(&Mark::Inhibitor), edge.source.starts_with('p')) {
                (true, _) => own.inhibitors.push(arc),
                (false, true) => own.inputs.push(arc),
                (false, false) => own.outputs.push(arc),
            }
        }
        all
    }

    fn is_enabled(&self, marking: &[u32]) -> bool {
        let tokens = |p: usize| marking.get(p).copied().unwrap_or(0);
        self.inputs.iter().all(|(p, weight)| tokens(*p) >= *weight)
            && self.inhibitors.iter().all(|(p, weight)| tokens(*p) < *weight)
    }

    /// Why it is not enabled: the first place with too few tokens, or with too many for an inhibitor arc.
    fn obstacle(&self, marking: &[u32], places: &[Node]) -> Option<String> {
        let has = |p: usize| marking.get(p).copied().unwrap_or(0);
        let name = |p: usize| places.get(p).map_or("?", name_of);
        if let Some((p, weight)) = self.inputs.iter().find(|(p, weight)| has(*p) < *weight) {
            return Some(format!("{} has {} of {}", name(*p), has(*p), count(*weight as usize, "token")));
        }
        let (p, weight) = self.inhibitors.iter().find(|(p, weight)| has(*p) >= *weight)?;
        let tokens = count(has(*p) as usize, "token");
        Some(format!("{} has {tokens}, and must have fewer than {weight} (inhibitor arc)", name(*p)))
    }

    /// Takes the tokens of the input places.
    fn take(&self, marking: &mut [u32]) {
        self.inputs.iter().for_each(|(p, weight)| marking[*p] = marking[*p].saturating_sub(*weight));
    }

    /// Adds the tokens of the output places.
    fn give(&self, marking: &mut [u32]) {
        self.outputs.iter().for_each(|(p, weight)| marking[*p] = marking[*p].saturating_add(*weight));
    }

    /// Does its firing disable another transition?
    fn disables(&self, other: &Arcs, marking: &[u32]) -> bool {
        let mut after = marking.to_vec();
        self.take(&mut after);
        self.give(&mut after);
        !other.is_enabled(&after)
    }
}

/// The marking that is drawn. Places are the first nodes, in order.
fn marking(drawing: &Drawing) -> Vec<u32> {
    drawing.nodes.iter().take_while(|node| place_of(node).is_some()).map(shown).collect()
}

/// Marks the transitions that are enabled in the marking that is drawn, and conflicts between them.
fn mark_enabled(drawing: &mut Drawing) {
    let (marking, arcs) = (marking(drawing), Arcs::of(drawing));
    let enabled: Vec<usize> = (0..arcs.len()).filter(|t| arcs[*t].is_enabled(&marking)).collect();
    let conflicts = |a: usize| {
        let other = |b: &usize| {
            *b != a && (arcs[a].disables(&arcs[*b], &marking) || arcs[*b].disables(&arcs[a], &marking))
        };
        enabled.len() <= COMPARED && enabled.iter().any(other)
    };
    let (places, transitions) = drawing.nodes.split_at_mut(marking.len());
    for (t, node) in transitions.iter_mut().enumerate() {
        node.marks.retain(|mark| !matches!(mark, Mark::Enabled | Mark::InConflict));
        if let Some((name, _)) = node.title.split_once(TRANSITION) {
            node.title = format!("{name}{TRANSITION}");
        }
        if let Some(why) = arcs[t].obstacle(&marking, places) {
            node.title.push_str(&format!(", not enabled: {why}"));
        }
        if enabled.binary_search(&t).is_ok() {
            node.marks.push(Mark::Enabled);
            node.title.push_str(ENABLED);
            if conflicts(t) {
                node.marks.push(Mark::InConflict);
                node.title.push_str(IN_CONFLICT);
            }
        }
    }
}

/// A maximal step: transitions, perhaps several times, that are enabled together, and to which no other one can be
/// added. `first` is the number of the one to begin with, among those that are enabled.
pub(super) fn maximal(drawing: &Drawing, first: usize) -> Vec<EdgeId> {
    let (mut left, arcs) = (marking(drawing), Arcs::of(drawing));
    let mut now = left.clone();
    let mut enabled: Vec<usize> = (0..arcs.len()).filter(|t| arcs[*t].is_enabled(&left)).collect();
    let first = first % enabled.len().max(1);
    enabled.rotate_left(first);
    let mut step = Vec::new();
    for t in enabled {
        // One that needs no tokens fires once.
        let most = if arcs[t].inputs.is_empty() { 1 } else { MOST };
        for _ in 0..most {
            // Together: with the tokens that the others leave, and one after the other.
            if !arcs[t].is_enabled(&left) || !arcs[t].is_enabled(&now) {
                break;
            }
            arcs[t].take(&mut left);
            arcs[t].take(&mut now);
            arcs[t].give(&mut now);
            step.push(EdgeId::new(t + 1));
        }
    }
    step
}
