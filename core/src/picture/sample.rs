//! Some of the reachable states, by running the interpreter with relevant inputs: small numbers, and the constants of
//! the model with their neighbours.

use std::collections::{BTreeSet, HashSet, VecDeque};

use solver_lite::number::Q;
use solver_lite::term::Value;

use crate::expr::{Expr, Kind};
use crate::system::{LocationId, State, System, VarId, VarType, valuations};

/// The greatest number of values of an input, and of choices of all inputs of an edge.
const INPUTS: usize = 16;
const CHOICES: usize = 256;
/// The greatest number of initial states.
const STARTS: usize = 64;

/// At most `most` reachable states, the first ones breadth first.
#[must_use]
pub fn sample(system: &System, most: usize) -> Vec<(LocationId, State)> {
    let numbers = numbers(system);
    let inputs = |v: VarId| values(&system.variable(v).ty, &numbers);
    let holds = |e: &Expr, s: &State| e.eval(&|v| s[v.index()].clone()).is_ok_and(|x| x.bool());
    let starts = valuations(system.var_ids().map(inputs).collect()).take(STARTS * STARTS);
    let starts = starts
        .filter(|s| holds(&system.initial_formula, s) && holds(&system.invariant, s))
        .take(STARTS.min(most));
    let mut queue: VecDeque<(LocationId, State)> = starts.map(|s| (system.initial, s)).collect();
    let mut seen: HashSet<(LocationId, State)> = queue.iter().cloned().collect();
    let mut found = Vec::new();
    while let Some((location, state)) = queue.pop_front() {
        for edge in system.out_edges(location).iter().map(|e| system.edge(*e)) {
            if seen.len() >= most {
                break;
            }
            // An edge with many inputs tries fewer values of each.
            let many = u32::try_from(edge.op.havocs().len()).unwrap_or(u32::MAX);
            let each = (1..=INPUTS).rev().find(|n| n.saturating_pow(many) <= CHOICES).unwrap_or(1);
            let inputs = |v: VarId| inputs(v).into_iter().take(each).collect();
            for next in system.successors(&edge.op, &state, &inputs).flatten() {
                let allowed = holds(&system.invariant, &next) && system.keeps_promises(&next);
                if allowed && seen.len() < most && seen.insert((edge.target, next.clone())) {
                    queue.push_back((edge.target, next));
                }
            }
        }
        found.push((location, state));
    }
    found
}

/// The constants of the model, their neighbours, and small numbers, those near zero first.
fn numbers(system: &System) -> Vec<Q> {
    let mut found: BTreeSet<Q> = [-1, 0, 1, 2].map(Q::from).into();
    let mut note = |e: &Expr| {
        e.visit(&mut |e| {
            if let Kind::Num(q) = &e.kind {
                found.extend([-1, 0, 1].map(|d| q + &Q::from(d)));
            }
        });
    };
    note(&system.initial_formula);
    system.edges.iter().for_each(|edge| edge.op.exprs(&mut note));
    let mut all: Vec<Q> = found.into_iter().collect();
    all.sort_by_key(Q::abs);
    all
}

fn values(ty: &VarType, numbers: &[Q]) -> Vec<Value> {
    if *ty == VarType::Bool {
        return vec![Value::Bool(false), Value::Bool(true)];
    }
    let all = numbers.iter().map(|q| Value::Num(q.clone())).filter(|value| ty.contains(value));
    let mut all: Vec<Value> = all.take(INPUTS).collect();
    if all.is_empty() {
        all.push(ty.some_value());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_inputs_at_once_are_no_hang() {
        let text = "main process p { var a : [bv[4]] -> int init loc A error loc E A -> A { havoc a } A -> E { assume a[4'd1] = 7 } }";
        let system = crate::formats::cfa::parse(text).unwrap();
        assert!(sample(&system, 500).len() <= 500);
    }

    #[test]
    fn states_are_reached() {
        let text = "main process p { var x : int var y : int init loc A loc B error loc E
            A -> B { x := 0 havoc y assume y > 40 } B -> B { assume x < 3 x := x + 1 } B -> E { assume y = 7 } }";
        let system = crate::formats::cfa::parse(text).unwrap();
        let b = system.find_location("B").unwrap();
        let found = sample(&system, 1_000);
        let at_b: BTreeSet<String> = found
            .iter()
            .filter(|(l, _)| *l == b)
            .map(|(_, s)| crate::certificate::value_text(&s[0]))
            .collect();
        assert_eq!(at_b.into_iter().collect::<Vec<_>>(), ["0", "1", "2", "3"]);
        assert!(found.iter().all(|(l, _)| Some(*l) != system.error));
        assert!(sample(&system, 10).len() <= 10);
    }
}
