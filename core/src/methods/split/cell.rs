//! Cells: abstract states that partition the concrete ones (section 4.1). A cell has values for the visible variables,
//! and within each combination of values there is a tree of splits, whose leaves are the current cells. Leaves are
//! created when a model is mapped to them.

use std::collections::BTreeMap;

use solver_lite::term::{Term, Terms, Value};

use crate::encoding::equal;
use crate::kit::CellId;

/// The values of visible terms, by position.
pub(super) type Values = Vec<(usize, Value)>;

/// A formula about a state, and the same about the state after a step.
pub(super) type Both = [Term; 2];

/// A set of concrete states.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Its number in events: among all cells that were ever leaves, in order of creation.
    pub(super) shown: CellId,
    /// A formula that holds in its states.
    pub(super) label: Both,
    /// The predicate that splits it, and its parts where the predicate is true and false.
    split: Option<Both>,
    parts: [Option<CellId>; 2],
    /// The number of initial predicates that split it and its ancestors.
    given: usize,
}

/// All cells ever.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    all: Vec<Cell>,
    /// The number of cells that were leaves.
    leaves: usize,
    roots: BTreeMap<Values, CellId>,
    /// Initial predicates, which split every cell.
    given: Vec<Both>,
}

impl Cells {
    pub(super) fn new(given: Vec<Both>) -> Cells {
        Cells { all: Vec::new(), leaves: 0, roots: BTreeMap::new(), given }
    }

    /// Removes all cells.
    pub(super) fn clear(&mut self) {
        *self = Cells { leaves: self.leaves, ..Cells::new(Vec::new()) };
    }

    pub(super) fn get(&self, cell: CellId) -> &Cell {
        &self.all[cell.index()]
    }

    pub(super) fn split(&mut self, cell: CellId, predicate: Both) {
        self.all[cell.index()].split = Some(predicate);
    }

    /// The cell of a state: `states` are the terms of a state and of the state after a step.
    pub(super) fn of(
        &mut self,
        states: [&[Term]; 2],
        values: Values,
        truth: &mut dyn FnMut(&Terms, Both) -> bool,
        terms: &mut Terms,
    ) -> CellId {
        let mut at = match self.roots.get(&values) {
            Some(root) => *root,
            None => {
                let label = states.map(|state| {
                    let parts: Vec<Term> = values.iter().map(|(i, v)| equal(terms, state[*i], v)).collect();
                    terms.and(parts)
                });
                let root = self.add(label, 0);
                self.roots.insert(values, root);
                root
            }
        };
        while let Some(predicate) = self.get(at).split {
            let holds = truth(terms, predicate);
            let part = usize::from(!holds);
            at = match self.get(at).parts[part] {
                Some(cell) => cell,
                None => {
                    let above = self.get(at).label;
                    let label = [0, 1].map(|i| {
                        let literal = if holds { predicate[i] } else { terms.not(predicate[i]) };
                        terms.and([above[i], literal])
                    });
                    let cell = self.add(label, self.get(at).given + 1);
                    self.all[at.index()].parts[part] = Some(cell);
                    cell
                }
            };
        }
        at
    }

    fn add(&mut self, label: Both, given: usize) -> CellId {
        let split = self.given.get(given).copied();
        let shown = CellId::new(self.leaves);
        self.leaves += usize::from(split.is_none());
        self.all.push(Cell { shown, label, split, parts: [None, None], given });
        CellId::new(self.all.len() - 1)
    }
}
