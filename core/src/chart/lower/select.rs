//! The choice of the transitions of a microstep, as steps.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::Step;
use super::{Lowering, assign};
use crate::chart::configuration::History;
use crate::chart::{Chart, EventId, StateId, StateKind, TransitionId};
use crate::diagnostic::Diagnostic;
use crate::expr::{Expr, Type, VarId};

/// A transition with its domain, which can depend on what histories recorded.
#[derive(Clone, PartialEq)]
struct Candidate {
    transition: TransitionId,
    domain: Option<StateId>,
    /// Its guard, and the records of histories with which it has this domain.
    guard: Expr,
}

/// Atomic states that select the same transitions, as the largest states all of whose atomic states are among them; and
/// these transitions by priority.
type Unit = (Vec<StateId>, Vec<Candidate>);

/// The selection of a transition by active atomic states that stand together in the document.
struct Selection {
    candidate: Candidate,
    /// Is it selected by these states?
    flag: VarId,
}

impl Lowering<'_> {
    /// The microstep for an event, or for completion transitions. If there are transitions that are taken, it goes to
    /// `settle`; otherwise what follows is executed.
    pub(super) fn reaction(&mut self, event: Option<EventId>) -> Result<Vec<Step>, Vec<Diagnostic>> {
        let chart = self.chart;
        let waits = |t: &TransitionId| match (&chart.transition(*t).trigger, event) {
            (None, None) => true,
            (Some(trigger), Some(event)) => trigger.events.contains(&event),
            _ => false,
        };
        let all: Vec<Candidate> =
            chart.transition_ids().filter(waits).flat_map(|t| self.candidates(t)).collect();
        let together = |a: &Candidate| all.iter().any(|b| self.are_compatible(a, b));
        if !all.iter().any(together) {
            return self.select_one(Chart::ROOT, &all);
        }
        let units = self.units(&all);
        if self.are_independent(&units) {
            self.take_in_turn(units, event)
        } else {
            self.select_several(units)
        }
    }

    /// The domains of a transition. There can be several only if it is inside of a state and leads to the state's own
    /// history.
    fn candidates(&self, id: TransitionId) -> Vec<Candidate> {
        let chart = self.chart;
        let t = chart.transition(id);
        let guard = t.condition.as_ref().map_or(Expr::bool(true), |c| self.encoding.expr(c));
        let own = |h: &StateId| {
            let parent = chart.state(*h).parent.expect("the chart is no target");
            chart.is_history(*h) && chart.is_inside(t.source, parent)
        };
        if !t.targets.iter().any(own) {
            let domain = chart.domain(t, &History::new());
            return vec![Candidate { transition: id, domain, guard }];
        }
        let mut by_domain: BTreeMap<Option<StateId>, Vec<Expr>> = BTreeMap::new();
        let mut open = vec![(Vec::new(), History::new(), t.targets.clone())];
        while let Some((conditions, history, mut targets)) = open.pop() {
            let Some(h) = targets.pop() else {
                by_domain.entry(chart.domain(t, &history)).or_default().push(Expr::and(conditions));
                continue;
            };
            if !chart.is_history(h) {
                open.push((conditions, history, targets));
                continue;
            }
            for (recorded, substates) in self.records(h) {
                let condition = self.encoding.has_record(h, &substates);
                let mut history = history.clone();
                history.insert(h, recorded);
                open.push(([&conditions[..], &[condition]].concat(), history, targets.clone()));
            }
            // The default can be another history.
            targets.extend(&chart.state(h).initial.targets);
            open.push(([&conditions[..], &[self.encoding.has_no_record(h)]].concat(), history, targets));
        }
        let candidate = |(domain, ways): (Option<StateId>, Vec<Expr>)| Candidate {
            transition: id,
            domain,
            guard: Expr::and(vec![Expr::or(ways), guard.clone()]),
        };
        by_domain.into_iter().map(candidate).collect()
    }

    /// Do two transitions leave a common state?
    fn conflict(&self, a: &Candidate, b: &Candidate) -> bool {
        match (a.domain, b.domain) {
            (Some(a), Some(b)) => a == b || self.chart.is_inside(a, b) || self.chart.is_inside(b, a),
            _ => false,
        }
    }

    /// Can two different transitions be taken in the same microstep?
    fn are_compatible(&self, a: &Candidate, b: &Candidate) -> bool {
        let chart = self.chart;
        let sources = (chart.transition(a.transition).source, chart.transition(b.transition).source);
        let is_parallel = |s: StateId| chart.state(s).kind == StateKind::Parallel;
        let orthogonal = match sources {
            (s, t) if s == t => false,
            (inner, outer) | (outer, inner) if chart.is_inside(inner, outer) => {
                let between = |s: &StateId| *s == outer || chart.is_inside(*s, outer);
                chart.around(inner).take_while(between).any(is_parallel)
            }
            (s, t) => chart.around(s).find(|around| chart.is_inside(t, *around)).is_some_and(is_parallel),
        };
        orthogonal && !self.conflict(a, b)
    }

    /// At most one transition is taken: that of the innermost active state.
    fn select_one(&self, state: StateId, all: &[Candidate]) -> Result<Vec<Step>, Vec<Diagnostic>> {
        let chart = self.chart;
        let has_some = |s: &StateId| {
            let sources = all.iter().map(|c| chart.transition(c.transition).source);
            sources.into_iter().any(|source| source == *s || chart.is_inside(source, *s))
        };
        let mut steps = Vec::new();
        let below: Vec<StateId> = chart.substates(state).filter(has_some).collect();
        if chart.state(state).kind == StateKind::Parallel {
            for region in below {
                steps.extend(self.select_one(region, all)?);
            }
        } else if !below.is_empty() {
            let mut cases = Vec::new();
            for s in below {
                cases.push((self.encoding.inside(s), self.select_one(s, all)?));
            }
            steps.push(Step::Switch(cases, Vec::new()));
        }
        let mut own = Vec::new();
        for c in all.iter().filter(|c| chart.transition(c.transition).source == state) {
            own.push((c.guard.clone(), self.take_one(c)?));
        }
        if !own.is_empty() {
            steps.push(Step::If(own, Vec::new()));
        }
        Ok(steps)
    }

    /// A microstep with one transition.
    fn take_one(&self, c: &Candidate) -> Result<Vec<Step>, Vec<Diagnostic>> {
        let mut steps = self.taken(c)?;
        steps.push(Step::Go(self.places.settle, String::new()));
        Ok(steps)
    }

    /// What a transition leaves, its actions, and what it enters.
    fn taken(&self, c: &Candidate) -> Result<Vec<Step>, Vec<Diagnostic>> {
        let t = self.chart.transition(c.transition);
        let mut steps = vec![Step::Label(self.chart.transition_text(c.transition), t.span)];
        if let Some(domain) = c.domain {
            steps.extend(self.record_inside(domain));
            steps.extend(self.leave_inside(domain));
        }
        steps.extend(self.actions(&t.actions));
        if let Some(domain) = c.domain {
            steps.extend(self.enter_targets(t, domain)?);
        }
        Ok(steps)
    }

    /// Can the transitions of each group be selected and executed before those of the next one are selected?
    fn are_independent(&self, units: &[Unit]) -> bool {
        let effects =
            |(_, all): &Unit| all.iter().map(|c| self.effects(c.transition, c.domain)).collect::<Vec<_>>();
        let effects: Vec<_> = units.iter().map(effects).collect();
        (0..units.len()).all(|i| {
            (i + 1..units.len()).all(|j| {
                let pairs = || units[i].1.iter().flat_map(|a| units[j].1.iter().map(move |b| (a, b)));
                let apart = pairs().all(|(a, b)| a.transition != b.transition && !self.conflict(a, b));
                apart && effects[i].iter().all(|a| effects[j].iter().all(|b| a.precedes(b)))
            })
        })
    }

    /// The transitions of one group after the other.
    fn take_in_turn(
        &mut self,
        units: Vec<Unit>,
        event: Option<EventId>,
    ) -> Result<Vec<Step>, Vec<Diagnostic>> {
        // After completion transitions it is tried again whether there are any.
        let flag = if event.is_none() { Some(self.encoding.flag(0)) } else { None };
        let mut steps = Vec::new();
        for (leaves, candidates) in units {
            let mut cases = Vec::new();
            for c in &candidates {
                let mut body = self.taken(c)?;
                body.extend(flag.map(|flag| assign(flag, Expr::bool(true))));
                cases.push((c.guard.clone(), body));
            }
            let active = Expr::or(leaves.iter().map(|s| self.encoding.inside(*s)).collect());
            steps.push(Step::when(active, vec![Step::If(cases, Vec::new())]));
        }
        if let Some(flag) = flag {
            let again = vec![assign(flag, Expr::bool(false)), Step::Go(self.places.settle, String::new())];
            steps.push(Step::when(truth(flag), again));
        }
        Ok(steps)
    }

    /// Several transitions can be taken: they are selected first, and then executed together.
    fn select_several(&mut self, units: Vec<Unit>) -> Result<Vec<Step>, Vec<Diagnostic>> {
        let mut steps = Vec::new();
        let mut selections: Vec<Selection> = Vec::new();
        for (leaves, candidates) in units {
            let (mut cases, known) = (Vec::new(), selections.len());
            for candidate in candidates {
                let flag = self.encoding.flag(selections.len());
                cases.push((candidate.guard.clone(), self.select(&candidate, flag, &selections[..known])));
                selections.push(Selection { candidate, flag });
            }
            let active = Expr::or(leaves.iter().map(|s| self.encoding.inside(*s)).collect());
            steps.push(Step::when(active, vec![Step::If(cases, Vec::new())]));
        }
        let any = Expr::or(selections.iter().map(|s| truth(s.flag)).collect());
        let mut execution = self.execute(&selections)?;
        execution.extend(selections.iter().map(|s| assign(s.flag, Expr::bool(false))));
        execution.push(Step::Go(self.places.settle, String::new()));
        steps.push(Step::when(any, execution));
        Ok(steps)
    }

    /// The atomic states, in document order, in groups that select the same transitions.
    fn units(&self, all: &[Candidate]) -> Vec<Unit> {
        let chart = self.chart;
        let mut units: Vec<Unit> = Vec::new();
        for leaf in chart.state_ids().filter(|s| chart.is_atomic(*s)) {
            let path = std::iter::once(leaf).chain(chart.around(leaf));
            let of =
                |s: StateId| all.iter().filter(move |c| chart.transition(c.transition).source == s).cloned();
            let candidates: Vec<Candidate> = path.flat_map(of).collect();
            match units.last_mut() {
                Some((leaves, same)) if *same == candidates => leaves.push(leaf),
                _ => units.push((vec![leaf], candidates)),
            }
        }
        units.retain(|(_, candidates)| !candidates.is_empty());
        for (leaves, _) in &mut units {
            *leaves = self.joined(leaves);
        }
        units
    }

    /// The largest states whose atomic states are among these.
    fn joined(&self, leaves: &[StateId]) -> Vec<StateId> {
        let chart = self.chart;
        let covers = |s: StateId| {
            let mut inside = std::iter::once(s).chain(chart.inside(s)).filter(|s| chart.is_atomic(*s));
            inside.all(|leaf| leaves.contains(&leaf))
        };
        let mut all: Vec<StateId> = Vec::new();
        for leaf in leaves {
            let largest = chart.around(*leaf).take_while(|s| covers(*s)).last().unwrap_or(*leaf);
            if !all.contains(&largest) {
                all.push(largest);
            }
        }
        all
    }

    /// Selects a transition, unless one of higher priority conflicts with it.
    fn select(&self, c: &Candidate, flag: VarId, earlier: &[Selection]) -> Vec<Step> {
        let source = |c: &Candidate| self.chart.transition(c.transition).source;
        let (mut beaten, mut stronger) = (Vec::new(), Vec::new());
        for other in earlier {
            if other.candidate.transition == c.transition {
                stronger.push(truth(other.flag));
            } else if self.conflict(c, &other.candidate) {
                if self.chart.is_inside(source(c), source(&other.candidate)) {
                    beaten.push(assign(other.flag, Expr::bool(false)));
                } else {
                    stronger.push(truth(other.flag));
                }
            }
        }
        beaten.push(assign(flag, Expr::bool(true)));
        if stronger.is_empty() { beaten } else { vec![Step::when(Expr::or(stronger).negated(), beaten)] }
    }

    /// Executes the selected transitions: what they leave, their actions, what they enter.
    fn execute(&self, selections: &[Selection]) -> Result<Vec<Step>, Vec<Diagnostic>> {
        let selected = |wanted: &dyn Fn(&Candidate) -> bool| {
            let flags = selections.iter().filter(|s| wanted(&s.candidate)).map(|s| truth(s.flag));
            Expr::or(flags.collect())
        };
        let domains: BTreeSet<StateId> = selections.iter().filter_map(|s| s.candidate.domain).collect();
        let of = |d: StateId| selected(&|c| c.domain == Some(d));
        let mut steps = Vec::new();
        for d in &domains {
            steps.push(Step::when(of(*d), self.record_inside(*d)));
        }
        for d in domains.iter().rev() {
            steps.push(Step::when(of(*d), self.leave_inside(*d)));
        }
        for Selection { candidate: c, flag } in selections {
            let t = self.chart.transition(c.transition);
            let mut body = vec![Step::Label(self.chart.transition_text(c.transition), t.span)];
            body.extend(self.actions(&t.actions));
            steps.push(Step::when(truth(*flag), body));
        }
        let entering: BTreeSet<(StateId, TransitionId)> =
            selections.iter().filter_map(|s| Some((s.candidate.domain?, s.candidate.transition))).collect();
        for (d, t) in entering {
            let body = self.enter_targets(self.chart.transition(t), d)?;
            let chosen = selected(&|c| c.transition == t && c.domain == Some(d));
            steps.push(Step::when(chosen, body));
        }
        Ok(steps)
    }
}

/// A variable as a condition.
fn truth(v: VarId) -> Expr {
    Expr::var(v, Type::Bool)
}
