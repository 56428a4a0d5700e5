//! A model as written: structured statements with blocks and choices, between observable places.
//!
//! Engines work on locations and edges, which formats generate from these statements. The checker of certificates
//! interprets the statements themselves, and so does not depend on this translation: [`Statements::after`] executes
//! them, [`ways`] gives the condition of each path through them. The parser, the types and the values of expressions
//! are shared.

pub(crate) mod ways;

use solver_lite::term::Value;

use crate::expr::{Expr, VarId};
use crate::formats::{cfa, gc, net, sts, xsts};
use crate::system::{Formalism, Role, State, System, VarType};
use crate::temporal::{Start, Step};

/// The statements of a model.
#[derive(Debug)]
pub struct Statements {
    /// Names and types of variables: those of the system, followed by those of blocks.
    pub variables: Vec<(String, VarType)>,
    /// The variables that the model declares outside of blocks.
    pub own: Vec<VarId>,
    /// The conditions on the first state.
    pub first: Vec<Expr>,
    /// The conditions on every state.
    pub invariant: Vec<Expr>,
    /// The kind of its actions.
    pub style: Style,
    /// The places where a state is observable.
    pub places: Vec<Place>,
    /// The initial place.
    pub start: usize,
    /// The transitions between places, in textual order.
    pub actions: Vec<Action>,
    /// Of a time net: the states in which no transition will ever fire, at their place. They replace those in which no
    /// action is possible.
    pub stuck: Option<(usize, Expr)>,
    /// Conditions that must never be true at their place, whatever the property is.
    pub never: Vec<(usize, Expr)>,
}

/// The kind of actions of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Edges, which are executed statement by statement.
    Edges,
    /// Branches of actions, each of which is executed as a whole.
    Branches,
    /// One relation between the values before a step and those after it.
    Relation,
    /// Firings of transitions of a net, or guarded commands.
    Firings,
}

/// A place where a state is observable: a location of an automaton, or the point before an action of a transition
/// system.
#[derive(Debug)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
}

/// An edge of an automaton, or a branch of an action.
#[derive(Debug)]
pub struct Action {
    /// The source place,
    pub from: usize,
    /// and the target place.
    pub to: usize,
    /// The statements.
    pub body: Vec<Statement>,
}

/// A statement. `if` is a choice of two branches that begin with assumptions.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Assigns a value to a variable.
    Assign(VarId, Expr),
    /// Assigns any value of its type to a variable.
    Any(VarId),
    /// Continues only if this is true.
    Assume(Expr),
    /// A choice of one of these.
    Choice(Vec<Vec<Statement>>),
    /// A loop over the numbers from `from` and below `to`, which are evaluated once.
    Repeat {
        /// The loop variable.
        counter: VarId,
        /// The first number.
        from: Expr,
        /// The number after the last one.
        to: Expr,
        /// The body.
        body: Vec<Statement>,
    },
}

/// The limit on states, and on rounds of a loop,
const STATES: usize = 2_000;
/// and on executed statements.
const WORK: usize = 200_000;

impl Statements {
    /// The places before the actions of an extended symbolic transition system.
    pub(crate) const INIT: usize = 0;
    pub(crate) const ENV: usize = 1;
    pub(crate) const TRANS: usize = 2;

    /// The statements of a system that was parsed from a text. `None` if the format has none, or if they are not
    /// supported here: models with arrays, models in whose edges variables were replaced by known values, and models
    /// whose steps are counted differently.
    #[must_use]
    pub fn read(system: &System) -> Option<Statements> {
        let text = system.source.as_deref().filter(|_| system.arrays.is_empty())?;
        let statements = match system.formalism {
            Formalism::Automaton => cfa::statements(text, system),
            Formalism::Extended => xsts::statements(text, system),
            Formalism::Symbolic => return sts::statements(text, system),
            Formalism::Net => return net::statements(system),
            Formalism::Commands => gc::statements(text, system),
            Formalism::Chart => None,
        }?;
        // A choice after empty statements is also a choice of edges.
        let same_count = |p: usize| {
            let location = system.find_location(&statements.places[p].name);
            location.is_some_and(|l| system.out_edges(l).len() == statements.actions_from(p).count())
        };
        (0..statements.places.len()).all(same_count).then_some(statements)
    }

