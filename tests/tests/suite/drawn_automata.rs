//! Edits of Büchi automata as changes of texts: on automata of formulas and of other tools, random edits change the
//! language as the same operation on the automaton does, can be undone, and lose no comment.

use std::slice::from_ref;

use veristep_core::buchi::hoa::{self, automaton, copied, edit};
use veristep_core::buchi::{self, Automaton, Guard, Marks, StateId, Transition};
use veristep_core::edit::automaton::{Automaton as Drawn, Edit};
use veristep_core::edit::changed;
use veristep_core::ltl::{AtomId, Formula, propositional};
use veristep_core::system::Role;
use veristep_tests::ltl::{classic, word};
use veristep_tests::random::{Rng, each};
use veristep_tests::shared;

use super::edits::{comments, inverse, typed};

/// Texts as people and other tools write them: on one line, with other ends of lines, comments, names and aliases.
const ODD: [&str; 6] = [
    "HOA: v1 /* one line */ States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 1 [!0] 0 State: 1 {0} [t] 1 --END--",
    "HOA: v1\r\nname: \"two\"\r\nStart: 1\r\nAP: 2 \"p 1\" \"q\"\r\nacc-name: Buchi\r\nAcceptance: 1 Inf(0)\r\nproperties: deterministic /* so */ state-acc\r\n--BODY--\r\nState: 1 \"first\" /* a */\r\n\t[0 | 1] 0\r\n\t[!0 & !1] 1 /* stay */\r\nState: 0 \"second\" {0}\r\n\t[t] 0\r\n--END--\r\n/* layout first 10 20 */\r\n/* layout gone 1 1 */",
    "HOA: v1\nAP: 2 \"a\" \"b\"\nAlias: @x 0 & !1\nStart: 0\nacc-name: generalized-Buchi 2\nAcceptance: 2 Inf(0) & Inf(1)\n--BODY--\nState: 0\n[@x] 0 {0}\n[!@x] 1 {1}\n[0] 1\nState: 1 {0 1}\n[1] 0\n--END--\n",
    "HOA: v1\nStates: 3\nStart: 0\nStart: 2\nAP: 1 \"a\"\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 1\nState: 2\n[0] 2\n--END--\n",
    "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n--BODY--\nState: [0] 0\n0 1\nState: 1 {0}\n0 1\n--END--\n",
    "HOA: v1\nStates: 12\nAcceptance: 1 Inf(0)\nStart: 11\n--BODY--\nState: 11 \"x\"\n[t] 10\nState: 10 {0}\n[t] 11 [t] 10\n--END--\n",
];

fn texts() -> Vec<String> {
    let mut texts = ODD.map(str::to_owned).to_vec();
    for set in ["dwyer", "etessami-holzmann", "somenzi-bloem"] {
        for p in classic(set) {
            for a in [buchi::of_formula(&p.formula, &p.atoms), buchi::generalized(&p.formula, &p.atoms)] {
                texts.push(hoa::print(&a.expect("a small automaton"), "classic"));
            }
        }
    }
    let folder = shared("models").map(|folder| folder.join("xsts-ltl/hoa"));
    for entry in folder.iter().flat_map(|folder| std::fs::read_dir(folder).expect("the folder is there")) {
        texts.push(std::fs::read_to_string(entry.expect("readable").path()).expect("a text"));
    }
    texts.retain(|text| text.len() < 20_000);
    texts.iter().for_each(|text| drop(automaton(text).expect("an automaton")));
    texts
}

fn state(drawn: &Drawn, rng: &mut Rng) -> String {
    rng.pick(&drawn.locations).0.clone()
}

/// A label over the atoms and a new one.
fn label(drawn: &Drawn, rng: &mut Rng) -> String {
    let mut atoms: Vec<String> = drawn.variables.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    atoms.push("new".to_owned());
    let literal = |rng: &mut Rng| format!("{}{}", if rng.one_in(2) { "!" } else { "" }, rng.pick(&atoms));
    match rng.below(5) {
        0 => String::new(),
        1 => literal(rng),
        2 => format!("{} & ({} | {})", literal(rng), literal(rng), literal(rng)),
        3 => format!("{} -> {}", literal(rng), literal(rng)),
        _ => format!("{} xor {} & true", literal(rng), literal(rng)),
    }
}

