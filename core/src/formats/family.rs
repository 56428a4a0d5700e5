//! What the project's own languages share: names, properties, and positions in a layout.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Span};
use crate::edit::pins::Pin;
use crate::expr::{Enumeration, Parsed, Parser, Tok};
use crate::formats::Name;
use crate::net::NamedProperty;

/// A name, with or without quotation marks.
pub(super) fn name(p: &mut Parser<'_>) -> Parsed<Name> {
    let (text, span) = p.name()?;
    let text = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).map_or(text.clone(), str::to_owned);
    if text.is_empty() {
        return Err(p.error(span, "a name has at least one character"));
    }
    Ok(Name { text, span })
}

/// The type with these values, which is shared by all variables that are declared with the same list.
pub(super) fn enumeration(
    values: &[Name],
    known: &mut Vec<Arc<Enumeration>>,
    out: &mut Vec<Diagnostic>,
) -> Arc<Enumeration> {
    let mut literals: Vec<String> = Vec::new();
    for value in values {
        if literals.contains(&value.text) {
            out.push(Diagnostic::error(
                value.span,
                format!("'{}' is a value of this type already", value.text),
            ));
        } else {
            literals.push(value.text.clone());
        }
    }
    if let Some(same) = known.iter().find(|e| e.literals == literals) {
        return Arc::clone(same);
    }
    let name = format!("{{{}}}", literals.join(", "));
    let new = Arc::new(Enumeration { name, literals });
    known.push(Arc::clone(&new));
    new
}

/// Is nothing before a part on its line?
pub(super) fn begins_line(text: &str, span: Span) -> bool {
    let before = &text[..span.start as usize];
    before.rsplit('\n').next().is_none_or(|line| line.trim().is_empty())
}

/// `property name: text` in the text `whole`; it goes on while the next line does not begin with one of the words.
pub(super) fn property(
    p: &mut Parser<'_>,
    whole: &str,
    words: &[&str],
    known: &[NamedProperty],
) -> Parsed<NamedProperty> {
    p.advance();
    let name = name(p)?;
    let colon = p.expect(Tok::Sym(":"))?.span;
    let (mut depth, mut last) = (0_usize, colon);
    loop {
        match p.tok() {
            Tok::End => break,
            Tok::Sym("}") if depth == 0 => break,
            Tok::Ident if words.contains(&p.word()) && begins_line(whole, p.token().span) => break,
            Tok::Sym("{") => depth += 1,
            Tok::Sym("}") => depth -= 1,
            _ => {}
        }
        last = p.advance().span;
    }
    let span = Span { start: colon.end, end: last.end };
    let text = span.of(whole);
    let blank = u32::try_from(text.len() - text.trim_start().len()).expect("texts are limited");
    let span = Span { start: span.start + blank, end: span.end };
    if text.trim().is_empty() {
        return Err(p.error(name.span, format!("the property '{}' is empty", name.text)));
    }
    if known.iter().any(|known| known.name == name.text) {
        return Err(p.error(name.span, format!("'{}' is declared twice", name.text)));
    }
    Ok(NamedProperty { name: name.text, text: span.of(whole).to_owned(), span })
}

/// A name with its position in a layout, and the place of both.
pub(super) type Entry = (Name, Pin, Span);

/// `layout { p 10 20  t -30 40 }`, and the place of the block.
pub(super) fn layout(p: &mut Parser<'_>) -> Parsed<(Vec<Entry>, Span)> {
    let start = p.advance().span;
    p.expect(Tok::Sym("{"))?;
    let mut entries = Vec::new();
    while !matches!(p.tok(), Tok::Sym("}") | Tok::End) {
        let name = name(p)?;
        let pin = (side(p)?, side(p)?);
        let span = name.span.to(p.previous());
        entries.push((name, pin, span));
    }
    p.expect(Tok::Sym("}"))?;
    Ok((entries, start.to(p.previous())))
}

/// A side of a position in the layout.
fn side(p: &mut Parser<'_>) -> Parsed<i32> {
    let start = p.token().span;
    let negative = p.eat(Tok::Sym("-"));
    if p.tok() != Tok::Number {
        return Err(p.unexpected("a number"));
    }
    let side = p.word().parse::<i32>();
    p.advance();
    match side {
        Ok(side) => Ok(if negative { -side } else { side }),
        Err(_) => Err(p.error(start.to(p.previous()), "this position is too far away")),
    }
}

/// Does a text begin with `word NAME {`, after comments?
pub(super) fn begins(text: &str, word: &str) -> bool {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).take(3).collect();
    match words[..] {
        [first, _, brace] if first == word && brace.starts_with('{') => true,
        [first, name, ..] => first == word && name.ends_with('{'),
        _ => false,
    }
}
