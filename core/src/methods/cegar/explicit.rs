//! The transfer function of the explicit domain (Hajdu and Micskei 2020, sections 2.2.1 and 3.1.1): values are
//! evaluated, and where they are not sufficient the solver enumerates up to `k` successors (Algorithm 4):
//!
//! ```text
//! ŝ ← sp′(s, op)
//! if ŝ is unknown: list the assignments of the tracked variables that satisfy s ∧ op
//!     at most k → these are the successors
//!     more      → ŝ ← sp(s, op)
//! variables that are not tracked become ⊤
//! ```
//!
//! Only tracked variables that occur in the operation are enumerated; the others keep their known values.

use std::collections::BTreeMap;
use std::ops::ControlFlow::Continue;

use solver_lite::term::{Term, Value};
use solver_lite::{Answer as Checked, Solver};

use crate::encoding::equal;
use crate::expr::{Binary, Expr, Kind, Nary, Unary};
use crate::kit::{Answer, NodeId, Sink};
use crate::methods::cegar::strategy::MaxEnum;
use crate::methods::cegar::{Cegar, Event, Stage};
use crate::methods::outcome::Next;
use crate::system::{EdgeId, Op, System, VarId};

/// Values of variables, ascending.
pub(super) type Values = Vec<(VarId, Value)>;

/// The number of models that are enumerated in one step of the engine.
const PORTION: usize = 16;

/// The results of `sp` and `sp′` for an operation.
struct Post {
    /// The values that are certain; `None` if the operation is impossible.
    values: Option<BTreeMap<VarId, Value>>,
    /// Could a condition or a tracked variable not be evaluated?
    unknown: bool,
}

