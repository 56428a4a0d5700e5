//! The independent checker of certificates.
//!
//! *Invariant*: initial states satisfy the formula of the initial location; every edge leads from states of its
//! source's formula to states of its target's formula, within all ranges, and so do all paths through locations without
//! a formula, which form no cycle; the error location's formula is unsatisfiable. Each obligation is refuted by
//! solver-lite, and the refutation is checked step by step by [`solver_lite::certify`].
//! *Trace*: the interpreter executes every edge from the stated values, and the results are compared.

use std::fmt;

use solver_lite::term::{Node, Term, Terms};
use solver_lite::{Limits, Refutation, Strategy, certify, refute};

use super::explored::Claim;
use crate::certificate::passage::Passage;
use crate::certificate::structure::{self, Structure};
use crate::certificate::{Certificate, TraceState, parse};
use crate::expr::{Kind, to_term};
use crate::property::Property;
use crate::statements::Statements;
use crate::system::{EdgeId, Formalism, LocationId, State, System};

/// The limits of each obligation: those of an engine's queries.
const LIMITS: Limits =
    Limits { conflicts: 10_000, pivots: 10_000, branches: 1_000, memory: 1 << 30, strategy: Strategy::Auto };

/// The limit on nested case splits of an obligation.
const CASES: u32 = 2;

/// A report of the check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The number of checked obligations (or steps of a run).
    pub obligations: usize,
    /// The number of checked steps of refutations.
    pub proof_steps: usize,
    /// A description, in sentences.
    pub sentences: Vec<String>,
    /// Was it also compared with the model's own statements?
    pub by_statements: bool,
    /// What was not checked and is trusted, in sentences; empty for most certificates.
    pub trusted: Vec<String>,
}

impl Report {
    /// The degree of trust: `checked`, or `trusted` if a part was not checked.
    #[must_use]
    pub fn grade(&self) -> &'static str {
        if self.trusted.is_empty() { "checked" } else { "trusted" }
    }
}

/// Why a certificate is rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection(pub String);

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

pub(super) fn reject<T>(why: impl Into<String>) -> Result<T, Rejection> {
    Err(Rejection(why.into()))
}

/// Does the certificate prove that `property` holds (invariant) or is violated (trace) in `system`?
///
/// # Errors
/// The first failed obligation.
pub fn check(system: &System, property: &Property, certificate: &Certificate) -> Result<Report, Rejection> {
    let statements = Statements::read(system);
    // Markings are enumerated from the net, without conditions that others derived from it.
    let possible = match certificate {
        Certificate::Explored { .. } => Report::default(),
        _ => super::possible::check(system, statements.as_ref(), property)?,
    };
    let mut report = judge(system, property, certificate)?;
    let again = match (&statements, certificate) {
        (None, _) => false,
        (Some(statements), Certificate::Progress { automaton, nodes }) => match property {
            Property::Temporal(r) => super::sets::check(system, statements, r, (automaton, nodes))?,
            _ => false,
        },
        (Some(statements), Certificate::Invariant { locations }) => {
            super::actions::check(system, statements, property, locations)?
        }
        (Some(statements), Certificate::Structure { predicates, states, transitions }) => {
            structure::again(system, statements, property, Structure { predicates, states, transitions })?
        }
        (_, Certificate::Explored { .. }) => false,
        (Some(statements), _) => super::replay::check(system, statements, property, certificate)?,
    };
    report.by_statements = again;
    if again {
        // The last sentence is the result.
        let before = report.sentences.len().saturating_sub(1);
        let sentence = "The certificate was also checked against the statements of the text.".to_owned();
        report.sentences.insert(before, sentence);
    }
    if let (Certificate::Trace { states }, Some(clocks)) = (certificate, &system.clocks) {
        let sentence = super::timed::check(system, clocks, property, states)?;
        let before = report.sentences.len().saturating_sub(1);
        report.sentences.insert(before, sentence);
    }
    if let Some(reading) = &system.chart {
        let before = report.sentences.len().saturating_sub(1);
        if let Some(sentence) = super::chart::check(system, reading, property, certificate)? {
            report.sentences.insert(before, sentence);
        }
    }
    report.obligations += possible.obligations;
    report.proof_steps += possible.proof_steps;
    report.trusted.extend(possible.trusted);
    Ok(report)
}

