//! Edits of drawn nets as changes of `.pn` and PNML texts: on examples, the corpus and nets by others, random edits
//! give the intended net, which is written here a second time, and can be undone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use veristep_core::diagnostic::Diagnostic;
use veristep_core::edit::automaton::{Automaton, Edit};
use veristep_core::edit::{Change, Refusal, changed, net};
use veristep_core::formats::{pn, pnml, tina};
use veristep_core::net::{ArcKind, Interval, Net};
use veristep_core::system::Role;
use veristep_tests::random::{Rng, each};
use veristep_tests::{corpus, shared};

use super::edits::{comments, inverse, typed};

/// Texts as people write them: on one line, with repeated arcs, with comments, with other ends of lines.
const ODD: [&str; 6] = [
    "net n { place p = 2 place q transition t: p + 2 q + p -> q unless p, 2 q transition u: -> }",
    "net n { // first\r\n  place \"at work\" \"busy\" = 1 // one\r\n  place p\r\n\r\n  transition t: \"at work\" -> p // moves\r\n  transition u: p ->\r\n  property safe: AG \"at work\" + p <= 1\r\n  layout { p 10 20 \"at work\" 40 50 }\r\n}\r\n",
    "net n {\n  place p = 3 place q\n  transition t: 2*p\n    + q ->\n    q + 3 p /* more */\n    unless q\n  layout {\n    p 1 2 // here\n    t 3 4\n  }\n}\n",
    "net n { place p = 1 [0, 4] /* at once? */ place q [1,3] transition t : p -> q // on\n transition u: q -> }",
    "net n {\n  place p = 2\n  place q\n  transition t \"go\" /* soon */ [ 1 , w [ : p -> q\n  transition u ]0,2[: q -> p\n}\n",
    "/* a */ net /* b */ n /* c */ { /* d */ place /* e */ p /* f */ = /* g */ 1 transition t : /* h */ p /* i */ -> /* j */ p /* k */ } // l\n",
];

const MARKUP: [&str; 5] = [
    "<pnml><net id=\"n\" type=\"ptnet\"><place id=\"p\"/><transition id=\"t\"><toolspecific tool=\"veristep\" version=\"1\"><interval> [1,2] </interval></toolspecific><toolspecific tool=\"other\" version=\"1\"><interval>5</interval></toolspecific></transition><transition id=\"u\"><toolspecific tool=\"veristep\" version=\"1\">\n<interval>[0,3[</interval><note/></toolspecific></transition><arc id=\"a\" source=\"p\" target=\"t\"/></net></pnml>",
    "<pnml>\n<net active=\"true\" id=\"n\" type=\"P/T net\">\n<place id=\"p\" initialMarking=\"3\" invariant=\"&lt; inf\" name=\"p\" positionX=\"10\" positionY=\"20\"/>\n<place id=\"q\" initialMarking=\"0\" name=\"q\" positionX=\"30\" positionY=\"20\"/>\n<transition id=\"t\" name=\"t\" positionX=\"20\" positionY=\"20\" urgent=\"false\"/>\n<arc id=\"a\" inscription=\"[0,inf)\" source=\"p\" target=\"t\" type=\"timed\" weight=\"2\"/>\n<arc id=\"b\" inscription=\"1\" source=\"t\" target=\"q\" type=\"normal\" weight=\"1\"/>\n<arc id=\"c\" inscription=\"[0,inf)\" source=\"q\" target=\"t\" type=\"tapnInhibitor\" weight=\"4\"/>\n</net>\n</pnml>\n",
    "<pnml><net id=\"n\" type=\"ptnet\"><place id=\"p\"/><place id=\"q\"><name><value>q q</value></name><initialMarking><value>2</value></initialMarking></place><transition id=\"t\"/><arc id=\"a\" source=\"p\" target=\"t\"/></net></pnml>",
    "<?xml version=\"1.0\"?>\n<pnml>\n  <net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n    <page id=\"g\">\n      <place id=\"p\">\n        <initialMarking>\n          <text>1</text>\n        </initialMarking>\n        <graphics>\n          <position x=\"10.0\" y=\"20\"/>\n        </graphics>\n      </place>\n      <transition id=\"t\"></transition>\n      <referencePlace id=\"r\" ref=\"p\"/>\n      <!-- arcs -->\n      <arc id=\"a1\" source=\"r\" target=\"t\"/>\n      <arc id=\"a2\" source=\"p\" target=\"t\"><inscription><text>2</text></inscription></arc>\n      <arc id=\"a3\" source=\"p\" target=\"t\" type=\"inhibitor\" />\n    </page>\n  </net>\n</pnml>\n",
    "<pnml>\r\n<net id=\"n\" type=\"P/T net\">\r\n<place id=\"p\"><initialMarking><value>Default,3</value></initialMarking></place>\r\n<transition id=\"t\"/>\r\n<arc id=\"t to p\" source=\"p\" target=\"t\"><inscription><value>Default,2</value></inscription><type value=\"inhibitor\"/></arc>\r\n</net>\r\n</pnml>",
];

