//! The abstract reachability graph as it stands after a prefix of the journal.

use std::collections::BTreeSet;

use crate::kit::{Answer, Arrival, Event, Journal, Label, NodeId, View};
use crate::system::EdgeId;

/// Where a node stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Waiting to be looked at.
    Open,
    /// Taken from the waitlist; its successors are being computed.
    Current,
    /// All successors are there.
    Expanded,
    /// Covered by another node.
    Covered(NodeId),
    /// At the error location.
    Target,
}

/// A node of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgNodeView {
    /// Its label.
    pub label: Label,
    /// Its parent and the edge from it.
    pub from: Option<(NodeId, EdgeId)>,
    /// Its children, oldest first, removed ones included.
    pub children: Vec<NodeId>,
    /// Where it stands (for a removed node: stood last).
    pub status: Status,
    /// Edges that cannot be taken from it.
    pub blocked: Vec<EdgeId>,
    /// Removed by pruning: shown as a ghost.
    pub pruned: bool,
    /// The number of its event, from 0.
    pub born: usize,
    /// The number of the event that removed it.
    pub died: Option<usize>,
}

/// The whole graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ArgView {
    /// By node id; removed nodes stay.
    pub nodes: Vec<ArgNodeView>,
    /// The nodes the last event is about.
    pub focus: Vec<NodeId>,
    /// How many events were applied.
    pub applied: usize,
}

impl ArgView {
    /// The nodes that are in the graph now, ascending.
    pub fn live(&self) -> impl Iterator<Item = (NodeId, &ArgNodeView)> {
        self.nodes.iter().enumerate().filter(|(_, n)| !n.pruned).map(|(i, n)| (NodeId::new(i), n))
    }

    /// The nodes from the root to `node`.
    #[must_use]
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = vec![node];
        while let Some((parent, _)) = path.last().and_then(|n| self.nodes.get(n.index())).and_then(|n| n.from)
        {
            path.push(parent);
        }
        path.reverse();
        path
    }

    fn prune(&mut self, root: NodeId) {
        let mut stack = vec![root];
        let mut seen = BTreeSet::new();
        while let Some(id) = stack.pop() {
            let node = &mut self.nodes[id.index()];
            if !node.pruned && seen.insert(id) {
                node.pruned = true;
                node.died = Some(self.applied);
                stack.extend(&node.children);
            }
        }
    }

    fn set(&mut self, node: NodeId, status: Status) {
        self.nodes[node.index()].status = status;
    }
}

impl View for ArgView {
    fn apply(&mut self, event: &Event, journal: &Journal) {
        self.focus.clear();
        match *event {
            Event::NodeAdded { node, from } | Event::StateReached { state: node, from } => {
                let from = from.map(Arrival::pair);
                assert_eq!(node.index(), self.nodes.len(), "node ids are dense");
                self.nodes.push(ArgNodeView {
                    label: journal.states[node.index()].clone(),
                    from,
                    children: Vec::new(),
                    status: Status::Open,
                    blocked: Vec::new(),
                    pruned: false,
                    born: self.applied,
                    died: None,
                });
                self.focus.push(node);
                if let Some((parent, _)) = from {
                    self.nodes[parent.index()].children.push(node);
                    self.focus.push(parent);
                }
            }
            Event::NodeSelected { node } => self.set(node, Status::Current),
            Event::NodeCovered { node, by } => self.set(node, Status::Covered(by)),
            Event::NodeExpanded { node } | Event::StateExpanded { state: node } => {
                self.set(node, Status::Expanded);
            }
            Event::CexFound { node, .. } | Event::ErrorReached { state: node } => {
                self.set(node, Status::Target)
            }
            Event::NodeUncovered { node } => self.set(node, Status::Open),
            Event::NodeReopened { node } => {
                self.set(node, Status::Open);
                self.nodes[node.index()].blocked.clear();
            }
            Event::EdgeChecked { node, edge, answer: Answer::Unsat }
            | Event::ValuesListed { node, edge, found: 0, complete: true }
            | Event::EdgeBlocked { node, edge } => self.nodes[node.index()].blocked.push(edge),
            Event::Pruned { node } => self.prune(node),
            _ => {}
        }
        match *event {
            Event::NodeSelected { node }
            | Event::NodeExpanded { node }
            | Event::StateExpanded { state: node }
            | Event::ErrorReached { state: node }
            | Event::CexFound { node, .. }
            | Event::CexChosen { node, .. }
            | Event::Interpolated { node, .. }
            | Event::EdgeChecked { node, .. }
            | Event::EdgeBlocked { node, .. }
            | Event::ValuesListed { node, .. }
            | Event::CubesListed { node, .. }
            | Event::PredicateChecked { node, .. }
            | Event::Pruned { node }
            | Event::NodeUncovered { node }
            | Event::NodeReopened { node }
            | Event::Coloured { node, .. }
            | Event::LetterChecked { node, .. }
            | Event::LassoVisited { node, .. } => self.focus.push(node),
            Event::StateKnown { state, from } => self.focus.extend([state, from.pair().0]),
            Event::NodeCovered { node, by }
            | Event::CoverChecked { node, by, .. }
            | Event::CexSkipped { node, by } => self.focus.extend([node, by]),
            _ => {}
        }
        self.applied += 1;
    }
}
