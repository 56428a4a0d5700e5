//! An explanation as it travels from the engine to the page.
//!
//! The texts of `veristep_core::explain` stay with the engine: they grow with every method, and the page need not.

use serde::{Deserialize, Serialize};
use veristep_core::kit::{NodeId, PredicateId};
use veristep_core::system::{EdgeId, LocationId, VarId};

use crate::state::Pick;

/// An explained event.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
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
    /// What to highlight.
    pub subjects: Subjects,
    /// The solver was asked something for it.
    pub asked: bool,
    /// The picture that was wanted.
    pub depicted: Depicted,
}

/// What is to be drawn beside an explanation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Look {
    /// Nothing.
    #[default]
    Nothing,
    /// What a method without a graph found out.
    Method,
    /// The path of the counterexample with its concrete images.
    Path,
    /// The automaton of a temporal formula, and the search in the product.
    Product,
    /// The values of two variables at a location; what is not chosen is what the step is about.
    States {
        /// The location.
        location: Option<LocationId>,
        /// A node there.
        node: Option<NodeId>,
        /// The variables.
        axes: Option<(VarId, VarId)>,
    },
}

/// A picture.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Depicted {
    /// What was wanted.
    pub look: Look,
    /// The picture, as HTML of the engine's own making.
    pub html: String,
    /// The variables to choose from.
    pub variables: Vec<(VarId, String)>,
    /// Those that are drawn.
    pub axes: Option<(VarId, VarId)>,
}

/// A part of a sentence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Part {
    /// Plain words.
    Text(String),
    /// A formula.
    Code(String),
    /// A thing of this run that can be picked.
    Ref(Pick, String),
    /// A word of the glossary, by its number.
    Term(u32, String),
}

impl Part {
    /// The text to show.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Part::Text(text) | Part::Code(text) | Part::Ref(_, text) | Part::Term(_, text) => text,
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
    /// What was found out about it.
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
    /// The solver gave up.
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
            Answer::Unknown => "not decided",
        }
    }
}

/// What an event is about, in all views.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Subjects {
    /// Nodes of the graph, the most important first.
    pub nodes: Vec<NodeId>,
    /// Locations.
    pub locations: Vec<LocationId>,
    /// Edges of the system.
    pub edges: Vec<EdgeId>,
    /// Predicates.
    pub predicates: Vec<PredicateId>,
    /// A position on the counterexample: the number of steps before it.
    pub cut: Option<u32>,
}

/// A sentence as plain text.
#[must_use]
pub fn plain(parts: &[Part]) -> String {
    parts.iter().map(Part::text).collect()
}
