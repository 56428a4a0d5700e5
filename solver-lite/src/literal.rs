//! Literals and inequalities, which search, proofs and their checker have in common.

use crate::number::Q;
use crate::term::{Linear, Node, Sort, Term, Terms};

/// A Boolean term or its negation; the term itself is never a negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Literal {
    /// The term.
    pub term: Term,
    /// Not negated?
    pub positive: bool,
}

/// A set of literals, read as their disjunction; ascending, without duplicates.
pub type Clause = Vec<Literal>;

impl Literal {
    /// The literal of a Boolean term.
    #[must_use]
    pub fn of(terms: &Terms, t: Term) -> Literal {
        let (term, negated) = terms.strip(t);
        Literal { term, positive: !negated }
    }

    /// The opposite literal.
    #[must_use]
    pub fn negated(self) -> Literal {
        Literal { term: self.term, positive: !self.positive }
    }

    /// Back to a term.
    pub fn to_term(self, terms: &mut Terms) -> Term {
        if self.positive { self.term } else { terms.not(self.term) }
    }
}

/// Sorts and deduplicates, so that equal clauses are equal vectors.
#[must_use]
pub fn clause(mut literals: Vec<Literal>) -> Clause {
    literals.sort_unstable();
    literals.dedup();
    literals
}

/// The meaning of a linear literal: `linear ≤ 0`, or `linear < 0` when `strict`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inequality {
    /// The left-hand side.
    pub linear: Linear,
    /// `<` instead of `≤`.
    pub strict: bool,
}

/// The inequality of a literal over `≤` or `<`; `None` for other literals.
/// Negations over integers are tightened: `¬(f ≤ b)` is `f ≥ b + 1`.
#[must_use]
pub fn inequality(terms: &Terms, literal: Literal) -> Option<Inequality> {
    let (form, bound, strict) = match terms.node(literal.term) {
        Node::Le(form, bound) => (*form, bound, false),
        Node::Lt(form, bound) => (*form, bound, true),
        _ => return None,
    };
    let mut linear = terms.linear(form);
    let integral = terms.sort(form) == Sort::Int;
    linear.constant = -bound;
    if literal.positive {
        return Some(Inequality { linear, strict });
    }
    linear.scale(&Q::MINUS_ONE);
    if integral && !strict {
        linear.constant += &Q::ONE;
        return Some(Inequality { linear, strict: false });
    }
    Some(Inequality { linear, strict: !strict })
}
