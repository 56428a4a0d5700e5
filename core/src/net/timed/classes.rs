//! The states of a time net, in finitely many classes if the net is bounded.
//!
//! *Intervals of transitions*: the state class graph (Berthomieu and Diaz, "Modeling and Verification of Time Dependent
//! Systems Using Time Petri Nets", 1991). A class is a marking with the set of possible times until the enabled
//! transitions fire. It has the same markings and firing sequences as the net.
//!
//! *Delays of places*: a class is a marking with a set of ages of its tokens, right after a firing. A class that is
//! part of a known one is left out, so the markings are those of the net.

use std::collections::HashMap;

use super::zone::{Bound, Zone};
use super::{Clocks, Semantics};
use crate::net::{Interval, Marking, Net, PlaceArc, PlaceId, TooManyTokens, TransitionId};

/// A class of states: a marking, and a set of times or ages.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Class {
    /// The marking.
    pub marking: Marking,
    /// The enabled transitions or the marked places, those with clocks: the variables of the set after the constant.
    pub owners: Vec<u32>,
    /// The times until transitions fire (state classes), the ages of enabled transitions, or those of tokens.
    pub times: Zone,
}

/// Why a class has no list of successors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// A place would have too many tokens.
    Tokens,
    /// With delays of places: a transition gives a second token to a place.
    Second(TransitionId, PlaceId),
    /// There are too many cases in which time passes.
    Cases,
}

impl From<TooManyTokens> for Stopped {
    fn from(_: TooManyTokens) -> Stopped {
        Stopped::Tokens
    }
}

/// The limit on cases in which time passes from one class, all sets together.
const CASES: usize = 50_000;

/// The successors of classes.
#[derive(Clone, Debug)]
pub struct Rule<'a> {
    net: &'a Net,
    clocks: &'a Clocks,
}

