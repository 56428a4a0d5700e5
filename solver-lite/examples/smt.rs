//! Runs SMT-LIB files: `smt [--check] FILE…`. With `--check` every refutation is made explicit and checked.
#![allow(clippy::print_stdout)]

use std::io::Write as _;

use solver_lite::Limits;
use solver_lite::smtlib::Session;

fn main() {
    let mut session = Session::new(Limits::default());
    for argument in std::env::args().skip(1) {
        if argument == "--check" {
            session.run("(set-option :check-proofs true)(set-option :check-interpolants true)", &mut |_| {});
            continue;
        }
        let text = std::fs::read_to_string(&argument).expect("a readable file");
        session.run(&text, &mut |answer| {
            println!("{answer}");
            std::io::stdout().flush().expect("standard output can be written");
        });
    }
}
