//! The semantics of operations, twice: as a term over current and next values, and as a step of an interpreter.

use std::collections::BTreeMap;

use solver_lite::term::{Sort, Term, Terms, Value};

use crate::expr::{EvalError, VarId, to_term};
use crate::system::{Op, State, System, VarType};

/// An operation as a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Over current values, and the next values of the written variables.
    pub formula: Term,
    /// The written variables, ascending; all others are unchanged, which `formula` does not state.
    pub written: Vec<VarId>,
}

/// The effect of an operation: the values of written variables as terms over current values (and next ones, after a
/// havoc).
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// The values.
    pub values: BTreeMap<VarId, Term>,
    /// The condition under which the operation is possible.
    pub constraints: Vec<Term>,
}

impl System {
    /// `op` as a term, where `cur` and `next` give the terms of variables before and after.
    ///
    /// # Panics
    /// If a variable is written again after a havoc of it (see [`System::validate`]).
    pub fn relation(
        &self,
        op: &Op,
        terms: &mut Terms,
        cur: &mut dyn FnMut(VarId) -> Term,
        next: &mut dyn FnMut(VarId) -> Term,
    ) -> Relation {
        let written = self.effect(op, terms, cur, next);
        let mut parts = written.constraints;
        for (v, value) in &written.values {
            let after = next(*v);
            parts.push(terms.eq(after, *value));
        }
        let formula = terms.and(parts);
        Relation { formula, written: written.values.into_keys().collect() }
    }

    /// The same in parts, where `next` gives the terms of havocked values.
    ///
    /// # Panics
    /// If a variable is written again after a havoc of it (see [`System::validate`]).
    pub fn effect(
        &self,
        op: &Op,
        terms: &mut Terms,
        cur: &mut dyn FnMut(VarId) -> Term,
        next: &mut dyn FnMut(VarId) -> Term,
    ) -> Effect {
        let mut written = Effect::default();
        self.execute(op, terms, cur, next, &mut written);
        written
    }

    /// Continues from values over an operation with given choices: `next` are the variables for havocked values,
    /// `chosen` their terms. Returns the condition under which this is possible, within the system's invariant and all
    /// ranges.
    pub(crate) fn follow(
        &self,
        op: &Op,
        terms: &mut Terms,
        values: &mut [Term],
        (next, chosen): (&[Term], &[Term]),
    ) -> Term {
        let before = values.to_vec();
        let effect = self.effect(op, terms, &mut |v| before[v.index()], &mut |v| next[v.index()]);
        let mut with =
            |t: Term| terms.substitute(t, |_, t| next.iter().position(|n| *n == t).map(|v| chosen[v]));
        let mut possible: Vec<Term> = effect.constraints.into_iter().map(&mut with).collect();
        effect.values.into_iter().for_each(|(v, value)| values[v.index()] = with(value));
        possible.push(to_term(&self.invariant, terms, &mut |v| values[v.index()]));
        for v in self.var_ids() {
            possible.push(self.domain(v, values[v.index()], terms));
        }
        terms.and(possible)
    }

    fn execute(
        &self,
        op: &Op,
        terms: &mut Terms,
        cur: &mut dyn FnMut(VarId) -> Term,
        next: &mut dyn FnMut(VarId) -> Term,
        written: &mut Effect,
    ) {
        match op {
            Op::Skip | Op::Promise(_) => {}
            Op::Assume(e) => {
                let t = written.term(e, terms, cur);
                written.constraints.push(t);
            }
            Op::Assign(v, e) => {
                let t = written.term(e, terms, cur);
                written.set(*v, t, next);
            }
            Op::Update(all) => {
                let values: Vec<Term> = all.iter().map(|(_, e)| written.term(e, terms, cur)).collect();
                for ((v, _), t) in all.iter().zip(values) {
                    written.set(*v, t, next);
                }
            }
            Op::Havoc(v) => {
                let after = next(*v);
                written.set(*v, after, next);
                let domain = self.domain(*v, after, terms);
                written.constraints.push(domain);
            }
            Op::Relation(n, e) => {
                let related = to_term(e, terms, &mut |v| match Op::related(*n, v) {
                    (v, true) => next(v),
                    (v, false) => written.values.get(&v).copied().unwrap_or_else(|| cur(v)),
                });
                written.constraints.push(related);
                for v in (0..*n).map(VarId::new) {
                    let after = next(v);
                    written.set(v, after, next);
                    written.constraints.push(self.domain(v, after, terms));
                }
            }
            Op::Sequence(ops) => ops.iter().for_each(|op| self.execute(op, terms, cur, next, written)),
        }
    }

