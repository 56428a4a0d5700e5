//! Theta's control-flow automata (`.cfa`), as in `CfaDsl.g4`, including PLCverif's output.
//!
//! [`parse`] has three phases: syntax ([`syntax`]), names and types ([`resolve`]), and
//! [`Draft::finish`](crate::system::Draft::finish), which rejects unsupported constructs. Each phase reports all of its
//! errors, and the next one starts only if there are none. An edge with several statements gets anonymous locations
//! between them; an edge without statements has no effect.

mod edit;
mod print;
mod resolve;
mod statements;
mod syntax;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Diagnostic, Severity, check_source};
use crate::edit::pins::{self, Comment, Pins};
use crate::formats::table::{Format, Reader, has_word};
use crate::formats::tidy;
use crate::system::{Draft, System};

pub use edit::{automaton, copied, edit};
pub use print::print;
pub(crate) use statements::statements;

/// The size of a model, supported or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Declared variables.
    pub variables: usize,
    /// Locations, including the anonymous ones between statements.
    pub locations: usize,
    /// Edges, including those between anonymous locations.
    pub edges: usize,
    /// Is there an error location?
    pub has_error: bool,
}

/// The description of the format.
pub(super) const FORMAT: Format =
    Format { name: "cfa", endings: &["cfa"], resembles: |text| has_word(text, "process"), rank: 2 };

/// The reader of the format.
pub(super) const READER: Reader =
    Reader { parse: |text, _| parse(text), properties: |_| Vec::new(), edit: Some(edit) };

/// Parses a model.
///
/// # Errors
/// All errors and unsupported constructs, in textual order.
pub fn parse(text: &str) -> Result<System, Vec<Diagnostic>> {
    let Read { pins, draft, .. } = read(text)?;
    match draft {
        Ok(draft) => {
            let mut system = draft.finish().map_err(tidy)?;
            system.pins = Arc::new(pins);
            system.source = Some(text.into()).filter(|_| !system.has_known_values);
            Ok(system)
        }
        Err(diagnostics) => Err(diagnostics),
    }
}

/// Checks a text that was read: names, types, and what else a model must have.
fn check(spec: &syntax::Spec) -> Result<(), Vec<Diagnostic>> {
    resolve::resolve(spec).draft.and_then(Draft::finish).map(drop).map_err(tidy)
}

/// Counts the parts of a model, even if it has unsupported constructs.
///
/// # Errors
/// All errors, in textual order.
pub fn inspect(text: &str) -> Result<Facts, Vec<Diagnostic>> {
    let Read { facts, draft, .. } = read(text)?;
    match draft {
        Err(diagnostics) if diagnostics.iter().any(|d| d.severity == Severity::Error) => Err(diagnostics),
        _ => Ok(facts),
    }
}

/// What a text contains.
struct Read {
    facts: Facts,
    /// The places of locations that a person chose.
    pins: Pins,
    draft: Result<Draft, Vec<Diagnostic>>,
}

fn read(text: &str) -> Result<Read, Vec<Diagnostic>> {
    check_source(text)?;
    let (spec, diagnostics) = syntax::parse(text);
    if !diagnostics.is_empty() {
        return Err(tidy(diagnostics));
    }
    let resolved = resolve::resolve(&spec);
    let pins = pins::of(text, spec.last.end as usize, Comment::Line);
    Ok(Read { facts: resolved.facts, pins, draft: resolved.draft.map_err(tidy) })
}
