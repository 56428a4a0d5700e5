//! The steps of a proof under construction, each with its clause as a set of literals.
//!
//! Alethe's rules are about formulas, where `¬¬p` and `p` differ; clauses here are about literals, where they are
//! equal. So the result of a rule is normalised at once to at most one negation a literal (rule `not_not`) and to
//! distinct literals (`contraction`).

use std::fmt::Write as _;

use crate::alethe::store::{Id, Lit, Store};
use crate::hash::Set;

/// A step, by index.
pub(crate) type StepId = usize;

/// An argument of a rule.
#[derive(Clone, Debug)]
pub(crate) enum Argument {
    Term(Id),
    Bool(bool),
    /// A number in its written form.
    Number(String),
}

#[derive(Debug)]
struct Step {
    /// The clause as the rule derives it.
    formulas: Vec<Id>,
    /// The literals of the clause, ascending.
    clause: Vec<Lit>,
    rule: &'static str,
    premises: Vec<StepId>,
    arguments: Vec<Argument>,
}

/// Terms and steps.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    pub(crate) store: Store,
    steps: Vec<Step>,
}

impl Steps {
    /// No steps, over these terms.
    pub(crate) fn new(store: Store) -> Steps {
        Steps { store, steps: Vec::new() }
    }

    /// The clause of a step.
    pub(crate) fn clause(&self, at: StepId) -> &[Lit] {
        &self.steps[at].clause
    }

    fn push(
        &mut self,
        rule: &'static str,
        formulas: Vec<Id>,
        premises: Vec<StepId>,
        arguments: Vec<Argument>,
    ) -> StepId {
        let mut clause: Vec<Lit> = formulas.iter().map(|f| self.store.lit(*f)).collect();
        clause.sort_unstable();
        clause.dedup();
        self.steps.push(Step { formulas, clause, rule, premises, arguments });
        self.steps.len() - 1
    }

    /// The result of a rule, in the form of literals.
    pub(crate) fn step(
        &mut self,
        rule: &'static str,
        formulas: Vec<Id>,
        premises: Vec<StepId>,
        arguments: Vec<Argument>,
    ) -> StepId {
        let mut distinct = formulas.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let twice = distinct.len() < formulas.len();
        let mut at = self.push(rule, formulas, premises, arguments);
        if twice {
            at = self.push("contraction", distinct.clone(), vec![at], Vec::new());
        }
        while let Some(deep) = distinct.iter().position(|f| self.store.strip(*f).1 >= 2) {
            let formula = distinct.swap_remove(deep);
            let ("not", [once]) = self.store.parts(formula) else { unreachable!("it is negated") };
            let ("not", [inner]) = self.store.parts(*once) else { unreachable!("it is negated twice") };
            let inner = *inner;
            let thrice = self.store.not(formula);
            let rule = self.push("not_not", vec![thrice, inner], Vec::new(), Vec::new());
            if !distinct.contains(&inner) {
                distinct.push(inner);
            }
            let pivot = vec![Argument::Term(formula), Argument::Bool(true)];
            at = self.push("resolution", distinct.clone(), vec![at, rule], pivot);
        }
        at
    }

    /// A tautology or another step without premises.
    pub(crate) fn axiom(&mut self, rule: &'static str, formulas: Vec<Id>) -> StepId {
        self.step(rule, formulas, Vec::new(), Vec::new())
    }

    /// The same with a position as argument.
    pub(crate) fn indexed(&mut self, rule: &'static str, formulas: Vec<Id>, position: usize) -> StepId {
        self.step(rule, formulas, Vec::new(), vec![Argument::Number(position.to_string())])
    }

    /// A formula of the problem.
    pub(crate) fn assume(&mut self, formula: Id) -> StepId {
        self.step("assume", vec![formula], Vec::new(), Vec::new())
    }

