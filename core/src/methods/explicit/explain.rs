//! Explanations of explicit search.

use crate::explain::glossary::Concept;
use crate::explain::piece::{Code, Piece, count, say};
use crate::explain::round::{concluded, goal, titled};
use crate::explain::{Context, Explanation, MathLine, Subjects, line};
use crate::kit::{self, Arrival, FormulaId, Goal, NodeId, Verdict};
use crate::methods::explicit::Event;
use crate::system::EdgeId;

/// Explains an event.
pub(crate) fn explain(cx: &Context<'_>, event: Event) -> Explanation {
    match event {
        Event::StateReached { state, from } => state_reached(cx, state, from.map(Arrival::pair)),
        Event::StateKnown { state, from } => state_known(cx, state, from.pair()),
        Event::StateExpanded { state } => state_expanded(cx, state),
        Event::ErrorReached { state } => error_reached(cx, state),
        Event::StatesFound { states } => states_found(cx, states),
        Event::NetReduced { places, transitions, rules } => net_reduced(cx, (places, transitions), rules),
        Event::WalksEnded { steps, found } => walks_ended(cx, steps, found),
        Event::FiringsLeftOut { fired, left_out } => firings_left_out(cx, fired, left_out),
        Event::FormulaEvaluated { formula, states, open } => formula_evaluated(cx, formula, (states, open)),
    }
}

/// The start of the search.
pub(crate) fn round(cx: &Context<'_>) -> Explanation {
    titled(
        "Explicit search".to_owned(),
        say![cx; "Concrete states are enumerated in breadth-first order."],
        say![cx; "There is no abstraction, so every violation is a concrete run; if all reachable states are explored \
            without a violation, the property holds. The cost is that each state is explored individually."],
    )
}

/// The end of the search.
pub(crate) fn decided(cx: &Context<'_>, verdict: Verdict) -> Explanation {
    let evaluated = |event: &kit::Event| match event {
        kit::Event::Explicit(Event::FormulaEvaluated { formula, open, .. }) => Some((*formula, *open)),
        _ => None,
    };
    let formula = cx.journal.events.iter().rev().take(2).find_map(evaluated);
    if let Some((formula, open)) = formula.filter(|_| !matches!(verdict, Verdict::Unknown(_))) {
        return evaluated_at_start(cx, (formula, open > 0), verdict);
    }
    if verdict != Verdict::Holds || cx.goal() == Goal::Lasso {
        return concluded(cx, verdict);
    }
    let states = cx.after.nodes.len();
    if cx.journal.names.markings {
        return all_markings(cx);
    }
    Explanation {
        title: "Unreachable".to_owned(),
        what: say![cx; "The search enumerated ", count(states, "state"), ", including those inside a step; none is ",
            if cx.goal() == Goal::Error { "at " } else { "" }, goal(cx), "."],
        why: say![cx; "The enumerated set contains the initial states and all successors of its states: it is an \
            inductive ", Concept::Invariant, " and is checked as one."],
        maths: vec![line("in all", count(cx.iteration(), "round"))],
        slip: Some(
            "states that differ only in dead variables count as one, so the model may have more states.",
        ),
        subjects: Subjects::default(),
    }
}

fn explained(
    title: String,
    what: Vec<Piece>,
    why: Vec<Piece>,
    maths: Vec<MathLine>,
    (nodes, edges): (Vec<NodeId>, Vec<EdgeId>),
) -> Explanation {
    let subjects = Subjects { nodes, edges, ..Subjects::default() };
    Explanation { title, what, why, maths, slip: None, subjects }
}

fn state_reached(cx: &Context<'_>, state: NodeId, from: Option<(NodeId, EdgeId)>) -> Explanation {
    let maths = vec![line(format!("values at {state}"), cx.state(state))];
    match from {
        None => explained(
            format!("Initial state {state}"),
            say![cx; state, " is an initial state, at ", cx.location(state), "."],
            say![cx; "Every run starts in one of the initial states; the search starts in all of them."],
            maths,
            (vec![state], Vec::new()),
        ),
        Some((parent, edge)) => explained(
            format!("State {state}"),
            say![cx; "From ", parent, ", the edge ", Code(cx.edge(edge).to_owned()), " leads to a new state, ", state, " at ",
                cx.location(state), "."],
            say![cx; "States are expanded in the order in which they were reached, so the path to this state in the tree is a \
                shortest one."],
            maths,
            (vec![state, parent], vec![edge]),
        ),
    }
}

