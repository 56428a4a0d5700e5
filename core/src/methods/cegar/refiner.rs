//! Refinement (Hajdu and Micskei 2020, Algorithm 2, second half, and Algorithm 5): the interpolants refine the
//! precision, and the graph is pruned where the refinement matters.

use std::ops::ControlFlow::Continue;

use solver_lite::term::Term;

use crate::encoding::precision::Place;
use crate::kit::{NodeId, PredicateId, Sink, UnknownReason};
use crate::methods::cegar::interpolant::split;
use crate::methods::cegar::path::PathFormula;
use crate::methods::cegar::strategy::Pruning;
use crate::methods::cegar::{Cegar, Event, NodeStatus, Stage};
use crate::methods::outcome::{Next, stop};
use crate::methods::shared::number;
use crate::system::{EdgeId, VarId};

/// A spurious counterexample with its interpolants.
#[derive(Clone, Debug)]
pub(super) struct Refutation {
    /// Its node at the error location.
    target: NodeId,
    /// The nodes with a nontrivial interpolant, from the root on, and the interpolants.
    cuts: Vec<(NodeId, Term)>,
}

impl Refutation {
    /// The first node that is refined.
    fn pivot(&self) -> NodeId {
        self.cuts[0].0
    }
}

/// Something to be tracked.
#[derive(Clone, Copy)]
pub(super) enum Find {
    Predicate(PredicateId),
    Variable(VarId),
}

impl Cegar {
    /// Interpolates the infeasible path of a counterexample.
    pub(super) fn explain<S: Sink>(&mut self, which: usize, path: &PathFormula, sink: &mut S) -> Next<Stage> {
        let Some(interpolants) = self.interpolants(path, sink) else {
            return stop(UnknownReason::Interpolation, sink);
        };
        let cuts: Vec<(NodeId, Term)> = path.nodes.iter().copied().zip(interpolants).collect();
        for (cut, (node, interpolant)) in cuts.iter().enumerate() {
            let formula = self.formula(sink, |e| e.text(*interpolant));
            sink.event(Event::Interpolated { cut: number(cut), node: *node, formula });
        }
        // The label of the root is always `true`, so it is not pruned.
        let speaks = |(_, i): &(NodeId, Term)| *i != Term::TRUE && *i != Term::FALSE;
        let cuts: Vec<(NodeId, Term)> = cuts.into_iter().skip(1).filter(speaks).collect();
        if cuts.is_empty() {
            return stop(UnknownReason::NoProgress, sink);
        }
        self.refutations.push(Refutation { target: self.targets[which], cuts });
        if which + 1 < self.targets.len() {
            Continue(Stage::Concretize(which + 1))
        } else {
            Continue(Stage::Refine)
        }
    }

