//! The text before parsing: comments and directives become blanks, so that places stay, and constants that `#define`
//! gives are remembered.

use std::collections::HashMap;

use lang_c::ast::{Expression, ExternalDeclaration, Initializer, TranslationUnit};
use lang_c::driver::{Config, Flavor, SyntaxError, parse_preprocessed};
use lang_c::span::Node;

use crate::diagnostic::{Diagnostic, Span};

/// Names that headers would declare.
const PRELUDE: &str = "typedef _Bool bool; typedef unsigned int size_t; typedef int ssize_t; typedef signed char int8_t; \
    typedef unsigned char uint8_t; typedef short int16_t; typedef unsigned short uint16_t; typedef int int32_t; \
    typedef unsigned int uint32_t; typedef long long int64_t; typedef unsigned long long uint64_t; \
    typedef unsigned int uint; typedef unsigned char uchar; typedef unsigned long ulong; ";

/// Levels of brackets: the parser is recursive.
const NESTED: usize = 150;

/// A text that is ready to be parsed.
pub(super) struct Source {
    /// The prelude and the text without comments and directives.
    clean: String,
    /// What names stand for that were defined with a directive.
    macros: HashMap<String, Node<Expression>>,
}

impl Source {
    /// Takes comments and directives out.
    pub(super) fn read(text: &str) -> Result<Source, Vec<Diagnostic>> {
        let mut clean = without_comments(text)?;
        let macros = take_directives(&mut clean)?;
        nesting(&clean)?;
        clean.insert_str(0, PRELUDE);
        Ok(Source { clean, macros })
    }

    /// The syntax tree.
    pub(super) fn parse(&self) -> Result<TranslationUnit, Vec<Diagnostic>> {
        unit(self.clean.clone()).map_err(|e| {
            let at = e.offset.saturating_sub(PRELUDE.len());
            let rest = &self.clean[e.offset.min(self.clean.len())..];
            let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let found = if word.is_empty() { rest.chars().next().map(String::from) } else { Some(word) };
            let message = match &found {
                Some(found) => format!("unexpected '{}'", found.escape_default()),
                None => "the text ends too early".to_owned(),
            };
            vec![Diagnostic::error(Span::new(at, at + found.map_or(0, |f| f.len())), message)]
        })
    }

    /// The place of a node in the text.
    pub(super) fn span<T>(&self, node: &Node<T>) -> Span {
        let at = |i: usize| i.saturating_sub(PRELUDE.len());
        Span::new(at(node.span.start), at(node.span.end))
    }

    /// What a name was defined as.
    pub(super) fn macro_of(&self, name: &str) -> Option<&Node<Expression>> {
        self.macros.get(name)
    }
}

/// Blanks instead of comments; text in quotes stays.
fn without_comments(text: &str) -> Result<String, Vec<Diagnostic>> {
    let mut out = Vec::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        let rest = &bytes[i..];
        let length = if rest.starts_with(b"//") {
            rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            match rest[2..].windows(2).position(|w| w == b"*/") {
                Some(end) => end + 4,
                None => return Err(vec![Diagnostic::error(Span::new(i, i + 2), "the comment has no end")]),
            }
        } else if matches!(rest[0], b'"' | b'\'') {
            let mut end = 1;
            while end < rest.len() && rest[end] != rest[0] && rest[end] != b'\n' {
                end += if rest[end] == b'\\' { 2 } else { 1 };
            }
            let end = (end + 1).min(rest.len());
            out.extend(&rest[..end]);
            i += end;
            continue;
        } else {
            out.push(rest[0]);
            i += 1;
            continue;
        };
        out.extend(rest[..length].iter().map(|b| if *b == b'\n' { b'\n' } else { b' ' }));
        i += length;
    }
    Ok(String::from_utf8(out).expect("whole characters were kept or replaced"))
}

/// Blanks instead of directives; definitions of constants are kept.
fn take_directives(clean: &mut String) -> Result<HashMap<String, Node<Expression>>, Vec<Diagnostic>> {
    let mut definitions: Vec<(String, String)> = [
        ("true", "1"),
        ("false", "0"),
        ("NULL", "0"),
        ("INT_MAX", "2147483647"),
        ("INT_MIN", "(-2147483647-1)"),
    ]
    .iter()
    .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
    .collect();
    let mut out = String::with_capacity(clean.len());
    let mut at = 0;
    let mut continued = false;
    for line in clean.split_inclusive('\n') {
        let directive = continued || line.trim_start().starts_with('#');
        if directive {
            let span = Span::new(at, at + line.trim_end().len());
            if !continued {
                definition(line, span, &mut definitions)?;
            }
            out.extend(line.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        } else {
            out.push_str(line);
        }
        continued = directive && line.trim_end().ends_with('\\');
        at += line.len();
    }
    *clean = out;
    let mut macros = HashMap::new();
    for (name, text) in definitions {
        // What is no expression is found when it is used.
        if let Some(e) = expression(&text) {
            macros.insert(name, e);
        }
    }
    Ok(macros)
}

fn unit(text: String) -> Result<TranslationUnit, SyntaxError> {
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    parse_preprocessed(&config, text).map(|p| p.unit)
}

/// An expression on its own.
fn expression(text: &str) -> Option<Node<Expression>> {
    nesting(text).ok()?;
    let parsed = unit(format!("{PRELUDE} int m = {text};")).ok()?.0.pop()?;
    let ExternalDeclaration::Declaration(mut d) = parsed.node else { return None };
    match d.node.declarators.pop()?.node.initializer?.node {
        Initializer::Expression(e) => Some(*e),
        Initializer::List(_) => None,
    }
}

/// Reads one directive.
fn definition(
    line: &str,
    span: Span,
    definitions: &mut Vec<(String, String)>,
) -> Result<(), Vec<Diagnostic>> {
    let words = line.trim_start().trim_start_matches('#').trim();
    let (word, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    match word {
        "define" => {
            let (name, value) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
            if !name.contains('(') && !value.trim().is_empty() {
                definitions.push((name.to_owned(), format!("({})", value.trim())));
            }
            Ok(())
        }
        "if" | "ifdef" | "ifndef" | "elif" | "else" => {
            let message =
                format!("the directive '#{word}' is not supported: give the program as the compiler sees it");
            Err(vec![Diagnostic::unsupported(span, message)])
        }
        // Headers declare what is known anyway; the rest says nothing about the meaning.
        _ => Ok(()),
    }
}

fn nesting(clean: &str) -> Result<(), Vec<Diagnostic>> {
    let (mut depth, mut at) = (0usize, 0);
    for c in clean.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > NESTED {
            let message = format!("brackets nest deeper than {NESTED} levels here");
            return Err(vec![Diagnostic::error(Span::new(at, at + 1), message)]);
        }
        at += c.len_utf8();
    }
    Ok(())
}
