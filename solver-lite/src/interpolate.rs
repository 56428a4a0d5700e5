//! Interpolants from refutations.
//!
//! For assertions `A₁ … Aₙ` and a cut `k`, `A₁ … Aₖ` is the *A* side and the rest the *B* side. Each clause of the
//! proof gets a partial interpolant by McMillan's rules ("An interpolating theorem prover", 2005): literals that occur
//! in B count as B's. One refutation labelled at every cut gives a sequence `I₀ = true … Iₙ = false` with
//! `Iₖ ∧ Aₖ₊₁ ⇒ Iₖ₊₁` (Definition 5 of Hajdu and Micskei, "Efficient Strategies for CEGAR-Based Model Checking", 2020).
//!
//! Leaves: a Farkas lemma gives the sum of its A literals; a modular lemma gives "the fractional part of the A equations
//! is an integer", a divisibility (Griggio, Le and Sebastiani, "Efficient Interpolant Generation in Satisfiability
//! Modulo Linear Integer Arithmetic", 2012).

use crate::definition::definition;
use crate::hash::{Map, Set};
use crate::literal::{Literal, inequality};
use crate::number::Q;
use crate::proof::{Certificate, Proof, Rule};
use crate::term::{Linear, Sort, Term, Terms};

/// The sequence interpolant `I₀ … Iₙ` of the assertions a proof refutes, one element a cut.
#[must_use]
pub fn sequence(terms: &mut Terms, assertions: &[Term], proof: &Proof) -> Vec<Term> {
    let mut all = vec![Term::TRUE];
    all.extend(at_cuts(terms, assertions, proof, &(1..assertions.len()).collect::<Vec<_>>()));
    if !assertions.is_empty() {
        all.push(Term::FALSE);
    }
    all
}

/// The interpolants at some cuts only: before each cut is A, the rest is B.
#[must_use]
pub fn at_cuts(terms: &mut Terms, assertions: &[Term], proof: &Proof, cuts: &[usize]) -> Vec<Term> {
    let ranges = ranges(terms, assertions);
    cuts.iter().map(|cut| Cut { ranges: &ranges, cut: *cut }.interpolant(terms, proof)).collect()
}

/// All terms an assertion brings into a proof: its sub-terms and those of their definitions.
pub(crate) fn closure(terms: &mut Terms, assertion: Term) -> Vec<Term> {
    let mut seen = Set::from_iter([assertion]);
    let mut stack = vec![assertion];
    while let Some(t) = stack.pop() {
        let mut next = Vec::new();
        terms.children(t, |c| next.push(c));
        next.extend(definition(terms, t).into_iter().flatten().map(|l| l.term));
        stack.extend(next.into_iter().filter(|c| seen.insert(*c)));
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

/// One way of cutting the assertions in two: those before `cut` are A.
struct Cut<'a> {
    ranges: &'a Ranges,
    cut: usize,
}

impl Cut<'_> {
    /// Does the term occur in A only? A split of the integer search lives where its variable does.
    fn a_only(&self, terms: &Terms, t: Term) -> bool {
        if let Some((_, last)) = self.ranges.get(&t) {
            return *last < self.cut;
        }
        let mut last = 0;
        terms.children(t, |form| {
            let parts = terms.linear(form).terms;
            last = parts.iter().filter_map(|(x, _)| self.ranges.get(x)).map(|r| r.1).min().unwrap_or(0);
        });
        last < self.cut
    }

    fn interpolant(&self, terms: &mut Terms, proof: &Proof) -> Term {
        let mut partial: Vec<Term> = Vec::with_capacity(proof.steps.len());
        for step in &proof.steps {
            let p = match &step.rule {
                Rule::Assertion(i) => self.input(terms, *i < self.cut, &step.clause),
                Rule::Definition(t) => {
                    let a = self.a_only(terms, *t);
                    self.input(terms, a, &step.clause)
                }
                Rule::Theory(literals, certificate) => self.leaf(terms, literals, certificate),
                Rule::Resolution(first, chain) => {
                    let mut p = partial[*first];
                    for (pivot, premise) in chain {
                        let q = partial[*premise];
                        p = if self.a_only(terms, *pivot) { terms.or([p, q]) } else { terms.and([p, q]) };
                    }
                    p
                }
            };
            partial.push(p);
        }
        partial.last().copied().unwrap_or(Term::TRUE)
    }

    /// A clause of A: its literals that B knows. A clause of B: true.
    fn input(&self, terms: &mut Terms, in_a: bool, clause: &[Literal]) -> Term {
        if !in_a {
            return Term::TRUE;
        }
        let mut shared = Vec::new();
        for l in clause {
            if !self.a_only(terms, l.term) {
                shared.push(l.to_term(terms));
            }
        }
        terms.or(shared)
    }

    fn leaf(&self, terms: &mut Terms, literals: &[Literal], why: &Certificate) -> Term {
        match why {
            Certificate::Farkas(coefficients) => self.farkas(terms, literals, coefficients),
            Certificate::Modular(coefficients) => self.modular(terms, literals, coefficients),
            Certificate::Cycle => self.farkas(terms, literals, &vec![Q::ONE; literals.len()]),
        }
    }

    /// The weighted sum of the A inequalities.
    fn farkas(&self, terms: &mut Terms, literals: &[Literal], coefficients: &[Q]) -> Term {
        let mut sum = Linear::constant(Q::ZERO);
        let mut strict = false;
        for (l, q) in literals.iter().zip(coefficients) {
            if self.a_only(terms, l.term) {
                let said = inequality(terms, *l).expect("theory literals are inequalities");
                sum.add_scaled(q, &said.linear);
                strict |= said.strict;
            }
        }
        if strict { terms.lt_zero(sum) } else { terms.le_zero(sum) }
    }

    /// Equations with both halves in A add up to `s = 0`; the part of `s` over shared terms is an integer, because A's own
    /// part is. An equation whose halves come from different sides counts as B's, which learns A's half of it.
    fn modular(&self, terms: &mut Terms, literals: &[Literal], ys: &[Q]) -> Term {
        let mut sum = Linear::constant(Q::ZERO);
        let mut parts = Vec::new();
        for (pair, y) in literals.chunks_exact(2).zip(ys) {
            let halves: Vec<&Literal> = pair.iter().filter(|l| self.a_only(terms, l.term)).collect();
            match halves.as_slice() {
                [] => {}
                [half] => parts.push(half.to_term(terms)),
                _ => sum.add_scaled(y, &inequality(terms, pair[0]).expect("an inequality").linear),
            }
        }
        sum.terms.retain(|(t, _)| !self.a_only_variable(*t));
        parts.push(integral(terms, sum));
        terms.and(parts)
    }

    fn a_only_variable(&self, t: Term) -> bool {
        self.ranges.get(&t).is_some_and(|r| r.1 < self.cut)
    }
}

/// That a sum with rational coefficients over integer terms is an integer, as a divisibility.
fn integral(terms: &mut Terms, mut sum: Linear) -> Term {
    let scale = sum.terms.iter().fold(sum.constant.denominator(), |d, (_, q)| d.lcm(&q.denominator()));
    if scale.is_one() {
        return Term::TRUE;
    }
    sum.scale(&scale);
    for q in sum.terms.iter_mut().map(|(_, q)| q) {
        *q = q.rem_euclid(&scale);
    }
    sum.terms.retain(|(_, q)| !q.is_zero());
    sum.constant = sum.constant.rem_euclid(&scale);
    let sum = terms.sum(sum, Sort::Int);
    let remainder = terms.modulo(sum, &scale);
    let zero = terms.int(0);
    terms.eq(remainder, zero)
}
