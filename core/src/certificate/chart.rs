//! Certificates of charts, checked by the interpreter of charts: it knows nothing of the locations and edges that a
//! chart was translated to, and follows the algorithm of SCXML step by step.
//!
//! *Runs*: the interpreter executes the same events, and is in the same states whenever the chart waits. *Invariants*:
//! the states that the interpreter reaches, up to a limit, satisfy the property, and the formula of the location where
//! the chart waits.

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
use crate::property::Property;
use crate::system::System;
use crate::text::count;

/// The limit of states that are enumerated for a formula.
const STATES: usize = 2_000;

/// Checks a certificate by executing the chart: a sentence; none for certificates that are not about states.
///
/// # Errors
/// A difference.
pub(super) fn check(
    system: &System,
    reading: &Reading,
    property: &Property,
    certificate: &Certificate,
) -> Result<Option<String>, Rejection> {
    match certificate {
        Certificate::Trace { states } | Certificate::Lasso { states, .. } => {
            run(system, reading, states).map(Some)
        }
        Certificate::Invariant { locations } => states(system, reading, property, locations).map(Some),
        // The sets of a product are not about all states, but about runs that can still violate the formula.
        Certificate::Progress { .. } | Certificate::Structure { .. } | Certificate::Explored { .. } => {
            Ok(None)
        }
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

/// The states that the interpreter reaches satisfy the property and the formulas of their locations, and it reaches no
/// fault.
fn states(
    system: &System,
    reading: &Reading,
    property: &Property,
    locations: &[(String, String)],
) -> Result<String, Rejection> {
    let formula = |name: &str| {
        let text = locations.iter().find(|(location, _)| location == name).map(|(_, text)| text);
        // A location without a formula is passed through.
        text.map(|text| parse::formula(text, system).map_err(Rejection)).transpose()
    };
    let (stable, finished) = (formula(STABLE)?, formula(FINISHED)?);
    let asked = match property {
        Property::Invariant(e) => Some(e.clone()),
        Property::Reachable(e) => Some(e.clone().negated()),
        _ => None,
    };
    let mut outside = false;
    let mut visit = |status: Option<&Status>, event: Option<EventId>, _: &[Microstep]| {
        let Some(status) = status else { return };
        let state = reading.values(status, event);
        let holds = |e: &Expr| e.eval(&|v| state[v.index()].clone()) == Ok(Value::Bool(true));
        let formula = if status.running { &stable } else { &finished };
        outside |= !formula.iter().chain(&asked).all(holds);
    };
    let found = explore_with(&reading.chart, STATES, &mut visit);
    if outside {
        return reject("the interpreter of charts reaches a state outside of the formulas or the property");
    }
    let is_excluded = |fault: &Fault| matches!(fault, Fault::Overflow | Fault::Range(_));
    if system.fault.is_some() && found.faults.keys().any(|(_, fault)| is_excluded(fault)) {
        return reject("the interpreter of charts reaches a point at which the execution cannot continue");
    }
    let states = count(found.statuses.len(), "state");
    Ok(match found.truncated {
        true => format!("The first {states} that the interpreter of charts reaches satisfy the property."),
        false => format!("All {states} that the interpreter of charts reaches satisfy the property."),
    })
}
