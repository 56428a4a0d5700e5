//! Petri nets: random nets against enumeration by the firing rule, and the nets of ../shared/models.

use std::collections::HashMap;

use veristep_core::certificate::{self, Certificate};
use veristep_core::diagnostic::Severity;
use veristep_core::formats::{pn, pnml, query, tina};
use veristep_core::generate::nets;
use veristep_core::kit::{Off, Verdict};
use veristep_core::methods::explicit::Reduce;
use veristep_core::net::facts::{Behaviour, Counted, Limits, Structure};
use veristep_core::net::reduce::Rule;
use veristep_core::net::siphons::{self, Kind as SiphonKind};
use veristep_core::net::{Marking, Net, PlaceId, invariants};
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_core::system::System;
use veristep_tests::models::poll_up_to;
use veristep_tests::nets::{condition, graph, joined, net, rule};
use veristep_tests::random::each;
use veristep_tests::shared;

/// The verdict of a method within its steps, which must be certified; none if it has none.
pub(super) fn verdict(system: &System, asked: &str, method: Method, steps: u64) -> Option<Verdict> {
    let property = run::property(system, asked).unwrap_or_else(|d| panic!("{asked}: {}", d[0].message));
    let mut run = Run::new(system, &property, &Options { method, ..Options::default() }).ok()?;
    let outcome = poll_up_to(&mut run, &mut Off, steps, &mut || u64::MAX)?;
    let certificate = outcome.certificate?;
    certificate::check(system, &property, &certificate)
        .unwrap_or_else(|why| panic!("{asked} with {}: {why}", method.name()));
    Some(outcome.verdict)
}

pub(super) fn as_verdict(holds: bool) -> Verdict {
    if holds { Verdict::Holds } else { Verdict::Violated }
}

/// With and without stubborn sets and structural reductions, explicit search gives the verdict of the enumeration.
#[test]
fn stubborn_sets_and_reductions_keep_verdicts() {
    let (mut all, mut smaller, mut simplified) = (0, 0, 0);
    each(0..3_000, |rng| {
        let text = net(rng);
        let system = run::load(Kind::Pn, &text).unwrap();
        let net = system.net.clone().unwrap();
        let Some((markings, after)) = graph(&net, 300) else { return };
        let c = joined(rng, &net);
        let asked = match rng.below(3) {
            0 => ("deadlock-free".to_owned(), after.iter().all(|a| !a.is_empty())),
            1 => (format!("EF ({})", c.text), markings.iter().any(|m| (c.holds)(m))),
            _ => (format!("AG ({})", c.text), markings.iter().all(|m| (c.holds)(m))),
        };
        let property = run::property(&system, &asked.0).unwrap();
        if !asked.1 && !asked.0.starts_with("EF") || asked.1 && asked.0.starts_with("EF") {
            // No certificate says that there is no such marking, whatever the reductions in it.
            for _ in 0..4 {
                let rules: Vec<Rule> = (0..1 + rng.below(3)).map(|_| rule(rng, &net)).collect();
                for number in 1..=markings.len().min(12) as u64 {
                    let certificate = Certificate::Explored {
                        markings: number,
                        partial: false,
                        satisfied: true,
                        reduced: rng.one_in(2),
                        rules: rules.clone(),
                    };
                    let found = certificate::check(&system, &property, &certificate);
                    assert!(found.is_err(), "{} with {certificate:?}\n{text}", asked.0);
                }
            }
        }
        for (stubborn, reduce) in
            [(true, Reduce::Off), (false, Reduce::All), (true, Reduce::All), (false, Reduce::Off)]
        {
            let options = Options { method: Method::Explicit, stubborn, reduce, ..Options::default() };
            let mut run = Run::new(&system, &property, &options).unwrap();
            let outcome = poll_up_to(&mut run, &mut Off, 10_000, &mut || u64::MAX).expect("a verdict");
            assert_eq!(outcome.verdict, as_verdict(asked.1), "{}\n{text}", asked.0);
            let certificate = outcome.certificate.expect("a certificate");
            certificate::check(&system, &property, &certificate)
                .unwrap_or_else(|why| panic!("{}: {why}\n{text}", asked.0));
            if let Certificate::Explored { markings: reached, partial, reduced, rules, .. } = certificate {
                all += 1;
                smaller += usize::from(reached < markings.len() as u64 && rules.is_empty());
                simplified += usize::from(!rules.is_empty());
                assert!(reduced || !rules.is_empty() || reached == markings.len() as u64);
                assert!(stubborn || !reduced);
                // Firings that are left out without a reason are noticed.
                let cut =
                    Certificate::Explored { markings: reached - 1, partial, satisfied: true, reduced, rules };
                assert!(certificate::check(&system, &property, &cut).is_err());
            }
        }
    });
    println!("{all} proofs, {smaller} with fewer markings, {simplified} of reduced nets");
    assert!(all > 1_600 && smaller > 80 && simplified > 500, "{all} {smaller} {simplified}");
}

