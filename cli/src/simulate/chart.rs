//! Playing a statechart: events from a file, or at random.

use serde_json::{Value as Json, json};
use solver_lite::term::Value;
use veristep_core::chart::explore::choices;
use veristep_core::chart::machine::{Fault, Machine, Macrostep, Status};
use veristep_core::chart::{Chart, EventId, StateId};
use veristep_core::expr::{Type, number_text};
use veristep_core::generate::nets::Choices;

use super::Arguments;
use crate::input::{self, BadInput, bad};
use crate::printed::Format;
use crate::{HOLDS, VIOLATED, complain};

/// The greatest number of values of the parameters of an event that is chosen at random.
const VALUES: usize = 10_000;

/// An event, its parameters, and the atomic states that are active after it.
struct Given {
    event: String,
    /// None if the values are written behind the event, as in `coin(2)`.
    data: Option<Json>,
    expected: Option<Json>,
}

/// Plays the chart, and compares with what the file expects.
pub(super) fn run(arguments: &Arguments, chart: &Chart) -> Result<u8, BadInput> {
    let machine = Machine::new(chart);
    let step = machine.start();
    let mut played = Played { chart, format: arguments.format, differs: false };
    let Some(path) = &arguments.events else {
        return Ok(played.at_random(&machine, step, arguments));
    };
    let (first, events) =
        read(&input::read(path)?).or_else(|why| bad(format!("{}: error: {why}", path.display())))?;
    let Some(mut status) = played.show(None, step, first.as_ref()) else { return Ok(VIOLATED) };
    for given in events {
        let step = match (&given.data, chart.received(&given.event)) {
            (None, _) => {
                let (event, values) = chart
                    .event_with_values(&given.event)
                    .or_else(|why| bad(format!("{}: error: {why}", path.display())))?;
                machine.react(&status, event, &values)
            }
            (Some(data), Some(event)) => {
                let parameters = parameters(chart, event, data, &status);
                machine.react(&status, event, &parameters)
            }
            (Some(_), None) => Ok((status, Vec::new())),
        };
        match played.show(Some(&given.event), step, given.expected.as_ref()) {
            Some(after) => status = after,
            None => return Ok(VIOLATED),
        }
    }
    Ok(if played.differs { VIOLATED } else { HOLDS })
}

/// The initial configuration and the events of a file.
fn read(text: &str) -> Result<(Option<Json>, Vec<Given>), String> {
    if !text.trim_start().starts_with('{') {
        let names = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let given = |name: &str| Given { event: name.to_owned(), data: None, expected: None };
        return Ok((None, names.map(given).collect()));
    }
    let script: Json = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let events = script["events"].as_array().ok_or("the file has no list 'events'")?;
    let given = |step: &Json| {
        let event = step["event"]["name"].as_str().ok_or("an event has no name")?.to_owned();
        let expected = step.get("nextConfiguration").cloned();
        Ok(Given { event, data: Some(step["event"]["data"].clone()), expected })
    };
    let events = events.iter().map(given).collect::<Result<_, &str>>()?;
    Ok((script.get("initialConfiguration").cloned(), events))
}

/// The values of the parameters; those that are not given keep their values.
fn parameters(chart: &Chart, event: EventId, data: &Json, status: &Status) -> Vec<Value> {
    let all = chart.event(event).parameters.iter();
    let value = |v: &veristep_core::expr::VarId| {
        let variable = &chart.variables[v.index()];
        let given = match (&data[chart.parameter_name(*v)], &variable.ty) {
            (Json::Bool(b), Type::Bool) => Some(Value::Bool(*b)),
            (Json::Number(n), Type::Int) => n.as_i64().map(|n| Value::Num(n.into())),
            (Json::String(s), Type::Enum(e)) => e.number(s).map(Value::Num),
            _ => None,
        };
        given.filter(|value| variable.contains(value)).unwrap_or_else(|| status.values[v.index()].clone())
    };
    all.map(value).collect()
}

