//! Propagation and explanation of comparisons: shortest paths over reduced weights, which are non-negative.

use crate::arith::difference::{Arc, Graph, INACTIVE, Met, NodeId, Walk};
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
        let count = |lists: &[Vec<Arc>], nodes: &[NodeId]| {
            nodes.iter().map(|n| lists[*n as usize].len()).sum::<usize>()
        };
        let forward = count(&self.all_out, &back.reached) <= count(&self.all_into, &walk.reached);
        let (sources, lists) =
            if forward { (&back.reached, &self.all_out) } else { (&walk.reached, &self.all_into) };
        let first = out.len();
        for &node in sources {
            for &Arc { node: other, lit, weight } in &lists[node as usize] {
                if self.settled[lit.var() as usize].is_some() {
                    continue;
                }
                let (from, to) = if forward { (node, other) } else { (other, node) };
                let (Some(before), Some(after)) = (back.over(from), walk.over(to)) else { continue };
                let path =
                    before + after - reduced - self.potentials[from as usize] + self.potentials[to as usize];
                if path <= weight {
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
            let Met { over, distance, .. } = walk.met[node as usize];
            if over {
                open -= 1;
                walk.reached.push(node);
            }
            visits += 1;
            if visits > VISITS {
                break;
            }
            let list = if forward { &self.out[node as usize] } else { &self.into[node as usize] };
            let here = self.potentials[node as usize];
            for &Arc { node: next, lit: by, weight } in list {
                let rise = here - self.potentials[next as usize];
                let reduced = weight + if forward { rise } else { -rise };
                let was = walk.met[next as usize];
                let was_over = was.met == walk.round && was.done != walk.round && was.over;
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
            let from = walk.met[node as usize].distance + self.potentials[node as usize];
            for &Arc { node: to, lit: by, weight } in &self.out[node as usize] {
                let since = self.edge(by).since;
                debug_assert!(since != INACTIVE);
                if since < limit {
                    walk.improve(to, from + weight - self.potentials[to as usize], by, false);
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
