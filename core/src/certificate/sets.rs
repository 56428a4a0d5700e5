//! Second check of sets with ranks, by the model's own statements. Positions of words, their letters, deadlocks and
//! whole steps are implemented here without the locations and edges of the engines.
//!
//! A step through statements is a path from a set at a place to one at the next place. On it the automaton may read
//! several letters, one at each position. As the comparison of ranks is transitive, only the ends are compared, and
//! sets between places are not used.

use solver_lite::term::Term;

use super::ProgressNode;
use super::check::Rejection;
use super::progress::{Node, grouped, progress};
use super::questions::Questions;
use crate::buchi::{Automaton, Guard, Marks, StateId, Transition, hoa};
use crate::expr::Expr;
use crate::ltl::{AtomMeaning, BETWEEN};
use crate::statements::ways::Way;
use crate::statements::{Statement, Statements};
use crate::system::{Role, System};
use crate::temporal::{Requirement, Step, Termination};

/// The limit on statements of an edge, each of which ends at a position.
const STATEMENTS: usize = 100;

/// Checks the sets of a certificate; `false` if a second check is not possible.
///
/// # Errors
/// A step that leads out of the sets, or does not keep the rank.
pub(super) fn check(
    system: &System,
    statements: &Statements,
    requirement: &Requirement,
    (automaton, nodes): (&str, &[ProgressNode]),
) -> Result<bool, Rejection> {
    let Ok(automaton) = hoa::parse(automaton) else { return Ok(false) };
    let mut by_location = grouped(system, &automaton, nodes)?;
    let at = |name: &str| system.find_location(name).map(|l| std::mem::take(&mut by_location[l.index()]));
    let nodes: Option<Vec<Vec<Vec<Node>>>> =
        statements.places.iter().map(|p| p.name.as_str()).map(at).collect();
    // Variables of blocks are not visible outside of them.
    let own = |e: &Expr| e.variables().iter().all(|v| statements.own.contains(v));
    let in_node = |n: &Node| own(&n.formula) && n.rank.iter().all(own);
    let in_atom = |a: &AtomMeaning| !matches!(a, AtomMeaning::Condition(e) if !own(e));
    let nodes =
        nodes.filter(|n| n.iter().flatten().flatten().all(in_node) && requirement.atoms.iter().all(in_atom));
    let Some(nodes) = nodes else { return Ok(false) };
    let Some((q, begin)) = Questions::new(system, statements) else { return Ok(false) };
    let mut sets = Sets { q, system, requirement, automaton, nodes, before: begin.values.clone() };
    if sets.ask(&begin).is_none() { Ok(false) } else { sets.q.judge() }
}

/// The point that a run has reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Place(usize),
    /// Between the statements of an edge.
    Between,
}

/// A partial step of the product: its source set, the current state of the automaton, and whether an accepting
/// transition has been taken.
#[derive(Clone, Copy)]
struct Since {
    /// Place, state of the automaton and index of the set; none for initial states, whose rank is not compared.
    set: Option<(usize, usize, usize)>,
    state: StateId,
    accepting: bool,
}

/// Sets by places. Functions return `None` if a limit is exceeded, or a term is not linear.
struct Sets<'a> {
    q: Questions<'a>,
    system: &'a System,
    requirement: &'a Requirement,
    automaton: Automaton,
    /// By place and state of the automaton.
    nodes: Vec<Vec<Vec<Node>>>,
    /// The formula of a set.
    before: Vec<Term>,
}

