//! `veristep check`: verify properties of a model.

use std::io::{IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::task::Poll;
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};
use veristep_core::certificate::{self, Certificate, File, Identity, Rejection, Report};
use veristep_core::diagnostic::LineIndex;
use veristep_core::formats::c::{self, DataModel};
use veristep_core::formats::{aiger, query};
use veristep_core::kit::{Cx, Fuel, Journal, Off, Recorder, Verdict};
use veristep_core::property::Property;
use veristep_core::run::{self, Conclusion, Kind, Method, Options, Run, Stats};
use veristep_core::system::System;
use veristep_core::text::count;
use veristep_core::vacuity::vacuous;

use crate::bounded::Bounded;
use crate::input::{self, BadInput, Language, bad};
use crate::printed::{Format, print_certificate, print_witness, trace};
use crate::strategy::Choices;
use crate::watch::{Limits, Watch};
use crate::witness::witness;
use crate::{HOLDS, UNKNOWN, VIOLATED, complain, ltl};

/// Arguments of `check`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The model
    pub(crate) model: PathBuf,
    /// The property: an invariant, a temporal formula, never-file:AUTOMATON, or error-location-unreachable (the
    /// default)
    #[arg(long, value_name = "TEXT", conflicts_with = "property_file")]
    pub(crate) property: Option<String>,
    /// A file of properties: `prop { … }`, or one per line
    #[arg(long, value_name = "FILE")]
    property_file: Option<PathBuf>,
    /// The method. Default: auto (several strategies in turn), or cegar if a strategy option or --journal is given
    #[arg(long, value_parser = PossibleValuesParser::new(Method::ALL.map(Method::name)))]
    engine: Option<String>,
    #[command(flatten)]
    choices: Choices,
    #[command(flatten)]
    limits: Limits,
    /// Limit of steps
    #[arg(long, value_name = "N")]
    fuel: Option<u64>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// Write the certificate to this file
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Write a witness in the format of SV-COMP (2.0, YAML) to this file; for programs in C and circuits
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,
    /// Write the run that violates the property as a C program to this file; for programs in C
    #[arg(long, value_name = "FILE")]
    harness: Option<PathBuf>,
    /// Write the journal to this file
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    #[command(flatten)]
    language: Language,
}

/// Verifies every given property.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    if let Some(formula) = arguments.property.as_deref().and_then(|p| p.strip_prefix("language-of-ltl:")) {
        return language(arguments, formula);
    }
    let kind = arguments.language.kind(&arguments.model)?;
    let limit = arguments.limits.time()?;
    let watched = watch(arguments, arguments.property.as_deref().unwrap_or(""))?;
    let text = input::read(&arguments.model)?;
    if let Some(found) = Bounded::asked(arguments, kind, &text)? {
        return found.print(arguments);
    }
    let texts = properties(arguments, kind, &text)?;
    drop(watched);
    if texts.len() > 1 && (arguments.certificate.is_some() || arguments.journal.is_some()) {
        return bad("error: --certificate and --journal take one property at a time");
    }
    if arguments.witness.is_some() && !matches!(kind, Kind::C | Kind::CLp64 | Kind::Aiger) {
        return bad("error: --witness is for programs in C and for circuits");
    }
    if arguments.harness.is_some() && kind.data_model().is_none() {
        return bad("error: --harness is for programs in C");
    }
    // A journal records the run of one strategy, from its first step.
    let engine = arguments.engine.as_deref().or(arguments.journal.as_ref().map(|_| "cegar"));
    let options = arguments.choices.options(engine)?;
    let mut status = HOLDS;
    for (origin, asked) in texts {
        let watched = watch(arguments, &asked)?;
        let start = Instant::now();
        let system = input::model(&arguments.model, kind, &text, Some(&asked));
        let system = refused_as_json(arguments, &asked, system)?;
        let property = refused_as_json(arguments, &asked, input::property(&system, &origin, &asked))?;
        let left = limit.map(|l| l.saturating_sub(start.elapsed()));
        let verdict = one(arguments, &options, (kind, &text, &system), (&property, &asked), (left, watched))?;
        // Violated outweighs unknown, unknown outweighs holds.
        status = match (status, verdict) {
            (VIOLATED, _) | (_, "violated") => VIOLATED,
            (UNKNOWN, _) | (_, "unknown") => UNKNOWN,
            _ => HOLDS,
        };
    }
    Ok(status)
}

