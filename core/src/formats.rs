//! Parsers and printers of model formats.

pub mod aiger;
pub mod c;
pub mod cfa;
pub mod chc;
mod flat;
mod infix;
pub mod promela;
pub mod smv;
pub mod sts;
pub mod xsts;

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Diagnostic, Severity, Span, limits};
use crate::formats::c::DataModel;

/// The languages of models.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Theta's control flow automata.
    #[default]
    Cfa,
    /// Programs in a subset of C; `long` has 32 bits.
    C,
    /// Theta's symbolic transition systems.
    Sts,
    /// Theta's extended symbolic transition systems.
    Xsts,
    /// AIGER circuits.
    Aiger,
    /// Programs in the same subset of C; `long` has 64 bits.
    #[serde(rename = "c-lp64")]
    CLp64,
}

impl Kind {
    /// The kind with this name or file extension.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Kind> {
        match name {
            "cfa" => Some(Kind::Cfa),
            "c" | "i" => Some(Kind::C),
            "c-lp64" => Some(Kind::CLp64),
            "sts" | "system" => Some(Kind::Sts),
            "xsts" => Some(Kind::Xsts),
            "aag" | "aig" | "aiger" => Some(Kind::Aiger),
            _ => None,
        }
    }

    /// The kind that a text looks like, right or wrong.
    #[must_use]
    pub fn guess(text: &str) -> Kind {
        if text.starts_with("aag ") {
            return Kind::Aiger;
        }
        let word = |w: &str| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|x| x == w);
        if word("specification") && (word("property") || word("system")) {
            return Kind::Sts;
        }
        if word("trans") && (word("env") || word("init")) && !word("process") {
            return Kind::Xsts;
        }
        if !word("process") && (text.contains(';') || word("int") || text.contains("#include")) {
            Kind::C
        } else {
            Kind::Cfa
        }
    }

    /// The kind that a link names; the one that its text looks like if it names none that is known.
    #[must_use]
    pub fn of_link(name: &str, text: &str) -> Kind {
        Kind::of_name(name).unwrap_or_else(|| Kind::guess(text))
    }

    /// The kind of a text after it was edited: the same one, unless the text looks like another kind now. Sizes of types in C
    /// stay.
    #[must_use]
    pub fn edited(self, old: &str, new: &str) -> Kind {
        let guess = Kind::guess(new);
        if guess == Kind::guess(old) {
            return self;
        }
        self.data_model().and_then(|model| guess.with(model)).unwrap_or(guess)
    }

    /// Its name, as a file extension.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Cfa => "cfa",
            Kind::C => "c",
            Kind::CLp64 => "c-lp64",
            Kind::Sts => "sts",
            Kind::Xsts => "xsts",
            Kind::Aiger => "aag",
        }
    }

    /// All kinds, by name.
    pub const NAMES: [&str; 6] = ["cfa", "c", "sts", "xsts", "aag", "c-lp64"];

    /// The sizes of C's types, if this is C.
    #[must_use]
    pub fn data_model(self) -> Option<DataModel> {
        match self {
            Kind::C => Some(DataModel::Ilp32),
            Kind::CLp64 => Some(DataModel::Lp64),
            _ => None,
        }
    }

    /// The kind of the same language with these sizes of C's types.
    #[must_use]
    pub fn with(self, model: DataModel) -> Option<Kind> {
        self.data_model().map(|_| match model {
            DataModel::Ilp32 => Kind::C,
            DataModel::Lp64 => Kind::CLp64,
        })
    }
}

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
    let is_word = crate::text::keyword(&base).is_some() || reserved.split_whitespace().any(|w| w == base);
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
