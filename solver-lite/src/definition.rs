//! The clauses that define a term: Tseitin's for Boolean operators, the axioms of `ite`, `div` and `mod` for
//! arithmetic ones. The proof checker judges these clauses by their meaning and does not use this file.

use crate::literal::{Clause, Literal, clause};
use crate::number::Q;
use crate::term::{Node, Sort, Term, Terms};

/// The defining clauses of `t`; none for variables, sums and comparisons other than `=`.
pub(crate) fn definition(terms: &mut Terms, t: Term) -> Vec<Clause> {
    let mut all = Vec::new();
    define(terms, t, &mut |clause| all.push(clause.to_vec()));
    all
}

/// Is the term a Boolean operator over Boolean terms? Its definition contains only itself and its children.
pub(crate) fn is_gate(terms: &Terms, t: Term) -> bool {
    match terms.node(t) {
        Node::And(_) | Node::Or(_) | Node::Iff(..) => true,
        Node::Ite(..) => terms.sort(t) == Sort::Bool,
        _ => false,
    }
}

/// Passes the defining clauses of `t` to `each`, one after the other.
pub(crate) fn define(terms: &mut Terms, t: Term, each: &mut dyn FnMut(&[Literal])) {
    let yes = Literal { term: t, positive: true };
    let no = yes.negated();
    match terms.node(t) {
        Node::And(cs) => junction(terms, yes, cs, true, each),
        Node::Or(cs) => junction(terms, no, cs, false, each),
        Node::Iff(a, b) => {
            let (a, b) = (Literal::of(terms, *a), Literal::of(terms, *b));
            let (na, nb) = (a.negated(), b.negated());
            [[no, na, b], [no, a, nb], [yes, a, b], [yes, na, nb]].into_iter().for_each(|c| tell(c, each));
        }
        Node::Ite(c, a, b) if terms.sort(t) == Sort::Bool => {
            let [c, a, b] = [c, a, b].map(|x| Literal::of(terms, *x));
            let (nc, na, nb) = (c.negated(), a.negated(), b.negated());
            [[no, nc, a], [no, c, b], [yes, nc, na], [yes, c, nb]].into_iter().for_each(|c| tell(c, each));
            [[no, a, b], [yes, na, nb]].into_iter().for_each(|c| tell(c, each));
        }
        &Node::Ite(c, a, b) => {
            let c = Literal::of(terms, c);
            for (guard, branch) in [(c.negated(), a), (c, b)] {
                equal(terms, t, branch).into_iter().for_each(|side| tell([guard, side], each));
            }
        }
        Node::Eq(..) => {
            let [le, ge] = sides(terms, t);
            [[no, le], [no, ge]].into_iter().for_each(|c| tell(c, each));
            tell([yes, le.negated(), ge.negated()], each);
        }
        Node::Div(x, k) => {
            let (x, k) = (*x, k.clone());
            let product = terms.scale(&k, t);
            let last = terms.num(&k - &Q::ONE, Sort::Int);
            let top = terms.add([product, last]);
            let (low, high) = (terms.le(product, x), terms.le(x, top));
            [low, high].iter().for_each(|side| each(&[Literal::of(terms, *side)]));
        }
        Node::Mod(x, k) => {
            let (x, k) = (*x, k.clone());
            let quotient = terms.div(x, &k);
            let product = terms.scale(&k, quotient);
            let rest = terms.sub(x, product);
            let (zero, last) = (terms.int(0), terms.num(&k - &Q::ONE, Sort::Int));
            equal(terms, t, rest).into_iter().for_each(|side| each(&[side]));
            let bounds = [terms.ge(t, zero), terms.le(t, last)];
            bounds.iter().for_each(|bound| each(&[Literal::of(terms, *bound)]));
        }
        Node::True
        | Node::False
        | Node::Var(_)
        | Node::Not(_)
        | Node::Le(..)
        | Node::Lt(..)
        | Node::Linear(..) => {}
    }
}

/// A few literals as a clause.
fn tell<const N: usize>(mut literals: [Literal; N], each: &mut dyn FnMut(&[Literal])) {
    literals.sort_unstable();
    let mut kept = 1;
    for i in 1..N {
        if literals[i] != literals[kept - 1] {
            literals[kept] = literals[i];
            kept += 1;
        }
    }
    each(&literals[..kept]);
}

/// And: `yes` is the gate; Or: everything dual, with `yes` the negated gate.
fn junction(
    terms: &Terms,
    gate: Literal,
    children: &[Term],
    conjunction: bool,
    each: &mut dyn FnMut(&[Literal]),
) {
    let of = |c: &Term| {
        let l = Literal::of(terms, *c);
        if conjunction { l } else { l.negated() }
    };
    children.iter().for_each(|c| tell([gate.negated(), of(c)], each));
    each(&clause(std::iter::once(gate).chain(children.iter().map(|c| of(c).negated())).collect()));
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
