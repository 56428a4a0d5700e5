//! From expressions to terms, with an explicit stack: `let` nests thousands of levels deep in real files.

use std::collections::HashMap;

use crate::number::Q;
use crate::smtlib::lexer::{Complaint, Kind, Place, shorten};
use crate::smtlib::operators::apply;
use crate::smtlib::scope::{Meaning, Scope};
use crate::smtlib::sexpr::{Arena, Expr, Id};
use crate::term::{Node, Sort, Term, Terms};

/// Limit of operands over all terms of a session; sums and junctions are flattened, so they can exceed the text.
const VOLUME: usize = 200_000_000;

/// Weight of a new term among the operands: one application of a function or a comparison can create many.
const TERM: usize = 16;

/// A pending operation.
enum Work {
    Evaluate(Id),
    /// Apply the operator of this list to its evaluated arguments.
    Apply(Id),
    /// Make the evaluated terms of this `let` visible.
    Bind(Id),
    /// Leave this `let`.
    Unbind(Id),
    /// Name the term on top.
    Name(Id),
}

/// Reads the terms of one command.
pub(crate) struct Reader<'a, 't> {
    pub(crate) arena: &'a Arena<'t>,
    pub(crate) terms: &'a mut Terms,
    pub(crate) scope: &'a mut Scope,
    /// The sort of `3` (Real in the logics without integers).
    pub(crate) numerals: Sort,
    pub(crate) volume: &'a mut usize,
    /// Names bound by `let` and by the parameters of a definition, innermost last.
    pub(crate) bound: HashMap<&'t str, Vec<Term>>,
    /// Parameters may not appear in a `:named` term.
    pub(crate) parameters: bool,
}

