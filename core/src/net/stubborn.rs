//! Stubborn sets: in each marking, some enabled transitions need not be fired, because the other ones can be fired
//! before them without a difference (Valmari, "Stubborn sets for reduced state space generation", 1991; Bønneland,
//! Dyhr, Jensen, Johannsen and Srba, "Stubborn versus structural reductions for Petri nets", 2019, for nets with
//! inhibitor arcs).
//!
//! ```text
//! begin with transitions one of which occurs on each path to what is searched for
//! for each transition of the set
//!   disabled: choose an input place with too few tokens → add the transitions that increase it,
//!             or an inhibitor place with too many       → add those that decrease it
//!   enabled:  for each place that it decreases → add the transitions that need tokens of it
//!             for each place that it increases → add those that it inhibits
//! ```
//!
//! What is searched for is a marking with a condition, or a dead one. For a dead marking the set has an enabled
//! transition that the others outside of the set cannot disable.

use std::collections::{BTreeMap, BTreeSet};

use super::condition::{Comparison, Condition, Linear};
use super::{Net, PlaceId, TransitionId};

/// What is searched for.
#[derive(Clone, Debug)]
pub enum Target {
    /// A marking that satisfies a condition.
    Condition(Guide),
    /// A dead marking.
    Dead,
}

/// A condition with the transitions that bring its comparisons nearer to being true, or false.
#[derive(Clone, Debug)]
pub enum Guide {
    /// The same in all markings.
    Constant(bool),
    /// A comparison with the transitions that increase its sum, and those that decrease it.
    Linear(Linear, Vec<u32>, Vec<u32>),
    /// The negation.
    Not(Box<Guide>),
    /// The conjunction.
    And(Vec<Guide>),
    /// The disjunction.
    Or(Vec<Guide>),
    /// A condition of another kind, with the transitions that change its places.
    Other(Condition, Vec<u32>),
}

impl Guide {
    /// The guide of a condition.
    #[must_use]
    pub fn new(net: &Net, condition: &Condition) -> Guide {
        let mut changes = vec![Vec::new(); net.places.len()];
        for t in net.transition_ids() {
            net.effect(t).into_iter().for_each(|(place, change)| changes[place.index()].push((t.0, change)));
        }
        Guide::of(&changes, condition)
    }

    /// The guide of a condition; `changes` has, by place, the transitions that change it.
    fn of(changes: &[Vec<(u32, i64)>], condition: &Condition) -> Guide {
        let all = |parts: &[Condition]| parts.iter().map(|part| Guide::of(changes, part)).collect();
        match condition {
            Condition::Constant(b) => Guide::Constant(*b),
            Condition::Linear(linear) => {
                let mut sums: BTreeMap<u32, i128> = BTreeMap::new();
                for (place, factor) in &linear.terms {
                    for (t, change) in &changes[place.index()] {
                        *sums.entry(*t).or_default() += i128::from(*factor) * i128::from(*change);
                    }
                }
                let with = |sign: i128| {
                    let own = sums.iter().filter(|(_, sum)| sum.signum() == sign);
                    own.map(|(t, _)| *t).collect::<Vec<u32>>()
                };
                Guide::Linear(linear.clone(), with(1), with(-1))
            }
            Condition::Not(inner) => Guide::Not(Box::new(Guide::of(changes, inner))),
            Condition::And(parts) => Guide::And(all(parts)),
            Condition::Or(parts) => Guide::Or(all(parts)),
            Condition::Other(_) => {
                let of_place = |p: &PlaceId| changes[p.index()].iter().map(|(t, _)| *t);
                let changing: BTreeSet<u32> = condition.places().iter().flat_map(of_place).collect();
                Guide::Other(condition.clone(), changing.into_iter().collect())
            }
        }
    }

    /// Its truth in a marking; `None` if an expression has no value.
    pub(super) fn holds(&self, tokens: &impl Fn(PlaceId) -> u32) -> Option<bool> {
        Some(match self {
            Guide::Constant(b) => *b,
            Guide::Linear(linear, ..) => linear.holds(tokens),
            Guide::Not(inner) => !inner.holds(tokens)?,
            Guide::And(parts) => {
                for part in parts {
                    if !part.holds(tokens)? {
                        return Some(false);
                    }
                }
                true
            }
            Guide::Or(parts) => {
                for part in parts {
                    if part.holds(tokens)? {
                        return Some(true);
                    }
                }
                false
            }
            Guide::Other(condition, _) => condition.holds(tokens)?,
        })
    }

