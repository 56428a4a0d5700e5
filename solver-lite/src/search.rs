//! The search: lazy DPLL(T).
//!
//! ```text
//! loop
//!   model ← varisat(clauses, assumptions)            unsatisfiable → Unsat
//!   L ← the theory literals of model that justify the assertions
//!   L consistent over the reals and the integers → Sat
//!   otherwise add lemmas that exclude L
//! ```
//!
//! varisat has no theory hooks and cannot be interrupted or cloned; so it is asked for whole models and owned
//! here, next to everything else that belongs to one search.

use varisat::{ExtendFormula, Lit, Solver as Sat};

use crate::arith::branch::{Effort, Integers, Lemma, integers};
use crate::arith::simplex::{Failure, Simplex};
use crate::encode::{Encoder, Origin};
use crate::hash::{Map, Set};
use crate::literal::{Clause, Literal, clause};
use crate::number::Q;
use crate::relevance::justify;
use crate::term::{Sort, Term, Terms, Value};

/// Theory conflicts that are sought in one round.
const CONFLICTS: usize = 50;

/// Bounds of one check. They count steps, never time, so an answer is the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Models asked of the Boolean side.
    pub rounds: u64,
    /// Pivots in one check of the simplex.
    pub pivots: u64,
    /// Nodes of one branch and bound.
    pub branches: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { rounds: 100_000, pivots: 100_000, branches: 2_000 }
    }
}

/// Why a check has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Incomplete {
    /// Too many rounds between the Boolean and the theory side.
    Rounds,
    /// Too many pivots.
    Pivots,
    /// Branch and bound found no integer point and no refutation.
    Branches,
}

impl std::fmt::Display for Incomplete {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Incomplete::Rounds => "the limit of search rounds was reached",
            Incomplete::Pivots => "the limit of simplex pivots was reached",
            Incomplete::Branches => "branch and bound over the integers reached its limit",
        })
    }
}

/// A satisfying assignment. Variables it does not mention are `false` or 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    values: Map<Term, Value>,
}

impl Model {
    /// The value of a variable.
    #[must_use]
    pub fn of_var(&self, terms: &Terms, var: Term) -> Value {
        self.values.get(&var).cloned().unwrap_or_else(|| match terms.sort(var) {
            Sort::Bool => Value::Bool(false),
            Sort::Int | Sort::Real => Value::Num(Q::ZERO),
        })
    }

    /// The values of several terms.
    #[must_use]
    pub fn eval_all(&self, terms: &Terms, all: &[Term]) -> Vec<Value> {
        terms.eval_all(all, |v| self.of_var(terms, v))
    }

    /// The value of any term.
    #[must_use]
    pub fn eval(&self, terms: &Terms, t: Term) -> Value {
        terms.eval(t, |v| self.of_var(terms, v))
    }
}

/// What a search found.
pub(crate) enum Found {
    Model(Model),
    Unsat,
    Incomplete(Incomplete),
}

/// Decides in which order theory literals are put to the simplex: greater first, one check a value.
/// The first conflict then speaks about the greatest values. `None`: all at once.
pub(crate) type Priority<'a> = Option<&'a dyn Fn(Term) -> u32>;

/// One search with everything it learned.
pub(crate) struct Search {
    pub(crate) encoder: Encoder,
    sat: Sat<'static>,
    fed: usize,
    simplex: Simplex,
    /// All theory lemmas so far.
    pub(crate) lemmas: Vec<Lemma>,
    lemma_clauses: Set<Clause>,
}

impl Search {
    pub(crate) fn new() -> Search {
        Search {
            encoder: Encoder::default(),
            sat: Sat::new(),
            fed: 0,
            simplex: Simplex::default(),
            lemmas: Vec::new(),
            lemma_clauses: Set::default(),
        }
    }

    /// Asserts `t` for good.
    pub(crate) fn assert(&mut self, terms: &mut Terms, t: Term) {
        let lit = self.literal(terms, t);
        self.sat.add_clause(&[lit]);
    }

    /// The SAT literal of a Boolean term, with its defining clauses in place.
    fn literal(&mut self, terms: &mut Terms, t: Term) -> Lit {
        self.encoder.encode(terms, t);
        let literal = Literal::of(terms, t);
        if literal.term == Term::TRUE {
            let constant = self.encoder.lit(Literal { term: Term::TRUE, positive: true });
            self.sat.add_clause(&[constant]);
        }
        self.encoder.lit(literal)
    }

    fn feed(&mut self) {
        let mut lits: Vec<Lit> = Vec::new();
        while let Some((c, _)) = self.encoder.clauses.get(self.fed) {
            lits.clear();
            lits.extend(c.iter().map(|l| self.encoder.known(*l)));
            self.sat.add_clause(&lits);
            self.fed += 1;
        }
    }

