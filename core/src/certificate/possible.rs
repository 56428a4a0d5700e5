//! Second computation of enabling conditions: forwards, path by path, with a variable for each chosen value. Engines
//! use weakest preconditions, from which chosen values are eliminated (`core/src/system/enabled.rs`). Here these
//! conditions are proved neither too strong nor too weak, for each edge of a fairness assumption and each location
//! where deadlocks matter. The paths are those through the model's own statements, if they are available, and otherwise
//! those over edges.
//!
//! That every feasible path implies the condition is proved path by path. The converse is proved only if no value is
//! chosen on the paths; otherwise it is trusted, and the report states this.

use std::collections::BTreeMap;

use solver_lite::term::{Term, Terms, Value};
use solver_lite::{Limits, Refutation, certify, refute};

use super::check::{Obligations, Rejection, Report};
use crate::expr::{Expr, to_term};
use crate::property::Property;
use crate::statements::ways::{Way, Ways};
use crate::statements::{Statement, Statements};
use crate::system::{EdgeId, LocationId, Op, Role, State, System, VarId, VarType};
use crate::temporal::{Requirement, Step, Termination};

/// The limit on paths to compare.
const WAYS: usize = 500;

/// An enabling condition that a property depends on: the name of the steps, the condition, the statements of each step
/// if the model's own are available, and otherwise the first edges of the steps and their target.
struct Condition {
    name: String,
    condition: Expr,
    bodies: Option<Vec<Vec<Statement>>>,
    first: Vec<EdgeId>,
    goal: Option<LocationId>,
    /// By location, if there is no target: does a step pass through it?
    passes: Vec<bool>,
}

/// Of a time net, the states in which no transition will ever fire, if a temporal formula depends on them: those of the
/// system, and those of the statements.
fn stuck(system: &System, statements: Option<&Statements>, property: &Property) -> Option<[Expr; 2]> {
    let Property::Temporal(requirement) = property else { return None };
    let (_, own) = system.stuck().filter(|_| requirement.semantics.termination == Termination::Deadlock)?;
    let (_, other) = statements?.stuck.clone()?;
    Some([own, other])
}

/// Are two conditions true in the same states?
fn same(o: &mut Obligations<'_>, both: [&Expr; 2], always: Term) -> Result<(), Rejection> {
    let current = o.current.clone();
    let [a, b] = both.map(|e| to_term(e, &mut o.terms, &mut |v| current[v.index()]));
    for (this, other) in [(a, b), (b, a)] {
        let not = o.terms.not(other);
        o.refute(&[always, this, not], "the states without a further firing are not those of the net")?;
    }
    Ok(())
}

/// Compares the enabling conditions that a property of a system depends on.
///
/// # Errors
/// A condition that is too strong or too weak.
pub(super) fn check(
    system: &System,
    statements: Option<&Statements>,
    property: &Property,
) -> Result<Report, Rejection> {
    let conditions = match property {
        // States in which no transition will ever fire are stated a second time by the statements.
        Property::DeadlockFree if statements.is_some_and(|s| s.stuck.is_some()) => Vec::new(),
        Property::DeadlockFree => {
            deadlocks(system, statements, Step::Fine, &|l| system.inside_action(l), &|_| true)?
        }
        Property::Temporal(requirement) => of_requirement(system, statements, requirement)?,
        _ => Vec::new(),
    };
    let mut obligations = Obligations::over(system);
    let stuck = stuck(system, statements, property);
    let always = if conditions.is_empty() && stuck.is_none() { Term::TRUE } else { obligations.always() };
    if let Some([own, other]) = stuck {
        same(&mut obligations, [&own, &other], always)?;
    }
    for condition in conditions {
        compare(&mut obligations, (system, statements), &condition, always)?;
    }
    Ok(obligations.report)
}

