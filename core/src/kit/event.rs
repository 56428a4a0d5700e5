//! The events of all engines: facts in past tense, ids only, at most 16 bytes.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use crate::buchi::emptiness::Colour;
use crate::kit::{CellId, FormulaId, NodeId, PredicateId, Verdict};
use crate::system::{EdgeId, LocationId, VarId};

/// A solver's answer to one query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// The solver gave up.
    Unknown,
}

/// What is known of a predicate in an abstract state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Truth {
    /// It holds in every state represented.
    True,
    /// It holds in no state represented.
    False,
    /// Neither is entailed.
    Unknown,
}

/// The stages of the refinement loop, in the order of the loop strip.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Phase {
    /// Successors are computed.
    Abstract,
    /// Covering and the target are checked.
    Check,
    /// An abstract counterexample is tried on the concrete system.
    Concretize,
    /// Its infeasibility is explained.
    Interpolate,
    /// The precision grows.
    Refine,
    /// The graph is cut back.
    Prune,
    /// A verdict was reached.
    Done,
}

/// A parent and an edge from it, in eight bytes even when optional.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Arrival {
    /// The parent's id plus one, which is never zero.
    parent: NonZeroU32,
    edge: EdgeId,
}

impl Arrival {
    /// By this edge from this node.
    ///
    /// # Panics
    /// For node 2³² − 1.
    #[must_use]
    pub fn new((parent, edge): (NodeId, EdgeId)) -> Arrival {
        let parent = parent.0.checked_add(1).and_then(NonZeroU32::new).expect("fewer than 2^32 - 1 nodes");
        Arrival { parent, edge }
    }

    /// The node and the edge.
    #[must_use]
    pub fn pair(self) -> (NodeId, EdgeId) {
        (NodeId(self.parent.get() - 1), self.edge)
    }
}

