//! The leaves of our proofs: definitions of internal terms and lemmas of arithmetic.

use crate::alethe::linear::Equations;
use crate::alethe::own::Own;
use crate::alethe::steps::StepId;
use crate::alethe::store::Lit;
use crate::alethe::{Builder, NoRule};
use crate::definition::is_gate;
use crate::literal::{Clause, Literal, inequality};
use crate::number::Q;
use crate::proof::Certificate;
use crate::term::{Linear, Node, Term};

impl Builder<'_> {
    /// A clause of the definition of `t`.
    pub(super) fn definition(&mut self, t: Term, clause: &Clause) -> Result<StepId, NoRule> {
        let mut target: Vec<Lit> = clause.iter().map(|l| self.literal(*l)).collect();
        target.sort_unstable();
        target.dedup();
        let id = self.write(t);
        if is_gate(self.terms, t) {
            let gate = self.gate(id)?;
            if let Some(known) = self.tautologies.get(&target) {
                return Ok(*known);
            }
            return self.derive(&target, &gate);
        }
        match self.terms.node(t) {
            Node::Eq(..) if clause.len() == 2 => {
                let both: Vec<(Lit, Q)> = target.iter().map(|l| (*l, Q::ONE)).collect();
                self.lemma(&both, &Equations::default())
            }
            Node::Eq(..) => self.equation(id, &target),
            Node::Ite(..) => {
                let choices = self.branches(id)?;
                for choice in choices {
                    let guard = self.steps.clause(choice.1).to_vec();
                    let side: Vec<Lit> = target.iter().filter(|l| !guard.contains(l)).copied().collect();
                    if let ([side], true) = (side.as_slice(), target.iter().any(|l| guard.contains(l))) {
                        let equations: Equations = [(id, choice)].into_iter().collect();
                        return self.lemma(&[(*side, Q::ONE)], &equations);
                    }
                }
                Err(NoRule("an 'ite' that was simplified".to_owned()))
            }
            Node::Div(..) => Err(NoRule("'div'".to_owned())),
            Node::Mod(..) => Err(NoRule("'mod'".to_owned())),
            _ => Err(NoRule("a definition".to_owned())),
        }
    }

    /// `f = b ∨ ¬(f ≤ b) ∨ ¬(f ≥ b)`.
    fn equation(&mut self, id: crate::alethe::store::Id, target: &[Lit]) -> Result<StepId, NoRule> {
        let (split, sides) = self.split(id);
        let mut premises = vec![split];
        for side in sides {
            let side = Lit { atom: side, positive: true };
            for own in target.iter().filter(|l| l.atom != id && **l != side.negated()) {
                if let Ok(step) = self.lemma(&[(side, Q::ONE), (*own, Q::ONE)], &Equations::default()) {
                    premises.push(step);
                }
            }
        }
        self.derive(target, &premises)
    }

    /// A lemma of arithmetic: the literals are contradictory.
    pub(super) fn theory(
        &mut self,
        literals: &[Literal],
        certificate: &Certificate,
    ) -> Result<StepId, NoRule> {
        let factors = match certificate {
            Certificate::Modular(q) => return self.modular(literals, q),
            Certificate::Farkas(q) => q.clone(),
            Certificate::Cycle => vec![Q::ONE; literals.len()],
        };
        let clause: Vec<(Lit, Q)> =
            literals.iter().zip(factors).map(|(l, q)| (self.literal(l.negated()), q)).collect();
        self.lemma(&clause, &Equations::default())
    }

    /// A combination of equations with integer coefficients and a constant that is not an integer: rounding makes its
    /// two inequalities contradictory.
    fn modular(&mut self, literals: &[Literal], factors: &[Q]) -> Result<StepId, NoRule> {
        let none = || NoRule("a combination of equations without variables".to_owned());
        let mut total = Linear::constant(Q::ZERO);
        let mut sides: [Vec<(Lit, Q)>; 2] = [Vec::new(), Vec::new()];
        for (pair, q) in literals.chunks(2).zip(factors) {
            let [first, second] = pair else { return Err(none()) };
            let said = inequality(self.terms, *first).ok_or_else(none)?;
            total.add_scaled(q, &said.linear);
            let (first, second) = (self.literal(first.negated()), self.literal(second.negated()));
            let (up, down) = if q.is_negative() { (second, first) } else { (first, second) };
            sides[0].push((up, q.abs()));
            sides[1].push((down, q.abs()));
        }
        let factor = if total.terms.is_empty() { return Err(none()) } else { total.coprime_factor().recip() };
        let mut derived = Vec::new();
        for mut side in sides {
            let said = self.terms.le_zero(total.clone());
            let Own::Literal(l) = self.own(said) else { return Err(none()) };
            side.push((l, factor.clone()));
            derived.push((l.atom, self.lemma(&side, &Equations::default())?));
            total.scale(&Q::MINUS_ONE);
        }
        Ok(self.steps.resolve(derived[0].1, &derived[1..]))
    }
}
