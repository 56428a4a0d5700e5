//! Concrete search with abstract matching (figure 2): concrete transitions are executed, abstract states are stored,
//! and each transition is checked for exactness (section 4.2).

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use solver_lite::term::{Term, Value};
use solver_lite::{Answer, Solver};

use super::abstraction::{AbstractState, Scope};
use super::command::Command;
use super::options::{Exactness, Order};
use super::{Event, Under};
use crate::encoding::equal;
use crate::expr::EvalError;
use crate::kit::{Arrival, FormulaId, Label, NodeId, Notes, Sink, UnknownReason};
use crate::system::{EdgeId, LocationId, State, System, VarId};

/// The limit on abstract states,
const STATES: usize = 200_000;
/// and on the values that are tried for an input, or for the start.
const CHOICES: usize = 1_000;

/// A concrete state whose abstract state is stored.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    /// Its node; none before the first state of the model.
    pub(super) node: Option<NodeId>,
    pub(super) location: LocationId,
    pub(super) values: Arc<State>,
    pub(super) of: AbstractState,
    pub(super) from: Option<(usize, EdgeId)>,
}

/// One search.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    pub(super) stored: Vec<Stored>,
    known: HashMap<AbstractState, usize>,
    wait: VecDeque<usize>,
    /// Of stored states; an error has no successor.
    pub(super) transitions: BTreeSet<(usize, EdgeId, usize)>,
    /// The first error: the state before it, and the edge.
    pub(super) error: Option<(usize, EdgeId, Arc<State>)>,
    /// The atoms of failed checks with their scopes, in order.
    pub(super) found: Vec<(Term, Scope)>,
    /// The transitions that are not exact.
    pub(super) inexact: BTreeSet<(LocationId, Arc<State>, EdgeId)>,
    pub(super) generated: u32,
}

impl Search {
    /// Is a state to be explored that precedes the first state of the model?
    pub(super) fn precedes_states(&self) -> bool {
        self.wait.iter().any(|at| self.stored[*at].node.is_none())
    }

    /// The next state; the states that were reached first in breadth-first order.
    pub(super) fn next(&mut self, order: Order) -> Option<usize> {
        match order {
            Order::Bfs => self.wait.pop_front(),
            Order::Dfs => self.wait.pop_back(),
        }
    }
}

impl Under {
    /// Stores one initial state for each satisfiable valuation of the predicates.
    pub(super) fn begin(&mut self, sink: &mut Notes) -> Result<(), UnknownReason> {
        let system = Arc::clone(&self.system);
        let current = self.model.current.clone();
        let mut solver = Solver::new(self.limits);
        let initial = system.initial_term(&mut self.model.terms, &mut |v| current[v.index()]);
        if let Some(state) = self.only(initial) {
            self.reach(system.initial, Arc::new(state), None, sink);
            return Ok(());
        }
        solver.assert(&mut self.model.terms, initial);
        for _ in 0..CHOICES {
            self.now().queries += 1;
            let found = match solver.check(&mut self.model.terms, &[]) {
                Answer::Unsat => return Ok(()),
                Answer::Unknown(_) => return Err(UnknownReason::Solver),
                Answer::Sat(found) => found,
            };
            let state: State = current.iter().map(|x| found.eval(&self.model.terms, *x)).collect();
            let of = self.abstraction.of(&self.model, system.initial, &state);
            let literals = self.abstraction.literals(&mut self.model, &of, &state);
            let counters = of.control.clone().into_iter();
            let mut same: Vec<Term> =
                counters.map(|(v, value)| equal(&mut self.model.terms, current[v.index()], &value)).collect();
            same.extend(literals);
            let same = self.model.terms.and(same);
            let other = self.model.terms.not(same);
            solver.assert(&mut self.model.terms, other);
            self.reach(system.initial, Arc::new(state), None, sink);
        }
        Err(UnknownReason::TooMany)
    }

    /// The state that a condition describes, if it gives a value to each variable that matters.
    fn only(&self, initial: Term) -> Option<State> {
        let known: HashMap<VarId, Value> =
            self.model.conjuncts(initial).into_iter().filter_map(|part| self.model.given(part)).collect();
        let location = self.system.initial;
        let value = |v: VarId| match known.get(&v) {
            None if self.model.live[location.index()].contains(&v) => None,
            None => Some(self.system.variable(v).ty.some_value()),
            Some(value) => Some(value.clone()),
        };
        let state = self.system.var_ids().map(value).collect::<Option<State>>()?;
        self.model.holds(initial, &state).then_some(state)
    }

