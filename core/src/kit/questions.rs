//! The queries of one event: the run is repeated up to it, and the queries before the event are recorded.

use crate::kit::{Event, FormulaId, Journal, Label, NodeId, PredicateId, Question, Recorder, Sink};

/// Records the queries of one event, and the journal up to it.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// The event's number, from 0.
    index: usize,
    recorder: Recorder,
    found: Vec<Question>,
}

impl Questions {
    /// For the event with this number, from 0, of a run with this empty journal.
    #[must_use]
    pub fn of_event(index: usize, journal: Journal) -> Questions {
        Questions { index, recorder: Recorder { journal }, found: Vec::new() }
    }

    /// Was the event reached?
    #[must_use]
    pub fn complete(&self) -> bool {
        self.recorder.journal.events.len() > self.index
    }

    /// The queries.
    #[must_use]
    pub fn found(&self) -> &[Question] {
        &self.found
    }

    /// The hash of the events up to this one, for links.
    #[must_use]
    pub fn hash(&self) -> u32 {
        self.recorder.journal.prefix_hash(self.index + 1)
    }
}

impl Sink for Questions {
    fn event(&mut self, event: impl Into<Event>) {
        self.recorder.event(event);
    }

    fn state(&mut self, id: NodeId, label: impl FnOnce() -> Label) {
        self.recorder.state(id, label);
    }

    fn predicate(&mut self, id: PredicateId, text: impl FnOnce() -> String) {
        self.recorder.predicate(id, text);
    }

    fn formula(&mut self, id: FormulaId, text: impl FnOnce() -> String) {
        self.recorder.formula(id, text);
    }

    fn asks_after(&self) -> Option<usize> {
        self.index.checked_sub(self.recorder.journal.events.len())
    }

    fn question(&mut self, question: impl FnOnce() -> Question) {
        if self.recorder.journal.events.len() == self.index {
            self.found.push(question());
        }
    }
}
