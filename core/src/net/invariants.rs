//! Place and transition invariants (Murata 1989, section VII): non-negative integer vectors y with yᵀC = 0, and x with
//! Cx = 0, for the incidence matrix C, whose rows are the places.
//!
//! The minimal ones are computed by the algorithm of Farkas as Martínez and Silva give it ("A Simple and Fast Algorithm
//! to Obtain All Invariants of a Generalised Petri Net", 1982):
//!
//! ```text
//! the rows are [C | I]
//! for each column of C
//!   add each positive combination of two rows that makes the column 0, if its support is minimal
//!   remove the rows whose entry in the column is not 0
//! the right halves of the rows are the minimal invariants
//! ```

use super::{Net, PlaceId, TransitionId};

/// An invariant: the positive entries, by index of place or transition, in ascending order. Their greatest common
/// divisor is 1.
pub type Invariant = Vec<(usize, u64)>;

/// There are more invariants, or greater numbers in them, than are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

/// The greatest number of rows in a step of the algorithm.
pub const ROWS: usize = 5_000;

/// The minimal place invariants: the weighted sum of tokens is the same in all reachable markings.
///
/// # Errors
/// If there are too many.
pub fn of_places(net: &Net, rows: usize) -> Result<Vec<Invariant>, TooMany> {
    let mut effects: Vec<Vec<(usize, i64)>> = vec![Vec::new(); net.places.len()];
    for t in net.transition_ids() {
        for (PlaceId(p), change) in net.effect(t) {
            effects[p as usize].push((t.index(), change));
        }
    }
    minimal(effects, net.transitions.len(), rows)
}

/// The minimal transition invariants: a firing sequence with these numbers of firings leads back to its first marking.
///
/// # Errors
/// If there are too many.
pub fn of_transitions(net: &Net, rows: usize) -> Result<Vec<Invariant>, TooMany> {
    let effect = |t: TransitionId| net.effect(t).into_iter().map(|(p, change)| (p.index(), change)).collect();
    minimal(net.transition_ids().map(effect).collect(), net.places.len(), rows)
}

/// The weighted sum of the tokens of an invariant's places in a marking.
#[must_use]
pub fn sum(invariant: &Invariant, marking: &[u32]) -> u128 {
    invariant.iter().map(|(p, weight)| u128::from(*weight) * u128::from(marking[*p])).sum()
}

/// For each place the smallest upper bound of its tokens that an invariant gives.
#[must_use]
pub fn bounds(net: &Net, invariants: &[Invariant]) -> Vec<Option<u32>> {
    let initial = net.initial();
    let mut bounds: Vec<Option<u32>> = vec![None; net.places.len()];
    for invariant in invariants {
        let total = sum(invariant, &initial);
        for (p, weight) in invariant {
            let bound = u32::try_from(total / u128::from(*weight)).ok();
            bounds[*p] = match (bounds[*p], bound) {
                (Some(known), Some(new)) => Some(known.min(new)),
                (known, new) => known.or(new),
            };
        }
    }
    bounds
}

/// A row: what is left of the matrix, and the combination that it comes from. Both are sparse and sorted.
#[derive(Clone, Debug)]
struct Row {
    left: Vec<(usize, i64)>,
    from: Vec<(usize, u64)>,
}

impl Row {
    fn entry(&self, column: usize) -> i64 {
        self.left.binary_search_by_key(&column, |(c, _)| *c).map_or(0, |at| self.left[at].1)
    }

