//! Laws for all engines, on the whole corpus.

use veristep_core::certificate;
use veristep_core::explain::explain;
use veristep_core::kit::{Event, Journal, Off, Recorder, fold};
use veristep_core::methods::cegar::{self, NodeStatus};
use veristep_core::property::Property;
use veristep_core::run::{Method, Options, Run, Stats};
use veristep_core::system::System;
use veristep_core::views::{ArgView, PrecisionView, ProgressView, Status};
use veristep_tests::models::{self, Model, Question, RUNS, STATES, STEPS, poll_up_to};
use veristep_tests::random::Rng;

#[test]
fn law_1_the_journal_does_not_depend_on_how_fuel_is_portioned() {
    for model in models::all() {
        let (_, whole, expected) = model.record(|| u64::MAX);
        let mut rng = Rng::new(7);
        let mut random = || 1 + rng.bits() % 50;
        for slices in [&mut (|| 1u64) as &mut dyn FnMut() -> u64, &mut random] {
            let (_, outcome, journal) = model.record(slices);
            assert_eq!(journal, expected, "{}", model.name);
            assert_eq!(outcome, whole, "{}", model.name);
        }
    }
}

#[test]
fn law_2_watching_changes_nothing() {
    for model in models::all() {
        let (watched, outcome, _) = model.record(|| u64::MAX);
        let mut run = model.run();
        let unseen = poll_up_to(&mut run, &mut Off, STEPS, &mut || u64::MAX);
        assert_eq!(unseen, outcome, "{}", model.name);
        assert_eq!(run.stats(), watched.stats(), "{}", model.name);
    }
}

#[test]
fn law_3_folded_views_equal_the_engine() {
    for model in models::all() {
        let mut run = model.run();
        let mut sink = Recorder { journal: Journal::new(run.names()) };
        for _ in 0..40 {
            let done = poll_up_to(&mut run, &mut sink, STEPS / 40, &mut || 97).is_some();
            same_graph(&run, &sink.journal, &model.name);
            same_counts(&run, &sink.journal, &model.name);
            if done {
                break;
            }
        }
    }
}

fn same_graph(run: &Run, journal: &Journal, name: &str) {
    let view: ArgView = fold(journal, journal.events.len());
    let arg = run.cegar().unwrap().arg();
    assert_eq!(view.nodes.len(), arg.nodes().len(), "{name}");
    for (i, (seen, node)) in view.nodes.iter().zip(arg.nodes()).enumerate() {
        assert_eq!(*seen.label, node.state.label(run.system()), "{name}: label of n{i}");
        assert_eq!(seen.from, node.from, "{name}: parent of n{i}");
        assert_eq!(seen.pruned, node.status == NodeStatus::Pruned, "{name}: is n{i} pruned");
        if seen.pruned {
            continue;
        }
        let live: Vec<_> = seen.children.iter().copied().filter(|c| !view.nodes[c.index()].pruned).collect();
        assert_eq!(live, node.children, "{name}: children of n{i}");
        let status = match node.status {
            NodeStatus::Open => matches!(seen.status, Status::Open | Status::Current),
            NodeStatus::Expanded => seen.status == Status::Expanded,
            NodeStatus::Covered(by) => seen.status == Status::Covered(by),
            NodeStatus::Target => seen.status == Status::Target,
            NodeStatus::Pruned => false,
        };
        assert!(status, "{name}: n{i} is {:?} and shown as {:?}", node.status, seen.status);
    }
}

fn same_counts(run: &Run, journal: &Journal, name: &str) {
    let precision: PrecisionView = fold(journal, journal.events.len());
    let shown: Vec<String> =
        precision.predicates.iter().map(|(p, _)| journal.predicates[p.index()].clone()).collect();
    assert_eq!(shown, run.cegar().unwrap().precision(), "{name}: precision");
    let progress: ProgressView = fold(journal, journal.events.len());
    let counts = run.cegar().unwrap().iterations();
    assert_eq!(progress.iterations.len(), counts.len(), "{name}: iterations");
    for (i, (seen, own)) in progress.iterations.iter().zip(counts).enumerate() {
        let seen = (seen.nodes, seen.predicates, seen.variables, seen.queries);
        assert_eq!(
            seen,
            (own.nodes, own.predicates, own.variables, own.queries),
            "{name}: counts of iteration {}",
            i + 1
        );
    }
}

#[test]
fn the_last_edge_of_a_selected_node_is_the_one_that_reaches_it() {
    let mut checked = 0;
    for model in models::all() {
        let (_, _, journal) = model.record(|| u64::MAX);
        let selected = journal.events.iter().enumerate().filter_map(|(index, event)| match event {
            Event::Cegar(cegar::Event::NodeSelected { node }) => Some((index, *node)),
            _ => None,
        });
        // A path that repeats edges is as long as the graph is deep: some of the last nodes are enough.
        for (index, node) in selected.collect::<Vec<_>>().into_iter().rev().take(40) {
            let view: ArgView = fold(&journal, index + 1);
            let reached = view.nodes[node.index()].from.map(|(_, edge)| edge);
            assert_eq!(
                explain(&journal, index).subjects.edges.last().copied(),
                reached,
                "{}: {node}",
                model.name
            );
            checked += 1;
        }
    }
    assert!(checked > 500, "{checked}");
}

