//! Tests of circuits.

use super::*;
use crate::certificate;
use crate::property::Property;

/// Toggles, and is bad when the latch and the input are both true.
const TOGGLE: &str = "aag 3 1 1 1 1\n2\n4 5\n6\n6 4 2\ni0 press\nl0 light\no0 both\nc\nby hand\n";

#[test]
fn circuits_become_systems() {
    let system = parse(TOGGLE).unwrap();
    system.validate().unwrap();
    let names: Vec<&str> = system.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["light", "press", "a3"]);
    let labels: Vec<&str> = system.edges.iter().map(|e| e.label.as_str()).collect();
    assert_eq!(labels, ["reset", "step", "both"]);
    assert_eq!(system.expr_text(&Expr::bool(true)), "true");
}

#[test]
fn unsupported_properties_of_circuits_are_refused() {
    let asked = |circuit: &str, text: &str| Property::parse(text, &parse(circuit).unwrap());
    let constrained = "aag 2 1 1 0 0 1 1\n2\n4 2\n4\n3\nl0 light\n";
    for text in [
        "light",
        "E<> light",
        "deadlock-free",
        "ltl[stuck=deadlock]: G light",
        "ltl[stuck=dead-end]: G light",
    ] {
        assert!(asked(constrained, text).is_err(), "{text}");
    }
    for text in ["", "bad-unreachable", "G light"] {
        assert!(asked(constrained, text).is_ok(), "{text}");
    }
    assert!(asked(TOGGLE, "ltl[stuck=dead-end]: G light").is_err());
    assert!(asked(TOGGLE, "ltl[stuck=deadlock]: G light").is_err());
    for text in ["light", "E<> light", "deadlock-free", "G light"] {
        assert!(asked(TOGGLE, text).is_ok(), "{text}");
    }
    let just = "aag 2 1 1 0 0 0 0 1 0\n2\n4 2\n1\n2\nl0 light\n";
    assert!(asked(just, "").unwrap_err()[0].message.contains("justice"));
    assert!(asked(just, "light").is_ok());
}

#[test]
fn witnesses_are_read_and_written() {
    let system = parse(TOGGLE).unwrap();
    let certificate = read_witness(TOGGLE, "1\nb0\n0\n0\n1\n.\n").unwrap();
    certificate::check(&system, &Property::ErrorUnreachable, &certificate).unwrap();
    assert_eq!(witness(TOGGLE, &certificate).unwrap(), "1\nb0\n0\n0\n1\n.\n");
    assert!(read_witness(TOGGLE, "1\nb0\n0\n0\n0\n.\n").unwrap_err().contains("is not possible"));
    assert!(read_witness(TOGGLE, "1\nb0\n1\n1\n.\n").unwrap_err().contains("not initial"));
    assert!(read_witness(TOGGLE, "1\nb1\n0\n1\n.\n").unwrap_err().contains("no bad property b1"));
    assert!(read_witness(TOGGLE, "0\nb0\n.\n").unwrap_err().contains("does not state"));
    assert!(read_witness(TOGGLE, "1\nb0\n0\n0").unwrap_err().contains("ends too early"));
}

#[test]
fn the_binary_format_is_the_same_circuit() {
    let binary = b"aig 3 1 1 1 1\n5\n6\n\x02\x02i0 press\n";
    let text = ascii(binary).unwrap().unwrap();
    assert_eq!(text, "aag 3 1 1 1 1 0 0 0 0\n2\n4 5\n6\n6 4 2\ni0 press\n");
    assert!(ascii(b"aag 0 0 0 0 0\n").is_none());
    assert!(ascii(b"aig 3 1 1 1 1\n5\n6\n\x02").unwrap().unwrap_err().contains("ends within the gates"));
    assert!(ascii(b"aig 9 1 1 1 1\n5\n").unwrap().is_err());
}

#[test]
fn mistakes_have_their_place() {
    let message = |text: &str| parse(text).unwrap_err()[0].message.clone();
    assert!(message("").contains("ends too early"));
    assert!(message("aag 1 1 0\n").contains("the header is"));
    assert!(message("aag 0 1 0 0 0\n2\n").contains("does not fit"));
    assert!(message("aag 1 1 0 1 0\n2\n4\n").contains("above the greatest variable"));
    assert!(message("aag 2 1 0 1 0\n2\n4\n").contains("not defined"));
    assert!(message("aag 1 1 0 0 0\n3\n").contains("negated or constant"));
    assert!(message("aag 2 2 0 0 0\n2\n2\n").contains("defined twice"));
    assert!(message("aag 2 0 0 1 2\n2\n2 4 4\n4 2 2\n").contains("depends on itself"));
    assert!(message("aag 1 0 1 0 0\n2 2 3\n").contains("starts with 0, 1 or itself"));
    let d = &parse("aag 1 1 0 1 0\n2\n2\nx0 y\n").unwrap_err()[0];
    assert_eq!(d.span.start, 18);
}

#[test]
fn what_is_named_or_used_must_be_there() {
    for text in [
        "aag 2 1 0 1 0 0 0 0 1\n2\n2\n4\n",
        "aag 2 1 0 1 0 0 0 1 0\n2\n2\n1\n4\n",
        "aag 1 1 0 1 0\n2\n2\ni5 foo\n",
        "aag 1 1 0 1 0\n2\n2\nl0 a\n",
        "aag 1 1 0 1 0\n2\n2\ni0 a\ni0 b\n",
        "aag 1 1 0 1 0\n2\n2\ni0 \n",
        "aag +1 1 0 1 0\n+2\n2\n",
    ] {
        assert!(super::parse(text).is_err(), "{text}");
    }
}

/// Many inputs of one name take no longer than others.
#[test]
fn names_may_be_repeated() {
    let n = 20_000;
    let inputs: String = (1..=n).map(|i| format!("{}\n", 2 * i)).collect();
    let names: String = (0..n).map(|i| format!("i{i} a\n")).collect();
    let system = super::parse(&format!("aag {n} {n} 0 1 0\n{inputs}2\n{names}")).unwrap();
    assert_eq!(system.variables.len(), n);
}
