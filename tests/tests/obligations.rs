//! The obligations of certificates, answered by other solvers: `cargo test --release -p veristep-tests --test obligations --
//! --ignored` (some minutes; needs `z3` or `cvc5` on the PATH, and says so).
#![allow(clippy::print_stdout)]

use std::path::Path;
use std::process::Command;

use veristep_core::certificate::{self, Certificate};
use veristep_core::kit::Off;
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_tests::models::poll_up_to;

/// The answer of a solver to a script.
fn answer(solver: &str, script: &Path) -> Option<String> {
    let limit = if solver == "z3" { "-T:20" } else { "--tlimit=20000" };
    let output = Command::new(solver).arg(limit).arg(script).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The scripts of a model's certificate, if its own question has an invariant.
fn scripts(path: &Path) -> Option<Vec<certificate::Script>> {
    let kind = Kind::of_name(path.extension()?.to_str()?)?;
    let text = std::fs::read_to_string(path).ok()?;
    let system = run::load_for(kind, &text, Some("")).ok()?;
    let property = run::property(&system, "").ok()?;
    let options = Options { method: Method::Auto, ..Options::default() };
    let mut run = Run::new(&system, &property, &options).ok()?;
    let outcome = poll_up_to(&mut run, &mut Off, 4_000, &mut || u64::MAX)?;
    let certificate = outcome.certificate.filter(|c| matches!(c, Certificate::Invariant { .. }))?;
    Some(
        certificate::export(&system, &property, &certificate).unwrap_or_else(|why| panic!("{path:?}: {why}")),
    )
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["corpus/cfa", "corpus/c", "corpus/sts", "corpus/xsts", "corpus/aiger", "corpus/verdicts"];
    let mut files: Vec<_> = folders.iter().map(|f| root.join(f)).collect();
    files.extend(
        ["../static/examples", "../../shared/models/cfa", "../../shared/models/xsts"].map(|f| root.join(f)),
    );
    let (mut models, mut asked) = (0, 0);
    for folder in files.iter().filter(|f| f.is_dir()) {
        for file in std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()) {
            let Some(scripts) = scripts(&file) else { continue };
            models += 1;
            for script in scripts {
                let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&script.name);
                std::fs::write(&path, &script.text).unwrap();
                for solver in &solvers {
                    let answer = answer(solver, &path).expect("it can be started");
                    assert_eq!(answer, "unsat", "{solver}: {} of {}", script.name, file.display());
                    asked += 1;
                }
            }
        }
    }
    println!("{asked} answers of {} for {models} models", solvers.join(" and "));
    assert!(models > 20);
}
