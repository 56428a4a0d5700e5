//! Partial interpolants of theory lemmas: the A part of a conflict, in shared terms.
//!
//! A Farkas lemma gives the sum of its A inequalities; a modular lemma gives "the fractional part of the A equations is
//! an integer", a divisibility (Griggio, Le and Sebastiani, "Efficient Interpolant Generation in Satisfiability Modulo
//! Linear Integer Arithmetic", 2012).

use crate::hash::Map;
use crate::interpolate::{Arithmetic, Cut, Side};
use crate::literal::{Inequality, Literal, inequality};
use crate::number::Q;
use crate::proof::Certificate;
use crate::term::{Linear, Sort, Term, Terms};

/// Grouping of A's inequalities for summation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Groups {
    /// All.
    One,
    /// Those that are linked by variables local to A.
    Linked,
    /// Those of a cycle of differences that are linked by such variables or by zero.
    Runs,
}

/// Merges the groups of two members; the first member represents the group.
fn join(groups: &mut [usize], i: usize, j: usize) {
    let (a, b) = (groups[i], groups[j]);
    let (keep, gone) = (a.min(b), a.max(b));
    groups.iter_mut().filter(|g| **g == gone).for_each(|g| *g = keep);
}

impl Cut<'_> {
    pub(super) fn leaf(&self, terms: &mut Terms, literals: &[Literal], why: &Certificate) -> Term {
        match why {
            Certificate::Farkas(coefficients) => {
                let groups = match self.method.arithmetic {
                    Arithmetic::Farkas => Groups::One,
                    Arithmetic::Decomposed => Groups::Linked,
                };
                self.farkas(terms, literals, coefficients, groups)
            }
            Certificate::Modular(coefficients) => self.modular(terms, literals, coefficients),
            // The groups are the paths of A's edges between shared variables.
            Certificate::Cycle => self.farkas(terms, literals, &vec![Q::ONE; literals.len()], Groups::Runs),
        }
    }

    /// The weighted A inequalities, added up in total or by group.
    fn farkas(&self, terms: &mut Terms, literals: &[Literal], coefficients: &[Q], how: Groups) -> Term {
        let mut parts: Vec<Inequality> = Vec::new();
        for (l, q) in literals.iter().zip(coefficients) {
            if self.a_only(terms, l.term) {
                let mut said = inequality(terms, *l).expect("theory literals are inequalities");
                said.linear.scale(q);
                parts.push(said);
            }
        }
        let mut groups: Vec<usize> = match how {
            Groups::One => vec![0; parts.len()],
            Groups::Linked | Groups::Runs => (0..parts.len()).collect(),
        };
        if how != Groups::One {
            self.link(terms, &parts, &mut groups);
        }
        if how == Groups::Runs {
            // A path through zero is a difference, too.
            let at_zero = |i: &usize| parts[*i].linear.terms.len() == 1;
            let ends: Vec<usize> = (0..parts.len()).filter(at_zero).collect();
            ends.windows(2).for_each(|pair| join(groups.as_mut_slice(), pair[0], pair[1]));
        }
        let mut sums: Vec<Option<Inequality>> = vec![None; parts.len()];
        for (part, group) in parts.into_iter().zip(groups) {
            match &mut sums[group] {
                None => sums[group] = Some(part),
                Some(sum) => {
                    sum.linear.add_scaled(&Q::ONE, &part.linear);
                    sum.strict |= part.strict;
                }
            }
        }
        let mut all = Vec::new();
        for sum in sums.into_iter().flatten() {
            all.push(if sum.strict { terms.lt_zero(sum.linear) } else { terms.le_zero(sum.linear) });
        }
        terms.and(all)
    }

    /// Puts inequalities that have a variable local to A in common into one group. Such a variable cancels in the total
    /// sum, so it cancels in the sum of its group.
    fn link(&self, terms: &Terms, parts: &[Inequality], groups: &mut [usize]) {
        let mut first: Map<Term, usize> = Map::default();
        for (i, part) in parts.iter().enumerate() {
            for (x, _) in &part.linear.terms {
                if self.side(terms, *x) != Side::A {
                    continue;
                }
                join(groups, *first.entry(*x).or_insert(i), i);
            }
        }
    }

    /// The halves of equations of which only one is in A, and that the fractional part of the other equations is an
    /// integer.
    fn modular(&self, terms: &mut Terms, literals: &[Literal], ys: &[Q]) -> Term {
        let (mut parts, sum) = self.equations(terms, literals, ys);
        parts.push(match reduced(sum) {
            None => Term::TRUE,
            Some((sum, scale)) => {
                let sum = terms.sum(sum, Sort::Int);
                let remainder = terms.modulo(sum, &scale);
                let zero = terms.int(0);
                terms.eq(remainder, zero)
            }
        });
        terms.and(parts)
    }

    /// Equations with both halves in A add up to `s = 0`; the part of `s` over shared terms is an integer, because the
    /// part local to A is. An equation whose halves come from different sides counts as B's; A's half of it is passed
    /// to B.
    fn equations(&self, terms: &mut Terms, literals: &[Literal], ys: &[Q]) -> (Vec<Term>, Linear) {
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
        sum.terms.retain(|(t, _)| self.side(terms, *t) != Side::A);
        (parts, sum)
    }

    /// `s / k − (s div k)` for the divisibility of `s` by `k` that a modular lemma contributes: 0 if it holds, below 1
    /// always.
    pub(super) fn remainder(&self, terms: &mut Terms, literals: &[Literal], ys: &[Q]) -> Linear {
        let Some((mut sum, scale)) = reduced(self.equations(terms, literals, ys).1) else {
            return Linear::constant(Q::ZERO);
        };
        let dividend = terms.sum(sum.clone(), Sort::Int);
        let quotient = terms.div(dividend, &scale);
        sum.scale(&(&Q::ONE / &scale));
        sum.add_scaled(&Q::MINUS_ONE, &terms.linear(quotient));
        sum
    }
}

/// A sum with rational coefficients over integer terms, multiplied by a number that makes them integers, each reduced
/// modulo that number. It divides the result if and only if the sum is an integer. `None` if the sum is always one.
fn reduced(mut sum: Linear) -> Option<(Linear, Q)> {
    let scale = sum.terms.iter().fold(sum.constant.denominator(), |d, (_, q)| d.lcm(&q.denominator()));
    if scale.is_one() {
        return None;
    }
    sum.scale(&scale);
    for q in sum.terms.iter_mut().map(|(_, q)| q) {
        *q = q.rem_euclid(&scale);
    }
    sum.terms.retain(|(_, q)| !q.is_zero());
    sum.constant = sum.constant.rem_euclid(&scale);
    Some((sum, scale))
}
