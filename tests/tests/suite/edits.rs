//! Edits of drawings as changes of texts: on the examples, the corpus and models by others, random edits give the
//! intended model, can be undone, and lose nothing of the rest.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use veristep_core::diagnostic::Span;
use veristep_core::edit::automaton::{Automaton, Edit};
use veristep_core::edit::{Change, Refusal, changed};
use veristep_core::formats::cfa::{self, automaton, copied, edit};
use veristep_core::system::{Location, LocationId, Role, System};
use veristep_tests::random::{Rng, each};
use veristep_tests::{corpus, shared};

/// Texts as people write them: on one line, with other ends of lines, with comments at all places.
const ODD: [&str; 4] = [
    "main process m { var x : int init loc A error loc E A -> A { x := 1; x := 2; } A -> E { assume x > 3 } }",
    "// first\r\nmain process m {\r\n\tvar x : int // x\r\n\tinit loc A // a\r\n\tloc B\r\n\r\n\tA -> B {\r\n\t\tx := 1; // one\r\n\t\thavoc x // any\r\n\t}\r\n\tB -> A\r\n}\r\n// layout B 10 20\r\n// layout Z 1 1",
    "/* a */ main /* b */ process m { /* c */ init /* d */ loc /* e */ A /* f */ loc B A /* g */ -> /* h */ B { /* i */ } B -> B { // j\n } } // k",
    "var g : [int] -> int\nmain process m {\n    init loc A\n    loc B  A -> B { assume\n  g[0] > 1 // more\n or true } // after\n    final loc F\n    B -> F\n    B -> B { g := g[1 <- 2] g := g[2 <- 3] }\n}",
];

fn collect(folder: &Path, texts: &mut Vec<String>) {
    for entry in
        fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("readable").path())
    {
        if entry.is_dir() {
            collect(&entry, texts);
        } else if entry.extension().is_some_and(|ending| ending == "cfa") {
            texts.push(fs::read_to_string(&entry).expect("a text"));
        }
    }
}

/// The texts of automata that can be read.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = ODD.map(str::to_owned).to_vec();
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    collect(&corpus(), &mut texts);
    collect(&project.join("static/examples"), &mut texts);
    shared("models").iter().for_each(|folder| collect(folder, &mut texts));
    texts.retain(|text| cfa::parse(text).is_ok());
    texts.sort();
    texts
}

fn location(model: &Automaton, rng: &mut Rng) -> String {
    rng.pick(&model.locations).0.clone()
}

/// Statements of an edge of the model, perhaps of several.
fn statements(model: &Automaton, rng: &mut Rng) -> String {
    let edges: Vec<_> = model.edges.iter().filter(|edge| !edge.statements.is_empty()).collect();
    let count = if edges.is_empty() { 0 } else { rng.below(4) };
    let one = |rng: &mut Rng| {
        let edge = *rng.pick(&edges);
        rng.pick(&edge.statements).clone()
    };
    let all: Vec<String> = (0..count).map(|_| one(rng)).collect();
    all.join(*rng.pick(&["\n", "; ", " "]))
}

