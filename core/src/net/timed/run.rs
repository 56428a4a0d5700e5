//! Runs of time nets, with exact times: the definitions of both semantics, carried out.
//!
//! Times are rational numbers, or in the token game of the page, which has no large numbers, whole parts of a unit.

use solver_lite::number::Q;

use super::{Clocks, Semantics};
use crate::net::{Interval, Marking, Net, PlaceArc, PlaceId, TransitionId, weight};

/// An exact measure of time.
pub trait Time: Clone + Ord {
    /// No time.
    const NONE: Self;

    /// Whole units of time.
    fn units(n: u32) -> Self;

    /// The sum.
    #[must_use]
    fn plus(&self, other: &Self) -> Self;

    /// The difference.
    #[must_use]
    fn minus(&self, other: &Self) -> Self;

    /// In units, rounded.
    fn approximate(&self) -> f64;

    /// For people.
    fn text(&self) -> String;
}

impl Time for Q {
    const NONE: Q = Q::ZERO;

    fn units(n: u32) -> Q {
        Q::from(i64::from(n))
    }

    fn plus(&self, other: &Q) -> Q {
        self + other
    }

    fn minus(&self, other: &Q) -> Q {
        self - other
    }

    fn approximate(&self) -> f64 {
        let part = |q: Q| q.to_i64().map_or(f64::MAX, |n| n as f64);
        part(self.numerator()) / part(self.denominator())
    }

    /// A whole number, a fraction, or rounded.
    fn text(&self) -> String {
        match (self.is_integer(), self.denominator().to_i64()) {
            (false, Some(2 | 4 | 5 | 8 | 10)) => format!("{}", self.approximate()),
            (false, Some(11..) | None) => format!("{:.2}", self.approximate()),
            _ => self.to_string(),
        }
    }
}

/// A state of a run of a time net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<'a, T = Q> {
    net: &'a Net,
    clocks: &'a Clocks,
    marking: Marking,
    time: T,
    /// By transition or place, depending on the semantics: for how long it is enabled, or has its token.
    ages: Vec<T>,
}

/// How long time may pass before a transition must fire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Longest<T = Q> {
    /// The delay.
    pub delay: T,
    /// Is this delay itself too long?
    pub is_open: bool,
}

/// Why a transition did not fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotFired {
    /// It may not fire now.
    NotReady,
    /// A place would have too many tokens; in nets with delays of places, a second one.
    Tokens(PlaceId),
}

