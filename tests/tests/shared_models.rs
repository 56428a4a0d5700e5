//! The automata and programs of ../shared/models: no verdict is wrong, every one is certified.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;

use veristep_core::auto::schedule;
use veristep_core::cegar::experiment::questions;
use veristep_core::cegar::{Domain, MaxEnum, Strategy};
use veristep_core::certificate;
use veristep_core::diagnostic::Severity;
use veristep_core::kit::Off;
use veristep_core::method::Plan;
use veristep_core::property::Property;
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_core::system::System;
use veristep_tests::models::poll_up_to;
use veristep_tests::shared;

struct Row {
    name: String,
    expected: &'static str,
    /// `None` for what is refused by name.
    system: Option<System>,
}

/// The safety questions of the manifest about automata and programs.
fn rows() -> Option<Vec<Row>> {
    let folder = shared("models")?;
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let mut rows = Vec::new();
    for line in manifest.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (name, kind, property, expected) = (fields[0], fields[1], fields[2], fields[3]);
        let asked = property == "error-location-unreachable" || property.starts_with("unreach-call");
        let expected = match expected {
            "safe" if asked => "holds",
            "unsafe" if asked => "violated",
            _ => continue,
        };
        let Some(kind) = Kind::of_name(kind) else { continue };
        let path: PathBuf = folder.join(name);
        let system = match run::load(kind, &std::fs::read_to_string(path).unwrap()) {
            Ok(system) => Some(system),
            Err(d) => {
                assert!(d.iter().all(|d| d.severity == Severity::Unsupported), "{name}: {}", d[0].message);
                println!("{name}: refused: {}", d[0].message);
                None
            }
        };
        rows.push(Row { name: name.to_owned(), expected, system });
    }
    Some(rows)
}

/// Is the question decided within so many steps? What is decided must be right and certified.
fn decides(row: &Row, options: &Options, steps: u64) -> bool {
    let Some(system) = &row.system else { return false };
    let mut run = Run::new(system, &Property::ErrorUnreachable, options).unwrap();
    let Some(outcome) = poll_up_to(&mut run, &mut Off, steps, &mut || u64::MAX) else { return false };
    let Some(c) = &outcome.certificate else { return false };
    let by = &outcome.strategy;
    assert_eq!(outcome.verdict.to_string(), row.expected, "{} with {by}", row.name);
    certificate::check(system, &Property::ErrorUnreachable, c)
        .unwrap_or_else(|e| panic!("{} with {by}: {e}", row.name));
    true
}

fn with(strategy: Strategy) -> Options {
    Options { strategy, ..Options::default() }
}

#[test]
fn auto_decides_nearly_all() {
    let Some(rows) = rows() else { return };
    let auto = Options { method: Method::Auto, ..Options::default() };
    let open: Vec<&str> =
        rows.iter().filter(|r| !decides(r, &auto, 300_000)).map(|r| r.name.as_str()).collect();
    println!("auto decides {} of {}; open: {open:?}", rows.len() - open.len(), rows.len());
    assert!(open.len() * 20 <= rows.len(), "auto leaves open {open:?}");
}

#[test]
fn the_strategies_of_the_schedule_are_never_wrong() {
    let Some(rows) = rows() else { return };
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
    let Some(rows) = rows() else { return };
    let mut all: Vec<Strategy> = questions().into_iter().flat_map(|q| q.strategies).collect();
    all.extend(["1*", "1", "5", "50"].map(|k| Strategy {
        domain: Domain::Combined,
        max_enum: k.parse::<MaxEnum>().unwrap(),
        ..Strategy::default()
    }));
    for strategy in all {
        // A listing without limit may go on for ever.
        let steps = if strategy.max_enum == MaxEnum::Unlimited { 500 } else { 20_000 };
        let decided = rows.iter().filter(|r| decides(r, &with(strategy.clone()), steps)).count();
        println!("{}: {decided} of {}", strategy.short(), rows.len());
    }
}
