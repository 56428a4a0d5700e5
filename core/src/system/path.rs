//! The effect of a sequence of operations, as expressions over the values before it.

use std::collections::BTreeMap;

use crate::expr::{Expr, Kind, Nary, VarId};
use crate::system::{Op, System};

/// The effect of a path. Chosen values are variables with ids after those of the system.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    /// The path condition, over the values before and the chosen ones.
    pub(crate) guards: Vec<Expr>,
    /// The values after it of the written variables.
    pub(crate) now: BTreeMap<VarId, Expr>,
    /// The chosen values.
    pub(crate) chosen: Vec<VarId>,
}

impl Path {
    /// The expression after the path.
    pub(crate) fn read(&self, e: &Expr) -> Expr {
        let mut e = e.clone();
        replace(&mut e, &|v| self.now.get(&v).cloned());
        e
    }

    /// The variable of a chosen value.
    pub(crate) fn origin(system: &System, chosen: VarId) -> VarId {
        VarId::new(chosen.index() % system.variables.len())
    }

    /// Appends an operation; `None` if it is a relation.
    pub(crate) fn take(&mut self, system: &System, op: &Op) -> Option<()> {
        match op {
            Op::Skip | Op::Promise(_) => {}
            Op::Assume(e) => {
                let mut parts = vec![self.read(e)];
                while let Some(e) = parts.pop() {
                    match e.kind {
                        Kind::Nary(Nary::And, all) => parts.extend(all.into_iter().rev()),
                        _ => self.guards.push(e),
                    }
                }
            }
            Op::Assign(v, e) => {
                let e = self.read(e);
                self.now.insert(*v, e);
            }
            Op::Update(all) => {
                let values: Vec<Expr> = all.iter().map(|(_, e)| self.read(e)).collect();
                self.now.extend(all.iter().map(|(v, _)| *v).zip(values));
            }
            Op::Havoc(v) => {
                let chosen = VarId::new(system.variables.len() * (self.chosen.len() + 1) + v.index());
                self.chosen.push(chosen);
                self.now.insert(*v, Expr::var(chosen, system.variable(*v).declared.clone()));
            }
            Op::Relation(..) => return None,
            Op::Sequence(ops) => ops.iter().try_for_each(|op| self.take(system, op))?,
        }
        Some(())
    }
}

/// Substitutes variables.
pub(crate) fn replace(e: &mut Expr, by: &dyn Fn(VarId) -> Option<Expr>) {
    if let Kind::Var(v) = e.kind {
        if let Some(value) = by(v) {
            *e = value;
        }
        return;
    }
    e.children_mut().into_iter().for_each(|c| replace(c, by));
}
