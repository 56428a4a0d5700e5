//! Concretization and refinement (sections 4.3 and 4.4).

use std::collections::HashSet;
use std::ops::ControlFlow::{Break, Continue};

use solver_lite::term::{Node, Term, Terms};
use solver_lite::{Answer, Limits};

use super::{Interpolation, SplitEngine, Splitting, Stage};
use crate::kit::{Sink, UnknownReason};
use crate::methods::outcome::{Next, stop};
use crate::methods::shared::{answer, number};
use crate::methods::split::Event;
use crate::symbolic::{Context, Symbolic, Unrolling};

/// After this number of consecutive paths for which the variables of the property do not suffice, they are not tried
/// again.
const TRIES: u32 = 2;

/// Formulas of paths, and a solver that is shared by all of them.
#[derive(Clone)]
pub(super) struct Path {
    unrolling: Unrolling,
    /// Without assertions: the formulas of a path are assumptions.
    context: Context,
    /// The conjuncts of each step.
    steps: Vec<Vec<Term>>,
}

impl Path {
    pub(super) fn new(limits: Limits) -> Path {
        Path { unrolling: Unrolling::default(), context: Context::new(limits), steps: Vec::new() }
    }

    /// The conjuncts of step `i`.
    fn step(&mut self, symbolic: &mut Symbolic, trans: Term, i: usize) -> &[Term] {
        while self.steps.len() <= i {
            let step = self.unrolling.at(symbolic, trans, self.steps.len());
            self.steps.push(conjuncts(symbolic.terms(), step));
        }
        &self.steps[i]
    }
}

fn conjuncts(terms: &Terms, t: Term) -> Vec<Term> {
    match terms.node(t) {
        Node::And(all) => all.to_vec(),
        _ => vec![t],
    }
}

/// The term with other variables substituted for these.
fn renamed(terms: &mut Terms, t: Term, these: &HashSet<Term>) -> Term {
    terms.substitute(t, |terms, x| {
        these.contains(&x).then(|| {
            let (name, sort) = (format!("{}°", terms.name(x).unwrap_or("?")), terms.sort(x));
            terms.var(&name, sort)
        })
    })
}

impl SplitEngine {
    /// The conjuncts of `F₁ … Fₙ₊₁` for the cells on the stack.
    fn formulas(&mut self) -> Vec<Vec<Term>> {
        let labels: Vec<Term> = self.stack.iter().map(|f| self.cells.get(f.cell).label[0]).collect();
        let (symbolic, path) = (&mut self.shared.symbolic, &mut self.path);
        let mut formulas = Vec::with_capacity(labels.len() + 1);
        for (i, label) in labels.iter().enumerate() {
            let here = path.unrolling.at(symbolic, *label, i);
            let mut all = conjuncts(symbolic.terms(), here);
            match i.checked_sub(1) {
                None => {
                    let init = path.unrolling.at(symbolic, self.shared.init, 0);
                    all.extend(conjuncts(symbolic.terms(), init));
                }
                Some(before) => all.extend(path.step(symbolic, self.shared.trans, before)),
            }
            formulas.push(all);
        }
        let bad = path.unrolling.at(symbolic, self.shared.bad, labels.len() - 1);
        formulas.push(conjuncts(symbolic.terms(), bad));
        formulas
    }

