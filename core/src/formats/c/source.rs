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

/// Values that headers would define.
const HEADERS: &[(&str, &str)] = &[
    ("true", "1"),
    ("false", "0"),
    ("NULL", "0"),
    ("INT_MAX", "2147483647"),
    ("INT_MIN", "(-2147483647-1)"),
];

/// Levels of brackets: the parser is recursive.
const NESTED: usize = 150;

/// A text that is ready to be parsed.
pub(super) struct Source {
    /// The prelude and the text without comments and directives.
    clean: String,
    /// What names stand for that were defined with a directive.
    macros: HashMap<String, Macro>,
}

/// What a directive defines.
pub(super) enum Macro {
    /// A value, or something in brackets: what it is put in does not change its meaning.
    Value(Node<Expression>),
    /// Anything else, which is refused where it is used.
    Other,
}

impl Source {
    /// Takes comments and directives out.
    pub(super) fn read(text: &str) -> Result<Source, Vec<Diagnostic>> {
        let mut clean =
            without_comments(&text.replacen('\u{feff}', "   ", usize::from(text.starts_with('\u{feff}'))))?;
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
    pub(super) fn macro_of(&self, name: &str) -> Option<&Macro> {
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
            // A line that ends in a backslash goes on in the next one.
            let ends = |i: &usize| rest[*i] == b'\n' && rest[i - 1] != b'\\';
            (1..rest.len()).find(ends).unwrap_or(rest.len())
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
fn take_directives(clean: &mut String) -> Result<HashMap<String, Macro>, Vec<Diagnostic>> {
    let mut definitions: HashMap<String, Option<String>> = HashMap::new();
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
    for (name, text) in HEADERS {
        definitions.entry((*name).to_owned()).or_insert(Some((*text).to_owned()));
    }
    // What is no expression is found when it is used.
    let value = |text: String| expression(&text).map_or(Macro::Other, Macro::Value);
    let read = |(name, text): (String, Option<String>)| (name, text.map_or(Macro::Other, value));
    Ok(definitions.into_iter().map(read).collect())
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
    definitions: &mut HashMap<String, Option<String>>,
) -> Result<(), Vec<Diagnostic>> {
    let words = line.trim_start().trim_start_matches('#').trim();
    let (word, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    match word {
        "define" => {
            let rest = rest.trim();
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (name, value) = (&rest[..end], rest[end..].trim());
            if KEYWORDS.contains(&name) {
                let message = format!("the word '{name}' of the language cannot be defined otherwise");
                return Err(vec![Diagnostic::unsupported(span, message)]);
            }
            // Arguments begin right after the name. What stands alone keeps its meaning wherever it is put in.
            let alone = !rest[end..].starts_with('(') && stands_alone(value);
            let value = alone.then(|| format!("({value})"));
            let same = definitions.get(name).is_none_or(|old| *old == value);
            definitions.insert(name.to_owned(), value.filter(|_| same));
            Ok(())
        }
        "undef" => {
            definitions.insert(rest.trim().to_owned(), None);
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

/// Words that mean something already.
const KEYWORDS: [&str; 30] = [
    "int", "char", "short", "long", "unsigned", "signed", "void", "_Bool", "if", "else", "while", "for",
    "do", "switch", "case", "default", "break", "continue", "goto", "return", "static", "extern", "const",
    "volatile", "typedef", "enum", "sizeof", "register", "inline", "struct",
];

/// Is it one word, one number with or without a sign, one call, or in brackets?
fn stands_alone(text: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let rest = text.strip_prefix('-').filter(|t| t.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(text);
    let rest = rest.trim_start_matches(word);
    if rest.is_empty() {
        return !text.is_empty();
    }
    let inner = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\''));
    let quoted = inner.is_some_and(|t| !t.is_empty() && !t.contains('\''));
    let mut depth = 0usize;
    let closes = rest.char_indices().find(|(_, c)| {
        depth = if *c == '(' { depth + 1 } else { depth.saturating_sub(usize::from(*c == ')')) };
        depth == 0
    });
    quoted || (rest.starts_with('(') && closes.is_some_and(|(at, _)| at + 1 == rest.len()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_its_meaning_in_brackets_does_not_stand_alone() {
        for text in ["5", "-5", "LIMIT", "0x1Fu", "(2 + 3)", "((int) 5)", "f(1, (2))", "'a'"] {
            assert!(stands_alone(text), "{text}");
        }
        for text in
            ["", "2 + 3", "a b", "(1)(2)", "(1) + (2)", "f(1) + 1", "'a'+'b'", "-x", "do {} while (0)"]
        {
            assert!(!stands_alone(text), "{text}");
        }
    }
}
