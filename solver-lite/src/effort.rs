//! How much work searches have done, in a unit that is the same on every machine: about an assignment to a variable.

use std::cell::Cell;

thread_local! {
    static SPENT: Cell<u64> = const { Cell::new(0) };
}

/// The work of all searches of this thread so far. What lies between two calls is what a search between them cost.
#[must_use]
pub fn spent() -> u64 {
    SPENT.get()
}

/// Adds work that was done.
pub(crate) fn spend(units: usize) {
    SPENT.set(SPENT.get().wrapping_add(units as u64));
}
