//! The entries of bounded model checking in the table of rounds.

use crate::methods::bmc::Event;
use crate::scene::{Chip, Mark};
use crate::text::count;

/// The entry of an event.
pub(crate) fn chip(event: Event) -> Chip {
    match event {
        Event::BadChecked { steps, answer } => Chip::answered(
            &format!("a violation after {}?", count(steps as usize, "step")),
            answer,
            Mark::Bad,
        ),
    }
}
