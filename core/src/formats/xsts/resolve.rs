//! Name resolution, type checking and the order of actions: from the syntax to a [`Draft`].

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::flow::Flow;
use super::syntax::{Spec, TypeDecl};
use crate::diagnostic::{Diagnostic, Severity, Span, limits};
use crate::expr::{Binary, Enumeration, Expr, Lookup, Parser, Scope, Syntax, Type, VarId, check_as};
use crate::formats::{Name, Taken, unique};
use crate::system::{Actions, Draft, DraftVariable, Edge, Formalism, Op, Role, System};

/// The variables in scope; an inner one shadows an outer one of the same name.
#[derive(Default)]
pub(super) struct Variables {
    pub(super) list: Vec<DraftVariable>,
    enumerations: Vec<Arc<Enumeration>>,
    /// Scopes: of the model, and of each open block.
    scopes: Vec<HashMap<String, Option<VarId>>>,
    taken: Taken,
}

impl Scope for Variables {
    fn lookup(&self, name: &str) -> Result<(VarId, Type), Lookup> {
        match self.scopes.iter().rev().find_map(|s| s.get(name)) {
            None => Err(Lookup::Unknown),
            Some(None) => Err(Lookup::Reported),
            Some(Some(v)) => Ok((*v, self.list[v.index()].ty.clone())),
        }
    }

    fn named_type(&self, name: &str) -> Option<Type> {
        self.enumerations.iter().find(|e| e.name == name).cloned().map(Type::Enum)
    }

    fn enumerations(&self) -> Vec<Arc<Enumeration>> {
        self.enumerations.clone()
    }
}

impl Variables {
    pub(super) fn open(&mut self) {
        self.scopes.push(HashMap::new());
    }

    pub(super) fn close(&mut self) {
        self.scopes.pop();
    }

    /// The target of an assignment.
    pub(super) fn target(&self, name: &Name, out: &mut Vec<Diagnostic>) -> Option<(VarId, Type)> {
        match self.lookup(&name.text) {
            Ok(found) => Some(found),
            Err(Lookup::Reported) => None,
            Err(Lookup::Unknown) => {
                out.push(Diagnostic::error(name.span, format!("unknown variable '{}'", name.text)));
                None
            }
        }
    }

    /// Is it a variable of the innermost block?
    pub(super) fn is_local(&self, name: &str) -> bool {
        self.scopes.len() > 1 && self.scopes.last().is_some_and(|s| s.contains_key(name))
    }

    /// Declares a variable of the innermost block.
    pub(super) fn declare_local(&mut self, name: &Name, ty: Type) -> VarId {
        let v = self.declare_hidden(&name.text, ty, name.span);
        let scope = self.scopes.last_mut().expect("a scope is open");
        scope.insert(name.text.clone(), Some(v));
        v
    }

    /// A variable that is not entered into a scope; inside of a block, its name always has a number.
    pub(super) fn declare_hidden(&mut self, name: &str, ty: Type, span: Span) -> VarId {
        if self.scopes.len() > 1 {
            self.taken.reserve(name);
        }
        let unique = unique(name, '.', &mut self.taken);
        self.list.push(DraftVariable { name: unique, ty, span, promised: None });
        VarId::new(self.list.len() - 1)
    }
}

/// Checks names and types, and builds the actions in order.
pub(super) fn resolve(spec: &Spec, asked: Option<&str>) -> Result<System, Vec<Diagnostic>> {
    let variables = Variables { scopes: vec![HashMap::new()], ..Variables::default() };
    let mut flow = Flow::new(variables);
    spec.types.iter().for_each(|t| flow.declare_type(t));
    let start = flow.location("start", Role::Initial, true, Span::default());
    let [init, env, trans] = ["before_init", "before_env", "before_trans"]
        .map(|n| flow.location(n, Role::Plain, false, Span::default()));
    let op = flow.declare_variables(spec);
    flow.edges.push(Edge { source: start, target: init, op, label: String::new(), span: Span::default() });
    flow.action(&spec.init, init, env);
    flow.action(&spec.env, env, trans);
    flow.action(&spec.trans, trans, env);
    let property = spec.property.as_ref();
    let property = property.and_then(|p| check_as(p, &Type::Bool, &flow.variables, &mut flow.out));
    if flow.locations.len() > limits::GRAPH || flow.edges.len() > limits::GRAPH {
        let message = format!("the actions have more than {} branches", limits::GRAPH);
        flow.error(Span::default(), message);
    }
    if flow.out.iter().any(|d| d.severity == Severity::Error) {
        return Err(flow.out);
    }
    let unsupported = flow.out;
    let draft = Draft {
        name: "xsts".to_owned(),
        asked: asked.and_then(|text| expression(text, &flow.variables)).into_iter().collect(),
        variables: flow.variables.list,
        locations: flow.locations,
        edges: flow.edges,
        initial: start,
        invariant: Expr::bool(true),
        embedded: property.map(|p| ("prop".to_owned(), p)),
    };
    if !unsupported.is_empty() {
        return Err(unsupported);
    }
    let enumerations = flow.variables.enumerations;
    draft.finish().map(|mut system| {
        system.formalism = Formalism::Extended;
        system.syntax = Syntax::Xsts;
        system.actions = Some(Actions { init, env, trans });
        // The declared variables are in the first state of a run, even if nothing depends on them.
        system.initial_formula = declared_values(&system);
        system.enumerations = enumerations;
        system
    })
}

