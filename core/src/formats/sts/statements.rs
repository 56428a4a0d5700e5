//! A symbolic transition system as its clauses, for the checker of certificates: a step gives every variable any value
//! that the transition clauses allow. No clause becomes an assignment, and no disjunction becomes edges.

use super::{read, resolve};
use crate::expr::{Expr, Kind, VarId};
use crate::statements::{Action, Place, Statement, Statements, Style};
use crate::system::{Role, System};

/// Parses the text of a system again; `None` if a construct is not supported here.
pub(crate) fn statements(text: &str, system: &System) -> Option<Statements> {
    let (property, _) = system.embedded.as_ref()?;
    let clauses = resolve::clauses(&read(text).ok()?, property)?;
    let n = system.variables.len();
    if !clauses.variables.iter().map(|v| &v.name).eq(system.variables.iter().map(|v| &v.name)) {
        return None;
    }
    let variables: Vec<_> = system.variables.iter().map(|v| (v.name.clone(), v.ty.clone())).collect();
    let own: Vec<VarId> = system.var_ids().collect();
    let keep = |v: &VarId| {
        let value = Expr::var(*v, clauses.variables[v.index()].ty.clone());
        Statement::Assign(VarId::new(n + v.index()), value)
    };
    let mut body: Vec<Statement> = own.iter().map(keep).collect();
    body.extend(own.iter().copied().map(Statement::Any));
    let mut transitions = clauses.transitions;
    transitions.iter_mut().for_each(|clause| exchange(n, clause));
    body.extend(transitions.into_iter().chain(clauses.invariants.clone()).map(Statement::Assume));
    Some(Statements {
        variables: [&variables[..], &variables].concat(),
        own,
        first: clauses.initial,
        invariant: clauses.invariants,
        style: Style::Relation,
        places: vec![Place { name: "state".to_owned(), role: Role::Plain }],
        start: 0,
        actions: vec![Action { from: 0, to: 0, body }],
        stuck: None,
        never: Vec::new(),
    })
}

/// In clauses, ids of new values follow those of old ones; in a step, whose choices have been made, ids of copies of
/// the old values follow those of new ones.
fn exchange(n: usize, e: &mut Expr) {
    if let Kind::Var(v) = &mut e.kind {
        *v = VarId::new((v.index() + n) % (2 * n));
    }
    e.children_mut().into_iter().for_each(|c| exchange(n, c));
}
