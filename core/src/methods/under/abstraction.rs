//! The abstraction function: the predicates, and the abstract state of a concrete one (section 3.3).

use std::collections::{BTreeMap, HashMap};

use solver_lite::term::{Term, Value};

use super::command::{Command, Model};
use crate::kit::PredicateId;
use crate::system::{LocationId, State, VarId};

/// The states in which a predicate is evaluated: those at a location with certain values of program counters
/// (section 7.2); all states if it is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Scope {
    pub(super) location: Option<LocationId>,
    control: BTreeMap<VarId, Value>,
}

impl Scope {
    /// The scope of a command from a location: the program counters that its guard compares with a value.
    pub(super) fn of(model: &Model, location: LocationId, command: &Command) -> Scope {
        let mut control = BTreeMap::new();
        for part in model.conjuncts(command.guard) {
            control.extend(model.given(part).filter(|(v, _)| model.control.contains(v)));
        }
        Scope { location: Some(location), control }
    }

    fn contains(&self, location: LocationId, state: &State) -> bool {
        self.location.is_none_or(|l| l == location)
            && self.control.iter().all(|(v, x)| state[v.index()] == *x)
    }
}

/// A predicate.
#[derive(Clone, Debug)]
pub(super) struct Predicate {
    /// An atom over current values.
    pub(super) term: Term,
    vars: Vec<VarId>,
    scopes: Vec<Scope>,
}

/// The predicates, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Abstraction {
    predicates: Vec<Predicate>,
    known: HashMap<Term, PredicateId>,
}

/// An abstract state: the location, the program counters, and the truth of each predicate that is evaluated there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct AbstractState {
    pub(super) location: LocationId,
    pub(super) control: Vec<(VarId, Value)>,
    pub(super) truths: Vec<Option<bool>>,
}

impl Abstraction {
    /// Adds a predicate with a scope; gives its number if one of them is new.
    pub(super) fn add(&mut self, model: &Model, term: Term, scope: Scope) -> Option<PredicateId> {
        let id = *self.known.entry(term).or_insert_with(|| PredicateId::new(self.predicates.len()));
        if id.index() == self.predicates.len() {
            let vars = model.variables(term);
            self.predicates.push(Predicate { term, vars, scopes: vec![scope] });
            return Some(id);
        }
        let scopes = &mut self.predicates[id.index()].scopes;
        if scopes.contains(&scope) || scopes.contains(&Scope::default()) {
            return None;
        }
        scopes.push(scope);
        Some(id)
    }

    /// Is a term a predicate?
    pub(super) fn knows(&self, term: Term) -> bool {
        self.known.contains_key(&term)
    }

    /// The number of predicates.
    pub(super) fn len(&self) -> usize {
        self.predicates.len()
    }

    pub(super) fn get(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.index()]
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (PredicateId, &Predicate)> {
        self.predicates.iter().enumerate().map(|(i, p)| (PredicateId::new(i), p))
    }

    /// The abstract state of a concrete one, α(s).
    pub(super) fn of(&self, model: &Model, location: LocationId, state: &State) -> AbstractState {
        let live = &model.live[location.index()];
        let evaluated = |p: &Predicate| {
            p.vars.iter().all(|v| live.contains(v)) && p.scopes.iter().any(|s| s.contains(location, state))
        };
        let truth = |p: &Predicate| evaluated(p).then(|| model.holds(p.term, state));
        let control = model.control.iter().filter(|v| live.contains(v));
        AbstractState {
            location,
            control: control.map(|v| (*v, state[v.index()].clone())).collect(),
            truths: self.predicates.iter().map(truth).collect(),
        }
    }

    /// The predicates that are evaluated in an abstract state, with their truth.
    pub(super) fn shown(&self, of: &AbstractState) -> Vec<(PredicateId, bool)> {
        let known = of.truths.iter().enumerate();
        known.filter_map(|(i, truth)| Some((PredicateId::new(i), (*truth)?))).collect()
    }

    /// The literals of an abstract state, over the variables that are no program counters.
    pub(super) fn literals(&self, model: &mut Model, of: &AbstractState, state: &State) -> Vec<Term> {
        let mut all = Vec::new();
        for (p, truth) in self.predicates.iter().zip(&of.truths) {
            let Some(truth) = truth else { continue };
            let literal = if *truth { p.term } else { model.terms.not(p.term) };
            let literal = model.at(literal, state);
            if literal != Term::TRUE {
                all.push(literal);
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}
