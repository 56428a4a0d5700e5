//! Counterexample-guided abstraction refinement with an abstract reachability graph.
//!
//! Follows Hajdu and Micskei, "Efficient Strategies for CEGAR-Based Model Checking" (2020), section 2.2, Algorithms 1
//! to 3, with Cartesian predicate abstraction, a global precision, breadth-first search, sequence interpolants and
//! lazy pruning:
//!
//! ```text
//! ARG ← the initial location with ⊤, π ← ∅
//! loop
//!   Abstract: take nodes from the waitlist; at the error location → Concretize; covered → done; otherwise expand
//!             nothing left → holds
//!   Concretize: the path to the error location is feasible → violated
//!   Refine: π ← π ∪ interpolants of the path; cut the ARG back to the first node they speak about
//! ```

mod abstractor;
mod arg;
mod encoding;
mod path;
mod precision;
mod refiner;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::task::Poll;

use solver_lite::Limits;
use solver_lite::smtlib::{Asking, script};
use solver_lite::term::Term;

use crate::certificate::Certificate;
use crate::kit::{Cx, Engine, Event, FormulaId, NodeId, Question, Sink, UnknownReason, Verdict};
use crate::system::System;

pub use arg::{Arg, ArgNode, NodeStatus};
pub use encoding::Encoding;
use path::PathFormula;
pub use precision::{Precision, Predicate};

/// What the engine does next. Each stage is one committed step, so a run can stop between any two.
#[derive(Clone, Debug)]
enum Stage {
    /// Begin a round with a fresh iteration number.
    Begin,
    /// Take a node from the waitlist.
    Select,
    /// See whether this node is at the error location or covered.
    Check(NodeId),
    /// Compute the successor of this node by its edge of this number.
    Expand(NodeId, usize),
    /// Try the path to this node on the concrete system.
    Concretize(NodeId),
    /// Explain why the path to this node is infeasible, and refine.
    Refine(NodeId, Box<PathFormula>),
    /// An outcome was reached.
    Done(Box<Outcome>),
}

/// Counts of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Rounds of abstraction and refinement.
    pub iterations: u32,
    /// Nodes ever added to the graph.
    pub nodes: u32,
    /// Predicates tracked.
    pub predicates: u32,
    /// Questions put to the solver.
    pub queries: u32,
}

/// The counts of one iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct IterationCounts {
    /// Nodes added.
    pub nodes: u32,
    /// Predicates found.
    pub predicates: u32,
    /// Questions put to the solver.
    pub queries: u32,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// Its certificate, unless the verdict is unknown.
    pub certificate: Option<Certificate>,
}

/// The engine.
#[derive(Clone)]
pub struct Cegar {
    system: Arc<System>,
    encoding: Encoding,
    limits: Limits,
    arg: Arg,
    /// Nodes that are not expanded, covered or at the error location, by depth.
    waitlist: BTreeSet<(u32, NodeId)>,
    stage: Stage,
    iterations: Vec<IterationCounts>,
    formulas: u32,
}

impl Cegar {
    /// A run on `system`, whose error location is the target.
    #[must_use]
    pub fn new(system: Arc<System>, limits: Limits) -> Cegar {
        Cegar {
            encoding: Encoding::new(&system),
            system,
            limits,
            arg: Arg::default(),
            waitlist: BTreeSet::new(),
            stage: Stage::Begin,
            iterations: Vec::new(),
            formulas: 0,
        }
    }

    /// The abstract reachability graph as it stands.
    #[must_use]
    pub fn arg(&self) -> &Arg {
        &self.arg
    }

    /// The tracked predicates as text, oldest first.
    #[must_use]
    pub fn precision(&self) -> Vec<String> {
        let precision = &self.encoding.precision;
        precision.ids().map(|p| self.encoding.text(precision.get(p).term)).collect()
    }

    /// The counts of each iteration so far.
    #[must_use]
    pub fn iterations(&self) -> &[IterationCounts] {
        &self.iterations
    }

    /// The counts of the whole run so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let sum = |of: fn(&IterationCounts) -> u32| self.iterations.iter().map(of).sum();
        Counts {
            iterations: u32::try_from(self.iterations.len()).expect("fewer than 2^32 iterations"),
            nodes: sum(|i| i.nodes),
            predicates: sum(|i| i.predicates),
            queries: sum(|i| i.queries),
        }
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

    /// Tells those who look what the solver is asked: named assertions, those that say nothing left out.
    fn tell_question<S: Sink>(
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

    /// The same for the steps of a path from the step of this number on; 0 is what holds at the start.
    fn tell_steps<S: Sink>(&self, sink: &mut S, what: &str, first: usize, steps: &[Term], asking: Asking) {
        sink.question(|| {
            let name = |i: usize| if i == 0 { "start".to_owned() } else { format!("step{i}") };
            let names: Vec<String> = (first..first + steps.len()).map(name).collect();
            let named: Vec<(Option<&str>, Term)> =
                names.iter().zip(steps).map(|(name, t)| (Some(name.as_str()), *t)).collect();
            Question { what: what.to_owned(), script: script(&self.encoding.terms, &named, asking) }
        });
    }

    fn begin<S: Sink>(&mut self, sink: &mut S) -> Stage {
        self.iterations.push(IterationCounts::default());
        let iteration = u32::try_from(self.iterations.len()).expect("fewer than 2^32 iterations");
        sink.event(Event::IterationStarted { iteration });
        if self.arg.nodes().is_empty() {
            self.add_root(sink);
        }
        Stage::Select
    }

    fn done<S: Sink>(sink: &mut S, verdict: Verdict, certificate: Option<Certificate>) -> Stage {
        sink.event(Event::Decided { verdict });
        Stage::Done(Box::new(Outcome { verdict, certificate }))
    }

    fn give_up<S: Sink>(sink: &mut S, why: UnknownReason) -> Stage {
        Cegar::done(sink, Verdict::Unknown(why), None)
    }
}

impl Engine for Cegar {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        loop {
            if let Stage::Done(outcome) = &self.stage {
                return Poll::Ready((**outcome).clone());
            }
            if !cx.fuel.spend() {
                return Poll::Pending;
            }
            self.stage = match std::mem::replace(&mut self.stage, Stage::Select) {
                Stage::Begin => self.begin(cx.sink),
                Stage::Select => self.select(cx.sink),
                Stage::Check(node) => self.check(node, cx.sink),
                Stage::Expand(node, edge) => self.expand(node, edge, cx.sink),
                Stage::Concretize(target) => self.concretize(target, cx.sink),
                Stage::Refine(target, path) => self.refine(target, &path, cx.sink),
                Stage::Done(_) => unreachable!("returned above"),
            };
        }
    }
}
