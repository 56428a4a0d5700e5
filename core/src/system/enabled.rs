//! When a step can be taken: the weakest condition under which some way through a whole edge or action exists.
//!
//! An action of the source is a graph of edges between locations that are passed through. The condition is computed backwards
//! from where the action ends, as weakest preconditions are: an assignment is substituted, a choice of ways is a
//! disjunction, and a value that is chosen on the way is eliminated (`∃v`). Elimination is exact: over all values of a small
//! type, over the boundaries of the comparisons for integers (Cooper, "Theorem proving in arithmetic without multiplication",
//! 1972, for coefficients 1 and −1) and over their midpoints for rationals (Ferrante and Rackoff, 1975).

use std::collections::HashMap;

use solver_lite::number::Q;
use solver_lite::term::Value;

use super::path::replace;
use crate::expr::{Binary, Expr, Kind, Nary, Sign, Type, Unary};
use crate::system::{EdgeId, LocationId, Op, System, VarId, VarType};

/// A condition has so many operators and operands at most.
const SIZE: usize = 20_000;
/// So many levels at most.
const DEPTH: usize = 400;
/// A type with at most so many values is eliminated value by value.
const VALUES: u64 = 64;

/// Why it is not known when a step can be taken, in words.
pub(crate) type NotKnown = String;

/// Conditions for whole actions of a system.
pub(crate) struct Enabled<'a> {
    system: &'a System,
    /// Is the location inside of an action?
    passes: &'a dyn Fn(LocationId) -> bool,
    /// Where the action has to end; anywhere if `None`.
    goal: Option<LocationId>,
    known: HashMap<LocationId, Expr>,
}

impl<'a> Enabled<'a> {
    /// Actions that end at `goal`, or wherever they end.
    pub(crate) fn new(
        system: &'a System,
        passes: &'a dyn Fn(LocationId) -> bool,
        goal: Option<LocationId>,
    ) -> Enabled<'a> {
        Enabled { system, passes, goal, known: HashMap::new() }
    }

    /// When a way exists that begins with this edge.
    pub(crate) fn edge(&mut self, edge: EdgeId) -> Result<Expr, NotKnown> {
        let target = self.system.edge(edge).target;
        self.inside(target)?;
        let after = self.after(target);
        self.system.before(&self.system.edge(edge).op, after)
    }

    /// When a way exists that begins with any edge out of a location.
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

    /// Computes the conditions of a location inside of an action and of all those after it, the last ones first.
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
                    "an action contains a loop without constant bounds, or one too long to be written out"
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
    /// In which states at a location no action can be taken, where actions go through the locations that `passes` names;
    /// `false` if there are none.
    pub(crate) fn stuck(
        &self,
        location: LocationId,
        passes: &dyn Fn(LocationId) -> bool,
    ) -> Result<Expr, NotKnown> {
        Ok(not(Enabled::new(self, passes, None).location(location)?))
    }

    /// Is a run inside of an action here, which is undone as a whole if it cannot be finished? Statements of automata are
    /// actions of their own.
    pub(crate) fn inside_action(&self, location: LocationId) -> bool {
        let between = self.location(location).anonymous && location != self.initial;
        between && self.dialect != crate::text::Dialect::Cfa
    }

    /// Does a location come before every run? An extended transition system has its initial values there, and those for which
    /// `init` has no way begin no run, so that they are no deadlock. The states of a symbolic transition system, or of a circuit,
    /// are those after its `initial` clauses.
    pub(crate) fn precedes_runs(&self, location: LocationId) -> bool {
        match self.dialect {
            crate::text::Dialect::Xsts => self.location(location).name == "before_init",
            _ => location == self.initial && self.location(location).anonymous,
        }
    }

    /// Is it known in which states no step can be taken?
    ///
    /// # Errors
    /// Why it is not, in words.
    pub(crate) fn can_tell_deadlocks(&self, passes: &dyn Fn(LocationId) -> bool) -> Result<(), NotKnown> {
        if self.invariant.as_constant() != Some(Value::Bool(true)) {
            return Err("the model's invariant decides which steps can be taken".to_owned());
        }
        let mut enabled = Enabled::new(self, passes, None);
        self.location_ids().filter(|l| !passes(*l)).try_for_each(|l| enabled.location(l).map(|_| ()))
    }

    /// The weakest condition before an operation under which it can end in a state that satisfies `after`.
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
        // The quantifier goes inwards as far as possible.
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
            _ => return Err(format!("{} has too many possibilities", of())),
        }
        let mut boundaries = Boundaries { v, points: Vec::new() };
        if !boundaries.collect(&e) {
            return Err(format!("{} is used in more than sums and comparisons, or with a factor", of()));
        }
        boundaries.eliminate(&e, variable.ty == VarType::Real)
    }
}

