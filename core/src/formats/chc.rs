//! Constrained Horn clauses: reachability of the error location as an SMT-LIB script of logic HORN, for tools like
//! Spacer.
//!
//! Each location has a predicate for its set of reachable states. It contains the initial states at the initial
//! location, and is closed under edges; the predicate of the error location is empty. So *sat* means that the property
//! holds, *unsat* that it is violated.

use std::fmt::Write as _;

use solver_lite::term::{Sort, Term, Terms};

use crate::expr::to_term;
use crate::system::{LocationId, System, VarId};

/// Reachability of the error location, as Horn clauses.
#[must_use]
pub fn print(system: &System) -> String {
    let mut writer = Writer::new(system);
    writer.text.push_str("(set-logic HORN)\n");
    let sorts: Vec<String> = system.variables.iter().map(|v| v.ty.sort().to_string()).collect();
    for l in system.location_ids() {
        let _ = writeln!(writer.text, "(declare-fun {} ({}) Bool)", name(l), sorts.join(" "));
    }
    let start = {
        let current = writer.current.clone();
        system.initial_term(&mut writer.terms, &mut |v| current[v.index()])
    };
    let current = writer.current.clone();
    let initial = writer.applied(system.initial, &current);
    writer.clause(&[start], &[], &initial);
    for edge in &system.edges {
        writer.edge(edge);
    }
    if let Some(error) = system.error {
        let bad = writer.applied(error, &current);
        writer.clause(&[], &[bad], "false");
    }
    writer.text.push_str("(check-sat)\n");
    writer.text
}

/// The predicate of a location.
fn name(l: LocationId) -> String {
    format!("at{}", l.0)
}

struct Writer<'a> {
    system: &'a System,
    terms: Terms,
    current: Vec<Term>,
    next: Vec<Term>,
    text: String,
}

impl Writer<'_> {
    fn new(system: &System) -> Writer<'_> {
        let mut terms = Terms::new();
        let mut all = |prefix: &str| -> Vec<Term> {
            let var =
                |(i, v): (usize, &crate::system::Variable)| terms.var(&format!("{prefix}{i}"), v.ty.sort());
            system.variables.iter().enumerate().map(var).collect()
        };
        let (current, next) = (all("x"), all("y"));
        Writer { system, terms, current, next, text: String::new() }
    }

    fn applied(&self, l: LocationId, values: &[Term]) -> String {
        if values.is_empty() {
            return name(l);
        }
        let values: Vec<String> = values.iter().map(|t| self.terms.smt(*t).to_string()).collect();
        format!("({} {})", name(l), values.join(" "))
    }

    fn edge(&mut self, edge: &crate::system::Edge) {
        let (system, current, next) = (self.system, self.current.clone(), self.next.clone());
        let relation =
            system.relation(&edge.op, &mut self.terms, &mut |v| current[v.index()], &mut |v| next[v.index()]);
        let written = |v: VarId| relation.written.binary_search(&v).is_ok();
        let after: Vec<Term> =
            system.var_ids().map(|v| if written(v) { next[v.index()] } else { current[v.index()] }).collect();
        let invariant = to_term(&system.invariant, &mut self.terms, &mut |v| after[v.index()]);
        let source = self.applied(edge.source, &current);
        let target = self.applied(edge.target, &after);
        self.clause(&[relation.formula, invariant], &[source], &target);
    }

    /// `∀ variables: constraints ∧ body ⇒ head`
    fn clause(&mut self, constraints: &[Term], body: &[String], head: &str) {
        let said = constraints.iter().filter(|t| **t != Term::TRUE).map(|t| self.terms.smt(*t).to_string());
        let mut parts: Vec<String> = body.to_vec();
        parts.extend(said);
        let premise = match parts.as_slice() {
            [] => "true".to_owned(),
            [one] => one.clone(),
            all => format!("(and {})", all.join(" ")),
        };
        let bound = self.current.iter().chain(&self.next).map(|t| {
            let sort: Sort = self.terms.sort(*t);
            format!("({} {sort})", self.terms.smt(*t))
        });
        let bound: Vec<String> = bound.collect();
        let clause = format!("(=> {premise} {head})");
        let _ = if bound.is_empty() {
            writeln!(self.text, "(assert {clause})")
        } else {
            writeln!(self.text, "(assert (forall ({}) {clause}))", bound.join(" "))
        };
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn clauses_are_written() {
        let text = "main process p { var x : int var b : bool init loc A error loc E
            A -> A { assume b x := x + 1 } A -> E { assume x < 0 } }";
        let system = crate::formats::cfa::parse(text).unwrap();
        let chc = super::print(&system);
        assert!(chc.contains("(declare-fun at0 (Int Bool) Bool)"), "{chc}");
        assert!(
            chc.contains("(assert (forall ((x0 Int) (x1 Bool) (y0 Int) (y1 Bool)) (=> (and (at0 x0 x1)"),
            "{chc}"
        );
        assert!(chc.contains("(=> (at1 x0 x1) false)"), "{chc}");
        assert_eq!(chc.matches("(assert").count(), 5, "{chc}");
    }
}
