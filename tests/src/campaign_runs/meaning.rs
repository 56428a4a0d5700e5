//! Semantics of models: states, and the paths under each reading of runs.
//!
//! A state at which a run can be observed is a node. With whole edges as steps, and inside of actions, a path is taken
//! only if all of it is possible. Integers without a value have any between −8 and 8: all numbers in statements and
//! conditions are so small that other values are equivalent to one of these.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::formula::{self, Graph};
use super::model::{
    Arc, Atom, Cond, Fair, Model, Named, Num, Question, Reading, Role, SIZE, Shape, Statement, Stuck, Ty,
    Value, first_ways, range,
};

/// The values of all variables.
type Values = Vec<i64>;

/// Integers without a value have one of these.
const ANY: std::ops::RangeInclusive<i64> = -8..=8;
/// Limit of nodes.
const NODES: usize = 12_000;

/// The position of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum At {
    /// At a location, or before an action.
    Place(usize),
    /// On an edge, before this statement.
    Between(usize, usize),
}

/// A position of a word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    at: At,
    values: Values,
    /// The edge over which the run has arrived here.
    over: Option<usize>,
    /// Is it repeated for ever?
    stays: bool,
}

/// An edge by name: its ends and the statements of all of it.
struct Way {
    ends: (usize, usize),
    statements: Vec<Statement>,
}

/// A model prepared for execution.
struct Machine<'a> {
    model: &'a Model,
    ways: Vec<Way>,
}

impl Cond {
    fn holds(&self, v: &[i64]) -> bool {
        match self {
            Cond::Const(b) => *b,
            Cond::Var(x) => v[*x] == 1,
            Cond::Is(x, l) => usize::try_from(v[*x]) == Ok(*l),
            Cond::Compare(op, ab) => {
                let (a, b) = (ab[0].of(v), ab[1].of(v));
                [a == b, a != b, a < b, a <= b, a > b, a >= b][*op]
            }
            Cond::Not(a) => !a.holds(v),
            Cond::Pair(op, ab) => {
                let (a, b) = (ab[0].holds(v), ab[1].holds(v));
                [a && b, a || b, !a || b, a == b, a != b][*op]
            }
        }
    }
}

impl Num {
    fn of(&self, v: &[i64]) -> i64 {
        match self {
            Num::Const(n) => *n,
            Num::Var(x) => v[*x],
            Num::Add(ab) => ab[0].of(v) + ab[1].of(v),
            Num::Sub(ab) => ab[0].of(v) - ab[1].of(v),
            Num::Mod(a, n) => a.of(v).rem_euclid(*n),
            Num::Ite(c, ab) => ab[usize::from(!c.holds(v))].of(v),
        }
    }
}

impl Value {
    fn of(&self, v: &[i64]) -> i64 {
        match self {
            Value::Num(n) => n.of(v),
            Value::Truth(c) => i64::from(c.holds(v)),
            Value::Literal(l) => i64::try_from(*l).expect("few literals"),
        }
    }
}

