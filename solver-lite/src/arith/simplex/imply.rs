//! Bound propagation along rows: where all other columns of a row are bounded, so is this one, and weaker comparisons
//! are true. Comparisons of one form imply each other through clauses, so only the strongest is propagated.

use crate::arith::delta::Delta;
use crate::arith::lemma::Lemma;
use crate::arith::simplex::{Side, Simplex};
use crate::arith::tableau::{ColumnId, RowId};
use crate::cdcl::lit::{Lit, Var};
use crate::number::Q;

/// Longer rows are skipped.
const LONG: usize = 40;
/// Limit of rows examined after a bound of one of their columns changed.
const ROWS: usize = 40;

/// State of propagation: the comparisons that have a value, and explanations of propagated ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Implications {
    /// By column: its comparisons, ascending by the bound of the positive literal.
    atoms: Vec<Vec<(Delta, Var)>>,
    /// By variable: asserted or propagated.
    settled: Vec<bool>,
    trail: Vec<Var>,
    /// Columns with a bound changed since the last propagation.
    touched: Vec<ColumnId>,
    /// By variable: the weighted literals of its explanation.
    reasons: Vec<Vec<(Lit, Q)>>,
    rows: Vec<RowId>,
}

impl Implications {
    pub(super) fn add_column(&mut self) {
        self.atoms.push(Vec::new());
    }

    pub(super) fn add_atom(&mut self, column: ColumnId, upper: &Delta, var: Var) {
        let list = &mut self.atoms[column as usize];
        let at = list.partition_point(|(u, v)| (u, *v) < (upper, var));
        list.insert(at, (upper.clone(), var));
        if self.settled.len() <= var as usize {
            self.settled.resize(var as usize + 1, false);
            self.reasons.resize(var as usize + 1, Vec::new());
        }
    }

    /// A comparison has a value.
    pub(super) fn settled(&mut self, var: Var) {
        if !std::mem::replace(&mut self.settled[var as usize], true) {
            self.trail.push(var);
        }
    }

    pub(super) fn touch(&mut self, column: ColumnId) {
        self.touched.push(column);
    }

    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    pub(super) fn undo(&mut self, mark: usize) {
        for var in self.trail.drain(mark..) {
            self.settled[var as usize] = false;
        }
        self.touched.clear();
    }

    /// The strongest open comparison that a bound of a column makes true.
    fn strongest(&self, column: ColumnId, side: Side, value: &Delta, integer: bool) -> Option<Lit> {
        let list = &self.atoms[column as usize];
        match side {
            Side::Upper => {
                let value = if integer { Delta::from(value.floor()) } else { value.clone() };
                let at = list.partition_point(|(u, _)| *u < value);
                let (_, var) = list.get(at)?;
                (!self.settled[*var as usize]).then(|| Lit::new(*var, true))
            }
            Side::Lower => {
                // The negative literal is stronger than `upper`.
                let at = if integer {
                    let value = Delta::from(value.ceil());
                    list.partition_point(|(u, _)| *u < value)
                } else {
                    list.partition_point(|(u, _)| u < value)
                };
                let (_, var) = list.get(at.checked_sub(1)?)?;
                (!self.settled[*var as usize]).then(|| Lit::new(*var, false))
            }
        }
    }
}

impl Simplex {
    /// Adds the comparisons implied by changed bounds to `out`.
    pub(crate) fn imply(&mut self, out: &mut Vec<Lit>) {
        let mut rows = std::mem::take(&mut self.implications.rows);
        rows.clear();
        for column in self.implications.touched.drain(..) {
            match self.tableau.row_of(column) {
                Some(row) => rows.push(row),
                None => rows.extend(self.tableau.occurrences(column).iter().take(ROWS).map(|o| o.row)),
            }
        }
        rows.sort_unstable();
        rows.dedup();
        for &row in &rows {
            if self.tableau.cells(row).len() <= LONG {
                self.imply_along(row, Side::Lower, out);
                self.imply_along(row, Side::Upper, out);
            }
        }
        self.implications.rows = rows;
    }

    /// The bound of a column that bounds `coefficient · column` on a side.
    fn contribution(&self, column: ColumnId, q: &Q, side: Side) -> Option<&super::Bound> {
        let side = if q.is_negative() { side.opposite() } else { side };
        self.columns[column as usize].bound(side)
    }

    /// `Σ aᵢ·xᵢ = 0`: bounds on one side of all summands but one bound the remaining summand on the other side.
    fn imply_along(&mut self, row: RowId, side: Side, out: &mut Vec<Lit>) {
        let mut sum = Delta::default();
        let mut open: Option<usize> = None;
        let cells = self.tableau.cells(row);
        for (i, cell) in cells.iter().enumerate() {
            match self.contribution(cell.column, &cell.coefficient, side) {
                Some(bound) => sum.add_scaled(&cell.coefficient, &bound.value),
                None if open.is_some() => return,
                None => open = Some(i),
            }
        }
        let range = open.map_or(0..cells.len(), |i| i..i + 1);
        let mut found: Vec<(Lit, usize)> = Vec::new();
        for (i, cell) in cells.iter().enumerate().take(range.end).skip(range.start) {
            let column = &self.columns[cell.column as usize];
            if self.implications.atoms[cell.column as usize].is_empty() {
                continue;
            }
            // aᵢ·xᵢ = −Σ others, whose bound is the sum without this column's part.
            let mut others = sum.clone();
            if open.is_none() {
                let own = self.contribution(cell.column, &cell.coefficient, side).expect("bounded");
                others.add_scaled(&-&cell.coefficient, &own.value);
            }
            let value = others.scaled(&-&cell.coefficient.recip());
            let side = if cell.coefficient.is_negative() { side } else { side.opposite() };
            if let Some(lit) = self.implications.strongest(cell.column, side, &value, column.integer) {
                found.push((lit, i));
            }
        }
        for (lit, at) in found {
            let mut reasons = std::mem::take(&mut self.implications.reasons[lit.var() as usize]);
            reasons.clear();
            for (i, cell) in self.tableau.cells(row).iter().enumerate() {
                if i != at {
                    let bound = self.contribution(cell.column, &cell.coefficient, side).expect("bounded");
                    reasons.push((bound.reason, cell.coefficient.abs()));
                }
            }
            reasons.push((!lit, self.tableau.cells(row)[at].coefficient.abs()));
            self.implications.reasons[lit.var() as usize] = reasons;
            self.implications.settled(lit.var());
            out.push(lit);
        }
    }

    /// The explanation of a propagated literal: its negation is contradictory.
    pub(crate) fn explain(&self, lit: Lit) -> Lemma {
        Lemma::farkas(self.implications.reasons[lit.var() as usize].clone())
    }
}
