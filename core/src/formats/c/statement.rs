//! Statements and declarations.

use lang_c::ast::{
    ArraySize, BlockItem, Declaration, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator,
    Expression, ForInitializer, Initializer, Label, Statement, StorageClassSpecifier,
};
use lang_c::span::Node;
use std::collections::{HashMap, HashSet};

use super::expression::Place;
use super::prototype::Prototype;
use super::types::{self, CType, Value, number};
use super::{Entity, Program};
use crate::diagnostic::Span;
use crate::expr::{Binary, Expr, Kind, Type, VarId};
use crate::system::{LocationId, Op};

/// Where `break` and `continue` lead.
pub(super) struct Target {
    after: LocationId,
    again: Option<LocationId>,
    /// For a `switch`: its cases, and whether there is a default.
    cases: Option<Cases>,
}

#[derive(Default)]
struct Cases {
    constants: Vec<(Expr, LocationId, Span)>,
    default: Option<LocationId>,
}

/// The largest part of elements of a type, one after the other, that begins after so many cells.
fn part_at(element: &CType, cells: usize) -> &CType {
    match element {
        CType::Array(inner, _) if !cells.is_multiple_of(element.cells()) => part_at(inner, cells),
        _ => element,
    }
}

impl<'a> Program<'a> {
    /// Lowers a statement; mistakes are noted.
    pub(super) fn statement(&mut self, s: &'a Node<Statement>) {
        let span = self.source.span(s);
        match &s.node {
            Statement::Compound(items) => self.block(items),
            Statement::Expression(None) => {}
            Statement::Expression(Some(e)) => self.effect(e),
            Statement::If(i) => self.scoped(|p| p.conditional_statement(&i.node, span)),
            Statement::While(w) => {
                self.scoped(|p| p.while_loop(&w.node.expression, &w.node.statement, span));
            }
            Statement::DoWhile(d) => self.scoped(|p| p.do_loop(&d.node, span)),
            Statement::For(f) => self.scoped(|p| p.for_loop(&f.node, span)),
            Statement::Switch(sw) => self.scoped(|p| p.switch(&sw.node, span)),
            Statement::Labeled(l) => {
                self.label(&l.node.label, span);
                self.statement(&l.node.statement);
            }
            Statement::Goto(id) => {
                let call = self.calls.last_mut().expect("statements are in functions");
                if !call.labels.contains_key(&id.node.name) {
                    call.missing.insert(id.node.name.clone(), span);
                }
                let at = self.label_place(&id.node.name);
                self.flow.leap(Op::Skip, at, span);
                self.flow.go(None);
            }
            Statement::Break | Statement::Continue => self.leave_loop(s.node == Statement::Break, span),
            Statement::Return(value) => self.return_statement(value.as_deref(), span),
            Statement::Asm(_) => {
                self.unsupported::<()>(span, "assembler is not supported");
            }
        }
    }

    /// A statement that is a block of its own, whose parts are blocks, too (C17, 6.8.4 and 6.8.5).
    fn scoped(&mut self, lower: impl FnOnce(&mut Self)) {
        self.scopes.push(HashMap::new());
        lower(self);
        self.scopes.pop();
    }

    fn part(&mut self, s: &'a Node<Statement>) {
        self.scoped(|p| p.statement(s));
    }

    fn block(&mut self, items: &'a [Node<BlockItem>]) {
        self.scopes.push(HashMap::new());
        let existing = self.flow.existing();
        self.items(items);
        self.flow.restore(existing);
        self.scopes.pop();
    }

    /// What stands in a block.
    pub(super) fn items(&mut self, items: &'a [Node<BlockItem>]) {
        for item in items {
            match &item.node {
                BlockItem::Declaration(d) => self.declaration(d, false),
                BlockItem::Statement(s) => self.statement(s),
                BlockItem::StaticAssert(a) => self.static_assertion(a),
            }
        }
    }

