//! A violation of a program as a program: the same text with the inputs of the run, which a compiler can translate (with
//! sanitizers, too) and which then reaches the error.
//!
//! What a verifier knows by name is defined before the text: inputs give the values of the run in their order, assumptions end
//! the program, errors print `reach_error` and end it with status 1. A function that the program defines itself stays as it is,
//! but `reach_error` is recorded when it is entered. Variables without a first value have whatever the compiler gives
//! them, so runs that depend on such a value may not be repeated.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;

use super::builtin::Builtin;
use super::prototype::Prototype;
use super::source::Source;
use super::types::DataModel;
use super::{Entity, Program, witness};
use crate::certificate::{Certificate, TraceState};
use crate::system::System;

/// The program of a run, with the data model in which it is one; none if the certificate is no run.
#[must_use]
pub fn harness(system: &System, text: &str, certificate: &Certificate, model: DataModel) -> Option<String> {
    let Certificate::Trace { states } = certificate else { return None };
    let inputs: Vec<String> = witness::inputs(system, states);
    let words = words(text);
    let flag = if model == DataModel::Lp64 { "" } else { " -m32" };
    let mut out = format!(
        "/* A run that reaches the error, as a program.\n   gcc{flag} -std=gnu17 -fsanitize=undefined,address -fno-sanitize-recover=undefined FILE.c && ./a.out\n   \
         prints reach_error and ends with status 1 (or aborts in an assertion of its own). */\n"
    );
    let _ = write!(
        out,
        "static void veristep_error(void) {{ __builtin_printf(\"reach_error\\n\"); __builtin_exit(1); }}\n\
         static long long veristep_input(void) {{\n  static const long long values[] = {{{}0}};\n  static unsigned next;\n  \
         if (next >= sizeof values / sizeof *values - 1) {{ __builtin_printf(\"no input left\\n\"); __builtin_exit(2); }}\n  \
         return values[next++];\n}}\n",
        inputs.iter().map(|v| format!("{}, ", literal(v))).collect::<String>()
    );
    let source = Source::read(text, model).ok()?;
    let unit = source.parse().ok()?;
    let mut program = Program::new(&source, model);
    program.unit(&unit);
    out.push_str(&program.known_functions(&words, text.contains("assert.h")));
    let _ = writeln!(out, "#line 1 \"program.c\"");
    // Whoever enters an error function of the program has reached the error.
    let mut from = 0;
    for body in
        words.iter().filter(|w| matches!(w.name, "reach_error" | "__VERIFIER_error")).filter_map(|w| w.body)
    {
        out.push_str(&text[from..body]);
        out.push_str(" veristep_error(); ");
        from = body;
    }
    out.push_str(&text[from..]);
    out.push_str(&program.external_variables(states));
    Some(out)
}

