//! The run of a chart as rows: one for each state in which it waits for the environment, with the event before it, the
//! transitions that were taken, the active states and the data.

use super::{TraceRow, state_edge};
use crate::certificate::TraceState;
use crate::certificate::check::values;
use crate::chart::reading::Reading;
use crate::chart::{Chart, StateId};
use crate::system::{Edge, System};

/// The rows of a run of a chart; those without a step are between two states in which it waits.
pub(super) fn rows(system: &System, reading: &Reading, states: &[TraceState]) -> Vec<TraceRow> {
    let chart = &reading.chart;
    let texts: Vec<String> = chart.transition_ids().map(|t| chart.transition_text(t)).collect();
    let (mut event, mut taken) = ("start".to_owned(), Vec::new());
    let mut all = Vec::new();
    for state in states {
        let edge: Option<&Edge> = state_edge(state).and_then(|e| system.edges.get(e));
        if let Some(edge) = edge {
            match edge.label.strip_prefix("event ") {
                Some(name) if system.location(edge.source).name == crate::chart::lower::STABLE => {
                    event = received(chart, name, state);
                }
                _ if texts.contains(&edge.label) => taken.push(edge.label.clone()),
                _ => {}
            }
        }
        let target = edge.map(|e| e.target);
        // A property begins with an edge of its own, in the same state.
        let own = edge.is_some_and(|e| Some(e.target) == system.error && Some(e.target) != system.fault);
        let waits = target.is_some_and(|l| !system.location(l).anonymous && !own || Some(l) == system.fault);
        let why = edge.filter(|e| Some(e.target) == system.fault).map(|e| e.label.clone());
        let operation = match (waits, why) {
            (true, Some(why)) => why,
            (true, None) => std::mem::take(&mut taken).join("; "),
            _ => edge.map(|e| e.label.clone()).unwrap_or_default(),
        };
        all.push(TraceRow {
            operation,
            edge: state.edge,
            location: state.location.clone(),
            step: waits.then(|| std::mem::take(&mut event)),
            values: shown(system, reading, state),
            places: 0,
            time: None,
        });
    }
    all
}

/// An event with the values of its parameters.
fn received(chart: &Chart, name: &str, state: &TraceState) -> String {
    let parameters = chart.find_event(name).map(|e| &chart.event(e).parameters);
    let values: Vec<&str> = parameters
        .into_iter()
        .flatten()
        .filter_map(|v| Some(state.values.get(v.index())?.1.as_str()))
        .collect();
    if values.is_empty() { name.to_owned() } else { format!("{name}({})", values.join(", ")) }
}

/// The active atomic states, and the data.
fn shown(system: &System, reading: &Reading, state: &TraceState) -> Vec<(String, String)> {
    let chart = &reading.chart;
    let mut all = Vec::new();
    if let Ok(values) = values(system, state) {
        let active = |s: &StateId| {
            let inside = reading.inside[s.index()].eval(&|v| values[v.index()].clone());
            chart.is_atomic(*s) && inside.is_ok_and(|value| value.bool())
        };
        let names: Vec<&str> =
            chart.state_ids().skip(1).filter(active).map(|s| chart.state(s).name.as_str()).collect();
        all.push(("active".to_owned(), names.join(" ")));
    }
    let parameters: Vec<_> = chart.events.iter().flat_map(|e| &e.parameters).map(|v| v.index()).collect();
    let data = (0..chart.variables.len()).filter(|v| !parameters.contains(v));
    all.extend(data.filter_map(|v| state.values.get(v).cloned()));
    all
}
