//! Does a formula of temporal logic hold in a finite system? By explicit search of the tableau of the formula
//! (Lichtenstein and Pnueli, "Checking that finite state concurrent programs satisfy their linear specification",
//! 1985), without normal forms and automata: a run is a path of pairs of a state and the truth values of all formulas
//! `X a` and `a U b`; it satisfies the formula if it reaches a component in which every `a U b` that is true is
//! fulfilled.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use solver_lite::number::Q;
use solver_lite::term::Value;
use veristep_core::ltl::{AtomId, Formula, Letter, Temporal};
use veristep_core::system::{LocationId, Role, State, System};
use veristep_core::temporal::{Requirement, Termination};

/// A formula with no operators but negation, disjunction, `X` and `U`; the last two are numbered.
enum Basic {
    True,
    Atom(AtomId),
    Not(Box<Basic>),
    Or(Box<[Basic; 2]>),
    Elementary(usize),
}

#[derive(Default)]
struct Closure {
    /// `X a` (no left operand) and `a U b`.
    elementary: Vec<(Option<Basic>, Basic)>,
}

impl Closure {
    fn not(a: Basic) -> Basic {
        Basic::Not(Box::new(a))
    }

    fn and(a: Basic, b: Basic) -> Basic {
        Closure::not(Basic::Or(Box::new([Closure::not(a), Closure::not(b)])))
    }

    fn until(&mut self, a: Basic, b: Basic) -> Basic {
        self.elementary.push((Some(a), b));
        Basic::Elementary(self.elementary.len() - 1)
    }

    fn of(&mut self, f: &Formula) -> Basic {
        let children = f.children();
        match f {
            Formula::Constant(true) => Basic::True,
            Formula::Constant(false) => Closure::not(Basic::True),
            Formula::Atom(p) => Basic::Atom(*p),
            Formula::Not(a) => Closure::not(self.of(a)),
            Formula::And(all) => {
                let first = self.of(&all[0]);
                all[1..].iter().fold(first, |sum, f| Closure::and(sum, self.of(f)))
            }
            Formula::Or(all) => {
                let first = self.of(&all[0]);
                all[1..].iter().fold(first, |sum, f| Basic::Or(Box::new([sum, self.of(f)])))
            }
            Formula::Implies(_) => {
                Basic::Or(Box::new([Closure::not(self.of(&children[0])), self.of(&children[1])]))
            }
            Formula::Iff(_) => Closure::not(self.differ(&children[0], &children[1])),
            Formula::Xor(_) => self.differ(&children[0], &children[1]),
            Formula::Unary(Temporal::Next, a) => {
                let a = self.of(a);
                self.elementary.push((None, a));
                Basic::Elementary(self.elementary.len() - 1)
            }
            Formula::Unary(Temporal::Finally, a) => {
                let a = self.of(a);
                self.until(Basic::True, a)
            }
            Formula::Unary(_, a) => {
                let a = Closure::not(self.of(a));
                Closure::not(self.until(Basic::True, a))
            }
            Formula::Binary(op, _) => {
                let mut operand = |i: usize| self.of(&children[i]);
                match op {
                    Temporal::Until => {
                        let (a, b) = (operand(0), operand(1));
                        self.until(a, b)
                    }
                    Temporal::Release => {
                        let (a, b) = (Closure::not(operand(0)), Closure::not(operand(1)));
                        Closure::not(self.until(a, b))
                    }
                    // a W b = ¬(¬b U (¬a ∧ ¬b)), a M b = b U (a ∧ b)
                    Temporal::WeakUntil => {
                        let both = Closure::and(Closure::not(operand(0)), Closure::not(operand(1)));
                        let no_b = Closure::not(operand(1));
                        Closure::not(self.until(no_b, both))
                    }
                    _ => {
                        let both = Closure::and(operand(0), operand(1));
                        let b = operand(1);
                        self.until(b, both)
                    }
                }
            }
        }
    }

    fn differ(&mut self, a: &Formula, b: &Formula) -> Basic {
        let left = Closure::and(self.of(a), Closure::not(self.of(b)));
        let right = Closure::and(Closure::not(self.of(a)), self.of(b));
        Basic::Or(Box::new([left, right]))
    }
}

fn value(f: &Basic, letter: &Letter, bits: usize) -> bool {
    match f {
        Basic::True => true,
        Basic::Atom(p) => letter[p.index()],
        Basic::Not(a) => !value(a, letter, bits),
        Basic::Or(ab) => value(&ab[0], letter, bits) || value(&ab[1], letter, bits),
        Basic::Elementary(i) => bits >> i & 1 == 1,
    }
}

