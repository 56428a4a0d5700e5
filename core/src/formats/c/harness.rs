//! Test harness for a violation: the same program with the inputs of the run. It can be compiled (with sanitizers,
//! too), and reaches the error when executed.
//!
//! Functions that verifiers know by name are defined before the text: inputs return the values of the run in order,
//! assumptions end the program, errors print `reach_error` and exit with status 1. A function that the program defines
//! itself is unchanged, except that its entry counts as an error if it is `reach_error`. Uninitialised variables have
//! whatever values the compiler gives them, so runs that depend on such values may not be reproduced.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::builtin::Builtin;
use super::prototype::Prototype;
use super::source::Source;
use super::types::DataModel;
use super::{Entity, Program, witness};
use crate::certificate::{Certificate, TraceState};
use crate::system::System;

/// The harness of a run, with the data model for which it is valid; none if the certificate is not a run.
#[must_use]
pub fn harness(system: &System, text: &str, certificate: &Certificate, model: DataModel) -> Option<String> {
    let Certificate::Trace { states } = certificate else { return None };
    let inputs: Vec<String> = witness::inputs(system, states);
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
    out.push_str(&program.known_functions());
    let _ = writeln!(out, "#line 1 \"program.c\"");
    // Entry to an error function of the program reaches the error.
    let mut from = 0;
    for body in bodies(text) {
        out.push_str(&text[from..body]);
        out.push_str(" veristep_error(); ");
        from = body;
    }
    out.push_str(&text[from..]);
    out.push_str(&program.external_variables(states));
    Some(out)
}

impl Program<'_> {
    /// Definitions of functions that verifiers know by name, if the program uses and does not define them, with the
    /// types declared in the program.
    fn known_functions(&self) -> String {
        let mut out = String::new();
        for name in self.source.words() {
            if self.functions.contains_key(name) || self.scopes[0].contains_key(name) {
                continue;
            }
            let declared = self.prototypes.get(name);
            let (result, parameters) = declared.map(Prototype::spelled).unwrap_or_default();
            let result = result.unwrap_or_else(|| "void".to_owned());
            let condition = parameters.clone().unwrap_or_else(|| "int a0".to_owned());
            let nothing = parameters.unwrap_or_else(|| "void".to_owned());
            let line = match self.builtin(name) {
                Some(Builtin::Input(ty)) => {
                    let result = if declared.is_some() { result } else { ty.spelled("") };
                    format!("{result} {name}(void) {{ return veristep_input(); }}\n")
                }
                Some(Builtin::Assume) => {
                    format!("{result} {name}({condition}) {{ if (!a0) __builtin_exit(0); }}\n")
                }
                Some(Builtin::Assert) if name != "assert" || declared.is_some() => {
                    format!("{result} {name}({condition}) {{ if (!a0) veristep_error(); }}\n")
                }
                Some(Builtin::Assert) if !self.source.includes("assert.h") => {
                    "#define assert(c) ((c) ? (void)0 : veristep_error())\n".to_owned()
                }
                Some(Builtin::Fail) if !name.starts_with("__assert") => {
                    format!("{result} {name}({nothing}) {{ veristep_error(); }}\n")
                }
                _ => continue,
            };
            out.push_str(&line);
        }
        if ["abort", "exit"].iter().any(|name| self.source.mentions(name) > 0) {
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

/// A number that fits into `long long`, or the bits of a larger one.
fn literal(value: &str) -> String {
    match value.parse::<i64>() {
        Ok(i64::MIN) => "(-9223372036854775807LL - 1)".to_owned(),
        Ok(n) => format!("{n}LL"),
        Err(_) => format!("(long long){value}ULL"),
    }
}

/// The positions after the opening braces of error functions, outside of comments and string literals.
fn bodies(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let first = rest.chars().next().expect("there is more");
        if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            at += end;
            if matches!(&rest[..end], "reach_error" | "__VERIFIER_error") {
                found.extend(body(text, at));
            }
        } else {
            at += skipped(rest).unwrap_or(first.len_utf8());
        }
    }
    found
}

/// The length of a comment or a string literal.
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

/// The position of the next character that is neither a blank nor in a comment.
fn next(text: &str, mut at: usize) -> usize {
    loop {
        let rest = text[at..].trim_start();
        at = text.len() - rest.len();
        match skipped(rest).filter(|_| rest.starts_with('/')) {
            Some(comment) => at += comment,
            None => return at,
        }
    }
}

/// The position after an opening brace, if it follows a parameter list.
fn body(text: &str, name_end: usize) -> Option<usize> {
    let mut at = next(text, name_end);
    // A name may be in parentheses.
    while text[at..].starts_with(')') {
        at = next(text, at + 1);
    }
    if !text[at..].starts_with('(') {
        return None;
    }
    let mut depth = 0usize;
    loop {
        let rest = &text[at..];
        let first = rest.chars().next()?;
        at += skipped(rest).unwrap_or(first.len_utf8());
        match first {
            '(' => depth += 1,
            ')' if depth == 1 => break,
            ')' => depth -= 1,
            _ => {}
        }
    }
    let at = next(text, at);
    text[at..].starts_with('{').then_some(at + 1)
}
