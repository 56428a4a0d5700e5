//! Explicit search of Petri nets, on packed markings.
//!
//! ```text
//! add the initial marking to the queue
//! while a marking is in the queue
//!   for each marking after one of its firings
//!     it violates the property → violated
//!     it is new → add it to the queue
//!   from time to time: the markings expanded so far decide the formula of branching time → that is the verdict
//! holds, or a formula of branching time is evaluated on the graph of all markings
//! ```
//!
//! A large net is reduced first, and walks towards a violation come before the search. Only the transitions of stubborn
//! sets are fired, unless the question is a formula of branching time.
//!
//! The search is that of [`Explorer`], which is breadth-first, so a violation that it finds is a shortest run. The
//! first markings are reported one by one; of the others only their number is reported.

use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::task::Poll;

use solver_lite::number::Q;
use solver_lite::term::Value;

use crate::certificate::{Certificate, TraceState};
use crate::ctl::Ctl;
use crate::expr::Expr;
use crate::formats::net::edge_of;
use crate::kit::{
    Arrival, Cx, Engine, Event as Kit, FormulaId, IterationCounts, Label, NodeId, Sink, UnknownReason,
    Verdict, drive,
};
use crate::methods::explicit::{Event, ExplicitOptions, Reduce};
use crate::methods::outcome::{Next, Outcome, done, stop};
use crate::net::branching::{Branching, FIRST, NoValue};
use crate::net::condition::Condition;
use crate::net::explore::{Explorer, Keep, Stopped};
use crate::net::reduce::{Goal, Reduced, Reducer};
use crate::net::stubborn::{Guide, Stubborn, Target};
use crate::net::timed::encoding as timed;
use crate::net::walk::{Walked, Walks};
use crate::net::{Net, PlaceId, TransitionId};
use crate::system::{EdgeId, LocationId, State, System, VarId};

/// What is asked about the markings of a net.
#[derive(Clone, Debug)]
pub(crate) enum Question {
    /// Is a marking reachable that satisfies this condition?
    Reach(Condition),
    /// Is a marking reachable within this time that satisfies this condition?
    Within(Condition, u32),
    /// Is a dead marking reachable?
    Deadlock,
    /// Does the initial marking satisfy this formula, which has this text?
    Branching(Box<Ctl>, String),
}

impl Question {
    /// What structural reductions have to preserve.
    fn goal(&self) -> Goal {
        match self {
            Question::Reach(condition) | Question::Within(condition, _) => {
                Goal::Condition(condition.places())
            }
            Question::Deadlock => Goal::Dead,
            Question::Branching(formula, _) => {
                let places = |e: &&Expr| Condition::of(e).places();
                Goal::Formula(formula.conditions().iter().flat_map(places).collect())
            }
        }
    }

    /// What is searched for, if stubborn sets preserve it.
    pub(crate) fn target(&self, net: &Net) -> Option<Target> {
        match self {
            Question::Reach(condition) => Some(Target::Condition(Guide::new(net, condition))),
            Question::Deadlock => Some(Target::Dead),
            Question::Within(..) | Question::Branching(..) => None,
        }
    }

    /// The goal of bounded model checking of a time net.
    pub(crate) fn timed_goal(&self) -> Option<timed::Goal> {
        match self {
            Question::Reach(condition) => Some(timed::Goal::Marking(condition.clone(), None)),
            Question::Within(condition, time) => Some(timed::Goal::Marking(condition.clone(), Some(*time))),
            Question::Deadlock => Some(timed::Goal::Deadlock),
            Question::Branching(..) => None,
        }
    }
}

/// The greatest number of markings, and of those in a graph whose edges are kept.
const MARKINGS: usize = 100_000_000;
const GRAPH: usize = 20_000_000;
/// The number of markings that are reported one by one.
pub(crate) const SHOWN: usize = 2_000;
/// The number of markings that are expanded in one step after those.
const STEP: usize = 512;
/// The number of transitions from which on a net is large.
const LARGE: usize = 100;
/// The number of steps of walks that are one step of the search.
const WALKED: usize = 16;

#[derive(Clone, Default)]
enum Stage {
    #[default]
    Start,
    Reduce,
    Walk,
    Expand,
    Evaluate,
}

