//! `veristep check`: verify properties of a model.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::task::Poll;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use veristep_core::certificate::{self, Certificate, Rejection, Report, TraceState};
use veristep_core::formats::aiger;
use veristep_core::kit::{Cx, Fuel, Journal, Off, Recorder, Verdict};
use veristep_core::property::Property;
use veristep_core::run::{self, Kind, Options, Outcome, Run, Stats};
use veristep_core::system::System;
use veristep_core::text::count;

use crate::certify::file_text;
use crate::input::{self, BadInput, bad};
use crate::strategy::Choices;
use crate::witness::witness;
use crate::{HOLDS, UNKNOWN, VIOLATED, ltl};

#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Arguments of `check`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The model
    model: PathBuf,
    /// The property: an invariant, a temporal formula, never-file:AUTOMATON, or error-location-unreachable (the default)
    #[arg(long, value_name = "TEXT", conflicts_with = "property_file")]
    property: Option<String>,
    /// A file of properties: `prop { … }`, or one a line
    #[arg(long, value_name = "FILE")]
    property_file: Option<PathBuf>,
    /// The method: auto (several strategies take turns) or cegar; choices of a strategy, and --journal, mean cegar
    #[arg(long, value_parser = ["auto", "cegar", "split", "bmc", "kind", "imc", "pdr", "explicit", "k-liveness"])]
    engine: Option<String>,
    #[command(flatten)]
    choices: Choices,
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
    /// Give up after so many steps
    #[arg(long, value_name = "N")]
    fuel: Option<u64>,
    /// How the answer is printed
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Write the certificate to this file
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Write a witness in the format of SV-COMP (2.0, YAML) to this file; for programs in C
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,
    /// Write the journal to this file
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// The kind of model, if the file's name does not tell
    #[arg(long)]
    kind: Option<String>,
}

/// Verifies every property that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    if let Some(formula) = arguments.property.as_deref().and_then(|p| p.strip_prefix("language-of-ltl:")) {
        return language(arguments, formula);
    }
    let kind = input::kind(&arguments.model, arguments.kind.as_deref())?;
    let limit = input::limit(arguments.timeout)?;
    let text = input::read(&arguments.model)?;
    let texts = properties(arguments, kind, &text)?;
    if texts.len() > 1 && (arguments.certificate.is_some() || arguments.journal.is_some()) {
        return bad("error: --certificate and --journal take one property at a time");
    }
    if arguments.witness.is_some() && !matches!(kind, Kind::C | Kind::Aiger) {
        return bad("error: --witness is for programs in C and for circuits");
    }
    // A journal is of one strategy's run, from its first step.
    let engine = arguments.engine.as_deref().or(arguments.journal.as_ref().map(|_| "cegar"));
    let options = arguments.choices.options(engine)?;
    let mut status = HOLDS;
    for (origin, asked) in texts {
        let system = input::model(&arguments.model, kind, &text, Some(&asked));
        let system = refused_as_json(arguments, &asked, system)?;
        let property = refused_as_json(arguments, &asked, input::property(&system, &origin, &asked))?;
        let verdict = one(arguments, &options, &system, (&property, &asked), limit)?;
        // Violated outweighs unknown, unknown outweighs holds.
        status = match (status, verdict) {
            (VIOLATED, _) | (_, "violated") => VIOLATED,
            (UNKNOWN, _) | (_, "unknown") => UNKNOWN,
            _ => HOLDS,
        };
    }
    Ok(status)
}

/// Are the words of the automaton, which is the model here, those of the formula?
fn language(arguments: &Arguments, formula: &str) -> Result<u8, BadInput> {
    let start = Instant::now();
    let (status, said) = ltl::compare(&arguments.model, formula)?;
    let (verdict, reason) = said.split_once(": ").unwrap_or((&said, ""));
    match arguments.format {
        Format::Text => say!("{}: {said}", arguments.model.display()),
        Format::Json => {
            let mut object = json_object(verdict, reason, &format!("language-of-ltl:{formula}"), None);
            object["ms"] = json!(u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX));
            say!("{object}");
        }
    }
    Ok(status)
}

