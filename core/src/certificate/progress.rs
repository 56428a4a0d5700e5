//! Proof that no run is accepted by the Büchi automaton of the negated formula: sets of states of the product that are
//! closed under steps, and ranks that no step increases and that accepting transitions decrease.
//!
//! A rank is a list of numbers and sums of variables. A step *decreases* it if the first part that changes decreases by
//! at least 1 and was not negative, and *keeps* it if no part increases. Suppose accepting transitions decrease it
//! infinitely often. Consider the first part that is decreased infinitely often: from some step on it never increases,
//! is at least 0 whenever it decreases, and decreases by at least 1 each time, which is impossible.

use std::collections::HashMap;

use solver_lite::term::{Sort, Term, Terms};

use super::check::{Obligations, Rejection, Report, reject};
use super::{parse, tableau};
use crate::buchi::{Automaton, Guard, Marks, StateId, Transition, hoa};
use crate::certificate::ProgressNode;
use crate::expr::{Expr, Kind, Type, Unary, to_term};
use crate::ltl::AtomMeaning;
use crate::system::{EdgeId, LocationId, System};
use crate::temporal::{Demand, Requirement};

/// A set of states and its rank.
pub(super) struct Node {
    pub(super) formula: Expr,
    pub(super) rank: Vec<Expr>,
}

struct Progress<'a> {
    system: &'a System,
    requirement: &'a Requirement,
    automaton: Automaton,
    /// By location and state; the last state is the one before the first letter.
    nodes: Vec<Vec<Vec<Node>>>,
    obligations: Obligations<'a>,
    /// After an edge, or none, to a location, and in a state of the automaton: the sets as terms.
    sets: HashMap<(Option<EdgeId>, LocationId, StateId), Vec<Term>>,
}

/// Does the certificate prove that the formula holds?
pub(super) fn check(
    system: &System,
    requirement: &Requirement,
    automaton: &str,
    nodes: &[ProgressNode],
) -> Result<Report, Rejection> {
    let automaton = hoa::parse(automaton)
        .map_err(|d| Rejection(format!("the automaton cannot be read: {}", d[0].message)))?;
    if automaton.marks > 1 {
        return reject("the automaton has more than one acceptance set");
    }
    if automaton.atoms.len() != requirement.atoms.len() {
        return reject("the atoms of the automaton are not those of the formula");
    }
    let covered = covered(system, requirement, &automaton)?;
    let mut progress = Progress {
        system,
        requirement,
        nodes: grouped(system, &automaton, nodes)?,
        automaton,
        obligations: Obligations::over(system),
        sets: HashMap::new(),
    };
    progress.initial()?;
    progress.steps()?;
    let mut report = progress.obligations.report;
    let covered = match covered {
        Covered::Shown(sentence) => sentence,
        Covered::Trusted(sentence) => {
            report.trusted.push(sentence.clone());
            sentence
        }
    };
    report.sentences = vec![
        "Every initial state is in one of the sets, and every step leads from one to another.".to_owned(),
        "No step increases the rank, and each accepting transition decreases it: so no run has infinitely many.".to_owned(),
        covered,
        format!("{} obligations, {} proof steps checked.", report.obligations, report.proof_steps),
    ];
    Ok(report)
}

/// The sets by location and state; the last state is the one before the first letter.
pub(super) fn grouped(
    system: &System,
    automaton: &Automaton,
    nodes: &[ProgressNode],
) -> Result<Vec<Vec<Vec<Node>>>, Rejection> {
    let before = automaton.states.len();
    let mut grouped: Vec<Vec<Vec<Node>>> =
        system.locations.iter().map(|_| (0..=before).map(|_| Vec::new()).collect()).collect();
    for node in nodes {
        let Some(location) = system.find_location(&node.location) else {
            return reject(format!("there is no location '{}'", node.location));
        };
        let state = node.state.map_or(before, |q| q as usize);
        if node.state.is_some() && state >= before {
            return reject(format!("the automaton has no state {state}"));
        }
        let formula = parse::formula(&node.formula, system)
            .map_err(|why| Rejection(format!("the formula of {} cannot be read: {why}", node.location)))?;
        let rank =
            node.rank.iter().map(|text| rank(text, system)).collect::<Result<Vec<Expr>, Rejection>>()?;
        grouped[location.index()][state].push(Node { formula, rank });
    }
    Ok(grouped)
}

