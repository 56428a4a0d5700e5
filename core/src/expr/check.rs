//! Type checking: resolves names, checks types and makes coercions explicit.
//!
//! An error is reported once, at the operand that causes it; enclosing expressions report nothing further.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Span, limits};
use crate::expr::ast::{Ast, AstKind, TypeAst, TypeKind};
use crate::expr::{Binary, Enumeration, Expr, Kind, Nary, Sign, Type, Unary, VarId, bits};

/// The scope in which names are resolved.
pub trait Scope {
    /// The variable with this name, and its type.
    ///
    /// # Errors
    /// The reason why there is none.
    fn lookup(&self, name: &str) -> Result<(VarId, Type), Lookup>;

    /// The type with this name.
    fn named_type(&self, _name: &str) -> Option<Type> {
        None
    }

    /// The enumerations whose literals are in scope.
    fn enumerations(&self) -> Vec<Arc<Enumeration>> {
        Vec::new()
    }

    /// A condition that the formalism defines, by its name and the names of its arguments; `None` if there is none of
    /// this name.
    ///
    /// # Errors
    /// Why the arguments do not fit.
    fn condition(&self, _name: &str, _arguments: &[&str]) -> Option<Result<Expr, String>> {
        None
    }

    /// The variable for the next value, where next values are allowed.
    fn next(&self, _v: VarId) -> Option<VarId> {
        None
    }
}

/// Why a name does not denote a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The name is unknown.
    Unknown,
    /// The variable exists, but an error about it has been reported already.
    Reported,
}

/// The typed expression of `ast`; `None` after a report.
pub fn check(ast: &Ast, scope: &dyn Scope, out: &mut Vec<Diagnostic>) -> Option<Expr> {
    Checker { scope, out, next: false }.expr(ast)
}

/// As [`check`], where a value of type `want` is required; an int is coerced to a rat.
pub fn check_as(ast: &Ast, want: &Type, scope: &dyn Scope, out: &mut Vec<Diagnostic>) -> Option<Expr> {
    Checker { scope, out, next: false }.expr_as(ast, want)
}

impl TypeAst {
    /// The type, or `None` after a report.
    pub fn resolve(&self, scope: &dyn Scope, out: &mut Vec<Diagnostic>) -> Option<Type> {
        Some(match &self.kind {
            TypeKind::Bool => Type::Bool,
            TypeKind::Int => Type::Int,
            TypeKind::Rat => Type::Rat,
            TypeKind::Bv(n) => Type::Bv(*n),
            TypeKind::Array(index, element) => {
                let (i, e) = (index.resolve(scope, out), element.resolve(scope, out));
                let (i, e) = (i?, e?);
                if i.is_array() || e.is_array() {
                    out.push(Diagnostic::unsupported(self.span, "arrays of arrays are not supported"));
                    return None;
                }
                Type::Array(Box::new(i), Box::new(e))
            }
            TypeKind::Named(name) => {
                let found = scope.named_type(name);
                if found.is_none() {
                    out.push(Diagnostic::error(self.span, format!("unknown type '{name}'")));
                }
                return found;
            }
            TypeKind::Unsupported(what) => {
                out.push(Diagnostic::unsupported(self.span, format!("{what} is not supported")));
                return None;
            }
        })
    }
}

struct Checker<'a> {
    scope: &'a dyn Scope,
    out: &'a mut Vec<Diagnostic>,
    /// Do names denote next values?
    next: bool,
}

impl Expr {
    /// Coerces to type `want`: the expression itself, or an int as a rat.
    pub(crate) fn coerce(self, want: &Type) -> Result<Expr, Expr> {
        if self.ty == *want {
            return Ok(self);
        }
        if self.ty != Type::Int || *want != Type::Rat {
            return Err(self);
        }
        let span = self.span;
        let kind = match self.kind {
            Kind::Num(q) => Kind::Num(q),
            _ => Kind::Unary(Unary::ToRat, Arc::new(self)),
        };
        Ok(Expr { kind, ty: Type::Rat, span })
    }
}

