//! Types of C and conversions between their values.

pub use crate::data_model::DataModel;
use std::fmt;
use std::sync::Arc;

use lang_c::ast::{
    ArraySize, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Identifier,
    SpecifierQualifier, TypeName, TypeSpecifier,
};
use lang_c::span::Node;
use solver_lite::number::Q;

use super::prototype::{Written, is_passive};
use super::{Entity, Program};
use crate::diagnostic::Span;
use crate::expr::{Binary, Expr, Kind, Nary, Sign, Type, Unary, VarId, power_of_two};
use crate::system::Op;

/// The limit on cells of an array.
pub(super) const MOST_CELLS: usize = 256;

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum CType {
    Void,
    Bool,
    Int {
        bits: u32,
        signed: bool,
    },
    /// An array of this length.
    Array(Box<CType>, usize),
}

impl fmt::Display for CType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bits, signed) = match self {
            CType::Void => return f.write_str("void"),
            CType::Bool => return f.write_str("_Bool"),
            CType::Array(element, n) => return write!(f, "{element}[{n}]"),
            CType::Int { bits, signed } => (bits, signed),
        };
        let name = match bits {
            8 => "char",
            16 => "short",
            32 => "int",
            _ => "long long",
        };
        write!(f, "{}{name}", if *signed { "" } else { "unsigned " })
    }
}

/// A type that can represent every constant.
pub(super) const WIDE: CType = CType::Int { bits: 128, signed: true };

/// The type of constants and of comparisons.
pub(super) const INT: CType = CType::Int { bits: 32, signed: true };

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) struct Value {
    /// Has type bool or int, whatever its type in C.
    pub(super) expr: Expr,
    pub(super) ty: CType,
    /// Is it in the range of its type? Wrapping of unsigned sums is deferred until it matters.
    pub(super) wrapped: bool,
}

impl CType {
    /// The type of its variables in the system.
    pub(super) fn variable(&self) -> Type {
        if *self == CType::Bool { Type::Bool } else { Type::Int }
    }

    /// The least and the greatest value.
    pub(super) fn range(&self) -> (Q, Q) {
        match *self {
            CType::Int { bits, signed: true } => (-power_of_two(bits - 1), &power_of_two(bits - 1) - &Q::ONE),
            CType::Int { bits, signed: false } => (Q::ZERO, &power_of_two(bits) - &Q::ONE),
            CType::Bool | CType::Void | CType::Array(..) => (Q::ZERO, Q::ONE),
        }
    }

    /// The type after promotion to at least int.
    pub(super) fn promoted(&self) -> CType {
        match self {
            CType::Int { bits, .. } if *bits >= 32 => self.clone(),
            _ => INT,
        }
    }

    /// Its name in C; the words select among types with the same values ([`Words::spelled`]).
    pub(super) fn spelled(&self, words: &str) -> String {
        let CType::Int { bits, signed } = *self else {
            return if *self == CType::Void { "void" } else { "_Bool" }.to_owned();
        };
        let usual = match bits {
            8 => "char",
            16 => "short",
            32 => "int",
            _ => "long long",
        };
        let name = match words.trim() {
            "" => usual.to_owned(),
            "signed" => "signed char".to_owned(),
            words => words.to_owned(),
        };
        if signed { name } else { format!("unsigned {name}") }
    }

    /// The common type of operands of both types.
    pub(super) fn common(&self, other: &CType) -> CType {
        match (self.promoted(), other.promoted()) {
            (CType::Int { bits: a, signed: s }, CType::Int { bits: b, signed: t }) => {
                let bits = a.max(b);
                let signed = if a == b {
                    s && t
                } else if a > b {
                    s
                } else {
                    t
                };
                CType::Int { bits, signed }
            }
            _ => INT,
        }
    }

