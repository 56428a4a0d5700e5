//! A small system under a set of predicates, as in figure 1 of Păsăreanu, Pelánek and Visser, "Predicate Abstraction
//! with Under-Approximation Refinement", 2007: the concrete states, the may and the must abstraction, and the concrete
//! search with abstract matching, before and after one refinement. The concrete states are marked by the search that
//! reaches them, as in figure 5: a refinement can lose states.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::draw::model::MARGIN;
use crate::draw::{GraphPart, LIMITS, MOST, Moment, Step, graph};
use crate::explain::Subjects;
use crate::expr::Expr;
use crate::kit::{Cx, Engine, Event, Fuel, Journal, Label, PredicateId, Recorder, Verdict, View};
use crate::layout::layered::Options;
use crate::methods::under::{self, Graph, Transition, Under};
use crate::property;
use crate::scene::{Body, Drawing, Edge, Mark, Node, Part, Row, Scene, Shape, Text, fit, middle};
use crate::system::{LocationId, System, VarId};
use crate::text::{count, operation};
use crate::views::{ArgNodeView, ArgView};

/// The greatest number of states of a drawing.
const STATES: usize = 60;
/// The steps of the two searches.
const STEPS: u64 = 1_500;
/// The greatest length of a row and of a label.
const LONGEST: usize = 30;
/// The greatest number of rows below the name.
const ROWS: usize = 6;

/// A predicate that the pictures can use.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Choice {
    /// The predicate.
    pub id: PredicateId,
    /// Its text.
    pub text: String,
    /// Is it used?
    pub used: bool,
}

/// A set of predicates with numbers below 64.
pub type Chosen = u64;

/// The predicates of a run up to a step, of which some are used: those that are chosen, or else all.
pub(super) fn choices(moment: &Moment<'_>, chosen: Option<Chosen>, system: &System) -> Vec<Choice> {
    let precision = &moment.precision;
    let searched = precision.searched.iter();
    let all = searched.chain(precision.predicates.iter().filter(|p| !precision.searched.contains(p)));
    let known: BTreeSet<PredicateId> = all.map(|(id, _)| *id).filter(|id| id.index() < 64).collect();
    let choice = |id: PredicateId| {
        let text = moment.journal.predicates.get(id.index())?.clone();
        property::condition(&text, system).ok()?;
        Some(Choice { id, text, used: chosen.is_none_or(|set| set >> id.index() & 1 == 1) })
    };
    known.into_iter().filter_map(choice).collect()
}

/// The pictures.
pub(super) fn abstractions(system: &Arc<System>, journal: &Journal, choices: &[Choice]) -> Scene {
    let used = choices.iter().filter(|choice| choice.used);
    let predicates: Vec<Expr> = used.filter_map(|c| property::condition(&c.text, system).ok()).collect();
    let mut run = Under::with_predicates(system, &predicates, LIMITS);
    let mut recorder = Recorder { journal: Journal::new(journal.names.clone()) };
    let mut fuel = Fuel::new(STEPS);
    let is_over = |run: &mut Under, recorder: &mut Recorder, fuel: &mut Fuel| {
        let mut one = Fuel::new(1);
        !fuel.spend() || run.poll(&mut Cx { fuel: &mut one, sink: recorder }).is_ready()
    };
    while !run.has_begun() {
        if is_over(&mut run, &mut recorder, &mut fuel) {
            return Scene::sentence("The search does not reach the first state of the model.");
        }
    }
    let (mut of_states, mut of_may) = (run.clone(), run.clone());
    let searched = |recorder: &Recorder| ends(&recorder.journal.events).count();
    while searched(&recorder) < 2 && !is_over(&mut run, &mut recorder, &mut fuel) {}
    let searches = Searches::new(&recorder.journal);
    let concrete = of_states.concrete_graph(STATES);
    let may = of_may.may_graph(STATES);
    let must = may.restricted(|transition| transition.lost.is_none());
    let names = Names { journal, system };
    let state = |number: usize, state: &under::Concrete| {
        let values = of_states.values(state);
        names
            .node(number, (state.location, &values), Vec::new())
            .marked(&searches.marks(state.location, &values))
    };
    let of_abstract = |number: usize, state: &under::Abstract| {
        let Label { location, values, literals, .. } = of_may.label(state);
        let literal = |(p, truth): &(PredicateId, bool)| match truth {
            true => of_may.predicate(*p),
            false => format!("not ({})", of_may.predicate(*p)),
        };
        names.node(number, (location, &values), literals.iter().map(literal).collect())
    };
    let mut parts = vec![
        names.part("Concrete states", &searches.caption(), &concrete, state),
        names.part(
            "May abstraction",
            "A transition stands for at least one concrete transition between its abstract states. Dashed: not from every state.",
            &may,
            of_abstract,
        ),
        names.part(
            "Must abstraction",
            "Every state of the abstract state has the transition.",
            &must,
            of_abstract,
        ),
    ];
    parts.extend(searches.parts(&recorder.journal));
    Scene { parts }
}

