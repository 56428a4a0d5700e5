//! A sparse matrix of homogeneous equations `Σ coefficient · column = 0`, each solved for its basic column.
//!
//! Coefficients of a row are coprime integers. Rows list their cells and columns list their occurrences, each cell
//! pointing to its counterpart, so that adding rows costs no more than their lengths.

use crate::number::Q;

/// A column, by index.
pub(crate) type ColumnId = u32;
/// A row, by index.
pub(crate) type RowId = u32;

/// An entry of a row.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) column: ColumnId,
    pub(crate) coefficient: Q,
    /// Its index in the column's list.
    back: u32,
}

/// An entry of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence {
    pub(crate) row: RowId,
    /// The cell's index in the row.
    pub(crate) at: u32,
}

#[derive(Clone, Debug)]
struct Row {
    cells: Vec<Cell>,
    basic: ColumnId,
    /// The index of the basic cell.
    basic_at: u32,
}

/// The matrix.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tableau {
    rows: Vec<Row>,
    columns: Vec<Vec<Occurrence>>,
    /// By column: the row it is basic in.
    row_of: Vec<Option<RowId>>,
    /// By column: its index in the row being added to, plus one.
    place: Vec<u32>,
    /// Cells in all rows.
    size: usize,
}

impl Tableau {
    /// A column that occurs nowhere.
    pub(crate) fn add_column(&mut self) -> ColumnId {
        self.columns.push(Vec::new());
        self.row_of.push(None);
        self.place.push(0);
        (self.columns.len() - 1) as ColumnId
    }

    /// The equation `basic = Σ coefficient · column`, where `basic` is a column that occurs nowhere. Basic columns on
    /// the right are replaced by their rows.
    pub(crate) fn add_row(&mut self, basic: ColumnId, sum: &[(ColumnId, Q)]) {
        let row = self.rows.len() as RowId;
        self.rows.push(Row { cells: Vec::new(), basic, basic_at: 0 });
        self.push_cell(row, basic, Q::MINUS_ONE);
        for (column, q) in sum {
            self.push_cell(row, *column, q.clone());
        }
        self.row_of[basic as usize] = Some(row);
        for (column, _) in sum {
            if let Some(other) = self.row_of[*column as usize] {
                let at = self.columns[*column as usize].iter().rev().find(|o| o.row == row);
                self.eliminate(*at.expect("the column occurs in the new row"), other);
            }
        }
        self.normalize(row);
    }

    #[cfg(test)]
    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Cells in use.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The row in which a column is basic.
    #[inline]
    pub(crate) fn row_of(&self, column: ColumnId) -> Option<RowId> {
        self.row_of[column as usize]
    }

    #[inline]
    pub(crate) fn basic(&self, row: RowId) -> ColumnId {
        self.rows[row as usize].basic
    }

    /// The coefficient of the basic column.
    #[inline]
    pub(crate) fn basic_coefficient(&self, row: RowId) -> &Q {
        let row = &self.rows[row as usize];
        &row.cells[row.basic_at as usize].coefficient
    }

    #[inline]
    pub(crate) fn cells(&self, row: RowId) -> &[Cell] {
        &self.rows[row as usize].cells
    }

    /// The occurrences of a column.
    #[inline]
    pub(crate) fn occurrences(&self, column: ColumnId) -> &[Occurrence] {
        &self.columns[column as usize]
    }

    #[inline]
    pub(crate) fn coefficient(&self, at: Occurrence) -> &Q {
        &self.rows[at.row as usize].cells[at.at as usize].coefficient
    }

    /// Solves the row of `at` for the column there and substitutes it in all other rows.
    pub(crate) fn pivot(&mut self, at: Occurrence) {
        let row = at.row;
        let leaving = self.rows[row as usize].basic;
        let entering = self.rows[row as usize].cells[at.at as usize].column;
        self.rows[row as usize].basic = entering;
        self.rows[row as usize].basic_at = at.at;
        self.row_of[leaving as usize] = None;
        self.row_of[entering as usize] = Some(row);
        // Elimination changes the list of the entering column, so the last entry other than the row itself is
        // eliminated.
        while let Some(other) = self.columns[entering as usize].iter().rev().find(|o| o.row != row) {
            let other = *other;
            self.eliminate(other, row);
            self.normalize(other.row);
        }
    }

    /// Adds a multiple of `source` to the row of `at`, so that the basic column of `source`, which occurs there,
    /// cancels.
    fn eliminate(&mut self, at: Occurrence, source: RowId) {
        let (a, b) = (self.basic_coefficient(source).clone(), self.coefficient(at).clone());
        let target = at.row;
        // target · (a / g) − source · (b / g)
        let g = a.gcd(&b);
        let (mut scale, mut factor) = (&a / &g, -&(&b / &g));
        if scale.is_negative() {
            (scale, factor) = (-&scale, -&factor);
        }
        if !scale.is_one() {
            for cell in &mut self.rows[target as usize].cells {
                cell.coefficient = &cell.coefficient * &scale;
            }
        }
        self.add_multiple(target, &factor, source);
    }

