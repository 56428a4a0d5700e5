//! The events of abstraction refinement over a graph.

use serde::{Deserialize, Serialize};

use crate::kit::{
    self, Answer, Arrival, Counted, Family, FormulaId, Journal, NodeId, PredicateId, Problem, Reader,
    Renaming, Role, Truth,
};
use crate::system::{EdgeId, LocationId, VarId};

/// The phases, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Successors are computed.
    Abstract,
    /// Covering and the error location are checked.
    Check,
    /// An abstract counterexample is checked on the concrete system.
    Concretize,
    /// Its infeasible path is interpolated.
    Interpolate,
    /// The precision grows.
    Refine,
    /// The graph is pruned.
    Prune,
}

impl Phase {
    /// All of them.
    pub const ALL: [Phase; 6] =
        [Phase::Abstract, Phase::Check, Phase::Concretize, Phase::Interpolate, Phase::Refine, Phase::Prune];

    /// The name on screen.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Phase::Abstract => "Abstract",
            Phase::Check => "Check",
            Phase::Concretize => "Concretize",
            Phase::Interpolate => "Interpolate",
            Phase::Refine => "Refine",
            Phase::Prune => "Prune",
        }
    }

    /// The role that all methods share.
    #[must_use]
    pub fn role(self) -> Role {
        match self {
            Phase::Abstract => Role::Abstract,
            Phase::Check => Role::Check,
            Phase::Concretize => Role::Concretize,
            Phase::Interpolate => Role::Interpolate,
            Phase::Refine => Role::Refine,
            Phase::Prune => Role::Prune,
        }
    }
}

