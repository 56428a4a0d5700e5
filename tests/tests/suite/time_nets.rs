//! Time nets: verdicts against an enumeration of states on a grid of times, nets of others, formats, families,
//! refusals, and certificates of cycles.

use crate::nets::rows;
use veristep_core::certificate::{self, Certificate, TraceState};
use veristep_core::formats::{pn, pnml, tina};
use veristep_core::generate::timed as families;
use veristep_core::kit::{Off, UnknownReason, Verdict};
use veristep_core::net::Net;
use veristep_core::net::coverability::Tree;
use veristep_core::net::timed::Clocks;
use veristep_core::net::timed::classes::Facts;
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_tests::models::poll_up_to;
use veristep_tests::random::each;
use veristep_tests::shared;
use veristep_tests::timed::{self, Counted, examine};

/// With intervals of transitions, and with delays of places.
#[test]
fn random_time_nets_have_the_verdicts_of_an_enumeration() {
    for of_places in [false, true] {
        let mut counted = Counted::default();
        each(0..250, |rng| examine(rng, of_places, &mut counted));
        println!("places: {of_places}, {counted:?}");
        assert!(counted.properties.iter().all(|n| *n > 20), "{counted:?}");
        assert!(counted.decided.iter().all(|n| *n > 3), "{counted:?}");
    }
}

/// The nets of others with their state classes and verdicts.
#[test]
fn shared_time_nets_have_their_classes_and_verdicts() {
    let Some(rows) = rows(&["tpn"]) else { return };
    let folder = shared("models").unwrap();
    let mut checked = 0;
    for [file, property, expected] in rows {
        let text = std::fs::read_to_string(folder.join(&file)).unwrap();
        let kind = if file.ends_with(".xml") { Kind::Romeo } else { Kind::Tina };
        let net = run::net(kind, &text).unwrap_or_else(|d| panic!("{file}: {}", d[0].message)).unwrap();
        let facts = || {
            let clocks = Clocks::of(&net).unwrap().expect("a time net");
            Facts::of(&net, &clocks, 10_000).unwrap_or_else(|why| panic!("{file}: {why:?}"))
        };
        let found = match property.as_str() {
            "state-classes" => facts().classes.to_string(),
            "state-class-transitions" => facts().firings.to_string(),
            "reachable-markings" => facts().markings.to_string(),
            "untimed-bounded" => {
                if Tree::pump(&net, 10_000).is_some() { "unsafe" } else { "safe" }.to_owned()
            }
            sizes if sizes.starts_with("parse:") => {
                let (places, transitions) = (net.places.len(), net.transitions.len());
                assert_eq!(sizes, format!("parse:places={places},transitions={transitions}"), "{file}");
                expected.clone()
            }
            asked => {
                let system = run::load_for(kind, &text, Some(asked)).unwrap();
                let verdict = crate::nets::verdict(&system, asked, Method::Auto, 100_000);
                if verdict.expect("a verdict") == Verdict::Holds { "safe" } else { "unsafe" }.to_owned()
            }
        };
        assert_eq!(found, expected, "{file}: {property}");
        checked += 1;
    }
    println!("{checked} rows");
    assert!(checked > 0);
}

/// Intervals are kept by the formats that have them.
#[test]
fn formats_keep_intervals() {
    let mut kept = 0;
    each(0..100, |rng| {
        for of_places in [false, true] {
            let net = pn::parse(&timed::net(rng, of_places)).unwrap();
            let delays = |net: &Net| {
                let places = net.places.iter().map(|p| p.delay);
                places.chain(net.transitions.iter().map(|t| t.delay)).collect::<Vec<_>>()
            };
            kept += delays(&net).iter().flatten().count();
            assert_eq!(delays(&pn::parse(&pn::print(&net)).unwrap()), delays(&net));
            assert_eq!(delays(&pnml::parse(&pnml::print(&net)).unwrap()), delays(&net));
            if !of_places {
                let other = tina::parse(&tina::print(&net)).unwrap();
                let restricting = |net: &Net| {
                    let all = net.transitions.iter().map(|t| t.delay.filter(|d| !d.is_always()));
                    all.collect::<Vec<_>>()
                };
                assert_eq!(restricting(&other), restricting(&net));
            }
        }
    });
    assert!(kept > 200, "{kept}");
    let wrong = pnml::print(&pn::parse("net a { place p [1,2] }").unwrap()).replace("[1,2]", "[2,1]");
    let problem = &pnml::parse(&wrong).unwrap_err()[0];
    assert!(problem.message.starts_with("'[2,1]' is no interval of time"), "{}", problem.message);
}

/// The families have the verdicts that they are made for.
#[test]
fn families_of_time_nets() {
    for (net, expected) in [
        (families::fischer(2, false), Verdict::Holds),
        (families::fischer(2, true), Verdict::Violated),
        (families::timeouts(2, false), Verdict::Holds),
        (families::timeouts(2, true), Verdict::Violated),
        (families::pipeline(3), Verdict::Holds),
        (families::jobshop(1, false), Verdict::Holds),
        (families::jobshop(1, true), Verdict::Violated),
    ] {
        let text = pn::print(&net);
        let system = run::load(Kind::Pn, &text).unwrap();
        let asked = &system.net.as_ref().unwrap().properties[0].text.clone();
        assert_eq!(
            crate::nets::verdict(&system, asked, Method::Auto, 1_000_000),
            Some(expected),
            "{}",
            net.name
        );
    }
}

