//! Lifetimes of the variables of a program, and definite assignment.
//!
//! A formula covers the states in which all of its variables exist and have values. Whether a variable has a value is
//! the classical forward analysis of definite assignment: on every path from the start, an edge has assigned it since
//! its lifetime began.

use std::collections::BTreeSet;

use crate::system::{EdgeId, LocationId, System, VarId};

/// An element of a chain of scopes: a variable, and the chain before it.
type Chain = (Option<usize>, VarId);

/// The lifetimes of a program's variables.
#[derive(Clone, Debug, Default)]
pub struct Lifetimes {
    /// Chains of variables in scope.
    chains: Vec<Chain>,
    /// By location: the end of the chain of variables that exist there.
    at: Vec<Option<usize>>,
    /// Edges after which a variable has an arbitrary value that was not assigned, with the variable.
    unset: BTreeSet<(EdgeId, VarId)>,
    /// Variables that exist everywhere.
    always: Vec<VarId>,
    /// External variables: declared here and defined elsewhere.
    pub external: Vec<VarId>,
    /// Variables with arbitrary values from the start: external ones, and the parameters of `main`.
    pub given: BTreeSet<VarId>,
    /// Variables whose names are not unique in the text, so that a property cannot name them.
    pub ambiguous: BTreeSet<VarId>,
}

impl Lifetimes {
    /// From chains of variables and their ends by location, the edges with variables that they write without an
    /// assignment, and the variables that exist everywhere.
    #[must_use]
    pub(crate) fn new(
        (chains, at): (Vec<Chain>, Vec<Option<usize>>),
        unset: BTreeSet<(EdgeId, VarId)>,
        always: Vec<VarId>,
    ) -> Lifetimes {
        Lifetimes { chains, at, unset, always, ..Lifetimes::default() }
    }

    /// Does a variable that an edge writes have no value after it, because it is not assigned?
    #[must_use]
    pub fn gives_no_value(&self, edge: EdgeId, v: VarId) -> bool {
        self.unset.contains(&(edge, v))
    }

    fn exists(&self, location: LocationId, v: VarId) -> bool {
        if self.always.contains(&v) {
            return true;
        }
        let mut end = self.at.get(location.index()).copied().flatten();
        while let Some((before, w)) = end.map(|i| self.chains[i]) {
            if v == w {
                return true;
            }
            end = before;
        }
        false
    }
}

impl System {
    /// By location: do all of these variables exist there and have values? Always true for formalisms without
    /// lifetimes.
    #[must_use]
    pub fn speaks_of(&self, variables: &[VarId]) -> Vec<bool> {
        let mut all = vec![true; self.locations.len()];
        let Some(lifetimes) = &self.lifetimes else { return all };
        for v in variables {
            let exists: Vec<bool> = self.location_ids().map(|l| lifetimes.exists(l, *v)).collect();
            let assigned = self.assigned(lifetimes, *v, &exists);
            all.iter_mut().zip(assigned).for_each(|(all, assigned)| *all &= assigned);
        }
        all
    }

    /// The greatest fixed point: a location is removed if it has an edge from a removed location that does not write
    /// the variable.
    fn assigned(&self, lifetimes: &Lifetimes, v: VarId, exists: &[bool]) -> Vec<bool> {
        let mut assigned = exists.to_vec();
        if lifetimes.given.contains(&v) {
            return assigned;
        }
        assigned[self.initial.index()] = false;
        for (e, _) in lifetimes.unset.iter().filter(|(_, w)| *w == v) {
            assigned[self.edge(*e).target.index()] = false;
        }
        let mut open: Vec<LocationId> = self.location_ids().filter(|l| !assigned[l.index()]).collect();
        while let Some(source) = open.pop() {
            for e in self.out_edges(source) {
                let edge = self.edge(*e);
                let writes = edge.op.written().contains(&v) && !lifetimes.gives_no_value(*e, v);
                if !writes && std::mem::replace(&mut assigned[edge.target.index()], false) {
                    open.push(edge.target);
                }
            }
        }
        assigned
    }
}
