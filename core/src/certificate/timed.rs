//! Second check of a run of a time net, finite or infinite: its delays and firings are carried out by [`Run`], with
//! exact times.

use solver_lite::number::Q;
use solver_lite::term::Value;

use super::check::{Rejection, reject};
use super::{TraceState, parse};
use crate::expr::{Expr, VarId};
use crate::net::timed::run::{NotFired, Run};
use crate::net::timed::{Clocks, Semantics};
use crate::net::{Net, TransitionId};
use crate::property::Property;
use crate::system::{State, System};

/// A run that is carried out up to one of its states.
struct Carried<'a> {
    system: &'a System,
    net: &'a Net,
    clocks: &'a Clocks,
    run: Run<'a>,
    delays: usize,
    firings: usize,
}

impl<'a> Carried<'a> {
    fn new(system: &'a System, clocks: &'a Clocks) -> Result<Carried<'a>, Rejection> {
        let Some(net) = system.net.as_deref() else { return reject("the model is no net") };
        Ok(Carried { system, net, clocks, run: Run::new(net, clocks), delays: 0, firings: 0 })
    }

    /// The delay or the firing that leads to a state; gives its values.
    fn step(&mut self, state: &TraceState) -> Result<State, Rejection> {
        let edge = state.edge.map_or(usize::MAX, |edge| edge as usize);
        let values = values(self.system, Some(state))?;
        let run = &mut self.run;
        if self.system.waiting().is_some_and(|waiting| waiting.index() == edge) {
            let delay = values[self.clocks.time().index()].num() - run.time();
            if !run.wait(&delay) {
                return reject(format!("time cannot pass from {} to {}", run.time(), run.time() + &delay));
            }
            self.delays += 1;
        } else if (1..=self.net.transitions.len()).contains(&edge) {
            let t = TransitionId::new(edge - 1);
            run.fire(t).map_err(|why| {
                let name = &self.net.transition(t).name;
                Rejection(match why {
                    NotFired::NotReady => format!("'{name}' may not fire at the time {}", run.time()),
                    NotFired::Tokens(p) => {
                        format!("'{name}' gives '{}' too many tokens", self.net.place(p).name)
                    }
                })
            })?;
            self.firings += 1;
        } else {
            return reject("a step of the run is neither a delay nor a firing");
        }
        let same = run.marking().iter().zip(&values).all(|(n, value)| *value == number(*n))
            && values[self.clocks.time().index()] == Value::Num(run.time().clone());
        if !same {
            return reject(format!("the marking or the time after '{}' is another one", state.location));
        }
        Ok(values)
    }
}

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
    let mut carried = Carried::new(system, clocks)?;
    let mut last = values(system, states.get(1))?;
    // The first edge makes the initial marking, and the last one leads to the error location.
    for state in states.get(2..states.len().saturating_sub(1)).unwrap_or_default() {
        last = carried.step(state)?;
    }
    let holds = |e: &Expr| e.eval(&|v: VarId| last[v.index()].clone()).is_ok_and(|value| value.bool());
    let as_claimed = match property {
        Property::Invariant(e) => !holds(e),
        Property::Reachable(e) => holds(e),
        Property::DeadlockFree => carried.run.is_stuck(),
        // The property is part of the system: the run was replayed up to the error location.
        Property::ErrorUnreachable => true,
        Property::Temporal(_) | Property::Branching(_) => false,
    };
    if !as_claimed {
        return reject("the last state of the run is not as claimed");
    }
    Ok(format!(
        "{} delays and {} firings were carried out with exact times.",
        carried.delays, carried.firings
    ))
}

/// Carries out a lasso of a net with intervals of transitions, and compares the states at the ends of its cycle: the
/// same steps with the same delays are possible again if the marking is the same, and each enabled transition is
/// enabled for the same time, or longer if it never has to fire.
///
/// # Errors
/// A delay or a firing that is not possible, or a marking or an age that differs at the ends of the cycle.
pub(super) fn repeats(
    system: &System,
    clocks: &Clocks,
    states: &[TraceState],
    back: usize,
) -> Result<String, Rejection> {
    if clocks.semantics != Semantics::Transitions {
        return reject("infinite runs are checked for intervals of transitions only");
    }
    let mut carried = Carried::new(system, clocks)?;
    let mut before = None;
    for (i, state) in states.iter().enumerate().skip(1) {
        match state.edge {
            // It makes the initial marking.
            _ if i == 1 => {}
            None if carried.run.is_stuck() => {}
            None => return reject("a state is repeated in which a transition will fire"),
            Some(_) => drop(carried.step(state)?),
        }
        if i == back {
            before = Some(carried.run.clone());
        }
    }
    let (net, after) = (carried.net, &carried.run);
    let Some(before) = before else { return reject("the cycle begins before the initial marking") };
    let is_again = |t: &TransitionId| {
        let [first, last] = [&before, after].map(|run| run.age(t.index()));
        let delay = net.transition(*t).delay.filter(|delay| !delay.is_always());
        delay.is_none_or(|delay| first == last || delay.most.is_none() && first < last)
    };
    if before.marking() != after.marking() || !net.enabled(after.marking()).all(|t| is_again(&t)) {
        return reject("after the cycle the marking or the age of a transition is another one");
    }
    Ok(format!(
        "The cycle takes {} units of time. After it the marking is the same, and each enabled transition has been enabled for the same time, or for longer if its interval has no upper end: so the same delays and firings can be repeated infinitely often.",
        after.time() - before.time()
    ))
}

fn number(n: u32) -> Value {
    Value::Num(Q::from(i64::from(n)))
}

fn values(system: &System, state: Option<&TraceState>) -> Result<State, Rejection> {
    let Some(state) = state.filter(|s| s.values.len() == system.variables.len()) else {
        return reject("a state of the run does not have a value for each variable");
    };
    let all = system.var_ids().zip(&state.values);
    all.map(|(v, (_, text))| parse::value(text, system, v)).collect::<Result<_, _>>().map_err(Rejection)
}
