//! Operators on values: arithmetic, comparisons, and the bitwise operators that stay linear.

use std::sync::Arc;

use lang_c::ast::BinaryOperator as B;
use solver_lite::number::Q;

use super::Program;
use super::types::{CType, INT, Value, binary, modulo, negated, number, product, sum};
use crate::diagnostic::Span;
use crate::expr::{Binary, Expr, Kind, Nary, Sign, Type, power_of_two};

/// The limit on parts of a dividend: its quotient contains them three times.
const PARTS: usize = 10_000;

impl Program<'_> {
    /// The value of an operator without side effects.
    pub(super) fn arithmetic(&mut self, op: B, left: &Value, right: &Value, span: Span) -> Option<Value> {
        if let Some(relation) = relation(&op) {
            return Some(compare(relation, left, right, span));
        }
        let both_bool = left.expr.ty == Type::Bool && right.expr.ty == Type::Bool;
        if let (true, Some(kind)) = (both_bool, truth_operator(&op, left, right)) {
            return Some(Value::truth(Expr { kind, ty: Type::Bool, span }));
        }
        let shift = matches!(op, B::ShiftLeft | B::ShiftRight);
        let ty = if shift { left.ty.promoted() } else { left.ty.common(&right.ty) };
        let CType::Int { bits, signed } = ty else { return None };
        let value = |e: Expr, wrapped: bool| Value { wrapped, ..Value::new(e.at(span), ty.clone()) };
        // Sums and products are unchanged modulo 2^n if their operands have not been wrapped around yet.
        let lazy = |v: &Value| if !signed && v.ty == ty { v.number() } else { v.converted(&ty) };
        let (a, b) = (left.converted(&ty), right.converted(&ty));
        let known = |e: &Expr| match &e.kind {
            Kind::Num(q) => Some(q.clone()),
            _ => None,
        };
        let grows = matches!(op, B::Plus | B::Minus | B::Multiply | B::ShiftLeft);
        let result = match op {
            B::Plus => value(sum(lazy(left), Sign::Plus, lazy(right)), signed),
            B::Minus => value(sum(lazy(left), Sign::Minus, lazy(right)), signed),
            B::Multiply => value(product(lazy(left), lazy(right)), signed),
            B::Divide | B::Modulo => value(self.divided(&op, (a, b), &ty, span)?, true),
            B::ShiftLeft | B::ShiftRight => {
                let n = known(&right.exact())
                    .and_then(|q| q.to_string().parse::<u32>().ok())
                    .filter(|n| *n < bits);
                let Some(n) = n else {
                    return self
                        .unsupported(span, "shifts are supported only by constants less than the width");
                };
                let factor = Expr::num(power_of_two(n), Type::Int);
                if signed && op == B::ShiftLeft {
                    // Undefined for negative numbers (C17, 6.5.7).
                    let not_negative = Value::truth(Expr::compare(Binary::Ge, a.clone(), number(0)));
                    self.promise(not_negative.expr, None);
                }
                match op {
                    B::ShiftLeft => value(product(a, factor), signed),
                    _ => value(binary(Binary::Div, a, factor), true),
                }
            }
            B::BitwiseAnd | B::BitwiseOr | B::BitwiseXor => {
                let e = bitwise(&op, (a.clone(), known(&a)), (b.clone(), known(&b)));
                match e {
                    Some(e) => value(e, true),
                    None => {
                        let what =
                            "bitwise operators are supported only on constants and with masks of low bits";
                        return self.unsupported(span, what);
                    }
                }
            }
            _ => return self.unsupported(span, "this operator is not supported"),
        };
        if signed && grows {
            self.promise_range(&result.expr, ty.range());
        }
        Some(result)
    }

    /// A quotient or a remainder. The remainder is undefined where the quotient is (C17, 6.5.5).
    fn divided(&mut self, op: &B, (a, b): (Expr, Expr), ty: &CType, span: Span) -> Option<Expr> {
        let mut parts = 0;
        a.visit(&mut |_| parts += 1);
        if parts > PARTS {
            let message = format!(
                "a dividend with more than {PARTS} parts is not supported; assign it to a variable first"
            );
            return self.unsupported(span, message);
        }
        let signed = matches!(ty, CType::Int { signed: true, .. });
        let divisor = if let Kind::Num(q) = &b.kind { Some(q.clone()) } else { None };
        if divisor.as_ref().is_some_and(Q::is_zero) {
            self.promise(Expr::bool(false), None);
            return Some(number(0));
        }
        // Division by a constant zero is undefined behaviour, but not an error.
        let b = if divisor.is_none() {
            let zero = Expr::compare(Binary::Eq, b.clone(), number(0));
            self.promise(zero.clone().negated(), None);
            Expr::ite(zero, number(1), b)
        } else {
            b
        };
        let all = Value::new(quotient(a.clone(), b.clone(), signed), ty.clone()).expr;
        if signed && divisor.is_none_or(|q| q == -Q::ONE) {
            self.promise_range(&all, ty.range());
        }
        Some(match op {
            B::Divide => all,
            _ => binary(if signed { Binary::Rem } else { Binary::Mod }, a, b),
        })
    }
}

