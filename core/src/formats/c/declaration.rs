//! Declarations of variables and types, and initializers.

use lang_c::ast::{
    ArraySize, Declaration, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Expression,
    Initializer, StorageClassSpecifier, TypeSpecifier,
};
use lang_c::span::Node;

use super::expression::Place;
use super::types::{self, CType, Value, number};
use super::{Entity, Program};
use crate::diagnostic::Span;
use crate::expr::{Expr, Type, VarId};

/// The largest subobject of an array that begins at this cell.
fn part_at(element: &CType, cells: usize) -> &CType {
    match element {
        CType::Array(inner, _) if !cells.is_multiple_of(element.cells()) => part_at(inner, cells),
        _ => element,
    }
}

impl<'a> Program<'a> {
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
                self.refuse(declarator);
                if typedef {
                    // It is rejected where it is used.
                    self.out.truncate(reported);
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
                self.declare_global(name, d, &ty, item.node.initializer.is_some());
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

    /// The lifetime of a declared variable begins, with its initial value.
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
            _ => {
                // An initializer that reads the variable itself reads its uninitialised value (C17, 6.2.4, paragraph
                // 6).
                if initializer.is_some_and(|i| self.source.contains(i, name)) {
                    self.uninitialized(v, ty, span);
                }
                self.initialize(v, ty, initializer, span);
            }
        }
    }

    /// Records a rejected declaration.
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

    /// The type of a declaration; an initializer may determine the size of an array.
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
    fn declare_global(&mut self, name: String, d: &Node<Declaration>, ty: &CType, has_value: bool) {
        let span = self.source.span(d);
        if has_value {
            self.error::<()>(span, format!("'{name}' is declared 'extern' and has an initial value here"));
        }
        match self.scopes[0].get(&name).cloned() {
            Some(Entity::Variable(_, known)) if known != *ty => {
                self.error::<()>(span, format!("'{name}' was declared with another type before"));
            }
            Some(entity @ Entity::Variable(v, _)) => {
                self.agrees(v, d, &name, (false, true));
                self.declare(name, entity);
            }
            _ => {
                self.unsupported::<()>(
                    span,
                    format!("the variable '{name}' has no definition in the program"),
                );
                self.declare(name, Entity::Refused);
            }
        }
    }

    /// Are only functions declared? Such a declaration has no effect.
    fn declares_functions(&mut self, d: &'a Node<Declaration>) -> bool {
        let all = &d.node.declarators;
        let functions = all.iter().filter(|i| types::is_function(&i.node.declarator.node));
        let functions: Vec<_> = functions.collect();
        for item in &functions {
            if let Some(initializer) = &item.node.initializer {
                let span = self.source.span(initializer);
                self.error::<()>(span, "a function has no initial value");
            }
            self.prototype(&d.node.specifiers, &item.node.declarator, false);
        }
        !functions.is_empty() && functions.len() == all.len()
    }

    /// Rejects declarations that are not allowed in a `for`: functions, and enumeration constants (C17, 6.8.5).
    pub(super) fn only_variables(&mut self, d: &Node<Declaration>) {
        let function = d.node.declarators.iter().any(|item| types::is_function(&item.node.declarator.node));
        let constants = |s: &Node<DeclarationSpecifier>| matches!(&s.node, DeclarationSpecifier::TypeSpecifier(t) if matches!(&t.node, TypeSpecifier::Enum(e) if !e.node.enumerators.is_empty()));
        if function || d.node.specifiers.iter().any(constants) {
            let span = self.source.span(d);
            self.error::<()>(span, "only variables can be declared here");
        }
    }

    /// The initial value of a variable with static storage duration.
    fn initialize_once(&mut self, v: VarId, ty: &CType, initializer: Option<&'a Node<Initializer>>) {
        let scalar = ty.scalar();
        let zero = Value::new(number(0), types::INT).converted(scalar);
        let mut values = vec![zero; ty.cells()];
        if let Some(initializer) = initializer {
            if let (Initializer::Expression(_), CType::Array(..)) = (&initializer.node, ty) {
                return self.no_list(initializer);
            }
            if matches!(&initializer.node, Initializer::List(all) if all.is_empty())
                && !matches!(ty, CType::Array(..))
            {
                return self.no_value(initializer);
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

    /// The expressions of an initializer, one for each cell; none for cells without one.
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
                // Braces belong to the largest subobject that begins here.
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

    /// A scalar variable with an empty initializer list.
    fn no_value(&mut self, i: &Node<Initializer>) {
        let span = self.source.span(i);
        self.error::<()>(span, "a value is missing here");
    }

    /// An array without an initializer list.
    fn no_list(&mut self, i: &Node<Initializer>) {
        let span = self.source.span(i);
        match &i.node {
            Initializer::Expression(e) if matches!(e.node, Expression::StringLiteral(_)) => {
                self.unsupported::<()>(span, "string literals are not supported");
            }
            _ => _ = self.error::<()>(span, "the values of an array are a list in braces"),
        }
    }

    fn uninitialized(&mut self, v: VarId, ty: &CType, span: Span) {
        let scalar = ty.scalar().clone();
        for i in 0..ty.cells() {
            let cell = VarId::new(v.index() + i);
            self.any(cell, &scalar, span);
            self.flow.gives_no_value(cell);
        }
    }

    fn initialize(&mut self, v: VarId, ty: &CType, initializer: Option<&'a Node<Initializer>>, span: Span) {
        let results = self.results.len();
        match initializer {
            // At the start a variable has any value anyway.
            None if self.calls.len() == 1 && self.targets.is_empty() && self.source.mentions("goto") == 0 => {
                self.unassigned.extend((0..ty.cells()).map(|i| VarId::new(v.index() + i)));
            }
            None => self.uninitialized(v, ty, span),
            Some(i) => match (&i.node, ty) {
                (Initializer::List(all), ty) if all.is_empty() && !matches!(ty, CType::Array(..)) => {
                    self.no_value(i)
                }
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
}
