//! Difference logic: is a set of constraints `x − y ≤ c` consistent, and which other comparisons does it imply?
//!
//! A constraint `x − y ≤ c` is an edge from `y` to `x` of weight `c`; the set is consistent unless edges form a
//! negative cycle (Cotton and Maler, "Fast and Flexible Difference Constraint Propagation for DPLL(T)", 2006).
//! Potentials `π` with `π(y) + c ≥ π(x)` for every edge are maintained and repaired when an edge is added; they are a
//! solution. An edge that completes a path implies the comparisons between nodes whose shortest path contains it.
//!
//! Weights are machine integers: bounds are multiplied by their common denominator. Over the reals one unit is 2^20,
//! and `<` subtracts 1. A cycle has fewer than 2^20 edges, so a sum is negative exactly when the exact one is. Bounds
//! that are too large are left to the simplex, so that nothing overflows.

mod propagate;
mod snapshot;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::arith::delta::Delta;
use crate::arith::lemma::Lemma;
use crate::cdcl::lit::{Lit, Var};
use crate::hash::Map;
use crate::number::Q;
use crate::term::{Node, Sort, Term, Terms};

type NodeId = u32;

/// Nodes (and so edges of a simple cycle) are fewer than this; it is also the weight of one unit over the reals.
const NODES: i64 = 1 << 20;
/// Absolute weights are below this, so that the weight of a simple path is below 2^61.
const WEIGHT: i64 = 1 << 41;
/// Repairing only lowers potentials; below this bound they are computed anew. So differences of potentials and sums
/// along paths fit a machine integer.
const LOWEST: i64 = -(1 << 61);

/// The constraint of one literal.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: NodeId,
    to: NodeId,
    weight: i64,
    /// Its index among the active edges, or [`INACTIVE`].
    since: u32,
}

const INACTIVE: u32 = u32::MAX;

/// An entry of an adjacency list.
#[derive(Clone, Copy, Debug)]
struct Arc {
    /// The other end.
    node: NodeId,
    lit: Lit,
    weight: i64,
}

/// A comparison that is not a difference, or whose bound is too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unfit;

/// The constraints, those in force, and a solution of the latter.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    sort: Sort,
    /// The common denominator of all bounds.
    denominator: i64,
    /// By node; the first one is zero.
    terms: Vec<Option<Term>>,
    node_of: Map<Term, NodeId>,
    potentials: Vec<i64>,
    /// Is some potential below [`LOWEST`]?
    low: bool,
    /// By literal.
    edges: Vec<Option<Edge>>,
    /// Active edges by source and by target, oldest first.
    out: Vec<Vec<Arc>>,
    into: Vec<Vec<Arc>>,
    /// All edges by source and by target.
    all_out: Vec<Vec<Arc>>,
    all_into: Vec<Vec<Arc>>,
    active: Vec<Lit>,
    /// The last edge that would have closed a negative cycle, for observers.
    refused: Option<Lit>,
    /// Active edges before this one were propagated.
    propagated: usize,
    /// By variable: asserted or implied, and how many edges were active when it was implied.
    settled: Vec<Option<u32>>,
    settled_trail: Vec<Var>,
    walk: Walk,
    back: Walk,
    /// Limit of node visits left for the search for implied comparisons.
    credit: i64,
}

/// A backtracking point.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    active: usize,
    settled: usize,
}

/// Search for shortest paths.
#[derive(Clone, Debug, Default)]
struct Walk {
    round: u32,
    /// By node.
    met: Vec<Met>,
    heap: BinaryHeap<Reverse<Nearness>>,
    reached: Vec<NodeId>,
}

/// A node in a search.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    /// The round in which it was reached, and the round in which it was settled.
    met: u32,
    done: u32,
    /// Does the shortest path contain the new edge?
    over: bool,
    /// The edge it was reached by.
    by: Lit,
    distance: i64,
}

/// The distance of a node, whether the path contains the new edge (such paths come first), and the node, as one number
/// for the heap.
type Nearness = u128;

fn nearness(distance: i64, over: bool, node: NodeId) -> Nearness {
    let distance = distance as u64 ^ (1 << 63);
    u128::from(distance) << 33 | u128::from(!over) << 32 | u128::from(node)
}