fn random(model: &Automaton, rng: &mut Rng) -> Edit {
    let role = |rng: &mut Rng| *rng.pick(&[Role::Plain, Role::Initial, Role::Final, Role::Error]);
    let fresh = |rng: &mut Rng| format!("new_{}", rng.below(1_000_000));
    match rng.below(9) {
        0 => Edit::AddLocation { name: fresh(rng), role: role(rng) },
        1 => Edit::Connect {
            source: location(model, rng),
            target: location(model, rng),
            statements: statements(model, rng),
        },
        2 => Edit::Rename { location: location(model, rng), name: fresh(rng) },
        3 => Edit::SetRole { location: location(model, rng), role: role(rng) },
        4 if !model.edges.is_empty() => {
            Edit::SetStatements { edge: rng.below(model.edges.len()), statements: statements(model, rng) }
        }
        8 => Edit::AddVariable {
            name: fresh(rng),
            ty: (*rng.pick(&["int", "bool", "[int] -> int", " rat"])).to_owned(),
        },
        5 if !model.edges.is_empty() => Edit::Reconnect {
            edge: rng.below(model.edges.len()),
            source: location(model, rng),
            target: location(model, rng),
        },
        6 => {
            let locations = if rng.one_in(2) { vec![location(model, rng)] } else { vec![] };
            let edges = (0..rng.below(3)).filter(|_| !model.edges.is_empty());
            let edges = edges.map(|_| rng.below(model.edges.len().max(1))).collect();
            Edit::Delete { locations, edges }
        }
        _ => {
            let pin =
                |rng: &mut Rng| (!rng.one_in(3)).then(|| (rng.below(900) as i32 - 99, rng.below(900) as i32));
            let places =
                (0..rng.below(4)).map(|_| (location(model, rng), pin(rng))).collect::<BTreeMap<_, _>>();
            Edit::Move { places: places.into_iter().collect() }
        }
    }
}

/// Copies locations of a text and pastes them there: the text as it was, and a copy with other names.
fn pasted(text: &str, rng: &mut Rng) -> Option<String> {
    let before = automaton(text).unwrap();
    let chosen: Vec<String> =
        before.locations.iter().filter(|_| rng.one_in(3)).map(|l| l.0.clone()).collect();
    let part = before.part(&chosen);
    if part.locations.is_empty() {
        return None;
    }
    let wanted = Edit::Paste { text: copied(&part) };
    let lists = edit(text, &[wanted]).unwrap_or_else(|why| panic!("{why}: {part:?}\n{text}"));
    let new = lists.iter().fold(text.to_owned(), |text, changes| changed(&text, changes).unwrap());
    let after = automaton(&new).unwrap();
    let (locations, edges) = (before.locations.len(), before.edges.len());
    assert_eq!(after.variables, before.variables, "{new}");
    assert_eq!(
        (&after.locations[..locations], &after.edges[..edges]),
        (&before.locations[..], &before.edges[..])
    );
    let names: BTreeMap<&str, &str> = part
        .locations
        .iter()
        .zip(&after.locations[locations..])
        .map(|(old, new)| (&*old.0, &*new.0))
        .collect();
    assert_eq!(names.len(), after.locations.len() - locations, "{new}");
    let copies = after.edges[edges..].iter().map(|edge| (&*edge.source, &*edge.target, &edge.statements));
    let wanted = part.edges.iter().map(|edge| (names[&*edge.source], names[&*edge.target], &edge.statements));
    assert!(copies.eq(wanted), "{part:?}\n{new}");
    let pins: Vec<_> = before.pins.keys().filter(|name| !after.pins.contains_key(*name)).collect();
    assert!(pins.is_empty(), "{pins:?} are not in their places any more: {new}");
    for (name, new_name) in &names {
        assert_eq!(before.pins.contains_key(*name), after.pins.contains_key(*new_name), "{new}");
        assert!(
            before.pins.values().all(|pin| Some(pin) != after.pins.get(*new_name)),
            "{new_name} covers another"
        );
    }
    Some(new)
}

#[test]
fn what_is_copied_can_be_pasted() {
    let texts = texts();
    let mut done = 0;
    each(0..600, |rng| {
        let text = rng.pick(&texts);
        if text.len() < 20_000 {
            let once = pasted(text, rng);
            done += usize::from(once.is_some());
            once.and_then(|text| pasted(&text, rng));
        }
    });
    assert!(done > 200, "{done}");
}

