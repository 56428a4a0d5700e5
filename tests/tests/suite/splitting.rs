//! The examples of Hajdu, Tóth, Vörös and Majzik, "A Configurable CEGAR Framework with Interpolation-Based Refinements"
//! (2016), as facts about our runs.

use std::collections::{BTreeMap, BTreeSet};

use solver_lite::number::Q;
use solver_lite::term::Value;
use veristep_core::certificate;
use veristep_core::kit::{CellId, Event, FormulaId, Journal, Recorder, Verdict};
use veristep_core::methods::split;
use veristep_core::property;
use veristep_core::run::{self, Kind, Options, Run};
use veristep_core::system::System;
use veristep_tests::models::poll_up_to;

/// States of examples 1 to 7, as `(x, y)`.
type States = BTreeSet<(i64, i64)>;

fn corpus(name: &str) -> System {
    let file = veristep_tests::corpus().join("sts").join(name);
    run::load(Kind::Sts, &std::fs::read_to_string(file).unwrap()).unwrap()
}

/// A recorded run of the engine `split`, which holds and is certified.
fn record(system: &System, choices: &[(&str, &str)]) -> Journal {
    let mut choices: Vec<(String, String)> =
        choices.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    choices.push(("engine".to_owned(), "split".to_owned()));
    let property = run::property(system, "").unwrap();
    let mut run = Run::new(system, &property, &Options::with(&choices).unwrap()).unwrap();
    let mut sink = Recorder { journal: Journal::new(run.names()) };
    let outcome = poll_up_to(&mut run, &mut sink, 10_000, &mut || u64::MAX).unwrap();
    assert_eq!(outcome.verdict, Verdict::Holds);
    certificate::check(system, &property, outcome.certificate.as_ref().unwrap()).unwrap();
    sink.journal
}

fn text(journal: &Journal, formula: FormulaId) -> String {
    journal.formulas[formula.0 as usize].clone()
}

/// The states in which a formula is true.
fn states(system: &System, formula: &str) -> States {
    let e = property::condition(formula, system).unwrap_or_else(|d| panic!("{formula}: {}", d[0].message));
    let all = (0..=3).flat_map(|x| (0..=1).map(move |y| (x, y)));
    let holds = |(x, y): &(i64, i64)| {
        let of = |v| match system.variable(v).name.as_str() {
            "x" => Value::Num((*x).into()),
            _ => Value::Num((*y).into()),
        };
        e.eval(&of).unwrap().bool()
    };
    all.filter(holds).collect()
}

/// The cells of a run, as sets of states.
fn cells(system: &System, journal: &Journal) -> BTreeMap<CellId, States> {
    let reached = journal.events.iter().cloned().filter_map(|e| match e {
        Event::Split(split::Event::CellReached { cell, formula }) => {
            Some((cell, states(system, &text(journal, formula))))
        }
        _ => None,
    });
    reached.collect()
}

/// The initial cells, and the computed transitions.
fn graph(system: &System, journal: &Journal) -> (BTreeSet<States>, BTreeSet<(States, States)>) {
    let cells = cells(system, journal);
    let (mut initial, mut transitions) = (BTreeSet::new(), BTreeSet::new());
    for e in journal.events.iter().cloned() {
        if let Event::Split(split::Event::TransitionFound { from, to }) = e {
            match from {
                None => drop(initial.insert(cells[&to].clone())),
                Some(from) => drop(transitions.insert((cells[&from].clone(), cells[&to].clone()))),
            }
        }
    }
    (initial, transitions)
}

fn all(of: impl Fn(i64, i64) -> bool) -> States {
    (0..=3).flat_map(|x| (0..=1).map(move |y| (x, y))).filter(|(x, y)| of(*x, *y)).collect()
}

/// `ŝ₀` to `ŝ₃`.
fn abstract_states() -> [States; 4] {
    [
        all(|x, y| x < 2 && y != 1),
        all(|x, y| x < 2 && y == 1),
        all(|x, y| x >= 2 && y != 1),
        all(|x, y| x >= 2 && y == 1),
    ]
}

/// The system of the examples without a property.
fn example_1() -> System {
    let file = veristep_tests::corpus().join("sts").join("hajdu-2016-example-1.sts");
    let text = std::fs::read_to_string(file).unwrap();
    run::load(Kind::Sts, &text.replace("G(x /= 3 or y /= 0)", "G(true)")).unwrap()
}

