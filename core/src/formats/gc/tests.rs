//! Reading of `.gc` texts.

use super::*;
use crate::formats::Kind;
use crate::statements::Statements;
use crate::system::EdgeId;

const TICKET: &str = "// two processes
system ticket {
  const n = 2
  var s, t : int = 0
  var a[1..n] : int = 0
  control pc[1..n] : {idle, want, crit} = idle
  for i in 1..n {
    draw:  pc[i] = idle -> pc[i] := want, a[i] := t, t := t + 1
    enter: pc[i] = want && a[i] <= s
             -> pc[i] := crit
    leave: pc[i] = crit -> pc[i] := idle, s := s + 1
    for j in i+1..n { error pc[i] = crit && pc[j] = crit }
  }
  (s < 0 || t < 0) -> skip
  predicate a1 <= s; predicate s <= t
  property served: G (pc1 = want ->
    F pc1 = crit)
  property positive: AG s >= 0
}
";

#[test]
fn reads_systems() {
    let system = parse(TICKET).unwrap();
    let names: Vec<&str> = system.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["s", "t", "a1", "a2", "pc1", "pc2"]);
    let labels: Vec<&str> = system.edges.iter().map(|e| e.label.as_str()).collect();
    assert_eq!(
        labels,
        [
            "initial values",
            "draw(1)",
            "enter(1)",
            "leave(1)",
            "draw(2)",
            "enter(2)",
            "leave(2)",
            "s < 0 or t < 0 -> skip"
        ]
    );
    assert_eq!(system.op_text(&system.edge(EdgeId(4)).op), "[pc2 = idle]; pc2 := want; a2 := t; t := t + 1");
    assert_eq!(system.control.len(), 2);
    let predicates: Vec<String> = system.predicates.iter().map(|e| system.expr_text(e)).collect();
    assert_eq!(predicates, ["a1 <= s", "s <= t"]);
    let stated: Vec<&str> = system.stated.iter().map(|p| p.text.as_str()).collect();
    assert_eq!(stated, ["G (pc1 = want ->\n    F pc1 = crit)", "AG s >= 0"]);
    let (name, error) = system.embedded.as_ref().unwrap();
    assert_eq!(
        (name.as_str(), system.expr_text(error).as_str()),
        ("error", "not (pc1 = crit and pc2 = crit)")
    );
    assert_eq!((READER.properties)(TICKET), ["error", "served", "positive"]);
    assert_eq!(Kind::guess(TICKET), Kind::Gc);
    assert!(Statements::read(&system).is_some());
}

/// Simultaneous assignments, inputs, and initial values that are not given.
#[test]
fn commands_are_simultaneous() {
    let text =
        "system swap { var x : int = 1  var y : int  true -> x := y, y := x  x < y -> x := input, y := 0 }";
    let system = parse(text).unwrap();
    let ops: Vec<String> = system.edges.iter().map(|e| system.op_text(&e.op)).collect();
    assert_eq!(ops, ["x := 1; havoc y", "[true]; x := y; y := x", "[x < y]; y := 0; havoc x"]);
    assert_eq!(system.edges[2].label, "x < y -> x := input, y := 0");
    // Negative indices, and parameters in values.
    let text = "system f { var v[-1..1] : int = 0  for i in -1..0 { v[i] = i -> v[i + 1] := i * 2 } }";
    let ops: Vec<String> = parse(text).unwrap().edges.iter().map(|e| e.label.clone()).collect();
    assert_eq!(ops[1..], ["v_1 = -1 -> v0 := -1 * 2", "v0 = 0 -> v1 := 0 * 2"]);
}

#[test]
fn mistakes_have_places() {
    let errors = |text: &str| {
        let found = parse(text).expect_err(text);
        found.into_iter().map(|d| (d.span.of(text).to_owned(), d.message)).collect::<Vec<_>>()
    };
    let mut wrong = Vec::new();
    let mut one = |text: &str, span: &str, part: &str| {
        let found = errors(text);
        let right = found.len() == 1 && found[0].0 == span && found[0].1.contains(part);
        wrong.extend((!right).then(|| format!("{text}: {found:?}")));
    };
    one("system s { var x : int var x : bool }", "x", "declared twice");
    one("system s { var x : int y > 0 -> x := 1 }", "y", "unknown name 'y'");
    one("system s { var x : int true -> y := 1 }", "y", "unknown variable 'y'");
    one("system s { var x : int true -> x := 1, x := 2 }", "x", "assigned twice");
    one("system s { var x : int true -> x := true }", "true", "expected int");
    one("system s { var x : int x -> skip }", "x", "expected bool");
    one("system s { var x : int = x }", "x", "does not depend on variables");
    one("system s { var x : nat }", "nat", "a type (int, bool, or values");
    one("system s { var x : {a, a} }", "a", "is a value of this type already");
    one("system s { var a, x : {a, b} }", "a", "is a variable and a value");
    one("system s { var x[1..2] : int x[3] = 0 -> skip }", "3", "are 1 to 2, but this is 3");
    one("system s { var x : int x[1] = 0 -> skip }", "x", "is not declared with indices");
    one("system s { for i in 1..99999999 { true -> skip } }", "for i in 1..99999999", "more than");
    one("system s { for i in 1..2 { y = i -> skip } }", "y", "unknown");
    one("system s { var x : int x = 0 }", "}", "'->' after the guard");
    one("system s { var x : int x = 0 -> }", "}", "an assignment");
    one("system s { property p: }", "p", "is empty");
    one("system s { property p:\nerror true }", "p", "is empty");
    one("system s { var x : int property p: G (x < 9\nerror x = 2 }", "error", "a bracket is open");
    one("system s { var x : int property p: x >= 0\n-1 < x -> y := 1 }", "y", "unknown variable");
    one("system s { var x : int property p: G (y = 1) }", "y", "unknown name");
    one("system s { for i in 1..2 { property p: true } }", "property", "outside of 'for'");
    one("system s { var x : int true -> x := input + 1 }", "+", "an input is a value by itself");
    one("system s { true -> skip, x := 1 }", ",", "after 'skip'");
    one("system s { var x[1..2] : int true -> x := 1 }", "x", "write x[1]");
    one("system s { for i in 1..9999 { for j in 1..9999 { } } }", "for j in 1..9999", "more than");
    one("system s { var error : int }", "error", "a word of the language");
    one("system s { var x, y : int true -> x := x * y }", "x * y", "nonlinear");
    one("system s {", "", "expected");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(errors("system s {\n var = 1\n true skip\n predicate\n}").len(), 3);
}
