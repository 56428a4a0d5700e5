//! Second check of a run, by the model's own statements. Steps, positions of the word, enabling of edges, fairness and
//! deadlocks are implemented here a second time, as simply as possible, without the locations and edges of the
//! engines.
//!
//! A run whose values change between rounds is not checked again, because its cycle is not a sequence of states.

use std::collections::{BTreeSet, HashMap};

use solver_lite::term::Value;

use super::check::{Rejection, reject};
use super::{Certificate, TraceState, parse};
use crate::expr::{Expr, VarId};
use crate::ltl::{AtomMeaning, BETWEEN, Word};
use crate::property::Property;
use crate::statements::{Statement, Statements, Style};
use crate::system::{EdgeId, Role, State, System};
use crate::temporal::{Demand, Fairness, Requirement, Step, Strength, Termination, WordSemantics};

/// The place of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// At a place.
    Place(usize),
    /// On an edge, after this number of its statements.
    Between(usize, usize),
}

/// A state of a run.
#[derive(Clone, Debug)]
struct Position {
    at: At,
    values: State,
    /// The action that has just ended.
    over: Option<usize>,
    /// Does a finite run repeat its last state here?
    stays: bool,
}

/// Why a run was not accepted: it is wrong, or not supported here.
enum NotJudged {
    Wrong(Rejection),
    Unsupported,
}

fn wrong<T>(why: impl Into<String>) -> Result<T, NotJudged> {
    reject(why).map_err(NotJudged::Wrong)
}

/// Checks the run of a certificate, if there is one; `false` if a second check is not possible.
///
/// # Errors
/// An error in the run.
pub(super) fn check(
    system: &System,
    statements: &Statements,
    property: &Property,
    certificate: &Certificate,
) -> Result<bool, Rejection> {
    let run = Run { system, statements };
    let judged = match (certificate, property) {
        (Certificate::Trace { states }, _) => run.trace(states, property),
        (Certificate::Lasso { states, back, recurrent_set: None }, Property::Temporal(requirement)) => {
            run.lasso(states, *back, requirement)
        }
        _ => Err(NotJudged::Unsupported),
    };
    match judged {
        Ok(()) => Ok(true),
        Err(NotJudged::Unsupported) => Ok(false),
        Err(NotJudged::Wrong(Rejection(why))) => reject(format!("statements of the model: {why}")),
    }
}

struct Run<'a> {
    system: &'a System,
    statements: &'a Statements,
}

