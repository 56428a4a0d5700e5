//! Every picture and every explanation of every step, of all examples and of the models of the corpus.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use veristep_core::draw::What;
use veristep_core::run::{Kind, Method};
use veristep_core::scene::{Anchor, Body, Drawing, Rect, Scene, Shape, width};

use crate::examples::Example;
use crate::explained::plain;
use crate::protocol::Budget;
use crate::worker::explaining;
use crate::worker::gallery::examples;
use crate::worker::job::{Progress, Work};

/// The maximal number of events of a run, all of which are depicted.
const EVENTS: u32 = 400;
/// The greatest distance of the tip of an arrow from its node.
const ARROW: f64 = 3.0;
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
    let folders =
        ["cfa", "sts", "xsts", "aiger", "c", "verdicts", "ltl", "pn", "gc"].map(|folder| root.join(folder));
    let read = |folder: &PathBuf| std::fs::read_dir(folder).expect("the folder is part of the project");
    let mut files: Vec<PathBuf> = folders.iter().flat_map(read).map(|f| f.expect("a file").path()).collect();
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let Some(kind) = file.extension().and_then(|e| Kind::of_name(e.to_str()?)) else { continue };
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        // The others have unbounded numbers.
        if kind == Kind::Gc && !file.ends_with("figure-1.gc") {
            continue;
        }
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

/// Draws each step of a run; returns their number.
fn drawn(asked: &Asked) -> u32 {
    let budget = Budget { fuel: 2_000, events: EVENTS };
    let (kind, text) = (asked.kind, asked.text.as_str());
    let Ok(mut work) = Work::new(1, (kind, text), &asked.property, &asked.options, budget) else { return 0 };
    while let Progress::More = work.portion(|| 0.0) {}
    let (journal, pictures) = work.shown();
    let events = u32::try_from(journal.events.len()).expect("few").min(EVENTS);
    for index in 0..events {
        let explained = explaining::tell(journal, index);
        let place = || format!("{} {:?}, event {index}", asked.name, asked.options);
        assert!(
            !explained.title.is_empty() && !plain(&explained.what).is_empty(),
            "{}: nothing is explained",
            place()
        );
        for (name, what) in What::ALL {
            let scene = pictures.scene(journal, index as usize, &explained.subjects, what).scene;
            sound(&scene, what).unwrap_or_else(|why| panic!("{}, {name}: {why}", place()));
        }
    }
    events
}

/// Is everything in its place? The positions of cells and of values in a grid are given, all others are laid out.
fn sound(scene: &Scene, what: What) -> Result<(), String> {
    if scene.parts.is_empty() {
        return Err("nothing is drawn".to_owned());
    }
    for part in &scene.parts {
        if part.caption.0.is_empty() && part.body == Body::Nothing {
            return Err("a part is blank".to_owned());
        }
    }
    for (part, drawing) in scene.drawings() {
        let placed = |why: String| format!("{}: {why}", part.heading);
        whole(drawing).map_err(placed)?;
        if part.heading != "States" && !matches!(what, What::States { .. }) {
            apart(drawing).map_err(placed)?;
        }
    }
    Ok(())
}

/// Keys are unique, edges end at their nodes, texts are inside of theirs, and everything is inside of the extent.
fn whole(drawing: &Drawing) -> Result<(), String> {
    if drawing.nodes.is_empty() && drawing.regions.is_empty() {
        return Err("the drawing is blank".to_owned());
    }
    let sheet = drawing.extent;
    let inside = |rect: &Rect| {
        rect.x >= sheet.x
            && rect.y >= sheet.y
            && rect.right() <= sheet.right()
            && rect.bottom() <= sheet.bottom()
    };
    let mut keys = BTreeSet::new();
    for node in &drawing.nodes {
        if !keys.insert(&node.key) {
            return Err(format!("two nodes have the key {}", node.key));
        }
        // With its name, which may be beside it.
        let whole = node.extent();
        if !inside(&whole) {
            return Err(format!("{} at {whole:?} is outside of the sheet {sheet:?}", node.key));
        }
        for (row, at, anchor) in node.placed() {
            let (left, right) = span(&row.text, at.x, anchor);
            if left < whole.x - 0.5 || right > whole.right() + 0.5 || at.y > whole.bottom() {
                return Err(format!("‘{}’ is outside of {}", row.text, node.key));
            }
        }
    }
    for edge in &drawing.edges {
        if !keys.insert(&edge.key) {
            return Err(format!("two things have the key {}", edge.key));
        }
        let Some(target) = drawing.node(&edge.target) else {
            return Err(format!("the edge {} has no target", edge.key));
        };
        let tip = Rect { x: edge.arrow.tip.x, y: edge.arrow.tip.y, width: 0.0, height: 0.0 };
        if !target.rect.inset(-ARROW).meets(&tip) {
            return Err(format!("the edge {} misses its target: {:?} and {tip:?}", edge.key, target.rect));
        }
    }
    Ok(())
}

/// Nodes, labels of edges and free labels do not overlap.
fn apart(drawing: &Drawing) -> Result<(), String> {
    // Frames are around other nodes.
    let nodes = drawing.nodes.iter().filter(|node| !matches!(node.shape, Shape::Stub | Shape::Frame));
    let mut all: Vec<(String, Rect)> = nodes.map(|node| (node.key.clone(), node.rect)).collect();
    all.extend(
        drawing.edges.iter().filter_map(|edge| Some((format!("‘{}’", edge.label), edge.plate()?.inset(2.0)))),
    );
    all.extend(
        drawing.nodes.iter().filter_map(|node| Some((node.title.clone(), node.name_rect()?.inset(2.0)))),
    );
    all.extend(drawing.labels.iter().map(|label| (label.text.clone(), label.rect().inset(2.0))));
    all.sort_by(|a, b| a.1.x.total_cmp(&b.1.x));
    for (i, (name, rect)) in all.iter().enumerate() {
        for (other, next) in all[i + 1..].iter().take_while(|(_, next)| next.x < rect.right()) {
            if next.inset(0.5).meets(rect) {
                return Err(format!("{name} at {rect:?} and {other} at {next:?} overlap"));
            }
        }
    }
    Ok(())
}

/// The sides of a text.
fn span(text: &str, at: f64, anchor: Anchor) -> (f64, f64) {
    let length = width(text);
    match anchor {
        Anchor::Start => (at, at + length),
        Anchor::Middle => (at - length / 2.0, at + length / 2.0),
        Anchor::End => (at - length, at),
    }
}

#[test]
fn every_step_of_every_example_has_its_pictures() {
    // Systems of commands have the same kinds of steps, and many of them, and unbounded numbers are sampled for long.
    let few = |example: &Example| example.kind != Kind::Gc || example.id.starts_with("driver");
    for example in examples().into_iter().filter(few) {
        let asked = Asked {
            name: example.id.clone(),
            kind: example.kind,
            text: example.text.clone(),
            property: example.property.clone(),
            options: example.options.clone(),
        };
        assert!(drawn(&asked) > 0, "{} cannot run", asked.name);
    }
}

#[test]
fn every_step_on_the_corpus_has_its_pictures() {
    let (all, next, ran) = (corpus(), AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        while let Some(asked) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let has_steps = drawn(asked) > 0;
            let mut ran = ran.lock().expect("no other thread has panicked");
            *ran.entry(asked.options.clone()).or_insert(0) += u32::from(has_steps);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    let ran = ran.into_inner().expect("no thread has panicked");
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
    assert!(drawn(&asked) > 10);
}
