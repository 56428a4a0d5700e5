//! The precision: the predicates that are tracked, the same at every location (Hajdu and Micskei 2020, section 2.2).

use std::collections::HashMap;

use solver_lite::term::Term;

use crate::kit::PredicateId;
use crate::system::VarId;

/// A tracked predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// A term over current values that is not a negation.
    pub term: Term,
    /// The variables in it, ascending.
    pub vars: Vec<VarId>,
}

/// The tracked predicates, oldest first. It only grows.
#[derive(Clone, Debug, Default)]
pub struct Precision {
    predicates: Vec<Predicate>,
    known: HashMap<Term, PredicateId>,
}

impl Precision {
    /// A predicate.
    #[must_use]
    pub fn get(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.index()]
    }

    /// The number of predicates.
    #[must_use]
    pub fn size(&self) -> usize {
        self.predicates.len()
    }

    /// All predicates, oldest first.
    pub fn ids(&self) -> impl Iterator<Item = PredicateId> + use<> {
        (0..self.predicates.len()).map(PredicateId::new)
    }

    /// The id of a predicate and whether it is new.
    pub(super) fn track(&mut self, predicate: Predicate) -> (PredicateId, bool) {
        if let Some(&known) = self.known.get(&predicate.term) {
            return (known, false);
        }
        let id = PredicateId::new(self.predicates.len());
        self.known.insert(predicate.term, id);
        self.predicates.push(predicate);
        (id, true)
    }
}
