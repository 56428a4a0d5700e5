//! The abstract reachability graph (Hajdu and Micskei 2020, Definition 3).
//!
//! Without covered-by edges it is a tree. Nodes are never reused; pruned ones stay in the list, marked.

use crate::encoding::precision::Extent;
use crate::kit::NodeId;
use crate::methods::cegar::state::AbstractState;
use crate::system::EdgeId;

/// The status of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeStatus {
    /// Not explored yet: on the waitlist.
    Open,
    /// All successors are in the graph.
    Expanded,
    /// Covered by another node.
    Covered(NodeId),
    /// At the error location.
    Target,
    /// Removed.
    Pruned,
}

/// A node of the graph.
#[derive(Clone, Debug)]
pub struct ArgNode {
    /// Its abstract state.
    pub state: AbstractState,
    /// The parent and the edge from it.
    pub from: Option<(NodeId, EdgeId)>,
    /// The children, oldest first; pruned ones are taken out.
    pub children: Vec<NodeId>,
    /// Its status.
    pub status: NodeStatus,
    /// The number of edges from the root.
    pub depth: u32,
    /// The size of the precision at its location when it was made.
    pub precision: Extent,
}

/// The graph.
#[derive(Clone, Debug, Default)]
pub struct Arg {
    nodes: Vec<ArgNode>,
    /// Nodes by location, ascending; pruned ones are taken out.
    by_location: Vec<Vec<NodeId>>,
}

impl Arg {
    /// A node, pruned or not.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &ArgNode {
        &self.nodes[id.index()]
    }

    /// All nodes ever added, by id.
    #[must_use]
    pub fn nodes(&self) -> &[ArgNode] {
        &self.nodes
    }

    /// The nodes in the graph, ascending.
    pub fn live(&self) -> impl Iterator<Item = (NodeId, &ArgNode)> {
        self.nodes
            .iter()
            .enumerate()
            .filter(|(_, n)| n.status != NodeStatus::Pruned)
            .map(|(i, n)| (NodeId::new(i), n))
    }

    pub(super) fn next_id(&self) -> NodeId {
        NodeId::new(self.nodes.len())
    }

    pub(super) fn add(
        &mut self,
        state: AbstractState,
        from: Option<(NodeId, EdgeId)>,
        precision: Extent,
    ) -> NodeId {
        let new = self.next_id();
        let location = state.location.index();
        if self.by_location.len() <= location {
            self.by_location.resize(location + 1, Vec::new());
        }
        self.by_location[location].push(new);
        let mut depth = 0;
        if let Some((parent, _)) = from {
            let parent = &mut self.nodes[parent.index()];
            parent.children.push(new);
            depth = parent.depth + 1;
        }
        self.nodes.push(ArgNode {
            state,
            from,
            children: Vec::new(),
            status: NodeStatus::Open,
            depth,
            precision,
        });
        new
    }

    pub(super) fn set(&mut self, node: NodeId, status: NodeStatus) {
        self.nodes[node.index()].status = status;
    }

    /// The nodes at the location of `node`, ascending, itself included.
    pub(super) fn neighbours(&self, node: NodeId) -> &[NodeId] {
        &self.by_location[self.node(node).state.location.index()]
    }

    /// Is there a child by this edge?
    pub(super) fn has_child(&self, node: NodeId, edge: EdgeId) -> bool {
        self.node(node).children.iter().any(|c| self.node(*c).from == Some((node, edge)))
    }

    /// The children by this edge.
    pub(super) fn children_by(&self, node: NodeId, edge: EdgeId) -> Vec<NodeId> {
        let by = |c: &NodeId| self.node(*c).from == Some((node, edge));
        self.node(node).children.iter().copied().filter(by).collect()
    }

    /// The nodes from the root to `node`.
    #[must_use]
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = vec![node];
        while let Some((parent, _)) = self.node(path[path.len() - 1]).from {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// Removes the subtree of `root`; gives the nodes that were covered by something in it, ascending.
    pub(super) fn prune(&mut self, root: NodeId) -> Vec<NodeId> {
        if let Some((parent, _)) = self.node(root).from {
            self.nodes[parent.index()].children.retain(|c| *c != root);
        }
        let mut stack = vec![root];
        while let Some(n) = stack.pop() {
            let node = &mut self.nodes[n.index()];
            node.status = NodeStatus::Pruned;
            stack.append(&mut node.children);
            self.by_location[self.nodes[n.index()].state.location.index()].retain(|x| *x != n);
        }
        let lost = |n: &ArgNode| match n.status {
            NodeStatus::Covered(by) => self.node(by).status == NodeStatus::Pruned,
            _ => false,
        };
        let uncovered: Vec<NodeId> = self.live().filter(|(_, n)| lost(n)).map(|(i, _)| i).collect();
        for n in &uncovered {
            self.set(*n, NodeStatus::Open);
        }
        uncovered
    }
}
