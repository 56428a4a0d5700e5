//! The semantic address of a step: which event of which phase of which iteration.

use crate::kit::{Event, Journal, Phase};
use crate::link::Cursor;

/// Where a link's step was found again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The very same step: the events before it are equal.
    Exact(usize),
    /// The run differs from the linked one; this step is the nearest to it.
    Nearest(usize),
    /// The journal does not reach that far yet.
    NotYet,
}

/// Iteration, phase and number within the phase of the last of these events.
#[must_use]
pub fn address_of(events: &[Event]) -> (u32, Option<Phase>, u32) {
    let mut at = (0, None, 0);
    for event in events {
        at = next(at, event);
    }
    at
}

fn next((iteration, phase, nth): (u32, Option<Phase>, u32), event: &Event) -> (u32, Option<Phase>, u32) {
    match event {
        Event::IterationStarted { iteration } => (*iteration, None, 1),
        other if other.phase() == phase => (iteration, phase, nth.saturating_add(1)),
        other => (iteration, other.phase(), 1),
    }
}

/// Finds a link's step in a journal; `ended` says that no more events will come.
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
        // The same address may still come, further on than it used to be.
        let (iteration, _, _) = address_of(&journal.events);
        if iteration <= cursor.iteration {
            return Place::NotYet;
        }
    }
    Place::Nearest(nearest(cursor, &journal.events))
}

/// The last step whose address is not after the cursor's, by iteration, then phase, then number.
fn nearest(cursor: &Cursor, events: &[Event]) -> usize {
    let wanted = (cursor.iteration, cursor.phase, cursor.nth);
    let mut at = (0, None, 0);
    let mut best = 0;
    for (i, event) in events.iter().enumerate() {
        at = next(at, event);
        if at == wanted {
            return i + 1;
        }
        if (at.0, at.1) == (wanted.0, wanted.1) || (at.0 <= wanted.0 && best == i) {
            best = i + 1;
        }
    }
    best
}