/// The engine.
#[derive(Clone)]
pub(crate) struct NetSearch {
    /// With the error location of the property, if it is one of reachability.
    system: Arc<System>,
    net: Arc<Net>,
    options: ExplicitOptions,
    /// Before the search, if the net is to be reduced.
    reducer: Option<Box<Reducer>>,
    /// The net that is searched instead.
    reduced: Option<Arc<Reduced>>,
    question: Arc<Question>,
    /// It is prepared when the net is reduced.
    search: Explorer,
    /// In a large net, walks come first.
    walks: Option<Box<Walks>>,
    /// The number of expanded markings at which a formula is evaluated.
    evaluate_at: usize,
    /// Why the search ended before all markings were known.
    ended: Option<UnknownReason>,
    iterations: Vec<IterationCounts>,
    stage: Next<Stage>,
}

impl NetSearch {
    /// A search before its first step.
    pub(crate) fn new(
        system: &Arc<System>,
        net: &Arc<Net>,
        question: &Arc<Question>,
        options: ExplicitOptions,
    ) -> NetSearch {
        let is_large = net.transitions.len() >= LARGE;
        let wanted = options.reduce == Reduce::All || options.reduce == Reduce::Large && is_large;
        let (search, walks) = match wanted {
            true => (Explorer::new(net, &vec![1; net.places.len()], Keep::Markings), None),
            false => prepared(net, question, options, is_large),
        };
        NetSearch {
            system: Arc::clone(system),
            net: Arc::clone(net),
            options,
            reducer: wanted.then(|| Box::new(Reducer::new(net, &question.goal()))),
            reduced: None,
            question: Arc::clone(question),
            search,
            walks,
            evaluate_at: FIRST,
            ended: None,
            iterations: Vec::new(),
            stage: Continue(Stage::Start),
        }
    }

    /// Counts of the search so far.
    pub(crate) fn iterations(&self) -> &[IterationCounts] {
        &self.iterations
    }

