//! Where the model came from, and where it is kept.

use std::rc::Rc;

use crate::state::{Effect, State};

/// A model as a file, and as one that the browser keeps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Document {
    /// Its number among the models that the browser keeps.
    pub id: Option<Rc<str>>,
    /// The name of its file, and the number under which the file can be written, or 0.
    pub file: Option<(Rc<str>, u32)>,
    /// It was changed since it was opened.
    pub changed: bool,
}

impl State {
    /// A name for the model as a file.
    #[must_use]
    pub fn file_name(&self) -> String {
        if let Some((name, _)) = &self.document.file {
            return name.to_string();
        }
        let named = || self.model.as_ref().map(|model| model.name.clone()).filter(|name| !name.is_empty());
        let name = self.example.as_deref().map(str::to_owned).or_else(named);
        format!("{}.{}", name.unwrap_or_else(|| "model".to_owned()), self.kind.ending())
    }

    pub(super) fn kept_as(&mut self, document: Document) -> Vec<Effect> {
        self.document = document;
        vec![]
    }

    pub(super) fn save_model(&self) -> Vec<Effect> {
        vec![Effect::SaveModel(self.document.clone(), self.file_name(), self.text.clone())]
    }
}
