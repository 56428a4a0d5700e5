//! `veristep ltl`: formulas of linear temporal logic and their automata.

use std::path::{Path, PathBuf};
use std::sync::mpsc;

use clap::{Args, ValueEnum};
use serde_json::json;
use veristep_core::buchi::{self, Automaton, TooLarge, dot, hoa, never};
use veristep_core::ltl::{self, Class, Formula};

use crate::input::{self, BadInput, bad};
use crate::{HOLDS, UNKNOWN, VIOLATED};

#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
enum Format {
    /// Properties of the formula, and its automaton
    Text,
    /// The automaton in the Hanoi omega-automata format
    Hoa,
    /// The automaton as a Graphviz graph
    Dot,
    /// The automaton as a never claim of SPIN
    Never,
    /// Everything in one JSON object
    Json,
}

/// Arguments of `ltl`.
#[derive(Args, Clone)]
pub(crate) struct Arguments {
    /// The formula, with G F X U R W M or [] <> and ! & | -> <->
    formula: String,
    /// Check equivalence with this formula; otherwise print a word that satisfies only one of them
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["implies", "automaton"])]
    equivalent_to: Option<String>,
    /// Check whether the formula implies this one; otherwise print a word as a counterexample
    #[arg(long, value_name = "FORMULA", conflicts_with = "automaton")]
    implies: Option<String>,
    /// Check whether this automaton (in the Hanoi omega-automata format, or a never claim) accepts exactly the words
    /// that satisfy the formula
    #[arg(long, value_name = "FILE")]
    automaton: Option<PathBuf>,
    /// Generalized acceptance on transitions instead of accepting states
    #[arg(long)]
    generalized: bool,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    timeout: f64,
}

fn large(why: TooLarge) -> BadInput {
    BadInput::Unsupported(format!("error: {why}"))
}

/// Reads formulas over the same atoms.
fn read(texts: &[&str]) -> Result<(Vec<Formula>, Vec<String>), BadInput> {
    let mut atoms: Vec<String> = Vec::new();
    let mut formulas = Vec::new();
    for text in texts {
        let parsed = ltl::propositional(text).map_err(|d| input::render("formula", text, &d))?;
        formulas.push(parsed.over(&mut atoms));
    }
    Ok((formulas, atoms))
}

/// Prints the answer, computed in a thread, so that a large formula cannot exceed the limit.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    let limit = input::limit(Some(arguments.timeout))?.unwrap_or_default();
    let (send, receive) = mpsc::channel();
    let asked = arguments.clone();
    let worker = std::thread::spawn(move || send.send(answer(&asked)));
    match receive.recv_timeout(limit) {
        Ok(answer) => answer,
        Err(mpsc::RecvTimeoutError::Timeout) => {
            say!("unknown: the time limit (--timeout) was reached");
            Ok(UNKNOWN)
        }
        Err(mpsc::RecvTimeoutError::Disconnected) => match worker.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(_) => Ok(UNKNOWN),
        },
    }
}

fn answer(arguments: &Arguments) -> Result<u8, BadInput> {
    if let Some(path) = &arguments.automaton {
        let (status, said) = compare(path, &arguments.formula)?;
        say!("{said}");
        return Ok(status);
    }
    let other = arguments.equivalent_to.as_ref().or(arguments.implies.as_ref());
    let texts: Vec<&str> = std::iter::once(&arguments.formula).chain(other).map(String::as_str).collect();
    let (formulas, atoms) = read(&texts)?;
    match formulas.get(1) {
        Some(other) => relate(arguments, &formulas[0], other, &atoms),
        None => translate(arguments, &formulas[0], &atoms),
    }
}

fn relate(arguments: &Arguments, a: &Formula, b: &Formula, atoms: &[String]) -> Result<u8, BadInput> {
    let left = buchi::difference(a, b, atoms).map_err(large)?;
    let right = match arguments.implies {
        Some(_) => None,
        None => buchi::difference(b, a, atoms).map_err(large)?,
    };
    let (first, second) =
        (&arguments.formula, arguments.equivalent_to.as_ref().or(arguments.implies.as_ref()));
    let second = second.map_or("", String::as_str);
    let what = if arguments.implies.is_some() { "implies" } else { "is equivalent to" };
    let (word, yes, no) = match (left, right) {
        (None, None) => {
            say!("yes: {first} {what} {second}");
            return Ok(HOLDS);
        }
        (Some(word), _) => (word, first.as_str(), second),
        (None, Some(word)) => (word, second, first.as_str()),
    };
    say!("no: a word that satisfies {yes}, but not {no}: {}", word.text(atoms));
    Ok(VIOLATED)
}

