//! The project's own language of guarded commands (`.gc`), after the models in section 3.1 of Păsăreanu, Pelánek and
//! Visser, "Predicate Abstraction with Under-Approximation Refinement" (2007).
//!
//! ```text
//! system ticket {
//!   const n = 2
//!   var s, t : int = 0                      // without '=', any value
//!   var a[1..n] : int = 0                   // a1 and a2
//!   control pc[1..n] : {idle, want, crit} = idle
//!   for i in 1..n {
//!     draw:  pc[i] = idle              -> pc[i] := want, a[i] := t, t := t + 1
//!     enter: pc[i] = want && a[i] <= s -> pc[i] := crit
//!     leave: pc[i] = crit              -> pc[i] := idle, s := s + 1
//!   }
//!   predicate a1 <= s                       // a predicate to begin with
//!   error pc1 = crit && pc2 = crit          // this must not be reached
//!   property served: G (pc1 = want -> F pc1 = crit)
//! }
//! ```
//!
//! The assignments of a command are simultaneous; `x := input` assigns any value, `skip` is no assignment. `control`
//! declares a variable whose values are never abstracted. The system has a location
//! before the first state, whose edge gives the variables their initial values, and one location for the states, at
//! which each command is an edge.

mod resolve;
mod statements;
mod syntax;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Diagnostic, check_source};
use crate::formats::table::{Format, Reader};
use crate::formats::tidy;
use crate::system::System;

pub(crate) use statements::statements;

/// The description of the format.
pub(super) const FORMAT: Format = Format { name: "gc", endings: &["gc"], resembles: begins, rank: 2 };

/// Does a text begin with `system NAME {`, after comments?
fn begins(text: &str) -> bool {
    super::family::begins(text, "system")
}

/// The reader of the format.
pub(super) const READER: Reader = Reader {
    parse: |text, _| parse(text),
    properties: |text| parse(text).map_or_else(|_| Vec::new(), |system| names(&system)),
    edit: None,
};

/// The names of the properties of a system.
fn names(system: &System) -> Vec<String> {
    let error = system.embedded.iter().map(|(name, _)| name.clone());
    error.chain(system.stated.iter().map(|p| p.name.clone())).collect()
}

/// Parses a system of guarded commands.
///
/// # Errors
/// All errors and unsupported constructs, in textual order.
pub fn parse(text: &str) -> Result<System, Vec<Diagnostic>> {
    check_source(text)?;
    let (spec, out) = syntax::parse(text);
    let mut system = resolve::resolve(&spec, out).map_err(tidy)?;
    system.source = Some(text.into());
    Ok(system)
}
