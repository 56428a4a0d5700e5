//! Snapshots of the simplex for observers.

use crate::arith::simplex::{Bound, Column, Simplex};
use crate::arith::snapshot::{ColumnSnapshot, TableauSnapshot};
use crate::arith::tableau::ColumnId;
use crate::cdcl::lit::Lit;
use crate::number::Q;
use crate::term::Term;

/// Larger tableaus are not recorded at every pivot.
const CELLS: usize = 4_000;
/// Further pivots of one check are not recorded.
const PIVOTS: usize = 100;

/// A pivot: the terms that left and entered the basis, and the tableau after it, unless that is too large.
pub(crate) type Pivot = (Term, Term, Option<TableauSnapshot<Lit>>);

impl Simplex {
    /// The current tableau.
    pub(crate) fn snapshot(&self) -> TableauSnapshot<Lit> {
        let bound = |b: &Option<Bound>| b.as_ref().map(|b| (b.value.to_string(), b.reason));
        let column = |c: &Column| ColumnSnapshot {
            term: c.term,
            value: c.value.to_string(),
            lower: bound(&c.lower),
            upper: bound(&c.upper),
            violated: c.violated().is_some(),
        };
        let row = |basic: usize| {
            let row = self.tableau.row_of(basic as ColumnId)?;
            let divisor = -self.tableau.basic_coefficient(row);
            let others = self.tableau.cells(row).iter().filter(|c| c.column as usize != basic);
            let mut sum: Vec<(usize, Q)> =
                others.map(|c| (c.column as usize, &c.coefficient / &divisor)).collect();
            sum.sort_by_key(|(column, _)| *column);
            Some((basic, sum))
        };
        TableauSnapshot {
            columns: self.columns.iter().map(column).collect(),
            rows: (0..self.columns.len()).filter_map(row).collect(),
        }
    }

    /// Records the tableau after a pivot, if an observer is attached.
    pub(super) fn show_pivot(&mut self, left: ColumnId, entered: ColumnId) {
        let Some(watched) = &self.watched else { return };
        let draw = watched.len() < PIVOTS && self.tableau.size() <= CELLS;
        let snapshot = draw.then(|| self.snapshot());
        let [left, entered] = [left, entered].map(|c| self.columns[c as usize].term);
        self.watched.get_or_insert_default().push((left, entered, snapshot));
    }
}