#[test]
fn law_4_every_outcome_is_right_and_certified() {
    for model in models::all() {
        let (_, outcome, _) = model.record(|| u64::MAX);
        let verdict = outcome.as_ref().map_or("unknown".to_owned(), |o| o.verdict.to_string());
        assert_eq!(verdict, model.expected, "{}", model.name);
        let certificate = outcome.and_then(|o| o.certificate);
        assert_eq!(certificate.is_some(), verdict != "unknown", "{}", model.name);
        if let Some(c) = certificate {
            let report = certificate::check(&model.system, &Property::ErrorUnreachable, &c);
            let report = report.unwrap_or_else(|e| panic!("{}: {e}", model.name));
            assert!(report.obligations > 0, "{}", model.name);
        }
    }
}

/// A property of a model of the corpus.
struct Asked {
    name: String,
    system: System,
    property: Property,
    /// `holds`, `violated` or `unknown`.
    expected: String,
}

impl Asked {
    /// A tiny model with its expected verdict.
    fn question((question, expected): &(Question, &str)) -> Self {
        let (system, property) = models::load(*question);
        Self { name: format!("{question:?}"), system, property, expected: (*expected).to_owned() }
    }

    fn model(model: Model) -> Self {
        let Model { name, system, expected, .. } = model;
        Self { name, system, property: Property::ErrorUnreachable, expected }
    }
}

/// Properties of states: transition systems, circuits, a few programs, and tiny models of each formalism.
fn questions_about_states() -> Vec<Asked> {
    let programs = models::all().into_iter().filter(|m| m.name.contains("parity") || m.name == "peterson");
    let models = models::transition_systems().into_iter().chain(programs);
    models.map(Asked::model).chain(STATES.iter().map(Asked::question)).collect()
}

/// The counts of each iteration, folded from the journal, equal those of the engine. Not every query has an event, and
/// states within an action are not states of the model.
fn same_counts_folded(journal: &Journal, stats: &Stats, name: &str) {
    let progress: ProgressView = fold(journal, journal.events.len());
    assert_eq!(progress.iterations.len(), stats.per_iteration.len(), "{name}: iterations");
    for (seen, own) in progress.iterations.iter().zip(&stats.per_iteration) {
        assert_eq!((seen.predicates, seen.variables), (own.predicates, own.variables), "{name}: found");
        assert!(
            seen.nodes == own.nodes || own.nodes == 0 && seen.nodes >= own.concrete,
            "{name}: {seen:?}, {own:?}"
        );
        assert!(seen.queries <= own.queries, "{name}: {seen:?}, {own:?}");
    }
}

/// The laws for every method.
#[test]
fn every_method_keeps_the_laws() {
    let states = questions_about_states();
    let runs: Vec<Asked> = RUNS.iter().map(Asked::question).collect();
    for method in Method::ALL {
        let about = method.about();
        let options = Options::with(&[("engine".to_owned(), about.name.to_owned())]).unwrap();
        // A recorded run of auto repeats the strategy that answered, which takes the same time again.
        let steps = if method == Method::Auto { 3_000 } else { 150 };
        let (mut asked, mut decided) = (0, 0);
        for question in states.iter().filter(|_| about.states).chain(runs.iter().filter(|_| about.runs)) {
            asked += 1;
            decided += usize::from(keeps_the_laws(question, &options, steps));
        }
        // Bounded model checking proves little, and the state equation is for nets.
        let few = matches!(method, Method::Bmc | Method::StateEquation);
        assert!(decided * 3 >= asked || few && decided > 0, "{}: {decided} of {asked}", about.name);
    }
}

/// Laws 1 to 4, explanations and soundness for one property; is it decided within so many steps?
fn keeps_the_laws(asked: &Asked, options: &Options, steps: u64) -> bool {
    let Asked { system, property, expected, .. } = asked;
    let name = format!("{}, {}", asked.name, options.method.about().name);
    let start = || Run::new(system, property, options).unwrap_or_else(|e| panic!("{name}: {e}"));
    let record = |slices: &mut dyn FnMut() -> u64| {
        let mut run = start();
        let mut sink = Recorder { journal: Journal::new(run.names()) };
        let outcome = poll_up_to(&mut run, &mut sink, steps, slices);
        (outcome, sink.journal, run.stats())
    };
    let whole = record(&mut || u64::MAX);
    assert_eq!(record(&mut || 1), whole, "{name}");
    let (outcome, journal, stats) = whole;
    let mut unseen = start();
    assert_eq!(poll_up_to(&mut unseen, &mut Off, steps, &mut || u64::MAX), outcome, "{name}");
    journal.check().unwrap_or_else(|e| panic!("{name}: {e}"));
    for index in (0..journal.events.len()).step_by(1 + journal.events.len() / 60) {
        let e = explain(&journal, index);
        assert!(!e.what.is_empty() && !e.why.is_empty(), "{name}: {index}");
    }
    same_counts_folded(&journal, &stats, &name);
    let Some(outcome) = outcome else { return false };
    let verdict = outcome.verdict.to_string();
    assert_eq!(outcome.certificate.is_some(), verdict != "unknown", "{name}");
    let Some(certificate) = outcome.certificate else { return false };
    assert_eq!(verdict, *expected, "{name}");
    let report = certificate::check(system, property, &certificate);
    assert!(report.unwrap_or_else(|e| panic!("{name}: {e}")).obligations > 0, "{name}");
    true
}

#[test]
fn every_event_is_explained_and_every_journal_is_sound() {
    for model in models::all() {
        let (_, _, journal) = model.record(|| u64::MAX);
        journal.check().unwrap_or_else(|e| panic!("{}: {e}", model.name));
        for index in (0..journal.events.len()).step_by(1 + journal.events.len() / 200) {
            let e = explain(&journal, index);
            assert!(
                !e.what.is_empty() && !e.why.is_empty() && !e.maths.is_empty(),
                "{}: {index}",
                model.name
            );
        }
    }
}
