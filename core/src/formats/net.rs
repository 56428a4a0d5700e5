//! What the formats of Petri nets share: building a net with diagnostics, and its system.
//!
//! The system has an integer variable for each place, and two locations: from the first one an edge assigns the initial
//! marking, and at the second one each transition is an edge, which assumes that the transition is enabled and then
//! moves the tokens.

mod statements;
mod timed;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use solver_lite::number::Q;

use crate::diagnostic::{Diagnostic, Span, limits};
use crate::edit::automaton::Edit;
use crate::edit::pins::Pins;
use crate::edit::source::{self, Source};
use crate::edit::{Change, Refusal};
use crate::expr::{Expr, Kind, Sign, Syntax, Type, VarId};
use crate::formats::{identifier, tidy};
use crate::net::timed::{Clocks, UNTIMED};
use crate::net::{ArcKind, Net, Node, Place, PlaceArc, PlaceId, Transition, TransitionId, add_arc, weight};
use crate::system::net::{enabled, number, place};
use crate::system::{Draft, DraftVariable, Edge, EdgeId, Formalism, Location, LocationId, Op, Role, System};

pub(crate) use statements::statements;

/// A net that is being read.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pub(super) net: Net,
    pub(super) out: Vec<Diagnostic>,
    nodes: HashMap<String, Node>,
    /// Read arcs, which are added when the input arcs are known.
    reads: Vec<(TransitionId, PlaceArc)>,
}

impl Builder {
    pub(super) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.out.push(Diagnostic::error(span, message));
    }

    /// The place or transition of that name.
    pub(super) fn find(&self, name: &str) -> Option<Node> {
        self.nodes.get(name).copied()
    }

    /// Adds a place; reports a name that is in use.
    pub(super) fn place(&mut self, place: Place) -> Option<PlaceId> {
        let id = PlaceId::new(self.net.places.len());
        self.declare(&place.name, place.span, Node::Place(id))?;
        self.net.places.push(place);
        Some(id)
    }

    /// Adds a transition without arcs; reports a name that is in use.
    pub(super) fn transition(
        &mut self,
        name: &str,
        label: Option<String>,
        span: Span,
    ) -> Option<TransitionId> {
        let id = TransitionId::new(self.net.transitions.len());
        self.declare(name, span, Node::Transition(id))?;
        self.net.transitions.push(Transition {
            name: name.to_owned(),
            label,
            inputs: Vec::new(),
            outputs: Vec::new(),
            inhibitors: Vec::new(),
            reads: Vec::new(),
            delay: None,
            span,
        });
        Some(id)
    }

    fn declare(&mut self, name: &str, span: Span, node: Node) -> Option<()> {
        if self.nodes.len() >= limits::GRAPH {
            let message = format!("too many places and transitions, the limit is {}", limits::GRAPH);
            // Once is enough.
            let reported = self.out.iter().any(|d| d.message == message);
            if !reported {
                self.error(span, message);
            }
            return None;
        }
        if self.nodes.contains_key(name) {
            self.error(span, format!("'{name}' is declared twice"));
            return None;
        }
        self.nodes.insert(name.to_owned(), node);
        Some(())
    }

    /// Adds an arc between a place and a transition. Weights of several arcs of one kind are added; of several
    /// inhibitor arcs the smallest weight counts.
    pub(super) fn arc(
        &mut self,
        kind: ArcKind,
        place: PlaceId,
        transition: TransitionId,
        weight: u32,
        span: Span,
    ) {
        if weight == 0 {
            return self.error(span, "the weight of an arc is at least 1");
        }
        let arc = PlaceArc { place, weight, span };
        let t = &mut self.net.transitions[transition.index()];
        let added = match kind {
            ArcKind::Input => add_arc(&mut t.inputs, arc),
            ArcKind::Output => add_arc(&mut t.outputs, arc),
            ArcKind::Read => {
                self.reads.push((transition, arc));
                Ok(())
            }
            ArcKind::Inhibitor => match t.inhibitors.iter_mut().find(|a| a.place == place) {
                Some(known) => {
                    known.weight = known.weight.min(weight);
                    Ok(())
                }
                None => add_arc(&mut t.inhibitors, arc),
            },
        };
        if added.is_err() {
            self.error(span, "the weights of these arcs are too large");
        }
    }

    /// The net.
    ///
    /// # Errors
    /// What was reported.
    pub(super) fn finish(mut self) -> Result<Net, Vec<Diagnostic>> {
        // A read arc requires tokens besides those that are taken only if there are fewer of those.
        for (transition, arc) in std::mem::take(&mut self.reads) {
            let t = &mut self.net.transitions[transition.index()];
            let more = arc.weight.saturating_sub(weight(&t.inputs, arc.place));
            let arc = PlaceArc { weight: more, ..arc };
            let all = [&mut t.inputs, &mut t.outputs, &mut t.reads];
            let added = more == 0 || all.into_iter().try_for_each(|arcs| add_arc(arcs, arc)).is_ok();
            if !added {
                self.error(arc.span, "the weights of these arcs are too large");
            }
        }
        if self.out.is_empty() { Ok(self.net) } else { Err(tidy(self.out)) }
    }
}

