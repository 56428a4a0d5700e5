//! Reading and writing of TINA's nets.

use super::*;

#[test]
fn reads_and_writes() {
    let text = "# a comment\ntr t1 : {a label} [0,w[ p1*6K p2?-1 p4?2 -> p3\ntr t2 p3 ->\n  p1\npl p1 (6K)\npl p4 (2)\nlb p3 done\nnet n\n";
    let net = parse(text).unwrap();
    assert_eq!((net.places.len(), net.transitions.len(), net.arcs(), net.max_weight()), (4, 2, 7, 6000));
    assert!(!net.is_timed() && net.has_inhibitors());
    assert_eq!(net.transitions[0].label.as_deref(), Some("a label"));
    assert_eq!(net.initial(), [6000, 0, 2, 0]);
    let printed = print(&net);
    assert!(printed.contains("tr t1 : {a label} [0,w[ p1*6000 p4?2 p2?-1 -> p3\n"), "{printed}");
    let again = parse(&printed).unwrap();
    assert_eq!((again.arcs(), again.name.as_str(), print(&again)), (net.arcs(), "n", printed));
}

#[test]
fn mistakes_have_places() {
    let one = |text: &str, span: &str, part: &str| {
        let found = parse(text).expect_err(text);
        let all: Vec<_> = found.iter().map(|d| (d.span.of(text), d.message.as_str())).collect();
        assert!(all.len() == 1 && all[0].0 == span && all[0].1.contains(part), "{text}: {all:?}");
    };
    one("tr t p*x -> q", "x", "a number");
    one("tr t p*5000G -> q", "5000G", "too large");
    one("tr t [5,2] p -> q", "[5,2]", "empty");
    one("tr t p!2 -> q", "!", "stopwatch");
    one("tr t p -> q\npr t > u", "pr", "priorities");
    one("tr t p -> q\ntr u t -> q", "t", "is a transition");
    one("hello\ntr t p -> q", "hello", "start of a line");
    one("tr t p*0 -> q", "p", "at least 1");
}
