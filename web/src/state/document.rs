//! Where the model came from, and where it is kept.

use std::rc::Rc;

use crate::state::{Effect, State, Tone};

/// A model as a file, and as one that the browser keeps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Document {
    /// Its key among the models that the browser keeps, and its name there.
    pub kept: Option<(Rc<str>, Rc<str>)>,
    /// The name of its file, and the number under which the file can be written, or 0.
    pub file: Option<(Rc<str>, u32)>,
    /// It was changed since it was opened or kept.
    pub changed: bool,
}

impl State {
    /// A name for the model as a file.
    #[must_use]
    pub fn file_name(&self) -> String {
        if let Some((name, _)) = &self.document.file {
            return name.to_string();
        }
        if let Some((_, name)) = &self.document.kept {
            return name.to_string();
        }
        let named = || self.model.as_ref().map(|model| model.name.clone()).filter(|name| !name.is_empty());
        let name = self.example.as_deref().map(str::to_owned).or_else(named);
        format!("{}.{}", name.unwrap_or_else(|| "model".to_owned()), self.kind.ending())
    }

    pub(super) fn set_document(&mut self, document: Document) -> Vec<Effect> {
        self.document = document;
        vec![]
    }

    pub(super) fn save_model(&self) -> Vec<Effect> {
        let file = self.document.file.as_ref().map_or(0, |(_, file)| *file);
        vec![Effect::SaveModel(file, self.file_name(), self.text.clone())]
    }

    /// Another model may have been opened while a person chose the file.
    pub(super) fn saved_as(&mut self, version: u32, name: Rc<str>, file: u32) -> Vec<Effect> {
        if version == self.text_version {
            self.say(Tone::Info, &format!("Saved as {name}."));
            self.document.file = Some((name, file));
        }
        vec![]
    }
}
