//! Systems of linear equations over the integers: a certificate when there is no solution.
//!
//! `A·x = b` has no integer solution exactly when some rational row combination `y` makes `y·A` integer and `y·b`
//! fractional (the integer analogue of Farkas' lemma; Schrijver, "Theory of Linear and Integer Programming", section
//! 4.1). Column operations bring `A` into lower triangular form; the first fractional unknown of the triangular system
//! names the row of the inverse that is `y`.

use std::collections::BTreeMap;

use crate::number::Q;
use crate::term::Term;

/// One equation `Σ coefficient · term = constant` with integer coefficients.
#[derive(Clone, Debug)]
pub(crate) struct Equation {
    pub(crate) terms: Vec<(Term, Q)>,
    pub(crate) constant: Q,
}

/// The multipliers, one an equation, which prove that the system has no integer solution; `None` when it has one or
/// has no rational solution either.
pub(crate) fn refute(equations: &[Equation]) -> Option<Vec<Q>> {
    let mut index: BTreeMap<Term, usize> = BTreeMap::new();
    for (t, _) in equations.iter().flat_map(|e| &e.terms) {
        let next = index.len();
        index.entry(*t).or_insert(next);
    }
    // Columns of A, to be combined; entry i of a column belongs to equation i.
    let mut columns = vec![vec![Q::ZERO; equations.len()]; index.len()];
    for (i, e) in equations.iter().enumerate() {
        for (t, q) in &e.terms {
            columns[index[t]][i] = q.clone();
        }
    }
    let mut pivots: Vec<usize> = Vec::new(); // equation of each triangular column
    for row in 0..equations.len() {
        let done = pivots.len();
        if clear_row(&mut columns[done..], row) {
            pivots.push(row);
        }
        if let Some(y) = fractional_unknown(equations, &columns, &pivots) {
            return Some(y);
        }
    }
    None
}

/// Euclid's algorithm on the entries of `row`: afterwards only the first column may be nonzero there. Is it?
fn clear_row(columns: &mut [Vec<Q>], row: usize) -> bool {
    loop {
        let nonzero = (0..columns.len()).filter(|c| !columns[*c][row].is_zero());
        let Some(least) = nonzero.min_by(|a, b| columns[*a][row].abs().cmp(&columns[*b][row].abs())) else {
            return false;
        };
        columns.swap(0, least);
        let (first, rest) = columns.split_first_mut().expect("not empty");
        let mut changed = false;
        for c in rest.iter_mut().filter(|c| !c[row].is_zero()) {
            let factor = (&c[row] / &first[row]).floor();
            for (x, p) in c.iter_mut().zip(first.iter()) {
                *x = &*x - &(&factor * p);
            }
            changed |= !c[row].is_zero();
        }
        if !changed {
            return true;
        }
    }
}

/// Row of the inverse of the triangular part for the last unknown, if that unknown is fractional.
fn fractional_unknown(equations: &[Equation], columns: &[Vec<Q>], pivots: &[usize]) -> Option<Vec<Q>> {
    let n = pivots.len();
    let last = n.checked_sub(1)?;
    // Solve z · H = e_last for the triangular H[r][c] = columns[c][pivots[r]], from the last column backwards.
    let mut z = vec![Q::ZERO; n];
    z[last] = columns[last][pivots[last]].recip();
    for c in (0..last).rev() {
        let mut sum = Q::ZERO;
        for r in c + 1..n {
            sum += &(&z[r] * &columns[c][pivots[r]]);
        }
        z[c] = -&(&sum / &columns[c][pivots[c]]);
    }
    let mut y = vec![Q::ZERO; equations.len()];
    let mut constant = Q::ZERO;
    for (r, q) in z.into_iter().enumerate() {
        constant += &(&q * &equations[pivots[r]].constant);
        y[pivots[r]] = q;
    }
    (!constant.is_integer()).then_some(y)
}
