//! The tree of states, and where composite states and histories begin.

use std::collections::HashMap;

use super::{Builder, WrittenState};
use crate::chart::{Chart, Initial, State, StateId, StateKind};
use crate::diagnostic::Span;
use crate::formats::Name;

impl Builder<'_> {
    /// The tree of states.
    pub(super) fn states(&mut self) {
        let all = &self.written.states;
        self.chart.name.clone_from(&all[0].name.text);
        let mut names: HashMap<String, Span> = HashMap::new();
        for (i, state) in all.iter().enumerate() {
            let name = match state.parent {
                Some(parent) if parent > 0 && !self.written.flat_names => {
                    format!("{}.{}", self.chart.states[parent].name, state.name.text)
                }
                _ => state.name.text.clone(),
            };
            if i > 0 && names.insert(name.clone(), state.name.span).is_some() {
                self.error(state.name.span, format!("there are two states '{name}'"));
            }
            if let Some(parent) = state.parent {
                let label = state.label.as_ref().unwrap_or(&state.name.text);
                let siblings = &self.chart.states[parent].children;
                if siblings.iter().any(|s| self.chart.state(*s).label == *label) && state.label.is_some() {
                    self.error(state.name.span, format!("there are two states '{label}' beside each other"));
                }
                self.chart.states[parent].children.push(StateId::new(i));
            }
            self.chart.states.push(State {
                name,
                folded: state.folded.is_some(),
                label: state.label.clone().unwrap_or_else(|| state.name.text.clone()),
                kind: state.kind,
                parent: state.parent.map(StateId::new),
                children: Vec::new(),
                end: StateId::new(i + 1),
                initial: Initial::default(),
                entry: Vec::new(),
                exit: Vec::new(),
                transitions: Vec::new(),
                span: state.name.span,
            });
        }
        for i in (1..all.len()).rev() {
            let (end, parent) = (self.chart.states[i].end, all[i].parent.expect("only the chart has none"));
            let around = &mut self.chart.states[parent];
            around.end = around.end.max(end);
        }
        self.kinds();
    }

    /// A state without a kind of its own is composite if there are states in it.
    pub(super) fn kinds(&mut self) {
        for s in self.chart.state_ids() {
            let inside = self.chart.substates(s).count();
            let (kind, span, name) = {
                let state = self.chart.state(s);
                (state.kind, state.span, state.name.clone())
            };
            let message = match kind {
                StateKind::Atomic | StateKind::Composite if inside > 0 => {
                    self.chart.states[s.index()].kind = StateKind::Composite;
                    continue;
                }
                _ if s == Chart::ROOT && !self.out.is_empty() => continue,
                _ if s == Chart::ROOT => "the chart has no states".to_owned(),
                StateKind::Composite | StateKind::Atomic if self.chart.histories(s).next().is_some() => {
                    format!("'{name}' has a history, but no states")
                }
                StateKind::Composite => {
                    self.chart.states[s.index()].kind = StateKind::Atomic;
                    continue;
                }
                StateKind::Parallel if inside == 0 => format!("'{name}' has no regions"),
                StateKind::Final | StateKind::History { .. } if !self.chart.state(s).children.is_empty() => {
                    format!("'{name}' cannot have states in it")
                }
                StateKind::Parallel
                    if self
                        .chart
                        .substates(s)
                        .any(|c| self.written.states[c.index()].kind == StateKind::Final) =>
                {
                    format!("a region of '{name}' is a final state; put it into a region")
                }
                _ => continue,
            };
            self.error(span, message);
        }
    }

    pub(super) fn initial(&mut self, id: StateId, state: &WrittenState) -> Initial {
        let kind = self.chart.state(id).kind;
        let Some((targets, actions)) = &state.initial else {
            let first = self.chart.substates(id).next().filter(|_| kind == StateKind::Composite);
            if matches!(kind, StateKind::History { .. }) {
                self.error(state.name.span, format!("the history '{}' has no default", state.name.text));
            }
            return Initial { targets: first.into_iter().collect(), actions: Vec::new() };
        };
        let around = match kind {
            StateKind::Composite => id,
            StateKind::History { .. } => self.chart.state(id).parent.expect("it is inside of a state"),
            _ => {
                self.error(
                    state.name.span,
                    format!("'{}' has an initial state, but is not composite", state.name.text),
                );
                return Initial::default();
            }
        };
        let mut found = Vec::new();
        for target in targets {
            let Some(t) = self.target(target, around) else { continue };
            let own = kind != StateKind::Composite && self.chart.state(t).parent == Some(around);
            if !self.chart.is_inside(t, around) || own && self.chart.is_history(t) {
                self.error(target.span, format!("'{}' is not a state that can be entered here", target.text));
                continue;
            }
            found.push(t);
        }
        let span = targets.first().map_or(state.name.span, |t| t.span);
        if found.is_empty() || !self.are_together(&found, span) {
            return Initial::default();
        }
        Initial { targets: found, actions: self.actions(actions) }
    }

    /// The state that a name denotes at a state.
    pub(super) fn target(&mut self, name: &Name, from: StateId) -> Option<StateId> {
        let scope = self.written.scope_of(from).0;
        match self.chart.state_at((scope, from), &name.text) {
            Ok(found) => Some(found),
            Err(why) => {
                self.error(name.span, why);
                None
            }
        }
    }

    /// Can the targets of a transition be active together, none inside of another? Otherwise this is reported.
    pub(super) fn are_together(&mut self, targets: &[StateId], span: Span) -> bool {
        for (i, a) in targets.iter().enumerate() {
            for b in &targets[i + 1..] {
                if !self.are_orthogonal(*a, *b) {
                    let (a, b) = (self.chart.path(*a), self.chart.path(*b));
                    self.error(span, format!("'{b}' cannot be entered together with '{a}'"));
                    return false;
                }
            }
        }
        true
    }

    /// Are two states in different regions? A history stands for the state around it.
    fn are_orthogonal(&self, a: StateId, b: StateId) -> bool {
        let chart = &self.chart;
        let meant = |s: StateId| if chart.is_history(s) { chart.around(s).next().unwrap_or(s) } else { s };
        let (a, b) = (meant(a), meant(b));
        let common = chart.around(a).find(|s| chart.is_inside(b, *s));
        let nested = a == b || chart.is_inside(a, b) || chart.is_inside(b, a);
        !nested && common.is_some_and(|s| chart.state(s).kind == StateKind::Parallel)
    }
}
