//! Translation of initial and transition constraints to operations.
//!
//! Over `n` variables, variable `n + i` is the new value of variable `i` (see [`Op::Relation`]).

use std::collections::BTreeMap;

use crate::expr::{Binary, Expr, Kind, Nary, Type, Unary, VarId};
use crate::system::Op;

/// The limit on cases of a transition.
const CASES: usize = 64;

/// The limit on parts of an expression that may be copied into constraints.
const PARTS: usize = 10_000;

/// The equation of `v` with an expression.
struct Equation {
    v: VarId,
    value: Expr,
}

/// The operation that leads from an arbitrary state to the initial states.
pub(super) fn initial(constraints: Vec<Expr>) -> Op {
    let mut values: BTreeMap<VarId, Expr> = BTreeMap::new();
    let mut rest = Vec::new();
    for c in constraints.into_iter().flat_map(conjuncts) {
        let constant =
            equations(&c).into_iter().find(|q| q.value.variables().is_empty() && !values.contains_key(&q.v));
        match constant {
            Some(q) => {
                values.insert(q.v, q.value);
            }
            None => rest.push(c),
        }
    }
    sequence([update(values), assume(rest)])
}

/// The operations of a transition, one a case.
pub(super) fn transitions(n: usize, constraints: Vec<Expr>) -> Vec<Op> {
    let mut cases: Vec<Vec<Expr>> = vec![Vec::new()];
    for c in constraints.into_iter().flat_map(conjuncts) {
        let alternatives = alternatives(n, &c);
        if alternatives.len() * cases.len() > CASES {
            cases.iter_mut().for_each(|case| case.push(c.clone()));
            continue;
        }
        let with = |case: &Vec<Expr>| {
            alternatives.iter().map(|a| case.iter().chain(a).cloned().collect()).collect::<Vec<Vec<Expr>>>()
        };
        cases = cases.iter().flat_map(with).collect();
    }
    cases.into_iter().map(|case| operation(n, case)).collect()
}

/// One case: a condition, a simultaneous assignment for all equations, havocs of the other variables, and constraints
/// on the new values. A relation if the constraints mention both old and new values.
fn operation(n: usize, constraints: Vec<Expr>) -> Op {
    let relation = || Op::Relation(n, Expr::and(constraints.clone()));
    let mut values: BTreeMap<VarId, Expr> = BTreeMap::new();
    let mut rest = Vec::new();
    for c in &constraints {
        let new = |q: &Equation| match Op::related(n, q.v) {
            (v, true) => !values.contains_key(&v) && q.value.variables().iter().all(|x| x.index() < n),
            (_, false) => false,
        };
        match equations(c).into_iter().find(new) {
            Some(q) => {
                values.insert(Op::related(n, q.v).0, q.value);
            }
            None => rest.push(c.clone()),
        }
    }
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for mut c in rest {
        let defined: BTreeMap<VarId, &Expr> =
            values.iter().map(|(v, e)| (VarId::new(n + v.index()), e)).collect();
        put_in(&mut c, &defined);
        let [new, old] = [true, false].map(|new| c.variables().iter().any(|v| Op::related(n, *v).1 == new));
        let mut parts = 0;
        c.visit(&mut |_| parts += 1);
        if new && old || parts > PARTS {
            return relation();
        }
        if new {
            forget(n, &mut c);
            after.push(c);
        } else {
            before.push(c);
        }
    }
    let any = (0..n).map(VarId::new).filter(|v| !values.contains_key(v)).map(Op::Havoc).collect();
    // Assignments of a variable to itself are omitted.
    values.retain(|v, e| e.kind != Kind::Var(*v));
    sequence([assume(before), update(values), Op::Sequence(any), assume(after)])
}

fn assume(all: Vec<Expr>) -> Op {
    if all.is_empty() { Op::Skip } else { Op::Assume(Expr::and(all)) }
}

