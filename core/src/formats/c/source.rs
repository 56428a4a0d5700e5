//! The text that is parsed: the result of preprocessing, after the declarations of headers.

use std::collections::{HashMap, HashSet};

use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, SyntaxError, parse_preprocessed};
use lang_c::span::Node;
use solver_lite::number::Q;

use super::asked::asks;
use super::headers::{LIMITS, header, range};
use super::nesting;
use super::preprocess::{Preprocessed, preprocess, spellings};
use super::types::{CType, DataModel, INT};
use crate::diagnostic::{Diagnostic, Span};

/// A text that is ready to be parsed.
pub(super) struct Source {
    /// The declarations of headers, followed by the preprocessed program.
    clean: String,
    /// The offset of the program in this text.
    begin: usize,
    program: Preprocessed,
    /// The words of the program, with their number of occurrences.
    words: HashMap<String, usize>,
}

impl Source {
    /// Preprocesses a program.
    ///
    /// # Errors
    /// Errors in directives, and excessive nesting, with places.
    pub(super) fn read(text: &str, model: DataModel) -> Result<Source, Vec<Diagnostic>> {
        let program = preprocess(text, &predefined(model), &|name| header(name, model))?;
        nesting::check(&program.text, &|start, end| program.span(start, end))?;
        let mut clean = prelude(model, &program.included);
        let begin = clean.len();
        clean.push_str(&without_attributes(&program.text));
        let is_word = |token: &&str| token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let mut words = HashMap::new();
        for word in spellings(&program.text).into_iter().filter(is_word) {
            *words.entry(word.to_owned()).or_default() += 1;
        }
        Ok(Source { clean, begin, program, words })
    }

    /// Does the program contain an assertion, or a call of an error function?
    pub(super) fn asks(&self) -> bool {
        self.program.asserts || asks(&self.program.text)
    }

    /// The syntax tree.
    pub(super) fn parse(&self) -> Result<TranslationUnit, Vec<Diagnostic>> {
        unit(self.clean.clone()).map_err(|e| {
            let rest = &self.clean[e.offset.min(self.clean.len())..];
            let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let found = if word.is_empty() { rest.chars().next().map(String::from) } else { Some(word) };
            let message = match &found {
                Some(found) => format!("unexpected '{}'", found.escape_default()),
                None => "the text ends too early".to_owned(),
            };
            let end = e.offset + found.map_or(0, |f| f.len());
            vec![Diagnostic::error(self.place(e.offset, end), message)]
        })
    }

    /// The place of a node in the text.
    pub(super) fn span<T>(&self, node: &Node<T>) -> Span {
        self.place(node.span.start, node.span.end)
    }

    /// Maps a place in the parsed text to the original text.
    pub(super) fn place(&self, start: usize, end: usize) -> Span {
        let at = |i: usize| i.saturating_sub(self.begin).min(self.program.text.len());
        self.program.span(at(start), at(end))
    }

    /// The number of occurrences of a word in the program.
    pub(super) fn mentions(&self, word: &str) -> usize {
        self.words.get(word).copied().unwrap_or(0)
    }

    /// The words of the program, in alphabetical order.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let mut all: Vec<&str> = self.words.keys().map(String::as_str).collect();
        all.sort_unstable();
        all.into_iter()
    }

    /// Is this header included?
    pub(super) fn includes(&self, header: &str) -> bool {
        self.program.included.contains(header)
    }

    /// Does a node contain this word?
    pub(super) fn contains<T>(&self, node: &Node<T>, word: &str) -> bool {
        spellings(&self.clean[node.span.start..node.span.end]).contains(&word)
    }

    /// Is this position in the declarations of headers?
    pub(super) fn is_usual(&self, at: usize) -> bool {
        at < self.begin
    }
}

fn unit(text: String) -> Result<TranslationUnit, SyntaxError> {
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    parse_preprocessed(&config, text).map(|p| p.unit)
}

/// Replaces attributes without effect by blanks in positions where the parser does not support them: before a
/// semicolon, after a label, in an enumeration.
fn without_attributes(text: &str) -> String {
    let mut out = text.to_owned();
    for (at, word) in text.match_indices("__attribute__") {
        let rest = &text[at + word.len()..];
        let inner = rest
            .trim_ascii_start()
            .strip_prefix('(')
            .map(str::trim_ascii_start)
            .and_then(|r| r.strip_prefix('('));
        let Some((name, after)) = inner.and_then(|r| r.split_once(')')) else { continue };
        let Some(end) = after.trim_ascii_start().strip_prefix(')') else { continue };
        if matches!(name.trim_ascii().trim_matches('_'), "fallthrough" | "unused") {
            let end = text.len() - end.len();
            let blank = text[at..end].replace(|c: char| !c.is_ascii_whitespace(), " ");
            out.replace_range(at..end, &blank);
        }
    }
    out
}

