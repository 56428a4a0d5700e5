//! The command line of Veristep: the same engines as in the page, headless.
//!
//! Exit status: 0 holds, 1 violated, 3 unknown, 2 bad input or usage.
#![allow(clippy::print_stdout, clippy::print_stderr)]

/// Prints a line; a reader that has gone away ends the program quietly.
macro_rules! say {
    ($($arguments:tt)*) => {
        if std::io::Write::write_fmt(&mut std::io::stdout(), format_args!("{}\n", format_args!($($arguments)*))).is_err() {
            std::process::exit(0);
        }
    };
}

mod bench;
mod certify;
mod check;
mod convert;
mod generate;
mod input;
mod link;
mod ltl;
mod smt;
mod strategy;
mod witness;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Formal verification that shows its work.
#[derive(Parser)]
#[command(
    name = "veristep",
    version,
    about,
    after_help = "Exit status: 0 holds, 1 violated, 3 unknown, 2 bad input."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Verify a property of a model
    Check(Box<check::Arguments>),
    /// Have the independent checker judge a certificate
    Certify(certify::Arguments),
    /// Compare strategies on a folder of models
    Bench(bench::Arguments),
    /// Write a model in another format
    Convert(convert::Arguments),
    /// Write a model of a family, of any size
    Generate(generate::Arguments),
    /// Run an SMT-LIB script
    Smt(smt::Arguments),
    /// Translate, compare and classify temporal formulas
    Ltl(ltl::Arguments),
    /// Print a link that opens a model in the page
    Link(link::Arguments),
}

/// What the process returns to its caller.
const HOLDS: u8 = 0;
const VIOLATED: u8 = 1;
const BAD_INPUT: u8 = 2;
const UNKNOWN: u8 = 3;

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Certify(arguments) => certify::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Smt(arguments) => smt::run(&arguments),
        Command::Ltl(arguments) => ltl::run(&arguments),
        Command::Link(arguments) => link::run(&arguments),
    };
    ExitCode::from(result.unwrap_or_else(|why| match why {
        input::BadInput::Mistake(message) => {
            eprintln!("{message}");
            BAD_INPUT
        }
        input::BadInput::Unsupported(message) => {
            eprintln!("{message}");
            UNKNOWN
        }
    }))
}