type Edited = Result<Vec<Vec<Change>>, Refusal>;

/// A language of nets.
struct Language {
    edit: fn(&str, &[Edit]) -> Edited,
    automaton: fn(&str) -> Result<Automaton, Vec<Diagnostic>>,
    parse: fn(&str) -> Result<Net, Vec<Diagnostic>>,
}

const PN: Language = Language { edit: pn::edit, automaton: pn::automaton, parse: pn::parse };
const PNML: Language = Language { edit: pnml::edit, automaton: pnml::automaton, parse: pnml::parse };

fn collect(folder: &Path, ending: &str, texts: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let entry = entry.expect("readable").path();
        if entry.is_dir() {
            collect(&entry, ending, texts);
        } else if entry.extension().is_some_and(|own| own == ending) {
            texts.extend(fs::read_to_string(&entry).ok());
        }
    }
}

/// The texts with this ending that are nets of a moderate size.
fn texts(ending: &str, parse: fn(&str) -> Result<Net, Vec<Diagnostic>>) -> Vec<String> {
    let mut texts = Vec::new();
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    collect(&corpus(), ending, &mut texts);
    collect(&project.join("static/examples"), ending, &mut texts);
    shared("models").iter().for_each(|folder| collect(folder, ending, &mut texts));
    texts.retain(|text| text.len() < 60_000 && parse(text).is_ok());
    texts.sort();
    texts
}

/// Intervals of time as people type them, and as they are written; none stands for what is refused.
const INTERVALS: [(&str, Option<&str>); 9] = [
    ("[2,5]", Some("[2,5]")),
    (" 2 , 5 ", Some("[2,5]")),
    ("[1,w[", Some("[1,w[")),
    ("3,∞", Some("[3,w[")),
    ("]0,4[", Some("]0,4[")),
    ("", Some("")),
    ("  ", Some("")),
    ("[5,2]", None),
    ("soon", None),
];

/// A net by names: tokens, transitions, weights of arcs, intervals of time.
#[derive(Clone, PartialEq, Debug)]
struct Named {
    intervals: BTreeMap<String, Interval>,
    places: BTreeMap<String, u32>,
    transitions: BTreeSet<String>,
    arcs: BTreeMap<(String, String, ArcKind), u32>,
}

fn named(net: &Net) -> Named {
    let mut arcs = BTreeMap::new();
    for t in &net.transitions {
        for (kind, list) in
            [(ArcKind::Input, &t.inputs), (ArcKind::Output, &t.outputs), (ArcKind::Inhibitor, &t.inhibitors)]
        {
            for arc in list {
                arcs.insert((net.place(arc.place).name.clone(), t.name.clone(), kind), arc.weight);
            }
        }
    }
    let places = net.places.iter().map(|p| (&p.name, p.delay));
    let intervals = places.chain(net.transitions.iter().map(|t| (&t.name, t.delay)));
    Named {
        intervals: intervals.filter_map(|(name, delay)| Some((name.clone(), delay?))).collect(),
        places: net.places.iter().map(|p| (p.name.clone(), p.tokens)).collect(),
        transitions: net.transitions.iter().map(|t| t.name.clone()).collect(),
        arcs,
    }
}

