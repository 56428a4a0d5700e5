//! Quantifier elimination for a chosen value: exact, over test points between which no comparison changes its truth
//! value. For integers these are the boundaries of the comparisons and a value below all of them (Cooper, "Theorem
//! proving in arithmetic without multiplication", 1972); remainders become cases, and fractional boundaries are
//! rounded. For rationals they also include the midpoints of boundaries (Ferrante and Rackoff, "A decision procedure
//! for the first order theory of real addition with order", 1975).

use std::sync::Arc;

use solver_lite::number::Q;
use solver_lite::term::Value;

use super::{NotKnown, any, bounded, folded, mentions, simplified, substituted};
use crate::expr::{Binary, Expr, Kind, Nary, Sign, Type, Unary};
use crate::system::VarId;

/// The limit on cases of a condition.
const REMAINDERS: i64 = 64;

/// `∃v: e`; none if the variable occurs outside of comparisons of sums, and of their remainders by constants.
pub(super) fn eliminated(v: VarId, e: Expr, dense: bool) -> Result<Option<Expr>, NotKnown> {
    let mut all = Vec::new();
    for e in by_remainders(v, &e).unwrap_or_else(|| vec![e]) {
        let mut boundaries = Boundaries { v, points: Vec::new() };
        if !boundaries.collect(&e) {
            return Ok(None);
        }
        all.push(boundaries.eliminate(&e, dense)?);
    }
    bounded(any(all)).map(Some)
}

/// If the variable is divided by constants with the least common multiple `n`: the disjunction over remainders `j` of
/// the condition with `n·v + j` for `v`. None if it is not divided.
fn by_remainders(v: VarId, e: &Expr) -> Option<Vec<Expr>> {
    let mut divisors = Vec::new();
    e.visit(&mut |part| {
        if let Kind::Binary(Binary::Mod | Binary::Div, ab) = &part.kind
            && part.ty == Type::Int
            && mentions(&ab[0], v)
        {
            divisors.push(divisor(&ab[1]));
        }
    });
    let divisors: Vec<i64> = divisors.into_iter().collect::<Option<_>>()?;
    let common = divisors.into_iter().try_fold(1, |n, d| Some(lcm(n, d)).filter(|n| *n <= REMAINDERS))?;
    (common > 1).then(|| (0..common).map(|j| remaining(v, e, common, j)).collect())?
}

/// A condition with `n·v + j` for a variable, where `n` is a multiple of all its divisors.
fn remaining(v: VarId, e: &Expr, n: i64, j: i64) -> Option<Expr> {
    let number = |n: i64| Expr::num(Q::from(n), Type::Int);
    if e.kind == Kind::Var(v) {
        return Some(sum(scaled(e.clone(), &Q::from(n)), Sign::Plus, number(j)));
    }
    if !mentions(e, v) {
        return Some(e.clone());
    }
    let Kind::Binary(op @ (Binary::Mod | Binary::Div), ab) = &e.kind else {
        let mut e = e.clone();
        for child in e.children_mut() {
            *child = remaining(v, child, n, j)?;
        }
        return Some(e);
    };
    // (c·(n·v + j) + rest) divided by d, a part of n
    let (c, rest) = Boundaries { v, points: Vec::new() }.linear(&ab[0])?;
    let d = divisor(&ab[1])?;
    let inner = sum(rest, Sign::Plus, Expr::num(&c * &Q::from(j), Type::Int));
    let inner = folded(Expr { kind: Kind::Binary(*op, Arc::new([inner, ab[1].clone()])), ..e.clone() });
    if *op == Binary::Mod {
        return Some(inner);
    }
    let times = &c * &Q::from(n / d);
    Some(sum(scaled(Expr::var(v, Type::Int), &times), Sign::Plus, inner))
}

/// A constant divisor.
fn divisor(e: &Expr) -> Option<i64> {
    match e.as_constant()? {
        Value::Num(q) => q.to_string().parse().ok().filter(|d| (1..=REMAINDERS).contains(d)),
        Value::Bool(_) => None,
    }
}

fn lcm(a: i64, b: i64) -> i64 {
    let gcd = |mut a: i64, mut b: i64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    a / gcd(a, b) * b
}

/// A comparison `v ⋈ at` with a term.
#[derive(PartialEq)]
struct Boundary {
    op: Binary,
    at: Expr,
    /// Is the boundary exact? Otherwise the variable is compared with a fraction, whose floor this is.
    exact: bool,
}

