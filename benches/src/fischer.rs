//! Fischer's mutual exclusion: a process may enter if a shared variable still holds its name after a delay (Lamport, "A
//! Fast Mutual Exclusion Algorithm", 1987). Can two processes be in the critical section after some steps?

use std::fmt::Write as _;

use crate::Encoding;

/// Writing the variable takes at most this long …
const WRITE: u32 = 2;
/// … and the delay is longer than this; shorter in the wrong protocol.
const WAIT: [u32; 2] = [3, 1];

/// One state, by names of variables.
#[derive(Clone)]
struct State {
    /// The location of each process: idle, writing, waiting, inside.
    at: Vec<[String; 4]>,
    /// The process named by the shared variable; the last one is none.
    named: Vec<String>,
    clock: Vec<String>,
    now: String,
}

/// `steps` steps of `n` processes, as a script.
#[must_use]
pub fn fischer(n: usize, steps: usize, wrong: bool, encoding: Encoding) -> String {
    let logic = if encoding == Encoding::Differences { "QF_RDL" } else { "QF_LRA" };
    let mut out = format!("(set-logic {logic})\n");
    let mut state = declare(n, 0, &mut out);
    for p in 0..n {
        let _ = writeln!(out, "(assert {})", state.at[p][0]);
        let zero = if encoding == Encoding::Differences { &state.now } else { "0.0" };
        let _ = writeln!(out, "(assert (= {} {zero}))", state.clock[p]);
    }
    let _ = writeln!(out, "(assert {})", state.named[n]);
    for step in 1..=steps {
        let next = declare(n, step, &mut out);
        let moves: String = (0..n).map(|p| process(&state, &next, p, wrong, encoding)).collect();
        let pass = pass(&state, &next, encoding, step, &mut out);
        let _ = writeln!(out, "(assert (or{moves} {pass}))");
        state = next;
    }
    let mut pairs = String::new();
    for p in 0..n {
        for q in 0..p {
            let _ = write!(pairs, " (and {} {})", state.at[p][3], state.at[q][3]);
        }
    }
    out + &format!("(assert (or{pairs}))\n(check-sat)\n")
}

/// Fresh variables of which exactly one of each group holds.
fn declare(n: usize, step: usize, out: &mut String) -> State {
    let mut declare = |name: String, sort: &str| {
        let _ = writeln!(out, "(declare-fun {name} () {sort})");
        name
    };
    let mut at = Vec::new();
    for p in 0..n {
        at.push(["i", "w", "t", "c"].map(|l| declare(format!("{l}{p}_{step}"), "Bool")));
    }
    let named: Vec<String> = (0..=n).map(|p| declare(format!("v{p}_{step}"), "Bool")).collect();
    let clock = (0..n).map(|p| declare(format!("x{p}_{step}"), "Real")).collect();
    let now = declare(format!("now_{step}"), "Real");
    for group in at.iter().map(|a| a.as_slice()).chain([named.as_slice()]) {
        let _ = writeln!(out, "(assert (or {}))", group.join(" "));
        for (i, a) in group.iter().enumerate() {
            for b in &group[..i] {
                let _ = writeln!(out, "(assert (or (not {a}) (not {b})))");
            }
        }
    }
    State { at, named, clock, now }
}

fn keep<'a>(old: impl Iterator<Item = &'a String>, new: impl Iterator<Item = &'a String>) -> String {
    old.zip(new).map(|(a, b)| format!(" (= {b} {a})")).collect()
}

/// Time passes, within the limit of each process that writes.
fn pass(old: &State, new: &State, encoding: Encoding, step: usize, out: &mut String) -> String {
    let mut all = keep(old.at.iter().flatten().chain(&old.named), new.at.iter().flatten().chain(&new.named));
    match encoding {
        Encoding::Differences => {
            all += &keep(old.clock.iter(), new.clock.iter());
            let _ = write!(all, " (>= (- {} {}) 0.0)", new.now, old.now);
        }
        Encoding::Sums => {
            let _ = writeln!(out, "(declare-fun d_{step} () Real)\n(assert (>= d_{step} 0.0))");
            for (a, b) in old.clock.iter().zip(&new.clock) {
                let _ = write!(all, " (= {b} (+ {a} d_{step}))");
            }
        }
    }
    for (at, clock) in new.at.iter().zip(&new.clock) {
        let age = if encoding == Encoding::Differences {
            format!("(- {} {clock})", new.now)
        } else {
            clock.clone()
        };
        let _ = write!(all, " (=> {} (<= {age} {WRITE}.0))", at[1]);
    }
    format!("(and{all})")
}

/// The moves of one process.
fn process(old: &State, new: &State, p: usize, wrong: bool, encoding: Encoding) -> String {
    let n = old.at.len();
    let (zero, age) = match encoding {
        Encoding::Differences => (new.now.clone(), format!("(- {} {})", old.now, old.clock[p])),
        Encoding::Sums => ("0.0".to_owned(), old.clock[p].clone()),
    };
    let others = |of: &State| -> Vec<String> {
        let all = of.at.iter().enumerate().filter(|(q, _)| *q != p);
        all.flat_map(|(q, at)| at.iter().cloned().chain([of.clock[q].clone()]))
            .chain([of.now.clone()])
            .collect()
    };
    let rest = keep(others(old).iter(), others(new).iter());
    let same_name = keep(old.named.iter(), new.named.iter());
    let same_clock = format!(" (= {} {})", new.clock[p], old.clock[p]);
    let reset = format!(" (= {} {zero})", new.clock[p]);
    let go = |from: usize, to: usize| format!("{} {}", old.at[p][from], new.at[p][to]);
    let (me, nobody) = (&old.named[p], &old.named[n]);
    let wait = WAIT[usize::from(wrong)];
    let moves = [
        format!(" (and {} {nobody}{reset}{same_name})", go(0, 1)),
        format!(" (and {} {}{reset})", go(1, 2), new.named[p]),
        format!(" (and {} {me} (> {age} {wait}.0){same_clock}{same_name})", go(2, 3)),
        format!(" (and {} (not {me}){same_clock}{same_name})", go(2, 0)),
        format!(" (and {} {}{same_clock})", go(3, 0), new.named[n]),
    ];
    format!(" (and (or{}){rest})", moves.concat())
}
