//! The project's own language of statecharts (`.sc`).
//!
//! ```text
//! chart Light {
//!   var waiting : bool = false
//!   event button, tick                      // what the environment sends; only needed for parameters
//!   initial Red
//!   state Red
//!     entry / waiting := false
//!     on button / waiting := true           // without '->': no state is left
//!     on tick [waiting] -> Green
//!   state Green
//!     after 3 -> Red                        // the third tick after it was entered
//!   property fair: G (in(Red) && waiting -> F in(Green))
//! }
//! ```
//!
//! A line belongs to the state above it that is indented less. `region` declares one of several parts of a state that
//! are active together, `final` a final state, `history` and `deep history` with `-> X` what is entered again.
//! `always [guard] -> X` is a transition without an event, `done -> X` one when the state is complete. Actions are
//! `x := e`, `raise e`, `send e` and `if c { … } else { … }`, with `;` between them.

mod compose;
mod edit;
mod print;
mod syntax;
#[cfg(test)]
mod tests;

use crate::chart::Chart;
use crate::diagnostic::{Diagnostic, check_source};
use crate::formats::chart::{build, system};
use crate::formats::table::{Format, Reader};

pub(super) use edit::{after as edited, difference};
pub(crate) use print::actions as actions_text;
pub use print::{label, print};
pub(super) use syntax::type_of;

/// The description of the format.
pub(super) const FORMAT: Format = Format { name: "sc", endings: &["sc"], resembles: begins, rank: 2 };

/// Does a text begin with `chart NAME {`, after comments?
fn begins(text: &str) -> bool {
    super::family::begins(text, "chart")
}

/// The reader of the format.
pub(super) const READER: Reader = Reader {
    parse: |text, _| parse(text).and_then(|chart| system(chart, text)),
    properties: |text| parse(text).map_or_else(|_| Vec::new(), |chart| chart.property_names()),
    edit: Some(edit::edit),
};

/// Parses a chart.
///
/// # Errors
/// All errors and unsupported constructs, in textual order.
pub fn parse(text: &str) -> Result<Chart, Vec<Diagnostic>> {
    check_source(text)?;
    let (written, out) = syntax::parse(text);
    build(&written, out)
}
