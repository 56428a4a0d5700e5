//! A system as formulas over old and new values, for languages without control flow: symbolic transition systems,
//! NuSMV.
//!
//! Over `n` variables, variable `n + i` is the new value of variable `i`. The operations of an edge become one
//! conjunction: a read after the last write of a variable refers to its new value, so that expressions are not copied.
//! If a system has more than one location (besides its start and its error location), a variable encodes the current
//! location.

use std::collections::{BTreeMap, HashSet};

use solver_lite::number::Q;
use solver_lite::term::Value;

use crate::expr::{Binary, Expr, Kind, Nary, Type, VarId};
use crate::formats::identifier;
use crate::system::path::replace;
use crate::system::{Edge, LocationId, Op, System, VarType};

/// The formulas.
pub(super) struct Flat {
    /// Identifiers with their types.
    pub(super) variables: Vec<(String, VarType)>,
    /// Over old values.
    pub(super) initial: Vec<Expr>,
    pub(super) invariant: Vec<Expr>,
    /// A disjunction of conjunctions over old and new values.
    pub(super) transitions: Vec<Vec<Expr>>,
    /// The bad states, over old values.
    pub(super) bad: Vec<Vec<Expr>>,
}

/// The effect of an operation.
struct Effect<'a> {
    system: &'a System,
    /// The number of remaining writes of each variable.
    writes: BTreeMap<VarId, usize>,
    /// The current values of written variables.
    now: BTreeMap<VarId, Expr>,
    constraints: Vec<Expr>,
}

/// `v` after a step.
fn next(system: &System, v: VarId) -> Expr {
    Expr::var(VarId::new(system.variables.len() + v.index()), system.variable(v).declared.clone())
}

/// `v` before a step.
fn current(system: &System, v: VarId) -> Expr {
    Expr::var(v, system.variable(v).declared.clone())
}

impl Effect<'_> {
    /// The edge's operation as a conjunction over old and new values.
    fn of(system: &System, op: &Op) -> Vec<Expr> {
        let mut writes = BTreeMap::new();
        for v in op.written() {
            *writes.entry(v).or_insert(0) += 1;
        }
        let unwritten: Vec<VarId> = system.var_ids().filter(|v| !writes.contains_key(v)).collect();
        let mut effect = Effect { system, writes, now: BTreeMap::new(), constraints: Vec::new() };
        effect.run(op);
        let kept = |v: VarId| Expr::compare(Binary::Eq, next(system, v), current(system, v));
        effect.constraints.extend(unwritten.into_iter().map(kept));
        effect.constraints
    }

    fn read(&self, e: &Expr) -> Expr {
        let mut e = e.clone();
        replace(&mut e, &|v| self.now.get(&v).cloned());
        e
    }

    fn write(&mut self, v: VarId, value: Expr) {
        let left = self.writes.get_mut(&v).expect("it is counted");
        *left -= 1;
        if *left > 0 {
            self.now.insert(v, value);
            return;
        }
        let next = next(self.system, v);
        self.constraints.push(Expr::compare(Binary::Eq, next.clone(), value));
        self.now.insert(v, next);
    }

    fn run(&mut self, op: &Op) {
        match op {
            Op::Skip | Op::Promise(_) => {}
            Op::Assume(e) | Op::Relation(_, e) => {
                let e = self.read(e);
                self.constraints.push(e);
            }
            Op::Assign(v, e) => {
                let e = self.read(e);
                self.write(*v, e);
            }
            Op::Update(all) => {
                let values: Vec<Expr> = all.iter().map(|(_, e)| self.read(e)).collect();
                all.iter().zip(values).for_each(|((v, _), value)| self.write(*v, value));
            }
            // The new value is unconstrained, and it is not written again.
            Op::Havoc(v) => {
                self.now.insert(*v, next(self.system, *v));
            }
            Op::Sequence(ops) => ops.iter().for_each(|op| self.run(op)),
        }
    }
}

impl Flat {
    /// The formulas of a system with an error location.
    pub(super) fn of(system: &System) -> Flat {
        let Some(flat) = Flat::simple(system) else { return Flat::with_location(system) };
        flat
    }

    fn empty(system: &System) -> Flat {
        let mut taken = HashSet::new();
        let variables = system
            .variables
            .iter()
            .map(|v| (identifier(&v.name, &mut taken, RESERVED), v.ty.clone()))
            .collect();
        let invariant = match system.invariant.as_constant() {
            Some(Value::Bool(true)) => Vec::new(),
            _ => vec![system.invariant.clone()],
        };
        Flat { variables, initial: Vec::new(), invariant, transitions: Vec::new(), bad: Vec::new() }
    }

