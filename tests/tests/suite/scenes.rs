//! Scenes as files: golden graphs of each picture, and what SVG, DOT and TikZ must be for other programs. `BLESS=1` (or
//! `cargo xtask bless`) writes the golden files again.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use veristep_core::certificate::{Certificate, rows};
use veristep_core::draw::{self, FoundRun, GraphPart, Pictures, Step, What};
use veristep_core::explain::explain;
use veristep_core::kit::{Journal, NodeId, Recorder, View, fold};
use veristep_core::run::{Options, Run};
use veristep_core::scene::{Body, Mark, Scene, Shape, Thing};
use veristep_core::views::{ArgView, CexView};
use veristep_tests::models::{self, Question, load, poll_up_to};

/// Models with a method and the part of the run after which they are drawn, in hundredths.
const DRAWN: [(Question, &str, usize); 11] = [
    (("cfa/counting-loop.cfa", ""), "cegar", 60),
    (("cfa/parity-bug.cfa", ""), "cegar", 100),
    (("c/no-overflow.c", ""), "kind", 100),
    (("sts/hajdu-2016-example-1.sts", ""), "split", 70),
    (("xsts/choice-goes-back.xsts", ""), "pdr", 100),
    (("aiger/toggle.aag", ""), "bmc", 100),
    (("ltl/thesis.cfa", "F (x = 1)"), "cegar", 80),
    (("cfa/two-loops.cfa", "F G (up = 0)"), "explicit", 100),
    (("pn/two-philosophers.pn", "deadlock-free"), "explicit", 60),
    (("pn/late-gate.pn", ""), "explicit", 100),
    (("pn/two-ovens.pn", ""), "bmc", 100),
];

/// All scenes of a run at one step, by name.
fn scenes(question: Question, method: &str, hundredths: usize) -> Vec<(String, Scene)> {
    let (system, property) = load(question);
    let options = Options::with(&[("engine".to_owned(), method.to_owned())]).expect("a method");
    let mut run = Run::new(&system, &property, &options).expect("it can be asked");
    let mut pictures = Pictures::new(&run, &system);
    let mut sink = Recorder { journal: Journal::new(run.names()) };
    let outcome = poll_up_to(&mut run, &mut sink, 100_000, &mut || u64::MAX);
    if let Some(Certificate::Trace { states }) = outcome.and_then(|outcome| outcome.certificate) {
        let rows = rows(&property.apply(system.clone()), &states);
        pictures.found(FoundRun { rows, back: None });
    }
    let journal = &sink.journal;
    let index = (journal.events.len() * hundredths / 100).max(1) - 1;
    let subjects = explain(journal, index).subjects.in_model(&journal.names);
    let file = question.0.replace('/', "-");
    let mut all = vec![(format!("{file}.before"), draw::of_model(&system))];
    let is_drawn = |what: What| match what {
        What::Structure | What::Markings => system.net.is_some(),
        What::Timeline(_) => system.net.as_ref().is_some_and(|net| net.is_timed()),
        _ => true,
    };
    for (name, what) in What::ALL.into_iter().filter(|(_, what)| is_drawn(*what)) {
        all.push((format!("{file}.{name}"), pictures.scene(journal, index, &subjects, what).scene));
    }
    all
}

#[test]
fn golden_scenes() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden/scenes");
    let bless = std::env::var_os("BLESS").is_some();
    for (question, method, hundredths) in DRAWN {
        for (name, scene) in scenes(question, method, hundredths) {
            let text = scene.sheet().to_dot(&scene.title());
            let file = folder.join(format!("{name}.dot"));
            if bless {
                std::fs::create_dir_all(&folder).expect("a folder");
                std::fs::write(&file, &text).expect("a file");
            }
            let golden = std::fs::read_to_string(&file).unwrap_or_default();
            assert!(golden == text, "{} is different; run cargo xtask bless", file.display());
        }
    }
}

/// What the nodes of a scene with a mark stand for.
fn marked(scene: &Scene, mark: Mark) -> Vec<Vec<Thing>> {
    let drawings = scene.parts.iter().filter_map(|part| match &part.body {
        Body::Drawing(drawing) => Some(drawing),
        _ => None,
    });
    let nodes =
        drawings.flat_map(|drawing| &drawing.nodes).filter(|node| node.is(mark) && node.shape != Shape::Stub);
    nodes.map(|node| node.about.clone()).collect()
}

