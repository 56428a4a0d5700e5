//! A system as one symbolic transition system (Hajdu, Tóth, Vörös and Majzik, "A Configurable CEGAR Framework with
//! Interpolation-Based Refinements", 2016, section 2.1): `Init` and `Inv` over the variables `V`, `Tran` over `V ∪ V′`,
//! and the states that are bad.
//!
//! A step is a large block. If there are several cutpoints, the cutpoint of a state is encoded in binary with truth
//! values `@0`, `@1`, …; with two cutpoints there is one such value, `@` and the name of the second one. If no run
//! returns to the initial location, it has no states, and `Init` describes the states after the first step. Only
//! variables that are live at some cutpoint belong to a state.

mod bits;
mod context;
mod run;
mod unrolling;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use solver_lite::number::Q;
use solver_lite::term::{Node, Sort, Term, Terms};

use crate::certificate::Certificate;
use crate::encoding::precision::Precision;
use crate::encoding::{Encoding, READABLE};
use crate::expr::{Expr, Type, to_term};
use crate::system::{Blocks, EdgeId, LocationId, System, VarId};

use bits::{Bits, Candidate};
pub(crate) use context::Context;
pub(crate) use run::Outline;
pub(crate) use unrolling::Unrolling;

/// One of several disjuncts: an edge, and the formula of taking it.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) edge: EdgeId,
    pub(crate) taken: Term,
}

/// The transition system.
#[derive(Clone, Debug)]
pub(crate) struct Symbolic {
    /// All terms.
    pub(crate) encoding: Encoding,
    /// The system, with its large blocks.
    pub(crate) blocks: Arc<Blocks>,
    whole: Arc<System>,
    /// The locations of states.
    pub(crate) cutpoints: Vec<LocationId>,
    /// The truth values that encode the cutpoint of a state, with those after a step.
    bits: Vec<(Term, Term)>,
    /// The variables of a state.
    pub(crate) variables: Vec<VarId>,
    /// The least and greatest values of bounded integers.
    ranges: BTreeMap<VarId, (Q, Q)>,
    /// Those that are encoded in binary.
    binary: Bits,
    /// The values of a state, and of the state after a step: those of the bits, then those of the variables.
    pub(crate) current: Vec<Term>,
    pub(crate) next: Vec<Term>,
    /// The next value of each current value.
    after: BTreeMap<Term, Term>,
    /// Over the values of a state.
    pub(crate) init: Vec<Way>,
    /// Over the values of two states and auxiliary variables.
    pub(crate) trans: Vec<Way>,
    /// Over the values of a state and auxiliary variables.
    pub(crate) bad: Vec<Way>,
    /// Ranges and the invariant, over the values of a state.
    pub(crate) inv: Term,
    /// Additional formulas over a state.
    pub(crate) given: Vec<Term>,
    /// Is the number of states finite?
    pub(crate) finite: bool,
    /// Is the first step part of `init`?
    starts_outside: bool,
}

impl Symbolic {
    /// The transition system of a system with an error location.
    pub(crate) fn new(system: &Arc<System>, given: &[Expr]) -> Symbolic {
        Symbolic::of_blocks(system, given, Arc::new(Blocks::of(system)))
    }

    /// The same with each edge as a step.
    pub(crate) fn stepwise(system: &Arc<System>) -> Symbolic {
        Symbolic::of_blocks(system, &[], Arc::new(Blocks::none(system)))
    }

    fn of_blocks(system: &Arc<System>, given: &[Expr], blocks: Arc<Blocks>) -> Symbolic {
        let mut first = blocks.system.out_edges(system.initial).iter().map(|e| blocks.system.edge(*e));
        let fails_at_once = first.any(|e| Some(e.target) == system.error);
        if !blocks.system.returns_to_start() && !fails_at_once {
            let s = Symbolic::with(system, given, Arc::clone(&blocks), true);
            let vars = |w: &Way| s.encoding.terms.vars(w.taken);
            let current: std::collections::HashSet<Term> = s.current.iter().copied().collect();
            if s.init.iter().all(|w| vars(w).iter().all(|v| current.contains(v))) {
                return s;
            }
        }
        Symbolic::with(system, given, blocks, false)
    }

