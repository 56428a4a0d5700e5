//! What declarations say about functions and types, and whether they agree (C17, 6.2.7).

use lang_c::ast::{
    DeclarationSpecifier, Declarator, DerivedDeclarator, Ellipsis, FunctionDefinition, StorageClassSpecifier,
    TypeQualifier, TypeSpecifier,
};
use lang_c::span::Node;

use super::types::{self, CType, Words};
use super::{Entity, Program};

/// How a type is written: types with the same values may be different ones, as `int` and `long` are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Written {
    words: String,
    /// Is it `const`?
    pub(super) fixed: bool,
}

/// The type of a function, as far as it is supported: that of its result, and those of its parameters.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Prototype {
    pub(super) result: CType,
    words: String,
    /// None if nothing is said about them.
    pub(super) parameters: Option<Vec<(CType, String)>>,
    /// May there be more arguments?
    open: bool,
    defined: bool,
}

impl Prototype {
    /// Has it a result?
    pub(super) fn returns(&self) -> bool {
        self.result != CType::Void
    }

    fn agrees_with(&self, other: &Prototype) -> bool {
        let same = match (&self.parameters, &other.parameters) {
            (Some(a), Some(b)) => (a, self.open) == (b, other.open),
            // Arguments for parameters of which nothing is said are promoted.
            (Some(all), None) | (None, Some(all)) => all.iter().all(|(ty, _)| *ty == ty.promoted()),
            (None, None) => true,
        };
        same && (&self.result, &self.words) == (&other.result, &other.words)
    }
}

impl<'a> Program<'a> {
    /// How the type of a declaration is written.
    pub(super) fn written(&self, specifiers: &[Node<DeclarationSpecifier>]) -> Written {
        let (mut words, mut written) = (Words::default(), Written::default());
        for s in specifiers {
            match &s.node {
                DeclarationSpecifier::TypeQualifier(q) => written.fixed |= q.node == TypeQualifier::Const,
                DeclarationSpecifier::TypeSpecifier(t) => {
                    if let TypeSpecifier::TypedefName(id) = &t.node
                        && let Some(Entity::Type(_, named)) = self.lookup(&id.node.name)
                    {
                        written.fixed |= named.fixed;
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

    /// Refuses several classes of storage in one declaration.
    pub(super) fn check_storage(&mut self, specifiers: &[Node<DeclarationSpecifier>]) {
        let mut classes = specifiers.iter().filter(|s| {
            matches!(&s.node, DeclarationSpecifier::StorageClass(c) if c.node != StorageClassSpecifier::ThreadLocal)
        });
        if let Some(second) = classes.nth(1) {
            let span = self.source.span(second);
            self.error::<()>(span, "a declaration has one class of storage");
        }
    }

    /// A function with its text.
    pub(super) fn definition(&mut self, f: &'a FunctionDefinition) {
        let Some(id) = types::name(&f.declarator.node) else { return };
        self.prototype(&f.specifiers, &f.declarator, true);
        self.functions.insert(id.node.name.clone(), f);
    }

    /// Compares what is said about a function with what was said before.
    pub(super) fn prototype(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
        defined: bool,
    ) {
        let span = self.source.span(declarator);
        let Some(id) = types::name(&declarator.node) else { return };
        let name = id.node.name.clone();
        match self.scopes[0].get(&name) {
            Some(Entity::Refused) => return,
            Some(_) if self.scopes.len() == 1 => {
                self.error::<()>(span, format!("'{name}' is declared twice"));
                return;
            }
            _ => {}
        }
        // Types that are not supported are reported where the function is called.
        let reported = self.out.len();
        let prototype = self.signature(specifiers, declarator, defined);
        self.out.truncate(reported);
        let known = self.prototypes.get(&name).cloned();
        self.functions_at.entry(name.clone()).or_insert(id.span.start);
        if defined && (known.as_ref().is_some_and(|k| k.defined) || self.functions.contains_key(&name)) {
            self.error::<()>(span, format!("the function '{name}' is defined twice"));
        }
        let Some(prototype) = prototype else { return };
        if prototype.parameters.iter().flatten().any(|(ty, _)| *ty == CType::Void) {
            self.error::<()>(span, format!("a parameter of '{name}' is of type void"));
        }
        if known.as_ref().is_some_and(|known| !known.agrees_with(&prototype)) {
            self.error::<()>(span, format!("the function '{name}' was declared with another type before"));
        }
        let parameters = prototype.parameters.clone().or(known.as_ref().and_then(|k| k.parameters.clone()));
        let defined = defined || known.is_some_and(|k| k.defined);
        self.prototypes.insert(name, Prototype { parameters, defined, ..prototype });
    }

    fn signature(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
        defined: bool,
    ) -> Option<Prototype> {
        let (result, words) = (self.base_type(specifiers)?, self.written(specifiers).words);
        let [derived] = declarator.node.derived.as_slice() else { return None };
        let mut open = false;
        let parameters = match &derived.node {
            DerivedDeclarator::Function(d) => {
                open = d.node.ellipsis == Ellipsis::Some;
                let mut types = Vec::new();
                for p in &d.node.parameters {
                    let base = self.base_type(&p.node.specifiers)?;
                    let ty = match &p.node.declarator {
                        Some(declarator) => self.declared_type(base, declarator)?,
                        None => base,
                    };
                    types.push((ty, self.written(&p.node.specifiers).words));
                }
                if let [(CType::Void, _)] = types[..] {
                    types.clear();
                }
                Some(types)
            }
            _ => None,
        };
        Some(Prototype { result, words, parameters, open, defined })
    }
}
