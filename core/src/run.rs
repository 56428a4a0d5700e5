//! The façade: from a model's text and a property to a certified verdict, for the command line and the page.

use std::sync::Arc;
use std::task::Poll;

use crate::certificate::{Certificate, TraceState};
use crate::chart::Chart;
use crate::chart::lower::STABLE;
use crate::diagnostic::Diagnostic;
use crate::edit::automaton::Edit;
use crate::edit::{Change, Refusal};
pub use crate::formats::Kind;
use crate::formats::{pn, pnml, romeo, sc, scxml, tina};
use crate::kit::{
    Counts, Cx, EdgeName, Engine, Fuel, Goal, IterationCounts, Journal, Names, Origin, Questions, Sink,
    UnknownReason, Verdict, apart,
};
use crate::methods::auto::Auto;
use crate::methods::cegar::Cegar;
pub use crate::methods::options::Options;
use crate::methods::outcome::Outcome;
pub use crate::methods::table::Method;
use crate::methods::{Plan, Task, Work};
use crate::net::Net;
use crate::net::timed::encoding::Size;
use crate::property::Property;
use crate::system::{Blocks, EdgeId, System};
use crate::temporal::Product;

/// Counts of a finished run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Of the whole run.
    pub total: Counts,
    /// Of each iteration.
    pub per_iteration: Vec<IterationCounts>,
    /// As in [`Cegar::chain`].
    pub chain: u32,
    /// The number of edges that slicing removed, wholly or in part.
    pub sliced: usize,
    /// The size of the formula of bounded model checking of a net with delays of places, and the number of its
    /// variables before unchanged ones are replaced.
    pub formula: Option<(Size, u64)>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conclusion {
    /// The verdict; `Holds` also means that a property of reachability is satisfied.
    pub verdict: Verdict,
    /// A description; for `unknown` the reason.
    pub reason: String,
    /// The certificate of the verdict; none for `unknown`.
    pub certificate: Option<Certificate>,
    /// The engine that gave it.
    pub engine: &'static str,
    /// Its options, in short.
    pub strategy: String,
    /// The cost of the run.
    pub stats: Stats,
}

/// Reads a model.
///
/// # Errors
/// What is wrong with the text, with places.
pub fn load(kind: Kind, text: &str) -> Result<System, Vec<Diagnostic>> {
    load_for(kind, text, None)
}

/// Reads a model for this property: from a model with several systems the one of the property, from a model with large
/// arrays the elements that occur in the property. A model without an embedded property is an error if that property is
/// to be checked.
///
/// # Errors
/// What is wrong with the text of the model, with places.
pub fn load_for(kind: Kind, text: &str, asked: Option<&str>) -> Result<System, Vec<Diagnostic>> {
    (kind.reader().parse)(text, asked)
}

/// The net of a text, if the format is one of Petri nets.
///
/// # Errors
/// What is wrong with the text, with places.
pub fn net(kind: Kind, text: &str) -> Result<Option<Net>, Vec<Diagnostic>> {
    let net = match kind {
        Kind::Pn => pn::parse(text),
        Kind::Pnml => pnml::parse(text),
        Kind::Tina => tina::parse(text),
        Kind::Romeo => romeo::parse(text),
        _ => return Ok(None),
    };
    net.map(Some)
}

/// The chart of a text, if the format is one of statecharts.
///
/// # Errors
/// What is wrong with the text, with places.
pub fn chart(kind: Kind, text: &str) -> Result<Option<Chart>, Vec<Diagnostic>> {
    let chart = match kind {
        Kind::Sc => sc::parse(text),
        Kind::Scxml => scxml::parse(text),
        _ => return Ok(None),
    };
    chart.map(Some)
}

/// The system of a net without its intervals of time, for conditions on its markings.
///
/// # Errors
/// What is not supported.
pub fn untimed(net: &Net) -> Result<System, Vec<Diagnostic>> {
    crate::formats::net::untimed(net)
}

/// The changes of the text of a model that carry out edits of its drawing, one after the other.
///
/// # Errors
/// Why the edits are not possible; nothing is changed then.
pub fn edit(kind: Kind, text: &str, edits: &[Edit]) -> Result<Vec<Vec<Change>>, Refusal> {
    match kind.reader().edit {
        Some(edit) => edit(text, edits),
        None => Err(Refusal::new("drawings of this language cannot be edited; edit the text instead")),
    }
}

/// The properties embedded in a model, as texts.
#[must_use]
pub fn own_questions(kind: Kind, text: &str) -> Vec<String> {
    let names = (kind.reader().properties)(text);
    if names.len() < 2 {
        vec![String::new()]
    } else {
        names.iter().map(|n| format!("embedded:{n}")).collect()
    }
}

