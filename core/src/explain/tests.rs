//! Every kind of event has an explanation with the names of the run, and no damage makes it panic.

use std::collections::BTreeSet;

use super::*;
use crate::kit::{Answer, Arrival, FormulaId, Goal, UnknownReason, Verdict};
use crate::methods::{cegar, combined_approx, lasso};

/// The text of the explanation of the first event that fits.
fn text_of(journal: &Journal, fits: impl Fn(&Event) -> bool) -> String {
    let index = journal.events.iter().position(fits).expect("the event occurs");
    explain(journal, index).to_text()
}

fn says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "expected '{part}' in:\n{text}");
    }
}

/// The names of the variants of an enumeration.
fn variants<'de, T: serde::Deserialize<'de>>() -> Vec<&'static str> {
    let mut names = Vec::new();
    let _ = T::deserialize(Names(&mut names));
    names
}

/// A deserializer that only records the names of the variants.
struct Names<'a>(&'a mut Vec<&'static str>);

impl<'de> serde::Deserializer<'de> for Names<'_> {
    type Error = serde::de::value::Error;

    fn deserialize_enum<V: serde::de::Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self::Error> {
        self.0.extend(variants);
        Err(serde::de::Error::custom("only the names are of interest"))
    }

    fn deserialize_any<V: serde::de::Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        unreachable!("an enumeration is read")
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq
        tuple tuple_struct map struct identifier ignored_any
    }
}

/// The name of the event's family and its own: `Pdr`, `FrameOpened`.
fn name(event: &Event) -> (String, String) {
    let text = format!("{event:?}");
    let mut words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_owned);
    (words.next().unwrap_or_default(), words.next().unwrap_or_default())
}

#[test]
fn each_family_has_an_example_of_each_event() {
    let of_family = [
        ("Cegar", variants::<cegar::Event>()),
        ("Lasso", variants::<lasso::Event>()),
        ("Bmc", variants::<bmc::Event>()),
        ("Induction", variants::<kind::Event>()),
        ("Imc", variants::<imc::Event>()),
        ("Pdr", variants::<pdr::Event>()),
        ("Split", variants::<split::Event>()),
        ("Explicit", variants::<explicit::Event>()),
        ("Equation", variants::<equation::Event>()),
        ("Under", variants::<under::Event>()),
        ("CombinedApprox", variants::<combined_approx::Event>()),
    ];
    let families: Vec<&str> = of_family.iter().map(|(family, _)| *family).collect();
    let mut all = variants::<Event>();
    all.retain(|name| !["IterationStarted", "Decided"].contains(name));
    assert_eq!(all, families);
    let runs = example::runs();
    for (family, names) in of_family {
        let run = &runs.iter().find(|(name, _)| *name == family).expect("a run of the family").1;
        let seen: BTreeSet<_> = run.events.iter().map(name).collect();
        for event in names {
            assert!(seen.contains(&(family.to_owned(), event.to_owned())), "no example of {family} {event}");
        }
    }
}

#[test]
fn every_event_is_sound_and_has_a_line_and_a_phase() {
    for (family, journal) in example::runs() {
        assert_eq!(journal.check(), Ok(()), "{family}");
        let lines: BTreeSet<String> = journal.events.iter().map(|e| journal.event_line(e)).collect();
        assert!(lines.iter().all(|line| !line.trim().is_empty() && !line.contains("'?'")), "{lines:?}");
        for event in &journal.events {
            let phase = event.phase();
            assert_eq!(phase.is_none(), matches!(event, Event::IterationStarted { .. }));
            let inside = |p: crate::kit::Phase| p == crate::kit::Phase::Decided || p.family().contains(&p);
            assert!(phase.is_none_or(inside), "{event:?}");
        }
    }
}

#[test]
fn every_kind_of_event_is_explained_in_three_layers() {
    for (family, journal) in example::runs() {
        for (index, event) in journal.events.iter().enumerate() {
            let e = explain(&journal, index);
            let text = e.to_text();
            assert!(!e.title.is_empty() && (!e.maths.is_empty() || family != "Cegar"), "{event:?}");
            assert!(plain(&e.what).ends_with('.') && plain(&e.why).ends_with('.'), "{text}");
            assert!(
                e.maths.iter().all(|l| !l.label.is_empty() && !l.formula.is_empty()),
                "{event:?}: {text}"
            );
            let questions = text.matches('?').count();
            let meant = e.title.matches('?').count()
                + e.what.iter().filter(|p| plain(std::slice::from_ref(p)).contains('?')).count();
            assert!(questions <= meant, "a name is missing in:\n{text}");
            assert!(!text.contains("  "), "{text}");
        }
    }
}

