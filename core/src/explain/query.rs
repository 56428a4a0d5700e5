//! Common parts of the explanations of queries about one transition system.

use crate::explain::piece::{count, say};
use crate::explain::{Context, Explanation, Judgement, Piece, Subjects, judged};
use crate::kit::Answer;

pub(crate) fn outcome(answer: Answer) -> Judgement {
    match answer {
        Answer::Sat => Judgement::Sat,
        Answer::Unsat => Judgement::Unsat,
        Answer::Unknown => Judgement::Unknown,
    }
}

/// The explanation of a query with its answer, which may be unknown.
pub(crate) fn asked(
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
            say![cx; "The solver returned unknown for this query."],
            say![cx; "A limit of the solver was reached; neither answer may be assumed."],
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

pub(crate) fn steps(n: u32) -> String {
    count(usize::try_from(n).unwrap_or(usize::MAX), "step")
}

/// The name of the state after so many steps.
pub(crate) fn state(n: u32) -> String {
    indexed("s", n)
}

/// A letter with an index.
pub(crate) fn indexed(letter: &str, n: u32) -> String {
    let digit = |c: char| c.to_digit(10).and_then(|d| char::from_u32('₀' as u32 + d)).unwrap_or(c);
    format!("{letter}{}", n.to_string().chars().map(digit).collect::<String>())
}

/// `Tran(s₀, s₁) ∧ …` for the given number of steps.
pub(crate) fn path(n: u32) -> String {
    match n {
        0 => String::new(),
        1 => " ∧ Tran(s₀, s₁)".to_owned(),
        2 => " ∧ Tran(s₀, s₁) ∧ Tran(s₁, s₂)".to_owned(),
        n => format!(" ∧ Tran(s₀, s₁) ∧ … ∧ Tran({}, {})", state(n - 1), state(n)),
    }
}