impl Program<'_> {
    /// What a verifier knows by name, as far as the program calls it and does not define it, with the types that the program
    /// declares.
    fn known_functions(&self, words: &[Word<'_>], standard_assert: bool) -> String {
        let defined: HashSet<&str> = words.iter().filter(|w| w.defined).map(|w| w.name).collect();
        let called: BTreeSet<&str> =
            words.iter().map(|w| w.name).filter(|name| !defined.contains(name)).collect();
        let mut out = String::new();
        for name in &called {
            let declared = self.prototypes.get(*name);
            let (result, parameters) = declared.map(Prototype::spelled).unwrap_or_default();
            let result = result.unwrap_or_else(|| "void".to_owned());
            let condition = parameters.clone().unwrap_or_else(|| "int a0".to_owned());
            let nothing = parameters.unwrap_or_else(|| "void".to_owned());
            let line = match self.builtin(name) {
                Some(Builtin::Input(ty)) => {
                    let result = if declared.is_some() { result } else { ty.spelled("") };
                    format!("{result} {name}(void) {{ return ({result})veristep_input(); }}\n")
                }
                Some(Builtin::Assume) => {
                    format!("{result} {name}({condition}) {{ if (!a0) __builtin_exit(0); }}\n")
                }
                Some(Builtin::Assert) if *name != "assert" => {
                    format!("{result} {name}({condition}) {{ if (!a0) veristep_error(); }}\n")
                }
                Some(Builtin::Assert) if !standard_assert => {
                    "#define assert(c) ((c) ? (void)0 : veristep_error())\n".to_owned()
                }
                Some(Builtin::Fail) if !name.starts_with("__assert") => {
                    format!("{result} {name}({nothing}) {{ veristep_error(); }}\n")
                }
                _ => continue,
            };
            out.push_str(&line);
        }
        if called.contains("abort") || called.contains("exit") {
            out.push_str("extern void abort(void);\nextern void exit(int);\n");
        }
        out
    }

    /// Variables that are declared here and defined elsewhere, with the values of the run.
    fn external_variables(&self, states: &[TraceState]) -> String {
        let Some(start) = states.first() else { return String::new() };
        let value = |v: usize| {
            let known = start.values.iter().find(|(name, _)| *name == self.variables[v].name);
            match known.map_or("0", |(_, value)| value.as_str()) {
                "true" => "1".to_owned(),
                "false" => "0".to_owned(),
                number => literal(number),
            }
        };
        let globals: BTreeMap<&String, &Entity> = self.scopes[0].iter().collect();
        let mut out = String::new();
        for (name, entity) in globals {
            let Entity::Variable(first, ty) = entity else { continue };
            if self.elsewhere.contains(first) {
                let cells = first.index()..first.index() + ty.cells();
                let values = cells.map(value).collect::<Vec<_>>().join(", ");
                let _ = write!(out, "\n__typeof__({name}) {name} = {{{values}}};\n");
            }
        }
        out
    }
}

/// A number that fits into `long long`, or the bits of one that does not.
fn literal(value: &str) -> String {
    match value.parse::<i64>() {
        Ok(i64::MIN) => "(-9223372036854775807LL - 1)".to_owned(),
        Ok(n) => format!("{n}LL"),
        Err(_) => format!("(long long){value}ULL"),
    }
}

/// A name before a bracket: a call, a declaration or a definition.
struct Word<'a> {
    name: &'a str,
    /// Is it defined here? Then the place after its opening brace is known.
    defined: bool,
    body: Option<usize>,
}

/// The names before brackets, outside of comments and texts.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let first = rest.chars().next().expect("there is more");
        if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let after = at + end;
            if text[after..].trim_start().starts_with('(') {
                let body = body(text, after);
                found.push(Word { name: &rest[..end], defined: body.is_some(), body });
            }
            at = after;
        } else {
            at += skipped(rest).unwrap_or(first.len_utf8());
        }
    }
    found
}

/// The length of a comment or a text in quotes.
fn skipped(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(rest.find("*/").map_or(rest.len(), |end| end + 2));
    }
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut escaped = false;
    let end = rest.char_indices().skip(1).find(|(_, c)| {
        let ends = !escaped && (*c == quote || *c == '\n');
        escaped = *c == '\\' && !escaped;
        ends
    });
    Some(end.map_or(rest.len(), |(i, c)| i + c.len_utf8()))
}

/// After a list in brackets: the place after an opening brace, if one follows.
fn body(text: &str, from: usize) -> Option<usize> {
    let mut depth = 0usize;
    let end = text[from..].char_indices().find(|(_, c)| {
        depth = match c {
            '(' => depth + 1,
            ')' => depth.saturating_sub(1),
            _ => depth,
        };
        *c == ')' && depth == 0
    })?;
    let rest = from + end.0 + 1;
    let next = text[rest..].trim_start();
    // A condition is no list of parameters, and its statement no body.
    let word = text[..from].rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
    let keyword = ["if", "while", "for", "switch"].contains(&word);
    (next.starts_with('{') && !keyword).then(|| text.len() - next.len() + 1)
}
