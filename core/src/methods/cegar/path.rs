//! Concretization: is there a concrete run along an abstract path? (Hajdu and Micskei 2020, Algorithm 2, first half.)
//!
//! Step `i` of a path is encoded as `Aᵢ = opᵢ ∧ sᵢ` over indexed variables: `x⟨i⟩` is the value of `x` written at step
//! `i`, so a variable that a step does not write needs no copy. `A₀` is the initial condition.

use std::ops::ControlFlow::{Break, Continue};

use solver_lite::smtlib::Asking;
use solver_lite::term::Term;
use solver_lite::{Answer as Checked, Model, Solver};

use crate::certificate::{Certificate, TraceState};
use crate::expr::EvalError;
use crate::kit::{Answer, NodeId, Sink, UnknownReason, Verdict};
use crate::methods::cegar::{Cegar, Encoding, Event, Stage};
use crate::methods::outcome::{Next, done, stop};
use crate::methods::shared::{answer, number};
use crate::system::{Blocks, EdgeId, State, System, VarId};

/// A path of the graph as formulas.
#[derive(Clone, Debug)]
pub(super) struct PathFormula {
    /// From the root to the error location.
    pub(super) nodes: Vec<NodeId>,
    pub(super) edges: Vec<EdgeId>,
    /// `A₀ … Aₙ`.
    pub(super) assertions: Vec<Term>,
    /// For each node of the path the indexed term of each variable there.
    pub(super) values: Vec<Vec<Term>>,
    /// `A₀ … Aₘ` is the shortest infeasible prefix; `n` until that is known.
    pub(super) infeasible: usize,
}

impl Cegar {
    /// Checks the path to a counterexample: a model is a violation, otherwise the path is interpolated.
    pub(super) fn concretize<S: Sink>(&mut self, which: usize, sink: &mut S) -> Next<Stage> {
        let target = self.targets[which];
        if self.targets.len() > 1 {
            let length = number(self.arg.path(target).len() - 1);
            sink.event(Event::CexChosen { node: target, length });
        }
        let nodes = self.arg.path(target);
        let mut path = self.path_formula(nodes);
        match self.traverse(&mut path, sink) {
            Some(Checked::Unsat) => Continue(Stage::Explain(which, Box::new(path))),
            Some(Checked::Sat(model)) => self.violation(&path, &model, sink),
            Some(Checked::Unknown(_)) | None => stop(UnknownReason::Solver, sink),
        }
    }

    /// Checks a path on the concrete system, prefix by prefix: gives a model of the whole path, or determines its
    /// shortest infeasible prefix; nothing for a path without steps.
    pub(super) fn traverse<S: Sink>(&mut self, path: &mut PathFormula, sink: &mut S) -> Option<Checked> {
        for (i, edge) in path.edges.iter().enumerate() {
            let assertion = path.assertions[i + 1];
            let formula = self.formula(sink, |e| e.text(assertion));
            sink.event(Event::StepEncoded { step: number(i), edge: *edge, formula });
        }
        let mut solver = Solver::new(self.limits);
        let mut last = None;
        let splits = self.strategy.domain.has_several_successors();
        for (i, assertion) in path.assertions.iter().enumerate() {
            solver.assert(&mut self.encoding.terms, *assertion);
            // An edge without a condition always leads to the node's state, unless it has several successors.
            let assumes = i > 0 && (splits || self.encoding.edges[path.edges[i - 1].index()].assumes);
            if !assumes && i + 1 < path.assertions.len() {
                continue;
            }
            let what = "Is there a concrete run along this part of the path?";
            self.report_steps(sink, what, 0, &path.assertions[..=i], Asking::Check);
            self.now().queries += 1;
            let checked = solver.check(&mut self.encoding.terms, &[]);
            let answer = answer(&checked);
            sink.event(Event::PrefixChecked { steps: number(i), answer });
            if answer == Answer::Unsat {
                sink.event(Event::PathInfeasible { steps: number(i) });
                path.infeasible = i;
                return Some(checked);
            }
            last = Some(checked);
        }
        last
    }

