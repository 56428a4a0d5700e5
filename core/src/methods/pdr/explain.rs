//! Explanations of property-directed reachability.

use crate::explain::glossary::Term;
use crate::explain::piece::{Code, say};
use crate::explain::query::{asked, steps};
use crate::explain::round::titled;
use crate::explain::{Context, Explanation, Subjects, line};
use crate::kit::{Answer, FormulaId};
use crate::methods::pdr::Event;

/// Explains an event.
pub(crate) fn explain(cx: &Context<'_>, event: Event) -> Explanation {
    match event {
        Event::FrameOpened { frame } => frame_opened(cx, frame),
        Event::FrameChecked { frame, answer } => frame_checked(cx, frame, answer),
        Event::ObligationRaised { frame, formula } => obligation_raised(cx, frame, formula),
        Event::LemmaLearned { frame, formula } => lemma_learned(cx, frame, formula),
        Event::LemmasPushed { frame, left } => lemmas_pushed(cx, frame, left),
    }
}

/// The start of a round.
pub(crate) fn round(cx: &Context<'_>, round: u32) -> Explanation {
    titled(
        format!("Round {round}"),
        say![cx; "The states that can be reached in one more step are examined."],
        say![cx; "What was learned about fewer steps is kept: lemmas are learned once and pushed as far as they hold."],
    )
}

fn frame_opened(cx: &Context<'_>, frame: u32) -> Explanation {
    Explanation {
        title: format!("Frame {frame}"),
        what: say![cx; "A new frame is opened: nothing is known yet about the states after at most ", steps(frame), "."],
        why: say![cx; "Frames are sets of states, each of which contains the one before and all states that one step leads \
            to from there. They are described by lemmas, which are learned only when a bad state asks for them."],
        maths: vec![line("invariants", "Fᵢ ⇒ Fᵢ₊₁, Fᵢ ∧ Tran ⇒ F′ᵢ₊₁, Fᵢ ∧ Bad is impossible")],
        slip: Some("a frame contains all states reached in so many steps, and possibly more."),
        subjects: Subjects::default(),
    }
}

fn frame_checked(cx: &Context<'_>, frame: u32, answer: Answer) -> Explanation {
    let sat = [
        say![cx; "Frame ", frame, " still contains a bad state."],
        say![cx; "It has to be shown unreachable in ", steps(frame), ", or else it is the end of a counterexample."],
    ];
    let unsat = [
        say![cx; "Frame ", frame, " contains no bad state."],
        say![cx; "So no run of at most ", steps(frame), " is bad. Lemmas are now pushed to later frames."],
    ];
    let slip = "a bad state in a frame need not be reachable.";
    asked(cx, "Is the frame safe?", (format!("F{frame} ∧ Bad"), answer), sat, unsat, slip)
}

fn obligation_raised(cx: &Context<'_>, frame: u32, formula: FormulaId) -> Explanation {
    Explanation {
        title: "Proof obligation".to_owned(),
        what: say![cx; "The states ", formula, " lead to a bad one. It is open whether they are reached in ", steps(frame), "."],
        why: say![cx; "They came from a model, of which only what the step needs was kept. If they contain an initial state, \
            the property is violated; otherwise they must be excluded from frame ", frame, "."],
        maths: vec![line(format!("cube at {frame}"), cx.formula(formula))],
        slip: Some("every one of these states leads on, not only the one of the model."),
        subjects: Subjects::default(),
    }
}

fn lemma_learned(cx: &Context<'_>, frame: u32, formula: FormulaId) -> Explanation {
    Explanation {
        title: "Lemma".to_owned(),
        what: say![cx; "In at most ", steps(frame), " only states with ", formula, " are reached."],
        why: say![cx; "A cube was shown unreachable, and literals that the proof does not need were left out: so the lemma \
            excludes more states than were asked about."],
        maths: vec![
            line(format!("lemma of F₁ … F{frame}"), cx.formula(formula)),
            line(
                "because",
                format!("Init ⇒ lemma, and F{} ∧ lemma ∧ Tran ⇒ lemma′", frame.saturating_sub(1)),
            ),
        ],
        slip: Some("the lemma is inductive relative to the frame before, not by itself."),
        subjects: Subjects::default(),
    }
}

fn lemmas_pushed(cx: &Context<'_>, frame: u32, left: u32) -> Explanation {
    let all = left == 0;
    Explanation {
        title: "Lemmas pushed".to_owned(),
        what: if all {
            say![cx; "All lemmas of frame ", frame, " hold after one more step, too."]
        } else {
            say![cx; "Lemmas of frame ", frame, " that hold after one more step were pushed; ", left, " stay behind."]
        },
        why: if all {
            say![cx; "So frame ", frame, " and the next one are the same set: it is closed under steps and has no bad \
                state. Its lemmas are an inductive ", Term::Invariant, "."]
        } else {
            say![cx; "What is pushed need not be learned again. When nothing stays behind, the frame is inductive."]
        },
        maths: vec![line("pushed if", Code(format!("F{frame} ∧ Tran ⇒ lemma′")).0)],
        slip: None,
        subjects: Subjects::default(),
    }
}
