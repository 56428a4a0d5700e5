//! Formulas of branching time on a reachability graph (Clarke, Emerson and Sistla 1986, section 3): the set of markings
//! that satisfy a formula is computed from those of its subformulas, each in time linear in the graph.
//!
//! Paths are maximal: one that ends in a deadlock is a path.

use super::condition::Condition;
use super::graph::{Graph, Reversed};
use crate::ctl::{Ctl, Quantifier};
use crate::ltl::Temporal;

/// A formula over the operators that are computed.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A condition on the marking.
    Condition(Condition),
    /// The negation.
    Not(Box<Formula>),
    /// The conjunction.
    And(Vec<Formula>),
    /// The disjunction.
    Or(Vec<Formula>),
    /// `EX a`
    Next(Box<Formula>),
    /// `E[a U b]`
    Until(Box<[Formula; 2]>),
    /// `EG a`
    Always(Box<Formula>),
}

/// A set of markings, by number.
pub type Set = Vec<bool>;

impl Formula {
    /// The formula over these operators.
    #[must_use]
    pub fn of(formula: &Ctl) -> Formula {
        use Quantifier::{All, Some};
        use Temporal::{Finally, Globally, Next, Release, StrongRelease, Until, WeakUntil};
        let all = |parts: &[Ctl]| parts.iter().map(Formula::of).collect();
        match formula {
            Ctl::Condition(e) => Formula::Condition(Condition::of(e)),
            Ctl::Not(a) => Formula::of(a).negated(),
            Ctl::And(parts) => Formula::And(all(parts)),
            Ctl::Or(parts) => Formula::Or(all(parts)),
            Ctl::Unary(quantifier, op, a) => {
                let a = Formula::of(a);
                match (quantifier, op) {
                    (Some, Next) => Formula::Next(Box::new(a)),
                    (All, Next) => Formula::Next(Box::new(a.negated())).negated(),
                    (Some, Finally) => Formula::finally(a),
                    (All, Globally) => Formula::finally(a.negated()).negated(),
                    (Some, _) => Formula::Always(Box::new(a)),
                    (All, _) => Formula::Always(Box::new(a.negated())).negated(),
                }
            }
            Ctl::Binary(quantifier, op, ab) => {
                let [a, b] = [Formula::of(&ab[0]), Formula::of(&ab[1])];
                let both = || Formula::And(vec![a.clone(), b.clone()]);
                let neither = || Formula::And(vec![a.clone().negated(), b.clone().negated()]);
                let always = |a: &Formula| Formula::Always(Box::new(a.clone()));
                let until = |a: &Formula, b: Formula| Formula::Until(Box::new([a.clone(), b]));
                // On all paths `a U b`: on none is b false up to a point where a is false, too, or for ever.
                let on_all = |a: &Formula, b: Formula| {
                    let not_b = b.clone().negated();
                    let ends = Formula::And(vec![a.clone().negated(), not_b.clone()]);
                    Formula::Or(vec![until(&not_b, ends), always(&not_b)]).negated()
                };
                match (quantifier, op) {
                    (Some, Until) => until(&a, b.clone()),
                    (All, Until) => on_all(&a, b.clone()),
                    (Some, Release) => Formula::Or(vec![until(&b, both()), always(&b)]),
                    (All, Release) => until(&a.clone().negated(), b.clone().negated()).negated(),
                    (Some, WeakUntil) => Formula::Or(vec![until(&a, b.clone()), always(&a)]),
                    (All, WeakUntil) => until(&b.clone().negated(), neither()).negated(),
                    (Some, StrongRelease) => until(&b, both()),
                    (All, StrongRelease) => on_all(&b, both()),
                    (_, Next | Finally | Globally) => unreachable!("operators with one operand"),
                }
            }
        }
    }

    /// The negation; double negations cancel.
    #[must_use]
    pub fn negated(self) -> Formula {
        match self {
            Formula::Not(inner) => *inner,
            Formula::Condition(c) => Formula::Condition(c.negated()),
            other => Formula::Not(Box::new(other)),
        }
    }

    fn finally(a: Formula) -> Formula {
        Formula::Until(Box::new([Formula::Condition(Condition::Constant(true)), a]))
    }

    /// The markings that satisfy the formula. `holds` gives those that satisfy a condition.
    ///
    /// # Errors
    /// If a condition has no value in a marking.
    pub fn satisfied(
        &self,
        (graph, reversed): (&Graph, &Reversed),
        holds: &dyn Fn(&Condition) -> Option<Set>,
    ) -> Option<Set> {
        let of = |formula: &Formula| formula.satisfied((graph, reversed), holds);
        Option::Some(match self {
            Formula::Condition(c) => holds(c)?,
            Formula::Not(a) => of(a)?.into_iter().map(|x| !x).collect(),
            Formula::And(parts) => joined(graph.len(), parts, true, &of)?,
            Formula::Or(parts) => joined(graph.len(), parts, false, &of)?,
            Formula::Next(a) => {
                let a = of(a)?;
                (0..graph.len()).map(|m| graph.after(m).iter().any(|f| a[f.to as usize])).collect()
            }
            Formula::Until(ab) => until(reversed, &of(&ab[0])?, of(&ab[1])?),
            Formula::Always(a) => always(graph, reversed, of(a)?),
        })
    }
}

/// The conjunction or disjunction of sets.
fn joined(
    size: usize,
    parts: &[Formula],
    conjunction: bool,
    of: &dyn Fn(&Formula) -> Option<Set>,
) -> Option<Set> {
    let mut result = vec![conjunction; size];
    for part in parts {
        for (x, y) in result.iter_mut().zip(of(part)?) {
            *x = if conjunction { *x && y } else { *x || y };
        }
    }
    Option::Some(result)
}

/// `E[a U b]`: backwards from `b` through `a`.
fn until(reversed: &Reversed, a: &Set, b: Set) -> Set {
    let mut open: Vec<usize> = (0..b.len()).filter(|m| b[*m]).collect();
    let mut found = b;
    while let Option::Some(at) = open.pop() {
        for &before in reversed.before(at) {
            let before = before as usize;
            if a[before] && !found[before] {
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
