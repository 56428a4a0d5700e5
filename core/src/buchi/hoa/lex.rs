//! Tokens of the format.

use crate::diagnostic::{Diagnostic, Span};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tok {
    /// `name:`
    Header,
    Word,
    Alias,
    Number,
    Text,
    Sign(u8),
    /// A keyword such as `--BODY--`.
    Mark,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) tok: Tok,
    pub(super) span: Span,
}

pub(super) fn lex(text: &str) -> Result<Vec<Token>, Diagnostic> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        let (tok, length) = match rest[0] {
            b if b.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            _ if at == 0 && text.starts_with('\u{feff}') => {
                at += '\u{feff}'.len_utf8();
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                let Some(length) = comment(rest) else {
                    return Err(Diagnostic::error(
                        Span::new(at, at + 2),
                        "this comment is not closed by '*/'",
                    ));
                };
                at += length;
                continue;
            }
            b'"' => {
                let mut end = 1;
                while rest.get(end).is_some_and(|b| *b != b'"') {
                    end += if rest[end] == b'\\' { 2 } else { 1 };
                }
                if end >= rest.len() {
                    return Err(Diagnostic::error(
                        Span::new(at, at + 1),
                        "this quotation mark is not closed",
                    ));
                }
                (Tok::Text, end + 1)
            }
            b'-' if rest.starts_with(b"--") => (
                Tok::Mark,
                2 + rest[2..].iter().take_while(|b| b.is_ascii_alphabetic() || **b == b'-').count(),
            ),
            b'@' => (Tok::Alias, 1 + rest[1..].iter().take_while(|b| name(b)).count()),
            b if b.is_ascii_digit() => (Tok::Number, rest.iter().take_while(|b| b.is_ascii_digit()).count()),
            b if b.is_ascii_alphabetic() || b == b'_' => {
                let length = rest.iter().take_while(|b| name(b)).count();
                if rest.get(length) == Some(&b':') { (Tok::Header, length + 1) } else { (Tok::Word, length) }
            }
            b @ (b'[' | b']' | b'{' | b'}' | b'(' | b')' | b'&' | b'|' | b'!') => (Tok::Sign(b), 1),
            _ => {
                let c = text[at..].chars().next().expect("not at the end");
                let span = Span::new(at, at + c.len_utf8());
                return Err(Diagnostic::error(span, format!("unexpected character {c:?}")));
            }
        };
        tokens.push(Token { tok, span: Span::new(at, at + length) });
        at += length;
    }
    tokens.push(Token { tok: Tok::End, span: Span::new(text.len(), text.len()) });
    Ok(tokens)
}

/// The length of a comment; others can be in it.
fn comment(text: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (0, 0_usize);
    while at + 1 < text.len() {
        match &text[at..at + 2] {
            b"/*" => (at, depth) = (at + 2, depth + 1),
            b"*/" => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
