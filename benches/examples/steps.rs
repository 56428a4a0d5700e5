//! Bounded model checking of random nets with delays of places, as in table 2 of Igawa, Yokogawa, Amasaki, Kondo, Sato
//! and Arimoto, "Symbolic Representation of Time Petri Nets for Efficient Bounded Model Checking", 2020: nets of its
//! three sizes, in difference logic and in linear arithmetic, beside the solvers of the PATH (`yices-smt2`, `z3`) and
//! cvc5 (`python3 benches/peers/cvc5_file.py`), on the same files.
//!
//! `steps [--seconds S] [--from K] [--steps K] [--nets N] [--goals] [--wasm FILE]`: with at most S seconds a formula,
//! from and up to K steps, the first N nets; with `--goals`, three places are to be marked within some time, in place
//! of the deadlock; with the example `answer`, built for `wasm32-wasip1`, also our solver in node. Times are those of
//! whole commands, with the start of Python and node.
#![allow(clippy::print_stdout)]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use veristep_core::generate::nets;
use veristep_core::net::condition::{Comparison, Condition, Linear};
use veristep_core::net::timed::Timed;
use veristep_core::net::timed::encoding::{Encoding, Goal, Logic, Question, write};
use veristep_core::net::{Net, PlaceId};

const SIZES: [(u32, u32); 3] = [(374, 389), (1_030, 1_193), (3_206, 4_049)];

/// The word after another one.
fn after(name: &str) -> Option<String> {
    std::env::args().skip_while(|word| word != name).nth(1)
}

fn number(name: &str, otherwise: u64) -> u64 {
    after(name).and_then(|word| word.parse().ok()).unwrap_or(otherwise)
}

/// What became of a command.
enum Measured {
    /// It took these seconds for this answer.
    Answer(f64, String),
    /// It took longer than it may.
    Late,
    /// It could not be run, or gave no answer.
    Missing,
}

/// Runs a command on a file.
fn timed(command: &[&str], file: &str, seconds: u64) -> Measured {
    let start = Instant::now();
    let (own, words) = (Command::new(command[0]), &command[1..]);
    let child = { own }.args(words).arg(file).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = child else { return Measured::Missing };
    loop {
        if child.try_wait().is_ok_and(|status| status.is_some()) {
            let took = start.elapsed().as_secs_f64();
            let output = child.wait_with_output().expect("it has ended");
            let answer = String::from_utf8_lossy(&output.stdout).split_whitespace().next().map(str::to_owned);
            return answer.map_or(Measured::Missing, |answer| Measured::Answer(took, answer));
        }
        if start.elapsed() > Duration::from_secs(seconds) {
            let _ = child.kill();
            let _ = child.wait();
            return Measured::Late;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Three places, the last ones of different cycles, marked within `k` units of time.
fn goal(net: &Net, k: u32) -> Goal {
    let last = net.places.len();
    let places = (1..=3).map(|i| PlaceId::new(last - i));
    let marked =
        |p: PlaceId| Condition::Linear(Linear { terms: vec![(p, -1)], op: Comparison::Le, bound: -1 });
    Goal::Marking(Condition::And(places.map(marked).collect()), Some(k))
}

fn main() {
    let seconds = number("--seconds", 60);
    let (least, most) = (number("--from", 1) as u32, number("--steps", 10) as u32);
    let goals = std::env::args().any(|word| word == "--goals");
    let ours = std::env::current_exe().expect("a path");
    let ours = ours.parent().and_then(|p| p.parent()).expect("its folder").join("veristep");
    let ours = ours.to_string_lossy().into_owned();
    let wasm = after("--wasm");
    let mut solvers: Vec<(&str, Vec<&str>)> = vec![
        ("veristep", vec![&ours, "smt"]),
        ("yices", vec!["yices-smt2"]),
        ("z3", vec!["z3"]),
        ("cvc5", vec!["python3", "benches/peers/cvc5_file.py"]),
    ];
    if let Some(wasm) = &wasm {
        solvers.insert(1, ("wasm", vec!["node", "benches/peers/answer.mjs", wasm]));
    }
    let names: Vec<&str> = solvers.iter().map(|(name, _)| *name).collect();
    println!("| net | k | logic | answer | encoding | {} |", names.join(" | "));
    println!("|---|---|---|---|---|{}", "---|".repeat(names.len()));
    for (i, (places, transitions)) in SIZES.into_iter().take(number("--nets", 3) as usize).enumerate() {
        let net = nets::timed(places, transitions, 1);
        let timed_net = Timed::of(&net).expect("a net with delays of places");
        for steps in least..=most {
            for (name, logic) in [("DL", Logic::Difference), ("LA", Logic::Arithmetic)] {
                let encoding = Encoding { logic, replace: true, exact: false };
                let goal = if goals { goal(&net, steps) } else { Goal::Deadlock };
                let mut script = String::new();
                let start = Instant::now();
                write(&timed_net, &Question { steps, encoding, goal }, &mut script).expect("texts grow");
                let encoded = start.elapsed().as_secs_f64();
                let file = format!("veristep-steps-{}.smt2", std::process::id());
                let file = std::env::temp_dir().join(file).to_string_lossy().into_owned();
                std::fs::write(&file, &script).expect("a file");
                let all: Vec<Measured> =
                    solvers.iter().map(|(_, command)| timed(command, &file, seconds)).collect();
                let answer = |measured: &Measured| match measured {
                    Measured::Answer(_, answer) => Some(answer.clone()),
                    Measured::Late | Measured::Missing => None,
                };
                let answers: Vec<String> = all.iter().filter_map(answer).collect();
                let answer = answers.first().map_or("—", |answer| answer.as_str());
                assert!(answers.iter().all(|other| other == answer), "the solvers disagree: {answers:?}");
                let cell = |measured: &Measured| match measured {
                    Measured::Answer(took, _) => format!("{took:.3}"),
                    Measured::Late => format!("> {seconds}"),
                    Measured::Missing => "—".to_owned(),
                };
                let cells: Vec<String> = all.iter().map(cell).collect();
                println!(
                    "| #{} | {steps} | {name} | {answer} | {encoded:.3} | {} |",
                    i + 1,
                    cells.join(" | ")
                );
            }
        }
    }
}
