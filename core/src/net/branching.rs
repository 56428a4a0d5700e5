//! Formulas of branching time on a reachability graph (Clarke, Emerson and Sistla 1986, section 3): the set of markings
//! that satisfy a formula is computed from those of its operands, each in time linear in the graph.
//!
//! Paths are maximal: one that ends in a deadlock is a path.
//!
//! A formula can be decided before all markings are known. The firings of a marking that has not been expanded are
//! unknown, so there are two sets: of the markings that certainly satisfy a formula, and of those that possibly do
//! (Bruns and Godefroid, "Model Checking Partial State Spaces with 3-Valued Temporal Logics", 1999).

use super::condition::Condition;
use super::explore::Explorer;
use super::graph::{Graph, Reversed};
use crate::ctl::{Ctl, Quantifier};
use crate::ltl::Temporal;

/// The number of markings that are expanded before a formula is evaluated on an incomplete graph; it is evaluated again
/// after twice as many.
pub const FIRST: usize = 4_096;

/// A set of markings, by number.
pub type Set = Vec<bool>;

/// Which markings are in a set if there are some whose firings are unknown. If there are none, both sets are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Those that satisfy the formula whatever the unknown firings are.
    Certain,
    /// Those that satisfy the formula for some unknown firings.
    Possible,
}

impl Bound {
    /// The markings outside of this set satisfy the negation in the sense of the other bound.
    fn opposite(self) -> Bound {
        match self {
            Bound::Certain => Bound::Possible,
            Bound::Possible => Bound::Certain,
        }
    }
}

/// A condition has no value in a marking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoValue;

/// A kind of paths on which a temporal formula is true; operands are given by their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// The operand that is true in the markings before the end, or in all of them.
    pub(super) along: Option<usize>,
    /// The operands that are true at the end; none if the path goes on for ever, or to a deadlock.
    pub(super) end: Option<&'static [usize]>,
}

/// The kinds of paths on which a temporal operator other than `X` is true.
pub(super) fn shapes(op: Temporal) -> &'static [Shape] {
    const fn reach(along: Option<usize>, end: &'static [usize]) -> Shape {
        Shape { along, end: Some(end) }
    }
    const fn forever(along: usize) -> Shape {
        Shape { along: Some(along), end: None }
    }
    match op {
        Temporal::Finally => &const { [reach(None, &[0])] },
        Temporal::Globally => &const { [forever(0)] },
        Temporal::Until => &const { [reach(Some(0), &[1])] },
        Temporal::WeakUntil => &const { [reach(Some(0), &[1]), forever(0)] },
        Temporal::StrongRelease => &const { [reach(Some(1), &[0, 1])] },
        Temporal::Release => &const { [reach(Some(1), &[0, 1]), forever(1)] },
        Temporal::Next => unreachable!("X is about one step"),
    }
}

/// A reachability graph on which formulas are evaluated.
pub struct Branching<'a> {
    pub(super) explorer: &'a Explorer,
    pub(super) graph: &'a Graph,
    pub(super) reversed: Reversed,
}

