//! Verdicts about the reachable markings of a net, checked by enumerating them again.
//!
//! This is a second implementation of the firing rule and of the formulas, the simplest one: a marking is a list of its
//! places with tokens, the set of markings is a hash table, and sets that satisfy temporal operators are computed as
//! fixed points by their definitions.

use std::collections::BTreeSet;

use solver_lite::term::Value;

use super::check::{Rejection, Report, reject};
use super::known::Known;
use super::left_out::LeftOut;
use crate::ctl::{Ctl, Quantifier};
use crate::expr::{Binary, Expr, Kind, Nary, Sign, Unary};
use crate::ltl::Temporal;
use crate::net::reduce::Rule;
use crate::net::{Net, Transition};
use crate::property::Property;
use crate::system::System;
use crate::text::count;

/// The greatest number of markings that are enumerated.
const MARKINGS: usize = if cfg!(target_pointer_width = "32") { 6_000_000 } else { 60_000_000 };

/// Does the property hold, or is a formula of branching time violated, on the reachable markings?
///
/// # Errors
/// A marking that contradicts the verdict, or why the check is not possible.
pub(super) fn check(
    system: &System,
    property: &Property,
    (claimed, satisfied, reduced): (u64, bool, bool),
    rules: &[Rule],
) -> Result<Report, Rejection> {
    let Some(net) = system.net.as_deref() else {
        return reject("the certificate is about a net, but the model is none");
    };
    if net.is_timed() {
        return reject("the net has intervals of time");
    }
    if matches!(property, Property::Temporal(_) | Property::ErrorUnreachable) {
        return reject("the certificate is about a property of markings");
    }
    let smaller;
    let net = match rules {
        [] => net,
        rules => {
            smaller = super::rules::applied(net, asked(property)?, rules)?;
            &smaller
        }
    };
    let mut conditions: Vec<&Expr> = Vec::new();
    if let Property::Branching(formula) = property {
        collect(formula, &mut conditions);
    }
    let mut enumerated = Enumerated {
        targets: Vec::new(),
        starts: vec![0],
        before: Vec::new(),
        truths: vec![Vec::new(); conditions.len()],
    };
    let records = matches!(property, Property::Branching(_));
    let mut left_out = if reduced { Some(LeftOut::new(net, property)?) } else { None };
    let markings = enumerated.all(net, (property, claimed), &conditions, (records, left_out.as_mut()))?;
    if markings as u64 != claimed {
        return reject(format!("{markings} markings are reached, not {claimed}"));
    }
    let mut report = Report { obligations: markings, ..Report::default() };
    if !rules.is_empty() {
        let rules = count(rules.len(), "structural reduction");
        report.sentences.push(format!("The net was made smaller by {rules}, whose conditions were checked."));
    }
    report.sentences.push(match reduced {
        true => format!(
            "{markings} markings were reached again, and the firings that were left out do not matter."
        ),
        false => format!("The {markings} reachable markings were enumerated again."),
    });
    match property {
        Property::Branching(formula) => {
            let mut next = 0;
            let holds = enumerated.satisfied(formula, &mut next)[0];
            report.sentences.push(format!(
                "The formula was evaluated on them by fixed points: it is {holds} in the initial marking."
            ));
            if holds != satisfied {
                return reject(format!("the formula is {holds} in the initial marking"));
            }
        }
        _ if !satisfied => return reject("a violation of this property is a run"),
        _ => report.sentences.push("None of them violates the property.".to_owned()),
    }
    Ok(report)
}

/// The places of the condition that is searched for; `None` if dead markings are.
fn asked(property: &Property) -> Result<Option<BTreeSet<u32>>, Rejection> {
    match property {
        Property::Invariant(e) | Property::Reachable(e) => {
            let mut places = BTreeSet::new();
            super::left_out::places(e, &mut places);
            Ok(Some(places))
        }
        Property::DeadlockFree => Ok(None),
        _ => reject("a net cannot be reduced for this property"),
    }
}

/// The conditions of a formula, in textual order.
fn collect<'a>(formula: &'a Ctl, conditions: &mut Vec<&'a Expr>) {
    if let Ctl::Condition(e) = formula {
        conditions.push(e);
    }
    formula.children().iter().for_each(|c| collect(c, conditions));
}

/// The reachable markings, by number.
struct Enumerated {
    /// The markings after each one, and where they begin in the list.
    targets: Vec<u32>,
    starts: Vec<usize>,
    /// The markings before each one.
    before: Vec<Vec<u32>>,
    /// By condition, its truth in each marking.
    truths: Vec<Vec<bool>>,
}

