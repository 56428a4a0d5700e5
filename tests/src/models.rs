//! The corpus of models, and runs on it.

use std::path::{Path, PathBuf};
use std::task::Poll;

use veristep_core::kit::{Cx, Fuel, Journal, Recorder, Sink};
use veristep_core::property::Property;
use veristep_core::run::{self, Conclusion, Kind, Options, Run};
use veristep_core::system::System;

/// A model of the corpus with its expected verdict.
pub struct Model {
    /// The file's name without extension.
    pub name: String,
    /// The text.
    pub text: String,
    /// `holds`, `violated` or `unknown`: the first word of the file's first comment.
    pub expected: String,
    /// The system.
    pub system: System,
}

/// Limit of steps; a run on the corpus that reaches it counts as undecided.
pub const STEPS: u64 = 4_000;

/// The expected verdicts of the page's examples that do not hold.
const EXAMPLES: [(&str, &str); 3] =
    [("bounded-counter-bug", "violated"), ("diverging", "unknown"), ("long-trace", "violated")];

/// All models of the corpus and all examples of the page, by name.
///
/// # Panics
/// If a file cannot be read.
#[must_use]
pub fn all() -> Vec<Model> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut models = folder(&root.join("corpus/cfa"));
    for mut example in folder(&root.join("../static/examples")) {
        let listed = EXAMPLES.iter().find(|(name, _)| *name == example.name);
        example.expected = listed.map_or("holds", |(_, verdict)| verdict).to_owned();
        example.name = format!("example-{}", example.name);
        models.push(example);
    }
    models
}

/// All transition systems and circuits of the corpus and of the page's examples, by name, each with its own property
/// applied; without the time nets among them, whose unrollings are hard.
///
/// # Panics
/// If a file cannot be read.
#[must_use]
pub fn transition_systems() -> Vec<Model> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folders =
        ["corpus/sts", "corpus/xsts", "corpus/aiger", "corpus/gc", "corpus/sc", "../static/examples"]
            .map(|f| root.join(f));
    let mut files: Vec<PathBuf> =
        folders.iter().flat_map(|f| std::fs::read_dir(f).unwrap().map(|f| f.unwrap().path())).collect();
    files.sort();
    let kind = |f: &Path| Kind::of_name(f.extension()?.to_str()?);
    let kinds = files.iter().filter_map(|f| Some((f, kind(f)?)));
    let all =
        kinds.filter(|(_, kind)| !matches!(kind, Kind::Cfa | Kind::C)).map(|(f, kind)| read_as(f, kind));
    all.filter(|model| model.system.clocks.is_none()).collect()
}

fn read_as(path: &Path, kind: Kind) -> Model {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let system = run::load(kind, &text).unwrap_or_else(|d| panic!("{name}: {}", d[0].message));
    let property = run::property(&system, "").unwrap_or_else(|d| panic!("{name}: {}", d[0].message));
    let violated = text.lines().any(|line| line.trim_start_matches("//").trim().starts_with("violated"));
    // A run that is asked for reaches the error location.
    let expected = if violated || property.wants_run() { "violated" } else { "holds" }.to_owned();
    Model { name, expected, system: property.apply(system), text }
}

fn folder(folder: &Path) -> Vec<Model> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    files.iter().filter(|f| f.extension().is_some_and(|e| e == "cfa")).map(|f| read(f)).collect()
}

fn read(path: &Path) -> Model {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let system = run::load(Kind::Cfa, &text).unwrap_or_else(|d| panic!("{name}: {}", d[0].message));
    let first = text.trim_start_matches("//").split_whitespace().next().unwrap_or_default();
    Model { expected: first.trim_end_matches(':').to_owned(), name, text, system }
}

impl Model {
    /// A run for the model's own property.
    #[must_use]
    pub fn run(&self) -> Run {
        self.run_with(&Options::default())
    }

    /// A run with these options.
    ///
    /// # Panics
    /// If the options are not applicable to the model.
    #[must_use]
    pub fn run_with(&self, options: &Options) -> Run {
        Run::new(&self.system, &Property::ErrorUnreachable, options).expect("options that fit the model")
    }

    /// A recorded run of at most [`STEPS`] steps, where `slices` portions the fuel.
    pub fn record(&self, mut slices: impl FnMut() -> u64) -> (Run, Option<Conclusion>, Journal) {
        let mut run = self.run();
        let mut sink = Recorder { journal: Journal::new(run.names()) };
        let outcome = poll_up_to(&mut run, &mut sink, STEPS, &mut slices);
        (run, outcome, sink.journal)
    }
}

