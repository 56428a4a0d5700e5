//! Explanations of the start of a round, whatever the method's rounds are, and of the end of a run.

use crate::explain::abstraction;
use crate::explain::context::Context;
use crate::explain::glossary::Term;
use crate::explain::piece::{Piece, count, say};
use crate::explain::verdict::goal;
use crate::explain::{Explanation, Subjects, line};
use crate::kit::{Event, Goal, Verdict};

/// What this round is, which its first step tells.
pub(super) fn started(cx: &Context<'_>, round: u32, first: Option<&Event>) -> Explanation {
    let Some(first) = first else { return abstraction::iteration_started(cx, round) };
    let (title, what, why): (String, Vec<Piece>, Vec<Piece>) = match *first {
        Event::BadChecked { steps: 0, .. } => (
            "Runs of length 0".to_owned(),
            say![cx; "Is an initial state bad? No step is taken yet."],
            say![cx; "Longer runs are looked at after this, one step more each time."],
        ),
        Event::BadChecked { steps, .. } => (
            format!("Runs of length {steps}"),
            say![cx; "Runs that take exactly ", count(usize::try_from(steps).unwrap_or(usize::MAX), "step"), " are looked at."],
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
                if kept(cx) {
                    say![cx; "The last counterexample was spurious and cannot come back. What was reached before the first \
                        cell that was split is kept."]
                } else {
                    say![cx; "The last counterexample was spurious and cannot come back. The search starts anew."]
                },
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

/// Did the last refinement keep cells?
fn kept(cx: &Context<'_>) -> bool {
    let before = cx.index.checked_sub(1).and_then(|i| cx.journal.events.get(i));
    matches!(before, Some(Event::CellsKept { kept: 1.. }))
}

/// The end of a run by a method whose steps are not those of abstraction refinement over a graph.
pub(super) fn decided(cx: &Context<'_>, verdict: Verdict) -> Option<Explanation> {
    let first = cx.journal.events.iter().find(|e| !matches!(e, Event::IterationStarted { .. }))?;
    let listed = matches!(first, Event::StateReached { .. });
    if !listed && cx.journal.has_graph() {
        return None;
    }
    let states = cx.after.nodes.len();
    let (title, what, why, slip) = match verdict {
        Verdict::Holds if cx.goal() == Goal::Lasso => (
            "Holds",
            say![cx; "Every infinite run satisfies the formula."],
            say![cx; "The automaton accepts what violates the formula, and no cycle of its product with the model that can be \
                reached goes through an accepting state. A rank for each state, which no step increases and which decreases when an \
                accepting state is left, shows it to the checker."],
            "the automaton is one of the formula's negation: that it accepts nothing is what is wanted.",
        ),
        Verdict::Violated if cx.goal() == Goal::Lasso => (
            "Violated",
            say![cx; "A run that repeats its steps for ever violates the formula."],
            say![cx; "It ends in a cycle of the product that goes through an accepting state. The checker takes its steps with the \
                interpreter and evaluates the formula on its states."],
            "one run is enough, however many runs satisfy the formula.",
        ),
        Verdict::Holds if listed => (
            "No run gets there",
            say![cx; "All ", count(states, "state"), ", those within a step included, were listed, and none is ",
                if cx.goal() == Goal::Error { "at " } else { "" }, goal(cx), "."],
            say![cx; "What was listed contains the initial states and everything that follows from one of them: it is an \
                inductive ", Term::Invariant, ", and can be checked as one."],
            "values that nobody reads any more do not count, so there may be more states than were listed.",
        ),
        Verdict::Holds => (
            "No run gets there",
            say![cx; "No run reaches ", goal(cx), "."],
            say![cx; "An inductive ", Term::Invariant, " was found: it is true at the start, every step keeps it, and no bad \
                state satisfies it. It can be checked without trusting the method that found it."],
            "an invariant is no description of what is reached: it may contain states that no run gets to.",
        ),
        Verdict::Violated => (
            "A run gets there",
            say![cx; "A run reaches ", goal(cx), "."],
            say![cx; "The run was repeated with the values of all variables, and can be checked step by step, without \
                trusting the verifier."],
            "one run is enough, however many runs do not get there.",
        ),
        Verdict::Unknown(_) => return None,
    };
    let maths = vec![line("in all", count(cx.iteration(), "round"))];
    let subjects = Subjects::default();
    Some(Explanation { title: title.to_owned(), what, why, maths, slip: Some(slip), subjects })
}
