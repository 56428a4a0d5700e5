//! Interpolants from refutations.
//!
//! For assertions `A₁ … Aₙ` and a cut `k`, `A₁ … Aₖ` is the *A* side and the rest the *B* side. Each clause of the
//! proof has a partial interpolant (by the rules of [`Method::boolean`]); that of the empty clause is the interpolant:
//! it follows from A, contradicts B, and contains only shared symbols. One refutation labelled the same way at every
//! cut gives a sequence `I₀ = true … Iₙ = false` with `Iₖ ∧ Aₖ₊₁ ⇒ Iₖ₊₁` (Definition 5 of Hajdu and Micskei, "Efficient
//! Strategies for CEGAR-Based Model Checking", 2020).
//!
//! Each interpolant is built by Boolean steps over leaves (`leaf`). The steps form a separate graph (`partial`) that is
//! converted to terms at the end; `simplify` removes redundancy, and `facts` records why the result is equivalent.
//! `steps` proves the conditions.

mod facts;
mod leaf;
mod partial;
mod simplify;
mod steps;
#[cfg(test)]
mod tests;

use crate::definition::{define, is_gate};
use crate::hash::{Map, Set};
use crate::interpolate::partial::{Partial, Partials};
pub use crate::interpolate::steps::steps;
use crate::literal::Literal;
use crate::proof::{Proof, Rule};
use crate::term::{Term, Terms};

/// Rules for the Boolean steps of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Boolean {
    /// McMillan ("An interpolating theorem prover", 2005): shared literals count as B's. The strongest.
    #[default]
    McMillan,
    /// Pudlák ("Lower bounds for resolution and cutting plane proofs", 1997): shared literals belong to both.
    Pudlak,
    /// McMillan's rules with A and B exchanged, negated: the weakest.
    Dual,
}

/// The partial interpolant of a leaf of linear arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Arithmetic {
    /// The weighted sum of A's inequalities: one inequality.
    #[default]
    Farkas,
    /// The same for each group of A's inequalities that are linked by variables local to A: a conjunction of simpler
    /// ones (after Blicha, Hyvärinen, Kofroň and Sharygina, "Decomposing Farkas Interpolants", 2019).
    Decomposed,
}

/// An interpolation method. Each of them satisfies the conditions of a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Method {
    /// Boolean steps.
    pub boolean: Boolean,
    /// Leaves. Negative cycles are always decomposed, so that differences stay differences (Cimatti, Griggio and
    /// Sebastiani, "Efficient Generation of Craig Interpolants in Satisfiability Modulo Theories", 2010, section 5).
    pub arithmetic: Arithmetic,
}

impl Method {
    /// All combinations.
    #[must_use]
    pub fn all() -> Vec<Method> {
        let booleans = [Boolean::McMillan, Boolean::Pudlak, Boolean::Dual];
        let arithmetics = [Arithmetic::Farkas, Arithmetic::Decomposed];
        booleans
            .into_iter()
            .flat_map(|boolean| arithmetics.map(|arithmetic| Method { boolean, arithmetic }))
            .collect()
    }
}

/// The sequence interpolant `I₀ … Iₙ` of the assertions a proof refutes, one element a cut.
#[must_use]
pub fn sequence(terms: &mut Terms, assertions: &[Term], proof: &Proof) -> Vec<Term> {
    let cuts: Vec<usize> = (1..assertions.len()).collect();
    let mut all = vec![Term::TRUE];
    all.extend(at_cuts(terms, assertions, proof, &cuts, Method::default()));
    if !assertions.is_empty() {
        all.push(Term::FALSE);
    }
    all
}

/// Does the proof contain only terms of the assertions? A solver with earlier assertions may use definitions of terms
/// that occur in none of the current ones; these belong to no side, so such a proof is not interpolated.
#[must_use]
pub fn is_about(terms: &mut Terms, assertions: &[Term], proof: &Proof) -> bool {
    let ranges = ranges(terms, assertions);
    let leaf_known = |terms: &Terms, t: Term| {
        let mut known = true;
        terms.children(t, |form| {
            known &= terms.linear(form).terms.iter().all(|(x, _)| ranges.contains_key(x))
        });
        known
    };
    proof.steps.iter().all(|step| match &step.rule {
        Rule::Definition(t) => ranges.contains_key(t),
        Rule::Theory(literals, _) => {
            literals.iter().all(|l| ranges.contains_key(&l.term) || leaf_known(terms, l.term))
        }
        Rule::Assertion(_) | Rule::Resolution(..) => true,
    })
}