/// The verdict of explicit search of a reduced net, which must be certified; none if it has none.
fn of_reduced(text: &str, asked: &str) -> Option<Verdict> {
    let system = run::load(Kind::Pn, text).unwrap();
    let property = run::property(&system, asked).unwrap();
    let options = Options { method: Method::Explicit, reduce: Reduce::All, ..Options::default() };
    let mut run = Run::new(&system, &property, &options).unwrap();
    let outcome = poll_up_to(&mut run, &mut Off, 10_000, &mut || u64::MAX).expect("an end");
    let certificate = outcome.certificate?;
    certificate::check(&system, &property, &certificate)
        .unwrap_or_else(|why| panic!("{asked}: {why}\n{text}"));
    Some(outcome.verdict)
}

/// Of 3²⁰ markings, stubborn sets leave a number that grows with the square of the size.
#[test]
fn stubborn_sets_of_philosophers_are_small() {
    let text = pn::print(&nets::philosophers(20, true));
    let system = run::load(Kind::Pn, &text).unwrap();
    let property = run::property(&system, "deadlock-free").unwrap();
    let options = Options { method: Method::Explicit, reduce: Reduce::Off, ..Options::default() };
    let mut run = Run::new(&system, &property, &options).unwrap();
    let outcome = poll_up_to(&mut run, &mut Off, 100_000, &mut || u64::MAX).expect("a verdict");
    let Some(Certificate::Explored { markings, reduced, .. }) = outcome.certificate else {
        panic!("a proof")
    };
    assert!(reduced && markings < 1_000, "{markings}");
}

#[test]
fn places_that_are_left_out_can_overflow_in_the_net() {
    let full = "net a { place a = 1 place b place p = 4294967295 transition t: a -> b + p }";
    assert_eq!(of_reduced(full, "AG b = 0"), None, "the run cannot be fired in the net");
    let many = "net a { place a = 1 place p place q transition t: a -> 4294967295 p transition u: p -> q }";
    assert_eq!(of_reduced(many, "AG a = 1"), Some(Verdict::Violated), "no sequence of so many firings");
}

#[test]
fn constants_in_conditions_are_read_in_the_same_way_by_search_and_checker() {
    let net = "net a { place p = 3 place q place r = 1 transition t: p -> q transition u: q -> p transition v: p + r -> r }";
    for asked in ["AG (1+1)*p <= 6", "AG p * (2 - 1) <= 3", "AG (p - p) * 7 + q <= 3", "AG -(-p) <= 3"] {
        assert_eq!(of_reduced(net, asked), Some(Verdict::Holds), "{asked}");
    }
}

