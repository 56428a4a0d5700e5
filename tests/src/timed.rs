//! Random time nets with what is true of them, by enumeration of states whose ages are multiples of a unit.
//!
//! With closed intervals, whole numbers are enough (Henzinger, Manna and Pnueli, "What Good Are Digital Clocks?",
//! 1992). Otherwise a unit is smaller than 1 divided by the number of clocks, so that each order of fractional parts
//! occurs.

use std::collections::{BTreeMap, BTreeSet};

use veristep_core::net::{Interval, Net, PlaceArc, Transition};

use crate::random::Rng;

/// What an enumeration found.
#[derive(Debug, Default)]
pub struct Enumerated {
    /// The reachable markings, with the least time in units.
    pub markings: BTreeMap<Vec<u32>, u32>,
    /// Is there a state in which no transition will ever fire?
    pub stuck: bool,
    /// Does a place get a second token, where it must not?
    pub unsafe_place: bool,
    /// The number of units of one unit of time.
    pub units: u32,
}

/// A random time net, with intervals of transitions or of places.
pub fn net(rng: &mut Rng, of_places: bool) -> String {
    let places = 1 + rng.below(4);
    let mut text = "net random {\n".to_owned();
    let interval = |rng: &mut Rng, open: bool| {
        let least = rng.below(3);
        let most = least + rng.below(3);
        let (after, before) = (open && rng.below(8) == 0, open && rng.below(8) == 0);
        if rng.below(8) == 0 {
            return format!(" {}{least},w[", if after { "]" } else { "[" });
        }
        let most = if after || before { most + 1 } else { most };
        format!(" {}{least},{most}{}", if after { "]" } else { "[" }, if before { "[" } else { "]" })
    };
    let tokens = if of_places { 2 } else { 3 };
    for i in 0..places {
        let delay = if of_places && rng.below(6) > 0 { interval(rng, false) } else { String::new() };
        text.push_str(&format!("  place p{i} = {}{delay}\n", rng.below(tokens)));
    }
    for t in 0..1 + rng.below(4) {
        let side = |rng: &mut Rng, most: usize, separator: &str| {
            let mut arcs: BTreeMap<usize, usize> = BTreeMap::new();
            for _ in 0..rng.below(most) {
                arcs.insert(rng.below(places), if of_places { 1 } else { 1 + rng.below(6) / 5 });
            }
            let arc = |(p, w): (&usize, &usize)| if *w == 1 { format!("p{p}") } else { format!("{w} p{p}") };
            arcs.iter().map(arc).collect::<Vec<_>>().join(separator)
        };
        let delay = if !of_places && rng.below(6) > 0 { interval(rng, true) } else { String::new() };
        let (inputs, outputs) = (side(rng, 4, " + "), side(rng, 3, " + "));
        let inhibitors = if rng.below(4) == 0 { side(rng, 3, ", ") } else { String::new() };
        let unless = if inhibitors.is_empty() { String::new() } else { format!(" unless {inhibitors}") };
        text.push_str(&format!("  transition t{t}{delay}: {inputs} -> {outputs}{unless}\n"));
    }
    text.push_str("}\n");
    text
}

/// A state: the marking, and the ages of enabled transitions or of tokens; 0 elsewhere.
type State = (Vec<u32>, Vec<u32>);

struct Search<'a> {
    net: &'a Net,
    of_places: bool,
    units: u32,
    /// Greater ages change nothing.
    greatest: u32,
}

fn is_enabled(t: &Transition, marking: &[u32]) -> bool {
    t.inputs.iter().all(|a| marking[a.place.index()] >= a.weight)
        && t.inhibitors.iter().all(|a| marking[a.place.index()] < a.weight)
}

