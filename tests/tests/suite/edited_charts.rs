//! Edits of statecharts: of the examples, of the corpus, and of random charts.

use std::collections::BTreeMap;
use std::path::Path;

use veristep_core::chart::{Chart, StateKind};
use veristep_core::edit::automaton::{ChartEdit, Edit};
use veristep_core::edit::changed;
use veristep_core::formats::{sc, scxml};
use veristep_core::generate::nets::Choices;
use veristep_core::run::{self, Kind};
use veristep_core::system::Role;
use veristep_tests::charts;

fn texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["../static/examples/sc", "corpus/sc"].map(|f| std::fs::read_dir(root.join(f)).unwrap());
    let mut all: Vec<String> =
        files.into_iter().flatten().map(|f| std::fs::read_to_string(f.unwrap().path()).unwrap()).collect();
    all.sort();
    let random = (1..60).map(|seed| charts::random(seed, 4 + u32::try_from(seed % 10).unwrap()));
    all.extend(random.map(|text| sc::print(&scxml::parse(&text).unwrap())));
    all
}

/// Any edit of a chart.
fn any(chart: &Chart, choices: &mut Choices) -> Edit {
    let paths: Vec<String> = chart.state_ids().skip(1).map(|s| chart.path(s)).collect();
    let mut below = |n: usize| choices.below(u32::try_from(n.max(1)).unwrap()) as usize;
    let mut state = || paths[below(paths.len())].clone();
    let (one, other) = (state(), state());
    let edge = below(chart.transitions.len());
    match below(12) {
        0 => Edit::AddLocation { name: format!("{one}.New"), role: Role::Plain },
        1 => Edit::AddLocation { name: "New".to_owned(), role: Role::Plain },
        2 => Edit::Rename { location: one, name: "Other".to_owned() },
        3 => Edit::Connect { source: one, target: other, statements: "go [true] / send x".to_owned() },
        4 => Edit::SetStatements { edge, statements: "go".to_owned() },
        5 => Edit::Reconnect { edge, source: one, target: other },
        6 => Edit::SetRole { location: one, role: [Role::Initial, Role::Final, Role::Plain][below(3)] },
        7 => Edit::Delete { locations: vec![one], edges: vec![] },
        8 => Edit::Delete { locations: vec![], edges: vec![edge] },
        9 => Edit::Chart(ChartEdit::AddRegion { state: one }),
        10 => Edit::Chart(ChartEdit::AddHistory { state: one, deep: below(2) == 0 }),
        _ => match below(3) {
            2 => Edit::Chart(ChartEdit::Fold { state: one, folded: below(2) == 0 }),
            0 => Edit::Chart(ChartEdit::MoveInto { state: one, into: other }),
            _ => Edit::Chart(ChartEdit::Wrap { states: vec![one], name: "Around".to_owned() }),
        },
    }
}

fn apply(kind: Kind, text: &str, edit: &Edit) -> Result<String, String> {
    let lists = run::edit(kind, text, std::slice::from_ref(edit)).map_err(|refusal| refusal.0)?;
    Ok(lists.iter().fold(text.to_owned(), |text, list| changed(&text, list).expect("changes that fit")))
}

/// Edits give exactly the intended chart (the editor checks it) or are refused with a reason; comments stay.
#[test]
fn any_edits_are_written_or_refused() {
    let (mut written, mut refused) = (0, BTreeMap::<String, usize>::new());
    for (number, first) in texts().into_iter().enumerate() {
        let mut choices = Choices(u64::try_from(number).unwrap() + 1);
        let mut text = first;
        for _ in 0..25 {
            let chart = sc::parse(&text).expect("a chart");
            let edit = any(&chart, &mut choices);
            match apply(Kind::Sc, &text, &edit) {
                Ok(new) => {
                    let comments = |text: &str| text.matches("//").count();
                    let removes = matches!(edit, Edit::Delete { .. });
                    assert!(removes || comments(&new) == comments(&text), "{edit:?}\n{text}\n{new}");
                    sc::parse(&new).unwrap_or_else(|d| panic!("{edit:?}: {}\n{new}", d[0]));
                    written += 1;
                    text = new;
                }
                Err(why) => {
                    if why.contains("would then have") {
                        println!("{edit:?}\n{text}");
                    }
                    *refused.entry(why.replace(|c: char| c.is_ascii_digit(), "")).or_default() += 1;
                }
            }
        }
    }
    println!("{written} edits are written; refused: {refused:#?}");
    let unclear = refused.iter().filter(|(why, _)| why.contains("would then have"));
    let unclear: usize = unclear.map(|(_, n)| n).sum();
    assert!(written > 1_000 && unclear * 50 < written, "{unclear} of {written}");
}

/// What is in a state stays there: an edit elsewhere does not change the number of its states.
#[test]
fn regions_and_histories_are_what_they_are_called() {
    let text = "chart C {\n  state A\n    state B\n    state D\n}\n";
    let region = Edit::Chart(ChartEdit::AddRegion { state: "A".to_owned() });
    let new = sc::parse(&apply(Kind::Sc, text, &region).unwrap()).unwrap();
    let a = new.find_state("A").unwrap();
    assert_eq!((new.state(a).kind, new.state(a).children.len()), (StateKind::Parallel, 2));
    let history = Edit::Chart(ChartEdit::AddHistory { state: "A".to_owned(), deep: false });
    let new = sc::parse(&apply(Kind::Sc, text, &history).unwrap()).unwrap();
    assert_eq!(new.histories(new.find_state("A").unwrap()).count(), 1);
    assert!(apply(Kind::Sc, &sc::print(&new), &history).is_ok(), "another one gets another name");
}

/// Edits of SCXML are those of the same chart in the project's own language.
#[test]
fn scxml_is_edited_as_the_other_language_is() {
    let mut written = 0;
    for seed in 1..40 {
        let mut text = charts::random(seed, 4 + u32::try_from(seed % 10).unwrap());
        let mut choices = Choices(seed);
        for _ in 0..6 {
            let chart = scxml::parse(&text).unwrap();
            let edit = any(&chart, &mut choices);
            let own = apply(Kind::Sc, &sc::print(&chart), &edit);
            match (apply(Kind::Scxml, &text, &edit), own) {
                (Ok(new), Ok(own)) => {
                    let (new_chart, own) = (scxml::parse(&new).unwrap(), sc::parse(&own).unwrap());
                    let shape = |chart: &Chart| {
                        let labels = chart.state_ids().skip(1).map(|s| chart.state(s).kind);
                        (labels.collect::<Vec<_>>(), chart.transitions.len(), chart.property_names())
                    };
                    assert_eq!(shape(&new_chart), shape(&own), "{edit:?}\n{text}\n{new}");
                    text = new;
                    written += 1;
                }
                (Err(_), Err(_)) => {}
                (Err(why), Ok(own)) => {
                    assert!(scxml::print(&sc::parse(&own).unwrap()).is_err(), "{edit:?}: {why}\n{text}");
                }
                (Ok(new), Err(why)) => panic!("{edit:?}: {why}\n{text}\n{new}"),
            }
        }
    }
    println!("{written} edits of SCXML are written");
    assert!(written > 50);
}
