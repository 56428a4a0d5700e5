//! Wrong certificates and properties that must be rejected.

use solver_lite::Limits;
use solver_lite::smtlib::Session;
use veristep_core::certificate::{self, Certificate};
use veristep_core::kit::Off;
use veristep_core::property::Property;
use veristep_core::run::{self, Kind, Options, Run};
use veristep_core::system::System;
use veristep_tests::models::poll_up_to;

fn load(text: &str) -> System {
    run::load(Kind::Cfa, text).unwrap_or_else(|d| panic!("{}", d[0].message))
}

fn verdict(system: &System) -> String {
    let mut run = Run::new(system, &Property::ErrorUnreachable, &Options::default()).unwrap();
    let outcome = poll_up_to(&mut run, &mut Off, 3_000, &mut || u64::MAX).expect("a small model");
    let certificate = outcome.certificate.expect("decided");
    certificate::check(system, &Property::ErrorUnreachable, &certificate).unwrap_or_else(|e| panic!("{e}"));
    outcome.verdict.to_string()
}

#[test]
fn arrays_are_not_compared_from_outside() {
    let text = "main process p { var a : [int] -> int init loc A loc B A -> B { a := a[0 <- 1] } }";
    let property =
        run::property(&load(text), "a /= [0 <- 1, 1 <- 5, default <- 0] or a = [0 <- 1, default <- 0]");
    let message = &property.unwrap_err()[0].message;
    assert!(message.contains("comparing arrays in a property"), "{message}");
}

#[test]
fn a_fully_used_index_type_has_no_elsewhere() {
    let assume: String = (0..128).map(|d| format!("assume a[7'd{d}] = b[7'd{d}]\n")).collect();
    let head =
        "main process p { var a : [bv[7]] -> int var b : [bv[7]] -> int init loc A error loc E A -> E {\n";
    assert_eq!(verdict(&load(&format!("{head}{assume}assume a /= b }} }}"))), "holds");
}

#[test]
fn cells_are_not_mistaken_for_variables() {
    let text = "main process p { var _cell_1 : int var __cell_1 : int var a : [int] -> int init loc A loc B error loc E
        A -> B { a := a[0 <- 5]
        _cell_1 := 7 }
        B -> E { assume a[0] /= 5 } }";
    assert_eq!(verdict(&load(text)), "holds");
    let system =
        load("main process p { var a : [int] -> int init loc A error loc E A -> E { assume a[0] /= a[0] } }");
    for formula in
        ["_cell_0 = 5", "__cell_0 = 5", "a[1] = 5", "a = a", "a[0] * a[0] = 1", "a[0]' = 1", "a[0] = 1 or"]
    {
        let mut locations: Vec<(String, String)> = vec![("E".into(), "false".into())];
        locations.push(("A".into(), formula.into()));
        let certificate = Certificate::Invariant { locations };
        let answer = certificate::check(&system, &Property::ErrorUnreachable, &certificate);
        assert!(answer.is_err(), "{formula} was accepted");
    }
}

#[test]
fn constants_do_not_grow_without_bound() {
    let squares = "x := x * x\n".repeat(40);
    let text = format!(
        "main process p {{ var x : int var y : int init loc A error loc E A -> E {{ x := 99\n{squares}assume x = y }} }}"
    );
    let message = run::load(Kind::Cfa, &text).unwrap_err()[0].message.clone();
    assert!(message.contains("nonlinear") || message.contains("large"), "{message}");
}

#[test]
fn numbers_beyond_the_interpreter_end_in_unknown() {
    let factor = "9".repeat(1_000);
    let products = format!("x := x * {factor}\n").repeat(25);
    let system = load(&format!(
        "main process p {{ var x : int init loc A error loc E A -> E {{ havoc x\nassume x > 0\n{products}assume x > 1 }} }}"
    ));
    let mut run = Run::new(&system, &Property::ErrorUnreachable, &Options::default()).unwrap();
    let outcome = poll_up_to(&mut run, &mut Off, 3_000, &mut || u64::MAX).expect("a small model");
    assert_eq!(outcome.verdict.to_string(), "unknown");
}