/// The interpolants at some cuts only: before each cut is A, the rest is B.
///
/// The proof must contain only terms of the assertions ([`is_about`]), as those of [`crate::refute()`] do.
#[must_use]
pub fn at_cuts(
    terms: &mut Terms,
    assertions: &[Term],
    proof: &Proof,
    cuts: &[usize],
    method: Method,
) -> Vec<Term> {
    let ranges = ranges(terms, assertions);
    let interpolant = |cut: &usize| {
        let cut = Cut { ranges: &ranges, cut: *cut, method };
        let (graph, all) = cut.partials(terms, proof);
        all.last().map_or(Term::TRUE, |chain| cut.finished(terms, &graph, last(chain)))
    };
    cuts.iter().map(interpolant).collect()
}

/// The partial interpolants of all steps of a proof at one cut, in the steps' order; the last one is the interpolant.
///
/// Each is converted to a term of its own, so this is for proofs that are displayed. As in [`at_cuts`] the proof must
/// contain only terms of the assertions.
#[must_use]
pub fn partials(
    terms: &mut Terms,
    assertions: &[Term],
    proof: &Proof,
    cut: usize,
    method: Method,
) -> Vec<Term> {
    let ranges = ranges(terms, assertions);
    let cut = Cut { ranges: &ranges, cut, method };
    let (graph, all) = cut.partials(terms, proof);
    all.into_iter().map(|chain| cut.finished(terms, &graph, last(&chain))).collect()
}

/// The side of each step of a proof at a cut: of an assertion or definition, of a lemma by its literals, of a
/// resolution by its pivots.
#[must_use]
pub fn sides(
    terms: &mut Terms,
    assertions: &[Term],
    proof: &Proof,
    cut: usize,
    method: Method,
) -> Vec<Vec<Side>> {
    let ranges = ranges(terms, assertions);
    let cut = Cut { ranges: &ranges, cut, method };
    // The dual rules exchange the sides.
    let real = |side: Side| match (method.boolean, side) {
        (Boolean::Dual, Side::A) => Side::B,
        (Boolean::Dual, Side::B) => Side::A,
        (_, side) => side,
    };
    let of = |step: &crate::proof::Step| match &step.rule {
        Rule::Assertion(i) => vec![real(cut.of_assertion(*i))],
        Rule::Definition(t) => vec![real(if cut.a_only(terms, *t) { Side::A } else { Side::B })],
        Rule::Theory(literals, _) => literals.iter().map(|l| real(cut.side(terms, l.term))).collect(),
        Rule::Resolution(_, chain) => chain.iter().map(|(pivot, _)| real(cut.side(terms, *pivot))).collect(),
    };
    proof.steps.iter().map(of).collect()
}

/// All terms of an assertion in a proof: its sub-terms and those of their definitions.
pub(crate) fn closure(terms: &mut Terms, assertion: Term) -> Vec<Term> {
    let mut seen = Set::from_iter([assertion]);
    let mut stack = vec![assertion];
    while let Some(t) = stack.pop() {
        let mut next = |c: Term| {
            if seen.insert(c) {
                stack.push(c);
            }
        };
        if is_gate(terms, t) {
            terms.children(t, |c| {
                next(c);
                next(terms.strip(c).0);
            });
        } else {
            terms.children(t, &mut next);
            define(terms, t, &mut |clause| clause.iter().for_each(|l| next(l.term)));
        }
    }
    seen.into_iter().collect()
}

/// First and last assertion in which each term occurs.
type Ranges = Map<Term, (usize, usize)>;

fn ranges(terms: &mut Terms, assertions: &[Term]) -> Ranges {
    let mut ranges = Ranges::default();
    for (i, a) in assertions.iter().enumerate() {
        for t in closure(terms, *a) {
            ranges.entry(t).and_modify(|r| r.1 = i).or_insert((i, i));
        }
    }
    ranges
}

/// The partial interpolant of the clause of a step.
fn last(chain: &[Partial]) -> Partial {
    *chain.last().expect("one for each clause")
}

/// The sides on which a term occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Only before the cut.
    A,
    /// Only after it.
    B,
    /// On both sides.
    Both,
}

/// A partition of the assertions: those before `cut` are A (or B, when the sides are exchanged).
struct Cut<'a> {
    ranges: &'a Ranges,
    cut: usize,
    method: Method,
}

