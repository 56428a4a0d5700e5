//! The theory literals of a Boolean model that justify the assertions.
//!
//! A model of the Boolean part gives a value to every comparison. Only those that justify the assertions need to be
//! consistent: all children of a true conjunction, one true child of a disjunction, and so on. Fewer literals
//! mean fewer and better conflicts.

use crate::cdcl::lit::Lit;
use crate::encode::Encoder;
use crate::hash::Set;
use crate::literal::Literal;
use crate::term::{Node, Sort, Term, Terms};

/// The comparisons, with the sign they have in the model, that make all `roots` true.
pub(crate) fn justify(
    terms: &Terms,
    encoder: &Encoder,
    roots: &[Term],
    truth: impl Fn(Term) -> bool,
) -> Vec<Lit> {
    let mut walk = Walk { encoder, seen: Set::default(), stack: Vec::new(), lits: Vec::new() };
    for root in roots {
        let l = Literal::of(terms, *root);
        walk.push(l.term);
    }
    while let Some(t) = walk.stack.pop() {
        walk.visit(terms, t, &truth);
    }
    walk.lits
}

struct Walk<'a> {
    encoder: &'a Encoder,
    seen: Set<Term>,
    stack: Vec<Term>,
    lits: Vec<Lit>,
}

impl Walk<'_> {
    fn push(&mut self, t: Term) {
        if self.seen.insert(t) {
            self.stack.push(t);
        }
    }

    fn visit(&mut self, terms: &Terms, t: Term, truth: &impl Fn(Term) -> bool) {
        if terms.sort(t) != Sort::Bool {
            self.arithmetic(terms, t, truth);
            return;
        }
        let value = t == Term::TRUE || truth(t);
        let holds = |terms: &Terms, c: Term| {
            let l = Literal::of(terms, c);
            (l.term == Term::TRUE || truth(l.term)) == l.positive
        };
        match terms.node(t) {
            Node::True | Node::False | Node::Var(_) => {}
            Node::Not(a) => self.push(*a),
            Node::And(cs) if value => self.all(terms, cs),
            Node::Or(cs) if !value => self.all(terms, cs),
            Node::And(cs) => self.one(terms, cs, |terms, c| !holds(terms, c)),
            Node::Or(cs) => self.one(terms, cs, holds),
            Node::Iff(a, b) => self.all(terms, &[*a, *b]),
            Node::Ite(c, a, b) => {
                let branch = if holds(terms, *c) { a } else { b };
                self.all(terms, &[*c, *branch]);
            }
            Node::Eq(..) => {
                let encoder = self.encoder;
                let sides = encoder.definition(t).take(2).flatten().map(|l| encoder.literal(*l));
                let broken = |l: &Literal| l.term != t && (value || truth(l.term) != l.positive);
                for side in sides.filter(broken).take(if value { 2 } else { 1 }) {
                    self.push(side.term);
                }
            }
            Node::Le(form, _) | Node::Lt(form, _) => {
                let var = self.encoder.var(t).expect("comparisons are encoded");
                self.lits.push(Lit::new(var, value));
                self.push(*form);
            }
            Node::Linear(..) | Node::Div(..) | Node::Mod(..) => unreachable!("not Boolean"),
        }
    }

    fn all(&mut self, terms: &Terms, children: &[Term]) {
        for c in children {
            self.push(Literal::of(terms, *c).term);
        }
    }

    /// One child with the property; preferably one that is needed already.
    fn one(&mut self, terms: &Terms, children: &[Term], property: impl Fn(&Terms, Term) -> bool) {
        let good = || children.iter().filter(|c| property(terms, **c));
        let known = good().any(|c| self.seen.contains(&terms.strip(*c).0));
        if !known {
            let first = good().next().copied().expect("a model gives the operator its value");
            self.push(terms.strip(first).0);
        }
    }

    /// The defining comparisons of `ite`, `div` and `mod` are needed as soon as the term is.
    fn arithmetic(&mut self, terms: &Terms, t: Term, truth: &impl Fn(Term) -> bool) {
        match terms.node(t) {
            Node::Ite(c, a, b) => {
                let (condition, negated) = terms.strip(*c);
                let taken = if (condition == Term::TRUE || truth(condition)) != negated { *a } else { *b };
                self.push(condition);
                self.push(taken);
                let encoder = self.encoder;
                let var = encoder.var(condition).expect("conditions are encoded");
                let guard = Lit::new(var, truth(condition));
                for clause in encoder.definition(t).filter(|c| c.contains(&!guard)) {
                    clause.iter().filter(|l| l.var() != var).for_each(|l| self.push(encoder.term(l.var())));
                }
            }
            _ => {
                terms.children(t, |c| self.push(c));
                let encoder = self.encoder;
                for clause in encoder.definition(t) {
                    clause.iter().for_each(|l| self.push(encoder.term(l.var())));
                }
            }
        }
    }
}
