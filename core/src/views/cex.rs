//! The abstract counterexample of the current iteration: its steps, how far it is feasible, and its interpolants.

use crate::kit::{Answer, Event, FormulaId, Journal, NodeId, View};
use crate::system::EdgeId;

/// What is known about a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Feasibility {
    /// Not decided yet.
    #[default]
    Open,
    /// A concrete run follows it.
    Feasible,
    /// The first so many steps have no concrete run.
    Infeasible(u32),
}

/// One step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepView {
    /// Its edge.
    pub edge: EdgeId,
    /// Its formula over indexed variables.
    pub formula: FormulaId,
}

/// An abstract counterexample. Empty (`target` is `None`) outside of concretization and refinement.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CexView {
    /// The node at the error location.
    pub target: Option<NodeId>,
    /// The number of steps.
    pub length: u32,
    /// The steps written as formulas so far.
    pub steps: Vec<StepView>,
    /// Prefixes tried so far: number of steps and answer.
    pub prefixes: Vec<(u32, Answer)>,
    /// The result.
    pub feasibility: Feasibility,
    /// Values after so many steps of the concrete run.
    pub valuations: Vec<(u32, FormulaId)>,
    /// The interpolants so far: cut, node at the cut, formula.
    pub interpolants: Vec<(u32, NodeId, FormulaId)>,
}

impl View for CexView {
    fn apply(&mut self, event: &Event, _: &Journal) {
        match *event {
            Event::IterationStarted { .. } => *self = CexView::default(),
            Event::CexFound { node, length } | Event::CexChosen { node, length } => {
                *self = CexView { target: Some(node), length, ..CexView::default() };
            }
            Event::StepEncoded { edge, formula, .. } => self.steps.push(StepView { edge, formula }),
            Event::PrefixChecked { steps, answer } => self.prefixes.push((steps, answer)),
            Event::PathFeasible { .. } => self.feasibility = Feasibility::Feasible,
            Event::PathInfeasible { steps } => self.feasibility = Feasibility::Infeasible(steps),
            Event::ValuationFound { step, formula } => self.valuations.push((step, formula)),
            Event::Interpolated { cut, node, formula } => self.interpolants.push((cut, node, formula)),
            _ => {}
        }
    }
}
