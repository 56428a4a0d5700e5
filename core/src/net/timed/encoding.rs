//! Steps of a P-time net as a formula in difference logic or in linear arithmetic (Igawa et al., 2020, section 2.3),
//! with or without replacing of unchanged variables (section 2.4).
//!
//! A step lets time pass, unless a transition must fire, and then fires some of the transitions, each once at most and
//! in their order. As in the paper, time may pass a moment at which a transition must fire, unless the encoding is
//! exact. In difference logic, the state has the time and, for each place, the time when it got its token; in linear
//! arithmetic it has the age of each token, and a step has a duration.

mod sink;

pub use sink::{Comparison, Formula, Script, Sink};

use std::fmt::{self, Write};

use super::{Delay, Net, PlaceArc, PlaceId, Timed, Transition};
use crate::net::condition::{Comparison as Op, Condition, Linear};

/// The arithmetic of the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// Differences of two variables, compared with numbers.
    Difference,
    /// Sums of variables.
    Arithmetic,
}

/// How steps are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// The arithmetic.
    pub logic: Logic,
    /// Are variables whose value does not change replaced by those before?
    pub replace: bool,
    /// May time not pass a moment at which a transition must fire?
    pub exact: bool,
}

impl Default for Encoding {
    fn default() -> Encoding {
        Encoding { logic: Logic::Difference, replace: true, exact: true }
    }
}

/// What is asked of the last state.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// All tokens are ready, and no transition must fire (the predicate R_d of section 2.3).
    Deadlock,
    /// The marking satisfies a condition, perhaps within this time.
    Marking(Condition, Option<u32>),
}

/// The formula to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The number of steps.
    pub steps: u32,
    /// How steps are written.
    pub encoding: Encoding,
    /// The goal.
    pub goal: Goal,
}

/// The size of a formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Its variables.
    pub variables: u64,
    /// Its literals and equivalences of Boolean variables, and its comparisons of numbers, as often as they occur.
    pub constraints: u64,
}

/// The number of variables before unchanged ones are replaced.
#[must_use]
pub fn variables_before(net: &Net, steps: u32, logic: Logic) -> u64 {
    let (places, transitions) = (net.places.len() as u64, net.transitions.len() as u64);
    let states = u64::from(steps) * (transitions + 1) + 1;
    match logic {
        Logic::Difference => states * (2 * places + 1),
        Logic::Arithmetic => states * 2 * places + u64::from(steps),
    }
}

/// The condition compares more places than the encoding of a comparison without arithmetic can have, or is none of
/// markings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported;

/// The greatest number of places in one comparison of a goal, of which all markings are written.
const COMPARED: usize = 10;

/// Writes the formula as a script of SMT-LIB and gives its size.
///
/// # Errors
/// Those of the output, and [`fmt::Error`] for a goal that [`check`] refuses.
pub fn write(timed: &Timed<'_>, question: &Question, out: &mut dyn Write) -> Result<Size, fmt::Error> {
    let logic = if question.encoding.logic == Logic::Difference { "QF_RDL" } else { "QF_LRA" };
    let script = Script::new(out, logic);
    let mut steps = Steps::new(timed, question.encoding, script);
    for _ in 0..question.steps {
        steps.step(timed.net);
    }
    let goal = steps.goal(timed.net, &question.goal).map_err(|Unsupported| fmt::Error)?;
    steps.sink.assert(goal);
    steps.sink.finish()?;
    Ok(steps.size)
}

/// Can the goal be written?
///
/// # Errors
/// If it cannot.
pub fn check(goal: &Goal) -> Result<(), Unsupported> {
    fn is_supported(condition: &Condition) -> bool {
        match condition {
            Condition::Constant(_) => true,
            Condition::Linear(linear) => linear.terms.len() <= COMPARED,
            Condition::Not(inner) => is_supported(inner),
            Condition::And(all) | Condition::Or(all) => all.iter().all(is_supported),
            Condition::Other(_) => false,
        }
    }
    match goal {
        Goal::Marking(condition, _) if !is_supported(condition) => Err(Unsupported),
        _ => Ok(()),
    }
}

