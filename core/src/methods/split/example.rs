//! Each event of the family, over the names of the example of all methods.

use crate::kit::{Answer, CellId, FormulaId};
use crate::methods::split::Event;
use crate::system::VarId;

/// The events, in an order in which they may occur.
pub(crate) fn events() -> Vec<Event> {
    let c = CellId;
    vec![
        Event::TransitionFound { from: None, to: c(0) },
        Event::CellReached { cell: c(0), formula: FormulaId(2) },
        Event::CellChecked { cell: c(0), answer: Answer::Unsat },
        Event::TransitionFound { from: Some(c(0)), to: c(1) },
        Event::CellReached { cell: c(1), formula: FormulaId(4) },
        Event::CellExplored { cell: c(1) },
        Event::CellChecked { cell: c(1), answer: Answer::Sat },
        Event::PathChecked { steps: 0, answer: Answer::Sat },
        Event::PathChecked { steps: 1, answer: Answer::Unsat },
        Event::PathChecked { steps: 2, answer: Answer::Unknown },
        Event::FailureFound { cell: c(0), position: 0 },
        Event::CellInterpolated { cell: c(0), formula: FormulaId(2) },
        Event::CellSplit { cell: c(0) },
        Event::VariableTracked { variable: VarId(0) },
        Event::CellsKept { kept: 0 },
    ]
}
