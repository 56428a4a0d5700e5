//! Meanings of the names of a script, and their scopes.

use std::collections::{BTreeMap, HashMap};

use crate::term::{Sort, Term, Terms};

/// Reserved words, which cannot be declared.
const RESERVED: &[&str] = &[
    "true", "false", "not", "and", "or", "xor", "=>", "=", "distinct", "ite", "let", "forall", "exists",
    "match", "!", "_", "as", "par", "Bool", "Int", "Real",
];

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// A declared constant.
    Free(Term),
    /// A defined constant, or the `:named` name of a term.
    Constant(Term),
    /// A defined function: its body over its parameters.
    Function { parameters: Vec<Term>, body: Term },
    /// A defined sort.
    Sort(Sort),
    /// A declared sort or function that cannot be used in terms, with the reason.
    Unusable(&'static str),
}

/// All names in force.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    meanings: HashMap<String, Meaning>,
    /// The names in the order of their declaration.
    order: Vec<String>,
    /// The variables of names in the term store, where the sort of a name never changes.
    variables: HashMap<(String, Sort), Term>,
    /// Value of an option: do declarations survive `pop`?
    pub(crate) global: bool,
    /// Boolean terms with a `:named` name.
    pub(crate) named: BTreeMap<String, Term>,
}

/// Is the name reserved?
pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

impl Scope {
    pub(crate) fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.meanings.get(name)
    }

    /// # Errors
    /// A message when the name is in use.
    pub(crate) fn define(&mut self, name: &str, meaning: Meaning) -> Result<(), String> {
        if is_reserved(name) {
            return Err(format!("'{name}' has a fixed meaning and cannot be declared"));
        }
        if self.meanings.contains_key(name) {
            return Err(format!("'{name}' is already declared"));
        }
        self.meanings.insert(name.to_owned(), meaning);
        self.order.push(name.to_owned());
        Ok(())
    }

    /// The variable of a name. Its sort in the store never changes, but a script may change it after a `pop`.
    pub(crate) fn variable(&mut self, terms: &mut Terms, name: &str, sort: Sort) -> Term {
        if let Some(t) = self.variables.get(&(name.to_owned(), sort)) {
            return *t;
        }
        let mut inner = name.to_owned();
        while terms.lookup(&inner).is_some() {
            // No symbol of a script contains it, and printing leaves it out: only one of them is in force.
            inner.push(crate::term::print::SAME_NAME);
        }
        let t = terms.var(&inner, sort);
        self.variables.insert((name.to_owned(), sort), t);
        t
    }

    /// The declared constants in order.
    pub(crate) fn constants(&self) -> impl Iterator<Item = (&str, Term)> {
        self.order.iter().filter_map(|name| match self.meanings[name] {
            Meaning::Free(t) => Some((name.as_str(), t)),
            _ => None,
        })
    }

    /// A backtracking point.
    pub(crate) fn mark(&self) -> usize {
        self.order.len()
    }

    /// Forgets what was declared since `mark`, unless declarations are global.
    pub(crate) fn undo(&mut self, mark: usize) {
        if !self.global {
            for name in self.order.drain(mark..) {
                self.meanings.remove(&name);
                self.named.remove(&name);
            }
        }
    }
}
