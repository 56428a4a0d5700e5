//! The obligations of certificates, answered by other solvers: `cargo test --release -p veristep-tests --test
//! obligations -- --ignored` (half an hour; needs `z3` or `cvc5` on the PATH, otherwise it prints that they are
//! missing).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use veristep_core::certificate::{self, Certificate, Script};
use veristep_core::kit::Off;
use veristep_core::property::Property;
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_core::system::System;
use veristep_tests::corpus;
use veristep_tests::models::poll_up_to;
use veristep_tests::shared_models::rows;

/// The kinds of models in `../shared/models`.
const KINDS: [&str; 9] =
    ["cfa", "c", "sts", "xsts", "statechart-xsts", "aiger", "gamma", "cfa-ltl", "xsts-ltl"];

/// The answer of a solver to a script.
fn answer(solver: &str, script: &Path) -> String {
    let limit = if solver == "z3" { "-T:20" } else { "--tlimit=20000" };
    let output = Command::new(solver).arg(limit).arg(script).output().expect("it can be started");
    let answer = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if answer.is_empty() { "timeout".to_owned() } else { answer }
}

/// The scripts of a verdict *holds*.
fn scripts(system: &System, property: &Property) -> Option<Vec<Script>> {
    let options = Options { method: Method::Auto, ..Options::default() };
    let mut run = Run::new(system, property, &options).ok()?;
    let outcome = poll_up_to(&mut run, &mut Off, 20_000, &mut || u64::MAX)?;
    let proof = |c: &Certificate| matches!(c, Certificate::Invariant { .. } | Certificate::Progress { .. });
    let certificate = outcome.certificate.filter(proof)?;
    certificate::export(system, property, &certificate).ok()
}

/// The properties of a model of the project: those marked `holds` in its first comments, or its own.
fn questions(path: &Path) -> Vec<(System, Property)> {
    let Some(kind) = path.extension().and_then(|e| Kind::of_name(e.to_str()?)) else { return Vec::new() };
    let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
    let named = text.lines().map_while(|l| l.strip_prefix("// "));
    let mut asked: Vec<&str> = named.filter_map(|l| l.strip_prefix("holds")).map(str::trim).collect();
    if !asked.contains(&"") {
        asked.push("");
    }
    let question = |asked: &str| {
        let system = run::load_for(kind, &text, Some(asked)).ok()?;
        let property = run::property(&system, asked).ok()?;
        Some((system, property))
    };
    asked.into_iter().filter_map(question).collect()
}

/// Answers by solver and text.
type Answers = BTreeMap<(String, &'static str), usize>;

fn ask(solvers: &[&str], name: &str, scripts: &[Script], answers: &mut Answers) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("obligation.smt2");
    for script in scripts {
        std::fs::write(&path, &script.text).unwrap();
        for solver in solvers {
            let answer = answer(solver, &path);
            assert_ne!(answer, "sat", "{solver}: {} of {name}", script.name);
            let unsat = answer == "unsat";
            if !unsat {
                println!("{solver}: {answer} for {} of {name}", script.name);
            }
            let text = if unsat { "unsat" } else { "no answer" };
            *answers.entry(((*solver).to_owned(), text)).or_default() += 1;
        }
    }
}

/// Do at most two of a hundred scripts exceed a solver's time limit?
fn nearly_all(answers: &Answers) -> bool {
    let count = |text: &str| answers.iter().filter(|((_, t), _)| *t == text).map(|(_, n)| n).sum::<usize>();
    count("no answer") * 50 <= count("unsat")
}

#[test]
#[ignore = "needs other solvers"]
fn other_solvers_answer_unsat_to_all_obligations() {
    let solvers: Vec<&str> =
        ["z3", "cvc5"].into_iter().filter(|s| Command::new(s).arg("--version").output().is_ok()).collect();
    if solvers.is_empty() {
        println!("skipped: neither z3 nor cvc5 is on the PATH");
        return;
    }
    let (mut verdicts, mut answers) = (0, Answers::new());
    let own = ["cfa", "c", "sts", "xsts", "aiger", "verdicts"].map(|f| corpus().join(f));
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../static/examples");
    for folder in own.iter().chain([&examples]) {
        for file in std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()) {
            for (system, property) in questions(&file) {
                let Some(scripts) = scripts(&system, &property) else { continue };
                verdicts += 1;
                ask(&solvers, &file.display().to_string(), &scripts, &mut answers);
            }
        }
    }
    println!("{verdicts} verdicts about models of the project: {answers:?}");
    assert!(verdicts > 70 && nearly_all(&answers));
    let (mut verdicts, mut answers) = (0, Answers::new());
    for row in rows(&KINDS).unwrap_or_default() {
        let Some((system, property)) = &row.question else { continue };
        let Some(scripts) = scripts(system, property) else { continue };
        verdicts += 1;
        ask(&solvers, &row.name, &scripts, &mut answers);
    }
    println!("{verdicts} verdicts about models made by others: {answers:?}");
    assert!(nearly_all(&answers));
}
