//! From a model of formulas to an implicant: literals that hold in the model and imply the formulas.

use std::collections::BTreeSet;

use solver_lite::Model;
use solver_lite::term::{Linear, Node, Term, Terms, Value};

use super::{Cube, Pdr};
use crate::methods::pdr::project::Projection;

impl Pdr {
    /// A cube that contains the state of the model: from each of its states the formulas can be satisfied.
    pub(super) fn cube(&mut self, formulas: &[Term], model: &Model) -> Cube {
        let literals = self.implicant(formulas, model);
        let current = self.shared.symbolic.current.clone();
        let keep: BTreeSet<Term> = current.into_iter().collect();
        let terms = self.shared.symbolic.terms();
        let cube = Projection::new(terms, model, &keep).cube(literals);
        debug_assert!(
            model.eval_all(terms, &cube).iter().all(Value::bool),
            "the model's state is in its cube"
        );
        cube
    }

    /// Literals that hold in the model and imply the formulas.
    fn implicant(&mut self, formulas: &[Term], model: &Model) -> Vec<Term> {
        let terms = self.shared.symbolic.terms();
        let all = terms.subterms(formulas);
        let values: std::collections::HashMap<Term, Value> =
            all.iter().copied().zip(model.eval_all(terms, &all)).collect();
        let holds = |t: &Term| matches!(values.get(t), Some(Value::Bool(true)));
        let mut literals = Vec::new();
        let mut seen = BTreeSet::new();
        let mut stack: Vec<Term> = formulas.to_vec();
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            let value = holds(&t);
            match terms.node(t).clone() {
                Node::True | Node::False => {}
                Node::Not(a) => stack.push(a),
                Node::And(all) if value => stack.extend(all.iter()),
                Node::Or(all) if !value => stack.extend(all.iter()),
                Node::And(all) | Node::Or(all) => {
                    // One operand suffices: one that is needed anyway, if there is one.
                    let deciding = || all.iter().copied().filter(|a| holds(a) == value);
                    let one = deciding().find(|a| seen.contains(a)).or_else(|| deciding().next());
                    stack.extend(one);
                }
                Node::Iff(a, b) => stack.extend([a, b]),
                Node::Ite(c, a, b) => stack.extend([c, if holds(&c) { a } else { b }]),
                Node::Var(_) => literals.push(if value { t } else { terms.not(t) }),
                Node::Le(..) | Node::Lt(..) | Node::Eq(..) => {
                    let mut conditions = Vec::new();
                    let plain = Chosen { holds: &holds, conditions: &mut conditions }.comparison(terms, t);
                    stack.extend(conditions);
                    literals.push(if value { plain } else { terms.not(plain) });
                }
                Node::Linear(..) | Node::Div(..) | Node::Mod(..) => unreachable!("no truth value"),
            }
        }
        literals
    }
}

/// Conditional terms inside sums are replaced by the branch of the model; their conditions are collected.
struct Chosen<'a> {
    holds: &'a dyn Fn(&Term) -> bool,
    conditions: &'a mut Vec<Term>,
}

impl Chosen<'_> {
    fn comparison(&mut self, terms: &mut Terms, t: Term) -> Term {
        let node = terms.node(t).clone();
        let (Node::Le(form, bound) | Node::Lt(form, bound) | Node::Eq(form, bound)) = &node else {
            unreachable!("a comparison")
        };
        let plain = self.number(terms, *form);
        if plain == *form {
            return t;
        }
        let bound = terms.num(bound.clone(), terms.sort(*form));
        match node {
            Node::Le(..) => terms.le(plain, bound),
            Node::Lt(..) => terms.lt(plain, bound),
            _ => terms.eq(plain, bound),
        }
    }

    /// A number without conditional terms.
    fn number(&mut self, terms: &mut Terms, t: Term) -> Term {
        match terms.node(t).clone() {
            Node::Ite(c, a, b) => {
                self.conditions.push(c);
                let branch = if (self.holds)(&c) { a } else { b };
                self.number(terms, branch)
            }
            Node::Linear(sort, linear) => {
                let mut total = Linear::constant(linear.constant.clone());
                for (part, factor) in &linear.terms {
                    let part = self.number(terms, *part);
                    total.add_scaled(factor, &terms.linear(part));
                }
                terms.sum(total, sort)
            }
            Node::Div(a, k) => {
                let a = self.number(terms, a);
                terms.div(a, &k)
            }
            Node::Mod(a, k) => {
                let a = self.number(terms, a);
                terms.modulo(a, &k)
            }
            _ => t,
        }
    }
}
