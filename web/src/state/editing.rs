//! Edits of the drawing: the engine writes them into the text, and the editor carries the changes out.

use std::collections::BTreeMap;
use std::rc::Rc;

use veristep_core::edit::automaton::Edit;
use veristep_core::edit::pins::{Pin, pin};
use veristep_core::edit::{changed, pins};
use veristep_core::run::Kind;

use crate::protocol::{Job, ModelInfo, Role, ToEngine, Written, pack, unpack};
use crate::state::{EditorCommand, Effect, Next, State, Tone};

/// The beginning of a notice about an edit that was refused.
const NOT_CHANGED: &str = "Not changed: ";

/// What the drawing of a model can be edited as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Editable {
    /// It cannot be edited.
    #[default]
    No,
    /// As an automaton.
    Automaton,
    /// As a Petri net.
    Net,
    /// As a statechart.
    Chart,
}

/// What moves the place of a location to its new name, if it was renamed in the text: exactly one name disappeared, and
/// exactly one appeared.
fn renamed(old: &ModelInfo, new: &ModelInfo) -> Option<Vec<(String, Option<Pin>)>> {
    // Of nets, places and transitions are drawn.
    let drawn = |model: &ModelInfo| model.net.is_none() && model.locations.iter().any(|it| it.pinned);
    if drawn(old) { moves(old, new) } else { None }
}

#[inline(never)]
fn moves(old: &ModelInfo, new: &ModelInfo) -> Option<Vec<(String, Option<Pin>)>> {
    let named = |model: &ModelInfo| -> BTreeMap<String, usize> {
        let all = model.locations.iter().enumerate().filter(|(_, location)| location.role != Role::Between);
        all.map(|(at, location)| (location.name.clone(), at)).collect()
    };
    let (before, after) = (named(old), named(new));
    let mut went = before.iter().filter(|(name, _)| !after.contains_key(*name));
    let mut came = after.iter().filter(|(name, _)| !before.contains_key(*name));
    let ((from, at), (to, _)) = (went.next()?, came.next()?);
    if went.next().is_some()
        || came.next().is_some()
        || !old.locations[*at].pinned
        || new.locations[after[to]].pinned
    {
        return None;
    }
    let place = old.drawing.node(&format!("l{at}"))?.rect.centre();
    Some(vec![(from.clone(), None), (to.clone(), Some(pin(place)))])
}

/// Are two texts the same model, whatever the places of its locations in the drawing are?
pub(super) fn same_model(one: &Rc<str>, other: &Rc<str>) -> bool {
    Rc::ptr_eq(one, other) || pins::body(one) == pins::body(other) || same_net(one, other)
}

/// Are two texts the same net or chart, whatever its layout is?
#[inline(never)]
fn same_net(one: &str, other: &str) -> bool {
    let has_layout = |text: &str| ["layout {", "<position ", FOLDED].iter().any(|part| text.contains(part));
    // In a comment it is none.
    let is_plain = |text: &str| !text.contains("/*") && !text.contains("<!--");
    (has_layout(one) || has_layout(other))
        && is_plain(one)
        && is_plain(other)
        && without_layout(one).eq(without_layout(other))
}

/// The end of the line of a state that is drawn without what is in it.
const FOLDED: &str = " folded";

/// The lines of a net or a chart but those with positions, which have lines of their own.
fn without_layout(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().map(unfolded).filter(move |line| {
        let begins = *line == "layout {";
        let was_inside = inside;
        inside = (inside || begins) && *line != "}";
        let position = line.starts_with("<position ") && line.ends_with("/>")
            || line.starts_with("<graphics><position ") && line.ends_with("/></graphics>")
            || matches!(*line, "<graphics>" | "</graphics>");
        !(begins || was_inside || position || line.is_empty())
    })
}

/// A line without blanks around it; that of a state without its last word, if it is drawn without what is in it.
fn unfolded(line: &str) -> &str {
    let line = line.trim();
    let is_state = line.starts_with("state ") || line.starts_with("region ");
    line.strip_suffix(FOLDED).filter(|_| is_state).unwrap_or(line)
}

