//! Expansion of parameters, name resolution and type checking: from the syntax to a system.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use solver_lite::number::Q;
use solver_lite::term::Value;

use super::syntax::{Command, For, Item, Spec, Variables, Written};
use crate::diagnostic::{Diagnostic, Severity, Span, limits};
use crate::expr::ast::{Ast, AstKind};
use crate::expr::{Enumeration, Expr, Lookup, Scope, Syntax, Type, VarId, check_as};
use crate::formats::family::enumeration;
use crate::formats::{Name, mistakes};
use crate::system::{Draft, DraftVariable, Edge, Formalism, Location, LocationId, Op, Role, System};

/// The name of the location of the states.
pub(super) const STATE: &str = "state";

/// The values of constants and parameters.
type Values = BTreeMap<String, Ast>;

/// A command for certain values of its parameters.
pub(super) struct Instance {
    /// Its name with these values, as in `enter(1)`.
    pub(super) name: Option<String>,
    pub(super) guard: Ast,
    /// Names of variables, and values; none for an input.
    pub(super) assignments: Vec<(Name, Option<Ast>)>,
    pub(super) span: Span,
}

/// A text whose parameters have values.
#[derive(Default)]
pub(super) struct Expanded {
    /// Name, type, initial value, and whether it is a program counter.
    pub(super) variables: Vec<(Name, Type, Option<Ast>, bool)>,
    pub(super) commands: Vec<Instance>,
    predicates: Vec<Ast>,
    errors: Vec<Ast>,
    enumerations: Vec<Arc<Enumeration>>,
    /// Names with indices, and their first and last index.
    families: HashMap<String, (i64, i64)>,
    names: HashMap<String, VarId>,
    values: Values,
    /// The values of open parameters, outermost first.
    open: Vec<i64>,
    /// How many declarations and values of parameters there were.
    work: usize,
    pub(super) out: Vec<Diagnostic>,
}

impl Scope for Expanded {
    fn lookup(&self, name: &str) -> Result<(VarId, Type), Lookup> {
        let v = self.names.get(name).ok_or(Lookup::Unknown)?;
        Ok((*v, self.variables[v.index()].1.clone()))
    }

    fn enumerations(&self) -> Vec<Arc<Enumeration>> {
        self.enumerations.clone()
    }
}

/// Only constants are in scope.
struct Nothing;

impl Scope for Nothing {
    fn lookup(&self, _name: &str) -> Result<(VarId, Type), Lookup> {
        Err(Lookup::Unknown)
    }
}

/// Replaces the parameters of a text by their values.
pub(super) fn expand(spec: &Spec) -> Expanded {
    let mut all = Expanded::default();
    all.items(&spec.items);
    all
}

/// The system of a text with these errors so far.
pub(super) fn resolve(spec: &Spec, out: Vec<Diagnostic>) -> Result<System, Vec<Diagnostic>> {
    let mut all = expand(spec);
    all.out.splice(0..0, out);
    all.system(spec)
}

