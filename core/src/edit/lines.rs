//! Declarations on the lines of a text: where new ones are written, and what goes with one that is removed.

use crate::diagnostic::Span;
use crate::edit::{Change, newline};

/// A text whose declarations usually have lines of their own.
#[derive(Clone, Copy)]
pub(crate) struct Lines<'a>(pub(crate) &'a str);

impl<'a> Lines<'a> {
    /// A declaration after another one: on a line of its own if that one has one, otherwise on the same line.
    pub(crate) fn insert_after(self, span: Span, text: &str, blank_line: bool) -> Change {
        let end = span.end as usize;
        let line = self.rest_of_line(end);
        let ends = line.trim().is_empty() || is_comment(line.trim());
        match self.line_before(span).trim().is_empty() && ends {
            true => {
                let newline = self.newline().repeat(1 + usize::from(blank_line));
                Change::insert(end + line.len(), format!("{newline}{}{text}", self.indent(span)))
            }
            false => Change::insert(end, format!(" {text}")),
        }
    }

    /// Without a declaration, and without its lines if there is nothing else on them.
    pub(crate) fn remove(self, span: Span) -> Change {
        let (before, after) = (self.line_before(span), self.rest_of_line(span.end as usize));
        let (start, end) = (span.start as usize, span.end as usize);
        if before.trim().is_empty() && after.trim().is_empty() {
            let end = end + after.len();
            let newline = self.0[end..].find('\n').filter(|at| *at <= 1).map_or(0, |at| at + 1);
            return Change::replace(Span::new(start - before.len(), end + newline), "");
        }
        let blanks = before.len() - before.trim_end().len();
        let blanks = if blanks == before.len() { 0 } else { blanks };
        // Words that were apart stay apart.
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let joined = blanks > 0 && before.trim_end().ends_with(word) && after.starts_with(word);
        Change::replace(Span::new(start - blanks, end), if joined { " " } else { "" })
    }

    /// What is between two statements or declarations, the second of which is here.
    pub(crate) fn apart(self, span: Span) -> String {
        match self.line_before(span) {
            indent if indent.trim().is_empty() => format!("{}{indent}", self.newline()),
            _ => " ".to_owned(),
        }
    }

    /// The line from its beginning to a part.
    pub(crate) fn line_before(self, span: Span) -> &'a str {
        let before = &self.0[..span.start as usize];
        &before[before.rfind('\n').map_or(0, |at| at + 1)..]
    }

    /// The rest of a line, without its end.
    pub(crate) fn rest_of_line(self, at: usize) -> &'a str {
        let rest = &self.0[at..];
        rest[..rest.find('\n').unwrap_or(rest.len())].trim_end_matches('\r')
    }

    /// The blanks at the beginning of the line of a part.
    pub(crate) fn indent(self, span: Span) -> &'a str {
        let line = self.line_before(span);
        &line[..line.len() - line.trim_start().len()]
    }

    /// The end of a line.
    pub(crate) fn newline(self) -> &'static str {
        newline(self.0)
    }
}

/// Is this one comment?
fn is_comment(line: &str) -> bool {
    line.starts_with("//") || line.starts_with("/*") && line.find("*/") == Some(line.len() - 2)
}