/// The arc of an edge between these ends.
fn arc_of(before: &Named, source: &str, target: &str, label: &str) -> ((String, String, ArcKind), u32) {
    let (inhibitor, weight) = net::read(label).expect("a label");
    let own = |name: &str| name.to_owned();
    match before.places.contains_key(source) {
        true if inhibitor => ((own(source), own(target), ArcKind::Inhibitor), weight),
        true => ((own(source), own(target), ArcKind::Input), weight),
        false => ((own(target), own(source), ArcKind::Output), weight),
    }
}

/// The net after an edit.
fn expected(mut net: Named, before: &Automaton, edit: &Edit) -> Named {
    let arc = |net: &Named, edge: usize| {
        let edge = &before.edges[edge];
        arc_of(net, &edge.source, &edge.target, edge.statements.first().map_or("", String::as_str))
    };
    match edit {
        Edit::AddLocation { name, .. } => drop(net.places.insert(name.clone(), 0)),
        Edit::AddTransition { name } => drop(net.transitions.insert(name.clone())),
        Edit::SetTokens { place, tokens } => *net.places.get_mut(place).unwrap() = *tokens,
        Edit::SetInterval { node, interval } => {
            let written = INTERVALS.iter().find(|(typed, _)| typed == interval).and_then(|(_, text)| *text);
            net.intervals.remove(node);
            net.intervals.extend(own_interval(written.expect("no refused one")).map(|it| (node.clone(), it)));
        }
        Edit::Connect { source, target, statements } => {
            let (arc, weight) = arc_of(&net, source, target, statements);
            assert!(net.arcs.insert(arc, weight).is_none(), "an arc twice");
        }
        Edit::SetStatements { edge, statements } => {
            let EdgeEnds { source, target } = ends(before, *edge);
            net.arcs.remove(&arc(&net, *edge).0);
            let (arc, weight) = arc_of(&net, source, target, statements);
            assert!(net.arcs.insert(arc, weight).is_none(), "an arc twice");
        }
        Edit::Reconnect { edge, source, target } => {
            net.arcs.remove(&arc(&net, *edge).0);
            let label = before.edges[*edge].statements.first().map_or("", String::as_str);
            let (arc, weight) = arc_of(&net, source, target, label);
            assert!(net.arcs.insert(arc, weight).is_none(), "an arc twice");
        }
        Edit::Rename { location, name } => {
            let other = |own: &String| if own == location { name.clone() } else { own.clone() };
            net.places = net.places.iter().map(|(own, tokens)| (other(own), *tokens)).collect();
            net.intervals = net.intervals.iter().map(|(own, it)| (other(own), *it)).collect();
            net.transitions = net.transitions.iter().map(other).collect();
            net.arcs = (net.arcs.iter())
                .map(|((place, transition, kind), weight)| {
                    ((other(place), other(transition), *kind), *weight)
                })
                .collect();
        }
        Edit::Delete { locations, edges } => {
            for edge in edges {
                net.arcs.remove(&arc(&net, *edge).0);
            }
            let gone = |name: &String| locations.contains(name);
            net.places.retain(|name, _| !gone(name));
            net.transitions.retain(|name| !gone(name));
            net.intervals.retain(|name, _| !gone(name));
            net.arcs.retain(|(place, transition, _), _| !gone(place) && !gone(transition));
        }
        _ => {}
    }
    net
}

/// The interval with this text; none if it is empty.
fn own_interval(text: &str) -> Option<Interval> {
    let (least, most) = text.get(1..text.len().saturating_sub(1))?.split_once(',')?;
    Some(Interval {
        least: least.parse().ok()?,
        after_least: text.starts_with(']'),
        most: most.parse().ok(),
        before_most: text.ends_with('['),
    })
}

struct EdgeEnds<'a> {
    source: &'a str,
    target: &'a str,
}

fn ends(net: &Automaton, edge: usize) -> EdgeEnds<'_> {
    EdgeEnds { source: &net.edges[edge].source, target: &net.edges[edge].target }
}

fn node(net: &Automaton, rng: &mut Rng) -> String {
    rng.pick(&net.locations).0.clone()
}

