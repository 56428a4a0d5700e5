//! Firings that a search left out, checked in each marking.
//!
//! The transitions to be fired are proposed by the engine; what is proposed is not trusted. It is checked by the
//! definition of stubborn sets (Bønneland, Dyhr, Jensen, Johannsen and Srba, "Stubborn versus structural reductions
//! for Petri nets", 2019): the transitions outside of the set can be postponed, and each path to a violation contains a
//! transition of the set.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use solver_lite::term::Value;

use super::check::{Rejection, reject};
use super::explored::truth;
use crate::expr::{Binary, Expr, Kind, Nary, Sign, Unary};
use crate::net::condition::Condition;
use crate::net::stubborn::{Guide, Stubborn, Target};
use crate::net::{Net, PlaceArc, Transition, TransitionId};
use crate::property::Property;

/// The check of one net and property.
pub(super) struct LeftOut<'a> {
    net: &'a Net,
    property: &'a Property,
    proposals: Stubborn,
    /// By place, the transitions at it.
    at: Vec<At>,
}

/// The transitions at a place, by what they need and do.
#[derive(Clone, Default)]
struct At {
    need: Vec<usize>,
    inhibited: Vec<usize>,
    increase: Vec<usize>,
    decrease: Vec<usize>,
}

/// The change of a place by a transition.
fn change(t: &Transition, place: usize) -> i64 {
    let weight = |arcs: &[PlaceArc]| -> i64 {
        arcs.iter().filter(|arc| arc.place.index() == place).map(|arc| i64::from(arc.weight)).sum()
    };
    weight(&t.outputs) - weight(&t.inputs)
}