/// The variables of a place: the name of each ends with a number, which is that of the step for those of time.
#[derive(Clone)]
struct Cell<S: Sink> {
    token: S::Form,
    clock: S::Number,
    tokens: u32,
    clocks: u32,
}

/// The formula in the making, with the variables of the last state.
#[derive(Clone)]
pub struct Steps<S: Sink> {
    encoding: Encoding,
    delays: Vec<Delay>,
    /// What receives the formula.
    pub sink: S,
    /// Its size so far.
    pub size: Size,
    cells: Vec<Cell<S>>,
    /// The time of each state in difference logic, or the duration of each step.
    times: Vec<S::Number>,
    now: u32,
    /// For each firing sub-step, that the transition fires there, if this is recorded.
    pub firings: Option<Vec<S::Form>>,
}

impl<S: Sink> Steps<S> {
    /// The initial state: `I(s)`.
    #[must_use]
    pub fn new(timed: &Timed<'_>, encoding: Encoding, sink: S) -> Steps<S> {
        let (delays, size) = (timed.delays.clone(), Size::default());
        let (cells, times) = (Vec::with_capacity(delays.len()), Vec::new());
        let mut steps = Steps { encoding, delays, sink, size, cells, times, now: 0, firings: None };
        if steps.is_difference() {
            let time = steps.real("c0");
            steps.times.push(time);
        }
        for (i, declared) in timed.net.places.iter().enumerate() {
            let token = steps.boolean(&format!("m{i}.0"));
            let clock = steps.real(&format!("z{i}.0"));
            let marked = if declared.tokens > 0 { steps.one(token.clone()) } else { steps.without(&token) };
            let zero = if steps.is_difference() { steps.time() } else { steps.sink.number(0) };
            let since = steps.compare(&clock, Comparison::Equal, &zero);
            steps.sink.assert(marked);
            steps.sink.assert(since);
            steps.cells.push(Cell { token, clock, tokens: 0, clocks: 0 });
        }
        steps
    }

    /// One more step: `T(s, s')`.
    pub fn step(&mut self, net: &Net) {
        self.elapse(net);
        net.transitions.iter().for_each(|t| self.fire(t));
    }

