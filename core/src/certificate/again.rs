//! A run once more, by the model's own statements: what a step is, where the word of a run has its positions, when an edge can be
//! taken, which runs are fair and where they stop is written here a second time, as plainly as possible, and shares nothing with
//! the locations and edges that engines work on.
//!
//! A run that changes values from round to round is not read again: what it repeats is not a sequence of states.

use std::collections::BTreeSet;

use solver_lite::term::Value;

use super::check::{Rejection, reject};
use super::{Certificate, TraceState, parse};
use crate::expr::{Expr, VarId};
use crate::ltl::{AtomMeaning, Demand, Fairness, Reading, Requirement, Start, Step, Strength, Stuck, Word};
use crate::property::Property;
use crate::statements::{Statement, Statements};
use crate::system::{EdgeId, Role, State, System};

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// At a place.
    Place(usize),
    /// On an edge, after so many of its statements.
    Between(usize, usize),
}

/// A state of a run.
#[derive(Clone, Debug)]
struct Position {
    at: At,
    values: State,
    /// The action that has just ended.
    over: Option<usize>,
    /// Does a run that has stopped repeat the state before?
    stays: bool,
}

/// Why a run was not judged: it is wrong, or it cannot be read here.
enum No {
    Wrong(Rejection),
    CannotSay,
}

fn wrong<T>(why: impl Into<String>) -> Result<T, No> {
    reject(why).map_err(No::Wrong)
}

/// Judges the run of a certificate, if there is one; `false` if it cannot be read a second time.
///
/// # Errors
/// What is wrong with it.
pub(super) fn check(
    system: &System,
    statements: &Statements,
    property: &Property,
    certificate: &Certificate,
) -> Result<bool, Rejection> {
    let run = Run { system, statements };
    let judged = match (certificate, property) {
        (Certificate::Trace { states }, _) => run.trace(states, property),
        (Certificate::Lasso { states, back, kept: None }, Property::Temporal(requirement)) => {
            run.lasso(states, *back, requirement)
        }
        _ => Err(No::CannotSay),
    };
    match judged {
        Ok(()) => Ok(true),
        Err(No::CannotSay) => Ok(false),
        Err(No::Wrong(Rejection(why))) => reject(format!("by the statements of the model, {why}")),
    }
}

struct Run<'a> {
    system: &'a System,
    statements: &'a Statements,
}

