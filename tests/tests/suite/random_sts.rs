//! Random symbolic transition systems against explicit search, with every method.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use solver_lite::number::Q;
use solver_lite::term::Value;
use veristep_core::kit::{Off, Verdict};
use veristep_core::property::Property;
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_core::system::{LocationId, State, System, VarId, VarType, valuations};
use veristep_core::{certificate, formats};
use veristep_tests::models::poll_up_to;
use veristep_tests::random::{Rng, each};

/// Integers are in `0..SIZE`, by the invariant.
const SIZE: i64 = 4;

fn number(rng: &mut Rng, next: bool) -> String {
    let prime = if next && rng.one_in(2) { "'" } else { "" };
    match rng.below(4) {
        0 => rng.range(0, SIZE - 1).to_string(),
        1 => format!("(if {} then x{prime} else {})", truth(rng, next), rng.range(0, SIZE - 1)),
        2 => format!("{}{prime} + {}", rng.pick(&["x", "y"]), rng.range(0, 2)),
        _ => format!("{}{prime}", rng.pick(&["x", "y"])),
    }
}

fn truth(rng: &mut Rng, next: bool) -> String {
    let prime = if next && rng.one_in(2) { "'" } else { "" };
    match rng.below(4) {
        0 => format!("b{prime}"),
        1 => format!("not b{prime}"),
        _ => format!(
            "{}{prime} {} {}",
            rng.pick(&["x", "y"]),
            rng.pick(&["=", "<", ">="]),
            rng.range(0, SIZE - 1)
        ),
    }
}

fn formula(rng: &mut Rng, next: bool, depth: usize) -> String {
    if depth > 0 && rng.one_in(2) {
        let op = *rng.pick(&["and", "or", "or", "imply"]);
        return format!("({}) {op} ({})", formula(rng, next, depth - 1), formula(rng, next, depth - 1));
    }
    match rng.below(4) {
        0 => truth(rng, next),
        1 if next => format!("{}' = {}", rng.pick(&["x", "y"]), number(rng, false)),
        2 if next => format!("b' = ({})", truth(rng, false)),
        _ => format!("{} {} {}", number(rng, next), rng.pick(&["=", "/=", "<", "<="]), number(rng, next)),
    }
}

fn specification(rng: &mut Rng) -> String {
    let mut text = "specification random { property p : { var x : int var y : int var b : bool\n".to_owned();
    let _ = writeln!(text, " invariant 0 <= x and x < {SIZE} and 0 <= y and y < {SIZE}");
    if rng.one_in(4) {
        let _ = writeln!(text, " invariant {}", formula(rng, false, 1));
    }
    let _ = writeln!(text, " initial x = {}", rng.range(0, SIZE - 1));
    if rng.one_in(2) {
        let _ = writeln!(text, " initial {}", formula(rng, false, 1));
    }
    for _ in 0..rng.range(1, 3) {
        let _ = writeln!(text, " transition {}", formula(rng, true, 2));
    }
    let _ = writeln!(text, "}} models G({}) }}", formula(rng, false, 1));
    text
}

fn values(system: &System, v: VarId) -> Vec<Value> {
    match system.variable(v).ty {
        VarType::Bool => vec![Value::Bool(false), Value::Bool(true)],
        _ => (0..SIZE).map(|i| Value::Num(Q::from(i))).collect(),
    }
}

/// Is the error location reachable?
fn explicit(system: &System) -> bool {
    let kept = |s: &State| system.invariant.eval(&|v| s[v.index()].clone()).is_ok_and(|x| x.bool());
    let all = valuations(system.var_ids().map(|v| values(system, v)).collect());
    let mut open: Vec<(LocationId, State)> = all.filter(kept).map(|s| (system.initial, s)).collect();
    let mut seen: BTreeSet<(LocationId, State)> = open.iter().cloned().collect();
    while let Some((location, state)) = open.pop() {
        for edge in system.out_edges(location).iter().map(|e| system.edge(*e)) {
            for next in system.successors(&edge.op, &state, &|v| values(system, v)) {
                let next = next.expect("no division");
                if !kept(&next) {
                    continue;
                }
                if Some(edge.target) == system.error {
                    return true;
                }
                if seen.insert((edge.target, next.clone())) {
                    open.push((edge.target, next));
                }
            }
        }
    }
    false
}

