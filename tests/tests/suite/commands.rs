//! Guarded commands: verdicts against an enumeration, the figures of under-approximation refinement, and its options.

use veristep_core::certificate::{self, Certificate};
use veristep_core::kit::{Event, Journal, Recorder, UnknownReason, Verdict};
use veristep_core::methods::combined_approx::{self, Side};
use veristep_core::methods::under;
use veristep_core::run::{self, Conclusion, Kind, Options, Run};
use veristep_core::system::EdgeId;
use veristep_tests::commands::{Counted, examine};
use veristep_tests::models::poll_up_to;
use veristep_tests::random::each;

#[test]
fn random_commands_have_the_verdicts_of_an_enumeration() {
    let mut counted = Counted::default();
    each(0..150, |rng| examine(rng, &mut counted));
    println!("{counted:?}");
    assert!(counted.systems[0] > 20 && counted.systems[1] > 20, "{counted:?}");
    assert!(counted.runs.iter().all(|(_, [decided, _])| *decided > 75), "{counted:?}");
}

/// A run of `under` on an example of the page, or on a text.
fn under(text: &str, choices: &[(&str, &str)]) -> (Conclusion, Journal) {
    let (ended, journal, by_statements) = run_of("under", text, choices);
    assert!(by_statements);
    (ended, journal)
}

/// A run with its journal; and whether its certificate was checked by the text, too.
fn run_of(engine: &str, text: &str, choices: &[(&str, &str)]) -> (Conclusion, Journal, bool) {
    let system = run::load(Kind::Gc, text).unwrap_or_else(|d| panic!("{}\n{text}", d[0].message));
    let property = run::property(&system, "").unwrap();
    let named = choices.iter().copied().chain([("engine", engine)]);
    let named: Vec<_> = named.map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
    let mut run = Run::new(&system, &property, &Options::with(&named).unwrap()).unwrap();
    let mut sink = Recorder { journal: Journal::new(run.names()) };
    let ended = poll_up_to(&mut run, &mut sink, 1_000_000, &mut || u64::MAX).expect("it ends");
    assert_eq!(sink.journal.check(), Ok(()));
    let mut by_statements = true;
    if let Some(certificate) = &ended.certificate {
        let report = certificate::check(&system, &property, certificate).unwrap_or_else(|e| panic!("{e}"));
        assert!(report.trusted.is_empty());
        by_statements = report.by_statements;
    }
    (ended, sink.journal, by_statements)
}

fn example(name: &str) -> String {
    let path = format!("{}/../static/examples/gc/{name}.gc", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

/// Concrete states, abstract states and new predicates of each search; and the number of queries.
fn searches(journal: &Journal) -> (Vec<[u32; 3]>, u32) {
    let ended = |event: &Event| match event {
        Event::Under(under::Event::SearchEnded { generated, stored, found, .. }) => {
            Some([*generated, *stored, *found])
        }
        _ => None,
    };
    (journal.events.iter().filter_map(ended).collect(), journal.events.iter().map(Event::asked).sum())
}

/// The rows of table 1 of Păsăreanu, Pelánek and Visser (2007), with at most as many queries. The ticket protocol of
/// three processes with a mistake has other numbers of states there (102 and 44).
#[test]
fn the_figures_of_the_paper() {
    let rows: [(&str, Verdict, &[[u32; 3]], u32); 6] = [
        ("ticket2", Verdict::Holds, &[[15, 9, 3], [15, 9, 2], [15, 9, 1], [15, 9, 0]], 124),
        ("ticket3", Verdict::Holds, &[[52, 25, 4], [58, 31, 5], [58, 31, 1], [58, 31, 1], [58, 31, 0]], 603),
        ("ticket2-err", Verdict::Violated, &[[15, 9, 3], [31, 17, 2]], 38),
        ("ticket3-err", Verdict::Violated, &[[112, 49, 4]], 14),
        ("rax-err", Verdict::Violated, &[[69, 44, 2]], 10),
        ("rax-nonneg", Verdict::Holds, &[[69, 44, 2], [101, 65, 0]], 40),
    ];
    for (name, verdict, expected, most) in rows {
        let (ended, journal) = under(&example(name), &[]);
        let (found, queries) = searches(&journal);
        println!("{name}: {found:?}, {queries} queries");
        assert_eq!((ended.verdict, &found[..]), (verdict, expected), "{name}");
        assert!(queries <= most, "{name}: {queries} queries");
    }
}

/// Without an error, the example RAX has the same states again and again, and predicates about smaller and smaller
/// numbers.
#[test]
fn refinement_diverges_where_only_unreachable_states_are_refined() {
    let (ended, journal) = under(&example("rax"), &[]);
    assert_eq!(ended.verdict, Verdict::Unknown(UnknownReason::Diverges));
    let (found, _) = searches(&journal);
    assert_eq!(found[..4], [[69, 44, 2], [101, 65, 2], [101, 65, 2], [101, 65, 2]]);
    assert_eq!(journal.predicates[4..8], ["e1 = 0", "e2 = 0", "e1 = -1", "e2 = -1"]);
    // Figure 4: one reachable state, and infinitely many predicates.
    let figure = "system figure4 {
        control pc : int = 0
        var x, y : int = 0
        pc = 0          -> y := y + x
        pc = 0 && y < 0 -> pc := 1
        error pc = 1
    }";
    let (ended, journal) = under(figure, &[]);
    assert_eq!(ended.verdict, Verdict::Unknown(UnknownReason::Diverges));
    assert_eq!(journal.predicates[..3], ["y <= -1", "x + y <= -1", "2 * x + y <= -1"]);
    let (ended, _) = under(figure, &[("concrete", "3")]);
    assert_eq!(ended.verdict, Verdict::Holds);
}

/// The bakery protocol and the device driver, which the paper does not print.
#[test]
fn protocols_of_the_literature() {
    for (name, verdict, most) in [
        ("bakery", Verdict::Holds, 1_598),
        ("bakery-err", Verdict::Violated, 89),
        ("driver", Verdict::Holds, 7),
        ("driver-err", Verdict::Violated, 2),
    ] {
        let (ended, journal) = under(&example(name), &[]);
        let (found, queries) = searches(&journal);
        println!("{name}: {found:?}, {queries} queries");
        assert_eq!(ended.verdict, verdict, "{name}");
        assert!(queries <= most, "{name}: {queries} queries");
    }
}

/// Section 7.1: inputs of unbounded types, and unspecified initial values.
#[test]
fn open_systems() {
    let open = "system open {
        var x, y : int
        control pc : {get, compare, keep} = get
        pc = get               -> x := input, pc := compare
        pc = compare && x > y  -> y := x, pc := keep
        pc = compare && x <= y -> pc := keep
        pc = keep              -> pc := get
        error pc = keep && x > y
    }";
    for choices in
        [&[][..], &[("precision", "local")], &[("search", "dfs")], &[("exactness", "substitution")]]
    {
        let (ended, _) = under(open, choices);
        assert_eq!(ended.verdict, Verdict::Holds, "{choices:?}");
        let wrong = open.replace("x > y\n    }", "x = 7 && y > 9\n    }");
        assert_eq!(under(&wrong, choices).0.verdict, Verdict::Violated, "{choices:?}");
    }
}

