//! Random control flow automata over small bounded integers against explicit search.

use std::collections::{BTreeMap, BTreeSet};

use solver_lite::number::Q;
use solver_lite::term::Value;
use veristep_core::certificate;
use veristep_core::kit::{Off, Verdict};
use veristep_core::methods::cegar::{
    Domain, Granularity, MaxEnum, Pruning, Refinement, Search, Slice, Split, Steps, Strategy,
};
use veristep_core::property::Property;
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_core::system::{LocationId, State, System};
use veristep_tests::models::poll_up_to;
use veristep_tests::programs::{SIZE, automaton};
use veristep_tests::random::{Rng, each};

/// Explicit search; `None` when a state leaves the range (then the assumption of the text is violated).
fn reaches_error(system: &System) -> bool {
    let all: Vec<Value> = (0..SIZE).map(|n| Value::Num(Q::from(n))).collect();
    let start: (LocationId, State) = (system.initial, vec![Value::Num(Q::ZERO); system.variables.len()]);
    let mut seen: BTreeSet<(LocationId, State)> = BTreeSet::from([start.clone()]);
    let mut stack = vec![start];
    while let Some((location, state)) = stack.pop() {
        if Some(location) == system.error {
            return true;
        }
        for edge in system.out_edges(location).iter().map(|e| system.edge(*e)) {
            for next in system.successors(&edge.op, &state, &|_| all.clone()) {
                let next = (edge.target, next.unwrap());
                if seen.insert(next.clone()) {
                    stack.push(next);
                }
            }
        }
    }
    false
}

/// Strategies that together cover every option, and pairs of options that interact in the code.
fn strategy(rng: &mut Rng) -> Strategy {
    let mut s = Strategy {
        domain: *rng.pick(Domain::ALL),
        precision: *rng.pick(Granularity::ALL),
        search: *rng.pick(Search::ALL),
        refinement: *rng.pick(Refinement::ALL),
        prune: *rng.pick(Pruning::ALL),
        slice: *rng.pick(Slice::ALL),
        ..Strategy::default()
    };
    if s.domain.has_values() {
        s.max_enum = rng.pick(&["1*", "1", "5", "10", "50", "0"]).parse().unwrap();
    }
    if s.max_enum != MaxEnum::Evaluated {
        s.steps = *rng.pick(Steps::ALL);
    }
    if s.domain.has_predicates() {
        s.split = *rng.pick(Split::ALL);
    }
    s
}

/// The verdict of a run, which is checked against explicit search and the independent checker.
fn verdict(text: &str, system: &System, strategy: Strategy, name: &str) -> Option<Verdict> {
    // Without a limit the enumeration of values may not terminate.
    let steps = if strategy.max_enum == MaxEnum::Unlimited { 120 } else { 3_000 };
    decided(text, system, &Options { strategy, ..Options::default() }, steps, name)
}

/// The same with any method.
fn decided(text: &str, system: &System, options: &Options, steps: u64, name: &str) -> Option<Verdict> {
    let mut run = Run::new(system, &Property::ErrorUnreachable, options).unwrap();
    let outcome = poll_up_to(&mut run, &mut Off, steps, &mut || u64::MAX)?;
    let expected = match outcome.verdict {
        Verdict::Unknown(_) => return None,
        Verdict::Holds => false,
        Verdict::Violated => true,
    };
    assert_eq!(reaches_error(system), expected, "{name}: wrong '{}'\n{text}", outcome.verdict);
    let certificate = outcome.certificate.expect("a decided run has a certificate");
    match certificate::check(system, &Property::ErrorUnreachable, &certificate) {
        Ok(_) => Some(outcome.verdict),
        // Such a verdict is never reported.
        Err(why) if why.0.contains("could not be decided") => None,
        Err(why) => panic!("{name}: {why}\n{text}"),
    }
}

#[test]
fn verdicts_agree_with_explicit_search() {
    let (mut safe, mut violated, mut unknown) = (0, 0, 0);
    each(0..2_000, |rng| {
        let seed = rng.seed();
        let text = automaton(rng);
        let system =
            run::load(Kind::Cfa, &text).unwrap_or_else(|d| panic!("seed {seed}: {}\n{text}", d[0].message));
        match verdict(&text, &system, Strategy::default(), &format!("seed {seed}")) {
            Some(Verdict::Holds) => safe += 1,
            Some(_) => violated += 1,
            None => unknown += 1,
        }
    });
    println!("{safe} hold, {violated} violated, {unknown} unknown");
    assert!(safe >= 400 && violated >= 400 && unknown <= 60, "{safe} {violated} {unknown}");
}

/// The methods without locations, and explicit search.
#[test]
fn every_method_agrees_with_explicit_search() {
    // The state equation is for Petri nets.
    let others = |m: &Method| !matches!(m, Method::Cegar | Method::KLiveness | Method::StateEquation);
    for method in Method::ALL.into_iter().filter(others) {
        let options = Options { method, ..Options::default() };
        // Loop-free paths through all states are hard to refute.
        let steps = if method == Method::KInduction { 20 } else { 300 };
        let mut found = 0;
        each(2_000_000..2_000_150, |rng| {
            let seed = rng.seed();
            let text = automaton(rng);
            let system = run::load(Kind::Cfa, &text).unwrap();
            let name = format!("seed {seed}, {}", method.name());
            found += u32::from(decided(&text, &system, &options, steps, &name).is_some());
        });
        println!("{}: {found} of 150 decided", method.name());
        assert!(found >= 50, "{}: {found}", method.name());
    }
}

/// Every strategy on random automata: no wrong verdict for any combination.
#[test]
fn every_strategy_agrees_with_explicit_search() {
    let mut decided: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    each(1_000_000..1_003_000, |rng| {
        let seed = rng.seed();
        let text = automaton(rng);
        let system = run::load(Kind::Cfa, &text).unwrap();
        let strategy = strategy(rng);
        let names = [
            strategy.domain.name(),
            strategy.refinement.name(),
            strategy.search.name(),
            strategy.steps.name(),
        ];
        let name = format!("seed {seed}, {}", strategy.short());
        let found = verdict(&text, &system, strategy, &name).is_some();
        for name in names {
            let (all, of) = decided.entry(name).or_default();
            *all += 1;
            *of += u32::from(found);
        }
    });
    for (name, (all, of)) in decided {
        println!("{name}: {of} of {all} decided");
        assert!(of * 2 > all, "{name}: only {of} of {all} decided");
    }
}
