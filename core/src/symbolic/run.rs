//! From a model of an unrolling to a concrete run.

use solver_lite::{Answer, Limits, Model, Solver};

use super::{Symbolic, Unrolling};
use crate::certificate::Certificate;
use crate::kit::UnknownReason;
use crate::system::EdgeId;

impl Symbolic {
    /// The edges of a run of so many steps to a bad state, taken from a model of the unrolling.
    pub(crate) fn edges_of(
        &mut self,
        unrolling: &mut Unrolling,
        steps: usize,
        model: &Model,
    ) -> Option<Vec<EdgeId>> {
        let [init, trans, bad] = [self.init.clone(), self.trans.clone(), self.bad.clone()];
        let mut edges = Vec::new();
        if self.starts_outside {
            edges.push(unrolling.taken(self, &init, 0, model)?);
        }
        for i in 0..steps {
            edges.push(unrolling.taken(self, &trans, i, model)?);
        }
        edges.push(unrolling.taken(self, &bad, steps, model)?);
        Some(edges)
    }

    /// A concrete run along these edges.
    ///
    /// # Errors
    /// Why there is none that can be told.
    pub(crate) fn run_along(
        &mut self,
        edges: &[EdgeId],
        limits: Limits,
    ) -> Result<Certificate, UnknownReason> {
        let system = std::sync::Arc::clone(&self.blocks.system);
        let (assertions, values) = self.encoding.along(&system, edges);
        let mut solver = Solver::new(limits);
        assertions.iter().for_each(|a| solver.assert(&mut self.encoding.terms, *a));
        let Answer::Sat(model) = solver.check(&mut self.encoding.terms, &[]) else {
            return Err(UnknownReason::Solver);
        };
        let (whole, blocks) = (std::sync::Arc::clone(&self.whole), std::sync::Arc::clone(&self.blocks));
        let (states, _) = self.encoding.follow(&whole, &blocks, (edges, &values), &model)?;
        Ok(Certificate::Trace { states })
    }
}
