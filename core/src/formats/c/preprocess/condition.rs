//! Conditions of `#if` and `#elif`: integer constant expressions with numbers of 64 bits (C17 6.10.1 and 6.6).
//!
//! Macros are already replaced, and so is the operator `defined`; identifiers that are left are 0. The parser computes
//! the value while it descends. What is not evaluated (the right of `0 &&`, one side of `? :`) is only parsed: a
//! division by zero there is no error. Invariant: the depth of the recursion is at most that of the nesting, which is
//! limited.

use super::NESTING;
use super::lex::Kind;

type Result<T> = std::result::Result<T, String>;

/// A value of type `intmax_t` or `uintmax_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number {
    bits: u64,
    unsigned: bool,
}

impl Number {
    fn truth(value: bool) -> Number {
        Number { bits: u64::from(value), unsigned: false }
    }

    fn is_true(self) -> bool {
        self.bits != 0
    }

    fn signed(self) -> i64 {
        self.bits.cast_signed()
    }
}

/// Is the expression different from 0?
pub(super) fn evaluate(tokens: &[(Kind, &str)]) -> Result<bool> {
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    if tokens.is_empty() {
        return Err("the condition is missing".to_owned());
    }
    let value = parser.expression(true)?;
    match parser.peek() {
        None => Ok(value.is_true()),
        Some((_, spelling)) => Err(format!("'{spelling}' is not expected in a condition here")),
    }
}

struct Parser<'a> {
    tokens: &'a [(Kind, &'a str)],
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<(Kind, &'a str)> {
        self.tokens.get(self.at).copied()
    }

    /// Consumes a punctuator if it is the next token.
    fn accept(&mut self, punctuator: &str) -> bool {
        let found = self.peek() == Some((Kind::Punctuator, punctuator));
        self.at += usize::from(found);
        found
    }

    /// `conditional {, conditional}`; the comma is allowed only where nothing is evaluated.
    fn expression(&mut self, live: bool) -> Result<Number> {
        let mut value = self.conditional(live)?;
        while self.accept(",") {
            if live {
                return Err("',' is not an operator of a constant expression".to_owned());
            }
            value = self.conditional(live)?;
        }
        Ok(value)
    }

    /// `binary [? expression : conditional]`.
    fn conditional(&mut self, live: bool) -> Result<Number> {
        self.enter()?;
        let mut value = self.binary(1, live)?;
        if self.accept("?") {
            let condition = value.is_true();
            let yes = self.expression(live && condition)?;
            if !self.accept(":") {
                return Err("the '?' of a condition has no ':'".to_owned());
            }
            let no = self.conditional(live && !condition)?;
            let bits = if condition { yes.bits } else { no.bits };
            value = Number { bits, unsigned: yes.unsigned || no.unsigned };
        }
        self.depth -= 1;
        Ok(value)
    }

    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > NESTING {
            return Err(format!("the condition nests deeper than {NESTING} levels"));
        }
        Ok(())
    }

    /// Operators between two operands that bind at least as strongly as `least`; all group to the left.
    fn binary(&mut self, least: u8, live: bool) -> Result<Number> {
        let mut left = self.unary(live)?;
        while let Some((Kind::Punctuator, operator)) = self.peek() {
            let strength = strength(operator);
            if strength < least {
                break;
            }
            self.at += 1;
            let needed = match operator {
                "||" => !left.is_true(),
                "&&" => left.is_true(),
                _ => true,
            };
            self.enter()?;
            let right = self.binary(strength + 1, live && needed)?;
            self.depth -= 1;
            left = apply(operator, left, right, live)?;
        }
        Ok(left)
    }

    /// Operators before an operand.
    fn unary(&mut self, live: bool) -> Result<Number> {
        let start = self.at;
        while ["+", "-", "!", "~"].iter().any(|o| self.accept(o)) {}
        let operators = &self.tokens[start..self.at];
        let mut value = self.primary(live)?;
        for (_, operator) in operators.iter().rev() {
            value = match *operator {
                "!" => Number::truth(!value.is_true()),
                "~" => Number { bits: !value.bits, ..value },
                "-" => {
                    let zero = Number { bits: 0, ..value };
                    arithmetic("-", zero, value, live)?
                }
                _ => value,
            };
        }
        Ok(value)
    }

    fn primary(&mut self, live: bool) -> Result<Number> {
        if self.accept("(") {
            let value = self.expression(live)?;
            return if self.accept(")") {
                Ok(value)
            } else {
                Err("the '(' of a condition has no ')'".to_owned())
            };
        }
        let (kind, spelling) = self.peek().ok_or("the condition ends too early")?;
        self.at += 1;
        match kind {
            Kind::Number => integer(spelling),
            Kind::Character => character(spelling),
            Kind::Identifier => Ok(Number { bits: 0, unsigned: false }),
            _ => Err(format!("'{spelling}' is not expected in a condition here")),
        }
    }
}

