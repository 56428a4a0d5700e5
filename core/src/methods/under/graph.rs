//! The transition systems that figure 1 compares with a search, for any set of predicates: the concrete one, and the
//! abstract ones of may and must transitions (section 3.4).

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use solver_lite::term::{Term, Value};
use solver_lite::{Answer, Solver};

use super::Under;
use super::abstraction::AbstractState;
use super::command::Command;
use super::search::{Stored, after};
use crate::kit::{Label, Notes, PredicateId};
use crate::system::{EdgeId, LocationId, State, VarId};

/// How many abstract states after a command are found.
const CHOICES: usize = 64;

/// A concrete state.
#[derive(Clone, Debug)]
pub(crate) struct Concrete {
    pub(crate) location: LocationId,
    values: Arc<State>,
}

/// An abstract state, with a concrete one that it contains.
#[derive(Clone, Debug)]
pub(crate) struct Abstract {
    of: AbstractState,
    some: Arc<State>,
}

/// A transition between two states, given by their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(crate) from: usize,
    pub(crate) edge: EdgeId,
    pub(crate) to: usize,
    /// Why it is a may transition and no must transition: the part of the weakest precondition that is not implied.
    pub(crate) lost: Option<String>,
}

/// States with transitions between them; the initial states come first.
#[derive(Clone, Debug)]
pub(crate) struct Graph<N> {
    pub(crate) states: Vec<N>,
    pub(crate) initial: usize,
    pub(crate) transitions: Vec<Transition>,
    /// Are these all of them?
    pub(crate) whole: bool,
}

/// The successors of a state, and whether these are all.
type Successors<N> = (Vec<(EdgeId, N, Option<String>)>, bool);

impl<N: Clone> Graph<N> {
    /// Breadth-first search.
    fn search<K: Eq + Hash>(
        first: Vec<N>,
        most: usize,
        key: impl Fn(&N) -> K,
        mut next: impl FnMut(&N) -> Successors<N>,
    ) -> Graph<N> {
        let initial = first.len();
        let mut known: HashMap<K, usize> =
            first.iter().enumerate().map(|(i, state)| (key(state), i)).collect();
        let mut graph = Graph { states: first, initial, transitions: Vec::new(), whole: true };
        let mut from = 0;
        while from < graph.states.len() {
            let (successors, whole) = next(&graph.states[from]);
            graph.whole &= whole;
            for (edge, state, lost) in successors {
                let number = graph.states.len();
                let to = match known.get(&key(&state)) {
                    Some(to) => *to,
                    None if number < most => {
                        known.insert(key(&state), number);
                        graph.states.push(state);
                        number
                    }
                    None => {
                        graph.whole = false;
                        continue;
                    }
                };
                graph.transitions.push(Transition { from, edge, to, lost });
            }
            from += 1;
        }
        graph
    }

    /// The part that can be reached by transitions that satisfy a condition.
    pub(crate) fn restricted(&self, kept: impl Fn(&Transition) -> bool) -> Graph<N> {
        let next = |from: &usize| {
            let here = self.transitions.iter().filter(|t| t.from == *from && kept(t));
            (here.map(|t| (t.edge, t.to, t.lost.clone())).collect(), true)
        };
        let part = Graph::search((0..self.initial).collect(), usize::MAX, |n| *n, next);
        Graph {
            states: part.states.iter().map(|n| self.states[*n].clone()).collect(),
            initial: part.initial,
            transitions: part.transitions,
            whole: self.whole,
        }
    }
}

impl Under {
    /// Has the search reached all initial states of the model that it stores?
    pub(crate) fn has_begun(&self) -> bool {
        self.shown().next().is_some() && !self.search.precedes_states()
    }

