//! The questions behind one event: the run is repeated up to it, and what the solver is asked then is kept.

use crate::kit::{Event, FormulaId, Label, NodeId, PredicateId, Question, Sink};

/// Keeps the questions that lead to one event.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// The event's number, from 0.
    index: usize,
    events: usize,
    found: Vec<Question>,
}

impl Questions {
    /// Those of the event with this number, from 0.
    #[must_use]
    pub fn of_event(index: usize) -> Questions {
        Questions { index, ..Questions::default() }
    }

    /// Was the event seen?
    #[must_use]
    pub fn complete(&self) -> bool {
        self.events > self.index
    }

    /// What was asked.
    #[must_use]
    pub fn found(self) -> Vec<Question> {
        self.found
    }
}

impl Sink for Questions {
    fn event(&mut self, _: Event) {
        self.events += 1;
    }

    fn state(&mut self, _: NodeId, _: impl FnOnce() -> Label) {}
    fn predicate(&mut self, _: PredicateId, _: impl FnOnce() -> String) {}
    fn formula(&mut self, _: FormulaId, _: impl FnOnce() -> String) {}

    fn question(&mut self, question: impl FnOnce() -> Question) {
        if self.events == self.index {
            self.found.push(question());
        }
    }
}
