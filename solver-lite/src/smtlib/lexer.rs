//! Tokens of SMT-LIB 2.6 (section 3.1 of the standard), each with its line and column.
//!
//! A character outside the language, an open string or an open `|symbol` is an error with its place; nothing
//! else is checked here.

use std::fmt;

/// Digits a number may have.
const NUMBER_DIGITS: usize = 10_000;

/// A place in a text, both counted from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A message about a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Complaint {
    pub(crate) place: Place,
    pub(crate) message: String,
}

impl Complaint {
    pub(crate) fn new(place: Place, message: impl Into<String>) -> Complaint {
        Complaint { place, message: message.into() }
    }
}

/// What a token is. The text of a quoted symbol is without its bars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Open,
    Close,
    Symbol,
    Quoted,
    Keyword,
    Numeral,
    Decimal,
    /// `#x…` or `#b…`.
    Binary,
    /// With its quotation marks.
    String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: Kind,
    pub(crate) text: &'t str,
    pub(crate) place: Place,
    /// Bytes from the start of the text.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    place: Place,
}

fn is_symbol_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&b)
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(text: &'t str) -> Lexer<'t> {
        Lexer { text, at: 0, place: Place { line: 1, column: 1 } }
    }

    /// Where the search for the next token starts.
    pub(crate) fn place(&self) -> Place {
        self.place
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips one byte.
    fn bump(&mut self) {
        match self.peek() {
            Some(b'\n') => self.place = Place { line: self.place.line + 1, column: 1 },
            // Continuation bytes of a character are not counted.
            Some(b) if b & 0xC0 != 0x80 => self.place.column += 1,
            _ => {}
        }
        self.at += 1;
    }

    fn bump_while(&mut self, good: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&good) {
            self.bump();
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            self.bump_while(|b| b.is_ascii_whitespace());
            if self.peek() != Some(b';') {
                return;
            }
            self.bump_while(|b| b != b'\n');
        }
    }

    /// The next token; `None` at the end of the text.
    pub(crate) fn next(&mut self) -> Result<Option<Token<'t>>, Complaint> {
        self.skip_blanks();
        let Some(first) = self.peek() else { return Ok(None) };
        let (start, place) = (self.at, self.place);
        let kind = match first {
            b'(' | b')' => {
                self.bump();
                if first == b'(' { Kind::Open } else { Kind::Close }
            }
            b'"' => {
                self.string(place)?;
                Kind::String
            }
            b'|' => {
                self.bump();
                self.bump_while(|b| b != b'|' && b != b'\\');
                if self.peek() != Some(b'|') {
                    return Err(Complaint::new(place, "this |symbol| is not closed, or has a backslash"));
                }
                let text = &self.text[start + 1..self.at];
                self.bump();
                return Ok(Some(Token { kind: Kind::Quoted, text, place, start, end: self.at }));
            }
            b':' | b'#' => {
                self.bump();
                self.bump_while(is_symbol_byte);
                if first == b':' { Kind::Keyword } else { Kind::Binary }
            }
            b'0'..=b'9' => self.number(start, place)?,
            b if is_symbol_byte(b) => {
                self.bump_while(is_symbol_byte);
                Kind::Symbol
            }
            _ => {
                let c = self.text[start..].chars().next().unwrap_or('\u{fffd}');
                return Err(Complaint::new(place, format!("the character {c:?} is not part of SMT-LIB")));
            }
        };
        Ok(Some(Token { kind, text: &self.text[start..self.at], place, start, end: self.at }))
    }

    /// `"…"`, where `""` stands for one quotation mark.
    fn string(&mut self, place: Place) -> Result<(), Complaint> {
        loop {
            self.bump();
            self.bump_while(|b| b != b'"');
            if self.peek().is_none() {
                return Err(Complaint::new(place, "this string is not closed"));
            }
            self.bump();
            if self.peek() != Some(b'"') {
                return Ok(());
            }
        }
    }

    fn number(&mut self, start: usize, place: Place) -> Result<Kind, Complaint> {
        self.bump_while(|b| b.is_ascii_digit());
        let mut kind = Kind::Numeral;
        if self.peek() == Some(b'.') {
            kind = Kind::Decimal;
            self.bump();
            self.bump_while(|b| b.is_ascii_digit());
        }
        if self.at - start > NUMBER_DIGITS {
            return Err(Complaint::new(place, format!("a number may have at most {NUMBER_DIGITS} digits")));
        }
        let text = &self.text[start..self.at];
        if text.ends_with('.') || self.peek().is_some_and(is_symbol_byte) {
            self.bump_while(is_symbol_byte);
            let text = &self.text[start..self.at];
            return Err(Complaint::new(place, format!("'{}' is not a number", shorten(text))));
        }
        Ok(kind)
    }
}

/// A text short enough for a message.
pub(crate) fn shorten(text: &str) -> String {
    if text.chars().count() <= 40 {
        return text.to_owned();
    }
    let start: String = text.chars().take(39).collect();
    format!("{start}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Result<Vec<(Kind, &str)>, Complaint> {
        let mut lexer = Lexer::new(text);
        let mut all = Vec::new();
        while let Some(t) = lexer.next()? {
            all.push((t.kind, t.text));
        }
        Ok(all)
    }

    #[test]
    fn all_kinds_of_tokens() {
        use Kind::*;
        let text = "(a |b c| :k 12 1.50 #b01 \"x\"\"y\" <= -3) ; end (";
        let expected = [
            (Open, "("),
            (Symbol, "a"),
            (Quoted, "b c"),
            (Keyword, ":k"),
            (Numeral, "12"),
            (Decimal, "1.50"),
            (Binary, "#b01"),
            (String, "\"x\"\"y\""),
            (Symbol, "<="),
            (Symbol, "-3"),
            (Close, ")"),
        ];
        assert_eq!(kinds(text).unwrap(), expected);
    }

    #[test]
    fn errors_have_places() {
        let complaint = |text: &str| {
            let c = kinds(text).unwrap_err();
            format!("{}: {}", c.place, c.message)
        };
        assert_eq!(complaint("a\n  \"b"), "2:3: this string is not closed");
        assert_eq!(complaint("|a\\|"), "1:1: this |symbol| is not closed, or has a backslash");
        assert_eq!(complaint("; ä\n |ä| é"), "2:6: the character 'é' is not part of SMT-LIB");
        assert_eq!(complaint("12x"), "1:1: '12x' is not a number");
        assert_eq!(complaint("1."), "1:1: '1.' is not a number");
        assert!(complaint(&"1".repeat(10_001)).ends_with("at most 10000 digits"));
    }
}
