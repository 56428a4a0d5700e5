//! `veristep smt FILE.smt2 [--timeout SECONDS] [--check]`: answers an SMT-LIB script on standard output.
//!
//! Exit status: 0 all commands were accepted and every check was decided; 3 a check was `unknown` or the time limit was
//! reached (then the last line is `timeout`); 2 usage, an unreadable file, or an `(error …)` among the answers.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use solver_lite::smtlib::{Flow, Script, Session};
use solver_lite::{Limits, Strategy};

use crate::input::{self, BadInput};

/// Arguments of `smt`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The script
    file: PathBuf,
    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
    /// Check every refutation and every interpolant
    #[arg(long)]
    check: bool,
    /// Limit of memory for clauses, lemmas and tableau of a query, in MiB
    #[arg(long, value_name = "MIB")]
    memory: Option<usize>,
    /// Print the steps of the online search after each answer, as comments
    #[arg(long)]
    steps: bool,
    /// The search for models and conflicts
    #[arg(long, value_enum, default_value_t)]
    search: Search,
    /// Write the proof of the last answer, if it is unsat, in this format instead of all answers
    #[arg(long, value_enum)]
    proof: Option<ProofFormat>,
}

/// Proof formats of other checkers.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ProofFormat {
    /// The format of veriT and cvc5
    Alethe,
}

/// Kinds of search.
#[derive(Clone, Copy, Default, ValueEnum)]
enum Search {
    /// Chosen by the shape of the query
    #[default]
    Auto,
    /// Whole Boolean models, checked one after the other
    Lazy,
    /// CDCL(T): the theory takes part in every step
    Online,
}

/// An option that scripts cannot change, with its value.
type Insisted = (&'static str, &'static str);

/// Runs the script.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    let limit = input::limit(arguments.timeout)?;
    let strategy = match arguments.search {
        Search::Auto => Strategy::Auto,
        Search::Lazy => Strategy::Lazy,
        Search::Online => Strategy::Online,
    };
    let mut limits = Limits { strategy, ..Limits::default() };
    if let Some(memory) = arguments.memory {
        limits.memory = memory.saturating_mul(1 << 20);
    }
    let mut options: Vec<Insisted> = Vec::new();
    if arguments.check {
        options.extend([(":check-proofs", "true"), (":check-interpolants", "true")]);
    }
    if arguments.steps {
        options.push((":steps", "true"));
    }
    if arguments.proof == Some(ProofFormat::Alethe) {
        options.push((":proof-format", "alethe"));
    }
    let file = arguments.file.clone();
    answer(move || input::read(&file), limit, limits, options)
}

/// Executes the script; `send` returns false when there is no reader any more.
fn answers(session: &mut Session, text: &str, send: &mut impl FnMut(&str) -> bool) {
    let mut script = Script::new(text);
    let mut open = true;
    while open && session.step(&mut script, &mut |a| open &= send(a)) == Flow::Continue {}
}

/// Executes the script; passes on only complaints and the last verdict, and then the proof.
fn proof(session: &mut Session, text: &str, send: &mut impl FnMut(&str) -> bool) {
    let mut verdict = None;
    answers(session, text, &mut |a| match a {
        _ if a.starts_with("(error") => send(a),
        "sat" | "unsat" | "unknown" => {
            verdict = Some(a.to_owned());
            true
        }
        _ => true,
    });
    let Some(verdict) = verdict else { return };
    if send(&verdict) {
        match session.alethe_proof() {
            Some(Ok(proof)) => send(&proof),
            Some(Err(why)) => send(&format!("(error \"{}\")", why.replace('"', "\"\""))),
            None => true,
        };
    }
}

/// Reads and answers in a separate thread, which is ended with the process at the time limit.
fn answer(
    read: impl FnOnce() -> Result<String, BadInput> + Send + 'static,
    limit: Option<Duration>,
    limits: Limits,
    options: Vec<Insisted>,
) -> Result<u8, BadInput> {
    let (sender, received) = mpsc::channel::<String>();
    let worker = thread::spawn(move || {
        let text = read()?;
        let mut session = Session::new(limits);
        options.iter().for_each(|(option, value)| session.insist(option, value));
        let mut send = |a: &str| sender.send(a.to_owned()).is_ok();
        if options.iter().any(|(option, _)| *option == ":proof-format") {
            proof(&mut session, &text, &mut send);
        } else {
            answers(&mut session, &text, &mut send);
        }
        Ok(())
    });
    print(&received, limit, worker)
}

/// Prints the answers until the time limit; returns the exit status.
fn print(
    answers: &Receiver<String>,
    limit: Option<Duration>,
    worker: JoinHandle<Result<(), BadInput>>,
) -> Result<u8, BadInput> {
    let deadline = limit.and_then(|t| Instant::now().checked_add(t));
    let mut status = 0;
    loop {
        let received = match deadline {
            None => answers.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(d) => answers.recv_timeout(d.saturating_duration_since(Instant::now())),
        };
        let (line, last) = match received {
            Ok(line) => (line, false),
            Err(RecvTimeoutError::Timeout) => ("timeout".to_owned(), true),
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if line.starts_with("(error") {
            status = 2;
        } else if (line.lines().next() == Some("unknown") || last) && status == 0 {
            status = 3;
        }
        let written = writeln!(io::stdout(), "{line}").and_then(|()| io::stdout().flush());
        if let Err(why) = written {
            crate::not_written(&why);
        }
        if last {
            return Ok(status);
        }
    }
    worker.join().map_or(Ok(101), |read| read.map(|()| status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_follows_the_answers() {
        for (text, status) in [
            ("(assert false)(check-sat)", 0),
            ("(assert x)(check-sat)", 2),
            ("(echo \"unknown\")(check-sat)", 0),
        ] {
            let options = vec![(":check-proofs", "true")];
            let answered = answer(|| Ok(text.to_owned()), None, Limits::default(), options);
            assert!(answered.is_ok_and(|s| s == status), "{text}");
        }
    }
}