/// The ends of searches.
fn ends(events: &[Event]) -> impl Iterator<Item = usize> {
    let is_end = |event: &Event| matches!(event, Event::Under(under::Event::SearchEnded { .. }));
    events.iter().enumerate().filter(move |(_, event)| is_end(event)).map(|(i, _)| i)
}

/// A state, as the searches report it.
type Seen = (LocationId, Vec<(VarId, String)>);

/// How the searches end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Both are complete.
    Refined,
    /// The first one, and it ends the run.
    Decided(Verdict),
    /// They take too many steps.
    Interrupted,
}

/// The search with the predicates, and the one after its refinement.
struct Searches {
    /// The numbers of events after which they are drawn.
    until: Vec<usize>,
    /// The states that they reached.
    reached: Vec<BTreeSet<Seen>>,
    end: End,
}

impl Searches {
    fn new(journal: &Journal) -> Searches {
        let mut until: Vec<usize> = ends(&journal.events).map(|end| end + 1).collect();
        let end = match journal.events.last() {
            _ if until.len() == 2 => End::Refined,
            Some(Event::Decided { verdict }) if until.len() == 1 => End::Decided(*verdict),
            _ => End::Interrupted,
        };
        if end == End::Interrupted {
            until.push(journal.events.len());
        }
        let mut graph = ArgView::default();
        let (mut reached, mut nodes, mut at) = (Vec::new(), 0, 0);
        for end in &until {
            for event in &journal.events[at..*end] {
                graph.apply(event, journal);
            }
            at = *end;
            let seen = |node: &ArgNodeView| (node.label.location, node.label.values.clone());
            reached.push(graph.nodes.iter().skip(nodes).map(seen).collect());
            nodes = graph.nodes.len();
        }
        Searches { until, reached, end }
    }

    /// By which search a state is reached.
    fn marks(&self, location: LocationId, values: &[(VarId, String)]) -> Vec<(Mark, bool)> {
        let state = (location, values.to_vec());
        let by: Vec<bool> = self.reached.iter().map(|seen| seen.contains(&state)).collect();
        match by[..] {
            _ if self.end == End::Interrupted => Vec::new(),
            [true] | [true, true] => Vec::new(),
            [true, false] => vec![(Mark::Earlier, true)],
            [false, true] => vec![(Mark::Later, true)],
            _ => vec![(Mark::Missed, true)],
        }
    }

    fn caption(&self) -> String {
        match (&self.reached[..], self.end) {
            ([before, after], End::Refined) => format!(
                "The search below reaches {}, the one after the refinement {} (new: {}, lost: {}).",
                count(before.len(), "state"),
                after.len(),
                after.difference(before).count(),
                before.difference(after).count()
            ),
            (_, End::Decided(Verdict::Holds)) => {
                "All steps of the search below are exact: its abstract states behave as all reachable states do.".to_owned()
            }
            (_, End::Decided(Verdict::Violated)) => {
                "The search reaches an error, so there is no refinement.".to_owned()
            }
            (_, End::Decided(_)) => "The search ends without a refinement.".to_owned(),
            (_, End::Interrupted | End::Refined) => {
                "The search below is too long to be completed here.".to_owned()
            }
        }
    }

    /// The graphs of the searches.
    fn parts(&self, journal: &Journal) -> Vec<Part> {
        let mut parts = Vec::new();
        let headings = ["Search with matching", "Search after the refinement"];
        for (end, heading) in self.until.iter().zip(headings) {
            let subjects = Subjects::default();
            let moment = Moment::new(journal, &journal.events[..*end], &subjects);
            let mut scene = graph::graph(&Step { part: GraphPart::default(), most: MOST, ..moment.step() });
            let new = moment.precision.predicates.iter().rev().take_while(|(_, found)| *found > 1);
            let new: Vec<String> = new.map(|(p, _)| journal.literal((*p, true))).collect();
            for part in &mut scene.parts {
                heading.clone_into(&mut part.heading);
                if !new.is_empty() {
                    part.caption =
                        part.caption.clone().then(&format!(" New predicates: {}.", new.join(", ")));
                }
            }
            parts.extend(scene.parts);
        }
        parts
    }
}

