//! Format strings of `printf` (C17, 7.21.6.1): behaviour is undefined if an argument is missing, or its type does not
//! match its conversion.

use lang_c::ast::{DerivedDeclarator, Expression};
use lang_c::span::Node;

use super::operators::{has_fraction, is_text};
use super::types::{CType, DataModel, INT};
use super::{Entity, Program};
use crate::diagnostic::Span;

/// The argument type of a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Printed {
    /// An integer of this width, after promotion.
    Integer(u32),
    Fraction,
    Text,
    Pointer,
}

/// Names of format strings.
const TEXTS: [&str; 3] = ["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"];

impl Program<'_> {
    /// Rejects format strings that are not known to match the other arguments, whose types are given if they are
    /// supported.
    pub(super) fn check_format(
        &mut self,
        arguments: &[Node<Expression>],
        types: &[Option<CType>],
        span: Span,
    ) -> Option<()> {
        let mut types = types.to_vec();
        for (e, ty) in arguments.iter().zip(&mut types).skip(1).filter(|(_, ty)| ty.is_none()) {
            *ty = self.number_type(e);
        }
        for format in texts(&arguments[0]) {
            let fits = |(printed, (e, ty)): (Printed, (&Node<Expression>, &Option<CType>))| {
                is_printed(e, ty.as_ref(), printed)
            };
            let given = || arguments.iter().zip(&types).skip(1);
            let fits =
                |all: Vec<Printed>| all.len() <= given().len() && all.into_iter().zip(given()).all(fits);
            if !conversions(&format, self.model).is_some_and(fits) {
                let message =
                    "a format that does not match the arguments of 'printf', or is unknown, is not supported";
                return self.unsupported(span, message);
            }
        }
        Some(())
    }

    /// The type of an expression on integers after promotion, even if its operators are not supported.
    fn number_type(&mut self, e: &Node<Expression>) -> Option<CType> {
        use lang_c::ast::{BinaryOperator as B, Constant, UnaryOperator as U};
        let ty = match &e.node {
            Expression::Identifier(id) if id.node.name == "errno" => INT,
            Expression::Identifier(id) => match self.lookup(&id.node.name)? {
                Entity::Variable(_, ty @ (CType::Int { .. } | CType::Bool)) => ty,
                Entity::Constant(_) => INT,
                _ => return None,
            },
            Expression::Constant(c) => match &c.node {
                Constant::Integer(i) => super::literal::integer(i, self.model.long(), Span::default())?.ty,
                Constant::Character(_) => INT,
                Constant::Float(_) => return None,
            },
            Expression::Cast(c) => {
                let reported = self.out.len();
                let ty = self.named_type(&c.node.type_name);
                self.out.truncate(reported);
                ty.filter(|ty| matches!(ty, CType::Int { .. } | CType::Bool))?
            }
            Expression::UnaryOperator(u) => match u.node.operator.node {
                U::Negate => INT,
                U::Plus | U::Minus | U::Complement => self.number_type(&u.node.operand)?,
                _ => return None,
            },
            Expression::BinaryOperator(b) => match b.node.operator.node {
                B::BitwiseAnd | B::BitwiseOr | B::BitwiseXor => {
                    self.number_type(&b.node.lhs)?.common(&self.number_type(&b.node.rhs)?)
                }
                B::Less | B::Greater | B::LessOrEqual | B::GreaterOrEqual | B::Equals | B::NotEquals => INT,
                _ => return None,
            },
            Expression::Conditional(c) => {
                self.number_type(&c.node.then_expression)?.common(&self.number_type(&c.node.else_expression)?)
            }
            _ => return None,
        };
        Some(ty.promoted())
    }
}

/// Does the type of an argument match a conversion? An unsupported type is not an integer.
fn is_printed(e: &Node<Expression>, ty: Option<&CType>, printed: Printed) -> bool {
    match (printed, ty, &e.node) {
        (Printed::Integer(bits), Some(CType::Int { bits: has, .. }), _) => *has == bits,
        (Printed::Fraction, None, _) => has_fraction(e),
        (Printed::Text, None, Expression::Identifier(id)) => TEXTS.contains(&id.node.name.as_str()),
        (Printed::Text, None, _) => is_text(e),
        (Printed::Pointer, None, Expression::Identifier(id)) => id.node.name == "NULL",
        (Printed::Pointer, None, Expression::Cast(c)) => {
            let declarator = c.node.type_name.node.declarator.as_ref();
            let derived = declarator.and_then(|d| d.node.derived.first());
            derived.is_some_and(|d| matches!(d.node, DerivedDeclarator::Pointer(_)))
        }
        _ => false,
    }
}

