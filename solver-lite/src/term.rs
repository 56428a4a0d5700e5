//! Hash-consed terms over Booleans, integers and reals, kept in normal form.
//!
//! Invariants: structurally equal terms have equal ids; a term's children have smaller ids than the
//! term itself, so ascending order of ids is a topological order; every comparison is one of
//! `form ≤ bound`, `form < bound`, `form = bound` where `form` is a linear form with coprime integer
//! coefficients, positive leading coefficient and no constant. Over integers `<` does not occur and bounds are
//! integers (that is the tightening step of every integer solver, done once, at construction).

mod build;
mod lift;
pub(crate) mod print;
mod visit;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::hash::Map;
use crate::number::Q;

pub(crate) use build::FLAT;
pub use print::{Infix, Smt};
pub(crate) use visit::Reachable;

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Mathematical reals.
    Real,
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sort::Bool => "Bool",
            Sort::Int => "Int",
            Sort::Real => "Real",
        })
    }
}

/// A term: an index into its [`Terms`]. Ascending order is topological.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

impl Term {
    /// `true` in every store.
    pub const TRUE: Term = Term(0);
    /// `false` in every store.
    pub const FALSE: Term = Term(1);

    /// The dense index of this term in its store.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// A linear form plus a constant: `Σ coefficient · term + constant`, terms ascending, coefficients not zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Linear {
    /// `(term, coefficient)`, ascending by term; no term is itself [`Node::Linear`].
    pub terms: Vec<(Term, Q)>,
    /// The constant summand.
    pub constant: Q,
}

/// What a term is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// The true constant.
    True,
    /// The false constant.
    False,
    /// A free constant ("variable" in a model), by symbol.
    Var(Symbol),
    /// Negation; never of a constant or of another negation.
    Not(Term),
    /// Conjunction of at least two, ascending, without duplicates or complements.
    And(Box<[Term]>),
    /// Disjunction of at least two, ascending, without duplicates or complements.
    Or(Box<[Term]>),
    /// Equivalence of two terms that are not negations, ascending.
    Iff(Term, Term),
    /// If-then-else of any sort; the condition is not a negation.
    Ite(Term, Term, Term),
    /// `form ≤ bound`.
    Le(Term, Q),
    /// `form < bound`, over forms with a real variable only.
    Lt(Term, Q),
    /// `form = bound`.
    Eq(Term, Q),
    /// A sum, unless it is a single term with coefficient 1 and of the same sort.
    Linear(Sort, Linear),
    /// Euclidean quotient of an integer term by a positive integer constant.
    Div(Term, Q),
    /// Euclidean remainder of an integer term by a positive integer constant.
    Mod(Term, Q),
}

/// A declared name, by index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Symbol(u32);

/// The value of a term.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A number (an integer for sort Int).
    Num(Q),
}

