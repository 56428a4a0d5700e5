//! Simulations for a reader: what each event of a sequence does, microstep by microstep.

use serde::{Deserialize, Serialize};
use solver_lite::term::Value;

use super::explore::choices;
use super::machine::{Machine, Microstep, Status};
use super::{Chart, EventId, StateId, TransitionId};
use crate::expr::{Type, VarId, number_text};

/// With more values of its parameters, an event counts as one that enables a transition.
const VALUES: usize = 64;

/// So many microsteps of a reaction are kept at its beginning, and as many at its end.
const MOMENTS: usize = 200;

/// A simulation of a sequence of events.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Simulation {
    /// The start, and then the reaction to each event.
    pub reactions: Vec<Reaction>,
    /// The events that the environment can send at the chosen position.
    pub offers: Vec<Offer>,
    /// Why the execution has ended, in words. With an event that the chart does not have, it only stops there.
    pub end: Option<String>,
}

/// A macrostep.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reaction {
    /// The event as written, such as `coin(2)`; empty for the start.
    pub event: String,
    /// What happens, microstep by microstep. One without transitions discards its event.
    pub moments: Vec<Moment>,
    /// So many microsteps in the middle are left out.
    pub left_out: usize,
}

impl Reaction {
    /// The reaction to an event, without microsteps.
    fn to(event: String) -> Reaction {
        Reaction { event, ..Reaction::default() }
    }

    /// Adds a microstep; of many, those in the middle are left out.
    fn push(&mut self, moment: Moment) {
        if self.moments.len() >= 2 * MOMENTS {
            self.moments.remove(MOMENTS);
            self.left_out += 1;
        }
        self.moments.push(moment);
    }
}

/// A microstep, and the status after it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Moment {
    /// Its event; none for completion transitions and the start.
    pub event: Option<String>,
    /// The transitions that are taken, in order, with their texts.
    pub transitions: Vec<(TransitionId, String)>,
    /// The states that are left, in order.
    pub exited: Vec<String>,
    /// The states that are entered, in order.
    pub entered: Vec<String>,
    /// The events that are raised, in order.
    pub raised: Vec<String>,
    /// The events that are sent to the environment, in order.
    pub sent: Vec<String>,
    /// The raised events that wait after it.
    pub queue: Vec<String>,
    /// The active states after it.
    pub active: Vec<StateId>,
    /// Why the execution cannot continue with it, in words; then it changes nothing.
    pub fault: Option<String>,
    /// The names of the active states that contain no others.
    pub configuration: Vec<String>,
    /// The variables that are declared, and the clocks of active states, with their values after it.
    pub values: Vec<(String, String)>,
}

/// An event that the environment can send.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Offer {
    /// Its name.
    pub event: String,
    /// Its parameters: name and values.
    pub parameters: Vec<(String, Values)>,
    /// It enables a transition, with some values of its parameters.
    pub reacts: bool,
}

/// The values of a parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Values {
    /// These.
    Listed(Vec<String>),
    /// The integers from the first to the second number.
    Between(String, String),
    /// All integers.
    Integers,
}

impl Simulation {
    /// The simulation of these events, each as written, such as `coin(2)`, with what the environment can send after the
    /// first `at` of them.
    #[must_use]
    pub fn of(chart: &Chart, events: &[String], at: usize) -> Simulation {
        let machine = Machine::new(chart);
        let names = chart.short_paths();
        let moment = |step: &Microstep, status: &Status| moment((chart, &names), step, status);
        let mut simulation = Simulation::default();
        let external: Vec<EventId> = chart.event_ids().filter(|e| chart.event(*e).external).collect();
        let offers = |now: &Status| match now.running {
            true => external.iter().map(|e| offer(&machine, chart, *e, now)).collect(),
            false => Vec::new(),
        };
        let mut reaction = Reaction::to(String::new());
        let started = machine.start_with(&mut |step, status| reaction.push(moment(&step, status)));
        simulation.reactions.push(reaction);
        let mut now = match started {
            Ok(status) => status,
            Err(fault) => return simulation.ended(fault.text(chart)),
        };
        for (number, event) in events.iter().enumerate() {
            if number == at {
                simulation.offers = offers(&now);
            }
            if !now.running {
                break;
            }
            let Ok((id, parameters)) = chart.event_with_values(event) else {
                // The chart has changed since the event was sent.
                simulation.offers = offers(&now);
                return simulation;
            };
            let mut reaction = Reaction::to(event.clone());
            let mut last = now.clone();
            let seen = &mut |step: Microstep, status: &Status| {
                reaction.push(moment(&step, status));
                last.clone_from(status);
            };
            let after = machine.react_with(&now, id, &parameters, seen);
            if let Err(fault) = &after {
                let event = if reaction.moments.is_empty() { Some(id) } else { last.queue.front().copied() };
                let failed = moment(&Microstep { event, ..Microstep::default() }, &last);
                reaction.push(Moment { fault: Some(fault.text(chart)), ..failed });
            }
            simulation.reactions.push(reaction);
            now = match after {
                Ok(status) => status,
                Err(fault) => return simulation.ended(fault.text(chart)),
            };
        }
        if at >= events.len() {
            simulation.offers = offers(&now);
        }
        if !now.running {
            return simulation.ended("a final state of the chart is active".to_owned());
        }
        simulation
    }

    fn ended(mut self, why: String) -> Simulation {
        self.end = Some(why);
        self
    }
}

