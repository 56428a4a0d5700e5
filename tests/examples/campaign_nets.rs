//! Properties of random Petri nets, with every method and every option of explicit search, against enumeration with
//! the firing rule: `campaign_nets SEED COUNT`.
//!
//! One property in four is a formula of branching time, whose set of markings is computed by its definition.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use veristep_core::certificate::{self, Certificate};
use veristep_core::kit::{Off, Verdict};
use veristep_core::methods::explicit::Reduce;
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_core::system::System;
use veristep_tests::models::poll_up_to;
use veristep_tests::nets::{formula, graph, joined, net};
use veristep_tests::random::Rng;

/// Markings of nets that are enumerated.
const MARKINGS: usize = 300;

/// The runs of each property: a name, options, and the greatest number of steps.
fn runs() -> Vec<(String, Options, u64)> {
    let of = |method: Method| Options { method, ..Options::default() };
    let mut all: Vec<(String, Options, u64)> = [
        (Method::Auto, 10_000),
        (Method::StateEquation, 100),
        (Method::Bmc, 12),
        (Method::Cegar, 60),
        (Method::KInduction, 12),
        (Method::Imc, 40),
        (Method::Pdr, 300),
    ]
    .map(|(method, steps)| (method.name().to_owned(), of(method), steps))
    .to_vec();
    for stubborn in [false, true] {
        for reduce in [Reduce::Off, Reduce::All] {
            let name = format!("explicit, stubborn {stubborn}, reduce {}", reduce.name());
            all.push((name, Options { stubborn, reduce, ..of(Method::Explicit) }, 10_000));
        }
    }
    all
}

/// A property with its verdict.
fn question(rng: &mut Rng, system: &System) -> Option<(String, bool)> {
    let net = system.net.clone()?;
    let graph = graph(&net, MARKINGS)?;
    let (markings, after) = &graph;
    let c = joined(rng, &net);
    Some(match rng.below(4) {
        0 => ("deadlock-free".to_owned(), after.iter().all(|a| !a.is_empty())),
        1 => (format!("EF ({})", c.text), markings.iter().any(|m| (c.holds)(m))),
        2 => (format!("AG ({})", c.text), markings.iter().all(|m| (c.holds)(m))),
        _ if markings.len() <= 120 => {
            let (formula, satisfied) = formula(rng, &net, &graph, 3);
            (format!("ctl:{formula}"), satisfied[0])
        }
        _ => return None,
    })
}

/// What happened in one run: decided, or why it is a finding.
fn one(
    system: &System,
    (asked, expected): (&str, bool),
    options: &Options,
    steps: u64,
) -> Result<bool, String> {
    let property = run::property(system, asked).map_err(|d| format!("refused: {}", d[0].message))?;
    let Ok(mut run) = Run::new(system, &property, options) else { return Ok(false) };
    let Some(outcome) = poll_up_to(&mut run, &mut Off, steps, &mut || u64::MAX) else { return Ok(false) };
    let Some(certificate) = outcome.certificate else { return Ok(false) };
    let wanted = if expected { Verdict::Holds } else { Verdict::Violated };
    if outcome.verdict != wanted {
        return Err(format!("the verdict is {:?}", outcome.verdict));
    }
    certificate::check(system, &property, &certificate).map_err(|why| format!("rejected: {why}"))?;
    if let Certificate::Explored { markings, partial, satisfied, reduced, rules } = certificate {
        // Another number of markings is noticed.
        let changed = Certificate::Explored { markings: markings + 1, partial, satisfied, reduced, rules };
        if certificate::check(system, &property, &changed).is_ok() {
            return Err("a changed certificate is accepted".to_owned());
        }
    }
    Ok(true)
}

fn main() {
    let arguments: Vec<u64> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let [seed, count, ..] = arguments[..] else {
        println!("usage: campaign_nets SEED COUNT");
        return;
    };
    let (mut nets, mut asked, mut held) = (0_u64, 0_u64, 0_u64);
    let mut decided: BTreeMap<String, u64> = BTreeMap::new();
    let mut findings = 0;
    let runs = runs();
    for number in 0..count {
        let mut rng = Rng::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
        for _ in 0..8 {
            rng.bits();
        }
        let text = net(&mut rng);
        nets += 1;
        let Ok(system) = run::load(Kind::Pn, &text) else {
            println!("a net is refused:\n{text}");
            findings += 1;
            continue;
        };
        let Some((question, expected)) = question(&mut rng, &system) else { continue };
        asked += 1;
        held += u64::from(expected);
        for (name, options, steps) in &runs {
            let found =
                catch_unwind(AssertUnwindSafe(|| one(&system, (&question, expected), options, *steps)));
            match found.unwrap_or_else(|_| Err("panicked".to_owned())) {
                Ok(true) => *decided.entry(name.clone()).or_default() += 1,
                Ok(false) => {}
                Err(why) => {
                    findings += 1;
                    println!("net {number}, {name}: {question}: {why}\n{text}");
                }
            }
        }
    }
    println!("{nets} nets, {asked} properties of bounded ones, {held} hold; decided and certified:");
    decided.iter().for_each(|(name, n)| println!("  {n} by {name}"));
    println!("{findings} findings");
}
