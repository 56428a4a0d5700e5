//! Verdicts about the reachable markings of a net, checked by enumerating them again.
//!
//! This is a second implementation of the firing rule and of the formulas, the simplest one: a marking is a list of its
//! places with tokens, the set of markings is a hash table, and sets that satisfy temporal operators are computed as
//! fixed points by their definitions. If the certificate is partial, the enumeration ends early: the markings that are
//! left open count as false wherever this makes the formula false, or as true wherever this makes it true.

use std::collections::BTreeSet;

use solver_lite::term::Value;

use super::check::{Rejection, Report, reject};
use super::known::Known;
use super::left_out::LeftOut;
use super::rules::Asked;
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

/// What a certificate states about the markings; see [`super::Certificate::Explored`].
#[derive(Clone, Copy)]
pub(super) struct Claim {
    pub(super) markings: u64,
    pub(super) partial: bool,
    pub(super) satisfied: bool,
    pub(super) reduced: bool,
}

/// Does the property hold, or is a formula of branching time violated, on the reachable markings?
///
/// # Errors
/// A marking that contradicts the verdict, or why the check is not possible.
pub(super) fn check(
    system: &System,
    property: &Property,
    claim: Claim,
    rules: &[Rule],
) -> Result<Report, Rejection> {
    let Some(net) = system.net.as_deref() else {
        return reject("the certificate is about a net, but the model is none");
    };
    if property.is_timed(system) {
        return reject("the property is about time, which an enumeration of markings does not decide");
    }
    if let Some(clocks) = &system.clocks {
        return super::zones::check(net, clocks, property, (claim, !rules.is_empty()));
    }
    if matches!(property, Property::Temporal(_) | Property::ErrorUnreachable) {
        return reject("the certificate is about a property of markings");
    }
    if claim.partial && !matches!(property, Property::Branching(_)) {
        return reject("a partial enumeration proves formulas of branching time only");
    }
    let smaller;
    let net = match rules {
        [] => net,
        rules => {
            smaller = super::rules::applied(net, asked(property)?, rules)?;
            &smaller
        }
    };
    let conditions = match property {
        Property::Branching(formula) => formula.conditions(),
        _ => Vec::new(),
    };
    let mut enumerated = Enumerated {
        targets: Vec::new(),
        starts: vec![0],
        expanded: 0,
        before: Vec::new(),
        truths: vec![Vec::new(); conditions.len()],
    };
    let mut left_out = if claim.reduced { Some(LeftOut::new(net, property)?) } else { None };
    enumerated.all(net, (property, claim), &conditions, left_out.as_mut())?;
    let markings = enumerated.expanded;
    if markings as u64 != claim.markings {
        return reject(format!("{markings} markings are reached, not {}", claim.markings));
    }
    let mut report = Report { obligations: markings, ..Report::default() };
    if !rules.is_empty() {
        let rules = count(rules.len(), "structural reduction");
        report.sentences.push(format!("The net was made smaller by {rules}, whose conditions were checked."));
    }
    report.sentences.push(match (claim.reduced, claim.partial) {
        (true, _) => format!(
            "{markings} markings were reached again, and the firings that were left out do not matter."
        ),
        (_, true) => format!("The first {markings} markings were enumerated again; they decide the formula."),
        _ => format!("The {markings} reachable markings were enumerated again."),
    });
    report.sentences.push(match property {
        Property::Branching(formula) => enumerated.confirmed(formula, claim)?,
        _ if !claim.satisfied => return reject("a violation of this property is a run"),
        _ => "None of them violates the property.".to_owned(),
    });
    Ok(report)
}

/// What reductions of the net have to preserve.
fn asked(property: &Property) -> Result<Asked, Rejection> {
    let of = |conditions: &[&Expr]| {
        let mut places = BTreeSet::new();
        conditions.iter().for_each(|e| super::left_out::places(e, &mut places));
        places
    };
    match property {
        Property::Invariant(e) | Property::Reachable(e) => Ok(Asked::Condition(of(&[e]))),
        Property::DeadlockFree => Ok(Asked::Dead),
        Property::Branching(formula) => Ok(Asked::Graph(of(&formula.conditions()))),
        _ => reject("a net cannot be reduced for this property"),
    }
}

/// The reachable markings, by number.
struct Enumerated {
    /// The markings after each one, and where they begin in the list.
    targets: Vec<u32>,
    starts: Vec<usize>,
    /// The number of markings that were expanded, which are the first ones.
    expanded: usize,
    /// The markings before each one.
    before: Vec<Vec<u32>>,
    /// By condition, its truth in each marking.
    truths: Vec<Vec<bool>>,
}

