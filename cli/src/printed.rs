//! Runs in printed form, for readers and for scripts.

use serde_json::{Value, json};
use veristep_core::certificate::{Certificate, TraceState};
use veristep_core::system::System;

/// With more variables, only changes are printed after the first state.
const ALL: usize = 12;

/// The printed part of a run: its observable states, each with the step that leads to it.
struct Rows<'a> {
    states: Vec<(usize, &'a TraceState, String)>,
    /// By variable: is it printed?
    printed: Vec<bool>,
    /// Are only changes printed after the first state?
    changes: bool,
}

impl<'a> Rows<'a> {
    fn of(system: &System, states: &'a [TraceState]) -> Rows<'a> {
        let step = |s: &TraceState| match system.action_before(s.edge.map(|e| e as usize)) {
            Some(action) => action.map(str::to_owned),
            None => Some(s.location.clone()),
        };
        let actions = system.has_actions();
        let shown = states.iter().enumerate().filter_map(|(i, s)| Some((i, s, step(s)?))).collect();
        // Values computed within a step are omitted, but where there are few states, all are printed.
        let visible = system.shown();
        let printed =
            (0..visible.len()).map(|v| visible[v] || actions && !system.variables[v].name.contains('.'));
        let printed: Vec<bool> = printed.collect();
        let changes = actions || states.iter().any(|s| s.values.len() > ALL);
        Rows { states: shown, printed, changes }
    }

    fn values(&self, state: &TraceState, before: Option<&TraceState>) -> String {
        let before = before.filter(|_| self.changes);
        let mut values = Vec::new();
        for (i, (name, value)) in state.values.iter().enumerate() {
            let same = before.is_some_and(|b| b.values.get(i).is_some_and(|(_, old)| old == value));
            if self.printed.get(i).is_none_or(|printed| *printed) && !same {
                values.push(format!("{name} = {value}"));
            }
        }
        if values.is_empty() && before.is_some() { "—".to_owned() } else { values.join(", ") }
    }
}

/// Prints the states of a run; of a lasso with the start of its cycle, and the formula that holds there each time.
pub(crate) fn print_run(system: &System, states: &[TraceState], lasso: Option<(usize, Option<&str>)>) {
    let rows = Rows::of(system, states);
    // The last state that is printed at or before the position.
    let back =
        lasso.and_then(|(back, _)| rows.states.iter().map(|(i, ..)| *i).take_while(|i| *i <= back).last());
    say!("  run:");
    let (mut before, mut inside): (Option<&TraceState>, bool) = (None, false);
    for (i, s, name) in &rows.states {
        let bar = if inside { "│" } else { " " };
        say!("   {bar} {name:20} {}", rows.values(s, before));
        before = Some(s);
        if Some(*i) == back {
            say!("   ┌ repeated forever:");
            inside = true;
        }
    }
    match lasso {
        Some((_, Some(kept))) => say!("   └ back to the start of the cycle, since each time {kept}"),
        Some((_, None)) => say!("   └ back to the start of the cycle"),
        None => {}
    }
    if rows.changes {
        say!("  (after the first state, only changes are shown)");
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
