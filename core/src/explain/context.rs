//! The context of an explained event: the views just before and just after it.
//!
//! Only the sound part of the prefix is folded, and every table is read with `get`, so a damaged journal gives
//! poorer sentences and no panic.

use crate::explain::formula;
use crate::explain::piece::count;
use crate::kit::{FormulaId, Goal, Journal, NodeId, PredicateId, View, fold};
use crate::property::CANNOT_CONTINUE;
use crate::system::{EdgeId, LocationId};
use crate::views::{ArgNodeView, ArgView, CexView, PrecisionView, ProgressView, Status};

pub(crate) struct Context<'a> {
    pub(crate) journal: &'a Journal,
    /// The number of the event, from 0.
    pub(crate) index: usize,
    /// The graph before the event.
    pub(crate) before: ArgView,
    /// The graph after the event.
    pub(crate) after: ArgView,
    /// The counterexample after the event.
    pub(crate) cex: CexView,
    /// The precision after the event.
    pub(crate) precision: PrecisionView,
    /// The counts after the event.
    pub(crate) progress: ProgressView,
}

impl<'a> Context<'a> {
    pub(crate) fn new(journal: &'a Journal, index: usize) -> Context<'a> {
        let length = journal.sound_events(index.saturating_add(1));
        let before: ArgView = fold(journal, length.min(index));
        let mut after = before.clone();
        if let Some(event) = journal.events.get(index).filter(|_| index < length) {
            after.apply(event, journal);
        }
        Context {
            journal,
            index: length.min(index),
            before,
            after,
            cex: fold(journal, length),
            precision: fold(journal, length),
            progress: fold(journal, length),
        }
    }

    /// What reaching the error location means for the property.
    pub(crate) fn goal(&self) -> Goal {
        self.journal.names.goal
    }

    /// Can an execution of the chart end because it cannot continue?
    pub(crate) fn can_fail(&self) -> bool {
        self.journal.names.edges.iter().any(|edge| edge.text == CANNOT_CONTINUE)
    }

    pub(crate) fn edge(&self, id: EdgeId) -> &'a str {
        self.journal.names.edges.get(id.index()).map_or("?", |edge| edge.text.as_str())
    }

    pub(crate) fn source(&self, id: EdgeId) -> Option<LocationId> {
        self.journal.names.edges.get(id.index()).map(|edge| edge.source)
    }

    pub(crate) fn target(&self, id: EdgeId) -> Option<LocationId> {
        self.journal.names.edges.get(id.index()).map(|edge| edge.target)
    }

