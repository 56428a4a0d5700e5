//! Firing sequences for solutions of the state equation, and constraints for solutions without one (Wimmel and Wolf,
//! "Applying CEGAR to the Petri Net State Equation", 2012, sections 3 and 4).

use std::collections::{BTreeMap, HashSet};

use crate::net::{Marking, Net, PlaceId, TransitionId};

/// The greatest number of steps of the search for a firing sequence, and of the bytes of what it stores.
const STEPS: usize = 20_000;
const BYTES: usize = 128 << 20;

/// How often each transition fires, by number.
pub(super) type Vector = Vec<u32>;

/// The result of a search for a firing sequence.
pub(super) enum Tried {
    /// The sequence.
    Fires(Vec<TransitionId>),
    /// None was found. The partial solution: the sequence nearest to one ends in this marking, and these firings are
    /// left. Unless the search was stopped after many steps, none of them is enabled.
    Partial { left: Vector, marking: Marking },
}

/// An increment constraint `Σ cᵢ·xᵢ ≥ least`: firings that change the tokens of a place such that a transition is
/// enabled.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Increment {
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
    let most = STEPS.min(BYTES / (4 * (net.places.len() + 2 * net.transitions.len()).max(1)));
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
        if steps > most {
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
    Tried::Partial { left: nearest.1, marking: nearest.2 }
}

/// What would enable one of the transitions that are left: on a place that lacks tokens, transitions that add tokens
/// fire more often than in the vector; on a place that inhibits, transitions that remove tokens do.
pub(super) fn increments(net: &Net, vector: &Vector, left: &Vector, marking: &Marking) -> Vec<Increment> {
    // By place and direction, the least number of tokens that are missing.
    let mut missing: BTreeMap<(PlaceId, i64), i64> = BTreeMap::new();
    let mut add = |place: PlaceId, direction: i64, tokens: u32| {
        let least = missing.entry((place, direction)).or_insert(i64::MAX);
        *least = i64::from(tokens).min(*least);
    };
    for t in net.transition_ids().filter(|t| left[t.index()] > 0).map(|t| net.transition(t)) {
        for arc in t.inputs.iter().filter(|arc| marking[arc.place.index()] < arc.weight) {
            add(arc.place, 1, arc.weight - marking[arc.place.index()]);
        }
        for arc in t.inhibitors.iter().filter(|arc| marking[arc.place.index()] >= arc.weight) {
            add(arc.place, -1, marking[arc.place.index()] - arc.weight + 1);
        }
    }
    let increment = |((place, direction), tokens): ((PlaceId, i64), i64)| {
        let change = net.transition_ids().map(|t| (t, direction * net.change(place, t)));
        let terms: Vec<(TransitionId, i64)> = change.filter(|(_, c)| *c > 0).collect();
        let now: i64 = terms.iter().map(|(t, c)| c * i64::from(vector[t.index()])).sum();
        Increment { terms, least: now.saturating_add(tokens) }
    };
    missing.into_iter().map(increment).filter(|increment| !increment.terms.is_empty()).collect()
}
