//! Views: what is shown is a fold over a prefix of the journal.

use crate::kit::{Event, Journal};

/// A picture of a run at some moment.
pub trait View: Default + Clone {
    /// Goes one event further. `journal` holds the payload the event's ids refer to.
    fn apply(&mut self, event: &Event, journal: &Journal);
}

/// The picture after the first `length` events.
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
