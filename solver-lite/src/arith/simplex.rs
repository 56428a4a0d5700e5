//! General simplex for bounds on linear forms (Dutertre and de Moura, "A Fast Linear-Arithmetic Solver for
//! DPLL(T)", 2006, section 3), with the propagation of bounds along rows.
//!
//! Invariants: the values satisfy all rows; every nonbasic value lies within its bounds; a basic column whose value may
//! be out of its bounds is among the suspects; `old` holds the values that changed since all values were last within
//! their bounds, when there were `feasible` bounds. `check` restores the bounds of basic columns or finds a row that
//! cannot be restored, whose bounds contradict each other with the row's coefficients as Farkas certificate.

mod branching;
mod cube;
mod imply;
mod snapshot;

use crate::arith::delta::Delta;
use crate::arith::lemma::Lemma;
use crate::arith::simplex::imply::Implications;
use crate::arith::simplex::snapshot::Pivot;
use crate::arith::tableau::{ColumnId, Occurrence, RowId, Tableau};
use crate::cdcl::lit::{Lit, Var};
use crate::effort;
use crate::hash::Map;
use crate::number::Q;
use crate::term::{Node, Sort, Term, Terms};

/// The effort of a pivot: approximately this number of coefficients change.
const PIVOT: usize = 64;

/// After this number of pivots in one check, Bland's rule is used, which cannot cycle.
const GREEDY_PIVOTS: u64 = 1_000;

/// Why a check ended without an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The conflicts of all rows that cannot be repaired; at least one.
    Conflicts(Vec<Lemma>),
    /// The limit of pivots was reached.
    PivotLimit,
}

#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) value: Delta,
    pub(crate) reason: Lit,
}

/// Lower or upper end of a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Lower,
    Upper,
}

impl Side {
    fn opposite(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }
}

#[derive(Clone, Debug)]
struct Column {
    term: Term,
    /// Is the term an integer?
    integer: bool,
    lower: Option<Bound>,
    upper: Option<Bound>,
    value: Delta,
    suspect: bool,
    /// The epoch in which its value was saved.
    kept: u64,
}

impl Column {
    fn bound(&self, side: Side) -> Option<&Bound> {
        match side {
            Side::Lower => self.lower.as_ref(),
            Side::Upper => self.upper.as_ref(),
        }
    }
}

/// A comparison: the bounds of its two literals.
#[derive(Clone, Debug)]
struct Atom {
    column: ColumnId,
    /// The positive literal is an upper bound of the column.
    upper: Delta,
    /// The negative literal is a lower bound.
    lower: Delta,
}

/// A backtracking point.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    bounds: usize,
    settled: usize,
}

/// The tableau with its bounds and values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Simplex {
    columns: Vec<Column>,
    tableau: Tableau,
    column_of: Map<Term, ColumnId>,
    /// By Boolean variable.
    atoms: Vec<Option<Atom>>,
    /// Basic columns that may be out of their bounds.
    suspects: Vec<ColumnId>,
    /// Replaced bounds, for backtracking.
    trail: Vec<(ColumnId, Side, Option<Bound>)>,
    implications: Implications,
    /// Number of bounds when all values were within theirs; `None` if these values cannot be restored.
    feasible: Option<usize>,
    /// Values at that time, of columns that changed since.
    old: Vec<(ColumnId, Delta)>,
    /// The number of such states so far.
    epoch: u64,
    /// Pivots so far.
    pub(crate) pivots: u64,
    /// For observers: the pivots of the check.
    pub(crate) watched: Option<Vec<Pivot>>,
}

impl Simplex {
    /// Registers a comparison.
    ///
    /// # Panics
    /// If the term is not a comparison.
    pub(crate) fn register(&mut self, terms: &Terms, var: Var, term: Term) {
        let (form, bound, strict) = match terms.node(term) {
            Node::Le(form, bound) => (*form, bound, false),
            Node::Lt(form, bound) => (*form, bound, true),
            _ => panic!("a comparison was expected"),
        };
        if self.atoms.len() <= var as usize {
            self.atoms.resize(var as usize + 1, None);
        }
        let column = self.column(terms, form);
        let (upper, lower) = if terms.sort(form) == Sort::Int {
            (Delta::from(bound.clone()), Delta::from(bound + &Q::ONE))
        } else if strict {
            (Delta::new(bound.clone(), Q::MINUS_ONE), Delta::from(bound.clone()))
        } else {
            (Delta::from(bound.clone()), Delta::new(bound.clone(), Q::ONE))
        };
        self.implications.add_atom(column, &upper, var);
        self.atoms[var as usize] = Some(Atom { column, upper, lower });
    }