    fn with(system: &Arc<System>, given: &[Expr], blocks: Arc<Blocks>, starts_outside: bool) -> Symbolic {
        let encoding = Encoding::new(&blocks.system, &blocks, Precision::new(None));
        let is_state = |l: &LocationId| {
            blocks.cutpoints[l.index()]
                && Some(*l) != system.error
                && (*l != system.initial || !starts_outside)
        };
        let cutpoints: Vec<LocationId> = system.location_ids().filter(is_state).collect();
        let live = |v: &VarId| cutpoints.iter().any(|l| blocks.live[l.index()].contains(v));
        let variables: Vec<VarId> = system.var_ids().filter(live).collect();
        let mut s = Symbolic {
            encoding,
            whole: Arc::clone(system),
            cutpoints,
            bits: Vec::new(),
            current: Vec::new(),
            next: Vec::new(),
            after: BTreeMap::new(),
            variables,
            ranges: BTreeMap::new(),
            binary: Bits::default(),
            init: Vec::new(),
            trans: Vec::new(),
            bad: Vec::new(),
            inv: Term::TRUE,
            blocks,
            starts_outside,
            finite: false,
            given: Vec::new(),
        };
        s.name_state();
        s.describe();
        let current: Vec<Term> = system.var_ids().map(|v| s.encoding.current(v)).collect();
        for e in given {
            s.given.push(to_term(e, &mut s.encoding.terms, &mut |v| current[v.index()]));
        }
        s.in_binary();
        s.after = s.current.iter().copied().zip(s.next.iter().copied()).collect();
        s
    }

    /// Encodes small numbers in binary where that is possible.
    fn in_binary(&mut self) {
        let integer = |v: &&VarId| self.blocks.system.variable(**v).ty.sort() == Sort::Int;
        let integers = self.variables.iter().filter(integer);
        self.ranges = integers.filter_map(|v| Some((*v, self.range(self.encoding.current(*v))?))).collect();
        let boolean = |v: &VarId| self.blocks.system.variable(*v).ty.sort() == Sort::Bool;
        self.finite = self.variables.iter().all(|v| boolean(v) || self.ranges.contains_key(v));
        let candidates: Vec<Candidate> = self.variables.iter().filter_map(|v| self.candidate(*v)).collect();
        let ways = || self.init.iter().chain(&self.trans).chain(&self.bad);
        let mut formulas: Vec<Term> =
            ways().map(|w| w.taken).chain(self.given.iter().copied()).chain([self.inv]).collect();
        self.binary = Bits::choose(&candidates, &formulas, &mut self.encoding.terms);
        formulas = self.binary.encoded(&formulas, &mut self.encoding.terms);
        let mut formulas = formulas.into_iter();
        for way in self.init.iter_mut().chain(&mut self.trans).chain(&mut self.bad) {
            way.taken = formulas.next().expect("one each");
        }
        for t in &mut self.given {
            *t = formulas.next().expect("one each");
        }
        let domain = self.binary.domain(&mut self.encoding.terms);
        let inv = formulas.next().expect("the last one");
        self.inv = self.encoding.terms.and([domain, inv]);
        for b in &self.binary.all {
            let at = self.current.iter().position(|t| *t == b.terms[0].0).expect("a value of the state");
            self.current.splice(at..=at, b.terms[0].1.iter().copied());
            self.next.splice(at..=at, b.terms[1].1.iter().copied());
        }
    }

    /// An integer that has few values, with its intermediate values in blocks, which the invariant covers, too.
    fn candidate(&self, v: VarId) -> Option<Candidate> {
        let variable = self.blocks.system.variable(v);
        let (lo, hi) = self.ranges.get(&v)?.clone();
        let copies = self.encoding.edges.iter().flat_map(|e| &e.inner.auxiliary);
        let own = |(_, [before, _]): &(&Term, &[String; 2])| {
            before.strip_suffix('⟨') == Some(variable.name.as_str())
        };
        let copies: BTreeSet<Term> = copies.filter(own).map(|(t, _)| *t).collect();
        let ends = [self.encoding.current(v), self.encoding.next(v)];
        let listed = matches!(variable.declared, Type::Enum(_));
        Some(Candidate { terms: ends.into_iter().chain(copies).collect(), lo, hi, listed })
    }

