//! Enabling conditions: the weakest condition under which some path through a whole edge or action is feasible.
//!
//! An action of the source is a graph of edges between intermediate locations. The condition is computed backwards from
//! the end of the action as a weakest precondition: an assignment is substituted, a choice of paths is a disjunction,
//! and a value that is chosen on the path is eliminated (`∃v`). Elimination is exact: over all values of a small type,
//! and otherwise over test points (`elimination`).

mod elimination;

use std::collections::{HashMap, HashSet};

use solver_lite::number::Q;
use solver_lite::term::Value;

use self::elimination::eliminated;
use super::path::replace;
use crate::expr::{Binary, Expr, Kind, Nary, Type, Unary};
use crate::system::{EdgeId, Formalism, LocationId, Op, System, VarId, VarType};

/// The limit on operators and operands of a condition.
const SIZE: usize = 20_000;
/// The limit on its depth.
const DEPTH: usize = 400;
/// The limit on values of a type that is eliminated value by value.
const VALUES: u64 = 64;

/// Why an enabling condition is not known.
pub(crate) type NotKnown = String;

/// Enabling conditions of whole actions of a system.
pub(crate) struct Enabled<'a> {
    system: &'a System,
    /// Is the location inside of an action?
    passes: &'a dyn Fn(LocationId) -> bool,
    /// The target of the action; any if `None`.
    goal: Option<LocationId>,
    known: HashMap<LocationId, Expr>,
}

impl<'a> Enabled<'a> {
    /// Actions that end at `goal`, or anywhere.
    pub(crate) fn new(
        system: &'a System,
        passes: &'a dyn Fn(LocationId) -> bool,
        goal: Option<LocationId>,
    ) -> Enabled<'a> {
        Enabled { system, passes, goal, known: HashMap::new() }
    }

    /// When a path that begins with this edge is feasible.
    pub(crate) fn edge(&mut self, edge: EdgeId) -> Result<Expr, NotKnown> {
        let target = self.system.edge(edge).target;
        self.inside(target)?;
        let after = self.after(target);
        self.system.before(&self.system.edge(edge).op, after)
    }

    /// When a path that begins with any edge out of a location is feasible.
    pub(crate) fn location(&mut self, location: LocationId) -> Result<Expr, NotKnown> {
        let edges = self.system.out_edges(location);
        edges.iter().map(|e| self.edge(*e)).collect::<Result<Vec<Expr>, _>>().map(any)
    }

    fn after(&self, location: LocationId) -> Expr {
        match self.known.get(&location) {
            Some(known) => known.clone(),
            None => Expr::bool(self.goal.is_none_or(|goal| goal == location)),
        }
    }

    /// Computes the conditions of a location inside of an action and of all its successors, in reverse topological
    /// order.
    fn inside(&mut self, location: LocationId) -> Result<(), NotKnown> {
        let mut open = vec![(location, false)];
        let mut above = Vec::new();
        while let Some((at, children_known)) = open.pop() {
            if !(self.passes)(at) || self.known.contains_key(&at) {
                continue;
            }
            if children_known {
                above.pop();
                let ways = self.system.out_edges(at).iter().map(|e| {
                    let edge = self.system.edge(*e);
                    self.system.before(&edge.op, self.after(edge.target))
                });
                let condition = any(ways.collect::<Result<_, _>>()?);
                self.known.insert(at, condition);
                continue;
            }
            if above.contains(&at) {
                return Err(
                    "an action contains a loop without constant bounds, or one too long to be unrolled"
                        .to_owned(),
                );
            }
            above.push(at);
            open.push((at, true));
            open.extend(self.system.out_edges(at).iter().map(|e| (self.system.edge(*e).target, false)));
        }
        Ok(())
    }
}

impl System {
    /// The states of a location in which no action is enabled, where actions pass through the locations given by
    /// `passes`; `false` if there are none.
    pub(crate) fn deadlocks(
        &self,
        location: LocationId,
        passes: &dyn Fn(LocationId) -> bool,
    ) -> Result<Expr, NotKnown> {
        if let Some((at, stuck)) = self.stuck() {
            return Ok(if location == at { stuck } else { Expr::bool(false) });
        }
        Ok(not(Enabled::new(self, passes, None).location(location)?))
    }