#[test]
fn diagram_and_graph_mark_the_same_location_and_labels_are_true() {
    let (mut checked, mut labelled) = (0, 0);
    for model in models::all() {
        let (run, _, journal) = model.record(|| u64::MAX);
        let mut pictures = Pictures::new(&run, &model.system);
        for index in (0..journal.events.len()).step_by((journal.events.len() / 20).max(1)) {
            let subjects = explain(&journal, index).subjects.in_model(&journal.names);
            let diagram = pictures.scene(&journal, index, &subjects, What::Model).scene;
            let graph = pictures.scene(&journal, index, &subjects, What::Method).scene;
            let (here, there) = (marked(&diagram, Mark::Current), marked(&graph, Mark::Current));
            if let ([place], [node]) = (&here[..], &there[..]) {
                assert_eq!(place[0], node[1], "{}: step {index}", model.name);
                checked += 1;
            }
            // Where nothing is known of a node, nothing is said of its location.
            let view: ArgView = fold(&journal, index + 1);
            let unknown: BTreeSet<_> = view
                .live()
                .filter(|(_, n)| n.label.is_top())
                .map(|(_, n)| journal.names.place(n.label.location))
                .collect();
            let known: BTreeSet<_> =
                view.live().map(|(_, n)| journal.names.place(n.label.location)).collect();
            let Body::Drawing(drawing) = &diagram.parts[0].body else { panic!("a drawing") };
            let labels = drawing.labels.iter().filter(|label| label.marks.contains(&Mark::Known)).count();
            assert!(labels <= known.difference(&unknown).count(), "{}: step {index}", model.name);
            labelled += labels;
        }
    }
    assert!(checked > 200 && labelled > 200, "{checked} steps, {labelled} labels");
}

/// The elements of SVG are closed, and nothing comes from elsewhere.
#[test]
fn svg_opens_on_its_own() {
    for (question, method, hundredths) in DRAWN {
        for (name, scene) in scenes(question, method, hundredths) {
            let svg = scene.sheet_with_legend().to_svg(&scene.title());
            let mut open: Vec<&str> = Vec::new();
            for tag in svg.split('<').skip(1) {
                let (tag, _) = tag.split_once('>').expect("a tag ends");
                let word = tag.split([' ', '/']).find(|word| !word.is_empty()).expect("a tag has a name");
                if tag.starts_with('/') {
                    assert_eq!(open.pop(), Some(word), "{name}");
                } else if !tag.ends_with('/') {
                    open.push(word);
                }
            }
            assert!(open.is_empty(), "{name}: {open:?} are not closed");
            let outside = ["<script", "<style", "<image", "href", "url(", "NaN"];
            assert!(!outside.iter().any(|word| svg.contains(word)), "{name}");
            assert_eq!(svg.matches("http").count(), 1, "{name}: the name of the language only");
        }
    }
}

/// Of a large graph a part is drawn; a chosen node belongs to it, wherever it is, and a search finds every node.
#[test]
fn a_chosen_node_of_a_large_graph_is_drawn() {
    let (system, property) = load(("cfa/parity.cfa", ""));
    let options = Options::with(&[("domain".to_owned(), "expl".to_owned())]).expect("options");
    let mut run = Run::new(&system, &property, &options).expect("it can be asked");
    let mut sink = Recorder { journal: Journal::new(run.names()) };
    poll_up_to(&mut run, &mut sink, 6_000, &mut || 100);
    let journal = &sink.journal;
    let (mut graph, mut cex) = (ArgView::default(), CexView::default());
    for event in &journal.events {
        graph.apply(event, journal);
        cex.apply(event, journal);
    }
    let live: Vec<NodeId> = graph.live().map(|(id, _)| id).collect();
    assert!(live.len() > 1_000, "only {} nodes", live.len());
    let subjects = explain(journal, journal.events.len() - 1).subjects;
    for chosen in live.iter().copied().step_by(97) {
        let (graph, cex, subjects) = (&graph, &cex, &subjects);
        let step = Step {
            journal,
            graph,
            cex,
            subjects,
            part: GraphPart { chosen: Some(chosen), ..GraphPart::default() },
            most: draw::MOST,
            last: None,
            configurations: None,
        };
        let scene = draw::graph(&step);
        let (_, drawing) = scene.drawings().next().expect("a drawing");
        assert!(drawing.node(&chosen.to_string()).is_some(), "{chosen} is not drawn");
        assert!(drawing.nodes.len() < 700, "{} parts are drawn", drawing.nodes.len());
        assert_eq!(draw::find(journal, graph, &format!(" {chosen} "), None), Some(chosen));
    }
    let tests = graph.live().filter(|(_, node)| journal.location(node.label.location) == "test").count();
    let next = |after: &Option<NodeId>| Some(draw::find(journal, &graph, "TEST", *after));
    let found: BTreeSet<NodeId> = std::iter::successors(Some(None), next).take(tests + 1).flatten().collect();
    assert_eq!(found.len(), tests, "Enter comes to each of them");
    assert_eq!(draw::find(journal, &graph, "nowhere", None), None);
    assert_eq!(draw::find(journal, &graph, "  ", None), None);
}

