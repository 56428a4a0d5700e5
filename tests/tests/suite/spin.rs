//! SPIN on models written in Promela, compared with our verdicts. SPIN is the program in the variable `SPIN`, or
//! `spin`; without it, or without a C compiler, the test is skipped. A SPIN built with `-DNXT` also gets formulas with
//! `X`.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use veristep_core::formats::promela;
use veristep_core::kit::{Off, Verdict};
use veristep_core::property::Property;
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_core::system::System;
use veristep_core::temporal::Requirement;
use veristep_tests::models::poll_up_to;
use veristep_tests::programs::{SIZE, automaton, condition};
use veristep_tests::random::{Rng, each};
use veristep_tests::{ltl, oracle};

fn spin() -> Command {
    Command::new(std::env::var("SPIN").unwrap_or_else(|_| "spin".to_owned()))
}

/// The output of a program; none if it does not start, or does not end in ten seconds. (SPIN takes minutes to translate
/// some formulas.)
fn output(command: &mut Command, folder: &Path) -> Option<Output> {
    let mut child = command.current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().ok()?;
    let start = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if start.elapsed() > Duration::from_secs(10) {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.wait_with_output().ok()
}

/// SPIN's verdict on the property; `None` if its search was incomplete.
fn verdict(model: &str, folder: &Path) -> Option<bool> {
    std::fs::write(folder.join("model.pml"), model).expect("it can be written");
    let made = output(spin().args(["-a", "model.pml"]), folder)?;
    let said = String::from_utf8_lossy(&made.stdout).into_owned();
    assert!(made.status.success() && !said.contains("rror:"), "{said}\n{model}");
    let made = output(Command::new("cc").args(["-O0", "-w", "-DNOREDUCE", "-o", "pan", "pan.c"]), folder)?;
    assert!(made.status.success(), "{}\n{model}", String::from_utf8_lossy(&made.stderr));
    let run = output(Command::new(folder.join("pan")).args(["-a", "-m200000"]), folder)?;
    let said = String::from_utf8_lossy(&run.stdout);
    let errors = said.split("errors: ").nth(1)?.split_whitespace().next()?.parse::<u64>().ok()?;
    assert!(!said.contains("max search depth too small"), "{said}");
    Some(errors == 0)
}

/// A random formula about a system.
fn formula(rng: &mut Rng, system: &System, next: bool) -> Option<Requirement> {
    let atoms = 1 + rng.below(2);
    let conditions: Vec<String> = (0..atoms).map(|_| condition(rng, 0)).collect();
    let size = 2 + rng.below(5);
    let formula = ltl::formula(rng, size, atoms);
    if !formula.is_temporal() || !next && !formula.is_next_free() {
        return None;
    }
    // Variables have any value before their first assignment, in the first edge.
    let reading = *rng.pick(&[
        "ltl[step=edge]:",
        "ltl[step=edge,stuck=dead-end]:",
        "ltl[step=edge,stuck=never]:",
        "ltl[step=edge,stuck=deadlock]:",
    ]);
    let reading = if next { *rng.pick(&[reading, "X X", "ltl[start=initial]:X X X"]) } else { reading };
    let text = format!("{reading} ({})", formula.text(&|p| format!("({})", conditions[p.index()])));
    Some(Requirement::parse(&text, system).unwrap_or_else(|d| panic!("{}: {text}", d[0].message)))
}

#[test]
fn spin_agrees_on_exported_models() {
    let folder = std::env::temp_dir().join(format!("veristep-spin-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for SPIN's files");
    if output(spin().arg("-V"), &folder).is_none()
        || output(Command::new("cc").arg("--version"), &folder).is_none()
    {
        println!("skipped: there is no SPIN, or no C compiler");
        return;
    }
    let next = output(spin().args(["-f", "X p"]), &folder).is_some_and(|o| o.status.success());
    let questions = std::env::var("QUESTIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(15);
    let (mut asked, mut hold, mut refused, mut late) = (0, 0, 0, 0);
    each(0..2 * questions, |rng| {
        let text = automaton(rng);
        let system = run::load(Kind::Cfa, &text).unwrap_or_else(|d| panic!("{}\n{text}", d[0].message));
        let Some(requirement) = formula(rng, &system, next) else { return };
        let Ok(model) = promela::print(&system, &requirement) else {
            refused += 1;
            return;
        };
        let stated = requirement.text(&system);
        let Some(theirs) = verdict(&model, &folder) else {
            late += 1;
            return;
        };
        if let Some(holds) = oracle::holds(&system, &requirement, SIZE) {
            assert_eq!(theirs, holds, "SPIN and the tableau: {stated}\n{text}\n{model}");
        }
        let property = Property::Temporal(Box::new(requirement));
        let options = Options { method: Method::Explicit, ..Options::default() };
        let mut run = Run::new(&system, &property, &options).unwrap();
        let ours = poll_up_to(&mut run, &mut Off, 50_000, &mut || u64::MAX).map(|o| o.verdict);
        assert!(
            !matches!((ours, theirs), (Some(Verdict::Holds), false) | (Some(Verdict::Violated), true)),
            "SPIN says {theirs}, we say {ours:?}: {stated}\n{text}\n{model}"
        );
        asked += 1;
        hold += u64::from(theirs);
    });
    let _ = std::fs::remove_dir_all(&folder);
    println!(
        "{asked} models, with X: {next}; {hold} hold; {refused} more have no text in Promela, {late} take SPIN too long"
    );
    assert!(late <= asked / 4 + 3, "SPIN seldom answers in time");
    assert!(asked >= questions, "{asked} models for {questions}");
    assert!(hold * 10 > asked && hold * 10 < asked * 9, "{hold} of {asked} hold");
}
