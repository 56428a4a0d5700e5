//! Explanations of the search for accepting lassos.

use crate::buchi::emptiness::Colour;
use crate::explain::Context;
use crate::explain::glossary::Term;
use crate::explain::piece::{count, say};
use crate::explain::{Explanation, Outcome, Subjects, judged, line};
use crate::kit::{Answer, FormulaId, NodeId};
use crate::methods::cegar::lasso::Event;
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

/// The edges of the lasso, as far as it was told.
fn trail(cx: &Context<'_>) -> Vec<EdgeId> {
    let nodes = cx.cex.lasso.iter().flat_map(|lasso| &lasso.nodes);
    nodes.filter_map(|n| cx.node(*n)?.from.map(|(_, edge)| edge)).collect()
}

fn steps(n: u32) -> String {
    count(n as usize, "step")
}

fn coloured(cx: &Context<'_>, node: NodeId, colour: Colour) -> Explanation {
    let (title, what, why) = match colour {
        Colour::White => ("White", say![cx; node, " is white."], say![cx; "Nobody was there."]),
        Colour::Cyan => (
            "On the search's way",
            say![cx; node, " is cyan: the search has entered it."],
            say![cx; "Cyan nodes are the way from the start to here. An edge back to one of them closes a cycle; if one of \
                its ends is accepting, that is a counterexample already."],
        ),
        Colour::Blue => (
            "Left behind",
            say![cx; node, " is blue: the search has looked at all edges that leave it."],
            say![cx; "A blue node may still be on a cycle that the second search finds, from an accepting node that the \
                first search has yet to leave."],
        ),
        Colour::Red => (
            "No accepting cycle here",
            say![cx; node, " is red: it is on no accepting cycle, or the second search is under way through it."],
            say![cx; "A second search starts from each accepting node when the first one leaves it, and looks for a way back \
                to a cyan node. What it has looked at, it need not look at again: that makes both searches linear."],
        ),
    };
    Explanation { title: title.to_owned(), what, why, maths: Vec::new(), slip: None, subjects: about(node) }
}

fn letter_checked(cx: &Context<'_>, node: NodeId, answer: Answer) -> Explanation {
    let (what, outcome) = match answer {
        Answer::Sat => (say![cx; "The automaton can step on a state of ", node, "."], Outcome::Sat),
        Answer::Unsat => (
            say![cx; "The automaton cannot step on any state of ", node, "; it is left out."],
            Outcome::Unsat,
        ),
        Answer::Unknown => (
            say![cx; "The solver could not tell whether the automaton can step on ", node, "."],
            Outcome::Unknown,
        ),
    };
    Explanation {
        title: "The automaton's step".to_owned(),
        what,
        why: say![cx; "The system moves first; then the atoms of the formula are evaluated in the ", Term::AbstractState,
            " that is reached, and the automaton steps."],
        maths: vec![judged("query", "s ∧ (what the automaton reads)", outcome)],
        slip: None,
        subjects: about(node),
    }
}

fn found(cx: &Context<'_>, back: u32, length: u32) -> Explanation {
    Explanation {
        title: "Abstract lasso".to_owned(),
        what: say![cx; "An accepting lasso: ", steps(back), " to the cycle, ", steps(length.saturating_sub(back)), " around it."],
        why: say![cx; "Going around for ever visits an accepting state of the automaton infinitely often: such a run would \
            violate the formula. But these are ", Term::AbstractState, "s: there need not be a concrete run like this."],
        maths: Vec::new(),
        slip: Some("a cycle of abstract states need not be one of concrete states."),
        subjects: Subjects { cut: Some(back), ..Subjects::default() },
    }
}

fn visited(cx: &Context<'_>, position: u32, node: NodeId) -> Explanation {
    Explanation {
        title: format!("Position {position}"),
        what: say![cx; "Position ", position, " of the lasso is ", node, ", at ", cx.location(node), "."],
        why: say![cx; "Where a node is covered, the lasso goes on from the one that covers it."],
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
            say![cx; "So it can go around for ever: a real counterexample."],
            Outcome::Sat,
        ),
        Answer::Unsat => (
            say![cx; "No run along the lasso is in the same state at both ends of the cycle."],
            say![cx; "The lasso can be traversed, but what looks like a cycle of abstract states leads from one concrete \
                state to another one of the same abstract state. It has to be split."],
            Outcome::Unsat,
        ),
        Answer::Unknown => (
            say![cx; "The solver could not tell whether the cycle closes."],
            say![cx; "Neither a counterexample nor a reason to refine is known."],
            Outcome::Unknown,
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
        what: match cx.cex.lasso.as_ref().and_then(|l| l.kept) {
            None => say![cx; "A concrete run of ", steps(length), " comes back to the same state."],
            Some(kept) => {
                say![cx; "A concrete run of ", steps(length), " comes back to where ", kept, " is true again."]
            }
        },
        why: say![cx; "It is followed with the interpreter, and the formula is evaluated on the word of its states: nothing of \
            the abstraction or the automaton is needed to believe it."],
        maths: Vec::new(),
        slip: None,
        subjects: Subjects::default(),
    }
}

fn ranking_found(cx: &Context<'_>, formula: FormulaId) -> Explanation {
    Explanation {
        title: "Ranking function".to_owned(),
        what: say![cx; formula, " decreases each time around the cycle, and cannot become negative there."],
        why: say![cx; "So no run goes around for ever, whatever its values are. From now on the search knows of each edge \
            whether this expression decreases, and disregards cycles on which it only does."],
        maths: vec![line("ranking", cx.formula(formula))],
        slip: Some("the cycle may be taken many times, only not for ever."),
        subjects: Subjects::default(),
    }
}

fn recurrence_found(cx: &Context<'_>, formula: FormulaId) -> Explanation {
    Explanation {
        title: "Recurrent set".to_owned(),
        what: say![cx; "From every state in which ", formula, " the cycle can be taken with these choices, and leads to another one."],
        why: say![cx; "Its values never come again, but it can be taken for ever: a real counterexample, which no lasso of equal \
            states would show."],
        maths: vec![line("kept", cx.formula(formula))],
        slip: Some("a run that goes on for ever need not come back to a state."),
        subjects: Subjects { edges: trail(cx), ..Subjects::default() },
    }
}