impl Sets<'_> {
    fn ask(&mut self, begin: &Way) -> Option<()> {
        let statements = self.q.statements;
        let first = self.q.first(begin)?;
        let since = Since { set: None, state: self.automaton.initial, accepting: false };
        if statements.reads_at_start(self.requirement.semantics.start) {
            self.reads(&first, since, (At::Place(statements.start), None), &mut |sets, way, since| {
                sets.lands(way, since, statements.start)
            })?;
        } else {
            self.lands(first, since, statements.start)?;
        }
        for place in 0..statements.places.len() {
            for state in 0..self.automaton.states.len() {
                for node in 0..self.nodes[place][state].len() {
                    let formula = self.nodes[place][state][node].formula.clone();
                    let mut way = begin.clone();
                    way.conditions.push(self.q.term(&formula, &begin.values)?);
                    let set = Some((place, state, node));
                    self.steps(&way, Since { set, state: StateId::new(state), accepting: false }, place)?;
                }
            }
        }
        Some(())
    }

    /// All steps from a set at a place.
    fn steps(&mut self, way: &Way, since: Since, place: usize) -> Option<()> {
        let statements = self.q.statements;
        for a in statements.actions_from(place) {
            let body = &statements.actions[a].body;
            if statements.is_automaton() && self.requirement.semantics.step == Step::Fine {
                if body.len() > STATEMENTS {
                    return None;
                }
                self.statement(way.clone(), since, a, 0)?;
            } else {
                for way in self.q.through(body, way)? {
                    self.arrives(&way, since, a)?;
                }
            }
        }
        if let Some(stays) = self.stays(way, place)? {
            let mut way = way.clone();
            way.conditions.push(stays);
            self.reads(&way, since, (At::Place(place), None), &mut |sets, way, since| {
                sets.lands(way, since, place)
            })?;
        }
        Some(())
    }

    /// An edge of an automaton from one of its statements on, each of which ends at a position.
    fn statement(&mut self, way: Way, since: Since, action: usize, i: usize) -> Option<()> {
        let body = &self.q.statements.actions[action].body;
        // If a run may stay between statements, the sets there would be needed.
        let blocks = matches!(body.get(i), Some(Statement::Assume(_)));
        if i > 0 && blocks && self.requirement.semantics.termination == Termination::Deadlock {
            return None;
        }
        for way in self.q.through(body.get(i..=i).unwrap_or_default(), &way)? {
            if i + 1 >= body.len() {
                self.arrives(&way, since, action)?;
            } else {
                self.reads(&way, since, (At::Between, None), &mut |sets, way, since| {
                    sets.statement(way, since, action, i + 1)
                })?;
            }
        }
        Some(())
    }

    /// A run reaches the end of an action.
    fn arrives(&mut self, way: &Way, since: Since, action: usize) -> Option<()> {
        let statements = self.q.statements;
        let to = statements.actions[action].to;
        if statements.passes(to, self.requirement.semantics.step) {
            return self.lands(way.clone(), since, to);
        }
        self.reads(way, since, (At::Place(to), Some(action)), &mut |sets, way, since| {
            sets.lands(way, since, to)
        })
    }

    /// The automaton reads a letter, by every transition.
    fn reads(
        &mut self,
        way: &Way,
        since: Since,
        (at, over): (At, Option<usize>),
        then: &mut dyn FnMut(&mut Self, Way, Since) -> Option<()>,
    ) -> Option<()> {
        for Transition { guard, marks, target } in self.automaton.out(since.state).to_vec() {
            let mut way = way.clone();
            self.q.spend()?;
            let letter = self.letter(guard, (at, over), &way.values)?;
            if letter == Term::FALSE {
                continue;
            }
            way.conditions.push(letter);
            let accepting = since.accepting || marks == Marks::all(self.automaton.marks);
            then(self, way, Since { state: target, accepting, ..since })?;
        }
        Some(())
    }

    /// A path ends in a set at a place, with the required rank.
    fn lands(&mut self, way: Way, since: Since, place: usize) -> Option<()> {
        let mut inside = Vec::new();
        for to in 0..self.nodes[place][since.state.index()].len() {
            let node = &self.nodes[place][since.state.index()][to];
            let progress = since.set.map_or(Term::TRUE, |(place, state, from)| {
                let ranks = (&self.nodes[place][state][from].rank[..], &node.rank[..]);
                let values = (&self.before[..], &way.values[..]);
                progress(&mut self.q.terms, ranks, values, since.accepting)
            });
            // Most sets have ranks that are too great.
            if progress != Term::FALSE {
                let set = self.q.term(&node.formula, &way.values)?;
                inside.push(self.q.terms.and([set, progress]));
            }
        }
        let inside = self.q.terms.or(inside);
        let outside = self.q.terms.not(inside);
        let from = since
            .set
            .map_or("an initial state".to_owned(), |(p, ..)| format!("a step from {}", self.q.name(p)));
        let why = format!("{from} to {} leaves the sets, or does not keep the rank", self.q.name(place));
        self.q.unsatisfiable(way, outside, why)
    }

    /// The condition under which a run stays at a place for ever, if there is one.
    fn stays(&mut self, way: &Way, place: usize) -> Option<Option<Term>> {
        let statements = self.q.statements;
        let semantics = self.requirement.semantics;
        let ends = statements.actions_from(place).next().is_none();
        let role = statements.places[place].role;
        Some(match semantics.termination {
            _ if statements.precedes_runs(place) => None,
            Termination::Final if role != Role::Final => None,
            Termination::Final | Termination::DeadEnd if ends => Some(Term::TRUE),
            Termination::Final | Termination::Deadlock if !statements.passes(place, semantics.step) => {
                Some(self.q.blocked(way, &statements.steps_from(place, semantics.step)?)?)
            }
            _ => None,
        })
    }

    /// The letter of a state satisfies a guard of the automaton.
    fn letter(&mut self, guard: Guard, (at, over): (At, Option<usize>), values: &[Term]) -> Option<Term> {
        let mut products = Vec::new();
        for cube in self.automaton.guards.implicants(guard) {
            let mut literals = Vec::new();
            for (v, positive) in cube {
                let value = self.atom(v as usize, (at, over), values)?;
                literals.push(if positive { value } else { self.q.terms.not(value) });
            }
            products.push(self.q.terms.and(literals));
        }
        Some(self.q.terms.or(products))
    }

    fn atom(&mut self, atom: usize, (at, over): (At, Option<usize>), values: &[Term]) -> Option<Term> {
        let statements = self.q.statements;
        let holds = match &self.requirement.atoms[atom] {
            AtomMeaning::Condition(e) => return self.q.term(e, values),
            AtomMeaning::At(l) => at == At::Place(statements.place(&self.system.location(*l).name)?),
            AtomMeaning::Over(_, name) if name == BETWEEN => at == At::Between,
            AtomMeaning::Over(_, name) => {
                let named = statements.named(name)?;
                over.is_some_and(|a| named.contains(&a))
            }
        };
        Some(if holds { Term::TRUE } else { Term::FALSE })
    }
}
