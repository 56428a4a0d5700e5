//! What the page and the engine tell each other: postcard messages over `postMessage`.
//!
//! The engine speaks first, with [`FromEngine::Ready`]; the page sends nothing before it and refuses an engine of
//! another protocol. Every request carries a job number and every answer repeats it, so late answers to jobs that
//! are over are known and dropped. A journal travels as [`Delta`]s: what is new since the last one.

use crate::examples::Example;
use crate::explained::{Explained, Look};
use serde::{Deserialize, Serialize};
use veristep_core::diagnostic::{Diagnostic, Span};
use veristep_core::kit::{Event, Journal, Label, Names, Verdict};
use veristep_core::methods::cegar::Counts;
use veristep_core::run::Kind;
use veristep_core::system::LocationId;

/// The version of this file's messages.
pub const PROTOCOL: u16 = 8;

/// The number of a request, from 1.
pub type Job = u32;

/// How much a run may do before it asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Budget {
    /// Steps of fuel.
    pub fuel: u64,
    /// Events kept in the journal.
    pub events: u32,
}

/// From the page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ToEngine {
    /// Read a model as it is being typed.
    Parse {
        /// This request.
        job: Job,
        /// The language of the model.
        kind: Kind,
        /// The model.
        text: String,
        /// The property as it is being typed; empty for the model's own.
        property: String,
    },
    /// Verify; ends any earlier run.
    Start {
        /// This request.
        job: Job,
        /// The language of the model.
        kind: Kind,
        /// The model.
        text: String,
        /// The property; empty for the format's own.
        property: String,
        /// Options by name.
        options: Vec<(String, String)>,
        /// How far to go.
        budget: Budget,
    },
    /// Stop after this slice, keep the state.
    Pause {
        /// The run.
        job: Job,
    },
    /// Run on, with this much more.
    Continue {
        /// The run.
        job: Job,
        /// How much further to go.
        budget: Budget,
    },
    /// Give the run up.
    Cancel {
        /// The run.
        job: Job,
    },
    /// Explain an event.
    Explain {
        /// The run.
        job: Job,
        /// The event's number, from 0.
        index: u32,
        /// What to draw beside it.
        look: Look,
    },
    /// Take over the journal of an engine that was ended, to explain it.
    Restore {
        /// The run.
        job: Job,
        /// The names in it.
        names: Names,
        /// Its parts, as they came.
        parts: Vec<Vec<u8>>,
    },
    /// A message of the solver's page ([`crate::solver::protocol`]).
    Solver(Vec<u8>),
    /// A message of the page of formulas ([`crate::formula::protocol`]).
    Formula(Vec<u8>),
    /// Have the independent checker look at a certificate.
    Certify {
        /// This request.
        job: Job,
        /// The language of the model.
        kind: Kind,
        /// The model.
        text: String,
        /// The property.
        property: String,
        /// The certificate, as it came in [`Outcome`].
        certificate: String,
    },
}

/// What the page shows on request and need not bring along.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Library {
    /// The glossary: words and their definitions.
    pub words: Vec<(String, String)>,
    /// The gallery.
    pub examples: Vec<Example>,
    /// The options of runs.
    pub options: Vec<RunOption>,
}

/// An option of runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunOption {
    /// Its name.
    pub name: String,
    /// Its name in words.
    pub title: String,
    /// Its usual value.
    pub usual: String,
    /// Its values and what they mean; none if it is written freely.
    pub choices: Vec<(String, String)>,
    /// What may be written.
    pub hint: String,
    /// It has a meaning only if that other option has one of these values.
    pub only: Vec<(String, Vec<String>)>,
}

