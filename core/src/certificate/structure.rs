//! Check of a structure of abstract states: it contains every step of the system, and each of its transitions exists
//! from every state of its source unless it has inputs (Păsăreanu, Pelánek and Visser 2007, section 4.2).
//!
//! The initial states are in some abstract state; a step from an abstract state by an edge leads into the targets of
//! its transitions by this edge; no abstract state has a step to the error location. An edge without inputs is possible
//! in all states of a source of its transitions, and has one target; if no edge has inputs, this makes the structure
//! bisimilar to the reachable part of the system.

use std::collections::{HashMap, HashSet};

use solver_lite::term::{Node, Sort, Term, Terms, Value};

use super::check::{Obligations, Rejection, Report, reject};
use super::questions::Questions;
use super::{AbstractState, parse};
use crate::expr::{Expr, to_term};
use crate::property::Property;
use crate::statements::Statements;
use crate::statements::ways::Way;
use crate::system::{EdgeId, LocationId, System, VarId};

/// The parts of a certificate.
#[derive(Clone, Copy)]
pub(super) struct Structure<'a> {
    pub(super) predicates: &'a [String],
    pub(super) states: &'a [AbstractState],
    pub(super) transitions: &'a [(u32, u32, u32)],
}

/// An abstract state whose texts have been read.
struct Read {
    location: LocationId,
    control: Vec<(VarId, Value)>,
    /// Predicates that are true or false.
    literals: Vec<(usize, bool)>,
}

/// Reads the predicates and the states.
fn read(system: &System, of: Structure<'_>) -> Result<(Vec<Expr>, Vec<Read>), Rejection> {
    let predicate = |text: &String| {
        parse::formula(text, system)
            .map_err(|why| Rejection(format!("the predicate '{text}' cannot be read: {why}")))
    };
    let predicates = of.predicates.iter().map(predicate).collect::<Result<Vec<_>, _>>()?;
    let mut states = Vec::with_capacity(of.states.len());
    for (i, state) in of.states.iter().enumerate() {
        let Some(location) = system.find_location(&state.location) else {
            return reject(format!("there is no location '{}'", state.location));
        };
        let mut control = Vec::new();
        for (name, text) in &state.control {
            let Some(v) = system.find_variable(name) else {
                return reject(format!("there is no variable '{name}'"));
            };
            control.push((v, parse::value(text, system, v).map_err(Rejection)?));
        }
        let known = state.truths.bytes().all(|c| b"+-.".contains(&c));
        if !known || state.truths.len() != predicates.len() {
            return reject(format!("abstract state {i} does not have a truth value for each predicate"));
        }
        let literals = state.truths.char_indices().filter_map(|(k, c)| match c {
            '+' => Some((k, true)),
            '-' => Some((k, false)),
            _ => None,
        });
        states.push(Read { location, control, literals: literals.collect() });
    }
    Ok((predicates, states))
}

impl Read {
    /// The formula of the state over these values; `predicates` are over the same.
    fn formula(&self, terms: &mut Terms, values: &[Term], predicates: &[Term]) -> Term {
        let parts = self.parts(terms, values, predicates);
        terms.and(parts)
    }

    /// The conjuncts of the formula.
    fn parts(&self, terms: &mut Terms, values: &[Term], predicates: &[Term]) -> Vec<Term> {
        let mut parts = Vec::with_capacity(self.control.len() + self.literals.len());
        for (v, value) in &self.control {
            let x = values[v.index()];
            let number = constant(terms, value, x);
            let same = if terms.sort(x) == Sort::Bool { terms.iff(x, number) } else { terms.eq(x, number) };
            if same == Term::FALSE {
                return vec![Term::FALSE];
            }
            parts.push(same);
        }
        for (k, truth) in &self.literals {
            parts.push(if *truth { predicates[*k] } else { terms.not(predicates[*k]) });
        }
        parts
    }
}

/// Is a conjunct of one of the formulas the negation of one of these?
fn contradicts(terms: &mut Terms, known: &HashSet<Term>, formulas: &[Term]) -> bool {
    formulas.iter().any(|formula| {
        let conjuncts = match terms.node(*formula) {
            Node::And(all) => all.to_vec(),
            _ => vec![*formula],
        };
        conjuncts.into_iter().any(|part| known.contains(&terms.not(part)))
    })
}

/// A value as a term of the sort of `x`.
fn constant(terms: &mut Terms, value: &Value, x: Term) -> Term {
    match value {
        Value::Bool(b) => terms.bool(*b),
        Value::Num(q) => {
            let sort = terms.sort(x);
            terms.num(q.clone(), sort)
        }
    }
}

/// The targets of the transitions, by state and edge.
type Targets = HashMap<(usize, usize), Vec<usize>>;

fn targets(of: Structure<'_>) -> Targets {
    let mut all = Targets::new();
    for (a, e, b) in of.transitions {
        all.entry((*a as usize, *e as usize)).or_default().push(*b as usize);
    }
    all
}

