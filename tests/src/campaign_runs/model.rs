//! Trees of models and properties, and their texts.

use std::fmt::Write as _;

use super::formula::Ltl;

/// Integers stay below this number once they have a value.
pub const SIZE: i64 = 4;
/// The values of an enumeration.
pub const LITERALS: [&str; 3] = ["A", "B", "C"];

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// One of [`LITERALS`].
    Enum,
}

/// A variable of a model, or of a block.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Its initial value; any if there is none.
    pub first: Option<i64>,
    /// Is it declared in a block?
    pub local: bool,
}

/// A number.
#[derive(Clone, Debug)]
pub enum Num {
    /// A constant.
    Const(i64),
    /// The value of a variable.
    Var(usize),
    /// A sum.
    Add(Box<[Num; 2]>),
    /// A difference.
    Sub(Box<[Num; 2]>),
    /// A remainder, which is not negative.
    Mod(Box<Num>, i64),
    /// One of two numbers.
    Ite(Box<Cond>, Box<[Num; 2]>),
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Cond {
    /// A constant.
    Const(bool),
    /// The value of a variable.
    Var(usize),
    /// Is an enumeration's value this literal?
    Is(usize, usize),
    /// A comparison: `=`, `/=`, `<`, `<=`, `>`, `>=`.
    Compare(usize, Box<[Num; 2]>),
    /// The negation.
    Not(Box<Cond>),
    /// `and`, `or`, `imply`, `iff`, `xor`.
    Pair(usize, Box<[Cond; 2]>),
}

/// An assigned value.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number.
    Num(Num),
    /// A truth value.
    Truth(Cond),
    /// A literal.
    Literal(usize),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Only runs on which the condition is true continue.
    Assume(Cond),
    /// Any value of its type, and of integers any below [`SIZE`].
    Any(usize),
    /// An assignment.
    Assign(usize, Value),
    /// A variable of a block, with a value or with any.
    Local(usize, Option<Value>),
    /// One of several blocks.
    Choice(Vec<Vec<Statement>>),
    /// One of two blocks.
    If(Cond, Box<[Vec<Statement>; 2]>),
}

/// The kind of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Runs start here.
    Initial,
    /// Nothing special.
    Plain,
    /// Runs may end here.
    Final,
    /// Error location.
    Error,
}

/// An edge of an automaton.
#[derive(Clone, Debug)]
pub struct Arc {
    /// The numbers of its locations.
    pub ends: (usize, usize),
    /// Its statements.
    pub statements: Vec<Statement>,
}

/// The shape of a model.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A control flow automaton: its locations, the initial one first, and its edges.
    Automaton(Vec<(String, Role)>, Vec<Arc>),
    /// An extended transition system: the branches of `init`, `env` and `trans`.
    Actions([Vec<Vec<Statement>>; 3]),
}

/// A model.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its variables, those of blocks included.
    pub vars: Vec<Var>,
    /// The rest.
    pub shape: Shape,
}

/// Edges by name: those from a place to a place, or one of them, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The places.
    pub ends: (usize, usize),
    /// Which one.
    pub number: Option<usize>,
}

/// The meaning of an atom.
#[derive(Clone, Debug)]
pub enum Atom {
    /// A condition.
    Cond(Cond),
    /// That the run is at a place.
    At(usize),
    /// That the last step took one of these edges.
    Over(Named),
}

/// An assumption: is it strong, and for which edges (all where there is a choice, if none is named)?
#[derive(Clone, Debug)]
pub struct Fair {
    /// Strong, not weak?
    pub strong: bool,
    /// The edges.
    pub named: Option<Named>,
}

/// Deadlocked runs that stutter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// None.
    Never,
    /// Those at a final location without edges.
    Final,
    /// Those at a location without edges.
    DeadEnd,
    /// All deadlocked runs.
    Deadlock,
}

/// The reading of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Is a step a whole edge, or `env` and `trans`?
    pub whole: bool,
    /// Is the initial state position 0?
    pub initial: bool,
    /// Treatment of runs that stop.
    pub stuck: Stuck,
}

/// A property.
#[derive(Clone, Debug)]
pub enum Question {
    /// Is there no deadlock?
    DeadlockFree,
    /// Is the error location unreachable?
    NoError,
    /// Is this true in every observable state?
    Invariant(Cond),
    /// Does every fair run satisfy the formula over these atoms?
    Temporal(Reading, Vec<Fair>, Vec<Atom>, Ltl),
}

/// The names of the places between the actions of a transition system.
const PLACES: [&str; 3] = ["before_init", "before_env", "before_trans"];

/// The language in which a condition is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    Automata,
    Actions,
}

impl Model {
    /// The number of places.
    #[must_use]
    pub fn places(&self) -> usize {
        match &self.shape {
            Shape::Automaton(locations, _) => locations.len(),
            Shape::Actions(_) => PLACES.len(),
        }
    }