impl<'a> Rule<'a> {
    /// The rule of a net.
    #[must_use]
    pub fn new(net: &'a Net, clocks: &'a Clocks) -> Rule<'a> {
        Rule { net, clocks }
    }

    /// The class of the initial state.
    #[must_use]
    pub fn initial(&self) -> Class {
        let marking = self.net.initial();
        let mut class = Class { marking, owners: Vec::new(), times: Zone::new() };
        match self.clocks.semantics {
            Semantics::Transitions => {
                let enabled: Vec<TransitionId> = self.net.enabled(&class.marking).collect();
                enabled.into_iter().for_each(|t| self.begin(&mut class, t));
            }
            Semantics::Places => {
                let marked = self.net.place_ids().filter(|p| self.net.place(*p).tokens > 0);
                marked.for_each(|p| self.fill(&mut class, p));
            }
        }
        class
    }

    /// The classes after a firing.
    ///
    /// # Errors
    /// If the successors are not known.
    pub fn successors(&self, class: &Class) -> Result<Vec<(TransitionId, Class)>, Stopped> {
        match self.clocks.semantics {
            Semantics::Transitions => self.after_enabled(class),
            Semantics::Places => self.after_waiting(class),
        }
    }

    /// May no transition fire any more, in some state of the class or when time has passed?
    ///
    /// # Errors
    /// If that is not known.
    pub fn is_stuck(&self, class: &Class) -> Result<bool, Stopped> {
        if self.net.enabled(&class.marking).next().is_some() {
            return Ok(false);
        }
        if self.clocks.semantics == Semantics::Transitions {
            return Ok(true);
        }
        let old = |(i, owner): (usize, &u32)| {
            let most = self.clocks.delay(PlaceId::new(*owner as usize)).most?;
            Some((i + 1, Bound::at_most(-i64::from(most))))
        };
        let old: Vec<(usize, Bound)> = class.owners.iter().enumerate().filter_map(old).collect();
        let reaches = |zone: &Zone| {
            let mut zone = zone.clone();
            old.iter().all(|(x, bound)| zone.constrain(0, *x, *bound))
        };
        Ok(self.waits(class)?.iter().any(reaches))
    }

    /// A transition becomes enabled: it fires within its interval from now.
    fn begin(&self, class: &mut Class, t: TransitionId) {
        let delay = self.net.transition(t).delay.unwrap_or(Interval::ALWAYS);
        let upper = delay.most.map_or(Bound::NONE, |most| Bound::of(delay.before_most, i64::from(most)));
        class.times.add(Bound::of(delay.after_least, -i64::from(delay.least)), upper);
        class.owners.push(t.0);
    }

    /// The transition that fires is the first of those that are enabled. The times of the others are measured from
    /// then.
    fn after_enabled(&self, class: &Class) -> Result<Vec<(TransitionId, Class)>, Stopped> {
        let mut all = Vec::new();
        for (i, t) in class.owners.iter().map(|t| TransitionId::new(*t as usize)).enumerate() {
            let mut times = class.times.clone();
            if !(1..times.size()).all(|j| times.constrain(i + 1, j, Bound::ZERO)) {
                continue;
            }
            let (marking, kept) = kept(self.net, class, t)?;
            let variables: Vec<usize> = std::iter::once(i + 1).chain(kept.iter().map(|j| j + 1)).collect();
            let owners: Vec<u32> = kept.iter().map(|j| class.owners[*j]).collect();
            let mut after = Class { marking, owners, times: times.over(&variables) };
            let new: Vec<TransitionId> =
                self.net.enabled(&after.marking).filter(|u| !after.owners.contains(&u.0)).collect();
            new.into_iter().for_each(|u| self.begin(&mut after, u));
            all.push((t, after.sorted()));
        }
        Ok(all)
    }

    /// A place gets a token, whose age is 0.
    fn fill(&self, class: &mut Class, p: PlaceId) {
        if self.clocks.of_place(p).is_some() {
            class.times.add(Bound::ZERO, Bound::ZERO);
            class.owners.push(p.0);
        }
    }

    /// The variable of a marked place.
    fn variable(&self, class: &Class, p: PlaceId) -> Option<usize> {
        class.owners.iter().position(|owner| *owner == p.0).map(|i| i + 1)
    }

    /// The sets of ages when some time has passed. Time may pass while for each transition an input place is empty, or
    /// a token of one is not beyond its upper end, or the token of an inhibitor place is ready.
    fn waits(&self, class: &Class) -> Result<Vec<Zone>, Stopped> {
        // By transition: bounds at the end of a delay, or at its start, of which one must be satisfied.
        let mut reasons: Vec<Vec<(bool, usize, Bound)>> = Vec::new();
        let is_marked = |arc: &PlaceArc| class.marking[arc.place.index()] > 0;
        for t in self.net.transitions.iter().filter(|t| t.inputs.iter().all(is_marked)) {
            let delay = |arc: &PlaceArc| self.clocks.delay(arc.place);
            let ends: Option<Vec<_>> =
                t.inputs.iter().map(|arc| Some((arc.place, delay(arc).most?))).collect();
            let Some(ends) = ends else { continue };
            let inhibitors: Vec<_> = t.inhibitors.iter().filter(|arc| is_marked(arc)).collect();
            if inhibitors.iter().any(|arc| delay(arc).least == 0) {
                continue;
            }
            let before = ends.into_iter().filter_map(|(p, most)| {
                Some((true, self.variable(class, p)?, Bound::at_most(i64::from(most))))
            });
            let ready = inhibitors.into_iter().filter_map(|arc| {
                let least = -i64::from(delay(arc).least);
                Some((false, self.variable(class, arc.place)?, Bound::at_most(least)))
            });
            reasons.push(before.chain(ready).collect());
        }
        let cases = reasons.iter().try_fold(1_usize, |n, r| n.checked_mul(r.len())).filter(|n| *n <= CASES);
        let cases = cases.ok_or(Stopped::Cases)?;
        let mut sets = vec![class.times.clone()];
        let mut next = 0;
        while next < sets.len() && cases > 0 {
            for case in 0..cases {
                let mut zone = sets[next].clone();
                let mut rest = case;
                let chosen: Vec<_> = (reasons.iter())
                    .map(|of| {
                        let reason = of[rest % of.len()];
                        rest /= of.len();
                        reason
                    })
                    .collect();
                let starts =
                    chosen.iter().filter(|(end, ..)| !end).all(|(_, x, b)| zone.constrain(0, *x, *b));
                if !starts {
                    continue;
                }
                zone.up();
                let ends = chosen.iter().filter(|(end, ..)| *end).all(|(_, x, b)| zone.constrain(*x, 0, *b));
                if ends && !sets.iter().any(|known| zone.is_in(known)) {
                    sets.push(zone);
                }
            }
            next += 1;
            if sets.len().saturating_mul(cases) > CASES {
                return Err(Stopped::Cases);
            }
        }
        Ok(maximal(sets))
    }

    fn after_waiting(&self, class: &Class) -> Result<Vec<(TransitionId, Class)>, Stopped> {
        let mut all = Vec::new();
        for zone in self.waits(class)? {
            for t in self.net.transition_ids() {
                if let Some(times) = self.ready(class, &zone, t) {
                    all.push((t, self.fired(class, &times, t)?));
                }
            }
        }
        Ok(all)
    }

    /// The ages of the set with which a transition may fire.
    fn ready(&self, class: &Class, zone: &Zone, t: TransitionId) -> Option<Zone> {
        let t = self.net.transition(t);
        if t.inputs.iter().any(|arc| class.marking[arc.place.index()] == 0) {
            return None;
        }
        let mut zone = zone.clone();
        let delay = |arc: &PlaceArc| self.clocks.delay(arc.place);
        let variable = |arc: &PlaceArc| self.variable(class, arc.place);
        let inputs = t.inputs.iter().filter_map(|arc| Some((variable(arc)?, i64::from(delay(arc).least))));
        let young = |arc: &PlaceArc| Some((variable(arc)?, i64::from(delay(arc).most?)));
        let inhibitors = t.inhibitors.iter().filter_map(young);
        let possible = inputs
            .collect::<Vec<_>>()
            .into_iter()
            .all(|(x, n)| zone.constrain(0, x, Bound::at_most(-n)))
            && inhibitors.collect::<Vec<_>>().into_iter().all(|(x, n)| zone.constrain(x, 0, Bound::below(n)));
        possible.then_some(zone)
    }

    fn fired(&self, class: &Class, times: &Zone, t: TransitionId) -> Result<Class, Stopped> {
        let transition = self.net.transition(t);
        let mut marking = class.marking.clone();
        transition.inputs.iter().for_each(|arc| marking[arc.place.index()] = 0);
        for arc in &transition.outputs {
            if marking[arc.place.index()] > 0 {
                return Err(Stopped::Second(t, arc.place));
            }
            marking[arc.place.index()] = 1;
        }
        let moved =
            |owner: u32| transition.inputs.iter().chain(&transition.outputs).any(|arc| arc.place.0 == owner);
        let kept: Vec<usize> = (0..class.owners.len()).filter(|i| !moved(class.owners[*i])).collect();
        let variables: Vec<usize> = std::iter::once(0).chain(kept.iter().map(|i| i + 1)).collect();
        let owners = kept.iter().map(|i| class.owners[*i]).collect();
        let mut after = Class { marking, owners, times: times.over(&variables) };
        transition.outputs.iter().for_each(|arc| self.fill(&mut after, arc.place));
        let mut after = after.sorted();
        let greatest = |owner: &u32| {
            let delay = self.clocks.delay(PlaceId::new(*owner as usize));
            i64::from(delay.least.max(delay.most.unwrap_or(0)))
        };
        let greatest: Vec<i64> = std::iter::once(0).chain(after.owners.iter().map(greatest)).collect();
        after.times = after.times.beyond(&greatest);
        Ok(after)
    }
}

