//! From terms to clauses: every Boolean sub-term gets a variable, every operator its defining clauses.
//!
//! Clauses only define; nothing is asserted here. So they stay valid when assertions are withdrawn.
//! Comparisons of one linear form are linked by bound axioms (`f ≤ 3 ⇒ f ≤ 5`), which saves the search
//! from learning them one conflict at a time.

use std::collections::BTreeMap;
use std::ops::Range;

use varisat::{Lit, Var};

use crate::definition::definition;
use crate::hash::Map;
use crate::literal::{Clause, Literal, clause};
use crate::number::Q;
use crate::term::{Node, Sort, Term, Terms};

/// Why a clause is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// It belongs to the definition of this term.
    Definition(Term),
    /// Two comparisons of one form: the negations of the two literals contradict with coefficients 1, 1.
    Bounds,
}

/// Upper bounds of one form in the order of strength: `(bound, 0)` is `< bound`, `(bound, 1)` is `≤ bound`.
type Ladder = BTreeMap<(Q, u8), Term>;

/// The clauses of all terms seen so far.
#[derive(Default)]
pub(crate) struct Encoder {
    vars: Map<Term, Var>,
    terms: Vec<Term>,
    /// The terms that were encoded, each with the range of its defining clauses.
    seen: Map<Term, Range<usize>>,
    ladders: Map<Term, Ladder>,
    /// All clauses, in order of creation.
    pub(crate) clauses: Vec<(Clause, Origin)>,
}

impl Encoder {
    /// The SAT literal of a literal.
    pub(crate) fn lit(&mut self, literal: Literal) -> Lit {
        let next = Var::from_index(self.terms.len());
        let var = *self.vars.entry(literal.term).or_insert(next);
        if var == next {
            self.terms.push(literal.term);
        }
        Lit::from_var(var, literal.positive)
    }

    /// The index of the SAT variable of a Boolean term that was encoded.
    pub(crate) fn index(&self, t: Term) -> Option<usize> {
        self.vars.get(&t).map(|v| v.index())
    }

    /// The defining clauses of a term that was encoded.
    pub(crate) fn definition(&self, t: Term) -> impl Iterator<Item = &Clause> {
        let range = self.seen.get(&t).cloned().unwrap_or_default();
        self.clauses[range].iter().map(|(c, _)| c)
    }

    /// The SAT literal of a literal whose term was encoded.
    pub(crate) fn known(&self, literal: Literal) -> Lit {
        Lit::from_var(self.vars[&literal.term], literal.positive)
    }

    /// The number of SAT variables.
    pub(crate) fn len(&self) -> usize {
        self.terms.len()
    }

    /// The term of a SAT variable.
    pub(crate) fn term(&self, index: usize) -> Term {
        self.terms[index]
    }

    /// The literal of a SAT literal.
    pub(crate) fn literal(&self, lit: Lit) -> Literal {
        Literal { term: self.terms[lit.var().index()], positive: lit.is_positive() }
    }

    /// Makes clauses for `root` and everything below it.
    pub(crate) fn encode(&mut self, terms: &mut Terms, root: Term) {
        let mut stack = vec![root];
        while let Some(t) = stack.pop() {
            if self.seen.contains_key(&t) {
                continue;
            }
            terms.children(t, |c| stack.push(c));
            if terms.sort(t) == Sort::Bool && !matches!(terms.node(t), Node::Not(_)) {
                self.lit(Literal { term: t, positive: true });
            }
            let first = self.clauses.len();
            for clause in definition(terms, t) {
                stack.extend(clause.iter().map(|l| l.term));
                self.clauses.push((clause, Origin::Definition(t)));
            }
            self.seen.insert(t, first..self.clauses.len());
            self.link(terms, t);
        }
    }

    /// Adds the axioms between a comparison and its neighbours on the ladder of its form.
    fn link(&mut self, terms: &Terms, t: Term) {
        let (form, key) = match terms.node(t) {
            Node::Le(form, bound) => (*form, (bound.clone(), 1)),
            Node::Lt(form, bound) => (*form, (bound.clone(), 0)),
            _ => return,
        };
        let ladder = self.ladders.entry(form).or_default();
        let below = ladder.range(..&key).next_back().map(|(_, &below)| (below, t));
        let above = ladder.range(&key..).next().map(|(_, &above)| (t, above));
        ladder.insert(key, t);
        for (stronger, weaker) in below.into_iter().chain(above) {
            let axiom =
                vec![Literal { term: stronger, positive: false }, Literal { term: weaker, positive: true }];
            self.clauses.push((clause(axiom), Origin::Bounds));
        }
    }
}
