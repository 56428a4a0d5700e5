//! Formulas of branching time on Petri nets: random formulas against their definitions.

use std::sync::Arc;

use veristep_core::certificate::{self, Certificate};
use veristep_core::ctl::Ctl;
use veristep_core::expr::Expr;
use veristep_core::formats::pn;
use veristep_core::generate::nets;
use veristep_core::kit::{Off, Verdict};
use veristep_core::ltl::Temporal;
use veristep_core::methods::explicit::Reduce;
use veristep_core::net::branching::Branching;
use veristep_core::net::condition::Condition as NetCondition;
use veristep_core::net::explore::{Explorer, Keep};
use veristep_core::net::reduce::Rule;
use veristep_core::net::witness::{End, Witness};
use veristep_core::net::{Marking, Net, PlaceId};
use veristep_core::property::Property;
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_core::system::System;
use veristep_tests::models::poll_up_to;
use veristep_tests::nets::{formula, graph, net, rule};
use veristep_tests::random::{Rng, each};

use super::nets::{as_verdict, verdict};

/// A random bounded net with a random formula.
struct Case {
    text: String,
    system: System,
    net: Arc<Net>,
    markings: Vec<Marking>,
    asked: String,
    formula: Ctl,
    /// The truth of the formula in the initial marking, by the definitions.
    truth: bool,
}

/// Calls `test` on random cases.
fn each_case(count: u64, mut test: impl FnMut(&mut Rng, &Case)) {
    each(0..count, |rng| {
        let text = net(rng);
        let system = run::load(Kind::Pn, &text).unwrap();
        let net = system.net.clone().unwrap();
        let Some(found) = graph(&net, 120) else { return };
        let (asked, satisfied) = formula(rng, &net, &found, 3);
        let formula = Ctl::parse(&asked, &system).unwrap_or_else(|_| panic!("{asked}\n{text}"));
        let truth = satisfied[0];
        test(rng, &Case { text, system, net, markings: found.0, asked, formula, truth });
    });
}

/// Paths of witnesses are runs, and what they show is true by the definitions of the operators.
#[test]
fn witnesses_of_formulas_are_paths() {
    let (mut paths, mut cycles, mut nested) = (0, 0, 0);
    each_case(6_000, |_, Case { text, system, net, formula, truth, .. }| {
        let witness = Witness::of(net, formula).expect("the net is small");
        assert_eq!(witness.holds, *truth, "{}\n{text}", formula.text(system));
        assert_eq!(witness.marking, net.initial());
        shown(net, &witness);
        let lines = witness.lines(system, net);
        assert!(lines.len() >= witness.markings(), "each marking has a line");
        assert_eq!(Ctl::parse(&formula.text(system), system).unwrap().text(system), formula.text(system));
        paths += usize::from(!witness.path.is_empty());
        cycles += usize::from(matches!(witness.end, End::Loop(_)));
        nested += usize::from(witness.parts.iter().any(|(_, part)| !part.path.is_empty()));
    });
    assert!(
        paths > 200 && cycles > 50 && nested > 150,
        "{paths} paths, {cycles} cycles, {nested} nested ones"
    );
}

/// A formula that the first markings decide has this truth, by the search, its witness and the checker.
#[test]
fn formulas_are_decided_by_the_first_markings() {
    let (mut early, mut open) = ([0, 0], 0);
    each_case(6_000, |rng, Case { text, system, net, formula, truth, .. }| {
        let property = Property::Branching(Box::new(formula.clone()));
        let mut search = Explorer::new(net, &vec![1; net.places.len()], Keep::Graph);
        while !search.is_complete() {
            search.run(net, usize::MAX, 1 + rng.below(5)).unwrap();
            let decided = Branching::new(&search).unwrap().decided(formula).unwrap().0;
            assert!(decided.is_none_or(|found| found == *truth), "{}\n{text}", formula.text(system));
            assert!(decided.is_some() || !search.is_complete());
            for satisfied in [true, false] {
                let certificate = Certificate::Explored {
                    markings: search.expanded() as u64,
                    partial: true,
                    satisfied,
                    reduced: false,
                    rules: Vec::new(),
                };
                let checked = certificate::check(system, &property, &certificate);
                assert_eq!(
                    checked.is_ok(),
                    decided == Some(satisfied),
                    "{checked:?} {certificate:?}\n{text}"
                );
            }
            if !search.is_complete() {
                match decided {
                    Some(truth) => early[usize::from(truth)] += 1,
                    None => open += 1,
                }
            }
        }
    });
    assert!(early[0] > 400 && early[1] > 400 && open > 200, "{early:?} {open}");
}

