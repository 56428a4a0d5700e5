//! Removes redundancy from a formula. The result is equivalent, so it satisfies every condition of an interpolant.
//!
//! In a conjunction a literal makes every other occurrence of itself true, and of several bounds on one form the
//! tightest one is kept; dually for disjunctions. Large formulas are not simplified.

use std::ops::Range;

use crate::hash::Map;
use crate::interpolate::facts::Facts;
use crate::literal::Literal;
use crate::number::Q;
use crate::term::{Node, Term, Terms};

/// Limit of sub-terms of a formula that is simplified.
const LARGE: usize = 20_000;
/// Limit of sub-terms rewritten in total; then the rest is kept as it is.
const EFFORT: usize = 400_000;

/// An equivalent formula that is not larger. `facts` receives the proof.
pub(super) fn simplify(terms: &mut Terms, t: Term, mut facts: Option<&mut Facts>) -> Term {
    let size = terms.subterms(&[t]).len();
    if size > LARGE {
        return t;
    }
    let mut effort = EFFORT;
    let mut t = t;
    // Each round may enable the next one; two or three are usual.
    for _ in 0..8 {
        let next = round(terms, t, &mut effort, facts.as_deref_mut());
        if next == t || effort == 0 {
            return next;
        }
        t = next;
    }
    t
}

/// Simplifies every conjunction and disjunction once, from the inside out.
fn round(terms: &mut Terms, root: Term, effort: &mut usize, mut facts: Option<&mut Facts>) -> Term {
    let mut image: Map<Term, Term> = Map::default();
    let mut why: Map<Term, Range<usize>> = Map::default();
    for t in terms.subterms(&[root]) {
        let new = match terms.node(t).clone() {
            Node::Not(_) | Node::And(_) | Node::Or(_) => {
                let whole = operator(terms, t, &image);
                let new = match (terms.node(t), terms.node(whole)) {
                    (Node::And(_), Node::And(_)) | (Node::Or(_), Node::Or(_)) => {
                        junction(terms, whole, effort, facts.as_deref_mut())
                    }
                    _ => whole,
                };
                if let Some(facts) = facts.as_deref_mut() {
                    let changed = facts.last();
                    let built = facts.image(terms, &[], t, whole, &image, &why);
                    let same = if new == whole {
                        built
                    } else {
                        facts.equal(terms, &[], t, new, &[built, changed], &[])
                    };
                    why.insert(t, same);
                }
                new
            }
            _ => t,
        };
        image.insert(t, new);
    }
    if let Some(facts) = facts {
        facts.rounds.extend(why.remove(&root));
    }
    image[&root]
}

/// A Boolean operator over the images of its operands; other terms are kept.
fn operator(terms: &mut Terms, t: Term, image: &Map<Term, Term>) -> Term {
    let of = |c: &Term| image[c];
    match terms.node(t).clone() {
        Node::Not(a) => terms.not(of(&a)),
        Node::And(cs) => terms.and(cs.iter().map(of)),
        Node::Or(cs) => terms.or(cs.iter().map(of)),
        _ => t,
    }
}

/// Is it an operand that may simplify the others?
fn is_literal(terms: &Terms, t: Term) -> bool {
    !matches!(terms.node(terms.strip(t).0), Node::And(_) | Node::Or(_))
}

/// A conjunction or disjunction whose operands were simplified with each other.
fn junction(terms: &mut Terms, whole: Term, effort: &mut usize, facts: Option<&mut Facts>) -> Term {
    let (operands, conjunction) = match terms.node(whole) {
        Node::And(operands) => (operands.clone(), true),
        Node::Or(operands) => (operands.clone(), false),
        _ => return whole,
    };
    let literals: Vec<Term> = operands.iter().copied().filter(|o| is_literal(terms, *o)).collect();
    let (kept, dropped) = tightest(terms, &literals, conjunction);
    // The literals are constants elsewhere: true in a conjunction, false in a disjunction.
    let known: Map<Term, bool> = kept
        .iter()
        .map(|l| {
            let (t, negated) = terms.strip(*l);
            (t, negated != conjunction)
        })
        .collect();
    let mut parts = kept;
    let mut images: Vec<(Term, Map<Term, Term>)> = Vec::new();
    let rest: Vec<Term> = operands.iter().copied().filter(|o| !is_literal(terms, *o)).collect();
    for o in rest {
        let image = assume(terms, o, &known, effort);
        parts.push(image.get(&o).copied().unwrap_or(o));
        images.push((o, image));
    }
    let new = if conjunction { terms.and(parts) } else { terms.or(parts) };
    if let Some(facts) = facts
        && new != whole
    {
        facts.junction(terms, [whole, new], &images, &dropped);
    }
    new
}

/// Images of the sub-terms of a formula when known literals are replaced by constants; nothing if none occurs.
fn assume(terms: &mut Terms, root: Term, known: &Map<Term, bool>, effort: &mut usize) -> Map<Term, Term> {
    let mut image: Map<Term, Term> = Map::default();
    if known.is_empty() {
        return image;
    }
    let all = terms.subterms(&[root]);
    if all.len() > *effort || !all.iter().any(|t| known.contains_key(t)) {
        *effort = effort.saturating_sub(1);
        return image;
    }
    *effort -= all.len();
    for t in all {
        let new = match known.get(&t) {
            Some(value) => terms.bool(*value),
            None => operator(terms, t, &image),
        };
        image.insert(t, new);
    }
    image
}

/// Literals, each with one that makes it redundant.
type Dropped = Vec<(Term, Term)>;

/// Of several bounds of one form on one side only the one that implies the others (conjunction) or is implied by them.
fn tightest(terms: &Terms, literals: &[Term], conjunction: bool) -> (Vec<Term>, Dropped) {
    // By form and side: the best bound so far as (value, strictness) to be minimised, and its literal.
    let mut best: Map<(Term, bool), ((Q, i8), Term)> = Map::default();
    let mut dropped: Map<Term, (Term, bool)> = Map::default();
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
                    dropped.insert(*old, (form, l.positive));
                    best.insert((form, l.positive), (key, t));
                } else {
                    dropped.insert(t, (form, l.positive));
                }
            }
            None => {
                best.insert((form, l.positive), (key, t));
            }
        }
    }
    let kept = literals.iter().copied().filter(|t| !dropped.contains_key(t)).collect();
    (kept, dropped.into_iter().map(|(t, key)| (t, best[&key].1)).collect())
}
