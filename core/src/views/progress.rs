//! The progress of a run: its phase, its iterations and their counts.

use crate::kit::{Counted, Event, Journal, Phase, Verdict, View};

/// The counts of one iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct IterationView {
    /// The number of its first event.
    pub start: usize,
    /// Nodes added.
    pub nodes: u32,
    /// Nodes covered.
    pub covered: u32,
    /// Predicates found, each as often as locations that track it.
    pub predicates: u32,
    /// Variables found, each as often as locations that track it.
    pub variables: u32,
    /// Queries to the solver.
    pub queries: u32,
}

/// The loop strip and the counts beside it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgressView {
    /// The phase of the last event that has one.
    pub phase: Option<Phase>,
    /// All iterations so far.
    pub iterations: Vec<IterationView>,
    /// The verdict, at the end.
    pub verdict: Option<Verdict>,
    applied: usize,
}

impl View for ProgressView {
    fn apply(&mut self, event: &Event, _: &Journal) {
        if let Event::IterationStarted { .. } = event {
            self.iterations.push(IterationView { start: self.applied, ..IterationView::default() });
        }
        self.phase = event.phase().or(self.phase);
        self.applied += 1;
        let Some(now) = self.iterations.last_mut() else { return };
        now.queries += event.asked();
        match event.counted() {
            Some(Counted::Node) => now.nodes += 1,
            Some(Counted::Covered) => now.covered += 1,
            Some(Counted::Predicate) => now.predicates += 1,
            Some(Counted::Variable) => now.variables += 1,
            None => {}
        }
        if let Event::Decided { verdict } = *event {
            self.verdict = Some(verdict);
        }
    }
}
