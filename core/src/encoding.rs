//! The system as terms: one for each operation, one for each predicate, and the copies of variables along a path.

pub(crate) mod block;
pub(crate) mod precision;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use solver_lite::term::{Sort, Term, Terms, Value};

use crate::encoding::block::Inner;
use crate::encoding::precision::{Precision, Predicate};
use crate::kit::PredicateId;
use crate::system::{Blocks, EdgeId, Literals, Op, System, VarId};

/// Texts of formulas in journals end after about this number of bytes, since nobody reads millions of characters of a
/// circuit. Certificates have all of them.
pub(crate) const READABLE: usize = 4_000;

/// An operation as a term over current and next values.
#[derive(Clone, Debug)]
pub(crate) struct EdgeTerm {
    pub(crate) formula: Term,
    /// Ascending; all other variables keep their value.
    pub(crate) written: Vec<VarId>,
    /// Does the formula contain more than definitions of the next values, so that it may be unsatisfiable?
    pub(crate) assumes: bool,
    /// The inner parts of a block; empty for a single edge.
    pub(crate) inner: Arc<Inner>,
}

/// All terms of one run.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// The store.
    pub terms: Terms,
    /// The names of the values of enumerations.
    pub(crate) literals: Literals,
    pub(crate) edges: Vec<EdgeTerm>,
    /// Ranges of the current values and the system's invariant: true in every state.
    pub(crate) always: Term,
    pub(crate) precision: Precision,
    current: Vec<Term>,
    next: Vec<Term>,
    /// The variable of each current value.
    variable_of: HashMap<Term, VarId>,
    /// The variable of each next value.
    next_of: HashMap<Term, VarId>,
}

/// A value as a term.
pub(crate) fn constant(terms: &mut Terms, value: &Value, sort: Sort) -> Term {
    match value {
        Value::Bool(true) => Term::TRUE,
        Value::Bool(false) => Term::FALSE,
        Value::Num(q) => terms.num(q.clone(), sort),
    }
}

/// Can the operation be impossible in some state?
fn may_block(op: &Op) -> bool {
    match op {
        Op::Assume(_) | Op::Relation(..) => true,
        Op::Sequence(ops) => ops.iter().any(may_block),
        Op::Skip | Op::Promise(_) | Op::Assign(..) | Op::Update(_) | Op::Havoc(_) => false,
    }
}

/// The value of a variable along a path, written at a step.
pub(crate) fn indexed(system: &System, v: VarId, step: usize, terms: &mut Terms) -> Term {
    let variable = system.variable(v);
    terms.var(&format!("{}⟨{step}⟩", variable.name), variable.ty.sort())
}

impl Encoding {
    pub(crate) fn new(system: &System, blocks: &Blocks, precision: Precision) -> Encoding {
        let mut terms = Terms::new();
        let mut all = |suffix: &str| -> Vec<Term> {
            let var = |v: &crate::system::Variable| terms.var(&format!("{}{suffix}", v.name), v.ty.sort());
            system.variables.iter().map(var).collect()
        };
        let (current, next) = (all(""), all("′"));
        let mut ranges: Vec<Term> = Vec::new();
        for v in system.var_ids() {
            ranges.push(system.domain(v, current[v.index()], &mut terms));
        }
        ranges.push(crate::expr::to_term(&system.invariant, &mut terms, &mut |v| current[v.index()]));
        let always = terms.and(ranges);
        let places = |all: &[Term]| all.iter().enumerate().map(|(i, t)| (*t, VarId::new(i))).collect();
        let (variable_of, next_of) = (places(&current), places(&next));
        let mut encoding = Encoding {
            literals: system.literals(),
            terms,
            edges: Vec::new(),
            always,
            precision,
            current,
            next,
            variable_of,
            next_of,
        };
        // The values of dead variables are unconstrained, which keeps formulas small.
        for e in system.edge_ids() {
            let term = match blocks.get(e) {
                Some(block) => {
                    let ends = (encoding.current.as_slice(), encoding.next.as_slice());
                    block::encode((system, &blocks.live), block, ends, &mut encoding.terms)
                }
                None => encoding.edge(system, e, &blocks.live),
            };
            encoding.edges.push(term);
        }
        encoding
    }

    /// An edge whose operation has changed.
    pub(crate) fn spell(&mut self, system: &System, e: EdgeId, live: &[BTreeSet<VarId>]) {
        self.edges[e.index()] = self.edge(system, e, live);
    }

    fn edge(&mut self, system: &System, e: EdgeId, live: &[BTreeSet<VarId>]) -> EdgeTerm {
        let (current, next, edge) = (&self.current, &self.next, system.edge(e));
        let effect =
            system.effect(&edge.op, &mut self.terms, &mut |v| current[v.index()], &mut |v| next[v.index()]);
        let mut parts = effect.constraints;
        // A single statement is shown unchanged.
        let single = !matches!(edge.op, Op::Sequence(_));
        let matters = |v: &VarId| single || live[edge.target.index()].contains(v);
        for (v, value) in effect.values.iter().filter(|(v, _)| matters(v)) {
            parts.push(self.terms.eq(next[v.index()], *value));
        }
        let relation = self.terms.and(parts);
        let written: Vec<VarId> = effect.values.into_keys().collect();
        // The invariant holds after the step, too. The operations preserve ranges.
        let invariant = crate::expr::to_term(&system.invariant, &mut self.terms, &mut |v| {
            if written.binary_search(&v).is_ok() { next[v.index()] } else { current[v.index()] }
        });
        let formula = self.terms.and([relation, invariant]);
        let assumes = invariant != Term::TRUE || may_block(&edge.op);
        EdgeTerm { formula, written, assumes, inner: Arc::default() }
    }

