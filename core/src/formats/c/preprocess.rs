//! The C preprocessor (C17 6.10, and translation phases 1 to 4 of 5.1.1.2).
//!
//! A text becomes the text that a compiler parses: lines are joined, comments and directives are blank, macros are
//! replaced. The work is done in the order of the text, one token at a time: [`join`] removes line breaks after
//! backslashes, [`lex`] splits the text into tokens, [`directive`] executes the lines that start with `#`, [`expand`]
//! replaces macros, and [`output`] writes the result together with the origin of each part.
//!
//! **Choices.** Common GCC extensions are supported: `$` in identifiers, binary constants, `name...` as a parameter,
//! `, ## __VA_ARGS__`, and text after `#else` and `#endif`. Headers are not read; the caller gives the macros of known
//! headers.
//!
//! Invariant: all that is read is a part of one text, the *arena*. It starts with the joined program, and the spellings
//! of the tokens that macros and headers create are appended to it, within limits.

mod condition;
mod directive;
mod expand;
mod join;
mod lex;
mod macros;
mod output;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::diagnostic::{Diagnostic, Span, check_source, limits};
use directive::{Group, PRAGMAS};
use expand::Context;
use join::Joined;
use lex::{Cursor, Kind, Token};
use macros::Macro;
use output::{Map, Output};

/// Levels of conditional directives, of arguments of macros in each other, and of a condition.
const NESTING: usize = 200;
/// Tokens in replacements of macros.
const TOKENS: usize = 1_000_000;
/// Tokens that are rescanned during macro replacement.
const STEPS: usize = 10_000_000;

type Result<T> = std::result::Result<T, Diagnostic>;

/// The replacement of a header's macro.
pub(super) enum Replacement {
    List(String),
    /// It is defined; conditions that depend on it are rejected, and elsewhere it is not replaced.
    Unsupported,
}

/// The macros of a standard header, as pairs of a name and its replacement; none if the header is unknown.
type Headers<'a> = &'a dyn Fn(&str) -> Option<Vec<(&'static str, Replacement)>>;

/// A preprocessed program, with the origin of each part.
pub(super) struct Preprocessed {
    /// The program.
    pub(super) text: String,
    map: Map,
    /// Was a macro with the name of an assertion replaced?
    pub(super) asserts: bool,
    /// The names of the included headers.
    pub(super) included: HashSet<String>,
}

impl Preprocessed {
    /// Maps a range of bytes of `text` to the original text; a replacement has the place of its macro's name.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        self.map.span(start, end)
    }
}

/// The spellings of a text's preprocessing tokens, on all lines.
pub(super) fn spellings(text: &str) -> Vec<&str> {
    let mut cursor = Cursor::new(0, text.len());
    let mut found = Vec::new();
    loop {
        let token = cursor.next(text);
        match token.kind {
            Kind::End => return found,
            Kind::Newline => {}
            _ => found.push(token.of(text)),
        }
    }
}

/// Preprocesses a program.
///
/// `predefined` are the macros that are defined from the start, `headers` gives those of a header. A name may have a
/// list of parameters: `("INT64_C(c)", "c ## LL")`.
///
/// # Errors
/// Errors and unsupported constructs, in textual order. An error in a directive does not hide later ones.
pub(super) fn preprocess(
    text: &str,
    predefined: &[(&str, &str)],
    headers: Headers<'_>,
) -> std::result::Result<Preprocessed, Vec<Diagnostic>> {
    check_source(text)?;
    check_trigraphs(text)?;
    let mut preprocessor = Preprocessor::new(text, headers);
    preprocessor.define_predefined(predefined);
    preprocessor.run();
    preprocessor.finish()
}

/// Trigraphs (C17 5.2.1.1) are replaced by `gcc -std=c17` but not by `gcc`, so a text with one is rejected.
fn check_trigraphs(text: &str) -> std::result::Result<(), Vec<Diagnostic>> {
    let third = |at: usize| text.as_bytes().get(at + 2).is_some_and(|c| b"=/'()!<>-".contains(c));
    match text.match_indices("??").map(|(at, _)| at).find(|at| third(*at)) {
        Some(at) => Err(vec![Diagnostic::unsupported(Span::new(at, at + 3), "trigraphs are not supported")]),
        None => Ok(()),
    }
}

/// The state between two tokens.
struct Preprocessor<'a> {
    /// The joined program, followed by what macros and headers add.
    arena: String,
    /// Bytes of the joined program.
    source: usize,
    joined: Joined,
    /// The original text, and the line of a position of it.
    text: &'a str,
    line: (usize, usize),
    headers: Headers<'a>,
    /// Headers included so far.
    included: HashSet<String>,

    cursor: Cursor,
    groups: Vec<Group>,
    names: HashMap<String, usize>,
    macros: Vec<Rc<Macro>>,
    /// For each macro: is its replacement being read?
    disabled: Vec<bool>,
    contexts: Vec<Context>,

    /// Is the last token one of the program, and not of a macro?
    direct: bool,
    /// Is there white space before the next token, left by a macro without tokens?
    carry: bool,
    /// Are arguments of a macro being read?
    collecting: bool,
    /// Is a directive being executed?
    in_directive: bool,
    /// The macro of the program that is being replaced, or the current directive.
    place: Span,
    /// Where it begins in the joined program.
    begin: usize,

    /// Consumption of limited resources: nested expansions, tokens, steps and bytes.
    depth: usize,
    produced: usize,
    steps: usize,
    bytes: usize,

    output: Output,
    errors: Vec<Diagnostic>,
    /// Was a limit exceeded, so that preprocessing stops?
    stopped: bool,
    /// Has a directive changed the line numbers?
    renumbered: bool,
    /// Was a macro with the name of an assertion replaced?
    asserts: bool,
}

