//! The statements of a transition system as written, for the checker of certificates.

use std::collections::HashMap;
use std::sync::Arc;

use super::syntax::{self, Kind, Statement as Written};
use crate::expr::ast::Ast;
use crate::expr::{Binary, Enumeration, Expr, Lookup, Scope, Type, VarId, check_as};
use crate::statements::{Action, Place, Statement, Statements, Style, alternatives};
use crate::system::{Role, System, VarType};

/// Parses the text of a system again; `None` if a construct is not supported here.
pub(crate) fn statements(text: &str, system: &System) -> Option<Statements> {
    let (spec, _) = syntax::parse(text);
    let variables = system.variables.iter().map(|v| (v.name.clone(), v.ty.clone())).collect();
    let declared = spec.variables.iter().map(|decl| system.find_variable(&decl.name.text));
    let own = declared.collect::<Option<Vec<VarId>>>()?;
    let mut reader = Reader { system, variables, own, blocks: Vec::new() };
    let mut first = Vec::new();
    for decl in &spec.variables {
        let (v, ty) = system.lookup(&decl.name.text).ok()?;
        if let Some(value) = &decl.value {
            let value = reader.expression(value, &ty)?;
            let equal = if ty == Type::Bool { Binary::Iff } else { Binary::Eq };
            first.push(Expr::compare(equal, Expr::var(v, ty), value));
        }
    }
    let mut actions = Vec::new();
    for (branches, from, to) in [
        (&spec.init, Statements::INIT, Statements::ENV),
        (&spec.env, Statements::ENV, Statements::TRANS),
        (&spec.trans, Statements::TRANS, Statements::ENV),
    ] {
        for branch in branches {
            let body = reader.block(std::slice::from_ref(branch))?;
            actions.extend(alternatives(body)?.into_iter().map(|body| Action { from, to, body }));
        }
    }
    let place = |name: &str| Place { name: name.to_owned(), role: Role::Plain };
    Some(Statements {
        variables: reader.variables,
        own: reader.own,
        first,
        places: ["before_init", "before_env", "before_trans"].map(place).into(),
        invariant: Vec::new(),
        style: Style::Branches,
        start: Statements::INIT,
        actions,
        stuck: None,
        never: Vec::new(),
    })
}

struct Reader<'a> {
    system: &'a System,
    variables: Vec<(String, VarType)>,
    /// The global variables.
    own: Vec<VarId>,
    /// The local variables of open blocks.
    blocks: Vec<HashMap<String, (VarId, Type)>>,
}

impl Scope for Reader<'_> {
    fn lookup(&self, name: &str) -> Result<(VarId, Type), Lookup> {
        let inner = self.blocks.iter().rev().find_map(|b| b.get(name)).cloned();
        // The system has variables of other blocks, too.
        let declared = || self.system.lookup(name).ok().filter(|(v, _)| self.own.contains(v));
        inner.or_else(declared).ok_or(Lookup::Unknown)
    }

    fn named_type(&self, name: &str) -> Option<Type> {
        self.system.named_type(name)
    }

    fn enumerations(&self) -> Vec<Arc<Enumeration>> {
        Scope::enumerations(self.system)
    }
}

impl Reader<'_> {
    fn expression(&self, e: &Ast, ty: &Type) -> Option<Expr> {
        check_as(e, ty, self, &mut Vec::new())
    }

    /// Declares a variable of the innermost block.
    fn declare(&mut self, name: &str, ty: Type) -> Option<VarId> {
        self.variables.push((name.to_owned(), VarType::of(&ty)?));
        let v = VarId::new(self.variables.len() - 1);
        self.blocks.last_mut()?.insert(name.to_owned(), (v, ty));
        Some(v)
    }

    /// Statements with a scope of their own.
    fn block(&mut self, all: &[Written]) -> Option<Vec<Statement>> {
        self.blocks.push(HashMap::new());
        let mut list = Vec::new();
        for s in all {
            self.statement(s, &mut list)?;
        }
        self.blocks.pop();
        Some(list)
    }

    fn statement(&mut self, s: &Written, list: &mut Vec<Statement>) -> Option<()> {
        match &s.kind {
            Kind::Assign(name, value) => {
                let (v, ty) = self.lookup(&name.text).ok()?;
                list.push(Statement::Assign(v, self.expression(value, &ty)?));
            }
            Kind::Element(..) => return None,
            Kind::Havoc(name) => list.push(Statement::Any(self.lookup(&name.text).ok()?.0)),
            Kind::Assume(condition) => {
                list.push(Statement::Assume(self.expression(condition, &Type::Bool)?));
            }
            Kind::Local(decl) => {
                let ty = decl.ty.resolve(self, &mut Vec::new())?;
                let value = match &decl.value {
                    Some(value) => Some(self.expression(value, &ty)?),
                    None => None,
                };
                let v = self.declare(&decl.name.text, ty)?;
                list.push(value.map_or(Statement::Any(v), |value| Statement::Assign(v, value)));
            }
            // No branch reads or writes what another one writes, so their order is irrelevant.
            Kind::Block(all) | Kind::Parallel(all) => list.extend(self.block(all)?),
            Kind::Choice(branches) => {
                let branches = branches.iter().map(|b| self.block(std::slice::from_ref(b)));
                list.push(Statement::Choice(branches.collect::<Option<_>>()?));
            }
            Kind::If(condition, then, other) => {
                let condition = self.expression(condition, &Type::Bool)?;
                let mut yes = vec![Statement::Assume(condition.clone())];
                yes.extend(self.block(std::slice::from_ref(then))?);
                let mut no = vec![Statement::Assume(condition.negated())];
                if let Some(other) = other {
                    no.extend(self.block(std::slice::from_ref(other))?);
                }
                list.push(Statement::Choice(vec![yes, no]));
            }
            Kind::For { variable, from, to, body } => {
                let (from, to) = (self.expression(from, &Type::Int)?, self.expression(to, &Type::Int)?);
                self.blocks.push(HashMap::new());
                let counter = self.declare(&variable.text, Type::Int)?;
                let body = self.block(std::slice::from_ref(body))?;
                self.blocks.pop();
                list.push(Statement::Repeat { counter, from, to, body });
            }
        }
        Some(())
    }
}