    /// The ends of edges by name, in the order of the text.
    #[must_use]
    pub fn ends(&self) -> Vec<(usize, usize)> {
        match &self.shape {
            Shape::Automaton(_, edges) => edges.iter().map(|e| e.ends).collect(),
            Shape::Actions(actions) => {
                let ends = [(0, 1), (1, 2), (2, 1)];
                let count =
                    |branches: &[Vec<Statement>]| branches.iter().map(|b| first_ways(b).len()).sum::<usize>();
                actions.iter().zip(ends).flat_map(|(a, ends)| vec![ends; count(a)]).collect()
            }
        }
    }

    fn place(&self, place: usize) -> &str {
        match &self.shape {
            Shape::Automaton(locations, _) => &locations[place].0,
            Shape::Actions(_) => PLACES[place],
        }
    }

    /// The model as the engine reads it.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.shape {
            Shape::Automaton(locations, edges) => self.automaton(locations, edges),
            Shape::Actions(actions) => self.actions(actions),
        }
    }

    fn automaton(&self, locations: &[(String, Role)], edges: &[Arc]) -> String {
        let mut text = "main process m {\n".to_owned();
        for v in &self.vars {
            let ty = if v.ty == Ty::Bool { "bool" } else { "int" };
            let _ = writeln!(text, "  var {} : {ty}", v.name);
        }
        for (name, role) in locations {
            let role = match role {
                Role::Initial => "init ",
                Role::Plain => "",
                Role::Final => "final ",
                Role::Error => "error ",
            };
            let _ = writeln!(text, "  {role}loc {name}");
        }
        for edge in edges {
            let _ = write!(text, "  {} -> {} {{", locations[edge.ends.0].0, locations[edge.ends.1].0);
            for s in &edge.statements {
                let _ = write!(text, " {}", self.simple(s, Words::Automata));
            }
            text.push_str(" }\n");
        }
        text + "}\n"
    }

    fn actions(&self, actions: &[Vec<Vec<Statement>>; 3]) -> String {
        let mut text = format!("type T : {{ {} }}\n", LITERALS.join(", "));
        for v in self.vars.iter().filter(|v| !v.local) {
            let _ = write!(text, "var {} : {}", v.name, type_name(v.ty));
            match v.first {
                Some(n) if v.ty == Ty::Bool => text.push_str([" = false", " = true"][usize::from(n == 1)]),
                Some(n) if v.ty == Ty::Enum => {
                    let _ = write!(text, " = {}", LITERALS[usize::try_from(n).expect("a literal")]);
                }
                Some(n) => {
                    let _ = write!(text, " = {n}");
                }
                None => {}
            }
            text.push('\n');
        }
        for (name, branches) in [("trans", &actions[2]), ("init", &actions[0]), ("env", &actions[1])] {
            let branches: Vec<String> = branches.iter().map(|b| self.block(b)).collect();
            let _ = writeln!(text, "{name} {}", branches.join(" or "));
        }
        text
    }

    fn block(&self, all: &[Statement]) -> String {
        let mut text = "{ ".to_owned();
        for s in all {
            match s {
                Statement::Choice(branches) => {
                    let branches: Vec<String> = branches.iter().map(|b| self.block(b)).collect();
                    let _ = write!(text, "choice {}", branches.join(" or "));
                }
                Statement::If(c, both) => {
                    let c = self.cond(c, Words::Actions);
                    let _ = write!(text, "if ({c}) {}", self.block(&both[0]));
                    if !both[1].is_empty() {
                        let _ = write!(text, " else {}", self.block(&both[1]));
                    }
                }
                s => text.push_str(&self.simple(s, Words::Actions)),
            }
            text.push(' ');
        }
        text + "}"
    }

    /// A statement without blocks.
    fn simple(&self, s: &Statement, words: Words) -> String {
        let end = if words == Words::Actions { ";" } else { "" };
        match s {
            Statement::Assume(c) => format!("assume {}{end}", self.cond(c, words)),
            Statement::Any(v) if self.vars[*v].ty == Ty::Int => {
                let range = self.cond(&range(*v), words);
                format!("havoc {}{end} assume {range}{end}", self.vars[*v].name)
            }
            Statement::Any(v) => format!("havoc {}{end}", self.vars[*v].name),
            Statement::Assign(v, value) => {
                format!("{} := {}{end}", self.vars[*v].name, self.value(value, words))
            }
            Statement::Local(v, value) => {
                let start = format!("local var {} : {}", self.vars[*v].name, type_name(self.vars[*v].ty));
                let value = value.as_ref().map(|v| format!(" = {}", self.value(v, words)));
                format!("{start}{};", value.unwrap_or_default())
            }
            Statement::Choice(_) | Statement::If(..) => unreachable!("it has blocks"),
        }
    }

    fn value(&self, value: &Value, words: Words) -> String {
        match value {
            Value::Num(n) => self.num(n, words),
            Value::Truth(c) => self.cond(c, words),
            Value::Literal(l) => LITERALS[*l].to_owned(),
        }
    }

    fn num(&self, n: &Num, words: Words) -> String {
        let num = |n: &Num| self.num(n, words);
        match n {
            Num::Const(n) => n.to_string(),
            Num::Var(v) => self.vars[*v].name.clone(),
            Num::Add(ab) => format!("({} + {})", num(&ab[0]), num(&ab[1])),
            Num::Sub(ab) => format!("({} - {})", num(&ab[0]), num(&ab[1])),
            Num::Mod(a, n) if words == Words::Actions => format!("({} % {n})", num(a)),
            Num::Mod(a, n) => format!("({} mod {n})", num(a)),
            Num::Ite(c, ab) => {
                format!("(if {} then {} else {})", self.cond(c, words), num(&ab[0]), num(&ab[1]))
            }
        }
    }

    fn cond(&self, c: &Cond, words: Words) -> String {
        let (equal, compare, pairs) = match words {
            Words::Automata => ("=", ["=", "/=", "<", "<=", ">", ">="], ["and", "or", "imply", "iff", "xor"]),
            Words::Actions => ("==", ["==", "!=", "<", "<=", ">", ">="], ["&&", "||", "=>", "==", "!="]),
        };
        match c {
            Cond::Const(b) => b.to_string(),
            Cond::Var(v) => self.vars[*v].name.clone(),
            Cond::Is(v, l) => format!("({} {equal} {})", self.vars[*v].name, LITERALS[*l]),
            Cond::Compare(op, ab) => {
                format!("({} {} {})", self.num(&ab[0], words), compare[*op], self.num(&ab[1], words))
            }
            Cond::Not(a) if words == Words::Actions => format!("(!({}))", self.cond(a, words)),
            Cond::Not(a) => format!("(not ({}))", self.cond(a, words)),
            Cond::Pair(op, ab) => {
                format!("({} {} {})", self.cond(&ab[0], words), pairs[*op], self.cond(&ab[1], words))
            }
        }
    }

    fn named(&self, named: &Named) -> String {
        let number = named.number.map(|n| format!("#{n}")).unwrap_or_default();
        format!("{}->{}{number}", self.place(named.ends.0), self.place(named.ends.1))
    }

    /// A property as the engine reads it.
    #[must_use]
    pub fn question(&self, question: &Question) -> String {
        let words = if matches!(self.shape, Shape::Actions(_)) { Words::Actions } else { Words::Automata };
        match question {
            Question::DeadlockFree => "deadlock-free".to_owned(),
            Question::NoError => "error-location-unreachable".to_owned(),
            Question::Invariant(c) => format!("invariant:{}", self.cond(c, words)),
            Question::Temporal(reading, fair, atoms, ltl) => {
                let step = match (words, reading.whole) {
                    (Words::Actions, false) => "half",
                    (Words::Actions, true) => "full",
                    (Words::Automata, false) => "statement",
                    (Words::Automata, true) => "edge",
                };
                let start = if reading.initial { "initial" } else { "after-first-action" };
                let mut options = format!("step={step},start={start},stuck={}", reading.stuck.name());
                for f in fair {
                    let strength = if f.strong { "strong" } else { "weak" };
                    let what = f.named.as_ref().map_or("all".to_owned(), |n| self.named(n));
                    let _ = write!(options, ",{strength}={what}");
                }
                let atom = |i: usize| match &atoms[i] {
                    Atom::Cond(c) => format!("({})", self.cond(c, Words::Automata)),
                    Atom::At(place) => format!("@{}", self.place(*place)),
                    Atom::Over(named) => format!("@\"{}\"", self.named(named)),
                };
                format!("ltl[{options}]: {}", ltl.text(&atom))
            }
        }
    }
}

