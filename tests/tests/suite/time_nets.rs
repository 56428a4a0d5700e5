//! Time nets: random ones against an enumeration of states on a grid of times.

use veristep_core::certificate;
use veristep_core::kit::{Off, UnknownReason, Verdict};
use veristep_core::methods::bmc::BmcOptions;
use veristep_core::net::timed::encoding::{Encoding, Logic};
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_core::system::System;
use veristep_tests::models::poll_up_to;
use veristep_tests::nets::joined;
use veristep_tests::random::each;
use veristep_tests::timed::{enumerate, net};

use crate::nets::as_verdict;

/// The verdict of a method and the certificate's grade; a wrong certificate is a failure.
fn verdict(system: &System, asked: &str, options: &Options, steps: u64) -> Option<Verdict> {
    let method = options.method;
    let property = run::property(system, asked).unwrap_or_else(|d| panic!("{asked}: {}", d[0].message));
    let mut run = Run::new(system, &property, options).ok()?;
    let outcome = poll_up_to(&mut run, &mut Off, steps, &mut || u64::MAX)?;
    if let Some(certificate) = &outcome.certificate {
        certificate::check(system, &property, certificate)
            .unwrap_or_else(|why| panic!("{asked} with {}: {why}", method.name()));
    }
    Some(outcome.verdict)
}

/// With intervals of transitions, and with delays of places.
#[test]
fn random_time_nets_have_the_verdicts_of_an_enumeration() {
    for of_places in [false, true] {
        let (mut counts, mut decided, mut refused) = ([0, 0], [0; 5], 0);
        each(0..250, |rng| {
            let text = net(rng, of_places);
            let system = run::load(Kind::Pn, &text).unwrap_or_else(|d| panic!("{}\n{text}", d[0].message));
            let net = system.net.clone().unwrap();
            if !net.is_timed() || of_places && net.places.iter().all(|p| p.delay.is_none()) {
                return;
            }
            let Some(found) = enumerate(&net, of_places, 20_000) else { return };
            let endless = of_places && net.places.iter().any(|p| p.delay.is_none_or(|d| d.most.is_none()));
            let c = joined(rng, &net);
            let within = rng.below(4) as u32;
            let reach = |m: &Vec<u32>| (c.holds)(m);
            let (asked, expected) = match rng.below(4) {
                0 if !endless => ("deadlock-free".to_owned(), !found.stuck),
                1 => (format!("EF ({})", c.text), found.markings.keys().any(reach)),
                2 if found.units == 1 => (
                    format!("EF (({}) && time <= {within})", c.text),
                    found.markings.iter().any(|(m, time)| reach(m) && *time <= within),
                ),
                _ => (format!("AG ({})", c.text), found.markings.keys().all(reach)),
            };
            counts[usize::from(expected)] += 1;
            let methods = [
                (Method::Explicit, 20_000),
                (Method::Bmc, 8),
                (Method::Pdr, 400),
                (Method::Imc, 60),
                (Method::Cegar, 1_000),
            ];
            for (i, (method, steps)) in methods.into_iter().enumerate() {
                if i > 0 && rng.below(3) > 0 {
                    continue;
                }
                let logic = if rng.below(2) == 0 { Logic::Difference } else { Logic::Arithmetic };
                let encoding = Encoding { logic, replace: rng.below(2) == 0, exact: rng.below(3) > 0 };
                let bmc = BmcOptions { bound: None, encoding };
                let options = Options { method, bmc, ..Options::default() };
                match verdict(&system, &asked, &options, steps) {
                    Some(Verdict::Unknown(UnknownReason::NoRun)) => {
                        assert!(!encoding.exact, "{asked}\n{text}")
                    }
                    Some(Verdict::Unknown(_)) if found.unsafe_place => refused += 1,
                    Some(Verdict::Unknown(_)) | None => {}
                    Some(verdict) => {
                        decided[i] += 1;
                        assert_eq!(verdict, as_verdict(expected), "{asked} with {}\n{text}", method.name());
                        let proves = expected != asked.starts_with("EF");
                        assert!(!proves || !found.unsafe_place, "{asked} with {}\n{text}", method.name());
                    }
                }
            }
            if !found.unsafe_place && !asked.contains("time") {
                let options = Options { method: Method::Explicit, ..Options::default() };
                assert!(
                    verdict(&system, &asked, &options, 20_000).is_some_and(|v| v == as_verdict(expected))
                );
            }
        });
        println!("places: {of_places}, false and true: {counts:?}, decided {decided:?}, refused {refused}");
        assert!(counts.iter().all(|n| *n > 20), "{counts:?}");
    }
}
