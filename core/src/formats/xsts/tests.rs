//! Tests of extended symbolic transition systems.

use super::*;
use crate::diagnostic::LineIndex;

const LIGHT: &str = "type Color : { Red, Green }
type Mode : { Off, Red }
ctrl var light : Color = Red
var mode : Mode = Mode.Red
var n : integer = 0

trans {
    choice { assume light == Red; light := Green; } or { assume light == Green && !n == 3; light := Red; }
    local var n : integer = 5;
    if (n > 4) n := n + 1;
}
init { choice { mode := Off; } or { mode := Red; } }
env { havoc n; assume n >= 0 && n <= 3; }
prop { light == Green => mode != Off || true }";

#[test]
fn actions_become_edges_between_three_places() {
    let system = parse(LIGHT, Some("")).unwrap();
    system.validate().unwrap();
    let named: Vec<&str> =
        system.locations.iter().filter(|l| !l.anonymous).map(|l| l.name.as_str()).collect();
    assert_eq!(named, ["before_init", "before_env", "before_trans"]);
    let names: Vec<&str> = system.variables.iter().map(|v| v.name.as_str()).collect();
    // A local variable shadows a global one.
    assert_eq!(names, ["light", "mode", "n", "n.2"]);
    let labels: Vec<&str> = system.edges.iter().map(|e| e.label.as_str()).collect();
    assert_eq!(labels[0], "light := Red; mode := Red; n := 0");
    assert!(labels.contains(&"[light = Green and not n = 3]; light := Red"), "{labels:?}");
    assert!(labels.contains(&"[n.2 > 4]; n.2 := n.2 + 1"), "{labels:?}");
    let (name, property) = system.embedded.as_ref().unwrap();
    assert_eq!(name, "prop");
    assert_eq!(system.expr_text(property), "light = Green imply mode /= Off or true");
}

#[test]
fn an_edge_has_the_place_of_its_statements() {
    let system = parse(LIGHT, Some("")).unwrap();
    let place = |label: &str| {
        let labels: Vec<&str> = system.edges.iter().map(|e| e.label.as_str()).collect();
        let edge =
            system.edges.iter().find(|e| e.label == label).unwrap_or_else(|| panic!("{label}: {labels:?}"));
        edge.span.of(LIGHT)
    };
    assert_eq!(place("[light = Red]; light := Green"), "assume light == Red; light := Green;");
    assert_eq!(place("[n.2 > 4]; n.2 := n.2 + 1"), "n > 4) n := n + 1;");
    assert_eq!(place("[not n.2 > 4]"), "n > 4");
    assert_eq!(place("havoc n; [n >= 0 and n <= 3]"), "havoc n; assume n >= 0 && n <= 3;");
    let text = "var x : integer = 0 var n : integer = 0 trans { for i from 0 to n do { if (x > i) x := x + 1; } } init {} env {} prop { x >= 0 }";
    let system = parse(text, Some("")).unwrap();
    let adding: Vec<_> = system.edges.iter().filter(|edge| edge.label.contains("x := x + 1")).collect();
    assert!(!adding.is_empty());
    for edge in adding {
        assert!(edge.span.of(text).contains("x := x + 1"), "{}: {}", edge.label, edge.span.of(text));
    }
}

fn messages(text: &str) -> Vec<String> {
    let lines = LineIndex::new(text);
    parse(text, None).unwrap_err().iter().map(|d| d.render("m", &lines)).collect()
}