/// A part of a rank, as a rational.
fn rank(text: &str, system: &System) -> Result<Expr, Rejection> {
    let wrong = |why: String| Rejection(format!("the rank '{text}' cannot be read: {why}"));
    let bounded = parse::formula(&format!("({text}) >= 0"), system).map_err(wrong)?;
    let Kind::Binary(crate::expr::Binary::Ge, ab) = bounded.kind else {
        return Err(wrong("it is not a number".to_owned()));
    };
    let part = ab[0].clone();
    Ok(match part.ty {
        Type::Rat => part,
        _ => Expr { span: part.span, kind: Kind::Unary(Unary::ToRat, part.into()), ty: Type::Rat },
    })
}

/// Why the automaton accepts all violating words, as a sentence.
enum Covered {
    Shown(String),
    /// The automaton does not accept all of them.
    Trusted(String),
}

/// Does the automaton accept all violating words? Decided by a tableau. Where that is too large, the automaton has to
/// be the result of the translation, which then is trusted.
fn covered(system: &System, requirement: &Requirement, automaton: &Automaton) -> Result<Covered, Rejection> {
    let (covered, what) = match &requirement.demand {
        Demand::Satisfy(_) => {
            let formula = requirement.formula().expect("a formula is demanded");
            (tableau::covers(automaton, &formula), "violates the formula")
        }
        Demand::Never(never) => {
            let unfair = requirement.assumed.clone().negated();
            (tableau::covers_both(automaton, never, &unfair), "is accepted by the automaton of the property")
        }
    };
    match covered {
        Some(true) => Ok(Covered::Shown(format!(
            "The automaton accepts every word that {what}: the product of the tableau and the automaton's complement is empty."
        ))),
        Some(false) => reject(format!("the automaton does not accept every word that {what}")),
        None if requirement.forbidden(system).is_ok_and(|own| own == *automaton) => Ok(Covered::Trusted(
            "The translation of the formula to the automaton was not checked: the tableau is too large."
                .to_owned(),
        )),
        None => reject(
            "the automaton is not the translation of the formula, and too large to be compared with it",
        ),
    }
}

impl Progress<'_> {
    fn before_start(&self) -> usize {
        self.automaton.states.len()
    }

    /// Every initial state is in a set of the initial location.
    fn initial(&mut self) -> Result<(), Rejection> {
        let at_once = self.requirement.starts_at_once(self.system);
        let state = if at_once { self.before_start() } else { self.automaton.initial.index() };
        let current = self.obligations.current.clone();
        let initial = self.system.initial_term(&mut self.obligations.terms, &mut |v| current[v.index()]);
        let nodes = &self.nodes[self.system.initial.index()][state];
        let inside: Vec<Term> = nodes
            .iter()
            .map(|n| to_term(&n.formula, &mut self.obligations.terms, &mut |v| current[v.index()]))
            .collect();
        let inside = self.obligations.terms.or(inside);
        let outside = self.obligations.terms.not(inside);
        self.obligations.refute(&[initial, outside], "an initial state is in none of the sets")
    }

    /// Every step from a set leads into sets with the required ranks.
    fn steps(&mut self) -> Result<(), Rejection> {
        let always = self.obligations.always();
        for location in self.system.location_ids() {
            for state in 0..=self.before_start() {
                for node in 0..self.nodes[location.index()][state].len() {
                    self.steps_from(location, state, node, always)?;
                }
            }
        }
        Ok(())
    }

    fn steps_from(
        &mut self,
        at: LocationId,
        state: usize,
        node: usize,
        always: Term,
    ) -> Result<(), Rejection> {
        if state == self.before_start() {
            let initial = self.automaton.initial;
            return self.reads((at, state, node), None, at, initial, always);
        }
        let q = StateId::new(state);
        for edge in self.system.out_edges(at).to_vec() {
            let target = self.system.edge(edge).target;
            if self.requirement.is_position(self.system, target) {
                self.reads((at, state, node), Some(edge), target, q, always)?;
            } else {
                let stays = Transition { guard: Guard::TRUE, marks: Marks::default(), target: q };
                self.step((at, state, node), Some(edge), target, stays, always)?;
            }
        }
        if let Some(stays) = self.requirement.stays(self.system, at, &self.automaton, q) {
            let (current, terms) = (self.obligations.current.clone(), &mut self.obligations.terms);
            let stays = to_term(&stays, terms, &mut |v| current[v.index()]);
            let always = terms.and([always, stays]);
            self.reads((at, state, node), None, at, q, always)?;
        }
        Ok(())
    }

    fn reads(
        &mut self,
        from: (LocationId, usize, usize),
        edge: Option<EdgeId>,
        reached: LocationId,
        q: StateId,
        always: Term,
    ) -> Result<(), Rejection> {
        for t in self.automaton.out(q).to_vec() {
            self.step(from, edge, reached, t, always)?;
        }
        Ok(())
    }

    /// One edge, or none, and one transition of the automaton.
    fn step(
        &mut self,
        (at, state, node): (LocationId, usize, usize),
        edge: Option<EdgeId>,
        reached: LocationId,
        t: Transition,
        always: Term,
    ) -> Result<(), Rejection> {
        let (system, o) = (self.system, &mut self.obligations);
        let (current, next) = (o.current.clone(), o.next.clone());
        let (mut after, mut relation) = (current.clone(), Term::TRUE);
        if let Some(edge) = edge {
            let r =
                system.relation(&system.edge(edge).op, &mut o.terms, &mut |v| current[v.index()], &mut |v| {
                    next[v.index()]
                });
            relation = r.formula;
            r.written.iter().for_each(|v| after[v.index()] = next[v.index()]);
        }
        let invariant = to_term(&system.invariant, &mut o.terms, &mut |v| after[v.index()]);
        let letter =
            letter(&mut self.automaton, self.requirement, t.guard, (edge, reached), &after, &mut o.terms);
        let from = &self.nodes[at.index()][state][node];
        let before = to_term(&from.formula, &mut o.terms, &mut |v| current[v.index()]);
        let decreases = t.marks == Marks::all(self.automaton.marks) && state != self.automaton.states.len();
        let stays =
            t.guard == Guard::TRUE && edge.is_some() && !self.requirement.is_position(system, reached);
        let nodes = &self.nodes[reached.index()][t.target.index()];
        let sets = self.sets.entry((edge, reached, t.target)).or_insert_with(|| {
            let set = |to: &Node| to_term(&to.formula, &mut o.terms, &mut |v| after[v.index()]);
            nodes.iter().map(set).collect()
        });
        let mut inside = Vec::new();
        for (to, set) in nodes.iter().zip(&*sets) {
            let ranks = (&from.rank[..], &to.rank[..]);
            let progress = progress(&mut o.terms, ranks, (&current, &after), decreases && !stays);
            inside.push(o.terms.and([*set, progress]));
        }
        let inside = o.terms.or(inside);
        let outside = o.terms.not(inside);
        let name = |l: LocationId| &system.location(l).name;
        let why = format!(
            "a step from {} (state {state} of the automaton) to {} (state {}) leaves the sets, or does not keep the rank",
            name(at),
            name(reached),
            t.target.0
        );
        o.refute(&[always, before, relation, invariant, letter, outside], &why)
    }
}