/// One fact about a run. Ids refer to the tables of the journal and to the system.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Event {
    /// A round of abstraction and refinement began (numbered from 1).
    IterationStarted {
        /// Its number.
        iteration: u32,
    },
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
    /// The node is covered: whatever follows from it follows from `by`.
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
    /// What is known of a predicate after the edge?
    PredicateChecked {
        /// The source node.
        node: NodeId,
        /// The edge.
        edge: EdgeId,
        /// The predicate.
        predicate: PredicateId,
        /// The result.
        truth: Truth,
        /// How many questions it took; none when earlier models or unchanged variables answer it.
        asked: u8,
    },
    /// The values of the node make the edge's condition false: it cannot be taken, and nobody had to be asked.
    EdgeBlocked {
        /// The source node.
        node: NodeId,
        /// The edge.
        edge: EdgeId,
    },
    /// The values after the edge were listed with the solver (Algorithm 4): so many successors, or more than allowed.
    ValuesListed {
        /// The source node.
        node: NodeId,
        /// The edge.
        edge: EdgeId,
        /// How many were found; one more than allowed if the listing was given up.
        found: u32,
        /// Were they all found?
        complete: bool,
    },
    /// The combinations of unknown predicates after the edge were listed (Boolean predicate abstraction).
    CubesListed {
        /// The source node.
        node: NodeId,
        /// The edge.
        edge: EdgeId,
        /// How many conjunctions remain; 0 if all combinations are possible, or too many.
        cubes: u16,
        /// How many questions that took.
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
    /// Of several counterexamples this one is looked at now.
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
    /// The values of the variables after so many steps of the concrete run.
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
        /// The number of the first step, from 1; 0 is what holds at the start.
        from: u32,
        /// Unsat: they do.
        answer: Answer,
    },
    /// The steps from this one on were refuted with a proof.
    PathRefuted {
        /// The number of the first step, from 1; 0 is what holds at the start.
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
        /// The node of the path, from 0, that the forward interpolant speaks about.
        forward: u32,
        /// The same for the backward interpolant.
        backward: u32,
        /// Was the backward one taken?
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
        /// Where it is tracked from now on; everywhere if the precision is global.
        location: Option<LocationId>,
    },
    /// A variable was added to the precision: its values are tracked.
    VariableTracked {
        /// The variable.
        variable: VarId,
        /// Where it is tracked from now on; everywhere if the precision is global.
        location: Option<LocationId>,
    },
    /// So many predicates differ in nothing but a number: the run may go on like this for ever.
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
    /// The node is not covered any more: what covered it was removed.
    NodeUncovered {
        /// The node.
        node: NodeId,
    },
    /// The node must be expanded again: a child was removed.
    NodeReopened {
        /// The node.
        node: NodeId,
    },
    /// Bounded model checking: is a bad state reached after exactly so many steps?
    BadChecked {
        /// The number of steps.
        steps: u32,
        /// Sat: it is.
        answer: Answer,
    },
    /// k-induction: do so many steps lead from states that are not bad to a bad one?
    InductionChecked {
        /// The number of steps.
        steps: u32,
        /// Were all states to differ?
        simple: bool,
        /// Unsat: they do not.
        answer: Answer,
    },
    /// Interpolation: is a bad state reached from what is known to be reached?
    ImageChecked {
        /// How many images that is made of, besides the initial states.
        images: u32,
        /// Unsat: it is not.
        answer: Answer,
    },
    /// An interpolant over-approximates the states after one more step.
    ImageGrew {
        /// How many images there were before.
        images: u32,
        /// The interpolant.
        formula: FormulaId,
    },
    /// Is the newest image part of what was reached before?
    ClosureChecked {
        /// Unsat: it is.
        answer: Answer,
    },
    /// Property-directed reachability: a new frame, of all states.
    FrameOpened {
        /// Its number of steps.
        frame: u32,
    },
    /// Is a state of the frame bad?
    FrameChecked {
        /// The frame.
        frame: u32,
        /// Sat: one is.
        answer: Answer,
    },
    /// States that lead to a bad one, to be shown unreachable in so many steps.
    ObligationRaised {
        /// The number of steps.
        frame: u32,
        /// The cube of states.
        formula: FormulaId,
    },
    /// A lemma holds in this frame and those before.
    LemmaLearned {
        /// The frame.
        frame: u32,
        /// The lemma.
        formula: FormulaId,
    },
    /// Lemmas of a frame that still hold after a step were pushed to the next one.
    LemmasPushed {
        /// The frame.
        frame: u32,
        /// How many were left behind.
        left: u32,
    },
    /// Splitting: a cell was reached for the first time since it was last known.
    CellReached {
        /// The cell.
        cell: CellId,
        /// What is true of its states.
        formula: FormulaId,
    },
    /// Does a state of the cell violate the property?
    CellChecked {
        /// The cell.
        cell: CellId,
        /// Sat: one does.
        answer: Answer,
    },
    /// All successors of the cell were explored.
    CellExplored {
        /// The cell.
        cell: CellId,
    },
    /// A state of one cell leads to a state of another one; without a source, it is initial.
    TransitionFound {
        /// The source.
        from: Option<CellId>,
        /// The target.
        to: CellId,
    },
    /// A concrete path leads to this state of the counterexample, and cannot be extended.
    FailureFound {
        /// The cell.
        cell: CellId,
        /// Its position on the path, from 0.
        position: u32,
    },
    /// The interpolant at a state of the counterexample.
    CellInterpolated {
        /// The cell.
        cell: CellId,
        /// The interpolant.
        formula: FormulaId,
    },
    /// The cell was replaced by its two parts.
    CellSplit {
        /// The cell.
        cell: CellId,
    },
    /// So many cells need not be explored again.
    CellsKept {
        /// How many.
        kept: u32,
    },
    /// Explicit search: a concrete state was reached for the first time; its values are in the journal's `states`.
    StateReached {
        /// The state.
        state: NodeId,
        /// How it was reached; `None` if it is initial.
        from: Option<Arrival>,
    },
    /// An edge leads to a state that was reached before.
    StateKnown {
        /// That state.
        state: NodeId,
        /// How it was reached again.
        from: Arrival,
    },
    /// All states after this one were reached.
    StateExpanded {
        /// The state.
        state: NodeId,
    },
    /// The state is at the error location.
    ErrorReached {
        /// The state.
        state: NodeId,
    },
    /// The search for an accepting cycle gave a node a colour.
    Coloured {
        /// The node.
        node: NodeId,
        /// Its colour from now on.
        colour: Colour,
    },
    /// Can the automaton step on a state of the node?
    LetterChecked {
        /// The node.
        node: NodeId,
        /// Unsat: it cannot.
        answer: Answer,
    },
    /// An accepting cycle of abstract states was found, and a way to it.
    LassoFound {
        /// The position on it where the cycle begins, from 0.
        back: u32,
        /// The number of its steps.
        length: u32,
    },
    /// A node is on the lasso.
    LassoVisited {
        /// The position, from 0.
        position: u32,
        /// The node.
        node: NodeId,
    },
    /// Is there a run along the lasso whose state is the same at the beginning and at the end of the cycle?
    CycleChecked {
        /// Sat: there is.
        answer: Answer,
    },
    /// The lasso is one of a concrete run.
    LassoClosed {
        /// The number of its steps.
        length: u32,
    },
    /// Along the cycle an expression decreases and has a lower bound: nothing goes around for ever.
    RankingFound {
        /// The expression where the cycle begins.
        formula: FormulaId,
    },
    /// With the run's choices, the cycle leads from each state of a set back into it.
    RecurrenceFound {
        /// The set, where the cycle begins.
        formula: FormulaId,
    },
    /// The run ended.
    Decided {
        /// With this verdict.
        verdict: Verdict,
    },
}

