//! Statecharts: the interpreter on the scripts and counts of ../shared/models, and the systems of charts against it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use solver_lite::term::Value;
use veristep_core::certificate::{self, Certificate, TraceState};
use veristep_core::chart::configuration::States;
use veristep_core::chart::explore::explore;
use veristep_core::chart::machine::{Fault, Machine};
use veristep_core::chart::simulation::Simulation;
use veristep_core::chart::{Chart, StateId, StateKind};
use veristep_core::diagnostic::Severity;
use veristep_core::draw;
use veristep_core::expr::Expr;
use veristep_core::formats::{sc, scxml};
use veristep_core::kit::{Journal, Off, Recorder};
use veristep_core::layout::Size;
use veristep_core::run::{self, Kind, Options, Run};
use veristep_core::scene::{Rect, width};
use veristep_tests::charts::{self, observed};
use veristep_tests::models::poll_up_to;
use veristep_tests::shared;
use veristep_tests::shared_models::rows;

use crate::shared_models::decides;

/// The names of active atomic states, sorted.
fn atomic(chart: &Chart, active: &States) -> Vec<String> {
    let mut names: Vec<String> =
        active.iter().filter(|s| chart.is_atomic(**s)).map(|s| chart.state(*s).name.clone()).collect();
    names.sort();
    names
}

