//! Abstraction refinement for linear temporal logic ("CEGAR-based LTL model checking", section 3.4).
//!
//! ```text
//! product of the system and the automaton of the negated formula
//! loop
//!   Search: nested depth-first search, or components, over abstract states that are computed on demand
//!           no accepting lasso → holds
//!   Traverse: is there a concrete run along the stem and once around the cycle?
//!             no → refine with interpolants of that path
//!   Close: is there one whose state is the same at both ends of the cycle? → violated
//!          no → is there a recurrent set of the cycle? → violated
//!          no → the cycle is refined
//! ```
//!
//! The abstract states are those of [`Cegar`] over the product, in any of its domains. Nodes with the same abstract
//! state are merged, so the graph is finite if the domain is.

mod close;
mod fair;
mod progress;
mod rank;
mod recur;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow::Continue;
use std::sync::Arc;
use std::task::Poll;

use solver_lite::term::Term;
use solver_lite::{Answer as Checked, Limits, Model};

use crate::buchi::emptiness::{Explored, Progress, Search, Steps, Vertex};
use crate::expr::to_term;
use crate::kit::{Answer, Cx, Engine, NodeId, Sink, UnknownReason, drive};
use crate::methods::cegar::path::PathFormula;
use crate::methods::cegar::{
    Cegar, Letters, NodeStatus, Refinement, Slice, Split, Stage as Inner, Steps as Single, Strategy,
};
use crate::methods::outcome::{Next, Outcome, stop};
use crate::methods::shared::number;
use crate::methods::{cegar, lasso};
use crate::system::{Blocks, EdgeId, System, VarId};
use crate::temporal::Product;
use fair::{Directions, Edge, Fair};
use rank::Measure;

/// The next stage of the engine.
#[derive(Clone, Default)]
enum Stage {
    /// Begin a round with a fresh iteration number.
    #[default]
    Begin,
    /// Continue the search.
    Search,
    /// Compute the successors of this node.
    Expand(NodeId, Box<Inner>),
    /// Check whether the child of the node with this number is covered.
    Cover(NodeId, usize),
    /// Determine whether these edges decrease the measures.
    Direct(Vec<(usize, Edge)>),
    /// Check the lasso on the concrete system.
    Traverse(Box<AbstractLasso>),
    /// Check whether the cycle closes.
    Close(Box<Traversed>),
    /// Refine a cycle that does not close.
    RefineCycle(Box<Traversed>),
    /// Refine with interpolants of an infeasible path; were automaton guards added to its steps?
    Explain(Box<PathFormula>, bool),
}

/// An accepting lasso of abstract states.
#[derive(Clone, Debug)]
struct AbstractLasso {
    /// The nodes from the root on; the last one has the state of the one where the cycle begins.
    nodes: Vec<NodeId>,
    /// The position where the cycle begins.
    back: usize,
}

/// A lasso whose stem and cycle a concrete run follows once.
#[derive(Clone)]
struct Traversed {
    path: PathFormula,
    back: usize,
    model: Model,
    /// Does the path contain the guards of the automaton?
    read: bool,
}

/// The engine.
#[derive(Clone)]
pub(crate) struct LassoCegar {
    cegar: Cegar,
    model: Arc<System>,
    product: Arc<Product>,
    /// By location of the product: the live variables, those of the automaton included.
    live: Vec<BTreeSet<VarId>>,
    /// The graph of the nodes that are not covered.
    graph: Explored,
    /// By node: the children for its successors in the graph, covered ones included.
    children: Vec<Vec<NodeId>>,
    /// Ranking functions of cycles, and the effect of the edges of the graph on them.
    measures: Vec<Measure>,
    directions: Directions,
    /// How often each cycle did not close.
    unclosed: BTreeMap<Vec<EdgeId>, u32>,
    search: Search,
    stage: Next<Stage>,
}

/// The root of every graph.
const ROOT: Vertex = 0;

