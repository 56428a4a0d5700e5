//! The results of the methods without a graph, round by round.

use std::fmt::Write as _;

use veristep_core::kit::{Answer, Event, Journal};
use veristep_core::methods::{bmc, imc, kind, pdr};
use veristep_core::text::escaped;

use super::cells::{counted, text};
use crate::text::short;

/// The maximal number of shown rounds, and of facts of each; the last ones are kept.
const ROUNDS: usize = 30;
const FACTS: usize = 24;
/// The maximal length of a shown formula.
const LETTERS: usize = 90;

/// A table of the rounds; the newest fact is emphasized.
pub(super) fn draw(events: &[Event], journal: &Journal) -> String {
    let mut rounds: Vec<(u32, Vec<String>)> = Vec::new();
    for (i, event) in events.iter().enumerate() {
        if let Event::IterationStarted { iteration } = event {
            rounds.push((*iteration, Vec::new()));
        }
        if let Some((class, said)) = fact(event, journal) {
            let now = if i + 1 == events.len() { " now" } else { "" };
            let chip = format!("<li class=\"{class}{now}\">{said}</li>");
            match rounds.last_mut() {
                Some((_, facts)) => facts.push(chip),
                None => rounds.push((1, vec![chip])),
            }
        }
    }
    let mut html = "<h2>Rounds</h2><table class=\"rounds\">".to_owned();
    let left_out = rounds.len().saturating_sub(ROUNDS);
    if left_out > 0 {
        let _ = write!(html, "<tr><th></th><td class=\"muted\">{left_out} earlier rounds</td></tr>");
    }
    for (number, facts) in &rounds[left_out..] {
        let first = facts.len().saturating_sub(FACTS);
        let more = if first > 0 { format!("<li>{first} earlier events</li>") } else { String::new() };
        let _ = write!(html, "<tr><th>{number}</th><td><ul>{more}{}</ul></td></tr>", facts[first..].concat());
    }
    html.push_str("</table>");
    html
}

/// A fact with its CSS class.
fn fact(event: &Event, journal: &Journal) -> Option<(&'static str, String)> {
    let code = |f| format!("<code>{}</code>", escaped(&short(text(journal, f), LETTERS)));
    let asked = |query: String, answer: Answer, yes: &'static str| match answer {
        Answer::Sat => (yes, format!("{query} yes")),
        Answer::Unsat => ("no", format!("{query} no")),
        Answer::Unknown => ("open", format!("{query} unknown")),
    };
    Some(match *event {
        Event::Bmc(bmc::Event::BadChecked { steps, answer }) => {
            asked(format!("a violation after {}?", counted(steps as usize, "step", "steps")), answer, "bad")
        }
        Event::Induction(kind::Event::InductionChecked { steps, simple, answer }) => {
            let differ = if simple { ", all different" } else { "" };
            asked(
                format!(
                    "a bad state after {}{differ}?",
                    counted(steps as usize, "good state", "good states")
                ),
                answer,
                "yes",
            )
        }
        Event::Imc(imc::Event::ImageChecked { images, answer }) => asked(
            format!("bad state within the bound, from {}?", counted(images as usize, "image", "images")),
            answer,
            "yes",
        ),
        Event::Imc(imc::Event::ImageGrew { images, formula }) => {
            ("fact", format!("image {}: {}", images + 1, code(formula)))
        }
        Event::Imc(imc::Event::ClosureChecked { answer }) => {
            asked("a new state in the image?".to_owned(), answer, "yes")
        }
        Event::Pdr(pdr::Event::FrameOpened { frame }) => ("fact", format!("frame {frame} opened")),
        Event::Pdr(pdr::Event::FrameChecked { frame, answer }) => {
            asked(format!("a bad state in frame {frame}?"), answer, "yes")
        }
        Event::Pdr(pdr::Event::ObligationRaised { frame, formula }) => {
            ("open", format!("proof obligation at {frame}: {}", code(formula)))
        }
        Event::Pdr(pdr::Event::LemmaLearned { frame, formula }) => {
            ("fact", format!("lemma up to {frame}: {}", code(formula)))
        }
        Event::Pdr(pdr::Event::LemmasPushed { frame, left: 0 }) => {
            ("no", format!("frame {frame} is inductive"))
        }
        Event::Pdr(pdr::Event::LemmasPushed { frame, left }) => {
            ("fact", format!("pushed from {frame}, {left} not pushed"))
        }
        Event::Decided { verdict } => ("fact", verdict.to_string()),
        // A heading, or shown as a graph or as cells.
        Event::IterationStarted { .. } => return None,
        Event::Cegar(_) | Event::Lasso(_) | Event::Split(_) | Event::Explicit(_) => return None,
    })
}