fn judge(system: &System, property: &Property, certificate: &Certificate) -> Result<Report, Rejection> {
    if let Property::Temporal(requirement) = property {
        return match certificate {
            Certificate::Lasso { states, back, recurrent_set } => {
                super::lasso::check(system, requirement, (states, *back), recurrent_set.as_deref())
            }
            Certificate::Progress { automaton, nodes } => {
                super::progress::check(system, requirement, automaton, nodes)
            }
            Certificate::Invariant { .. }
            | Certificate::Trace { .. }
            | Certificate::Structure { .. }
            | Certificate::Explored { .. } => {
                reject("the certificate is about reachability, not about a temporal formula")
            }
        };
    }
    if let Certificate::Explored { markings, partial, satisfied, reduced, rules } = certificate {
        let claim =
            Claim { markings: *markings, partial: *partial, satisfied: *satisfied, reduced: *reduced };
        return super::explored::check(system, property, claim, rules);
    }
    if matches!(property, Property::Branching(_)) {
        return reject("the property is a formula of branching time");
    }
    let system = property.apply(system.clone());
    match certificate {
        Certificate::Lasso { .. } | Certificate::Progress { .. } | Certificate::Explored { .. } => {
            reject("the certificate is about a temporal formula")
        }
        Certificate::Invariant { locations } => Obligations::new(&system, locations)?.check(),
        Certificate::Structure { predicates, states, transitions } => {
            structure::check(&system, Structure { predicates, states, transitions })
        }
        Certificate::Trace { states } => {
            let mut report = replay(&system, states)?;
            let last = states.last().expect("it was replayed");
            report.sentences.push(match (property, system.formalism) {
                (Property::DeadlockFree, _) => {
                    "Its last state is one in which no step can be taken.".to_owned()
                }
                (Property::Reachable(_), _) => "Its last state satisfies the condition.".to_owned(),
                (Property::ErrorUnreachable, Formalism::Automaton) => {
                    format!("It ends at the error location {}.", last.location)
                }
                _ => "Its last state violates the property.".to_owned(),
            });
            Ok(report)
        }
    }
}

/// Terms for the formulas of all locations.
pub(super) struct Obligations<'a> {
    system: &'a System,
    pub(super) terms: Terms,
    pub(super) current: Vec<Term>,
    pub(super) next: Vec<Term>,
    /// By location; over current values.
    formulas: Vec<Option<crate::expr::Expr>>,
    pub(super) report: Report,
}