/// Do the transitions fit the states and the edges, and is no state at the error location?
fn fits(system: &System, of: Structure<'_>, states: &[Read]) -> Result<(), Rejection> {
    for (a, e, b) in of.transitions {
        let (Some(from), Some(to), Some(edge)) =
            (states.get(*a as usize), states.get(*b as usize), system.edges.get(*e as usize))
        else {
            return reject("a transition refers to a state or an edge that does not exist");
        };
        if (edge.source, edge.target) != (from.location, to.location) {
            return reject(format!("a transition does not fit the locations of the edge {}", edge.label));
        }
    }
    if states.iter().any(|s| Some(s.location) == system.error) {
        return reject("the structure has a state at the error location");
    }
    Ok(())
}

/// Is the structure bisimilar to the system, and is its error location unreachable?
///
/// # Errors
/// The first failed obligation.
pub(super) fn check(system: &System, of: Structure<'_>) -> Result<Report, Rejection> {
    if system.error.is_none() {
        return reject("the model has no error location");
    }
    let (predicates, states) = read(system, of)?;
    fits(system, of, &states)?;
    let mut edges =
        Edges { system, targets: targets(of), predicates, states, o: Obligations::over(system), exact: true };
    edges.start()?;
    for i in 0..edges.states.len() {
        edges.from(i)?;
    }
    let Edges { mut o, states, exact, .. } = edges;
    // Before the first state of a system of commands or a net there is no state.
    let is_state = |s: &&Read| !(s.location == system.initial && system.location(s.location).anonymous);
    let count = states.iter().filter(is_state).count();
    o.report.sentences = vec![
        format!("The structure has {count} abstract states."),
        "Every initial state is in one of them, and every step leads from one of them into the target of a transition."
            .to_owned(),
        if exact {
            "Each transition is possible in all states of its source, so the structure is bisimilar to the model."
        } else {
            "Transitions with inputs contain all steps; that some input leads from every state of the source to the target is not checked, and not needed for the verdict."
        }
        .to_owned(),
        "None has a step to the error location.".to_owned(),
        format!("{} obligations, {} proof steps checked.", o.report.obligations, o.report.proof_steps),
    ];
    Ok(o.report)
}

/// The steps of a structure by edges.
struct Edges<'a> {
    system: &'a System,
    targets: Targets,
    predicates: Vec<Expr>,
    states: Vec<Read>,
    o: Obligations<'a>,
    /// Have no edges inputs?
    exact: bool,
}

impl Edges<'_> {
    /// The initial states are in some abstract state.
    fn start(&mut self) -> Result<(), Rejection> {
        let (system, current) = (self.system, self.o.current.clone());
        let own = over(&mut self.o.terms, &self.predicates, &current);
        let initial = system.initial_term(&mut self.o.terms, &mut |v| current[v.index()]);
        let starts = self.states.iter().filter(|s| s.location == system.initial);
        let starts: Vec<Term> = starts.map(|s| s.formula(&mut self.o.terms, &current, &own)).collect();
        let outside = none_of(&mut self.o.terms, starts);
        self.o.refute(&[initial, outside], "an initial state is in no abstract state")
    }

    /// The edges lead from an abstract state into the targets of its transitions.
    fn from(&mut self, i: usize) -> Result<(), Rejection> {
        let (system, state) = (self.system, &self.states[i]);
        // Program counters have their values.
        let mut current = self.o.current.clone();
        for (v, value) in &state.control {
            current[v.index()] = constant(&mut self.o.terms, value, current[v.index()]);
        }
        let own = over(&mut self.o.terms, &self.predicates, &current);
        let parts = state.parts(&mut self.o.terms, &current, &own);
        let known: HashSet<Term> = parts.iter().copied().collect();
        let here = [self.o.always(), self.o.terms.and(parts)];
        for id in system.out_edges(state.location) {
            self.edge(i, *id, (&here, &known), &current)?;
        }
        Ok(())
    }

    fn edge(
        &mut self,
        i: usize,
        id: EdgeId,
        (here, known): (&[Term; 2], &HashSet<Term>),
        current: &[Term],
    ) -> Result<(), Rejection> {
        let (system, edge, next) = (self.system, self.system.edge(id), self.o.next.clone());
        let terms = &mut self.o.terms;
        let effect = system.effect(&edge.op, terms, &mut |v| current[v.index()], &mut |v| next[v.index()]);
        let value = |v: VarId| effect.values.get(&v).copied().unwrap_or(current[v.index()]);
        let after: Vec<Term> = system.var_ids().map(value).collect();
        let invariant = to_term(&system.invariant, terms, &mut |v| after[v.index()]);
        let possible = terms.and(effect.constraints.into_iter().chain([invariant]));
        let to = self.targets.get(&(i, id.index())).map_or(&[][..], Vec::as_slice);
        let impossible = possible == Term::FALSE || contradicts(terms, known, &[possible]);
        if to.is_empty() && impossible {
            return Ok(());
        }
        let there = over(terms, &self.predicates, &after);
        let into: Vec<Term> = to.iter().map(|t| self.states[*t].formula(terms, &after, &there)).collect();
        let mut inside = vec![terms.or(into)];
        inside.extend(system.var_ids().map(|v| system.domain(v, after[v.index()], terms)));
        let inside = terms.and(inside);
        let outside = terms.not(inside);
        let why = format!("the edge {} leads from abstract state {i} out of the structure", edge.label);
        self.o.refute(&[here[0], here[1], possible, outside], &why)?;
        if !edge.op.havocs().is_empty() {
            self.exact = false;
        } else if let Some(others) = to.len().checked_sub(1) {
            let impossible = self.o.terms.not(possible);
            let why = format!("the edge {} is not possible in all states of abstract state {i}", edge.label);
            self.o.refute(&[here[0], here[1], impossible], &why)?;
            if others > 0 {
                return reject(format!("the edge {} has two targets from abstract state {i}", edge.label));
            }
        }
        Ok(())
    }
}

