//! The checker of certificates is strict: single mutations are rejected, or brute force over a small domain (with the
//! evaluator and the interpreter only) shows that the mutant is still a proof.

use solver_lite::number::Q;
use solver_lite::term::{Terms, Value};
use veristep_core::certificate::{self, Certificate, TraceState};
use veristep_core::expr::Expr;
use veristep_core::kit::Off;
use veristep_core::property::Property;
use veristep_core::run::Options;
use veristep_core::system::{LocationId, State, System, VarType, valuations};
use veristep_tests::models::{self, STEPS, poll_up_to};

/// Constants, operators and connectives that are exchanged.
const SWAPS: [(&str, &str); 12] = [
    (" <= ", " < "),
    (" >= ", " > "),
    (" <= ", " >= "),
    (" = ", " /= "),
    (" /= ", " = "),
    (" and ", " or "),
    (" or ", " and "),
    ("not ", ""),
    (" + ", " - "),
    (" - ", " + "),
    ("true", "false"),
    ("false", "true"),
];

/// All texts with one occurrence of something replaced.
fn mutations(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for (from, to) in SWAPS {
        for (at, _) in text.match_indices(from) {
            all.push(format!("{}{to}{}", &text[..at], &text[at + from.len()..]));
        }
    }
    let bytes = text.as_bytes();
    for at in 0..bytes.len() {
        let starts = bytes[at].is_ascii_digit()
            && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric() && !b"_[".contains(&bytes[at - 1]));
        if starts {
            let end = (at..bytes.len()).find(|i| !bytes[*i].is_ascii_digit()).unwrap_or(bytes.len());
            let number: i64 = text[at..end].parse().unwrap();
            for changed in [number + 1, number - 1] {
                all.push(format!("{}{changed}{}", &text[..at], &text[end..]));
            }
        }
    }
    all
}

/// Values tried for each variable.
fn domain(system: &System) -> Vec<Vec<Value>> {
    let wide: i64 = if system.variables.len() > 2 { 7 } else { 14 };
    let numbers = |low: i64, high: i64| (low..=high).map(|n| Value::Num(Q::from(n))).collect();
    let values = |ty: &VarType| match ty {
        VarType::Bool => vec![Value::Bool(false), Value::Bool(true)],
        VarType::Int => numbers(-wide, wide),
        VarType::Real => (-8..=8).map(|n| Value::Num(Q::ratio(n, 2))).collect(),
        VarType::Range { lo, hi } => numbers(lo.to_i64().unwrap(), hi.to_i64().unwrap()),
    };
    system.variables.iter().map(|v| values(&v.ty)).collect()
}

fn holds(e: &Expr, s: &State) -> bool {
    e.eval(&|v| s[v.index()].clone()).is_ok_and(|v| v.bool())
}

/// Within the domain: initial states are inside, no path to the next location with a formula leaves, no error state is
/// inside, and no location without a formula occurs twice on a path.
fn inductive_by_brute_force(system: &System, locations: &[(String, String)]) -> bool {
    let mut formulas = vec![None; system.locations.len()];
    for (name, text) in locations {
        let Some(l) = system.find_location(name) else { return false };
        let Ok(e) = certificate::formula(text, system) else { return false };
        formulas[l.index()] = Some(e);
    }
    let error = system.error.unwrap();
    let start = formulas[system.initial.index()].get_or_insert_with(|| Expr::bool(true)).clone();
    let Some(bad) = formulas[error.index()].clone() else { return false };
    let choices = domain(system);
    valuations(choices.clone()).all(|state| {
        let from =
            system.location_ids().filter(|l| formulas[l.index()].as_ref().is_some_and(|f| holds(f, &state)));
        !holds(&bad, &state)
            && holds(&start, &state)
            && from
                .collect::<Vec<_>>()
                .into_iter()
                .all(|l| stays_inside(system, &formulas, &choices, &mut vec![l], &state))
    })
}

/// From the last location of the path.
fn stays_inside(
    system: &System,
    formulas: &[Option<Expr>],
    choices: &[Vec<Value>],
    way: &mut Vec<LocationId>,
    state: &State,
) -> bool {
    let from = *way.last().unwrap();
    system.out_edges(from).iter().map(|e| system.edge(*e)).all(|edge| {
        system.successors(&edge.op, state, &|v| choices[v.index()].clone()).all(|next| {
            let next = next.unwrap();
            if let Some(formula) = &formulas[edge.target.index()] {
                return holds(formula, &next);
            }
            if way.contains(&edge.target) {
                return false;
            }
            way.push(edge.target);
            let inside = stays_inside(system, formulas, choices, way, &next);
            way.pop();
            inside
        })
    })
}

/// The run by its transition formulas (not by the interpreter, which the checker uses).
fn a_run_by_formulas(system: &System, states: &[TraceState]) -> bool {
    let value = |text: &str| match text {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ => text.parse().ok().map(Value::Num),
    };
    let mut location = system.initial;
    let mut terms = Terms::new();
    let parse = |s: &TraceState| -> Option<State> { s.values.iter().map(|(_, v)| value(v)).collect() };
    let Some(mut state) = states.first().and_then(parse) else { return false };
    for step in &states[1..] {
        let Some(edge) = step.edge.and_then(|e| system.edges.get(e as usize)) else { return false };
        let Some(next) = parse(step) else { return false };
        let sorts: Vec<_> = system.variables.iter().map(|v| (v.name.clone(), v.ty.sort())).collect();
        let now: Vec<_> = sorts.iter().map(|(n, s)| terms.var(n, *s)).collect();
        let then: Vec<_> = sorts.iter().map(|(n, s)| terms.var(&format!("{n}'"), *s)).collect();
        let relation =
            system.relation(&edge.op, &mut terms, &mut |v| now[v.index()], &mut |v| then[v.index()]);
        let of = |t| match now.iter().position(|x| *x == t) {
            Some(i) => state[i].clone(),
            None => next[then.iter().position(|x| *x == t).unwrap()].clone(),
        };
        let kept = |i: usize| relation.written.iter().any(|v| v.index() == i) || state[i] == next[i];
        let typed = system.variables.iter().zip(&next).all(|(v, x)| v.ty.contains(x));
        if edge.source != location
            || !typed
            || !terms.eval(relation.formula, of).bool()
            || !(0..next.len()).all(kept)
        {
            return false;
        }
        location = edge.target;
        state = next;
    }
    Some(location) == system.error
}

