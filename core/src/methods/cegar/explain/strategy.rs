//! Explanations of the events that only some strategies have: values, combinations of predicates, several
//! counterexamples, two explanations of one.
//!
//! Hajdu, Micskei: Efficient Strategies for CEGAR-Based Model Checking (2020), Section 3.

use crate::explain::formula::{transition, wrapped};
use crate::explain::piece::{Code, Piece, count, say};
use crate::explain::{Concept, Context, Explanation, Judgement, MathLine, Subjects, judged, line};
use crate::kit::{NodeId, PredicateId};
use crate::methods::cegar::explain::refinement::place;
use crate::system::{EdgeId, LocationId, VarId};

/// The common parts of the explanations of events about an edge from a node.
fn about_edge(
    cx: &Context<'_>,
    (node, edge): (NodeId, EdgeId),
    title: String,
    what: Vec<Piece>,
    why: Vec<Piece>,
    last: MathLine,
) -> Explanation {
    Explanation {
        title,
        what,
        why,
        maths: vec![line("s", cx.state(node)), line("op", transition(cx.edge(edge))), last],
        slip: None,
        subjects: Subjects {
            nodes: vec![node],
            edges: vec![edge],
            locations: cx.target(edge).into_iter().collect(),
            ..Subjects::default()
        },
    }
}

pub(crate) fn edge_blocked(cx: &Context<'_>, node: NodeId, edge: EdgeId) -> Explanation {
    let query = format!("{} ∧ {}", wrapped(&cx.state(node)), cx.edge(edge));
    about_edge(
        cx,
        (node, edge),
        format!("{node} cannot take {}", cx.edge(edge)),
        say![cx; "From node ", node, ", the edge ", edge, " to ", cx.target(edge), " cannot be taken."],
        say![cx; "With the values ", Code(cx.known(node)), " the condition is false; no query is needed."],
        judged("s ∧ op", query, Judgement::Unsat),
    )
}

pub(crate) fn values_listed(
    cx: &Context<'_>,
    node: NodeId,
    edge: EdgeId,
    found: u32,
    complete: bool,
) -> Explanation {
    let number = usize::try_from(found).unwrap_or(usize::MAX);
    let (what, why) = match (complete, found) {
        (true, 0) => (
            say![cx; "From node ", node, ", the edge ", edge, " cannot be taken."],
            say![cx; "The solver found no values after it."],
        ),
        (true, _) => (
            say![cx; "After ", edge, " from node ", node, " the tracked variables can have ",
                count(number, "combination"), " of values."],
            say![cx; "The known values do not determine the result of ", edge, ", so the solver enumerates the combinations: each \
                model is excluded from the next query, until there is none. Each combination becomes a successor."],
        ),
        (false, _) => (
            say![cx; "After ", edge, " from node ", node, " there are more combinations of values than are enumerated."],
            say![cx; "The enumeration stopped after ", found, " combinations, more than the limit ", Code("max-enum".to_owned()),
                ". The successor keeps only the values that are certain; the others are unknown."],
        ),
    };
    let title = format!("Which values after {}?", cx.edge(edge));
    let all = if complete { found.to_string() } else { format!("at least {found}") };
    about_edge(cx, (node, edge), title, what, why, line("assignments that satisfy s ∧ op", all))
}

pub(crate) fn cubes_listed(cx: &Context<'_>, node: NodeId, edge: EdgeId, cubes: u16) -> Explanation {
    let why = match cubes {
        0 => {
            say![cx; "All combinations of the undetermined predicates are possible, or there are too many to \
            enumerate: the label is the conjunction of the determined ones."]
        }
        n => {
            say![cx; "Not all combinations of the undetermined predicates are possible; the possible ones are the disjunction \
            of ", count(usize::from(n), "conjunction"), ". Boolean abstraction keeps them, in one node or each in a \
            node of its own; ", Concept::CartesianAbstraction, " would not."]
        }
    };
    about_edge(
        cx,
        (node, edge),
        format!("Which combinations after {}?", cx.edge(edge)),
        say![cx; "The solver enumerated the combinations of predicates that are possible after ", edge, " from node ", node, "."],
        why,
        line("strongest combination", count(usize::from(cubes), "conjunction")),
    )
}

