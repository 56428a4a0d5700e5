//! From terms to clauses: every Boolean sub-term gets a variable, every operator its defining clauses.
//!
//! Clauses only define; nothing is asserted here. So they remain valid when assertions are withdrawn. Comparisons of
//! one linear form are linked by bound axioms (`f ≤ 3 ⇒ f ≤ 5`), which the search would otherwise learn by one conflict
//! each.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::cdcl::lit::{Lit, Var};
use crate::definition::{define, is_gate};
use crate::hash::Map;
use crate::literal::Literal;
use crate::number::Q;
use crate::term::{Node, Sort, Term, Terms};

/// Origin of a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// It belongs to the definition of this term.
    Definition(Term),
    /// Two comparisons of one form: the negated literals are contradictory with coefficients 1, 1.
    Bounds,
}

/// Upper bounds of one form in the order of strength: `(bound, 0)` is `< bound`, `(bound, 1)` is `≤ bound`.
type Ladder = BTreeMap<(Q, u8), Term>;

/// The clauses of all encoded terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encoder {
    vars: Map<Term, Var>,
    terms: Vec<Term>,
    /// The terms that were encoded, each with the range of its defining clauses.
    seen: Map<Term, Range<usize>>,
    ladders: Map<Term, Ladder>,
    /// The literals of all clauses, in order of creation.
    lits: Vec<Lit>,
    /// End and origin of each clause.
    ends: Vec<(usize, Origin)>,
    /// All comparisons, in order of creation.
    comparisons: Vec<(Var, Term)>,
}

impl Encoder {
    /// The search literal of a term literal.
    pub(crate) fn lit(&mut self, literal: Literal) -> Lit {
        let next = self.terms.len() as Var;
        let var = *self.vars.entry(literal.term).or_insert(next);
        if var == next {
            self.terms.push(literal.term);
        }
        Lit::new(var, literal.positive)
    }

    /// The variable of a Boolean term that was encoded.
    pub(crate) fn var(&self, t: Term) -> Option<Var> {
        self.vars.get(&t).copied()
    }

    /// The defining clauses of a term that was encoded.
    pub(crate) fn definition(&self, t: Term) -> impl Iterator<Item = &[Lit]> {
        self.defining(t).map(|i| self.clause(i))
    }

    /// The same as indices.
    pub(crate) fn defining(&self, t: Term) -> Range<usize> {
        self.seen.get(&t).cloned().unwrap_or_default()
    }

    /// The number of variables.
    pub(crate) fn len(&self) -> usize {
        self.terms.len()
    }

    /// The term of a variable.
    pub(crate) fn term(&self, var: Var) -> Term {
        self.terms[var as usize]
    }

    /// The term literal of a search literal.
    pub(crate) fn literal(&self, lit: Lit) -> Literal {
        Literal { term: self.terms[lit.var() as usize], positive: lit.is_positive() }
    }

    /// The number of clauses.
    pub(crate) fn clauses(&self) -> usize {
        self.ends.len()
    }

    /// A clause, by index.
    pub(crate) fn clause(&self, index: usize) -> &[Lit] {
        let start = index.checked_sub(1).map_or(0, |i| self.ends[i].0);
        &self.lits[start..self.ends[index].0]
    }

    /// The origin of a clause.
    pub(crate) fn origin(&self, index: usize) -> Origin {
        self.ends[index].1
    }

    /// All comparisons, in order of creation.
    pub(crate) fn comparisons(&self) -> &[(Var, Term)] {
        &self.comparisons
    }

    /// Completes the clause of the literals added last.
    fn end(&mut self, origin: Origin) {
        self.ends.push((self.lits.len(), origin));
    }

    /// Encodes `root` and everything below it.
    pub(crate) fn encode(&mut self, terms: &mut Terms, root: Term) {
        let mut stack = vec![root];
        while let Some(t) = stack.pop() {
            if self.seen.contains_key(&t) {
                continue;
            }
            let gate = is_gate(terms, t);
            let below = stack.len();
            terms.children(t, |c| stack.push(if gate { terms.strip(c).0 } else { c }));
            if gate {
                // Variables are decided in the order of their creation: the youngest term below a gate comes first.
                stack[below..].sort_unstable();
            }
            if terms.sort(t) == Sort::Bool && !matches!(terms.node(t), Node::Not(_)) {
                self.lit(Literal { term: t, positive: true });
            }
            let first = self.ends.len();
            define(terms, t, &mut |clause| {
                if !gate {
                    stack.extend(clause.iter().map(|l| l.term));
                }
                for literal in clause {
                    let lit = self.lit(*literal);
                    self.lits.push(lit);
                }
                self.end(Origin::Definition(t));
            });
            self.seen.insert(t, first..self.ends.len());
            self.compare(terms, t);
        }
    }

    /// Registers a comparison and links it with its neighbours in the order of bounds of its form.
    fn compare(&mut self, terms: &Terms, t: Term) {
        let (form, key) = match terms.node(t) {
            Node::Le(form, bound) => (*form, (bound.clone(), 1)),
            Node::Lt(form, bound) => (*form, (bound.clone(), 0)),
            _ => return,
        };
        self.comparisons.push((self.vars[&t], t));
        let ladder = self.ladders.entry(form).or_default();
        let below = ladder.range(..&key).next_back().map(|(_, &below)| (below, t));
        let above = ladder.range(&key..).next().map(|(_, &above)| (t, above));
        ladder.insert(key, t);
        for (stronger, weaker) in below.into_iter().chain(above) {
            let (s, w) = (self.vars[&stronger], self.vars[&weaker]);
            self.lits.extend([Lit::new(s, false), Lit::new(w, true)]);
            self.end(Origin::Bounds);
        }
    }
}
