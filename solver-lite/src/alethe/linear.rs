//! Lemmas of linear arithmetic by `la_generic`: the negated literals of the clause, multiplied by the rule's arguments
//! and added up, are contradictory.
//!
//! A term that is a variable for the rule may have a defining equation: an `ite` of the problem's text, a quotient.
//! Such variables are eliminated by adding their equations, which are resolved away afterwards.

use crate::alethe::steps::{Argument, StepId};
use crate::alethe::store::{Id, Lit, Sum};
use crate::alethe::{Builder, NoRule};
use crate::hash::Map;
use crate::number::Q;
use crate::term::Sort;

/// Equations of variables: `x = e` or `e = x` for each `x`, with a step whose clause contains it.
pub(super) type Equations = Map<Id, (Lit, StepId)>;

impl Builder<'_> {
    /// The difference of the two sides of a comparison.
    fn difference(&self, atom: Id) -> Option<(&'static str, Sum)> {
        let store = &self.steps.store;
        let (operator @ ("<" | "<=" | ">" | ">=" | "="), &[a, b]) = store.parts(atom) else { return None };
        let mut sum = store.sum(a);
        sum.add(&Q::MINUS_ONE, &store.sum(b));
        Some((operator, sum))
    }

    /// The negation of a literal as `sum ≥ 0` or `sum > 0`; as `sum = 0` for the negation of an equation.
    fn opposite(&self, l: Lit) -> Result<Sum, NoRule> {
        let (operator, mut sum) = self
            .difference(l.atom)
            .ok_or_else(|| NoRule("a comparison that is not of two sums".to_owned()))?;
        let upward = match operator {
            "<" | "<=" => l.positive,
            ">" | ">=" => !l.positive,
            _ => true,
        };
        if !upward {
            let mut turned = Sum::default();
            turned.add(&Q::MINUS_ONE, &sum);
            sum = turned;
        }
        Ok(sum)
    }

    /// A clause by `la_generic`, with these multipliers (positive; the signs of equations are computed).
    pub(super) fn lemma(&mut self, literals: &[(Lit, Q)], equations: &Equations) -> Result<StepId, NoRule> {
        let is_equation = |b: &Self, l: &Lit| b.steps.store.parts(l.atom).0 == "=";
        let unsigned: Vec<usize> =
            (0..literals.len()).filter(|i| is_equation(self, &literals[*i].0)).collect();
        for signs in 0..1u32 << unsigned.len().min(4) {
            let mut signed = literals.to_vec();
            for (bit, i) in unsigned.iter().enumerate() {
                if signs >> bit & 1 == 1 {
                    signed[*i].1 = -&signed[*i].1;
                }
            }
            if let Some((all, used)) = self.eliminate(signed, equations)?
                && self.contradicts(&all)?
            {
                let at = self.la_generic(&all);
                return Ok(self.steps.resolve(at, &used));
            }
        }
        Err(NoRule("a lemma whose sum is not a contradiction".to_owned()))
    }

    /// Adds the equations that eliminate variables; nothing if some are left.
    #[allow(clippy::type_complexity)]
    fn eliminate(
        &self,
        mut all: Vec<(Lit, Q)>,
        equations: &Equations,
    ) -> Result<Option<(Vec<(Lit, Q)>, Vec<(Id, StepId)>)>, NoRule> {
        let mut total = Sum::default();
        for (l, q) in &all {
            total.add(q, &self.opposite(*l)?);
        }
        let mut used: Vec<(Id, StepId)> = Vec::new();
        let of = |x: &Id| equations.get(x).or_else(|| self.equations.get(x)).map(|found| (*x, *found));
        while let Some((x, (equation, step))) = total.terms.keys().rev().find_map(of) {
            let sum = self.opposite(equation.negated())?;
            let Some(own) = sum.terms.get(&x) else { return Ok(None) };
            let factor = -(&total.terms[&x] / own);
            total.add(&factor, &sum);
            match all.iter_mut().find(|(l, _)| *l == equation.negated()) {
                Some((_, q)) => *q += &factor,
                None => all.push((equation.negated(), factor)),
            }
            if !used.contains(&(equation.atom, step)) {
                used.push((equation.atom, step));
            }
        }
        Ok(total.terms.is_empty().then_some((all, used)))
    }

    /// Is the sum a contradiction? Strict inequalities are rounded over integers only. Carcara rounds over reals, too,
    /// so acceptance by Carcara alone is not sufficient.
    fn contradicts(&self, all: &[(Lit, Q)]) -> Result<bool, NoRule> {
        let (mut total, mut strict) = (Q::ZERO, false);
        for (l, q) in all {
            let mut sum = self.opposite(*l)?;
            let integral =
                sum.terms.iter().all(|(t, q)| self.steps.store.sort(*t) == Sort::Int && q.is_integer());
            let weak = matches!(
                (self.steps.store.parts(l.atom).0, l.positive),
                ("<=" | ">=", false) | ("<" | ">", true)
            );
            if self.steps.store.parts(l.atom).0 == "=" {
                // An equation stays an equation.
            } else if integral {
                sum.constant = if weak { sum.constant.floor() } else { &sum.constant.ceil() - &Q::ONE };
            } else {
                strict |= !weak && !q.is_zero();
            }
            total.add_product(q, &sum.constant);
        }
        Ok(total.is_negative() || strict && total.is_zero())
    }

    fn la_generic(&mut self, all: &[(Lit, Q)]) -> StepId {
        let common = all.iter().fold(Q::ONE, |d, (_, q)| d.lcm(&q.denominator()));
        let formulas = all.iter().map(|(l, _)| self.steps.store.of(*l)).collect();
        let number = |q: &Q| {
            let q = q * &common;
            Argument::Number(if q.is_negative() { format!("(- {})", q.abs()) } else { q.to_string() })
        };
        let arguments = all.iter().map(|(_, q)| number(q)).collect();
        self.steps.step("la_generic", formulas, Vec::new(), arguments)
    }

    /// The same for a clause that may have an equation as a positive literal: it follows from its two sides.
    pub(super) fn entailed(
        &mut self,
        literals: &[(Lit, Q)],
        equations: &Equations,
    ) -> Result<StepId, NoRule> {
        let is_goal = |(l, _): &(Lit, Q)| l.positive && self.steps.store.parts(l.atom).0 == "=";
        let Some(at) = literals.iter().position(is_goal) else { return self.lemma(literals, equations) };
        let (goal, premises) = (literals[at].0, self.split(literals[at].0.atom));
        let mut chain = Vec::new();
        for side in premises.1 {
            let mut with = literals.to_vec();
            with[at].0 = Lit { atom: side, positive: true };
            chain.push((side, self.lemma(&with, equations)?));
        }
        debug_assert!(goal.positive);
        Ok(self.steps.resolve(premises.0, &chain))
    }

    /// `x = y ∨ ¬(x ≤ y) ∨ ¬(y ≤ x)` with the two inequalities.
    pub(super) fn split(&mut self, equation: Id) -> (StepId, [Id; 2]) {
        let steps = &mut self.steps;
        let &[x, y] = steps.store.parts(equation).1 else { unreachable!("an equation has two sides") };
        let sides = [[x, y], [y, x]].map(|both| steps.store.formula("<=", &both));
        let [no_le, no_ge] = sides.map(|side| steps.store.not(side));
        let formula = steps.store.formula("or", &[equation, no_le, no_ge]);
        let unit = steps.axiom("la_disequality", vec![formula]);
        (steps.step("or", vec![equation, no_le, no_ge], vec![unit], Vec::new()), sides)
    }
}