    /// Is this comparison registered?
    #[inline]
    pub(crate) fn knows(&self, var: Var) -> bool {
        self.atoms.get(var as usize).is_some_and(Option::is_some)
    }

    /// Does the comparison hold for the current values?
    pub(crate) fn phase(&self, var: Var) -> Option<bool> {
        let atom = self.atoms.get(var as usize)?.as_ref()?;
        Some(self.columns[atom.column as usize].value <= atom.upper)
    }

    /// The column of a form; a sum gets a row that defines it.
    fn column(&mut self, terms: &Terms, form: Term) -> ColumnId {
        if let Some(&c) = self.column_of.get(&form) {
            return c;
        }
        let sum: Option<Vec<(ColumnId, Q)>> = match terms.node(form) {
            Node::Linear(_, l) => {
                Some(l.terms.iter().map(|(t, q)| (self.column(terms, *t), q.clone())).collect())
            }
            _ => None,
        };
        let column = self.tableau.add_column();
        let mut value = Delta::default();
        if let Some(sum) = &sum {
            for (c, q) in sum {
                value.add_scaled(q, &self.columns[*c as usize].value);
            }
        }
        let integer = terms.sort(form) == Sort::Int;
        self.columns.push(Column {
            term: form,
            integer,
            lower: None,
            upper: None,
            value,
            suspect: false,
            kept: 0,
        });
        if !self.old.is_empty() {
            // The saved state had no value for this column.
            self.feasible = None;
            self.old.clear();
            self.epoch += 1;
        }
        self.implications.add_column();
        if let Some(sum) = &sum {
            self.tableau.add_row(column, sum);
        }
        self.column_of.insert(form, column);
        column
    }

    /// Memory in use in words, approximately.
    pub(crate) fn size(&self) -> usize {
        8 * self.tableau.size() + 32 * self.columns.len()
    }

    /// A backtracking point.
    pub(crate) fn mark(&self) -> Mark {
        Mark { bounds: self.trail.len(), settled: self.implications.mark() }
    }

    /// Undoes all assertions since `mark`.
    pub(crate) fn undo(&mut self, mark: Mark) {
        while self.trail.len() > mark.bounds {
            let (column, side, old) = self.trail.pop().expect("longer than mark");
            *self.bound_mut(column, side) = old;
        }
        self.implications.undo(mark.settled);
        self.come_back(mark.bounds);
    }

    /// Restores the values at which all bounds were satisfied, if they satisfy the remaining bounds: these are closer
    /// to the next solution than the values at a conflict (Dutertre and de Moura, section 3.2).
    fn come_back(&mut self, bounds: usize) {
        if self.feasible.is_some_and(|at| at >= bounds) {
            for (column, value) in self.old.drain(..) {
                self.columns[column as usize].value = value;
            }
            self.epoch += 1;
            self.feasible = Some(bounds);
        }
    }

    /// Notes that all values are within their bounds.
    fn keep(&mut self) {
        self.feasible = Some(self.trail.len());
        self.old.clear();
        self.epoch += 1;
    }

    /// Saves the value of a column before it changes.
    fn changing(&mut self, column: ColumnId) {
        let c = &mut self.columns[column as usize];
        if c.kept != self.epoch {
            c.kept = self.epoch;
            self.old.push((column, c.value.clone()));
        }
    }

    fn bound_mut(&mut self, column: ColumnId, side: Side) -> &mut Option<Bound> {
        let column = &mut self.columns[column as usize];
        if side == Side::Lower { &mut column.lower } else { &mut column.upper }
    }

    /// Adds the bound of a literal.
    ///
    /// # Errors
    /// If the opposite bound contradicts it.
    pub(crate) fn assert(&mut self, lit: Lit) -> Result<(), Lemma> {
        let atom = self.atoms[lit.var() as usize].as_ref().expect("the comparison was registered");
        let (side, value) =
            if lit.is_positive() { (Side::Upper, &atom.upper) } else { (Side::Lower, &atom.lower) };
        let bound = Bound { value: value.clone(), reason: lit };
        self.implications.settled(lit.var());
        self.assert_bound(atom.column, side, bound)
    }

    /// Removes the bound of a literal, if it is in force. (A weaker bound that it replaced is not restored: so this is
    /// only for rounds that end by undoing everything.)
    pub(crate) fn withdraw(&mut self, lit: Lit) {
        let column = self.atoms[lit.var() as usize].as_ref().expect("the comparison was registered").column;
        let side = if lit.is_positive() { Side::Upper } else { Side::Lower };
        let bound = self.bound_mut(column, side);
        if bound.as_ref().is_some_and(|b| b.reason == lit) {
            *bound = None;
        }
    }