/// A token has to be borrowed from a cycle, whose firings the equation does not need.
#[test]
fn the_state_equation_borrows_tokens() {
    let borrow = "net a { place a = 3 place b place p place q = 1
        transition take: q -> p transition back: p -> q transition t: a + p -> b + p }";
    assert_eq!(of_equation(borrow, "EF (b = 2 && q = 1)"), Some(Verdict::Holds));
    let inhibited = "net a { place a = 1 place b place p = 2 place q
        transition take: p -> q transition back: q -> p transition t: a -> b unless p }";
    assert_eq!(of_equation(inhibited, "EF (b = 1 && p = 2)"), Some(Verdict::Holds));
    let order = "net a { place a = 1 place b place c place p place q = 1 place r
        transition s: q -> p transition t: a + p -> b + r transition u: r -> q + c }";
    assert_eq!(of_equation(order, "EF (b = 1 && c = 1 && q = 1)"), Some(Verdict::Holds));
    let trap = "net a { place a = 1 place b place p transition t: a + p -> b + p }";
    assert_eq!(of_equation(trap, "EF b = 1"), Some(Verdict::Violated), "the integer solution empties a trap");
    let impossible = "net a { place a = 1 place b place p = 1 transition t: a + 2 p -> b + 2 p }";
    assert_eq!(of_equation(impossible, "EF b = 1"), None, "no firings help, and none are found");
}

fn of_equation(net: &str, asked: &str) -> Option<Verdict> {
    let system = run::load(Kind::Pn, net).unwrap_or_else(|d| panic!("{}\n{net}", d[0].message));
    verdict(&system, asked, Method::StateEquation, 500)
}

/// Every method gives the verdict of the enumeration, or none.
#[test]
fn methods_agree_with_the_firing_rule() {
    let methods = [
        (Method::Explicit, 10_000),
        (Method::StateEquation, 100),
        (Method::Auto, 10_000),
        (Method::Cegar, 60),
        (Method::KInduction, 12),
        (Method::Imc, 40),
        (Method::Pdr, 300),
        (Method::Bmc, 12),
    ];
    let mut decided = [0; 8];
    let (mut all, mut held) = (0, 0);
    each(0..500, |rng| {
        let text = net(rng);
        let system = run::load(Kind::Pn, &text).unwrap_or_else(|d| panic!("{}\n{text}", d[0].message));
        system.validate().unwrap();
        let net = system.net.clone().unwrap();
        let Some((markings, after)) = graph(&net, 300) else { return };
        let c = condition(rng, &net);
        let asked = match rng.below(4) {
            0 => ("deadlock-free".to_owned(), after.iter().all(|a| !a.is_empty())),
            1 => ("1-safe".to_owned(), markings.iter().flatten().all(|n| *n <= 1)),
            2 => (format!("EF ({})", c.text), markings.iter().any(|m| (c.holds)(m))),
            _ => (c.text.clone(), markings.iter().all(|m| (c.holds)(m))),
        };
        all += 1;
        held += usize::from(asked.1);
        for (i, (method, steps)) in methods.into_iter().enumerate() {
            if let Some(found) = verdict(&system, &asked.0, method, steps) {
                assert_eq!(found, as_verdict(asked.1), "{} with {}\n{text}", asked.0, method.name());
                decided[i] += 1;
            }
        }
    });
    println!("{all} nets, {held} hold; decided {decided:?}");
    assert!(all > 150 && held > 40 && all - held > 40, "{all} {held}");
    assert_eq!((decided[0], decided[2]), (all, all));
    assert!(decided.iter().all(|d| *d * 5 > all), "{decided:?}");
}

