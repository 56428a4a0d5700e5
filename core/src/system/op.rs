//! The operations of edges.

use crate::expr::{Expr, VarId};

/// An operation on the variables.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// No effect.
    Skip,
    /// An assumption: the edge can be taken only if the expression is true.
    Assume(Expr),
    /// `v := e`
    Assign(VarId, Expr),
    /// A simultaneous assignment: all right sides are evaluated first.
    Update(Vec<(VarId, Expr)>),
    /// `v` gets any value of its type.
    Havoc(VarId),
    /// An assumption of the source language: if it is false, the run is not a run of the source. It has no effect on
    /// the term of the operation.
    Promise(Expr),
    /// All variables get new values that are related to the old ones by the expression: in a system of `n` variables,
    /// variable `n + i` is the new value of variable `i`.
    Relation(usize, Expr),
    /// A sequence. A variable is not written again after a havoc of it.
    Sequence(Vec<Op>),
}

impl Op {
    /// Does it require a value to be in the range of its type?
    pub(crate) fn promises(&self) -> bool {
        match self {
            Op::Promise(_) => true,
            Op::Sequence(all) => all.iter().any(Op::promises),
            _ => false,
        }
    }

    /// The text where `name` gives the names of variables: `x := e`, `[e]`, `havoc x`, joined by `; `.
    #[must_use]
    pub fn text(&self, name: &dyn Fn(VarId) -> String) -> String {
        let join = |parts: Vec<String>| parts.join("; ");
        match self {
            Op::Skip | Op::Promise(_) => String::new(),
            Op::Assume(e) => format!("[{}]", e.text(name)),
            Op::Assign(v, e) => format!("{} := {}", name(*v), e.text(name)),
            Op::Update(all) => {
                join(all.iter().map(|(v, e)| format!("{} := {}", name(*v), e.text(name))).collect())
            }
            Op::Havoc(v) => format!("havoc {}", name(*v)),
            Op::Relation(n, e) => e.text(&|v| match Op::related(*n, v) {
                (v, true) => format!("{}'", name(v)),
                (v, false) => name(v),
            }),
            Op::Sequence(ops) => {
                join(ops.iter().map(|op| op.text(name)).filter(|text| !text.is_empty()).collect())
            }
        }
    }

    /// The variable of an id in a relation of `n` variables, and whether the id denotes its new value.
    #[must_use]
    pub fn related(n: usize, v: VarId) -> (VarId, bool) {
        match v.index().checked_sub(n) {
            Some(i) => (VarId::new(i), true),
            None => (v, false),
        }
    }

    /// Calls `visit` on each expression.
    pub fn exprs<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Op::Skip | Op::Havoc(_) => {}
            Op::Assume(e) | Op::Promise(e) | Op::Assign(_, e) | Op::Relation(_, e) => visit(e),
            Op::Update(all) => all.iter().for_each(|(_, e)| visit(e)),
            Op::Sequence(ops) => ops.iter().for_each(|op| op.exprs(visit)),
        }
    }

    /// Calls `visit` on each expression, with mutable access.
    pub fn exprs_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Op::Skip | Op::Havoc(_) => {}
            Op::Assume(e) | Op::Promise(e) | Op::Assign(_, e) | Op::Relation(_, e) => visit(e),
            Op::Update(all) => all.iter_mut().for_each(|(_, e)| visit(e)),
            Op::Sequence(ops) => ops.iter_mut().for_each(|op| op.exprs_mut(visit)),
        }
    }

    /// The variables that are written, in order, possibly repeated.
    #[must_use]
    pub fn written(&self) -> Vec<VarId> {
        match self {
            Op::Skip | Op::Assume(_) | Op::Promise(_) => Vec::new(),
            Op::Assign(v, _) | Op::Havoc(v) => vec![*v],
            Op::Relation(n, _) => (0..*n).map(VarId::new).collect(),
            Op::Update(all) => all.iter().map(|(v, _)| *v).collect(),
            Op::Sequence(ops) => ops.iter().flat_map(Op::written).collect(),
        }
    }

    /// The variables that are havocked, in order of execution.
    #[must_use]
    pub fn havocs(&self) -> Vec<VarId> {
        match self {
            Op::Havoc(v) => vec![*v],
            Op::Relation(n, _) => (0..*n).map(VarId::new).collect(),
            Op::Sequence(ops) => ops.iter().flat_map(Op::havocs).collect(),
            _ => Vec::new(),
        }
    }
}
