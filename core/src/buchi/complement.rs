//! Complementation of Büchi automata (Schewe, "Büchi Complementation Made Tight", 2009).
//!
//! A run of the complement follows the set of all states that the automaton may be in. At some point it guesses a
//! *rank* for each of them. Transitions never increase ranks, accepting states have even ranks, and the largest rank is
//! odd and constant. Every run has to leave its even ranks: states of even rank are watched, and a run of the
//! complement is accepting if the watched set is empty infinitely often.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::buchi::automaton::{Automaton, Marks, StateId, Transition};
use crate::buchi::guard::{Guard, Guards};

/// The limit on states.
const STATES: usize = 20_000;
/// The limit on classes of letters at a set of states.
const CLASSES: usize = 512;

/// Letters with the successors of states under them.
type Class = (Guard, BTreeMap<StateId, BTreeSet<StateId>>);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Point {
    /// Before the ranks are guessed: the subset construction.
    Set(BTreeSet<StateId>),
    /// Ranks, the watched states, and their even rank.
    Ranked { ranks: BTreeMap<StateId, usize>, watched: BTreeSet<StateId>, rank: usize },
}

impl Automaton {
    /// The complement, with accepting states, of an automaton with accepting states. `None` if the size limit is
    /// exceeded.
    #[must_use]
    pub fn complement(&self) -> Option<Automaton> {
        if !self.is_plain() || self.states.len() > 12 {
            return None;
        }
        let mut guards = self.guards.clone();
        let start = Point::Set(BTreeSet::from([self.initial]));
        let mut number = HashMap::from([(start.clone(), 0)]);
        let mut points = vec![start];
        let mut states: Vec<Vec<Transition>> = Vec::new();
        while states.len() < points.len() {
            let point = points[states.len()].clone();
            let accepting = match &point {
                Point::Set(set) => set.is_empty(),
                Point::Ranked { watched, .. } => watched.is_empty(),
            };
            let marks = if accepting { Marks::all(1) } else { Marks::default() };
            let mut out = Vec::new();
            for (guard, moves) in self.letters(point.states(), &mut guards)? {
                for next in self.after(&point, &moves)? {
                    let fresh = points.len();
                    let target = *number.entry(next.clone()).or_insert(fresh);
                    if target == fresh {
                        points.push(next);
                    }
                    out.push(Transition { guard, marks, target: StateId::new(target) });
                }
            }
            states.push(out);
            if points.len() > STATES {
                return None;
            }
        }
        let mut complement =
            Automaton { atoms: self.atoms.clone(), guards, marks: 1, initial: StateId(0), states };
        complement.join_transitions();
        Some(complement)
    }

    /// The equivalence classes of letters for these states, with the successors under each; `None` if there are too
    /// many.
    fn letters(&self, set: Vec<StateId>, guards: &mut Guards) -> Option<Vec<Class>> {
        let mut parts: Vec<Class> = vec![(Guard::TRUE, BTreeMap::new())];
        for q in set {
            for t in self.out(q) {
                let mut next = Vec::with_capacity(parts.len() + 1);
                for (guard, moves) in parts {
                    let (taken, not) = (guards.and(guard, t.guard), guards.minus(guard, t.guard));
                    if not != Guard::FALSE {
                        next.push((not, moves.clone()));
                    }
                    if taken != Guard::FALSE {
                        let mut moves = moves;
                        moves.entry(q).or_default().insert(t.target);
                        next.push((taken, moves));
                    }
                }
                parts = next;
                if parts.len() > CLASSES {
                    return None;
                }
            }
        }
        Some(parts)
    }

    fn after(&self, point: &Point, moves: &BTreeMap<StateId, BTreeSet<StateId>>) -> Option<Vec<Point>> {
        let to = |set: &mut dyn Iterator<Item = StateId>| -> BTreeSet<StateId> {
            set.flat_map(|q| moves.get(&q).into_iter().flatten().copied()).collect()
        };
        match point {
            Point::Set(set) => {
                let next = to(&mut set.iter().copied());
                let mut all: Vec<Point> = self
                    .tight_ranks(&next)?
                    .into_iter()
                    .map(|ranks| Point::Ranked { ranks, watched: BTreeSet::new(), rank: 0 })
                    .collect();
                all.push(Point::Set(next));
                Some(all)
            }
            Point::Ranked { ranks, watched, rank } => {
                let mut next: BTreeMap<StateId, usize> = BTreeMap::new();
                for (q, r) in ranks {
                    for t in moves.get(q).into_iter().flatten() {
                        let bound = if self.is_accepting(*t) { *r & !1 } else { *r };
                        let least = next.entry(*t).or_insert(bound);
                        *least = bound.min(*least);
                    }
                }
                let largest = |ranks: &BTreeMap<StateId, usize>| ranks.values().max().copied();
                // The largest rank is constant, and all odd ranks below it occur.
                if largest(&next) != largest(ranks) || !is_tight(&next) {
                    return Some(Vec::new());
                }
                let most = largest(ranks).unwrap_or(0);
                let even = |next: &BTreeMap<StateId, usize>, rank: usize| -> BTreeSet<StateId> {
                    next.iter().filter(|(_, r)| **r == rank).map(|(q, _)| *q).collect()
                };
                if watched.is_empty() {
                    let rank = (rank + 2) % (most + 1);
                    let watched = even(&next, rank);
                    return Some(vec![Point::Ranked { ranks: next, watched, rank }]);
                }
                let still = to(&mut watched.iter().copied());
                let still: BTreeSet<StateId> = still.intersection(&even(&next, *rank)).copied().collect();
                let mut all =
                    vec![Point::Ranked { ranks: next.clone(), watched: still.clone(), rank: *rank }];
                // All watched states may decrease at once.
                if *rank > 0 && !still.is_empty() && still.iter().all(|q| !self.is_accepting(*q)) {
                    let mut less = next;
                    still.iter().for_each(|q| {
                        less.insert(*q, rank - 1);
                    });
                    if is_tight(&less) && largest(&less) == Some(most) {
                        all.push(Point::Ranked { ranks: less, watched: BTreeSet::new(), rank: *rank });
                    }
                }
                Some(all)
            }
        }
    }

    /// All tight rankings of a set; `None` if the limit is exceeded.
    fn tight_ranks(&self, set: &BTreeSet<StateId>) -> Option<Vec<BTreeMap<StateId, usize>>> {
        let free = set.iter().filter(|q| !self.is_accepting(**q)).count();
        let mut all: Vec<BTreeMap<StateId, usize>> = vec![BTreeMap::new()];
        for q in set {
            let mut next = Vec::new();
            for ranks in all {
                for rank in (0..2 * free.max(1)).filter(|r| r % 2 == 0 || !self.is_accepting(*q)) {
                    let mut ranks = ranks.clone();
                    ranks.insert(*q, rank);
                    next.push(ranks);
                }
            }
            all = next;
            if all.len() > STATES {
                return None;
            }
        }
        all.retain(is_tight);
        Some(all)
    }
}

/// Is the ranking tight: is the largest rank odd, and does every odd rank below it occur?
fn is_tight(ranks: &BTreeMap<StateId, usize>) -> bool {
    let Some(most) = ranks.values().max() else { return false };
    most % 2 == 1 && (1..=*most).step_by(2).all(|odd| ranks.values().any(|r| *r == odd))
}

impl Point {
    fn states(&self) -> Vec<StateId> {
        match self {
            Point::Set(set) => set.iter().copied().collect(),
            Point::Ranked { ranks, .. } => ranks.keys().copied().collect(),
        }
    }
}
