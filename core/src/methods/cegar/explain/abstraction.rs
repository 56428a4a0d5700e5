//! Explanations of the events that build the graph: successors, coverage.
//!
//! Hajdu, Micskei: Efficient Strategies for CEGAR-Based Model Checking (2020), Section 2.2, Definitions 2 and 3.

use std::collections::BTreeSet;

use crate::explain::formula::{primed, transition, wrapped};
use crate::explain::piece::{Code, List, Piece, agree, count, say};
use crate::explain::{Concept, Context, Explanation, Judgement, MathLine, Subjects, judged, line, waiting};
use crate::kit::{self, Answer, NodeId, PredicateId, Truth};
use crate::methods::cegar::Event;
use crate::system::{EdgeId, VarId};
use crate::views::Status;

pub(crate) fn iteration_started(cx: &Context<'_>, iteration: u32) -> Explanation {
    let tracked = cx.tracked();
    let (variables, found) = newly_found(cx, iteration);
    let nothing = cx.tracked_texts().is_empty();
    let open = waiting(&cx.after);
    let live = cx.after.abstract_nodes().count();
    let why = if iteration <= 1 {
        say![cx; Concept::Cegar, " starts with a coarse abstraction, because a smaller precision usually gives a smaller ", (Concept::Arg, "graph"),
            ". With an empty precision, an abstract state is only a location."]
    } else if found.is_empty() && variables.is_empty() {
        say![cx; "The last counterexample was ", Concept::Spurious, ", so the search continues with the same ",
            Concept::Precision, " on the part of the graph that was kept."]
    } else {
        say![cx; "The last counterexample was ", Concept::Spurious, "; the ", Concept::Refinement, " found ",
            List(&variables), if variables.is_empty() || found.is_empty() { "" } else { " and " }, List(&found), ". ",
            if live > 0 { format!("{} of the graph {} kept.", count(live, "node"), agree(live, "was", "were")) }
            else { "The graph is rebuilt from the root.".to_owned() }]
    };
    Explanation {
        title: format!("Iteration {iteration}"),
        what: say![cx; (Concept::Iteration, "Iteration"), " ", iteration, " starts: the program is explored with ",
            if nothing { "an empty " } else { "a " }, Concept::Precision,
            if nothing { ".".to_owned() } else { format!(" of {}.", cx.tracked_count()) }],
        why,
        maths: vec![
            line("precision π", cx.tracked_set()),
            line("nodes kept", live.to_string()),
            line("waitlist", set(&open)),
        ],
        slip: (iteration > 1).then_some(
            "a larger precision is not always better. It makes each step more expensive; only predicates and \
             variables that exclude the spurious counterexample help.",
        ),
        subjects: Subjects { nodes: open, predicates: tracked, ..Subjects::default() },
    }
}

/// What the last iteration found.
fn newly_found(cx: &Context<'_>, iteration: u32) -> (Vec<VarId>, Vec<PredicateId>) {
    let last = iteration.saturating_sub(1);
    let now = |i: u32| i == last && last > 0;
    let variables = cx.precision.variables.iter().filter(|(_, i)| now(*i)).map(|(v, _)| *v);
    let predicates = cx.precision.predicates.iter().filter(|(_, i)| now(*i)).map(|(p, _)| *p);
    (variables.collect(), predicates.collect())
}

/// The maximal number of listed entries of a path or a set.
const LISTED: usize = 60;

/// The entries; of many, the first and the last ones.
fn listed<T: ToString>(entries: &[T]) -> Vec<String> {
    let texts = |part: &[T]| part.iter().map(ToString::to_string).collect::<Vec<String>>();
    if entries.len() <= LISTED {
        return texts(entries);
    }
    let (first, rest) = entries.split_at(LISTED / 2);
    let (middle, last) = rest.split_at(rest.len() - LISTED / 2);
    [texts(first), vec![format!("… {} more …", middle.len())], texts(last)].concat()
}

fn set<T: ToString>(entries: &[T]) -> String {
    if entries.is_empty() { "∅".to_owned() } else { format!("{{{}}}", listed(entries).join(", ")) }
}

