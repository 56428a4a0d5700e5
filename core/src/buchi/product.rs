//! Automata together: words that both accept, and a word that one accepts.

use std::collections::{HashMap, VecDeque};

use crate::buchi::automaton::{Automaton, Marks, StateId, Transition};
use crate::buchi::guard::{Guard, Guards};
use crate::ltl::{Letter, Word};

impl Guards {
    /// A function that other guards made, here.
    fn copy(&mut self, from: &Guards, f: Guard, known: &mut HashMap<Guard, Guard>) -> Guard {
        if let Some(copied) = known.get(&f) {
            return *copied;
        }
        let copied = match from.parts(f) {
            None => f,
            Some((variable, low, high)) => {
                let (low, high) = (self.copy(from, low, known), self.copy(from, high, known));
                let v = self.variable(variable);
                self.choose(v, high, low)
            }
        };
        known.insert(f, copied);
        copied
    }
}

impl Automaton {
    /// An automaton for the words that both accept, which have the same atoms; its marks are those of both. `None` if it
    /// would have more states than this, or more than 64 marks.
    #[must_use]
    pub fn intersection(&self, other: &Automaton, most: usize) -> Option<Automaton> {
        if self.marks + other.marks > 64 {
            return None;
        }
        let mut guards = self.guards.clone();
        let mut copied = HashMap::new();
        let theirs: Vec<Vec<Guard>> = other
            .states
            .iter()
            .map(|out| out.iter().map(|t| guards.copy(&other.guards, t.guard, &mut copied)).collect())
            .collect();
        let start = (self.initial, other.initial);
        let mut number = HashMap::from([(start, StateId(0))]);
        let mut pairs = vec![start];
        let mut states: Vec<Vec<Transition>> = Vec::new();
        while states.len() < pairs.len() {
            let (a, b) = pairs[states.len()];
            let mut out = Vec::new();
            for s in self.out(a) {
                for (t, theirs) in other.out(b).iter().zip(&theirs[b.index()]) {
                    let guard = guards.and(s.guard, *theirs);
                    if guard == Guard::FALSE {
                        continue;
                    }
                    let pair = (s.target, t.target);
                    let target = *number.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        StateId::new(pairs.len() - 1)
                    });
                    out.push(Transition { guard, marks: Marks(s.marks.0 | t.marks.0 << self.marks), target });
                }
            }
            states.push(out);
            if pairs.len() > most {
                return None;
            }
        }
        let (atoms, marks) = (self.atoms.clone(), self.marks + other.marks);
        Some(Automaton { atoms, guards, marks, initial: StateId(0), states })
    }

    /// The words that a deterministic automaton, in each component of which all cycles are accepting or none, does not accept.
    pub(crate) fn weak_complement(mut self) -> Automaton {
        let sink = StateId::new(self.states.len());
        for out in &mut self.states {
            let marks =
                if out.first().is_some_and(|t| t.marks == Marks::all(1)) { Marks(0) } else { Marks::all(1) };
            let taken = out.iter().fold(Guard::FALSE, |all, t| self.guards.or(all, t.guard));
            let guard = self.guards.not(taken);
            out.iter_mut().for_each(|t| t.marks = marks);
            if guard != Guard::FALSE {
                out.push(Transition { guard, marks, target: sink });
            }
        }
        self.states.push(vec![Transition { guard: Guard::TRUE, marks: Marks::all(1), target: sink }]);
        self.marks = 1;
        self
    }

    /// A word that is accepted, if there is one: a shortest way into an accepting component, then around.
    #[must_use]
    pub fn some_word(&self) -> Option<Word> {
        let structure = self.structure();
        let (stem, entry) = self.shortest(self.initial, &|_| true, &|q| structure.is_accepting(q), false)?;
        let inside = |q: StateId| structure.component(q) == structure.component(entry);
        let mut cycle: Vec<Letter> = Vec::new();
        let (mut at, mut seen) = (entry, Marks::default());
        // One mark after the other, then back.
        while let Some(mark) = (0..self.marks).find(|m| !seen.has(*m)) {
            let carries =
                |q: StateId| self.out(q).iter().find(|t| t.marks.has(mark) && inside(t.target)).copied();
            let (way, end) = self.shortest(at, &inside, &|q| carries(q).is_some(), false)?;
            let t = carries(end)?;
            cycle.extend(way);
            cycle.push(self.letter(t.guard));
            (at, seen) = (t.target, seen.union(t.marks));
        }
        if at != entry || cycle.is_empty() {
            cycle.extend(self.shortest(at, &inside, &|q| q == entry, true)?.0);
        }
        Some(Word { stem, cycle })
    }

    fn letter(&self, guard: Guard) -> Letter {
        let mut letter = vec![false; self.atoms.len()];
        for (v, positive) in self.guards.witness(guard).expect("it can be taken") {
            letter[v as usize] = positive;
        }
        letter
    }

    /// The letters of a shortest way over states that are `allowed` to one that is `wanted`, with at least one step if it
    /// must `move`; and where it ends.
    fn shortest(
        &self,
        start: StateId,
        allowed: &dyn Fn(StateId) -> bool,
        wanted: &dyn Fn(StateId) -> bool,
        moves: bool,
    ) -> Option<(Vec<Letter>, StateId)> {
        if !moves && wanted(start) {
            return Some((Vec::new(), start));
        }
        let mut from: HashMap<StateId, (StateId, Guard)> = HashMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(q) = queue.pop_front() {
            for t in self.out(q).iter().filter(|t| allowed(t.target)) {
                if from.contains_key(&t.target) || t.target == start && !wanted(start) {
                    continue;
                }
                from.insert(t.target, (q, t.guard));
                if !wanted(t.target) {
                    queue.push_back(t.target);
                    continue;
                }
                let mut letters = Vec::new();
                let mut at = t.target;
                loop {
                    let (before, guard) = from[&at];
                    letters.push(self.letter(guard));
                    at = before;
                    if at == start {
                        break;
                    }
                }
                letters.reverse();
                return Some((letters, t.target));
            }
        }
        None
    }
}