/// The letter of a state reached at a location over an edge satisfies a guard.
fn letter(
    automaton: &mut Automaton,
    requirement: &Requirement,
    guard: Guard,
    (edge, location): (Option<EdgeId>, LocationId),
    values: &[Term],
    terms: &mut Terms,
) -> Term {
    let mut products = Vec::new();
    for cube in automaton.guards.implicants(guard) {
        let mut literals = Vec::new();
        for (v, positive) in cube {
            let atom = &requirement.atoms[v as usize];
            let holds = match (atom, atom.known(edge, location)) {
                (AtomMeaning::Condition(e), _) => to_term(e, terms, &mut |v| values[v.index()]),
                (_, Some(true)) => Term::TRUE,
                _ => Term::FALSE,
            };
            literals.push(if positive { holds } else { terms.not(holds) });
        }
        products.push(terms.and(literals));
    }
    terms.or(products)
}

/// The rank is kept, or decreased.
pub(super) fn progress(
    terms: &mut Terms,
    (from, to): (&[Expr], &[Expr]),
    (before, after): (&[Term], &[Term]),
    decreases: bool,
) -> Term {
    let zero = terms.num(solver_lite::number::Q::ZERO, Sort::Real);
    let one = terms.num(solver_lite::number::Q::ONE, Sort::Real);
    let (mut ways, mut kept) = (Vec::new(), Vec::new());
    for i in 0..from.len().max(to.len()) {
        let old = from.get(i).map_or(zero, |e| to_term(e, terms, &mut |v| before[v.index()]));
        let new = to.get(i).map_or(zero, |e| to_term(e, terms, &mut |v| after[v.index()]));
        let least = terms.add([new, one]);
        let (bounded, less) = (terms.ge(old, zero), terms.ge(old, least));
        ways.push(terms.and([&kept[..], &[bounded, less]].concat()));
        kept.push(terms.le(new, old));
    }
    if !decreases {
        ways.push(terms.and(kept));
    }
    terms.or(ways)
}