    /// The concrete states that are reachable from the initial states of the search, at most so many. Of the inputs of
    /// a command, one is executed for each valuation of the predicates after it.
    pub(crate) fn concrete_graph(&mut self, most: usize) -> Graph<Concrete> {
        let concrete = |s: &Stored| Concrete { location: s.location, values: Arc::clone(&s.values) };
        let first = self.first().map(concrete).collect();
        let (system, commands) = (Arc::clone(&self.system), Arc::clone(&self.commands));
        let live = self.model.live.clone();
        let key = |state: &Concrete| {
            let values = live[state.location.index()].iter().map(|v| state.values[v.index()].clone());
            (state.location, values.collect::<Vec<Value>>())
        };
        Graph::search(first, most, key, |state| {
            let (mut all, mut whole) = (Vec::new(), true);
            for command in &commands[state.location.index()] {
                match self.successors(&system, command, &state.values) {
                    Err(_) => whole = false,
                    Ok(found) => all.extend(found.into_iter().map(|(values, _)| {
                        let next = Concrete { location: command.target, values: Arc::new(values) };
                        (command.edge, next, None)
                    })),
                }
            }
            (all, whole)
        })
    }

    /// The abstract states that are reachable by may transitions, at most so many, with these transitions.
    pub(crate) fn may_graph(&mut self, most: usize) -> Graph<Abstract> {
        let first =
            self.first().map(|s| Abstract { of: s.of.clone(), some: Arc::clone(&s.values) }).collect();
        let commands = Arc::clone(&self.commands);
        Graph::search(
            first,
            most,
            |state| state.of.clone(),
            |state| {
                let (mut all, mut whole) = (Vec::new(), true);
                for command in &commands[state.of.location.index()] {
                    whole &= self.may(state, command, &mut all);
                }
                (all, whole)
            },
        )
    }

    /// The may transitions from an abstract state by a command. Are these all?
    fn may(
        &mut self,
        state: &Abstract,
        command: &Command,
        all: &mut Vec<(EdgeId, Abstract, Option<String>)>,
    ) -> bool {
        let system = Arc::clone(&self.system);
        let literals = self.abstraction.literals(&mut self.model, &state.of, &state.some);
        let mut solver = Solver::new(self.limits);
        let guard = self.model.at(command.guard, &state.some);
        for t in literals.iter().copied().chain([guard]) {
            solver.assert(&mut self.model.terms, t);
        }
        for v in system.var_ids() {
            let domain = system.domain(v, self.model.current[v.index()], &mut self.model.terms);
            solver.assert(&mut self.model.terms, domain);
        }
        for _ in 0..CHOICES {
            let found = match solver.check(&mut self.model.terms, &[]) {
                Answer::Unsat => return true,
                Answer::Unknown(_) => return false,
                Answer::Sat(found) => found,
            };
            let value = |t: &Term| found.eval(&self.model.terms, *t);
            let inputs: Vec<Value> = command.inputs.iter().map(|(_, x)| value(x)).collect();
            let mut from: State = self.model.current.iter().map(value).collect();
            for (v, value) in &state.of.control {
                from[v.index()] = value.clone();
            }
            let Ok(Some(next)) = after(&system, command, &from, &inputs) else { return false };
            let goals = self.goals(command, &next);
            let same = self.model.terms.and(goals);
            let same = self.model.at(same, &state.some);
            let parts = self.precondition(command, &from, (&next, &inputs));
            let lost = self.failed(&literals, &parts, &mut Notes::default());
            let lost = (!lost.is_empty()).then(|| {
                let all = self.model.terms.and(lost);
                self.model.text(all)
            });
            let of = self.abstraction.of(&self.model, command.target, &next);
            all.push((command.edge, Abstract { of, some: Arc::new(next) }, lost));
            let other = self.model.terms.not(same);
            solver.assert(&mut self.model.terms, other);
        }
        false
    }

    /// The location and the values of a concrete state, without variables that do not matter there.
    pub(crate) fn values(&self, state: &Concrete) -> Vec<(VarId, String)> {
        let live = &self.model.live[state.location.index()];
        live.iter().map(|v| (*v, self.system.value_text(*v, &state.values[v.index()]))).collect()
    }

    /// An abstract state with the values of its program counters.
    pub(crate) fn label(&self, state: &Abstract) -> Label {
        let control = state.of.control.iter().map(|(v, x)| (*v, self.system.value_text(*v, x)));
        Label {
            location: state.of.location,
            values: control.collect(),
            literals: self.abstraction.shown(&state.of),
            either: Vec::new(),
        }
    }

    /// A predicate as text.
    pub(crate) fn predicate(&self, id: PredicateId) -> String {
        self.model.text(self.abstraction.get(id).term)
    }
}
