//! What the elements of a drawing are: its keys, and what the page selects.
//!
//! A net is edited as a model of its own, whose locations are places and then transitions, and whose edges are arcs.
//! In its drawing, and for the rest of the page, places are variables of the system and transitions its edges, the
//! first of which gives the initial marking. So is a chart: its states are locations, in the order of the text, and its
//! arrows edges.

use veristep_core::chart::StateId;
use veristep_core::scene::{Drawing, Edge, Thing};
use veristep_core::system::{EdgeId, LocationId};

use crate::protocol::ModelInfo;
use crate::state::Related;

/// A node or an edge of what is edited.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Part {
    /// A node.
    Node(LocationId),
    /// An edge.
    Edge(EdgeId),
}

impl ModelInfo {
    /// Is it a net, with places and transitions as locations?
    fn is_net(&self) -> bool {
        self.drawing.nodes.first().is_some_and(|node| node.key.starts_with(['p', 't']))
    }

    /// Is it a chart, with states as locations and arrows as edges?
    pub(super) fn is_chart(&self) -> bool {
        self.drawing.nodes.first().is_some_and(|node| node.key.starts_with('c'))
    }

    /// The number of places of a net.
    fn places(&self) -> usize {
        self.locations.iter().take_while(|location| location.tokens.is_some()).count()
    }

    /// The key of a node; there is no node of a state inside of a folded one.
    pub(super) fn key(&self, id: LocationId) -> String {
        if self.is_chart() {
            return format!("c{}", id.0 + 1);
        }
        match self.drawing.nodes.get(id.index()).filter(|_| self.is_net()) {
            Some(node) => node.key.clone(),
            None => format!("l{}", id.0),
        }
    }

    /// The node or the edge with a key.
    pub(super) fn part(&self, key: &str) -> Option<Part> {
        let number = || key.get(1..)?.parse::<u32>().ok();
        if self.is_chart() {
            // The arrow of a history is part of it.
            return match key.rsplit_once('.') {
                Some((_, edge)) => edge.parse().ok().map(|edge| Part::Edge(EdgeId(edge))),
                None => number()?.checked_sub(1).map(|state| Part::Node(LocationId(state))),
            };
        }
        match key.as_bytes().first()? {
            b'l' => Some(Part::Node(LocationId(number()?))),
            b'e' => Some(Part::Edge(EdgeId(number()?))),
            b'p' => Some(Part::Node(LocationId(number()?))),
            b't' => Some(Part::Node(LocationId::new(self.places() + number()? as usize))),
            _ => self.drawing.edges.iter().position(|edge| edge.key == key).map(EdgeId::new).map(Part::Edge),
        }
    }

    /// What a node stands for on the rest of the page.
    pub(super) fn stands_for(&self, id: LocationId) -> Option<Thing> {
        if !self.is_net() && !self.is_chart() {
            return Some(Thing::Location(id));
        }
        if self.is_chart() {
            return Some(Thing::ChartState(StateId::new(id.index() + 1)));
        }
        self.drawing.nodes.get(id.index())?.about.first().copied()
    }

    /// The nodes that are selected on the page; none if an edge is selected, or something else.
    #[inline(never)]
    pub(super) fn selected_nodes(&self, related: &Related) -> Vec<LocationId> {
        if !self.is_net() && !self.is_chart() {
            return related.locations.iter().copied().collect();
        }
        let ids = (0..self.locations.len()).map(LocationId::new);
        ids.filter(|id| self.stands_for(*id).is_some_and(|thing| related.contains(thing))).collect()
    }

    /// The edges that are selected on the page. An arc is selected with its transition only.
    pub(super) fn selected_edges(&self, related: &Related) -> Vec<EdgeId> {
        if self.is_chart() {
            let is_related = |edge: &Edge| edge.about.iter().any(|thing| related.contains(*thing));
            let part = |edge: &Edge| match self.part(&edge.key)? {
                Part::Edge(id) => Some(id),
                Part::Node(_) => None,
            };
            return self.drawing.edges.iter().filter(|edge| is_related(edge)).filter_map(part).collect();
        }
        if self.is_net() { Vec::new() } else { related.edges.iter().copied().collect() }
    }

    /// An edge in a drawing.
    pub(super) fn edge_in<'a>(&self, drawing: &'a Drawing, id: EdgeId) -> Option<&'a Edge> {
        if self.is_net() {
            return drawing.edges.get(id.index());
        }
        if self.is_chart() {
            return drawing
                .edges
                .iter()
                .find(|edge| matches!(self.part(&edge.key), Some(Part::Edge(it)) if it == id));
        }
        drawing.edges.iter().find(|edge| edge.about.contains(&Thing::Edge(id)))
    }

    /// Is this node a place of a net?
    pub(super) fn is_place(&self, id: LocationId) -> bool {
        self.locations.get(id.index()).is_some_and(|location| location.tokens.is_some())
    }
}

impl Related {
    /// What these nodes stand for.
    #[inline(never)]
    pub(super) fn of_nodes(model: &ModelInfo, ids: impl Iterator<Item = LocationId>) -> Related {
        let mut all = Related::default();
        for thing in ids.filter_map(|id| model.stands_for(id)) {
            match thing {
                Thing::Location(id) => drop(all.locations.insert(id)),
                Thing::Edge(id) => drop(all.edges.insert(id)),
                thing => drop(all.others.insert(thing)),
            }
        }
        all
    }
}