impl<'a> Obligations<'a> {
    fn new(system: &'a System, locations: &[(String, String)]) -> Result<Obligations<'a>, Rejection> {
        let mut formulas: Vec<Option<crate::expr::Expr>> = vec![None; system.locations.len()];
        for (name, text) in locations {
            let Some(location) = system.find_location(name) else {
                return reject(format!("there is no location '{name}'"));
            };
            let expr = parse::formula(text, system);
            let expr =
                expr.map_err(|why| Rejection(format!("the formula of {name} cannot be read: {why}")))?;
            if formulas[location.index()].replace(expr).is_some() {
                return reject(format!("location '{name}' has two formulas"));
            }
        }
        // Initial states are unconstrained unless there is a formula.
        formulas[system.initial.index()].get_or_insert_with(|| crate::expr::Expr::bool(true));
        Ok(Obligations { formulas, ..Obligations::over(system) })
    }

    /// Terms for current and next values, without formulas.
    pub(super) fn over(system: &'a System) -> Obligations<'a> {
        let mut terms = Terms::new();
        let mut all = |suffix: &str| -> Vec<Term> {
            let var = |v: &crate::system::Variable| terms.var(&format!("{}{suffix}", v.name), v.ty.sort());
            system.variables.iter().map(var).collect()
        };
        let (current, next) = (all(""), all("'"));
        Obligations { system, terms, current, next, formulas: Vec::new(), report: Report::default() }
    }

    fn check(mut self) -> Result<Report, Rejection> {
        let Some(error) = self.system.error else { return reject("the model has no error location") };
        if self.formulas[error.index()].is_none() {
            return reject("the error location has no formula");
        }
        let always = self.always();
        let current = self.current.clone();
        let bad = self.formula(error, &current);
        let name = &self.system.location(error).name;
        self.refute(&[always, bad], &format!("the formula of the error location {name} is not false"))?;
        let initial = self.system.initial_term(&mut self.terms, &mut |v| current[v.index()]);
        let start = self.formula(self.system.initial, &current);
        let outside = self.terms.not(start);
        let name = &self.system.location(self.system.initial).name;
        self.refute(&[initial, outside], &format!("an initial state is outside the formula of {name}"))?;
        let mut edges = 0;
        for location in self.system.location_ids() {
            // An empty set of states has no successors.
            let empty = self.formulas[location.index()].as_ref().is_none_or(|f| f.kind == Kind::Bool(false));
            if empty {
                continue;
            }
            for edge in self.system.out_edges(location) {
                if self.has_formula(self.system.edge(*edge).target) {
                    self.edge(*edge, always)?;
                    edges += 1;
                }
            }
            self.passage(location, always)?;
        }
        self.report.sentences = vec![
            "No state satisfies the formula of the error location.".to_owned(),
            "Every initial state satisfies the formula of the initial location.".to_owned(),
            if edges == self.system.edges.len() {
                format!("All {edges} edges lead from one location's formula into the next one's.")
            } else {
                "All paths from one location with a formula to the next lead into the latter's formula, and every reachable loop has one.".to_owned()
            },
            format!(
                "{} obligations, {} proof steps checked.",
                self.report.obligations, self.report.proof_steps
            ),
        ];
        Ok(self.report)
    }

    fn has_formula(&self, location: LocationId) -> bool {
        self.formulas[location.index()].is_some()
    }

    /// Ranges and the system's invariant, over current values.
    pub(super) fn always(&mut self) -> Term {
        let current = &self.current;
        let mut parts = vec![to_term(&self.system.invariant, &mut self.terms, &mut |v| current[v.index()])];
        for v in self.system.var_ids() {
            parts.push(self.system.domain(v, current[v.index()], &mut self.terms));
        }
        self.terms.and(parts)
    }

    /// The formula of a location over these values; true if it is omitted.
    fn formula(&mut self, location: LocationId, values: &[Term]) -> Term {
        let formula = self.formulas[location.index()].as_ref();
        formula.map_or(Term::TRUE, |f| to_term(f, &mut self.terms, &mut |v| values[v.index()]))
    }

    /// These values satisfy a location's formula and their ranges.
    fn goal(&mut self, location: LocationId, values: &[Term]) -> Term {
        let mut goals = vec![self.formula(location, values)];
        for v in self.system.var_ids() {
            goals.push(self.system.domain(v, values[v.index()], &mut self.terms));
        }
        self.terms.and(goals)
    }

    fn edge(&mut self, id: EdgeId, always: Term) -> Result<(), Rejection> {
        let edge = self.system.edge(id);
        let current = self.current.clone();
        let before = self.formula(edge.source, &current);
        let next = &self.next;
        let relation =
            self.system
                .relation(&edge.op, &mut self.terms, &mut |v| current[v.index()], &mut |v| next[v.index()]);
        let after: Vec<Term> = self
            .system
            .var_ids()
            .map(|v| {
                if relation.written.binary_search(&v).is_ok() { next[v.index()] } else { current[v.index()] }
            })
            .collect();
        let invariant = to_term(&self.system.invariant, &mut self.terms, &mut |v| after[v.index()]);
        let goal = self.goal(edge.target, &after);
        let outside = self.terms.not(goal);
        let names = [edge.source, edge.target].map(|l| self.system.location(l).name.as_str());
        let why = format!("the edge {} → {} ({}) leaves the formulas", names[0], names[1], edge.label);
        self.refute(&[always, before, relation.formula, invariant, outside], &why)
    }

    /// The paths from a location through others without a formula.
    fn passage(&mut self, begin: LocationId, always: Term) -> Result<(), Rejection> {
        let system = self.system;
        let name = |l: LocationId| system.location(l).name.as_str();
        let passage = Passage::from(system, begin, &|l| self.has_formula(l))
            .map_err(|at| Rejection(format!("{} is on a cycle of locations without formulas", name(at))))?;
        let current = self.current.clone();
        let before = self.formula(begin, &current);
        for (end, mut assertions, values) in passage.ends(&mut self.terms, &current) {
            let goal = self.goal(end, &values);
            assertions.extend([always, before, self.terms.not(goal)]);
            let why = format!("a path from {} to {} leaves the formulas", name(begin), name(end));
            self.refute(&assertions, &why)?;
        }
        Ok(())
    }

    pub(super) fn refute(&mut self, assertions: &[Term], otherwise: &str) -> Result<(), Rejection> {
        self.report.obligations += 1;
        self.refute_cases(assertions, otherwise, CASES)
    }

    /// Obligations that are too hard as a whole are split into cases, up to this depth.
    fn refute_cases(&mut self, assertions: &[Term], otherwise: &str, levels: u32) -> Result<(), Rejection> {
        match refute(&mut self.terms, assertions, LIMITS) {
            Refutation::Proof(proof) => {
                certify(&self.terms, assertions, &proof)
                    .map_err(|e| Rejection(format!("a refutation is wrong: {e}")))?;
                self.report.proof_steps += proof.steps.len();
                Ok(())
            }
            Refutation::Model(model) => {
                let value = |t: &Term| model.eval(&self.terms, *t);
                let shown = self.system.var_ids().zip(&self.current).take(8);
                let shown =
                    shown.map(|(v, t)| (&self.system.variable(v).name, self.system.value_text(v, &value(t))));
                let values: Vec<String> = shown.map(|(name, value)| format!("{name} = {value}")).collect();
                reject(format!("{otherwise}, for example from {}", values.join(", ")))
            }
            Refutation::Incomplete(why) => {
                let is_or = |t: &Term| matches!(self.terms.node(*t), Node::Or(_));
                let Some(at) = assertions.iter().position(is_or).filter(|_| levels > 0) else {
                    return reject(format!(
                        "an obligation could not be decided within the limits of the checker: {why}"
                    ));
                };
                let mut cases = Vec::new();
                self.terms.children(assertions[at], |case| cases.push(case));
                cases.into_iter().try_for_each(|case| {
                    let mut assertions = assertions.to_vec();
                    assertions[at] = case;
                    self.refute_cases(&assertions, otherwise, levels - 1)
                })
            }
        }
    }
}

fn replay(system: &System, states: &[TraceState]) -> Result<Report, Rejection> {
    let run = steps(system, states, &|_, _| false)?;
    if system.error.is_none() || run.last().map(|(location, _)| *location) != system.error {
        return reject("the trace does not end at the error location");
    }
    let steps = states.len() - 1;
    Ok(Report {
        obligations: steps,
        proof_steps: 0,
        sentences: vec![
            "The run starts in an initial state.".to_owned(),
            format!("All {steps} steps were replayed in the interpreter, with the stated values."),
        ],
        ..Report::default()
    })
}

/// Executes all steps of a run with the interpreter and compares the states. A step without an edge repeats the last
/// state of a run that `stays`.
pub(super) fn steps(
    system: &System,
    states: &[TraceState],
    stays: &dyn Fn(LocationId, &State) -> bool,
) -> Result<Vec<(LocationId, State)>, Rejection> {
    let Some(first) = states.first() else { return reject("the trace is empty") };
    if first.edge.is_some() || system.find_location(&first.location) != Some(system.initial) {
        return reject("the trace does not start at the initial location");
    }
    let mut state = values(system, first)?;
    let mut location = system.initial;
    let holds = |e: &crate::expr::Expr, s: &State| e.eval(&|v| s[v.index()].clone()).is_ok_and(|x| x.bool());
    if !holds(&system.initial_formula, &state) || !holds(&system.invariant, &state) {
        return reject("the first state is not initial");
    }
    let mut run = vec![(location, state.clone())];
    for (i, step) in states.iter().enumerate().skip(1) {
        let stated = values(system, step)?;
        if step.edge.is_none() && stays(location, &state) && stated == state {
            run.push((location, stated));
        } else {
            let edge = step.edge.map(|e| e as usize).and_then(|e| system.edges.get(e));
            let Some(edge) = edge.filter(|e| e.source == location) else {
                return reject(format!("step {i} takes no edge of {}", system.location(location).name));
            };
            match system.post(&edge.op, &state, &mut |v| stated[v.index()].clone()) {
                Ok(Some(next)) if !system.keeps_promises(&next) => {
                    return reject(format!("after step {i} a value is out of the range of its type"));
                }
                Ok(Some(next)) if next == stated && holds(&system.invariant, &next) => state = next,
                Ok(Some(_)) => {
                    return reject(format!("the values after step {i} are not those of '{}'", edge.label));
                }
                Ok(None) => return reject(format!("step {i} is blocked: '{}' is false", edge.label)),
                Err(e) => return reject(format!("step {i}: {e}")),
            }
            location = edge.target;
            run.push((location, state.clone()));
        }
        if system.find_location(&step.location) != Some(location) {
            return reject(format!("step {i} does not lead to {}", step.location));
        }
    }
    Ok(run)
}

/// All variables exactly once, each with a value of its type.
pub(super) fn values(system: &System, step: &TraceState) -> Result<State, Rejection> {
    if step.values.len() != system.variables.len() {
        return reject(format!(
            "a state has {} values for {} variables",
            step.values.len(),
            system.variables.len()
        ));
    }
    let mut state = State::with_capacity(system.variables.len());
    for (v, (name, text)) in system.var_ids().zip(&step.values) {
        if *name != system.variable(v).name {
            return reject(format!("expected a value of '{}' instead of '{name}'", system.variable(v).name));
        }
        state.push(parse::value(text, system, v).map_err(Rejection)?);
    }
    Ok(state)
}
