//! Certificates with one change of their meaning: a formula that is stronger, weaker or different, a formula at another
//! location, a state of a run with another value, a rank that is higher.

use solver_lite::number::Q;
use veristep_core::certificate::{self, AbstractState, Certificate, ProgressNode, TraceState};
use veristep_core::expr::{Binary, Expr, Kind, Nary, Type};
use veristep_core::system::{System, VarId};

use crate::nets::rule;
use crate::random::Rng;

/// A certificate with one change; none if the chosen part cannot be changed.
#[must_use]
pub fn mutant(certificate: &Certificate, system: &System, rng: &mut Rng) -> Option<Certificate> {
    let mut changed = certificate.clone();
    match &mut changed {
        Certificate::Invariant { locations } => {
            let mut formulas: Vec<&mut String> = locations.iter_mut().map(|(_, f)| f).collect();
            match rng.below(6) {
                0 => {
                    let (a, b) = (rng.below(locations.len()), rng.below(locations.len()));
                    let (x, y) = (locations[a].1.clone(), locations[b].1.clone());
                    (locations[a].1, locations[b].1) = (y, x);
                }
                1 => {
                    locations.remove(rng.below(locations.len()));
                }
                _ => {
                    let at = rng.below(formulas.len());
                    let fresh = formula(formulas[at], system, rng)?;
                    *formulas[at] = fresh;
                }
            }
        }
        Certificate::Trace { states } => run(states, system, rng)?,
        Certificate::Lasso { states, back, .. } => match rng.below(6) {
            0 => *back = rng.below(states.len()),
            _ => run(states, system, rng)?,
        },
        Certificate::Progress { nodes, .. } => progress(nodes, system, rng)?,
        Certificate::Structure { predicates, states, transitions } => {
            structure((predicates, states, transitions), system, rng)?;
        }
        Certificate::Explored { markings, satisfied, rules, .. } => match rng.below(3) {
            0 => *satisfied = !*satisfied,
            1 if !rules.is_empty() => {
                let at = rng.below(rules.len());
                rules[at] = rule(rng, system.net.as_deref()?);
            }
            _ => *markings += 1,
        },
    }
    (changed != *certificate).then_some(changed)
}

type Parts<'a> = (&'a mut [String], &'a mut [AbstractState], &'a mut Vec<(u32, u32, u32)>);

fn structure((predicates, states, transitions): Parts<'_>, system: &System, rng: &mut Rng) -> Option<()> {
    let (at, other) = (rng.below(states.len()), rng.below(states.len()));
    match rng.below(8) {
        0 if !transitions.is_empty() => {
            transitions.remove(rng.below(transitions.len()));
        }
        1 if !transitions.is_empty() => {
            let moved = rng.below(transitions.len());
            transitions[moved].2 = u32::try_from(other).ok()?;
        }
        2 if !predicates.is_empty() => {
            let changed = rng.below(predicates.len());
            predicates[changed] = formula(&predicates[changed], system, rng)?;
        }
        3 => states[at].control = states[other].control.clone(),
        4 if !transitions.is_empty() => {
            let mut added = transitions[rng.below(transitions.len())];
            added.0 = u32::try_from(other).ok()?;
            transitions.push(added);
        }
        _ => {
            let mut truths: Vec<char> = states[at].truths.chars().collect();
            let changed = rng.below(truths.len().max(1));
            let truth = truths.get_mut(changed)?;
            *truth = *rng.pick(if *truth == '+' { &['-', '.'] } else { &['+', '.'] });
            states[at].truths = truths.into_iter().collect();
        }
    }
    Some(())
}

