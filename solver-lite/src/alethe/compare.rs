//! Comparisons of the text and internal ones: by `la_generic` with the two literals, and, where `ite`s were lifted out
//! of a comparison (`term::lift`), branch by branch.

use crate::alethe::linear::Equations;
use crate::alethe::own::Own;
use crate::alethe::steps::StepId;
use crate::alethe::store::{Id, Lit};
use crate::alethe::{Builder, NoRule};
use crate::hash::Map;
use crate::number::Q;
use crate::term::{Linear, Node, Sort, Term, Terms};

type Relation = fn(&mut Terms, Term, Term) -> Term;

/// The factor that turns the normal form of a comparison of this sum with zero into the sum.
fn multiplier(sum: &Linear) -> Q {
    if sum.terms.is_empty() { Q::ONE } else { sum.coprime_factor().recip() }
}

impl Builder<'_> {
    pub(super) fn comparison(&mut self, t: Id, meaning: Term) -> Result<[Option<StepId>; 2], NoRule> {
        let (operator, arguments) = self.steps.store.parts(t);
        let relation: Relation = match operator {
            "<=" => Terms::le,
            "<" => Terms::lt,
            ">=" => Terms::ge,
            ">" => Terms::gt,
            "=" => Terms::eq,
            _ => return Err(NoRule(format!("'{operator}'"))),
        };
        let &[a, b] = arguments else { return Err(NoRule(format!("'{operator}' in a chain"))) };
        let (a, b) = (self.mean(a)?, self.mean(b)?);
        let plain = relation(self.terms, a, b);
        let mut sum = self.terms.linear(a);
        sum.add_scaled(&Q::MINUS_ONE, &self.terms.linear(b));
        let plain_own = self.own(plain);
        let text = Lit { atom: t, positive: true };
        let direct = if plain_own == Own::Literal(text) {
            [None, None]
        } else if plain == Term::FALSE && !sum.terms.is_empty() {
            [Some(self.no_integers((text, Q::ONE), sum.clone(), &Equations::default())?), None]
        } else {
            self.same((text, Q::ONE), (plain_own, multiplier(&sum)), &Equations::default())?
        };
        if plain == meaning {
            return Ok(direct);
        }
        let mut premises: Vec<StepId> = direct.into_iter().flatten().collect();
        premises.extend(self.lifted(sum, relation, plain)?);
        let own = self.own(meaning);
        self.both(t, own, &premises)
    }

    /// The clauses `¬l ∨ o` and `l ∨ ¬o` for two forms of one comparison, each with the factor that makes them one sum.
    fn same(
        &mut self,
        (l, p): (Lit, Q),
        (own, q): (Own, Q),
        equations: &Equations,
    ) -> Result<[Option<StepId>; 2], NoRule> {
        let mut done = [None, None];
        for (positive, slot) in [true, false].into_iter().zip(&mut done) {
            let Some(side) = own.side(positive) else { continue };
            let mut literals = vec![(if positive { l.negated() } else { l }, p.clone())];
            literals.extend(side.into_iter().map(|o| (o, q.clone())));
            *slot = Some(self.entailed(&literals, equations)?);
        }
        Ok(done)
    }

    /// An equation over integers with coefficients whose common divisor does not divide the constant is false: rounding
    /// makes its two inequalities contradictory.
    fn no_integers(
        &mut self,
        (l, p): (Lit, Q),
        sum: Linear,
        equations: &Equations,
    ) -> Result<StepId, NoRule> {
        let q = multiplier(&sum);
        let mut turned = sum.clone();
        turned.scale(&Q::MINUS_ONE);
        let mut sides = Vec::new();
        for side in [sum, turned] {
            let side = self.terms.le_zero(side);
            let Own::Literal(side) = self.own(side) else { unreachable!("it has a variable") };
            let both = [(l.negated(), p.clone()), (side, q.clone())];
            sides.push((side.atom, self.lemma(&both, equations)?));
        }
        Ok(self.steps.resolve(sides[0].1, &sides[1..]))
    }

    /// Steps that connect a comparison over an `ite` with the result of lifting the `ite`.
    fn lifted(&mut self, sum: Linear, relation: Relation, plain: Term) -> Result<Vec<StepId>, NoRule> {
        let none = || NoRule("a comparison that was simplified".to_owned());
        let at = sum.terms.iter().position(|(t, _)| matches!(self.terms.node(*t), Node::Ite(..)));
        let mut rest = sum;
        let (root, factor) = rest.terms.remove(at.ok_or_else(none)?);
        let inner = self.terms.nested(root, usize::MAX).ok_or_else(none)?;
        let zero = self.terms.num(Q::ZERO, Sort::Real);
        let mut image: Map<Term, Term> = Map::default();
        // Connects the comparison over an inner `ite` with its image.
        let mut known: Map<Term, Vec<StepId>> = Map::default();
        let with = |b: &mut Self, t: Term| -> (Term, Linear) {
            let mut said = rest.clone();
            said.add_scaled(&factor, &b.terms.linear(t));
            let sum = said.clone();
            let said = b.terms.sum(said, Sort::Real);
            (relation(b.terms, said, zero), sum)
        };
        for t in inner {
            let Node::Ite(c, yes, no) = *self.terms.node(t) else { unreachable!("only ites are collected") };
            let (whole, sum) = with(self, t);
            let q = multiplier(&sum);
            debug_assert!(t != root || whole == plain);
            let Own::Literal(l) = self.own(whole) else { return Err(none()) };
            let id = self.write(t);
            let choices = self.branches(id)?;
            let mut premises = Vec::new();
            let mut images = [yes, no];
            for (i, branch) in [yes, no].into_iter().enumerate() {
                let (said, sum) = with(self, branch);
                let own = self.own(said);
                let equations: Equations = [(id, choices[i])].into_iter().collect();
                if said == Term::FALSE && !sum.terms.is_empty() {
                    premises.push(self.no_integers((l, q.clone()), sum, &equations)?);
                } else {
                    let both = self.same((l, q.clone()), (own, multiplier(&sum)), &equations)?;
                    premises.extend(both.into_iter().flatten());
                }
                images[i] = *image.get(&branch).unwrap_or(&said);
                premises.extend(known.get(&branch).into_iter().flatten());
                if let Own::Literal(l) = self.own(images[i]) {
                    premises.extend(self.gate(l.atom)?);
                }
            }
            let lifted = self.terms.ite(c, images[0], images[1]);
            image.insert(t, lifted);
            let own = self.own(lifted);
            for own in [self.own(c), own] {
                if let Own::Literal(l) = own {
                    premises.extend(self.gate(l.atom)?);
                }
            }
            let both = self.both_of(l, own, &premises)?;
            known.insert(t, both);
        }
        Ok(known.remove(&root).unwrap_or_default())
    }

    /// The clauses `¬l ∨ o` and `l ∨ ¬o` as steps.
    fn both_of(&mut self, l: Lit, own: Own, premises: &[StepId]) -> Result<Vec<StepId>, NoRule> {
        let mut done = Vec::new();
        for positive in [true, false] {
            if let Some(mut clause) = own.side(positive) {
                clause.push(if positive { l.negated() } else { l });
                done.push(self.derive(&clause, premises)?);
            }
        }
        Ok(done)
    }
}
