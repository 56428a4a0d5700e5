//! The engine kit: the common parts of all methods of verification.
//!
//! *Control*: an [`Engine`] is a resumable state machine; `poll` runs until an outcome or until the [`Fuel`]
//! is used up. *Events*: an engine reports facts as small `Copy` [`Event`]s to a [`Sink`]; `Off` costs nothing,
//! `Recorder` appends to a [`Journal`]. *Views*: a [`View`] is a fold over a journal, so that play, back, scrub
//! and golden tests are one mechanism. An engine first computes what may fail or run out of fuel, then commits:
//! state and events change together.

mod apart;
mod check;
mod counts;
mod event;
mod fuel;
mod ids;
mod journal;
mod phase;
mod questions;
mod renaming;
mod sink;
mod text;
mod verdict;
mod view;

pub use apart::apart;
pub use check::{Problem, Reader, Unsound};
pub use counts::{Counts, IterationCounts};
pub use event::{Answer, Arrival, Counted, Event, Family, Truth};
pub(crate) use fuel::drive;
pub use fuel::{Cx, Engine, Fuel};
pub use ids::{CellId, FormulaId, NodeId, PredicateId};
pub(crate) use journal::fnv1a;
pub use journal::{EdgeName, Goal, Journal, Label, Names, Origin};
pub use phase::{Phase, Role};
pub use questions::Questions;
pub use renaming::{Numbering, Renaming};
pub(crate) use sink::Note;
pub use sink::{Notes, Off, Question, Recorder, Sink, Undecided};
pub use text::VERSION_LINE;
pub use verdict::{UnknownReason, Verdict};
pub use view::{View, fold};
