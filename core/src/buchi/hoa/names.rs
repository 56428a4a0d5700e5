//! The names of states. A state without a name is called `q` and its number.

use std::collections::BTreeSet;

use super::quoted;
use super::written::Written;
use crate::edit::Refusal;

/// The names of the states: those of the text, unless they are missing, repeated, or q and a number.
pub(super) fn names(text: &str, written: &Written) -> Vec<String> {
    let declared = written.states.and_then(|span| span.of(text).parse().ok()).unwrap_or(0);
    let starts = written.starts.iter().map(|(state, ..)| *state);
    let targets = written.blocks.iter().flat_map(|block| &block.edges);
    let targets = targets.filter_map(|edge| edge.target.of(text).parse().ok());
    let named = starts.chain(targets).chain(written.blocks.iter().map(|block| block.state));
    let count: usize = declared.max(named.map(|state| state + 1).max().unwrap_or(0));
    let mut names: Vec<String> = (0..count).map(|state| format!("q{state}")).collect();
    let mut taken = BTreeSet::new();
    for block in &written.blocks {
        let name = block.name.map(|span| unquoted(span.of(text))).unwrap_or_default();
        if number_of(&name).is_none() && !name.trim().is_empty() && taken.insert(name.clone()) {
            names[block.state] = name;
        }
    }
    names
}

/// The number in the name of a state without a name.
pub(super) fn number_of(name: &str) -> Option<usize> {
    let digits = name.strip_prefix('q')?;
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
}

fn unquoted(text: &str) -> String {
    text[1..text.len() - 1].replace("\\\"", "\"").replace("\\\\", "\\")
}

/// The name of a state as it is written after its number.
pub(super) fn own_name(name: &str, number: usize) -> Result<String, Refusal> {
    match number_of(name) {
        Some(own) if own == number => Ok(String::new()),
        Some(_) => Err(Refusal::new(format!(
            "'{name}' cannot be the name of state {number}: q and a number are for states without a name"
        ))),
        None if name.trim() != name || name.is_empty() || name.chars().any(char::is_control) => {
            Err(Refusal::new("a name has at least one character, no line break, and no blank at its ends"))
        }
        None if name.contains("*/") || name.contains("/*") => {
            Err(Refusal::new("a name contains neither /* nor */"))
        }
        None => Ok(format!(" {}", quoted(name))),
    }
}
