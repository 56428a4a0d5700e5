//! Name resolution and type checking of a `.cfa` text: from syntax to a [`Draft`].

use std::collections::{HashMap, HashSet};

use super::Facts;
use super::syntax::{LocationDecl, Process, Spec, StatementKind, VarDecl};
use crate::diagnostic::{Diagnostic, Span, limits};
use crate::expr::{Expr, Lookup, Scope, Type, VarId, check_as};
use crate::formats::Name;
use crate::system::{Draft, DraftVariable, Edge, Location, LocationId, Op, Role};

/// The result.
pub(super) struct Resolved {
    pub(super) facts: Facts,
    pub(super) draft: Result<Draft, Vec<Diagnostic>>,
}

/// The variables in scope. A name whose type could not be resolved is known, but has no id.
#[derive(Default)]
struct Variables {
    list: Vec<DraftVariable>,
    by_name: HashMap<String, Option<VarId>>,
}

impl Scope for Variables {
    fn lookup(&self, name: &str) -> Result<(VarId, Type), Lookup> {
        match self.by_name.get(name) {
            None => Err(Lookup::Unknown),
            Some(None) => Err(Lookup::Reported),
            Some(Some(v)) => Ok((*v, self.list[v.index()].ty.clone())),
        }
    }
}

struct Resolver {
    out: Vec<Diagnostic>,
    variables: Variables,
    locations: Vec<Location>,
    by_name: HashMap<String, LocationId>,
    edges: Vec<Edge>,
}

/// Checks names and types.
pub(super) fn resolve(spec: &Spec) -> Resolved {
    let (variables, out) = (Variables::default(), Vec::new());
    let mut r =
        Resolver { out, variables, locations: Vec::new(), by_name: HashMap::new(), edges: Vec::new() };
    let Some(main) = r.main_process(spec) else {
        let facts = Facts { variables: spec.globals.len(), locations: 0, edges: 0, has_error: false };
        return Resolved { facts, draft: Err(r.out) };
    };
    r.declare_variables(spec, main);
    let initial = r.declare_locations(main);
    for edge in &main.edges {
        r.edge(edge);
    }
    let graph = limits::GRAPH;
    if r.locations.len() > graph || r.edges.len() > graph {
        let message = format!("more than {graph} locations or edges (each statement of an edge counts)");
        r.out.push(Diagnostic::error(main.name.span, message));
    }
    let facts = Facts {
        variables: r.variables.by_name.len(),
        locations: r.locations.len(),
        edges: r.edges.len(),
        has_error: r.locations.iter().any(|l| l.role == Role::Error),
    };
    let draft = match initial {
        Some(initial) if r.out.is_empty() => Ok(Draft {
            name: main.name.text.clone(),
            variables: r.variables.list,
            locations: r.locations,
            edges: r.edges,
            initial,
            invariant: Expr::bool(true),
            asked: Vec::new(),
            embedded: None,
        }),
        _ => Err(r.out),
    };
    Resolved { facts, draft }
}

impl Resolver {
    fn error(&mut self, span: Span, message: String) {
        self.out.push(Diagnostic::error(span, message));
    }