#[derive(Default)]
struct Tally {
    rejected: usize,
    still_proofs: usize,
}

impl Tally {
    fn count(&mut self, system: &System, mutant: &Certificate, what: &str) {
        match (certificate::check(system, &Property::ErrorUnreachable, mutant), mutant) {
            (Err(_), _) => self.rejected += 1,
            (Ok(_), Certificate::Invariant { locations }) => {
                assert!(inductive_by_brute_force(system, locations), "accepted, but not inductive: {what}");
                self.still_proofs += 1;
            }
            (Ok(_), Certificate::Trace { states }) => {
                assert!(a_run_by_formulas(system, states), "accepted, but no run: {what}");
                self.still_proofs += 1;
            }
            (Ok(_), _) => panic!("accepted, but not about what is reached: {what}"),
        }
    }
}

fn mutate_invariant(tally: &mut Tally, system: &System, locations: &[(String, String)], name: &str) {
    for (i, (location, text)) in locations.iter().enumerate() {
        for changed in mutations(text) {
            let mut mutant = locations.to_vec();
            let what = format!("{name}, {location}: {text} → {changed}");
            mutant[i].1 = changed;
            tally.count(system, &Certificate::Invariant { locations: mutant }, &what);
        }
        for j in 0..i {
            let mut mutant = locations.to_vec();
            (mutant[i].1, mutant[j].1) = (locations[j].1.clone(), locations[i].1.clone());
            let what = format!("{name}: formulas of {location} and {} exchanged", locations[j].0);
            tally.count(system, &Certificate::Invariant { locations: mutant }, &what);
        }
        let mut mutant = locations.to_vec();
        mutant.remove(i);
        tally.count(
            system,
            &Certificate::Invariant { locations: mutant },
            &format!("{name}: without {location}"),
        );
    }
}

fn mutate_trace(tally: &mut Tally, system: &System, states: &[TraceState], name: &str) {
    for (i, state) in states.iter().enumerate() {
        let mut changes: Vec<TraceState> = Vec::new();
        for (v, (_, text)) in state.values.iter().enumerate() {
            let others = match text.as_str() {
                "true" => vec!["false".to_owned()],
                "false" => vec!["true".to_owned()],
                _ => [-1, 1].map(|d| (&text.parse::<Q>().unwrap() + &Q::from(d)).to_string()).to_vec(),
            };
            for other in others {
                let mut changed = state.clone();
                changed.values[v].1 = other;
                changes.push(changed);
            }
        }
        let edges = u32::try_from(system.edges.len()).unwrap();
        changes.extend(
            (0..edges)
                .filter(|e| Some(*e) != state.edge)
                .map(|e| TraceState { edge: Some(e), ..state.clone() }),
        );
        let elsewhere = system.locations.iter().filter(|l| l.name != state.location);
        changes.extend(elsewhere.take(3).map(|l| TraceState { location: l.name.clone(), ..state.clone() }));
        for changed in changes {
            let mut mutant = states.to_vec();
            let what = format!("{name}, state {i}: {changed:?}");
            mutant[i] = changed;
            tally.count(system, &Certificate::Trace { states: mutant }, &what);
        }
        let mut mutant = states.to_vec();
        mutant.remove(i);
        tally.count(system, &Certificate::Trace { states: mutant }, &format!("{name}: without state {i}"));
    }
}

#[test]
fn mutants_are_rejected_or_still_proofs() {
    let (mut invariants, mut traces) = (Tally::default(), Tally::default());
    for model in models::all() {
        // Brute force must be feasible: few variables and small constants.
        let judged = model.system.variables.len() <= 3 && !model.text.contains("100");
        let (_, outcome, _) = model.record(|| u64::MAX);
        let blocks = Options::with(&[("steps".to_owned(), "blocks".to_owned())]).unwrap();
        let large = poll_up_to(&mut model.run_with(&blocks), &mut Off, STEPS, &mut || u64::MAX);
        for (outcome, name) in [(outcome, model.name.clone()), (large, format!("{} by blocks", model.name))] {
            match outcome.and_then(|o| o.certificate) {
                Some(Certificate::Invariant { locations }) if judged => {
                    assert!(inductive_by_brute_force(&model.system, &locations), "{name}");
                    mutate_invariant(&mut invariants, &model.system, &locations, &name);
                }
                Some(Certificate::Trace { states }) => {
                    assert!(a_run_by_formulas(&model.system, &states), "{name}");
                    mutate_trace(&mut traces, &model.system, &states, &name);
                }
                _ => {}
            }
        }
    }
    println!("invariants: {} rejected, {} still proofs", invariants.rejected, invariants.still_proofs);
    println!("traces: {} rejected, {} still runs", traces.rejected, traces.still_proofs);
    assert!(invariants.rejected >= 1_000 && traces.rejected >= 1_000);
}
