//! Formulas of branching time that are about reachability, possibly in disguise: `EF (a || EF b)`, `AG AG a`,
//! `E[a U EF b]` (Bønneland, Dyhr, Jensen, Johannsen and Srba, "Simplification of CTL Formulae for Efficient Model
//! Checking of Petri Nets", 2018, section 4).
//!
//! The equivalences use that at least one maximal path begins in each state. Methods and checker get the property that
//! is found here, so these few lines belong to what a verdict rests on.

use super::{Ctl, Quantifier};
use crate::expr::Expr;
use crate::ltl::Temporal;

/// The condition c for which the formula is equivalent to `EF c` (or, with the quantifier A, to `AG c`); none if it is
/// not found to be.
pub(super) fn recognized(formula: &Ctl, quantifier: Quantifier) -> Option<Expr> {
    Form { is_all: quantifier == Quantifier::All }.as_ef(formula, quantifier == Quantifier::All)
}

/// A formula is equivalent to `AG c` if its negation is equivalent to `EF !c`. So the equivalences below are those of
/// EF, for a formula or its negation.
struct Form {
    is_all: bool,
}

impl Form {
    /// The condition whose reachability is equivalent to the formula, or to its negation.
    fn as_ef(&self, formula: &Ctl, negated: bool) -> Option<Expr> {
        match formula {
            Ctl::Not(a) => self.as_ef(a, !negated),
            // EF a ∨ EF b = EF (a ∨ b)
            Ctl::Or(parts) | Ctl::And(parts) if is_disjunction(formula, negated) => {
                self.joined(parts.iter().map(|part| self.as_ef(part, negated)))
            }
            Ctl::Unary(..) | Ctl::Binary(..) => match (operator(formula, negated)?, formula.children()) {
                ((Quantifier::Some, Temporal::Finally), [a]) => self.under_ef(a, negated),
                // AF EF a = EF a
                ((Quantifier::All, Temporal::Finally), [a]) => self.as_ef(a, negated),
                // E[a U EF b] = A[a U EF b] = EF b
                ((_, Temporal::Until), [_, b]) => self.as_ef(b, negated),
                _ => None,
            },
            _ => None,
        }
    }

    /// The condition whose reachability is equivalent to `EF` of the formula, or of its negation.
    fn under_ef(&self, formula: &Ctl, negated: bool) -> Option<Expr> {
        if let Some(c) = formula.condition() {
            return Some(if negated == self.is_all { c } else { c.negated() });
        }
        match formula {
            Ctl::Not(a) => self.under_ef(a, !negated),
            // EF (a ∨ b) = EF a ∨ EF b
            Ctl::Or(parts) | Ctl::And(parts) if is_disjunction(formula, negated) => {
                self.joined(parts.iter().map(|part| self.under_ef(part, negated)))
            }
            // EF EF a = EF AF a = EF a, and EF E[a U b] = EF A[a U b] = EF b
            Ctl::Unary(..) | Ctl::Binary(..) => match operator(formula, negated)?.1 {
                Temporal::Finally | Temporal::Until => self.under_ef(formula.children().last()?, negated),
                _ => None,
            },
            _ => None,
        }
    }

    fn joined(&self, parts: impl Iterator<Item = Option<Expr>>) -> Option<Expr> {
        let parts: Vec<Expr> = parts.collect::<Option<_>>()?;
        Some(if self.is_all { Expr::and(parts) } else { Expr::or(parts) })
    }
}

fn is_disjunction(formula: &Ctl, negated: bool) -> bool {
    matches!((formula, negated), (Ctl::Or(_), false) | (Ctl::And(_), true))
}

/// The quantifier and the operator of a formula, or of its negation over negated operands.
fn operator(formula: &Ctl, negated: bool) -> Option<(Quantifier, Temporal)> {
    let (Ctl::Unary(quantifier, op, _) | Ctl::Binary(quantifier, op, _)) = formula else { return None };
    Some(match (negated, quantifier) {
        (false, quantifier) => (*quantifier, *op),
        (true, Quantifier::Some) => (Quantifier::All, op.dual()),
        (true, Quantifier::All) => (Quantifier::Some, op.dual()),
    })
}
