//! A system as the text of an extended symbolic transition system. Values of enumerations are numbers.
//!
//! A path of the system is a branch of `trans`: its conditions, then its assignments. A new value that is only
//! constrained becomes a local variable with any value and an assumption.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::expr::{Binary, Expr, Kind, VarId};
use crate::formats::flat::{Flat, without_names};
use crate::formats::infix::Words;
use crate::system::{Op, System, VarType};

const WORDS: Words = Words {
    truth: ["false", "true"],
    not: "!",
    and: "&&",
    or: "||",
    imply: "=>",
    xor: "xor",
    iff: "iff",
    eq: "==",
    ite: ["if ", "then", "else"],
    rational: |q| match q.is_integer() {
        true => Ok(q.to_string()),
        false => Err("fractions cannot be written in this language".to_owned()),
    },
    literal: |_, number| number.to_string(),
    quotient: |op, a, b| match op {
        Binary::Mod => format!("({a} % {b})"),
        Binary::Rem => format!("({a} rem {b})"),
        _ => format!("({a} / {b})"),
    },
};

/// Writes a system, with unreachability of its error location as the property, which is evaluated in states after
/// `init`.
///
/// # Errors
/// The construct that the language cannot express.
pub fn print(system: &System) -> Result<String, String> {
    let mut flat = Flat::of(system);
    let started = unused("started", &flat);
    // The constraints on every state.
    let mut always = std::mem::take(&mut flat.invariant);
    for (v, (_, ty)) in flat.variables.iter().enumerate() {
        if let VarType::Range { lo, hi } = ty {
            let [x, lo, hi] = [Expr::var(VarId::new(v), crate::expr::Type::Int), number(lo), number(hi)];
            always.push(Expr::compare(Binary::Le, lo, x.clone()));
            always.push(Expr::compare(Binary::Le, x, hi));
        }
    }
    let printer = Printer { flat: &flat, always: &always };
    let mut out = String::new();
    for (name, ty) in &flat.variables {
        let _ = writeln!(out, "var {name} : {}", sort(ty));
    }
    let _ = writeln!(out, "var {started} : boolean = false");
    let mut branches = Vec::with_capacity(flat.transitions.len());
    for case in &flat.transitions {
        branches.push(format!("{{\n{}}}", printer.branch(case)?));
    }
    if branches.is_empty() {
        branches.push("{\n    assume false;\n}".to_owned());
    }
    let _ = writeln!(out, "\ntrans {}\n\ninit {{", branches.join(" or "));
    for e in flat.initial.iter().chain(&always) {
        let _ = writeln!(out, "    assume {};", printer.text(e)?);
    }
    let _ = writeln!(out, "    {started} := true;\n}}\n\nenv {{}}\n\nprop {{");
    let mut bad = Vec::with_capacity(flat.bad.len());
    for case in &flat.bad {
        bad.push(printer.text(&Expr::and(case.clone()))?);
    }
    let bad = if bad.is_empty() { "false".to_owned() } else { bad.join(" || ") };
    let _ = writeln!(out, "    {started} => !({bad})\n}}");
    Ok(out)
}

fn number(q: &solver_lite::number::Q) -> Expr {
    Expr::num(q.clone(), crate::expr::Type::Int)
}

fn sort(ty: &VarType) -> &'static str {
    match ty {
        VarType::Bool => "boolean",
        VarType::Real => "rational",
        VarType::Int | VarType::Range { .. } => "integer",
    }
}

/// A similar name that no variable has.
fn unused(name: &str, flat: &Flat) -> String {
    let mut name = name.to_owned();
    while flat.variables.iter().any(|(other, _)| *other == name) {
        name.push('_');
    }
    name
}

struct Printer<'a> {
    flat: &'a Flat,
    always: &'a [Expr],
}

impl Printer<'_> {
    /// `x`, or `x_next` for its new value.
    fn name(&self, v: VarId) -> String {
        match Op::related(self.flat.variables.len(), v) {
            (v, true) => unused(&format!("{}_next", self.flat.variables[v.index()].0), self.flat),
            (v, false) => self.flat.variables[v.index()].0.clone(),
        }
    }

    fn text(&self, e: &Expr) -> Result<String, String> {
        WORDS.text(&without_names(e)?, &|v| self.name(v))
    }

    /// A path as statements.
    fn branch(&self, case: &[Expr]) -> Result<String, String> {
        let n = self.flat.variables.len();
        let is_new = |v: &VarId| v.index() >= n;
        let mut values: BTreeMap<VarId, &Expr> = BTreeMap::new();
        let (mut conditions, mut relations) = (Vec::new(), Vec::new());
        for e in case {
            match assigned(e, n).filter(|(v, _)| !values.contains_key(v)) {
                Some((v, value)) => {
                    values.insert(v, value);
                }
                None if e.variables().iter().any(is_new) => relations.push(e),
                None => conditions.push(e),
            }
        }
        let kept = |v: VarId| values.get(&v).is_some_and(|e| e.kind == Kind::Var(v));
        let read: BTreeSet<VarId> =
            values.iter().filter(|(v, _)| !kept(**v)).flat_map(|(_, e)| e.variables()).collect();
        let mut out = String::new();
        for e in conditions {
            let _ = writeln!(out, "    assume {};", self.text(e)?);
        }
        let (mut direct, mut late) = (Vec::new(), Vec::new());
        for v in (0..n).map(VarId::new) {
            let [name, next] = [v, VarId::new(n + v.index())].map(|v| self.name(v));
            match values.get(&v) {
                Some(_) if kept(v) && relations.is_empty() => continue,
                Some(value) if relations.is_empty() && !read.contains(&v) => {
                    direct.push(format!("    {name} := {};\n", self.text(value)?));
                    continue;
                }
                Some(value) => {
                    let ty = sort(&self.flat.variables[v.index()].1);
                    let _ = writeln!(out, "    local var {next} : {ty} = {};", self.text(value)?);
                }
                None if relations.is_empty() => {
                    late.push(format!("    havoc {name};\n"));
                    continue;
                }
                None => {
                    let ty = sort(&self.flat.variables[v.index()].1);
                    let _ = writeln!(out, "    local var {next} : {ty};\n    havoc {next};");
                }
            }
            late.push(format!("    {name} := {next};\n"));
        }
        for e in relations {
            let _ = writeln!(out, "    assume {};", self.text(e)?);
        }
        out.extend(direct);
        out.extend(late);
        for e in self.always {
            let _ = writeln!(out, "    assume {};", self.text(e)?);
        }
        Ok(out)
    }
}

/// `x' = e` over old values.
fn assigned(e: &Expr, n: usize) -> Option<(VarId, &Expr)> {
    let Kind::Binary(Binary::Eq | Binary::Iff, ab) = &e.kind else { return None };
    let Kind::Var(v) = ab[0].kind else { return None };
    let (v, new) = Op::related(n, v);
    (new && ab[1].variables().iter().all(|w| w.index() < n)).then_some((v, &ab[1]))
}
