//! Clauses that follow propositionally: unit propagation as resolution (as in [`crate::rup`]), with case distinctions
//! where propagation alone does not suffice.

use crate::alethe::steps::{StepId, Steps};
use crate::alethe::store::{Id, Lit};
use crate::hash::Map;

/// Nesting depth of case distinctions. The clauses derived here are about one operator and its arguments.
const CASES: usize = 8;

/// Result of propagation.
enum Propagated {
    Conflict(StepId),
    /// An atom without a value in one of the shortest clauses that are not satisfied.
    Open(Id),
    Nothing,
}

/// A step whose clause is part of `target`, or nothing if the premises do not imply it.
pub(crate) fn derive(steps: &mut Steps, target: &[Lit], premises: &[StepId]) -> Option<StepId> {
    within(steps, target, premises, CASES)
}

fn within(steps: &mut Steps, target: &[Lit], premises: &[StepId], cases: usize) -> Option<StepId> {
    let mut value: Map<Id, bool> = target.iter().map(|l| (l.atom, !l.positive)).collect();
    let mut reasons: Vec<(Lit, StepId)> = Vec::new();
    match propagate(steps, &mut value, &mut reasons, premises) {
        Propagated::Conflict(first) => {
            let chain: Vec<(Id, StepId)> = reasons.iter().rev().map(|(l, at)| (l.atom, *at)).collect();
            Some(steps.resolve(first, &chain))
        }
        Propagated::Open(atom) if cases > 0 => {
            let mut at = None;
            for positive in [true, false] {
                let mut longer = target.to_vec();
                longer.push(Lit { atom, positive });
                let case = within(steps, &longer, premises, cases - 1)?;
                at = Some(at.map_or(case, |first| steps.resolve(first, &[(atom, case)])));
            }
            at
        }
        _ => None,
    }
}

fn propagate(
    steps: &Steps,
    value: &mut Map<Id, bool>,
    reasons: &mut Vec<(Lit, StepId)>,
    premises: &[StepId],
) -> Propagated {
    loop {
        let before = reasons.len();
        let mut shortest: Option<(usize, Id)> = None;
        for at in premises.iter().chain(premises.iter().rev()) {
            let clause = steps.clause(*at);
            if clause.iter().any(|l| value.get(&l.atom) == Some(&l.positive)) {
                continue;
            }
            let mut open = clause.iter().filter(|l| !value.contains_key(&l.atom));
            match (open.next().copied(), open.next()) {
                (None, _) => return Propagated::Conflict(*at),
                (Some(l), None) => {
                    value.insert(l.atom, l.positive);
                    reasons.push((l, *at));
                }
                (Some(l), Some(_)) => {
                    let length = 2 + open.count();
                    if shortest.is_none_or(|(least, _)| length < least) {
                        shortest = Some((length, l.atom));
                    }
                }
            }
        }
        if reasons.len() == before {
            return shortest.map_or(Propagated::Nothing, |(_, atom)| Propagated::Open(atom));
        }
    }
}
