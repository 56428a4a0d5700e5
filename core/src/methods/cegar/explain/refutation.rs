//! Explanations of a refutation: where the contradiction of a spurious counterexample begins, and its proof.

use crate::explain::formula::conjunction;
use crate::explain::glossary::Concept;
use crate::explain::piece::{count, say};
use crate::explain::{Context, Explanation, Judgement, MathLine, Subjects, judged, line};
use crate::kit::Answer;
use crate::methods::cegar::explain::refinement::step_formulas;

/// The steps from number `from` (from 1; 0 is the start) to the end, one line each.
fn lines(cx: &Context<'_>, from: u32) -> Vec<MathLine> {
    let first = from.max(1);
    let formulas = step_formulas(cx, first - 1, u32::MAX);
    let start = (from == 0).then(|| line("start", "the initial condition"));
    start
        .into_iter()
        .chain((first..).zip(formulas).map(|(n, f): (u32, &str)| line(format!("step {n}"), f)))
        .collect()
}

fn query(cx: &Context<'_>, from: u32) -> String {
    let formulas = step_formulas(cx, from.max(1) - 1, u32::MAX);
    if formulas.is_empty() { "the initial condition".to_owned() } else { conjunction(formulas) }
}

fn subjects(cx: &Context<'_>, from: u32) -> Subjects {
    let skip = usize::try_from(from.saturating_sub(1)).unwrap_or(usize::MAX);
    Subjects {
        nodes: cx.path().into_iter().skip(skip).collect(),
        edges: cx.cex.steps.iter().skip(skip).map(|step| step.edge).collect(),
        cut: Some(from.saturating_sub(1)),
        ..Subjects::default()
    }
}

pub(crate) fn suffix_checked(cx: &Context<'_>, from: u32, answer: Answer) -> Explanation {
    let steps = cx.cex.steps.len().saturating_sub(usize::try_from(from.max(1) - 1).unwrap_or(usize::MAX));
    let all = count(steps, "step");
    let (what, why, verdict) = match answer {
        Answer::Sat => (
            say![cx; "The last ", all, " of the path could be executed from some state."],
            say![cx; "So the contradiction begins earlier: one more step is added in front."],
            Judgement::Sat,
        ),
        Answer::Unsat => (
            match from {
                0 | 1 => say![cx; "The ", all, " of the path contradict each other."],
                _ => {
                    say![cx; "The last ", all, " of the path contradict each other, independently of the earlier steps."]
                }
            },
            say![cx; "An explanation of these steps suffices. It starts as late as possible, so it is likely \
                to apply to other paths that end in the same way."],
            Judgement::Unsat,
        ),
        Answer::Unknown => (
            say![cx; "The solver returned unknown for the last ", all, "."],
            say![cx; "One more step is added in front."],
            Judgement::Unknown,
        ),
    };
    let mut maths = lines(cx, from);
    maths.push(judged("query: these steps together", query(cx, from), verdict));
    Explanation {
        title: "Where does the contradiction begin?".to_owned(),
        what,
        why,
        maths,
        slip: None,
        subjects: subjects(cx, from),
    }
}

pub(crate) fn path_refuted(cx: &Context<'_>, from: u32, proof_steps: u32) -> Explanation {
    let place = cx.place(from.saturating_sub(1));
    let proof = count(usize::try_from(proof_steps).unwrap_or(usize::MAX), "step");
    let mut maths = lines(cx, from);
    maths.push(judged("refuted", query(cx, from), Judgement::Unsat));
    maths.push(line("proof", proof.clone()));
    Explanation {
        title: "Refuted".to_owned(),
        what: say![cx; "The solver refuted the path from ", place, " on, with a proof of ", proof, "."],
        why: say![cx; "The proof contains the facts on which the contradiction depends. It gives an ", Concept::Interpolant, " at each \
            node of the path: a consequence of the steps before the node that contradicts the steps after it."],
        maths,
        slip: None,
        subjects: subjects(cx, from),
    }
}
