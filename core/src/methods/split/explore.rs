//! Depth-first search over cells that are found on the fly (sections 4.2 and 4.5).

use std::ops::ControlFlow::{Break, Continue};

use solver_lite::term::{Term, Terms};
use solver_lite::{Answer, Model};

use super::cell::Both;
use super::{Frame, SplitEngine, Stage};
use crate::kit::{Answer as Checked, CellId, Sink, UnknownReason};
use crate::methods::outcome::{Next, stop};
use crate::methods::shared::answer;
use crate::methods::split::Event;

impl SplitEngine {
    /// One step of the search.
    pub(super) fn explore<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        if self.shared.iterations.is_empty() {
            self.shared.begin(sink);
        }
        let Some(top) = self.stack.last() else { return self.next_initial(sink) };
        let cell = top.cell;
        if !self.good.contains(&cell) {
            return self.check(cell, sink);
        }
        let Some(successors) = &top.successors else {
            let Some(all) = self.listed(Some(cell), sink) else { return stop(UnknownReason::Solver, sink) };
            self.stack.last_mut().expect("it is there").successors = Some(all);
            return Continue(Stage::Explore);
        };
        match successors.get(top.tried).copied() {
            Some(next) => {
                self.stack.last_mut().expect("it is there").tried += 1;
                self.reach(next, sink);
            }
            None => {
                sink.event(Event::CellExplored { cell: self.shown(cell) });
                self.stack.pop();
            }
        }
        Continue(Stage::Explore)
    }

    /// Continues with the next initial cell; after the last one everything is explored.
    fn next_initial<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        let Some(initial) = &self.initial else {
            let Some(all) = self.listed(None, sink) else {
                return stop(UnknownReason::Solver, sink);
            };
            self.initial = Some(all);
            return Continue(Stage::Explore);
        };
        if let Some(cell) = initial.get(self.tried).copied() {
            self.tried += 1;
            self.reach(cell, sink);
            return Continue(Stage::Explore);
        }
        let labels: Vec<Term> = self.reached.keys().map(|c| self.cells.get(*c).label[0]).collect();
        let inv = self.shared.symbolic.inv;
        let any = self.shared.symbolic.terms().or(labels);
        let inductive = self.shared.symbolic.terms().and([any, inv]);
        Break(Box::new(self.shared.holds(inductive, sink)))
    }

    fn reach<S: Sink>(&mut self, cell: CellId, sink: &mut S) {
        if self.reached.contains_key(&cell) {
            return;
        }
        let label = self.label(cell);
        let formula = self.shared.formula(label, sink);
        sink.event(Event::CellReached { cell: self.shown(cell), formula });
        self.shared.now().nodes += 1;
        self.reached.insert(cell, self.reached.len());
        self.stack.push(Frame { cell, successors: None, tried: 0 });
    }

    /// Does a state of the cell violate the property?
    fn check<S: Sink>(&mut self, cell: CellId, sink: &mut S) -> Next<Stage> {
        let label = self.label(cell);
        self.shared.now().queries += 1;
        self.shared.report("Does a state of the cell violate the property?", &self.bad, &[label], sink);
        let checked = answer(&self.bad.check(self.shared.symbolic.terms(), &[label]));
        sink.event(Event::CellChecked { cell: self.shown(cell), answer: checked });
        match checked {
            Checked::Sat => Continue(Stage::Concretize),
            Checked::Unsat => {
                self.good.insert(cell);
                Continue(Stage::Explore)
            }
            Checked::Unknown => stop(UnknownReason::Solver, sink),
        }
    }

    /// All cells of initial states, or of states after a step from a cell.
    fn listed<S: Sink>(&mut self, from: Option<CellId>, sink: &mut S) -> Option<Vec<CellId>> {
        let mut assumed: Vec<Term> = from.map(|c| self.label(c)).into_iter().collect();
        let mut found: Vec<CellId> = Vec::new();
        loop {
            self.shared.now().queries += 1;
            let context = if from.is_some() { &mut self.trans } else { &mut self.init };
            let model = match context.check(self.shared.symbolic.terms(), &assumed) {
                Answer::Sat(model) => model,
                Answer::Unsat => return Some(found),
                Answer::Unknown(_) => return None,
            };
            // The last query, which has no model, belongs to no event.
            self.shared.report("Is there another initial or successor cell?", context, &assumed, sink);
            let cell = self.cell_of(&model, from.is_some());
            let label = self.cells.get(cell).label[usize::from(from.is_some())];
            assumed.push(self.shared.symbolic.terms().not(label));
            sink.event(Event::TransitionFound { from: from.map(|c| self.shown(c)), to: self.shown(cell) });
            found.push(cell);
        }
    }

    /// The cell of a model's state, or of its state after the step.
    fn cell_of(&mut self, model: &Model, next: bool) -> CellId {
        let symbolic = &mut self.shared.symbolic;
        let states = [&symbolic.current[..], &symbolic.next];
        let (which, terms) = (usize::from(next), &mut symbolic.encoding.terms);
        let value = |i: &usize| (*i, model.eval(terms, states[which][*i]));
        let visible = self.visible.iter().map(value).collect();
        let mut truth = |terms: &Terms, p: Both| model.eval(terms, p[which]).bool();
        self.cells.of(states, visible, &mut truth, terms)
    }
}