fn relation(op: &B) -> Option<Binary> {
    Some(match op {
        B::Less => Binary::Lt,
        B::Greater => Binary::Gt,
        B::LessOrEqual => Binary::Le,
        B::GreaterOrEqual => Binary::Ge,
        B::Equals => Binary::Eq,
        B::NotEquals => Binary::Ne,
        _ => return None,
    })
}

fn compare(relation: Binary, left: &Value, right: &Value, span: Span) -> Value {
    let bools = left.expr.ty == Type::Bool && right.expr.ty == Type::Bool;
    // A truth value compared with 0 or 1 is itself, or its negation.
    for (value, other) in [(left, right), (right, left)] {
        let bit = match &other.expr.kind {
            Kind::Num(q) if q.is_zero() => Some(false),
            Kind::Num(q) if *q == Q::ONE => Some(true),
            _ => None,
        };
        if let (Type::Bool, Some(bit), Binary::Eq | Binary::Ne) = (&value.expr.ty, bit, relation) {
            let itself = bit == (relation == Binary::Eq);
            let e = value.expr.clone();
            return Value::truth(if itself { e } else { e.negated() }.at(span));
        }
    }
    if bools && matches!(relation, Binary::Eq | Binary::Ne) {
        let op = if relation == Binary::Eq { Binary::Iff } else { Binary::Xor };
        return Value::truth(Expr::compare(op, left.expr.clone(), right.expr.clone()).at(span));
    }
    let ty = left.ty.common(&right.ty);
    Value::truth(Expr::compare(relation, left.converted(&ty), right.converted(&ty)).at(span))
}

/// `&`, `|`, `^` of truth values.
fn truth_operator(op: &B, left: &Value, right: &Value) -> Option<Kind> {
    let parts = || vec![left.expr.clone(), right.expr.clone()];
    Some(match op {
        B::BitwiseAnd => Kind::Nary(Nary::And, parts()),
        B::BitwiseOr => Kind::Nary(Nary::Or, parts()),
        B::BitwiseXor => Kind::Binary(Binary::Xor, Arc::new([left.expr.clone(), right.expr.clone()])),
        _ => return None,
    })
}

/// `a / b`, truncated towards zero.
fn quotient(a: Expr, b: Expr, signed: bool) -> Expr {
    let negative = |e: &Expr| matches!(&e.kind, Kind::Num(q) if q.is_negative());
    if !signed {
        return binary(Binary::Div, a, b);
    }
    if negative(&b) {
        let positive = Value::new(negated(b), INT).expr;
        return negated(quotient(a, positive, true));
    }
    let up = binary(Binary::Div, a.clone(), b.clone());
    if matches!(a.kind, Kind::Num(_)) && !negative(&a) {
        return up;
    }
    let down = negated(binary(Binary::Div, negated(a.clone()), b));
    Expr::ite(Expr::compare(Binary::Ge, a, number(0)), up, down)
}

/// Bitwise operators on numbers: of two constants, and `x & (2^n - 1)`.
fn bitwise(op: &B, (a, x): (Expr, Option<Q>), (b, y): (Expr, Option<Q>)) -> Option<Expr> {
    let word = |q: &Q| q.to_string().parse::<i128>().ok();
    if let (Some(x), Some(y)) = (&x, &y) {
        let (x, y) = (word(x)?, word(y)?);
        let bits = match op {
            B::BitwiseAnd => x & y,
            B::BitwiseOr => x | y,
            _ => x ^ y,
        };
        return Some(Expr::num(bits.to_string().parse().ok()?, Type::Int));
    }
    let mask = x.as_ref().or(y.as_ref()).and_then(word)?;
    let other = if y.is_some() { a } else { b };
    match op {
        B::BitwiseAnd if mask == 0 => Some(number(0)),
        B::BitwiseAnd if mask > 0 && (mask + 1).cast_unsigned().is_power_of_two() => {
            Some(modulo(other, mask.trailing_ones()))
        }
        B::BitwiseOr | B::BitwiseXor if mask == 0 => Some(other),
        _ => None,
    }
}
