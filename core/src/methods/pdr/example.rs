//! Each event of the family, over the names of the example of all methods.

use crate::kit::{Answer, FormulaId};
use crate::methods::pdr::Event;

/// The events, in an order in which they may occur.
pub(crate) fn events() -> Vec<Event> {
    vec![
        Event::FrameChecked { frame: 1, answer: Answer::Sat },
        Event::ObligationRaised { frame: 1, formula: FormulaId(4) },
        Event::LemmaLearned { frame: 1, formula: FormulaId(2) },
        Event::FrameChecked { frame: 1, answer: Answer::Unsat },
        Event::FrameOpened { frame: 2 },
        Event::LemmasPushed { frame: 1, left: 2 },
        Event::LemmasPushed { frame: 2, left: 0 },
    ]
}