/// From the engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum FromEngine {
    /// The engine is there.
    Ready {
        /// Its [`PROTOCOL`].
        protocol: u16,
        /// Its version.
        build: String,
        /// What there is to choose from and to read.
        library: Library,
    },
    /// The answer to [`ToEngine::Parse`]: the model, unless there are errors.
    Parsed {
        /// The request.
        job: Job,
        /// The model.
        model: Option<ModelInfo>,
        /// What is wrong with the text.
        diagnostics: Vec<Diagnostic>,
        /// What is wrong with the property, in words.
        property: Option<String>,
    },
    /// A run began.
    Started {
        /// The run.
        job: Job,
        /// The names its journal refers to.
        names: Names,
    },
    /// It could not begin.
    Refused {
        /// The run.
        job: Job,
        /// Why, in words.
        message: String,
    },
    /// The journal grew.
    Events {
        /// The run.
        job: Job,
        /// By this [`Delta`], packed: it is handed back like that if the engine has to be replaced.
        delta: Vec<u8>,
    },
    /// The run stands still and can be continued.
    Paused {
        /// The run.
        job: Job,
        /// Why.
        why: Stop,
        /// Fuel used so far.
        used: u64,
    },
    /// The run ended.
    Done {
        /// The run.
        job: Job,
        /// With this.
        outcome: Outcome,
    },
    /// The run was given up.
    Cancelled {
        /// The run.
        job: Job,
    },
    /// The answer to [`ToEngine::Explain`].
    Explained {
        /// The run.
        job: Job,
        /// The explanation.
        explained: Explained,
    },
    /// A message to the solver's page.
    Solver(Vec<u8>),
    /// A message to the page of formulas.
    Formula(Vec<u8>),
    /// The independent checker's answer: what it checked, or why it refused.
    Certified {
        /// The request.
        job: Job,
        /// The answer.
        result: Result<Accepted, String>,
    },
    /// The engine broke: our mistake. It must be started anew.
    Panicked {
        /// The message.
        message: String,
    },
}

/// What the checker of a certificate did.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Accepted {
    /// What it checked, in sentences.
    pub checked: Vec<String>,
    /// What it did not check and the verdict rests on, in sentences.
    pub trusted: Vec<String>,
}

/// Why a run stands still.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Stop {
    /// Somebody asked.
    Asked,
    /// The fuel is used up.
    Fuel,
    /// The journal is full.
    Events,
}

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
    pub picture: Picture,
    /// Why it asks nothing by itself and what could be asked, if that is so.
    pub asks_nothing: Option<String>,
}

/// A drawn model: rectangles are left, top, width, height.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Picture {
    /// The box of each location.
    pub boxes: Vec<[f32; 4]>,
    /// Each edge.
    pub edges: Vec<PictureEdge>,
    /// Everything, labels included.
    pub extent: [f32; 4],
}

/// A drawn edge.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PictureEdge {
    /// The curve as SVG path data.
    pub path: String,
    /// The tip of the arrow.
    pub tip: [f32; 2],
    /// Its direction in degrees.
    pub angle: f32,
    /// The centre of the label.
    pub label: [f32; 2],
    /// The label.
    pub text: String,
}

/// What a location is for.
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
    /// Its declaration in the text.
    pub span: Option<Span>,
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

/// What a run found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// In words.
    pub reason: String,
    /// Why it holds vacuously, if that is known.
    pub vacuous: Option<String>,
    /// Why to believe it.
    pub certificate: Option<Proof>,
    /// What it took.
    pub counts: Counts,
    /// Fuel used.
    pub used: u64,
    /// Milliseconds at work.
    pub ms: f64,
}

/// A certificate, ready to be shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// Why it convinces, in words.
    pub lead: String,
    /// As tables; of large ones the beginning.
    pub shown: Shown,
    /// What it took to find it, in words.
    pub cost: String,
    /// As JSON, for files and for the checker.
    pub json: String,
}

/// A certificate as a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Shown {
    /// An inductive invariant: location and formula.
    Invariant(Vec<(String, String)>),
    /// A concrete run.
    Trace(Vec<TraceRow>),
    /// A run that repeats itself for ever, and the row from which on.
    Lasso(Vec<TraceRow>, usize),
    /// Sets of states of a product, none of which is on an accepting cycle.
    Progress(Vec<ProgressRow>),
}

