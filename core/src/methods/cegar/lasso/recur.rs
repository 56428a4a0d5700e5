//! Recurrent sets: cycles that can be repeated infinitely often although no state repeats. With some choices, the cycle
//! leads from each state of the set back into it (Gupta, Henzinger, Majumdar, Rybalchenko and Xu, "Proving
//! Non-Termination", 2008).
//!
//! The choices are those of the run that followed the cycle once. The set is a conjunction of formulas that hold where
//! that run begins the cycle: bounds of its values, and conditions along the cycle. Conjuncts that the cycle does not
//! preserve are dropped until it preserves the rest, as in Flanagan and Leino, "Houdini, an Annotation Assistant for
//! ESC/Java", 2001.

use std::ops::ControlFlow::Break;

use solver_lite::number::Q;
use solver_lite::term::{Linear, Node, Sort, Term, Terms, Value};
use solver_lite::{Answer as Checked, Model, Solver};

use super::rank::{Inequality, polyhedron};
use super::{LassoCegar, Stage, Traversed};
use crate::encoding::{constant, equal};
use crate::kit::{Sink, Verdict};
use crate::methods::lasso::{Event, run};
use crate::methods::outcome::{Next, done, stop};
use crate::methods::shared::number;
use crate::system::State;

/// The greatest number of conjuncts.
const CANDIDATES: usize = 60;

/// One iteration of the cycle with fixed choices, over the values at its start.
struct Round {
    /// The values of the run at the start.
    start: Model,
    /// Every step can be taken.
    possible: Term,
    /// The values at the end.
    end: Vec<Term>,
}

impl LassoCegar {
    /// A recurrent set at the start of the cycle, for the choices of the run.
    pub(super) fn recurrent(&mut self, lasso: &Traversed) -> Option<(Term, String)> {
        let round = self.round(lasso)?;
        let mut set = self.candidates(lasso, &round);
        while let Some(lost) = self.lost(&set, &round)? {
            set.retain(|c| !lost.contains(c));
        }
        if !self.suffices(&set, &round)? {
            return None;
        }
        // Conjuncts that are not needed are dropped, for a readable formula.
        for i in (0..set.len()).rev() {
            let mut fewer = set.clone();
            fewer.remove(i);
            if self.suffices(&fewer, &round) == Some(true) && self.lost(&fewer, &round) == Some(None) {
                set = fewer;
            }
        }
        let set = self.cegar.encoding.terms.and(set);
        Some((set, self.cegar.encoding.whole_text(set)?))
    }

    /// The run repeats the cycle within this set infinitely often.
    pub(super) fn recurs<S: Sink>(
        &mut self,
        lasso: &Traversed,
        (set, kept): (Term, String),
        sink: &mut S,
    ) -> Next<Stage> {
        let formula = self.cegar.formula(sink, |e| e.text(set));
        sink.event(Event::RecurrenceFound { formula });
        let terms = &self.cegar.encoding.terms;
        let states: Vec<State> =
            lasso.path.values.iter().map(|values| lasso.model.eval_all(terms, values)).collect();
        let back = (lasso.back, Some(kept));
        match run::certificate(&self.model, &self.product, &lasso.path.edges, &states, back) {
            Ok(certificate) => {
                sink.event(Event::LassoClosed { length: number(lasso.path.edges.len()) });
                Break(Box::new(done(Verdict::Violated, Some(certificate), sink)))
            }
            Err(why) => stop(why, sink),
        }
    }

    fn round(&mut self, lasso: &Traversed) -> Option<Round> {
        let system = &self.product.system;
        let encoding = &mut self.cegar.encoding;
        let start: Vec<Term> = system.var_ids().map(|v| encoding.current(v)).collect();
        let next: Vec<Term> = system.var_ids().map(|v| encoding.next(v)).collect();
        let terms = &mut encoding.terms;
        let (mut values, mut parts) = (start.clone(), Vec::new());
        for k in lasso.back..lasso.path.edges.len() {
            let op = &system.edge(lasso.path.edges[k]).op;
            if op.promises() {
                return None;
            }
            let reached = lasso.model.eval_all(terms, &lasso.path.values[k + 1]);
            let sorts = system.variables.iter().map(|v| v.ty.sort());
            let chosen: Vec<Term> =
                reached.iter().zip(sorts).map(|(c, sort)| constant(terms, c, sort)).collect();
            parts.push(system.follow(op, terms, &mut values, (&next, &chosen)));
        }
        if system.variables.iter().any(|v| v.promised.is_some()) {
            return None;
        }
        let possible = terms.and(parts);
        let mut solver = Solver::new(self.cegar.limits);
        for (v, t) in system.var_ids().zip(&start) {
            let value = lasso.model.eval(terms, lasso.path.values[lasso.back][v.index()]);
            let same = equal(terms, *t, &value);
            solver.assert(terms, same);
        }
        match solver.check(terms, &[]) {
            Checked::Sat(start) if holds(terms, &start, possible) => {
                Some(Round { start, possible, end: values })
            }
            _ => None,
        }
    }

