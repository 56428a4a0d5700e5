//! An invariant once more, by the model's own statements: each action leads from states of the formula of the place where it begins to
//! those of the formula of the place where it ends, way by way through its statements.
//!
//! Formulas of locations between these places have no part in it. Actions with too many ways are not read again.

use std::collections::BTreeMap;

use solver_lite::term::{Term, Terms};
use solver_lite::{Limits, Refutation, Strategy, certify, refute};

use super::check::{Rejection, reject};
use super::{parse, possible};
use crate::expr::{Expr, Kind, try_lower};
use crate::ltl::Step;
use crate::property::Property;
use crate::statements::ways::{Way, Ways, domain};
use crate::statements::{Action, Statement, Statements};
use crate::system::{Role, System, VarType};

/// More ways than that, over all actions, are not read again.
const WAYS: usize = 1_000;
/// What is harder than that is not decided again.
const LIMITS: Limits =
    Limits { conflicts: 1_000, pivots: 2_000, branches: 200, memory: 1 << 28, strategy: Strategy::Auto };

/// Judges the formulas of a certificate; `false` if the model cannot be read a second time.
///
/// # Errors
/// An action that leaves the formulas, or a place where the property may be violated.
pub(super) fn check(
    system: &System,
    statements: &Statements,
    property: &Property,
    locations: &[(String, String)],
) -> Result<bool, Rejection> {
    let Some(formulas) = formulas(system, statements, locations) else { return Ok(false) };
    let mut terms = Terms::new();
    let of = |(name, ty): &(String, VarType)| terms.var(name, ty.sort());
    let known: Vec<Term> = statements.variables[..system.variables.len()].iter().map(of).collect();
    let values = possible::values(statements, &known, &mut terms);
    let mut q = Questions { statements, property, formulas, terms, all: Vec::new() };
    if statements.actions.len() > WAYS || q.ask(values).is_none() {
        return Ok(false);
    }
    let Questions { mut terms, all, .. } = q;
    // Ways from and to the same places are one question.
    let mut grouped: BTreeMap<String, Vec<Term>> = BTreeMap::new();
    for (assertions, why) in all {
        grouped.entry(why).or_default().push(terms.and(assertions));
    }
    for (why, ways) in grouped {
        let assertions = [terms.or(ways)];
        match refute(&mut terms, &assertions, LIMITS) {
            Refutation::Proof(proof) if certify(&terms, &assertions, &proof).is_ok() => {}
            Refutation::Model(_) => return reject(format!("by the statements of the model, {why}")),
            // As a whole an action is a harder question than edge by edge.
            Refutation::Proof(_) | Refutation::Incomplete(_) => return Ok(false),
        }
    }
    Ok(true)
}

/// By place: what is true there, if that is said. `None` if a formula speaks of what blocks declare.
fn formulas(
    system: &System,
    statements: &Statements,
    locations: &[(String, String)],
) -> Option<Vec<Option<Expr>>> {
    let mut all = vec![None; statements.places.len()];
    for (name, text) in locations {
        if let Some(place) = statements.place(name) {
            all[place] = Some(parse::formula(text, system).ok()?);
        }
    }
    let own = |e: &Expr| e.variables().iter().all(|v| statements.own.contains(v));
    all.iter().flatten().all(own).then_some(all)
}

/// What has to be unsatisfiable. Each function gives `None` if that is too much, or not linear.
struct Questions<'a> {
    statements: &'a Statements,
    property: &'a Property,
    formulas: Vec<Option<Expr>>,
    terms: Terms,
    /// Assertions, and what is wrong if they are satisfiable.
    all: Vec<(Vec<Term>, String)>,
}

