//! Explanations of the events that check a counterexample and refine the precision.
//!
//! Hajdu, Micskei: Efficient Strategies for CEGAR-Based Model Checking (2020), Section 2.2, Definitions 4 and 5.

use std::collections::BTreeSet;

use crate::explain::formula::{base, conjunction, renamed, transition, variables};
use crate::explain::piece::{Code, List, Piece, count, say};
use crate::explain::{Concept, Context, Explanation, Judgement, MathLine, Subjects, judged, line};
use crate::kit::{Answer, FormulaId, NodeId, PredicateId};
use crate::system::{EdgeId, LocationId};

/// Longer paths are shown with a gap in the middle.
const STEPS_MAX: usize = 12;

/// The nodes and edges of the first `steps` steps of the counterexample.
fn along(cx: &Context<'_>, steps: u32) -> Subjects {
    let steps = usize::try_from(steps).unwrap_or(usize::MAX);
    Subjects {
        nodes: cx.path().into_iter().take(steps.saturating_add(1)).collect(),
        edges: cx.cex.steps.iter().take(steps).map(|step| step.edge).collect(),
        ..Subjects::default()
    }
}

/// The formulas of some steps of the counterexample.
pub(crate) fn step_formulas<'a>(cx: &Context<'a>, from: u32, to: u32) -> Vec<&'a str> {
    let (from, to) = (usize::try_from(from).unwrap_or(0), usize::try_from(to).unwrap_or(usize::MAX));
    let steps = cx.cex.steps.iter().take(to).skip(from);
    steps.map(|step| cx.formula(step.formula)).collect()
}

/// One line a step, with a gap when there are many.
fn step_lines(cx: &Context<'_>, steps: u32) -> Vec<MathLine> {
    let all: Vec<MathLine> = (1..)
        .zip(step_formulas(cx, 0, steps))
        .map(|(number, formula): (u32, &str)| line(format!("step {number}"), formula))
        .collect();
    if all.len() <= STEPS_MAX {
        return all;
    }
    let tail = all.len() - (STEPS_MAX - 4);
    let gap = line("…", format!("{} more", count(tail - 3, "step")));
    all[..3].iter().cloned().chain([gap]).chain(all[tail..].iter().cloned()).collect()
}

/// The first `steps` steps as one formula.
fn path_formula(cx: &Context<'_>, steps: u32) -> String {
    let all = step_formulas(cx, 0, steps);
    if all.len() > STEPS_MAX { format!("step 1 ∧ … ∧ step {steps}") } else { conjunction(all) }
}

pub(crate) fn cex_found(cx: &Context<'_>, node: NodeId, length: u32) -> Explanation {
    let edges = cx.edges_to(node);
    let path = cx.after.path(node);
    let ops: Vec<&str> = edges.iter().map(|edge| cx.edge(*edge)).collect();
    let places: Vec<&str> =
        path.iter().filter_map(|n| cx.location(*n)).map(|place| cx.journal.location(place)).collect();
    let steps = count(usize::try_from(length).unwrap_or(usize::MAX), "step");
    Explanation {
        title: format!("Abstract counterexample to {node}"),
        what: say![cx; "Node ", node, " is at the ", Concept::ErrorLocation, " ", cx.location(node), ": an ",
            Concept::AbstractCounterexample, " of ", steps, "."],
        why: say![cx; "The graph has a path from the start to ", cx.location(node),
            ". The abstraction cannot exclude the error; next, the path is checked on the concrete program."],
        maths: vec![
            line("locations", places.join(" → ")),
            line("operations", if ops.is_empty() { "none".to_owned() } else { ops.join(" → ") }),
            line(format!("state of {node}"), cx.state(node)),
        ],
        slip: Some(
            "an abstract counterexample need not be a violation. The abstraction may omit a fact that makes the \
             path infeasible.",
        ),
        subjects: Subjects { nodes: path, edges, ..Subjects::default() },
    }
}

