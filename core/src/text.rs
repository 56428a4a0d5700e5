//! Small pieces of text that several modules write.

/// `1 node`, `3 nodes`, `2 queries`, `2 searches`.
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        _ if noun.ends_with("ss") || noun.ends_with("ch") => format!("{number} {noun}es"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {noun}s"),
    }
}

/// An operation as it is drawn: an assumption in brackets.
#[must_use]
pub fn operation(text: &str) -> String {
    let part = |part: &str| {
        let part = part.trim();
        part.strip_prefix("assume ").map_or_else(|| part.to_owned(), |condition| format!("[{condition}]"))
    };
    text.split(';').map(part).collect::<Vec<_>>().join("; ")
}

/// Escapes a text for HTML and SVG.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}