impl<'a> Branching<'a> {
    /// The graph of a search; none if it keeps no graph.
    #[must_use]
    pub fn new(explorer: &'a Explorer) -> Option<Branching<'a>> {
        let graph = explorer.graph()?;
        Some(Branching { explorer, graph, reversed: graph.reversed(explorer.len()) })
    }

    /// The truth of a formula in the initial marking, if the expanded markings decide it, and the number of markings
    /// that certainly satisfy it.
    ///
    /// # Errors
    /// A condition has no value in a marking.
    pub fn decided(&self, formula: &Ctl) -> Result<(Option<bool>, usize), NoValue> {
        let certain = self.satisfied(formula, Bound::Certain).ok_or(NoValue)?;
        let count = certain.iter().filter(|x| **x).count();
        if certain[0] || self.explorer.is_complete() {
            return Ok((Some(certain[0]), count));
        }
        let possible = self.satisfied(formula, Bound::Possible).ok_or(NoValue)?;
        Ok(((!possible[0]).then_some(false), count))
    }

    /// The markings that satisfy a formula; none if a condition has no value in a marking.
    #[must_use]
    pub fn satisfied(&self, formula: &Ctl, bound: Bound) -> Option<Set> {
        let inner = Branching::of_operands(formula, bound);
        let operands: Vec<Set> =
            formula.children().iter().map(|operand| self.satisfied(operand, inner)).collect::<Option<_>>()?;
        self.combined(formula, operands.iter().collect(), bound)
    }

    /// The bound of the operands' sets.
    pub(super) fn of_operands(formula: &Ctl, bound: Bound) -> Bound {
        if matches!(formula, Ctl::Not(_)) { bound.opposite() } else { bound }
    }

    /// The markings that satisfy a formula, from those that satisfy its operands.
    pub(super) fn combined(&self, formula: &Ctl, operands: Vec<&Set>, bound: Bound) -> Option<Set> {
        let size = self.explorer.len();
        let each = |inside: &dyn Fn(usize) -> bool| -> Set { (0..size).map(inside).collect() };
        Some(match formula {
            Ctl::Condition(e) => self.explorer.satisfying(&Condition::of(e))?,
            Ctl::Not(_) => complement(operands[0]),
            Ctl::And(_) => each(&|m| operands.iter().all(|set| set[m])),
            Ctl::Or(_) => each(&|m| operands.iter().any(|set| set[m])),
            Ctl::Unary(Quantifier::Some, op, _) | Ctl::Binary(Quantifier::Some, op, _) => {
                self.on_some_path(*op, &operands, bound)
            }
            // On all paths: there is none on which the negation is true.
            Ctl::Unary(Quantifier::All, op, _) | Ctl::Binary(Quantifier::All, op, _) => {
                let negated: Vec<Set> = operands.into_iter().map(complement).collect();
                let negated: Vec<&Set> = negated.iter().collect();
                complement(&self.on_some_path(op.dual(), &negated, bound.opposite()))
            }
        })
    }

    /// The markings where a path begins on which a temporal operator is true.
    fn on_some_path(&self, op: Temporal, operands: &[&Set], bound: Bound) -> Set {
        let (size, expanded) = (self.explorer.len(), self.explorer.expanded());
        let may_continue = |m: usize| m >= expanded && bound == Bound::Possible;
        if op == Temporal::Next {
            let inside = |m: usize| self.graph.after(m).iter().any(|f| operands[0][f.to as usize]);
            return (0..size).map(|m| may_continue(m) || inside(m)).collect();
        }
        let mut found: Set = vec![false; size];
        for shape in shapes(op) {
            let along = |m: usize| shape.along.is_none_or(|i| operands[i][m]);
            let set = match shape.end {
                Some(end) => {
                    let ends = |m: usize| end.iter().all(|i| operands[*i][m]) || may_continue(m) && along(m);
                    until(&self.reversed, along, (0..size).map(ends).collect())
                }
                None => {
                    let goes_on = |m: usize| along(m) && (m < expanded || may_continue(m));
                    always(self.graph, &self.reversed, (0..size).map(goes_on).collect())
                }
            };
            found.iter_mut().zip(set).for_each(|(x, y)| *x |= y);
        }
        found
    }
}

fn complement(set: &Set) -> Set {
    set.iter().map(|x| !x).collect()
}

/// `E[a U b]`: backwards from `b` through `a`.
fn until(reversed: &Reversed, a: impl Fn(usize) -> bool, b: Set) -> Set {
    let mut open: Vec<usize> = (0..b.len()).filter(|m| b[*m]).collect();
    let mut found = b;
    while let Option::Some(at) = open.pop() {
        for &before in reversed.before(at) {
            let before = before as usize;
            if a(before) && !found[before] {
                found[before] = true;
                open.push(before);
            }
        }
    }
    found
}

/// `EG a`: markings without a successor in the set are removed, unless no successor is known.
pub(super) fn always(graph: &Graph, reversed: &Reversed, a: Set) -> Set {
    let mut kept = a;
    let inside = |kept: &Set, m: usize| graph.after(m).iter().filter(|f| kept[f.to as usize]).count();
    let mut left: Vec<usize> = (0..kept.len()).map(|m| inside(&kept, m)).collect();
    let mut open: Vec<usize> =
        (0..kept.len()).filter(|m| kept[*m] && left[*m] == 0 && !graph.after(*m).is_empty()).collect();
    open.iter().for_each(|m| kept[*m] = false);
    while let Option::Some(at) = open.pop() {
        for &before in reversed.before(at) {
            let before = before as usize;
            left[before] -= 1;
            if left[before] == 0 && kept[before] {
                kept[before] = false;
                open.push(before);
            }
        }
    }
    kept
}
