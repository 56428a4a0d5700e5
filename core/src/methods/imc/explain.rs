//! Explanations of interpolation-based model checking.

use crate::explain::glossary::Concept;
use crate::explain::piece::say;
use crate::explain::query::{asked, steps};
use crate::explain::round::titled;
use crate::explain::{Context, Explanation, Subjects, line};
use crate::kit::{Answer, FormulaId};
use crate::methods::imc::Event;

/// Explains an event.
pub(crate) fn explain(cx: &Context<'_>, event: Event) -> Explanation {
    match event {
        Event::ImageChecked { images, answer } => image_checked(cx, images, answer),
        Event::ImageGrew { images, formula } => image_grew(cx, images, formula),
        Event::ClosureChecked { answer } => closure_checked(cx, answer),
    }
}

/// The start of a round.
pub(crate) fn round(cx: &Context<'_>, round: u32) -> Explanation {
    titled(
        format!("Round {round}"),
        say![cx; "Images of the initial states are computed, with a bound of ", steps(round), " for bad states."],
        say![cx; "Each image is an ", Concept::Interpolant, ": it contains all states after one more step, and no bad state follows \
            from it within the bound."],
    )
}

fn image_checked(cx: &Context<'_>, images: u32, answer: Answer) -> Explanation {
    let question = "R(s₀) ∧ Tran(s₀, s₁) ∧ (a bad state follows within the bound)".to_owned();
    let sat = [
        say![cx; "A bad state is reachable from R within the bound."],
        if images == 0 {
            say![cx; "R is the set of initial states, and runs of this length were checked before; the bound is increased."]
        } else {
            say![cx; "R over-approximates the reachable states, so this may be a false alarm: the search restarts with \
                a greater bound, which makes the images more precise."]
        },
    ];
    let unsat = [
        say![cx; "No bad state is reachable from R within the bound."],
        say![cx; "The proof gives an ", Concept::Interpolant, ": a formula that is true of all states after one step and from \
            which no bad state is reachable within the rest of the bound."],
    ];
    let slip = "R contains all states reached so far, and possibly more.";
    asked(cx, "Is the image safe?", (question, answer), sat, unsat, slip)
}

fn image_grew(cx: &Context<'_>, images: u32, formula: FormulaId) -> Explanation {
    Explanation {
        title: "Image by interpolation".to_owned(),
        what: say![cx; "The states after one more step are over-approximated by ", formula, "."],
        why: say![cx; "The exact image would need quantifiers. The ", Concept::Interpolant, " needs none and keeps only what \
            is relevant for the property, so a fixed point is likely to be reached soon."],
        maths: vec![line(format!("image {}", u64::from(images) + 1), cx.formula(formula))],
        slip: Some("an interpolant is an upper bound of the image, not the image."),
        subjects: Subjects::default(),
    }
}

fn closure_checked(cx: &Context<'_>, answer: Answer) -> Explanation {
    let sat = [
        say![cx; "Some state of the newest image is not in R."],
        say![cx; "It is added to R, and the next image is computed."],
    ];
    let unsat = [
        say![cx; "R contains the newest image: a fixed point is reached."],
        say![cx; "So R contains the initial states, is closed under steps, and contains no bad state. It is an inductive ",
            Concept::Invariant, "."],
    ];
    let slip = "R is an invariant, but not necessarily the set of reachable states.";
    asked(cx, "Fixed point?", ("I ∧ ¬R".to_owned(), answer), sat, unsat, slip)
}
