//! `veristep bench`: strategies on a folder of models, as the heat maps of Hajdu and Micskei (2020) or as the tables of
//! Hajdu, Tóth, Vörös and Majzik (2016).
//!
//! Each measurement is a separate process, so that none can affect another.

mod heat;
mod models;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{Args, ValueEnum};
use serde_json::Value;
use veristep_core::methods::cegar::experiment::questions;
use veristep_core::run::{Kind, Options};

use crate::HOLDS;
use crate::input::{self, BadInput, bad};
use heat::Map;
use models::Model;

#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
enum Format {
    /// Heat maps as text
    Text,
    /// Heat maps as a picture
    Svg,
    /// One line per measurement
    Csv,
    /// A table per heat map
    Latex,
    /// A line per model: time, refinements and abstract states of each strategy
    Table,
}

/// Arguments of `bench`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Models, and folders of models; a MANIFEST.tsv in a folder contains the expected verdicts
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The strategies to compare: auto, RQ1 to RQ6 of Hajdu and Micskei (2020), paper (all of these), split (the six
    /// configurations of Hajdu, Tóth, Vörös and Majzik 2016), or options like 'domain=expl,max-enum=5' or 'engine=pdr';
    /// may be given several times
    #[arg(long = "strategy", value_name = "S", default_value = "auto")]
    strategies: Vec<String>,
    /// Time limit of a measurement, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0)]
    timeout: f64,
    /// Number of parallel measurements
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Write the result to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A strategy with its name, as options on the command line.
#[derive(Clone, PartialEq, Eq)]
struct Entry {
    name: String,
    choices: Vec<(String, String)>,
}

/// Strategies compared with each other.
struct Group {
    title: String,
    entries: Vec<Entry>,
}

/// Result of one strategy on one model.
#[derive(Clone, Default)]
struct Measured {
    verdict: String,
    reason: String,
    certified: bool,
    numbers: BTreeMap<&'static str, u64>,
    ms: u64,
    /// Is the verdict the expected one? `None` without an expected one.
    right: Option<bool>,
}

const NUMBERS: [&str; 6] =
    ["iterations", "abstract_states", "predicates", "tracked_variables", "kept_states", "queries"];

/// Measures everything and prints the result.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    input::limit(Some(arguments.timeout))?;
    let models = models::find(&arguments.paths)?;
    if models.is_empty() {
        let endings: Vec<&str> = Kind::ALL.iter().flat_map(|kind| kind.format().endings).copied().collect();
        return bad(format!("error: no models were found; their names end in .{}", endings.join(", .")));
    }
    let groups = groups(&arguments.strategies)?;
    let mut entries: Vec<&Entry> = Vec::new();
    for entry in groups.iter().flat_map(|g| &g.entries) {
        if entries.iter().all(|e| e.choices != entry.choices || e.name == "auto") {
            entries.push(entry);
        }
    }
    let results = measure(arguments, &models, &entries);
    let text = match arguments.format {
        Format::Csv => csv(&models, &entries, &results),
        Format::Table => groups.iter().map(|g| table(g, &models, &entries, &results)).collect(),
        format => {
            let maps: Vec<Map> = groups.iter().map(|g| map(g, &models, &entries, &results)).collect();
            match format {
                Format::Svg => heat::svg(&maps),
                Format::Latex => maps.iter().map(Map::latex).collect(),
                _ => maps.iter().map(Map::text).collect(),
            }
        }
    };
    match &arguments.output {
        Some(path) => input::write(path, &text)?,
        None => say!("{}", text.trim_end()),
    }
    let wrong: Vec<String> = wrong(&models, &entries, &results);
    if wrong.is_empty() { Ok(HOLDS) } else { bad(wrong.join("\n")) }
}

