//! The project's own language of Petri nets (`.pn`).
//!
//! ```text
//! net mutex {
//!   place idle = 1                        // a place with its tokens; 0 if none are given
//!   place busy "at work"                  // with a second name for people
//!   place lock = 1
//!   transition enter: idle + lock -> busy
//!   transition leave: busy -> idle + lock
//!   transition burst: 2 idle -> 3 busy unless lock, 4 busy
//!   property exclusive: AG busy <= 1
//!   layout {                              // where a person moved things
//!     idle 40 80
//!   }
//! }
//! ```
//!
//! `unless p, 4 q` are inhibitor arcs: the transition is disabled while p has a token or q has four. Names with other
//! characters are written in quotation marks. Intervals of time `[2,5]`, `[2,w[` follow a place or the name of a
//! transition. A property is a line in the syntax of the command line; it goes on while the next line does not begin
//! with one of the words above.

mod edit;
mod print;
mod syntax;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Diagnostic, check_source};
use crate::formats::net::system;
use crate::formats::table::{Format, Reader, has_word};
use crate::formats::tidy;
use crate::net::Net;

pub(crate) use edit::part;
pub use edit::{automaton, edit};
pub(crate) use print::name;
pub use print::print;
pub(crate) use syntax::{interval_of, typed_interval};

/// The description of the format.
pub(super) const FORMAT: Format = Format {
    name: "pn",
    endings: &["pn"],
    resembles: |text| {
        begins(text) || has_word(text, "net") && (has_word(text, "place") || has_word(text, "transition"))
    },
    rank: 2,
};

/// Does a text begin with `net NAME {`? A net without places is one, too.
fn begins(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.next() == Some("net")
        && words.next().is_some_and(|name| !name.starts_with('{'))
        && words.next().is_some_and(|brace| brace.starts_with('{'))
}

/// The reader of the format.
pub(super) const READER: Reader = Reader {
    parse: |text, asked| parse(text).and_then(|net| system(net, text, asked)),
    properties: |text| parse(text).map_or_else(|_| Vec::new(), |net| names(&net)),
    edit: Some(edit),
};

/// The names of the properties of a net.
fn names(net: &Net) -> Vec<String> {
    net.properties.iter().map(|p| p.name.clone()).collect()
}

/// Parses a net.
///
/// # Errors
/// All errors, in textual order.
pub fn parse(text: &str) -> Result<Net, Vec<Diagnostic>> {
    check_source(text)?;
    syntax::parse(text).map_err(tidy)
}