pub(crate) fn step_encoded(cx: &Context<'_>, step: u32, edge: EdgeId, formula: FormulaId) -> Explanation {
    let index = usize::try_from(step).unwrap_or(usize::MAX);
    let nodes: Vec<NodeId> = cx.path().into_iter().skip(index).take(2).collect();
    let number = step.saturating_add(1);
    let of = if cx.cex.length > 0 { format!(" of {}", cx.cex.length) } else { String::new() };
    Explanation {
        title: format!("Step {number} as a formula"),
        what: say![cx; "Step ", number, of, ", ", edge, " from ", cx.source(edge), " to ", cx.target(edge),
            ", is encoded as ", formula, ": the operation, and the label of the node it leads to."],
        why: say![cx; "A path may assign a variable several times. With ", Concept::IndexedVariables,
            ", each step relates the values before it to the values after it, and all steps form one query."],
        maths: vec![
            line("op", transition(cx.edge(edge))),
            line(format!("step {number}"), cx.formula(formula)),
            line("path so far", path_formula(cx, number)),
        ],
        slip: None,
        subjects: Subjects { nodes, edges: vec![edge], cut: Some(step), ..Subjects::default() },
    }
}

pub(crate) fn prefix_checked(cx: &Context<'_>, steps: u32, answer: Answer) -> Explanation {
    let place = cx.place(steps);
    let all = count(usize::try_from(steps).unwrap_or(usize::MAX), "step");
    let (what, why, verdict) = match answer {
        Answer::Sat => (
            say![cx; "The first ", all, " of the path can be executed."],
            say![cx; "The solver found values for the variables that satisfy these steps: a concrete run reaches ", place,
                " along them."],
            Judgement::Sat,
        ),
        Answer::Unsat => (
            say![cx; "The first ", all, " of the path cannot be executed together."],
            say![cx; "No values of the variables satisfy all of these steps: no concrete run reaches ", place,
                " along them."],
            Judgement::Unsat,
        ),
        Answer::Unknown => (
            say![cx; "The solver returned unknown for the first ", all, "."],
            say![cx; "Whether a concrete run reaches ", place, " along this path is not known."],
            Judgement::Unknown,
        ),
    };
    let mut maths = step_lines(cx, steps);
    maths.push(judged("query: all steps together", path_formula(cx, steps), verdict));
    Explanation {
        title: format!("Are the first {all} possible?"),
        what,
        why,
        maths,
        slip: (answer == Answer::Unsat && steps > 1).then_some(
            "each step alone may be possible. Infeasible means that they are not possible one after another.",
        ),
        subjects: Subjects { cut: Some(steps), ..along(cx, steps) },
    }
}

pub(crate) fn path_feasible(cx: &Context<'_>, steps: u32) -> Explanation {
    let all = count(usize::try_from(steps).unwrap_or(usize::MAX), "step");
    Explanation {
        title: "Concrete counterexample".to_owned(),
        what: say![cx; "All ", all, " of the counterexample are ", Concept::Feasible, ": a concrete run follows it."],
        why: say![cx; "There are values of the variables with which the program itself, not only its abstraction, \
                follows this path to ", cx.place(steps), "."],
        maths: {
            let mut lines = step_lines(cx, steps);
            lines.push(judged("all steps together", path_formula(cx, steps), Judgement::Sat));
            lines
        },
        slip: None,
        subjects: Subjects { cut: Some(steps), ..along(cx, steps) },
    }
}

pub(crate) fn valuation_found(cx: &Context<'_>, step: u32, formula: FormulaId) -> Explanation {
    let before = step.checked_sub(1).and_then(|last| cx.step_edge(last));
    let index = usize::try_from(step).unwrap_or(usize::MAX);
    let mut maths = vec![line(format!("values after {step}"), cx.formula(formula))];
    if let Some(edge) = before {
        let previous = cx.cex.valuations.iter().rev().find(|(at, _)| at.checked_add(1) == Some(step));
        maths.extend(previous.map(|(at, values)| line(format!("values after {at}"), cx.formula(*values))));
        maths.push(line("op", transition(cx.edge(edge))));
    }
    Explanation {
        title: if step == 0 { "Values at the start".to_owned() } else { format!("Values after step {step}") },
        what: match before {
            None => say![cx; "The run starts with the ", Concept::Valuation, " ", formula, "."],
            Some(edge) => {
                say![cx; "After step ", step, ", ", edge, ", the ", Concept::Valuation, " is ", formula, "."]
            }
        },
        why: match before {
            None => say![cx; "These are the solver's values for the variables at ", cx.place(step),
                "; all later values follow from the steps."],
            Some(edge) => {
                say![cx; "The operation ", edge, " leads from the values before to these; the run is now at ",
                cx.place(step), "."]
            }
        },
        maths,
        slip: (step == 0).then_some(
            "this is one of possibly many runs. Other initial values may lead to a violation, too.",
        ),
        subjects: Subjects {
            nodes: cx.path().into_iter().skip(index).take(1).collect(),
            edges: before.into_iter().collect(),
            locations: cx.place(step).into_iter().collect(),
            cut: Some(step),
            ..Subjects::default()
        },
    }
}