/// What is asked when nothing is asked.
const QUESTION: &str = "error-location-unreachable";

/// What is understood but not supported is a verdict, too: unknown, with the reason.
fn refused_as_json<T>(
    arguments: &Arguments,
    property: &str,
    result: Result<T, BadInput>,
) -> Result<T, BadInput> {
    if let (Err(BadInput::Unsupported(message)), Format::Json) = (&result, arguments.format) {
        say!("{}", json_object("unknown", message, property, None));
    }
    result
}

/// Where each property comes from, and its text; without any, the model's own.
fn properties(arguments: &Arguments, kind: Kind, model: &str) -> Result<Vec<(String, String)>, BadInput> {
    let asked = arguments.property.as_deref().unwrap_or("");
    let invariant = asked.strip_prefix("invariant-file:");
    // Whether what the file says is true infinitely often, where that must not be.
    let recurrent = asked.strip_prefix("recurrent-file:");
    // An automaton that must accept no run.
    if let Some((options, file)) = asked.split_once("never-file:")
        && (options.is_empty() || options.starts_with("ltl"))
    {
        let text = input::read(Path::new(file))?;
        veristep_core::buchi::read(&text).map_err(|d| input::render(file, &text, &d))?;
        return Ok(vec![(file.to_owned(), format!("{options}never:{text}"))]);
    }
    let named = invariant.or(recurrent).map(PathBuf::from);
    let Some(file) = arguments.property_file.clone().or(named) else {
        let own = || run::own_questions(kind, model);
        let texts = arguments.property.as_ref().map_or_else(own, |p| vec![p.clone()]);
        return Ok(texts.into_iter().map(|text| ("property".to_owned(), text)).collect());
    };
    let file = &file;
    let text = input::read(file)?;
    let name = file.display().to_string();
    let block = text.trim().strip_prefix("prop").map(str::trim).and_then(|t| t.strip_prefix('{'));
    if let Some(body) = block.and_then(|b| b.trim_end().strip_suffix('}')) {
        let prefix = if recurrent.is_some() { "recurrent:" } else { "" };
        return Ok(vec![(name, format!("{prefix}{}", body.trim()))]);
    }
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//"));
    let all: Vec<(String, String)> = lines.map(|l| (name.clone(), l.to_owned())).collect();
    if all.is_empty() { bad(format!("{name}: error: the file contains no property")) } else { Ok(all) }
}

/// What the verifying thread tells the printing one.
enum Message {
    Progress(Stats),
    /// The options cannot be used, in words.
    Refused(String),
    /// The run ended, or its fuel did; with the journal if one was asked for.
    Ended(Option<Box<Ended>>, Option<Box<Journal>>),
}

/// An outcome and what the independent checker says of its certificate.
struct Ended {
    outcome: Outcome,
    checked: Option<Result<Report, Rejection>>,
}

/// What came of a run.
struct Finished {
    ended: Option<Box<Ended>>,
    stats: Stats,
    /// Why there is no outcome.
    stopped: &'static str,
    journal: Option<Box<Journal>>,
    elapsed: Duration,
}

impl Finished {
    /// The certificate, if the checker accepts it.
    fn certificate(&self) -> Option<&Certificate> {
        let ended = self.ended.as_ref()?;
        ended.outcome.certificate.as_ref().filter(|_| matches!(ended.checked, Some(Ok(_))))
    }

    /// Verdict and reason. A verdict whose certificate is rejected is no verdict.
    fn verdict(&self) -> (&'static str, String) {
        let Some(ended) = &self.ended else { return ("unknown", self.stopped.to_owned()) };
        match (ended.outcome.verdict, &ended.checked) {
            (_, Some(Err(why))) => ("unknown", format!("the certificate was not accepted: {why}")),
            (Verdict::Holds, _) => ("holds", ended.outcome.reason.clone()),
            (Verdict::Violated, _) => ("violated", ended.outcome.reason.clone()),
            (Verdict::Unknown(_), _) => ("unknown", ended.outcome.reason.clone()),
        }
    }
}

