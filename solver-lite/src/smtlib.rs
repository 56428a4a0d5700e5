//! The SMT-LIB 2.6 front end: a session reads commands and answers according to the standard (Barrett, Fontaine and
//! Tinelli, "The SMT-LIB Standard, Version 2.6", sections 3 and 4).
//!
//! A command that is wrong gets `(error "line:column: …")` and has no effect; the next one is read. Only when the
//! parentheses themselves are wrong does the session end. A rejected assertion or declaration leaves a mark: until its
//! frame is popped, `sat` would be a guess, so the answer is `unknown`.
//!
//! ```
//! use solver_lite::{Limits, smtlib::Session};
//!
//! let script = "(declare-const x Int) (assert (= (* 2 x) 7)) (check-sat)";
//! let mut answers = Vec::new();
//! Session::new(Limits::default()).run(script, &mut |answer| answers.push(answer.to_owned()));
//! assert_eq!(answers, ["unsat"]);
//! ```

mod answers;
mod check;
mod declare;
mod expression;
mod interpolants;
pub(crate) mod lexer;
pub(crate) mod operators;
mod original;
mod scope;
mod sexpr;
#[cfg(test)]
mod tests;
mod write;

use std::collections::{BTreeMap, HashMap};

use crate::proof::Proof;
use crate::search::{Incomplete, Limits, Model};
use crate::smtlib::expression::Reader;
use crate::smtlib::lexer::{Complaint, Kind, Lexer};
use crate::smtlib::original::Written;
use crate::smtlib::scope::Scope;
use crate::smtlib::sexpr::{Arena, Expr, Id};
use crate::solver::Solver;
use crate::term::{Term, Terms};

pub use write::{Asking, script};

/// Limit of a script in bytes.
const TEXT: usize = 1 << 30;

/// State of a session after a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Read the next command.
    Continue,
    /// The end: of the text, by `exit`, or because its parentheses are wrong.
    Ended,
}

/// A text read command by command.
pub struct Script<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
}

impl<'t> Script<'t> {
    /// The start of a text.
    #[must_use]
    pub fn new(text: &'t str) -> Script<'t> {
        Script { text, lexer: Lexer::new(text) }
    }

    /// The line reached so far, counted from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.lexer.place().line
    }
}

/// The answer of the last check, as long as nothing was asserted or withdrawn since.
#[derive(Clone, Debug)]
enum State {
    Open,
    Sat(Model),
    Unsat,
    Unknown(Reason),
}

#[derive(Clone, Copy, Debug)]
enum Reason {
    Limit(Incomplete),
    /// A command before the check was rejected.
    Lost,
}

/// An assertion with its name, if it has one at its top.
#[derive(Clone, Debug)]
struct Asserted {
    term: Term,
    name: Option<String>,
}

/// A frame of the assertion stack.
#[derive(Clone, Copy, Debug)]
struct Frame {
    asserted: usize,
    scope: usize,
    written: usize,
    lost: bool,
}

/// An SMT-LIB session.
pub struct Session {
    limits: Limits,
    terms: Terms,
    scope: Scope,
    solver: Solver,
    logic: Option<String>,
    options: BTreeMap<String, String>,
    /// Options that a script cannot change.
    insisted: BTreeMap<String, String>,
    asserted: Vec<Asserted>,
    /// Assertions and definitions as written, if proofs are about the text.
    written: Vec<Written>,
    /// Assumptions of the last check, as written.
    assumed: Vec<(Term, String)>,
    frames: Vec<Frame>,
    /// Was an assertion or declaration in force rejected?
    lost: bool,
    state: State,
    checks: u64,
    volume: usize,
}

/// The answer to a command: none, a text, or a complaint.
type Reply = Result<Option<String>, Complaint>;

/// One command being executed.
struct Command<'a, 't> {
    arena: &'a Arena<'t>,
    text: &'t str,
    /// The whole command.
    root: Id,
    /// Its arguments.
    arguments: &'a [Id],
}

impl Command<'_, '_> {
    fn complain<T>(&self, at: Id, message: impl Into<String>) -> Result<T, Complaint> {
        Err(Complaint::new(self.arena.place(at), message))
    }

