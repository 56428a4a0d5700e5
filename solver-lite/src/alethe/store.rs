//! Terms of an Alethe proof: syntax, shared by hashing, not normalised.
//!
//! Invariant: children have smaller ids than parents, so ascending order is topological. Two terms have the same id if
//! and only if their texts are the same term for a checker.

use std::collections::BTreeMap;

use crate::hash::Map;
use crate::number::Q;
use crate::term::Sort;

/// A term of a proof, by index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Id(u32);

/// What a term is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Shape {
    /// A name, `true` or `false`.
    Symbol(String),
    /// A non-negative number; a fraction is one literal.
    Number(Q),
    /// An operator and its arguments.
    Apply(&'static str, Box<[Id]>),
}

/// A term that is not a negation, or the negation of one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Lit {
    pub(crate) atom: Id,
    pub(crate) positive: bool,
}

impl Lit {
    pub(crate) fn negated(self) -> Lit {
        Lit { atom: self.atom, positive: !self.positive }
    }
}

/// A sum as the rule `la_generic` reads it: every term other than `+`, `-`, or `*` with a number is a variable.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    pub(crate) terms: BTreeMap<Id, Q>,
    pub(crate) constant: Q,
}

impl Sum {
    pub(crate) fn add(&mut self, factor: &Q, other: &Sum) {
        for (t, q) in &other.terms {
            self.insert(*t, &(factor * q));
        }
        self.constant.add_product(factor, &other.constant);
    }

    fn insert(&mut self, t: Id, q: &Q) {
        let total = self.terms.entry(t).or_default();
        *total += q;
        if total.is_zero() {
            self.terms.remove(&t);
        }
    }
}

/// All terms of a proof.
#[derive(Debug, Default)]
pub(crate) struct Store {
    nodes: Vec<(Shape, Sort)>,
    ids: Map<(Shape, Sort), Id>,
}

impl Store {
    pub(crate) fn add(&mut self, shape: Shape, sort: Sort) -> Id {
        if let Some(id) = self.ids.get(&(shape.clone(), sort)) {
            return *id;
        }
        let id = Id(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms"));
        self.nodes.push((shape.clone(), sort));
        self.ids.insert((shape, sort), id);
        id
    }

    pub(crate) fn apply(&mut self, operator: &'static str, arguments: &[Id], sort: Sort) -> Id {
        self.add(Shape::Apply(operator, arguments.into()), sort)
    }

    pub(crate) fn formula(&mut self, operator: &'static str, arguments: &[Id]) -> Id {
        self.apply(operator, arguments, Sort::Bool)
    }

    pub(crate) fn not(&mut self, t: Id) -> Id {
        self.formula("not", &[t])
    }

    pub(crate) fn number(&mut self, q: &Q, sort: Sort) -> Id {
        let positive = self.add(Shape::Number(q.abs()), sort);
        if q.is_negative() { self.apply("-", &[positive], sort) } else { positive }
    }

    pub(crate) fn bool(&mut self, value: bool) -> Id {
        self.add(Shape::Symbol(value.to_string()), Sort::Bool)
    }

    pub(crate) fn shape(&self, t: Id) -> &Shape {
        &self.nodes[t.0 as usize].0
    }

    pub(crate) fn sort(&self, t: Id) -> Sort {
        self.nodes[t.0 as usize].1
    }

    /// Operator and arguments; a constant has none.
    pub(crate) fn parts(&self, t: Id) -> (&'static str, &[Id]) {
        match self.shape(t) {
            Shape::Apply(operator, arguments) => (operator, arguments),
            _ => ("", &[]),
        }
    }

    /// A term without its outermost negations, and their number.
    pub(crate) fn strip(&self, mut t: Id) -> (Id, u32) {
        let mut depth = 0;
        while let ("not", [inner]) = self.parts(t) {
            (t, depth) = (*inner, depth + 1);
        }
        (t, depth)
    }

    /// The literal of a formula.
    pub(crate) fn lit(&self, t: Id) -> Lit {
        let (atom, depth) = self.strip(t);
        Lit { atom, positive: depth % 2 == 0 }
    }

    /// The formula of a literal.
    pub(crate) fn of(&mut self, lit: Lit) -> Id {
        if lit.positive { lit.atom } else { self.not(lit.atom) }
    }

    /// The value of a number, a quotient of numbers or the negation of one: the constants of the rules of arithmetic.
    pub(crate) fn constant(&self, t: Id) -> Option<Q> {
        let signed = |t: Id| match self.shape(t) {
            Shape::Number(q) => Some(q.clone()),
            Shape::Apply("-", a) if a.len() == 1 => match self.shape(a[0]) {
                Shape::Number(q) => Some(-q),
                _ => None,
            },
            _ => None,
        };
        let unsigned = |t: Id| match self.parts(t) {
            ("/", [a, b]) => Some(&signed(*a)? / &signed(*b).filter(|b| !b.is_zero())?),
            _ => match self.shape(t) {
                Shape::Number(q) => Some(q.clone()),
                _ => None,
            },
        };
        match self.parts(t) {
            ("-", [inner]) => unsigned(*inner).map(|q| -q),
            _ => unsigned(t),
        }
    }

    /// An arithmetic term as a sum.
    pub(crate) fn sum(&self, t: Id) -> Sum {
        let mut sum = Sum::default();
        let mut stack = vec![(t, Q::ONE)];
        while let Some((t, q)) = stack.pop() {
            if let Some(c) = self.constant(t) {
                sum.constant.add_product(&q, &c);
                continue;
            }
            match self.parts(t) {
                ("+", all) => stack.extend(all.iter().map(|a| (*a, q.clone()))),
                ("-", [one]) => stack.push((*one, -&q)),
                ("-", [first, rest @ ..]) => {
                    stack.push((*first, q.clone()));
                    stack.extend(rest.iter().map(|a| (*a, -&q)));
                }
                ("*", [a, b]) => match (self.constant(*a), self.constant(*b)) {
                    (Some(c), _) => stack.push((*b, &q * &c)),
                    (None, Some(c)) => stack.push((*a, &q * &c)),
                    (None, None) => sum.insert(t, &q),
                },
                _ => sum.insert(t, &q),
            }
        }
        sum
    }

    /// Is this term written as a name?
    pub(crate) fn is_named(&self, t: Id) -> bool {
        !matches!(self.parts(t), ("" | "not", _)) && self.constant(t).is_none()
    }

    /// The text of a term: a name for each operator below it, and for itself unless `open`.
    pub(crate) fn write(&self, t: Id, open: bool, out: &mut String) {
        if self.is_named(t) && !open {
            out.push_str("@t");
            out.push_str(&t.0.to_string());
            return;
        }
        match self.shape(t) {
            Shape::Symbol(name) => out.push_str(name),
            Shape::Number(q) if !q.is_integer() => {
                out.push_str(&format!("(/ {} {})", q.numerator(), q.denominator()));
            }
            Shape::Number(q) => {
                out.push_str(&q.to_string());
                out.push_str(if self.sort(t) == Sort::Real { ".0" } else { "" });
            }
            Shape::Apply(operator, arguments) => {
                out.push('(');
                out.push_str(operator);
                for a in arguments {
                    out.push(' ');
                    self.write(*a, false, out);
                }
                out.push(')');
            }
        }
    }
}