pub(crate) fn path_infeasible(cx: &Context<'_>, steps: u32) -> Explanation {
    let last = steps.saturating_sub(1);
    let edge = cx.step_edge(last);
    let shorter = last > 0 && cx.cex.prefixes.contains(&(last, Answer::Sat));
    let why = if steps == 0 {
        say![cx; "There is no initial state: no values satisfy the initial condition."]
    } else if last == 0 {
        say![cx; "The first step, ", edge, ", is impossible in every initial state."]
    } else if shorter {
        say![cx; "A concrete run can take the ", first_steps(last), " to ", cx.place(last), ", but none can continue with ", edge, "."]
    } else {
        say![cx; "No concrete run can take these steps up to and including ", edge, "."]
    };
    let mut maths = step_lines(cx, steps);
    if shorter {
        maths.push(judged(format!("first {last}"), path_formula(cx, last), Judgement::Sat));
    }
    maths.push(judged(format!("first {steps}"), path_formula(cx, steps), Judgement::Unsat));
    Explanation {
        title: "Spurious counterexample".to_owned(),
        what: say![cx; "The counterexample is ", Concept::Spurious, ": its ", first_steps(steps),
            " cannot be executed."],
        why,
        maths,
        slip: Some(
            "a spurious counterexample does not prove the program safe. It only shows that this path is \
             infeasible; the error may be reached along another one.",
        ),
        subjects: Subjects { cut: Some(last), ..along(cx, steps) },
    }
}

pub(crate) fn interpolated(cx: &Context<'_>, cut: u32, node: NodeId, formula: FormulaId) -> Explanation {
    let end = cx.cex.length;
    let text = cx.formula(formula).trim();
    let place = cx.location(node);
    let why = match text {
        "true" => say![cx; "No fact is needed here: the steps after the ", Concept::Cut,
            " are infeasible on their own."],
        "false" => {
            say![cx; "No concrete run reaches this node along the path: the steps before the ", Concept::Cut,
            " already contradict each other."]
        }
        _ => {
            say![cx; "Every run that takes the steps before the ", Concept::Cut, " reaches ", place, " with ", formula,
            ", and with ", formula, " the remaining steps are impossible. So no run follows the counterexample, \
            which is ", Concept::Spurious, "."]
        }
    };
    Explanation {
        title: format!("Interpolant at cut {cut}"),
        what: say![cx; "At ", Concept::Cut, " ", cut, ", node ", node, " at ", place, ", the ", Concept::Interpolant, " is ",
            formula, "."],
        why,
        maths: interpolant_maths(cx, cut, end, text),
        slip: Some(
            "an interpolant contains only variables that occur on both sides of the cut. It is a consequence of the \
             steps before the cut, but not necessarily their strongest one.",
        ),
        subjects: Subjects {
            nodes: vec![node],
            edges: cx
                .step_edge(cut)
                .into_iter()
                .chain(cut.checked_sub(1).and_then(|s| cx.step_edge(s)))
                .collect(),
            predicates: same_text(cx, text),
            cut: Some(cut),
            ..Subjects::default()
        },
    }
}

fn same_text(cx: &Context<'_>, text: &str) -> Vec<PredicateId> {
    let all = (0..).map(PredicateId).zip(&cx.journal.predicates);
    let same = |predicate: &str| is_whole(text) && predicate.trim() == text;
    all.filter(|(_, predicate)| same(predicate)).map(|(id, _)| id).collect()
}

/// Is a text complete? Long ones end in `…`, and may continue differently.
fn is_whole(text: &str) -> bool {
    !text.contains('…')
}

/// `first step`, `first 3 steps`.
fn first_steps(number: u32) -> String {
    if number == 1 { "first step".to_owned() } else { format!("first {number} steps") }
}

fn steps_named(from: u32, to: u32) -> String {
    match from.cmp(&to) {
        std::cmp::Ordering::Less => format!("steps {from} to {to}"),
        std::cmp::Ordering::Equal => format!("step {from}"),
        std::cmp::Ordering::Greater => "no steps".to_owned(),
    }
}