    /// Executes all commands in a state that was taken from the waitlist.
    pub(super) fn expand(&mut self, at: usize, sink: &mut Notes) -> Result<(), UnknownReason> {
        let system = Arc::clone(&self.system);
        let Stored { node, location, values, of, .. } = self.search.stored[at].clone();
        let literals = self.abstraction.literals(&mut self.model, &of, &values);
        let commands = Arc::clone(&self.commands);
        for command in &commands[location.index()] {
            let successors = self.successors(&system, command, &values)?;
            if successors.is_empty() {
                self.disabled((at, node), command, (&literals, &values), sink);
            } else if !command.inputs.is_empty() {
                self.complete((at, node), command, (&literals, &values), (&successors, sink))?;
            }
            for (state, inputs) in successors {
                if Some(command.target) == system.error {
                    self.error((at, node), command, state, sink);
                    if self.options.first {
                        return Ok(());
                    }
                    continue;
                }
                let state = Arc::new(state);
                let (to, child) =
                    self.reach(command.target, Arc::clone(&state), Some((at, command.edge)), sink);
                self.search.transitions.insert((at, command.edge, to));
                self.enabled((at, child), command, (&literals, &values), (&state, &inputs), sink);
            }
        }
        if self.search.stored.len() > STATES {
            return Err(UnknownReason::TooMany);
        }
        if let Some(state) = node {
            sink.event(Event::StateExpanded { state });
        }
        Ok(())
    }

    /// The states after a command, with the inputs that lead there: one for each valuation of the predicates.
    pub(super) fn successors(
        &mut self,
        system: &System,
        command: &Command,
        state: &State,
    ) -> Result<Vec<(State, Vec<Value>)>, UnknownReason> {
        if command.inputs.is_empty() {
            return Ok(match after(system, command, state, &[])? {
                Some(next) if self.model.holds(command.guard, state) => vec![(next, Vec::new())],
                _ => Vec::new(),
            });
        }
        let mut all = Vec::new();
        let mut solver = Solver::new(self.limits);
        let possible = self.model.in_state(command.guard, state);
        solver.assert(&mut self.model.terms, possible);
        for _ in 0..CHOICES {
            self.now().queries += 1;
            let found = match solver.check(&mut self.model.terms, &[]) {
                Answer::Unsat => return Ok(all),
                Answer::Unknown(_) => return Err(UnknownReason::Solver),
                Answer::Sat(found) => found,
            };
            let inputs: Vec<Value> =
                command.inputs.iter().map(|(_, x)| found.eval(&self.model.terms, *x)).collect();
            let Some(next) = after(system, command, state, &inputs)? else {
                return Err(UnknownReason::Solver);
            };
            let mut same = Vec::new();
            for goal in self.goals(command, &next) {
                same.push(self.model.in_state(goal, state));
            }
            let same = self.model.terms.and(same);
            let other = self.model.terms.not(same);
            solver.assert(&mut self.model.terms, other);
            all.push((next, inputs));
        }
        Err(UnknownReason::TooMany)
    }

    /// The weakest precondition of the abstract state of `next`, without the guard: α(s′)[e/x], in parts.
    pub(super) fn goals(&mut self, command: &Command, next: &State) -> Vec<Term> {
        let of = self.abstraction.of(&self.model, command.target, next);
        let mut goals = Vec::new();
        for (v, value) in &of.control {
            if let Some(new) = command.values.get(v) {
                goals.push(equal(&mut self.model.terms, *new, value));
            }
        }
        let predicates: Vec<(Term, bool)> = self
            .abstraction
            .all()
            .zip(&of.truths)
            .filter_map(|((_, p), truth)| Some((p.term, (*truth)?)))
            .collect();
        for (term, truth) in predicates {
            let before = self.model.after(term, command);
            goals.push(if truth { before } else { self.model.terms.not(before) });
        }
        goals.retain(|goal| *goal != Term::TRUE);
        goals
    }

    /// The weakest precondition of a transition in parts, g ∧ α(s′)[e/x], for the program counters of a state. Inputs
    /// are eliminated.
    pub(super) fn precondition(
        &mut self,
        command: &Command,
        state: &State,
        (next, inputs): (&State, &[Value]),
    ) -> Vec<Term> {
        let mut goals = self.model.conjuncts(command.guard);
        goals.extend(self.goals(command, next));
        let mut parts = Vec::new();
        let mut chosen = Vec::new();
        for goal in goals {
            let goal = self.model.at(goal, state);
            let has_input = |x: &Term| command.inputs.iter().any(|(_, input)| input == x);
            if self.model.terms.vars(goal).iter().any(has_input) {
                chosen.push(goal);
            } else {
                parts.extend(self.model.conjuncts(goal));
            }
        }
        if !chosen.is_empty() {
            let all = self.model.terms.and(chosen);
            let system = Arc::clone(&self.system);
            parts.push(self.model.without_inputs(&system, all, &command.inputs, inputs));
        }
        parts.dedup();
        parts
    }