    /// The size in bytes.
    pub(super) fn size(&self) -> usize {
        match self {
            CType::Void | CType::Bool => 1,
            CType::Int { bits, .. } => *bits as usize / 8,
            CType::Array(element, n) => n * element.size(),
        }
    }

    /// The element type of an array; other types themselves.
    pub(super) fn scalar(&self) -> &CType {
        match self {
            CType::Array(element, _) => element.scalar(),
            ty => ty,
        }
    }

    /// The number of its variables.
    pub(super) fn cells(&self) -> usize {
        match self {
            CType::Array(element, n) => n * element.cells(),
            _ => 1,
        }
    }
}

/// The value of a variable is in a range.
pub(super) fn in_range(v: VarId, (least, greatest): (Q, Q)) -> Expr {
    let x = || Expr::var(v, Type::Int);
    let above = Expr::compare(Binary::Le, Expr::num(least, Type::Int), x());
    Expr::and(vec![above, Expr::compare(Binary::Le, x(), Expr::num(greatest, Type::Int))])
}

/// Assigns any value to a variable, of a range if it has one.
pub(super) fn any_value(v: VarId, range: Option<(Q, Q)>) -> Op {
    match range {
        Some(range) => Op::Sequence(vec![Op::Havoc(v), Op::Assume(in_range(v, range))]),
        None => Op::Havoc(v),
    }
}

pub(super) fn number(n: i64) -> Expr {
    Expr::num(Q::from(n), Type::Int)
}

/// `a + b`, or a difference.
pub(super) fn sum(a: Expr, sign: Sign, b: Expr) -> Expr {
    let span = a.span.to(b.span);
    let mut parts = match a.kind {
        Kind::Sum(parts) => parts,
        _ => vec![(Sign::Plus, a)],
    };
    parts.push((sign, b));
    Expr { kind: Kind::Sum(parts), ty: Type::Int, span }
}

pub(super) fn negated(a: Expr) -> Expr {
    let span = a.span;
    Expr { kind: Kind::Unary(Unary::Neg, Arc::new(a)), ty: Type::Int, span }
}

pub(super) fn product(a: Expr, b: Expr) -> Expr {
    let span = a.span.to(b.span);
    Expr { kind: Kind::Nary(Nary::Mul, vec![a, b]), ty: Type::Int, span }
}

pub(super) fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
    let span = a.span.to(b.span);
    Expr { kind: Kind::Binary(op, Arc::new([a, b])), ty: Type::Int, span }
}

/// Folds an expression without variables to a constant.
fn folded(e: Expr) -> Expr {
    match e.as_constant() {
        Some(value) => Expr::constant(value, e.ty.clone()).at(e.span),
        None => e,
    }
}

impl Value {
    pub(super) fn new(expr: Expr, ty: CType) -> Value {
        Value { expr: folded(expr), ty, wrapped: true }
    }

    /// A truth value, which is an int in C.
    pub(super) fn truth(expr: Expr) -> Value {
        Value::new(expr, INT)
    }

    /// The value as a number; unsigned ones may still have to be wrapped around.
    pub(super) fn number(&self) -> Expr {
        if self.expr.ty == Type::Bool {
            return folded(Expr::ite(self.expr.clone(), number(1), number(0)).at(self.expr.span));
        }
        self.expr.clone()
    }

    /// The value as a condition.
    pub(super) fn condition(&self) -> Expr {
        if self.expr.ty == Type::Bool {
            return self.expr.clone();
        }
        let exact = self.exact();
        let span = exact.span;
        folded(Expr::compare(Binary::Ne, exact, number(0)).at(span))
    }

    /// The value as a number in the range of its type.
    pub(super) fn exact(&self) -> Expr {
        let e = self.number();
        match self.ty {
            CType::Int { bits, signed: false } if !self.wrapped => modulo(e, bits),
            _ => e,
        }
    }

