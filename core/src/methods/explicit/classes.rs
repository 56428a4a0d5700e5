//! Explicit search of time nets, on classes of states.
//!
//! ```text
//! add the class of the initial state to the queue
//! while a class is in the queue
//!   for each class after one of its firings
//!     its marking violates the property → violated
//!     it is new → add it to the queue
//! holds
//! ```
//!
//! The classes are those of [`Rule`]. A run along the firings that lead to a violation gets its times from the solver.

use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::task::Poll;

use solver_lite::{Answer, Limits, Solver};

use crate::certificate::Certificate;
use crate::encoding::Encoding;
use crate::encoding::precision::Precision;
use crate::formats::net::edge_of;
use crate::kit::{
    Arrival, Cx, Engine, Event as Kit, IterationCounts, Label, NodeId, Sink, UnknownReason, Verdict, drive,
};
use crate::methods::explicit::Event;
use crate::methods::explicit::net::{Question, SHOWN};
use crate::methods::outcome::{Next, Outcome, done, stop};
use crate::net::timed::classes::{Reached, Rule, Stopped};
use crate::net::timed::{Clocks, Semantics};
use crate::net::{Net, TransitionId};
use crate::system::clocks::{AFTER_WAITING, AT_MARKING};
use crate::system::{Blocks, EdgeId, System, VarId};

/// The greatest number of classes.
const CLASSES: usize = 1_000_000;

#[derive(Clone, Default)]
enum Stage {
    #[default]
    Start,
    /// The next class to be expanded.
    Expand(usize),
}

/// The engine.
#[derive(Clone)]
pub(crate) struct ClassSearch {
    /// With the error location of the property.
    system: Arc<System>,
    net: Arc<Net>,
    clocks: Arc<Clocks>,
    question: Arc<Question>,
    limits: Limits,
    reached: Reached,
    iterations: Vec<IterationCounts>,
    stage: Next<Stage>,
}

/// Where the run of a violation ends.
enum End {
    /// In this marking, without waiting.
    Marking,
    /// When time has passed.
    Waited,
    /// When time has passed, with this edge.
    Edge(EdgeId),
}

