//! Random models and properties.

use super::formula::Ltl;
use super::model::{
    Arc, Atom, Cond, Fair, LITERALS, Model, Named, Num, Question, Reading, Role, SIZE, Shape, Statement,
    Stuck, Ty, Value, Var,
};
use crate::random::Rng;

/// A model under construction, and its visible variables.
struct Growing<'a> {
    rng: &'a mut Rng,
    vars: Vec<Var>,
    seen: Vec<usize>,
}

/// A random model.
#[must_use]
pub fn model(rng: &mut Rng) -> Model {
    if rng.one_in(2) { automaton(rng) } else { actions(rng) }
}

fn var(name: &str, ty: Ty, first: Option<i64>) -> Var {
    Var { name: name.to_owned(), ty, first, local: false }
}

fn automaton(rng: &mut Rng) -> Model {
    let mut vars = vec![var("x", Ty::Int, None)];
    if rng.one_in(3) {
        vars.push(var("y", Ty::Int, None));
    }
    vars.push(var("b", Ty::Bool, None));
    let seen = (0..vars.len()).collect();
    let mut g = Growing { rng, vars, seen };
    let plain = 1 + g.rng.below(3);
    let mut locations = vec![("S".to_owned(), Role::Initial)];
    locations.extend((0..plain).map(|i| (format!("L{i}"), Role::Plain)));
    if g.rng.one_in(2) {
        locations.push(("Z".to_owned(), Role::Final));
    }
    if g.rng.one_in(2) {
        locations.push(("E".to_owned(), Role::Error));
    }
    let mut edges = Vec::new();
    for _ in 0..1 + usize::from(g.rng.one_in(5)) {
        edges.push(Arc { ends: (0, 1), statements: g.first_values() });
    }
    for from in 1..=plain {
        for _ in 0..g.rng.below(4).max(usize::from(from == 1)) {
            let to = if g.rng.one_in(3) { from } else { g.rng.below(locations.len()) };
            let statements = (0..g.rng.below(4)).map(|_| g.simple()).collect();
            edges.push(Arc { ends: (from, to), statements });
        }
    }
    if let Some(last) = locations.iter().position(|l| l.1 == Role::Final)
        && g.rng.one_in(5)
    {
        edges.push(Arc { ends: (last, 1), statements: vec![g.simple()] });
    }
    Model { vars: g.vars, shape: Shape::Automaton(locations, edges) }
}

fn actions(rng: &mut Rng) -> Model {
    let mut vars = vec![var("x", Ty::Int, Some(rng.range(0, SIZE - 1)))];
    let any = |rng: &mut Rng, n: usize| (!rng.one_in(4)).then(|| i64::try_from(rng.below(n)).expect("small"));
    let (b, e) = (any(rng, 2), any(rng, LITERALS.len()));
    vars.extend([var("b", Ty::Bool, b), var("e", Ty::Enum, e)]);
    let seen = (0..vars.len()).collect();
    let mut g = Growing { rng, vars, seen };
    let most = [2, 2, 3];
    let all = most.map(|most| {
        let branches = 1 + g.rng.below(most);
        (0..branches).map(|_| g.block(2)).collect()
    });
    Model { vars: g.vars, shape: Shape::Actions(all) }
}