fn names(list: &serde_json::Value) -> Vec<String> {
    let mut names: Vec<String> =
        list.as_array().unwrap().iter().map(|s| s.as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// The chart of a file; `None` if something is not supported.
fn read(name: &str, text: &str) -> Option<Chart> {
    match scxml::parse(text) {
        Ok(chart) => Some(chart),
        Err(d) => {
            assert!(d.iter().all(|d| d.severity == Severity::Unsupported), "{name}: {}", d[0].message);
            println!("{name}: refused: {}", d[0].message);
            None
        }
    }
}

#[test]
fn scripts_and_counts_of_others() {
    let Some(folder) = shared("models") else { return };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = manifest.lines().map(|line| line.split('\t').collect()).collect();
    let (mut conform, mut refused) = (0, BTreeSet::new());
    for row in rows.iter().filter(|row| row[1] == "scxml") {
        let text = std::fs::read_to_string(folder.join(row[0])).unwrap();
        let Some(chart) = read(row[0], &text) else {
            refused.insert(row[0]);
            continue;
        };
        if let Some(script) = row[2].strip_prefix("trace-file:") {
            let script = std::fs::read_to_string(folder.join(script)).unwrap();
            plays(row[0], &chart, &serde_json::from_str(&script).unwrap());
        } else if row[2] == "stable-configurations" {
            let found = explore(&chart, 10_000);
            assert!(!found.truncated && found.faults.is_empty(), "{}: {:?}", row[0], found.faults);
            assert_eq!(found.configurations().len().to_string(), row[3], "{}", row[0]);
        } else {
            continue;
        }
        conform += 1;
    }
    println!("{conform} rows conform, {} files are refused", refused.len());
    assert!(conform > 100 && refused.is_empty(), "refused: {refused:?}");
}

/// The chart behaves as in the script.
fn plays(name: &str, chart: &Chart, script: &serde_json::Value) {
    let machine = Machine::new(chart);
    let (mut status, _) = machine.start().unwrap();
    assert_eq!(atomic(chart, &status.active), names(&script["initialConfiguration"]), "{name}: start");
    for (i, step) in script["events"].as_array().unwrap().iter().enumerate() {
        let event = step["event"]["name"].as_str().unwrap();
        if let Some(event) = chart.received(event) {
            (status, _) = machine.react(&status, event, &[]).unwrap();
        }
        assert_eq!(atomic(chart, &status.active), names(&step["nextConfiguration"]), "{name}: step {i}");
    }
}

/// Invariants of others: every verdict is right and certified.
#[test]
fn invariants_of_others() {
    for engine in ["auto", "explicit"] {
        let Some(rows) = rows(&["scxml"]) else { return };
        let options = Options::with(&[("engine".to_owned(), engine.to_owned())]).unwrap();
        let open: Vec<&str> =
            rows.iter().filter(|r| !decides(r, &options, 20_000)).map(|r| r.name.as_str()).collect();
        println!("{engine} decides {} of {}; open: {open:?}", rows.len() - open.len(), rows.len());
        assert!(open.is_empty(), "{engine}: {open:?}");
    }
}

/// The states that the system of a chart reaches are those that the interpreter reaches.
#[test]
fn systems_of_random_charts() {
    let (mut compared, mut refused, mut large) = (0, 0, 0);
    for seed in 1..400 {
        let text = charts::random(seed, 4 + u32::try_from(seed % 12).unwrap());
        match compare(seed, &text) {
            Some(true) => compared += 1,
            Some(false) => large += 1,
            None => refused += 1,
        }
    }
    println!("{compared} compared, {large} too large, {refused} refused");
    assert!(compared > 200, "{compared}");
}

/// Are the states of the chart and of its system the same? `Some(false)` if there are too many; `None` if the chart is
/// refused.
fn compare(seed: u64, text: &str) -> Option<bool> {
    let chart = scxml::parse(text).unwrap_or_else(|d| panic!("seed {seed}: {}\n{text}", d[0].message));
    let system = match run::load(Kind::Scxml, text) {
        Ok(system) => system,
        Err(d) => {
            assert!(d.iter().all(|d| d.severity == Severity::Unsupported), "seed {seed}: {}", d[0].message);
            return None;
        }
    };
    let found = explore(&chart, 3_000);
    let Some(states) = observed(&system, 400_000).filter(|_| !found.truncated) else { return Some(false) };
    let reading = system.chart.as_ref().unwrap();
    let data = chart.variables.len();
    let by_chart: BTreeSet<(States, Vec<Value>)> =
        found.statuses.iter().map(|s| (s.active.clone(), s.values.clone())).collect();
    let of = |state: &Vec<Value>| {
        let truth = |e: &Expr| e.eval(&|v| state[v.index()].clone()).unwrap().bool();
        let active = chart.state_ids().skip(1).filter(|s| truth(&reading.inside[s.index()])).collect();
        (active, state[..data].to_vec())
    };
    let by_system: BTreeSet<(States, Vec<Value>)> = states.iter().map(of).collect();
    let missing = by_chart.difference(&by_system).next();
    let more = by_system.difference(&by_chart).next();
    assert!(missing.is_none() && more.is_none(), "seed {seed}: missing {missing:?}, more {more:?}\n{text}");
    Some(true)
}

/// The stable states of a chart, with labels of states, which are unique here.
fn stable(chart: &Chart) -> BTreeSet<(Vec<String>, Vec<Value>)> {
    let labels = |active: &States| {
        let mut all: Vec<String> = active.iter().map(|s| chart.state(*s).label.clone()).collect();
        all.sort();
        all
    };
    explore(chart, 3_000).statuses.iter().map(|s| (labels(&s.active), s.values.clone())).collect()
}

/// Charts that are written as SCXML and in the project's own language behave as before, and SCXML keeps positions.
#[test]
fn written_charts_behave_as_before() {
    for seed in 1..70 {
        let text = charts::random(seed, 4 + u32::try_from(seed % 12).unwrap());
        let mut chart = scxml::parse(&text).unwrap();
        let pinned = chart.states[1].name.clone();
        chart.pins = std::sync::Arc::new([(pinned, (40, -80))].into());
        let expected = stable(&chart);
        let again = scxml::print(&chart).unwrap();
        let read = scxml::parse(&again).unwrap_or_else(|d| panic!("seed {seed}: {}\n{again}", d[0].message));
        assert_eq!(stable(&read), expected, "seed {seed}:\n{again}");
        assert_eq!(read.pins, chart.pins);
        let (before, after) = (explore(&chart, 3_000), explore(&read, 3_000));
        assert_eq!(before.faults.len(), after.faults.len());
        let own = sc::print(&chart);
        let read = sc::parse(&own).unwrap_or_else(|d| panic!("seed {seed}: {}\n{own}", d[0].message));
        assert_eq!(stable(&read), expected, "seed {seed}:\n{text}\n{own}");
        assert_eq!(sc::print(&read), sc::print(&sc::parse(&sc::print(&read)).unwrap()), "seed {seed}");
    }
}

/// So do the charts of the page.
#[test]
fn written_examples_behave_as_before() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["../static/examples/sc", "corpus/sc"].map(|f| std::fs::read_dir(root.join(f)).unwrap());
    for file in files.into_iter().flatten() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let chart = sc::parse(&text).unwrap();
        let expected = explore(&chart, 3_000).statuses.len();
        let own = sc::parse(&sc::print(&chart)).unwrap_or_else(|d| panic!("{}\n{}", d[0], sc::print(&chart)));
        assert_eq!(explore(&own, 3_000).statuses.len(), expected, "{text}");
        let other = scxml::print(&chart).unwrap();
        let read = scxml::parse(&other).unwrap_or_else(|d| panic!("{}\n{other}", d[0]));
        assert_eq!(explore(&read, 3_000).statuses.len(), expected, "{other}");
        for text in [&sc::print(&chart), &other] {
            let kind = Kind::guess(text);
            let system = run::load(kind, text).unwrap_or_else(|d| panic!("{}\n{text}", d[0]));
            let own = system.chart.as_ref().unwrap();
            assert_eq!(own.chart.property_names(), chart.property_names());
            for property in &own.chart.properties {
                run::property(&system, &property.text).unwrap_or_else(|d| panic!("{}\n{text}", d[0]));
            }
        }
    }
}

