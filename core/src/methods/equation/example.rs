//! Each event of the family, over the names of the example of all methods.

use crate::kit::{Answer, FormulaId};
use crate::methods::equation::Event;

/// The events, in an order in which they may occur.
pub(crate) fn events() -> Vec<Event> {
    vec![
        Event::EquationSolved { answer: Answer::Sat, traps: 0 },
        Event::TrapAdded { formula: FormulaId(0) },
        Event::EquationSolved { answer: Answer::Sat, traps: 1 },
        Event::SolutionTried { answer: Answer::Sat, fires: true },
        Event::SolutionTried { answer: Answer::Unsat, fires: false },
        Event::SolutionTried { answer: Answer::Sat, fires: false },
        Event::FiringsConstrained { formula: FormulaId(1) },
        Event::EquationSolved { answer: Answer::Unsat, traps: 1 },
        Event::InvariantFound { formula: FormulaId(1) },
    ]
}