    /// The positive combination of two rows that makes a column 0; none if numbers become too large.
    fn combined(&self, other: &Row, column: usize) -> Option<Row> {
        let (a, b) = (self.entry(column).unsigned_abs(), other.entry(column).unsigned_abs());
        let common = gcd(a, b);
        let (own, others) = (i64::try_from(b / common).ok()?, i64::try_from(a / common).ok()?);
        let left =
            merged(&self.left, &other.left, |x, y| x.checked_mul(own)?.checked_add(y.checked_mul(others)?))?;
        let (own, others) = (own.unsigned_abs(), others.unsigned_abs());
        let from =
            merged(&self.from, &other.from, |x, y| x.checked_mul(own)?.checked_add(y.checked_mul(others)?))?;
        let divisor =
            from.iter().map(|(_, x)| *x).chain(left.iter().map(|(_, x)| x.unsigned_abs())).fold(0, gcd);
        let signed = i64::try_from(divisor).ok()?;
        Some(Row {
            left: left.into_iter().map(|(c, x)| (c, x / signed)).collect(),
            from: from.into_iter().map(|(c, x)| (c, x / divisor)).collect(),
        })
    }

    /// Is the support of this row a subset of the other's?
    fn is_within(&self, other: &Row) -> bool {
        let mut others = other.from.iter().map(|(c, _)| *c);
        self.from.iter().all(|(c, _)| others.any(|o| o == *c))
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Two sparse vectors, entry by entry, without zeros.
fn merged<T: Copy + Default + PartialEq>(
    a: &[(usize, T)],
    b: &[(usize, T)],
    entry: impl Fn(T, T) -> Option<T>,
) -> Option<Vec<(usize, T)>> {
    let (mut i, mut j) = (0, 0);
    let mut all = Vec::with_capacity(a.len() + b.len());
    while i < a.len() || j < b.len() {
        let column = match (a.get(i), b.get(j)) {
            (Some((x, _)), Some((y, _))) => *x.min(y),
            (Some((x, _)), None) | (None, Some((x, _))) => *x,
            (None, None) => unreachable!("one of them is left"),
        };
        let take = |list: &[(usize, T)], at: &mut usize| match list.get(*at) {
            Some((c, x)) if *c == column => {
                *at += 1;
                *x
            }
            _ => T::default(),
        };
        let value = entry(take(a, &mut i), take(b, &mut j))?;
        if value != T::default() {
            all.push((column, value));
        }
    }
    Some(all)
}

/// The minimal non-negative combinations of the rows that are 0.
fn minimal(effects: Vec<Vec<(usize, i64)>>, columns: usize, most: usize) -> Result<Vec<Invariant>, TooMany> {
    let mut rows: Vec<Row> =
        effects.into_iter().enumerate().map(|(i, left)| Row { left, from: vec![(i, 1)] }).collect();
    let mut open: Vec<usize> = (0..columns).collect();
    while !open.is_empty() {
        // The column that adds the fewest rows.
        let mut signs = vec![(0_usize, 0_usize); columns];
        for (column, x) in rows.iter().flat_map(|r| &r.left) {
            let (plus, minus) = &mut signs[*column];
            *(if *x > 0 { plus } else { minus }) += 1;
        }
        let cost = |c: usize| (signs[c].0 * signs[c].1).saturating_sub(signs[c].0 + signs[c].1);
        let at = (0..open.len()).min_by_key(|i| (cost(open[*i]), open[*i])).expect("a column is left");
        let column = open.swap_remove(at);
        if signs[column] == (0, 0) {
            continue;
        }
        let (touched, mut kept): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|r| r.entry(column) != 0);
        let (plus, minus): (Vec<&Row>, Vec<&Row>) = touched.iter().partition(|r| r.entry(column) > 0);
        if plus.len().saturating_mul(minus.len()) > 20 * most {
            return Err(TooMany);
        }
        for a in &plus {
            for b in &minus {
                let row = a.combined(b, column).ok_or(TooMany)?;
                if !kept.iter().any(|k| k.is_within(&row)) {
                    kept.retain(|k| !row.is_within(k));
                    kept.push(row);
                }
                if kept.len() > most {
                    return Err(TooMany);
                }
            }
        }
        rows = kept;
    }
    let mut invariants: Vec<Invariant> = rows.into_iter().map(|r| r.from).collect();
    invariants.sort();
    Ok(invariants)
}