/// Formulas that are recognized as EF c or AG c have the truth that these have.
#[test]
fn formulas_of_reachability_are_recognized() {
    let mut recognized = 0;
    each_case(6_000, |_, Case { text, markings, asked, formula, truth, .. }| {
        let reached = |c: Expr| {
            let c = NetCondition::of(&c);
            markings.iter().any(|m| c.holds(&|p: PlaceId| m[p.index()]) == Some(true))
        };
        if let Some(c) = formula.as_ef() {
            assert_eq!(reached(c), *truth, "{asked}\n{text}");
            recognized += usize::from(formula.is_temporal());
        }
        if let Some(c) = formula.as_ag() {
            assert_eq!(!reached(c.negated()), *truth, "{asked}\n{text}");
            recognized += usize::from(formula.is_temporal());
        }
    });
    assert!(recognized > 120, "{recognized}");
    let system = run::load(Kind::Pn, "net a { place p place q }").unwrap();
    let form = |text: &str| match run::property(&system, text).unwrap() {
        Property::Reachable(c) => format!("EF {}", system.expr_text(&c)),
        Property::Invariant(c) => format!("AG {}", system.expr_text(&c)),
        _ => text.to_owned(),
    };
    for (text, expected) in [
        ("EF (p > 1 || EF q > 2)", "EF p > 1 or q > 2"),
        ("AF EF A[p > 1 U q > 2]", "EF q > 2"),
        ("AG (p > 1 && AG q > 2) && AG p > 4", "AG (p > 1 and q > 2) and p > 4"),
        ("!EF !(p > 1)", "AG p > 1"),
        ("EF (p > 1 && EF q > 2)", "EF (p > 1 && EF q > 2)"),
        ("AG EF p > 1", "AG EF p > 1"),
        ("EX EF p > 1", "EX EF p > 1"),
    ] {
        assert_eq!(form(text), expected);
    }
}

/// The first markings of an unbounded net, and of one with very many markings, decide these formulas.
#[test]
fn formulas_of_large_nets_are_decided() {
    let grows = "net a { place p place q transition t: -> p transition u: p -> q + p }";
    let philosophers = pn::print(&nets::philosophers(50, false));
    for (text, asked, expected) in [
        (grows, "EF (p > 3 && EG q = 0)", None),
        (grows, "EF (p > 3 && EX (q > 3 && EX q > p))", Some(Verdict::Holds)),
        (grows, "A[q = 0 U p > 3]", Some(Verdict::Violated)),
        (&philosophers, "EX EX !deadlock", Some(Verdict::Holds)),
        (&philosophers, "EX AX deadlock", Some(Verdict::Violated)),
    ] {
        let system = run::load(Kind::Pn, text).unwrap();
        let property = run::property(&system, asked).unwrap();
        let options = Options { method: Method::Explicit, ..Options::default() };
        let mut run = Run::new(&system, &property, &options).unwrap();
        let outcome = poll_up_to(&mut run, &mut Off, 2_100, &mut || u64::MAX);
        let outcome = outcome.filter(|outcome| outcome.certificate.is_some());
        assert_eq!(outcome.as_ref().map(|o| o.verdict), expected, "{asked}");
        if let Some(certificate) = outcome.and_then(|o| o.certificate) {
            assert!(matches!(certificate, Certificate::Explored { partial: true, .. }), "{certificate:?}");
            certificate::check(&system, &property, &certificate).unwrap();
            let Property::Branching(formula) = &property else { panic!("{asked} is simpler") };
            let witness = Witness::of(system.net.as_deref().unwrap(), formula).unwrap();
            assert_eq!(Some(as_verdict(witness.holds)), expected, "{asked}");
        }
    }
}

