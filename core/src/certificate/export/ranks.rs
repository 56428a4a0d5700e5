//! The obligations of sets with ranks: every initial state is in a set, and every step from a set leads into a set
//! whose rank is not greater, and is smaller if an accepting state of the automaton is left. One script for each set.
//!
//! Whether the automaton accepts every word that violates the formula is not an arithmetic obligation; it is decided by
//! a tableau.

use std::fmt::Write as _;

use super::Script;
use super::writer::{Writer, expr};
use crate::buchi::{Automaton, Guard, Marks, StateId, Transition, hoa};
use crate::certificate::ProgressNode;
use crate::certificate::check::{Rejection, reject};
use crate::certificate::progress::{Node, grouped};
use crate::expr::Expr;
use crate::ltl::AtomMeaning;
use crate::system::{EdgeId, LocationId, System};
use crate::temporal::Requirement;

struct Ranks<'a> {
    system: &'a System,
    requirement: &'a Requirement,
    automaton: Automaton,
    nodes: Vec<Vec<Vec<Node>>>,
}

/// The scripts of a certificate.
pub(super) fn scripts(
    system: &System,
    requirement: &Requirement,
    automaton: &str,
    nodes: &[ProgressNode],
) -> Result<Vec<Script>, Rejection> {
    let automaton = hoa::parse(automaton)
        .map_err(|d| Rejection(format!("the automaton cannot be read: {}", d[0].message)))?;
    if automaton.marks > 1 || automaton.atoms.len() != requirement.atoms.len() {
        return reject(
            "the atoms of the automaton are not those of the formula, or it has several acceptance sets",
        );
    }
    let nodes = grouped(system, &automaton, nodes)?;
    let mut ranks = Ranks { system, requirement, automaton, nodes };
    let mut scripts = vec![ranks.initial()?];
    for at in system.location_ids() {
        for state in 0..ranks.nodes[at.index()].len() {
            for node in 0..ranks.nodes[at.index()][state].len() {
                scripts.push(ranks.set(at, state, node, scripts.len())?);
            }
        }
    }
    Ok(scripts)
}

impl Ranks<'_> {
    fn before_start(&self) -> usize {
        self.automaton.states.len()
    }

    fn initial(&self) -> Result<Script, Rejection> {
        let mut w = Writer::new(self.system, "Every initial state is in one of the sets.");
        let state = w.state()?;
        w.assert_all(&[&self.system.initial_formula, &self.system.invariant], &state)?;
        let at_once = self.requirement.starts_at_once(self.system);
        let q = if at_once { self.before_start() } else { self.automaton.initial.index() };
        for node in &self.nodes[self.system.initial.index()][q] {
            let formula = expr(&node.formula, &state)?;
            let _ = writeln!(w.out, "(assert (not {formula}))");
        }
        Ok(w.done("initial".to_owned()))
    }

    /// The steps of the product from a state of the automaton at a location: an edge or none, the target location, a
    /// transition, and the condition under which a run repeats its state.
    fn steps(
        &self,
        at: LocationId,
        state: usize,
    ) -> Vec<(Option<EdgeId>, LocationId, Transition, Option<Expr>)> {
        if state == self.before_start() {
            let initial = self.automaton.out(self.automaton.initial);
            return initial.iter().map(|t| (None, at, *t, None)).collect();
        }
        let q = StateId::new(state);
        let mut all = Vec::new();
        for edge in self.system.out_edges(at) {
            let target = self.system.edge(*edge).target;
            if self.requirement.is_position(self.system, target) {
                all.extend(self.automaton.out(q).iter().map(|t| (Some(*edge), target, *t, None)));
            } else {
                let waits = Transition { guard: Guard::TRUE, marks: Marks::default(), target: q };
                all.push((Some(*edge), target, waits, None));
            }
        }
        if let Some(stays) = self.requirement.stays(self.system, at, &self.automaton, q) {
            all.extend(self.automaton.out(q).iter().map(|t| (None, at, *t, Some(stays.clone()))));
        }
        all
    }

    fn set(&mut self, at: LocationId, state: usize, node: usize, number: usize) -> Result<Script, Rejection> {
        let name = &self.system.location(at).name;
        let what = format!("All steps from a set at {name} lead into sets and respect the ranks.");
        let mut w = Writer::new(self.system, &what);
        let before = w.state()?;
        let formula = &self.nodes[at.index()][state][node].formula;
        w.assert_all(&[formula, &self.system.invariant], &before)?;
        let mut wrong = Vec::new();
        for (edge, reached, t, stays) in self.steps(at, state) {
            let taken = w.fresh("t", "Bool");
            let mut after = before.clone();
            if let Some(edge) = edge {
                w.op(&self.system.edge(edge).op, &taken, &mut after)?;
            }
            for condition in stays.iter().chain([&self.system.invariant]) {
                let condition = expr(condition, &after)?;
                let _ = writeln!(w.out, "(assert (=> {taken} {condition}))");
            }
            let letter = self.letter(t.guard, (edge, reached), &after)?;
            let _ = writeln!(w.out, "(assert (=> {taken} {letter}))");
            // While the automaton waits, the step is not accepting.
            let waits = edge.is_some() && !self.requirement.is_position(self.system, reached);
            let accepting = t.marks == Marks::all(self.automaton.marks) && state != self.before_start();
            let mut inside = "false".to_owned();
            for to in &self.nodes[reached.index()][t.target.index()] {
                let set = expr(&to.formula, &after)?;
                let from = &self.nodes[at.index()][state][node].rank;
                let progress = progress((from, &before), (&to.rank, &after), accepting && !waits)?;
                let _ = write!(inside, " (and {set} {progress})");
            }
            wrong.push(format!("(and {taken} (not (or false {inside})))"));
        }
        let _ = writeln!(w.out, "(assert (or false false {}))", wrong.join(" "));
        Ok(w.done(format!("set-{number}")))
    }

    /// A state satisfies a guard of the automaton.
    fn letter(
        &mut self,
        guard: Guard,
        (edge, location): (Option<EdgeId>, LocationId),
        state: &[String],
    ) -> Result<String, Rejection> {
        let mut products = String::new();
        for cube in self.automaton.guards.implicants(guard) {
            let mut literals = String::new();
            for (v, positive) in cube {
                let atom = &self.requirement.atoms[v as usize];
                let value = match atom {
                    AtomMeaning::Condition(e) => expr(e, state)?,
                    _ => (atom.known(edge, location) == Some(true)).to_string(),
                };
                let _ =
                    if positive { write!(literals, " {value}") } else { write!(literals, " (not {value})") };
            }
            let _ = write!(products, " (and true true{literals})");
        }
        Ok(format!("(or false false{products})"))
    }
}

/// No part of a rank increases before one that decreases, which decreases by at least 1 and is not negative before.
fn progress(
    (from, before): (&[Expr], &[String]),
    (to, after): (&[Expr], &[String]),
    decreases: bool,
) -> Result<String, Rejection> {
    let part = |rank: &[Expr], i: usize, state: &[String]| {
        rank.get(i).map_or(Ok("0.0".to_owned()), |e| expr(e, state))
    };
    let (mut ways, mut kept) = (String::new(), String::new());
    for i in 0..from.len().max(to.len()) {
        let (old, new) = (part(from, i, before)?, part(to, i, after)?);
        let _ = write!(ways, " (and true{kept} (>= {old} 0.0) (>= {old} (+ {new} 1.0)))");
        let _ = write!(kept, " (<= {new} {old})");
    }
    let all = if decreases { "false".to_owned() } else { format!("(and true true{kept})") };
    Ok(format!("(or false {all}{ways})"))
}
