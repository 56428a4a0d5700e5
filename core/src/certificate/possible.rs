//! When a step can be taken, a second time: forwards, way by way, with a variable for each value that is chosen. Engines use
//! weakest preconditions, from which chosen values are eliminated (`core/src/system/enabled.rs`); here these conditions are shown to
//! be neither too strong nor too weak, for each edge that fairness names and each location where deadlocks matter.
//!
//! That a condition is true where a way exists is refuted way by way. The converse needs that no value is chosen on the ways;
//! otherwise it rests on trust, and the report says so.

use std::collections::BTreeMap;

use solver_lite::term::{Term, Terms};

use super::check::{Obligations, Rejection, Report};
use crate::expr::{Expr, to_term};
use crate::ltl::{Requirement, Stuck};
use crate::property::Property;
use crate::system::{EdgeId, LocationId, Op, System, VarId};

/// More ways are not compared.
const WAYS: usize = 500;

/// The conditions under which steps can be taken that a question depends on: what each is called, the edges that steps begin
/// with, where they have to end, and the condition.
struct Condition {
    name: String,
    first: Vec<EdgeId>,
    goal: Option<LocationId>,
    condition: Expr,
    /// Where steps end, if not at a goal: is a location passed through?
    passes: Vec<bool>,
}

/// Compares the conditions that a question about a system depends on.
///
/// # Errors
/// A condition that is too strong or too weak.
pub(super) fn check(system: &System, property: &Property) -> Result<Report, Rejection> {
    let conditions = match property {
        Property::DeadlockFree => deadlocks(system, &|l| system.inside_action(l)),
        Property::Temporal(requirement) => of_requirement(system, requirement),
        _ => Vec::new(),
    };
    let mut obligations = Obligations::over(system);
    let always = if conditions.is_empty() { Term::TRUE } else { obligations.always() };
    for condition in conditions {
        compare(&mut obligations, system, &condition, always)?;
    }
    Ok(obligations.report)
}

fn of_requirement(system: &System, requirement: &Requirement) -> Vec<Condition> {
    let passes: Vec<bool> = system.location_ids().map(|l| system.location(l).anonymous).collect();
    let mut all = Vec::new();
    for fairness in &requirement.fairness {
        for (name, first, goal, condition) in fairness.conditions(system) {
            let name = format!("the edge {name}");
            all.push(Condition {
                name,
                first: vec![first],
                goal: Some(goal),
                condition,
                passes: passes.clone(),
            });
        }
    }
    if requirement.reading.stuck == Stuck::Deadlock {
        all.extend(deadlocks(system, &|l| requirement.reading.passes(system, l)));
    }
    all
}

/// That some step can be taken, at each location where a run may stop.
fn deadlocks(system: &System, passes: &dyn Fn(LocationId) -> bool) -> Vec<Condition> {
    let passed: Vec<bool> = system.location_ids().map(passes).collect();
    let stops = system.location_ids().filter(|l| !passed[l.index()]);
    let condition = |l: LocationId| {
        let condition = system.stuck(l, passes).ok()?.negated();
        let name = format!("some edge out of {}", system.location(l).name);
        let first = system.out_edges(l).to_vec();
        Some(Condition { name, first, goal: None, condition, passes: passed.clone() })
    };
    stops.filter_map(condition).collect()
}

fn compare(o: &mut Obligations<'_>, system: &System, c: &Condition, always: Term) -> Result<(), Rejection> {
    let current = o.current.clone();
    let condition = to_term(&c.condition, &mut o.terms, &mut |v| current[v.index()]);
    let mut ways = Ways { system, condition: c, found: Vec::new(), chosen: 0 };
    if ways.all(&mut o.terms, &current).is_none() {
        o.report
            .trusted
            .push(format!("That {} can be taken as its condition says: it has too many ways.", c.name));
        return Ok(());
    }
    let not = o.terms.not(condition);
    for way in &ways.found {
        o.refute(&[always, *way, not], &format!("{} can be taken where its condition is false", c.name))?;
    }
    if ways.chosen > 0 {
        o.report.trusted.push(format!(
            "That {} can be taken wherever its condition is true: values are chosen on it.",
            c.name
        ));
        return Ok(());
    }
    let mut none = vec![always, condition];
    none.extend(ways.found.iter().map(|way| o.terms.not(*way)).collect::<Vec<_>>());
    o.refute(&none, &format!("{} cannot be taken where its condition is true", c.name))
}

/// All ways that begin with certain edges.
struct Ways<'a> {
    system: &'a System,
    condition: &'a Condition,
    /// What has to be true for each, over the values before it and those that are chosen.
    found: Vec<Term>,
    chosen: usize,
}

impl Ways<'_> {
    /// `None` if there are too many.
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

    /// What has to be true for an operation, and the values after it.
    fn execute(&mut self, op: &Op, terms: &mut Terms, values: &mut [Term]) -> Vec<Term> {
        let before = values.to_vec();
        let mut fresh: BTreeMap<VarId, Term> = BTreeMap::new();
        for v in op.havocs() {
            self.chosen += 1;
            let variable = self.system.variable(v);
            let chosen = terms.var(&format!("{}%{}", variable.name, self.chosen), variable.ty.sort());
            fresh.insert(v, chosen);
        }
        // What is written without being chosen has a term that is the value of nothing: a value that happens to be that of the next
        // state would be taken for a chosen one.
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