/// Compares an automaton from a file with a formula: the status, and the message.
pub(crate) fn compare(path: &Path, formula: &str) -> Result<(u8, String), BadInput> {
    let (formulas, atoms) = read(&[formula])?;
    let text = input::read(path)?;
    let automaton = buchi::read(&text).map_err(|d| input::render(&path.display().to_string(), &text, &d))?;
    let Some(automaton) = automaton.over(&atoms) else {
        let names = automaton.atoms.join(", ");
        return bad(format!(
            "{}: error: its atoms are {names}, those of the formula {}",
            path.display(),
            atoms.join(", ")
        ));
    };
    Ok(match buchi::same_words(&automaton, &formulas[0]).map_err(large)? {
        buchi::Compared::Same => {
            (HOLDS, "ok: the automaton accepts exactly the words that satisfy the formula".to_owned())
        }
        buchi::Compared::Differ(word, accepted) => {
            let which = if accepted {
                "is accepted, but violates the formula"
            } else {
                "satisfies the formula, but is not accepted"
            };
            (VIOLATED, format!("differ: this word {which}: {}", word.text(&atoms)))
        }
        buchi::Compared::Unknown => {
            (UNKNOWN, "unknown: the automaton is too large to be complemented".to_owned())
        }
    })
}

fn translate(arguments: &Arguments, formula: &Formula, atoms: &[String]) -> Result<u8, BadInput> {
    let mut automaton = match arguments.generalized {
        true => buchi::generalized(formula, atoms).map_err(large)?,
        false => buchi::of_formula(formula, atoms).map_err(large)?,
    };
    if arguments.format == Format::Never && arguments.generalized {
        return bad("error: never claims have accepting states: omit --generalized");
    }
    match arguments.format {
        Format::Never => say!("{}", never::print(&automaton, &arguments.formula).trim_end()),
        Format::Hoa => say!("{}", hoa::print(&automaton, &arguments.formula).trim_end()),
        Format::Dot => say!("{}", dot::print(&automaton, &arguments.formula).trim_end()),
        Format::Text => text(formula, atoms, &mut automaton)?,
        Format::Json => {
            let word = automaton.some_word().map(|w| w.text(atoms));
            let name = |p: ltl::AtomId| atoms[p.index()].clone();
            let patterns = buchi::patterns::of(&automaton).map_err(large)?;
            let patterns: Vec<String> = patterns.instances.iter().map(ToString::to_string).collect();
            say!(
                "{}",
                json!({
                    "formula": formula.text(&name),
                    "simplified": buchi::simplified(formula).text(&name),
                    "class": Class::of(formula).to_string(),
                    "next_free": formula.is_next_free(),
                    "atoms": atoms,
                    "states": automaton.states.len(),
                    "transitions": automaton.transitions(),
                    "acceptance_sets": automaton.marks,
                    "deterministic": automaton.is_deterministic(),
                    "shape": automaton.shape().to_string(),
                    "patterns": patterns,
                    "satisfiable": word.is_some(),
                    "word": word,
                    "hoa": hoa::print(&automaton, &arguments.formula),
                })
            );
        }
    }
    Ok(HOLDS)
}

fn text(formula: &Formula, atoms: &[String], automaton: &mut Automaton) -> Result<(), BadInput> {
    let name = |p: ltl::AtomId| atoms[p.index()].clone();
    say!("{}", formula.text(&name));
    say!("  simplified: {}", buchi::simplified(formula).text(&name));
    let stutter = if formula.is_next_free() { "; without X, so invariant under stuttering" } else { "" };
    say!("  class: {}{stutter}", Class::of(formula));
    match automaton.some_word() {
        Some(word) => say!("  satisfied by: {}", word.text(atoms)),
        None => say!("  unsatisfiable"),
    }
    match buchi::generalized(&formula.clone().negated(), atoms).map_err(large)?.some_word() {
        Some(word) => say!("  violated by:  {}", word.text(atoms)),
        None => say!("  valid: every word satisfies it"),
    }
    for instance in buchi::patterns::of(automaton).map_err(large)?.instances {
        say!("  pattern: {instance}");
    }
    let deterministic = if automaton.is_deterministic() { "deterministic" } else { "nondeterministic" };
    say!(
        "  automaton: {} states, {} transitions, {deterministic}, {}",
        automaton.states.len(),
        automaton.transitions(),
        automaton.shape()
    );
    let plain = automaton.is_plain();
    for q in automaton.ids() {
        let initial = if q == automaton.initial { " initial" } else { "" };
        let accepting = if plain && automaton.is_accepting(q) { " accepting" } else { "" };
        say!("    {q}{initial}{accepting}");
        for t in automaton.states[q.index()].clone() {
            let guard = automaton.guards.text(t.guard, &|v| atoms[v as usize].clone());
            let marks: Vec<String> =
                (0..automaton.marks).filter(|m| !plain && t.marks.has(*m)).map(|m| m.to_string()).collect();
            let marks = if marks.is_empty() { String::new() } else { format!("  {{{}}}", marks.join(" ")) };
            say!("      {guard} -> {}{marks}", t.target);
        }
    }
    Ok(())
}
