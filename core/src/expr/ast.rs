//! Expressions as they are written: no types, no resolved names.
//!
//! Invariant: [`Ast::depth`] is the number of levels and at most [`limits::DEPTH`], so recursion is bounded.

use std::collections::BTreeMap;

use solver_lite::number::Q;

use crate::diagnostic::{Span, limits};
use crate::expr::{Binary, Nary, Sign, Unary};

/// A type as it is written.
#[derive(Clone, Debug)]
pub struct TypeAst {
    /// What it is.
    pub kind: TypeKind,
    /// Where it is.
    pub span: Span,
}

/// What a written type is.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `rat`
    Rat,
    /// `bv[n]`
    Bv(u32),
    /// `[i] -> e`
    Array(Box<TypeAst>, Box<TypeAst>),
    /// A name that the model gives to a type.
    Named(String),
    /// A type that cannot be verified, by name.
    Unsupported(&'static str),
}

/// An expression as it is written.
#[derive(Clone, Debug)]
pub struct Ast {
    /// What it is.
    pub kind: AstKind,
    /// Where it is.
    pub span: Span,
    /// Levels of the tree.
    pub depth: u32,
}

/// What a written expression is.
#[derive(Clone, Debug)]
pub enum AstKind {
    /// A truth constant.
    Bool(bool),
    /// A decimal integer.
    Int(Q),
    /// `n % d`
    Rat(Q),
    /// A bit-vector literal: width and value.
    Bits(u32, u64),
    /// A name.
    Name(String),
    /// `a'`: the value of `a` after a step.
    Next(Box<Ast>),
    /// An operator with one operand.
    Unary(Unary, Box<Ast>),
    /// An operator that only states that its operand has a certain kind of type: `+a`, `bvpos a`.
    Positive(Box<Ast>),
    /// An operator with two operands.
    Binary(Binary, Box<[Ast; 2]>),
    /// An operator with two or more operands.
    Nary(Nary, Vec<Ast>),
    /// `a + b - c`
    Sum(Vec<(Sign, Ast)>),
    /// `a bvadd b bvsub c`
    BvSum(Vec<(Sign, Ast)>),
    /// `if a then b else c`
    Ite(Box<[Ast; 3]>),
    /// `a[i]`
    Read(Box<[Ast; 2]>),
    /// `a[i <- e]`
    Write(Box<[Ast; 3]>),
    /// `[i <- e, …, <t> default <- d]`
    Array {
        /// Indices and elements.
        elements: Vec<[Ast; 2]>,
        /// The type of the indices, if it is written.
        index: Option<TypeAst>,
        /// The element everywhere else.
        default: Box<Ast>,
    },
    /// A temporal operator, its place and its one or two operands.
    Temporal(Temporal, Span, Vec<Ast>),
    /// `@L`: that a run is at the location of this name.
    At(String),
    /// Something that cannot be verified, by name.
    Unsupported(&'static str),
}

/// An operator of linear temporal logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Temporal {
    /// `X a`: in the next state.
    Next,
    /// `F a`: now or later.
    Finally,
    /// `G a`: now and always.
    Globally,
    /// `a U b`: `a` until `b`, which comes.
    Until,
    /// `a R b`: `b` up to where `a` also holds, if that comes.
    Release,
    /// `a W b`: `a` until `b`, if that comes.
    WeakUntil,
    /// `a M b`: `b` up to where `a` also holds, which comes.
    StrongRelease,
}

impl Temporal {
    /// Its letter.
    #[must_use]
    pub fn letter(self) -> &'static str {
        match self {
            Temporal::Next => "X",
            Temporal::Finally => "F",
            Temporal::Globally => "G",
            Temporal::Until => "U",
            Temporal::Release => "R",
            Temporal::WeakUntil => "W",
            Temporal::StrongRelease => "M",
        }
    }
}