/// Enforces the limits while one property is read and verified.
fn watch(arguments: &Arguments, asked: &str) -> Result<Watch, BadInput> {
    let (format, model, asked) = (arguments.format, arguments.model.clone(), asked.to_owned());
    arguments.limits.watch(2 * GRACE, move |reason| match format {
        Format::Text => {
            say!("{}: unknown", model.display());
            say!("  {reason}");
        }
        Format::Json => say!("{}", json_object("unknown", reason, &asked, None)),
    })
}

/// Does the automaton, which is the model here, accept the language of the formula?
fn language(arguments: &Arguments, formula: &str) -> Result<u8, BadInput> {
    let start = Instant::now();
    let _watched = watch(arguments, &format!("language-of-ltl:{formula}"))?;
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

/// Valid but unsupported input has a verdict, too: unknown, with the reason.
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

/// The origin and text of each property; by default the model's own.
fn properties(arguments: &Arguments, kind: Kind, model: &str) -> Result<Vec<(String, String)>, BadInput> {
    let asked = arguments.property.as_deref().unwrap_or("");
    let invariant = asked.strip_prefix("invariant-file:");
    // Is the condition of the file true infinitely often? It must not be.
    let recurrent = asked.strip_prefix("recurrent-file:");
    if let Some(query) = asked.strip_prefix("query:") {
        return queries(query);
    }
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

/// The formula of a query file, `FILE#ID`; all of them without an id.
fn queries(asked: &str) -> Result<Vec<(String, String)>, BadInput> {
    let (file, id) = asked.split_once('#').map_or((asked, None), |(file, id)| (file, Some(id)));
    let text = input::read(Path::new(file))?;
    let all = query::parse(&text).map_err(|d| input::render(file, &text, &d))?;
    let chosen: Vec<_> = all.into_iter().filter(|q| id.is_none_or(|id| q.id == id)).collect();
    if chosen.is_empty() {
        return bad(match id {
            Some(id) => format!("{file}: error: there is no property '{id}'"),
            None => format!("{file}: error: the file contains no property"),
        });
    }
    if let (Some(id), [_, _, ..]) = (id, &chosen[..]) {
        return bad(format!("{file}: error: several properties have the name '{id}'"));
    }
    let (mut all, mut refused, lines) = (Vec::new(), Vec::new(), LineIndex::new(&text));
    for q in chosen {
        let (line, column) = lines.position(q.span.start);
        match q.property {
            Ok(property) => all.push((format!("{file}:{line}:{column}#{}", q.id), property)),
            Err(d) => refused.push(d),
        }
    }
    match (all.is_empty(), refused.is_empty()) {
        (true, _) => Err(input::render(file, &text, &refused)),
        (false, true) => Ok(all),
        (false, false) => {
            let (BadInput::Unsupported(message) | BadInput::Mistake(message)) =
                input::render(file, &text, &refused);
            complain(&message);
            Ok(all)
        }
    }
}

/// Messages from the verifying thread to the printing one.
enum Message {
    Progress(Stats),
    /// The options are not applicable, with the reason.
    Refused(String),
    /// The run ended, or its fuel did; with the journal if requested.
    Ended(Option<Box<Ended>>, Option<Box<Journal>>),
    /// It holds vacuously, with the reason.
    Vacuous(String),
}

/// An outcome and the checker's result for its certificate.
struct Ended {
    outcome: Conclusion,
    checked: Option<Result<Report, Rejection>>,
    /// Why it holds vacuously, if known.
    vacuous: Option<String>,
}

/// Result of a run.
pub(crate) struct Finished {
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

    /// The checker's report, if it accepted the certificate.
    fn report(&self) -> Option<&Report> {
        self.ended.as_ref()?.checked.as_ref()?.as_ref().ok()
    }

    /// Why it holds vacuously, if known.
    fn vacuous(&self) -> Option<&str> {
        self.ended.as_ref()?.vacuous.as_deref()
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
    (kind, source, system): (Kind, &str, &System),
    (property, text): (&Property, &str),
    (limit, watched): (Option<Duration>, Watch),
) -> Result<&'static str, BadInput> {
    let finished = verify(arguments, options, system, property, limit).or_else(|why| {
        // A formula whose automaton is too large is valid, but not supported.
        match run::too_large(system, property) {
            Some(why) => {
                refused_as_json(arguments, text, Err(BadInput::Unsupported(format!("error: {why}"))))
            }
            None => bad(format!("error: {why}")),
        }
    })?;
    if let (Some(path), Some(certificate)) = (&arguments.certificate, finished.certificate()) {
        let file = File::new(Identity::new(kind, source, system, text), certificate.clone());
        input::write(path, &file.text())?;
    }
    if let (Some(path), Some(journal)) = (&arguments.journal, &finished.journal) {
        input::write(path, &journal.to_string())?;
    }
    if let (Some(path), Some(certificate)) = (&arguments.witness, finished.certificate()) {
        let text = match kind.data_model() {
            None => aiger::witness(source, certificate),
            Some(sizes) => Some(witness((&arguments.model, sizes), system, source, certificate)),
        };
        if let Some(text) = text {
            input::write(path, &text)?;
        }
    }
    if let (Some(path), Some(certificate)) = (&arguments.harness, finished.certificate()) {
        let sizes = kind.data_model().unwrap_or_default();
        if let Some(text) = c::harness(system, source, certificate, sizes) {
            input::write(path, &text)?;
        }
    }
    let (verdict, reason) = finished.verdict();
    match arguments.format {
        Format::Json => {
            let mut object = json_object(verdict, &reason, &property.text(system), Some(&finished));
            object["trace"] =
                json!(finished.certificate().and_then(|c| trace(&property.apply(system.clone()), c)));
            if let Some(model) = kind.data_model() {
                object["data_model"] = json!(model.name());
            }
            // From here on there is an answer, so the limits no longer matter.
            drop(watched);
            say!("{object}");
        }
        Format::Text => {
            let applied = property.apply(system.clone());
            drop(watched);
            print_text((&arguments.model, kind.data_model()), verdict, &reason, &finished, &applied);
            print_witness(&applied, property, finished.certificate());
        }
    }
    Ok(verdict)
}

/// Runs engine and checker in a thread, so that a long query cannot exceed the time limit.
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
                    let _ = write!(
                        std::io::stderr(),
                        "\r\x1b[Kiteration {}, {} nodes, {} predicates",
                        t.iterations,
                        t.nodes,
                        t.predicates
                    );
                }
                finished.stats = stats;
            }
            Ok(Message::Refused(why)) => return Err(why),
            Ok(Message::Ended(ended, journal)) => {
                (finished.ended, finished.journal) = (ended, journal);
            }
            Ok(Message::Vacuous(why)) => {
                if let Some(ended) = &mut finished.ended {
                    ended.vacuous = Some(why);
                }
            }
            Err(RecvTimeoutError::Timeout) if limit.is_none() => {}
            Err(RecvTimeoutError::Timeout) if stop.swap(true, Ordering::Relaxed) => break,
            Err(RecvTimeoutError::Timeout) => finished.stopped = "the time limit (--timeout) was reached",
            // The thread has ended. Without a message it has panicked, which is a defect; the panic was printed.
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => break,
            },
        }
    }
    if terminal {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    if let Some(ended) = &finished.ended {
        finished.stats = ended.outcome.stats.clone();
    }
    finished.elapsed = start.elapsed();
    Ok(finished)
}