fn one(
    arguments: &Arguments,
    options: &Options,
    system: &System,
    (property, text): (&Property, &str),
    limit: Option<Duration>,
) -> Result<&'static str, BadInput> {
    let finished =
        verify(arguments, options, system, property, limit).or_else(|why| bad(format!("error: {why}")))?;
    if let (Some(path), Some(certificate)) = (&arguments.certificate, finished.certificate()) {
        input::write(path, &file_text(if text.trim().is_empty() { QUESTION } else { text }, certificate))?;
    }
    if let (Some(path), Some(journal)) = (&arguments.journal, &finished.journal) {
        input::write(path, &journal.to_string())?;
    }
    if let (Some(path), Some(certificate)) = (&arguments.witness, finished.certificate()) {
        let source = input::read(&arguments.model)?;
        let text = match input::kind(&arguments.model, arguments.kind.as_deref())? {
            Kind::Aiger => aiger::witness(&source, certificate),
            _ => Some(witness(&arguments.model, system, &source, certificate)),
        };
        if let Some(text) = text {
            input::write(path, &text)?;
        }
    }
    let (verdict, reason) = finished.verdict();
    match arguments.format {
        Format::Json => say!("{}", json_object(verdict, &reason, &property.text(system), Some(&finished))),
        Format::Text => {
            print_text(&arguments.model, verdict, &reason, &finished, &property.apply(system.clone()).told())
        }
    }
    Ok(verdict)
}

/// Runs engine and checker in a thread, so that a single long question cannot outlast the time limit.
fn verify(
    arguments: &Arguments,
    options: &Options,
    system: &System,
    property: &Property,
    limit: Option<Duration>,
) -> Result<Finished, String> {
    let (send, receive) = mpsc::channel();
    let start = Instant::now();
    let mut finished = Finished {
        ended: None,
        stats: Stats::default(),
        stopped: "the limit of steps (--fuel) was reached",
        journal: None,
        elapsed: Duration::ZERO,
    };
    let (fuel, record) = (arguments.fuel.unwrap_or(u64::MAX), arguments.journal.is_some());
    let stop = Arc::new(AtomicBool::new(false));
    let (asked, question) = (Arc::clone(&stop), (system.clone(), property.clone()));
    let options = options.clone();
    let worker = std::thread::spawn(move || work(&options, &question, fuel, record, &asked, &send));
    let terminal = std::io::stderr().is_terminal() && arguments.format == Format::Text;
    loop {
        let left = limit.map_or(Duration::from_secs(3600), |l| l.saturating_sub(start.elapsed()));
        match receive.recv_timeout(if stop.load(Ordering::Relaxed) { GRACE } else { left }) {
            Ok(Message::Progress(stats)) => {
                if terminal {
                    let t = stats.total;
                    eprint!(
                        "\r\x1b[Kiteration {}, {} nodes, {} predicates",
                        t.iterations, t.nodes, t.predicates
                    );
                }
                finished.stats = stats;
            }
            Ok(Message::Refused(why)) => return Err(why),
            Ok(Message::Ended(ended, journal)) => {
                (finished.ended, finished.journal) = (ended, journal);
                break;
            }
            Err(RecvTimeoutError::Timeout) if limit.is_none() => {}
            Err(RecvTimeoutError::Timeout) if stop.swap(true, Ordering::Relaxed) => break,
            Err(RecvTimeoutError::Timeout) => finished.stopped = "the time limit (--timeout) was reached",
            // The thread ended without a word: a defect of ours, whose message it has printed.
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => break,
            },
        }
    }
    if terminal {
        eprint!("\r\x1b[K");
    }
    if let Some(ended) = &finished.ended {
        finished.stats = ended.outcome.stats.clone();
    }
    finished.elapsed = start.elapsed();
    Ok(finished)
}

/// After the time limit the thread may take so long to hand over its journal.
const GRACE: Duration = Duration::from_millis(200);

