//! The transfer function of the predicate domains (Hajdu and Micskei 2020, section 2.2.1): the strongest conjunction
//! (Cartesian) or Boolean combination of tracked predicates that is entailed after an edge.
//!
//! A Boolean combination is the Cartesian conjunction and, over the undetermined predicates, all combinations that are
//! possible, enumerated by models of a query that excludes those found before.

use solver_lite::term::Term;
use solver_lite::{Answer as Checked, Model, Solver};

use crate::encoding::equal;
use crate::kit::{Answer, NodeId, PredicateId, Sink, Truth};
use crate::methods::cegar::explicit::Values;
use crate::methods::cegar::state::{AbstractState, Cube, merge};
use crate::methods::cegar::strategy::Domain;
use crate::methods::cegar::{Cegar, Event};
use crate::methods::shared::answer;
use crate::system::EdgeId;

/// The limit of the enumeration of combinations: beyond it the label is the Cartesian conjunction.
const MOST_CUBES: usize = 256;

/// The truth of one predicate after an edge, and the number of queries.
struct Entailment {
    predicate: PredicateId,
    truth: Truth,
    asked: u8,
}

impl Cegar {
    /// Adds the successors of a node by an edge, with these values; `possible` if the edge is known to be enabled.
    pub(super) fn add_successors<S: Sink>(
        &mut self,
        (node, edge): (NodeId, EdgeId),
        values: Values,
        possible: bool,
        sink: &mut S,
    ) {
        let location = self.system.edge(edge).target;
        let mut state = AbstractState { values, ..AbstractState::top(location) };
        let mut cubes = Vec::new();
        if self.strategy.domain.has_predicates() {
            let mut transfer = Transfer::new(self, node, edge, &state);
            let feasible = if possible { None } else { transfer.feasible(self, sink) };
            if let Some(answer) = feasible {
                sink.event(Event::EdgeChecked { node, edge, answer });
            }
            if feasible == Some(Answer::Unsat) {
                return;
            }
            let open;
            (state.literals, open) = transfer.cartesian(self, location, sink);
            // One undetermined predicate gives two states, but no formula.
            let least = match self.strategy.domain {
                Domain::PredBool => 2,
                Domain::PredSplit => 1,
                Domain::PredCart | Domain::Expl | Domain::Combined => usize::MAX,
            };
            if open.len() >= least {
                cubes = transfer.cubes(self, &open, sink);
            }
        }
        if self.strategy.domain == Domain::PredSplit && !cubes.is_empty() {
            for cube in cubes {
                let mut literals = state.literals.clone();
                literals.extend(cube);
                literals.sort_unstable();
                self.add_node(AbstractState { literals, ..state.clone() }, Some((node, edge)), sink);
            }
        } else {
            self.add_node(AbstractState { either: cubes, ..state }, Some((node, edge)), sink);
        }
    }
}

