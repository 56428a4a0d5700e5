//! Abstraction (Hajdu and Micskei 2020, Algorithm 1): nodes are taken from the waitlist, covered or expanded, until the
//! error location is found or nothing is left. The label of a successor is computed by the domain: its values in
//! `explicit`, its predicates in `transfer`.

use std::ops::ControlFlow::{Break, Continue};

use solver_lite::Solver;
use solver_lite::term::Term;

use crate::certificate::Certificate;
use crate::kit::{Answer, Arrival, NodeId, Sink, UnknownReason, Verdict};
use crate::methods::cegar::arg::NodeStatus;
use crate::methods::cegar::explicit::{Enumeration, Values};
use crate::methods::cegar::state::AbstractState;
use crate::methods::cegar::strategy::{Refinement, Slice};
use crate::methods::cegar::{Cegar, Event, Stage};
use crate::methods::outcome::{Next, done, stop};
use crate::methods::shared::answer;
use crate::system::{EdgeId, distances};

/// The greatest number of counterexamples that are collected before they are checked.
const MOST_TARGETS: usize = 128;

impl Cegar {
    /// Takes the next node from the waitlist; nothing left means that the error location is unreachable, unless
    /// counterexamples were collected.
    pub(super) fn select<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        while let Some(node) = self.waitlist.pop() {
            if self.arg.node(node).status == NodeStatus::Open {
                sink.event(Event::NodeSelected { node });
                return Continue(Stage::Check(node));
            }
        }
        if !self.targets.is_empty() {
            return Continue(Stage::Concretize(0));
        }
        match self.invariant() {
            Some(certificate) => Break(Box::new(done(Verdict::Holds, Some(certificate), sink))),
            None => stop(UnknownReason::TooLarge, sink),
        }
    }

    /// Error location → counterexample; covered by a reached node → nothing to do; otherwise expand.
    pub(super) fn check<S: Sink>(&mut self, node: NodeId, sink: &mut S) -> Next<Stage> {
        if Some(self.arg.node(node).state.location) == self.system.error {
            let length = u32::try_from(self.arg.path(node).len() - 1).expect("fewer than 2^32 steps");
            self.arg.set(node, NodeStatus::Target);
            self.targets.push(node);
            sink.event(Event::CexFound { node, length });
            let collect =
                self.strategy.refinement == Refinement::MultiSeq && self.targets.len() < MOST_TARGETS;
            return if collect { Continue(Stage::Select) } else { Continue(Stage::Concretize(0)) };
        }
        let candidates = self.arg.neighbours(node).to_vec();
        for by in candidates {
            if by != node
                && !matches!(self.arg.node(by).status, NodeStatus::Covered(_))
                && self.covers(node, by, sink)
            {
                self.arg.set(node, NodeStatus::Covered(by));
                sink.event(Event::NodeCovered { node, by });
                return Continue(Stage::Select);
            }
        }
        Continue(Stage::Expand(node, 0))
    }

    /// Is every state of `node` one of `by`? So it is if the label of `node` contains all conjuncts of the other one.
    /// This is the only check for values; predicates younger than `node` are checked with a query, older ones are in
    /// its label.
    fn covers<S: Sink>(&mut self, node: NodeId, by: NodeId, sink: &mut S) -> bool {
        let (small, large) = (&self.arg.node(node).state, &self.arg.node(by).state);
        if small.says_all_of(large) {
            return true;
        }
        if large.values.iter().any(|(v, value)| small.value(*v) != Some(value)) {
            return false;
        }
        let tracked = &self.encoding.precision.at(small.location).predicates;
        let older = &tracked[..self.arg.node(node).precision.predicates];
        let missing = large.literals.iter().filter(|l| !small.literals.contains(l));
        if missing.into_iter().any(|(p, _)| older.contains(p)) {
            return false;
        }
        let (small, large) = (small.clone(), large.clone());
        let (s, l) = (self.encoding.meaning(&small), self.encoding.meaning(&large));
        let outside = self.encoding.terms.not(l);
        let parts = [("state", s), ("invariant", self.encoding.always), ("uncovered", outside)];
        let what =
            "Is there a state of the node that is not a state of the candidate? If not, the node is covered.";
        self.report_question(sink, what, parts);
        let answer = self.answer(&parts);
        sink.event(Event::CoverChecked { node, by, answer });
        answer == Answer::Unsat
    }

    pub(super) fn answer(&mut self, assertions: &[(&str, Term)]) -> Answer {
        let mut solver = Solver::new(self.limits);
        for (_, a) in assertions {
            solver.assert(&mut self.encoding.terms, *a);
        }
        self.now().queries += 1;
        answer(&solver.check(&mut self.encoding.terms, &[]))
    }

    /// Adds the successors of `node` by its edge number `at`, or closes the node after its last edge.
    pub(super) fn expand<S: Sink>(&mut self, node: NodeId, at: usize, sink: &mut S) -> Next<Stage> {
        let location = self.arg.node(node).state.location;
        let Some(&edge) = self.system.out_edges(location).get(at) else {
            self.arg.set(node, NodeStatus::Expanded);
            sink.event(Event::NodeExpanded { node });
            return Continue(Stage::Select);
        };
        if self.arg.has_child(node, edge) {
            return Continue(Stage::Expand(node, at + 1));
        }
        if !self.strategy.domain.has_values() {
            self.add_successors((node, edge), Values::new(), false, sink);
            return Continue(Stage::Expand(node, at + 1));
        }
        self.expand_values(node, at, edge, sink)
    }

    /// Continues the enumeration of values.
    pub(super) fn enumerate<S: Sink>(&mut self, mut listing: Box<Enumeration>, sink: &mut S) -> Next<Stage> {
        let Some(values) = self.list_values(&mut listing, sink) else {
            return Continue(Stage::Enumerate(listing));
        };
        for values in values {
            self.add_successors((listing.node, listing.edge), values, true, sink);
        }
        Continue(Stage::Expand(listing.node, listing.at + 1))
    }

    /// The root: the initial location, with the label `true`.
    pub(super) fn add_root<S: Sink>(&mut self, sink: &mut S) {
        self.add_node(AbstractState::top(self.system.initial), None, sink);
    }

    pub(super) fn add_node<S: Sink>(
        &mut self,
        state: AbstractState,
        from: Option<(NodeId, EdgeId)>,
        sink: &mut S,
    ) {
        sink.state(self.arg.next_id(), || state.label(&self.system));
        let precision = self.encoding.precision.extent(state.location);
        let node = self.arg.add(state, from, precision);
        self.wait(node);
        self.now().nodes += 1;
        sink.event(Event::NodeAdded { node, from: from.map(Arrival::new) });
    }

    /// Puts an open node on the waitlist.
    pub(super) fn wait(&mut self, node: NodeId) {
        let n = self.arg.node(node);
        self.waitlist.insert(node, n.depth, n.state.location);
    }

    /// For each location the disjunction of its nodes' labels: inductive, because the graph is complete. Covered nodes
    /// are omitted, and labels that contain all conjuncts of another one. `None` if it is too large to be written.
    fn invariant(&mut self) -> Option<Certificate> {
        let mut states: Vec<Vec<AbstractState>> = vec![Vec::new(); self.system.locations.len()];
        for (_, node) in self.arg.live().filter(|(_, n)| !matches!(n.status, NodeStatus::Covered(_))) {
            states[node.state.location.index()].push(node.state.clone());
        }
        let mut by_location = Vec::with_capacity(states.len());
        for all in states {
            let mut weakest: Vec<AbstractState> = Vec::new();
            for state in all {
                if !weakest.iter().any(|w| state.says_all_of(w)) {
                    weakest.retain(|w| !w.says_all_of(&state));
                    weakest.push(state);
                }
            }
            by_location.push(weakest.iter().map(|s| self.encoding.meaning(s)).collect::<Vec<Term>>());
        }
        // A slice has no invariant for locations from which the error location is not reachable, but a certificate
        // covers the whole system. Inner locations of blocks have no invariant.
        let leads_nowhere: Vec<bool> = match self.strategy.slice {
            Slice::Off => vec![false; by_location.len()],
            Slice::On => distances(&self.system).iter().map(Option::is_none).collect(),
        };
        let mut locations = Vec::new();
        for (i, terms) in by_location.into_iter().enumerate() {
            let name = self.system.locations[i].name.clone();
            if leads_nowhere[i] {
                locations.push((name, "true".to_owned()));
            } else if self.blocks.cutpoints[i] {
                let either = self.encoding.terms.or(terms);
                locations.push((name, self.encoding.whole_text(either)?));
            }
        }
        Some(Certificate::Invariant { locations })
    }
}
