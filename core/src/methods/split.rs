//! Refinement by splitting abstract states (Hajdu, Tóth, Vörös and Majzik, "A Configurable CEGAR Framework with
//! Interpolation-Based Refinements", 2016, section 4):
//!
//! ```text
//! loop
//!   explore abstract states depth first until one violates the property; none does → holds      (4.2)
//!   F₁ ∧ … ∧ Fₙ₊₁ is satisfiable → violated; otherwise ŝf is the failure state                    (4.3)
//!   predicates: Craig: split ŝf by the interpolant of dead-end and bad states                     (4.4)
//!               sequence: split each ŝᵢ by Iᵢ
//!   values:     make the invisible variables of the interpolants visible
//!   keep the cells that were explored before the first state that was split                       (4.5)
//! ```
//!
//! Abstract states are [`Cell`]s. The successors of a state are enumerated by models: each model is mapped to its cell,
//! which is excluded from the next query.

mod cell;
mod event;
#[cfg(test)]
pub(crate) mod example;
pub(crate) mod explain;
mod explore;
mod options;
mod refine;
pub(crate) mod scene;
pub(crate) mod view;

pub use event::{Event, Phase};

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow::Continue;
use std::sync::Arc;
use std::task::Poll;

use solver_lite::Limits;
use solver_lite::term::Term;

use crate::kit::{CellId, Cx, Engine, Sink, drive};
use crate::methods::outcome::{Next, Outcome};
use crate::methods::shared::Shared;
use crate::symbolic::Context;
use crate::system::{System, VarId};

use crate::methods::Plan;
use crate::methods::table::About;
use cell::Cells;
pub use options::{Interpolation, SplitOptions, Splitting};
use refine::Path;

/// The description of the method.
pub const ABOUT: About = About {
    name: "split",
    what: "Abstract states are cells, split by interpolants at the failure state of a spurious counterexample.",
    states: true,
    runs: false,
    options: options::offered,
    plan: |options| Some(Plan::Split(options.split.clone())),
};

/// A state on the stack of the depth-first search.
#[derive(Clone, Debug)]
struct Frame {
    cell: CellId,
    /// Its successors, once they are computed, and how many were tried.
    successors: Option<Vec<CellId>>,
    tried: usize,
}

#[derive(Clone, Default)]
enum Stage {
    /// Continue the search.
    #[default]
    Explore,
    /// Check the path on the stack on the concrete system.
    Concretize,
    /// These formulas of the path, without irrelevant ones, contradict each other.
    Refine(Vec<Term>),
}

/// The engine.
#[derive(Clone)]
pub struct SplitEngine {
    pub(crate) shared: Shared,
    options: SplitOptions,
    /// `Init`, `Tran` and the bad states, for queries about cells.
    init: Context,
    trans: Context,
    bad: Context,
    path: Path,
    cells: Cells,
    /// The variables of the property, and the number of consecutive paths for which they did not suffice.
    asked: BTreeSet<VarId>,
    in_vain: u32,
    /// The terms of a state whose values distinguish cells, by position.
    visible: BTreeSet<usize>,
    /// The cells of initial states, once they are computed, and how many were tried.
    initial: Option<Vec<CellId>>,
    tried: usize,
    stack: Vec<Frame>,
    /// Cells that were reached, with the number of cells reached before.
    reached: BTreeMap<CellId, usize>,
    /// Cells that are known not to violate the property.
    good: BTreeSet<CellId>,
    stage: Next<Stage>,
}

impl SplitEngine {
    /// A run on `system`, whose error location is the target.
    ///
    /// # Errors
    /// Which options do not fit the system, in words.
    pub fn new(system: &Arc<System>, options: SplitOptions, limits: Limits) -> Result<SplitEngine, String> {
        let given = options.predicates(system)?;
        let mut shared = Shared::new(system, &given, limits);
        let visible = options.visible(&mut shared)?;
        let [init, trans, bad] = [shared.init, shared.trans, shared.bad].map(|t| {
            let mut context = Context::new(shared.limits);
            context.assert(shared.symbolic.terms(), t);
            context
        });
        let given = shared.symbolic.given.clone();
        let given = given.into_iter().map(|t| [t, shared.symbolic.primed(t)]).collect();
        Ok(SplitEngine {
            cells: Cells::new(given),
            path: Path::new(shared.limits),
            init,
            trans,
            bad,
            shared,
            options,
            visible,
            asked: options::asked(system),
            in_vain: 0,
            initial: None,
            tried: 0,
            stack: Vec::new(),
            reached: BTreeMap::new(),
            good: BTreeSet::new(),
            stage: Continue(Stage::Explore),
        })
    }

    /// The number of a cell in events.
    fn shown(&self, cell: CellId) -> CellId {
        self.cells.get(cell).shown
    }

    /// The label: a formula that holds in all states of a cell.
    fn label(&self, cell: CellId) -> Term {
        self.cells.get(cell).label[0]
    }
}

impl Engine for SplitEngine {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        drive(
            self,
            cx,
            |e| &mut e.stage,
            |e, stage, sink| match stage {
                Stage::Explore => e.explore(sink),
                Stage::Concretize => e.concretize(sink),
                Stage::Refine(formulas) => e.refine(&formulas, sink),
            },
        )
    }
}
