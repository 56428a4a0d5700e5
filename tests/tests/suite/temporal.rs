//! Temporal formulas on random control flow automata: every method against an explicit search of the formula's tableau.

use std::collections::BTreeMap;

use solver_lite::term::{Sort, Value};
use veristep_core::buchi::{hoa, never};
use veristep_core::certificate::{self, Certificate, ProgressNode, TraceState};
use veristep_core::kit::{Journal, Off, Recorder, Verdict};
use veristep_core::ltl::Formula;
use veristep_core::methods::bmc::BmcOptions;
use veristep_core::methods::cegar::{
    CycleRefinement, Domain, Emptiness, Granularity, Letters, Refinement, Split, Strategy,
};
use veristep_core::property::Property;
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_core::system::{Op, State, System, VarId};
use veristep_core::temporal::Requirement;
use veristep_tests::models::poll_up_to;
use veristep_tests::programs::{SIZE, automaton, condition};
use veristep_tests::random::{Rng, each};
use veristep_tests::{ltl, oracle};

/// A random automaton, a formula about it and whether that holds.
fn question(rng: &mut Rng) -> Option<(String, System, Property, bool)> {
    let text = automaton(rng);
    let system = run::load(Kind::Cfa, &text).unwrap_or_else(|d| panic!("{}\n{text}", d[0].message));
    let (stated, property, holds) = formula(rng, &system)?;
    Some((format!("{stated}\n{text}"), system, property, holds))
}

/// A random formula about a system and whether it holds.
fn formula(rng: &mut Rng, system: &System) -> Option<(String, Property, bool)> {
    let atoms = 1 + rng.below(2);
    let conditions: Vec<String> = (0..atoms).map(|_| condition(rng, 0)).collect();
    let size = 2 + rng.below(5);
    let formula: Formula = ltl::formula(rng, size, atoms);
    if !formula.is_temporal() {
        return None;
    }
    // Variables have any value before their first assignment, so the formula is about the run after three assignments.
    let prefix = *rng.pick(&[
        "X X",
        "ltl[start=initial]:X X X",
        "ltl[step=edge]:",
        "ltl[stuck=dead-end]:X X",
        "ltl[stuck=deadlock]:X X",
        "ltl[step=edge,stuck=deadlock]:",
    ]);
    // The oracle chooses small values only, and misses a run that deadlocks with another one.
    let chooses = system.edges.iter().any(|e| matches!(e.op, Op::Havoc(_)));
    let prefix = if chooses { prefix.replace("deadlock", "dead-end") } else { prefix.to_owned() };
    let stated = format!("{prefix} ({})", formula.text(&|p| format!("({})", conditions[p.index()])));
    let requirement =
        Requirement::parse(&stated, system).unwrap_or_else(|d| panic!("{}: {stated}", d[0].message));
    let holds = oracle::holds(system, &requirement, SIZE)?;
    if !rng.one_in(4) {
        return Some((stated, Property::Temporal(Box::new(requirement)), holds));
    }
    // The same property with an automaton, as text.
    let automaton = requirement.forbidden(system).ok()?;
    let text = match rng.below(2) {
        0 => hoa::print(&automaton, &stated),
        _ => never::print(&automaton, &stated),
    };
    let reading = requirement.semantics.to_string();
    let property = Property::parse(&format!("ltl[{reading}]:never:{text}"), system)
        .unwrap_or_else(|d| panic!("{}\n{text}", d[0].message));
    assert_eq!(Property::parse(&property.text(system), system).as_ref(), Ok(&property), "{text}");
    Some((stated, property, holds))
}

