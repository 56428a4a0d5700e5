//! Our verdict on a program.

use std::panic::{AssertUnwindSafe, catch_unwind};

use veristep_core::certificate;
use veristep_core::diagnostic::Severity;
use veristep_core::kit::{Off, Verdict};
use veristep_core::run::{self, Kind, Method, Options, Run};

use crate::models::poll_up_to;

/// Our answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The text is wrong.
    Refused(String),
    /// Something is not supported.
    Unsupported(String),
    /// The error is not reached.
    Holds,
    /// The error is reached.
    Violated,
    /// No verdict, and why.
    Unknown(String),
    /// A panic, or a rejected certificate.
    Broken(String),
}

/// Our answer: is the error reachable?
#[must_use]
pub fn answer(text: &str, lp64: bool, steps: u64) -> Answer {
    let tried = catch_unwind(AssertUnwindSafe(|| verdict(text, lp64, steps)));
    tried.unwrap_or_else(|_| Answer::Broken("panic".to_owned()))
}

fn verdict(text: &str, lp64: bool, steps: u64) -> Answer {
    let kind = if lp64 { Kind::CLp64 } else { Kind::C };
    let system = match run::load_for(kind, text, Some("")) {
        Ok(system) => system,
        Err(all) => {
            let wrong = all.iter().find(|d| d.severity == Severity::Error);
            return match (wrong, all.first()) {
                (Some(d), _) => Answer::Refused(d.message.clone()),
                (None, Some(d)) => Answer::Unsupported(d.message.clone()),
                (None, None) => Answer::Broken("refused without a reason".to_owned()),
            };
        }
    };
    let property = match run::property(&system, "") {
        Ok(property) => property,
        Err(_) => return Answer::Broken("the property is refused".to_owned()),
    };
    let options = Options { method: Method::Auto, ..Options::default() };
    let mut run = match Run::new(&system, &property, &options) {
        Ok(run) => run,
        Err(why) => return Answer::Unsupported(why),
    };
    let Some(outcome) = poll_up_to(&mut run, &mut Off, steps, &mut || u64::MAX) else {
        return Answer::Unknown("steps".to_owned());
    };
    if let Some(c) = &outcome.certificate
        && let Err(why) = certificate::check(&system, &property, c)
    {
        return match why.0.contains("could not be decided") {
            true => Answer::Unknown("the checker could not decide an obligation".to_owned()),
            false => Answer::Broken(format!("certificate: {why}")),
        };
    }
    match outcome.verdict {
        Verdict::Holds => Answer::Holds,
        Verdict::Violated => Answer::Violated,
        Verdict::Unknown(_) => Answer::Unknown(outcome.reason),
    }
}
