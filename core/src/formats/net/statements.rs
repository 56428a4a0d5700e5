//! The firings of a net as statements, for the checker of certificates: one test for each arc, then one assignment for
//! each arc.

mod timed;

use solver_lite::number::Q;

use crate::expr::{Binary, Expr, Kind, Sign, Type, VarId};
use crate::net::{Net, PlaceArc, Transition};
use crate::statements::{Action, Place, Statement, Statements, Style};
use crate::system::{Role, System};

/// The statements of a system that is a net.
pub(crate) fn statements(system: &System) -> Option<Statements> {
    let net = system.net.as_ref()?;
    if let Some(clocks) = &system.clocks {
        return Some(timed::statements(system, net, clocks));
    }
    Some(Statements {
        variables: system.variables.iter().map(|v| (v.name.clone(), v.ty.clone())).collect(),
        own: system.var_ids().collect(),
        first: initial(net).collect(),
        invariant: Vec::new(),
        style: Style::Firings,
        places: vec![Place { name: "marking".to_owned(), role: Role::Plain }],
        start: 0,
        actions: net.transitions.iter().map(|t| Action { from: 0, to: 0, body: firing(t) }).collect(),
        stuck: None,
        never: Vec::new(),
    })
}

/// The conditions of the initial marking.
fn initial(net: &Net) -> impl Iterator<Item = Expr> {
    net.places.iter().enumerate().map(|(i, place)| {
        let value = Expr::num(Q::from(i64::from(place.tokens)), Type::Int);
        Expr::compare(Binary::Eq, Expr::var(VarId::new(i), Type::Int), value)
    })
}

fn firing(t: &Transition) -> Vec<Statement> {
    let place = |a: &PlaceArc| Expr::var(VarId::new(a.place.index()), Type::Int);
    let weight = |a: &PlaceArc| Expr::num(Q::from(i64::from(a.weight)), Type::Int);
    let test = |op: Binary| move |a: &PlaceArc| Statement::Assume(Expr::compare(op, place(a), weight(a)));
    let moved = |sign: Sign| {
        move |a: &PlaceArc| {
            let sum = Kind::Sum(vec![(Sign::Plus, place(a)), (sign, weight(a))]);
            let sum = Expr { kind: sum, ty: Type::Int, span: a.span };
            Statement::Assign(VarId::new(a.place.index()), sum)
        }
    };
    let mut body: Vec<Statement> = t.inputs.iter().map(test(Binary::Ge)).collect();
    body.extend(t.inhibitors.iter().map(test(Binary::Lt)));
    body.extend(t.inputs.iter().map(moved(Sign::Minus)));
    body.extend(t.outputs.iter().map(moved(Sign::Plus)));
    body
}
