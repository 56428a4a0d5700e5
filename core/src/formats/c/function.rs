//! Calls: functions are inlined, those without a definition are built-in ones.

use lang_c::ast::{
    CallExpression, DeclarationSpecifier, Declarator, DerivedDeclarator, Ellipsis, Expression,
    FunctionDefinition, ParameterDeclaration, Statement, TranslationUnit,
};
use lang_c::span::Node;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::builtin::always_fails;
use super::prototype::in_block;
use super::types::{self, CType, INT, Value, number};
use super::{Entity, Program};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Binary, Expr, Type, VarId};
use crate::system::{DraftVariable, LocationId, Op};

/// The limit on nested calls.
const NESTED: usize = 60;
/// The limit on inlined calls.
const INLINED: usize = 20_000;

/// A call that is being inlined.
pub(super) struct Call {
    pub(super) name: String,
    /// The location after the call.
    pub(super) after: LocationId,
    /// The variable for its result.
    pub(super) result: Option<(VarId, CType)>,
    /// The locations of its labels.
    pub(super) labels: HashMap<String, LocationId>,
    /// Targets of jumps whose labels have not been found yet.
    pub(super) missing: HashMap<String, Span>,
    /// Labels found so far.
    pub(super) met: HashSet<String>,
    /// The scope of the caller.
    around: super::flow::Around,
    /// The scopes and targets of the caller, which are not visible inside.
    scopes: Vec<HashMap<String, Entity>>,
    targets: Vec<super::statement::Target>,
}

impl<'a> Program<'a> {
    /// The program's start.
    pub(super) fn main(&mut self, main: &'a FunctionDefinition) {
        let Some(parameters) = self.parameters(main) else { return };
        self.enter("main", None, &parameters, Vec::new(), Span::default());
        self.body(main);
        self.leave(Span::default(), false);
        self.flow.end(Span::default());
    }

    /// Errors in functions that `main` does not reach; unsupported constructs are irrelevant there.
    pub(super) fn mistakes_elsewhere(&self, unit: &'a TranslationUnit) -> Vec<Diagnostic> {
        let mut reader = Program::new(self.source, self.model);
        reader.bodiless = true;
        reader.declarations(unit);
        let mut mistakes = Vec::new();
        let functions: BTreeMap<String, &FunctionDefinition> = reader.functions.clone().into_iter().collect();
        for (name, f) in functions {
            if name == "main" || self.reached.contains(&name) {
                continue;
            }
            reader.out.clear();
            reader.alone(&name, f);
            reader.keep_errors(0);
            mistakes.append(&mut reader.out);
        }
        mistakes
    }

    /// Translates a function with arbitrary arguments.
    fn alone(&mut self, name: &str, f: &'a FunctionDefinition) {
        let Some(parameters) = self.parameters(f) else { return };
        let Some(ty) = self.result_type(f) else { return };
        let result = (ty != CType::Void).then(|| (self.result(name, &ty, Span::default()), ty));
        self.enter(name, result, &parameters, Vec::new(), Span::default());
        self.body(f);
        self.leave(Span::default(), false);
    }

    /// The type of a function's result, as given by its declaration.
    fn result_type(&mut self, f: &FunctionDefinition) -> Option<CType> {
        let known = types::name(&f.declarator.node).and_then(|id| self.prototypes.get(&id.node.name));
        if let Some(known) = known {
            return Some(known.result.clone());
        }
        let pointer = |d: &Node<DerivedDeclarator>| matches!(d.node, DerivedDeclarator::Pointer(_));
        if f.declarator.node.derived.iter().any(pointer) {
            return self.unsupported(self.source.span(&f.declarator), "pointers are not supported");
        }
        self.scopes.push(HashMap::new());
        let ty = self.base_type(&f.specifiers);
        self.scopes.pop();
        ty
    }

