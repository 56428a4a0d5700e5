//! The table of formats. Command line, page and links read it; a format describes itself in its own folder. Its reader
//! is apart, so that pages do not contain it.

use serde::{Deserialize, Serialize};

use crate::data_model::DataModel;
use crate::diagnostic::Diagnostic;
use crate::edit::automaton::Edit;
use crate::edit::{Change, Refusal};
use crate::formats::{aiger, c, cfa, gc, pn, pnml, romeo, sc, scxml, sts, tina, xsts};
use crate::system::System;

/// The description of a format of models.
pub struct Format {
    /// Its name on the command line and in links.
    pub name: &'static str,
    /// The endings of the names of its files.
    pub endings: &'static [&'static str],
    /// Does a text look like this format, right or wrong?
    pub(crate) resembles: fn(&str) -> bool,
    /// Of several formats that a text looks like, the one with the smallest rank is guessed.
    pub(crate) rank: u8,
}

/// The reader of a format of models.
pub(crate) struct Reader {
    /// Reads a model for a property, by its text. The system keeps the places of variables, locations and edges.
    pub(crate) parse: fn(&str, Option<&str>) -> Result<System, Vec<Diagnostic>>,
    /// The names of the properties that a text contains.
    pub(crate) properties: fn(&str) -> Vec<String>,
    /// Writes edits of a drawing into a text, if the format has them.
    pub(crate) edit: Option<Editing>,
}

/// The changes of a text for edits of its drawing, one list an edit.
pub(crate) type Editing = fn(&str, &[Edit]) -> Result<Vec<Vec<Change>>, Refusal>;

/// Declares the formats, in the order in which they are offered, each with its description and its reader.
macro_rules! formats {
    ($($(#[$meta:meta])* $kind:ident: $format:path, $reader:path;)*) => {
        /// The formats of models.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Kind {
            $($(#[$meta])* $kind,)*
        }

        impl Kind {
            /// All formats, in the order in which they are offered.
            pub const ALL: [Kind; [$(Kind::$kind),*].len()] = [$(Kind::$kind),*];

            /// The description of the format.
            #[must_use]
            pub fn format(self) -> &'static Format {
                match self {
                    $(Kind::$kind => &$format,)*
                }
            }

            /// Its reader.
            pub(crate) fn reader(self) -> &'static Reader {
                match self {
                    $(Kind::$kind => &$reader,)*
                }
            }
        }
    };
}

// The order of the variants is part of links and messages.
formats! {
    /// Theta's control flow automata.
    #[default]
    Cfa: cfa::FORMAT, cfa::READER;
    /// Programs in a subset of C; `long` has 32 bits.
    C: c::ILP32, c::READER_ILP32;
    /// Theta's symbolic transition systems.
    Sts: sts::FORMAT, sts::READER;
    /// Theta's extended symbolic transition systems.
    Xsts: xsts::FORMAT, xsts::READER;
    /// AIGER circuits.
    Aiger: aiger::FORMAT, aiger::READER;
    /// Programs in the same subset of C; `long` has 64 bits.
    #[serde(rename = "c-lp64")]
    CLp64: c::LP64, c::READER_LP64;
    /// Petri nets in the project's own language.
    Pn: pn::FORMAT, pn::READER;
    /// Petri nets in PNML.
    Pnml: pnml::FORMAT, pnml::READER;
    /// Petri nets in the language of TINA.
    Tina: tina::FORMAT, tina::READER;
    /// Time Petri nets of ROMEO.
    Romeo: romeo::FORMAT, romeo::READER;
    /// Guarded commands in the project's own language.
    Gc: gc::FORMAT, gc::READER;
    /// Statecharts in the project's own language.
    Sc: sc::FORMAT, sc::READER;
    /// Statecharts in SCXML.
    Scxml: scxml::FORMAT, scxml::READER;
}

impl Kind {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.format().name
    }

    /// The usual ending of its files, without a point.
    #[must_use]
    pub fn ending(self) -> &'static str {
        // Two kinds are C.
        let kind = if self == Kind::CLp64 { Kind::C } else { self };
        kind.format().endings.first().unwrap_or(&kind.format().name)
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
        let similar = Kind::ALL.into_iter().filter(|kind| (kind.format().resembles)(text));
        similar.min_by_key(|kind| kind.format().rank).unwrap_or_default()
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
}