fn interpolant_maths(cx: &Context<'_>, cut: u32, end: u32, interpolant: &str) -> Vec<MathLine> {
    let (before, after) = (step_formulas(cx, 0, cut), step_formulas(cx, cut, end));
    let (a, b) = (conjunction(before.iter().copied()), conjunction(after.iter().copied()));
    let (in_a, in_b) = (variables(&a), variables(&b));
    let shared: BTreeSet<&str> = in_a.intersection(&in_b).copied().collect();
    // The copy of a variable at the cut; there is none if the texts use another way of indexing.
    let copy = |name: &str| {
        let mut copies = shared.iter().filter(|copy| **copy == name || base(copy) == name);
        copies.next().filter(|_| copies.next().is_none()).copied()
    };
    let at_cut = renamed(interpolant, |name| copy(name).unwrap_or(name).to_owned());
    let mine = variables(&at_cut);
    let fits = mine.is_subset(&shared);
    let names = |set: &BTreeSet<&str>| {
        if set.is_empty() {
            "∅".to_owned()
        } else {
            format!("{{{}}}", Vec::from_iter(set.iter().copied()).join(", "))
        }
    };
    let mut lines = vec![
        line(format!("A ({})", steps_named(1, cut)), a.clone()),
        line(format!("B ({})", steps_named(cut.saturating_add(1), end)), b.clone()),
        line(format!("I at cut {cut}"), interpolant),
        judged("1. A ⇒ I", format!("A ⇒ ({at_cut})"), Judgement::Holds),
        judged("2. I ∧ B", format!("({at_cut}) ∧ B"), Judgement::Unsat),
    ];
    if [interpolant, &a, &b].into_iter().all(is_whole) {
        lines.push(MathLine {
            label: "3. vars(I) ⊆ vars(A) ∩ vars(B)".to_owned(),
            formula: format!("{} ⊆ {}", names(&mine), names(&shared)),
            verdict: fits.then_some(Judgement::Holds),
        });
    }
    lines
}

/// The location, if the precision is local.
pub(crate) fn place(cx: &Context<'_>, location: Option<LocationId>) -> Vec<Piece> {
    location.map_or_else(Vec::new, |l| say![cx; " of ", l])
}

pub(crate) fn precision_grew(
    cx: &Context<'_>,
    predicate: PredicateId,
    location: Option<LocationId>,
) -> Explanation {
    let text = cx.predicate(predicate).trim();
    let exact: Vec<_> = cx
        .cex
        .interpolants
        .iter()
        .filter(|(_, _, f)| is_whole(text) && cx.formula(*f).trim() == text)
        .collect();
    let within: Vec<_> =
        cx.cex.interpolants.iter().filter(|(_, _, f)| cx.formula(*f).contains(text)).collect();
    let sources = if exact.is_empty() { within } else { exact };
    let nodes: Vec<NodeId> = sources.iter().map(|(_, node, _)| *node).collect();
    let why = match sources.first() {
        Some((cut, _, formula)) => {
            say![cx; "It comes from the ", Concept::Interpolant, " ", *formula, " at cut ", *cut,
            " (", List(&nodes), "). With it, the spurious counterexample is excluded."]
        }
        None if cx.cex.target.is_none() => say![cx; "It is part of the initial precision."],
        None => say![cx; "It comes from the ", (Concept::Interpolant, "interpolants"),
            " of the spurious counterexample, which it excludes."],
    };
    Explanation {
        title: format!("New predicate {predicate}"),
        what: say![cx; "The ", Concept::Predicate, " ", predicate, " is added to the ", Concept::Precision, place(cx, location),
            ", which now has ", cx.tracked_count(), "."],
        why,
        maths: vec![
            line("new", format!("{predicate} = {text}")),
            line("precision π", cx.tracked_set()),
            line("conjunctions per location, at most", format!("3^{}", cx.tracked().len())),
        ],
        slip: Some(
            "more predicates are not always better: each is one more query at every step, and the graph may \
             grow. One suitable predicate can be enough.",
        ),
        subjects: Subjects {
            nodes,
            predicates: vec![predicate],
            cut: sources.first().map(|(cut, _, _)| *cut),
            ..Subjects::default()
        },
    }
}

/// A node's label as a set, for a sentence.
pub(crate) fn label(cx: &Context<'_>, node: NodeId) -> Code {
    Code(cx.known(node))
}