fn run(states: &mut Vec<TraceState>, system: &System, rng: &mut Rng) -> Option<()> {
    let at = rng.below(states.len());
    match rng.below(6) {
        0 => {
            states.remove(at);
        }
        1 => {
            let copy = states[at].clone();
            states.insert(at, copy);
        }
        2 => states[at].edge = Some(u32::try_from(rng.below(system.edges.len())).ok()?),
        3 => states.swap(at, rng.below(at + 1)),
        _ => {
            let (count, from) = (states[at].values.len(), rng.below(states.len()));
            let variable = if count == 0 { return None } else { rng.below(count) };
            let other = states[from].values.get(variable)?.1.clone();
            let value = &mut states[at].values.get_mut(variable)?.1;
            *value = match value.parse::<i64>() {
                Ok(n) => (n + rng.range(-1, 1)).to_string(),
                Err(_) if value == "true" => "false".to_owned(),
                Err(_) if value == "false" => "true".to_owned(),
                Err(_) => other,
            };
        }
    }
    (!states.is_empty()).then_some(())
}

fn progress(nodes: &mut Vec<ProgressNode>, system: &System, rng: &mut Rng) -> Option<()> {
    if nodes.is_empty() {
        return None;
    }
    let (at, other) = (rng.below(nodes.len()), rng.below(nodes.len()));
    match rng.below(8) {
        0 => {
            nodes.remove(at);
        }
        1 => nodes[at].rank = nodes[other].rank.clone(),
        2 => {
            let rank = nodes[at].rank.first_mut()?;
            *rank = (rank.parse::<i64>().ok()? + rng.range(-1, 1)).to_string();
        }
        3 => nodes[at].state = nodes[other].state,
        4 => nodes[at].location = nodes[other].location.clone(),
        5 => nodes[at].formula = nodes[other].formula.clone(),
        _ => nodes[at].formula = formula(&nodes[at].formula, system, rng)?,
    }
    Some(())
}

/// A formula with one change of its meaning.
fn formula(text: &str, system: &System, rng: &mut Rng) -> Option<String> {
    let mut e = certificate::formula(text, system).ok()?;
    let mut size = 0;
    e.visit(&mut |_| size += 1);
    let mut left = rng.below(size);
    change(&mut e, &mut left, system, rng);
    Some(system.expr_text(&e))
}

/// Changes the part with this number, counted from the root.
fn change(e: &mut Expr, left: &mut usize, system: &System, rng: &mut Rng) -> bool {
    if *left == 0 {
        *e = other(e.clone(), system, rng);
        return true;
    }
    *left -= 1;
    e.children_mut().into_iter().any(|child| change(child, left, system, rng))
}

fn other(e: Expr, system: &System, rng: &mut Rng) -> Expr {
    match (&e.kind, &e.ty) {
        (Kind::Num(q), ty) => Expr::num(q.clone() + Q::from(*rng.pick(&[-1, 1, 2])), ty.clone()),
        (Kind::Var(v), ty) if rng.one_in(2) => {
            let same = |w: &VarId| w != v && system.variable(*w).ty == system.variable(*v).ty;
            let all: Vec<VarId> = (0..system.variables.len()).map(VarId::new).filter(same).collect();
            if all.is_empty() { e } else { Expr::var(*rng.pick(&all), ty.clone()) }
        }
        (Kind::Binary(op, ab), Type::Bool) if rng.one_in(2) => {
            let op = match op {
                Binary::Le => Binary::Lt,
                Binary::Lt => Binary::Le,
                Binary::Ge => Binary::Gt,
                Binary::Gt => Binary::Ge,
                Binary::Eq => *rng.pick(&[Binary::Le, Binary::Ge, Binary::Ne]),
                other => *other,
            };
            let mut changed = e.clone();
            changed.kind = Kind::Binary(op, ab.clone());
            changed
        }
        (Kind::Nary(op @ (Nary::And | Nary::Or), parts), _) if rng.one_in(2) => {
            let mut parts = parts.to_vec();
            match (rng.below(2), op) {
                (0, _) => drop(parts.remove(rng.below(parts.len()))),
                (_, Nary::And) => return Expr::or(parts),
                _ => return Expr::and(parts),
            }
            if *op == Nary::And { Expr::and(parts) } else { Expr::or(parts) }
        }
        (_, Type::Bool) => match rng.below(4) {
            0 => Expr::bool(true),
            1 => Expr::bool(false),
            _ => e.negated(),
        },
        _ => e,
    }
}
