//! The entries of property-directed reachability in the table of rounds.

use crate::kit::Journal;
use crate::methods::pdr::Event;
use crate::scene::{Chip, Mark, Text};

/// The entry of an event.
pub(crate) fn chip(event: Event, journal: &Journal) -> Chip {
    match event {
        Event::FrameOpened { frame } => Chip::new(Mark::Fact, Text::plain(&format!("frame {frame} opened"))),
        Event::FrameChecked { frame, answer } => {
            Chip::answered(&format!("a bad state in frame {frame}?"), answer, Mark::Yes)
        }
        Event::ObligationRaised { frame, formula } => {
            let text = Text::plain(&format!("proof obligation at {frame}: "));
            Chip::new(Mark::Open, text.and(Text::formula(journal, formula)))
        }
        Event::LemmaLearned { frame, formula } => {
            let text = Text::plain(&format!("lemma up to {frame}: "));
            Chip::new(Mark::Fact, text.and(Text::formula(journal, formula)))
        }
        Event::LemmasPushed { frame, left: 0 } => {
            Chip::new(Mark::No, Text::plain(&format!("frame {frame} is inductive")))
        }
        Event::LemmasPushed { frame, left } => {
            Chip::new(Mark::Fact, Text::plain(&format!("pushed from {frame}, {left} not pushed")))
        }
    }
}
