//! Lazy search.
//!
//! ```text
//! loop
//!   model ← varisat(clauses, assumptions)            unsatisfiable → Unsat
//!   L ← the theory literals of model that justify the assertions
//!   L consistent over the reals and the integers → Sat
//!   otherwise add lemmas that exclude L
//! ```
//!
//! varisat has no theory hooks and cannot be interrupted or cloned; so it computes whole models and is owned here.

use varisat::{ExtendFormula, Solver as Sat};

use crate::arith::branch::{Effort, Integers, integers};
use crate::arith::lemma::Lemma;
use crate::arith::{Arithmetic, Procedure};
use crate::cdcl::Theory as _;
use crate::cdcl::lit::{Lit, Var};
use crate::effort;
use crate::encode::Encoder;
use crate::hash::{Map, Set};
use crate::number::Q;
use crate::relevance::justify;
use crate::search::{Found, Incomplete, Limits, Patience, Priority, Question, model};
use crate::term::{Term, Terms};

/// Limit of theory conflicts in one round.
const CONFLICTS: usize = 50;

/// varisat with its clauses.
pub(super) struct Lazy {
    sat: Sat<'static>,
    clauses: usize,
    facts: usize,
    arithmetic: Arithmetic,
    known: Set<Vec<Lit>>,
    /// The last Boolean model.
    truth: Vec<bool>,
}

impl Default for Lazy {
    fn default() -> Lazy {
        let arithmetic = Arithmetic::default();
        Lazy { sat: Sat::new(), clauses: 0, facts: 0, arithmetic, known: Set::default(), truth: Vec::new() }
    }
}

/// varisat's name of a literal.
pub(crate) fn foreign(lit: Lit) -> varisat::Lit {
    varisat::Lit::from_var(varisat::Var::from_index(lit.var() as usize), lit.is_positive())
}

/// Our name of varisat's literal.
pub(crate) fn native(lit: varisat::Lit) -> Lit {
    Lit::new(lit.var().index() as Var, lit.is_positive())
}

impl Lazy {
    /// Adds new clauses to varisat.
    pub(super) fn feed(&mut self, encoder: &Encoder, facts: &[Lit]) {
        let mut lits: Vec<varisat::Lit> = Vec::new();
        for i in std::mem::replace(&mut self.clauses, encoder.clauses())..encoder.clauses() {
            lits.clear();
            lits.extend(encoder.clause(i).iter().map(|l| foreign(*l)));
            self.sat.add_clause(&lits);
        }
        for fact in facts.get(self.facts..).unwrap_or_default() {
            self.sat.add_clause(&[foreign(*fact)]);
        }
        self.facts = self.facts.max(facts.len());
    }

    pub(super) fn lemmas(&self) -> &[Lemma] {
        &self.arithmetic.log
    }

    /// Were all its comparisons differences?
    pub(super) fn has_differences(&self) -> bool {
        matches!(self.arithmetic.procedure, Procedure::Difference(_))
    }

