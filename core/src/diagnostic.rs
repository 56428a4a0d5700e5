//! Diagnostics: errors and warnings about a user's text, with their places.
//!
//! Errors of users are values: a parser collects [`Diagnostic`]s with byte spans and never panics. Every size of a text
//! is bounded by a constant of [`limits`], and the message names the limit.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Limits on the sizes of a text.
pub mod limits {
    /// Bytes of a source text.
    pub const SOURCE: usize = 4 << 20;
    /// Levels of an expression tree; recursion over expressions is bounded by it.
    pub const DEPTH: u32 = 200;
    /// Bytes of an identifier.
    pub const IDENTIFIER: usize = 1 << 10;
    /// Digits of a number.
    pub const DIGITS: usize = 1 << 10;
    /// Locations or edges of a model.
    pub const GRAPH: usize = 100_000;
    /// Variables times locations of a model.
    pub const VALUES: usize = 30_000_000;
    /// Diagnostics reported for one text.
    pub const DIAGNOSTICS: usize = 100;
    /// Bits of a bit-vector.
    pub const BITS: u32 = 64;
}

/// A half-open range of byte offsets in a source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`.
    ///
    /// # Panics
    /// If an offset does not fit (source texts are limited to 4 MiB).
    #[must_use]
    pub fn new(start: usize, end: usize) -> Span {
        let fit = |n: usize| u32::try_from(n).expect("source texts are limited");
        Span { start: fit(start), end: fit(end) }
    }

    /// The range from the start of this to the end of `other`.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end.max(self.start) }
    }

    /// The text of this span, empty if it does not fit `source`.
    #[must_use]
    pub fn of(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Severity {
    /// The text is incorrect.
    Error,
    /// The text is correct, but uses a construct that cannot be verified here; no verdict is given.
    Unsupported,
    /// The text is correct, but its meaning may be unexpected.
    Warning,
}

/// A message about a place in a source text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The place.
    pub span: Span,
    /// One sentence without a full stop.
    pub message: String,
}

impl Diagnostic {
    /// An error.
    #[must_use]
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, span, message: message.into() }
    }

    /// A correct construct that is not supported.
    #[must_use]
    pub fn unsupported(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Unsupported, span, message: message.into() }
    }

    /// `file:line:column: error: message`.
    #[must_use]
    pub fn render(&self, file: &str, lines: &LineIndex<'_>) -> String {
        let (line, column) = lines.position(self.span.start);
        let severity = match self.severity {
            Severity::Error | Severity::Unsupported => "error",
            Severity::Warning => "warning",
        };
        format!("{file}:{line}:{column}: {severity}: {}", self.message)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Translates byte offsets of a text to lines and columns.
#[derive(Clone, Debug)]
pub struct LineIndex<'a> {
    text: &'a str,
    starts: Vec<u32>,
}

impl<'a> LineIndex<'a> {
    /// Indexes `text`; lines end with `\n`.
    #[must_use]
    pub fn new(text: &'a str) -> LineIndex<'a> {
        let mut starts = vec![0];
        starts.extend(text.bytes().zip(1..).filter(|(b, _)| *b == b'\n').map(|(_, next)| next));
        LineIndex { text, starts }
    }

    /// The 1-based line, and the 1-based column in Unicode scalar values; offsets past the end are the end.
    #[must_use]
    pub fn position(&self, offset: u32) -> (usize, usize) {
        let mut end = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let line = self.starts.partition_point(|&s| s as usize <= end);
        let start = self.starts[line - 1] as usize;
        (line, self.text[start..end].chars().count() + 1)
    }
}

/// Rejects a text that exceeds the size limit.
///
/// # Errors
/// A single diagnostic with the size and the limit.
pub fn check_source(text: &str) -> Result<(), Vec<Diagnostic>> {
    if text.len() <= limits::SOURCE {
        return Ok(());
    }
    let message = format!("the text has {} bytes, the limit is {} bytes (4 MiB)", text.len(), limits::SOURCE);
    Err(vec![Diagnostic::unsupported(Span::default(), message)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_scalar_values() {
        let text = "äb\nc𝄞d\n";
        let lines = LineIndex::new(text);
        assert_eq!(lines.position(0), (1, 1));
        assert_eq!(lines.position(2), (1, 2));
        assert_eq!(lines.position(1), (1, 1), "inside a character is its start");
        let d = text.find('d').unwrap();
        assert_eq!(lines.position(u32::try_from(d).unwrap()), (2, 3));
        assert_eq!(lines.position(1000), (3, 1));
        let diagnostic = Diagnostic::error(Span::new(d, d + 1), "unknown name 'd'");
        assert_eq!(diagnostic.render("m.cfa", &lines), "m.cfa:2:3: error: unknown name 'd'");
    }
}
