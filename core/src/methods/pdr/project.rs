//! Model-based projection of linear arithmetic (Komuravelli, Gurfinkel and Chaki, "SMT-Based Model Checking for
//! Recursive Programs", 2014, section 4): from literals that hold in a model to literals over fewer variables that hold
//! there, too, and for which values of the eliminated variables exist.
//!
//! A variable with an equation is replaced. Otherwise it is replaced by its greatest lower bound in the model: all
//! other lower bounds are at most that, all upper bounds at least that. An integer that has a coefficient, or is
//! divided, is replaced by its value in the model.

use std::collections::BTreeSet;

use solver_lite::Model;
use solver_lite::number::Q;
use solver_lite::term::{Linear, Node, Sort, Term, Terms, Value};

pub(super) struct Projection<'a> {
    terms: &'a mut Terms,
    model: &'a Model,
    /// The variables that are kept.
    keep: &'a BTreeSet<Term>,
}

/// `linear ≤ 0`, `linear < 0` or `linear = 0`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Le,
    Lt,
    Eq,
}

type Row = (Linear, Relation);

impl<'a> Projection<'a> {
    pub(super) fn new(terms: &'a mut Terms, model: &'a Model, keep: &'a BTreeSet<Term>) -> Projection<'a> {
        Projection { terms, model, keep }
    }

    /// Literals over the variables that are kept.
    pub(super) fn cube(mut self, literals: Vec<Term>) -> Vec<Term> {
        let mut cube = BTreeSet::new();
        let mut rows: Vec<Row> = Vec::new();
        for literal in literals {
            let (atom, _) = self.terms.strip(literal);
            if self.terms.vars(atom).iter().all(|v| self.keep.contains(v)) {
                self.insert(literal, &mut cube);
            } else if !matches!(self.terms.node(atom), Node::Var(_)) {
                let literal = self.without_division(literal);
                rows.extend(self.row(literal));
            }
        }
        loop {
            let other = rows
                .iter()
                .flat_map(|(l, _)| &l.terms)
                .map(|(t, _)| *t)
                .find(|t| !self.keep.contains(t) && !self.is_kept(*t));
            let Some(x) = other else { break };
            rows = self.eliminate(x, rows);
        }
        for (linear, relation) in rows {
            let t = self.term(linear, relation);
            if self.terms.constant(t).is_none() {
                self.insert(t, &mut cube);
            }
        }
        cube.into_iter().collect()
    }

    /// An equation is two bounds, one of which may suffice later.
    fn insert(&mut self, literal: Term, cube: &mut BTreeSet<Term>) {
        let Node::Eq(form, bound) = self.terms.node(literal).clone() else {
            cube.insert(literal);
            return;
        };
        let bound = self.terms.num(bound, self.terms.sort(form));
        cube.extend([self.terms.le(form, bound), self.terms.ge(form, bound)]);
    }

    /// A quotient or remainder of variables that are kept.
    fn is_kept(&self, t: Term) -> bool {
        !matches!(self.terms.node(t), Node::Var(_))
            && self.terms.vars(t).iter().all(|v| self.keep.contains(v))
    }

    /// Eliminated variables that are divided get their values of the model.
    fn without_division(&mut self, literal: Term) -> Term {
        let divided: Vec<Term> = self
            .terms
            .subterms(&[literal])
            .into_iter()
            .filter(|t| matches!(self.terms.node(*t), Node::Div(..) | Node::Mod(..)))
            .flat_map(|t| self.terms.vars(t))
            .filter(|v| !self.keep.contains(v))
            .collect();
        if divided.is_empty() {
            return literal;
        }
        let model = self.model;
        self.terms.substitute(literal, |terms, v| divided.contains(&v).then(|| number(terms, model, v)))
    }

    /// A literal as a row. A disequality is `<` or `>`, as in the model.
    fn row(&mut self, literal: Term) -> Option<Row> {
        let (atom, negated) = self.terms.strip(literal);
        if self.terms.constant(atom).is_some() {
            return None;
        }
        let (form, bound, relation) = match self.terms.node(atom).clone() {
            Node::Le(form, bound) => (form, bound, Relation::Le),
            Node::Lt(form, bound) => (form, bound, Relation::Lt),
            Node::Eq(form, bound) => (form, bound, Relation::Eq),
            _ => return None,
        };
        let mut linear = self.terms.linear(form);
        linear.constant = &linear.constant - &bound;
        let integer = self.terms.all_int(&linear);
        if !negated {
            return Some((linear, relation));
        }
        let minus = |mut l: Linear| {
            l.scale(&Q::MINUS_ONE);
            l
        };
        Some(match relation {
            Relation::Le if integer => {
                let mut l = minus(linear);
                l.constant = &l.constant + &Q::ONE;
                (l, Relation::Le)
            }
            Relation::Le => (minus(linear), Relation::Lt),
            Relation::Lt => (minus(linear), Relation::Le),
            Relation::Eq => {
                let less = self.value(&linear).is_negative();
                let mut l = if less { linear } else { minus(linear) };
                if integer {
                    l.constant = &l.constant + &Q::ONE;
                    (l, Relation::Le)
                } else {
                    (l, Relation::Lt)
                }
            }
        })
    }

    fn value(&self, linear: &Linear) -> Q {
        let mut total = linear.constant.clone();
        for (t, q) in &linear.terms {
            if let Value::Num(value) = self.model.eval(self.terms, *t) {
                total = &total + &(q * &value);
            }
        }
        total
    }

    fn term(&mut self, linear: Linear, relation: Relation) -> Term {
        match relation {
            Relation::Le => self.terms.le_zero(linear),
            Relation::Lt => self.terms.lt_zero(linear),
            Relation::Eq => {
                let sort = if self.terms.all_int(&linear) { Sort::Int } else { Sort::Real };
                let (sum, zero) = (self.terms.sum(linear, sort), self.terms.num(Q::ZERO, sort));
                self.terms.eq(sum, zero)
            }
        }
    }

    fn eliminate(&mut self, x: Term, rows: Vec<Row>) -> Vec<Row> {
        let coefficient = |l: &Linear| l.terms.iter().find(|(t, _)| *t == x).map(|(_, q)| q.clone());
        let (with, mut rest): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|(l, _)| coefficient(l).is_some());
        let integer = self.terms.sort(x) == Sort::Int;
        let unit = |q: &Q| q.is_one() || *q == Q::MINUS_ONE;
        // Is the variable a whole number when all others are?
        let whole =
            |l: &Linear| !integer || coefficient(l).is_some_and(|q| unit(&q)) && self.terms.all_int(l);
        let units = with.iter().all(|(l, _)| whole(l));
        let equation = with.iter().position(|(l, r)| *r == Relation::Eq && whole(l));
        if let Some(at) = equation {
            // a·x + r = 0: x is −r/a.
            let (mut solved, _) = with[at].clone();
            let a = coefficient(&solved).unwrap_or(Q::ONE);
            solved.scale(&-(a.recip()));
            solved.terms.retain(|(t, _)| *t != x);
            let others = with.into_iter().enumerate().filter(|(i, _)| *i != at);
            rest.extend(others.map(|(_, (linear, relation))| (replaced(linear, x, &solved), relation)));
            return rest;
        }
        if !units {
            let value = self.model.eval(self.terms, x).num().clone();
            let value = Linear::constant(value);
            rest.extend(with.into_iter().map(|(l, r)| (replaced(l, x, &value), r)));
            return rest;
        }
        let (lower, upper): (Vec<Row>, Vec<Row>) =
            with.into_iter().partition(|(l, _)| coefficient(l).is_some_and(|q| q.is_negative()));
        if lower.is_empty() || upper.is_empty() {
            return rest;
        }
        // a·x + r ≤ 0 with a < 0: x is at least r/−a.
        let bound = |(l, _): &Row| {
            let mut bound = l.clone();
            let a = coefficient(l).unwrap_or(Q::MINUS_ONE);
            bound.scale(&-(a.recip()));
            bound.terms.retain(|(t, _)| *t != x);
            bound
        };
        let bounds: Vec<(Linear, bool)> =
            lower.iter().map(|row| (bound(row), row.1 == Relation::Lt)).collect();
        let values: Vec<Q> = bounds.iter().map(|(b, _)| self.value(b)).collect();
        let greatest = (0..bounds.len())
            .max_by(|i, j| values[*i].cmp(&values[*j]).then(bounds[*i].1.cmp(&bounds[*j].1)));
        let greatest = greatest.expect("there is a lower bound");
        let (least, strict) = bounds[greatest].clone();
        for (_, (other, other_strict)) in bounds.into_iter().enumerate().filter(|(i, _)| *i != greatest) {
            // The other one is at most this one; where only the other one is strict, it is less.
            let mut difference = other;
            difference.add_scaled(&Q::MINUS_ONE, &least);
            rest.push((difference, if other_strict && !strict { Relation::Lt } else { Relation::Le }));
        }
        for (linear, relation) in upper {
            let relation = if strict { Relation::Lt } else { relation };
            rest.push((replaced(linear, x, &least), relation));
        }
        rest
    }
}

/// `linear` with a sum substituted for `x`.
fn replaced(mut linear: Linear, x: Term, by: &Linear) -> Linear {
    let Some(at) = linear.terms.iter().position(|(t, _)| *t == x) else { return linear };
    let (_, factor) = linear.terms.remove(at);
    linear.add_scaled(&factor, by);
    linear
}

/// The value of a variable in the model, as a term.
fn number(terms: &mut Terms, model: &Model, v: Term) -> Term {
    match model.of_var(terms, v) {
        Value::Bool(b) => terms.bool(b),
        Value::Num(q) => {
            let sort = terms.sort(v);
            terms.num(q, sort)
        }
    }
}