    fn start<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        self.iterations.push(IterationCounts::default());
        sink.event(Kit::IterationStarted { iteration: 1 });
        if self.reducer.is_some() { Continue(Stage::Reduce) } else { self.begin(sink) }
    }

    /// Tries each reduction everywhere once more; when none applies any more, the search begins.
    fn reduce<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        if self.reducer.as_mut().is_some_and(|reducer| reducer.pass()) {
            return Continue(Stage::Reduce);
        }
        let reduced = self.reducer.take().map(|reducer| reducer.finish(&self.net));
        let reduced = reduced.filter(|reduced| !reduced.rules.is_empty());
        let net = reduced.as_ref().map_or(&*self.net, |reduced| &reduced.net);
        let is_large = self.net.transitions.len() >= LARGE;
        (self.search, self.walks) = prepared(net, &self.question, self.options, is_large);
        if let Some(reduced) = reduced {
            let (places, transitions) = (reduced.places().len(), reduced.net.transitions.len());
            let (places, transitions) = (whole(places as u64), whole(transitions as u64));
            let rules = whole(reduced.rules.len() as u64);
            sink.event(Event::NetReduced { places, transitions, rules });
            self.reduced = Some(Arc::new(reduced));
        }
        self.begin(sink)
    }

    fn begin<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        let initial = self.searched().initial();
        reached(&self.net, 0, None, &|p| initial[p.index()], sink);
        self.count();
        if let Question::Reach(bad) = &*self.question {
            match bad.holds(&|p| initial[p.index()]) {
                None => return stop(UnknownReason::Solver, sink),
                Some(true) => return self.violated(0, sink),
                Some(false) => {}
            }
        }
        Continue(if self.walks.is_some() { Stage::Walk } else { Stage::Expand })
    }

    /// Walks on.
    fn walk<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        let Some(walks) = &mut self.walks else { return Continue(Stage::Expand) };
        for _ in 0..WALKED {
            let walked = walks.step(self.reduced.as_ref().map_or(&self.net, |reduced| &reduced.net));
            if walked == Walked::On {
                continue;
            }
            let steps = whole(walks.steps() as u64);
            sink.event(Event::WalksEnded { steps, found: matches!(walked, Walked::Found(_)) });
            if let Walked::Found(path) = walked {
                return self.conclude(&path, sink);
            }
            self.walks = None;
            return Continue(Stage::Expand);
        }
        Continue(Stage::Walk)
    }

    fn count(&mut self) {
        let counts = self.iterations.last_mut().expect("the search has begun");
        counts.concrete = u32::try_from(self.search.len()).unwrap_or(u32::MAX);
        counts.nodes = counts.concrete;
    }

    /// Expands the next marking, or the next ones.
    fn expand<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        let steps = if self.search.expanded() < SHOWN { 1 } else { STEP };
        let limit = if self.search.graph().is_some() { GRAPH } else { MARKINGS };
        for _ in 0..steps {
            if self.search.is_complete() {
                return self.complete(sink);
            }
            if self.search.len() > limit {
                return self.exhausted(UnknownReason::TooMany, sink);
            }
            if let Err(ended) = self.expand_one(sink) {
                return ended;
            }
        }
        self.count();
        if steps > 1 {
            self.search.forget_numbers();
            let states = u32::try_from(self.search.len()).unwrap_or(u32::MAX);
            sink.event(Event::StatesFound { states });
        }
        if self.search.graph().is_some() && self.search.expanded() >= self.evaluate_at {
            self.evaluate_at *= 2;
            return Continue(Stage::Evaluate);
        }
        Continue(Stage::Expand)
    }

    fn expand_one<S: Sink>(&mut self, sink: &mut S) -> Result<(), Next<Stage>> {
        let (original, reduced, question) = (&self.net, self.reduced.as_deref(), &*self.question);
        let net = reduced.map_or(&**original, |reduced| &reduced.net);
        let at = self.search.expanded();
        let (mut violation, mut undefined, mut next) = (None, false, self.search.len());
        let expanded = self.search.expand(net, |found| {
            let number = found.to.unwrap_or(usize::MAX);
            if found.from < SHOWN && number < SHOWN {
                // Of a sequence of transitions, the first one is shown.
                let first = reduced.and_then(|of| of.sequences[found.transition.index()].first().copied());
                let fired = first.unwrap_or(found.transition);
                let arrival = Arrival::new((NodeId::new(found.from), edge_of(fired)));
                if found.is_new {
                    reached(net, number, Some(arrival), &|p| found.tokens(p), sink);
                } else {
                    sink.event(Event::StateKnown { state: NodeId::new(number), from: arrival });
                }
            }
            if found.is_new {
                if let Question::Reach(bad) = question {
                    match bad.holds(&|p| found.tokens(p)) {
                        Some(true) => violation = violation.or(Some(next)),
                        Some(false) => {}
                        None => undefined = true,
                    }
                }
                next += 1;
            }
        });
        if at < SHOWN && violation.is_none() {
            sink.event(Event::StateExpanded { state: NodeId::new(at) });
        }
        match expanded {
            Err(Stopped::Limit) => Err(stop(UnknownReason::TooMany, sink)),
            Err(Stopped::Tokens) => Err(self.exhausted(UnknownReason::Tokens, sink)),
            Ok(_) if undefined => Err(stop(UnknownReason::Solver, sink)),
            Ok(true) if matches!(question, Question::Deadlock) => Err(self.violated(at, sink)),
            Ok(_) => match violation {
                Some(marking) => Err(self.violated(marking, sink)),
                None => Ok(()),
            },
        }
    }

    /// No more markings can be expanded; those so far may decide a formula.
    fn exhausted<S: Sink>(&mut self, reason: UnknownReason, sink: &mut S) -> Next<Stage> {
        if self.search.graph().is_none() {
            return stop(reason, sink);
        }
        self.ended = Some(reason);
        Continue(Stage::Evaluate)
    }

    /// All markings are known.
    fn complete<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        self.count();
        if self.search.len() > SHOWN {
            sink.event(Event::StatesFound { states: whole(self.search.len() as u64) });
        }
        self.report_left_out(sink);
        match &*self.question {
            Question::Branching(..) => Continue(Stage::Evaluate),
            Question::Within(..) => unreachable!("deadlines are about time nets"),
            Question::Reach(_) | Question::Deadlock => {
                Break(Box::new(done(Verdict::Holds, Some(self.explored(true)), sink)))
            }
        }
    }

    /// Evaluates the formula in the markings so far.
    fn evaluate<S: Sink>(&mut self, sink: &mut S) -> Next<Stage> {
        let (Question::Branching(formula, text), Some(graph)) =
            (&*self.question, Branching::new(&self.search))
        else {
            unreachable!("formulas are evaluated on graphs")
        };
        match graph.decided(formula) {
            Err(NoValue) => stop(UnknownReason::Solver, sink),
            Ok((None, _)) => match self.ended {
                Some(reason) => stop(reason, sink),
                None => Continue(Stage::Expand),
            },
            Ok((Some(satisfied), states)) => {
                let open = whole((self.search.len() - self.search.expanded()) as u64);
                sink.formula(FormulaId(0), || text.clone());
                let states = whole(states as u64);
                sink.event(Event::FormulaEvaluated { formula: FormulaId(0), states, open });
                let verdict = if satisfied { Verdict::Holds } else { Verdict::Violated };
                Break(Box::new(done(verdict, Some(self.explored(satisfied)), sink)))
            }
        }
    }

    fn explored(&self, satisfied: bool) -> Certificate {
        let reduced = self.search.left_out() > 0;
        let rules = self.reduced.as_ref().map_or_else(Vec::new, |reduced| reduced.rules.clone());
        let partial = !self.search.is_complete();
        Certificate::Explored { markings: self.search.expanded() as u64, partial, satisfied, reduced, rules }
    }

    /// The net that is searched.
    fn searched(&self) -> &Net {
        self.reduced.as_ref().map_or(&self.net, |reduced| &reduced.net)
    }

    /// A run of the net that is searched is one of the system that violates the property. In the system, a place that
    /// was left out can have too many tokens.
    fn conclude<S: Sink>(&self, path: &[TransitionId], sink: &mut S) -> Next<Stage> {
        let certificate = match &self.reduced {
            Some(reduced) => run(&self.system, &self.net, &reduced.lifted(path)),
            None => run(&self.system, &self.net, path),
        };
        match certificate {
            Some(certificate) => Break(Box::new(done(Verdict::Violated, Some(certificate), sink))),
            None => stop(UnknownReason::Tokens, sink),
        }
    }

    /// Reports how many firings stubborn sets left out.
    fn report_left_out<S: Sink>(&self, sink: &mut S) {
        if self.search.left_out() > 0 {
            let (fired, left_out) = (whole(self.search.firings()), whole(self.search.left_out()));
            sink.event(Event::FiringsLeftOut { fired, left_out });
        }
    }

    /// The marking violates the property.
    fn violated<S: Sink>(&mut self, marking: usize, sink: &mut S) -> Next<Stage> {
        self.count();
        self.report_left_out(sink);
        if marking < SHOWN {
            sink.event(Event::ErrorReached { state: NodeId::new(marking) });
        }
        let path = self.search.path(self.searched(), marking);
        self.conclude(&path, sink)
    }
}