#[test]
fn abstraction_is_explained_with_the_names_of_the_run() {
    let j = example::every_event();
    let text = text_of(&j, |e| matches!(e, Event::Cegar(cegar::Event::NodeCovered { .. })));
    says(
        &text,
        &[
            "Node n2 is covered by n1",
            "Both are at L1",
            "everything reachable from n2",
            "not mean unreachable",
        ],
    );
    let text =
        text_of(&j, |e| matches!(e, Event::Cegar(cegar::Event::CoverChecked { answer: Answer::Sat, .. })));
    says(&text, &["n1 cannot cover n2"]);
    let text =
        text_of(&j, |e| matches!(e, Event::Cegar(cegar::Event::EdgeChecked { answer: Answer::Unsat, .. })));
    says(&text, &["‘[x < 0]’", "LERR", "op: x < 0, variables unchanged", "(unsatisfiable)"]);
    let text = text_of(&j, |e| {
        matches!(e, Event::Cegar(cegar::Event::PredicateChecked { truth: crate::kit::Truth::Unknown, .. }))
    });
    says(&text, &["‘0 <= x’", "p′: 0 <= x′", "s ∧ op ⇒ ¬p′", "does not hold", "unknown does not mean false"]);
    let text = text_of(&j, |e| matches!(e, Event::Cegar(cegar::Event::NodeAdded { node: NodeId(4), .. })));
    says(
        &text,
        &["Node n4 is added below n2: at L1 after ‘x := x + 1’, with ‘{0 <= x}’", "Cartesian abstraction"],
    );
    let text = text_of(&j, |e| matches!(e, Event::Cegar(cegar::Event::NodeExpanded { node: NodeId(2) })));
    says(&text, &["n4 and n5", "3 edges leave L1", "‘[x < 0]’ and ‘assume x >= 0’ cannot be taken"]);
    let text = text_of(&j, |e| matches!(e, Event::IterationStarted { iteration: 2 }));
    says(
        &text,
        &["Iteration 2 starts", "1 predicate", "found ‘x’ and ‘0 <= x’", "3 nodes of the graph were kept"],
    );
}

#[test]
fn refinement_is_explained_with_the_names_of_the_run() {
    let j = example::every_event();
    let text = text_of(&j, |e| matches!(e, Event::Cegar(cegar::Event::CexFound { .. })));
    says(&text, &["n3", "LERR", "2 steps", "L0 → L1 → LERR", "x := 0 → [x < 0]", "need not be a violation"]);
    let text = text_of(&j, |e| matches!(e, Event::Cegar(cegar::Event::PathInfeasible { .. })));
    says(&text, &["first 2 steps cannot", "first step to L1, but none can continue with ‘[x < 0]’"]);
    let text = text_of(&j, |e| matches!(e, Event::Cegar(cegar::Event::Interpolated { .. })));
    says(&text, &["A (step 1): x_1 = 0", "B (step 2): x_1 < 0 and x_2 = x_1"]);
    says(
        &text,
        &["1. A ⇒ I: A ⇒ (0 <= x_1) (holds)", "2. I ∧ B", "{x_1} ⊆ {x_1} (holds)", "cut 1, node n1 at L1"],
    );
    let text = text_of(&j, |e| matches!(e, Event::Cegar(cegar::Event::PrecisionGrew { .. })));
    says(&text, &["‘0 <= x’ is added to the precision", "at cut 1 (n1)", "precision π: {0 <= x}"]);
    let text = text_of(&j, |e| matches!(e, Event::Cegar(cegar::Event::Pruned { .. })));
    says(&text, &["Node n3 at LERR is removed.", "nodes before and after: 4 → 3"]);
    let text = text_of(&j, |e| matches!(e, Event::Cegar(cegar::Event::NodeUncovered { .. })));
    says(&text, &["n2", "covered by n1"]);
    let text = text_of(&j, |e| matches!(e, Event::Cegar(cegar::Event::NodeReopened { .. })));
    says(&text, &["n1", "successor n3 was removed", "op to do again: x < 0"]);
    let text = text_of(&j, |e| matches!(e, Event::Cegar(cegar::Event::ValuationFound { step: 1, .. })));
    says(&text, &["‘x := 0’", "‘x = 0’", "L1", "values after 0: x = 7"]);
}

