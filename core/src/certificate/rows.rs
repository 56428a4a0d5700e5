//! Runs as rows, for command line and page: each state with the step that leads to it and the values that matter.

mod chart;

use serde::{Deserialize, Serialize};

use crate::certificate::TraceState;
use crate::net::marking_text;
use crate::system::{Formalism, System};

/// A state of a run, with the step that leads to it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceRow {
    /// The operation: the edge's statements, or the changes if steps are actions; empty at the start.
    pub operation: String,
    /// The edge's number.
    pub edge: Option<u32>,
    /// The target location.
    pub location: String,
    /// The name of the completed step: of the action if steps are actions, of the transition of a net, of the command,
    /// of a chart's event, or of the location. None where the state is not observable: inside of an action, and before
    /// a net has its marking.
    pub step: Option<String>,
    /// Variables and values after it, without those that are computed within a step only for other values.
    pub values: Vec<(String, String)>,
    /// Of a net, how many of the first values are numbers of tokens.
    pub places: usize,
    /// Of a time net, the time.
    pub time: Option<String>,
}

impl TraceRow {
    /// The marking of a net in this row: `p + 3 q`; 0 without a token.
    #[must_use]
    pub fn marking(&self) -> String {
        marking_text(
            self.values.iter().take(self.places).map(|(place, tokens)| (place.as_str(), tokens.clone())),
        )
    }
}

/// The rows of a run.
#[must_use]
pub fn rows(system: &System, states: &[TraceState]) -> Vec<TraceRow> {
    if let Some(reading) = &system.chart {
        return chart::rows(system, reading, states);
    }
    let (actions, shown) = (system.has_actions(), system.shown());
    // Variables of blocks have a dot in their names.
    let named = |v: usize| system.variables.get(v).is_some_and(|v| !v.name.contains('.'));
    let shown = |v: usize| shown.get(v).is_none_or(|shown| *shown) || actions && named(v);
    let clock = system.clocks.as_ref().map(|clocks| clocks.time().index());
    let places = system.net.as_ref().map_or(0, |net| net.places.len());
    let mut observed: Option<&TraceState> = None;
    // When time has passed, the property is violated.
    let violated =
        states.last().and_then(state_edge).zip(system.waiting()).is_some_and(|(e, w)| e > w.index());
    let row = |i: usize| {
        let state = &states[i];
        let is_last_wait = violated && i + 2 == states.len();
        let (operation, step) = match system.action_before(state_edge(state)) {
            Some(None) => (String::new(), None),
            Some(Some(action)) => {
                let before = observed.replace(state);
                (before.map_or_else(String::new, |before| changes(before, state)), Some(action.to_owned()))
            }
            None => {
                let edge = state_edge(state).and_then(|e| system.edges.get(e));
                let label = edge.map(|e| e.label.clone()).unwrap_or_default();
                let step = match &system.net {
                    // The first edge gives the initial values; the last one may be the property's, without a command.
                    None if system.formalism == Formalism::Commands => {
                        edge.filter(|e| Some(e.target) != system.error).map(|_| label.clone())
                    }
                    // The first edge assigns the initial marking; those after the transitions are the property's.
                    Some(net) => state_edge(state)
                        .filter(|e| *e <= net.transitions.len() || is_last_wait)
                        .map(|_| label.clone()),
                    None => Some(state.location.clone()),
                };
                (label, step)
            }
        };
        let values = state.values.iter().enumerate().filter(|(v, _)| shown(*v)).map(|(_, pair)| pair.clone());
        let (edge, location) = (state.edge, state.location.clone());
        let time = clock.and_then(|clock| state.values.get(clock)).map(|(_, time)| time.clone());
        TraceRow { operation, edge, location, step, values: values.collect(), places, time }
    };
    (0..states.len()).map(row).collect()
}

pub(super) fn state_edge(state: &TraceState) -> Option<usize> {
    state.edge.map(|e| e as usize)
}

/// The changes in the second state, except those of variables of blocks.
fn changes(before: &TraceState, after: &TraceState) -> String {
    let pairs = before.values.iter().zip(&after.values);
    let changed = pairs.filter(|(old, new)| old != new && !new.0.contains('.'));
    changed.map(|(_, (name, value))| format!("{name} := {value}")).collect::<Vec<_>>().join("; ")
}
