//! Explanations of under-approximation refinement.

use crate::explain::glossary::Concept;
use crate::explain::piece::{Code, Piece, count, say};
use crate::explain::round::{NO_VERDICT, concluded, goal, titled};
use crate::explain::{Context, Explanation, MathLine, Subjects, line};
use crate::kit::{self, Arrival, FormulaId, NodeId, PredicateId, UnknownReason, Verdict};
use crate::methods::under::Event;
use crate::system::EdgeId;

/// Explains an event.
pub(crate) fn explain(cx: &Context<'_>, event: Event) -> Explanation {
    match event {
        Event::PredicateAdded { predicate } => predicate_added(cx, predicate),
        Event::StateStored { state, from } => state_stored(cx, state, from.map(Arrival::pair)),
        Event::StateMatched { state, from, stored } => state_matched(cx, state, from.pair(), stored),
        Event::TransitionChecked { state, lost, asked } => transition_checked(cx, state, lost, asked),
        Event::DisabledChecked { state, edge, lost, .. } => disabled_checked(cx, (state, edge), lost),
        Event::InputsChecked { state, edge, lost } => inputs_checked(cx, (state, edge), lost),
        Event::StateExpanded { state } => state_expanded(cx, state),
        Event::ErrorReached { state, from } => error_reached(cx, state, from.pair()),
        Event::SearchEnded { generated, stored, inexact, found } => {
            search_ended(cx, (generated, stored), (inexact, found))
        }
        Event::Forgotten { state } => forgotten(cx, state),
    }
}

/// The start of a search.
pub(crate) fn round(cx: &Context<'_>, round: u32) -> Explanation {
    if round == 1 {
        return titled(
            "Search 1".to_owned(),
            say![cx; "The first search begins with the atoms of the guards as ", Concept::Predicate, "s."],
            say![cx; "Concrete states are executed, but only their abstract states are stored: the location, the program \
                counters, and the truth of each predicate. A state whose abstract state is stored already is not explored, so \
                the search explores a part of the behaviour: an under-approximation. Each error that it finds is real."],
        );
    }
    titled(
        format!("Search {round}"),
        say![cx; "The search begins again, with more ", Concept::Predicate, "s."],
        say![cx; "More predicates distinguish more states, so states that were matched before may be explored now. The search \
            can also miss states that it explored before, because other states are now met first."],
    )
}

