//! Pictures as files, which the engine writes.

use crate::protocol::{FileFormat, Picture, ToEngine};
use crate::state::{Effect, MiddleTab, ShowGhosts, State, Tone};
use veristep_core::draw::{GraphPart, What};

/// What a picture is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PictureOf {
    /// The model, at the shown step if the run is one of it.
    Model,
    /// The run at the shown step, as it is shown.
    Run,
}

impl State {
    /// The part of the graph that is drawn.
    #[must_use]
    pub fn graph_part(&self) -> GraphPart {
        let removed = self.view.ghosts == ShowGhosts::Always;
        GraphPart { chosen: self.picked_node(), removed, fold: self.view.fold }
    }

    pub(super) fn save(&mut self, of: PictureOf, format: FileFormat) -> Vec<Effect> {
        let named = || self.shown_model().map(|model| model.name.clone());
        let model = self.example.as_deref().map(str::to_owned).or_else(named).unwrap_or_default();
        let step = self.run.as_ref().map(|run| run.job).zip(self.frame.cursor.checked_sub(1));
        let at = |(job, index): (_, usize), what| {
            Some(Picture::Step { job, index: u32::try_from(index).ok()?, what })
        };
        let picture = match of {
            PictureOf::Run if self.view.middle == MiddleTab::Graph && self.journal.get().has_graph() => {
                let part = self.graph_part();
                step.and_then(|(job, index)| {
                    Some(Picture::Graph { job, index: u32::try_from(index).ok()?, part })
                })
            }
            PictureOf::Run => step.and_then(|step| at(step, self.what().unwrap_or_default())),
            // At a step, unless locations were moved since the run began.
            PictureOf::Model => step
                .filter(|_| self.run.as_ref().is_some_and(|run| run.text == self.text))
                .and_then(|step| at(step, What::Model)),
        };
        let picture = picture.unwrap_or_else(|| Picture::Model {
            kind: self.kind,
            text: self.text.to_string(),
            property: self.property.clone(),
        });
        self.send_or_view(ToEngine::Save { model, picture, format })
    }

    pub(super) fn saved(
        &mut self,
        name: String,
        format: FileFormat,
        content: Result<String, String>,
    ) -> Vec<Effect> {
        match content {
            Ok(content) => vec![Effect::Offer(name, format, content)],
            Err(why) => {
                self.say(Tone::Warning, &format!("The picture cannot be saved: {why}"));
                vec![]
            }
        }
    }
}
