//! The abstract reachability graph after a prefix of the journal.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::kit::{Arrival, Event, FormulaId, Journal, Label, NodeId, View};
use crate::methods::{cegar, explicit, under};
use crate::system::EdgeId;
use crate::views::chunks::Chunks;

/// The status of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// On the waitlist.
    Open,
    /// Taken from the waitlist; its successors are being computed.
    Current,
    /// All successors are in the graph.
    Expanded,
    /// Covered by another node.
    Covered(NodeId),
    /// A concrete state that is not explored, since another one with the same predicates is.
    Matched(NodeId),
    /// At the error location.
    Target,
    /// At the error location, on a concrete run.
    Reached,
}

impl Status {
    /// The node that is explored instead.
    pub(crate) fn by(self) -> Option<NodeId> {
        match self {
            Status::Covered(by) | Status::Matched(by) => Some(by),
            Status::Open | Status::Current | Status::Expanded | Status::Target | Status::Reached => None,
        }
    }
}

/// A node of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgNodeView {
    /// Its label.
    pub label: Arc<Label>,
    /// Its parent and the edge from it.
    pub from: Option<(NodeId, EdgeId)>,
    /// Its children, oldest first, removed ones included.
    pub children: Vec<NodeId>,
    /// Its status (for a removed node: the last one).
    pub status: Status,
    /// Edges that cannot be taken from it.
    pub blocked: Vec<EdgeId>,
    /// A concrete state of the search of an under-approximation, and no abstract state.
    pub searched: bool,
    /// Why the step to it is not exact: a part of a weakest precondition.
    pub lost: Option<FormulaId>,
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
    pub nodes: Chunks<ArgNodeView>,
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

    /// Those of the abstract reachability graph: without the states of a search in turns with it.
    pub(crate) fn abstract_nodes(&self) -> impl Iterator<Item = (NodeId, &ArgNodeView)> {
        self.live().filter(|(_, node)| !node.searched)
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

    /// Appends a node.
    ///
    /// # Panics
    /// If it is not the next one, or has no label.
    pub(crate) fn add(&mut self, node: NodeId, from: Option<Arrival>, journal: &Journal) {
        assert_eq!(node.index(), self.nodes.len(), "node ids are dense");
        let from = from.map(Arrival::pair);
        self.nodes.push(ArgNodeView {
            label: Arc::new(journal.states[node.index()].clone()),
            from,
            children: Vec::new(),
            status: Status::Open,
            blocked: Vec::new(),
            searched: false,
            lost: None,
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

    /// Removes the subtree of a node.
    pub(crate) fn prune(&mut self, root: NodeId) {
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

    /// Sets the status of a node, which gets the focus.
    pub(crate) fn set(&mut self, node: NodeId, status: Status) {
        self.nodes[node.index()].status = status;
        self.focus.push(node);
    }
}

impl View for ArgView {
    fn apply(&mut self, event: &Event, journal: &Journal) {
        self.focus.clear();
        match *event {
            Event::Cegar(event) => cegar::views::draw(self, event, journal),
            Event::Lasso(event) => self.focus.extend(event.node()),
            Event::Explicit(event) => explicit::view::draw(self, event, journal),
            Event::Under(event) => under::view::draw(self, event, journal),
            Event::CombinedApprox(_) | Event::IterationStarted { .. } | Event::Decided { .. } => {}
            Event::Bmc(_)
            | Event::Induction(_)
            | Event::Imc(_)
            | Event::Equation(_)
            | Event::Pdr(_)
            | Event::Split(_) => {}
        }
        self.applied += 1;
    }
}
