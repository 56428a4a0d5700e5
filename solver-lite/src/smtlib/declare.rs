//! Logics, options, declarations and definitions.

use crate::smtlib::lexer::{Complaint, Kind, shorten};
use crate::smtlib::scope::Meaning;
use crate::smtlib::sexpr::{Expr, Id};
use crate::smtlib::{Command, Reply, Session, State};
use crate::term::{Sort, Term};

/// Logics whose linear part is decided here. A nonlinear term is rejected at its position.
const LOGICS: &[&str] = &[
    "QF_LRA",
    "QF_LIA",
    "QF_LIRA",
    "QF_RDL",
    "QF_IDL",
    "QF_BOOL",
    "QF_UF",
    "ALL",
    "ALL_SUPPORTED",
    "HORN",
    "SAT",
    "QF_UFLRA",
    "QF_UFLIA",
    "QF_UFLIRA",
    "QF_UFRDL",
    "QF_UFIDL",
    "QF_NRA",
    "QF_NIA",
    "QF_NIRA",
    "QF_UFNIA",
    "QF_UFNRA",
    "QF_AUFLIA",
    "QF_AUFLIRA",
    "LRA",
    "LIA",
    "LIRA",
    "UF",
    "UFLRA",
    "UFLIA",
    "UFLIRA",
    "NRA",
    "NIA",
    "AUFLIA",
    "AUFLIRA",
];

/// The sort of `3`: Real in the logics that have no integers.
pub(crate) fn numerals(logic: Option<&str>) -> Sort {
    match logic {
        Some(l) if l.ends_with("RDL") || l.ends_with("RA") && !l.ends_with("IRA") => Sort::Real,
        _ => Sort::Int,
    }
}

impl Session {
    pub(super) fn set_logic(&mut self, c: &Command) -> Reply {
        let [name] = c.exactly("(set-logic NAME)")?;
        let logic = c.symbol(name)?;
        if self.logic.is_some() {
            return c.complain(c.root, "the logic is already set");
        }
        if !LOGICS.contains(&logic) {
            let message = format!(
                "the logic '{}' is not supported (QF_LRA, QF_LIA, QF_RDL, QF_IDL, QF_BOOL, QF_UF without functions, ALL)",
                shorten(logic)
            );
            return c.complain(name, message);
        }
        self.logic = Some(logic.to_owned());
        Ok(None)
    }

    pub(super) fn set_option(&mut self, c: &Command) -> Reply {
        let [key, value] = c.exactly("(set-option :name value)")?;
        let Expr::Atom(Kind::Keyword, name) = c.arena.get(key) else {
            return c.complain(key, "an option like :print-success was expected");
        };
        let value = c.arena.source(value, c.text);
        if name == ":global-declarations" {
            self.scope.global = value == "true";
        }
        self.options.insert(name.to_owned(), value.to_owned());
        Ok(None)
    }

    pub(super) fn get_option(&mut self, c: &Command) -> Reply {
        let [key] = c.exactly("(get-option :name)")?;
        let value = self.options.get(c.arena.source(key, c.text));
        Ok(Some(value.map_or_else(|| "unsupported".to_owned(), Clone::clone)))
    }

    /// The sort an expression names.
    fn sort(&self, c: &Command, at: Id) -> Result<Sort, Complaint> {
        match c.arena.symbol(at) {
            Some("Bool") => Ok(Sort::Bool),
            Some("Int") => Ok(Sort::Int),
            Some("Real") => Ok(Sort::Real),
            Some(name) => match self.scope.meaning(name) {
                Some(Meaning::Sort(sort)) => Ok(*sort),
                _ => c.complain(at, format!("the sort '{}' is not supported", shorten(name))),
            },
            None => {
                let text = shorten(c.arena.source(at, c.text));
                c.complain(at, format!("the sort {text} is not supported"))
            }
        }
    }

    fn define(&mut self, c: &Command, name: Id, meaning: Meaning) -> Result<(), Complaint> {
        let symbol = c.symbol(name)?;
        self.scope.define(symbol, meaning).or_else(|message| c.complain(name, message))
    }