impl Enumerated {
    /// Enumerates the markings, none of which may violate the property.
    fn all(
        &mut self,
        net: &Net,
        (property, claim): (&Property, Claim),
        conditions: &[&Expr],
        mut left_out: Option<&mut LeftOut<'_>>,
    ) -> Result<(), Rejection> {
        let records = matches!(property, Property::Branching(_));
        let mut marking: Vec<u32> = net.places.iter().map(|p| p.tokens).collect();
        let mut after = marking.clone();
        let (mut known, mut fired) = (Known::default(), Vec::new());
        known.insert(&marking);
        while self.expanded < known.len() && !(claim.partial && self.expanded as u64 == claim.markings) {
            known.read(self.expanded, &mut marking);
            self.expanded += 1;
            let fits = match property {
                Property::Invariant(e) => truth(e, &marking)?,
                Property::Reachable(e) => !truth(e, &marking)?,
                _ => true,
            };
            if !fits {
                return reject(format!("the marking {} contradicts the verdict", net.marking_text(&marking)));
            }
            self.evaluate(conditions, &marking)?;
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
            if known.len() as u64 > claim.markings && !claim.partial {
                return reject(format!("the net has more than {} reachable markings", claim.markings));
            }
            if known.len() > MARKINGS {
                return reject(format!("more than {MARKINGS} markings are not enumerated again"));
            }
        }
        for open in self.expanded..known.len() {
            known.read(open, &mut marking);
            self.evaluate(conditions, &marking)?;
            self.starts.push(self.targets.len());
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
        Ok(())
    }

    /// The truths of the conditions in the next marking.
    fn evaluate(&mut self, conditions: &[&Expr], marking: &[u32]) -> Result<(), Rejection> {
        for (condition, truths) in conditions.iter().zip(&mut self.truths) {
            truths.push(truth(condition, marking)?);
        }
        Ok(())
    }

    fn after(&self, marking: usize) -> &[u32] {
        &self.targets[self.starts[marking]..self.starts[marking + 1]]
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// A sentence on the truth of the formula in the initial marking, if it is the one that is claimed.
    fn confirmed(&self, formula: &Ctl, claim: Claim) -> Result<String, Rejection> {
        let holds = self.satisfied(formula, &mut 0, !claim.satisfied)[0];
        if holds == claim.satisfied {
            return Ok(format!(
                "The formula was evaluated on them by fixed points: it is {holds} in the initial marking."
            ));
        }
        reject(match claim.partial {
            true => "these markings do not decide the formula".to_owned(),
            false => format!("the formula is {holds} in the initial marking"),
        })
    }

    /// The markings that satisfy a formula; `next` counts its conditions in textual order. What is open is true if this
    /// is `hoped`.
    fn satisfied(&self, formula: &Ctl, next: &mut usize, hoped: bool) -> Vec<bool> {
        let all = |parts: &[Ctl], next: &mut usize| -> Vec<Vec<bool>> {
            parts.iter().map(|p| self.satisfied(p, next, hoped)).collect()
        };
        match formula {
            Ctl::Condition(_) => {
                *next += 1;
                self.truths[*next - 1].clone()
            }
            Ctl::Not(a) => self.satisfied(a, next, !hoped).into_iter().map(|x| !x).collect(),
            Ctl::And(parts) => {
                let sets = all(parts, next);
                (0..self.len()).map(|m| sets.iter().all(|s| s[m])).collect()
            }
            Ctl::Or(parts) => {
                let sets = all(parts, next);
                (0..self.len()).map(|m| sets.iter().any(|s| s[m])).collect()
            }
            Ctl::Unary(quantifier, op, a) => {
                let a = self.satisfied(a, next, hoped);
                let of = |set: &[bool], m: usize| self.steps((*quantifier, hoped), m, set);
                match op {
                    Temporal::Next => (0..self.len())
                        .map(|m| *quantifier == Quantifier::All && self.is_dead(m) || of(&a, m))
                        .collect(),
                    Temporal::Finally => self.least(|z, m| a[m] || of(z, m)),
                    _ => self.greatest(|z, m| a[m] && (self.is_dead(m) || of(z, m))),
                }
            }
            Ctl::Binary(quantifier, op, ab) => {
                let (a, b) = (self.satisfied(&ab[0], next, hoped), self.satisfied(&ab[1], next, hoped));
                let of = |set: &[bool], m: usize| self.steps((*quantifier, hoped), m, set);
                let stays = |set: &[bool], m: usize| self.is_dead(m) || of(set, m);
                match op {
                    Temporal::Until => self.least(|z, m| b[m] || a[m] && of(z, m)),
                    Temporal::StrongRelease => self.least(|z, m| b[m] && (a[m] || of(z, m))),
                    Temporal::WeakUntil => self.greatest(|z, m| b[m] || a[m] && stays(z, m)),
                    _ => self.greatest(|z, m| b[m] && (a[m] || stays(z, m))),
                }
            }
        }
    }

    /// Is it known that no marking follows this one?
    fn is_dead(&self, m: usize) -> bool {
        m < self.expanded && self.after(m).is_empty()
    }

    /// Is there a marking after this one, and are all of them (or is one of them) in the set? What is open is true if
    /// this is hoped.
    fn steps(&self, (quantifier, hoped): (Quantifier, bool), m: usize, set: &[bool]) -> bool {
        let after = self.after(m);
        if m >= self.expanded {
            return hoped;
        }
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