    /// How much its comparisons lack until it has this truth; 0 if it has it.
    pub(super) fn distance(&self, wanted: bool, tokens: &impl Fn(PlaceId) -> u32) -> u64 {
        let all =
            |parts: &[Guide]| parts.iter().map(|p| p.distance(wanted, tokens)).fold(0, u64::saturating_add);
        let one =
            |parts: &[Guide]| parts.iter().map(|p| p.distance(wanted, tokens)).min().unwrap_or(u64::MAX);
        match self {
            Guide::Linear(linear, ..) => {
                let sum: i64 = linear.terms.iter().map(|(p, c)| c * i64::from(tokens(*p))).sum();
                let lacks = match (linear.op, wanted) {
                    (Comparison::Le, true) => sum.saturating_sub(linear.bound).max(0),
                    (Comparison::Le, false) => linear.bound.saturating_sub(sum).saturating_add(1).max(0),
                    (Comparison::Eq, true) => sum.saturating_sub(linear.bound).saturating_abs(),
                    (Comparison::Eq, false) => i64::from(sum == linear.bound),
                };
                lacks.unsigned_abs()
            }
            Guide::Not(inner) => inner.distance(!wanted, tokens),
            Guide::And(parts) => {
                if wanted {
                    all(parts)
                } else {
                    one(parts)
                }
            }
            Guide::Or(parts) => {
                if wanted {
                    one(parts)
                } else {
                    all(parts)
                }
            }
            Guide::Constant(_) | Guide::Other(..) => u64::from(self.holds(tokens) != Some(wanted)),
        }
    }

    /// Transitions one of which occurs on each path to a marking in which the condition has this truth, which it does
    /// not have now. `None` if an expression has no value.
    fn towards(&self, wanted: bool, tokens: &impl Fn(PlaceId) -> u32) -> Option<Vec<u32>> {
        Some(match self {
            Guide::Constant(_) => Vec::new(),
            Guide::Linear(linear, more, fewer) => match linear.op {
                Comparison::Le => if wanted { fewer } else { more }.clone(),
                Comparison::Eq if wanted => {
                    let sum: i64 = linear.terms.iter().map(|(p, c)| c * i64::from(tokens(*p))).sum();
                    if sum < linear.bound { more } else { fewer }.clone()
                }
                Comparison::Eq => more.iter().chain(fewer).copied().collect(),
            },
            Guide::Not(inner) => inner.towards(!wanted, tokens)?,
            // One part has to change.
            Guide::And(parts) if wanted => Guide::one(parts, wanted, tokens)?,
            Guide::Or(parts) if !wanted => Guide::one(parts, wanted, tokens)?,
            // Any part may change.
            Guide::And(parts) | Guide::Or(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(part.towards(wanted, tokens)?);
                }
                all
            }
            Guide::Other(_, changing) => changing.clone(),
        })
    }

    /// The fewest transitions for one of the parts that have to change.
    fn one(parts: &[Guide], wanted: bool, tokens: &impl Fn(PlaceId) -> u32) -> Option<Vec<u32>> {
        let mut best: Option<Vec<u32>> = None;
        for part in parts {
            if part.holds(tokens)? != wanted {
                let found = part.towards(wanted, tokens)?;
                if best.as_ref().is_none_or(|best| found.len() < best.len()) {
                    best = Some(found);
                }
            }
        }
        best
    }
}

/// The sets that are computed for one marking have at most so many times the transitions of the net together.
const TRIED: usize = 256;

/// The transitions at a place.
#[derive(Clone, Debug, Default)]
struct At {
    /// Those that need tokens of it.
    needing: Vec<u32>,
    /// Those that it inhibits.
    inhibited: Vec<u32>,
    /// Those that increase it.
    increasing: Vec<u32>,
    /// Those that decrease it.
    decreasing: Vec<u32>,
}

/// The stubborn sets of a net for a target.
#[derive(Clone, Debug)]
pub struct Stubborn {
    target: Target,
    places: Vec<At>,
    /// By transition, the places that it increases and those that it decreases.
    effects: Vec<(Vec<PlaceId>, Vec<PlaceId>)>,
    /// By transition: is it in the set?
    inside: Vec<bool>,
    /// The set, in the order in which it was found.
    set: Vec<u32>,
}

impl Stubborn {
    /// Stubborn sets for this target.
    #[must_use]
    pub fn new(net: &Net, target: Target) -> Stubborn {
        let mut places = vec![At::default(); net.places.len()];
        let mut effects = Vec::new();
        for t in net.transition_ids() {
            let transition = net.transition(t);
            transition.inputs.iter().for_each(|arc| places[arc.place.index()].needing.push(t.0));
            transition.inhibitors.iter().for_each(|arc| places[arc.place.index()].inhibited.push(t.0));
            let (mut more, mut fewer) = (Vec::new(), Vec::new());
            for (place, change) in net.effect(t) {
                let at = &mut places[place.index()];
                if change > 0 { &mut at.increasing } else { &mut at.decreasing }.push(t.0);
                if change > 0 { &mut more } else { &mut fewer }.push(place);
            }
            effects.push((more, fewer));
        }
        let inside = vec![false; net.transitions.len()];
        Stubborn { target, places, effects, inside, set: Vec::new() }
    }