    /// The arguments, when there are exactly `N`; `usage` is the syntax of the command.
    fn exactly<const N: usize>(&self, usage: &str) -> Result<[Id; N], Complaint> {
        self.arguments.try_into().or_else(|_| self.complain(self.root, format!("expected {usage}")))
    }

    fn symbol(&self, at: Id) -> Result<&str, Complaint> {
        self.arena.symbol(at).map_or_else(|| self.complain(at, "a symbol was expected"), Ok)
    }
}

impl Session {
    /// A session without declarations. `limits` bound each check.
    #[must_use]
    pub fn new(limits: Limits) -> Session {
        Session {
            limits,
            terms: Terms::new(),
            scope: Scope::default(),
            solver: Solver::new(limits),
            logic: None,
            options: BTreeMap::new(),
            insisted: BTreeMap::new(),
            asserted: Vec::new(),
            written: Vec::new(),
            assumed: Vec::new(),
            frames: Vec::new(),
            lost: false,
            state: State::Open,
            checks: 0,
            volume: 0,
        }
    }

    /// Sets an option that neither the script nor `(reset)` changes.
    pub fn insist(&mut self, option: &str, value: &str) {
        self.insisted.insert(option.to_owned(), value.to_owned());
    }

    /// The terms, and the assertions in force, oldest first, followed by the assumptions of the last check.
    pub fn assertions(&mut self) -> (&mut Terms, Vec<Term>) {
        let all = self.all();
        (&mut self.terms, all)
    }

    /// The same, consuming the session.
    #[must_use]
    pub fn into_assertions(self) -> (Terms, Vec<Term>) {
        let all = self.all();
        (self.terms, all)
    }

    /// The names of the [`Session::assertions`]; those of assumptions are their texts.
    #[must_use]
    pub fn names(&self) -> Vec<Option<String>> {
        let asserted = self.asserted.iter().map(|a| a.name.clone());
        asserted.chain(self.assumed.iter().map(|(_, text)| Some(text.clone()))).collect()
    }

    /// The reason for the last answer `unknown`; `None` if it was another one.
    #[must_use]
    pub fn reason_unknown(&self) -> Option<String> {
        match &self.state {
            State::Unknown(reason) => Some(reason.to_string()),
            _ => None,
        }
    }

    /// The number of checks that were answered so far.
    #[must_use]
    pub fn checks(&self) -> u64 {
        self.checks
    }

    /// After `unsat`: an accepted refutation of the [`Session::assertions`], and these.
    ///
    /// # Errors
    /// If it exceeds the limits.
    ///
    /// # Panics
    /// If there was another answer.
    pub fn refuted(&mut self) -> Result<(Proof, &mut Terms, Vec<Term>), Incomplete> {
        let all = self.all();
        let proof = self.refutation(&all)?;
        Ok((proof, &mut self.terms, all))
    }

    /// Executes all commands of a text; `out` receives each answer.
    pub fn run(&mut self, text: &str, out: &mut impl FnMut(&str)) {
        let mut script = Script::new(text);
        while self.step(&mut script, out) == Flow::Continue {}
    }

    /// Executes the next command.
    pub fn step(&mut self, script: &mut Script, out: &mut impl FnMut(&str)) -> Flow {
        let read = if script.text.len() > TEXT {
            Err(Complaint::new(script.lexer.place(), format!("a script may have at most {TEXT} bytes")))
        } else {
            Arena::read(&mut script.lexer)
        };
        let (arena, root) = match read {
            Ok(Some(command)) => command,
            Ok(None) => return Flow::Ended,
            Err(complaint) => {
                out(&error(&complaint));
                return Flow::Ended;
            }
        };
        let name = match arena.get(root) {
            Expr::List([first, ..]) => arena.symbol(*first).unwrap_or(""),
            _ => "",
        };
        let arguments = arena.list(root).and_then(|l| l.get(1..)).unwrap_or_default();
        let command = Command { arena: &arena, text: script.text, root, arguments };
        match self.execute(name, &command) {
            Ok(Some(answer)) => out(&answer),
            Ok(None) if self.is_on(":print-success") => out("success"),
            Ok(None) => {}
            Err(complaint) => out(&error(&complaint)),
        }
        if name == "exit" { Flow::Ended } else { Flow::Continue }
    }

