//! The variables of a system that stand for the configuration, the histories and the queue of a chart.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use solver_lite::number::Q;

use super::assign;
use super::flow::Step;
use crate::chart::reading::Meaning;
use crate::chart::{Action, Chart, EventId, StateId, StateKind};
use crate::diagnostic::Span;
use crate::expr::{Binary, Enumeration, Expr, Kind, Sign, Type, VarId};
use crate::system::Op;

/// The value of a composite state that is not active.
const INACTIVE: &str = "inactive";

/// The variables of a system: the data of the chart, followed by those of the configuration.
#[derive(Debug)]
pub(super) struct Encoding {
    chart: Arc<Chart>,
    /// Names, types and places.
    pub(super) variables: Vec<(String, Type, Span)>,
    /// The types of the variables of composite states, of the event, and of the queue.
    pub(super) enumerations: Vec<Arc<Enumeration>>,
    /// By composite state: the active substate.
    current: BTreeMap<StateId, VarId>,
    /// By history and composite state: the substate that was active.
    recorded: BTreeMap<(StateId, StateId), VarId>,
    /// By history of a parallel state: has it recorded anything?
    has_recorded: BTreeMap<StateId, VarId>,
    /// By region whose activity actions depend on: is it active?
    regions: BTreeMap<StateId, VarId>,
    /// The variables that record which transitions are selected.
    flags: Vec<VarId>,
    /// The last event of the environment.
    event: VarId,
    /// The events that can be in the queue,
    pub(super) queued: Vec<EventId>,
    /// and its places, the first one first.
    queue: Vec<VarId>,
}

impl Encoding {
    pub(super) fn new(chart: &Arc<Chart>) -> Encoding {
        let mut new = Encoding {
            chart: Arc::clone(chart),
            variables: chart.variables.iter().map(|v| (v.name.clone(), v.ty.clone(), v.span)).collect(),
            enumerations: Vec::new(),
            current: BTreeMap::new(),
            recorded: BTreeMap::new(),
            has_recorded: BTreeMap::new(),
            regions: BTreeMap::new(),
            flags: Vec::new(),
            event: VarId::new(0),
            queued: queued(chart),
            queue: Vec::new(),
        };
        let composite = |s: &StateId| chart.state(*s).kind == StateKind::Composite;
        for s in chart.state_ids().filter(composite) {
            let literals = chart.substates(s).map(|child| chart.state(child).label.clone());
            let name =
                if s == Chart::ROOT { "state".to_owned() } else { format!("{}.state", chart.state(s).name) };
            let v = new.enumeration(name, literals.collect(), INACTIVE, chart.state(s).span);
            new.current.insert(s, v);
        }
        for h in chart.state_ids().filter(|s| chart.is_history(*s)) {
            new.history(h);
        }
        for s in mentioned(chart) {
            if chart.state(s).parent.is_some_and(|p| chart.state(p).kind == StateKind::Parallel) {
                let v =
                    new.variable(format!("{}.active", chart.state(s).name), Type::Bool, chart.state(s).span);
                new.regions.insert(s, v);
            }
        }
        let external = chart.events.iter().filter(|e| e.external).map(|e| e.name.clone()).collect();
        new.event = new.enumeration("event".to_owned(), external, "none", Span::default());
        if !new.queued.is_empty() {
            let names: Vec<String> = new.queued.iter().map(|e| chart.event(*e).name.clone()).collect();
            for i in 1..=chart.capacity {
                let v = new.enumeration(format!("queue.{i}"), names.clone(), "none", Span::default());
                new.queue.push(v);
            }
        }
        new
    }

    fn history(&mut self, h: StateId) {
        let chart = Arc::clone(&self.chart);
        let state = chart.state(h);
        let parent = state.parent.expect("a history is inside of a state");
        if chart.state(parent).kind == StateKind::Parallel {
            let v = self.variable(format!("{}.recorded", state.name), Type::Bool, state.span);
            self.has_recorded.insert(h, v);
        }
        let deep = state.kind == StateKind::History { deep: true };
        let inside = chart.inside(parent).filter(|_| deep);
        for s in std::iter::once(parent).chain(inside) {
            if let Some(v) = self.current.get(&s) {
                let ty = self.variables[v.index()].1.clone();
                let name = match s == parent {
                    true => format!("{}.last", state.name),
                    false => format!("{}.last.{}", state.name, chart.state(s).label),
                };
                let v = self.variable(name, ty, state.span);
                self.recorded.insert((h, s), v);
            }
        }
    }

