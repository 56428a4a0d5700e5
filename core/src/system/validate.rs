//! Validation of the invariants of a system. A violation is a bug of the verifier, not an error of the user.

use std::collections::BTreeSet;

use crate::expr::{Expr, Kind, Type, VarId};
use crate::system::{Op, Role, System, VarType};

impl System {
    /// Validates the invariants.
    ///
    /// # Errors
    /// The first violated invariant.
    pub fn validate(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        for v in &self.variables {
            let fits = VarType::of(&v.declared).is_some_and(|ty| ty.sort() == v.ty.sort());
            ensure(fits, || format!("'{}' is declared {} and kept as {:?}", v.name, v.declared, v.ty))?;
            ensure(names.insert(&v.name), || format!("two variables have the name '{}'", v.name))?;
        }
        let locations = self.locations.len();
        ensure(self.initial.index() < locations, || "no initial location".to_owned())?;
        let mut names = BTreeSet::new();
        for l in &self.locations {
            ensure(names.insert(&l.name), || format!("two locations have the name '{}'", l.name))?;
        }
        if let Some(error) = self.error {
            let there = self.locations.get(error.index()).is_some_and(|l| l.role == Role::Error);
            ensure(there, || format!("{error} is not an error location"))?;
        }
        for (id, e) in self.edge_ids().zip(&self.edges) {
            let ends = e.source.index() < locations && e.target.index() < locations;
            ensure(ends, || format!("{id} has an end that does not exist"))?;
            self.validate_op(&e.op).map_err(|m| format!("{id}: {m}"))?;
        }
        self.validate_expr(&self.initial_formula)?;
        self.validate_expr(&self.invariant)
    }

    fn validate_op(&self, op: &Op) -> Result<(), String> {
        self.validate_writes(op, &mut BTreeSet::new())?;
        let mut result = Ok(());
        let mut check = |e: &Expr, n: usize| {
            if result.is_ok() {
                result = self.validate_related(e, n);
            }
        };
        match op {
            Op::Relation(n, e) if *n == self.variables.len() => check(e, *n),
            Op::Relation(..) => return Err("a relation over another number of variables".to_owned()),
            op => op.exprs(&mut |e| check(e, usize::MAX)),
        }
        result
    }

    fn validate_writes(&self, op: &Op, havoced: &mut BTreeSet<VarId>) -> Result<(), String> {
        if let Op::Sequence(ops) = op {
            return ops.iter().try_for_each(|op| self.validate_writes(op, havoced));
        }
        let mut at_once = BTreeSet::new();
        for v in op.written() {
            ensure(v.index() < self.variables.len(), || format!("{v} does not exist"))?;
            ensure(!havoced.contains(&v), || format!("{v} is written after a havoc of it"))?;
            ensure(at_once.insert(v), || format!("{v} is written twice at once"))?;
        }
        havoced.extend(op.havocs());
        let typed = |v: &VarId, e: &Expr| {
            let ty = &self.variable(*v).declared;
            ensure(e.ty == *ty, || format!("{v} is {ty} and gets a value of type {}", e.ty))
        };
        match op {
            Op::Assume(e) => ensure(e.ty == Type::Bool, || "an assumption that is not bool".to_owned()),
            Op::Assign(v, e) => typed(v, e),
            Op::Update(all) => all.iter().try_for_each(|(v, e)| typed(v, e)),
            _ => Ok(()),
        }
    }

    fn validate_expr(&self, e: &Expr) -> Result<(), String> {
        self.validate_related(e, usize::MAX)
    }

    fn validate_related(&self, e: &Expr, n: usize) -> Result<(), String> {
        ensure(!e.ty.is_array(), || "an array that has not been split".to_owned())?;
        if let Kind::Var(v) = e.kind {
            let v = Op::related(n, v).0;
            let known = self.variables.get(v.index()).is_some_and(|x| x.declared == e.ty);
            ensure(known, || format!("{v} does not exist or is not {}", e.ty))?;
        }
        e.children().into_iter().try_for_each(|c| self.validate_related(c, n))
    }
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}
