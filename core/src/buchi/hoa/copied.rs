//! Parts of automata as texts.

use super::label::{label_and_sets, numbered_label};
use super::quoted;
use crate::edit::automaton::Automaton;
use crate::edit::pins::{self, Comment};
use crate::system::Role;

/// A part of an automaton as a text, for the clipboard.
#[must_use]
pub fn copied(part: &Automaton) -> String {
    let number = |name: &str| part.locations.iter().position(|(own, _)| own == name).unwrap_or_default();
    let mut atoms: Vec<String> = part.variables.iter().map(|(name, _)| name.clone()).collect();
    let texts =
        part.edges.iter().map(|edge| label_and_sets(edge.statements.first().map_or("", String::as_str)));
    let texts: Vec<(&str, &str)> = texts.collect();
    let used = texts.iter().flat_map(|(_, sets)| sets.split(|c: char| !c.is_ascii_digit()));
    let count = used.filter_map(|set| set.parse::<usize>().ok()).max().unwrap_or(0) + 1;
    let join = |each: &dyn Fn(usize) -> String, by: &str| (0..count).map(each).collect::<Vec<_>>().join(by);
    let mut states = Vec::new();
    for (at, (name, _)) in part.locations.iter().enumerate() {
        let all = format!(" {{{}}}", join(&|set| set.to_string(), " "));
        let accepting = if part.accepting.contains(name) { all.as_str() } else { "" };
        states.push(format!("State: {at} {}{accepting}", quoted(name)));
        for (edge, (label, sets)) in part.edges.iter().zip(&texts).filter(|(edge, _)| edge.source == *name) {
            let label = numbered_label(label, &mut atoms);
            states.push(format!("[{label}] {} {sets}", number(&edge.target)).trim_end().to_owned());
        }
    }
    let names: String = atoms.iter().map(|atom| format!(" {}", quoted(atom))).collect();
    let mut lines = vec!["HOA: v1".to_owned(), format!("States: {}", part.locations.len())];
    let initial = part.locations.iter().filter(|(_, role)| *role == Role::Initial);
    lines.extend(initial.map(|(name, _)| format!("Start: {}", number(name))));
    lines.push(format!("AP: {}{names}", atoms.len()));
    lines.push(format!("Acceptance: {count} {}", join(&|set| format!("Inf({set})"), "&")));
    lines.push("--BODY--".to_owned());
    lines.append(&mut states);
    lines.push("--END--".to_owned());
    lines.extend(part.pins.iter().map(|(name, pin)| pins::written(name, *pin, Comment::Block)));
    lines.join("\n") + "\n"
}
