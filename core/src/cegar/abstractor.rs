//! Abstraction (Hajdu and Micskei 2020, Algorithm 1) with Cartesian predicate abstraction: the successor of a node
//! by an edge is the strongest conjunction of tracked predicates and negated predicates that is entailed.

use solver_lite::Answer as Checked;
use solver_lite::Solver;
use solver_lite::term::Term;

use crate::cegar::arg::NodeStatus;
use crate::cegar::{Cegar, Stage};
use crate::certificate::Certificate;
use crate::kit::{Answer, Arrival, Event, Label, NodeId, PredicateId, Sink, Truth, Verdict};
use crate::system::{EdgeId, LocationId};

/// What is known of one predicate after an edge, and the questions that took.
struct Entailment {
    predicate: PredicateId,
    truth: Truth,
    asked: u8,
}

impl Cegar {
    /// Takes the node nearest to the root from the waitlist (breadth-first search); nothing left means that the error
    /// location is unreachable.
    pub(super) fn select<S: Sink>(&mut self, sink: &mut S) -> Stage {
        while let Some((_, node)) = self.waitlist.pop_first() {
            if self.arg.node(node).status == NodeStatus::Open {
                sink.event(Event::NodeSelected { node });
                return Stage::Check(node);
            }
        }
        let certificate = self.invariant();
        Cegar::done(sink, Verdict::Holds, Some(certificate))
    }

    /// Error location → counterexample; covered by a reached node → nothing to do; otherwise expand.
    pub(super) fn check<S: Sink>(&mut self, node: NodeId, sink: &mut S) -> Stage {
        if Some(self.arg.node(node).label.location) == self.system.error {
            let length = u32::try_from(self.arg.path(node).len() - 1).expect("fewer than 2^32 steps");
            self.arg.set(node, NodeStatus::Target);
            sink.event(Event::CexFound { node, length });
            return Stage::Concretize(node);
        }
        let candidates = self.arg.neighbours(node).to_vec();
        for by in candidates {
            if by != node
                && !matches!(self.arg.node(by).status, NodeStatus::Covered(_))
                && self.covers(node, by, sink)
            {
                self.arg.set(node, NodeStatus::Covered(by));
                sink.event(Event::NodeCovered { node, by });
                return Stage::Select;
            }
        }
        Stage::Expand(node, 0)
    }

    /// Is every state of `node` one of `by`? A label with all literals of the other one is; otherwise the solver is asked
    /// about predicates younger than `node`: what an older one says of `node` is known already.
    fn covers<S: Sink>(&mut self, node: NodeId, by: NodeId, sink: &mut S) -> bool {
        let (small, large) = (self.arg.node(node), self.arg.node(by));
        let missing = || large.label.literals.iter().filter(|l| !small.label.literals.contains(l));
        if missing().next().is_none() {
            return true;
        }
        if missing().any(|(p, _)| p.index() < small.precision) {
            return false;
        }
        let (small, large) = (small.label.clone(), large.label.clone());
        let (s, l) = (self.encoding.label(&small), self.encoding.label(&large));
        let outside = self.encoding.terms.not(l);
        let parts = [("state", s), ("invariant", self.encoding.always), ("uncovered", outside)];
        let what = "Is there a state of the one node that is none of the other? If not, it is covered.";
        self.tell_question(sink, what, parts);
        let answer = self.answer(&parts);
        sink.event(Event::CoverChecked { node, by, answer });
        answer == Answer::Unsat
    }

    fn answer(&mut self, assertions: &[(&str, Term)]) -> Answer {
        let mut solver = Solver::new(self.limits);
        for (_, a) in assertions {
            solver.assert(&mut self.encoding.terms, *a);
        }
        self.now().queries += 1;
        answer(&solver.check(&mut self.encoding.terms, &[]))
    }

    /// Adds the successor of `node` by its edge number `at`, or closes the node after its last edge.
    pub(super) fn expand<S: Sink>(&mut self, node: NodeId, at: usize, sink: &mut S) -> Stage {
        let location = self.arg.node(node).label.location;
        let Some(&edge) = self.system.out_edges(location).get(at) else {
            self.arg.set(node, NodeStatus::Expanded);
            sink.event(Event::NodeExpanded { node });
            return Stage::Select;
        };
        if self.arg.has_child(node, edge) {
            return Stage::Expand(node, at + 1);
        }
        let target = self.system.edge(edge).target;
        let mut transfer = Transfer::new(self, node, edge);
        let feasible = transfer.feasible(self, sink);
        if let Some(answer) = feasible {
            sink.event(Event::EdgeChecked { node, edge, answer });
        }
        if feasible != Some(Answer::Unsat) {
            let known = transfer.entailments(self, sink);
            self.add_node(label(target, &known), Some((node, edge)), sink);
        }
        Stage::Expand(node, at + 1)
    }

    /// The root: the initial location, where nothing is known.
    pub(super) fn add_root<S: Sink>(&mut self, sink: &mut S) {
        self.add_node(Label { location: self.system.initial, literals: Vec::new() }, None, sink);
    }

