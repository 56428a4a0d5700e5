//! Lowering of expressions to linear terms.
//!
//! Bit-vectors become integers between 0 and 2^n − 1. What is not linear after constant folding is rejected by name.
//! [`try_lower`] decides this before a run, which is the precondition of [`to_term`]. Lowering is exact: if variables
//! have values of their types, the term has the value of the expression.

mod bitwise;

use solver_lite::number::Q;
use solver_lite::term::{Sort, Term, Terms, Value};

use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Binary, Expr, Kind, Nary, Sign, Type, Unary, VarId, bits};

/// The term of `expr`, where `var` gives the terms of variables (Int for int and bv, Real for rat, Bool for bool).
///
/// # Panics
/// If [`try_lower`] rejects the expression.
pub fn to_term(expr: &Expr, terms: &mut Terms, var: &mut dyn FnMut(VarId) -> Term) -> Term {
    match (Lowering { terms, var }).expr(expr) {
        Ok(t) => t,
        Err(d) => panic!("an expression that was not checked: {}", d.message),
    }
}

/// As [`to_term`], for expressions that may be nonlinear.
///
/// # Errors
/// The nonlinear operator, with its place.
pub fn try_lower(
    expr: &Expr,
    terms: &mut Terms,
    var: &mut dyn FnMut(VarId) -> Term,
) -> Result<Term, Diagnostic> {
    Lowering { terms, var }.expr(expr)
}

impl Type {
    /// The sort of terms of this type; `None` for arrays.
    #[must_use]
    pub fn sort(&self) -> Option<Sort> {
        match self {
            Type::Bool => Some(Sort::Bool),
            Type::Int | Type::Bv(_) | Type::Enum(_) => Some(Sort::Int),
            Type::Rat => Some(Sort::Real),
            Type::Array(..) => None,
        }
    }
}

type Lowered = Result<Term, Diagnostic>;

struct Lowering<'a> {
    terms: &'a mut Terms,
    var: &'a mut dyn FnMut(VarId) -> Term,
}

fn refuse<T>(span: Span, what: &str) -> Result<T, Diagnostic> {
    Err(Diagnostic::unsupported(span, format!("{what} is not supported")))
}

