//! Runs in printed form, for readers and for scripts.

use clap::ValueEnum;
use serde_json::{Value, json};
use veristep_core::certificate::{Certificate, TraceRow, TraceState, rows};
use veristep_core::net::witness::{self, Witness};
use veristep_core::property::Property;
use veristep_core::scene::middle;
use veristep_core::system::System;

/// How an answer is printed.
#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

/// The longest name of a step.
const LONGEST: usize = 60;

/// With more variables, only changes are printed after the first state.
const ALL: usize = 12;

/// The values of a row; after the first one only those that differ from the row before, if `before` is given.
fn values(row: &TraceRow, before: Option<&TraceRow>) -> String {
    let same = |i: usize, value: &String| {
        before.is_some_and(|b| b.values.get(i).is_some_and(|(_, old)| old == value))
    };
    let shown = row.values.iter().enumerate().filter(|(i, (_, value))| !same(*i, value));
    let shown: Vec<String> = shown.map(|(_, (name, value))| format!("{name} = {value}")).collect();
    if shown.is_empty() && before.is_some() { "—".to_owned() } else { shown.join(", ") }
}

/// Prints the states of a run; of a lasso with the start of its cycle, and the formula that holds there each time.
pub(crate) fn print_run(system: &System, states: &[TraceState], lasso: Option<(usize, Option<&str>)>) {
    let rows = rows(system, states);
    let observed = || rows.iter().enumerate().filter_map(|(i, row)| Some((i, row, row.step.as_ref()?)));
    let is_net = system.net.is_some();
    let changes = !is_net && (system.has_actions() || states.iter().any(|s| s.values.len() > ALL));
    // The last state that is printed at or before the position.
    let back = lasso.and_then(|(back, _)| observed().map(|(i, ..)| i).take_while(|i| *i <= back).last());
    say!("  run:");
    let (mut before, mut inside): (Option<&TraceRow>, bool) = (None, false);
    for (i, row, name) in observed() {
        let bar = if inside { "│" } else { " " };
        let (name, state) = match is_net {
            true => (name.clone(), row.marking()),
            false => (middle(name, LONGEST), values(row, before.filter(|_| changes))),
        };
        match &row.time {
            Some(time) => say!("   {bar} {name:20} at {time:6} {state}"),
            None => say!("   {bar} {name:20} {state}"),
        }
        before = Some(row);
        if Some(i) == back {
            say!("   ┌ repeated forever:");
            inside = true;
        }
    }
    match lasso {
        Some((_, Some(kept))) => say!("   └ back to the start of the cycle, since each time {kept}"),
        Some((_, None)) => say!("   └ back to the start of the cycle"),
        None => {}
    }
    if changes {
        say!("  (after the first state, only changes are shown)");
    }
}

/// Limit of printed rows of a certificate.
const ROWS: usize = 100;

/// Reports the number of omitted rows.
fn more(rows: usize) {
    if let Some(more @ 1..) = rows.checked_sub(ROWS) {
        say!("    and {more} more, which --certificate FILE writes");
    }
}

/// Prints a certificate.
pub(crate) fn print_certificate(system: &System, certificate: Option<&Certificate>) {
    match certificate {
        Some(Certificate::Trace { states }) => print_run(system, states, None),
        Some(Certificate::Lasso { states, back, recurrent_set }) => {
            print_run(system, states, Some((*back, recurrent_set.as_deref())))
        }
        Some(Certificate::Progress { nodes, .. }) => {
            say!("  sets of states, with the state of the automaton and the rank:");
            for n in nodes.iter().take(ROWS) {
                let q = n.state.map_or_else(|| "start".to_owned(), |q| format!("q{q}"));
                say!("    {:20} {q:5} {:10} {}", n.location, n.rank.join(", "), n.formula);
            }
            more(nodes.len());
        }
        Some(Certificate::Invariant { locations }) => {
            say!("  invariant:");
            for (name, formula) in locations.iter().take(ROWS) {
                say!("    {name:20} {formula}");
            }
            more(locations.len());
        }
        Some(Certificate::Structure { predicates, states, .. }) => {
            say!("  structure:");
            for (i, state) in states.iter().take(ROWS).enumerate() {
                let name = format!("a{i} {}", state.location);
                say!("    {name:20} {}", state.formula(predicates));
            }
            more(states.len());
        }
        // The report has the number of markings, and a formula of branching time a witness.
        Some(Certificate::Explored { .. }) | None => {}
    }
}

/// The states of a run, for scripts.
pub(crate) fn trace(system: &System, certificate: &Certificate) -> Option<Value> {
    let (Certificate::Trace { states } | Certificate::Lasso { states, .. }) = certificate else {
        return None;
    };
    let state = |s: &TraceState| {
        let pairs = s.values.iter().map(|(name, value)| (name.clone(), Value::from(value.clone())));
        let values: serde_json::Map<String, Value> = pairs.collect();
        let step = system.action_before(s.edge.map(|e| e as usize)).flatten();
        json!({"location": s.location, "step": step, "edge": s.edge, "values": values})
    };
    Some(states.iter().map(state).collect())
}

/// Prints why a formula of branching time is true or false in the initial marking of a net.
pub(crate) fn print_witness(system: &System, property: &Property, certificate: Option<&Certificate>) {
    let Some(Certificate::Explored { markings, .. }) = certificate else { return };
    let (Property::Branching(formula), Some(net)) = (property, &system.net) else { return };
    if *markings > witness::MARKINGS as u64 {
        say!("  no witness: only the first {} markings are searched for one", witness::MARKINGS);
        return;
    }
    let Some(witness) = Witness::of(net, formula) else { return };
    say!("  witness:");
    for (depth, line) in witness.lines(system, net) {
        say!("    {:1$}{line}", "", 2 * depth);
    }
}