impl Expanded {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.out.push(Diagnostic::error(span, message));
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            if self.out.len() > limits::DIAGNOSTICS {
                return;
            }
            match item {
                Item::Constant(name, value) => self.constant(name, value),
                Item::Variables(all) => self.declare(all),
                Item::Command(command) => self.command(command),
                Item::For(all) => self.repeated(all),
                Item::Predicate(e) => {
                    let e = self.instance(e);
                    self.predicates.extend(e);
                }
                Item::Error(e) => {
                    let e = self.instance(e);
                    self.errors.extend(e);
                }
            }
        }
    }

    /// The value of an expression over constants and parameters.
    fn number(&mut self, e: &Ast) -> Option<i64> {
        let mut e = e.clone();
        e.substitute(&self.values);
        let value = check_as(&e, &Type::Int, &Nothing, &mut self.out)?.as_constant();
        match value {
            Some(Value::Num(q)) if q.to_i64().is_some() => q.to_i64(),
            _ => {
                self.error(e.span, "this is not the value of a number");
                None
            }
        }
    }

    fn constant(&mut self, name: &Name, value: &Ast) {
        if !self.is_free(name) {
            return;
        }
        if let Some(number) = self.number(value) {
            self.values.insert(name.text.clone(), literal(number, value.span));
        }
    }

    /// Is a name not in use? Otherwise this is reported.
    fn is_free(&mut self, name: &Name) -> bool {
        let used = self.values.contains_key(&name.text)
            || self.names.contains_key(&name.text)
            || self.families.contains_key(&name.text);
        if used {
            self.error(name.span, format!("'{}' is declared twice", name.text));
        }
        !used
    }

    fn declare(&mut self, all: &Variables) {
        let ty = match &all.ty {
            Written::Bool => Type::Bool,
            Written::Int => Type::Int,
            Written::Values(values) => Type::Enum(enumeration(values, &mut self.enumerations, &mut self.out)),
        };
        let value = all.value.as_ref().and_then(|value| self.instance(value));
        for (name, indices) in &all.names {
            if !self.is_free(name) {
                continue;
            }
            let Some(indices) = indices else {
                self.variable(name.clone(), ty.clone(), value.clone(), all.control);
                continue;
            };
            let (Some(first), Some(last)) = (self.number(&indices[0]), self.number(&indices[1])) else {
                continue;
            };
            self.families.insert(name.text.clone(), (first, last));
            if !self.is_small(first, last, indices[0].span.to(indices[1].span)) {
                continue;
            }
            for i in first..=last {
                let one = Name { text: indexed(&name.text, i), span: name.span };
                if self.is_free(&one) {
                    self.variable(one, ty.clone(), value.clone(), all.control);
                }
            }
        }
    }

    /// Are there few numbers in a range?
    fn is_small(&mut self, first: i64, last: i64, span: Span) -> bool {
        let most = i64::try_from(limits::GRAPH).unwrap_or(i64::MAX);
        let small = last.checked_sub(first).is_some_and(|n| n < most);
        if !small {
            self.error(span, format!("there are more than {most} numbers from {first} to {last}"));
        }
        small
    }

    fn variable(&mut self, name: Name, ty: Type, value: Option<Ast>, control: bool) {
        self.names.insert(name.text.clone(), VarId::new(self.variables.len()));
        self.variables.push((name, ty, value, control));
    }

    fn repeated(&mut self, all: &For) {
        let (Some(first), Some(last)) = (self.number(&all.bounds[0]), self.number(&all.bounds[1])) else {
            return;
        };
        if !self.is_free(&all.parameter) || !self.is_small(first, last, all.span) {
            return;
        }
        for i in first..=last {
            // Mistakes are reported for the first value only.
            if i > first && self.out.iter().any(|d| d.severity == Severity::Error) {
                break;
            }
            self.work += 1 + all.body.len();
            if self.work > limits::GRAPH {
                // Once is enough.
                if self.out.is_empty() {
                    let message = format!("there are more than {} declarations in blocks", limits::GRAPH);
                    self.error(all.span, message);
                }
                break;
            }
            self.values.insert(all.parameter.text.clone(), literal(i, all.parameter.span));
            self.open.push(i);
            self.items(&all.body);
            self.open.pop();
        }
        self.values.remove(&all.parameter.text);
    }

    fn command(&mut self, command: &Command) {
        let (Some(guard), assignments) = (self.instance(&command.guard), &command.assignments) else {
            return;
        };
        let mut instances = Vec::with_capacity(assignments.len());
        for one in assignments {
            let value = match &one.value {
                Some(value) => match self.instance(value) {
                    Some(value) => Some(value),
                    None => return,
                },
                None => None,
            };
            match self.instance(&one.target) {
                Some(Ast { kind: AstKind::Name(text), span, .. }) if self.families.contains_key(&text) => {
                    return self.error(span, format!("'{text}' has indices: write {text}[1]"));
                }
                Some(Ast { kind: AstKind::Name(text), span, .. }) => {
                    instances.push((Name { text, span }, value));
                }
                Some(other) => return self.error(other.span, "expected a variable before ':='"),
                None => return,
            }
        }
        let name = command.name.as_ref().map(|name| match &self.open[..] {
            [] => name.text.clone(),
            open => {
                let open: Vec<String> = open.iter().map(i64::to_string).collect();
                format!("{}({})", name.text, open.join(", "))
            }
        });
        self.commands.push(Instance { name, guard, assignments: instances, span: command.span });
    }

    /// An expression with the values of constants and parameters, and without indices; `None` after a report.
    fn instance(&mut self, e: &Ast) -> Option<Ast> {
        let mut e = e.clone();
        e.substitute(&self.values);
        self.without_indices(&mut e).then_some(e)
    }

    fn without_indices(&mut self, e: &mut Ast) -> bool {
        if let AstKind::Read(parts) = &e.kind
            && let AstKind::Name(name) = &parts[0].kind
        {
            let (name, at) = (name.clone(), parts[1].clone());
            let Some((first, last)) = self.families.get(&name).copied() else {
                self.error(
                    parts[0].span,
                    format!("'{name}' is not declared with indices, as in var {name}[1..n]"),
                );
                return false;
            };
            let Some(index) = self.number(&at) else { return false };
            if index < first || last < index {
                self.error(
                    at.span,
                    format!("the indices of '{name}' are {first} to {last}, but this is {index}"),
                );
                return false;
            }
            *e = Ast { kind: AstKind::Name(indexed(&name, index)), span: e.span, depth: 1 };
            return true;
        }
        e.children_mut().into_iter().all(|child| self.without_indices(child))
    }

    fn checked(&mut self, e: &Ast, ty: &Type) -> Option<Expr> {
        let mut out = std::mem::take(&mut self.out);
        let checked = check_as(e, ty, self, &mut out);
        self.out = out;
        checked
    }

    fn all_checked(&mut self, all: Vec<Ast>) -> Vec<Expr> {
        all.iter().filter_map(|e| self.checked(e, &Type::Bool)).collect()
    }

    /// The operation that gives each variable its initial value, or any.
    fn beginning(&mut self) -> Op {
        let (mut values, mut open) = (Vec::new(), Vec::new());
        for i in 0..self.variables.len() {
            let (_, ty, value, _) = &self.variables[i];
            let (Some(value), ty) = (value.clone(), ty.clone()) else {
                open.push(Op::Havoc(VarId::new(i)));
                continue;
            };
            if let Some(e) = self.checked(&value, &ty) {
                if !e.variables().is_empty() {
                    self.error(e.span, "an initial value does not depend on variables");
                }
                values.push((VarId::new(i), e));
            }
        }
        Op::Sequence(std::iter::once(Op::Update(values)).chain(open).collect())
    }

    /// The operation of a command, and its text.
    fn operation(&mut self, command: &Instance) -> Option<(Op, String)> {
        let guard = self.checked(&command.guard, &Type::Bool)?;
        let mut all: Vec<(VarId, Option<Expr>)> = Vec::new();
        for (name, value) in &command.assignments {
            let Ok((v, ty)) = self.lookup(&name.text) else {
                self.error(name.span, format!("unknown variable '{}'", name.text));
                return None;
            };
            if all.iter().any(|(other, _)| *other == v) {
                self.error(name.span, format!("'{}' is assigned twice by this command", name.text));
                return None;
            }
            let value = match value {
                Some(value) => Some(self.checked(value, &ty)?),
                None => None,
            };
            all.push((v, value));
        }
        let mut ops = vec![Op::Assume(guard.clone())];
        let update: Vec<_> = all.iter().filter_map(|(v, e)| Some((*v, e.clone()?))).collect();
        if !update.is_empty() {
            ops.push(Op::Update(update));
        }
        ops.extend(all.iter().filter(|(_, e)| e.is_none()).map(|(v, _)| Op::Havoc(*v)));
        let op = if ops.len() == 1 { ops.remove(0) } else { Op::Sequence(ops) };
        let label = command.name.clone().unwrap_or_else(|| self.label(&guard, &all));
        Some((op, label))
    }

    fn system(mut self, spec: &Spec) -> Result<System, Vec<Diagnostic>> {
        let literals: Vec<String> = self.enumerations.iter().flat_map(|e| e.literals.clone()).collect();
        for i in 0..self.variables.len() {
            let name = self.variables[i].0.clone();
            if literals.contains(&name.text) {
                self.error(name.span, format!("'{}' is a variable and a value of a type", name.text));
            }
        }
        let [start, here] = [0, 1].map(LocationId::new);
        let (op, span) = (self.beginning(), Span::default());
        let mut edges =
            vec![Edge { source: start, target: here, op, label: "initial values".to_owned(), span }];
        for command in std::mem::take(&mut self.commands) {
            if let Some((op, label)) = self.operation(&command) {
                edges.push(Edge { source: here, target: here, op, label, span: command.span });
            }
        }
        let (predicates, errors) = (std::mem::take(&mut self.predicates), std::mem::take(&mut self.errors));
        let (predicates, errors) = (self.all_checked(predicates), self.all_checked(errors));
        if !self.out.is_empty() {
            return Err(self.out);
        }
        let location = |name: &str, role: Role, anonymous: bool| Location {
            name: name.to_owned(),
            role,
            anonymous,
            span: Span::default(),
        };
        let control: BTreeSet<VarId> =
            (0..).zip(&self.variables).filter(|(_, v)| v.3).map(|(i, _)| VarId::new(i)).collect();
        let variable = |(name, ty, _, _): &(Name, Type, Option<Ast>, bool)| DraftVariable {
            name: name.text.clone(),
            ty: ty.clone(),
            span: name.span,
            promised: None,
        };
        let never = |e: Expr| ("error".to_owned(), e.negated());
        let draft = Draft {
            name: spec.name.clone(),
            variables: self.variables.iter().map(variable).collect(),
            locations: vec![location("start", Role::Initial, true), location(STATE, Role::Plain, false)],
            edges,
            initial: start,
            invariant: Expr::bool(true),
            asked: Vec::new(),
            embedded: Some(errors).filter(|all| !all.is_empty()).map(|all| never(Expr::or(all))),
        };
        let mut system = draft.finish()?;
        system.formalism = Formalism::Commands;
        system.syntax = Syntax::Ltl;
        system.enumerations = self.enumerations;
        system.control = control;
        system.stated.clone_from(&spec.properties);
        let mistakes = mistakes(&system);
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let supported = |e: Expr| system.without_arrays(&e).map_err(|d| vec![d]);
        system.predicates = predicates.into_iter().map(supported).collect::<Result<_, _>>()?;
        Ok(system)
    }

    /// The text of a command.
    fn label(&self, guard: &Expr, all: &[(VarId, Option<Expr>)]) -> String {
        let name = |v: VarId| self.variables[v.index()].0.text.clone();
        let one = |(v, value): &(VarId, Option<Expr>)| match value {
            Some(e) => format!("{} := {}", name(*v), e.text(&name)),
            None => format!("{} := input", name(*v)),
        };
        let all: Vec<String> = all.iter().map(one).collect();
        let all = if all.is_empty() { "skip".to_owned() } else { all.join(", ") };
        format!("{} -> {all}", guard.text(&name))
    }
}

/// The name of a variable with an index.
fn indexed(name: &str, index: i64) -> String {
    if index < 0 { format!("{name}_{}", index.unsigned_abs()) } else { format!("{name}{index}") }
}

fn literal(number: i64, span: Span) -> Ast {
    Ast { kind: AstKind::Int(Q::from(number)), span, depth: 1 }
}