/// The precedence of a binary operator; 0 for other tokens.
fn strength(operator: &str) -> u8 {
    match operator {
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | ">" | "<=" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" | "/" | "%" => 10,
        _ => 0,
    }
}

fn apply(operator: &str, left: Number, right: Number, live: bool) -> Result<Number> {
    let unsigned = left.unsigned || right.unsigned;
    let bits = |bits| Ok(Number { bits, unsigned });
    let order = if unsigned { left.bits.cmp(&right.bits) } else { left.signed().cmp(&right.signed()) };
    match operator {
        "||" => Ok(Number::truth(left.is_true() || right.is_true())),
        "&&" => Ok(Number::truth(left.is_true() && right.is_true())),
        "|" => bits(left.bits | right.bits),
        "^" => bits(left.bits ^ right.bits),
        "&" => bits(left.bits & right.bits),
        "==" => Ok(Number::truth(order.is_eq())),
        "!=" => Ok(Number::truth(order.is_ne())),
        "<" => Ok(Number::truth(order.is_lt())),
        ">" => Ok(Number::truth(order.is_gt())),
        "<=" => Ok(Number::truth(order.is_le())),
        ">=" => Ok(Number::truth(order.is_ge())),
        "<<" | ">>" => shift(operator, left, right, live),
        _ => arithmetic(operator, left, right, live),
    }
}

/// `<<` and `>>`; as in GCC, bits that are shifted out are discarded, and the sign is preserved.
fn shift(operator: &str, left: Number, right: Number, live: bool) -> Result<Number> {
    let Some(count) = u32::try_from(right.bits).ok().filter(|n| *n < 64) else {
        return if live { Err("a shift in a condition is not by 0 to 63 bits".to_owned()) } else { Ok(left) };
    };
    let bits = match operator {
        "<<" => left.bits << count,
        _ if left.unsigned => left.bits >> count,
        _ => (left.signed() >> count).cast_unsigned(),
    };
    Ok(Number { bits, ..left })
}

/// `+`, `-`, `*`, `/` and `%`: unsigned numbers wrap around, signed ones must not.
fn arithmetic(operator: &str, left: Number, right: Number, live: bool) -> Result<Number> {
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (i, j) = (left.signed(), right.signed());
    let bits = match (operator, unsigned) {
        _ if !live => Some(0),
        ("/" | "%", _) if b == 0 => return Err("division by zero in a condition".to_owned()),
        ("+", true) => Some(a.wrapping_add(b)),
        ("-", true) => Some(a.wrapping_sub(b)),
        ("*", true) => Some(a.wrapping_mul(b)),
        ("/", true) => Some(a / b),
        (_, true) => Some(a % b),
        ("+", false) => i.checked_add(j).map(i64::cast_unsigned),
        ("-", false) => i.checked_sub(j).map(i64::cast_unsigned),
        ("*", false) => i.checked_mul(j).map(i64::cast_unsigned),
        ("/", false) => i.checked_div(j).map(i64::cast_unsigned),
        (_, false) => i.checked_rem(j).map(i64::cast_unsigned),
    };
    match bits {
        Some(bits) => Ok(Number { bits, unsigned }),
        None => Err("a signed number of 64 bits overflows in a condition".to_owned()),
    }
}

