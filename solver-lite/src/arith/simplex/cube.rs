//! The cube test: an integer point near the centre of the polyhedron (Bromberger and Weidenbach, "Fast Cube Tests
//! for LIA Constraint Solving", 2016, section 4).
//!
//! When every bound of a sum is tightened by half the sum of the absolute values of its integer coefficients, a
//! solution is the centre of a unit cube of solutions, and rounding stays inside. That finds points where splitting
//! does not terminate, as in unbounded cones.

use crate::arith::delta::Delta;
use crate::arith::simplex::{Bound, ColumnId, Side, Simplex};
use crate::hash::Map;
use crate::number::Q;
use crate::term::{Node, Sort, Term, Terms};

impl Simplex {
    /// An integer solution, if the centre of a unit cube of solutions is found. The bounds are restored afterwards.
    pub(crate) fn cube(&mut self, terms: &Terms, pivots: u64) -> Option<Map<Term, Q>> {
        let mark = self.mark();
        let found = self.tighten(terms) && self.check(pivots).is_ok();
        let values = found.then(|| self.values());
        self.undo(mark);
        let rounded = self.rounded(terms, &values?);
        self.fits(&rounded).then_some(rounded)
    }

    /// Tightens all bounds; `false` if some cannot be.
    fn tighten(&mut self, terms: &Terms) -> bool {
        for column in 0..self.columns.len() as ColumnId {
            let c = &self.columns[column as usize];
            let half = Delta::from(&size(terms, c.term) * &Q::ratio(1, 2));
            let (lower, upper) = (c.lower.clone(), c.upper.clone());
            let bounds = [(Side::Lower, lower, half.scaled(&Q::MINUS_ONE)), (Side::Upper, upper, half)];
            for (side, bound, by) in bounds {
                let Some(Bound { value, reason }) = bound else { continue };
                if self.assert_bound(column, side, Bound { value: value.minus(&by), reason }).is_err() {
                    return false;
                }
            }
        }
        true
    }

    /// Integer variables rounded, sums recomputed.
    fn rounded(&self, terms: &Terms, values: &Map<Term, Q>) -> Map<Term, Q> {
        let half = Q::ratio(1, 2);
        let variable = |t: Term| {
            let value = values.get(&t).cloned().unwrap_or(Q::ZERO);
            if terms.sort(t) == Sort::Int { (&value + &half).floor() } else { value }
        };
        let value = |t: Term| match terms.node(t) {
            Node::Linear(_, sum) => {
                let mut total = sum.constant.clone();
                sum.terms.iter().for_each(|(x, q)| total.add_product(q, &variable(*x)));
                total
            }
            _ => variable(t),
        };
        self.columns.iter().map(|c| (c.term, value(c.term))).collect()
    }

    /// Are these values within all bounds?
    fn fits(&self, values: &Map<Term, Q>) -> bool {
        self.columns.iter().all(|c| {
            let value = Delta::from(values[&c.term].clone());
            c.lower.as_ref().is_none_or(|b| b.value <= value)
                && c.upper.as_ref().is_none_or(|b| value <= b.value)
        })
    }
}

/// The sum of the absolute values of a form's integer coefficients.
fn size(terms: &Terms, form: Term) -> Q {
    let mut size = Q::ZERO;
    let sum = terms.linear(form);
    sum.terms.iter().filter(|(x, _)| terms.sort(*x) == Sort::Int).for_each(|(_, q)| size += &q.abs());
    size
}
