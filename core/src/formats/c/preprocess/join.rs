//! Physical lines are joined to logical lines: translation phases 1 and 2 of C17 (5.1.1.2).
//!
//! A backslash at the end of a line and the line break are removed; as in GCC, blanks between the two are removed with
//! them. A byte order mark at the start is skipped. A text with trigraphs is refused before. Invariant: the places of
//! the removed breaks are sorted, so that each position of the joined text has one place in the original text.

use crate::diagnostic::Span;

/// A line break that was removed.
#[derive(Clone, Copy)]
pub(super) struct Break {
    /// Position in the joined text: the first byte after it.
    pub(super) at: usize,
    /// Position of that byte in the original text.
    pub(super) original: usize,
}

/// Correspondence between the joined and the original text.
pub(super) struct Joined {
    /// Bytes of the byte order mark.
    mark: usize,
    /// The removed line breaks in their order.
    pub(super) breaks: Vec<Break>,
}

/// Joins the lines of a text.
pub(super) fn join(text: &str) -> (String, Joined) {
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let bytes = text.as_bytes();
    let mut joined = String::with_capacity(text.len());
    let mut breaks = Vec::new();
    let mut copied = mark;
    for (end, _) in text.bytes().enumerate().filter(|(_, b)| *b == b'\n') {
        let mut last = end;
        while last > copied && is_blank(bytes[last - 1]) {
            last -= 1;
        }
        if last > copied && bytes[last - 1] == b'\\' {
            joined.push_str(&text[copied..last - 1]);
            breaks.push(Break { at: joined.len(), original: end + 1 });
        } else {
            joined.push_str(&text[copied..=end]);
        }
        copied = end + 1;
    }
    joined.push_str(&text[copied..]);
    (joined, Joined { mark, breaks })
}

/// Is this white space other than a line break? A null character counts as a blank, as in GCC.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0)
}

impl Joined {
    /// The place of a position of the joined text in the original text.
    pub(super) fn original(&self, at: usize) -> usize {
        match self.breaks.partition_point(|b| b.at <= at) {
            0 => self.mark + at,
            n => self.breaks[n - 1].original + (at - self.breaks[n - 1].at),
        }
    }

    /// The place of a range of the joined text in the original text.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        let first = self.original(start);
        Span::new(first, if end > start { self.original(end - 1) + 1 } else { first })
    }
}
