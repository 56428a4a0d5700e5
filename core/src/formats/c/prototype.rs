//! Declarations of functions and types, and their compatibility (C17, 6.2.7).

use std::collections::HashMap;

use lang_c::ast::{
    DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Ellipsis, Extension,
    FunctionDefinition, FunctionSpecifier, ParameterDeclaration, StorageClassSpecifier, TypeQualifier,
    TypeSpecifier,
};
use lang_c::span::Node;

use super::types::{self, CType, Words};
use super::{Entity, Program};

/// Attributes of functions that change the behaviour of a program.
const ACTIVE: [&str; 7] =
    ["constructor", "destructor", "alias", "ifunc", "weakref", "transparent_union", "vector_size"];

/// Attributes of variables and types that do not change the behaviour of a program.
const PASSIVE: [&str; 16] = [
    "unused",
    "used",
    "aligned",
    "deprecated",
    "section",
    "visibility",
    "packed",
    "may_alias",
    "nonstring",
    "common",
    "nocommon",
    "weak",
    "externally_visible",
    "tls_model",
    "no_sanitize",
    "maybe_unused",
];

/// A type as written: types with the same values may be distinct, as `int` and `long` are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Written {
    words: String,
    /// Is it `const`?
    pub(super) fixed: bool,
    /// Is it `volatile`?
    volatile: bool,
}

/// The type of a function, as far as it is supported: its result type and its parameter types.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Prototype {
    pub(super) result: CType,
    words: String,
    /// None if the parameters are not specified.
    pub(super) parameters: Option<Vec<(CType, String)>>,
    /// The number of parameters of a definition in the old style.
    names: Option<usize>,
    /// Is it variadic?
    open: bool,
    defined: bool,
    /// Has it internal linkage?
    internal: bool,
}

impl Prototype {
    /// Does it return a value?
    pub(super) fn returns(&self) -> bool {
        self.result != CType::Void
    }

    /// May it be called with this number of arguments?
    pub(super) fn accepts(&self, arguments: usize) -> bool {
        match &self.parameters {
            Some(all) if self.open => arguments >= all.len(),
            Some(all) => arguments == all.len(),
            None => true,
        }
    }

    /// Its result and its parameters in C syntax, after `static` if the function is, with the parameter names `a0`,
    /// `a1` and so on; none if they are not specified.
    pub(super) fn spelled(&self) -> (Option<String>, Option<String>) {
        let named = |(i, (ty, words)): (usize, &(CType, String))| format!("{} a{i}", ty.spelled(words));
        let parameters = self.parameters.as_ref().map(|all| {
            let mut all: Vec<String> = all.iter().enumerate().map(named).collect();
            all.extend(self.open.then(|| "...".to_owned()));
            if all.is_empty() { "void".to_owned() } else { all.join(", ") }
        });
        let internal = if self.internal { "static " } else { "" };
        (Some(format!("{internal}{}", self.result.spelled(&self.words))), parameters)
    }

    fn agrees_with(&self, other: &Prototype) -> bool {
        let same = match (&self.parameters, &other.parameters) {
            (Some(a), Some(b)) => (a, self.open) == (b, other.open),
            // Arguments for unspecified parameters are promoted.
            (Some(all), None) | (None, Some(all)) => {
                let counted = self.names.or(other.names).is_none_or(|names| names == all.len());
                counted && all.iter().all(|(ty, _)| *ty == ty.promoted())
            }
            (None, None) => true,
        };
        same && (&self.result, &self.words) == (&other.result, &other.words)
    }
}