    /// An expression for its effects alone.
    fn effect(&mut self, e: &'a Node<Expression>) {
        let results = self.results.len();
        let wants = std::mem::replace(&mut self.wants, false);
        self.rvalue(e);
        self.wants = wants;
        self.results.truncate(results);
    }

    /// The value of a whole expression.
    pub(super) fn used(&mut self, e: &Node<Expression>) -> Option<Value> {
        let span = self.source.span(e);
        let wants = std::mem::replace(&mut self.wants, true);
        let value = self.rvalue(e);
        self.wants = wants;
        match value? {
            Value { ty: CType::Void, .. } => self.error(span, "this has no value"),
            value => Some(value),
        }
    }

    /// Both ways of a whole condition; both nowhere if something is wrong with it.
    fn decide(&mut self, e: &Node<Expression>) -> (Option<LocationId>, Option<LocationId>) {
        let results = self.results.len();
        let ways = self.branch(e).unwrap_or_default();
        self.results.truncate(results);
        ways
    }

    pub(super) fn declaration(&mut self, d: &'a Node<Declaration>, global: bool) {
        let span = self.source.span(d);
        let storage = |wanted: StorageClassSpecifier| {
            let is = |s: &DeclarationSpecifier| matches!(s, DeclarationSpecifier::StorageClass(c) if c.node == wanted);
            d.node.specifiers.iter().any(|s| is(&s.node))
        };
        let (typedef, fixed) =
            (storage(StorageClassSpecifier::Typedef), storage(StorageClassSpecifier::Static));
        if !typedef && self.declares_functions(d) {
            return;
        }
        self.check_storage(&d.node.specifiers, global);
        let Some(base) = self.base_type(&d.node.specifiers) else {
            return d.node.declarators.iter().for_each(|item| self.refuse(&item.node.declarator));
        };
        for item in &d.node.declarators {
            let declarator = &item.node.declarator;
            if !typedef && types::is_function(&declarator.node) {
                continue;
            }
            let reported = self.out.len();
            if self.check_attributes(&d.node.specifiers, declarator).is_none() {
                if typedef {
                    // A name that is not declared is refused where it is used.
                    self.out.truncate(reported);
                } else {
                    self.refuse(declarator);
                }
                continue;
            }
            let ty = self.sized_type(base.clone(), declarator, item.node.initializer.as_ref());
            let (Some(ty), Some(id)) = (ty, types::name(&declarator.node)) else {
                self.refuse(declarator);
                continue;
            };
            let name = id.node.name.clone();
            if typedef {
                let written = self.written(&d.node.specifiers);
                self.declare_new(&name, Entity::Type(ty, written), id.span.start);
                continue;
            }
            if ty == CType::Void {
                self.refuse(declarator);
                self.error::<()>(span, format!("the variable '{name}' has no type"));
                continue;
            }
            if storage(StorageClassSpecifier::Extern) && !global {
                self.declare_global(name, &ty, item.node.initializer.is_some(), span);
                continue;
            }
            let known = if global { self.lookup(&name) } else { None };
            let external = storage(StorageClassSpecifier::Extern);
            let v = match known {
                Some(Entity::Variable(v, known)) => {
                    if known != ty {
                        self.error::<()>(span, format!("'{name}' was declared with another type before"));
                    }
                    v
                }
                _ => self.declared(id, &ty),
            };
            if global {
                self.agrees(v, d, &name, (fixed, external));
            }
            self.constant_if(v, &d.node.specifiers);
            self.declare_new(&name, Entity::Variable(v, ty.clone()), id.span.start);
            self.begins((v, &name, &ty), (global, fixed, external), item.node.initializer.as_ref(), span);
        }
    }

