//! One selection for all views: the selected object, and all related objects.

use std::collections::BTreeSet;

use veristep_core::chart::StateId;
use veristep_core::diagnostic::Span;
use veristep_core::kit::{FormulaId, Journal, NodeId, PredicateId};
use veristep_core::system::{EdgeId, LocationId};
use veristep_core::views::CexView;

use crate::explained::Thing;
use crate::protocol::{LocationInfo, ModelInfo};
use crate::state::{EditorCommand, Effect, Frame, State};

impl State {
    /// Selects an object, or ends the selection of this one.
    pub(super) fn picked(&mut self, pick: Option<Thing>) -> Vec<Effect> {
        if let Some(Thing::Marking(number)) = pick {
            return self.play_to(number);
        }
        self.pick = if self.pick == pick { None } else { pick };
        let span = self.pick.and_then(|pick| span_of(pick, self.shown_model()?));
        span.map(|span| Effect::Command(EditorCommand::Reveal(span))).into_iter().collect()
    }
}

/// All objects related to a selection, at one step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Related {
    /// Nodes.
    pub nodes: BTreeSet<NodeId>,
    /// Locations.
    pub locations: BTreeSet<LocationId>,
    /// Edges.
    pub edges: BTreeSet<EdgeId>,
    /// Predicates.
    pub predicates: BTreeSet<PredicateId>,
    /// Things of other kinds.
    pub others: BTreeSet<Thing>,
}

impl Related {
    /// Is it related to the selection?
    #[must_use]
    pub fn contains(&self, thing: Thing) -> bool {
        match thing {
            Thing::Node(id) => self.nodes.contains(&id),
            Thing::Location(id) => self.locations.contains(&id),
            Thing::Edge(id) => self.edges.contains(&id),
            Thing::Predicate(id) => self.predicates.contains(&id),
            _ => self.others.contains(&thing),
        }
    }

    /// The objects related to `pick` in this frame.
    #[must_use]
    pub fn to(pick: Option<Thing>, frame: &Frame, journal: &Journal, model: Option<&ModelInfo>) -> Related {
        let mut all = Related::default();
        let live = || frame.arg.nodes.iter().enumerate().filter(|(_, n)| !n.pruned);
        let id = |i: usize| NodeId(u32::try_from(i).unwrap_or(u32::MAX));
        match pick {
            None => {}
            Some(Thing::Node(node)) => {
                all.nodes.insert(node);
                if let Some(view) = frame.arg.nodes.get(node.index()) {
                    all.locations.insert(journal.names.place(view.label.location));
                    all.edges
                        .extend(view.from.into_iter().flat_map(|(_, edge)| journal.names.with_inner(edge)));
                    all.predicates.extend(view.label.predicates());
                }
            }
            Some(Thing::Location(location)) => {
                all.locations.insert(location);
                all.nodes.extend(
                    live()
                        .filter(|(_, n)| journal.names.place(n.label.location) == location)
                        .map(|(i, _)| id(i)),
                );
            }
            Some(Thing::Edge(edge)) => {
                // The selection is an object of the model.
                match journal.names.origin {
                    Some(_) => all.edges.extend([edge]),
                    None => all.edges.extend(journal.names.with_inner(edge)),
                }
                if let Some(info) = model.and_then(|m| m.edges.get(edge.index())) {
                    all.locations.extend([info.source, info.target]);
                }
                let taken = live().filter(|(_, n)| {
                    n.from.is_some_and(|(_, e)| journal.names.with_inner(e).contains(&edge))
                });
                all.nodes.extend(taken.map(|(i, _)| id(i)));
            }
            Some(Thing::Predicate(predicate)) => {
                all.predicates.insert(predicate);
                let knows = live().filter(|(_, n)| n.label.predicates().any(|p| p == predicate));
                for (i, node) in knows {
                    all.nodes.insert(id(i));
                    all.locations.insert(journal.names.place(node.label.location));
                }
            }
            Some(thing) => {
                all.others.insert(thing);
            }
        }
        all
    }
}

/// A state of a chart, which is no location of its system.
fn state_of(model: &ModelInfo, id: StateId) -> Option<&LocationInfo> {
    model.chart.as_ref()?.drawn.locations.get(id.index().checked_sub(1)?)
}