    /// The place of that name.
    #[must_use]
    pub fn place(&self, name: &str) -> Option<usize> {
        self.places.iter().position(|p| p.name == name)
    }

    /// Is it an automaton, whose states between the statements of edges are observable?
    #[must_use]
    pub fn is_automaton(&self) -> bool {
        self.style == Style::Edges
    }

    /// The indices of the actions that begin at a place.
    pub fn actions_from(&self, place: usize) -> impl Iterator<Item = usize> {
        (0..self.actions.len()).filter(move |a| self.actions[*a].from == place)
    }

    /// The actions denoted by `A->B` or `A->B#2`: all from `A` to `B`, or the second of them. `None` if there are none,
    /// and for a relation, whose cases count as edges.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<Vec<usize>> {
        if self.style == Style::Relation {
            return None;
        }
        let (ends, number) = match name.rsplit_once('#') {
            Some((ends, n)) => (ends, Some(n.trim().parse::<usize>().ok()?)),
            None => (name, None),
        };
        let (from, to) = ends.split_once("->")?;
        let ends = (self.place(from.trim())?, self.place(to.trim())?);
        let is = |a: &usize| (self.actions[*a].from, self.actions[*a].to) == ends;
        let mut all: Vec<usize> = (0..self.actions.len()).filter(is).collect();
        if let Some(n) = number {
            all = vec![*all.get(n.checked_sub(1)?)?];
        }
        (!all.is_empty()).then_some(all)
    }

    /// The bodies of the steps that can begin at a place: statements or whole edges of an automaton; branches of
    /// actions, or those of `env` and `trans` together. `None` if there are too many.
    #[must_use]
    pub fn steps_from(&self, place: usize, step: Step) -> Option<Vec<Vec<Statement>>> {
        let bodies = |place: usize| self.actions_from(place).map(|a| &self.actions[a].body);
        Some(match (self.style, step) {
            (Style::Edges, Step::Fine) => {
                bodies(place).map(|body| body.iter().take(1).cloned().collect()).collect()
            }
            (Style::Branches, Step::Coarse) if place == Self::ENV => {
                let trans: Vec<_> = bodies(Self::TRANS).collect();
                let size = |all: &[&Vec<Statement>]| all.iter().map(|body| body.len() + 1).sum::<usize>();
                let env: Vec<_> = bodies(place).collect();
                if size(&env).saturating_mul(size(&trans)) > WORK {
                    return None;
                }
                let both = |env: &&Vec<Statement>| {
                    trans.iter().map(|trans| [&env[..], trans].concat()).collect::<Vec<_>>()
                };
                env.iter().flat_map(both).collect()
            }
            _ => bodies(place).cloned().collect(),
        })
    }

    /// Does a place precede all runs? This includes the place before `init`: initial values for which `init` is
    /// infeasible begin no run.
    #[must_use]
    pub fn precedes_runs(&self, place: usize) -> bool {
        self.style == Style::Branches && place == self.start
    }

    /// Does the first state have a letter? The initial states of a relation are those after its `initial` clauses,
    /// whatever the start.
    #[must_use]
    pub fn reads_at_start(&self, start: Start) -> bool {
        start == Start::Initial || matches!(self.style, Style::Relation | Style::Firings)
    }

    /// Is a place inside of a step? This includes the place before `trans` if a step is `env` and `trans` together.
    #[must_use]
    pub fn passes(&self, place: usize, step: Step) -> bool {
        // A step of a time net is the passing of time and a firing.
        let waited = self.style == Style::Firings && place != self.start;
        self.style == Style::Branches && step == Step::Coarse && place == Self::TRANS || waited
    }

    /// A state of the system, outside of all blocks.
    #[must_use]
    pub fn state(&self, values: &[Value]) -> State {
        let blocks = &self.variables[values.len()..];
        values.iter().cloned().chain(blocks.iter().map(|(_, ty)| ty.some_value())).collect()
    }

    /// Do the model's own variables have the same values?
    #[must_use]
    pub fn same(&self, a: &[Value], b: &[Value]) -> bool {
        self.own.iter().all(|v| a[v.index()] == b[v.index()])
    }

    /// The states after statements, where choices range over the values given by `any`. Evaluation of an undefined
    /// expression ends a run.
    ///
    /// `None` if a limit is exceeded.
    #[must_use]
    pub fn after(
        &self,
        body: &[Statement],
        before: &State,
        any: &dyn Fn(VarId) -> Vec<Value>,
    ) -> Option<Vec<State>> {
        Execution { any, types: &self.variables, left: WORK }.all(body, before)
    }
}

