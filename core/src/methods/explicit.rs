//! Explicit search: breadth-first enumeration of the concrete states, so that a violation is a shortest run.
//!
//! ```text
//! add the initial states to the queue
//! while a state is in the queue
//!   for each state after one of its edges
//!     it is at the error location → violated
//!     it is new → add it to the queue
//! holds
//! ```
//!
//! It is the baseline for the other methods. The values of dead variables are reset. The states after an edge are
//! computed by the interpreter if the edge has few choices, and enumerated with the solver otherwise.

pub(crate) mod classes;
mod event;
#[cfg(test)]
pub(crate) mod example;
pub(crate) mod explain;
pub mod lasso;
pub(crate) mod net;
pub(crate) mod view;
mod zones;

pub use event::{Event, Phase};

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::task::Poll;

use solver_lite::hash::Map;
use solver_lite::number::Q;
use solver_lite::term::{Sort, Term, Terms, Value};
use solver_lite::{Answer, Limits, Model, Solver};

use crate::buchi::emptiness::Emptiness;
use crate::certificate::{Certificate, TraceState};
use crate::encoding::{constant, equal};
use crate::expr::EvalError;
use crate::kit::{Arrival, Cx, Engine, Label, NodeId, Sink, UnknownReason, Verdict, drive};
use crate::methods::options::MethodOption;
use crate::methods::outcome::{Next, Outcome, done, give_up, stop};
use crate::methods::shared::Shared;
use crate::methods::table::About;
use crate::methods::{Plan, cegar};
use crate::system::{EdgeId, LocationId, Op, State, System, VarId};

/// The description of the method.
pub const ABOUT: About = About {
    name: "explicit",
    what: "Explicit-state search without abstraction, for comparison.",
    states: true,
    runs: true,
    options: || vec![cegar::options::emptiness(), stubborn(), reduce()],
    plan: |options| {
        let (emptiness, stubborn, reduce) = (options.strategy.emptiness, options.stubborn, options.reduce);
        Some(Plan::Explicit(ExplicitOptions { emptiness, stubborn, reduce }))
    },
};

/// The options of explicit search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExplicitOptions {
    /// The search for accepting cycles.
    pub emptiness: Emptiness,
    /// Of Petri nets, only the transitions of stubborn sets are fired where the property permits it.
    pub stubborn: bool,
    /// Which Petri nets are reduced first.
    pub reduce: Reduce,
}

/// Which Petri nets are reduced before the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reduce {
    /// Those in which not everything can be shown.
    #[default]
    Large,
    /// All.
    All,
    /// None.
    Off,
}

impl Reduce {
    /// All values, with their names and descriptions.
    pub const ALL: [(Reduce, &'static str, &'static str); 3] = [
        (Reduce::Large, "large", "reduce a Petri net with at least 100 transitions"),
        (Reduce::All, "all", "reduce every Petri net"),
        (Reduce::Off, "off", "search the net as it is"),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Reduce::ALL.iter().find(|(value, ..)| *value == self).map_or("", |(_, name, _)| name)
    }
}

impl Default for ExplicitOptions {
    fn default() -> ExplicitOptions {
        ExplicitOptions { emptiness: Emptiness::default(), stubborn: true, reduce: Reduce::default() }
    }
}

/// The description of an option.
fn reduce() -> MethodOption {
    let choices = Reduce::ALL.iter().map(|(_, name, what)| (*name, *what)).collect();
    MethodOption::list("reduce", "Structural reductions", Reduce::default().name(), choices)
}

/// The description of an option.
fn stubborn() -> MethodOption {
    let choices = vec![
        ("on", "in each marking of a Petri net, fire only the transitions of a stubborn set"),
        ("off", "fire all enabled transitions"),
    ];
    MethodOption::list("stubborn", "Stubborn sets", "on", choices)
}

/// The greatest number of states.
const STATES: usize = 1_000_000;
/// The greatest number of choices of an edge for the interpreter, and of states enumerated with the solver.
const CHOICES: u64 = 256;
const LISTED: usize = 1_000;