    fn assert_bound(&mut self, column: ColumnId, side: Side, bound: Bound) -> Result<(), Lemma> {
        let c = &self.columns[column as usize];
        let (mine, other) = if side == Side::Lower { (&c.lower, &c.upper) } else { (&c.upper, &c.lower) };
        let beyond = |a: &Delta, b: &Delta| if side == Side::Lower { a > b } else { a < b };
        if mine.as_ref().is_some_and(|m| !beyond(&bound.value, &m.value)) {
            return Ok(());
        }
        if let Some(o) = other.as_ref().filter(|o| beyond(&bound.value, &o.value)) {
            return Err(Lemma::farkas(vec![(bound.reason, Q::ONE), (o.reason, Q::ONE)]));
        }
        let outside = beyond(&bound.value, &c.value);
        let target = bound.value.clone();
        let old = self.bound_mut(column, side).replace(bound);
        self.trail.push((column, side, old));
        self.implications.touch(column);
        if outside {
            match self.tableau.row_of(column) {
                Some(_) => self.suspect(column),
                None => self.set_nonbasic(column, target),
            }
        }
        Ok(())
    }

    fn suspect(&mut self, column: ColumnId) {
        let c = &mut self.columns[column as usize];
        if !c.suspect {
            c.suspect = true;
            self.suspects.push(column);
        }
    }

    fn set_nonbasic(&mut self, column: ColumnId, value: Delta) {
        let step = value.minus(&self.columns[column as usize].value);
        for i in 0..self.tableau.occurrences(column).len() {
            self.move_basic(self.tableau.occurrences(column)[i], &step);
        }
        self.changing(column);
        self.columns[column as usize].value = value;
    }

    /// The basic value of a row after the nonbasic column at `at` moved by `step`.
    fn move_basic(&mut self, at: Occurrence, step: &Delta) {
        let basic = self.tableau.basic(at.row);
        self.changing(basic);
        let b = self.tableau.basic_coefficient(at.row);
        let q = self.tableau.coefficient(at);
        let factor = if *b == Q::MINUS_ONE { q.clone() } else { -&(q / b) };
        let c = &mut self.columns[basic as usize];
        c.value.add_scaled(&factor, step);
        if !c.suspect && c.violated().is_some() {
            self.suspect(basic);
        }
    }

    /// Brings all basic values within their bounds, or reports why that is impossible.
    pub(crate) fn check(&mut self, pivot_limit: u64) -> Result<(), Failure> {
        for round in 0.. {
            let bland = round >= GREEDY_PIVOTS;
            let Some((column, side)) = self.next_suspect(bland) else {
                self.keep();
                return Ok(());
            };
            let row = self.tableau.row_of(column).expect("suspects are basic");
            let Some(entering) = self.entering(row, side, bland) else {
                return Err(Failure::Conflicts(self.all_conflicts()));
            };
            if round >= pivot_limit {
                return Err(Failure::PivotLimit);
            }
            self.pivots += 1;
            effort::spend(PIVOT);
            let enters = self.tableau.cells(row)[entering.at as usize].column;
            self.pivot_and_update(row, column, entering, side);
            self.show_pivot(column, enters);
        }
        unreachable!("the loop ends by returning")
    }

    /// The basic column that is farthest out of its bounds, or by Bland's rule the first one. It remains a suspect.
    fn next_suspect(&mut self, bland: bool) -> Option<(ColumnId, Side)> {
        let (columns, tableau) = (&mut self.columns, &self.tableau);
        let mut worst: Option<(Q, ColumnId, Side)> = None;
        self.suspects.retain(|&column| {
            let c = &mut columns[column as usize];
            let side = tableau.row_of(column).and_then(|_| c.violated());
            c.suspect = side.is_some();
            let Some(side) = side else { return false };
            let bound = c.bound(side).expect("violated");
            let by = if bland { Q::ZERO } else { (&bound.value.real - &c.value.real).abs() };
            let worse = |(w, other, _): &(Q, ColumnId, Side)| by > *w || by == *w && column < *other;
            if worst.as_ref().is_none_or(worse) {
                worst = Some((by, column, side));
            }
            true
        });
        worst.map(|(_, column, side)| (column, side))
    }

    /// Can this nonbasic column move so that the basic one of the row, which is too low or too high, approaches its
    /// bound? `same`: do their coefficients have the same sign?
    fn can_help(&self, column: ColumnId, same: bool, side: Side) -> bool {
        let c = &self.columns[column as usize];
        // With opposite signs the basic value rises with the column.
        if (side == Side::Lower) == same {
            c.lower.as_ref().is_none_or(|b| c.value > b.value)
        } else {
            c.upper.as_ref().is_none_or(|b| c.value < b.value)
        }
    }

