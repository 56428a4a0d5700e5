//! Explanations of the step of k-induction.

use crate::explain::glossary::Term;
use crate::explain::piece::say;
use crate::explain::query::{asked, path, steps};
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
    let question = format!("¬Bad(s₀) ∧ … ∧ ¬Bad(s{}){}{differ} ∧ Bad(s{n})", n.saturating_sub(1), path(n));
    let sat = [
        say![cx; "From some state that need not be reachable, ", steps(n), " over states that are not bad lead to a bad one."],
        if simple {
            say![cx; "So induction over ", steps(n), " does not suffice, even without repetitions. Longer paths are tried."]
        } else {
            say![cx; "So induction over ", steps(n), " does not suffice. Such a path may repeat a state, or start where no \
                run gets."]
        },
    ];
    let unsat = [
        say![cx; "After ", steps(n), " over states that are not bad", if simple { " and all differ" } else { "" },
            ", no bad state can follow."],
        if simple {
            say![cx; "Shortest runs repeat no state, and shorter ones were looked at: the property holds."]
        } else {
            say![cx; "Together with the base cases that is an induction: no run ever reaches a bad state. Interpolants of \
                the proofs make an ordinary ", Term::Invariant, " of it."]
        },
    ];
    let slip = "the first state of this path is any state, not an initial one.";
    asked(cx, "Induction step", (question, answer), sat, unsat, slip)
}
