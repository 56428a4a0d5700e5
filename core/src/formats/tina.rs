//! The textual nets of TINA (`.net`), as its manual describes them.
//!
//! ```text
//! net abp
//! tr t1 : label [0,w[ p1 p2*2 -> p3 p4*3K     # a transition with its interval of time
//! tr t2 p1?-1 p5?2 -> p6                      # an inhibitor arc and a read arc
//! pl p1 : label (2)                           # a place with its tokens
//! ```
//!
//! A place that is only used in transitions has no tokens at the start. Numbers can end with K, M or G. Names with
//! other characters stand in braces. Priorities and stopwatch arcs are refused by name.

mod print;
mod read;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Diagnostic, check_source};
use crate::formats::net::system;
use crate::formats::table::{Format, Reader};
use crate::formats::tidy;
use crate::net::Net;

pub use print::print;

/// The description of the format.
pub(super) const FORMAT: Format = Format {
    name: "net",
    endings: &["net"],
    resembles: |text| text.lines().any(|l| l.starts_with("tr ") || l.starts_with("pl ")),
    rank: 3,
};

/// The reader of the format.
pub(super) const READER: Reader = Reader {
    parse: |text, asked| parse(text).and_then(|net| system(net, text, asked)),
    properties: |_| Vec::new(),
    edit: None,
};

/// Parses a net.
///
/// # Errors
/// All errors and unsupported constructs, in textual order.
pub fn parse(text: &str) -> Result<Net, Vec<Diagnostic>> {
    check_source(text)?;
    read::read(text).map_err(tidy)
}