/// Certificates that the interpreter contradicts are rejected: a run with another state, and an invariant that
/// excludes a state.
#[test]
fn wrong_certificates_of_charts_are_rejected() {
    let text = "chart C { var x : 0..3 = 0\n state A on e [x < 2] -> B / x := x + 1\n state B on e -> A }";
    let system = run::load(Kind::Sc, text).unwrap();
    let answer = |property: &str| {
        let property = run::property(&system, property).unwrap();
        let mut run = Run::new(&system, &property, &Options::default()).unwrap();
        let outcome = poll_up_to(&mut run, &mut Off, 10_000, &mut || u64::MAX).unwrap();
        (property, outcome.certificate.unwrap())
    };
    let (property, certificate) = answer("x < 2");
    certificate::check(&system, &property, &certificate).unwrap();
    let Certificate::Trace { mut states } = certificate else { panic!("a run") };
    // The event and the variable of the active state are consistent, but no longer with the chart.
    let labels = |s: &TraceState| s.edge.map(|e| system.edges.get(e as usize).map(|e| e.label.clone()));
    let first = states.iter().position(|s| labels(s) == Some(Some("event e".to_owned()))).unwrap();
    states.drain(first..first + 3);
    let wrong = Certificate::Trace { states };
    assert!(certificate::check(&system, &property, &wrong).is_err());
    let (property, certificate) = answer("x <= 2");
    certificate::check(&system, &property, &certificate).unwrap();
    let Certificate::Invariant { mut locations } = certificate else { panic!("an invariant") };
    for (_, formula) in locations.iter_mut().filter(|(l, _)| l == "stable") {
        *formula = format!("({formula}) and x <= 1");
    }
    let wrong = Certificate::Invariant { locations };
    assert!(certificate::check(&system, &property, &wrong).is_err());
}

/// Temporal formulas that are decided after finitely many events.
#[test]
fn short_temporal_formulas() {
    let system = run::load(Kind::Sc, "chart C { state A on e -> B\n state B on e -> A }").unwrap();
    for (formula, verdict) in [
        ("F in(B)", "holds"),
        ("F event(e)", "holds"),
        ("X in(B)", "holds"),
        ("in(A) U in(B)", "holds"),
        ("G F in(A)", "holds"),
        ("G in(A)", "violated"),
        ("F G in(A)", "violated"),
    ] {
        let property = run::property(&system, formula).unwrap();
        let options = Options::with(&[("engine".to_owned(), "auto".to_owned())]).unwrap();
        let mut run = Run::new(&system, &property, &options).unwrap();
        let outcome = poll_up_to(&mut run, &mut Off, 10_000, &mut || u64::MAX).unwrap();
        assert_eq!(outcome.verdict.to_string(), verdict, "{formula}");
        certificate::check(&system, &property, &outcome.certificate.unwrap())
            .unwrap_or_else(|e| panic!("{formula}: {e}"));
    }
}

