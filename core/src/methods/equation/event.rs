//! The events of the state equation.

use serde::{Deserialize, Serialize};

use crate::kit::{self, Answer, Counted, Family, FormulaId, Journal, Problem, Reader, Role};

/// The phases, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// The linear constraints are solved.
    Solve,
    /// A trap, an invariant or a constraint on firings is added.
    Refine,
    /// A solution is tried as a firing sequence.
    Realize,
}

impl Phase {
    /// All of them.
    pub const ALL: [Phase; 3] = [Phase::Solve, Phase::Refine, Phase::Realize];

    /// The name on screen.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Phase::Solve => "Solve",
            Phase::Refine => "Refine",
            Phase::Realize => "Fire",
        }
    }

    /// The role that all methods share.
    #[must_use]
    pub fn role(self) -> Role {
        match self {
            Phase::Solve => Role::Abstract,
            Phase::Refine => Role::Interpolate,
            Phase::Realize => Role::Check,
        }
    }
}

/// One fact about the state equation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Event {
    /// Does the equation have a real solution that violates the property?
    EquationSolved {
        /// Unsat: it has none.
        answer: Answer,
        /// The number of traps among the constraints.
        traps: u32,
    },
    /// A trap that is marked at the start must stay marked.
    TrapAdded {
        /// The constraint.
        formula: FormulaId,
    },
    /// An invariant excludes all violations.
    InvariantFound {
        /// The invariant.
        formula: FormulaId,
    },
    /// An integer solution was tried.
    SolutionTried {
        /// Sat: there is one.
        answer: Answer,
        /// Is it the firing vector of a sequence that was found?
        fires: bool,
    },
    /// The next integer solution has fewer of the firings of the last one, or more of those that would enable what is
    /// left of it.
    FiringsConstrained {
        /// The constraint.
        formula: FormulaId,
    },
}

impl Event {
    /// The phase it belongs to.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match self {
            Event::EquationSolved { .. } => Phase::Solve,
            Event::TrapAdded { .. } | Event::InvariantFound { .. } | Event::FiringsConstrained { .. } => {
                Phase::Refine
            }
            Event::SolutionTried { .. } => Phase::Realize,
        }
    }

    /// Does it refer only to what is there?
    pub(crate) fn check(&self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        match *self {
            Event::EquationSolved { .. } | Event::SolutionTried { .. } => Ok(()),
            Event::TrapAdded { formula }
            | Event::InvariantFound { formula }
            | Event::FiringsConstrained { formula } => reader.formula(formula),
        }
    }
}

impl Family for Event {
    fn phase(&self) -> kit::Phase {
        kit::Phase::Equation(Event::phase(self))
    }

    fn asked(&self) -> u32 {
        match *self {
            Event::EquationSolved { .. } | Event::SolutionTried { .. } | Event::InvariantFound { .. } => 1,
            Event::TrapAdded { .. } | Event::FiringsConstrained { .. } => 0,
        }
    }

    fn counted(&self) -> Option<Counted> {
        match self {
            Event::TrapAdded { .. } | Event::InvariantFound { .. } | Event::FiringsConstrained { .. } => {
                Some(Counted::Predicate)
            }
            Event::EquationSolved { .. } | Event::SolutionTried { .. } => None,
        }
    }

    fn line(&self, journal: &Journal) -> String {
        match *self {
            Event::EquationSolved { answer, traps } => {
                format!("  real solution with {traps} traps? {answer:?}")
            }
            Event::TrapAdded { formula } => format!("  trap: {}", journal.formula(formula)),
            Event::FiringsConstrained { formula } => format!("  firings: {}", journal.formula(formula)),
            Event::InvariantFound { formula } => format!("  invariant: {}", journal.formula(formula)),
            Event::SolutionTried { answer, fires } => {
                format!("  integer solution? {answer:?}, {}", if fires { "fires" } else { "does not fire" })
            }
        }
    }
}
