//! Parsers and printers of model formats.

pub mod aiger;
pub mod c;
pub mod cfa;
mod chart;
pub mod chc;
mod family;
mod flat;
pub mod gc;
mod infix;
pub(crate) mod net;
pub mod plantuml;
pub mod pn;
pub mod pnml;
pub mod promela;
pub mod query;
pub mod romeo;
pub mod sc;
pub mod scxml;
pub mod smv;
pub mod sts;
mod table;
pub mod tina;
mod xml;
pub mod xsts;

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Diagnostic, Severity, Span, limits};
use crate::net::NamedProperty;
use crate::property::Property;
use crate::system::System;
pub use table::{Format, Kind};

/// A name with its place.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// Sorts diagnostics, removes duplicates and truncates the list.
pub(crate) fn tidy(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|d| d.span);
    diagnostics.dedup();
    let wrong = diagnostics.iter().any(|d| d.severity == Severity::Error);
    if diagnostics.len() > limits::DIAGNOSTICS {
        let more = diagnostics.len() - limits::DIAGNOSTICS;
        diagnostics.truncate(limits::DIAGNOSTICS);
        let last = diagnostics[limits::DIAGNOSTICS - 1].span;
        // The severity of the result must not depend on the truncation.
        let severity = if wrong { Severity::Error } else { Severity::Unsupported };
        let message = format!("and {more} more diagnostics that are not shown");
        diagnostics.push(Diagnostic { severity, span: last, message });
    }
    diagnostics
}

/// The errors in the properties of the text; what is not supported is reported when it is asked.
pub(crate) fn mistakes(system: &System) -> Vec<Diagnostic> {
    let of = |p: &NamedProperty| {
        let start = p.span.start;
        let wrong = Property::parse(&p.text, system).err().into_iter().flatten();
        let wrong = wrong.filter(|d| d.severity == Severity::Error);
        let moved = |d: Diagnostic| Diagnostic {
            span: Span { start: d.span.start + start, end: d.span.end + start },
            ..d
        };
        wrong.map(moved).collect::<Vec<_>>()
    };
    system.stated.iter().flat_map(of).collect()
}

/// Names in use, and the number of requests for each name.
#[derive(Debug, Default)]
struct Taken {
    names: HashSet<String>,
    wanted: HashMap<String, u32>,
}

impl Taken {
    /// Reserves a name: it is not used without a number.
    fn reserve(&mut self, name: &str) {
        if self.names.insert(name.to_owned()) {
            self.wanted.entry(name.to_owned()).or_insert(0);
        }
    }
}

/// `name`; with a number appended if it is in use.
fn unique(name: &str, separator: char, taken: &mut Taken) -> String {
    let mut unique = name.to_owned();
    while !taken.names.insert(unique.clone()) {
        let n = taken.wanted.entry(name.to_owned()).or_insert(1);
        *n += 1;
        unique = format!("{name}{separator}{n}");
    }
    unique
}

/// `name`, or a similar identifier that is neither in use nor a keyword nor one of the `reserved` words.
fn identifier(name: &str, taken: &mut HashSet<String>, reserved: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut base: String = name.chars().map(plain).collect();
    let is_word = crate::expr::keyword(&base).is_some() || reserved.split_whitespace().any(|w| w == base);
    if !base.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || is_word {
        base.insert(0, '_');
    }
    let mut unique = base.clone();
    let mut n = 1;
    while !taken.insert(unique.clone()) {
        n += 1;
        unique = format!("{base}_{n}");
    }
    unique
}