    fn entering(&self, row: RowId, side: Side, bland: bool) -> Option<Occurrence> {
        let basic = self.tableau.basic(row);
        let negative = self.tableau.basic_coefficient(row).is_negative();
        let mut best: Option<((usize, usize, ColumnId), usize)> = None;
        for (i, cell) in self.tableau.cells(row).iter().enumerate() {
            let helps = cell.column != basic
                && self.can_help(cell.column, cell.coefficient.is_negative() == negative, side);
            if helps {
                let key = if bland { (0, 0, cell.column) } else { self.cost(cell.column) };
                if best.is_none_or(|(b, _)| key < b) {
                    best = Some((key, i));
                }
            }
        }
        best.map(|(_, i)| Occurrence { row, at: i as u32 })
    }

    /// The cost of entering the basis: the basic columns with bounds that change, all that change, and its number.
    fn cost(&self, column: ColumnId) -> (usize, usize, ColumnId) {
        let all = self.tableau.occurrences(column);
        let bounded = |at: &&Occurrence| {
            let c = &self.columns[self.tableau.basic(at.row) as usize];
            c.lower.is_some() || c.upper.is_some()
        };
        (all.iter().filter(bounded).count(), all.len(), column)
    }

    /// The conflicts of all rows that cannot be repaired at present (there is at least one).
    fn all_conflicts(&self) -> Vec<Lemma> {
        let mut columns = self.suspects.clone();
        columns.sort_unstable();
        let stuck = |column: ColumnId| {
            let row = self.tableau.row_of(column)?;
            let side = self.columns[column as usize].violated()?;
            self.entering(row, side, true).is_none().then(|| self.conflict(row, side))
        };
        columns.into_iter().filter_map(stuck).collect()
    }

    /// The bounds that keep the basic column of a row from its bound on this side.
    fn conflict(&self, row: RowId, side: Side) -> Lemma {
        let negative = self.tableau.basic_coefficient(row).is_negative();
        let mut conflict = Vec::with_capacity(self.tableau.cells(row).len());
        for cell in self.tableau.cells(row) {
            let c = &self.columns[cell.column as usize];
            let same = cell.coefficient.is_negative() == negative;
            let side = if same { side } else { side.opposite() };
            conflict
                .push((c.bound(side).expect("the column is at its bound").reason, cell.coefficient.abs()));
        }
        Lemma::farkas(conflict)
    }

    fn pivot_and_update(&mut self, row: RowId, leaving: ColumnId, entering: Occurrence, side: Side) {
        let target = self.columns[leaving as usize].bound(side).expect("violated").value.clone();
        let column = self.tableau.cells(row)[entering.at as usize].column;
        // b · leaving + e · entering + … = 0
        let factor = -&(self.tableau.basic_coefficient(row) / self.tableau.coefficient(entering));
        let step = target.minus(&self.columns[leaving as usize].value).scaled(&factor);
        self.changing(leaving);
        self.changing(column);
        self.columns[leaving as usize].value = target;
        self.columns[column as usize].value.add_scaled(&Q::ONE, &step);
        for i in 0..self.tableau.occurrences(column).len() {
            let at = self.tableau.occurrences(column)[i];
            if at.row != row {
                self.move_basic(at, &step);
            }
        }
        self.tableau.pivot(entering);
        if self.columns[column as usize].violated().is_some() {
            self.suspect(column);
        }
    }

    /// Exact values of all columns, after a successful check: δ is replaced by a small enough number.
    pub(crate) fn values(&self) -> Map<Term, Q> {
        let mut epsilon = Q::ONE;
        let mut keep_apart = |low: &Delta, high: &Delta| {
            if low.real < high.real && low.infinitesimal > high.infinitesimal {
                let limit = (&high.real - &low.real) / (&low.infinitesimal - &high.infinitesimal);
                epsilon = epsilon.clone().min(limit);
            }
        };
        for c in &self.columns {
            c.lower.iter().for_each(|b| keep_apart(&b.value, &c.value));
            c.upper.iter().for_each(|b| keep_apart(&c.value, &b.value));
        }
        let value = |c: &Column| &c.value.real + &(&c.value.infinitesimal * &epsilon);
        self.columns.iter().map(|c| (c.term, value(c))).collect()
    }
}

impl Column {
    /// Is the value out of bounds, and on which side?
    fn violated(&self) -> Option<Side> {
        if self.lower.as_ref().is_some_and(|b| self.value < b.value) {
            return Some(Side::Lower);
        }
        self.upper.as_ref().is_some_and(|b| self.value > b.value).then_some(Side::Upper)
    }
}
