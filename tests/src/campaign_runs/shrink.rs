//! Smaller models and properties, one change each.

use super::formula::Ltl;
use super::model::{Atom, Cond, Fair, Model, Question, Reading, Shape, Statement, Stuck, Value};

/// Reduces a case while its class is unchanged.
#[must_use]
pub fn smallest(
    model: &Model,
    question: &Question,
    same: &mut dyn FnMut(&Model, &Question) -> bool,
) -> (Model, Question) {
    let mut least = (model.clone(), question.clone());
    loop {
        let (model, question) = &least;
        let Some(smaller) = smaller(model, question).find(|(m, q)| same(m, q)) else { return least };
        least = smaller;
    }
}

/// Models and properties with one change.
pub fn smaller(model: &Model, question: &Question) -> impl Iterator<Item = (Model, Question)> {
    let models = models(model).into_iter().map(|m| (m, question.clone()));
    models.chain(questions(question).into_iter().map(|q| (model.clone(), q)))
}

fn without<T: Clone>(all: &[T], i: usize) -> Vec<T> {
    let mut all = all.to_vec();
    all.remove(i);
    all
}

fn replaced<T: Clone>(all: &[T], i: usize, by: T) -> Vec<T> {
    let mut all = all.to_vec();
    all[i] = by;
    all
}

fn models(model: &Model) -> Vec<Model> {
    let with = |shape| Model { shape, ..model.clone() };
    match &model.shape {
        Shape::Automaton(locations, edges) => {
            let shape = |edges| with(Shape::Automaton(locations.clone(), edges));
            let mut all: Vec<Model> = (0..edges.len()).map(|i| shape(without(edges, i))).collect();
            // The first values keep numbers small.
            for (i, edge) in edges.iter().enumerate().filter(|(_, e)| e.ends.0 != 0) {
                for statements in blocks(&edge.statements) {
                    let mut smaller = edge.clone();
                    smaller.statements = statements;
                    all.push(shape(replaced(edges, i, smaller)));
                }
            }
            all
        }
        Shape::Actions(actions) => {
            let mut all = Vec::new();
            for (a, branches) in actions.iter().enumerate() {
                let mut add = |branches| {
                    let mut actions = actions.clone();
                    actions[a] = branches;
                    all.push(with(Shape::Actions(actions)));
                };
                (0..branches.len()).filter(|_| branches.len() > 1).for_each(|i| add(without(branches, i)));
                for (i, branch) in branches.iter().enumerate() {
                    blocks(branch).into_iter().for_each(|b| add(replaced(branches, i, b)));
                }
            }
            all
        }
    }
}

fn blocks(block: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for (i, s) in block.iter().enumerate() {
        // A variable declared by a block may be named later.
        if !matches!(s, Statement::Local(..)) {
            all.push(without(block, i));
        }
        all.extend(statements(s).into_iter().map(|s| replaced(block, i, s)));
        let inner: Vec<&Vec<Statement>> = match s {
            Statement::Choice(branches) => branches.iter().collect(),
            Statement::If(_, both) => both.iter().collect(),
            _ => Vec::new(),
        };
        let declares = |b: &Vec<Statement>| b.iter().any(|s| matches!(s, Statement::Local(..)));
        for b in inner.into_iter().filter(|b| !declares(b)) {
            all.push([&block[..i], b.as_slice(), &block[i + 1..]].concat());
        }
    }
    all
}

fn statements(s: &Statement) -> Vec<Statement> {
    match s {
        Statement::Assume(c) => conds(c).into_iter().map(Statement::Assume).collect(),
        Statement::Assign(v, Value::Truth(c)) => {
            conds(c).into_iter().map(|c| Statement::Assign(*v, Value::Truth(c))).collect()
        }
        Statement::Choice(branches) => {
            let mut all: Vec<Statement> = Vec::new();
            for (i, b) in branches.iter().enumerate() {
                if branches.len() > 2 {
                    all.push(Statement::Choice(without(branches, i)));
                }
                all.extend(blocks(b).into_iter().map(|b| Statement::Choice(replaced(branches, i, b))));
            }
            all
        }
        Statement::If(c, both) => {
            let with = |c: Cond, i: usize, b| {
                let mut both = both.clone();
                both[i] = b;
                Statement::If(c, both)
            };
            let mut all: Vec<Statement> = conds(c).into_iter().map(|c| with(c, 0, both[0].clone())).collect();
            for i in 0..2 {
                all.extend(blocks(&both[i]).into_iter().map(|b| with(c.clone(), i, b)));
            }
            all
        }
        Statement::Any(_) | Statement::Assign(..) | Statement::Local(..) => Vec::new(),
    }
}

fn conds(c: &Cond) -> Vec<Cond> {
    let mut all = Vec::new();
    match c {
        Cond::Const(_) => return all,
        Cond::Not(a) => all.push((**a).clone()),
        Cond::Pair(_, ab) => all.extend(ab.iter().cloned()),
        _ => {}
    }
    all.extend([Cond::Const(false), Cond::Const(true)]);
    all
}

fn questions(question: &Question) -> Vec<Question> {
    let Question::Temporal(reading, fair, atoms, ltl) = question else {
        return match question {
            Question::Invariant(c) => conds(c).into_iter().map(Question::Invariant).collect(),
            _ => Vec::new(),
        };
    };
    let with = |reading: Reading, fair: Vec<Fair>, atoms: Vec<Atom>, ltl: Ltl| {
        Question::Temporal(reading, fair, atoms, ltl)
    };
    let mut all = Vec::new();
    for i in 0..fair.len() {
        all.push(with(*reading, without(fair, i), atoms.clone(), ltl.clone()));
    }
    all.extend(formulas(ltl).into_iter().map(|f| with(*reading, fair.clone(), atoms.clone(), f)));
    for (i, atom) in atoms.iter().enumerate() {
        if let Atom::Cond(c) = atom {
            let smaller = conds(c).into_iter();
            let smaller = smaller.map(|c| replaced(atoms, i, Atom::Cond(c)));
            all.extend(smaller.map(|atoms| with(*reading, fair.clone(), atoms, ltl.clone())));
        }
    }
    let mut other = |reading: Reading| all.push(with(reading, fair.clone(), atoms.clone(), ltl.clone()));
    if reading.whole {
        other(Reading { whole: false, ..*reading });
    }
    if reading.initial {
        other(Reading { initial: false, ..*reading });
    }
    if !matches!(reading.stuck, Stuck::Final | Stuck::Never) {
        other(Reading { stuck: Stuck::Never, ..*reading });
    }
    all
}

fn formulas(f: &Ltl) -> Vec<Ltl> {
    let constants = [Ltl::Const(false), Ltl::Const(true)];
    match f {
        Ltl::Const(_) => Vec::new(),
        Ltl::Atom(_) => constants.to_vec(),
        Ltl::Not(a) => {
            let smaller = formulas(a).into_iter().map(|a| Ltl::Not(Box::new(a)));
            [(**a).clone()].into_iter().chain(smaller).collect()
        }
        Ltl::Unary(op, a) => {
            let smaller = formulas(a).into_iter().map(|a| Ltl::Unary(*op, Box::new(a)));
            constants.into_iter().chain([(**a).clone()]).chain(smaller).collect()
        }
        Ltl::Pair(op, ab) => {
            let mut all: Vec<Ltl> = constants.into_iter().chain(ab.iter().cloned()).collect();
            for i in 0..2 {
                for smaller in formulas(&ab[i]) {
                    let mut ab = ab.clone();
                    ab[i] = smaller;
                    all.push(Ltl::Pair(*op, ab));
                }
            }
            all
        }
    }
}
