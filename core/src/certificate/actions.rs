//! Second check of an invariant, by the model's own statements: each action leads from states that satisfy the formula
//! of its source place to states that satisfy the formula of its target place, on every path through its statements.
//!
//! Formulas of locations between these places are not used. Invariants that are too large or too hard are not checked a
//! second time.

use solver_lite::term::Term;

use super::check::Rejection;
use super::parse;
use super::questions::Questions;
use crate::expr::{Expr, Kind};
use crate::property::Property;
use crate::statements::ways::Way;
use crate::statements::{Action, Statement, Statements};
use crate::system::{Role, System};
use crate::temporal::Step;

/// Checks the formulas of a certificate; `false` if a second check is not possible.
///
/// # Errors
/// An action that leads out of the formulas, or a place where the property may be violated.
pub(super) fn check(
    system: &System,
    statements: &Statements,
    property: &Property,
    locations: &[(String, String)],
) -> Result<bool, Rejection> {
    // Variables of blocks are not visible outside of them.
    let asked = match property {
        Property::Invariant(e) | Property::Reachable(e) => e.variables(),
        _ => Vec::new(),
    };
    let Some(formulas) = formulas(system, statements, locations) else { return Ok(false) };
    if !asked.iter().all(|v| statements.own.contains(v)) {
        return Ok(false);
    }
    let Some((q, begin)) = Questions::new(system, statements) else { return Ok(false) };
    let mut invariant = Invariant { q, property, formulas };
    if invariant.ask(&begin).is_none() { Ok(false) } else { invariant.q.judge() }
}

/// By place: the formula of the certificate, if it has one. `None` if a formula mentions variables of blocks.
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

/// An invariant by places. Functions return `None` if a limit is exceeded, or a term is not linear.
struct Invariant<'a> {
    q: Questions<'a>,
    property: &'a Property,
    formulas: Vec<Option<Expr>>,
}

impl Invariant<'_> {
    fn ask(&mut self, begin: &Way) -> Option<()> {
        let start = self.q.statements.start;
        let first = self.q.first(begin)?;
        if self.formulas[start].is_some() {
            let why = format!("an initial state is outside the formula of {}", self.q.name(start));
            self.leads(first, start, why)?;
        } else {
            self.from(start, first, 0)?;
        }
        for p in 0..self.q.statements.places.len() {
            let Some(formula) = self.formulas[p].clone().filter(|f| f.kind != Kind::Bool(false)) else {
                continue;
            };
            let mut way = begin.clone();
            way.conditions.push(self.q.term(&formula, &way.values)?);
            self.from(p, way, 0)?;
        }
        Some(())
    }

    /// Checks the continuations at a place, after a path that passed this many places without a formula.
    fn from(&mut self, p: usize, way: Way, passed: usize) -> Option<()> {
        self.violations(p, &way)?;
        for a in self.q.statements.actions_from(p) {
            let Action { to, body, .. } = &self.q.statements.actions[a];
            let why = format!("a step from {} to {} leaves the formulas", self.q.name(p), self.q.name(*to));
            for way in self.q.through(body, &way)? {
                if self.formulas[*to].is_some() {
                    self.leads(way, *to, why.clone())?;
                } else if passed < self.q.statements.places.len() {
                    self.from(*to, way, passed + 1)?;
                } else {
                    // A cycle of places without formulas.
                    return None;
                }
            }
        }
        Some(())
    }

    /// Every path ends in states that satisfy the formula of the place.
    fn leads(&mut self, way: Way, to: usize, why: String) -> Option<()> {
        let formula = self.formulas[to].clone()?;
        let mut goals = self.q.inside(&way.values);
        goals.push(self.q.term(&formula, &way.values)?);
        let goal = self.q.terms.and(goals);
        let outside = self.q.terms.not(goal);
        self.q.unsatisfiable(way, outside, why)
    }

    /// The property is not violated at the place.
    fn violations(&mut self, p: usize, way: &Way) -> Option<()> {
        let why = format!("the property may be violated at {}", self.q.name(p));
        let role = self.q.statements.places[p].role;
        let statements = self.q.statements;
        for (_, never) in statements.never.iter().filter(|(at, _)| *at == p) {
            let never = self.q.term(never, &way.values)?;
            self.q.unsatisfiable(
                way.clone(),
                never,
                format!("a place may get a second token at {}", self.q.name(p)),
            )?;
        }
        let wrong = match self.property {
            Property::ErrorUnreachable if role == Role::Error => Term::TRUE,
            Property::ErrorUnreachable => return Some(()),
            Property::Invariant(e) => {
                let e = self.q.term(e, &way.values)?;
                self.q.terms.not(e)
            }
            Property::Reachable(e) => self.q.term(e, &way.values)?,
            Property::DeadlockFree => return self.deadlocks(p, way, &why),
            Property::Temporal(_) | Property::Branching(_) => return None,
        };
        self.q.unsatisfiable(way.clone(), wrong, why)
    }

    /// Some step is enabled at the place, and between the statements of the edges of an automaton that leave it.
    fn deadlocks(&mut self, p: usize, way: &Way, why: &str) -> Option<()> {
        if let Some((at, stuck)) = &self.q.statements.stuck {
            let stuck = self.q.term(stuck, &way.values)?;
            return if *at == p {
                self.q.unsatisfiable(way.clone(), stuck, why.to_owned())
            } else {
                Some(())
            };
        }
        let ends = matches!(self.q.statements.places[p].role, Role::Final | Role::Error);
        if !ends && !self.q.statements.precedes_runs(p) {
            let bodies = self.q.statements.steps_from(p, Step::Fine)?;
            let stuck = self.q.blocked(way, &bodies)?;
            self.q.unsatisfiable(way.clone(), stuck, why.to_owned())?;
        }
        if !self.q.statements.is_automaton() {
            return Some(());
        }
        for a in self.q.statements.actions_from(p) {
            let body = &self.q.statements.actions[a].body;
            for (i, statement) in body.iter().enumerate().skip(1) {
                let Statement::Assume(e) = statement else { continue };
                for way in self.q.through(&body[..i], way)? {
                    let e = self.q.term(e, &way.values)?;
                    let blocked = self.q.terms.not(e);
                    self.q.unsatisfiable(way, blocked, why.to_owned())?;
                }
            }
        }
        Some(())
    }
}
