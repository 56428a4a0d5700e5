//! Interpolants of an infeasible path, by strategy (Hajdu and Micskei 2020, sections 2.2.2, 3.2.1 and 3.2.3). Each
//! strategy gives a sequence: one formula for each node of the path but the last.

use std::collections::HashMap;

use solver_lite::smtlib::Asking;
use solver_lite::term::{Node, Term, Terms};
use solver_lite::{Limits, Refutation, Solver, interpolate, refute};

use crate::kit::{Answer, Sink};
use crate::methods::cegar::path::PathFormula;
use crate::methods::cegar::strategy::{Refinement, Split};
use crate::methods::cegar::{Cegar, Event, step_name};
use crate::methods::shared::{answer, number};
use crate::system::VarId;

/// The factor by which the limit of conflicts is greater for a refutation, without which the run ends.
const PATIENCE: u64 = 10;

impl Cegar {
    /// The interpolant at each node of the path but the last, over current values.
    pub(super) fn interpolants<S: Sink>(&mut self, path: &PathFormula, sink: &mut S) -> Option<Vec<Term>> {
        let length = path.nodes.len() - 1;
        let (at, interpolant) = match self.strategy.refinement {
            Refinement::Seq | Refinement::MultiSeq => return self.sequence(path, sink),
            Refinement::FwBin => self.forward(path, sink)?,
            Refinement::BwBin => match self.backward(path, sink) {
                Some(found) => found,
                None => self.forward(path, sink)?,
            },
            Refinement::MaxPrune | Refinement::MinPrune => self.compared(path, sink)?,
        };
        // A binary interpolant as a sequence: true before it, false after it.
        let mut all = vec![Term::TRUE; length];
        all[at] = interpolant;
        all[at + 1..].fill(Term::FALSE);
        Some(all)
    }

    /// A sequence interpolant. The shortest infeasible suffix is refuted, and before it the interpolants are true. So
    /// the interpolants start as late as possible, near the error location, where they are most likely to apply to
    /// longer paths, too. If no suffix is known to be infeasible, the shortest infeasible prefix is refuted.
    fn sequence<S: Sink>(&mut self, path: &PathFormula, sink: &mut S) -> Option<Vec<Term>> {
        let steps = match self.infeasible_suffix(path, sink) {
            Some(start) => start..=path.edges.len(),
            None => 0..=path.infeasible,
        };
        let names = steps.clone().map(step_name);
        let sequence = self.refuted(*steps.start(), &path.assertions[steps.clone()], names, sink)?;
        let mut all = vec![Term::TRUE; *steps.start()];
        for (values, indexed) in path.values[steps].iter().zip(&sequence[1..]) {
            all.push(self.over_current(*indexed, values));
        }
        all.resize(path.nodes.len() - 1, Term::FALSE);
        Some(all)
    }

    /// The latest step from which on the rest of the path is infeasible.
    fn infeasible_suffix<S: Sink>(&mut self, path: &PathFormula, sink: &mut S) -> Option<usize> {
        let mut solver = Solver::new(self.limits);
        for (i, assertion) in path.assertions.iter().enumerate().rev() {
            solver.assert(&mut self.encoding.terms, *assertion);
            if self.suffix(&mut solver, path, i, None, sink) == Answer::Unsat {
                return Some(i);
            }
        }
        None
    }

    /// Do the asserted steps, from this one on, contradict each other?
    fn suffix<S: Sink>(
        &mut self,
        solver: &mut Solver,
        path: &PathFormula,
        from: usize,
        before: Option<Term>,
        sink: &mut S,
    ) -> Answer {
        let what = "Do these last steps of the path contradict each other?";
        match before {
            None => self.report_steps(sink, what, from, &path.assertions[from..], Asking::Check),
            Some(t) if sink.watches() => {
                let steps = [&[t], &path.assertions[from..]].concat();
                self.report_steps(sink, what, from - 1, &steps, Asking::Check);
            }
            Some(_) => {}
        }
        self.now().queries += 1;
        let answer = answer(&solver.check(&mut self.encoding.terms, before.as_slice()));
        sink.event(Event::SuffixChecked { from: number(from), answer });
        answer
    }

    /// Forward binary: A is the longest feasible prefix, B the step after it.
    fn forward<S: Sink>(&mut self, path: &PathFormula, sink: &mut S) -> Option<(usize, Term)> {
        let at = path.infeasible.checked_sub(1)?;
        let prefix = self.encoding.terms.and(path.assertions[..=at].to_vec());
        let (formulas, names) = ([prefix, path.assertions[at + 1]], ["prefix", "step"].map(str::to_owned));
        let sequence = self.refuted(0, &formulas, names.into_iter(), sink)?;
        Some((at, self.over_current(sequence[1], &path.values[at])))
    }

