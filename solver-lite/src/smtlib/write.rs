//! Queries written as scripts, for readers and for other solvers.

use std::fmt::Write as _;

use crate::hash::{Map, Set};
use crate::smtlib::scope::is_reserved;
use crate::term::print::{SAME_NAME, smt_symbol};
use crate::term::{Term, Terms};

/// The command after the check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Asking {
    /// The answer alone.
    #[default]
    Check,
    /// Interpolants of the assertions in their order.
    Interpolants,
}

/// A script with these assertions, named `a0`, `a1`, … or as given, and one check.
#[must_use]
pub fn script(terms: &Terms, assertions: &[(Option<&str>, Term)], asking: Asking) -> String {
    let mut out = String::from("(set-logic ALL)\n");
    if asking == Asking::Interpolants {
        out.push_str("(set-option :produce-interpolants true)\n");
    }
    let roots: Vec<Term> = assertions.iter().map(|(_, t)| *t).collect();
    let mut used = Set::default();
    let mut names = Map::default();
    for t in terms.subterms(&roots) {
        if let Some(name) = terms.name(t) {
            let symbol = fresh(name, &mut used);
            let _ = writeln!(out, "(declare-const {symbol} {})", terms.sort(t));
            names.insert(t, symbol);
        }
    }
    define_shared(terms, &roots, &mut names, &mut used, &mut out);
    for (i, (name, t)) in assertions.iter().enumerate() {
        let name = name.map_or_else(|| format!("a{i}"), str::to_owned);
        let name = fresh(&name, &mut used);
        let _ = writeln!(out, "(assert (! {} :named {name}))", terms.smt_named(*t, &names));
    }
    out.push_str("(check-sat)\n");
    if asking == Asking::Interpolants {
        out.push_str("(get-interpolants)\n");
    }
    out
}

/// A symbol derived from this name that is not in use and not reserved.
fn fresh(name: &str, used: &mut Set<String>) -> String {
    let mut name = name.trim_end_matches(SAME_NAME).to_owned();
    while is_reserved(&name) || used.contains(&name) {
        name.push('!');
    }
    used.insert(name.clone());
    smt_symbol(&name)
}

/// Formulas and sums that occur in several others get definitions where they are large, because a term is a graph and
/// its text would repeat them.
const LARGE: usize = 12;

/// Writes definitions of large shared terms and adds their names.
fn define_shared(
    terms: &Terms,
    roots: &[Term],
    names: &mut Map<Term, String>,
    used: &mut Set<String>,
    out: &mut String,
) {
    let all = terms.subterms(roots);
    let mut users: Map<Term, u32> = Map::default();
    for t in &all {
        terms.children(*t, |c| *users.entry(c).or_default() += 1);
    }
    // The text size of a term, where named ones count once. Children come first.
    let mut sizes: Map<Term, usize> = Map::default();
    for t in &all {
        let mut size = 1;
        terms.children(*t, |c| size += sizes[&c]);
        if size >= LARGE && users.get(t).is_some_and(|n| *n > 1) {
            let name = fresh(&format!("shared {}", sizes.len()), used);
            let text = terms.smt_named(*t, names);
            let _ = writeln!(out, "(define-fun {name} () {} {text})", terms.sort(*t));
            names.insert(*t, name);
            size = 1;
        }
        sizes.insert(*t, size);
    }
}
