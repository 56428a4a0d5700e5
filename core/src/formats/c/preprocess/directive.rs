//! Directives: the lines that start with `#` (C17 6.10, 6.10.1 to 6.10.7).
//!
//! A conditional directive opens a *group*, the lines up to `#elif`, `#else` or `#endif`. In a group that is skipped,
//! only conditional directives are read. Invariant: the innermost open group decides whether a line is skipped, since a
//! group within a skipped one is never taken.

use std::rc::Rc;

use super::lex::{Cursor, Kind, Token};
use super::macros::{self, Macro, Meaning, Mistake};
use super::{NESTING, Preprocessor, Replacement, Result, condition};
use crate::diagnostic::{Diagnostic, Span};

/// A conditional directive without its `#endif`.
pub(super) struct Group {
    pub(super) place: Span,
    state: State,
    /// Has its `#else` occurred?
    has_else: bool,
}

/// Pragmas that change the meaning of a program.
pub(super) const PRAGMAS: [&str; 3] = ["push_macro", "pop_macro", "redefine_extname"];

/// Which group of a conditional directive is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The current one.
    Taken,
    /// Possibly a later one.
    Waiting,
    /// An earlier one, or none.
    Done,
}

impl Preprocessor<'_> {
    /// The next token of the program; directives before it are executed.
    pub(super) fn source_token(&mut self) -> Result<Token> {
        let mut space = false;
        loop {
            let mut token = self.cursor.next(&self.arena);
            if token.kind == Kind::Newline {
                space = true;
            } else if token.first && token.is_hash(&self.arena) {
                if self.collecting {
                    let message = "a directive within the arguments of a macro is not supported";
                    return Err(Diagnostic::unsupported(self.span(token), message));
                }
                self.directive(token);
                if self.stopped {
                    return Ok(Token::new(Kind::End, 0, 0));
                }
            } else if token.kind != Kind::End && self.skips() {
                self.skip_line();
            } else {
                token.space |= space;
                return Ok(token);
            }
        }
    }

    /// Is the current line in a group that is not taken?
    fn skips(&self) -> bool {
        self.groups.last().is_some_and(|g| g.state != State::Taken)
    }

    fn skip_line(&mut self) {
        while !matches!(self.cursor.next(&self.arena).kind, Kind::Newline | Kind::End) {}
    }

    fn rest_of_line(&mut self) -> Vec<Token> {
        let mut line = Vec::new();
        loop {
            let token = self.cursor.next(&self.arena);
            if matches!(token.kind, Kind::Newline | Kind::End) {
                return line;
            }
            line.push(token);
        }
    }

    /// Executes the directive after `#`; errors are collected.
    fn directive(&mut self, hash: Token) {
        let name = self.cursor.next(&self.arena);
        if matches!(name.kind, Kind::Newline | Kind::End) {
            return;
        }
        self.place = self.joined.span(hash.start(), name.end());
        self.begin = hash.start();
        self.in_directive = true;
        if let Err(error) = self.execute(name) {
            self.report(error);
        }
        self.in_directive = false;
        self.carry = false;
    }

    fn execute(&mut self, name: Token) -> Result<()> {
        let spelling = name.of(&self.arena).to_owned();
        match &spelling[..] {
            "if" | "ifdef" | "ifndef" | "elif" | "else" | "endif" => {
                let line = self.rest_of_line();
                return self.conditional(&spelling, &line);
            }
            // Directives of C23, which C17 would silently skip.
            "elifdef" | "elifndef" if self.groups.last().is_some_and(|g| g.state != State::Done) => {
                self.skip_line();
                let message = format!("'#{spelling}' of C23 is not supported");
                return Err(Diagnostic::unsupported(self.place, message));
            }
            _ if self.skips() => {
                self.skip_line();
                return Ok(());
            }
            "include" => return self.include(),
            _ => {}
        }
        let line = self.rest_of_line();
        match &spelling[..] {
            "define" => self.define(&line),
            "undef" => self.undefine(&line),
            "error" => {
                self.stopped = true;
                let message = ["#error", &self.spelling(&line)].join(" ");
                Err(Diagnostic::error(self.place, message.trim_end()))
            }
            "line" => {
                self.renumbered = true;
                match line.first().map(|t| (t.kind, t.of(&self.arena))) {
                    Some((Kind::Number, digits))
                        if digits.bytes().all(|b| b.is_ascii_digit())
                            && line.get(1).is_none_or(|t| t.of(&self.arena).starts_with('"')) =>
                    {
                        Ok(())
                    }
                    Some((Kind::Identifier, _)) => {
                        Err(Diagnostic::unsupported(self.place, "macros in '#line' are not supported"))
                    }
                    _ => Err(Diagnostic::error(
                        self.place,
                        "'#line' must be followed by a number and, optionally, a string literal",
                    )),
                }
            }
            "pragma" if line.iter().any(|t| PRAGMAS.contains(&t.of(&self.arena))) => {
                Err(Diagnostic::unsupported(self.place, "this '#pragma' is not supported"))
            }
            "warning" | "pragma" | "ident" | "sccs" => Ok(()),
            "include_next" | "import" | "assert" | "unassert" | "embed" => {
                Err(Diagnostic::unsupported(self.place, format!("'#{spelling}' is not supported")))
            }
            // `# 12 "file.c"`, emitted by other preprocessors.
            _ if name.kind == Kind::Number && spelling.bytes().all(|b| b.is_ascii_digit()) => {
                self.renumbered = true;
                Ok(())
            }
            _ => Err(Diagnostic::error(self.place, format!("'#{spelling}' is not a directive"))),
        }
    }

    /// The spelling of several tokens, with a blank where there is white space.
    fn spelling(&self, tokens: &[Token]) -> String {
        let mut text = String::new();
        for (i, token) in tokens.iter().enumerate() {
            text.push_str(if token.space && i > 0 { " " } else { "" });
            text.push_str(token.of(&self.arena));
        }
        text
    }

    fn mistake(&self, mistake: Mistake) -> Diagnostic {
        let place = self.span(mistake.at);
        match mistake.unsupported {
            true => Diagnostic::unsupported(place, mistake.message),
            false => Diagnostic::error(place, mistake.message),
        }
    }

    /// Defines the macros of the compiler, and those required by the standard.
    pub(super) fn define_predefined(&mut self, predefined: &[(&str, &str)]) {
        let fixed = [
            ("__FILE__", "\"program.c\""),
            ("__DATE__", "\"Jan  1 1970\""),
            ("__TIME__", "\"00:00:00\""),
            ("__LINE__", ""),
        ];
        for (name, replacement) in fixed.iter().chain(predefined) {
            let meaning = if *name == "__LINE__" { Meaning::Line } else { Meaning::List };
            if let Err(error) = self.define_text(name, replacement, (None, meaning)) {
                self.report(error);
            }
        }
    }

    /// Defines a macro that is not part of the program.
    fn define_text(
        &mut self,
        name: &str,
        replacement: &str,
        (header, meaning): (Option<&str>, Meaning),
    ) -> Result<()> {
        let start = self.arena.len();
        for part in [name, " ", replacement] {
            self.arena.push_str(part);
        }
        let mut cursor = Cursor::new(start, self.arena.len());
        let all = std::iter::from_fn(|| Some(cursor.next(&self.arena)).filter(|t| t.kind != Kind::End));
        let line: Vec<Token> = all.collect();
        if line.is_empty() {
            return Ok(());
        }
        let definition = macros::parse(&self.arena, &line, false).map_err(|m| self.mistake(m))?;
        self.add(line[0], Macro { header: header.map(str::to_owned), meaning, ..definition })
    }

    /// `#define`
    fn define(&mut self, line: &[Token]) -> Result<()> {
        if line.is_empty() {
            return Err(Diagnostic::error(self.place, "'#define' without the name of a macro"));
        }
        let definition = macros::parse(&self.arena, line, true).map_err(|m| self.mistake(m))?;
        self.add(line[0], definition)
    }

    /// Adds a macro; another definition of the same name must be the same.
    fn add(&mut self, name: Token, definition: Macro) -> Result<()> {
        let spelling = name.of(&self.arena).to_owned();
        if let Some(old) = self.names.get(&spelling).map(|id| &self.macros[*id]) {
            if macros::same(&self.arena, old, &definition) {
                return Ok(());
            }
            let by =
                |header: &Option<String>| header.as_ref().map(|h| format!(" in <{h}>")).unwrap_or_default();
            let (new, old) = (by(&definition.header), by(&old.header));
            let message = format!("macro '{spelling}' is defined{new}, but has another definition{old}");
            return Err(Diagnostic::error(self.span(name), message));
        }
        self.names.insert(spelling, self.macros.len());
        self.macros.push(Rc::new(definition));
        self.disabled.push(false);
        Ok(())
    }

    /// `#undef`
    fn undefine(&mut self, line: &[Token]) -> Result<()> {
        let name = self.single_name(line)?;
        macros::check_name(&self.arena, name, true).map_err(|m| self.mistake(m))?;
        self.names.remove(name.of(&self.arena));
        Ok(())
    }

    /// The name after `#ifdef`, `#ifndef` or `#undef`, with nothing behind it.
    fn single_name(&self, line: &[Token]) -> Result<Token> {
        match line {
            [name] => {
                macros::check_name(&self.arena, *name, false).map_err(|m| self.mistake(m))?;
                Ok(*name)
            }
            [] => Err(Diagnostic::error(self.place, "the directive needs the name of a macro")),
            [_, next, ..] => {
                let message =
                    format!("'{}' is not expected after the name of the macro", next.of(&self.arena));
                Err(Diagnostic::error(self.span(*next), message))
            }
        }
    }

    /// Conditional directives (C17 6.10.1).
    fn conditional(&mut self, name: &str, line: &[Token]) -> Result<()> {
        if name.starts_with("if") {
            return self.open(name, line);
        }
        let place = self.place;
        let Some(group) = self.groups.last_mut() else {
            return Err(Diagnostic::error(place, format!("'#{name}' without '#if'")));
        };
        if name == "endif" {
            self.groups.pop();
            return Ok(());
        }
        if group.has_else {
            return Err(Diagnostic::error(place, format!("'#{name}' after '#else'")));
        }
        let state = std::mem::replace(&mut group.state, State::Done);
        if name == "else" {
            group.has_else = true;
        }
        if state == State::Waiting {
            let holds = name == "else" || self.condition(line)?;
            if let Some(group) = self.groups.last_mut() {
                group.state = if holds { State::Taken } else { State::Waiting };
            }
        }
        Ok(())
    }

    /// `#if`, `#ifdef` or `#ifndef`. If it is wrong, all of its groups are skipped.
    fn open(&mut self, name: &str, line: &[Token]) -> Result<()> {
        let place = self.place;
        if self.groups.len() == NESTING {
            self.stopped = true;
            let message = format!("conditional directives nest deeper than {NESTING} levels");
            return Err(Diagnostic::error(place, message));
        }
        let skipped = self.skips();
        self.groups.push(Group { place, state: State::Done, has_else: false });
        if skipped {
            return Ok(());
        }
        let holds = match name {
            "if" => self.condition(line)?,
            _ => {
                let defined = self.names.contains_key(self.single_name(line)?.of(&self.arena));
                defined == (name == "ifdef")
            }
        };
        if let Some(group) = self.groups.last_mut() {
            group.state = if holds { State::Taken } else { State::Waiting };
        }
        Ok(())
    }

    /// Evaluates the condition of `#if` or `#elif`.
    fn condition(&mut self, line: &[Token]) -> Result<bool> {
        if let [first, .., last] | [first @ last] = line {
            self.place = self.span(*first).to(self.span(*last));
        }
        let tokens = self.resolve_defined(line)?;
        let expanded = self.expand_list(tokens)?;
        if expanded.iter().any(|t| t.of(&self.arena) == "defined") {
            return Err(Diagnostic::unsupported(
                self.place,
                "'defined' as the result of a macro is not supported",
            ));
        }
        let tokens: Vec<_> = expanded.iter().map(|t| (t.kind, t.of(&self.arena))).collect();
        let test = tokens.iter().find(|(kind, s)| *kind == Kind::Identifier && s.starts_with("__has_"));
        if let Some((_, test)) = test {
            return Err(Diagnostic::unsupported(self.place, format!("'{test}' is not supported")));
        }
        condition::evaluate(&tokens).map_err(|message| Diagnostic::error(self.place, message))
    }

    /// Replaces `defined X` and `defined(X)` by 1 or 0.
    fn resolve_defined(&mut self, line: &[Token]) -> Result<Vec<Token>> {
        let mut tokens = Vec::with_capacity(line.len());
        let mut rest = line;
        while let Some((token, after)) = rest.split_first() {
            rest = after;
            if token.of(&self.arena) != "defined" {
                tokens.push(*token);
                continue;
            }
            let operand = match rest {
                [open, name, close, ..] if open.is(&self.arena, "(") && close.is(&self.arena, ")") => {
                    rest = &rest[3..];
                    Some(name)
                }
                [name, ..] => {
                    rest = &rest[1..];
                    Some(name)
                }
                [] => None,
            };
            let Some(name) = operand.filter(|t| t.kind == Kind::Identifier) else {
                let message = "'defined' is not followed by the name of a macro";
                return Err(Diagnostic::error(self.span(*token), message));
            };
            let value = if self.names.contains_key(name.of(&self.arena)) { "1" } else { "0" };
            tokens.extend(self.create(value)?);
        }
        Ok(tokens)
    }

    /// `#include` (C17 6.10.2).
    fn include(&mut self) -> Result<()> {
        let first = self.cursor.clone().next(&self.arena);
        let spelling = first.of(&self.arena);
        let close = match spelling.bytes().next() {
            Some(b'<') => '>',
            Some(b'"') => '"',
            _ => return self.include_replaced(),
        };
        let start = first.start() + 1;
        let rest = &self.arena[start..self.source];
        let Some(length) = rest.find(['\n', close]).filter(|i| rest[*i..].starts_with(close)) else {
            self.skip_line();
            return Err(Diagnostic::error(
                self.place,
                format!("the name of the file has no closing '{close}'"),
            ));
        };
        let name = rest[..length].to_owned();
        self.cursor.at = start + length + 1;
        self.place = self.joined.span(first.start(), self.cursor.at);
        match self.rest_of_line().first() {
            Some(token) => {
                let message =
                    format!("'{}' is not expected after the name of the file", token.of(&self.arena));
                Err(Diagnostic::error(self.span(*token), message))
            }
            None => self.include_file(&name, close == '>'),
        }
    }

    /// `#include` with a macro: after its replacement, it must have one of the usual forms.
    fn include_replaced(&mut self) -> Result<()> {
        let line = self.rest_of_line();
        let expanded = self.expand_list(line)?;
        let spelling = self.spelling(&expanded);
        let inside = |open, close| spelling.strip_prefix(open).and_then(|s: &str| s.strip_suffix(close));
        match (inside('<', '>'), inside('"', '"')) {
            (Some(name), _) => self.include_file(name, true),
            (None, Some(name)) if expanded.len() == 1 => self.include_file(name, false),
            _ => Err(Diagnostic::error(self.place, "'#include' is not followed by the name of a file")),
        }
    }

    /// Defines the macros of a header; a header has an effect only the first time, except `<assert.h>`.
    fn include_file(&mut self, name: &str, system: bool) -> Result<()> {
        let known = (self.headers)(name);
        if known.is_none() && name != "assert.h" {
            let message = match system {
                true => format!("the header <{name}> is not supported"),
                false => format!(
                    "the file \"{name}\" is not available: give the program as the compiler sees it after \
                     preprocessing (gcc -E)"
                ),
            };
            return Err(Diagnostic::unsupported(self.place, message));
        }
        if self.included.insert(name.to_owned()) {
            for (macro_name, replacement) in known.unwrap_or_default() {
                let (meaning, replacement) = match &replacement {
                    Replacement::List(text) => (Meaning::List, &text[..]),
                    Replacement::Unsupported => (Meaning::Unsupported, ""),
                };
                self.define_text(macro_name, replacement, (Some(name), meaning))?;
            }
        }
        if name == "assert.h" {
            self.names.remove("assert");
            // A call of `assert` is built in, unless NDEBUG disables it.
            let disabled = self.names.contains_key("NDEBUG");
            let meaning = if disabled { Meaning::List } else { Meaning::Itself };
            self.define_text("assert(x)", "((void)0)", (Some(name), meaning))?;
        }
        Ok(())
    }
}