    /// Searches within the limits; `None` if they were reached.
    pub(super) fn solve(
        &mut self,
        terms: &mut Terms,
        encoder: &mut Encoder,
        question: &Question,
        priority: Priority,
        patience: Patience,
    ) -> Option<Found> {
        let assumptions: Vec<varisat::Lit> = question.assumptions.iter().map(|l| foreign(*l)).collect();
        let limits = question.limits;
        self.arithmetic.allow(limits.pivots);
        let first = self.arithmetic.pivots();
        let mut round = 0;
        while round < self.rounds(patience).min(limits.conflicts) {
            round += 1;
            effort::spend(encoder.len());
            self.sat.assume(&assumptions);
            if !self.sat.solve().expect("varisat without proof output does not fail") {
                return Some(Found::Unsat);
            }
            let truth = self.truth(encoder);
            let of = |t| encoder.var(t).is_some_and(|v| truth[v as usize]);
            let lits = justify(terms, encoder, question.roots, of);
            self.arithmetic.register(terms, encoder.comparisons());
            self.arithmetic.push();
            let allowed = Limits { branches: limits.branches.min(patience.branches), ..limits };
            let answer = self.theory(terms, encoder, lits, priority, allowed);
            let found = match answer {
                Answer::Consistent(numbers) => {
                    Some(Found::Model(model(terms, encoder, |v| truth[v as usize], numbers)))
                }
                Answer::Incomplete(Incomplete::Branches) if allowed != limits => {
                    self.arithmetic.backtrack(0);
                    return None;
                }
                Answer::Incomplete(why) => Some(Found::Incomplete(why)),
                Answer::Lemmas(lemmas) => {
                    self.learn(encoder, lemmas);
                    None
                }
            };
            self.arithmetic.backtrack(0);
            if found.is_some() {
                return found;
            }
            if 4 * self.arithmetic.size() > limits.memory {
                return Some(Found::Incomplete(Incomplete::Memory));
            }
            self.truth = truth;
            if self.arithmetic.pivots() - first > patience.pivots {
                break;
            }
        }
        None
    }

    /// The limit of rounds.
    fn rounds(&self, patience: Patience) -> u64 {
        if self.has_differences() { patience.differences } else { patience.rounds }
    }

    /// The truth of each variable.
    fn truth(&self, encoder: &Encoder) -> Vec<bool> {
        let model = self.sat.model().expect("satisfiable");
        let mut truth = vec![false; encoder.len()];
        for l in model {
            truth[l.var().index()] = l.is_positive();
        }
        truth
    }

    fn theory(
        &mut self,
        terms: &mut Terms,
        encoder: &mut Encoder,
        mut lits: Vec<Lit>,
        priority: Priority,
        limits: Limits,
    ) -> Answer {
        let rank = |l: &Lit| priority.map_or(0, |p| p(encoder.term(l.var())));
        lits.sort_by_cached_key(|l| (std::cmp::Reverse(rank(l)), encoder.literal(*l)));
        // With priorities only the first conflict is used; otherwise a round costs more than a lemma.
        let most = if priority.is_some() { 1 } else { CONFLICTS };
        for group in lits.chunk_by(|a, b| rank(a) == rank(b)) {
            match self.arithmetic.contradictions(group, most) {
                Err(()) => return Answer::Incomplete(Incomplete::Pivots),
                Ok(lemmas) if !lemmas.is_empty() => return Answer::Lemmas(lemmas),
                Ok(_) => {}
            }
        }
        let simplex = match &mut self.arithmetic.procedure {
            Procedure::Linear(simplex) => simplex,
            Procedure::Difference(graph) => return Answer::Consistent(graph.values()),
        };
        let effort = Effort { pivots: limits.pivots, branches: limits.branches };
        match integers(terms, encoder, simplex, effort) {
            Integers::Found(numbers) => Answer::Consistent(numbers),
            Integers::Refuted(lemmas) => Answer::Lemmas(lemmas),
            Integers::GaveUp => Answer::Incomplete(Incomplete::Branches),
        }
    }

    fn learn(&mut self, encoder: &Encoder, lemmas: Vec<Lemma>) {
        let mut news = false;
        for lemma in lemmas {
            let mut clause: Vec<Lit> = lemma.lits.iter().map(|l| !*l).collect();
            clause.sort_unstable();
            clause.dedup();
            if !self.known.insert(clause.clone()) {
                continue;
            }
            news = true;
            let lits: Vec<varisat::Lit> = clause.into_iter().map(foreign).collect();
            self.sat.add_clause(&lits);
            self.arithmetic.record(lemma);
        }
        assert!(news, "a model that lemmas exclude came back");
        self.feed(encoder, &[]);
    }
}

/// Answer of the theory to a model.
enum Answer {
    Consistent(Map<Term, Q>),
    Lemmas(Vec<Lemma>),
    Incomplete(Incomplete),
}
