//! The assertions as written, for proofs about the text: `let`, names and definitions are expanded, and nothing else is
//! changed. The text was accepted before, so there are no complaints with places.

use std::collections::HashMap;

use crate::alethe::store::{Id, Shape, Store};
use crate::alethe::{NoRule, Original};
use crate::number::Q;
use crate::smtlib::lexer::{Kind, Lexer};
use crate::smtlib::scope::{Meaning, Scope};
use crate::smtlib::sexpr::{Arena, Expr, Id as Node};
use crate::term::print::smt_symbol;
use crate::term::{Sort, Terms};

/// Nesting limit of definitions.
const DEPTH: usize = 200;
/// Limit of terms, with expanded definitions.
const SIZE: usize = 50_000_000;

/// A command on which assertions depend, as written.
#[derive(Clone, Debug)]
pub(crate) enum Written {
    /// The formula of an assertion.
    Assertion(String),
    /// The whole command.
    Definition(String),
}

const OPERATORS: &[&str] = &[
    "not", "and", "or", "xor", "=>", "=", "distinct", "ite", "+", "-", "*", "/", "abs", "to_real", "div",
    "mod", "<=", "<", ">=", ">",
];

/// The definition of a name.
#[derive(Clone)]
enum Defined {
    Constant(Id),
    Function { parameters: Vec<String>, body: String },
}

enum Work {
    Evaluate(Node),
    Apply(Node),
    Bind(Node),
    Unbind(Node),
    Name(Node),
}

struct Reader<'a> {
    terms: &'a Terms,
    scope: &'a Scope,
    /// Are there no integers, so that `3` is a real number?
    numerals: Sort,
    original: Original,
    defined: HashMap<String, Defined>,
    size: usize,
    depth: usize,
}

/// The commands as written, and the assumptions of the last check.
pub(crate) fn read(
    terms: &Terms,
    scope: &Scope,
    numerals: Sort,
    written: &[Written],
    assumed: &[&str],
) -> Result<Original, NoRule> {
    let original = Original::default();
    let mut reader = Reader { terms, scope, numerals, original, defined: HashMap::new(), size: 0, depth: 0 };
    for w in written {
        match w {
            Written::Definition(text) => reader.define(text)?,
            Written::Assertion(text) => reader.assertion(text)?,
        }
    }
    for text in assumed {
        reader.assertion(text)?;
    }
    Ok(reader.original)
}

fn beyond<T>(what: &str) -> Result<T, NoRule> {
    Err(NoRule(what.to_owned()))
}

fn expression(text: &str) -> Result<(Arena<'_>, Node), NoRule> {
    match Arena::read(&mut Lexer::new(text)) {
        Ok(Some(read)) => Ok(read),
        _ => beyond("a text that cannot be parsed a second time"),
    }
}

/// The names and values of a `let`.
fn bindings<'t>(arena: &Arena<'t>, e: Node) -> Vec<(&'t str, Node)> {
    let pairs = arena.list(e).and_then(|l| arena.list(l[1])).unwrap_or_default();
    let pair = |p: &Node| match arena.list(*p) {
        Some([name, value]) => Some((arena.symbol(*name)?, *value)),
        _ => None,
    };
    pairs.iter().filter_map(pair).collect()
}

