//! Verification runs: verdicts on the corpus and on inputs made by others, certified.
#![allow(clippy::print_stdout)]

use std::path::Path;
use std::time::Instant;

use veristep_core::certificate;
use veristep_core::kit::{Cx, Fuel, Off, Verdict};
use veristep_core::run::{self, Kind, Options, Run};

/// Runs with so many steps of fuel.
fn check(text: &str, fuel: u64) -> Result<(String, Option<bool>, String), String> {
    let system = run::load(Kind::Cfa, text).map_err(|d| d[0].message.clone())?;
    let property = run::property(&system, "").map_err(|d| d[0].message.clone())?;
    let mut run = Run::new(&system, &property, &Options::default());
    let outcome = run.poll(&mut Cx { fuel: &mut Fuel::new(fuel), sink: &mut Off });
    let std::task::Poll::Ready(outcome) = outcome else { return Ok(("unknown".into(), None, "fuel".into())) };
    let certified = outcome.certificate.as_ref().map(|c| certificate::check(&system, &property, c));
    if let Some(Err(e)) = &certified {
        panic!("{e}\n{:?}", outcome.certificate);
    }
    let stats = format!("{:?} {}", outcome.stats.total, outcome.reason);
    Ok((outcome.verdict.to_string(), certified.map(|c| c.is_ok()), stats))
}

#[test]
fn shared_control_flow_automata() {
    let Some(folder) = veristep_tests::shared("models") else { return };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let mut wrong = Vec::new();
    for row in manifest.lines().map(|l| l.split('\t').collect::<Vec<_>>()) {
        if row[1] != "cfa" || row[2] != "error-location-unreachable" {
            continue;
        }
        let text = std::fs::read_to_string(folder.join(row[0])).unwrap();
        let start = Instant::now();
        let expected = if row[3] == "safe" { Verdict::Holds } else { Verdict::Violated };
        match check(&text, 200_000) {
            Ok((verdict, certified, stats)) => {
                println!(
                    "{}: {verdict} ({:?}) certified {certified:?} {stats} {:?}",
                    row[0],
                    row[3],
                    start.elapsed()
                );
                if verdict != expected.to_string() {
                    wrong.push(row[0].to_owned());
                }
            }
            Err(e) => {
                println!("{}: {e}", row[0]);
                wrong.push(row[0].to_owned());
            }
        }
    }
    println!("not decided: {wrong:?}");
    assert!(wrong.len() <= 1);
    let _ = Path::new("");
}
