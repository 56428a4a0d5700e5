//! A drawing as a list, for the keyboard, for screen readers and for searching.

use crate::scene::{Drawing, Mark, Node, Thing};

/// A node in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The key of the node.
    pub key: String,
    /// The node and its roles.
    pub text: String,
    /// The edges that leave it, each with its target and what it stands for.
    pub edges: Vec<(String, Option<Thing>)>,
    /// What it stands for.
    pub about: Option<Thing>,
}

/// A text with its roles in words, without those that it contains between commas.
fn with_roles(text: &str, marks: &[Mark]) -> String {
    let mut marks: Vec<Mark> = marks.to_vec();
    marks.sort_unstable();
    let contained = |word: &str| text.split([',', ':']).any(|part| part.trim() == word);
    let in_title =
        |mark: &Mark| matches!(mark, Mark::Folded | Mark::Infeasible | Mark::Covered | Mark::Matched);
    let words = marks.iter().filter(|mark| !in_title(mark)).filter_map(|mark| mark.meaning());
    let new: String = words.filter(|word| !contained(word)).map(|word| format!(", {word}")).collect();
    format!("{text}{new}")
}

/// The name of a node: its first row, or else all it stands for.
fn name(node: &Node) -> &str {
    node.rows.first().map_or(node.title.as_str(), |row| row.text.as_str())
}

pub(super) fn of(drawing: &Drawing) -> Vec<Entry> {
    let entry = |node: &Node| {
        let edges = drawing.edges.iter().filter(|edge| edge.source == node.key).map(|edge| {
            let target = drawing.node(&edge.target).map_or("", name);
            let by = if edge.title.is_empty() { &edge.label } else { &edge.title };
            (with_roles(&format!("{by} → {target}"), &edge.marks), edge.about.first().copied())
        });
        Entry {
            key: node.key.clone(),
            text: with_roles(&node.title, &node.marks),
            edges: edges.collect(),
            about: node.about.first().copied(),
        }
    };
    drawing.nodes.iter().map(entry).collect()
}