#[test]
fn every_verdict_is_explained() {
    let mut j = example::every_event();
    let last = j.events.len() - 1;
    says(&explain(&j, last).to_text(), &["LERR in 3 steps", "after 1, at L1: x = 0", "2 iterations"]);
    let reasons = [
        UnknownReason::NoProgress,
        UnknownReason::Solver,
        UnknownReason::Interpolation,
        UnknownReason::Overflow,
        UnknownReason::TooLarge,
        UnknownReason::Budget,
    ];
    for verdict in reasons.map(Verdict::Unknown).into_iter().chain([Verdict::Holds]) {
        j.events[last] = Event::Decided { verdict };
        let e = explain(&j, last);
        assert!(!e.what.is_empty() && !e.why.is_empty() && !e.maths.is_empty() && e.slip.is_some());
    }
    says(
        &explain(&j, last).to_text(),
        &["No run reaches the error location", "invariant at L1: true", "‘{x, 0 <= x}’ was enough"],
    );
    j.names.goal = Goal::Wanted;
    says(&explain(&j, last).to_text(), &["Violated", "No run reaches a target state"]);
    j.events[last] = Event::Decided { verdict: Verdict::Violated };
    says(&explain(&j, last).to_text(), &["Holds", "A concrete run reaches a target state."]);
    j.names.goal = Goal::Deadlock;
    says(&explain(&j, last).to_text(), &["Violated", "in which no step can be taken."]);
}

#[test]
fn subjects_name_each_thing_once_with_its_location() {
    let j = example::every_event();
    for index in 0..j.events.len() {
        let s = explain(&j, index).subjects;
        assert_eq!(s.nodes.len(), s.nodes.iter().collect::<BTreeSet<_>>().len());
        assert_eq!(s.locations.len(), s.locations.iter().collect::<BTreeSet<_>>().len());
        assert!(s.nodes.iter().all(|n| s.locations.contains(&j.states[n.index()].location)));
    }
}

/// Small deterministic random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Replaces, moves, drops or repeats parts of a journal.
fn damage(j: &mut Journal, random: &mut Random) {
    let far = u32::try_from(random.below(12)).unwrap_or(0);
    let at = random.below(j.events.len().max(1));
    match random.below(9) {
        0 => j.events.truncate(at),
        1 => j.states.truncate(random.below(6)),
        2 => j.formulas.truncate(random.below(6)),
        3 => j.predicates.clear(),
        4 => j.names.edges.truncate(random.below(4)),
        5 => j.names.locations.truncate(random.below(4)),
        6 if !j.events.is_empty() => drop(j.events.remove(at)),
        7 if !j.events.is_empty() => {
            let other = random.below(j.events.len());
            j.events.swap(at, other);
        }
        _ => {
            let (node, formula, predicate) = (NodeId(far), FormulaId(far), PredicateId(far));
            let cut = if random.below(2) == 0 { u32::MAX } else { far };
            let made = [
                Event::Cegar(cegar::Event::NodeAdded {
                    node,
                    from: Some(Arrival::new((NodeId(far + 1), EdgeId(far)))),
                }),
                Event::Cegar(cegar::Event::Interpolated { cut, node, formula }),
                Event::Cegar(cegar::Event::PathInfeasible { steps: cut }),
                Event::Cegar(cegar::Event::PrefixChecked { steps: cut, answer: Answer::Unsat }),
                Event::Cegar(cegar::Event::StepEncoded { step: cut, edge: EdgeId(far), formula }),
                Event::Cegar(cegar::Event::ValuationFound { step: cut, formula }),
                Event::IterationStarted { iteration: cut },
                Event::Cegar(cegar::Event::PrecisionGrew { predicate, location: None }),
                Event::Cegar(cegar::Event::NodeCovered { node, by: NodeId(far / 2) }),
                Event::Cegar(cegar::Event::Pruned { node }),
                Event::Cegar(cegar::Event::CexFound { node, length: cut }),
            ];
            j.events.insert(at.min(j.events.len()), made[random.below(made.len())]);
        }
    }
}

#[test]
fn a_damaged_journal_never_panics() {
    let runs = example::runs();
    for seed in 0..3_000 {
        let mut random = Random(seed);
        let mut j = runs[random.below(runs.len())].1.clone();
        for _ in 0..1 + random.below(4) {
            damage(&mut j, &mut random);
        }
        for index in 0..=j.events.len() {
            assert!(!explain(&j, index).to_text().is_empty());
        }
        let _ = (summary(&j), j.check());
        let all = (&*summary(&j), j.events.len());
        let _ = step(all, random.below(60), Granularity::Iteration, Direction::Forward);
    }
}