    fn main_process<'a>(&mut self, spec: &'a Spec) -> Option<&'a Process> {
        let mut mains = spec.processes.iter().filter(|p| p.main);
        let main = mains.next();
        for other in mains {
            let message = format!("'{}' is a second main process; only one can be verified", other.name.text);
            self.error(other.name.span, message);
        }
        for other in spec.processes.iter().filter(|p| !p.main && main.is_some()) {
            let message = format!(
                "process '{}' is not the main process; only a single main process is supported",
                other.name.text
            );
            self.out.push(Diagnostic::unsupported(other.name.span, message));
        }
        if main.is_none() {
            let (span, message) = match spec.processes.first() {
                Some(p) => {
                    (p.name.span, format!("there is no main process; write 'main process {}'", p.name.text))
                }
                None => (spec.end, "there is no process; a model is 'main process NAME { … }'".to_owned()),
            };
            self.error(span, message);
        }
        if let Some(span) = main.and_then(|m| m.parameters) {
            self.out.push(Diagnostic::unsupported(span, "parameters of a process are not supported"));
        }
        main
    }

    /// Globals first; a local variable shadows a global one of the same name.
    fn declare_variables(&mut self, spec: &Spec, main: &Process) {
        let local: HashSet<&str> = main.variables.iter().map(|v| v.name.text.as_str()).collect();
        let mut seen = HashSet::new();
        for decl in &spec.globals {
            if !seen.insert(decl.name.text.as_str()) {
                self.twice(&decl.name, "variable");
            } else if !local.contains(decl.name.text.as_str()) {
                self.declare(decl);
            }
        }
        let mut seen = HashSet::new();
        for decl in &main.variables {
            if seen.insert(decl.name.text.as_str()) {
                self.declare(decl);
            } else {
                self.twice(&decl.name, "variable");
            }
        }
    }

    fn twice(&mut self, name: &Name, what: &str) {
        self.error(name.span, format!("the {what} '{}' is declared twice", name.text));
    }

    fn declare(&mut self, decl: &VarDecl) {
        let id = decl.ty.resolve(&self.variables, &mut self.out).map(|ty| {
            let (name, span) = (decl.name.text.clone(), decl.name.span);
            self.variables.list.push(DraftVariable { name, ty, span, promised: None });
            VarId::new(self.variables.list.len() - 1)
        });
        self.variables.by_name.insert(decl.name.text.clone(), id);
    }

    fn declare_locations(&mut self, main: &Process) -> Option<LocationId> {
        let mut initial = None;
        for decl in &main.locations {
            let id = LocationId::new(self.locations.len());
            if self.by_name.insert(decl.name.text.clone(), id).is_some() {
                self.twice(&decl.name, "location");
            }
            if self.variables.by_name.contains_key(&decl.name.text) {
                self.error(decl.name.span, format!("'{}' is the name of a variable already", decl.name.text));
            }
            let role = decl.kind.role();
            if role == Role::Initial && initial.is_none() {
                initial = Some(id);
            } else if role != Role::Plain {
                self.single(decl, role);
            }
            let (name, span) = (decl.name.text.clone(), decl.name.span);
            self.locations.push(Location { name, role, anonymous: false, span });
        }
        if initial.is_none() {
            self.error(main.name.span, format!("process '{}' has no 'init loc'", main.name.text));
        }
        initial
    }

    /// Reports a second location of the same role.
    fn single(&mut self, decl: &LocationDecl, role: Role) {
        let Some(first) = self.locations.iter().find(|l| l.role == role) else { return };
        let what = match role {
            Role::Initial => "initial",
            Role::Final => "final",
            _ => "error",
        };
        let message =
            format!("'{}' is a second {what} location; the first is '{}'", decl.name.text, first.name);
        self.error(decl.name.span, message);
    }

    fn location(&mut self, name: &Name) -> LocationId {
        if let Some(id) = self.by_name.get(&name.text) {
            return *id;
        }
        self.error(name.span, format!("unknown location '{}'", name.text));
        LocationId::new(0)
    }

    fn edge(&mut self, decl: &super::syntax::EdgeDecl) {
        let (source, target) = (self.location(&decl.source), self.location(&decl.target));
        let label = String::new;
        if decl.statements.is_empty() {
            self.edges.push(Edge { source, target, op: Op::Skip, label: label(), span: decl.span });
            return;
        }
        let mut at = source;
        let last = decl.statements.len() - 1;
        for (i, statement) in decl.statements.iter().enumerate() {
            let op = self.statement(&statement.kind, statement.span).unwrap_or(Op::Skip);
            let to = if i == last { target } else { self.between(decl, i, statement.span) };
            self.edges.push(Edge { source: at, target: to, op, label: label(), span: statement.span });
            at = to;
        }
    }

    /// An anonymous location after statement `i` of an edge.
    fn between(&mut self, decl: &super::syntax::EdgeDecl, i: usize, span: Span) -> LocationId {
        let id = LocationId::new(self.locations.len());
        // Declared names are identifiers, and parallel edges are distinguished by the index of the edge.
        let name = format!("{}->{}#{}.{}", decl.source.text, decl.target.text, self.edges.len() - i, i + 1);
        self.locations.push(Location { name, role: Role::Plain, anonymous: true, span });
        id
    }

    fn statement(&mut self, kind: &StatementKind, span: Span) -> Option<Op> {
        match kind {
            StatementKind::Assume(e) => {
                Some(Op::Assume(check_as(e, &Type::Bool, &self.variables, &mut self.out)?))
            }
            StatementKind::Havoc(name) => Some(Op::Havoc(self.variable(name)?.0)),
            StatementKind::Assign(name, e) => {
                let target = self.variable(name);
                let (v, ty) = match target {
                    Some(target) => target,
                    None => {
                        // The right side may contain errors, too.
                        crate::expr::check(e, &self.variables, &mut self.out);
                        return None;
                    }
                };
                Some(Op::Assign(v, check_as(e, &ty, &self.variables, &mut self.out)?))
            }
            StatementKind::Return => {
                self.out.push(Diagnostic::unsupported(span, "'return' is not supported"));
                None
            }
        }
    }

    fn variable(&mut self, name: &Name) -> Option<(VarId, Type)> {
        match self.variables.lookup(&name.text) {
            Ok(found) => Some(found),
            Err(Lookup::Reported) => None,
            Err(Lookup::Unknown) => {
                let message = if self.by_name.contains_key(&name.text) {
                    format!("'{}' is a location, not a variable", name.text)
                } else {
                    format!("unknown variable '{}'", name.text)
                };
                self.error(name.span, message);
                None
            }
        }
    }
}