/// The terms with which comparisons compare a variable.
struct Boundaries {
    v: VarId,
    points: Vec<(Binary, Expr)>,
}

impl Boundaries {
    /// Finds them; false if the variable is used otherwise.
    fn collect(&mut self, e: &Expr) -> bool {
        if !mentions(e, self.v) {
            return true;
        }
        match &e.kind {
            Kind::Binary(op, ab) if ab[0].ty == Type::Int || ab[0].ty == Type::Rat => {
                let Some(point) = self.solved(*op, &ab[0], &ab[1]) else { return false };
                if !self.points.contains(&point) {
                    self.points.push(point);
                }
                true
            }
            Kind::Unary(Unary::Not, _)
            | Kind::Ite(_)
            | Kind::Nary(Nary::And | Nary::Or, _)
            | Kind::Binary(Binary::Iff | Binary::Imply | Binary::Xor, _)
                if e.ty == Type::Bool =>
            {
                e.children().into_iter().all(|child| self.collect(child))
            }
            _ => false,
        }
    }

    /// `a ⋈ b` as `v ⋈' t`.
    fn solved(&self, op: Binary, a: &Expr, b: &Expr) -> Option<(Binary, Expr)> {
        if !matches!(op, Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge) {
            return None;
        }
        let (c, rest) = self.linear(a)?;
        let (d, other) = self.linear(b)?;
        let factor = &c - &d;
        let one = Q::ONE;
        let integer = a.ty == Type::Int;
        if factor.is_zero() || integer && factor != one && -&factor != one {
            return None;
        }
        // factor·v + rest ⋈ other
        let (first, second) = if factor.is_negative() { (rest, other) } else { (other, rest) };
        let op = match op {
            Binary::Lt if factor.is_negative() => Binary::Gt,
            Binary::Le if factor.is_negative() => Binary::Ge,
            Binary::Gt if factor.is_negative() => Binary::Lt,
            Binary::Ge if factor.is_negative() => Binary::Le,
            op => op,
        };
        let size = if factor.is_negative() { -&factor } else { factor };
        let difference = sum(first, Sign::Minus, second);
        let t = if size == one { difference } else { scaled(difference, &size.recip()) };
        Some((op, t))
    }

    /// The coefficient of the variable in a sum, and the rest.
    fn linear(&self, e: &Expr) -> Option<(Q, Expr)> {
        if !mentions(e, self.v) {
            return Some((Q::ZERO, e.clone()));
        }
        let zero = || Expr::num(Q::ZERO, e.ty.clone());
        match &e.kind {
            Kind::Var(_) => Some((Q::ONE, zero())),
            Kind::Unary(Unary::Neg, a) => {
                let (c, rest) = self.linear(a)?;
                Some((-&c, sum(zero(), Sign::Minus, rest)))
            }
            Kind::Sum(parts) => parts.iter().try_fold((Q::ZERO, zero()), |(c, rest), (sign, part)| {
                let (d, other) = self.linear(part)?;
                let c = if *sign == Sign::Plus { &c + &d } else { &c - &d };
                Some((c, sum(rest, *sign, other)))
            }),
            Kind::Nary(Nary::Mul, parts) => {
                let (with, without): (Vec<&Expr>, Vec<&Expr>) =
                    parts.iter().partition(|p| mentions(p, self.v));
                let [with] = with[..] else { return None };
                let factor = without.iter().try_fold(Q::ONE, |product, e| match e.as_constant()? {
                    Value::Num(q) => Some(&product * &q),
                    Value::Bool(_) => None,
                })?;
                let (c, rest) = self.linear(with)?;
                Some((&c * &factor, scaled(rest, &factor)))
            }
            _ => None,
        }
    }

