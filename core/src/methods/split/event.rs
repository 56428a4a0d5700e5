//! The events of refinement by splitting abstract states.

use serde::{Deserialize, Serialize};

use crate::kit::{self, Answer, CellId, Counted, Family, FormulaId, Journal, Problem, Reader, Role};
use crate::system::VarId;

/// The phases, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Cells and transitions are explored.
    Explore,
    /// Does a cell violate the property?
    Check,
    /// An abstract counterexample is checked on the concrete system.
    Concretize,
    /// Interpolants separate dead ends from bad states.
    Interpolate,
    /// Cells are split.
    Split,
    /// Cells that need not be explored again are kept.
    Keep,
}

impl Phase {
    /// All of them.
    pub const ALL: [Phase; 6] =
        [Phase::Explore, Phase::Check, Phase::Concretize, Phase::Interpolate, Phase::Split, Phase::Keep];

    /// The name on screen.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Phase::Explore => "Explore",
            Phase::Check => "Check",
            Phase::Concretize => "Concretize",
            Phase::Interpolate => "Interpolate",
            Phase::Split => "Split",
            Phase::Keep => "Keep",
        }
    }

    /// The role that all methods share.
    #[must_use]
    pub fn role(self) -> Role {
        match self {
            Phase::Explore => Role::Abstract,
            Phase::Check => Role::Check,
            Phase::Concretize => Role::Concretize,
            Phase::Interpolate => Role::Interpolate,
            Phase::Split => Role::Refine,
            Phase::Keep => Role::Prune,
        }
    }
}

/// One fact about refinement by splitting.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Event {
    /// A cell was reached for the first time since the last refinement.
    CellReached {
        /// The cell.
        cell: CellId,
        /// Its label: a formula that holds in its states.
        formula: FormulaId,
    },
    /// Does a state of the cell violate the property?
    CellChecked {
        /// The cell.
        cell: CellId,
        /// Sat: one does.
        answer: Answer,
    },
    /// All successors of the cell were explored.
    CellExplored {
        /// The cell.
        cell: CellId,
    },
    /// A state of one cell leads to a state of another one; without a source, it is initial.
    TransitionFound {
        /// The source.
        from: Option<CellId>,
        /// The target.
        to: CellId,
    },
    /// Does a concrete path follow this number of steps of the counterexample?
    PathChecked {
        /// The number of steps; one more than the length includes a violation at the end.
        steps: u32,
        /// Sat: one does.
        answer: Answer,
    },
    /// A concrete path leads to this state of the counterexample, and cannot be extended.
    FailureFound {
        /// The cell.
        cell: CellId,
        /// Its position on the path, from 0.
        position: u32,
    },
    /// The interpolant at a state of the counterexample.
    CellInterpolated {
        /// The cell.
        cell: CellId,
        /// The interpolant.
        formula: FormulaId,
    },
    /// The cell was replaced by its two parts.
    CellSplit {
        /// The cell.
        cell: CellId,
    },
    /// The values of a variable are distinguished from now on.
    VariableTracked {
        /// The variable.
        variable: VarId,
    },
    /// A number of cells need not be explored again.
    CellsKept {
        /// How many.
        kept: u32,
    },
}

impl Event {
    /// The phase it belongs to.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match self {
            Event::CellReached { .. } | Event::CellExplored { .. } | Event::TransitionFound { .. } => {
                Phase::Explore
            }
            Event::CellChecked { .. } => Phase::Check,
            Event::PathChecked { .. } | Event::FailureFound { .. } => Phase::Concretize,
            Event::CellInterpolated { .. } => Phase::Interpolate,
            Event::CellSplit { .. } | Event::VariableTracked { .. } => Phase::Split,
            Event::CellsKept { .. } => Phase::Keep,
        }
    }

    /// The variable whose values are distinguished from now on.
    pub(crate) fn tracked(&self) -> Option<VarId> {
        match *self {
            Event::VariableTracked { variable } => Some(variable),
            Event::CellReached { .. }
            | Event::CellChecked { .. }
            | Event::CellExplored { .. }
            | Event::TransitionFound { .. }
            | Event::PathChecked { .. }
            | Event::FailureFound { .. }
            | Event::CellInterpolated { .. }
            | Event::CellSplit { .. }
            | Event::CellsKept { .. } => None,
        }
    }

    /// Does it refer only to what is there?
    pub(crate) fn check(&self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        match *self {
            Event::CellReached { formula, .. } | Event::CellInterpolated { formula, .. } => {
                reader.formula(formula)
            }
            Event::CellChecked { .. }
            | Event::CellExplored { .. }
            | Event::TransitionFound { .. }
            | Event::PathChecked { .. }
            | Event::FailureFound { .. }
            | Event::CellSplit { .. }
            | Event::CellsKept { .. } => Ok(()),
            Event::VariableTracked { variable } => reader.variable(variable),
        }
    }
}

impl Family for Event {
    fn phase(&self) -> kit::Phase {
        kit::Phase::Split(Event::phase(self))
    }

    fn asked(&self) -> u32 {
        match *self {
            Event::CellChecked { .. } | Event::TransitionFound { .. } | Event::PathChecked { .. } => 1,
            Event::CellReached { .. }
            | Event::CellExplored { .. }
            | Event::FailureFound { .. }
            | Event::CellInterpolated { .. }
            | Event::CellSplit { .. }
            | Event::VariableTracked { .. }
            | Event::CellsKept { .. } => 0,
        }
    }

    fn counted(&self) -> Option<Counted> {
        match self {
            Event::CellReached { .. } => Some(Counted::Node),
            Event::CellSplit { .. } => Some(Counted::Predicate),
            Event::VariableTracked { .. } => Some(Counted::Variable),
            Event::CellChecked { .. }
            | Event::CellExplored { .. }
            | Event::TransitionFound { .. }
            | Event::PathChecked { .. }
            | Event::FailureFound { .. }
            | Event::CellInterpolated { .. }
            | Event::CellsKept { .. } => None,
        }
    }

    fn line(&self, journal: &Journal) -> String {
        match *self {
            Event::CellReached { cell, formula: id } => format!("  reached {cell}: {}", journal.formula(id)),
            Event::CellChecked { cell, answer } => format!("  bad in {cell}? {answer:?}"),
            Event::CellExplored { cell } => format!("  explored {cell}"),
            Event::TransitionFound { from: None, to } => format!("  initial {to}"),
            Event::TransitionFound { from: Some(from), to } => format!("  {from} leads to {to}"),
            Event::PathChecked { steps, answer } => format!("  prefix? {steps} steps: {answer:?}"),
            Event::FailureFound { cell, position } => format!("  fails at {cell}, position {position}"),
            Event::CellInterpolated { cell, formula: id } => {
                format!("  interpolant at {cell}: {}", journal.formula(id))
            }
            Event::CellSplit { cell } => format!("  split {cell}"),
            Event::VariableTracked { variable } => format!("  variable {}", journal.variable(variable)),
            Event::CellsKept { kept } => format!("  kept {kept}"),
        }
    }
}
