//! Under- and over-approximation in turns, with common predicates. Păsăreanu, Pelánek and Visser, "Predicate
//! Abstraction with Under-Approximation Refinement", 2007, propose the combination in section 8.7 and leave it open:
//!
//! ```text
//! loop
//!   search: one iteration of the under-approximation, with the predicates of the proof so far
//!     an error was reached → violated; every transition is exact → holds
//!   prove: one iteration of abstraction refinement, with the predicates of the search so far
//!     a counterexample is feasible → violated; the graph is complete → holds
//! ```
//!
//! Both use the predicates that the refinements of the other one found: the search then distinguishes states that the
//! proof distinguishes, and no counterexample is needed for a predicate that the search has found already. An iteration
//! that takes long is interrupted for turns of the other engine, and resumed when that one has taken as many steps.

mod event;
#[cfg(test)]
pub(crate) mod example;
pub(crate) mod explain;
mod options;

pub use event::{Event, Phase, Side};
pub use options::CombinedOptions;

use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::task::Poll;

use solver_lite::{Limits, effort};

use crate::kit::{
    self, Counts, Cx, Engine, Fuel, IterationCounts, Note, Notes, Numbering, Renaming, Sink, UnknownReason,
    Verdict, drive,
};
use crate::methods::cegar::{self, Cegar};
use crate::methods::outcome::{Next, Outcome, done, stop};
use crate::methods::table::About;
use crate::methods::under::{self, Under};
use crate::system::System;

/// The description of the method.
pub const ABOUT: About = About {
    name: "combined-approx",
    what: "Under-approximation (under) searches for errors, and over-approximation (cegar) for a proof, in turns and with common predicates.",
    states: true,
    runs: false,
    options: options::offered,
    plan: options::plan,
};

/// Steps of the first turns, if an iteration takes that many; a query counts as one step, a hard one as several. Each
/// interrupted turn doubles the length of the later ones.
const TURN: u64 = 2_000;

/// The effort of a query that counts as one more step.
const QUESTION: u64 = 10_000;

#[derive(Clone, Copy)]
enum Stage {
    /// The turn of this engine begins.
    Begin(Side),
    /// It has this many steps left.
    Work(Side, u64),
}

impl Default for Stage {
    fn default() -> Stage {
        Stage::Begin(Side::Under)
    }
}

/// The state of one engine in the combination.
#[derive(Clone, Default)]
struct PerEngine {
    turns: u32,
    /// The steps that it has taken, with its queries.
    used: u64,
    /// The number of its first predicate that was not considered for sharing.
    unshared: usize,
    renaming: Renaming,
    gave_up: Option<UnknownReason>,
}

/// The engine.
#[derive(Clone)]
pub struct CombinedApprox {
    system: Arc<System>,
    under: Under,
    over: Cegar,
    engines: [PerEngine; 2],
    numbering: Numbering,
    /// Steps of a turn.
    length: u64,
    /// The counts of each turn.
    turns: Vec<IterationCounts>,
    stage: Next<Stage>,
}

impl CombinedApprox {
    /// A run on `system`, whose error location is the target.
    ///
    /// # Errors
    /// Why the system or the options are not supported, in words.
    pub fn new(
        system: &Arc<System>,
        options: CombinedOptions,
        limits: Limits,
    ) -> Result<CombinedApprox, String> {
        let under = Under::new(system, options.under, limits)?;
        Ok(CombinedApprox {
            system: Arc::clone(system),
            under,
            over: Cegar::new(Arc::clone(system), options.over, limits)?,
            engines: [PerEngine::default(), PerEngine::default()],
            numbering: Numbering::default(),
            length: TURN,
            turns: Vec::new(),
            stage: Continue(Stage::default()),
        })
    }

    /// Counts of each turn so far.
    pub(crate) fn iterations(&self) -> &[IterationCounts] {
        &self.turns
    }

    fn of(&mut self, side: Side) -> &mut PerEngine {
        &mut self.engines[side as usize]
    }

    /// The counts of an engine, summed over its iterations.
    fn counts(&self, side: Side) -> Counts {
        Counts::of(match side {
            Side::Under => self.under.iterations(),
            Side::Over => self.over.iterations(),
        })
    }

    /// Is an engine between two iterations?
    fn is_between(&self, side: Side) -> bool {
        match side {
            Side::Under => self.under.is_between(),
            Side::Over => self.over.is_between(),
        }
    }

    /// The turn of an engine begins: it gets the predicates of the other one if its next iteration begins, too.
    fn begin(&mut self, side: Side, sink: &mut Notes) -> Next<Stage> {
        self.turns.push(IterationCounts::default());
        let iteration = u32::try_from(self.turns.len()).expect("fewer than 2^32 turns");
        sink.event(kit::Event::IterationStarted { iteration });
        let resumed = !self.is_between(side);
        self.of(side).turns += 1;
        let turn = self.of(side).turns;
        sink.event(Event::TurnBegan { side, turn, resumed });
        if !resumed {
            self.share_with(side);
        }
        Continue(Stage::Work(side, self.length))
    }

