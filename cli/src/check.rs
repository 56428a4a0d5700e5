//! `veristep check`: verify properties of a model.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::task::Poll;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use veristep_core::certificate::{self, Certificate};
use veristep_core::kit::{Cx, Fuel, Journal, Off, Recorder, Verdict};
use veristep_core::property::Property;
use veristep_core::run::{Options, Outcome, Run, Stats};
use veristep_core::system::System;

use crate::certify::file_text;
use crate::input::{self, BadInput, bad};
use crate::{HOLDS, UNKNOWN, VIOLATED};

/// One value an option can have so far; more come with more engines.
macro_rules! only {
    ($name:ident, $variant:ident, $text:literal) => {
        #[derive(Clone, Copy, Debug, ValueEnum)]
        enum $name {
            #[value(name = $text)]
            $variant,
        }
    };
}
only!(Domain, PredCart, "pred-cart");
only!(Precision, Global, "global");
only!(Search, Bfs, "bfs");
only!(Split, Whole, "whole");
only!(Refinement, Seq, "seq");
only!(Prune, Lazy, "lazy");

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Engine {
    Auto,
    Cegar,
}

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
    /// The property: an invariant, or error-location-unreachable (the default)
    #[arg(long, value_name = "TEXT", conflicts_with = "property_file")]
    property: Option<String>,
    /// A file of properties: `prop { … }`, or one a line
    #[arg(long, value_name = "FILE")]
    property_file: Option<PathBuf>,
    /// The method
    #[arg(long, value_enum, default_value = "auto")]
    engine: Engine,
    /// The abstract domain
    #[arg(long, value_enum, default_value = "pred-cart")]
    domain: Domain,
    /// Where predicates are tracked
    #[arg(long, value_enum, default_value = "global")]
    precision: Precision,
    /// The order in which the graph is explored
    #[arg(long, value_enum, default_value = "bfs")]
    search: Search,
    /// How predicates are split
    #[arg(long, value_enum, default_value = "whole")]
    split: Split,
    /// How counterexamples are explained
    #[arg(long, value_enum, default_value = "seq")]
    refinement: Refinement,
    /// How the graph is cut back
    #[arg(long, value_enum, default_value = "lazy")]
    prune: Prune,
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
    /// Write the journal to this file
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// The kind of model, if the file's name does not tell
    #[arg(long)]
    kind: Option<String>,
}

/// Verifies every property that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    let kind = input::kind(&arguments.model, arguments.kind.as_deref())?;
    let limit = input::limit(arguments.timeout)?;
    let text = input::read(&arguments.model)?;
    let system = match input::model(&arguments.model, kind, &text) {
        Err(BadInput::Unsupported(message)) if arguments.format == Format::Json => {
            say!("{}", json!({"verdict": "unknown", "reason": message, "engine": null, "certified": false}));
            return Err(BadInput::Unsupported(message));
        }
        system => system?,
    };
    let texts = properties(arguments)?;
    if texts.len() > 1 && (arguments.certificate.is_some() || arguments.journal.is_some()) {
        return bad("error: --certificate and --journal take one property at a time");
    }
    let mut status = HOLDS;
    for (origin, text) in texts {
        let property = input::property(&system, &origin, &text)?;
        let verdict = one(arguments, &system, &property, limit)?;
        // Violated outweighs unknown, unknown outweighs holds.
        status = match (status, verdict) {
            (VIOLATED, _) | (_, Verdict::Violated) => VIOLATED,
            (UNKNOWN, _) | (_, Verdict::Unknown(_)) => UNKNOWN,
            _ => HOLDS,
        };
    }
    Ok(status)
}

/// Where each property comes from, and its text.
fn properties(arguments: &Arguments) -> Result<Vec<(String, String)>, BadInput> {
    let Some(file) = &arguments.property_file else {
        return Ok(vec![("property".to_owned(), arguments.property.clone().unwrap_or_default())]);
    };
    let text = input::read(file)?;
    let name = file.display().to_string();
    let block = text.trim().strip_prefix("prop").map(str::trim).and_then(|t| t.strip_prefix('{'));
    if let Some(body) = block.and_then(|b| b.trim_end().strip_suffix('}')) {
        return Ok(vec![(name, body.trim().to_owned())]);
    }
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//"));
    let all: Vec<(String, String)> = lines.map(|l| (name.clone(), l.to_owned())).collect();
    if all.is_empty() { bad(format!("{name}: error: the file contains no property")) } else { Ok(all) }
}

/// What the verifying thread tells the printing one.
enum Message {
    Progress(Stats),
    Done(Box<Outcome>, Option<Box<Journal>>),
}

/// What came of a run, with the reason where there is no outcome.
struct Finished {
    outcome: Option<Outcome>,
    stats: Stats,
    reason: String,
    journal: Option<Box<Journal>>,
    elapsed: Duration,
}

fn one(
    arguments: &Arguments,
    system: &System,
    property: &Property,
    limit: Option<Duration>,
) -> Result<Verdict, BadInput> {
    let finished = verify(arguments, system, property, limit);
    let verdict = finished
        .outcome
        .as_ref()
        .map_or(Verdict::Unknown(veristep_core::kit::UnknownReason::Budget), |o| o.verdict);
    let certificate = finished.outcome.as_ref().and_then(|o| o.certificate.as_ref());
    let checked = certificate.map(|c| certificate::check(system, property, c));
    if let (Some(path), Some(c)) = (&arguments.certificate, certificate) {
        input::write(path, &file_text(&property.text(system), c))?;
    }
    if let (Some(path), Some(journal)) = (&arguments.journal, &finished.journal) {
        input::write(path, &journal.to_string())?;
    }
    let certified = matches!(checked, Some(Ok(_)));
    match arguments.format {
        Format::Json => say!("{}", json_object(system, property, verdict, &finished, certified)),
        Format::Text => print_text(&arguments.model, verdict, &finished, checked.as_ref()),
    }
    Ok(verdict)
}

