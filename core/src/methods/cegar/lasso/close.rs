//! Does a cycle close? ("CEGAR-based LTL model checking", section 3.4.4.) A run along an abstract lasso is a
//! counterexample if the values of live variables at the end of the cycle are those at its start.

use std::collections::HashMap;
use std::ops::ControlFlow::{Break, Continue};

use solver_lite::smtlib::Asking;
use solver_lite::term::Term;
use solver_lite::{Answer as Checked, Model, Solver};

use super::{LassoCegar, Stage, Traversed};
use crate::encoding::{constant, equal};
use crate::expr::to_term;
use crate::kit::{Sink, UnknownReason, Verdict};
use crate::methods::cegar;
use crate::methods::cegar::path::PathFormula;
use crate::methods::cegar::{CycleRefinement, Ranking, step_name};
use crate::methods::lasso::{self, run};
use crate::methods::outcome::{Next, done, stop};
use crate::methods::shared::{answer, number};
use crate::system::{EdgeId, State, VarId};

impl LassoCegar {
    /// The query for a run whose cycle begins and ends in the same state.
    pub(super) fn close<S: Sink>(&mut self, lasso: Traversed, sink: &mut S) -> Next<Stage> {
        let ends = self.same_ends(&lasso);
        let mut solver = Solver::new(self.cegar.limits);
        let assertions = [&lasso.path.assertions[..], &[ends]].concat();
        assertions.iter().for_each(|a| solver.assert(&mut self.cegar.encoding.terms, *a));
        let what = "Is there a run along the lasso that is in the same state at the start and at the end of the cycle?";
        let names = (0..lasso.path.assertions.len()).map(step_name).chain(["same".to_owned()]);
        self.cegar.report_named(sink, what, names, &assertions, Asking::Check);
        self.cegar.now().queries += 1;
        let checked = solver.check(&mut self.cegar.encoding.terms, &[]);
        sink.event(lasso::Event::CycleChecked { answer: answer(&checked) });
        match checked {
            Checked::Sat(_) if !lasso.read => self.read(lasso, sink),
            Checked::Sat(model) => self.violated(&lasso, &model, sink),
            Checked::Unsat => Continue(Stage::RefineCycle(Box::new(lasso))),
            Checked::Unknown(_) => stop(UnknownReason::Solver, sink),
        }
    }

    /// Checks the path again, now with the guards of the automaton. If it is infeasible, it is refined.
    fn read<S: Sink>(&mut self, mut lasso: Traversed, sink: &mut S) -> Next<Stage> {
        lasso.read = true;
        for (i, edge) in lasso.path.edges.iter().enumerate() {
            let (values, terms) = (&lasso.path.values[i + 1], &mut self.cegar.encoding.terms);
            let Some(guard) = &self.product.guards[edge.index()] else { continue };
            let guard = to_term(guard, terms, &mut |v| values[v.index()]);
            lasso.path.assertions[i + 1] = terms.and([lasso.path.assertions[i + 1], guard]);
        }
        let spelled = self.spell(&lasso.path.edges);
        match self.cegar.traverse(&mut lasso.path, sink) {
            Some(Checked::Unsat) => Continue(Stage::Explain(Box::new(lasso.path), spelled)),
            Some(Checked::Sat(model)) => Continue(Stage::Close(Box::new(Traversed { model, ..lasso }))),
            _ => stop(UnknownReason::Solver, sink),
        }
    }

    /// The live variables at the start of the cycle.
    pub(super) fn matter(&self, lasso: &Traversed) -> Vec<VarId> {
        let location = self.cegar.arg.node(lasso.path.nodes[lasso.back]).state.location;
        self.live[location.index()].iter().copied().collect()
    }

    /// The values at both ends of the cycle are equal.
    fn same_ends(&mut self, lasso: &Traversed) -> Term {
        let (start, end) = (&lasso.path.values[lasso.back], &lasso.path.values[lasso.path.edges.len()]);
        let mut parts = Vec::new();
        for v in self.matter(lasso) {
            parts.push(self.cegar.encoding.terms.eq(start[v.index()], end[v.index()]));
        }
        self.cegar.encoding.terms.and(parts)
    }