    /// Is this location inside of an atomic action, whose partial executions are discarded? Statements of automata are
    /// actions of their own.
    pub(crate) fn inside_action(&self, location: LocationId) -> bool {
        let between = self.location(location).anonymous && location != self.initial;
        between && self.formalism != Formalism::Automaton
    }

    /// Does a location precede all runs? An extended transition system has its initial values there; those for which
    /// `init` is infeasible begin no run, so they are not deadlocks. The initial states of a symbolic transition
    /// system, or of a circuit, are those after its `initial` clauses.
    pub(crate) fn precedes_runs(&self, location: LocationId) -> bool {
        match self.formalism {
            Formalism::Extended => self.actions.is_some_and(|actions| location == actions.init),
            Formalism::Automaton
            | Formalism::Symbolic
            | Formalism::Net
            | Formalism::Commands
            | Formalism::Chart => location == self.initial && self.location(location).anonymous,
        }
    }

    /// Are the states without an enabled step known?
    ///
    /// # Errors
    /// The reason why not.
    pub(crate) fn knows_deadlocks(&self, passes: &dyn Fn(LocationId) -> bool) -> Result<(), NotKnown> {
        if self.invariant.as_constant() != Some(Value::Bool(true)) {
            return Err("the enabled steps depend on the model's invariant".to_owned());
        }
        if self.stuck().is_some() {
            return Ok(());
        }
        let mut enabled = Enabled::new(self, passes, None);
        self.location_ids().filter(|l| !passes(*l)).try_for_each(|l| enabled.location(l).map(|_| ()))
    }

    /// The weakest precondition of an operation: it can end in a state that satisfies `after`.
    fn before(&self, op: &Op, after: Expr) -> Result<Expr, NotKnown> {
        let condition = match op {
            Op::Skip | Op::Promise(_) => after,
            Op::Assume(e) => all(vec![folded(e.clone()), after]),
            Op::Assign(v, e) => substituted(after, &[(*v, e)])?,
            Op::Update(updates) => {
                let updates: Vec<(VarId, &Expr)> = updates.iter().map(|(v, e)| (*v, e)).collect();
                substituted(after, &updates)?
            }
            Op::Havoc(v) => self.exists(*v, after)?,
            Op::Relation(..) => return Err("a step is a relation between old and new values".to_owned()),
            Op::Sequence(ops) => ops.iter().rev().try_fold(after, |after, op| self.before(op, after))?,
        };
        bounded(condition)
    }

    /// `∃v: e`, over the values of the variable's type.
    fn exists(&self, v: VarId, e: Expr) -> Result<Expr, NotKnown> {
        if !mentions(&e, v) {
            return Ok(e);
        }
        // The quantifier is pushed inwards as far as possible.
        if let Kind::Nary(Nary::Or, parts) = e.kind {
            let parts: Result<Vec<Expr>, _> = parts.into_iter().map(|p| self.exists(v, p)).collect();
            return parts.map(any);
        }
        if let Kind::Nary(Nary::And, parts) = &e.kind
            && parts.iter().any(|p| !mentions(p, v))
        {
            let (with, mut without): (Vec<Expr>, Vec<Expr>) =
                parts.iter().cloned().partition(|p| mentions(p, v));
            without.push(self.exists(v, all(with))?);
            return Ok(all(without));
        }
        let variable = self.variable(v);
        let is = |value: Expr| substituted(e.clone(), &[(v, &value)]);
        if variable.ty.size().is_some_and(|n| n <= VALUES) {
            let values = variable.ty.values().into_iter();
            let each = values.map(|value| is(Expr::constant(value, variable.declared.clone())));
            return each.collect::<Result<Vec<Expr>, _>>().map(any);
        }
        let of = || format!("the value chosen for '{}'", variable.name);
        let mut e = e.clone();
        match &variable.ty {
            VarType::Range { lo, hi } if variable.declared == Type::Int => {
                let x = || Expr::var(v, Type::Int);
                let bound = |q: &Q| Expr::num(q.clone(), Type::Int);
                let inside =
                    [Expr::compare(Binary::Ge, x(), bound(lo)), Expr::compare(Binary::Le, x(), bound(hi))];
                e = all([vec![e], inside.to_vec()].concat());
            }
            VarType::Int | VarType::Real => {}
            _ => return Err(format!("{} has too many values", of())),
        }
        match eliminated(v, e, variable.ty == VarType::Real)? {
            Some(without) => Ok(without),
            None => Err(format!("{} is used outside of sums, comparisons and remainders", of())),
        }
    }
}