    /// A declared variable begins to exist, and has its first value.
    fn begins(
        &mut self,
        (v, name, ty): (VarId, &str, &CType),
        (global, fixed, external): (bool, bool, bool),
        initializer: Option<&'a Node<Initializer>>,
        span: Span,
    ) {
        if fixed && !global {
            self.flow.always(v, ty.cells());
        } else {
            self.flow.begins(v, ty.cells());
        }
        let cells = (0..ty.cells()).map(|i| VarId::new(v.index() + i));
        match initializer {
            None if external => self.external.extend(cells),
            _ if global || fixed => {
                if global && initializer.is_some() && !self.initialized.insert(v) {
                    self.error::<()>(span, format!("'{name}' is defined twice"));
                }
                self.defined.extend(cells);
                self.initialize_once(v, ty, initializer);
            }
            _ => self.initialize(v, ty, initializer, span),
        }
    }

    /// Remembers that a declaration was refused.
    pub(super) fn refuse(&mut self, declarator: &Node<Declarator>) {
        let Some(id) = types::name(&declarator.node) else { return };
        if self.scopes.last().is_some_and(|scope| !scope.contains_key(&id.node.name)) {
            self.declare(id.node.name.clone(), Entity::Refused);
        }
    }

    /// Compares a declaration of a global variable with the first one.
    fn agrees(&mut self, v: VarId, d: &Node<Declaration>, name: &str, (internal, external): (bool, bool)) {
        let written = self.written(&d.node.specifiers);
        let Some((first, first_internal)) = self.written.get(&v) else {
            self.written.insert(v, (written, internal));
            return;
        };
        let message = if *first != written {
            "with another type"
        } else if internal && !first_internal || *first_internal && !internal && !external {
            "with another linkage"
        } else {
            return;
        };
        let span = self.source.span(d);
        self.error::<()>(span, format!("'{name}' was declared {message} before"));
    }

    /// The type of a declaration; an initializer may give the size of an array.
    fn sized_type(
        &mut self,
        base: CType,
        declarator: &Node<Declarator>,
        initializer: Option<&Node<Initializer>>,
    ) -> Option<CType> {
        let open = |d: &Node<DerivedDeclarator>| matches!(&d.node, DerivedDeclarator::Array(a) if a.node.size == ArraySize::Unknown);
        let ([derived], Some(Initializer::List(all))) =
            (declarator.node.derived.as_slice(), initializer.map(|i| &i.node))
        else {
            return self.declared_type(base, declarator);
        };
        let plain = !all.is_empty() && matches!(declarator.node.kind.node, DeclaratorKind::Identifier(_));
        if !open(derived) || !plain || matches!(base, CType::Array(..) | CType::Void) {
            return self.declared_type(base, declarator);
        }
        if all.len() > types::MOST_CELLS {
            let span = self.source.span(declarator);
            let message = format!("arrays with more than {} elements are not supported", types::MOST_CELLS);
            return self.unsupported(span, message);
        }
        Some(CType::Array(Box::new(base), all.len()))
    }

    /// `extern` inside of a function.
    fn declare_global(&mut self, name: String, ty: &CType, has_value: bool, span: Span) {
        if has_value {
            self.error::<()>(span, format!("'{name}' is declared 'extern' here, and has a value"));
        }
        match self.scopes[0].get(&name).cloned() {
            Some(Entity::Variable(_, known)) if known != *ty => {
                self.error::<()>(span, format!("'{name}' was declared with another type before"));
            }
            Some(entity) => self.declare(name, entity),
            None => {
                self.unsupported::<()>(
                    span,
                    format!("the variable '{name}' has no definition in the program"),
                );
                self.declare(name, Entity::Refused);
            }
        }
    }

    /// A declared function is only a promise. Are only functions declared?
    fn declares_functions(&mut self, d: &'a Node<Declaration>) -> bool {
        let all = &d.node.declarators;
        let functions = all.iter().filter(|i| types::is_function(&i.node.declarator.node));
        let functions: Vec<_> = functions.collect();
        for item in &functions {
            self.prototype(&d.node.specifiers, &item.node.declarator, false);
        }
        !functions.is_empty() && functions.len() == all.len()
    }

