//! Rust source with its comments, strings and characters blanked out, so that counting braces and searching
//! for names need no parser. Lines keep their positions.

/// Replaces everything inside comments and literals by spaces, line ends excepted.
pub(super) fn blank(text: &str) -> String {
    let mut scanner =
        Scanner { chars: text.chars().collect(), at: 0, out: String::with_capacity(text.len()) };
    while scanner.at < scanner.chars.len() {
        scanner.step();
    }
    scanner.out
}

struct Scanner {
    chars: Vec<char>,
    at: usize,
    out: String,
}

impl Scanner {
    fn step(&mut self) {
        match (self.peek(0), self.peek(1)) {
            ('/', '/') => self.blank_while(|scanner| scanner.peek(0) != '\n'),
            ('/', '*') => self.block_comment(),
            ('r', '"' | '#') if !self.inside_word() && self.raw_hashes().is_some() => self.raw_string(),
            ('"', _) => self.quoted('"'),
            ('\'', '\\') => self.quoted('\''),
            ('\'', _) if self.peek(2) == '\'' => self.blank_next(3),
            _ => self.keep(),
        }
    }

    /// The character `ahead` places on; past the end there are only line ends.
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\n')
    }

    fn keep(&mut self) {
        self.out.push(self.peek(0));
        self.at += 1;
    }

    fn blank_next(&mut self, count: usize) {
        for _ in 0..count.min(self.chars.len() - self.at) {
            self.out.push(if self.peek(0) == '\n' { '\n' } else { ' ' });
            self.at += 1;
        }
    }

    fn blank_while(&mut self, more: impl Fn(&Self) -> bool) {
        while self.at < self.chars.len() && more(self) {
            self.blank_next(1);
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0_u32;
        loop {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => depth += 1,
                ('*', '/') => depth -= 1,
                _ => {
                    self.blank_next(1);
                    if self.at >= self.chars.len() {
                        return;
                    }
                    continue;
                }
            }
            self.blank_next(2);
            if depth == 0 {
                return;
            }
        }
    }

    fn quoted(&mut self, end: char) {
        self.blank_next(1);
        while self.at < self.chars.len() && self.peek(0) != end {
            let width = if self.peek(0) == '\\' { 2 } else { 1 };
            self.blank_next(width);
        }
        self.blank_next(1);
    }

    fn inside_word(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.chars.get(at));
        // A byte string's `b` belongs to the literal.
        before.is_some_and(|char| (char.is_alphanumeric() && *char != 'b') || *char == '_')
    }

    /// How many `#` stand between `r` and the quote, if this is a raw string at all.
    fn raw_hashes(&self) -> Option<usize> {
        let hashes = (1..).take_while(|ahead| self.peek(*ahead) == '#').count();
        (self.peek(1 + hashes) == '"').then_some(hashes)
    }

    fn raw_string(&mut self) {
        let hashes = self.raw_hashes().unwrap_or(0);
        self.blank_next(hashes + 2);
        let closes =
            |scanner: &Self| scanner.peek(0) == '"' && (1..=hashes).all(|ahead| scanner.peek(ahead) == '#');
        self.blank_while(|scanner| !closes(scanner));
        self.blank_next(hashes + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_comments_vanish() {
        assert_eq!(blank("a // {\nb"), "a     \nb");
        assert_eq!(blank("a /* { /* } */ { */ b").trim_end(), format!("a{}b", " ".repeat(19)));
        assert_eq!(blank(r#"f("{\"{", '{', '\'') {"#).matches('{').count(), 1);
        assert_eq!(blank("r#\"{ \" {\"# }").trim(), "}");
        assert_eq!(blank("br\"{\" }").trim_start_matches('b').trim(), "}");
    }

    #[test]
    fn lifetimes_and_words_stay() {
        assert_eq!(blank("fn f<'a>(x: &'a str) {}"), "fn f<'a>(x: &'a str) {}");
        assert_eq!(blank("for r in x {}"), "for r in x {}");
    }

    #[test]
    fn unfinished_text_ends() {
        for text in ["\"abc", "/* abc", "r#\"abc", "'\\", "/*/"] {
            assert_eq!(blank(text).chars().count(), text.chars().count(), "{text}");
        }
    }
}