    /// Converts the value to another type.
    pub(super) fn converted(&self, to: &CType) -> Expr {
        let CType::Int { bits, signed } = *to else {
            return if *to == CType::Bool { self.condition() } else { self.exact() };
        };
        let e = self.exact();
        let fits = self.expr.ty == Type::Bool
            || match self.ty {
                CType::Int { bits: b, signed: s } => (s == signed && b <= bits) || (!s && signed && b < bits),
                _ => true,
            };
        let (lo, hi) = to.range();
        let inside = |q: &Q| lo <= *q && *q <= hi;
        if fits || matches!(&e.kind, Kind::Num(q) if inside(q)) {
            return e;
        }
        if !signed {
            return modulo(e, bits);
        }
        let half = Expr::num(power_of_two(bits - 1), Type::Int);
        let shifted = modulo(sum(e, Sign::Plus, half.clone()), bits);
        folded(sum(shifted, Sign::Minus, half))
    }
}

/// `e mod 2^bits`
pub(super) fn modulo(e: Expr, bits: u32) -> Expr {
    folded(binary(Binary::Mod, e, Expr::num(power_of_two(bits), Type::Int)))
}

/// The name that a declarator declares.
pub(super) fn name(declarator: &Declarator) -> Option<&Node<Identifier>> {
    match &declarator.kind.node {
        DeclaratorKind::Abstract => None,
        DeclaratorKind::Identifier(id) => Some(id),
        DeclaratorKind::Declarator(inner) => name(&inner.node),
    }
}

/// Does it declare a function, and not a pointer to one, as in `int (*f)(void)`?
pub(super) fn is_function(declarator: &Declarator) -> bool {
    let parameters = |d: &Node<DerivedDeclarator>| {
        matches!(d.node, DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_))
    };
    match &declarator.kind.node {
        // The innermost parentheses come first.
        DeclaratorKind::Declarator(inner) if is_derived(&inner.node) => is_function(&inner.node),
        _ => declarator.derived.iter().any(parameters),
    }
}

/// Has a declared name any derived declarators, apart from parentheses?
fn is_derived(declarator: &Declarator) -> bool {
    let inner = |d: &DeclaratorKind| matches!(d, DeclaratorKind::Declarator(d) if is_derived(&d.node));
    !declarator.derived.is_empty() || inner(&declarator.kind.node)
}

/// Counts of the specifier words of a type.
#[derive(Default)]
pub(super) struct Words {
    long: u32,
    short: u32,
    char: u32,
    int: u32,
    unsigned: u32,
    signed: u32,
    other: Vec<CType>,
}

