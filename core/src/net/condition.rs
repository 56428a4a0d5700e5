//! Conditions on markings, compiled from expressions over places for fast evaluation.

use solver_lite::term::Value;

use super::PlaceId;
use crate::expr::{Binary, Expr, Kind, Nary, Sign, Unary};

/// A condition on markings.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// The same in all markings.
    Constant(bool),
    /// A comparison of a weighted sum of tokens with a number.
    Linear(Linear),
    /// The negation.
    Not(Box<Condition>),
    /// The conjunction.
    And(Vec<Condition>),
    /// The disjunction.
    Or(Vec<Condition>),
    /// An expression that is evaluated as it stands.
    Other(Box<Expr>),
}

/// `Σ cᵢ·pᵢ ⋈ bound`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    /// Places with their coefficients, in ascending order; no coefficient is 0.
    pub terms: Vec<(PlaceId, i64)>,
    /// The comparison.
    pub op: Comparison,
    /// The bound.
    pub bound: i64,
}

/// A comparison with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// At most.
    Le,
    /// Equal.
    Eq,
}

/// The greatest sum of the absolute values of a comparison's coefficients, so that sums of tokens fit 64 bits,
const GREATEST: i64 = 1 << 30;
/// and the greatest constant.
const CONSTANT: i64 = 1 << 62;

/// The number of comparisons of a Boolean expression after its equivalences are written with conjunctions and
/// disjunctions, which doubles the operands of each.
#[must_use]
pub fn unfolded(e: &Expr) -> u64 {
    let sum = |es: &[Expr]| es.iter().map(unfolded).fold(0, u64::saturating_add);
    match &e.kind {
        Kind::Unary(Unary::Not, a) => unfolded(a),
        Kind::Nary(Nary::And | Nary::Or, es) => sum(es),
        Kind::Binary(Binary::Imply, ab) => sum(&ab[..]),
        Kind::Binary(Binary::Iff | Binary::Xor, ab) => sum(&ab[..]).saturating_mul(2),
        _ => 1,
    }
}

impl Condition {
    /// The condition of a Boolean expression, whose variables are the places.
    #[must_use]
    pub fn of(e: &Expr) -> Condition {
        let all = |es: &[Expr]| es.iter().map(Condition::of).collect::<Vec<_>>();
        match &e.kind {
            Kind::Bool(b) => Condition::Constant(*b),
            Kind::Unary(Unary::Not, a) => Condition::of(a).negated(),
            Kind::Nary(Nary::And, es) => Condition::And(all(es)),
            Kind::Nary(Nary::Or, es) => Condition::Or(all(es)),
            Kind::Binary(Binary::Imply, ab) => {
                Condition::Or(vec![Condition::of(&ab[0]).negated(), Condition::of(&ab[1])])
            }
            Kind::Binary(op @ (Binary::Iff | Binary::Xor), ab) => {
                let [a, b] = [Condition::of(&ab[0]), Condition::of(&ab[1])];
                let both = Condition::And(vec![a.clone(), b.clone()]);
                let none = Condition::And(vec![a.negated(), b.negated()]);
                let same = Condition::Or(vec![both, none]);
                if *op == Binary::Iff { same } else { same.negated() }
            }
            Kind::Binary(op, ab) => {
                comparison(*op, &ab[0], &ab[1]).unwrap_or_else(|| Condition::Other(Box::new(e.clone())))
            }
            _ => Condition::Other(Box::new(e.clone())),
        }
    }

    /// The negation; double negations cancel.
    #[must_use]
    pub fn negated(self) -> Condition {
        match self {
            Condition::Constant(b) => Condition::Constant(!b),
            Condition::Not(inner) => *inner,
            other => Condition::Not(Box::new(other)),
        }
    }

    /// Is it true, where `tokens` gives the tokens of places? `None` if an expression has no value.
    pub fn holds(&self, tokens: &impl Fn(PlaceId) -> u32) -> Option<bool> {
        Some(match self {
            Condition::Constant(b) => *b,
            Condition::Linear(linear) => linear.holds(tokens),
            Condition::Not(inner) => !inner.holds(tokens)?,
            Condition::And(all) => {
                for part in all {
                    if !part.holds(tokens)? {
                        return Some(false);
                    }
                }
                true
            }
            Condition::Or(all) => {
                for part in all {
                    if part.holds(tokens)? {
                        return Some(true);
                    }
                }
                false
            }
            Condition::Other(e) => {
                let value = e.eval(&|v| Value::Num(i64::from(tokens(PlaceId(v.0))).into()));
                value.ok()?.bool()
            }
        })
    }

