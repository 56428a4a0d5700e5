//! The sizes of texts. Pictures are set in a monospaced font of 13 px, in which every character of the texts has the
//! same width.

use crate::layout::Size;
use crate::scene::{Row, RowKind};

/// The size of the font.
pub(super) const FONT: f64 = 13.0;
/// The width of a character.
const CHAR: f64 = 7.83;
/// From the middle of a row to its base line.
pub(super) const BASE: f64 = 4.5;
/// The height of a row.
pub const LINE: f64 = 17.0;
/// The height of the row of the name.
pub const HEAD: f64 = 25.0;
/// The distance of texts from the sides of a node.
pub const PADDING: f64 = 10.0;

/// The width of a text.
#[must_use]
pub fn width(text: &str) -> f64 {
    text.chars().count() as f64 * CHAR
}

/// The text, shortened at its end to so many characters.
#[must_use]
pub fn fit(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// The text, shortened in its middle to so many characters, so that both ends can be read.
#[must_use]
pub fn middle(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let kept = most.saturating_sub(1);
    let (head, tail) = (kept.div_ceil(2), kept / 2);
    text.chars().take(head).chain(['…']).chain(text.chars().skip(count - tail)).collect()
}

/// The size of a node with a head (name and corner) and facts, set flush left.
#[must_use]
pub(super) fn head_size(rows: &[Row]) -> Size {
    let head: Vec<f64> = rows.iter().filter(|r| r.kind != RowKind::Fact).map(|r| width(&r.text)).collect();
    let facts = rows.iter().filter(|r| r.kind == RowKind::Fact);
    let widest = facts.clone().map(|r| width(&r.text)).fold(0.0, f64::max);
    let gaps = 12.0 * head.len().saturating_sub(1) as f64;
    let top = if head.is_empty() { 6.0 } else { HEAD };
    let size = Size::new(
        (head.iter().sum::<f64>() + gaps).max(widest) + 2.0 * PADDING,
        top + facts.count() as f64 * LINE + 4.0,
    );
    Size::new(size.width.max(44.0), size.height.max(30.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_shortened_to_the_given_length() {
        assert_eq!((fit("abcdef", 6), fit("abcdef", 4)), ("abcdef".to_owned(), "abc…".to_owned()));
        assert_eq!((middle("abcdef", 5), middle("abcdef", 4)), ("ab…ef".to_owned(), "ab…f".to_owned()));
        assert_eq!((middle("abcdef", 0), fit("abcdef", 0)), ("…".to_owned(), "…".to_owned()));
    }
}
