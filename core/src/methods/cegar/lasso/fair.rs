//! Accepting cycles that may be repeated infinitely often: those on which every measure that decreases may also
//! increase. A measure is like a strong fairness condition (Kesten and Pnueli, "Verification by Augmented Finitary
//! Abstraction", 2000): if it decreases infinitely often, it increases infinitely often.
//!
//! ```text
//! for each component with an accepting cycle
//!   a measure decreases on one of its edges and increases on none
//!     → remove the edges that decrease it, and decompose the rest
//!   otherwise → an accepting lasso
//! ```
//!
//! The measures whose edges are removed, and the order of the components, are the ranks of a certificate.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use solver_lite::{Answer as Checked, Solver};

use super::rank::decreases;
use super::{LassoCegar, ROOT};
use crate::buchi::components;
use crate::buchi::emptiness::{Graph as _, Steps, Vertex, shortest};
use crate::kit::NodeId;

/// The effect of a step on a measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    /// It decreases by at least 1, and was not negative.
    Decreases,
    /// It does not increase.
    Keeps,
    /// It may increase, or is not defined at one of the ends.
    Grows,
}

/// The effects of edges of the graph: by measure, vertex and number of the successor.
pub(super) type Directions = HashMap<(usize, Vertex, usize), Direction>;

/// An edge: a vertex and the number of its successor.
pub(super) type Edge = (Vertex, usize);

/// Result of the fair-cycle search.
pub(super) enum Fair {
    /// Some cycle may be repeated infinitely often.
    Lasso(Steps),
    /// There is no such cycle: the rank of each vertex.
    Ranks(BTreeMap<Vertex, Vec<String>>),
}

impl LassoCegar {
    /// A vertex that is reached and has no successors yet.
    pub(super) fn unexplored(&self) -> Option<Vertex> {
        let mut seen = BTreeSet::from([ROOT]);
        let mut queue = VecDeque::from([ROOT]);
        while let Some(v) = queue.pop_front() {
            let Some(out) = self.graph.successors(v) else { return Some(v) };
            queue.extend(out.iter().copied().filter(|w| seen.insert(*w)));
        }
        None
    }

    /// The edges on cycles of accepting components, with the measures on which their effect is not determined yet.
    pub(super) fn undirected(&self) -> Vec<(usize, Edge)> {
        let parts = self.graph.components(ROOT);
        let reached = || parts.of.iter().enumerate().filter_map(|(v, c)| Some((v, (*c)?)));
        let accepts: BTreeSet<usize> =
            reached().filter(|(v, _)| self.graph.accepting[*v]).map(|(_, c)| c).collect();
        let mut open = Vec::new();
        for (v, c) in reached().filter(|(_, c)| accepts.contains(c)) {
            let out = self.graph.successors(v).unwrap_or_default().iter().enumerate();
            for (i, _) in out.filter(|(_, w)| parts.of[**w] == Some(c)) {
                let unknown = (0..self.measures.len()).filter(|m| !self.directions.contains_key(&(*m, v, i)));
                open.extend(unknown.map(|m| (m, (v, i))));
            }
        }
        open
    }

    /// Determines the effect of an edge on a measure with a query.
    pub(super) fn direct(&mut self, m: usize, (v, i): Edge) {
        let direction = self.direction(m, (v, i));
        self.directions.insert((m, v, i), direction);
    }

    fn direction(&mut self, m: usize, (v, i): Edge) -> Direction {
        let child = self.children[v][i];
        let (source, target) =
            (self.cegar.arg.node(NodeId::new(v)).state.clone(), self.cegar.arg.node(child).state.clone());
        let at = &self.measures[m].at;
        let (Some(from), Some(to)) = (at.get(&source.location).copied(), at.get(&target.location).copied())
        else {
            return Direction::Grows;
        };
        let (_, edge) = self.cegar.arg.node(child).from.expect("it is a child");
        let cegar = &mut self.cegar;
        let next: Vec<_> = cegar.system.var_ids().map(|v| cegar.encoding.next_value(v, edge)).collect();
        let encoding = &mut cegar.encoding;
        let to = encoding.instantiate(to, &|v| next[v.index()], &|v| next[v.index()]);
        let before = encoding.meaning(&source);
        let after = encoding.meaning(&target);
        let after = encoding.instantiate(after, &|v| next[v.index()], &|v| next[v.index()]);
        let known = [before, encoding.always, encoding.edges[edge.index()].formula, after];
        for (strictly, direction) in [(true, Direction::Decreases), (false, Direction::Keeps)] {
            let mut solver = Solver::new(cegar.limits);
            known.iter().for_each(|t| solver.assert(&mut cegar.encoding.terms, *t));
            let right = decreases(&mut cegar.encoding.terms, from, to, strictly);
            let wrong = cegar.encoding.terms.not(right);
            solver.assert(&mut cegar.encoding.terms, wrong);
            cegar.now().queries += 1;
            if matches!(solver.check(&mut cegar.encoding.terms, &[]), Checked::Unsat) {
                return direction;
            }
        }
        Direction::Grows
    }