impl<'a, T: Time> Run<'a, T> {
    /// The initial state.
    #[must_use]
    pub fn new(net: &'a Net, clocks: &'a Clocks) -> Run<'a, T> {
        let owners = match clocks.semantics {
            Semantics::Transitions => net.transitions.len(),
            Semantics::Places => net.places.len(),
        };
        Run { net, clocks, marking: net.initial(), time: T::NONE, ages: vec![T::NONE; owners] }
    }

    /// Is there this transition?
    #[must_use]
    pub fn has(&self, t: TransitionId) -> bool {
        t.index() < self.net.transitions.len()
    }

    /// The marking.
    #[must_use]
    pub fn marking(&self) -> &[u32] {
        &self.marking
    }

    /// The time.
    #[must_use]
    pub fn time(&self) -> &T {
        &self.time
    }

    /// For how long the transition is enabled, or the place has its token; by the semantics.
    #[must_use]
    pub fn age(&self, owner: usize) -> &T {
        &self.ages[owner]
    }

    fn is_marked(&self, arc: &PlaceArc) -> bool {
        self.marking[arc.place.index()] > 0
    }

    /// The delay after which a transition must fire, if nothing changes before; with whether it must fire earlier.
    fn end(&self, t: TransitionId) -> Option<Longest<T>> {
        let transition = self.net.transition(t);
        match self.clocks.semantics {
            Semantics::Transitions => {
                let Interval { most, before_most, .. } = transition.delay?;
                let delay = T::units(most?).minus(&self.ages[t.index()]);
                self.net.is_enabled(&self.marking, t).then_some(Longest { delay, is_open: before_most })
            }
            Semantics::Places => {
                let mut delay = T::NONE;
                for arc in &transition.inputs {
                    let most = self.clocks.delay(arc.place).most?;
                    if !self.is_marked(arc) {
                        return None;
                    }
                    delay = delay.max(T::units(most).minus(&self.ages[arc.place.index()]));
                }
                let inhibits = |arc: &PlaceArc| {
                    let age = self.ages[arc.place.index()].plus(&delay);
                    self.is_marked(arc) && age >= T::units(self.clocks.delay(arc.place).least)
                };
                let free = !transition.inhibitors.iter().any(inhibits);
                free.then_some(Longest { delay, is_open: false })
            }
        }
    }

    /// How long time may pass; none if for ever.
    #[must_use]
    pub fn longest(&self) -> Option<Longest<T>> {
        let ends = self.net.transition_ids().filter_map(|t| self.end(t));
        ends.min_by(|a, b| a.delay.cmp(&b.delay).then(b.is_open.cmp(&a.is_open)))
    }

    /// May this time pass?
    #[must_use]
    pub fn may_wait(&self, delay: &T) -> bool {
        *delay >= T::NONE
            && self.longest().is_none_or(|longest| {
                *delay < longest.delay || *delay == longest.delay && !longest.is_open || *delay == T::NONE
            })
    }

    /// Lets time pass, and gives whether it may.
    pub fn wait(&mut self, delay: &T) -> bool {
        if !self.may_wait(delay) {
            return false;
        }
        self.time = self.time.plus(delay);
        self.ages.iter_mut().for_each(|age| *age = age.plus(delay));
        true
    }

    /// May a transition fire now?
    #[must_use]
    pub fn may_fire(&self, t: TransitionId) -> bool {
        let transition = self.net.transition(t);
        match self.clocks.semantics {
            Semantics::Transitions => {
                let age = &self.ages[t.index()];
                let early = transition.delay.is_some_and(|delay| {
                    *age < T::units(delay.least) || delay.after_least && *age == T::units(delay.least)
                });
                self.net.is_enabled(&self.marking, t) && !early
            }
            Semantics::Places => {
                let age = |arc: &PlaceArc| &self.ages[arc.place.index()];
                let delay = |arc: &PlaceArc| self.clocks.delay(arc.place);
                let ready = |arc: &PlaceArc| self.is_marked(arc) && *age(arc) >= T::units(delay(arc).least);
                let disables = |arc: &PlaceArc| {
                    self.is_marked(arc) && delay(arc).most.is_some_and(|most| *age(arc) >= T::units(most))
                };
                transition.inputs.iter().all(ready) && !transition.inhibitors.iter().any(disables)
            }
        }
    }

    /// The first place to which a transition would give too many tokens; in nets with delays of places, a second one.
    #[must_use]
    pub fn overfull(&self, t: TransitionId) -> Option<PlaceId> {
        let transition = self.net.transition(t);
        let most = if self.clocks.semantics == Semantics::Places { 1 } else { u32::MAX };
        let is_overfull = |arc: &&PlaceArc| {
            let kept = self.marking[arc.place.index()].saturating_sub(weight(&transition.inputs, arc.place));
            kept.checked_add(arc.weight).is_none_or(|tokens| tokens > most)
        };
        transition.outputs.iter().find(is_overfull).map(|arc| arc.place)
    }

    /// Fires a transition.
    ///
    /// # Errors
    /// Why it does not fire; nothing is changed then.
    pub fn fire(&mut self, t: TransitionId) -> Result<(), NotFired> {
        if !self.may_fire(t) {
            return Err(NotFired::NotReady);
        }
        if let Some(place) = self.overfull(t) {
            return Err(NotFired::Tokens(place));
        }
        let transition = self.net.transition(t);
        let mut between = self.marking.clone();
        transition.taken().iter().for_each(|arc| between[arc.place.index()] -= arc.weight);
        let mut after = between.clone();
        transition.added().iter().for_each(|arc| after[arc.place.index()] += arc.weight);
        match self.clocks.semantics {
            Semantics::Transitions => {
                for u in self.net.transition_ids() {
                    let in_all = [&self.marking, &between, &after].map(|m| self.net.is_enabled(m, u));
                    if u == t || in_all != [true; 3] {
                        self.ages[u.index()] = T::NONE;
                    }
                }
            }
            Semantics::Places => {
                transition.outputs.iter().for_each(|arc| self.ages[arc.place.index()] = T::NONE);
            }
        }
        self.marking = after;
        Ok(())
    }

    /// Will no transition ever fire? With delays of places, all tokens must have reached the upper ends.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        let old = |p: PlaceId| {
            let most = self.clocks.delay(p).most;
            self.marking[p.index()] == 0 || most.is_some_and(|most| self.ages[p.index()] >= T::units(most))
        };
        let ready = self.net.transition_ids().any(|t| match self.clocks.semantics {
            Semantics::Transitions => self.net.is_enabled(&self.marking, t),
            Semantics::Places => self.may_fire(t),
        });
        !ready && (self.clocks.semantics == Semantics::Transitions || self.net.place_ids().all(old))
    }

    /// The transitions that may fire now.
    pub fn ready(&self) -> impl Iterator<Item = TransitionId> + '_ {
        self.net.transition_ids().filter(|t| self.may_fire(*t))
    }
}
