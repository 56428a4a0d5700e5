//! Benchmark queries: bounded model checking of time Petri nets and of Fischer's protocol, as SMT-LIB texts. Benchmarks
//! are in `benches/`, the comparison with other solvers in `examples/peers.rs`.

mod fischer;
mod net;
mod unroll;

pub use fischer::fischer;
pub use net::{Net, mutex, phil, pipe};
pub use unroll::{Goal, unroll};

/// The encoding of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Time stamps and the time of each step: every comparison is a difference.
    Differences,
    /// Ages that grow with the time that passes: sums of three variables.
    Sums,
}

/// One query of a family.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name in tables.
    pub name: String,
    /// The script.
    pub text: String,
    /// The expected answer.
    pub status: &'static str,
}

/// The rows of the tables in one encoding: first those decided by the Boolean skeleton, then those decided by time.
#[must_use]
pub fn rows(encoding: Encoding) -> (Vec<Row>, Vec<Row>) {
    let row = |name: &str, text: String, status| Row { name: name.to_owned(), text, status };
    let dead = |name: &str, net: &Net, steps, status| {
        row(name, unroll(net, steps, Goal::Deadlock, encoding), status)
    };
    let goal = |n, steps, time, status| {
        let name = format!("goal mutex {n}, {steps} steps @{time}");
        row(&name, unroll(&mutex(n, false), steps, Goal::Marked(time), encoding), status)
    };
    let fischers = |n, steps, wrong, status| {
        let name = format!("fischer {n}, {steps} steps{}", if wrong { ", wrong" } else { "" });
        row(&name, fischer(n, steps, wrong, encoding), status)
    };
    let deadlock = vec![
        dead("mutex 4, 4 steps", &mutex(4, false), 4, "unsat"),
        dead("mutex 8, 14 steps", &mutex(8, false), 14, "unsat"),
        dead("mutex 16, 12 steps", &mutex(16, false), 12, "unsat"),
        dead("mutex 32, 6 steps", &mutex(32, false), 6, "unsat"),
        dead("mutex 8, 12 steps, wrong", &mutex(8, true), 12, "sat"),
        dead("phil 6, 10 steps", &phil(6, false), 10, "unsat"),
        dead("phil 6, 10 steps, wrong", &phil(6, true), 10, "sat"),
        dead("pipe 8 of 6, 16 steps", &pipe(8, 6), 16, "unsat"),
    ];
    let timed = vec![
        goal(3, 10, 8, "unsat"),
        goal(3, 10, 12, "sat"),
        goal(4, 10, 9, "unsat"),
        goal(4, 12, 10, "unsat"),
        goal(4, 12, 16, "sat"),
        goal(5, 10, 8, "unsat"),
        fischers(3, 12, false, "unsat"),
        fischers(5, 10, false, "unsat"),
        fischers(8, 9, true, "sat"),
    ];
    (deadlock, timed)
}
