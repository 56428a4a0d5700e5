//! Nets of ROMEO as texts.

use super::*;

const NET: &str = r#"<?xml version="1.0"?>
<TPN name="/some/where/small.xml">
  <place id="1" label="far" initialMarking="1"><graphics><position x="10.0" y="20"/></graphics></place>
  <place id="2" label="near" initialMarking="0"><scheduling gamma="0" omega="0"/></place>
  <transition id="1" label="App" eft="2" lft="infini"/>
  <transition id="2" label="App" eft="0" lft="4"/>
  <arc place="1" transition="1" type="PlaceTransition" weight="1"/>
  <arc place="2" transition="1" type="TransitionPlace" weight="2"/>
  <arc place="2" transition="2" type="logicalInhibitor" weight="3"/>
</TPN>"#;

#[test]
fn reads_places_transitions_and_arcs() {
    let net = parse(NET).unwrap();
    assert_eq!(net.name, "small.xml");
    let names = |of: Vec<&String>| of.into_iter().cloned().collect::<Vec<_>>();
    assert_eq!(names(net.places.iter().map(|p| &p.name).collect()), ["far", "near"]);
    assert_eq!(names(net.transitions.iter().map(|t| &t.name).collect()), ["App_1", "App_2"]);
    let delay = |t: usize| net.transitions[t].delay.unwrap();
    assert_eq!(delay(0).to_string(), "[2,w[");
    assert_eq!((delay(1).least, delay(1).most), (0, Some(4)));
    assert_eq!(net.transitions[0].outputs[0].weight, 2);
    assert_eq!(net.transitions[1].inhibitors[0].weight, 3);
    assert!(net.pins.contains_key("far"));
}

#[test]
fn refuses_with_places() {
    for (old, new, expected) in [
        ("logicalInhibitor", "flush", "arcs of the type 'flush' are not supported"),
        ("gamma=\"0\"", "gamma=\"1\"", "scheduling of 'near' is not supported"),
        ("eft=\"0\" lft=\"4\"", "eft=\"5\" lft=\"4\"", "the interval of 'App_2' is empty"),
        ("lft=\"4\"", "lft=\"x\"", "expected a whole number, but this is 'x'"),
        ("place=\"1\" tr", "place=\"7\" tr", "the place of this arc does not exist"),
        ("place id=\"2\"", "place id=\"1\"", "there are two places with the id '1'"),
        ("<TPN", "<PNT", "this is no XML"),
    ] {
        let text = NET.replacen(old, new, 1);
        let problems = parse(&text).unwrap_err();
        assert!(problems[0].message.starts_with(expected), "{}", problems[0].message);
        assert!(problems[0].span.start > 0);
    }
}