    /// Backward binary: A is the longest feasible suffix, with the state it starts in, and B the step before it. The
    /// negation of its interpolant follows from B's side, as the formulas of a sequence do.
    fn backward<S: Sink>(&mut self, path: &PathFormula, sink: &mut S) -> Option<(usize, Term)> {
        let mut solver = Solver::new(self.limits);
        for i in (1..path.assertions.len()).rev() {
            solver.assert(&mut self.encoding.terms, path.assertions[i]);
            let before = self.state_at(path, i - 1);
            if self.suffix(&mut solver, path, i, Some(before), sink) != Answer::Unsat {
                continue;
            }
            let start = self.state_at(path, i);
            let suffix = self.encoding.terms.and([&[start], &path.assertions[i + 1..]].concat());
            let step = self.encoding.terms.and([before, path.assertions[i]]);
            let (formulas, names) = ([suffix, step], ["rest", "step"].map(str::to_owned));
            let sequence =
                self.refuted(i, &formulas, names.into_iter(), sink).filter(|_| i < path.edges.len())?;
            let interpolant = self.over_current(sequence[1], &path.values[i]);
            return Some((i, self.encoding.terms.not(interpolant)));
        }
        None
    }

    /// The formula of a node of a path: its state, ranges and the system's invariant; at the first one, the start.
    fn state_at(&mut self, path: &PathFormula, i: usize) -> Term {
        if i == 0 {
            return path.assertions[0];
        }
        let state = self.label_at(path.nodes[i], &path.values[i]);
        let values = &path.values[i];
        let always = self.encoding.always;
        let always = self.encoding.instantiate(always, &|v| values[v.index()], &|v| values[v.index()]);
        self.encoding.terms.and([state, always])
    }

    /// The one of the two binary interpolants with the first, or the last, pruning point.
    fn compared<S: Sink>(&mut self, path: &PathFormula, sink: &mut S) -> Option<(usize, Term)> {
        let forward = self.forward(path, sink);
        let backward = self.backward(path, sink);
        let (Some(forward), Some(backward)) = (forward, backward) else { return forward.or(backward) };
        let earlier = backward.0 < forward.0;
        let backwards = earlier == (self.strategy.refinement == Refinement::MinPrune);
        sink.event(Event::PruneCompared {
            forward: number(forward.0),
            backward: number(backward.0),
            backwards,
        });
        Some(if backwards { backward } else { forward })
    }

    /// The sequence interpolant of formulas that contradict each other; `from` is the first step in them.
    pub(super) fn refuted<S: Sink>(
        &mut self,
        from: usize,
        assertions: &[Term],
        names: impl Iterator<Item = String>,
        sink: &mut S,
    ) -> Option<Vec<Term>> {
        let what = "Which interpolants does the proof give that these steps contradict each other?";
        self.report_named(sink, what, names, assertions, Asking::Interpolants);
        let terms = &mut self.encoding.terms;
        let limits = Limits { conflicts: self.limits.conflicts.saturating_mul(PATIENCE), ..self.limits };
        let Refutation::Proof(proof) = refute(terms, assertions, limits) else { return None };
        let sequence = interpolate::sequence(terms, assertions, &proof);
        self.now().queries += 1;
        sink.event(Event::PathRefuted { from: number(from), proof_steps: number(proof.steps.len()) });
        Some(sequence)
    }

    /// A formula over the indexed variables of one node of a path, over current values.
    fn over_current(&mut self, indexed: Term, values: &[Term]) -> Term {
        let current = |(i, t): (usize, &Term)| (*t, self.encoding.current(VarId::new(i)));
        let back: HashMap<Term, Term> = values.iter().enumerate().map(current).collect();
        self.encoding.terms.substitute(indexed, |_, t| back.get(&t).copied())
    }
}

/// The parts of an interpolant that become predicates (section 3.1.3); constants are dropped.
pub(super) fn split(terms: &Terms, formula: Term, how: Split) -> Vec<Term> {
    let mut parts = Vec::new();
    let mut stack = vec![(formula, true)];
    while let Some((t, positive)) = stack.pop() {
        let divisible = match terms.node(t) {
            Node::True | Node::False => continue,
            Node::Not(inner) if how != Split::Whole => {
                stack.push((*inner, !positive));
                continue;
            }
            Node::And(_) => how == Split::Atoms || how == Split::Conjuncts && positive,
            Node::Or(_) => how == Split::Atoms || how == Split::Conjuncts && !positive,
            Node::Iff(..) | Node::Ite(..) => how == Split::Atoms,
            _ => false,
        };
        if divisible {
            let mut children = Vec::new();
            terms.children(t, |c| children.push((c, positive)));
            stack.extend(children.into_iter().rev());
        } else if !parts.contains(&t) {
            parts.push(t);
        }
    }
    parts
}
