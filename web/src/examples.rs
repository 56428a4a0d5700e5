//! A model of the gallery, and the one that is there when the page opens.

use serde::{Deserialize, Serialize};
use veristep_core::run::Kind;

/// What a run of an example ends with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Expected {
    /// Holds.
    Holds,
    /// Violated.
    Violated,
    /// The method finds no end; to be stopped.
    Open,
}

impl Expected {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Expected::Holds => "holds",
            Expected::Violated => "violated",
            Expected::Open => "no end found",
        }
    }
}

/// A model of the gallery.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Example {
    /// Its file's name.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The idea it shows.
    pub concept: String,
    /// How it ends.
    pub expected: Expected,
    /// Its story.
    pub story: String,
    /// What to try next.
    pub change: String,
    /// More words to find it by.
    pub words: String,
    /// The language of the model.
    pub kind: Kind,
    /// The model.
    pub text: String,
    /// What is asked; empty for the model's own question.
    pub property: String,
    /// The options that show it best, by name; none for the usual ones.
    pub options: Vec<(String, String)>,
}

impl Example {
    /// Whether all words of a search occur.
    #[must_use]
    pub fn matches(&self, search: &str) -> bool {
        let all = [&*self.title, &*self.concept, &*self.story, &*self.words, self.expected.name()]
            .join(" ")
            .to_ascii_lowercase();
        search.to_ascii_lowercase().split([' ', ',']).all(|word| all.contains(word))
    }
}

/// The beginning of the gallery.
#[derive(Clone, Copy, Debug)]
pub struct First {
    /// Its file's name.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The model.
    pub text: &'static str,
}

/// The model that is there when the page opens.
pub const FIRST: First = First {
    id: "hajdu-micskei-figure-1",
    title: "Hajdu & Micskei 2020, figure 1",
    text: include_str!("../../static/examples/hajdu-micskei-figure-1.cfa"),
};

/// The title of the example with this text; empty if there is none.
#[must_use]
pub fn title<'a>(all: &'a [Example], text: &str) -> &'a str {
    let named = all.iter().find(|e| e.text == text).map(|e| &*e.title);
    named.unwrap_or(if text == FIRST.text { FIRST.title } else { "" })
}

/// What to try next with the example of this id.
#[must_use]
pub fn lesson(all: &[Example], id: &str) -> Option<String> {
    all.iter().find(|e| e.id == id).map(|e| e.change.clone()).filter(|change| !change.is_empty())
}

/// Is a text a model of its own rather than the example of this id with changes? So it is if it has less than half of the
/// example's lines.
#[must_use]
pub fn is_another(all: &[Example], id: &str, text: &str) -> bool {
    let example = all.iter().find(|e| e.id == id).map(|e| e.text.as_str());
    let Some(example) = example.or((id == FIRST.id).then_some(FIRST.text)) else { return true };
    let (mut kept, mut lines) = (0, 0);
    for line in example.lines().map(str::trim).filter(|line| line.len() > 1) {
        lines += 1;
        kept += usize::from(text.contains(line));
    }
    kept * 2 < lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_example_is_still_the_example() {
        let changed = FIRST.text.replace("100", "1000000");
        assert!(changed != FIRST.text && !is_another(&[], FIRST.id, &changed));
        assert!(is_another(&[], FIRST.id, "main process own {\n  var x : int\n  init loc A\n}"));
        assert!(is_another(&[], FIRST.id, ""));
    }
}
