//! Syntax trees of expressions, untyped and with unresolved names.
//!
//! Invariant: [`Ast::depth`] is the number of levels and at most [`limits::DEPTH`], so recursion is bounded.

use std::collections::BTreeMap;

use solver_lite::number::Q;

use crate::diagnostic::{Span, limits};
use crate::expr::{Binary, Nary, Sign, Unary};

/// A type as written.
#[derive(Clone, Debug)]
pub struct TypeAst {
    /// The kind of type.
    pub kind: TypeKind,
    /// Its place.
    pub span: Span,
}

/// The kinds of types.
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
    /// A type name declared by the model.
    Named(String),
    /// An unsupported type, by name.
    Unsupported(&'static str),
}

/// An expression as written.
#[derive(Clone, Debug)]
pub struct Ast {
    /// The operator with its operands.
    pub kind: AstKind,
    /// Its place.
    pub span: Span,
    /// Levels of the tree.
    pub depth: u32,
}

/// The kinds of expressions.
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
    /// A type assertion: `+a`, `bvpos a`. The value is that of the operand, whose kind of type is checked.
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
        /// The element at all other indices.
        default: Box<Ast>,
    },
    /// A temporal operator, its place and its one or two operands.
    Temporal(Temporal, Span, Vec<Ast>),
    /// A path quantifier of branching time, its place, and the temporal formula after it.
    Paths(Quantifier, Span, Box<Ast>),
    /// `f(a, b)`: a condition that the formalism defines.
    Call(String, Vec<Ast>),
    /// `@L`: the run is at the location of this name.
    At(String),
    /// An unsupported construct, by name.
    Unsupported(&'static str),
}

/// A path quantifier of branching time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Quantifier {
    /// `A`: on all paths.
    All,
    /// `E`: on some path.
    Some,
}

impl Quantifier {
    /// Its letter.
    #[must_use]
    pub fn letter(self) -> &'static str {
        match self {
            Quantifier::All => "A",
            Quantifier::Some => "E",
        }
    }
}

/// An operator of linear temporal logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Temporal {
    /// `X a`: in the next state.
    Next,
    /// `F a`: in the current or a later state.
    Finally,
    /// `G a`: in the current and every later state.
    Globally,
    /// `a U b`: `b` holds eventually, and `a` until then.
    Until,
    /// `a R b`: `b` holds up to and including the first state in which `a` holds; for ever if there is none.
    Release,
    /// `a W b`: `a` holds until `b`; for ever if `b` never holds.
    WeakUntil,
    /// `a M b`: `a` holds eventually, and `b` up to and including that state.
    StrongRelease,
}

impl Temporal {
    /// The operator with which the negation of a formula is written over negated operands. On finite paths, the one of
    /// `X` is the weak `X`.
    #[must_use]
    pub fn dual(self) -> Temporal {
        match self {
            Temporal::Next => Temporal::Next,
            Temporal::Finally => Temporal::Globally,
            Temporal::Globally => Temporal::Finally,
            Temporal::Until => Temporal::Release,
            Temporal::Release => Temporal::Until,
            Temporal::WeakUntil => Temporal::StrongRelease,
            Temporal::StrongRelease => Temporal::WeakUntil,
        }
    }

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
            AstKind::Unary(_, a) | AstKind::Positive(a) | AstKind::Next(a) | AstKind::Paths(_, _, a) => {
                a.depth
            }
            AstKind::Binary(_, ab) | AstKind::Read(ab) => deepest(ab.iter()),
            AstKind::Ite(abc) | AstKind::Write(abc) => deepest(abc.iter()),
            AstKind::Nary(_, all) | AstKind::Temporal(_, _, all) | AstKind::Call(_, all) => {
                deepest(all.iter())
            }
            AstKind::Sum(all) | AstKind::BvSum(all) => deepest(all.iter().map(|(_, a)| a)),
            AstKind::Array { elements, default, .. } => deepest(elements.iter().flatten()).max(default.depth),
            _ => 0,
        };
        (depth <= limits::DEPTH).then_some(Ast { kind, span, depth })
    }
}

impl Ast {
    /// Substitutes expressions for names throughout.
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

    /// The first integer quotient that is not known to be an integer: `1/2` is 0 in a model's own language, and a
    /// fraction elsewhere.
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

    /// Is it built from integers only?
    fn is_integral(&self) -> bool {
        !matches!(self.kind, AstKind::Name(_) | AstKind::At(_) | AstKind::Rat(_))
            && self.children().into_iter().all(Ast::is_integral)
    }

    /// The direct operands, in textual order.
    #[must_use]
    pub fn children(&self) -> Vec<&Ast> {
        match &self.kind {
            AstKind::Unary(_, a) | AstKind::Positive(a) | AstKind::Next(a) | AstKind::Paths(_, _, a) => {
                vec![a]
            }
            AstKind::Binary(_, ab) | AstKind::Read(ab) => ab.iter().collect(),
            AstKind::Ite(abc) | AstKind::Write(abc) => abc.iter().collect(),
            AstKind::Nary(_, all) | AstKind::Temporal(_, _, all) | AstKind::Call(_, all) => {
                all.iter().collect()
            }
            AstKind::Sum(all) | AstKind::BvSum(all) => all.iter().map(|(_, a)| a).collect(),
            AstKind::Array { elements, default, .. } => {
                elements.iter().flatten().chain(std::iter::once(&**default)).collect()
            }
            _ => Vec::new(),
        }
    }

    pub(crate) fn children_mut(&mut self) -> Vec<&mut Ast> {
        match &mut self.kind {
            AstKind::Unary(_, a) | AstKind::Positive(a) | AstKind::Next(a) | AstKind::Paths(_, _, a) => {
                vec![a]
            }
            AstKind::Binary(_, ab) | AstKind::Read(ab) => ab.iter_mut().collect(),
            AstKind::Ite(abc) | AstKind::Write(abc) => abc.iter_mut().collect(),
            AstKind::Nary(_, all) | AstKind::Temporal(_, _, all) | AstKind::Call(_, all) => {
                all.iter_mut().collect()
            }
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
