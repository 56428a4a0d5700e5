//! Formats of `printf` (C17, 7.21.6.1): what happens is undefined if a value is missing, or of another type than its conversion.

use lang_c::ast::{DerivedDeclarator, Expression};
use lang_c::span::Node;

use super::Program;
use super::operators::{has_fraction, is_text};
use super::types::{CType, DataModel};
use crate::diagnostic::Span;

/// What a conversion prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Printed {
    /// An integer of so many bits, after promotion.
    Integer(u32),
    Fraction,
    Text,
    Pointer,
}

/// Names of texts.
const TEXTS: [&str; 3] = ["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"];

impl Program<'_> {
    /// Refuses formats that are not known to fit the other arguments, of which the types are given where they are supported.
    pub(super) fn check_format(
        &mut self,
        arguments: &[Node<Expression>],
        types: &[Option<CType>],
        span: Span,
    ) -> Option<()> {
        for format in texts(&arguments[0]) {
            let fits = |all: Vec<Printed>| {
                let fits = |(i, printed): (usize, Printed)| {
                    arguments.get(i + 1).is_some_and(|e| is_printed(e, types[i + 1].as_ref(), printed))
                };
                all.into_iter().enumerate().all(fits)
            };
            if !conversions(&format, self.model).is_some_and(fits) {
                let message = "a format that does not fit the arguments of 'printf', or is not known here, is not supported";
                return self.unsupported(span, message);
            }
        }
        Some(())
    }
}

/// Has an argument the type that a conversion needs?
fn is_printed(e: &Node<Expression>, ty: Option<&CType>, printed: Printed) -> bool {
    match (printed, ty, &e.node) {
        (Printed::Integer(bits), Some(CType::Int { bits: has, .. }), _) => *has == bits,
        // What has no type here cannot be undefined: an operator on numbers, or something that is no number.
        (Printed::Integer(bits), None, Expression::BinaryOperator(_) | Expression::UnaryOperator(_)) => {
            bits == 32 && !has_fraction(e)
        }
        (Printed::Integer(32), None, Expression::Identifier(id)) => id.node.name == "errno",
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

/// The texts that a format may be, as they are written.
fn texts(e: &Node<Expression>) -> Vec<String> {
    match &e.node {
        Expression::StringLiteral(s) => vec![s.node.concat()],
        Expression::Conditional(c) => {
            [texts(&c.node.then_expression), texts(&c.node.else_expression)].concat()
        }
        _ => Vec::new(),
    }
}

/// The conversions of a format in their order; none if one is not known.
fn conversions(format: &str, model: DataModel) -> Option<Vec<Printed>> {
    // `%` by its number.
    if ["\\x25", "\\45", "\\045"].iter().any(|escaped| format.contains(escaped)) {
        return None;
    }
    // Parts of a text in quotes follow each other without a gap.
    let format = format.replace("\"\"", "");
    let mut all = Vec::new();
    let mut rest = format.as_str();
    while let Some((_, after)) = rest.split_once('%') {
        let after = after.trim_start_matches(['-', '+', ' ', '#', '0']);
        let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
        let after = after.strip_prefix('.').unwrap_or(after).trim_start_matches(|c: char| c.is_ascii_digit());
        let kind = after.trim_start_matches(['h', 'l', 'j', 'z', 't']);
        let length = &after[..after.len() - kind.len()];
        let letter = kind.chars().next()?;
        rest = &kind[letter.len_utf8()..];
        let bits = match length {
            "" | "h" | "hh" => 32,
            "l" | "z" | "t" => model.long(),
            "ll" | "j" => 64,
            _ => return None,
        };
        all.push(match (letter, length) {
            ('%', "") => continue,
            ('d' | 'i' | 'o' | 'u' | 'x' | 'X', _) => Printed::Integer(bits),
            ('c', "") => Printed::Integer(32),
            ('e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'a' | 'A', "" | "l") => Printed::Fraction,
            ('s', "") => Printed::Text,
            ('p', "") => Printed::Pointer,
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
        for unknown in ["\"%n\"", "\"%*d\"", "\"%\"", "\"%Lf\"", "\"\\x25s\"", "\"%ls\""] {
            assert_eq!(of(unknown), None, "{unknown}");
        }
    }
}