impl Growing<'_> {
    fn of(&mut self, ty: Ty) -> Option<usize> {
        let all: Vec<usize> = self.seen.iter().copied().filter(|v| self.vars[*v].ty == ty).collect();
        (!all.is_empty()).then(|| *self.rng.pick(&all))
    }

    fn first_values(&mut self) -> Vec<Statement> {
        let mut all = Vec::new();
        for v in 0..self.vars.len() {
            match self.vars[v].ty {
                Ty::Int => {
                    let n = Num::Const(self.rng.range(0, SIZE - 1));
                    all.push(Statement::Assign(v, Value::Num(n)));
                }
                _ if self.rng.one_in(2) => {
                    let value = Cond::Const(self.rng.one_in(2));
                    all.push(Statement::Assign(v, Value::Truth(value)));
                }
                _ => {}
            }
        }
        all
    }

    fn operand(&mut self) -> Num {
        match self.of(Ty::Int) {
            Some(v) if !self.rng.one_in(3) => Num::Var(v),
            _ => Num::Const(self.rng.range(0, SIZE - 1)),
        }
    }

    fn cond(&mut self, depth: usize) -> Cond {
        if depth > 0 && self.rng.one_in(3) {
            let op = self.rng.below(5);
            return Cond::Pair(op, Box::new([self.cond(depth - 1), self.cond(depth - 1)]));
        }
        match self.rng.below(12) {
            0 => Cond::Const(self.rng.one_in(3)),
            1 => Cond::Not(Box::new(self.cond(depth))),
            2..=4 => self.of(Ty::Bool).map_or(Cond::Const(true), Cond::Var),
            5 | 6 => match self.of(Ty::Enum) {
                Some(v) => Cond::Is(v, self.rng.below(LITERALS.len())),
                None => self.compare(),
            },
            _ => self.compare(),
        }
    }

    fn compare(&mut self) -> Cond {
        let (mut a, b) = (self.operand(), self.operand());
        match self.rng.below(6) {
            0 => a = Num::Mod(Box::new(a), 2),
            1 => a = Num::Add(Box::new([a, self.operand()])),
            _ => {}
        }
        Cond::Compare(self.rng.below(6), Box::new([a, b]))
    }

    /// A value of a type; integers stay small.
    fn value(&mut self, ty: Ty, ite: bool) -> Value {
        match ty {
            Ty::Bool => Value::Truth(self.cond(1)),
            Ty::Enum => Value::Literal(self.rng.below(LITERALS.len())),
            Ty::Int => Value::Num(match self.rng.below(5) {
                0 => Num::Const(self.rng.range(0, SIZE - 1)),
                1 => self.operand(),
                2 if ite => {
                    let c = self.cond(0);
                    Num::Ite(Box::new(c), Box::new([self.operand(), self.operand()]))
                }
                n => {
                    let ab = Box::new([self.operand(), self.operand()]);
                    let sum = if n == 3 { Num::Sub(ab) } else { Num::Add(ab) };
                    Num::Mod(Box::new(sum), SIZE)
                }
            }),
        }
    }

    /// A statement without blocks.
    fn simple(&mut self) -> Statement {
        let v = *self.rng.pick(&self.seen.clone());
        let automaton = !self.vars.iter().any(|v| v.ty == Ty::Enum);
        match self.rng.below(8) {
            0..=2 => Statement::Assume(self.cond(1)),
            3 => {
                let rare = self.vars[v].ty != Ty::Int || self.rng.one_in(3);
                Statement::Any(if rare { v } else { self.of(Ty::Bool).unwrap_or(v) })
            }
            _ => Statement::Assign(v, self.value(self.vars[v].ty, automaton)),
        }
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        let seen = self.seen.clone();
        let count = self.rng.below(4);
        let all = (0..count).map(|_| self.statement(depth)).collect();
        self.seen = seen;
        all
    }

    fn statement(&mut self, depth: usize) -> Statement {
        match self.rng.below(if depth > 0 { 8 } else { 5 }) {
            0 if self.rng.one_in(3) => self.local(),
            5 | 6 => {
                let branches = 2 + self.rng.below(2);
                Statement::Choice((0..branches).map(|_| self.block(depth - 1)).collect())
            }
            7 => {
                let c = self.cond(1);
                let other = if self.rng.one_in(2) { Vec::new() } else { self.block(depth - 1) };
                Statement::If(c, Box::new([self.block(depth - 1), other]))
            }
            _ => self.simple(),
        }
    }

    /// A variable of a block, which may hide another one.
    fn local(&mut self) -> Statement {
        let ty = *self.rng.pick(&[Ty::Bool, Ty::Enum, Ty::Int]);
        let value = (ty == Ty::Int || self.rng.one_in(2)).then(|| self.value(ty, false));
        let hidden = self.seen.iter().copied().find(|v| !self.vars[*v].local && self.rng.one_in(4));
        let name = hidden.map_or(format!("l{}", self.vars.len()), |v| self.vars[v].name.clone());
        self.seen.retain(|v| Some(*v) != hidden);
        self.vars.push(Var { name, ty, first: None, local: true });
        self.seen.push(self.vars.len() - 1);
        Statement::Local(self.vars.len() - 1, value)
    }
}

/// A random property of a model.
#[must_use]
pub fn question(rng: &mut Rng, model: &Model) -> Question {
    let automaton = matches!(model.shape, Shape::Automaton(..));
    let seen = (0..model.vars.len()).filter(|v| !model.vars[*v].local).collect();
    let mut g = Growing { rng, vars: model.vars.clone(), seen };
    match g.rng.below(12) {
        0 => return Question::DeadlockFree,
        1 => return Question::Invariant(g.cond(2)),
        2 if automaton && g.rng.one_in(3) => return Question::NoError,
        _ => {}
    }
    let stuck = *g.rng.pick(&[Stuck::Never, Stuck::Final, Stuck::DeadEnd, Stuck::Deadlock]);
    let reading = Reading { whole: g.rng.one_in(2), initial: g.rng.one_in(2), stuck };
    let ends = model.ends();
    let mut fair = Vec::new();
    for _ in 0..[0, 0, 1, 1, 2][g.rng.below(5)] {
        let named = if g.rng.one_in(5) { None } else { Some(named(g.rng, &ends)) };
        fair.push(Fair { strong: g.rng.one_in(2), named });
    }
    let mut atoms = Vec::new();
    for _ in 0..1 + g.rng.below(2) {
        atoms.push(match g.rng.below(8) {
            0 | 1 => Atom::At(g.rng.below(model.places())),
            2 => Atom::Over(named(g.rng, &ends)),
            _ => Atom::Cond(g.cond(1)),
        });
    }
    let size = 2 + g.rng.below(4);
    let formula = ltl(g.rng, size, atoms.len());
    Question::Temporal(reading, fair, atoms, formula)
}

fn named(rng: &mut Rng, ends: &[(usize, usize)]) -> Named {
    let ends_of = *rng.pick(ends);
    let all = ends.iter().filter(|e| **e == ends_of).count();
    let number = (!rng.one_in(3)).then(|| 1 + rng.below(all));
    Named { ends: ends_of, number }
}

fn ltl(rng: &mut Rng, size: usize, atoms: usize) -> Ltl {
    if size == 0 {
        return if rng.one_in(12) { Ltl::Const(rng.one_in(2)) } else { Ltl::Atom(rng.below(atoms)) };
    }
    match rng.below(10) {
        0 => Ltl::Not(Box::new(ltl(rng, size - 1, atoms))),
        1..=5 => Ltl::Unary(*rng.pick(&['X', 'F', 'G', 'F', 'G']), Box::new(ltl(rng, size - 1, atoms))),
        _ => {
            let left = rng.below(size);
            let op = *rng.pick(&['U', 'R', 'W', 'M', '&', '|', '>', '=']);
            Ltl::Pair(op, Box::new([ltl(rng, left, atoms), ltl(rng, size - 1 - left, atoms)]))
        }
    }
}