    /// Are `asserted`, which are all assertions made so far, and `assumed` satisfiable?
    pub(crate) fn solve(
        &mut self,
        terms: &mut Terms,
        asserted: &[Term],
        assumed: &[Term],
        priority: Priority,
        limits: Limits,
    ) -> Found {
        let assumptions: Vec<Lit> = assumed.iter().map(|t| self.literal(terms, *t)).collect();
        let roots: Vec<Term> = asserted.iter().chain(assumed).copied().collect();
        self.feed();
        for _ in 0..limits.rounds {
            self.sat.assume(&assumptions);
            if !self.sat.solve().expect("varisat without proof output does not fail") {
                return Found::Unsat;
            }
            let truth = self.truth();
            let encoder = &self.encoder;
            let of = |t| encoder.index(t).is_some_and(|i| truth[i]);
            let literals = justify(terms, encoder, &roots, of);
            match self.theory(terms, literals, priority, limits) {
                Ok(()) => return Found::Model(self.model(terms, &truth)),
                Err(Theory::Incomplete(why)) => return Found::Incomplete(why),
                Err(Theory::Lemmas(lemmas)) => self.learn(terms, lemmas),
            }
        }
        Found::Incomplete(Incomplete::Rounds)
    }

    /// The truth of each SAT variable.
    fn truth(&self) -> Vec<bool> {
        let model = self.sat.model().expect("satisfiable");
        let mut truth = vec![false; self.encoder.len()];
        for l in model {
            truth[l.var().index()] = l.is_positive();
        }
        truth
    }

    fn theory(
        &mut self,
        terms: &mut Terms,
        mut literals: Vec<Literal>,
        priority: Priority,
        limits: Limits,
    ) -> Result<(), Theory> {
        let rank = |l: &Literal| priority.map_or(0, |p| p(l.term));
        literals.sort_by_key(|l| (std::cmp::Reverse(rank(l)), *l));
        self.simplex.clear_bounds();
        for group in literals.chunk_by(|a, b| rank(a) == rank(b)) {
            let mut conflicts = Vec::new();
            for l in group {
                conflicts.extend(self.simplex.assert(terms, *l).err());
            }
            // Withdrawing a bound of each conflict shows more of them; a round is dearer than a lemma. With priorities
            // only the first conflict is wanted.
            let most = if priority.is_some() { 1 } else { CONFLICTS };
            while conflicts.len() < most {
                match self.simplex.check(limits.pivots) {
                    Ok(()) => break,
                    Err(Failure::PivotLimit) if conflicts.is_empty() => {
                        return Err(Theory::Incomplete(Incomplete::Pivots));
                    }
                    Err(Failure::PivotLimit) => break,
                    Err(Failure::Conflicts(found)) => {
                        found.iter().for_each(|c| self.simplex.withdraw(terms, c[0].0));
                        conflicts.extend(found);
                    }
                }
            }
            if priority.is_some() {
                conflicts.truncate(1);
            }
            if !conflicts.is_empty() {
                return Err(Theory::Lemmas(conflicts.into_iter().map(Lemma::farkas).collect()));
            }
        }
        let effort = Effort { pivots: limits.pivots, branches: limits.branches };
        match integers(terms, &mut self.simplex, effort) {
            Integers::Found => Ok(()),
            Integers::None(lemmas) => Err(Theory::Lemmas(lemmas)),
            Integers::GaveUp => Err(Theory::Incomplete(Incomplete::Branches)),
        }
    }

    fn learn(&mut self, terms: &mut Terms, lemmas: Vec<Lemma>) {
        let mut news = false;
        for lemma in lemmas {
            let negated = clause(lemma.literals.iter().map(|l| l.negated()).collect());
            if !self.lemma_clauses.insert(negated.clone()) {
                continue;
            }
            news = true;
            for l in &negated {
                self.encoder.encode(terms, l.term);
            }
            let lits: Vec<Lit> = negated.iter().map(|l| self.encoder.lit(*l)).collect();
            self.sat.add_clause(&lits);
            self.lemmas.push(lemma);
        }
        assert!(news, "a model that lemmas exclude came back");
        self.feed();
    }

    fn model(&self, terms: &Terms, truth: &[bool]) -> Model {
        let numbers = self.simplex.values();
        let mut values: Map<Term, Value> = Map::default();
        for (i, b) in truth.iter().enumerate() {
            let t = self.encoder.term(i);
            if terms.name(t).is_some() {
                values.insert(t, Value::Bool(*b));
            }
        }
        values.extend(
            numbers.into_iter().filter(|(t, _)| terms.name(*t).is_some()).map(|(t, q)| (t, Value::Num(q))),
        );
        Model { values }
    }

    /// The failed assumptions of the last unsatisfiable answer, as indices into `assumed`; not minimal.
    pub(crate) fn failed(&mut self, terms: &mut Terms, assumed: &[Term]) -> Vec<usize> {
        let core: Vec<Lit> = self.sat.failed_core().unwrap_or(&[]).to_vec();
        let lits: Vec<Lit> = assumed.iter().map(|t| self.literal(terms, *t)).collect();
        (0..assumed.len()).filter(|i| core.contains(&lits[*i])).collect()
    }

    /// All clauses and lemmas a refutation may use, with their origin.
    pub(crate) fn clauses(&self) -> impl Iterator<Item = (&Clause, Origin)> {
        self.encoder.clauses.iter().map(|(c, o)| (c, *o))
    }
}

enum Theory {
    Lemmas(Vec<Lemma>),
    Incomplete(Incomplete),
}
