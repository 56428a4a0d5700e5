//! The events of a chart.

use std::collections::BTreeSet;

use super::{Builder, CAPACITY, WrittenAction};
use crate::chart::{Chart, Event, EventId, StateId, StateKind};
use crate::diagnostic::Span;
use crate::formats::Name;

impl Builder<'_> {
    /// The events: those that are declared, and those that transitions and actions name.
    pub(super) fn events(&mut self) {
        self.chart.prefixes = self.written.prefixes;
        self.chart.capacity = self.written.capacity.unwrap_or(CAPACITY);
        for event in &self.written.events {
            if self.chart.find_event(&event.name.text).is_some() {
                self.error(event.name.span, format!("the event '{}' is declared twice", event.name.text));
                continue;
            }
            let id = self.event(&event.name, event.external);
            for (name, ty) in &event.parameters {
                let full = format!("{}.{}", event.name.text, name.text);
                let parameter = self.variable(name, &full, Some(ty), None, false);
                self.chart.events[id.index()].parameters.extend(parameter);
            }
        }
        let mut raised = BTreeSet::new();
        for state in &self.written.states {
            let initial = state.initial.iter().flat_map(|(_, actions)| actions);
            let own = initial.chain(&state.entry).chain(&state.exit);
            own.chain(state.transitions.iter().flat_map(|t| &t.actions)).for_each(|a| a.raised(&mut raised));
        }
        let mut named = Vec::new();
        for t in self.written.states.iter().flat_map(|s| &s.transitions) {
            named.extend(t.events.iter().flatten());
            if let Some((_, span)) = t.after {
                self.event(&Name { text: Chart::TICK.to_owned(), span }, true);
            }
        }
        for name in named {
            let concrete = name.text.trim_end_matches(".*").trim_end_matches('*').trim_end_matches('.');
            let is_done = concrete.starts_with("done.");
            if concrete.is_empty() {
                self.event(&Name { text: Chart::OTHER.to_owned(), span: name.span }, true);
            } else if !is_done {
                let external = self.written.prefixes || !raised.contains(concrete);
                self.event(&Name { text: concrete.to_owned(), span: name.span }, external);
            }
        }
        for name in raised {
            self.event(&Name { text: name.to_owned(), span: Span::default() }, false);
        }
        for state in self.chart.state_ids().skip(1) {
            self.done_events(state);
        }
    }

    /// The event that a state is complete, if a transition waits for it.
    pub(super) fn done_events(&mut self, state: StateId) {
        let name = Chart::done_event(&self.chart.state(state).name);
        let completes = matches!(self.chart.state(state).kind, StateKind::Composite | StateKind::Parallel);
        let mut all = self.written.states.iter().flat_map(|s| &s.transitions);
        let waits = |name: &Name| self.matches(&name.text, &Chart::done_event(&self.chart.state(state).name));
        if completes && all.any(|t| t.events.iter().flatten().any(waits)) {
            let span = self.chart.state(state).span;
            self.event(&Name { text: name, span }, false);
        }
    }

    /// The event of that name, which is added if it is new.
    pub(super) fn event(&mut self, name: &Name, external: bool) -> EventId {
        if let Some(known) = self.chart.find_event(&name.text) {
            return known;
        }
        let (parameters, span) = (Vec::new(), name.span);
        self.chart.events.push(Event { name: name.text.clone(), external, parameters, span });
        EventId::new(self.chart.events.len() - 1)
    }

    /// Does a transition that names `written` wait for `event`?
    pub(super) fn matches(&self, written: &str, event: &str) -> bool {
        let start = written.trim_end_matches('*').trim_end_matches('.');
        let is_open = self.written.prefixes || start.len() < written.len();
        let rest = event.strip_prefix(start);
        rest.is_some_and(|rest| rest.is_empty() || start.is_empty() || is_open && rest.starts_with('.'))
    }
}

impl WrittenAction {
    /// The events that it raises.
    fn raised<'a>(&'a self, all: &mut BTreeSet<&'a str>) {
        match self {
            WrittenAction::Raise(name) => {
                all.insert(&name.text);
            }
            WrittenAction::If(branches, otherwise) => {
                branches.iter().flat_map(|(_, body)| body).chain(otherwise).for_each(|a| a.raised(all));
            }
            WrittenAction::Assign(..) | WrittenAction::Send(_) => {}
        }
    }
}