/// Runs the engine in a thread, so that a single long question cannot outlast the time limit.
fn verify(arguments: &Arguments, system: &System, property: &Property, limit: Option<Duration>) -> Finished {
    let (send, receive) = mpsc::channel();
    let mut run = Run::new(system, property, &Options::default());
    let mut stats = run.stats();
    let (fuel, record) = (arguments.fuel.unwrap_or(u64::MAX), arguments.journal.is_some());
    let start = Instant::now();
    std::thread::spawn(move || work(&mut run, fuel, record, &send));
    let terminal = std::io::stderr().is_terminal() && arguments.format == Format::Text;
    let mut reason = "the limit of steps (--fuel) was reached".to_owned();
    let (mut outcome, mut journal) = (None, None);
    loop {
        let left = limit.map_or(Duration::from_secs(3600), |l| l.saturating_sub(start.elapsed()));
        match receive.recv_timeout(left) {
            Ok(Message::Progress(now)) => {
                if terminal {
                    let t = now.total;
                    eprint!(
                        "\r\x1b[Kiteration {}, {} nodes, {} predicates",
                        t.iterations, t.nodes, t.predicates
                    );
                }
                stats = now;
            }
            Ok(Message::Done(done, recorded)) => {
                (stats, reason) = (done.stats.clone(), done.reason.clone());
                (outcome, journal) = (Some(*done), recorded);
                break;
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) if limit.is_some() => {
                reason = "the time limit (--timeout) was reached".to_owned();
                break;
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    if terminal {
        eprint!("\r\x1b[K");
    }
    Finished { outcome, stats, reason, journal, elapsed: start.elapsed() }
}

fn work(run: &mut Run, mut fuel: u64, record: bool, send: &mpsc::Sender<Message>) {
    let mut recorder = record.then(|| Recorder { journal: Journal::new(run.names()) });
    while fuel > 0 {
        let mut slice = Fuel::new(fuel.min(1_000));
        let before = slice.left();
        let polled = match &mut recorder {
            Some(sink) => run.poll(&mut Cx { fuel: &mut slice, sink }),
            None => run.poll(&mut Cx { fuel: &mut slice, sink: &mut Off }),
        };
        fuel -= before - slice.left();
        let message = match polled {
            Poll::Ready(outcome) => {
                Message::Done(Box::new(outcome), recorder.take().map(|r| Box::new(r.journal)))
            }
            Poll::Pending => Message::Progress(run.stats()),
        };
        let over = matches!(message, Message::Done(..));
        if send.send(message).is_err() || over {
            return;
        }
    }
}

fn json_object(
    system: &System,
    property: &Property,
    verdict: Verdict,
    finished: &Finished,
    certified: bool,
) -> Value {
    let counts = finished.stats.total;
    let per_iteration = finished.stats.per_iteration.iter().map(|i| {
        json!({"abstract_states": i.nodes, "concrete_states": null, "new_predicates": i.predicates, "queries": i.queries})
    });
    let trace = match finished.outcome.as_ref().and_then(|o| o.certificate.as_ref()) {
        Some(Certificate::Trace { states }) => states
            .iter()
            .map(|s| {
                let values: serde_json::Map<String, Value> =
                    s.values.iter().map(|(name, value)| (name.clone(), Value::from(value.clone()))).collect();
                json!({"location": s.location, "edge": s.edge, "values": values})
            })
            .collect(),
        _ => Value::Null,
    };
    json!({
        "verdict": verdict.to_string(),
        "reason": finished.reason,
        "property": property.text(system),
        "engine": "cegar",
        "iterations": counts.iterations,
        "abstract_states": counts.nodes,
        "concrete_states": null,
        "predicates": counts.predicates,
        "queries": counts.queries,
        "per_iteration": per_iteration.collect::<Vec<_>>(),
        "certified": certified,
        "trace": trace,
        "ms": u64::try_from(finished.elapsed.as_millis()).unwrap_or(u64::MAX),
    })
}

fn print_text(
    model: &Path,
    verdict: Verdict,
    finished: &Finished,
    checked: Option<&Result<certificate::Report, certificate::Rejection>>,
) {
    let counts = finished.stats.total;
    say!("{}: {verdict}", model.display());
    say!("  {}", finished.reason);
    say!(
        "  {} iterations, {} nodes, {} predicates, {} queries, {:.1} ms",
        counts.iterations,
        counts.nodes,
        counts.predicates,
        counts.queries,
        finished.elapsed.as_secs_f64() * 1e3
    );
    match finished.outcome.as_ref().and_then(|o| o.certificate.as_ref()) {
        Some(Certificate::Trace { states }) => {
            say!("  run:");
            for s in states {
                say!("    {:20} {}", s.location, s.values_text());
            }
        }
        Some(Certificate::Invariant { locations }) => {
            say!("  invariant:");
            locations.iter().for_each(|(name, formula)| say!("    {name:20} {formula}"));
        }
        None => {}
    }
    match checked {
        Some(Ok(report)) => say!("  certified: {}", report.sentences.last().map_or("", String::as_str)),
        Some(Err(why)) => say!("  NOT certified: {why}"),
        None => {}
    }
}
