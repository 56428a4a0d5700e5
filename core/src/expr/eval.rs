//! The exact value of an expression in a state. Independent of terms, because certificates are checked with it.

use std::fmt;

use solver_lite::number::Q;
use solver_lite::term::Value;

use crate::expr::{Binary, Expr, Kind, Nary, Sign, Type, Unary, VarId, bits};

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// A division, `mod` or `rem` by zero, which is undefined.
    DivisionByZero,
    /// A product with more than [`Q::BITS`] bits.
    TooLarge,
    /// A number outside of the range of its type, where the source language leaves the result undefined.
    Overflow,
    /// An array that has not been split into cells.
    Array,
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EvalError::DivisionByZero => "division by zero",
            EvalError::TooLarge => "a number is too large",
            EvalError::Overflow => "a signed number overflows",
            EvalError::Array => "an array as a whole has no value here",
        })
    }
}

impl Expr {
    /// The value, where `of` gives the values of variables.
    ///
    /// # Errors
    /// On division by zero.
    pub fn eval(&self, of: &dyn Fn(VarId) -> Value) -> Result<Value, EvalError> {
        let value = self.eval_known(&|v| Some(of(v)))?;
        Ok(value.expect("every variable has a value"))
    }

    /// The value, where `of` gives the values of some variables; `None` if it depends on others.
    ///
    /// # Errors
    /// On division by zero.
    pub fn eval_known(&self, of: &dyn Fn(VarId) -> Option<Value>) -> Result<Option<Value>, EvalError> {
        Ok(Some(match &self.kind {
            Kind::Bool(b) => Value::Bool(*b),
            Kind::Num(q) => Value::Num(q.clone()),
            Kind::Var(_) if self.ty.is_array() => return Err(EvalError::Array),
            Kind::Var(v) => return Ok(of(*v)),
            Kind::Unary(op, a) => match a.eval_known(of)? {
                Some(value) => unary(*op, &value, &a.ty),
                None => return Ok(None),
            },
            Kind::Binary(op, ab) => return binary(*op, ab, of),
            Kind::Nary(Nary::And, all) => return junction(false, all, of),
            Kind::Nary(Nary::Or, all) => return junction(true, all, of),
            Kind::Nary(op, all) => return nary(*op, all, of),
            Kind::Sum(all) => {
                let mut total = Q::ZERO;
                for (sign, e) in all {
                    let Some(value) = e.eval_known(of)? else { return Ok(None) };
                    match sign {
                        Sign::Plus => total += value.num(),
                        Sign::Minus => total -= value.num(),
                    }
                }
                Value::Num(match self.ty {
                    Type::Bv(n) => total.rem_euclid(&bits::power(n)),
                    _ => total,
                })
            }
            Kind::Ite(abc) => match abc[0].eval_known(of)? {
                Some(condition) => return abc[if condition.bool() { 1 } else { 2 }].eval_known(of),
                None => match (abc[1].eval_known(of)?, abc[2].eval_known(of)?) {
                    (Some(a), Some(b)) if a == b => a,
                    _ => return Ok(None),
                },
            },
            Kind::Read(_) | Kind::Write(_) | Kind::Array(..) => return Err(EvalError::Array),
        }))
    }

    /// The value of an expression without variables.
    #[must_use]
    pub fn as_constant(&self) -> Option<Value> {
        if !self.variables().is_empty() {
            return None;
        }
        self.eval(&|v| panic!("{v} in a closed expression")).ok()
    }
}

fn unary(op: Unary, a: &Value, ty: &Type) -> Value {
    let word = |f: &dyn Fn(u64, u32) -> u64| {
        let n = bits::width(ty);
        Value::Num(bits::to_q(f(bits::from_q(a.num()), n)))
    };
    match op {
        Unary::Not => Value::Bool(!a.bool()),
        Unary::Neg => Value::Num(-a.num()),
        Unary::ToRat | Unary::ZeroExtend(_) => a.clone(),
        Unary::BvNeg => word(&|v, n| v.wrapping_neg() & bits::mask(n)),
        Unary::BvNot => word(&|v, n| !v & bits::mask(n)),
        Unary::SignExtend(to) => word(&|v, n| bits::signed(v, n).cast_unsigned() & bits::mask(to)),
        Unary::Extract { until, from } => word(&|v, _| (v >> from) & bits::mask(until - from)),
    }
}

