//! Random programs in C against a compiler: `campaign_c SEED COUNT [STEPS]`, or `campaign_c print SEED`.
//!
//! Each disagreement is printed with its seed, its class and a small program.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::time::Instant;

use veristep_tests::campaign_c::judge::class;
use veristep_tests::campaign_c::oracle::Oracle;
use veristep_tests::campaign_c::ours::{Answer, answer};
use veristep_tests::campaign_c::shrink::shrink;
use veristep_tests::campaign_c::writer::{Program, program};

/// Programs in one call of the compiler.
const BATCH: u64 = 50;
/// Limit of reduced disagreements of a class.
const SHRUNK: u64 = 6;

/// Counts by description.
type Counts = BTreeMap<String, u64>;

fn count(counts: &mut Counts, what: &str) -> u64 {
    let n = counts.entry(what.to_owned()).or_insert(0);
    *n += 1;
    *n
}

/// A message without its names.
fn plain(message: &str) -> String {
    message.split(['\'', '‘', '’']).step_by(2).collect::<Vec<_>>().join("…")
}

fn kind(ours: &Answer) -> String {
    match ours {
        Answer::Refused(why) => format!("ours refused: {}", plain(why)),
        Answer::Unsupported(why) => format!("ours unsupported: {}", plain(why)),
        Answer::Broken(why) => format!("ours broken: {}", plain(why)),
        Answer::Unknown(why) => format!("ours unknown: {}", why.chars().take(60).collect::<String>()),
        other => format!("ours {other:?}").to_lowercase(),
    }
}

fn batch(oracle: &Oracle, seeds: &[u64], lp64: bool, steps: u64, counts: &mut Counts) -> std::io::Result<()> {
    let all: Vec<(u64, Program)> = seeds.iter().map(|s| (*s, program(*s))).collect();
    let programs: Vec<&Program> = all.iter().map(|(_, p)| p).filter(|p| p.lp64 == lp64).collect();
    let facts = oracle.facts(&programs, lp64)?;
    let seeds = all.iter().filter(|(_, p)| p.lp64 == lp64).map(|(s, _)| s);
    for ((seed, program), facts) in seeds.zip(&programs).zip(&facts) {
        let ours = answer(&program.tree.text(), lp64, steps);
        *counts.entry("runs".to_owned()).or_insert(0) += facts.runs;
        count(counts, "programs");
        count(counts, &kind(&ours));
        for (what, is) in [
            ("gcc accepts", facts.accepted),
            ("gcc reaches the error", facts.error),
            ("gcc undefined", facts.undefined),
            ("gcc endless", facts.endless),
        ] {
            if is {
                count(counts, what);
            }
        }
        if !facts.accepted {
            let why = oracle.refusal(&program.tree.text(), lp64)?.unwrap_or_default();
            count(counts, &format!("gcc refuses: {}", plain(&why)));
        }
        let Some(found) = class(facts, &ours) else { continue };
        if found != "accepted wrongly" && oracle.folds_undefined(&program.tree.text(), lp64)? {
            count(counts, "undefined in the compiler's constant folding");
            continue;
        }
        if count(counts, &format!("FINDING {found}")) > SHRUNK {
            println!("seed {seed}: {found}: {ours:?}");
            continue;
        }
        let (small, last) = shrink(oracle, program, found, steps);
        let last = last.unwrap_or(ours);
        let text = small.tree.text();
        let text = text.lines().filter(|l| !l.starts_with("extern")).collect::<Vec<_>>().join("\n");
        println!("seed {seed}: {found}: {last:?} (lp64: {lp64}, inputs {:?})\n{text}\n", small.ranges);
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, seed] = words.as_slice()
        && first == "print"
    {
        println!("{}", program(seed.parse().unwrap_or(1)).tree.text());
        return Ok(());
    }
    let mut numbers = std::env::args().skip(1).filter_map(|a| a.parse::<u64>().ok());
    let (first, number) = (numbers.next().unwrap_or(1), numbers.next().unwrap_or(200));
    let steps = numbers.next().unwrap_or(3_000);
    let oracle = Oracle::new()?;
    let (mut counts, start) = (Counts::new(), Instant::now());
    let mut at = first;
    while at < first + number {
        let seeds: Vec<u64> = (at..(at + BATCH).min(first + number)).collect();
        for lp64 in [false, true] {
            batch(&oracle, &seeds, lp64, steps, &mut counts)?;
        }
        at += BATCH;
    }
    for (what, n) in &counts {
        println!("{n:8} {what}");
    }
    println!("{:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
