//! `veristep smt FILE.smt2 [--timeout SECONDS] [--check]`: answers an SMT-LIB script on standard output.
//!
//! Exit status: 0 all commands were understood and every check was decided; 3 a check was `unknown` or the time was
//! up (then the last line is `timeout`); 2 usage, an unreadable file, or an `(error …)` among the answers.

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use solver_lite::Limits;
use solver_lite::smtlib::{Flow, Script, Session};

const USAGE: &str = "usage: veristep smt FILE.smt2 [--timeout SECONDS] [--check]";

/// What the command line asks for.
#[derive(Debug, PartialEq)]
struct Request {
    file: String,
    timeout: Option<Duration>,
    /// Make every refutation explicit and check it, and every interpolant.
    check: bool,
}

fn request(args: &[String]) -> Result<Request, String> {
    let mut file = None;
    let (mut timeout, mut check) = (None, false);
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "--check" => check = true,
            "--timeout" => {
                let seconds = rest.next().and_then(|s| s.parse::<f64>().ok());
                let duration = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
                timeout = Some(duration.ok_or("--timeout needs a number of seconds")?);
            }
            option if option.starts_with("--") => return Err(format!("unknown option {option}; {USAGE}")),
            name if file.is_none() => file = Some(name.to_owned()),
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(Request { file: file.ok_or(USAGE)?, timeout, check })
}

/// Runs the command; `args` are the arguments after `smt`.
pub(crate) fn run(args: &[String]) -> ExitCode {
    let answered = request(args).and_then(|request| {
        let text = std::fs::read_to_string(&request.file).map_err(|e| format!("{}: {e}", request.file))?;
        Ok(answer(&request, text))
    });
    match answered {
        Ok(status) => ExitCode::from(status),
        Err(message) => {
            let _ = writeln!(io::stderr(), "error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Answers on a thread of its own, which the end of the process ends when the time is up.
fn answer(request: &Request, text: String) -> u8 {
    let (sender, answers) = mpsc::channel::<String>();
    let check = request.check;
    let worker = thread::spawn(move || {
        let mut session = Session::new(Limits::default());
        if check {
            session.run("(set-option :check-proofs true)(set-option :check-interpolants true)", &mut |_| {});
        }
        let mut script = Script::new(&text);
        // A closed channel means that nobody reads any more.
        let mut open = true;
        while open && session.step(&mut script, &mut |a| open &= sender.send(a.to_owned()).is_ok()) == Flow::Continue {}
    });
    let deadline = request.timeout.and_then(|t| Instant::now().checked_add(t));
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
        } else if (line == "unknown" || last) && status == 0 {
            status = 3;
        }
        let written = writeln!(io::stdout(), "{line}").and_then(|()| io::stdout().flush());
        if last || written.is_err() {
            return status;
        }
    }
    if worker.join().is_err() { 101 } else { status }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &str) -> Result<Request, String> {
        request(&args.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn arguments() {
        let expected = Request { file: "a.smt2".into(), timeout: Some(Duration::from_millis(500)), check: true };
        assert_eq!(parse("a.smt2 --timeout 0.5 --check"), Ok(expected));
        assert_eq!(parse(""), Err(USAGE.to_owned()));
        assert_eq!(parse("a b"), Err(USAGE.to_owned()));
        assert_eq!(parse("a --timeout x"), Err("--timeout needs a number of seconds".to_owned()));
        assert!(parse("a --fast").is_err_and(|e| e.starts_with("unknown option --fast")));
    }

    #[test]
    fn status_follows_the_answers() {
        let request = Request { file: String::new(), timeout: None, check: true };
        for (text, status) in [
            ("(assert false)(check-sat)", 0),
            ("(assert x)(check-sat)", 2),
            ("(echo \"unknown\")(check-sat)", 0),
        ] {
            assert_eq!(answer(&request, text.to_owned()), status, "{text}");
        }
        let unreadable = ["/no/such/file".to_owned()];
        assert_eq!(run(&unreadable), ExitCode::from(2));
    }
}
