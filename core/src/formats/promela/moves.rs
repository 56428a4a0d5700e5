//! The paths between consecutive positions of the word, with their conditions and effects.

use std::collections::{BTreeMap, BTreeSet};

use solver_lite::number::Q;
use solver_lite::term::Value;

use super::VALUES;
use crate::expr::{Binary, Expr, Kind, Nary, VarId};
use crate::system::path::{Path, replace};
use crate::system::{LocationId, System, VarType};
use crate::temporal::Requirement;

/// The limit on paths.
const MOVES: usize = 20_000;

/// A path between positions.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub(super) source: LocationId,
    pub(super) target: LocationId,
    /// The condition, over the values before.
    pub(super) guards: Vec<Expr>,
    /// The new values, over the values before.
    pub(super) writes: BTreeMap<VarId, Expr>,
    /// May its target be position 0?
    pub(super) starts: bool,
}

/// All paths between positions.
pub(super) struct Moves {
    /// The locations of positions, and the initial one.
    pub(super) positions: BTreeSet<LocationId>,
    pub(super) all: Vec<Move>,
    /// Locations between two positions, which are included only for runs that stay there.
    stopped: BTreeSet<LocationId>,
    /// The number of explored paths.
    tried: usize,
}

/// A path that has not reached a position yet.
#[derive(Clone)]
struct Way {
    at: LocationId,
    path: Path,
    passed: BTreeSet<LocationId>,
}

impl Moves {
    /// All paths of a system, with positions as defined by the requirement.
    ///
    /// # Errors
    /// Why they cannot be enumerated.
    pub(super) fn of(system: &System, requirement: &Requirement) -> Result<Moves, String> {
        let semantics = requirement.semantics;
        let mut moves = Moves {
            positions: BTreeSet::from([system.initial]),
            all: Vec::new(),
            stopped: BTreeSet::new(),
            tried: 0,
        };
        let mut open = vec![system.initial];
        while let Some(source) = open.pop() {
            let fresh = Way { at: source, path: Path::default(), passed: BTreeSet::new() };
            // Position 0, if it is not the initial state.
            let starts = source == system.initial && !requirement.starts_at_once(system);
            if let Some(stays) = semantics.stays(system, source) {
                let mut stopped = fresh.clone();
                stopped.path.guards.push(stays);
                moves.write(system, source, stopped, starts)?;
            }
            if moves.stopped.contains(&source) {
                continue;
            }
            let mut ways = vec![fresh];
            while let Some(way) = ways.pop() {
                for edge in system.out_edges(way.at).iter().map(|e| system.edge(*e)) {
                    let mut next = Way { at: edge.target, ..way.clone() };
                    next.path
                        .take(system, &edge.op)
                        .ok_or("a relation between old and new values cannot be expressed in Promela")?;
                    let is_position = requirement.is_position(system, edge.target);
                    // A run that stays between two positions repeats the letter there.
                    let stays = semantics.stays(system, edge.target).filter(|_| !is_position);
                    if is_position || stays.is_some() {
                        let mut there = next.clone();
                        there.path.guards.extend(stays.iter().map(|e| next.path.read(e)));
                        if stays.is_some() {
                            moves.stopped.insert(edge.target);
                        }
                        if moves.positions.insert(edge.target) {
                            open.push(edge.target);
                        }
                        moves.write(system, source, there, starts)?;
                    }
                    if is_position {
                        continue;
                    }
                    if next.passed.insert(edge.target) {
                        ways.push(next);
                    } else {
                        return Err("a cycle has no position of the word".to_owned());
                    }
                }
            }
        }
        Ok(moves)
    }

    /// Records a path, once for each choice of values.
    fn write(&mut self, system: &System, source: LocationId, way: Way, starts: bool) -> Result<(), String> {
        let target = way.at;
        let mut way = way.path;
        way.guards.push(way.read(&system.invariant));
        let mut ways = vec![way];
        while let Some(mut way) = ways.pop() {
            self.tried += 1;
            if self.tried > MOVES {
                return Err(format!("there are more than {MOVES} paths between positions"));
            }
            if way.guards.iter().any(|g| g.as_constant() == Some(Value::Bool(false))) {
                continue;
            }
            way.guards.retain(|g| g.as_constant().is_none());
            let Some(v) = way.chosen.pop() else {
                let identity = |v: &VarId, e: &mut Expr| !matches!(&e.kind, Kind::Var(w) if w == v);
                way.now.retain(identity);
                self.all.push(Move { source, target, guards: way.guards, writes: way.now, starts });
                continue;
            };
            let of = Path::origin(system, v);
            let values = values(system, of, v, &way.guards).ok_or_else(|| {
                format!("any value may be chosen for {}, which is not bounded", system.variable(of).name)
            })?;
            for value in values.into_iter().rev() {
                let constant = Expr::constant(value, system.variable(of).declared.clone());
                let mut next = way.clone();
                let by = |w: VarId| (w == v).then(|| constant.clone());
                next.guards.iter_mut().for_each(|g| replace(g, &by));
                next.now.values_mut().for_each(|e| replace(e, &by));
                ways.push(next);
            }
        }
        Ok(())
    }
}

/// The values of the type of `of` that satisfy those conditions that bound `v` by numbers, if there are not too many.
pub(super) fn values(system: &System, of: VarId, v: VarId, conditions: &[Expr]) -> Option<Vec<Value>> {
    let (mut lo, mut hi): (Option<Q>, Option<Q>) = match &system.variable(of).ty {
        VarType::Bool => return Some(vec![Value::Bool(false), Value::Bool(true)]),
        VarType::Real => return None,
        VarType::Int => (None, None),
        VarType::Range { lo, hi } => (Some(lo.clone()), Some(hi.clone())),
    };
    let mut open: Vec<&Expr> = conditions.iter().collect();
    while let Some(e) = open.pop() {
        match &e.kind {
            Kind::Nary(Nary::And, all) => open.extend(all),
            Kind::Binary(op, ab) => {
                let is = |e: &Expr| matches!(e.kind, Kind::Var(w) if w == v);
                let number = |e: &Expr| match e.as_constant() {
                    Some(Value::Num(q)) => Some(q),
                    _ => None,
                };
                let (op, bound) = match (is(&ab[0]), is(&ab[1])) {
                    (true, false) => (*op, number(&ab[1])),
                    (false, true) => (mirrored(*op), number(&ab[0])),
                    _ => continue,
                };
                let Some(bound) = bound else { continue };
                let least = |lo: &mut Option<Q>, q: Q| *lo = Some(lo.take().map_or(q.clone(), |l| l.max(q)));
                let most = |hi: &mut Option<Q>, q: Q| *hi = Some(hi.take().map_or(q.clone(), |h| h.min(q)));
                match op {
                    Binary::Eq => {
                        least(&mut lo, bound.clone());
                        most(&mut hi, bound);
                    }
                    Binary::Ge => least(&mut lo, bound),
                    Binary::Gt => least(&mut lo, bound + Q::ONE),
                    Binary::Le => most(&mut hi, bound),
                    Binary::Lt => most(&mut hi, bound - Q::ONE),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    let range = VarType::Range { lo: lo?, hi: hi? };
    if range.size()? > VALUES { None } else { Some(range.values()) }
}

fn mirrored(op: Binary) -> Binary {
    match op {
        Binary::Lt => Binary::Gt,
        Binary::Le => Binary::Ge,
        Binary::Gt => Binary::Lt,
        Binary::Ge => Binary::Le,
        op => op,
    }
}
