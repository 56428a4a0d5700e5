//! Steps of a P-time net as a formula in difference logic or in linear arithmetic (Igawa et al., 2020, section 2.3),
//! with or without replacing of unchanged variables (section 2.4).
//!
//! A step lets time pass, unless a transition must fire, and then fires some of the transitions, each once at most and
//! in their order. In difference logic, the state has the time and, for each place, the time when it got its token; in
//! linear arithmetic it has the age of each token, and a step has a duration.

use std::fmt::{self, Write};

use super::Timed;
use crate::net::condition::{Comparison, Condition, Linear};
use crate::net::{PlaceId, Transition};

/// The arithmetic of the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// Differences of two variables, compared with numbers.
    Difference,
    /// Sums of variables.
    Arithmetic,
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
    /// The arithmetic.
    pub logic: Logic,
    /// Are variables whose value does not change replaced by those before?
    pub replace: bool,
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
pub fn variables_before(timed: &Timed<'_>, steps: u32, logic: Logic) -> u64 {
    let (places, transitions) = (timed.net.places.len() as u64, timed.net.transitions.len() as u64);
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
    let logic = if question.logic == Logic::Difference { "QF_RDL" } else { "QF_LRA" };
    writeln!(out, "(set-logic {logic})")?;
    let places = timed.net.places.len();
    let mut writer = Writer {
        timed,
        question,
        out,
        size: Size::default(),
        marked: vec![0; places],
        clocks: vec![0; places],
        now: 0,
        duration: 0,
    };
    writer.start()?;
    for _ in 0..question.steps {
        writer.elapse()?;
        timed.net.transitions.iter().try_for_each(|t| writer.fire(t))?;
    }
    writer.goal()?;
    let size = writer.size;
    writeln!(writer.out, "(check-sat)")?;
    Ok(size)
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

/// The formula in the making: by place, the numbers of its current variables.
struct Writer<'a> {
    timed: &'a Timed<'a>,
    question: &'a Question,
    out: &'a mut dyn Write,
    size: Size,
    marked: Vec<u32>,
    clocks: Vec<u32>,
    now: u32,
    duration: u32,
}

type Written = fmt::Result;

