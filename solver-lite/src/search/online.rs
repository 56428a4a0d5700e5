//! Online search: CDCL and the theory interact at every step. When both are satisfied, integer points are searched; the
//! results come back as lemmas.

use crate::arith::branch::{Effort, Integers, integers};
use crate::arith::lemma::Lemma;
use crate::arith::{Arithmetic, Procedure};
use crate::cdcl::lit::{Lit, Var};
use crate::cdcl::{Cdcl, Observer, Status, Step, Truth};
use crate::effort;
use crate::encode::Encoder;
use crate::hash::Map;
use crate::number::Q;
use crate::search::{Found, Incomplete, Limits, Model, Question, model};
use crate::term::{Term, Terms};

/// Conflicts between checks of the limits.
const SLICE: u64 = 2_000;

/// The search with its clauses and lemmas.
#[derive(Clone, Default)]
pub(super) struct Online {
    cdcl: Cdcl,
    arithmetic: Arithmetic,
    clauses: usize,
    facts: usize,
    lemmas: usize,
    /// Number of variables that are wanted in every search.
    always: usize,
}

impl Online {
    pub(super) fn lemmas(&self) -> &[Lemma] {
        &self.arithmetic.log
    }

    pub(super) fn failed(&self) -> &[Lit] {
        self.cdcl.failed()
    }

    /// Adds lemmas found by the other search; those of earlier calls come first.
    pub(super) fn learn(&mut self, encoder: &Encoder, lemmas: &[Lemma]) {
        self.feed(encoder, &[]);
        for lemma in &lemmas[self.lemmas..] {
            let clause: Vec<Lit> = lemma.lits.iter().map(|l| !*l).collect();
            self.cdcl.add(&mut self.arithmetic, &clause);
        }
        self.lemmas = lemmas.len();
    }

    /// New clauses.
    fn feed(&mut self, encoder: &Encoder, facts: &[Lit]) {
        self.cdcl.grow(encoder.len());
        for i in std::mem::replace(&mut self.clauses, encoder.clauses())..encoder.clauses() {
            self.cdcl.add(&mut self.arithmetic, encoder.clause(i));
        }
        for fact in facts.get(self.facts..).unwrap_or_default() {
            self.cdcl.add(&mut self.arithmetic, &[*fact]);
        }
        self.facts = self.facts.max(facts.len());
    }

    /// New comparisons. A new decision procedure begins with no level open.
    fn register(&mut self, terms: &Terms, encoder: &Encoder) {
        if self.arithmetic.lacks(encoder.comparisons()) {
            self.cdcl.reset(&mut self.arithmetic);
            if self.arithmetic.register(terms, encoder.comparisons()) {
                self.cdcl.tell_again();
            }
        }
    }

    pub(super) fn solve<O: Observer>(
        &mut self,
        terms: &mut Terms,
        encoder: &mut Encoder,
        facts: &[Lit],
        question: &Question,
        observer: &mut O,
    ) -> Found {
        self.cdcl.assume(&mut self.arithmetic, question.assumptions);
        self.feed(encoder, facts);
        self.register(terms, encoder);
        self.cdcl.want(question.relevant);
        self.cdcl.want_always(&question.always[self.always..]);
        self.always = question.always.len();
        let limits = question.limits;
        self.arithmetic.allow(limits.pivots);
        let last = self.cdcl.conflicts.saturating_add(limits.conflicts);
        let assigned = self.cdcl.assigned;
        let found = loop {
            if let Some(why) = self.over(limits, last) {
                break Found::Incomplete(why);
            }
            let slice = SLICE.min(last.saturating_sub(self.cdcl.conflicts));
            if observer.full() {
                break Found::Incomplete(Incomplete::Conflicts);
            }
            match self.cdcl.run(&mut self.arithmetic, slice, observer) {
                Status::Unsat => break Found::Unsat,
                Status::Pending => {}
                Status::Consistent => match self.complete(terms, encoder, limits) {
                    Integers::Found(numbers) => break Found::Model(self.model(terms, encoder, numbers)),
                    Integers::GaveUp => break Found::Incomplete(Incomplete::Branches),
                    Integers::Refuted(lemmas) => self.split(terms, encoder, lemmas, observer),
                },
            }
        };
        observer.step(|| match &found {
            Found::Model(model) => Step::Found(model.numbers(terms)),
            Found::Unsat => Step::Refuted,
            Found::Incomplete(_) => Step::GaveUp,
        });
        effort::spend(self.cdcl.assigned - assigned);
        found
    }

    /// The limit that was reached, if any.
    fn over(&self, limits: Limits, last: u64) -> Option<Incomplete> {
        use crate::cdcl::Theory as _;
        if self.arithmetic.exhausted() {
            return Some(Incomplete::Pivots);
        }
        if self.cdcl.conflicts >= last {
            return Some(Incomplete::Conflicts);
        }
        (4 * (self.cdcl.size() + self.arithmetic.size()) > limits.memory).then_some(Incomplete::Memory)
    }

    fn complete(&mut self, terms: &mut Terms, encoder: &mut Encoder, limits: Limits) -> Integers {
        let effort = Effort { pivots: limits.pivots, branches: limits.branches };
        match &mut self.arithmetic.procedure {
            Procedure::Difference(graph) => Integers::Found(graph.values()),
            Procedure::Linear(simplex) => {
                // Its pivots are not steps of the search.
                let watched = simplex.watched.take();
                let found = integers(terms, encoder, simplex, effort);
                simplex.watched = watched;
                found
            }
        }
    }

    /// New lemmas and the splits in them, which are decided from now on.
    fn split<O: Observer>(&mut self, terms: &Terms, encoder: &Encoder, lemmas: Vec<Lemma>, observer: &mut O) {
        // A point refuted over the integers counts as a conflict.
        self.cdcl.conflicts += 1;
        self.feed(encoder, &[]);
        self.register(terms, encoder);
        for lemma in lemmas {
            let clause: Vec<Lit> = self.arithmetic.record(lemma).into_iter().map(|l| !l).collect();
            for lit in &clause {
                self.cdcl.want_also(lit.var());
            }
            observer.step(|| Step::Demanded(clause.clone()));
            self.cdcl.add(&mut self.arithmetic, &clause);
        }
    }

    fn model(&self, terms: &Terms, encoder: &Encoder, numbers: Map<Term, Q>) -> Model {
        let truth = |v: Var| self.cdcl.value(Lit::new(v, true)) == Truth::True;
        model(terms, encoder, truth, numbers)
    }
}