/// The verdict of a run, which is compared with the known one; a verdict has an accepted certificate.
fn decided(
    asked: &(String, System, Property, bool),
    options: &Options,
    steps: u64,
    name: &str,
) -> Option<bool> {
    let (text, system, property, holds) = asked;
    let mut run = Run::new(system, property, options).unwrap();
    let outcome = poll_up_to(&mut run, &mut Off, steps, &mut || u64::MAX)?;
    let found = match outcome.verdict {
        Verdict::Unknown(_) => return None,
        verdict => verdict == Verdict::Holds,
    };
    assert_eq!(found, *holds, "{name}: wrong '{}' of {text}", outcome.verdict);
    let certificate = outcome.certificate.expect("a decided run has a certificate");
    match certificate::check(system, property, &certificate) {
        Ok(_) => Some(found),
        Err(why) if why.0.contains("could not be decided") => None,
        Err(why) => panic!("{name}: {why}\n{certificate:?}\n{text}"),
    }
}

fn strategy(rng: &mut Rng) -> Strategy {
    let mut s = Strategy {
        domain: *rng.pick(Domain::ALL),
        precision: *rng.pick(Granularity::ALL),
        refinement: *rng.pick(&[Refinement::Seq, Refinement::FwBin, Refinement::BwBin]),
        emptiness: *rng.pick(Emptiness::ALL),
        cycles: *rng.pick(CycleRefinement::ALL),
        letters: *rng.pick(Letters::ALL),
        ..Strategy::default()
    };
    if s.domain.has_predicates() {
        s.split = *rng.pick(Split::ALL);
    }
    s
}

#[test]
fn every_method_agrees_with_the_tableau() {
    let mut counts: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let (mut hold, mut violated) = (0, 0);
    let questions = std::env::var("QUESTIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    each(0..questions, |rng| {
        let seed = rng.seed();
        let Some(asked) = question(rng) else { return };
        if asked.3 {
            hold += 1
        } else {
            violated += 1
        }
        let plans = [
            (Options { method: Method::Cegar, strategy: strategy(rng), ..Options::default() }, 4_000),
            (Options { method: Method::Explicit, ..Options::default() }, 20_000),
            (Options { method: Method::Bmc, bmc: bounded(6), ..Options::default() }, 40),
            (Options { method: Method::KLiveness, bmc: bounded(4), ..Options::default() }, 1_500),
        ];
        for (options, steps) in plans {
            let name = options.method.name();
            let found = decided(&asked, &options, steps, &format!("seed {seed}, {}", options.short()));
            let (all, of) = counts.entry(name.to_owned()).or_default();
            *all += 1;
            *of += u32::from(found.is_some());
        }
    });
    println!("{hold} hold, {violated} violated: {counts:?}");
    assert!(hold >= 60 && violated >= 60, "{hold} {violated}");
    for (name, least) in [("cegar", 80), ("explicit", 60), ("bmc", 30), ("k-liveness", 30)] {
        let (all, of) = counts[name];
        assert!(of * 100 >= all * least, "{name}: only {of} of {all} decided");
    }
}

/// The example of "CEGAR-based LTL model checking", section 3.4, figures 3.6 to 3.12.
const EXAMPLE: &str = "main process example { var x : int init loc l0 loc l1 loc l2 final loc l3
    l0 -> l1 { x := 0 } l1 -> l2 { assume x < 5 } l2 -> l1 { x := x + 1 } l1 -> l3 { assume not (x < 5) } }";