impl<'a> Program<'a> {
    /// The type of a declaration as written.
    pub(super) fn written(&self, specifiers: &[Node<DeclarationSpecifier>]) -> Written {
        let (mut words, mut written) = (Words::default(), Written::default());
        for s in specifiers {
            match &s.node {
                DeclarationSpecifier::TypeQualifier(q) => {
                    written.fixed |= q.node == TypeQualifier::Const;
                    written.volatile |= q.node == TypeQualifier::Volatile;
                }
                DeclarationSpecifier::TypeSpecifier(t) => {
                    if let TypeSpecifier::TypedefName(id) = &t.node
                        && let Some(Entity::Type(_, named)) = self.lookup(&id.node.name)
                    {
                        written.fixed |= named.fixed;
                        written.volatile |= named.volatile;
                        written.words = named.words;
                    } else {
                        words.add(&t.node);
                    }
                }
                _ => {}
            }
        }
        if written.words.is_empty() {
            written.words = words.spelled();
        }
        written
    }

    /// Rejects specifiers that are invalid for a variable or type: several storage classes, those of blocks at file
    /// scope, and those for functions or pointers.
    pub(super) fn check_storage(&mut self, specifiers: &[Node<DeclarationSpecifier>], global: bool) {
        for s in specifiers {
            let refused = match &s.node {
                DeclarationSpecifier::StorageClass(c) if global => {
                    matches!(c.node, StorageClassSpecifier::Auto | StorageClassSpecifier::Register)
                }
                DeclarationSpecifier::Function(_) => true,
                DeclarationSpecifier::TypeQualifier(q) => q.node == TypeQualifier::Restrict,
                _ => false,
            };
            if refused {
                let span = self.source.span(s);
                self.error::<()>(span, "this cannot be part of a declaration here");
            }
        }
        let has = |class: StorageClassSpecifier| {
            specifiers
                .iter()
                .any(|s| matches!(&s.node, DeclarationSpecifier::StorageClass(c) if c.node == class))
        };
        if !global
            && has(StorageClassSpecifier::ThreadLocal)
            && !has(StorageClassSpecifier::Static)
            && !has(StorageClassSpecifier::Extern)
        {
            let span = specifiers.first().map_or_else(Default::default, |s| self.source.span(s));
            self.error::<()>(
                span,
                "a variable of a block is not '_Thread_local' unless it is 'static' or 'extern'",
            );
        }
        let mut classes = specifiers.iter().filter(|s| {
            matches!(&s.node, DeclarationSpecifier::StorageClass(c) if c.node != StorageClassSpecifier::ThreadLocal)
        });
        if let Some(second) = classes.nth(1) {
            let span = self.source.span(second);
            self.error::<()>(span, "a declaration has at most one storage class");
        }
    }

    /// Rejects storage classes that functions cannot have (C17, 6.7.1), and `inline` for `main`.
    fn check_function_storage(&mut self, specifiers: &[Node<DeclarationSpecifier>], main: bool) {
        let global = self.scopes.len() == 1;
        let refused = |s: &&Node<DeclarationSpecifier>| match &s.node {
            DeclarationSpecifier::StorageClass(c) => match c.node {
                StorageClassSpecifier::Extern => false,
                StorageClassSpecifier::Static => !global,
                _ => true,
            },
            DeclarationSpecifier::Function(f) => main && f.node == FunctionSpecifier::Inline,
            _ => false,
        };
        if let Some(s) = specifiers.iter().find(refused) {
            let span = self.source.span(s);
            self.error::<()>(span, "this cannot be part of the declaration of a function here");
        }
    }

    /// Rejects storage classes that parameters and the declaration in a `for` cannot have (C17, 6.7.6.3 and 6.8.5).
    pub(super) fn automatic_only(&mut self, specifiers: &[Node<DeclarationSpecifier>]) {
        let refused = |s: &&Node<DeclarationSpecifier>| {
            let DeclarationSpecifier::StorageClass(c) = &s.node else { return false };
            !matches!(c.node, StorageClassSpecifier::Auto | StorageClassSpecifier::Register)
        };
        if let Some(s) = specifiers.iter().find(refused) {
            let span = self.source.span(s);
            self.error::<()>(span, "this storage class is not allowed here");
        }
    }

    /// A function with its text.
    pub(super) fn definition(&mut self, f: &'a FunctionDefinition) {
        let Some(id) = types::name(&f.declarator.node) else { return };
        self.prototype(&f.specifiers, &f.declarator, true);
        self.functions.insert(id.node.name.clone(), f);
    }

