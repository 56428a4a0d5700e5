//! A small journal for tests, written by hand, in which every kind of event occurs.
//!
//! The program is a loop: `x := 0`, then `x := x + 1` while `x < 2`, and the error is `x < 0` at the end. It is
//! also about what an engine may report, not about what the best engine would do.

use crate::kit::{
    Answer, Arrival, EdgeName, Event, FormulaId, Goal, Journal, Label, Names, NodeId, PredicateId, Truth,
    Verdict,
};
use crate::methods::cegar;
use crate::system::{EdgeId, LocationId, VarId};

fn edge(source: u32, target: u32, text: &str) -> EdgeName {
    EdgeName {
        source: LocationId(source),
        target: LocationId(target),
        text: text.to_owned(),
        block: Vec::new(),
    }
}

fn label(location: u32, literals: &[(u32, bool)]) -> Label {
    Label {
        location: LocationId(location),
        values: Vec::new(),
        either: Vec::new(),
        literals: literals.iter().map(|(p, positive)| (PredicateId(*p), *positive)).collect(),
    }
}

fn names() -> Names {
    Names {
        variables: vec!["x".to_owned()],
        locations: ["L0", "L1", "LERR", "LEND"].map(str::to_owned).to_vec(),
        edges: vec![
            edge(0, 1, "x := 0"),
            edge(1, 1, "x := x + 1"),
            edge(1, 2, "[x < 0]"),
            edge(1, 3, "assume x >= 0"),
        ],
        left_out: Vec::new(),
        origin: None,
        goal: Goal::default(),
    }
}

/// First iteration: a false alarm, explained and pruned.
fn first_iteration() -> Vec<Event> {
    let (n, e) = (NodeId, EdgeId);
    vec![
        Event::IterationStarted { iteration: 1 },
        Event::Cegar(cegar::Event::NodeAdded { node: n(0), from: None }),
        Event::Cegar(cegar::Event::NodeSelected { node: n(0) }),
        Event::Cegar(cegar::Event::EdgeChecked { node: n(0), edge: e(0), answer: Answer::Sat }),
        Event::Cegar(cegar::Event::NodeAdded { node: n(1), from: Some(Arrival::new((n(0), e(0)))) }),
        Event::Cegar(cegar::Event::NodeExpanded { node: n(0) }),
        Event::Cegar(cegar::Event::NodeSelected { node: n(1) }),
        Event::Cegar(cegar::Event::CoverChecked { node: n(1), by: n(0), answer: Answer::Unknown }),
        Event::Cegar(cegar::Event::EdgeChecked { node: n(1), edge: e(1), answer: Answer::Unknown }),
        Event::Cegar(cegar::Event::NodeAdded { node: n(2), from: Some(Arrival::new((n(1), e(1)))) }),
        Event::Cegar(cegar::Event::NodeAdded { node: n(3), from: Some(Arrival::new((n(1), e(2)))) }),
        Event::Cegar(cegar::Event::NodeExpanded { node: n(1) }),
        Event::Cegar(cegar::Event::NodeSelected { node: n(2) }),
        Event::Cegar(cegar::Event::CoverChecked { node: n(2), by: n(1), answer: Answer::Unsat }),
        Event::Cegar(cegar::Event::NodeCovered { node: n(2), by: n(1) }),
        Event::Cegar(cegar::Event::NodeSelected { node: n(3) }),
        Event::Cegar(cegar::Event::CexFound { node: n(3), length: 2 }),
        Event::Cegar(cegar::Event::CexChosen { node: n(3), length: 2 }),
        Event::Cegar(cegar::Event::StepEncoded { step: 0, edge: e(0), formula: FormulaId(0) }),
        Event::Cegar(cegar::Event::StepEncoded { step: 1, edge: e(2), formula: FormulaId(1) }),
        Event::Cegar(cegar::Event::PrefixChecked { steps: 1, answer: Answer::Sat }),
        Event::Cegar(cegar::Event::PrefixChecked { steps: 2, answer: Answer::Unsat }),
        Event::Cegar(cegar::Event::PathInfeasible { steps: 2 }),
        Event::Cegar(cegar::Event::SuffixChecked { from: 2, answer: Answer::Sat }),
        Event::Cegar(cegar::Event::SuffixChecked { from: 1, answer: Answer::Unsat }),
        Event::Cegar(cegar::Event::PathRefuted { from: 1, proof_steps: 7 }),
        Event::Cegar(cegar::Event::Interpolated { cut: 1, node: n(1), formula: FormulaId(2) }),
        Event::Cegar(cegar::Event::PruneCompared { forward: 1, backward: 0, backwards: false }),
        Event::Cegar(cegar::Event::CexSkipped { node: n(3), by: n(3) }),
        Event::Cegar(cegar::Event::PrecisionGrew { predicate: PredicateId(0), location: None }),
        Event::Cegar(cegar::Event::VariableTracked { variable: VarId(0), location: Some(LocationId(1)) }),
        Event::Cegar(cegar::Event::ChainGrew { predicate: PredicateId(0), length: 8 }),
        Event::Cegar(cegar::Event::Pruned { node: n(3) }),
        Event::Cegar(cegar::Event::NodeUncovered { node: n(2) }),
        Event::Cegar(cegar::Event::NodeReopened { node: n(1) }),
    ]
}