impl Lowering<'_> {
    fn constant(&self, t: Term) -> Option<Q> {
        match self.terms.constant(t) {
            Some(Value::Num(q)) => Some(q),
            _ => None,
        }
    }

    fn int(&mut self, value: &Q) -> Term {
        self.terms.num(value.clone(), Sort::Int)
    }

    fn all<'e>(&mut self, all: impl IntoIterator<Item = &'e Expr>) -> Result<Vec<Term>, Diagnostic> {
        all.into_iter().map(|e| self.expr(e)).collect()
    }

    fn expr(&mut self, e: &Expr) -> Lowered {
        match &e.kind {
            Kind::Bool(b) => Ok(self.terms.bool(*b)),
            Kind::Num(q) => Ok(self.terms.num(q.clone(), e.ty.sort().unwrap_or(Sort::Int))),
            Kind::Var(_) if e.ty.is_array() => refuse(e.span, "an array as a whole"),
            Kind::Var(v) => Ok((self.var)(*v)),
            Kind::Unary(op, a) => self.unary(*op, a),
            Kind::Binary(op, ab) => self.binary(*op, ab, e),
            Kind::Nary(op, all) => self.nary(*op, all, e),
            Kind::Sum(all) => self.sum(all, &e.ty),
            Kind::Ite(abc) => {
                let c = self.expr(&abc[0])?;
                // If the condition is constant, only the chosen branch has to be linear.
                match c {
                    Term::TRUE => self.expr(&abc[1]),
                    Term::FALSE => self.expr(&abc[2]),
                    _ => {
                        let (a, b) = (self.expr(&abc[1])?, self.expr(&abc[2])?);
                        Ok(self.terms.ite(c, a, b))
                    }
                }
            }
            Kind::Read(_) | Kind::Write(_) | Kind::Array(..) => refuse(e.span, "an array as a whole"),
        }
    }

    fn sum(&mut self, all: &[(Sign, Expr)], ty: &Type) -> Lowered {
        let mut total = self.expr(&all[0].1)?;
        for (sign, e) in &all[1..] {
            let t = self.expr(e)?;
            total = match sign {
                Sign::Plus => self.terms.add([total, t]),
                Sign::Minus => self.terms.sub(total, t),
            };
        }
        Ok(match ty {
            Type::Bv(n) => self.terms.modulo(total, &bits::power(*n)),
            _ => total,
        })
    }

    fn unary(&mut self, op: Unary, a: &Expr) -> Lowered {
        let t = self.expr(a)?;
        Ok(match op {
            Unary::Not => self.terms.not(t),
            Unary::Neg => self.terms.neg(t),
            Unary::ToRat => self.terms.to_real(t),
            Unary::ZeroExtend(_) => t,
            Unary::BvNeg => {
                let minus = self.terms.neg(t);
                self.terms.modulo(minus, &bits::power(bits::width(&a.ty)))
            }
            Unary::BvNot => {
                let ones = self.int(&bits::to_q(bits::mask(bits::width(&a.ty))));
                self.terms.sub(ones, t)
            }
            Unary::SignExtend(to) => {
                let from = bits::width(&a.ty);
                let more = self.int(&(&bits::power(to) - &bits::power(from)));
                let extended = self.terms.add([t, more]);
                let negative = self.is_negative(t, from);
                self.terms.ite(negative, extended, t)
            }
            Unary::Extract { until, from } => self.slice(t, from, until, bits::width(&a.ty)),
        })
    }

    fn binary(&mut self, op: Binary, ab: &[Expr; 2], e: &Expr) -> Lowered {
        if ab[0].ty.is_array() {
            return refuse(ab[0].span, "an array as a whole");
        }
        let (a, b) = (self.expr(&ab[0])?, self.expr(&ab[1])?);
        let terms = &mut *self.terms;
        Ok(match op {
            Binary::Iff | Binary::Eq => terms.eq(a, b),
            Binary::Xor | Binary::Ne => {
                let equal = terms.eq(a, b);
                terms.not(equal)
            }
            Binary::Imply => terms.implies(a, b),
            Binary::Lt => terms.lt(a, b),
            Binary::Le => terms.le(a, b),
            Binary::Gt => terms.gt(a, b),
            Binary::Ge => terms.ge(a, b),
            Binary::Div | Binary::Mod | Binary::Rem => return self.division(op, a, b, ab, e),
            Binary::BvCompare(op) => self.compare(op, a, b, bits::width(&ab[0].ty)),
            Binary::Bv(op) => return self.bv_binary(op, a, b, ab, e),
        })
    }

    fn division(&mut self, op: Binary, a: Term, b: Term, ab: &[Expr; 2], e: &Expr) -> Lowered {
        let Some(k) = self.constant(b) else {
            return refuse(ab[1].span, "division by something that is not constant");
        };
        if k.is_zero() {
            return Err(Diagnostic::error(ab[1].span, "division by zero"));
        }
        Ok(match op {
            Binary::Div if e.ty == Type::Rat => self.terms.scale(&k.recip(), a),
            Binary::Div => self.terms.div(a, &k),
            Binary::Mod => self.terms.modulo(a, &k),
            _ => {
                // rem takes the sign of `a`: for negative a it is −((−a) mod |k|)
                let zero = self.terms.int(0);
                let positive = self.terms.modulo(a, &k);
                let minus = self.terms.neg(a);
                let mirrored = self.terms.modulo(minus, &k);
                let negative = self.terms.neg(mirrored);
                let below = self.terms.lt(a, zero);
                self.terms.ite(below, negative, positive)
            }
        })
    }

    fn nary(&mut self, op: Nary, all: &[Expr], e: &Expr) -> Lowered {
        let parts = self.all(all)?;
        match op {
            Nary::And => Ok(self.terms.and(parts)),
            Nary::Or => Ok(self.terms.or(parts)),
            Nary::Mul => self.product(&parts, all, &e.ty),
            Nary::Concat => {
                let mut total = parts[0];
                for (t, part) in parts[1..].iter().zip(&all[1..]) {
                    let shifted = self.terms.scale(&bits::power(bits::width(&part.ty)), total);
                    total = self.terms.add([shifted, *t]);
                }
                Ok(total)
            }
            _ => {
                let mut total = parts[0];
                for t in &parts[1..] {
                    total = self.word_op(op, total, *t, e)?;
                }
                Ok(total)
            }
        }
    }

    /// A product with at most one factor that is not constant.
    fn product(&mut self, parts: &[Term], all: &[Expr], ty: &Type) -> Lowered {
        let mut factor = Q::ONE;
        let mut open: Option<(Term, Span)> = None;
        for (t, e) in parts.iter().zip(all) {
            match (self.constant(*t), &open) {
                (Some(k), _) => factor = &factor * &k,
                (None, None) => open = Some((*t, e.span)),
                // A product with a zero factor is zero, but all factors have to be lowered to find it.
                (None, Some(_)) if parts.iter().any(|t| self.constant(*t).is_some_and(|k| k.is_zero())) => {}
                (None, Some((_, first))) => return refuse(first.to(e.span), "nonlinear multiplication"),
            }
        }
        let sort = ty.sort().unwrap_or(Sort::Int);
        Ok(match open {
            Some((t, _)) if !factor.is_zero() => self.terms.scale(&factor, t),
            Some(_) => self.terms.num(Q::ZERO, sort),
            None => self.terms.num(factor, sort),
        })
    }
}
