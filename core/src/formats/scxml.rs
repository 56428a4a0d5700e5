//! SCXML ("State Chart XML", a recommendation of the W3C, 2015): the module of states, and a part of the module of data
//! with the data model `ecmascript`.
//!
//! Expressions are those of [`expression`]. Elements that call other programs, or depend on the time (`script`,
//! `invoke`, `send` with a delay or an address, `cancel`, `foreach`), are refused by name; `log` has no effect.

mod edit;
mod expression;
mod read;
#[cfg(test)]
mod tests;
mod write;

use crate::chart::Chart;
use crate::diagnostic::{Diagnostic, check_source};
use crate::formats::chart::{build, system};
use crate::formats::table::{Format, Reader};
use crate::formats::tidy;

pub use write::print;

/// The namespace of what the project adds to SCXML.
const EXTENSION: &str = "urn:veristep:scxml";

/// The description of the format.
pub(super) const FORMAT: Format =
    Format { name: "scxml", endings: &["scxml"], resembles: |text| text.contains("<scxml"), rank: 0 };

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
    let (written, out) = read::read(text).map_err(|d| vec![d])?;
    if !out.is_empty() {
        return Err(tidy(out));
    }
    build(&written, out)
}
