//! Effort of searches in a machine-independent unit: approximately one assignment to a variable.

use std::cell::Cell;

thread_local! {
    static SPENT: Cell<u64> = const { Cell::new(0) };
}

/// The effort of all searches of this thread so far. The difference of two calls is the effort of the searches between.
#[must_use]
pub fn spent() -> u64 {
    SPENT.get()
}

/// Adds effort.
pub(crate) fn spend(units: usize) {
    SPENT.set(SPENT.get().wrapping_add(units as u64));
}
