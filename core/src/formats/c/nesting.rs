//! Nesting depth of a program, computed before parsing: the parser and all later phases are recursive.
//!
//! Nesting is caused by brackets, substatements (`if (a) if (b) …`, `else if`), prefix and right-associative operators
//! (`!`, casts, `=`, `? :`), and labels. Left-associative operators (`a + b + c`) need no deeper recursion, but their
//! operands are copied repeatedly, so their number is limited, too.

use crate::diagnostic::{Diagnostic, Span};

/// Levels of nesting.
const LEVELS: usize = 150;
/// Left-associative operators of one expression.
const OPERATORS: usize = 500;

/// Consecutive increments and decrements, each of which doubles the time until the parser rejects them.
const INCREMENTS: usize = 8;

/// Keywords before a substatement.
const PREFIXES: [&str; 6] = ["if", "else", "while", "for", "do", "switch"];

/// An open pair of brackets, or the whole text.
#[derive(Clone, Copy, Default)]
struct Open {
    /// Statements that enclose the current one.
    statements: usize,
    /// Prefix and right-associative operators of the current expression.
    right: usize,
    /// Its left-associative operators, including those of the deepest operand.
    left: usize,
    /// The largest number of these in a finished expression.
    deepest: usize,
}

impl Open {
    /// The current expression ends.
    fn expression_ended(&mut self) {
        self.deepest = self.deepest.max(self.left);
        (self.right, self.left) = (0, 0);
    }
}

/// Rejects a text that nests too deeply; `place` maps positions to the user's text.
///
/// # Errors
/// A single diagnostic with the limit.
pub(super) fn check(text: &str, place: &dyn Fn(usize, usize) -> Span) -> Result<(), Vec<Diagnostic>> {
    let mut levels =
        Levels { open: vec![Open::default()], sum: 0, operand: false, index: false, increments: 0 };
    let mut at = 0;
    while let Some((start, token)) = next(text, at) {
        at = start + token.len();
        let hexadecimal = token.starts_with("0x") || token.starts_with("0X");
        if hexadecimal && token.ends_with(['e', 'E']) && text[at..].starts_with(['+', '-']) {
            // `0xe+1` is one preprocessing number (C17, 6.4.8), but not a constant.
            return Err(vec![Diagnostic::error(place(start, at + 1), "this number is followed by a sign")]);
        }
        levels.token(token, next(text, at).map_or("", |(_, following)| following));
        let depth = levels.depth();
        let left = levels.open.last().map_or(0, |o| o.left);
        let message = if depth > LEVELS {
            format!("the program nests deeper than {LEVELS} levels here")
        } else if left > OPERATORS {
            format!("expressions with more than {OPERATORS} operators are not supported")
        } else if levels.increments > INCREMENTS {
            format!("more than {INCREMENTS} increments of one operand are not supported")
        } else {
            continue;
        };
        return Err(vec![Diagnostic::unsupported(place(start, at), message)]);
    }
    Ok(())
}

struct Levels {
    open: Vec<Open>,
    /// Levels of all open brackets except the innermost.
    sum: usize,
    /// Has an operand just ended?
    operand: bool,
    /// Has an index just ended?
    index: bool,
    /// Increments since the last operand.
    increments: usize,
}

impl Levels {
    fn inner(&mut self) -> &mut Open {
        self.open.last_mut().expect("the text itself is open")
    }

    fn depth(&self) -> usize {
        let inner = self.open[self.open.len() - 1];
        self.sum + self.open.len() - 1 + inner.statements + inner.right
    }