#[test]
fn mistakes_have_their_place() {
    let with = |trans: &str| {
        messages(&format!(
            "type T : {{ A, B }} type U : {{ A, C }} var t : T = A var u : U = A var x : integer = 0 trans {{ {trans} }} init {{}} env {{}}"
        ))
    };
    assert!(with("x := y;")[0].ends_with("unknown name 'y'"));
    assert!(with("assume t == u;")[0].contains("the operand types differ"));
    assert!(with("t := C;")[0].contains("expected T, but this is U"));
    assert!(with("assume A == A;")[0].contains("'A' is a value of several types; write T.A or U.A"));
    assert!(with("assume x = 1;")[0].contains("expected ';'"));
    assert!(with("assume x === 1;")[0].contains("expected an expression"));
    assert!(with("x := x")[0].contains("expected ';'"));
    assert!(with("for i from 0 to 3 do i := 1;")[0].contains("'i' is assigned inside of its loop"));
    assert!(with("} or { } else {")[0].contains("expected 'init'"));
    assert_eq!(
        parse("", Some("")).unwrap_err()[0].message,
        "expected 'var' or 'trans', but the text ends here"
    );
    let open = parse("trans {} init {} env {}", Some("")).unwrap_err();
    assert!(open[0].message.contains("no property to check"));
    assert!(parse("trans {} init {} env {}", Some("true")).is_ok());
}

#[test]
fn constant_loops_are_written_out() {
    let text = |to: &str| {
        format!("var x : integer = 0 trans {{ for i from 1 to {to} do x := x + i; }} init {{}} env {{}}")
    };
    let system = parse(&text("4"), None).unwrap();
    let label = &system.edges.last().unwrap().label;
    assert_eq!(label, "i.1 := 1; x := x + i.1; i.1 := 2; x := x + i.1; i.1 := 3; x := x + i.1");
    let system = parse(&text("x"), None).unwrap();
    system.validate().unwrap();
    assert!(system.edges.iter().any(|e| e.label == "[i.1 < i.to.1]; x := x + i.1; i.1 := i.1 + 1"));
}

#[test]
fn loops_within_loops_are_written_out_as_far_as_they_are_short() {
    let text = "var x : integer = 0 trans { for j from 0 to 60 do for k from 0 to 1900 do x := 0; } init {} env {} prop { x == 0 }";
    let system = super::parse(text, None).unwrap();
    assert!(system.edges.len() < 100);
}

#[test]
fn a_local_variable_is_declared_once_in_a_block() {
    let text = "var x : integer = 0 trans { local var y : integer = 1; local var y : integer = 2; } init {} env {} prop { x >= 0 }";
    assert!(super::parse(text, None).unwrap_err()[0].message.contains("declared twice"));
    let shadows = "var x : integer = 0 trans { local var y : integer = 1; { local var y : integer = 2; } } init {} env {} prop { x >= 0 }";
    assert!(super::parse(shadows, None).is_ok());
}

#[test]
fn parallel_branches_do_not_share_what_they_write() {
    let text = |branches: &str| {
        format!(
            "var x : integer = 0 var y : integer = 0 var par : boolean = false trans {{ {branches} }} init {{}} env {{}} prop {{ x == y }}"
        )
    };
    for fine in
        ["par { x := x + 1; } and { y := y + 1; }", "ort { x := x + 1; } { y := y + 1; }", "par := true;"]
    {
        assert!(
            super::parse(&text(fine), None).is_ok(),
            "{fine}: {:?}",
            super::parse(&text(fine), None).err()
        );
    }
    for shared in [
        "par { x := y; } and { y := y + 1; }",
        "ort { x := 1; } { x := 2; }",
        "par { assume y > 0; } and { havoc y; }",
    ] {
        let found = super::parse(&text(shared), None).unwrap_err();
        assert!(found[0].message.contains("parallel"), "{shared}: {}", found[0].message);
    }
}

#[test]
fn the_first_state_shows_the_declared_values() {
    let shown = |variables: &str| {
        let text = format!("{variables}\ntrans {{}} init {{}} env {{}} prop {{ true }}");
        let system = parse(&text, Some("")).unwrap();
        system.expr_text(&system.initial_formula)
    };
    assert_eq!(shown("var x : integer = 5"), "x = 5");
    assert_eq!(shown("type T : { A, B }\nvar t : T = B"), "t = B");
    assert_eq!(shown("var b : boolean = true"), "b iff true");
    assert_eq!(shown("var x : integer = 5\nvar y : integer = 6"), "x = 5 and y = 6");
    assert_eq!(shown("var x : integer\nvar y : integer = x"), "y = x");
    assert_eq!(shown("var x : integer = 5\nvar y : integer = x"), "x = 5 and y = x");
    assert_eq!(shown("var x : integer"), "true");
}
