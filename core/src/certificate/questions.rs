//! Queries about the paths through a model's own statements: sets of assertions that must all be unsatisfiable.

use std::collections::BTreeMap;

use solver_lite::term::{Term, Terms};
use solver_lite::{Limits, Refutation, Strategy, certify, refute};

use super::check::{Rejection, reject};
use super::possible;
use crate::expr::{Expr, try_lower};
use crate::statements::ways::{Way, Ways};
use crate::statements::{Statement, Statements};
use crate::system::{System, VarType};

/// The limit on queries, and on paths through an action.
const WAYS: usize = 1_000;
/// The limit on executed statements and letters.
const WORK: usize = 20_000;
/// The limits of each query; harder ones are undecided.
const LIMITS: Limits =
    Limits { conflicts: 1_000, pivots: 2_000, branches: 200, memory: 1 << 28, strategy: Strategy::Auto };

/// The queries. Functions return `None` if a limit is exceeded, or a term is not linear.
pub(super) struct Questions<'a> {
    pub(super) statements: &'a Statements,
    pub(super) terms: Terms,
    /// The remaining budget of [`WORK`],
    left: usize,
    /// and the limit on queries.
    most: usize,
    /// Assertions, and the error if they are satisfiable.
    all: Vec<(Vec<Term>, String)>,
}

impl<'a> Questions<'a> {
    /// No queries yet; and a path that begins in any state, with values of the types of the model's own variables.
    pub(super) fn new(system: &System, statements: &'a Statements) -> Option<(Questions<'a>, Way)> {
        if statements.actions.len() > WAYS {
            return None;
        }
        let mut terms = Terms::new();
        let of = |(name, ty): &(String, VarType)| terms.var(name, ty.sort());
        let known: Vec<Term> = statements.variables[..system.variables.len()].iter().map(of).collect();
        let mut begin = Way::new(possible::values(statements, &known, &mut terms));
        let mut questions = Questions { statements, terms, left: WORK, most: WAYS, all: Vec::new() };
        begin.conditions = questions.inside(&begin.values);
        for e in &statements.invariant {
            begin.conditions.push(questions.term(e, &begin.values)?);
        }
        Some((questions, begin))
    }

    /// The same with larger limits, for queries that are easy.
    pub(super) fn with_many(self) -> Questions<'a> {
        Questions { left: 20 * WORK, most: 20 * WAYS, ..self }
    }

    /// The path that begins in an initial state.
    pub(super) fn first(&mut self, begin: &Way) -> Option<Way> {
        let mut first = begin.clone();
        for e in &self.statements.first {
            first.conditions.push(self.term(e, &begin.values)?);
        }
        Some(first)
    }

    /// This must be unsatisfiable after a path.
    pub(super) fn unsatisfiable(&mut self, way: Way, and: Term, why: String) -> Option<()> {
        let assertions = [way.conditions, vec![and]].concat();
        self.all.push((assertions, why));
        (self.all.len() <= self.most).then_some(())
    }

    /// All paths through statements that continue this one.
    pub(super) fn through(&mut self, body: &[Statement], way: &Way) -> Option<Vec<Way>> {
        self.spend()?;
        let Questions { statements, terms, left, .. } = self;
        Ways::new(statements, terms, WAYS, left).through(body, way.clone())
    }

    /// Consumes one unit of work.
    pub(super) fn spend(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    /// None of these statement lists can be executed after a path. Chosen values would have to be eliminated, which is
    /// supported only for a single choice.
    pub(super) fn blocked(&mut self, way: &Way, bodies: &[Vec<Statement>]) -> Option<Term> {
        let start = Way { conditions: Vec::new(), ..way.clone() };
        let mut none = Vec::new();
        for body in bodies {
            if matches!(body[..], [Statement::Any(_)]) {
                return Some(Term::FALSE);
            }
            for taken in self.through(body, &start)? {
                if taken.chosen > way.chosen {
                    return None;
                }
                let taken = self.terms.and(taken.conditions);
                none.push(self.terms.not(taken));
            }
        }
        Some(self.terms.and(none))
    }

    /// All values of the model's own variables are of their types.
    pub(super) fn inside(&mut self, values: &[Term]) -> Vec<Term> {
        let own = self.statements.own.iter();
        own.map(|v| self.statements.variables[v.index()].1.domain(values[v.index()], &mut self.terms))
            .collect()
    }

    pub(super) fn term(&mut self, e: &Expr, values: &[Term]) -> Option<Term> {
        try_lower(e, &mut self.terms, &mut |v| values[v.index()]).ok()
    }

    pub(super) fn name(&self, place: usize) -> String {
        self.statements.places[place].name.clone()
    }

    /// Are all queries unsatisfiable? `false` if this is undecided.
    ///
    /// # Errors
    /// The error of a satisfiable query.
    pub(super) fn judge(mut self) -> Result<bool, Rejection> {
        // Paths between the same places form one query.
        let mut grouped: BTreeMap<String, Vec<Term>> = BTreeMap::new();
        for (assertions, why) in self.all {
            grouped.entry(why).or_default().push(self.terms.and(assertions));
        }
        for (why, ways) in grouped {
            let assertions = [self.terms.or(ways)];
            match refute(&mut self.terms, &assertions, LIMITS) {
                Refutation::Proof(proof) => certify(&self.terms, &assertions, &proof)
                    .map_err(|e| Rejection(format!("a refutation is wrong: {e}")))?,
                Refutation::Model(_) => return reject(format!("statements of the model: {why}")),
                // An action as a whole is a harder query than edge by edge.
                Refutation::Incomplete(_) => return Ok(false),
            }
        }
        Ok(true)
    }
}