/// A state that was reached.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    location: LocationId,
    /// Values that are not live there are [`Explicit::idle`].
    values: Arc<State>,
    /// The predecessor and the edge from it, unless it is initial.
    from: Option<(usize, EdgeId)>,
}

#[derive(Clone, Default)]
enum Stage {
    #[default]
    Start,
    /// The next state to be expanded.
    Expand(usize),
}

/// The engine.
#[derive(Clone)]
pub struct Explicit {
    pub(crate) shared: Shared,
    system: Arc<System>,
    /// The values of dead variables.
    idle: State,
    pub(super) reached: Vec<Reached>,
    known: Map<(LocationId, Arc<State>), usize>,
    /// The live variables of each location; at the initial location, those that are read before they are written.
    pub(super) live: Vec<BTreeSet<VarId>>,
    /// The others.
    dead: Vec<Vec<VarId>>,
    /// By edge: does the interpreter try all choices?
    tried: Vec<bool>,
    stage: Next<Stage>,
}

impl Explicit {
    /// A run on `system`, whose error location is the target.
    #[must_use]
    pub fn new(system: &Arc<System>, limits: Limits) -> Explicit {
        let live = live(system);
        let others = |live: &BTreeSet<VarId>| system.var_ids().filter(|v| !live.contains(v)).collect();
        let ty = |v: VarId| &system.variable(v).ty;
        let choices = |op: &Op| {
            let mut sizes = op.havocs().into_iter().map(|v| ty(v).size());
            sizes.try_fold(1_u64, |all, n| all.checked_mul(n?))
        };
        Explicit {
            shared: Shared::new(system, &[], limits),
            system: Arc::clone(system),
            idle: system.var_ids().map(|v| ty(v).some_value()).collect(),
            reached: Vec::new(),
            known: Map::default(),
            dead: live.iter().map(others).collect(),
            live,
            tried: system.edges.iter().map(|e| choices(&e.op).is_some_and(|n| n <= CHOICES)).collect(),
            stage: Continue(Stage::Start),
        }
    }

    fn start<S: Sink>(&mut self, sink: &mut S) -> Result<Next<Stage>, UnknownReason> {
        self.begin(sink)?;
        Ok(Continue(Stage::Expand(0)))
    }

    /// Lists the initial states.
    pub(super) fn begin<S: Sink>(&mut self, sink: &mut S) -> Result<Vec<usize>, UnknownReason> {
        self.shared.begin(sink);
        let (initial, values) = self.initial();
        let states = self.listed(initial, &values, self.system.initial)?;
        Ok(states.into_iter().map(|s| self.reach(self.system.initial, s, None, sink).0).collect())
    }

    /// The states after one, with the edges that lead there.
    pub(super) fn successors<S: Sink>(
        &mut self,
        at: usize,
        sink: &mut S,
    ) -> Result<Vec<(EdgeId, usize)>, UnknownReason> {
        let (system, Reached { location, values, .. }) = (Arc::clone(&self.system), self.reached[at].clone());
        let mut found = Vec::new();
        for edge in system.out_edges(location) {
            for state in self.after(*edge, &values)? {
                found.push((*edge, self.reach(system.edge(*edge).target, state, Some((at, *edge)), sink).0));
            }
        }
        if self.reached.len() > STATES { Err(UnknownReason::TooMany) } else { Ok(found) }
    }

    /// How many states were reached.
    pub(super) fn count(&self) -> usize {
        self.reached.len()
    }

    /// The location of a state.
    pub(super) fn location(&self, state: usize) -> LocationId {
        self.reached[state].location
    }

    /// The recorded values of a state: those of live variables.
    pub(super) fn recorded(
        reached: &[Reached],
        live: &[BTreeSet<VarId>],
        state: usize,
    ) -> Vec<(VarId, Value)> {
        let state = &reached[state];
        let live = live[state.location.index()].iter();
        live.map(|v| (*v, state.values[v.index()].clone())).collect()
    }

