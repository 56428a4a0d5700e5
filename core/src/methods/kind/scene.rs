//! The entries of k-induction in the table of rounds.

use crate::methods::kind::Event;
use crate::scene::{Chip, Mark};
use crate::text::count;

/// The entry of an event.
pub(crate) fn chip(event: Event) -> Chip {
    match event {
        Event::InductionChecked { steps, simple, answer } => {
            let differ = if simple { ", all different" } else { "" };
            let good = count(steps as usize, "good state");
            Chip::answered(&format!("a bad state after {good}{differ}?"), answer, Mark::Yes)
        }
    }
}
