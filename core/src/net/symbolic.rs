//! The set of reachable markings as a multi-valued decision diagram, by saturation (Ciardo, Lüttgen and Siminiceanu,
//! "Saturation: An Efficient Iteration Strategy for Symbolic State-Space Generation", 2001).
//!
//! ```text
//! saturate(node at level k, whose children are saturated):
//!   until nothing changes
//!     for each transition whose highest place is at level k, and each value i that permits it:
//!       child(i's value after firing) ∪← fire(transition, child(i))
//! fire(transition, node at level l):
//!   below the lowest place of the transition → the node itself
//!   otherwise a node of the children after firing, saturated
//! ```
//!
//! Each place is a level, in an order in which connected places are close. A node has a child for each number of
//! tokens; edges lead to the next lower level, node 0 is the empty set at every level, and equal nodes are one. Unions
//! of saturated nodes are saturated, since each is closed under the transitions below. The diagram of a bounded net is
//! often small although the markings are very many.

use std::collections::HashMap;

use super::order::force;
use super::{Net, PlaceArc, PlaceId, TransitionId, weight};

/// A node; 0 is the empty set, and 1 the set of the empty marking at the bottom.
type NodeId = u32;

/// The greatest number of places: the recursion goes from level to level.
const LEVELS: usize = if cfg!(target_pointer_width = "32") { 300 } else { 1_000 };
/// The greatest number of tokens of a place.
const TOKENS: usize = 1 << 16;

/// Why there is no diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// The reachable markings.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// The places by level, the lowest first.
    order: Vec<PlaceId>,
    nodes: Nodes,
    root: NodeId,
}

/// The nodes, each once.
#[derive(Clone, Debug)]
struct Nodes {
    /// Where the children of each node are.
    ranges: Vec<(u32, u32)>,
    children: Vec<NodeId>,
    /// By level and children. The list of a node ends with a child that is not empty.
    known: HashMap<(u32, Box<[NodeId]>), NodeId>,
    unions: HashMap<(NodeId, NodeId), NodeId>,
    most: usize,
}

/// A transition at one level.
#[derive(Clone, Copy, Debug)]
struct Local {
    level: usize,
    needs: usize,
    adds: usize,
    /// Fewer tokens than this are required.
    limit: usize,
}

impl Local {
    fn permits(self, tokens: usize) -> bool {
        tokens >= self.needs && tokens < self.limit
    }
}

/// A transition over levels, the highest first.
#[derive(Clone, Debug)]
struct Event {
    locals: Vec<Local>,
}

impl Event {
    fn at(&self, level: usize) -> Option<Local> {
        self.locals.iter().find(|l| l.level == level).copied()
    }

    fn lowest(&self) -> usize {
        self.locals.last().map_or(usize::MAX, |l| l.level)
    }
}

/// A computation in progress.
struct Saturation {
    nodes: Nodes,
    events: Vec<Event>,
    /// By level, the events whose highest level it is.
    tops: Vec<Vec<usize>>,
    fired: HashMap<(u32, NodeId), NodeId>,
}

impl Diagram {
    /// The reachable markings of a net, with at most so many nodes.
    ///
    /// # Errors
    /// If the diagram is too large; that of an unbounded net always is.
    pub fn of(net: &Net, most: usize) -> Result<Diagram, TooLarge> {
        if net.places.len() > LEVELS {
            return Err(TooLarge);
        }
        let mut order = force(net);
        order.reverse();
        let mut level_of = vec![0; order.len()];
        order.iter().enumerate().for_each(|(level, p)| level_of[p.index()] = level);
        let events: Vec<Event> = net.transition_ids().map(|t| event(net, t, &level_of)).collect();
        let mut tops = vec![Vec::new(); order.len()];
        for (i, e) in events.iter().enumerate() {
            if let Some(top) = e.locals.first() {
                tops[top.level].push(i);
            }
        }
        let mut saturation = Saturation { nodes: Nodes::new(most), events, tops, fired: HashMap::new() };
        let mut root = 1;
        for (level, p) in order.iter().enumerate() {
            let tokens = net.place(*p).tokens as usize;
            if tokens >= TOKENS {
                return Err(TooLarge);
            }
            let mut children = vec![0; tokens];
            children.push(root);
            root = saturation.saturate(level, children)?;
        }
        Ok(Diagram { order, nodes: saturation.nodes, root })
    }

