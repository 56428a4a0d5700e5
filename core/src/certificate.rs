//! Certificates: what makes a verdict believable without believing the engine.
//!
//! *Holds* is certified by one formula a location that together are inductive; *violated* by a concrete run.
//! [`check`] judges them with the interpreter and with checked refutations and calls no engine.

mod actions;
mod check;
mod export;
mod file;
mod kept;
mod lasso;
mod parse;
mod passage;
mod possible;
mod progress;
mod questions;
mod replay;
mod sets;
mod tableau;

use serde::{Deserialize, Serialize};

pub use crate::expr::value_text;
pub use check::{Rejection, Report, check};
pub use export::{Script, export};
pub use file::{File, Identity, VERSION};
pub use parse::formula;
pub(crate) use parse::value;

/// The certificate of a verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certificate {
    /// For *holds*: location and formula. What holds at a location that is not mentioned follows from where runs come
    /// from: no cycle has only such locations.
    Invariant {
        /// Name of the location and formula over the variables.
        locations: Vec<(String, String)>,
    },
    /// For *violated*: a run from an initial state to the error location.
    Trace {
        /// The states of the run.
        states: Vec<TraceState>,
    },
    /// For a violated formula of temporal logic: a run that repeats its steps for ever.
    Lasso {
        /// The states of the run, until it has gone around once.
        states: Vec<TraceState>,
        /// The position of that one.
        back: usize,
        /// What is true there each time around, if not all values that matter are the same.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kept: Option<String>,
    },
    /// For a formula of temporal logic that holds: sets of states of the product with an automaton for its negation, and
    /// ranks that no step increases, and that decrease when an accepting state of the automaton is left. So no run is
    /// accepting.
    Progress {
        /// The automaton, in the Hanoi omega-automata format.
        automaton: String,
        /// The sets.
        nodes: Vec<ProgressNode>,
    },
}

/// A set of states of the product of a system and an automaton, and their rank.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgressNode {
    /// The location.
    pub location: String,
    /// The state of the automaton; none before the first letter is read.
    pub state: Option<u32>,
    /// The rank: numbers, or sums of variables that are bounded from below where they decrease; the first ones weigh most.
    pub rank: Vec<String>,
    /// The values.
    pub formula: String,
}

/// A state of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceState {
    /// The edge that led here, by its position in the system; `None` for the first state, and where a run that has stopped
    /// stays where it is.
    pub edge: Option<u32>,
    /// The location.
    pub location: String,
    /// Name and value of each variable.
    pub values: Vec<(String, String)>,
}

impl TraceState {
    /// `x = 1, y = 0`
    #[must_use]
    pub fn values_text(&self) -> String {
        self.values.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
    }
}