    /// The number of steps so far.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.times.len() - usize::from(self.is_difference())
    }

    /// The duration of a step, as a number of the sink.
    ///
    /// # Panics
    /// If there is no such step.
    pub fn duration(&mut self, step: usize) -> S::Number {
        if !self.is_difference() {
            return self.times[step].clone();
        }
        let (before, after) = (self.times[step].clone(), self.times[step + 1].clone());
        self.sink.difference(&after, &before)
    }

    fn is_difference(&self) -> bool {
        self.encoding.logic == Logic::Difference
    }

    fn boolean(&mut self, name: &str) -> S::Form {
        self.size.variables += 1;
        self.sink.boolean(name)
    }

    fn real(&mut self, name: &str) -> S::Number {
        self.size.variables += 1;
        self.sink.real(name)
    }

    /// A literal, an equivalence or a comparison.
    fn one(&mut self, form: S::Form) -> S::Form {
        self.size.constraints += 1;
        form
    }

    fn without(&mut self, token: &S::Form) -> S::Form {
        self.size.constraints += 1;
        self.sink.not(token)
    }

    fn compare(&mut self, a: &S::Number, op: Comparison, b: &S::Number) -> S::Form {
        self.size.constraints += 1;
        self.sink.compare(a, op, b)
    }

    fn time(&self) -> S::Number {
        self.times.last().expect("the time of the first state").clone()
    }

    /// Another variable for the token of a place, with the one before.
    fn next_token(&mut self, place: usize) -> (S::Form, S::Form) {
        self.cells[place].tokens += 1;
        let next = self.boolean(&format!("m{place}.{}", self.cells[place].tokens));
        let before = std::mem::replace(&mut self.cells[place].token, next.clone());
        (next, before)
    }

    fn next_clock(&mut self, place: usize) -> (S::Number, S::Number) {
        self.cells[place].clocks += 1;
        let next = self.real(&format!("z{place}.{}", self.cells[place].clocks));
        let before = std::mem::replace(&mut self.cells[place].clock, next.clone());
        (next, before)
    }

    /// Another variable for the time of the state, with the one before; for the last state.
    fn next_time(&mut self) -> (S::Number, S::Number) {
        self.now += 1;
        let next = self.real(&format!("c{}", self.now));
        let last = self.times.last_mut().expect("the time of the first state");
        let before = std::mem::replace(last, next.clone());
        (next, before)
    }

    /// The age of a token is compared with a number.
    fn age(&mut self, place: usize, op: Comparison, age: u32) -> S::Form {
        let (clock, age) = (self.cells[place].clock.clone(), self.sink.number(i64::from(age)));
        let own = if self.is_difference() {
            let time = self.time();
            self.sink.difference(&time, &clock)
        } else {
            clock
        };
        self.compare(&own, op, &age)
    }

    /// The place has a token that is at least this old; false without an age.
    fn ready(&mut self, place: PlaceId, age: Option<u32>) -> S::Form {
        let Some(age) = age else {
            let never = self.sink.truth(false);
            return self.one(never);
        };
        let token = self.one(self.cells[place.index()].token.clone());
        let older = self.age(place.index(), Comparison::AtLeast, age);
        self.sink.and(vec![token, older])
    }

    /// A transition must fire (`En`), if `must`; or it may fire (the negation of `Ds`).
    fn fires(&mut self, t: &Transition, must: bool) -> S::Form {
        let mut parts = Vec::with_capacity(t.inputs.len() + t.inhibitors.len());
        for arc in &t.inputs {
            let delay = self.delays[arc.place.index()];
            parts.push(self.ready(arc.place, if must { delay.most } else { Some(delay.least) }));
        }
        for arc in &t.inhibitors {
            let delay = self.delays[arc.place.index()];
            let ready = self.ready(arc.place, if must { Some(delay.least) } else { delay.most });
            parts.push(self.sink.not(&ready));
        }
        self.sink.and(parts)
    }

    /// No transition must fire.
    fn calm(&mut self, net: &Net) -> Vec<S::Form> {
        let none = |t: &Transition| {
            let must = self.fires(t, true);
            self.sink.not(&must)
        };
        net.transitions.iter().map(none).collect()
    }

    /// The elapsing sub-step: `C(s, s')`.
    fn elapse(&mut self, net: &Net) {
        let mut calm = self.calm(net);
        // Whether a firing is missed depends on the ages before, and on the new time or ages.
        let young = if self.encoding.exact { self.inhibited(net) } else { Vec::new() };
        let duration = if self.is_difference() {
            self.times.push(self.time());
            let (now, before) = self.next_time();
            self.sink.difference(&now, &before)
        } else {
            let duration = self.real(&format!("d{}", self.times.len() + 1));
            self.times.push(duration.clone());
            duration
        };
        let zero = self.sink.number(0);
        let passes = self.compare(&duration, Comparison::Above, &zero);
        let stays = self.compare(&duration, Comparison::Equal, &zero);
        for place in 0..self.cells.len() {
            if !self.is_difference() {
                let (z, before) = self.next_clock(place);
                let sum = self.sink.sum(&before, &duration);
                let older = self.compare(&z, Comparison::Equal, &sum);
                self.sink.assert(older);
            } else if !self.encoding.replace {
                self.keep_clock(place);
            }
            if !self.encoding.replace {
                self.keep_token(place);
            }
        }
        if self.encoding.exact {
            calm.extend(self.not_missed(net, young));
        }
        let passes = self.sink.and([vec![passes], calm].concat());
        let either = self.sink.or(vec![passes, stays]);
        self.sink.assert(either);
    }

    /// By transition with a forced firing: in the state before time passes, the conditions under which the token of an
    /// inhibitor place is ready when the input tokens have reached their upper ends.
    fn inhibited(&mut self, net: &Net) -> Vec<Vec<S::Form>> {
        let all = net.transitions.iter().map(|t| {
            let ends = |arc: &PlaceArc| Some((arc.place.index(), self.delays[arc.place.index()].most?));
            let Some(ends) = t.inputs.iter().map(ends).collect::<Option<Vec<_>>>() else { return Vec::new() };
            let mut ways = Vec::new();
            for arc in &t.inhibitors {
                let (place, least) = (arc.place.index(), self.delays[arc.place.index()].least);
                let token = self.one(self.cells[place].token.clone());
                let mut by_then = vec![self.age(place, Comparison::AtLeast, least)];
                for (input, most) in &ends {
                    let (own, other) = (self.cells[place].clock.clone(), self.cells[*input].clock.clone());
                    // In difference logic, the clocks are the dates at which the ages were 0.
                    let older = if self.is_difference() {
                        self.sink.difference(&other, &own)
                    } else {
                        self.sink.difference(&own, &other)
                    };
                    let by = self.sink.number(i64::from(least) - i64::from(*most));
                    by_then.push(self.compare(&older, Comparison::AtLeast, &by));
                }
                let by_then = self.sink.or(by_then);
                ways.push(self.sink.and(vec![token, by_then]));
            }
            ways
        });
        all.collect()
    }

    /// When time has passed: no transition had to fire before.
    fn not_missed(&mut self, net: &Net, inhibited: Vec<Vec<S::Form>>) -> Vec<S::Form> {
        let mut all = Vec::new();
        for (t, mut ways) in net.transitions.iter().zip(inhibited) {
            if t.inputs.iter().any(|arc| self.delays[arc.place.index()].most.is_none()) {
                continue;
            }
            for arc in &t.inputs {
                let (place, delay) = (arc.place.index(), self.delays[arc.place.index()]);
                let token = self.cells[place].token.clone();
                ways.push(self.without(&token));
                ways.push(self.age(place, Comparison::AtMost, delay.most.unwrap_or(0)));
            }
            all.push(self.sink.or(ways));
        }
        all
    }

    fn keep_clock(&mut self, place: usize) {
        let (z, before) = self.next_clock(place);
        let same = self.compare(&z, Comparison::Equal, &before);
        self.sink.assert(same);
    }

    fn keep_token(&mut self, place: usize) {
        let (m, before) = self.next_token(place);
        let same = self.sink.same(&m, &before);
        let same = self.one(same);
        self.sink.assert(same);
    }

    /// The firing sub-step of a transition: `F_t(s, s')`.
    fn fire(&mut self, t: &Transition) {
        let is = |arcs: &[PlaceArc], place: usize| arcs.iter().any(|arc| arc.place.index() == place);
        let may = self.fires(t, false);
        let (mut fired, mut not) = (vec![may], Vec::new());
        if !self.encoding.replace && self.is_difference() {
            let (now, before) = self.next_time();
            let same = self.compare(&now, Comparison::Equal, &before);
            self.sink.assert(same);
        }
        let now = if self.is_difference() { self.time() } else { self.sink.number(0) };
        let mut changed: Vec<usize> =
            t.inputs.iter().chain(&t.outputs).map(|arc| arc.place.index()).collect();
        changed.sort_unstable();
        changed.dedup();
        for &place in &changed {
            let gets = is(&t.outputs, place);
            let (m, before) = self.next_token(place);
            fired.push(if gets { self.one(m.clone()) } else { self.without(&m) });
            let same = self.sink.same(&m, &before);
            not.push(self.one(same));
            if gets {
                let (z, before) = self.next_clock(place);
                fired.push(self.compare(&z, Comparison::Equal, &now));
                not.push(self.compare(&z, Comparison::Equal, &before));
            } else if !self.encoding.replace {
                self.keep_clock(place);
            }
        }
        let fired = self.sink.and(fired);
        if let Some(firings) = &mut self.firings {
            firings.push(fired.clone());
        }
        let not = self.sink.and(not);
        let either = self.sink.or(vec![fired, not]);
        self.sink.assert(either);
        if !self.encoding.replace {
            for place in (0..self.cells.len()).filter(|place| changed.binary_search(place).is_err()) {
                self.keep_token(place);
                self.keep_clock(place);
            }
        }
    }

    /// The goal in the last state: `R(s)`.
    ///
    /// # Errors
    /// If [`check`] refuses it.
    pub fn goal(&mut self, net: &Net, goal: &Goal) -> Result<S::Form, Unsupported> {
        let mut parts = match goal {
            Goal::Deadlock => {
                let mut parts = self.calm(net);
                for place in 0..self.cells.len() {
                    let token = self.cells[place].token.clone();
                    let token = self.without(&token);
                    let old = match self.delays[place].most {
                        Some(age) => self.age(place, Comparison::AtLeast, age),
                        None => {
                            let never = self.sink.truth(false);
                            self.one(never)
                        }
                    };
                    parts.push(self.sink.or(vec![token, old]));
                }
                return Ok(self.sink.and(parts));
            }
            Goal::Marking(condition, _) => vec![self.condition(condition)?],
        };
        if let Goal::Marking(_, Some(within)) = goal {
            let elapsed = if self.is_difference() {
                let (first, last) = (self.times[0].clone(), self.time());
                self.sink.difference(&last, &first)
            } else {
                let zero = self.sink.number(0);
                self.times.clone().iter().fold(zero, |sum, d| self.sink.sum(&sum, d))
            };
            let within = self.sink.number(i64::from(*within));
            parts.push(self.compare(&elapsed, Comparison::AtMost, &within));
        }
        Ok(self.sink.and(parts))
    }

    fn condition(&mut self, condition: &Condition) -> Result<S::Form, Unsupported> {
        let all = |steps: &mut Self, parts: &[Condition]| {
            parts.iter().map(|part| steps.condition(part)).collect::<Result<Vec<_>, _>>()
        };
        Ok(match condition {
            Condition::Constant(truth) => self.sink.truth(*truth),
            Condition::Not(inner) => {
                let inner = self.condition(inner)?;
                self.sink.not(&inner)
            }
            Condition::And(parts) => {
                let parts = all(self, parts)?;
                self.sink.and(parts)
            }
            Condition::Or(parts) => {
                let parts = all(self, parts)?;
                self.sink.or(parts)
            }
            Condition::Linear(linear) => self.comparison(linear)?,
            Condition::Other(_) => return Err(Unsupported),
        })
    }

    /// A comparison of tokens, of which there is one at most in each place: the markings that satisfy it.
    fn comparison(&mut self, Linear { terms, op, bound }: &Linear) -> Result<S::Form, Unsupported> {
        if terms.len() > COMPARED {
            return Err(Unsupported);
        }
        let mut markings = Vec::new();
        for marking in 0_u32..1 << terms.len() {
            let has = |i: usize| marking >> i & 1 == 1;
            let sum: i64 = terms.iter().enumerate().filter(|(i, _)| has(*i)).map(|(_, (_, c))| c).sum();
            let holds = match op {
                Op::Le => sum <= *bound,
                Op::Eq => sum == *bound,
            };
            if !holds {
                continue;
            }
            let mut literals = Vec::with_capacity(terms.len());
            for (i, (place, _)) in terms.iter().enumerate() {
                let token = self.cells[place.index()].token.clone();
                literals.push(if has(i) { self.one(token) } else { self.without(&token) });
            }
            markings.push(self.sink.and(literals));
        }
        Ok(self.sink.or(markings))
    }
}