impl Program<'_> {
    /// The type of a declaration's specifiers.
    pub(super) fn base_type(&mut self, specifiers: &[Node<DeclarationSpecifier>]) -> Option<CType> {
        let mut words = Words::default();
        for s in specifiers {
            if let DeclarationSpecifier::TypeSpecifier(t) = &s.node {
                self.type_word(t, &mut words)?;
            }
        }
        let span = specifiers.first().map_or_else(Span::default, |s| self.source.span(s));
        self.named_by(words, span)
    }

    /// The type denoted by the words together.
    fn named_by(&mut self, words: Words, span: Span) -> Option<CType> {
        let long = self.model.long();
        match words.ty(long) {
            Some(ty) => Some(ty),
            None => self.error(span, "these type specifiers cannot be combined"),
        }
    }

    fn type_word(&mut self, word: &Node<TypeSpecifier>, words: &mut Words) -> Option<()> {
        let span = self.source.span(word);
        match &word.node {
            simple if words.add(simple) => {}
            TypeSpecifier::TypedefName(id) => match self.lookup(&id.node.name) {
                Some(Entity::Type(ty, _)) => words.other.push(ty),
                Some(Entity::Refused) => return self.refused(&id.node.name, span),
                _ => return self.unsupported(span, format!("the type '{}' is not supported", id.node.name)),
            },
            TypeSpecifier::Enum(e) => {
                words.other.push(self.enumeration(&e.node, span)?);
            }
            TypeSpecifier::Float | TypeSpecifier::Double => {
                return self.unsupported(span, "floating point is not supported");
            }
            TypeSpecifier::Struct(_) => {
                return self.unsupported(span, "structures and unions are not supported");
            }
            _ => return self.unsupported(span, "this type is not supported"),
        }
        Some(())
    }

    /// Its constants have type `int`; the enumeration itself is compatible with `unsigned int` unless one of them is
    /// negative, as in GCC.
    fn enumeration(&mut self, e: &lang_c::ast::EnumType, span: Span) -> Option<CType> {
        let tag = e.identifier.as_ref().map(|id| format!("enum {}", id.node.name));
        if e.enumerators.is_empty() {
            let at = e.identifier.as_ref().map_or(0, |id| id.span.start);
            let known = tag.as_deref().filter(|tag| !self.declared_later(tag, at));
            let known = known.and_then(|tag| self.lookup(tag));
            return match known {
                Some(Entity::Type(ty, _)) => Some(ty),
                Some(Entity::Refused) => self.refused(tag.as_deref().unwrap_or_default(), span),
                _ => self.error(span, "this enumeration has no values"),
            };
        }
        if let Some(tag) = &tag
            && self.scopes.last().is_some_and(|scope| scope.contains_key(tag))
        {
            return self.error(span, format!("'{tag}' is declared twice"));
        }
        if ["packed", "__packed__"].iter().any(|word| self.source.mentions(word) > 0) {
            let names = e.enumerators.iter().map(|item| item.node.identifier.node.name.clone());
            for name in names.chain(tag) {
                self.declare(name, Entity::Refused);
            }
            return self
                .unsupported(span, "enumerations in programs with the attribute 'packed' are not supported");
        }
        let mut next = Q::ZERO;
        let mut ty = CType::Int { bits: 32, signed: false };
        for item in &e.enumerators {
            if let Some(value) = &item.node.expression {
                next = self.constant(value)?;
            }
            let (least, greatest) = INT.range();
            if next < least || next > greatest {
                return self.error(span, "a constant of an enumeration has to fit into int");
            }
            if next.is_negative() {
                ty = INT;
            }
            let constant = Expr::num(next.clone(), Type::Int);
            next = &next + &Q::ONE;
            let id = &item.node.identifier;
            self.declare_new(&id.node.name, Entity::Constant(constant), id.span.start);
        }
        if let Some(tag) = tag {
            self.declare_new(&tag, Entity::Type(ty.clone(), Written::default()), e.enumerators[0].span.start);
        }
        Some(ty)
    }

    /// The type of a name declared with this base type.
    pub(super) fn declared_type(&mut self, base: CType, declarator: &Node<Declarator>) -> Option<CType> {
        let span = self.source.span(declarator);
        let mut ty = base;
        let array = |d: &Node<DerivedDeclarator>| matches!(d.node, DerivedDeclarator::Array(_));
        if ty == CType::Void && declarator.node.derived.last().is_some_and(array) {
            return self.error(span, "the elements of an array have a type");
        }
        for derived in declarator.node.derived.iter().rev() {
            ty = match &derived.node {
                DerivedDeclarator::Array(a) => {
                    let (ArraySize::VariableExpression(size) | ArraySize::StaticExpression(size)) =
                        &a.node.size
                    else {
                        return self.unsupported(span, "arrays without a size are not supported");
                    };
                    let size = self.constant(size)?;
                    if size.is_negative() {
                        return self.error(span, "the size of an array cannot be negative");
                    }
                    let size = size.to_string().parse().unwrap_or(usize::MAX);
                    if size == 0 {
                        return self.unsupported(span, "arrays without elements are not supported");
                    }
                    if size.saturating_mul(ty.cells()) > MOST_CELLS {
                        let message =
                            format!("arrays with more than {MOST_CELLS} elements are not supported");
                        return self.unsupported(span, message);
                    }
                    CType::Array(Box::new(ty), size)
                }
                DerivedDeclarator::Pointer(_) => return self.unsupported(span, "pointers are not supported"),
                _ => return self.unsupported(span, "functions as values are not supported"),
            };
        }
        match &declarator.node.kind.node {
            DeclaratorKind::Declarator(inner) => self.declared_type(ty, inner),
            _ => Some(ty),
        }
    }

    /// The type named by a cast or `sizeof`.
    pub(super) fn named_type(&mut self, name: &Node<TypeName>) -> Option<CType> {
        let mut words = Words::default();
        for s in &name.node.specifiers {
            match &s.node {
                SpecifierQualifier::TypeSpecifier(t) => self.type_word(t, &mut words)?,
                SpecifierQualifier::Extension(all) => {
                    if let Some(extension) = all.iter().find(|e| !is_passive(e)) {
                        return self.unsupported_attribute(extension);
                    }
                }
                SpecifierQualifier::TypeQualifier(_) => {}
            }
        }
        let span = self.source.span(name);
        let base = self.named_by(words, span)?;
        match &name.node.declarator {
            Some(declarator) => self.declared_type(base, declarator),
            None => Some(base),
        }
    }

    /// The value of a constant expression.
    pub(super) fn constant(&mut self, e: &Node<lang_c::ast::Expression>) -> Option<Q> {
        let span = self.source.span(e);
        let undefined = self.undefined;
        let (constants, here) = (std::mem::replace(&mut self.constants_only, true), self.flow.at());
        let value = self.rvalue(e);
        self.constants_only = constants;
        // The current location is unchanged, even if lowering an operand was aborted.
        self.flow.go(here);
        if std::mem::replace(&mut self.undefined, undefined) > undefined {
            return self.error(span, "the value of this constant is undefined");
        }
        match value?.exact().kind {
            Kind::Num(q) => Some(q),
            _ => self.unsupported(span, "only constants are supported here"),
        }
    }
}

