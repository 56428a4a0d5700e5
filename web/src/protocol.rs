//! Messages between the page and the engine: postcard over `postMessage`.
//!
//! The engine's first message is [`FromEngine::Ready`]; the page sends nothing before it and rejects an engine of
//! another protocol. Every request carries a job number and every answer repeats it, so late answers to finished jobs
//! are dropped. A journal is sent as [`Delta`]s: the part added since the last one.

mod chart;
mod model;

use crate::examples::Example;
use crate::explained::Explained;
pub use chart::{ChartAnswer, ChartAsks, ChartFacts, ChartRequest, ChartResponse};
pub use model::{ChartInfo, EdgeInfo, Inside, LocationInfo, ModelInfo, Role};
use serde::{Deserialize, Serialize};
pub use veristep_core::certificate::TraceRow;
use veristep_core::diagnostic::Diagnostic;
pub use veristep_core::draw::FoundRun;
use veristep_core::draw::{GraphPart, What};
use veristep_core::edit::{Change, Refusal};
use veristep_core::kit::{Counts, Event, Journal, Label, Names, Verdict};
use veristep_core::run::Kind;
use veristep_core::scene::Scene;

/// The version of this file's messages.
pub const PROTOCOL: u16 = 14;

/// The name under which the page leaves a port when the engine shares its thread.
pub const PORT: &str = "veristepPort";

/// The number of a request, from 1.
pub type Job = u32;

/// The budget of a run before it pauses.
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
    /// Parse a model while it is edited.
    Parse {
        /// This request.
        job: Job,
        /// The language of the model.
        kind: Kind,
        /// The model.
        text: String,
        /// The property while it is edited; empty for the model's own.
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
        /// The budget.
        budget: Budget,
    },
    /// Stop after this slice, keep the state.
    Pause {
        /// The run.
        job: Job,
    },
    /// Continue, with an additional budget.
    Continue {
        /// The run.
        job: Job,
        /// The additional budget.
        budget: Budget,
    },
    /// Cancel the run.
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
        /// The picture to draw beside it.
        what: Option<What>,
    },
    /// Write edits of the drawing into the text of a model, and parse the new text.
    Edit {
        /// This request.
        job: Job,
        /// The language of the model.
        kind: Kind,
        /// The model.
        text: String,
        /// Its property, as for [`ToEngine::Parse`].
        property: String,
        /// The edits, packed (only one page sends them): a `Vec<Edit>`, each for the model after those before it.
        edits: Vec<u8>,
    },
    /// Write a picture to a file.
    Save {
        /// The name of the model.
        model: String,
        /// The picture.
        picture: Picture,
        /// The format of the file.
        format: FileFormat,
    },
    /// Load the journal of another engine's run, to explain it.
    Restore {
        /// The run.
        job: Job,
        /// What was run.
        of: Box<RunOf>,
        /// The names in the journal.
        names: Names,
        /// Its parts, as received.
        parts: Vec<Vec<u8>>,
    },
    /// Further parts of a restored journal.
    Grown {
        /// The run.
        job: Job,
        /// The parts, as received.
        parts: Vec<Vec<u8>>,
    },
    /// A message of the solver's page, packed.
    Solver(Vec<u8>),
    /// A message of the page of formulas, packed.
    Formula(Vec<u8>),
    /// A [`ChartRequest`], packed (only one page sends them).
    Chart(Vec<u8>),
    /// Run the independent checker on a certificate.
    Certify {
        /// This request.
        job: Job,
        /// The language of the model.
        kind: Kind,
        /// The model.
        text: String,
        /// The property.
        property: String,
        /// The certificate, as in [`RunResult`].
        certificate: String,
    },
}

/// What was run, for pictures of the run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RunOf {
    /// The language of the model.
    pub kind: Kind,
    /// The model.
    pub text: String,
    /// The property; empty for the format's own.
    pub property: String,
    /// Options by name.
    pub options: Vec<(String, String)>,
    /// The run that was found.
    pub found: FoundRun,
}

/// A picture that can be saved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Picture {
    /// Of a model without a run.
    Model {
        /// The language of the model.
        kind: Kind,
        /// The model.
        text: String,
        /// The property; empty for the model's own.
        property: String,
    },
    /// Of a step of a run.
    Step {
        /// The run.
        job: Job,
        /// The event's number, from 0.
        index: u32,
        /// What is drawn.
        what: What,
    },
    /// Of the reachability graph at a step of a run.
    Graph {
        /// The run.
        job: Job,
        /// The event's number, from 0.
        index: u32,
        /// What is drawn.
        part: GraphPart,
    },
    /// A scene that a page shows; the name of the file is that of the model.
    Shown(Scene),
}

/// The format of a saved picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FileFormat {
    /// Vector graphics.
    Svg,
    /// Pixels.
    Png,
    /// For Graphviz.
    Dot,
    /// For LaTeX.
    Tikz,
}

impl FileFormat {
    /// All of them.
    pub const ALL: [FileFormat; 4] = [FileFormat::Svg, FileFormat::Png, FileFormat::Dot, FileFormat::Tikz];

