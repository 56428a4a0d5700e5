//! Sizes of Büchi automata of classic formulas, ours and those of SPIN: `automata [SECONDS]`. SPIN is the program in
//! the variable `SPIN`, or `spin`; formulas with `X` need one built with `-DNXT`. A formula for which it exceeds the
//! limit of seconds (10) counts for neither.
#![allow(clippy::print_stdout)]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use veristep_core::buchi;
use veristep_core::formats::promela::spelled;
use veristep_core::ltl::Formula;
use veristep_tests::ltl::classic;

/// The states of SPIN's never claim: its labels.
fn of_spin(f: &Formula, seconds: u64) -> Option<u32> {
    let program = std::env::var("SPIN").unwrap_or_else(|_| "spin".to_owned());
    let folder = std::env::temp_dir();
    let mut child = Command::new(&program)
        .args(["-f", &spelled(f, &|p| p.to_string())])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|e| panic!("{program} does not start: {e}"));
    let start = Instant::now();
    while child.try_wait().expect("it runs").is_none() {
        if start.elapsed() > Duration::from_secs(seconds) {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("it has ended");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let label = |l: &&str| l.ends_with(':') && l.chars().next().is_some_and(char::is_alphabetic);
    let states = text.lines().filter(label).count();
    text.contains("never").then_some(number(states))
}

fn number(n: usize) -> u32 {
    u32::try_from(n).expect("few states")
}

fn main() {
    let seconds = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(10);
    println!(
        "{:20} {:>9} {:>6} {:>6} {:>6} {:>9}",
        "formulas", "compared", "ours", "spin", "ratio", "ours, all"
    );
    let mut totals = (0_u32, 0_u32);
    for set in ["dwyer", "etessami-holzmann", "somenzi-bloem"] {
        for negated in [false, true] {
            let (mut ours, mut spin, mut compared, mut all, mut count) = (0, 0, 0, 0, 0_u32);
            for p in classic(set) {
                let f = if negated { p.formula.negated() } else { p.formula };
                let states = number(buchi::of_formula(&f, &p.atoms).expect("it is small").states.len());
                (all, count) = (all + states, count + 1);
                if let Some(theirs) = of_spin(&f, seconds) {
                    (ours, spin, compared) = (ours + states, spin + theirs, compared + 1);
                }
            }
            let name = if negated { format!("{set}, negated") } else { set.to_owned() };
            let ratio = f64::from(spin) / f64::from(ours);
            let of = format!("{compared}/{count}");
            println!("{name:20} {of:>9} {ours:>6} {spin:>6} {ratio:>6.2} {all:>9}");
            totals = (totals.0 + ours, totals.1 + spin);
        }
    }
    println!(
        "{:20} {:>9} {:>6} {:>6} {:>6.2}",
        "all",
        "",
        totals.0,
        totals.1,
        f64::from(totals.1) / f64::from(totals.0)
    );
}