/// The states of a system, and their successors; `positions` marks the letters.
struct Graph {
    letters: Vec<Option<Letter>>,
    next: Vec<Vec<usize>>,
}

/// All states of a system whose variables have values in `0..size`.
fn explore(system: &System, requirement: &Requirement, size: i64) -> Graph {
    let all: Vec<Value> = (0..size).map(|n| Value::Num(Q::from(n))).collect();
    let start: (LocationId, State) = (system.initial, vec![Value::Num(Q::ZERO); system.variables.len()]);
    let mut number: BTreeMap<(LocationId, State), usize> = BTreeMap::from([(start.clone(), 0)]);
    let mut states = vec![start];
    let mut graph = Graph { letters: Vec::new(), next: Vec::new() };
    while graph.next.len() < states.len() {
        let (location, state) = states[graph.next.len()].clone();
        let first = graph.next.is_empty();
        let counts = if first {
            requirement.starts_at_once(system)
        } else {
            requirement.is_position(system, location)
        };
        graph.letters.push(counts.then(|| requirement.letter(None, location, &state)));
        let mut next = Vec::new();
        for edge in system.out_edges(location).iter().map(|e| system.edge(*e)) {
            for after in system.successors(&edge.op, &state, &|_| all.clone()) {
                let after = (edge.target, after.expect("no division by zero"));
                let fresh = number.len();
                let id = *number.entry(after.clone()).or_insert(fresh);
                if id == fresh {
                    states.push(after);
                }
                next.push(id);
            }
        }
        let stays = match requirement.semantics.termination {
            Termination::Never => false,
            Termination::Final => {
                system.out_edges(location).is_empty() && system.location(location).role == Role::Final
            }
            Termination::DeadEnd => system.out_edges(location).is_empty(),
            Termination::Deadlock => next.is_empty(),
        };
        if stays {
            // Values kept by the step are read, even between two positions.
            let at = graph.next.len();
            graph.letters[at] = Some(requirement.letter(None, location, &state));
            next.push(at);
        }
        graph.next.push(next);
    }
    // States between letters are skipped.
    let letters: Vec<Vec<usize>> = (0..graph.next.len()).map(|s| graph.letters_after(s)).collect();
    graph.next = letters;
    graph
}

/// Does some run of a system whose variables have values in `0..size` deadlock, other than at final and error
/// locations? Without initial values.
///
/// # Panics
/// If a divisor is zero.
#[must_use]
pub fn stops(system: &System, size: i64) -> bool {
    let all: Vec<Value> = (0..size).map(|n| Value::Num(Q::from(n))).collect();
    let mut open = vec![(system.initial, vec![Value::Num(Q::ZERO); system.variables.len()])];
    let mut seen: BTreeSet<(LocationId, State)> = open.iter().cloned().collect();
    while let Some((location, state)) = open.pop() {
        let mut goes_on = false;
        for edge in system.out_edges(location).iter().map(|e| system.edge(*e)) {
            for after in system.successors(&edge.op, &state, &|_| all.clone()) {
                goes_on = true;
                let after = (edge.target, after.expect("no division by zero"));
                if seen.insert(after.clone()) {
                    open.push(after);
                }
            }
        }
        if !goes_on && !matches!(system.location(location).role, Role::Final | Role::Error) {
            return true;
        }
    }
    false
}

impl Graph {
    /// The letters that may come next.
    fn letters_after(&self, state: usize) -> Vec<usize> {
        let (mut found, mut seen) = (Vec::new(), vec![false; self.next.len()]);
        let mut stack = self.next[state].clone();
        while let Some(s) = stack.pop() {
            if !std::mem::replace(&mut seen[s], true) {
                match self.letters[s] {
                    Some(_) => found.push(s),
                    None => stack.extend(&self.next[s]),
                }
            }
        }
        found
    }
}