    fn variable(&mut self, name: String, ty: Type, span: Span) -> VarId {
        let mut unique = name.clone();
        let mut n = 1;
        while self.variables.iter().any(|(other, ..)| *other == unique) {
            n += 1;
            unique = format!("{name}_{n}");
        }
        self.variables.push((unique, ty, span));
        VarId::new(self.variables.len() - 1)
    }

    /// A variable with a type of its own, whose first value is `none`, or a similar name.
    fn enumeration(&mut self, name: String, mut literals: Vec<String>, none: &str, span: Span) -> VarId {
        let mut first = none.to_owned();
        while literals.contains(&first) {
            first.push('_');
        }
        literals.insert(0, first);
        let known = self
            .enumerations
            .iter()
            .find(|e| e.literals == literals && e.name == "queue.1" && none == "none");
        let ty = known.cloned().unwrap_or_else(|| {
            let new = Arc::new(Enumeration { name: name.clone(), literals });
            self.enumerations.push(Arc::clone(&new));
            new
        });
        self.variable(name, Type::Enum(ty), span)
    }

    /// The variable of the `n`-th selection of a microstep.
    pub(super) fn flag(&mut self, n: usize) -> VarId {
        while self.flags.len() <= n {
            let name = format!("selected.{}", self.flags.len() + 1);
            let v = self.variable(name, Type::Bool, Span::default());
            self.flags.push(v);
        }
        self.flags[n]
    }

    /// What each variable stands for.
    pub(super) fn meaning(&self) -> Vec<Meaning> {
        let mut all = vec![Meaning::Selected; self.variables.len()];
        all[..self.chart.variables.len()].fill(Meaning::Data);
        self.current.iter().for_each(|(s, v)| all[v.index()] = Meaning::Current(*s));
        self.recorded.iter().for_each(|((h, s), v)| all[v.index()] = Meaning::Recorded(*h, *s));
        self.has_recorded.iter().for_each(|(h, v)| all[v.index()] = Meaning::HasRecorded(*h));
        self.regions.iter().for_each(|(s, v)| all[v.index()] = Meaning::Region(*s));
        all[self.event.index()] = Meaning::Event;
        self.queue.iter().enumerate().for_each(|(i, v)| all[v.index()] = Meaning::Queue(i));
        all
    }

    /// The variables of the configuration, which are control.
    pub(super) fn control(&self) -> BTreeSet<VarId> {
        self.current.values().copied().collect()
    }

    fn var(&self, v: VarId) -> Expr {
        Expr::var(v, self.variables[v.index()].1.clone())
    }

    fn literal(&self, v: VarId, n: usize) -> Expr {
        let number = Q::from(i64::try_from(n).expect("few values"));
        Expr::num(number, self.variables[v.index()].1.clone())
    }

    fn equals(&self, v: VarId, n: usize) -> Expr {
        Expr::compare(Binary::Eq, self.var(v), self.literal(v, n))
    }

    /// The number of a substate among the values of the variable of its parent.
    fn number(&self, state: StateId) -> usize {
        let parent = self.chart.state(state).parent.expect("the chart is no substate");
        let at = self.chart.substates(parent).position(|s| s == state);
        1 + at.expect("a substate of its parent")
    }

    /// The condition that a state is active, where transitions are chosen.
    pub(super) fn inside(&self, state: StateId) -> Expr {
        let Some(parent) = self.chart.state(state).parent else { return Expr::bool(true) };
        if self.chart.is_history(state) {
            return Expr::bool(false);
        }
        match self.current.get(&parent) {
            Some(v) => self.equals(*v, self.number(state)),
            None => self.inside(parent),
        }
    }