impl LassoCegar {
    /// A run on the product of `model` with the Büchi automaton of the negated formula.
    ///
    /// # Errors
    /// Why the strategy cannot be used, in words.
    pub(crate) fn new(
        model: Arc<System>,
        product: Arc<Product>,
        strategy: Strategy,
        limits: Limits,
    ) -> Result<LassoCegar, String> {
        let strategy = Strategy { slice: Slice::Off, steps: Single::Single, ..strategy };
        let (emptiness, letters) = (strategy.emptiness, strategy.letters);
        let system = match letters {
            Letters::Exact => Arc::clone(&product.system),
            Letters::Abstract => Arc::new(product.without_guards()),
        };
        let live = product.system.live();
        let mut cegar = Cegar::new(system, strategy, limits)?;
        if letters == Letters::Abstract {
            cegar.keep(product.read_values());
        }
        Ok(LassoCegar {
            cegar,
            model,
            live,
            product,
            graph: Explored::default(),
            children: Vec::new(),
            measures: Vec::new(),
            directions: Directions::default(),
            unclosed: BTreeMap::new(),
            search: Search::new(emptiness, ROOT),
            stage: Continue(Stage::Begin),
        })
    }

    /// The abstraction over the product.
    #[must_use]
    pub(crate) fn cegar(&self) -> &Cegar {
        &self.cegar
    }

