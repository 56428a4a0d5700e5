//! Copies of a transition system's formulas for the steps of a run (Biere, Cimatti, Clarke and Zhu, "Symbolic Model
//! Checking without BDDs", 1999).

use std::collections::HashMap;

use solver_lite::Model;
use solver_lite::term::{Term, Terms};

use super::{Symbolic, Way};
use crate::system::EdgeId;

/// The values of states along a run, as terms: those of state `i` are called `x⟨i⟩`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unrolling {
    /// The terms for the current values of each state.
    states: Vec<Vec<Term>>,
    /// For each term of a current or next value: its position, and the offset of its state, 0 or 1.
    places: HashMap<Term, (usize, usize)>,
    /// Copies made so far, by state.
    known: HashMap<(Term, usize), Term>,
}

impl Unrolling {
    /// The values of a state.
    pub(crate) fn state(&mut self, symbolic: &mut Symbolic, i: usize) -> Vec<Term> {
        while self.states.len() <= i {
            let step = self.states.len();
            let current = symbolic.current.clone();
            let own = current.into_iter().map(|t| indexed(symbolic.terms(), t, step)).collect();
            self.states.push(own);
        }
        self.states[i].clone()
    }

    /// A formula about state `i`, the state after it, and auxiliary variables of its own.
    pub(crate) fn at(&mut self, symbolic: &mut Symbolic, t: Term, i: usize) -> Term {
        if let Some(known) = self.known.get(&(t, i)) {
            return *known;
        }
        if self.places.is_empty() {
            for (later, state) in [&symbolic.current, &symbolic.next].into_iter().enumerate() {
                self.places.extend(state.iter().enumerate().map(|(place, x)| (*x, (place, later))));
            }
        }
        let states = [self.state(symbolic, i), self.state(symbolic, i + 1)];
        let copied = symbolic.terms().substitute(t, |terms, x| {
            let value = self.places.get(&x).map(|(place, later)| states[*later][*place]);
            value.or_else(|| Some(indexed(terms, x, i)))
        });
        self.known.insert((t, i), copied);
        copied
    }

    /// A formula over one of these states as one over the current values.
    pub(crate) fn over_current(&mut self, symbolic: &mut Symbolic, t: Term, i: usize) -> Term {
        let state = self.state(symbolic, i);
        let map: HashMap<Term, Term> = state.into_iter().zip(symbolic.current.iter().copied()).collect();
        symbolic.terms().substitute(t, |_, x| map.get(&x).copied())
    }

    /// The edge that a model takes at state `i`.
    pub(crate) fn taken(
        &mut self,
        symbolic: &mut Symbolic,
        ways: &[Way],
        i: usize,
        model: &Model,
    ) -> Option<EdgeId> {
        let found = ways.iter().find(|w| {
            let taken = self.at(symbolic, w.taken, i);
            model.eval(&symbolic.encoding.terms, taken).bool()
        });
        found.map(|w| w.edge)
    }
}

/// `x⟨i⟩`
fn indexed(terms: &mut Terms, t: Term, i: usize) -> Term {
    let name = format!("{}⟨{i}⟩", terms.name(t).unwrap_or("?"));
    let sort = terms.sort(t);
    terms.var(&name, sort)
}
