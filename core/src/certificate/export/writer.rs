//! Scripts in SMT-LIB 2.6: declarations, states, operations and expressions as text.

use std::fmt::Write as _;

use solver_lite::number::Q;

use super::Script;
use crate::certificate::check::{Rejection, reject};
use crate::expr::{Binary, BvBinary, BvCompare, Expr, Kind, Nary, Sign, Type, Unary, power_of_two};
use crate::system::{Op, System, VarId, VarType};

/// A script under construction.
pub(super) struct Writer<'a> {
    system: &'a System,
    pub(super) out: String,
    names: usize,
}

impl<'a> Writer<'a> {
    pub(super) fn new(system: &'a System, what: &str) -> Writer<'a> {
        let what = what.replace('\n', " ");
        let out = format!("; {what}\n(set-info :status unsat)\n(set-logic ALL)\n");
        Writer { system, out, names: 0 }
    }

    pub(super) fn done(mut self, name: String) -> Script {
        self.out.push_str("(check-sat)\n");
        Script { name: format!("{name}.smt2"), text: self.out }
    }

    pub(super) fn fresh(&mut self, base: &str, sort: &str) -> String {
        self.names += 1;
        let base: String = base.chars().filter(|c| *c != '|' && *c != '\\').collect();
        let name = format!("|{base}#{}|", self.names);
        let _ = writeln!(self.out, "(declare-const {name} {sort})");
        name
    }

    fn value(&mut self, v: VarId) -> String {
        let variable = self.system.variable(v);
        let sort = match variable.ty {
            VarType::Bool => "Bool",
            VarType::Real => "Real",
            VarType::Int | VarType::Range { .. } => "Int",
        };
        self.fresh(&variable.name, sort)
    }

    /// A state with fresh values of the variables' types.
    pub(super) fn state(&mut self) -> Result<Vec<String>, Rejection> {
        let state: Vec<String> = self.system.var_ids().map(|v| self.value(v)).collect();
        let ranges = self.ranges(&state);
        let _ = writeln!(self.out, "(assert (and true true{ranges}))");
        Ok(state)
    }

    fn range(&self, v: VarId, value: &str) -> String {
        match &self.system.variable(v).ty {
            VarType::Range { lo, hi } => format!(" (<= {} {value} {})", integer(lo), integer(hi)),
            _ => String::new(),
        }
    }

    pub(super) fn ranges(&self, state: &[String]) -> String {
        self.system.var_ids().map(|v| self.range(v, &state[v.index()])).collect()
    }

    pub(super) fn assert_all(&mut self, all: &[&Expr], state: &[String]) -> Result<(), Rejection> {
        for e in all {
            let text = expr(e, state)?;
            let _ = writeln!(self.out, "(assert {text})");
        }
        Ok(())
    }

    /// The join of these paths: the condition that it is reached, and its values.
    pub(super) fn meet(
        &mut self,
        mut entries: Vec<(String, Vec<String>)>,
    ) -> Result<(String, Vec<String>), Rejection> {
        if entries.len() == 1 {
            return Ok(entries.remove(0));
        }
        let here = self.fresh("at", "Bool");
        let taken: Vec<&str> = entries.iter().map(|(taken, _)| taken.as_str()).collect();
        let _ = writeln!(self.out, "(assert (=> {here} (or {})))", taken.join(" "));
        let mut state = entries[0].1.clone();
        for v in self.system.var_ids() {
            if entries.iter().all(|(_, values)| values[v.index()] == state[v.index()]) {
                continue;
            }
            let value = self.value(v);
            for (taken, values) in &entries {
                let _ = writeln!(self.out, "(assert (=> {taken} (= {value} {})))", values[v.index()]);
            }
            state[v.index()] = value;
        }
        Ok((here, state))
    }

    /// The condition of an operation, and the values after it.
    pub(super) fn op(&mut self, op: &Op, taken: &str, state: &mut [String]) -> Result<(), Rejection> {
        match op {
            Op::Skip | Op::Promise(_) => {}
            Op::Assume(e) => {
                let e = expr(e, state)?;
                let _ = writeln!(self.out, "(assert (=> {taken} {e}))");
            }
            Op::Assign(v, e) => self.write(&[(*v, e)], state)?,
            Op::Update(all) => self.write(&all.iter().map(|(v, e)| (*v, e)).collect::<Vec<_>>(), state)?,
            Op::Havoc(v) => {
                let value = self.value(*v);
                let range = self.range(*v, &value);
                let _ = writeln!(self.out, "(assert (and true true{range}))");
                state[v.index()] = value;
            }
            Op::Relation(n, e) => {
                let after = self.state()?;
                let both: Vec<String> = state[..*n].iter().chain(&after).cloned().collect();
                let e = expr(e, &both)?;
                let _ = writeln!(self.out, "(assert (=> {taken} {e}))");
                state[..*n].clone_from_slice(&after[..*n]);
            }
            Op::Sequence(ops) => ops.iter().try_for_each(|op| self.op(op, taken, state))?,
        }
        Ok(())
    }

    /// Several assignments at once.
    fn write(&mut self, all: &[(VarId, &Expr)], state: &mut [String]) -> Result<(), Rejection> {
        let values: Result<Vec<String>, Rejection> = all.iter().map(|(_, e)| expr(e, state)).collect();
        for ((v, _), value) in all.iter().zip(values?) {
            let name = self.value(*v);
            let _ = writeln!(self.out, "(assert (= {name} {value}))");
            state[v.index()] = name;
        }
        Ok(())
    }
}

fn integer(q: &Q) -> String {
    if q.is_negative() { format!("(- {})", -q) } else { q.to_string() }
}

fn number(q: &Q, ty: &Type) -> String {
    if *ty != Type::Rat {
        return integer(q);
    }
    let text = if q.is_negative() { (-q).to_string() } else { q.to_string() };
    let (up, down) = text.split_once('/').unwrap_or((&text, "1"));
    let positive = format!("(/ {up}.0 {down}.0)");
    if q.is_negative() { format!("(- {positive})") } else { positive }
}

/// An expression over these values.
pub(super) fn expr(e: &Expr, state: &[String]) -> Result<String, Rejection> {
    let of = |e: &Expr| expr(e, state);
    let list = |op: &str, all: &[Expr]| -> Result<String, Rejection> {
        let parts: Result<Vec<String>, Rejection> = all.iter().map(of).collect();
        Ok(format!("({op} {})", parts?.join(" ")))
    };
    let size = |e: &Expr| if let Type::Bv(n) = e.ty { n } else { 0 };
    let two = |n: u32| power_of_two(n).to_string();
    Ok(match &e.kind {
        Kind::Bool(b) => b.to_string(),
        Kind::Num(q) => number(q, &e.ty),
        Kind::Var(v) => state[v.index()].clone(),
        Kind::Unary(op, a) => {
            let (text, n) = (of(a)?, size(a));
            match op {
                Unary::Not => format!("(not {text})"),
                Unary::Neg => format!("(- {text})"),
                Unary::ToRat => format!("(to_real {text})"),
                Unary::BvNeg => format!("(mod (- {text}) {})", two(n)),
                Unary::BvNot => format!("(- {} 1 {text})", two(n)),
                Unary::ZeroExtend(_) => text,
                Unary::SignExtend(to) => {
                    let wider = format!("(- (+ a! {}) {})", two(*to), two(n));
                    format!("(let ((a! {text})) (ite (>= a! {}) {wider} a!))", two(n - 1))
                }
                Unary::Extract { until, from } => {
                    format!("(mod (div {text} {}) {})", two(*from), two(until - from))
                }
            }
        }
        Kind::Binary(op, ab) => binary(*op, &of(&ab[0])?, &of(&ab[1])?, &ab[0].ty)?,
        Kind::Nary(op, all) => match op {
            Nary::And => list("and", all)?,
            Nary::Or => list("or", all)?,
            Nary::Mul => list("*", all)?,
            Nary::BvMul => format!("(mod {} {})", list("*", all)?, two(size(e))),
            Nary::BvAnd | Nary::BvOr | Nary::BvXor => {
                let name = match op {
                    Nary::BvAnd => "bvand",
                    Nary::BvOr => "bvor",
                    _ => "bvxor",
                };
                let n = size(e);
                let parts: Result<Vec<String>, Rejection> = all.iter().map(of).collect();
                let words: Vec<String> = parts?.iter().map(|p| format!("((_ int2bv {n}) {p})")).collect();
                let first = words[0].clone();
                let all = words[1..].iter().fold(first, |sum, word| format!("({name} {sum} {word})"));
                format!("(bv2nat {all})")
            }
            Nary::Concat => {
                let mut sum = "0".to_owned();
                for part in all {
                    sum = format!("(+ (* {sum} {}) {})", two(size(part)), of(part)?);
                }
                sum
            }
        },
        Kind::Sum(all) => {
            let mut parts = Vec::new();
            for (sign, part) in all {
                let text = of(part)?;
                parts.push(if *sign == Sign::Plus { text } else { format!("(- {text})") });
            }
            let sum = format!("(+ {})", parts.join(" "));
            if size(e) > 0 { format!("(mod {sum} {})", two(size(e))) } else { sum }
        }
        Kind::Ite(abc) => format!("(ite {} {} {})", of(&abc[0])?, of(&abc[1])?, of(&abc[2])?),
        Kind::Read(_) | Kind::Write(_) | Kind::Array(..) => return reject("arrays are not exported"),
    })
}

fn binary(op: Binary, a: &str, b: &str, ty: &Type) -> Result<String, Rejection> {
    let n = if let Type::Bv(n) = ty { *n } else { 0 };
    let simple = |name: &str| format!("({name} {a} {b})");
    let signed = |x: &str| {
        format!("(let ((a! {x})) (ite (>= a! {}) (- a! {}) a!))", power_of_two(n.max(1) - 1), power_of_two(n))
    };
    Ok(match op {
        Binary::Iff | Binary::Eq => simple("="),
        Binary::Imply => simple("=>"),
        Binary::Xor => simple("xor"),
        Binary::Ne => format!("(not {})", simple("=")),
        Binary::Lt => simple("<"),
        Binary::Le => simple("<="),
        Binary::Gt => simple(">"),
        Binary::Ge => simple(">="),
        Binary::Div if *ty == Type::Rat => simple("/"),
        Binary::Div => simple("div"),
        Binary::Mod => simple("mod"),
        // The result has the sign of the first operand.
        Binary::Rem => {
            format!("(let ((a! {a}) (b! {b})) (ite (>= a! 0) (mod a! b!) (- (mod (- a!) b!))))")
        }
        Binary::BvCompare(compare) => match compare {
            BvCompare::Ult => simple("<"),
            BvCompare::Ule => simple("<="),
            BvCompare::Ugt => simple(">"),
            BvCompare::Uge => simple(">="),
            BvCompare::Slt => format!("(< {} {})", signed(a), signed(b)),
            BvCompare::Sle => format!("(<= {} {})", signed(a), signed(b)),
            BvCompare::Sgt => format!("(> {} {})", signed(a), signed(b)),
            BvCompare::Sge => format!("(>= {} {})", signed(a), signed(b)),
        },
        Binary::Bv(op) => {
            let name = match op {
                BvBinary::Shl => "bvshl",
                BvBinary::Ashr => "bvashr",
                BvBinary::Lshr => "bvlshr",
                BvBinary::Udiv => "bvudiv",
                BvBinary::Sdiv => "bvsdiv",
                BvBinary::Smod => "bvsmod",
                BvBinary::Urem => "bvurem",
                BvBinary::Srem => "bvsrem",
                BvBinary::Rol | BvBinary::Ror => {
                    let (left, right) =
                        if op == BvBinary::Rol { ("bvshl", "bvlshr") } else { ("bvlshr", "bvshl") };
                    let word = |x: &str| format!("((_ int2bv {n}) {x})");
                    let (x, by) = (word("a!"), word(&format!("(mod b! {n})")));
                    let rest = word(&format!("(- {n} (mod b! {n}))"));
                    let rotated = format!("(bv2nat (bvor ({left} {x} {by}) ({right} {x} {rest})))");
                    return Ok(format!("(let ((a! {a}) (b! {b})) {rotated})"));
                }
            };
            format!("(bv2nat ({name} ((_ int2bv {n}) {a}) ((_ int2bv {n}) {b})))")
        }
    })
}
