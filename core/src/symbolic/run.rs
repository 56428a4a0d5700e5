//! From a model of an unrolling to a concrete run.

use solver_lite::term::Term;
use solver_lite::{Answer, Limits, Model, Solver};

use super::{Symbolic, Unrolling};
use crate::certificate::Certificate;
use crate::encoding::equal;
use crate::kit::UnknownReason;
use crate::system::EdgeId;

/// A run to a bad state, given by a model of an unrolling.
pub(crate) struct Outline {
    edges: Vec<EdgeId>,
    /// The values of each state, as formulas over current values.
    states: Vec<Term>,
}

impl Symbolic {
    /// A run of the given number of steps to a bad state, from a model of the unrolling.
    pub(crate) fn outline(
        &mut self,
        unrolling: &mut Unrolling,
        steps: usize,
        model: &Model,
    ) -> Option<Outline> {
        let [init, trans, bad] = [self.init.clone(), self.trans.clone(), self.bad.clone()];
        let mut edges = Vec::new();
        if self.starts_outside {
            edges.push(unrolling.taken(self, &init, 0, model)?);
        }
        for i in 0..steps {
            edges.push(unrolling.taken(self, &trans, i, model)?);
        }
        edges.push(unrolling.taken(self, &bad, steps, model)?);
        let mut states = Vec::with_capacity(steps + 1);
        for i in 0..=steps {
            let state = unrolling.state(self, i);
            let values = model.eval_all(&self.encoding.terms, &state);
            // The edges determine the cutpoint of a state.
            let pairs = self.current.iter().zip(&values).skip(self.bits.len());
            let same: Vec<Term> = pairs.map(|(t, v)| equal(&mut self.encoding.terms, *t, v)).collect();
            states.push(self.encoding.terms.and(same));
        }
        Some(Outline { edges, states })
    }

    /// The concrete run.
    ///
    /// # Errors
    /// Why it cannot be reported.
    pub(crate) fn run_along(&mut self, run: &Outline, limits: Limits) -> Result<Certificate, UnknownReason> {
        let system = std::sync::Arc::clone(&self.blocks.system);
        let (mut assertions, values) = self.encoding.along(&system, &run.edges);
        for (state, values) in run.states.iter().zip(&values[usize::from(self.starts_outside)..]) {
            let state = self.readable(*state);
            assertions.push(self.encoding.instantiate(state, &|v| values[v.index()], &|v| values[v.index()]));
        }
        let mut solver = Solver::new(limits);
        assertions.iter().for_each(|a| solver.assert(&mut self.encoding.terms, *a));
        let Answer::Sat(model) = solver.check(&mut self.encoding.terms, &[]) else {
            return Err(UnknownReason::Solver);
        };
        let (whole, blocks) = (std::sync::Arc::clone(&self.whole), std::sync::Arc::clone(&self.blocks));
        let (states, _) = self.encoding.follow(&whole, &blocks, (&run.edges, &values), &model)?;
        Ok(Certificate::Trace { states })
    }
}
