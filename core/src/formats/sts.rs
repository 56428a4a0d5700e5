//! Theta's symbolic transition systems (`.sts`, `.system`), as in `StsDsl.g4`, with the keywords of its first version,
//! too.
//!
//! A specification has systems and properties; [`parse`] translates the system of one property. Transition constraints
//! become operations where possible ([`cases`]): `x' = e` is an assignment, a disjunction is several edges, and the
//! rest is a relation. Runs start at a separate location, from which the initial states are reached.

mod cases;
mod print;
mod resolve;
mod statements;
mod syntax;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Diagnostic, check_source};
use crate::formats::table::{Format, Reader, has_word};
use crate::formats::tidy;
use crate::system::System;

pub use print::print;
pub(crate) use statements::statements;

/// The description of the format.
pub(super) const FORMAT: Format = Format {
    name: "sts",
    endings: &["sts", "system"],
    resembles: |text| {
        has_word(text, "specification") && (has_word(text, "property") || has_word(text, "system"))
    },
    rank: 1,
};

/// The reader of the format.
pub(super) const READER: Reader = Reader {
    parse: |text, asked| parse(text, asked.and_then(|a| a.trim().strip_prefix("embedded:")).map(str::trim)),
    properties: |text| properties(text).unwrap_or_default(),
    edit: None,
};

/// The names of the properties, in order.
///
/// # Errors
/// All syntax errors.
pub fn properties(text: &str) -> Result<Vec<String>, Vec<Diagnostic>> {
    let spec = read(text)?;
    Ok(spec.properties.iter().map(|p| p.name.text.clone()).collect())
}

/// Parses the system of the property of that name, or of the first property. Errors anywhere in the text are reported.
///
/// # Errors
/// All errors and unsupported constructs, in textual order.
pub fn parse(text: &str, property: Option<&str>) -> Result<System, Vec<Diagnostic>> {
    let spec = read(text)?;
    let mut system = resolve::resolve(&spec, property).map_err(tidy)?;
    system.source = Some(text.into()).filter(|_| !system.has_known_values);
    Ok(system)
}

fn read(text: &str) -> Result<syntax::Spec, Vec<Diagnostic>> {
    check_source(text)?;
    let (spec, diagnostics) = syntax::parse(text);
    if diagnostics.is_empty() { Ok(spec) } else { Err(tidy(diagnostics)) }
}
