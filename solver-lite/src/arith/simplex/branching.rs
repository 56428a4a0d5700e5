//! Tableau queries of the search for integer points.

use crate::arith::branch::Choice;
use crate::arith::simplex::{Column, Simplex};
use crate::cdcl::lit::Lit;
use crate::number::Q;
use crate::term::{Node, Term, Terms};

/// Terms with wider ranges are split last.
const WIDTH: i64 = 64;

impl Simplex {
    /// Are the values of all integer terms integers?
    pub(crate) fn is_integral(&self, terms: &Terms) -> bool {
        self.integers(terms).all(|c| c.value.is_integer())
    }

    /// The columns of integer terms that are not sums.
    fn integers<'a>(&'a self, terms: &'a Terms) -> impl Iterator<Item = &'a Column> {
        self.columns.iter().filter(|c| c.integer && !matches!(terms.node(c.term), Node::Linear(..)))
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
    pub(crate) fn is_fixed(&self, lit: Lit) -> bool {
        let atom = self.atoms[lit.var() as usize].as_ref();
        let column = atom.map(|a| &self.columns[a.column as usize]);
        column.and_then(|c| Some(c.lower.as_ref()?.value == c.upper.as_ref()?.value)).unwrap_or(false)
    }

    /// Columns fixed by two equal bounds: the form's term, its value, and the two reasons (≤ first).
    pub(crate) fn fixed(&self) -> Vec<(Term, Q, [Lit; 2])> {
        let fixed = |c: &Column| match (&c.lower, &c.upper) {
            (Some(l), Some(u)) if l.value == u.value && l.value.infinitesimal.is_zero() => {
                Some((c.term, l.value.real.clone(), [u.reason, l.reason]))
            }
            _ => None,
        };
        self.columns.iter().filter_map(fixed).collect()
    }
}
