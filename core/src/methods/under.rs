//! Refinement of an under-approximation (Păsăreanu, Pelánek and Visser, "Predicate Abstraction with Under-Approximation
//! Refinement", 2007, figures 2 and 3):
//!
//! ```text
//! Φ := the atoms of the guards                                              (8.1)
//! loop
//!   search: execute concrete transitions from s₀, store α(s) for each state s, and do not explore s if α(s) is stored
//!     check each transition by a command g → x := e: α(s) ⇒ g ∧ α(s′)[e/x], or α(s) ⇒ ¬g
//!   an error was reached → violated
//!   no check failed → holds
//!   add the predicates of the failed checks to Φ
//! ```
//!
//! Every state that is explored is reachable, so every error is real. If all checks succeed, the stored structure is
//! bisimilar to the system (theorem 1). Locations and variables declared as program counters are not abstracted.

mod abstraction;
mod command;
mod event;
#[cfg(test)]
pub(crate) mod example;
pub(crate) mod explain;
mod graph;
mod inputs;
mod options;
mod prover;
mod search;
pub(crate) mod view;

pub use event::{Event, Phase};
pub(crate) use graph::{Abstract, Concrete, Graph, Transition};
pub use options::{Exactness, Order, UnderOptions};

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;
use std::task::Poll;

use solver_lite::Limits;
use solver_lite::term::Term;

use crate::certificate::{AbstractState, Certificate, TraceState};
use crate::expr::{Expr, to_term};
use crate::kit::{
    self, Cx, Engine, IterationCounts, NodeId, Notes, PredicateId, Sink, UnknownReason, Verdict, drive,
};
use crate::methods::outcome::{Next, Outcome, done, stop};
use crate::methods::shared::number;
use crate::methods::table::About;
use crate::system::{EdgeId, LocationId, State, System};
use abstraction::{Abstraction, Scope};
use command::{Command, Model};
use prover::Prover;
use search::{Search, Stored};

/// The description of the method.
pub const ABOUT: About = About {
    name: "under",
    what: "Concrete states are explored and matched by predicates, which are refined until every step is exact.",
    states: true,
    runs: false,
    options: options::offered,
    plan: options::plan,
};

/// After this many searches of the same size, the refinement diverges.
const PATIENCE: u32 = 150;

#[derive(Clone, Default)]
enum Stage {
    /// The next search begins.
    #[default]
    Start,
    /// The next state is explored.
    Search,
    /// The search has ended.
    Refine,
}

/// The engine.
#[derive(Clone)]
pub struct Under {
    system: Arc<System>,
    options: UnderOptions,
    limits: Limits,
    model: Model,
    commands: Arc<Vec<Vec<Command>>>,
    abstraction: Abstraction,
    /// The number of predicates of the first search.
    initial: usize,
    /// The predicates of another engine.
    given: BTreeSet<PredicateId>,
    prover: Prover,
    search: Search,
    /// The initial states of the search before, which are forgotten when the next one has begun.
    before: Vec<NodeId>,
    /// In how many consecutive searches a transition was not exact.
    streaks: HashMap<(LocationId, Arc<State>, EdgeId), u32>,
    /// The sizes of the last search, and how many searches have had them.
    sizes: (usize, u32),
    unchanged: u32,
    /// The number of predicates of the last search that had other sizes than the one before.
    shareable: usize,
    /// The predicates that the next search begins with.
    fresh: Vec<PredicateId>,
    /// How many nodes, formulas and predicates have been reported.
    nodes: u32,
    formulas: u32,
    reported: usize,
    iterations: Vec<IterationCounts>,
    stage: Next<Stage>,
}

impl Under {
    /// A run on `system`, whose error location is the target.
    ///
    /// # Errors
    /// Why the system or the options are not supported, in words.
    pub fn new(system: &Arc<System>, options: UnderOptions, limits: Limits) -> Result<Under, String> {
        let given = options.given(system)?;
        let mut engine = Under::without_predicates(system, options, limits);
        engine.add_guards();
        given.iter().for_each(|predicate| engine.add_expression(predicate));
        engine.initial = engine.abstraction.len();
        Ok(engine)
    }

    /// A run that begins with these predicates, and not with the atoms of the guards.
    pub(crate) fn with_predicates(system: &Arc<System>, predicates: &[Expr], limits: Limits) -> Under {
        let mut engine = Under::without_predicates(system, UnderOptions::default(), limits);
        predicates.iter().for_each(|predicate| engine.add_expression(predicate));
        engine
    }

    fn without_predicates(system: &Arc<System>, options: UnderOptions, limits: Limits) -> Under {
        let mut model = Model::new(system);
        let commands = Arc::new(std::mem::take(&mut model.commands));
        Under {
            system: Arc::clone(system),
            options,
            limits,
            model,
            commands,
            abstraction: Abstraction::default(),
            initial: 0,
            given: BTreeSet::new(),
            prover: Prover::new(limits),
            search: Search::default(),
            before: Vec::new(),
            streaks: HashMap::new(),
            sizes: (0, 0),
            unchanged: 0,
            shareable: 0,
            fresh: Vec::new(),
            nodes: 0,
            formulas: 0,
            reported: 0,
            iterations: Vec::new(),
            stage: Continue(Stage::Start),
        }
    }

