//! Tableau translation of formulas to automata (Couvreur, "On-the-fly Verification of Linear Temporal Logic", 1999).
//!
//! A state is a formula. Its transitions follow from the expansion laws, by the first letter and the rest:
//!
//! ```text
//! a U b = b ∨ (a ∧ X (a U b) ∧ promise b)        a R b = b ∧ (a ∨ X (a R b))
//! ```
//!
//! gives a Boolean function of atoms, next formulas and promises. Its prime implicants are the transitions, for each
//! letter. A transition without the promise `b` has the mark of `b`: a run with infinitely many of each mark keeps all
//! its promises. Formulas with the same function share a state.

use std::collections::{BTreeMap, HashMap};

use crate::buchi::automaton::{Automaton, Marks, StateId, Transition};
use crate::buchi::guard::{Guard, Guards};
use crate::buchi::normal::{Id, Node, Store};
use crate::ltl::Formula;

/// The limit on atoms of a state whose letters are enumerated.
const LETTERS: usize = 7;
/// The limit on states.
const STATES: usize = 20_000;
/// The limit on operations on guards.
const WORK: usize = 2_000_000;

/// Why the translation failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// Too many states.
    States,
    /// Too many operators with promises.
    Promises,
    /// Too large guards.
    Work,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TooLarge::States => write!(f, "the automaton of this formula has more than {STATES} states"),
            TooLarge::Work => {
                write!(f, "the guards of the automaton of this formula have more than {WORK} parts")
            }
            TooLarge::Promises => f.write_str("this formula has more than 64 eventualities"),
        }
    }
}

/// The meaning of a variable of a state's function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Variable {
    Next(Id),
    Promise(Id),
}

struct Translation {
    store: Store,
    guards: Guards,
    /// The number of atoms; the variables after them are those of `variables`.
    atoms: u32,
    variables: Vec<Variable>,
    number: HashMap<Variable, u32>,
    functions: HashMap<(Id, bool), Guard>,
    promises: Vec<Id>,
}

/// The generalized automaton of the formula, with marks on transitions, before any reduction.
///
/// # Errors
/// If a limit is exceeded.
pub fn translate(formula: &Formula, atoms: &[String]) -> Result<Automaton, TooLarge> {
    let mut store = Store::new();
    let start = store.of(formula);
    let mut t = Translation {
        store,
        guards: Guards::default(),
        atoms: u32::try_from(atoms.len()).expect("few atoms"),
        variables: Vec::new(),
        number: HashMap::new(),
        functions: HashMap::new(),
        promises: Vec::new(),
    };
    t.automaton(start, atoms)
}

/// A transition before its marks are computed.
struct Step {
    guard: Guard,
    promises: u64,
    target: StateId,
}

impl Translation {
    fn automaton(&mut self, start: Id, atoms: &[String]) -> Result<Automaton, TooLarge> {
        let mut state_of: HashMap<Guard, StateId> = HashMap::new();
        self.guards.limit(Some(WORK));
        let mut formulas = vec![start];
        state_of.insert(self.function(start, false), StateId(0));
        let mut states: Vec<Vec<Step>> = Vec::new();
        while states.len() < formulas.len() {
            let function = self.function(formulas[states.len()], false);
            if self.guards.is_exhausted() {
                return Err(TooLarge::Work);
            }
            let mut steps = Vec::new();
            for ((next, promises), guard) in self.successors(function)? {
                let function = self.function(next, false);
                let target = *state_of.entry(function).or_insert_with(|| {
                    formulas.push(next);
                    StateId::new(formulas.len() - 1)
                });
                steps.push(Step { guard, promises, target });
            }
            states.push(steps);
            if formulas.len() > STATES {
                return Err(TooLarge::States);
            }
            if self.guards.is_exhausted() {
                return Err(TooLarge::Work);
            }
        }
        self.guards.limit(None);
        let marks = u32::try_from(self.promises.len()).expect("few promises");
        let transition = |s: Step| Transition {
            guard: s.guard,
            marks: Marks(Marks::all(marks).0 & !s.promises),
            target: s.target,
        };
        let mut automaton = Automaton {
            atoms: atoms.to_vec(),
            guards: std::mem::take(&mut self.guards),
            marks,
            initial: StateId(0),
            states: states.into_iter().map(|out| out.into_iter().map(transition).collect()).collect(),
        };
        automaton.join_transitions();
        Ok(automaton)
    }