    /// The initial condition over these values.
    fn initial(&mut self) -> (Term, Vec<Term>) {
        let values: Vec<Term> =
            self.system.var_ids().map(|v| self.shared.symbolic.encoding.current(v)).collect();
        let terms = self.shared.symbolic.terms();
        (self.system.initial_term(terms, &mut |v| values[v.index()]), values)
    }

    fn expand<S: Sink>(&mut self, at: usize, sink: &mut S) -> Result<Next<Stage>, UnknownReason> {
        let Some(Reached { location, values, .. }) = self.reached.get(at).cloned() else {
            return Ok(Break(Box::new(self.holds(sink))));
        };
        let system = Arc::clone(&self.system);
        for edge in system.out_edges(location) {
            let target = system.edge(*edge).target;
            for state in self.after(*edge, &values)? {
                let (state, new) = self.reach(target, state, Some((at, *edge)), sink);
                if new && Some(target) == system.error {
                    sink.event(Event::ErrorReached { state: NodeId::new(state) });
                    return Ok(Break(Box::new(self.violated(state, sink))));
                }
            }
        }
        if self.reached.len() > STATES {
            return Err(UnknownReason::TooMany);
        }
        sink.event(Event::StateExpanded { state: NodeId::new(at) });
        Ok(Continue(Stage::Expand(at + 1)))
    }

    /// Resets the dead variables; gives the state's number, and whether it is new.
    fn reach<S: Sink>(
        &mut self,
        location: LocationId,
        mut values: State,
        from: Option<(usize, EdgeId)>,
        sink: &mut S,
    ) -> (usize, bool) {
        for v in &self.dead[location.index()] {
            values[v.index()] = self.idle[v.index()].clone();
        }
        let arrival = from.map(|(at, edge)| Arrival::new((NodeId::new(at), edge)));
        let values = Arc::new(values);
        if let Some(state) = self.known.get(&(location, Arc::clone(&values))) {
            if let Some(from) = arrival {
                sink.event(Event::StateKnown { state: NodeId::new(*state), from });
            }
            return (*state, false);
        }
        let number = self.reached.len();
        let value = |v: &VarId| (*v, self.system.value_text(*v, &values[v.index()]));
        sink.state(NodeId::new(number), || Label {
            location,
            values: self.live[location.index()].iter().map(value).collect(),
            literals: Vec::new(),
            either: Vec::new(),
        });
        sink.event(Event::StateReached { state: NodeId::new(number), from: arrival });
        if self.shared.symbolic.is_state(location) {
            self.shared.now().concrete += 1;
        }
        self.known.insert((location, Arc::clone(&values)), number);
        self.reached.push(Reached { location, values, from });
        (number, true)
    }

    /// The states after an edge that differ in live variables.
    fn after(&mut self, edge: EdgeId, state: &State) -> Result<Vec<State>, UnknownReason> {
        let op = &self.system.edge(edge).op;
        if self.tried[edge.index()] {
            let choices = |v: VarId| self.system.variable(v).ty.values();
            let legal = |s: &State| self.system.invariant.eval(&|v| s[v.index()].clone()).map(|x| x.bool());
            let all: Result<Vec<State>, EvalError> = self.system.successors(op, state, &choices).collect();
            let all = all.and_then(|all| {
                let mut kept = Vec::with_capacity(all.len());
                for state in all {
                    if legal(&state)? {
                        kept.push(state);
                    }
                }
                Ok(kept)
            });
            // If the interpreter cannot compute the result, or it is undefined, the solver may still determine it.
            if let Ok(all) = all {
                return Ok(all);
            }
        }
        let (formula, values) = self.step(edge, state);
        self.listed(formula, &values, self.system.edge(edge).target)
    }

