//! General simplex for bounds on linear forms (Dutertre and de Moura, "A Fast Linear-Arithmetic Solver for
//! DPLL(T)", 2006, section 3).
//!
//! Invariants: every row says `basic = Σ coefficient · nonbasic`; the values satisfy all rows; every nonbasic value
//! lies within its bounds. `check` restores the bounds of basic variables or finds a row that cannot be restored,
//! whose bounds contradict each other with the row's coefficients as Farkas certificate.

use crate::arith::branch::Choice;
use crate::arith::delta::Delta;
use crate::hash::Map;
use crate::literal::{Literal, inequality};
use crate::number::Q;
use crate::term::{Linear, Node, Sort, Term, Terms};

/// After so many pivots in one check, Bland's rule, which cannot cycle, takes over.
const GREEDY_PIVOTS: u64 = 200;

/// Wider terms are not split before they have to be.
const WIDTH: i64 = 64;

/// Literals that contradict each other, with their Farkas coefficients.
pub(crate) type Conflict = Vec<(Literal, Q)>;

/// Why a check ended without an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    Conflicts(Vec<Conflict>),
    PivotLimit,
}

#[derive(Clone, Debug)]
struct Bound {
    value: Delta,
    reason: Literal,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Lower,
    Upper,
}

#[derive(Clone, Debug)]
struct Column {
    term: Term,
    lower: Option<Bound>,
    upper: Option<Bound>,
    value: Delta,
    /// The row in which this column is basic.
    row: Option<usize>,
    /// The rows in which it is nonbasic, ascending.
    occurs: Vec<usize>,
}

/// `(column, coefficient)`, ascending by column.
type Coefficients = Vec<(usize, Q)>;

#[derive(Clone, Debug)]
struct Row {
    basic: usize,
    coefficients: Coefficients,
}

/// The tableau with its bounds and values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Simplex {
    columns: Vec<Column>,
    rows: Vec<Row>,
    /// Rows whose basic value may be out of bounds; all others are known to be within.
    suspect: Vec<bool>,
    column_of: Map<Term, usize>,
    /// Bounds that were replaced, for going back.
    trail: Vec<(usize, Side, Option<Bound>)>,
}

impl Simplex {
    /// The column of a form; a sum gets a row that defines it.
    fn column(&mut self, terms: &Terms, form: Term) -> usize {
        if let Some(&c) = self.column_of.get(&form) {
            return c;
        }
        let definition = match terms.node(form) {
            Node::Linear(_, l) => Some(self.expand(terms, l)),
            _ => None,
        };
        let column = self.columns.len();
        let mut value = Delta::default();
        let mut row = None;
        if let Some(coefficients) = definition {
            row = Some(self.rows.len());
            for (c, q) in &coefficients {
                value.add_scaled(q, &self.columns[*c].value);
                insert(&mut self.columns[*c].occurs, self.rows.len());
            }
            self.rows.push(Row { basic: column, coefficients });
            self.suspect.push(false);
        }
        let occurs = Vec::new();
        self.columns.push(Column { term: form, lower: None, upper: None, value, row, occurs });
        self.column_of.insert(form, column);
        column
    }

    /// A sum over nonbasic columns.
    fn expand(&mut self, terms: &Terms, linear: &Linear) -> Coefficients {
        let mut sum = Coefficients::new();
        for (t, q) in &linear.terms {
            let c = self.column(terms, *t);
            let part = match self.columns[c].row {
                Some(r) => self.rows[r].coefficients.clone(),
                None => vec![(c, Q::ONE)],
            };
            sum = add_scaled(&sum, q, &part);
        }
        sum
    }

    /// Forgets all bounds; values and rows stay as a warm start.
    pub(crate) fn clear_bounds(&mut self) {
        for column in &mut self.columns {
            column.lower = None;
            column.upper = None;
        }
        self.trail.clear();
        self.suspect.fill(false);
    }

