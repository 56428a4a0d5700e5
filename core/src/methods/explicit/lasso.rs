//! Explicit search for accepting lassos: concrete states of the product with an automaton are computed on demand by the
//! search for an accepting cycle. It is the baseline for abstraction. Of time nets, sets of states ([`Zones`]) take
//! their place; then a cycle of sets has to have a run that repeats its delays.
//!
//! ```text
//! there is no accepting lasso → holds
//! an accepting lasso is found:
//!   some run along it closes its cycle → violated
//!   of sets, once more with another round of the cycle, up to a limit
//!   of sets, once more with shortest lassos through accepting vertices
//! ```

use std::collections::{BTreeMap, VecDeque};
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
use crate::methods::shared::{Shared, number};
use crate::methods::{explicit, lasso};
use crate::system::{EdgeId, LocationId, State, System};
use crate::temporal::Product;

/// The greatest number of rounds of a cycle of sets after which a run must close it.
const ROUNDS: usize = 4;
/// The greatest number of other lassos of sets that are tried.
const OTHERS: usize = 50;
/// The number of vertices that are explored for them.
const EXPLORED: usize = 2_000;

#[derive(Clone, Default)]
enum Stage {
    #[default]
    Start,
    Search,
    /// The successors of this vertex are needed.
    Expand(Vertex),
    /// A run along this lasso is needed.
    Close(Lasso),
    /// The graph is explored from this vertex on, for other lassos.
    Explore(Vertex),
}

/// A lasso of the product.
#[derive(Clone)]
struct Lasso {
    edges: Vec<EdgeId>,
    /// The states at the start and after each edge.
    visited: Vec<usize>,
    /// The number of edges before the cycle, and of the cycle.
    stem: usize,
    cycle: usize,
}

