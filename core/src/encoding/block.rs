//! A large block as one formula (Beyer, Cimatti, Griggio, Keremoglu and Sebastiani, "Software Model Checking via
//! Large-Block Encoding", 2009, section 4), and back: the edges that a model of it takes.
//!
//! Every location inside has terms for its values. Where several edges meet, the values that differ get fresh copies,
//! and a truth value `@L` is true if one of the edges was taken. So the formula is not larger than the block:
//!
//! ```text
//! @L ⇒ ⋁ edges K → L: @K ∧ the edge's condition ∧ x⟨L⟩ = its value of x …
//! ```
//!
//! Copies are written `x⟨·L⟩`, results of a havoc by edge 3 `x⟨·3⟩`; a step of a path has its own copies, `x⟨7·L⟩`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use solver_lite::Model;
use solver_lite::term::{Sort, Term, Terms};

use crate::encoding::{EdgeTerm, Encoding};
use crate::system::{Block, EdgeId, LocationId, System, VarId};

/// The inner parts of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inner {
    /// The variables of the formula that are neither current nor next values, with the two parts of the name between
    /// which the number of a step is inserted.
    pub(crate) auxiliary: BTreeMap<Term, [String; 2]>,
    /// For each edge, in the order of the block: the condition that the edge was taken to its target, and the results
    /// of its havocs.
    ways: Vec<Way>,
}

#[derive(Clone, Debug)]
struct Way {
    edge: EdgeId,
    source: LocationId,
    target: LocationId,
    taken: Term,
    results: BTreeMap<VarId, Term>,
}

/// A location inside: the condition for being there, and the values.
struct Point {
    reached: Term,
    values: Vec<Term>,
}

struct Encoder<'a> {
    system: &'a System,
    /// The live variables of each location.
    live: &'a [BTreeSet<VarId>],
    next: &'a [Term],
    terms: &'a mut Terms,
    single: bool,
    inner: Inner,
    /// The definitions of the truth values `@L`.
    meanings: Vec<Term>,
}

/// The block over these current and next values.
pub(crate) fn encode(
    (system, live): (&System, &[BTreeSet<VarId>]),
    block: &Block,
    (current, next): (&[Term], &[Term]),
    terms: &mut Terms,
) -> EdgeTerm {
    let (single, inner, meanings) = (block.edges.len() == 1, Inner::default(), Vec::new());
    let mut encoder = Encoder { system, live, next, terms, single, inner, meanings };
    let mut points = BTreeMap::new();
    let start = Point { reached: Term::TRUE, values: current.to_vec() };
    // The edges that lead to a location, until the first that leaves it.
    let mut arrived: BTreeMap<LocationId, Vec<(usize, Point)>> = BTreeMap::new();
    for id in &block.edges {
        let edge = system.edge(*id);
        if edge.source != block.source && !points.contains_key(&edge.source) {
            let all = arrived.remove(&edge.source).expect("edges come after those that lead to them");
            points.insert(edge.source, encoder.meet(edge.source, all));
        }
        let from = if edge.source == block.source { &start } else { &points[&edge.source] };
        let arrival = encoder.pass(*id, from);
        arrived.entry(edge.target).or_default().push(arrival);
    }
    let last = arrived.remove(&block.target).expect("a block leads to its target");
    // Merging keeps live variables only: a dead variable that some edge writes is written with any value.
    let changed: BTreeSet<VarId> = block.edges.iter().flat_map(|e| system.edge(*e).op.written()).collect();
    let lives = |v: &VarId| live[block.target.index()].contains(v);
    let differs = |v: &VarId| last.iter().any(|(_, p)| p.values[v.index()] != current[v.index()]);
    let written: Vec<VarId> =
        system.var_ids().filter(|v| differs(v) || changed.contains(v) && !lives(v)).collect();
    let matters = written.iter().filter(|v| lives(v));
    let result: Vec<(VarId, Term)> = matters.map(|v| (*v, next[v.index()])).collect();
    let ends = encoder.merge(last, &result);
    encoder.meanings.push(ends);
    let formula = encoder.terms.and(std::mem::take(&mut encoder.meanings));
    EdgeTerm { formula, written, assumes: true, inner: Arc::new(encoder.inner) }
}