#[test]
fn example_1_has_four_cells_and_six_transitions() {
    let system = example_1();
    let journal = record(&system, &[("initial", "x < 2; y = 1")]);
    let (initial, transitions) = graph(&system, &journal);
    let s = abstract_states();
    let expected = [(0, 1), (0, 2), (0, 3), (1, 1), (2, 2), (3, 2)];
    assert_eq!(initial, BTreeSet::from([s[0].clone()]));
    assert_eq!(transitions, expected.iter().map(|(a, b)| (s[*a].clone(), s[*b].clone())).collect());
    assert_eq!(cells(&system, &journal).into_values().collect::<BTreeSet<_>>(), s.into());
}

#[test]
fn example_2_has_two_cells_and_four_transitions() {
    let system = example_1();
    let journal = record(&system, &[("domain", "expl"), ("explicit", "y")]);
    let (initial, transitions) = graph(&system, &journal);
    let y = [all(|_, y| y == 0), all(|_, y| y == 1)];
    assert_eq!(initial, BTreeSet::from([y[0].clone()]));
    assert_eq!(transitions, (0..4).map(|i| (y[i / 2].clone(), y[i % 2].clone())).collect());
}

/// Examples 4 to 7: both counterexamples are spurious; their failure states are `ŝ₃` and `ŝ₂`, and the interpolants
/// separate the dead ends from the bad states.
#[test]
fn examples_4_to_7_fail_at_s3_and_s2() {
    let system = corpus("hajdu-2016-example-1.sts");
    let s = abstract_states();
    for incremental in ["on", "off"] {
        let journal = record(&system, &[("initial", "x < 2; y = 1"), ("incremental", incremental)]);
        let cells = cells(&system, &journal);
        let mut failures = Vec::new();
        let mut failed = None;
        for e in journal.events.iter().cloned() {
            match e {
                Event::Split(split::Event::FailureFound { cell, .. }) => failed = Some(cells[&cell].clone()),
                Event::Split(split::Event::CellInterpolated { formula, .. }) => {
                    failures.push((failed.take().unwrap(), states(&system, &text(&journal, formula))));
                }
                _ => {}
            }
        }
        let at = |i: usize| failures.iter().filter(|(c, _)| *c == s[i]).map(|(_, t)| t).collect::<Vec<_>>();
        assert_eq!(failures.len(), 2, "{failures:?}");
        assert!(at(3).iter().all(|t| t.contains(&(3, 1)) && !t.contains(&(2, 1))), "{failures:?}");
        assert!(at(2).iter().all(|t| t.contains(&(2, 0)) && !t.contains(&(3, 0))), "{failures:?}");
        assert_eq!((at(3).len(), at(2).len()), (1, 1), "{failures:?}");
    }
}

/// Example 8, its first half: one interpolant at the failure state needs all three variables.
#[test]
fn example_8_needs_three_variables_for_one_interpolant() {
    let system = corpus("hajdu-2016-example-8.sts");
    let journal = record(&system, &[("initial", "x <= 0; x <= 2; x <= 4")]);
    let interpolants = journal.events.iter().filter_map(|e| match e {
        Event::Split(split::Event::CellInterpolated { formula, .. }) => Some(text(&journal, *formula)),
        _ => None,
    });
    let first = interpolants.collect::<Vec<_>>().remove(0);
    let variables = property::condition(&first, &system).unwrap().variables();
    let names: Vec<&str> = variables.iter().map(|v| system.variable(*v).name.as_str()).collect();
    assert_eq!(names, ["x", "y", "z"]);
}

/// Its second half: a sequence of interpolants is over `x` alone, and splits the two states in the middle.
#[test]
fn example_8_needs_only_x_for_a_sequence() {
    let system = corpus("hajdu-2016-example-8.sts");
    let journal = record(&system, &[("initial", "x <= 0; x <= 2; x <= 4"), ("refinement", "seq")]);
    let mut splits = Vec::new();
    for event in &journal.events {
        if let Event::Split(split::Event::CellInterpolated { cell, formula }) = event {
            let e = property::condition(&text(&journal, *formula), &system).unwrap();
            let names: Vec<&str> = e.variables().iter().map(|v| system.variable(*v).name.as_str()).collect();
            assert_eq!(names, ["x"]);
            let x = |n: i64| e.eval(&|_| Value::Num(Q::from(n))).unwrap().bool();
            splits.push((*cell, (0..=5).filter(|n| x(*n)).collect::<Vec<i64>>()));
        }
    }
    assert_eq!(splits.len(), 2, "{splits:?}");
    assert_ne!(splits[0].0, splits[1].0);
    // As x < 2 and x < 4 do, they separate the first number of each cell from the second.
    for ((_, held), [low, high]) in splits.iter().zip([[1, 2], [3, 4]]) {
        assert!(held.contains(&low) && !held.contains(&high), "{splits:?}");
    }
    assert!(matches!(journal.events.last(), Some(Event::Decided { verdict: Verdict::Holds })));
}
