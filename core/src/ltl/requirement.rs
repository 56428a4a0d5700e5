//! What is required of the runs of a system, and how a run is read as a word.

use std::fmt;

use crate::diagnostic::{Diagnostic, Span};
use crate::ltl::{AtomMeaning, Letter, Stated, stated};
use crate::system::{LocationId, Role, State, System};
use crate::text::Dialect;

/// What one step of a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A statement of a program; an action (`env` or `trans`) of an extended transition system.
    Fine,
    /// A whole edge of an automaton; `env` and `trans` together.
    Coarse,
}

/// Where a word begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    /// With the initial state.
    Initial,
    /// With the state after the first action, as the product of Theta has it.
    AfterFirstAction,
}

/// Which runs that cannot go on count as infinite, with their last state repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stuck {
    /// None: what stops satisfies every formula.
    Never,
    /// Those that have reached a final location.
    Final,
    /// Those at any location without edges. (Where edges leave and none can be taken, a run is not looked at.)
    DeadEnd,
}

/// How runs are read as words. Verdicts depend on it, so it is shown beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    /// What one step is.
    pub step: Step,
    /// Where position 0 is.
    pub start: Start,
    /// What becomes of runs that stop.
    pub stuck: Stuck,
}

/// Theta's, for its formats.
impl Default for Reading {
    fn default() -> Reading {
        Reading { step: Step::Fine, start: Start::AfterFirstAction, stuck: Stuck::Final }
    }
}

impl Reading {
    /// Sets `step`, `start` or `stuck`.
    ///
    /// # Errors
    /// What is wrong with the name or the value, in words.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match (name, value) {
            ("step", "half" | "statement" | "fine") => self.step = Step::Fine,
            ("step", "full" | "edge" | "coarse") => self.step = Step::Coarse,
            ("start", "initial") => self.start = Start::Initial,
            ("start", "after-first-action") => self.start = Start::AfterFirstAction,
            ("stuck", "never") => self.stuck = Stuck::Never,
            ("stuck", "final") => self.stuck = Stuck::Final,
            ("stuck", "dead-end") => self.stuck = Stuck::DeadEnd,
            ("step", _) => return Err(format!("step: '{value}' is none of half, full, statement, edge")),
            ("start", _) => return Err(format!("start: '{value}' is none of initial, after-first-action")),
            ("stuck", _) => return Err(format!("stuck: '{value}' is none of never, final, dead-end")),
            _ => return Err(format!("'{name}' is none of step, start, stuck")),
        }
        Ok(())
    }

    /// Is the word at a new position when a run arrives at this location?
    #[must_use]
    pub fn is_position(self, system: &System, location: LocationId) -> bool {
        let l = system.location(location);
        match system.dialect {
            Dialect::Cfa | Dialect::Ltl => self.step == Step::Fine || !l.anonymous,
            Dialect::Sts => !l.anonymous,
            Dialect::Xsts => match l.name.as_str() {
                "before_init" => self.start == Start::Initial,
                "before_trans" => self.step == Step::Fine,
                _ => !l.anonymous,
            },
        }
    }

    /// Is the word at position 0 before the first edge is taken?
    #[must_use]
    pub fn starts_at_once(self, system: &System) -> bool {
        self.start == Start::Initial && self.is_position(system, system.initial)
    }

    /// Does a run that is at this location without edges stay there for ever?
    #[must_use]
    pub fn repeats(self, system: &System, location: LocationId) -> bool {
        let ends = system.out_edges(location).is_empty();
        match self.stuck {
            Stuck::Never => false,
            Stuck::Final => ends && system.location(location).role == Role::Final,
            Stuck::DeadEnd => ends,
        }
    }

    /// In words, for people: what a step is, where position 0 is, what becomes of runs that stop.
    #[must_use]
    pub fn text(self, system: &System) -> String {
        let step = match (system.dialect, self.step) {
            (Dialect::Xsts, Step::Fine) => "a step is one action, env or trans",
            (Dialect::Xsts, Step::Coarse) => "a step is env and trans together",
            (Dialect::Cfa, Step::Fine) => "a step is one statement",
            (Dialect::Cfa, Step::Coarse) => "a step is one edge",
            _ => "a step is one transition",
        };
        let start = match (system.dialect, self.start) {
            (Dialect::Sts, _) | (_, Start::Initial) => "position 0 is the initial state",
            (Dialect::Xsts, _) => "position 0 is the state after init",
            _ => "position 0 is the state after the first step",
        };
        let stuck = match self.stuck {
            Stuck::Never => "a run that stops is not looked at",
            Stuck::Final => {
                "a run at a final location stays there, one that stops elsewhere is not looked at"
            }
            Stuck::DeadEnd => {
                "a run at a location without edges stays there, one that stops elsewhere is not looked at"
            }
        };
        format!("{step}; {start}; {stuck}")
    }
}