/// Reads a number of tokens or a weight.
///
/// # Errors
/// Why it is none.
pub(super) fn tokens(text: &str) -> Result<u32, String> {
    let text = text.trim();
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(
            match text.strip_prefix('-').map(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())) {
                Some(true) => format!("{text} is negative: tokens, weights and times are not"),
                _ => format!("expected a whole number, but this is '{text}'"),
            },
        );
    }
    text.parse()
        .map_err(|_| format!("{text} is too large: the limit of tokens, weights and times is {}", u32::MAX))
}

/// The changes of a text that carry out edits of its net one after the other; `net` gives the net of a text, and the
/// text.
///
/// # Errors
/// The first edit that is not possible, or why the net is not supported then; none is carried out.
pub(super) fn edited<S: Source>(
    text: &str,
    edits: &[Edit],
    net: impl Fn(S) -> (Net, String),
) -> Result<Vec<Vec<Change>>, Refusal> {
    let (all, source) = source::edited::<S>(text, edits)?;
    if let Some((net, text)) = source.map(net) {
        system(net, &text, None).map_err(|diagnostics| Refusal::first(&diagnostics))?;
    }
    Ok(all)
}

/// The system of a net without its intervals of time, for conditions on its markings.
///
/// # Errors
/// What is not supported.
pub(crate) fn untimed(net: &Net) -> Result<System, Vec<Diagnostic>> {
    system(without_time(net.clone()), "", None)
}

fn without_time(mut net: Net) -> Net {
    net.places.iter_mut().for_each(|place| place.delay = None);
    net.transitions.iter_mut().for_each(|transition| transition.delay = None);
    net
}

/// The system of a net for this property; one with intervals of time has clocks, unless the property is asked without
/// them.
///
/// # Errors
/// What is not supported.
pub(super) fn system(net: Net, text: &str, asked: Option<&str>) -> Result<System, Vec<Diagnostic>> {
    let is_untimed = asked.is_some_and(|asked| asked.trim_start().starts_with(UNTIMED));
    let net = if is_untimed { without_time(net) } else { net };
    let clocks = Clocks::of(&net).map_err(tidy)?;
    let names = variables(&net);
    let variable =
        |(p, name): (&Place, String)| DraftVariable { name, ty: Type::Int, span: p.span, promised: None };
    let location = |name: &str, role: Role, anonymous: bool| Location {
        name: name.to_owned(),
        role,
        anonymous,
        span: Span::default(),
    };
    let locations = vec![location("start", Role::Initial, true), location("marking", Role::Plain, false)];
    let [start, here] = [0, 1].map(LocationId::new);
    let begin = net.place_ids().map(|p| (VarId::new(p.index()), number(net.place(p).tokens))).collect();
    let (op, label) = (Op::Update(begin), "initial marking".to_owned());
    let mut edges = vec![Edge { source: start, target: here, op, label, span: Span::default() }];
    let edge = |t: TransitionId| Edge {
        source: here,
        target: here,
        op: firing(&net, t),
        label: net.transition(t).name.clone(),
        span: net.transition(t).span,
    };
    edges.extend(net.transition_ids().map(edge));
    let mut draft = Draft {
        name: net.name.clone(),
        variables: net.places.iter().zip(names).map(variable).collect(),
        locations,
        edges,
        initial: start,
        invariant: Expr::bool(true),
        asked: Vec::new(),
        embedded: None,
    };
    if let Some(clocks) = &clocks {
        draft.locations.push(location(timed::WAITED, Role::Plain, true));
        timed::with_clocks(&mut draft, &net, clocks);
    }
    let mut system = draft.finish()?;
    system.formalism = Formalism::Net;
    system.syntax = Syntax::Ltl;
    system.pins = Arc::clone(&net.pins);
    system.stated.clone_from(&net.properties);
    system.source = Some(text.into());
    system.net = Some(Arc::new(net));
    system.clocks = clocks.map(Arc::new);
    Ok(system)
}