    /// The number of nodes of the reachable markings.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.reachable().len()
    }

    fn reachable(&self) -> Vec<(usize, NodeId)> {
        let top = self.order.len();
        let mut seen = vec![false; self.nodes.ranges.len()];
        let (mut all, mut open) = (Vec::new(), vec![(top, self.root)]);
        while let Some((level, node)) = open.pop() {
            if node < 2 || std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            all.push((level, node));
            open.extend(self.nodes.children(node).iter().map(|c| (level - 1, *c)));
        }
        all
    }

    /// The number of reachable markings; none if it has more than 128 bits.
    #[must_use]
    pub fn markings(&self) -> Option<u128> {
        self.nodes.count(self.root)
    }

    /// The number of dead markings, in which no transition is enabled.
    ///
    /// # Errors
    /// If the diagrams are too large.
    pub fn dead(&mut self, net: &Net) -> Result<Option<u128>, TooLarge> {
        let mut level_of = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(level, p)| level_of[p.index()] = level);
        let mut dead = self.root;
        for t in net.transition_ids() {
            let mut locals = event(net, t, &level_of).locals;
            locals.retain(|l| l.needs > 0 || l.limit < usize::MAX);
            let event = Event { locals };
            let top = self.order.len();
            dead = self.nodes.without(&event, top, dead, &mut HashMap::new())?;
        }
        Ok(self.nodes.count(dead))
    }

    /// By place, the greatest number of tokens.
    #[must_use]
    pub fn bounds(&self) -> Vec<u32> {
        let mut bounds = vec![0_u32; self.order.len()];
        for (level, node) in self.reachable() {
            let most = u32::try_from(self.nodes.children(node).len() - 1).expect("tokens are limited");
            let bound = &mut bounds[self.order[level - 1].index()];
            *bound = most.max(*bound);
        }
        bounds
    }
}

/// A transition over levels.
fn event(net: &Net, t: TransitionId, level_of: &[usize]) -> Event {
    let t = net.transition(t);
    let mut places: Vec<PlaceId> =
        [&t.inputs, &t.outputs, &t.inhibitors].into_iter().flatten().map(|a: &PlaceArc| a.place).collect();
    places.sort_unstable_by_key(|p| std::cmp::Reverse(level_of[p.index()]));
    places.dedup();
    let local = |p: PlaceId| Local {
        level: level_of[p.index()],
        needs: weight(&t.inputs, p) as usize,
        adds: weight(&t.outputs, p) as usize,
        limit: match weight(&t.inhibitors, p) {
            0 => usize::MAX,
            limit => limit as usize,
        },
    };
    Event { locals: places.into_iter().map(local).collect() }
}

impl Saturation {
    /// A node with these children, closed under the events whose highest level is this one or below.
    fn saturate(&mut self, level: usize, mut children: Vec<NodeId>) -> Result<NodeId, TooLarge> {
        loop {
            let mut changed = false;
            for at in 0..self.tops[level].len() {
                let event = self.tops[level][at];
                let local = self.events[event].locals[0];
                let mut tokens = local.needs;
                while tokens < children.len() {
                    if children[tokens] != 0 && local.permits(tokens) {
                        let after = self.fire(event, level, children[tokens])?;
                        let to = tokens - local.needs + local.adds;
                        if after != 0 {
                            grow(&mut children, to)?;
                            let joined = self.nodes.union(level, children[to], after)?;
                            changed |= joined != children[to];
                            children[to] = joined;
                        }
                    }
                    tokens += 1;
                }
            }
            if !changed {
                return self.nodes.node(level, children);
            }
        }
    }

    /// The markings below a level after an event, saturated; the node is a child at that level.
    fn fire(&mut self, event: usize, above: usize, node: NodeId) -> Result<NodeId, TooLarge> {
        if node == 0 || above <= self.events[event].lowest() {
            return Ok(node);
        }
        let key = (u32::try_from(event).expect("few transitions"), node);
        if let Some(known) = self.fired.get(&key) {
            return Ok(*known);
        }
        let level = above - 1;
        let local = self.events[event].at(level);
        let mut result = Vec::new();
        for tokens in 0..self.nodes.children(node).len() {
            let child = self.nodes.children(node)[tokens];
            let to = match local {
                _ if child == 0 => continue,
                None => tokens,
                Some(local) if local.permits(tokens) => tokens - local.needs + local.adds,
                Some(_) => continue,
            };
            let after = self.fire(event, level, child)?;
            if after != 0 {
                grow(&mut result, to)?;
                result[to] = self.nodes.union(level, result[to], after)?;
            }
        }
        let after = if result.is_empty() { 0 } else { self.saturate(level, result)? };
        self.fired.insert(key, after);
        Ok(after)
    }
}