impl Words {
    /// The type; none if no type has this name.
    fn ty(mut self, long: u32) -> Option<CType> {
        let sign = self.signed + self.unsigned;
        if sign > 1 || self.char > 1 || self.int > 1 || self.long > 2 || self.short + self.long.min(1) > 1 {
            return None;
        }
        let size = self.short + self.long;
        if let Some(other) = self.other.pop() {
            return (self.other.is_empty() && sign + size + self.char + self.int == 0).then_some(other);
        }
        let bits = match (self.char, self.short, self.long) {
            (1, ..) if size + self.int > 0 => return None,
            (1, ..) => 8,
            (_, 1, _) => 16,
            (.., 1) => long,
            (.., 2) => 64,
            _ if sign + self.int == 0 => return None,
            _ => 32,
        };
        Some(CType::Int { bits, signed: self.unsigned == 0 })
    }

    /// Counts a word; false if it is not a type specifier.
    pub(super) fn add(&mut self, word: &TypeSpecifier) -> bool {
        match word {
            TypeSpecifier::Void => self.other.push(CType::Void),
            TypeSpecifier::Bool => self.other.push(CType::Bool),
            TypeSpecifier::Char => self.char += 1,
            TypeSpecifier::Short => self.short += 1,
            TypeSpecifier::Int => self.int += 1,
            TypeSpecifier::Long => self.long += 1,
            TypeSpecifier::Signed => self.signed += 1,
            TypeSpecifier::Unsigned => self.unsigned += 1,
            _ => return false,
        }
        true
    }

    /// Distinguishes types with the same values: `int` from `long`, and `char` from `signed char`.
    pub(super) fn spelled(&self) -> String {
        let sign = if self.char > 0 && self.signed > 0 { "signed " } else { "" };
        format!("{sign}{}", "long ".repeat(self.long as usize))
    }
}
