//! The variables with values in the combined domain: those that the user names, or control-like ones (Hajdu, Tóth,
//! Vörös and Majzik, "A Configurable CEGAR Framework with Interpolation-Based Refinements", 2016, sections 4.1 and 5):
//! a variable that is only compared with constants would need a predicate for each of them.

use std::collections::BTreeSet;

use crate::expr::{Binary, Expr, Kind};
use crate::system::{Op, System, VarId};

/// The variables of these names.
pub(super) fn named(system: &System, names: &[String]) -> Result<BTreeSet<VarId>, String> {
    let find = |name: &String| {
        system.find_variable(name).ok_or_else(|| format!("explicit: the model has no variable '{name}'"))
    };
    names.iter().map(find).collect()
}

/// The control-like variables: only constants are assigned to them, and they are compared for equality with constants
/// only, or are truth values.
pub(super) fn variables(system: &System) -> BTreeSet<VarId> {
    let mut compared = BTreeSet::new();
    let mut other = BTreeSet::new();
    for edge in &system.edges {
        visit(&edge.op, &mut compared, &mut other);
    }
    expression(&system.initial_formula, &mut compared, &mut other);
    expression(&system.invariant, &mut compared, &mut other);
    let n = system.variables.len();
    let base = |all: BTreeSet<VarId>| all.into_iter().map(|v| Op::related(n, v).0).collect::<BTreeSet<_>>();
    base(compared).difference(&base(other)).copied().collect()
}

fn visit(op: &Op, compared: &mut BTreeSet<VarId>, other: &mut BTreeSet<VarId>) {
    match op {
        Op::Skip | Op::Promise(_) | Op::Havoc(_) => {}
        Op::Assume(e) | Op::Relation(_, e) => expression(e, compared, other),
        Op::Assign(v, e) => assignment(*v, e, compared, other),
        Op::Update(all) => all.iter().for_each(|(v, e)| assignment(*v, e, compared, other)),
        Op::Sequence(ops) => ops.iter().for_each(|op| visit(op, compared, other)),
    }
}

fn assignment(v: VarId, e: &Expr, compared: &mut BTreeSet<VarId>, other: &mut BTreeSet<VarId>) {
    let boolean = e.ty == crate::expr::Type::Bool;
    if !boolean && e.as_constant().is_none() {
        other.insert(v);
    }
    expression(e, compared, other);
}

/// Records how variables are used in an expression.
fn expression(e: &Expr, compared: &mut BTreeSet<VarId>, other: &mut BTreeSet<VarId>) {
    match &e.kind {
        Kind::Var(v) if e.ty == crate::expr::Type::Bool => {
            compared.insert(*v);
        }
        Kind::Var(v) => {
            other.insert(*v);
        }
        Kind::Binary(Binary::Eq | Binary::Ne, ab) => match (&ab[0].kind, &ab[1].kind) {
            (Kind::Var(v), _) if ab[1].as_constant().is_some() => {
                compared.insert(*v);
            }
            (_, Kind::Var(v)) if ab[0].as_constant().is_some() => {
                compared.insert(*v);
            }
            _ => ab.iter().for_each(|e| expression(e, compared, other)),
        },
        _ => e.children().into_iter().for_each(|e| expression(e, compared, other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_variables_are_found() {
        let text = "main process p { var pc : int var b : bool var x : int var y : int init loc A error loc E
            A -> A { assume pc = 1 and b and x < 5 pc := 2 b := x > 0 x := x + 1 }
            A -> E { assume pc /= 3 and y = x } }";
        let system = crate::formats::cfa::parse(text).unwrap();
        let names: Vec<&str> =
            variables(&system).into_iter().map(|v| system.variable(v).name.as_str()).collect();
        assert_eq!(names, ["pc", "b"]);
        assert!(named(&system, &["x".to_owned()]).is_ok());
        assert!(named(&system, &["z".to_owned()]).unwrap_err().contains("'z'"));
    }
}
