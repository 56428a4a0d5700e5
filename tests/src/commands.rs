//! Random systems of guarded commands with their verdict, by an enumeration of their states.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write;

use veristep_core::certificate::{self, Certificate};
use veristep_core::kit::{Off, Verdict};
use veristep_core::run::{self, Kind, Options, Run};

use crate::models::poll_up_to;
use crate::mutants::mutant;
use crate::random::Rng;

/// The limit on states of the enumeration.
const STATES: usize = 3_000;

/// A condition on a variable: `x ⋈ c` or `x ⋈ y + c`.
#[derive(Clone, Debug)]
struct Atom {
    left: usize,
    op: &'static str,
    right: Value,
}

/// The value of an assignment.
#[derive(Clone, Debug)]
enum Value {
    Number(i64),
    Sum(usize, i64),
    /// Any truth value.
    Input,
}

#[derive(Clone, Debug)]
struct Command {
    guard: Vec<Atom>,
    assignments: Vec<(usize, Value)>,
}

/// A system. Variable 0 is the program counter `pc`, with the values 0 to 2; then come numbers, and `b`, a truth value.
#[derive(Clone, Debug)]
pub struct System {
    /// Initial values; none for any truth value.
    initial: Vec<Option<i64>>,
    commands: Vec<Command>,
    error: Vec<Atom>,
}

impl System {
    /// A random system. Small numbers make the error reachable and unreachable in turn.
    pub fn random(rng: &mut Rng) -> System {
        let numbers = 1 + rng.below(3);
        let b = numbers + 1;
        let mut initial = vec![Some(0)];
        initial.extend((0..numbers).map(|_| Some(rng.range(0, 2))));
        initial.push(if rng.one_in(3) { None } else { Some(rng.range(0, 1)) });
        let commands = (0..2 + rng.below(6)).map(|_| command(rng, numbers, b)).collect();
        let mut error = vec![Atom { left: 0, op: "=", right: Value::Number(rng.range(0, 2)) }];
        for _ in 0..1 + rng.below(2) {
            error.push(atom(rng, numbers));
        }
        System { initial, commands, error }
    }

    fn name(&self, v: usize) -> String {
        match v {
            0 => "pc".to_owned(),
            v if v + 1 == self.initial.len() => "b".to_owned(),
            v => format!("x{v}"),
        }
    }

    fn is_truth(&self, v: usize) -> bool {
        v + 1 == self.initial.len()
    }