fn of_requirement(
    system: &System,
    statements: Option<&Statements>,
    requirement: &Requirement,
) -> Result<Vec<Condition>, Rejection> {
    let passes: Vec<bool> = system.location_ids().map(|l| system.location(l).anonymous).collect();
    let mut all: Vec<Condition> = Vec::new();
    for fairness in &requirement.fairness {
        for (edge, first, goal, condition) in fairness.conditions(system).map_err(Rejection)? {
            let name = format!("the edge {edge}");
            let named = statements.and_then(|s| Some((s, s.named(&edge)?)));
            let bodies = named.map(|(s, all)| all.into_iter().map(|a| s.actions[a].body.clone()).collect());
            match all.last_mut() {
                // Several edges of one name count as one.
                Some(last) if bodies.is_some() && last.name == name => {
                    last.condition = Expr::or(vec![last.condition.clone(), condition]);
                    last.first.push(first);
                }
                _ => {
                    let (first, goal, passes) = (vec![first], Some(goal), passes.clone());
                    all.push(Condition { name, condition, bodies, first, goal, passes });
                }
            }
        }
    }
    let semantics = requirement.semantics;
    let stays = |l: LocationId| match semantics.termination {
        Termination::Never | Termination::DeadEnd => false,
        Termination::Final => system.location(l).role == Role::Final && !system.out_edges(l).is_empty(),
        Termination::Deadlock => true,
    };
    // Of a time net, the statements state the deadlocks a second time.
    if semantics.termination == Termination::Deadlock && statements.is_some_and(|s| s.stuck.is_some()) {
        return Ok(all);
    }
    all.extend(deadlocks(system, statements, semantics.step, &|l| semantics.passes(system, l), &stays)?);
    Ok(all)
}

/// Some step is enabled, at each location where a run may stay.
fn deadlocks(
    system: &System,
    statements: Option<&Statements>,
    step: Step,
    passes: &dyn Fn(LocationId) -> bool,
    stays: &dyn Fn(LocationId) -> bool,
) -> Result<Vec<Condition>, Rejection> {
    let passed: Vec<bool> = system.location_ids().map(passes).collect();
    let stops = |l: &LocationId| !passed[l.index()] && !system.precedes_runs(*l) && stays(*l);
    let condition = |l: LocationId| {
        let at = &system.location(l).name;
        let not_known = |why| Rejection(format!("the deadlocks at {at} are not known: {why:?}"));
        let condition = system.deadlocks(l, passes).map_err(not_known)?.negated();
        let bodies = statements.and_then(|s| s.steps_from(s.place(at)?, step));
        Ok(Condition {
            name: format!("some edge out of {at}"),
            condition,
            bodies,
            first: system.out_edges(l).to_vec(),
            goal: None,
            passes: passed.clone(),
        })
    };
    system.location_ids().filter(stops).map(condition).collect()
}

fn compare(
    o: &mut Obligations<'_>,
    (system, statements): (&System, Option<&Statements>),
    c: &Condition,
    always: Term,
) -> Result<(), Rejection> {
    let current = o.current.clone();
    let condition = to_term(&c.condition, &mut o.terms, &mut |v| current[v.index()]);
    let by_statements = c.bodies.as_ref().zip(statements).and_then(|(bodies, statements)| {
        through(statements, bodies, values(statements, &current, &mut o.terms), &mut o.terms)
    });
    let found = by_statements.map(|all| {
        let chosen = all.iter().map(|way| way.chosen).sum();
        (all.into_iter().map(|way| o.terms.and(way.conditions)).collect(), chosen)
    });
    let found: Option<(Vec<Term>, usize)> = found.or_else(|| {
        let mut ways = Edges { system, condition: c, found: Vec::new(), chosen: 0 };
        ways.all(&mut o.terms, &current)?;
        Some((ways.found, ways.chosen))
    });
    let Some((found, chosen)) = found else {
        o.report.trusted.push(format!(
            "The enabling condition of {} was not checked: it has more than {WAYS} paths.",
            c.name
        ));
        return Ok(());
    };
    let not = o.terms.not(condition);
    for way in &found {
        o.refute(&[always, *way, not], &format!("{} can be taken where its condition is false", c.name))?;
    }
    if chosen > 0 {
        o.report.trusted.push(format!(
            "Of the enabling condition of {}, only one direction was checked: values are chosen on its paths.",
            c.name
        ));
        return Ok(());
    }
    let mut none = vec![always, condition];
    none.extend(found.iter().map(|way| o.terms.not(*way)).collect::<Vec<_>>());
    o.refute(&none, &format!("{} cannot be taken where its condition is true", c.name))
}