/// The first abstract lasso goes around on `x > 0`, can be traversed, does not close and disappears after one
/// refinement.
#[test]
fn the_cycle_of_the_thesis_does_not_close() {
    let system = run::load(Kind::Cfa, EXAMPLE).unwrap();
    let property = run::property(&system, "F(x = 1)").unwrap();
    for emptiness in Emptiness::ALL {
        let strategy = Strategy {
            domain: Domain::PredSplit,
            letters: Letters::Abstract,
            initial: vec!["x <= 0".to_owned()],
            emptiness: *emptiness,
            ..Strategy::default()
        };
        let mut run = Run::new(&system, &property, &Options { strategy, ..Options::default() }).unwrap();
        let mut sink = Recorder { journal: Journal::new(run.names()) };
        let outcome = poll_up_to(&mut run, &mut sink, 10_000, &mut || u64::MAX).unwrap();
        assert_eq!(outcome.verdict, Verdict::Holds);
        certificate::check(&system, &property, &outcome.certificate.unwrap()).unwrap();
        let journal = sink.journal;
        journal.check().unwrap();
        let text = journal.to_string();
        let lasso = &text[text.find("lasso of").unwrap()..text.find("iteration 2").unwrap()];
        let labels: Vec<String> = lasso
            .lines()
            .filter_map(|l| l.trim().strip_prefix("lasso ")?.split_once(": n"))
            .map(|(_, n)| {
                let state = &journal.states[n.parse::<usize>().unwrap()];
                format!("{} {}", journal.location(state.location), journal.label(state))
            })
            .collect();
        let expected = ["l0·q0 true", "l1·q0 x <= 0", "l2·q0 x <= 0"].into_iter();
        let expected: Vec<&str> =
            expected.chain(["l1·q0 not (x <= 0)", "l2·q0 not (x <= 0)", "l1·q0 not (x <= 0)"]).collect();
        assert_eq!(labels, expected);
        assert!(lasso.starts_with("lasso of 5 steps, back to 3"), "{lasso}");
        assert!(!lasso.contains("infeasible") && lasso.contains("same at both ends? Unsat"), "{lasso}");
        // The same cycle is not found again.
        assert_eq!(text.matches("lasso of 5 steps, back to 3").count(), 1);
    }
}

/// Two processes that enter the same place, one of them at a time. The scheduler is nondeterministic.
const MUTEX: &str = "main process mutex { var a : int var b : int init loc start loc run
    start -> run { a := 0 b := 0 }
    run -> run { assume a = 0 a := 1 }
    run -> run { assume a = 1 and b /= 2 a := 2 }
    run -> run { assume a = 2 a := 0 }
    run -> run { assume b = 0 b := 1 }
    run -> run { assume b = 1 and a /= 2 b := 2 }
    run -> run { assume b = 2 b := 0 } }";

/// Under weak fairness a process may wait for ever although it is enabled infinitely often; not under strong fairness.
#[test]
fn fairness_decides_whether_a_process_waits_for_ever() {
    let system = run::load(Kind::Cfa, MUTEX).unwrap();
    for (text, holds) in [
        ("ltl[step=edge]: G (a <= 1 or b <= 1)", true),
        ("ltl[step=edge]: G (a = 1 -> F (a = 2))", false),
        ("ltl[step=edge,weak=run->run#2,weak=run->run#6]: G (a = 1 -> F (a = 2))", false),
        ("ltl[weak=run->run#2,weak=run->run#6]: G (a = 1 -> F (a = 2))", false),
        ("ltl[weak=run->run#1]: G F (a = 1) or F G !(a = 0)", true),
        ("ltl: G F (a = 1) or F G !(a = 0)", false),
        ("ltl[step=edge,strong=run->run#2]: G (a = 1 -> F (a = 2))", true),
        ("ltl[step=edge,strong=run->run#5]: G (a = 1 -> F (a = 2))", false),
        ("ltl[step=edge,weak=run->run#1]: G F (a = 1) or F G !(a = 0)", true),
        ("ltl[step=edge]: G F @\"run->run#1\" -> G F @\"run->run#4\"", false),
        ("ltl[step=edge]: G F @\"run->run#3\" -> G F @\"run->run#1\"", true),
        ("ltl[step=edge]: G (@\"run->run#2\" -> a = 2)", true),
        // Contradictions need no values: nothing is known of `a` when the other process runs forever.
        ("ltl[step=edge]: F (a = 2) & !F (a = 2)", false),
        ("ltl[step=edge]: X (b = 1) xor X (b = 1)", false),
    ] {
        let property = run::property(&system, text).unwrap_or_else(|d| panic!("{text}: {}", d[0].message));
        for method in [Method::Explicit, Method::Cegar] {
            let options = Options { method, ..Options::default() };
            let mut run = Run::new(&system, &property, &options).unwrap();
            let outcome = poll_up_to(&mut run, &mut Off, 20_000, &mut || u64::MAX).expect(text);
            let expected = if holds { Verdict::Holds } else { Verdict::Violated };
            assert_eq!(outcome.verdict, expected, "{text}");
            certificate::check(&system, &property, &outcome.certificate.unwrap())
                .unwrap_or_else(|why| panic!("{text}: {why}"));
        }
        assert_eq!(run::property(&system, &property.text(&system)), Ok(property), "{text}");
    }
}

