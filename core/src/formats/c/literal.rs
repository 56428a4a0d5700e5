//! Numbers and characters as they are written.

use lang_c::ast::{Constant, Integer, IntegerBase, IntegerSize};
use solver_lite::number::Q;

use super::Program;
use super::types::{CType, INT, Value, number};
use crate::diagnostic::Span;
use crate::expr::{Expr, Type};

impl Program<'_> {
    /// The value of a number or a character.
    pub(super) fn literal(&mut self, c: &Constant, span: Span) -> Option<Value> {
        match c {
            Constant::Integer(i) => integer(i, span).or_else(|| self.error(span, "this number is too large")),
            Constant::Character(text) => {
                let inner = text.trim_start_matches('L').trim_matches('\'');
                let code = match inner.strip_prefix('\\') {
                    None if inner.chars().count() == 1 => {
                        inner.chars().next().map(|c| i64::from(u32::from(c)))
                    }
                    None => None,
                    Some("n") => Some(10),
                    Some("t") => Some(9),
                    Some("0") => Some(0),
                    Some(escaped @ ("\\" | "'" | "\"")) => {
                        escaped.chars().next().map(|c| i64::from(u32::from(c)))
                    }
                    Some(_) => None,
                };
                match code {
                    Some(code) => Some(Value::new(number(code).at(span), INT)),
                    None => self.unsupported(span, "this character is not supported"),
                }
            }
            Constant::Float(_) => self.unsupported(span, "floating point is not supported"),
        }
    }
}

/// The first type that a number fits into (C11, 6.4.4.1).
fn integer(i: &Integer, span: Span) -> Option<Value> {
    let radix = match i.base {
        IntegerBase::Decimal => 10,
        IntegerBase::Octal => 8,
        IntegerBase::Hexadecimal => 16,
        IntegerBase::Binary => 2,
    };
    let digits = i.number.trim_start_matches('0');
    let value = if digits.is_empty() { 0 } else { u64::from_str_radix(digits, radix).ok()? };
    let value: Q = value.to_string().parse().ok()?;
    let decimal = i.base == IntegerBase::Decimal;
    let types = [(32, true), (32, false), (64, true), (64, false)];
    let fits = |(bits, signed): &(u32, bool)| {
        let wide = *bits == 64 || i.suffix.size != IntegerSize::LongLong;
        let sign = if i.suffix.unsigned { !signed } else { *signed || !decimal };
        wide && sign && value <= CType::Int { bits: *bits, signed: *signed }.range().1
    };
    let (bits, signed) = types.into_iter().find(fits).unwrap_or((64, false));
    Some(Value::new(Expr::num(value, Type::Int).at(span), CType::Int { bits, signed }))
}