impl Event {
    /// The stage of the loop this fact belongs to; `None` for the start of an iteration.
    #[must_use]
    pub fn phase(&self) -> Option<Phase> {
        Some(match self {
            Event::IterationStarted { .. } => return None,
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
            Event::BadChecked { .. }
            | Event::InductionChecked { .. }
            | Event::ImageChecked { .. }
            | Event::ClosureChecked { .. }
            | Event::CellChecked { .. }
            | Event::FrameChecked { .. } => Phase::Check,
            Event::FrameOpened { .. }
            | Event::CellReached { .. }
            | Event::CellExplored { .. }
            | Event::TransitionFound { .. } => Phase::Abstract,
            Event::ObligationRaised { .. } | Event::FailureFound { .. } => Phase::Concretize,
            Event::ImageGrew { .. } | Event::CellInterpolated { .. } => Phase::Interpolate,
            Event::LemmaLearned { .. } | Event::LemmasPushed { .. } | Event::CellSplit { .. } => {
                Phase::Refine
            }
            Event::CellsKept { .. } => Phase::Prune,
            Event::StateReached { .. } | Event::StateKnown { .. } | Event::StateExpanded { .. } => {
                Phase::Abstract
            }
            Event::ErrorReached { .. } => Phase::Check,
            Event::Pruned { .. } | Event::NodeUncovered { .. } | Event::NodeReopened { .. } => Phase::Prune,
            Event::Coloured { .. } | Event::LassoFound { .. } | Event::LassoVisited { .. } => Phase::Check,
            Event::CycleChecked { .. } | Event::LassoClosed { .. } | Event::RecurrenceFound { .. } => {
                Phase::Concretize
            }
            Event::RankingFound { .. } => Phase::Interpolate,
            Event::LetterChecked { .. } => Phase::Abstract,
            Event::Decided { .. } => Phase::Done,
        })
    }

    /// How many questions the solver was asked for it.
    #[must_use]
    pub fn asked(&self) -> u32 {
        match *self {
            Event::CoverChecked { .. }
            | Event::EdgeChecked { .. }
            | Event::PrefixChecked { .. }
            | Event::SuffixChecked { .. }
            | Event::BadChecked { .. }
            | Event::InductionChecked { .. }
            | Event::ImageChecked { .. }
            | Event::ImageGrew { .. }
            | Event::ClosureChecked { .. }
            | Event::FrameChecked { .. }
            | Event::CellChecked { .. }
            | Event::CycleChecked { .. }
            | Event::LetterChecked { .. }
            | Event::TransitionFound { .. }
            | Event::PathRefuted { .. } => 1,
            Event::PredicateChecked { asked, .. } => u32::from(asked),
            Event::CubesListed { asked, .. } => u32::from(asked),
            // The last question has no answer.
            Event::ValuesListed { found, complete, .. } => found + u32::from(complete),
            _ => 0,
        }
    }

    /// Had the solver to be asked for it?
    #[must_use]
    pub fn was_asked(&self) -> bool {
        self.asked() > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_stay_small() {
        assert!(size_of::<Event>() <= 16, "an event has {} bytes", size_of::<Event>());
    }
}
