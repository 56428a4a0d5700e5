//! Walks: long runs towards what is searched for, of which nothing is remembered but the run itself. In a large net
//! they find a violation, if there are many, long before a search has enumerated the markings.
//!
//! ```text
//! for each walk
//!   begin with the initial marking
//!   for each step
//!     no transition is enabled → end the walk
//!     fire that transition of a stubborn set whose marking is nearest; at times, any of them
//! ```
//!
//! The distance of a marking is how much its comparisons lack, or, from a dead marking, the number of enabled
//! transitions. The sequence of walks is always the same.

use super::stubborn::{Stubborn, Target};
use super::{Marking, Net, TransitionId};

/// The number of walks; each is a few times as long as the net has places.
const WALKS: usize = 6;
const LENGTH: usize = 4;
/// The greatest number of steps of all walks.
const STEPS: usize = 6_000;
/// The greatest number of transitions that are compared in a step.
const COMPARED: usize = 12;
/// One of so many steps is any step.
const ANY: u64 = 16;

/// Walks in progress.
#[derive(Clone, Debug)]
pub struct Walks {
    stubborn: Stubborn,
    marking: Marking,
    path: Vec<TransitionId>,
    walks: usize,
    steps: usize,
    random: u64,
}

/// What a step of a walk leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Walked {
    /// Walks go on.
    On,
    /// A marking that was searched for, with the run to it.
    Found(Vec<TransitionId>),
    /// There are no more walks.
    Over,
}

impl Walks {
    /// Walks before their first step.
    #[must_use]
    pub fn new(net: &Net, stubborn: Stubborn) -> Walks {
        Walks { stubborn, marking: net.initial(), path: Vec::new(), walks: 0, steps: 0, random: 1 }
    }

    /// The number of steps so far.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The next step.
    pub fn step(&mut self, net: &Net) -> Walked {
        if self.steps >= STEPS || self.walks >= WALKS {
            return Walked::Over;
        }
        self.steps += 1;
        let enabled: Vec<TransitionId> = net.enabled(&self.marking).collect();
        if self.is_found(&enabled) {
            return Walked::Found(std::mem::take(&mut self.path));
        }
        let (marking, stubborn) = (&self.marking, &mut self.stubborn);
        stubborn.compute(net, &|p| marking[p.index()], &enabled);
        let mut choices: Vec<TransitionId> = enabled.into_iter().filter(|t| stubborn.contains(*t)).collect();
        if choices.is_empty() || self.path.len() > LENGTH * net.places.len() + 64 {
            self.restart(net);
            return Walked::On;
        }
        if choices.len() > 1 && self.chance(ANY) == 0 {
            let any = self.chance(choices.len() as u64);
            choices = vec![choices[usize::try_from(any).expect("below the length")]];
        }
        let mut best: Option<(u64, u64, TransitionId, Marking)> = None;
        for t in choices.into_iter().take(COMPARED) {
            let mut after = self.marking.clone();
            if net.fire(&mut after, t).is_err() {
                continue;
            }
            let key = (self.distance(net, &after), self.chance(u64::MAX));
            if best.as_ref().is_none_or(|(distance, tie, ..)| key < (*distance, *tie)) {
                best = Some((key.0, key.1, t, after));
            }
        }
        match best {
            Some((_, _, t, after)) => {
                self.path.push(t);
                self.marking = after;
            }
            None => self.restart(net),
        }
        Walked::On
    }

    fn restart(&mut self, net: &Net) {
        self.walks += 1;
        self.path.clear();
        self.marking = net.initial();
    }

    fn is_found(&self, enabled: &[TransitionId]) -> bool {
        match self.stubborn.target() {
            Target::Dead => enabled.is_empty(),
            Target::Condition(guide) => guide.holds(&|p| self.marking[p.index()]) == Some(true),
        }
    }

    fn distance(&self, net: &Net, marking: &Marking) -> u64 {
        match self.stubborn.target() {
            Target::Dead => net.enabled(marking).count() as u64,
            Target::Condition(guide) => guide.distance(true, &|p| marking[p.index()]),
        }
    }

    /// A number below this one.
    fn chance(&mut self, below: u64) -> u64 {
        // Knuth's MMIX, of which the upper bits are used.
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 16) % below
    }
}