    /// An expression of the chart over the variables of the system.
    pub(super) fn expr(&self, e: &Expr) -> Expr {
        if let Kind::Var(v) = e.kind
            && let Some(state) = self.chart.state_of(v)
        {
            return match self.regions.get(&state) {
                Some(flag) => self.var(*flag),
                None => self.inside(state),
            };
        }
        let mut e = e.clone();
        for child in e.children_mut() {
            *child = self.expr(child);
        }
        e
    }

    /// All variables before the first microstep.
    pub(super) fn initial_values(&self) -> Op {
        let value = |(i, (_, ty, _)): (usize, &(String, Type, Span))| {
            let own = self.chart.variables.get(i);
            let none = || match ty {
                Type::Bool => Expr::bool(false),
                _ => Expr::num(Q::ZERO, ty.clone()),
            };
            let value = own.map(|v| {
                let initial = v.initial.as_ref().and_then(Expr::as_constant).unwrap_or_else(|| v.least());
                Expr::constant(initial, ty.clone())
            });
            (VarId::new(i), value.unwrap_or_else(none))
        };
        Op::Update(self.variables.iter().enumerate().map(value).collect())
    }

    /// A state becomes active,
    pub(super) fn activate(&self, state: StateId) -> Vec<Step> {
        self.set(state, true)
    }

    /// or inactive.
    pub(super) fn deactivate(&self, state: StateId) -> Vec<Step> {
        self.set(state, false)
    }

    fn set(&self, state: StateId, active: bool) -> Vec<Step> {
        let parent = self.chart.state(state).parent.expect("the chart stays active");
        let current = self
            .current
            .get(&parent)
            .map(|v| assign(*v, self.literal(*v, if active { self.number(state) } else { 0 })));
        let flag = self.regions.get(&state).map(|v| assign(*v, Expr::bool(active)));
        current.into_iter().chain(flag).collect()
    }

    /// Is the activity of this region kept in a variable of its own?
    pub(super) fn has_flag(&self, state: StateId) -> bool {
        self.regions.contains_key(&state)
    }

    /// What a history records when its state is left.
    pub(super) fn record(&self, h: StateId) -> Vec<Step> {
        let all = self.recorded.range((h, StateId(0))..=(h, StateId(u32::MAX)));
        let values = all.map(|((_, s), v)| assign(*v, self.var(self.current[s])));
        let flag = self.has_recorded.get(&h).map(|v| assign(*v, Expr::bool(true)));
        values.chain(flag).collect()
    }

    /// The condition that a history has recorded nothing.
    pub(super) fn has_no_record(&self, h: StateId) -> Expr {
        match self.has_recorded.get(&h) {
            Some(v) => self.var(*v).negated(),
            None => {
                let parent = self.chart.state(h).parent.expect("a history is inside of a state");
                self.equals(self.recorded[&(h, parent)], 0)
            }
        }
    }

    /// The condition that a history has recorded these substates of composite states.
    pub(super) fn has_record(&self, h: StateId, substates: &[StateId]) -> Expr {
        let flag = self.has_recorded.get(&h).map(|v| self.var(*v));
        let values = substates.iter().map(|s| {
            let parent = self.chart.state(*s).parent.expect("a substate");
            self.equals(self.recorded[&(h, parent)], self.number(*s))
        });
        Expr::and(flag.into_iter().chain(values).collect())
    }

    /// The condition that this was the last event of the environment.
    pub(super) fn is_event(&self, event: EventId) -> Expr {
        self.equals(self.event, self.event_number(event))
    }

    fn event_number(&self, event: EventId) -> usize {
        1 + self.chart.events[..event.index()].iter().filter(|e| e.external).count()
    }

