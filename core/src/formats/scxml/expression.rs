//! Expressions of ECMAScript: numbers, truth values, strings, variables, `In('state')`, `! - + * %`, comparisons, `&&`,
//! `||` and parentheses. Numbers are integers.
//!
//! An expression is translated to the syntax of the project's own languages, whose operators have the same binding
//! strength, except `!`: what it negates is not compared without parentheses. A string `'a b'` becomes the value
//! `'a b'` of an enumeration.

use crate::diagnostic::{Diagnostic, Span};
use crate::expr::ast::Ast;
use crate::expr::{Parser, Syntax, Tok};

/// Operators and their translation, longest first.
const OPERATORS: [(&str, &str); 19] = [
    ("===", "="),
    ("!==", "/="),
    ("==", "="),
    ("!=", "/="),
    ("<=", "<="),
    (">=", ">="),
    ("&&", "&&"),
    ("||", "||"),
    ("<", "<"),
    (">", ">"),
    ("!", "!"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("%", "rem"),
    ("(", "("),
    (")", ")"),
    (",", ","),
    (".", "."),
];

/// Words with a meaning of their own that is not supported.
const RESERVED: [&str; 12] = [
    "function",
    "new",
    "typeof",
    "var",
    "let",
    "const",
    "null",
    "undefined",
    "this",
    "delete",
    "void",
    "instanceof",
];

/// Parses an expression, all of whose parts get the place `span`.
///
/// # Errors
/// What is wrong, or not supported.
pub(super) fn expression(text: &str, span: Span) -> Result<Ast, Diagnostic> {
    let translated = translate(text).map_err(|what| {
        Diagnostic::unsupported(span, format!("'{}': {what} is not supported in expressions", text.trim()))
    })?;
    let mut p = Parser::new(&translated, Syntax::Ltl);
    let ast = p.expression();
    if ast.is_ok() && p.tok() != Tok::End {
        p.unexpected("the end of the expression");
    }
    match (ast, p.out.first()) {
        (Ok(ast), None) => Ok(placed(ast, span)),
        (_, problem) => {
            let why = problem.map_or_else(String::new, |d| d.message.clone());
            Err(Diagnostic::error(span, format!("'{}': {why}", text.trim())))
        }
    }
}

/// The strings of an expression, as values of the enumeration.
pub(super) fn strings(e: &Ast, all: &mut Vec<String>) {
    if let crate::expr::ast::AstKind::Name(name) = &e.kind
        && name.starts_with('\'')
        && !all.contains(name)
    {
        all.push(name.clone());
    }
    e.children().into_iter().for_each(|child| strings(child, all));
}

/// The expression with the same place everywhere.
fn placed(mut e: Ast, span: Span) -> Ast {
    e.span = span;
    for child in e.children_mut() {
        let inner =
            std::mem::replace(child, Ast { kind: crate::expr::ast::AstKind::Bool(true), span, depth: 1 });
        *child = placed(inner, span);
    }
    e
}

/// The expression in the syntax of the project, or what is not supported.
fn translate(text: &str) -> Result<String, String> {
    let mut all = String::new();
    let mut rest = text.trim_start();
    // The depths of parentheses at which a '!' was read: its operand is not compared there.
    let (mut depth, mut negated) = (0_usize, Vec::new());
    while let Some(first) = rest.chars().next() {
        all.push(' ');
        let length = match first {
            '\'' | '"' => {
                let inner = rest[1..].split(first).next().unwrap_or_default();
                if rest[1..].len() == inner.len() || inner.contains(['\\', '\n', '\'', '"']) {
                    return Err("this string".to_owned());
                }
                all.push_str(&format!("\"'{inner}'\""));
                inner.len() + 2
            }
            c if c.is_ascii_digit() => {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                if rest[digits..].starts_with(['.', 'e', 'E', 'x', 'X', 'n']) {
                    return Err("a number that is not a decimal integer".to_owned());
                }
                all.push_str(&rest[..digits]);
                digits
            }
            c if c.is_ascii_alphabetic() || c == '_' || c == '$' => {
                let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
                let length = rest.find(|c| !part(c)).unwrap_or(rest.len());
                all.push_str(&word(&rest[..length])?);
                length
            }
            _ => {
                let (operator, meaning) = operator(rest)?;
                match operator {
                    "!" => negated.push(depth),
                    "(" => depth += 1,
                    ")" => {
                        negated.retain(|at| *at < depth);
                        depth = depth.saturating_sub(1);
                    }
                    "&&" | "||" | "," => negated.retain(|at| *at < depth),
                    _ if negated.contains(&depth) => {
                        return Err(format!("'!' before an operand of '{operator}' (without parentheses)"));
                    }
                    _ => {}
                }
                all.push_str(meaning);
                operator.len()
            }
        };
        rest = rest[length..].trim_start();
    }
    Ok(all)
}

/// The operator at the start of a text, with its translation.
fn operator(text: &str) -> Result<(&'static str, &'static str), String> {
    let first: String = text.chars().take(1).collect();
    let found = OPERATORS.into_iter().find(|(operator, _)| text.starts_with(operator));
    let (operator, meaning) = found.ok_or_else(|| format!("'{first}'"))?;
    let next = text[operator.len()..].chars().next();
    let same = next.is_some_and(|c| operator.ends_with(c));
    let doubled = matches!(operator, "+" | "-" | "*" | "<" | ">") && same;
    let assigns = matches!(operator, "+" | "-" | "*" | "%") && next == Some('=');
    if doubled || assigns || operator == "." {
        return Err(format!("'{operator}{}'", next.map(String::from).unwrap_or_default()));
    }
    Ok((operator, meaning))
}

/// A name, perhaps with parts; not one of the system variables, as `_event`.
fn word(word: &str) -> Result<String, String> {
    let system =
        word.starts_with('_') && word.trim_start_matches('_').starts_with(|c: char| c.is_lowercase());
    if RESERVED.contains(&word) || system {
        return Err(format!("'{word}'"));
    }
    if matches!(word, "true" | "false") {
        return Ok(word.to_owned());
    }
    Ok(format!("\"{word}\""))
}
