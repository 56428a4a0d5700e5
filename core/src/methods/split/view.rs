//! The abstract transition system of refinement by splitting, after a prefix of the journal.

use std::collections::{BTreeMap, BTreeSet};

use crate::kit::{self, Answer, CellId, FormulaId, Journal, View};
use crate::methods::split::Event;

/// A cell that occurs in the journal so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CellView {
    /// Its label, once it was reached.
    pub label: Option<FormulaId>,
    /// Does a state of it violate the property? Known once it was checked.
    pub violates: Option<bool>,
    /// Some initial state is in it.
    pub initial: bool,
    /// All its successors were explored.
    pub explored: bool,
    /// It was reached in an earlier iteration, before the first cell that was split.
    pub kept: bool,
    /// It was split: its parts are other cells.
    pub split: bool,
}

/// The cells and their transitions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CellsView {
    /// All cells that occur so far.
    pub cells: BTreeMap<CellId, CellView>,
    /// The transitions that were found.
    pub transitions: BTreeSet<(CellId, CellId)>,
    /// The stack of the search.
    pub stack: Vec<CellId>,
    /// The current abstract counterexample.
    pub path: Vec<CellId>,
    /// The failure state: a position on it, from 0, beyond which no concrete path leads.
    pub failure: Option<usize>,
    /// The interpolants of its refinement.
    pub interpolants: Vec<(CellId, FormulaId)>,
    /// The cells the last event is about.
    pub focus: Vec<CellId>,
    /// Those that were reached, in order.
    reached: Vec<CellId>,
}

impl CellsView {
    /// Removes all but the cells that were reached first.
    fn keep(&mut self, kept: usize) {
        self.reached.truncate(kept);
        let reached = &self.reached;
        self.cells.retain(|cell, _| reached.contains(cell));
        self.transitions.retain(|(from, to)| reached.contains(from) && reached.contains(to));
        self.stack.retain(|cell| reached.contains(cell));
        self.cells.values_mut().for_each(|c| c.kept = true);
        self.path.clear();
        self.interpolants.clear();
        self.failure = None;
    }

    fn cell(&mut self, cell: CellId) -> &mut CellView {
        self.focus.push(cell);
        self.cells.entry(cell).or_default()
    }

    fn draw(&mut self, event: Event) {
        match event {
            Event::TransitionFound { from, to } => {
                if let Some(from) = from {
                    self.transitions.insert((from, to));
                    self.focus.push(from);
                }
                self.cell(to).initial |= from.is_none();
            }
            Event::CellReached { cell, formula } => {
                self.cell(cell).label = Some(formula);
                self.reached.push(cell);
                self.stack.push(cell);
            }
            Event::CellChecked { cell, answer } => {
                self.cell(cell).violates = match answer {
                    Answer::Sat => Some(true),
                    Answer::Unsat => Some(false),
                    Answer::Unknown => None,
                };
                if answer == Answer::Sat {
                    self.path = self.stack.clone();
                }
            }
            Event::CellExplored { cell } => {
                self.cell(cell).explored = true;
                self.stack.pop();
            }
            Event::FailureFound { cell, position } => {
                self.failure = Some(position as usize);
                self.focus.push(cell);
            }
            Event::CellInterpolated { cell, formula } => {
                self.interpolants.push((cell, formula));
                self.focus.push(cell);
            }
            Event::CellSplit { cell } => self.cell(cell).split = true,
            Event::CellsKept { kept } => self.keep(kept as usize),
            Event::PathChecked { .. } | Event::VariableTracked { .. } => {}
        }
    }
}

impl View for CellsView {
    fn apply(&mut self, event: &kit::Event, _: &Journal) {
        self.focus.clear();
        match *event {
            kit::Event::Split(event) => self.draw(event),
            kit::Event::Cegar(_) | kit::Event::Lasso(_) | kit::Event::Bmc(_) | kit::Event::Induction(_) => {}
            kit::Event::Imc(_) | kit::Event::Equation(_) | kit::Event::Pdr(_) | kit::Event::Explicit(_) => {}
            kit::Event::Under(_)
            | kit::Event::CombinedApprox(_)
            | kit::Event::IterationStarted { .. }
            | kit::Event::Decided { .. } => {}
        }
    }
}