impl Walk {
    fn begin(&mut self, nodes: usize) {
        self.met.resize(nodes, Met::default());
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.met.fill(Met::default());
            self.round = 1;
        }
        self.heap.clear();
        self.reached.clear();
    }

    /// Is this the shortest path to the node so far?
    fn improve(&mut self, node: NodeId, distance: i64, by: Lit, over: bool) -> bool {
        let met = &mut self.met[node as usize];
        if met.done == self.round {
            return false;
        }
        // Among paths of equal length, those without the new edge are preferred.
        let better =
            met.met != self.round || distance < met.distance || distance == met.distance && met.over && !over;
        if better {
            *met = Met { met: self.round, done: met.done, over, by, distance };
            self.heap.push(Reverse(nearness(distance, over, node)));
        }
        better
    }

    /// Settles and returns the nearest node that is not settled.
    fn next(&mut self) -> Option<NodeId> {
        while let Some(Reverse(nearest)) = self.heap.pop() {
            let node = nearest as NodeId;
            let met = &mut self.met[node as usize];
            if met.done != self.round && nearness(met.distance, met.over, node) == nearest {
                met.done = self.round;
                return Some(node);
            }
        }
        None
    }

    /// The distance of a node that was settled in this round over the new edge.
    fn over(&self, node: NodeId) -> Option<i64> {
        let met = self.met[node as usize];
        (met.done == self.round && met.over).then_some(met.distance)
    }
}

/// `x − y` as its two terms; `None` for zero.
fn difference(terms: &Terms, form: Term) -> Option<(Option<Term>, Option<Term>)> {
    let Node::Linear(_, l) = terms.node(form) else { return Some((Some(form), None)) };
    match l.terms.as_slice() {
        [(x, p), (y, q)] if p.is_one() && *q == Q::MINUS_ONE => Some((Some(*x), Some(*y))),
        _ => None,
    }
}

impl Graph {
    /// A graph for comparisons of one sort. `comparisons` are those known so far: all must be differences with
    /// sufficiently small bounds.
    pub(crate) fn new(terms: &Terms, comparisons: &[(Var, Term)]) -> Result<Graph, Unfit> {
        let mut denominator = Q::ONE;
        let mut sort = None;
        for (_, t) in comparisons {
            let (Node::Le(form, bound) | Node::Lt(form, bound)) = terms.node(*t) else { return Err(Unfit) };
            if *sort.get_or_insert(terms.sort(*form)) != terms.sort(*form) {
                return Err(Unfit);
            }
            denominator = denominator.lcm(&bound.denominator());
        }
        let denominator = denominator.to_i64().filter(|d| *d < WEIGHT).ok_or(Unfit)?;
        let mut graph = Graph {
            sort: sort.unwrap_or(Sort::Int),
            denominator,
            terms: Vec::new(),
            node_of: Map::default(),
            potentials: Vec::new(),
            low: false,
            edges: Vec::new(),
            out: Vec::new(),
            into: Vec::new(),
            all_out: Vec::new(),
            all_into: Vec::new(),
            active: Vec::new(),
            refused: None,
            propagated: 0,
            settled: Vec::new(),
            settled_trail: Vec::new(),
            walk: Walk::default(),
            back: Walk::default(),
            credit: 0,
        };
        graph.add_node(None);
        for (var, t) in comparisons {
            graph.register(terms, *var, *t)?;
        }
        Ok(graph)
    }

    fn add_node(&mut self, term: Option<Term>) -> NodeId {
        self.terms.push(term);
        self.potentials.push(0);
        for arcs in [&mut self.out, &mut self.into, &mut self.all_out, &mut self.all_into] {
            arcs.push(Vec::new());
        }
        (self.terms.len() - 1) as NodeId
    }

    fn node(&mut self, term: Option<Term>) -> NodeId {
        let Some(t) = term else { return 0 };
        if let Some(&n) = self.node_of.get(&t) {
            return n;
        }
        let n = self.add_node(term);
        self.node_of.insert(t, n);
        n
    }

    /// The weight of `≤ bound`, or of `< bound` when `strict`.
    fn weight(&self, bound: &Q, strict: bool) -> Result<i64, Unfit> {
        let unit = if self.sort == Sort::Real { NODES } else { 1 };
        let scaled = (bound * &Q::from(self.denominator)).to_i64().ok_or(Unfit)?;
        let weight = scaled.checked_mul(unit).and_then(|w| w.checked_sub(i64::from(strict)));
        weight.filter(|w| w.unsigned_abs() < WEIGHT.unsigned_abs()).ok_or(Unfit)
    }