fn random(drawn: &Drawn, rng: &mut Rng) -> Edit {
    let edge = |rng: &mut Rng| rng.below(drawn.edges.len().max(1));
    let fresh = |rng: &mut Rng| format!("s {}", rng.below(1_000_000));
    if drawn.locations.is_empty() || rng.one_in(12) {
        let name = if rng.one_in(2) { format!("q{}", drawn.locations.len()) } else { fresh(rng) };
        return Edit::AddLocation { name, role: *rng.pick(&[Role::Plain, Role::Initial]) };
    }
    let has_edges = !drawn.edges.is_empty();
    match rng.below(9) {
        0 | 1 => Edit::Connect {
            source: state(drawn, rng),
            target: state(drawn, rng),
            statements: label(drawn, rng),
        },
        2 => Edit::Rename { location: state(drawn, rng), name: fresh(rng) },
        3 => Edit::SetRole { location: state(drawn, rng), role: *rng.pick(&[Role::Plain, Role::Initial]) },
        4 => {
            let locations = (0..1 + rng.below(2)).map(|_| state(drawn, rng)).collect();
            Edit::SetAccepting { locations, accepting: rng.one_in(2) }
        }
        5 if has_edges => Edit::SetStatements { edge: edge(rng), statements: label(drawn, rng) },
        6 if has_edges => {
            Edit::Reconnect { edge: edge(rng), source: state(drawn, rng), target: state(drawn, rng) }
        }
        7 => {
            let locations = if rng.one_in(2) { vec![state(drawn, rng)] } else { vec![] };
            let edges = (0..rng.below(3)).filter(|_| has_edges).map(|_| edge(rng)).collect();
            Edit::Delete { locations, edges }
        }
        _ => {
            let pin = (!rng.one_in(3)).then(|| (rng.below(900) as i32 - 99, rng.below(900) as i32));
            Edit::Move { places: vec![(state(drawn, rng), pin)] }
        }
    }
}

/// The automaton of a drawn one; it has one acceptance set, on states and transitions.
fn built(drawn: &Drawn) -> Automaton {
    let atoms: Vec<String> = drawn.variables.iter().map(|(name, _)| name.clone()).collect();
    let mut built = Automaton::empty(atoms.clone());
    built.marks = 1;
    let number = |name: &str| drawn.locations.iter().position(|(own, _)| own == name).expect("a state");
    let starts = drawn.locations.iter().filter(|(_, role)| *role == Role::Initial);
    let starts: Vec<usize> = starts.map(|(name, _)| number(name)).collect();
    built.states = vec![Vec::new(); drawn.locations.len() + 1];
    for edge in &drawn.edges {
        let text = &edge.statements[0];
        let (text, sets) = hoa::label_and_sets(text);
        let mut guard = Guard::FALSE;
        let parsed = propositional(text).unwrap_or_else(|why| panic!("{text}: {why:?}"));
        let known = |name: &String| atoms.iter().position(|atom| atom == name);
        let numbers: Vec<usize> = parsed.atoms.iter().map(|name| known(name).expect("an atom")).collect();
        let formula = parsed.formula.renamed(&numbers);
        // Letter by letter.
        for bits in 0..1_usize << atoms.len() {
            let literals: Vec<(u32, bool)> =
                (0..atoms.len()).map(|i| (i as u32, bits >> i & 1 == 1)).collect();
            if holds(&formula, &|p| bits >> p.index() & 1 == 1) {
                let cube = built.guards.cube(&literals);
                guard = built.guards.or(guard, cube);
            }
        }
        let accepting = drawn.accepting.contains(&edge.source) || sets.contains('0');
        let marks = if accepting { Marks::one(0) } else { Marks::default() };
        let target = StateId::new(number(&edge.target));
        built.states[number(&edge.source)].push(Transition { guard, marks, target });
    }
    let all = starts.iter().flat_map(|start| built.states[*start].clone()).collect();
    built.initial = StateId::new(drawn.locations.len());
    built.states[drawn.locations.len()] = all;
    built
}