/// Runs at most `steps` steps in portions.
pub fn poll_up_to<S: Sink>(
    run: &mut Run,
    sink: &mut S,
    mut steps: u64,
    slices: &mut dyn FnMut() -> u64,
) -> Option<Conclusion> {
    while steps > 0 {
        let slice = slices().clamp(1, steps);
        if let Poll::Ready(outcome) = run.poll(&mut Cx { fuel: &mut Fuel::new(slice), sink }) {
            return Some(outcome);
        }
        steps -= slice;
    }
    None
}

/// A file of the corpus and a property; the empty one is the model's own.
pub type Question = (&'static str, &'static str);

/// Tiny models of each formalism, with properties of states and the expected verdicts.
pub const STATES: [(Question, &str); 23] = [
    (("cfa/counting-loop.cfa", ""), "holds"),
    (("cfa/parity-bug.cfa", ""), "violated"),
    (("cfa/at-once.cfa", ""), "violated"),
    (("c/no-overflow.c", ""), "violated"),
    (("c/loops.c", ""), "holds"),
    (("c/locks-bug.c", ""), "violated"),
    (("sts/hajdu-2016-example-1.sts", ""), "holds"),
    (("sts/hajdu-2016-example-3.sts", ""), "holds"),
    (("sts/hajdu-2016-example-8.sts", ""), "holds"),
    (("xsts/between.xsts", ""), "violated"),
    (("xsts/choice-goes-back.xsts", ""), "holds"),
    (("xsts/loops.xsts", ""), "holds"),
    (("aiger/uninitialised.aag", ""), "holds"),
    (("aiger/toggle.aag", ""), "violated"),
    (("aiger/changes-places.aag", ""), "holds"),
    (("pn/two-philosophers.pn", ""), "violated"),
    (("pn/late-gate.pn", ""), "violated"),
    (("pn/two-ovens.pn", ""), "violated"),
    (("pn/trap.pn", ""), "holds"),
    (("pn/inhibited.pn", ""), "violated"),
    (("gc/swap.gc", ""), "holds"),
    (("gc/counter-bug.gc", ""), "violated"),
    (("gc/figure-1.gc", ""), "holds"),
];

/// Tiny models, with properties of infinite runs and the expected verdicts.
pub const RUNS: [(Question, &str); 12] = [
    (("ltl/thesis.cfa", "F (x = 1)"), "holds"),
    (("cfa/counting-loop.cfa", "G (x = 2 -> X (x = 2))"), "violated"),
    (("cfa/two-loops.cfa", "F G (up = 0)"), "holds"),
    (("sts/hajdu-2016-example-1.sts", "G (x = 0)"), "holds"),
    (("sts/hajdu-2016-example-3.sts", "G F (x = 1)"), "holds"),
    (("sts/hajdu-2016-example-8.sts", "F false"), "holds"),
    (("xsts/between.xsts", "F G seen"), "violated"),
    (("xsts/choice-goes-back.xsts", "G F (n = 0)"), "holds"),
    (("xsts/loops.xsts", "G (sum = 0 -> F (sum = 13))"), "violated"),
    (("pn/lock.pn", "F inside1 = 1"), "violated"),
    (("pn/branching.pn", "G F home = 1"), "violated"),
    (("gc/swap.gc", "F !quiet"), "violated"),
];

/// A run for a property, with the options by name.
///
/// # Errors
/// Why the options are not applicable to this property.
///
/// # Panics
/// If the file cannot be read, or the property does not fit it.
pub fn ask(question: Question, options: &[(&str, &str)]) -> Result<Run, String> {
    let options: Vec<_> = options.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    start(question, &Options::with(&options)?)
}

/// A run for a property.
///
/// # Errors
/// Why the options are not applicable to this property.
///
/// # Panics
/// If the file cannot be read, or the property does not fit it.
pub fn start(question: Question, options: &Options) -> Result<Run, String> {
    let (system, property) = load(question);
    Run::new(&system, &property, options)
}

/// The system and the property of a question.
///
/// # Panics
/// If the file cannot be read, or the property does not fit it.
#[must_use]
pub fn load((file, property): Question) -> (System, Property) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let kind = path.extension().and_then(|e| Kind::of_name(e.to_str()?)).unwrap();
    let system = run::load_for(kind, &text, Some(property));
    let system = system.unwrap_or_else(|d| panic!("{file}: {}", d[0].message));
    let property = run::property(&system, property).unwrap_or_else(|d| panic!("{file}: {}", d[0].message));
    (system, property)
}
