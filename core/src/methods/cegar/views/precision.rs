//! The predicates and variables that are tracked.

use crate::kit::{Event, Journal, PredicateId, View};
use crate::methods::cegar::event::Tracked;
use crate::methods::combined_approx::{self, Side};
use crate::methods::under;
use crate::system::{LocationId, VarId};

/// The precision, oldest predicate first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PrecisionView {
    /// The tracked predicates, each once, with the iteration that found it first.
    pub predicates: Vec<(PredicateId, u32)>,
    /// The predicates of the search of an under-approximation that runs in turns with abstraction refinement, with the
    /// iteration that found them first.
    pub searched: Vec<(PredicateId, u32)>,
    /// The tracked variables, each once, with the iteration that found it first.
    pub variables: Vec<(VarId, u32)>,
    /// With a local precision: the predicates and their locations.
    pub places: Vec<(PredicateId, LocationId)>,
    iteration: u32,
    /// Do two engines run in turns?
    in_turns: bool,
}

impl PrecisionView {
    /// Adds a predicate; with a local precision it may already be tracked at another location.
    fn grow(&mut self, predicate: PredicateId, location: Option<LocationId>) {
        if self.predicates.iter().all(|(p, _)| *p != predicate) {
            self.predicates.push((predicate, self.iteration));
        }
        self.places.extend(location.map(|l| (predicate, l)));
    }

    fn search(&mut self, predicate: PredicateId) {
        if self.searched.iter().all(|(p, _)| *p != predicate) {
            self.searched.push((predicate, self.iteration));
        }
    }

    fn track(&mut self, variable: VarId) {
        if self.variables.iter().all(|(v, _)| *v != variable) {
            self.variables.push((variable, self.iteration));
        }
    }
}

impl View for PrecisionView {
    fn apply(&mut self, event: &Event, _: &Journal) {
        match *event {
            Event::IterationStarted { iteration } => self.iteration = iteration,
            Event::Cegar(event) => match event.tracked() {
                Some(Tracked::Predicate(predicate, location)) => self.grow(predicate, location),
                Some(Tracked::Variable(variable)) => self.track(variable),
                None => {}
            },
            Event::Split(event) => {
                if let Some(variable) = event.tracked() {
                    self.track(variable);
                }
            }
            Event::Under(under::Event::PredicateAdded { predicate }) if self.in_turns => {
                self.search(predicate)
            }
            Event::Under(under::Event::PredicateAdded { predicate }) => self.grow(predicate, None),
            Event::CombinedApprox(event) => match event {
                combined_approx::Event::Shared { predicate, with: Side::Under } => self.search(predicate),
                combined_approx::Event::Shared { predicate, with: Side::Over } => self.grow(predicate, None),
                _ => self.in_turns = true,
            },
            Event::Under(_)
            | Event::Lasso(_)
            | Event::Bmc(_)
            | Event::Induction(_)
            | Event::Imc(_)
            | Event::Equation(_)
            | Event::Pdr(_) => {}
            Event::Explicit(_) | Event::Decided { .. } => {}
        }
    }
}
