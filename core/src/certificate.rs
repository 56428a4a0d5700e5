//! Certificates: what makes a verdict believable without believing the engine.
//!
//! *Holds* is certified by one formula a location that together are inductive; *violated* by a concrete run.
//! [`check`] judges them with the interpreter and with checked refutations and calls no engine.

mod check;
mod parse;
mod passage;

use serde::{Deserialize, Serialize};
use solver_lite::term::Value;

pub use check::{Rejection, Report, check};
pub use parse::formula;

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
}

/// A state of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceState {
    /// The edge that led here, by its position in the system; `None` for the first state.
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

/// A value as certificates write it: `true`, `3`, `-1/2`.
#[must_use]
pub fn value_text(value: &Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Num(q) => q.to_string(),
    }
}
