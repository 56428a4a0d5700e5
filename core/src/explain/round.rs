//! Explanations of the two events that every run has: the start of a round of the method, and the end.

use crate::explain::glossary::Concept;
use crate::explain::piece::{Piece, count, say};
use crate::explain::{Context, Explanation, Subjects, line};
use crate::kit::{Event, Goal, UnknownReason, Verdict};
use crate::methods::{bmc, cegar, combined_approx, equation, explicit, imc, pdr, split, under};

/// The start of a round; its first event determines the method.
pub(crate) fn started(cx: &Context<'_>, round: u32, first: Option<&Event>) -> Explanation {
    match first {
        Some(Event::Cegar(_) | Event::Lasso(_)) => cegar::explain::iteration_started(cx, round),
        Some(Event::Bmc(event)) => bmc::explain::round(cx, *event),
        Some(Event::Imc(_)) => imc::explain::round(cx, round),
        Some(Event::Pdr(_)) => pdr::explain::round(cx, round),
        Some(Event::Split(_)) => split::explain::round(cx, round),
        Some(Event::Explicit(_)) => explicit::explain::round(cx),
        Some(Event::Under(_)) => under::explain::round(cx, round),
        Some(Event::CombinedApprox(event)) => combined_approx::explain::round(cx, *event),
        Some(Event::Equation(_)) => equation::explain::round(cx, round),
        Some(Event::Induction(_) | Event::IterationStarted { .. } | Event::Decided { .. }) | None => {
            if cx.journal.has_graph() {
                return cegar::explain::iteration_started(cx, round);
            }
            let (what, why) =
                (say![cx; "Round ", round, " starts."], say![cx; "The round has no events yet."]);
            titled(format!("Round {round}"), what, why)
        }
    }
}

/// An explanation without formulas.
pub(crate) fn titled(title: String, what: Vec<Piece>, why: Vec<Piece>) -> Explanation {
    Explanation { title, what, why, maths: Vec::new(), slip: None, subjects: Subjects::default() }
}

/// The end of a run; the first event after the start of a round determines the method.
pub(crate) fn decided(cx: &Context<'_>, verdict: Verdict) -> Explanation {
    let first = cx.journal.events.iter().find(|e| !matches!(e, Event::IterationStarted { .. }));
    match first {
        Some(Event::Cegar(_) | Event::Lasso(_)) | None => cegar::explain::decided(cx, verdict),
        Some(Event::Explicit(_)) => explicit::explain::decided(cx, verdict),
        Some(Event::Under(_)) => under::explain::decided(cx, verdict),
        Some(Event::CombinedApprox(_)) => combined_approx::explain::decided(cx, verdict),
        Some(Event::Bmc(_) | Event::Induction(_) | Event::Imc(_) | Event::Pdr(_) | Event::Split(_))
        | Some(Event::Equation(_))
        | Some(Event::IterationStarted { .. } | Event::Decided { .. }) => concluded(cx, verdict),
    }
}

/// The result of a temporal property that holds.
pub(crate) const EVERY_RUN: &str =
    "Every infinite run that meets the assumptions on fairness, if there are any, satisfies the formula.";

/// The end of a run, in the words of methods whose proof is an invariant or ranks.
pub(crate) fn concluded(cx: &Context<'_>, verdict: Verdict) -> Explanation {
    let (title, what, why, slip) = match verdict {
        Verdict::Holds if cx.goal() == Goal::Lasso => (
            "Holds",
            say![cx; EVERY_RUN],
            say![cx; "The ", Concept::BuchiAutomaton, " of the negated formula accepts the runs that violate the formula. No \
                reachable cycle of its ", Concept::Product, " with the model contains an accepting state. The ", Concept::Certificate,
                " is a ", Concept::Rank, " for each state: no step increases it, and it decreases when an accepting state is left."],
            "the automaton is that of the negated formula: the property holds if it accepts no run of the model.",
        ),
        Verdict::Violated if cx.goal() == Goal::Lasso => (
            "Violated",
            say![cx; "A run that repeats a cycle infinitely often violates the formula."],
            say![cx; "Its cycle in the ", Concept::Product, " contains an accepting state. The checker replays the run in the \
                interpreter and evaluates the formula on its states."],
            "one run is enough to violate the formula; other runs may satisfy it.",
        ),
        Verdict::Holds => (
            "Unreachable",
            say![cx; "No run reaches ", goal(cx), "."],
            say![cx; "An inductive ", Concept::Invariant, " was found: it holds initially, every step preserves it, and no bad \
                state satisfies it. It is a ", Concept::Certificate, ", checked independently of the method."],
            "an invariant contains all reachable states, and possibly unreachable ones, too.",
        ),
        Verdict::Violated => (
            if cx.goal() == Goal::Deadlock { "Deadlock" } else { "Reachable" },
            say![cx; "A run reaches ", goal(cx), "."],
            say![cx; "The run was replayed with the values of all variables. It is a ", Concept::Certificate,
                ", checked step by step, independently of the method."],
            "one run is enough; the other runs need not reach such a state.",
        ),
        Verdict::Unknown(reason) => (
            "Unknown",
            say![cx; "The run ends without a verdict: ", reason.to_string(), "."],
            unknown_because(cx, reason),
            NO_VERDICT,
        ),
    };
    let maths = vec![line("in all", count(cx.iteration(), "round"))];
    let subjects = Subjects::default();
    Explanation { title: title.to_owned(), what, why, maths, slip: Some(slip), subjects }
}