    /// The atoms of the guards are predicates (section 8.1).
    fn add_guards(&mut self) {
        let commands = Arc::clone(&self.commands);
        let error = self.system.error;
        let locations: Vec<LocationId> = self.system.location_ids().collect();
        for (location, all) in locations.into_iter().zip(commands.iter()) {
            for command in all.iter().filter(|c| Some(c.target) != error) {
                let scope = match self.options.local {
                    true => Scope::of(&self.model, location, command),
                    false => Scope::default(),
                };
                self.add(command.guard, &scope);
            }
        }
    }

    /// Adds the atoms of a formula to the predicates of the next search.
    fn add(&mut self, formula: Term, scope: &Scope) {
        for atom in self.model.atoms(formula) {
            if self.model.is_data(atom) {
                let added = self.abstraction.add(&self.model, atom, scope.clone());
                self.fresh.extend(added.filter(|p| !self.fresh.contains(p)));
            }
        }
    }

    /// Adds the atoms of a predicate to those of the next search.
    fn add_expression(&mut self, predicate: &Expr) {
        let current = self.model.current.clone();
        let formula = to_term(predicate, &mut self.model.terms, &mut |v| current[v.index()]);
        self.add(formula, &Scope::default());
    }

    /// The same for a predicate of another engine.
    pub(crate) fn give(&mut self, predicate: &Expr) {
        let known = self.abstraction.len();
        self.add_expression(predicate);
        self.given.extend((known..self.abstraction.len()).map(PredicateId::new));
    }

    /// Is it a predicate of another engine?
    pub(crate) fn was_given(&self, predicate: PredicateId) -> bool {
        self.given.contains(&predicate)
    }

    /// The predicates from this number on that refinements found, as text that can be read back, and the number of the
    /// next one. Those that have not changed the size of a search are left out: a refinement that diverges adds more
    /// and more of them.
    pub(crate) fn found_since(&self, first: usize) -> (Vec<String>, usize) {
        let all = self.abstraction.all().take(self.shareable).skip(first.max(self.initial));
        let own = all.filter(|(id, _)| !self.given.contains(id));
        (own.filter_map(|(_, p)| self.model.whole_text(p.term)).collect(), self.shareable.max(first))
    }

    /// The greatest number of commands that are tried in a state, and at least 1.
    pub(crate) fn most_commands(&self) -> u64 {
        let most = self.commands.iter().map(Vec::len).max().unwrap_or(0);
        most.max(1) as u64
    }

    /// Is it between two searches?
    pub(crate) fn is_between(&self) -> bool {
        matches!(self.stage, Continue(Stage::Start))
    }

    /// Counts of each iteration so far.
    pub(crate) fn iterations(&self) -> &[IterationCounts] {
        &self.iterations
    }

    fn now(&mut self) -> &mut IterationCounts {
        self.iterations.last_mut().expect("an iteration has begun")
    }

    /// Is a location before the first state of the model, as in systems of commands and nets?
    fn precedes_states(&self, location: LocationId) -> bool {
        location == self.system.initial && self.system.location(location).anonymous
    }

    fn start(&mut self, sink: &mut Notes) -> Result<Next<Stage>, UnknownReason> {
        self.iterations.push(IterationCounts::default());
        let iteration = u32::try_from(self.iterations.len()).expect("fewer than 2^32 iterations");
        sink.event(kit::Event::IterationStarted { iteration });
        for predicate in std::mem::take(&mut self.fresh) {
            self.added(predicate, sink);
        }
        self.search = Search::default();
        self.begin(sink)?;
        Ok(Continue(Stage::Search))
    }

    fn step(&mut self, stage: &Stage, sink: &mut Notes) -> Next<Stage> {
        let next = match stage {
            Stage::Start => self.start(sink),
            Stage::Search => self.explore(sink),
            Stage::Refine => self.refine(sink),
        };
        next.unwrap_or_else(|why| stop(why, sink))
    }

    /// Reports a predicate of the abstraction.
    fn added(&mut self, predicate: PredicateId, sink: &mut Notes) {
        self.now().predicates += 1;
        if predicate.index() == self.reported {
            self.reported += 1;
            sink.predicate(predicate, || self.model.text(self.abstraction.get(predicate).term));
        }
        sink.event(Event::PredicateAdded { predicate });
    }

    fn explore(&mut self, sink: &mut Notes) -> Result<Next<Stage>, UnknownReason> {
        let stops = self.options.first && self.search.error.is_some();
        match self.search.next(self.options.order) {
            Some(at) if !stops => self.expand(at, sink).map(|()| Continue(Stage::Search)),
            _ => Ok(Continue(Stage::Refine)),
        }
    }

