//! A drawing as a list, for the keyboard, for screen readers and for searching.

use crate::scene::{Drawing, Mark, Node, Thing};

/// A node in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The key of the node.
    pub key: String,
    /// The node and its roles.
    pub text: String,
    /// The edges that leave it, each with its target.
    pub edges: Vec<String>,
    /// What it stands for.
    pub about: Option<Thing>,
}

/// The roles in words.
fn roles(marks: &[Mark]) -> String {
    let mut marks: Vec<Mark> = marks.to_vec();
    marks.sort_unstable();
    marks.iter().filter_map(|mark| mark.meaning()).map(|meaning| format!(", {meaning}")).collect()
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
            format!("{by} → {target}{}", roles(&edge.marks))
        });
        Entry {
            key: node.key.clone(),
            text: format!("{}{}", node.title, roles(&node.marks)),
            edges: edges.collect(),
            about: node.about.first().copied(),
        }
    };
    drawing.nodes.iter().map(entry).collect()
}
