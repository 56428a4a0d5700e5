//! Abstract states (Hajdu and Micskei 2020, section 2.2.1): a location, values of variables, and predicates.
//!
//! All domains share one form, `values ∧ literals ∧ (cube ∨ cube ∨ …)`: predicate domains have no values, the explicit
//! domain has nothing but values, and only Boolean predicate abstraction has several cubes.

use solver_lite::term::{Term, Value};

use crate::encoding::{Encoding, equal};
use crate::kit::{Label, PredicateId};
use crate::system::{LocationId, System, VarId};

/// Predicates and negated predicates, ascending.
pub type Cube = Vec<(PredicateId, bool)>;

/// The abstract state of a node.
#[derive(Clone, PartialEq, Debug)]
pub struct AbstractState {
    /// The location.
    pub location: LocationId,
    /// The values that are known, ascending by variable.
    pub values: Vec<(VarId, Value)>,
    /// The literals that hold.
    pub literals: Cube,
    /// The disjunction of these holds, too; `true` if there are none.
    pub either: Vec<Cube>,
}

impl AbstractState {
    /// All states at a location.
    pub(super) fn top(location: LocationId) -> AbstractState {
        AbstractState { location, values: Vec::new(), literals: Vec::new(), either: Vec::new() }
    }

    /// The label that the journal shows.
    #[must_use]
    pub fn label(&self, system: &System) -> Label {
        Label {
            location: self.location,
            values: self.values.iter().map(|(v, value)| (*v, system.value_text(*v, value))).collect(),
            literals: self.literals.clone(),
            either: self.either.clone(),
        }
    }

    /// The value of a variable, if it is known.
    pub(super) fn value(&self, v: VarId) -> Option<&Value> {
        self.values.binary_search_by_key(&v, |(v, _)| *v).ok().map(|i| &self.values[i].1)
    }

    /// Does this contain every conjunct of `other`? Then every state of this is one of `other`.
    pub(super) fn says_all_of(&self, other: &AbstractState) -> bool {
        let all = |mine: &Cube, theirs: &Cube| theirs.iter().all(|l| mine.contains(l));
        other.values.iter().all(|(v, value)| self.value(*v) == Some(value))
            && all(&self.literals, &other.literals)
            && (other.either.is_empty()
                || other.either == self.either
                || other.either.iter().any(|cube| all(&self.literals, cube)))
    }
}

impl Encoding {
    /// The meaning of an abstract state over current values.
    pub(super) fn meaning(&mut self, state: &AbstractState) -> Term {
        let mut parts = Vec::with_capacity(state.values.len() + state.literals.len() + 1);
        for (v, value) in &state.values {
            let current = self.current(*v);
            parts.push(equal(&mut self.terms, current, value));
        }
        parts.push(self.cube(&state.literals));
        if !state.either.is_empty() {
            let cubes: Vec<Term> = state.either.iter().map(|c| self.cube(c)).collect();
            parts.push(self.terms.or(cubes));
        }
        self.terms.and(parts)
    }

    /// The conjunction of literals over current values.
    pub(super) fn cube(&mut self, cube: &Cube) -> Term {
        let mut parts = Vec::with_capacity(cube.len());
        for (p, positive) in cube {
            let term = self.precision.get(*p).term;
            parts.push(if *positive { term } else { self.terms.not(term) });
        }
        self.terms.and(parts)
    }
}

/// Joins cubes that differ in the sign of one literal, as long as there are any: `(c ∧ p) ∨ (c ∧ ¬p)` is `c`.
pub(super) fn merge(mut cubes: Vec<Cube>) -> Vec<Cube> {
    let partner = |a: &Cube, b: &Cube| -> Option<usize> {
        let same = a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.0 == y.0);
        let mut differ = (0..a.len()).filter(|&i| same && a[i].1 != b[i].1);
        let first = differ.next()?;
        differ.next().is_none().then_some(first)
    };
    'again: loop {
        for i in 0..cubes.len() {
            for j in i + 1..cubes.len() {
                if let Some(at) = partner(&cubes[i], &cubes[j]) {
                    cubes[i].remove(at);
                    cubes.remove(j);
                    continue 'again;
                }
            }
        }
        return cubes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(literals: &[(u32, bool)]) -> Cube {
        literals.iter().map(|(p, sign)| (PredicateId(*p), *sign)).collect()
    }

    #[test]
    fn cubes_are_joined() {
        let all = [(true, true), (true, false), (false, true), (false, false)];
        let whole = all.iter().map(|(a, b)| cube(&[(0, *a), (1, *b)])).collect();
        assert_eq!(merge(whole), vec![cube(&[])]);
        let xor = vec![cube(&[(0, true), (1, false)]), cube(&[(0, false), (1, true)])];
        assert_eq!(merge(xor.clone()), xor);
        let three = all[..3].iter().map(|(a, b)| cube(&[(0, *a), (1, *b)])).collect();
        assert_eq!(merge(three), vec![cube(&[(0, true)]), cube(&[(0, false), (1, true)])]);
    }
}