impl Lasso {
    /// The same with another round of the cycle; none if there are too many.
    fn longer(mut self) -> Option<Lasso> {
        let from = self.edges.len() - self.cycle;
        if self.edges.len() == self.stem + ROUNDS * self.cycle {
            return None;
        }
        self.edges.extend_from_within(from..);
        self.visited.extend_from_within(from + 1..);
        Some(self)
    }
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
    fn conditions(&mut self, visited: &[usize], values: &[Vec<Term>], back: usize) -> Vec<Term> {
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
    /// Other lassos of sets that are tried, once they are known.
    others: Option<VecDeque<Lasso>>,
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
            others: None,
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

    fn expand<S: Sink>(&mut self, v: Vertex, sink: &mut S) -> Result<(), UnknownReason> {
        let successors = self.states.successors(v - 1, sink)?;
        self.known(v, successors.into_iter().map(|(e, s)| (Some(e), s)).collect());
        sink.event(explicit::Event::StateExpanded { state: NodeId::new(v - 1) });
        Ok(())
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
            Progress::Found(steps) => Self::found(self.lasso(&steps), sink),
            Progress::Empty => {
                let certificate = self.progress().ok_or(UnknownReason::TooLarge)?;
                Break(Box::new(done(Verdict::Holds, Some(certificate), sink)))
            }
        })
    }

    /// A lasso of the graph.
    fn lasso(&self, steps: &Steps) -> Lasso {
        let way = || steps.stem.iter().chain(&steps.cycle);
        let target = |(v, i): &(Vertex, usize)| self.graph.out[*v].as_ref().map_or(0, |out| out[*i]) - 1;
        Lasso {
            // The first step is to an initial state.
            edges: way().filter_map(|(v, i)| self.edges[*v][*i]).collect(),
            visited: way().map(target).collect(),
            stem: steps.stem.len() - 1,
            cycle: steps.cycle.len(),
        }
    }

    fn found<S: Sink>(lasso: Lasso, sink: &mut S) -> Next<Stage> {
        let (back, length) = (number(lasso.stem), number(lasso.edges.len()));
        sink.event(lasso::Event::LassoFound { back, length });
        for (i, state) in lasso.visited.iter().enumerate() {
            sink.event(lasso::Event::LassoVisited { position: number(i), node: NodeId::new(*state) });
        }
        Continue(Stage::Close(lasso))
    }

    /// The run along a lasso; the values of dead variables come from the solver.
    fn close<S: Sink>(&mut self, lasso: Lasso, sink: &mut S) -> Result<Next<Stage>, UnknownReason> {
        if let Some(states) = self.run_along(&lasso)? {
            let back = (lasso.stem, None);
            let certificate = run::certificate(&self.model, &self.product, &lasso.edges, &states, back)?;
            sink.event(lasso::Event::LassoClosed { length: number(lasso.edges.len()) });
            return Ok(Break(Box::new(done(Verdict::Violated, Some(certificate), sink))));
        }
        if !self.states.are_sets() {
            return Err(UnknownReason::Solver);
        }
        match lasso.longer() {
            Some(longer) => Ok(Continue(Stage::Close(longer))),
            None if self.others.is_none() => Ok(Continue(Stage::Explore(0))),
            None => self.other(sink),
        }
    }

    /// Explores the graph, for lassos through its accepting vertices.
    fn explore<S: Sink>(&mut self, v: Vertex, sink: &mut S) -> Result<Next<Stage>, UnknownReason> {
        if v < self.graph.out.len().min(EXPLORED) {
            if self.graph.out[v].is_none() {
                self.expand(v, sink)?;
            }
            return Ok(Continue(Stage::Explore(v + 1)));
        }
        let accepting = (0..v).filter(|v| self.graph.accepting[*v]);
        let steps = |v: Vertex| Some(Steps { stem: self.graph.path(0, v)?, cycle: self.graph.path(v, v)? });
        let lassos = accepting.filter_map(steps).take(OTHERS).map(|steps| self.lasso(&steps));
        self.others = Some(lassos.collect());
        self.other(sink)
    }

    fn other<S: Sink>(&mut self, sink: &mut S) -> Result<Next<Stage>, UnknownReason> {
        let other = self.others.as_mut().and_then(VecDeque::pop_front);
        other.map(|lasso| Self::found(lasso, sink)).ok_or(UnknownReason::Aperiodic)
    }

    /// The states of a run along a lasso that closes its cycle. Of a time net, one whose cycle takes time is preferred.
    fn run_along(&mut self, lasso: &Lasso) -> Result<Option<Vec<State>>, UnknownReason> {
        let encoding = &mut self.states.shared().symbolic.encoding;
        let (mut assertions, values) = encoding.along(&self.product.system, &lasso.edges);
        assertions.extend(self.states.conditions(&lasso.visited, &values, lasso.stem));
        let cycle = [&values[lasso.stem][..], &values[values.len() - 1]];
        let takes_time = match &mut self.states {
            States::Zones(zones) => Some(vec![zones.takes_time(cycle)]),
            States::Concrete(_) => None,
        };
        let shared = self.states.shared();
        let mut solver = Solver::new(shared.limits);
        let terms = &mut shared.symbolic.encoding.terms;
        assertions.into_iter().for_each(|a| solver.assert(terms, a));
        for assumed in takes_time.into_iter().chain([Vec::new()]) {
            match solver.check(terms, &assumed) {
                Answer::Sat(model) => {
                    return Ok(Some(values.iter().map(|values| model.eval_all(terms, values)).collect()));
                }
                Answer::Unsat => {}
                Answer::Unknown(_) => return Err(UnknownReason::Solver),
            }
        }
        Ok(None)
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
                    Stage::Expand(v) => e.expand(v, sink).map(|()| Continue(Stage::Search)),
                    Stage::Close(lasso) => e.close(lasso, sink),
                    Stage::Explore(v) => e.explore(v, sink),
                };
                next.unwrap_or_else(|why| stop(why, sink))
            },
        )
    }
}