fn state_known(cx: &Context<'_>, state: NodeId, (parent, edge): (NodeId, EdgeId)) -> Explanation {
    explained(
        format!("{state} reached again"),
        say![cx; "From ", parent, ", the edge ", Code(cx.edge(edge).to_owned()), " leads to ", state,
            ", which was reached before."],
        say![cx; "The successors of a state do not depend on the path to it, so it is expanded once. The values of dead \
            variables are ignored."],
        vec![line(format!("values at {state}"), cx.state(state))],
        (vec![state, parent], vec![edge]),
    )
}

fn state_expanded(cx: &Context<'_>, state: NodeId) -> Explanation {
    let known = cx.after.nodes.len();
    explained(
        format!("{state} expanded"),
        say![cx; "All successors of ", state, " have been computed."],
        say![cx; "The search has reached ", count(known, "state"), " so far. When all of them are expanded, no other state is \
            reachable, and the set is an inductive ", Concept::Invariant, "."],
        Vec::new(),
        (vec![state], Vec::new()),
    )
}

/// Was the net reduced before the search?
fn is_reduced(cx: &Context<'_>) -> bool {
    let reduces = |event: &kit::Event| matches!(event, kit::Event::Explicit(Event::NetReduced { .. }));
    cx.journal.events.iter().take(4).any(reduces)
}

fn error_reached(cx: &Context<'_>, state: NodeId) -> Explanation {
    let path = cx.edges_to(state);
    explained(
        "Error reached".to_owned(),
        say![cx; state, " is at the ", Concept::ErrorLocation, ": the property is violated."],
        say![cx; "The states of this search are concrete, so the path to ", state, " in the tree is a run, of ",
            count(path.len(), "edge"), if is_reduced(cx) { ". A step can stand for several firings." } else { ". No run to the error is shorter." }],
        Vec::new(),
        (vec![state], path),
    )
}

fn states_found(cx: &Context<'_>, states: u32) -> Explanation {
    explained(
        "Search continued".to_owned(),
        say![cx; count(states as usize, "state"), " have been found."],
        say![cx; "Only the first states are shown one by one. The search goes on in the same order until all states are \
            expanded, or one violates the property."],
        Vec::new(),
        (Vec::new(), Vec::new()),
    )
}

fn net_reduced(cx: &Context<'_>, (places, transitions): (u32, u32), rules: u32) -> Explanation {
    explained(
        "Net reduced".to_owned(),
        say![cx; count(rules as usize, "structural reduction"), " left a net of ", count(places as usize, "place"), " and ",
            count(transitions as usize, "transition"), "."],
        say![cx; "Each reduction leaves out or fuses places and transitions such that the question has the same answer: for \
            example, two transitions with a place between them fire as one. A run of the smaller net is a run of the net, \
            with the fused transitions one after the other; such a step is called by its first transition. In the drawing, \
            places that were left out have no tokens."],
        Vec::new(),
        (Vec::new(), Vec::new()),
    )
}

fn walks_ended(cx: &Context<'_>, steps: u32, found: bool) -> Explanation {
    explained(
        "Random walks".to_owned(),
        say![cx; "Walks of ", count(steps as usize, "step"), " in all were tried; ",
            if found { "one of them violates the property." } else { "none of them violates the property." }],
        say![cx; "In a large net this comes before the search: a walk remembers nothing but its own run, and fires the \
            transition whose successor is nearest to a violation. A violation that it finds need not be a shortest one; \
            if it finds none, the search enumerates the markings."],
        Vec::new(),
        (Vec::new(), Vec::new()),
    )
}

fn firings_left_out(cx: &Context<'_>, fired: u32, left_out: u32) -> Explanation {
    explained(
        "Firings left out".to_owned(),
        say![cx; "Stubborn sets left out ", count(left_out as usize, "firing"), " of enabled transitions; ",
            count(fired as usize, "firing"), " were computed."],
        say![cx; "In each marking a set of transitions is computed, such that the transitions outside of it can fire after \
            those inside without a difference, and such that each path to a violation contains a transition of the set. \
            The enabled transitions outside of the set are not fired, so fewer markings are reached, but a violation is \
            still found if there is one."],
        Vec::new(),
        (Vec::new(), Vec::new()),
    )
}