#[test]
fn all_methods_agree_with_explicit_search() {
    let choice = |all: &[(&str, &str)]| {
        let all: Vec<(String, String)> =
            all.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        Options::with(&all).unwrap()
    };
    let mut methods: Vec<Options> = ["bmc", "kind", "imc", "pdr", "cegar", "auto", "explicit"]
        .map(|name| choice(&[("engine", name)]))
        .to_vec();
    for domain in ["pred", "expl", "combined"] {
        for refinement in ["craig", "seq"] {
            let split = [("engine", "split"), ("domain", domain), ("refinement", refinement)];
            methods.push(choice(&split));
            methods.push(choice(&[&split[..], &[("incremental", "off")]].concat()));
        }
    }
    let mut decided = vec![0; methods.len()];
    let (mut holds, mut violated, mut circuits) = (0, 0, 0);
    each(0..400, |rng| {
        let seed = rng.seed();
        let text = specification(rng);
        let system =
            run::load(Kind::Sts, &text).unwrap_or_else(|d| panic!("seed {seed}: {}\n{text}", d[0].message));
        system.validate().unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let property = run::property(&system, "").unwrap();
        let expected =
            if explicit(&property.apply(system.clone())) { Verdict::Violated } else { Verdict::Holds };
        if expected == Verdict::Holds {
            holds += 1;
        } else {
            violated += 1;
        }
        // Written as formulas and read again it is the same system.
        let printed = veristep_core::formats::sts::print(&property.apply(system.clone())).unwrap();
        let again = run::load(Kind::Sts, &printed)
            .unwrap_or_else(|d| panic!("seed {seed}: {}\n{printed}", d[0].message));
        let asked = run::property(&again, "").unwrap();
        assert_eq!(
            explicit(&asked.apply(again)),
            expected == Verdict::Violated,
            "seed {seed}\n{text}\n{printed}"
        );
        circuits += exported(&system, &property, expected, seed);
        for (i, method) in methods.iter().enumerate() {
            decided[i] += u32::from(verdict(&text, &system, &property, method, expected, seed));
        }
    });
    println!("{holds} hold, {violated} violated, {circuits} are circuits; decided {decided:?}");
    assert!(circuits >= 200, "{circuits}");
    assert!(holds >= 80 && violated >= 80, "{holds} {violated}");
    // Bounded model checking has no proofs, and k-induction only those with few steps.
    let least = |i: usize| match i {
        0 => violated,
        1 => 300,
        _ => 390,
    };
    assert!((0..decided.len()).all(|i| decided[i] >= least(i)), "{decided:?}");
}

/// Written in other languages and read again it has the same verdict. Returns the number of circuits: 0 or 1.
fn exported(system: &System, property: &Property, expected: Verdict, seed: u64) -> u32 {
    let system = property.apply(system.clone());
    let circuit = formats::aiger::print(&Arc::new(system.clone())).ok().map(|text| (Kind::Aiger, text));
    let is_circuit = u32::from(circuit.is_some());
    for (kind, text) in circuit.into_iter().chain([(Kind::Xsts, formats::xsts::print(&system).unwrap())]) {
        let again =
            run::load(kind, &text).unwrap_or_else(|d| panic!("seed {seed}: {}\n{text}", d[0].message));
        let asked = run::property(&again, "").unwrap();
        let options = Options { method: Method::Pdr, ..Options::default() };
        let found = verdict(&text, &again, &asked, &options, expected, seed);
        assert!(found, "seed {seed}: no verdict\n{text}");
    }
    is_circuit
}

/// Is there a verdict? It must be right and certified.
fn verdict(
    text: &str,
    system: &System,
    property: &Property,
    options: &Options,
    expected: Verdict,
    seed: u64,
) -> bool {
    let name = format!("seed {seed} with {}", options.method.name());
    let mut run = Run::new(system, property, options).unwrap();
    // Loop-free paths through all states are hard to refute.
    let steps = match options.method {
        Method::Bmc => 70,
        Method::KInduction => 30,
        _ => 3_000,
    };
    let Some(outcome) = poll_up_to(&mut run, &mut Off, steps, &mut || u64::MAX) else { return false };
    let Some(c) = &outcome.certificate else {
        println!("{name}: {}", outcome.reason);
        return false;
    };
    assert_eq!(outcome.verdict, expected, "{name}\n{text}");
    certificate::check(system, property, c).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
    true
}
