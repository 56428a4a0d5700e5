//! How a run ends.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The answer to a verification question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Verdict {
    /// The property holds in every run.
    Holds,
    /// A concrete run violates it.
    Violated,
    /// No answer, for a stated reason.
    Unknown(UnknownReason),
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum UnknownReason {
    /// A refinement found no predicate that was not tracked already.
    NoProgress,
    /// The solver could not decide a query.
    Solver,
    /// The infeasible path could not be interpolated.
    Interpolation,
    /// The run that was found leaves the range of a type, which is undefined behaviour in the source language.
    Overflow,
    /// An invariant was found, but it is too large to be written down and checked.
    TooLarge,
    /// No violation has at most as many steps as the bound; longer runs are not checked.
    Bound,
    /// There are too many states or successors to be enumerated.
    TooMany,
    /// The run's budget of steps or time is used up.
    Budget,
    /// The method is for reachability in Petri nets.
    NoNet,
    /// A place of a net has more tokens than are counted.
    Tokens,
    /// The state equation has solutions, but none of them was found to be reachable.
    Equation,
    /// A place of a net that must be safe can get a second token.
    NotSafe,
    /// The execution of a chart cannot continue: a queue overflows, or a variable leaves its range.
    Fault,
    /// The formula has a solution that is no run: time passes a moment at which a transition must fire.
    NoRun,
    /// A time net has infinite runs that violate the property, but none of them was found to repeat its delays.
    Aperiodic,
    /// The same states are explored again and again with more predicates.
    Diverges,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Holds => f.write_str("holds"),
            Verdict::Violated => f.write_str("violated"),
            Verdict::Unknown(_) => f.write_str("unknown"),
        }
    }
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnknownReason::NoProgress => "no progress: the refinement found no new predicate or variable",
            UnknownReason::Solver => "the solver could not decide a query",
            UnknownReason::Interpolation => "the infeasible path could not be interpolated",
            UnknownReason::Overflow => {
                "the counterexample has undefined behaviour (C17), for example signed overflow"
            }
            UnknownReason::TooLarge => "the invariant that was found is too large for a certificate",
            UnknownReason::Bound => "the bound was reached, and neither a proof nor a violation was found",
            UnknownReason::TooMany => "there are too many states to be enumerated",
            UnknownReason::Budget => "the budget of this run is used up",
            UnknownReason::NoNet => "the state equation is for markings of Petri nets without time",
            UnknownReason::Tokens => "a place has more than 4294967295 tokens",
            UnknownReason::Equation => {
                "the state equation has real solutions, but no firing sequence was found"
            }
            UnknownReason::Fault => {
                "the execution of the chart cannot continue: a queue overflows, or a variable leaves its range"
            }
            UnknownReason::NoRun => {
                "the formula has a solution that is no run of the net: time passes a moment at which a transition must fire"
            }
            UnknownReason::Aperiodic => {
                "the net has infinite runs that violate the property, but none was found that repeats its delays"
            }
            UnknownReason::Diverges => {
                "the refinement diverges: predicates were added again and again, and the same states explored"
            }
            UnknownReason::NotSafe => "a place can get a second token, but the net must be safe",
        })
    }
}
