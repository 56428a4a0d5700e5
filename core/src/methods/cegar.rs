//! Counterexample-guided abstraction refinement with an abstract reachability graph.
//!
//! Follows Hajdu and Micskei, "Efficient Strategies for CEGAR-Based Model Checking" (2020), section 2.2, Algorithms 1
//! to 3, and the strategies of section 3, chosen by a [`Strategy`]:
//!
//! ```text
//! ARG ← the initial location with ⊤, π ← ∅
//! loop
//!   Abstract: take nodes from the waitlist; at the error location → Concretize; covered → done; otherwise expand
//!             nothing left → holds
//!   Concretize: the path to the error location is feasible → violated
//!   Explain: interpolants of the path (several counterexamples: of each)
//!   Refine: π ← π ∪ predicates and variables of the interpolants; prune the ARG at the first node that they refine
//! ```

mod abstractor;
mod arg;
mod chain;
mod control;
mod event;
#[cfg(test)]
pub(crate) mod example;
pub mod experiment;
pub(crate) mod explain;
mod explicit;
mod initial;
mod interpolant;
pub(crate) mod lasso;
pub(crate) mod options;
mod path;
mod refiner;
mod state;
mod strategy;
mod transfer;
pub(crate) mod views;
mod waitlist;

pub use event::{Event, Phase};

use std::collections::BTreeSet;
use std::ops::ControlFlow::Continue;
use std::sync::Arc;
use std::task::Poll;

use solver_lite::Limits;
use solver_lite::smtlib::{Asking, script};
use solver_lite::term::Term;

use crate::expr::Expr;
use crate::kit::{self, Cx, Engine, FormulaId, IterationCounts, NodeId, PredicateId, Question, Sink, drive};
use crate::system::{Blocks, EdgeId, Sliced, System, VarId};

pub use crate::buchi::emptiness::Emptiness;
pub use crate::encoding::Encoding;
pub use crate::encoding::precision::{Extent, Precision, Predicate, Tracked};
use crate::methods::Plan;
use crate::methods::outcome::{Next, Outcome};
use crate::methods::table::About;
pub use arg::{Arg, ArgNode, NodeStatus};
use chain::Chains;
use explicit::Enumeration;
use initial::Given;
use path::PathFormula;
use refiner::Refutation;
pub use state::{AbstractState, Cube};
pub use strategy::{
    CycleRefinement, Domain, Granularity, Letters, MaxEnum, OPTIONS, Pruning, Ranking, Refinement, Search,
    Slice, Split, Steps, Strategy,
};
use waitlist::Waitlist;

/// The description of the method.
pub const ABOUT: About = About {
    name: "cegar",
    what: "Counterexample-guided abstraction refinement (CEGAR) with one strategy, made of the options below.",
    states: true,
    runs: true,
    options: options::offered,
    plan: |options| Some(Plan::Cegar(options.strategy.clone())),
};

/// The next stage of the engine. Each stage is one committed step, so a run can stop between any two.
#[derive(Clone, Default, Debug)]
enum Stage {
    /// Begin a round with a fresh iteration number.
    #[default]
    Begin,
    /// Take a node from the waitlist.
    Select,
    /// Check whether this node is at the error location or covered.
    Check(NodeId),
    /// Compute the successors of this node by its edge with this number.
    Expand(NodeId, usize),
    /// Continue the enumeration of the values after an edge.
    Enumerate(Box<Enumeration>),
    /// Check the counterexample with this number on the concrete system.
    Concretize(usize),
    /// Interpolate the infeasible path of the counterexample with this number.
    Explain(usize, Box<PathFormula>),
    /// Refine with the interpolants.
    Refine,
}