/// One fact about abstraction refinement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Event {
    /// A node was taken from the waitlist.
    NodeSelected {
        /// The node.
        node: NodeId,
    },
    /// Would an already reached node at the same location cover this one?
    CoverChecked {
        /// The node to be covered.
        node: NodeId,
        /// The candidate.
        by: NodeId,
        /// Unsat: every state of `node` is one of `by`.
        answer: Answer,
    },
    /// The node is covered: its successors are those of `by`.
    NodeCovered {
        /// The covered node.
        node: NodeId,
        /// The covering node.
        by: NodeId,
    },
    /// Can the edge be taken from some state of the node?
    EdgeChecked {
        /// The source node.
        node: NodeId,
        /// The edge.
        edge: EdgeId,
        /// Unsat: it cannot.
        answer: Answer,
    },
    /// The truth of a predicate after the edge.
    PredicateChecked {
        /// The source node.
        node: NodeId,
        /// The edge.
        edge: EdgeId,
        /// The predicate.
        predicate: PredicateId,
        /// The result.
        truth: Truth,
        /// The number of queries; 0 if earlier models or unchanged variables determine the result.
        asked: u8,
    },
    /// The values of the node make the edge's condition false: it cannot be taken, and no query was needed.
    EdgeBlocked {
        /// The source node.
        node: NodeId,
        /// The edge.
        edge: EdgeId,
    },
    /// The values after the edge were enumerated with the solver (Algorithm 4), up to the limit.
    ValuesListed {
        /// The source node.
        node: NodeId,
        /// The edge.
        edge: EdgeId,
        /// How many were found; one more than the limit if the enumeration stopped.
        found: u32,
        /// Were they all found?
        complete: bool,
    },
    /// The combinations of unknown predicates after the edge were enumerated (Boolean predicate abstraction).
    CubesListed {
        /// The source node.
        node: NodeId,
        /// The edge.
        edge: EdgeId,
        /// How many conjunctions remain; 0 if all combinations are possible, or too many.
        cubes: u16,
        /// The number of queries.
        asked: u16,
    },
    /// A node was added; its label is in the journal's `states`.
    NodeAdded {
        /// The new node.
        node: NodeId,
        /// How it was reached; `None` for the root.
        from: Option<Arrival>,
    },
    /// All successors of the node are in the graph.
    NodeExpanded {
        /// The node.
        node: NodeId,
    },
    /// The node is at the error location: an abstract counterexample.
    CexFound {
        /// The node.
        node: NodeId,
        /// The number of edges from the root.
        length: u32,
    },
    /// Of several counterexamples this one is checked next.
    CexChosen {
        /// The node at the error location.
        node: NodeId,
        /// The number of edges from the root.
        length: u32,
    },
    /// A step of the abstract counterexample was written as a formula over indexed variables.
    StepEncoded {
        /// The step, from 0.
        step: u32,
        /// Its edge.
        edge: EdgeId,
        /// Its formula.
        formula: FormulaId,
    },
    /// Is the prefix of this many steps feasible?
    PrefixChecked {
        /// The number of steps.
        steps: u32,
        /// Sat: it is.
        answer: Answer,
    },
    /// The whole path is feasible: the counterexample is real.
    PathFeasible {
        /// The number of steps.
        steps: u32,
    },
    /// The values of the variables after a number of steps of the concrete run.
    ValuationFound {
        /// The number of steps taken.
        step: u32,
        /// The values, as a formula.
        formula: FormulaId,
    },
    /// The counterexample is spurious; this is the shortest infeasible prefix.
    PathInfeasible {
        /// Its number of steps.
        steps: u32,
    },
    /// Do the steps from this one on contradict each other already?
    SuffixChecked {
        /// The number of the first step, from 1; 0 is the initial condition.
        from: u32,
        /// Unsat: they do.
        answer: Answer,
    },
    /// The steps from this one on were refuted with a proof.
    PathRefuted {
        /// The number of the first step, from 1; 0 is the initial condition.
        from: u32,
        /// The number of steps of the proof.
        proof_steps: u32,
    },
    /// The interpolant at a cut of the path.
    Interpolated {
        /// The number of steps before the cut.
        cut: u32,
        /// The node at the cut.
        node: NodeId,
        /// The interpolant over the model's variables.
        formula: FormulaId,
    },
    /// Forward and backward interpolants were compared by where they prune (section 3.2.3).
    PruneCompared {
        /// The node of the path, from 0, at which the forward interpolant prunes.
        forward: u32,
        /// The same for the backward interpolant.
        backward: u32,
        /// Was the backward one chosen?
        backwards: bool,
    },
    /// A counterexample is not refined now: the refinement of another one prunes above it (Algorithm 5).
    CexSkipped {
        /// Its node at the error location.
        node: NodeId,
        /// The node at which that other one prunes.
        by: NodeId,
    },
    /// A predicate was added to the precision.
    PrecisionGrew {
        /// The predicate.
        predicate: PredicateId,
        /// The location at which it is tracked from now on; everywhere if the precision is global.
        location: Option<LocationId>,
    },
    /// A variable was added to the precision: its values are tracked.
    VariableTracked {
        /// The variable.
        variable: VarId,
        /// The location at which it is tracked from now on; everywhere if the precision is global.
        location: Option<LocationId>,
    },
    /// The number of predicates that differ only in a number suggests that the run diverges.
    ChainGrew {
        /// The newest of them.
        predicate: PredicateId,
        /// How many there are.
        length: u32,
    },
    /// The node and all nodes below it were removed.
    Pruned {
        /// The root of the removed subtree.
        node: NodeId,
    },
    /// The node is not covered any more: the covering node was removed.
    NodeUncovered {
        /// The node.
        node: NodeId,
    },
    /// The node must be expanded again: a child was removed.
    NodeReopened {
        /// The node.
        node: NodeId,
    },
}