/// The final state of one region is left before that of the other one is entered, so P is not complete then.
#[test]
fn regions_that_are_left_are_not_complete() {
    let text = include_str!("../../corpus/sc/together.sc");
    let system = run::load(Kind::Sc, text).unwrap();
    for (property, verdict) in [("!(event(e) && in(X))", "holds"), ("!in(X)", "violated")] {
        let property = run::property(&system, property).unwrap();
        let options = Options::with(&[("engine".to_owned(), "explicit".to_owned())]).unwrap();
        let mut run = Run::new(&system, &property, &options).unwrap();
        let outcome = poll_up_to(&mut run, &mut Off, 10_000, &mut || u64::MAX).unwrap();
        assert_eq!(outcome.verdict.to_string(), verdict);
    }
}

/// Components without channels are independent: the stable states of two copies are the pairs of those of one.
#[test]
fn components_without_channels_are_independent() {
    let mut checked = 0;
    for seed in 1..200 {
        let chart = scxml::parse(&charts::random(seed, 4 + u32::try_from(seed % 6).unwrap())).unwrap();
        let one = explore(&chart, 40);
        let has_end = chart.substates(Chart::ROOT).any(|s| chart.state(s).kind == StateKind::Final);
        if one.truncated || !one.faults.is_empty() || has_end {
            continue;
        }
        let own = sc::print(&chart);
        let name = own.split_whitespace().nth(1).unwrap();
        let system = sc::parse(&format!("{own}system S {{ component a, b : {name} queue 64 }}"));
        let system = system.unwrap_or_else(|d| panic!("seed {seed}: {}\n{own}", d[0]));
        let both = explore(&system, 2_000);
        assert_eq!(both.statuses.len(), one.statuses.len().pow(2), "seed {seed}:\n{own}");
        checked += 1;
    }
    println!("{checked} systems of two copies have the pairs of states");
    assert!(checked > 30);
}

/// The events of a run that was found lead the simulation to its last state.
#[test]
fn runs_that_are_found_can_be_simulated() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut checked = 0;
    for file in std::fs::read_dir(root.join("../static/examples/sc")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let chart = sc::parse(&text).unwrap();
        let explicit = Options::with(&[("engine".to_owned(), "explicit".to_owned())]).unwrap();
        for name in chart.property_names() {
            let system = run::load(Kind::Sc, &text).unwrap();
            let property = run::property(&system, &format!("embedded:{name}")).unwrap();
            let mut found = Run::new(&system, &property, &explicit).unwrap();
            let Some(outcome) = poll_up_to(&mut found, &mut Off, 1 << 20, &mut || u64::MAX) else { continue };
            let (Certificate::Trace { states } | Certificate::Lasso { states, .. }) =
                outcome.certificate.unwrap()
            else {
                continue;
            };
            let rows = certificate::rows(&property.apply(system.clone()), &states);
            let events: Vec<String> = rows.iter().filter_map(|row| row.step.clone()).skip(1).collect();
            let simulation = Simulation::of(&chart, &events, events.len());
            assert_eq!(simulation.reactions.len(), events.len() + 1, "{name}: {:?}", simulation.end);
            let last = simulation.reactions.last().unwrap().moments.last().unwrap();
            let names: Vec<&str> = last
                .active
                .iter()
                .filter(|s| chart.is_atomic(**s))
                .map(|s| chart.state(*s).name.as_str())
                .collect();
            let waiting = rows.iter().rev().find(|row| row.step.is_some()).unwrap();
            let active = &waiting.values.iter().find(|(what, _)| what == "active").unwrap().1;
            assert_eq!(*active, names.join(" "), "{name}");
            checked += 1;
        }
    }
    assert!(checked >= 5, "{checked}");
}

