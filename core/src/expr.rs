//! Typed expressions over the variables of a system, in the syntax of Theta's languages.
//!
//! A text is split into tokens, parsed to an [`ast::Ast`] (untyped, with unresolved names) and checked against a
//! [`Scope`]. The result is an [`Expr`], which is printed, evaluated exactly, and lowered to terms of the solver.
//! Invariants of a checked `Expr`: operands have the types required by their operator (coercions from int to rat are
//! explicit, [`Unary::ToRat`]), and the tree is at most [`limits::DEPTH`](crate::diagnostic::limits::DEPTH) levels
//! deep as parsed, so recursion over it is bounded. Equality of expressions ignores their places.

pub mod ast;
mod bits;
mod check;
mod eval;
mod lex;
mod lower;
mod parse;
mod print;
#[cfg(test)]
mod tests;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use solver_lite::number::Q;
use solver_lite::term::Value;

use crate::diagnostic::Span;
pub use crate::id::VarId;

pub use check::{Lookup, Scope, check, check_as};
pub use eval::EvalError;
pub use lex::{Syntax, Tok, keyword};
pub use lower::{to_term, try_lower};
pub(crate) use parse::Names;
pub use parse::{Parsed, Parser, Reported};

/// A value as certificates write it: `true`, `3`, `-1/2`.
#[must_use]
pub fn value_text(value: &Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Num(q) => q.to_string(),
    }
}

/// 2^n.
#[must_use]
pub fn power_of_two(n: u32) -> Q {
    bits::power(n)
}

/// A number as a literal of its type.
#[must_use]
pub fn number_text(q: &Q, ty: &Type) -> String {
    print::number(q, ty)
}

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Rational numbers.
    Rat,
    /// Bit-vectors of a width between 1 and 64; their values are the unsigned numbers.
    Bv(u32),
    /// A type with a name and a list of values, which are numbered from 0.
    Enum(Arc<Enumeration>),
    /// Total functions from the first type to the second, as Theta's arrays are.
    Array(Box<Type>, Box<Type>),
}

/// A type with a name and a list of values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Enumeration {
    /// Its name.
    pub name: String,
    /// Its values, at least one.
    pub literals: Vec<String>,
}

impl Enumeration {
    /// The number of the value of that name.
    #[must_use]
    pub fn number(&self, literal: &str) -> Option<Q> {
        let number = self.literals.iter().position(|l| l == literal)?;
        i64::try_from(number).ok().map(Q::from)
    }

    /// The name of the value of that number.
    #[must_use]
    pub fn literal(&self, number: &Q) -> Option<&str> {
        let number: usize = number.to_string().parse().ok()?;
        self.literals.get(number).map(String::as_str)
    }

    /// The greatest number of a value.
    #[must_use]
    pub fn last(&self) -> Q {
        Q::from(i64::try_from(self.literals.len()).unwrap_or(i64::MAX) - 1)
    }
}

impl Type {
    /// Is this an array type?
    #[must_use]
    pub fn is_array(&self) -> bool {
        matches!(self, Type::Array(..))
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => f.write_str("bool"),
            Type::Int => f.write_str("int"),
            Type::Rat => f.write_str("rat"),
            Type::Bv(n) => write!(f, "bv[{n}]"),
            Type::Enum(e) => f.write_str(&e.name),
            Type::Array(index, element) => write!(f, "[{index}] -> {element}"),
        }
    }
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `not a`
    Not,
    /// `-a`
    Neg,
    /// Coercion of an int to rat; it has no syntax.
    ToRat,
    /// `bvneg a`
    BvNeg,
    /// `bvnot a`
    BvNot,
    /// `a bv_zero_extend bv[n]`
    ZeroExtend(u32),
    /// `a bv_sign_extend bv[n]`
    SignExtend(u32),
    /// `a[until:from]`: the bits `from ≤ i < until`
    Extract {
        /// One past the highest bit.
        until: u32,
        /// The lowest bit.
        from: u32,
    },
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// `a iff b`
    Iff,
    /// `a imply b`
    Imply,
    /// `a xor b`
    Xor,
    /// `a = b`, of any type
    Eq,
    /// `a /= b`, of any type
    Ne,
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
    /// `a > b`
    Gt,
    /// `a >= b`
    Ge,
    /// `a / b`: Euclidean on int, exact on rat
    Div,
    /// `a mod b`: Euclidean
    Mod,
    /// `a rem b`: takes the sign of `a`
    Rem,
    /// A bit-vector comparison.
    BvCompare(BvCompare),
    /// A bit-vector shift, rotation or division.
    Bv(BvBinary),
}