fn work(
    options: &Options,
    (system, property): &(System, Property),
    mut fuel: u64,
    record: bool,
    stop: &AtomicBool,
    send: &mpsc::Sender<Message>,
) {
    // Made here, because solvers stay in their thread.
    let mut run = match Run::new(system, property, options) {
        Ok(run) => run,
        Err(why) => {
            let _ = send.send(Message::Refused(why));
            return;
        }
    };
    let mut recorder = record.then(|| Recorder { journal: Journal::new(run.names()) });
    let mut ended = None;
    while ended.is_none() && fuel > 0 && !stop.load(Ordering::Relaxed) {
        let mut slice = Fuel::new(fuel.min(100));
        let before = slice.left();
        let polled = match &mut recorder {
            Some(sink) => run.poll(&mut Cx { fuel: &mut slice, sink }),
            None => run.poll(&mut Cx { fuel: &mut slice, sink: &mut Off }),
        };
        fuel -= before - slice.left();
        if let Poll::Ready(outcome) = polled {
            let checked = outcome.certificate.as_ref().map(|c| certificate::check(system, property, c));
            ended = Some(Box::new(Ended { outcome, checked }));
        } else if send.send(Message::Progress(run.stats())).is_err() {
            return;
        }
    }
    // The receiver may have gone: then nobody waits for the answer.
    let _ = send.send(Message::Ended(ended, recorder.map(|r| Box::new(r.journal))));
}

/// The object of the command line's contract; what there is no answer to is null.
fn json_object(verdict: &str, reason: &str, property: &str, finished: Option<&Finished>) -> Value {
    let counts = finished.map(|f| f.stats.total);
    // Only explicit search has any.
    let some = |concrete: u32| Some(concrete).filter(|n| *n > 0);
    let per_iteration = finished.map(|f| {
        let iteration = |i: &veristep_core::cegar::IterationCounts| {
            json!({"abstract_states": i.nodes, "concrete_states": some(i.concrete), "new_predicates": i.predicates, "new_variables": i.variables, "kept_states": i.kept, "queries": i.queries})
        };
        f.stats.per_iteration.iter().map(iteration).collect::<Vec<_>>()
    });
    json!({
        "verdict": verdict,
        "reason": reason,
        "property": property,
        "engine": finished.and_then(|f| f.ended.as_ref()).map(|e| e.outcome.engine),
        "strategy": finished.and_then(|f| f.ended.as_ref()).map(|e| e.outcome.strategy.clone()),
        "iterations": counts.map(|c| c.iterations),
        "abstract_states": counts.map(|c| c.nodes),
        "concrete_states": counts.and_then(|c| some(c.concrete)),
        "predicates": counts.map(|c| c.predicates),
        "similar_predicates": finished.map(|f| f.stats.chain),
        "tracked_variables": counts.map(|c| c.variables),
        "kept_states": counts.map(|c| c.kept),
        "queries": counts.map(|c| c.queries),
        "per_iteration": per_iteration,
        "certified": finished.is_some_and(|f| f.certificate().is_some()),
        "trace": finished.and_then(Finished::certificate).and_then(trace),
        "ms": finished.map(|f| u64::try_from(f.elapsed.as_millis()).unwrap_or(u64::MAX)),
    })
}

fn trace(certificate: &Certificate) -> Option<Value> {
    let (Certificate::Trace { states } | Certificate::Lasso { states, .. }) = certificate else {
        return None;
    };
    let state = |s: &TraceState| {
        let pairs = s.values.iter().map(|(name, value)| (name.clone(), Value::from(value.clone())));
        let values: serde_json::Map<String, Value> = pairs.collect();
        json!({"location": s.location, "edge": s.edge, "values": values})
    };
    Some(states.iter().map(state).collect())
}

/// With more variables only those that changed are told.
const ALL: usize = 12;

