//! Depth-first search over cells that are found on the fly (sections 4.2 and 4.5).

use solver_lite::Answer;
use solver_lite::term::{Sort, Term, Value};

use super::{Frame, SplitEngine, Stage, stop};
use crate::engines::answer;
use crate::kit::{Answer as Told, CellId, Event, Sink, UnknownReason};
use crate::symbolic::Context;

impl SplitEngine {
    /// One step of the search.
    pub(super) fn explore<S: Sink>(&mut self, sink: &mut S) -> Stage {
        if self.shared.iterations.is_empty() {
            self.shared.begin(sink);
        }
        let Some(top) = self.stack.last() else { return self.next_initial(sink) };
        let cell = top.cell;
        if !self.good.contains(&cell) {
            return self.check(cell, sink);
        }
        let Some(successors) = top.successors.clone() else {
            return match self.successors(cell, sink) {
                Some(all) => {
                    self.stack.last_mut().expect("it is there").successors = Some(all);
                    Stage::Explore
                }
                None => stop(UnknownReason::Solver, sink),
            };
        };
        let tried = top.tried;
        match successors.get(tried) {
            Some(next) => {
                self.stack.last_mut().expect("it is there").tried += 1;
                self.reach(*next, sink);
            }
            None => {
                sink.event(Event::CellExplored { cell });
                self.stack.pop();
            }
        }
        Stage::Explore
    }

    /// Goes on with the next initial cell; after the last one everything is explored.
    fn next_initial<S: Sink>(&mut self, sink: &mut S) -> Stage {
        let Some(initial) = self.initial.clone() else {
            let init = self.shared.init;
            let Some(all) = self.listed(&[init], false, None, sink) else {
                return stop(UnknownReason::Solver, sink);
            };
            self.initial = Some(all);
            return Stage::Explore;
        };
        if let Some(cell) = initial.get(self.tried) {
            self.tried += 1;
            self.reach(*cell, sink);
            return Stage::Explore;
        }
        let labels: Vec<Term> = self.reached.iter().map(|c| self.cells.get(*c).label).collect();
        let inv = self.shared.symbolic.inv;
        let any = self.shared.symbolic.terms().or(labels);
        let inductive = self.shared.symbolic.terms().and([any, inv]);
        Stage::Done(Box::new(self.shared.holds(inductive, sink)))
    }

    fn reach<S: Sink>(&mut self, cell: CellId, sink: &mut S) {
        if self.reached.contains(&cell) {
            return;
        }
        let label = self.label(cell);
        let formula = self.shared.formula(label, sink);
        sink.event(Event::CellReached { cell, formula });
        self.shared.now().nodes += 1;
        self.reached.push(cell);
        self.stack.push(Frame { cell, successors: None, tried: 0 });
    }

    /// Does a state of the cell violate the property?
    fn check<S: Sink>(&mut self, cell: CellId, sink: &mut S) -> Stage {
        let (label, bad) = (self.label(cell), self.shared.bad);
        let mut context = Context::new(self.shared.limits);
        context.assert(self.shared.symbolic.terms(), label);
        context.assert(self.shared.symbolic.terms(), bad);
        self.shared.now().queries += 1;
        let checked = answer(&context.check(self.shared.symbolic.terms(), &[]));
        sink.event(Event::CellChecked { cell, answer: checked });
        match checked {
            Told::Sat => Stage::Concretize,
            Told::Unsat => {
                self.good.insert(cell);
                Stage::Explore
            }
            Told::Unknown => stop(UnknownReason::Solver, sink),
        }
    }

    fn successors<S: Sink>(&mut self, cell: CellId, sink: &mut S) -> Option<Vec<CellId>> {
        let (label, trans) = (self.label(cell), self.shared.trans);
        self.listed(&[label, trans], true, Some(cell), sink)
    }

    /// All cells of states (after a step, if `next`) that satisfy the formulas.
    fn listed<S: Sink>(
        &mut self,
        formulas: &[Term],
        next: bool,
        from: Option<CellId>,
        sink: &mut S,
    ) -> Option<Vec<CellId>> {
        let mut context = Context::new(self.shared.limits);
        for f in formulas {
            context.assert(self.shared.symbolic.terms(), *f);
        }
        let mut found: Vec<CellId> = Vec::new();
        loop {
            self.shared.now().queries += 1;
            let model = match context.check(self.shared.symbolic.terms(), &[]) {
                Answer::Sat(model) => model,
                Answer::Unsat => break,
                Answer::Unknown(_) => return None,
            };
            let current = self.shared.symbolic.current.clone();
            let state = if next { self.shared.symbolic.next.clone() } else { current.clone() };
            let terms = &mut self.shared.symbolic.encoding.terms;
            let values: Vec<(usize, Value)> =
                self.visible.iter().map(|i| (*i, model.eval(terms, state[*i]))).collect();
            let map: std::collections::BTreeMap<Term, Value> =
                current.iter().zip(&state).map(|(now, then)| (*now, model.eval(terms, *then))).collect();
            let mut truth = |terms: &mut solver_lite::term::Terms, p: Term| {
                terms
                    .eval(p, |x| {
                        map.get(&x).cloned().unwrap_or_else(|| match terms.sort(x) {
                            Sort::Bool => Value::Bool(false),
                            _ => Value::Num(solver_lite::number::Q::ZERO),
                        })
                    })
                    .bool()
            };
            let cell = self.cells.of(&current, values, &mut truth, terms);
            let label = self.label(cell);
            let label = if next { self.shared.symbolic.primed(label) } else { label };
            let other = self.shared.symbolic.terms().not(label);
            context.assert(self.shared.symbolic.terms(), other);
            sink.event(Event::TransitionFound { from, to: cell });
            found.push(cell);
        }
        Some(found)
    }
}