/// Reads a property; the empty text is the embedded property of the format.
///
/// # Errors
/// What is wrong with the text, with places in it.
pub fn property(system: &System, text: &str) -> Result<Property, Vec<Diagnostic>> {
    Property::parse(text, system)
}

/// Why no method can check a property, in words: the automaton of a formula is too large.
#[must_use]
pub fn too_large(system: &System, property: &Property) -> Option<String> {
    Task::new(system, property).err()
}

/// A verification run: deterministic, in slices of fuel.
#[derive(Clone)]
pub struct Run {
    system: Arc<System>,
    /// For a temporal formula: the product with its automaton, whose system is explored.
    product: Option<Arc<Product>>,
    property: Property,
    engine: At,
}

/// The engine.
#[derive(Clone)]
enum At {
    Auto(Box<Auto>),
    One(Work, Plan),
}

impl Run {
    /// A run before its first step.
    ///
    /// # Errors
    /// Why the options cannot be used for this system, in words.
    pub fn new(system: &System, property: &Property, options: &Options) -> Result<Run, String> {
        let task = Task::new(system, property)?;
        let (system, product) = (Arc::clone(task.system()), task.product().cloned());
        let engine = match options.plan() {
            None => At::Auto(Box::new(Auto::new(task, options.limits))),
            Some(plan) => At::One(Work::new(&task, &plan, options.limits)?, plan),
        };
        Ok(Run { engine, system, product, property: property.clone() })
    }

    /// The names for the run's journal, including additions of the property to the system, and large blocks if those
    /// may be steps of the run.
    #[must_use]
    pub fn names(&self) -> Names {
        let sliced = match &self.engine {
            At::Auto(_) => Vec::new(),
            At::One(work, _) => work.sliced().to_vec(),
        };
        let origin = self.product.as_ref().map(|product| Origin {
            locations: product.pairs.iter().map(|(l, _)| *l).collect(),
            edges: product.edges.clone(),
        });
        let names = names(&self.blocks());
        let timed = names.timed || self.product.as_ref().is_some_and(|product| product.time.is_some());
        Names { sliced, origin, goal: self.property.goal(&self.system), timed, ..names }
    }

    /// The system of the run, with the large blocks that may be its steps.
    #[must_use]
    pub fn blocks(&self) -> Blocks {
        match &self.engine {
            At::Auto(_) => Blocks::of(&self.system),
            At::One(work, _) => work.blocks().cloned().unwrap_or_else(|| Blocks::none(&self.system)),
        }
    }

    /// For a temporal formula: the product with the Büchi automaton of the negated formula.
    #[must_use]
    pub fn product(&self) -> Option<&Arc<Product>> {
        self.product.as_ref()
    }

    /// The property.
    #[must_use]
    pub fn property(&self) -> &Property {
        &self.property
    }

    /// The system with the additions of the property, before slicing.
    #[must_use]
    pub fn system(&self) -> &Arc<System> {
        &self.system
    }

    fn work(&self) -> &Work {
        match &self.engine {
            At::Auto(auto) => auto.work(),
            At::One(work, _) => work,
        }
    }

    /// The engine of abstraction refinement, if that is the current method.
    #[must_use]
    pub fn cegar(&self) -> Option<&Cegar> {
        self.work().cegar()
    }

    /// The current method, or the one that gave the verdict.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        match &self.engine {
            At::Auto(auto) => auto.plan(),
            At::One(_, plan) => plan,
        }
    }

    /// The cost so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let work = self.work();
        Stats {
            total: Counts::of(work.iterations()),
            per_iteration: work.iterations().to_vec(),
            chain: work.cegar().map_or(0, Cegar::chain),
            sliced: work.sliced().len(),
            formula: work.size(),
        }
    }

    /// Continues until an outcome or until the fuel is used up.
    pub fn poll<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Poll<Conclusion> {
        let polled = match &mut self.engine {
            At::Auto(auto) => apart(|| auto.poll(cx)),
            At::One(work, _) => work.poll(cx),
        };
        let Poll::Ready(mut outcome) = polled else { return Poll::Pending };
        let second = self.second_token(&outcome).map(|why| (UnknownReason::NotSafe, why));
        let second = second.or_else(|| Some((UnknownReason::Fault, self.fault(&outcome)?)));
        if let Some((why, _)) = &second {
            outcome = Outcome { verdict: Verdict::Unknown(*why), certificate: None };
        }
        let reached = matches!(outcome.verdict, Verdict::Violated);
        let verdict = match outcome.verdict {
            Verdict::Holds if self.property.wants_run() => Verdict::Violated,
            Verdict::Violated if self.property.wants_run() => Verdict::Holds,
            verdict => verdict,
        };
        let reason = match verdict {
            Verdict::Unknown(why) => second.map_or_else(|| why.to_string(), |(_, text)| text),
            _ => self.reason(reached),
        };
        let certificate = outcome.certificate;
        let (engine, strategy) = (self.plan().engine(), self.plan().short());
        Poll::Ready(Conclusion { verdict, reason, certificate, engine, strategy, stats: self.stats() })
    }
}