/// The values of a state that are worth telling.
fn changes(state: &TraceState, before: Option<&TraceState>, told: &[bool]) -> String {
    let before = before.filter(|_| state.values.len() > ALL);
    let mut values = Vec::new();
    for (i, (name, value)) in state.values.iter().enumerate() {
        let same = before.is_some_and(|b| b.values.get(i).is_some_and(|(_, old)| old == value));
        if told.get(i).is_none_or(|told| *told) && !same {
            values.push(format!("{name} = {value}"));
        }
    }
    values.join(", ")
}

/// So many rows of a certificate are printed.
const ROWS: usize = 100;

/// That there are more rows than are printed.
fn more(rows: usize) {
    if let Some(more @ 1..) = rows.checked_sub(ROWS) {
        say!("    and {more} more, which --certificate FILE writes");
    }
}

fn print_text(model: &Path, verdict: &str, reason: &str, finished: &Finished, told: &[bool]) {
    let counts = finished.stats.total;
    say!("{}: {verdict}", model.display());
    say!("  {reason}");
    say!(
        "  {}, {}, {}, {}, {}, {:.1} ms",
        count(counts.iterations as usize, "iteration"),
        count(counts.nodes as usize, "node"),
        count(counts.predicates as usize, "predicate"),
        count(counts.variables as usize, "variable"),
        count(counts.queries as usize, "query"),
        finished.elapsed.as_secs_f64() * 1e3
    );
    if counts.concrete > 0 {
        say!("  {}", count(counts.concrete as usize, "concrete state"));
    }
    if counts.kept > 0 {
        say!("  {} abstract states were not explored again after a refinement", counts.kept);
    }
    if finished.stats.chain > 0 && verdict == "unknown" {
        say!(
            "  {} predicates differ in nothing but numbers: this strategy may not end",
            finished.stats.chain
        );
    }
    if let Some(ended) = &finished.ended {
        say!("  strategy: {}", ended.outcome.strategy);
        if finished.stats.left_out > 0 {
            say!("  slice: {} edges are left out, wholly or in part", finished.stats.left_out);
        }
    }
    match finished.certificate() {
        Some(Certificate::Trace { states }) => print_run(states, None, told),
        Some(Certificate::Lasso { states, back, kept }) => {
            print_run(states, Some((*back, kept.as_deref())), told)
        }
        Some(Certificate::Progress { nodes, .. }) => {
            say!("  sets of states, with the state of the automaton and the rank:");
            for n in nodes.iter().take(ROWS) {
                let q = n.state.map_or_else(|| "start".to_owned(), |q| format!("q{q}"));
                say!("    {:20} {q:5} {:10} {}", n.location, n.rank.join(", "), n.formula);
            }
            more(nodes.len());
        }
        Some(Certificate::Invariant { locations }) => {
            say!("  invariant:");
            for (name, formula) in locations.iter().take(ROWS) {
                say!("    {name:20} {formula}");
            }
            more(locations.len());
        }
        None => {}
    }
    if let Some(Ok(report)) = finished.ended.as_ref().and_then(|e| e.checked.as_ref()) {
        say!("  certified: {}", report.sentences.last().map_or("", String::as_str));
    }
}

/// The states of a run; of a lasso with the position to which it comes back, and what is true there each time.
fn print_run(states: &[TraceState], lasso: Option<(usize, Option<&str>)>, told: &[bool]) {
    let back = lasso.map(|(back, _)| back);
    say!("  run:");
    let mut before: Option<&TraceState> = None;
    for (i, s) in states.iter().enumerate() {
        if Some(i) == back {
            say!("   ┌ from here for ever:");
            before = None;
        }
        say!(
            "   {} {:20} {}",
            if back.is_some_and(|b| i >= b) { "│" } else { " " },
            s.location,
            changes(s, before, told)
        );
        before = Some(s);
    }
    match lasso {
        Some((_, Some(kept))) => say!("   └ and again, since each time {kept}"),
        Some((_, None)) => say!("   └ and again"),
        None => {}
    }
    if states.iter().any(|s| s.values.len() > ALL) {
        say!("  (of each state after the first, what changed)");
    }
}
