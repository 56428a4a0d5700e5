//! The token game of a time net: its clock is moved by hand, up to the time at which a transition must fire.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::diagnostic::Span;
use crate::draw::net;
use crate::draw::timeline::{interval, longest_text, show};
use crate::formats::net::edge_of;
use crate::net::timed::run::{NotFired, Run, Time};
use crate::net::timed::{Clocks, Semantics};
use crate::net::{Interval, Net, PlaceArc, PlaceId, TransitionId};
use crate::scene::Drawing;
use crate::system::EdgeId;

/// The number of steps of the clock in one unit of time.
pub const PARTS: u32 = 10;
/// With more clocks, only the ends of the time that may pass are tried for later firings.
const CLOCKS: usize = 200;

/// The intervals of a net, by place and by transition, and its read arcs, which are drawn like others.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Delays {
    places: Vec<Option<Interval>>,
    transitions: Vec<Option<Interval>>,
    /// By transition.
    reads: Vec<Vec<(PlaceId, u32)>>,
}

impl Delays {
    /// Those of a net.
    #[must_use]
    pub fn of(net: &Net) -> Delays {
        Delays {
            places: net.places.iter().map(|p| p.delay).collect(),
            transitions: net.transitions.iter().map(|t| t.delay).collect(),
            reads: net
                .transitions
                .iter()
                .map(|t| t.reads.iter().map(|a| (a.place, a.weight)).collect())
                .collect(),
        }
    }
}

/// A move: time passes, and then transitions fire.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Move {
    /// The time, in parts of a unit.
    pub wait: u32,
    /// What fires.
    pub fired: Vec<EdgeId>,
}

/// A time net that is played in its drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    net: Net,
    clocks: Clocks,
}

/// A position of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct Position {
    /// The net in the state of the position.
    pub drawing: Arc<Drawing>,
    /// The time, in words.
    pub time: String,
    /// How long time may pass from here, in words.
    pub longest: String,
    /// The time since the last firing, and up to which it may be moved; in parts of a unit.
    pub wait: (u32, u32),
    /// The transitions that can fire next, each with the first time from here, in parts of a unit.
    pub next: Vec<(u32, EdgeId)>,
}

/// A time in parts of a unit, in words.
#[must_use]
pub fn waited(parts: u32) -> String {
    Parts::of(parts).text()
}

/// A time in parts of a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Parts(i64);

impl Parts {
    fn of(parts: u32) -> Parts {
        Parts(parts.into())
    }

    /// The number, from 0.
    fn number(self) -> u32 {
        u32::try_from(self.0.max(0)).unwrap_or(u32::MAX)
    }
}

impl Time for Parts {
    const NONE: Parts = Parts(0);

    fn units(n: u32) -> Parts {
        Parts(i64::from(n) * i64::from(PARTS))
    }

    fn plus(&self, other: &Parts) -> Parts {
        Parts(self.0 + other.0)
    }

    fn minus(&self, other: &Parts) -> Parts {
        Parts(self.0 - other.0)
    }

    fn approximate(&self) -> f64 {
        self.0 as f64 / f64::from(PARTS)
    }

    fn text(&self) -> String {
        self.approximate().to_string()
    }
}

type PartsRun<'a> = Run<'a, Parts>;

impl Clock {
    /// The game of a drawing of a net with these intervals.
    #[must_use]
    pub fn of(drawing: &Drawing, delays: &Delays) -> Option<Clock> {
        let mut net = net::net_of(drawing);
        net.places.iter_mut().zip(&delays.places).for_each(|(p, delay)| p.delay = *delay);
        net.transitions.iter_mut().zip(&delays.transitions).for_each(|(t, delay)| t.delay = *delay);
        for (t, reads) in net.transitions.iter_mut().zip(&delays.reads) {
            let arc = |(place, weight): &(PlaceId, u32)| PlaceArc {
                place: *place,
                weight: *weight,
                span: Span::default(),
            };
            t.reads = reads.iter().map(arc).collect();
        }
        let clocks = Clocks::of(&net).ok()??;
        Some(Clock { net, clocks })
    }

    /// The state after the moves, as far as they are possible, and the number of transitions that fired.
    fn after(&self, moves: &[Move]) -> (PartsRun<'_>, usize) {
        let (mut run, mut fired) = (Run::new(&self.net, &self.clocks), 0);
        for step in moves {
            if !run.wait(&Parts::of(step.wait)) {
                break;
            }
            for t in &step.fired {
                if !fire(&mut run, *t) {
                    return (run, fired);
                }
                fired += 1;
            }
        }
        (run, fired)
    }

    /// The number of firings of these moves that are possible one after the other.
    #[must_use]
    pub fn possible(&self, moves: &[Move]) -> usize {
        self.after(moves).1
    }

    /// The position after the moves, when some more time has passed, as far as it may.
    #[must_use]
    pub fn position(&self, drawing: &Drawing, moves: &[Move], wait: u32) -> Position {
        let (mut run, _) = self.after(moves);
        let most = self.most(&run);
        let wait = wait.min(most);
        run.wait(&Parts::of(wait));
        let mut drawing = drawing.clone();
        show(&mut drawing, &self.net, &self.clocks, &run);
        if let Some(last) = moves.last().and_then(|last| last.fired.last()).filter(|_| wait == 0) {
            net::mark_last(&mut drawing, *last);
        }
        let longest = longest_text(run.longest());
        let (drawing, time) = (Arc::new(drawing), run.time().text());
        Position { drawing, time, longest, wait: (wait, most), next: self.next(&run) }
    }

