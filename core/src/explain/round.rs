//! Explanations of the start of a round, whatever the method's rounds are.

use crate::explain::abstraction;
use crate::explain::context::Context;
use crate::explain::piece::{Piece, say};
use crate::explain::{Explanation, Subjects};
use crate::kit::Event;

/// What this round is, which its first step tells.
pub(super) fn started(cx: &Context<'_>, round: u32, first: Option<&Event>) -> Explanation {
    let Some(first) = first else { return abstraction::iteration_started(cx, round) };
    let (title, what, why): (String, Vec<Piece>, Vec<Piece>) = match *first {
        Event::BadChecked { steps, .. } => (
            format!("Runs of length {steps}"),
            say![cx; "Runs that take exactly ", steps, " steps are looked at."],
            say![cx; "Shorter ones were looked at before. All of them are one formula, with a copy of the variables for each \
                state on the way."],
        ),
        Event::FrameChecked { .. } | Event::FrameOpened { .. } => (
            format!("Round {round}"),
            say![cx; "The search asks what can be reached in one more step."],
            say![cx; "What was learned about fewer steps is kept: lemmas are learned once and pushed as far as they hold."],
        ),
        Event::StateReached { .. } => (
            "Explicit search".to_owned(),
            say![cx; "Concrete states are listed one by one, breadth first."],
            say![cx; "Nothing is abstracted, so every violation is real, and where no state is left the property holds. The \
                price is that each state is looked at by itself."],
        ),
        Event::CellReached { .. }
        | Event::TransitionFound { .. }
        | Event::CellChecked { .. }
        | Event::CellsKept { .. }
            if round > 1 =>
        {
            (
                format!("Iteration {round}"),
                say![cx; "The abstract system is searched again, with the cells that were split."],
                say![cx; "The last counterexample was spurious and cannot come back. What was explored before the first cell \
                    that was split is kept."],
            )
        }
        Event::CellReached { .. } | Event::TransitionFound { .. } | Event::CellChecked { .. } => (
            "Iteration 1".to_owned(),
            say![cx; "The abstract system is built on the fly, cell by cell, depth first."],
            say![cx; "A cell is a set of states that are not told apart. The initial predicates and variables say which \
                cells there are at first."],
        ),
        _ => return abstraction::iteration_started(cx, round),
    };
    Explanation { title, what, why, maths: Vec::new(), slip: None, subjects: Subjects::default() }
}
