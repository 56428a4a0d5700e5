//! Explanations of the search for accepting lassos.

use crate::buchi::emptiness::Colour;
use crate::explain::glossary::Concept;
use crate::explain::piece::{count, say};
use crate::explain::{Context, Explanation, Judgement, Subjects, judged, line};
use crate::kit::{Answer, FormulaId, NodeId};
use crate::methods::lasso::Event;
use crate::system::EdgeId;

/// Explains an event.
pub(crate) fn explain(cx: &Context<'_>, event: Event) -> Explanation {
    match event {
        Event::Coloured { node, colour } => coloured(cx, node, colour),
        Event::LetterChecked { node, answer } => letter_checked(cx, node, answer),
        Event::LassoFound { back, length } => found(cx, back, length),
        Event::LassoVisited { position, node } => visited(cx, position, node),
        Event::CycleChecked { answer } => cycle_checked(cx, answer),
        Event::LassoClosed { length } => closed(cx, length),
        Event::RankingFound { formula } => ranking_found(cx, formula),
        Event::RecurrenceFound { formula } => recurrence_found(cx, formula),
    }
}

fn about(node: NodeId) -> Subjects {
    Subjects { nodes: vec![node], ..Subjects::default() }
}

/// The edges of the lasso, as far as it is in the journal.
pub(crate) fn trail(cx: &Context<'_>) -> Vec<EdgeId> {
    let nodes = cx.cex.lasso.iter().flat_map(|lasso| &lasso.nodes);
    nodes.filter_map(|n| cx.node(*n)?.from.map(|(_, edge)| edge)).collect()
}

fn steps(n: u32) -> String {
    count(n as usize, "step")
}

fn coloured(cx: &Context<'_>, node: NodeId, colour: Colour) -> Explanation {
    let (title, what, why) = match colour {
        Colour::White => (
            "Not visited",
            say![cx; node, " is white: it has no colour in the product."],
            say![cx; "The search has not visited it yet."],
        ),
        Colour::Cyan => (
            "On the stack",
            say![cx; node, " is on the stack of the first search: cyan in the product."],
            say![cx; "The stack is the path from the start to this node. An edge back to a node on it closes a cycle; \
                if the cycle contains an accepting node, the path and the cycle are an accepting ", Concept::Lasso, "."],
        ),
        Colour::Blue => (
            "Finished",
            say![cx; "The first search has explored all edges that leave ", node, ": blue in the product."],
            say![cx; "The node may still be on an accepting cycle: one through an accepting node that the first search \
                has not left yet, or one in a strongly connected component that is not finished."],
        ),
        Colour::Red => (
            "On no accepting cycle",
            say![cx; "The second search has visited ", node, ", or its strongly connected component is finished: red in the product."],
            say![cx; "In nested depth-first search, a second search starts from each accepting node when the first search leaves \
                it, and searches for a path back to a node on the stack. A finished component contains no accepting cycle."],
        ),
    };
    Explanation { title: title.to_owned(), what, why, maths: Vec::new(), slip: None, subjects: about(node) }
}

fn letter_checked(cx: &Context<'_>, node: NodeId, answer: Answer) -> Explanation {
    let (what, outcome) = match answer {
        Answer::Sat => {
            (say![cx; "The automaton has a transition for some state of ", node, "."], Judgement::Sat)
        }
        Answer::Unsat => (
            say![cx; "The automaton has no transition for any state of ", node, "; the node is omitted."],
            Judgement::Unsat,
        ),
        Answer::Unknown => (
            say![cx; "The solver returned unknown for the automaton's step on ", node, "."],
            Judgement::Unknown,
        ),
    };
    Explanation {
        title: "The automaton's step".to_owned(),
        what,
        why: say![cx; "In the ", Concept::Product, ", the system moves first; then the automaton steps, with the atoms of the \
            formula evaluated in the ", Concept::AbstractState, " that is reached."],
        maths: vec![judged("query", "s ∧ (the guard of the automaton's edge)", outcome)],
        slip: None,
        subjects: about(node),
    }
}

