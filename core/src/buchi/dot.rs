//! Automata as Graphviz graphs.

use std::fmt::Write as _;

use crate::buchi::automaton::{Automaton, Marks};

/// The Graphviz text; accepting states have a double border, marks on transitions are numbered.
#[must_use]
pub fn print(automaton: &Automaton, name: &str) -> String {
    let mut a = automaton.clone();
    let plain = a.is_plain();
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut out =
        format!("digraph \"{}\" {{\n  rankdir=LR\n  start [shape=none, label=\"\"]\n", escaped(name));
    for q in a.ids() {
        let shape = if plain && a.is_accepting(q) { "doublecircle" } else { "circle" };
        let _ = writeln!(out, "  {q} [shape={shape}]");
    }
    let _ = writeln!(out, "  start -> {}", a.initial);
    for q in a.ids() {
        for t in a.states[q.index()].clone() {
            let atoms = a.atoms.clone();
            let guard = a.guards.text(t.guard, &|v| atoms[v as usize].clone());
            let marks: Vec<String> = (0..a.marks)
                .filter(|m| !plain && t.marks.includes(Marks::one(*m)))
                .map(|m| format!("({m})"))
                .collect();
            let label = escaped(&format!("{guard} {}", marks.join("")));
            let _ = writeln!(out, "  {q} -> {} [label=\"{}\"]", t.target, label.trim_end());
        }
    }
    out.push_str("}\n");
    out
}
