//! Validity of implications, with caches (section 8.1): the right side is a literal of the left one, a subset of the
//! left side was sufficient before, or a state that was met before, in the search or in a query, refutes the
//! implication.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use solver_lite::term::Term;
use solver_lite::{Answer, Limits, Solver};

use super::command::Model;
use crate::kit::Notes;
use crate::system::{State, System};

/// How many states are kept.
const MET: usize = 512;

/// The implications that were decided.
#[derive(Clone, Debug)]
pub(super) struct Prover {
    limits: Limits,
    /// By right side: left sides that imply it.
    implied: HashMap<Term, Vec<Vec<Term>>>,
    /// By right side: states that do not satisfy it.
    refuted: HashMap<Term, Vec<Arc<State>>>,
    /// The states of searches and of queries that were met last.
    met: VecDeque<Arc<State>>,
    /// The number of queries.
    pub(super) queries: u32,
}

impl Prover {
    pub(super) fn new(limits: Limits) -> Prover {
        Prover { limits, implied: HashMap::new(), refuted: HashMap::new(), met: VecDeque::new(), queries: 0 }
    }

    /// A state was generated.
    pub(super) fn meet(&mut self, state: &Arc<State>) {
        if self.met.len() == MET {
            self.met.pop_front();
        }
        self.met.push_back(Arc::clone(state));
    }

    /// Do these literals, in ascending order, imply the formula? What the solver cannot decide counts as not implied.
    pub(super) fn implies(
        &mut self,
        system: &System,
        model: &mut Model,
        (literals, goal): (&[Term], Term),
        sink: &mut Notes,
    ) -> bool {
        if goal == Term::TRUE || literals.binary_search(&goal).is_ok() {
            return true;
        }
        let opposite = model.terms.not(goal);
        if goal == Term::FALSE || literals.binary_search(&opposite).is_ok() {
            return false;
        }
        let literals = relevant(model, literals, goal);
        let known = |core: &Vec<Term>| core.iter().all(|t| literals.binary_search(t).is_ok());
        if self.implied.get(&goal).is_some_and(|cores| cores.iter().any(known)) {
            return true;
        }
        let satisfies = |state: &Arc<State>| literals.iter().all(|t| model.holds(*t, state));
        if self.refuted.get(&goal).is_some_and(|states| states.iter().any(satisfies)) {
            return false;
        }
        let has_inputs = model.variables(goal).len() < model.terms.vars(goal).len();
        let refutes = |state: &&Arc<State>| !has_inputs && !model.holds(goal, state) && satisfies(state);
        if let Some(state) = self.met.iter().rev().find(refutes) {
            self.refuted.entry(goal).or_default().push(Arc::clone(state));
            return false;
        }
        self.ask(system, model, (&literals, goal), sink)
    }

    fn ask(
        &mut self,
        system: &System,
        model: &mut Model,
        (literals, goal): (&[Term], Term),
        sink: &mut Notes,
    ) -> bool {
        self.queries += 1;
        let opposite = model.terms.not(goal);
        let mut fixed = vec![opposite];
        let involved: BTreeSet<Term> =
            literals.iter().chain([&goal]).flat_map(|t| model.terms.vars(*t)).collect();
        for x in involved {
            // Inputs are in their ranges by the guard.
            if let Some(v) = model.variable(x) {
                fixed.push(system.domain(v, x, &mut model.terms));
            }
        }
        let all: Vec<Term> = fixed.iter().chain(literals).copied().collect();
        model.report("Is there a state of the abstract state that does not satisfy the formula?", &all, sink);
        let mut solver = Solver::new(self.limits);
        for t in fixed {
            solver.assert(&mut model.terms, t);
        }
        match solver.check(&mut model.terms, literals) {
            Answer::Unsat => {
                let mut core = solver.failed_assumptions(&mut model.terms);
                core.sort_unstable();
                self.implied.entry(goal).or_default().push(core);
                true
            }
            Answer::Sat(found) => {
                let state: State = model.current.iter().map(|x| found.eval(&model.terms, *x)).collect();
                let state = Arc::new(state);
                self.meet(&state);
                self.refuted.entry(goal).or_default().push(state);
                false
            }
            Answer::Unknown(_) => false,
        }
    }
}

/// The literals that are connected with a formula by common variables, ascending.
fn relevant(model: &Model, literals: &[Term], goal: Term) -> Vec<Term> {
    let mut vars: BTreeSet<Term> = model.terms.vars(goal).into_iter().collect();
    let mut rest: Vec<(Term, Vec<Term>)> = literals.iter().map(|t| (*t, model.terms.vars(*t))).collect();
    let mut found = Vec::new();
    loop {
        let (near, far): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|(_, all)| all.iter().any(|x| vars.contains(x)));
        if near.is_empty() {
            found.sort_unstable();
            return found;
        }
        for (t, all) in near {
            found.push(t);
            vars.extend(all);
        }
        rest = far;
    }
}