impl<'a> LeftOut<'a> {
    /// The check for a property; an error if firings cannot be left out for it.
    pub(super) fn new(net: &'a Net, property: &'a Property) -> Result<LeftOut<'a>, Rejection> {
        let target = match property {
            Property::Invariant(e) => Target::Condition(Guide::new(net, &Condition::of(e).negated())),
            Property::Reachable(e) => Target::Condition(Guide::new(net, &Condition::of(e))),
            Property::DeadlockFree => Target::Dead,
            _ => return reject("firings cannot be left out for this property"),
        };
        let mut at = vec![At::default(); net.places.len()];
        for (number, t) in net.transitions.iter().enumerate() {
            t.inputs.iter().for_each(|arc| at[arc.place.index()].need.push(number));
            t.inhibitors.iter().for_each(|arc| at[arc.place.index()].inhibited.push(number));
            let mut places: Vec<usize> =
                t.inputs.iter().chain(&t.outputs).map(|arc| arc.place.index()).collect();
            places.sort_unstable();
            places.dedup();
            for place in places {
                match change(t, place) {
                    1.. => at[place].increase.push(number),
                    0 => {}
                    _ => at[place].decrease.push(number),
                }
            }
        }
        Ok(LeftOut { net, property, proposals: Stubborn::new(net, target), at })
    }

    /// The transitions that have to be fired in a marking that does not violate the property, of those that are
    /// enabled.
    pub(super) fn selected(&mut self, marking: &[u32], enabled: &[usize]) -> Result<Vec<usize>, Rejection> {
        if enabled.len() < 2 {
            return Ok(enabled.to_vec());
        }
        let ids: Vec<TransitionId> = enabled.iter().map(|t| TransitionId::new(*t)).collect();
        self.proposals.compute(self.net, &|p| marking[p.index()], &ids);
        let inside: Vec<bool> = self.net.transition_ids().map(|t| self.proposals.contains(t)).collect();
        let is_enabled = |t: usize| enabled.binary_search(&t).is_ok();
        let fine = inside.iter().enumerate().filter(|(_, is)| **is).all(|(t, _)| {
            if is_enabled(t) { self.postpones(t, &inside) } else { self.stays_disabled(t, marking, &inside) }
        });
        let begins = match self.property {
            Property::Invariant(e) => self.needs(e, false, marking, &inside)?,
            Property::Reachable(e) => self.needs(e, true, marking, &inside)?,
            _ => enabled.iter().any(|t| inside[*t] && self.stays_enabled(*t, &inside)),
        };
        if !(fine && begins) {
            let text = self.net.marking_text(marking);
            return reject(format!("in the marking {text}, firings that matter were left out"));
        }
        Ok(enabled.iter().copied().filter(|t| inside[*t]).collect())
    }

    /// Do all transitions with this property belong to the set?
    fn has_all(&self, inside: &[bool], which: impl Fn(&Transition) -> bool) -> bool {
        self.net.transitions.iter().zip(inside).all(|(t, inside)| *inside || !which(t))
    }

    /// Can all transitions outside of the set fire after this one if they can fire before it?
    fn postpones(&self, t: usize, inside: &[bool]) -> bool {
        let t = &self.net.transitions[t];
        let places = t.inputs.iter().chain(&t.outputs).map(|arc| arc.place);
        places.into_iter().all(|place| match change(t, place.index()) {
            0 => true,
            ..0 => has(inside, &self.at[place.index()].need),
            _ => has(inside, &self.at[place.index()].inhibited),
        })
    }

    /// Do transitions outside of the set leave this one disabled?
    fn stays_disabled(&self, t: usize, marking: &[u32], inside: &[bool]) -> bool {
        let t = &self.net.transitions[t];
        let lacks = |arc: &PlaceArc| {
            marking[arc.place.index()] < arc.weight && has(inside, &self.at[arc.place.index()].increase)
        };
        let has_too_many = |arc: &PlaceArc| {
            marking[arc.place.index()] >= arc.weight && has(inside, &self.at[arc.place.index()].decrease)
        };
        t.inputs.iter().any(lacks) || t.inhibitors.iter().any(has_too_many)
    }

    /// Do transitions outside of the set leave this one enabled?
    fn stays_enabled(&self, t: usize, inside: &[bool]) -> bool {
        let t = &self.net.transitions[t];
        t.inputs.iter().all(|arc| has(inside, &self.at[arc.place.index()].decrease))
            && t.inhibitors.iter().all(|arc| has(inside, &self.at[arc.place.index()].increase))
    }

    /// Does the truth of a condition, which is not the wanted one, change only by transitions of the set?
    fn needs(&self, e: &Expr, wanted: bool, marking: &[u32], inside: &[bool]) -> Result<bool, Rejection> {
        let parts = |parts: &[Expr], all: bool| -> Result<bool, Rejection> {
            for part in parts {
                let changes = truth(part, marking)? != wanted;
                // One part that has to change is enough; where any may change, all are needed.
                if changes && self.needs(part, wanted, marking, inside)? != all {
                    return Ok(!all);
                }
            }
            Ok(all)
        };
        match &e.kind {
            Kind::Bool(_) => return Ok(true),
            Kind::Unary(Unary::Not, a) => return self.needs(a, !wanted, marking, inside),
            Kind::Nary(Nary::And, all) => return parts(all, !wanted),
            Kind::Nary(Nary::Or, all) => return parts(all, wanted),
            Kind::Binary(Binary::Imply | Binary::Iff | Binary::Xor, _) => {
                return self.needs(&unfolded(e), wanted, marking, inside);
            }
            Kind::Binary(op, ab) => {
                let mut sum = BTreeMap::new();
                if linear(&ab[0], 1, &mut sum).and(linear(&ab[1], -1, &mut sum)).is_some() {
                    return Ok(self.compares(*op, &sum, wanted, e, marking, inside));
                }
            }
            _ => {}
        }
        let places: Vec<usize> = e.variables().iter().map(|v| v.index()).collect();
        Ok(self.has_all(inside, |t| places.iter().any(|place| change(t, *place) != 0)))
    }

    /// Do transitions outside of the set leave this comparison as it is?
    fn compares(
        &self,
        op: Binary,
        sum: &BTreeMap<usize, i128>,
        wanted: bool,
        e: &Expr,
        marking: &[u32],
        inside: &[bool],
    ) -> bool {
        let by = |t: &Transition| -> i128 {
            sum.iter()
                .map(|(place, factor)| factor * i128::from(change(t, *place)))
                .fold(0, i128::saturating_add)
        };
        let up = || self.has_all(inside, |t| by(t) > 0);
        let down = || self.has_all(inside, |t| by(t) < 0);
        match (op, wanted) {
            (Binary::Le | Binary::Lt, true) | (Binary::Ge | Binary::Gt, false) => down(),
            (Binary::Le | Binary::Lt, false) | (Binary::Ge | Binary::Gt, true) => up(),
            (Binary::Eq, true) | (Binary::Ne, false) => match is_below(e, marking) {
                Some(true) => up(),
                Some(false) => down(),
                None => false,
            },
            _ => self.has_all(inside, |t| by(t) != 0),
        }
    }
}