pub(crate) fn cex_chosen(cx: &Context<'_>, node: NodeId, length: u32) -> Explanation {
    let steps = count(usize::try_from(length).unwrap_or(usize::MAX), "step");
    let edges = cx.edges_to(node);
    Explanation {
        title: format!("Counterexample to {node}"),
        what: say![cx; "Of the counterexamples found, the one to ", node, " with ", steps, " is checked now."],
        why: say![cx; "All of them are checked and interpolated before the refinement, so that one refinement can \
            exclude several."],
        maths: vec![line("path", edges.iter().map(|e| cx.edge(*e)).collect::<Vec<_>>().join(" → "))],
        slip: None,
        subjects: Subjects { nodes: cx.after.path(node), edges, ..Subjects::default() },
    }
}

pub(crate) fn prune_compared(cx: &Context<'_>, forward: u32, backward: u32, backwards: bool) -> Explanation {
    let (taken, other, at) =
        if backwards { ("backward", "forward", backward) } else { ("forward", "backward", forward) };
    let node = cx.path().get(at as usize).copied();
    Explanation {
        title: "Which interpolant?".to_owned(),
        what: say![cx; "The ", taken, " ", Concept::Interpolant, " is used; it prunes at ", node, "."],
        why: say![cx; "The forward one is about the last state that can be reached, the backward one about the first \
            state from which the rest of the path is feasible. The strategy prefers this pruning point to that of the ", other,
            " one."],
        maths: vec![
            line("forward: longest feasible prefix", count(forward as usize, "step")),
            line("backward: longest feasible suffix starts after", count(backward as usize, "step")),
        ],
        slip: None,
        subjects: Subjects { nodes: node.into_iter().collect(), cut: Some(at), ..Subjects::default() },
    }
}

pub(crate) fn cex_skipped(cx: &Context<'_>, node: NodeId, by: NodeId) -> Explanation {
    Explanation {
        title: format!("Counterexample to {node} postponed"),
        what: say![cx; "The counterexample to ", node, " is not refined now."],
        why: say![cx; "Another one is refined at ", by, ", an ancestor of the node where this one would be: the graph is pruned \
            there, and this counterexample is removed with it. If it is found again, it is refined then."],
        maths: vec![line("minimal set", "counterexamples with no other refined state above theirs")],
        slip: None,
        subjects: Subjects { nodes: vec![node, by], ..Subjects::default() },
    }
}

pub(crate) fn variable_tracked(
    cx: &Context<'_>,
    variable: VarId,
    location: Option<LocationId>,
) -> Explanation {
    let name = Code(cx.journal.variable(variable).to_owned());
    Explanation {
        title: format!("{} is tracked", cx.journal.variable(variable)),
        what: say![cx; "The variable ", name, " is added to the ", Concept::Precision, place(cx, location), ", which now has ",
            cx.tracked_count(), "."],
        why: say![cx; if cx.cex.target.is_none() { say![cx; "It is part of the initial precision."] }
            else { say![cx; "It occurs in the ", (Concept::Interpolant, "interpolants"), " of the spurious counterexample."] },
            " From now on an abstract state contains its value where the value is known."],
        maths: vec![line("precision π", cx.tracked_set())],
        slip: Some("a tracked variable need not have a known value: after an input any value is possible."),
        subjects: Subjects::default(),
    }
}

pub(crate) fn chain_grew(cx: &Context<'_>, predicate: PredicateId, length: u32) -> Explanation {
    Explanation {
        title: "Divergence?".to_owned(),
        what: say![cx; length, " predicates found so far differ from ", predicate, " only in constants."],
        why: say![cx; "Each refinement excludes one more path, but not the next: a loop is being unrolled, and the run may \
            diverge. Another domain, refinement or split may find a predicate that excludes all of these paths."],
        maths: vec![line("the newest", cx.predicate(predicate)), line("precision π", cx.tracked_set())],
        slip: None,
        subjects: Subjects { predicates: vec![predicate], ..Subjects::default() },
    }
}