/// Time after the limit in which the thread may hand over its journal.
const GRACE: Duration = Duration::from_millis(200);

fn work(
    options: &Options,
    (system, property): &(System, Property),
    mut fuel: u64,
    record: bool,
    stop: &AtomicBool,
    send: &mpsc::Sender<Message>,
) {
    // Created here, because solvers are bound to their thread.
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
            ended = Some(Box::new(Ended { outcome, checked, vacuous: None }));
        } else if send.send(Message::Progress(run.stats())).is_err() {
            return;
        }
    }
    let holds = ended
        .as_ref()
        .is_some_and(|e| e.outcome.verdict == Verdict::Holds && matches!(e.checked, Some(Ok(_))));
    // The receiver may be gone: then the answer is not needed.
    let _ = send.send(Message::Ended(ended, recorder.map(|r| Box::new(r.journal))));
    if let Some(why) = holds.then(|| vacuous(system, property)).flatten() {
        let _ = send.send(Message::Vacuous(why));
    }
}

/// The machine-readable answer; unknown values are null.
pub(crate) fn json_object(verdict: &str, reason: &str, property: &str, finished: Option<&Finished>) -> Value {
    let counts = finished.map(|f| f.stats.total);
    let formula = finished.and_then(|f| f.stats.formula);
    // Only explicit search has any.
    let some = |concrete: u32| Some(concrete).filter(|n| *n > 0);
    let per_iteration = finished.map(|f| {
        let iteration = |i: &veristep_core::kit::IterationCounts| {
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
        "bound": formula.map(|_| counts.map(|c| c.iterations.saturating_sub(1))),
        "variables_before": formula.map(|(_, before)| before),
        "variables": formula.map(|(size, _)| size.variables),
        "constraints": formula.map(|(size, _)| size.constraints),
        "certified": finished.is_some_and(|f| f.certificate().is_some()),
        "grade": finished.and_then(Finished::report).map(Report::grade),
        "by_statements": finished.and_then(Finished::report).map(|r| r.by_statements),
        "trusted": finished.and_then(Finished::report).map(|r| r.trusted.clone()),
        "vacuous": finished.and_then(Finished::vacuous),
        "trace": null,
        "ms": finished.map(|f| u64::try_from(f.elapsed.as_millis()).unwrap_or(u64::MAX)),
    })
}

/// The verdict, its reason, and the reading of the model.
pub(crate) fn print_verdict(
    (model, sizes): (&Path, Option<DataModel>),
    verdict: &str,
    reason: &str,
    vacuous: Option<&str>,
) {
    match vacuous {
        Some(why) => say!("{}: {verdict} vacuously: {why}", model.display()),
        None => say!("{}: {verdict}", model.display()),
    }
    say!("  {reason}");
    if let Some(sizes) = sizes {
        let (name, long) = (sizes.name(), sizes.long());
        say!("  read as C17 with the data model {name}: int has 32 bits, long has {long}");
    }
}

fn print_text(
    (model, sizes): (&Path, Option<DataModel>),
    verdict: &str,
    reason: &str,
    finished: &Finished,
    system: &System,
) {
    let counts = finished.stats.total;
    print_verdict((model, sizes), verdict, reason, finished.vacuous());
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
    if let Some((size, before)) = finished.stats.formula {
        let (variables, constraints) = (size.variables, size.constraints);
        say!("  formula: {variables} variables, {before} before replacing; {constraints} constraints");
    }
    if counts.kept > 0 {
        say!("  {} abstract states were not explored again after a refinement", counts.kept);
    }
    if finished.stats.chain > 0 && verdict == "unknown" {
        say!(
            "  {} predicates differ only in constants: this strategy may not terminate",
            finished.stats.chain
        );
    }
    if let Some(ended) = &finished.ended {
        say!("  strategy: {}", ended.outcome.strategy);
        if finished.stats.sliced > 0 {
            say!("  slice: {} edges are removed, completely or in part", finished.stats.sliced);
        }
    }
    print_certificate(system, finished.certificate());
    if let Some(Ok(report)) = finished.ended.as_ref().and_then(|e| e.checked.as_ref()) {
        say!("  certified: {}", report.sentences.last().map_or("", String::as_str));
        report.trusted.iter().for_each(|t| say!("  not checked: {t}"));
    }
}