    fn begin<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        self.cegar.begin(sink).map_continue(|_| ())?;
        self.graph = Explored::default();
        self.children.clear();
        self.directions.clear();
        self.search = Search::new(self.cegar.strategy.emptiness, ROOT);
        self.notice();
        Continue(Stage::Search)
    }

    /// Makes room for all nodes in the graph.
    fn notice(&mut self) {
        for node in &self.cegar.arg.nodes()[self.graph.out.len()..] {
            self.graph.add(self.product.accepting[node.state.location.index()]);
            self.children.push(Vec::new());
        }
    }

    fn search<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        if !self.measures.is_empty() {
            return self.search_fair(sink);
        }
        match self.search.step(&self.graph) {
            Progress::Needs(v) => {
                let node = NodeId::new(v);
                sink.event(cegar::Event::NodeSelected { node });
                Continue(Stage::Expand(node, Box::new(Inner::Expand(node, 0))))
            }
            Progress::Coloured(v, colour) => {
                sink.event(lasso::Event::Coloured { node: NodeId::new(v), colour });
                Continue(Stage::Search)
            }
            Progress::Moved => Continue(Stage::Search),
            Progress::Found(steps) => Continue(Stage::Traverse(Box::new(self.found(&steps, sink)))),
            Progress::Empty => {
                let parts = self.graph.components(ROOT);
                let ranks =
                    parts.of.iter().enumerate().filter_map(|(v, c)| Some((v, vec![(*c)?.to_string()])));
                let ranks = ranks.collect();
                self.holds(&ranks, sink)
            }
        }
    }

    /// The same if there are ranking functions: needs the whole graph, and the effect of its edges on the measures.
    fn search_fair<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        if let Some(v) = self.unexplored() {
            let node = NodeId::new(v);
            sink.event(cegar::Event::NodeSelected { node });
            return Continue(Stage::Expand(node, Box::new(Inner::Expand(node, 0))));
        }
        let open = self.undirected();
        if open.is_empty() { self.judge(sink) } else { Continue(Stage::Direct(open)) }
    }

    /// Determines the effect of one of these edges on a measure; after the last one, judges the graph.
    fn ask_direction<S: Sink>(&mut self, mut open: Vec<(usize, Edge)>, sink: &mut S) -> Next<Stage> {
        match open.pop() {
            Some((measure, edge)) => {
                self.direct(measure, edge);
                Continue(Stage::Direct(open))
            }
            None => self.judge(sink),
        }
    }

    fn judge<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        match self.fair() {
            Fair::Lasso(steps) => Continue(Stage::Traverse(Box::new(self.found(&steps, sink)))),
            Fair::Ranks(ranks) => self.holds(&ranks, sink),
        }
    }

    /// The nodes of a lasso.
    fn found<S: Sink>(&self, steps: &Steps, sink: &mut S) -> AbstractLasso {
        let all = steps.stem.iter().chain(&steps.cycle);
        let child = |(v, i): &(Vertex, usize)| self.children[*v][*i];
        let nodes: Vec<NodeId> = std::iter::once(NodeId::new(ROOT)).chain(all.map(child)).collect();
        let back = steps.stem.len();
        sink.event(lasso::Event::LassoFound { back: number(back), length: number(nodes.len() - 1) });
        for (i, node) in nodes.iter().enumerate() {
            sink.event(lasso::Event::LassoVisited { position: number(i), node: *node });
        }
        AbstractLasso { nodes, back }
    }

    fn expand<S: Sink>(&mut self, node: NodeId, inner: Inner, sink: &mut S) -> Next<Stage> {
        let next = match inner {
            Inner::Expand(node, at) => self.cegar.expand(node, at, sink)?,
            Inner::Enumerate(listing) => self.cegar.enumerate(listing, sink)?,
            _ => unreachable!("a node is being expanded"),
        };
        match next {
            Inner::Select => {
                self.notice();
                Continue(Stage::Cover(node, 0))
            }
            next => Continue(Stage::Expand(node, Box::new(next))),
        }
    }

    /// A new node with the same state as another one is covered by it. (If a weaker one covered it, the state of the
    /// new node could not exclude paths that continue from the weaker one.) The root covers no node.
    fn cover<S: Sink>(&mut self, node: NodeId, at: usize, sink: &mut S) -> Next<Stage> {
        let arg = &self.cegar.arg;
        let Some(&child) = arg.node(node).children.get(at) else {
            let by = |c: &NodeId| match arg.node(*c).status {
                NodeStatus::Covered(by) => Some(by),
                _ => None,
            };
            let edges = self.cegar.system.out_edges(arg.node(node).state.location);
            let number =
                |c: &NodeId| edges.iter().position(|e| arg.node(*c).from.is_some_and(|(_, f)| f == *e));
            // Among several successors by one edge, new ones come first.
            let mut children = arg.node(node).children.clone();
            children.sort_by_key(|c| (number(c), by(c).is_some(), *c));
            let resolved = children.iter().map(|c| by(c).unwrap_or(*c).index()).collect();
            self.graph.out[node.index()] = Some(resolved);
            self.children[node.index()] = children;
            return Continue(Stage::Search);
        };
        let candidates = arg.neighbours(child).to_vec();
        if self.cegar.strategy.letters == Letters::Abstract && !self.reads(child, sink) {
            self.cegar.arg.prune(child);
            sink.event(cegar::Event::Pruned { node: child });
            return Continue(Stage::Cover(node, at));
        }
        let same = |by: &NodeId| {
            let other = self.cegar.arg.node(*by);
            let covered = matches!(other.status, NodeStatus::Covered(_));
            *by != child && by.index() != ROOT && !covered && other.state == self.cegar.arg.node(child).state
        };
        if let Some(by) = candidates.into_iter().find(same) {
            self.cegar.arg.set(child, NodeStatus::Covered(by));
            sink.event(cegar::Event::NodeCovered { node: child, by });
        }
        Continue(Stage::Cover(node, at + 1))
    }

    /// Does the automaton have a step for some state of this node?
    fn reads<S: Sink>(&mut self, node: NodeId, sink: &mut S) -> bool {
        let (_, edge) = self.cegar.arg.node(node).from.expect("it is a child");
        let encoding = &mut self.cegar.encoding;
        let current: Vec<Term> = self.product.system.var_ids().map(|v| encoding.current(v)).collect();
        let Some(guard) = &self.product.guards[edge.index()] else { return true };
        let guard = to_term(guard, &mut encoding.terms, &mut |v| current[v.index()]);
        if guard == Term::TRUE {
            return true;
        }
        let state = self.cegar.arg.node(node).state.clone();
        let parts = [
            ("state", self.cegar.encoding.meaning(&state)),
            ("invariant", self.cegar.encoding.always),
            ("letter", guard),
        ];
        let what = "Does the automaton have a transition for some state of this node?";
        self.cegar.report_question(sink, what, parts);
        let answer = self.cegar.answer(&parts);
        sink.event(lasso::Event::LetterChecked { node, answer });
        answer != Answer::Unsat
    }

    fn traverse<S: Sink>(&mut self, lasso: AbstractLasso, sink: &mut S) -> Next<Stage> {
        let mut path = self.cegar.path_formula(lasso.nodes);
        match self.cegar.traverse(&mut path, sink) {
            Some(Checked::Unsat) => match self.cycle_alone(&path, lasso.back) {
                Some(cycle) if self.rank(&cycle, sink) => Continue(Stage::Search),
                _ => Continue(Stage::Explain(Box::new(path), false)),
            },
            Some(Checked::Sat(model)) => {
                let read = self.cegar.strategy.letters == Letters::Exact;
                Continue(Stage::Close(Box::new(Traversed { path, back: lasso.back, model, read })))
            }
            _ => stop(UnknownReason::Solver, sink),
        }
    }

    /// Refines the precision with the interpolants of an infeasible path, and starts the next iteration. If they add
    /// nothing, the sequence of whole interpolants is used: with these as predicates the path is excluded.
    fn explain<S: Sink>(&mut self, path: &PathFormula, spelled: bool, sink: &mut S) -> Next<Stage> {
        let (refinement, split) = (self.cegar.strategy.refinement, self.cegar.strategy.split);
        let mut ways = vec![(refinement, split), (Refinement::Seq, split), (Refinement::Seq, Split::Whole)];
        ways.dedup();
        let mut grown = Some(false);
        for (refinement, split) in ways {
            if grown == Some(false) {
                (self.cegar.strategy.refinement, self.cegar.strategy.split) = (refinement, split);
                grown = self.track_interpolants(path, sink);
            }
        }
        (self.cegar.strategy.refinement, self.cegar.strategy.split) = (refinement, split);
        match grown {
            Some(true) => self.again(sink),
            // The path is excluded by the guards that were added to its steps.
            Some(false) if spelled => self.again(sink),
            Some(false) => stop(UnknownReason::NoProgress, sink),
            None => stop(UnknownReason::Interpolation, sink),
        }
    }

    /// Does an interpolant refine the precision? `None` if there are none.
    fn track_interpolants<S: Sink>(&mut self, path: &PathFormula, sink: &mut S) -> Option<bool> {
        let interpolants = self.cegar.interpolants(path, sink)?;
        let mut grown = false;
        for (cut, (node, interpolant)) in path.nodes.iter().zip(interpolants).enumerate() {
            let formula = self.cegar.formula(sink, |e| e.text(interpolant));
            sink.event(cegar::Event::Interpolated { cut: number(cut), node: *node, formula });
            // The label of the root is always `true`.
            if cut > 0 {
                grown |= self.track(*node, interpolant, sink);
            }
        }
        Some(grown)
    }

    /// Adds the guards of the automaton to these steps; is that new for any of them?
    fn spell(&mut self, edges: &[EdgeId]) -> bool {
        let cegar = &mut self.cegar;
        let mut system = (*cegar.system).clone();
        let mut new = false;
        for e in edges {
            let (op, exact) = (&mut system.edges[e.index()].op, &self.product.system.edge(*e).op);
            new |= op != exact;
            op.clone_from(exact);
        }
        cegar.blocks = Arc::new(Blocks::none(&Arc::new(system)).with_live(cegar.blocks.live.clone()));
        cegar.system = Arc::clone(&cegar.blocks.system);
        for e in edges {
            cegar.encoding.spell(&cegar.system, *e, &cegar.blocks.live);
        }
        new
    }

    /// Refines the precision with a formula at a node; is that new there?
    fn track<S: Sink>(&mut self, node: NodeId, formula: Term, sink: &mut S) -> bool {
        let location = self.cegar.arg.node(node).state.location;
        let place = self.cegar.encoding.precision.place(location);
        let finds = self.cegar.finds(formula, place);
        finds.into_iter().fold(false, |grown, find| self.cegar.track(find, place, sink) | grown)
    }

    fn again<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        self.cegar.prune_all(sink);
        Continue(Stage::Begin)
    }
}

impl Engine for LassoCegar {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        drive(
            self,
            cx,
            |e| &mut e.stage,
            |e, stage, sink| match stage {
                Stage::Begin => e.begin(sink),
                Stage::Search => e.search(sink),
                Stage::Expand(node, inner) => e.expand(node, *inner, sink),
                Stage::Cover(node, at) => e.cover(node, at, sink),
                Stage::Direct(open) => e.ask_direction(open, sink),
                Stage::Traverse(lasso) => e.traverse(*lasso, sink),
                Stage::Close(lasso) => e.close(*lasso, sink),
                Stage::RefineCycle(lasso) => e.refine_cycle(&lasso, sink),
                Stage::Explain(path, spelled) => e.explain(&path, spelled, sink),
            },
        )
    }
}
