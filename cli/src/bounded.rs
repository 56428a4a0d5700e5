//! The property `bounded` of a net: the number of tokens in each place is bounded. `untimed-bounded` is about a time
//! net without its intervals.

use std::collections::HashSet;

use serde_json::json;
use veristep_core::net::coverability::{Pump, Tree};
use veristep_core::net::timed::Clocks;
use veristep_core::net::timed::classes::{Facts, NoFacts, Stopped};
use veristep_core::net::{Marking, Net, TransitionId};
use veristep_core::run::{self, Kind};

use crate::check::{Arguments, json_object, print_verdict};
use crate::input::{self, BadInput};
use crate::printed::Format;
use crate::{HOLDS, UNKNOWN, VIOLATED};

/// The limits on nodes of the coverability tree, on state classes, and on markings.
const NODES: usize = 200_000;
const CLASSES: usize = 200_000;
const MARKINGS: usize = 5_000_000;

/// What is asked.
struct Asked {
    without_time: bool,
}

/// The answer.
pub(crate) struct Bounded {
    verdict: &'static str,
    reason: String,
    is_certified: bool,
    engine: &'static str,
}

fn unknown(reason: &str) -> Bounded {
    Bounded { verdict: "unknown", reason: reason.to_owned(), is_certified: false, engine: "explicit" }
}

impl Bounded {
    /// The answer, if this is asked and the model is a net.
    pub(crate) fn asked(arguments: &Arguments, kind: Kind, text: &str) -> Result<Option<Bounded>, BadInput> {
        let Some(asked) = arguments.property.as_deref().and_then(Asked::of) else { return Ok(None) };
        let name = arguments.model.display().to_string();
        let net = run::net(kind, text).map_err(|d| input::render(&name, text, &d))?;
        Ok(net.map(|net| asked.answer(net)))
    }

    /// Prints it.
    pub(crate) fn print(&self, arguments: &Arguments) -> Result<u8, BadInput> {
        let Bounded { verdict, reason, is_certified, engine } = self;
        match arguments.format {
            Format::Text => {
                print_verdict((&arguments.model, None), verdict, reason, None);
                if *is_certified {
                    say!("  certified by the firing rule.");
                }
            }
            Format::Json => {
                let asked = arguments.property.as_deref().unwrap_or_default();
                let mut object = json_object(verdict, reason, asked, None);
                object["certified"] = json!(is_certified);
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

impl Asked {
    /// The property of a text, if it is one of these.
    fn of(text: &str) -> Option<Asked> {
        match text.trim() {
            "bounded" => Some(Asked { without_time: false }),
            "untimed-bounded" | "untimed:bounded" => Some(Asked { without_time: true }),
            _ => None,
        }
    }

    /// Is the net bounded?
    fn answer(&self, mut net: Net) -> Bounded {
        if self.without_time {
            net.places.iter_mut().for_each(|place| place.delay = None);
            net.transitions.iter_mut().for_each(|transition| transition.delay = None);
        }
        if net.is_timed() {
            let clocks = Clocks::of(&net).ok().flatten();
            return match clocks.map(|clocks| Facts::of(&net, &clocks, CLASSES)) {
                Some(Ok(facts)) => {
                    let most = facts.bounds.iter().max().copied().unwrap_or(0);
                    let reason = format!(
                        "in its {} state classes, at most {most} tokens are in a place",
                        facts.classes
                    );
                    Bounded { verdict: "holds", reason, is_certified: false, engine: "explicit" }
                }
                Some(Err(NoFacts::Stopped(Stopped::Second(t, p)))) => {
                    let (t, p) = (&net.transition(t).name, &net.place(p).name);
                    unknown(&format!(
                        "a net with delays of places must be safe, but '{t}' gives a second token to '{p}'"
                    ))
                }
                Some(Err(NoFacts::Limit)) => unknown("there are too many classes of states"),
                Some(Err(NoFacts::Stopped(_))) => {
                    unknown("there are too many tokens in a place, or too many cases")
                }
                None => unknown("the net has intervals of transitions and of places"),
            };
        }
        if let Some(pump) = Tree::pump(&net, NODES) {
            return match replayed(&net, &pump) {
                Some(reason) => {
                    Bounded { verdict: "violated", reason, is_certified: true, engine: "coverability" }
                }
                None => unknown("the firings that were found do not add tokens"),
            };
        }
        match enumerated(&net) {
            Some((markings, most)) => {
                let reason =
                    format!("in its {markings} reachable markings, at most {most} tokens are in a place");
                Bounded { verdict: "holds", reason, is_certified: true, engine: "explicit" }
            }
            None => unknown("there are too many markings to be enumerated"),
        }
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

/// The number of reachable markings and the greatest number of tokens in a place, if the markings are not too many.
fn enumerated(net: &Net) -> Option<(usize, u32)> {
    let mut open = vec![net.initial()];
    let mut known: HashSet<Marking> = open.iter().cloned().collect();
    let mut most = 0;
    while let Some(marking) = open.pop() {
        most = marking.iter().copied().fold(most, u32::max);
        for t in net.enabled(&marking).collect::<Vec<_>>() {
            let mut after = marking.clone();
            net.fire(&mut after, t).ok()?;
            if known.insert(after.clone()) {
                open.push(after);
            }
        }
        if known.len() > MARKINGS {
            return None;
        }
    }
    Some((known.len(), most))
}