fn random(net: &Automaton, rng: &mut Rng) -> Edit {
    let fresh = |rng: &mut Rng| format!("new_{}", rng.below(1_000_000));
    let label = |rng: &mut Rng| (*rng.pick(&["", "2", "inhibitor", "inhibitor 3", " 7 ", "1"])).to_owned();
    let edges = net.edges.len();
    match rng.below(12) {
        0 => Edit::AddLocation { name: fresh(rng), role: Role::Plain },
        1 => Edit::AddTransition { name: fresh(rng) },
        2 | 3 => Edit::Connect { source: node(net, rng), target: node(net, rng), statements: label(rng) },
        4 => Edit::Rename { location: node(net, rng), name: fresh(rng) },
        10 | 11 => Edit::SetInterval { node: node(net, rng), interval: rng.pick(&INTERVALS).0.to_owned() },
        5 => Edit::SetTokens { place: node(net, rng), tokens: rng.below(4) as u32 },
        6 if edges > 0 => Edit::SetStatements { edge: rng.below(edges), statements: label(rng) },
        7 if edges > 0 => {
            let edge = rng.below(edges);
            let EdgeEnds { source, target } = ends(net, edge);
            match rng.one_in(2) {
                true => Edit::Reconnect { edge, source: node(net, rng), target: target.to_owned() },
                false => Edit::Reconnect { edge, source: source.to_owned(), target: node(net, rng) },
            }
        }
        8 => {
            let locations = if rng.one_in(2) { vec![node(net, rng)] } else { vec![] };
            let edges = (0..rng.below(3)).filter(|_| edges > 0).map(|_| rng.below(edges)).collect();
            Edit::Delete { locations, edges }
        }
        _ => {
            let pin =
                |rng: &mut Rng| (!rng.one_in(3)).then(|| (rng.below(900) as i32 - 99, rng.below(900) as i32));
            let places = (0..rng.below(4)).map(|_| (node(net, rng), pin(rng))).collect::<BTreeMap<_, _>>();
            Edit::Move { places: places.into_iter().collect() }
        }
    }
}

/// The text after an edit, which gave the intended net and can be undone.
fn check(language: &Language, text: &str, wanted: &Edit, changes: &[Change]) -> String {
    let new = changed(text, changes).expect("changes in order");
    assert_eq!(changed(&new, &inverse(text, changes)).as_deref(), Some(text), "undoing {wanted:?}");
    let context = || format!("{wanted:?}\n{text}\n---\n{new}");
    let (before, after) = ((language.parse)(text).unwrap(), (language.parse)(&new).unwrap());
    let automaton = (language.automaton)(text).unwrap();
    assert_eq!(named(&after), expected(named(&before), &automaton, wanted), "{}", context());
    assert_eq!(after.properties.len(), before.properties.len(), "{}", context());
    let labels = |net: &Net| net.places.iter().filter(|p| p.label.is_some()).count();
    assert!(matches!(wanted, Edit::Delete { .. } | Edit::Rename { .. }) || labels(&after) >= labels(&before));
    let pins = |net: &Automaton| net.pins.clone();
    let now = pins(&(language.automaton)(&new).unwrap());
    match wanted {
        Edit::Move { places } => {
            for (name, pin) in places {
                assert_eq!(now.get(name), pin.as_ref(), "{}", context());
            }
        }
        Edit::Delete { locations, .. } => assert!(locations.iter().all(|name| !now.contains_key(name))),
        Edit::Rename { .. } => assert_eq!(now.len(), automaton.pins.len(), "{}", context()),
        _ => assert_eq!(now, automaton.pins, "{}", context()),
    }
    new
}