/// An enumeration in progress.
#[derive(Clone, Debug)]
pub(super) struct Enumeration {
    pub(super) node: NodeId,
    /// The number of the edge among those that leave the node.
    pub(super) at: usize,
    pub(super) edge: EdgeId,
    /// `s ∧ op`
    question: [(&'static str, Term); 3],
    /// The certain values, the result of `sp`.
    certain: Values,
    /// The variables to be enumerated, and their terms after the edge.
    variables: Vec<(VarId, Term)>,
    found: Vec<Vec<Value>>,
    /// The next model is none of these.
    excluded: Vec<Term>,
    /// The limit of the enumeration.
    most: usize,
}

impl Cegar {
    /// The successors by an edge in a domain with values.
    pub(super) fn expand_values<S: Sink>(
        &mut self,
        node: NodeId,
        at: usize,
        edge: EdgeId,
        sink: &mut S,
    ) -> Next<Stage> {
        let (from, to) = (self.arg.node(node), self.system.edge(edge));
        let tracked = &self.encoding.precision.at(to.target).variables;
        let mut post = Post { values: Some(from.state.values.iter().cloned().collect()), unknown: false };
        post.execute(&self.system, &to.op, &|v| tracked.contains(&v));
        if self.system.invariant.as_constant().is_none() {
            post.execute(&self.system, &Op::Assume(self.system.invariant.clone()), &|_| false);
        }
        if self.blocks.get(edge).is_some() {
            post.forget(&self.encoding.edges[edge.index()].written);
        }
        let Some(values) = post.values else {
            sink.event(Event::EdgeBlocked { node, edge });
            return Continue(Stage::Expand(node, at + 1));
        };
        let certain: Values = values.into_iter().filter(|(v, _)| tracked.contains(v)).collect();
        if self.strategy.max_enum == MaxEnum::Evaluated || !post.unknown {
            self.add_successors((node, edge), certain, !post.unknown, sink);
            return Continue(Stage::Expand(node, at + 1));
        }
        let mut tracked = tracked.clone();
        tracked.sort_unstable();
        let state = from.state.clone();
        let op = self.encoding.edges[edge.index()].formula;
        let question =
            [("state", self.encoding.meaning(&state)), ("invariant", self.encoding.always), ("edge", op)];
        let spoken_of = self.encoding.terms.vars(op);
        let open = tracked.into_iter().filter(|v| certain.binary_search_by_key(v, |(v, _)| *v).is_err());
        let after = open.map(|v| (v, self.encoding.next_value(v, edge)));
        let variables = after.filter(|(_, t)| spoken_of.contains(t)).collect();
        let most = match self.strategy.max_enum {
            MaxEnum::AtMost(k) => k.get() as usize,
            MaxEnum::Evaluated | MaxEnum::Unlimited => usize::MAX,
        };
        let (found, excluded) = (Vec::new(), Vec::new());
        Continue(Stage::Enumerate(Box::new(Enumeration {
            node,
            at,
            edge,
            question,
            certain,
            variables,
            found,
            excluded,
            most,
        })))
    }

    /// Enumerates more values; gives the successors when all are found or the limit is exceeded, `None` before.
    pub(super) fn list_values<S: Sink>(
        &mut self,
        listing: &mut Enumeration,
        sink: &mut S,
    ) -> Option<Vec<Values>> {
        let (node, edge) = (listing.node, listing.edge);
        let mut solver = Solver::new(self.limits);
        for (_, part) in listing.question {
            solver.assert(&mut self.encoding.terms, part);
        }
        for other in &listing.excluded {
            solver.assert(&mut self.encoding.terms, *other);
        }
        for _ in 0..PORTION {
            let what =
                "Which values are possible after the edge? Each model is excluded from the next query.";
            let others = listing.excluded.iter().map(|t| ("another", *t));
            self.report_question(sink, what, listing.question.into_iter().chain(others));
            self.now().queries += 1;
            let checked = solver.check(&mut self.encoding.terms, &[]);
            // Nothing to enumerate: the query was only whether the edge can be taken.
            if listing.variables.is_empty() {
                let answer = crate::methods::shared::answer(&checked);
                sink.event(Event::EdgeChecked { node, edge, answer });
                let taken = (answer != Answer::Unsat).then(|| listing.certain.clone());
                return Some(taken.into_iter().collect());
            }
            let count = u32::try_from(listing.found.len()).unwrap_or(u32::MAX - 1);
            let model = match checked {
                Checked::Sat(model) if listing.found.len() < listing.most => model,
                Checked::Unsat => {
                    sink.event(Event::ValuesListed { node, edge, found: count, complete: true });
                    return Some(listing.successors());
                }
                Checked::Sat(_) | Checked::Unknown(_) => {
                    sink.event(Event::ValuesListed { node, edge, found: count + 1, complete: false });
                    return Some(vec![listing.certain.clone()]);
                }
            };
            let terms: Vec<Term> = listing.variables.iter().map(|(_, t)| *t).collect();
            let values = model.eval_all(&self.encoding.terms, &terms);
            self.exclude(&mut solver, listing, values);
        }
        None
    }

    /// Records a model and excludes it from the next query.
    fn exclude(&mut self, solver: &mut Solver, listing: &mut Enumeration, values: Vec<Value>) {
        let terms = &mut self.encoding.terms;
        let same: Vec<Term> =
            listing.variables.iter().zip(&values).map(|((_, t), value)| equal(terms, *t, value)).collect();
        let same = terms.and(same);
        let other = terms.not(same);
        solver.assert(terms, other);
        listing.excluded.push(other);
        listing.found.push(values);
    }
}

impl Enumeration {
    /// The certain values, combined with each of the models.
    fn successors(&self) -> Vec<Values> {
        let with = |found: &Vec<Value>| {
            let mut values = self.certain.clone();
            values.extend(self.variables.iter().map(|(v, _)| *v).zip(found.iter().cloned()));
            values.sort_unstable_by_key(|(v, _)| *v);
            values
        };
        self.found.iter().map(with).collect()
    }
}

impl Post {
    /// `sp`, and whether `sp′` depends on an unknown value.
    fn execute(&mut self, system: &System, op: &Op, tracked: &dyn Fn(VarId) -> bool) {
        let Some(values) = &mut self.values else { return };
        let known = |values: &BTreeMap<VarId, Value>, e: &Expr| {
            e.eval_known(&|v| values.get(&v).cloned()).unwrap_or_default()
        };
        match op {
            Op::Skip | Op::Promise(_) => {}
            Op::Assume(e) => match known(values, e) {
                Some(holds) if holds.bool() => {}
                Some(_) => self.values = None,
                None => {
                    self.unknown = true;
                    if !learn(system, e, values) {
                        self.values = None;
                    }
                }
            },
            Op::Assign(v, e) => {
                let value = known(values, e);
                self.set(*v, value, tracked);
            }
            Op::Update(all) => {
                let now: Vec<Option<Value>> = all.iter().map(|(_, e)| known(values, e)).collect();
                for ((v, _), value) in all.iter().zip(now) {
                    self.set(*v, value, tracked);
                }
            }
            Op::Havoc(v) => {
                values.remove(v);
            }
            Op::Relation(..) => {
                self.unknown = true;
                values.clear();
            }
            Op::Sequence(ops) => ops.iter().for_each(|op| self.execute(system, op, tracked)),
        }
    }

    /// The variables that a block writes may have any values.
    fn forget(&mut self, written: &[VarId]) {
        self.unknown = true;
        if let Some(values) = &mut self.values {
            values.retain(|v, _| written.binary_search(v).is_err());
        }
    }

    fn set(&mut self, v: VarId, value: Option<Value>, tracked: &dyn Fn(VarId) -> bool) {
        let Some(values) = &mut self.values else { return };
        self.unknown |= value.is_none() && tracked(v);
        match value {
            Some(value) => values.insert(v, value),
            None => values.remove(&v),
        };
    }
}

/// The values that a condition implies: `x = 1`, `b`, `not b`, and conjunctions of such (the simple heuristic of
/// section 2.2.1). `false` if a variable cannot have the value.
fn learn(system: &System, condition: &Expr, values: &mut BTreeMap<VarId, Value>) -> bool {
    let fact = |v: VarId, value: Value, values: &mut BTreeMap<VarId, Value>| {
        let possible =
            system.variable(v).ty.contains(&value) && values.get(&v).is_none_or(|old| *old == value);
        values.insert(v, value);
        possible
    };
    match &condition.kind {
        Kind::Nary(Nary::And, all) => all.iter().all(|e| learn(system, e, values)),
        Kind::Var(v) => fact(*v, Value::Bool(true), values),
        Kind::Unary(Unary::Not, e) => match e.kind {
            Kind::Var(v) => fact(v, Value::Bool(false), values),
            _ => true,
        },
        Kind::Binary(Binary::Eq | Binary::Iff, ab) => {
            let [a, b] = &**ab;
            for (side, other) in [(a, b), (b, a)] {
                if let Kind::Var(v) = side.kind {
                    let value = other.eval_known(&|v| values.get(&v).cloned()).unwrap_or_default();
                    if let Some(value) = value {
                        return fact(v, value, values);
                    }
                }
            }
            true
        }
        _ => true,
    }
}
