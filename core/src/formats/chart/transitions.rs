//! Transitions and actions.

use std::sync::Arc;

use solver_lite::number::Q;

use super::{Builder, WrittenAction, WrittenTransition};
use crate::chart::{Action, Chart, EventId, StateId, StateKind, Transition, TransitionId, Trigger};
use crate::diagnostic::limits;
use crate::expr::{Binary, Expr, Type};

impl Builder<'_> {
    /// Transitions and actions.
    pub(super) fn contents(&mut self) {
        let root = &self.written.states[0];
        let leaves = |t: &&WrittenTransition| !t.targets.is_empty() || t.after.is_some();
        if let Some(t) = root.transitions.iter().find(leaves) {
            let message =
                "the chart itself cannot be left; put its states into one to give it this transition";
            self.error(t.span, message);
        } else if !root.entry.is_empty() || !root.exit.is_empty() {
            self.error(root.name.span, "the chart itself has no actions on entry and exit; states have");
        }
        for (i, state) in self.written.states.iter().enumerate() {
            let id = StateId::new(i);
            self.at = id;
            let entry = self.actions(&state.entry);
            let exit = self.actions(&state.exit);
            let initial = self.initial(id, state);
            for t in &state.transitions {
                self.transition(id, t);
            }
            let built = &mut self.chart.states[i];
            (built.entry, built.exit, built.initial) = (entry, exit, initial);
        }
        self.clocks();
        self.chart.properties.clone_from(&self.written.properties);
        self.chart.pins = Arc::new(self.written.pins.clone());
    }

    pub(super) fn transition(&mut self, source: StateId, t: &WrittenTransition) {
        if matches!(self.chart.state(source).kind, StateKind::Final | StateKind::History { .. }) {
            let state = self.chart.state(source);
            let kind = if state.kind == StateKind::Final { "final state" } else { "history" };
            return self.error(t.span, format!("the {kind} '{}' cannot have transitions", state.name));
        }
        let trigger = t.events.as_ref().map(|names| {
            let waits = |e: &EventId| names.iter().any(|n| self.matches(&n.text, &self.chart.event(*e).name));
            let events = self.chart.event_ids().filter(waits).collect();
            let text = names.iter().map(|n| n.text.as_str()).collect::<Vec<_>>().join(", ");
            Trigger { events, text }
        });
        let mut targets = Vec::new();
        for name in &t.targets {
            targets.extend(self.target(name, source));
        }
        if !self.are_together(&targets, t.span) {
            return;
        }
        let guard = match &t.guard {
            Some(guard) => self.expression(guard, &Type::Bool),
            None => None,
        };
        let (trigger, condition) = match t.after {
            Some((time, span)) => {
                let Some(clock) = self.scopes.clocks.get(&source).copied() else { return };
                let time_of = Expr::num(Q::from(i64::from(time)), Type::Int);
                let late = Expr::compare(Binary::Ge, Expr::var(clock, Type::Int), time_of).at(span);
                let events = self.chart.find_event(Chart::TICK).into_iter().collect();
                let all = std::iter::once(late).chain(guard.clone()).collect();
                (Some(Trigger { events, text: format!("after {time}") }), Some(Expr::and(all)))
            }
            None => (trigger, guard.clone()),
        };
        let actions = self.actions(&t.actions);
        let id = TransitionId::new(self.chart.transitions.len());
        if self.chart.transitions.len() >= limits::GRAPH {
            return self.error(t.span, format!("too many transitions, the limit is {}", limits::GRAPH));
        }
        let transition = Transition {
            source,
            targets,
            trigger,
            guard,
            after: t.after.map(|(time, _)| time),
            condition,
            internal: t.internal,
            actions,
            span: t.span,
        };
        self.chart.transitions.push(transition);
        self.chart.states[source.index()].transitions.push(id);
    }

    pub(super) fn actions(&mut self, all: &[WrittenAction]) -> Vec<Action> {
        all.iter().filter_map(|a| self.action(a)).collect()
    }

    pub(super) fn action(&mut self, action: &WrittenAction) -> Option<Action> {
        Some(match action {
            WrittenAction::Assign(name, value) => {
                let Some((v, ty)) = self.scopes.names.get(&name.text).cloned() else {
                    self.error(name.span, format!("unknown variable '{}'", name.text));
                    return None;
                };
                Action::Assign(v, self.expression(value, &ty)?, name.span)
            }
            WrittenAction::Raise(name) => Action::Raise(self.event(name, false), name.span),
            WrittenAction::Send(name) => Action::Send(self.event(name, false), name.span),
            WrittenAction::If(branches, otherwise) => {
                let mut all = Vec::new();
                for (condition, body) in branches {
                    let condition = self.expression(condition, &Type::Bool);
                    all.push((condition, self.actions(body)));
                }
                let otherwise = self.actions(otherwise);
                let all = all.into_iter().map(|(c, body)| Some((c?, body))).collect::<Option<_>>()?;
                Action::If(all, otherwise)
            }
        })
    }
}
