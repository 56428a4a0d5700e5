//! The lines of a text that is edited.

use std::ops::Range;

/// Lines of a text.
pub(super) struct Lines {
    pub(super) all: Vec<String>,
}

impl Lines {
    pub(super) fn insert(&mut self, at: usize, new: Vec<String>) {
        let at = at.min(self.all.len());
        self.all.splice(at..at, new);
    }

    pub(super) fn remove(&mut self, lines: Range<usize>) {
        self.all.drain(lines);
    }

    /// Removes ranges of lines, which may overlap.
    pub(super) fn remove_all(&mut self, ranges: Vec<Range<usize>>) {
        let mut number = 0;
        self.all.retain(|_| {
            number += 1;
            !ranges.iter().any(|range| range.contains(&(number - 1)))
        });
    }

    /// Lines with more or fewer blanks at their beginning.
    pub(super) fn indented(&self, lines: Range<usize>, by: isize) -> Vec<String> {
        let blanks = " ".repeat(by.unsigned_abs());
        let one = |line: &String| match by {
            _ if line.trim().is_empty() => line.clone(),
            0.. => format!("{blanks}{line}"),
            _ => line.strip_prefix(&blanks).unwrap_or(line).to_owned(),
        };
        self.all[lines].iter().map(one).collect()
    }
}
