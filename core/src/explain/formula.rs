//! Formulas as text: priming, the variables that occur, an operation as a transition formula.
//!
//! The journal keeps formulas as text. These helpers parse just enough of it to write out a query; unrecognised
//! text is left unchanged.

use std::collections::BTreeSet;

/// Words of the expression language that are not variables.
const WORDS: &[&str] = &[
    "true", "false", "not", "and", "or", "xor", "imply", "iff", "if", "then", "else", "ite", "div", "mod",
    "rem", "forall", "exists", "distinct", "let", "in", "havoc", "assume", "skip", "read", "write",
    "default",
];

/// Splits a text into identifiers and everything else, in order.
fn tokens(text: &str) -> Vec<(bool, &str)> {
    let part_of =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '$' | '#' | '.' | '\'' | '⟨' | '⟩');
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = first.is_alphabetic() || first == '_';
        // A number is one token, so that no letter inside it starts an identifier.
        let whole = word || first.is_alphanumeric();
        let end = rest.find(|c| if whole { !part_of(c) } else { c.is_alphanumeric() || c == '_' });
        let (token, tail) = rest.split_at(end.unwrap_or(rest.len()));
        found.push((word && !WORDS.contains(&token), token));
        rest = tail;
    }
    found
}

/// The formula about the state after a step: each variable primed.
pub(crate) fn primed(text: &str) -> String {
    renamed(text, |name| format!("{name}′"))
}

/// The formula with other names for its variables.
pub(crate) fn renamed(text: &str, name: impl Fn(&str) -> String) -> String {
    tokens(text).iter().map(|(is_name, s)| if *is_name { name(s) } else { (*s).to_owned() }).collect()
}

/// The variables that occur.
pub(crate) fn variables(text: &str) -> BTreeSet<&str> {
    tokens(text).into_iter().filter_map(|(name, s)| name.then_some(s)).collect()
}

/// An indexed variable without its index: `x_3`, `x@3`, `x⟨3⟩` and `x#3` are copies of `x`.
pub(crate) fn base(indexed: &str) -> &str {
    let stem = indexed.trim_end_matches('⟩').trim_end_matches(|c: char| c.is_ascii_digit());
    match stem.strip_suffix(['_', '@', '#', '⟨', '$', '.']) {
        Some(name) if stem.len() < indexed.len() && !name.is_empty() => name,
        _ => indexed,
    }
}

/// The transition formula of an operation: `i := i + 1` is `i′ = i + 1`, other variables unchanged.
pub(crate) fn transition(op: &str) -> String {
    let op = op.trim();
    let one = !op.contains(';') && !op.contains('{');
    let assumption =
        op.strip_prefix("assume ").or_else(|| op.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')));
    if let (true, Some((left, right))) = (one && op.matches(":=").count() == 1, op.split_once(":=")) {
        let left = left.trim();
        return format!("{left}′ = {}, other variables unchanged", right.trim());
    }
    match assumption {
        Some(condition) if one => format!("{}, variables unchanged", condition.trim()),
        _ => match op.strip_prefix("havoc ") {
            Some(variable) if one => format!("{}′ is any value, other variables unchanged", variable.trim()),
            _ => op.to_owned(),
        },
    }
}

/// The conjunction of formulas; of none, it is `true`.
pub(crate) fn conjunction<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let parts: Vec<&str> = parts.into_iter().filter(|part| *part != "true").collect();
    match parts.as_slice() {
        [] => "true".to_owned(),
        [one] => (*one).to_owned(),
        many => many.iter().map(|part| wrapped(part)).collect::<Vec<_>>().join(" ∧ "),
    }
}

/// The formula in parentheses, unless it is a single word, a comparison or a negation.
pub(crate) fn wrapped(text: &str) -> String {
    let joins = [" and ", " or ", " ∧ ", " ∨ ", " imply ", " iff ", " => ", " xor ", " ? "];
    if joins.iter().any(|join| text.contains(join)) { format!("({text})") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priming_touches_variables_only() {
        assert_eq!(primed("not (x <= 10) and y_1 = 0x1f"), "not (x′ <= 10) and y_1′ = 0x1f");
        assert_eq!(primed("true"), "true");
        assert_eq!(primed("(a mod 2) = 1%3"), "(a′ mod 2) = 1%3");
        assert_eq!(primed(""), "");
    }

    #[test]
    fn variables_and_their_indices() {
        assert_eq!(variables("x_1 = x_0 + 1 and b").into_iter().collect::<Vec<_>>(), ["b", "x_0", "x_1"]);
        let bases = ["x_3", "x@12", "x⟨2⟩", "x#0", "x", "loop_i", "x3", "_1", "_"].map(base);
        assert_eq!(bases, ["x", "x", "x", "x", "x", "loop_i", "x3", "_1", "_"]);
    }

    #[test]
    fn operations_as_formulas() {
        assert_eq!(transition("i := i + 1"), "i′ = i + 1, other variables unchanged");
        assert_eq!(transition("[i < 3]"), "i < 3, variables unchanged");
        assert_eq!(transition("assume x = 0"), "x = 0, variables unchanged");
        assert_eq!(transition("havoc x"), "x′ is any value, other variables unchanged");
        assert_eq!(transition("x := 1; y := 2"), "x := 1; y := 2");
    }

    #[test]
    fn conjunctions() {
        assert_eq!(conjunction([]), "true");
        assert_eq!(conjunction(["true", "x = 1"]), "x = 1");
        assert_eq!(conjunction(["a or b", "x = 1"]), "(a or b) ∧ x = 1");
    }
}
