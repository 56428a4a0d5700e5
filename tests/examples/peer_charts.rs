//! Writes random charts as SCXML, each with a script of events and the active atomic states after each of them, for
//! `benches/peers/charts.mjs`, which compares them with XState.
//!
//! `cargo run --release -p veristep-tests --example peer_charts -- SEED COUNT FOLDER`
#![allow(clippy::print_stdout)]

use std::path::PathBuf;

use serde_json::{Value, json};
use veristep_core::chart::machine::{Machine, Macrostep};
use veristep_core::chart::{Chart, StateId, StateKind, TransitionId};
use veristep_core::formats::scxml;
use veristep_core::generate::nets::Choices;
use veristep_tests::charts;

/// The events of a script.
const EVENTS: usize = 12;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = || arguments.next().and_then(|a| a.parse::<u64>().ok());
    let (Some(seed), Some(count)) = (number(), number()) else {
        println!("usage: peer_charts SEED COUNT FOLDER");
        return;
    };
    let Some(folder) = arguments.next().map(PathBuf::from) else { return };
    std::fs::create_dir_all(&folder).expect("a folder that can be written");
    for seed in seed..seed + count {
        let text = charts::simple(seed, 4 + u32::try_from(seed % 12).expect("small"));
        let chart = scxml::parse(&text).expect("a chart");
        std::fs::write(folder.join(format!("{seed}.scxml")), &text).expect("a file");
        std::fs::write(folder.join(format!("{seed}.json")), script(&chart, seed).to_string())
            .expect("a file");
    }
}

/// Are these transitions of a microstep also taken by XState, and do they leave the same states there? There a state
/// with regions takes no transition if one is taken inside of it, and the innermost state around source and targets
/// stays active even if it has regions; in SCXML the innermost composite one does.
fn is_alike(chart: &Chart, transitions: &[TransitionId]) -> bool {
    let source = |t: &TransitionId| chart.transition(*t).source;
    let nested = |a| transitions.iter().any(|b| chart.is_inside(source(b), source(a)));
    !transitions.iter().any(nested) && transitions.iter().all(|t| keeps_composite(chart, *t))
}

fn keeps_composite(chart: &Chart, t: TransitionId) -> bool {
    let t = chart.transition(t);
    let contains = |s: &StateId| {
        let within = |target: &StateId| {
            let own = chart.is_history(*target).then(|| chart.state(*target).parent).flatten();
            chart.is_inside(*target, *s)
                && own.is_none_or(|parent| parent == *s || chart.is_inside(parent, *s))
        };
        t.targets.iter().all(within)
    };
    let common = chart.around(t.source).find(contains);
    t.targets.is_empty() || common.is_some_and(|s| chart.state(s).kind != StateKind::Parallel)
}

/// Random events, with the configurations; it ends where the execution cannot continue.
fn script(chart: &Chart, seed: u64) -> Value {
    let machine = Machine::new(chart);
    let mut random = Choices(seed);
    let names = |step: &Macrostep| -> Vec<String> {
        let atomic = step.0.active.iter().filter(|s| chart.is_atomic(**s));
        atomic.map(|s| chart.state(*s).name.clone()).collect()
    };
    let Ok(mut step) = machine.start() else { return json!({"fault": true, "events": []}) };
    if !step.1.iter().all(|m| is_alike(chart, &m.transitions)) {
        return json!({"fault": true, "events": []});
    }
    let first = names(&step);
    let mut events = Vec::new();
    while events.len() < EVENTS && step.0.running {
        let name = ["a", "b", "c", "r", "z"][random.below(5) as usize];
        if let Some(event) = chart.received(name) {
            match machine.react(&step.0, event, &[]) {
                Ok(after) if after.1.iter().all(|m| is_alike(chart, &m.transitions)) => step = after,
                _ => break,
            }
        }
        events.push(json!({"event": {"name": name}, "nextConfiguration": names(&step)}));
    }
    json!({"initialConfiguration": first, "events": events})
}
