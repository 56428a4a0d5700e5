//! An explanation as sent from the engine to the page.
//!
//! The texts of `veristep_core::explain` are in the engine only: they grow with every method, the page does not.

use serde::{Deserialize, Serialize};
use veristep_core::draw::{Drawn, What};
pub use veristep_core::explain::Subjects;
pub use veristep_core::scene::Thing;

/// An explained event.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Explained {
    /// The event's number, from 0.
    pub index: u32,
    /// A short heading.
    pub title: String,
    /// What happened.
    pub what: Vec<Part>,
    /// Why.
    pub why: Vec<Part>,
    /// The formulas behind it.
    pub maths: Vec<Line>,
    /// A common misunderstanding, where one fits.
    pub slip: Option<String>,
    /// The subjects to highlight.
    pub subjects: Subjects,
    /// The event has solver queries.
    pub asked: bool,
    /// The requested picture.
    pub depicted: Depicted,
}

/// The picture beside an explanation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Depicted {
    /// The requested picture.
    pub what: Option<What>,
    /// The picture.
    pub drawn: Drawn,
}

/// A part of a sentence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Part {
    /// Plain words.
    Text(String),
    /// A formula.
    Code(String),
    /// An object of this run that can be selected.
    Ref(Thing, String),
    /// A word of the glossary, by its number.
    Concept(u32, String),
}

impl Part {
    /// The text to show.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Part::Text(text) | Part::Code(text) | Part::Ref(_, text) | Part::Concept(_, text) => text,
        }
    }
}

/// A line of mathematics.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// What the formula is.
    pub label: String,
    /// The formula.
    pub formula: String,
    /// Its status.
    pub answer: Option<Answer>,
}

/// An answer beside a line of mathematics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// The formula has a model.
    Sat,
    /// The formula has no model.
    Unsat,
    /// The statement holds.
    Holds,
    /// The statement does not hold.
    Fails,
    /// Unknown.
    Unknown,
}

impl Answer {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Answer::Sat => "satisfiable",
            Answer::Unsat => "unsatisfiable",
            Answer::Holds => "holds",
            Answer::Fails => "does not hold",
            Answer::Unknown => "unknown",
        }
    }
}

/// A sentence as plain text.
#[must_use]
pub fn plain(parts: &[Part]) -> String {
    parts.iter().map(Part::text).collect()
}