impl State {
    /// The model of a text that was parsed, if it has no errors. A location that was renamed in the text keeps its
    /// place.
    pub(super) fn parsed(&mut self, model: Option<Rc<ModelInfo>>) -> Vec<Effect> {
        let Some(model) = model else {
            if self.text.trim().is_empty() {
                // The beginning of another one.
                self.model = None;
            }
            self.give_model_to_run();
            return vec![];
        };
        let old = self.model.replace(model.clone());
        self.adapt_game(old.as_deref(), &model);
        let simulation = self.adapt_simulation();
        self.give_model_to_run();
        // Not while there is a newer text, or another edit.
        let is_newest = self.parse_text == self.text && !self.writing.is_pending() && self.is_editable();
        let places = old.filter(|_| is_newest).and_then(|old| renamed(&old, &model));
        let moved = places.map_or(vec![], |places| self.edit(vec![Edit::Move { places }], true));
        [simulation, moved].concat()
    }

    /// Can the drawing of the model be edited? Not while the text has errors: then it is the drawing of an older text.
    /// An empty text can become an automaton.
    #[must_use]
    pub fn editable(&self) -> Editable {
        let is_read = self.diagnostics.is_empty() && self.model.is_some();
        match self.kind {
            _ if !is_read && !self.text.trim().is_empty() => Editable::No,
            Kind::Cfa => Editable::Automaton,
            Kind::Pn | Kind::Pnml => Editable::Net,
            Kind::Sc | Kind::Scxml => Editable::Chart,
            _ => Editable::No,
        }
    }

    /// Removes the notice about an edit that was refused.
    pub(super) fn forget_refusal(&mut self) {
        self.notices.retain(|notice| !notice.text.starts_with(NOT_CHANGED));
    }

    fn is_editable(&self) -> bool {
        self.editable() != Editable::No
    }

    /// Edits the drawing, after the edits that are not yet in the text.
    #[inline(never)]
    pub(super) fn edit(&mut self, edits: Vec<Edit>, typed: bool) -> Vec<Effect> {
        let next = self.writing.edit(edits, typed, self.reading);
        self.go_on(next)
    }

    /// Writes the pending edits again, since there is another engine.
    pub(super) fn write_again(&mut self) -> Vec<Effect> {
        self.edit(vec![], false)
    }

    /// The engine's answer.
    #[inline(never)]
    pub(super) fn written(&mut self, job: Job, written: &[u8]) -> Vec<Effect> {
        let written = unpack::<Written>(written).unwrap_or_else(|| Ok(Vec::new()));
        let next = self.writing.answer(job, &self.text, written);
        if let Next::Change(lists) = &next {
            // The engine parses the new text now, and will send the model by itself.
            let new = lists.iter().try_fold(self.text.to_string(), |text, list| changed(&text, list));
            if let Some(new) = new {
                (self.parse_job, self.parse_text, self.reading) = (job, new.into(), true);
            }
            self.from_drawing = true;
        }
        self.go_on(next)
    }

    fn go_on(&mut self, next: Next) -> Vec<Effect> {
        match next {
            Next::Nothing => vec![],
            Next::Ask(_, typed) if !self.is_editable() || self.stops_engine() => {
                let next = self.writing.refuse("the text has errors", typed);
                self.go_on(next)
            }
            Next::Ask(edits, typed) => {
                let (job, kind, text) = (self.next_job(), self.kind, self.text.to_string());
                let (packed, property) = (pack(&edits), self.property.clone());
                self.writing.ask(job, &self.text, edits, typed);
                vec![Effect::Send(ToEngine::Edit { job, kind, text, property, edits: packed })]
            }
            Next::Change(lists) => {
                self.forget_refusal();
                vec![Effect::Command(EditorCommand::Change(lists.into()))]
            }
            Next::Say(why) => {
                self.forget_refusal();
                self.say(Tone::Warning, &format!("{NOT_CHANGED}{why}."));
                vec![]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_folded_states_are_no_part_of_the_model() {
        let same = |one: &str, other: &str| same_model(&one.into(), &other.into());
        let chart = "chart C {\n  state A\n    state B\n}\n";
        assert!(same(chart, "chart C {\n  state A folded\n    state B\n  layout {\n    A.B 1 2\n  }\n}\n"));
        assert!(!same(chart, "chart C {\n  state A folded\n    state C\n}\n"));
        assert!(!same(chart, "chart C {\n  state A\n    state B\n    entry / raise folded\n}\n"));
    }
}