impl ClassSearch {
    /// A search before its first step.
    pub(crate) fn new(
        system: &Arc<System>,
        (net, clocks): (&Arc<Net>, &Arc<Clocks>),
        question: &Arc<Question>,
        limits: Limits,
    ) -> ClassSearch {
        ClassSearch {
            system: Arc::clone(system),
            net: Arc::clone(net),
            clocks: Arc::clone(clocks),
            question: Arc::clone(question),
            limits,
            reached: Reached::default(),
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
        let initial = Rule::new(&self.net, &self.clocks).initial();
        self.reached.add(initial, None, false);
        self.report(0, None, sink);
        if let Err(ended) = self.examine(0, sink) { ended } else { Continue(Stage::Expand(0)) }
    }

    fn report<S: Sink>(&mut self, class: usize, from: Option<Arrival>, sink: &mut S) {
        let counts = self.iterations.last_mut().expect("the search has begun");
        counts.nodes = u32::try_from(self.reached.len()).unwrap_or(u32::MAX);
        counts.concrete = counts.nodes;
        if class >= SHOWN {
            return;
        }
        let state = NodeId::new(class);
        sink.state(state, || {
            let marking = &self.reached.class(class).marking;
            let marked = self.net.place_ids().filter(|p| marking[p.index()] > 0);
            let values = marked.map(|p| (VarId(p.0), marking[p.index()].to_string())).collect();
            Label { location: AT_MARKING, values, literals: Vec::new(), either: Vec::new() }
        });
        sink.event(Event::StateReached { state, from });
    }

    /// Does a class violate the property?
    fn examine<S: Sink>(&mut self, class: usize, sink: &mut S) -> Result<(), Next<Stage>> {
        let (reached, question) = (self.reached.class(class), Arc::clone(&self.question));
        let violated = match &*question {
            Question::Reach(bad) => match bad.holds(&|p| reached.marking[p.index()]) {
                None => return Err(stop(UnknownReason::Solver, sink)),
                Some(violated) => violated.then_some(End::Marking),
            },
            Question::Deadlock => match Rule::new(&self.net, &self.clocks).is_stuck(reached) {
                Err(_) => return Err(stop(UnknownReason::TooMany, sink)),
                Ok(false) => None,
                Ok(true) if self.clocks.semantics == Semantics::Transitions => Some(End::Marking),
                Ok(true) => Some(End::Waited),
            },
            Question::Within(..) | Question::Branching(..) => unreachable!("refused before the search"),
        };
        match violated {
            None => Ok(()),
            Some(end) => Err(self.violated(class, &end, sink)),
        }
    }

    /// Computes the classes after one.
    fn expand<S: Sink>(&mut self, at: usize, sink: &mut S) -> Next<Stage> {
        if at == self.reached.len() {
            if self.reached.len() > SHOWN {
                sink.event(Event::StatesFound {
                    states: u32::try_from(self.reached.len()).unwrap_or(u32::MAX),
                });
            }
            return Break(Box::new(done(Verdict::Holds, Some(self.explored()), sink)));
        }
        if self.reached.len() > CLASSES {
            return stop(UnknownReason::TooMany, sink);
        }
        let successors = match Rule::new(&self.net, &self.clocks).successors(self.reached.class(at)) {
            Ok(successors) => successors,
            Err(Stopped::Tokens) => return stop(UnknownReason::Tokens, sink),
            Err(Stopped::Cases) => return stop(UnknownReason::TooMany, sink),
            Err(Stopped::Second(t, p)) => {
                let edge = self.system.second_token(t, p).expect("the property has such edges");
                return self.violated(at, &End::Edge(edge), sink);
            }
        };
        let included = self.clocks.semantics == Semantics::Places;
        for (t, class) in successors {
            let (number, is_new) = self.reached.add(class, Some((at, t)), included);
            let arrival = Arrival::new((NodeId::new(at), edge_of(t)));
            if is_new {
                self.report(number, Some(arrival), sink);
                if let Err(ended) = self.examine(number, sink) {
                    return ended;
                }
            } else if at < SHOWN && number < SHOWN {
                sink.event(Event::StateKnown { state: NodeId::new(number), from: arrival });
            }
        }
        if at < SHOWN {
            sink.event(Event::StateExpanded { state: NodeId::new(at) });
        }
        Continue(Stage::Expand(at + 1))
    }

    fn explored(&self) -> Certificate {
        let (markings, rules) = (self.reached.markings() as u64, Vec::new());
        Certificate::Explored { markings, partial: false, satisfied: true, reduced: false, rules }
    }

    /// The class has a state that violates the property: the run gets its times.
    fn violated<S: Sink>(&mut self, class: usize, end: &End, sink: &mut S) -> Next<Stage> {
        if class < SHOWN {
            sink.event(Event::ErrorReached { state: NodeId::new(class) });
        }
        let path = self.reached.path(class);
        match self.run(&path, end) {
            Some(certificate) => Break(Box::new(done(Verdict::Violated, Some(certificate), sink))),
            None => stop(UnknownReason::Solver, sink),
        }
    }

    /// A run with these firings.
    fn run(&mut self, path: &[TransitionId], end: &End) -> Option<Certificate> {
        let system = Arc::clone(&self.system);
        let wait = system.waiting()?;
        let mut edges = vec![EdgeId::new(0)];
        path.iter().for_each(|t| edges.extend([wait, edge_of(*t)]));
        match end {
            End::Marking => edges.push(system.violation(AT_MARKING)?),
            End::Waited => edges.extend([wait, system.violation(AFTER_WAITING)?]),
            End::Edge(edge) => edges.extend([wait, *edge]),
        }
        let blocks = Blocks::none(&system);
        let mut encoding = Encoding::new(&system, &blocks, Precision::new(None));
        let (assertions, values) = encoding.along(&system, &edges);
        let mut solver = Solver::new(self.limits);
        assertions.into_iter().for_each(|a| solver.assert(&mut encoding.terms, a));
        let Answer::Sat(model) = solver.check(&mut encoding.terms, &[]) else { return None };
        let (states, _) = encoding.follow(&system, &blocks, (&edges, &values), &model).ok()?;
        Some(Certificate::Trace { states })
    }
}

impl Engine for ClassSearch {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        drive(
            self,
            cx,
            |e| &mut e.stage,
            |e, stage, sink| match stage {
                Stage::Start => e.start(sink),
                Stage::Expand(at) => e.expand(at, sink),
            },
        )
    }
}