    fn add_node<S: Sink>(&mut self, label: Label, from: Option<(NodeId, EdgeId)>, sink: &mut S) {
        sink.state(self.arg.next_id(), || label.clone());
        let node = self.arg.add(label, from, self.encoding.precision.size());
        self.wait(node);
        self.now().nodes += 1;
        sink.event(Event::NodeAdded { node, from: from.map(Arrival::new) });
    }

    /// Puts an open node on the waitlist.
    pub(super) fn wait(&mut self, node: NodeId) {
        self.waitlist.insert((self.arg.node(node).depth, node));
    }

    /// For each location the disjunction of its nodes' labels: inductive, because the graph is complete. Covered nodes
    /// say nothing new, and neither do labels with all literals of another one.
    fn invariant(&mut self) -> Certificate {
        let mut labels: Vec<Vec<Label>> = vec![Vec::new(); self.system.locations.len()];
        for (_, node) in self.arg.live().filter(|(_, n)| !matches!(n.status, NodeStatus::Covered(_))) {
            labels[node.label.location.index()].push(node.label.clone());
        }
        let implied = |l: &Label, by: &Label| by.literals.iter().all(|x| l.literals.contains(x));
        let mut by_location = Vec::with_capacity(labels.len());
        for all in labels {
            let mut weakest: Vec<Label> = Vec::new();
            for label in all {
                if !weakest.iter().any(|w| implied(&label, w)) {
                    weakest.retain(|w| !implied(w, &label));
                    weakest.push(label);
                }
            }
            by_location.push(weakest.iter().map(|l| self.encoding.label(l)).collect::<Vec<Term>>());
        }
        let texts = by_location.into_iter().enumerate().map(|(i, terms)| {
            let either = self.encoding.terms.or(terms);
            (self.system.locations[i].name.clone(), self.encoding.text(either))
        });
        Certificate::Invariant { locations: texts.collect() }
    }
}

fn label(location: LocationId, known: &[Entailment]) -> Label {
    let literal = |e: &Entailment| match e.truth {
        Truth::True => Some((e.predicate, true)),
        Truth::False => Some((e.predicate, false)),
        Truth::Unknown => None,
    };
    Label { location, literals: known.iter().filter_map(literal).collect() }
}

/// A solver's answer as an event tells it.
pub(super) fn answer(checked: &Checked) -> Answer {
    match checked {
        Checked::Sat(_) => Answer::Sat,
        Checked::Unsat => Answer::Unsat,
        Checked::Unknown(_) => Answer::Unknown,
    }
}

/// The questions about one node and one edge share a solver that holds `s ∧ op`.
struct Transfer {
    solver: Solver,
    /// What the solver holds.
    parts: [(&'static str, Term); 3],
    node: NodeId,
    edge: EdgeId,
    /// May the edge be impossible? Otherwise `s ∧ op` is `s` plus definitions, hence satisfiable like `s`.
    assumes: bool,
    models: Vec<solver_lite::Model>,
}

impl Transfer {
    fn new(cegar: &mut Cegar, node: NodeId, edge: EdgeId) -> Transfer {
        let mut solver = Solver::new(cegar.limits);
        let label = cegar.arg.node(node).label.clone();
        let s = cegar.encoding.label(&label);
        let op = &cegar.encoding.edges[edge.index()];
        let (formula, assumes) = (op.formula, op.assumes);
        let parts = [("state", s), ("invariant", cegar.encoding.always), ("edge", formula)];
        for (_, part) in parts {
            solver.assert(&mut cegar.encoding.terms, part);
        }
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
        cegar.tell_question(sink, what, self.parts.into_iter().chain(assumed));
        cegar.now().queries += 1;
        let checked = self.solver.check(&mut cegar.encoding.terms, assumption.as_slice());
        let answer = answer(&checked);
        if let Checked::Sat(model) = checked {
            self.models.push(model);
        }
        answer
    }

    /// Can the edge be taken? Not asked (`None`) where the operation only writes.
    fn feasible<S: Sink>(&mut self, cegar: &mut Cegar, sink: &mut S) -> Option<Answer> {
        self.assumes
            .then(|| self.ask(cegar, None, "Can the edge be taken from some state of the node?", sink))
    }

    fn entailments<S: Sink>(&mut self, cegar: &mut Cegar, sink: &mut S) -> Vec<Entailment> {
        let mut known = Vec::new();
        for id in cegar.encoding.precision.ids() {
            let entailment = self.entailment(cegar, id, sink);
            let Entailment { predicate, truth, asked } = entailment;
            let (node, edge) = (self.node, self.edge);
            sink.event(Event::PredicateChecked { node, edge, predicate, truth, asked });
            known.push(entailment);
        }
        known
    }

    /// Cartesian abstraction asks for `s ∧ op ⇒ p′` and `s ∧ op ⇒ ¬p′`; a model of `s ∧ op` refutes one of the two.
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
        let literal = node.label.literals.binary_search_by_key(&predicate, |(p, _)| *p);
        match literal {
            Ok(at) => Some(if node.label.literals[at].1 { Truth::True } else { Truth::False }),
            Err(_) if !self.assumes && predicate.index() < node.precision => Some(Truth::Unknown),
            Err(_) => None,
        }
    }
}