impl Run {
    /// What the verdict means, with the semantics of time.
    fn reason(&self, reached: bool) -> String {
        let reason = self.property.reason(&self.system, reached);
        let time = self.product.as_ref().and_then(|product| product.time);
        time.map_or(reason.clone(), |time| format!("{reason}; {}", time.text()))
    }

    /// The run that was found gives a second token to a place of a net that must be safe: a description.
    #[inline(never)]
    fn second_token(&self, outcome: &Outcome) -> Option<String> {
        let Some(Certificate::Trace { states }) = &outcome.certificate else { return None };
        let edge = EdgeId(states.last()?.edge?);
        let label = &self.system.edge(edge).label;
        self.system.is_second_token(edge).then_some(())?;
        let fired = fired(&self.system, states);
        let when = if fired.is_empty() { "at the start".to_owned() } else { format!("after {fired}") };
        Some(format!("a net with delays of places must be safe, but {label} {when}"))
    }
}

impl Run {
    /// The run that was found ends where the execution of a chart cannot continue, which is not what was asked: a
    /// description.
    #[inline(never)]
    fn fault(&self, outcome: &Outcome) -> Option<String> {
        if !outcome.ends_in_fault(&self.system) {
            return None;
        }
        let fault = self.system.fault?;
        let Some(Certificate::Trace { states }) = &outcome.certificate else { return None };
        let edges: Vec<EdgeId> = states.iter().filter_map(|s| s.edge.map(EdgeId)).collect();
        let at = edges.iter().position(|e| self.system.edge(*e).target == fault)?;
        (Some(fault) != self.system.error).then_some(())?;
        let why = &self.system.edge(edges[at]).label;
        let events: Vec<&str> = edges[..at]
            .iter()
            .map(|e| self.system.edge(*e))
            .filter(|e| self.system.location(e.source).name == STABLE)
            .filter_map(|e| e.label.strip_prefix("event "))
            .collect();
        let when =
            if events.is_empty() { "at the start".to_owned() } else { format!("after {}", events.join(" ")) };
        Some(format!("the execution of the chart cannot continue: {why} {when}"))
    }
}

/// The transitions that a run of a net fires.
fn fired(system: &System, states: &[TraceState]) -> String {
    let transitions = system.net.as_ref().map_or(0, |net| net.transitions.len());
    let is_firing = |edge: &usize| (1..=transitions).contains(edge);
    let edges = states.iter().filter_map(|state| state.edge.map(|edge| edge as usize));
    let names: Vec<&str> = edges.filter(is_firing).map(|edge| system.edges[edge].label.as_str()).collect();
    names.join(" ")
}

/// The queries of one event of a run (its number from 0): the run is repeated up to there, with at most this fuel.
/// `None` if the event is not reached, or the options cannot be used.
#[must_use]
pub fn questions(
    system: &System,
    property: &Property,
    options: &Options,
    event: usize,
    fuel: u64,
) -> Option<Questions> {
    let mut run = Run::new(system, property, options).ok()?;
    let mut sink = Questions::of_event(event, Journal::new(run.names()));
    for _ in 0..fuel {
        let done = run.poll(&mut Cx { fuel: &mut Fuel::new(1), sink: &mut sink }).is_ready();
        if done || sink.complete() {
            break;
        }
    }
    sink.complete().then_some(sink)
}

/// The names of a system for a journal.
fn names(blocks: &Blocks) -> Names {
    let system = &blocks.system;
    let edge = |id: EdgeId| {
        let edge = system.edge(id);
        let block = blocks.get(id).map_or_else(Vec::new, |b| b.edges.clone());
        EdgeName { source: edge.source, target: edge.target, text: edge.label.clone(), block }
    };
    Names {
        variables: system.variables.iter().map(|v| v.name.clone()).collect(),
        locations: system.locations.iter().map(|l| l.name.clone()).collect(),
        edges: system.edge_ids().map(edge).collect(),
        sliced: Vec::new(),
        origin: None,
        goal: Goal::default(),
        markings: system.net.is_some(),
        counters: system.control.iter().copied().collect(),
        timed: system.clocks.is_some(),
    }
}
