//! What the variables of a system mean for the chart that it was made from.

use std::sync::Arc;

use super::{Chart, StateId};
use crate::expr::Expr;

/// A chart with the conditions over the variables of its system.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The chart.
    pub chart: Arc<Chart>,
    /// For each state: it is active, where the chart waits for the environment.
    pub inside: Vec<Expr>,
    /// For each event: it was the last one of the environment.
    pub event: Vec<Expr>,
}

impl Reading {
    /// `in(On.Red)`: this state is active; `event(e)`: the last event of the environment was this one. `None` for
    /// other names.
    #[must_use]
    pub fn condition(&self, name: &str, arguments: &[&str]) -> Option<Result<Expr, String>> {
        match (name, arguments) {
            ("in" | "In", [state]) => {
                let found = self.chart.find_state(state.trim_matches(['"', '\'']));
                Some(found.map(|s: StateId| self.inside[s.index()].clone()))
            }
            ("event", [event]) => {
                let found = self.chart.find_event(event).filter(|e| self.chart.event(*e).external);
                let none = || format!("the environment sends no event '{event}'");
                Some(found.map(|e| self.event[e.index()].clone()).ok_or_else(none))
            }
            ("in" | "In" | "event", _) => Some(Err(format!("'{name}' has one argument"))),
            _ => None,
        }
    }
}
