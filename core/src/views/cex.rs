//! The abstract counterexample of the current iteration: its steps, how far it is feasible, and its interpolants.

use crate::kit::{Answer, Event, FormulaId, Journal, NodeId, View};
use crate::system::EdgeId;
use crate::views::ArgView;

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

/// An accepting lasso of abstract states.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LassoView {
    /// The position where its cycle begins.
    pub back: u32,
    /// The nodes told so far, from the root on; the last one of all says the same as the one where the cycle begins.
    pub nodes: Vec<NodeId>,
    /// Is there a run along it with the same state at both ends of the cycle?
    pub closes: Option<Answer>,
    /// What decreases along the cycle, so that it ends.
    pub ranking: Option<FormulaId>,
    /// What is true where the cycle begins, each time around, if there are values that change.
    pub kept: Option<FormulaId>,
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
    /// It is a lasso.
    pub lasso: Option<LassoView>,
}

impl CexView {
    /// Its nodes from the root on.
    #[must_use]
    pub fn nodes(&self, arg: &ArgView) -> Vec<NodeId> {
        match (&self.lasso, self.target) {
            (Some(lasso), _) => lasso.nodes.clone(),
            (None, Some(target)) => arg.path(target),
            (None, None) => Vec::new(),
        }
    }
}

impl View for CexView {
    fn apply(&mut self, event: &Event, _: &Journal) {
        match *event {
            Event::IterationStarted { .. } => *self = CexView::default(),
            Event::CexFound { node, length } | Event::CexChosen { node, length } => {
                *self = CexView { target: Some(node), length, ..CexView::default() };
            }
            Event::LassoFound { back, length } => {
                let lasso = Some(LassoView { back, ..LassoView::default() });
                *self = CexView { length, lasso, ..CexView::default() };
            }
            Event::LassoVisited { node, .. } => {
                self.target = Some(node);
                if let Some(lasso) = &mut self.lasso {
                    lasso.nodes.push(node);
                }
            }
            Event::CycleChecked { answer } => {
                if let Some(lasso) = &mut self.lasso {
                    lasso.closes = Some(answer);
                }
            }
            Event::RankingFound { formula } => {
                if let Some(lasso) = &mut self.lasso {
                    lasso.ranking = Some(formula);
                }
            }
            Event::RecurrenceFound { formula } => {
                if let Some(lasso) = &mut self.lasso {
                    lasso.kept = Some(formula);
                }
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
