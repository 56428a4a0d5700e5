//! The statements of an automaton as written, for the checker of certificates.

use super::syntax::{self, EdgeDecl, Statement as Written, StatementKind};
use crate::expr::{Scope, Type, check_as};
use crate::statements::{Action, Place, Statement, Statements, Style};
use crate::system::{Role, System};

/// Parses the text of a system again; `None` if a construct is not supported here.
pub(crate) fn statements(text: &str, system: &System) -> Option<Statements> {
    let (spec, _) = syntax::parse(text);
    let main = spec.processes.into_iter().find(|p| p.main)?;
    let places: Vec<Place> =
        main.locations.iter().map(|l| Place { name: l.name.text.clone(), role: l.kind.role() }).collect();
    let place = |name: &str| places.iter().position(|p| p.name == name);
    let action = |edge: &EdgeDecl| {
        let body = edge.statements.iter().map(|s| statement(s, system)).collect::<Option<_>>()?;
        Some(Action { from: place(&edge.source.text)?, to: place(&edge.target.text)?, body })
    };
    Some(Statements {
        variables: system.variables.iter().map(|v| (v.name.clone(), v.ty.clone())).collect(),
        own: system.var_ids().collect(),
        first: Vec::new(),
        invariant: Vec::new(),
        style: Style::Edges,
        start: places.iter().position(|p| p.role == Role::Initial)?,
        actions: main.edges.iter().map(action).collect::<Option<_>>()?,
        places,
        stuck: None,
        never: Vec::new(),
    })
}

fn statement(written: &Written, system: &System) -> Option<Statement> {
    let out = &mut Vec::new();
    Some(match &written.kind {
        StatementKind::Assume(e) => Statement::Assume(check_as(e, &Type::Bool, system, out)?),
        StatementKind::Havoc(name) => Statement::Any(system.lookup(&name.text).ok()?.0),
        StatementKind::Assign(name, e) => {
            let (v, ty) = system.lookup(&name.text).ok()?;
            Statement::Assign(v, check_as(e, &ty, system, out)?)
        }
        StatementKind::Return => return None,
    })
}