    /// `target += factor · source`
    fn add_multiple(&mut self, target: RowId, factor: &Q, source: RowId) {
        for (i, cell) in self.rows[target as usize].cells.iter().enumerate() {
            self.place[cell.column as usize] = i as u32 + 1;
        }
        let cells = std::mem::take(&mut self.rows[source as usize].cells);
        let mut zeros = false;
        for cell in &cells {
            match self.place[cell.column as usize] {
                0 => {
                    self.push_cell(target, cell.column, factor * &cell.coefficient);
                    self.place[cell.column as usize] = self.rows[target as usize].cells.len() as u32;
                }
                at => {
                    let q = &mut self.rows[target as usize].cells[at as usize - 1].coefficient;
                    q.add_product(factor, &cell.coefficient);
                    zeros |= q.is_zero();
                }
            }
        }
        self.rows[source as usize].cells = cells;
        for cell in &self.rows[target as usize].cells {
            self.place[cell.column as usize] = 0;
        }
        if zeros {
            let mut at = 0;
            while at < self.rows[target as usize].cells.len() {
                if self.rows[target as usize].cells[at].coefficient.is_zero() {
                    self.remove_cell(target, at);
                } else {
                    at += 1;
                }
            }
        }
    }

    /// Divides a row by the greatest common divisor of its coefficients.
    fn normalize(&mut self, row: RowId) {
        let cells = &mut self.rows[row as usize].cells;
        let mut gcd = Q::ZERO;
        for cell in cells.iter() {
            gcd = gcd.gcd(&cell.coefficient);
            if gcd.is_one() {
                return;
            }
        }
        for cell in cells {
            cell.coefficient = &cell.coefficient / &gcd;
        }
    }

    fn push_cell(&mut self, row: RowId, column: ColumnId, coefficient: Q) {
        let list = &mut self.columns[column as usize];
        let cells = &mut self.rows[row as usize].cells;
        cells.push(Cell { column, coefficient, back: list.len() as u32 });
        list.push(Occurrence { row, at: cells.len() as u32 - 1 });
        self.size += 1;
    }

    fn remove_cell(&mut self, row: RowId, at: usize) {
        let removed = self.rows[row as usize].cells.swap_remove(at);
        self.size -= 1;
        if let Some(moved) = self.rows[row as usize].cells.get(at) {
            self.columns[moved.column as usize][moved.back as usize].at = at as u32;
            let owner = &mut self.rows[row as usize];
            if owner.basic_at as usize == owner.cells.len() {
                owner.basic_at = at as u32;
            }
        }
        let list = &mut self.columns[removed.column as usize];
        list.swap_remove(removed.back as usize);
        if let Some(moved) = list.get(removed.back as usize) {
            self.rows[moved.row as usize].cells[moved.at as usize].back = removed.back;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows as sorted text.
    fn text(t: &Tableau) -> Vec<String> {
        let row = |r: RowId| {
            let mut cells: Vec<(u32, &Q)> = t.cells(r).iter().map(|c| (c.column, &c.coefficient)).collect();
            cells.sort();
            let parts: Vec<String> = cells.iter().map(|(c, q)| format!("{q}·{c}")).collect();
            format!("{}: {}", t.basic(r), parts.join(" "))
        };
        (0..t.rows() as RowId).map(row).collect()
    }

    fn occurrence(t: &Tableau, row: RowId, column: ColumnId) -> Occurrence {
        *t.occurrences(column).iter().find(|o| o.row == row).unwrap()
    }

    #[test]
    fn pivoting_there_and_back_restores_the_rows() {
        let mut t = Tableau::default();
        let c: Vec<ColumnId> = (0..5).map(|_| t.add_column()).collect();
        let q = |n: i64| Q::from(n);
        t.add_row(c[3], &[(c[0], q(1)), (c[1], q(2))]);
        t.add_row(c[4], &[(c[3], q(1)), (c[2], q(-3)), (c[1], q(-2))]);
        let before = text(&t);
        assert_eq!(before, ["3: 1·0 2·1 -1·3", "4: 1·0 -3·2 -1·4"]);
        t.pivot(occurrence(&t, 0, c[0]));
        assert_eq!(text(&t), ["0: 1·0 2·1 -1·3", "4: -2·1 -3·2 1·3 -1·4"]);
        assert_eq!((t.row_of(c[3]), t.row_of(c[0])), (None, Some(0)));
        t.pivot(occurrence(&t, 0, c[3]));
        let signs_aside = |rows: Vec<String>| rows.iter().map(|r| r.replace('-', "")).collect::<Vec<_>>();
        assert_eq!(signs_aside(text(&t)), signs_aside(before));
        let listed: usize = (0..5).map(|c| t.occurrences(c).len()).sum();
        assert_eq!(listed, t.size());
    }
}