impl Run<'_> {
    /// A run that violates a property of states.
    fn trace(&self, states: &[TraceState], property: &Property) -> Result<(), No> {
        let error = matches!(property, Property::ErrorUnreachable) && self.system.error.is_some();
        // Otherwise the last step is that from a state in question to where such runs end.
        let states = if error { states } else { states.split_last().ok_or(No::CannotSay)?.1 };
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
            Property::Temporal(_) => true,
        };
        if fine { wrong("its last state is not what it should be") } else { Ok(()) }
    }

    /// The states of a run where people see them, and those between the statements of edges.
    fn positions(&self, states: &[TraceState]) -> Result<Vec<Position>, No> {
        let values = |s: &TraceState| -> Result<State, No> {
            let all = self.system.var_ids().zip(&s.values);
            let all = all.map(|(v, (_, text))| parse::value(text, self.system, v));
            let all: State = all.collect::<Result<_, _>>().map_err(|why| No::Wrong(Rejection(why)))?;
            Ok(self.statements.state(&all))
        };
        let all = states.iter().map(values).collect::<Result<Vec<State>, No>>()?;
        let place = |i: usize| self.statements.place(&states[i].location);
        let Some(mut at) = (0..states.len()).find(|i| place(*i).is_some()) else { return Err(No::CannotSay) };
        let start = self.statements.start;
        if place(at) != Some(start) || !self.statements.first.iter().all(|e| holds(e, &all[at])) {
            return wrong("the run does not begin where it should");
        }
        let first = Position { at: At::Place(start), values: all[at].clone(), over: None, stays: false };
        let mut run = vec![first];
        while at + 1 < states.len() {
            let last = run.last().expect("it has a first one");
            if states[at + 1].edge.is_none() {
                if !self.statements.same(&all[at], &all[at + 1]) {
                    return wrong("a run that stays changes a value");
                }
                run.push(Position { over: None, stays: true, ..last.clone() });
                at += 1;
                continue;
            }
            let At::Place(from) = last.at else { return Err(No::CannotSay) };
            // Where the run is seen again, or stays; otherwise it ends on an edge.
            let seen = (at + 1..states.len()).find(|i| place(*i).is_some());
            let stays = (at + 1..states.len()).find(|i| states[*i].edge.is_none());
            let end = seen.into_iter().chain(stays.map(|i| i - 1)).min().unwrap_or(states.len() - 1);
            let to = place(end);
            let segment = &all[at..=end];
            let fits = |a: &usize| to.is_none_or(|to| self.statements.actions[*a].to == to);
            // Several actions may lead there; the first edge says which one the run takes.
            let edge = states[at + 1].edge.map(|e| EdgeId::new(e as usize));
            let location = self.system.find_location(&states[at].location);
            let number =
                location.and_then(|l| self.system.out_edges(l).iter().position(|e| Some(*e) == edge));
            let mut actions: Vec<usize> = self.statements.actions_from(from).collect();
            if let Some(first) = number.filter(|n| *n < actions.len()) {
                actions.swap(0, first);
            }
            let mut found = None;
            for action in actions.into_iter().filter(fits) {
                found = self.follow(action, segment, to)?;
                if found.is_some() {
                    break;
                }
            }
            let Some(steps) = found else {
                return wrong(format!("no step leads from state {at} of the run to state {end}"));
            };
            run.extend(steps);
            at = end;
        }
        Ok(run)
    }

    /// The states of an action from the first one of a segment to the last one, if it leads there.
    fn follow(
        &self,
        action: usize,
        segment: &[State],
        to: Option<usize>,
    ) -> Result<Option<Vec<Position>>, No> {
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
            let after = self.statements.after(body, from, &any).ok_or(No::CannotSay)?;
            Ok(after.iter().any(|s| self.statements.same(s, to)))
        };
        if !self.statements.automaton {
            let Some(to) = to else { return Err(No::CannotSay) };
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

    /// Values that a variable may have been given on the way: those that the run shows.
    fn candidates(&self, v: VarId, seen: &[State]) -> Vec<Value> {
        let (name, ty) = &self.statements.variables[v.index()];
        if self.statements.own.contains(&v) && seen.len() == 2 {
            return vec![seen[1][v.index()].clone()];
        }
        // A variable of a block is one of several of that name.
        let is = |other: &str| {
            other == name || other.strip_prefix(name.as_str()).is_some_and(|n| n.starts_with('.'))
        };
        let same = self.system.var_ids().filter(|w| is(&self.system.variable(*w).name));
        let all: BTreeSet<Value> =
            same.flat_map(|w| seen.iter().map(move |s| s[w.index()].clone())).collect();
        all.into_iter().filter(|value| ty.contains(value)).collect()
    }

    /// A run that repeats its states for ever, against a formula or an automaton.
    fn lasso(&self, states: &[TraceState], back: usize, requirement: &Requirement) -> Result<(), No> {
        let reading = requirement.reading;
        let named = |i: usize| self.statements.place(&states[i].location).is_some();
        let last = states.len() - 1;
        let own = |i: usize| {
            let all = self.system.var_ids().zip(&states[i].values);
            all.filter(|(v, _)| !named(i) || self.statements.own.contains(v))
                .map(|(_, x)| x)
                .collect::<Vec<_>>()
        };
        if own(back) != own(last) {
            return Err(No::CannotSay);
        }
        // The cycle shall begin at a place: what comes before the first one on it is taken again at its end.
        let begin = (back..last).find(|i| named(*i) && states[*i + 1].edge.is_some()).unwrap_or(back);
        let mut longer = states.to_vec();
        longer.extend_from_slice(&states[back + 1..=begin]);
        let run = self.positions(&longer)?;
        // Positions count states, but for those inside of actions and before the first one.
        let cycle = if !self.statements.automaton {
            let seen = |i: &usize| {
                *i > 0 && longer[*i].edge.is_none() || self.statements.place(&longer[*i].location).is_some()
            };
            let after_start = |end: usize| (0..=end).filter(seen).count().checked_sub(1);
            after_start(begin).ok_or(No::CannotSay)?
        } else {
            begin
        };
        for (i, _) in run.iter().enumerate().filter(|(_, p)| p.stays) {
            if !self.may_stay(&run[i - 1], reading)? {
                return wrong("the run stays where it can go on");
            }
        }
        let seen: Vec<usize> = (0..run.len()).filter(|i| self.is_seen(*i, &run[*i], reading)).collect();
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
        let word = letters(&stem).zip(letters(&round)).ok_or(No::CannotSay)?;
        let word = Word { stem: word.0, cycle: word.1 };
        let violated = match &requirement.demand {
            Demand::Satisfy(formula) => !word.satisfies(formula),
            Demand::Never(automaton) => automaton.accepts(&word),
        };
        if violated { Ok(()) } else { wrong("the run is as it should be") }
    }

    /// Is this state a position of the word?
    fn is_seen(&self, i: usize, position: &Position, reading: Reading) -> bool {
        let initial = reading.start == Start::Initial;
        match position.at {
            _ if position.stays => true,
            At::Place(_) if i == 0 => initial,
            // Before `trans`, if steps are `env` and `trans` together.
            At::Place(2) if !self.statements.automaton => reading.step == Step::Fine,
            At::Place(_) => true,
            At::Between(..) => reading.step == Step::Fine,
        }
    }

    /// May a run repeat this state for ever?
    fn may_stay(&self, position: &Position, reading: Reading) -> Result<bool, No> {
        let (ends, role) = match position.at {
            At::Place(p) => {
                (self.statements.actions_from(p).next().is_none(), self.statements.places[p].role)
            }
            At::Between(..) => (false, Role::Plain),
        };
        Ok(match reading.stuck {
            Stuck::Never => false,
            Stuck::Final => ends && role == Role::Final,
            Stuck::DeadEnd => ends,
            Stuck::Deadlock => !self.goes_on(position, reading.step)?,
        })
    }

    /// Can any step be taken?
    fn goes_on(&self, position: &Position, step: Step) -> Result<bool, No> {
        let bodies = match position.at {
            At::Between(action, taken) => vec![self.statements.actions[action].body[taken..=taken].to_vec()],
            At::Place(p) => self.statements.steps_from(p, step),
        };
        for body in bodies {
            if self.possible(&body, &position.values)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Is there a way through statements from a state?
    fn possible(&self, body: &[Statement], values: &State) -> Result<bool, No> {
        super::possible::from_state(self.statements, body, values).ok_or(No::CannotSay)
    }

    /// Is a run fair that repeats these positions for ever?
    fn is_fair<'p>(
        &self,
        fairness: &Fairness,
        round: impl Iterator<Item = &'p Position> + Clone,
    ) -> Result<bool, No> {
        let actions = &self.statements.actions;
        let all: Vec<Vec<usize>> = match fairness.name.as_str() {
            // Each edge where there is a choice.
            "all" => (0..actions.len())
                .filter(|a| self.statements.actions_from(actions[*a].from).count() > 1)
                .map(|a| vec![a])
                .collect(),
            name => vec![self.statements.named(name).ok_or(No::CannotSay)?],
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
                // Between the statements of an edge nothing is enabled, and nothing is disabled.
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

    /// Which atoms are true; `None` if one is about something that does not stand in the text.
    fn letter(&self, requirement: &Requirement, position: &Position) -> Option<Vec<bool>> {
        let value = |atom: &AtomMeaning| match atom {
            AtomMeaning::Condition(e) => Some(holds(e, &position.values)),
            AtomMeaning::At(l) => {
                let place = self.statements.place(&self.system.location(*l).name)?;
                Some(position.at == At::Place(place))
            }
            AtomMeaning::Over(_, name) => {
                let named = self.statements.named(name).unwrap_or_default();
                Some(position.over.is_some_and(|a| named.contains(&a)))
            }
        };
        requirement.atoms.iter().map(value).collect()
    }
}

/// Is it true? An expression without a value is not.
fn holds(e: &Expr, values: &State) -> bool {
    e.eval(&|v| values[v.index()].clone()).is_ok_and(|x| x.bool())
}
