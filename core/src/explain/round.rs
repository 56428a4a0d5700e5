//! Explanations of the two events that every run has: the start of a round, whatever the method's rounds are, and the end.

use crate::explain::glossary::Term;
use crate::explain::piece::{Piece, count, say};
use crate::explain::{Context, Explanation, Subjects, line};
use crate::kit::{Event, Goal, Verdict};
use crate::methods::{bmc, cegar, explicit, imc, pdr, split};

/// What a round is, which its first event shows.
pub(crate) fn started(cx: &Context<'_>, round: u32, first: Option<&Event>) -> Explanation {
    match first {
        Some(Event::Cegar(_) | Event::Lasso(_)) => cegar::explain::iteration_started(cx, round),
        Some(Event::Bmc(event)) => bmc::explain::round(cx, *event),
        Some(Event::Imc(_)) => imc::explain::round(cx, round),
        Some(Event::Pdr(_)) => pdr::explain::round(cx, round),
        Some(Event::Split(_)) => split::explain::round(cx, round),
        Some(Event::Explicit(_)) => explicit::explain::round(cx),
        Some(Event::Induction(_) | Event::IterationStarted { .. } | Event::Decided { .. }) | None => {
            if cx.journal.has_graph() {
                return cegar::explain::iteration_started(cx, round);
            }
            let (what, why) = (say![cx; "Round ", round, " starts."], say![cx; "It has no event yet."]);
            titled(format!("Round {round}"), what, why)
        }
    }
}

/// An explanation without formulas.
pub(crate) fn titled(title: String, what: Vec<Piece>, why: Vec<Piece>) -> Explanation {
    Explanation { title, what, why, maths: Vec::new(), slip: None, subjects: Subjects::default() }
}

/// The end of a run.
pub(crate) fn decided(cx: &Context<'_>, verdict: Verdict) -> Explanation {
    without_graph(cx, verdict).unwrap_or_else(|| cegar::explain::decided(cx, verdict))
}

/// The end of a run by a method whose steps are not those of abstraction refinement over a graph.
fn without_graph(cx: &Context<'_>, verdict: Verdict) -> Option<Explanation> {
    let first = cx.journal.events.iter().find(|e| !matches!(e, Event::IterationStarted { .. }))?;
    let listed = matches!(first, Event::Explicit(_));
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

/// The state that a run of interest ends in, in the terms of the question.
pub(crate) fn goal(cx: &Context<'_>) -> Vec<Piece> {
    match cx.goal() {
        Goal::Error => say![cx; "the ", Term::ErrorLocation],
        Goal::Violation => say![cx; "a state that violates the property"],
        Goal::Deadlock => say![cx; "a state in which no step can be taken"],
        Goal::Wanted => say![cx; "a target state"],
        Goal::Lasso => say![cx; "an accepting state of the product"],
    }
}