    /// The number of values of a variable within its range and the invariant.
    pub(crate) fn size(&self, v: VarId) -> Option<Q> {
        let (lo, hi) = self.ranges.get(&v)?;
        Some(&(hi - lo) + &Q::ONE)
    }

    /// The least and greatest value of a bounded integer.
    pub(crate) fn bounds(&self, v: VarId) -> Option<(Q, Q)> {
        self.ranges.get(&v).cloned()
    }

    /// A formula over the values of variables as one over the terms of a state.
    pub(crate) fn in_state(&mut self, t: Term) -> Term {
        self.binary.encoded(&[t], &mut self.encoding.terms)[0]
    }

    /// The least and greatest value of an integer within its range and the invariant.
    fn range(&self, x: Term) -> Option<(Q, Q)> {
        let (mut lo, mut hi): (Option<Q>, Option<Q>) = (None, None);
        let mut parts = vec![self.inv];
        while let Some(t) = parts.pop() {
            let (atom, negated) = self.encoding.terms.strip(t);
            match self.encoding.terms.node(atom) {
                Node::And(all) if !negated => parts.extend(all.iter()),
                Node::Le(form, bound) if *form == x && !negated => {
                    hi = Some(hi.map_or(bound.clone(), |h| h.min(bound.clone())));
                }
                Node::Le(form, bound) if *form == x => {
                    let least = bound + &Q::ONE;
                    lo = Some(lo.map_or(least.clone(), |l| l.max(least)));
                }
                _ => {}
            }
        }
        lo.zip(hi)
    }

    /// Do states at a location belong to the transition system? For a program every named location counts.
    pub(crate) fn is_state(&self, location: LocationId) -> bool {
        let counts =
            !self.blocks.system.location(location).anonymous && Some(location) != self.blocks.system.error;
        counts && (location != self.blocks.system.initial || !self.starts_outside)
    }

    /// The formula for being at the initial location if no run returns there; `None` if it has no such states.
    pub(crate) fn start(&mut self) -> Option<Term> {
        let system = Arc::clone(&self.blocks.system);
        let cutpoint = self.cutpoints.iter().position(|h| *h == system.initial)?;
        if system.returns_to_start() {
            return None;
        }
        Some(self.here(cutpoint, false))
    }

    /// The positions of the terms that encode the cutpoint of a state.
    pub(crate) fn place(&self) -> std::ops::Range<usize> {
        0..self.bits.len()
    }

    /// The positions of the terms of a state that are the value of a variable.
    pub(crate) fn positions(&self, v: VarId) -> Vec<usize> {
        let value = self.encoding.current(v);
        let at = |t: &Term| self.current.iter().position(|c| c == t);
        match self.binary.all.iter().find(|b| b.terms[0].0 == value) {
            Some(b) => b.terms[0].1.iter().filter_map(at).collect(),
            None => at(&value).into_iter().collect(),
        }
    }

    /// The variable of a term of a state; none for terms that encode the cutpoint.
    pub(crate) fn variable_of(&self, t: Term) -> Option<VarId> {
        let at = self.current.iter().position(|c| *c == t)?;
        self.variables.iter().copied().find(|v| self.positions(*v).contains(&at))
    }

    /// A formula over a state, decoded for readers.
    pub(crate) fn readable(&mut self, t: Term) -> Term {
        self.binary.decoded(t, &mut self.encoding.terms)
    }

    /// Its text, decoded for readers: at most about [`READABLE`] bytes, then `…`.
    pub(crate) fn text(&mut self, t: Term) -> String {
        let (binary, literals) = (&self.binary, &self.encoding.literals);
        self.encoding.terms.aside(|terms| {
            let readable = binary.decoded(t, terms);
            terms.infix_with(readable, &|name, q| literals.name(name, q)).up_to(READABLE)
        })
    }

