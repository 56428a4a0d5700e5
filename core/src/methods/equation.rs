//! The state equation of a Petri net (Murata 1989, section IV.B), refined by traps (Esparza and Melzer, "Verification
//! of Safety Properties Using Integer Programming: Beyond the State Equation", 2000) and by constraints on the firings
//! of solutions that do not fire (Wimmel and Wolf, "Applying CEGAR to the Petri Net State Equation", 2012).
//!
//! ```text
//! the constraints are m = m₀ + C·x, x ≥ 0, m ≥ 0, and m violates the property
//! loop
//!   no real solution → holds: an interpolant of the equation and the rest is an inductive invariant
//!   a trap that is marked in m₀ is empty in the solution m → add the constraint that it is marked
//!   an integer solution x is the firing vector of a sequence → violated, by that sequence
//!   otherwise add to the constraints of integer solutions: a transition fires less often than in x, or transitions
//!     that would enable one of those in x fire more often
//!   no integer solution → unknown
//! ```
//!
//! The interpolant is a conjunction of inequalities y·m ≤ y·m₀ with yᵀC ≤ 0, by the multipliers of Farkas' lemma; each
//! is preserved by every firing. Inhibitor arcs are ignored by the equation, which has more solutions then; sequences
//! respect them.

mod event;
#[cfg(test)]
pub(crate) mod example;
pub(crate) mod explain;
mod realize;
pub(crate) mod scene;

pub use event::{Event, Phase};

use std::collections::HashSet;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::task::Poll;

use solver_lite::number::Q;
use solver_lite::smtlib::{Asking, script};
use solver_lite::term::{Linear, Sort, Term, Terms, Value};
use solver_lite::{Answer, Limits, Model, Refutation, Solver, interpolate, refute};

use self::realize::{Increment, Tried, Vector, increments, sequence};
use crate::certificate::Certificate;
use crate::kit::{
    Cx, Engine, Event as Kit, FormulaId, IterationCounts, Question as Query, Sink, UnknownReason, Verdict,
    drive,
};
use crate::methods::Plan;
use crate::methods::explicit::net::{Question, run};
use crate::methods::outcome::{Next, Outcome, done, stop};
use crate::methods::shared::answer;
use crate::methods::table::About;
use crate::net::condition::{Comparison, Condition, Linear as Compared};
use crate::net::siphons::{self, Kind};
use crate::net::{Net, PlaceId, TransitionId};
use crate::system::net::dead;
use crate::system::{System, VarId};

/// The description of the method.
pub const ABOUT: About = About {
    name: "state-equation",
    what: "The state equation of a Petri net as linear constraints, with traps: invariants or a firing sequence.",
    states: true,
    runs: false,
    options: Vec::new,
    plan: |_| Some(Plan::StateEquation),
};

/// The greatest number of traps that are added.
const TRAPS: u32 = 50;
/// The greatest number of constraints on the firings of integer solutions,
const CONSTRAINTS: usize = 60;
/// and the greatest number of firings of a solution.
const FIRINGS: u64 = 20_000;

#[derive(Clone, Default)]
enum Stage {
    #[default]
    Start,
    /// Are the constraints satisfiable over real numbers?
    Solve,
    /// They are not: the invariant.
    Prove,
    /// They are: an integer solution, and its firing sequence.
    Realize,
}

/// The engine.
#[derive(Clone)]
pub struct Equation {
    system: Arc<System>,
    /// The net and the property; none if the system is no net, or the property is not one of reachability.
    asked: Option<(Arc<Net>, Arc<Question>)>,
    limits: Limits,
    terms: Terms,
    constraints: Option<Constraints>,
    /// The constraints that traps stay marked.
    traps: Vec<Term>,
    /// The constraints on the firings of integer solutions, one for each that did not fire.
    firings: Vec<Term>,
    formulas: u32,
    iterations: Vec<IterationCounts>,
    stage: Next<Stage>,
}

/// The constraints over real numbers, and over integers.
#[derive(Clone)]
struct Constraints {
    real: Side,
    integer: Side,
}