/// The names of variables for the places. A place whose name is an identifier keeps it; other names are changed so that
/// they are neither a name nor a label of another place.
fn variables(net: &Net) -> Vec<String> {
    let is_plain = |name: &str| identifier(name, &mut HashSet::new(), "") == name;
    let labels = net.places.iter().filter_map(|p| p.label.clone());
    let mut taken: HashSet<String> = net.places.iter().map(|p| p.name.clone()).chain(labels).collect();
    let name =
        |p: &Place| if is_plain(&p.name) { p.name.clone() } else { identifier(&p.name, &mut taken, "") };
    net.places.iter().map(name).collect()
}

/// The net with other names where `written` writes two in the same way.
pub(super) fn distinct<'a>(net: &'a Net, written: impl Fn(&str) -> String) -> Cow<'a, Net> {
    let names = || net.places.iter().map(|p| &p.name).chain(net.transitions.iter().map(|t| &t.name));
    let all: HashSet<String> = names().map(|name| written(name)).collect();
    if all.len() == net.places.len() + net.transitions.len() {
        return Cow::Borrowed(net);
    }
    let (mut taken, mut used) = (all, HashSet::new());
    let mut renamed = |name: &mut String, pins: &mut Pins| {
        if used.insert(written(name)) {
            return;
        }
        let free = (2..).map(|n| format!("{name}_{n}")).find(|new| taken.insert(written(new)));
        let old = std::mem::replace(name, free.expect("there are enough numbers"));
        if let Some(pin) = pins.remove(&old) {
            pins.insert(name.clone(), pin);
        }
    };
    let (mut net, mut pins) = (net.clone(), (*net.pins).clone());
    net.places.iter_mut().for_each(|p| renamed(&mut p.name, &mut pins));
    net.transitions.iter_mut().for_each(|t| renamed(&mut t.name, &mut pins));
    net.pins = Arc::new(pins);
    Cow::Owned(net)
}

/// The net's edge that fires a transition.
pub(crate) fn edge_of(transition: TransitionId) -> EdgeId {
    EdgeId::new(transition.index() + 1)
}

/// The transition that such an edge fires.
pub(crate) fn transition_of(edge: EdgeId) -> TransitionId {
    TransitionId::new(edge.index() - 1)
}

/// Assumes that the transition is enabled, and moves the tokens.
fn firing(net: &Net, transition: TransitionId) -> Op {
    let t = net.transition(transition);
    let update = net.effect(transition).into_iter().map(|(p, change)| {
        let sign = if change > 0 { Sign::Plus } else { Sign::Minus };
        let by = Expr::num(
            Q::from(i64::try_from(change.unsigned_abs()).expect("a difference of weights")),
            Type::Int,
        );
        let sum = Kind::Sum(vec![(Sign::Plus, place(p)), (sign, by)]);
        (VarId::new(p.index()), Expr { kind: sum, ty: Type::Int, span: Span::default() })
    });
    let update: Vec<_> = update.collect();
    let mut ops = Vec::new();
    if !t.inputs.is_empty() || !t.inhibitors.is_empty() {
        ops.push(Op::Assume(enabled(net, transition)));
    }
    if !update.is_empty() {
        ops.push(Op::Update(update));
    }
    match ops.len() {
        0 => Op::Skip,
        1 => ops.remove(0),
        _ => Op::Sequence(ops),
    }
}
