//! The predicates that are tracked.

use crate::kit::{Event, Journal, PredicateId, View};

/// The precision, oldest predicate first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PrecisionView {
    /// The tracked predicates with the iteration that found each.
    pub predicates: Vec<(PredicateId, u32)>,
    iteration: u32,
}

impl View for PrecisionView {
    fn apply(&mut self, event: &Event, _: &Journal) {
        match *event {
            Event::IterationStarted { iteration } => self.iteration = iteration,
            Event::PrecisionGrew { predicate } => self.predicates.push((predicate, self.iteration)),
            _ => {}
        }
    }
}
