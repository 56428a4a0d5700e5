//! Explicit search for accepting lassos: concrete states of the product with an automaton are computed on demand by the
//! search for an accepting cycle. It is the baseline for abstraction. Of time nets, sets of states ([`Zones`]) take
//! their place.

use std::collections::BTreeMap;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::task::Poll;

use solver_lite::term::Term;
use solver_lite::{Answer, Limits, Solver};

use super::zones::Zones;
use super::{Explicit, one_of};
use crate::buchi::emptiness::{Explored, Progress, Search, Steps, Vertex};
use crate::certificate::Certificate;
use crate::encoding::equal;
use crate::kit::{Cx, Engine, NodeId, Sink, UnknownReason, Verdict, drive};
use crate::methods::cegar::Emptiness;
use crate::methods::lasso::progress::certificate;
use crate::methods::lasso::run;
use crate::methods::outcome::{Next, Outcome, done, stop};
use crate::methods::shared::Shared;
use crate::methods::{explicit, lasso};
use crate::system::{EdgeId, LocationId, State, System};
use crate::temporal::Product;

/// How often a cycle of sets of states is run through, how many other cycles are tried, and in how many vertices they
/// are searched for.
const ROUNDS: usize = 4;
const OTHERS: usize = 50;
const EXPLORED: usize = 2_000;

#[derive(Clone, Default)]
enum Stage {
    #[default]
    Start,
    Search,
    /// The successors of this vertex are needed.
    Expand(Vertex),
}

/// What is searched.
#[derive(Clone)]
enum States {
    /// Concrete states.
    Concrete(Explicit),
    /// Sets of states of a time net.
    Zones(Zones),
}

impl States {
    fn begin<S: Sink>(&mut self, sink: &mut S) -> Result<Vec<usize>, UnknownReason> {
        match self {
            States::Concrete(explicit) => explicit.begin(sink),
            States::Zones(zones) => Ok(vec![zones.begin(sink)]),
        }
    }

    fn successors<S: Sink>(
        &mut self,
        at: usize,
        sink: &mut S,
    ) -> Result<Vec<(EdgeId, usize)>, UnknownReason> {
        match self {
            States::Concrete(explicit) => explicit.successors(at, sink),
            States::Zones(zones) => zones.successors(at, sink),
        }
    }

    fn are_sets(&self) -> bool {
        matches!(self, States::Zones(_))
    }

    fn count(&self) -> usize {
        match self {
            States::Concrete(explicit) => explicit.count(),
            States::Zones(zones) => zones.count(),
        }
    }

    fn location(&self, state: usize) -> LocationId {
        match self {
            States::Concrete(explicit) => explicit.location(state),
            States::Zones(zones) => zones.location(state),
        }
    }

    fn shared(&mut self) -> &mut Shared {
        match self {
            States::Concrete(explicit) => &mut explicit.shared,
            States::Zones(zones) => &mut zones.shared,
        }
    }

    /// These states, which have the same location, as a formula.
    fn formula(&mut self, states: &[usize]) -> Term {
        match self {
            States::Concrete(explicit) => {
                let values = |s: &usize| {
                    let state = Explicit::recorded(&explicit.reached, &explicit.live, *s);
                    state.into_iter().map(|(_, value)| value).collect()
                };
                let listed: Vec<State> = states.iter().map(values).collect();
                let encoding = &mut explicit.shared.symbolic.encoding;
                let live = &explicit.live[explicit.reached[states[0]].location.index()];
                let of: Vec<Term> = live.iter().map(|v| encoding.current(*v)).collect();
                one_of(&mut encoding.terms, &of, listed)
            }
            States::Zones(zones) => {
                let all: Vec<Term> = states.iter().map(|s| zones.formula(*s)).collect();
                zones.shared.symbolic.terms().or(all)
            }
        }
    }

    /// The conditions on the values along a lasso that the visited states, and the repetition of the cycle, require.
    fn along(&mut self, visited: &[usize], values: &[Vec<Term>], back: usize) -> Vec<Term> {
        match self {
            States::Concrete(explicit) => {
                let mut all = Vec::new();
                for (state, values) in visited.iter().zip(values) {
                    for (v, value) in Explicit::recorded(&explicit.reached, &explicit.live, *state) {
                        let terms = &mut explicit.shared.symbolic.encoding.terms;
                        all.push(equal(terms, values[v.index()], &value));
                    }
                }
                all
            }
            States::Zones(zones) => zones.again(visited[back], [&values[back], &values[values.len() - 1]]),
        }
    }
}