impl Enumerated {
    /// Enumerates the markings, none of which may violate the property; gives their number.
    fn all(
        &mut self,
        net: &Net,
        (property, claimed): (&Property, u64),
        conditions: &[&Expr],
        (records, mut left_out): (bool, Option<&mut LeftOut<'_>>),
    ) -> Result<usize, Rejection> {
        let mut marking: Vec<u32> = net.places.iter().map(|p| p.tokens).collect();
        let mut after = marking.clone();
        let (mut known, mut fired) = (Known::default(), Vec::new());
        let mut next = known.insert(&marking);
        while (next as usize) < known.len() {
            known.read(next, &mut marking);
            next += 1;
            let fits = match property {
                Property::Invariant(e) => truth(e, &marking)?,
                Property::Reachable(e) => !truth(e, &marking)?,
                _ => true,
            };
            if !fits {
                return reject(format!("the marking {} contradicts the verdict", net.marking_text(&marking)));
            }
            for (condition, truths) in conditions.iter().zip(&mut self.truths) {
                truths.push(truth(condition, &marking)?);
            }
            fired.clear();
            fired.extend((0..net.transitions.len()).filter(|t| is_enabled(&net.transitions[*t], &marking)));
            if fired.is_empty() && matches!(property, Property::DeadlockFree) {
                return reject(format!("the marking {} is dead", net.marking_text(&marking)));
            }
            if let Some(left_out) = &mut left_out {
                fired = left_out.selected(&marking, &fired)?;
            }
            for t in &fired {
                after.copy_from_slice(&marking);
                fire(&net.transitions[*t], &mut after)?;
                let number = known.insert(&after);
                if records {
                    self.targets.push(number);
                }
            }
            self.starts.push(self.targets.len());
            if known.len() as u64 > claimed {
                return reject(format!("the net has more than {claimed} reachable markings"));
            }
            if known.len() > MARKINGS {
                return reject(format!("more than {MARKINGS} markings are not enumerated again"));
            }
        }
        if records {
            self.before = vec![Vec::new(); self.len()];
            for m in 0..self.len() {
                let number = u32::try_from(m).expect("the number is limited");
                for at in self.starts[m]..self.starts[m + 1] {
                    self.before[self.targets[at] as usize].push(number);
                }
            }
        }
        Ok(known.len())
    }

    fn after(&self, marking: usize) -> &[u32] {
        &self.targets[self.starts[marking]..self.starts[marking + 1]]
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The markings that satisfy a formula; `next` counts its conditions in textual order.
    fn satisfied(&self, formula: &Ctl, next: &mut usize) -> Vec<bool> {
        let all = |parts: &[Ctl], next: &mut usize| -> Vec<Vec<bool>> {
            parts.iter().map(|p| self.satisfied(p, next)).collect()
        };
        match formula {
            Ctl::Condition(_) => {
                *next += 1;
                self.truths[*next - 1].clone()
            }
            Ctl::Not(a) => self.satisfied(a, next).into_iter().map(|x| !x).collect(),
            Ctl::And(parts) => {
                let sets = all(parts, next);
                (0..self.len()).map(|m| sets.iter().all(|s| s[m])).collect()
            }
            Ctl::Or(parts) => {
                let sets = all(parts, next);
                (0..self.len()).map(|m| sets.iter().any(|s| s[m])).collect()
            }
            Ctl::Unary(quantifier, op, a) => {
                let a = self.satisfied(a, next);
                let of = |set: &[bool], m: usize| self.steps(*quantifier, m, set);
                match op {
                    Temporal::Next => (0..self.len())
                        .map(|m| match quantifier {
                            Quantifier::All => self.after(m).iter().all(|n| a[*n as usize]),
                            Quantifier::Some => self.after(m).iter().any(|n| a[*n as usize]),
                        })
                        .collect(),
                    Temporal::Finally => self.least(|z, m| a[m] || of(z, m)),
                    _ => self.greatest(|z, m| a[m] && (self.after(m).is_empty() || of(z, m))),
                }
            }
            Ctl::Binary(quantifier, op, ab) => {
                let (a, b) = (self.satisfied(&ab[0], next), self.satisfied(&ab[1], next));
                let of = |set: &[bool], m: usize| self.steps(*quantifier, m, set);
                let stays = |set: &[bool], m: usize| self.after(m).is_empty() || of(set, m);
                match op {
                    Temporal::Until => self.least(|z, m| b[m] || a[m] && of(z, m)),
                    Temporal::StrongRelease => self.least(|z, m| b[m] && (a[m] || of(z, m))),
                    Temporal::WeakUntil => self.greatest(|z, m| b[m] || a[m] && stays(z, m)),
                    _ => self.greatest(|z, m| b[m] && (a[m] || stays(z, m))),
                }
            }
        }
    }

    /// Is there a marking after this one, and are all of them (or is one of them) in the set?
    fn steps(&self, quantifier: Quantifier, m: usize, set: &[bool]) -> bool {
        let after = self.after(m);
        match quantifier {
            Quantifier::All => !after.is_empty() && after.iter().all(|n| set[*n as usize]),
            Quantifier::Some => after.iter().any(|n| set[*n as usize]),
        }
    }

    /// The least set that contains the markings for which `inside` is true.
    fn least(&self, inside: impl Fn(&[bool], usize) -> bool) -> Vec<bool> {
        self.fixed(false, inside)
    }

    /// The greatest set whose markings are those for which `inside` is true.
    fn greatest(&self, inside: impl Fn(&[bool], usize) -> bool) -> Vec<bool> {
        self.fixed(true, inside)
    }

    /// A marking is evaluated again when one after it has changed.
    fn fixed(&self, start: bool, inside: impl Fn(&[bool], usize) -> bool) -> Vec<bool> {
        let mut set = vec![start; self.len()];
        let mut open: Vec<usize> = (0..self.len()).collect();
        while let Some(m) = open.pop() {
            if set[m] == start && inside(&set, m) != start {
                set[m] = !start;
                open.extend(self.before[m].iter().map(|n| *n as usize));
            }
        }
        set
    }
}

fn is_enabled(t: &Transition, marking: &[u32]) -> bool {
    t.inputs.iter().all(|a| marking[a.place.index()] >= a.weight)
        && t.inhibitors.iter().all(|a| marking[a.place.index()] < a.weight)
}

/// Fires a transition that is enabled.
fn fire(t: &Transition, marking: &mut [u32]) -> Result<(), Rejection> {
    t.inputs.iter().for_each(|a| marking[a.place.index()] -= a.weight);
    for a in &t.outputs {
        match marking[a.place.index()].checked_add(a.weight) {
            Some(sum) => marking[a.place.index()] = sum,
            None => return reject("a place has too many tokens"),
        }
    }
    Ok(())
}

/// The truth of a condition in a marking.
pub(super) fn truth(e: &Expr, marking: &[u32]) -> Result<bool, Rejection> {
    let again = || {
        let value = e.eval(&|v| Value::Num(i64::from(marking[v.index()]).into()));
        value.map(|v| v.bool()).map_err(|_| Rejection("the condition has no value in a marking".to_owned()))
    };
    simple(e, marking).map_or_else(again, Ok)
}

/// The truth of a condition over sums and comparisons; none for others.
fn simple(e: &Expr, marking: &[u32]) -> Option<bool> {
    let both = |ab: &[Expr; 2]| Some((simple(&ab[0], marking)?, simple(&ab[1], marking)?));
    Some(match &e.kind {
        Kind::Bool(b) => *b,
        Kind::Unary(Unary::Not, a) => !simple(a, marking)?,
        Kind::Nary(Nary::And, all) => {
            for part in all {
                if !simple(part, marking)? {
                    return Some(false);
                }
            }
            true
        }
        Kind::Nary(Nary::Or, all) => {
            for part in all {
                if simple(part, marking)? {
                    return Some(true);
                }
            }
            false
        }
        Kind::Binary(Binary::Imply, ab) => both(ab).map(|(a, b)| !a || b)?,
        Kind::Binary(Binary::Iff, ab) => both(ab).map(|(a, b)| a == b)?,
        Kind::Binary(Binary::Xor, ab) => both(ab).map(|(a, b)| a != b)?,
        Kind::Binary(op, ab) => {
            let (a, b) = (number(&ab[0], marking)?, number(&ab[1], marking)?);
            match op {
                Binary::Eq => a == b,
                Binary::Ne => a != b,
                Binary::Lt => a < b,
                Binary::Le => a <= b,
                Binary::Gt => a > b,
                Binary::Ge => a >= b,
                _ => return None,
            }
        }
        _ => return None,
    })
}

pub(super) fn number(e: &Expr, marking: &[u32]) -> Option<i128> {
    match &e.kind {
        Kind::Num(q) => q.to_i64().map(i128::from),
        Kind::Var(v) => Some(i128::from(marking[v.index()])),
        Kind::Unary(Unary::Neg, a) => number(a, marking)?.checked_neg(),
        Kind::Sum(parts) => parts.iter().try_fold(0_i128, |sum, (sign, part)| {
            let part = number(part, marking)?;
            if *sign == Sign::Plus { sum.checked_add(part) } else { sum.checked_sub(part) }
        }),
        Kind::Nary(Nary::Mul, parts) => {
            parts.iter().try_fold(1_i128, |product, part| product.checked_mul(number(part, marking)?))
        }
        _ => None,
    }
}
