//! Unit propagation as resolution: a clause whose negation some premises propagate to a conflict is a resolvent of them
//! (reverse unit propagation; Goldberg and Novikov, "Verification of Proofs of Unsatisfiability for CNF Formulas",
//! 2003).

use std::collections::BTreeSet;

use crate::hash::Map;
use crate::literal::{Clause, Literal};
use crate::proof::{Rule, Step, StepId};
use crate::term::Term;

/// A step whose clause is a subset of `target`, added to `steps` unless a premise is one already. `None` if the
/// premises do not propagate to a conflict. Premises are visited in order, then in reverse, and so on: fast for chains
/// in order.
pub(crate) fn derive(steps: &mut Vec<Step>, target: &[Literal], premises: &[StepId]) -> Option<StepId> {
    let mut value: Map<Term, bool> = target.iter().map(|l| (l.term, !l.positive)).collect();
    let mut reasons: Vec<(Literal, StepId)> = Vec::new();
    let first = 'conflict: loop {
        let before = reasons.len();
        for at in premises.iter().chain(premises.iter().rev()) {
            let is_false = |l: &&Literal| value.get(&l.term) == Some(&!l.positive);
            let mut open = steps[*at].clause.iter().filter(|l| !is_false(l));
            match (open.next().copied(), open.next()) {
                (None, _) => break 'conflict *at,
                (Some(l), None) if !value.contains_key(&l.term) => {
                    value.insert(l.term, l.positive);
                    reasons.push((l, *at));
                }
                _ => {}
            }
        }
        if reasons.len() == before {
            return None;
        }
    };
    let mut current: BTreeSet<Literal> = steps[first].clause.iter().copied().collect();
    let mut chain = Vec::new();
    for (l, reason) in reasons.into_iter().rev() {
        if current.remove(&l.negated()) {
            current.extend(steps[reason].clause.iter().filter(|x| **x != l));
            chain.push((l.term, reason));
        }
    }
    if chain.is_empty() {
        return Some(first);
    }
    let clause: Clause = current.into_iter().collect();
    steps.push(Step { clause, rule: Rule::Resolution(first, chain) });
    Some(steps.len() - 1)
}