    /// Checks a transition: α(s) ⇒ g ∧ α(s′)[e/x].
    fn enabled(
        &mut self,
        (at, child): (usize, Option<NodeId>),
        command: &Command,
        (literals, state): (&[Term], &Arc<State>),
        (next, inputs): (&State, &[Value]),
        sink: &mut Notes,
    ) {
        let parts = self.precondition(command, state, (next, inputs));
        // A step to an initial state has no queries in the journal.
        let first = self.search.stored[at].node.is_none();
        let before = self.prover.queries;
        let failed = match first {
            true => self.failed(literals, &parts, &mut Notes::default()),
            false => self.failed(literals, &parts, sink),
        };
        let asked = self.prover.queries - before;
        self.now().queries += asked;
        let asked = if first { 0 } else { asked };
        let lost = self.lost((at, command), &failed, state, sink);
        if let Some(state) = child.filter(|_| !first || lost.is_some()) {
            sink.event(Event::TransitionChecked { state, lost, asked });
        }
    }

    /// Checks a command that is not possible in a state: α(s) ⇒ ¬g.
    fn disabled(
        &mut self,
        (at, node): (usize, Option<NodeId>),
        command: &Command,
        (literals, state): (&[Term], &Arc<State>),
        sink: &mut Notes,
    ) {
        let guard = self.model.at(command.guard, state);
        // The program counters alone disable it.
        if guard == Term::FALSE {
            return;
        }
        let never = self.model.terms.not(guard);
        let before = self.prover.queries;
        let failed = match node {
            None => self.failed(literals, &[never], &mut Notes::default()),
            Some(_) => self.failed(literals, &[never], sink),
        };
        let asked = self.prover.queries > before;
        self.now().queries += u32::from(asked);
        let lost = self.lost((at, command), &failed, state, sink);
        if let Some(state) = node {
            sink.event(Event::DisabledChecked { state, edge: command.edge, lost, asked });
        }
    }

    /// Checks that inputs lead from no state of the abstract state into other abstract states than from this one.
    fn complete(
        &mut self,
        (at, node): (usize, Option<NodeId>),
        command: &Command,
        (literals, state): (&[Term], &Arc<State>),
        (successors, sink): (&[(State, Vec<Value>)], &mut Notes),
    ) -> Result<(), UnknownReason> {
        let system = Arc::clone(&self.system);
        let mut known = Vec::with_capacity(successors.len());
        for (next, _) in successors {
            let goals = self.goals(command, next);
            known.push(self.model.terms.and(goals));
        }
        let known = self.model.terms.or(known);
        let other = self.model.terms.not(known);
        let other = self.model.terms.and([command.guard, other]);
        let other = self.model.at(other, state);
        if other == Term::FALSE {
            return Ok(());
        }
        let mut solver = Solver::new(self.limits);
        solver.assert(&mut self.model.terms, other);
        for v in system.var_ids() {
            let domain = system.domain(v, self.model.current[v.index()], &mut self.model.terms);
            solver.assert(&mut self.model.terms, domain);
        }
        self.now().queries += 1;
        if node.is_some() {
            let all: Vec<Term> = solver.assertions().iter().chain(literals).copied().collect();
            self.model.report(
                "Does an input lead from a state of the abstract state into an abstract state that is not a known successor?",
                &all,
                sink,
            );
        }
        let lost = match solver.check(&mut self.model.terms, literals) {
            Answer::Unsat => None,
            Answer::Unknown(_) => return Err(UnknownReason::Solver),
            Answer::Sat(found) => {
                let value = |t: &Term| found.eval(&self.model.terms, *t);
                let inputs: Vec<Value> = command.inputs.iter().map(|(_, x)| value(x)).collect();
                let mut from: State = self.model.current.iter().map(value).collect();
                for v in &self.model.control {
                    from[v.index()] = state[v.index()].clone();
                }
                let Some(next) = after(&system, command, &from, &inputs)? else {
                    return Err(UnknownReason::Solver);
                };
                let goals = self.goals(command, &next);
                let step = self.model.terms.and(goals.into_iter().chain([command.guard]));
                let step = self.model.at(step, state);
                let possible = self.model.without_inputs(&system, step, &command.inputs, &inputs);
                let never = self.model.terms.not(possible);
                self.lost((at, command), &[never], state, sink)
            }
        };
        if let Some(state) = node {
            sink.event(Event::InputsChecked { state, edge: command.edge, lost });
        }
        Ok(())
    }