/// Makes room for a child.
fn grow(children: &mut Vec<NodeId>, to: usize) -> Result<(), TooLarge> {
    if to >= TOKENS {
        return Err(TooLarge);
    }
    if children.len() <= to {
        children.resize(to + 1, 0);
    }
    Ok(())
}

impl Nodes {
    fn new(most: usize) -> Nodes {
        Nodes {
            ranges: vec![(0, 0); 2],
            children: Vec::new(),
            known: HashMap::new(),
            unions: HashMap::new(),
            most,
        }
    }

    fn children(&self, node: NodeId) -> &[NodeId] {
        let (start, end) = self.ranges[node as usize];
        &self.children[start as usize..end as usize]
    }

    /// The node with these children.
    fn node(&mut self, level: usize, mut children: Vec<NodeId>) -> Result<NodeId, TooLarge> {
        while children.last() == Some(&0) {
            children.pop();
        }
        if children.is_empty() {
            return Ok(0);
        }
        let key = (u32::try_from(level).expect("few levels"), children.into_boxed_slice());
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        if self.ranges.len() >= self.most {
            return Err(TooLarge);
        }
        let id = NodeId::try_from(self.ranges.len()).map_err(|_| TooLarge)?;
        let start = u32::try_from(self.children.len()).map_err(|_| TooLarge)?;
        self.children.extend_from_slice(&key.1);
        let end = u32::try_from(self.children.len()).map_err(|_| TooLarge)?;
        self.ranges.push((start, end));
        self.known.insert(key, id);
        Ok(id)
    }

    /// The union of two sets of markings below a level.
    fn union(&mut self, above: usize, a: NodeId, b: NodeId) -> Result<NodeId, TooLarge> {
        if a == b || b == 0 {
            return Ok(a);
        }
        if a == 0 {
            return Ok(b);
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.unions.get(&key) {
            return Ok(*known);
        }
        let (m, n) = (self.children(a).len(), self.children(b).len());
        let child = |nodes: &Nodes, node: NodeId, i: usize| nodes.children(node).get(i).copied().unwrap_or(0);
        let mut children = Vec::with_capacity(m.max(n));
        for i in 0..m.max(n) {
            let (x, y) = (child(self, a, i), child(self, b, i));
            children.push(self.union(above - 1, x, y)?);
        }
        let union = self.node(above - 1, children)?;
        self.unions.insert(key, union);
        Ok(union)
    }

    /// The markings of a set in which a transition is not enabled.
    fn without(
        &mut self,
        event: &Event,
        above: usize,
        node: NodeId,
        known: &mut HashMap<NodeId, NodeId>,
    ) -> Result<NodeId, TooLarge> {
        if node == 0 || event.locals.is_empty() || above <= event.lowest() {
            return Ok(0);
        }
        if let Some(known) = known.get(&node) {
            return Ok(*known);
        }
        let (level, local) = (above - 1, event.at(above - 1));
        let mut children = self.children(node).to_vec();
        for (tokens, child) in children.iter_mut().enumerate() {
            if local.is_none_or(|l| l.permits(tokens)) {
                *child = self.without(event, level, *child, known)?;
            }
        }
        let kept = self.node(level, children)?;
        known.insert(node, kept);
        Ok(kept)
    }

    /// The number of markings of a set; none if it has more than 128 bits.
    fn count(&self, node: NodeId) -> Option<u128> {
        // Children have smaller numbers than their parents.
        let mut counts: Vec<Option<u128>> = Vec::with_capacity(node as usize + 1);
        counts.extend([Some(0), Some(1)]);
        for n in 2..=node {
            let sum =
                self.children(n).iter().try_fold(0_u128, |sum, c| sum.checked_add(counts[*c as usize]?));
            counts.push(sum);
        }
        counts.get(node as usize).copied().flatten()
    }
}
