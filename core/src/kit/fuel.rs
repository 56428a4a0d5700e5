//! Fuel and the contract of engines.

use std::ops::ControlFlow;
use std::task::Poll;

/// A budget of steps. It counts steps of the engine, never time, so a run is the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fuel {
    left: u64,
}

impl Fuel {
    /// A budget of `steps`.
    #[must_use]
    pub fn new(steps: u64) -> Fuel {
        Fuel { left: steps }
    }

    /// Spends one step; `false` if the budget is used up.
    pub fn spend(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        true
    }

    /// The steps left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.left
    }
}

/// The context of a call of an engine.
pub struct Cx<'a, S> {
    /// The budget of this call.
    pub fuel: &'a mut Fuel,
    /// The receiver of events.
    pub sink: &'a mut S,
}

/// A resumable method of verification.
///
/// `poll` runs until an outcome or until the fuel is used up; `Pending` leaves the state at the last committed
/// step, so the journal does not depend on how the fuel was portioned. After an outcome, `poll` gives it again.
pub trait Engine: Clone {
    /// The result of the method.
    type Outcome;

    /// Continues the run.
    fn poll<S: crate::kit::Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Self::Outcome>;
}

/// Runs an engine that makes one step at a time until there is an outcome or the fuel is used up. `stage` is the next
/// stage of the engine, or its outcome; each step replaces it.
pub(crate) fn drive<E, T: Default, O: Clone, S>(
    engine: &mut E,
    cx: &mut Cx<'_, S>,
    stage: impl Fn(&mut E) -> &mut ControlFlow<Box<O>, T>,
    step: impl Fn(&mut E, T, &mut S) -> ControlFlow<Box<O>, T>,
) -> Poll<O> {
    loop {
        let now = match stage(engine) {
            ControlFlow::Break(outcome) => return Poll::Ready((**outcome).clone()),
            ControlFlow::Continue(now) if cx.fuel.spend() => std::mem::take(now),
            ControlFlow::Continue(_) => return Poll::Pending,
        };
        *stage(engine) = step(engine, now, cx.sink);
    }
}
