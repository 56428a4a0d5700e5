//! Proofs in the format Alethe, checked by Carcara (`carcara` in the PATH; skipped without it) on the unsatisfiable
//! files of ../shared/smtlib. None may be rejected; files that are too hard or need a rule missing in Alethe are
//! counted.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use solver_lite::Limits;
use solver_lite::smtlib::Session;
use veristep_tests::shared;

/// The limit per file, for the proof alone.
const SECONDS: u64 = 60;

const FLAGS: [&str; 4] =
    ["check", "--expand-let-bindings", "--apply-function-defs", "--allow-int-real-subtyping"];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    Accepted,
    TooHard,
    NoRule,
}

/// The proof; nothing at the time limit, `Err` if there is no rule.
fn proof(file: &Path) -> Option<Result<String, String>> {
    let text = fs::read_to_string(file).expect("a readable file");
    let (sender, receiver) = std::sync::mpsc::channel();
    // A thread that exceeds the limit is left running until the process ends.
    std::thread::spawn(move || {
        let mut session = Session::new(Limits::default());
        session.insist(":proof-format", "alethe");
        session.run(&text, &mut |_| ());
        let _ = sender.send(session.alethe_proof());
    });
    receiver.recv_timeout(Duration::from_secs(SECONDS)).ok().flatten()
}

fn judged(file: &Path) -> Outcome {
    let text = match proof(file) {
        None => return Outcome::TooHard,
        Some(Err(_)) => return Outcome::NoRule,
        Some(Ok(text)) => text,
    };
    let written = std::env::temp_dir().join(format!("veristep-{}.alethe", std::process::id()));
    fs::write(&written, text).expect("a writable file");
    let verdict = Command::new("carcara").args(FLAGS).arg(&written).arg(file).output().expect("it is there");
    let verdict = String::from_utf8_lossy(&verdict.stdout).trim().to_owned();
    assert_eq!(verdict, "valid", "{}", file.display());
    fs::remove_file(written).expect("it was written");
    Outcome::Accepted
}

#[test]
#[ignore = "needs carcara; minutes"]
fn carcara_accepts_proofs() {
    let Some(folder) = shared("smtlib") else { return };
    if Command::new("carcara").arg("--version").output().is_err() {
        println!("skipped: there is no carcara in the PATH");
        return;
    }
    let manifest = fs::read_to_string(folder.join("MANIFEST.tsv")).expect("MANIFEST.tsv");
    let mut counts: BTreeMap<(String, Outcome), u32> = BTreeMap::new();
    for line in manifest.lines().skip(1) {
        let [file, logic, status, ..] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        if logic.starts_with("QF_") && status == "unsat" {
            *counts.entry((logic.to_owned(), judged(&folder.join(file)))).or_default() += 1;
        }
    }
    println!("{counts:#?}");
}
