//! A system as the text of a symbolic transition system. Values of enumerations are numbers.

use std::fmt::Write as _;

use crate::expr::{Expr, VarId};
use crate::formats::flat::{Flat, without_names};
use crate::system::{Op, System, VarType};

/// Writes a system, with unreachability of its error location as the property.
///
/// # Errors
/// The construct that the language cannot express.
pub fn print(system: &System) -> Result<String, String> {
    let flat = Flat::of(system);
    let n = flat.variables.len();
    let name = |v: VarId| match Op::related(n, v) {
        (v, true) => format!("{}'", flat.variables[v.index()].0),
        (v, false) => flat.variables[v.index()].0.clone(),
    };
    let text = |e: &Expr| without_names(e).map(|e| e.text(&name));
    let mut out = "specification model {\n    property safe : {\n".to_owned();
    for (name, ty) in &flat.variables {
        let (sort, range) = match ty {
            VarType::Bool => ("bool", None),
            VarType::Int => ("int", None),
            VarType::Real => ("rat", None),
            VarType::Range { lo, hi } => ("int", Some((lo, hi))),
        };
        let _ = writeln!(out, "        var {name} : {sort}");
        if let Some((lo, hi)) = range {
            let _ = writeln!(out, "        invariant {lo} <= {name} and {name} <= {hi}");
        }
    }
    for e in &flat.invariant {
        let _ = writeln!(out, "        invariant {}", text(e)?);
    }
    for e in &flat.initial {
        let _ = writeln!(out, "        initial {}", text(e)?);
    }
    let joined = |cases: &[Vec<Expr>], word: &str| -> Result<String, String> {
        let cases: Result<Vec<String>, String> =
            cases.iter().map(|case| text(&Expr::and(case.clone()))).collect();
        Ok(cases?.iter().map(|c| format!("({c})")).collect::<Vec<_>>().join(word))
    };
    let transitions = match flat.transitions.len() {
        0 => "false".to_owned(),
        _ => joined(&flat.transitions, "\n            or ")?,
    };
    let _ = writeln!(out, "        transition {transitions}");
    let bad = if flat.bad.is_empty() { "false".to_owned() } else { joined(&flat.bad, " or ")? };
    let _ = writeln!(out, "    }} models G(not ({bad}))\n}}");
    Ok(out)
}
