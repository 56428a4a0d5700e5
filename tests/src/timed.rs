//! Random time nets with what is true of them, by enumeration of states whose ages are multiples of a unit.
//!
//! With closed intervals, whole numbers are enough (Henzinger, Manna and Pnueli, "What Good Are Digital Clocks?",
//! 1992). Otherwise a unit is smaller than 1 divided by the number of clocks, so that each order of fractional parts
//! occurs.

use std::collections::{BTreeMap, BTreeSet};

use veristep_core::certificate;
use veristep_core::formats::{pn, tina};
use veristep_core::kit::{Off, UnknownReason, Verdict};
use veristep_core::methods::bmc::BmcOptions;
use veristep_core::net::timed::encoding::{Encoding, Logic};
use veristep_core::net::{Interval, Net, PlaceArc, Transition, weight};
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_core::system::System;

use crate::models::poll_up_to;
use crate::nets::joined;
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
    /// The states, each with those after a firing, and the one after a unit of time.
    graph: BTreeMap<State, (Vec<State>, Option<State>)>,
}

impl Enumerated {
    /// The states that are added to the empty set, round after round, until no more are.
    fn least(&self, grows: &dyn Fn(&State, &BTreeSet<&State>) -> bool) -> BTreeSet<&State> {
        let mut found: BTreeSet<&State> = BTreeSet::new();
        loop {
            let is_new = |state: &&State| !found.contains(state) && grows(state, &found);
            let more: Vec<&State> = self.graph.keys().filter(is_new).collect();
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    }

    /// Is there an infinite run, of infinitely many firings, on which the marking is in a set from some time on?
    pub fn stays_in(&self, set: &dyn Fn(&Vec<u32>) -> bool) -> bool {
        let mut inside: BTreeSet<&State> = self.graph.keys().filter(|state| set(&state.0)).collect();
        loop {
            // Time passes, inside of the set, until a firing leads to such a state again.
            let kept = self.least(&|state, found| {
                let (firings, later) = &self.graph[state];
                let fires = firings.iter().any(|after| inside.contains(after));
                inside.contains(state) && (fires || later.as_ref().is_some_and(|l| found.contains(l)))
            });
            if kept.len() == inside.len() {
                return !kept.is_empty();
            }
            inside = kept;
        }
    }

    /// Is there an infinite run on which the marking after a firing is in a set again and again?
    pub fn returns_to(&self, set: &dyn Fn(&Vec<u32>) -> bool) -> bool {
        let mut from: BTreeSet<&State> = self.graph.keys().collect();
        loop {
            let kept = self.least(&|state, found| {
                let (firings, later) = &self.graph[state];
                let returns = |after: &State| set(&after.0) && from.contains(after) || found.contains(after);
                firings.iter().any(returns) || later.as_ref().is_some_and(|l| found.contains(l))
            });
            if kept.len() == from.len() {
                return !kept.is_empty();
            }
            from = kept;
        }
    }
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

/// The net in TINA's language, with read arcs in place of tokens that are taken and put back.
fn with_read_arcs(text: &str) -> String {
    let mut net = pn::parse(text).expect("a net");
    for t in &mut net.transitions {
        let back =
            |arc: &PlaceArc| PlaceArc { weight: arc.weight.min(weight(&t.outputs, arc.place)), ..*arc };
        t.reads = t.inputs.iter().map(back).filter(|arc| arc.weight > 0).collect();
    }
    tina::print(&net)
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
        // What is read stays in its place.
        let read = |a: &&PlaceArc| t.reads.iter().find(|r| r.place == a.place).map_or(0, |r| r.weight);
        t.inputs.iter().for_each(|a| between[a.place.index()] -= a.weight - read(&a));
        let mut after = between.clone();
        t.outputs.iter().for_each(|a| after[a.place.index()] += a.weight - read(&a));
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
            let (mut firings, mut later_state) = (Vec::new(), None);
            for i in (0..net.transitions.len()).filter(|i| search.fires(&state, *i)) {
                match search.fired(&state, i) {
                    None => found.unsafe_place = true,
                    Some(after) => {
                        firings.push(after.clone());
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
                    later.insert(after.clone());
                }
                later_state = Some(after);
            }
            found.graph.insert(state, (firings, later_state));
        }
        now = later;
        time += 1;
    }
    Some(found)
}

/// What was found about random nets.
#[derive(Debug, Default)]
pub struct Counted {
    /// False properties, and true ones.
    pub properties: [usize; 2],
    /// The verdicts of explicit search, bmc, pdr, imc and cegar.
    pub decided: [usize; 5],
    /// The runs that ended because a place can get a second token.
    pub refused: usize,
    /// The violations for which explicit search found no run that repeats its delays.
    pub aperiodic: usize,
}

/// The verdict of a method; a wrong certificate is a failure.
fn verdict(system: &System, asked: &str, options: &Options, steps: u64) -> Option<Verdict> {
    let method = options.method;
    let property = run::property(system, asked).unwrap_or_else(|d| panic!("{asked}: {}", d[0].message));
    let mut run = Run::new(system, &property, options).ok()?;
    let outcome = poll_up_to(&mut run, &mut Off, steps, &mut || u64::MAX)?;
    if let Some(certificate) = &outcome.certificate {
        certificate::check(system, &property, certificate)
            .unwrap_or_else(|why| panic!("{asked} with {}: {why}", method.name()));
    }
    Some(outcome.verdict)
}

/// A random property of a net, and whether it is true.
fn question(rng: &mut Rng, (net, of_places): (&Net, bool), found: &Enumerated) -> (String, bool) {
    let endless = of_places && net.places.iter().any(|p| p.delay.is_none_or(|d| d.most.is_none()));
    let c = joined(rng, net);
    let reach = |m: &Vec<u32>| (c.holds)(m);
    match rng.below(4) {
        0 if !endless => ("deadlock-free".to_owned(), !found.stuck),
        1 => (format!("EF ({})", c.text), found.markings.keys().any(reach)),
        2 if found.units == 1 => {
            let within = rng.below(4) as u32;
            let is_soon = |(m, time): (&Vec<u32>, &u32)| reach(m) && *time <= within;
            (format!("EF (({}) && time <= {within})", c.text), found.markings.iter().any(is_soon))
        }
        3 if !of_places => {
            let fails = |m: &Vec<u32>| !(c.holds)(m);
            let (op, fails_for_ever) = if rng.one_in(2) {
                ("G F", found.stays_in(&fails))
            } else {
                ("F G", found.returns_to(&fails))
            };
            // A run that ends repeats its last marking for ever.
            let ends = |m: &Vec<u32>| !net.transitions.iter().any(|t| is_enabled(t, m));
            let ends_so = found.markings.keys().any(|m| ends(m) && fails(m));
            match rng.one_in(3) {
                true => (format!("ltl[stuck=deadlock]: {op} ({})", c.text), !fails_for_ever && !ends_so),
                false => (format!("{op} ({})", c.text), !fails_for_ever),
            }
        }
        _ => (format!("AG ({})", c.text), found.markings.keys().all(reach)),
    }
}

/// Asks a random question about a random time net and compares the verdicts of the methods with the enumeration.
/// Bounded model checking has random encodings.
///
/// # Panics
/// On a wrong verdict, and on a certificate that is not accepted.
pub fn examine(rng: &mut Rng, of_places: bool, counted: &mut Counted) {
    let (mut text, mut kind) = (net(rng, of_places), Kind::Pn);
    if !of_places && rng.one_in(3) {
        (text, kind) = (with_read_arcs(&text), Kind::Tina);
    }
    let system = run::load(kind, &text).unwrap_or_else(|d| panic!("{}\n{text}", d[0].message));
    let net = system.net.clone().unwrap();
    if !net.is_timed() || of_places && net.places.iter().all(|p| p.delay.is_none()) {
        return;
    }
    let Some(found) = enumerate(&net, of_places, 20_000) else { return };
    let (asked, expected) = question(rng, (&net, of_places), &found);
    counted.properties[usize::from(expected)] += 1;
    let wanted = if expected { Verdict::Holds } else { Verdict::Violated };
    let methods = [
        (Method::Explicit, 20_000),
        (Method::Bmc, 8),
        (Method::Pdr, 400),
        (Method::Imc, 60),
        (Method::Cegar, 1_000),
    ];
    for (i, (method, steps)) in methods.into_iter().enumerate() {
        if i > 0 && rng.below(3) > 0 {
            continue;
        }
        let logic = if rng.below(2) == 0 { Logic::Difference } else { Logic::Arithmetic };
        let encoding = Encoding { logic, replace: rng.below(2) == 0, exact: rng.below(3) > 0 };
        let bmc = BmcOptions { bound: None, encoding };
        let options = Options { method, bmc, ..Options::default() };
        match verdict(&system, &asked, &options, steps) {
            Some(Verdict::Unknown(UnknownReason::NoRun)) => {
                assert!(!encoding.exact, "{asked}\n{text}")
            }
            Some(Verdict::Unknown(_)) if found.unsafe_place => counted.refused += 1,
            Some(Verdict::Unknown(_)) | None => {}
            Some(verdict) => {
                counted.decided[i] += 1;
                assert_eq!(verdict, wanted, "{asked} with {}\n{text}", method.name());
                let proves = expected != asked.starts_with("EF");
                assert!(!proves || !found.unsafe_place, "{asked} with {}\n{text}", method.name());
            }
        }
    }
    if !found.unsafe_place && !asked.contains("time") {
        let options = Options { method: Method::Explicit, ..Options::default() };
        let explicit = verdict(&system, &asked, &options, 20_000);
        // With open intervals, infinitely many firings may take less and less time.
        let aperiodic = found.units > 1 && explicit == Some(Verdict::Unknown(UnknownReason::Aperiodic));
        assert!(aperiodic || explicit == Some(wanted), "{asked} with explicit: {explicit:?}\n{text}");
        counted.aperiodic += usize::from(aperiodic);
    }
}