/// The object at a byte of the text: the smallest edge or location around it.
#[must_use]
pub fn pick_at(model: &ModelInfo, offset: u32) -> Option<Thing> {
    let number = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
    let edges =
        model.edges.iter().enumerate().filter_map(|(i, e)| Some((e.span?, Thing::Edge(EdgeId(number(i))))));
    let places = model.locations.iter().enumerate();
    let places = places.filter_map(|(i, l)| Some((l.span?, Thing::Location(LocationId(number(i))))));
    let states = model.chart.iter().flat_map(|chart| chart.drawn.locations.iter().enumerate());
    let states = states.filter_map(|(i, l)| Some((l.span?, Thing::ChartState(StateId(number(i + 1))))));
    let around =
        edges.chain(places).chain(states).filter(|(span, _)| span.start <= offset && offset <= span.end);
    around.min_by_key(|(span, _)| span.end - span.start).map(|(_, pick)| pick)
}

/// The span of a selection in the text.
#[must_use]
pub fn span_of(pick: Thing, model: &ModelInfo) -> Option<Span> {
    match pick {
        Thing::Edge(id) => model.edges.get(id.index())?.span,
        Thing::Location(id) => model.locations.get(id.index())?.span,
        Thing::ChartState(id) => state_of(model, id)?.span,
        _ => None,
    }
}

impl State {
    /// The name of the selection.
    #[must_use]
    pub fn picked_name(&self) -> Option<String> {
        self.pick.map(|pick| describe(pick, &self.journal.get(), self.shown_model().map(|model| &**model)))
    }

    /// The selected node of the graph.
    #[must_use]
    pub fn picked_node(&self) -> Option<NodeId> {
        match self.pick {
            Some(Thing::Node(node)) => Some(node),
            _ => None,
        }
    }
}

/// The name of a thing.
fn describe(pick: Thing, journal: &Journal, model: Option<&ModelInfo>) -> String {
    match pick {
        Thing::Node(node) => match journal.states.get(node.index()) {
            Some(label) => {
                format!("node {node} at {}: {}", journal.location(label.location), journal.label(label))
            }
            None => format!("node {node}"),
        },
        Thing::Location(id) => {
            let name = model.and_then(|m| m.locations.get(id.index())).map_or("?", |l| &l.name);
            format!("location {name}")
        }
        Thing::Edge(id) => {
            let known = journal.names.edges.get(id.index()).filter(|_| journal.names.origin.is_none());
            let named = known.map(|e| e.text.as_str());
            let text = named.or_else(|| Some(model?.edges.get(id.index())?.text.as_str()));
            // The edges of a net are its transitions.
            let is_net = model.is_some_and(|m| m.net.is_some());
            format!("{} {}", if is_net { "transition" } else { "edge" }, text.unwrap_or("?"))
        }
        Thing::Cell(id) => format!("cell {id}"),
        Thing::State(id) => format!("state {id}"),
        Thing::Variable(id) => {
            let of_model = model.and_then(|m| m.variables.get(id.index())).map(|(name, _)| name.as_str());
            let kind = if model.is_some_and(|m| m.net.is_some()) { "place" } else { "variable" };
            format!("{kind} {}", of_model.unwrap_or_else(|| journal.variable(id)))
        }
        Thing::Clause(number) => format!("clause {}", number + 1),
        Thing::Marking(number) => format!("marking {}", number + 1),
        Thing::ChartState(id) => {
            let name = model.and_then(|m| state_of(m, id)).map_or("?", |state| &state.name);
            format!("state {name}")
        }
        Thing::Predicate(id) => {
            format!("predicate {}", journal.predicates.get(id.index()).map_or("?", String::as_str))
        }
    }
}

/// The shown cut: the user's choice, or that of the step, or the last with a nontrivial interpolant.
#[must_use]
pub fn chosen_cut(cex: &CexView, journal: &Journal, choice: Option<u32>, own: Option<u32>) -> Option<u32> {
    let inside = |cut: &u32| *cut >= 1 && *cut < cex.length;
    let says = |id: FormulaId| {
        journal.formulas.get(id.index()).is_some_and(|text| !matches!(text.as_str(), "true" | "false"))
    };
    let relevant = || cex.interpolants.iter().rev().find(|(_, _, f)| says(*f)).map(|(cut, _, _)| *cut);
    let last = || relevant().or_else(|| cex.interpolants.last().map(|(cut, _, _)| *cut));
    choice.filter(inside).or(own.filter(inside)).or_else(last)
}