/// An integer constant (C17 6.4.4.1), and binary ones as in GCC.
fn integer(spelling: &str) -> Result<Number> {
    let wrong = || format!("'{spelling}' is not an integer constant");
    let lower = spelling.to_ascii_lowercase();
    let (base, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', ..] => (8, &lower[..]),
        _ => (10, &lower[..]),
    };
    let end = digits.find(|c: char| !c.is_digit(base)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let suffixes = ["", "u", "l", "ul", "lu", "ll", "ull", "llu"];
    if digits.is_empty() || !suffixes.contains(&suffix) || spelling.contains("lL") || spelling.contains("Ll")
    {
        return Err(wrong());
    }
    let bits = u64::from_str_radix(digits, base);
    let bits = bits.map_err(|_| format!("'{spelling}' does not fit 64 bits"))?;
    Ok(Number { bits, unsigned: suffix.contains('u') || bits > i64::MAX.cast_unsigned() })
}

/// A character constant (C17 6.4.4.4); `char` is signed, and several characters are one number, as in GCC.
fn character(spelling: &str) -> Result<Number> {
    let (prefix, rest) = spelling.split_at(spelling.find('\'').unwrap_or(0));
    let mut rest = rest.strip_prefix('\'').and_then(|r| r.strip_suffix('\'')).unwrap_or("");
    let mut codes = Vec::new();
    while let Some(code) = code(&mut rest, !prefix.is_empty()) {
        match code {
            Some(Code::Byte(byte)) => codes.push(byte),
            Some(Code::Scalar(c)) if prefix.is_empty() => {
                codes.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
            }
            Some(Code::Scalar(c)) => codes.push(u32::from(c)),
            None => return Err(format!("{spelling} has an escape sequence that is not known or too large")),
        }
    }
    let value = match (prefix, &codes[..]) {
        (_, []) => return Err("a character constant is empty".to_owned()),
        ("", [byte]) => i64::from((byte & 0xff).to_le_bytes()[0].cast_signed()),
        ("", bytes) if bytes.len() <= 4 => {
            i64::from(bytes.iter().fold(0, |sum, byte| sum << 8 | byte).cast_signed())
        }
        ("L", [c]) => i64::from(c.cast_signed()),
        ("u", [c]) if *c > 0xffff => return Err(format!("{spelling} does not fit 16 bits")),
        ("u" | "U", [c]) => i64::from(*c),
        _ => return Err(format!("{spelling} has too many characters")),
    };
    Ok(Number { bits: value.cast_unsigned(), unsigned: matches!(prefix, "u" | "U") })
}

/// An element of a character constant.
enum Code {
    /// The value of an octal or hexadecimal escape sequence.
    Byte(u32),
    Scalar(char),
}

/// The next element, which is removed from `rest`; `Some(None)` if it is wrong.
fn code(rest: &mut &str, wide: bool) -> Option<Option<Code>> {
    let mut chars = rest.chars();
    let first = chars.next()?;
    *rest = chars.as_str();
    if first != '\\' {
        return Some(Some(Code::Scalar(first)));
    }
    let escape = chars.next();
    let after = chars.as_str();
    let (base, longest, digits) = match escape {
        Some('x') => (16, usize::MAX, after),
        Some('u') => (16, 4, after),
        Some('U') => (16, 8, after),
        Some('0'..='7') => (8, 3, *rest),
        _ => {
            *rest = after;
            let simple = escape.and_then(|c| "abfnrtve\\'\"?".find(c));
            let value = simple.map(|i| b"\x07\x08\x0c\n\r\t\x0b\x1b\\'\"?"[i]);
            return Some(value.map(|b| Code::Scalar(char::from(b))));
        }
    };
    let length = digits.bytes().take_while(|b| char::from(*b).is_digit(base)).count().min(longest);
    *rest = &digits[length..];
    let value = u32::from_str_radix(&digits[..length], base).ok();
    Some(match escape {
        Some('u' | 'U') => value.filter(|_| length == longest).and_then(char::from_u32).map(Code::Scalar),
        _ => value.filter(|v| wide || *v <= 0xff).map(Code::Byte),
    })
}
