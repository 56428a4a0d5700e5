//! Products of automata, and words that they accept.

use std::collections::HashMap;

use crate::buchi::automaton::{Automaton, Marks, StateId, Transition};
use crate::buchi::emptiness::{Explored, Vertex, shortest};
use crate::buchi::guard::Guard;
use crate::ltl::{Letter, Word};

impl Automaton {
    /// The intersection of two automata over the same atoms, with the marks of both. `None` if it would exceed the
    /// limit on states, or 64 marks.
    #[must_use]
    pub fn intersection(&self, other: &Automaton, most: usize) -> Option<Automaton> {
        if self.marks + other.marks > 64 {
            return None;
        }
        let same: Vec<u32> = (0..u32::try_from(other.atoms.len()).ok()?).collect();
        let mut guards = self.guards.clone();
        let mut copied = HashMap::new();
        let theirs: Vec<Vec<Guard>> = other
            .states
            .iter()
            .map(|out| out.iter().map(|t| guards.copy(&other.guards, t.guard, &same, &mut copied)).collect())
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

    /// The complement of a deterministic weak automaton.
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

    /// An accepted word, if there is one: a shortest path to an accepting component, then a cycle.
    #[must_use]
    pub fn some_word(&self) -> Option<Word> {
        let structure = self.structure();
        let graph = Explored::of(
            self.states.iter().map(|out| out.iter().map(|t| t.target.index()).collect()).collect(),
        );
        let letters = |way: Vec<(Vertex, usize)>| -> Vec<Letter> {
            way.into_iter().map(|(v, i)| self.letter(self.states[v][i].guard)).collect()
        };
        let accepting = |v: Vertex| structure.is_accepting(StateId::new(v));
        let (stem, entry) = shortest(&graph, self.initial.index(), &|_, _| true, &accepting, false)?;
        let component = |v: Vertex| structure.components.of[v];
        let inside = |v: Vertex, i: usize| component(self.states[v][i].target.index()) == component(entry);
        let mut cycle = Vec::new();
        let (mut at, mut seen) = (entry, Marks::default());
        // One mark after the other, then back.
        while let Some(mark) = (0..self.marks).find(|m| !seen.has(*m)) {
            let carries = |v: Vertex| {
                (0..self.states[v].len()).find(|i| self.states[v][*i].marks.has(mark) && inside(v, *i))
            };
            let (way, end) = shortest(&graph, at, &inside, &|v| carries(v).is_some(), false)?;
            let edge = carries(end)?;
            let t = self.states[end][edge];
            cycle.extend(way);
            cycle.push((end, edge));
            (at, seen) = (t.target.index(), seen.union(t.marks));
        }
        if at != entry || cycle.is_empty() {
            cycle.extend(shortest(&graph, at, &inside, &|v| v == entry, true)?.0);
        }
        Some(Word { stem: letters(stem), cycle: letters(cycle) })
    }

    /// A letter that satisfies a guard.
    pub(super) fn letter(&self, guard: Guard) -> Letter {
        let mut letter = vec![false; self.atoms.len()];
        for (v, positive) in self.guards.witness(guard).expect("it can be taken") {
            letter[v as usize] = positive;
        }
        letter
    }
}
