//! Certificates: evidence for a verdict that is checked independently of the engine.
//!
//! *Holds* is certified by an inductive invariant, one formula for each location; *violated* by a concrete run.
//! [`check`] verifies them with the interpreter and with checked refutations, and uses no engine.

mod actions;
mod chart;
mod check;
mod explored;
mod export;
mod file;
mod known;
mod lasso;
mod left_out;
mod parse;
mod passage;
mod possible;
mod progress;
mod questions;
mod recurrent_set;
mod replay;
mod rows;
mod rules;
mod sets;
mod structure;
mod tableau;
mod timed;
mod zones;

use serde::{Deserialize, Serialize};

pub use crate::expr::value_text;
use crate::net::reduce::Rule;
use crate::system::{EdgeId, State, System};
pub use check::{Rejection, Report, check};
pub use export::{Script, export};
pub use file::{File, Identity, VERSION};
pub use parse::formula;
pub(crate) use parse::value;
pub use rows::{TraceRow, rows};

/// The certificate of a verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certificate {
    /// For *holds*: location and formula. Locations may be omitted if no cycle consists of omitted ones only; their
    /// formulas follow from those of their predecessors.
    Invariant {
        /// Name of the location and formula over the variables.
        locations: Vec<(String, String)>,
    },
    /// For *violated*: a run from an initial state to the error location.
    Trace {
        /// The states of the run.
        states: Vec<TraceState>,
    },
    /// For a Petri net: the property was evaluated on the reachable markings, of which there are this many. The checker
    /// enumerates them again.
    Explored {
        /// The number of reachable markings, or of those that are expanded.
        markings: u64,
        /// Is a formula of branching time decided by the markings that are expanded, whatever the firings of the
        /// others?
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        partial: bool,
        /// Does the initial marking satisfy the formula of branching time? For other properties: does no marking
        /// violate it?
        satisfied: bool,
        /// Were firings left out by stubborn sets, so that there may be more reachable markings?
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        reduced: bool,
        /// Structural reductions before the enumeration.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rules: Vec<Rule>,
    },
    /// For *holds*: abstract states, with the transitions between them. There are no others, and each one exists from
    /// every concrete state of its source unless its edge has inputs. Without inputs, the structure is bisimilar to the
    /// reachable part of the system.
    Structure {
        /// The predicates: formulas over the variables.
        predicates: Vec<String>,
        /// The abstract states.
        states: Vec<AbstractState>,
        /// A state, an edge of the system, and the state that it leads to; states by their position.
        transitions: Vec<(u32, u32, u32)>,
    },
    /// For a violated formula of temporal logic: an ultimately periodic run.
    Lasso {
        /// The states of the stem and of one round of the cycle.
        states: Vec<TraceState>,
        /// The position where the cycle starts.
        back: usize,
        /// A formula that is true there in each round, if values that matter differ between rounds.
        #[serde(rename = "kept", default, skip_serializing_if = "Option::is_none")]
        recurrent_set: Option<String>,
    },
    /// For a formula of temporal logic that holds: sets of states of the product with the Büchi automaton of the
    /// negated formula, with ranks. No step increases the rank, and leaving an accepting state decreases it, so no run
    /// is accepting.
    Progress {
        /// The automaton, in the Hanoi omega-automata format.
        automaton: String,
        /// The sets.
        nodes: Vec<ProgressNode>,
    },
}

/// A set of states that agree about predicates.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AbstractState {
    /// The location.
    pub location: String,
    /// Variables with their values.
    pub control: Vec<(String, String)>,
    /// For each predicate: `+` if it is true, `-` if it is false, `.` if it may be either.
    pub truths: String,
}

impl AbstractState {
    /// Its formula, where these are the predicates: `pc = 1 and x <= y and not (b)`.
    #[must_use]
    pub fn formula(&self, predicates: &[String]) -> String {
        let control = self.control.iter().map(|(name, value)| format!("{name} = {value}"));
        let literals = predicates.iter().zip(self.truths.chars()).filter_map(|(p, truth)| match truth {
            '+' => Some(p.clone()),
            '-' => Some(format!("not ({p})")),
            _ => None,
        });
        let parts: Vec<String> = control.chain(literals).collect();
        if parts.is_empty() { "true".to_owned() } else { parts.join(" and ") }
    }
}

/// A set of states of the product of a system and an automaton, with its rank.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgressNode {
    /// The location.
    pub location: String,
    /// The state of the automaton; none before the first letter.
    pub state: Option<u32>,
    /// The rank, compared lexicographically: numbers, or sums of variables that are bounded from below where they
    /// decrease.
    pub rank: Vec<String>,
    /// The formula over the variables.
    pub formula: String,
}

/// A state of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceState {
    /// The edge that leads here, by its index in the system; `None` for the first state, and where a finite run repeats
    /// its last state.
    pub edge: Option<u32>,
    /// The location.
    pub location: String,
    /// Name and value of each variable.
    pub values: Vec<(String, String)>,
}

impl TraceState {
    /// A state of a system; `edge` leads to it, none to the initial one.
    pub(crate) fn new(system: &System, edge: Option<EdgeId>, state: &State) -> TraceState {
        let location = edge.map_or(system.initial, |e| system.edge(e).target);
        let value = |(v, x)| (system.variable(v).name.clone(), system.value_text(v, x));
        let values = system.var_ids().zip(state).map(value).collect();
        TraceState { edge: edge.map(|e| e.0), location: system.location(location).name.clone(), values }
    }

    /// `x = 1, y = 0`
    #[must_use]
    pub fn values_text(&self) -> String {
        self.values.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
    }
}