/// A producer and a consumer: messages wait in a channel, and what was done is confirmed along another one.
const HANDSHAKE: &str = "chart Producer {
  var sent_items : 0..3 = 0
  state Idle
    on make [sent_items < 3] -> Waiting / sent_items := sent_items + 1; send item
  state Waiting
    on confirmed -> Idle
    after 3 -> Idle
}
chart Consumer {
  var done_items : 0..3 = 0
  state Ready
    on item [done_items < 3] -> Working
  state Working
    entry / done_items := done_items + 1
    always -> Ready / send finished
}
system Handshake {
  component producer : Producer
  component consumer : Consumer
  channel line: producer.item -> consumer.item queue 3
  channel consumer.finished -> producer.confirmed
  property no_more_than_sent: consumer.done_items + line <= producer.sent_items
}";

#[test]
fn messages_wait_in_channels() {
    let system = run::load(Kind::Sc, HANDSHAKE).unwrap();
    let options = Options::with(&[("engine".to_owned(), "explicit".to_owned())]).unwrap();
    for (property, verdict) in [
        ("embedded", "holds"),
        ("line <= 2", "violated"),
        ("in(consumer.Working) -> consumer.done_items > 0", "holds"),
        ("event(line) -> line < 3", "holds"),
    ] {
        let read = run::property(&system, property).unwrap();
        let mut run = Run::new(&system, &read, &options).unwrap();
        let outcome = poll_up_to(&mut run, &mut Off, 1 << 20, &mut || u64::MAX).unwrap();
        assert_eq!(outcome.verdict.to_string(), verdict, "{property}");
        let certificate = outcome.certificate.unwrap();
        certificate::check(&system, &read, &certificate).unwrap_or_else(|why| panic!("{property}: {why:?}"));
    }
}

/// In drawings of random charts states lie in those around them, and arrows lead from border to border, with labels
/// beside them, and keep clear of all states but those that they leave or enter. Only arrows from one region to
/// another, and those of states with places in the text, are drawn across.
#[test]
fn arrows_keep_clear_of_states() {
    let (mut arrows, mut folded) = (0, 0);
    for seed in 0..60 {
        let size = 6 + u32::try_from(seed % 5).unwrap() * 9;
        let mut chart = scxml::parse(&charts::random(seed, size)).expect("a chart");
        if seed % 3 == 0 {
            chart.states.iter_mut().skip(1).step_by(3).for_each(|state| state.folded = true);
            folded += chart.state_ids().filter(|s| chart.is_folded(*s)).count();
        }
        let is_pinned = seed % 4 == 3;
        if is_pinned {
            let names = chart.states.iter().skip(2).step_by(4).map(|state| state.name.clone());
            chart.pins = Arc::new(names.zip((20..).step_by(17).map(|x| (x, 90))).collect());
        }
        let drawing = draw::model(&run::load(Kind::Sc, &sc::print(&chart)).expect("a system"));
        let state = |key: &str| StateId(key[1..].parse().unwrap());
        let rect = |s: StateId| drawing.node(&format!("c{}", s.0)).map(|node| node.rect);
        for node in &drawing.nodes {
            let around = chart.state(state(&node.key)).parent.and_then(rect);
            assert!(around.is_none_or(|around| around.contains(&node.rect)), "{seed}: {}", node.title);
        }
        for edge in &drawing.edges {
            arrows += 1;
            let ends = [state(&edge.source), state(&edge.target)];
            let points: Vec<Rect> =
                edge.along().into_iter().map(|p| Rect { x: p.x, y: p.y, ..Rect::default() }).collect();
            for (end, point) in ends.iter().zip([points.first(), points.last()]) {
                // Histories are circles.
                let rect = rect(*end).unwrap();
                let within = if chart.is_history(*end) { 9.0 } else { 3.0 };
                let met = rect.inset(-within).contains(point.unwrap())
                    && !rect.inset(within).contains(point.unwrap());
                assert!(met, "{seed}: an end of {} is not at its state", edge.title);
            }
            let label = Rect::around(edge.arrow.label, Size::new(width(&edge.label) + 90.0, 90.0));
            assert!(
                edge.label.is_empty() || points.iter().any(|p| label.contains(p)),
                "{seed}: {}",
                edge.title
            );
            let regions = chart.around(ends[0]).find(|s| ends.iter().all(|end| chart.is_inside(*end, *s)));
            let crosses = regions.is_some_and(|s| chart.state(s).kind == StateKind::Parallel);
            if is_pinned || crosses && ends[0] != ends[1] {
                continue;
            }
            let is_met = |s: StateId| ends.iter().any(|end| *end == s || chart.is_inside(*end, s));
            let others = || drawing.nodes.iter().filter(|node| !is_met(state(&node.key)));
            for at in &points {
                let crossed = others().find(|node| node.rect.inset(1.0).contains(at));
                assert!(crossed.is_none(), "{seed}: {} crosses {}", edge.title, crossed.unwrap().key);
            }
        }
    }
    println!("{arrows} arrows, {folded} folded states");
    assert!(arrows > 1000 && folded > 40);
}