/// The formula of a location without one follows from its predecessors, on all paths.
#[test]
fn locations_without_formulas_are_passed_through() {
    let system = load(
        "main process p { var x : int var y : int init loc A loc L loc M loc N loc O final loc F error loc E
        A -> L { x := 0 } L -> M { assume y > 0 } L -> N { assume y <= 0 } M -> O { x := x + 2 }
        N -> O { havoc y x := x + y - y + 2 } O -> L { x := x - 2 } L -> E { assume x /= 0 } L -> F { } }",
    );
    let check = |formulas: &[(&str, &str)]| {
        let locations = formulas.iter().map(|(l, f)| ((*l).to_owned(), (*f).to_owned())).collect();
        let certificate = Certificate::Invariant { locations };
        certificate::check(&system, &Property::ErrorUnreachable, &certificate).map_err(|why| why.0)
    };
    let report = check(&[("A", "true"), ("L", "x = 0"), ("E", "false")]).unwrap();
    assert!(report.sentences.iter().any(|s| s.contains("every reachable loop has one")));
    let refused = |formulas: &[(&str, &str)], why: &str| {
        let said = check(formulas).unwrap_err();
        assert!(said.contains(why), "'{said}' does not say '{why}'");
    };
    refused(&[("A", "true"), ("E", "false")], "is on a cycle of locations without formulas");
    refused(&[("L", "x = 0")], "the error location has no formula");
    refused(&[("L", "x >= 0"), ("E", "false")], "leaves the formulas");
    refused(&[("L", "x = 0"), ("O", "x = 1"), ("E", "false")], "a path from L to O leaves the formulas");
    refused(&[("L", "x = 0"), ("O", "x = 2 and y > 0"), ("E", "false")], "leaves the formulas");
}

/// Values of enumerations are printed by name, and read again: in runs and in invariants.
#[test]
fn values_of_enumerations_have_names() {
    let text = |goal: &str| {
        format!(
            "type Light : {{ Red, Green }} type Mode : {{ Idle, Green, Busy }}
            var a : Light = Red var b : Mode = Idle
            trans choice {{ assume a == Red; a := Light.Green; }} or {{ assume b == Idle; b := Busy; }} init {{}} env {{}}
            prop {{ {goal} }}"
        )
    };
    for (goal, expected) in [("b != Mode.Green", "holds"), ("!(a == Light.Green && b == Busy)", "violated")] {
        let system = run::load(Kind::Xsts, &text(goal)).unwrap();
        let property = run::property(&system, "").unwrap();
        for engine in ["explicit", "pdr", "cegar", "split"] {
            let options = Options::with(&[("engine".to_owned(), engine.to_owned())]).unwrap();
            let mut run = Run::new(&system, &property, &options).unwrap();
            let outcome = poll_up_to(&mut run, &mut Off, 3_000, &mut || u64::MAX).unwrap();
            assert_eq!(outcome.verdict.to_string(), expected, "{engine}");
            let c = outcome.certificate.unwrap();
            certificate::check(&system, &property, &c).unwrap_or_else(|e| panic!("{engine}: {e}"));
            match &c {
                Certificate::Trace { states } => {
                    let last = states.last().unwrap().values_text();
                    assert!(last.contains("a = Light.Green") && last.contains("b = Busy"), "{last}");
                }
                Certificate::Invariant { locations } if engine == "explicit" => {
                    let all = locations.iter().map(|(_, f)| f.as_str()).collect::<String>();
                    assert!(all.contains("Mode.") || all.contains("Idle") || all.contains("Busy"), "{all}");
                }
                _ => {}
            }
        }
    }
}

/// Paths through locations without formulas that join again are all in the exported obligations: with another model,
/// one of them has a solution.
#[test]
fn exported_obligations_have_all_ways() {
    let text = "var x : integer = 0 var y : integer = 0
        trans { if (x == 0) y := 1; else { choice { y := 2; } or { y := 3; } } x := 1 - x; } init {} env {}";
    let read = |text: &str| run::load_for(Kind::Xsts, text, Some("y <= 3")).unwrap();
    let system = read(text);
    let property = run::property(&system, "y <= 3").unwrap();
    let mut run = Run::new(&system, &property, &Options::default()).unwrap();
    let outcome = poll_up_to(&mut run, &mut Off, 3_000, &mut || u64::MAX).expect("a small model");
    let certificate = outcome.certificate.expect("decided");
    let answers = |system: &System| {
        let scripts = certificate::export(system, &property, &certificate).unwrap();
        let mut answers = Vec::new();
        for script in scripts {
            Session::new(Limits::default()).run(&script.text, &mut |answer| answers.push(answer.to_owned()));
        }
        answers
    };
    assert!(answers(&system).iter().all(|a| a == "unsat"));
    assert!(answers(&read(&text.replace("y := 3", "y := 9"))).iter().any(|a| a == "sat"));
}

/// An edge with very many statements is too deep to be processed statement by statement.
#[test]
fn long_edges_are_no_deep_recursion() {
    let statements: String = (0..300).map(|i| format!("x := {} ", i % 2)).collect();
    let text = format!("main process p {{ var x : int init loc A A -> A {{ {statements} }} }}");
    let system = load(&text);
    let property = run::property(&system, "ltl[step=statement]: G (x <= 1)").unwrap();
    let mut run = Run::new(&system, &property, &Options::default()).unwrap();
    let outcome = poll_up_to(&mut run, &mut Off, 20_000, &mut || u64::MAX);
    let certificate = outcome.and_then(|o| o.certificate).expect("decided");
    assert!(certificate::check(&system, &property, &certificate).is_ok_and(|report| !report.by_statements));
}
