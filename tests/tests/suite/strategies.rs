//! The figures of Hajdu and Micskei, "Efficient Strategies for CEGAR-Based Model Checking" (2020), as facts about our
//! runs.

use veristep_core::certificate;
use veristep_core::kit::{Event, Journal, NodeId, Recorder, UnknownReason, Verdict};
use veristep_core::methods::cegar;
use veristep_core::methods::cegar::Strategy;
use veristep_core::property::Property;
use veristep_core::run::{self, Conclusion, Kind, Options, Run};
use veristep_core::system::{System, distances};
use veristep_tests::models::poll_up_to;

fn corpus(name: &str) -> System {
    let file = veristep_tests::corpus().join("cfa").join(name);
    run::load(Kind::Cfa, &std::fs::read_to_string(file).unwrap()).unwrap()
}

fn strategy(choices: &[(&str, &str)]) -> Strategy {
    let mut strategy = Strategy::default();
    choices.iter().for_each(|(name, value)| strategy.set(name, value).unwrap());
    strategy
}

/// A recorded run with a limit of steps; verdicts are certified.
fn record(system: &System, choices: &[(&str, &str)], steps: u64) -> (Option<Conclusion>, Journal) {
    let options = Options { strategy: strategy(choices), ..Options::default() };
    let mut run = Run::new(system, &Property::ErrorUnreachable, &options).unwrap();
    let mut sink = Recorder { journal: Journal::new(run.names()) };
    let outcome = poll_up_to(&mut run, &mut sink, steps, &mut || u64::MAX);
    if let Some(c) = outcome.as_ref().and_then(|o| o.certificate.as_ref()) {
        certificate::check(system, &Property::ErrorUnreachable, c).unwrap();
    }
    (outcome, sink.journal)
}

fn verdict(system: &System, choices: &[(&str, &str)]) -> Option<Verdict> {
    record(system, choices, 3_000).0.map(|o| o.verdict)
}

const NO_PROGRESS: Option<Verdict> = Some(Verdict::Unknown(UnknownReason::NoProgress));

/// Figures 1 and 3: one predicate, or one variable, is sufficient, and the loop counter is not needed.
#[test]
fn figure_1_needs_one_fact_about_x() {
    let system = corpus("hajdu-micskei-2020-figure-1.cfa");
    for choices in [[("domain", "pred-cart"), ("initial", "x <= 1")], [("domain", "expl"), ("initial", "x")]]
    {
        let (outcome, journal) = record(&system, &choices, 3_000);
        let outcome = outcome.unwrap();
        assert_eq!(outcome.verdict, Verdict::Holds, "{choices:?}");
        assert_eq!(outcome.stats.total.iterations, 1, "{choices:?}");
        assert_eq!(outcome.stats.total.predicates + outcome.stats.total.variables, 1, "{choices:?}");
        assert!(
            journal.states.iter().all(|l| !journal.label(l).contains('i')),
            "{choices:?}: i is not needed"
        );
    }
}

/// Figure 4, left: four values for x must be enumerated.
#[test]
fn figure_4_left_needs_four_values() {
    let system = corpus("hajdu-micskei-2020-figure-4-left.cfa");
    for k in ["1*", "1", "2", "3"] {
        assert_eq!(verdict(&system, &[("domain", "expl"), ("max-enum", k)]), NO_PROGRESS, "k = {k}");
    }
    for k in ["4", "5", "50", "0"] {
        assert_eq!(verdict(&system, &[("domain", "expl"), ("max-enum", k)]), Some(Verdict::Holds), "k = {k}");
    }
    for domain in ["pred-cart", "pred-bool", "pred-split", "combined"] {
        assert_eq!(verdict(&system, &[("domain", domain)]), Some(Verdict::Holds), "{domain}");
    }
}

/// Figure 4, right: x is different from 0, which no finite number of values expresses.
#[test]
fn figure_4_right_needs_predicates() {
    let system = corpus("hajdu-micskei-2020-figure-4-right.cfa");
    for k in ["1*", "1", "4", "5", "50"] {
        assert_eq!(verdict(&system, &[("domain", "expl"), ("max-enum", k)]), NO_PROGRESS, "k = {k}");
    }
    assert_eq!(record(&system, &[("domain", "expl"), ("max-enum", "0")], 100).0, None, "the listing goes on");
    for domain in ["pred-cart", "pred-bool", "pred-split", "combined"] {
        assert_eq!(verdict(&system, &[("domain", domain)]), Some(Verdict::Holds), "{domain}");
    }
}