/// The terms with which the variable is compared.
struct Boundaries {
    v: VarId,
    points: Vec<Boundary>,
}

impl Boundaries {
    /// Collects them; false if the variable occurs elsewhere.
    fn collect(&mut self, e: &Expr) -> bool {
        if !mentions(e, self.v) {
            return true;
        }
        match &e.kind {
            Kind::Binary(op, ab) if ab[0].ty == Type::Int || ab[0].ty == Type::Rat => {
                let Some(point) = self.solved(*op, &ab[0], &ab[1]) else { return false };
                if !self.points.contains(&point) {
                    self.points.push(point);
                }
                true
            }
            Kind::Unary(Unary::Not, _)
            | Kind::Ite(_)
            | Kind::Nary(Nary::And | Nary::Or, _)
            | Kind::Binary(Binary::Iff | Binary::Imply | Binary::Xor, _)
                if e.ty == Type::Bool =>
            {
                e.children().into_iter().all(|child| self.collect(child))
            }
            _ => false,
        }
    }

    /// `a ⋈ b` as `v ⋈' t`.
    fn solved(&self, op: Binary, a: &Expr, b: &Expr) -> Option<Boundary> {
        if !matches!(op, Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge) {
            return None;
        }
        let (c, rest) = self.linear(a)?;
        let (d, other) = self.linear(b)?;
        let factor = &c - &d;
        let one = Q::ONE;
        if factor.is_zero() {
            return None;
        }
        // factor·v + rest ⋈ other
        let (first, second) = if factor.is_negative() { (rest, other) } else { (other, rest) };
        let op = match op {
            Binary::Lt if factor.is_negative() => Binary::Gt,
            Binary::Le if factor.is_negative() => Binary::Ge,
            Binary::Gt if factor.is_negative() => Binary::Lt,
            Binary::Ge if factor.is_negative() => Binary::Le,
            op => op,
        };
        let size = if factor.is_negative() { -&factor } else { factor };
        let difference = sum(first, Sign::Minus, second);
        let t = match a.ty {
            _ if size == one => difference,
            Type::Int => divided(difference, &size),
            _ => scaled(difference, &size.recip()),
        };
        Some(Boundary { op, at: t, exact: size == one || a.ty != Type::Int })
    }

    /// The coefficient of the variable in a sum, and the rest.
    fn linear(&self, e: &Expr) -> Option<(Q, Expr)> {
        if !mentions(e, self.v) {
            return Some((Q::ZERO, e.clone()));
        }
        let zero = || Expr::num(Q::ZERO, e.ty.clone());
        match &e.kind {
            Kind::Var(_) => Some((Q::ONE, zero())),
            Kind::Unary(Unary::Neg, a) => {
                let (c, rest) = self.linear(a)?;
                Some((-&c, sum(zero(), Sign::Minus, rest)))
            }
            Kind::Sum(parts) => parts.iter().try_fold((Q::ZERO, zero()), |(c, rest), (sign, part)| {
                let (d, other) = self.linear(part)?;
                let c = if *sign == Sign::Plus { &c + &d } else { &c - &d };
                Some((c, sum(rest, *sign, other)))
            }),
            Kind::Nary(Nary::Mul, parts) => {
                let (with, without): (Vec<&Expr>, Vec<&Expr>) =
                    parts.iter().partition(|p| mentions(p, self.v));
                let [with] = with[..] else { return None };
                let factor = without.iter().try_fold(Q::ONE, |product, e| match e.as_constant()? {
                    Value::Num(q) => Some(&product * &q),
                    Value::Bool(_) => None,
                })?;
                let (c, rest) = self.linear(with)?;
                Some((&c * &factor, scaled(rest, &factor)))
            }
            _ => None,
        }
    }

    /// `∃v: e` by test points.
    fn eliminate(&self, e: &Expr, dense: bool) -> Result<Expr, NotKnown> {
        let mut cases = vec![self.at_infinity(e, false)];
        let mut points: Vec<Expr> = Vec::new();
        if dense {
            cases.push(self.at_infinity(e, true));
            let half = Q::from(2).recip();
            for (i, Boundary { at: a, .. }) in self.points.iter().enumerate() {
                points.extend(self.points[i..].iter().map(|Boundary { at: b, .. }| {
                    if a == b { a.clone() } else { scaled(sum(a.clone(), Sign::Plus, b.clone()), &half) }
                }));
            }
        } else {
            // The least values from which on a comparison, or its negation, is true.
            for Boundary { op, at, exact } in &self.points {
                let next = || sum(at.clone(), Sign::Plus, Expr::num(Q::ONE, Type::Int));
                match op {
                    Binary::Gt | Binary::Le => points.push(next()),
                    Binary::Ge | Binary::Lt if *exact => points.push(at.clone()),
                    _ => points.extend([at.clone(), next()]),
                }
            }
        }
        for point in points {
            cases.push(substituted(e.clone(), &[(self.v, &point)])?);
        }
        bounded(any(cases))
    }