    /// The value of a variable that exists from the start.
    fn initialize_once(&mut self, v: VarId, ty: &CType, initializer: Option<&'a Node<Initializer>>) {
        let scalar = ty.scalar();
        let zero = Value::new(number(0), types::INT).converted(scalar);
        let mut values = vec![zero; ty.cells()];
        if let Some(initializer) = initializer {
            if let (Initializer::Expression(_), CType::Array(..)) = (&initializer.node, ty) {
                return self.no_list(initializer);
            }
            let mut all = Vec::new();
            self.listed(initializer, ty, &mut all);
            for (cell, e) in values.iter_mut().zip(all) {
                let Some(e) = e else { continue };
                let Some(q) = self.constant(e) else { return };
                *cell = Value::new(Expr::num(q, Type::Int), types::WIDE).converted(scalar);
            }
        }
        for (i, value) in values.into_iter().enumerate() {
            let cell = VarId::new(v.index() + i);
            if initializer.is_some() {
                self.initial.insert(cell, value);
            } else {
                self.initial.entry(cell).or_insert(value);
            }
        }
    }

    /// The expressions of an initializer, one for each cell; none where nothing is said.
    fn listed(&mut self, i: &'a Node<Initializer>, ty: &CType, out: &mut Vec<Option<&'a Node<Expression>>>) {
        let all = match &i.node {
            Initializer::List(all) => all,
            Initializer::Expression(e) => return out.push(Some(e)),
        };
        let element = if let CType::Array(element, _) = ty { element } else { ty };
        let start = out.len();
        for item in all {
            if let Some(d) = item.node.designation.first() {
                let span = self.source.span(d);
                self.unsupported::<()>(span, "designators are not supported");
            }
            let inner = match item.node.initializer.node {
                // Brackets belong to the largest part that begins here.
                Initializer::List(_) => part_at(element, out.len() - start),
                Initializer::Expression(_) => element,
            };
            self.listed(&item.node.initializer, inner, out);
        }
        if out.len() > start + ty.cells() {
            let span = self.source.span(i);
            self.error::<()>(span, "there are more values than elements");
        }
        out.resize(start + ty.cells(), None);
    }

    /// An array without a list of values.
    fn no_list(&mut self, i: &Node<Initializer>) {
        let span = self.source.span(i);
        match &i.node {
            Initializer::Expression(e) if matches!(e.node, Expression::StringLiteral(_)) => {
                self.unsupported::<()>(span, "texts are not supported");
            }
            _ => _ = self.error::<()>(span, "the values of an array are a list in braces"),
        }
    }

    fn initialize(&mut self, v: VarId, ty: &CType, initializer: Option<&'a Node<Initializer>>, span: Span) {
        let results = self.results.len();
        match initializer {
            // At the start a variable has any value anyway.
            None if self.calls.len() == 1 && self.targets.is_empty() && self.source.mentions("goto") == 0 => {
                self.unassigned.extend((0..ty.cells()).map(|i| VarId::new(v.index() + i)));
            }
            None => {
                let scalar = ty.scalar().clone();
                for i in 0..ty.cells() {
                    self.any(VarId::new(v.index() + i), &scalar, span);
                    self.flow.gives_no_value();
                }
            }
            Some(i) => match (&i.node, ty) {
                (Initializer::Expression(_), CType::Array(..)) => self.no_list(i),
                (Initializer::Expression(e), _) => {
                    let place = Place::of(v, ty.clone());
                    self.assign_to(&place, e, span);
                }
                (Initializer::List(_), _) => {
                    let scalar = ty.scalar();
                    let mut all = Vec::new();
                    self.listed(i, ty, &mut all);
                    for k in 0..ty.cells() {
                        let place = Place::of(VarId::new(v.index() + k), scalar.clone());
                        match all.get(k).copied().flatten() {
                            Some(e) => {
                                self.assign_to(&place, e, span);
                            }
                            None => self.write(&place, Some(&Value::new(number(0), types::INT)), span),
                        }
                    }
                }
            },
        }
        self.results.truncate(results);
    }