    /// `value` is in the range of `v`; true for variables without a range.
    pub fn domain(&self, v: VarId, value: Term, terms: &mut Terms) -> Term {
        self.variable(v).ty.domain(value, terms)
    }

    /// The initial formula, the invariant and all ranges, over the values given by `var`.
    pub fn initial_term(&self, terms: &mut Terms, var: &mut dyn FnMut(VarId) -> Term) -> Term {
        let mut parts =
            vec![to_term(&self.initial_formula, terms, var), to_term(&self.invariant, terms, var)];
        for v in self.var_ids() {
            let value = var(v);
            parts.push(self.domain(v, value, terms));
        }
        terms.and(parts)
    }

    /// The state after `op`, or `None` if an assumption is false; `havoc` is called once for each executed havoc.
    ///
    /// # Errors
    /// On division by zero, or if a promised range is left.
    pub fn post(
        &self,
        op: &Op,
        state: &State,
        havoc: &mut dyn FnMut(VarId) -> Value,
    ) -> Result<Option<State>, EvalError> {
        let mut after = state.clone();
        Ok(self.step(op, &mut after, havoc)?.then_some(after))
    }

    fn step(
        &self,
        op: &Op,
        state: &mut State,
        havoc: &mut dyn FnMut(VarId) -> Value,
    ) -> Result<bool, EvalError> {
        match op {
            Op::Skip => {}
            Op::Promise(e) => {
                if !e.eval(&|v| state[v.index()].clone())?.bool() {
                    return Err(EvalError::Overflow);
                }
            }
            Op::Assume(e) => return Ok(e.eval(&|v| state[v.index()].clone())?.bool()),
            Op::Assign(v, e) => state[v.index()] = e.eval(&|v| state[v.index()].clone())?,
            Op::Update(all) => {
                let of = |v: VarId| state[v.index()].clone();
                let values: Result<Vec<Value>, EvalError> = all.iter().map(|(_, e)| e.eval(&of)).collect();
                for ((v, _), value) in all.iter().zip(values?) {
                    state[v.index()] = value;
                }
            }
            Op::Havoc(v) => state[v.index()] = havoc(*v),
            Op::Relation(n, e) => {
                let mut after = state.clone();
                for v in (0..*n).map(VarId::new) {
                    after[v.index()] = havoc(v);
                }
                let related = e.eval(&|v| match Op::related(*n, v) {
                    (v, true) => after[v.index()].clone(),
                    (v, false) => state[v.index()].clone(),
                })?;
                *state = after;
                return Ok(related.bool());
            }
            Op::Sequence(ops) => {
                for op in ops {
                    if !self.step(op, state, havoc)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }
}

impl VarType {
    /// The value is in the range, if there is one.
    pub(crate) fn domain(&self, value: Term, terms: &mut Terms) -> Term {
        let VarType::Range { lo, hi } = self else { return Term::TRUE };
        let (lo, hi) = (terms.num(lo.clone(), Sort::Int), terms.num(hi.clone(), Sort::Int));
        let (above, below) = (terms.ge(value, lo), terms.le(value, hi));
        terms.and([above, below])
    }
}

impl Effect {
    fn term(&self, e: &crate::expr::Expr, terms: &mut Terms, cur: &mut dyn FnMut(VarId) -> Term) -> Term {
        to_term(e, terms, &mut |v| self.values.get(&v).copied().unwrap_or_else(|| cur(v)))
    }

    fn set(&mut self, v: VarId, value: Term, next: &mut dyn FnMut(VarId) -> Term) {
        let after = next(v);
        let old = self.values.insert(v, value);
        assert!(old != Some(after), "{v} is written again after a havoc of it");
    }
}