/// The constraints over one kind of numbers.
#[derive(Clone)]
struct Side {
    /// By place, its tokens.
    marking: Vec<Term>,
    /// By transition, its number of firings.
    firings: Vec<Term>,
    /// `m = m₀ + C·x`, `x ≥ 0`
    equation: Term,
    /// `m ≥ 0`, and m violates the property.
    violation: Term,
}

impl Equation {
    /// A run on a net; on other systems it gives up.
    #[must_use]
    pub(crate) fn new(
        system: &Arc<System>,
        asked: Option<(&Arc<Net>, &Arc<Question>)>,
        limits: Limits,
    ) -> Equation {
        Equation {
            system: Arc::clone(system),
            asked: asked.map(|(net, question)| (Arc::clone(net), Arc::clone(question))),
            limits,
            terms: Terms::new(),
            constraints: None,
            traps: Vec::new(),
            firings: Vec::new(),
            formulas: 0,
            iterations: Vec::new(),
            stage: Continue(Stage::Start),
        }
    }

    /// Counts of each iteration so far.
    pub(crate) fn iterations(&self) -> &[IterationCounts] {
        &self.iterations
    }

    fn start<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        self.begin(sink);
        let Some((net, question)) = self.asked.clone() else { return stop(UnknownReason::NoNet, sink) };
        let bad = match &*question {
            Question::Reach(bad) => bad.clone(),
            Question::Deadlock => Condition::of(&dead(&net)),
            Question::Within(..) | Question::Branching(..) => return stop(UnknownReason::NoNet, sink),
        };
        let initial = net.initial();
        if bad.holds(&|p| initial[p.index()]) == Some(true) {
            let certificate = run(&self.system, &net, &[]);
            sink.event(Event::SolutionTried { answer: crate::kit::Answer::Sat, fires: true });
            return Break(Box::new(done(Verdict::Violated, certificate, sink)));
        }
        let mut side = |sort: Sort| Side::new(&mut self.terms, (&self.system, &net), &bad, sort);
        match (side(Sort::Real), side(Sort::Int)) {
            (Some(real), Some(integer)) => self.constraints = Some(Constraints { real, integer }),
            _ => return stop(UnknownReason::Solver, sink),
        }
        Continue(Stage::Solve)
    }

    fn begin<S: Sink>(&mut self, sink: &mut S) {
        self.iterations.push(IterationCounts::default());
        let iteration = u32::try_from(self.iterations.len()).expect("few iterations");
        sink.event(Kit::IterationStarted { iteration });
    }

    fn now(&mut self) -> &mut IterationCounts {
        self.iterations.last_mut().expect("the run has begun")
    }

    /// Checks the constraints over one kind of numbers, and reports the query.
    fn check<S: Sink>(&mut self, integer: bool, what: &str, sink: &mut S) -> (Answer, Term, Term) {
        let constraints = self.constraints.as_ref().expect("the run has begun");
        let side = if integer { &constraints.integer } else { &constraints.real };
        let (a, violation) = (side.equation, side.violation);
        let traps: Vec<Term> = self.traps.iter().map(|t| moved(&mut self.terms, *t, &side.marking)).collect();
        let firings = if integer { self.firings.clone() } else { Vec::new() };
        let b = self.terms.and(traps.into_iter().chain([violation]).chain(firings));
        let mut solver = Solver::new(self.limits);
        solver.assert(&mut self.terms, a);
        solver.assert(&mut self.terms, b);
        let found = solver.check(&mut self.terms, &[]);
        self.now().queries += 1;
        let terms = &self.terms;
        sink.question(|| Query {
            what: what.to_owned(),
            script: script(terms, &[(None, a), (None, b)], Asking::Check),
        });
        (found, a, b)
    }

    fn solve<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        let (found, ..) = self.check(false, "Does the state equation have a real solution?", sink);
        sink.event(Event::EquationSolved { answer: answer(&found), traps: number(self.traps.len()) });
        match found {
            Answer::Unsat => Continue(Stage::Prove),
            Answer::Unknown(_) => stop(UnknownReason::Solver, sink),
            Answer::Sat(model) => match self.empty_trap(&model, |constraints| &constraints.real) {
                Some(trap) => self.add_trap(&trap, sink),
                None => Continue(Stage::Realize),
            },
        }
    }

    /// A trap that is marked at the start and empty in the solution, if there may be more constraints of traps.
    fn empty_trap(&self, model: &Model, side: fn(&Constraints) -> &Side) -> Option<Vec<PlaceId>> {
        let (net, _) = self.asked.as_ref().filter(|_| number(self.traps.len()) < TRAPS)?;
        let marking = &side(self.constraints.as_ref()?).marking;
        let value = |p: &PlaceId| model.eval(&self.terms, marking[p.index()]);
        let empty: Vec<PlaceId> =
            net.place_ids().filter(|p| matches!(value(p), Value::Num(q) if q.is_zero())).collect();
        let trap = siphons::greatest(net, Kind::Trap, &empty);
        siphons::is_marked(&trap, &net.initial()).then_some(trap)
    }

    fn add_trap<S: Sink>(&mut self, trap: &[PlaceId], sink: &mut S) -> Next<Stage> {
        let marking = self.constraints.as_ref().expect("the run has begun").real.marking.clone();
        let sum = self.terms.add(trap.iter().map(|p| marking[p.index()]));
        let one = self.terms.num(Q::ONE, Sort::Real);
        let marked = self.terms.ge(sum, one);
        self.traps.push(marked);
        let formula = self.formula(marked, sink);
        sink.event(Event::TrapAdded { formula });
        self.now().predicates += 1;
        self.begin(sink);
        Continue(Stage::Solve)
    }

    /// The next id of a formula over the tokens of places, with its text.
    fn formula<S: Sink>(&mut self, t: Term, sink: &mut S) -> FormulaId {
        let id = FormulaId(self.formulas);
        self.formulas += 1;
        let constraints = self.constraints.as_ref().expect("the run has begun");
        let t = moved(&mut self.terms, t, &constraints.integer.marking);
        let terms = &self.terms;
        sink.formula(id, || terms.infix(t).up_to(4_000));
        id
    }

    /// The constraints are contradictory: the interpolant is the invariant.
    fn prove<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        let constraints = self.constraints.clone().expect("the run has begun");
        let (a, violation) = (constraints.real.equation, constraints.real.violation);
        let b = self.terms.and(self.traps.iter().copied().chain([violation]));
        self.now().queries += 1;
        let Refutation::Proof(proof) = refute(&mut self.terms, &[a, b], self.limits) else {
            return stop(UnknownReason::Interpolation, sink);
        };
        let interpolant = interpolate::sequence(&mut self.terms, &[a, b], &proof)[1];
        let whole = self.terms.and(self.traps.iter().copied().chain([interpolant]));
        let formula = self.formula(whole, sink);
        self.now().predicates += 1;
        let terms = &self.terms;
        sink.question(|| Query {
            what: "Which invariant separates the reachable markings from the violations?".to_owned(),
            script: script(terms, &[(Some("A"), a), (Some("B"), b)], Asking::Interpolants),
        });
        sink.event(Event::InvariantFound { formula });
        match self.certificate(interpolant, &constraints) {
            Some(certificate) => Break(Box::new(done(Verdict::Holds, Some(certificate), sink))),
            None => stop(UnknownReason::TooLarge, sink),
        }
    }

    /// The interpolant over integers, with the traps, and with `p ≥ 0` for the places that matter.
    fn certificate(&mut self, interpolant: Term, constraints: &Constraints) -> Option<Certificate> {
        let marking = &constraints.integer.marking;
        let parts: Vec<Term> = std::iter::once(interpolant).chain(self.traps.clone()).collect();
        let mut parts: Vec<Term> = parts.into_iter().map(|t| moved(&mut self.terms, t, marking)).collect();
        let (net, question) = self.asked.as_ref()?;
        let mut places: HashSet<Term> = parts.iter().flat_map(|t| self.terms.vars(*t)).collect();
        match &**question {
            Question::Reach(bad) => places.extend(bad.places().iter().map(|p| marking[p.index()])),
            _ => places.extend(marking.iter().copied()),
        }
        for p in net.place_ids().map(|p| marking[p.index()]).filter(|p| places.contains(p)) {
            let zero = self.terms.int(0);
            parts.push(self.terms.ge(p, zero));
        }
        let invariant = self.terms.and(parts);
        let system = &self.system;
        let location = |at: usize, text: String| (system.locations[at].name.clone(), text);
        let mut locations = vec![location(0, system.expr_text(&system.initial_formula))];
        locations.push(location(1, self.terms.infix(invariant).to_string()));
        locations.push(location(system.error?.index(), "false".to_owned()));
        Some(Certificate::Invariant { locations })
    }

    /// An integer solution, and a sequence with its numbers of firings.
    fn realize<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        let (found, ..) = self.check(true, "Does the state equation have an integer solution?", sink);
        let Some((net, _)) = self.asked.clone() else { unreachable!("the run has begun") };
        let vector = match &found {
            Answer::Sat(model) => self.vector(model),
            _ => None,
        };
        let tried = vector.as_ref().map(|vector| sequence(&net, vector));
        let fires = matches!(tried, Some(Tried::Fires(_)));
        sink.event(Event::SolutionTried { answer: answer(&found), fires });
        match (found, vector, tried) {
            (_, _, Some(Tried::Fires(path))) => {
                let certificate = run(&self.system, &net, &path);
                Break(Box::new(done(Verdict::Violated, certificate, sink)))
            }
            (Answer::Sat(model), Some(vector), Some(Tried::Partial { left, marking })) => {
                if let Some(trap) = self.empty_trap(&model, |constraints| &constraints.integer) {
                    self.add_trap(&trap, sink)
                } else if self.firings.len() < CONSTRAINTS {
                    self.constrain(&vector, &increments(&net, &vector, &left, &marking), sink)
                } else {
                    stop(UnknownReason::Equation, sink)
                }
            }
            (Answer::Unknown(_), ..) => stop(UnknownReason::Solver, sink),
            _ => stop(UnknownReason::Equation, sink),
        }
    }

    /// How often each transition fires in a solution, unless that is too often.
    fn vector(&self, model: &Model) -> Option<Vector> {
        let firings = &self.constraints.as_ref()?.integer.firings;
        let value = |t: &Term| match model.eval(&self.terms, *t) {
            Value::Num(q) => q.to_i64().and_then(|n| u32::try_from(n).ok()),
            Value::Bool(_) => None,
        };
        let vector: Vector = firings.iter().map(value).collect::<Option<_>>()?;
        (vector.iter().map(|n| u64::from(*n)).sum::<u64>() <= FIRINGS).then_some(vector)
    }

    /// Adds the constraint that a transition fires less often than in a solution (a jump), or that an increment is
    /// true: the constraints of Wimmel and Wolf, as one disjunction.
    fn constrain<S: Sink>(&mut self, vector: &Vector, increments: &[Increment], sink: &mut S) -> Next<Stage> {
        let firings = self.constraints.as_ref().expect("the run has begun").integer.firings.clone();
        let terms = &mut self.terms;
        let mut parts = Vec::new();
        for increment in increments {
            let mut sum = Linear::constant(Q::ZERO);
            for (t, coefficient) in &increment.terms {
                let fires = terms.linear(firings[t.index()]);
                sum.add_scaled(&Q::from(*coefficient), &fires);
            }
            let (sum, least) = (terms.sum(sum, Sort::Int), terms.int(increment.least));
            parts.push(terms.ge(sum, least));
        }
        for (fires, times) in firings.iter().zip(vector).filter(|(_, times)| **times > 0) {
            let fewer = terms.int(i64::from(*times) - 1);
            parts.push(terms.le(*fires, fewer));
        }
        let constraint = terms.or(parts);
        self.firings.push(constraint);
        let formula = self.formula(constraint, sink);
        sink.event(Event::FiringsConstrained { formula });
        self.now().predicates += 1;
        self.begin(sink);
        Continue(Stage::Realize)
    }
}