    /// Concludes, or adds the predicates of the failed checks.
    fn refine(&mut self, sink: &mut Notes) -> Result<Next<Stage>, UnknownReason> {
        let (stored, generated) = (self.shown().count(), self.search.generated);
        let inexact = self.search.inexact.len();
        self.now().concrete = generated;
        let found: BTreeSet<Term> = self.search.found.iter().map(|(atom, _)| *atom).collect();
        let found = found.into_iter().filter(|atom| !self.abstraction.knows(*atom)).count();
        sink.event(Event::SearchEnded {
            generated,
            stored: number(stored),
            inexact: number(inexact),
            found: number(found),
        });
        if self.search.error.is_some() {
            let run = self.run();
            return Ok(Break(Box::new(done(Verdict::Violated, Some(run), sink))));
        }
        if inexact == 0 {
            let structure = self.structure().ok_or(UnknownReason::TooLarge)?;
            return Ok(Break(Box::new(done(Verdict::Holds, Some(structure), sink))));
        }
        if self.sizes != (stored, generated) {
            self.shareable = self.abstraction.len();
        }
        if !self.grow(sink) {
            return Err(UnknownReason::NoProgress);
        }
        self.unchanged = if self.sizes == (stored, generated) { self.unchanged + 1 } else { 0 };
        self.sizes = (stored, generated);
        if self.unchanged == PATIENCE {
            return Err(UnknownReason::Diverges);
        }
        self.before = self.first().filter_map(|s| s.node).collect();
        Ok(Continue(Stage::Start))
    }

    /// Adds the predicates of the failed checks; those of concrete states for transitions that fail again and again
    /// (section 6.1). Are there new ones?
    fn grow(&mut self, sink: &mut Notes) -> bool {
        let mut found = std::mem::take(&mut self.search.found);
        let failed = std::mem::take(&mut self.search.inexact);
        let mut streaks = HashMap::with_capacity(failed.len());
        for transition in failed {
            let streak = self.streaks.get(&transition).map_or(1, |n| n + 1);
            if self.options.concrete > 0 && streak >= self.options.concrete {
                let (location, state, _) = &transition;
                let atoms = self.model.equalities(*location, state);
                found.extend(atoms.into_iter().map(|atom| (atom, Scope::default())));
            }
            streaks.insert(transition, streak);
        }
        self.streaks = streaks;
        let mut grew = false;
        for (atom, scope) in found {
            if let Some(predicate) = self.abstraction.add(&self.model, atom, scope) {
                grew = true;
                self.added(predicate, sink);
            }
        }
        grew
    }

    /// The states that are stored, without those before the first state of the model.
    fn shown(&self) -> impl Iterator<Item = &Stored> {
        self.search.stored.iter().filter(|s| s.node.is_some())
    }

    /// The initial states of the model that are stored.
    fn first(&self) -> impl Iterator<Item = &Stored> {
        self.shown().filter(|s| s.from.is_none_or(|(at, _)| self.search.stored[at].node.is_none()))
    }

    /// The run to the first error.
    fn run(&self) -> Certificate {
        let (at, edge, last) = self.search.error.as_ref().expect("an error was reached");
        let mut states = vec![TraceState::new(&self.system, Some(*edge), last)];
        let mut at = Some(*at);
        while let Some(i) = at {
            let stored = &self.search.stored[i];
            states.push(TraceState::new(&self.system, stored.from.map(|(_, edge)| edge), &stored.values));
            at = stored.from.map(|(from, _)| from);
        }
        states.reverse();
        Certificate::Trace { states }
    }

    /// The structure that was stored; none if the text of a predicate is too long.
    fn structure(&self) -> Option<Certificate> {
        let state = |s: &Stored| AbstractState {
            location: self.system.location(s.location).name.clone(),
            control: s
                .of
                .control
                .iter()
                .map(|(v, x)| (self.system.variable(*v).name.clone(), self.system.value_text(*v, x)))
                .collect(),
            truths: s.of.truths.iter().map(|t| t.map_or('.', |t| if t { '+' } else { '-' })).collect(),
        };
        Some(Certificate::Structure {
            predicates: self
                .abstraction
                .all()
                .map(|(_, p)| self.model.whole_text(p.term))
                .collect::<Option<_>>()?,
            states: self.search.stored.iter().map(state).collect(),
            transitions: self
                .search
                .transitions
                .iter()
                .map(|(a, e, b)| (number(*a), e.0, number(*b)))
                .collect(),
        })
    }
}

impl Engine for Under {
    type Outcome = Outcome;

    fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Outcome> {
        drive(
            self,
            cx,
            |e| &mut e.stage,
            |e, stage, sink| {
                let mut notes = Notes::of(sink);
                let next = e.step(&stage, &mut notes);
                notes.report(sink);
                next
            },
        )
    }
}