/// The queries about one node and one edge share a solver with the assertion `s ∧ op`.
struct Transfer {
    solver: Solver,
    /// The assertions.
    parts: [(&'static str, Term); 4],
    node: NodeId,
    edge: EdgeId,
    /// May the edge be impossible? Otherwise `s ∧ op` is `s` plus definitions, hence satisfiable like `s`.
    assumes: bool,
    models: Vec<Model>,
}

impl Transfer {
    fn new(cegar: &mut Cegar, node: NodeId, edge: EdgeId, after: &AbstractState) -> Transfer {
        let mut solver = Solver::new(cegar.limits);
        let state = cegar.arg.node(node).state.clone();
        let s = cegar.encoding.meaning(&state);
        let mut known = Vec::new();
        for (v, value) in &after.values {
            let next = cegar.encoding.next_value(*v, edge);
            known.push(equal(&mut cegar.encoding.terms, next, value));
        }
        let known = cegar.encoding.terms.and(known);
        let op = &cegar.encoding.edges[edge.index()];
        let (formula, assumes) = (op.formula, op.assumes);
        let parts =
            [("state", s), ("invariant", cegar.encoding.always), ("edge", formula), ("values", known)];
        for (_, part) in parts {
            solver.assert(&mut cegar.encoding.terms, part);
        }
        let assumes = assumes || known != Term::TRUE;
        Transfer { solver, parts, node, edge, assumes, models: Vec::new() }
    }

    fn ask<S: Sink>(
        &mut self,
        cegar: &mut Cegar,
        assumption: Option<Term>,
        what: &str,
        sink: &mut S,
    ) -> Answer {
        let assumed = assumption.map(|t| ("wanted", t));
        cegar.report_question(sink, what, self.parts.into_iter().chain(assumed));
        cegar.now().queries += 1;
        let checked = self.solver.check(&mut cegar.encoding.terms, assumption.as_slice());
        let answer = answer(&checked);
        if let Checked::Sat(model) = checked {
            self.models.push(model);
        }
        answer
    }

    /// Can the edge be taken? No query (`None`) if the operation only writes.
    fn feasible<S: Sink>(&mut self, cegar: &mut Cegar, sink: &mut S) -> Option<Answer> {
        self.assumes
            .then(|| self.ask(cegar, None, "Can the edge be taken from some state of the node?", sink))
    }

    /// The literals that are entailed, and the undetermined predicates.
    fn cartesian<S: Sink>(
        &mut self,
        cegar: &mut Cegar,
        target: crate::system::LocationId,
        sink: &mut S,
    ) -> (Cube, Vec<PredicateId>) {
        let (mut literals, mut open) = (Vec::new(), Vec::new());
        for id in cegar.encoding.precision.at(target).predicates.clone() {
            let Entailment { predicate, truth, asked } = self.entailment(cegar, id, sink);
            let (node, edge) = (self.node, self.edge);
            sink.event(Event::PredicateChecked { node, edge, predicate, truth, asked });
            match truth {
                Truth::True => literals.push((predicate, true)),
                Truth::False => literals.push((predicate, false)),
                Truth::Unknown => open.push(predicate),
            }
        }
        literals.sort_unstable();
        open.sort_unstable();
        (literals, open)
    }

    /// Cartesian abstraction checks `s ∧ op ⇒ p′` and `s ∧ op ⇒ ¬p′`; a model of `s ∧ op` refutes one of the two.
    fn entailment<S: Sink>(&mut self, cegar: &mut Cegar, predicate: PredicateId, sink: &mut S) -> Entailment {
        if let Some(truth) = self.unchanged(cegar, predicate) {
            return Entailment { predicate, truth, asked: 0 };
        }
        let after = cegar.encoding.after(predicate, self.edge);
        let negated = cegar.encoding.terms.not(after);
        let mut asked = 0;
        let holds = "Can the predicate hold after the edge? If not, it is false in the successor.";
        let fails = "Can the predicate fail after the edge? If not, it is true in the successor.";
        for (wanted, truth, what) in [(after, Truth::False, holds), (negated, Truth::True, fails)] {
            let seen = self.models.iter().any(|m| m.eval(&cegar.encoding.terms, wanted).bool());
            if !seen {
                asked += 1;
                if self.ask(cegar, Some(wanted), what, sink) == Answer::Unsat {
                    return Entailment { predicate, truth, asked };
                }
            }
        }
        Entailment { predicate, truth: Truth::Unknown, asked }
    }

    /// A predicate without written variables keeps its truth; without an assumption it also stays unknown.
    fn unchanged(&self, cegar: &Cegar, predicate: PredicateId) -> Option<Truth> {
        let op = &cegar.encoding.edges[self.edge.index()];
        let vars = &cegar.encoding.precision.get(predicate).vars;
        if vars.iter().any(|v| op.written.binary_search(v).is_ok()) {
            return None;
        }
        let node = cegar.arg.node(self.node);
        let tracked = &cegar.encoding.precision.at(node.state.location).predicates;
        let literal = node.state.literals.binary_search_by_key(&predicate, |(p, _)| *p);
        match literal {
            Ok(at) => Some(if node.state.literals[at].1 { Truth::True } else { Truth::False }),
            Err(_) if !self.assumes && tracked[..node.precision.predicates].contains(&predicate) => {
                Some(Truth::Unknown)
            }
            Err(_) => None,
        }
    }

    /// The possible combinations of undetermined predicates; as a formula, it is empty if all are possible. `None` if
    /// there are more than [`MOST_CUBES`].
    fn cubes<S: Sink>(&mut self, cegar: &mut Cegar, open: &[PredicateId], sink: &mut S) -> Vec<Cube> {
        let after: Vec<Term> = open.iter().map(|p| cegar.encoding.after(*p, self.edge)).collect();
        let mut solver = Solver::new(cegar.limits);
        for (_, part) in self.parts {
            solver.assert(&mut cegar.encoding.terms, part);
        }
        let (mut found, mut asked, mut answered) = (Vec::<Vec<bool>>::new(), 0, true);
        let mut seen = std::mem::take(&mut self.models);
        let mut excluded = Vec::new();
        while found.len() <= MOST_CUBES && answered {
            for model in seen.drain(..) {
                let signs: Vec<bool> =
                    model.eval_all(&cegar.encoding.terms, &after).iter().map(|v| v.bool()).collect();
                if !found.contains(&signs) {
                    let terms = &mut cegar.encoding.terms;
                    let other = after.iter().zip(&signs).map(|(t, s)| if *s { terms.not(*t) } else { *t });
                    let other: Vec<Term> = other.collect();
                    let other = terms.or(other);
                    solver.assert(terms, other);
                    excluded.push(other);
                    found.push(signs);
                }
            }
            asked += 1;
            let what = "Is another combination of these predicates possible? Each model is excluded from the next query.";
            let others = excluded.iter().map(|t| ("another", *t));
            cegar.report_question(sink, what, self.parts.into_iter().chain(others));
            cegar.now().queries += 1;
            match solver.check(&mut cegar.encoding.terms, &[]) {
                Checked::Sat(model) => seen.push(model),
                Checked::Unsat => break,
                Checked::Unknown(_) => answered = false,
            }
        }
        let all: Vec<Cube> =
            found.into_iter().map(|signs| open.iter().copied().zip(signs).collect()).collect();
        let mut cubes: Vec<Cube> = all;
        if !answered || !seen.is_empty() {
            cubes.clear();
        } else if cegar.strategy.domain == Domain::PredBool {
            cubes = merge(cubes);
            // All combinations are possible.
            cubes.retain(|cube| !cube.is_empty());
        }
        let count = u16::try_from(cubes.len()).expect("few cubes");
        sink.event(Event::CubesListed { node: self.node, edge: self.edge, cubes: count, asked });
        cubes
    }
}