    /// Refines the precision with the interpolants and prunes the graph at their first nodes.
    pub(super) fn refine<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        let refutations = self.minimal_set(sink);
        let mut grown = false;
        for (node, interpolant) in refutations.iter().flat_map(|e| &e.cuts) {
            let place = self.encoding.precision.place(self.arg.node(*node).state.location);
            for find in self.finds(*interpolant, place) {
                grown |= self.track(find, place, sink);
            }
        }
        let mut pivots: Vec<NodeId> = refutations.iter().map(Refutation::pivot).collect();
        if !grown && refutations.iter().all(|e| self.made_with_all(e, e.pivot())) {
            // Above the pivots lazy pruning may have kept nodes with an older precision. No counterexample may stay in
            // the graph, so those without such a node are pruned at their pivots, too.
            let unaware: Vec<Option<NodeId>> = refutations.iter().map(|e| self.unaware(e)).collect();
            if unaware.iter().all(Option::is_none) {
                return stop(UnknownReason::NoProgress, sink);
            }
            pivots = pivots.into_iter().zip(unaware).map(|(pivot, above)| above.unwrap_or(pivot)).collect();
        }
        match self.strategy.prune {
            Pruning::Lazy => pivots.into_iter().for_each(|pivot| self.prune(pivot, sink)),
            Pruning::Full => self.prune_all(sink),
        }
        Continue(Stage::Begin)
    }

    /// Algorithm 5: a counterexample is skipped if another one is refined above its pivot.
    fn minimal_set<S: Sink>(&self, sink: &mut S) -> Vec<Refutation> {
        let mut kept = Vec::new();
        for e in &self.refutations {
            let above = self.arg.path(e.pivot());
            let other =
                self.refutations.iter().find(|o| o.pivot() != e.pivot() && above.contains(&o.pivot()));
            match other {
                Some(other) => sink.event(Event::CexSkipped { node: e.target, by: other.pivot() }),
                None => kept.push(e.clone()),
            }
        }
        kept
    }

    /// The additions to the precision from an interpolant. In the combined domain, variables that may have values are
    /// tracked; a formula with other variables, or whose variables are all tracked already, becomes a predicate.
    pub(super) fn finds(&mut self, interpolant: Term, place: Place) -> Vec<Find> {
        let mut finds = Vec::new();
        for part in split(&self.encoding.terms, interpolant, self.strategy.split) {
            let variables = self.encoding.variables(part);
            let valued = variables.iter().all(|v| self.explicit.contains(v));
            let new = variables.iter().any(|v| !self.encoding.precision.tracks(*v, place));
            finds.extend(variables.into_iter().filter(|v| self.explicit.contains(v)).map(Find::Variable));
            if self.strategy.domain.has_predicates() && !(valued && new) {
                finds.push(Find::Predicate(self.encoding.predicate(part)));
            }
        }
        finds
    }

    pub(super) fn track<S: Sink>(&mut self, find: Find, place: Place, sink: &mut S) -> bool {
        let precision = &mut self.encoding.precision;
        match find {
            Find::Variable(v) if precision.track_variable(v, place) => {
                self.now().variables += 1;
                sink.event(Event::VariableTracked { variable: v, location: place });
            }
            Find::Predicate(p) if precision.track(p, place) => self.tracked(p, place, sink),
            Find::Variable(_) | Find::Predicate(_) => return false,
        }
        true
    }

    fn tracked<S: Sink>(&mut self, predicate: PredicateId, place: Place, sink: &mut S) {
        let term = self.encoding.precision.get(predicate).term;
        let iteration = self.iterations.len();
        self.now().predicates += 1;
        if predicate.index() == self.told {
            self.told += 1;
            sink.predicate(predicate, || self.encoding.text(term));
        }
        sink.event(Event::PrecisionGrew { predicate, location: place });
        if let Some(length) = self.chains.grow(&mut self.encoding.terms, term, iteration) {
            sink.event(Event::ChainGrew { predicate, length });
        }
    }

    /// Were the nodes of the path from `pivot` on made with the current precision? Then pruning there would only build
    /// the same nodes again.
    fn made_with_all(&self, refutation: &Refutation, pivot: NodeId) -> bool {
        let path = self.arg.path(refutation.target);
        let from = path.iter().position(|n| *n == pivot).expect("the pivot is on the path");
        path[from..].iter().all(|n| self.knows_all(*n))
    }

    fn knows_all(&self, node: NodeId) -> bool {
        let node = self.arg.node(node);
        node.precision == self.encoding.precision.extent(node.state.location)
    }

    /// The first node of the path, after the root, that was made with an older precision.
    fn unaware(&self, refutation: &Refutation) -> Option<NodeId> {
        self.arg.path(refutation.target).into_iter().skip(1).find(|n| !self.knows_all(*n))
    }

    /// Lazy pruning: only the subtree of `pivot` is removed, with the other successors by the same edge; its parent and
    /// the nodes that it covered are explored again.
    fn prune<S: Sink>(&mut self, pivot: NodeId, sink: &mut S) {
        if self.arg.node(pivot).status == NodeStatus::Pruned {
            return;
        }
        let from = self.arg.node(pivot).from.expect("the root is no pivot");
        self.prune_edge(from, sink);
        self.reopen(from.0, sink);
    }

    /// Full pruning: only the root is kept.
    pub(super) fn prune_all<S: Sink>(&mut self, sink: &mut S) {
        let root = NodeId(0);
        while let Some(child) = self.arg.node(root).children.first() {
            let from = self.arg.node(*child).from.expect("a child has a parent");
            self.prune_edge(from, sink);
        }
        self.waitlist.clear();
        self.reopen(root, sink);
    }

    fn prune_edge<S: Sink>(&mut self, (node, edge): (NodeId, EdgeId), sink: &mut S) {
        let successors = self.arg.children_by(node, edge);
        for child in successors {
            let uncovered = self.arg.prune(child);
            sink.event(Event::Pruned { node: child });
            for node in uncovered {
                self.wait(node);
                sink.event(Event::NodeUncovered { node });
            }
        }
    }

    fn reopen<S: Sink>(&mut self, node: NodeId, sink: &mut S) {
        self.arg.set(node, NodeStatus::Open);
        self.wait(node);
        sink.event(Event::NodeReopened { node });
    }
}
