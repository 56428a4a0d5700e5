//! The second reading of models: certificates are checked with the statements of the text, not only with the engines'
//! edges. Each model here is checked with another text than it was verified with, which a checker of edges alone cannot
//! detect.

use veristep_core::certificate;
use veristep_core::kit::{Off, Verdict};
use veristep_core::run::{self, Kind, Options, Run};
use veristep_tests::models::poll_up_to;

/// The checker's result for a verdict on `text` with the statements of `other`.
fn judged(kind: Kind, text: &str, asked: &str, other: &str) -> (Verdict, Result<bool, String>) {
    let mut system = run::load_for(kind, text, Some(asked)).unwrap_or_else(|d| panic!("{}", d[0].message));
    let property = run::property(&system, asked).unwrap_or_else(|d| panic!("{}", d[0].message));
    let mut run = Run::new(&system, &property, &Options::default()).unwrap();
    let outcome = poll_up_to(&mut run, &mut Off, 3_000, &mut || u64::MAX).expect("a small model");
    let certificate = outcome.certificate.expect("it is decided");
    system.source = Some(other.into());
    let report = certificate::check(&system, &property, &certificate);
    (outcome.verdict, report.map(|r| r.by_statements).map_err(|why| why.0))
}

/// A verdict is accepted with the model's own text, and rejected with another one.
fn differs(kind: Kind, text: &str, asked: &str, (from, to): (&str, &str), why: &str) {
    let (verdict, own) = judged(kind, text, asked, text);
    assert_eq!(own, Ok(true), "{verdict}: {asked}\n{text}");
    assert!(text.contains(from), "{text}");
    let (_, other) = judged(kind, text, asked, &text.replacen(from, to, 1));
    let message = other.expect_err(&format!("{asked} with '{to}' instead of '{from}'\n{text}"));
    assert!(message.contains(why), "{message}");
}

const COUNTER: &str = "main process p { var x : int init loc A loc B error loc E
    A -> B { x := 0 } B -> B { assume x < 3 x := x + 1 } B -> E { assume x > 3 } }";

const LIGHT: &str = "type C : { Red, Green } var c : C = Red var n : integer = 0
    trans { choice { assume c == Red; c := Green; } or { assume c == Green; c := Red; n := 0; } }
    init { } env { havoc n; assume n >= 0 && n < 3; }";

#[test]
fn invariants_are_judged_by_statements() {
    differs(Kind::Cfa, COUNTER, "", ("x < 3", "x < 4"), "leaves the formulas");
    differs(Kind::Cfa, COUNTER, "", ("x := 0", "x := 9"), "leaves the formulas");
    differs(Kind::Cfa, COUNTER, "", ("x > 3", "x > 2"), "leaves the formulas");
    differs(Kind::Xsts, LIGHT, "n < 3", ("n < 3", "n < 4"), "leaves the formulas");
    differs(Kind::Xsts, LIGHT, "n < 3", ("n := 0; }", "n := 7; }"), "leaves the formulas");
    differs(Kind::Xsts, LIGHT, "n < 3", ("integer = 0", "integer = 5"), "an initial state");
}

#[test]
fn runs_are_judged_by_statements() {
    let reached = COUNTER.replace("x > 3", "x > 2");
    differs(Kind::Cfa, &reached, "", ("x < 3", "x < 2"), "no step leads");
    differs(Kind::Cfa, &reached, "", ("x := 0", "x := 1"), "no step leads");
    differs(Kind::Cfa, &reached, "", ("x > 2", "x > 3"), "no step leads");
    differs(Kind::Xsts, LIGHT, "n < 2", ("n < 3", "n < 2"), "no step leads");
    differs(Kind::Xsts, LIGHT, "c == Red", ("c := Green", "c := Red"), "no step leads");
    differs(Kind::Xsts, LIGHT, "c == Red", ("C = Red", "C = Green"), "does not begin");
}

#[test]
fn deadlocks_are_judged_by_statements() {
    let edge = ("B -> E { assume x > 3 }", "B -> E { assume x > 2 }");
    differs(Kind::Cfa, COUNTER, "deadlock-free", edge, "some edge out of B can be taken");
    let stops = LIGHT.replace("assume c == Green;", "assume c == Green && n > 0;");
    let goes_on = ("c == Green && n > 0", "c == Green && n >= 0");
    differs(Kind::Xsts, &stops, "deadlock-free", goes_on, "some edge out of before_trans can be taken");
    // Backtracking is part of an action: a blocked alternative is no deadlock.
    let plain = LIGHT.replace("havoc n; assume n >= 0 && n < 3;", "n := 2;");
    let blocked = plain.replace("n := 0; }", "n := 0; assume n == 0; }");
    differs(
        Kind::Xsts,
        &blocked,
        "deadlock-free",
        ("assume n == 0", "assume n == 1"),
        "some edge out of before_trans cannot be taken",
    );
}

#[test]
fn fairness_is_judged_by_statements() {
    let text = "main process p { var x : int init loc A loc B A -> A { } A -> B { assume x = 1 x := 2 } B -> A { x := 0 } }";
    let asked = "ltl[step=edge,weak=A->B]: F @B";
    let (verdict, own) = judged(Kind::Cfa, text, asked, text);
    assert_eq!((verdict, own), (Verdict::Violated, Ok(true)), "a run that never has x = 1 is fair");
    differs(Kind::Cfa, text, asked, ("assume x = 1", "assume true"), "the edge A->B can be taken");
    let blocked = text.replace("x := 2 }", "x := 2 assume x = 3 }");
    differs(
        Kind::Cfa,
        &blocked,
        "ltl[step=edge,weak=A->B]: F @B",
        ("x = 3", "x = 2"),
        "the edge A->B can be taken",
    );
}

