//! Snapshots of the difference graph for observers.

use crate::arith::difference::Graph;
use crate::arith::snapshot::{EdgeSnapshot, GraphSnapshot};
use crate::cdcl::lit::Lit;
use crate::number::Q;

impl Graph {
    /// The constraints in force, the one that was just refused, and the current solution.
    pub(crate) fn snapshot(&self) -> GraphSnapshot<Lit> {
        let scale = Q::from(self.denominator).recip();
        let value = |n: usize| self.parts(self.potentials[n]).minus(&self.parts(self.potentials[0]));
        let node = |n: usize| (self.terms[n], value(n).scaled(&scale).to_string());
        let edge = |lit: &Lit| {
            let e = self.edge(*lit);
            let weight = self.parts(e.weight);
            EdgeSnapshot {
                from: e.from as usize,
                to: e.to as usize,
                bound: &weight.real * &scale,
                strict: weight.infinitesimal.is_negative(),
                refused: self.refused == Some(*lit),
                literal: *lit,
            }
        };
        GraphSnapshot {
            nodes: (0..self.terms.len()).map(node).collect(),
            edges: self.active.iter().chain(&self.refused).map(edge).collect(),
        }
    }
}
