//! The abstract counterexample of the current iteration: its steps, how far it is feasible, and its interpolants.

use crate::kit::{self, Answer, FormulaId, Journal, NodeId, View};
use crate::methods::cegar::Event;
use crate::methods::lasso;
use crate::system::EdgeId;
use crate::views::ArgView;

/// The feasibility of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Feasibility {
    /// Not decided yet.
    #[default]
    Open,
    /// A concrete run follows it.
    Feasible,
    /// No concrete run follows this number of first steps.
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
    /// The nodes reported so far, from the root on; the last one has the state of the one where the cycle begins.
    pub nodes: Vec<NodeId>,
    /// Is there a run along it with the same state at both ends of the cycle?
    pub closes: Option<Answer>,
    /// The ranking function of the cycle.
    pub ranking: Option<FormulaId>,
    /// The recurrent set at the start of the cycle, if there are values that change.
    pub recurrent_set: Option<FormulaId>,
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
    /// Prefixes checked so far: number of steps and answer.
    pub prefixes: Vec<(u32, Answer)>,
    /// The result.
    pub feasibility: Feasibility,
    /// The values after a number of steps of the concrete run.
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

impl CexView {
    fn of_path(&mut self, event: Event) {
        match event {
            Event::CexFound { node, length } | Event::CexChosen { node, length } => {
                *self = CexView { target: Some(node), length, ..CexView::default() };
            }
            Event::StepEncoded { edge, formula, .. } => self.steps.push(StepView { edge, formula }),
            Event::PrefixChecked { steps, answer } => self.prefixes.push((steps, answer)),
            Event::PathFeasible { .. } => self.feasibility = Feasibility::Feasible,
            Event::PathInfeasible { steps } => self.feasibility = Feasibility::Infeasible(steps),
            Event::ValuationFound { step, formula } => self.valuations.push((step, formula)),
            Event::Interpolated { cut, node, formula } => self.interpolants.push((cut, node, formula)),
            Event::NodeSelected { .. } | Event::NodeAdded { .. } | Event::NodeExpanded { .. } => {}
            Event::CoverChecked { .. } | Event::NodeCovered { .. } | Event::EdgeChecked { .. } => {}
            Event::PredicateChecked { .. } | Event::EdgeBlocked { .. } | Event::ValuesListed { .. } => {}
            Event::CubesListed { .. } | Event::SuffixChecked { .. } | Event::PathRefuted { .. } => {}
            Event::PruneCompared { .. } | Event::CexSkipped { .. } | Event::PrecisionGrew { .. } => {}
            Event::VariableTracked { .. } | Event::ChainGrew { .. } => {}
            Event::Pruned { .. } | Event::NodeUncovered { .. } | Event::NodeReopened { .. } => {}
        }
    }

    fn of_lasso(&mut self, event: lasso::Event) {
        if let lasso::Event::LassoFound { back, length } = event {
            let lasso = Some(LassoView { back, ..LassoView::default() });
            *self = CexView { length, lasso, ..CexView::default() };
        }
        if let lasso::Event::LassoVisited { node, .. } = event {
            self.target = Some(node);
        }
        if let Some(lasso) = &mut self.lasso {
            lasso.apply(event);
        }
    }
}

impl LassoView {
    fn apply(&mut self, event: lasso::Event) {
        match event {
            lasso::Event::LassoVisited { node, .. } => self.nodes.push(node),
            lasso::Event::CycleChecked { answer } => self.closes = Some(answer),
            lasso::Event::RankingFound { formula } => self.ranking = Some(formula),
            lasso::Event::RecurrenceFound { formula } => self.recurrent_set = Some(formula),
            lasso::Event::LassoFound { .. } | lasso::Event::LassoClosed { .. } => {}
            lasso::Event::Coloured { .. } | lasso::Event::LetterChecked { .. } => {}
        }
    }
}

impl View for CexView {
    fn apply(&mut self, event: &kit::Event, _: &Journal) {
        match *event {
            kit::Event::IterationStarted { .. } => *self = CexView::default(),
            kit::Event::Cegar(event) => self.of_path(event),
            kit::Event::Lasso(event) => self.of_lasso(event),
            kit::Event::Bmc(_)
            | kit::Event::Induction(_)
            | kit::Event::Imc(_)
            | kit::Event::Equation(_)
            | kit::Event::Pdr(_) => {}
            kit::Event::Split(_) | kit::Event::Explicit(_) | kit::Event::Under(_) => {}
            kit::Event::CombinedApprox(_) => {}
            kit::Event::Decided { .. } => {}
        }
    }
}