impl Cut<'_> {
    /// The side of an assertion.
    fn of_assertion(&self, index: usize) -> Side {
        if (index < self.cut) != (self.method.boolean == Boolean::Dual) { Side::A } else { Side::B }
    }

    /// The side of a term. A split of the integer search has the side of its variable.
    fn side(&self, terms: &Terms, t: Term) -> Side {
        let range = self.ranges.get(&t).copied().or_else(|| {
            let mut range = None;
            terms.children(t, |form| {
                for (x, _) in terms.linear(form).terms {
                    if let Some(r) = self.ranges.get(&x) {
                        let (first, last) = *range.get_or_insert(*r);
                        range = Some((first.max(r.0), last.min(r.1)));
                    }
                }
            });
            range
        });
        let Some((first, last)) = range else { return Side::Both };
        let (early, late) = (self.of_assertion(first), self.of_assertion(last));
        if early == late { early } else { Side::Both }
    }

    fn a_only(&self, terms: &Terms, t: Term) -> bool {
        self.side(terms, t) == Side::A
    }

    /// A partial interpolant as a term, simplified.
    fn finished(&self, terms: &mut Terms, graph: &Partials, p: Partial) -> Term {
        let raw = graph.written(terms, p).last().map_or(Term::TRUE, |w| w.term);
        let said = simplify::simplify(terms, raw, None);
        self.signed(terms, said)
    }

    /// By dual rules the partial interpolant of the empty clause is the negated interpolant.
    fn signed(&self, terms: &mut Terms, said: Term) -> Term {
        if self.method.boolean == Boolean::Dual { terms.not(said) } else { said }
    }

    /// The partial interpolants of all steps: for a resolution those of its first clause and of each resolvent,
    /// otherwise one.
    fn partials(&self, terms: &mut Terms, proof: &Proof) -> (Partials, Vec<Vec<Partial>>) {
        let mut graph = Partials::default();
        let mut all: Vec<Vec<Partial>> = Vec::with_capacity(proof.steps.len());
        for step in &proof.steps {
            let chain = match &step.rule {
                Rule::Assertion(i) => {
                    vec![self.input(terms, &mut graph, self.of_assertion(*i) == Side::A, &step.clause)]
                }
                Rule::Definition(t) => {
                    let a = self.a_only(terms, *t);
                    vec![self.input(terms, &mut graph, a, &step.clause)]
                }
                Rule::Theory(literals, certificate) => {
                    let leaf = self.leaf(terms, literals, certificate);
                    vec![graph.leaf(leaf)]
                }
                Rule::Resolution(first, chain) => {
                    let mut p = last(&all[*first]);
                    let mut resolvents = vec![p];
                    for (pivot, premise) in chain {
                        let positive = Literal { term: *pivot, positive: true };
                        let sign = proof.steps[*premise].clause.binary_search(&positive).is_ok();
                        p = self.resolve(terms, &mut graph, *pivot, sign, p, last(&all[*premise]));
                        resolvents.push(p);
                    }
                    resolvents
                }
            };
            all.push(chain);
        }
        (graph, all)
    }

    /// The partial interpolant of a resolvent; `sign`: the pivot is positive in the second premise.
    fn resolve(
        &self,
        terms: &mut Terms,
        graph: &mut Partials,
        pivot: Term,
        sign: bool,
        p: Partial,
        q: Partial,
    ) -> Partial {
        match self.side(terms, pivot) {
            Side::A => graph.or(p, q),
            Side::Both if self.method.boolean == Boolean::Pudlak && p != q => {
                let (with, without) = if sign { (q, p) } else { (p, q) };
                let not = terms.not(pivot);
                let (yes, no) = (graph.leaf(pivot), graph.leaf(not));
                let (left, right) = (graph.or(yes, with), graph.or(no, without));
                graph.and(left, right)
            }
            Side::B | Side::Both => graph.and(p, q),
        }
    }

    /// A clause of A: its shared literals (none by Pudlák's rules). A clause of B: true.
    fn input(&self, terms: &mut Terms, graph: &mut Partials, in_a: bool, clause: &[Literal]) -> Partial {
        if !in_a {
            return graph.leaf(Term::TRUE);
        }
        let mut all = graph.leaf(Term::FALSE);
        if self.method.boolean != Boolean::Pudlak {
            for l in clause {
                if !self.a_only(terms, l.term) {
                    let shared = l.to_term(terms);
                    let shared = graph.leaf(shared);
                    all = graph.or(all, shared);
                }
            }
        }
        all
    }
}