/// A search of a net before its first step, and the walks that come before it if the net is large.
fn prepared(
    net: &Net,
    question: &Question,
    options: ExplicitOptions,
    is_large: bool,
) -> (Explorer, Option<Box<Walks>>) {
    let keep = if matches!(question, Question::Branching(..)) { Keep::Graph } else { Keep::Numbers };
    let search = Explorer::new(net, &vec![1; net.places.len()], keep);
    let target = if options.stubborn { question.target(net) } else { None };
    let Some(sets) = target.map(|target| Stubborn::new(net, target)) else { return (search, None) };
    let walks = is_large.then(|| Box::new(Walks::new(net, sets.clone())));
    (search.reduced(sets), walks)
}

/// A number in an event.
fn whole(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Reports a marking.
fn reached<S: Sink>(
    net: &Net,
    number: usize,
    from: Option<Arrival>,
    tokens: &dyn Fn(PlaceId) -> u32,
    sink: &mut S,
) {
    let state = NodeId::new(number);
    sink.state(state, || {
        let value = |p: PlaceId| match tokens(p) {
            0 => None,
            tokens => Some((VarId(p.0), tokens.to_string())),
        };
        let values = net.place_ids().filter_map(value).collect();
        Label { location: LocationId::new(1), values, literals: Vec::new(), either: Vec::new() }
    });
    sink.event(Event::StateReached { state, from });
}

/// A firing sequence as a run of the system, up to its error location; none if it cannot be fired.
pub(crate) fn run(system: &System, net: &Net, path: &[TransitionId]) -> Option<Certificate> {
    let state = |marking: &[u32]| -> State {
        marking.iter().map(|tokens| Value::Num(Q::from(i64::from(*tokens)))).collect()
    };
    let mut marking = net.initial();
    let mut states = vec![
        TraceState::new(system, None, &state(&marking)),
        TraceState::new(system, Some(EdgeId::new(0)), &state(&marking)),
    ];
    for t in path {
        if !net.is_enabled(&marking, *t) || net.fire(&mut marking, *t).is_err() {
            return None;
        }
        states.push(TraceState::new(system, Some(edge_of(*t)), &state(&marking)));
    }
    let last = system.edge_ids().find(|e| Some(system.edge(*e).target) == system.error);
    states.extend(last.map(|edge| TraceState::new(system, Some(edge), &state(&marking))));
    Some(Certificate::Trace { states })
}

impl Engine for NetSearch {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        drive(
            self,
            cx,
            |e| &mut e.stage,
            |e, stage, sink| match stage {
                Stage::Start => e.start(sink),
                Stage::Reduce => e.reduce(sink),
                Stage::Walk => e.walk(sink),
                Stage::Expand => e.expand(sink),
                Stage::Evaluate => e.evaluate(sink),
            },
        )
    }
}