    fn conditional_statement(&mut self, i: &'a lang_c::ast::IfStatement, span: Span) {
        let (yes, no) = self.decide(&i.condition);
        let existing = self.flow.existing();
        self.flow.go(yes);
        self.part(&i.then_statement);
        self.flow.restore(existing);
        let after = self.flow.fresh();
        self.flow.jump(after, span);
        self.flow.go(no);
        if let Some(other) = &i.else_statement {
            self.part(other);
        }
        self.flow.restore(existing);
        self.flow.jump(after, span);
        self.arrive(after);
    }

    /// Control is at a place if something leads there.
    fn arrive(&mut self, at: LocationId) {
        let reached = self.flow.leads_to(at);
        self.flow.go(reached.then_some(at));
    }

    fn while_loop(&mut self, condition: &'a Node<Expression>, body: &'a Node<Statement>, span: Span) {
        let head = self.flow.fresh();
        self.flow.join(head, span);
        self.flow.mark(span);
        let after = self.flow.fresh();
        let (yes, no) = self.decide(condition);
        self.flow.go(no);
        self.flow.jump(after, span);
        self.flow.go(yes);
        self.inside_loop(after, Some(head), body);
        self.flow.jump(head, span);
        self.arrive(after);
    }

    fn inside_loop(&mut self, after: LocationId, again: Option<LocationId>, body: &'a Node<Statement>) {
        self.targets.push(Target { after, again, cases: None });
        self.part(body);
        self.targets.pop();
    }

    fn do_loop(&mut self, d: &'a lang_c::ast::DoWhileStatement, span: Span) {
        let (head, again, after) = (self.flow.fresh(), self.flow.fresh(), self.flow.fresh());
        self.flow.join(head, span);
        self.inside_loop(after, Some(again), &d.statement);
        self.flow.jump(again, span);
        self.arrive(again);
        let (yes, no) = self.decide(&d.expression);
        self.flow.go(yes);
        self.flow.jump(head, span);
        self.flow.go(no);
        self.flow.jump(after, span);
        self.arrive(after);
    }

    fn for_loop(&mut self, f: &'a lang_c::ast::ForStatement, span: Span) {
        let (existing, after) = (self.flow.existing(), self.flow.fresh());
        match &f.initializer.node {
            ForInitializer::Empty => {}
            ForInitializer::StaticAssert(a) => self.static_assertion(a),
            ForInitializer::Expression(e) => self.effect(e),
            ForInitializer::Declaration(d) => {
                self.automatic_only(&d.node.specifiers);
                self.declaration(d, false);
            }
        }
        let (head, step) = (self.flow.fresh(), self.flow.fresh());
        self.flow.join(head, span);
        self.flow.mark(span);
        if let Some(condition) = &f.condition {
            let (yes, no) = self.decide(condition);
            self.flow.go(no);
            self.flow.jump(after, span);
            self.flow.go(yes);
        }
        self.inside_loop(after, Some(step), &f.statement);
        self.flow.jump(step, span);
        self.arrive(step);
        if let Some(e) = &f.step {
            self.effect(e);
        }
        self.flow.jump(head, span);
        self.flow.restore(existing);
        self.arrive(after);
    }

    fn switch(&mut self, s: &'a lang_c::ast::SwitchStatement, span: Span) {
        let results = self.results.len();
        let Some(value) = self.used(&s.expression) else { return };
        self.results.truncate(results);
        let ty = value.ty.promoted();
        let value = value.converted(&ty);
        let here = self.flow.at();
        let after = self.flow.fresh();
        self.targets.push(Target { after, again: None, cases: Some(Cases::default()) });
        self.flow.go(None);
        self.part(&s.statement);
        self.flow.jump(after, span);
        let cases = self.targets.pop().and_then(|t| t.cases).unwrap_or_default();
        self.flow.go(here);
        self.flow.mark(span);
        let (mut others, mut met) = (Vec::new(), HashSet::new());
        for (constant, at, place) in cases.constants {
            let constant = Value::new(constant, types::WIDE).converted(&ty);
            if let Kind::Num(q) = &constant.kind
                && !met.insert(q.to_string())
            {
                self.error::<()>(place, format!("this 'switch' has {q} as a case twice"));
            }
            self.flow.leap(Op::Assume(Expr::compare(Binary::Eq, value.clone(), constant.clone())), at, span);
            others.push(Expr::compare(Binary::Ne, value.clone(), constant));
        }
        self.flow.leap(Op::Assume(Expr::and(others)), cases.default.unwrap_or(after), span);
        self.arrive(after);
    }

