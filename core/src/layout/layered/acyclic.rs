//! Components, and in each the edges that close cycles turned round.
//!
//! A depth-first search from the top of the component finds them: for a program, these are the edges back to the
//! heads of its loops.

use super::Edge;

/// A component of the graph as an acyclic one.
pub(super) struct Component {
    /// Its nodes; every link leads to a later one. The first is the top, or the upper border before it.
    pub(super) order: Vec<usize>,
    /// Its edges, turned downwards.
    pub(super) links: Vec<Link>,
    /// Its edges from a node to itself.
    pub(super) loops: Vec<usize>,
}

/// An edge that leads downwards.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub(super) upper: usize,
    pub(super) lower: usize,
    /// The edge it represents; `None` for a link that only keeps a node below the top.
    pub(super) edge: Option<usize>,
}

/// The original edge leads from the lower node to the upper one.
pub(super) fn turned(link: &Link, edges: &[Edge]) -> bool {
    link.edge.is_some_and(|edge| edges[edge].source != link.upper)
}

/// The weakly connected components: the initial node's first, the others by their smallest node. Nothing is above the
/// node of the upper border.
pub(super) fn components(
    nodes: usize,
    edges: &[Edge],
    initial: usize,
    border: Option<usize>,
) -> Vec<Component> {
    let valid = |edge: &Edge| edge.source < nodes && edge.target < nodes;
    let mut around: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for (id, edge) in edges.iter().enumerate().filter(|(_, edge)| valid(edge)) {
        around[edge.source].push(id);
        if edge.source != edge.target {
            around[edge.target].push(id);
        }
    }
    let mut seen = vec![false; nodes];
    let first = (initial < nodes).then_some(initial);
    let mut found = Vec::new();
    for start in first.into_iter().chain(0..nodes) {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut members = vec![start];
        let mut next = 0;
        while let Some(node) = members.get(next).copied() {
            next += 1;
            for edge in &around[node] {
                for end in [edges[*edge].source, edges[*edge].target] {
                    if !seen[end] {
                        seen[end] = true;
                        members.push(end);
                    }
                }
            }
        }
        members.sort_unstable();
        found.push(component(&members, &around, edges, (first, border)));
    }
    found
}

fn component(
    members: &[usize],
    around: &[Vec<usize>],
    edges: &[Edge],
    (initial, border): (Option<usize>, Option<usize>),
) -> Component {
    let enters =
        |node: usize| around[node].iter().any(|e| edges[*e].target == node && edges[*e].source != node);
    let sources: Vec<usize> = members.iter().copied().filter(|node| !enters(*node)).collect();
    let top = initial.filter(|node| members.binary_search(node).is_ok());
    let top = top.or_else(|| sources.first().copied()).unwrap_or(members[0]);
    let roots = std::iter::once(top).chain(sources.iter().copied()).chain(members.iter().copied());
    let (order, closing) = search(roots, around, edges, border);
    let mut result = Component { order, links: Vec::new(), loops: Vec::new() };
    let mut all: Vec<usize> = members.iter().flat_map(|node| around[*node].iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    let mut headed: Vec<usize> = border.into_iter().chain([top]).collect();
    for id in all {
        let Edge { source, target, .. } = edges[id];
        if source == target {
            result.loops.push(id);
            continue;
        }
        let (upper, lower) = if closing.contains(&id) { (target, source) } else { (source, target) };
        headed.push(lower);
        result.links.push(Link { upper, lower, edge: Some(id) });
    }
    headed.sort_unstable();
    let below = members.iter().filter(|node| headed.binary_search(node).is_err());
    result.links.extend(below.map(|node| Link { upper: top, lower: *node, edge: None }));
    result
}

/// A depth-first search: the nodes in topological order without the edges that close cycles, and those edges.
fn search(
    roots: impl Iterator<Item = usize>,
    around: &[Vec<usize>],
    edges: &[Edge],
    border: Option<usize>,
) -> (Vec<usize>, std::collections::BTreeSet<usize>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        OnPath,
        Done,
    }
    let mut marks = vec![Mark::New; around.len()];
    let mut finished = Vec::new();
    let mut closing = std::collections::BTreeSet::new();
    let mut stack: Vec<(usize, usize)> = Vec::new();
    // The first root is the top: nothing may lead to it but the border.
    let mut top = None;
    for root in roots {
        top = top.or(Some(root));
        if marks[root] != Mark::New {
            continue;
        }
        marks[root] = Mark::OnPath;
        stack.push((root, 0));
        while let Some((node, next)) = stack.last_mut() {
            let (node, at) = (*node, *next);
            *next += 1;
            let Some(id) = around[node].get(at).copied() else {
                marks[node] = Mark::Done;
                finished.push(node);
                stack.pop();
                continue;
            };
            let Edge { source, target, .. } = edges[id];
            if source != node || target == node {
                continue;
            }
            match marks[target] {
                _ if Some(target) == top && Some(node) != border => drop(closing.insert(id)),
                Mark::New => {
                    marks[target] = Mark::OnPath;
                    stack.push((target, 0));
                }
                Mark::OnPath => drop(closing.insert(id)),
                Mark::Done => {}
            }
        }
    }
    finished.reverse();
    // Edges into the top were turned round, so it can stand before everything.
    for first in top.into_iter().chain(border.filter(|border| finished.contains(border))) {
        finished.retain(|node| *node != first);
        finished.insert(0, first);
    }
    (finished, closing)
}
