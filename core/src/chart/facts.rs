//! Facts of a chart that hint at mistakes, from an explicit search: transitions that are never taken, states that are
//! never entered, transitions of which the order of the text chooses one, and executions that cannot continue.

use std::collections::BTreeSet;

use super::explore::{Found, Given, explore_with};
use super::machine::{Fault, Microstep, Status};
use super::{Chart, EventId, StateId, TransitionId};

/// The facts. The lists are final only if the search was complete.
#[derive(Clone, Debug)]
pub struct Facts {
    /// What the search found.
    pub found: Found,
    /// The transitions that are never taken.
    pub dead: Vec<TransitionId>,
    /// The states that are never entered.
    pub unreachable: Vec<StateId>,
    /// Pairs that are enabled at the same time, of which the first is taken because it comes first in the text.
    pub conflicts: BTreeSet<(TransitionId, TransitionId)>,
}

impl Facts {
    /// The facts of a chart, from at most `limit` statuses.
    #[must_use]
    pub fn of(chart: &Chart, limit: usize) -> Facts {
        let (mut taken, mut entered, mut conflicts) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut visit = |_: Option<&Status>, _: Option<EventId>, steps: &[Microstep]| {
            for step in steps {
                taken.extend(step.transitions.iter().copied());
                entered.extend(step.entered.iter().copied());
                conflicts.extend(step.overruled.iter().copied());
            }
        };
        let found = explore_with(chart, limit, &mut visit);
        let states = chart.state_ids().skip(1).filter(|s| !chart.is_history(*s));
        Facts {
            dead: chart.transition_ids().filter(|t| !taken.contains(t)).collect(),
            unreachable: states.filter(|s| !entered.contains(s)).collect(),
            conflicts,
            found,
        }
    }

    /// The executions that cannot continue, at most so many: the events up to that, as few as possible, and why.
    #[must_use]
    pub fn faults(&self, chart: &Chart, most: usize) -> Vec<(Vec<String>, String)> {
        let text = |(event, values): &Given| chart.event_text(*event, values);
        let all = self.found.faults.iter().take(most);
        all.map(|((_, fault), events)| (events.iter().map(text).collect(), fault.text(chart))).collect()
    }

    /// Was every status reached, and were all macrosteps executed as far as they are different?
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let is_cut = |(_, fault): &(Option<EventId>, Fault)| *fault == Fault::Limit;
        !self.found.truncated && !self.found.faults.keys().any(is_cut)
    }
}
