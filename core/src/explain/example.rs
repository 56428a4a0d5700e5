//! Small journals for tests, written by hand, in which every event occurs.
//!
//! The program is a loop: `x := 0`, then `x := x + 1` while `x < 2`, and the error is `x < 0` at the end. The
//! events are some that an engine may report, not those of the best strategy.

use crate::kit::{EdgeName, Event, Goal, Journal, Label, Names, PredicateId, Verdict};
use crate::methods::{bmc, cegar, combined_approx, equation, explicit, imc, kind, lasso, pdr, split, under};
use crate::system::LocationId;

fn edge(source: u32, target: u32, text: &str) -> EdgeName {
    EdgeName {
        source: LocationId(source),
        target: LocationId(target),
        text: text.to_owned(),
        block: Vec::new(),
    }
}

fn label(location: u32, literals: &[(u32, bool)]) -> Label {
    Label {
        location: LocationId(location),
        values: Vec::new(),
        either: Vec::new(),
        literals: literals.iter().map(|(p, positive)| (PredicateId(*p), *positive)).collect(),
    }
}

fn names() -> Names {
    Names {
        variables: vec!["x".to_owned()],
        locations: ["L0", "L1", "LERR", "LEND"].map(str::to_owned).to_vec(),
        edges: vec![
            edge(0, 1, "x := 0"),
            edge(1, 1, "x := x + 1"),
            edge(1, 2, "[x < 0]"),
            edge(1, 3, "assume x >= 0"),
        ],
        sliced: Vec::new(),
        origin: None,
        goal: Goal::default(),
        markings: false,
        counters: Vec::new(),
        timed: false,
    }
}

/// A run of each family of events, with its name.
pub(crate) fn runs() -> Vec<(&'static str, Journal)> {
    vec![
        ("Cegar", every_event()),
        ("Lasso", run(lasso())),
        ("Bmc", run(bmc::example::events())),
        ("Induction", run(kind::example::events())),
        ("Imc", run(imc::example::events())),
        ("Pdr", run(pdr::example::events())),
        ("Split", run(split::example::events())),
        ("Explicit", run(explicit::example::events())),
        ("Equation", run(equation::example::events())),
        ("Under", run(under::example::events())),
        ("CombinedApprox", combined()),
    ]
}

/// The two engines need a graph.
fn combined() -> Journal {
    let root = cegar::Event::NodeAdded { node: crate::kit::NodeId(0), from: None };
    let events = combined_approx::example::events().into_iter().map(Event::from);
    run(events.chain([root.into()]).collect())
}

/// The search for lassos needs a graph.
fn lasso() -> Vec<Event> {
    let root = cegar::Event::NodeAdded { node: crate::kit::NodeId(0), from: None };
    let search = lasso::example::events().into_iter().map(Event::from);
    std::iter::once(root.into()).chain(search).collect()
}

/// One iteration of these events, and the end.
fn run<E: Into<Event>>(events: Vec<E>) -> Journal {
    let mut journal = tables();
    journal.events.push(Event::IterationStarted { iteration: 1 });
    journal.events.extend(events.into_iter().map(Into::into));
    journal.events.push(Event::Decided { verdict: Verdict::Violated });
    let has_graph =
        |e: &Event| matches!(e, Event::Cegar(_) | Event::Lasso(_) | Event::Explicit(_) | Event::Under(_));
    if !journal.events.iter().any(has_graph) {
        journal.states.clear();
    }
    journal
}

/// A whole run of abstraction refinement.
pub(crate) fn every_event() -> Journal {
    Journal { events: cegar::example::events(), ..tables() }
}

fn tables() -> Journal {
    let mut journal = Journal::new(names());
    journal.predicates = vec!["0 <= x".to_owned()];
    journal.states = vec![
        label(0, &[]),
        label(1, &[]),
        label(1, &[]),
        label(2, &[]),
        label(1, &[(0, true)]),
        label(2, &[(0, false)]),
    ];
    journal.formulas =
        ["x_1 = 0", "x_1 < 0 and x_2 = x_1", "0 <= x", "x_2 = x_1 + 1", "x_2 < 0", "x = 7", "x = 0"]
            .map(str::to_owned)
            .to_vec();
    journal
}