/// What *unknown* does not mean.
pub(crate) const NO_VERDICT: &str = "unknown means neither that the property holds nor that it is violated.";

/// Why a run ends without a verdict.
pub(crate) fn unknown_because(cx: &Context<'_>, reason: UnknownReason) -> Vec<Piece> {
    match reason {
        UnknownReason::NoProgress => {
            say![cx; "The ", Concept::Refinement, " found nothing new, so the same spurious \
            counterexample would be found again."]
        }
        UnknownReason::Solver => {
            say![cx; "The solver could not decide a query on which the next step depends. Other \
            options or another method may need easier queries."]
        }
        UnknownReason::Interpolation => {
            say![cx; "No ", Concept::Interpolant, " could be computed for a ", Concept::Spurious,
            " counterexample."]
        }
        UnknownReason::Overflow => {
            say![cx; "A run reaches ", goal(cx), ", but one of its steps overflows a signed type. \
            The behaviour after that is undefined, so the run is not a counterexample."]
        }
        UnknownReason::TooLarge => {
            say![cx; "An ", Concept::Invariant, " was found, but it is too large for a ",
            Concept::Certificate, ". Uncertified verdicts are reported as unknown."]
        }
        UnknownReason::Bound => {
            say![cx; "Neither a proof nor a violation was found within the bound. A greater bound may give a verdict."]
        }
        UnknownReason::TooMany => {
            say![cx; "This method enumerates the states, and there are too many of them. A symbolic method may help."]
        }
        UnknownReason::Budget => {
            say![cx; "The budget of steps or time is used up. With a larger one, the search can continue."]
        }
        UnknownReason::NoNet => {
            say![cx; "The state equation relates the markings of a Petri net. Other methods support this property."]
        }
        UnknownReason::Tokens => {
            say![cx; "A place would have more than 4294967295 tokens, which are not counted."]
        }
        UnknownReason::Equation => {
            say![cx; "The state equation has real solutions that violate the property, but no firing sequence was found. \
            Another method may decide it."]
        }
        UnknownReason::Fault => {
            say![cx; "A run ends where the execution of the chart cannot continue: a queue overflows, or a variable leaves \
            its range. What the chart does then is not defined."]
        }
        UnknownReason::NoRun => {
            say![cx; "The formula has a solution in which time passes a moment at which a transition must fire, so it is no \
            run of the net. The exact encoding has no such solutions."]
        }
        UnknownReason::Diverges => {
            say![cx; "The new predicates distinguish states that no run reaches, and each refinement adds further ones."]
        }
        UnknownReason::Aperiodic => {
            say![cx; "Infinite sequences of firings violate the property, but no run was found that repeats its \
            delays in each round of a cycle. Open intervals can exclude such runs."]
        }
        UnknownReason::NotSafe => {
            say![cx; "A place can get a second token. A net with delays of places must be safe."]
        }
    }
}

/// The state that a counterexample ends in, in the terms of the property.
pub(crate) fn goal(cx: &Context<'_>) -> Vec<Piece> {
    match cx.goal() {
        Goal::Error => say![cx; "the ", Concept::ErrorLocation],
        Goal::Violation if cx.can_fail() => {
            say![cx; "a state that violates the property, or a point at which the execution of the chart cannot continue"]
        }
        Goal::Violation => say![cx; "a state that violates the property"],
        Goal::Deadlock => say![cx; "a state in which no step can be taken"],
        Goal::Wanted => say![cx; "a target state"],
        Goal::Lasso => say![cx; "an accepting state of the product"],
    }
}
