//! Explanations of refinement by splitting abstract states.

use crate::explain::glossary::Concept;
use crate::explain::piece::{count, say};
use crate::explain::round::titled;
use crate::explain::{Context, Explanation, Judgement, Piece, Subjects, judged, line};
use crate::kit::{self, Answer, CellId, FormulaId, fold};
use crate::methods::split::Event;
use crate::system::VarId;
use crate::views::CellsView;

/// Explains an event.
pub(crate) fn explain(cx: &Context<'_>, event: Event) -> Explanation {
    match event {
        Event::CellReached { cell, formula } => cell_reached(cx, cell, formula),
        Event::CellChecked { cell, answer } => cell_checked(cx, cell, answer),
        Event::CellExplored { cell } => cell_explored(cx, cell),
        Event::TransitionFound { from, to } => transition_found(cx, from, to),
        Event::PathChecked { steps, answer } => path_checked(cx, steps, answer),
        Event::FailureFound { cell, position } => failure_found(cx, cell, position),
        Event::CellInterpolated { cell, formula } => cell_interpolated(cx, cell, formula),
        Event::CellSplit { cell } => cell_split(cx, cell),
        Event::VariableTracked { variable } => variable_tracked(cx, variable),
        Event::CellsKept { kept } => cells_kept(cx, kept),
    }
}

/// The start of an iteration.
pub(crate) fn round(cx: &Context<'_>, round: u32) -> Explanation {
    if round == 1 {
        return titled(
            "Iteration 1".to_owned(),
            say![cx; "The abstract system is built on the fly by depth-first search over its cells."],
            say![cx; "A ", Concept::Cell, " is a set of states that are not distinguished. The initial predicates and \
                variables determine the first cells."],
        );
    }
    let before = cx.index.checked_sub(1).and_then(|i| cx.journal.events.get(i));
    let kept = matches!(before, Some(kit::Event::Split(Event::CellsKept { kept: 1.. })));
    let search = if kept {
        "The cells reached before the first cell that was split are kept."
    } else {
        "The search starts from the beginning."
    };
    titled(
        format!("Iteration {round}"),
        say![cx; "The abstract system is searched again, with the cells that were split."],
        say![cx; "The last counterexample was ", Concept::Spurious, " and is now excluded. ", search],
    )
}

fn variable_tracked(cx: &Context<'_>, variable: VarId) -> Explanation {
    explained(
        "Variable made explicit",
        say![cx; "The values of ", variable, " are distinguished from now on."],
        say![cx; "It occurs in the interpolants of the counterexample. States with different values of it are in different cells."],
        Vec::new(),
    )
}

fn explained(
    title: &str,
    what: Vec<Piece>,
    why: Vec<Piece>,
    maths: Vec<crate::explain::MathLine>,
) -> Explanation {
    Explanation { title: title.to_owned(), what, why, maths, slip: None, subjects: Subjects::default() }
}

fn cell_reached(cx: &Context<'_>, cell: CellId, formula: FormulaId) -> Explanation {
    explained(
        "Cell reached",
        say![cx; "The search reaches ", cell.to_string(), ", the states with ", formula, "."],
        say![cx; "A ", Concept::Cell, " is an ", Concept::AbstractState, ": a set of concrete states that are not distinguished. \
            It contains an initial state or a successor of the previous cell; whether a run reaches it is not known yet."],
        vec![line(format!("Label({cell})"), cx.formula(formula))],
    )
}

fn cell_checked(cx: &Context<'_>, cell: CellId, answer: Answer) -> Explanation {
    let (what, why, outcome) = match answer {
        Answer::Sat => (
            say![cx; "A state of ", cell.to_string(), " violates the property."],
            say![cx; "The path on the stack is an ", Concept::AbstractCounterexample, "; it is checked next on the concrete system."],
            Judgement::Sat,
        ),
        Answer::Unsat => (
            say![cx; "No state of ", cell.to_string(), " violates the property."],
            say![cx; "So the search continues with its successors."],
            Judgement::Unsat,
        ),
        Answer::Unknown => (
            say![cx; "The solver returned unknown for ", cell.to_string(), "."],
            say![cx; "A limit of the solver was reached; neither answer may be assumed."],
            Judgement::Unknown,
        ),
    };
    explained(
        "Does the cell violate the property?",
        what,
        why,
        vec![judged("query", format!("Label({cell}) ∧ Inv ∧ ¬φ"), outcome)],
    )
}

fn cell_explored(cx: &Context<'_>, cell: CellId) -> Explanation {
    explained(
        "Cell explored",
        say![cx; "All successors of ", cell.to_string(), " have been explored."],
        say![cx; "The search backtracks to the previous cell on the stack."],
        Vec::new(),
    )
}