/// An automaton that accepts nothing proves nothing if it is too large to be complemented or its formula is too large
/// for a tableau.
#[test]
fn empty_automata_show_nothing() {
    let system = run::load(Kind::Cfa, EXAMPLE).unwrap();
    let states: String = (0..8).map(|q| format!("State: {q} [t] {} [!0] {q}\n", (q + 1) % 8)).collect();
    let long = "F (x = 7) & ".repeat(9) + "X X X X X X X X (x = 7)";
    for formula in ["F (x = 7)", &long] {
        let property = run::property(&system, formula).unwrap();
        let automaton = format!(
            "HOA: v1 States: 8 Start: 0 AP: 1 \"x = 7\" acc-name: Buchi Acceptance: 1 Inf(0) --BODY--\n{states}--END--\n"
        );
        let place = |l: &str, q: usize| ProgressNode {
            location: l.to_owned(),
            state: Some(u32::try_from(q).unwrap()),
            rank: vec!["0".to_owned()],
            formula: "true".to_owned(),
        };
        let places = ["l0", "l1", "l2", "l3"].into_iter();
        let nodes = places.flat_map(|l| (0..8).map(move |q| place(l, q))).collect();
        let why = certificate::check(&system, &property, &Certificate::Progress { automaton, nodes });
        let why = why.expect_err("it shows nothing").0;
        assert!(why.contains("not the translation") || why.contains("does not accept"), "{why}");
    }
}

/// Existence of a deadlock, against explicit search.
#[test]
fn deadlocks_are_found() {
    let (mut free, mut stuck) = (0, 0);
    each(0..300, |rng| {
        let text = automaton(rng);
        if text.contains("havoc") {
            return;
        }
        let system = run::load(Kind::Cfa, &text).unwrap();
        let property = run::property(&system, "deadlock-free").unwrap();
        let mut run = Run::new(&system, &property, &Options::default()).unwrap();
        let Some(outcome) = poll_up_to(&mut run, &mut Off, 20_000, &mut || u64::MAX) else { return };
        let stops = oracle::stops(&system, SIZE);
        let expected = if stops { Verdict::Violated } else { Verdict::Holds };
        assert_eq!(outcome.verdict, expected, "{text}");
        certificate::check(&system, &property, &outcome.certificate.unwrap()).unwrap();
        (free, stuck) = (free + i32::from(!stops), stuck + i32::from(stops));
    });
    println!("{stuck} stop, {free} do not");
    assert!(free + stuck >= 60 && free >= 5 && stuck >= 5, "{free} {stuck}");
}