    /// The truth value of a comparison for all sufficiently small, or large, values.
    fn at_infinity(&self, e: &Expr, large: bool) -> Expr {
        if !mentions(e, self.v) {
            return e.clone();
        }
        if let Kind::Binary(op, ab) = &e.kind
            && e.ty == Type::Bool
            && ab[0].ty != Type::Bool
        {
            return Expr::bool(match self.solved(*op, &ab[0], &ab[1]).expect("it was collected").op {
                Binary::Lt | Binary::Le => !large,
                Binary::Gt | Binary::Ge => large,
                op => op == Binary::Ne,
            });
        }
        let mut e = e.clone();
        for child in e.children_mut() {
            *child = self.at_infinity(child, large);
        }
        simplified(e)
    }
}

/// `a ± b`
fn sum(a: Expr, sign: Sign, b: Expr) -> Expr {
    let zero = |e: &Expr| matches!(&e.kind, Kind::Num(q) if q.is_zero());
    if zero(&b) {
        return a;
    }
    if zero(&a) && sign == Sign::Plus {
        return b;
    }
    let (ty, span) = (a.ty.clone(), a.span);
    folded(Expr { kind: Kind::Sum(vec![(Sign::Plus, a), (sign, b)]), ty, span })
}

/// The quotient, rounded down.
fn divided(e: Expr, by: &Q) -> Expr {
    let by = Expr::num(by.clone(), Type::Int);
    let span = e.span;
    folded(Expr { kind: Kind::Binary(Binary::Div, Arc::new([e, by])), ty: Type::Int, span })
}

fn scaled(e: Expr, by: &Q) -> Expr {
    let (ty, span) = (e.ty.clone(), e.span);
    let factor = Expr::num(by.clone(), ty.clone());
    folded(Expr { kind: Kind::Nary(Nary::Mul, vec![factor, e]), ty, span })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{self, Kind as Language};
    use crate::system::Op;

    /// Compares the result with an enumeration of all small values.
    #[test]
    fn a_value_exists_where_one_is_found() {
        for condition in [
            "3 * x = 7",
            "2 * x = 4 * x + 1",
            "3 * x = y",
            "2 * x > y and 2 * x < y + 2",
            "5 * x >= y and 5 * x <= y + 2",
            "x mod 4 = 5",
            "x mod 4 = y",
            "(3 * x + y) mod 6 = 2 and x > y",
            "x mod 4 = 1 and x mod 6 = 2",
            "x mod 4 = 1 and x mod 6 = 3 and x < y and x > y - 9",
            "x / 3 = y and x mod 2 = 1",
            "x / 4 + x = y",
            "-2 * x < y and -3 * x > y",
            "not (2 * x /= y) or 7 * x + 1 = y",
            "x mod 3 = 1 iff 2 * x = y",
        ] {
            let text = format!(
                "main process m {{ var x : int var y : int init loc A A -> A {{ assume {condition} }} }}"
            );
            let system = run::load(Language::Cfa, &text).unwrap();
            let Op::Assume(e) = &system.edges[0].op else { panic!("{condition}: it is an assumption") };
            let (x, y) = (system.find_variable("x").unwrap(), system.find_variable("y").unwrap());
            let without = eliminated(x, e.clone(), false).unwrap().unwrap_or_else(|| panic!("{condition}"));
            assert!(!mentions(&without, x), "{condition}");
            let value = |e: &Expr, a: i64, b: i64| {
                e.eval(&|v| {
                    Value::Num(Q::from(if v == x {
                        a
                    } else {
                        assert_eq!(v, y);
                        b
                    }))
                })
                .unwrap()
                    == Value::Bool(true)
            };
            for b in -14..14 {
                let found = (-120..120).any(|a| value(e, a, b));
                assert_eq!(value(&without, 0, b), found, "{condition}, y = {b}");
            }
        }
    }
}
