//! Propagation and explanation of comparisons: shortest paths over reduced weights, which are non-negative.

use crate::arith::difference::{Graph, INACTIVE, NodeId, Walk};
use crate::arith::lemma::Lemma;
use crate::cdcl::lit::Lit;

/// Limit of nodes visited in each direction for one new edge.
const VISITS: i64 = 200;
/// Propagation has a budget: each edge and each implied comparison adds this number of visits of nodes; without budget
/// the search is skipped. On job shops every search finds something, on unrolled nets next to none does.
const PER_EDGE: i64 = 2;
const PER_CONSEQUENCE: i64 = 40;
const CREDIT: i64 = 20_000;

impl Graph {
    /// Adds the comparisons implied by edges since the last call to `out`.
    pub(crate) fn imply(&mut self, out: &mut Vec<Lit>) {
        while let Some(&lit) = self.active.get(self.propagated) {
            self.propagated += 1;
            self.credit = (self.credit + PER_EDGE).min(CREDIT);
            if self.credit > 0 {
                self.imply_over(lit, out);
            }
        }
    }

    /// The comparisons between nodes whose shortest path contains the new edge.
    fn imply_over(&mut self, new: Lit, out: &mut Vec<Lit>) {
        let edge = self.edge(new);
        let (mut walk, mut back) = (std::mem::take(&mut self.walk), std::mem::take(&mut self.back));
        self.credit -= self.explore(&mut walk, new, true) + self.explore(&mut back, new, false);
        let reduced = edge.weight + self.potentials[edge.from as usize] - self.potentials[edge.to as usize];
        let count = |lists: &[Vec<Lit>], nodes: &[NodeId]| {
            nodes.iter().map(|n| lists[*n as usize].len()).sum::<usize>()
        };
        let forward = count(&self.all_out, &back.reached) <= count(&self.all_into, &walk.reached);
        let (sources, lists) =
            if forward { (&back.reached, &self.all_out) } else { (&walk.reached, &self.all_into) };
        let first = out.len();
        for &node in sources {
            for &lit in &lists[node as usize] {
                if self.settled[lit.var() as usize].is_some() {
                    continue;
                }
                let e = self.edge(lit);
                let (from, to) = (e.from as usize, e.to as usize);
                let over = |w: &Walk, n: usize| w.done[n] == w.round && w.over[n];
                if !over(&back, from) || !over(&walk, to) {
                    continue;
                }
                let path = back.distance[from] + walk.distance[to] - reduced - self.potentials[from]
                    + self.potentials[to];
                if path <= e.weight {
                    out.push(lit);
                }
            }
        }
        for lit in &out[first..] {
            self.settle(lit.var());
        }
        self.credit += PER_CONSEQUENCE * (out.len() - first) as i64;
        self.walk = walk;
        self.back = back;
    }

    /// Shortest paths from the source of `new` (or to its target, against the edges). Nodes reached over `new` are
    /// kept; the search ends when no more can be reached. Returns the number of visited nodes.
    fn explore(&self, walk: &mut Walk, new: Lit, forward: bool) -> i64 {
        let edge = self.edge(new);
        let start = if forward { edge.from } else { edge.to };
        walk.begin(self.terms.len());
        walk.improve(start, 0, new, false);
        let mut open = 0;
        let mut visits = 0;
        while let Some(node) = walk.next() {
            let over = walk.over[node as usize];
            if over {
                open -= 1;
                walk.reached.push(node);
            }
            visits += 1;
            if visits > VISITS {
                return visits;
            }
            let distance = walk.distance[node as usize];
            let list = if forward { &self.out[node as usize] } else { &self.into[node as usize] };
            for &by in list {
                let e = self.edges[by.index()].expect("active");
                let next = if forward { e.to } else { e.from };
                let reduced = e.weight + self.potentials[e.from as usize] - self.potentials[e.to as usize];
                let n = next as usize;
                let was_over = walk.met[n] == walk.round && walk.done[n] != walk.round && walk.over[n];
                let is_over = over || by == new;
                if walk.improve(next, distance + reduced, by, is_over) {
                    open += usize::from(is_over);
                    open -= usize::from(was_over);
                }
            }
            if open == 0 {
                break;
            }
        }
        visits
    }

    /// The explanation of a propagated literal: a path between its ends, of edges active at that time.
    pub(crate) fn explain(&mut self, lit: Lit) -> Lemma {
        let limit = self.settled[lit.var() as usize].expect("it was implied");
        let target = self.edge(lit);
        let mut walk = std::mem::take(&mut self.walk);
        walk.begin(self.terms.len());
        walk.improve(target.from, 0, lit, false);
        while let Some(node) = walk.next() {
            if node == target.to {
                break;
            }
            let distance = walk.distance[node as usize];
            for &by in &self.out[node as usize] {
                let e = self.edges[by.index()].expect("active");
                debug_assert!(e.since != INACTIVE);
                if e.since < limit {
                    let reduced =
                        e.weight + self.potentials[e.from as usize] - self.potentials[e.to as usize];
                    walk.improve(e.to, distance + reduced, by, false);
                } else {
                    // Active edges are in the order of their activation.
                    break;
                }
            }
        }
        let cycle = self.path(&walk, target.to, target.from, |e| e.from, !lit);
        self.walk = walk;
        Lemma::cycle(cycle)
    }
}