/// A certificate is accepted for another formula, or after a change, only if its new statement is true.
#[test]
fn certificates_of_other_formulas_are_refused() {
    let (mut refused, mut accepted) = (0, 0);
    each(0..60, |rng| {
        let seed = rng.seed();
        let Some((text, system, property, _)) = question(rng) else { return };
        let mut run = Run::new(&system, &property, &Options::default()).unwrap();
        let outcome = poll_up_to(&mut run, &mut Off, 4_000, &mut || u64::MAX);
        let Some(certificate) = outcome.and_then(|o| o.certificate) else { return };
        let mut mutants = vec![certificate.clone()];
        match &certificate {
            Certificate::Lasso { states, back, recurrent_set } => {
                mutants.push(Certificate::Lasso {
                    states: states.clone(),
                    back: back + 1,
                    recurrent_set: recurrent_set.clone(),
                });
                let shorter = states[..states.len() - 1].to_vec();
                mutants.push(Certificate::Lasso {
                    states: shorter.clone(),
                    back: *back,
                    recurrent_set: recurrent_set.clone(),
                });
                for states in [states, &shorter] {
                    let recurrent_set = Some("true".to_owned());
                    mutants.push(Certificate::Lasso { states: states.clone(), back: *back, recurrent_set });
                }
            }
            Certificate::Progress { automaton, nodes } => {
                for i in 0..nodes.len().min(6) {
                    let (mut less, mut other) = (nodes.clone(), nodes.clone());
                    less.remove(i);
                    other[i].rank = vec!["0".to_owned()];
                    mutants.extend(
                        [less, other]
                            .map(|nodes| Certificate::Progress { automaton: automaton.clone(), nodes }),
                    );
                }
                mutants.push(Certificate::Progress {
                    automaton: automaton.replace("{0}", ""),
                    nodes: nodes.clone(),
                });
            }
            _ => unreachable!("the question is temporal"),
        }
        let mut asked = vec![property];
        let mut truth = vec![matches!(certificate, Certificate::Progress { .. })];
        for _ in 0..4 {
            if let Some((_, other, holds)) = formula(rng, &system) {
                asked.push(other);
                truth.push(holds);
            }
        }
        for (property, holds) in asked.iter().zip(truth) {
            for mutant in &mutants {
                if certificate::check(&system, property, mutant).is_err() {
                    refused += 1;
                    continue;
                }
                accepted += 1;
                let says = matches!(mutant, Certificate::Progress { .. });
                assert_eq!(says, holds, "seed {seed}: {mutant:?} for {} of {text}", property.text(&system));
            }
        }
    });
    println!("{refused} refused, {accepted} accepted");
    assert!(refused > 300 && accepted > 30, "{refused} {accepted}");
}

/// A process as in the thesis over two unbounded integers.
fn unbounded(rng: &mut Rng) -> String {
    let mut update = |v: &str| match rng.below(6) {
        0 => format!("{v} := {}", rng.range(-2, 2)),
        1 => format!("{v} := x + y"),
        2 => format!("havoc {v}"),
        _ => format!("{v} := {v} + {}", rng.range(-1, 2)),
    };
    let (first, second, third) = (update("x"), update("y"), update("x"));
    let bound = rng.range(-1, 3);
    format!(
        "main process p {{ var x : int var y : int init loc a loc b loc c a -> b {{ x := 0 y := 0 }} b -> c {{ {first} }} \
         c -> b {{ assume x > {bound} {second} }} c -> b {{ assume x <= {bound} {third} }} }}"
    )
}

/// Runs that violate a formula although no state repeats: the steps of the cycle can be repeated forever, and the
/// certificate's formula is true each time.
#[test]
fn runs_may_go_on_for_ever_without_coming_back() {
    let formulas = ["F (x = 7)", "G F (x = 3)", "G F (y > x)", "F G (x < 5)", "G F (x <= 2)", "F (y < 0)"];
    let (mut growing, mut decided) = (0, 0);
    each(0..60, |rng| {
        let text = unbounded(rng);
        let system = run::load(Kind::Cfa, &text).unwrap();
        let property = run::property(&system, &format!("ltl:{}", rng.pick(&formulas))).unwrap();
        let options = Options { method: Method::Cegar, ..Options::default() };
        let mut run = Run::new(&system, &property, &options).unwrap();
        let Some(outcome) = poll_up_to(&mut run, &mut Off, 1_500, &mut || u64::MAX) else { return };
        let Some(certificate) = outcome.certificate else { return };
        certificate::check(&system, &property, &certificate).unwrap_or_else(|why| panic!("{why}: {text}"));
        decided += 1;
        let Certificate::Lasso { states, back, recurrent_set: Some(kept) } = certificate else { return };
        growing += 1;
        let set = certificate::formula(&kept, &system).unwrap();
        let value = |s: &TraceState, v: VarId| {
            let (text, ty) = (&s.values[v.index()].1, system.variable(v).ty.sort());
            assert_eq!(ty, Sort::Int);
            Value::Num(text.parse().unwrap())
        };
        let mut now: State = system.var_ids().map(|v| value(&states[back], v)).collect();
        for _ in 0..20 {
            assert!(set.eval(&|v| now[v.index()].clone()).unwrap().bool(), "{kept} is not kept: {text}");
            for step in &states[back + 1..] {
                let Some(edge) = step.edge else { continue };
                let op = &system.edges[edge as usize].op;
                now =
                    system.post(op, &now, &mut |v| value(step, v)).unwrap().expect("a step that is possible");
            }
        }
    });
    println!("{growing} of {decided} grow for ever");
    assert!(growing >= 5, "{growing} of {decided}");
}

