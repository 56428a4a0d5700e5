//! Explanations of the step of k-induction.

use crate::explain::glossary::Concept;
use crate::explain::piece::say;
use crate::explain::query::{asked, path, state, steps};
use crate::explain::{Context, Explanation};
use crate::kit::Answer;
use crate::methods::kind::Event;

/// Explains an event.
pub(crate) fn explain(cx: &Context<'_>, event: Event) -> Explanation {
    match event {
        Event::InductionChecked { steps, simple, answer } => induction_checked(cx, steps, simple, answer),
    }
}

fn induction_checked(cx: &Context<'_>, n: u32, simple: bool, answer: Answer) -> Explanation {
    let differ = if simple { " ∧ all states differ" } else { "" };
    let good = match n {
        0 | 1 => "¬Bad(s₀)".to_owned(),
        2 => "¬Bad(s₀) ∧ ¬Bad(s₁)".to_owned(),
        n => format!("¬Bad(s₀) ∧ … ∧ ¬Bad({})", state(n - 1)),
    };
    let question = format!("{good}{}{differ} ∧ Bad({})", path(n), state(n));
    let sat = [
        say![cx; "From some state, which need not be reachable, ", steps(n), " through good states lead to a bad one."],
        if simple {
            say![cx; "So ", Concept::KInduction, " with k = ", n, " fails, even for paths without repeated states. Then k is increased."]
        } else {
            say![cx; "So ", Concept::KInduction, " with k = ", n, " fails. The path may repeat a state or start in an \
                unreachable one."]
        },
    ];
    let unsat = [
        say![cx; "No path of ", steps(n), " through good", if simple { ", pairwise different" } else { "" },
            " states ends in a bad state."],
        if simple {
            say![cx; "A shortest run to a bad state repeats no state, and shorter runs were checked: the property holds."]
        } else {
            say![cx; "With the base cases this completes the induction: no run reaches a bad state. Interpolants of \
                the proofs give an inductive ", Concept::Invariant, "."]
        },
    ];
    let slip = "the first state of this path is arbitrary, not an initial state.";
    asked(cx, "Induction step", (question, answer), sat, unsat, slip)
}
