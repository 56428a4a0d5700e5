//! Large-block encoding: loop-free parts of the automaton become single steps (Beyer, Cimatti, Griggio, Keremoglu and
//! Sebastiani, "Software Model Checking via Large-Block Encoding", 2009, section 4).
//!
//! *Cutpoints* are the initial location, the error location and the targets of back edges, so every cycle contains one.
//! A block consists of all paths between two cutpoints that pass no third one. Ids of locations and edges are
//! preserved; blocks are edges with the subsequent ids.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::system::{Edge, EdgeId, LocationId, Op, System, VarId};

/// The edges between two cutpoints. Its own edge in the system has no operation, since these edges have them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The source cutpoint.
    pub source: LocationId,
    /// The target cutpoint.
    pub target: LocationId,
    /// Its edges, in topological order.
    pub edges: Vec<EdgeId>,
}

/// A system and its large blocks.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// The system; if there are blocks, only their edges remain connected.
    pub system: Arc<System>,
    /// Each location: is it a cutpoint?
    pub cutpoints: Vec<bool>,
    /// The live variables of each location.
    pub live: Vec<BTreeSet<VarId>>,
    /// The number of edges that are not blocks.
    plain: usize,
    /// By edge id, minus the number of edges that are not blocks.
    blocks: Vec<Block>,
}

impl Blocks {
    /// The blocks of a system.
    #[must_use]
    pub fn of(system: &System) -> Blocks {
        let order = postorder(system);
        let mut position = vec![usize::MAX; system.locations.len()];
        order.iter().rev().enumerate().for_each(|(i, l)| position[l.index()] = i);
        let cutpoints = cutpoints(system, &position);
        let mut blocks = Vec::new();
        for source in order.iter().rev().filter(|l| cutpoints[l.index()]) {
            blocks.extend(blocks_from(system, *source, &cutpoints, &position));
        }
        let live = system.live();
        let mut system = system.clone();
        let plain = system.edges.len();
        let edges: Vec<Edge> = blocks.iter().map(|b| edge(&system, b)).collect();
        system.edges.extend(edges);
        system.index_edges();
        let single: Vec<EdgeId> = (0..plain).map(EdgeId::new).collect();
        system.leave_out(&single);
        Blocks { system: Arc::new(system), cutpoints, live, plain, blocks }
    }

    /// Every edge is a step by itself, and every location is a cutpoint.
    #[must_use]
    pub fn none(system: &Arc<System>) -> Blocks {
        let cutpoints = vec![true; system.locations.len()];
        let live = system.live();
        Blocks { system: Arc::clone(system), cutpoints, live, plain: system.edges.len(), blocks: Vec::new() }
    }

    /// The same with other live variables: those that are used outside of the system, too.
    #[must_use]
    pub fn with_live(self, live: Vec<BTreeSet<VarId>>) -> Blocks {
        Blocks { live, ..self }
    }

    /// The block of an edge.
    #[must_use]
    pub fn get(&self, edge: EdgeId) -> Option<&Block> {
        self.blocks.get(edge.index().checked_sub(self.plain)?)
    }
}

/// The edge of a block. A block with a single path is labelled with its operations.
fn edge(system: &System, block: &Block) -> Edge {
    let first = system.edge(block.edges[0]);
    let branches = block.edges.windows(2).any(|e| system.edge(e[0]).target != system.edge(e[1]).source);
    let said: Vec<&str> =
        block.edges.iter().map(|e| system.edge(*e).label.as_str()).filter(|l| !l.is_empty()).collect();
    let label = if branches { format!("⟦{} edges⟧", block.edges.len()) } else { said.join("; ") };
    Edge { source: block.source, target: block.target, op: Op::Skip, label, span: first.span }
}

/// All reachable locations in postorder: reverse topological, except for loops.
fn postorder(system: &System) -> Vec<LocationId> {
    let mut finished = Vec::new();
    let mut seen = vec![false; system.locations.len()];
    seen[system.initial.index()] = true;
    let mut stack = vec![(system.initial, 0)];
    while let Some((location, next)) = stack.last_mut() {
        let location = *location;
        let Some(edge) = system.out_edges(location).get(*next) else {
            finished.push(location);
            stack.pop();
            continue;
        };
        *next += 1;
        let target = system.edge(*edge).target;
        if !std::mem::replace(&mut seen[target.index()], true) {
            stack.push((target, 0));
        }
    }
    finished
}

/// The initial and the error location, and every target of an edge that does not advance in this order.
fn cutpoints(system: &System, position: &[usize]) -> Vec<bool> {
    let mut cutpoints = vec![false; system.locations.len()];
    for location in [Some(system.initial), system.error].into_iter().flatten() {
        cutpoints[location.index()] = true;
    }
    for edge in &system.edges {
        let [from, to] = [edge.source, edge.target].map(|l| position[l.index()]);
        if from != usize::MAX && to <= from {
            cutpoints[edge.target.index()] = true;
        }
    }
    cutpoints
}

/// The blocks that start at a cutpoint, in the order of their ends.
fn blocks_from(system: &System, source: LocationId, cutpoints: &[bool], position: &[usize]) -> Vec<Block> {
    let mut inner = BTreeSet::from([(position[source.index()], source)]);
    let mut edges: Vec<EdgeId> = Vec::new();
    let mut targets = BTreeSet::new();
    while let Some((_, location)) = inner.pop_first() {
        for edge in system.out_edges(location) {
            let target = system.edge(*edge).target;
            edges.push(*edge);
            if cutpoints[target.index()] {
                targets.insert(target);
            } else {
                inner.insert((position[target.index()], target));
            }
        }
    }
    let block = |target: LocationId| {
        // Backwards from the target, so that only edges that lead to it are kept.
        let mut leading = BTreeSet::new();
        let mut kept = Vec::new();
        for id in edges.iter().rev() {
            let edge = system.edge(*id);
            if edge.target == target || leading.contains(&edge.target) {
                kept.push(*id);
                if edge.source != source {
                    leading.insert(edge.source);
                }
            }
        }
        kept.reverse();
        Block { source, target, edges: kept }
    };
    targets.into_iter().map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_lead_from_head_to_head() {
        let text = "main process p { var x : int var y : int
            init loc A loc H loc B loc C loc D final loc F error loc E
            A -> H { x := 0 } H -> B { assume y > 0 } H -> C { assume y <= 0 } B -> D { x := x + 1 }
            C -> D { x := x + 2 } D -> H { } D -> E { assume x < 0 } H -> F { } }";
        let system = crate::formats::cfa::parse(text).unwrap();
        let blocks = Blocks::of(&system);
        let name = |l: LocationId| system.location(l).name.as_str();
        let shown: Vec<String> = blocks
            .blocks
            .iter()
            .map(|b| {
                format!(
                    "{} {} {:?}",
                    name(b.source),
                    name(b.target),
                    b.edges.iter().map(|e| e.0).collect::<Vec<_>>()
                )
            })
            .collect();
        assert_eq!(shown, ["A H [0]", "H H [1, 2, 4, 3, 5]", "H E [1, 2, 4, 3, 6]"]);
        assert_eq!(blocks.system.edges[8].label, "x := 0");
        assert_eq!(blocks.system.edges[9].label, "⟦5 edges⟧");
        let cutpoints: Vec<&str> =
            system.location_ids().filter(|l| blocks.cutpoints[l.index()]).map(name).collect();
        assert_eq!(cutpoints, ["A", "H", "E"]);
        assert_eq!(blocks.system.out_edges(system.find_location("D").unwrap()), []);
    }
}
