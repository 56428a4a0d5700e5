//! PNML, the Petri Net Markup Language (ISO/IEC 15909-2): place/transition nets, in the dialects in use.
//!
//! Weights are read from inscriptions and from the tool-specific parts of PetriDotNet (the larger one counts), kinds of
//! arcs from an attribute `type` (TAPAAL) or an element `<type>` (PetriDotNet, PIPE). Pages and reference nodes are
//! resolved. Nets of other types (symmetric nets, high-level nets), and elements that would change the meaning of the
//! net, are refused by name.

mod edit;
mod read;
#[cfg(test)]
mod tests;
mod write;

use crate::diagnostic::{Diagnostic, check_source};
use crate::formats::net::system;
use crate::formats::table::{Format, Reader};
use crate::formats::tidy;
use crate::net::Net;

pub use edit::{automaton, edit};
pub use write::print;

/// The name of the project in tool-specific parts. One of a place or a transition has its interval of time.
const TOOL: &str = "veristep";

/// The description of the format.
pub(super) const FORMAT: Format =
    Format { name: "pnml", endings: &["pnml"], resembles: |text| text.contains("<pnml"), rank: 0 };

/// The reader of the format.
pub(super) const READER: Reader = Reader {
    parse: |text, asked| parse(text).and_then(|net| system(net, text, asked)),
    properties: |_| Vec::new(),
    edit: Some(edit),
};

/// Parses a net.
///
/// # Errors
/// All errors and unsupported constructs, in textual order.
pub fn parse(text: &str) -> Result<Net, Vec<Diagnostic>> {
    check_source(text)?;
    read::read(text).map_err(tidy)
}