    fn parameters(&mut self, f: &'a FunctionDefinition) -> Option<Vec<&'a Node<ParameterDeclaration>>> {
        let span = self.source.span(&f.declarator);
        for derived in &f.declarator.node.derived {
            match &derived.node {
                DerivedDeclarator::Function(d) => {
                    let all = d.node.parameters.iter();
                    // `(void)`
                    return Some(all.filter(|p| p.node.declarator.is_some()).collect());
                }
                DerivedDeclarator::KRFunction(names) if names.is_empty() => return Some(Vec::new()),
                _ => {}
            }
        }
        self.unsupported(span, "this way of declaring a function is not supported")
    }

    /// The value of a call.
    pub(super) fn call(&mut self, call: &Node<CallExpression>, span: Span) -> Option<Value> {
        let Expression::Identifier(id) = &call.node.callee.node else {
            return self.unsupported(span, "functions as values are not supported");
        };
        let name = id.node.name.as_str();
        if self.constants_only {
            return self.error(span, "a constant is expected here, and this is a call");
        }
        let block = in_block(name);
        let declares = |scope: &HashMap<String, Entity>| match scope.get(name) {
            _ if scope.contains_key(&block) => Some(false),
            entity => entity.map(|e| matches!(e, Entity::Variable(..) | Entity::Constant(_))),
        };
        if self.scopes.iter().rev().find_map(declares) == Some(true) {
            return self.error(span, format!("'{name}' is not a function here"));
        }
        let count = call.node.arguments.len();
        if self.prototypes.get(name).is_some_and(|p| !p.accepts(count)) && !self.functions.contains_key(name)
        {
            return self.error(span, format!("'{name}' is declared with another number of parameters"));
        }
        if always_fails(name) {
            call.node.arguments.iter().try_for_each(|argument| self.unused(argument).map(|_| ()))?;
            self.flow.fail(&format!("{name}()"), span);
            let result = self.prototypes.get(name).map_or(CType::Void, |p| p.result.clone());
            return Some(Value::new(number(0).at(span), result));
        }
        if let Some(f) = self.functions.get(name).copied() {
            if self.functions_at.get(name).is_some_and(|declared| *declared > call.span.start) {
                return self.error(span, format!("the function '{name}' is used before its declaration"));
            }
            let prototyped = self.prototyped_at.get(name).is_some_and(|at| *at < call.span.start)
                || self.lookup(&in_block(name)).is_some();
            return self.inlined((name, prototyped), f, &call.node.arguments, span);
        }
        if matches!(self.lookup(name), Some(Entity::Refused)) {
            return self.refused(name, span);
        }
        self.known_by_name(name, &call.node.arguments, span)
    }

    fn inlined(
        &mut self,
        (name, prototyped): (&str, bool),
        f: &'a FunctionDefinition,
        arguments: &[Node<Expression>],
        span: Span,
    ) -> Option<Value> {
        if !self.bodiless && self.calls.iter().any(|c| c.name == name) {
            return self.unsupported(
                span,
                format!("'{name}' is recursive; functions are inlined, so that is not supported"),
            );
        }
        if self.flow.size() > crate::diagnostic::limits::GRAPH {
            let most = crate::diagnostic::limits::GRAPH;
            return self.unsupported(
                Span::default(),
                format!("the program has more than {most} statements when functions are inlined"),
            );
        }
        if self.calls.len() >= NESTED {
            return self.unsupported(span, format!("calls nest deeper than {NESTED} levels here"));
        }
        let parameters = self.parameters(f)?;
        let open = |d: &Node<DerivedDeclarator>| match &d.node {
            DerivedDeclarator::Function(f) => f.node.ellipsis == Ellipsis::Some,
            derived => matches!(derived, DerivedDeclarator::KRFunction(_)),
        };
        if parameters.len() != arguments.len() && f.declarator.node.derived.iter().any(open) {
            return self
                .unsupported(span, format!("more arguments than '{name}' has parameters are not supported"));
        }
        if parameters.len() != arguments.len() {
            let message = format!("'{name}' expects {} arguments, not {}", parameters.len(), arguments.len());
            return self.error(span, message);
        }
        let mut values = Vec::new();
        for (i, argument) in arguments.iter().enumerate() {
            let mut value = self.used(argument)?;
            // A call in a later argument may change what this one reads.
            let calls = arguments[i + 1..].iter().any(|later| self.has_effects(later));
            if calls && !value.expr.variables().is_empty() {
                value = self.copied(value, span);
            }
            values.push(value);
        }
        if !prototyped {
            self.check_promoted(name, &values, span)?;
        }
        let ty = self.result_type(f)?;
        let result = (ty != CType::Void).then(|| (self.result(name, &ty, span), ty.clone()));
        self.inlined += 1;
        if self.inlined > INLINED {
            return self.unsupported(Span::default(), format!("more than {INLINED} calls are inlined"));
        }
        self.reached.insert(name.to_owned());
        let (used, guards) = (self.wants && result.is_some(), std::mem::take(&mut self.guards));
        if !self.bodiless {
            self.enter(name, result.clone(), &parameters, values, span);
            self.body(f);
            self.leave(span, used);
        }
        self.guards = guards;
        Some(match result {
            Some((v, ty)) => Value::new(Expr::var(v, ty.variable()).at(span), ty),
            None => Value::new(number(0).at(span), CType::Void),
        })
    }

    /// Where no prototype is in scope, arguments are promoted and must have the types of the parameters (C17, 6.5.2.2,
    /// paragraph 6).
    fn check_promoted(&mut self, name: &str, values: &[Value], span: Span) -> Option<()> {
        let parameters = self.prototypes.get(name).and_then(|p| p.parameters.as_deref()).unwrap_or_default();
        if values.iter().zip(parameters).all(|(value, (ty, _))| value.ty.promoted() == *ty) {
            return Some(());
        }
        let message =
            format!("'{name}' is called with an argument of another type before its parameters are declared");
        self.unsupported(span, message)
    }

    /// The variable for a result. An expression with two calls of a function needs two.
    fn result(&mut self, name: &str, ty: &CType, span: Span) -> VarId {
        let before = self.results.iter().filter(|n| *n == name).count();
        self.results.push(name.to_owned());
        let text =
            if before == 0 { format!("{name}_result") } else { format!("{name}_result_{}", before + 1) };
        let key = (text.clone(), usize::MAX);
        if let Some(v) = self.declared.get(&key) {
            return *v;
        }
        let v = self.variable(&text, false, ty, span);
        self.declared.insert(key, v);
        v
    }

    fn enter(
        &mut self,
        name: &str,
        result: Option<(VarId, CType)>,
        parameters: &[&'a Node<ParameterDeclaration>],
        values: Vec<Value>,
        span: Span,
    ) {
        let after = self.flow.fresh();
        // Only global names are visible inside.
        let scopes = self.scopes.split_off(1);
        let targets = std::mem::take(&mut self.targets);
        self.calls.push(Call {
            name: name.to_owned(),
            after,
            result,
            labels: HashMap::new(),
            missing: HashMap::new(),
            met: HashSet::new(),
            around: self.flow.enter(),
            scopes,
            targets,
        });
        self.scopes.push(HashMap::new());
        let mut assigned = Vec::new();
        for (i, p) in parameters.iter().enumerate() {
            let Some(declarator) = &p.node.declarator else { continue };
            if name == "main" && self.is_unused_pointer(declarator) {
                continue;
            }
            let Some((v, ty)) = self.parameter(p, declarator) else { continue };
            self.flow.begins(v, 1);
            match values.get(i) {
                Some(value) => assigned.push((v, value.converted(&ty))),
                // The arguments of `main` are arbitrary.
                None => {
                    self.unassigned.push(v);
                    self.given.push(v);
                }
            }
            if name == "main" && i == 0 && ty == INT {
                // C17, 5.1.2.2.1.
                let positive = Expr::compare(Binary::Ge, Expr::var(v, Type::Int), number(0));
                self.flow.step(Op::Assume(positive), span);
            }
        }
        if assigned.is_empty() {
            return;
        }
        let op = match <[_; 1]>::try_from(assigned) {
            Ok([(v, e)]) => Op::Assign(v, e),
            Err(all) => Op::Update(all),
        };
        self.flow.step(op, span);
    }

    /// A parameter like `char **argv` that nothing else in the program names.
    fn is_unused_pointer(&self, declarator: &Node<Declarator>) -> bool {
        let pointer = |d: &Node<DerivedDeclarator>| {
            matches!(d.node, DerivedDeclarator::Pointer(_) | DerivedDeclarator::Array(_))
        };
        let once = types::name(&declarator.node).is_some_and(|id| self.source.mentions(&id.node.name) == 1);
        once && declarator.node.derived.iter().any(pointer)
    }

    fn parameter(
        &mut self,
        p: &'a Node<ParameterDeclaration>,
        declarator: &'a Node<lang_c::ast::Declarator>,
    ) -> Option<(VarId, CType)> {
        self.check_attributes(&p.node.specifiers, declarator);
        if let Some(extension) = p.node.extensions.iter().find(|e| !super::prototype::is_passive(e)) {
            self.refuse(declarator);
            return self.unsupported_attribute(extension);
        }
        let base = self.base_type(&p.node.specifiers);
        let Some(ty) = base.and_then(|base| self.declared_type(base, declarator)) else {
            self.refuse(declarator);
            return None;
        };
        let id = types::name(&declarator.node)?;
        if matches!(ty, CType::Array(..)) {
            let span = self.source.span(declarator);
            self.refuse(declarator);
            return self.unsupported(span, "arrays as parameters (pointers) are not supported");
        }
        let v = self.declared(id, &ty);
        self.constant_if(v, &p.node.specifiers);
        self.declare_new(&id.node.name, Entity::Variable(v, ty.clone()), id.span.start);
        Some((v, ty))
    }

    /// The outermost block shares one scope with the parameters (C17, 6.2.1).
    fn body(&mut self, f: &'a FunctionDefinition) {
        match &f.statement.node {
            Statement::Compound(items) => self.items(items),
            _ => self.statement(&f.statement),
        }
        if self.calls.len() == 1 {
            self.last = self.flow.existing();
        }
    }

    /// The end of a function's body. Using the result of a function that reaches it without `return` is undefined.
    fn leave(&mut self, span: Span, used: bool) {
        if used && self.flow.at().is_some() {
            self.flow.promise(Expr::bool(false), None);
        }
        let call = self.calls.pop().expect("a call was entered");
        for (name, span) in &call.missing {
            self.error::<()>(*span, format!("there is no label '{name}'"));
        }
        self.flow.leave(call.around);
        self.flow.jump(call.after, span);
        self.flow.arrive(call.after);
        if self.noreturn.contains(&call.name) {
            // C17, 6.7.4, paragraph 8.
            self.flow.promise(Expr::bool(false), None);
        }
        self.scopes.truncate(1);
        self.scopes.extend(call.scopes);
        self.targets = call.targets;
    }

    /// The variable declared by a name here; inlined calls of a function share it.
    pub(super) fn declared(&mut self, id: &Node<lang_c::ast::Identifier>, ty: &CType) -> VarId {
        let span = self.source.span(id);
        let key = (id.node.name.clone(), id.span.start);
        if let Some(v) = self.declared.get(&key) {
            return *v;
        }
        let local = self.scopes.len() > 1 && self.calls.last().is_some_and(|c| c.name != "main");
        let text = match self.calls.last() {
            Some(call) if local => format!("{}_{}", call.name, id.node.name),
            _ => id.node.name.clone(),
        };
        let written = text == id.node.name;
        let v = self.variable(&text, written, ty, span);
        self.declared.insert(key, v);
        match self.called.entry((text, written)) {
            Entry::Occupied(others) => self.ambiguous.extend(others.get()),
            Entry::Vacant(new) => {
                new.insert((0..ty.cells()).map(|i| VarId::new(v.index() + i)).collect());
            }
        }
        v
    }

    /// A fresh variable for an intermediate value.
    pub(super) fn temporary(&mut self, what: &str, ty: &CType, span: Span) -> VarId {
        self.variable(what, false, ty, span)
    }

    /// A new variable, or the cells of an array. Names are made unique; a name that is not `written` like this in the
    /// text does not occur there at all, so that properties refer to the variables of the text.
    fn variable(&mut self, text: &str, written: bool, ty: &CType, span: Span) -> VarId {
        let first = VarId::new(self.variables.len());
        let named = |n: usize| if n == 1 { text.to_owned() } else { format!("{text}_{n}") };
        let mut n = 1;
        while !self.are_free(&named(n), &cells(&named(n), ty), written && n == 1) {
            // Numbers up to the last one used are taken, too.
            n = if n == 1 { self.numbers.get(text).copied().unwrap_or(1) } else { n } + 1;
        }
        if n > 1 {
            self.numbers.insert(text.to_owned(), n);
        }
        let names = cells(&named(n), ty);
        self.names.extend(names.iter().cloned());
        self.names.insert(named(n));
        let scalar = ty.scalar();
        let promised = (scalar.variable() == Type::Int).then(|| scalar.range());
        for name in names {
            self.variables.push(DraftVariable {
                name,
                ty: scalar.variable(),
                span,
                promised: promised.clone(),
            });
        }
        first
    }

    /// May variables have these names, which are derived from the first one?
    fn are_free(&self, base: &str, names: &[String], written: bool) -> bool {
        let free = |name: &str, written: bool| {
            let foreign = written || self.source.mentions(name) == 0;
            foreign && !self.names.contains(name) && !RESERVED.contains(&name)
        };
        free(base, written) && names.iter().all(|name| name == base || free(name, false))
    }

    pub(super) fn declare(&mut self, name: String, entity: Entity) {
        self.scopes.last_mut().expect("there is a scope").insert(name, entity);
    }

    /// Declares a name that is new in its scope; `at` is its offset in the parsed text.
    pub(super) fn declare_new(&mut self, name: &str, entity: Entity, at: usize) {
        let global = self.scopes.len() == 1;
        let known = self.scopes.last().and_then(|scope| scope.get(name));
        let again = match (known, &entity) {
            (Some(Entity::Variable(..)), Entity::Variable(..)) => !global,
            (Some(Entity::Type(ty, written)), Entity::Type(new, other)) => (ty, written) != (new, other),
            (Some(Entity::Refused), _) => false,
            (known, _) => known.is_some(),
        };
        let usual = global && self.global.get(name).is_some_and(|at| self.source.is_usual(*at));
        if again && !usual || global && self.prototypes.contains_key(name) {
            let span = self.source.place(at, at + name.len());
            self.error::<()>(span, format!("'{name}' is declared twice"));
        }
        if global && (usual || !self.global.contains_key(name)) {
            self.global.insert(name.to_owned(), at);
        }
        self.declare(name.to_owned(), entity);
    }

    /// Records a variable declared as a constant.
    pub(super) fn constant_if(&mut self, v: VarId, specifiers: &[Node<DeclarationSpecifier>]) {
        if self.written(specifiers).fixed {
            self.constants.insert(v);
        }
    }
}

/// The names of the cells of a variable.
fn cells(base: &str, ty: &CType) -> Vec<String> {
    if *ty == *ty.scalar() {
        return vec![base.to_owned()];
    }
    (0..ty.cells()).map(|i| format!("{base}_{i}")).collect()
}

/// Keywords of the expression language of certificates.
const RESERVED: [&str; 21] = [
    "and", "or", "not", "imply", "iff", "xor", "if", "then", "else", "mod", "rem", "true", "false", "forall",
    "exists", "default", "int", "bool", "rat", "bv", "ite",
];
