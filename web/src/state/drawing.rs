//! Edits that are drawn: the engine writes them into the text, and the editor carries the changes out.

use std::rc::Rc;

use veristep_core::edit::automaton::Edit;
use veristep_core::edit::{Refusal, pins};
use veristep_core::run::Kind;

use crate::protocol::{Job, ToEngine, Written, pack, unpack};
use crate::state::{Effect, Errand, State, Tone};

impl State {
    /// Can the drawing of the model be edited? Not while the text has errors: then it is the drawing of an older text.
    #[must_use]
    pub fn is_drawable(&self) -> bool {
        self.kind == Kind::Cfa && self.diagnostics.is_empty() && self.model.is_some()
    }

    #[inline(never)]
    pub(super) fn draw(&mut self, edits: &[Edit]) -> Vec<Effect> {
        if !self.is_drawable() || self.stops_engine() {
            return vec![];
        }
        let job = self.next_job();
        self.drawing = Some((job, self.text.clone()));
        let (kind, text) = (self.kind, self.text.to_string());
        vec![Effect::Send(ToEngine::Edit { job, kind, text, edits: pack(&edits) })]
    }

    /// The answer; it is dropped if the text was changed since.
    #[inline(never)]
    pub(super) fn drawn(&mut self, job: Job, written: &[u8]) -> Vec<Effect> {
        let Some((_, text)) = self.drawing.take_if(|(asked, _)| *asked == job) else { return vec![] };
        let Some(written) = unpack::<Written>(written).filter(|_| text == self.text) else { return vec![] };
        match written {
            Ok(changes) if changes.iter().all(Vec::is_empty) => vec![],
            Ok(changes) => {
                self.drew = true;
                vec![Effect::Errand(Errand::Change(changes.into()))]
            }
            Err(Refusal(why)) => {
                self.say(Tone::Warning, &format!("Not changed: {why}."));
                vec![]
            }
        }
    }

    /// If only the places of things change, the run is one of the new text, too.
    pub(super) fn moved_only(&mut self, text: &Rc<str>) {
        let old = self.text.clone();
        if let Some(run) = self.run.as_mut().filter(|run| run.text == old)
            && pins::body(&old) == pins::body(text)
        {
            run.text = text.clone();
        }
    }
}
