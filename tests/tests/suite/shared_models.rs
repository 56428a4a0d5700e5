//! The models of ../shared/models: no verdict is wrong, every one is certified.

use veristep_core::buchi;
use veristep_core::certificate;
use veristep_core::kit::Off;
use veristep_core::methods::Plan;
use veristep_core::methods::auto::schedule;
use veristep_core::methods::cegar::experiment::questions;
use veristep_core::methods::cegar::{Domain, MaxEnum, Strategy};
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_tests::models::poll_up_to;
use veristep_tests::shared;
use veristep_tests::shared_models::{Row, rows};

const PROGRAMS: [&str; 2] = ["cfa", "c"];
const TEMPORAL: [&str; 2] = ["cfa-ltl", "xsts-ltl"];
const TRANSITION_SYSTEMS: [&str; 5] = ["sts", "xsts", "statechart-xsts", "aiger", "gamma"];

/// Is the property decided within the limit of steps? A verdict must be right and certified.
pub(crate) fn decides(row: &Row, options: &Options, steps: u64) -> bool {
    let Some((system, property)) = &row.question else { return false };
    let mut run = Run::new(system, property, options).unwrap();
    let Some(outcome) = poll_up_to(&mut run, &mut Off, steps, &mut || u64::MAX) else { return false };
    let Some(c) = &outcome.certificate else { return false };
    let by = &outcome.strategy;
    assert_eq!(outcome.verdict.to_string(), row.expected, "{} with {by}", row.name);
    certificate::check(system, property, c).unwrap_or_else(|e| panic!("{} with {by}: {e}", row.name));
    true
}

fn with(strategy: Strategy) -> Options {
    Options { strategy, ..Options::default() }
}

/// `auto` decides nearly all of them within the limit.
fn auto_decides(kinds: &[&str], steps: u64) {
    let Some(rows) = rows(kinds) else { return };
    let auto = Options { method: Method::Auto, ..Options::default() };
    let open: Vec<&str> =
        rows.iter().filter(|r| !decides(r, &auto, steps)).map(|r| r.name.as_str()).collect();
    println!("auto decides {} of {}; open: {open:?}", rows.len() - open.len(), rows.len());
    assert!(open.len() * 20 <= rows.len(), "auto leaves open {open:?}");
}

#[test]
fn auto_decides_programs() {
    auto_decides(&PROGRAMS, 300_000);
}

#[test]
fn auto_decides_transition_systems() {
    auto_decides(&TRANSITION_SYSTEMS, 20_000);
}

#[test]
fn temporal_formulas_are_decided() {
    let Some(rows) = rows(&TEMPORAL) else { return };
    let components = ("emptiness".to_owned(), "components".to_owned());
    for options in [
        Options { method: Method::Auto, ..Options::default() },
        Options::with(&[components]).unwrap(),
        Options { method: Method::Explicit, ..Options::default() },
    ] {
        let open: Vec<&str> =
            rows.iter().filter(|r| !decides(r, &options, 60_000)).map(|r| r.name.as_str()).collect();
        println!("{}: {} of {}; open: {open:?}", options.short(), rows.len() - open.len(), rows.len());
        let most = if options.method == Method::Auto { 0 } else { rows.len() / 5 };
        assert!(open.len() <= most, "{}: {open:?}", options.short());
    }
}

/// Automata written by other tools accept the words that satisfy the formulas in their names.
#[test]
fn automata_of_other_tools_are_those_of_their_formulas() {
    let Some(folder) = shared("models") else { return };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    for row in manifest.lines().map(|line| line.split('\t').collect::<Vec<_>>()).filter(|row| row[1] == "hoa")
    {
        let formula = row[2].strip_prefix("language-of-ltl:").unwrap();
        let p = veristep_core::ltl::propositional(formula).unwrap();
        let text = std::fs::read_to_string(folder.join(row[0])).unwrap();
        let automaton = buchi::hoa::parse(&text).unwrap_or_else(|d| panic!("{}: {}", row[0], d[0]));
        let automaton = automaton.over(&p.atoms).unwrap();
        assert_eq!(buchi::same_words(&automaton, &p.formula), Ok(buchi::Compared::Same), "{}", row[0]);
    }
}

/// Valid files are read; wrong ones are rejected, with a place.
#[test]
fn syntax_of_extended_transition_systems() {
    let Some(folder) = shared("models") else { return };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let rows = manifest.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    for row in rows.filter(|row| row[1] == "xsts-syntax") {
        let text = std::fs::read_to_string(folder.join(row[0])).unwrap();
        let read = run::load_for(Kind::Xsts, &text, Some(""));
        assert_eq!(if read.is_ok() { "ok" } else { "error" }, row[3], "{}", row[0]);
        let placed = |d: &veristep_core::diagnostic::Diagnostic| {
            d.span.end as usize <= text.len() && !d.message.is_empty()
        };
        assert!(read.err().is_none_or(|d| !d.is_empty() && d.iter().all(placed)), "{}", row[0]);
    }
}

/// The same with the methods one by one. Takes minutes.
#[test]
#[ignore = "takes minutes"]
fn no_method_is_wrong_on_transition_systems() {
    let Some(rows) = rows(&TRANSITION_SYSTEMS) else { return };
    for engine in ["auto", "pdr", "split", "bmc", "imc", "kind", "explicit"] {
        let options = Options::with(&[("engine".to_owned(), engine.to_owned())]).unwrap();
        let steps = if engine == "auto" { 20_000 } else { 300 };
        let decided = rows.iter().filter(|r| decides(r, &options, steps)).count();
        println!("{engine}: {decided} of {}", rows.len());
    }
}

#[test]
fn the_strategies_of_the_schedule_are_never_wrong() {
    let Some(rows) = rows(&PROGRAMS) else { return };
    for plan in schedule() {
        let options = Options::with(&plan.choices()).unwrap();
        let steps = if matches!(plan, Plan::Cegar(_)) { 6_000 } else { 200 };
        let decided = rows.iter().filter(|r| decides(r, &options, steps)).count();
        println!("{}: {decided} of {}", plan.short(), rows.len());
    }
}

/// All strategies of the paper's Table 3. Takes minutes.
#[test]
#[ignore = "takes minutes"]
fn no_strategy_of_the_paper_is_wrong() {
    let Some(rows) = rows(&PROGRAMS) else { return };
    let mut all: Vec<Strategy> = questions().into_iter().flat_map(|q| q.strategies).collect();
    all.extend(["1*", "1", "5", "50"].map(|k| Strategy {
        domain: Domain::Combined,
        max_enum: k.parse::<MaxEnum>().unwrap(),
        ..Strategy::default()
    }));
    for strategy in all {
        // Without a limit the enumeration may not terminate.
        let steps = if strategy.max_enum == MaxEnum::Unlimited { 500 } else { 20_000 };
        let decided = rows.iter().filter(|r| decides(r, &with(strategy.clone()), steps)).count();
        println!("{}: {decided} of {}", strategy.short(), rows.len());
    }
}