    /// A point to come back to.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back all bounds asserted since `mark`.
    pub(crate) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let (column, side, old) = self.trail.pop().expect("longer than mark");
            *self.bound_mut(column, side) = old;
        }
    }

    fn bound_mut(&mut self, column: usize, side: Side) -> &mut Option<Bound> {
        let column = &mut self.columns[column];
        if side == Side::Lower { &mut column.lower } else { &mut column.upper }
    }

    /// Adds the bound a literal stands for.
    ///
    /// # Panics
    /// If the literal is no comparison.
    pub(crate) fn assert(&mut self, terms: &Terms, literal: Literal) -> Result<(), Conflict> {
        let (Node::Le(form, bound) | Node::Lt(form, bound)) = terms.node(literal.term) else {
            panic!("a comparison was expected")
        };
        let said = inequality(terms, literal).expect("a comparison");
        let column = self.column(terms, *form);
        let side = if literal.positive { Side::Upper } else { Side::Lower };
        let mut value = Delta::new(bound.clone(), Q::ZERO);
        if !literal.positive && terms.sort(*form) == Sort::Int {
            value.real += &Q::ONE;
        } else if said.strict {
            value.infinitesimal = if literal.positive { Q::MINUS_ONE } else { Q::ONE };
        }
        self.assert_bound(column, side, Bound { value, reason: literal })
    }

    /// Takes back the bound of a literal that was asserted since the bounds were cleared, if it is in force. (A weaker
    /// bound that it replaced does not come back.)
    pub(crate) fn withdraw(&mut self, terms: &Terms, literal: Literal) {
        let (Node::Le(form, _) | Node::Lt(form, _)) = terms.node(literal.term) else { return };
        let side = if literal.positive { Side::Upper } else { Side::Lower };
        let column = self.column_of[form];
        let bound = self.bound_mut(column, side);
        if bound.as_ref().is_some_and(|b| b.reason == literal) {
            *bound = None;
        }
    }

    fn assert_bound(&mut self, column: usize, side: Side, bound: Bound) -> Result<(), Conflict> {
        let c = &self.columns[column];
        let (mine, other) = if side == Side::Lower { (&c.lower, &c.upper) } else { (&c.upper, &c.lower) };
        let beyond = |a: &Delta, b: &Delta| if side == Side::Lower { a > b } else { a < b };
        if mine.as_ref().is_some_and(|m| !beyond(&bound.value, &m.value)) {
            return Ok(());
        }
        if let Some(o) = other.as_ref().filter(|o| beyond(&bound.value, &o.value)) {
            return Err(vec![(bound.reason, Q::ONE), (o.reason, Q::ONE)]);
        }
        let (moves, target) = (c.row.is_none() && beyond(&bound.value, &c.value), bound.value.clone());
        let old = self.bound_mut(column, side).replace(bound);
        self.trail.push((column, side, old));
        if let Some(row) = self.columns[column].row {
            self.suspect[row] = true;
        }
        if moves {
            self.set_nonbasic(column, target);
        }
        Ok(())
    }

    fn set_nonbasic(&mut self, column: usize, value: Delta) {
        let step = value.minus(&self.columns[column].value);
        let rows = std::mem::take(&mut self.columns[column].occurs);
        for &r in &rows {
            self.move_basic(r, column, &step);
        }
        self.columns[column].occurs = rows;
        self.columns[column].value = value;
    }

    /// The basic value of the row after its nonbasic `column` moved by `step`.
    fn move_basic(&mut self, row: usize, column: usize, step: &Delta) {
        let Row { basic, coefficients } = &self.rows[row];
        self.columns[*basic].value.add_scaled(coefficient(coefficients, column), step);
        self.suspect[row] = true;
    }

    /// Brings all basic values within their bounds, or says why that is impossible.
    pub(crate) fn check(&mut self, pivot_limit: u64) -> Result<(), Failure> {
        for round in 0.. {
            let bland = round >= GREEDY_PIVOTS;
            let Some((row, side)) = self.violated_row() else { return Ok(()) };
            let Some(entering) = self.entering(row, side, bland) else {
                return Err(Failure::Conflicts(self.all_conflicts()));
            };
            if round >= pivot_limit {
                return Err(Failure::PivotLimit);
            }
            let target = {
                let c = &self.columns[self.rows[row].basic];
                let bound = if side == Side::Lower { &c.lower } else { &c.upper };
                bound.as_ref().expect("violated").value.clone()
            };
            self.pivot_and_update(row, entering, target);
        }
        unreachable!("the loop ends by returning")
    }

    fn violation(&self, row: usize) -> Option<Side> {
        let c = &self.columns[self.rows[row].basic];
        if c.lower.as_ref().is_some_and(|b| c.value < b.value) {
            return Some(Side::Lower);
        }
        c.upper.as_ref().is_some_and(|b| c.value > b.value).then_some(Side::Upper)
    }

    /// The violated row with the smallest basic column.
    fn violated_row(&mut self) -> Option<(usize, Side)> {
        let mut best: Option<(usize, Side)> = None;
        for r in 0..self.rows.len() {
            if !self.suspect[r] {
                continue;
            }
            match self.violation(r) {
                None => self.suspect[r] = false,
                Some(side) if best.is_none_or(|(b, _)| self.rows[r].basic < self.rows[b].basic) => {
                    best = Some((r, side));
                }
                Some(_) => {}
            }
        }
        best
    }

    /// Can this nonbasic column move so that the basic one of the row gets nearer to its bound?
    fn can_help(&self, column: usize, q: &Q, side: Side) -> bool {
        let c = &self.columns[column];
        let up = (side == Side::Lower) == q.is_positive();
        if up {
            c.upper.as_ref().is_none_or(|b| c.value < b.value)
        } else {
            c.lower.as_ref().is_none_or(|b| c.value > b.value)
        }
    }

    fn entering(&self, row: usize, side: Side, bland: bool) -> Option<usize> {
        let candidates =
            self.rows[row].coefficients.iter().filter(|(c, q)| self.can_help(*c, q, side)).map(|(c, _)| *c);
        if bland { candidates.min() } else { candidates.min_by_key(|c| (self.columns[*c].occurs.len(), *c)) }
    }

    /// The conflicts of all rows that cannot be repaired as they stand (there is at least one).
    fn all_conflicts(&self) -> Vec<Conflict> {
        let stuck = |r: usize| {
            let side = self.violation(r)?;
            self.entering(r, side, true).is_none().then(|| self.conflict(r, side))
        };
        (0..self.rows.len()).filter(|r| self.suspect[*r]).filter_map(stuck).collect()
    }

    fn conflict(&self, row: usize, side: Side) -> Conflict {
        let basic = &self.columns[self.rows[row].basic];
        let own = if side == Side::Lower { &basic.lower } else { &basic.upper };
        let mut conflict = vec![(own.as_ref().expect("violated").reason, Q::ONE)];
        for (c, q) in &self.rows[row].coefficients {
            let up = (side == Side::Lower) == q.is_positive();
            let bound = if up { &self.columns[*c].upper } else { &self.columns[*c].lower };
            conflict.push((bound.as_ref().expect("tight").reason, q.abs()));
        }
        conflict
    }

    fn pivot_and_update(&mut self, row: usize, entering: usize, target: Delta) {
        let leaving = self.rows[row].basic;
        let q = coefficient(&self.rows[row].coefficients, entering).clone();
        let step = target.minus(&self.columns[leaving].value).scaled(&q.recip());
        self.columns[leaving].value = target;
        self.columns[entering].value.add_scaled(&Q::ONE, &step);
        let others: Vec<usize> =
            self.columns[entering].occurs.iter().copied().filter(|r| *r != row).collect();
        for &r in &others {
            self.move_basic(r, entering, &step);
        }
        self.suspect[row] = true;
        self.pivot(row, leaving, entering, &q, &others);
    }

    /// Solves the row for `entering` and puts that into the other rows.
    fn pivot(&mut self, row: usize, leaving: usize, entering: usize, q: &Q, others: &[usize]) {
        let factor = -&q.recip();
        let mut solved: Coefficients = Vec::with_capacity(self.rows[row].coefficients.len());
        for (c, k) in &self.rows[row].coefficients {
            if *c != entering {
                solved.push((*c, k * &factor));
            }
        }
        let at = solved.partition_point(|(c, _)| *c < leaving);
        solved.insert(at, (leaving, q.recip()));
        self.columns[entering].occurs.clear();
        self.columns[entering].row = Some(row);
        self.columns[leaving].row = None;
        insert(&mut self.columns[leaving].occurs, row);
        for &r in others {
            let k = coefficient(&self.rows[r].coefficients, entering).clone();
            let mut old = std::mem::take(&mut self.rows[r].coefficients);
            old.retain(|(c, _)| *c != entering);
            let new = add_scaled(&old, &k, &solved);
            self.note_occurrences(r, &old, &new);
            self.rows[r].coefficients = new;
        }
        self.rows[row] = Row { basic: entering, coefficients: solved };
    }

    /// Keeps `occurs` right when the coefficients of a row change.
    fn note_occurrences(&mut self, row: usize, old: &[(usize, Q)], new: &[(usize, Q)]) {
        let (mut i, mut j) = (0, 0);
        loop {
            match (old.get(i).map(|x| x.0), new.get(j).map(|x| x.0)) {
                (Some(a), Some(b)) if a == b => (i, j) = (i + 1, j + 1),
                (Some(a), b) if b.is_none_or(|b| a < b) => {
                    remove(&mut self.columns[a].occurs, row);
                    i += 1;
                }
                (_, Some(b)) => {
                    insert(&mut self.columns[b].occurs, row);
                    j += 1;
                }
                (_, None) => return,
            }
        }
    }

    /// Are the values of all integer terms integers?
    pub(crate) fn is_integral(&self, terms: &Terms) -> bool {
        self.integers(terms).all(|c| c.value.is_integer())
    }

    /// The columns of integer terms that are no sums.
    fn integers<'a>(&'a self, terms: &'a Terms) -> impl Iterator<Item = &'a Column> {
        let own =
            |c: &&Column| terms.sort(c.term) == Sort::Int && !matches!(terms.node(c.term), Node::Linear(..));
        self.columns.iter().filter(own)
    }

    /// Where to split while some integer term has a fraction as its value: `x ≤ k` or `x ≥ k + 1`.
    pub(crate) fn split(&self, terms: &Terms, choice: Choice) -> Option<(Term, Q)> {
        let width = |c: &Column| match (&c.lower, &c.upper) {
            (Some(l), Some(u)) => Some(&u.value.real - &l.value.real),
            _ => None,
        };
        let fractional = || self.integers(terms).filter(|c| !c.value.is_integer());
        let first = fractional().min_by_key(|c| c.term)?;
        if choice == Choice::Fraction {
            return Some((first.term, first.value.floor()));
        }
        if let Some(bounded) = fractional().filter(|c| width(c).is_some()).min_by_key(|c| c.term) {
            return Some((bounded.term, bounded.value.floor()));
        }
        let narrow = self.integers(terms).filter_map(|c| Some((width(c)?, c)));
        let narrow = narrow.filter(|(w, _)| w.is_positive() && *w <= Q::from(WIDTH));
        let Some((_, c)) = narrow.min_by(|(v, a), (w, b)| v.cmp(w).then(a.term.cmp(&b.term))) else {
            return Some((first.term, first.value.floor()));
        };
        let last = &c.upper.as_ref().expect("bounded").value.real - &Q::ONE;
        Some((c.term, c.value.floor().min(last)))
    }

    /// Is the form of this comparison fixed by two equal bounds?
    pub(crate) fn is_fixed(&self, terms: &Terms, literal: Literal) -> bool {
        let (Node::Le(form, _) | Node::Lt(form, _)) = terms.node(literal.term) else { return false };
        let column = self.column_of.get(form).map(|c| &self.columns[*c]);
        column.and_then(|c| Some(c.lower.as_ref()?.value == c.upper.as_ref()?.value)).unwrap_or(false)
    }

    /// Columns fixed by two equal bounds: the form's term, its value, and the two reasons (≤ first).
    pub(crate) fn fixed(&self) -> Vec<(Term, Q, [Literal; 2])> {
        let fixed = |c: &Column| match (&c.lower, &c.upper) {
            (Some(l), Some(u)) if l.value == u.value && l.value.infinitesimal.is_zero() => {
                Some((c.term, l.value.real.clone(), [u.reason, l.reason]))
            }
            _ => None,
        };
        self.columns.iter().filter_map(fixed).collect()
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

fn insert(sorted: &mut Vec<usize>, row: usize) {
    if let Err(at) = sorted.binary_search(&row) {
        sorted.insert(at, row);
    }
}

fn remove(sorted: &mut Vec<usize>, row: usize) {
    if let Ok(at) = sorted.binary_search(&row) {
        sorted.remove(at);
    }
}

fn coefficient(row: &[(usize, Q)], column: usize) -> &Q {
    let at = row.binary_search_by_key(&column, |(c, _)| *c).expect("the column occurs in the row");
    &row[at].1
}

/// `a + factor · b`.
fn add_scaled(a: &[(usize, Q)], factor: &Q, b: &[(usize, Q)]) -> Coefficients {
    let mut sum = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let (ca, cb) = (a.get(i).map_or(usize::MAX, |x| x.0), b.get(j).map_or(usize::MAX, |x| x.0));
        let mut q = Q::ZERO;
        if ca <= cb {
            q = a[i].1.clone();
            i += 1;
        }
        if cb <= ca {
            q += &(factor * &b[j].1);
            j += 1;
        }
        if !q.is_zero() {
            sum.push((ca.min(cb), q));
        }
    }
    sum
}