impl Checker<'_> {
    fn error<T>(&mut self, span: Span, message: String) -> Option<T> {
        self.out.push(Diagnostic::error(span, message));
        None
    }

    fn expr_as(&mut self, ast: &Ast, want: &Type) -> Option<Expr> {
        if let (AstKind::Name(name), Type::Enum(e)) = (&ast.kind, want)
            && let Some(literal) =
                self.literals(name, ast.span).into_iter().find(|l| l.ty == Type::Enum(Arc::clone(e)))
        {
            return Some(literal);
        }
        match self.expr(ast)?.coerce(want) {
            Ok(e) => Some(e),
            Err(e) => self.error(ast.span, format!("expected {want}, but this is {}", e.ty)),
        }
    }

    fn all(&mut self, asts: &[Ast]) -> Option<Vec<Expr>> {
        let exprs: Vec<Option<Expr>> = asts.iter().map(|a| self.expr(a)).collect();
        exprs.into_iter().collect()
    }

    fn unify<const N: usize>(&mut self, all: [Expr; N]) -> Option<[Expr; N]> {
        let joined = self.unify_all(all.into())?;
        Some(joined.try_into().expect("as many as before"))
    }

    /// Coerces operands to the type of the first one, or to rat if they are int and rat.
    fn unify_all(&mut self, all: Vec<Expr>) -> Option<Vec<Expr>> {
        let rat = all.iter().any(|e| e.ty == Type::Rat);
        let want = if rat && all[0].ty == Type::Int { Type::Rat } else { all[0].ty.clone() };
        let mut joined = Vec::with_capacity(all.len());
        for e in all {
            match e.coerce(&want) {
                Ok(e) => joined.push(e),
                Err(e) => {
                    let message =
                        format!("the operand types differ: the first is {want}, but this is {}", e.ty);
                    return self.error(e.span, message);
                }
            }
        }
        Some(joined)
    }

    /// Reports operands whose types are not among those named in `wanted`.
    fn require(&mut self, all: &[Expr], wanted: &str, accept: fn(&Type) -> bool) -> Option<()> {
        let wrong: Vec<&Expr> = all.iter().filter(|e| !accept(&e.ty)).collect();
        for e in &wrong {
            let mut message = format!("expected {wanted}, but this is {}", e.ty);
            if let (Type::Bv(_), "int or rat") = (&e.ty, wanted) {
                message.push_str(" (bit-vectors have operators of their own, such as bvadd and bvult)");
            }
            self.out.push(Diagnostic::error(e.span, message));
        }
        wrong.is_empty().then_some(())
    }

    fn expr(&mut self, ast: &Ast) -> Option<Expr> {
        let span = ast.span;
        let make = |kind, ty| Some(Expr { kind, ty, span });
        match &ast.kind {
            AstKind::Bool(b) => make(Kind::Bool(*b), Type::Bool),
            AstKind::Int(q) => make(Kind::Num(q.clone()), Type::Int),
            AstKind::Rat(q) => make(Kind::Num(q.clone()), Type::Rat),
            AstKind::Bits(width, value) => make(Kind::Num(bits::to_q(*value)), Type::Bv(*width)),
            AstKind::Name(name) => self.name(name, span),
            AstKind::Next(a) if self.next => {
                self.next = false;
                self.error(a.span, "this is already a next value".to_owned())
            }
            AstKind::Next(a) => {
                self.next = true;
                let a = self.expr(a);
                self.next = false;
                a
            }
            AstKind::Unary(op, a) => self.unary(*op, a, span),
            AstKind::Positive(a) => {
                let a = self.expr(a)?;
                self.require(std::slice::from_ref(&a), "a number", |t| {
                    !matches!(t, Type::Bool) && !t.is_array()
                })?;
                Some(a)
            }
            AstKind::Binary(op, ab) => self.binary(*op, ab, span),
            AstKind::Nary(op, all) => self.nary(*op, all, span),
            AstKind::Sum(all) => self.sum(all, span, "int or rat", numeric),
            AstKind::BvSum(all) => self.sum(all, span, "a bit-vector", is_bv),
            AstKind::Ite(abc) => {
                let condition = self.expr_as(&abc[0], &Type::Bool);
                let (a, b) = self.pair(&abc[1], &abc[2]);
                let [a, b] = self.unify([a?, b?])?;
                let ty = a.ty.clone();
                make(Kind::Ite(Arc::new([condition?, a, b])), ty)
            }
            AstKind::Read(ab) => {
                let (array, index, element) = self.array(&ab[0])?;
                let i = self.expr_as(&ab[1], &index)?;
                make(Kind::Read(Arc::new([array, i])), element)
            }
            AstKind::Write(abc) => {
                let (array, index, element) = self.array(&abc[0])?;
                let (i, e) = (self.expr_as(&abc[1], &index), self.expr_as(&abc[2], &element));
                let ty = array.ty.clone();
                make(Kind::Write(Arc::new([array, i?, e?])), ty)
            }
            AstKind::Array { elements, index, default } => {
                self.literal(elements, index.as_ref(), default, span)
            }
            AstKind::Call(name, arguments) => self.call(name, arguments, span),
            AstKind::Temporal(..) | AstKind::Paths(..) | AstKind::At(_) => self.misplaced(ast),
            AstKind::Unsupported(what) => {
                self.out.push(Diagnostic::unsupported(span, format!("{what} is not supported")));
                None
            }
        }
    }

    /// Reports an operator that is about more than one state.
    fn misplaced(&mut self, ast: &Ast) -> Option<Expr> {
        let (place, what) = match &ast.kind {
            AstKind::Temporal(op, place, _) => (*place, format!("the temporal operator '{}'", op.letter())),
            AstKind::Paths(quantifier, place, _) => {
                (*place, format!("the path quantifier '{}'", quantifier.letter()))
            }
            AstKind::At(name) => (ast.span, format!("'@{name}'")),
            _ => return None,
        };
        self.error(place, format!("{what} can only stand under temporal and logical operators"))
    }

    fn name(&mut self, name: &str, span: Span) -> Option<Expr> {
        let (v, ty) = match self.scope.lookup(name) {
            Ok(found) => found,
            Err(Lookup::Reported) => return None,
            Err(Lookup::Unknown) => {
                let mut literals = self.literals(name, span);
                return match literals.len() {
                    0 if self.scope.condition(name, &[]).is_some() => self.call(name, &[], span),
                    0 => self.error(span, format!("unknown name '{name}'")),
                    1 => literals.pop(),
                    _ => {
                        let types: Vec<String> =
                            literals.iter().map(|l| format!("{}.{name}", l.ty)).collect();
                        self.error(
                            span,
                            format!("'{name}' is a value of several types; write {}", types.join(" or ")),
                        )
                    }
                };
            }
        };
        if !self.next {
            return Some(Expr { kind: Kind::Var(v), ty, span });
        }
        match self.scope.next(v) {
            Some(next) => Some(Expr { kind: Kind::Var(next), ty, span }),
            None => self.error(span, format!("the next value of '{name}' is allowed in transitions only")),
        }
    }

    /// A condition that the formalism defines.
    fn call(&mut self, name: &str, arguments: &[Ast], span: Span) -> Option<Expr> {
        let of_name = |a: &Ast| match &a.kind {
            AstKind::Name(name) => Some(name.clone()),
            _ => None,
        };
        let names: Vec<String> = arguments.iter().filter_map(of_name).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match self.scope.condition(name, &names) {
            None => {
                self.out.push(Diagnostic::unsupported(span, "a function application is not supported"));
                None
            }
            Some(_) if names.len() < arguments.len() => {
                self.error(span, format!("the arguments of '{name}' are names"))
            }
            Some(Ok(e)) => Some(e.at(span)),
            Some(Err(why)) => self.error(span, why),
        }
    }

    /// The literals that `name` may denote: `LITERAL` or `TYPE.LITERAL`.
    fn literals(&self, name: &str, span: Span) -> Vec<Expr> {
        if self.scope.lookup(name) != Err(Lookup::Unknown) {
            return Vec::new();
        }
        let of = |e: Arc<Enumeration>| {
            let qualified = || name.strip_prefix(&e.name)?.strip_prefix('.');
            let number = e.number(name).or_else(|| e.number(qualified()?))?;
            Some(Expr::num(number, Type::Enum(e)).at(span))
        };
        self.scope.enumerations().into_iter().filter_map(of).collect()
    }

    /// Two operands of the same type: a literal that occurs in several enumerations has the other operand's type.
    fn pair(&mut self, a: &Ast, b: &Ast) -> (Option<Expr>, Option<Expr>) {
        let several = |c: &Checker<'_>, ast: &Ast| match &ast.kind {
            AstKind::Name(name) => c.literals(name, ast.span).len() > 1,
            _ => false,
        };
        if several(self, a) {
            let b = self.expr(b);
            let a = b.as_ref().and_then(|b| self.expr_as(a, &b.ty));
            return (a, b);
        }
        let a = self.expr(a);
        let b = match &a {
            Some(a) if several(self, b) => self.expr_as(b, &a.ty),
            _ => self.expr(b),
        };
        (a, b)
    }

    fn array(&mut self, ast: &Ast) -> Option<(Expr, Type, Type)> {
        let array = self.expr(ast)?;
        match array.ty.clone() {
            Type::Array(index, element) => Some((array, *index, *element)),
            other => self.error(ast.span, format!("expected an array, but this is {other}")),
        }
    }

    fn unary(&mut self, op: Unary, ast: &Ast, span: Span) -> Option<Expr> {
        let a = self.expr(ast)?;
        let one = std::slice::from_ref(&a);
        let ty = match op {
            Unary::Not => {
                self.require(one, "bool", |t| *t == Type::Bool)?;
                Type::Bool
            }
            Unary::Neg | Unary::ToRat => {
                self.require(one, "int or rat", numeric)?;
                if let Kind::Num(q) = &a.kind {
                    return Some(Expr { kind: Kind::Num(-q), ty: a.ty, span });
                }
                a.ty.clone()
            }
            _ => {
                self.require(one, "a bit-vector", is_bv)?;
                let Type::Bv(width) = a.ty else { return None };
                Type::Bv(self.width_after(op, width, span)?)
            }
        };
        Some(Expr { kind: Kind::Unary(op, Arc::new(a)), ty, span })
    }

    fn width_after(&mut self, op: Unary, width: u32, span: Span) -> Option<u32> {
        match op {
            Unary::ZeroExtend(n) | Unary::SignExtend(n) if n < width => {
                self.error(span, format!("a bv[{width}] cannot be extended to the shorter bv[{n}]"))
            }
            Unary::ZeroExtend(n) | Unary::SignExtend(n) => Some(n),
            Unary::Extract { until, from } if from >= until || until > width => self.error(
                span,
                format!("[{until}:{from}] selects no bits of a bv[{width}]; it means {from} ≤ bit < {until}"),
            ),
            Unary::Extract { until, from } => Some(until - from),
            _ => Some(width),
        }
    }

    fn binary(&mut self, op: Binary, ab: &[Ast; 2], span: Span) -> Option<Expr> {
        let (a, b) = self.pair(&ab[0], &ab[1]);
        let both = [a?, b?];
        match op {
            Binary::Iff | Binary::Imply | Binary::Xor => self.require(&both, "bool", |t| *t == Type::Bool)?,
            Binary::Eq | Binary::Ne => {}
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge | Binary::Div => {
                self.require(&both, "int or rat", numeric)?;
            }
            Binary::Mod | Binary::Rem => self.require(&both, "int", |t| *t == Type::Int)?,
            Binary::BvCompare(_) | Binary::Bv(_) => self.require(&both, "a bit-vector", is_bv)?,
        }
        let both = self.unify(both)?;
        let ty = match op {
            Binary::Div | Binary::Mod | Binary::Rem | Binary::Bv(_) => both[0].ty.clone(),
            _ => Type::Bool,
        };
        Some(Expr { kind: Kind::Binary(op, Arc::new(both)), ty, span })
    }

    fn nary(&mut self, op: Nary, all: &[Ast], span: Span) -> Option<Expr> {
        let all = self.all(all)?;
        let (all, ty) = match op {
            Nary::And | Nary::Or => {
                self.require(&all, "bool", |t| *t == Type::Bool)?;
                (all, Type::Bool)
            }
            Nary::Mul => {
                self.require(&all, "int or rat", numeric)?;
                let all = self.unify_all(all)?;
                let ty = all[0].ty.clone();
                (all, ty)
            }
            Nary::Concat => {
                self.require(&all, "a bit-vector", is_bv)?;
                let width = all.iter().map(|e| bits::width(&e.ty)).sum();
                if width > limits::BITS {
                    let message = format!("{width} bits together, the limit is {} bits", limits::BITS);
                    return self.error(span, message);
                }
                (all, Type::Bv(width))
            }
            Nary::BvMul | Nary::BvAnd | Nary::BvOr | Nary::BvXor => {
                self.require(&all, "a bit-vector", is_bv)?;
                let all = self.unify_all(all)?;
                let ty = all[0].ty.clone();
                (all, ty)
            }
        };
        Some(Expr { kind: Kind::Nary(op, all), ty, span })
    }

    fn sum(
        &mut self,
        all: &[(Sign, Ast)],
        span: Span,
        wanted: &str,
        accept: fn(&Type) -> bool,
    ) -> Option<Expr> {
        let exprs: Vec<Option<Expr>> = all.iter().map(|(_, a)| self.expr(a)).collect();
        let exprs: Vec<Expr> = exprs.into_iter().collect::<Option<_>>()?;
        self.require(&exprs, wanted, accept)?;
        let exprs = self.unify_all(exprs)?;
        let ty = exprs[0].ty.clone();
        let kind = Kind::Sum(all.iter().map(|(sign, _)| *sign).zip(exprs).collect());
        Some(Expr { kind, ty, span })
    }

    fn literal(
        &mut self,
        elements: &[[Ast; 2]],
        index: Option<&TypeAst>,
        default: &Ast,
        span: Span,
    ) -> Option<Expr> {
        let default = self.expr(default);
        // Checking the first index twice would double the work at every level of nesting.
        let (index, mut first) = match index {
            Some(ty) => (ty.resolve(self.scope, self.out)?, None),
            None => {
                let first = self.expr(&elements[0][0])?;
                (first.ty.clone(), Some(first))
            }
        };
        let default = default?;
        if index.is_array() || default.ty.is_array() {
            self.out.push(Diagnostic::unsupported(span, "arrays of arrays are not supported"));
            return None;
        }
        let mut typed = Vec::with_capacity(elements.len());
        for [i, e] in elements {
            let i = first.take().or_else(|| self.expr_as(i, &index));
            let e = self.expr_as(e, &default.ty);
            typed.push([i?, e?]);
        }
        let ty = Type::Array(Box::new(index), Box::new(default.ty.clone()));
        Some(Expr { kind: Kind::Array(typed, Arc::new(default)), ty, span })
    }
}

fn numeric(ty: &Type) -> bool {
    matches!(ty, Type::Int | Type::Rat)
}

fn is_bv(ty: &Type) -> bool {
    matches!(ty, Type::Bv(_))
}