fn holds(formula: &Formula, value: &dyn Fn(AtomId) -> bool) -> bool {
    match formula {
        Formula::Constant(value) => *value,
        Formula::Atom(atom) => value(*atom),
        Formula::Not(inner) => !holds(inner, value),
        Formula::And(all) => all.iter().all(|one| holds(one, value)),
        Formula::Or(all) => all.iter().any(|one| holds(one, value)),
        Formula::Implies(ab) => !holds(&ab[0], value) || holds(&ab[1], value),
        Formula::Iff(ab) => holds(&ab[0], value) == holds(&ab[1], value),
        Formula::Xor(ab) => holds(&ab[0], value) != holds(&ab[1], value),
        Formula::Unary(..) | Formula::Binary(..) => panic!("not a label"),
    }
}

/// What an edit means, on the drawn automaton: written here a second time, and more simply.
fn meaning(drawn: &Drawn, wanted: &Edit) -> Option<Drawn> {
    let mut new = drawn.clone();
    let declare = |new: &mut Drawn, text: &str| {
        for name in propositional(text).map(|parsed| parsed.atoms).unwrap_or_default() {
            if !new.variables.iter().any(|(own, _)| *own == name) {
                new.variables.push((name, String::new()));
            }
        }
    };
    let written = |text: &str| if text.is_empty() { "true".to_owned() } else { text.to_owned() };
    match wanted {
        Edit::Connect { source, target, statements } => {
            declare(&mut new, statements);
            let mut edge = veristep_core::edit::automaton::EdgeText::default();
            (edge.source, edge.target) = (source.clone(), target.clone());
            edge.statements = vec![written(statements)];
            new.edges.push(edge);
        }
        Edit::SetStatements { edge, statements } => {
            declare(&mut new, statements);
            new.edges[*edge].statements = vec![written(statements)];
        }
        Edit::Reconnect { edge, source, target } => {
            (new.edges[*edge].source, new.edges[*edge].target) = (source.clone(), target.clone());
        }
        Edit::SetRole { location, role } => {
            for (name, own) in &mut new.locations {
                if name == location || *role == Role::Initial {
                    *own = if name == location { *role } else { Role::Plain };
                }
            }
        }
        Edit::SetAccepting { locations, accepting } => {
            new.accepting.retain(|name| !locations.contains(name));
            if *accepting {
                new.accepting.extend(locations.iter().cloned());
            }
        }
        Edit::Delete { locations, edges } => {
            let mut kept = 0..;
            new.edges.retain(|_| !edges.contains(&kept.next().unwrap_or(0)));
            new.edges.retain(|edge| !locations.contains(&edge.source) && !locations.contains(&edge.target));
            new.locations.retain(|(name, _)| !locations.contains(name));
        }
        Edit::AddLocation { name, role } => {
            if *role == Role::Initial {
                new.locations.iter_mut().for_each(|(_, own)| *own = Role::Plain);
            }
            new.locations.push((name.clone(), *role));
        }
        Edit::Rename { .. } | Edit::Move { .. } => {}
        _ => return None,
    }
    Some(new)
}

/// One acceptance set at most, whose number is 0.
fn is_simple(text: &str) -> bool {
    text.contains("Acceptance: 1 Inf(0)") && !text.contains("Alias")
}

