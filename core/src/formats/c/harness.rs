//! A violation of a program as a program: the same text with the inputs of the run, which a compiler can translate (with
//! sanitizers, too) and which then reaches the error.
//!
//! What a verifier knows by name is defined before the text: inputs give the values of the run in their order, assumptions end
//! the program, errors print `reach_error` and end it with status 1. A function that the program defines itself stays as it is,
//! but `reach_error` is recorded when it is entered. Variables without a first value have whatever the compiler gives
//! them, so runs that depend on such a value may not be repeated.

use std::fmt::Write as _;

use super::builtin::{Builtin, builtin};
use super::types::{CType, DataModel};
use super::witness;
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
    out.push_str(&definitions(text, &words, model));
    out.push_str(&external(system, states, model));
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
    Some(out)
}

/// What a verifier knows by name, as far as the program calls it and does not define it.
fn definitions(text: &str, words: &[Word<'_>], model: DataModel) -> String {
    let calls = |name: &str| words.iter().any(|w| w.name == name && !w.defined);
    let defines = |name: &str| words.iter().any(|w| w.name == name && w.defined);
    let (mut out, mut done): (String, Vec<&str>) = Default::default();
    for word in words.iter().filter(|w| !w.defined) {
        let name = word.name;
        if done.contains(&name) || defines(name) {
            continue;
        }
        done.push(name);
        let line = match builtin(name, model) {
            Some(Builtin::Input(ty)) => {
                let ty = type_text(&ty, model);
                format!("{ty} {name}(void) {{ return ({ty})veristep_input(); }}\n")
            }
            Some(Builtin::Assume) => format!("void {name}(int c) {{ if (!c) __builtin_exit(0); }}\n"),
            Some(Builtin::Assert) if name != "assert" => {
                format!("void {name}(int c) {{ if (!c) veristep_error(); }}\n")
            }
            Some(Builtin::Assert) if !text.contains("assert.h") => {
                "#define assert(c) ((c) ? (void)0 : veristep_error())\n".to_owned()
            }
            Some(Builtin::Fail) if !name.starts_with("__assert") => {
                format!("void {name}(void) {{ veristep_error(); }}\n")
            }
            _ => continue,
        };
        out.push_str(&line);
    }
    if calls("abort") || calls("exit") {
        out.push_str("extern void abort(void);\nextern void exit(int);\n");
    }
    out
}

/// Variables that are declared here and defined elsewhere, with the values of the run.
fn external(system: &System, states: &[TraceState], model: DataModel) -> String {
    let mut out = String::new();
    let external = system.lifetimes.iter().flat_map(|l| l.external.iter());
    for v in external.filter(|_| !states.is_empty()) {
        let variable = system.variable(*v);
        let sizes = [8, 16, 32, 64].into_iter().flat_map(|bits| [true, false].map(|signed| (bits, signed)));
        let mut types = sizes.map(|(bits, signed)| CType::Int { bits, signed });
        let ty = types.find(|ty| Some(ty.range()) == variable.promised).unwrap_or(CType::Bool);
        let value = match states[0].values[v.index()].1.as_str() {
            "true" => "1",
            "false" => "0",
            number => number,
        };
        let _ = writeln!(out, "{} {} = {value};", type_text(&ty, model), variable.name);
    }
    out
}

/// A number that fits into `long long`, or the bits of one that does not.
fn literal(value: &str) -> String {
    match value.parse::<i64>() {
        Ok(i64::MIN) => "(-9223372036854775807LL - 1)".to_owned(),
        Ok(n) => format!("{n}LL"),
        Err(_) => format!("(long long){value}ULL"),
    }
}

fn type_text(ty: &CType, model: DataModel) -> &'static str {
    match *ty {
        CType::Int { bits: 8, signed: true } => "char",
        CType::Int { bits: 8, .. } => "unsigned char",
        CType::Int { bits: 16, signed: true } => "short",
        CType::Int { bits: 16, .. } => "unsigned short",
        CType::Int { bits: 64, signed } if model == DataModel::Lp64 => {
            if signed {
                "long"
            } else {
                "unsigned long"
            }
        }
        CType::Int { bits: 64, signed: true } => "long long",
        CType::Int { bits: 64, .. } => "unsigned long long",
        CType::Int { signed: false, .. } => "unsigned int",
        CType::Bool => "_Bool",
        _ => "int",
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