    /// `∃v: e` by test points.
    fn eliminate(&self, e: &Expr, dense: bool) -> Result<Expr, NotKnown> {
        let mut cases = vec![self.at_infinity(e, false)];
        let mut points: Vec<Expr> = Vec::new();
        if dense {
            cases.push(self.at_infinity(e, true));
            let half = Q::from(2).recip();
            for (i, (_, a)) in self.points.iter().enumerate() {
                points.extend(self.points[i..].iter().map(|(_, b)| {
                    if a == b { a.clone() } else { scaled(sum(a.clone(), Sign::Plus, b.clone()), &half) }
                }));
            }
        } else {
            // The least values from which on a comparison, or its negation, is true.
            for (op, t) in &self.points {
                let next = || sum(t.clone(), Sign::Plus, Expr::num(Q::ONE, Type::Int));
                match op {
                    Binary::Gt | Binary::Le => points.push(next()),
                    Binary::Ge | Binary::Lt => points.push(t.clone()),
                    _ => points.extend([t.clone(), next()]),
                }
            }
        }
        for point in points {
            cases.push(substituted(e.clone(), &[(self.v, &point)])?);
        }
        bounded(any(cases))
    }

    /// What is true for all values that are small, or large, enough.
    fn at_infinity(&self, e: &Expr, large: bool) -> Expr {
        if !mentions(e, self.v) {
            return e.clone();
        }
        if let Kind::Binary(op, ab) = &e.kind
            && e.ty == Type::Bool
            && ab[0].ty != Type::Bool
        {
            let (op, _) = self.solved(*op, &ab[0], &ab[1]).expect("it was collected");
            return Expr::bool(match op {
                Binary::Lt | Binary::Le => !large,
                Binary::Gt | Binary::Ge => large,
                op => op == Binary::Ne,
            });
        }
        let mut e = e.clone();
        for child in e.children_mut() {
            *child = self.at_infinity(child, large);
        }
        simplified(e)
    }
}

/// `a ± b`
fn sum(a: Expr, sign: Sign, b: Expr) -> Expr {
    let zero = |e: &Expr| matches!(&e.kind, Kind::Num(q) if q.is_zero());
    if zero(&b) {
        return a;
    }
    if zero(&a) && sign == Sign::Plus {
        return b;
    }
    let (ty, span) = (a.ty.clone(), a.span);
    folded(Expr { kind: Kind::Sum(vec![(Sign::Plus, a), (sign, b)]), ty, span })
}

fn scaled(e: Expr, by: &Q) -> Expr {
    let (ty, span) = (e.ty.clone(), e.span);
    let factor = Expr::num(by.clone(), ty.clone());
    folded(Expr { kind: Kind::Nary(Nary::Mul, vec![factor, e]), ty, span })
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
    format!("the condition under which a step can be taken has {n} {of}, more than {most}")
}

fn bounded(e: Expr) -> Result<Expr, NotKnown> {
    let (n, depth) = (size(&e), e.depth());
    if n > SIZE {
        return Err(too_large(n, "parts", SIZE));
    }
    if depth > DEPTH { Err(too_large(depth, "levels", DEPTH)) } else { Ok(e) }
}

/// Variables replaced all at once, unless that makes too large an expression.
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

/// Truth constants inside of an expression taken out, from the innermost ones on.
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

/// The same for the outermost operator alone.
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

/// The conjunction without parts that are true.
fn all(parts: Vec<Expr>) -> Expr {
    let mut kept: Vec<Expr> = Vec::new();
    for part in parts.into_iter().map(folded) {
        match part.kind {
            Kind::Bool(true) => {}
            Kind::Bool(false) => return Expr::bool(false),
            Kind::Nary(Nary::And, inner) => kept.extend(inner),
            _ if kept.contains(&part) => {}
            _ => kept.push(part),
        }
    }
    Expr::and(kept)
}

/// The disjunction without parts that are false.
fn any(parts: Vec<Expr>) -> Expr {
    let mut kept: Vec<Expr> = Vec::new();
    for part in parts.into_iter().map(folded) {
        match part.kind {
            Kind::Bool(false) => {}
            Kind::Bool(true) => return Expr::bool(true),
            _ if kept.contains(&part) => {}
            _ => kept.push(part),
        }
    }
    Expr::or(kept)
}
