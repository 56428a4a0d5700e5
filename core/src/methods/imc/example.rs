//! Each event of the family, over the names of the example of all methods.

use crate::kit::{Answer, FormulaId};
use crate::methods::imc::Event;

/// The events, in an order in which they may occur.
pub(crate) fn events() -> Vec<Event> {
    vec![
        Event::ImageChecked { images: 0, answer: Answer::Unsat },
        Event::ImageGrew { images: 0, formula: FormulaId(2) },
        Event::ClosureChecked { answer: Answer::Sat },
        Event::ImageChecked { images: 1, answer: Answer::Sat },
        Event::ClosureChecked { answer: Answer::Unsat },
    ]
}