pub(crate) fn node_selected(cx: &Context<'_>, node: NodeId) -> Explanation {
    let others = waiting(&cx.after);
    let edges = cx.edges_to(node);
    let path: Vec<&str> = edges.iter().map(|edge| cx.edge(*edge)).collect();
    Explanation {
        title: format!("{node} selected"),
        what: say![cx; "Node ", node, " at ", cx.location(node), " is taken from the ", Concept::Waitlist, "."],
        why: say![cx; "It is in the graph but not yet ", Concept::Expanded, ", ", Concept::Covered, " or at the ",
        Concept::ErrorLocation, ". ",
        match others.len() {
            0 => "No other node is waiting.".to_owned(),
            n => format!("{} {} waiting after it.", count(n, "more node"), agree(n, "is", "are")),
        }],
        maths: vec![
            line(format!("state of {node}"), cx.state(node)),
            line(
                "reached by",
                if path.is_empty() { "the start".to_owned() } else { listed(&path).join(" → ") },
            ),
            line("still waiting", set(&others)),
        ],
        slip: None,
        subjects: Subjects { nodes: vec![node], edges, ..Subjects::default() },
    }
}

/// The lines `s ⇒ s₂`, with both states spelled out.
fn cover_maths(cx: &Context<'_>, node: NodeId, by: NodeId, answer: Answer) -> Vec<MathLine> {
    let (s, s2) = (cx.state(node), cx.state(by));
    let query = format!("{} ∧ ¬({s2})", wrapped(&s));
    let (holds, asked) = match answer {
        Answer::Unsat => (Judgement::Holds, Judgement::Unsat),
        Answer::Sat => (Judgement::Fails, Judgement::Sat),
        Answer::Unknown => (Judgement::Unknown, Judgement::Unknown),
    };
    vec![
        line(format!("state of {node}"), s.clone()),
        line(format!("state of {by}"), s2.clone()),
        judged("entailment", format!("{} ⇒ {}", wrapped(&s), wrapped(&s2)), holds),
        judged("query", query, asked),
    ]
}

pub(crate) fn cover_checked(cx: &Context<'_>, node: NodeId, by: NodeId, answer: Answer) -> Explanation {
    let mine = cx.facts(node);
    let mut extra = cx.facts(by);
    extra.retain(|fact| !mine.contains(fact));
    let demanded = cx.literals(by).iter().filter(|l| !cx.literals(node).contains(l));
    let (what, why) = match answer {
        Answer::Unsat => (
            say![cx; "Node ", by, " can cover ", node, ": every state of ", node, " is also a state of ", by, "."],
            why_covered(cx, node, by),
        ),
        Answer::Sat => (
            say![cx; "Node ", by, " cannot cover ", node, ": some state of ", node, " is not a state of ", by, "."],
            say![cx; by, " also requires ", Code(format!("{{{}}}", extra.join(", "))), ", and ", Code(cx.known(node)),
                " does not imply that. Successors of ", node, " may therefore be missing below ", by, "."],
        ),
        Answer::Unknown => (
            say![cx; "The solver returned unknown for whether ", by, " covers ", node, "."],
            say![cx; "Without an answer, ", node, " is treated as not covered: that costs time but is sound."],
        ),
    };
    Explanation {
        title: format!("Can {by} cover {node}?"),
        what,
        why,
        maths: cover_maths(cx, node, by, answer),
        slip: (answer == Answer::Sat).then_some(
            "a node covers another when its formula is weaker or equal, not only when both formulas are the same.",
        ),
        subjects: Subjects {
            nodes: vec![node, by],
            predicates: demanded.map(|(p, _)| *p).collect(),
            ..Subjects::default()
        },
    }
}

fn why_covered(cx: &Context<'_>, node: NodeId, by: NodeId) -> Vec<Piece> {
    let theirs = cx.known(by);
    let reason = if !cx.knows(by) {
        say![cx; by, " represents every state there"]
    } else if theirs == cx.known(node) {
        say![cx; "both have the label ", Code(theirs)]
    } else {
        say![cx; Code(cx.known(node)), " implies ", Code(theirs)]
    };
    say![cx; "Both are at ", cx.location(node), ", and ", reason, ": everything reachable from ", node,
        " is explored from ", by, "."]
}