/// A formula over the tokens of places of one kind of numbers, with these terms for the places.
fn moved(terms: &mut Terms, formula: Term, marking: &[Term]) -> Term {
    terms.substitute(formula, |terms, t| {
        let name = terms.name(t)?;
        let index: usize = name.rsplit_once(SEPARATOR)?.1.parse().ok()?;
        Some(terms.to_real(*marking.get(index)?))
    })
}

/// Between the name of a place and its number, in the names of real variables.
const SEPARATOR: char = '#';

impl Side {
    /// The constraints; none if a part of the condition is not linear.
    fn new(terms: &mut Terms, (system, net): (&System, &Net), bad: &Condition, sort: Sort) -> Option<Side> {
        let place = |terms: &mut Terms, p: PlaceId| {
            let name = &system.variable(VarId(p.0)).name;
            match sort {
                Sort::Int => terms.var(name, sort),
                _ => terms.var(&format!("{name}{SEPARATOR}{}", p.0), sort),
            }
        };
        let marking: Vec<Term> = net.place_ids().map(|p| place(terms, p)).collect();
        let count = |terms: &mut Terms, t: TransitionId| {
            let name = &net.transition(t).name;
            match sort {
                Sort::Int => terms.var(&format!("{SEPARATOR}({name})"), sort),
                _ => terms.var(&format!("{SEPARATOR}({name}){SEPARATOR}"), sort),
            }
        };
        let firings: Vec<Term> = net.transition_ids().map(|t| count(terms, t)).collect();
        let mut sums: Vec<Linear> =
            net.places.iter().map(|p| Linear::constant(Q::from(i64::from(p.tokens)))).collect();
        for t in net.transition_ids() {
            let fires = terms.linear(firings[t.index()]);
            for (p, change) in net.effect(t) {
                sums[p.index()].add_scaled(&Q::from(change), &fires);
            }
        }
        let mut equation = Vec::new();
        for (p, sum) in marking.iter().zip(sums) {
            let sum = terms.sum(sum, sort);
            equation.push(terms.eq(*p, sum));
        }
        let zero = terms.num(Q::ZERO, sort);
        equation.extend(firings.iter().map(|x| terms.ge(*x, zero)));
        let mut violation: Vec<Term> = marking.iter().map(|p| terms.ge(*p, zero)).collect();
        violation.push(condition(terms, bad, false, &marking, sort)?);
        let (equation, violation) = (terms.and(equation), terms.and(violation));
        Some(Side { marking, firings, equation, violation })
    }
}

