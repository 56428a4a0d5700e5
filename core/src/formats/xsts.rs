//! Theta's extended symbolic transition systems (`.xsts`), as in `XstsDsl.g4`, including Gamma's output.
//!
//! A run begins with the initial values and one branch of `init`; then `env` and `trans` alternate. Between these
//! actions there are three locations, `before_init`, `before_env` and `before_trans`, where properties are observed.
//! Inside of an action, [`flow`] creates anonymous locations where branches begin or meet: a branch whose assumption is
//! false has no effect, since its intermediate states are not observable. This implements backtracking.

mod flow;
mod print;
mod resolve;
mod statements;
mod syntax;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Diagnostic, Span, check_source};
use crate::formats::table::{Format, Reader, has_word};
use crate::formats::tidy;
use crate::system::System;

pub use print::print;
pub(crate) use statements::statements;

/// The description of the format.
pub(super) const FORMAT: Format = Format {
    name: "xsts",
    endings: &["xsts"],
    resembles: |text| has_word(text, "trans") && (has_word(text, "env") || has_word(text, "init")),
    rank: 3,
};

/// The reader of the format.
pub(super) const READER: Reader = Reader { parse, properties: |_| Vec::new(), edit: None };

/// Parses a model. `asked` is the property to be verified, if it is known: `None` if there will be none, the empty text
/// if it is the embedded one.
///
/// # Errors
/// All errors and unsupported constructs, in textual order.
pub fn parse(text: &str, asked: Option<&str>) -> Result<System, Vec<Diagnostic>> {
    check_source(text)?;
    let (spec, mut diagnostics) = syntax::parse(text);
    if diagnostics.is_empty() && spec.property.is_none() && asked.is_some_and(|a| a.trim().is_empty()) {
        let end = Span::new(text.len(), text.len());
        diagnostics.push(Diagnostic::error(
            end,
            "no property to check: the model has no 'prop { … }'; a property can also be given separately",
        ));
    }
    if !diagnostics.is_empty() {
        return Err(tidy(diagnostics));
    }
    let mut system = resolve::resolve(&spec, asked).map_err(tidy)?;
    system.source = Some(text.into()).filter(|_| !system.has_known_values);
    Ok(system)
}