fn formula_evaluated(cx: &Context<'_>, formula: FormulaId, (states, open): (u32, u32)) -> Explanation {
    let states = count(states as usize, "state");
    let what = match open {
        0 => say![cx; "The formula was evaluated in every reachable state: it is true in ", states, "."],
        _ => {
            say![cx; "The formula was evaluated in the states found so far, of which ", count(open as usize, "state"), " \
            have not been expanded: whatever follows those, it is certainly true in ", states, "."]
        }
    };
    explained(
        "Formula evaluated".to_owned(),
        what,
        say![cx; "The sets of states that satisfy the subformulas are computed first, from the inside out. EX is the set of \
            states with a successor in the set; E[a U b] is searched backwards from b; for EG, states without a successor \
            in the set are removed until none is left. The property holds if the initial state is in the set.",
            if open > 0 { " A state that has not been expanded counts as false for what is certainly true." } else { "" }],
        vec![line("formula", cx.formula(formula))],
        (Vec::new(), Vec::new()),
    )
}

/// The truth of a formula of branching time in the initial marking is the verdict.
#[inline(never)]
fn evaluated_at_start(
    cx: &Context<'_>,
    (formula, is_partial): (FormulaId, bool),
    verdict: Verdict,
) -> Explanation {
    let evaluated = match is_partial {
        true => "the first markings, which decide it whatever follows the others",
        false => "all reachable markings",
    };
    let (title, what) = match verdict {
        Verdict::Holds => ("Formula true", say![cx; "The initial marking satisfies the formula."]),
        _ => ("Formula false", say![cx; "The initial marking does not satisfy the formula."]),
    };
    Explanation {
        slip: Some("the formula is about the initial marking; other markings may or may not satisfy it."),
        ..explained(
            title.to_owned(),
            what,
            say![cx; "The formula was evaluated in ", evaluated, ". The checker of the ", Concept::Certificate, " enumerates \
                them again and evaluates the formula with code of its own. If paths can show why the formula is true or false, the \
                tab Markings draws them, if the first 200 000 markings decide it."],
            vec![line("formula", cx.formula(formula))],
            (Vec::new(), Vec::new()),
        )
    }
}

/// All classes of a time net are known.
fn all_classes(cx: &Context<'_>, classes: Vec<Piece>) -> Explanation {
    Explanation {
        title: "All classes".to_owned(),
        what: say![cx; "The search enumerated all ", classes, " of states; none of their markings violates the property."],
        why: say![cx; "A class is a marking with the possible times of its clocks. Each firing leads from the states of a class \
            into those of another one, so no other marking is reachable. The ", Concept::Certificate, " is the number of \
            markings: the checker enumerates them again by zones of clocks, with code of its own."],
        maths: vec![line("in all", count(cx.iteration(), "round"))],
        slip: None,
        subjects: Subjects::default(),
    }
}

/// All reachable markings of a net are known.
fn all_markings(cx: &Context<'_>) -> Explanation {
    let found = cx.journal.events.iter().rev().find_map(|event| match event {
        kit::Event::Explicit(Event::StatesFound { states }) => Some(*states as usize),
        _ => None,
    });
    let noun = if cx.journal.names.timed { "class" } else { "marking" };
    let markings = match found {
        Some(states) => say![cx; count(states, noun)],
        None => say![cx; count(cx.after.nodes.len(), noun)],
    };
    if cx.journal.names.timed {
        return all_classes(cx, markings);
    }
    let left_out = |event: &kit::Event| matches!(event, kit::Event::Explicit(Event::FiringsLeftOut { .. }));
    if cx.journal.events.iter().rev().any(left_out) {
        return Explanation {
            title: "Markings reached with stubborn sets".to_owned(),
            what: say![cx; "The search reached ", markings, ", none of which violates the property."],
            why: say![cx; "Other markings are reachable, but if one of them violated the property, a violation would have been \
                reached with the firings that were not left out. The checker of the ", Concept::Certificate, " reaches the same \
                markings again, and checks with code of its own that the firings could be left out."],
            maths: vec![line("in all", count(cx.iteration(), "round"))],
            slip: found.map(|_| "only the first markings are shown one by one."),
            subjects: Subjects::default(),
        };
    }
    Explanation {
        title: "All markings".to_owned(),
        what: say![cx; "The search enumerated all reachable markings, ", markings, "; the verdict follows from them."],
        why: say![cx; "The set contains the initial marking and the markings after each of its firings, so no other marking is \
            reachable. The ", Concept::Certificate, " is their number: the checker enumerates them again, with code of its own."],
        maths: vec![line("in all", count(cx.iteration(), "round"))],
        slip: found.map(|_| "only the first markings are shown one by one."),
        subjects: Subjects::default(),
    }
}
