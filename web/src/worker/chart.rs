//! Statecharts: as the page draws them, as they are played, and what hints at mistakes in them.

use std::collections::BTreeMap;

use veristep_core::chart::facts::Facts;
use veristep_core::chart::reading::Reading;
use veristep_core::chart::simulation::Simulation;
use veristep_core::chart::{Chart, StateId, StateKind, TransitionId};
use veristep_core::draw::Configurations;
use veristep_core::run;
use veristep_core::system::{LocationId, System};

use crate::explained::Thing;
use crate::protocol::{
    ChartAnswer, ChartAsks, ChartFacts, ChartInfo, ChartRequest, ChartResponse, EdgeInfo, Inside,
    LocationInfo, ModelInfo, Role,
};

/// The facts of a chart are searched in so many of its states.
const STATES: usize = 20_000;
/// So many executions that cannot continue are listed.
const FAULTS: usize = 20;

/// A chart as it is drawn.
#[inline(never)]
pub(super) fn info(system: &System, reading: &Reading) -> ChartInfo {
    let chart = &*reading.chart;
    let location = |s: StateId| LocationInfo {
        name: chart.path(s),
        role: role(chart, s),
        span: Some(chart.state(s).span),
        pinned: chart.pins.contains_key(&chart.state(s).name),
        inside: match chart.state(s).kind {
            StateKind::Final | StateKind::History { .. } => Inside::Nothing,
            StateKind::Parallel => Inside::Regions,
            StateKind::Atomic | StateKind::Composite => Inside::States,
        },
        folded: (!chart.state(s).children.is_empty()).then_some(chart.state(s).folded),
        ..LocationInfo::default()
    };
    let location_of = |s: StateId| LocationId::new(s.index() - 1);
    let mut edges = Vec::new();
    for t in chart.transition_ids() {
        let transition = chart.transition(t);
        edges.extend(transition.targets.iter().map(|target| EdgeInfo {
            source: location_of(transition.source),
            target: location_of(*target),
            text: veristep_core::formats::sc::label(chart, transition),
            span: Some(transition.span),
        }));
    }
    ChartInfo {
        drawn: ModelInfo {
            name: chart.name.clone(),
            locations: chart.state_ids().skip(1).map(location).collect(),
            edges,
            ..ModelInfo::default()
        },
        configurations: Configurations::of(system, reading),
    }
}

/// The role of a state among those beside it.
fn role(chart: &Chart, s: StateId) -> Role {
    let around = chart.state(s).parent.map(|parent| chart.state(parent));
    let begins = |t: &StateId| *t == s || chart.is_inside(*t, s);
    match chart.state(s).kind {
        StateKind::Final => Role::Final,
        _ if around.is_some_and(|parent| parent.initial.targets.iter().any(begins)) => Role::Initial,
        _ => Role::Plain,
    }
}

/// Answers a request.
#[inline(never)]
pub(super) fn answer(request: &ChartRequest) -> ChartResponse {
    let chart = run::chart(request.kind, &request.text).ok().flatten();
    let answer = match (chart, &request.asks) {
        (None, _) => ChartAnswer::None,
        (Some(chart), ChartAsks::Simulate(events, at)) => {
            ChartAnswer::Simulation(Simulation::of(&chart, events, *at))
        }
        (Some(chart), ChartAsks::Facts) => match run::load(request.kind, &request.text) {
            Ok(system) => ChartAnswer::Facts(facts(&chart, &system)),
            Err(_) => ChartAnswer::None,
        },
    };
    ChartResponse { job: request.job, answer }
}

/// What hints at mistakes.
fn facts(chart: &Chart, system: &System) -> ChartFacts {
    let facts = Facts::of(chart, STATES);
    let names = chart.short_paths();
    let drawn: BTreeMap<_, _> =
        system.edges.iter().zip(0..).map(|(e, id)| ((e.span, &*e.label), id)).collect();
    // A transition that is never taken may have no edge.
    let thing = |t: TransitionId| {
        let (span, text) = (chart.transition(t).span, chart.transition_text(t));
        let edge =
            drawn.get(&(span, text.as_str())).map(|id| Thing::Edge(veristep_core::system::EdgeId(*id)));
        edge.unwrap_or(Thing::ChartState(chart.transition(t).source))
    };
    let pair = |(first, second): &(TransitionId, TransitionId)| {
        let text = format!("{} before {}", chart.transition_text(*first), chart.transition_text(*second));
        (text, thing(*second))
    };
    ChartFacts {
        states: facts.found.statuses.len(),
        complete: facts.is_complete(),
        unreachable: facts
            .unreachable
            .iter()
            .map(|s| (names[s.index()].clone(), Thing::ChartState(*s)))
            .collect(),
        dead: facts.dead.iter().map(|t| (chart.transition_text(*t), thing(*t))).collect(),
        by_order: facts.conflicts.iter().map(pair).collect(),
        faults: facts.faults(chart, FAULTS),
    }
}
