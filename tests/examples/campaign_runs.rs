//! Random models and properties of their runs against an independent interpreter: `campaign_runs SEED COUNT [FIRST]`.
//!
//! Each property is decided by `auto` and, in turns, by another method; verdicts are compared with the interpreter's,
//! certificates are checked. Disagreements are reduced and printed with their seed; the numbers at the end describe the
//! properties. With `FIRST` the first properties are skipped, so that one finding can be reproduced.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use veristep_core::certificate;
use veristep_core::kit::{Off, Verdict};
use veristep_core::methods::bmc::BmcOptions;
use veristep_core::run::{self, Kind, Method, Options, Run};
use veristep_tests::campaign_runs::meaning::answer;
use veristep_tests::campaign_runs::model::{Model, Question, Shape};
use veristep_tests::campaign_runs::{generate, shrink};
use veristep_tests::models::poll_up_to;
use veristep_tests::random::Rng;

/// Properties of one model.
const QUESTIONS: u64 = 5;
/// Limit of steps of a run.
const STEPS: u64 = 3_000;
/// Limit of findings of a class that are reduced and printed.
const PRINTED: u32 = 3;

/// Result of the engine for a property.
enum Met {
    /// A verdict, the defect of its certificate, and whether that was compared with the model's own statements.
    Answer(bool, Option<String>, bool),
    Unknown,
    Refused(String),
    /// A model that is refused, or a panic.
    Broken(String),
}

fn ask(model: &Model, question: &Question, method: Method) -> Met {
    let (text, asked) = (model.text(), model.question(question));
    match catch_unwind(AssertUnwindSafe(|| engine(model, &text, &asked, method))) {
        Ok(met) => met,
        Err(_) => Met::Broken("panic".to_owned()),
    }
}

fn engine(model: &Model, text: &str, asked: &str, method: Method) -> Met {
    let kind = if matches!(model.shape, Shape::Automaton(..)) { Kind::Cfa } else { Kind::Xsts };
    let system = match run::load_for(kind, text, Some(asked)) {
        Ok(system) => system,
        Err(d) => return Met::Broken(format!("the model is refused: {}", plain(&d[0].message))),
    };
    let property = match run::property(&system, asked) {
        Ok(property) => property,
        Err(d) => return Met::Refused(plain(&d[0].message)),
    };
    let bound = (method == Method::KLiveness).then_some(4);
    let options =
        Options { method, bmc: BmcOptions { bound, ..BmcOptions::default() }, ..Options::default() };
    let mut run = match Run::new(&system, &property, &options) {
        Ok(run) => run,
        Err(why) => return Met::Refused(plain(&why)),
    };
    // k-liveness gives up late.
    let steps = if method == Method::KLiveness { STEPS / 10 } else { STEPS };
    let Some(outcome) = poll_up_to(&mut run, &mut Off, steps, &mut || u64::MAX) else { return Met::Unknown };
    let holds = match outcome.verdict {
        Verdict::Unknown(_) => return Met::Unknown,
        verdict => verdict == Verdict::Holds,
    };
    let Some(certificate) = outcome.certificate else {
        return Met::Answer(holds, Some("no certificate".to_owned()), false);
    };
    let checked = catch_unwind(AssertUnwindSafe(|| certificate::check(&system, &property, &certificate)));
    let by_statements = matches!(&checked, Ok(Ok(report)) if report.by_statements);
    let wrong = match checked {
        Err(_) => Some("panic in the checker".to_owned()),
        Ok(Err(why)) if !why.0.contains("could not be decided") => {
            Some(format!("{}: certificate rejected: {}", method.name(), plain(&why.0)))
        }
        Ok(_) => None,
    };
    Met::Answer(holds, wrong, by_statements)
}

/// A message without quoted text and numbers.
fn plain(message: &str) -> String {
    let parts = message.split('\'').step_by(2).collect::<Vec<_>>().join("'…'");
    parts.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect()
}

/// The class of a finding, if this is one.
fn finding(model: &Model, question: &Question, method: Method, met: &Met) -> Option<String> {
    let class = |what: &str| Some(format!("{} of {}: {what}", kind(question), family(model)));
    match met {
        Met::Broken(why) => class(why),
        Met::Answer(got, wrong, _) => match answer(model, question) {
            Some(expected) if expected != *got => {
                class(&format!("{}: holds is {got}, should be {expected}", method.name()))
            }
            _ => class(wrong.as_ref()?),
        },
        _ => None,
    }
}

fn family(model: &Model) -> &'static str {
    if matches!(model.shape, Shape::Automaton(..)) { "cfa" } else { "xsts" }
}

fn kind(question: &Question) -> &'static str {
    match question {
        Question::DeadlockFree => "deadlock-free",
        Question::NoError => "error location",
        Question::Invariant(_) => "invariant",
        Question::Temporal(..) => "temporal",
    }
}

