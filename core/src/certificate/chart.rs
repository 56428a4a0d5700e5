//! Certificates of charts, checked by the interpreter of charts: it knows nothing of the locations and edges that a
//! chart was translated to, and follows the algorithm of SCXML step by step.
//!
//! *Runs*: the interpreter executes the same events, and is in the same states whenever the chart waits. *Formulas*:
//! the states that the interpreter reaches, up to a limit, satisfy the formula of the location where the chart waits.

use solver_lite::term::Value;

use super::check::{Rejection, reject, values};
use super::rows::state_edge;
use super::{Certificate, TraceState, parse};
use crate::chart::EventId;
use crate::chart::explore::explore_with;
use crate::chart::lower::{FINISHED, STABLE};
use crate::chart::machine::{Fault, Machine, Microstep, Status};
use crate::chart::reading::Reading;
use crate::expr::Expr;
use crate::system::System;
use crate::text::count;

/// The limit of states that are enumerated for a formula.
const STATES: usize = 2_000;

/// Checks a certificate by executing the chart: a sentence; none for certificates that have no formulas of locations.
///
/// # Errors
/// A difference.
pub(super) fn check(
    system: &System,
    reading: &Reading,
    certificate: &Certificate,
) -> Result<Option<String>, Rejection> {
    match certificate {
        Certificate::Trace { states } | Certificate::Lasso { states, .. } => {
            run(system, reading, states).map(Some)
        }
        Certificate::Invariant { locations } => {
            formulas(system, reading, locations.iter().map(|(l, f)| (l.as_str(), f.as_str())), true)
        }
        Certificate::Progress { nodes, .. } => {
            formulas(system, reading, nodes.iter().map(|n| (n.location.as_str(), n.formula.as_str())), false)
        }
        Certificate::Structure { .. } | Certificate::Explored { .. } => Ok(None),
    }
}

/// The interpreter executes the events of a run.
fn run(system: &System, reading: &Reading, states: &[TraceState]) -> Result<String, Rejection> {
    let chart = &*reading.chart;
    let machine = Machine::new(chart);
    let mut now: Option<Status> = None;
    let mut received = None;
    let mut compared = 0;
    for state in states {
        let Some(edge) = state_edge(state).and_then(|e| system.edges.get(e)) else { continue };
        let at_stable = system.location(edge.source).name == STABLE;
        if let Some(name) = edge.label.strip_prefix("event ").filter(|_| at_stable) {
            received = chart.find_event(name).map(|e| (e, state));
            continue;
        }
        let fault = Some(edge.target) == system.fault;
        let waits = [STABLE, FINISHED].contains(&system.location(edge.target).name.as_str());
        if !fault && !waits {
            continue;
        }
        let step = match (&now, received) {
            (None, _) => machine.start(),
            (Some(before), Some((event, state))) => {
                let all = values(system, state)?;
                let parameters: Vec<Value> =
                    chart.event(event).parameters.iter().map(|v| all[v.index()].clone()).collect();
                machine.react(before, event, &parameters)
            }
            // The state is repeated.
            (Some(_), None) => continue,
        };
        let event = received.take().map(|(event, _)| event);
        match (step, fault) {
            (Err(Fault::Overflow | Fault::Range(_)), true) => {}
            (Ok((status, _)), false) if reading.values(&status, event) == values(system, state)? => {
                now = Some(status);
            }
            _ => {
                return reject(format!(
                    "the interpreter of charts differs after {}",
                    count(compared, "event")
                ));
            }
        }
        compared += 1;
    }
    if compared == 0 {
        return reject("the run has no state in which the chart waits");
    }
    Ok(format!(
        "The interpreter of charts, which does not use the locations and edges, is in the same {}.",
        count(compared, "state")
    ))
}

/// The states that the interpreter reaches satisfy one of the formulas of their location; an invariant of a property of
/// states also excludes faults.
fn formulas<'a>(
    system: &System,
    reading: &Reading,
    all: impl Iterator<Item = (&'a str, &'a str)>,
    excludes_faults: bool,
) -> Result<Option<String>, Rejection> {
    let (mut stable, mut finished) = (Vec::new(), Vec::new());
    for (location, text) in all {
        let list = match location {
            STABLE => &mut stable,
            FINISHED => &mut finished,
            _ => continue,
        };
        list.push(parse::formula(text, system).map_err(Rejection)?);
    }
    if stable.is_empty() && finished.is_empty() {
        return Ok(None);
    }
    let mut outside = None;
    let mut visit = |status: &Status, event: Option<EventId>, _: &[Microstep]| {
        let state = reading.values(status, event);
        let holds = |e: &Expr| e.eval(&|v| state[v.index()].clone()) == Ok(Value::Bool(true));
        let formulas = if status.running { &stable } else { &finished };
        // A location without a formula is passed through.
        if !formulas.is_empty() && !formulas.iter().any(holds) {
            outside.get_or_insert_with(|| status.clone());
        }
    };
    let found = explore_with(&reading.chart, STATES, &mut visit);
    if outside.is_some() {
        return reject("the interpreter of charts reaches a state outside of the formulas");
    }
    let is_excluded = |fault: &Fault| matches!(fault, Fault::Overflow | Fault::Range(_));
    if excludes_faults && system.fault.is_some() && found.faults.iter().any(|(_, fault)| is_excluded(fault)) {
        return reject("the interpreter of charts reaches a point at which the execution cannot continue");
    }
    let waits = |status: &&Status| !(if status.running { &stable } else { &finished }).is_empty();
    let states = count(found.statuses.iter().filter(waits).count(), "state");
    Ok(Some(match found.truncated {
        true => format!("The first {states} that the interpreter of charts reaches satisfy the formulas."),
        false => format!("All {states} that the interpreter of charts reaches satisfy the formulas."),
    }))
}