    pub(super) fn declare(&mut self, command: &str, c: &Command) -> Reply {
        match command {
            "declare-const" => {
                let [name, sort] = c.exactly("(declare-const name Sort)")?;
                self.declare_free(c, name, sort)?;
            }
            "declare-fun" => {
                let [name, parameters, sort] = c.exactly("(declare-fun name () Sort)")?;
                match c.arena.list(parameters) {
                    Some([]) => self.declare_free(c, name, sort)?,
                    Some(_) => {
                        let why = "uninterpreted functions with arguments are not supported";
                        self.define(c, name, Meaning::Unusable(why))?;
                    }
                    None => return c.complain(parameters, "a list of sorts was expected"),
                }
            }
            "declare-sort" => {
                let Some(name) = c.arguments.first() else {
                    return c.complain(c.root, "expected (declare-sort Name 0)");
                };
                self.define(c, *name, Meaning::Unusable("this is a sort"))?;
            }
            "define-sort" => {
                let [name, parameters, sort] = c.exactly("(define-sort Name () Sort)")?;
                if c.arena.list(parameters) != Some(&[]) {
                    return c.complain(parameters, "sorts with parameters are not supported");
                }
                let sort = self.sort(c, sort)?;
                self.define(c, name, Meaning::Sort(sort))?;
            }
            "define-const" => {
                let [name, sort, body] = c.exactly("(define-const name Sort term)")?;
                self.define_function(c, name, &[], (sort, body))?;
            }
            "define-fun" => {
                let [name, parameters, sort, body] = c.exactly("(define-fun name ((x Sort)…) Sort term)")?;
                let Some(parameters) = c.arena.list(parameters) else {
                    return c.complain(parameters, "a list of parameters was expected");
                };
                self.define_function(c, name, parameters, (sort, body))?;
            }
            _ => return c.complain(c.root, format!("'{command}' is not supported")),
        }
        Ok(None)
    }

    fn declare_free(&mut self, c: &Command, name: Id, sort: Id) -> Result<(), Complaint> {
        let symbol = c.symbol(name)?;
        if let Some(uninterpreted) = c.arena.symbol(sort)
            && matches!(self.scope.meaning(uninterpreted), Some(Meaning::Unusable(_)))
        {
            return self.define(c, name, Meaning::Unusable("constants of a declared sort are not supported"));
        }
        let sort = self.sort(c, sort)?;
        let t = self.scope.variable(&mut self.terms, symbol, sort);
        self.define(c, name, Meaning::Free(t))
    }

    fn define_function(
        &mut self,
        c: &Command,
        name: Id,
        parameters: &[Id],
        (sort, body): (Id, Id),
    ) -> Result<(), Complaint> {
        let sort = self.sort(c, sort)?;
        let symbol = c.symbol(name)?;
        let mut fresh: Vec<(&str, Term)> = Vec::new();
        for p in parameters {
            let Some([x, of]) = c.arena.list(*p) else {
                return c.complain(*p, "a parameter like (x Int) was expected");
            };
            let (x_name, of) = (c.symbol(*x)?, self.sort(c, *of)?);
            if fresh.iter().any(|(other, _)| *other == x_name) {
                return c.complain(*x, format!("'{x_name}' is a parameter twice"));
            }
            // No symbol of a script contains a bar, so there is no capture.
            let inner = format!("{symbol}|{}", fresh.len());
            fresh.push((x_name, self.scope.variable(&mut self.terms, &inner, of)));
        }
        let body = self.reading(|session| {
            let mut reader = session.reader(c.arena);
            reader.parameters = !fresh.is_empty();
            reader.bound = fresh.iter().map(|(x, t)| (*x, vec![*t])).collect();
            reader.of_sort(body, sort)
        })?;
        let meaning = if fresh.is_empty() {
            Meaning::Constant(body)
        } else {
            Meaning::Function { parameters: fresh.into_iter().map(|(_, t)| t).collect(), body }
        };
        self.define(c, name, meaning)
    }

    pub(super) fn get_info(&mut self, c: &Command) -> Reply {
        let [key] = c.exactly("(get-info :name)")?;
        Ok(Some(match c.arena.source(key, c.text) {
            ":name" => "(:name \"veristep\")".to_owned(),
            ":version" => format!("(:version \"{}\")", env!("CARGO_PKG_VERSION")),
            ":authors" => "(:authors \"the Veristep developers\")".to_owned(),
            ":error-behavior" => "(:error-behavior continued-execution)".to_owned(),
            ":assertion-stack-levels" => format!("(:assertion-stack-levels {})", self.frames.len()),
            ":all-statistics" => format!("(:checks {} :terms {})", self.solver.checks(), self.terms.len()),
            ":reason-unknown" => match &self.state {
                State::Unknown(reason) => format!("(:reason-unknown \"{reason}\")"),
                _ => return c.complain(c.root, "the last answer was not unknown"),
            },
            _ => "unsupported".to_owned(),
        }))
    }
}