/// With intervals of transitions: the marking after a firing, and which of the enabled transitions stay enabled, by
/// their positions among the owners.
pub(super) fn kept(
    net: &Net,
    class: &Class,
    t: TransitionId,
) -> Result<(Marking, Vec<usize>), TooManyTokens> {
    let mut between = class.marking.clone();
    net.transition(t).taken().iter().for_each(|arc| between[arc.place.index()] -= arc.weight);
    let mut marking = class.marking.clone();
    net.fire(&mut marking, t)?;
    let stays = |u: TransitionId| u != t && net.is_enabled(&between, u) && net.is_enabled(&marking, u);
    let kept = (0..class.owners.len()).filter(|i| stays(TransitionId(class.owners[*i]))).collect();
    Ok((marking, kept))
}

/// The sets that are not part of others.
fn maximal(sets: Vec<Zone>) -> Vec<Zone> {
    let mut kept: Vec<Zone> = Vec::new();
    for set in sets {
        if !kept.iter().any(|other| set.is_in(other)) {
            kept.retain(|other| !other.is_in(&set));
            kept.push(set);
        }
    }
    kept
}

impl Class {
    /// The same class with its variables in the order of their owners.
    pub(super) fn sorted(self) -> Class {
        let mut order: Vec<usize> = (0..self.owners.len()).collect();
        order.sort_by_key(|i| self.owners[*i]);
        let variables: Vec<usize> = std::iter::once(0).chain(order.iter().map(|i| i + 1)).collect();
        let owners = order.iter().map(|i| self.owners[*i]).collect();
        Class { marking: self.marking, owners, times: self.times.over(&variables) }
    }
}