fn found(cx: &Context<'_>, back: u32, length: u32) -> Explanation {
    Explanation {
        title: "Abstract lasso".to_owned(),
        what: say![cx; "An accepting ", Concept::Lasso, ": ", steps(back), " to the cycle, ", steps(length.saturating_sub(back)),
            " in the cycle."],
        why: say![cx; "A run that repeats the cycle visits an accepting state of the automaton infinitely often (",
            Concept::Acceptance, ") and violates the formula. But the nodes are ", Concept::AbstractState, "s: a concrete run along \
            the lasso need not exist."],
        maths: Vec::new(),
        slip: Some("a cycle of abstract states need not be one of concrete states."),
        subjects: Subjects { cut: Some(back), ..Subjects::default() },
    }
}

fn visited(cx: &Context<'_>, position: u32, node: NodeId) -> Explanation {
    Explanation {
        title: format!("Position {position}"),
        what: say![cx; "Position ", position, " of the lasso is ", node, ", at ", cx.location(node), "."],
        why: say![cx; "Where a node is covered, the lasso continues from the covering node."],
        maths: vec![line(format!("state of {node}"), cx.state(node))],
        slip: None,
        subjects: Subjects {
            nodes: vec![node],
            edges: trail(cx),
            cut: Some(position),
            ..Subjects::default()
        },
    }
}

fn cycle_checked(cx: &Context<'_>, answer: Answer) -> Explanation {
    let (what, why, outcome) = match answer {
        Answer::Sat => (
            say![cx; "Some run along the lasso is in the same state at both ends of the cycle."],
            say![cx; "So the cycle can be repeated infinitely often: the counterexample is real."],
            Judgement::Sat,
        ),
        Answer::Unsat => (
            say![cx; "No run along the lasso is in the same state at both ends of the cycle."],
            say![cx; "The lasso can be traversed, but its abstract cycle leads from one concrete state to another one of \
                the same ", Concept::AbstractState, ". This abstract state has to be split."],
            Judgement::Unsat,
        ),
        Answer::Unknown => (
            say![cx; "The solver returned unknown for the closure of the cycle."],
            say![cx; "The lasso is neither confirmed nor refuted."],
            Judgement::Unknown,
        ),
    };
    Explanation {
        title: "Does the cycle close?".to_owned(),
        what,
        why,
        maths: vec![judged(
            "query",
            "(start ∧ all steps) ∧ (values at the start of the cycle = values at its end)",
            outcome,
        )],
        slip: Some("that a path can be traversed does not mean that its cycle can be repeated."),
        subjects: Subjects { edges: trail(cx), ..Subjects::default() },
    }
}

fn closed(cx: &Context<'_>, length: u32) -> Explanation {
    Explanation {
        title: "Concrete lasso".to_owned(),
        what: match cx.cex.lasso.as_ref().and_then(|l| l.recurrent_set) {
            None => say![cx; "A concrete run of ", steps(length), " returns to the same state."],
            Some(set) => {
                say![cx; "A concrete run of ", steps(length), " returns to a state in which ", set, " is true."]
            }
        },
        why: say![cx; "The ", Concept::Certificate, " is the run: it is replayed in the interpreter, and the formula is evaluated on \
            the word of its states. The check uses neither the abstraction nor the automaton."],
        maths: Vec::new(),
        slip: None,
        subjects: Subjects::default(),
    }
}

fn ranking_found(cx: &Context<'_>, formula: FormulaId) -> Explanation {
    Explanation {
        title: "Ranking function".to_owned(),
        what: say![cx; formula, " decreases in each iteration of the cycle, and cannot become negative there."],
        why: say![cx; "So no run repeats the cycle infinitely often. The expression acts as a ", Concept::Fairness, " condition: \
            from now on, cycles on which it decreases and never increases are ignored."],
        maths: vec![line("ranking", cx.formula(formula))],
        slip: Some("the cycle may be taken any number of times, but not infinitely often."),
        subjects: Subjects::default(),
    }
}

fn recurrence_found(cx: &Context<'_>, formula: FormulaId) -> Explanation {
    Explanation {
        title: "Recurrent set".to_owned(),
        what: say![cx; "From every state with ", formula, " the cycle can be taken with these choices, and leads to a \
            state that satisfies this formula again."],
        why: say![cx; "So the cycle can be repeated infinitely often, although no state repeats: the counterexample is real, but \
            not a ", Concept::Lasso, " of equal states."],
        maths: vec![line("recurrent set", cx.formula(formula))],
        slip: Some("an infinite run need not repeat a state."),
        subjects: Subjects { edges: trail(cx), ..Subjects::default() },
    }
}