/// Under- and over-approximation in turns: the answer is that of the engine whose turn is the last one, and both share
/// predicates.
#[test]
fn both_approximations_in_turns() {
    // A counter up to 12: each spurious counterexample of the proof is one step longer, and the search finds the error.
    let counter = "system s {\n  control pc : {up, end} = up\n  var x, y : int = 0\n  pc = up && x < 12 -> x := x + 1, y := y + 2\n  pc = up && x >= 12 -> pc := end\n  error pc = end && y = 24\n}\n";
    // The search refines unreachable states for ever, and the proof ends.
    let rows = [
        ("ticket2", example("ticket2"), Verdict::Holds, Side::Under),
        ("ticket2-err", example("ticket2-err"), Verdict::Violated, Side::Under),
        ("rax", example("rax"), Verdict::Holds, Side::Over),
        ("counter", counter.to_owned(), Verdict::Violated, Side::Under),
    ];
    for (name, text, verdict, side) in rows {
        let (ended, journal, _) = run_of("combined-approx", &text, &[]);
        let of = |event: &Event| match event {
            Event::CombinedApprox(event) => Some(*event),
            _ => None,
        };
        let all: Vec<combined_approx::Event> = journal.events.iter().filter_map(of).collect();
        let turn = |event: &combined_approx::Event| match event {
            combined_approx::Event::TurnBegan { side, .. } => Some(*side),
            _ => None,
        };
        let turns: Vec<Side> = all.iter().filter_map(turn).collect();
        let shared = all.iter().filter(|e| matches!(e, combined_approx::Event::Shared { .. })).count();
        println!("{name}: {} turns, {shared} shared predicates", turns.len());
        assert_eq!((ended.verdict, turns.last()), (verdict, Some(&side)), "{name}");
        assert!(turns.contains(&Side::Under) && (turns.len() == 1 || turns.contains(&Side::Over)), "{name}");
        assert_eq!(shared > 0, ["rax", "counter"].contains(&name), "{name}");
    }
}

/// A structure with a transition that its source does not have is not bisimilar, and is refused.
#[test]
fn transitions_that_do_not_exist_are_refused() {
    let text = example("ticket2");
    let (ended, _) = under(&text, &[]);
    let Some(Certificate::Structure { predicates, states, transitions }) = ended.certificate else {
        panic!("a structure")
    };
    let system = run::load(Kind::Gc, &text).unwrap();
    let property = run::property(&system, "").unwrap();
    let mut refused = 0;
    for (_, edge, to) in transitions.clone() {
        for from in 0..u32::try_from(states.len()).unwrap() {
            let same = states[from as usize].location == "state"
                && system.edge(EdgeId(edge)).label != "initial values";
            if !same || transitions.iter().any(|(a, e, _)| (*a, *e) == (from, edge)) {
                continue;
            }
            let mut transitions = transitions.clone();
            transitions.push((from, edge, to));
            let changed = Certificate::Structure {
                predicates: predicates.clone(),
                states: states.clone(),
                transitions,
            };
            let why = certificate::check(&system, &property, &changed).unwrap_err().to_string();
            assert!(why.contains("is not possible in all states"), "{why}");
            refused += 1;
        }
    }
    assert!(refused > 20, "{refused}");
}