    /// The path over these nodes, each of which was reached by its edge from the location of the previous one.
    pub(super) fn path_formula(&mut self, nodes: Vec<NodeId>) -> PathFormula {
        let system = std::sync::Arc::clone(&self.system);
        let edges: Vec<EdgeId> =
            nodes.iter().filter_map(|n| self.arg.node(*n).from).map(|(_, e)| e).collect();
        let (mut assertions, values) = self.encoding.along(&system, &edges);
        for ((assertion, values), node) in assertions.iter_mut().zip(&values).zip(&nodes) {
            let label = self.label_at(*node, values);
            *assertion = self.encoding.terms.and([*assertion, label]);
        }
        let infeasible = edges.len();
        PathFormula { nodes, edges, assertions, values, infeasible }
    }

    pub(super) fn label_at(&mut self, node: NodeId, values: &[Term]) -> Term {
        let state = self.arg.node(node).state.clone();
        let term = self.encoding.meaning(&state);
        self.encoding.instantiate(term, &|v| values[v.index()], &|v| values[v.index()])
    }

    /// Replays the path in the interpreter; only initial and nondeterministic values come from the model.
    fn violation<S: Sink>(&mut self, path: &PathFormula, model: &Model, sink: &mut S) -> Next<Stage> {
        let blocks = std::sync::Arc::clone(&self.blocks);
        let followed = self.encoding.follow(&self.whole, &blocks, (&path.edges, &path.values), model);
        let (states, visited) = match followed {
            Ok(followed) => followed,
            Err(why) => return stop(why, sink),
        };
        sink.event(Event::PathFeasible { steps: number(path.edges.len()) });
        for (i, state) in visited.into_iter().enumerate() {
            let formula = self.formula(sink, |_| states[state].values_text());
            sink.event(Event::ValuationFound { step: number(i), formula });
        }
        Break(Box::new(done(Verdict::Violated, Some(Certificate::Trace { states }), sink)))
    }
}

impl Encoding {
    /// Replays a path in the interpreter; only initial and nondeterministic values come from the model. Gives all
    /// states, and which of them are at the ends of steps.
    ///
    /// # Errors
    /// Why the run cannot be reported.
    pub(crate) fn follow(
        &mut self,
        system: &System,
        blocks: &Blocks,
        (edges, values): (&[EdgeId], &[Vec<Term>]),
        model: &Model,
    ) -> Result<(Vec<TraceState>, Vec<usize>), UnknownReason> {
        let start = |v: VarId| model.eval(&self.terms, values[0][v.index()]);
        let mut state: State = system.var_ids().map(start).collect();
        let mut states = vec![TraceState::new(system, None, &state)];
        let mut visited = vec![0];
        for (i, step) in edges.iter().enumerate() {
            let (before, after) = (&values[i], &values[i + 1]);
            let single = match blocks.get(*step) {
                Some(block) => self.single_edges(block, *step, i + 1, (before, after), model),
                None => vec![(*step, after.clone())],
            };
            for (edge, results) in single {
                let result = |v: VarId| model.eval(&self.terms, results[v.index()]);
                let next = match system.post(&system.edge(edge).op, &state, &mut |v| result(v)) {
                    Ok(next) => next,
                    Err(EvalError::Overflow) => return Err(UnknownReason::Overflow),
                    // The interpreter rejects some numbers that the solver accepts.
                    Err(_) => return Err(UnknownReason::Solver),
                };
                state = next.expect("a model of the path is a run of the system");
                states.push(TraceState::new(system, Some(edge), &state));
                if !system.keeps_promises(&state) {
                    return Err(UnknownReason::Overflow);
                }
            }
            visited.push(states.len() - 1);
        }
        Ok((states, visited))
    }
}