    fn label(&mut self, label: &'a Node<Label>, span: Span) {
        match &label.node {
            Label::Identifier(id) => {
                let at = self.label_place(&id.node.name);
                let call = self.calls.last_mut().expect("statements are in functions");
                call.missing.remove(&id.node.name);
                if !call.met.insert(id.node.name.clone()) {
                    self.error::<()>(span, format!("the label '{}' is defined twice", id.node.name));
                }
                self.flow.belongs_here(at);
                self.flow.join(at, span);
            }
            Label::Case(e) => {
                let Some(constant) = self.constant(e) else { return };
                let at = self.flow.fresh();
                self.flow.join(at, span);
                let constant = Expr::num(constant, Type::Int);
                let in_switch = self.targets.iter_mut().rev().find_map(|t| t.cases.as_mut());
                match in_switch {
                    Some(cases) => cases.constants.push((constant, at, span)),
                    None => {
                        self.error::<()>(span, "'case' outside of a 'switch'");
                    }
                }
            }
            Label::Default => {
                let at = self.flow.fresh();
                self.flow.join(at, span);
                match self.targets.iter_mut().rev().find_map(|t| t.cases.as_mut()) {
                    Some(cases) => {
                        if cases.default.replace(at).is_some() {
                            self.error::<()>(span, "this 'switch' has a second 'default'");
                        }
                    }
                    None => {
                        self.error::<()>(span, "'default' outside of a 'switch'");
                    }
                }
            }
            Label::CaseRange(_) => {
                self.unsupported::<()>(span, "ranges of cases are not supported");
            }
        }
    }

    fn label_place(&mut self, name: &str) -> LocationId {
        let call = self.calls.last_mut().expect("statements are in functions");
        *call.labels.entry(name.to_owned()).or_insert_with(|| self.flow.fresh())
    }

    fn leave_loop(&mut self, breaks: bool, span: Span) {
        let target = self.targets.iter().rev().find_map(|t| if breaks { Some(t.after) } else { t.again });
        self.flow.mark(span);
        match target {
            Some(at) => self.flow.jump(at, span),
            None => {
                let word = if breaks { "break" } else { "continue" };
                self.error::<()>(span, format!("'{word}' outside of a loop"));
            }
        }
    }

    fn return_statement(&mut self, value: Option<&'a Node<Expression>>, span: Span) {
        let call = self.calls.last().expect("statements are in functions");
        let (after, result, name) = (call.after, call.result.clone(), call.name.clone());
        self.flow.mark(span);
        match (value, result) {
            (Some(e), Some((v, ty))) => {
                self.assign_to(&Place::of(v, ty), e, span);
            }
            // The result of `main` is not used.
            (Some(e), None) if name == "main" => self.effect(e),
            (Some(e), None) => {
                let results = self.results.len();
                if self.rvalue(e).is_some_and(|value| value.ty != CType::Void) {
                    self.error::<()>(span, format!("'{name}' returns no value"));
                }
                self.results.truncate(results);
            }
            (None, Some(_)) => {
                self.error::<()>(span, format!("'{name}' returns a value, which is missing here"));
            }
            (None, None) if name == "main" && self.prototypes.get("main").is_some_and(Prototype::returns) => {
                self.error::<()>(span, "'main' returns a value, which is missing here");
            }
            (None, None) => {}
        }
        self.flow.jump(after, span);
    }
}