    /// The system as a text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = "system random {\n  control pc : {p0, p1, p2} = p0\n".to_owned();
        for (v, value) in self.initial.iter().enumerate().skip(1) {
            let (name, ty) = (self.name(v), if self.is_truth(v) { "bool" } else { "int" });
            let value = value.map(|n| format!(" = {}", self.written(v, &Value::Number(n))));
            let _ = writeln!(text, "  var {name} : {ty}{}", value.unwrap_or_default());
        }
        for command in &self.commands {
            let all = command.assignments.iter();
            let all = all.map(|(v, value)| format!("{} := {}", self.name(*v), self.written(*v, value)));
            let all = all.collect::<Vec<_>>().join(", ");
            let all = if all.is_empty() { "skip".to_owned() } else { all };
            let _ = writeln!(text, "  {} -> {all}", self.condition(&command.guard));
        }
        let _ = writeln!(text, "  error {}\n}}", self.condition(&self.error));
        text
    }

    fn condition(&self, all: &[Atom]) -> String {
        let one = |a: &Atom| match (&a.right, self.is_truth(a.left)) {
            (Value::Number(0), true) => "!b".to_owned(),
            (_, true) => "b".to_owned(),
            (right, false) => format!("{} {} {}", self.name(a.left), a.op, self.written(a.left, right)),
        };
        all.iter().map(one).collect::<Vec<_>>().join(" && ")
    }

    fn written(&self, of: usize, value: &Value) -> String {
        match value {
            Value::Input => "input".to_owned(),
            Value::Number(n) if of == 0 => format!("p{n}"),
            Value::Number(n) if self.is_truth(of) => (*n == 1).to_string(),
            Value::Number(n) => n.to_string(),
            Value::Sum(v, 0) => self.name(*v),
            Value::Sum(v, n) if *n < 0 => format!("{} - {}", self.name(*v), -n),
            Value::Sum(v, n) => format!("{} + {n}", self.name(*v)),
        }
    }

    /// Is a state reachable that satisfies the error condition? None if there are too many states, or any number can be
    /// assigned.
    #[must_use]
    pub fn error_reached(&self) -> Option<bool> {
        let is_open = |(v, value): &(usize, Value)| matches!(value, Value::Input) && !self.is_truth(*v);
        if self.commands.iter().flat_map(|c| &c.assignments).any(is_open) {
            return None;
        }
        let mut starts = vec![Vec::new()];
        for value in &self.initial {
            let values = value.map_or(vec![0, 1], |n| vec![n]);
            starts = starts
                .iter()
                .flat_map(|s: &Vec<i64>| values.iter().map(move |n| [&s[..], &[*n]].concat()))
                .collect();
        }
        let mut seen: BTreeSet<Vec<i64>> = starts.iter().cloned().collect();
        let mut open: VecDeque<Vec<i64>> = starts.into();
        while let Some(state) = open.pop_front() {
            if satisfies(&self.error, &state) {
                return Some(true);
            }
            for command in self.commands.iter().filter(|c| satisfies(&c.guard, &state)) {
                for choice in [0, 1] {
                    let mut next = state.clone();
                    for (v, value) in &command.assignments {
                        next[*v] = number(value, &state).unwrap_or(choice);
                    }
                    if seen.insert(next.clone()) {
                        open.push_back(next);
                    }
                }
            }
            if seen.len() > STATES {
                return None;
            }
        }
        Some(false)
    }
}

fn atom(rng: &mut Rng, numbers: usize) -> Atom {
    let left = 1 + rng.below(numbers);
    let op = ["<", "<=", "=", "!=", ">="][rng.below(5)];
    let right = match rng.below(3) {
        0 => Value::Sum(1 + rng.below(numbers), rng.range(-1, 1)),
        _ => Value::Number(rng.range(0, 3)),
    };
    Atom { left, op, right }
}

fn command(rng: &mut Rng, numbers: usize, b: usize) -> Command {
    let mut guard = vec![Atom { left: 0, op: "=", right: Value::Number(rng.range(0, 2)) }];
    for _ in 0..rng.below(3) {
        guard.push(atom(rng, numbers));
    }
    if rng.one_in(3) {
        guard.push(Atom { left: b, op: "=", right: Value::Number(rng.range(0, 1)) });
    }
    let mut assignments = Vec::new();
    if !rng.one_in(4) {
        assignments.push((0, Value::Number(rng.range(0, 2))));
    }
    for v in 1..=numbers {
        if !rng.one_in(3) {
            continue;
        }
        let from = 1 + rng.below(numbers);
        let value = match rng.below(5) {
            _ if rng.one_in(20) => Value::Input,
            0 => Value::Number(rng.range(0, 3)),
            1 => Value::Sum(from, 0),
            2 => {
                guard.push(Atom { left: from, op: ">", right: Value::Number(0) });
                Value::Sum(from, -1)
            }
            _ => {
                // Seldom, numbers grow without bound.
                if !rng.one_in(8) {
                    guard.push(Atom { left: from, op: "<", right: Value::Number(rng.range(1, 4)) });
                }
                Value::Sum(from, 1)
            }
        };
        assignments.push((v, value));
    }
    if rng.one_in(3) {
        let value = if rng.one_in(2) { Value::Input } else { Value::Number(rng.range(0, 1)) };
        assignments.push((b, value));
    }
    Command { guard, assignments }
}

fn number(value: &Value, state: &[i64]) -> Option<i64> {
    match value {
        Value::Number(n) => Some(*n),
        Value::Sum(v, n) => Some(state[*v] + n),
        Value::Input => None,
    }
}