    /// The store of all terms.
    pub(crate) fn terms(&mut self) -> &mut Terms {
        &mut self.encoding.terms
    }

    fn name_state(&mut self) {
        let count = usize::BITS - self.cutpoints.len().saturating_sub(1).leading_zeros();
        for i in 0..count {
            // With two cutpoints the truth value has the name of the second one.
            let name = match self.cutpoints[..] {
                [_, other] => self.blocks.system.location(other).name.clone(),
                _ => i.to_string(),
            };
            let [now, then] =
                ["", "′"].map(|end| self.encoding.terms.var(&format!("@{name}{end}"), Sort::Bool));
            self.bits.push((now, then));
        }
        let of = |v: &VarId| (self.encoding.current(*v), self.encoding.next(*v));
        let values: Vec<(Term, Term)> =
            self.bits.iter().copied().chain(self.variables.iter().map(of)).collect();
        (self.current, self.next) = values.into_iter().unzip();
        let mut parts: Vec<Term> = Vec::new();
        for v in self.variables.clone() {
            let value = self.encoding.current(v);
            parts.push(self.blocks.system.domain(v, value, &mut self.encoding.terms));
        }
        let current: Vec<Term> = self.blocks.system.var_ids().map(|v| self.encoding.current(v)).collect();
        parts.push(to_term(&self.blocks.system.invariant, &mut self.encoding.terms, &mut |v| {
            current[v.index()]
        }));
        let somewhere: Vec<Term> = (0..self.cutpoints.len()).map(|h| self.here(h, false)).collect();
        parts.push(self.encoding.terms.or(somewhere));
        self.inv = self.encoding.terms.and(parts);
    }

    /// The state is at the cutpoint with this number; after a step if `next`.
    pub(crate) fn here(&mut self, cutpoint: usize, next: bool) -> Term {
        let mut parts = Vec::with_capacity(self.bits.len());
        for (i, (now, then)) in self.bits.iter().enumerate() {
            let bit = if next { *then } else { *now };
            parts.push(if cutpoint >> i & 1 == 1 { bit } else { self.encoding.terms.not(bit) });
        }
        self.encoding.terms.and(parts)
    }

    fn describe(&mut self) {
        let system = Arc::clone(&self.blocks.system);
        if !self.starts_outside {
            let current: Vec<Term> = system.var_ids().map(|v| self.encoding.current(v)).collect();
            let values = system.initial_term(&mut self.encoding.terms, &mut |v| current[v.index()]);
            let cutpoint = self.cutpoints.iter().position(|h| *h == system.initial).expect("it is a state");
            let here = self.here(cutpoint, false);
            let taken = self.encoding.terms.and([here, values, self.inv]);
            // No edge leads there.
            self.init.push(Way { edge: EdgeId::new(0), taken });
        }
        for edge in system.location_ids().flat_map(|l| system.out_edges(l).to_vec()) {
            let (source, target) = (system.edge(edge).source, system.edge(edge).target);
            let at = |l: LocationId| self.cutpoints.iter().position(|h| *h == l);
            match (at(source), at(target)) {
                (None, Some(target)) if self.starts_outside && source == system.initial => {
                    let way = self.first(edge, target);
                    self.init.push(way);
                }
                (Some(source), Some(target)) => {
                    let way = self.step(edge, source, target);
                    self.trans.push(way);
                }
                (Some(source), None) if Some(target) == system.error => {
                    let here = self.here(source, false);
                    let formula = self.encoding.edges[edge.index()].formula;
                    let taken = self.encoding.terms.and([here, formula]);
                    self.bad.push(Way { edge, taken });
                }
                _ => {}
            }
        }
    }