/// Types declared by headers; programs may declare them themselves.
fn prelude(model: DataModel, included: &HashSet<String>) -> String {
    let mut all = usual_types(model);
    for (header, types) in included_types(model) {
        if included.contains(header) {
            all.push_str(&types);
        }
    }
    all
}

/// Types that are declared only if their headers are included. Their sizes are those of GCC and its usual library.
fn included_types(model: DataModel) -> [(&'static str, String); 7] {
    let lp64 = model == DataModel::Lp64;
    let (wide, size) = if lp64 { ("long", "long") } else { ("long long", "int") };
    let wchar = format!("typedef {} wchar_t; ", if lp64 { "int" } else { "long" });
    let least = format!(
        "typedef signed char int_least8_t; typedef unsigned char uint_least8_t; typedef short int_least16_t; \
         typedef unsigned short uint_least16_t; typedef int int_least32_t; typedef unsigned uint_least32_t; \
         typedef {wide} int_least64_t; typedef unsigned {wide} uint_least64_t; \
         typedef signed char int_fast8_t; typedef unsigned char uint_fast8_t; typedef {size} int_fast16_t; \
         typedef unsigned {size} uint_fast16_t; typedef {size} int_fast32_t; typedef unsigned {size} uint_fast32_t; \
         typedef {wide} int_fast64_t; typedef unsigned {wide} uint_fast64_t; "
    );
    [
        ("stdint.h", least.clone()),
        ("inttypes.h", least),
        ("stddef.h", wchar.clone()),
        ("stdlib.h", wchar.clone()),
        ("wchar.h", format!("{wchar}typedef unsigned wint_t; ")),
        ("time.h", "typedef long time_t; typedef long clock_t; ".to_owned()),
        ("signal.h", "typedef int sig_atomic_t; ".to_owned()),
    ]
}

fn usual_types(model: DataModel) -> String {
    let wide = if model == DataModel::Lp64 { "long" } else { "long long" };
    let size = if model == DataModel::Lp64 { "long" } else { "int" };
    format!(
        "typedef _Bool bool; typedef unsigned {size} size_t; typedef {size} ssize_t; typedef {size} ptrdiff_t; \
         typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t; \
         typedef unsigned short uint16_t; typedef int int32_t; typedef unsigned int uint32_t; \
         typedef {wide} int64_t; typedef unsigned {wide} uint64_t; typedef {wide} intmax_t; \
         typedef unsigned {wide} uintmax_t; typedef {size} intptr_t; typedef unsigned {size} uintptr_t; \
         typedef unsigned int uint; typedef unsigned char uchar; typedef unsigned long ulong; "
    )
}

/// Macros predefined by the compiler.
fn predefined(model: DataModel) -> Vec<(&'static str, &'static str)> {
    let mut all = vec![
        ("__STDC__", "1"),
        ("__STDC_VERSION__", "201710L"),
        ("__STDC_HOSTED__", "1"),
        ("__CHAR_BIT__", "8"),
        ("__SCHAR_MAX__", "0x7f"),
        ("__SHRT_MAX__", "0x7fff"),
        ("__INT_MAX__", "0x7fffffff"),
        ("__LONG_LONG_MAX__", "0x7fffffffffffffffLL"),
        ("__SIZEOF_SHORT__", "2"),
        ("__SIZEOF_INT__", "4"),
        ("__SIZEOF_LONG_LONG__", "8"),
        ("__extension__", ""),
        ("__thread", "_Thread_local"),
    ];
    all.extend(match model {
        DataModel::Ilp32 => {
            vec![("__LONG_MAX__", "0x7fffffffL"), ("__SIZEOF_LONG__", "4"), ("__SIZEOF_SIZE_T__", "4")]
        }
        DataModel::Lp64 => vec![
            ("__LONG_MAX__", "0x7fffffffffffffffL"),
            ("__SIZEOF_LONG__", "8"),
            ("__SIZEOF_SIZE_T__", "8"),
            ("__LP64__", "1"),
            ("_LP64", "1"),
        ],
    });
    all
}

/// The usual meaning of names in programs without headers: truth values, and the limits of `int`.
pub(super) fn usual_constant(name: &str, model: DataModel) -> Option<(Q, CType)> {
    let fixed = match name {
        "true" | "EXIT_FAILURE" => Some(1),
        "false" | "EXIT_SUCCESS" => Some(0),
        _ => None,
    };
    if let Some(value) = fixed {
        return Some((Q::from(value), INT));
    }
    let of = LIMITS.iter().find(|of| of.2 == 32 && (of.0 == name || of.1 == name))?;
    let (least, greatest) = range(of, model);
    let value = if of.1 == name { greatest } else { least };
    Some((value, CType::Int { bits: of.2, signed: of.3 }))
}