impl<'a> Machine<'a> {
    fn new(model: &'a Model) -> Machine<'a> {
        let ends = model.ends();
        let statements: Vec<Vec<Statement>> = match &model.shape {
            Shape::Automaton(_, edges) => edges.iter().map(|e: &Arc| e.statements.clone()).collect(),
            Shape::Actions(actions) => actions.iter().flatten().flat_map(|b| first_ways(b)).collect(),
        };
        let ways = ends.into_iter().zip(statements).map(|(ends, statements)| Way { ends, statements });
        Machine { model, ways: ways.collect() }
    }

    fn values_of(&self, v: usize) -> Vec<i64> {
        match self.model.vars[v].ty {
            Ty::Bool => vec![0, 1],
            Ty::Enum => vec![0, 1, 2],
            Ty::Int => ANY.collect(),
        }
    }

    /// All values after a statement; between the two statements of a choice of an integer if it is not `whole`.
    fn after(&self, s: &Statement, v: &Values, whole: bool) -> Vec<Values> {
        let with = |x: usize, n: i64| {
            let mut v = v.clone();
            v[x] = n;
            v
        };
        match s {
            Statement::Assume(c) => {
                if c.holds(v) {
                    vec![v.clone()]
                } else {
                    Vec::new()
                }
            }
            Statement::Any(x) => {
                let inside = |n: &i64| !whole || self.model.vars[*x].ty != Ty::Int || (0..SIZE).contains(n);
                self.values_of(*x).into_iter().filter(inside).map(|n| with(*x, n)).collect()
            }
            Statement::Assign(x, value) | Statement::Local(x, Some(value)) => vec![with(*x, value.of(v))],
            Statement::Local(x, None) => self.values_of(*x).into_iter().map(|n| with(*x, n)).collect(),
            Statement::Choice(branches) => branches.iter().flat_map(|b| self.all(b, v)).collect(),
            Statement::If(c, both) => self.all(&both[usize::from(!c.holds(v))], v),
        }
    }

    /// All values after all of these statements. Variables of blocks are forgotten at the end.
    fn all(&self, statements: &[Statement], v: &Values) -> Vec<Values> {
        let mut now: BTreeSet<Values> = BTreeSet::from([v.clone()]);
        for s in statements {
            now = now.iter().flat_map(|v| self.after(s, v, true)).collect();
        }
        now.into_iter().collect()
    }

    fn way(&self, way: usize, v: &Values) -> Vec<Values> {
        let mut all = self.all(&self.ways[way].statements, v);
        for values in &mut all {
            for (value, var) in values.iter_mut().zip(&self.model.vars) {
                if var.local {
                    *value = 0;
                }
            }
        }
        all
    }

    /// The statements of an edge, as single steps.
    fn single(&self, way: usize) -> Vec<(Statement, bool)> {
        let mut all = Vec::new();
        for s in &self.ways[way].statements {
            all.push((s.clone(), false));
            match s {
                Statement::Any(x) if self.model.vars[*x].ty == Ty::Int => {
                    all.push((Statement::Assume(range(*x)), false));
                }
                _ => {}
            }
        }
        all
    }

    fn firsts(&self) -> Vec<Node> {
        let mut all: Vec<Values> = vec![Vec::new()];
        for (x, var) in self.model.vars.iter().enumerate() {
            let values = match var.first {
                _ if var.local => vec![0],
                Some(n) => vec![n],
                None => self.values_of(x),
            };
            all =
                all.iter().flat_map(|v| values.iter().map(move |n| [v.clone(), vec![*n]].concat())).collect();
        }
        let node = |values| Node { at: At::Place(0), values, over: None, stays: false };
        all.into_iter().map(node).collect()
    }

    /// The successors of one step.
    fn next(&self, node: &Node, whole: bool) -> Vec<Node> {
        let automaton = matches!(self.model.shape, Shape::Automaton(..));
        let to = |at, values, over| Node { at, values, over, stays: false };
        let mut found = Vec::new();
        if automaton && !whole {
            for (way, at) in self.ways_from(node.at) {
                let all = self.single(way);
                let values = match all.get(at) {
                    Some((s, whole)) => self.after(s, &node.values, *whole),
                    None => vec![node.values.clone()],
                };
                let last = at + 1 >= all.len();
                let (at, over) = if last {
                    (At::Place(self.ways[way].ends.1), Some(way))
                } else {
                    (At::Between(way, at + 1), None)
                };
                found.extend(values.into_iter().map(|v| to(at, v, over)));
            }
        } else {
            for (way, _) in self.ways_from(node.at) {
                let target = At::Place(self.ways[way].ends.1);
                found.extend(self.way(way, &node.values).into_iter().map(|v| to(target, v, Some(way))));
            }
        }
        // An extended system continues with `trans` after `env`.
        if !automaton && whole && node.at == At::Place(1) {
            found = found.iter().flat_map(|n| self.next(n, false)).collect();
        }
        found
    }

    fn ways_from(&self, at: At) -> Vec<(usize, usize)> {
        match at {
            At::Between(way, at) => vec![(way, at)],
            At::Place(p) => {
                (0..self.ways.len()).filter(|w| self.ways[*w].ends.0 == p).map(|w| (w, 0)).collect()
            }
        }
    }

    fn role(&self, at: At) -> Role {
        match (&self.model.shape, at) {
            (Shape::Automaton(locations, _), At::Place(p)) => locations[p].1,
            _ => Role::Plain,
        }
    }

    /// Initial values excluded by `init` begin no run.
    fn precedes_runs(&self, at: At) -> bool {
        at == At::Place(0) && !matches!(self.model.shape, Shape::Automaton(..))
    }

    /// The same with runs that stop and stay.
    fn steps(&self, node: &Node, reading: Reading) -> Vec<Node> {
        let mut next = self.next(node, reading.whole);
        let (ends, last) = (self.ways_from(node.at).is_empty(), self.role(node.at) == Role::Final);
        let stays = match reading.stuck {
            Stuck::Never => false,
            Stuck::Final => last && next.is_empty(),
            Stuck::DeadEnd => ends,
            Stuck::Deadlock => next.is_empty(),
        };
        if stays && !self.precedes_runs(node.at) {
            next.push(Node { over: None, stays: true, ..node.clone() });
        }
        next
    }

    /// All nodes reachable from some, with their successors.
    fn reach(&self, firsts: Vec<Node>, reading: Reading) -> Option<(Vec<Node>, Vec<Vec<usize>>)> {
        let mut number: HashMap<Node, usize> = HashMap::new();
        let mut nodes: Vec<Node> = Vec::new();
        for node in firsts {
            number.entry(node).or_insert_with_key(|n| {
                nodes.push(n.clone());
                nodes.len() - 1
            });
        }
        let mut next = Vec::new();
        while next.len() < nodes.len() {
            let mut all = Vec::new();
            for node in self.steps(&nodes[next.len()].clone(), reading) {
                all.push(*number.entry(node).or_insert_with_key(|n| {
                    nodes.push(n.clone());
                    nodes.len() - 1
                }));
            }
            all.sort_unstable();
            all.dedup();
            next.push(all);
            if nodes.len() > NODES {
                return None;
            }
        }
        Some((nodes, next))
    }

    /// The edges of a name; none if there are none.
    fn named(&self, named: &Named) -> Option<Vec<usize>> {
        let mut all: Vec<usize> = (0..self.ways.len()).filter(|w| self.ways[*w].ends == named.ends).collect();
        if let Some(n) = named.number {
            all = vec![*all.get(n - 1)?];
        }
        (!all.is_empty()).then_some(all)
    }

    /// The edges of an assumption, each with those that count as the same edge.
    fn fair(&self, fair: &Fair) -> Option<Vec<Vec<usize>>> {
        if let Some(named) = &fair.named {
            return Some(vec![self.named(named)?]);
        }
        let choice = |w: &usize| self.ways_from(At::Place(self.ways[*w].ends.0)).len() > 1;
        Some((0..self.ways.len()).filter(choice).map(|w| vec![w]).collect())
    }

    fn enabled(&self, node: &Node, ways: &[usize]) -> bool {
        let here = |w: &usize| node.at == At::Place(self.ways[*w].ends.0);
        ways.iter().filter(|w| here(w)).any(|w| !self.way(*w, &node.values).is_empty())
    }

    fn graph(&self, reading: Reading, fair: &[Fair], atoms: &[Atom]) -> Option<Graph> {
        let mut starts = self.firsts();
        if !reading.initial {
            let all: Vec<Node> = starts.iter().flat_map(|n| self.steps(n, reading)).collect();
            let mut seen = HashSet::new();
            starts = all.into_iter().filter(|n| seen.insert(n.clone())).collect();
        }
        let count = starts.len();
        let (nodes, next) = self.reach(starts, reading)?;
        let over = |node: &Node, ways: &[usize]| node.over.is_some_and(|w| ways.contains(&w));
        let mut graph = Graph { next, starts: (0..count).collect(), ..Graph::default() };
        let mut columns: Vec<Vec<bool>> = Vec::new();
        for atom in atoms {
            let named = match atom {
                Atom::Over(named) => self.named(named)?,
                _ => Vec::new(),
            };
            let value = |node: &Node| match atom {
                Atom::Cond(c) => c.holds(&node.values),
                Atom::At(place) => node.at == At::Place(*place),
                Atom::Over(_) => over(node, &named),
            };
            columns.push(nodes.iter().map(value).collect());
        }
        graph.letters = (0..nodes.len()).map(|n| columns.iter().map(|c| c[n]).collect()).collect();
        for f in fair {
            for ways in self.fair(f)? {
                let between = |n: &Node| matches!(n.at, At::Between(..)) && !n.stays;
                let enabled: Vec<bool> = nodes.iter().map(|n| self.enabled(n, &ways)).collect();
                let taken: Vec<bool> = nodes.iter().map(|n| over(n, &ways)).collect();
                if f.strong {
                    graph.strong.push([enabled, taken]);
                } else {
                    let fine = |(i, n): (usize, &Node)| !enabled[i] && !between(n) || taken[i];
                    graph.weak.push(nodes.iter().enumerate().map(fine).collect());
                }
            }
        }
        Some(graph)
    }
}

/// The answer for a property; `None` if it names something that does not exist, or is too large.
#[must_use]
pub fn answer(model: &Model, question: &Question) -> Option<bool> {
    let machine = Machine::new(model);
    if let Question::Temporal(reading, fair, atoms, ltl) = question {
        return formula::holds(&machine.graph(*reading, fair, atoms)?, ltl);
    }
    let reading = Reading { whole: false, initial: true, stuck: Stuck::Never };
    let (nodes, next) = machine.reach(machine.firsts(), reading)?;
    let place = |n: &Node| matches!(n.at, At::Place(_));
    let wrong = |(n, next): (&Node, &Vec<usize>)| match question {
        Question::DeadlockFree => {
            let ends = matches!(machine.role(n.at), Role::Final | Role::Error);
            next.is_empty() && !ends && !machine.precedes_runs(n.at)
        }
        Question::NoError => machine.role(n.at) == Role::Error,
        Question::Invariant(c) => place(n) && !c.holds(&n.values),
        Question::Temporal(..) => unreachable!("it was answered"),
    };
    Some(!nodes.iter().zip(&next).any(wrong))
}