impl Search<'_> {
    fn delay(&self, arc: &PlaceArc) -> (u32, Option<u32>) {
        let delay = self.net.place(arc.place).delay;
        delay.map_or((0, None), |d| (d.least * self.units, d.most.map(|most| most * self.units)))
    }

    /// Does the token of an arc's place have this age?
    fn has_age(&self, (marking, ages): &State, arc: &PlaceArc, age: Option<u32>) -> bool {
        marking[arc.place.index()] > 0 && age.is_some_and(|age| ages[arc.place.index()] >= age)
    }

    /// May time pass?
    fn passes(&self, state: &State) -> bool {
        self.net.transitions.iter().enumerate().all(|(i, t)| {
            if self.of_places {
                let forced = t.inputs.iter().all(|a| self.has_age(state, a, self.delay(a).1))
                    && !t.inhibitors.iter().any(|a| self.has_age(state, a, Some(self.delay(a).0)));
                return !forced;
            }
            let Some(Interval { most: Some(most), before_most, .. }) = t.delay else { return true };
            let next = state.1[i] + 1;
            !is_enabled(t, &state.0)
                || if before_most { next < most * self.units } else { next <= most * self.units }
        })
    }

    fn fires(&self, state: &State, i: usize) -> bool {
        let t = &self.net.transitions[i];
        if self.of_places {
            return t.inputs.iter().all(|a| self.has_age(state, a, Some(self.delay(a).0)))
                && !t.inhibitors.iter().any(|a| self.has_age(state, a, self.delay(a).1));
        }
        let age = state.1[i];
        is_enabled(t, &state.0)
            && t.delay.is_none_or(|d| {
                if d.after_least { age > d.least * self.units } else { age >= d.least * self.units }
            })
    }

    /// The state after a firing; none if a place would get a second token that must not.
    fn fired(&self, (marking, ages): &State, i: usize) -> Option<State> {
        let t = &self.net.transitions[i];
        let mut between = marking.clone();
        t.inputs.iter().for_each(|a| between[a.place.index()] -= a.weight);
        let mut after = between.clone();
        t.outputs.iter().for_each(|a| after[a.place.index()] += a.weight);
        let mut ages = ages.clone();
        if self.of_places {
            if after.iter().any(|n| *n > 1) {
                return None;
            }
            t.inputs.iter().chain(&t.outputs).for_each(|a| ages[a.place.index()] = 0);
            return Some((after, ages));
        }
        for (j, u) in self.net.transitions.iter().enumerate() {
            let stays = [marking, &between, &after].into_iter().all(|m| is_enabled(u, m));
            if i == j || !stays {
                ages[j] = 0;
            }
        }
        Some((after, ages))
    }

    fn is_stuck(&self, state: &State) -> bool {
        if !self.of_places {
            return !self.net.transitions.iter().any(|t| is_enabled(t, &state.0));
        }
        let old = |i: usize| {
            let most = self.net.places[i].delay.and_then(|d| d.most);
            state.0[i] == 0 || most.is_some_and(|most| state.1[i] >= most * self.units)
        };
        (0..state.0.len()).all(old) && self.passes(state)
    }
}

/// All markings of a time net, if there are few states.
///
/// # Panics
/// Never, for nets of [`net`].
pub fn enumerate(net: &Net, of_places: bool, limit: usize) -> Option<Enumerated> {
    let clocks = if of_places { net.places.len() } else { net.transitions.len() };
    let open = |d: &Interval| d.after_least || d.before_most;
    let is_open =
        net.has_inhibitors() && of_places || net.transitions.iter().any(|t| t.delay.iter().any(open));
    let units = if is_open { clocks as u32 + 1 } else { 1 };
    let delays = net.places.iter().map(|p| p.delay).chain(net.transitions.iter().map(|t| t.delay));
    let greatest = delays.flatten().map(|d| d.least.max(d.most.unwrap_or(0))).max().unwrap_or(0);
    let search = Search { net, of_places, units, greatest: greatest * units + 1 };
    let mut found = Enumerated { units, ..Enumerated::default() };
    let first = (net.initial(), vec![0; clocks]);
    let (mut now, mut known): (BTreeSet<State>, BTreeSet<State>) =
        (BTreeSet::from([first.clone()]), BTreeSet::new());
    known.insert(first);
    // In rounds of one unit of time each.
    let mut time = 0;
    while !now.is_empty() {
        let mut open: Vec<State> = now.iter().cloned().collect();
        let mut later = BTreeSet::new();
        while let Some(state) = open.pop() {
            if known.len() > limit || state.0.iter().any(|n| *n > 6) {
                return None;
            }
            found.markings.entry(state.0.clone()).or_insert(time);
            found.stuck |= search.is_stuck(&state);
            for i in (0..net.transitions.len()).filter(|i| search.fires(&state, *i)) {
                match search.fired(&state, i) {
                    None => found.unsafe_place = true,
                    Some(after) => {
                        if known.insert(after.clone()) {
                            open.push(after);
                        }
                    }
                }
            }
            if search.passes(&state) {
                let older = |(i, age): (usize, &u32)| {
                    let runs =
                        if of_places { state.0[i] > 0 } else { is_enabled(&net.transitions[i], &state.0) };
                    if runs { (age + 1).min(search.greatest) } else { 0 }
                };
                let after = (state.0.clone(), state.1.iter().enumerate().map(older).collect());
                if known.insert(State::clone(&after)) {
                    later.insert(after);
                }
            }
        }
        now = later;
        time += 1;
    }
    Some(found)
}