/// Does every infinite run satisfy the formula? `None` if it has too many temporal operators.
///
/// # Panics
/// If a run returns to the start, which would then be both a letter and not.
#[must_use]
pub fn holds(system: &System, requirement: &Requirement, size: i64) -> Option<bool> {
    let mut closure = Closure::default();
    let negated = Closure::not(closure.of(&requirement.formula().expect("a formula")));
    let n = closure.elementary.len();
    if n > 7 {
        return None;
    }
    let graph = explore(system, requirement, size);
    assert!(graph.next.iter().flatten().all(|s| *s != 0), "nothing leads back to the start");
    // Vertices: a state and truth values of the elementary formulas at the last letter.
    let id = |state: usize, bits: usize| state << n | bits;
    let vertices = graph.next.len() << n;
    let step = |v: usize| -> Vec<usize> {
        let (state, bits) = (v >> n, v & ((1 << n) - 1));
        let mut out = Vec::new();
        for &t in &graph.next[state] {
            let fits = (0..1 << n).filter(|b| follows(&closure, &graph, (state, bits), (t, *b)));
            out.extend(fits.map(|b| id(t, b)));
        }
        out
    };
    let first = if graph.letters[0].is_some() { vec![0] } else { graph.next[0].clone() };
    let letter = |s: usize| graph.letters[s].as_ref().expect("it is a letter");
    let mut starts = Vec::new();
    for s in first {
        starts.extend((0..1 << n).filter(|b| value(&negated, letter(s), *b)).map(|b| id(s, b)));
    }
    Some(!fulfilled(&closure, &graph, vertices, &starts, &step))
}

/// May these truth values at a letter follow those at the letter before it?
fn follows(
    closure: &Closure,
    graph: &Graph,
    (state, now): (usize, usize),
    (next, then): (usize, usize),
) -> bool {
    let letter = |s: usize| graph.letters[s].as_ref().expect("it is a letter");
    closure.elementary.iter().enumerate().all(|(i, (a, b))| {
        let (is, was) = (then >> i & 1 == 1, now >> i & 1 == 1);
        was == match a {
            None => value(b, letter(next), then),
            Some(a) => value(b, letter(state), now) || value(a, letter(state), now) && is,
        }
    })
}

/// Is a component reached in which every `a U b` that is true is fulfilled, and that has an edge?
fn fulfilled(
    closure: &Closure,
    graph: &Graph,
    vertices: usize,
    starts: &[usize],
    step: &dyn Fn(usize) -> Vec<usize>,
) -> bool {
    let n = closure.elementary.len();
    let mut known: HashMap<usize, Vec<usize>> = HashMap::new();
    let component = tarjan(vertices, starts, &mut |v| known.entry(v).or_insert_with(|| step(v)).clone());
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (v, c) in component.iter().enumerate().filter_map(|(v, c)| Some((v, (*c)?))) {
        members.entry(c).or_default().push(v);
    }
    members.values().any(|all| {
        let c = component[all[0]];
        let edge = all.iter().any(|v| known[v].iter().any(|w| component[*w] == c));
        let letter = |v: usize| graph.letters[v >> n].as_ref().expect("it is a letter");
        edge && closure.elementary.iter().enumerate().all(|(i, (a, b))| {
            a.is_none()
                || !all.iter().any(|v| v >> i & 1 == 1)
                || all.iter().any(|v| value(b, letter(*v), v & ((1 << n) - 1)))
        })
    })
}

/// The components of the reachable graph, with an explicit stack.
fn tarjan(
    vertices: usize,
    starts: &[usize],
    step: &mut dyn FnMut(usize) -> Vec<usize>,
) -> Vec<Option<usize>> {
    let (mut index, mut low) = (vec![usize::MAX; vertices], vec![0; vertices]);
    let (mut component, mut open) = (vec![None; vertices], Vec::new());
    let (mut next, mut count) = (0, 0);
    for &start in starts {
        if index[start] != usize::MAX {
            continue;
        }
        let mut stack = vec![(start, Vec::new(), 0)];
        while let Some((v, mut out, mut at)) = stack.pop() {
            if at == 0 && index[v] == usize::MAX {
                (index[v], low[v]) = (next, next);
                next += 1;
                open.push(v);
                out = step(v);
            } else if at > 0 {
                low[v] = low[v].min(low[out[at - 1]]);
            }
            let mut entered = false;
            while at < out.len() {
                let w = out[at];
                at += 1;
                if index[w] == usize::MAX {
                    stack.push((v, std::mem::take(&mut out), at));
                    stack.push((w, Vec::new(), 0));
                    entered = true;
                    break;
                }
                if component[w].is_none() {
                    low[v] = low[v].min(index[w]);
                }
            }
            if !entered && low[v] == index[v] {
                while let Some(w) = open.pop() {
                    component[w] = Some(count);
                    if w == v {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    component
}
