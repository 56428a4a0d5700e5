//! A model of the gallery, and the model of a fresh page.

use serde::{Deserialize, Serialize};
use veristep_core::run::Kind;

/// The expected result of an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Expected {
    /// Holds.
    Holds,
    /// Violated.
    Violated,
    /// The method does not terminate; to be stopped.
    Open,
}

impl Expected {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Expected::Holds => "holds",
            Expected::Violated => "violated",
            Expected::Open => "diverges",
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
    /// The concept.
    pub concept: String,
    /// The expected result.
    pub expected: Expected,
    /// The lesson.
    pub story: String,
    /// The exercise.
    pub change: String,
    /// Additional search words.
    pub words: String,
    /// The language of the model.
    pub kind: Kind,
    /// The model.
    pub text: String,
    /// The property; empty for the model's own.
    pub property: String,
    /// Options by name; none for the defaults.
    pub options: Vec<(String, String)>,
}

impl Example {
    /// Do all words of a search occur?
    #[must_use]
    pub fn matches(&self, search: &str) -> bool {
        let all = [&*self.title, &*self.concept, &*self.story, &*self.words, self.expected.name()]
            .join(" ")
            .to_ascii_lowercase();
        search.to_ascii_lowercase().split([' ', ',']).all(|word| all.contains(word))
    }
}

/// The first example.
#[derive(Clone, Copy, Debug)]
pub struct First {
    /// Its file's name.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The model.
    pub text: &'static str,
}

/// The model of a fresh page.
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

/// The exercise of the example of this id.
#[must_use]
pub fn lesson(all: &[Example], id: &str) -> Option<String> {
    all.iter().find(|e| e.id == id).map(|e| e.change.clone()).filter(|change| !change.is_empty())
}

/// Is a text unrelated to the example of this id, not an edit of it? So it is if it contains less than half of the
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