    /// The formulas that these literals do not imply. Without a solver: all with an atom whose truth they do not give.
    pub(super) fn failed(&mut self, literals: &[Term], goals: &[Term], sink: &mut Notes) -> Vec<Term> {
        let system = Arc::clone(&self.system);
        let mut failed = Vec::new();
        for goal in goals {
            let holds = match self.options.exactness {
                Exactness::Solver => self.prover.implies(&system, &mut self.model, (literals, *goal), sink),
                Exactness::Substitution => self.model.is_decided(literals, *goal),
            };
            if !holds {
                failed.push(*goal);
            }
        }
        failed
    }

    /// Records a loss of precision: its atoms become predicates.
    fn lost(
        &mut self,
        (at, command): (usize, &Command),
        failed: &[Term],
        state: &Arc<State>,
        sink: &mut Notes,
    ) -> Option<FormulaId> {
        if failed.is_empty() {
            return None;
        }
        let location = self.search.stored[at].location;
        let scope = match self.options.local {
            true => Scope::of(&self.model, location, command),
            false => Scope::default(),
        };
        for goal in failed {
            let inputs = |t: &Term| self.model.variables(*t).len() < self.model.terms.vars(*t).len();
            let atoms: Vec<Term> = self.model.atoms(*goal).into_iter().filter(|t| !inputs(t)).collect();
            self.search.found.extend(atoms.into_iter().map(|atom| (atom, scope.clone())));
        }
        self.search.inexact.insert((location, Arc::clone(state), command.edge));
        let id = FormulaId(self.formulas);
        self.formulas += 1;
        let all = self.model.terms.and(failed.iter().copied());
        sink.formula(id, || self.model.text(all));
        Some(id)
    }

    /// A state that was generated: stored if its abstract state is new. Gives the stored state, and the node.
    fn reach(
        &mut self,
        location: LocationId,
        values: Arc<State>,
        from: Option<(usize, EdgeId)>,
        sink: &mut Notes,
    ) -> (usize, Option<NodeId>) {
        self.prover.meet(&values);
        let of = self.abstraction.of(&self.model, location, &values);
        let shown = !self.precedes_states(location);
        let node = shown.then(|| self.node(location, &values, Some(&of), sink));
        let arrival = from.and_then(|(at, edge)| Some(Arrival::new((self.search.stored[at].node?, edge))));
        self.search.generated += u32::from(shown);
        if let Some(known) = self.search.known.get(&of).copied() {
            if let (Some(state), Some(from), Some(stored)) = (node, arrival, self.search.stored[known].node) {
                sink.event(Event::StateMatched { state, from, stored });
            }
            return (known, node);
        }
        let number = self.search.stored.len();
        self.search.known.insert(of.clone(), number);
        self.search.stored.push(Stored { node, location, values, of, from });
        self.search.wait.push_back(number);
        if let Some(state) = node {
            self.now().nodes += 1;
            sink.event(Event::StateStored { state, from: arrival });
            // Only now, so that the graph is never empty.
            for state in std::mem::take(&mut self.before) {
                sink.event(Event::Forgotten { state });
            }
        }
        (number, node)
    }

    /// A run reaches the error location.
    fn error(
        &mut self,
        (at, from): (usize, Option<NodeId>),
        command: &Command,
        state: State,
        sink: &mut Notes,
    ) {
        if self.search.error.is_some() {
            return;
        }
        if let Some(from) = from {
            let node = self.node(command.target, &state, None, sink);
            sink.event(Event::ErrorReached { state: node, from: Arrival::new((from, command.edge)) });
        }
        self.search.error = Some((at, command.edge, Arc::new(state)));
    }

    /// The next node, with its label.
    fn node(
        &mut self,
        location: LocationId,
        values: &State,
        of: Option<&AbstractState>,
        sink: &mut Notes,
    ) -> NodeId {
        let node = NodeId(self.nodes);
        self.nodes += 1;
        let live = &self.model.live[location.index()];
        let value = |v: VarId| (v, self.system.value_text(v, &values[v.index()]));
        sink.state(node, || Label {
            location,
            values: live.iter().map(|v| value(*v)).collect(),
            literals: of.map(|of| self.abstraction.shown(of)).unwrap_or_default(),
            either: Vec::new(),
        });
        node
    }
}

/// The state after a command with these inputs; none if it is not possible.
pub(super) fn after(
    system: &System,
    command: &Command,
    state: &State,
    inputs: &[Value],
) -> Result<Option<State>, UnknownReason> {
    let mut inputs = inputs.iter();
    let mut chosen = |v: VarId| inputs.next().cloned().unwrap_or_else(|| system.variable(v).ty.some_value());
    match system.post(&system.edge(command.edge).op, state, &mut chosen) {
        Ok(next) => Ok(next),
        Err(EvalError::Overflow) => Err(UnknownReason::Overflow),
        Err(_) => Err(UnknownReason::Solver),
    }
}