/// Comparisons of bit-vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BvCompare {
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// Operators on two bit-vectors of the same width; division by zero as in SMT-LIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BvBinary {
    Shl,
    Ashr,
    Lshr,
    Rol,
    Ror,
    Udiv,
    Sdiv,
    Smod,
    Urem,
    Srem,
}

/// An operator with two or more operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nary {
    /// `a and b`
    And,
    /// `a or b`
    Or,
    /// `a * b`
    Mul,
    /// `a bvmul b`
    BvMul,
    /// `a bvand b`
    BvAnd,
    /// `a bvor b`
    BvOr,
    /// `a bvxor b`
    BvXor,
    /// `a ++ b`, the first operand holds the highest bits
    Concat,
}

/// The sign of a summand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// Added.
    Plus,
    /// Subtracted.
    Minus,
}

/// A typed expression. Clones share subexpressions.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The operator with its operands.
    pub kind: Kind,
    /// Its type.
    pub ty: Type,
    /// Its place in the source.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A truth constant.
    Bool(bool),
    /// A number: int, rat or bv by the expression's type.
    Num(Q),
    /// A variable.
    Var(VarId),
    /// An operator with one operand.
    Unary(Unary, Arc<Expr>),
    /// An operator with two operands.
    Binary(Binary, Arc<[Expr; 2]>),
    /// An operator with two or more operands.
    Nary(Nary, Vec<Expr>),
    /// A sum of two or more, of int, rat or (`bvadd`, `bvsub`) bv; the first is never subtracted.
    Sum(Vec<(Sign, Expr)>),
    /// `if a then b else c`
    Ite(Arc<[Expr; 3]>),
    /// `a[i]`
    Read(Arc<[Expr; 2]>),
    /// `a[i <- e]`
    Write(Arc<[Expr; 3]>),
    /// `[i <- e, …, default <- d]`; later elements win.
    Array(Vec<[Expr; 2]>, Arc<Expr>),
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.ty == other.ty && self.kind == other.kind
    }
}

impl Eq for Expr {}

impl Hash for Expr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

impl Expr {
    /// A truth constant without a place.
    #[must_use]
    pub fn bool(value: bool) -> Expr {
        Expr { kind: Kind::Bool(value), ty: Type::Bool, span: Span::default() }
    }

    /// A number of type int, rat or bv.
    #[must_use]
    pub fn num(value: Q, ty: Type) -> Expr {
        Expr { kind: Kind::Num(value), ty, span: Span::default() }
    }

    /// A constant of a scalar type.
    #[must_use]
    pub fn constant(value: Value, ty: Type) -> Expr {
        match value {
            Value::Bool(b) => Expr::bool(b),
            Value::Num(q) => Expr::num(q, ty),
        }
    }

    /// A variable.
    #[must_use]
    pub fn var(id: VarId, ty: Type) -> Expr {
        Expr { kind: Kind::Var(id), ty, span: Span::default() }
    }

