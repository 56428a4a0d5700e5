//! Sinks: receivers of events.

use crate::kit::{Event, FormulaId, Journal, Label, NodeId, PredicateId};

/// A query to the solver, reported to the sink.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The query, as a sentence.
    pub what: String,
    /// The query as an SMT-LIB script.
    pub script: String,
}

/// A receiver of events. Payload is passed as a closure and is only computed if the sink uses it.
pub trait Sink {
    /// A fact was committed.
    fn event(&mut self, event: impl Into<Event>);

    /// The label of a node that is about to be added; ids arrive densely in order.
    fn state(&mut self, id: NodeId, label: impl FnOnce() -> Label);

    /// The text of a predicate; ids arrive densely in order.
    fn predicate(&mut self, id: PredicateId, text: impl FnOnce() -> String);

    /// The text of a formula; ids arrive densely in order.
    fn formula(&mut self, id: FormulaId, text: impl FnOnce() -> String);

    /// Does the sink use the payload?
    fn watches(&self) -> bool {
        true
    }

    /// The number of events after which the sink uses queries; none if it uses none.
    fn asks_after(&self) -> Option<usize> {
        None
    }

    /// A query to the solver; the event with its result follows.
    fn question(&mut self, _: impl FnOnce() -> Question) {}
}

/// A sink that ignores everything: every call is empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Off;

impl Sink for Off {
    fn watches(&self) -> bool {
        false
    }

    fn event(&mut self, _: impl Into<Event>) {}
    fn state(&mut self, _: NodeId, _: impl FnOnce() -> Label) {}
    fn predicate(&mut self, _: PredicateId, _: impl FnOnce() -> String) {}
    fn formula(&mut self, _: FormulaId, _: impl FnOnce() -> String) {}
}

/// Forwards everything except verdicts, for an engine that another engine runs.
#[derive(Debug)]
pub struct Undecided<'a, S>(pub &'a mut S);

impl<S: Sink> Sink for Undecided<'_, S> {
    fn watches(&self) -> bool {
        self.0.watches()
    }

    fn asks_after(&self) -> Option<usize> {
        self.0.asks_after()
    }

    fn event(&mut self, event: impl Into<Event>) {
        let event = event.into();
        if !matches!(event, Event::Decided { .. }) {
            self.0.event(event);
        }
    }

    fn state(&mut self, id: NodeId, label: impl FnOnce() -> Label) {
        self.0.state(id, label);
    }

    fn predicate(&mut self, id: PredicateId, text: impl FnOnce() -> String) {
        self.0.predicate(id, text);
    }

    fn formula(&mut self, id: FormulaId, text: impl FnOnce() -> String) {
        self.0.formula(id, text);
    }

    fn question(&mut self, question: impl FnOnce() -> Question) {
        self.0.question(question);
    }
}

/// One call of a sink.
#[derive(Clone, Debug)]
pub(crate) enum Note {
    Event(Event),
    State(NodeId, Label),
    Predicate(PredicateId, String),
    Formula(FormulaId, String),
    Question(Question),
}

/// What one step of an engine reports: a sink of one type for all receivers, so that the code of the engine exists
/// once.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    watches: bool,
    asks_after: Option<usize>,
    events: usize,
    all: Vec<Note>,
}

impl Notes {
    /// For a receiver.
    pub fn of<S: Sink>(sink: &S) -> Notes {
        Notes { watches: sink.watches(), asks_after: sink.asks_after(), ..Notes::default() }
    }

    /// The calls, in order.
    pub(crate) fn into_calls(self) -> Vec<Note> {
        self.all
    }

    /// Reports everything to the receiver, in order.
    pub fn report<S: Sink>(self, sink: &mut S) {
        for note in self.all {
            match note {
                Note::Event(event) => sink.event(event),
                Note::State(id, label) => sink.state(id, || label),
                Note::Predicate(id, text) => sink.predicate(id, || text),
                Note::Formula(id, text) => sink.formula(id, || text),
                Note::Question(question) => sink.question(|| question),
            }
        }
    }

    fn add(&mut self, note: impl FnOnce() -> Note) {
        if self.watches {
            self.all.push(note());
        }
    }
}

impl Sink for Notes {
    fn watches(&self) -> bool {
        self.watches
    }

    fn event(&mut self, event: impl Into<Event>) {
        self.events += 1;
        self.add(|| Note::Event(event.into()));
    }

    fn state(&mut self, id: NodeId, label: impl FnOnce() -> Label) {
        self.add(|| Note::State(id, label()));
    }

    fn predicate(&mut self, id: PredicateId, text: impl FnOnce() -> String) {
        self.add(|| Note::Predicate(id, text()));
    }

    fn formula(&mut self, id: FormulaId, text: impl FnOnce() -> String) {
        self.add(|| Note::Formula(id, text()));
    }

    fn asks_after(&self) -> Option<usize> {
        self.asks_after?.checked_sub(self.events)
    }

    fn question(&mut self, question: impl FnOnce() -> Question) {
        if self.asks_after == Some(self.events) {
            self.all.push(Note::Question(question()));
        }
    }
}

/// Appends to a journal.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// What was recorded so far.
    pub journal: Journal,
}

impl Sink for Recorder {
    fn event(&mut self, event: impl Into<Event>) {
        self.journal.events.push(event.into());
    }

    fn state(&mut self, id: NodeId, label: impl FnOnce() -> Label) {
        assert_eq!(id.index(), self.journal.states.len(), "node ids are dense");
        self.journal.states.push(label());
    }

    fn predicate(&mut self, id: PredicateId, text: impl FnOnce() -> String) {
        assert_eq!(id.index(), self.journal.predicates.len(), "predicate ids are dense");
        self.journal.predicates.push(text());
    }

    fn formula(&mut self, id: FormulaId, text: impl FnOnce() -> String) {
        assert_eq!(id.index(), self.journal.formulas.len(), "formula ids are dense");
        self.journal.formulas.push(text());
    }
}
