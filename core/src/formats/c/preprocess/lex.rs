//! Preprocessing tokens (C17 6.4): the joined text is split into identifiers, numbers, literals and punctuators.
//!
//! Comments are white space here. A quote that is not closed on its line makes one token of the rest of the line, of
//! kind [`Kind::Other`]; it is an error only if it reaches the compiler. Invariant: each token is a range of the text
//! on character boundaries, and the lexer advances with each call until the end.

use super::join::is_blank;

/// Category of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Identifier,
    /// A preprocessing number: more general than the constants of C.
    Number,
    Character,
    String,
    Punctuator,
    /// A character that is none of these, or a literal without its closing quote.
    Other,
    /// An empty operand of `##` (C17 6.10.3.3).
    Placemarker,
    /// The end of a line.
    Newline,
    /// The end of the text, or of a list of tokens.
    End,
}

/// A preprocessing token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Is there white space before it?
    pub(super) space: bool,
    /// Is it the first token of its line?
    pub(super) first: bool,
    /// The name of a macro that was found while this macro was being replaced: it is never replaced (C17 6.10.3.4).
    pub(super) painted: bool,
    pub(super) from: u32,
    pub(super) to: u32,
}

impl Token {
    pub(super) fn new(kind: Kind, start: usize, end: usize) -> Token {
        let fit = |n: usize| u32::try_from(n).expect("source texts and what macros produce are limited");
        Token { kind, space: false, first: false, painted: false, from: fit(start), to: fit(end) }
    }

    pub(super) fn start(self) -> usize {
        self.from as usize
    }

    pub(super) fn end(self) -> usize {
        self.to as usize
    }

    /// Its spelling.
    pub(super) fn of(self, text: &str) -> &str {
        &text[self.start()..self.end()]
    }

    /// Is it this punctuator?
    pub(super) fn is(self, text: &str, punctuator: &str) -> bool {
        self.kind == Kind::Punctuator && self.of(text) == punctuator
    }

    /// Is it `#`, or its digraph?
    pub(super) fn is_hash(self, text: &str) -> bool {
        self.is(text, "#") || self.is(text, "%:")
    }

    /// Is it `##`, or its digraph?
    pub(super) fn is_paste(self, text: &str) -> bool {
        self.is(text, "##") || self.is(text, "%:%:")
    }
}

/// Punctuators of more than one character, longest first.
const PUNCTUATORS: [&str; 29] = [
    "%:%:", "...", "<<=", ">>=", "##", "%:", "<:", ":>", "<%", "%>", "->", "++", "--", "<<", ">>", "<=",
    ">=", "==", "!=", "&&", "||", "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=",
];

/// The usual spelling of a digraph (C17 6.4.6).
pub(super) fn digraph(spelling: &str) -> Option<&'static str> {
    Some(match spelling {
        "<:" => "[",
        ":>" => "]",
        "<%" => "{",
        "%>" => "}",
        _ => return None,
    })
}

/// A position in a text, up to which it is split into tokens.
#[derive(Clone)]
pub(super) struct Cursor {
    pub(super) at: usize,
    end: usize,
    /// Is the next token the first of its line?
    first: bool,
    /// The start of a comment without end.
    pub(super) unclosed: Option<usize>,
}

impl Cursor {
    pub(super) fn new(start: usize, end: usize) -> Cursor {
        Cursor { at: start, end, first: true, unclosed: None }
    }

    /// The next token.
    pub(super) fn next(&mut self, text: &str) -> Token {
        let text = &text[..self.end];
        let before = self.at;
        self.blanks(text.as_bytes());
        let start = self.at;
        let kind = self.token(text);
        let mut token = Token::new(kind, start, self.at);
        token.space = before < start;
        token.first = std::mem::replace(&mut self.first, kind == Kind::Newline);
        token
    }

    /// Advances over blanks and comments.
    fn blanks(&mut self, text: &[u8]) {
        loop {
            let rest = &text[self.at..];
            match rest {
                [b, ..] if is_blank(*b) => self.at += 1,
                [b'/', b'/', ..] => {
                    self.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                }
                [b'/', b'*', inside @ ..] => match inside.windows(2).position(|w| w == b"*/") {
                    Some(length) => self.at += length + 4,
                    None => {
                        self.unclosed = Some(self.at);
                        self.at = text.len();
                    }
                },
                _ => return,
            }
        }
    }

    fn token(&mut self, text: &str) -> Kind {
        let rest = &text[self.at..];
        let Some(first) = rest.chars().next() else { return Kind::End };
        let after = rest.as_bytes().get(1).copied().unwrap_or(0);
        let (kind, length) = match first {
            '\n' => (Kind::Newline, 1),
            '"' | '\'' => literal(rest, 0),
            '0'..='9' => (Kind::Number, number(rest)),
            '.' if after.is_ascii_digit() => (Kind::Number, number(rest)),
            _ => match word(rest) {
                0 => match PUNCTUATORS.iter().find(|p| rest.starts_with(**p)) {
                    Some(p) => (Kind::Punctuator, p.len()),
                    None if "[](){}.&*+-~!/%<>^|?:;=,#".contains(first) => (Kind::Punctuator, 1),
                    None => (Kind::Other, first.len_utf8()),
                },
                n => match (&rest[..n], rest.as_bytes().get(n)) {
                    ("L" | "u" | "U", Some(b'"' | b'\'')) | ("u8", Some(b'"')) => literal(rest, n),
                    _ => (Kind::Identifier, n),
                },
            },
        };
        self.at += length;
        kind
    }
}

/// Length of the character at the start of a text that may be part of an identifier, or 0.
fn part(rest: &str) -> usize {
    match rest.chars().next() {
        Some(c) if c.is_alphanumeric() || c == '_' || c == '$' => c.len_utf8(),
        Some('\\') => {
            let digits = match rest.as_bytes().get(1) {
                Some(b'u') => 4,
                Some(b'U') => 8,
                _ => return 0,
            };
            let all = rest.as_bytes().get(2..2 + digits);
            if all.is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit)) { 2 + digits } else { 0 }
        }
        _ => 0,
    }
}

/// Length of the identifier at the start of a text, or 0.
fn word(rest: &str) -> usize {
    let mut at = 0;
    loop {
        match part(&rest[at..]) {
            0 => return at,
            length => at += length,
        }
    }
}

/// Length of the preprocessing number at the start of a text (C17 6.4.8).
fn number(rest: &str) -> usize {
    let mut at = 0;
    loop {
        let here = &rest.as_bytes()[at..];
        at += match here {
            [b'e' | b'E' | b'p' | b'P', b'+' | b'-', ..] => 2,
            [b'.', ..] => 1,
            _ => match part(&rest[at..]) {
                0 => return at,
                length => length,
            },
        };
    }
}

/// The literal at the start of a text, with a prefix of some bytes: its kind and length.
fn literal(rest: &str, prefix: usize) -> (Kind, usize) {
    let bytes = rest.as_bytes();
    let quote = bytes[prefix];
    let mut at = prefix + 1;
    while let Some(&b) = bytes.get(at) {
        at += match b {
            b'\n' => break,
            b'\\' if bytes.get(at + 1).is_some_and(|b| *b != b'\n') => 2,
            _ if b == quote => {
                return (if quote == b'"' { Kind::String } else { Kind::Character }, at + 1);
            }
            _ => 1,
        };
    }
    (Kind::Other, at)
}