/// As the name in brackets has it: `step=half, start=initial`; only what differs from the usual.
impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.step == Step::Coarse {
            parts.push("step=full");
        }
        if self.start == Start::Initial {
            parts.push("start=initial");
        }
        match self.stuck {
            Stuck::Never => parts.push("stuck=never"),
            Stuck::Final => {}
            Stuck::DeadEnd => parts.push("stuck=dead-end"),
        }
        f.write_str(&parts.join(","))
    }
}

/// A formula that every run is to satisfy.
#[derive(Clone, Debug, PartialEq)]
pub struct Requirement {
    /// The formula.
    pub stated: Stated,
    /// How runs are read.
    pub reading: Reading,
}

impl Requirement {
    /// Reads `FORMULA`, `ltl:FORMULA` or `ltl[step=half,start=initial]:FORMULA`.
    ///
    /// # Errors
    /// What is wrong with the text; places are in `text`.
    pub fn parse(text: &str, system: &System) -> Result<Requirement, Vec<Diagnostic>> {
        let mut reading = Reading::default();
        let start = text.len() - text.trim_start().len();
        let mut prefix = 0;
        if let Some(rest) = text[start..].strip_prefix("ltl:") {
            prefix = text.len() - rest.len();
        } else if let Some(rest) = text[start..].strip_prefix("ltl[") {
            let Some((options, formula)) = rest.split_once("]:") else {
                let message = "expected 'ltl[…]:' and then a formula";
                return Err(vec![Diagnostic::error(Span::new(start, text.len()), message)]);
            };
            prefix = text.len() - formula.len();
            for option in options.split(',').filter(|o| !o.trim().is_empty()) {
                let (name, value) = option.split_once('=').unwrap_or((option, ""));
                if let Err(why) = reading.set(name.trim(), value.trim()) {
                    return Err(vec![Diagnostic::error(Span::new(start, prefix), why)]);
                }
            }
        }
        // Blanks instead of the prefix keep the places.
        let formula = " ".repeat(prefix) + &text[prefix..];
        Ok(Requirement { stated: stated(&formula, system)?, reading })
    }

    /// The text, as [`Requirement::parse`] reads it.
    #[must_use]
    pub fn text(&self, system: &System) -> String {
        let (reading, formula) = (self.reading.to_string(), self.stated.text(system));
        if reading.is_empty() { formula } else { format!("ltl[{reading}]:{formula}") }
    }

    /// Which atoms are true of a state at a location. Where an expression has no value it is false.
    #[must_use]
    pub fn letter(&self, location: LocationId, state: &State) -> Letter {
        let holds = |atom: &AtomMeaning| match atom {
            AtomMeaning::At(l) => *l == location,
            AtomMeaning::Condition(e) => e.eval(&|v| state[v.index()].clone()).is_ok_and(|x| x.bool()),
        };
        self.stated.atoms.iter().map(holds).collect()
    }
}
