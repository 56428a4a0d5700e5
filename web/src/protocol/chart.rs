//! Messages about statecharts that are played and analyzed.

use serde::{Deserialize, Serialize};
use veristep_core::chart::simulation::Simulation;
use veristep_core::run::Kind;

use super::Job;
use crate::explained::Thing;

/// A request about a chart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChartRequest {
    /// This request.
    pub job: Job,
    /// The language of the chart.
    pub kind: Kind,
    /// The chart.
    pub text: String,
    /// What is asked.
    pub asks: ChartAsks,
}

/// What is asked about a chart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ChartAsks {
    /// What these events do, and what the environment can send after the first so many of them.
    Simulate(Vec<String>, usize),
    /// What hints at mistakes.
    Facts,
}

/// The answer to a request about a chart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChartResponse {
    /// The request.
    pub job: Job,
    /// What was asked for.
    pub answer: ChartAnswer,
}

/// An answer about a chart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ChartAnswer {
    /// The text is no chart.
    None,
    /// A simulation.
    Simulation(Simulation),
    /// What hints at mistakes.
    Facts(ChartFacts),
}

/// What hints at mistakes in a chart, each with the part of the drawing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ChartFacts {
    /// The number of states in which the chart waits for the environment, as far as they were searched.
    pub states: usize,
    /// All of them were searched.
    pub complete: bool,
    /// The states that are never entered.
    pub unreachable: Vec<(String, Thing)>,
    /// The transitions that are never taken.
    pub dead: Vec<(String, Thing)>,
    /// Pairs of transitions of which the order of the text decides.
    pub by_order: Vec<(String, Thing)>,
    /// Executions that cannot continue: the events, and why.
    pub faults: Vec<(Vec<String>, String)>,
}
