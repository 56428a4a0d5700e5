//! A run in which each event of the family occurs, over the names of the example of all methods.

use crate::kit::{Answer, Arrival, Event, FormulaId, NodeId, PredicateId, Truth, Verdict};
use crate::methods::cegar;
use crate::system::{EdgeId, LocationId, VarId};

/// The run; its predicates, labels and formulas are those of the example.
pub(crate) fn events() -> Vec<Event> {
    [first_iteration(), second_iteration()].concat()
}

/// First iteration: a spurious counterexample, interpolated and pruned.
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

/// Second iteration: predicates are checked, and a counterexample is feasible.
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
