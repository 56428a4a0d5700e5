//! Bounded model checking of nets with delays of places (Igawa, Yokogawa, Amasaki, Kondo, Sato and Arimoto, "Symbolic
//! Representation of Time Petri Nets for Efficient Bounded Model Checking", 2020, section 2): in each step time passes,
//! and then some transitions fire, in their order.
//!
//! ```text
//! for k ← 0, 1, … until the bound
//!   I(s₀) ∧ T(s₀, s₁) ∧ … ∧ T(sₖ₋₁, sₖ) ∧ R(sₖ) is satisfiable
//!     its delays and firings are a run of the net → violated
//! ```

use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::task::Poll;

use solver_lite::number::Q;
use solver_lite::smtlib::{Asking, script};
use solver_lite::term::{Term, Value};
use solver_lite::{Answer, Limits, Model};

use crate::certificate::{Certificate, TraceState};
use crate::formats::net::edge_of;
use crate::kit::{Cx, Engine, Event as Kit, IterationCounts, Question, Sink, UnknownReason, Verdict, drive};
use crate::methods::bmc::Event;
use crate::methods::outcome::{Next, Outcome, done, stop};
use crate::methods::shared::{answer, number};
use crate::net::timed::encoding::{Encoding, Formula, Goal, Size, Steps, variables_before};
use crate::net::timed::run::{NotFired, Run};
use crate::net::timed::{Clocks, Timed};
use crate::net::{Net, TransitionId};
use crate::symbolic::Context;
use crate::system::clocks::{AFTER_WAITING, AT_MARKING};
use crate::system::{EdgeId, State, System};

/// The factor of the solver's limits: queries of large nets are hard, and each is one step of this method.
const HARDER: u64 = 100;

#[derive(Clone, Default)]
enum Stage {
    #[default]
    Ask,
    Extend,
}

/// The engine.
#[derive(Clone)]
pub(crate) struct StepBmc {
    /// With the error location of the property.
    system: Arc<System>,
    net: Arc<Net>,
    clocks: Arc<Clocks>,
    goal: Goal,
    encoding: Encoding,
    bound: Option<u32>,
    steps: Steps<Formula>,
    context: Context,
    iterations: Vec<IterationCounts>,
    stage: Next<Stage>,
}

impl StepBmc {
    /// A run before its first step; none if the net has no delays of places, or the goal cannot be written.
    pub(crate) fn new(
        system: &Arc<System>,
        net: &Arc<Net>,
        goal: Goal,
        (encoding, bound): (Encoding, Option<u32>),
        limits: Limits,
    ) -> Option<StepBmc> {
        let timed = Timed::of(net).ok()?;
        let clocks = Arc::clone(system.clocks.as_ref()?);
        crate::net::timed::encoding::check(&goal).ok()?;
        let mut steps = Steps::new(&timed, encoding, Formula::default());
        steps.firings = Some(Vec::new());
        let limits =
            Limits { conflicts: limits.conflicts * HARDER, pivots: limits.pivots * HARDER, ..limits };
        let (system, net) = (Arc::clone(system), Arc::clone(net));
        let (context, iterations, stage) = (Context::new(limits), Vec::new(), Continue(Stage::Ask));
        Some(StepBmc { system, net, clocks, goal, encoding, bound, steps, context, iterations, stage })
    }

    /// Counts of the rounds so far.
    pub(crate) fn iterations(&self) -> &[IterationCounts] {
        &self.iterations
    }

    /// The size of the formula so far, and the number of its variables before unchanged ones are replaced.
    pub(crate) fn size(&self) -> (Size, u64) {
        let before = variables_before(&self.net, number(self.steps.steps()), self.encoding.logic);
        (self.steps.size, before)
    }