/// An implication, an equivalence or its negation with conjunctions, disjunctions and negations only.
fn unfolded(e: &Expr) -> Expr {
    let of = |kind: Kind| Expr { kind, ..e.clone() };
    let not = |a: &Expr| of(Kind::Unary(Unary::Not, Arc::new(a.clone())));
    let Kind::Binary(op, ab) = &e.kind else { return e.clone() };
    let [a, b] = &**ab;
    let both = |a: Expr, b: Expr| of(Kind::Nary(Nary::And, vec![a, b]));
    let either = |a: Expr, b: Expr| of(Kind::Nary(Nary::Or, vec![a, b]));
    match op {
        Binary::Imply => either(not(a), b.clone()),
        Binary::Iff => either(both(a.clone(), b.clone()), both(not(a), not(b))),
        _ => either(both(a.clone(), not(b)), both(not(a), b.clone())),
    }
}

/// The places that a condition depends on.
pub(super) fn places(e: &Expr, found: &mut BTreeSet<u32>) {
    let of_comparison = |ab: &[Expr; 2]| {
        let mut sum = BTreeMap::new();
        linear(&ab[0], 1, &mut sum).and(linear(&ab[1], -1, &mut sum))?;
        Some(sum.into_iter().filter(|(_, factor)| *factor != 0).map(|(p, _)| p))
    };
    match &e.kind {
        Kind::Bool(_) => {}
        Kind::Unary(Unary::Not, a) => places(a, found),
        Kind::Nary(Nary::And | Nary::Or, parts) => parts.iter().for_each(|part| places(part, found)),
        Kind::Binary(Binary::Imply | Binary::Iff | Binary::Xor, ab) => {
            ab.iter().for_each(|part| places(part, found));
        }
        Kind::Binary(_, ab) => match of_comparison(ab) {
            Some(own) => found.extend(own.filter_map(|p| u32::try_from(p).ok())),
            None => found.extend(e.variables().iter().map(|v| v.0)),
        },
        _ => found.extend(e.variables().iter().map(|v| v.0)),
    }
}

/// Do all these transitions belong to the set?
fn has(inside: &[bool], all: &[usize]) -> bool {
    all.iter().all(|t| inside[*t])
}

/// Is the left side of a comparison smaller than the right one?
fn is_below(e: &Expr, marking: &[u32]) -> Option<bool> {
    let Kind::Binary(_, ab) = &e.kind else { return None };
    Some(super::explored::number(&ab[0], marking)? < super::explored::number(&ab[1], marking)?)
}

/// Factors are smaller, so that sums of changes cannot overflow.
const FACTOR: u128 = 1 << 64;

/// Adds a multiple of a linear expression; the constant is left out.
fn linear(e: &Expr, factor: i128, sum: &mut BTreeMap<usize, i128>) -> Option<()> {
    match &e.kind {
        Kind::Num(_) => Some(()),
        Kind::Var(v) => {
            let entry = sum.entry(v.index()).or_default();
            *entry = entry.checked_add(factor).filter(|sum| sum.unsigned_abs() < FACTOR)?;
            Some(())
        }
        Kind::Unary(Unary::Neg, a) => linear(a, factor.checked_neg()?, sum),
        Kind::Sum(parts) => parts.iter().try_for_each(|(sign, part)| {
            linear(part, if *sign == Sign::Plus { factor } else { factor.checked_neg()? }, sum)
        }),
        Kind::Nary(Nary::Mul, parts) => {
            let mut factor = factor;
            let mut rest = None;
            for part in parts {
                match part.as_constant() {
                    Some(Value::Num(q)) => factor = factor.checked_mul(i128::from(q.to_i64()?))?,
                    _ if rest.is_none() => rest = Some(part),
                    _ => return None,
                }
            }
            rest.map_or(Some(()), |part| linear(part, factor, sum))
        }
        _ => None,
    }
}
