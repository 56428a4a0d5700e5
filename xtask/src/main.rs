//! `cargo xtask`: every task of development and of the build server is started here.
//! Each task does its own set-up first, so a fresh machine with Rust (rustup) and Node needs nothing else.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool prints to its terminal")]

mod dist;
mod peers;
mod run;
mod serve;
mod setup;
mod test;
mod tidy;

use run::{Fallible, Project};
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask serve [--port N] [--no-open]   build the page, serve it and open it
cargo xtask serve --dev       a page that is built quickly, runs slowly and is rebuilt on changes
cargo xtask serve --release   the page as it is released
cargo xtask test [--fast]     all checks; --fast leaves out the release build and the browser
cargo xtask dist              release build to dist/, a folder any static host can serve
cargo xtask browser [FILTER]  the browser tests on the page in dist/
cargo xtask tidy              layering, sizes, words, paths, versions
cargo xtask bless             write the golden files again
cargo xtask bench [ARGS]      benchmarks
cargo xtask bench --browser [--dist FOLDER] [PART]   times of the page: steps, dragging, running, visit
cargo xtask bench --spacer FOLDER …   `veristep check` beside Z3's Spacer on the same systems
cargo xtask bench --nusmv FOLDER …    beside NuSMV on circuits; python3 must have the package pynusmv
cargo xtask bench --peers [--runs N] [--seconds S] [--cvc5] [--only PART]   beside other solvers
cargo xtask setup             only install what is missing
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match Project::find().and_then(|project| dispatch(&project, &words)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(project: &Project, words: &[String]) -> Fallible {
    let (task, rest) = words.split_first().map_or(("help", words), |(task, rest)| (task.as_str(), rest));
    match task {
        "serve" => serve::serve(project, &serve::Options::parse(rest)?),
        "test" => test::test(project, test::Depth::parse(rest)?),
        "dist" => no_more(rest).and_then(|()| dist::dist(project)),
        "browser" => test::browser_only(project, rest),
        "tidy" => no_more(rest).and_then(|()| tidy::tidy(project)),
        "bless" => no_more(rest).and_then(|()| test::bless(project)),
        "bench" => match rest.split_first() {
            Some((word, rest)) if word == "--browser" => test::browser_bench(project, rest),
            Some((word, rest)) if word == "--spacer" => peers::spacer(project, rest),
            Some((word, rest)) if word == "--nusmv" => peers::nusmv(project, rest),
            Some((word, rest)) if word == "--peers" => peers::compare(project, rest),
            _ => project.cargo().args(["bench", "-p", "veristep-benches"]).args(rest).run(),
        },
        "setup" => no_more(rest).and_then(|()| setup::everything(project)),
        "help" | "-h" | "--help" => {
            print!("{USAGE}");
            Ok(())
        }
        other => Err(format!("there is no task `{other}`; `cargo xtask help` lists them")),
    }
}

fn no_more(rest: &[String]) -> Fallible {
    match rest.first() {
        None => Ok(()),
        Some(word) => {
            Err(format!("`{word}` is not an argument of this task; `cargo xtask help` lists the tasks"))
        }
    }
}
