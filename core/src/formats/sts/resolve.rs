//! Name resolution and type checking of a specification: from the syntax of one property's system to a [`Draft`].

use std::collections::{BTreeMap, HashMap, HashSet};

use super::cases;
use super::syntax::{Body, Decl, PropertyDecl, Spec, Sts, SystemDecl};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::ast::Ast;
use crate::expr::{Expr, Lookup, Scope, Syntax, Type, VarId, check_as};
use crate::formats::Name;
use crate::system::{Draft, DraftVariable, Edge, Formalism, Location, LocationId, Op, Role, System};

/// The clauses of a system, and its property.
pub(super) struct Clauses {
    pub(super) variables: Vec<DraftVariable>,
    pub(super) initial: Vec<Expr>,
    pub(super) invariants: Vec<Expr>,
    /// Variable `n + i` of `n` is the new value of variable `i`.
    pub(super) transitions: Vec<Expr>,
    condition: Expr,
}

/// The clauses of the system of the property of that name, of a text without errors.
pub(super) fn clauses(spec: &Spec, property: &str) -> Option<Clauses> {
    let property = spec.properties.iter().find(|p| p.name.text == property)?;
    Resolver::new(spec).property(property, &mut Vec::new())
}

/// The system of the property of that name, or of the first one; the others are checked, too.
pub(super) fn resolve(spec: &Spec, wanted: Option<&str>) -> Result<System, Vec<Diagnostic>> {
    let mut out = Vec::new();
    let mut chosen = None;
    for (i, property) in spec.properties.iter().enumerate() {
        if spec.properties[..i].iter().any(|p| p.name.text == property.name.text) {
            let message = format!("the property '{}' is declared twice", property.name.text);
            out.push(Diagnostic::error(property.name.span, message));
        }
        let found = Resolver::new(spec).property(property, &mut out).map(|c| lowered(spec, property, c));
        if wanted.map_or(i == 0, |name| name == property.name.text) {
            chosen = found;
        }
    }
    let (mut seen, used) = (HashSet::new(), spec.used());
    for system in &spec.systems {
        if !seen.insert(&system.name.text) {
            let message = format!("the system '{}' is declared twice", system.name.text);
            out.push(Diagnostic::error(system.name.span, message));
        }
        if !used.contains(system.name.text.as_str()) {
            Resolver::new(spec).unused(system, &mut out);
        }
    }
    let mistaken = out.iter().any(|d| d.severity == crate::diagnostic::Severity::Error);
    match chosen {
        Some(system) if !mistaken => system,
        _ if !out.is_empty() => Err(out),
        _ => Err(vec![Diagnostic::error(Span::default(), no_property(spec, wanted))]),
    }
}

impl Spec {
    /// The systems of the properties.
    fn used(&self) -> HashSet<&str> {
        let named = |sts: &'_ Sts| match sts {
            Sts::Named(name, _) => Some(name.text.clone()),
            Sts::Defined(_) => None,
        };
        let systems: HashMap<&str, &SystemDecl> =
            self.systems.iter().map(|s| (s.name.text.as_str(), s)).collect();
        let mut used = HashSet::new();
        for property in &self.properties {
            let mut at = named(&property.sts);
            while let Some(system) = at.and_then(|name| systems.get(name.as_str()).copied()) {
                let is_new = used.insert(system.name.text.as_str());
                at = named(&system.sts).filter(|_| is_new);
            }
        }
        used
    }
}

fn no_property(spec: &Spec, wanted: Option<&str>) -> String {
    let names: Vec<&str> = spec.properties.iter().map(|p| p.name.text.as_str()).collect();
    match wanted {
        _ if names.is_empty() => "the specification has no property".to_owned(),
        Some(name) => format!("there is no property '{name}'; there are {}", names.join(", ")),
        None => "no property was chosen".to_owned(),
    }
}

/// The variables in scope; ids from the length on are new values.
#[derive(Default)]
struct Variables {
    list: Vec<DraftVariable>,
    by_name: HashMap<String, Option<VarId>>,
    /// Are new values allowed?
    next: bool,
}

impl Scope for Variables {
    fn lookup(&self, name: &str) -> Result<(VarId, Type), Lookup> {
        match self.by_name.get(name) {
            None => Err(Lookup::Unknown),
            Some(None) => Err(Lookup::Reported),
            Some(Some(v)) => Ok((*v, self.list[v.index()].ty.clone())),
        }
    }