    /// The places that it depends on, in ascending order.
    #[must_use]
    pub fn places(&self) -> Vec<PlaceId> {
        let mut places = Vec::new();
        self.collect(&mut places);
        places.sort_unstable();
        places.dedup();
        places
    }

    fn collect(&self, places: &mut Vec<PlaceId>) {
        match self {
            Condition::Constant(_) => {}
            Condition::Linear(linear) => places.extend(linear.terms.iter().map(|(p, _)| *p)),
            Condition::Not(inner) => inner.collect(places),
            Condition::And(all) | Condition::Or(all) => all.iter().for_each(|c| c.collect(places)),
            Condition::Other(e) => places.extend(e.variables().iter().map(|v| PlaceId(v.0))),
        }
    }
}

impl Linear {
    /// Is it true?
    pub fn holds(&self, tokens: &impl Fn(PlaceId) -> u32) -> bool {
        let sum: i64 = self.terms.iter().map(|(p, c)| c * i64::from(tokens(*p))).sum();
        match self.op {
            Comparison::Le => sum <= self.bound,
            Comparison::Eq => sum == self.bound,
        }
    }
}

/// A comparison of two sums.
fn comparison(op: Binary, a: &Expr, b: &Expr) -> Option<Condition> {
    let mut sum = Sum::default();
    sum.add(a, 1)?;
    sum.add(b, -1)?;
    let mut terms: Vec<(PlaceId, i64)> = Vec::new();
    sum.terms.sort_unstable_by_key(|(p, _)| *p);
    for (place, coefficient) in sum.terms {
        match terms.last_mut() {
            Some((last, total)) if *last == place => *total = total.checked_add(coefficient)?,
            _ => terms.push((place, coefficient)),
        }
    }
    terms.retain(|(_, c)| *c != 0);
    let mut size = 0_i64;
    for (_, c) in &terms {
        size = size.checked_add(c.checked_abs()?)?;
    }
    if size > GREATEST || sum.constant.checked_abs()? > CONSTANT {
        return None;
    }
    let bound = -sum.constant;
    let linear = |negate: bool, op: Comparison, bound: i64| {
        let sign = if negate { -1 } else { 1 };
        let terms = terms.iter().map(|(p, c)| (*p, sign * c)).collect();
        Condition::Linear(Linear { terms, op, bound: sign * bound })
    };
    Some(match op {
        Binary::Le => linear(false, Comparison::Le, bound),
        Binary::Lt => linear(false, Comparison::Le, bound - 1),
        Binary::Ge => linear(true, Comparison::Le, bound),
        Binary::Gt => linear(true, Comparison::Le, bound + 1),
        Binary::Eq => linear(false, Comparison::Eq, bound),
        Binary::Ne => linear(false, Comparison::Eq, bound).negated(),
        _ => return None,
    })
}

/// A sum in the making.
#[derive(Default)]
struct Sum {
    terms: Vec<(PlaceId, i64)>,
    constant: i64,
}

impl Sum {
    /// Adds a multiple of an expression; `None` if it is not linear over places.
    fn add(&mut self, e: &Expr, factor: i64) -> Option<()> {
        match &e.kind {
            Kind::Num(q) => {
                self.constant = self.constant.checked_add(q.to_i64()?.checked_mul(factor)?)?;
                Some(())
            }
            Kind::Var(v) => {
                self.terms.push((PlaceId(v.0), factor));
                Some(())
            }
            Kind::Unary(Unary::Neg, a) => self.add(a, factor.checked_neg()?),
            Kind::Sum(parts) => parts.iter().try_for_each(|(sign, part)| {
                let factor = if *sign == Sign::Plus { factor } else { factor.checked_neg()? };
                self.add(part, factor)
            }),
            Kind::Nary(Nary::Mul, parts) => {
                // All factors but one are constants.
                let mut factor = factor;
                let mut rest = None;
                for part in parts {
                    match part.as_constant() {
                        Some(Value::Num(q)) => factor = factor.checked_mul(q.to_i64()?)?,
                        _ if rest.is_none() => rest = Some(part),
                        _ => return None,
                    }
                }
                match rest {
                    Some(part) => self.add(part, factor),
                    None => {
                        self.constant = self.constant.checked_add(factor)?;
                        Some(())
                    }
                }
            }
            _ => None,
        }
    }
}
