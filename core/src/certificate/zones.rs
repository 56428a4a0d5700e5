//! Second enumeration of the markings of a time net, by zones of clocks: the ages of enabled transitions, or of tokens.
//!
//! A zone is a matrix of bounds on differences of clocks, which is closed again by all paths after each change. Clocks
//! beyond the constants that they are compared with are forgotten, so there are finitely many zones. With the search
//! for classes, only the net and the reading of its intervals ([`Clocks`]) are shared.

use std::collections::{BTreeSet, HashMap};

use super::check::{Rejection, Report, reject};
use super::explored::{Claim, truth};
use crate::net::timed::{Clocks, Semantics};
use crate::net::{Net, PlaceArc, PlaceId, Transition};
use crate::property::Property;

/// The limit on zones.
const ZONES: usize = 400_000;

/// No bound, and the bound `≤ 0`. A bound `< n` is `2n`, a bound `≤ n` is `2n + 1`.
const NONE: i64 = i64::MAX / 4;
const SAME: i64 = 1;

fn most(n: u32, is_open: bool) -> i64 {
    2 * i64::from(n) + i64::from(!is_open)
}

/// The bound on the negative of a clock that is at least `n`.
fn least(n: u32, is_open: bool) -> i64 {
    -2 * i64::from(n) + i64::from(!is_open)
}

fn sum(a: i64, b: i64) -> i64 {
    if a >= NONE || b >= NONE {
        return NONE;
    }
    // The sum excludes its number if one of the bounds does.
    let is_included = a & b & 1;
    (a - (a & 1)) + (b - (b & 1)) + is_included
}

/// By row and column: the bounds on the differences of clocks; the first one is always 0.
type Matrix = Vec<Vec<i64>>;

/// A bound on the clock of a row less that of a column.
type Bounded = (usize, usize, i64);

/// Closes a matrix; none if no vector satisfies it.
fn closed(mut m: Matrix) -> Option<Matrix> {
    for k in 0..m.len() {
        for i in 0..m.len() {
            for j in 0..m.len() {
                m[i][j] = m[i][j].min(sum(m[i][k], m[k][j]));
            }
        }
    }
    (0..m.len()).all(|i| m[i][i] >= SAME).then_some(m)
}

/// The matrix with these bounds, too.
fn with(m: &Matrix, bounds: &[Bounded]) -> Option<Matrix> {
    let mut m = m.clone();
    bounds.iter().for_each(|(i, j, bound)| m[*i][*j] = m[*i][*j].min(*bound));
    closed(m)
}

/// A marking, the places or transitions with clocks, and their matrix.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Zone {
    marking: Vec<u32>,
    owners: Vec<usize>,
    ages: Matrix,
}

/// Is the second zone, with the same marking, a part of the first one?
fn includes(zone: &Zone, part: &Zone) -> bool {
    let rows = zone.ages.iter().zip(&part.ages);
    rows.flat_map(|(a, b)| a.iter().zip(b)).all(|(a, b)| b <= a)
}

struct Rules<'a> {
    net: &'a Net,
    clocks: &'a Clocks,
}

/// Enumerates the markings of a time net again, none of which may violate the property.
///
/// # Errors
/// A marking that contradicts the verdict, or why the check is not possible.
pub(super) fn check(
    net: &Net,
    clocks: &Clocks,
    property: &Property,
    (claim, has_rules): (Claim, bool),
) -> Result<Report, Rejection> {
    if claim.reduced || claim.partial || !claim.satisfied || has_rules {
        return reject("the markings of a time net are enumerated completely, without reductions");
    }
    let rule = Rules { net, clocks };
    let first = rule.first();
    let mut markings: BTreeSet<Vec<u32>> = BTreeSet::new();
    let mut known: HashMap<Vec<u32>, Vec<usize>> = HashMap::new();
    let mut zones: Vec<Zone> = Vec::new();
    let mut add = |zones: &mut Vec<Zone>, zone: Zone| {
        let same = known.entry(zone.marking.clone()).or_default();
        if !same.iter().any(|i| includes(&zones[*i], &zone)) {
            same.push(zones.len());
            zones.push(zone);
        }
    };
    add(&mut zones, first);
    let mut at = 0;
    while at < zones.len() {
        if zones.len() > ZONES {
            return reject(format!("more than {ZONES} zones are not enumerated again"));
        }
        let zone = zones[at].clone();
        let is_new = markings.insert(zone.marking.clone());
        let fits = match property {
            Property::Invariant(e) => !is_new || truth(e, &zone.marking)?,
            Property::Reachable(e) => !is_new || !truth(e, &zone.marking)?,
            Property::DeadlockFree => true,
            _ => return reject("the certificate is about a property of markings"),
        };
        let waited = rule.waited(&zone)?;
        let stuck = *property == Property::DeadlockFree && waited.iter().any(|z| rule.is_stuck(z));
        if !fits || stuck {
            return reject(format!(
                "the marking {} contradicts the verdict",
                net.marking_text(&zone.marking)
            ));
        }
        for later in waited {
            for t in 0..net.transitions.len() {
                if let Some(after) = rule.fired(&later, t)? {
                    add(&mut zones, after);
                }
            }
        }
        at += 1;
    }
    if markings.len() as u64 != claim.markings {
        return reject(format!("{} markings are reached, not {}", markings.len(), claim.markings));
    }
    let sentences = vec![
        format!(
            "The {} reachable markings were enumerated again, with {} zones of clocks.",
            markings.len(),
            zones.len()
        ),
        "None of them violates the property.".to_owned(),
    ];
    Ok(Report { obligations: zones.len(), sentences, ..Report::default() })
}

