//! From the state to a link and back.

use std::rc::Rc;

use veristep_core::link::{Cursor, Link, MAX_FRAGMENT};
use veristep_core::run::Kind;

use crate::protocol::{RunResult, Shown};
use crate::state::{Effect, Game, LINK_BUDGET, MiddleTab, State, Tone, Wanted};

/// The edges of a counterexample.
fn trace(outcome: &RunResult) -> Vec<u32> {
    match outcome.certificate.as_ref().map(|proof| &proof.shown) {
        Some(Shown::Trace(rows)) => rows.iter().filter_map(|row| row.edge).collect(),
        _ => vec![],
    }
}

impl State {
    /// A link to the current view; without the step when `step` is false.
    #[must_use]
    pub fn link(&self, step: bool) -> Link {
        let run = self.run.as_ref().filter(|_| self.current());
        let outcome = run.and_then(|run| run.outcome.as_ref());
        let has_step = step && run.is_some() && self.journal.length() > 0;
        Link {
            kind: self.kind.name().to_owned(),
            text: self.text.to_string(),
            property: self.property.clone(),
            options: self.options.clone(),
            cursor: has_step.then(|| Cursor::at(&self.journal.get(), self.frame.cursor)),
            view: self.view_in_link(),
            verdict: outcome.map(|o| o.verdict.to_string()).unwrap_or_default(),
            trace: outcome.map(|o| trace(o)).unwrap_or_default(),
        }
    }

    /// The chosen tab, the token game, and the events of a simulation.
    fn view_in_link(&self) -> Vec<(String, String)> {
        let tab = ("tab".to_owned(), self.view.middle.name().to_owned());
        let game = self.game.on.then(|| ("game".to_owned(), self.game.text()));
        let events = &self.simulation.events[..self.simulation.at.min(self.simulation.events.len())];
        let events = (!events.is_empty()).then(|| ("events".to_owned(), events.join("\n")));
        std::iter::once(tab).chain(game).chain(events).collect()
    }

    /// Opens the queries of the shown step, if the link is not too long.
    pub(super) fn ask_solver(&mut self) -> Vec<Effect> {
        let fragment = if self.current() { self.link(true).encode() } else { String::new() };
        let problem = match fragment.len() {
            0 => "The text was edited since this run. Run again to open the solver.",
            1..=MAX_FRAGMENT => return vec![Effect::Open("solver.html", fragment)],
            _ => "The model is too long for a link to the solver's page.",
        };
        self.say(Tone::Warning, problem);
        vec![]
    }

    /// Opens the page that compares strategies, with this model.
    pub(super) fn compare(&mut self) -> Vec<Effect> {
        let fragment = self.link(false).encode();
        if fragment.len() <= MAX_FRAGMENT {
            return vec![Effect::Open("compare.html", fragment)];
        }
        self.say(Tone::Warning, "The model is too long for a link to the comparison.");
        vec![]
    }

    pub(super) fn open(&mut self, link: Link, lost: &[&'static str]) -> Vec<Effect> {
        let kind = Kind::of_link(&link.kind, &link.text);
        let mut effects = self.load(None, (Rc::from(link.text.as_str()), kind), link.property);
        self.claimed = link.verdict;
        self.options = link.options;
        for (name, value) in &link.view {
            match name.as_str() {
                "tab" => self.view.middle = MiddleTab::from_name(value).unwrap_or(self.view.middle),
                "game" => self.put_game(Game::from_text(value)),
                "events" => self.put_events(value),
                _ => {}
            }
        }
        if !lost.is_empty() {
            let what = lost.join(", ");
            self.say(
                Tone::Warning,
                &format!("This link is damaged. The readable part of the model is shown; missing: {what}."),
            );
        }
        if !link.kind.is_empty() && Kind::of_name(&link.kind).is_none() {
            self.say(
                Tone::Warning,
                &format!("This link contains a model of kind “{}”; it is shown as text.", link.kind),
            );
        }
        if let Some(cursor) = link.cursor {
            effects.extend(self.start(false, LINK_BUDGET));
            self.wanted = Some(Wanted::Linked(cursor));
        }
        effects
    }
}
