//! Interpolation-based model checking (McMillan, "Interpolation and SAT-Based Model Checking", 2003, section 3):
//!
//! ```text
//! Init ∧ Bad is satisfiable → violated
//! for k ← 1, 2, …
//!   R ← Init
//!   while A = R(s₀) ∧ Tran(s₀, s₁) and B = Tran(s₁, s₂) ∧ … ∧ (Bad(s₁) ∨ … ∨ Bad(sₖ)) contradict each other
//!     I ← interpolant of A and B, over s₁
//!     I ⇒ R → holds, with the invariant R
//!     R ← R ∨ I
//!   R is Init → violated; otherwise the next k
//! ```

mod event;
#[cfg(test)]
pub(crate) mod example;
pub(crate) mod explain;
pub(crate) mod scene;
pub use event::{Event, Phase};

use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::task::Poll;

use solver_lite::term::Term;
use solver_lite::{Answer, Limits};

use crate::kit::{Answer as Checked, Cx, Engine, Sink, UnknownReason, drive};
use crate::methods::Plan;
use crate::methods::bmc::Runs;
use crate::methods::outcome::{Next, Outcome, stop};
use crate::methods::shared::{Shared, answer};
use crate::methods::table::About;
use crate::symbolic::{Context, Unrolling};
use crate::system::System;

/// The description of the method.
pub const ABOUT: About = About {
    name: "imc",
    what: "Interpolation-based model checking: images of the reached states by interpolation, up to a fixed point.",
    states: true,
    runs: false,
    options: Vec::new,
    plan: |_| Some(Plan::Imc),
};

#[derive(Clone, Default)]
enum Stage {
    /// Is a bad state reached in exactly `k` steps?
    #[default]
    Bounded,
    /// The image of `R` from which no bad state is reached within the bound.
    Image,
}

/// The engine.
#[derive(Clone)]
pub struct Imc {
    pub(crate) shared: Shared,
    runs: Runs,
    unrolling: Unrolling,
    /// The length of the runs that were checked.
    k: usize,
    /// `R`, which contains the states reached so far.
    reached: Term,
    /// The number of images in `R`.
    images: u32,
    stage: Next<Stage>,
}

impl Imc {
    /// A run on `system`, whose error location is the target.
    #[must_use]
    pub fn new(system: &Arc<System>, limits: Limits) -> Imc {
        let mut shared = Shared::new(system, &[], limits);
        let runs = Runs::new(&mut shared);
        let (unrolling, reached) = (Unrolling::default(), shared.init);
        Imc { shared, runs, unrolling, k: 0, reached, images: 0, stage: Continue(Stage::Bounded) }
    }

    /// Runs of this length are checked first, so a bad state reached from an image only shows that the image is too
    /// large.
    fn bounded<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        self.shared.begin(sink);
        match self.runs.ask(&mut self.shared, sink) {
            Answer::Sat(model) => {
                let run =
                    self.runs.outline(&mut self.shared, &model).expect("a model takes a way at each step");
                Break(Box::new(self.shared.violated(&run, sink)))
            }
            Answer::Unknown(_) => stop(UnknownReason::Solver, sink),
            Answer::Unsat if self.k == 0 => self.longer(),
            Answer::Unsat => {
                self.reached = self.shared.init;
                self.images = 0;
                Continue(Stage::Image)
            }
        }
    }

    fn longer(&mut self) -> Next<Stage> {
        self.k += 1;
        self.runs.extend(&mut self.shared);
        Continue(Stage::Bounded)
    }

    fn image<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        let (a, b) = self.sides();
        let mut context = Context::new(self.shared.limits);
        let terms = self.shared.symbolic.terms();
        context.assert(terms, a);
        context.assert(terms, b);
        self.shared.report("Is a bad state reachable from the images?", &context, &[], sink);
        let checked = context.check(self.shared.symbolic.terms(), &[]);
        self.shared.now().queries += 1;
        sink.event(Event::ImageChecked { images: self.images, answer: answer(&checked) });
        match answer(&checked) {
            Checked::Sat => return self.longer(),
            Checked::Unknown => return stop(UnknownReason::Solver, sink),
            Checked::Unsat => {}
        }
        let Some(interpolants) = self.shared.interpolants(&[a, b]) else {
            return stop(UnknownReason::Interpolation, sink);
        };
        let image = self.unrolling.over_current(&mut self.shared.symbolic, interpolants[1], 1);
        let formula = self.shared.formula(image, sink);
        self.shared.report_interpolation(
            "Which formula separates the images from the bad states?",
            [a, b],
            sink,
        );
        sink.event(Event::ImageGrew { images: self.images, formula });
        self.shared.now().predicates += 1;
        let closed = self.implies_reached(image, sink);
        sink.event(Event::ClosureChecked { answer: closed });
        match closed {
            Checked::Unsat => Break(Box::new(self.shared.holds(self.reached, sink))),
            Checked::Unknown => stop(UnknownReason::Solver, sink),
            Checked::Sat => {
                self.reached = self.shared.symbolic.terms().or([self.reached, image]);
                self.images += 1;
                Continue(Stage::Image)
            }
        }
    }

    /// `A` and `B`.
    fn sides(&mut self) -> (Term, Term) {
        let (s, shared) = (&mut self.unrolling, &mut self.shared);
        let reached = s.at(&mut shared.symbolic, self.reached, 0);
        let first = s.at(&mut shared.symbolic, shared.trans, 0);
        let mut later = s.at(&mut shared.symbolic, shared.bad, self.k);
        for i in (1..self.k).rev() {
            let bad = s.at(&mut shared.symbolic, shared.bad, i);
            let step = s.at(&mut shared.symbolic, shared.trans, i);
            let on = shared.symbolic.terms().and([step, later]);
            later = shared.symbolic.terms().or([bad, on]);
        }
        (shared.symbolic.terms().and([reached, first]), later)
    }

    fn implies_reached<S: Sink>(&mut self, image: Term, sink: &mut S) -> Checked {
        let terms = self.shared.symbolic.terms();
        let outside = terms.not(self.reached);
        let mut context = Context::new(self.shared.limits);
        context.assert(terms, image);
        context.assert(terms, outside);
        self.shared.report(
            "Does the image contain a state that was not reached before?",
            &context,
            &[],
            sink,
        );
        let checked = context.check(self.shared.symbolic.terms(), &[]);
        self.shared.now().queries += 1;
        answer(&checked)
    }
}

impl Engine for Imc {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        drive(
            self,
            cx,
            |e| &mut e.stage,
            |e, stage, sink| match stage {
                Stage::Bounded => e.bounded(sink),
                Stage::Image => e.image(sink),
            },
        )
    }
}