impl Writer<'_> {
    fn is_difference(&self) -> bool {
        self.question.logic == Logic::Difference
    }

    fn declare(&mut self, name: &str, sort: &str) -> Written {
        self.size.variables += 1;
        writeln!(self.out, "(declare-fun {name} () {sort})")
    }

    /// A Boolean variable: does the place have a token?
    fn token(&self, place: usize) -> String {
        format!("m{place}.{}", self.marked[place])
    }

    /// When the place got its token, or how old that is.
    fn clock(&self, place: usize) -> String {
        format!("z{place}.{}", self.clocks[place])
    }

    fn time(&self) -> String {
        format!("c{}", self.now)
    }

    /// Another variable for the token of a place, with the name of the one before.
    fn next_token(&mut self, place: usize) -> Result<(String, String), fmt::Error> {
        let before = self.token(place);
        self.marked[place] += 1;
        let name = self.token(place);
        self.declare(&name, "Bool")?;
        Ok((name, before))
    }

    fn next_clock(&mut self, place: usize) -> Result<(String, String), fmt::Error> {
        let before = self.clock(place);
        self.clocks[place] += 1;
        let name = self.clock(place);
        self.declare(&name, "Real")?;
        Ok((name, before))
    }

    fn next_time(&mut self) -> Result<(String, String), fmt::Error> {
        let before = self.time();
        self.now += 1;
        let name = self.time();
        self.declare(&name, "Real")?;
        Ok((name, before))
    }

    /// A literal, an equivalence or a comparison.
    fn one(&mut self, text: String) -> String {
        self.size.constraints += 1;
        text
    }

    /// The initial state: `I(s)`.
    fn start(&mut self) -> Written {
        if self.is_difference() {
            self.declare("c0", "Real")?;
        }
        for (place, declared) in self.timed.net.places.iter().enumerate() {
            let (m, z) = (self.token(place), self.clock(place));
            self.declare(&m, "Bool")?;
            self.declare(&z, "Real")?;
            let marked = self.one(if declared.tokens > 0 { m } else { format!("(not {m})") });
            let since = self.one(format!("(= {z} {})", if self.is_difference() { "c0" } else { "0.0" }));
            writeln!(self.out, "(assert {marked})\n(assert {since})")?;
        }
        Ok(())
    }

    /// The place has a token that is at least this old; false without an age.
    fn ready(&mut self, place: PlaceId, age: Option<u32>) -> String {
        let Some(age) = age else { return self.one("false".to_owned()) };
        let token = self.one(self.token(place.index()));
        let older = self.older(place.index(), age);
        format!("(and {token} {older})")
    }

    fn older(&mut self, place: usize, age: u32) -> String {
        let clock = self.clock(place);
        self.one(match self.is_difference() {
            true => format!("(>= (- {} {clock}) {age}.0)", self.time()),
            false => format!("(>= {clock} {age}.0)"),
        })
    }

    /// A transition must fire (`En`), if `must`; or it may fire (the negation of `Ds`).
    fn fires(&mut self, t: &Transition, must: bool) -> String {
        let mut text = "(and true".to_owned();
        for arc in &t.inputs {
            let delay = self.timed.delays[arc.place.index()];
            let ready = self.ready(arc.place, if must { delay.most } else { Some(delay.least) });
            text.push_str(&format!(" {ready}"));
        }
        for arc in &t.inhibitors {
            let delay = self.timed.delays[arc.place.index()];
            let ready = self.ready(arc.place, if must { Some(delay.least) } else { delay.most });
            text.push_str(&format!(" (not {ready})"));
        }
        text.push(')');
        text
    }

    /// No transition must fire.
    fn calm(&mut self) -> String {
        let net = self.timed.net;
        let mut text = String::new();
        for t in &net.transitions {
            let must = self.fires(t, true);
            text.push_str(&format!(" (not {must})"));
        }
        text
    }

    /// The elapsing sub-step: `C(s, s')`.
    fn elapse(&mut self) -> Written {
        let calm = self.calm();
        let duration = if self.is_difference() {
            let (now, before) = self.next_time()?;
            format!("(- {now} {before})")
        } else {
            self.duration += 1;
            let name = format!("d{}", self.duration);
            self.declare(&name, "Real")?;
            name
        };
        let (passes, stays) =
            (self.one(format!("(> {duration} 0.0)")), self.one(format!("(= {duration} 0.0)")));
        writeln!(self.out, "(assert (or (and {passes}{calm}) {stays}))")?;
        for place in 0..self.timed.net.places.len() {
            if !self.is_difference() {
                let (z, before) = self.next_clock(place)?;
                let older = self.one(format!("(= {z} (+ {before} {duration}))"));
                writeln!(self.out, "(assert {older})")?;
            } else if !self.question.replace {
                self.keep_clock(place)?;
            }
            if !self.question.replace {
                self.keep_token(place)?;
            }
        }
        Ok(())
    }

    fn keep_clock(&mut self, place: usize) -> Written {
        let (z, before) = self.next_clock(place)?;
        let same = self.one(format!("(= {z} {before})"));
        writeln!(self.out, "(assert {same})")
    }

    fn keep_token(&mut self, place: usize) -> Written {
        let (m, before) = self.next_token(place)?;
        let same = self.one(format!("(= {m} {before})"));
        writeln!(self.out, "(assert {same})")
    }

    /// The firing sub-step of a transition: `F_t(s, s')`.
    fn fire(&mut self, t: &Transition) -> Written {
        let is =
            |arcs: &[crate::net::PlaceArc], place: usize| arcs.iter().any(|arc| arc.place.index() == place);
        let (mut fired, mut not) = (self.fires(t, false), "true".to_owned());
        if !self.question.replace && self.is_difference() {
            let (now, before) = self.next_time()?;
            let same = self.one(format!("(= {now} {before})"));
            writeln!(self.out, "(assert {same})")?;
        }
        let now = if self.is_difference() { self.time() } else { "0.0".to_owned() };
        let mut changed: Vec<usize> =
            t.inputs.iter().chain(&t.outputs).map(|arc| arc.place.index()).collect();
        changed.sort_unstable();
        changed.dedup();
        for &place in &changed {
            let gets = is(&t.outputs, place);
            let (m, before) = self.next_token(place)?;
            let after = self.one(if gets { m.clone() } else { format!("(not {m})") });
            let same = self.one(format!("(= {m} {before})"));
            write!(fired, " {after}")?;
            write!(not, " {same}")?;
            if gets {
                let (z, before) = self.next_clock(place)?;
                let (since, same) =
                    (self.one(format!("(= {z} {now})")), self.one(format!("(= {z} {before})")));
                write!(fired, " {since}")?;
                write!(not, " {same}")?;
            } else if !self.question.replace {
                self.keep_clock(place)?;
            }
        }
        writeln!(self.out, "(assert (or (and {fired}) (and {not})))")?;
        if !self.question.replace {
            for place in
                (0..self.timed.net.places.len()).filter(|place| changed.binary_search(place).is_err())
            {
                self.keep_token(place)?;
                self.keep_clock(place)?;
            }
        }
        Ok(())
    }

    /// The goal: `R(s)`.
    fn goal(&mut self) -> Written {
        match &self.question.goal {
            Goal::Deadlock => {
                let calm = self.calm();
                writeln!(self.out, "(assert (and true{calm}))")?;
                for place in 0..self.timed.net.places.len() {
                    let token = self.one(self.token(place));
                    let old = match self.timed.delays[place].most {
                        Some(age) => self.older(place, age),
                        None => self.one("false".to_owned()),
                    };
                    writeln!(self.out, "(assert (=> {token} {old}))")?;
                }
            }
            Goal::Marking(condition, within) => {
                let text = self.condition(condition)?;
                writeln!(self.out, "(assert {text})")?;
                if let Some(time) = within {
                    let elapsed = match self.is_difference() {
                        true => format!("(- {} c0)", self.time()),
                        false => {
                            (1..=self.duration).fold("0.0".to_owned(), |sum, d| format!("(+ {sum} d{d})"))
                        }
                    };
                    let text = self.one(format!("(<= {elapsed} {time}.0)"));
                    writeln!(self.out, "(assert {text})")?;
                }
            }
        }
        Ok(())
    }

    fn condition(&mut self, condition: &Condition) -> Result<String, fmt::Error> {
        Ok(match condition {
            Condition::Constant(truth) => truth.to_string(),
            Condition::Not(inner) => format!("(not {})", self.condition(inner)?),
            Condition::And(all) | Condition::Or(all) => {
                let is_and = matches!(condition, Condition::And(_));
                let mut text = format!("({} {is_and}", if is_and { "and" } else { "or" });
                for part in all {
                    let part = self.condition(part)?;
                    write!(text, " {part}")?;
                }
                text + ")"
            }
            Condition::Linear(linear) => self.comparison(linear)?,
            Condition::Other(_) => return Err(fmt::Error),
        })
    }

    /// A comparison of tokens, of which there is one at most in each place: the markings that satisfy it.
    fn comparison(&mut self, Linear { terms, op, bound }: &Linear) -> Result<String, fmt::Error> {
        if terms.len() > COMPARED {
            return Err(fmt::Error);
        }
        let mut text = "(or false".to_owned();
        for marking in 0_u32..1 << terms.len() {
            let has = |i: usize| marking >> i & 1 == 1;
            let sum: i64 = terms.iter().enumerate().filter(|(i, _)| has(*i)).map(|(_, (_, c))| c).sum();
            let holds = match op {
                Comparison::Le => sum <= *bound,
                Comparison::Eq => sum == *bound,
            };
            if !holds {
                continue;
            }
            text.push_str(" (and true");
            for (i, (place, _)) in terms.iter().enumerate() {
                let token = self.token(place.index());
                let literal = self.one(if has(i) { token } else { format!("(not {token})") });
                write!(text, " {literal}")?;
            }
            text.push(')');
        }
        Ok(text + ")")
    }
}