    /// The formula of an edge from a state, and the values after it.
    fn step(&mut self, edge: EdgeId, state: &State) -> (Term, Vec<Term>) {
        let system = Arc::clone(&self.system);
        let next: Vec<Term> = system.var_ids().map(|v| self.shared.symbolic.encoding.next(v)).collect();
        let terms = self.shared.symbolic.terms();
        let mut values: Vec<Term> = system
            .var_ids()
            .map(|v| constant(terms, &state[v.index()], system.variable(v).ty.sort()))
            .collect();
        let relation = system
            .relation(&system.edge(edge).op, terms, &mut |v| values[v.index()], &mut |v| next[v.index()]);
        for v in relation.written {
            values[v.index()] = next[v.index()];
        }
        let invariant = crate::expr::to_term(&system.invariant, terms, &mut |v| values[v.index()]);
        (terms.and([relation.formula, invariant]), values)
    }

    /// All states with these values at a location that satisfy the formula, as models that differ in live variables.
    fn listed(
        &mut self,
        formula: Term,
        values: &[Term],
        location: LocationId,
    ) -> Result<Vec<State>, UnknownReason> {
        let live = self.live[location.index()].clone();
        let mut solver = Solver::new(self.shared.limits);
        solver.assert(self.shared.symbolic.terms(), formula);
        let mut found: Vec<State> = Vec::new();
        loop {
            self.shared.now().queries += 1;
            let terms = self.shared.symbolic.terms();
            let model = match solver.check(terms, &[]) {
                Answer::Sat(model) => model,
                Answer::Unsat => return Ok(found),
                Answer::Unknown(_) => return Err(UnknownReason::Solver),
            };
            let state = model.eval_all(terms, values);
            let same: Vec<Term> =
                live.iter().map(|v| equal(terms, values[v.index()], &state[v.index()])).collect();
            let same = terms.and(same);
            let other = terms.not(same);
            solver.assert(terms, other);
            found.push(state);
            if found.len() > LISTED {
                return Err(UnknownReason::TooMany);
            }
        }
    }

    /// The run to a state, with all values.
    ///
    /// # Errors
    /// Why it cannot be reported.
    fn run(&mut self, last: usize) -> Result<Certificate, UnknownReason> {
        let system = Arc::clone(&self.system);
        let mut path = vec![(last, None)];
        while let Some((from, edge)) = self.reached[path[path.len() - 1].0].from {
            let end = path.len() - 1;
            path[end].1 = Some(edge);
            path.push((from, None));
        }
        let mut states: Vec<TraceState> = Vec::with_capacity(path.len());
        let mut state: State = Vec::new();
        for (number, edge) in path.into_iter().rev() {
            let (formula, values) = match edge {
                Some(edge) => self.step(edge, &state),
                None => self.initial(),
            };
            let model = self.as_recorded(formula, &values, number)?;
            let terms = &self.shared.symbolic.encoding.terms;
            let value = |v: VarId| model.eval(terms, values[v.index()]);
            state = match edge {
                Some(edge) => match system.post(&system.edge(edge).op, &state, &mut |v| value(v)) {
                    Ok(next) => next.ok_or(UnknownReason::Solver)?,
                    Err(EvalError::Overflow) => return Err(UnknownReason::Overflow),
                    Err(_) => return Err(UnknownReason::Solver),
                },
                None => system.var_ids().map(value).collect(),
            };
            states.push(TraceState::new(&system, edge, &state));
            if !system.keeps_promises(&state) {
                return Err(UnknownReason::Overflow);
            }
        }
        Ok(Certificate::Trace { states })
    }

    /// A model of a formula in which the live variables have the values of a state that was reached.
    fn as_recorded(&mut self, formula: Term, values: &[Term], state: usize) -> Result<Model, UnknownReason> {
        let Reached { location, values: recorded, .. } = self.reached[state].clone();
        let mut solver = Solver::new(self.shared.limits);
        let terms = &mut self.shared.symbolic.encoding.terms;
        solver.assert(terms, formula);
        for v in &self.live[location.index()] {
            let same = equal(terms, values[v.index()], &recorded[v.index()]);
            solver.assert(terms, same);
        }
        match solver.check(terms, &[]) {
            Answer::Sat(model) => Ok(model),
            _ => Err(UnknownReason::Solver),
        }
    }