/// Facts of a time net, from all of its classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The number of classes.
    pub classes: usize,
    /// The number of firings between classes.
    pub firings: usize,
    /// The number of markings.
    pub markings: usize,
    /// The number of markings in which no transition is enabled.
    pub dead: usize,
    /// By place, the greatest number of tokens.
    pub bounds: Vec<u32>,
}

/// Why there are no facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFacts {
    /// There are more classes than the limit.
    Limit,
    /// The successors of a class are not known.
    Stopped(Stopped),
}

impl Facts {
    /// The facts of a net with at most this number of classes.
    ///
    /// # Errors
    /// If not all classes are known.
    pub fn of(net: &Net, clocks: &Clocks, limit: usize) -> Result<Facts, NoFacts> {
        let rule = Rule::new(net, clocks);
        let mut reached = Reached::default();
        reached.add(rule.initial(), None, false);
        let (mut at, mut firings) = (0, 0);
        while at < reached.len() {
            let successors = rule.successors(reached.class(at)).map_err(NoFacts::Stopped)?;
            firings += successors.len();
            for (t, class) in successors {
                reached.add(class, Some((at, t)), clocks.semantics == Semantics::Places);
            }
            if reached.len() > limit {
                return Err(NoFacts::Limit);
            }
            at += 1;
        }
        let mut bounds = net.initial();
        for marking in reached.by_marking.keys() {
            bounds.iter_mut().zip(marking).for_each(|(bound, tokens)| *bound = (*bound).max(*tokens));
        }
        let is_dead = |marking: &&Marking| net.enabled(marking).next().is_none();
        let dead = reached.by_marking.keys().filter(is_dead).count();
        Ok(Facts { classes: reached.len(), firings, markings: reached.markings(), dead, bounds })
    }
}

/// The classes that were reached, in the order of a breadth-first search.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    classes: Vec<Class>,
    from: Vec<Option<(usize, TransitionId)>>,
    by_marking: HashMap<Marking, Vec<usize>>,
}

impl Reached {
    /// The number of classes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Is there no class?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// The number of markings.
    #[must_use]
    pub fn markings(&self) -> usize {
        self.by_marking.len()
    }

    /// A class.
    #[must_use]
    pub fn class(&self, number: usize) -> &Class {
        &self.classes[number]
    }

    /// Is this class known, or part of a known one?
    #[must_use]
    pub fn knows(&self, class: &Class) -> bool {
        let same = self.by_marking.get(&class.marking);
        same.is_some_and(|all| all.iter().any(|known| class.times.is_in(&self.classes[*known].times)))
    }

    /// Adds a class, unless it is known, or part of a known one where this is `included`. Gives its number or that of
    /// the known one, and whether it is new.
    pub fn add(
        &mut self,
        class: Class,
        from: Option<(usize, TransitionId)>,
        included: bool,
    ) -> (usize, bool) {
        let same = self.by_marking.entry(class.marking.clone()).or_default();
        let known = same.iter().find(|known| {
            let known = &self.classes[**known];
            known.times == class.times || included && class.times.is_in(&known.times)
        });
        if let Some(known) = known {
            return (*known, false);
        }
        let number = self.classes.len();
        same.push(number);
        self.classes.push(class);
        self.from.push(from);
        (number, true)
    }

    /// The firings that lead to a class.
    #[must_use]
    pub fn path(&self, mut class: usize) -> Vec<TransitionId> {
        let mut path = Vec::new();
        while let Some((before, t)) = self.from[class] {
            path.push(t);
            class = before;
        }
        path.reverse();
        path
    }
}
