//! Vacuity: a property that holds because no run could violate it.
//!
//! A formula holds vacuously if a part of it does not matter (Beer, Ben-David, Eisner and Rodeh, "Efficient detection
//! of vacuity in temporal model checking", 2001). The cases detected here: no run is infinite, or fair; the antecedent
//! of an implication is never true; the error location has no path from the initial location; no variable of the
//! property can change. Properties of runs are checked with little fuel, so some vacuous verdicts are not recognised.

use std::task::Poll;

use crate::certificate;
use crate::expr::{Binary, Expr, Kind, VarId};
use crate::kit::{Cx, Fuel, Off, Verdict};
use crate::ltl::{self, AtomMeaning, Formula, Temporal};
use crate::property::Property;
use crate::run::{Method, Options, Run};
use crate::system::{Edge, Formalism, Role, System};
use crate::temporal::{Demand, Requirement, Termination};

/// Steps for each check.
const FUEL: u64 = 60;

/// Why a property that holds does so vacuously, as a sentence; none if no reason is known.
#[must_use]
pub fn vacuous(system: &System, property: &Property) -> Option<String> {
    match property {
        Property::ErrorUnreachable => nothing_leads_to_error(system),
        Property::Invariant(e) => invariant(system, e),
        Property::Temporal(requirement) => temporal(system, requirement),
        Property::DeadlockFree => no_run(system),
        Property::Reachable(_) | Property::Branching(_) => None,
    }
}

/// An extended transition system whose `init` is never enabled has no run.
fn no_run(system: &System) -> Option<String> {
    let begun = system.actions?.env;
    let mut begins = system.clone();
    begins.locations[begun.index()].role = Role::Error;
    begins.error = Some(begun);
    answer(&begins, &Property::ErrorUnreachable).then(|| "no run exists: 'init' is never enabled".to_owned())
}

fn nothing_leads_to_error(system: &System) -> Option<String> {
    let Some(error) = system.error else { return Some("the model has no error location".to_owned()) };
    let mut reached = vec![false; system.locations.len()];
    let mut open = vec![system.initial];
    while let Some(l) = open.pop() {
        if !std::mem::replace(&mut reached[l.index()], true) {
            open.extend(system.out_edges(l).iter().map(|e| system.edge(*e).target));
        }
    }
    (!reached[error.index()]).then(|| "the error location has no path from the initial location".to_owned())
}

fn invariant(system: &System, e: &Expr) -> Option<String> {
    let nowhere = || answer(system, &Property::Invariant(Expr::bool(false)));
    let no_state = || "no state to which the property applies is reachable".to_owned();
    if !changes(system, &e.variables()) {
        return Some(if nowhere() { no_state() } else { constant(system, &e.variables()) });
    }
    let antecedent = match &e.kind {
        Kind::Binary(Binary::Imply, ab) => Some(&ab[0]),
        _ => None,
    };
    // If it is true in some state, a state is reachable.
    if antecedent.is_some_and(|a| !answer(system, &Property::Invariant(a.clone().negated()))) {
        return None;
    }
    if nowhere() {
        return Some(no_state());
    }
    antecedent.map(|a| format!("{} is never true", system.expr_text(a)))
}

fn temporal(system: &System, requirement: &Requirement) -> Option<String> {
    let with = |demand: Formula| Requirement { demand: Demand::Satisfy(demand), ..requirement.clone() };
    let holds = |r: Requirement| answer(system, &Property::Temporal(Box::new(r)));
    let none = || Formula::Constant(false);
    let infinite = if requirement.semantics.termination == Termination::Never {
        "infinite"
    } else {
        "infinite or repeats its last state"
    };
    if requirement.fairness.is_empty() {
        if holds(with(none())) {
            return Some(format!("no run is {infinite}"));
        }
    } else if holds(with(none())) {
        let unfair = Requirement { fairness: Vec::new(), assumed: Formula::Constant(true), ..with(none()) };
        return Some(if holds(unfair) {
            format!("no run is {infinite}")
        } else {
            "no run is fair".to_owned()
        });
    }
    let mut variables = Vec::new();
    for atom in &requirement.atoms {
        match atom {
            AtomMeaning::Condition(e) => variables.extend(e.variables()),
            _ => return antecedent(system, requirement, &holds),
        }
    }
    if !changes(system, &variables) {
        return Some(constant(system, &variables));
    }
    antecedent(system, requirement, &holds)
}