    /// Compares a declaration of a function with earlier ones.
    pub(super) fn prototype(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
        defined: bool,
    ) {
        let span = self.source.span(declarator);
        let Some(id) = types::name(&declarator.node) else { return };
        let name = id.node.name.clone();
        self.check_attributes(specifiers, declarator);
        self.check_function_storage(specifiers, name == "main");
        for derived in &declarator.node.derived {
            if let DerivedDeclarator::Function(d) = &derived.node {
                d.node.parameters.iter().for_each(|p| self.automatic_only(&p.node.specifiers));
            }
        }
        match self.scopes[0].get(&name) {
            Some(Entity::Refused) => return,
            Some(_) if self.scopes.len() == 1 => {
                self.error::<()>(span, format!("'{name}' is declared twice"));
                return;
            }
            _ => {}
        }
        // Unsupported types are reported where the function is called.
        let reported = self.out.len();
        let prototype = self.signature(specifiers, declarator, defined);
        self.keep_errors(reported);
        let known = self.prototypes.get(&name).cloned();
        let first = self.functions_at.entry(name.clone()).or_insert(id.span.start);
        *first = id.span.start.min(*first);
        if prototype.as_ref().is_some_and(|p| p.parameters.is_some()) {
            if self.scopes.len() == 1 {
                self.prototyped_at.entry(name.clone()).or_insert(id.span.start);
            } else {
                self.declare(in_block(&name), Entity::Refused);
            }
        }
        if defined && (known.as_ref().is_some_and(|k| k.defined) || self.functions.contains_key(&name)) {
            self.error::<()>(span, format!("the function '{name}' is defined twice"));
        }
        if never_returns(specifiers, declarator) {
            self.noreturn.insert(name.clone());
        }
        let Some(prototype) = prototype else {
            self.unsupported.insert(name);
            return;
        };
        if prototype.parameters.iter().flatten().any(|(ty, _)| *ty == CType::Void) {
            self.error::<()>(span, format!("a parameter of '{name}' is of type void"));
        }
        if known.as_ref().is_some_and(|known| !known.agrees_with(&prototype)) {
            self.error::<()>(span, format!("the function '{name}' was declared with another type before"));
        }
        if prototype.internal && known.as_ref().is_some_and(|known| !known.internal) {
            self.error::<()>(span, format!("the function '{name}' was declared with another linkage before"));
        }
        let parameters = prototype.parameters.clone().or(known.as_ref().and_then(|k| k.parameters.clone()));
        let defined = defined || known.as_ref().is_some_and(|k| k.defined);
        let names = prototype.names.or(known.as_ref().and_then(|k| k.names));
        let internal = prototype.internal || known.is_some_and(|k| k.internal);
        self.prototypes.insert(name, Prototype { parameters, names, defined, internal, ..prototype });
    }

    fn signature(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
        defined: bool,
    ) -> Option<Prototype> {
        let (result, words) = (self.base_type(specifiers)?, self.written(specifiers).words);
        let [derived] = declarator.node.derived.as_slice() else {
            let pointer = |d: &Node<DerivedDeclarator>| matches!(d.node, DerivedDeclarator::Pointer(_));
            if !declarator.node.derived.iter().any(pointer) {
                let span = self.source.span(declarator);
                self.error::<()>(
                    span,
                    "functions cannot be elements or results, and arrays cannot be results",
                );
            }
            return None;
        };
        let (mut open, mut names) = (false, None);
        let parameters = match &derived.node {
            DerivedDeclarator::Function(d) => {
                open = d.node.ellipsis == Ellipsis::Some;
                // The scope of declarations among parameters ends there (C17, 6.2.1).
                self.scopes.push(HashMap::new());
                let types: Option<Vec<_>> =
                    d.node.parameters.iter().map(|p| self.parameter_type(&p.node)).collect();
                self.scopes.pop();
                let mut types = types?;
                if let [(CType::Void, _)] = types[..] {
                    types.clear();
                }
                Some(types)
            }
            DerivedDeclarator::KRFunction(all) => {
                names = defined.then_some(all.len());
                None
            }
            _ => None,
        };
        let internal = |s: &Node<DeclarationSpecifier>| matches!(&s.node, DeclarationSpecifier::StorageClass(c) if c.node == StorageClassSpecifier::Static);
        let internal = specifiers.iter().any(internal);
        Some(Prototype { result, words, parameters, names, open, defined, internal })
    }

