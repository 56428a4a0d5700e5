//! Property-directed reachability (Bradley, "SAT-Based Model Checking without Unrolling", 2011; Eén, Mishchenko and
//! Brayton, "Efficient Implementation of Property Directed Reachability", 2011), over terms: predecessors are
//! projections of models (Komuravelli, Gurfinkel and Chaki, "SMT-Based Model Checking for Recursive Programs", 2014,
//! section 4).
//!
//! ```text
//! F₀ ← Init; Init ∧ Bad is satisfiable → violated
//! for k ← 1, 2, …, with Fₖ ← ⊤
//!   while Fₖ ∧ Bad has a model: block a cube of it at k
//!     block s at i: s meets Init → violated
//!                   Fᵢ₋₁ ∧ ¬s ∧ Tran ∧ s′ has a model → first block a cube of predecessors at i − 1
//!                   otherwise → some states of s′ are not reached: learn the negation of fewer literals at i
//!   for i ← 1 … k: push each lemma of Fᵢ that still holds after a step to Fᵢ₊₁; Fᵢ = Fᵢ₊₁ → holds
//! ```

mod cube;
mod event;
#[cfg(test)]
pub(crate) mod example;
pub(crate) mod explain;
mod project;
pub(crate) mod scene;

pub use event::{Event, Phase};

use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::task::Poll;

use solver_lite::term::Term;
use solver_lite::{Answer, Limits, Model};

use crate::kit::{Cx, Engine, Sink, UnknownReason, drive};
use crate::methods::Plan;
use crate::methods::outcome::{Next, Outcome, stop};
use crate::methods::shared::{Shared, answer, number};
use crate::methods::table::About;
use crate::symbolic::{Context, Symbolic, Unrolling};
use crate::system::System;

/// The description of the method.
pub const ABOUT: About = About {
    name: "pdr",
    what: "Property-directed reachability: lemmas about the states reached in a given number of steps.",
    states: true,
    runs: false,
    options: Vec::new,
    plan: |_| Some(Plan::Pdr),
};

/// A conjunction of literals over a state.
type Cube = Vec<Term>;

/// A cube of states from which a bad one is reached.
#[derive(Clone, Debug)]
struct Obligation {
    cube: Cube,
    /// The number of steps in which it is to be shown unreachable.
    frame: usize,
    /// The obligation that it is a predecessor of, by number.
    next: Option<usize>,
}

/// A frame: the states after at most a given number of steps.
#[derive(Clone)]
struct Frame {
    /// Lemmas that are not known to hold in the next frame.
    lemmas: Vec<Term>,
    /// The frame and a step from it.
    step: Context,
}

#[derive(Clone, Default)]
enum Stage {
    /// Is an initial state bad?
    #[default]
    Start,
    /// Is a state of the last frame bad?
    Ask,
    /// Block the open obligations.
    Block,
    /// Push the lemmas of this frame.
    Push(usize),
}

/// The engine.
#[derive(Clone)]
pub struct Pdr {
    pub(crate) shared: Shared,
    frames: Vec<Frame>,
    /// All obligations ever.
    obligations: Vec<Obligation>,
    /// Those that are open, by number.
    open: Vec<usize>,
    /// Initial states.
    init: Context,
    stage: Next<Stage>,
}

/// The greatest number of literals whose removal from a lemma is tried one by one.
const TRIES: usize = 60;

impl Pdr {
    /// A run on `system`, whose error location is the target.
    #[must_use]
    pub fn new(system: &Arc<System>, limits: Limits) -> Pdr {
        Pdr::over(Shared::new(system, &[], limits))
    }

    /// The same with every edge as a step of its own, so that the invariant covers every location.
    #[must_use]
    pub(crate) fn stepwise(system: &Arc<System>, limits: Limits) -> Pdr {
        Pdr::over(Shared::over(Symbolic::stepwise(system), limits))
    }

    /// Continues the iterations of another run.
    pub(crate) fn after(mut self, before: &Shared) -> Pdr {
        self.shared.after(before);
        self
    }

    fn over(mut shared: Shared) -> Pdr {
        let mut init = Context::new(shared.limits);
        let mut step = Context::new(shared.limits);
        let (start, trans) = (shared.init, shared.trans);
        init.assert(shared.symbolic.terms(), start);
        step.assert(shared.symbolic.terms(), start);
        step.assert(shared.symbolic.terms(), trans);
        let frames = vec![Frame { lemmas: Vec::new(), step }];
        Pdr { shared, frames, obligations: Vec::new(), open: Vec::new(), init, stage: Continue(Stage::Start) }
    }

    fn last(&self) -> usize {
        self.frames.len() - 1
    }

    /// A new last frame, of all states.
    fn open_frame<S: Sink>(&mut self, sink: &mut S) {
        let mut step = Context::new(self.shared.limits);
        let trans = self.shared.trans;
        step.assert(self.shared.symbolic.terms(), trans);
        self.frames.push(Frame { lemmas: Vec::new(), step });
        sink.event(Event::FrameOpened { frame: number(self.last()) });
    }

