//! Formulas of branching time on a reachability graph (Clarke, Emerson and Sistla 1986, section 3): the set of markings
//! that satisfy a formula is computed from those of its operands, each in time linear in the graph.
//!
//! Paths are maximal: one that ends in a deadlock is a path.

use super::condition::Condition;
use super::explore::Explorer;
use super::graph::{Graph, Reversed};
use crate::ctl::{Ctl, Quantifier};
use crate::ltl::Temporal;

/// A set of markings, by number.
pub type Set = Vec<bool>;

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

/// A complete reachability graph on which formulas are evaluated.
pub struct Branching<'a> {
    pub(super) explorer: &'a Explorer,
    pub(super) graph: &'a Graph,
    pub(super) reversed: Reversed,
}

impl<'a> Branching<'a> {
    /// The graph of a search that is complete; none if it keeps no graph.
    #[must_use]
    pub fn new(explorer: &'a Explorer) -> Option<Branching<'a>> {
        let graph = explorer.graph()?;
        Some(Branching { explorer, graph, reversed: graph.reversed() })
    }

    /// The markings that satisfy a formula; none if a condition has no value in a marking.
    #[must_use]
    pub fn satisfied(&self, formula: &Ctl) -> Option<Set> {
        let operands: Vec<Set> =
            formula.children().iter().map(|operand| self.satisfied(operand)).collect::<Option<_>>()?;
        self.combined(formula, operands.iter().collect())
    }

    /// The markings that satisfy a formula, from those that satisfy its operands.
    pub(super) fn combined(&self, formula: &Ctl, operands: Vec<&Set>) -> Option<Set> {
        let size = self.graph.len();
        let each = |inside: &dyn Fn(usize) -> bool| -> Set { (0..size).map(inside).collect() };
        Some(match formula {
            Ctl::Condition(e) => self.explorer.satisfying(&Condition::of(e))?,
            Ctl::Not(_) => complement(operands[0]),
            Ctl::And(_) => each(&|m| operands.iter().all(|set| set[m])),
            Ctl::Or(_) => each(&|m| operands.iter().any(|set| set[m])),
            Ctl::Unary(Quantifier::Some, op, _) | Ctl::Binary(Quantifier::Some, op, _) => {
                self.on_some_path(*op, &operands)
            }
            // On all paths: there is none on which the negation is true.
            Ctl::Unary(Quantifier::All, op, _) | Ctl::Binary(Quantifier::All, op, _) => {
                let negated: Vec<Set> = operands.into_iter().map(complement).collect();
                complement(&self.on_some_path(op.dual(), &negated.iter().collect::<Vec<_>>()))
            }
        })
    }

    /// The markings where a path begins on which a temporal operator is true.
    fn on_some_path(&self, op: Temporal, operands: &[&Set]) -> Set {
        let size = self.graph.len();
        if op == Temporal::Next {
            let inside = |m: usize| self.graph.after(m).iter().any(|f| operands[0][f.to as usize]);
            return (0..size).map(inside).collect();
        }
        let mut found: Set = vec![false; size];
        for shape in shapes(op) {
            let along = shape.along.map(|i| operands[i]);
            let set = match shape.end {
                Some(end) => {
                    let end = (0..size).map(|m| end.iter().all(|i| operands[*i][m])).collect();
                    until(&self.reversed, |m| along.is_none_or(|set| set[m]), end)
                }
                None => {
                    always(self.graph, &self.reversed, along.map_or_else(|| vec![true; size], Set::clone))
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

/// `EG a`: markings without a successor in the set are removed, unless they are deadlocks.
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