pub(crate) fn node_covered(cx: &Context<'_>, node: NodeId, by: NodeId) -> Explanation {
    Explanation {
        title: format!("{node} covered by {by}"),
        what: say![cx; "Node ", node, " is ", Concept::Covered, " by ", by, "; it is not expanded."],
        why: why_covered(cx, node, by),
        maths: cover_maths(cx, node, by, Answer::Unsat),
        slip: Some(
            "covered does not mean unreachable. The states of a covered node may be reachable; their successors are \
             explored from the covering node.",
        ),
        subjects: Subjects { nodes: vec![node, by], ..Subjects::default() },
    }
}

pub(crate) fn edge_checked(cx: &Context<'_>, node: NodeId, edge: EdgeId, answer: Answer) -> Explanation {
    let state = cx.known(node);
    let known = cx.knows(node);
    let (what, why, asked) = match answer {
        Answer::Sat => (
            say![cx; "From node ", node, ", the edge ", edge, " to ", cx.target(edge), " can be taken."],
            if known {
                say![cx; "At least one state with ", Code(state), " can take ", edge, "; a successor will be added."]
            } else {
                say![cx; node, " represents all states at ", cx.location(node), ", and at least one of them can take ",
                    edge, "; a successor will be added."]
            },
            Judgement::Sat,
        ),
        Answer::Unsat => (
            say![cx; "From node ", node, ", the edge ", edge, " to ", cx.target(edge), " cannot be taken."],
            if known {
                say![cx; "No state with ", Code(state), " can take ", edge, ": the two contradict each other."]
            } else {
                say![cx; "No state can take ", edge, ": it is unsatisfiable."]
            },
            Judgement::Unsat,
        ),
        Answer::Unknown => (
            say![cx; "The solver returned unknown for whether ", edge, " can be taken from node ", node, "."],
            say![cx; "Without an answer the edge is taken: the graph must represent every run."],
            Judgement::Unknown,
        ),
    };
    Explanation {
        title: format!("Can {node} take {}?", cx.edge(edge)),
        what,
        why,
        maths: vec![
            line("s", cx.state(node)),
            line("op", transition(cx.edge(edge))),
            judged("query s ∧ op", format!("{} ∧ {}", wrapped(&cx.state(node)), cx.edge(edge)), asked),
        ],
        slip: (answer == Answer::Sat).then_some(
            "an edge that can be taken in the abstraction need not be possible in a concrete run: the node may \
             represent states that no run reaches.",
        ),
        subjects: Subjects {
            nodes: vec![node],
            edges: vec![edge],
            locations: cx.target(edge).into_iter().collect(),
            ..Subjects::default()
        },
    }
}

pub(crate) fn predicate_checked(
    cx: &Context<'_>,
    node: NodeId,
    edge: EdgeId,
    predicate: PredicateId,
    truth: Truth,
) -> Explanation {
    let state = Code(cx.known(node));
    let start = if !cx.knows(node) {
        say![cx; "From any state at ", cx.location(node)]
    } else {
        say![cx; "From any state with ", state]
    };
    let (what, why) = match truth {
        Truth::True => (
            say![cx; "After ", edge, " from node ", node, ", ", predicate, " is certainly true."],
            say![cx; start, ", ", edge, " always makes ", predicate, " true. The successor contains it."],
        ),
        Truth::False => (
            say![cx; "After ", edge, " from node ", node, ", ", predicate, " is certainly false."],
            say![cx; start, ", ", edge, " always makes ", predicate,
                " false. The successor contains its negation."],
        ),
        Truth::Unknown => (
            say![cx; "After ", edge, " from node ", node, ", ", predicate, " may be true or false."],
            say![cx; start, ", ", edge, " does not determine ", predicate, ": neither it nor its negation is ",
                (Concept::Entails, "entailed"), ". A Cartesian domain omits it from the successor; a Boolean one next \
                enumerates the possible combinations of such predicates."],
        ),
    };
    Explanation {
        title: format!("Is {} true after {}?", cx.predicate(predicate), cx.edge(edge)),
        what,
        why,
        maths: predicate_maths(cx, node, edge, predicate, truth),
        slip: (truth == Truth::Unknown)
            .then_some("unknown does not mean false: after the step there may be states of both kinds."),
        subjects: Subjects {
            nodes: vec![node],
            edges: vec![edge],
            predicates: vec![predicate],
            locations: cx.target(edge).into_iter().collect(),
            ..Subjects::default()
        },
    }
}