/// An execution of statements.
struct Execution<'a> {
    /// The values to choose from.
    any: &'a dyn Fn(VarId) -> Vec<Value>,
    types: &'a [(String, VarType)],
    left: usize,
}

impl Execution<'_> {
    fn all(&mut self, body: &[Statement], before: &State) -> Option<Vec<State>> {
        let mut now = vec![before.clone()];
        for statement in body {
            let mut next = Vec::new();
            for state in &now {
                next.extend(self.one(statement, state)?);
            }
            now = few(next)?;
        }
        Some(now)
    }

    fn one(&mut self, statement: &Statement, state: &State) -> Option<Vec<State>> {
        self.left = self.left.checked_sub(1)?;
        let value = |e: &Expr| e.eval(&|v| state[v.index()].clone()).ok();
        let with = |v: &VarId, value: Value| {
            let mut after = state.clone();
            after[v.index()] = value;
            after
        };
        Some(match statement {
            Statement::Assign(v, e) => value(e).map(|value| with(v, value)).into_iter().collect(),
            Statement::Any(v) => {
                let values =
                    (self.any)(*v).into_iter().filter(|value| self.types[v.index()].1.contains(value));
                values.map(|value| with(v, value)).collect()
            }
            Statement::Assume(e) if value(e) == Some(Value::Bool(true)) => vec![state.clone()],
            Statement::Assume(_) => Vec::new(),
            Statement::Choice(branches) => {
                let mut all = Vec::new();
                for branch in branches {
                    all.extend(self.all(branch, state)?);
                }
                all
            }
            Statement::Repeat { counter, from, to, body } => {
                let number = |e: &Expr| value(e)?.num().to_i64();
                let mut now = vec![state.clone()];
                for n in numbers(number(from)?, number(to)?)? {
                    self.left = self.left.checked_sub(1)?;
                    let mut next = Vec::new();
                    for mut state in now {
                        state[counter.index()] = Value::Num(n.into());
                        next.extend(self.all(body, &state)?);
                    }
                    now = few(next)?;
                }
                now
            }
        })
    }
}

/// States without duplicates; `None` if there are too many.
fn few(mut states: Vec<State>) -> Option<Vec<State>> {
    states.sort();
    states.dedup();
    (states.len() <= STATES).then_some(states)
}

/// The numbers of the rounds of a loop; `None` if there are too many.
fn numbers(from: i64, to: i64) -> Option<std::ops::Range<i64>> {
    let few = to.checked_sub(from)? <= i64::try_from(STATES).ok()?;
    few.then_some(from..to)
}

/// Splits a statement list into branches by its first statement, as edges are counted: a list that begins with a choice
/// has one branch for each alternative. `None` if the branches have too many statements together.
#[must_use]
pub fn alternatives(mut body: Vec<Statement>) -> Option<Vec<Vec<Statement>>> {
    let Some(Statement::Choice(_)) = body.first() else { return Some(vec![body]) };
    let Statement::Choice(branches) = body.remove(0) else { unreachable!("it begins with a choice") };
    let mut all = Vec::new();
    for branch in branches {
        let ways = alternatives(branch)?;
        if (all.len() + ways.len()).saturating_mul(body.len()) > WORK {
            return None;
        }
        all.extend(ways.into_iter().map(|way| [way, body.clone()].concat()));
    }
    Some(all)
}