/// The values of all variables; those of blocks are unknown.
pub(super) fn values(statements: &Statements, known: &[Term], terms: &mut Terms) -> Vec<Term> {
    let blocks = statements.variables.iter().enumerate().skip(known.len());
    let blocks = blocks.map(|(i, (name, ty))| terms.var(&format!("{name}%{i}%block"), ty.sort()));
    known.iter().copied().chain(blocks.collect::<Vec<_>>()).collect()
}

/// All paths through any of these statement lists.
fn through(
    statements: &Statements,
    bodies: &[Vec<Statement>],
    values: Vec<Term>,
    terms: &mut Terms,
) -> Option<Vec<Way>> {
    let mut left = 100 * WAYS;
    let mut ways = Ways::new(statements, terms, WAYS, &mut left);
    let mut all = Vec::new();
    for body in bodies {
        all.extend(ways.through(body, Way::new(values.clone()))?);
    }
    (all.len() <= WAYS).then_some(all)
}

/// Is there a feasible path through statements from a state? `None` if this is undecided.
pub(super) fn from_state(statements: &Statements, body: &[Statement], state: &State) -> Option<bool> {
    let mut terms = Terms::new();
    let constant = |(value, (_, ty)): (&Value, &(String, VarType))| match value {
        Value::Bool(true) => Term::TRUE,
        Value::Bool(false) => Term::FALSE,
        Value::Num(q) => terms.num(q.clone(), ty.sort()),
    };
    let values = state.iter().zip(&statements.variables).map(constant).collect();
    for way in through(statements, &[body.to_vec()], values, &mut terms)? {
        match refute(&mut terms, &way.conditions, Limits::default()) {
            Refutation::Proof(proof) => certify(&terms, &way.conditions, &proof).ok()?,
            Refutation::Model(_) => return Some(true),
            Refutation::Incomplete(_) => return None,
        }
    }
    Some(false)
}

/// All paths that begin with certain edges.
struct Edges<'a> {
    system: &'a System,
    condition: &'a Condition,
    /// The condition of each path, over the values before it and those that are chosen.
    found: Vec<Term>,
    chosen: usize,
}

impl Edges<'_> {
    /// `None` if the limit is exceeded.
    fn all(&mut self, terms: &mut Terms, current: &[Term]) -> Option<()> {
        let first = self.condition.first.iter().map(|e| (*e, Vec::new(), current.to_vec()));
        let mut open: Vec<(EdgeId, Vec<Term>, Vec<Term>)> = first.collect();
        let mut steps = 0;
        while let Some((id, mut guards, mut values)) = open.pop() {
            steps += 1;
            if steps > 20 * WAYS || self.found.len() > WAYS {
                return None;
            }
            let edge = self.system.edge(id);
            guards.extend(self.execute(&edge.op, terms, &mut values));
            let (at, goal) = (edge.target, self.condition.goal);
            if self.condition.passes[at.index()] {
                let next = self.system.out_edges(at).iter();
                open.extend(next.map(|e| (*e, guards.clone(), values.clone())));
            } else if goal.is_none_or(|goal| goal == at) {
                self.found.push(terms.and(guards));
            }
        }
        Some(())
    }

    /// The condition of an operation, and the values after it.
    fn execute(&mut self, op: &Op, terms: &mut Terms, values: &mut [Term]) -> Vec<Term> {
        let before = values.to_vec();
        let mut fresh: BTreeMap<VarId, Term> = BTreeMap::new();
        for v in op.havocs() {
            self.chosen += 1;
            let variable = self.system.variable(v);
            let chosen = terms.var(&format!("{}%{}", variable.name, self.chosen), variable.ty.sort());
            fresh.insert(v, chosen);
        }
        // A variable that is written without a choice gets a fresh term, so that it is not confused with the next value
        // of a choice.
        let unused: BTreeMap<VarId, Term> = op
            .written()
            .into_iter()
            .map(|v| {
                let variable = self.system.variable(v);
                (v, terms.var(&format!("{}%unused", variable.name), variable.ty.sort()))
            })
            .collect();
        let next = |v: VarId| fresh.get(&v).or(unused.get(&v)).copied().unwrap_or(before[v.index()]);
        let effect = self.system.effect(op, terms, &mut |v| before[v.index()], &mut |v| next(v));
        let mut guards = effect.constraints;
        for (v, value) in effect.values {
            values[v.index()] = value;
        }
        guards.extend(fresh.into_iter().map(|(v, chosen)| self.system.domain(v, chosen, terms)));
        guards
    }
}