impl Run<'_> {
    /// A run that violates a state property.
    fn trace(&self, states: &[TraceState], property: &Property) -> Result<(), NotJudged> {
        let error = matches!(property, Property::ErrorUnreachable) && self.system.error.is_some();
        // Otherwise the last step leads from the violating state to the added error location.
        let states = if error { states } else { states.split_last().ok_or(NotJudged::Unsupported)?.1 };
        let run = self.positions(states)?;
        let Some(last) = run.last() else { return wrong("the run has no state") };
        let role = match last.at {
            At::Place(p) => self.statements.places[p].role,
            At::Between(..) => Role::Plain,
        };
        let fine = match property {
            Property::ErrorUnreachable => role != Role::Error,
            Property::Invariant(e) => holds(e, &last.values),
            Property::Reachable(e) => !holds(e, &last.values),
            Property::DeadlockFree => {
                matches!(role, Role::Final | Role::Error) || self.goes_on(last, Step::Fine)?
            }
            Property::Temporal(_) | Property::Branching(_) => true,
        };
        if fine { wrong("its last state does not violate the property") } else { Ok(()) }
    }

    /// The values of the states of a run.
    fn values(&self, states: &[TraceState]) -> Result<Vec<State>, NotJudged> {
        let one = |s: &TraceState| {
            let all = self.system.var_ids().zip(&s.values);
            let all = all.map(|(v, (_, text))| parse::value(text, self.system, v));
            let all: State = all.collect::<Result<_, _>>().map_err(|why| NotJudged::Wrong(Rejection(why)))?;
            Ok(self.statements.state(&all))
        };
        states.iter().map(one).collect()
    }

    /// The place of each state of a run, if it is at one.
    fn places(&self, states: &[TraceState]) -> Vec<Option<usize>> {
        let names = self.statements.places.iter().enumerate().map(|(i, p)| (p.name.as_str(), i));
        let by_name: HashMap<&str, usize> = names.collect();
        states.iter().map(|s| by_name.get(s.location.as_str()).copied()).collect()
    }

    /// The observable states of a run, and those between the statements of edges.
    fn positions(&self, states: &[TraceState]) -> Result<Vec<Position>, NotJudged> {
        let (all, places) = (self.values(states)?, self.places(states));
        let begin = places.iter().position(Option::is_some).ok_or(NotJudged::Unsupported)?;
        let start = self.statements.start;
        let Statements { first, invariant, .. } = self.statements;
        if places[begin] != Some(start) || !first.iter().chain(invariant).all(|e| holds(e, &all[begin])) {
            return wrong("the run does not begin in an initial state");
        }
        let first = Position { at: At::Place(start), values: all[begin].clone(), over: None, stays: false };
        let mut run = vec![first];
        let mut at = begin;
        while at + 1 < states.len() {
            let last = run.last().expect("it has a first one");
            if states[at + 1].edge.is_none() {
                if !self.statements.same(&all[at], &all[at + 1]) {
                    return wrong("a value changes where the run repeats its state");
                }
                run.push(Position { over: None, stays: true, ..last.clone() });
                at += 1;
                continue;
            }
            let At::Place(from) = last.at else { return Err(NotJudged::Unsupported) };
            // An action ends where the run is observable again, or before it repeats a state, or at the end of the run.
            let rest = (at + 1..states.len()).find(|i| places[*i].is_some() || states[*i].edge.is_none());
            let end = rest.map_or(states.len() - 1, |i| if states[i].edge.is_none() { i - 1 } else { i });
            let Some(steps) = self.action(from, &states[at..=end], &all[at..=end], places[end])? else {
                return wrong(format!("no step leads from state {at} of the run to state {end}"));
            };
            run.extend(steps);
            at = end;
        }
        Ok(run)
    }

    /// The positions on an action from a place over these states to a place, or to the middle of an edge.
    fn action(
        &self,
        from: usize,
        states: &[TraceState],
        values: &[State],
        to: Option<usize>,
    ) -> Result<Option<Vec<Position>>, NotJudged> {
        let mut actions: Vec<usize> = self.statements.actions_from(from).collect();
        // Several actions may lead there; the first edge determines the action.
        let edge = states[1].edge.map(|e| EdgeId::new(e as usize));
        let number = edge.and_then(|edge| {
            let edges = self.system.out_edges(self.system.edge(edge).source);
            edges.iter().position(|e| *e == edge)
        });
        if let Some(number) = number.filter(|n| *n < actions.len()) {
            actions.swap(0, number);
        }
        for action in actions {
            if to.is_none_or(|to| self.statements.actions[action].to == to)
                && let Some(steps) = self.follow(action, values, to)?
            {
                return Ok(Some(steps));
            }
        }
        Ok(None)
    }

    /// The states of an action along a segment from its first state to its last one, if there are such.
    fn follow(
        &self,
        action: usize,
        segment: &[State],
        to: Option<usize>,
    ) -> Result<Option<Vec<Position>>, NotJudged> {
        let body = &self.statements.actions[action].body;
        let (first, last) = (&segment[0], &segment[segment.len() - 1]);
        let arrival = |to: usize| Position {
            at: At::Place(to),
            values: last.clone(),
            over: Some(action),
            stays: false,
        };
        let leads = |body: &[Statement], from: &State, to: &State, seen: &[State]| {
            let any = |v: VarId| self.candidates(v, seen);
            let after = self.statements.after(body, from, &any).ok_or(NotJudged::Unsupported)?;
            Ok(after.iter().any(|s| self.statements.same(s, to)))
        };
        if !self.statements.is_automaton() {
            let Some(to) = to else { return Err(NotJudged::Unsupported) };
            return Ok(leads(body, first, last, segment)?.then(|| vec![arrival(to)]));
        }
        let (taken, all) = (segment.len() - 1, body.len().max(1));
        if taken > all || to.is_some() != (taken == all) {
            return Ok(None);
        }
        let mut steps = Vec::new();
        for (i, states) in segment.windows(2).enumerate() {
            if !leads(body.get(i..=i).unwrap_or_default(), &states[0], &states[1], states)? {
                return Ok(None);
            }
            steps.push(match to {
                Some(to) if i + 1 == all => arrival(to),
                _ => Position {
                    at: At::Between(action, i + 1),
                    values: states[1].clone(),
                    over: None,
                    stays: false,
                },
            });
        }
        Ok(Some(steps))
    }

    /// Candidate values of a choice: those that occur in the run.
    fn candidates(&self, v: VarId, seen: &[State]) -> Vec<Value> {
        let (name, ty) = &self.statements.variables[v.index()];
        if self.statements.own.contains(&v) && seen.len() == 2 {
            return vec![seen[1][v.index()].clone()];
        }
        // Several variables of blocks may have the same name.
        let is = |other: &str| {
            other == name || other.strip_prefix(name.as_str()).is_some_and(|n| n.starts_with('.'))
        };
        let same = self.system.var_ids().filter(|w| is(&self.system.variable(*w).name));
        let all: BTreeSet<Value> =
            same.flat_map(|w| seen.iter().map(move |s| s[w.index()].clone())).collect();
        all.into_iter().filter(|value| ty.contains(value)).collect()
    }

    /// An ultimately periodic run, against a formula or an automaton.
    fn lasso(&self, states: &[TraceState], back: usize, requirement: &Requirement) -> Result<(), NotJudged> {
        let semantics = requirement.semantics;
        let places = self.places(states);
        let named = |i: usize| places[i].is_some();
        let last = states.len() - 1;
        let own = |i: usize| {
            let all = self.system.var_ids().zip(&states[i].values);
            all.filter(|(v, _)| !named(i) || self.statements.own.contains(v))
                .map(|(_, x)| x)
                .collect::<Vec<_>>()
        };
        if own(back) != own(last) {
            return Err(NotJudged::Unsupported);
        }
        // The cycle must begin at a place: the part before its first place is moved to its end.
        let begin = (back..last).find(|i| named(*i) && states[*i + 1].edge.is_some()).unwrap_or(back);
        let mut longer = states.to_vec();
        longer.extend_from_slice(&states[back + 1..=begin]);
        let run = self.positions(&longer)?;
        // Positions are states, except those inside of actions and before position 0.
        let places = self.places(&longer);
        let cycle = if !self.statements.is_automaton() {
            let seen = |i: &usize| *i > 0 && longer[*i].edge.is_none() || places[*i].is_some();
            let after_start = |end: usize| (0..=end).filter(seen).count().checked_sub(1);
            after_start(begin).ok_or(NotJudged::Unsupported)?
        } else {
            begin
        };
        for (i, _) in run.iter().enumerate().filter(|(_, p)| p.stays) {
            if !self.may_stay(&run[i - 1], semantics)? {
                return wrong("the run repeats a state in which a step is enabled");
            }
        }
        let seen: Vec<usize> = (0..run.len()).filter(|i| self.is_seen(*i, &run[*i], semantics)).collect();
        let (stem, round): (Vec<usize>, Vec<usize>) = seen.into_iter().partition(|i| *i <= cycle);
        if round.is_empty() {
            return wrong("no position of the word is on the cycle");
        }
        for fairness in &requirement.fairness {
            if !self.is_fair(fairness, round.iter().map(|i| &run[*i]))? {
                return wrong(format!("the run is not fair: {fairness}"));
            }
        }
        let letters =
            |all: &[usize]| all.iter().map(|i| self.letter(requirement, &run[*i])).collect::<Option<_>>();
        let word = letters(&stem).zip(letters(&round)).ok_or(NotJudged::Unsupported)?;
        let word = Word { stem: word.0, cycle: word.1 };
        let violated = match &requirement.demand {
            Demand::Satisfy(formula) => !word.satisfies(formula),
            Demand::Never(automaton) => automaton.accepts(&word),
        };
        if violated { Ok(()) } else { wrong("the run does not violate the requirement") }
    }

    /// Is this state a position of the word?
    fn is_seen(&self, i: usize, position: &Position, semantics: WordSemantics) -> bool {
        let initial = self.statements.reads_at_start(semantics.start);
        match position.at {
            _ if position.stays => true,
            At::Place(_) if i == 0 => initial,
            At::Place(p) => !self.statements.passes(p, semantics.step),
            At::Between(..) => semantics.step == Step::Fine,
        }
    }

    /// Is a position inside of a step?
    fn is_passed(&self, position: &Position, step: Step) -> bool {
        matches!(position.at, At::Place(p) if self.statements.passes(p, step))
    }

    /// May a run repeat this state for ever?
    fn may_stay(&self, position: &Position, semantics: WordSemantics) -> Result<bool, NotJudged> {
        let (ends, role) = match position.at {
            At::Place(p) => {
                (self.statements.actions_from(p).next().is_none(), self.statements.places[p].role)
            }
            At::Between(..) => (false, Role::Plain),
        };
        Ok(match semantics.termination {
            Termination::Never => false,
            Termination::Final => role == Role::Final && (ends || !self.goes_on(position, semantics.step)?),
            Termination::DeadEnd => ends,
            Termination::Deadlock => {
                !self.is_passed(position, semantics.step) && !self.goes_on(position, semantics.step)?
            }
        })
    }

    /// Is any step enabled? Initial values without a step begin no run, so they are no deadlocks.
    fn goes_on(&self, position: &Position, step: Step) -> Result<bool, NotJudged> {
        if let Some((at, stuck)) = &self.statements.stuck {
            return Ok(position.at != At::Place(*at) || !holds(stuck, &position.values));
        }
        let bodies = match position.at {
            At::Between(action, taken) => vec![self.statements.actions[action].body[taken..=taken].to_vec()],
            At::Place(p) if self.statements.precedes_runs(p) => return Ok(true),
            At::Place(p) => self.statements.steps_from(p, step).ok_or(NotJudged::Unsupported)?,
        };
        for body in bodies {
            if self.possible(&body, &position.values)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Is there a feasible path through statements from a state?
    fn possible(&self, body: &[Statement], values: &State) -> Result<bool, NotJudged> {
        super::possible::from_state(self.statements, body, values).ok_or(NotJudged::Unsupported)
    }

    /// Is a run fair that repeats these positions for ever?
    fn is_fair<'p>(
        &self,
        fairness: &Fairness,
        round: impl Iterator<Item = &'p Position> + Clone,
    ) -> Result<bool, NotJudged> {
        let actions = &self.statements.actions;
        let all: Vec<Vec<usize>> = match fairness.name.as_str() {
            // Each edge with alternatives.
            "all" if self.statements.style == Style::Relation => return Err(NotJudged::Unsupported),
            "all" => (0..actions.len())
                .filter(|a| self.statements.actions_from(actions[*a].from).count() > 1)
                .map(|a| vec![a])
                .collect(),
            name => vec![self.statements.named(name).ok_or(NotJudged::Unsupported)?],
        };
        for edges in all {
            let taken = round.clone().any(|p| p.over.is_some_and(|a| edges.contains(&a)));
            let (mut ever, mut always) = (false, true);
            for p in round.clone() {
                let between = matches!(p.at, At::Between(..)) && !p.stays;
                let mut enabled = false;
                for a in edges.iter().filter(|a| p.at == At::Place(actions[**a].from)) {
                    enabled |= self.possible(&actions[*a].body, &p.values)?;
                }
                ever |= enabled;
                // Between the statements of an edge, no edge is enabled or disabled.
                always &= enabled || between;
            }
            let required = match fairness.strength {
                Strength::Weak => always,
                Strength::Strong => ever,
            };
            if required && !taken {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The true atoms; `None` if an atom is about something that is not in the text.
    fn letter(&self, requirement: &Requirement, position: &Position) -> Option<Vec<bool>> {
        let value = |atom: &AtomMeaning| match atom {
            AtomMeaning::Condition(e) => Some(holds(e, &position.values)),
            AtomMeaning::At(l) => {
                let place = self.statements.place(&self.system.location(*l).name)?;
                Some(position.at == At::Place(place))
            }
            AtomMeaning::Over(_, name) if name == BETWEEN => {
                Some(matches!(position.at, At::Between(..)) && !position.stays)
            }
            AtomMeaning::Over(_, name) => {
                let named = self.statements.named(name)?;
                Some(position.over.is_some_and(|a| named.contains(&a)))
            }
        };
        requirement.atoms.iter().map(value).collect()
    }
}

/// Is it true? An undefined expression is not.
fn holds(e: &Expr, values: &State) -> bool {
    e.eval(&|v| values[v.index()].clone()).is_ok_and(|x| x.bool())
}