/// While a graph grows, what was drawn stays where it was, also if what is drawn begins further down.
#[test]
fn nodes_keep_their_places_between_steps() {
    let (system, property) = load(("cfa/parity.cfa", ""));
    let options = Options::with(&[("domain".to_owned(), "expl".to_owned())]).expect("options");
    let mut run = Run::new(&system, &property, &options).expect("it can be asked");
    let mut sink = Recorder { journal: Journal::new(run.names()) };
    poll_up_to(&mut run, &mut sink, 3_000, &mut || 100);
    let journal = &sink.journal;
    let (mut graph, mut cex) = (ArgView::default(), CexView::default());
    let (mut before, mut kept, mut moved) = (Scene::default(), 0, 0);
    for (index, event) in journal.events.iter().enumerate() {
        graph.apply(event, journal);
        cex.apply(event, journal);
        if index + 100 < journal.events.len() {
            continue;
        }
        let subjects = &explain(journal, index).subjects;
        let (part, most) = (GraphPart::default(), draw::MOST);
        let last = before.drawings().next().map(|(_, drawing)| drawing);
        let step =
            Step { journal, graph: &graph, cex: &cex, subjects, part, most, last, configurations: None };
        let scene = draw::graph(&step);
        let (_, drawing) = scene.drawings().next().expect("a drawing");
        for node in last.map_or(&[][..], |last| &last.nodes) {
            let Some(now) = drawing.node(&node.key) else { continue };
            let (x, y) = (now.rect.x - node.rect.x, now.rect.y - node.rect.y);
            kept += 1;
            moved += usize::from(x.abs() > 0.01 || y.abs() > 0.01);
        }
        before = scene;
    }
    assert!(kept > 10_000 && moved * 50 < kept, "{moved} of {kept} moved");
}

/// A scene that is read back from its file is the same.
#[test]
fn scenes_travel_as_json() {
    for (name, scene) in scenes(DRAWN[0].0, DRAWN[0].1, DRAWN[0].2) {
        let text = serde_json::to_string(&scene).expect("it can be written");
        let read: Scene = serde_json::from_str(&text).expect("it can be read");
        assert_eq!(scene, read, "{name}");
    }
}

/// Other programs read the files: `dot -Tsvg` and `pdflatex`.
#[test]
#[ignore = "needs Graphviz and LaTeX"]
fn graphviz_and_latex_accept_all_scenes() {
    let folder = std::env::temp_dir().join("veristep-scenes");
    std::fs::create_dir_all(&folder).expect("a folder");
    let run = |program: &str, arguments: &[&str], name: &str| {
        let out = Command::new(program).args(arguments).current_dir(&folder).output();
        let out = out.unwrap_or_else(|why| panic!("{program} is needed: {why}"));
        assert!(out.status.success(), "{name}: {}", String::from_utf8_lossy(&out.stdout));
        assert!(!String::from_utf8_lossy(&out.stderr).contains("Error"), "{name}");
    };
    for (question, method, hundredths) in DRAWN {
        for (name, scene) in scenes(question, method, hundredths) {
            let sheet = scene.sheet();
            std::fs::write(folder.join("a.dot"), sheet.to_dot(&scene.title())).expect("a file");
            std::fs::write(folder.join("a.tex"), scene.sheet_with_legend().to_tikz(&scene.title()))
                .expect("a file");
            run("dot", &["-Tsvg", "-oa.svg", "a.dot"], &name);
            run("neato", &["-n", "-Tsvg", "-oa.svg", "a.dot"], &name);
            run("pdflatex", &["-interaction=nonstopmode", "-halt-on-error", "a.tex"], &name);
        }
    }
}
