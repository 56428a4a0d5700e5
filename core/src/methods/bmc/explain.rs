//! Explanations of bounded model checking.

use crate::explain::glossary::Concept;
use crate::explain::piece::say;
use crate::explain::query::{asked, path, state, steps};
use crate::explain::round::titled;
use crate::explain::{Context, Explanation};
use crate::kit::Answer;
use crate::methods::bmc::Event;

/// Explains an event.
pub(crate) fn explain(cx: &Context<'_>, event: Event) -> Explanation {
    match event {
        Event::BadChecked { steps, answer } => bad_checked(cx, steps, answer),
    }
}

/// The start of a round: runs of one length.
pub(crate) fn round(cx: &Context<'_>, first: Event) -> Explanation {
    match first {
        Event::BadChecked { steps: 0, .. } => titled(
            "Runs of length 0".to_owned(),
            say![cx; "The initial states are checked for a bad one."],
            say![cx; "Longer runs are checked after this; the bound grows by one step in each round."],
        ),
        Event::BadChecked { steps: n, .. } => titled(
            format!("Runs of length {n}"),
            say![cx; "Runs that take exactly ", steps(n), " are checked."],
            say![cx; "Shorter ones were checked before. One formula, the ", Concept::Unrolling, ", describes all runs of this \
                length, with a copy of the variables for each state."],
        ),
    }
}

fn bad_checked(cx: &Context<'_>, n: u32, answer: Answer) -> Explanation {
    let question = format!("Init(s₀){} ∧ Bad({})", path(n), state(n));
    let sat = [
        say![cx; "A run of ", steps(n), " reaches a bad state."],
        say![cx; "The model of the formula is such a run, and it is a shortest one: shorter runs were checked before."],
    ];
    let unsat = [
        say![cx; "No run of exactly ", steps(n), " ends in a bad state."],
        say![cx; "Longer runs may still reach one: unless another query decides, the ", Concept::Unrolling, " is extended by one step."],
    ];
    let slip =
        "bounded model checking finds violations; the absence of violations up to a bound is not a proof.";
    asked(cx, "Bounded query", (question, answer), sat, unsat, slip)
}