/// A lasso of the product.
#[derive(Clone)]
struct Found {
    edges: Vec<EdgeId>,
    /// The states after the first step, which makes no edge, and after each edge.
    visited: Vec<usize>,
    /// The number of edges before the cycle.
    back: usize,
}

/// The engine.
#[derive(Clone)]
pub struct ExplicitLasso {
    states: States,
    model: Arc<System>,
    product: Arc<Product>,
    /// Vertex 0 is a root whose successors are the initial states; the others are the states in their order.
    graph: Explored,
    /// By vertex: the edges to its successors; none to initial states.
    edges: Vec<Vec<Option<EdgeId>>>,
    search: Search,
    stage: Next<Stage>,
}

impl ExplicitLasso {
    /// A run on the product of `model` with the Büchi automaton of the negated formula.
    #[must_use]
    pub fn new(
        model: &Arc<System>,
        product: &Arc<Product>,
        emptiness: Emptiness,
        limits: Limits,
    ) -> ExplicitLasso {
        let states = match Zones::new(model, product, limits) {
            Some(zones) => States::Zones(zones),
            None => States::Concrete(Explicit::new(&product.system, limits)),
        };
        ExplicitLasso {
            states,
            model: Arc::clone(model),
            product: Arc::clone(product),
            graph: Explored::default(),
            edges: Vec::new(),
            search: Search::new(emptiness, 0),
            stage: Continue(Stage::Start),
        }
    }

    pub(crate) fn shared(&self) -> &Shared {
        match &self.states {
            States::Concrete(explicit) => &explicit.shared,
            States::Zones(zones) => &zones.shared,
        }
    }

    /// Makes room for all states.
    fn notice(&mut self) {
        while self.graph.out.len() <= self.states.count() {
            let accepting = match self.graph.out.len() {
                0 => false,
                v => self.product.accepting[self.states.location(v - 1).index()],
            };
            self.graph.add(accepting);
            self.edges.push(Vec::new());
        }
    }

    fn known(&mut self, vertex: Vertex, successors: Vec<(Option<EdgeId>, usize)>) {
        self.notice();
        let (edges, states): (Vec<_>, Vec<_>) = successors.into_iter().map(|(e, s)| (e, s + 1)).unzip();
        self.graph.out[vertex] = Some(states);
        self.edges[vertex] = edges;
    }

    fn start<S: Sink>(&mut self, sink: &mut S) -> Result<Next<Stage>, UnknownReason> {
        let initial = self.states.begin(sink)?;
        self.known(0, initial.into_iter().map(|s| (None, s)).collect());
        Ok(Continue(Stage::Search))
    }

    fn expand<S: Sink>(&mut self, v: Vertex, sink: &mut S) -> Result<Next<Stage>, UnknownReason> {
        let successors = self.states.successors(v - 1, sink)?;
        self.known(v, successors.into_iter().map(|(e, s)| (Some(e), s)).collect());
        sink.event(explicit::Event::StateExpanded { state: NodeId::new(v - 1) });
        Ok(Continue(Stage::Search))
    }

    fn search<S: Sink>(&mut self, sink: &mut S) -> Result<Next<Stage>, UnknownReason> {
        Ok(match self.search.step(&self.graph) {
            Progress::Needs(v) => Continue(Stage::Expand(v)),
            Progress::Coloured(v, colour) => {
                if let Some(state) = v.checked_sub(1) {
                    sink.event(lasso::Event::Coloured { node: NodeId::new(state), colour });
                }
                Continue(Stage::Search)
            }
            Progress::Moved => Continue(Stage::Search),
            Progress::Found(steps) => {
                let certificate = self.lasso(&steps, sink)?;
                Break(Box::new(done(Verdict::Violated, Some(certificate), sink)))
            }
            Progress::Empty => {
                let certificate = self.progress().ok_or(UnknownReason::TooLarge)?;
                Break(Box::new(done(Verdict::Holds, Some(certificate), sink)))
            }
        })
    }

    /// The run along a lasso; the values of dead variables come from the solver. Of sets of states, the cycle may have
    /// no run that can be repeated with the same times; then other cycles are tried.
    fn lasso<S: Sink>(&mut self, steps: &Steps, sink: &mut S) -> Result<Certificate, UnknownReason> {
        let mut lasso = self.along(steps);
        let mut others = None;
        loop {
            let number = crate::methods::shared::number;
            let (back, length) = (number(lasso.back), number(lasso.edges.len()));
            sink.event(lasso::Event::LassoFound { back, length });
            for (i, state) in lasso.visited.iter().enumerate() {
                sink.event(lasso::Event::LassoVisited { position: number(i), node: NodeId::new(*state) });
            }
            if let Some((edges, states)) = self.repeatable(&lasso) {
                let back = (lasso.back, None);
                let certificate = run::certificate(&self.model, &self.product, &edges, &states, back)?;
                sink.event(lasso::Event::LassoClosed { length: number(edges.len()) });
                return Ok(certificate);
            }
            if !self.states.are_sets() {
                return Err(UnknownReason::Solver);
            }
            if others.is_none() {
                others = Some(self.others(sink)?.into_iter());
            }
            lasso = others.as_mut().and_then(Iterator::next).ok_or(UnknownReason::Aperiodic)?;
        }
    }