#[test]
fn a_part_is_pasted_into_another_automaton() {
    let part = "var x : int\nvar y : int\ninit loc A\nerror loc l1\nA -> l1 {\n    x := 1\n    y := x\n}\n// layout A 10 20";
    let paste = |text: &str, part: &str| {
        let lists = edit(text, &[Edit::Paste { text: part.to_owned() }])?;
        Ok::<_, Refusal>(lists.iter().fold(text.to_owned(), |text, one| changed(&text, one).unwrap()))
    };
    let text =
        "main process m {\n    var y : int\n    init loc A\n    loc l1\n    loc l2\n}\n\n// layout A 10 20\n";
    let expected = "main process m {\n    var y : int\n    var x : int\n    init loc A\n    loc l1\n    loc l2\n    loc A2\n    error loc l3\n\n    A2 -> l3 {\n        x := 1\n        y := x\n    }\n}\n\n// layout A 10 20\n// layout A2 50 60\n";
    assert_eq!(paste(text, part).as_deref(), Ok(expected));
    assert_eq!(
        paste("", "init loc A\nloc B\nA -> B").as_deref(),
        Ok("main process automaton {\n    init loc A\n    loc B\n\n    A -> B\n}\n")
    );
    assert_eq!(
        paste("", expected).as_deref(),
        Ok(expected.replace("process m", "process automaton").as_str())
    );
    let refused = |part: &str| paste(text, part).unwrap_err().0;
    assert_eq!(refused("x + 1"), "the clipboard has no locations of an automaton");
    assert_eq!(refused(""), "the clipboard has no locations of an automaton");
    assert_eq!(refused("loc B\nB -> B { z := 1 }"), "unknown variable 'z'");
}

/// The system after an edit, if that can be said of systems: edges with several statements have other parts there, and
/// variables may be replaced by values that depend on all edges.
fn expected(mut system: System, edit: &Edit) -> Option<String> {
    if system.has_known_values {
        return None;
    }
    let find = |system: &System, name: &str| system.locations.iter().position(|l| l.name == name);
    let give_up = |system: &mut System, role: Role| {
        system.locations.iter_mut().filter(|l| l.role == role).for_each(|l| l.role = Role::Plain);
    };
    match edit {
        Edit::Move { .. } => {}
        Edit::AddLocation { name, role } => {
            give_up(&mut system, *role);
            let at = system.locations.iter().take_while(|location| !location.anonymous).count();
            let span = system.locations[0].span;
            system.locations.insert(at, Location { name: name.clone(), role: *role, anonymous: false, span });
            let moved = |id: LocationId| LocationId::new(id.index() + usize::from(id.index() >= at));
            for edge in &mut system.edges {
                (edge.source, edge.target) = (moved(edge.source), moved(edge.target));
            }
        }
        Edit::Rename { location, name } => {
            let at = find(&system, location)?;
            system.locations[at].name.clone_from(name);
        }
        Edit::SetRole { location, role } => {
            let at = find(&system, location)?;
            give_up(&mut system, *role);
            system.locations[at].role = *role;
        }
        _ => return None,
    }
    Some(printed(system))
}

/// The text of a system; locations between statements are called by their numbers.
fn printed(mut system: System) -> String {
    for (i, location) in system.locations.iter_mut().enumerate().filter(|(_, location)| location.anonymous) {
        location.name = format!("between_{i}");
    }
    cfa::print(&system)
}