/// A run that cannot continue does not hide a violation; without one the verdict is unknown. The interpreter says which
/// it is, on random charts with one place for raised events.
#[test]
fn violations_are_found_beside_faults() {
    let verdict = |text: &str, property: &str, engine: &str| {
        let system = run::load(Kind::Sc, text).expect("a chart");
        let property = run::property(&system, property).expect("a property");
        let options = Options::with(&[("engine".to_owned(), engine.to_owned())]).expect("an engine");
        let mut run = Run::new(&system, &property, &options).expect("a run");
        let mut recorder = Recorder { journal: Journal::new(run.names()) };
        let shown = poll_up_to(&mut run.clone(), &mut recorder, 2_000_000, &mut || u64::MAX);
        let conclusion = poll_up_to(&mut run, &mut Off, 2_000_000, &mut || u64::MAX)?;
        assert_eq!(shown.expect("a run that is shown").verdict, conclusion.verdict);
        if let Some(certificate) = &conclusion.certificate {
            certificate::check(&system, &property, certificate).expect("a certificate");
        }
        Some(conclusion.verdict.to_string().split(':').next().unwrap_or_default().to_owned())
    };
    let lift = "chart C {\n  event floor(n : 1..2)\n  var at : 1..3\n  initial Idle\n  state Idle\n    on call -> Work\n  \
        state Work\n    on floor / at := at + floor.n\n}\n";
    assert_eq!(verdict(lift, "in(Work) -> at < 3", "auto").as_deref(), Some("violated"));
    assert_eq!(verdict(lift, "in(Idle) -> at = 1", "auto").as_deref(), Some("unknown"));
    assert_eq!(verdict(lift, "EF (at = 3)", "auto").as_deref(), Some("holds"));
    assert_eq!(verdict(lift, "in(Idle) -> at = 1", "explicit").as_deref(), Some("unknown"));
    let mut seen = BTreeMap::<&str, usize>::new();
    for seed in 1..70 {
        let mut chart = scxml::parse(&charts::random(seed, 4 + u32::try_from(seed % 8).unwrap())).unwrap();
        chart.capacity = 1;
        let found = explore(&chart, 2_000);
        let x = chart.data().find(|v| chart.variables[v.index()].name == "x").expect("a variable");
        // A macrostep that does not end has no further states.
        let ends = found.faults.keys().any(|(_, fault)| matches!(fault, Fault::Overflow | Fault::Range(_)));
        let is_wrong = |value: &Value| matches!(value, Value::Num(n) if n.to_i64() != Some(0));
        let expected = match found.statuses.iter().any(|status| is_wrong(&status.values[x.index()])) {
            _ if found.truncated => continue,
            true => "violated",
            false if !ends => "holds",
            false => "unknown",
        };
        let Some(verdict) = verdict(&sc::print(&chart), "x = 0", "auto") else { continue };
        assert_eq!(verdict, expected, "{seed}: {}", sc::print(&chart));
        *seen.entry(if ends { expected } else { "without faults" }).or_default() += 1;
    }
    println!("{seen:?}");
    assert!(seen.values().all(|n| *n > 2) && seen.len() == 3, "{seen:?}");
}