    pub(crate) fn predicate(&self, id: PredicateId) -> &'a str {
        self.journal.predicates.get(id.index()).map_or("?", String::as_str)
    }

    pub(crate) fn formula(&self, id: FormulaId) -> &'a str {
        self.journal.formulas.get(id.index()).map_or("?", String::as_str)
    }

    pub(crate) fn node(&self, id: NodeId) -> Option<&ArgNodeView> {
        self.after.nodes.get(id.index())
    }

    pub(crate) fn location(&self, node: NodeId) -> Option<LocationId> {
        self.journal.states.get(node.index()).map(|label| label.location)
    }

    /// The literals of a node's label.
    pub(crate) fn literals(&self, node: NodeId) -> &'a [(PredicateId, bool)] {
        self.journal.states.get(node.index()).map_or(&[], |label| label.literals.as_slice())
    }

    /// The predicates that are tracked where a node is.
    pub(crate) fn tracked_at(&self, node: NodeId) -> Vec<PredicateId> {
        let here = |p: &PredicateId| {
            let places = &self.precision.places;
            places.is_empty() || places.iter().any(|(q, l)| q == p && Some(*l) == self.location(node))
        };
        self.tracked().into_iter().filter(here).collect()
    }

    /// Does a node's label contain values of variables?
    pub(crate) fn has_values(&self, node: NodeId) -> bool {
        self.journal.states.get(node.index()).is_some_and(|label| !label.values.is_empty())
    }

    /// Does a node's label contain a disjunction?
    pub(crate) fn splits(&self, node: NodeId) -> bool {
        self.journal.states.get(node.index()).is_some_and(|label| !label.either.is_empty())
    }

    /// The conjuncts of a node's label.
    pub(crate) fn facts(&self, node: NodeId) -> Vec<String> {
        self.journal.states.get(node.index()).map_or_else(Vec::new, |label| self.journal.facts(label))
    }

    /// Is a node's label stronger than `true`?
    pub(crate) fn knows(&self, node: NodeId) -> bool {
        self.journal.states.get(node.index()).is_some_and(|label| !label.is_top())
    }

    /// A node's label as a set, for a sentence: `{x = 1, not (i <= 0)}`.
    pub(crate) fn known(&self, node: NodeId) -> String {
        format!("{{{}}}", self.facts(node).join(", "))
    }

    /// A node's abstract state as a formula: `x <= 1 ∧ not (i <= 0)`.
    pub(crate) fn state(&self, node: NodeId) -> String {
        formula::conjunction(self.facts(node).iter().map(String::as_str))
    }

    /// The precision: variables by name, predicates as text.
    pub(crate) fn tracked_texts(&self) -> Vec<&'a str> {
        let variables = self.precision.variables.iter().map(|(v, _)| self.journal.variable(*v));
        variables.chain(self.tracked().into_iter().map(|p| self.predicate(p))).collect()
    }

    /// The same as a set: `{x, i <= 0}`, or `∅`.
    pub(crate) fn tracked_set(&self) -> String {
        let all = self.tracked_texts();
        if all.is_empty() { "∅".to_owned() } else { format!("{{{}}}", all.join(", ")) }
    }

    /// The size of the precision: `2 predicates`, `1 variable and 3 predicates`.
    pub(crate) fn tracked_count(&self) -> String {
        let (variables, predicates) = (self.precision.variables.len(), self.tracked().len());
        match (variables, predicates) {
            (0, p) => count(p, "predicate"),
            (v, 0) => count(v, "variable"),
            (v, p) => format!("{} and {}", count(v, "variable"), count(p, "predicate")),
        }
    }

    /// The current iteration, from 1; 0 before the first.
    pub(crate) fn iteration(&self) -> usize {
        self.progress.iterations.len()
    }

    /// The tracked predicates, each once.
    pub(crate) fn tracked(&self) -> Vec<PredicateId> {
        let mut tracked: Vec<PredicateId> = self.precision.predicates.iter().map(|(p, _)| *p).collect();
        super::once(&mut tracked);
        tracked
    }

    /// The nodes of the counterexample, from the root. Empty when there is none.
    pub(crate) fn path(&self) -> Vec<NodeId> {
        self.cex.target.map_or_else(Vec::new, |target| self.after.path(target))
    }

    /// The location of the counterexample after the given number of steps.
    pub(crate) fn place(&self, steps: u32) -> Option<LocationId> {
        let index = usize::try_from(steps).ok()?;
        match self.path().get(index) {
            Some(node) => self.location(*node),
            None => self.cex.steps.get(index.checked_sub(1)?).and_then(|step| self.target(step.edge)),
        }
    }

    /// The edge of a step of the counterexample, counted from 0.
    pub(crate) fn step_edge(&self, step: u32) -> Option<EdgeId> {
        self.cex.steps.get(usize::try_from(step).ok()?).map(|step| step.edge)
    }

    /// The edges from the root to a node, with the nodes they lead to.
    pub(crate) fn edges_to(&self, node: NodeId) -> Vec<EdgeId> {
        let from = |n: &NodeId| self.node(*n).and_then(|n| n.from).map(|(_, edge)| edge);
        self.after.path(node).iter().filter_map(from).collect()
    }
}

/// The nodes on the waitlist of a graph.
pub(crate) fn waiting(arg: &ArgView) -> Vec<NodeId> {
    arg.abstract_nodes().filter(|(_, node)| node.status == Status::Open).map(|(id, _)| id).collect()
}
