//! Views: each view is a fold over a prefix of the journal.

use crate::kit::{Event, Journal};

/// The state of a run after some events.
pub trait View: Default + Clone {
    /// Applies one more event. `journal` contains the payload of the event's ids.
    fn apply(&mut self, event: &Event, journal: &Journal);
}

/// The view after the first `length` events.
///
/// # Panics
/// If the journal is shorter.
#[must_use]
pub fn fold<V: View>(journal: &Journal, length: usize) -> V {
    let mut view = V::default();
    for event in &journal.events[..length] {
        view.apply(event, journal);
    }
    view
}