/// What the structure says is true of the reachable markings.
#[test]
fn invariants_siphons_and_traps_are_what_they_say() {
    let (mut found, mut sets) = (0, 0);
    each(0..400, |rng| {
        let net = pn::parse(&net(rng)).unwrap();
        let Some((markings, after)) = graph(&net, 400) else { return };
        let structure = Structure::of(&net, Limits::default());
        for invariant in structure.place_invariants.iter().flatten() {
            let total = invariants::sum(invariant, &net.initial());
            assert!(markings.iter().all(|m| invariants::sum(invariant, m) == total), "{invariant:?}");
            found += 1;
        }
        for invariant in structure.transition_invariants.iter().flatten() {
            for p in net.place_ids() {
                let change = |(t, n): &(usize, u64)| {
                    net.change(p, veristep_core::net::TransitionId::new(*t)) * i64::try_from(*n).unwrap()
                };
                assert_eq!(invariant.iter().map(change).sum::<i64>(), 0);
            }
        }
        let marked = |set: &[PlaceId], m: &Marking| siphons::is_marked(set, m);
        for (kind, all) in [(SiphonKind::Siphon, &structure.siphons), (SiphonKind::Trap, &structure.traps)] {
            for set in all.iter().flatten() {
                assert!(siphons::is_one(&net, kind, set));
                let stays = |from: &Marking, to: &Marking| match kind {
                    SiphonKind::Siphon => marked(set, from) || !marked(set, to),
                    SiphonKind::Trap => !marked(set, from) || marked(set, to),
                };
                for (from, tos) in markings.iter().zip(&after) {
                    assert!(tos.iter().all(|to| stays(from, &markings[*to])), "{kind:?} {set:?}");
                }
                // It is minimal: without any of its places, nothing of it is left.
                for p in set {
                    let rest: Vec<PlaceId> = set.iter().copied().filter(|q| q != p).collect();
                    assert!(siphons::greatest(&net, kind, &rest).is_empty(), "{kind:?} {set:?}");
                }
                sets += 1;
            }
        }
        let behaviour = Behaviour::of(&net, &structure, Limits::default()).unwrap();
        assert_eq!(behaviour.markings, markings.len());
        assert_eq!(behaviour.dead, after.iter().filter(|a| a.is_empty()).count());
        let greatest = |p: PlaceId| markings.iter().map(|m| m[p.index()]).max().unwrap();
        assert!(net.place_ids().all(|p| behaviour.bounds[p.index()] == greatest(p)));
        for (p, bound) in net.place_ids().zip(&structure.bounds) {
            assert!(bound.is_none_or(|bound| greatest(p) <= bound));
        }
    });
    assert!(found > 100 && sets > 300, "{found} {sets}");
}

/// A net that is written in a format and read again is the same.
#[test]
fn formats_keep_nets() {
    each(0..200, |rng| {
        let net = pn::parse(&net(rng)).unwrap();
        type Written =
            (fn(&Net) -> String, fn(&str) -> Result<Net, Vec<veristep_core::diagnostic::Diagnostic>>);
        let formats: [Written; 3] =
            [(pn::print, pn::parse), (pnml::print, pnml::parse), (tina::print, tina::parse)];
        for (print, parse) in formats {
            let text = print(&net);
            let again = parse(&text).unwrap_or_else(|d| panic!("{}\n{text}", d[0].message));
            let arcs = |net: &Net| {
                let of = |t: &veristep_core::net::Transition| {
                    [&t.inputs, &t.outputs, &t.inhibitors]
                        .map(|all| all.iter().map(|a| (a.place, a.weight)).collect::<Vec<_>>())
                };
                net.transitions.iter().map(of).collect::<Vec<_>>()
            };
            assert_eq!(again.initial(), net.initial(), "{text}");
            assert_eq!(arcs(&again), arcs(&net), "{text}");
        }
    });
}

/// The rows of these kinds in the manifest of shared models: file, property, expected.
pub(super) fn rows(kinds: &[&str]) -> Option<Vec<[String; 3]>> {
    let folder = shared("models")?;
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let fields = manifest.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let of_kind = fields.filter(|f| kinds.contains(&f[1]));
    Some(of_kind.map(|f| [f[0], f[2], f[3]].map(str::to_owned)).collect())
}

