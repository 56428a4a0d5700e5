//! Explicit search over the statuses in which a chart waits for the environment.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use solver_lite::term::Value;

use super::configuration::States;
use super::machine::{Fault, Machine, Microstep, Status};
use super::{Chart, EventId};
use crate::expr::Type;

/// So many reactions for each status of the limit are executed.
const REACTIONS: usize = 50;

/// An event of the environment with the values of its parameters.
pub type Given = (EventId, Vec<Value>);

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The statuses.
    pub statuses: BTreeSet<Status>,
    /// The executions that cannot continue: for each fault and the event that leads to it (none for the start) the
    /// events up to it, as few as possible.
    pub faults: BTreeMap<(Option<EventId>, Fault), Vec<Given>>,
    /// Were there more than the limit?
    pub truncated: bool,
}

impl Found {
    /// The different sets of active states.
    #[must_use]
    pub fn configurations(&self) -> BTreeSet<&States> {
        self.statuses.iter().map(|s| &s.active).collect()
    }
}

/// The values that the parameters of an event can have; none if there are infinitely many or more than `limit`.
#[must_use]
pub fn choices(chart: &Chart, event: EventId, limit: usize) -> Option<Vec<Vec<Value>>> {
    let mut all = vec![Vec::new()];
    for v in &chart.event(event).parameters {
        let variable = &chart.variables[v.index()];
        let values: Vec<Value> = match (&variable.range, &variable.ty) {
            (_, Type::Bool) => vec![Value::Bool(false), Value::Bool(true)],
            (Some((least, greatest)), _) => {
                let (least, greatest) = (least.to_i64()?, greatest.to_i64()?);
                (usize::try_from(greatest.checked_sub(least)?).ok()? < limit).then_some(())?;
                (least..=greatest).map(|n| Value::Num(n.into())).collect()
            }
            (None, Type::Enum(e)) => {
                let numbers = 0..i64::try_from(e.literals.len()).ok()?;
                numbers.map(|n| Value::Num(n.into())).collect()
            }
            _ => return None,
        };
        let with = |one: &Vec<Value>| {
            values.iter().map(|v| [&one[..], std::slice::from_ref(v)].concat()).collect::<Vec<_>>()
        };
        all.len().checked_mul(values.len()).filter(|number| *number <= limit)?;
        all = all.iter().flat_map(with).collect();
    }
    Some(all)
}

/// Executes all events of the environment in all statuses, up to `limit` statuses.
#[must_use]
pub fn explore(chart: &Chart, limit: usize) -> Found {
    explore_with(chart, limit, &mut |_, _, _| {})
}

/// A visitor of the statuses, each with the event and the microsteps that lead there; none for a macrostep that is not
/// completed.
pub type Visit<'a> = &'a mut dyn FnMut(Option<&Status>, Option<EventId>, &[Microstep]);

/// The same; calls `visit` for each status and each event that leads there.
pub fn explore_with(chart: &Chart, limit: usize, visit: Visit<'_>) -> Found {
    let machine = Machine::new(chart);
    let mut found = Found::default();
    let (mut open, mut origins) = (VecDeque::new(), Vec::new());
    let mut steps = Vec::new();
    let started = machine.start_with(&mut |step, _| steps.push(step));
    visit(started.as_ref().ok(), None, &steps);
    match started {
        Ok(status) => {
            found.statuses.insert(status.clone());
            open.push_back((0, status));
            origins.push(None);
        }
        Err(fault) => drop(found.faults.insert((None, fault), Vec::new())),
    }
    let external = chart.event_ids().filter(|e| chart.event(*e).external);
    let external: Vec<_> = external.map(|e| (e, choices(chart, e, limit))).collect();
    let mut left = limit.saturating_mul(REACTIONS);
    while let Some((number, status)) = open.pop_front() {
        if !status.running {
            continue;
        }
        for (event, choices) in &external {
            let Some(choices) = choices else {
                found.truncated = true;
                continue;
            };
            for parameters in choices {
                let Some(less) = left.checked_sub(1) else {
                    found.truncated = true;
                    return found;
                };
                left = less;
                let mut steps = Vec::new();
                let reached =
                    machine.react_with(&status, *event, parameters, &mut |step, _| steps.push(step));
                visit(reached.as_ref().ok(), Some(*event), &steps);
                match reached {
                    Ok(after) if found.statuses.contains(&after) => {}
                    Ok(_) if found.statuses.len() >= limit => {
                        found.truncated = true;
                        return found;
                    }
                    Ok(after) => {
                        found.statuses.insert(after.clone());
                        open.push_back((origins.len(), after));
                        origins.push(Some((number, (*event, parameters.clone()))));
                    }
                    Err(fault) => {
                        let events = || events(&origins, number, (*event, parameters.clone()));
                        found.faults.entry((Some(*event), fault)).or_insert_with(events);
                    }
                }
            }
        }
    }
    found
}

/// The events up to a status, and one more; each status was found with the one before it and an event.
fn events(origins: &[Option<(usize, Given)>], number: usize, last: Given) -> Vec<Given> {
    let mut all = vec![last];
    let mut at = number;
    while let Some((before, given)) = &origins[at] {
        all.push(given.clone());
        at = *before;
    }
    all.reverse();
    all
}