impl Event {
    /// The phase it belongs to.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match self {
            Event::NodeSelected { .. }
            | Event::EdgeChecked { .. }
            | Event::EdgeBlocked { .. }
            | Event::ValuesListed { .. }
            | Event::CubesListed { .. }
            | Event::PredicateChecked { .. }
            | Event::NodeAdded { .. }
            | Event::NodeExpanded { .. } => Phase::Abstract,
            Event::CoverChecked { .. } | Event::NodeCovered { .. } | Event::CexFound { .. } => Phase::Check,
            Event::CexChosen { .. }
            | Event::StepEncoded { .. }
            | Event::PrefixChecked { .. }
            | Event::PathFeasible { .. }
            | Event::ValuationFound { .. }
            | Event::PathInfeasible { .. } => Phase::Concretize,
            Event::SuffixChecked { .. }
            | Event::PathRefuted { .. }
            | Event::PruneCompared { .. }
            | Event::Interpolated { .. } => Phase::Interpolate,
            Event::CexSkipped { .. }
            | Event::PrecisionGrew { .. }
            | Event::VariableTracked { .. }
            | Event::ChainGrew { .. } => Phase::Refine,
            Event::Pruned { .. } | Event::NodeUncovered { .. } | Event::NodeReopened { .. } => Phase::Prune,
        }
    }

    /// The addition to the precision, if the event is one.
    pub(crate) fn tracked(&self) -> Option<Tracked> {
        match *self {
            Event::PrecisionGrew { predicate, location } => Some(Tracked::Predicate(predicate, location)),
            Event::VariableTracked { variable, .. } => Some(Tracked::Variable(variable)),
            Event::NodeSelected { .. }
            | Event::CoverChecked { .. }
            | Event::NodeCovered { .. }
            | Event::EdgeChecked { .. }
            | Event::PredicateChecked { .. }
            | Event::EdgeBlocked { .. }
            | Event::ValuesListed { .. }
            | Event::CubesListed { .. }
            | Event::NodeAdded { .. }
            | Event::NodeExpanded { .. }
            | Event::CexFound { .. }
            | Event::CexChosen { .. }
            | Event::StepEncoded { .. }
            | Event::PrefixChecked { .. }
            | Event::PathFeasible { .. }
            | Event::ValuationFound { .. }
            | Event::PathInfeasible { .. }
            | Event::SuffixChecked { .. }
            | Event::PathRefuted { .. }
            | Event::Interpolated { .. }
            | Event::PruneCompared { .. }
            | Event::CexSkipped { .. }
            | Event::ChainGrew { .. }
            | Event::Pruned { .. }
            | Event::NodeUncovered { .. }
            | Event::NodeReopened { .. } => None,
        }
    }

    /// With the numbers of a shared journal.
    pub(crate) fn renamed(mut self, to: &Renaming) -> Event {
        match &mut self {
            Event::NodeSelected { node, .. }
            | Event::EdgeChecked { node, .. }
            | Event::EdgeBlocked { node, .. }
            | Event::ValuesListed { node, .. }
            | Event::CubesListed { node, .. }
            | Event::NodeExpanded { node, .. }
            | Event::CexFound { node, .. }
            | Event::CexChosen { node, .. }
            | Event::Pruned { node, .. }
            | Event::NodeUncovered { node, .. }
            | Event::NodeReopened { node, .. } => *node = to.node(*node),
            Event::CoverChecked { node, by, .. }
            | Event::NodeCovered { node, by, .. }
            | Event::CexSkipped { node, by, .. } => {
                *node = to.node(*node);
                *by = to.node(*by);
            }
            Event::PredicateChecked { node, predicate, .. } => {
                *node = to.node(*node);
                *predicate = to.predicate(*predicate);
            }
            Event::NodeAdded { node, from } => {
                *node = to.node(*node);
                *from = from.map(|from| to.arrival(from));
            }
            Event::Interpolated { node, formula, .. } => {
                *node = to.node(*node);
                *formula = to.formula(*formula);
            }
            Event::StepEncoded { formula, .. } | Event::ValuationFound { formula, .. } => {
                *formula = to.formula(*formula);
            }
            Event::PrecisionGrew { predicate, .. } | Event::ChainGrew { predicate, .. } => {
                *predicate = to.predicate(*predicate);
            }
            Event::PrefixChecked { .. }
            | Event::PathFeasible { .. }
            | Event::PathInfeasible { .. }
            | Event::SuffixChecked { .. }
            | Event::PathRefuted { .. }
            | Event::PruneCompared { .. }
            | Event::VariableTracked { .. } => {}
        }
        self
    }

    /// Does it refer only to what is there?
    pub(crate) fn check(&self, reader: &mut Reader<'_>) -> Result<(), Problem> {
        match *self {
            Event::NodeSelected { node, .. }
            | Event::NodeExpanded { node, .. }
            | Event::CexFound { node, .. }
            | Event::CexChosen { node, .. }
            | Event::Pruned { node, .. }
            | Event::NodeUncovered { node, .. }
            | Event::NodeReopened { node, .. } => reader.node(node),
            Event::CoverChecked { node, by, .. }
            | Event::NodeCovered { node, by, .. }
            | Event::CexSkipped { node, by, .. } => reader.node(node).and(reader.node(by)),
            Event::EdgeChecked { node, edge, .. }
            | Event::EdgeBlocked { node, edge, .. }
            | Event::ValuesListed { node, edge, .. }
            | Event::CubesListed { node, edge, .. } => reader.node(node).and(reader.edge(edge)),
            Event::PredicateChecked { node, edge, predicate, .. } => {
                reader.node(node).and(reader.edge(edge)).and(reader.predicate(predicate))
            }
            Event::NodeAdded { node, from } => reader.added(node, from.map(Arrival::pair)),
            Event::StepEncoded { edge, formula, .. } => reader.edge(edge).and(reader.formula(formula)),
            Event::PrefixChecked { .. }
            | Event::PathFeasible { .. }
            | Event::PathInfeasible { .. }
            | Event::SuffixChecked { .. }
            | Event::PathRefuted { .. }
            | Event::PruneCompared { .. } => Ok(()),
            Event::ValuationFound { formula, .. } => reader.formula(formula),
            Event::Interpolated { node, formula, .. } => reader.node(node).and(reader.formula(formula)),
            Event::PrecisionGrew { predicate, location } => {
                reader.predicate(predicate).and(reader.place(location))
            }
            Event::VariableTracked { variable, location } => {
                reader.variable(variable).and(reader.place(location))
            }
            Event::ChainGrew { predicate, .. } => reader.predicate(predicate),
        }
    }
}