    /// Registers a comparison.
    pub(crate) fn register(&mut self, terms: &Terms, var: Var, term: Term) -> Result<(), Unfit> {
        let (Node::Le(form, bound) | Node::Lt(form, bound)) = terms.node(term) else { return Err(Unfit) };
        let sort = terms.sort(*form);
        let (x, y) = difference(terms, *form).ok_or(Unfit)?;
        let same_sort = |t: Option<Term>| t.is_none_or(|t| terms.sort(t) == self.sort);
        let strict = matches!(terms.node(term), Node::Lt(..));
        if sort != self.sort || !same_sort(x) || !same_sort(y) || self.terms.len() as i64 >= NODES - 2 {
            return Err(Unfit);
        }
        let weight = self.weight(bound, strict)?;
        let opposite = match self.sort {
            Sort::Int => -weight - 1,
            _ => self.weight(&-bound, !strict)?,
        };
        let (x, y) = (self.node(x), self.node(y));
        let index = Lit::new(var, false).index();
        if self.edges.len() <= index {
            self.edges.resize(index + 1, None);
            self.settled.resize(var as usize + 1, None);
        }
        for (positive, from, to, weight) in [(true, y, x, weight), (false, x, y, opposite)] {
            let lit = Lit::new(var, positive);
            self.edges[lit.index()] = Some(Edge { from, to, weight, since: INACTIVE });
            self.all_out[from as usize].push(Arc { node: to, lit, weight });
            self.all_into[to as usize].push(Arc { node: from, lit, weight });
        }
        Ok(())
    }

    /// Is this comparison registered?
    #[inline]
    pub(crate) fn knows(&self, var: Var) -> bool {
        self.edges.get(2 * var as usize).is_some_and(Option::is_some)
    }

    /// Does the comparison hold for the current potentials?
    pub(crate) fn phase(&self, var: Var) -> Option<bool> {
        let edge = (*self.edges.get(Lit::new(var, true).index())?)?;
        Some(self.potentials[edge.from as usize] + edge.weight >= self.potentials[edge.to as usize])
    }

    #[inline]
    fn edge(&self, lit: Lit) -> Edge {
        self.edges[lit.index()].expect("the comparison was registered")
    }

    /// Memory in use in words, approximately.
    pub(crate) fn size(&self) -> usize {
        12 * self.edges.len() + 40 * self.terms.len()
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { active: self.active.len(), settled: self.settled_trail.len() }
    }

    /// Undoes all assertions since `mark`. The potentials are kept: they satisfy fewer edges, too.
    pub(crate) fn undo(&mut self, mark: Mark) {
        for lit in self.active.drain(mark.active..).rev() {
            let edge = self.edges[lit.index()].as_mut().expect("active");
            edge.since = INACTIVE;
            self.out[edge.from as usize].pop();
            self.into[edge.to as usize].pop();
        }
        for var in self.settled_trail.drain(mark.settled..) {
            self.settled[var as usize] = None;
        }
        self.propagated = self.propagated.min(mark.active);
        self.refused = None;
    }

    /// Adds the edge of a literal, unless the active edges imply it.
    ///
    /// # Errors
    /// If it closes a negative cycle.
    pub(crate) fn assert(&mut self, lit: Lit) -> Result<(), Lemma> {
        if self.settled[lit.var() as usize].is_some() {
            return Ok(());
        }
        if self.low {
            self.find_anew();
        }
        let edge = self.edge(lit);
        if self.potentials[edge.from as usize] + edge.weight < self.potentials[edge.to as usize] {
            self.repair(lit, edge).map_err(|cycle| {
                self.refused = Some(lit);
                Lemma::cycle(cycle)
            })?;
        }
        self.settle(lit.var());
        let since = self.active.len() as u32;
        self.edges[lit.index()] = Some(Edge { since, ..edge });
        let Edge { from, to, weight, .. } = edge;
        self.out[from as usize].push(Arc { node: to, lit, weight });
        self.into[to as usize].push(Arc { node: from, lit, weight });
        self.active.push(lit);
        Ok(())
    }