    fn ask_step(&mut self, frame: usize, assumed: &[Term]) -> Answer {
        self.shared.now().queries += 1;
        self.frames[frame].step.check(self.shared.symbolic.terms(), assumed)
    }

    fn ask_init(&mut self, assumed: &[Term]) -> Answer {
        self.shared.now().queries += 1;
        self.init.check(self.shared.symbolic.terms(), assumed)
    }

    fn start<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        self.shared.begin(sink);
        let bad = self.shared.bad;
        match self.ask_init(&[bad]) {
            Answer::Sat(_) => self.violation(&[], sink),
            Answer::Unsat => {
                self.open_frame(sink);
                Continue(Stage::Ask)
            }
            Answer::Unknown(_) => stop(UnknownReason::Solver, sink),
        }
    }

    /// A bad state of the last frame becomes an obligation; without one, lemmas are pushed.
    fn ask<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        let (bad, last) = (self.shared.bad, self.last());
        // States of the frame, without a step.
        let mut context = Context::new(self.shared.limits);
        for lemma in self.frames[last].lemmas.clone() {
            context.assert(self.shared.symbolic.terms(), lemma);
        }
        context.assert(self.shared.symbolic.terms(), bad);
        self.shared.now().queries += 1;
        self.shared.report("Is a state of the frame bad?", &context, &[], sink);
        let checked = context.check(self.shared.symbolic.terms(), &[]);
        sink.event(Event::FrameChecked { frame: number(last), answer: answer(&checked) });
        match checked {
            Answer::Sat(model) => {
                let cube = self.cube(&[bad], &model);
                self.oblige(Obligation { cube, frame: last, next: None }, sink);
                Continue(Stage::Block)
            }
            Answer::Unsat => Continue(Stage::Push(1)),
            Answer::Unknown(_) => stop(UnknownReason::Solver, sink),
        }
    }

    fn oblige<S: Sink>(&mut self, obligation: Obligation, sink: &mut S) {
        let cube = self.shared.symbolic.terms().and(obligation.cube.iter().copied());
        let formula = self.shared.formula(cube, sink);
        sink.event(Event::ObligationRaised { frame: number(obligation.frame), formula });
        self.shared.now().nodes += 1;
        self.open.push(self.obligations.len());
        self.obligations.push(obligation);
    }

    /// Handles the newest open obligation of the least frame.
    fn block<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        let newest = |i: &usize| (std::cmp::Reverse(self.obligations[self.open[*i]].frame), self.open[*i]);
        let Some(at) = (0..self.open.len()).max_by_key(newest) else { return Continue(Stage::Ask) };
        let id = self.open[at];
        let Obligation { cube, frame, .. } = self.obligations[id].clone();
        match self.ask_init(&cube) {
            Answer::Sat(_) => return self.violation(&self.chain(id), sink),
            Answer::Unsat => {}
            Answer::Unknown(_) => return stop(UnknownReason::Solver, sink),
        }
        match self.unreached(&cube, frame) {
            Reached::No(core) => {
                self.open.swap_remove(at);
                let core = self.generalize(core, frame);
                self.learn(&core, frame, sink);
                // The cube may be reachable in more steps.
                if frame < self.last() {
                    let later = Obligation { frame: frame + 1, ..self.obligations[id].clone() };
                    self.open.push(self.obligations.len());
                    self.obligations.push(later);
                }
            }
            Reached::From(model) => {
                let goal = self.shared.symbolic.terms().and(cube.iter().copied());
                let goal = self.shared.symbolic.primed(goal);
                let trans = self.shared.trans;
                let cube = self.cube(&[trans, goal], &model);
                self.oblige(Obligation { cube, frame: frame - 1, next: Some(id) }, sink);
            }
            Reached::Unknown => return stop(UnknownReason::Solver, sink),
        }
        Continue(Stage::Block)
    }

    /// Is no state of the cube reached by a step from another state of the previous frame? Then gives the literals
    /// needed.
    fn unreached(&mut self, cube: &[Term], frame: usize) -> Reached {
        let primed: Vec<Term> = cube.iter().map(|l| self.shared.symbolic.primed(*l)).collect();
        let outside = self.outside(cube);
        let assumed: Vec<Term> = primed.iter().copied().chain([outside]).collect();
        match self.ask_step(frame - 1, &assumed) {
            Answer::Sat(model) => Reached::From(Box::new(model)),
            Answer::Unknown(_) => Reached::Unknown,
            Answer::Unsat => {
                let failed = self.frames[frame - 1].step.failed(self.shared.symbolic.terms());
                let needed =
                    cube.iter().zip(&primed).filter(|(_, p)| failed.is_empty() || failed.contains(p));
                Reached::No(self.without_init(needed.map(|(l, _)| *l).collect(), cube))
            }
        }
    }

    fn outside(&mut self, cube: &[Term]) -> Term {
        let inside = self.shared.symbolic.terms().and(cube.iter().copied());
        self.shared.symbolic.terms().not(inside)
    }

    /// Adds literals of the whole cube until it contains no initial state.
    fn without_init(&mut self, mut core: Cube, cube: &[Term]) -> Cube {
        let mut rest = cube.iter().copied().filter(|l| !core.contains(l)).collect::<Vec<_>>().into_iter();
        while !matches!(self.ask_init(&core), Answer::Unsat) {
            // A literal that excludes this initial state suffices; the next one may be it.
            let Some(literal) = rest.next() else { return cube.to_vec() };
            core.push(literal);
        }
        core
    }

    /// Drops literals as long as the rest is not reached.
    fn generalize(&mut self, mut core: Cube, frame: usize) -> Cube {
        let mut tries = TRIES;
        let mut at = 0;
        while at < core.len() && core.len() > 1 && tries > 0 {
            tries -= 1;
            let mut fewer = core.clone();
            fewer.remove(at);
            if !matches!(self.ask_init(&fewer), Answer::Unsat) {
                at += 1;
                continue;
            }
            match self.unreached(&fewer, frame) {
                Reached::No(smaller) => {
                    // The order of literals is preserved.
                    core.retain(|l| smaller.contains(l));
                }
                Reached::From(_) | Reached::Unknown => at += 1,
            }
        }
        core
    }

    /// The negation of a cube holds in this frame and those before.
    fn learn<S: Sink>(&mut self, cube: &[Term], frame: usize, sink: &mut S) {
        let lemma = self.outside(cube);
        let formula = self.shared.formula(lemma, sink);
        sink.event(Event::LemmaLearned { frame: number(frame), formula });
        self.shared.now().predicates += 1;
        self.frames[frame].lemmas.push(lemma);
        for f in 1..=frame {
            self.frames[f].step.assert(self.shared.symbolic.terms(), lemma);
        }
    }

    /// Pushes lemmas of a frame to the next one. A frame without lemmas of its own is inductive.
    fn push<S: Sink>(&mut self, frame: usize, sink: &mut S) -> Next<Stage> {
        if frame == 1 {
            self.shared.begin(sink);
            self.open_frame(sink);
        }
        if frame == self.last() {
            return Continue(Stage::Ask);
        }
        let mut kept = Vec::new();
        for lemma in std::mem::take(&mut self.frames[frame].lemmas) {
            let after = self.shared.symbolic.primed(lemma);
            let broken = self.shared.symbolic.terms().not(after);
            if matches!(self.ask_step(frame, &[broken]), Answer::Unsat) {
                self.frames[frame + 1].lemmas.push(lemma);
                self.frames[frame + 1].step.assert(self.shared.symbolic.terms(), lemma);
            } else {
                kept.push(lemma);
            }
        }
        self.frames[frame].lemmas = kept;
        sink.event(Event::LemmasPushed {
            frame: number(frame),
            left: number(self.frames[frame].lemmas.len()),
        });
        if !self.frames[frame].lemmas.is_empty() {
            return Continue(Stage::Push(frame + 1));
        }
        let lemmas: Vec<Term> = self.frames[frame..].iter().flat_map(|f| f.lemmas.clone()).collect();
        let inductive = self.shared.symbolic.terms().and(lemmas);
        Break(Box::new(self.shared.holds(inductive, sink)))
    }

    /// The cubes from an obligation to the bad states.
    fn chain(&self, id: usize) -> Vec<Cube> {
        let mut cubes = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at {
            cubes.push(self.obligations[id].cube.clone());
            at = self.obligations[id].next;
        }
        cubes
    }

    /// A run through these cubes, the last of which consists of bad states.
    fn violation<S: Sink>(&mut self, cubes: &[Cube], sink: &mut S) -> Next<Stage> {
        let steps = cubes.len().saturating_sub(1);
        let mut unrolling = Unrolling::default();
        let shared = &mut self.shared;
        let mut context = Context::new(shared.limits);
        let mut parts = vec![(shared.init, 0), (shared.bad, steps)];
        parts.extend((0..steps).map(|i| (shared.trans, i)));
        for (i, cube) in cubes.iter().enumerate() {
            let cube = shared.symbolic.terms().and(cube.iter().copied());
            parts.push((cube, i));
        }
        for (t, i) in parts {
            let t = unrolling.at(&mut shared.symbolic, t, i);
            context.assert(shared.symbolic.terms(), t);
        }
        let Answer::Sat(model) = context.check(shared.symbolic.terms(), &[]) else {
            return stop(UnknownReason::Solver, sink);
        };
        let run =
            shared.symbolic.outline(&mut unrolling, steps, &model).expect("a model takes a way at each step");
        Break(Box::new(shared.violated(&run, sink)))
    }
}

/// The reachability of a cube.
enum Reached {
    /// It is not reached, and neither is this larger cube.
    No(Cube),
    From(Box<Model>),
    Unknown,
}

impl Engine for Pdr {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        drive(
            self,
            cx,
            |e| &mut e.stage,
            |e, stage, sink| match stage {
                Stage::Start => e.start(sink),
                Stage::Ask => e.ask(sink),
                Stage::Block => e.block(sink),
                Stage::Push(frame) => e.push(frame, sink),
            },
        )
    }
}
