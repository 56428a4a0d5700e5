//! The bridge from the text to internal literals: for each formula `s` of the text and its literal `l` the clauses
//! `¬s ∨ l` and `s ∨ ¬l`, and for each number of the text that is a variable for `la_generic` an equation with an
//! internal sum.

use crate::alethe::linear::Equations;
use crate::alethe::own::Own;
use crate::alethe::steps::StepId;
use crate::alethe::store::{Id, Lit, Shape};
use crate::alethe::{Builder, NoRule};
use crate::number::Q;
use crate::term::{FLAT, Node, Sort, Term};

impl Builder<'_> {
    /// The internal literal of an assertion, as a unit clause.
    pub(super) fn asserted(&mut self, t: Id) -> Result<StepId, NoRule> {
        let assumed = self.steps.assume(t);
        self.connect(t)?;
        let lit = self.steps.store.lit(t);
        let [forward, back] = self.bridges[&lit.atom];
        let bridge = if lit.positive { forward } else { back };
        Ok(bridge.map_or(assumed, |bridge| self.steps.resolve(assumed, &[(lit.atom, bridge)])))
    }

    /// Derives the clauses or equations of a term and of everything below it.
    fn connect(&mut self, root: Id) -> Result<(), NoRule> {
        let mut stack = vec![(root, false)];
        while let Some((t, below)) = stack.pop() {
            if self.bridges.contains_key(&t) {
                continue;
            }
            if below {
                self.bridges.insert(t, [None, None]);
                let bridge = self.connected(t)?;
                self.bridges.insert(t, bridge);
                continue;
            }
            stack.push((t, true));
            stack.extend(self.arguments(t).into_iter().map(|a| (a, false)));
        }
        Ok(())
    }

    /// The terms on which the bridge of a term rests: its arguments, or the term it is rewritten to.
    fn arguments(&mut self, t: Id) -> Vec<Id> {
        match self.expansion(t) {
            Some(other) => vec![other],
            None => self.steps.store.parts(t).1.to_vec(),
        }
    }

    /// The two clauses of a term whose arguments are done.
    fn connected(&mut self, t: Id) -> Result<[Option<StepId>; 2], NoRule> {
        if self.steps.store.sort(t) != Sort::Bool {
            self.number(t)?;
            return Ok([None, None]);
        }
        if self.steps.store.parts(t).0 == "not" {
            return Ok([None, None]);
        }
        let meaning = self.mean(t)?;
        let own = self.own(meaning);
        if own == Own::Literal(Lit { atom: t, positive: true }) {
            return Ok([None, None]);
        }
        if let Some(truth) = self.truth(t) {
            return Ok([Some(truth); 2]);
        }
        if !self.is_gate(t) {
            return self.comparison(t, meaning);
        }
        let premises = self.around(t, own)?;
        self.both(t, own, &premises)
    }

    /// The two clauses, from premises that imply them propositionally.
    pub(super) fn both(
        &mut self,
        t: Id,
        own: Own,
        premises: &[StepId],
    ) -> Result<[Option<StepId>; 2], NoRule> {
        let mut done = [None, None];
        for (positive, slot) in [true, false].into_iter().zip(&mut done) {
            if let Some(mut clause) = own.side(positive) {
                clause.push(Lit { atom: t, positive: !positive });
                *slot = Some(self.derive(&clause, premises)?);
            }
        }
        Ok(done)
    }

    /// The clauses of an operator of the text, those of its internal term, and the bridges of their arguments.
    fn around(&mut self, t: Id, own: Own) -> Result<Vec<StepId>, NoRule> {
        let mut premises = self.gate(t)?;
        if let Own::Literal(l) = own {
            premises.extend(self.gate(l.atom)?);
        }
        for a in self.arguments(t) {
            let atom = self.steps.store.strip(a).0;
            premises.extend(self.bridges[&atom].iter().flatten());
            let meaning = self.mean(atom)?;
            if let Own::Literal(l) = self.own(meaning)
                && self.steps.store.parts(l.atom).1.len() <= FLAT
            {
                // It may have been flattened into its parent, or cancelled.
                premises.extend(self.gate(l.atom)?);
            }
        }
        Ok(premises)
    }

    /// An equation for a number that is neither an internal variable nor a sum.
    fn number(&mut self, t: Id) -> Result<(), NoRule> {
        let store = &self.steps.store;
        let sum = store.sum(t);
        let is_variable = sum.terms.len() == 1 && sum.terms.get(&t).is_some_and(Q::is_one);
        if !is_variable || matches!(store.shape(t), Shape::Symbol(_)) {
            return Ok(());
        }
        let meaning = self.mean(t)?;
        if self.write(meaning) == t {
            return Ok(());
        }
        let (operator, arguments) = self.steps.store.parts(t);
        let arguments = arguments.to_vec();
        let (equation, step) = match operator {
            "ite" => self.choice(t, &arguments, meaning)?,
            "/" | "*" => self.product(t, operator == "/", &arguments)?,
            _ => return Err(NoRule(format!("'{operator}'"))),
        };
        self.equations.insert(t, (equation, step));
        Ok(())
    }

    /// A product or quotient by constants as one coefficient and one factor.
    fn product(&mut self, t: Id, quotient: bool, arguments: &[Id]) -> Result<(Lit, StepId), NoRule> {
        let sort = self.steps.store.sort(t);
        let (mut factor, mut variable) = (Q::ONE, None);
        for (i, a) in arguments.iter().enumerate() {
            let sum = self.steps.store.sum(*a);
            if sum.terms.is_empty() {
                let inverse = quotient && i > 0;
                factor = if inverse { &factor / &sum.constant } else { &factor * &sum.constant };
            } else if variable.replace(*a).is_some() {
                return Err(NoRule("a product of terms that are not numbers".to_owned()));
            }
        }
        let store = &mut self.steps.store;
        let number = store.number(&factor, sort);
        let other = variable.map_or(number, |x| store.apply("*", &[number, x], sort));
        let equation = store.formula("=", &[t, other]);
        Ok((Lit { atom: equation, positive: true }, self.steps.axiom("poly_simp", vec![equation])))
    }

    /// An `ite` of the text equals the internal one (or its simplification), by cases.
    fn choice(&mut self, t: Id, arguments: &[Id], meaning: Term) -> Result<(Lit, StepId), NoRule> {
        let ours = self.write(meaning);
        let store = &mut self.steps.store;
        let equation = store.formula("=", &[t, ours]);
        let condition = store.lit(arguments[0]);
        let meant = self.mean(condition.atom)?;
        let own_condition = self.own(meant);
        let text = self.branches(t)?;
        let inner = match self.terms.node(meaning) {
            Node::Ite(c, ..) => {
                let c = *c;
                Some((self.own(c), self.branches(ours)?))
            }
            _ => None,
        };
        let mut premises: Vec<StepId> = self.bridges[&condition.atom].iter().flatten().copied().collect();
        let (split, sides) = self.split(equation);
        premises.push(split);
        for (holds, (branch, step)) in [true, false].into_iter().zip(text) {
            let atom_holds = holds == condition.positive;
            if own_condition == Own::Constant(!atom_holds) {
                continue;
            }
            let mut equations: Equations = [(t, (branch, step))].into_iter().collect();
            if let Some((Own::Literal(c), own_branches)) = inner
                && let Own::Literal(l) = own_condition
                && l.atom == c.atom
            {
                let first = (l.positive == atom_holds) == c.positive;
                equations.insert(ours, own_branches[usize::from(!first)]);
            }
            for side in sides {
                premises.push(self.lemma(&[(Lit { atom: side, positive: true }, Q::ONE)], &equations)?);
            }
        }
        let lit = Lit { atom: equation, positive: true };
        Ok((lit, self.derive(&[lit], &premises)?))
    }
}