    /// Its name on screen, the ending of its files, and their type.
    #[must_use]
    pub fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            FileFormat::Svg => ("SVG", "svg", "image/svg+xml"),
            FileFormat::Png => ("PNG", "png", "image/png"),
            FileFormat::Dot => ("DOT (Graphviz)", "dot", "text/vnd.graphviz"),
            FileFormat::Tikz => ("TikZ (LaTeX)", "tex", "text/x-tex"),
        }
    }
}

/// Texts that the page shows on request and does not contain itself.
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
    /// Its values with their descriptions; none for free text.
    pub choices: Vec<(String, String)>,
    /// The syntax of free text.
    pub hint: String,
    /// It has a meaning only if that other option has one of these values.
    pub only: Vec<(String, Vec<String>)>,
}

/// The changes of a text, one list an edit; or why there are none.
pub type Written = Result<Vec<Vec<Change>>, Refusal>;

/// From the engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum FromEngine {
    /// The engine is ready.
    Ready {
        /// Its [`PROTOCOL`].
        protocol: u16,
        /// Its version.
        build: String,
        /// Examples, options and glossary.
        library: Library,
    },
    /// The answer to [`ToEngine::Parse`], and the second one to [`ToEngine::Edit`]: the model, unless there are errors.
    Parsed {
        /// The request.
        job: Job,
        /// The model.
        model: Option<ModelInfo>,
        /// Errors in the text.
        diagnostics: Vec<Diagnostic>,
        /// The error in the property, in words.
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
        /// By this [`Delta`], packed: it is sent in this form to a replacement of the engine.
        delta: Vec<u8>,
    },
    /// The run is paused and can be continued.
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
        outcome: RunResult,
    },
    /// The run was cancelled.
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
    /// The answer to [`ToEngine::Edit`].
    Edited {
        /// The request.
        job: Job,
        /// The [`Written`] changes, packed.
        written: Vec<u8>,
    },
    /// The answer to [`ToEngine::Save`].
    Saved {
        /// The name of the file, without its ending.
        name: String,
        /// Its format.
        format: FileFormat,
        /// Its content, for PNG as SVG; or why there is none.
        content: Result<String, String>,
    },
    /// A message to the solver's page.
    Solver(Vec<u8>),
    /// A message to the page of formulas.
    Formula(Vec<u8>),
    /// A [`ChartResponse`], packed.
    Chart(Vec<u8>),
    /// The independent checker's answer: what it checked, or why it rejected the certificate.
    Certified {
        /// The request.
        job: Job,
        /// The answer.
        result: Result<Accepted, String>,
    },
    /// The engine panicked: a defect of ours. It must be restarted.
    Panicked {
        /// The message.
        message: String,
    },
}

/// The report of the checker of a certificate.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Accepted {
    /// What it checked, in sentences.
    pub checked: Vec<String>,
    /// The unchecked assumptions of the verdict, in sentences.
    pub trusted: Vec<String>,
}

/// Why a run is paused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Stop {
    /// On request.
    Asked,
    /// The fuel is used up.
    Fuel,
    /// The journal is full.
    Events,
}

/// The result of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunResult {
    /// The answer.
    pub verdict: Verdict,
    /// In words.
    pub reason: String,
    /// Why it holds vacuously, if that is known.
    pub vacuous: Option<String>,
    /// The certificate.
    pub certificate: Option<Proof>,
    /// The cost.
    pub counts: Counts,
    /// Fuel used.
    pub used: u64,
    /// Computing time in milliseconds.
    pub ms: f64,
}

/// A certificate, prepared for display.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// What it proves, in words.
    pub lead: String,
    /// As tables; large ones truncated.
    pub shown: Shown,
    /// The cost of finding it, in words.
    pub cost: String,
    /// As JSON, for files and for the checker.
    pub json: String,
}

/// A certificate as a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Shown {
    /// An inductive invariant: location and formula.
    Invariant(Vec<(String, String)>),
    /// The markings that were enumerated: what is counted, and the number.
    Markings(Vec<(String, String)>),
    /// A concrete run.
    Trace(Vec<TraceRow>),
    /// A lasso, and the row where its cycle begins.
    Lasso(Vec<TraceRow>, usize),
    /// Sets of states of a product, none of which is on an accepting cycle.
    Progress(Vec<ProgressRow>),
    /// Abstract states: name and formula.
    Structure(Vec<(String, String)>),
}

impl Shown {
    /// The run, if the certificate is one.
    #[must_use]
    pub fn run(&self) -> FoundRun {
        match self {
            Shown::Trace(rows) => FoundRun { rows: rows.clone(), back: None },
            Shown::Lasso(rows, back) => FoundRun { rows: rows.clone(), back: Some(*back) },
            Shown::Invariant(_) | Shown::Markings(_) | Shown::Progress(_) | Shown::Structure(_) => {
                FoundRun::default()
            }
        }
    }
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

/// The new part of a journal.
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

/// The sent part of a journal.
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
    /// The next unsent part, if there is one.
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

/// A message from bytes; `None` if they are not one.
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
