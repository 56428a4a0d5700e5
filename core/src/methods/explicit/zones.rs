//! The states of a time net's product with an automaton, as sets: a location with a marking and the ages of its enabled
//! transitions.

use std::collections::HashMap;
use std::sync::Arc;

use solver_lite::Limits;
use solver_lite::term::{Sort, Term, Terms, Value};

use crate::expr::Expr;
use crate::formats::net::transition_of;
use crate::kit::{Arrival, Label, NodeId, Sink, UnknownReason};
use crate::methods::explicit::{Event, STATES};
use crate::methods::shared::Shared;
use crate::net::timed::Clocks;
use crate::net::timed::ages::Ages;
use crate::net::timed::classes::Class;
use crate::net::{Net, TransitionId};
use crate::system::clocks::AT_MARKING;
use crate::system::{EdgeId, LocationId, Op, System, VarId};
use crate::temporal::Product;

/// A set of states; without a class before the initial marking.
type SymbolicState = (LocationId, Option<Class>);

/// The sets that were reached.
#[derive(Clone)]
pub(crate) struct Zones {
    pub(crate) shared: Shared,
    net: Arc<Net>,
    clocks: Arc<Clocks>,
    product: Arc<Product>,
    /// The edge on which time passes.
    waiting: EdgeId,
    reached: Vec<SymbolicState>,
    known: HashMap<SymbolicState, usize>,
}

impl Zones {
    /// No set is reached yet. None if the model is no time net. The formula is about markings.
    pub(crate) fn new(model: &System, product: &Arc<Product>, limits: Limits) -> Option<Zones> {
        let (net, clocks, waiting) = (model.net.as_ref()?, model.clocks.as_ref()?, model.waiting()?);
        Some(Zones {
            shared: Shared::new(&product.system, &[], limits),
            net: Arc::clone(net),
            clocks: Arc::clone(clocks),
            product: Arc::clone(product),
            waiting,
            reached: Vec::new(),
            known: HashMap::new(),
        })
    }