    /// The environment sends an event, with any values of its parameters.
    pub(super) fn reception(&self, event: EventId) -> Vec<Step> {
        let mut steps = vec![assign(self.event, self.literal(self.event, self.event_number(event)))];
        for v in &self.chart.event(event).parameters {
            steps.push(Step::Do(Op::Havoc(*v)));
            if let Some((least, greatest)) = &self.chart.variables[v.index()].range {
                let within = within(&self.var(*v), least, greatest);
                steps.push(Step::Do(Op::Assume(within)));
            }
        }
        if self.chart.event(event).name == Chart::TICK {
            for (state, clock) in &self.chart.clocks {
                let Some((_, greatest)) = &self.chart.variables[clock.index()].range else { continue };
                let last = Expr::num(greatest.clone(), Type::Int);
                let early = Expr::compare(Binary::Lt, self.var(*clock), last);
                let one = Expr::num(Q::ONE, Type::Int);
                let kind = Kind::Sum(vec![(Sign::Plus, self.var(*clock)), (Sign::Plus, one)]);
                let later = Expr { kind, ty: Type::Int, span: Span::default() };
                let runs = Expr::and(vec![self.inside(*state), early]);
                steps.push(Step::when(runs, vec![assign(*clock, later)]));
            }
        }
        steps
    }

    /// Appends an event to the queue.
    pub(super) fn enqueue(&self, event: EventId) -> Vec<Step> {
        let Some(n) = self.queued.iter().position(|e| *e == event) else { return Vec::new() };
        let place = |v: &VarId| (self.equals(*v, 0), vec![assign(*v, self.literal(*v, n + 1))]);
        let full = vec![Step::Fault(format!(
            "the queue of raised events overflows ({})",
            self.chart.event(event).name
        ))];
        vec![Step::If(self.queue.iter().map(place).collect(), full)]
    }

    /// The condition that an event is the first one in the queue.
    pub(super) fn is_next(&self, event: EventId) -> Expr {
        let n = self.queued.iter().position(|e| *e == event).expect("it can be in the queue");
        self.equals(self.queue[0], n + 1)
    }

    /// Removes the first event of the queue.
    pub(super) fn dequeue(&self) -> Vec<Step> {
        let moves = self.queue.windows(2).map(|pair| (pair[0], self.var(pair[1])));
        let last = self.queue.last().map(|v| (*v, self.literal(*v, 0)));
        vec![Step::Do(Op::Update(moves.chain(last).collect()))]
    }
}

/// `least <= e && e <= greatest`
pub(super) fn within(e: &Expr, least: &Q, greatest: &Q) -> Expr {
    let number = |q: &Q| Expr::num(q.clone(), Type::Int);
    let above = Expr::compare(Binary::Ge, e.clone(), number(least));
    let below = Expr::compare(Binary::Le, e.clone(), number(greatest));
    Expr::and(vec![above, below])
}

/// All actions of a chart.
fn visit_actions<'a>(chart: &'a Chart, visit: &mut dyn FnMut(&'a Action)) {
    fn all<'a>(actions: &'a [Action], visit: &mut dyn FnMut(&'a Action)) {
        for action in actions {
            visit(action);
            if let Action::If(branches, otherwise) = action {
                branches.iter().for_each(|(_, body)| all(body, visit));
                all(otherwise, visit);
            }
        }
    }
    for state in &chart.states {
        [&state.entry, &state.exit, &state.initial.actions].into_iter().for_each(|a| all(a, visit));
    }
    chart.transitions.iter().for_each(|t| all(&t.actions, visit));
}

/// The events that are raised, and for which a transition waits.
fn queued(chart: &Chart) -> Vec<EventId> {
    let mut raised = BTreeSet::new();
    visit_actions(chart, &mut |action| {
        if let Action::Raise(event, _) = action {
            raised.insert(*event);
        }
    });
    raised.extend(chart.state_ids().filter_map(|s| chart.completion(s)));
    let awaited = |e: &EventId| {
        let triggers = chart.transitions.iter().filter_map(|t| t.trigger.as_ref());
        triggers.into_iter().any(|t| t.events.contains(e))
    };
    raised.into_iter().filter(awaited).collect()
}

/// The states whose activity actions depend on.
fn mentioned(chart: &Chart) -> BTreeSet<StateId> {
    let mut all = BTreeSet::new();
    let mut of = |e: &Expr| all.extend(e.variables().into_iter().filter_map(|v| chart.state_of(v)));
    visit_actions(chart, &mut |action| match action {
        Action::Assign(_, e, _) => of(e),
        Action::If(branches, _) => branches.iter().for_each(|(c, _)| of(c)),
        Action::Raise(..) | Action::Send(..) => {}
    });
    all
}