    /// Refines a cycle that does not close, so that it is excluded.
    pub(super) fn refine_cycle<S: Sink>(&mut self, lasso: &Traversed, sink: &mut S) -> Next<Stage> {
        if self.comes_back(&lasso.path.edges[lasso.back..]) {
            if self.rank(lasso, sink) {
                return Continue(Stage::Search);
            }
            if !lasso.read {
                return self.read(lasso.clone(), sink);
            }
            if let Some(set) = self.recurrent(lasso) {
                return self.recurs(lasso, set, sink);
            }
        }
        if self.cegar.strategy.cycles != CycleRefinement::Path && self.refine_value(lasso, sink) {
            return self.again(sink);
        }
        // The path with the values of a model at both ends of its cycle.
        let mut path = lasso.path.clone();
        let last = path.edges.len();
        for v in self.matter(lasso) {
            let terms = &mut self.cegar.encoding.terms;
            let value = lasso.model.eval(terms, path.values[lasso.back][v.index()]);
            for at in [lasso.back, last] {
                let same = equal(terms, path.values[at][v.index()], &value);
                path.assertions[at] = terms.and([path.assertions[at], same]);
            }
        }
        path.infeasible = last;
        Continue(Stage::Explain(Box::new(path), false))
    }

    /// Has this cycle been refined before?
    fn comes_back(&mut self, cycle: &[EdgeId]) -> bool {
        let times = self.unclosed.entry(cycle.to_vec()).or_insert(0);
        *times += 1;
        let at_once = self.cegar.strategy.cycles == CycleRefinement::Relation;
        (at_once || *times > 1) && self.cegar.strategy.ranking == Ranking::On
    }

    /// The cycle of an infeasible path, if it was found before and can be taken once by itself.
    pub(super) fn cycle_alone(&mut self, path: &PathFormula, back: usize) -> Option<Traversed> {
        if !self.comes_back(&path.edges[back..]) {
            return None;
        }
        let label = self.cegar.label_at(path.nodes[back], &path.values[back]);
        let mut solver = Solver::new(self.cegar.limits);
        for part in std::iter::once(&label).chain(&path.assertions[back + 1..]) {
            solver.assert(&mut self.cegar.encoding.terms, *part);
        }
        self.cegar.now().queries += 1;
        match solver.check(&mut self.cegar.encoding.terms, &[]) {
            Checked::Sat(model) => Some(Traversed { path: path.clone(), back, model, read: false }),
            _ => None,
        }
    }

    /// Computes a linear ranking function of the cycle, if there is one.
    pub(super) fn rank<S: Sink>(&mut self, lasso: &Traversed, sink: &mut S) -> bool {
        let Some(measure) = self.ranking(lasso).filter(|m| self.measures.iter().all(|k| k.at != m.at)) else {
            return false;
        };
        let location = self.cegar.arg.node(lasso.path.nodes[lasso.back]).state.location;
        let here = measure.at[&location];
        let formula = self.cegar.formula(sink, |e| e.text(here));
        sink.event(lasso::Event::RankingFound { formula });
        self.measures.push(measure);
        true
    }

    /// The interpolant of the path and of the equality of its ends is about both ends; the start gets the values of a
    /// model. Does it refine the precision at the end?
    fn refine_value<S: Sink>(&mut self, lasso: &Traversed, sink: &mut S) -> bool {
        let ends = self.same_ends(lasso);
        let along = self.cegar.encoding.terms.and(lasso.path.assertions.clone());
        let names = ["path", "same"].map(str::to_owned);
        let Some(sequence) = self.cegar.refuted(0, &[along, ends], names.into_iter(), sink) else {
            return false;
        };
        let last = lasso.path.edges.len();
        let (start, end) = (&lasso.path.values[lasso.back], &lasso.path.values[last]);
        let mut map = HashMap::new();
        for v in self.cegar.system.var_ids() {
            let encoding = &mut self.cegar.encoding;
            if start[v.index()] != end[v.index()] {
                let value = lasso.model.eval(&encoding.terms, start[v.index()]);
                let sort = self.cegar.system.variable(v).ty.sort();
                map.insert(start[v.index()], constant(&mut encoding.terms, &value, sort));
            }
            map.insert(end[v.index()], encoding.current(v));
        }
        let folded = self.cegar.encoding.terms.substitute(sequence[1], |_, t| map.get(&t).copied());
        let node = lasso.path.nodes[last];
        let formula = self.cegar.formula(sink, |e| e.text(folded));
        sink.event(cegar::Event::Interpolated { cut: number(last), node, formula });
        self.track(node, folded, sink)
    }

    /// The run of a model, replayed on the system itself.
    fn violated<S: Sink>(&mut self, lasso: &Traversed, model: &Model, sink: &mut S) -> Next<Stage> {
        let terms = &self.cegar.encoding.terms;
        let states: Vec<State> =
            lasso.path.values.iter().map(|values| model.eval_all(terms, values)).collect();
        match run::certificate(&self.model, &self.product, &lasso.path.edges, &states, (lasso.back, None)) {
            Ok(certificate) => {
                sink.event(lasso::Event::LassoClosed { length: number(lasso.path.edges.len()) });
                Break(Box::new(done(Verdict::Violated, Some(certificate), sink)))
            }
            Err(why) => stop(why, sink),
        }
    }
}
