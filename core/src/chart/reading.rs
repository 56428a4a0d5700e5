//! What the variables of a system mean for the chart that it was made from.

use std::sync::Arc;

use solver_lite::term::Value;

use super::machine::Status;
use super::{Chart, EventId, StateId};
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
    /// For each variable of the system, what it stands for.
    pub meaning: Vec<Meaning>,
    /// The events that can be in the queue.
    pub queued: Vec<EventId>,
}

/// What a variable of the system of a chart stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A variable of the chart.
    Data,
    /// The active substate of a composite state: 0 if there is none, otherwise its number from 1.
    Current(StateId),
    /// The substate of a composite state that a history recorded.
    Recorded(StateId, StateId),
    /// Has a history of a parallel state recorded anything?
    HasRecorded(StateId),
    /// Is a region active?
    Region(StateId),
    /// The last event of the environment: 0 at the start, otherwise its number from 1.
    Event,
    /// A place of the queue of raised events, from 0: 0 if it is empty, otherwise the number of the event from 1.
    Queue(usize),
    /// Is a transition selected? This is false when the chart waits.
    Selected,
}

impl Reading {
    /// The values of the system's variables when the chart waits, after this event of the environment.
    #[must_use]
    pub fn values(&self, status: &Status, event: Option<EventId>) -> Vec<Value> {
        let number = |n: usize| Value::Num(i64::try_from(n).unwrap_or(i64::MAX).into());
        let chart = &*self.chart;
        // The number of the substate that contains an active state or is one.
        let substate = |of: StateId, active: Vec<StateId>| {
            let all: Vec<StateId> = chart.substates(of).collect();
            let at =
                active.into_iter().find_map(|s| all.iter().position(|c| *c == s || chart.is_inside(s, *c)));
            number(at.map_or(0, |at| at + 1))
        };
        let value = |(i, meaning): (usize, &Meaning)| match meaning {
            Meaning::Data => status.values[i].clone(),
            Meaning::Current(s) => substate(*s, status.active.iter().copied().collect()),
            Meaning::Recorded(h, s) => substate(*s, status.history.get(h).cloned().unwrap_or_default()),
            Meaning::HasRecorded(h) => Value::Bool(status.history.contains_key(h)),
            Meaning::Region(s) => Value::Bool(status.active.contains(s)),
            Meaning::Event => {
                let before = |e: EventId| chart.events[..e.index()].iter().filter(|e| e.external).count();
                number(event.map_or(0, |e| 1 + before(e)))
            }
            Meaning::Queue(i) => {
                let waiting = status.queue.get(*i).and_then(|e| self.queued.iter().position(|q| q == e));
                number(waiting.map_or(0, |at| at + 1))
            }
            Meaning::Selected => Value::Bool(false),
        };
        self.meaning.iter().enumerate().map(value).collect()
    }

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
