//! Law 5: golden journals of small models. `BLESS=1` (or `cargo xtask bless`) writes them again.

use std::path::{Path, PathBuf};

use veristep_core::kit::{Journal, Recorder};
use veristep_core::run::Method;
use veristep_tests::models::{self, RUNS, STATES, ask, poll_up_to};

/// Longer journals are not compared.
const LINES: usize = 700;

#[test]
fn golden_journals() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden");
    let mut pinned = 0;
    for model in models::all() {
        let (_, outcome, journal) = model.record(|| u64::MAX);
        let text = journal.to_string();
        if outcome.is_none() || text.lines().count() > LINES {
            continue;
        }
        pinned += 1;
        same(&folder.join(format!("{}.journal", model.name)), &text);
    }
    assert!(pinned >= 20, "only {pinned} journals are small enough");
}

/// Limits for the others: recorded steps, and compared lines of their journals.
const STEPS: u64 = 400;
/// Turns without an answer are not recorded.
const STEPS_OF_AUTO: u64 = 8_000;
const FIRST: usize = 150;

/// Of each method at least three journals of each formalism; `tests/golden/METHOD/` has them.
#[test]
fn golden_journals_of_each_method() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden");
    for method in Method::ALL {
        let (states, runs) = (method.about().states, method.about().runs);
        let questions = STATES.iter().filter(|_| states).chain(RUNS.iter().filter(|_| runs));
        let folder = root.join(method.name());
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
        }
        // The state equation is for nets.
        let fits = |file: &str| method != Method::StateEquation || file.ends_with(".pn");
        for (question, _) in questions.filter(|(question, _)| fits(question.0)) {
            let mut run = ask(*question, &[("engine", method.name())]).unwrap();
            let mut sink = Recorder { journal: Journal::new(run.names()) };
            let steps = if method == Method::Auto { STEPS_OF_AUTO } else { STEPS };
            poll_up_to(&mut run, &mut sink, steps, &mut || u64::MAX);
            let text = sink.journal.to_string();
            assert!(text.lines().count() > 1, "{question:?}, {}: nothing happened", method.name());
            let text: String = text.lines().take(FIRST).flat_map(|line| [line, "\n"]).collect();
            let name = question.0.replace('/', "-");
            let about = if question.1.is_empty() { "" } else { ".runs" };
            same(&folder.join(format!("{name}{about}.journal")), &text);
        }
    }
}

/// The text equals that of the file, which is written again on demand.
fn same(file: &Path, text: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(file, text).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(file)
        .unwrap_or_else(|_| panic!("{} has no golden journal; run cargo xtask bless", file.display()));
    let different = text.lines().zip(expected.lines()).position(|(a, b)| a != b);
    let at = different.unwrap_or(text.lines().count().min(expected.lines().count()));
    let line = |t: &str| t.lines().nth(at).unwrap_or("(the end)").to_owned();
    assert!(
        text == expected,
        "{}, line {}:\n now {}\n was {}",
        file.display(),
        at + 1,
        line(text),
        line(&expected)
    );
}
