//! Answers one SMT-LIB script and prints the time: `answer FILE [interpolate] [lazy|online]`. Runs natively and, built
//! for `wasm32-wasip1`, in node. With `interpolate` a contradiction is refuted again in two halves and interpolated.
#![allow(clippy::print_stdout)]

use std::time::Instant;

use solver_lite::Limits;
use solver_lite::interpolate::{Method, at_cuts};
use solver_lite::smtlib::Session;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let text = std::fs::read_to_string(arguments.next().expect("a file")).expect("a readable file");
    let (mut interpolate, mut limits) = (false, Limits::default());
    for word in arguments {
        if word == "interpolate" {
            interpolate = true;
        } else {
            limits.strategy = word.parse().expect("a search");
        }
    }
    let mut session = Session::new(limits);
    let mut answers: Vec<String> = Vec::new();
    let start = Instant::now();
    session.run(&text, &mut |a| answers.push(a.lines().next().unwrap_or_default().to_owned()));
    let took = start.elapsed().as_secs_f64() * 1e3;
    let last = answers.iter().rfind(|a| ["sat", "unsat", "unknown"].contains(&a.as_str()));
    println!("{} {took:.2}", last.map_or("none", String::as_str));
    if interpolate && last.is_some_and(|a| a == "unsat") {
        let start = Instant::now();
        let (proof, terms, assertions) = session.refuted().expect("within the limits");
        let sizes = at_cuts(terms, &assertions, &proof, &[assertions.len() / 2], Method::default());
        let took = start.elapsed().as_secs_f64() * 1e3;
        println!("interpolant {took:.2} of {} terms", terms.subterms(&sizes).len());
    }
}