/// The engine.
#[derive(Clone)]
pub struct Cegar {
    system: Arc<System>,
    /// The system before slicing, for runs.
    whole: Arc<System>,
    sliced: Vec<EdgeId>,
    /// The large blocks.
    blocks: Arc<Blocks>,
    strategy: Strategy,
    encoding: Encoding,
    limits: Limits,
    arg: Arg,
    /// Nodes that are not expanded, covered or at the error location.
    waitlist: Waitlist,
    /// The counterexamples of this iteration: nodes at the error location.
    targets: Vec<NodeId>,
    /// Those that are known to be spurious.
    refutations: Vec<Refutation>,
    /// The variables that may have values in the domain.
    explicit: BTreeSet<VarId>,
    /// Additions to the precision that the next iteration begins with.
    given: Vec<Given>,
    /// The predicates of another engine.
    shared: BTreeSet<PredicateId>,
    chains: Chains,
    /// The number of predicates reported to the sink.
    told: usize,
    stage: Next<Stage>,
    iterations: Vec<IterationCounts>,
    formulas: u32,
}

impl Cegar {
    /// A run on `system`, whose error location is the target.
    ///
    /// # Errors
    /// Why the strategy cannot be used, in words.
    pub fn new(system: Arc<System>, strategy: Strategy, limits: Limits) -> Result<Cegar, String> {
        strategy.check()?;
        let whole = Arc::clone(&system);
        let (system, sliced) = match strategy.slice {
            Slice::Off => (system, Sliced::default()),
            Slice::On => {
                let (slice, sliced) = system.slice();
                (Arc::new(slice), sliced)
            }
        };
        let blocks = match strategy.steps {
            Steps::Single => Blocks::none(&system),
            Steps::Blocks => Blocks::of(&system),
        };
        let system = Arc::clone(&blocks.system);
        let explicit = match strategy.domain {
            Domain::Expl => system.var_ids().collect(),
            Domain::Combined if strategy.explicit.is_empty() => control::variables(&system),
            Domain::Combined => control::named(&system, &strategy.explicit)?,
            Domain::PredCart | Domain::PredBool | Domain::PredSplit => BTreeSet::new(),
        };
        let given = initial::expressions(&system, &strategy)?;
        let places = (strategy.precision == Granularity::Local).then_some(system.locations.len());
        Ok(Cegar {
            encoding: Encoding::new(&system, &blocks, Precision::new(places)),
            waitlist: Waitlist::new(&system, strategy.search),
            system,
            whole,
            sliced: [sliced.edges, sliced.assignments].concat(),
            blocks: Arc::new(blocks),
            strategy,
            limits,
            arg: Arg::default(),
            targets: Vec::new(),
            refutations: Vec::new(),
            explicit,
            given,
            shared: BTreeSet::new(),
            chains: Chains::default(),
            told: 0,
            stage: Continue(Stage::Begin),
            iterations: Vec::new(),
            formulas: 0,
        })
    }

    /// Sets the live variables of each location before the run, if values are also read outside of the system.
    fn keep(&mut self, live: Vec<BTreeSet<VarId>>) {
        let places = (self.strategy.precision == Granularity::Local).then_some(self.system.locations.len());
        self.blocks = Arc::new((*self.blocks).clone().with_live(live));
        self.encoding = Encoding::new(&self.system, &self.blocks, Precision::new(places));
    }

    /// Adds a predicate of another engine to the precision, globally, when the next iteration begins.
    pub(crate) fn give(&mut self, predicate: Expr) {
        self.given.push(Given::Shared(predicate));
    }

    /// Is it a predicate of another engine?
    pub(crate) fn was_given(&self, predicate: PredicateId) -> bool {
        self.shared.contains(&predicate)
    }

    /// The predicates from this number on that refinements found, as text that can be read back, and the number of the
    /// next one.
    pub(crate) fn found_since(&self, first: usize) -> (Vec<String>, usize) {
        let precision = &self.encoding.precision;
        let own = precision.ids().skip(first).filter(|p| !self.shared.contains(p));
        let texts = own.filter_map(|p| self.encoding.whole_text(precision.get(p).term));
        (texts.collect(), precision.ids().count())
    }

    /// Is it between two iterations?
    pub(crate) fn is_between(&self) -> bool {
        matches!(self.stage, Continue(Stage::Begin))
    }

    /// The strategy of the run.
    #[must_use]
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The system that is explored, with its large blocks.
    #[must_use]
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// The edges that slicing removes, and those of which it removes assignments.
    #[must_use]
    pub fn sliced(&self) -> &[EdgeId] {
        &self.sliced
    }

