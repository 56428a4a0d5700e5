//! Explanations of pruning and of the end of a run.
//!
//! Hajdu, Micskei: Efficient Strategies for CEGAR-Based Model Checking (2020), Section 2.2: pruning, and
//! Definition 3 for a complete graph.

use std::collections::BTreeMap;

use crate::explain::formula::{transition, wrapped};
use crate::explain::piece::{Code, List, Piece, agree, count, say};
use crate::explain::round::{EVERY_RUN, NO_VERDICT, goal, unknown_because};
use crate::explain::{Concept, Context, Explanation, Judgement, MathLine, Subjects, judged, line};
use crate::kit::{Goal, NodeId, UnknownReason, Verdict};
use crate::methods::cegar::explain::refinement::label;
use crate::methods::lasso;
use crate::system::LocationId;
use crate::views::Status;

/// More locations are only counted.
const INVARIANTS_MAX: usize = 24;

pub(crate) fn pruned(cx: &Context<'_>, node: NodeId) -> Explanation {
    let was = |id: NodeId| cx.before.nodes.get(id.index()).is_some_and(|n| !n.pruned);
    let ids = (0..).map(NodeId).zip(cx.after.nodes.iter());
    let gone: Vec<NodeId> = ids.filter(|(id, n)| n.pruned && was(*id)).map(|(id, _)| id).collect();
    let below = gone.len().saturating_sub(1);
    let parent = cx.node(node).and_then(|n| n.from).map(|(parent, _)| parent);
    let cut = cx.cex.interpolants.iter().find(|(_, at, _)| *at == node);
    let reason = match (cut, parent) {
        (Some((cut, _, formula)), Some(_)) => say![cx; "It is the first node of the counterexample whose ",
            Concept::Interpolant, " (", *formula, ", cut ", *cut, ") refines the ", Concept::Precision, ". "],
        (None, Some(_)) => say![cx; "The new ", Concept::Precision, " applies from this node on. "],
        (_, None) => {
            say![cx; "It is the root: with the new ", Concept::Precision, ", everything is explored again. "]
        }
    };
    let kept = cx.after.abstract_nodes().count();
    Explanation {
        title: format!("{node} pruned"),
        what: say![cx; "Node ", node, " at ", cx.location(node),
        match below {
            0 => " is removed.".to_owned(),
            n => format!(" is removed, with the {} below it.", count(n, "node")),
        }],
        why: say![cx; reason, "The labels below were computed with the old precision. ",
            if kept > 0 { say![cx; (Concept::LazyPruning, "Lazy pruning"), " keeps the other ", count(kept, "node"), "."] }
            else { say![cx; "No node remains."] }],
        maths: vec![
            line("removed", gone.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
            line("nodes before and after", format!("{} → {kept}", kept + gone.len())),
            line("precision π", cx.tracked_set()),
        ],
        slip: Some(
            "pruned does not mean unreachable. The removed part is built again with the new precision.",
        ),
        subjects: Subjects {
            nodes: std::iter::once(node).chain(gone).collect(),
            cut: cut.map(|(cut, _, _)| *cut),
            ..Subjects::default()
        },
    }
}

pub(crate) fn node_uncovered(cx: &Context<'_>, node: NodeId) -> Explanation {
    let by = match cx.before.nodes.get(node.index()).map(|n| n.status) {
        Some(Status::Covered(by)) => Some(by),
        _ => None,
    };
    let why = match by {
        Some(by) => {
            say![cx; "It was covered by ", by, ", which has been removed. No other node represents its states, \
                so it returns to the ", Concept::Waitlist, "."]
        }
        None => say![cx; "The covering node has been removed, so it returns to the ", Concept::Waitlist, "."],
    };
    let mut maths = vec![line(format!("state of {node}"), cx.state(node))];
    if let Some(by) = by {
        maths.push(line(format!("state of {by} (removed)"), cx.state(by)));
    }
    Explanation {
        title: format!("{node} no longer covered"),
        what: say![cx; "Node ", node, " at ", cx.location(node), " with ", label(cx, node), " is no longer ", Concept::Covered, "."],
        why,
        maths,
        slip: Some("coverage is not permanent: it lasts only as long as the covering node is in the graph."),
        subjects: Subjects { nodes: std::iter::once(node).chain(by).collect(), ..Subjects::default() },
    }
}

pub(crate) fn node_reopened(cx: &Context<'_>, node: NodeId) -> Explanation {
    let lost: Vec<NodeId> = cx.node(node).map_or_else(Vec::new, |n| {
        n.children.iter().copied().filter(|child| cx.node(*child).is_some_and(|c| c.pruned)).collect()
    });
    let edges =
        lost.iter().filter_map(|child| cx.node(*child)?.from).map(|(_, edge)| edge).collect::<Vec<_>>();
    let mut maths = vec![line(format!("state of {node}"), cx.state(node))];
    maths.extend(edges.iter().map(|edge| line("op to do again", transition(cx.edge(*edge)))));
    Explanation {
        title: format!("{node} reopened"),
        what: say![cx; "Node ", node, " at ", cx.location(node), " must be ", Concept::Expanded, " again."],
        why: if lost.is_empty() {
            say![cx; "Some of its successors have been removed from the graph, so it returns to the ", Concept::Waitlist,
                "."]
        } else {
            say![cx; agree(lost.len(), "Its successor ", "Its successors "), List(&lost),
                agree(lost.len(), " was", " were"), " removed; with the new ", Concept::Precision,
                " the edges may lead to other nodes."]
        },
        maths,
        slip: None,
        subjects: Subjects {
            nodes: std::iter::once(node).chain(lost).collect(),
            edges,
            ..Subjects::default()
        },
    }
}

pub(crate) fn decided(cx: &Context<'_>, verdict: Verdict) -> Explanation {
    let temporal = cx.goal() == Goal::Lasso;
    let mut explanation = match verdict {
        Verdict::Holds if temporal => runs_satisfy(cx),
        Verdict::Violated if temporal => run_violates(cx),
        Verdict::Holds => holds(cx),
        Verdict::Violated => violated(cx),
        Verdict::Unknown(reason) => return unknown(cx, reason),
    };
    if cx.goal() == Goal::Wanted {
        let answer = if verdict == Verdict::Holds { "Violated" } else { "Holds" };
        answer.clone_into(&mut explanation.title);
    }
    explanation
}

/// No accepting cycle of the product can be repeated infinitely often.
fn runs_satisfy(cx: &Context<'_>) -> Explanation {
    Explanation {
        title: "Holds".to_owned(),
        what: say![cx; EVERY_RUN],
        why: say![cx; "The ", Concept::BuchiAutomaton, " of the negated formula accepts the runs that violate the formula, and no \
            accepting cycle of its ", Concept::Product, " with the model can be repeated infinitely often. The \
            abstraction represents all concrete runs. The ", Concept::Certificate, " is a ", Concept::Rank,
            " for each ", Concept::AbstractState, ": no step increases it, and it decreases when an accepting state is left."],
        maths: vec![cost(cx)],
        slip: Some(
            "the automaton is that of the negated formula: the property holds if it accepts no run of the model.",
        ),
        subjects: Subjects::default(),
    }
}

/// A concrete run is accepted.
fn run_violates(cx: &Context<'_>) -> Explanation {
    Explanation {
        title: "Violated".to_owned(),
        what: say![cx; "A run that repeats a cycle infinitely often violates the formula."],
        why: match cx.cex.lasso.as_ref().and_then(|l| l.recurrent_set) {
            None => {
                say![cx; "It follows the ", Concept::Lasso, ", and at the end of the cycle all variables on which the cycle depends \
                have the same values as at its start. The checker replays the run in the interpreter and evaluates the formula on \
                its states."]
            }
            Some(kept) => {
                say![cx; "It follows the ", Concept::Lasso, ", and at the end of the cycle ", kept, " is true again. The checker \
                replays the run in the interpreter, proves that the cycle can be taken whenever this formula is true, and \
                evaluates the property on the states."]
            }
        },
        maths: vec![cost(cx)],
        slip: None,
        subjects: Subjects {
            // The end of the cycle comes first.
            nodes: cx.cex.lasso.iter().flat_map(|lasso| lasso.nodes.iter().rev()).copied().collect(),
            edges: lasso::explain::trail(cx),
            ..Subjects::default()
        },
    }
}

/// The cost of the run, a part of all verdicts.
fn cost(cx: &Context<'_>) -> MathLine {
    let queries: u64 = cx.progress.iterations.iter().map(|i| u64::from(i.queries)).sum();
    line(
        "in all",
        format!(
            "{}, {} in the graph, {}, {}",
            count(cx.iteration(), "iteration"),
            count(cx.after.abstract_nodes().count(), "node"),
            cx.tracked_count(),
            count(usize::try_from(queries).unwrap_or(usize::MAX), "query"),
        ),
    )
}

fn holds(cx: &Context<'_>) -> Explanation {
    let covered = cx.after.abstract_nodes().filter(|(_, n)| matches!(n.status, Status::Covered(_))).count();
    let expanded = cx.after.abstract_nodes().filter(|(_, n)| n.status == Status::Expanded).count();
    let unsafe_nodes = cx.after.abstract_nodes().filter(|(_, n)| n.status == Status::Target).count();
    let unmarked = cx.after.abstract_nodes().count().saturating_sub(covered + expanded + unsafe_nodes);
    let tracked = cx.tracked();
    let known: Vec<Piece> = match (cx.precision.variables.len(), tracked.len()) {
        (0, 0) => say![cx; "An empty precision was enough."],
        (0, _) => say![cx; "Tracking ", List(&tracked), " was enough."],
        _ => say![cx; "Tracking ", Code(cx.tracked_set()), " was enough."],
    };
    let is = |n: usize| agree(n, "is", "are");
    let bad =
        if cx.goal() == Goal::Error { "nodes at the error location" } else { "nodes with such a state" };
    let mut maths = vec![
        judged("nodes left to explore", unmarked.to_string(), zero(unmarked)),
        judged(bad, unsafe_nodes.to_string(), zero(unsafe_nodes)),
    ];
    maths.extend(invariants(cx));
    maths.push(cost(cx));
    Explanation {
        title: "Holds".to_owned(),
        what: say![cx; "No run reaches ", goal(cx), "."],
        why: say![cx; "The graph is ", Concept::Complete, ": ", count(expanded, "node"), " ", is(expanded),
            " expanded, ", count(covered, "node"), " ", is(covered), " covered, and there are no ", bad, ". \
             The graph represents all concrete runs, so the labels at each location form an ", Concept::Invariant,
            ". ", known],
        maths,
        slip: Some(
            "a proof need not contain every variable. A variable, such as a loop counter, that occurs in no tracked \
             predicate was not needed.",
        ),
        subjects: Subjects { predicates: tracked, ..Subjects::default() },
    }
}

fn zero(number: usize) -> Judgement {
    if number == 0 { Judgement::Holds } else { Judgement::Fails }
}

/// At each location: the disjunction of the labels of its nodes; covered ones add nothing.
fn invariants(cx: &Context<'_>) -> Vec<MathLine> {
    let mut labels: BTreeMap<LocationId, Vec<String>> = BTreeMap::new();
    for (id, node) in cx.after.abstract_nodes().filter(|(_, n)| !matches!(n.status, Status::Covered(_))) {
        let here = labels.entry(node.label.location).or_default();
        let state = cx.state(id);
        if !here.contains(&state) {
            here.push(state);
        }
    }
    let shown = labels.iter().take(INVARIANTS_MAX).map(|(place, states)| {
        let anything = states.iter().any(|state| state == "true");
        let formula = match states.as_slice() {
            _ if anything => "true".to_owned(),
            [one] => one.clone(),
            many => many.iter().map(|state| wrapped(state)).collect::<Vec<_>>().join(" ∨ "),
        };
        line(format!("invariant at {}", cx.journal.location(*place)), formula)
    });
    let mut lines: Vec<MathLine> = shown.collect();
    if let Some(more @ 1..) = labels.len().checked_sub(INVARIANTS_MAX) {
        lines.push(line("…", format!("and {more} more {}", agree(more, "location", "locations"))));
    }
    lines
}

fn violated(cx: &Context<'_>) -> Explanation {
    let path = cx.path();
    let mut maths: Vec<MathLine> = cx
        .cex
        .valuations
        .iter()
        .map(|(step, values)| {
            let place = cx.place(*step).map_or("?", |place| cx.journal.location(place));
            line(format!("after {step}, at {place}"), cx.formula(*values))
        })
        .collect();
    maths.push(cost(cx));
    // If the model has no error location, the last step leads from the state in question to an added location.
    let last = path.last().and_then(|node| cx.location(*node)).filter(|_| cx.goal() == Goal::Error);
    let length = usize::try_from(cx.cex.length).unwrap_or(usize::MAX);
    Explanation {
        title: "Violated".to_owned(),
        what: say![cx; "A concrete run reaches ", goal(cx),
            match last { Some(place) => say![cx; " ", place, " in ", count(length, "step")], None => Vec::new() }, "."],
        why: say![cx; "The path was checked on the model itself and is ", Concept::Feasible,
            ". Its values are a ", Concept::Certificate, ", checked step by step, independently of the method."],
        maths,
        slip: (cx.goal() != Goal::Wanted)
            .then_some("one run is enough to violate a property, however many runs satisfy it."),
        subjects: Subjects {
            // The end of the run comes first: it is the state that was searched.
            nodes: path.into_iter().rev().collect(),
            edges: cx.cex.steps.iter().map(|step| step.edge).collect(),
            ..Subjects::default()
        },
    }
}

fn unknown(cx: &Context<'_>, reason: UnknownReason) -> Explanation {
    let why = match reason {
        UnknownReason::NoProgress => {
            say![cx; "The ", Concept::Refinement, " found no new predicate or \
            variable: with the same ", Concept::Precision, " the same spurious counterexample would be found again. ",
            if cx.precision.variables.is_empty() { "" } else {
                "Values are enumerated only up to the option max-enum; beyond it the value of a tracked variable is \
                 unknown. A larger limit or a domain with predicates may help."
            }]
        }
        UnknownReason::Interpolation => say![cx; "The counterexample is ", Concept::Spurious, ", but no ",
            Concept::Interpolant, " could be computed for it, so the precision cannot be refined."],
        other => unknown_because(cx, other),
    };
    Explanation {
        title: "Unknown".to_owned(),
        what: say![cx; "The run ends without a verdict: ", reason.to_string(), "."],
        why,
        maths: vec![line("precision π", cx.tracked_set()), cost(cx)],
        slip: Some(NO_VERDICT),
        subjects: Subjects { nodes: cx.path(), predicates: cx.tracked(), ..Subjects::default() },
    }
}