    /// What is searched for.
    #[must_use]
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Computes the set of a marking that is not the target: `tokens` gives the tokens of places, `enabled` the enabled
    /// transitions in order. All transitions are in the set if nothing can be left out.
    pub fn compute(&mut self, net: &Net, tokens: &impl Fn(PlaceId) -> u32, enabled: &[TransitionId]) {
        self.clear();
        let is_enabled = |t: u32| enabled.binary_search(&TransitionId(t)).is_ok();
        match &self.target {
            Target::Condition(guide) => {
                let begin = guide.towards(true, tokens);
                let begin = begin.unwrap_or_else(|| net.transition_ids().map(|t| t.0).collect());
                begin.into_iter().for_each(|t| self.add(t));
                self.close(net, tokens, &is_enabled, usize::MAX);
            }
            Target::Dead => {
                // The best of a few transitions to begin with.
                let mut best: Option<(usize, Vec<u32>)> = None;
                let mut tried = 0;
                for t in enabled {
                    if tried > TRIED * self.effects.len() {
                        break;
                    }
                    self.clear();
                    self.begin_with(net, *t);
                    let most = best.as_ref().map_or(usize::MAX, |(fired, _)| *fired);
                    let fired = self.close(net, tokens, &is_enabled, most);
                    tried += self.set.len();
                    if fired < most {
                        best = Some((fired, self.set.clone()));
                    }
                    if fired <= 1 {
                        break;
                    }
                }
                self.clear();
                best.into_iter().flat_map(|(_, set)| set).for_each(|t| self.add(t));
            }
        }
    }

    /// Is a transition in the set that was computed last?
    #[must_use]
    pub fn contains(&self, transition: TransitionId) -> bool {
        self.inside[transition.index()]
    }

    fn clear(&mut self) {
        self.set.drain(..).for_each(|t| self.inside[t as usize] = false);
    }

    fn add(&mut self, transition: u32) {
        if !std::mem::replace(&mut self.inside[transition as usize], true) {
            self.set.push(transition);
        }
    }

    fn add_all(&mut self, of: PlaceId, which: fn(&At) -> &Vec<u32>) {
        for i in 0..which(&self.places[of.index()]).len() {
            self.add(which(&self.places[of.index()])[i]);
        }
    }

    /// An enabled transition, with all that could disable it.
    fn begin_with(&mut self, net: &Net, t: TransitionId) {
        self.add(t.0);
        for arc in &net.transition(t).inputs {
            self.add_all(arc.place, |at| &at.decreasing);
        }
        for arc in &net.transition(t).inhibitors {
            self.add_all(arc.place, |at| &at.increasing);
        }
    }

    /// Closes the set, and gives the number of enabled transitions in it; it stops when there are as many as `most`.
    fn close(
        &mut self,
        net: &Net,
        tokens: &impl Fn(PlaceId) -> u32,
        is_enabled: &impl Fn(u32) -> bool,
        most: usize,
    ) -> usize {
        let (mut next, mut fired) = (0, 0);
        while next < self.set.len() {
            let t = TransitionId(self.set[next]);
            next += 1;
            if is_enabled(t.0) {
                fired += 1;
                if fired >= most {
                    return fired;
                }
                for i in 0..self.effects[t.index()].1.len() {
                    self.add_all(self.effects[t.index()].1[i], |at| &at.needing);
                }
                for i in 0..self.effects[t.index()].0.len() {
                    self.add_all(self.effects[t.index()].0[i], |at| &at.inhibited);
                }
            } else {
                self.add_reason(net, t, tokens);
            }
        }
        fired
    }

    /// The transitions that can remove a reason why this one is disabled: of several reasons, the one with the fewest
    /// transitions that are not in the set yet.
    fn add_reason(&mut self, net: &Net, t: TransitionId, tokens: &impl Fn(PlaceId) -> u32) {
        let new = |which: &Vec<u32>| which.iter().filter(|t| !self.inside[**t as usize]).count();
        let (mut best, mut least) = (None, usize::MAX);
        let transition = net.transition(t);
        for arc in transition.inputs.iter().filter(|arc| tokens(arc.place) < arc.weight) {
            let count = new(&self.places[arc.place.index()].increasing);
            if count < least {
                (best, least) = (Some((arc.place, true)), count);
            }
        }
        for arc in transition.inhibitors.iter().filter(|arc| tokens(arc.place) >= arc.weight) {
            let count = new(&self.places[arc.place.index()].decreasing);
            if count < least {
                (best, least) = (Some((arc.place, false)), count);
            }
        }
        match best {
            Some((place, true)) => self.add_all(place, |at| &at.increasing),
            Some((place, false)) => self.add_all(place, |at| &at.decreasing),
            None => {}
        }
    }
}
