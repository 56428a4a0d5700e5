//! Each event of the family, over the names of the example of all methods.

use crate::buchi::emptiness::Colour;
use crate::kit::{Answer, FormulaId, NodeId};
use crate::methods::lasso::Event;

/// The events, in an order in which they may occur.
pub(crate) fn events() -> Vec<Event> {
    let n = NodeId;
    let colours = [Colour::White, Colour::Cyan, Colour::Blue, Colour::Red];
    let mut events: Vec<Event> = colours.map(|colour| Event::Coloured { node: n(0), colour }).to_vec();
    events.extend([
        Event::LetterChecked { node: n(0), answer: Answer::Sat },
        Event::LassoFound { back: 0, length: 1 },
        Event::LassoVisited { position: 0, node: n(0) },
        Event::CycleChecked { answer: Answer::Unsat },
        Event::RankingFound { formula: FormulaId(2) },
        Event::CycleChecked { answer: Answer::Sat },
        Event::RecurrenceFound { formula: FormulaId(2) },
        Event::LassoClosed { length: 1 },
    ]);
    events
}