    /// Gives the predicates that the other engine found to this one.
    fn share_with(&mut self, side: Side) {
        let first = self.of(side.other()).unshared;
        let (found, next) = match side {
            Side::Under => self.over.found_since(first),
            Side::Over => self.under.found_since(first),
        };
        self.of(side.other()).unshared = next;
        for text in found {
            let Ok(predicate) = crate::property::condition(&text, &self.system) else { continue };
            match side {
                Side::Under => self.under.give(&predicate),
                Side::Over => self.over.give(predicate),
            }
        }
    }

    /// One step of an engine.
    fn work(&mut self, side: Side, left: u64, sink: &mut Notes) -> Next<Stage> {
        let before = (self.counts(side), effort::spent());
        let mut fuel = Fuel::new(1);
        let mut notes = Notes::of(sink);
        let mut cx = Cx { fuel: &mut fuel, sink: &mut notes };
        let polled = match side {
            Side::Under => self.under.poll(&mut cx),
            Side::Over => self.over.poll(&mut cx),
        };
        self.report(side, notes, sink);
        let asked = self.count(side, before.0);
        // A step of the search tries all commands.
        let tried = if side == Side::Under { self.under.most_commands() } else { 1 };
        let used = tried + u64::from(asked) + effort::spent().wrapping_sub(before.1) / QUESTION;
        self.of(side).used += used;
        match polled {
            Poll::Ready(outcome) => match outcome.verdict {
                Verdict::Unknown(why) => self.give_up(side, why, sink),
                verdict => Break(Box::new(done(verdict, outcome.certificate, sink))),
            },
            Poll::Pending if self.is_between(side) => Continue(Stage::Begin(self.next(side))),
            Poll::Pending if used < left => Continue(Stage::Work(side, left - used)),
            Poll::Pending => {
                self.length = self.length.saturating_mul(2);
                Continue(Stage::Begin(self.next(side)))
            }
        }
    }

    /// The engine whose turn is next: the other one, unless it is within an iteration and has taken more steps so far.
    fn next(&self, side: Side) -> Side {
        let (this, other) = (&self.engines[side as usize], &self.engines[side.other() as usize]);
        let waits = self.is_between(side) && !self.is_between(side.other()) && other.used > this.used;
        if other.gave_up.is_some() || waits { side } else { side.other() }
    }

    /// An engine has no verdict. If both have none, the reason of the over-approximation is that of the run.
    fn give_up(&mut self, side: Side, why: UnknownReason, sink: &mut Notes) -> Next<Stage> {
        sink.event(Event::GaveUp { side, why });
        self.of(side).gave_up = Some(why);
        match self.engines[side.other() as usize].gave_up {
            None => Continue(Stage::Begin(side.other())),
            Some(_) => stop(self.engines[Side::Over as usize].gave_up.unwrap_or(why), sink),
        }
    }

    /// Adds what a step did to the counts of the turn; gives the number of queries.
    fn count(&mut self, side: Side, before: Counts) -> u32 {
        let now = self.counts(side);
        let turn = self.turns.last_mut().expect("a turn has begun");
        turn.nodes += now.nodes - before.nodes;
        turn.predicates += now.predicates - before.predicates;
        turn.variables += now.variables - before.variables;
        turn.concrete += now.concrete - before.concrete;
        turn.queries += now.queries - before.queries;
        now.queries - before.queries
    }

    /// Reports what an engine reports, with the numbers of the common journal.
    fn report(&mut self, side: Side, notes: Notes, sink: &mut Notes) {
        let all = &mut self.numbering;
        let renaming = &mut self.engines[side as usize].renaming;
        for note in notes.into_calls() {
            match note {
                Note::State(_, label) => {
                    let label = renaming.label(label);
                    sink.state(renaming.add_node(all), || label);
                }
                Note::Formula(_, text) => sink.formula(renaming.add_formula(all), || text),
                Note::Predicate(_, text) => {
                    let (id, is_new) = renaming.add_predicate(&text, all);
                    if is_new {
                        sink.predicate(id, || text);
                    }
                }
                Note::Question(question) => sink.question(|| question),
                // The start of an iteration and the end of the engine are no events of the combination.
                Note::Event(kit::Event::Under(event)) => match event {
                    under::Event::PredicateAdded { predicate } if self.under.was_given(predicate) => {
                        let predicate = renaming.predicate(predicate);
                        sink.event(Event::Shared { predicate, with: side });
                    }
                    event => sink.event(event.renamed(renaming)),
                },
                Note::Event(kit::Event::Cegar(event)) => match event {
                    cegar::Event::PrecisionGrew { predicate, .. } if self.over.was_given(predicate) => {
                        let predicate = renaming.predicate(predicate);
                        sink.event(Event::Shared { predicate, with: side });
                    }
                    event => sink.event(event.renamed(renaming)),
                },
                Note::Event(_) => {}
            }
        }
    }
}

impl Engine for CombinedApprox {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        drive(
            self,
            cx,
            |e| &mut e.stage,
            |e, stage, sink| {
                let mut notes = Notes::of(sink);
                let next = match stage {
                    Stage::Begin(side) => e.begin(side, &mut notes),
                    Stage::Work(side, left) => e.work(side, left, &mut notes),
                };
                notes.report(sink);
                next
            },
        )
    }
}