    /// Rejects attributes that may change the meaning of a declaration.
    pub(super) fn check_attributes(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
    ) -> Option<()> {
        let function = types::is_function(&declarator.node);
        for extension in attributes(specifiers, &declarator.node) {
            let active = ACTIVE.contains(&attribute(extension));
            if active || !function && !is_passive(extension) {
                return self.unsupported_attribute(extension);
            }
        }
        Some(())
    }

    pub(super) fn unsupported_attribute<T>(&mut self, extension: &Node<Extension>) -> Option<T> {
        let span = self.source.span(extension);
        self.unsupported(span, format!("the attribute '{}' is not supported", attribute(extension)))
    }

    /// The type of a parameter in a prototype, also as written; its name is in scope for later parameters.
    fn parameter_type(&mut self, p: &ParameterDeclaration) -> Option<(CType, String)> {
        let base = self.base_type(&p.specifiers)?;
        let ty = match &p.declarator {
            Some(declarator) => self.declared_type(base, declarator)?,
            None => base,
        };
        if ty == CType::Void && (p.declarator.is_some() || p.specifiers.len() > 1) {
            let span = p.specifiers.first().map_or_else(Default::default, |s| self.source.span(s));
            return self.error(span, "a parameter is of type void");
        }
        // Types of later parameters may use it, which is not supported.
        if let Some(id) = p.declarator.as_ref().and_then(|d| types::name(&d.node)) {
            let name = id.node.name.clone();
            if self.scopes.last().is_some_and(|scope| scope.contains_key(&name)) {
                let span = self.source.span(id);
                return self.error(span, format!("'{name}' is declared twice"));
            }
            self.declare(name, Entity::Refused);
        }
        Some((ty, self.written(&p.specifiers).words))
    }
}

/// The key in a block's scope for a function whose parameters are declared there.
pub(super) fn in_block(name: &str) -> String {
    format!("{name}()")
}

/// The attributes of a declaration.
fn attributes<'d>(
    specifiers: &'d [Node<DeclarationSpecifier>],
    declarator: &'d Declarator,
) -> Vec<&'d Node<Extension>> {
    let specified = specifiers.iter().filter_map(|s| match &s.node {
        DeclarationSpecifier::Extension(all) => Some(all),
        _ => None,
    });
    let mut all: Vec<_> = specified.flatten().collect();
    let mut at = Some(declarator);
    while let Some(declarator) = at {
        all.extend(&declarator.extensions);
        at = match &declarator.kind.node {
            DeclaratorKind::Declarator(inner) => Some(&inner.node),
            _ => None,
        };
    }
    all
}

/// Is a function declared not to return, by C or by an attribute?
fn never_returns(specifiers: &[Node<DeclarationSpecifier>], declarator: &Node<Declarator>) -> bool {
    let noreturn = |s: &Node<DeclarationSpecifier>| matches!(&s.node, DeclarationSpecifier::Function(f) if f.node == FunctionSpecifier::Noreturn);
    let attributes = attributes(specifiers, &declarator.node);
    specifiers.iter().any(noreturn) || attributes.into_iter().any(|e| attribute(e) == "noreturn")
}

/// Does an attribute preserve the meaning of a variable or type?
pub(super) fn is_passive(extension: &Node<Extension>) -> bool {
    PASSIVE.contains(&attribute(extension))
}

/// The name of an attribute, without surrounding underscores.
fn attribute(extension: &Node<Extension>) -> &str {
    match &extension.node {
        Extension::Attribute(a) => a.name.node.trim_matches('_'),
        _ => "asm",
    }
}
