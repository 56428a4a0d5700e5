//! Büchi automata with guards and transition-based acceptance.
//!
//! A *run* on a word starts in the initial state and takes for each letter a transition whose guard the letter
//! satisfies. It is accepting if it takes transitions with each mark infinitely often; without marks, every run is
//! accepting. If there is one mark, and all transitions that leave a state agree on it, this is the automaton of
//! textbooks: the states whose transitions have the mark are the accepting states, and an accepting run visits one
//! infinitely often.

use std::collections::HashMap;

use crate::buchi::guard::{Guard, Guards};
use crate::id::id;

id!(
    /// A state of an automaton.
    StateId,
    "q"
);

/// A set of marks, of which there are at most 64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Marks(pub u64);

impl Marks {
    /// The marks from 0 to `n - 1`.
    #[must_use]
    pub fn all(n: u32) -> Marks {
        Marks(if n == 64 { u64::MAX } else { (1 << n) - 1 })
    }

    /// The set of one mark.
    #[must_use]
    pub fn one(mark: u32) -> Marks {
        Marks(1 << mark)
    }

    /// Does the set contain the mark?
    #[must_use]
    pub fn has(self, mark: u32) -> bool {
        self.0 >> mark & 1 == 1
    }

    /// Is `other` a subset?
    #[must_use]
    pub fn includes(self, other: Marks) -> bool {
        self.0 & other.0 == other.0
    }

    /// The union.
    #[must_use]
    pub fn union(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }
}

/// A transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The letters with which it can be taken.
    pub guard: Guard,
    /// Its marks.
    pub marks: Marks,
    /// Its target.
    pub target: StateId,
}

/// An automaton.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The names of the atoms of guards.
    pub atoms: Vec<String>,
    /// The manager of guards.
    pub guards: Guards,
    /// The number of marks.
    pub marks: u32,
    /// The initial state.
    pub initial: StateId,
    /// The transitions out of each state.
    pub states: Vec<Vec<Transition>>,
}

/// Automata are equal if their texts are.
impl PartialEq for Automaton {
    fn eq(&self, other: &Automaton) -> bool {
        crate::buchi::hoa::print(self, "") == crate::buchi::hoa::print(other, "")
    }
}

impl Automaton {
    /// The automaton that accepts no word: one state without transitions.
    #[must_use]
    pub fn empty(atoms: Vec<String>) -> Automaton {
        Automaton {
            atoms,
            guards: Guards::default(),
            marks: 0,
            initial: StateId(0),
            states: vec![Vec::new()],
        }
    }

    /// The automaton over another list of atoms, which contains all of its own.
    #[must_use]
    pub fn over(&self, atoms: &[String]) -> Option<Automaton> {
        let to: Option<Vec<u32>> =
            self.atoms.iter().map(|name| u32::try_from(atoms.iter().position(|a| a == name)?).ok()).collect();
        let to = to?;
        let mut renamed = Automaton { atoms: atoms.to_vec(), guards: Guards::default(), ..self.clone() };
        let mut known = HashMap::new();
        for t in renamed.states.iter_mut().flatten() {
            t.guard = renamed.guards.copy(&self.guards, t.guard, &to, &mut known);
        }
        Some(renamed)
    }

    /// The transitions out of a state.
    #[must_use]
    pub fn out(&self, state: StateId) -> &[Transition] {
        &self.states[state.index()]
    }

    /// All states, in order.
    pub fn ids(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.states.len()).map(StateId::new)
    }

    /// The number of transitions.
    #[must_use]
    pub fn transitions(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }

    /// Is acceptance by states: is there at most one mark, on which all transitions that leave a state agree?
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.marks <= 1 && self.states.iter().all(|out| out.windows(2).all(|t| t[0].marks == t[1].marks))
    }

    /// Do all transitions of this state have all marks? With acceptance by states, these are the accepting states.
    #[must_use]
    pub fn is_accepting(&self, state: StateId) -> bool {
        self.marks == 0 || self.out(state).first().is_some_and(|t| t.marks == Marks::all(self.marks))
    }

    /// Does a transition lead back to the initial state?
    #[must_use]
    pub fn returns(&self) -> bool {
        self.states.iter().flatten().any(|t| t.target == self.initial)
    }

    /// An automaton for the same language that never returns to its initial state.
    #[must_use]
    pub fn never_returning(mut self) -> Automaton {
        if self.returns() {
            let first = self.out(self.initial).to_vec();
            self.initial = StateId::new(self.states.len());
            self.states.push(first);
        }
        self
    }

    /// Is the automaton deterministic?
    pub fn is_deterministic(&mut self) -> bool {
        for out in &self.states {
            for (i, a) in out.iter().enumerate() {
                if out[i + 1..].iter().any(|b| self.guards.and(a.guard, b.guard) != Guard::FALSE) {
                    return false;
                }
            }
        }
        true
    }

    /// Is the automaton complete: has every state a transition for every letter?
    pub fn is_complete(&mut self) -> bool {
        let guards = &mut self.guards;
        self.states
            .iter()
            .all(|out| out.iter().fold(Guard::FALSE, |all, t| guards.or(all, t.guard)) == Guard::TRUE)
    }

    /// Merges transitions with the same target and marks, sorts them, and removes those that no letter takes.
    pub(crate) fn join_transitions(&mut self) {
        for out in &mut self.states {
            out.retain(|t| t.guard != Guard::FALSE);
            out.sort_by_key(|t| (t.target, t.marks));
            let mut joined: Vec<Transition> = Vec::with_capacity(out.len());
            for t in out.drain(..) {
                match joined.last_mut() {
                    Some(last) if (last.target, last.marks) == (t.target, t.marks) => {
                        last.guard = self.guards.or(last.guard, t.guard);
                    }
                    _ => joined.push(t),
                }
            }
            *out = joined;
        }
    }

    /// Restricts the automaton to the states that are kept, those reachable from the initial state first, in
    /// breadth-first order.
    pub(crate) fn renumbered(mut self) -> Automaton {
        let mut number: Vec<Option<StateId>> = vec![None; self.states.len()];
        let mut order = vec![self.initial];
        number[self.initial.index()] = Some(StateId(0));
        let mut at = 0;
        while at < order.len() {
            for t in self.out(order[at]) {
                let place = &mut number[t.target.index()];
                if place.is_none() {
                    *place = Some(StateId::new(order.len()));
                    order.push(t.target);
                }
            }
            at += 1;
        }
        let old = std::mem::take(&mut self.states);
        self.states = order.iter().map(|q| old[q.index()].clone()).collect();
        for t in self.states.iter_mut().flatten() {
            t.target = number[t.target.index()].expect("it can be reached");
        }
        self.initial = StateId(0);
        self
    }
}