    /// The current abstract reachability graph.
    #[must_use]
    pub fn arg(&self) -> &Arg {
        &self.arg
    }

    /// The predicates as text, oldest first.
    #[must_use]
    pub fn precision(&self) -> Vec<String> {
        let precision = &self.encoding.precision;
        precision.ids().map(|p| self.encoding.text(precision.get(p).term)).collect()
    }

    /// The number of predicates that differ only in numbers, if there are enough to suggest divergence; otherwise 0.
    #[must_use]
    pub fn chain(&self) -> u32 {
        self.chains.longest()
    }

    /// The counts of each iteration so far.
    #[must_use]
    pub fn iterations(&self) -> &[IterationCounts] {
        &self.iterations
    }

    /// The queries to the solver so far.
    #[must_use]
    pub fn queries(&self) -> u32 {
        self.iterations.iter().map(|i| i.queries).sum()
    }

    fn now(&mut self) -> &mut IterationCounts {
        self.iterations.last_mut().expect("an iteration has begun")
    }

    /// The next id of a formula, with its text.
    fn formula<S: Sink>(&mut self, sink: &mut S, text: impl FnOnce(&Encoding) -> String) -> FormulaId {
        let id = FormulaId(self.formulas);
        self.formulas += 1;
        sink.formula(id, || text(&self.encoding));
        id
    }

    /// Reports a query to the sink: named assertions, without those that are `true`.
    fn report_question<S: Sink>(
        &self,
        sink: &mut S,
        what: &str,
        parts: impl IntoIterator<Item = (&'static str, Term)>,
    ) {
        sink.question(|| {
            let said = parts.into_iter().filter(|(_, t)| *t != Term::TRUE);
            let named: Vec<(Option<&str>, Term)> = said.map(|(name, t)| (Some(name), t)).collect();
            let script = script(&self.encoding.terms, &named, Asking::Check);
            Question { what: what.to_owned(), script }
        });
    }

    /// The same for the steps of a path from the step with this number on; 0 is the initial condition.
    fn report_steps<S: Sink>(&self, sink: &mut S, what: &str, first: usize, steps: &[Term], asking: Asking) {
        self.report_named(sink, what, (first..first + steps.len()).map(step_name), steps, asking);
    }

    fn report_named<S: Sink>(
        &self,
        sink: &mut S,
        what: &str,
        names: impl Iterator<Item = String>,
        formulas: &[Term],
        asking: Asking,
    ) {
        sink.question(|| {
            let names: Vec<String> = names.collect();
            let named: Vec<(Option<&str>, Term)> =
                names.iter().zip(formulas).map(|(name, t)| (Some(name.as_str()), *t)).collect();
            Question { what: what.to_owned(), script: script(&self.encoding.terms, &named, asking) }
        });
    }

    fn begin<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        self.iterations.push(IterationCounts::default());
        let iteration = u32::try_from(self.iterations.len()).expect("fewer than 2^32 iterations");
        sink.event(kit::Event::IterationStarted { iteration });
        self.targets.clear();
        self.refutations.clear();
        self.track_given(sink);
        if self.arg.nodes().is_empty() {
            self.add_root(sink);
        }
        Continue(Stage::Select)
    }
}

/// The name of a step of a path in a query.
fn step_name(i: usize) -> String {
    if i == 0 { "start".to_owned() } else { format!("step{i}") }
}

impl Engine for Cegar {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        drive(
            self,
            cx,
            |e| &mut e.stage,
            |e, stage, sink| match stage {
                Stage::Begin => e.begin(sink),
                Stage::Select => e.select(sink),
                Stage::Check(node) => e.check(node, sink),
                Stage::Expand(node, edge) => e.expand(node, edge, sink),
                Stage::Enumerate(listing) => e.enumerate(listing, sink),
                Stage::Concretize(which) => e.concretize(which, sink),
                Stage::Explain(which, path) => e.explain(which, &path, sink),
                Stage::Refine => e.refine(sink),
            },
        )
    }
}