fn predicate_maths(
    cx: &Context<'_>,
    node: NodeId,
    edge: EdgeId,
    predicate: PredicateId,
    truth: Truth,
) -> Vec<MathLine> {
    let next = primed(cx.predicate(predicate));
    let premise = format!("{} ∧ {}", wrapped(&cx.state(node)), cx.edge(edge));
    let yes = if truth == Truth::True { Judgement::Holds } else { Judgement::Fails };
    let mut lines = vec![
        line("s", cx.state(node)),
        line("op", transition(cx.edge(edge))),
        line("p′", next.clone()),
        judged("s ∧ op ⇒ p′", format!("{premise} ⇒ {}", wrapped(&next)), yes),
    ];
    if truth != Truth::True {
        let no = if truth == Truth::False { Judgement::Holds } else { Judgement::Fails };
        lines.push(judged("s ∧ op ⇒ ¬p′", format!("{premise} ⇒ ¬({next})"), no));
    }
    lines
}

/// How a successor's state is computed in the domain at hand, and what it omits.
fn how_added(
    cx: &Context<'_>,
    (node, parent, edge): (NodeId, NodeId, EdgeId),
    tracked: usize,
    silent: usize,
    maths: &mut Vec<MathLine>,
) -> (Vec<Piece>, String) {
    let (values, either) = (!cx.precision.variables.is_empty(), cx.splits(node));
    let one_of = if either { None } else { combinations(cx, parent, edge) };
    let certain = "conjunction of the p with s ∧ op ⇒ p′ and the ¬p with s ∧ op ⇒ ¬p′";
    match (tracked, one_of) {
        (0, _) => {}
        (_, None) => maths.push(line("s₂", certain)),
        (_, Some(all)) => {
            maths.push(line(
                "s₂",
                format!("{certain}, and one of {} of the others", count(all, "combination")),
            ));
        }
    }
    let how = match (tracked, values) {
        (0, false) => say![cx; "The precision is empty, so the node is only a location."],
        (0, true) => say![cx; "The new node contains the values of the tracked variables that are certain."],
        (_, true) if cx.has_values(node) => {
            say![cx; "The new node contains the values and the predicates that are certain."]
        }
        (_, false) if let Some(all) = one_of => {
            let nodes = if all == 1 { "it becomes one node" } else { "each becomes a node of its own" };
            say![cx; "The solver found ", count(all, "possible combination"), " of the predicates whose truth is not \
                certain; ", nodes, ". The new node contains one, in addition to the predicates that are certain."]
        }
        _ if either => {
            say![cx; "The new node also contains the disjunction of the possible combinations of predicates."]
        }
        _ => say![cx; "In a ", Concept::CartesianAbstraction,
            ", the new node contains exactly the predicates whose truth is certain."],
    };
    let rest = match (tracked, silent) {
        (0, _) => String::new(),
        (_, 0) => " All tracked predicates are known there.".to_owned(),
        (1, _) => " The tracked predicate is omitted as unknown.".to_owned(),
        (all, n) => {
            format!(" {n} of the {} {} omitted as unknown.", count(all, "predicate"), agree(n, "is", "are"))
        }
    };
    (how, rest)
}

pub(crate) fn node_added(cx: &Context<'_>, node: NodeId, from: Option<(NodeId, EdgeId)>) -> Explanation {
    let literals = cx.literals(node);
    let tracked = cx.tracked_at(node);
    let silent = tracked.len().saturating_sub(literals.len());
    let label = if cx.knows(node) {
        say![cx; Code(cx.known(node))]
    } else {
        say![cx; "no information about the variables"]
    };
    let mut maths = vec![line(format!("state of {node}"), cx.state(node))];
    let (what, why) = match from {
        None => (
            say![cx; "The graph starts with node ", node, " at ", cx.location(node), ", with ", label, "."],
            say![cx; "Every run starts at ", cx.location(node),
                ". The first node must represent all initial states."],
        ),
        Some((parent, edge)) => {
            maths.push(line(format!("state of {parent}"), cx.state(parent)));
            maths.push(line("op", transition(cx.edge(edge))));
            let (how, rest) = how_added(cx, (node, parent, edge), tracked.len(), silent, &mut maths);
            (
                say![cx; "Node ", node, " is added below ", parent, ": at ", cx.location(node), " after ", edge,
                    ", with ", label, "."],
                say![cx; how, rest],
            )
        }
    };
    Explanation {
        title: format!("{node} added"),
        what,
        why,
        maths,
        slip: (silent > 0)
            .then_some("a predicate that does not occur in a node is unknown there, not false."),
        subjects: Subjects {
            nodes: std::iter::once(node).chain(from.map(|(parent, _)| parent)).collect(),
            edges: from.into_iter().map(|(_, edge)| edge).collect(),
            predicates: literals.iter().map(|(p, _)| *p).collect(),
            ..Subjects::default()
        },
    }
}