/// The options of a property, for the numbers at the end.
fn features(model: &Model, question: &Question) -> Vec<String> {
    let family = family(model);
    let mut all = vec![format!("{family}: {}", kind(question))];
    if let Question::Temporal(reading, fair, ..) = question {
        all.push(format!("{family}: step={}", if reading.whole { "full" } else { "half" }));
        all.push(format!(
            "{family}: start={}",
            if reading.initial { "initial" } else { "after-first-action" }
        ));
        all.push(format!("{family}: stuck={}", reading.stuck.name()));
        for f in fair {
            let strength = if f.strong { "strong" } else { "weak" };
            let what = f.named.as_ref().map_or("all", |n| if n.number.is_some() { "A->B#n" } else { "A->B" });
            all.push(format!("{family}: {strength}={what}"));
        }
        if fair.is_empty() {
            all.push(format!("{family}: no fairness"));
        }
    }
    all
}

#[derive(Default)]
struct Numbers {
    models: u64,
    questions: u64,
    unanswered: u64,
    features: BTreeMap<String, [u64; 2]>,
    methods: BTreeMap<String, [u64; 3]>,
    /// Certificates of a kind that were checked by edges alone, and those also by the model's own statements.
    by_statements: BTreeMap<String, [u64; 2]>,
    refusals: BTreeMap<String, u64>,
    findings: BTreeMap<String, u32>,
}

impl Numbers {
    fn question(&mut self, number: u64, model: &Model, question: &Question) {
        self.questions += 1;
        let expected = answer(model, question);
        self.unanswered += u64::from(expected.is_none());
        let turn =
            [Method::Explicit, Method::Cegar, Method::KLiveness][usize::try_from(number % 3).expect("small")];
        let temporal = matches!(question, Question::Temporal(..));
        let others = (temporal || turn != Method::KLiveness).then_some(turn);
        for (i, method) in [Method::Auto].into_iter().chain(others).enumerate() {
            let met = ask(model, question, method);
            let counts = self.methods.entry(method.name().to_owned()).or_default();
            match &met {
                Met::Answer(holds, _, by_statements) => {
                    counts[0] += 1;
                    let what = format!("{}, {}", kind(question), if *holds { "holds" } else { "violated" });
                    self.by_statements.entry(what).or_default()[usize::from(*by_statements)] += 1;
                }
                Met::Unknown => counts[1] += 1,
                Met::Refused(why) => {
                    counts[2] += 1;
                    if i == 0 {
                        let why = format!("{}: {why}", family(model));
                        *self.refusals.entry(why).or_default() += 1;
                    }
                }
                Met::Broken(_) => {}
            }
            if let (0, Met::Answer(..), Some(expected)) = (i, &met, expected) {
                for feature in features(model, question) {
                    self.features.entry(feature).or_default()[usize::from(expected)] += 1;
                }
            }
            if let Some(class) = finding(model, question, method, &met) {
                self.found(number, class, (model, question), method);
            }
        }
    }

    fn found(&mut self, number: u64, class: String, case: (&Model, &Question), method: Method) {
        let count = self.findings.entry(class.clone()).or_default();
        *count += 1;
        if *count > PRINTED {
            return;
        }
        let mut same = |m: &Model, q: &Question| {
            let is = |c: String| c == class;
            finding(m, q, method, &ask(m, q, method)).is_some_and(is)
        };
        let (model, question) = shrink::smallest(case.0, case.1, &mut same);
        println!("\n== property {number}: {class}\n// {}\n{}", model.question(&question), model.text());
    }

    fn print(&self) {
        println!(
            "\n{} models, {} properties, {} without an expected answer",
            self.models, self.questions, self.unanswered
        );
        println!("decided by auto, violated and holding, by option:");
        for (name, [violated, holds]) in &self.features {
            println!("  {name}: {violated} + {holds}");
        }
        println!("answers, unknown, refused:");
        for (name, counts) in &self.methods {
            println!("  {name}: {counts:?}");
        }
        println!("certificates checked by edges alone, and also by statements:");
        for (what, [edges, both]) in &self.by_statements {
            println!("  {what}: {edges} + {both}");
        }
        println!("refusals:");
        self.refusals.iter().for_each(|(why, n)| println!("  {n} × {why}"));
        println!("findings:");
        self.findings.iter().for_each(|(class, n)| println!("  {n} × {class}"));
    }
}

fn main() {
    let arguments: Vec<u64> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let [seed, count, ..] = arguments[..] else {
        println!("usage: campaign_runs SEED COUNT [FIRST]");
        return;
    };
    let first = arguments.get(2).copied().unwrap_or(0);
    let mut numbers = Numbers::default();
    for block in first / QUESTIONS..count.div_ceil(QUESTIONS) {
        let mut rng = Rng::new(seed.wrapping_mul(1_000_003).wrapping_add(block));
        for _ in 0..8 {
            rng.bits();
        }
        let model = generate::model(&mut rng);
        numbers.models += 1;
        for i in 0..QUESTIONS {
            let question = generate::question(&mut rng, &model);
            let number = block * QUESTIONS + i;
            if (first..count).contains(&number) {
                numbers.question(number, &model, &question);
            }
        }
        if block % 1_000 == 999 {
            numbers.print();
        }
    }
    numbers.print();
}
