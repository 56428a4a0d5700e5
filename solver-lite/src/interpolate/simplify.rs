//! Takes out of a formula what it says twice. The result is equivalent, so it keeps every condition of an interpolant.
//!
//! In a conjunction a literal makes every other occurrence of itself true; of bounds on one form the tighter one stays;
//! dually for disjunctions. Large formulas are left alone.

use crate::hash::{Map, Set};
use crate::literal::Literal;
use crate::number::Q;
use crate::term::{Node, Sort, Term, Terms};

/// Sub-terms of a formula that is simplified.
const LARGE: usize = 20_000;
/// Sub-terms that are rewritten altogether; then what is left stays as it is.
const EFFORT: usize = 400_000;

/// An equivalent formula that is not larger.
pub(super) fn simplify(terms: &mut Terms, t: Term) -> Term {
    let size = terms.subterms(&[t]).len();
    if size > LARGE {
        return t;
    }
    let mut effort = EFFORT;
    let mut t = t;
    // Each round may open the way for the next one; two or three are usual.
    for _ in 0..8 {
        let next = round(terms, t, &mut effort);
        if next == t || effort == 0 {
            return next;
        }
        t = next;
    }
    t
}

/// Simplifies every conjunction and disjunction once, from the inside out.
fn round(terms: &mut Terms, root: Term, effort: &mut usize) -> Term {
    let mut image: Map<Term, Term> = Map::default();
    for t in terms.subterms(&[root]) {
        let new = match terms.node(t).clone() {
            Node::Not(a) if terms.sort(a) == Sort::Bool => {
                let a = image[&a];
                terms.not(a)
            }
            Node::And(cs) => {
                let cs: Vec<Term> = cs.iter().map(|c| image[c]).collect();
                junction(terms, &cs, true, effort)
            }
            Node::Or(cs) => {
                let cs: Vec<Term> = cs.iter().map(|c| image[c]).collect();
                junction(terms, &cs, false, effort)
            }
            _ => t,
        };
        image.insert(t, new);
    }
    image[&root]
}

/// Is it an operand that says something about the others?
fn is_literal(terms: &Terms, t: Term) -> bool {
    !matches!(terms.node(terms.strip(t).0), Node::And(_) | Node::Or(_))
}

fn junction(terms: &mut Terms, operands: &[Term], conjunction: bool, effort: &mut usize) -> Term {
    let whole = if conjunction { terms.and(operands.to_vec()) } else { terms.or(operands.to_vec()) };
    let operands = match terms.node(whole) {
        Node::And(operands) if conjunction => operands.clone(),
        Node::Or(operands) if !conjunction => operands.clone(),
        _ => return whole,
    };
    let literals: Vec<Term> = operands.iter().copied().filter(|o| is_literal(terms, *o)).collect();
    let kept = tightest(terms, &literals, conjunction);
    // What the literals say makes them constants elsewhere: true in a conjunction, false in a disjunction.
    let known: Map<Term, bool> = kept
        .iter()
        .map(|l| {
            let (t, negated) = terms.strip(*l);
            (t, negated != conjunction)
        })
        .collect();
    let mut parts = kept;
    let rest: Vec<Term> = operands.iter().copied().filter(|o| !is_literal(terms, *o)).collect();
    for o in rest {
        parts.push(if known.is_empty() { o } else { assume(terms, o, &known, effort) });
    }
    if conjunction { terms.and(parts) } else { terms.or(parts) }
}

/// The formula with known literals replaced by constants.
fn assume(terms: &mut Terms, root: Term, known: &Map<Term, bool>, effort: &mut usize) -> Term {
    let all = terms.subterms(&[root]);
    if all.len() > *effort || !all.iter().any(|t| known.contains_key(t)) {
        *effort = effort.saturating_sub(1);
        return root;
    }
    *effort -= all.len();
    let mut image: Map<Term, Term> = Map::default();
    for t in all {
        let new = match (known.get(&t), terms.node(t).clone()) {
            (Some(value), _) => terms.bool(*value),
            (_, Node::Not(a)) => {
                let a = image[&a];
                terms.not(a)
            }
            (_, Node::And(cs)) => terms.and(cs.iter().map(|c| image[c]).collect::<Vec<_>>()),
            (_, Node::Or(cs)) => terms.or(cs.iter().map(|c| image[c]).collect::<Vec<_>>()),
            _ => t,
        };
        image.insert(t, new);
    }
    image[&root]
}

/// Of several bounds of one form on one side only the one that implies the others (conjunction) or is implied by them.
fn tightest(terms: &Terms, literals: &[Term], conjunction: bool) -> Vec<Term> {
    // By form and side: the best bound so far as (value, strictness) to be made small, and its literal.
    let mut best: Map<(Term, bool), ((Q, i8), Term)> = Map::default();
    let mut dropped: Set<Term> = Set::default();
    for &t in literals {
        let l = Literal::of(terms, t);
        let (form, bound, strict) = match terms.node(l.term) {
            Node::Le(form, bound) => (*form, bound, false),
            Node::Lt(form, bound) => (*form, bound, true),
            _ => continue,
        };
        // As an upper bound of the form, or of its negative: `(value, 0)` is below `(value, 1)`.
        let key = if l.positive {
            (bound.clone(), i8::from(!strict))
        } else {
            // form > bound or ≥ bound; over integers > k is ≥ k + 1, which orders the same way.
            (-bound, i8::from(strict))
        };
        match best.get(&(form, l.positive)) {
            Some((other, old)) => {
                let better = if conjunction { key < *other } else { key > *other };
                if better {
                    dropped.insert(*old);
                    best.insert((form, l.positive), (key, t));
                } else {
                    dropped.insert(t);
                }
            }
            None => {
                best.insert((form, l.positive), (key, t));
            }
        }
    }
    literals.iter().copied().filter(|t| !dropped.contains(t)).collect()
}
