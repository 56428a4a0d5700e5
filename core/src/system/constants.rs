//! Constant propagation: variables with a single known value at a location.
//!
//! A forward data-flow analysis (Kildall 1973): the facts of a location are the facts common to all its incoming edges.
//! It is used only if a model would otherwise be rejected, as in `x := 11 y := 5 … z := x * y`: the known factor
//! replaces the variable, which preserves all runs.

use std::collections::{BTreeMap, VecDeque};

use solver_lite::term::Value;

use crate::expr::{Expr, Kind, Type, VarId};
use crate::system::{Draft, Op};

/// The limit on updates of fact tables.
const FUEL: usize = 20_000_000;

/// The known values at a location.
pub(crate) type Facts = BTreeMap<VarId, Value>;

/// The facts of each location; `None` if it is unreachable.
pub(crate) fn analyse(draft: &Draft) -> Vec<Option<Facts>> {
    let mut facts: Vec<Option<Facts>> = vec![None; draft.locations.len()];
    let mut outgoing = vec![Vec::new(); draft.locations.len()];
    for edge in &draft.edges {
        outgoing[edge.source.index()].push(edge);
    }
    facts[draft.initial.index()] = Some(Facts::new());
    let mut queue = VecDeque::from([draft.initial]);
    let mut fuel = FUEL;
    while let Some(at) = queue.pop_front() {
        let here = facts[at.index()].clone().expect("queued when reached");
        for edge in &outgoing[at.index()] {
            let cost = here.len() + 1;
            if fuel < cost {
                return vec![Some(Facts::new()); draft.locations.len()];
            }
            fuel -= cost;
            let mut after = here.clone();
            if !transfer(&edge.op, &mut after) {
                continue;
            }
            let target = &mut facts[edge.target.index()];
            let joined = match &*target {
                None => after,
                Some(old) => old.iter().filter(|(v, x)| after.get(v) == Some(x)).map(clone_entry).collect(),
            };
            if target.as_ref() != Some(&joined) {
                *target = Some(joined);
                queue.push_back(edge.target);
            }
        }
    }
    facts
}

fn clone_entry((v, x): (&VarId, &Value)) -> (VarId, Value) {
    (*v, x.clone())
}

/// Applies an operation to facts; false if it is certainly infeasible.
fn transfer(op: &Op, facts: &mut Facts) -> bool {
    match op {
        Op::Skip | Op::Promise(_) => true,
        Op::Assume(e) => known(e, facts) != Some(Value::Bool(false)),
        Op::Assign(v, e) => {
            let value = known(e, facts);
            set(facts, *v, value);
            true
        }
        Op::Update(all) => {
            let values: Vec<Option<Value>> = all.iter().map(|(_, e)| known(e, facts)).collect();
            for ((v, _), value) in all.iter().zip(values) {
                set(facts, *v, value);
            }
            true
        }
        Op::Havoc(v) => {
            facts.remove(v);
            true
        }
        Op::Relation(..) => {
            facts.clear();
            true
        }
        Op::Sequence(ops) => ops.iter().all(|op| transfer(op, facts)),
    }
}

fn set(facts: &mut Facts, v: VarId, value: Option<Value>) {
    match value {
        Some(value) => facts.insert(v, value),
        None => facts.remove(&v),
    };
}

fn known(e: &Expr, facts: &Facts) -> Option<Value> {
    if e.ty.is_array() || !e.variables().iter().all(|v| facts.contains_key(v)) {
        return None;
    }
    e.eval(&|v| facts[&v].clone()).ok()
}

/// Replaces variables by known values in the operands of products, divisions, shifts and array accesses.
pub(crate) fn substitute(op: &mut Op, facts: &Facts) {
    if let Op::Sequence(ops) = op {
        // Later operations see the effects of earlier ones.
        let mut facts = facts.clone();
        for op in ops {
            substitute(op, &facts);
            transfer(op, &mut facts);
        }
        return;
    }
    op.exprs_mut(&mut |e| put_in(e, facts));
}

fn put_in(e: &mut Expr, facts: &Facts) {
    if let (Kind::Var(v), false) = (&e.kind, matches!(e.ty, Type::Array(..))) {
        if let Some(value) = facts.get(v) {
            *e = Expr::constant(value.clone(), e.ty.clone()).at(e.span);
        }
        return;
    }
    for child in e.children_mut() {
        put_in(child, facts);
    }
}
