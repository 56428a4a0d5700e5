//! Büchi automata with guards, and with acceptance on transitions.
//!
//! A *run* of a word starts in the initial state and takes a transition for each letter, whose guard the letter satisfies.
//! It is accepting if it takes transitions with each of the marks infinitely often; without marks every run is. With one
//! mark that all transitions out of a state share, that is the plain automaton of textbooks, whose accepting states are
//! those; then a run visits an accepting state infinitely often.

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

    /// Only this one.
    #[must_use]
    pub fn one(mark: u32) -> Marks {
        Marks(1 << mark)
    }

    /// Is this one among them?
    #[must_use]
    pub fn has(self, mark: u32) -> bool {
        self.0 >> mark & 1 == 1
    }

    /// Are all of `other` among them?
    #[must_use]
    pub fn includes(self, other: Marks) -> bool {
        self.0 & other.0 == other.0
    }

    /// Those of both.
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
    /// Where it leads.
    pub target: StateId,
}

/// An automaton.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The names of the atoms that guards speak of.
    pub atoms: Vec<String>,
    /// The meaning of guards.
    pub guards: Guards,
    /// How many marks there are.
    pub marks: u32,
    /// Where runs start.
    pub initial: StateId,
    /// The transitions out of each state.
    pub states: Vec<Vec<Transition>>,
}

/// The same text.
impl PartialEq for Automaton {
    fn eq(&self, other: &Automaton) -> bool {
        crate::buchi::hoa::print(self, "") == crate::buchi::hoa::print(other, "")
    }
}

impl Automaton {
    /// The automaton without any accepting run: one state and no transition.
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

    /// The same over other atoms, among which all of its own have to be.
    #[must_use]
    pub fn over(&self, atoms: &[String]) -> Option<Automaton> {
        let to: Option<Vec<u32>> =
            self.atoms.iter().map(|name| u32::try_from(atoms.iter().position(|a| a == name)?).ok()).collect();
        let to = to?;
        let mut old = self.guards.clone();
        let mut renamed = Automaton { atoms: atoms.to_vec(), guards: Guards::default(), ..self.clone() };
        for t in renamed.states.iter_mut().flatten() {
            let mut sum = Guard::FALSE;
            for cube in old.implicants(t.guard) {
                let cube: Vec<(u32, bool)> = cube.into_iter().map(|(v, is)| (to[v as usize], is)).collect();
                let product = renamed.guards.cube(&cube);
                sum = renamed.guards.or(sum, product);
            }
            t.guard = sum;
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

    /// How many transitions there are.
    #[must_use]
    pub fn transitions(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }

    /// Is acceptance a matter of states: one mark, or none, that all transitions out of a state share?
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.marks <= 1 && self.states.iter().all(|out| out.windows(2).all(|t| t[0].marks == t[1].marks))
    }

    /// Is this a state whose transitions have all marks? Of a plain automaton, these are the accepting ones.
    #[must_use]
    pub fn is_accepting(&self, state: StateId) -> bool {
        self.marks == 0 || self.out(state).first().is_some_and(|t| t.marks == Marks::all(self.marks))
    }

    /// Does a transition lead back to the initial state?
    #[must_use]
    pub fn returns(&self) -> bool {
        self.states.iter().flatten().any(|t| t.target == self.initial)
    }

    /// The same language, where the automaton is in its initial state before the first letter only.
    #[must_use]
    pub fn never_returning(mut self) -> Automaton {
        if self.returns() {
            let first = self.out(self.initial).to_vec();
            self.initial = StateId::new(self.states.len());
            self.states.push(first);
        }
        self
    }

    /// Does no state have two transitions for one letter?
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

    /// Does every state have a transition for every letter?
    pub fn is_complete(&mut self) -> bool {
        let guards = &mut self.guards;
        self.states
            .iter()
            .all(|out| out.iter().fold(Guard::FALSE, |all, t| guards.or(all, t.guard)) == Guard::TRUE)
    }

    /// Joins transitions with the same target and marks, and sorts them.
    pub(crate) fn join_transitions(&mut self) {
        for out in &mut self.states {
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

    /// Only the states that are kept, those that can be reached from the initial one first, in breadth-first order.
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
