//! Acceptance of an ultimately periodic word by an automaton.

use crate::buchi::automaton::{Automaton, Marks, StateId};
use crate::buchi::scc::components;
use crate::ltl::Word;

impl Automaton {
    /// Is there an accepting run on the word? An atom that a letter does not mention is false.
    #[must_use]
    pub fn accepts(&self, word: &Word) -> bool {
        self.accepts_from(self.initial, word)
    }

    /// The same for runs from another state.
    #[must_use]
    pub fn accepts_from(&self, start: StateId, word: &Word) -> bool {
        let (n, length) = (self.states.len(), word.len());
        // Vertex `state + position · n`.
        let steps = |vertex: usize| {
            let (state, at) = (vertex % n, vertex / n);
            let letter = word.letter(at);
            let holds = |v: u32| letter.get(v as usize) == Some(&true);
            let next = word.next(at);
            let taken = self.states[state].iter().filter(move |t| self.guards.eval(t.guard, &holds));
            taken.map(move |t| (t.target.index() + next * n, t.marks)).collect::<Vec<_>>()
        };
        let successors = |v: usize| steps(v).into_iter().map(|(w, _)| w).collect();
        let start = start.index();
        let found = components(n * length, std::iter::once(start), &successors);
        let mut marks: Vec<Option<Marks>> = vec![None; found.count];
        for (v, c) in found.of.iter().enumerate().filter_map(|(v, c)| Some((v, (*c)?))) {
            for (_, m) in steps(v).into_iter().filter(|(w, _)| found.of[*w] == Some(c)) {
                marks[c] = Some(marks[c].unwrap_or_default().union(m));
            }
        }
        marks.contains(&Some(Marks::all(self.marks)))
    }
}