fn moment((chart, names): (&Chart, &[String]), step: &Microstep, status: &Status) -> Moment {
    let states = |all: &[StateId]| all.iter().map(|s| names[s.index()].clone()).collect();
    let transition = |t: TransitionId| {
        let t = chart.transition(t);
        let targets: Vec<&str> = t.targets.iter().map(|s| names[s.index()].as_str()).collect();
        let target = if targets.is_empty() { String::new() } else { format!(" -> {}", targets.join(", ")) };
        format!("{}{target}", names[t.source.index()])
    };
    let events = |all: &[EventId]| all.iter().map(|e| chart.event(*e).name.clone()).collect();
    let value = |v: VarId| {
        let variable = &chart.variables[v.index()];
        (variable.name.clone(), value_text(&status.values[v.index()], &variable.ty))
    };
    let clocks = chart.clocks.iter().filter(|(s, _)| status.active.contains(s)).map(|(_, clock)| *clock);
    let atomic = status.active.iter().filter(|s| chart.is_atomic(**s));
    Moment {
        event: step.event.map(|e| chart.event(e).name.clone()),
        transitions: step.transitions.iter().map(|t| (*t, transition(*t))).collect(),
        exited: states(&step.exited),
        entered: states(&step.entered),
        raised: events(&step.raised),
        sent: events(&step.sent),
        queue: status.queue.iter().map(|e| chart.event(*e).name.clone()).collect(),
        active: status.active.iter().copied().collect(),
        fault: None,
        configuration: atomic.map(|s| names[s.index()].clone()).collect(),
        values: chart.data().chain(clocks).map(value).collect(),
    }
}

fn value_text(value: &Value, ty: &Type) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Num(q) => number_text(q, ty),
    }
}

fn offer(machine: &Machine<'_>, chart: &Chart, event: EventId, status: &Status) -> Offer {
    let parameters = chart.event(event).parameters.iter().map(|v| {
        let variable = &chart.variables[v.index()];
        let values = match (&variable.ty, &variable.range) {
            (Type::Bool, _) => Values::Listed(vec!["false".to_owned(), "true".to_owned()]),
            (Type::Enum(e), _) => Values::Listed(e.literals.iter().map(ToString::to_string).collect()),
            (_, Some((least, greatest))) => Values::Between(least.to_string(), greatest.to_string()),
            _ => Values::Integers,
        };
        (chart.parameter_name(*v).to_owned(), values)
    });
    let enables = |values: &Vec<Value>| machine.enables(status, event, values).unwrap_or(true);
    Offer {
        event: chart.event(event).name.clone(),
        parameters: parameters.collect(),
        reacts: choices(chart, event, VALUES).is_none_or(|all| all.iter().any(enables)),
    }
}

impl Chart {
    /// The name of a parameter in its event.
    #[must_use]
    pub fn parameter_name(&self, v: VarId) -> &str {
        let name = &self.variables[v.index()].name;
        name.rsplit('.').next().unwrap_or(name)
    }

    /// The event of the environment, and the values of its parameters, of a text such as `coin(2)`.
    ///
    /// # Errors
    /// If there is no such event, or a value is missing or not one of the parameter.
    pub fn event_with_values(&self, text: &str) -> Result<(EventId, Vec<Value>), String> {
        let (name, values) = match text.trim().strip_suffix(')').and_then(|text| text.split_once('(')) {
            Some((name, values)) => (name.trim(), values.split(',').map(str::trim).collect()),
            None => (text.trim(), Vec::new()),
        };
        let event = self.received(name).filter(|e| self.event(*e).external);
        let event = event.ok_or_else(|| format!("the environment sends no event '{name}'"))?;
        let parameters = &self.event(event).parameters;
        let names: Vec<&str> = parameters.iter().map(|v| self.parameter_name(*v)).collect();
        if values.len() != parameters.len() {
            let expected = if names.is_empty() {
                "no values".to_owned()
            } else {
                format!("values of {}", names.join(", "))
            };
            return Err(format!("the event '{name}' has {expected}"));
        }
        let read = |(v, text): (&VarId, &str)| {
            let found = self.value_of(*v, text);
            found.ok_or_else(|| {
                format!("'{text}' is no value of '{}' of the event '{name}'", self.parameter_name(*v))
            })
        };
        Ok((event, parameters.iter().zip(values).map(read).collect::<Result<_, _>>()?))
    }

    /// An event with the values of its parameters as a text: `coin(2)`.
    #[must_use]
    pub fn event_text(&self, event: EventId, values: &[Value]) -> String {
        let parameters = self.event(event).parameters.iter().zip(values);
        let texts: Vec<String> =
            parameters.map(|(v, value)| value_text(value, &self.variables[v.index()].ty)).collect();
        let name = &self.event(event).name;
        if texts.is_empty() { name.clone() } else { format!("{name}({})", texts.join(",")) }
    }

    /// The value of a variable that a text denotes.
    fn value_of(&self, v: VarId, text: &str) -> Option<Value> {
        let variable = &self.variables[v.index()];
        let value = match &variable.ty {
            Type::Bool => Value::Bool(text.parse().ok()?),
            Type::Enum(e) => Value::Num(e.number(text)?),
            _ => Value::Num(text.parse::<i64>().ok()?.into()),
        };
        variable.contains(&value).then_some(value)
    }
}