/// The comments of a text, without lines with places.
pub(super) fn comments(text: &str) -> BTreeMap<&str, usize> {
    let mut all = BTreeMap::new();
    let mut rest = text;
    while let Some(at) = rest.find(['/']) {
        rest = &rest[at..];
        let end = match rest.get(..2) {
            Some("//") => rest.find(['\r', '\n']).unwrap_or(rest.len()),
            Some("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ => 1,
        };
        if end > 1 && !rest.starts_with("// layout") {
            *all.entry(&rest[..end]).or_default() += 1;
        }
        rest = &rest[end..];
    }
    all
}

/// The changes that undo changes of a text.
pub(super) fn inverse(text: &str, changes: &[Change]) -> Vec<Change> {
    let (mut before, mut after) = (0, 0);
    let back = |Change { span, text: by }: &Change| {
        let start = after + (span.start as usize - before);
        (before, after) = (span.end as usize, start + by.len());
        Change { span: Span::new(start, after), text: span.of(text).to_owned() }
    };
    changes.iter().map(back).collect()
}

fn check(text: &str, wanted: &Edit, changes: &[Change]) -> String {
    let new = changed(text, changes).expect("changes in order");
    let back = inverse(text, changes);
    assert_eq!(changed(&new, &back).as_deref(), Some(text), "undoing {wanted:?}");
    let context = || format!("{wanted:?}\n{text}\n---\n{new}");
    let (before, after) = (automaton(text).unwrap(), automaton(&new).unwrap());
    if let Some(expected) = expected(cfa::parse(text).unwrap(), wanted) {
        assert_eq!(printed(cfa::parse(&new).unwrap()), expected, "{}", context());
    }
    let count = |edges: usize| assert_eq!(after.edges.len(), edges, "{}", context());
    match wanted {
        Edit::AddVariable { name, ty } => {
            let last = after.variables.last().expect("a variable");
            assert_eq!((last.0.as_str(), last.1.as_str()), (name.as_str(), ty.trim()), "{}", context());
            assert_eq!((&after.edges, &after.locations), (&before.edges, &before.locations), "{}", context());
        }
        Edit::Connect { source, target, .. } => {
            count(before.edges.len() + 1);
            let last = &after.edges[before.edges.len()];
            assert_eq!((&last.source, &last.target), (source, target), "{}", context());
        }
        Edit::Reconnect { edge, source, target } => {
            count(before.edges.len());
            let new = &after.edges[*edge];
            assert_eq!((&new.source, &new.target), (source, target), "{}", context());
            assert_eq!(new.statements, before.edges[*edge].statements, "{}", context());
        }
        Edit::Delete { locations, .. } => {
            assert!(after.locations.iter().all(|(name, _)| !locations.contains(name)), "{}", context());
            assert!(after.pins.keys().all(|name| !locations.contains(name)), "{}", context());
        }
        Edit::Move { places } => {
            let line = |line: &&str| !line.trim_start().starts_with("// layout") && !line.trim().is_empty();
            assert!(text.lines().filter(line).eq(new.lines().filter(line)), "{}", context());
            for (name, pin) in places {
                assert_eq!(after.pins.get(name), pin.as_ref(), "{}", context());
            }
        }
        _ => {}
    }
    // Comments inside of what is deleted or replaced go with it.
    let inside = match wanted {
        Edit::SetStatements { edge, .. } => before.edges[*edge].statements.join("\n"),
        Edit::Delete { .. } => text.to_owned(),
        _ => String::new(),
    };
    let (gone, now) = (comments(&inside), comments(&new));
    for (comment, count) in comments(text) {
        let least = count - gone.get(comment).unwrap_or(&0).min(&count);
        assert!(now.get(comment).unwrap_or(&0) >= &least, "{comment} is lost: {}", context());
    }
    new
}

/// A text after something was typed at a place of it.
pub(super) fn typed(text: &str, rng: &mut Rng) -> String {
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let at = *rng.pick(&places);
    let more = *rng.pick(&[" ", "\n", "/* ä */", "x", "{", "}", "0", "\"", ";", "//"]);
    format!("{}{more}{}", &text[..at], &text[at..])
}

#[test]
fn random_edits_give_the_intended_model_and_can_be_undone() {
    let texts = texts();
    assert!(texts.len() > 20);
    let (mut done, mut refused) = (0, 0);
    each(0..4_000, |rng| {
        let mut text = rng.pick(&texts).clone();
        if text.len() > 60_000 && !rng.one_in(20) {
            return;
        }
        for _ in 0..1 + rng.below(5) {
            if rng.one_in(4) {
                let new = typed(&text, rng);
                let role =
                    Edit::SetRole { location: location(&automaton(&text).unwrap(), rng), role: Role::Plain };
                match cfa::parse(&new) {
                    Ok(_) => text = new,
                    // While the text has errors, its drawing cannot be edited; what was typed is undone.
                    Err(_) => assert!(edit(&new, &[role]).is_err(), "{new}"),
                }
            }
            let wanted = random(&automaton(&text).unwrap(), rng);
            match edit(&text, std::slice::from_ref(&wanted)) {
                Ok(changes) => {
                    done += 1;
                    text = check(&text, &wanted, &changes.concat());
                }
                Err(refusal) => {
                    refused += 1;
                    assert!(!refusal.0.contains("cannot be written"), "{wanted:?}: {refusal}\n{text}");
                }
            }
        }
    });
    assert!(done > 4 * refused, "{done} edits, {refused} refused");
}

#[test]
fn several_edits_are_one() {
    let add = Edit::AddLocation { name: "Start".to_owned(), role: Role::Initial };
    let more = Edit::AddLocation { name: "Stop".to_owned(), role: Role::Error };
    let edge = Edit::Connect { source: "Start".into(), target: "Stop".into(), statements: String::new() };
    let place = Edit::Move { places: vec![("Stop".to_owned(), Some((40, 120)))] };
    let all = edit("// my model\n", &[add, more, edge, place]).unwrap();
    let text = all.iter().fold("// my model\n".to_owned(), |text, changes| changed(&text, changes).unwrap());
    let expected = "// my model\nmain process automaton {\n    init loc Start\n    error loc Stop\n\n    Start -> Stop\n}\n\n// layout Stop 40 120\n";
    assert_eq!(text, expected);
}

#[test]
fn what_the_language_does_not_have_is_refused_in_its_words() {
    let text = "main process m {\n    var x : int\n    init loc A\n    loc B\n    A -> B { x := 1 }\n}\n";
    let name = |name: &str| Edit::Rename { location: "A".to_owned(), name: name.to_owned() };
    let guard = |text: &str| Edit::SetStatements { edge: 0, statements: text.to_owned() };
    let delete = Edit::Delete { locations: vec!["A".to_owned()], edges: vec![] };
    let variable = |name: &str, ty: &str| Edit::AddVariable { name: name.to_owned(), ty: ty.to_owned() };
    for (wanted, why) in [
        (name("B"), "there is a 'B' already"),
        (name("x"), "'x' is the name of a variable already"),
        (name("a b"), "'a b' cannot be a name"),
        (name("loc"), "'loc' cannot be a name"),
        (name(""), "'' cannot be a name"),
        (guard("assume x >"), "expected an expression"),
        (guard("x := true"), "expected int, but this is bool"),
        (guard("y := 1"), "unknown variable 'y'"),
        (guard("x := 1 } B -> A {"), "expected a statement"),
        (guard("x := 1 // }"), ""),
        (delete, "process 'm' has no 'init loc'"),
        (variable("x", "int"), "there is a variable 'x' already"),
        (variable("A", "int"), "there is a 'A' already"),
        (variable("loc", "int"), "'loc' cannot be a name"),
        (variable("y", "integer"), "unknown type 'integer'"),
        (variable("y", "int init loc C"), "this cannot be written"),
        (variable("y", "int"), ""),
        (Edit::Move { places: vec![("Z".to_owned(), Some((1, 1)))] }, "there is no 'Z'"),
        (Edit::Paste { text: "loc A }".to_owned() }, "the clipboard has no locations"),
    ] {
        match edit(text, std::slice::from_ref(&wanted)) {
            Err(refusal) => {
                assert!(!why.is_empty() && refusal.0.starts_with(why), "{wanted:?}: {refusal}");
            }
            Ok(_) => assert!(why.is_empty(), "{wanted:?} is not refused"),
        }
    }
    let broken = text.replace("loc B", "loc");
    assert!(edit(&broken, &[name("C")]).is_err(), "a text with errors is not edited");
}