/// The selected strategies.
fn groups(texts: &[String]) -> Result<Vec<Group>, BadInput> {
    let mut groups = Vec::new();
    let mut own = Vec::new();
    for text in texts {
        let question =
            questions().into_iter().filter(|q| text == "paper" || q.name.eq_ignore_ascii_case(text));
        let found: Vec<Group> = question
            .map(|q| {
                let entry = |s: &veristep_core::methods::cegar::Strategy| Entry {
                    name: s.short(),
                    choices: s.unusual(),
                };
                let entries = q.strategies.iter().map(entry).collect();
                Group { title: format!("{}: {} (as figure {})", q.name, q.title, q.figure), entries }
            })
            .collect();
        if text == "split" {
            groups.push(splitting()?);
        } else if found.is_empty() {
            own.push(entry(text)?);
        }
        groups.extend(found);
    }
    if !own.is_empty() {
        groups.insert(0, Group { title: "Strategies".to_owned(), entries: own });
    }
    Ok(groups)
}

/// The configurations of Table 1.
fn splitting() -> Result<Group, BadInput> {
    let mut entries = Vec::new();
    for domain in ["pred", "combined", "expl"] {
        for refinement in ["craig", "seq"] {
            entries.push(entry(&format!("engine=split,domain={domain},refinement={refinement}"))?);
        }
    }
    Ok(Group { title: "Refinement by splitting (as tables 1 to 3)".to_owned(), entries })
}

fn entry(text: &str) -> Result<Entry, BadInput> {
    if text == "auto" {
        return Ok(Entry { name: "auto".to_owned(), choices: Vec::new() });
    }
    let mut choices = Vec::new();
    for choice in text.split(',').filter(|c| !c.trim().is_empty()) {
        let Some((name, value)) = choice.split_once('=') else {
            return bad(format!(
                "error: --strategy: '{choice}' is neither auto, paper, split, RQ1 to RQ6 nor NAME=VALUE"
            ));
        };
        choices.push((name.trim().to_owned(), value.trim().to_owned()));
    }
    let options = Options::with(&choices).or_else(|why| bad(format!("error: --strategy: {why}")))?;
    Ok(Entry { name: options.short(), choices })
}

/// All measurements, by model and entry.
fn measure(arguments: &Arguments, models: &[Model], entries: &[&Entry]) -> Vec<Vec<Measured>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![vec![Measured::default(); entries.len()]; models.len()]);
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let (model, entry) = (i / entries.len(), i % entries.len());
                    if model >= models.len() {
                        break;
                    }
                    let measured = one(&models[model], entries[entry], arguments.timeout);
                    results.lock().expect("no thread panics")[model][entry] = measured;
                }
            });
        }
    });
    results.into_inner().expect("no thread panics")
}

