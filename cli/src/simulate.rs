//! `veristep simulate`: plays a Petri net at random.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;
use veristep_core::net::{Net, TransitionId};
use veristep_core::run;

use crate::HOLDS;
use crate::input::{self, BadInput, Language, bad};

#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Arguments of `simulate`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The net
    model: PathBuf,
    /// Seed: the same seed gives the same firings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The greatest number of firings
    #[arg(long, value_name = "N", default_value_t = 20)]
    steps: usize,
    /// Output format: json prints one object a marking
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    language: Language,
}

/// Fires transitions that are enabled, chosen at random, until none is.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    let kind = arguments.language.kind(&arguments.model)?;
    let name = arguments.model.display().to_string();
    let text = input::read(&arguments.model)?;
    let net = run::net(kind, &text).map_err(|d| input::render(&name, &text, &d))?;
    let Some(net) = net else { return bad(format!("{name}: error: only Petri nets can be simulated")) };
    if net.is_timed() {
        return bad(format!("{name}: error: nets with intervals of time cannot be simulated"));
    }
    let mut marking = net.initial();
    print(arguments.format, &net, None, &marking);
    // Splitmix64.
    let mut state = arguments.seed;
    for _ in 0..arguments.steps {
        let enabled: Vec<TransitionId> = net.enabled(&marking).collect();
        if enabled.is_empty() {
            break;
        }
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let chosen = usize::try_from((z ^ z >> 31) % enabled.len() as u64).expect("below the length");
        let t = enabled[chosen];
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