    /// Formulas that hold where the run begins the cycle.
    fn candidates(&mut self, lasso: &Traversed, round: &Round) -> Vec<Term> {
        let matter = self.matter(lasso);
        let encoding = &mut self.cegar.encoding;
        let mut found = Vec::new();
        for v in matter {
            let t = encoding.current(v);
            match round.start.eval(&encoding.terms, t) {
                Value::Bool(b) => found.push(if b { t } else { encoding.terms.not(t) }),
                Value::Num(q) => {
                    let sort = encoding.terms.sort(t);
                    let q = encoding.terms.num(q, sort);
                    found.extend([encoding.terms.le(t, q), encoding.terms.ge(t, q)]);
                }
            }
        }
        let asked = polyhedron(&encoding.terms, round.possible, &round.start);
        found.extend(asked.into_iter().map(|i| bounded(&mut encoding.terms, i)));
        if let Node::And(parts) = encoding.terms.node(round.possible) {
            found.extend(parts.to_vec());
        }
        found.retain(|c| holds(&encoding.terms, &round.start, *c));
        found.sort();
        found.dedup();
        found.truncate(CANDIDATES);
        found
    }

    /// Conjuncts that the cycle does not preserve; `None` inside if it preserves all, outside if that is unknown.
    fn lost(&mut self, set: &[Term], round: &Round) -> Option<Option<Vec<Term>>> {
        let encoding = &mut self.cegar.encoding;
        let after: Vec<Term> = set
            .iter()
            .map(|c| encoding.instantiate(*c, &|v| round.end[v.index()], &|v| round.end[v.index()]))
            .collect();
        let kept = encoding.terms.and(after.clone());
        match self.counterexample(set, kept) {
            Checked::Sat(model) => {
                let terms = &self.cegar.encoding.terms;
                let lost = set.iter().zip(&after).filter(|(_, after)| !holds(terms, &model, **after));
                Some(Some(lost.map(|(c, _)| *c).collect()))
            }
            Checked::Unsat => Some(None),
            Checked::Unknown(_) => None,
        }
    }

    /// Can every step be taken from the set?
    fn suffices(&mut self, set: &[Term], round: &Round) -> Option<bool> {
        match self.counterexample(set, round.possible) {
            Checked::Sat(_) => Some(false),
            Checked::Unsat => Some(true),
            Checked::Unknown(_) => None,
        }
    }

    /// A state of the set, within the system's invariant, in which the claim is false.
    fn counterexample(&mut self, set: &[Term], claim: Term) -> Checked {
        let encoding = &mut self.cegar.encoding;
        let wrong = encoding.terms.not(claim);
        let mut solver = Solver::new(self.cegar.limits);
        let always = encoding.always;
        for t in set.iter().copied().chain([always, wrong]) {
            solver.assert(&mut encoding.terms, t);
        }
        self.cegar.now().queries += 1;
        solver.check(&mut self.cegar.encoding.terms, &[])
    }
}

fn holds(terms: &Terms, model: &Model, t: Term) -> bool {
    model.eval(terms, t) == Value::Bool(true)
}

/// The inequality as a term.
fn bounded(terms: &mut Terms, inequality: Inequality) -> Term {
    let whole = inequality.form.iter().all(|(t, _)| terms.sort(*t) == Sort::Int);
    let sort = if whole { Sort::Int } else { Sort::Real };
    let mut form = inequality.form;
    form.sort();
    let sum = terms.sum(Linear { terms: form, constant: Q::ZERO }, sort);
    let bound = terms.num(inequality.bound, sort);
    terms.le(sum, bound)
}
