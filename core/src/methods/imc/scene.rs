//! The entries of interpolation-based model checking in the table of rounds.

use crate::kit::Journal;
use crate::methods::imc::Event;
use crate::scene::{Chip, Mark, Text};
use crate::text::count;

/// The entry of an event.
pub(crate) fn chip(event: Event, journal: &Journal) -> Chip {
    match event {
        Event::ImageChecked { images, answer } => {
            let images = count(images as usize, "image");
            Chip::answered(&format!("a bad state within the bound, from {images}?"), answer, Mark::Yes)
        }
        Event::ImageGrew { images, formula } => {
            let text = Text::plain(&format!("image {}: ", images + 1));
            Chip::new(Mark::Fact, text.and(Text::formula(journal, formula)))
        }
        Event::ClosureChecked { answer } => Chip::answered("a new state in the image?", answer, Mark::Yes),
    }
}