    /// The same expression at another place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Expr {
        self.span = span;
        self
    }

    /// The negation; double negations cancel.
    #[must_use]
    pub fn negated(self) -> Expr {
        let span = self.span;
        match self.kind {
            Kind::Unary(Unary::Not, inner) => Arc::unwrap_or_clone(inner),
            Kind::Bool(b) => Expr::bool(!b).at(span),
            _ => Expr { kind: Kind::Unary(Unary::Not, Arc::new(self)), ty: Type::Bool, span },
        }
    }

    /// The conjunction; `true` of no operands.
    #[must_use]
    pub fn and(mut parts: Vec<Expr>) -> Expr {
        match parts.len() {
            0 => Expr::bool(true),
            1 => parts.remove(0),
            _ => {
                let span = parts[0].span.to(parts[parts.len() - 1].span);
                Expr { kind: Kind::Nary(Nary::And, parts), ty: Type::Bool, span }
            }
        }
    }

    /// The disjunction; `false` of no operands.
    #[must_use]
    pub fn or(mut parts: Vec<Expr>) -> Expr {
        match parts.len() {
            0 => Expr::bool(false),
            1 => parts.remove(0),
            _ => {
                let span = parts[0].span.to(parts[parts.len() - 1].span);
                Expr { kind: Kind::Nary(Nary::Or, parts), ty: Type::Bool, span }
            }
        }
    }

    /// `a ⋈ b` of type bool.
    #[must_use]
    pub fn compare(op: Binary, a: Expr, b: Expr) -> Expr {
        let span = a.span.to(b.span);
        Expr { kind: Kind::Binary(op, Arc::new([a, b])), ty: Type::Bool, span }
    }

    /// `if c then a else b`
    #[must_use]
    pub fn ite(c: Expr, a: Expr, b: Expr) -> Expr {
        let (ty, span) = (a.ty.clone(), c.span.to(b.span));
        Expr { kind: Kind::Ite(Arc::new([c, a, b])), ty, span }
    }

    /// The direct operands, in order of writing.
    #[must_use]
    pub fn children(&self) -> Vec<&Expr> {
        let mut all = Vec::new();
        self.each_child(&mut |child| all.push(child));
        all
    }

    fn each_child<'a>(&'a self, each: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            Kind::Bool(_) | Kind::Num(_) | Kind::Var(_) => {}
            Kind::Unary(_, a) => each(a),
            Kind::Binary(_, ab) | Kind::Read(ab) => ab.iter().for_each(each),
            Kind::Ite(abc) | Kind::Write(abc) => abc.iter().for_each(each),
            Kind::Nary(_, all) => all.iter().for_each(each),
            Kind::Sum(all) => all.iter().for_each(|(_, e)| each(e)),
            Kind::Array(elements, default) => {
                elements.iter().flatten().for_each(&mut *each);
                each(default);
            }
        }
    }

    /// The direct operands, to be changed in place.
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            Kind::Bool(_) | Kind::Num(_) | Kind::Var(_) => Vec::new(),
            Kind::Unary(_, a) => vec![Arc::make_mut(a)],
            Kind::Binary(_, ab) | Kind::Read(ab) => Arc::make_mut(ab).iter_mut().collect(),
            Kind::Ite(abc) | Kind::Write(abc) => Arc::make_mut(abc).iter_mut().collect(),
            Kind::Nary(_, all) => all.iter_mut().collect(),
            Kind::Sum(all) => all.iter_mut().map(|(_, e)| e).collect(),
            Kind::Array(elements, default) => {
                elements.iter_mut().flatten().chain(std::iter::once(Arc::make_mut(default))).collect()
            }
        }
    }

    /// Calls `visit` on this expression and all of its subexpressions.
    pub fn visit<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        self.each_child(&mut |child| child.visit(visit));
    }

    /// The levels of the tree; a constant or variable has one.
    #[must_use]
    pub fn depth(&self) -> usize {
        let mut below = 0;
        self.each_child(&mut |child| below = below.max(child.depth()));
        below + 1
    }

    /// The variables that occur, ascending.
    #[must_use]
    pub fn variables(&self) -> Vec<VarId> {
        let mut found = std::collections::BTreeSet::new();
        self.visit(&mut |e| {
            if let Kind::Var(v) = e.kind {
                found.insert(v);
            }
        });
        found.into_iter().collect()
    }
}