    fn violated<S: Sink>(&mut self, last: usize, sink: &mut S) -> Outcome {
        match self.run(last) {
            Ok(run) => done(Verdict::Violated, Some(run), sink),
            Err(why) => give_up(why, sink),
        }
    }

    /// The set of reached states is the invariant.
    fn holds<S: Sink>(&mut self, sink: &mut S) -> Outcome {
        let mut cases = Vec::new();
        for (h, cutpoint) in self.shared.symbolic.cutpoints.clone().into_iter().enumerate() {
            let live: Vec<VarId> = self.live[cutpoint.index()].iter().copied().collect();
            let here = self.reached.iter().filter(|r| r.location == cutpoint);
            let values =
                here.map(|r| live.iter().map(|v| r.values[v.index()].clone()).collect::<State>()).collect();
            let of: Vec<Term> = live.iter().map(|v| self.shared.symbolic.encoding.current(*v)).collect();
            let at = self.shared.symbolic.here(h, false);
            let terms = self.shared.symbolic.terms();
            let one_of = one_of(terms, &of, values);
            cases.push(terms.and([at, one_of]));
        }
        let inductive = self.shared.symbolic.terms().or(cases);
        self.shared.holds(inductive, sink)
    }
}

impl Engine for Explicit {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        drive(
            self,
            cx,
            |e| &mut e.stage,
            |e, stage, sink| {
                let next = match stage {
                    Stage::Start => e.start(sink),
                    Stage::Expand(at) => e.expand(at, sink),
                };
                next.unwrap_or_else(|why| stop(why, sink))
            },
        )
    }
}

/// As [`System::live`]; at an initial location to which no run returns, only variables read before they are written.
fn live(system: &System) -> Vec<BTreeSet<VarId>> {
    let mut live = system.live();
    if !system.returns_to_start() {
        live[system.initial.index()] = system.read_first();
    }
    live
}

/// `(x₁, …, xₙ)` is one of these tuples: a decision diagram over one variable after the other, with equal parts shared.
pub(super) fn one_of(terms: &mut Terms, of: &[Term], mut values: Vec<State>) -> Term {
    values.sort();
    let mut rest: Vec<(State, Term)> = values.into_iter().map(|state| (state, Term::TRUE)).collect();
    for x in of.iter().rev() {
        let mut shorter: Vec<(State, Term)> = Vec::new();
        for group in rest.chunk_by(|(a, _), (b, _)| a[..a.len() - 1] == b[..b.len() - 1]) {
            let mut leading: BTreeMap<Term, Vec<Value>> = BTreeMap::new();
            for (state, then) in group {
                leading.entry(*then).or_default().push(state[state.len() - 1].clone());
            }
            let ways: Vec<Term> = leading
                .into_iter()
                .map(|(then, values)| {
                    let within = within(terms, *x, &values);
                    terms.and([within, then])
                })
                .collect();
            let state = &group[0].0;
            shorter.push((state[..state.len() - 1].to_vec(), terms.or(ways)));
        }
        rest = shorter;
    }
    rest.first().map_or(Term::FALSE, |(_, all)| *all)
}

/// `x` is one of these values, which ascend.
fn within(terms: &mut Terms, x: Term, values: &[Value]) -> Term {
    let follows = |a: &Value, b: &Value| match (a, b) {
        (Value::Num(a), Value::Num(b)) => b - a == Q::ONE,
        _ => false,
    };
    let sort = terms.sort(x);
    let mut cases = Vec::new();
    for run in values.chunk_by(|a, b| sort == Sort::Int && follows(a, b)) {
        let (first, last) = (&run[0], &run[run.len() - 1]);
        cases.push(match (first, last) {
            (Value::Num(lo), Value::Num(hi)) if run.len() > 1 => {
                let (lo, hi) = (terms.num(lo.clone(), sort), terms.num(hi.clone(), sort));
                let (above, below) = (terms.ge(x, lo), terms.le(x, hi));
                terms.and([above, below])
            }
            _ => equal(terms, x, first),
        });
    }
    terms.or(cases)
}
