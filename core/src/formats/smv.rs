//! A system in the language of NuSMV and nuXmv, with reachability of the error location as an invariant. NuSMV itself
//! requires finite types; unbounded integers and reals are supported by nuXmv only.

use std::fmt::Write as _;

use crate::expr::{Binary, Expr, VarId};
use crate::formats::flat::{Flat, without_names};
use crate::formats::infix::Words;
use crate::system::{Op, System, VarType};

const WORDS: Words = Words {
    truth: ["FALSE", "TRUE"],
    not: "!",
    and: "&",
    or: "|",
    imply: "->",
    xor: "xor",
    iff: "<->",
    eq: "=",
    ite: ["", "?", ":"],
    rational: |q| Ok(format!("f'{}/{}", q.numerator(), q.denominator())),
    quotient,
    literal: |_, number| number.to_string(),
};

/// Writes a system, with reachability of its error location as an invariant.
///
/// # Errors
/// The construct that the language cannot express.
pub fn print(system: &System) -> Result<String, String> {
    let flat = Flat::of(system);
    let name = |v: VarId| match Op::related(flat.variables.len(), v) {
        (v, true) => format!("next({})", flat.variables[v.index()].0),
        (v, false) => flat.variables[v.index()].0.clone(),
    };
    let text = |e: &Expr| WORDS.text(&without_names(e)?, &name);
    let cases = |cases: &[Vec<Expr>]| -> Result<String, String> {
        let all: Result<Vec<String>, String> =
            cases.iter().map(|case| text(&Expr::and(case.clone()))).collect();
        Ok(if cases.is_empty() { "FALSE".to_owned() } else { all?.join("\n    | ") })
    };
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
            let _ = writeln!(out, "{word} {};", text(e)?);
        }
    }
    let transitions = cases(&flat.transitions)?;
    let _ = writeln!(out, "TRANS {transitions};");
    let bad = cases(&flat.bad)?;
    let _ = writeln!(out, "INVARSPEC !({bad});");
    Ok(out)
}

/// In NuSMV, division truncates towards zero; here the remainder of `/` and `mod` is never negative.
fn quotient(op: Binary, a: &str, b: &str) -> String {
    let rest = format!("({a} - ({a} / {b}) * {b})");
    match op {
        Binary::Rem => rest,
        Binary::Mod => format!("({rest} >= 0 ? {rest} : {rest} + ({b} > 0 ? {b} : - {b}))"),
        _ => format!("({rest} >= 0 ? {a} / {b} : {a} / {b} - ({b} > 0 ? 1 : -1))"),
    }
}
