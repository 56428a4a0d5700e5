//! Text of expressions in Theta's syntax; parsing it gives the same expression.
//!
//! An operand is put in parentheses unless it binds tighter than its operator, so chains stay chains.

use std::fmt::Write as _;

use solver_lite::number::Q;

use super::parse::level;
use crate::expr::{Binary, BvBinary, BvCompare, Expr, Kind, Nary, Sign, Type, Unary, VarId};

impl Expr {
    /// The text, where `name` gives the names of variables.
    #[must_use]
    pub fn text(&self, name: &dyn Fn(VarId) -> String) -> String {
        let mut printer = Printer { out: String::new(), name };
        printer.expr(self, level::ITE);
        printer.out
    }
}

struct Printer<'a> {
    out: String,
    name: &'a dyn Fn(VarId) -> String,
}

impl Printer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Prints `e` as an operand in a position that requires at least the level `least`.
    fn expr(&mut self, e: &Expr, least: u8) {
        let own = binds(e);
        if own < least {
            self.put("(");
            self.bare(e);
            self.put(")");
        } else {
            self.bare(e);
        }
    }

    fn list<'e>(&mut self, all: impl Iterator<Item = &'e Expr>, op: &str, at: u8) {
        for (i, e) in all.enumerate() {
            if i > 0 {
                self.put(op);
            }
            self.expr(e, at + 1);
        }
    }

    fn bare(&mut self, e: &Expr) {
        let at = binds(e);
        match &e.kind {
            Kind::Bool(b) => self.put(if *b { "true" } else { "false" }),
            Kind::Num(q) => self.put(&number(q, &e.ty)),
            Kind::Var(v) => {
                let name = (self.name)(*v);
                self.put(&name);
            }
            Kind::Unary(op, a) => self.unary(*op, a, at),
            Kind::Binary(op @ (Binary::Iff | Binary::Imply | Binary::Xor), ab) => {
                // These operators are right-associative.
                self.expr(&ab[0], at + 1);
                self.put(binary(*op));
                self.expr(&ab[1], at);
            }
            Kind::Binary(op, ab) => self.list(ab.iter(), binary(*op), at),
            Kind::Nary(op, all) => self.list(all.iter(), nary(*op), at),
            Kind::Sum(all) => {
                let bv = matches!(e.ty, Type::Bv(_));
                for (i, (sign, e)) in all.iter().enumerate() {
                    match (sign, bv) {
                        _ if i == 0 => {}
                        (Sign::Plus, false) => self.put(" + "),
                        (Sign::Minus, false) => self.put(" - "),
                        (Sign::Plus, true) => self.put(" bvadd "),
                        (Sign::Minus, true) => self.put(" bvsub "),
                    }
                    self.expr(e, at + 1);
                }
            }
            Kind::Ite(abc) => {
                self.put("if ");
                self.expr(&abc[0], level::IFF);
                self.put(" then ");
                self.expr(&abc[1], level::IFF);
                self.put(" else ");
                self.expr(&abc[2], level::ITE);
            }
            Kind::Read(ab) => {
                self.expr(&ab[0], at);
                self.put("[");
                self.expr(&ab[1], level::ITE);
                self.put("]");
            }
            Kind::Write(abc) => {
                self.expr(&abc[0], at);
                self.put("[");
                self.expr(&abc[1], level::ITE);
                self.put(" <- ");
                self.expr(&abc[2], level::ITE);
                self.put("]");
            }
            Kind::Array(elements, default) => self.array(e, elements, default),
        }
    }

    fn array(&mut self, e: &Expr, elements: &[[Expr; 2]], default: &Expr) {
        self.put("[");
        for [index, element] in elements {
            self.expr(index, level::ITE);
            self.put(" <- ");
            self.expr(element, level::ITE);
            self.put(", ");
        }
        if let Type::Array(index, _) = &e.ty {
            let _ = write!(self.out, "<{index}> ");
        }
        self.put("default <- ");
        self.expr(default, level::ITE);
        self.put("]");
    }

    fn unary(&mut self, op: Unary, a: &Expr, at: u8) {
        match op {
            Unary::Not => self.put("not "),
            Unary::Neg => self.put("-"),
            Unary::BvNeg => self.put("bvneg "),
            Unary::BvNot => self.put("bvnot "),
            Unary::ToRat => return self.bare(a),
            Unary::ZeroExtend(n) | Unary::SignExtend(n) => {
                self.expr(a, at + 1);
                let word = if matches!(op, Unary::ZeroExtend(_)) { "zero" } else { "sign" };
                let _ = write!(self.out, " bv_{word}_extend bv[{n}]");
                return;
            }
            Unary::Extract { until, from } => {
                self.expr(a, at);
                let _ = write!(self.out, "[{until}:{from}]");
                return;
            }
        }
        self.expr(a, if op == Unary::Not { at + 1 } else { at });
    }
}