/// The possible values of a format string, as written.
fn texts(e: &Node<Expression>) -> Vec<String> {
    match &e.node {
        Expression::StringLiteral(s) => vec![s.node.concat()],
        Expression::Conditional(c) => {
            [texts(&c.node.then_expression), texts(&c.node.else_expression)].concat()
        }
        _ => Vec::new(),
    }
}

/// Does a string contain a `%` in the form of an escape sequence?
fn hides_percent(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('\\') {
        let (digits, base) = match after.strip_prefix('x') {
            Some(digits) => (digits.split(|c: char| !c.is_ascii_hexdigit()).next(), 16),
            None => (
                after.get(..3).or(Some(after)).and_then(|d| d.split(|c| !('0'..='7').contains(&c)).next()),
                8,
            ),
        };
        if digits.is_some_and(|d| u32::from_str_radix(d, base) == Ok(0x25)) {
            return true;
        }
        let mut chars = after.chars();
        chars.next();
        rest = chars.as_str();
    }
    false
}

/// The conversions of a format string, in order; none if one is unknown.
fn conversions(format: &str, model: DataModel) -> Option<Vec<Printed>> {
    if hides_percent(format) {
        return None;
    }
    // Adjacent string literals are concatenated.
    let format = format.replace("\"\"", "");
    let mut all = Vec::new();
    let mut rest = format.as_str();
    while let Some((_, after)) = rest.split_once('%') {
        let parts = |text: &'_ str, of: &[char]| text.len() - text.trim_start_matches(of).len();
        let digits = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
        let mut at = parts(after, &['-', '+', ' ', '#', '0']);
        let flags = &after[..at];
        let mut number = |at: &mut usize| {
            if after[*at..].starts_with('*') {
                all.push(Printed::Integer(32));
                *at += 1;
            } else {
                *at += parts(&after[*at..], &digits);
            }
        };
        number(&mut at);
        let precise = after[at..].starts_with('.');
        if precise {
            at += 1;
            number(&mut at);
        }
        let plain = at == 0;
        let length = &after[at..at + parts(&after[at..], &['h', 'l', 'j', 'z', 't'])];
        let letter = after[at + length.len()..].chars().next()?;
        rest = &after[at + length.len() + letter.len_utf8()..];
        let bits = match length {
            "" | "h" | "hh" => 32,
            "l" | "z" | "t" => model.long(),
            "ll" | "j" => 64,
            _ => return None,
        };
        let (alternative, zeros) = (flags.contains('#'), flags.contains('0'));
        all.push(match (letter, length) {
            ('%', "") if plain => continue,
            ('d' | 'i' | 'u', _) if !alternative => Printed::Integer(bits),
            ('o' | 'x' | 'X', _) => Printed::Integer(bits),
            ('c', "") if !alternative && !zeros && !precise => Printed::Integer(32),
            ('e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'a' | 'A', "" | "l") => Printed::Fraction,
            ('s', "") if !alternative && !zeros => Printed::Text,
            ('p', "") if !alternative && !zeros && !precise => Printed::Pointer,
            _ => return None,
        });
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_read() {
        let of = |format| conversions(format, DataModel::Lp64);
        let (int, long) = (Printed::Integer(32), Printed::Integer(64));
        assert_eq!(of("\"100 %% of %d and %-5.3hd\\n\""), Some(vec![int, int]));
        assert_eq!(of("\"%\"\"ld\" \"%zu %lld\""), Some(vec![long, long, long]));
        assert_eq!(conversions("\"%ld\"", DataModel::Ilp32), Some(vec![int]));
        assert_eq!(
            of("\"%s%c%p%5.2f\""),
            Some(vec![Printed::Text, int, Printed::Pointer, Printed::Fraction])
        );
        assert_eq!(of("\"\\\\x25 %*d %#x\""), Some(vec![int, int, int]));
        for unknown in [
            "\"%n\"",
            "\"%#d\"",
            "\"%5%\"",
            "\"\\x025s\"",
            "\"%.2c\"",
            "\"%0s\"",
            "\"%\"",
            "\"%Lf\"",
            "\"\\x25s\"",
            "\"%ls\"",
        ] {
            assert_eq!(of(unknown), None, "{unknown}");
        }
    }
}
