//! The states of a net with intervals of transitions as markings with sets of ages, for infinite runs.
//!
//! An age is the time for which a transition is enabled. Ages beyond the constants of the interval are not
//! distinguished, so a bounded net has finitely many sets; its infinite sequences of firings are the infinite paths
//! between them (Tripakis, "Checking Timed Büchi Automata Emptiness on Simulation Graphs", 2009).

use super::Clocks;
use super::classes::{Class, kept};
use super::zone::Bound;
use crate::net::{Interval, Net, TooManyTokens, TransitionId};

/// The steps between sets of ages. Of a [`Class`], the owners are the enabled transitions with a clock.
#[derive(Clone, Copy, Debug)]
pub struct Ages<'a> {
    /// The net.
    pub net: &'a Net,
    /// Its clocks, those of transitions.
    pub clocks: &'a Clocks,
}

impl Ages<'_> {
    /// The initial state.
    #[must_use]
    pub fn initial(&self) -> Class {
        self.started(Class { marking: self.net.initial(), ..Class::default() })
    }

    /// The interval of a transition with a clock.
    #[must_use]
    pub fn interval(&self, owner: u32) -> Interval {
        self.net
            .transition(TransitionId(owner))
            .delay
            .expect("only transitions with an interval have a clock")
    }

    /// The clocks of transitions that were not enabled start.
    fn started(&self, mut class: Class) -> Class {
        let has_clock = |t: &TransitionId| self.clocks.of_transition(*t).is_some();
        let enabled: Vec<TransitionId> = self.net.enabled(&class.marking).filter(has_clock).collect();
        for t in enabled {
            if !class.owners.contains(&t.0) {
                class.owners.push(t.0);
                class.times.add(Bound::ZERO, Bound::ZERO);
            }
        }
        class.sorted()
    }

    /// The states after some time, in which no transition has missed its interval.
    #[must_use]
    pub fn waited(&self, class: &Class) -> Class {
        let mut class = class.clone();
        class.times.up();
        for (i, owner) in class.owners.iter().enumerate() {
            let Interval { most: Some(most), before_most, .. } = self.interval(*owner) else { continue };
            let within = class.times.constrain(i + 1, 0, Bound::of(before_most, i64::from(most)));
            assert!(within, "a transition has missed its interval");
        }
        class
    }

    /// The states after a firing, if the transition may fire.
    ///
    /// # Errors
    /// If a place would have too many tokens.
    pub fn fired(&self, class: &Class, t: TransitionId) -> Result<Option<Class>, TooManyTokens> {
        if !self.net.is_enabled(&class.marking, t) {
            return Ok(None);
        }
        let mut times = class.times.clone();
        if let Some(own) = class.owners.iter().position(|owner| *owner == t.0) {
            let Interval { least, after_least, .. } = self.interval(t.0);
            if !times.constrain(0, own + 1, Bound::of(after_least, -i64::from(least))) {
                return Ok(None);
            }
        }
        let (marking, kept) = kept(self.net, class, t)?;
        let variables: Vec<usize> = std::iter::once(0).chain(kept.iter().map(|i| i + 1)).collect();
        let owners = kept.iter().map(|i| class.owners[*i]).collect();
        let mut after = self.started(Class { marking, owners, times: times.over(&variables) });
        let greatest = |owner: &u32| {
            let Interval { least, most, .. } = self.interval(*owner);
            i64::from(most.unwrap_or(least))
        };
        let greatest: Vec<i64> = std::iter::once(0).chain(after.owners.iter().map(greatest)).collect();
        after.times = after.times.beyond(&greatest);
        Ok(Some(after))
    }
}