    /// How long time may pass in a state, in parts. If that is for ever: until all clocks are beyond the ends of their
    /// intervals, and a unit more.
    fn most(&self, run: &PartsRun<'_>) -> u32 {
        match run.longest() {
            Some(longest) => longest.delay.number().saturating_sub(u32::from(longest.is_open)),
            None => self.ends(run).into_iter().max().unwrap_or(0).saturating_add(PARTS),
        }
    }

    /// The times, in parts, at which clocks reach the ends of their intervals.
    fn ends(&self, run: &PartsRun<'_>) -> Vec<u32> {
        let of_clock = |clock: usize| {
            let interval = interval(&self.net, &self.clocks, clock);
            let age = run.age(self.clocks.owner(clock));
            let until = move |end: u32| Parts::units(end).minus(age).number();
            [Some(interval.least), interval.most].into_iter().flatten().map(until)
        };
        (0..self.clocks.len()).flat_map(of_clock).collect()
    }

    /// The transitions that can fire next, each with the first time at which it can.
    fn next(&self, run: &PartsRun<'_>) -> Vec<(u32, EdgeId)> {
        let most = self.most(run);
        let mut times = if self.clocks.len() > CLOCKS { Vec::new() } else { self.ends(run) };
        // After an open end.
        times.extend(times.clone().into_iter().map(|time| time.saturating_add(1)));
        times.extend([0, most]);
        times.retain(|time| *time <= most);
        times.sort_unstable();
        times.dedup();
        // No transition changes the marking meanwhile.
        let mut left: Vec<TransitionId> =
            self.net.transition_ids().filter(|t| run.overfull(*t).is_none()).collect();
        let mut next: Vec<(u32, EdgeId)> = Vec::new();
        for time in times {
            let mut later = run.clone();
            later.wait(&Parts::of(time));
            next.extend(left.extract_if(.., |t| later.may_fire(*t)).map(|t| (time, edge_of(t))));
        }
        next
    }

    /// A move at random: `chosen` and `late` are numbers from 0 to 1, the transition among those that can fire, and the
    /// part of the time in which it can.
    #[must_use]
    pub fn random(&self, moves: &[Move], wait: u32, chosen: f64, late: f64) -> Option<(u32, EdgeId)> {
        let (mut run, _) = self.after(moves);
        let wait = wait.min(self.most(&run));
        run.wait(&Parts::of(wait));
        let next = self.next(&run);
        let (from, edge) = *next.get(part_of(next.len(), chosen))?;
        let rest = self.most(&run) - from;
        let time = from + u32::try_from(part_of(rest as usize + 1, late)).unwrap_or(0);
        let mut later = run.clone();
        later.wait(&Parts::of(time));
        let may_fire = later.may_fire(TransitionId::new(edge.index() - 1));
        Some((wait + if may_fire { time } else { from }, edge))
    }

    /// Why a transition does not fire after the moves and some more time; none if it does.
    #[must_use]
    pub fn why_not(&self, drawing: &Drawing, moves: &[Move], wait: u32, t: EdgeId) -> Option<String> {
        let (mut run, _) = self.after(moves);
        run.wait(&Parts::of(wait.min(self.most(&run))));
        let name = net::transition_name(drawing, t)?;
        let t = TransitionId::new(t.index().checked_sub(1)?);
        let place = |p: PlaceId| net::place_name(drawing, p);
        match run.clone().fire(t) {
            Ok(()) => None,
            Err(NotFired::Tokens(p)) => {
                Some(format!("{name} does not fire: {} would get too many tokens", place(p)))
            }
            Err(NotFired::NotReady) => {
                let why = self.obstacle(drawing, &run, t);
                let next = self.next(&run).into_iter().find(|(_, other)| *other == edge_of(t));
                let later = next.map(|(time, _)| format!("; it may fire after {}", waited(time)));
                Some(why.unwrap_or_default() + &later.unwrap_or_default())
            }
        }
    }

    /// Why a transition that is drawn is not ready.
    fn obstacle(&self, drawing: &Drawing, run: &PartsRun<'_>, t: TransitionId) -> Option<String> {
        let transition = self.net.transition(t);
        let is_marked = |arc: &PlaceArc| run.marking()[arc.place.index()] >= arc.weight;
        let of_places = self.clocks.semantics == Semantics::Places;
        // With delays of places, a token that inhibits must be ready.
        if !(of_places && transition.inputs.iter().all(is_marked))
            && let Some(why) = net::why_disabled(drawing, edge_of(t))
        {
            return Some(why);
        }
        let name = net::transition_name(drawing, edge_of(t))?;
        let why = if of_places {
            let least = |arc: &PlaceArc| self.clocks.delay(arc.place).least;
            let age = |arc: &PlaceArc| run.age(arc.place.index());
            match transition.inputs.iter().find(|arc| *age(arc) < Parts::units(least(arc))) {
                Some(arc) => {
                    let place = net::place_name(drawing, arc.place);
                    format!(
                        "the token of {place} has the age {}, and is ready from the age {} on",
                        age(arc).text(),
                        least(arc)
                    )
                }
                None => "a token that inhibits it is ready".to_owned(),
            }
        } else {
            let (least, open) = transition.delay.map_or((0, false), |delay| (delay.least, delay.after_least));
            let from = if open { "after more than" } else { "from" };
            format!("it has been enabled for {}, and may fire {from} {least}", run.age(t.index()).text())
        };
        Some(format!("{name} may not fire now: {why}"))
    }
}

/// Fires a transition, if it may.
fn fire(run: &mut PartsRun<'_>, t: EdgeId) -> bool {
    let number = t.index().checked_sub(1).map(TransitionId::new);
    number.is_some_and(|t| run.has(t) && run.fire(t).is_ok())
}

/// The number, below `all`, at this part of them.
fn part_of(all: usize, part: f64) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is at most the number")]
    let number = (part.clamp(0.0, 1.0) * all as f64) as usize;
    number.min(all.saturating_sub(1))
}