    fn next(&self, v: VarId) -> Option<VarId> {
        self.next.then(|| VarId::new(self.list.len() + v.index()))
    }
}

struct Resolver<'a> {
    spec: &'a Spec,
    variables: Variables,
    /// Constants, with the expressions substituted for them.
    values: BTreeMap<String, Ast>,
    /// The parameters of the current system, with their arguments. They are not visible outside of it.
    parameters: BTreeMap<String, Ast>,
    initial: Vec<Ast>,
    invariants: Vec<Ast>,
    transitions: Vec<Ast>,
    /// Constants without a value: their values do not change.
    kept: Vec<VarId>,
}

/// The limit on chains of systems that name each other.
const NAMES: usize = 100;

impl<'a> Resolver<'a> {
    fn new(spec: &'a Spec) -> Resolver<'a> {
        Resolver {
            spec,
            variables: Variables::default(),
            values: BTreeMap::new(),
            parameters: BTreeMap::new(),
            initial: Vec::new(),
            invariants: Vec::new(),
            transitions: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// The system's clauses with its property; `None` after a report.
    fn property(mut self, property: &PropertyDecl, out: &mut Vec<Diagnostic>) -> Option<Clauses> {
        let before = out.len();
        self.body(&self.spec.shared, out);
        let mut sts = &property.sts;
        for _ in 0..NAMES {
            match sts {
                Sts::Defined(body) => {
                    self.body(body, out);
                    return self.finish(property, before, out);
                }
                Sts::Named(name, arguments) => sts = &self.named(name, arguments, out)?.sts,
            }
        }
        out.push(Diagnostic::error(
            property.name.span,
            "the systems of this property refer to each other in a cycle",
        ));
        None
    }

    /// Checks a system without a property: its parameters are variables.
    fn unused(mut self, system: &SystemDecl, out: &mut Vec<Diagnostic>) {
        let truth = Ast::new(crate::expr::ast::AstKind::Bool(true), system.name.span);
        let Some(condition) = truth else { return };
        for parameter in &system.parameters {
            self.declare(parameter, out);
        }
        self.property(&PropertyDecl { name: system.name.clone(), sts: system.sts.clone(), condition }, out);
    }

    /// The system of that name, with arguments substituted for its parameters.
    fn named(&mut self, name: &Name, arguments: &[Ast], out: &mut Vec<Diagnostic>) -> Option<&'a SystemDecl> {
        let Some(system) = self.spec.systems.iter().find(|s| s.name.text == name.text) else {
            out.push(Diagnostic::error(name.span, format!("there is no system '{}'", name.text)));
            return None;
        };
        if system.parameters.len() != arguments.len() {
            let message = format!(
                "the system '{}' has {} parameters, but here are {}",
                name.text,
                system.parameters.len(),
                arguments.len()
            );
            out.push(Diagnostic::error(name.span, message));
            return None;
        }
        let mut parameters = BTreeMap::new();
        for (parameter, argument) in system.parameters.iter().zip(arguments) {
            let argument = self.closed(argument);
            let ty = parameter.ty.resolve(&self.variables, out)?;
            check_as(&argument, &ty, &self.variables, out)?;
            let Name { text, span } = &parameter.name;
            if self.is_declared(text) || parameters.insert(text.clone(), argument).is_some() {
                out.push(Diagnostic::error(*span, format!("'{text}' is declared twice")));
            }
        }
        self.parameters = parameters;
        Some(system)
    }

    /// The text of an expression, with constants and parameters replaced.
    fn closed(&self, ast: &Ast) -> Ast {
        let mut ast = ast.clone();
        ast.substitute(&self.values);
        ast.substitute(&self.parameters);
        ast
    }

    fn body(&mut self, body: &Body, out: &mut Vec<Diagnostic>) {
        for decl in &body.constants {
            self.constant(decl, out);
        }
        for decl in &body.variables {
            let v = self.declare(decl, out);
            if let (Some(_), Some(value)) = (v, &decl.value) {
                let name = Ast::new(crate::expr::ast::AstKind::Name(decl.name.text.clone()), decl.name.span);
                let both = name.map(|name| Box::new([name, value.clone()]));
                let kind = both.map(|both| crate::expr::ast::AstKind::Binary(crate::expr::Binary::Eq, both));
                let first = kind.and_then(|kind| Ast::new(kind, value.span));
                self.initial.extend(first.map(|first| self.closed(&first)));
            }
        }
        let closed = |all: &[Ast]| all.iter().map(|ast| self.closed(ast)).collect::<Vec<_>>();
        let [invariants, initial, transitions] =
            [&body.invariants, &body.initial, &body.transitions].map(|all| closed(all));
        self.invariants.extend(invariants);
        self.initial.extend(initial);
        self.transitions.extend(transitions);
    }

    fn constant(&mut self, decl: &Decl, out: &mut Vec<Diagnostic>) {
        let Some(value) = &decl.value else {
            let v = self.declare(decl, out);
            self.kept.extend(v);
            return;
        };
        let value = self.closed(value);
        if let Some(ty) = decl.ty.resolve(&self.variables, out) {
            check_as(&value, &ty, &self.variables, out);
        }
        self.taken(&decl.name, out);
        self.values.insert(decl.name.text.clone(), value);
    }

    fn is_declared(&self, name: &str) -> bool {
        self.values.contains_key(name) || self.variables.by_name.contains_key(name)
    }

    fn taken(&self, name: &Name, out: &mut Vec<Diagnostic>) {
        if self.is_declared(&name.text) || self.parameters.contains_key(&name.text) {
            out.push(Diagnostic::error(name.span, format!("'{}' is declared twice", name.text)));
        }
    }

    fn declare(&mut self, decl: &Decl, out: &mut Vec<Diagnostic>) -> Option<VarId> {
        self.taken(&decl.name, out);
        let id = decl.ty.resolve(&self.variables, out).map(|ty| {
            let (name, span) = (decl.name.text.clone(), decl.name.span);
            self.variables.list.push(DraftVariable { name, ty, span, promised: None });
            VarId::new(self.variables.list.len() - 1)
        });
        self.variables.by_name.insert(decl.name.text.clone(), id);
        id
    }

    /// Typed conditions.
    fn conditions(&mut self, asts: &[Ast], next: bool, out: &mut Vec<Diagnostic>) -> Vec<Expr> {
        self.variables.next = next;
        let mut typed = Vec::with_capacity(asts.len());
        for ast in asts {
            let mut ast = ast.clone();
            ast.substitute(&self.values);
            typed.extend(check_as(&ast, &Type::Bool, &self.variables, out));
        }
        typed
    }

    fn finish(
        mut self,
        property: &PropertyDecl,
        before: usize,
        out: &mut Vec<Diagnostic>,
    ) -> Option<Clauses> {
        let [initial, invariants, transitions] =
            [&mut self.initial, &mut self.invariants, &mut self.transitions].map(std::mem::take);
        let initial = self.conditions(&initial, false, out);
        let invariants = self.conditions(&invariants, false, out);
        let mut transitions = self.conditions(&transitions, true, out);
        let condition = self.conditions(std::slice::from_ref(&property.condition), false, out).pop();
        if out.len() > before {
            return None;
        }
        let condition = condition?;
        let n = self.variables.list.len();
        for v in &self.kept {
            let ty = self.variables.list[v.index()].ty.clone();
            let [new, old] = [n + v.index(), v.index()].map(|i| Expr::var(VarId::new(i), ty.clone()));
            transitions.push(Expr::compare(crate::expr::Binary::Eq, new, old));
        }
        Some(Clauses { variables: self.variables.list, initial, invariants, transitions, condition })
    }
}

/// The system of some clauses.
fn lowered(spec: &Spec, property: &PropertyDecl, clauses: Clauses) -> Result<System, Vec<Diagnostic>> {
    let place = |name: &str, role: Role, anonymous: bool| Location {
        name: name.to_owned(),
        role,
        anonymous,
        span: property.name.span,
    };
    let locations = vec![place("start", Role::Initial, true), place("state", Role::Plain, false)];
    let [start, state] = [0, 1].map(LocationId::new);
    let edge = |source: LocationId, op: Op| Edge {
        source,
        target: state,
        op,
        label: String::new(),
        span: property.name.span,
    };
    let mut edges = vec![edge(start, cases::initial(clauses.initial))];
    let n = clauses.variables.len();
    edges.extend(cases::transitions(n, clauses.transitions).into_iter().map(|op| edge(state, op)));
    let draft = Draft {
        name: spec.name.clone(),
        variables: clauses.variables,
        locations,
        edges,
        initial: start,
        invariant: Expr::and(clauses.invariants),
        asked: Vec::new(),
        embedded: Some((property.name.text.clone(), clauses.condition)),
    };
    draft.finish().map(|mut system| {
        system.formalism = Formalism::Symbolic;
        system.syntax = Syntax::Sts;
        system
    })
}