impl Stuck {
    /// Its name in brackets.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stuck::Never => "never",
            Stuck::Final => "final",
            Stuck::DeadEnd => "dead-end",
            Stuck::Deadlock => "deadlock",
        }
    }
}

fn type_name(ty: Ty) -> &'static str {
    match ty {
        Ty::Bool => "boolean",
        Ty::Int => "integer",
        Ty::Enum => "T",
    }
}

/// `0 <= v and v < SIZE`
#[must_use]
pub fn range(v: usize) -> Cond {
    let low = Cond::Compare(5, Box::new([Num::Var(v), Num::Const(0)]));
    let high = Cond::Compare(2, Box::new([Num::Var(v), Num::Const(SIZE)]));
    Cond::Pair(0, Box::new([low, high]))
}

/// A branch by its first alternatives: one for each way in which it can begin, in the order of the text.
#[must_use]
pub fn first_ways(branch: &[Statement]) -> Vec<Vec<Statement>> {
    let joined = |a: &[Statement], b: &[Statement]| [a, b].concat();
    match branch.split_first() {
        Some((Statement::Choice(branches), rest)) => {
            let ways = branches.iter().flat_map(|b| first_ways(b));
            ways.map(|way| joined(&way, rest)).collect()
        }
        Some((Statement::If(c, both), rest)) => {
            let not = Cond::Not(Box::new(c.clone()));
            let begins = [Statement::Assume(c.clone()), Statement::Assume(not)];
            let ways = begins.into_iter().zip(both.iter());
            ways.map(|(begin, then)| joined(&joined(&[begin], then), rest)).collect()
        }
        _ => vec![branch.to_vec()],
    }
}