impl<'t> Reader<'_, 't> {
    fn complain<T>(&self, at: Id, message: impl Into<String>) -> Result<T, Complaint> {
        Err(Complaint::new(self.arena.place(at), message))
    }

    /// The term of an expression.
    pub(crate) fn term(&mut self, root: Id) -> Result<Term, Complaint> {
        let mut work = vec![Work::Evaluate(root)];
        let mut values: Vec<Term> = Vec::new();
        while let Some(next) = work.pop() {
            match next {
                Work::Evaluate(e) => match self.arena.get(e) {
                    Expr::Atom(kind, text) => values.push(self.atom(e, kind, text)?),
                    Expr::List(_) => self.open(e, &mut work)?,
                },
                Work::Apply(e) => {
                    let count = self.arena.list(e).map_or(0, |l| l.len() - 1);
                    let arguments = values.split_off(values.len() - count);
                    let before = self.terms.len();
                    let t = self.apply(e, &arguments)?;
                    *self.volume += (self.terms.len() - before) * TERM;
                    self.grow(e, t)?;
                    values.push(t);
                }
                Work::Bind(e) => {
                    let names = self.bindings(e)?;
                    let bound = values.split_off(values.len() - names.len());
                    for ((name, _), t) in names.iter().zip(bound) {
                        self.bound.entry(name).or_default().push(t);
                    }
                }
                Work::Unbind(e) => {
                    for (name, _) in self.bindings(e)? {
                        self.bound.get_mut(name).map(Vec::pop);
                    }
                }
                Work::Name(e) => {
                    let t = *values.last().expect("the named term was evaluated");
                    self.name(e, t)?;
                }
            }
        }
        Ok(values.pop().expect("every expression leaves one term"))
    }

    /// A Boolean term.
    pub(crate) fn formula(&mut self, root: Id) -> Result<Term, Complaint> {
        let t = self.term(root)?;
        match self.terms.sort(t) {
            Sort::Bool => Ok(t),
            sort => self.complain(root, format!("a Bool was expected, this is {sort}")),
        }
    }

    /// A term of this sort; Int terms become Real where Real is wanted.
    pub(crate) fn of_sort(&mut self, root: Id, sort: Sort) -> Result<Term, Complaint> {
        let t = self.term(root)?;
        match (self.terms.sort(t), sort) {
            (Sort::Int, Sort::Real) => Ok(self.terms.to_real(t)),
            (own, _) if own == sort => Ok(t),
            (own, _) => self.complain(root, format!("{sort} was expected, this is {own}")),
        }
    }

    fn grow(&mut self, at: Id, t: Term) -> Result<(), Complaint> {
        *self.volume += match self.terms.node(t) {
            Node::And(c) | Node::Or(c) => c.len(),
            Node::Linear(_, l) => {
                l.terms.iter().map(|(_, q)| 1 + q.words()).sum::<usize>() + l.constant.words()
            }
            _ => 1,
        };
        if *self.volume > VOLUME {
            return self.complain(at, format!("the terms of a script may have at most {VOLUME} operands"));
        }
        Ok(())
    }

    fn atom(&mut self, at: Id, kind: Kind, text: &'t str) -> Result<Term, Complaint> {
        match kind {
            Kind::Numeral => Ok(self.terms.num(self.number(at, text)?, self.numerals)),
            Kind::Decimal => Ok(self.terms.num(self.number(at, text)?, Sort::Real)),
            Kind::Symbol | Kind::Quoted => self.symbol(at, text),
            Kind::Binary => self.complain(at, "bit vectors are not supported"),
            Kind::String => self.complain(at, "strings are not supported"),
            Kind::Keyword | Kind::Open | Kind::Close => self.complain(at, "a term was expected"),
        }
    }

    fn number(&self, at: Id, text: &str) -> Result<Q, Complaint> {
        text.parse().or_else(|_| self.complain(at, format!("'{}' is not a number", shorten(text))))
    }

    fn symbol(&mut self, at: Id, name: &'t str) -> Result<Term, Complaint> {
        if let Some(t) = self.bound.get(name).and_then(|all| all.last()) {
            return Ok(*t);
        }
        match self.scope.meaning(name) {
            Some(Meaning::Free(t) | Meaning::Constant(t)) => Ok(*t),
            Some(Meaning::Function { parameters, .. }) => {
                let count = parameters.len();
                self.complain(at, format!("'{name}' needs {count} arguments"))
            }
            Some(Meaning::Sort(_)) => self.complain(at, format!("'{name}' is a sort")),
            Some(Meaning::Unusable(why)) => self.complain(at, *why),
            None if name == "true" => Ok(Term::TRUE),
            None if name == "false" => Ok(Term::FALSE),
            None => {
                let digits = name.strip_prefix('-').filter(|d| d.parse::<Q>().is_ok());
                let hint = digits.map(|d| format!("; write (- {d})")).unwrap_or_default();
                self.complain(at, format!("unknown symbol '{}'{hint}", shorten(name)))
            }
        }
    }

    /// Plans the evaluation of a list.
    fn open(&mut self, e: Id, work: &mut Vec<Work>) -> Result<(), Complaint> {
        let list = self.arena.list(e).unwrap_or_default();
        let Some((head, arguments)) = list.split_first() else {
            return self.complain(e, "a term was expected");
        };
        let Expr::Atom(kind, name) = self.arena.get(*head) else {
            return self.complain(*head, "indexed and qualified operators are not supported");
        };
        match (kind, name) {
            (Kind::Symbol, "let") => {
                let [_, body] = arguments else { return self.complain(e, "'let' needs bindings and a term") };
                let names = self.bindings(e)?;
                work.extend([Work::Unbind(e), Work::Evaluate(*body), Work::Bind(e)]);
                work.extend(names.iter().rev().map(|(_, value)| Work::Evaluate(*value)));
            }
            (Kind::Symbol, "!") => return self.annotated(e, arguments, work),
            (Kind::Symbol, "forall" | "exists") => {
                return self.complain(*head, "quantifiers are not supported");
            }
            (Kind::Symbol, "match" | "_" | "as") => {
                return self.complain(*head, format!("'{name}' is not supported"));
            }
            (Kind::Symbol | Kind::Quoted, _) => {
                if arguments.is_empty() {
                    return self.complain(
                        e,
                        format!("'{}' without arguments is written without parentheses", shorten(name)),
                    );
                }
                work.push(Work::Apply(e));
                work.extend(arguments.iter().rev().map(|a| Work::Evaluate(*a)));
            }
            _ => return self.complain(*head, "an operator was expected"),
        }
        Ok(())
    }

    /// `(! term :key value …)`: names are processed, other attributes are hints to other solvers.
    fn annotated(&mut self, e: Id, parts: &[Id], work: &mut Vec<Work>) -> Result<(), Complaint> {
        let Some((body, mut rest)) = parts.split_first() else {
            return self.complain(e, "'!' needs a term and attributes");
        };
        while let Some((key, after)) = rest.split_first() {
            let Expr::Atom(Kind::Keyword, keyword) = self.arena.get(*key) else {
                return self.complain(*key, "an attribute like :named was expected");
            };
            rest = after;
            let value = rest.first().filter(|v| !matches!(self.arena.get(**v), Expr::Atom(Kind::Keyword, _)));
            if let Some(value) = value {
                rest = &rest[1..];
                if keyword == ":named" {
                    work.push(Work::Name(*value));
                }
            } else if keyword == ":named" {
                return self.complain(*key, ":named needs a symbol");
            }
        }
        work.push(Work::Evaluate(*body));
        Ok(())
    }

    fn name(&mut self, at: Id, t: Term) -> Result<(), Complaint> {
        let Some(name) = self.arena.symbol(at) else { return self.complain(at, ":named needs a symbol") };
        if self.parameters {
            return self.complain(at, "no :named in the body of a function with parameters");
        }
        self.scope.define(name, Meaning::Constant(t)).or_else(|m| self.complain(at, m))?;
        if self.terms.sort(t) == Sort::Bool {
            self.scope.named.insert(name.to_owned(), t);
        }
        Ok(())
    }

    /// The names and values of a `let`.
    fn bindings(&self, e: Id) -> Result<Vec<(&'t str, Id)>, Complaint> {
        let list = self.arena.list(e).unwrap_or_default();
        let Some(pairs) = list.get(1).and_then(|b| self.arena.list(*b)).filter(|p| !p.is_empty()) else {
            return self.complain(e, "'let' needs bindings like ((x term))");
        };
        let mut all = Vec::with_capacity(pairs.len());
        for pair in pairs {
            match self.arena.list(*pair) {
                Some([name, value]) if self.arena.symbol(*name).is_some() => {
                    all.push((self.arena.symbol(*name).unwrap_or_default(), *value));
                }
                _ => return self.complain(*pair, "a binding like (x term) was expected"),
            }
        }
        let mut names: Vec<&str> = all.iter().map(|(n, _)| *n).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|w| w[0] == w[1]) {
            return self.complain(e, format!("'{}' is bound twice", twice[0]));
        }
        Ok(all)
    }

    fn apply(&mut self, e: Id, arguments: &[Term]) -> Result<Term, Complaint> {
        let list = self.arena.list(e).unwrap_or_default();
        let name = self.arena.symbol(list[0]).unwrap_or_default();
        let place = |i: usize| -> Place { self.arena.place(list[i]) };
        if self.bound.get(name).is_some_and(|all| !all.is_empty()) {
            return self.complain(list[0], format!("'{name}' is not a function"));
        }
        match self.scope.meaning(name) {
            None => apply(self.terms, name, arguments, &place),
            Some(Meaning::Function { parameters, body }) => {
                let (parameters, body) = (parameters.clone(), *body);
                self.call(list, &parameters, body, arguments)
            }
            Some(Meaning::Unusable(why)) => self.complain(list[0], *why),
            Some(_) => self.complain(list[0], format!("'{name}' is not a function")),
        }
    }

    fn call(
        &mut self,
        list: &[Id],
        parameters: &[Term],
        body: Term,
        arguments: &[Term],
    ) -> Result<Term, Complaint> {
        if parameters.len() != arguments.len() {
            let message = format!("{} arguments are needed, {} given", parameters.len(), arguments.len());
            return self.complain(list[0], message);
        }
        let mut image = HashMap::new();
        for (i, (p, a)) in parameters.iter().zip(arguments).enumerate() {
            let a = match (self.terms.sort(*p), self.terms.sort(*a)) {
                (Sort::Real, Sort::Int) => self.terms.to_real(*a),
                (wanted, own) if wanted == own => *a,
                (wanted, own) => {
                    return self.complain(list[i + 1], format!("{wanted} was expected, this is {own}"));
                }
            };
            image.insert(*p, a);
        }
        Ok(self.terms.substitute(body, |_, v| image.get(&v).copied()))
    }
}
