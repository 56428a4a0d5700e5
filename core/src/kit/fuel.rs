//! Fuel and the contract of engines.

use std::task::Poll;

/// A budget of steps. It counts what an engine does, never time, so a run is the same on every machine.
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

    /// Takes one step; `false` (and nothing taken) when the budget is used up.
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

/// What an engine is given while it runs.
pub struct Cx<'a, S> {
    /// The budget of this call.
    pub fuel: &'a mut Fuel,
    /// Where facts are reported.
    pub sink: &'a mut S,
}

/// A resumable method of verification.
///
/// `poll` runs until an outcome or until the fuel is used up; `Pending` leaves the state at the last committed
/// step, so the journal does not depend on how the fuel was portioned. After an outcome, `poll` gives it again.
pub trait Engine: Clone {
    /// What the method finds out.
    type Outcome;

    /// Runs on.
    fn poll<S: crate::kit::Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Self::Outcome>;
}

/// Runs an engine that makes one step at a time until `done` gives its outcome or the fuel is used up.
pub(crate) fn drive<E, O, S>(
    engine: &mut E,
    cx: &mut Cx<'_, S>,
    done: impl Fn(&E) -> Option<O>,
    step: impl Fn(&mut E, &mut S),
) -> Poll<O> {
    loop {
        if let Some(outcome) = done(engine) {
            return Poll::Ready(outcome);
        }
        if !cx.fuel.spend() {
            return Poll::Pending;
        }
        step(engine, cx.sink);
    }
}