/// The names of a system, for its states and transitions.
struct Names<'a> {
    journal: &'a Journal,
    system: &'a System,
}

impl Names<'_> {
    /// A state, with the values of its variables and further facts. Program counters are its name.
    fn node(
        &self,
        number: usize,
        (location, values): (LocationId, &[(VarId, String)]),
        facts: Vec<String>,
    ) -> Node {
        let text = |(v, value): &(VarId, String)| format!("{} = {value}", self.system.variable(*v).name);
        let is_counter = |(v, _): &&(VarId, String)| self.system.control.contains(v);
        let counters: Vec<String> = values.iter().filter(is_counter).map(text).collect();
        let others = values.iter().filter(|value| !is_counter(value)).map(text);
        let facts: Vec<String> = others.chain(facts).collect();
        let name = match counters.is_empty() {
            true => self.journal.location(location).to_owned(),
            false => counters.join(", "),
        };
        let mut rows = vec![Row::name(middle(&name, LONGEST))];
        rows.extend(facts.iter().take(ROWS).map(|fact| Row::fact(fit(fact, LONGEST), None)));
        if facts.len() > ROWS {
            rows.push(Row::fact(format!("and {} more", facts.len() - ROWS), None));
        }
        let title = std::iter::once(name).chain(facts).collect::<Vec<_>>().join(", ");
        let is_error = Some(location) == self.system.error;
        Node::new(format!("s{number}"), Shape::Box, rows, title).marked(&[(Mark::Target, is_error)])
    }

    /// The drawing of a graph.
    fn part<N>(
        &self,
        heading: &str,
        caption: &str,
        graph: &Graph<N>,
        node: impl Fn(usize, &N) -> Node,
    ) -> Part {
        let nodes = graph.states.iter().enumerate();
        let nodes =
            nodes.map(|(i, state)| node(i, state).marked(&[(Mark::Initial, i < graph.initial)])).collect();
        // Several transitions between two states are one edge.
        let mut all: BTreeMap<(usize, usize), Vec<&Transition>> = BTreeMap::new();
        for transition in &graph.transitions {
            all.entry((transition.from, transition.to)).or_default().push(transition);
        }
        let edges = all.into_iter().map(|(ends, all)| self.edge(ends, &all)).collect();
        let options = Options { rank_gap: 30.0, margin: MARGIN, ..Options::default() };
        let drawing = Drawing::layered(nodes, edges, 0, &options);
        let size = match graph.whole {
            true => format!(
                "{}, {}.",
                count(graph.states.len(), "state"),
                count(graph.transitions.len(), "transition")
            ),
            false => format!("The first {}; there are more.", count(graph.states.len(), "state")),
        };
        Part {
            heading: heading.to_owned(),
            caption: Text::plain(&format!("{size} {caption}")),
            body: Body::Drawing(Arc::new(drawing)),
        }
    }

    fn edge(&self, (from, to): (usize, usize), all: &[&Transition]) -> Edge {
        let text = |t: &Transition| {
            self.journal.names.edges.get(t.edge.index()).map(|e| operation(&e.text)).unwrap_or_default()
        };
        let texts: BTreeSet<String> = all.iter().map(|t| text(t)).collect();
        let label = texts.into_iter().collect::<Vec<_>>().join(", ");
        let with_lost = |t: &&Transition| match &t.lost {
            None => text(t),
            Some(lost) => format!("{} (not implied: {lost})", text(t)),
        };
        let title = all.iter().map(with_lost).collect::<Vec<_>>().join(", ");
        let is_may = all.iter().all(|t| t.lost.is_some());
        let mut edge = Edge::new(format!("{from}-{to}"), format!("s{from}"), format!("s{to}"))
            .labelled(middle(&label, LONGEST), title)
            .marked(&[(Mark::Inexact, is_may)]);
        edge.about = all.iter().map(|t| crate::scene::Thing::Edge(t.edge)).collect();
        edge
    }
}
