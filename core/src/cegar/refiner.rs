//! Refinement with sequence interpolants, a global precision and lazy pruning (Hajdu and Micskei 2020, Algorithm 2,
//! second half).

use std::collections::HashMap;

use solver_lite::term::Term;
use solver_lite::{Refutation, interpolate, refute};

use crate::cegar::path::Refuted;
use crate::cegar::{Cegar, Stage};
use crate::kit::{Event, NodeId, PredicateId, Sink, UnknownReason};
use crate::system::VarId;

impl Cegar {
    /// Interpolates the infeasible prefix, adds the interpolants to the precision and cuts the graph back to the first
    /// node they speak about.
    pub(super) fn refine<S: Sink>(&mut self, target: NodeId, refuted: Refuted, sink: &mut S) -> Stage {
        self.now().queries += 1;
        let Some(interpolants) = self.interpolants(&refuted) else {
            return Cegar::give_up(sink, UnknownReason::Interpolation);
        };
        let cuts: Vec<(NodeId, Term)> = refuted.nodes.iter().copied().zip(interpolants).collect();
        for (cut, (node, interpolant)) in cuts.iter().enumerate() {
            let formula = self.formula(sink, |e| e.text(*interpolant));
            let cut = u32::try_from(cut).expect("fewer than 2^32 steps");
            sink.event(Event::Interpolated { cut, node: *node, formula });
        }
        let speaks = |(_, i): &&(NodeId, Term)| *i != Term::TRUE && *i != Term::FALSE;
        let Some(&(pivot, _)) = cuts.iter().find(speaks) else {
            return Cegar::give_up(sink, UnknownReason::NoProgress);
        };
        let mut found = Vec::new();
        for (_, interpolant) in cuts.iter().filter(speaks) {
            let (predicate, new) = self.encoding.track(*interpolant);
            if new {
                found.push(predicate);
            }
        }
        if found.is_empty() && self.made_with_all_predicates(pivot, target) {
            return Cegar::give_up(sink, UnknownReason::NoProgress);
        }
        self.grow(&found, sink);
        self.prune(pivot, sink);
        Stage::Begin
    }

    /// The interpolant at each cut, over current values.
    fn interpolants(&mut self, refuted: &Refuted) -> Option<Vec<Term>> {
        let terms = &mut self.encoding.terms;
        let Refutation::Proof(proof) = refute(terms, &refuted.assertions, self.limits) else { return None };
        let sequence = interpolate::sequence(terms, &refuted.assertions, &proof).ok()?;
        let mut all = Vec::with_capacity(refuted.values.len());
        for (values, indexed) in refuted.values.iter().zip(&sequence[1..]) {
            let back: HashMap<Term, Term> =
                values.iter().enumerate().map(|(i, t)| (*t, self.encoding.current(VarId::new(i)))).collect();
            let current = self.encoding.terms.substitute(*indexed, |_, t| back.get(&t).copied());
            all.push(current);
        }
        Some(all)
    }

    /// Then cutting back to `pivot` would only build the same nodes again.
    fn made_with_all_predicates(&self, pivot: NodeId, target: NodeId) -> bool {
        let path = self.arg.path(target);
        let from = path.iter().position(|n| *n == pivot).expect("the pivot is on the path");
        path[from..].iter().all(|n| self.arg.node(*n).precision == self.encoding.predicates.len())
    }

    fn grow<S: Sink>(&mut self, found: &[PredicateId], sink: &mut S) {
        for &predicate in found {
            self.now().predicates += 1;
            sink.predicate(predicate, || {
                self.encoding.text(self.encoding.predicates[predicate.index()].term)
            });
            sink.event(Event::PrecisionGrew { predicate });
        }
    }

    /// Lazy pruning: only the subtree of `pivot` goes; its parent and what its nodes covered are looked at again.
    fn prune<S: Sink>(&mut self, pivot: NodeId, sink: &mut S) {
        let parent = self.arg.node(pivot).from.map(|(parent, _)| parent);
        let uncovered = self.arg.prune(pivot);
        sink.event(Event::Pruned { node: pivot });
        for node in uncovered {
            self.wait(node);
            sink.event(Event::NodeUncovered { node });
        }
        if let Some(node) = parent {
            self.arg.set(node, crate::cegar::NodeStatus::Open);
            self.wait(node);
            sink.event(Event::NodeReopened { node });
        }
    }
}