/// Figure 5: numbers beside the locations, and their use in the search orders.
#[test]
fn figure_5_is_searched_by_distance() {
    let diamonds = corpus("hajdu-micskei-2020-figure-5-a.cfa");
    let known: Vec<Option<u32>> = distances(&diamonds);
    assert_eq!(known, [5, 4, 4, 3, 2, 2, 1, 0].map(Some), "two diamonds and an edge");
    let selected = |choices: &[(&str, &str)], system: &System| -> Vec<String> {
        let (_, journal) = record(system, choices, 3_000);
        let at = |n: NodeId| journal.location(journal.states[n.index()].location).to_owned();
        let events =
            journal.events.iter().take_while(|e| !matches!(e, Event::Cegar(cegar::Event::CexFound { .. })));
        events
            .filter_map(|e| {
                if let Event::Cegar(cegar::Event::NodeSelected { node }) = e { Some(at(*node)) } else { None }
            })
            .collect()
    };
    let straight = ["l0", "l1", "l3", "l4", "l6", "lE"];
    assert_eq!(selected(&[("search", "err")], &diamonds), straight);
    assert_eq!(selected(&[("search", "dfs")], &diamonds), straight);
    assert_eq!(selected(&[("search", "bfs")], &diamonds).len(), 10, "both ways of each diamond");
    let trap = corpus("hajdu-micskei-2020-figure-5-b.cfa");
    let visits = |search: &str| {
        let path = selected(&[("search", search), ("domain", "expl"), ("initial", "x")], &trap);
        path.iter().filter(|l| *l == "l2").count()
    };
    assert!(
        visits("dfs") > 5 && visits("err") > 5,
        "{} {}: both unfold the loop",
        visits("dfs"),
        visits("err")
    );
    assert!(visits("err-dfs") < 5 && visits("dfs-err") <= 6, "{} {}", visits("err-dfs"), visits("dfs-err"));
}

/// Figure 6: forward binary interpolation needs three refinements, backward binary interpolation one.
#[test]
fn figure_6_is_refined_once_backwards() {
    let system = corpus("hajdu-micskei-2020-figure-6.cfa");
    let refinements = |refinement: &str| {
        let (outcome, _) = record(&system, &[("domain", "pred-split"), ("refinement", refinement)], 3_000);
        let outcome = outcome.unwrap();
        assert_eq!(outcome.verdict, Verdict::Holds, "{refinement}");
        outcome.stats.total.iterations - 1
    };
    assert_eq!(refinements("bw-bin"), 1);
    assert_eq!(refinements("fw-bin"), 3);
}

/// Figure 7: of four counterexamples the two are refined that no other one is refined above.
#[test]
fn figure_7_has_a_minimal_set_of_two() {
    let system = corpus("hajdu-micskei-2020-figure-7.cfa");
    let (outcome, journal) = record(&system, &[("refinement", "multi-seq")], 3_000);
    assert_eq!(outcome.unwrap().verdict, Verdict::Holds);
    let end =
        journal.events.iter().position(|e| matches!(e, Event::Cegar(cegar::Event::Pruned { .. }))).unwrap();
    let first = &journal.events[..end];
    let count = |of: fn(&Event) -> bool| first.iter().filter(|e| of(e)).count();
    assert_eq!(count(|e| matches!(e, Event::Cegar(cegar::Event::CexFound { .. }))), 4);
    assert_eq!(count(|e| matches!(e, Event::Cegar(cegar::Event::CexSkipped { .. }))), 2);
    let at = |n: NodeId| journal.location(journal.states[n.index()].location).to_owned();
    let pivots: Vec<String> = journal
        .events
        .iter()
        .skip(end)
        .take_while(|e| !matches!(e, Event::IterationStarted { .. }))
        .filter_map(
            |e| if let Event::Cegar(cegar::Event::Pruned { node }) = e { Some(at(*node)) } else { None },
        )
        .collect();
    assert_eq!(pivots, ["r2", "r3"]);
}

/// A chain of predicates that differ only in numbers is reported during the run.
#[test]
fn divergence_is_told() {
    let system = corpus("diverging.cfa");
    let (_, journal) = record(&system, &[], 60_000);
    let told =
        journal.events.iter().any(|e| matches!(e, Event::Cegar(cegar::Event::ChainGrew { length: 8.., .. })));
    assert!(told, "{} events without a word", journal.events.len());
}
