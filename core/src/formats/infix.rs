//! Expressions in the syntax of other languages, with parentheses around every operator.

use solver_lite::number::Q;

use crate::expr::{Binary, Enumeration, Expr, Kind, Nary, Sign, Type, Unary, VarId};

/// The syntax of a language.
pub(super) struct Words {
    pub(super) truth: [&'static str; 2],
    pub(super) not: &'static str,
    pub(super) and: &'static str,
    pub(super) or: &'static str,
    pub(super) imply: &'static str,
    pub(super) iff: &'static str,
    pub(super) xor: &'static str,
    pub(super) eq: &'static str,
    /// The text before, between and after the parts of a conditional expression.
    pub(super) ite: [&'static str; 3],
    /// A number of rational type.
    pub(super) rational: fn(&Q) -> Result<String, String>,
    /// `/`, `mod` or `rem` of integers.
    pub(super) quotient: fn(Binary, &str, &str) -> String,
    /// A value of an enumeration.
    pub(super) literal: fn(&Enumeration, &Q) -> String,
}

impl Words {
    /// The text of an expression without bit-vectors and arrays.
    ///
    /// # Errors
    /// The construct that the language cannot express.
    pub(super) fn text(&self, e: &Expr, name: &dyn Fn(VarId) -> String) -> Result<String, String> {
        let text = |e: &Expr| self.text(e, name);
        let joined = |all: &[Expr], operator: &str| -> Result<String, String> {
            let all: Result<Vec<String>, String> = all.iter().map(text).collect();
            Ok(format!("({})", all?.join(&format!(" {operator} "))))
        };
        Ok(match &e.kind {
            Kind::Bool(value) => self.truth[usize::from(*value)].to_owned(),
            Kind::Num(q) if e.ty == Type::Rat => (self.rational)(q)?,
            Kind::Num(q) => match &e.ty {
                Type::Enum(values) => (self.literal)(values, q),
                _ => q.to_string(),
            },
            Kind::Var(v) => name(*v),
            Kind::Unary(Unary::Not, a) => format!("({}{})", self.not, text(a)?),
            Kind::Unary(Unary::Neg, a) => format!("(- {})", text(a)?),
            Kind::Unary(_, a) => text(a)?,
            Kind::Binary(op @ (Binary::Div | Binary::Mod | Binary::Rem), ab) if e.ty != Type::Rat => {
                (self.quotient)(*op, &text(&ab[0])?, &text(&ab[1])?)
            }
            Kind::Binary(op, ab) => joined(&ab[..], self.binary(*op))?,
            Kind::Nary(Nary::And, all) => joined(all, self.and)?,
            Kind::Nary(Nary::Or, all) => joined(all, self.or)?,
            Kind::Nary(_, all) => joined(all, "*")?,
            Kind::Sum(all) => {
                let mut sum = String::new();
                for (i, (sign, e)) in all.iter().enumerate() {
                    let sign = match sign {
                        _ if i == 0 => "",
                        Sign::Plus => " + ",
                        Sign::Minus => " - ",
                    };
                    sum.push_str(sign);
                    sum.push_str(&text(e)?);
                }
                format!("({sum})")
            }
            Kind::Ite(abc) => {
                let [before, then, other] = self.ite;
                let [a, b, c] = [text(&abc[0])?, text(&abc[1])?, text(&abc[2])?];
                format!("({before}{a} {then} {b} {other} {c})")
            }
            Kind::Read(_) | Kind::Write(_) | Kind::Array(..) => unreachable!("arrays have been split"),
        })
    }

    fn binary(&self, op: Binary) -> &'static str {
        match op {
            Binary::Iff => self.iff,
            Binary::Imply => self.imply,
            Binary::Xor => self.xor,
            Binary::Eq => self.eq,
            Binary::Ne => "!=",
            Binary::Lt => "<",
            Binary::Le => "<=",
            Binary::Gt => ">",
            Binary::Ge => ">=",
            Binary::Div => "/",
            Binary::Mod | Binary::Rem | Binary::Bv(_) | Binary::BvCompare(_) => {
                unreachable!("written in other words, or refused")
            }
        }
    }
}