/// Random edits of texts, with typing in between; the numbers of those that were carried out and refused.
fn edited(language: &Language, texts: &[String], times: u64) -> (usize, usize) {
    let (mut done, mut refused) = (0, 0);
    each(0..times, |rng| {
        let mut text = rng.pick(texts).clone();
        for _ in 0..1 + rng.below(6) {
            let net = (language.automaton)(&text).unwrap();
            if net.locations.is_empty() {
                return;
            }
            if rng.one_in(4) {
                let new = typed(&text, rng);
                if (language.parse)(&new).is_ok() {
                    text = new;
                    continue;
                }
            }
            let wanted = random(&net, rng);
            match (language.edit)(&text, std::slice::from_ref(&wanted)) {
                Ok(changes) => {
                    done += 1;
                    text = check(language, &text, &wanted, &changes.concat());
                }
                Err(refusal) => {
                    refused += 1;
                    assert!(!refusal.0.contains("cannot be written"), "{wanted:?}: {refusal}\n{text}");
                }
            }
        }
    });
    (done, refused)
}

#[test]
fn random_edits_of_pn_texts_give_the_intended_net_and_can_be_undone() {
    let mut all: Vec<String> = ODD.map(str::to_owned).to_vec();
    all.extend(texts("pn", pn::parse));
    all.extend(texts("net", tina::parse).iter().map(|text| pn::print(&tina::parse(text).unwrap())));
    let (done, refused) = edited(&PN, &all, 3_000);
    assert!(done > refused, "{done} edits, {refused} refused");
}

#[test]
fn random_edits_of_pnml_texts_give_the_intended_net_and_can_be_undone() {
    let mut all: Vec<String> = MARKUP.map(str::to_owned).to_vec();
    assert!(all.iter().all(|text| pnml::parse(text).is_ok()));
    all.extend(texts("pnml", pnml::parse));
    all.extend(texts("pn", pn::parse).iter().map(|text| pnml::print(&pn::parse(text).unwrap())));
    let (done, refused) = edited(&PNML, &all, 2_000);
    assert!(done > refused, "{done} edits, {refused} refused");
}

fn interval(node: &str, typed: &str) -> Edit {
    Edit::SetInterval { node: node.to_owned(), interval: typed.to_owned() }
}

#[test]
fn comments_stay() {
    for text in ODD {
        for wanted in [
            Edit::AddLocation { name: "new".to_owned(), role: Role::Plain },
            Edit::AddTransition { name: "new".to_owned() },
            Edit::SetTokens { place: "p".to_owned(), tokens: 9 },
            interval("t", ""),
            interval("t", "[2,3]"),
            Edit::Connect { source: "t".to_owned(), target: "p".to_owned(), statements: "5".to_owned() },
            Edit::Rename { location: "p".to_owned(), name: "other place".to_owned() },
            Edit::Move { places: vec![("p".to_owned(), Some((7, 8))), ("t".to_owned(), None)] },
        ] {
            let Ok(changes) = pn::edit(text, std::slice::from_ref(&wanted)) else { continue };
            let new = changed(text, &changes.concat()).unwrap();
            assert_eq!(comments(&new), comments(text), "{wanted:?}\n{new}");
        }
    }
}

#[test]
fn a_net_is_drawn_from_nothing() {
    let edits = [
        Edit::AddLocation { name: "idle".to_owned(), role: Role::Plain },
        Edit::SetTokens { place: "idle".to_owned(), tokens: 2 },
        Edit::AddTransition { name: "enter".to_owned() },
        Edit::Connect { source: "idle".to_owned(), target: "enter".to_owned(), statements: String::new() },
        Edit::AddLocation { name: "busy".to_owned(), role: Role::Plain },
        Edit::Connect { source: "enter".to_owned(), target: "busy".to_owned(), statements: "3".to_owned() },
        Edit::Connect {
            source: "busy".to_owned(),
            target: "enter".to_owned(),
            statements: "inhibitor".to_owned(),
        },
        Edit::SetInterval { node: "enter".to_owned(), interval: "2,w".to_owned() },
        Edit::Move { places: vec![("idle".to_owned(), Some((40, 60)))] },
    ];
    let all = |language: &Language| {
        let lists = (language.edit)("", &edits).unwrap();
        lists.iter().fold(String::new(), |text, one| changed(&text, one).unwrap())
    };
    let expected = "net drawn {\n  place idle = 2\n  place busy\n\n  transition enter [2,w[: idle -> 3 busy unless busy\n\n  layout {\n    idle 40 60\n  }\n}\n";
    assert_eq!(all(&PN), expected);
    let (one, other) = (pn::parse(expected).unwrap(), pnml::parse(&all(&PNML)).unwrap());
    assert_eq!((named(&one), &one.pins), (named(&other), &other.pins));
}

