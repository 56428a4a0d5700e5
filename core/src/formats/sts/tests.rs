//! Tests of symbolic transition systems.

use super::*;
use crate::diagnostic::LineIndex;
use crate::system::Op;

fn messages(text: &str) -> Vec<String> {
    let lines = LineIndex::new(text);
    parse(text, None).unwrap_err().iter().map(|d| d.render("m", &lines)).collect()
}

const COUNTER: &str = "specification S {
    const limit : integer := 3
    system counter(step : int) := {
        var x : integer := 0
        var up : boolean
        invariant 0 <= x and x <= limit
        transition x' = (if up then x + step else x)
    }
    property small : counter(1) models G(x <= limit)
    property odd : counter(2) models G(not x = 1)
}";

#[test]
fn systems_have_parameters_and_properties_names() {
    assert_eq!(properties(COUNTER).unwrap(), ["small", "odd"]);
    let system = parse(COUNTER, Some("odd")).unwrap();
    system.validate().unwrap();
    assert_eq!(system.embedded.as_ref().map(|(name, _)| name.as_str()), Some("odd"));
    let labels: Vec<&str> = system.edges.iter().map(|e| e.label.as_str()).collect();
    assert_eq!(labels, ["x := 0", "x := if up then x + 2 else x; havoc up"]);
    assert_eq!(system.expr_text(&system.invariant), "0 <= x and x <= 3");
    assert!(parse(COUNTER, Some("even")).unwrap_err()[0].message.contains("there are small, odd"));
}

#[test]
fn transitions_become_operations_where_they_can() {
    let ops = |transition: &str| {
        let text = format!(
            "specification S {{ property p : {{ var x : int var y : int transition {transition} }} models G(true) }}"
        );
        let system = parse(&text, None).unwrap();
        system.edges[1..].iter().map(|e| e.op.clone()).collect::<Vec<Op>>()
    };
    let texts = |transition: &str| {
        let name = |v: crate::expr::VarId| ["x", "y"][v.index()].to_owned();
        ops(transition).iter().map(|op| op.text(&name)).collect::<Vec<_>>()
    };
    assert_eq!(texts("x' = y and y' = x"), ["x := y; y := x"]);
    assert_eq!(texts("x > 0 and x' = x and y' > 1"), ["[x > 0]; havoc y; [y > 1]"]);
    assert_eq!(texts("(x' = 1 and y' = 2) or (x' = y and y' = 0)"), ["x := 1; y := 2", "x := y; y := 0"]);
    assert_eq!(texts("x' > x"), ["x' > x"]);
    assert!(matches!(ops("x' > x")[..], [Op::Relation(2, _)]));
    assert_eq!(texts("x = 0 or x' = 1"), ["x = 0 or x' = 1"]);
    assert_eq!(texts("x' = 1 and x' = 2"), ["[1 = 2]; x := 1; havoc y"]);
}

#[test]
fn mistakes_have_their_place() {
    let with = |body: &str| {
        messages(&format!("specification S {{ property p : {{ var x : int {body} }} models G(x = 0) }}"))
    };
    assert_eq!(with("initial y = 0"), ["m:1:54: error: unknown name 'y'"]);
    assert!(with("invariant x' = 0")[0].contains("is allowed in transitions only"));
    assert!(with("transition x'' = 0")[0].contains("already a next value"));
    assert!(with("initial x = true")[0].contains("the operand types differ"));
    assert!(with("var x : bool")[0].contains("'x' is declared twice"));
    assert!(with("x' = 1")[0].contains("expected 'var', 'const', 'invariant', 'initial' or 'transition'"));
    assert!(
        messages("specification S { property p : q models G(true) }")[0].contains("there is no system 'q'")
    );
    assert!(messages("specification S { }")[0].contains("the specification has no property"));
    assert!(messages("")[0].contains("expected 'specification'"));
    assert!(messages("specification S { property p : { ")[0].contains("expected '}'"));
}

/// Systems without a property are checked, too.
#[test]
fn unused_systems_are_checked() {
    let used = "property p : { var y : bool initial y transition y' } models G(y) }";
    for (unused, message) in [
        ("system bad := { var x : int initial x = true }", "bool"),
        ("system s(n : bool) := { var x : int invariant x = n }", "bool"),
        ("system s := { var y : bool } system s := { var y : bool }", "declared twice"),
    ] {
        let found = super::parse(&format!("specification S {{ {unused} {used}"), None).unwrap_err();
        assert!(found.iter().any(|d| d.message.contains(message)), "{unused}: {found:?}");
    }
    let fine = "system s(n : int) := { var x : int invariant x = n }";
    assert!(super::parse(&format!("specification S {{ {fine} {used}"), None).is_ok());
}

/// A system without states is unchanged by printing and parsing.
#[test]
fn what_is_false_is_printed() {
    for clause in ["invariant false", "initial false", "invariant 1 + 3 = -1"] {
        let text = format!("specification S {{ property p : {{ var x : bool {clause} }} models G(x) }}");
        let system = super::parse(&text, None).unwrap();
        let property = crate::run::property(&system, "").unwrap();
        let again = super::print(&property.apply(system)).unwrap();
        let system = super::parse(&again, None).unwrap();
        let property = crate::run::property(&system, "").unwrap();
        let options = crate::run::Options { method: crate::run::Method::Pdr, ..Default::default() };
        let mut run = crate::run::Run::new(&system, &property, &options).unwrap();
        let (mut fuel, mut sink) = (crate::kit::Fuel::new(1_000), crate::kit::Off);
        let polled = run.poll(&mut crate::kit::Cx { fuel: &mut fuel, sink: &mut sink });
        let std::task::Poll::Ready(outcome) = polled else { panic!("{clause}") };
        assert_eq!(outcome.verdict, crate::kit::Verdict::Holds, "{clause}\n{again}");
    }
}
