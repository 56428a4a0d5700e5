//! Each event of the family, over the names of the example of all methods.

use crate::kit::Answer;
use crate::methods::kind::Event;

/// The events, in an order in which they may occur.
pub(crate) fn events() -> Vec<Event> {
    vec![
        Event::InductionChecked { steps: 1, simple: false, answer: Answer::Sat },
        Event::InductionChecked { steps: 2, simple: true, answer: Answer::Unsat },
    ]
}