/// The reason that no variable of the property changes.
fn constant(system: &System, variables: &[VarId]) -> String {
    let what = match (variables.is_empty(), system.net.is_some()) {
        (true, _) => "contains no variables",
        (_, true) => "contains only places whose tokens never change",
        _ => "contains only variables that are never assigned",
    };
    format!("the property {what}")
}

/// For `G (a -> b)`: is `a` never true?
fn antecedent(
    system: &System,
    requirement: &Requirement,
    holds: &dyn Fn(Requirement) -> bool,
) -> Option<String> {
    let Demand::Satisfy(Formula::Unary(Temporal::Globally, inner)) = &requirement.demand else { return None };
    let Formula::Implies(ab) = &**inner else { return None };
    let never = Formula::Unary(Temporal::Globally, Box::new(ab[0].clone().negated()));
    let never = Requirement { demand: Demand::Satisfy(never), ..requirement.clone() };
    let text = || ab[0].text(&|p| requirement.atoms[p.index()].text(system));
    // That no state satisfies it is easier to check.
    let nowhere = ltl::condition(&ab[0], &requirement.atoms)
        .is_some_and(|e| answer(system, &Property::Invariant(e.negated())));
    (nowhere || holds(never)).then(|| format!("{} is never true", text()))
}

/// Is one of the variables written, except for declared initial values? Conditions on locations count as changing.
fn changes(system: &System, variables: &[VarId]) -> bool {
    let declares = system.formalism != Formalism::Automaton || system.lifetimes.is_some();
    let declared = |e: &&Edge| declares && e.source == system.initial && e.target != system.initial;
    let inner = system.edges.iter().filter(|e| !declared(e));
    let mut written = inner.flat_map(|e| e.op.written());
    let open = variables.iter().any(|v| system.variable(*v).ty.size() != Some(1));
    open && written.any(|w| variables.contains(&w))
}

/// Does a property hold, with a certificate that is found within the fuel?
fn answer(system: &System, property: &Property) -> bool {
    let mut options = Options { method: Method::Auto, ..Options::default() };
    (options.limits.conflicts, options.limits.pivots, options.limits.branches) = (500, 500, 50);
    let Ok(mut run) = Run::new(system, property, &options) else { return false };
    let Poll::Ready(outcome) = run.poll(&mut Cx { fuel: &mut Fuel::new(FUEL), sink: &mut Off }) else {
        return false;
    };
    outcome.verdict == Verdict::Holds
        && outcome.certificate.is_some_and(|c| certificate::check(system, property, &c).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{self, Kind as Language};

    fn of(text: &str, asked: &str) -> Option<String> {
        let system = run::load_for(Language::Cfa, text, Some(asked)).unwrap();
        let property = run::property(&system, asked).unwrap();
        vacuous(&system, &property)
    }

    #[test]
    fn what_could_not_be_violated_is_named() {
        let stops = "main process m { var x : int init loc A loc B error loc E A -> B { x := 0 } B -> A { assume x > 3 } }";
        assert!(of(stops, "F (x = 1)").unwrap().contains("infinite"));
        assert!(of(stops, "").unwrap().contains("no path"));
        let counts = "main process m { var x : int var y : int init loc A loc B A -> B { x := 0 } B -> B { x := x + 1 }
            B -> B { assume x < 0 y := 1 } }";
        assert_eq!(of(counts, "G (x < 0 -> F (x = 7))"), Some("x < 0 is never true".to_owned()));
        assert_eq!(of(counts, "G (x > 3 -> x > 2)"), None);
        assert_eq!(of(counts, "y = y or true").as_deref(), None);
        assert!(of(counts, "true").unwrap().contains("no variables"));
        let once = "main process m { var x : int init loc S loc A S -> A { x := 1 } A -> A { } }";
        assert_eq!(of(once, "ltl[start=initial]: F (x > 0)"), None);
        let unfair = "main process m { var x : int init loc A loc B A -> B { x := 0 } B -> B { x := 0 }
            B -> B { x := 1 assume x = 0 } }";
        assert_eq!(of(unfair, "ltl[strong=B->B#2]: F (x = 7)"), None, "the second edge is never enabled");
    }
}
