//! Walks over terms: children, reachable sub-terms, substitution, evaluation. No recursion.

use crate::hash::{Map, Set};
use crate::term::{Linear, Node, Term, Terms, Value};

impl Terms {
    /// Calls `visit` on each direct child of `t`.
    pub fn children(&self, t: Term, mut visit: impl FnMut(Term)) {
        match self.node(t) {
            Node::True | Node::False | Node::Var(_) => {}
            Node::Not(a)
            | Node::Le(a, _)
            | Node::Lt(a, _)
            | Node::Eq(a, _)
            | Node::Div(a, _)
            | Node::Mod(a, _) => {
                visit(*a);
            }
            Node::And(cs) | Node::Or(cs) => cs.iter().copied().for_each(visit),
            Node::Iff(a, b) => {
                visit(*a);
                visit(*b);
            }
            Node::Ite(c, a, b) => {
                visit(*c);
                visit(*a);
                visit(*b);
            }
            Node::Linear(_, l) => l.terms.iter().for_each(|(t, _)| visit(*t)),
        }
    }

    /// All sub-terms of `roots` (themselves included), ascending: children come before parents.
    #[must_use]
    pub fn subterms(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen: Set<Term> = roots.iter().copied().collect();
        let mut stack: Vec<Term> = roots.to_vec();
        while let Some(t) = stack.pop() {
            self.children(t, |c| {
                if seen.insert(c) {
                    stack.push(c);
                }
            });
        }
        let mut all: Vec<Term> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// The variables of `t`, ascending.
    #[must_use]
    pub fn vars(&self, t: Term) -> Vec<Term> {
        let mut all = self.subterms(&[t]);
        all.retain(|t| matches!(self.node(*t), Node::Var(_)));
        all
    }

    /// Replaces variables: `map` gives the new term of a variable, or `None` to keep it.
    ///
    /// # Panics
    /// If a variable is replaced by a term of another sort.
    pub fn substitute(&mut self, t: Term, mut map: impl FnMut(&mut Terms, Term) -> Option<Term>) -> Term {
        let mut new: Map<Term, Term> = Map::default();
        for old in self.subterms(&[t]) {
            let image = if matches!(self.node(old), Node::Var(_)) {
                let image = map(self, old).unwrap_or(old);
                assert!(self.sort(image) == self.sort(old), "substitution keeps sorts");
                image
            } else {
                self.rebuild(old, &new)
            };
            new.insert(old, image);
        }
        new[&t]
    }

    /// The same operator over the images of the children.
    fn rebuild(&mut self, t: Term, new: &Map<Term, Term>) -> Term {
        match self.node(t).clone() {
            Node::True | Node::False | Node::Var(_) => t,
            Node::Not(a) => self.not(new[&a]),
            Node::And(cs) => self.and(cs.iter().map(|c| new[c])),
            Node::Or(cs) => self.or(cs.iter().map(|c| new[c])),
            Node::Iff(a, b) => self.iff(new[&a], new[&b]),
            Node::Ite(c, a, b) => self.ite(new[&c], new[&a], new[&b]),
            Node::Le(a, q) => {
                let bound = self.num(q, self.sort(a));
                self.le(new[&a], bound)
            }
            Node::Lt(a, q) => {
                let bound = self.num(q, self.sort(a));
                self.lt(new[&a], bound)
            }
            Node::Eq(a, q) => {
                let bound = self.num(q, self.sort(a));
                self.eq(new[&a], bound)
            }
            Node::Div(a, q) => self.div(new[&a], &q),
            Node::Mod(a, q) => self.modulo(new[&a], &q),
            Node::Linear(sort, l) => {
                let mut total = Linear::constant(l.constant);
                for (c, q) in &l.terms {
                    total.add_scaled(q, &self.linear(new[c]));
                }
                self.sum(total, sort)
            }
        }
    }

    /// The value of `t` where `value` gives the values of variables.
    pub fn eval(&self, t: Term, value: impl FnMut(Term) -> Value) -> Value {
        self.eval_all(&[t], value).pop().expect("one value a root")
    }

    /// The values of several terms.
    pub fn eval_all(&self, roots: &[Term], mut value: impl FnMut(Term) -> Value) -> Vec<Value> {
        let mut values: Map<Term, Value> = Map::default();
        for s in self.subterms(roots) {
            let v = self.eval_node(s, &values, &mut value);
            values.insert(s, v);
        }
        roots.iter().map(|t| values[t].clone()).collect()
    }

    fn eval_node(&self, t: Term, values: &Map<Term, Value>, of_var: &mut impl FnMut(Term) -> Value) -> Value {
        let num = |t: &Term| values[t].num();
        let truth = |t: &Term| values[t].bool();
        match self.node(t) {
            Node::True => Value::Bool(true),
            Node::False => Value::Bool(false),
            Node::Var(_) => of_var(t),
            Node::Not(a) => Value::Bool(!truth(a)),
            Node::And(cs) => Value::Bool(cs.iter().all(truth)),
            Node::Or(cs) => Value::Bool(cs.iter().any(truth)),
            Node::Iff(a, b) => Value::Bool(truth(a) == truth(b)),
            Node::Ite(c, a, b) => values[if truth(c) { a } else { b }].clone(),
            Node::Le(a, q) => Value::Bool(num(a) <= q),
            Node::Lt(a, q) => Value::Bool(num(a) < q),
            Node::Eq(a, q) => Value::Bool(num(a) == q),
            Node::Div(a, q) => Value::Num(num(a).div_euclid(q)),
            Node::Mod(a, q) => Value::Num(num(a).rem_euclid(q)),
            Node::Linear(_, l) => {
                let mut sum = l.constant.clone();
                for (t, q) in &l.terms {
                    sum += &(q * num(t));
                }
                Value::Num(sum)
            }
        }
    }
}

impl Value {
    /// The truth value.
    ///
    /// # Panics
    /// If it is a number.
    #[must_use]
    pub fn bool(&self) -> bool {
        match self {
            Value::Bool(b) => *b,
            Value::Num(_) => panic!("a number where a truth value belongs"),
        }
    }

    /// The number.
    ///
    /// # Panics
    /// If it is a truth value.
    #[must_use]
    pub fn num(&self) -> &crate::number::Q {
        match self {
            Value::Num(q) => q,
            Value::Bool(_) => panic!("a truth value where a number belongs"),
        }
    }
}
