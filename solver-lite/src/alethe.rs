//! Proofs in the format Alethe (Schurr, Fleury, Barbosa and Fontaine, "Alethe: Towards a Generic SMT Proof Format",
//! 2021), for independent checkers.
//!
//! An Alethe proof is about the problem's text; our proofs are about terms in normal form. The translation has three
//! parts. *Bridge*: for each formula `s` of the text and its internal literal `l`, the clauses `¬s ∨ l` and `s ∨ ¬l`,
//! bottom up (`bridge`, `compare`). *Leaves*: definitions as tautologies (`gates`), lemmas of arithmetic as
//! `la_generic` (`linear`, `leaves`). *Resolution* is kept as it is (`steps`). A step that has no Alethe rule is an
//! error: there are no holes.

mod bridge;
mod compare;
mod derive;
mod gates;
mod leaves;
mod linear;
mod own;
mod steps;
pub(crate) mod store;
#[cfg(test)]
mod tests;

use crate::alethe::derive::derive;
use crate::alethe::linear::Equations;
use crate::alethe::steps::{StepId, Steps};
use crate::alethe::store::{Id, Lit, Shape, Store};
use crate::hash::Map;
use crate::proof::{Proof, Rule};
use crate::smtlib::lexer::Place;
use crate::smtlib::operators::apply;
use crate::term::{Term, Terms};

/// A step that has no Alethe rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NoRule(pub(crate) String);

/// The assertions of the problem's text.
#[derive(Debug, Default)]
pub(crate) struct Original {
    pub(crate) store: Store,
    /// The internal terms of its names.
    pub(crate) meaning: Map<Id, Term>,
    pub(crate) asserted: Vec<Id>,
}

/// A proof under construction.
pub(crate) struct Builder<'t> {
    terms: &'t mut Terms,
    steps: Steps,
    meaning: Map<Id, Term>,
    /// Internal terms in their written form.
    own: Map<Term, Id>,
    /// The clauses of operators.
    gates: Map<Id, Vec<StepId>>,
    /// The same, by clause.
    tautologies: Map<Vec<Lit>, StepId>,
    /// The equations of each numeric `ite`.
    choices: Map<Id, [(Lit, StepId); 2]>,
    /// `¬s ∨ l` and `s ∨ ¬l` for formulas of the text, where they are not trivial.
    bridges: Map<Id, [Option<StepId>; 2]>,
    /// The equations of numeric terms of the text.
    equations: Equations,
}

/// The proof as text.
pub(crate) fn script(terms: &mut Terms, original: Original, proof: &Proof) -> Result<String, NoRule> {
    let Original { store, meaning, asserted } = original;
    let mut builder = Builder {
        terms,
        steps: Steps::new(store),
        meaning,
        own: Map::default(),
        gates: Map::default(),
        tautologies: Map::default(),
        choices: Map::default(),
        bridges: Map::default(),
        equations: Map::default(),
    };
    let mut at: Vec<StepId> = Vec::with_capacity(proof.steps.len());
    for step in &proof.steps {
        let done = match &step.rule {
            Rule::Assertion(i) => builder.asserted(asserted[*i])?,
            Rule::Definition(t) => builder.definition(*t, &step.clause)?,
            Rule::Theory(literals, certificate) => builder.theory(literals, certificate)?,
            Rule::Resolution(first, chain) => {
                let mut pivots = Vec::with_capacity(chain.len());
                for (term, premise) in chain {
                    pivots.push((builder.write(*term), at[*premise]));
                }
                builder.steps.resolve(at[*first], &pivots)
            }
        };
        at.push(done);
    }
    let last = *at.last().expect("a proof has a last step");
    assert!(builder.steps.clause(last).is_empty(), "the last step is the empty clause");
    Ok(builder.steps.text(last))
}

impl Builder<'_> {
    /// The internal term for a term of the text.
    fn mean(&mut self, root: Id) -> Result<Term, NoRule> {
        let mut stack = vec![(root, false)];
        while let Some((t, below)) = stack.pop() {
            if self.meaning.contains_key(&t) {
                continue;
            }
            let (operator, arguments) = self.steps.store.parts(t);
            if !below {
                stack.push((t, true));
                stack.extend(arguments.iter().map(|a| (*a, false)));
                continue;
            }
            let meaning = match self.steps.store.shape(t) {
                Shape::Number(q) => self.terms.num(q.clone(), self.steps.store.sort(t)),
                Shape::Symbol(name) => self.terms.bool(name == "true"),
                Shape::Apply(..) => {
                    let arguments: Vec<Term> = arguments.iter().map(|a| self.meaning[a]).collect();
                    let nowhere = |_| Place { line: 0, column: 0 };
                    apply(self.terms, operator, &arguments, &nowhere).map_err(|c| NoRule(c.message))?
                }
            };
            self.meaning.insert(t, meaning);
        }
        Ok(self.meaning[&root])
    }

    /// A clause that follows propositionally from these steps.
    fn derive(&mut self, target: &[Lit], premises: &[StepId]) -> Result<StepId, NoRule> {
        let done = derive(&mut self.steps, target, premises);
        done.ok_or_else(|| NoRule("a formula that was simplified in many steps at once".to_owned()))
    }
}