    /// For each accepting vertex a shortest lasso through it, in a part of the graph that is explored now.
    fn others<S: Sink>(&mut self, sink: &mut S) -> Result<Vec<Found>, UnknownReason> {
        let mut v = 0;
        while v < self.graph.out.len().min(EXPLORED) {
            if self.graph.out[v].is_none() {
                let _ = self.expand(v, sink)?;
            }
            v += 1;
        }
        let accepting = (0..v).filter(|v| self.graph.accepting[*v]);
        let lasso = |v: Vertex| Some(Steps { stem: self.graph.path(0, v)?, cycle: self.graph.path(v, v)? });
        Ok(accepting.filter_map(lasso).take(OTHERS).map(|steps| self.along(&steps)).collect())
    }

    fn along(&self, steps: &Steps) -> Found {
        let way = || steps.stem.iter().chain(&steps.cycle);
        let target = |(v, i): &(Vertex, usize)| self.graph.out[*v].as_ref().map_or(0, |out| out[*i]) - 1;
        Found {
            edges: way().filter_map(|(v, i)| self.edges[*v][*i]).collect(),
            visited: way().map(target).collect(),
            // The first step is to an initial state.
            back: steps.stem.len() - 1,
        }
    }

    /// States along a lasso. A cycle of sets of states may have to be run through several times until it can be
    /// repeated with the same times; one that takes time is preferred.
    fn repeatable(&mut self, lasso: &Found) -> Option<(Vec<EdgeId>, Vec<State>)> {
        let Found { mut edges, mut visited, back } = lasso.clone();
        let (round, again) = (edges[back..].to_vec(), visited[back + 1..].to_vec());
        let (rounds, ways) =
            if self.states.are_sets() { (ROUNDS, &[true, false][..]) } else { (1, &[false][..]) };
        for _ in 0..rounds {
            for takes_time in ways {
                if let Some(states) = self.states_along(&edges, &visited, (back, *takes_time)) {
                    return Some((edges, states));
                }
            }
            edges.extend(&round);
            visited.extend(&again);
        }
        None
    }

    fn states_along(
        &mut self,
        edges: &[EdgeId],
        visited: &[usize],
        (back, takes_time): (usize, bool),
    ) -> Option<Vec<State>> {
        let encoding = &mut self.states.shared().symbolic.encoding;
        let (assertions, values) = encoding.along(&self.product.system, edges);
        let mut all = [assertions, self.states.along(visited, &values, back)].concat();
        if let (true, States::Zones(zones)) = (takes_time, &mut self.states) {
            all.push(zones.takes_time([&values[back], &values[values.len() - 1]]));
        }
        let shared = self.states.shared();
        let mut solver = Solver::new(shared.limits);
        let terms = &mut shared.symbolic.encoding.terms;
        all.into_iter().for_each(|a| solver.assert(terms, a));
        let Answer::Sat(model) = solver.check(terms, &[]) else { return None };
        Some(values.iter().map(|values| model.eval_all(terms, values)).collect())
    }

    /// All states, by location and component.
    fn progress(&mut self) -> Option<Certificate> {
        let ranks = self.graph.components(0);
        let mut sets: BTreeMap<(LocationId, usize), Vec<usize>> = BTreeMap::new();
        for (v, rank) in ranks.of.iter().enumerate().skip(1) {
            sets.entry((self.states.location(v - 1), (*rank)?)).or_default().push(v - 1);
        }
        let mut nodes = Vec::with_capacity(sets.len());
        for ((location, rank), states) in sets {
            let formula = self.states.formula(&states);
            let text = self.states.shared().symbolic.encoding.whole_text(formula)?;
            nodes.push((location, vec![rank.to_string()], text));
        }
        Some(certificate(&self.model, &self.product, nodes))
    }
}

impl Engine for ExplicitLasso {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        drive(
            self,
            cx,
            |e| &mut e.stage,
            |e, stage, sink| {
                let next = match stage {
                    Stage::Start => e.start(sink),
                    Stage::Search => e.search(sink),
                    Stage::Expand(v) => e.expand(v, sink),
                };
                next.unwrap_or_else(|why| stop(why, sink))
            },
        )
    }
}
