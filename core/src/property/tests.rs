//! Properties from texts, and the systems that they are applied to.

use super::*;

const MODEL: &str = "main process m { var x : int var a : [int] -> int init loc A loc B error loc E
    A -> B { x := 0 a := [1 <- 2, default <- 3] } B -> B { x := x + 1 } }";

fn system() -> System {
    crate::formats::cfa::parse(MODEL).unwrap()
}

#[test]
fn reads_the_spellings() {
    let s = system();
    assert_eq!(Property::parse("error-location-unreachable", &s), Ok(Property::ErrorUnreachable));
    let p = Property::parse("invariant: x >= 0 and a[1] = 2", &s).unwrap();
    assert_eq!(p.text(&s), "x >= 0 and a[1] = 2");
    assert_eq!(Property::parse("x >= 0 and a[1] = 2", &s), Ok(p));
    for (text, same) in [
        ("F G(x = 1)", "FG (x = 1)"),
        ("ltl[start=initial,step=edge]: x = 1 U @B", "ltl[step=full,start=initial]:(x = 1) U @B"),
        ("recurrent-location:B", "FG !@B"),
        ("recurrent:x = 1", "FG (not x = 1)"),
    ] {
        assert_eq!(Property::parse(text, &s).unwrap().text(&s), same);
    }
}

#[test]
fn a_location_may_have_the_name_of_a_path_quantifier() {
    let s = crate::formats::cfa::parse(
        "main process m { var x : int init loc A loc E A -> E { x := x + 1 } E -> A { x := 0 } }",
    );
    let s = s.unwrap();
    for (text, same) in [("G F @A", "GF @A"), ("F @ E", "F @E")] {
        assert_eq!(Property::parse(text, &s).unwrap().text(&s), same);
    }
}

#[test]
fn deadlocks_are_states_without_steps() {
    let s = system();
    let p = Property::parse("deadlock-free", &s).unwrap();
    assert_eq!(p.apply(s.clone()).edges.len(), s.edges.len(), "B can always go on");
    let stuck = "main process m { var x : int init loc A final loc F
        A -> A { assume x > 0 x := x - 1 } A -> F { assume x = 0 } }";
    let s = crate::formats::cfa::parse(stuck).unwrap();
    let applied = p.apply(s.clone());
    assert_eq!(applied.edges[s.edges.len()].label, "[not (x > 0 or x = 0)]");
    let chosen = "main process m { var x : int init loc A A -> A { havoc x } A -> A { assume x > 0 } }";
    assert_eq!(Property::parse("deadlock-free", &crate::formats::cfa::parse(chosen).unwrap()), Ok(p));
}

#[test]
fn refuses_by_name() {
    let s = system();
    let message = |text: &str| Property::parse(text, &s).unwrap_err()[0].message.clone();
    assert!(message("ctl:AF x = 1").contains("CTL"));
    assert!(message("ltl[step=x]:F x = 1").contains("step"));
    assert!(message("recurrent:x = 1) or (x = 2").contains("the end of the property"));
    assert_eq!(Property::parse("recurrent:y = 1", &s).unwrap_err()[0].span, Span::new(10, 11));
    assert!(message("y = 1").contains("unknown name 'y'"));
    assert!(message("x + 1").contains("expected bool, but this is int"));
    assert!(message("x = 1 x").contains("the end of the property"));
    assert!(message("a[7] = 1").contains("never uses this index"));
    assert!(message("x * x = 1").contains("nonlinear multiplication"));
    let d = &Property::parse("invariant: y = 1", &s).unwrap_err()[0];
    assert_eq!(d.span, Span::new(11, 12));
}

#[test]
fn an_invariant_becomes_an_error_location() {
    let s = system();
    let p = Property::parse("x >= 0", &s).unwrap();
    let applied = p.apply(s.clone());
    applied.validate().unwrap();
    // A → B has two statements: three named locations, one anonymous.
    assert_eq!(applied.edges.len(), s.edges.len() + 3);
    assert_eq!(applied.error, Some(LocationId::new(s.locations.len())));
    assert_eq!(applied.edges[s.edges.len()].label, "[not x >= 0]");
}
