//! Explicit search for accepting lassos: concrete states of the product with an automaton are computed on demand by the
//! search for an accepting cycle. It is the baseline for abstraction.

use std::collections::BTreeMap;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::task::Poll;

use solver_lite::term::Term;
use solver_lite::{Answer, Limits, Solver};

use super::{Explicit, one_of};
use crate::buchi::emptiness::{Explored, Progress, Search, Steps, Vertex};
use crate::certificate::Certificate;
use crate::encoding::equal;
use crate::kit::{Cx, Engine, NodeId, Sink, UnknownReason, Verdict, drive};
use crate::methods::cegar::Emptiness;
use crate::methods::lasso::progress::certificate;
use crate::methods::lasso::run;
use crate::methods::outcome::{Next, Outcome, done, stop};
use crate::methods::{explicit, lasso};
use crate::system::{EdgeId, LocationId, State, System};
use crate::temporal::Product;

#[derive(Clone, Default)]
enum Stage {
    #[default]
    Start,
    Search,
    /// The successors of this vertex are needed.
    Expand(Vertex),
}

/// The engine.
#[derive(Clone)]
pub struct ExplicitLasso {
    pub(crate) explicit: Explicit,
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
        ExplicitLasso {
            explicit: Explicit::new(&product.system, limits),
            model: Arc::clone(model),
            product: Arc::clone(product),
            graph: Explored::default(),
            edges: Vec::new(),
            search: Search::new(emptiness, 0),
            stage: Continue(Stage::Start),
        }
    }

    /// Makes room for all states.
    fn notice(&mut self) {
        while self.graph.out.len() <= self.explicit.count() {
            let accepting = match self.graph.out.len() {
                0 => false,
                v => self.product.accepting[self.explicit.location(v - 1).index()],
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
        let initial = self.explicit.begin(sink)?;
        self.known(0, initial.into_iter().map(|s| (None, s)).collect());
        Ok(Continue(Stage::Search))
    }

    fn expand<S: Sink>(&mut self, v: Vertex, sink: &mut S) -> Result<Next<Stage>, UnknownReason> {
        let successors = self.explicit.successors(v - 1, sink)?;
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

    /// The run along a lasso; the values of dead variables come from the solver.
    fn lasso<S: Sink>(&mut self, steps: &Steps, sink: &mut S) -> Result<Certificate, UnknownReason> {
        let way: Vec<(Vertex, usize)> = steps.stem.iter().chain(&steps.cycle).copied().collect();
        let edges: Vec<EdgeId> = way.iter().filter_map(|(v, i)| self.edges[*v][*i]).collect();
        let visited: Vec<usize> =
            way.iter().map(|(v, i)| self.graph.out[*v].as_ref().map_or(0, |out| out[*i]) - 1).collect();
        // The first step is to an initial state.
        let back = steps.stem.len() - 1;
        let number = crate::methods::shared::number;
        sink.event(lasso::Event::LassoFound { back: number(back), length: number(edges.len()) });
        for (i, state) in visited.iter().enumerate() {
            sink.event(lasso::Event::LassoVisited { position: number(i), node: NodeId::new(*state) });
        }
        let system = Arc::clone(&self.product.system);
        let (assertions, values) = self.explicit.shared.symbolic.encoding.along(&system, &edges);
        let mut solver = Solver::new(self.explicit.shared.limits);
        let terms = &mut self.explicit.shared.symbolic.encoding.terms;
        assertions.iter().for_each(|a| solver.assert(terms, *a));
        for (state, values) in visited.iter().zip(&values) {
            for (v, value) in Explicit::recorded(&self.explicit.reached, &self.explicit.live, *state) {
                let same = equal(terms, values[v.index()], &value);
                solver.assert(terms, same);
            }
        }
        let Answer::Sat(model) = solver.check(terms, &[]) else { return Err(UnknownReason::Solver) };
        let states: Vec<State> = values.iter().map(|values| model.eval_all(terms, values)).collect();
        let certificate = run::certificate(&self.model, &self.product, &edges, &states, (back, None))?;
        sink.event(lasso::Event::LassoClosed { length: number(edges.len()) });
        Ok(certificate)
    }

    /// All states, by location and component.
    fn progress(&mut self) -> Option<Certificate> {
        let ranks = self.graph.components(0);
        let mut sets: BTreeMap<(LocationId, usize), Vec<State>> = BTreeMap::new();
        for (v, rank) in ranks.of.iter().enumerate().skip(1) {
            let state = Explicit::recorded(&self.explicit.reached, &self.explicit.live, v - 1);
            let values = state.into_iter().map(|(_, value)| value).collect();
            sets.entry((self.explicit.location(v - 1), (*rank)?)).or_default().push(values);
        }
        let mut nodes = Vec::with_capacity(sets.len());
        for ((location, rank), states) in sets {
            let encoding = &mut self.explicit.shared.symbolic.encoding;
            let live = self.explicit.live[location.index()].iter();
            let of: Vec<Term> = live.map(|v| encoding.current(*v)).collect();
            let formula = one_of(&mut encoding.terms, &of, states);
            nodes.push((location, vec![rank.to_string()], encoding.whole_text(formula)?));
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