#[test]
fn formulas_are_judged_by_statements() {
    let again = COUNTER.replace("B -> E { assume x > 3 }", "B -> B { assume x = 3 x := 0 }");
    differs(Kind::Cfa, &again, "F G (x /= 3)", ("x < 3", "x < 2"), "no step leads");
    differs(Kind::Cfa, &again, "F G (x /= 3)", ("x = 3", "x = 4"), "no step leads");
    let edge = ("B -> E { assume x > 3 }", "B -> E { assume x > 2 }");
    differs(Kind::Cfa, COUNTER, "ltl[stuck=deadlock]: G (x < 3)", edge, "some edge out of B can be taken");
    differs(Kind::Xsts, LIGHT, "G (n < 2)", ("n < 3", "n < 2"), "no step leads");
}

#[test]
fn sets_with_ranks_are_judged_by_statements() {
    let again = COUNTER.replace("B -> E { assume x > 3 }", "B -> B { assume x = 3 x := 0 }");
    for step in ["statement", "edge"] {
        let asked = format!("ltl[step={step}]: G F (x = 3)");
        differs(Kind::Cfa, &again, &asked, ("x + 1", "x + 0"), "leaves the sets, or does not keep the rank");
        differs(Kind::Cfa, &again, &asked, ("x = 3 x := 0", "x = 2 x := 0"), "leaves the sets");
    }
    differs(Kind::Xsts, LIGHT, "G F (c == Red)", ("c := Red;", "c := Green;"), "leaves the sets");
    differs(
        Kind::Xsts,
        LIGHT,
        "ltl[step=full]: G (c == Red || X (c == Red))",
        ("c := Red;", ""),
        "leaves the sets",
    );
    // A deadlocked run stutters.
    let stops = "main process p { var x : int init loc A loc B A -> B { x := 0 } B -> B { assume x < 3 x := x + 1 } }";
    let asked = "ltl[step=edge,stuck=deadlock]: F G (x = 3)";
    differs(Kind::Cfa, stops, asked, ("x + 1", "x + 2"), "leaves the sets");
}

const RELATION: &str = "specification S { const k : int property p : { var x : int var y : bool
    invariant x < 9 initial x = 0 and not y transition x' = (if x < 3 then x + 1 else 0)
    transition (y' = y) or (x = 2 and y') } models G(x < 4) }";

/// The clauses of a transition system become assignments and edges for the engines, and one relation for the checker.
#[test]
fn clauses_are_judged_as_a_relation() {
    differs(Kind::Sts, RELATION, "", ("x < 3", "x < 4"), "leaves the formulas");
    differs(Kind::Sts, RELATION, "", ("x = 0", "x = 7"), "an initial state");
    differs(Kind::Sts, RELATION, "not y", ("x = 2 and y'", "x = 1 and y'"), "no step leads");
    differs(Kind::Sts, RELATION, "not y", ("and not y", "and y"), "does not begin");
    differs(Kind::Sts, RELATION, "not y", ("x < 9", "not y"), "no step leads");
    differs(Kind::Sts, RELATION, "x < 3", ("x < 9", "x < 3"), "no step leads");
    differs(
        Kind::Sts,
        RELATION,
        "G F (x = 3)",
        ("x + 1", "x + 0"),
        "leaves the sets, or does not keep the rank",
    );
    differs(Kind::Sts, RELATION, "F G (x = 0)", ("else 0", "else x"), "no step leads");
    for options in ["", "[start=initial]"] {
        let asked = format!("ltl{options}: x = 0 & X (x = 1)");
        differs(Kind::Sts, RELATION, &asked, ("initial x = 0", "initial x = 1"), "leaves the sets");
        let asked = format!("ltl{options}: x = 1");
        differs(Kind::Sts, RELATION, &asked, ("initial x = 0", "initial x = 1"), "does not begin");
    }
}

/// A text with very many paths is not read again, and takes no longer for that.
#[test]
fn many_ways_are_given_up() {
    let mut text = "main process p { var x : int var y : int init loc A error loc E\n".to_owned();
    let locations: String = (0..=40).map(|i| format!("loc L{i} ")).collect();
    let diamonds = (0..40)
        .map(|i| format!("L{i} -> L{0} {{ assume y > {i} }} L{i} -> L{0} {{ assume y <= {i} }}\n", i + 1));
    text += &locations;
    text += "A -> L0 { x := 0 }\n";
    text.extend(diamonds);
    text += "L40 -> E { assume x = 1 } }";
    assert_eq!(judged(Kind::Cfa, &text, "", &text).0, Verdict::Holds);
    let statements: String = (0..40).map(|i| format!("x := {i} ")).collect();
    let text = format!("main process p {{ var x : int init loc A A -> A {{ {statements} }} }}");
    assert_eq!(judged(Kind::Cfa, &text, "F G (x /= 5)", &text).0, Verdict::Violated);
    assert_eq!(judged(Kind::Cfa, &text, "G F (x = 5)", &text).0, Verdict::Holds);
}
