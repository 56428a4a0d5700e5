//! The precision: the predicates and variables that are tracked, globally or per location (Hajdu and Micskei 2020,
//! section 2.2).

use std::collections::HashMap;

use solver_lite::term::Term;

use crate::kit::PredicateId;
use crate::system::{LocationId, VarId};

/// A tracked predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// A term over current values that is not a negation.
    pub term: Term,
    /// The variables in it, ascending.
    pub vars: Vec<VarId>,
}

/// The precision of a location, or the global one. It only grows.
#[derive(Clone, Debug, Default)]
pub struct Tracked {
    /// Oldest first.
    pub predicates: Vec<PredicateId>,
    /// Oldest first.
    pub variables: Vec<VarId>,
}

/// The size of the precision at some moment: lengths of the lists of [`Tracked`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    /// Predicates.
    pub predicates: usize,
    /// Variables.
    pub variables: usize,
}

/// The scope of an element of the precision: `None` is global.
pub(crate) type Place = Option<LocationId>;

/// All predicates ever found, and the precision of each location.
#[derive(Clone, Debug, Default)]
pub struct Precision {
    predicates: Vec<Predicate>,
    known: HashMap<Term, PredicateId>,
    local: bool,
    /// One if the precision is global, otherwise one for each location.
    tracked: Vec<Tracked>,
}

impl Precision {
    /// The empty precision. A local precision has a list for each location.
    pub(crate) fn new(places: Option<usize>) -> Precision {
        let tracked = vec![Tracked::default(); places.unwrap_or(1)];
        Precision { local: places.is_some(), tracked, ..Precision::default() }
    }

    /// A predicate.
    #[must_use]
    pub fn get(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.index()]
    }

    /// The precision of a location.
    #[must_use]
    pub fn at(&self, location: LocationId) -> &Tracked {
        &self.tracked[if self.local { location.index() } else { 0 }]
    }

    /// The size of the precision at a location.
    #[must_use]
    pub fn extent(&self, location: LocationId) -> Extent {
        let Tracked { predicates, variables } = self.at(location);
        Extent { predicates: predicates.len(), variables: variables.len() }
    }

    /// All predicates, oldest first.
    pub fn ids(&self) -> impl Iterator<Item = PredicateId> + use<> {
        (0..self.predicates.len()).map(PredicateId::new)
    }

    /// The scope of something found for `location`.
    pub(crate) fn place(&self, location: LocationId) -> Place {
        self.local.then_some(location)
    }

    fn at_mut(&mut self, place: Place) -> &mut Tracked {
        &mut self.tracked[place.map_or(0, LocationId::index)]
    }

    /// The id of a predicate.
    pub(crate) fn intern(&mut self, predicate: Predicate) -> PredicateId {
        let next = PredicateId::new(self.predicates.len());
        let id = *self.known.entry(predicate.term).or_insert(next);
        if id == next {
            self.predicates.push(predicate);
        }
        id
    }

    /// Is a variable tracked?
    pub(crate) fn tracks(&self, v: VarId, place: Place) -> bool {
        self.tracked[place.map_or(0, LocationId::index)].variables.contains(&v)
    }

    /// Tracks a predicate; gives whether it is new there.
    pub(crate) fn track(&mut self, id: PredicateId, place: Place) -> bool {
        let list = &mut self.at_mut(place).predicates;
        let new = !list.contains(&id);
        if new {
            list.push(id);
        }
        new
    }

    /// Tracks a variable; gives whether it is new there.
    pub(crate) fn track_variable(&mut self, v: VarId, place: Place) -> bool {
        let list = &mut self.at_mut(place).variables;
        let new = !list.contains(&v);
        if new {
            list.push(v);
        }
        new
    }
}
