//! Explicit search over the statuses in which a chart waits for the environment.

use std::collections::{BTreeSet, VecDeque};

use solver_lite::term::Value;

use super::configuration::States;
use super::machine::{Fault, Machine, Microstep, Status};
use super::{Chart, EventId};
use crate::expr::Type;

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The statuses.
    pub statuses: BTreeSet<Status>,
    /// The events that led to faults, with the fault; the start has none.
    pub faults: Vec<(Option<EventId>, Fault)>,
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
        all = all.iter().flat_map(with).collect();
        (all.len() <= limit).then_some(())?;
    }
    Some(all)
}

/// Executes all events of the environment in all statuses, up to `limit` statuses.
#[must_use]
pub fn explore(chart: &Chart, limit: usize) -> Found {
    explore_with(chart, limit, &mut |_, _, _| {})
}

/// A visitor of the statuses, each with the event and the microsteps that lead there.
pub type Visit<'a> = &'a mut dyn FnMut(&Status, Option<EventId>, &[Microstep]);

/// The same; calls `visit` for each status and each event that leads there.
pub fn explore_with(chart: &Chart, limit: usize, visit: Visit<'_>) -> Found {
    let machine = Machine::new(chart);
    let mut found = Found::default();
    let mut open = VecDeque::new();
    match machine.start() {
        Ok((status, steps)) => {
            visit(&status, None, &steps);
            found.statuses.insert(status.clone());
            open.push_back(status);
        }
        Err(fault) => found.faults.push((None, fault)),
    }
    let external: Vec<EventId> = chart.event_ids().filter(|e| chart.event(*e).external).collect();
    while let Some(status) = open.pop_front() {
        if !status.running {
            continue;
        }
        for event in &external {
            let Some(choices) = choices(chart, *event, limit) else {
                found.truncated = true;
                continue;
            };
            for parameters in choices {
                let step = machine.react(&status, *event, &parameters);
                if let Ok((after, steps)) = &step {
                    visit(after, Some(*event), steps);
                }
                match step {
                    Ok((after, _)) if found.statuses.contains(&after) => {}
                    Ok(_) if found.statuses.len() >= limit => {
                        found.truncated = true;
                        return found;
                    }
                    Ok((after, _)) => {
                        found.statuses.insert(after.clone());
                        open.push_back(after);
                    }
                    Err(fault) => found.faults.push((Some(*event), fault)),
                }
            }
        }
    }
    found
}