    /// Potentials computed from zero: relaxes the active edges, which have no negative cycle, to a fixpoint
    /// (Bellman-Ford).
    fn find_anew(&mut self) {
        self.low = false;
        self.potentials.fill(0);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for lit in &self.active {
                let Edge { from, to, weight, .. } = self.edges[lit.index()].expect("active");
                let most = self.potentials[from as usize] + weight;
                if most < self.potentials[to as usize] {
                    self.potentials[to as usize] = most;
                    changed = true;
                }
            }
        }
    }

    fn settle(&mut self, var: Var) {
        self.settled[var as usize] = Some(self.active.len() as u32);
        self.settled_trail.push(var);
    }

    /// Lowers potentials until the new edge is satisfied, nearest first; returns the edges of a negative cycle if there
    /// is one.
    fn repair(&mut self, lit: Lit, edge: Edge) -> Result<(), Vec<Lit>> {
        let mut walk = std::mem::take(&mut self.walk);
        walk.begin(self.terms.len());
        // The distance of a node is the decrease of its potential so far: its absolute value only grows.
        let fall = self.potentials[edge.from as usize] + edge.weight - self.potentials[edge.to as usize];
        walk.improve(edge.to, fall, lit, false);
        let mut cycle = None;
        'nodes: while let Some(node) = walk.next() {
            walk.reached.push(node);
            let potential = self.potentials[node as usize] + walk.met[node as usize].distance;
            for &Arc { node: to, lit: next, weight } in &self.out[node as usize] {
                let fall = potential + weight - self.potentials[to as usize];
                if fall < 0 && walk.improve(to, fall, next, false) && to == edge.from {
                    cycle = Some(self.path(&walk, edge.from, edge.to, |e| e.from, lit));
                    break 'nodes;
                }
            }
        }
        if cycle.is_none() {
            for &node in &walk.reached {
                self.potentials[node as usize] += walk.met[node as usize].distance;
                self.low |= self.potentials[node as usize] < LOWEST;
            }
        }
        self.walk = walk;
        cycle.map_or(Ok(()), Err)
    }

    /// The edges from `end` back to `start`, with `first` before them.
    fn path(
        &self,
        walk: &Walk,
        end: NodeId,
        start: NodeId,
        step: impl Fn(Edge) -> NodeId,
        first: Lit,
    ) -> Vec<Lit> {
        let mut edges = vec![first];
        let mut node = end;
        while node != start {
            let by = walk.met[node as usize].by;
            edges.push(by);
            node = step(self.edge(by));
        }
        edges
    }

    /// A weight as whole units and the small units subtracted by strict bounds, times the denominator.
    fn parts(&self, weight: i64) -> Delta {
        let unit = if self.sort == Sort::Real { NODES } else { 1 };
        let whole = (weight + unit / 2).div_euclid(unit);
        Delta::new(Q::from(whole), Q::from(weight - whole * unit))
    }

    /// A solution, by term. Over the reals the unit of strict bounds is chosen as large as the active edges allow, so
    /// that values are simple.
    pub(crate) fn values(&self) -> Map<Term, Q> {
        let parts = |weight: i64| self.parts(weight);
        let mut epsilon = Q::ONE;
        for lit in &self.active {
            let e = self.edge(*lit);
            let mut slack = parts(self.potentials[e.from as usize]);
            slack.add_scaled(&Q::ONE, &parts(e.weight));
            slack = slack.minus(&parts(self.potentials[e.to as usize]));
            if slack.infinitesimal.is_negative() {
                epsilon = epsilon.min(-&(&slack.real / &slack.infinitesimal));
            }
        }
        let scale = Q::from(self.denominator);
        let value = |n: usize| {
            let d = parts(self.potentials[n]).minus(&parts(self.potentials[0]));
            &(&d.real + &(&d.infinitesimal * &epsilon)) / &scale
        };
        self.terms.iter().enumerate().filter_map(|(n, t)| t.map(|t| (t, value(n)))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Alternates between two contradictory sets of large constraints: each change lowers all potentials.
    #[test]
    fn potentials_do_not_fall_for_ever() {
        let mut t = Terms::new();
        let nodes: Vec<Term> = (0..100).map(|i| t.var(&format!("x{i}"), Sort::Int)).collect();
        let far = t.num(Q::from(-(WEIGHT - 2)), Sort::Int);
        let mut comparisons: Vec<(Var, Term)> = Vec::new();
        for pair in nodes.windows(2) {
            for (a, b) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                let difference = t.sub(a, b);
                let t = t.le(difference, far);
                comparisons.push((comparisons.len() as Var, t));
            }
        }
        let terms: Vec<(Var, Term)> = comparisons.iter().map(|(v, c)| (*v, t.strip(*c).0)).collect();
        let lits: Vec<Lit> = comparisons.iter().map(|(v, c)| Lit::new(*v, !t.strip(*c).1)).collect();
        let mut graph = Graph::new(&t, &terms).unwrap();
        let start = graph.mark();
        for round in 0..13_000 {
            for lit in lits.iter().skip(round % 2).step_by(2) {
                graph.assert(*lit).unwrap();
            }
            let fits = |lit: &Lit| {
                let e = graph.edge(*lit);
                graph.potentials[e.from as usize] + e.weight >= graph.potentials[e.to as usize]
            };
            assert!(graph.active.iter().all(fits), "round {round}");
            graph.undo(start);
        }
        assert!(graph.potentials.iter().all(|p| *p > i64::MIN / 2));
    }

    #[test]
    fn bounds_that_are_too_large_are_left_to_the_simplex() {
        let mut t = Terms::new();
        let [x, y] = ["x", "y"].map(|n| t.var(n, Sort::Int));
        let difference = t.sub(x, y);
        for bound in [i64::MIN, i64::MIN + 1, -WEIGHT, WEIGHT, i64::MAX] {
            let bound = t.num(Q::from(bound), Sort::Int);
            let c = t.le(difference, bound);
            assert!(Graph::new(&t, &[(0, t.strip(c).0)]).is_err());
        }
    }
}