#[test]
fn a_part_is_pasted_with_other_names() {
    let text = "net n {\n  place p = 1\n  transition t [1,4]: p -> 2 p unless p\n  layout { p 1 2 }\n}\n";
    let part = net::copied(&pn::automaton(text).unwrap().part(&["p".to_owned(), "t".to_owned()]));
    for language in [&PN, &PNML] {
        let text = match (language.parse)(text) {
            Ok(_) => text.to_owned(),
            Err(_) => pnml::print(&pn::parse(text).unwrap()),
        };
        let lists = (language.edit)(&text, &[Edit::Paste { text: part.clone() }]).unwrap();
        let new = lists.iter().fold(text, |text, one| changed(&text, one).unwrap());
        let net = named(&(language.parse)(&new).unwrap());
        assert_eq!(net.places, BTreeMap::from([("p".to_owned(), 1), ("p2".to_owned(), 1)]), "{new}");
        let interval = own_interval("[1,4]").unwrap();
        let intervals = ["t", "t2"].map(|name| (name.to_owned(), interval));
        assert_eq!(net.intervals, intervals.into_iter().collect(), "{new}");
        let own = |place: &str, transition: &str| {
            [(ArcKind::Input, 1), (ArcKind::Output, 2), (ArcKind::Inhibitor, 1)]
                .map(|(kind, weight)| ((place.to_owned(), transition.to_owned(), kind), weight))
        };
        assert_eq!(net.arcs, own("p", "t").into_iter().chain(own("p2", "t2")).collect(), "{new}");
    }
}

#[test]
fn what_nets_do_not_have_is_refused_in_their_words() {
    let text = "net n {\n  place p\n  place q\n  transition t: p -> q\n  transition u: ->\n}\n";
    let connect = |source: &str, target: &str, label: &str| Edit::Connect {
        source: source.to_owned(),
        target: target.to_owned(),
        statements: label.to_owned(),
    };
    for (wanted, why) in [
        (connect("p", "q", ""), "'p' and 'q' are both places: an arc connects a place with a transition"),
        (connect("t", "u", ""), "'t' and 'u' are both transitions"),
        (connect("p", "t", ""), "there is such an arc from 'p' to 't' already"),
        (connect("t", "p", "inhibitor"), "an inhibitor arc leads from a place to a transition"),
        (connect("p", "u", "0"), "'0' is no weight"),
        (connect("p", "u", "-1"), "'-1' is no weight"),
        (connect("p", "u", "many"), "'many' is no weight"),
        (interval("t", "[5,2]"), "'[5,2]' is no interval of time, as in [2,5] or [2,w[: this interval"),
        (interval("t", "[-1,2]"), "'[-1,2]' is no interval of time, as in [2,5] or [2,w[: numbers"),
        (interval("t", "soon"), "'[soon]' is no interval of time"),
        (interval("r", "[1,2]"), "there is no 'r'"),
        (Edit::SetTokens { place: "t".to_owned(), tokens: 1 }, "there is no place 't'"),
        (Edit::Rename { location: "p".to_owned(), name: "t".to_owned() }, "there is a 't' already"),
        (Edit::Rename { location: "p".to_owned(), name: " ".to_owned() }, "' ' cannot be"),
        (Edit::SetRole { location: "p".to_owned(), role: Role::Error }, "nets have places"),
        (Edit::AddVariable { name: "x".to_owned(), ty: "int".to_owned() }, "nets have places"),
        (Edit::Paste { text: "x + 1".to_owned() }, "the clipboard has no part of a net"),
    ] {
        for (language, text) in [(&PN, text.to_owned()), (&PNML, pnml::print(&pn::parse(text).unwrap()))] {
            let refusal = (language.edit)(&text, std::slice::from_ref(&wanted)).unwrap_err();
            assert!(refusal.0.starts_with(why), "{wanted:?}: {refusal}");
        }
    }
}
