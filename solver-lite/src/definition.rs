//! The clauses that define a term: Tseitin's for Boolean operators, the axioms of `ite`, `div` and `mod` for
//! arithmetic ones. The checker of proofs judges these clauses by their meaning and does not call this file.

use crate::literal::{Clause, Literal, clause};
use crate::number::Q;
use crate::term::{Node, Term, Terms};

/// The defining clauses of `t`; none for variables, sums and comparisons other than `=`.
pub(crate) fn definition(terms: &mut Terms, t: Term) -> Vec<Clause> {
    let yes = Literal { term: t, positive: true };
    let no = yes.negated();
    match terms.node(t).clone() {
        Node::And(cs) => junction(terms, yes, &cs, true),
        Node::Or(cs) => junction(terms, no, &cs, false),
        Node::Iff(a, b) => {
            let (a, b) = (Literal::of(terms, a), Literal::of(terms, b));
            let (na, nb) = (a.negated(), b.negated());
            vec![
                clause(vec![no, na, b]),
                clause(vec![no, a, nb]),
                clause(vec![yes, a, b]),
                clause(vec![yes, na, nb]),
            ]
        }
        Node::Ite(c, a, b) if terms.sort(t) == crate::term::Sort::Bool => {
            let [c, a, b] = [c, a, b].map(|x| Literal::of(terms, x));
            let (nc, na, nb) = (c.negated(), a.negated(), b.negated());
            let mut all = vec![vec![no, nc, a], vec![no, c, b], vec![yes, nc, na], vec![yes, c, nb]];
            all.extend([vec![no, a, b], vec![yes, na, nb]]);
            all.into_iter().map(clause).collect()
        }
        Node::Ite(c, a, b) => {
            let c = Literal::of(terms, c);
            let mut all = Vec::new();
            for (guard, branch) in [(c.negated(), a), (c, b)] {
                for side in equal(terms, t, branch) {
                    all.push(clause(vec![guard, side]));
                }
            }
            all
        }
        Node::Eq(..) => {
            let [le, ge] = sides(terms, t);
            vec![clause(vec![no, le]), clause(vec![no, ge]), clause(vec![yes, le.negated(), ge.negated()])]
        }
        Node::Div(x, k) => {
            let product = terms.scale(&k, t);
            let last = terms.num(&k - &Q::ONE, crate::term::Sort::Int);
            let top = terms.add([product, last]);
            let (low, high) = (terms.le(product, x), terms.le(x, top));
            [low, high].iter().map(|side| vec![Literal::of(terms, *side)]).collect()
        }
        Node::Mod(x, k) => {
            let quotient = terms.div(x, &k);
            let product = terms.scale(&k, quotient);
            let rest = terms.sub(x, product);
            let (zero, last) = (terms.int(0), terms.num(&k - &Q::ONE, crate::term::Sort::Int));
            let bounds = [terms.ge(t, zero), terms.le(t, last)].map(|b| Literal::of(terms, b));
            equal(terms, t, rest).into_iter().chain(bounds).map(|side| vec![side]).collect()
        }
        Node::True
        | Node::False
        | Node::Var(_)
        | Node::Not(_)
        | Node::Le(..)
        | Node::Lt(..)
        | Node::Linear(..) => Vec::new(),
    }
}

/// And: `yes` is the gate; Or: everything dual, with `yes` the negated gate.
fn junction(terms: &Terms, gate: Literal, children: &[Term], conjunction: bool) -> Vec<Clause> {
    let of = |c: &Term| {
        let l = Literal::of(terms, *c);
        if conjunction { l } else { l.negated() }
    };
    let mut all: Vec<Clause> = children.iter().map(|c| clause(vec![gate.negated(), of(c)])).collect();
    all.push(clause(std::iter::once(gate).chain(children.iter().map(|c| of(c).negated())).collect()));
    all
}

/// `a ≤ b` and `a ≥ b`.
fn equal(terms: &mut Terms, a: Term, b: Term) -> [Literal; 2] {
    let (le, ge) = (terms.le(a, b), terms.ge(a, b));
    [Literal::of(terms, le), Literal::of(terms, ge)]
}

/// The two inequalities that make an equation.
pub(crate) fn sides(terms: &mut Terms, equation: Term) -> [Literal; 2] {
    let Node::Eq(form, bound) = terms.node(equation).clone() else { panic!("an equation was expected") };
    terms.sides(form, &bound).map(|side| Literal::of(terms, side))
}
