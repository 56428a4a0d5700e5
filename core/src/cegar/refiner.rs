//! Refinement with sequence interpolants, a global precision and lazy pruning (Hajdu and Micskei 2020, Algorithm 2,
//! second half).

use std::collections::HashMap;

use solver_lite::smtlib::Asking;
use solver_lite::term::Term;
use solver_lite::{Refutation, Solver, interpolate, refute};

use crate::cegar::abstractor::answer;
use crate::cegar::path::{PathFormula, number};
use crate::cegar::{Cegar, NodeStatus, Stage};
use crate::kit::{Answer, Event, NodeId, PredicateId, Sink, UnknownReason};
use crate::system::VarId;

impl Cegar {
    /// Interpolates the infeasible path, adds the interpolants to the precision and cuts the graph back to the first
    /// node they speak about.
    pub(super) fn refine<S: Sink>(&mut self, target: NodeId, path: &PathFormula, sink: &mut S) -> Stage {
        let Some(interpolants) = self.interpolants(path, sink) else {
            return Cegar::give_up(sink, UnknownReason::Interpolation);
        };
        let cuts: Vec<(NodeId, Term)> = path.nodes.iter().copied().zip(interpolants).collect();
        for (cut, (node, interpolant)) in cuts.iter().enumerate() {
            let formula = self.formula(sink, |e| e.text(*interpolant));
            sink.event(Event::Interpolated { cut: number(cut), node: *node, formula });
        }
        let speaks = |(_, i): &&(NodeId, Term)| *i != Term::TRUE && *i != Term::FALSE;
        // The root says nothing at all times, so it stays.
        let Some(&(pivot, _)) = cuts.iter().skip(1).find(speaks) else {
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

    /// The interpolant at each node of the path but the last, over current values. The shortest infeasible suffix is
    /// refuted, and before it the interpolants are true. So an explanation starts as late as it can, near the error
    /// location, where it is most likely to hold for longer paths, too. If no suffix is known to be infeasible, the
    /// shortest infeasible prefix is refuted.
    fn interpolants<S: Sink>(&mut self, path: &PathFormula, sink: &mut S) -> Option<Vec<Term>> {
        let steps = match self.infeasible_suffix(path, sink) {
            Some(start) => start..=path.edges.len(),
            None => 0..=path.infeasible,
        };
        let assertions = &path.assertions[steps.clone()];
        let what = "Why do these steps contradict each other? The proof gives an interpolant at each cut.";
        self.tell_steps(sink, what, *steps.start(), assertions, Asking::Interpolants);
        let terms = &mut self.encoding.terms;
        let Refutation::Proof(proof) = refute(terms, assertions, self.limits) else { return None };
        let sequence = interpolate::sequence(terms, assertions, &proof);
        self.now().queries += 1;
        let (from, proof_steps) = (number(*steps.start()), number(proof.steps.len()));
        sink.event(Event::PathRefuted { from, proof_steps });
        let mut all = vec![Term::TRUE; *steps.start()];
        for (values, indexed) in path.values[steps].iter().zip(&sequence[1..]) {
            let current = |(i, t): (usize, &Term)| (*t, self.encoding.current(VarId::new(i)));
            let back: HashMap<Term, Term> = values.iter().enumerate().map(current).collect();
            all.push(self.encoding.terms.substitute(*indexed, |_, t| back.get(&t).copied()));
        }
        all.resize(path.nodes.len() - 1, Term::FALSE);
        Some(all)
    }

    /// The latest step from which on the rest of the path is infeasible.
    fn infeasible_suffix<S: Sink>(&mut self, path: &PathFormula, sink: &mut S) -> Option<usize> {
        let mut solver = Solver::new(self.limits);
        for (i, assertion) in path.assertions.iter().enumerate().rev() {
            solver.assert(&mut self.encoding.terms, *assertion);
            let what = "Do these last steps of the path contradict each other already?";
            self.tell_steps(sink, what, i, &path.assertions[i..], Asking::Check);
            self.now().queries += 1;
            let answer = answer(&solver.check(&mut self.encoding.terms, &[]));
            sink.event(Event::SuffixChecked { from: number(i), answer });
            if answer == Answer::Unsat {
                return Some(i);
            }
        }
        None
    }

    /// Then cutting back to `pivot` would only build the same nodes again.
    fn made_with_all_predicates(&self, pivot: NodeId, target: NodeId) -> bool {
        let path = self.arg.path(target);
        let from = path.iter().position(|n| *n == pivot).expect("the pivot is on the path");
        path[from..].iter().all(|n| self.arg.node(*n).precision == self.encoding.precision.size())
    }

    fn grow<S: Sink>(&mut self, found: &[PredicateId], sink: &mut S) {
        for &predicate in found {
            self.now().predicates += 1;
            sink.predicate(predicate, || self.encoding.text(self.encoding.precision.get(predicate).term));
            sink.event(Event::PrecisionGrew { predicate });
        }
    }

    /// Lazy pruning: only the subtree of `pivot` goes; its parent and what its nodes covered are looked at again.
    fn prune<S: Sink>(&mut self, pivot: NodeId, sink: &mut S) {
        let (node, _) = self.arg.node(pivot).from.expect("the root is no pivot");
        let uncovered = self.arg.prune(pivot);
        sink.event(Event::Pruned { node: pivot });
        for node in uncovered {
            self.wait(node);
            sink.event(Event::NodeUncovered { node });
        }
        self.arg.set(node, NodeStatus::Open);
        self.wait(node);
        sink.event(Event::NodeReopened { node });
    }
}