/// A disjunction (`decisive` is true) or conjunction with short-circuit evaluation: operands after a decisive one are
/// not evaluated.
fn junction(
    decisive: bool,
    all: &[Expr],
    of: &dyn Fn(VarId) -> Option<Value>,
) -> Result<Option<Value>, EvalError> {
    let mut open = false;
    for e in all {
        match e.eval_known(of)? {
            Some(value) if value.bool() == decisive => return Ok(Some(value)),
            Some(_) => {}
            None => open = true,
        }
    }
    Ok((!open).then_some(Value::Bool(!decisive)))
}

fn binary(
    op: Binary,
    ab: &[Expr; 2],
    of: &dyn Fn(VarId) -> Option<Value>,
) -> Result<Option<Value>, EvalError> {
    if ab[0].ty.is_array() {
        return Err(EvalError::Array);
    }
    let a = ab[0].eval_known(of)?;
    // Short-circuit evaluation, as for `and`.
    if op == Binary::Imply && a == Some(Value::Bool(false)) {
        return Ok(Some(Value::Bool(true)));
    }
    let b = ab[1].eval_known(of)?;
    if op == Binary::Imply && b == Some(Value::Bool(true)) {
        return Ok(b);
    }
    let (Some(a), Some(b)) = (a, b) else { return Ok(None) };
    let words = || (bits::from_q(a.num()), bits::from_q(b.num()), bits::width(&ab[0].ty));
    Ok(Some(match op {
        Binary::Iff | Binary::Eq => Value::Bool(a == b),
        Binary::Imply => b,
        Binary::Xor | Binary::Ne => Value::Bool(a != b),
        Binary::Lt => Value::Bool(a.num() < b.num()),
        Binary::Le => Value::Bool(a.num() <= b.num()),
        Binary::Gt => Value::Bool(a.num() > b.num()),
        Binary::Ge => Value::Bool(a.num() >= b.num()),
        Binary::Div | Binary::Mod | Binary::Rem if b.num().is_zero() => {
            return Err(EvalError::DivisionByZero);
        }
        Binary::Div if ab[0].ty == Type::Rat && a.num().product_is_too_large(b.num()) => {
            return Err(EvalError::TooLarge);
        }
        Binary::Div if ab[0].ty == Type::Rat => Value::Num(a.num() / b.num()),
        Binary::Div => Value::Num(a.num().div_euclid(b.num())),
        Binary::Mod => Value::Num(a.num().rem_euclid(b.num())),
        Binary::Rem => {
            let size = a.num().abs().rem_euclid(b.num());
            Value::Num(if a.num().is_negative() { -size } else { size })
        }
        Binary::BvCompare(op) => {
            let (a, b, n) = words();
            Value::Bool(bits::compare(op, a, b, n))
        }
        Binary::Bv(op) => {
            let (a, b, n) = words();
            Value::Num(bits::to_q(bits::binary(op, a, b, n)))
        }
    }))
}

fn nary(op: Nary, all: &[Expr], of: &dyn Fn(VarId) -> Option<Value>) -> Result<Option<Value>, EvalError> {
    let mut values = Vec::with_capacity(all.len());
    for e in all {
        match e.eval_known(of)? {
            // A product with a zero factor is zero.
            Some(value) if op == Nary::Mul && value.num().is_zero() => return Ok(Some(value)),
            Some(value) => values.push(value),
            None if op == Nary::Mul => {}
            None => return Ok(None),
        }
    }
    if values.len() < all.len() {
        return Ok(None);
    }
    let mut total = values[0].num().clone();
    for (e, value) in all[1..].iter().zip(&values[1..]) {
        let n = value.num();
        let words = || (bits::from_q(&total), bits::from_q(n));
        total = match op {
            Nary::And | Nary::Or => unreachable!("junctions"),
            Nary::Mul if total.product_is_too_large(n) => return Err(EvalError::TooLarge),
            Nary::Mul => &total * n,
            Nary::BvMul => (&total * n).rem_euclid(&bits::power(bits::width(&e.ty))),
            Nary::BvAnd => bits::to_q(words().0 & words().1),
            Nary::BvOr => bits::to_q(words().0 | words().1),
            Nary::BvXor => bits::to_q(words().0 ^ words().1),
            Nary::Concat => &total * &bits::power(bits::width(&e.ty)) + n.clone(),
        };
    }
    Ok(Some(Value::Num(total)))
}
