//! Does a program contain an assertion, or a call of an error function, even if disabled or unreachable?
//!
//! Decided on the text after preprocessing; an assertion that is a macro, as `assert` is with `NDEBUG`, counts where it
//! is expanded. Declarations and definitions of error functions are not calls, whatever their bodies contain; neither
//! are other uses of their names.

use super::preprocess::spellings;

/// Names of error functions and assertions.
pub(super) const ASSERTIONS: [&str; 6] =
    ["assert", "reach_error", "__VERIFIER_assert", "__VERIFIER_error", "__assert_fail", "__assert"];

/// Keywords that precede an expression.
const STATEMENTS: [&str; 3] = ["else", "do", "return"];

/// Does a preprocessed program contain an assertion, or a call of an error function?
pub(super) fn asks(text: &str) -> bool {
    let words = spellings(text);
    let mut at = 0;
    while at < words.len() {
        let before = at.checked_sub(1).map_or("", |i| words[i]);
        let called = words.get(at + 1) == Some(&"(");
        if !ASSERTIONS.contains(&words[at]) || !called {
            at += 1;
        } else if is_type(before) {
            at = after_declaration(&words, at);
        } else {
            return true;
        }
    }
    false
}

/// May a type end with this token, so that the next name is declared?
fn is_type(token: &str) -> bool {
    let word = token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    token == "*" || word && !STATEMENTS.contains(&token)
}

/// The position after the semicolon, or after the body, of the function declared at a position.
fn after_declaration(words: &[&str], name: usize) -> usize {
    let (mut depth, mut body) = (0_usize, false);
    for (at, word) in words.iter().enumerate().skip(name) {
        match *word {
            "(" | "{" => {
                body |= *word == "{" && depth == 0;
                depth += 1;
            }
            ")" | "}" => depth = depth.saturating_sub(1),
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
        if body && depth == 0 {
            return at + 1;
        }
    }
    words.len()
}

#[cfg(test)]
mod tests {
    use super::super::source::Source;
    use super::super::types::DataModel;

    fn asks(text: &str) -> bool {
        Source::read(text, DataModel::Ilp32).unwrap_or_else(|d| panic!("{text}: {}", d[0].message)).asks()
    }

    #[test]
    fn calls_ask_and_declarations_do_not() {
        for asks_something in [
            "int main() { assert(1); }",
            "void reach_error(void) {} int main() { if (0) reach_error(); else reach_error(); }",
            "int main() { do reach_error(); while (0); }",
            "#define FAIL reach_error()\nint main() { FAIL; }",
            "#define assert(x) ((void)0)\nint main() { assert(0); }",
            "#define NDEBUG\n#include <assert.h>\nint main() { assert(0); }",
            "void reach_error(); int main() { char c = '\"'; reach_error(); }",
        ] {
            assert!(asks(asks_something), "{asks_something}");
        }
        for no_property in [
            "#include <assert.h>\nint main() { return 0; }",
            "extern void __assert_fail(const char *, int) __attribute__((__noreturn__));
             void reach_error() { __assert_fail(\"0\", 3); } int main() { return 0; }",
            "void __VERIFIER_assert(int c) { if (!c) { E: { reach_error(); } } return; } int main() {}",
            "int main() { /* assert(0) */ char *c = \"assert(0)\"; // reach_error()\n}",
            "#undef assert\n#define assert(x) ((void)0)\nint main() { return 0; }",
            "#define FAIL reach_error()\n#define check(x) assert(x)\nint main() { return 0; }",
            "int main() {\n#if 0\nassert(0);\n#endif\nreturn 0; }",
            "void *reach_error(void);",
            "int reach_error; int main() { reach_error = 3; return reach_error; }",
        ] {
            assert!(!asks(no_property), "{no_property}");
        }
    }
}
