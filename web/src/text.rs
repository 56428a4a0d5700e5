//! Texts: positions (bytes here, UTF-16 units in the browser), shortened texts, names and numbers.

pub use veristep_core::text::operation;

/// The UTF-16 offset of a byte.
#[must_use]
pub fn utf16(text: &str, byte: u32) -> u32 {
    let mut units = 0;
    for (at, c) in text.char_indices() {
        if at >= byte as usize {
            break;
        }
        units += c.len_utf16();
    }
    u32::try_from(units).unwrap_or(u32::MAX)
}

/// The byte at a UTF-16 offset.
#[must_use]
pub fn from_utf16(text: &str, offset: u32) -> u32 {
    let mut units = 0;
    for (at, c) in text.char_indices() {
        if units >= offset as usize {
            return u32::try_from(at).unwrap_or(u32::MAX);
        }
        units += c.len_utf16();
    }
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}

/// A text truncated to this many characters, with an ellipsis.
#[must_use]
pub fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

/// A name for a file: letters, digits and dashes.
#[must_use]
pub fn ascii_name(title: &str) -> String {
    let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// A number with this many digits after the point, by integers only: the formatting of floats is large.
#[must_use]
pub fn decimal(value: f64, places: u32) -> String {
    let scale = 10_i64.pow(places);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the cast saturates, and nothing drawn is that large"
    )]
    let all = (value * scale as f64).round() as i64;
    let (whole, rest) = (all.abs() / scale, all.abs() % scale);
    let sign = if all < 0 { "-" } else { "" };
    if places == 0 {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole}.{rest:0width$}", width = places as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_rounded() {
        let all = [(1.25, 1), (-0.04, 1), (-2.06, 1), (3.0, 0), (0.005, 2)].map(|(v, p)| decimal(v, p));
        assert_eq!(all, ["1.3", "0.0", "-2.1", "3", "0.01"]);
    }

    #[test]
    fn offsets_go_there_and_back() {
        let text = "aä𝄞b";
        for (byte, unit) in [(0, 0), (1, 1), (3, 2), (7, 4), (8, 5)] {
            assert_eq!(utf16(text, byte), unit);
            assert_eq!(from_utf16(text, unit), byte);
        }
        assert_eq!((utf16(text, 99), from_utf16(text, 99)), (5, 8));
    }
}
