//! Receivers of a formula: a script of SMT-LIB, or terms of the solver.

use std::fmt::{self, Write};

use solver_lite::number::Q;
use solver_lite::term::{Sort, Term, Terms};

/// What a formula is built with. Formulas and numbers are built from the inside out.
pub trait Sink {
    /// A formula.
    type Form: Clone;
    /// A number.
    type Number: Clone;

    /// A new Boolean variable of this name.
    fn boolean(&mut self, name: &str) -> Self::Form;
    /// A new variable of this name that is a number.
    fn real(&mut self, name: &str) -> Self::Number;
    /// A constant.
    fn number(&mut self, n: i64) -> Self::Number;
    /// `a - b`
    fn difference(&mut self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// `a + b`
    fn sum(&mut self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// `a ⋈ b`
    fn compare(&mut self, a: &Self::Number, op: Comparison, b: &Self::Number) -> Self::Form;
    /// A truth constant.
    fn truth(&mut self, value: bool) -> Self::Form;
    /// The negation.
    fn not(&mut self, a: &Self::Form) -> Self::Form;
    /// The conjunction.
    fn and(&mut self, parts: Vec<Self::Form>) -> Self::Form;
    /// The disjunction.
    fn or(&mut self, parts: Vec<Self::Form>) -> Self::Form;
    /// The equivalence.
    fn same(&mut self, a: &Self::Form, b: &Self::Form) -> Self::Form;
    /// States that a formula is true.
    fn assert(&mut self, a: Self::Form);
}

/// A comparison of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `≥`
    AtLeast,
    /// `≤`
    AtMost,
    /// `>`
    Above,
    /// `=`
    Equal,
}

/// A script of SMT-LIB that is written as it is made. The first error of the output is kept.
pub struct Script<'a> {
    out: &'a mut dyn Write,
    written: fmt::Result,
}

impl<'a> Script<'a> {
    /// A script of this logic.
    pub fn new(out: &'a mut dyn Write, logic: &str) -> Script<'a> {
        let written = writeln!(out, "(set-logic {logic})");
        Script { out, written }
    }

    /// Writes the end.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(self) -> fmt::Result {
        self.written?;
        writeln!(self.out, "(check-sat)")
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        if self.written.is_ok() {
            self.written = writeln!(self.out, "{line}");
        }
    }

    fn nary(op: &str, unit: &str, parts: &[String]) -> String {
        match parts {
            [] => unit.to_owned(),
            [one] => one.clone(),
            parts => format!("({op} {})", parts.join(" ")),
        }
    }
}

impl Sink for Script<'_> {
    type Form = String;
    type Number = String;

    fn boolean(&mut self, name: &str) -> String {
        self.line(format_args!("(declare-fun {name} () Bool)"));
        name.to_owned()
    }

    fn real(&mut self, name: &str) -> String {
        self.line(format_args!("(declare-fun {name} () Real)"));
        name.to_owned()
    }

    fn number(&mut self, n: i64) -> String {
        if n < 0 { format!("(- {}.0)", n.unsigned_abs()) } else { format!("{n}.0") }
    }

    fn difference(&mut self, a: &String, b: &String) -> String {
        format!("(- {a} {b})")
    }

    fn sum(&mut self, a: &String, b: &String) -> String {
        format!("(+ {a} {b})")
    }

    fn compare(&mut self, a: &String, op: Comparison, b: &String) -> String {
        let op = match op {
            Comparison::AtLeast => ">=",
            Comparison::AtMost => "<=",
            Comparison::Above => ">",
            Comparison::Equal => "=",
        };
        format!("({op} {a} {b})")
    }

    fn truth(&mut self, value: bool) -> String {
        value.to_string()
    }

    fn not(&mut self, a: &String) -> String {
        format!("(not {a})")
    }

    fn and(&mut self, parts: Vec<String>) -> String {
        Script::nary("and", "true", &parts)
    }

    fn or(&mut self, parts: Vec<String>) -> String {
        Script::nary("or", "false", &parts)
    }

    fn same(&mut self, a: &String, b: &String) -> String {
        format!("(= {a} {b})")
    }

    fn assert(&mut self, a: String) {
        self.line(format_args!("(assert {a})"));
    }
}

/// Terms of the solver.
#[derive(Clone, Default)]
pub struct Formula {
    /// The terms.
    pub terms: Terms,
    /// What is asserted and was not taken yet.
    pub asserted: Vec<Term>,
}

impl Sink for Formula {
    type Form = Term;
    type Number = Term;

    fn boolean(&mut self, name: &str) -> Term {
        self.terms.var(name, Sort::Bool)
    }

    fn real(&mut self, name: &str) -> Term {
        self.terms.var(name, Sort::Real)
    }

    fn number(&mut self, n: i64) -> Term {
        self.terms.num(Q::from(n), Sort::Real)
    }

    fn difference(&mut self, a: &Term, b: &Term) -> Term {
        self.terms.sub(*a, *b)
    }

    fn sum(&mut self, a: &Term, b: &Term) -> Term {
        self.terms.add([*a, *b])
    }

    fn compare(&mut self, a: &Term, op: Comparison, b: &Term) -> Term {
        match op {
            Comparison::AtLeast => self.terms.ge(*a, *b),
            Comparison::AtMost => self.terms.le(*a, *b),
            Comparison::Above => self.terms.gt(*a, *b),
            Comparison::Equal => self.terms.eq(*a, *b),
        }
    }

    fn truth(&mut self, value: bool) -> Term {
        if value { Term::TRUE } else { Term::FALSE }
    }

    fn not(&mut self, a: &Term) -> Term {
        self.terms.not(*a)
    }

    fn and(&mut self, parts: Vec<Term>) -> Term {
        self.terms.and(parts)
    }

    fn or(&mut self, parts: Vec<Term>) -> Term {
        self.terms.or(parts)
    }

    fn same(&mut self, a: &Term, b: &Term) -> Term {
        self.terms.iff(*a, *b)
    }

    fn assert(&mut self, a: Term) {
        self.asserted.push(a);
    }
}