struct Played<'a> {
    chart: &'a Chart,
    format: Format,
    /// Was there a state that was not expected?
    differs: bool,
}

impl Played<'_> {
    fn at_random(
        &mut self,
        machine: &Machine<'_>,
        step: Result<Macrostep, Fault>,
        arguments: &Arguments,
    ) -> u8 {
        let chart = self.chart;
        let external: Vec<EventId> = chart.event_ids().filter(|e| chart.event(*e).external).collect();
        let mut random = Choices(arguments.seed);
        let mut index = |n: usize| random.below(u32::try_from(n).unwrap_or(u32::MAX)) as usize;
        let mut status = self.show(None, step, None);
        for _ in 0..arguments.steps {
            let Some(before) = status.as_ref().filter(|s| s.running && !external.is_empty()) else { break };
            let event = external[index(external.len())];
            let values =
                choices(chart, event, VALUES).map_or_else(Vec::new, |all| all[index(all.len())].clone());
            let step = machine.react(before, event, &values);
            status = self.show(Some(&chart.event_text(event, &values)), step, None);
        }
        if status.is_some() { HOLDS } else { VIOLATED }
    }

    /// Prints a reaction; none if it does not end in a state in which the chart waits.
    fn show(
        &mut self,
        event: Option<&str>,
        step: Result<Macrostep, Fault>,
        expected: Option<&Json>,
    ) -> Option<Status> {
        let chart = self.chart;
        let (status, microsteps) = match step {
            Ok(step) => step,
            Err(fault) => {
                complain(&format!("the execution cannot continue: {}", fault.text(chart)));
                return None;
            }
        };
        let atomic = |s: &&StateId| chart.is_atomic(**s);
        let mut names: Vec<&str> =
            status.active.iter().filter(atomic).map(|s| chart.state(*s).name.as_str()).collect();
        match self.format {
            Format::Text => say!("{}", names.join(" ")),
            Format::Json => {
                let list =
                    |all: &[StateId]| all.iter().map(|s| chart.state(*s).name.clone()).collect::<Vec<_>>();
                let steps: Vec<Json> = microsteps
                    .iter()
                    .map(|m| {
                        let raised = m.raised.iter().map(|e| chart.event(*e).name.clone());
                        let sent = m.sent.iter().map(|e| chart.event(*e).name.clone());
                        json!({
                            "event": m.event.map(|e| chart.event(e).name.clone()),
                            "transitions": m.transitions.iter().map(|t| chart.transition_text(*t)).collect::<Vec<_>>(),
                            "exited": list(&m.exited),
                            "entered": list(&m.entered),
                            "raised": raised.collect::<Vec<_>>(),
                            "sent": sent.collect::<Vec<_>>(),
                        })
                    })
                    .collect();
                let data: serde_json::Map<String, Json> = chart
                    .variables
                    .iter()
                    .zip(&status.values)
                    .map(|(v, value)| (v.name.clone(), of_value(value, &v.ty)))
                    .collect();
                let active: Vec<StateId> = status.active.iter().copied().collect();
                say!(
                    "{}",
                    json!({"event": event, "configuration": names, "active": list(&active), "data": data,
                           "running": status.running, "microsteps": steps})
                );
            }
        }
        if let Some(expected) = expected.and_then(Json::as_array) {
            let mut wanted: Vec<&str> = expected.iter().filter_map(Json::as_str).collect();
            wanted.sort_unstable();
            names.sort_unstable();
            if wanted != names {
                complain(&format!(
                    "expected {} after {}, but {} is active",
                    wanted.join(" "),
                    event.unwrap_or("the start"),
                    names.join(" ")
                ));
                self.differs = true;
            }
        }
        Some(status)
    }
}

fn of_value(value: &Value, ty: &Type) -> Json {
    match value {
        Value::Bool(b) => json!(b),
        Value::Num(q) => match (ty, q.to_i64()) {
            (Type::Int, Some(n)) => json!(n),
            _ => json!(number_text(q, ty)),
        },
    }
}