fn folded(e: Expr) -> Expr {
    match e.as_constant() {
        Some(value) => Expr::constant(value, e.ty.clone()).at(e.span),
        None => e,
    }
}

fn mentions(e: &Expr, v: VarId) -> bool {
    match e.kind {
        Kind::Var(w) => v == w,
        _ => e.children().into_iter().any(|child| mentions(child, v)),
    }
}

fn size(e: &Expr) -> usize {
    1 + e.children().into_iter().map(size).sum::<usize>()
}

fn too_large(n: usize, of: &str, most: usize) -> NotKnown {
    format!("the enabling condition of a step has {n} {of}, more than {most}")
}

fn bounded(e: Expr) -> Result<Expr, NotKnown> {
    let (n, depth) = (size(&e), e.depth());
    if n > SIZE {
        return Err(too_large(n, "parts", SIZE));
    }
    if depth > DEPTH { Err(too_large(depth, "levels", DEPTH)) } else { Ok(e) }
}

/// Simultaneous substitution, unless the expression would become too large.
fn substituted(mut e: Expr, by: &[(VarId, &Expr)]) -> Result<Expr, NotKnown> {
    let mut n = 0usize;
    e.visit(&mut |part| {
        let value = by.iter().find(|(v, _)| part.kind == Kind::Var(*v));
        n = n.saturating_add(value.map_or(1, |(_, value)| size(value)));
    });
    if n > SIZE {
        return Err(too_large(n, "parts", SIZE));
    }
    replace(&mut e, &|v| by.iter().find(|(w, _)| *w == v).map(|(_, value)| (*value).clone()));
    Ok(simplified_all(e))
}

/// Eliminates truth constants from an expression, bottom-up.
fn simplified_all(mut e: Expr) -> Expr {
    if e.ty == Type::Bool {
        for child in e.children_mut() {
            if child.ty == Type::Bool {
                let inner = std::mem::replace(child, Expr::bool(true));
                *child = simplified_all(inner);
            }
        }
    }
    simplified(e)
}

/// The same for the outermost operator only.
fn simplified(e: Expr) -> Expr {
    match e.kind {
        Kind::Nary(Nary::And, parts) => all(parts),
        Kind::Nary(Nary::Or, parts) => any(parts),
        Kind::Unary(Unary::Not, a) => not((*a).clone()),
        _ => folded(e),
    }
}

fn not(e: Expr) -> Expr {
    folded(e.negated())
}

/// The conjunction without true operands.
fn all(parts: Vec<Expr>) -> Expr {
    let (mut known, mut kept) = (HashSet::new(), Vec::new());
    for part in parts.into_iter().map(folded) {
        match part.kind {
            Kind::Bool(true) => {}
            Kind::Bool(false) => return Expr::bool(false),
            Kind::Nary(Nary::And, inner) => {
                known.extend(inner.iter().cloned());
                kept.extend(inner);
            }
            _ if known.insert(part.clone()) => kept.push(part),
            _ => {}
        }
    }
    Expr::and(kept)
}

/// The disjunction without false operands.
fn any(parts: Vec<Expr>) -> Expr {
    let (mut known, mut kept) = (HashSet::new(), Vec::new());
    for part in parts.into_iter().map(folded) {
        match part.kind {
            Kind::Bool(false) => {}
            Kind::Bool(true) => return Expr::bool(true),
            _ if known.insert(part.clone()) => kept.push(part),
            _ => {}
        }
    }
    Expr::or(kept)
}
