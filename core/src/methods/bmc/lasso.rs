//! Bounded model checking for temporal formulas: runs of increasing length that return to a saved state (Biere, Artho
//! and Schuppan, "Liveness Checking as Safety Checking", 2002). It finds lassos and proves nothing.

use std::sync::Arc;
use std::task::Poll;

use solver_lite::Limits;

use super::Bmc;
use crate::certificate::{Certificate, TraceState, value};
use crate::kit::{Cx, Engine, Sink, UnknownReason, Verdict};
use crate::methods::lasso::run;
use crate::methods::outcome::Outcome;
use crate::system::{EdgeId, State, System};
use crate::temporal::{Product, Repeating};

/// The engine.
#[derive(Clone)]
pub struct BmcLasso {
    pub(crate) bmc: Bmc,
    model: Arc<System>,
    product: Arc<Product>,
    repeating: Arc<Repeating>,
}

impl BmcLasso {
    /// A run on the product of `model` with the Büchi automaton of the negated formula, up to the bound if there is
    /// one.
    #[must_use]
    pub fn new(model: &Arc<System>, product: &Arc<Product>, bound: Option<u32>, limits: Limits) -> BmcLasso {
        let repeating = Arc::new(product.repeating());
        BmcLasso {
            bmc: Bmc::new(&Arc::new(repeating.system.clone()), bound, limits),
            model: Arc::clone(model),
            product: Arc::clone(product),
            repeating,
        }
    }

    /// The lasso of a run that has returned to its saved state.
    fn lasso(&self, states: &[TraceState]) -> Result<Certificate, UnknownReason> {
        let variables = self.model.variables.len();
        let (mut edges, mut visited, mut back) = (Vec::new(), Vec::new(), None);
        for state in states {
            match state.edge.map(|e| e as usize) {
                Some(e) if e >= self.repeating.plain + self.repeating.saves => break,
                Some(e) if e >= self.repeating.plain => {
                    back = Some(edges.len());
                    continue;
                }
                Some(e) => edges.push(EdgeId::new(e)),
                None => {}
            }
            let values = state.values.iter().take(variables).zip(self.repeating.system.var_ids());
            let values: Result<State, String> =
                values.map(|((_, text), v)| value(text, &self.repeating.system, v)).collect();
            visited.push(values.map_err(|_| UnknownReason::Solver)?);
        }
        let back = back.ok_or(UnknownReason::Solver)?;
        run::certificate(&self.model, &self.product, &edges, &visited, (back, None))
    }
}

impl Engine for BmcLasso {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        let Poll::Ready(outcome) = self.bmc.poll(cx) else { return Poll::Pending };
        let Some(Certificate::Trace { states }) = &outcome.certificate else { return Poll::Ready(outcome) };
        Poll::Ready(match self.lasso(states) {
            Ok(lasso) => Outcome { certificate: Some(lasso), ..outcome },
            Err(why) => Outcome { verdict: Verdict::Unknown(why), certificate: None },
        })
    }
}