impl Questions<'_> {
    fn ask(&mut self, values: Vec<Term>) -> Option<()> {
        let start = self.statements.start;
        let mut begin = Way::new(values);
        begin.conditions = self.inside(&begin.values);
        let mut first = begin.clone();
        for e in &self.statements.first {
            first.conditions.push(self.term(e, &begin.values)?);
        }
        if self.formulas[start].is_some() {
            let why = format!("an initial state is outside the formula of {}", self.name(start));
            self.leads(first, start, why)?;
        } else {
            self.from(start, first, 0)?;
        }
        for p in 0..self.statements.places.len() {
            let Some(formula) = self.formulas[p].clone().filter(|f| f.kind != Kind::Bool(false)) else {
                continue;
            };
            let mut way = begin.clone();
            way.conditions.push(self.term(&formula, &way.values)?);
            self.from(p, way, 0)?;
        }
        Some(())
    }

    /// What a run does next that is at a place, after a way from a place with a formula over so many without one.
    fn from(&mut self, p: usize, way: Way, passed: usize) -> Option<()> {
        self.violations(p, &way)?;
        for a in self.statements.actions_from(p) {
            let Action { to, body, .. } = &self.statements.actions[a];
            let why = format!("a step from {} to {} leaves the formulas", self.name(p), self.name(*to));
            for way in self.through(body, &way)? {
                if self.formulas[*to].is_some() {
                    self.leads(way, *to, why.clone())?;
                } else if passed < self.statements.places.len() {
                    self.from(*to, way, passed + 1)?;
                } else {
                    // A cycle of places without formulas.
                    return None;
                }
            }
        }
        Some(())
    }

    /// Every way ends in states of a place's formula.
    fn leads(&mut self, way: Way, to: usize, why: String) -> Option<()> {
        let formula = self.formulas[to].clone()?;
        let mut goals = self.inside(&way.values);
        goals.push(self.term(&formula, &way.values)?);
        let goal = self.terms.and(goals);
        let outside = self.terms.not(goal);
        self.unsatisfiable(way, outside, why)
    }

    /// At a place the property is not violated.
    fn violations(&mut self, p: usize, way: &Way) -> Option<()> {
        let why = format!("the property may be violated at {}", self.name(p));
        let role = self.statements.places[p].role;
        let wrong = match self.property {
            Property::ErrorUnreachable if role == Role::Error => Term::TRUE,
            Property::ErrorUnreachable => return Some(()),
            Property::Invariant(e) => {
                let e = self.term(e, &way.values)?;
                self.terms.not(e)
            }
            Property::Reachable(e) => self.term(e, &way.values)?,
            Property::DeadlockFree => return self.deadlocks(p, way, &why),
            Property::Temporal(_) => return None,
        };
        self.unsatisfiable(way.clone(), wrong, why)
    }

    /// Some step can be taken at a place, and between the statements of the edges of an automaton that leave it.
    fn deadlocks(&mut self, p: usize, way: &Way, why: &str) -> Option<()> {
        if !matches!(self.statements.places[p].role, Role::Final | Role::Error) {
            let mut stuck = Vec::new();
            for body in self.statements.steps_from(p, Step::Fine) {
                for taken in self.through(&body, &Way { conditions: Vec::new(), ..way.clone() })? {
                    // That a value can be chosen at last is clear; otherwise it had to be eliminated.
                    let any = matches!(body[..], [Statement::Any(_)]);
                    if taken.chosen > way.chosen && !any {
                        return None;
                    }
                    let taken = if any { Term::TRUE } else { self.terms.and(taken.conditions) };
                    stuck.push(self.terms.not(taken));
                }
            }
            let stuck = self.terms.and(stuck);
            self.unsatisfiable(way.clone(), stuck, why.to_owned())?;
        }
        if !self.statements.automaton {
            return Some(());
        }
        for a in self.statements.actions_from(p) {
            let body = &self.statements.actions[a].body;
            for (i, statement) in body.iter().enumerate().skip(1) {
                let Statement::Assume(e) = statement else { continue };
                for way in self.through(&body[..i], way)? {
                    let e = self.term(e, &way.values)?;
                    let blocked = self.terms.not(e);
                    self.unsatisfiable(way, blocked, why.to_owned())?;
                }
            }
        }
        Some(())
    }

    fn unsatisfiable(&mut self, way: Way, and: Term, why: String) -> Option<()> {
        let assertions = [way.conditions, vec![and]].concat();
        self.all.push((assertions, why));
        (self.all.len() <= WAYS).then_some(())
    }

    fn through(&mut self, body: &[Statement], way: &Way) -> Option<Vec<Way>> {
        Ways::new(self.statements, &mut self.terms, WAYS).through(body, way.clone())
    }

    /// That all values of the model's own variables are of their types.
    fn inside(&mut self, values: &[Term]) -> Vec<Term> {
        let own = self.statements.own.iter();
        own.map(|v| domain(&self.statements.variables[v.index()].1, values[v.index()], &mut self.terms))
            .collect()
    }

    fn term(&mut self, e: &Expr, values: &[Term]) -> Option<Term> {
        try_lower(e, &mut self.terms, &mut |v| values[v.index()]).ok()
    }

    fn name(&self, place: usize) -> String {
        self.statements.places[place].name.clone()
    }
}
