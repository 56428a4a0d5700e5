//! Firing sequences for solutions of the state equation, and what a solution lacks that has none (Wimmel and Wolf,
//! "Applying CEGAR to the Petri Net State Equation", 2012, sections 3 and 4).

use std::collections::HashSet;

use crate::net::{Marking, Net, TransitionId};

/// The greatest number of steps of the search for a firing sequence.
const STEPS: usize = 20_000;

/// How often each transition fires, by number.
pub(super) type Vector = Vec<u32>;

/// The result of a search for a firing sequence.
pub(super) enum Tried {
    /// The sequence.
    Fires(Vec<TransitionId>),
    /// None was found. The sequence that is nearest to one ends in this marking, and these firings are left, none of
    /// which is enabled.
    Stuck { left: Vector, marking: Marking },
}

/// `Σ cᵢ·xᵢ ≥ least`: firings that change the tokens of a place such that a transition is enabled.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Need {
    /// Transitions with their coefficients.
    pub(super) terms: Vec<(TransitionId, i64)>,
    /// The least sum.
    pub(super) least: i64,
}

/// A depth-first search for a sequence in which each transition occurs as often as in the vector.
pub(super) fn sequence(net: &Net, vector: &Vector) -> Tried {
    let size = |left: &Vector| left.iter().map(|n| u64::from(*n)).sum::<u64>();
    let mut nearest = (size(vector), vector.clone(), net.initial());
    let mut tried: HashSet<Vector> = HashSet::new();
    // Along the path: what is left, the marking, and the next transition to be tried.
    let mut path = vec![(vector.clone(), net.initial(), 0_usize)];
    let mut steps = 0;
    while let Some((left, marking, next)) = path.last_mut() {
        if left.iter().all(|n| *n == 0) {
            let taken = |step: &(Vector, Marking, usize)| TransitionId::new(step.2 - 1);
            let whole = path.len() - 1;
            return Tried::Fires(path[..whole].iter().map(taken).collect());
        }
        let at = *next;
        if at == net.transitions.len() {
            path.pop();
            continue;
        }
        *next += 1;
        let t = TransitionId::new(at);
        if left[at] == 0 || !net.is_enabled(marking, t) {
            continue;
        }
        let (mut less, mut after) = (left.clone(), marking.clone());
        less[at] -= 1;
        steps += 1;
        if steps > STEPS {
            break;
        }
        // The marking is determined by what is left.
        if net.fire(&mut after, t).is_ok() && tried.insert(less.clone()) {
            let remaining = size(&less);
            if remaining < nearest.0 {
                nearest = (remaining, less.clone(), after.clone());
            }
            path.push((less, after, 0));
        }
    }
    Tried::Stuck { left: nearest.1, marking: nearest.2 }
}

/// What would enable one of the transitions that are left: on a place that lacks tokens, transitions that add tokens
/// fire more often than in the vector; on a place that inhibits, transitions that remove tokens do.
pub(super) fn needs(net: &Net, vector: &Vector, left: &Vector, marking: &Marking) -> Vec<Need> {
    let mut needs = Vec::new();
    for t in net.transition_ids().filter(|t| left[t.index()] > 0) {
        let t = net.transition(t);
        let lacking = t.inputs.iter().filter(|a| marking[a.place.index()] < a.weight);
        let lacking = lacking.map(|a| (a.place, 1, i64::from(a.weight - marking[a.place.index()])));
        let inhibiting = t.inhibitors.iter().filter(|a| marking[a.place.index()] >= a.weight);
        let inhibiting =
            inhibiting.map(|a| (a.place, -1, i64::from(marking[a.place.index()] - a.weight) + 1));
        for (place, sign, missing) in lacking.chain(inhibiting) {
            let change = net.transition_ids().map(|t| (t, sign * net.change(place, t)));
            let terms: Vec<(TransitionId, i64)> = change.filter(|(_, c)| *c > 0).collect();
            let now: i64 = terms.iter().map(|(t, c)| c * i64::from(vector[t.index()])).sum();
            let need = Need { terms, least: now.saturating_add(missing) };
            if !need.terms.is_empty() && !needs.contains(&need) {
                needs.push(need);
            }
        }
    }
    needs
}