    /// The fair-cycle search in the whole graph, with all effects determined.
    pub(super) fn fair(&self) -> Fair {
        let all: BTreeSet<Vertex> = (0..self.graph.out.len()).collect();
        let mut ranks = BTreeMap::new();
        match self.decompose(&all, &BTreeSet::new(), true, &[], &mut ranks) {
            Some(steps) => Fair::Lasso(steps),
            None => Fair::Ranks(ranks),
        }
    }

    /// The fair-cycle search in the components of some vertices without some edges. Each level of recursion removes the
    /// edges that decrease a measure, so there are no more levels than measures.
    fn decompose(
        &self,
        vertices: &BTreeSet<Vertex>,
        without: &BTreeSet<Edge>,
        outermost: bool,
        rank: &[String],
        ranks: &mut BTreeMap<Vertex, Vec<String>>,
    ) -> Option<Steps> {
        let edges = |v: Vertex| -> Vec<(usize, Vertex)> {
            let out = self.graph.successors(v).unwrap_or_default().iter().copied().enumerate();
            out.filter(|(i, w)| vertices.contains(w) && !without.contains(&(v, *i))).collect()
        };
        let successors = |v: Vertex| edges(v).into_iter().map(|(_, w)| w).collect();
        let roots: Vec<Vertex> = if outermost { vec![ROOT] } else { vertices.iter().copied().collect() };
        let parts = components(self.graph.out.len(), roots.into_iter(), &successors);
        let mut members: BTreeMap<usize, BTreeSet<Vertex>> = BTreeMap::new();
        for v in vertices {
            if let Some(c) = parts.of[*v] {
                members.entry(c).or_default().insert(*v);
            }
        }
        for (c, members) in members {
            let here = [rank, &[c.to_string()]].concat();
            let inside: Vec<Edge> = members
                .iter()
                .flat_map(|v| {
                    edges(*v).into_iter().filter(|(_, w)| members.contains(w)).map(|(i, _)| (*v, i))
                })
                .collect();
            let accepts = !inside.is_empty() && members.iter().any(|v| self.graph.accepting[*v]);
            if !accepts {
                ranks.extend(members.iter().map(|v| (*v, here.clone())));
                continue;
            }
            let direction = |m: usize, (v, i): Edge| self.directions.get(&(m, v, i)).copied();
            let ends = |m: &usize| {
                inside.iter().any(|e| direction(*m, *e) == Some(Direction::Decreases))
                    && inside
                        .iter()
                        .all(|e| matches!(direction(*m, *e), Some(Direction::Decreases | Direction::Keeps)))
            };
            let Some(m) = (0..self.measures.len()).find(ends) else {
                return Some(self.lasso_in(&members, &inside));
            };
            let mut less = without.clone();
            less.extend(inside.iter().filter(|e| direction(m, **e) == Some(Direction::Decreases)));
            // The measure differs from location to location.
            let marker = [&here[..], &[format!("#{m}")]].concat();
            if let Some(steps) = self.decompose(&members, &less, false, &marker, ranks) {
                return Some(steps);
            }
        }
        None
    }

    /// A lasso in a component: to an accepting vertex, then for each measure over an edge that may increase it, and
    /// back.
    fn lasso_in(&self, members: &BTreeSet<Vertex>, inside: &[Edge]) -> Steps {
        let seed = *members.iter().find(|v| self.graph.accepting[**v]).expect("it accepts");
        let connected = "a component is connected, and reached";
        let (stem, _) = shortest(&self.graph, ROOT, &|_, _| true, &|v| v == seed, false).expect(connected);
        let allowed = |v: Vertex, i: usize| inside.contains(&(v, i));
        let (mut cycle, mut at): (Vec<Edge>, Vertex) = (Vec::new(), seed);
        for m in 0..self.measures.len() {
            let grows = |e: &&Edge| self.directions.get(&(m, e.0, e.1)) == Some(&Direction::Grows);
            let Some(edge) = inside.iter().find(grows).copied() else { continue };
            if cycle.contains(&edge) {
                continue;
            }
            let (way, _) = shortest(&self.graph, at, &allowed, &|v| v == edge.0, false).expect(connected);
            cycle.extend(way);
            cycle.push(edge);
            at = self.graph.successors(edge.0).unwrap_or_default()[edge.1];
        }
        if at != seed || cycle.is_empty() {
            cycle.extend(shortest(&self.graph, at, &allowed, &|v| v == seed, true).expect(connected).0);
        }
        Steps { stem, cycle }
    }
}
