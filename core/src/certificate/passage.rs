//! Verification conditions between locations with formulas, over all paths through locations without one.
//!
//! Locations with formulas are the cut points of Floyd, "Assigning Meanings to Programs" (1967); a passage contains all
//! basic paths from one of them to the next.
//!
//! A location on the path has a truth value, *was passed*, and terms for its values. Each edge that enters it is a
//! case: its source was passed, the operation is possible, and the values are those after the operation.

use std::collections::BTreeMap;

use solver_lite::term::{Sort, Term, Terms};

use crate::expr::to_term;
use crate::system::{EdgeId, LocationId, System, VarId};

/// All paths that leave one location.
pub(super) struct Passage<'a> {
    system: &'a System,
    begin: LocationId,
    /// The locations on the paths, in topological order, with their incoming edges.
    between: Vec<(LocationId, Vec<EdgeId>)>,
    /// The ends of the paths, with their last edges.
    ends: BTreeMap<LocationId, Vec<EdgeId>>,
}

/// Values at a location of the paths, and the condition that it is reached.
struct Passed {
    here: Term,
    values: Vec<Term>,
}

impl<'a> Passage<'a> {
    /// The paths from `begin` over at least one location without a formula to the next location with one.
    ///
    /// # Errors
    /// A location without a formula on a cycle of such locations.
    pub(super) fn from(
        system: &'a System,
        begin: LocationId,
        has_formula: &dyn Fn(LocationId) -> bool,
    ) -> Result<Passage<'a>, LocationId> {
        // The number of incoming edges of each location on the paths.
        let mut missing: BTreeMap<LocationId, usize> = BTreeMap::new();
        let enter = |location: LocationId| {
            let edges = system.out_edges(location).iter().map(|e| system.edge(*e).target);
            edges.filter(|l| !has_formula(*l)).collect::<Vec<_>>()
        };
        let mut found = vec![begin];
        let mut at = 0;
        while let Some(&location) = found.get(at) {
            at += 1;
            for target in enter(location) {
                let count = missing.entry(target).or_insert_with(|| {
                    found.push(target);
                    0
                });
                *count += 1;
            }
        }
        let mut passage = Passage { system, begin, between: Vec::new(), ends: BTreeMap::new() };
        let mut into: BTreeMap<LocationId, Vec<EdgeId>> = BTreeMap::new();
        let mut ready = vec![begin];
        while let Some(location) = ready.pop() {
            if location != begin {
                passage.between.push((location, into.remove(&location).unwrap_or_default()));
            }
            for id in system.out_edges(location) {
                let target = system.edge(*id).target;
                if !has_formula(target) {
                    into.entry(target).or_default().push(*id);
                    let count = missing.get_mut(&target).expect("it was found");
                    *count -= 1;
                    if *count == 0 {
                        ready.push(target);
                    }
                } else if location != begin {
                    passage.ends.entry(target).or_default().push(*id);
                }
            }
        }
        let left = missing.into_iter().find(|(_, count)| *count > 0);
        left.map_or(Ok(passage), |(location, _)| Err(location))
    }

    /// For each end: the assertions that it was reached, and the values there; `current` are those at the beginning.
    pub(super) fn ends(
        &self,
        terms: &mut Terms,
        current: &[Term],
    ) -> Vec<(LocationId, Vec<Term>, Vec<Term>)> {
        let begin = Passed { here: Term::TRUE, values: current.to_vec() };
        let mut passed = BTreeMap::from([(self.begin, begin)]);
        let mut said = Vec::new();
        for (location, edges) in &self.between {
            let (cases, values) = self.cases(*location, edges, &passed, terms);
            let here = terms.var(&format!("passed {}", location.0), Sort::Bool);
            let away = terms.not(here);
            said.push(terms.or([away, cases]));
            passed.insert(*location, Passed { here, values });
        }
        let mut ends = Vec::new();
        for (location, edges) in &self.ends {
            let (cases, values) = self.cases(*location, edges, &passed, terms);
            ends.push((*location, said.iter().copied().chain([cases]).collect(), values));
        }
        ends
    }

    /// A location was entered over one of the edges; the values there.
    fn cases(
        &self,
        location: LocationId,
        edges: &[EdgeId],
        passed: &BTreeMap<LocationId, Passed>,
        terms: &mut Terms,
    ) -> (Term, Vec<Term>) {
        let before: Vec<&Passed> = edges.iter().map(|e| &passed[&self.system.edge(*e).source]).collect();
        let written: Vec<Vec<VarId>> = edges.iter().map(|e| self.system.edge(*e).op.written()).collect();
        let value = |v: VarId, terms: &mut Terms| {
            let same = before.iter().all(|p| p.values[v.index()] == before[0].values[v.index()]);
            if same && written.iter().all(|w| !w.contains(&v)) {
                return before[0].values[v.index()];
            }
            let variable = self.system.variable(v);
            terms.var(&format!("{} at {}", variable.name, location.0), variable.ty.sort())
        };
        let values: Vec<Term> = self.system.var_ids().map(|v| value(v, terms)).collect();
        let mut cases = Vec::with_capacity(edges.len());
        for (edge, before) in edges.iter().zip(before) {
            let op = &self.system.edge(*edge).op;
            let relation = self
                .system
                .relation(op, terms, &mut |v| before.values[v.index()], &mut |v| values[v.index()]);
            let mut parts = vec![before.here, relation.formula];
            parts.push(to_term(&self.system.invariant, terms, &mut |v| values[v.index()]));
            for v in self.system.var_ids().filter(|v| relation.written.binary_search(v).is_err()) {
                parts.push(terms.eq(values[v.index()], before.values[v.index()]));
            }
            cases.push(terms.and(parts));
        }
        (terms.or(cases), values)
    }
}