fn transition_found(cx: &Context<'_>, from: Option<CellId>, to: CellId) -> Explanation {
    match from {
        Some(from) => explained(
            "Abstract transition",
            say![cx; "A state of ", from.to_string(), " leads to a state of ", to.to_string(), "."],
            say![cx; "One such pair of states is enough for an abstract transition, so the abstraction may contain \
                paths that no run follows."],
            vec![line("witnessed by a model of", format!("Label({from}) ∧ Tran ∧ Label({to})′"))],
        ),
        None => explained(
            "Initial cell",
            say![cx; "An initial state is in ", to.to_string(), "."],
            say![cx; "One initial state makes the whole cell initial."],
            vec![line("witnessed by a model of", format!("Init ∧ Label({to})"))],
        ),
    }
}

fn failure_found(cx: &Context<'_>, cell: CellId, position: u32) -> Explanation {
    explained(
        "Failure state",
        say![cx; "A concrete path leads to ", cell.to_string(), ", number ", position + 1, " of the counterexample, and \
            cannot be extended."],
        say![cx; "The states of the cell that are reached along the path are dead ends; those from which the path continues \
            are bad states. No state is both, but both kinds are in one ", Concept::Cell, ", so the counterexample is ",
            Concept::Spurious, "."],
        vec![
            line("dead-end", "Init ∧ Tran … ∧ Labels up to here"),
            line("bad", "Tran to the next cell, or ¬φ"),
        ],
    )
}

fn cell_interpolated(cx: &Context<'_>, cell: CellId, formula: FormulaId) -> Explanation {
    explained(
        "Interpolant",
        say![cx; "At ", cell.to_string(), ": ", formula, "."],
        say![cx; "The ", Concept::Interpolant, " holds in every state reachable along the counterexample and excludes every state \
            from which the rest of the path leads to a violation. It contains only the variables of this position."],
        vec![line(format!("at {cell}"), cx.formula(formula))],
    )
}

fn cell_split(cx: &Context<'_>, cell: CellId) -> Explanation {
    let view: CellsView = fold(cx.journal, cx.index);
    let interpolant = view.interpolants.iter().find(|(at, _)| *at == cell).map(|(_, formula)| *formula);
    let label = view.cells.get(&cell).and_then(|c| c.label);
    let maths = [(format!("Label({cell})"), label), ("split by".to_owned(), interpolant)];
    let maths =
        maths.into_iter().filter_map(|(name, formula)| Some(line(name, cx.formula(formula?)))).collect();
    let what = match interpolant {
        Some(formula) => {
            say![cx; "The cell ", cell.to_string(), " is replaced by two cells: one where ", formula,
            " is true, and one where it is false."]
        }
        None => say![cx; "The cell ", cell.to_string(), " is replaced by two cells."],
    };
    explained(
        "Cell split",
        what,
        say![cx; "Dead ends and bad states are in different cells now, so this counterexample is excluded. Other cells \
            are unchanged."],
        maths,
    )
}

fn cells_kept(cx: &Context<'_>, kept: u32) -> Explanation {
    explained(
        "Incremental search",
        say![cx; count(usize::try_from(kept).unwrap_or(usize::MAX), "cell"), " need not be explored again."],
        say![cx; "They were explored before the first cell that was split was reached, so the split does not affect them. \
            The search continues from its predecessor on the stack."],
        Vec::new(),
    )
}

fn path_checked(cx: &Context<'_>, last: u32, answer: Answer) -> Explanation {
    let view: CellsView = fold(cx.journal, cx.index);
    let cells = u32::try_from(view.path.len()).unwrap_or(u32::MAX);
    let whole = last >= cells;
    let along = count(usize::try_from(last.min(cells.saturating_sub(1))).unwrap_or(usize::MAX), "step");
    let (what, why, outcome) = match answer {
        Answer::Sat if whole => (
            say![cx; "A concrete run follows the whole counterexample and violates the property."],
            say![cx; "So the counterexample is real."],
            Judgement::Sat,
        ),
        Answer::Sat => (
            say![cx; "A concrete path follows the first ", last + 1, " of ", cells, " cells."],
            say![cx; "Each cell has states with a successor in the next one; whether one concrete path follows all cells is checked \
                cell by cell."],
            Judgement::Sat,
        ),
        Answer::Unsat if whole => (
            say![cx; "Concrete paths follow the whole counterexample, but none of them ends in a violation."],
            say![cx; "The last cell contains states that violate the property and states that can be reached, but no state is \
                both."],
            Judgement::Unsat,
        ),
        Answer::Unsat => (
            say![cx; "No concrete path follows the first ", last + 1, " of ", cells, " cells."],
            say![cx; "A concrete path reaches the last but one of these cells, the failure state: its reachable states must be \
                distinguished from those with a successor in the next cell."],
            Judgement::Unsat,
        ),
        Answer::Unknown => (
            say![cx; "The solver returned unknown for this path."],
            say![cx; "A limit of the solver was reached; neither answer may be assumed."],
            Judgement::Unknown,
        ),
    };
    let bad = if whole { " ∧ ¬φ" } else { "" };
    let query = format!("Init ∧ Labels ∧ Tran over {along}{bad}");
    explained("Is the counterexample concrete?", what, why, vec![judged("query", query, outcome)])
}
