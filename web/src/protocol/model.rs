//! The model as the page knows it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use veristep_core::diagnostic::Span;
use veristep_core::draw::Configurations;
use veristep_core::draw::clock::Delays;
use veristep_core::scene::Drawing;
use veristep_core::system::LocationId;

/// A model as the page draws it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ModelInfo {
    /// Its name.
    pub name: String,
    /// Variables: name and type.
    pub variables: Vec<(String, String)>,
    /// By location id.
    pub locations: Vec<LocationInfo>,
    /// By edge id.
    pub edges: Vec<EdgeInfo>,
    /// Its drawing.
    pub drawing: Arc<Drawing>,
    /// Of a net: its places and transitions as locations, its arcs as edges; without the drawing.
    pub net: Option<Box<ModelInfo>>,
    /// Of a statechart: its states and transitions.
    pub chart: Option<Box<ChartInfo>>,
    /// The intervals of a time net.
    pub delays: Option<Delays>,
    /// If it has no property: the reason, and possible properties.
    pub no_property: Option<String>,
    /// Its properties, if it has several: texts that choose them.
    pub properties: Vec<String>,
}

/// The role of a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Role {
    /// Nothing special.
    #[default]
    Plain,
    /// Runs start here.
    Initial,
    /// Runs end here.
    Final,
    /// Must not be reached.
    Error,
    /// Between two statements of one edge of the text.
    Between,
}

/// A location.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LocationInfo {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// It is an accepting state.
    pub accepting: bool,
    /// The tokens of a place of a net.
    pub tokens: Option<u32>,
    /// The interval of time of a place or a transition of a net; empty without one.
    pub interval: Option<String>,
    /// Its declaration in the text.
    pub span: Option<Span>,
    /// A person chose its place in the drawing.
    pub pinned: bool,
    /// Of a state of a chart, what can be in it.
    pub inside: Inside,
    /// Is a state with others in it drawn without them? None for other locations.
    pub folded: Option<bool>,
}

/// What can be in a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Inside {
    /// Nothing.
    #[default]
    Nothing,
    /// States.
    States,
    /// Regions, and histories.
    Regions,
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EdgeInfo {
    /// Where it starts.
    pub source: LocationId,
    /// Where it ends.
    pub target: LocationId,
    /// Its operation.
    pub text: String,
    /// Its statement in the text.
    pub span: Option<Span>,
}

/// A statechart as the page draws it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ChartInfo {
    /// Its states, in the order of the text and without the chart itself, as locations; its arrows, in the order of the
    /// drawing, as edges.
    pub drawn: ModelInfo,
    /// How its states are found to be active in a run.
    pub configurations: Configurations,
}
