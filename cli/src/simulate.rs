//! `veristep simulate`: plays a Petri net or a statechart.

mod chart;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use veristep_core::generate::nets::Choices;
use veristep_core::net::{Net, TransitionId};
use veristep_core::run;

use crate::HOLDS;
use crate::input::{self, BadInput, Language, bad};
use crate::printed::Format;

/// Arguments of `simulate`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The net or statechart
    model: PathBuf,
    /// Seed: the same seed gives the same firings or events
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The greatest number of firings or events
    #[arg(long, value_name = "N", default_value_t = 20)]
    steps: usize,
    /// The events of a statechart, with the expected active states: a file of the SCXML test framework (JSON), or one
    /// event a line
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// Output format: json prints one object a marking, or a reaction of a statechart
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    language: Language,
}

/// Fires transitions that are enabled, chosen at random, until none is; sends events to a statechart.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    let kind = arguments.language.kind(&arguments.model)?;
    let name = arguments.model.display().to_string();
    let text = input::read(&arguments.model)?;
    if let Some(chart) = run::chart(kind, &text).map_err(|d| input::render(&name, &text, &d))? {
        return chart::run(arguments, &chart);
    }
    if arguments.events.is_some() {
        return bad(format!("{name}: error: --events is for statecharts"));
    }
    let net = run::net(kind, &text).map_err(|d| input::render(&name, &text, &d))?;
    let Some(net) = net else {
        return bad(format!("{name}: error: only Petri nets and statecharts can be simulated"));
    };
    if net.is_timed() {
        return bad(format!("{name}: error: nets with intervals of time cannot be simulated"));
    }
    let mut marking = net.initial();
    print(arguments.format, &net, None, &marking);
    let mut choices = Choices(arguments.seed);
    for _ in 0..arguments.steps {
        let enabled: Vec<TransitionId> = net.enabled(&marking).collect();
        if enabled.is_empty() {
            break;
        }
        let chosen = choices.below(u32::try_from(enabled.len()).unwrap_or(u32::MAX));
        let t = enabled[chosen as usize];
        if net.fire(&mut marking, t).is_err() {
            return bad(format!("{name}: error: a place has too many tokens"));
        }
        print(arguments.format, &net, Some(t), &marking);
    }
    Ok(HOLDS)
}

fn print(format: Format, net: &Net, fired: Option<TransitionId>, marking: &[u32]) {
    let fired = fired.map(|t| net.transition(t).name.as_str());
    match format {
        Format::Text => say!("{:20} {}", fired.unwrap_or(""), net.marking_text(marking)),
        Format::Json => {
            let tokens = net.places.iter().zip(marking).filter(|(_, n)| **n > 0);
            let tokens: serde_json::Map<String, serde_json::Value> =
                tokens.map(|(p, n)| (p.name.clone(), json!(n))).collect();
            let enabled: Vec<&str> = net.enabled(marking).map(|t| net.transition(t).name.as_str()).collect();
            say!("{}", json!({"fired": fired, "marking": tokens, "enabled": enabled}));
        }
    }
}