#[test]
fn random_edits_of_automata_have_their_meaning_and_can_be_undone() {
    let texts = texts();
    let (mut done, mut refused, mut compared) = (0, 0, 0);
    each(0..6_000, |rng| {
        let mut text = rng.pick(&texts).clone();
        for _ in 0..1 + rng.below(5) {
            if rng.one_in(4) {
                let new = typed(&text, rng);
                let first = Edit::AddLocation { name: "fresh".to_owned(), role: Role::Plain };
                match automaton(&new) {
                    Ok(_) => text = new,
                    // While the text has errors, its drawing cannot be edited; what was typed is undone.
                    Err(_) => assert!(edit(&new, &[first]).is_err(), "{new}"),
                }
            }
            let before = automaton(&text).unwrap();
            let wanted = random(&before, rng);
            let lists = match edit(&text, from_ref(&wanted)) {
                Ok(lists) => lists,
                Err(why) => {
                    refused += 1;
                    assert!(!why.0.contains("cannot be written"), "{wanted:?}: {why}\n{text}");
                    continue;
                }
            };
            done += 1;
            let changes = lists.concat();
            let new = changed(&text, &changes).expect("changes in order");
            let context = || format!("{wanted:?}\n{text}\n---\n{new}");
            assert_eq!(changed(&new, &inverse(&text, &changes)).as_deref(), Some(&*text), "{}", context());
            let now = comments(&new);
            for (comment, count) in comments(&text) {
                let place = comment.starts_with("/* layout") || !comment.starts_with("/*");
                // What is inside of what is removed or replaced goes with it.
                let adds =
                    matches!(wanted, Edit::Connect { .. } | Edit::AddLocation { .. } | Edit::Move { .. });
                let inside = changes.iter().any(|change| change.span.of(&text).contains(comment));
                assert!(
                    place || !adds && inside || now.get(comment) == Some(&count),
                    "{comment} is lost: {}",
                    context()
                );
            }
            let after = hoa::parse(&new).unwrap();
            let plain =
                |meant: &Drawn| meant.variables.iter().all(|(name, _)| !name.contains(['"', '\\', '\n']));
            let meant = meaning(&before, &wanted)
                .filter(|meant| is_simple(&new) && meant.variables.len() < 9 && plain(meant));
            if let Some(meant) = meant {
                compared += 1;
                let meant = built(&meant);
                for _ in 0..8 {
                    let word = word(rng, meant.atoms.len());
                    let accepted = after.accepts(&word);
                    assert_eq!(meant.accepts(&word), accepted, "{} {}", word.text(&meant.atoms), context());
                }
            }
            text = new;
        }
    });
    println!("{done} edits, {compared} compared, {refused} refused");
    assert!(
        done > 4 * refused && compared * 2 > done,
        "{done} edits, {compared} compared, {refused} refused"
    );
}

#[test]
fn states_are_copied_and_pasted() {
    let texts = texts();
    let mut done = 0;
    each(0..400, |rng| {
        let text = rng.pick(&texts);
        let before = automaton(text).unwrap();
        let names = before.locations.iter().map(|(name, _)| name.clone());
        let part = before.part(&names.filter(|_| rng.one_in(2)).collect::<Vec<_>>());
        if !is_simple(text) || part.locations.is_empty() {
            return;
        }
        let pasted = match edit(text, &[Edit::Paste { text: copied(&part) }]) {
            Ok(lists) => lists.iter().fold(text.clone(), |text, one| changed(&text, one).unwrap()),
            Err(why) => return assert!(why.0.contains("labels of their own"), "{why}\n{text}"),
        };
        done += 1;
        let after = automaton(&pasted).unwrap();
        let count = before.locations.len();
        assert_eq!(after.locations[..count], before.locations[..]);
        assert_eq!(after.edges.len(), before.edges.len() + part.edges.len(), "{pasted}");
        assert_eq!(after.accepting.len(), before.accepting.len() + part.accepting.len(), "{pasted}");
        let word = word(rng, before.variables.len());
        let accepted = hoa::parse(text).unwrap().accepts(&word);
        assert_eq!(hoa::parse(&pasted).unwrap().accepts(&word), accepted, "a copy is not entered\n{pasted}");
    });
    assert!(done > 100, "{done}");
}
