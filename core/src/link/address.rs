//! The semantic address of a step: iteration, role of the phase, and number of the event within that role.

use crate::kit::{Event, Journal, Phase, Role};
use crate::link::Cursor;

/// The step found for a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The same step: the preceding events are equal.
    Exact(usize),
    /// The run differs from the linked one; this is the nearest step.
    Nearest(usize),
    /// The journal is still too short.
    NotYet,
}

/// Counts the events of each role of the current iteration.
#[derive(Default)]
struct Counter {
    iteration: u32,
    role: Option<Role>,
    counts: [u32; 7],
}

impl Counter {
    fn next(&mut self, event: &Event) {
        if let Event::IterationStarted { iteration } = event {
            *self = Counter { iteration: *iteration, ..Counter::default() };
        }
        self.role = event.phase().map(Phase::role);
        if let Some(role) = self.role {
            let count = &mut self.counts[role as usize];
            *count = count.saturating_add(1);
        }
    }

    fn address(&self) -> (u32, Option<Role>, u32) {
        (self.iteration, self.role, self.role.map_or(1, |role| self.counts[role as usize]))
    }
}

/// Iteration, role of the phase of the last event, and its number among the events of that role in that iteration.
#[must_use]
pub fn address_of(events: &[Event]) -> (u32, Option<Role>, u32) {
    let mut at = Counter::default();
    if events.is_empty() {
        return (0, None, 0);
    }
    events.iter().for_each(|event| at.next(event));
    at.address()
}

/// Finds the step of a link in a journal; `ended` if no more events follow.
#[must_use]
pub fn find(cursor: &Cursor, journal: &Journal, ended: bool) -> Place {
    let index = cursor.index as usize;
    if index > journal.events.len() && !ended {
        return Place::NotYet;
    }
    if index <= journal.events.len() && journal.prefix_hash(index) == cursor.hash {
        return Place::Exact(index);
    }
    if !ended {
        // The same address may still be reached at a larger index.
        let (iteration, _, _) = address_of(&journal.events);
        if iteration <= cursor.iteration {
            return Place::NotYet;
        }
    }
    Place::Nearest(nearest(cursor, &journal.events))
}

/// The last step whose address is not after the cursor's, by iteration, then role, then number.
fn nearest(cursor: &Cursor, events: &[Event]) -> usize {
    let wanted = (cursor.iteration, cursor.role, cursor.nth);
    let mut counter = Counter::default();
    let mut best = 0;
    for (i, event) in events.iter().enumerate() {
        counter.next(event);
        let at = counter.address();
        if at == wanted {
            return i + 1;
        }
        let before = at.1 == wanted.1 && at.2 < wanted.2;
        if (at.0 == wanted.0 && before) || (at.0 <= wanted.0 && best == i) {
            best = i + 1;
        }
    }
    best
}
