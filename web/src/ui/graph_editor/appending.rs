//! New locations after others, each with an edge to it.

use veristep_core::edit::automaton::Edit;
use veristep_core::edit::pins::{Pin, pin};
use veristep_core::layout::Point;
use veristep_core::system::LocationId;

use super::editor::Editor;
use super::text_edges::name_of;
use super::things::Part;
use super::{card, charts};
use crate::protocol::ModelInfo;

/// The distance of a node that is appended, across and down.
const BESIDE: (f64, f64) = (150.0, 90.0);

impl Editor {
    /// A new location after another one. It gets a place only if that one has one: otherwise both are laid out.
    pub(super) fn append(&self, model: &ModelInfo, key: &str, towards: (f64, f64)) {
        let Some(Part::Node(id)) = model.part(key) else { return };
        let Some(before) = model.drawing.node(key).map(|node| node.rect.centre()) else { return };
        let pinned = model.locations.get(id.index()).is_some_and(|location| location.pinned);
        let mut at = Point::new(before.x + towards.0 * BESIDE.0, before.y + towards.1 * BESIDE.1);
        let taken = |at: Point| {
            model.drawing.nodes.iter().any(|node| {
                let centre = node.rect.centre();
                (centre.x - at.x).abs() < BESIDE.0 / 2.0 && (centre.y - at.y).abs() < BESIDE.1 / 2.0
            })
        };
        while taken(at) {
            at = Point::new(at.x + towards.1.abs() * BESIDE.0, at.y + towards.0.abs() * BESIDE.1);
        }
        self.connect_new(model, id, pinned.then(|| pin(at)));
    }

    /// A new location, with an edge to it.
    pub(super) fn connect_new(&self, model: &ModelInfo, of: LocationId, place: Option<Pin>) {
        if model.is_chart() {
            let (edits, news) = charts::appended(model, &name_of(model, of), place);
            return self.edit(edits, &news);
        }
        // Of a net, a transition follows a place, and a place a transition.
        let transition = model.is_place(of);
        let source = name_of(model, of);
        let target = match transition {
            true => card::new_transition_name(model),
            false => card::new_name(Some(model), self.edited.language),
        };
        let news = format!("{target} was added after {source}.");
        let mut edits = card::new_location(target.clone(), place, Some(model));
        if transition {
            edits[0] = Edit::AddTransition { name: target.clone() };
        }
        // A node that a person put beside another one keeps its distance from it.
        let other = model.locations.get(of.index()).filter(|other| !other.pinned && place.is_some());
        let at = other.and_then(|_| model.drawing.node(&model.key(of))).map(|node| pin(node.rect.centre()));
        edits.extend(at.map(|at| Edit::Move { places: vec![(source.clone(), Some(at))] }));
        edits.push(Edit::Connect { source, target, statements: String::new() });
        self.edit(edits, &news);
    }
}
