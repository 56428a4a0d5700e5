//! The languages of models, by name.

use serde::{Deserialize, Serialize};

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

    /// The kind of a text after it was edited: the same one, unless the text looks like another kind now. Sizes of
    /// types in C stay.
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

/// The implementation-defined sizes of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    /// `int`, `long` and sizes have 32 bits.
    #[default]
    Ilp32,
    /// `int` has 32 bits, `long` and sizes have 64.
    Lp64,
}

impl DataModel {
    /// Its usual name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }

    /// The bits of `long`, and of `size_t`.
    #[must_use]
    pub fn long(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}
