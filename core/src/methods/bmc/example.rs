//! Each event of the family, over the names of the example of all methods.

use crate::kit::Answer;
use crate::methods::bmc::Event;

/// The events, in an order in which they may occur.
pub(crate) fn events() -> Vec<Event> {
    vec![
        Event::BadChecked { steps: 0, answer: Answer::Unsat },
        Event::BadChecked { steps: 1, answer: Answer::Unknown },
        Event::BadChecked { steps: 2, answer: Answer::Sat },
    ]
}