fn satisfies(all: &[Atom], state: &[i64]) -> bool {
    all.iter().all(|a| {
        let (x, y) = (state[a.left], number(&a.right, state).unwrap_or(0));
        match a.op {
            "<" => x < y,
            "<=" => x <= y,
            "=" => x == y,
            "!=" => x != y,
            ">" => x > y,
            _ => x >= y,
        }
    })
}

/// What was examined.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Systems in which the error is reachable, unreachable, and those with too many states.
    pub systems: [usize; 3],
    /// Verdicts of each run, decided and undecided.
    pub runs: Vec<(&'static str, [usize; 2])>,
}

/// The runs that are compared: options by name.
pub const RUNS: [&[(&str, &str)]; 9] = [
    &[("engine", "under")],
    &[("engine", "under"), ("concrete", "3")],
    &[("engine", "under"), ("search", "dfs"), ("stop", "first")],
    &[("engine", "under"), ("precision", "local")],
    &[("engine", "under"), ("exactness", "substitution")],
    &[("engine", "combined-approx")],
    &[("engine", "cegar")],
    &[("engine", "explicit")],
    &[("engine", "pdr")],
];

/// The system with another error, which is reachable; none if a few that were tried are not.
fn with_reachable_error(random: &System, rng: &mut Rng) -> Option<String> {
    let numbers = random.initial.len() - 2;
    (0..3).find_map(|_| {
        let mut wrong = random.clone();
        wrong.error = vec![atom(rng, numbers)];
        (wrong.error_reached() == Some(true)).then(|| wrong.text())
    })
}

/// Runs all methods on a random system; every verdict is that of the enumeration, with an accepted certificate.
///
/// # Panics
/// Otherwise.
pub fn examine(rng: &mut Rng, counted: &mut Counted) {
    let random = System::random(rng);
    let text = random.text();
    let system = run::load(Kind::Gc, &text).unwrap_or_else(|d| panic!("{}\n{text}", d[0].message));
    let expected = random.error_reached();
    counted.systems[match expected {
        Some(true) => 0,
        Some(false) => 1,
        None => 2,
    }] += 1;
    let property = run::property(&system, "").expect("an error is declared");
    for choices in RUNS {
        let name = choices.last().expect("there is an engine").1;
        let named: Vec<(String, String)> =
            choices.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let options = Options::with(&named).expect("options");
        let mut run = Run::new(&system, &property, &options).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let ended = poll_up_to(&mut run, &mut Off, 4_000, &mut || u64::MAX);
        let verdict = ended.as_ref().map(|e| e.verdict);
        let decided = matches!(verdict, Some(Verdict::Holds | Verdict::Violated));
        if !counted.runs.iter().any(|(n, _)| *n == name) {
            counted.runs.push((name, [0, 0]));
        }
        let own = counted.runs.iter_mut().find(|(n, _)| *n == name).expect("it was added");
        own.1[usize::from(!decided)] += 1;
        let Some(ended) = ended.filter(|_| decided) else { continue };
        if let Some(reached) = expected {
            let right = if reached { Verdict::Violated } else { Verdict::Holds };
            assert_eq!(ended.verdict, right, "{choices:?}\n{text}");
        }
        let certificate = ended.certificate.unwrap_or_else(|| panic!("{choices:?}: no certificate\n{text}"));
        let checked = certificate::check(&system, &property, &certificate);
        let report = checked.unwrap_or_else(|e| panic!("{choices:?}: {e}\n{text}"));
        // A structure with a change is no proof that an error that is reachable is not.
        if let (Certificate::Structure { .. }, Some(wrong)) =
            (&certificate, with_reachable_error(&random, rng))
        {
            let system = run::load(Kind::Gc, &wrong).expect("another error");
            let property = run::property(&system, "").expect("an error is declared");
            for _ in 0..4 {
                let changed = mutant(&certificate, &system, rng).unwrap_or_else(|| certificate.clone());
                let accepted = certificate::check(&system, &property, &changed);
                assert!(accepted.is_err(), "{choices:?}: accepted for\n{wrong}\n{changed:?}");
            }
        }
        assert!(report.by_statements || name != "under", "{choices:?}: statements\n{text}");
    }
}
