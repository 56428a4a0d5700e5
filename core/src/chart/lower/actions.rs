//! Actions, and what is left and entered, as steps.

use std::collections::BTreeSet;

use super::encoding::within;
use super::flow::Step;
use super::{Lowering, assign};
use crate::chart::configuration::{Entered, History};
use crate::chart::{Action, Chart, StateId, StateKind, Transition};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::Expr;

/// The limit on the combinations of what histories may have recorded.
const COMBINATIONS: usize = 1_000;

impl Lowering<'_> {
    pub(super) fn actions(&self, all: &[Action]) -> Vec<Step> {
        all.iter().flat_map(|action| self.action(action)).collect()
    }

    fn action(&self, action: &Action) -> Vec<Step> {
        match action {
            Action::Assign(v, e, _) => {
                let value = self.encoding.expr(e);
                let variable = &self.chart.variables[v.index()];
                let fits = value.as_constant().is_some_and(|value| variable.contains(&value));
                match &variable.range {
                    Some((least, greatest)) if !fits => {
                        let inside = within(&value, least, greatest);
                        let fault = vec![Step::Fault(format!("{} leaves its range", variable.name))];
                        vec![Step::If(vec![(inside, vec![assign(*v, value)])], fault)]
                    }
                    _ => vec![assign(*v, value)],
                }
            }
            Action::Raise(event, _) => self.encoding.enqueue(*event),
            Action::Send(..) => Vec::new(),
            Action::If(branches, otherwise) => {
                let branch = |(c, body): &(Expr, Vec<Action>)| (self.encoding.expr(c), self.actions(body));
                vec![Step::If(branches.iter().map(branch).collect(), self.actions(otherwise))]
            }
        }
    }

    /// Records the histories of the active states inside of a domain.
    pub(super) fn record_inside(&self, domain: StateId) -> Vec<Step> {
        let inside = self.chart.inside(domain).filter(|s| self.chart.histories(*s).next().is_some());
        let record = |s: StateId| {
            let body = self.chart.histories(s).flat_map(|h| self.encoding.record(h)).collect();
            Step::when(self.encoding.inside(s), body)
        };
        inside.map(record).collect()
    }

    /// Leaves the active states inside of a state, the innermost and last ones first.
    pub(super) fn leave_inside(&self, state: StateId) -> Vec<Step> {
        let chart = self.chart;
        match chart.state(state).kind {
            StateKind::Composite if self.is_silent(state) => {
                let all = std::iter::once(state).chain(chart.inside(state));
                let composite = all.filter(|s| chart.state(*s).kind == StateKind::Composite);
                let first = composite.filter_map(|s| chart.substates(s).next());
                first.flat_map(|s| self.encoding.deactivate(s)).collect()
            }
            StateKind::Composite => {
                let case = |s: StateId| (self.encoding.inside(s), self.leave(s));
                vec![Step::Switch(chart.substates(state).rev().map(case).collect(), Vec::new())]
            }
            StateKind::Parallel => chart.substates(state).rev().flat_map(|s| self.leave(s)).collect(),
            _ => Vec::new(),
        }
    }

    fn leave(&self, state: StateId) -> Vec<Step> {
        let mut steps = self.leave_inside(state);
        steps.extend(self.actions(&self.chart.state(state).exit));
        steps.extend(self.encoding.deactivate(state));
        steps
    }

    /// Is nothing executed when the states inside of a state are left?
    fn is_silent(&self, state: StateId) -> bool {
        let silent = |s| self.chart.state(s).exit.is_empty() && !self.encoding.has_flag(s);
        self.chart.inside(state).all(silent)
    }

    /// Enters the initial state of the chart.
    pub(super) fn initial_entry(&self) -> Result<Vec<Step>, Vec<Diagnostic>> {
        let initial = &self.chart.state(Chart::ROOT).initial;
        let mut steps = self.actions(&initial.actions);
        steps.extend(self.enter(&initial.targets, Chart::ROOT, Span::default())?);
        Ok(steps)
    }

    /// Enters the targets of a transition.
    pub(super) fn enter_targets(
        &self,
        t: &Transition,
        domain: StateId,
    ) -> Result<Vec<Step>, Vec<Diagnostic>> {
        self.enter(&t.targets, domain, t.span)
    }

    /// The states that are entered depend on the histories: one case for each combination of their records.
    fn enter(&self, targets: &[StateId], domain: StateId, span: Span) -> Result<Vec<Step>, Vec<Diagnostic>> {
        let mut cases = Vec::new();
        let mut open = vec![(Vec::new(), History::new(), BTreeSet::new())];
        while let Some((conditions, history, decided)) = open.pop() {
            if open.len() + cases.len() > COMBINATIONS {
                let message =
                    "the histories that this transition enters have too many combinations of states";
                return Err(vec![Diagnostic::unsupported(span, message)]);
            }
            let mut entered = Entered::default();
            self.chart.enter(targets, domain, &history, &mut entered);
            let undecided = entered.defaults.values().copied().find(|h| !decided.contains(h));
            let Some(h) = undecided else {
                // The domain excludes other records.
                let reached = self.chart.effective_targets(targets, &history);
                if !reached.iter().all(|s| self.chart.is_inside(*s, domain)) {
                    continue;
                }
                cases.push((Expr::and(conditions), self.enter_all(&entered)));
                continue;
            };
            let decided: BTreeSet<StateId> = decided.iter().copied().chain([h]).collect();
            for (recorded, substates) in self.records(h) {
                let condition = self.encoding.has_record(h, &substates);
                let mut history = history.clone();
                history.insert(h, recorded);
                open.push(([&conditions[..], &[condition]].concat(), history, decided.clone()));
            }
            let none = self.encoding.has_no_record(h);
            open.push(([&conditions[..], &[none]].concat(), history, decided));
        }
        match &mut cases[..] {
            [(_, only)] => Ok(std::mem::take(only)),
            _ => Ok(vec![Step::Switch(cases, Vec::new())]),
        }
    }

    /// What a history can record: the states, and the substates of composite states that this means.
    pub(super) fn records(&self, h: StateId) -> Vec<(Vec<StateId>, Vec<StateId>)> {
        let parent = self.chart.state(h).parent.expect("a history is inside of a state");
        match self.chart.state(h).kind {
            StateKind::History { deep: true } => self.configurations(parent),
            _ if self.chart.state(parent).kind == StateKind::Parallel => {
                vec![(self.chart.substates(parent).collect(), Vec::new())]
            }
            _ => self.chart.substates(parent).map(|s| (vec![s], vec![s])).collect(),
        }
    }

    /// The possible active states inside of a state: atomic ones, and substates of composite ones.
    fn configurations(&self, state: StateId) -> Vec<(Vec<StateId>, Vec<StateId>)> {
        let chart = self.chart;
        match chart.state(state).kind {
            StateKind::Composite => {
                let below = |s: StateId| {
                    let chosen = move |(atomic, substates): (Vec<StateId>, Vec<StateId>)| {
                        (atomic, [&[s], &substates[..]].concat())
                    };
                    self.configurations(s).into_iter().map(chosen)
                };
                chart.substates(state).flat_map(below).take(COMBINATIONS + 1).collect()
            }
            StateKind::Parallel => {
                let mut all = vec![(Vec::new(), Vec::new())];
                for region in chart.substates(state) {
                    let inside = self.configurations(region);
                    let both = |(a, s): &(Vec<StateId>, Vec<StateId>)| {
                        let joined = |(b, t): &(Vec<StateId>, Vec<StateId>)| {
                            ([&a[..], b].concat(), [&s[..], t].concat())
                        };
                        inside.iter().map(joined).collect::<Vec<_>>()
                    };
                    all = all.iter().flat_map(both).take(COMBINATIONS + 1).collect();
                }
                all
            }
            _ => vec![(vec![state], Vec::new())],
        }
    }

    /// Enters states in document order.
    fn enter_all(&self, entered: &Entered) -> Vec<Step> {
        let chart = self.chart;
        let mut steps = Vec::new();
        for state in &entered.states {
            steps.extend(self.encoding.activate(*state));
            steps.extend(self.actions(&chart.state(*state).entry));
            if entered.by_default.contains(state) {
                steps.extend(self.actions(&chart.state(*state).initial.actions));
            }
            if let Some(h) = entered.defaults.get(state) {
                steps.extend(self.actions(&chart.state(*h).initial.actions));
            }
            if chart.state(*state).kind == StateKind::Final {
                steps.extend(self.complete(*state));
            }
        }
        steps
    }

    /// The events that states around a final state are complete.
    fn complete(&self, last: StateId) -> Vec<Step> {
        let chart = self.chart;
        let parent = chart.state(last).parent.expect("a final state is inside of a state");
        let Some(around) = chart.state(parent).parent else { return Vec::new() };
        let mut steps = self.done(parent);
        if chart.state(around).kind == StateKind::Parallel {
            let raised = self.done(around);
            if !raised.is_empty() {
                steps.push(Step::when(self.is_complete(around), raised));
            }
        }
        steps
    }

    fn done(&self, state: StateId) -> Vec<Step> {
        self.chart.completion(state).map(|e| self.encoding.enqueue(e)).unwrap_or_default()
    }

    /// The condition that a state is complete.
    fn is_complete(&self, state: StateId) -> Expr {
        let chart = self.chart;
        match chart.state(state).kind {
            StateKind::Composite => {
                let last = chart.substates(state).filter(|s| chart.state(*s).kind == StateKind::Final);
                let all: Vec<Expr> = last.map(|s| self.encoding.inside(s)).collect();
                if all.is_empty() { Expr::bool(false) } else { Expr::or(all) }
            }
            StateKind::Parallel => Expr::and(chart.substates(state).map(|s| self.is_complete(s)).collect()),
            _ => Expr::bool(false),
        }
    }
}