/// The operation of the first edge, over the state before it.
fn declared_values(system: &System) -> Expr {
    fn part(op: &Op, out: &mut Vec<Expr>) {
        let mut given = |v: VarId, e: &Expr| {
            let equal = if e.ty == Type::Bool { Binary::Iff } else { Binary::Eq };
            out.push(Expr::compare(equal, Expr::var(v, e.ty.clone()), e.clone()));
        };
        match op {
            Op::Assign(v, e) => given(*v, e),
            Op::Update(all) => all.iter().for_each(|(v, e)| given(*v, e)),
            Op::Assume(related) => out.push(related.clone()),
            Op::Sequence(all) => all.iter().for_each(|op| part(op, out)),
            Op::Skip | Op::Havoc(_) | Op::Promise(_) | Op::Relation(..) => {}
        }
    }
    let mut parts = Vec::new();
    part(&system.edges[0].op, &mut parts);
    Expr::and(parts)
}

/// The embedded property, if it is supported; it is reported only when requested.
fn expression(text: &str, scope: &dyn Scope) -> Option<Expr> {
    let text = text.trim();
    let text = ["invariant:", "E<>"].iter().find_map(|start| text.strip_prefix(start)).unwrap_or(text);
    if text.len() > limits::SOURCE {
        return None;
    }
    let mut parser = Parser::new(text, Syntax::Xsts);
    let ast = parser.expression().ok()?;
    check_as(&ast, &Type::Bool, scope, &mut Vec::new())
}

impl Flow {
    fn declare_type(&mut self, decl: &TypeDecl) {
        if self.variables.named_type(&decl.name.text).is_some() {
            self.error(decl.name.span, format!("the type '{}' is declared twice", decl.name.text));
        }
        let mut seen = HashSet::new();
        for literal in decl.literals.iter().filter(|l| !seen.insert(l.text.clone())) {
            self.error(literal.span, format!("'{}' is a value of this type already", literal.text));
        }
        let literals = decl.literals.iter().map(|l| l.text.clone()).collect();
        let e = Enumeration { name: decl.name.text.clone(), literals };
        self.variables.enumerations.push(Arc::new(e));
    }

    /// Declares the variables; the operation that assigns their initial values.
    fn declare_variables(&mut self, spec: &Spec) -> Op {
        for decl in &spec.variables {
            let name = &decl.name;
            if self.variables.scopes[0].contains_key(&name.text) {
                self.error(name.span, format!("the variable '{}' is declared twice", name.text));
                continue;
            }
            match decl.ty.resolve(&self.variables, &mut self.out) {
                Some(ty) => {
                    self.variables.declare_local(name, ty);
                }
                None => {
                    self.variables.scopes[0].insert(name.text.clone(), None);
                }
            }
        }
        let (mut values, mut related) = (Vec::new(), Vec::new());
        for decl in &spec.variables {
            let (Some(value), Ok((v, ty))) = (&decl.value, self.variables.lookup(&decl.name.text)) else {
                continue;
            };
            let Some(e) = check_as(value, &ty, &self.variables, &mut self.out) else { continue };
            if e.variables().is_empty() {
                values.push((v, e));
            } else {
                related.push(Expr::compare(Binary::Eq, Expr::var(v, ty), e));
            }
        }
        let mut ops = Vec::new();
        if !values.is_empty() {
            ops.push(Op::Update(values));
        }
        if !related.is_empty() {
            ops.push(Op::Assume(Expr::and(related)));
        }
        if ops.len() == 1 { ops.remove(0) } else { Op::Sequence(ops) }
    }
}