    fn ask<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        self.iterations.push(IterationCounts { queries: 1, ..IterationCounts::default() });
        sink.event(Kit::IterationStarted { iteration: number(self.iterations.len()) });
        let k = self.steps.steps();
        // The goal is about the last state, so its size is not that of the steps.
        let before = self.steps.size;
        let goal = self.steps.goal(&self.net, &self.goal).expect("the goal was checked");
        for a in std::mem::take(&mut self.steps.sink.asserted) {
            self.context.assert(&mut self.steps.sink.terms, a);
        }
        sink.question(|| {
            let all = self.context.assertions().iter().chain([&goal]).filter(|t| **t != Term::TRUE);
            let all: Vec<(Option<&str>, Term)> = all.map(|t| (None, *t)).collect();
            let what = format!("Is the goal reached after {k} {}?", if k == 1 { "step" } else { "steps" });
            Question { what, script: script(&self.steps.sink.terms, &all, Asking::Check) }
        });
        let checked = self.context.check(&mut self.steps.sink.terms, &[goal]);
        sink.event(Event::BadChecked { steps: number(self.steps.steps()), answer: answer(&checked) });
        match checked {
            Answer::Sat(model) => match self.run(&model) {
                Ok(certificate) => Break(Box::new(done(Verdict::Violated, Some(certificate), sink))),
                Err(why) => stop(why, sink),
            },
            Answer::Unsat if self.bound.is_some_and(|bound| self.steps.steps() >= bound as usize) => {
                stop(UnknownReason::Bound, sink)
            }
            Answer::Unsat => {
                self.steps.size = before;
                Continue(Stage::Extend)
            }
            Answer::Unknown(_) => stop(UnknownReason::Solver, sink),
        }
    }

    /// The delays and firings of a model.
    fn outline(&mut self, model: &Model) -> Vec<(Q, Vec<TransitionId>)> {
        let per_step = self.net.transitions.len();
        let firings = self.steps.firings.clone().unwrap_or_default();
        let mut outline = Vec::new();
        for step in 0..self.steps.steps() {
            let duration: Term = self.steps.duration(step);
            let terms = &self.steps.sink.terms;
            let delay = model.eval(terms, duration).num().clone();
            let own = firings.iter().skip(step * per_step).take(per_step).enumerate();
            let fires = own.filter(|(_, firing)| model.eval(terms, **firing) == Value::Bool(true));
            outline.push((delay, fires.map(|(t, _)| TransitionId::new(t)).collect()));
        }
        outline
    }

    /// The run of a model, if it is one of the net.
    fn run(&mut self, model: &Model) -> Result<Certificate, UnknownReason> {
        let outline = self.outline(model);
        let (system, net, clocks) =
            (Arc::clone(&self.system), Arc::clone(&self.net), Arc::clone(&self.clocks));
        let mut run = Run::new(&net, &clocks);
        let mut trace = Trace::new(&system)?;
        let wait = system.waiting().ok_or(UnknownReason::NoRun)?;
        for (delay, firings) in outline {
            if !run.wait(&delay) {
                assert!(
                    !self.encoding.exact,
                    "the exact encoding lets time pass only as long as nothing must fire"
                );
                return Err(UnknownReason::NoRun);
            }
            for t in firings {
                trace.take(wait, run.time())?;
                if let Err(NotFired::Tokens(p)) = run.fire(t) {
                    let edge = system.second_token(t, p).ok_or(UnknownReason::NotSafe)?;
                    trace.take(edge, run.time())?;
                    return Ok(Certificate::Trace { states: trace.states });
                }
                trace.take(edge_of(t), run.time())?;
            }
        }
        let mut end = AT_MARKING;
        if self.goal == Goal::Deadlock {
            trace.take(wait, run.time())?;
            end = AFTER_WAITING;
        }
        trace.take(system.violation(end).ok_or(UnknownReason::NoRun)?, run.time())?;
        Ok(Certificate::Trace { states: trace.states })
    }
}

/// A run of the system in the making.
struct Trace<'a> {
    system: &'a System,
    state: State,
    states: Vec<TraceState>,
}

impl<'a> Trace<'a> {
    /// The initial marking.
    fn new(system: &'a System) -> Result<Trace<'a>, UnknownReason> {
        let state: State = system.variables.iter().map(|v| v.ty.some_value()).collect();
        let states = vec![TraceState::new(system, None, &state)];
        let mut trace = Trace { system, state, states };
        trace.take(EdgeId::new(0), &Q::ZERO)?;
        Ok(trace)
    }

    /// Takes an edge, which may let time pass until this date.
    fn take(&mut self, edge: EdgeId, time: &Q) -> Result<(), UnknownReason> {
        let after =
            self.system.post(&self.system.edge(edge).op, &self.state, &mut |_| Value::Num(time.clone()));
        self.state = after.ok().flatten().ok_or(UnknownReason::NoRun)?;
        self.states.push(TraceState::new(self.system, Some(edge), &self.state));
        Ok(())
    }
}

impl Engine for StepBmc {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        drive(
            self,
            cx,
            |e| &mut e.stage,
            |e, stage, sink| match stage {
                Stage::Extend => {
                    let net = Arc::clone(&e.net);
                    e.steps.step(&net);
                    Continue(Stage::Ask)
                }
                Stage::Ask => e.ask(sink),
            },
        )
    }
}
