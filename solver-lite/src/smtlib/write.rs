//! Questions written as scripts, for people and for other solvers.

use std::fmt::Write as _;

use crate::hash::Map;
use crate::term::print::smt_symbol;
use crate::term::{Term, Terms};

/// What a script asks for after its check.
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
    for t in terms.subterms(&roots) {
        if let Some(name) = terms.name(t) {
            let _ = writeln!(out, "(declare-const {} {})", smt_symbol(name), terms.sort(t));
        }
    }
    let shared = define_shared(terms, &roots, &mut out);
    for (i, (name, t)) in assertions.iter().enumerate() {
        let mut name = name.map_or_else(|| format!("a{i}"), str::to_owned);
        while terms.lookup(&name).is_some() {
            name.push('!');
        }
        let name = smt_symbol(&name);
        let text = terms.smt_named(*t, &shared);
        let _ = writeln!(out, "(assert (! {text} :named {name}))");
    }
    out.push_str("(check-sat)\n");
    if asking == Asking::Interpolants {
        out.push_str("(get-interpolants)\n");
    }
    out
}

/// Formulas and sums that occur in several others: where they are large, they get definitions, because a term is a graph and
/// its text would repeat them.
const LARGE: usize = 12;

/// Writes definitions of large shared terms and gives their names.
fn define_shared(terms: &Terms, roots: &[Term], out: &mut String) -> Map<Term, String> {
    let all = terms.subterms(roots);
    let mut users: Map<Term, u32> = Map::default();
    let mut sizes: Map<Term, usize> = Map::default();
    // Children come first.
    for t in &all {
        let mut size = 1;
        terms.children(*t, |c| {
            *users.entry(c).or_default() += 1;
            size += sizes.get(&c).copied().unwrap_or(1);
        });
        sizes.insert(*t, size);
    }
    let mut names = Map::default();
    for t in all.iter().filter(|t| sizes[t] >= LARGE && users.get(t).is_some_and(|n| *n > 1)) {
        let name = format!("|shared {}|", names.len() + 1);
        let _ = writeln!(out, "(define-fun {name} () {} {})", terms.sort(*t), terms.smt_named(*t, &names));
        names.insert(*t, name);
    }
    names
}