/// A set of states of a product.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgressRow {
    /// The location.
    pub location: String,
    /// The state of the automaton.
    pub state: String,
    /// The rank.
    pub rank: String,
    /// The values.
    pub formula: String,
}

/// A step of a concrete run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceRow {
    /// The operation; empty at the start.
    pub operation: String,
    /// The edge's number.
    pub edge: Option<u32>,
    /// Where it led.
    pub location: String,
    /// The name of the step that it ends: that of the action if steps are actions, of the location otherwise. None inside
    /// of an action, where nobody observes the state.
    pub step: Option<String>,
    /// Variables and values after it.
    pub values: Vec<(String, String)>,
}

/// What is new in a journal.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Delta {
    /// The number of events before.
    pub from: u32,
    /// New events.
    pub events: Vec<Event>,
    /// New predicates.
    pub predicates: Vec<String>,
    /// New node labels.
    pub states: Vec<Label>,
    /// New formulas.
    pub formulas: Vec<String>,
}

/// How much of a journal was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sent {
    events: usize,
    predicates: usize,
    states: usize,
    formulas: usize,
}

/// The most events in one message (about 64 kB with their payload).
const EVENTS_PER_MESSAGE: usize = 4000;

impl Delta {
    /// The next part that was not sent yet, if there is one.
    pub fn next(journal: &Journal, sent: &mut Sent) -> Option<Delta> {
        if sent.events == journal.events.len() {
            return None;
        }
        let until = journal.events.len().min(sent.events + EVENTS_PER_MESSAGE);
        let delta = Delta {
            from: u32::try_from(sent.events).unwrap_or(u32::MAX),
            events: journal.events[sent.events..until].to_vec(),
            predicates: journal.predicates[sent.predicates..].to_vec(),
            states: journal.states[sent.states..].to_vec(),
            formulas: journal.formulas[sent.formulas..].to_vec(),
        };
        *sent = Sent {
            events: until,
            predicates: journal.predicates.len(),
            states: journal.states.len(),
            formulas: journal.formulas.len(),
        };
        Some(delta)
    }

    /// Appends this part; `false` when it does not fit the end.
    pub fn append(self, journal: &mut Journal) -> bool {
        if self.from as usize != journal.events.len() {
            return false;
        }
        journal.events.extend(self.events);
        journal.predicates.extend(self.predicates);
        journal.states.extend(self.states);
        journal.formulas.extend(self.formulas);
        true
    }
}

/// A message as bytes.
///
/// # Panics
/// Never for these types.
#[must_use]
pub fn pack<T: Serialize>(message: &T) -> Vec<u8> {
    postcard::to_allocvec(message).expect("messages are plain data")
}

/// A message from bytes; `None` when it is something else.
#[must_use]
pub fn unpack<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_travels_in_parts() {
        let events = (0..9000).map(|i| Event::IterationStarted { iteration: i }).collect();
        let whole = Journal { events, predicates: vec!["x <= 1".into()], ..Journal::default() };
        let (mut sent, mut copy, mut parts) = (Sent::default(), Journal::default(), 0);
        while let Some(delta) = Delta::next(&whole, &mut sent) {
            let delta: Delta = unpack(&pack(&delta)).expect("the same type");
            assert!(delta.append(&mut copy));
            parts += 1;
        }
        assert_eq!((copy, parts), (whole, 3));
    }

    #[test]
    fn a_part_out_of_order_is_refused() {
        let delta = Delta { from: 3, ..Delta::default() };
        assert!(!delta.append(&mut Journal::default()));
    }

    #[test]
    fn foreign_bytes_are_no_message() {
        assert_eq!(unpack::<FromEngine>(&[250, 1, 2]), None);
    }
}
