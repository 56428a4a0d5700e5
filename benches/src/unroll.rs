//! The steps of a net as a formula (Igawa, Yokogawa, Amasaki, Kondo, Sato and Arimoto, "Symbolic Representation of Time
//! Petri Nets for Efficient Bounded Model Checking", 2020, section 2.3), with unchanged variables replaced (section
//! 2.4). A step lets time pass and then may fire each transition once, in their order.

use std::fmt::Write as _;

use crate::Encoding;
use crate::net::{Net, Transition};

/// The goal, a condition on the last state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// All tokens are ready and no transition can fire.
    Deadlock,
    /// All goal places are marked, within this time.
    Marked(u32),
}

/// The formula under construction: the current name of everything.
struct Writer<'a> {
    net: &'a Net,
    encoding: Encoding,
    out: String,
    fresh: usize,
    marked: Vec<String>,
    /// Time stamps, or ages.
    clocks: Vec<String>,
    /// The current time.
    now: String,
}

/// `steps` steps from the initial marking to a goal, as a script.
#[must_use]
pub fn unroll(net: &Net, steps: usize, goal: Goal, encoding: Encoding) -> String {
    let logic = if encoding == Encoding::Differences { "QF_RDL" } else { "QF_LRA" };
    let mut w = Writer {
        net,
        encoding,
        out: format!("(set-logic {logic})\n"),
        fresh: 0,
        marked: Vec::new(),
        clocks: Vec::new(),
        now: String::new(),
    };
    w.start();
    for _ in 0..steps {
        w.elapse();
        for t in &net.transitions {
            w.fire(t);
        }
    }
    w.goal(goal);
    w.out + "(check-sat)\n"
}

impl Writer<'_> {
    fn declare(&mut self, prefix: &str, sort: &str) -> String {
        self.fresh += 1;
        let name = format!("{prefix}{}", self.fresh);
        let _ = writeln!(self.out, "(declare-fun {name} () {sort})");
        name
    }

    fn assert(&mut self, formula: &str) {
        let _ = writeln!(self.out, "(assert {formula})");
    }

    fn start(&mut self) {
        self.now = self.declare("c", "Real");
        for p in &self.net.places {
            let (m, z) = (self.declare("m", "Bool"), self.declare("z", "Real"));
            let stamp = if self.encoding == Encoding::Differences { self.now.clone() } else { "0.0".into() };
            self.assert(&if p.marked { m.clone() } else { format!("(not {m})") });
            self.assert(&format!("(= {z} {stamp})"));
            self.marked.push(m);
            self.clocks.push(z);
        }
        if self.encoding == Encoding::Sums {
            self.assert(&format!("(= {} 0.0)", self.now));
        }
    }

    /// The token of a place is at least this old.
    fn older(&self, place: usize, age: u32) -> String {
        let z = &self.clocks[place];
        match self.encoding {
            Encoding::Differences => format!("(>= (- {} {z}) {age}.0)", self.now),
            Encoding::Sums => format!("(>= {z} {age}.0)"),
        }
    }

    fn ready(&self, place: usize, age: u32) -> String {
        format!("(and {} {})", self.marked[place], self.older(place, age))
    }

    /// The transition must fire.
    fn must(&self, t: &Transition) -> String {
        let mut parts = String::new();
        for &p in &t.inputs {
            let _ = write!(parts, " {}", self.ready(p, self.net.places[p].delay.1));
        }
        for &p in &t.inhibitors {
            let _ = write!(parts, " (not {})", self.ready(p, self.net.places[p].delay.0));
        }
        format!("(and{parts})")
    }

    /// The transition may fire.
    fn may(&self, t: &Transition) -> String {
        let mut parts = String::new();
        for &p in &t.inputs {
            let _ = write!(parts, " {}", self.ready(p, self.net.places[p].delay.0));
        }
        for &p in &t.inhibitors {
            let _ = write!(parts, " (not {})", self.ready(p, self.net.places[p].delay.1));
        }
        format!("(and{parts})")
    }

    /// No transition must fire.
    fn calm(&self) -> String {
        self.net.transitions.iter().map(|t| format!(" (not {})", self.must(t))).collect()
    }

    fn elapse(&mut self) {
        let calm = self.calm();
        let next = self.declare("c", "Real");
        let now = std::mem::replace(&mut self.now, next.clone());
        match self.encoding {
            Encoding::Differences => {
                self.assert(&format!("(or (and (> (- {next} {now}) 0.0){calm}) (= {next} {now}))"));
            }
            Encoding::Sums => {
                let step = self.declare("d", "Real");
                self.assert(&format!("(or (and (> {step} 0.0){calm}) (= {step} 0.0))"));
                self.assert(&format!("(= {next} (+ {now} {step}))"));
                for p in 0..self.net.places.len() {
                    let older = self.declare("z", "Real");
                    let age = std::mem::replace(&mut self.clocks[p], older.clone());
                    self.assert(&format!("(= {older} (+ {age} {step}))"));
                }
            }
        }
    }

    fn fire(&mut self, t: &Transition) {
        let may = self.may(t);
        let stamp = if self.encoding == Encoding::Differences { self.now.clone() } else { "0.0".into() };
        let (mut fired, mut not) = (may, String::new());
        let lost = t.inputs.iter().filter(|p| !t.outputs.contains(p));
        for &p in lost {
            let m = self.declare("m", "Bool");
            let _ = write!(fired, " (not {m})");
            let _ = write!(not, " (= {m} {})", self.marked[p]);
            self.marked[p] = m;
        }
        for &p in &t.outputs {
            let (m, z) = (self.declare("m", "Bool"), self.declare("z", "Real"));
            let _ = write!(fired, " {m} (= {z} {stamp})");
            let _ = write!(not, " (= {m} {}) (= {z} {})", self.marked[p], self.clocks[p]);
            self.marked[p] = m;
            self.clocks[p] = z;
        }
        self.assert(&format!("(or (and {fired}) (and{not}))"));
    }

    fn goal(&mut self, goal: Goal) {
        match goal {
            Goal::Deadlock => {
                let calm = self.calm();
                self.assert(&format!("(and{calm})"));
                for p in 0..self.net.places.len() {
                    let old = self.older(p, self.net.places[p].delay.1);
                    self.assert(&format!("(=> {} {old})", self.marked[p]));
                }
            }
            Goal::Marked(time) => {
                for p in 0..self.net.places.len() {
                    if self.net.places[p].goal {
                        self.assert(&self.marked[p].clone());
                    }
                }
                let within = match self.encoding {
                    // `c1` is the first time.
                    Encoding::Differences => format!("(<= (- {} c1) {time}.0)", self.now),
                    Encoding::Sums => format!("(<= {} {time}.0)", self.now),
                };
                self.assert(&within);
            }
        }
    }
}
