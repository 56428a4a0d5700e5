//! A system in the language of NuSMV and nuXmv, with its question as an invariant. NuSMV itself needs finite types; integers
//! without a range and reals are nuXmv's.

use std::fmt::Write as _;

use crate::expr::{Binary, Expr, Kind, Nary, Sign, Type, Unary, VarId};
use crate::formats::flat::{Flat, without_names};
use crate::system::{Op, System, VarType};

/// Writes a system with its question, which is whether its error location can be reached.
///
/// # Errors
/// What the language has no words for.
pub fn print(system: &System) -> Result<String, String> {
    let flat = Flat::of(system);
    let printer = Printer { flat: &flat };
    let mut out = "MODULE main\nVAR\n".to_owned();
    for (name, ty) in &flat.variables {
        let ty = match ty {
            VarType::Bool => "boolean".to_owned(),
            VarType::Int => "integer".to_owned(),
            VarType::Real => "real".to_owned(),
            VarType::Range { lo, hi } => format!("{lo}..{hi}"),
        };
        let _ = writeln!(out, "    {name} : {ty};");
    }
    for (word, all) in [("INVAR", &flat.invariant), ("INIT", &flat.initial)] {
        for e in all {
            let _ = writeln!(out, "{word} {};", printer.text(&without_names(e)?));
        }
    }
    let transitions = printer.cases(&flat.transitions)?;
    let _ = writeln!(out, "TRANS {transitions};");
    let bad = printer.cases(&flat.bad)?;
    let _ = writeln!(out, "INVARSPEC !({bad});");
    Ok(out)
}

struct Printer<'a> {
    flat: &'a Flat,
}

impl Printer<'_> {
    fn cases(&self, cases: &[Vec<Expr>]) -> Result<String, String> {
        let mut all = Vec::with_capacity(cases.len());
        for case in cases {
            all.push(self.text(&without_names(&Expr::and(case.clone()))?));
        }
        Ok(if all.is_empty() { "FALSE".to_owned() } else { all.join("\n    | ") })
    }

    fn name(&self, v: VarId) -> String {
        match Op::related(self.flat.variables.len(), v) {
            (v, true) => format!("next({})", self.flat.variables[v.index()].0),
            (v, false) => self.flat.variables[v.index()].0.clone(),
        }
    }

    fn joined(&self, all: &[Expr], operator: &str) -> String {
        let all: Vec<String> = all.iter().map(|e| self.text(e)).collect();
        format!("({})", all.join(operator))
    }

    /// Division rounds towards zero there; here the remainder of `/` and `mod` is never negative.
    fn quotient(&self, op: Binary, a: String, b: String) -> String {
        let rest = format!("({a} - ({a} / {b}) * {b})");
        match op {
            Binary::Rem => rest,
            Binary::Mod => format!("({rest} >= 0 ? {rest} : {rest} + ({b} > 0 ? {b} : - {b}))"),
            _ => format!("({rest} >= 0 ? {a} / {b} : {a} / {b} - ({b} > 0 ? 1 : -1))"),
        }
    }

    /// Every operator in parentheses.
    fn text(&self, e: &Expr) -> String {
        match &e.kind {
            Kind::Bool(true) => "TRUE".to_owned(),
            Kind::Bool(false) => "FALSE".to_owned(),
            Kind::Num(q) if e.ty == Type::Rat => format!("f'{}/{}", q.numerator(), q.denominator()),
            Kind::Num(q) => q.to_string(),
            Kind::Var(v) => self.name(*v),
            Kind::Unary(Unary::Not, a) => format!("!{}", self.text(a)),
            Kind::Unary(Unary::Neg, a) => format!("(- {})", self.text(a)),
            Kind::Unary(_, a) => self.text(a),
            Kind::Binary(op @ (Binary::Div | Binary::Mod | Binary::Rem), ab) if e.ty != Type::Rat => {
                self.quotient(*op, self.text(&ab[0]), self.text(&ab[1]))
            }
            Kind::Binary(op, ab) => self.joined(&ab[..], binary(*op)),
            Kind::Nary(Nary::And, all) => self.joined(all, " & "),
            Kind::Nary(Nary::Or, all) => self.joined(all, " | "),
            Kind::Nary(_, all) => self.joined(all, " * "),
            Kind::Sum(all) => {
                let sign = |(i, (sign, e)): (usize, &(Sign, Expr))| match sign {
                    _ if i == 0 => self.text(e),
                    Sign::Plus => format!(" + {}", self.text(e)),
                    Sign::Minus => format!(" - {}", self.text(e)),
                };
                format!("({})", all.iter().enumerate().map(sign).collect::<String>())
            }
            Kind::Ite(abc) => {
                format!("({} ? {} : {})", self.text(&abc[0]), self.text(&abc[1]), self.text(&abc[2]))
            }
            Kind::Read(_) | Kind::Write(_) | Kind::Array(..) => unreachable!("arrays have been split"),
        }
    }
}

fn binary(op: Binary) -> &'static str {
    match op {
        Binary::Iff => " <-> ",
        Binary::Imply => " -> ",
        Binary::Xor => " xor ",
        Binary::Eq => " = ",
        Binary::Ne => " != ",
        Binary::Lt => " < ",
        Binary::Le => " <= ",
        Binary::Gt => " > ",
        Binary::Ge => " >= ",
        Binary::Div => " / ",
        Binary::Mod | Binary::Rem | Binary::Bv(_) | Binary::BvCompare(_) => {
            unreachable!("written in other words, or refused")
        }
    }
}
