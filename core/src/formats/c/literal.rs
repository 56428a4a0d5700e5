//! Numeric and character constants.

use lang_c::ast::{Constant, Integer, IntegerBase, IntegerSize};
use solver_lite::number::Q;

use super::Program;
use super::types::{CType, INT, Value, number};
use crate::diagnostic::Span;
use crate::expr::{Expr, Type};

impl Program<'_> {
    /// The value of a numeric or character constant.
    pub(super) fn literal(&mut self, c: &Constant, span: Span) -> Option<Value> {
        match c {
            Constant::Integer(i) => {
                integer(i, self.model.long(), span).or_else(|| self.error(span, "this number is too large"))
            }
            Constant::Character(text) => {
                // Wide characters have type `int`, not signed `char`.
                let (wide, quoted) =
                    text.strip_prefix('L').map_or((false, text.as_str()), |rest| (true, rest));
                let inner = quoted.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
                match inner.and_then(character) {
                    Some(code) if wide => Some(Value::new(number(code.rem_euclid(256)).at(span), INT)),
                    Some(code) => Some(Value::new(number(code).at(span), INT)),
                    None => self.unsupported(span, "this character is not supported"),
                }
            }
            Constant::Float(_) => self.unsupported(span, "floating point is not supported"),
        }
    }
}

/// The value of a character constant, as a signed `char`.
fn character(inner: &str) -> Option<i64> {
    let Some(escaped) = inner.strip_prefix('\\') else {
        let [code] = inner.as_bytes() else { return None };
        return code.is_ascii().then_some(i64::from(*code));
    };
    let code = match escaped {
        "a" => 7,
        "b" => 8,
        "t" => 9,
        "n" => 10,
        "v" => 11,
        "f" => 12,
        "r" => 13,
        "\\" | "'" | "\"" | "?" => escaped.as_bytes()[0],
        _ => {
            let (digits, radix) = match escaped.strip_prefix('x') {
                Some(digits) => (digits, 16),
                None if escaped.len() <= 3 => (escaped, 8),
                None => return None,
            };
            u8::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with('+'))?
        }
    };
    Some(i64::from(code.cast_signed()))
}

/// The first type that can represent a number (C17, 6.4.4.1).
pub(super) fn integer(i: &Integer, long: u32, span: Span) -> Option<Value> {
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
        let wide = match i.suffix.size {
            IntegerSize::Int => true,
            IntegerSize::Long => *bits >= long,
            IntegerSize::LongLong => *bits == 64,
        };
        let sign = if i.suffix.unsigned { !signed } else { *signed || !decimal };
        wide && sign && value <= CType::Int { bits: *bits, signed: *signed }.range().1
    };
    let (bits, signed) = types.into_iter().find(fits)?;
    Some(Value::new(Expr::num(value, Type::Int).at(span), CType::Int { bits, signed }))
}
