//! Every picture and every explanation of every step, of all examples and of the models of the corpus.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use veristep_core::run::{Kind, Method};

use crate::explained::{Look, plain};
use crate::protocol::Budget;
use crate::worker::explaining;
use crate::worker::gallery::examples;
use crate::worker::job::{Progress, Work};

/// The maximal number of events of a run, all of which are depicted.
const EVENTS: u32 = 400;
/// The options that each model runs with; those of the corpus of small models with all methods.
const OPTIONS: [&[(&str, &str)]; 4] =
    [&[], &[("domain", "expl"), ("max-enum", "10")], &[("engine", "pdr")], &[("engine", "split")]];

/// Small models, which run with all methods.
const STATES: [&str; 6] = [
    "cfa/counting-loop.cfa",
    "cfa/parity-bug.cfa",
    "c/no-overflow.c",
    "sts/hajdu-2016-example-1.sts",
    "xsts/choice-goes-back.xsts",
    "aiger/changes-places.aag",
];
const RUNS: [&str; 4] = [
    "ltl/thesis.cfa",
    "verdicts/fair-choice.xsts",
    "verdicts/fair-once.cfa",
    "verdicts/cycle-of-four-rounds.cfa",
];

/// A model with its property; empty for the model's own.
struct Asked {
    name: String,
    kind: Kind,
    text: String,
    property: String,
    options: Vec<(String, String)>,
}

fn owned(options: &[(&str, &str)]) -> Vec<(String, String)> {
    options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn corpus() -> Vec<Asked> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus");
    let folders = ["cfa", "sts", "xsts", "aiger", "c", "verdicts", "ltl"].map(|folder| root.join(folder));
    let read = |folder: &PathBuf| std::fs::read_dir(folder).expect("the folder is part of the project");
    let mut files: Vec<PathBuf> = folders.iter().flat_map(read).map(|f| f.expect("a file").path()).collect();
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let Some(kind) = file.extension().and_then(|e| Kind::of_name(e.to_str()?)) else { continue };
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let name = file.display().to_string();
        // A model of temporal formulas has them in its first lines, after the expected verdict.
        let asked = text.lines().map_while(|line| line.strip_prefix("// ")).find_map(|line| {
            line.strip_prefix("holds ").or(line.strip_prefix("violated ")).filter(|p| p.len() > 1)
        });
        let property = asked.unwrap_or_default().to_owned();
        let model = |options| Asked {
            name: name.clone(),
            kind,
            text: text.clone(),
            property: property.clone(),
            options,
        };
        all.extend(OPTIONS.iter().map(|options| model(owned(options))));
        // A run of auto is a run of another method.
        let others = Method::ALL.iter().filter(|m| **m != Method::Auto).map(|m| [("engine", m.name())]);
        if STATES.iter().chain(&RUNS).any(|small| file.ends_with(small)) {
            all.extend(others.map(|options| model(owned(&options))));
        }
    }
    all
}

/// Depicts each step of a run; returns their number.
fn depicted(asked: &Asked) -> u32 {
    let budget = Budget { fuel: 2_000, events: EVENTS };
    let (kind, text) = (asked.kind, asked.text.as_str());
    let Ok(mut work) = Work::new(1, (kind, text), &asked.property, &asked.options, budget) else { return 0 };
    while let Progress::More = work.portion(|| 0.0) {}
    let (journal, scene) = work.shown();
    let events = u32::try_from(journal.events.len()).expect("few").min(EVENTS);
    for index in 0..events {
        let told = explaining::tell(journal, index);
        let place = || format!("{} {:?}, event {index}", asked.name, asked.options);
        assert!(!told.title.is_empty() && !plain(&told.what).is_empty(), "{}: nothing is explained", place());
        let states = Look::States { location: None, node: None, axes: None };
        for look in [Look::Method, Look::Path, Look::Product, states] {
            let html = scene.depict(journal, index, &told.subjects, look).html;
            assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count(), "{}: {look:?}", place());
            if look == Look::Path {
                on_the_sheet(&html, &place());
            }
        }
    }
    events
}

/// The number after a word.
fn number(text: &str, word: &str) -> f64 {
    let rest = text.split_once(word).map_or("", |(_, rest)| rest);
    rest.split('"').next().and_then(|digits| digits.parse().ok()).unwrap_or(f64::NAN)
}

/// Nothing is drawn to the left or to the right of the picture.
fn on_the_sheet(html: &str, place: &str) {
    let Some((_, svg)) = html.split_once("<svg") else { return };
    let sheet = number(svg, "width=\"");
    for rect in svg.split("<rect").skip(1) {
        let (x, width) = (number(rect, " x=\""), number(rect, "width=\""));
        assert!(
            x >= 0.0 && x + width <= sheet,
            "{place}: a box from {x}, {width} wide, on a sheet of {sheet}"
        );
    }
}

#[test]
fn every_step_of_every_example_has_its_pictures() {
    for example in examples() {
        let asked = Asked {
            name: example.id.clone(),
            kind: example.kind,
            text: example.text.clone(),
            property: example.property.clone(),
            options: example.options.clone(),
        };
        assert!(depicted(&asked) > 0, "{} cannot run", asked.name);
    }
}

#[test]
fn every_step_on_the_corpus_has_its_pictures() {
    let mut ran = BTreeMap::new();
    for asked in corpus() {
        *ran.entry(asked.options.clone()).or_insert(0) += u32::from(depicted(&asked) > 0);
    }
    let enough = |runs: &u32| *runs >= 3;
    assert!(ran.len() >= OPTIONS.len() + Method::ALL.len() - 3 && ran.values().all(enough), "{ran:?}");
}

#[test]
fn long_names_stay_on_the_sheet() {
    let name = "a_variable_with_a_name_as_long_as_a_line";
    let text = format!(
        "main process m {{ var {name} : int\n init loc A loc B error loc E\n A -> B {{ {name} := 0 }}\n B -> B {{ {name} := {name} + 1 }}\n B -> E {{ assume {name} > 2 }} }}"
    );
    let asked = Asked {
        name: "long names".to_owned(),
        kind: Kind::Cfa,
        text,
        property: String::new(),
        options: vec![],
    };
    assert!(depicted(&asked) > 10);
}
