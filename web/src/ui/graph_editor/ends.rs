//! The ends of edges: choosing the other node, and drawing an end to another node.

use veristep_core::edit::automaton::Edit;
use veristep_core::layout::Point;
use veristep_core::system::LocationId;

use super::card::Subject;
use super::editor::Editor;
use super::text_edges::{name_of, written_edge};
use super::things::Part;
use crate::protocol::ModelInfo;
use crate::ui::scene::{DragPart, End};

impl Editor {
    /// The node from which an edge is wanted, while the card asks for the other one.
    pub(super) fn target_of(&self) -> Option<LocationId> {
        match self.open.draft.as_ref()?.subject {
            Subject::Target(from) => Some(from),
            _ => None,
        }
    }

    /// The edge that is wanted leads to this node.
    #[inline(never)]
    pub(super) fn connect_to(&self, model: &ModelInfo, key: &str) {
        if let (Some(from), Some(Part::Node(to))) = (self.target_of(), model.part(key)) {
            self.connect(from, to);
        }
    }

    /// An end of an edge is drawn to another node.
    #[inline(never)]
    pub(super) fn reconnect(
        &self,
        model: &ModelInfo,
        (key, end): (&str, End),
        (at, to): (Point, Option<String>),
        part: DragPart,
    ) {
        let Some(Part::Edge(id)) = model.part(key) else { return };
        let Some(edge) = written_edge(model, id) else { return };
        if matches!(part, DragPart::First | DragPart::Next) {
            let fixed = if end == End::Target { edge.source } else { edge.target };
            let node = model.drawing.node(&model.key(fixed));
            let line = node.map(|node| (node.rect.centre(), at));
            return self.change(&mut |open| open.line = line);
        }
        self.change(&mut |open| open.line = None);
        let Some(Part::Node(new)) =
            to.as_deref().and_then(|to| model.part(to)).filter(|_| part == DragPart::Drop)
        else {
            return;
        };
        let (source, target) = if end == End::Target { (edge.source, new) } else { (new, edge.target) };
        if (source, target) != (edge.source, edge.target) {
            let (source, target) = (name_of(model, source), name_of(model, target));
            let news = format!("The {} leads from {source} to {target} now.", self.edited.language.edge);
            self.edit(vec![Edit::Reconnect { edge: edge.number, source, target }], &news);
        }
    }
}