impl Reader<'_> {
    fn assertion(&mut self, text: &str) -> Result<(), NoRule> {
        let (arena, root) = expression(text)?;
        let id = self.term(&arena, root, HashMap::new())?;
        self.original.asserted.push(id);
        Ok(())
    }

    fn define(&mut self, text: &str) -> Result<(), NoRule> {
        let (arena, root) = expression(text)?;
        let parts = arena.list(root).unwrap_or_default();
        let [_, name, middle @ .., body] = parts else { return beyond("a definition") };
        let name = arena.symbol(*name).unwrap_or_default().to_owned();
        let parameters: Vec<String> = match middle {
            [parameters, _] => {
                let all = arena.list(*parameters).unwrap_or_default();
                let symbol = |p: &Node| arena.symbol(*arena.list(*p)?.first()?).map(str::to_owned);
                all.iter().filter_map(symbol).collect()
            }
            _ => Vec::new(),
        };
        let defined = if parameters.is_empty() {
            Defined::Constant(self.term(&arena, *body, HashMap::new())?)
        } else {
            Defined::Function { parameters, body: arena.source(*body, text).to_owned() }
        };
        self.defined.insert(name, defined);
        Ok(())
    }

    fn term<'t>(
        &mut self,
        arena: &Arena<'t>,
        root: Node,
        mut bound: HashMap<&'t str, Vec<Id>>,
    ) -> Result<Id, NoRule> {
        let mut work = vec![Work::Evaluate(root)];
        let mut values: Vec<Id> = Vec::new();
        while let Some(next) = work.pop() {
            self.size += 1;
            if self.size > SIZE {
                return beyond("a text that is too large when definitions are expanded");
            }
            match next {
                Work::Evaluate(e) => match arena.get(e) {
                    Expr::Atom(kind, text) => values.push(self.atom(kind, text, &bound)?),
                    Expr::List(list) => open(arena, e, list, &mut work),
                },
                Work::Apply(e) => {
                    let list = arena.list(e).unwrap_or_default();
                    let arguments = values.split_off(values.len() - (list.len() - 1));
                    values.push(self.apply(arena.symbol(list[0]).unwrap_or_default(), &arguments)?);
                }
                Work::Bind(e) => {
                    let names = bindings(arena, e);
                    let all = values.split_off(values.len() - names.len());
                    for ((name, _), t) in names.into_iter().zip(all) {
                        bound.entry(name).or_default().push(t);
                    }
                }
                Work::Unbind(e) => {
                    for (name, _) in bindings(arena, e) {
                        bound.get_mut(name).map(Vec::pop);
                    }
                }
                Work::Name(e) => {
                    let t = *values.last().expect("the named term was evaluated");
                    let name = arena.symbol(e).unwrap_or_default();
                    self.defined.insert(name.to_owned(), Defined::Constant(t));
                }
            }
        }
        Ok(values.pop().expect("every expression leaves one term"))
    }

    fn atom(&mut self, kind: Kind, text: &str, bound: &HashMap<&str, Vec<Id>>) -> Result<Id, NoRule> {
        let store = &mut self.original.store;
        let number = || text.parse::<Q>().or_else(|_| beyond("a number"));
        match kind {
            Kind::Numeral => Ok(store.number(&number()?, self.numerals)),
            Kind::Decimal => Ok(store.number(&number()?, Sort::Real)),
            Kind::Symbol | Kind::Quoted => {
                if let Some(t) = bound.get(text).and_then(|all| all.last()) {
                    return Ok(*t);
                }
                match self.scope.meaning(text) {
                    Some(Meaning::Free(t)) => {
                        let id = store.add(Shape::Symbol(smt_symbol(text)), self.terms.sort(*t));
                        self.original.meaning.insert(id, *t);
                        Ok(id)
                    }
                    Some(_) => match self.defined.get(text) {
                        Some(Defined::Constant(t)) => Ok(*t),
                        _ => beyond("a name that was defined before proofs were enabled"),
                    },
                    None => Ok(store.bool(text == "true")),
                }
            }
            _ => beyond("a text that cannot be parsed a second time"),
        }
    }

    fn apply(&mut self, name: &str, arguments: &[Id]) -> Result<Id, NoRule> {
        if self.scope.meaning(name).is_some() {
            let Some(Defined::Function { parameters, body }) = self.defined.get(name).cloned() else {
                return beyond("a name that was defined before proofs were enabled");
            };
            self.depth += 1;
            if self.depth > DEPTH {
                return beyond("definitions that are nested too deeply");
            }
            let (arena, root) = expression(&body)?;
            let bound = parameters.iter().zip(arguments).map(|(p, a)| (p.as_str(), vec![*a])).collect();
            let done = self.term(&arena, root, bound);
            self.depth -= 1;
            return done;
        }
        let Some(operator) = OPERATORS.iter().find(|o| **o == name) else { return beyond("an operator") };
        let real_only = self.numerals == Sort::Real;
        let store = &mut self.original.store;
        if let ("/", [a, b]) = (*operator, arguments)
            && let Some(q) = literal(store, *a, *b, real_only)
        {
            return Ok(store.number(&q, Sort::Real));
        }
        let sort = match *operator {
            "ite" => store.sort(arguments[1]).max(store.sort(arguments[2])),
            "+" | "-" | "*" | "abs" => arguments.iter().map(|a| store.sort(*a)).max().unwrap_or(Sort::Int),
            "/" | "to_real" => Sort::Real,
            "div" | "mod" => Sort::Int,
            _ => Sort::Bool,
        };
        Ok(store.apply(operator, arguments, sort))
    }
}

/// A quotient of positive coprime numerals is one literal for checkers (but `(/ 1 1)` is not).
fn literal(store: &Store, a: Id, b: Id, real_only: bool) -> Option<Q> {
    let numeral = |t: Id| match store.shape(t) {
        Shape::Number(q) if q.is_integer() && (real_only || store.sort(t) == Sort::Int) => Some(q.clone()),
        _ => None,
    };
    let (a, b) = (numeral(a)?, numeral(b)?);
    let lowest = a.is_positive() && b.is_positive() && a.gcd(&b).is_one() && !(a.is_one() && b.is_one());
    lowest.then(|| &a / &b)
}

/// Plans the evaluation of a list.
fn open(arena: &Arena<'_>, e: Node, list: &[Node], work: &mut Vec<Work>) {
    let Some((head, arguments)) = list.split_first() else { return };
    match arena.get(*head) {
        Expr::Atom(Kind::Symbol, "let") => {
            work.extend([Work::Unbind(e), Work::Evaluate(arguments[1]), Work::Bind(e)]);
            work.extend(bindings(arena, e).iter().rev().map(|(_, value)| Work::Evaluate(*value)));
        }
        Expr::Atom(Kind::Symbol, "!") => {
            for pair in arguments.windows(2).skip(1) {
                if arena.get(pair[0]) == Expr::Atom(Kind::Keyword, ":named") {
                    work.push(Work::Name(pair[1]));
                }
            }
            work.push(Work::Evaluate(arguments[0]));
        }
        _ => {
            work.push(Work::Apply(e));
            work.extend(arguments.iter().rev().map(|a| Work::Evaluate(*a)));
        }
    }
}