/// An addition to the precision.
pub(crate) enum Tracked {
    /// A predicate, at a location or everywhere.
    Predicate(PredicateId, Option<LocationId>),
    /// A variable.
    Variable(VarId),
}

impl Family for Event {
    fn phase(&self) -> kit::Phase {
        kit::Phase::Cegar(Event::phase(self))
    }

    fn asked(&self) -> u32 {
        match *self {
            Event::CoverChecked { .. }
            | Event::EdgeChecked { .. }
            | Event::PrefixChecked { .. }
            | Event::SuffixChecked { .. }
            | Event::PathRefuted { .. } => 1,
            Event::PredicateChecked { asked, .. } => u32::from(asked),
            // The last query has no answer.
            Event::ValuesListed { found, complete, .. } => found + u32::from(complete),
            Event::CubesListed { asked, .. } => u32::from(asked),
            Event::NodeSelected { .. }
            | Event::NodeCovered { .. }
            | Event::EdgeBlocked { .. }
            | Event::NodeAdded { .. }
            | Event::NodeExpanded { .. }
            | Event::CexFound { .. }
            | Event::CexChosen { .. }
            | Event::StepEncoded { .. }
            | Event::PathFeasible { .. }
            | Event::ValuationFound { .. }
            | Event::PathInfeasible { .. }
            | Event::Interpolated { .. }
            | Event::PruneCompared { .. }
            | Event::CexSkipped { .. }
            | Event::PrecisionGrew { .. }
            | Event::VariableTracked { .. }
            | Event::ChainGrew { .. }
            | Event::Pruned { .. }
            | Event::NodeUncovered { .. }
            | Event::NodeReopened { .. } => 0,
        }
    }

