//! Second check of a run of a time net: its delays and firings are carried out by [`Run`], with exact times.

use solver_lite::number::Q;
use solver_lite::term::Value;

use super::check::{Rejection, reject};
use super::{TraceState, parse};
use crate::expr::{Expr, VarId};
use crate::net::TransitionId;
use crate::net::timed::Clocks;
use crate::net::timed::run::{NotFired, Run};
use crate::property::Property;
use crate::system::{State, System};

/// Carries out a run that violates a property of states, or reaches a wanted state; gives a sentence.
///
/// # Errors
/// A delay or a firing that is not possible, or a last state that is not as claimed.
pub(super) fn check(
    system: &System,
    clocks: &Clocks,
    property: &Property,
    states: &[TraceState],
) -> Result<String, Rejection> {
    let Some(net) = system.net.as_deref() else { return reject("the model is no net") };
    let mut run = Run::new(net, clocks);
    let (mut delays, mut firings) = (0, 0);
    // The first edge makes the initial marking, and the last one leads to the error location.
    let steps = states.get(2..states.len().saturating_sub(1)).unwrap_or_default();
    let mut last = values(system, states.get(1))?;
    for state in steps {
        let edge = state.edge.map_or(usize::MAX, |edge| edge as usize);
        last = values(system, Some(state))?;
        if system.waiting().is_some_and(|waiting| waiting.index() == edge) {
            let delay = last[clocks.time().index()].num() - run.time();
            if !run.wait(&delay) {
                return reject(format!("time cannot pass from {} to {}", run.time(), run.time() + &delay));
            }
            delays += 1;
        } else if (1..=net.transitions.len()).contains(&edge) {
            let t = TransitionId::new(edge - 1);
            run.fire(t).map_err(|why| {
                let name = &net.transition(t).name;
                Rejection(match why {
                    NotFired::NotReady => format!("'{name}' may not fire at the time {}", run.time()),
                    NotFired::Tokens(p) => format!("'{name}' gives '{}' too many tokens", net.place(p).name),
                })
            })?;
            firings += 1;
        } else {
            return reject("a step of the run is neither a delay nor a firing");
        }
        let same = run.marking().iter().zip(&last).all(|(n, value)| *value == number(*n))
            && last[clocks.time().index()] == Value::Num(run.time().clone());
        if !same {
            return reject(format!("the marking or the time after '{}' is another one", state.location));
        }
    }
    let holds = |e: &Expr| e.eval(&|v: VarId| last[v.index()].clone()).is_ok_and(|value| value.bool());
    let as_claimed = match property {
        Property::Invariant(e) => !holds(e),
        Property::Reachable(e) => holds(e),
        Property::DeadlockFree => run.is_stuck(),
        // The property is part of the system: the run was replayed up to the error location.
        Property::ErrorUnreachable => true,
        Property::Temporal(_) | Property::Branching(_) => false,
    };
    if !as_claimed {
        return reject("the last state of the run is not as claimed");
    }
    Ok(format!("{delays} delays and {firings} firings were carried out with exact times."))
}

fn number(n: u32) -> Value {
    Value::Num(Q::from(i64::from(n)))
}

fn values(system: &System, state: Option<&TraceState>) -> Result<State, Rejection> {
    let Some(state) = state.filter(|s| s.values.len() == system.variables.len()) else {
        return reject("a state of the run has not the values of all variables");
    };
    let all = system.var_ids().zip(&state.values);
    all.map(|(v, (_, text))| parse::value(text, system, v)).collect::<Result<_, _>>().map_err(Rejection)
}
