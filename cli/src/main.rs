//! The command line of Veristep: the engines of the page without the page.
//!
//! Exit status: 0 holds, 1 violated, 3 unknown, 2 bad input or usage, no property, or an answer that could not be
//! written.
#![allow(clippy::print_stdout, clippy::print_stderr)]

/// Prints a line of the answer. A write error ends the program.
macro_rules! say {
    ($($arguments:tt)*) => {
        if let Err(why) = std::io::Write::write_fmt(&mut std::io::stdout(), format_args!("{}\n", format_args!($($arguments)*))) {
            crate::not_written(&why);
        }
    };
}

mod analyze;
mod bench;
mod bounded;
mod certify;
mod check;
mod convert;
mod draw;
mod generate;
mod input;
mod link;
mod ltl;
mod printed;
mod simulate;
mod smt;
mod strategy;
mod watch;
mod witness;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Formal verification, step by step.
#[derive(Parser)]
#[command(
    name = "veristep",
    version,
    about,
    after_help = "Exit status: 0 holds, 1 violated, 3 unknown, 2 bad input, no property, or an answer that could not be written."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Verify properties of a model
    Check(Box<check::Arguments>),
    /// Print facts of a model: sizes, and for Petri nets markings, bounds, liveness, invariants, siphons and traps
    Analyze(analyze::Arguments),
    /// Check a certificate with the independent checker
    Certify(certify::Arguments),
    /// Compare strategies on a folder of models
    Bench(bench::Arguments),
    /// Write a model in another format
    Convert(convert::Arguments),
    /// Write a model of a family, of any size
    Generate(generate::Arguments),
    /// Draw a model, or a step of a run, as SVG, DOT, TikZ or JSON
    Draw(Box<draw::Arguments>),
    /// Play a Petri net at random
    Simulate(simulate::Arguments),
    /// Run an SMT-LIB script
    Smt(smt::Arguments),
    /// Translate, compare and classify temporal formulas
    Ltl(ltl::Arguments),
    /// Print a link that opens a model in the page
    Link(link::Arguments),
}

/// Exit status of the process.
const HOLDS: u8 = 0;
const VIOLATED: u8 = 1;
const BAD_INPUT: u8 = 2;
const UNKNOWN: u8 = 3;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(help_or_mistake) => {
            let written = help_or_mistake.print().and_then(|()| std::io::stdout().flush());
            if let Err(why) = written {
                not_written(&why);
            }
            return ExitCode::from(u8::try_from(help_or_mistake.exit_code()).unwrap_or(BAD_INPUT));
        }
    };
    let result = match arguments.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Analyze(arguments) => analyze::run(&arguments),
        Command::Certify(arguments) => certify::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Draw(arguments) => draw::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Smt(arguments) => smt::run(&arguments),
        Command::Ltl(arguments) => ltl::run(&arguments),
        Command::Link(arguments) => link::run(&arguments),
    };
    ExitCode::from(result.unwrap_or_else(|why| match why {
        input::BadInput::Mistake(message) => {
            complain(&message);
            BAD_INPUT
        }
        input::BadInput::Unsupported(message) => {
            complain(&message);
            UNKNOWN
        }
    }))
}

/// Prints a message to standard error; write errors are ignored.
fn complain(message: &str) {
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// Ends the program when an answer cannot be written.
fn not_written(why: &std::io::Error) -> ! {
    complain(&format!("error: the answer could not be written: {why}"));
    std::process::exit(i32::from(BAD_INPUT))
}
