//! Liveness by counting (Claessen and Sörensson, "A Liveness Checking Algorithm that Counts", 2012).
//!
//! ```text
//! for k ← 0, 1, 2, …
//!   no run visits accepting locations more than k times (property-directed reachability) → holds
//! ```
//!
//! It proves, and finds no violations: if there is one, `k` grows without bound. The remaining count is a rank.

use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::task::Poll;

use solver_lite::Limits;

use crate::certificate::{Certificate, formula};
use crate::kit::{Cx, Engine, Sink, Undecided, UnknownReason, Verdict, drive};
use crate::methods::Plan;
use crate::methods::lasso::progress::certificate;
use crate::methods::options::MethodOption;
use crate::methods::outcome::{Next, Outcome, done, stop};
use crate::methods::pdr::Pdr;
use crate::methods::table::About;
use crate::system::{LocationId, System};
use crate::temporal::Product;

/// The description of the method.
pub const ABOUT: About = About {
    name: "k-liveness",
    what: "k-liveness for temporal formulas: a proof that accepting states are visited at most k times, for k = 0, 1, 2, …",
    states: false,
    runs: true,
    options: || {
        vec![MethodOption::text("bound", "Bound", "Maximal number of visits; if empty, it is unbounded.")]
    },
    plan: |options| Some(Plan::KLiveness(options.bmc.bound)),
};

#[derive(Clone, Default)]
enum Stage {
    /// Continue property-directed reachability.
    #[default]
    Prove,
}

/// The engine.
#[derive(Clone)]
pub struct KLiveness {
    pub(crate) pdr: Pdr,
    model: Arc<System>,
    product: Arc<Product>,
    /// The number of visits that are allowed.
    most: u32,
    bound: Option<u32>,
    limits: Limits,
    stage: Next<Stage>,
}

impl KLiveness {
    /// A run on the product of `model` with the Büchi automaton of the negated formula; `bound` is the greatest `k`.
    #[must_use]
    pub fn new(model: &Arc<System>, product: &Arc<Product>, bound: Option<u32>, limits: Limits) -> KLiveness {
        KLiveness {
            pdr: Pdr::stepwise(&Arc::new(product.counting(0)), limits),
            model: Arc::clone(model),
            product: Arc::clone(product),
            most: 0,
            bound,
            limits,
            stage: Continue(Stage::Prove),
        }
    }

    fn prove<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        let mut fuel = crate::kit::Fuel::new(1);
        let Poll::Ready(outcome) = self.pdr.poll(&mut Cx { fuel: &mut fuel, sink: &mut Undecided(sink) })
        else {
            return Continue(Stage::Prove);
        };
        match (outcome.verdict, outcome.certificate.as_ref()) {
            (Verdict::Holds, Some(Certificate::Invariant { locations })) => match self.ranked(locations) {
                Some(certificate) => Break(Box::new(done(Verdict::Holds, Some(certificate), sink))),
                None => stop(UnknownReason::TooLarge, sink),
            },
            (Verdict::Violated, _) if self.bound == Some(self.most) => stop(UnknownReason::Bound, sink),
            (Verdict::Violated, _) => {
                self.most += 1;
                let next = Pdr::stepwise(&Arc::new(self.product.counting(self.most)), self.limits);
                self.pdr = next.after(&self.pdr.shared);
                Continue(Stage::Prove)
            }
            (Verdict::Unknown(why), _) => stop(why, sink),
            (Verdict::Holds, _) => stop(UnknownReason::TooLarge, sink),
        }
    }

    /// The invariant for each count; the remaining count is the rank.
    fn ranked(&self, locations: &[(String, String)]) -> Option<Certificate> {
        let system = self.product.counting(self.most);
        let mut nodes = Vec::new();
        for (name, text) in locations {
            let location = system.find_location(name)?;
            if location.index() >= self.product.pairs.len() {
                continue;
            }
            let invariant = formula(text, &system).ok()?;
            for count in 0..=self.most {
                let here = self.product.with_count(&invariant, count);
                let text = self.product.system.expr_text(&here);
                nodes.push((LocationId::new(location.index()), vec![(self.most - count).to_string()], text));
            }
        }
        Some(certificate(&self.model, &self.product, nodes))
    }
}

impl Engine for KLiveness {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        drive(
            self,
            cx,
            |e| &mut e.stage,
            |e, stage, sink| match stage {
                Stage::Prove => e.prove(sink),
            },
        )
    }
}