/// A second token, time in formulas of branching time, and both kinds of intervals are refused in words.
#[test]
fn what_time_nets_do_not_have_is_refused() {
    let text = "net a { place p = 1 [1,1] place q = 1 [3,3] transition t: p -> q transition u: q -> p }";
    let system = run::load(Kind::Pn, text).unwrap();
    let property = run::property(&system, "AG p = 1").unwrap();
    for method in [Method::Auto, Method::Explicit, Method::Pdr, Method::Bmc] {
        let options = Options { method, ..Options::default() };
        let mut run = Run::new(&system, &property, &options).unwrap();
        let outcome = poll_up_to(&mut run, &mut Off, 10_000, &mut || u64::MAX).unwrap();
        let name = method.name();
        assert_eq!(outcome.verdict, Verdict::Unknown(UnknownReason::NotSafe), "{name}");
        assert!(outcome.reason.contains("'t' gives a second token to 'q'"), "{name}: {}", outcome.reason);
    }
    let message = |asked: &str| run::property(&system, asked).unwrap_err()[0].message.clone();
    assert!(message("AG EF p = 1").contains("not supported for time nets"), "{}", message("AG EF p = 1"));
    let both = "net a { place p = 1 [1,1] transition t [1,2]: p -> }";
    let problem = &run::load(Kind::Pn, both).unwrap_err()[0];
    assert!(problem.message.contains("transition 't' has an interval"), "{}", problem.message);
    let endless = run::load(Kind::Pn, "net a { place p = 1 [1,w[ transition t: p -> }").unwrap();
    let problem = &run::property(&endless, "deadlock-free").unwrap_err()[0];
    assert!(problem.message.contains("has no upper end"), "{}", problem.message);
}

/// The cycle of a run is long enough for all clocks to be the same again; a part of it is no proof.
#[test]
fn cycles_repeat_when_all_clocks_are_the_same() {
    let text = "net a {
        place p = 1 place q place r = 1
        transition there [1,1]: p -> q
        transition back [1,1]: q -> p
        transition tick [5,5]: r -> r
    }";
    let system = run::load(Kind::Pn, text).unwrap();
    let property = run::property(&system, "F G p = 1").unwrap();
    let options = Options { method: Method::Explicit, ..Options::default() };
    let mut run = Run::new(&system, &property, &options).unwrap();
    let outcome = poll_up_to(&mut run, &mut Off, 10_000, &mut || u64::MAX).unwrap();
    let Some(Certificate::Lasso { states, back, recurrent_set }) = outcome.certificate else {
        panic!("{:?}", outcome.verdict)
    };
    let check = |states: &[TraceState], back: usize| {
        let states = states.to_vec();
        let lasso = Certificate::Lasso { states, back, recurrent_set: recurrent_set.clone() };
        certificate::check(&system, &property, &lasso)
    };
    let report = check(&states, back).unwrap();
    let sentence = report.sentences.iter().find(|s| s.contains("units of time")).expect("the cycle");
    assert!(sentence.starts_with("The cycle takes 10 units of time."), "{sentence}");
    let mut refused = 0;
    for last in back + 1..states.len() - 1 {
        for first in 0..last {
            let why = check(&states[..=last], first).unwrap_err();
            refused += usize::from(why.to_string().contains("the age of a transition is another one"));
        }
    }
    assert!(refused > 10, "{refused}");
}

/// A read arc takes no token, so the clock of another transition goes on; a token that is put back restarts it.
#[test]
fn read_arcs_restart_no_clocks() {
    for (text, expected) in [
        ("pl p (1)\npl q (1)\ntr a [1,1] q p?1 -> s\ntr b [2,2] p -> r\n", Verdict::Holds),
        ("pl p (1)\npl q (1)\ntr a [1,1] q p -> s p\ntr b [2,2] p -> r\n", Verdict::Violated),
    ] {
        let net = run::net(Kind::Tina, text).unwrap().unwrap();
        for (kind, text) in [(Kind::Tina, text.to_owned()), (Kind::Pnml, pnml::print(&net))] {
            let system = run::load(kind, &text).unwrap();
            let asked = "EF (r = 1 && time <= 2)";
            assert_eq!(crate::nets::verdict(&system, asked, Method::Auto, 100_000), Some(expected), "{text}");
        }
    }
    let of_places = "<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">
        <place id=\"p\"><initialMarking><text>1</text></initialMarking>
        <toolspecific tool=\"veristep\" version=\"1\"><interval>[1,2]</interval></toolspecific></place>
        <transition id=\"t\"/><arc id=\"a\" source=\"p\" target=\"t\" type=\"read\"/></page></net>";
    let problem = &run::load(Kind::Pnml, &format!("<pnml>{of_places}</pnml>")).unwrap_err()[0];
    assert!(problem.message.contains("is a read arc"), "{}", problem.message);
}
