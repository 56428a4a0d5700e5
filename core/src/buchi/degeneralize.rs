//! Degeneralization: from several marks on transitions to accepting states (Babiak, Badie, Duret-Lutz, Křetínský and
//! Strejček, "Compositional Approach to Suspension and Other Improvements to LTL Translation", 2013, section 4, for the
//! choice of levels).
//!
//! A copy of a state at level `l` has passed the first `l` marks in a fixed order. At the last level all marks have
//! been passed; this copy is accepting, and counting restarts.

use std::collections::HashMap;

use crate::buchi::automaton::{Automaton, Marks, StateId, Transition};
use crate::buchi::scc::Structure;

impl Automaton {
    /// An equivalent automaton with accepting states, with the order of marks that gives the fewest states.
    #[must_use]
    pub fn degeneralized(self) -> Automaton {
        let automaton = self.cleaned();
        if automaton.is_plain() && automaton.marks == 1 {
            return automaton;
        }
        let all = orders(automaton.marks).into_iter().map(|order| automaton.counting(&order));
        all.min_by_key(|a| a.states.len()).expect("there is an order")
    }

    /// An equivalent automaton with accepting states, for this order of marks.
    fn counting(&self, order: &[u32]) -> Automaton {
        let mut automaton = self.clone();
        for t in automaton.states.iter_mut().flatten() {
            t.marks = Marks(order.iter().zip(0..).map(|(m, i)| u64::from(t.marks.has(*m)) << i).sum());
        }
        let structure = automaton.structure();
        let mut building = Building { levels: HashMap::new(), copies: Vec::new(), first: HashMap::new() };
        let start = building.enter(&automaton, &structure, automaton.initial);
        let start = building.copy(automaton.initial, start);
        let mut states = Vec::new();
        while states.len() < building.copies.len() {
            let (state, level) = building.copies[states.len()];
            let accepting = level == automaton.marks && structure.is_accepting(state);
            let marks = if accepting { Marks::all(1) } else { Marks::default() };
            let mut out = Vec::new();
            for t in automaton.out(state) {
                let inside = structure.component(state) == structure.component(t.target)
                    && structure.is_accepting(state);
                let level = if inside {
                    after(level, t.marks, automaton.marks)
                } else {
                    building.enter(&automaton, &structure, t.target)
                };
                out.push(Transition { marks, target: building.copy(t.target, level), ..*t });
            }
            states.push(out);
        }
        let mut plain = Automaton { marks: 1, initial: start, states, ..automaton };
        plain.join_transitions();
        plain
    }
}

/// All orders of up to four marks; for more marks, the rotations of one order.
fn orders(marks: u32) -> Vec<Vec<u32>> {
    if marks > 4 {
        return (0..marks).map(|first| (0..marks).map(|i| (first + i) % marks).collect()).collect();
    }
    (0..marks).fold(vec![Vec::new()], |all, mark| {
        let insert = |order: &Vec<u32>| -> Vec<Vec<u32>> {
            (0..=order.len()).map(|at| [&order[..at], &[mark], &order[at..]].concat()).collect()
        };
        all.iter().flat_map(insert).collect()
    })
}

/// The level after a transition.
fn after(level: u32, marks: Marks, count: u32) -> u32 {
    let mut level = if level == count { 0 } else { level };
    while level < count && marks.has(level) {
        level += 1;
    }
    level
}

struct Building {
    levels: HashMap<(StateId, u32), StateId>,
    copies: Vec<(StateId, u32)>,
    /// The first copy of a state.
    first: HashMap<StateId, u32>,
}

impl Building {
    fn copy(&mut self, state: StateId, level: u32) -> StateId {
        let next = StateId::new(self.copies.len());
        let id = *self.levels.entry((state, level)).or_insert(next);
        if id == next {
            self.copies.push((state, level));
            self.first.entry(state).or_insert(level);
        }
        id
    }

    /// The level at which a component is entered. Every level is correct; preferred are levels of existing copies, then
    /// those that transitions inside lead to.
    fn enter(&self, automaton: &Automaton, structure: &Structure, state: StateId) -> u32 {
        if !structure.is_accepting(state) {
            return 0;
        }
        if let Some(level) = self.first.get(&state) {
            return *level;
        }
        let inside = |q: StateId| structure.component(q) == structure.component(state);
        let into = automaton.ids().filter(|q| inside(*q)).flat_map(|q| automaton.out(q));
        let common = into.filter(|t| t.target == state).map(|t| t.marks.0).reduce(|a, b| a & b);
        common.map_or(0, |common| after(0, Marks(common), automaton.marks))
    }
}