pub(crate) fn node_expanded(cx: &Context<'_>, node: NodeId) -> Explanation {
    let live = |id: &NodeId| cx.node(*id).is_some_and(|n| !n.pruned);
    let children: Vec<NodeId> =
        cx.node(node).map(|n| n.children.iter().copied().filter(live).collect()).unwrap_or_default();
    let blocked: Vec<EdgeId> = cx.node(node).map(|n| n.blocked.clone()).unwrap_or_default();
    let place = cx.location(node);
    let taken = children.iter().filter_map(|c| cx.node(*c)?.from).map(|(_, edge)| edge);
    let leaving = taken.chain(blocked.iter().copied()).collect::<BTreeSet<EdgeId>>().len();
    let what = if children.is_empty() {
        say![cx; "Node ", node, " is ", Concept::Expanded, ": it has no successors."]
    } else {
        say![cx; "Node ", node, " is ", Concept::Expanded, ": its ",
            format!("{} {} ", agree(children.len(), "successor", "successors"), agree(children.len(), "is", "are")),
            List(&children), "."]
    };
    let why = match (leaving, blocked.len()) {
        (0, _) if cx.journal.names.edges.iter().any(|e| Some(e.source) == place) => {
            say![cx; "No edge of ", place, " leads towards the ", Concept::ErrorLocation, "."]
        }
        (0, _) => say![cx; "No edges leave ", place, ": runs end here."],
        (n, 0) => {
            say![cx; count(n, "edge"), agree(n, " leaves ", " leave "), place, agree(n, ", and it was checked.", ", and all were checked.")]
        }
        (n, _) => say![cx; count(n, "edge"), agree(n, " leaves ", " leave "), place, "; ", List(&blocked),
            " cannot be taken from any of its states."],
    };
    let waiting = cx.after.nodes.iter().filter(|n| !n.pruned && n.status == Status::Open).count();
    Explanation {
        title: format!("{node} expanded"),
        what,
        why,
        maths: vec![
            line(format!("state of {node}"), cx.state(node)),
            line("successors", set(&children)),
            line(
                "edges that cannot be taken",
                set(&blocked.iter().map(|edge| cx.edge(*edge)).collect::<Vec<&str>>()),
            ),
            line("nodes waiting", waiting.to_string()),
        ],
        slip: None,
        subjects: Subjects {
            nodes: std::iter::once(node).chain(children).collect(),
            edges: blocked,
            ..Subjects::default()
        },
    }
}

/// The number of combinations of predicates that are possible after an edge from a node, if they were enumerated
/// completely.
fn combinations(cx: &Context<'_>, from: NodeId, along: EdgeId) -> Option<usize> {
    let listed = cx.journal.events[..cx.index].iter().rev().find_map(|event| match event {
        kit::Event::Cegar(Event::CubesListed { node, edge, cubes, .. })
            if (*node, *edge) == (from, along) =>
        {
            Some(*cubes)
        }
        _ => None,
    });
    listed.filter(|cubes| *cubes > 0).map(usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_entries_the_first_and_the_last_are_listed() {
        let nodes = |count: u32| (0..count).map(NodeId).collect::<Vec<NodeId>>();
        assert_eq!((set(&nodes(0)), set(&nodes(2))), ("∅".to_owned(), "{n0, n1}".to_owned()));
        assert_eq!(listed(&nodes(60)).len(), 60);
        let many = listed(&nodes(60_000));
        assert_eq!((many.len(), many[30].as_str(), many[60].as_str()), (61, "… 59940 more …", "n59999"));
    }
}