impl Rules<'_> {
    fn is_enabled(t: &Transition, marking: &[u32]) -> bool {
        t.inputs.iter().all(|a| marking[a.place.index()] >= a.weight)
            && t.inhibitors.iter().all(|a| marking[a.place.index()] < a.weight)
    }

    /// Those whose clocks run in a marking.
    fn owners(&self, marking: &[u32]) -> Vec<usize> {
        match self.clocks.semantics {
            Semantics::Transitions => (0..self.net.transitions.len())
                .filter(|t| Self::is_enabled(&self.net.transitions[*t], marking))
                .collect(),
            Semantics::Places => (0..marking.len()).filter(|p| marking[*p] > 0).collect(),
        }
    }

    fn first(&self) -> Zone {
        let marking: Vec<u32> = self.net.places.iter().map(|p| p.tokens).collect();
        let owners = self.owners(&marking);
        let ages = vec![vec![SAME; owners.len() + 1]; owners.len() + 1];
        Zone { marking, owners, ages }
    }

    fn clock(zone: &Zone, owner: usize) -> usize {
        zone.owners.binary_search(&owner).map_or(0, |i| i + 1)
    }

    /// The zones after some time.
    fn waited(&self, zone: &Zone) -> Result<Vec<Zone>, Rejection> {
        let (mut all, mut at) = (vec![zone.clone()], 0);
        let permitted = self.permitted(zone)?;
        while at < all.len() {
            for ways in &permitted {
                let starts: Vec<_> = ways.iter().filter(|b| b.0 == 0).copied().collect();
                let ends: Vec<_> = ways.iter().filter(|b| b.0 != 0).copied().collect();
                let Some(mut ages) = with(&all[at].ages, &starts) else { continue };
                ages.iter_mut().skip(1).for_each(|row| row[0] = NONE);
                let Some(ages) = closed(ages).and_then(|ages| with(&ages, &ends)) else { continue };
                let later = Zone { ages, ..zone.clone() };
                if !all.contains(&later) {
                    all.push(later);
                }
            }
            if all.len() > 2_000 {
                return reject("time passes in too many ways to be enumerated again");
            }
            at += 1;
        }
        Ok(all)
    }

    /// The conditions under which time passes without missing a firing: lower bounds at the start, upper bounds at the
    /// end.
    fn permitted(&self, zone: &Zone) -> Result<Vec<Vec<Bounded>>, Rejection> {
        let mut ways: Vec<Vec<Bounded>> = vec![Vec::new()];
        for (i, t) in self.net.transitions.iter().enumerate() {
            let Some(choices) = self.choices(zone, (i, t)) else { continue };
            let longer = |way: &Vec<_>| {
                choices.iter().map(|choice| [way.clone(), vec![*choice]].concat()).collect::<Vec<_>>()
            };
            ways = ways.iter().flat_map(longer).collect();
            if ways.len() > 4_096 {
                return reject("time passes in too many ways to be enumerated again");
            }
        }
        Ok(ways)
    }

    /// For one transition, the conditions of which one must be satisfied; none if it never has to fire.
    fn choices(&self, zone: &Zone, (i, t): (usize, &Transition)) -> Option<Vec<Bounded>> {
        if self.clocks.semantics == Semantics::Transitions {
            let delay = t.delay.filter(|_| zone.owners.contains(&i))?;
            return Some(vec![(Self::clock(zone, i), 0, most(delay.most?, delay.before_most))]);
        }
        let marked = |arc: &PlaceArc| zone.marking[arc.place.index()] > 0;
        if !t.inputs.iter().all(marked) {
            return None;
        }
        let mut choices = Vec::new();
        for arc in &t.inputs {
            let end = self.clocks.delay(arc.place).most?;
            choices.push((Self::clock(zone, arc.place.index()), 0, most(end, false)));
        }
        for arc in t.inhibitors.iter().filter(|arc| marked(arc)) {
            let begin = self.clocks.delay(arc.place).least;
            choices.push((0, Self::clock(zone, arc.place.index()), least(begin, false)));
        }
        Some(choices)
    }

    /// The zone after a firing, if the transition may fire.
    fn fired(&self, zone: &Zone, i: usize) -> Result<Option<Zone>, Rejection> {
        let t = &self.net.transitions[i];
        let delay = |arc: &PlaceArc| self.clocks.delay(arc.place);
        let clock = |arc: &PlaceArc| Self::clock(zone, arc.place.index());
        let marked = |arc: &PlaceArc| zone.marking[arc.place.index()] >= arc.weight;
        if !t.inputs.iter().all(marked) {
            return Ok(None);
        }
        let bounds: Vec<Bounded> = match self.clocks.semantics {
            Semantics::Transitions if t.inhibitors.iter().any(marked) => return Ok(None),
            Semantics::Transitions => {
                let begin = t.delay.map(|d| (0, Self::clock(zone, i), least(d.least, d.after_least)));
                begin.into_iter().collect()
            }
            Semantics::Places => {
                let inputs = t.inputs.iter().map(|arc| (0, clock(arc), least(delay(arc).least, false)));
                let inhibitors = t.inhibitors.iter().filter(|arc| marked(arc));
                let young = inhibitors.filter_map(|arc| Some((clock(arc), 0, most(delay(arc).most?, true))));
                inputs.chain(young).collect()
            }
        };
        let Some(ages) = with(&zone.ages, &bounds) else { return Ok(None) };
        let mut between = zone.marking.clone();
        t.taken().iter().for_each(|arc| between[arc.place.index()] -= arc.weight);
        let mut marking = between.clone();
        for arc in &t.added() {
            let tokens = &mut marking[arc.place.index()];
            *tokens = tokens
                .checked_add(arc.weight)
                .ok_or_else(|| Rejection("a place has too many tokens".to_owned()))?;
            if self.clocks.semantics == Semantics::Places && *tokens > 1 {
                return reject(format!("'{}' gets a second token", self.net.place(arc.place).name));
            }
        }
        let goes_on = |owner: usize| match self.clocks.semantics {
            Semantics::Transitions => owner != i && Self::is_enabled(&self.net.transitions[owner], &between),
            Semantics::Places => t.outputs.iter().all(|arc| arc.place.index() != owner),
        };
        let owners = self.owners(&marking);
        // Clocks that start again are 0, as the first one.
        let old = |owner: &usize| if goes_on(*owner) { Self::clock(zone, *owner) } else { 0 };
        let before: Vec<usize> = std::iter::once(0).chain(owners.iter().map(old)).collect();
        let ages = before.iter().map(|i| before.iter().map(|j| ages[*i][*j]).collect()).collect();
        Ok(Some(self.forgotten(Zone { marking, owners, ages })))
    }

    /// Forgets clocks beyond the constants of their intervals.
    fn forgotten(&self, mut zone: Zone) -> Zone {
        let greatest = |owner: &usize| {
            let (least, most) = match self.clocks.semantics {
                Semantics::Transitions => {
                    self.net.transitions[*owner].delay.map_or((0, None), |d| (d.least, d.most))
                }
                Semantics::Places => {
                    let delay = self.clocks.delay(PlaceId::new(*owner));
                    (delay.least, delay.most)
                }
            };
            i64::from(least.max(most.unwrap_or(0)))
        };
        let greatest: Vec<i64> = std::iter::once(0).chain(zone.owners.iter().map(greatest)).collect();
        for i in 0..zone.ages.len() {
            for j in (0..zone.ages.len()).filter(|j| *j != i) {
                let bound = &mut zone.ages[i][j];
                if *bound < NONE && *bound > 2 * greatest[i] + 1 {
                    *bound = NONE;
                } else if *bound < -2 * greatest[j] {
                    *bound = -2 * greatest[j];
                }
            }
        }
        zone.ages = closed(zone.ages).expect("fewer bounds have more solutions");
        zone
    }

    /// Will no transition ever fire in some state of the zone?
    fn is_stuck(&self, zone: &Zone) -> bool {
        if self.net.transitions.iter().any(|t| Self::is_enabled(t, &zone.marking)) {
            return false;
        }
        let old = |p: &usize| {
            let delay = self.clocks.delay(PlaceId::new(*p));
            delay.most.map(|most| (0, Self::clock(zone, *p), least(most, false)))
        };
        self.clocks.semantics == Semantics::Transitions || {
            let old: Vec<_> = zone.owners.iter().filter_map(old).collect();
            with(&zone.ages, &old).is_some()
        }
    }
}