/// The end of the run.
pub(crate) fn decided(cx: &Context<'_>, verdict: Verdict) -> Explanation {
    let maths = vec![line("in all", count(cx.iteration(), "search"))];
    let subjects = Subjects::default();
    match verdict {
        Verdict::Holds => Explanation {
            title: "Exact".to_owned(),
            what: say![cx; "Every transition is exact, and no state that was reached is ", goal(cx), "."],
            why: say![cx; "Whatever one state of an abstract state can do, all of its states can do, too. So the states that were \
                not explored behave as those that were: the stored structure is bisimilar to the model. It is the ",
                Concept::Certificate, ": the checker proves again that no step leaves it, and that each command without inputs is possible in all states of its source."],
            maths,
            slip: Some("the structure need not be the smallest one with this behaviour."),
            subjects,
        },
        Verdict::Unknown(UnknownReason::Diverges) => Explanation {
            title: "Diverges".to_owned(),
            what: say![cx; "The last searches had the same size, with more and more predicates."],
            why: say![cx; "The predicates refine states that no run reaches. The option ", Code("concrete".to_owned()),
                " ends this for models with finitely many reachable states: a state in which a transition is inexact again \
                and again becomes an abstract state of its own."],
            maths,
            slip: Some(NO_VERDICT),
            subjects,
        },
        _ => Explanation { maths, ..concluded(cx, verdict) },
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

/// Has a search ended before this event?
fn has_searched(cx: &Context<'_>) -> bool {
    let before = &cx.journal.events[..cx.index.min(cx.journal.events.len())];
    before.iter().any(|event| matches!(event, kit::Event::Under(Event::SearchEnded { .. })))
}

fn predicate_added(cx: &Context<'_>, predicate: PredicateId) -> Explanation {
    let subjects = Subjects { predicates: vec![predicate], ..Subjects::default() };
    Explanation {
        title: "New predicate".to_owned(),
        what: say![cx; "The ", Concept::Predicate, " ", predicate, " belongs to the abstraction from now on."],
        why: if !has_searched(cx) {
            say![cx; "It is an atom of a guard, or given with the model: whether a command is enabled depends on it."]
        } else {
            say![cx; "It occurs in a weakest precondition that an abstract state did not imply. With it, the two kinds of states \
                that were stored as one are distinguished."]
        },
        maths: vec![line("predicate", cx.journal.literal((predicate, true)))],
        slip: None,
        subjects,
    }
}

fn state_stored(cx: &Context<'_>, state: NodeId, from: Option<(NodeId, EdgeId)>) -> Explanation {
    let maths = vec![line(format!("state {state}"), cx.state(state))];
    match from {
        None => explained(
            format!("Initial state {state}"),
            say![cx; "The search begins in ", state, ", at ", cx.location(state), "."],
            say![cx; "Initial states with the same truth of all predicates have one representative."],
            maths,
            (vec![state], Vec::new()),
        ),
        Some((parent, edge)) => explained(
            format!("State {state} is stored"),
            say![cx; "From ", parent, ", ", Code(cx.edge(edge).to_owned()), " leads to ", state, ". No state with the same \
                program counters and the same truth of all predicates was stored before."],
            say![cx; "The concrete state waits to be explored; its abstract state is stored, and later states are matched \
                with it."],
            maths,
            (vec![state, parent], vec![edge]),
        ),
    }
}

fn state_matched(
    cx: &Context<'_>,
    state: NodeId,
    (parent, edge): (NodeId, EdgeId),
    stored: NodeId,
) -> Explanation {
    Explanation {
        slip: Some(
            "matched states need not behave alike; whether they do is decided by the checks of exactness.",
        ),
        ..explained(
            format!("State {state} is matched with {stored}"),
            say![cx; "From ", parent, ", ", Code(cx.edge(edge).to_owned()), " leads to ", state, ", which satisfies the same \
                predicates as ", stored, ". It is not explored."],
            say![cx; "Only one concrete state is explored for each abstract state. Behaviour that only ", state, " has is missed \
                in this search."],
            vec![
                line(format!("state {state}"), cx.state(state)),
                line(format!("state {stored}"), cx.state(stored)),
            ],
            (vec![state, stored, parent], vec![edge]),
        )
    }
}

fn transition_checked(cx: &Context<'_>, state: NodeId, lost: Option<FormulaId>, asked: u32) -> Explanation {
    let parent = cx.after.nodes.get(state.index()).and_then(|node| node.from);
    let (nodes, edges) = match parent {
        Some((parent, edge)) => (vec![state, parent], vec![edge]),
        None => (vec![state], Vec::new()),
    };
    let source = nodes.last().copied().unwrap_or(state);
    let queries = if asked == 0 { "no query was needed".to_owned() } else { count(asked as usize, "query") };
    let predicates = |node: NodeId| {
        let literals: Vec<String> = cx.literals(node).iter().map(|l| cx.journal.literal(*l)).collect();
        if literals.is_empty() { "true".to_owned() } else { literals.join(" ∧ ") }
    };
    let mut maths = vec![line("implication", "α(s) ⇒ g ∧ α(s′)[e/x]".to_owned())];
    maths.extend(edges.first().map(|edge| line("g → x := e", cx.edge(*edge).to_owned())));
    maths.extend([
        line(format!("α(s), s = {source}"), predicates(source)),
        line(format!("α(s′), s′ = {state}"), predicates(state)),
        line("solver", queries),
    ]);
    match lost {
        None => explained(
            "Exact".to_owned(),
            say![cx; "The step from ", source, " to ", state, " is exact."],
            say![cx; "Every state with the abstract state of ", source, " has the same step into the abstract state of ", state,
                ": the abstract state implies the ", Concept::WeakestPrecondition, "."],
            maths,
            (nodes, edges),
        ),
        Some(id) => {
            maths.push(line("not implied", cx.formula(id)));
            explained(
                "Not exact".to_owned(),
                say![cx; "The step from ", source, " to ", state, " is not exact."],
                say![cx; "Some state with the abstract state of ", source, " cannot take this step, or leads elsewhere: its abstract \
                    state does not imply the ", Concept::WeakestPrecondition, ". The atoms of the part that fails become predicates."],
                maths,
                (nodes, edges),
            )
        }
    }
}

fn disabled_checked(
    cx: &Context<'_>,
    (state, edge): (NodeId, EdgeId),
    lost: Option<FormulaId>,
) -> Explanation {
    let mut maths = vec![line("implication", "α(s) ⇒ ¬g".to_owned())];
    let subjects = (vec![state], vec![edge]);
    let code = Code(cx.edge(edge).to_owned());
    match lost {
        None => explained(
            "Disabled everywhere".to_owned(),
            say![cx; code, " is not possible in ", state, ", and in no other state with its abstract state."],
            say![cx; "The negated guard follows from the predicates, so nothing is missed here."],
            maths,
            subjects,
        ),
        Some(id) => {
            maths.push(line("not implied", cx.formula(id)));
            explained(
                "Disabled here only".to_owned(),
                say![cx; code, " is not possible in ", state, ", but it may be in another state with its abstract state."],
                say![cx; "The negated guard does not follow from the predicates. Its atoms become predicates."],
                maths,
                subjects,
            )
        }
    }
}

fn inputs_checked(cx: &Context<'_>, (state, edge): (NodeId, EdgeId), lost: Option<FormulaId>) -> Explanation {
    let subjects = (vec![state], vec![edge]);
    let code = Code(cx.edge(edge).to_owned());
    match lost {
        None => explained(
            "All inputs are known".to_owned(),
            say![cx; "From every state with the abstract state of ", state, ", inputs of ", code, " lead to the same abstract states."],
            say![cx; "One input is executed for each of these abstract states, so no step is missed here."],
            vec![line("solver", "no other input exists".to_owned())],
            subjects,
        ),
        Some(id) => explained(
            "Other inputs elsewhere".to_owned(),
            say![cx; "In another state with the abstract state of ", state, ", some input of ", code, " leads to an abstract state \
                that is not reached from ", state, "."],
            say![cx; "Whether such an input exists does not follow from the predicates. The atoms of its condition become \
                predicates."],
            vec![line("not implied", cx.formula(id))],
            subjects,
        ),
    }
}

fn state_expanded(cx: &Context<'_>, state: NodeId) -> Explanation {
    explained(
        format!("{state} explored"),
        say![cx; "All commands have been tried in ", state, "."],
        say![cx; "For each command, it was checked whether all states with this abstract state behave alike."],
        vec![line(format!("state {state}"), cx.state(state))],
        (vec![state], Vec::new()),
    )
}

fn error_reached(cx: &Context<'_>, state: NodeId, (parent, edge): (NodeId, EdgeId)) -> Explanation {
    explained(
        "Error reached".to_owned(),
        say![cx; "From ", parent, ", ", Code(cx.edge(edge).to_owned()), " reaches the ", Concept::ErrorLocation, "."],
        say![cx; "All steps on the path were executed with concrete values, so this is a run of the model, whatever the \
            predicates are."],
        vec![line(format!("state {parent}"), cx.state(parent))],
        (vec![state, parent], cx.edges_to(state)),
    )
}

fn search_ended(
    cx: &Context<'_>,
    (generated, stored): (u32, u32),
    (inexact, found): (u32, u32),
) -> Explanation {
    explained(
        "Search ended".to_owned(),
        say![cx; "The search generated ", count(generated as usize, "concrete state"), " and stored ",
            count(stored as usize, "abstract state"), "; ", count(inexact as usize, "transition"), " failed the check of exactness."],
        if inexact == 0 {
            say![cx; "The abstraction is exact with respect to every transition that was explored, so the structure has the \
                behaviour of the whole model."]
        } else {
            say![cx; "Where a check failed, states that behave differently may have been matched. The predicates of the failed \
                checks distinguish them in the next search."]
        },
        vec![
            line("concrete states", generated.to_string()),
            line("abstract states", stored.to_string()),
            line("inexact", inexact.to_string()),
            line("new predicates", found.to_string()),
        ],
        (Vec::new(), Vec::new()),
    )
}

fn forgotten(cx: &Context<'_>, state: NodeId) -> Explanation {
    explained(
        "Structure discarded".to_owned(),
        say![cx; "The states of the search before, below ", state, ", are forgotten."],
        say![cx; "Abstract states with fewer predicates cannot be compared with those of the next search, which begins anew."],
        Vec::new(),
        (vec![state], Vec::new()),
    )
}