impl Encoder<'_> {
    fn auxiliary(&mut self, before: String, after: String, sort: Sort) -> Term {
        let t = self.terms.var(&format!("{before}{after}"), sort);
        self.inner.auxiliary.insert(t, [before, after]);
        t
    }

    fn copy(&mut self, v: VarId, place: &str) -> Term {
        let variable = self.system.variable(v);
        let (before, after) = (format!("{}⟨", variable.name), format!("·{place}⟩"));
        self.auxiliary(before, after, variable.ty.sort())
    }

    /// Appends an edge.
    fn pass(&mut self, id: EdgeId, from: &Point) -> (usize, Point) {
        let (system, edge) = (self.system, self.system.edge(id));
        let mut results = BTreeMap::new();
        for v in edge.op.havocs() {
            // The results of a block of one edge are the next values.
            let result = if self.single { self.next[v.index()] } else { self.copy(v, &id.0.to_string()) };
            results.insert(v, result);
        }
        let written = system.effect(&edge.op, self.terms, &mut |v| from.values[v.index()], &mut |v| {
            results.get(&v).copied().unwrap_or(self.next[v.index()])
        });
        let mut values = from.values.clone();
        for (v, value) in written.values {
            values[v.index()] = value;
        }
        let invariant = crate::expr::to_term(&system.invariant, self.terms, &mut |v| values[v.index()]);
        let possible = [from.reached, invariant].into_iter().chain(written.constraints);
        let reached = self.terms.and(possible.collect::<Vec<_>>());
        self.inner.ways.push(Way {
            edge: id,
            source: edge.source,
            target: edge.target,
            taken: reached,
            results,
        });
        (self.inner.ways.len() - 1, Point { reached, values })
    }

    /// The point where edges meet.
    fn meet(&mut self, location: LocationId, mut arrived: Vec<(usize, Point)>) -> Point {
        if arrived.len() == 1 {
            return arrived.remove(0).1;
        }
        let name = self.system.location(location).name.clone();
        let mut values = arrived[0].1.values.clone();
        let mut copies = Vec::new();
        for v in self.live[location.index()].iter().copied() {
            if arrived.iter().any(|(_, p)| p.values[v.index()] != values[v.index()]) {
                let copy = self.copy(v, &name);
                values[v.index()] = copy;
                copies.push((v, copy));
            }
        }
        let ways = self.merge(arrived, &copies);
        let reached = self.auxiliary(format!("@{name}⟨"), "⟩".to_owned(), Sort::Bool);
        let away = self.terms.not(reached);
        let meaning = self.terms.or([away, ways]);
        self.meanings.push(meaning);
        Point { reached, values }
    }

    /// One of these edges was taken, and determines the values.
    fn merge(&mut self, arrived: Vec<(usize, Point)>, values: &[(VarId, Term)]) -> Term {
        let mut ways = Vec::with_capacity(arrived.len());
        for (way, point) in arrived {
            let mut parts = vec![point.reached];
            for (v, value) in values {
                parts.push(self.terms.eq(*value, point.values[v.index()]));
            }
            let taken = self.terms.and(parts);
            self.inner.ways[way].taken = taken;
            ways.push(taken);
        }
        self.terms.or(ways)
    }
}

impl Inner {
    /// The copy for one step of a variable that all steps share.
    pub(crate) fn of_step(&self, step: usize, shared: Term, terms: &mut Terms) -> Option<Term> {
        let [before, after] = self.auxiliary.get(&shared)?;
        let sort = terms.sort(shared);
        Some(terms.var(&format!("{before}{step}{after}"), sort))
    }
}

impl Encoding {
    /// The edges of a block that a model of a step takes, with the values of variables after each, as far as a havoc
    /// gives them; `values` are those before and after the step.
    pub(crate) fn single_edges(
        &mut self,
        block: &Block,
        edge: EdgeId,
        step: usize,
        (before, after): (&[Term], &[Term]),
        model: &Model,
    ) -> Vec<(EdgeId, Vec<Term>)> {
        let inner = Arc::clone(&self.edges[edge.index()].inner);
        let mut edges = Vec::new();
        let mut at = block.target;
        while edges.is_empty() || at != block.source {
            let way = inner.ways.iter().rev().filter(|w| w.target == at).find(|w| {
                let taken = self.terms.substitute(w.taken, |terms, t| inner.of_step(step, t, terms));
                let taken = self.instantiate(taken, &|v| before[v.index()], &|v| after[v.index()]);
                model.eval(&self.terms, taken).bool()
            });
            let way = way.expect("a model of a block takes a way through it");
            let mut values = after.to_vec();
            for (v, result) in &way.results {
                let own = inner.of_step(step, *result, &mut self.terms);
                values[v.index()] = own.unwrap_or(after[v.index()]);
            }
            edges.push((way.edge, values));
            at = way.source;
        }
        edges.reverse();
        edges
    }
}