/// The store that owns all terms.
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    ids: Map<Node, Term>,
    symbols: Vec<String>,
    by_name: Map<String, Term>,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    /// An empty store (with the two truth constants).
    #[must_use]
    pub fn new() -> Terms {
        let mut terms = Terms {
            nodes: Vec::new(),
            sorts: Vec::new(),
            ids: Map::default(),
            symbols: Vec::new(),
            by_name: Map::default(),
        };
        assert_eq!(terms.intern(Node::True, Sort::Bool), Term::TRUE);
        assert_eq!(terms.intern(Node::False, Sort::Bool), Term::FALSE);
        terms
    }

    fn intern(&mut self, node: Node, sort: Sort) -> Term {
        if let Some(&t) = self.ids.get(&node) {
            return t;
        }
        let t = Term(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms"));
        self.nodes.push(node.clone());
        self.sorts.push(sort);
        self.ids.insert(node, t);
        t
    }

    /// Runs `task`, whose terms are discarded afterwards, so that ids of later terms do not depend on it. The result
    /// must not contain any of them; no names are declared meanwhile.
    ///
    /// # Panics
    /// If a name is declared.
    pub fn aside<R>(&mut self, task: impl FnOnce(&mut Terms) -> R) -> R {
        let (known, names) = (self.nodes.len(), self.symbols.len());
        let result = task(self);
        assert_eq!(self.symbols.len(), names, "no name is declared aside");
        for node in self.nodes.drain(known..) {
            self.ids.remove(&node);
        }
        self.sorts.truncate(known);
        result
    }

    /// The number of terms in the store.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is the store empty? (Never: the truth constants are always there.)
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node of `t`.
    #[must_use]
    pub fn node(&self, t: Term) -> &Node {
        &self.nodes[t.index()]
    }

    /// The sort of `t`.
    #[must_use]
    pub fn sort(&self, t: Term) -> Sort {
        self.sorts[t.index()]
    }

    /// The free constant `name`.
    ///
    /// # Panics
    /// If it exists with another sort.
    pub fn var(&mut self, name: &str, sort: Sort) -> Term {
        if let Some(&t) = self.by_name.get(name) {
            assert!(self.sort(t) == sort, "'{name}' is already declared with another sort");
            return t;
        }
        let symbol = Symbol(u32::try_from(self.symbols.len()).expect("fewer than 2^32 names"));
        self.symbols.push(name.to_owned());
        let t = self.intern(Node::Var(symbol), sort);
        self.by_name.insert(name.to_owned(), t);
        t
    }

    /// The term of a declared name.
    #[must_use]
    pub fn lookup(&self, name: &str) -> Option<Term> {
        self.by_name.get(name).copied()
    }

    /// The name of a variable; `None` for other terms.
    #[must_use]
    pub fn name(&self, t: Term) -> Option<&str> {
        match self.node(t) {
            Node::Var(s) => Some(&self.symbols[s.0 as usize]),
            _ => None,
        }
    }

    /// The value of a constant term, if it is one.
    #[must_use]
    pub fn constant(&self, t: Term) -> Option<Value> {
        match self.node(t) {
            Node::True => Some(Value::Bool(true)),
            Node::False => Some(Value::Bool(false)),
            Node::Linear(_, l) if l.terms.is_empty() => Some(Value::Num(l.constant.clone())),
            _ => None,
        }
    }

    /// An arithmetic term as a linear sum of terms that are not sums themselves.
    #[must_use]
    pub fn linear(&self, t: Term) -> Linear {
        match self.node(t) {
            Node::Linear(_, l) => l.clone(),
            _ => Linear { terms: vec![(t, Q::ONE)], constant: Q::ZERO },
        }
    }
}

impl Linear {
    /// The constant `c`.
    #[must_use]
    pub fn constant(c: Q) -> Linear {
        Linear { terms: Vec::new(), constant: c }
    }

    /// Adds `factor · other`.
    pub fn add_scaled(&mut self, factor: &Q, other: &Linear) {
        if factor.is_zero() {
            return;
        }
        let mut sum = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut a, mut b) = (self.terms.drain(..).peekable(), other.terms.iter().peekable());
        loop {
            match (a.peek(), b.peek()) {
                (Some((ta, _)), Some((tb, _))) if ta == tb => {
                    let ((t, qa), (_, qb)) = (a.next().expect("peeked"), b.next().expect("peeked"));
                    let q = &qa + &(factor * qb);
                    if !q.is_zero() {
                        sum.push((t, q));
                    }
                }
                (Some((ta, _)), Some((tb, _))) if ta < tb => sum.extend(a.next()),
                (Some(_), None) => sum.extend(a.next()),
                (_, Some(_)) => sum.extend(b.next().map(|(t, q)| (*t, factor * q))),
                (None, None) => break,
            }
        }
        drop(a);
        self.terms = sum;
        self.constant += &(factor * &other.constant);
    }

    /// Multiplies everything by `factor`.
    pub fn scale(&mut self, factor: &Q) {
        if factor.is_zero() {
            *self = Linear::constant(Q::ZERO);
            return;
        }
        if factor.is_one() {
            return;
        }
        for (_, q) in &mut self.terms {
            *q = &*q * factor;
        }
        self.constant = &self.constant * factor;
    }

    /// The positive factor that makes all coefficients (not the constant) coprime integers; 1 without terms.
    #[must_use]
    pub fn coprime_factor(&self) -> Q {
        let integers = self.terms.iter().all(|(_, q)| q.is_integer());
        if integers && self.terms.iter().any(|(_, q)| q.is_one() || *q == Q::MINUS_ONE) {
            return Q::ONE;
        }
        let mut denominators = Q::ONE;
        let mut numerators = Q::ZERO;
        for (_, q) in &self.terms {
            denominators = denominators.lcm(&q.denominator());
            numerators = numerators.gcd(&q.numerator());
        }
        if numerators.is_zero() { Q::ONE } else { &denominators / &numerators }
    }
}