impl Ast {
    /// A node over `children` levels, or `None` if the tree would be too deep.
    #[must_use]
    pub fn new(kind: AstKind, span: Span) -> Option<Ast> {
        let depth = 1 + match &kind {
            AstKind::Unary(_, a) | AstKind::Positive(a) | AstKind::Next(a) => a.depth,
            AstKind::Binary(_, ab) | AstKind::Read(ab) => deepest(ab.iter()),
            AstKind::Ite(abc) | AstKind::Write(abc) => deepest(abc.iter()),
            AstKind::Nary(_, all) | AstKind::Temporal(_, _, all) => deepest(all.iter()),
            AstKind::Sum(all) | AstKind::BvSum(all) => deepest(all.iter().map(|(_, a)| a)),
            AstKind::Array { elements, default, .. } => deepest(elements.iter().flatten()).max(default.depth),
            _ => 0,
        };
        (depth <= limits::DEPTH).then_some(Ast { kind, span, depth })
    }
}

impl Ast {
    /// Puts expressions in for names, everywhere inside.
    pub fn substitute(&mut self, values: &BTreeMap<String, Ast>) {
        if let AstKind::Name(name) = &self.kind {
            if let Some(value) = values.get(name) {
                *self = Ast { span: self.span, ..value.clone() };
            }
            return;
        }
        for child in self.children_mut() {
            child.substitute(values);
        }
        self.depth = 1 + deepest(self.children_mut().into_iter().map(|a| &*a));
    }

    /// The first quotient of integers that is not known to be an integer: `1/2` is 0 in a model's own language, and a fraction
    /// elsewhere.
    #[must_use]
    pub fn rounded_quotient(&self) -> Option<Span> {
        match &self.kind {
            AstKind::Binary(Binary::Div, ab) if ab.iter().all(|a| a.is_integral()) => {
                match (&ab[0].kind, &ab[1].kind) {
                    (AstKind::Int(a), AstKind::Int(b)) if !b.is_zero() && (a / b).is_integer() => None,
                    _ => Some(self.span),
                }
            }
            _ => self.children().into_iter().find_map(Ast::rounded_quotient),
        }
    }

    /// Is it made of integers?
    fn is_integral(&self) -> bool {
        !matches!(self.kind, AstKind::Name(_) | AstKind::At(_) | AstKind::Rat(_))
            && self.children().into_iter().all(Ast::is_integral)
    }

    /// The direct operands, in order of writing.
    #[must_use]
    pub fn children(&self) -> Vec<&Ast> {
        match &self.kind {
            AstKind::Unary(_, a) | AstKind::Positive(a) | AstKind::Next(a) => vec![a],
            AstKind::Binary(_, ab) | AstKind::Read(ab) => ab.iter().collect(),
            AstKind::Ite(abc) | AstKind::Write(abc) => abc.iter().collect(),
            AstKind::Nary(_, all) | AstKind::Temporal(_, _, all) => all.iter().collect(),
            AstKind::Sum(all) | AstKind::BvSum(all) => all.iter().map(|(_, a)| a).collect(),
            AstKind::Array { elements, default, .. } => {
                elements.iter().flatten().chain(std::iter::once(&**default)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn children_mut(&mut self) -> Vec<&mut Ast> {
        match &mut self.kind {
            AstKind::Unary(_, a) | AstKind::Positive(a) | AstKind::Next(a) => vec![a],
            AstKind::Binary(_, ab) | AstKind::Read(ab) => ab.iter_mut().collect(),
            AstKind::Ite(abc) | AstKind::Write(abc) => abc.iter_mut().collect(),
            AstKind::Nary(_, all) | AstKind::Temporal(_, _, all) => all.iter_mut().collect(),
            AstKind::Sum(all) | AstKind::BvSum(all) => all.iter_mut().map(|(_, a)| a).collect(),
            AstKind::Array { elements, default, .. } => {
                elements.iter_mut().flatten().chain(std::iter::once(&mut **default)).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn deepest<'a>(all: impl Iterator<Item = &'a Ast>) -> u32 {
    all.map(|a| a.depth).max().unwrap_or(0)
}