fn over(terms: &mut Terms, predicates: &[Expr], values: &[Term]) -> Vec<Term> {
    predicates.iter().map(|p| to_term(p, terms, &mut |v| values[v.index()])).collect()
}

fn none_of(terms: &mut Terms, all: Vec<Term>) -> Term {
    let one = terms.or(all);
    terms.not(one)
}

/// Checks the structure against the statements of the model: every step leads into it, and the property is true in it.
/// `false` if this is not possible.
///
/// # Errors
/// An action that leads out of the structure, or an abstract state in which the property may be violated.
pub(super) fn again(
    system: &System,
    statements: &Statements,
    property: &Property,
    of: Structure<'_>,
) -> Result<bool, Rejection> {
    let (predicates, states) = read(system, of)?;
    // Without a place, states have no meaning in the text: those before the first state of a system of commands.
    let place = |s: &Read| statements.place(&system.location(s.location).name);
    let Property::Invariant(e) = property else { return Ok(false) };
    let own = |v: &VarId| statements.own.contains(v);
    if !predicates.iter().chain([e]).all(|p| p.variables().iter().all(own)) {
        return Ok(false);
    }
    let Some((q, begin)) = Questions::new(system, statements) else { return Ok(false) };
    let mut steps = Steps { q: q.with_many(), predicates, states, places: Vec::new() };
    steps.places = steps.states.iter().map(place).collect();
    if steps.ask(&begin, e).is_none() { Ok(false) } else { steps.q.judge() }
}

/// The steps of a structure by statements.
struct Steps<'a> {
    q: Questions<'a>,
    predicates: Vec<Expr>,
    states: Vec<Read>,
    /// By state.
    places: Vec<Option<usize>>,
}

impl Steps<'_> {
    /// `None` if a limit is exceeded.
    fn ask(&mut self, begin: &Way, property: &Expr) -> Option<()> {
        let start = self.q.statements.start;
        let first = self.q.first(begin)?;
        self.leads(first, start, "an initial state is in no abstract state".to_owned())?;
        for i in 0..self.states.len() {
            let Some(place) = self.places[i] else { continue };
            let mut way = begin.clone();
            for (v, value) in &self.states[i].control {
                way.values[v.index()] = constant(&mut self.q.terms, value, way.values[v.index()]);
            }
            let own = self.over(&way.values)?;
            let parts = self.states[i].parts(&mut self.q.terms, &way.values, &own);
            let known: HashSet<Term> = parts.iter().copied().collect();
            way.conditions.push(self.q.terms.and(parts));
            let e = self.q.term(property, &way.values)?;
            let wrong = self.q.terms.not(e);
            self.q.unsatisfiable(
                way.clone(),
                wrong,
                format!("the property may be violated in abstract state {i}"),
            )?;
            for a in self.q.statements.actions_from(place) {
                let action = &self.q.statements.actions[a];
                for after in self.q.through(&action.body, &way)? {
                    if contradicts(&mut self.q.terms, &known, &after.conditions) {
                        continue;
                    }
                    self.leads(
                        after,
                        action.to,
                        format!("a step from abstract state {i} leaves the structure"),
                    )?;
                }
            }
        }
        Some(())
    }

    /// The predicates over these values.
    fn over(&mut self, values: &[Term]) -> Option<Vec<Term>> {
        let q = &mut self.q;
        self.predicates.iter().map(|p| q.term(p, values)).collect()
    }

    /// A way ends in an abstract state of a place.
    fn leads(&mut self, way: Way, place: usize, why: String) -> Option<()> {
        let own = self.over(&way.values)?;
        let there = self.states.iter().zip(&self.places).filter(|(_, p)| **p == Some(place));
        let into: Vec<Term> = there.map(|(s, _)| s.formula(&mut self.q.terms, &way.values, &own)).collect();
        let outside = none_of(&mut self.q.terms, into);
        self.q.unsatisfiable(way, outside, why)
    }
}
