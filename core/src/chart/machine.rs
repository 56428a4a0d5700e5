//! Execution of a chart: the algorithm of SCXML (Appendix D), macrostep by macrostep.
//!
//! A macrostep begins with an event of the environment. It is a sequence of microsteps, each of which takes a set of
//! transitions: completion transitions first, then those for the raised event that has waited longest, until neither
//! enables any. The names of the functions are those of the appendix.

use std::collections::VecDeque;
use std::fmt;

use solver_lite::number::Q;
use solver_lite::term::Value;

use super::configuration::{Entered, History, States};
use super::{Action, Chart, EventId, StateId, StateKind, TransitionId};
use crate::expr::{Expr, Type, VarId};

/// The greatest number of microsteps of a macrostep.
pub const MICROSTEPS: usize = 100_000;

/// The state of an execution between two microsteps.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Status {
    /// The active states, without the chart itself.
    pub active: States,
    /// The values of the variables.
    pub values: Vec<Value>,
    /// What histories recorded.
    pub history: History,
    /// The raised events that wait.
    pub queue: VecDeque<EventId>,
    /// False after a final state directly in the chart has been entered.
    pub running: bool,
}

/// One microstep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Microstep {
    /// The event; none for completion transitions and for the start.
    pub event: Option<EventId>,
    /// The transitions, in the order in which their actions are executed.
    pub transitions: Vec<TransitionId>,
    /// Pairs of which the first is taken only because it comes first in the text.
    pub overruled: Vec<(TransitionId, TransitionId)>,
    /// The states that are left, in order.
    pub exited: Vec<StateId>,
    /// The states that are entered, in order.
    pub entered: Vec<StateId>,
    /// The events that are raised, in order.
    pub raised: Vec<EventId>,
    /// The events that are sent to the environment, in order.
    pub sent: Vec<EventId>,
}

/// Why an execution cannot continue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// More events wait than the queue has places.
    Overflow,
    /// A variable leaves its range.
    Range(VarId),
    /// An expression has no value: a division by zero, or a number that is too large.
    Undefined,
    /// The macrostep does not end: a status is repeated.
    Livelock,
    /// The macrostep has more than [`MICROSTEPS`] microsteps.
    Limit,
}

impl Fault {
    /// A description.
    #[must_use]
    pub fn text(self, chart: &Chart) -> String {
        match self {
            Fault::Overflow => format!("more than {} raised events wait", chart.capacity),
            Fault::Range(v) => format!("'{}' leaves its range", chart.variables[v.index()].name),
            Fault::Undefined => "an expression has no value".to_owned(),
            Fault::Livelock => "the completion transitions and raised events do not end".to_owned(),
            Fault::Limit => format!("more than {MICROSTEPS} microsteps follow each other"),
        }
    }
}

/// A status with what led to it.
pub type Macrostep = (Status, Vec<Microstep>);

/// A receiver of microsteps, each with the status after it.
pub type Seen<'a> = &'a mut dyn FnMut(Microstep, &Status);

/// A macrostep whose microsteps are kept.
fn collected(execute: impl FnOnce(Seen<'_>) -> Result<Status, Fault>) -> Result<Macrostep, Fault> {
    let mut steps = Vec::new();
    let status = execute(&mut |step, _| steps.push(step))?;
    Ok((status, steps))
}

/// An executor of a chart.
pub struct Machine<'a> {
    chart: &'a Chart,
    /// For each state the event that it is complete, if a transition waits for that.
    done: Vec<Option<EventId>>,
    /// For each event: does a transition wait for it? Others do not enter the queue.
    awaited: Vec<bool>,
}

impl fmt::Debug for Machine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Machine({})", self.chart.name)
    }
}