    /// A start, one location, and the error location: `None` if there are more locations.
    fn simple(system: &System) -> Option<Flat> {
        let error = system.error?;
        let leaves =
            |l: LocationId| system.out_edges(l).iter().map(|e| system.edge(*e)).collect::<Vec<&Edge>>();
        let state = leaves(system.initial).first()?.target;
        let fits = leaves(system.initial).iter().all(|e| e.target == state)
            && leaves(state).iter().all(|e| e.target == state || e.target == error)
            && state != system.initial
            && state != error
            && is_true(&system.initial_formula);
        if !fits {
            return None;
        }
        let n = system.variables.len();
        let mut flat = Flat::empty(system);
        let mut starts = Vec::new();
        for edge in leaves(system.initial) {
            // The previous values are unconstrained, so unchanged variables keep arbitrary values.
            let written = edge.op.written();
            let mut all = Vec::new();
            for mut e in Effect::of(system, &edge.op) {
                if e.variables().iter().any(|v| v.index() < n && written.contains(v)) {
                    return None;
                }
                replace(&mut e, &|v| {
                    let (v, new) = Op::related(n, v);
                    new.then(|| current(system, v))
                });
                let kept = matches!(&e.kind, Kind::Binary(Binary::Eq, ab) if ab[0] == ab[1]);
                all.extend((!kept).then_some(e));
            }
            starts.push(Expr::and(all));
        }
        flat.initial.extend(any(starts));
        for edge in leaves(state) {
            let effect = Effect::of(system, &edge.op);
            if edge.target == state {
                flat.transitions.push(effect);
            } else if edge.op.written().is_empty() {
                let mut conditions = Vec::new();
                edge.op.exprs(&mut |e| conditions.push(e.clone()));
                flat.bad.push(conditions);
            } else {
                return None;
            }
        }
        Some(flat)
    }

    /// Any system: an additional variable encodes the location by its number.
    fn with_location(system: &System) -> Flat {
        let mut flat = Flat::empty(system);
        let n = system.variables.len();
        let mut taken: HashSet<String> = flat.variables.iter().map(|(name, _)| name.clone()).collect();
        let last = Q::from(i64::try_from(system.locations.len()).unwrap_or(i64::MAX) - 1);
        flat.variables
            .push((identifier("location", &mut taken, RESERVED), VarType::Range { lo: Q::ZERO, hi: last }));
        let number = |l: LocationId| Expr::num(Q::from(i64::from(l.0)), Type::Int);
        let at = |v: usize, l: LocationId| {
            Expr::compare(Binary::Eq, Expr::var(VarId::new(v), Type::Int), number(l))
        };
        // New values are shifted by one additional variable.
        let shifted = |mut e: Expr| {
            replace(&mut e, &|v| match Op::related(n, v) {
                (v, true) => {
                    Some(Expr::var(VarId::new(n + 1 + v.index()), system.variable(v).declared.clone()))
                }
                (_, false) => None,
            });
            e
        };
        flat.initial = vec![at(n, system.initial)];
        if !is_true(&system.initial_formula) {
            flat.initial.push(system.initial_formula.clone());
        }
        for edge in system.location_ids().flat_map(|l| system.out_edges(l)).map(|e| system.edge(*e)) {
            let mut all = vec![at(n, edge.source)];
            all.extend(Effect::of(system, &edge.op).into_iter().map(shifted));
            all.push(at(2 * n + 1, edge.target));
            flat.transitions.push(all);
        }
        flat.bad.extend(system.error.map(|error| vec![at(n, error)]));
        flat
    }
}

fn is_true(e: &Expr) -> bool {
    e.as_constant() == Some(Value::Bool(true))
}

/// The disjunction; nothing if it is true.
fn any(mut all: Vec<Expr>) -> Option<Expr> {
    if all.len() == 1 {
        return Some(all.remove(0)).filter(|e| !is_true(e));
    }
    let span = crate::diagnostic::Span::default();
    Some(Expr { kind: Kind::Nary(Nary::Or, all), ty: Type::Bool, span })
}

/// Numbers instead of enumeration and bit-vector values, for languages with integers only.
///
/// # Errors
/// An operator on bit-vectors.
pub(super) fn without_names(e: &Expr) -> Result<Expr, String> {
    let bits = |ty: &Type| matches!(ty, Type::Bv(_));
    let operator = !matches!(e.kind, Kind::Var(_) | Kind::Num(_) | Kind::Ite(_));
    let comparison = matches!(e.kind, Kind::Binary(Binary::Eq | Binary::Ne, _));
    if operator && !comparison && (bits(&e.ty) || e.children().iter().any(|c| bits(&c.ty))) {
        return Err("operators on bit-vectors cannot be written in this language".to_owned());
    }
    let mut e = e.clone();
    if matches!(e.ty, Type::Enum(_) | Type::Bv(_)) {
        e.ty = Type::Int;
    }
    for child in e.children_mut() {
        *child = without_names(child)?;
    }
    Ok(e)
}

/// Words of NuSMV and of both kinds of transition systems.
const RESERVED: &str = "MODULE DEFINE MDEFINE CONSTANTS VAR IVAR FROZENVAR INIT TRANS INVAR SPEC CTLSPEC LTLSPEC PSLSPEC COMPUTE \
    NAME INVARSPEC FAIRNESS JUSTICE COMPASSION ISA ASSIGN CONSTRAINT SIMPWFF CTLWFF LTLWFF PSLWFF COMPWFF IN MIN MAX MIRROR PRED \
    PREDICATES ITYPE FUN process array of boolean integer real word word1 bool signed unsigned extend resize sizeof uwconst \
    swconst toint count floor typeof clock EX AX EF AF EG AG E F O G H X Y Z A U S V T BU EBF ABF EBG ABG case esac mod next \
    init union in xor xnor self TRUE FALSE abs max min type ctrl trans env prop local choice par ort for from to do integer rational const system property specification models invariant initial transition";