    fn ages(&self) -> Ages<'_> {
        Ages { net: &self.net, clocks: &self.clocks }
    }

    /// The set before the initial marking.
    pub(super) fn begin<S: Sink>(&mut self, sink: &mut S) -> usize {
        self.shared.begin(sink);
        self.reach((self.product.system.initial, None), None, sink)
    }

    /// How many sets were reached.
    pub(super) fn count(&self) -> usize {
        self.reached.len()
    }

    /// The location of a set.
    pub(super) fn location(&self, set: usize) -> LocationId {
        self.reached[set].0
    }

    /// The sets after one, with the edges that lead there.
    pub(super) fn successors<S: Sink>(
        &mut self,
        at: usize,
        sink: &mut S,
    ) -> Result<Vec<(EdgeId, usize)>, UnknownReason> {
        let product = Arc::clone(&self.product);
        let (location, class) = self.reached[at].clone();
        let mut found = Vec::new();
        for &edge in product.system.out_edges(location) {
            let Some(after) = self.after(edge, class.as_ref())? else { continue };
            if let Some(guard) = &product.guards[edge.index()]
                && !truth(guard, &after)?
            {
                continue;
            }
            let zone = (product.system.edge(edge).target, Some(after));
            found.push((edge, self.reach(zone, Some((at, edge)), sink)));
        }
        if self.reached.len() > STATES { Err(UnknownReason::TooMany) } else { Ok(found) }
    }

    /// The class after an edge of the product, without the guard of the automaton.
    fn after(&self, edge: EdgeId, class: Option<&Class>) -> Result<Option<Class>, UnknownReason> {
        let ages = self.ages();
        let Some(class) = class else { return Ok(Some(ages.initial())) };
        match self.product.edges[edge.index()] {
            Some(own) if own == self.waiting => Ok(Some(ages.waited(class))),
            Some(own) => ages.fired(class, transition_of(own)).map_err(|_| UnknownReason::Tokens),
            // The run repeats its last state.
            None => match &self.product.own[edge.index()].0 {
                Op::Assume(stuck) => Ok(truth(stuck, class)?.then(|| class.clone())),
                _ => Ok(Some(class.clone())),
            },
        }
    }

    fn reach<S: Sink>(&mut self, zone: SymbolicState, from: Option<(usize, EdgeId)>, sink: &mut S) -> usize {
        let arrival = from.map(|(at, edge)| Arrival::new((NodeId::new(at), edge)));
        if let Some(&known) = self.known.get(&zone) {
            if let Some(from) = arrival {
                sink.event(Event::StateKnown { state: NodeId::new(known), from });
            }
            return known;
        }
        let number = self.reached.len();
        let value = |(p, tokens): (usize, &u32)| (*tokens > 0).then(|| (VarId::new(p), tokens.to_string()));
        let marking = zone.1.iter().flat_map(|class| class.marking.iter().enumerate());
        sink.state(NodeId::new(number), || Label {
            location: zone.0,
            values: marking.filter_map(value).collect(),
            literals: Vec::new(),
            either: Vec::new(),
        });
        sink.event(Event::StateReached { state: NodeId::new(number), from: arrival });
        self.shared.now().concrete += 1;
        self.known.insert(zone.clone(), number);
        self.reached.push(zone);
        number
    }

    /// The set as a formula over the current values.
    pub(super) fn formula(&mut self, set: usize) -> Term {
        let (location, Some(class)) = &self.reached[set] else { return Term::TRUE };
        let (clocks, at) = (&self.clocks, self.product.pairs[location.index()].0);
        let encoding = &mut self.shared.symbolic.encoding;
        let now: Vec<Term> = self.product.system.var_ids().map(|v| encoding.current(v)).collect();
        let terms = &mut encoding.terms;
        let mut all = Vec::new();
        for (p, tokens) in class.marking.iter().enumerate() {
            let tokens = terms.int(i64::from(*tokens));
            all.push(terms.eq(now[p], tokens));
        }
        let time = now[clocks.time().index()];
        if at == AT_MARKING {
            all.push(terms.eq(time, now[clocks.fired().index()]));
        }
        let since = |i: usize| match i.checked_sub(1) {
            Some(i) => now[clocks.since(clock(clocks, class.owners[i])).index()],
            None => time,
        };
        // The age of a minus that of b is since_b - since_a.
        for a in 0..class.times.size() {
            for b in (0..class.times.size()).filter(|b| *b != a) {
                let Some((n, is_open)) = class.times.bound(a, b).get() else { continue };
                let difference = terms.sub(since(b), since(a));
                let n = real(terms, n);
                all.push(if is_open { terms.lt(difference, n) } else { terms.le(difference, n) });
            }
        }
        terms.and(all)
    }

    /// The values after a cycle permit its steps again: they are the dates before it, later by the time that the cycle
    /// takes. A transition that never has to fire may be older.
    pub(super) fn again(&mut self, set: usize, [before, after]: [&[Term]; 2]) -> Vec<Term> {
        let Some(class) = &self.reached[set].1 else { return vec![Term::FALSE] };
        let terms = &mut self.shared.symbolic.encoding.terms;
        let time = self.clocks.time().index();
        let takes = terms.sub(after[time], before[time]);
        let ages = Ages { net: &self.net, clocks: &self.clocks };
        let mut all = Vec::new();
        for owner in &class.owners {
            let since = self.clocks.since(clock(&self.clocks, *owner)).index();
            let later = terms.sub(after[since], before[since]);
            all.push(match ages.interval(*owner).most {
                Some(_) => terms.eq(later, takes),
                None => terms.le(later, takes),
            });
        }
        all
    }

    /// Does the cycle take time?
    pub(super) fn takes_time(&mut self, [before, after]: [&[Term]; 2]) -> Term {
        let time = self.clocks.time().index();
        self.shared.symbolic.encoding.terms.lt(before[time], after[time])
    }
}

/// The clock of an enabled transition.
fn clock(clocks: &Clocks, owner: u32) -> usize {
    clocks.of_transition(TransitionId(owner)).expect("owners have clocks")
}

fn real(terms: &mut Terms, n: i64) -> Term {
    terms.num(n.into(), Sort::Real)
}

/// The truth of a condition on the marking.
fn truth(e: &Expr, class: &Class) -> Result<bool, UnknownReason> {
    let value = e.eval(&|v| Value::Num(i64::from(class.marking[v.index()]).into()));
    value.map(|value| value.bool()).map_err(|_| UnknownReason::Solver)
}
