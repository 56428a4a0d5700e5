//! The table of formats. Command line, page and links read it; a format describes itself in its own folder. Its reader
//! is apart, so that pages do not contain it.

use serde::{Deserialize, Serialize};

use crate::data_model::DataModel;
use crate::diagnostic::Diagnostic;
use crate::formats::{aiger, c, cfa, sts, xsts};
use crate::system::System;

/// The description of a format of models.
pub struct Format {
    /// Its name on the command line and in links.
    pub name: &'static str,
    /// The endings of the names of its files.
    pub endings: &'static [&'static str],
    /// Does a text look like this format, right or wrong?
    pub(crate) resembles: fn(&str) -> bool,
}

/// The reader of a format of models.
pub(crate) struct Reader {
    /// Reads a model for a property, by its text. The system keeps the places of variables, locations and edges.
    pub(crate) parse: fn(&str, Option<&str>) -> Result<System, Vec<Diagnostic>>,
    /// The names of the properties that a text contains.
    pub(crate) properties: fn(&str) -> Vec<String>,
}

/// The formats of models.
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
    /// All formats, in the order in which they are offered.
    pub const ALL: [Kind; 6] = [Kind::Cfa, Kind::C, Kind::Sts, Kind::Xsts, Kind::Aiger, Kind::CLp64];

    /// The order in which a text is compared with the formats.
    const GUESSES: [Kind; 5] = [Kind::Aiger, Kind::Sts, Kind::Cfa, Kind::Xsts, Kind::C];

    /// The description of the format.
    #[must_use]
    pub fn format(self) -> &'static Format {
        match self {
            Kind::Cfa => &cfa::FORMAT,
            Kind::C => &c::ILP32,
            Kind::CLp64 => &c::LP64,
            Kind::Sts => &sts::FORMAT,
            Kind::Xsts => &xsts::FORMAT,
            Kind::Aiger => &aiger::FORMAT,
        }
    }

    /// Its reader.
    pub(crate) fn reader(self) -> &'static Reader {
        match self {
            Kind::Cfa => &cfa::READER,
            Kind::C => &c::READER_ILP32,
            Kind::CLp64 => &c::READER_LP64,
            Kind::Sts => &sts::READER,
            Kind::Xsts => &xsts::READER,
            Kind::Aiger => &aiger::READER,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.format().name
    }

    /// The names of all formats, for messages.
    #[must_use]
    pub fn names(separator: &str) -> String {
        Kind::ALL.map(Kind::name).join(separator)
    }

    /// The kind with this name or file extension.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name || kind.format().endings.contains(&name))
    }

    /// The kind that a text looks like, right or wrong.
    #[must_use]
    pub fn guess(text: &str) -> Kind {
        let found = Kind::GUESSES.into_iter().find(|kind| (kind.format().resembles)(text));
        found.unwrap_or(Kind::Cfa)
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

/// Does a text contain a word?
pub(super) fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|x| x == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_is_found_by_its_name_and_endings() {
        for kind in Kind::ALL {
            let format = kind.format();
            assert_eq!(Kind::of_name(format.name), Some(kind));
            for ending in format.endings {
                assert_eq!(Kind::of_name(ending), Some(kind), "{ending}");
            }
        }
    }

    #[test]
    fn each_format_can_be_guessed() {
        let guessed = |kind: &Kind| Kind::GUESSES.contains(kind) || *kind == Kind::CLp64;
        assert!(Kind::ALL.iter().all(guessed));
    }
}