/// Where the scope of a path quantifier is easily misread, parentheses are required.
#[test]
fn formulas_that_are_easily_misread_are_refused() {
    let system = run::load(Kind::Pn, "net a { place p = 1 place q transition t: p -> q }").unwrap();
    let misread = [
        "AG p = 0 || q = 0",
        "EF p = 1 && q = 0",
        "AG p = 1 -> AF q = 1",
        "q = 0 && AG p = 0 || q = 1",
        "AG EF (p = 1) && q = 0",
        "A[q = 0 U AG p = 0 || q = 1]",
        "AG fireable(t) || deadlock",
        "AG (p + q) = 1 || q = 0",
        "(q = 0) && AG p = 0 || q = 1",
        "EF (p) = 1 && q = 0",
        "AG p = 0 || q = 1 && EF p = 1",
        "AG p = 0 || (q = 1 && EF p = 1)",
    ];
    for asked in misread {
        let errors = Ctl::parse(asked, &system).expect_err(asked);
        assert!(errors[0].message.ends_with("add parentheses"), "{asked}: {}", errors[0].message);
    }
    let clear = [
        "(AG p = 0) || q = 0",
        "AG (p = 0) || q = 0",
        "AG (p = 0 || q = 0)",
        "q = 0 || AG p = 0",
        "EF p = 1 && EF q = 1",
        "EF p = 1 && !EF q = 1",
        "AG ((p + q) = 1) || q = 0",
        "EF p = 1 || (EF q = 1 && AG q = 0)",
        "AG (p = 1 -> AF q = 1)",
        "E[p = 1 U q = 1] && p = 1",
    ];
    clear.iter().for_each(|asked| drop(Ctl::parse(asked, &system).expect(asked)));
}

/// A witness of a formula that is true or false after very many firings is cut.
#[test]
fn long_witnesses_are_cut() {
    let system = run::load(Kind::Pn, "net a { place p = 5000 transition t: p -> }").unwrap();
    let net = system.net.clone().unwrap();
    for asked in ["E[(p >= 0) U (p = 0)]", "EG EF p = 0"] {
        let witness = Witness::of(&net, &Ctl::parse(asked, &system).unwrap()).unwrap();
        assert_eq!(
            (witness.holds, witness.path.len(), witness.end),
            (true, 1_000, End::Cut(4_000)),
            "{asked}"
        );
        assert!(witness.markings() <= 1_001, "{asked}");
        assert!(
            witness.lines(&system, &net).iter().any(|(_, line)| line == "4000 more firings are not shown")
        );
    }
}

/// The markings of the path of a witness, which is a run.
fn replayed(net: &Net, witness: &Witness) -> Vec<Marking> {
    let mut markings = vec![witness.marking.clone()];
    for (t, after) in &witness.path {
        let mut marking = markings.last().unwrap().clone();
        assert!(net.is_enabled(&marking, *t));
        net.fire(&mut marking, *t).unwrap();
        assert_eq!(marking, *after);
        markings.push(marking);
    }
    let last = markings.last().unwrap();
    match witness.end {
        End::Open => {}
        End::Dead => assert_eq!(net.enabled(last).count(), 0),
        End::Loop(at) => assert!(markings[at] == *last && at + 1 < markings.len()),
        End::Cut(_) => panic!("the graph is small"),
    }
    markings
}

/// Checks a witness, and those in it.
fn shown(net: &Net, witness: &Witness) {
    let markings = replayed(net, witness);
    let operands = witness.formula.children();
    for (i, (at, part)) in witness.parts.iter().enumerate() {
        assert_eq!(part.marking, markings[*at]);
        assert!(operands.contains(&part.formula));
        let again = |(other, it): &(usize, Witness)| other == at && it.formula == part.formula;
        let same = operands.iter().filter(|operand| **operand == part.formula).count();
        assert!(witness.parts[i..].iter().filter(|it| again(it)).count() <= same, "shown once");
        shown(net, part);
    }
    // An operand is as true at a position as its witness or its value shows; without one, nothing is known.
    let truth = |operand: usize, at: usize| match &operands[operand] {
        Ctl::Condition(e) => NetCondition::of(e).holds(&|p| markings[at][p.index()]),
        nested => witness.parts.iter().find(|(i, p)| *i == at && p.formula == *nested).map(|(_, p)| p.holds),
    };
    let holds = witness.holds;
    let is = |operand: usize, at: usize| {
        let known = truth(operand, at);
        assert!(known.is_some() || witness.omits, "operand {operand} at {at}");
        known.is_none_or(|x| x == holds)
    };
    let end = markings.len() - 1;
    let is_reached = witness.end == End::Open;
    // The marking that closes a cycle was there before.
    let all = if matches!(witness.end, End::Loop(_)) { 0..end } else { 0..end + 1 };
    let along = |operand: usize| (0..end).all(|at| is(operand, at));
    let always = |operand: usize| !is_reached && all.clone().all(|at| is(operand, at));
    // What a path shows: of a formula with A that is false, the operator with the opposite meaning.
    use Temporal::{Finally, Globally, Next, Release, StrongRelease, Until, WeakUntil};
    let exists = |some: Temporal, all: Temporal| if holds { some } else { all };
    match &witness.formula {
        Ctl::Condition(e) => {
            assert_eq!(NetCondition::of(e).holds(&|p| witness.marking[p.index()]), Some(holds));
        }
        Ctl::Not(_) => assert!(witness.omits || witness.parts[0].1.holds != holds),
        Ctl::And(all) | Ctl::Or(all) => {
            let is_one = matches!(witness.formula, Ctl::Or(_)) == holds;
            assert!(witness.parts.iter().all(|(_, part)| part.holds == holds));
            assert!(witness.omits || witness.parts.len() == if is_one { 1 } else { all.len() });
        }
        formula if formula.is_existential() != holds => assert!(witness.path.is_empty()),
        Ctl::Unary(_, op, _) => match (op, exists(*op, if *op == Finally { Globally } else { Finally })) {
            (Next, _) => assert!(end == 1 && is_reached && is(0, 1)),
            (_, Finally) => assert!(is_reached && is(0, end)),
            (_, _) => assert!(always(0)),
        },
        Ctl::Binary(_, op, _) => {
            let reached = |through: usize, ends: &[usize]| {
                is_reached && along(through) && ends.iter().all(|operand| is(*operand, end))
            };
            assert!(match (op, holds) {
                (Until, true) | (Release, false) => reached(0, &[1]),
                (WeakUntil, true) | (StrongRelease, false) => always(0) || reached(0, &[1]),
                (StrongRelease, true) | (WeakUntil, false) => reached(1, &[0, 1]),
                _ => always(1) || reached(1, &[0, 1]),
            });
        }
    }
}

