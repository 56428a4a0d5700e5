//! Reading and writing of `.pn` texts.

use super::*;
use crate::net::Interval;

const MUTEX: &str = "net mutex { // with a burst
  place idle = 2
  place \"at work\" \"busy\"
  place lock = 1
  transition enter: idle + lock -> \"at work\"
  transition leave [2,w[: \"at work\" -> idle + lock
  transition burst: 2 idle -> unless lock, 3*\"at work\"
  property exclusive: AG \"at work\" <= 1
  property deadlock: deadlock-free &&
    true
  layout { idle 10 -20 \"at work\" 3 4 }
}
";

#[test]
fn reads_nets() {
    let net = parse(MUTEX).unwrap();
    assert_eq!((net.places.len(), net.transitions.len(), net.arcs(), net.max_weight()), (3, 3, 9, 3));
    assert_eq!(net.initial(), [2, 0, 1]);
    assert_eq!(net.places[1].label.as_deref(), Some("busy"));
    let delay = Interval { least: 2, after_least: false, most: None, before_most: true };
    assert_eq!(net.transitions[1].delay, Some(delay));
    assert!(net.is_timed());
    assert_eq!(net.properties[1].text, "deadlock-free &&\n    true");
    assert_eq!(net.pins["at work"], (3, 4));
}

#[test]
fn printing_and_reading_gives_the_same_net() {
    let net = parse(MUTEX).unwrap();
    let printed = print(&net);
    let again = parse(&printed).unwrap();
    assert_eq!(print(&again), printed);
    assert_eq!((again.initial(), again.arcs(), &again.pins), (net.initial(), net.arcs(), &net.pins));
    assert_eq!(
        printed.lines().nth(7),
        Some("  transition burst: 2 idle -> unless 3 \"at work\", lock"),
        "{printed}"
    );
}

#[test]
fn mistakes_have_places() {
    let errors = |text: &str| {
        let found = parse(text).expect_err(text);
        found.into_iter().map(|d| (d.span.of(text).to_owned(), d.message)).collect::<Vec<_>>()
    };
    let one = |text: &str, span: &str, part: &str| {
        let found = errors(text);
        assert!(found.len() == 1 && found[0].0 == span && found[0].1.contains(part), "{text}: {found:?}");
    };
    one("net n { place p place p }", "place p", "declared twice");
    one("net n { place p transition p: -> }", "transition p: ->", "declared twice");
    one("net n { place p transition t: q -> p }", "q", "there is no place 'q'");
    one("net n { place p transition t: -> p transition u: t -> }", "t", "is a transition");
    one("net n { place p transition t: 0 p -> }", "p", "at least 1");
    one("net n { place p = -1 }", "-1", "not negative");
    one("net n { place p = 4294967296 }", "4294967296", "too large");
    one("net n { place p [5,2] }", "[5,2]", "empty");
    one("net n { place p [5,w] }", "[5,w]", "open");
    one("net n { property p: }", "p", "is empty");
    one("net n { place p } x", "x", "the end of the text");
    one("net n { place p", "", "expected");
    assert_eq!(errors("net n { place = 1 transition : -> place not }").len(), 3);
}