    fn execute(&mut self, name: &str, c: &Command) -> Reply {
        match name {
            "set-logic" => self.set_logic(c),
            "set-info" => Ok(None),
            "set-option" => self.set_option(c),
            "declare-fun" | "declare-const" | "declare-sort" | "define-sort" | "define-fun"
            | "define-const" | "define-fun-rec" | "define-funs-rec" | "declare-datatype"
            | "declare-datatypes" => {
                let done = self.declare(name, c);
                self.lost |= done.is_err();
                if done.is_ok() && self.is_alethe() && matches!(name, "define-fun" | "define-const") {
                    self.written.push(Written::Definition(c.arena.source(c.root, c.text).to_owned()));
                }
                done
            }
            "assert" => self.assert(c),
            "push" => self.push(c),
            "pop" => self.pop(c),
            // With arguments as in earlier versions of Z3.
            "check-sat" => self.check(c, c.arguments),
            "check-sat-assuming" => {
                let [list] = c.exactly("(check-sat-assuming (assumptions…))")?;
                match c.arena.list(list) {
                    Some(assumptions) => self.check(c, assumptions),
                    None => c.complain(list, "a list of assumptions was expected"),
                }
            }
            "get-model" => self.get_model(c),
            "get-value" => self.get_value(c),
            "get-assignment" => self.get_assignment(c),
            "get-unsat-core" => self.get_unsat_core(c),
            "get-unsat-assumptions" => self.get_unsat_assumptions(c),
            "get-assertions" => Ok(Some(self.get_assertions())),
            "get-proof" => self.get_proof(c),
            "get-interpolants" => self.get_interpolants(c),
            "get-info" => self.get_info(c),
            "get-option" => self.get_option(c),
            "echo" => {
                let [text] = c.exactly("(echo \"text\")")?;
                match c.arena.get(text) {
                    Expr::Atom(Kind::String, s) => Ok(Some(s.to_owned())),
                    _ => c.complain(text, "a string was expected"),
                }
            }
            "reset" => {
                let insisted = std::mem::take(&mut self.insisted);
                *self = Session { checks: self.checks, insisted, ..Session::new(self.limits) };
                Ok(None)
            }
            "reset-assertions" => {
                self.reset_assertions();
                Ok(None)
            }
            "exit" => Ok(None),
            "" => c.complain(c.root, "a command like (check-sat) was expected"),
            _ => c.complain(c.root, format!("unknown command '{}'", lexer::shorten(name))),
        }
    }

    fn option(&self, option: &str) -> Option<&str> {
        self.insisted.get(option).or_else(|| self.options.get(option)).map(String::as_str)
    }

    /// Is this option set to `true` (or 1)?
    fn is_on(&self, option: &str) -> bool {
        self.option(option).is_some_and(|v| v == "true" || v == "1")
    }

    /// Are proofs about the text of the script, in the format Alethe?
    fn is_alethe(&self) -> bool {
        self.option(":proof-format") == Some("alethe")
    }

    fn reader<'a, 't>(&'a mut self, arena: &'a Arena<'t>) -> Reader<'a, 't> {
        Reader {
            arena,
            numerals: declare::numerals(self.logic.as_deref()),
            terms: &mut self.terms,
            scope: &mut self.scope,
            volume: &mut self.volume,
            bound: HashMap::new(),
            parameters: false,
        }
    }

    /// Runs `read`; names it gave to terms are removed when it fails.
    fn reading<T>(
        &mut self,
        read: impl FnOnce(&mut Session) -> Result<T, Complaint>,
    ) -> Result<T, Complaint> {
        let mark = self.scope.mark();
        let done = read(self);
        if done.is_err() {
            let global = std::mem::replace(&mut self.scope.global, false);
            self.scope.undo(mark);
            self.scope.global = global;
        }
        done
    }
}

/// `(error "…")`; a quotation mark in a string is written twice.
fn error(complaint: &Complaint) -> String {
    let message = complaint.message.replace('"', "\"\"");
    format!("(error \"{}: {message}\")", complaint.place)
}