/// The binding strength of the outermost operator.
fn binds(e: &Expr) -> u8 {
    match &e.kind {
        Kind::Num(q) if q.is_negative() => level::UNARY,
        Kind::Bool(_) | Kind::Num(_) | Kind::Var(_) | Kind::Array(..) => level::ACCESS,
        Kind::Unary(Unary::ToRat, a) => binds(a),
        Kind::Unary(Unary::Not, _) => level::NOT,
        Kind::Unary(Unary::Neg | Unary::BvNeg, _) => level::UNARY,
        Kind::Unary(Unary::BvNot, _) => level::BV_NOT,
        Kind::Unary(Unary::ZeroExtend(_) | Unary::SignExtend(_), _) => level::EXTEND,
        Kind::Unary(Unary::Extract { .. }, _) | Kind::Read(_) | Kind::Write(_) => level::ACCESS,
        Kind::Binary(op, _) => match op {
            Binary::Iff => level::IFF,
            Binary::Imply => level::IMPLY,
            Binary::Xor => level::XOR,
            Binary::Eq | Binary::Ne => level::EQUALITY,
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge | Binary::BvCompare(_) => level::RELATION,
            Binary::Div | Binary::Mod | Binary::Rem => level::MULTIPLICATIVE,
            Binary::Bv(BvBinary::Shl | BvBinary::Ashr | BvBinary::Lshr | BvBinary::Rol | BvBinary::Ror) => {
                level::SHIFT
            }
            Binary::Bv(_) => level::MULTIPLICATIVE,
        },
        Kind::Nary(op, _) => match op {
            Nary::And => level::AND,
            Nary::Or => level::OR,
            Nary::Mul | Nary::BvMul => level::MULTIPLICATIVE,
            Nary::BvAnd => level::BV_AND,
            Nary::BvOr => level::BV_OR,
            Nary::BvXor => level::BV_XOR,
            Nary::Concat => level::CONCAT,
        },
        Kind::Sum(_) => level::ADDITIVE,
        Kind::Ite(_) => level::ITE,
    }
}

fn binary(op: Binary) -> &'static str {
    match op {
        Binary::Iff => " iff ",
        Binary::Imply => " imply ",
        Binary::Xor => " xor ",
        Binary::Eq => " = ",
        Binary::Ne => " /= ",
        Binary::Lt => " < ",
        Binary::Le => " <= ",
        Binary::Gt => " > ",
        Binary::Ge => " >= ",
        Binary::Div => " / ",
        Binary::Mod => " mod ",
        Binary::Rem => " rem ",
        Binary::BvCompare(op) => match op {
            BvCompare::Ult => " bvult ",
            BvCompare::Ule => " bvule ",
            BvCompare::Ugt => " bvugt ",
            BvCompare::Uge => " bvuge ",
            BvCompare::Slt => " bvslt ",
            BvCompare::Sle => " bvsle ",
            BvCompare::Sgt => " bvsgt ",
            BvCompare::Sge => " bvsge ",
        },
        Binary::Bv(op) => match op {
            BvBinary::Shl => " bvshl ",
            BvBinary::Ashr => " bvashr ",
            BvBinary::Lshr => " bvlshr ",
            BvBinary::Rol => " bvrol ",
            BvBinary::Ror => " bvror ",
            BvBinary::Udiv => " bvudiv ",
            BvBinary::Sdiv => " bvsdiv ",
            BvBinary::Smod => " bvsmod ",
            BvBinary::Urem => " bvurem ",
            BvBinary::Srem => " bvsrem ",
        },
    }
}

fn nary(op: Nary) -> &'static str {
    match op {
        Nary::And => " and ",
        Nary::Or => " or ",
        Nary::Mul => " * ",
        Nary::BvMul => " bvmul ",
        Nary::BvAnd => " bvand ",
        Nary::BvOr => " bvor ",
        Nary::BvXor => " bvxor ",
        Nary::Concat => " ++ ",
    }
}

/// A number as a literal of its type.
pub(crate) fn number(q: &Q, ty: &Type) -> String {
    let sign = if q.is_negative() { "-" } else { "" };
    match ty {
        Type::Bv(n) => format!("{n}'d{q}"),
        Type::Enum(e) => e.literal(q).map_or_else(|| q.to_string(), str::to_owned),
        Type::Rat => format!("{sign}{} % {}", q.abs().numerator(), q.denominator()),
        _ => q.to_string(),
    }
}