#[test]
fn shared_nets_have_their_sizes_markings_and_verdicts() {
    let Some(rows) = rows(&["petri", "petri-tapaal", "petri-unsupported"]) else { return };
    let folder = shared("models").unwrap();
    let mut facts: HashMap<String, (Net, Option<Behaviour>)> = HashMap::new();
    let (mut checked, mut open) = (0, Vec::new());
    for [file, property, expected] in rows {
        let text = std::fs::read_to_string(folder.join(&file)).unwrap();
        if expected == "unsupported" {
            let refused = pnml::parse(&text).expect_err(&file);
            assert!(
                refused.iter().all(|d| d.severity == Severity::Unsupported && d.message.contains("coloured"))
            );
            checked += 1;
            continue;
        }
        let (net, behaviour) = facts.entry(file.clone()).or_insert_with(|| {
            let net = pnml::parse(&text).unwrap_or_else(|d| panic!("{file}: {}", d[0].message));
            let limits = Limits { markings: 100_000, ..Limits::default() };
            let behaviour = Behaviour::of(&net, &Structure::of(&net, limits), limits);
            (net, behaviour)
        });
        if let Some(sizes) = property.strip_prefix("parse:") {
            let sizes = sizes.split(',').map(|s| s.split_once('=').unwrap());
            for (name, number) in sizes {
                let own = match name {
                    "places" => net.places.len(),
                    "transitions" => net.transitions.len(),
                    "arcs" => net.arcs(),
                    "max-weight" => net.max_weight() as usize,
                    other => panic!("{other}"),
                };
                assert_eq!(own.to_string(), number, "{file}: {name}");
            }
        } else if property == "reachable-markings" || property == "dead-markings" {
            let is_dead = property == "dead-markings";
            let own = match behaviour {
                Some(b) => Some(if is_dead { b.dead } else { b.markings } as u128),
                None => {
                    let structure = Structure::of(net, Limits::default());
                    let counted = Counted::of(net, &structure, Limits::default());
                    counted.and_then(|c| if is_dead { c.dead } else { c.markings })
                }
            };
            let Some(own) = own else {
                open.push(format!("{file} {property}"));
                continue;
            };
            assert_eq!(own.to_string(), expected, "{file}: {property}");
        } else {
            let asked = match property.strip_prefix("query:") {
                None => property.clone(),
                Some(query) => {
                    let (file, id) = query.split_once('#').unwrap();
                    let queries = query::parse(&std::fs::read_to_string(folder.join(file)).unwrap()).unwrap();
                    queries.into_iter().find(|q| q.id == id).unwrap().property.unwrap()
                }
            };
            let system = run::load(Kind::Pnml, &text).unwrap();
            let expected = as_verdict(matches!(expected.as_str(), "safe" | "holds"));
            assert_eq!(
                verdict(&system, &asked, Method::Auto, 1_000_000),
                Some(expected),
                "{file}: {property}"
            );
        }
        checked += 1;
    }
    println!("{checked} rows; open: {open:?}");
    assert!(open.is_empty(), "{open:?}");
}

/// A name in a property is the place of that name, whatever other names are like.
#[test]
fn names_of_places_are_not_confused() {
    let holds = |text: &str, asked: &str| {
        let system = run::load(Kind::Pn, text).unwrap_or_else(|d| panic!("{}\n{text}", d[0].message));
        assert_eq!(verdict(&system, asked, Method::Auto, 10_000), Some(Verdict::Holds), "{asked}\n{text}");
    };
    let similar = "net w { place \"a b\" = 1 place a_b = 5 place d = 2 transition v: 2 a_b -> d }";
    holds(similar, "a_b + 2 * d = 9");
    holds(similar, "EF \"a_b\" = 3");
    holds(similar, "\"a b\" = 1");
    holds("net w { place \"true\" = 0 place _true = 4 }", "_true = 4");
    // A label is another place's.
    holds("net w { place \"a b\" = 1 place c \"a_b\" = 7 }", "a_b = 7 && \"a b\" = 1");
    holds("net w { place \"deadlock\" = 1 }", "AG !fireable()");
}

/// A read arc beside an input arc requires tokens; it does not take them.
#[test]
fn read_arcs_require_tokens() {
    let net = tina::parse("tr t p p?2 -> q\ntr u p?2 p?3 -> q\npl p (2)").unwrap();
    let initial = net.initial();
    let enabled: Vec<_> = net.enabled(&initial).map(|t| net.transition(t).name.as_str()).collect();
    assert_eq!(enabled, ["t"]);
    let mut marking = initial;
    net.fire(&mut marking, veristep_core::net::TransitionId::new(0)).unwrap();
    assert_eq!(marking, [1, 1]);
}

/// A carry out of a single bit does not hide that the bit is too small.
#[test]
fn single_bits_grow_beside_full_fields() {
    let net = pn::parse("net m { place a = 1 place b = 4294967295 transition t: -> a unless 3 a }").unwrap();
    let structure = Structure::of(&net, Limits::default());
    assert_eq!(Behaviour::of(&net, &structure, Limits::default()).map(|b| b.markings), Some(3));
}
