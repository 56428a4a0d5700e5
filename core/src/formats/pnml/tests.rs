//! Reading and writing of PNML.

use super::*;
use crate::diagnostic::Severity;

/// A document with this content of its net.
fn document(inside: &str) -> String {
    format!(
        "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">{inside}</net></pnml>"
    )
}

const NODES: &str = "<place id=\"p\"/><place id=\"q\"><initialMarking><text>2</text></initialMarking></place><transition id=\"t\"/>";

#[test]
fn dialects() {
    // A byte order mark, weights in a tool's part, inhibitor arcs as an element.
    let text = format!(
        "\u{feff}<?xml version=\"1.0\"?>{}",
        document(&format!(
            "<declaration><structure><declarations/></structure></declaration>{NODES}\
             <arc id=\"a\" source=\"q\" target=\"t\"><toolspecific tool=\"Petri.NET\" version=\"1\"><weight>2</weight></toolspecific></arc>\
             <arc id=\"b\" source=\"p\" target=\"t\"><type><text>inhibitor</text></type></arc>\
             <arc id=\"c\" source=\"t\" target=\"p\"><inscription><value>Default,3</value></inscription></arc>"
        ))
    );
    let net = parse(&text).unwrap();
    let t = &net.transitions[0];
    assert_eq!((t.inputs[0].weight, t.inhibitors[0].weight, t.outputs[0].weight), (2, 1, 3));
    // Pages with references, and inhibitor arcs as an attribute.
    let text = document(
        "<page id=\"1\"><place id=\"p\"><name><value>the place</value></name><graphics><position x=\"1.4\" y=\"-2\"/></graphics></place></page>\
         <page id=\"2\"><page id=\"3\"><referencePlace id=\"r\" ref=\"s\"/><referencePlace id=\"s\" ref=\"p\"/></page><transition id=\"t\"/>\
         <arc source=\"r\" target=\"t\" type=\"inhibitor\"/></page>",
    );
    let net = parse(&text).unwrap();
    assert_eq!((net.places.len(), net.transitions[0].inhibitors.len()), (1, 1));
    assert_eq!((net.places[0].label.as_deref(), net.pins["p"]), (Some("the place"), (1, -2)));
}

#[test]
fn attributes_of_tapaal() {
    let tapaal = |arcs: &str| {
        document(&format!(
            "<place id=\"p\" name=\"P\" initialMarking=\"3\" invariant=\"&lt; inf\" positionX=\"10\" positionY=\"20\"/>\
             <place id=\"q\"/><transition id=\"t\" urgent=\"false\" positionX=\"1\" positionY=\"2\"/>{arcs}"
        ))
    };
    let text = tapaal(
        "<arc id=\"a\" source=\"p\" target=\"t\" type=\"timed\" inscription=\"[0,inf)\" weight=\"2\"/>\
         <arc id=\"b\" source=\"t\" target=\"q\" type=\"normal\" inscription=\"1\" weight=\"1\"/>\
         <arc id=\"c\" source=\"q\" target=\"t\" type=\"tapnInhibitor\" inscription=\"[0,inf)\" weight=\"4\"/>",
    );
    let net = parse(&text).unwrap();
    let t = &net.transitions[0];
    assert_eq!((t.inputs[0].weight, t.outputs[0].weight, t.inhibitors[0].weight), (2, 1, 4));
    assert_eq!((net.places[0].tokens, net.places[0].label.as_deref()), (3, Some("P")));
    assert_eq!((net.pins["p"], net.pins["t"]), ((10, 20), (1, 2)));
    let young = tapaal("<arc id=\"a\" source=\"p\" target=\"t\" type=\"timed\" inscription=\"[0,5]\"/>");
    let found = parse(&young).unwrap_err();
    assert_eq!(found[0].message, "ages of tokens are not supported ('[0,5]' of 'a')");
    assert_eq!(found[0].severity, Severity::Unsupported);
}

#[test]
fn contradictions_are_named() {
    let one = |inside: &str| parse(&document(&format!("{NODES}{inside}"))).unwrap_err().remove(0).message;
    let arc = |attributes: &str, inside: &str| {
        one(&format!("<arc id=\"a\" source=\"q\" target=\"t\"{attributes}>{inside}</arc>"))
    };
    let two = "the arc 'a' has two types";
    assert!(arc(" type=\"inhibitor\"", "<type value=\"normal\"/>").starts_with(two));
    assert!(arc("", "<type value=\"normal\"/><type value=\"inhibitor\"/>").starts_with(two));
    assert!(arc(" arctype=\"inhibitor\"", "<type value=\"normal\"/>").starts_with(two));
    assert_eq!(arc("", "<type id=\"inhibitor\"/>"), "the type of the arc 'a' is empty");
    let number = |n: u32| format!("<initialMarking><text>{n}</text></initialMarking>");
    assert_eq!(
        one(&format!("<place id=\"r\">{}{}</place>", number(1), number(2))),
        "'r' has different values of 'initialMarking'"
    );
    let other = "<pnml><net id=\"n\" type=\"http://ex.org/coloured-ptnet\"/></pnml>";
    assert!(parse(other).unwrap_err()[0].message.contains("coloured nets are not supported"));
    // An entity in a comment declares nothing.
    assert!(parse(&document(&format!("<!-- <!ENTITY x> -->{NODES}"))).is_ok());
    let urn = "<pnml><net id=\"n\" type=\"urn:pntd:ptnet\"/></pnml>";
    assert!(parse(urn).is_ok());
    let hidden = "<?xml <!-- ?><!DOCTYPE a [<!ENTITY e \"3\">]><pnml/>";
    assert!(parse(hidden).unwrap_err()[0].message.contains("entities"));
    assert!(
        parse("<!DOCTYPE a [ <!-- - --> <!ENTITY x 'y'> ]><pnml/>").unwrap_err()[0]
            .message
            .contains("entities")
    );
}

