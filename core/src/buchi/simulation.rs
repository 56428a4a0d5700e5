//! Reduction by simulation (Etessami and Holzmann 2000; Somenzi and Bloem 2000): a state that simulates another accepts
//! all words that the other accepts.

use crate::buchi::automaton::{Automaton, StateId, Transition};
use crate::buchi::guard::Guard;

/// The limit on states of automata to be reduced.
const STATES: usize = 400;

/// `related[q][p]`: `p` simulates `q`.
type Relation = Vec<Vec<bool>>;

impl Automaton {
    /// Reduces the automaton until a fixed point: merges states that simulate each other, removes transitions that are
    /// simulated by another one of the same state, and removes useless states. Acceptance by states is preserved.
    #[must_use]
    pub fn reduced(self) -> Automaton {
        let plain = self.is_plain();
        let mut best = self.cleaned();
        if best.states.len() > STATES {
            return best;
        }
        loop {
            let before = (best.states.len(), best.transitions());
            let forward = best.simulation();
            best.merge(&forward);
            best.leave_out_answered(&forward);
            best = best.cleaned();
            let backward = best.backward(plain);
            best.merge(&backward);
            best = best.cleaned();
            if (best.states.len(), best.transitions()) >= before {
                return best;
            }
        }
    }

    /// The largest direct simulation.
    fn simulation(&mut self) -> Relation {
        let n = self.states.len();
        let mut related = vec![vec![true; n]; n];
        let states = self.states.clone();
        loop {
            let mut changed = false;
            for q in 0..n {
                for p in 0..n {
                    if q != p && related[q][p] && !self.answers(&states[q], &states[p], &related) {
                        related[q][p] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return related;
            }
        }
    }

    /// Is each of these transitions simulated by those, letter by letter?
    fn answers(&mut self, ours: &[Transition], others: &[Transition], related: &Relation) -> bool {
        ours.iter().all(|t| {
            let mut left = t.guard;
            for o in others {
                if o.marks.includes(t.marks) && related[t.target.index()][o.target.index()] {
                    left = self.guards.minus(left, o.guard);
                }
                if left == Guard::FALSE {
                    return true;
                }
            }
            left == Guard::FALSE
        })
    }

    /// The largest backward simulation, over incoming transitions.
    fn backward(&mut self, plain: bool) -> Relation {
        let n = self.states.len();
        let mut into: Vec<Vec<Transition>> = vec![Vec::new(); n];
        for q in self.ids() {
            for t in &self.states[q.index()] {
                into[t.target.index()].push(Transition { target: q, ..*t });
            }
        }
        let accepting: Vec<bool> = self.ids().map(|q| self.marks > 0 && self.is_accepting(q)).collect();
        let initial = self.initial.index();
        let possible =
            |q: usize, p: usize| (q != initial || p == initial) && (!plain || !accepting[q] || accepting[p]);
        let mut related: Relation = (0..n).map(|q| (0..n).map(|p| possible(q, p)).collect()).collect();
        loop {
            let mut changed = false;
            for q in 0..n {
                for p in 0..n {
                    if q != p && related[q][p] && !self.answers(&into[q], &into[p], &related) {
                        related[q][p] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return related;
            }
        }
    }

    /// Merges states that simulate each other.
    fn merge(&mut self, related: &Relation) {
        let first = |q: usize| (0..q).find(|p| related[q][*p] && related[*p][q]).unwrap_or(q);
        let to: Vec<StateId> = (0..self.states.len()).map(|q| StateId::new(first(q))).collect();
        let old = std::mem::take(&mut self.states);
        self.states = vec![Vec::new(); old.len()];
        for (q, out) in old.into_iter().enumerate() {
            let moved = out.into_iter().map(|t| Transition { target: to[t.target.index()], ..t });
            self.states[to[q].index()].extend(moved);
        }
        self.initial = to[self.initial.index()];
        self.join_transitions();
    }

    /// Removes from the guard of a transition the letters for which another transition of the same state simulates it.
    fn leave_out_answered(&mut self, related: &Relation) {
        for q in 0..self.states.len() {
            let mut out = self.states[q].clone();
            for i in 0..out.len() {
                for j in 0..out.len() {
                    let (t, by) = (out[i], out[j]);
                    let as_good = by.marks.includes(t.marks) && related[t.target.index()][by.target.index()];
                    let same = t.marks.includes(by.marks) && related[by.target.index()][t.target.index()];
                    if i != j && as_good && (!same || j < i) {
                        out[i].guard = self.guards.minus(t.guard, by.guard);
                    }
                }
            }
            out.retain(|t| t.guard != Guard::FALSE);
            self.states[q] = out;
        }
    }
}
