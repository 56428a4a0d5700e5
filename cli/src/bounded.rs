//! The property `bounded` of a net: the number of tokens in each place is bounded. `untimed-bounded` is about a time
//! net without its intervals.
//!
//! A net is unbounded if some firings can be repeated with more tokens each time: they are found by the coverability
//! tree, and fired again. It is bounded if explicit search ends, whose certificate is checked.

use std::task::Poll;

use serde_json::json;
use veristep_core::certificate;
use veristep_core::expr::Expr;
use veristep_core::kit::{Cx, Fuel, Off, Verdict};
use veristep_core::methods::explicit::Reduce;
use veristep_core::net::coverability::{Pump, Tree};
use veristep_core::net::{Marking, Net, TransitionId};
use veristep_core::property::Property;
use veristep_core::run::{Kind, Method, Options, Run};
use veristep_core::system::System;

use crate::check::{Arguments, json_object, print_verdict};
use crate::input::{self, BadInput};
use crate::printed::Format;
use crate::{HOLDS, UNKNOWN, VIOLATED};

/// The limits on nodes of the coverability tree, and on steps of explicit search: a class of states, or 512 markings.
const NODES: usize = 200_000;
const STEPS: u64 = 200_000;

/// The answer.
pub(crate) struct Bounded {
    verdict: &'static str,
    reason: String,
    engine: &'static str,
}

impl Bounded {
    /// The answer, if this is asked and the model is a net.
    pub(crate) fn asked(arguments: &Arguments, kind: Kind, text: &str) -> Result<Option<Bounded>, BadInput> {
        let without_time = match arguments.property.as_deref().map(str::trim) {
            Some("bounded") => None,
            Some("untimed-bounded" | "untimed:bounded") => Some("untimed:"),
            _ => return Ok(None),
        };
        let system = input::model(&arguments.model, kind, text, without_time)?;
        let Some(net) = system.net.clone() else { return Ok(None) };
        // Time restricts which firings can be repeated.
        let pump = if net.is_timed() { None } else { Tree::pump(&net, NODES) };
        let unbounded = pump.and_then(|pump| replayed(&net, &pump));
        let unbounded =
            unbounded.map(|reason| Bounded { verdict: "violated", reason, engine: "coverability" });
        Ok(Some(unbounded.unwrap_or_else(|| enumerated(&system))))
    }

    /// Prints it.
    pub(crate) fn print(&self, arguments: &Arguments) -> Result<u8, BadInput> {
        let Bounded { verdict, reason, engine } = self;
        match arguments.format {
            Format::Text => print_verdict((&arguments.model, None), verdict, reason, None),
            Format::Json => {
                let asked = arguments.property.as_deref().unwrap_or_default();
                let mut object = json_object(verdict, reason, asked, None);
                object["certified"] = json!(*verdict != "unknown");
                object["engine"] = json!(engine);
                say!("{object}");
            }
        }
        Ok(match *verdict {
            "holds" => HOLDS,
            "violated" => VIOLATED,
            _ => UNKNOWN,
        })
    }
}

/// Fires the transitions of a proof that the net is unbounded; a description, if they add tokens.
fn replayed(net: &Net, pump: &Pump) -> Option<String> {
    let fire = |marking: &mut Marking, all: &[TransitionId]| {
        all.iter().all(|t| net.is_enabled(marking, *t) && net.fire(marking, *t).is_ok())
    };
    let mut before = net.initial();
    fire(&mut before, &pump.stem).then_some(())?;
    let mut after = before.clone();
    fire(&mut after, &pump.cycle).then_some(())?;
    let grows = before != after && before.iter().zip(&after).all(|(a, b)| a <= b);
    let places = net.places.iter().zip(before.iter().zip(&after)).filter(|(_, (a, b))| a < b);
    let places: Vec<&str> = places.map(|(place, _)| place.name.as_str()).collect();
    let names = |all: &[TransitionId]| {
        let names: Vec<&str> = all.iter().map(|t| net.transition(*t).name.as_str()).collect();
        if names.is_empty() { "no firing".to_owned() } else { names.join(" ") }
    };
    grows.then(|| {
        format!(
            "after {}, the firings {} can be repeated for ever, and each time there are more tokens in {}",
            names(&pump.stem),
            names(&pump.cycle),
            places.join(", ")
        )
    })
}

/// Enumerates all markings, and has their number checked.
fn enumerated(system: &System) -> Bounded {
    let property = Property::Invariant(Expr::bool(true));
    let options =
        Options { method: Method::Explicit, stubborn: false, reduce: Reduce::Off, ..Options::default() };
    let answer = |verdict, reason| Bounded { verdict, reason, engine: "explicit" };
    let mut run = match Run::new(system, &property, &options) {
        Ok(run) => run,
        Err(why) => return answer("unknown", why),
    };
    let Poll::Ready(outcome) = run.poll(&mut Cx { fuel: &mut Fuel::new(STEPS), sink: &mut Off }) else {
        return answer("unknown", "there are too many markings to be enumerated".to_owned());
    };
    let checked = outcome.certificate.map(|certificate| certificate::check(system, &property, &certificate));
    match (outcome.verdict, checked) {
        (Verdict::Holds, Some(Ok(report))) => {
            answer("holds", report.sentences.first().cloned().unwrap_or_default())
        }
        (Verdict::Holds, Some(Err(why))) => {
            answer("unknown", format!("the certificate was not accepted: {why}"))
        }
        _ => answer("unknown", outcome.reason),
    }
}
