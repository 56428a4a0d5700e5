//! Explanations of property-directed reachability.

use crate::explain::glossary::Concept;
use crate::explain::piece::{Code, say};
use crate::explain::query::{asked, indexed, steps};
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
        say![cx; "The states reachable in one more step are checked."],
        say![cx; "Each ", Concept::Lemma, " learned about fewer steps is kept, and pushed to later frames as far as it holds."],
    )
}

fn frame_opened(cx: &Context<'_>, frame: u32) -> Explanation {
    Explanation {
        title: format!("Frame {frame}"),
        what: say![cx; "A new ", Concept::Frame, " is opened for the states after at most ", steps(frame),
            ". It has no lemmas and contains all states."],
        why: say![cx; "Each frame contains the one before and all successors of its states. Frames are conjunctions \
            of lemmas; a ", Concept::Lemma, " is learned to exclude states that lead to a bad one."],
        maths: vec![line("invariants", "Fᵢ ⇒ Fᵢ₊₁, Fᵢ ∧ Tran ⇒ F′ᵢ₊₁, Fᵢ ∧ Bad is impossible")],
        slip: Some("a frame contains all states reached in this number of steps, and possibly more."),
        subjects: Subjects::default(),
    }
}

fn frame_checked(cx: &Context<'_>, frame: u32, answer: Answer) -> Explanation {
    let sat = [
        say![cx; "Frame ", frame, " still contains a bad state."],
        say![cx; "Either it is shown to be unreachable in ", steps(frame), ", or it is the end of a counterexample."],
    ];
    let unsat = [
        say![cx; "Frame ", frame, " contains no bad state."],
        say![cx; "So no run of at most ", steps(frame), " reaches a bad state. Lemmas are now pushed to later frames."],
    ];
    let slip = "a bad state in a frame need not be reachable.";
    asked(cx, "Is the frame safe?", (format!("{} ∧ Bad", indexed("F", frame)), answer), sat, unsat, slip)
}

fn obligation_raised(cx: &Context<'_>, frame: u32, formula: FormulaId) -> Explanation {
    Explanation {
        title: "Proof obligation".to_owned(),
        what: say![cx; "The states with ", formula, " are bad or lead to a bad one. It must be shown that they are not reached in ",
            steps(frame), "."],
        why: say![cx; "The cube generalizes a state of the model: only the literals on which the step depends are kept. If the cube \
            contains an initial state, the property is violated; otherwise it must be excluded from frame ", frame, "."],
        maths: vec![line(format!("cube at {frame}"), cx.formula(formula))],
        slip: Some("every state of the cube leads to a bad one, not only the state in the model."),
        subjects: Subjects::default(),
    }
}

fn lemma_learned(cx: &Context<'_>, frame: u32, formula: FormulaId) -> Explanation {
    Explanation {
        title: "Lemma".to_owned(),
        what: say![cx; "Every state reached in at most ", steps(frame), " satisfies ", formula, "."],
        why: say![cx; "A cube was shown to be unreachable, and literals that the proof does not need were removed. So the ",
            Concept::Lemma, " may exclude more states than the cube."],
        maths: vec![
            line(
                format!(
                    "lemma of {}",
                    if frame < 2 { "F₁".to_owned() } else { format!("F₁ … {}", indexed("F", frame)) }
                ),
                cx.formula(formula),
            ),
            line(
                "because",
                format!(
                    "Init ⇒ lemma, and {} ∧ lemma ∧ Tran ⇒ lemma′",
                    indexed("F", frame.saturating_sub(1))
                ),
            ),
        ],
        slip: Some("the lemma is inductive relative to the previous frame, not necessarily by itself."),
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
            say![cx; "Lemmas of frame ", frame, " that hold after one more step were pushed; ", left, " could not be pushed."]
        },
        why: if all {
            say![cx; "So frame ", frame, " and the next one are equal: the set is closed under steps and contains no bad \
                state. The conjunction of its lemmas is an inductive ", Concept::Invariant, "."]
        } else {
            say![cx; "A pushed ", Concept::Lemma, " need not be learned again. When all lemmas are pushed, the frame is inductive."]
        },
        maths: vec![line("pushed if", Code(format!("{} ∧ Tran ⇒ lemma′", indexed("F", frame))).0)],
        slip: None,
        subjects: Subjects::default(),
    }
}
