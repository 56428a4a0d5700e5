//! The entries of the state equation in the table of rounds.

use crate::kit::{Answer, Journal};
use crate::methods::equation::Event;
use crate::scene::{Chip, Mark, Text};
use crate::text::count;

/// The entry of an event.
pub(crate) fn chip(event: Event, journal: &Journal) -> Chip {
    match event {
        Event::EquationSolved { answer, traps } => {
            let traps = count(traps as usize, "trap");
            Chip::answered(
                &format!("a solution that violates the property, with {traps}?"),
                answer,
                Mark::Yes,
            )
        }
        Event::TrapAdded { formula } => {
            Chip::new(Mark::Fact, Text::plain("trap: ").and(Text::formula(journal, formula)))
        }
        Event::InvariantFound { formula } => {
            Chip::new(Mark::Fact, Text::plain("invariant: ").and(Text::formula(journal, formula)))
        }
        Event::FiringsConstrained { formula } => {
            Chip::new(Mark::Fact, Text::plain("firings: ").and(Text::formula(journal, formula)))
        }
        Event::SolutionTried { answer: Answer::Sat, fires } => {
            let text = if fires { "the solution fires" } else { "the solution does not fire" };
            Chip::new(Mark::Fact, Text::plain(text))
        }
        Event::SolutionTried { answer, .. } => Chip::answered("an integer solution?", answer, Mark::Yes),
    }
}
