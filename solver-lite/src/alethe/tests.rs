//! One tiny script a rule. Carcara accepted each of these proofs; `tests/tests/suite/alethe.rs` runs it on real ones.

use crate::Limits;
use crate::smtlib::Session;

/// The proof of the script's only check, without the definitions of names.
fn proof(script: &str) -> String {
    let mut session = Session::new(Limits::default());
    session.insist(":proof-format", "alethe");
    session.run(&format!("{script}(check-sat)"), &mut |answer| assert_eq!(answer, "unsat"));
    let text = session.alethe_proof().expect("the last answer was unsat").unwrap_or_else(|why| why);
    let lines = text.lines().filter(|l| !l.starts_with("(define-fun"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The rules of a proof, each once.
fn rules(script: &str) -> String {
    let text = proof(script);
    let rule = |l: &str| Some(l.split(":rule ").nth(1)?.split([' ', ')']).next()?.to_owned());
    let mut all: Vec<String> = text.lines().filter_map(rule).collect();
    assert!(text.contains("(cl) "), "{text}");
    all.sort();
    all.dedup();
    all.join(" ")
}

const NAMES: &str = "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)(declare-const y Int)
    (declare-const r Real)(declare-const s Real)";

fn asserted(formulas: &str) -> String {
    rules(&format!("{NAMES}(assert {formulas})"))
}

#[test]
fn a_lemma_of_arithmetic_is_one_step() {
    let script = "(set-logic QF_LRA)(declare-const x Real)(assert (<= x 1))(assert (< 2 x))";
    begins(
        &proof(script),
        "(
(assume s0 @t2)
(assume s1 @t4)
",
    );
}

/// The text starts like this and ends with the empty clause.
fn begins(text: &str, start: &str) {
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains("la_generic :args (1 1)"), "{text}");
}

#[test]
fn operators_are_tautologies() {
    for (formula, rule) in [
        ("(and p (not p))", "and_pos"),
        ("(not (or p (not p)))", "or_neg"),
        ("(not (=> p p))", "implies_neg1"),
        ("(not (= p p))", "equiv_neg1"),
        ("(xor p p)", "xor_pos1"),
        ("(not (=> p q p))", "nary_elim"),
        ("(distinct p q true)", "distinct_elim"),
        ("(ite p (not p) false)", "ite_pos2"),
        ("(and p (not (not (not p))))", "not_not"),
    ] {
        assert!(asserted(formula).contains(rule), "{formula}: {}", asserted(formula));
    }
}

#[test]
fn comparisons_are_bridged() {
    for (formula, rule) in [
        ("(and (< (* 2 x) 7) (> x 3))", "la_generic"),
        ("(= (* 2 x) 7)", "la_generic"),
        ("(and (not (= x y)) (<= x y) (>= x y))", "la_disequality"),
        ("(and (= (/ r 3) s) (distinct r (* 3 s)))", "poly_simp"),
        ("(and (= (ite p x y) 1) (= x 2) (= y 2))", "ite_intro"),
        ("(= (+ (* 2 x) (* 4 y) (ite p 0 2)) 3)", "ite_intro"),
    ] {
        assert!(asserted(formula).contains(rule), "{formula}: {}", asserted(formula));
    }
}

#[test]
fn what_has_no_rule_is_named() {
    for (formula, what) in [
        ("(= (mod (* 2 x) 2) 1)", "'mod'"),
        ("(< x y x)", "'<' in a chain"),
        ("(not (xor p q (= p q)))", "'xor' with 3 arguments"),
    ] {
        let text = proof(&format!("{NAMES}(assert {formula})"));
        assert_eq!(text, format!("Alethe has no rule for a step of this proof: {what}"), "{formula}");
    }
}

#[test]
fn names_and_definitions_are_expanded() {
    let script = "(define-fun f ((a Int)) Bool (< a x))(assert (! (f x) :named n))";
    assert!(rules(&format!("{NAMES}{script}(assert (let ((b n)) (or b p)))")).contains("la_generic"));
}

#[test]
fn the_option_comes_before_the_assertions() {
    let mut all = Vec::new();
    let script = "(assert false)(set-option :proof-format alethe)(check-sat)(get-proof)";
    Session::new(Limits::default()).run(script, &mut |answer| all.push(answer.to_owned()));
    assert_eq!(all[1], "(error \"1:59: the option :proof-format has to be set before the first assertion\")");
}