    fn counted(&self) -> Option<Counted> {
        match self {
            Event::NodeAdded { .. } => Some(Counted::Node),
            Event::NodeCovered { .. } => Some(Counted::Covered),
            Event::PrecisionGrew { .. } => Some(Counted::Predicate),
            Event::VariableTracked { .. } => Some(Counted::Variable),
            Event::NodeSelected { .. }
            | Event::CoverChecked { .. }
            | Event::EdgeChecked { .. }
            | Event::PredicateChecked { .. }
            | Event::EdgeBlocked { .. }
            | Event::ValuesListed { .. }
            | Event::CubesListed { .. }
            | Event::NodeExpanded { .. }
            | Event::CexFound { .. }
            | Event::CexChosen { .. }
            | Event::StepEncoded { .. }
            | Event::PrefixChecked { .. }
            | Event::PathFeasible { .. }
            | Event::ValuationFound { .. }
            | Event::PathInfeasible { .. }
            | Event::SuffixChecked { .. }
            | Event::PathRefuted { .. }
            | Event::Interpolated { .. }
            | Event::PruneCompared { .. }
            | Event::CexSkipped { .. }
            | Event::ChainGrew { .. }
            | Event::Pruned { .. }
            | Event::NodeUncovered { .. }
            | Event::NodeReopened { .. } => None,
        }
    }

    fn line(&self, journal: &Journal) -> String {
        match *self {
            Event::NodeSelected { node } => format!("  selected {node}"),
            Event::CoverChecked { node, by, answer } => format!("  cover? {node} by {by}: {answer:?}"),
            Event::NodeCovered { node, by } => format!("  covered {node} by {by}"),
            Event::EdgeChecked { node, edge: e, answer } => {
                format!("  edge? {node} {e} '{}': {answer:?}", journal.edge(e))
            }
            Event::PredicateChecked { node, edge, predicate, truth, asked } => {
                let text = journal.predicate(predicate);
                format!("  predicate? {node} {edge} {predicate} '{text}': {truth:?}, {asked} asked")
            }
            Event::EdgeBlocked { node, edge: e } => format!("  blocked {node} {e} '{}'", journal.edge(e)),
            Event::ValuesListed { node, edge: e, found, complete } => {
                let all = if complete { "all" } else { "too many" };
                format!("  values? {node} {e} '{}': {found}, {all}", journal.edge(e))
            }
            Event::CubesListed { node, edge: e, cubes, asked } => {
                format!("  combinations? {node} {e}: {cubes}, {asked} asked")
            }
            Event::NodeAdded { node, from } => journal.node_line(node, from),
            Event::NodeExpanded { node } => format!("  expanded {node}"),
            Event::CexFound { node, length } => format!("  counterexample to {node}, {length} steps"),
            Event::CexChosen { node, length } => format!("  looking at {node}, {length} steps"),
            Event::StepEncoded { step, edge, formula: id } => {
                format!("  step {} {edge}: {}", u64::from(step) + 1, journal.formula(id))
            }
            Event::PrefixChecked { steps, answer } => format!("  prefix? {steps} steps: {answer:?}"),
            Event::PathFeasible { steps } => format!("  feasible, {steps} steps"),
            Event::ValuationFound { step, formula: id } => {
                format!("  values after {step}: {}", journal.formula(id))
            }
            Event::PathInfeasible { steps } => format!("  infeasible after {steps} steps"),
            Event::SuffixChecked { from, answer } => format!("  suffix? from step {from}: {answer:?}"),
            Event::PathRefuted { from, proof_steps } => {
                format!("  refuted from step {from}, {proof_steps} proof steps")
            }
            Event::Interpolated { cut, node, formula: id } => {
                format!("  interpolant at {cut} ({node}): {}", journal.formula(id))
            }
            Event::PruneCompared { forward, backward, backwards } => {
                let taken = if backwards { "backward" } else { "forward" };
                format!("  prunes at {forward} forward, {backward} backward: {taken}")
            }
            Event::CexSkipped { node, by } => format!("  skipped {node}, pruned with {by}"),
            Event::PrecisionGrew { predicate, location } => {
                let text = journal.predicate(predicate);
                format!("  predicate {predicate}{}: {text}", journal.place(location))
            }
            Event::VariableTracked { variable, location } => {
                format!("  variable {}{}", journal.variable(variable), journal.place(location))
            }
            Event::ChainGrew { predicate, length } => format!("  chain of {length} to {predicate}"),
            Event::Pruned { node } => format!("  pruned {node}"),
            Event::NodeUncovered { node } => format!("  uncovered {node}"),
            Event::NodeReopened { node } => format!("  reopened {node}"),
        }
    }
}