    /// A term over current values, as text for readers: at most about [`READABLE`] bytes, then `…`.
    #[must_use]
    pub fn text(&self, t: Term) -> String {
        self.terms.infix_with(t, &|name, q| self.literals.name(name, q)).up_to(READABLE)
    }

    /// A term over current values, as text that can be read back; `None` if it is too long to be printed completely.
    pub(crate) fn whole_text(&self, t: Term) -> Option<String> {
        let text = self.terms.infix_with(t, &|name, q| self.literals.name(name, q)).to_string();
        Some(text).filter(|text| !text.ends_with('…'))
    }

    /// A predicate after an edge: written variables become their next values.
    pub(crate) fn after(&mut self, predicate: PredicateId, edge: EdgeId) -> Term {
        let term = self.precision.get(predicate).term;
        let written = &self.edges[edge.index()].written;
        let (of, next) = (&self.variable_of, &self.next);
        self.terms.substitute(term, |_, t| {
            let v = of.get(&t)?;
            written.binary_search(v).ok().map(|_| next[v.index()])
        })
    }

    /// A term over current (and next) values with other terms substituted for the variables.
    pub(crate) fn instantiate(
        &mut self,
        t: Term,
        current: &dyn Fn(VarId) -> Term,
        next: &dyn Fn(VarId) -> Term,
    ) -> Term {
        let (of, next_of) = (&self.variable_of, &self.next_of);
        self.terms.substitute(t, |_, x| {
            of.get(&x).map(|v| current(*v)).or_else(|| next_of.get(&x).map(|v| next(*v)))
        })
    }

    /// A path by itself: the formulas of the start and of each step, and the values of all variables before and after
    /// each step.
    pub(crate) fn along(&mut self, system: &System, edges: &[EdgeId]) -> (Vec<Term>, Vec<Vec<Term>>) {
        let terms = &mut self.terms;
        let now: Vec<Term> = system.var_ids().map(|v| indexed(system, v, 0, terms)).collect();
        let mut assertions = vec![system.initial_term(terms, &mut |v| now[v.index()])];
        let mut values = vec![now];
        for (i, edge) in edges.iter().enumerate() {
            let (step, after) = self.indexed_step(system, *edge, i + 1, &values[i]);
            assertions.push(step);
            values.push(after);
        }
        (assertions, values)
    }

    /// An edge as a step of a path from these values, and the values after it.
    fn indexed_step(
        &mut self,
        system: &System,
        edge: EdgeId,
        step: usize,
        before: &[Term],
    ) -> (Term, Vec<Term>) {
        let edge = self.edges[edge.index()].clone();
        let mut after = before.to_vec();
        for v in &edge.written {
            after[v.index()] = indexed(system, *v, step, &mut self.terms);
        }
        let own = |terms: &mut Terms, t: Term| edge.inner.of_step(step, t, terms);
        let formula = self.terms.substitute(edge.formula, own);
        (self.instantiate(formula, &|v| before[v.index()], &|v| after[v.index()]), after)
    }

    /// The current value of a variable, as a term.
    pub(crate) fn current(&self, v: VarId) -> Term {
        self.current[v.index()]
    }

    /// The next value of a variable, as a term.
    pub(crate) fn next(&self, v: VarId) -> Term {
        self.next[v.index()]
    }

    /// The value of a variable after an edge, as a term.
    pub(crate) fn next_value(&self, v: VarId, edge: EdgeId) -> Term {
        let written = self.edges[edge.index()].written.binary_search(&v).is_ok();
        if written { self.next[v.index()] } else { self.current[v.index()] }
    }

    /// The variables of a term over current values, ascending.
    pub(crate) fn variables(&self, t: Term) -> Vec<VarId> {
        let mut vars: Vec<VarId> = self.terms.vars(t).iter().map(|t| self.variable_of[t]).collect();
        vars.sort_unstable();
        vars
    }

    /// The predicate of a formula over current values, up to negation.
    pub(crate) fn predicate(&mut self, formula: Term) -> PredicateId {
        let (term, _) = self.terms.strip(formula);
        let vars = self.variables(term);
        self.precision.intern(Predicate { term, vars })
    }
}

/// `t = value`
pub(crate) fn equal(terms: &mut Terms, t: Term, value: &Value) -> Term {
    match value {
        Value::Bool(true) => t,
        Value::Bool(false) => terms.not(t),
        Value::Num(q) => {
            let sort = terms.sort(t);
            let number = terms.num(q.clone(), sort);
            terms.eq(t, number)
        }
    }
}