    /// A step from the initial location, which has no states: the written values are the current values, the values
    /// before are auxiliary variables.
    fn first(&mut self, edge: EdgeId, target: usize) -> Way {
        let system = Arc::clone(&self.blocks.system);
        let EdgeTermParts { formula, written } = self.edge(edge);
        let mut before: Vec<Term> = Vec::new();
        for v in system.var_ids() {
            let variable = system.variable(v);
            let is_written = written.binary_search(&v).is_ok();
            let name = format!("{}⟨start⟩", variable.name);
            let own = if is_written {
                self.encoding.terms.var(&name, variable.ty.sort())
            } else {
                self.encoding.current(v)
            };
            before.push(own);
        }
        let current: Vec<Term> = system.var_ids().map(|v| self.encoding.current(v)).collect();
        let formula = self.encoding.instantiate(formula, &|v| before[v.index()], &|v| current[v.index()]);
        let speaks_of: BTreeSet<Term> = self.encoding.terms.vars(formula).into_iter().collect();
        let outside = written.iter().any(|v| speaks_of.contains(&before[v.index()]));
        let mut parts = vec![self.here(target, false), formula, self.inv];
        // Otherwise these are the values after the step.
        if outside || system.initial_formula.as_constant().is_none() {
            parts.push(system.initial_term(&mut self.encoding.terms, &mut |v| before[v.index()]));
        }
        Way { edge, taken: self.encoding.terms.and(parts) }
    }

    fn edge(&self, edge: EdgeId) -> EdgeTermParts {
        let term = &self.encoding.edges[edge.index()];
        EdgeTermParts { formula: term.formula, written: term.written.clone() }
    }

    fn step(&mut self, edge: EdgeId, source: usize, target: usize) -> Way {
        let EdgeTermParts { formula, written } = self.edge(edge);
        let mut parts = vec![self.here(source, false), self.here(target, true), formula];
        for v in self.variables.clone() {
            if written.binary_search(&v).is_err() {
                let (now, then) = (self.encoding.current(v), self.encoding.next(v));
                parts.push(self.encoding.terms.eq(then, now));
            }
        }
        Way { edge, taken: self.encoding.terms.and(parts) }
    }

    /// The disjunction `⋁` of ways.
    pub(crate) fn any(&mut self, ways: &[Way]) -> Term {
        let taken: Vec<Term> = ways.iter().map(|w| w.taken).collect();
        self.encoding.terms.or(taken)
    }

    /// `Init`, `Tran` and the bad states, with the invariant.
    pub(crate) fn formulas(&mut self) -> [Term; 3] {
        let [init, trans, bad] = [self.init.clone(), self.trans.clone(), self.bad.clone()];
        let [init, trans, bad] = [init, trans, bad].map(|ways| self.any(&ways));
        let inv = self.inv;
        let after = self.primed(inv);
        let terms = self.terms();
        [terms.and([init, inv]), terms.and([trans, inv, after]), terms.and([bad, inv])]
    }

    /// A formula over a state as one over the state after a step.
    pub(crate) fn primed(&mut self, t: Term) -> Term {
        let Symbolic { encoding, after, .. } = self;
        encoding.terms.substitute(t, |_, x| after.get(&x).copied())
    }

    /// The invariant of each location from an inductive formula over states; `None` if it is too large to be written
    /// down.
    pub(crate) fn certificate(&mut self, inductive: Term) -> Option<Certificate> {
        let system = Arc::clone(&self.blocks.system);
        let mut locations = Vec::new();
        if self.starts_outside {
            let initial = system.expr_text(&system.initial_formula);
            locations.push((system.location(system.initial).name.clone(), initial));
        }
        for (h, cutpoint) in self.cutpoints.clone().into_iter().enumerate() {
            let bits: BTreeMap<Term, Term> = self
                .bits
                .iter()
                .enumerate()
                .map(|(i, (now, _))| (*now, if h >> i & 1 == 1 { Term::TRUE } else { Term::FALSE }))
                .collect();
            let here = self.encoding.terms.substitute(inductive, |_, x| bits.get(&x).copied());
            let here = self.readable(here);
            locations.push((system.location(cutpoint).name.clone(), self.encoding.whole_text(here)?));
        }
        let error = system.error?;
        locations.push((system.location(error).name.clone(), "false".to_owned()));
        Some(Certificate::Invariant { locations })
    }
}

struct EdgeTermParts {
    formula: Term,
    written: Vec<VarId>,
}
