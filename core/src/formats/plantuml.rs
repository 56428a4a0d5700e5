//! Charts as state diagrams of PlantUML. They are pictures: guards and actions are texts there.

use std::fmt::Write as _;

use crate::chart::{Chart, StateId, StateKind, Transition};
use crate::formats::sc;

/// The chart as a text of PlantUML.
#[must_use]
pub fn print(chart: &Chart) -> String {
    let mut text = format!("@startuml\ntitle {}\n", chart.name);
    inside(chart, Chart::ROOT, 0, &mut text);
    for t in &chart.transitions {
        let line = transition(chart, t);
        text.push_str(&line);
    }
    text + "@enduml\n"
}

/// An identifier of PlantUML; other characters are written as underscores and their code.
fn id(chart: &Chart, state: StateId) -> String {
    let mut id = String::new();
    for c in chart.state(state).name.chars() {
        match c {
            '.' => id.push_str("__"),
            c if c.is_ascii_alphanumeric() || c == '_' => id.push(c),
            c => {
                let _ = write!(id, "_{:x}", u32::from(c));
            }
        }
    }
    id
}

fn inside(chart: &Chart, state: StateId, depth: usize, text: &mut String) {
    let blank = "  ".repeat(depth);
    let s = chart.state(state);
    if s.kind == StateKind::Composite {
        for target in &s.initial.targets {
            let actions = sc::actions_text(chart, &s.initial.actions);
            let label = if actions.is_empty() { actions } else { format!(" : / {actions}") };
            let _ = writeln!(text, "{blank}[*] --> {}{label}", end(chart, *target));
        }
    }
    for (i, child) in chart.substates(state).enumerate() {
        let c = chart.state(child);
        if s.kind == StateKind::Parallel && i > 0 {
            let _ = writeln!(text, "{blank}--");
        }
        let (name, label) = (id(chart, child), c.label.replace('"', "'"));
        if c.kind == StateKind::Final {
            let _ = writeln!(text, "{blank}state \"{label}\" as {name} <<end>>");
            continue;
        }
        let _ = writeln!(text, "{blank}state \"{label}\" as {name}");
        for (word, all) in [("entry", &c.entry), ("exit", &c.exit)] {
            let actions = sc::actions_text(chart, all);
            if !actions.is_empty() {
                let _ = writeln!(text, "{blank}{name} : {word} / {actions}");
            }
        }
        if !chart.is_atomic(child) {
            let _ = writeln!(text, "{blank}state {name} {{");
            inside(chart, child, depth + 1, text);
            let _ = writeln!(text, "{blank}}}");
        }
    }
}

/// The end of an arrow at a state.
fn end(chart: &Chart, state: StateId) -> String {
    match (chart.state(state).kind, chart.state(state).parent) {
        (StateKind::History { deep }, Some(parent)) => {
            format!("{}[H{}]", id(chart, parent), if deep { "*" } else { "" })
        }
        _ => id(chart, state),
    }
}

fn transition(chart: &Chart, t: &Transition) -> String {
    let label = sc::label(chart, t);
    let source = id(chart, t.source);
    if t.targets.is_empty() {
        return format!("{source} : {label}\n");
    }
    let separator = if label.is_empty() { "" } else { " : " };
    t.targets.iter().map(|s| format!("{source} --> {}{separator}{label}\n", end(chart, *s))).collect()
}