    /// Checks the path: prefix by prefix until the failure state is known, or as a whole.
    pub(super) fn concretize<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        let formulas = self.formulas();
        let first = if self.options.interpolation == Interpolation::Craig { 0 } else { formulas.len() - 1 };
        let mut last = None;
        for i in first..formulas.len() {
            let assumed: Vec<Term> = formulas[..=i].iter().flatten().copied().collect();
            self.shared.now().queries += 1;
            self.shared.report(
                "Does a concrete path follow these cells?",
                &self.path.context,
                &assumed,
                sink,
            );
            let checked = self.path.context.check(self.shared.symbolic.terms(), &assumed);
            sink.event(Event::PathChecked { steps: number(i), answer: answer(&checked) });
            match checked {
                Answer::Sat(model) => last = Some(model),
                Answer::Unsat => {
                    let formulas = &formulas[..=i];
                    let fewer = match self.options.interpolation {
                        Interpolation::Sequence => self.about_property(formulas),
                        Interpolation::Craig => None,
                    };
                    return Continue(Stage::Refine(self.core(fewer.as_deref().unwrap_or(formulas))));
                }
                Answer::Unknown(_) => return stop(UnknownReason::Solver, sink),
            }
        }
        let model = last.expect("a path has a state");
        let steps = formulas.len() - 2;
        let run = self.shared.symbolic.outline(&mut self.path.unrolling, steps, &model);
        Break(Box::new(self.shared.violated(&run.expect("a model takes a way at each step"), sink)))
    }

    /// An unsatisfiable core of formulas that contradict each other. The core depends on the order of the assumptions,
    /// so it is computed from both ends of the path, and repeatedly among the rest.
    fn core(&mut self, formulas: &[Vec<Term>]) -> Vec<Term> {
        let all: Vec<Term> = formulas.iter().flatten().copied().collect();
        let smallest = [false, true].map(|from_end| self.shrunk(all.clone(), from_end));
        let needed = smallest.into_iter().min_by_key(Vec::len).expect("there are two");
        let needed: HashSet<Term> = needed.into_iter().collect();
        let terms = self.shared.symbolic.terms();
        let core = |all: &Vec<Term>| terms.and(all.iter().copied().filter(|t| needed.contains(t)));
        formulas.iter().map(core).collect()
    }

    /// The same with the variables of the property only, if they suffice: every other variable has a separate copy in
    /// each step, so it cannot occur in interpolants.
    fn about_property(&mut self, formulas: &[Vec<Term>]) -> Option<Vec<Vec<Term>>> {
        if self.in_vain >= TRIES {
            return None;
        }
        let symbolic = &mut self.shared.symbolic;
        let others = symbolic.variables.iter().filter(|v| !self.asked.contains(v));
        let others: Vec<usize> = others.flat_map(|v| symbolic.positions(*v)).collect();
        let mut apart = formulas.to_vec();
        for (i, formula) in apart.iter_mut().enumerate().skip(1) {
            let state = self.path.unrolling.state(symbolic, i - 1);
            let before: HashSet<Term> = others.iter().map(|p| state[*p]).collect();
            formula.iter_mut().for_each(|t| *t = renamed(symbolic.terms(), *t, &before));
        }
        self.shared.now().queries += 1;
        let assumed: Vec<Term> = apart.iter().flatten().copied().collect();
        let checked = self.path.context.check(self.shared.symbolic.terms(), &assumed);
        let suffices = matches!(checked, Answer::Unsat);
        self.in_vain = if suffices { 0 } else { self.in_vain + 1 };
        suffices.then_some(apart)
    }

    fn shrunk(&mut self, mut assumed: Vec<Term>, from_end: bool) -> Vec<Term> {
        if from_end {
            assumed.reverse();
        }
        loop {
            self.shared.now().queries += 1;
            let terms = self.shared.symbolic.terms();
            let Answer::Unsat = self.path.context.check(terms, &assumed) else { return assumed };
            let mut failed = self.path.context.failed(terms);
            if failed.len() >= assumed.len() {
                return failed;
            }
            failed.reverse();
            assumed = failed;
        }
    }

    /// Refines with the formulas of a counterexample, which is then excluded.
    pub(super) fn refine<S: Sink>(&mut self, formulas: &[Term], sink: &mut S) -> Next<Stage> {
        let Some(interpolants) = self.explain(formulas, sink) else {
            return stop(UnknownReason::Interpolation, sink);
        };
        for (i, t) in &interpolants {
            let formula = self.shared.formula(*t, sink);
            sink.event(Event::CellInterpolated { cell: self.shown(self.stack[*i].cell), formula });
        }
        let kept = match self.options.splitting {
            Splitting::Values => self.make_visible(&interpolants, sink),
            Splitting::Predicates => self.split(&interpolants, sink),
        };
        if !kept {
            return stop(UnknownReason::NoProgress, sink);
        }
        self.shared.begin(sink);
        Continue(Stage::Explore)
    }

    /// The nontrivial interpolants by position on the path.
    fn explain<S: Sink>(&mut self, formulas: &[Term], sink: &mut S) -> Option<Vec<(usize, Term)>> {
        let mut all = Vec::new();
        match self.options.interpolation {
            Interpolation::Craig => {
                // The end of the longest prefix that can be concretized.
                let failure = formulas.len() - 2;
                let cell = self.stack[failure].cell;
                sink.event(Event::FailureFound { cell: self.shown(cell), position: number(failure) });
                let dead_end = self.shared.symbolic.terms().and(formulas[..=failure].iter().copied());
                let sequence = self.shared.interpolants(&[dead_end, formulas[failure + 1]])?;
                all.push((failure, sequence[1]));
            }
            Interpolation::Sequence => {
                let sequence = self.shared.interpolants(formulas)?;
                all.extend((0..formulas.len() - 1).map(|i| (i, sequence[i + 1])));
            }
        }
        let says = |t: &Term| *t != Term::TRUE && *t != Term::FALSE;
        let all: Vec<(usize, Term)> = all.into_iter().filter(|(_, t)| says(t)).collect();
        let (symbolic, unrolling) = (&mut self.shared.symbolic, &mut self.path.unrolling);
        Some(all.into_iter().map(|(i, t)| (i, unrolling.over_current(symbolic, t, i))).collect())
    }

    /// Splits the cells; those explored before the first one are kept.
    fn split<S: Sink>(&mut self, interpolants: &[(usize, Term)], sink: &mut S) -> bool {
        let Some((first, _)) = interpolants.first() else { return false };
        for (i, t) in interpolants {
            let cell = self.stack[*i].cell;
            let both = [*t, self.shared.symbolic.primed(*t)];
            self.cells.split(cell, both);
            self.shared.now().predicates += 1;
            sink.event(Event::CellSplit { cell: self.shown(cell) });
        }
        let before = self.reached[&self.stack[*first].cell];
        let (kept, path) = if self.options.incremental { (before, *first) } else { (0, 0) };
        self.stack.truncate(path);
        self.reached.retain(|_, at| *at < kept);
        // Successors that were split are replaced by other cells.
        self.stack.iter_mut().for_each(|f| (f.successors, f.tried) = (None, 0));
        (self.initial, self.tried) = (None, 0);
        self.shared.now().kept = number(kept);
        sink.event(Event::CellsKept { kept: number(kept) });
        true
    }

    /// Makes the variables of the interpolants visible; all cells are replaced by new ones.
    fn make_visible<S: Sink>(&mut self, interpolants: &[(usize, Term)], sink: &mut S) -> bool {
        let before = self.visible.len();
        for (_, t) in interpolants {
            for x in self.shared.symbolic.terms().vars(*t) {
                let Some(variable) = self.shared.symbolic.variable_of(x) else { continue };
                let own = self.shared.symbolic.positions(variable);
                if own.iter().any(|p| !self.visible.contains(p)) {
                    self.shared.now().variables += 1;
                    sink.event(Event::VariableTracked { variable });
                }
                self.visible.extend(own);
            }
        }
        self.cells.clear();
        self.good.clear();
        self.reached.clear();
        self.stack.clear();
        (self.initial, self.tried) = (None, 0);
        sink.event(Event::CellsKept { kept: 0 });
        self.visible.len() > before
    }
}