/// Actions that write a variable twice, and values that only the automaton reads.
#[test]
fn actions_of_several_statements_are_read_as_a_whole() {
    let model = |body: &str| {
        format!(
            "var x : integer = 0 var y : integer = 0 trans {{ {body} }} init {{}} env {{}} prop {{ true }}"
        )
    };
    let questions = [
        ("y := 3; y := 3; x := x + 1;", "G F (x = 0)", Letters::Exact, Verdict::Violated),
        (
            "y := 3; assume(y == 3); y := 4; y := 3; x := x + 1;",
            "F (x < 0)",
            Letters::Exact,
            Verdict::Violated,
        ),
        ("y := 3; y := 3; x := x + y;", "G F (x = 0 or y = 1)", Letters::Abstract, Verdict::Violated),
        ("x := 1; y := y + 1;", "G F (x = 1)", Letters::Abstract, Verdict::Holds),
        ("x := y; y := 1;", "G (x < 5)", Letters::Abstract, Verdict::Holds),
        ("x := 1; y := y + 1;", "F G (x = 0)", Letters::Abstract, Verdict::Violated),
    ];
    for (body, formula, letters, expected) in questions {
        let system = run::load(Kind::Xsts, &model(body)).unwrap();
        let property = run::property(&system, &format!("ltl:{formula}")).unwrap();
        let strategy = Strategy { letters, ..Strategy::default() };
        let options = Options { method: Method::Cegar, strategy, ..Options::default() };
        let mut run = Run::new(&system, &property, &options).unwrap();
        let outcome = poll_up_to(&mut run, &mut Off, 4_000, &mut || u64::MAX).expect("an answer");
        assert_eq!(outcome.verdict, expected, "{body} {formula}");
        certificate::check(&system, &property, &outcome.certificate.unwrap()).unwrap();
    }
}

/// Where the automaton reads its letter in the abstract state that is reached, the letter is not part of the operation
/// that is encoded, and so not of its name.
#[test]
fn letters_that_are_read_apart_are_not_in_the_names_of_edges() {
    let text = "main process m { var x : int init loc A loc B A -> B { x := 0 } B -> A { x := x + 1 } }";
    let system = run::load(Kind::Cfa, text).expect("a model");
    let property = run::property(&system, "F (x = 3)").expect("a property");
    for (letters, named) in [("exact", true), ("abstract", false)] {
        let options = [("engine", "cegar"), ("letters", letters)].map(|(n, v)| (n.to_owned(), v.to_owned()));
        let options = Options::with(&options).expect("options");
        let names = Run::new(&system, &property, &options).expect("a run").names();
        assert_eq!(names.edges.iter().any(|edge| edge.text.contains('⟨')), named, "{letters}");
    }
}

/// The options of bounded model checking up to a number of steps.
fn bounded(steps: u32) -> BmcOptions {
    BmcOptions { bound: Some(steps), ..BmcOptions::default() }
}