/// Second iteration: predicates are asked about, and a counterexample is called real.
fn second_iteration() -> Vec<Event> {
    let (n, e, p) = (NodeId, EdgeId, PredicateId(0));
    let asked = |node, edge, truth| {
        Event::Cegar(cegar::Event::PredicateChecked { node, edge, predicate: p, truth, asked: 1 })
    };
    vec![
        Event::IterationStarted { iteration: 2 },
        Event::Cegar(cegar::Event::NodeSelected { node: n(2) }),
        Event::Cegar(cegar::Event::CoverChecked { node: n(2), by: n(1), answer: Answer::Sat }),
        Event::Cegar(cegar::Event::EdgeChecked { node: n(2), edge: e(2), answer: Answer::Unsat }),
        Event::Cegar(cegar::Event::EdgeBlocked { node: n(2), edge: e(3) }),
        Event::Cegar(cegar::Event::ValuesListed { node: n(2), edge: e(1), found: 2, complete: true }),
        Event::Cegar(cegar::Event::CubesListed { node: n(2), edge: e(1), cubes: 3, asked: 4 }),
        asked(n(2), e(1), Truth::True),
        asked(n(2), e(2), Truth::False),
        asked(n(2), e(3), Truth::Unknown),
        Event::Cegar(cegar::Event::NodeAdded { node: n(4), from: Some(Arrival::new((n(2), e(1)))) }),
        Event::Cegar(cegar::Event::NodeAdded { node: n(5), from: Some(Arrival::new((n(2), e(2)))) }),
        Event::Cegar(cegar::Event::NodeExpanded { node: n(2) }),
        Event::Cegar(cegar::Event::CexFound { node: n(5), length: 3 }),
        Event::Cegar(cegar::Event::StepEncoded { step: 0, edge: e(0), formula: FormulaId(0) }),
        Event::Cegar(cegar::Event::StepEncoded { step: 1, edge: e(1), formula: FormulaId(3) }),
        Event::Cegar(cegar::Event::StepEncoded { step: 2, edge: e(2), formula: FormulaId(4) }),
        Event::Cegar(cegar::Event::PrefixChecked { steps: 3, answer: Answer::Sat }),
        Event::Cegar(cegar::Event::PathFeasible { steps: 3 }),
        Event::Cegar(cegar::Event::ValuationFound { step: 0, formula: FormulaId(5) }),
        Event::Cegar(cegar::Event::ValuationFound { step: 1, formula: FormulaId(6) }),
        Event::Decided { verdict: Verdict::Violated },
    ]
}

/// The whole run.
pub(crate) fn every_event() -> Journal {
    let mut journal = Journal::new(names());
    journal.events = first_iteration();
    journal.events.extend(second_iteration());
    journal.predicates = vec!["0 <= x".to_owned()];
    journal.states = vec![
        label(0, &[]),
        label(1, &[]),
        label(1, &[]),
        label(2, &[]),
        label(1, &[(0, true)]),
        label(2, &[(0, false)]),
    ];
    journal.formulas =
        ["x_1 = 0", "x_1 < 0 and x_2 = x_1", "0 <= x", "x_2 = x_1 + 1", "x_2 < 0", "x = 7", "x = 0"]
            .map(str::to_owned)
            .to_vec();
    journal
}