/// A condition, or its negation, as a term; comparisons of integers are sharpened before they are relaxed.
fn condition(terms: &mut Terms, c: &Condition, negated: bool, marking: &[Term], sort: Sort) -> Option<Term> {
    let all = |terms: &mut Terms, parts: &[Condition]| {
        parts.iter().map(|p| condition(terms, p, negated, marking, sort)).collect::<Option<Vec<Term>>>()
    };
    Some(match c {
        Condition::Constant(b) => terms.bool(*b != negated),
        Condition::Not(inner) => condition(terms, inner, !negated, marking, sort)?,
        Condition::And(parts) | Condition::Or(parts) => {
            let parts_of = all(terms, parts)?;
            if matches!(c, Condition::And(_)) == negated { terms.or(parts_of) } else { terms.and(parts_of) }
        }
        Condition::Linear(Compared { terms: summands, op, bound }) => {
            let mut linear = Linear::constant(Q::ZERO);
            for (p, coefficient) in summands {
                let tokens = terms.linear(marking[p.index()]);
                linear.add_scaled(&Q::from(*coefficient), &tokens);
            }
            let sum = terms.sum(linear, sort);
            let mut number = |n: i64| terms.num(Q::from(n), sort);
            let (less, here, more) = (number(bound - 1), number(*bound), number(bound + 1));
            match (op, negated) {
                (Comparison::Le, false) => terms.le(sum, here),
                (Comparison::Le, true) => terms.ge(sum, more),
                (Comparison::Eq, false) => terms.eq(sum, here),
                (Comparison::Eq, true) => {
                    let (below, above) = (terms.le(sum, less), terms.ge(sum, more));
                    terms.or([below, above])
                }
            }
        }
        Condition::Other(_) => return None,
    })
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

impl Engine for Equation {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        drive(
            self,
            cx,
            |e| &mut e.stage,
            |e, stage, sink| match stage {
                Stage::Start => e.start(sink),
                Stage::Solve => e.solve(sink),
                Stage::Prove => e.prove(sink),
                Stage::Realize => e.realize(sink),
            },
        )
    }
}
