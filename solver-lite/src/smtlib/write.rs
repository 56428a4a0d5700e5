//! Questions written as scripts, for people and for other solvers.

use std::fmt::Write as _;

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
    for (i, (name, t)) in assertions.iter().enumerate() {
        let name = name.map_or_else(|| format!("a{i}"), smt_symbol);
        let _ = writeln!(out, "(assert (! {} :named {name}))", terms.smt(*t));
    }
    out.push_str("(check-sat)\n");
    if asking == Asking::Interpolants {
        out.push_str("(get-interpolants)\n");
    }
    out
}