    /// The letters for each next formula and set of promises.
    fn successors(&mut self, function: Guard) -> Result<BTreeMap<(Id, u64), Guard>, TooLarge> {
        let mut found: BTreeMap<(Id, u64), Guard> = BTreeMap::new();
        let mut letters = vec![(Guard::TRUE, function)];
        let atoms: Vec<u32> = self.guards.support(function).into_iter().filter(|v| *v < self.atoms).collect();
        if atoms.len() <= LETTERS {
            for atom in atoms {
                let mut split = Vec::with_capacity(2 * letters.len());
                for (letter, rest) in letters {
                    for value in [true, false] {
                        let literal = self.guards.literal(atom, value);
                        let rest = self.guards.restrict(rest, atom, value);
                        if rest != Guard::FALSE {
                            split.push((self.guards.and(letter, literal), rest));
                        }
                    }
                }
                letters = split;
            }
        }
        for (letter, rest) in letters {
            for cube in self.guards.implicants(rest) {
                let mut guard = letter;
                let (mut next, mut promises) = (Vec::new(), 0);
                for (variable, positive) in cube {
                    if variable < self.atoms {
                        let literal = self.guards.literal(variable, positive);
                        guard = self.guards.and(guard, literal);
                        continue;
                    }
                    match self.variables[(variable - self.atoms) as usize] {
                        Variable::Next(id) => next.push(id),
                        Variable::Promise(id) => promises |= 1 << self.promise(id)?,
                    }
                }
                let next = self.store.all_of(next);
                if next != Id::FALSE {
                    let before = found.entry((next, promises)).or_insert(Guard::FALSE);
                    *before = self.guards.or(*before, guard);
                }
            }
        }
        Ok(found)
    }

    fn promise(&mut self, id: Id) -> Result<usize, TooLarge> {
        if let Some(known) = self.promises.iter().position(|p| *p == id) {
            return Ok(known);
        }
        self.promises.push(id);
        if self.promises.len() > 64 { Err(TooLarge::Promises) } else { Ok(self.promises.len() - 1) }
    }

    fn variable(&mut self, variable: Variable) -> Guard {
        let next = self.atoms + u32::try_from(self.variables.len()).expect("few variables");
        let number = *self.number.entry(variable).or_insert(next);
        if number == next {
            self.variables.push(variable);
        }
        self.guards.variable(number)
    }

    /// The formula as a function; `repeated` if it occurs under `G`, which requires it again in the next state.
    fn function(&mut self, id: Id, repeated: bool) -> Guard {
        if let Some(known) = self.functions.get(&(id, repeated)) {
            return *known;
        }
        let result = match self.store.node(id).clone() {
            Node::Constant(b) => {
                if b {
                    Guard::TRUE
                } else {
                    Guard::FALSE
                }
            }
            Node::Literal(atom, positive) => self.guards.literal(atom.0, positive),
            Node::And(parts) => parts.into_iter().fold(Guard::TRUE, |all, p| {
                let f = self.function(p, repeated);
                self.guards.and(all, f)
            }),
            Node::Or(parts) => parts.into_iter().fold(Guard::FALSE, |all, p| {
                let f = self.function(p, false);
                self.guards.or(all, f)
            }),
            Node::Next(a) => self.later(a),
            Node::Until(a, b) => {
                let (now, wait) = (self.function(b, false), self.function(a, false));
                let promise = self.variable(Variable::Promise(b));
                let again = if repeated { Guard::TRUE } else { self.variable(Variable::Next(id)) };
                let again = self.guards.and(again, promise);
                let wait = self.guards.and(wait, again);
                self.guards.or(now, wait)
            }
            Node::Release(a, b) => {
                let (released, now) = (self.function(a, false), self.function(b, a == Id::FALSE));
                let again = if repeated { Guard::TRUE } else { self.variable(Variable::Next(id)) };
                let rest = self.guards.or(released, again);
                self.guards.and(now, rest)
            }
        };
        self.functions.insert((id, repeated), result);
        result
    }

    /// `X a`
    fn later(&mut self, a: Id) -> Guard {
        match self.store.node(a).clone() {
            Node::Constant(b) => {
                if b {
                    Guard::TRUE
                } else {
                    Guard::FALSE
                }
            }
            Node::And(parts) => parts.into_iter().fold(Guard::TRUE, |all, p| {
                let f = self.later(p);
                self.guards.and(all, f)
            }),
            _ => self.variable(Variable::Next(a)),
        }
    }
}