fn update(values: BTreeMap<VarId, Expr>) -> Op {
    let mut all: Vec<(VarId, Expr)> = values.into_iter().collect();
    match all.len() {
        0 => Op::Skip,
        1 => {
            let (v, e) = all.remove(0);
            Op::Assign(v, e)
        }
        _ => Op::Update(all),
    }
}

/// A sequence without empty operations.
fn sequence<const N: usize>(ops: [Op; N]) -> Op {
    let mut flat = Vec::new();
    for op in ops {
        match op {
            Op::Skip => {}
            Op::Sequence(inner) => flat.extend(inner),
            op => flat.push(op),
        }
    }
    match flat.len() {
        0 => Op::Skip,
        1 => flat.remove(0),
        _ => Op::Sequence(flat),
    }
}

fn conjuncts(e: Expr) -> Vec<Expr> {
    match e.kind {
        Kind::Nary(Nary::And, all) => all.into_iter().flat_map(conjuncts).collect(),
        Kind::Bool(true) => Vec::new(),
        _ => vec![e],
    }
}

/// The alternatives of a conjunct, as conjunctions. Only conjuncts over new values are split into cases.
fn alternatives(n: usize, e: &Expr) -> Vec<Vec<Expr>> {
    if !speaks_of_next(n, e) {
        return vec![vec![e.clone()]];
    }
    match &e.kind {
        Kind::Nary(Nary::And, all) => {
            let mut cases = vec![Vec::new()];
            for part in all {
                let more = alternatives(n, part);
                if more.len() * cases.len() > CASES {
                    return vec![vec![e.clone()]];
                }
                let with = |case: &Vec<Expr>| {
                    more.iter().map(|a| case.iter().chain(a).cloned().collect()).collect::<Vec<Vec<Expr>>>()
                };
                cases = cases.iter().flat_map(with).collect();
            }
            cases
        }
        // A disjunct without new values would leave all of them unconstrained, so the disjunction is not split.
        Kind::Nary(Nary::Or, all) if all.iter().all(|part| speaks_of_next(n, part)) => {
            all.iter().flat_map(|part| alternatives(n, part)).collect()
        }
        Kind::Ite(abc) if e.ty == Type::Bool => {
            let [c, then, other] = &**abc;
            let with = |c: Expr, e: &Expr| {
                alternatives(n, e).into_iter().map(move |mut case| {
                    case.insert(0, c.clone());
                    case
                })
            };
            with(c.clone(), then).chain(with(c.clone().negated(), other)).collect()
        }
        _ => vec![vec![e.clone()]],
    }
}

fn speaks_of_next(n: usize, e: &Expr) -> bool {
    e.variables().iter().any(|v| Op::related(n, *v).1)
}

/// `v = e`, `e = v`, `v`, `not v`
fn equations(e: &Expr) -> Vec<Equation> {
    let one = |v: VarId, value: Expr| Equation { v, value };
    match &e.kind {
        Kind::Var(v) => vec![one(*v, Expr::bool(true))],
        Kind::Unary(Unary::Not, inner) => match inner.kind {
            Kind::Var(v) => vec![one(v, Expr::bool(false))],
            _ => Vec::new(),
        },
        Kind::Binary(Binary::Eq | Binary::Iff, ab) => {
            let [a, b] = &**ab;
            let sides = [(a, b), (b, a)].into_iter();
            sides
                .filter_map(|(side, value)| match side.kind {
                    Kind::Var(v) => Some(one(v, value.clone())),
                    _ => None,
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

fn put_in(e: &mut Expr, values: &BTreeMap<VarId, &Expr>) {
    if let Kind::Var(v) = e.kind {
        if let Some(value) = values.get(&v) {
            *e = (*value).clone();
        }
        return;
    }
    e.children_mut().into_iter().for_each(|c| put_in(c, values));
}

/// Renames new values to current ones.
fn forget(n: usize, e: &mut Expr) {
    if let Kind::Var(v) = &mut e.kind {
        *v = Op::related(n, *v).0;
        return;
    }
    e.children_mut().into_iter().for_each(|c| forget(n, c));
}