impl<'a> Machine<'a> {
    /// An executor of this chart.
    #[must_use]
    pub fn new(chart: &'a Chart) -> Machine<'a> {
        let mut awaited = vec![false; chart.events.len()];
        let triggers = chart.transitions.iter().filter_map(|t| t.trigger.as_ref());
        triggers.flat_map(|t| &t.events).for_each(|e| awaited[e.index()] = true);
        Machine { chart, done: chart.state_ids().map(|s| chart.completion(s)).collect(), awaited }
    }

    /// Enters the chart, up to the first status in which it waits for the environment.
    ///
    /// # Errors
    /// Why there is none.
    pub fn start(&self) -> Result<Macrostep, Fault> {
        collected(|seen| self.start_with(seen))
    }

    /// The same; `seen` gets each microstep with the status after it.
    ///
    /// # Errors
    /// Why there is none.
    pub fn start_with(&self, seen: Seen<'_>) -> Result<Status, Fault> {
        let chart = self.chart;
        let mut values: Vec<Value> = Vec::new();
        for variable in &chart.variables {
            let value = variable.initial.as_ref().and_then(Expr::as_constant);
            values.push(value.unwrap_or_else(|| variable.least()));
        }
        let (active, history, queue) = (States::new(), History::new(), VecDeque::new());
        let mut status = Status { active, values, history, queue, running: true };
        let mut step = Microstep::default();
        let initial = &chart.state(Chart::ROOT).initial;
        self.execute(&initial.actions, &mut status, &mut step)?;
        let mut entered = Entered::default();
        chart.enter(&initial.targets, Chart::ROOT, &status.history, &mut entered);
        self.enter_states(&entered, &mut status, &mut step)?;
        seen(step, &status);
        self.finish(status, seen)
    }

    /// The reaction to an event with values of its parameters; the status must be one between macrosteps.
    ///
    /// # Errors
    /// Why the macrostep is not completed.
    pub fn react(&self, before: &Status, event: EventId, parameters: &[Value]) -> Result<Macrostep, Fault> {
        collected(|seen| self.react_with(before, event, parameters, seen))
    }

    /// The same; `seen` gets each microstep with the status after it.
    ///
    /// # Errors
    /// Why the macrostep is not completed.
    pub fn react_with(
        &self,
        before: &Status,
        event: EventId,
        parameters: &[Value],
        seen: Seen<'_>,
    ) -> Result<Status, Fault> {
        if !before.running {
            return Ok(before.clone());
        }
        let mut status = self.received(before, event, parameters);
        let step = self.select_transitions(&status, Some(event))?;
        let step = self.microstep(step, &mut status)?;
        seen(step, &status);
        self.finish(status, seen)
    }

    /// Does an event with values of its parameters enable a transition in a status between macrosteps?
    ///
    /// # Errors
    /// If a guard has no value.
    pub fn enables(&self, before: &Status, event: EventId, parameters: &[Value]) -> Result<bool, Fault> {
        if !before.running {
            return Ok(false);
        }
        let status = self.received(before, event, parameters);
        Ok(!self.select_transitions(&status, Some(event))?.transitions.is_empty())
    }

    /// The status in which the transitions for an event are selected.
    fn received(&self, before: &Status, event: EventId, parameters: &[Value]) -> Status {
        let mut status = before.clone();
        for (v, value) in self.chart.event(event).parameters.iter().zip(parameters) {
            status.values[v.index()] = value.clone();
        }
        if self.chart.event(event).name == Chart::TICK {
            self.pass_time(&mut status);
        }
        status
    }

    /// The clocks of active states advance.
    fn pass_time(&self, status: &mut Status) {
        for (state, clock) in &self.chart.clocks {
            let later = Value::Num(status.values[clock.index()].num() + &Q::ONE);
            if status.active.contains(state) && self.chart.variables[clock.index()].contains(&later) {
                status.values[clock.index()] = later;
            }
        }
    }

    /// Completion transitions and raised events, until there are none.
    fn finish(&self, mut status: Status, seen: Seen<'_>) -> Result<Status, Fault> {
        // Brent's search for a cycle: a status is compared with one that is replaced at powers of two.
        let (mut earlier, mut next) = (status.clone(), 1);
        for round in 1..MICROSTEPS {
            if !status.running {
                return Ok(status);
            }
            let mut step = self.select_transitions(&status, None)?;
            if step.transitions.is_empty() {
                let Some(event) = status.queue.pop_front() else { return Ok(status) };
                step = self.select_transitions(&status, Some(event))?;
            }
            let step = self.microstep(step, &mut status)?;
            seen(step, &status);
            if status == earlier {
                return Err(Fault::Livelock);
            }
            if round == next {
                (earlier, next) = (status.clone(), 2 * next);
            }
        }
        Err(Fault::Limit)
    }

    /// `selectTransitions`, `selectEventlessTransitions`: of each active atomic state the first enabled transition of
    /// it or of a state around it, without those that conflict with a transition of higher priority.
    fn select_transitions(&self, status: &Status, event: Option<EventId>) -> Result<Microstep, Fault> {
        let chart = self.chart;
        let mut enabled: Vec<TransitionId> = Vec::new();
        let mut step = Microstep { event, ..Microstep::default() };
        for state in status.active.iter().filter(|s| chart.is_atomic(**s)) {
            for s in std::iter::once(*state).chain(chart.around(*state)) {
                let mut own = Vec::new();
                for t in &chart.state(s).transitions {
                    if self.is_enabled(*t, status, event)? {
                        own.push(*t);
                    }
                }
                let [first, rest @ ..] = &own[..] else { continue };
                if !enabled.contains(first) {
                    enabled.push(*first);
                    step.overruled.extend(rest.iter().map(|t| (*first, *t)));
                }
                break;
            }
        }
        self.remove_conflicting(&enabled, status, &mut step);
        Ok(step)
    }

    fn is_enabled(&self, t: TransitionId, status: &Status, event: Option<EventId>) -> Result<bool, Fault> {
        let t = self.chart.transition(t);
        let triggered = match (&t.trigger, event) {
            (None, None) => true,
            (Some(trigger), Some(event)) => trigger.events.contains(&event),
            _ => false,
        };
        Ok(triggered
            && match &t.condition {
                Some(condition) => self.value(condition, status)?.bool(),
                None => true,
            })
    }

    /// `removeConflictingTransitions`: of two transitions that leave a common state, one whose source is inside the
    /// source of the other one has priority, and otherwise the one that was found first.
    fn remove_conflicting(&self, enabled: &[TransitionId], status: &Status, step: &mut Microstep) {
        let inside = |t: TransitionId, other: TransitionId| {
            self.chart.is_inside(self.chart.transition(t).source, self.chart.transition(other).source)
        };
        let mut chosen: Vec<(TransitionId, States)> = Vec::new();
        for t in enabled {
            let leaves = self.exit_set(*t, status);
            let conflicts = |set: &States| !leaves.is_disjoint(set);
            match chosen.iter().find(|(other, set)| conflicts(set) && !inside(*t, *other)) {
                Some((first, _)) if !inside(*first, *t) => step.overruled.push((*first, *t)),
                Some(_) => {}
                None => {
                    chosen.retain(|(_, set)| !conflicts(set));
                    chosen.push((*t, leaves));
                }
            }
        }
        step.transitions = chosen.into_iter().map(|(t, _)| t).collect();
        let Microstep { transitions, overruled, .. } = step;
        overruled.retain(|(first, _)| transitions.contains(first));
    }

    /// `computeExitSet`
    fn exit_set(&self, t: TransitionId, status: &Status) -> States {
        match self.chart.domain(self.chart.transition(t), &status.history) {
            Some(domain) => self.active_inside(domain, status),
            None => States::new(),
        }
    }

    fn active_inside(&self, domain: StateId, status: &Status) -> States {
        status.active.iter().copied().filter(|s| self.chart.is_inside(*s, domain)).collect()
    }

    /// `microstep`: leaves states, executes the actions of the transitions, and enters states.
    fn microstep(&self, mut step: Microstep, status: &mut Status) -> Result<Microstep, Fault> {
        let chart = self.chart;
        let domains: Vec<Option<StateId>> =
            step.transitions.iter().map(|t| chart.domain(chart.transition(*t), &status.history)).collect();
        let left: States = domains.iter().flatten().flat_map(|d| self.active_inside(*d, status)).collect();
        self.record(&left, status);
        for state in left.iter().rev() {
            self.execute(&chart.state(*state).exit, status, &mut step)?;
            status.active.remove(state);
            step.exited.push(*state);
        }
        for t in step.transitions.clone() {
            self.execute(&chart.transition(t).actions, status, &mut step)?;
        }
        let mut entered = Entered::default();
        for (t, domain) in step.transitions.iter().zip(domains) {
            if let Some(domain) = domain {
                chart.enter(&chart.transition(*t).targets, domain, &status.history, &mut entered);
            }
        }
        self.enter_states(&entered, status, &mut step)?;
        Ok(step)
    }

    /// What the histories of the states that are left record.
    fn record(&self, left: &States, status: &mut Status) {
        let chart = self.chart;
        for state in left {
            for history in chart.histories(*state) {
                let is_recorded = |s: &&StateId| match chart.state(history).kind {
                    StateKind::History { deep: true } => chart.is_atomic(**s) && chart.is_inside(**s, *state),
                    _ => chart.state(**s).parent == Some(*state),
                };
                let recorded = status.active.iter().filter(is_recorded).copied().collect();
                status.history.insert(history, recorded);
            }
        }
    }

    /// `enterStates`
    fn enter_states(
        &self,
        entered: &Entered,
        status: &mut Status,
        step: &mut Microstep,
    ) -> Result<(), Fault> {
        let chart = self.chart;
        for state in &entered.states {
            status.active.insert(*state);
            step.entered.push(*state);
            self.execute(&chart.state(*state).entry, status, step)?;
            if entered.by_default.contains(state) {
                self.execute(&chart.state(*state).initial.actions, status, step)?;
            }
            if let Some(history) = entered.defaults.get(state) {
                self.execute(&chart.state(*history).initial.actions, status, step)?;
            }
            if chart.state(*state).kind == StateKind::Final {
                self.complete(*state, status, step)?;
            }
        }
        Ok(())
    }

    /// A final state has been entered: the state around it is complete, and perhaps the one around that.
    fn complete(&self, last: StateId, status: &mut Status, step: &mut Microstep) -> Result<(), Fault> {
        let chart = self.chart;
        let parent = chart.state(last).parent.expect("a final state is inside of a state");
        let Some(around) = chart.state(parent).parent else {
            status.running = false;
            return Ok(());
        };
        self.raise(self.done[parent.index()], status, step)?;
        let is_parallel = chart.state(around).kind == StateKind::Parallel;
        if is_parallel && chart.is_complete(around, &status.active) {
            self.raise(self.done[around.index()], status, step)?;
        }
        Ok(())
    }

    fn raise(&self, event: Option<EventId>, status: &mut Status, step: &mut Microstep) -> Result<(), Fault> {
        let Some(event) = event else { return Ok(()) };
        step.raised.push(event);
        if !self.awaited[event.index()] {
            return Ok(());
        }
        if status.queue.len() >= self.chart.capacity {
            return Err(Fault::Overflow);
        }
        status.queue.push_back(event);
        Ok(())
    }

    fn execute(&self, actions: &[Action], status: &mut Status, step: &mut Microstep) -> Result<(), Fault> {
        for action in actions {
            match action {
                Action::Assign(v, e, _) => {
                    let value = self.value(e, status)?;
                    if !self.chart.variables[v.index()].contains(&value) {
                        return Err(Fault::Range(*v));
                    }
                    status.values[v.index()] = value;
                }
                Action::Raise(event, _) => self.raise(Some(*event), status, step)?,
                Action::Send(event, _) => step.sent.push(*event),
                Action::If(branches, otherwise) => {
                    let mut chosen = otherwise;
                    for (condition, body) in branches {
                        if self.value(condition, status)?.bool() {
                            chosen = body;
                            break;
                        }
                    }
                    self.execute(chosen, status, step)?;
                }
            }
        }
        Ok(())
    }

    fn value(&self, e: &Expr, status: &Status) -> Result<Value, Fault> {
        let of = |v: VarId| match self.chart.state_of(v) {
            Some(state) => Value::Bool(state == Chart::ROOT || status.active.contains(&state)),
            None => status.values[v.index()].clone(),
        };
        e.eval(&of).map_err(|_| Fault::Undefined)
    }
}

impl super::Variable {
    /// The least value, false, or 0.
    #[must_use]
    pub fn least(&self) -> Value {
        match (&self.range, &self.ty) {
            (Some((least, _)), _) => Value::Num(least.clone()),
            (None, Type::Bool) => Value::Bool(false),
            (None, _) => Value::Num(Q::ZERO),
        }
    }

    /// Is this a value of the variable?
    #[must_use]
    pub fn contains(&self, value: &Value) -> bool {
        match (&self.range, value) {
            (Some((least, greatest)), Value::Num(q)) => least <= q && q <= greatest,
            _ => true,
        }
    }
}
