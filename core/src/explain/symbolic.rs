//! Explanations of the methods over one transition system: bounded model checking, k-induction, interpolation and
//! property-directed reachability.

use crate::explain::context::Context;
use crate::explain::glossary::Term;
use crate::explain::piece::{Code, count, say};
use crate::explain::{Explanation, Outcome, Piece, Subjects, judged, line};
use crate::kit::{Answer, FormulaId};

fn outcome(answer: Answer) -> Outcome {
    match answer {
        Answer::Sat => Outcome::Sat,
        Answer::Unsat => Outcome::Unsat,
        Answer::Unknown => Outcome::Unknown,
    }
}

/// An answer with what it means; the solver may have given up.
fn asked(
    cx: &Context<'_>,
    title: &str,
    (question, answer): (String, Answer),
    sat: [Vec<Piece>; 2],
    unsat: [Vec<Piece>; 2],
    slip: &'static str,
) -> Explanation {
    let [what, why] = match answer {
        Answer::Sat => sat,
        Answer::Unsat => unsat,
        Answer::Unknown => [
            say![cx; "The solver gave up on this question."],
            say![cx; "Taking either answer would be a guess."],
        ],
    };
    Explanation {
        title: title.to_owned(),
        what,
        why,
        maths: vec![judged("query", question, outcome(answer))],
        slip: Some(slip),
        subjects: Subjects::default(),
    }
}

fn steps(n: u32) -> String {
    count(usize::try_from(n).unwrap_or(usize::MAX), "step")
}

/// `Tran(s0, s1) ∧ …` for so many steps.
fn path(n: u32) -> String {
    match n {
        0 => String::new(),
        1 => " ∧ Tran(s₀, s₁)".to_owned(),
        n => format!(" ∧ Tran(s₀, s₁) ∧ … ∧ Tran(s{}, s{n})", n - 1),
    }
}

pub(super) fn bad_checked(cx: &Context<'_>, n: u32, answer: Answer) -> Explanation {
    let question = format!("Init(s₀){} ∧ Bad(s{n})", path(n));
    let sat = [
        say![cx; "A run of ", steps(n), " reaches a bad state."],
        say![cx; "The values that satisfy the formula are such a run, and it is a shortest one: shorter runs were asked \
            about before."],
    ];
    let unsat = [
        say![cx; "No run of exactly ", steps(n), " ends in a bad state."],
        say![cx; "This says nothing about longer runs, so the formula gets one more step."],
    ];
    let slip = "bounded model checking finds violations; that it finds none up to some bound is no proof.";
    asked(cx, "Bounded question", (question, answer), sat, unsat, slip)
}

pub(super) fn induction_checked(cx: &Context<'_>, n: u32, simple: bool, answer: Answer) -> Explanation {
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

pub(super) fn image_checked(cx: &Context<'_>, images: u32, answer: Answer) -> Explanation {
    let question = "R(s₀) ∧ Tran(s₀, s₁) ∧ (a bad state follows within the bound)".to_owned();
    let sat = [
        say![cx; "From what is counted as reached, a bad state follows within the bound."],
        if images == 0 {
            say![cx; "But runs of this length were looked at before; so the bound grows."]
        } else {
            say![cx; "R is larger than what is really reached, so this may be a false alarm: the search starts again with \
                a greater bound, which makes images more exact."]
        },
    ];
    let unsat = [
        say![cx; "From what is counted as reached, no bad state follows within the bound."],
        say![cx; "Why it does not gives an ", Term::Interpolant, ": a formula about the states after one step that is true \
            of all of them and still excludes bad ones."],
    ];
    let slip = "R contains all reached states, and possibly more.";
    asked(cx, "Is the image safe?", (question, answer), sat, unsat, slip)
}

pub(super) fn image_grew(cx: &Context<'_>, images: u32, formula: FormulaId) -> Explanation {
    Explanation {
        title: "Image by interpolation".to_owned(),
        what: say![cx; "The states after one more step are over-approximated by ", formula, "."],
        why: say![cx; "The exact image would need quantifiers. The ", Term::Interpolant, " needs none, keeps only what \
            matters for the property, and is therefore likely to be closed soon."],
        maths: vec![line(format!("image {}", u64::from(images) + 1), cx.formula(formula))],
        slip: Some("an interpolant is an upper bound of the image, not the image."),
        subjects: Subjects::default(),
    }
}

pub(super) fn closure_checked(cx: &Context<'_>, answer: Answer) -> Explanation {
    let sat = [
        say![cx; "Some state of the newest image was not counted as reached before."],
        say![cx; "It is added to R, and the next image is computed."],
    ];
    let unsat = [
        say![cx; "The newest image adds nothing: R contains it already."],
        say![cx; "So R contains the initial states, leads only into itself, and has no bad state. It is an inductive ",
            Term::Invariant, "."],
    ];
    let slip = "R is an invariant, but not necessarily the set of reachable states.";
    asked(cx, "Fixed point?", ("I ∧ ¬R".to_owned(), answer), sat, unsat, slip)
}

pub(super) fn frame_opened(cx: &Context<'_>, frame: u32) -> Explanation {
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

pub(super) fn frame_checked(cx: &Context<'_>, frame: u32, answer: Answer) -> Explanation {
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

pub(super) fn obligation_raised(cx: &Context<'_>, frame: u32, formula: FormulaId) -> Explanation {
    Explanation {
        title: "Proof obligation".to_owned(),
        what: say![cx; "The states ", formula, " lead to a bad one. Are they reached in ", steps(frame), "?"],
        why: say![cx; "They came from a model, of which only what the step needs was kept. If they contain an initial state \
            the property is violated; otherwise they must be excluded from frame ", frame, "."],
        maths: vec![line(format!("cube at {frame}"), cx.formula(formula))],
        slip: Some("every one of these states leads on, not only the one of the model."),
        subjects: Subjects::default(),
    }
}

pub(super) fn lemma_learned(cx: &Context<'_>, frame: u32, formula: FormulaId) -> Explanation {
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

pub(super) fn lemmas_pushed(cx: &Context<'_>, frame: u32, left: u32) -> Explanation {
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