    fn token(&mut self, token: &str, following: &str) {
        let operand = std::mem::replace(&mut self.operand, false);
        let index = std::mem::replace(&mut self.index, token == "]");
        let word = token.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '"' || c == '\'');
        self.increments = match token {
            "++" | "--" => self.increments + 1,
            "sizeof" | "_Alignof" | "__extension__" => self.increments,
            _ if word || token == ";" => 0,
            _ => self.increments,
        };
        match token {
            "(" | "[" | "{" => {
                // After a closing bracket: the operand of a cast, or an argument.
                if token == "(" && operand || token == "[" && index {
                    self.inner().right += 1;
                }
                let inner = *self.inner();
                self.sum += inner.statements + inner.right;
                self.open.push(Open::default());
            }
            ")" | "]" | "}" => {
                if self.open.len() > 1 {
                    let mut ended = self.open.pop().unwrap_or_default();
                    ended.expression_ended();
                    let inner = self.inner();
                    if token != "}" {
                        inner.left = inner.left.max(ended.deepest);
                    }
                    let levels = inner.statements + inner.right;
                    self.sum -= levels;
                }
                self.operand = token != "}";
                if token == "}" {
                    self.ended(following);
                }
            }
            ";" => self.ended(following),
            "," => self.inner().expression_ended(),
            ":" | "?" | "=" | "!" | "~" => self.inner().right += 1,
            _ if PREFIXES.contains(&token) => self.inner().statements += 1,
            _ if word => {
                // A word before an operand without an operator between is a type, or a cast.
                if operand {
                    self.inner().right += 1;
                }
                self.operand = true;
            }
            // A binary or a prefix operator.
            _ if operand => self.inner().left += 1,
            _ => self.inner().right += 1,
        }
    }

    /// A statement has ended; enclosing ones continue only with `else`.
    fn ended(&mut self, following: &str) {
        let inner = self.inner();
        inner.expression_ended();
        if following != "else" {
            inner.statements = 0;
        }
    }
}

/// The next token, approximately: a word, a literal, or a non-blank character; operators like `==` are one token.
fn next(text: &str, from: usize) -> Option<(usize, &str)> {
    let rest = text[from..].trim_start();
    let start = text.len() - rest.len();
    let first = rest.chars().next()?;
    let length = match first {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => {
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
        }
        '"' | '\'' => {
            let mut escaped = false;
            let end = rest.char_indices().skip(1).find(|(_, c)| {
                let ends = !escaped && *c == first || *c == '\n';
                escaped = *c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |(i, c)| i + c.len_utf8())
        }
        _ => {
            let two = ["==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "++", "--", "->"];
            let pair = two.iter().any(|t| rest.starts_with(t));
            if pair { 2 } else { first.len_utf8() }
        }
    };
    Some((start, &rest[..length]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Option<String> {
        check(text, &Span::new).err().map(|d| d[0].message.clone())
    }

    #[test]
    fn what_nests_is_counted_and_what_does_not_is_not() {
        let many = |text: &str| text.repeat(10_000);
        for deep in [
            many("if (a) "),
            many("else if (a) b; "),
            many("a = "),
            many("a ? b : "),
            many("!"),
            many("(int) "),
            many("l: "),
            many("("),
            many("do "),
            many("- "),
            "a[".repeat(200),
            format!("int a{}", many("[1]")),
        ] {
            assert!(message(&deep).is_some_and(|m| m.contains("150 levels")), "{}", &deep[..20]);
        }
        let brackets = format!("{}a{}", "(".repeat(20), format!("{})", "* 2 ".repeat(100)).repeat(20));
        let arguments = format!("f(a, {}, b)", "(a + 1) * ".repeat(600));
        for long in [many("a + "), many("a && "), many("a < b | "), brackets, arguments] {
            assert!(message(&long).is_some_and(|m| m.contains("500 operators")), "{}", &long[..20]);
        }
        for increments in [many("++"), many("-- - "), many("++ sizeof ")] {
            assert!(
                message(&increments).is_some_and(|m| m.contains("8 increments")),
                "{}",
                &increments[..20]
            );
        }
        assert!(message("x = 0xe+1;").is_some_and(|m| m.contains("sign")));
        for flat in [
            "x = 0xe + 1; y = 0x1f+1; z = e+1;".to_owned(),
            many("a++; ++b; "),
            many("a = b + c; "),
            many("if (a) b; else { c; } "),
            many("f(a, b - 1, !c);"),
            many("{ while (a) { b[i] = -1; } }"),
            format!("int a[] = {{{}}};", many("1, -2, ")),
        ] {
            assert_eq!(message(&flat), None, "{}", &flat[..20]);
        }
    }
}