#[test]
fn formulas_of_branching_time_agree_with_their_definition() {
    let (mut all, mut held) = (0, 0);
    each_case(1_200, |_, Case { text, system, asked, truth, .. }| {
        let asked = format!("ctl:{asked}");
        let found = verdict(system, &asked, Method::Auto, 100_000);
        assert_eq!(found, Some(as_verdict(*truth)), "{asked}\n{text}");
        all += 1;
        held += usize::from(*truth);
    });
    assert!(all > 400 && held > 100 && all - held > 100, "{all} {held}");
}

/// Reductions keep the truth of formulas; rules that would not are refused.
#[test]
fn reductions_keep_formulas_of_branching_time() {
    let (mut reduced, mut smaller) = (0, 0);
    each_case(2_000, |rng, Case { text, system, net, markings: all, asked, formula, truth }| {
        let property = Property::Branching(Box::new(formula.clone()));
        let options = Options { method: Method::Explicit, reduce: Reduce::All, ..Options::default() };
        let mut run = Run::new(system, &property, &options).unwrap();
        let outcome = poll_up_to(&mut run, &mut Off, 10_000, &mut || u64::MAX).expect("a verdict");
        assert_eq!(outcome.verdict, as_verdict(*truth), "{asked}\n{text}");
        let certificate = outcome.certificate.expect("a certificate");
        certificate::check(system, &property, &certificate)
            .unwrap_or_else(|why| panic!("{asked}: {why}\n{text}"));
        let Certificate::Explored { markings, rules, .. } = &certificate else { panic!("{certificate:?}") };
        reduced += usize::from(!rules.is_empty());
        smaller += usize::from(*markings < all.len() as u64);
        for _ in 0..4 {
            let rules: Vec<Rule> = (0..1 + rng.below(3)).map(|_| rule(rng, net)).collect();
            for markings in 1..=all.len().min(12) as u64 {
                let (partial, satisfied) = (rng.one_in(2), !*truth);
                let rules = rules.clone();
                let wrong = Certificate::Explored { markings, partial, satisfied, reduced: false, rules };
                assert!(certificate::check(system, &property, &wrong).is_err(), "{asked} {wrong:?}\n{text}");
            }
        }
    });
    assert!(reduced > 400 && smaller > 2, "{reduced} {smaller}");
}

/// Each equivalence doubles its operands; too many are refused at once.
#[test]
fn nested_equivalences_are_refused() {
    let system = run::load(Kind::Pn, "net a { place p = 1 place q transition t: p -> q }").unwrap();
    let nested = |part: &str, times: usize| {
        let inner = |text: String, _| format!("({part} <-> {text})");
        (0..times).fold(part.to_owned(), inner)
    };
    for (part, few, many) in [("p = 1", 12, 60), ("EX (q = 1)", 8, 60)] {
        assert!(run::property(&system, &format!("EF {}", nested(part, few))).is_ok());
        let found = run::property(&system, &format!("EF {}", nested(part, many))).unwrap_err();
        assert!(found[0].message.contains("nested too deeply"), "{}", found[0].message);
    }
}