impl<'a> Preprocessor<'a> {
    fn new(text: &'a str, headers: Headers<'a>) -> Preprocessor<'a> {
        let (arena, joined) = join::join(text);
        let source = arena.len();
        Preprocessor {
            arena,
            source,
            joined,
            text,
            line: (0, 1),
            headers,
            included: HashSet::new(),
            cursor: Cursor::new(0, source),
            groups: Vec::new(),
            names: HashMap::new(),
            macros: Vec::new(),
            disabled: Vec::new(),
            contexts: Vec::new(),
            direct: true,
            carry: false,
            collecting: false,
            in_directive: false,
            place: Span::default(),
            begin: 0,
            depth: 0,
            produced: 0,
            steps: 0,
            bytes: 0,
            output: Output::new(text.len()),
            errors: Vec::new(),
            stopped: false,
            renumbered: false,
            asserts: false,
        }
    }

    /// The main loop.
    fn run(&mut self) {
        while !self.stopped {
            let step = self.next().and_then(|token| {
                if token.kind != Kind::End {
                    return self.write(token);
                }
                let ends = !std::mem::replace(&mut self.stopped, true);
                if ends { self.check_end() } else { Ok(()) }
            });
            if let Err(error) = step {
                self.report(error);
                self.stopped = true;
            }
        }
    }

    fn finish(mut self) -> std::result::Result<Preprocessed, Vec<Diagnostic>> {
        self.output.blank_until(&self.arena, &self.joined, self.source);
        if self.errors.is_empty() {
            let (text, map) = self.output.finish();
            return Ok(Preprocessed { text, map, asserts: self.asserts, included: self.included });
        }
        self.errors.sort_by_key(|error| error.span.start);
        Err(self.errors)
    }

    fn report(&mut self, error: Diagnostic) {
        self.errors.push(error);
        self.stopped |= self.errors.len() == limits::DIAGNOSTICS;
    }

    /// The place of a token of the program; that of the macro or the directive for other tokens.
    fn span(&self, token: Token) -> Span {
        if token.end() <= self.source && token.end() > 0 {
            return self.joined.span(token.start(), token.end());
        }
        self.place
    }

    /// Writes a token after macro replacement.
    fn write(&mut self, token: Token) -> Result<()> {
        let spelling = token.of(&self.arena);
        let place = if self.direct { self.span(token) } else { self.place };
        if spelling == "_Pragma" {
            return self.pragma(place);
        }
        if token.is_hash(&self.arena) || token.is_paste(&self.arena) {
            return Err(Diagnostic::error(place, format!("'{spelling}' is allowed only in directives")));
        }
        if token.kind == Kind::Other && spelling.contains(['"', '\'']) {
            return Err(Diagnostic::error(place, "the literal has no closing quote on its line"));
        }
        if self.direct {
            self.output.copy(&self.arena, &self.joined, token);
        } else {
            self.output.produce(&self.arena, token, place);
        }
        if self.output.text.len() > limits::SOURCE {
            let message = format!("after preprocessing, the text has more than {} bytes", limits::SOURCE);
            return Err(Diagnostic::unsupported(place, message));
        }
        Ok(())
    }

    /// Skips the rest of `_Pragma("…")` (C17 6.10.9).
    fn pragma(&mut self, place: Span) -> Result<()> {
        let wrong = Diagnostic::error(place, "'_Pragma' is not followed by a string literal in parentheses");
        for expected in ["(", "\"", ")"] {
            let token = self.next()?;
            let found = match expected {
                "\"" => token.kind == Kind::String,
                _ => token.is(&self.arena, expected),
            };
            if !found {
                return Err(wrong);
            }
            if expected == "\"" && PRAGMAS.iter().any(|p| token.of(&self.arena).contains(p)) {
                return Err(Diagnostic::unsupported(place, "this '_Pragma' is not supported"));
            }
        }
        Ok(())
    }

    /// Rejects a text that ends within a comment or a conditional directive.
    fn check_end(&self) -> Result<()> {
        if let Some(start) = self.cursor.unclosed {
            let place = self.joined.span(start, start + 2);
            return Err(Diagnostic::error(place, "the comment has no end '*/'"));
        }
        match self.groups.last() {
            Some(group) => Err(Diagnostic::error(group.place, "the directive has no '#endif'")),
            None => Ok(()),
        }
    }

    /// The replacement of `__LINE__`: the line of a position of the joined program.
    fn line_number(&mut self, named: usize) -> Result<Token> {
        let at = self.joined.original(named);
        let (from, line) = if self.line.0 <= at { self.line } else { (0, 1) };
        let breaks = self.text.as_bytes()[from..at].iter().filter(|b| **b == b'\n').count();
        self.line = (at, line + breaks);
        let token = self.create(&self.line.1.to_string())?;
        Ok(token.expect("a decimal number is one token"))
    }
}