fn one(model: &Model, entry: &Entry, timeout: f64) -> Measured {
    let failed = |reason: String| Measured { verdict: "unknown".to_owned(), reason, ..Measured::default() };
    let Ok(program) = std::env::current_exe() else { return failed("the program was not found".to_owned()) };
    let mut command = Command::new(program);
    command.arg("check").arg(&model.path).args(["--format", "json", "--timeout", &timeout.to_string()]);
    if let Some(property) = &model.property {
        command.args(["--property", property]);
    }
    if entry.name != "auto" && entry.choices.iter().all(|(name, _)| name != Options::ENGINE) {
        command.args(["--engine", "cegar"]);
    }
    for (name, value) in &entry.choices {
        command.args([format!("--{name}"), value.clone()]);
    }
    let output = match command.stderr(Stdio::piped()).output() {
        Ok(output) => output,
        Err(e) => return failed(e.to_string()),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let Ok(json) = serde_json::from_str::<Value>(text.trim()) else {
        return failed(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    };
    let word = |name: &str| json[name].as_str().unwrap_or_default().to_owned();
    let verdict = word("verdict");
    let right = model.expected.as_ref().filter(|_| verdict != "unknown").map(|e| *e == verdict);
    let numbers = NUMBERS.iter().map(|n| (*n, json[*n].as_u64().unwrap_or(0))).collect();
    let (certified, ms) = (json["certified"] == Value::Bool(true), json["ms"].as_u64().unwrap_or(0));
    Measured { verdict, reason: word("reason"), certified, numbers, ms, right }
}

/// The indices of an entry's measurements.
fn column(entries: &[&Entry], e: &Entry) -> Option<usize> {
    entries.iter().position(|x| x.choices == e.choices && (x.name == "auto") == (e.name == "auto"))
}

fn map(group: &Group, models: &[Model], entries: &[&Entry], results: &[Vec<Measured>]) -> Map {
    let rows = group.entries.iter().filter_map(|e| Some((e.name.clone(), column(entries, e)?)));
    let rows = rows.map(|(name, at)| (name, results.iter().map(|r| r[at].clone()).collect())).collect();
    Map::new(&group.title, models, rows)
}

/// Verdicts that are not as expected, or not certified.
fn wrong(models: &[Model], entries: &[&Entry], results: &[Vec<Measured>]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (model, row) in models.iter().zip(results) {
        for (entry, m) in entries.iter().zip(row) {
            let decided = m.verdict == "holds" || m.verdict == "violated";
            if m.right == Some(false) || decided && !m.certified {
                let expected = model.expected.as_deref().unwrap_or("a certified verdict");
                wrong.push(format!(
                    "error: {} with {}: {}, expected {expected}",
                    model.path.display(),
                    entry.name,
                    m.verdict
                ));
            }
        }
    }
    wrong
}

/// A line per model in Markdown: seconds, refinements, abstract states.
fn table(group: &Group, models: &[Model], entries: &[&Entry], results: &[Vec<Measured>]) -> String {
    let columns: Vec<usize> = group.entries.iter().filter_map(|e| column(entries, e)).collect();
    let names: Vec<&str> = columns.iter().map(|c| entries[*c].name.as_str()).collect();
    let mut text = format!("**{}**: seconds, refinements, abstract states\n\n| | model | ", group.title);
    text.push_str(&format!("{} |\n|---|---|{}\n", names.join(" | "), "---:|".repeat(names.len())));
    for (model, row) in models.iter().zip(results) {
        let verdict = row.iter().map(|m| m.verdict.as_str()).find(|v| *v != "unknown").unwrap_or_default();
        let tick = match verdict {
            "holds" => "✓",
            "violated" => "×",
            _ => "?",
        };
        let cell = |m: &Measured| match m.verdict.as_str() {
            "holds" | "violated" => format!(
                "{}.{:03} · {} · {}",
                m.ms / 1000,
                m.ms % 1000,
                m.numbers["iterations"].saturating_sub(1),
                m.numbers["abstract_states"]
            ),
            _ => "—".to_owned(),
        };
        let cells: Vec<String> = columns.iter().map(|c| cell(&row[*c])).collect();
        text.push_str(&format!("| {tick} | {} | {} |\n", model.name, cells.join(" | ")));
    }
    text.push('\n');
    text
}

fn csv(models: &[Model], entries: &[&Entry], results: &[Vec<Measured>]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\"").replace('\n', " "));
    let mut text = format!("model,expected,strategy,verdict,certified,{},ms,reason\n", NUMBERS.join(","));
    for (model, row) in models.iter().zip(results) {
        for (entry, m) in entries.iter().zip(row) {
            let numbers: Vec<String> =
                NUMBERS.iter().map(|n| m.numbers.get(n).copied().unwrap_or(0).to_string()).collect();
            let fields = [
                quoted(&model.name),
                model.expected.clone().unwrap_or_default(),
                quoted(&entry.name),
                m.verdict.clone(),
                m.certified.to_string(),
                numbers.join(","),
                m.ms.to_string(),
                quoted(&m.reason),
            ];
            text.push_str(&fields.join(","));
            text.push('\n');
        }
    }
    text
}
