//! The commands of a text as statements, for the checker of certificates: all right sides are evaluated into variables
//! of their own, then the values are assigned.

use super::resolve::{Instance, STATE, expand};
use super::syntax;
use crate::expr::{Binary, Expr, Scope, Type, VarId, check_as};
use crate::statements::{Action, Place, Statement, Statements, Style};
use crate::system::{Role, System};

/// Parses the text of a system again; `None` if a construct is not supported here.
pub(crate) fn statements(text: &str, system: &System) -> Option<Statements> {
    let (spec, wrong) = syntax::parse(text);
    let all = expand(&spec);
    if !wrong.is_empty() || !all.out.is_empty() {
        return None;
    }
    let mut read = Statements {
        variables: system.variables.iter().map(|v| (v.name.clone(), v.ty.clone())).collect(),
        own: system.var_ids().collect(),
        first: Vec::new(),
        invariant: Vec::new(),
        style: Style::Firings,
        places: vec![Place { name: STATE.to_owned(), role: Role::Plain }],
        start: 0,
        actions: Vec::new(),
        stuck: None,
        never: Vec::new(),
    };
    for (name, ty, value, _) in &all.variables {
        let v = system.find_variable(&name.text)?;
        if let Some(value) = value {
            let equal = if *ty == Type::Bool { Binary::Iff } else { Binary::Eq };
            let value = check_as(value, ty, system, &mut Vec::new())?;
            read.first.push(Expr::compare(equal, Expr::var(v, ty.clone()), value));
        }
    }
    for command in &all.commands {
        let body = body(command, system, &mut read)?;
        read.actions.push(Action { from: 0, to: 0, body });
    }
    Some(read)
}

fn body(command: &Instance, system: &System, read: &mut Statements) -> Option<Vec<Statement>> {
    let out = &mut Vec::new();
    let mut body = vec![Statement::Assume(check_as(&command.guard, &Type::Bool, system, out)?)];
    let mut second = Vec::new();
    for (name, value) in &command.assignments {
        let (v, ty) = system.lookup(&name.text).ok()?;
        let Some(value) = value else {
            second.push(Statement::Any(v));
            continue;
        };
        let copy = VarId::new(read.variables.len());
        read.variables.push((format!("{}?", name.text), system.variable(v).ty.clone()));
        body.push(Statement::Assign(copy, check_as(value, &ty, system, out)?));
        second.push(Statement::Assign(v, Expr::var(copy, ty)));
    }
    body.extend(second);
    Some(body)
}
