//! Concretization and refinement (sections 4.3 and 4.4).

use solver_lite::Answer;
use solver_lite::term::Term;

use super::{Interpolation, SplitEngine, Splitting, Stage, stop};
use crate::engines::{answer, number};
use crate::kit::{Event, Sink, UnknownReason};
use crate::symbolic::Context;

impl SplitEngine {
    /// `F₁ … Fₙ₊₁` for the cells on the stack.
    fn path(&mut self) -> Vec<Term> {
        let cells: Vec<_> = self.stack.iter().map(|f| f.cell).collect();
        let mut formulas = Vec::with_capacity(cells.len() + 1);
        for (i, cell) in cells.iter().enumerate() {
            let label = self.label(*cell);
            let symbolic = &mut self.shared.symbolic;
            let here = self.unrolling.at(symbolic, label, i);
            let there = match i.checked_sub(1) {
                None => self.unrolling.at(symbolic, self.shared.init, 0),
                Some(before) => self.unrolling.at(symbolic, self.shared.trans, before),
            };
            formulas.push(symbolic.terms().and([here, there]));
        }
        let last = cells.len() - 1;
        formulas.push(self.unrolling.at(&mut self.shared.symbolic, self.shared.bad, last));
        formulas
    }

    /// Finds the failure state: a concrete path leads there and cannot be extended.
    pub(super) fn concretize<S: Sink>(&mut self, sink: &mut S) -> Stage {
        let formulas = self.path();
        let steps = formulas.len() - 2;
        let mut context = Context::new(self.shared.limits);
        let mut last = None;
        for (i, f) in formulas.iter().enumerate() {
            context.assert(self.shared.symbolic.terms(), *f);
            self.shared.now().queries += 1;
            let checked = context.check(self.shared.symbolic.terms(), &[]);
            sink.event(Event::PrefixChecked { steps: number(i), answer: answer(&checked) });
            match checked {
                Answer::Sat(model) => last = Some(model),
                Answer::Unsat => return Stage::Refine(i),
                Answer::Unknown(_) => return stop(UnknownReason::Solver, sink),
            }
        }
        let model = last.expect("a path has a state");
        let edges = self.shared.symbolic.edges_of(&mut self.unrolling, steps, &model);
        let edges = edges.expect("a model takes a way at each step");
        Stage::Done(Box::new(self.shared.violated(&edges, sink)))
    }

    /// So many states of the path can be concretized: the last one of them is the failure state.
    pub(super) fn refine<S: Sink>(&mut self, states: usize, sink: &mut S) -> Stage {
        let failure = states - 1;
        sink.event(Event::FailureFound { cell: self.stack[failure].cell, position: number(failure) });
        let Some(interpolants) = self.explain(failure) else {
            return stop(UnknownReason::Interpolation, sink);
        };
        for (i, t) in &interpolants {
            let formula = self.shared.formula(*t, sink);
            sink.event(Event::CellInterpolated { cell: self.stack[*i].cell, formula });
        }
        let kept = match self.options.splitting {
            Splitting::Values => self.make_visible(&interpolants, sink),
            Splitting::Predicates => self.split(&interpolants, sink),
        };
        if !kept {
            return stop(UnknownReason::NoProgress, sink);
        }
        self.shared.begin(sink);
        Stage::Explore
    }

    /// Interpolants by position on the path, those that say something.
    fn explain(&mut self, failure: usize) -> Option<Vec<(usize, Term)>> {
        let formulas = self.path();
        let mut all = Vec::new();
        match self.options.interpolation {
            Interpolation::Craig => {
                let dead_end = self.shared.symbolic.terms().and(formulas[..=failure].iter().copied());
                let sequence = self.shared.interpolants(&[dead_end, formulas[failure + 1]])?;
                all.push((failure, sequence[1]));
            }
            Interpolation::Sequence => {
                let sequence = self.shared.interpolants(&formulas)?;
                all.extend((0..formulas.len() - 1).map(|i| (i, sequence[i + 1])));
            }
        }
        let says = |t: &Term| *t != Term::TRUE && *t != Term::FALSE;
        let all: Vec<(usize, Term)> = all.into_iter().filter(|(_, t)| says(t)).collect();
        let symbolic = &mut self.shared.symbolic;
        Some(all.into_iter().map(|(i, t)| (i, self.unrolling.over_current(symbolic, t, i))).collect())
    }

    /// Splits the cells; what was explored before the first one is kept.
    fn split<S: Sink>(&mut self, interpolants: &[(usize, Term)], sink: &mut S) -> bool {
        let Some((first, _)) = interpolants.first() else { return false };
        for (i, t) in interpolants {
            let cell = self.stack[*i].cell;
            self.cells.split(cell, *t);
            self.shared.now().predicates += 1;
            sink.event(Event::CellSplit { cell });
        }
        let at = self.reached.iter().position(|c| *c == self.stack[*first].cell).unwrap_or(0);
        let kept = if self.options.incremental { at } else { 0 };
        self.stack.truncate(if self.options.incremental { *first } else { 0 });
        self.reached.truncate(kept);
        // Successors that were split are other cells now.
        self.stack.iter_mut().for_each(|f| (f.successors, f.tried) = (None, 0));
        (self.initial, self.tried) = (None, 0);
        sink.event(Event::CellsKept { kept: number(kept) });
        true
    }

    /// Makes the variables of the interpolants visible; every cell is another one then.
    fn make_visible<S: Sink>(&mut self, interpolants: &[(usize, Term)], sink: &mut S) -> bool {
        let before = self.visible.len();
        for (_, t) in interpolants {
            for x in self.shared.symbolic.terms().vars(*t) {
                let Some(variable) = self.shared.symbolic.variable_of(x) else { continue };
                let own = self.shared.symbolic.positions(variable);
                if own.iter().any(|p| !self.visible.contains(p)) {
                    self.shared.now().variables += 1;
                    sink.event(Event::VariableTracked { variable, location: None });
                }
                self.visible.extend(own);
            }
        }
        self.cells = super::Cells::new(Vec::new());
        self.good.clear();
        self.reached.clear();
        self.stack.clear();
        (self.initial, self.tried) = (None, 0);
        self.visible.len() > before
    }
}
