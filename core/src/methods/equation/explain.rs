//! Explanations of the state equation.

use crate::explain::glossary::Concept;
use crate::explain::piece::{count, say};
use crate::explain::query::asked;
use crate::explain::round::titled;
use crate::explain::{Context, Explanation, Subjects, line};
use crate::kit::{Answer, FormulaId};
use crate::methods::equation::Event;

/// Explains an event.
pub(crate) fn explain(cx: &Context<'_>, event: Event) -> Explanation {
    match event {
        Event::EquationSolved { answer, traps } => equation_solved(cx, answer, traps),
        Event::TrapAdded { formula } => trap_added(cx, formula),
        Event::InvariantFound { formula } => invariant_found(cx, formula),
        Event::SolutionTried { answer, fires } => solution_tried(cx, answer, fires),
        Event::FiringsConstrained { formula } => firings_constrained(cx, formula),
    }
}

/// The start of a round.
pub(crate) fn round(cx: &Context<'_>, round: u32) -> Explanation {
    titled(
        format!("Round {round}"),
        say![cx; "The state equation m = m₀ + C·x relates the initial marking m₀, a marking m, and the number of firings x of each \
            transition. C is the incidence matrix."],
        say![cx; "Every reachable marking solves the equation, but not every solution is reachable: the order of the firings is \
            not part of it. Each round has one more constraint: of a trap, or on the firings of integer solutions."],
    )
}

fn equation_solved(cx: &Context<'_>, answer: Answer, traps: u32) -> Explanation {
    let question = "m = m₀ + C·x ∧ x ≥ 0 ∧ m ≥ 0 ∧ m violates the property".to_owned();
    let sat = [
        say![cx; "There is a solution over the real numbers, with ", count(traps as usize, "trap"), " among the constraints."],
        say![cx; "The marking of this solution may be unreachable. If it empties a ", Concept::Trap,
            " that is marked at the start, the trap is added as a constraint. Otherwise an integer solution is tried as a \
            firing sequence."],
    ];
    let unsat = [
        say![cx; "There is no solution, not even over the real numbers."],
        say![cx; "Every reachable marking would be a solution, so no reachable marking violates the property. The proof gives an ",
            Concept::Invariant, "."],
    ];
    asked(cx, "A solution?", (question, answer), sat, unsat, "a solution is not yet a run.")
}

fn trap_added(cx: &Context<'_>, formula: FormulaId) -> Explanation {
    Explanation {
        title: "Trap".to_owned(),
        what: say![cx; "The solution empties a ", Concept::Trap, " that is marked at the start; the constraint ", formula,
            " excludes it."],
        why: say![cx; "Each transition that takes tokens from the places of a trap also adds tokens to them. So a marked trap \
            stays marked in every reachable marking, which the state equation does not imply."],
        maths: vec![line("constraint", cx.formula(formula))],
        slip: Some("only traps that are marked in the initial marking give a constraint."),
        subjects: Subjects::default(),
    }
}

fn invariant_found(cx: &Context<'_>, formula: FormulaId) -> Explanation {
    Explanation {
        title: "Invariant".to_owned(),
        what: say![cx; "The formula ", formula, " is true in every reachable marking, and in no marking that violates the property \
            and satisfies the other constraints."],
        why: say![cx; "It is an ", Concept::Interpolant, " of the equation and the rest. By Farkas' lemma it consists of inequalities \
            y·m ≤ y·m₀ with y·C ≤ 0: the weighted sum of tokens never grows, whichever transition fires. So it is an inductive ",
            Concept::Invariant, "."],
        maths: vec![line("invariant", cx.formula(formula))],
        slip: None,
        subjects: Subjects::default(),
    }
}

fn solution_tried(cx: &Context<'_>, answer: Answer, fires: bool) -> Explanation {
    let what = match (answer, fires) {
        (Answer::Sat, true) => say![cx; "The integer solution is the firing vector of a firing sequence."],
        (Answer::Sat, false) => {
            say![cx; "There is an integer solution, but no firing sequence with these numbers of firings was found."]
        }
        (Answer::Unsat, _) => say![cx; "There are real solutions, but no integer solution."],
        (Answer::Unknown, _) => say![cx; "The solver did not find out whether there is an integer solution."],
    };
    let why = match fires {
        true => {
            say![cx; "The sequence leads from the initial marking to a marking that violates the property."]
        }
        false => say![cx; "The state equation does not decide the property. Another method has to."],
    };
    let title = if fires { "Firing sequence" } else { "No firing sequence" };
    Explanation {
        title: title.to_owned(),
        what,
        why,
        maths: Vec::new(),
        slip: None,
        subjects: Subjects::default(),
    }
}

fn firings_constrained(cx: &Context<'_>, formula: FormulaId) -> Explanation {
    Explanation {
        title: "Constraint on firings".to_owned(),
        what: say![cx; "The next integer solution satisfies ", formula, "."],
        why: say![cx; "The longest sequence that was found for the last solution ends where none of the transitions that have still \
            to fire is enabled: places have too few tokens, or inhibit them. So either a transition fires less often than in \
            this solution, or transitions that change the tokens of such a place fire more often. These can be the firings \
            of a transition invariant, which do not change m: tokens are borrowed from a cycle and returned."],
        maths: vec![line("constraint", cx.formula(formula)), line("#(t)", "the number of firings of t")],
        slip: Some(
            "these constraints help to find a run. They prove nothing: other orders of the firings may exist.",
        ),
        subjects: Subjects::default(),
    }
}