#[test]
fn names_are_kept_apart() {
    let text = "net a { place \"x y\" = 1 place x_y transition t: \"x y\" -> x_y }";
    let net = parse(&print(&crate::formats::pn::parse(text).unwrap())).unwrap();
    assert_eq!((net.places[0].name.as_str(), net.places[1].name.as_str()), ("x_y_2", "x_y"));
    let text = document(
        "<place id=\"p\\q\"/><place id=\"pq\"/><place id=\"a&quot;b\"/><place id=\"a'b\"/><place id=\"&#10;\"/><place id=\" \"/>",
    );
    let net = parse(&text).unwrap();
    let again = crate::formats::pn::parse(&crate::formats::pn::print(&net)).unwrap();
    assert_eq!(again.places.len(), 6);
    let again = crate::formats::tina::parse(&crate::formats::tina::print(&net)).unwrap();
    assert_eq!((again.places.len(), again.places[0].name.as_str()), (6, "p\\q"));
}

#[test]
fn writing_and_reading_gives_the_same_net() {
    let text = "net mutex { place idle = 2 place \"at work\" = 7 transition enter: 3 idle -> \"at work\" unless 2 idle
        layout { idle 10 20 enter -5 6 } }";
    let net = crate::formats::pn::parse(text).unwrap();
    let again = parse(&print(&net)).unwrap();
    assert_eq!(again.initial(), net.initial());
    assert_eq!(again.places[1].label.as_deref(), Some("at work"));
    assert_eq!(again.pins, net.pins);
    let weights = |net: &Net| {
        let t = &net.transitions[0];
        [&t.inputs, &t.outputs, &t.inhibitors]
            .map(|arcs| arcs.iter().map(|a| (a.place, a.weight)).collect::<Vec<_>>())
    };
    assert_eq!(weights(&again), weights(&net));
}

#[test]
fn mistakes_and_other_nets_are_named() {
    let one = |inside: &str, span: &str, part: &str| {
        let text = document(inside);
        let found = parse(&text).expect_err(inside);
        let all: Vec<_> = found.iter().map(|d| (d.span.of(&text), d.message.as_str())).collect();
        assert!(all.len() == 1 && all[0].0 == span && all[0].1.contains(part), "{inside}: {all:?}");
        found[0].severity
    };
    let with = |rest: &str| format!("{NODES}{rest}");
    one(
        &with("<arc id=\"a\" source=\"p\" target=\"q\"/>"),
        "<arc id=\"a\" source=\"p\" target=\"q\"/>",
        "two places",
    );
    one(
        &with("<arc id=\"a\" source=\"p\" target=\"x\"/>"),
        "<arc id=\"a\" source=\"p\" target=\"x\"/>",
        "'x', which does not exist",
    );
    one(
        &with("<arc id=\"a\" source=\"t\" target=\"q\" type=\"inhibitor\"/>"),
        "<arc id=\"a\" source=\"t\" target=\"q\" type=\"inhibitor\"/>",
        "from a transition",
    );
    one(
        &with("<arc source=\"p\" target=\"t\"><inscription><text>-2</text></inscription></arc>"),
        "-2",
        "negative",
    );
    one("<place id=\"p\"><initialMarking><text>many</text></initialMarking></place>", "many", "whole number");
    one("<place/>", "<place/>", "no id");
    one("<place id=\"p\"/><place id=\"p\"/>", "<place id=\"p\"/>", "twice");
    let coloured = one(
        "<place id=\"p\"><hlinitialMarking><text>1</text></hlinitialMarking></place>",
        "<hlinitialMarking>",
        "coloured",
    );
    assert_eq!(coloured, Severity::Unsupported);
    let reference = "<referencePlace id=\"r\" ref=\"r\"/>";
    one(reference, reference, "leads to no place");
    one(
        &with("<referenceTransition id=\"r\" ref=\"p\"/>"),
        "<referenceTransition id=\"r\" ref=\"p\"/>",
        "a transition",
    );
    one(
        &with("<referencePlace id=\"q\" ref=\"p\"/>"),
        "<referencePlace id=\"q\" ref=\"p\"/>",
        "declared twice",
    );
    let capacity = "<place id=\"p\"><toolspecific tool=\"x\" version=\"1\"><capacity>3</capacity></toolspecific></place>";
    one(capacity, "3", "capacity");
    let other =
        parse("<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\"/></pnml>");
    assert!(
        other.is_err_and(|d| d[0].severity == Severity::Unsupported && d[0].message.contains("symmetricnet"))
    );
    assert!(
        parse("<pnml><net></pnml>").is_err_and(|d| d[0].message.contains("no XML") && d[0].span.start == 11)
    );
    assert!(parse("").is_err() && parse("<html/>").is_err());
}