    /// The first clause resolved with the others in turn. Premises may lack literals: if the pivot is not in the clause
    /// so far, no resolution is needed; a premise without the pivot replaces the clause.
    pub(crate) fn resolve(&mut self, first: StepId, chain: &[(Id, StepId)]) -> StepId {
        let mut start = first;
        let mut current: Vec<Lit> = self.clause(first).to_vec();
        let mut premises = vec![first];
        let mut arguments = Vec::new();
        for (atom, other) in chain {
            let Some(at) = current.iter().position(|l| l.atom == *atom) else { continue };
            let pivot = current[at];
            let others = self.clause(*other);
            if !others.contains(&pivot.negated()) {
                start = *other;
                current = others.to_vec();
                premises = vec![start];
                arguments.clear();
                continue;
            }
            current.swap_remove(at);
            for l in others.iter().filter(|l| **l != pivot.negated()) {
                if !current.contains(l) {
                    current.push(*l);
                }
            }
            premises.push(*other);
            arguments.extend([Argument::Term(*atom), Argument::Bool(pivot.positive)]);
        }
        if premises.len() == 1 {
            return start;
        }
        current.sort_unstable();
        let formulas = current.iter().map(|l| self.store.of(*l)).collect();
        self.push("resolution", formulas, premises, arguments)
    }

    /// The text of the steps on which `last` depends, after definitions of the names of their terms.
    pub(crate) fn text(&self, last: StepId) -> String {
        let mut needed = vec![false; last + 1];
        needed[last] = true;
        for at in (0..=last).rev() {
            if needed[at] {
                self.steps[at].premises.iter().for_each(|p| needed[*p] = true);
            }
        }
        let kept: Vec<StepId> = (0..=last).filter(|at| needed[*at]).collect();
        let mut out = String::from("(\n");
        self.definitions(&kept, &mut out);
        for at in kept {
            self.write(at, &mut out);
        }
        out.push(')');
        out
    }

    fn definitions(&self, kept: &[StepId], out: &mut String) {
        let mut used: Set<Id> = Set::default();
        let mut stack: Vec<Id> = Vec::new();
        for at in kept {
            let step = &self.steps[*at];
            stack.extend(&step.formulas);
            stack.extend(step.arguments.iter().filter_map(|a| match a {
                Argument::Term(t) => Some(t),
                _ => None,
            }));
        }
        while let Some(t) = stack.pop() {
            if used.insert(t) {
                stack.extend(self.store.parts(t).1);
            }
        }
        let mut used: Vec<Id> = used.into_iter().filter(|t| self.store.is_named(*t)).collect();
        used.sort_unstable();
        for t in used {
            out.push_str("(define-fun ");
            self.store.write(t, false, out);
            let _ = write!(out, " () {} ", self.store.sort(t));
            self.store.write(t, true, out);
            out.push_str(")\n");
        }
    }

    fn write(&self, at: StepId, out: &mut String) {
        let step = &self.steps[at];
        if step.rule == "assume" {
            let _ = write!(out, "(assume s{at} ");
            self.store.write(step.formulas[0], false, out);
            out.push_str(")\n");
            return;
        }
        let _ = write!(out, "(step s{at} (cl");
        for f in &step.formulas {
            out.push(' ');
            self.store.write(*f, false, out);
        }
        let _ = write!(out, ") :rule {}", step.rule);
        let mut before = " :premises (";
        for p in &step.premises {
            let _ = write!(out, "{before}s{p}");
            before = " ";
        }
        out.push_str(if step.premises.is_empty() { "" } else { ")" });
        let mut before = " :args (";
        for a in &step.arguments {
            out.push_str(before);
            match a {
                Argument::Term(t) => self.store.write(*t, false, out),
                Argument::Bool(value) => out.push_str(&value.to_string()),
                Argument::Number(text) => out.push_str(text),
            }
            before = " ";
        }
        out.push_str(if step.arguments.is_empty() { ")\n" } else { "))\n" });
    }
}
