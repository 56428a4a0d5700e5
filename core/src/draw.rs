//! The scenes of models and of runs: what is to be seen at each step, as data.
//!
//! The parts that belong to a method stand with it (`scene.rs` in its folder); here they are put together, with the
//! pictures that all methods share.

mod abstractions;
mod analysis;
mod automaton;
mod chart;
mod classes;
pub mod clock;
mod counters;
mod differences;
mod graph;
mod markings;
mod model;
mod names;
mod net;
mod path;
mod plane;
mod product;
mod refutation;
mod rounds;
mod states;
mod tableau;
mod timeline;
mod trail;

pub use abstractions::{Choice, Chosen};
pub use automaton::{Marked, automaton, drawn_automaton};
pub use chart::{Configurations, carried, simulated};
pub use differences::{Difference, differences};
pub use graph::{Fold, GraphPart};
pub use model::{MARGIN, Taken};
pub use refutation::{Clause, Reason, refutation};
pub use tableau::{Bound, Column, tableau};
pub use timeline::MOMENTS;
pub use trail::{Literal, trail};

use std::mem::discriminant;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use solver_lite::Limits;

use crate::certificate::TraceRow;
use crate::ctl::Ctl;
use crate::explain::Subjects;
use crate::kit::{Event, Journal, NodeId, View};
use crate::methods::{explicit, split};
use crate::net::Net;
use crate::net::timed::Clocks;
use crate::net::witness::Witness;
use crate::picture::{Images, Plane, sample, state_variables};
use crate::property::Property;
use crate::run::Run;
use crate::scene::{Drawing, Part, Scene};
use crate::system::{Blocks, EdgeId, LocationId, State, System, VarId};
use crate::temporal::Product;
use crate::views::{ArgNodeView, ArgView, CellsView, CexView, PrecisionView};

/// The maximal number of sampled concrete states.
const SAMPLES: usize = 20_000;
/// Limits of each query of a picture: a picture is drawn in a short time.
const LIMITS: Limits = Limits {
    conflicts: 500,
    pivots: 2_000,
    branches: 100,
    memory: 64 << 20,
    strategy: solver_lite::Strategy::Auto,
};

/// The maximal number of drawn nodes of a graph, apart from those that are always drawn.
pub const MOST: usize = 240;

/// The scenes of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum What {
    /// The model, with the subjects of the step.
    Model,
    /// What the method computed: the reachability graph, the cells, or the table of rounds.
    #[default]
    Method,
    /// The path of the counterexample with its concrete images.
    Path,
    /// The automaton of a temporal formula, and the search in the product.
    Product,
    /// Of a net: its invariants, siphons and traps, each as a part of its drawing.
    Structure,
    /// Of a net: its reachability graph, with the marking of the step, and its coverability graph.
    Markings,
    /// Of a time net: the run that was found on the axis of time, and the net at a moment, in thousandths of its
    /// duration.
    Timeline(u32),
    /// A small system under some of the predicates of a run, or all: its concrete states, its may and must abstraction,
    /// and the searches with abstract matching.
    Abstractions(Option<Chosen>),
    /// The values of two variables at a location, or of one; anything not chosen is that of the step.
    States {
        /// The location.
        location: Option<LocationId>,
        /// A node there.
        node: Option<NodeId>,
        /// The variables.
        axes: Option<(VarId, VarId)>,
    },
}

impl What {
    /// All of them with their names for the command line.
    pub const ALL: [(&'static str, What); 9] = [
        ("model", What::Model),
        ("method", What::Method),
        ("path", What::Path),
        ("product", What::Product),
        ("structure", What::Structure),
        ("markings", What::Markings),
        ("timeline", What::Timeline(MOMENTS)),
        ("abstractions", What::Abstractions(None)),
        ("states", What::States { location: None, node: None, axes: None }),
    ];

    /// Its name, whatever is chosen.
    #[must_use]
    pub fn name(self) -> &'static str {
        let same = |(_, what): &&(&str, What)| discriminant(what) == discriminant(&self);
        What::ALL.iter().find(same).map_or("", |(name, _)| name)
    }
}

/// The scene of a model, without a run.
#[must_use]
pub fn of_model(system: &System) -> Scene {
    model_scene(&model(system), None)
}

/// The scene of the drawing of a model.
fn model_scene(drawing: &Drawing, step: Option<&Step<'_>>) -> Scene {
    match drawing {
        net if net::is_one(net) => net::scene(net, step),
        counters if counters::is_one(counters) => counters::scene(counters, step),
        chart if chart::is_one(chart) => chart::scene(chart, step),
        _ => model::scene(drawing, step),
    }
}

/// A scene with the choices it offers.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Drawn {
    /// The scene.
    pub scene: Scene,
    /// The predicates to choose from.
    pub predicates: Vec<Choice>,
    /// The variables to choose from.
    pub variables: Vec<(VarId, String)>,
    /// Those that are drawn.
    pub axes: Option<(VarId, VarId)>,
}

impl From<Scene> for Drawn {
    fn from(scene: Scene) -> Drawn {
        Drawn { scene, ..Drawn::default() }
    }
}

/// The model of a run, with derived data for its scenes.
pub struct Pictures {
    /// The drawing of the model.
    drawing: Drawing,
    /// The net, if it is one.
    net: Option<Arc<Net>>,
    /// How the states of a chart are found to be active.
    configurations: Option<Configurations>,
    /// Its clocks, if it is a time net.
    clocks: Option<Arc<Clocks>>,
    /// As it is explored: with the additions of the property, or the product with its automaton.
    system: Arc<System>,
    blocks: Blocks,
    /// Of a temporal formula.
    product: Option<Arc<Product>>,
    /// The structure of the net.
    structure: Option<Scene>,
    /// Its coverability graph.
    coverable: Option<Scene>,
    /// The formula of branching time that is asked.
    formula: Option<Ctl>,
    /// Its witness, once it was searched.
    witness: Option<Option<Part>>,
    images: Option<Images>,
    samples: Option<Vec<(LocationId, State)>>,
    /// The states over two variables or one, and the variables to choose from.
    plane: Option<Plane>,
    /// The system under predicates that were chosen.
    abstractions: Option<(Vec<Choice>, Scene)>,
    drawable: Option<Vec<VarId>>,
    /// The run that was found.
    run: FoundRun,
}

/// A run that was found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FoundRun {
    /// Its states.
    pub rows: Vec<TraceRow>,
    /// Of an infinite run, the number of the row at which its cycle begins.
    pub back: Option<usize>,
}

/// A step of a run, with the views that the pictures of the page need.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// The journal.
    pub journal: &'a Journal,
    /// The graph after the step.
    pub graph: &'a ArgView,
    /// The counterexample after the step.
    pub cex: &'a CexView,
    /// The subjects of the step, as parts of the model.
    pub subjects: &'a Subjects,
    /// The part of the graph.
    pub part: GraphPart,
    /// Of a larger graph only so many nodes are drawn, and those that always are.
    pub most: usize,
    /// The graph as it was drawn at another step: what is in both keeps its place.
    pub last: Option<&'a Drawing>,
    /// Of a chart, how its states are found to be active.
    pub configurations: Option<&'a Configurations>,
}

/// The reachability graph at a step.
#[must_use]
pub fn graph(step: &Step<'_>) -> Scene {
    graph::graph(step)
}

/// The next node of the graph after another one, in a circle, of which the number, the location or the label contains a
/// text; for ASCII letters the case does not matter.
#[must_use]
pub fn find(journal: &Journal, graph: &ArgView, text: &str, after: Option<NodeId>) -> Option<NodeId> {
    let text = text.trim();
    let within = |place: &str| {
        let same = |part: &[u8]| part.eq_ignore_ascii_case(text.as_bytes());
        !text.is_empty() && place.as_bytes().windows(text.len()).any(same)
    };
    let contains = |(id, node): &(NodeId, &ArgNodeView)| {
        id.to_string().eq_ignore_ascii_case(text)
            || text.parse() == Ok(id.0)
            || within(journal.location(node.label.location))
            || within(&journal.label(&node.label))
    };
    let later = |(id, _): &(NodeId, &ArgNodeView)| after.is_none_or(|after| *id > after);
    let found = graph.live().filter(later).find(contains).or_else(|| graph.live().find(contains));
    found.map(|(id, _)| id)
}

/// A part of the reachability graph after some events of a run.
#[must_use]
pub fn graph_at((journal, index): (&Journal, usize), subjects: &Subjects, part: GraphPart) -> Scene {
    let events = &journal.events[..journal.events.len().min(index + 1)];
    let moment = Moment::new(journal, events, subjects);
    graph::graph(&Step { part, ..moment.step() })
}

/// The drawing of a model, without a run.
#[must_use]
pub fn model(system: &System) -> Drawing {
    match (&system.net, &system.chart) {
        (Some(net), _) => net::model(system, net),
        (_, Some(reading)) => chart::model(system, &reading.chart),
        _ => counters::model(system).unwrap_or_else(|| model::model(system)),
    }
}

/// The name of the kind of drawing of a model.
#[must_use]
pub fn title(drawing: &Drawing) -> &'static str {
    match drawing {
        net if net::is_one(net) => "Petri net",
        counters if counters::is_one(counters) => "Program counters",
        chart if chart::is_one(chart) => "Statechart",
        _ => "Control flow automaton",
    }
}

/// Is this the drawing of a Petri net?
#[must_use]
pub fn is_net(drawing: &Drawing) -> bool {
    net::is_one(drawing)
}

/// The drawing of a net after these transitions were fired, from the marking that is drawn, as far as they are enabled.
#[must_use]
pub fn played(drawing: &Drawing, fired: &[EdgeId]) -> Drawing {
    net::played(drawing, fired)
}

/// The number of these firings that are possible one after the other, from the marking that is drawn.
#[must_use]
pub fn possible(drawing: &Drawing, fired: &[EdgeId]) -> usize {
    net::possible(drawing, fired)
}

/// Are both drawings of one net, wherever its parts are?
#[must_use]
pub fn is_same_net(one: &Drawing, other: &Drawing) -> bool {
    net::is_same(one, other)
}

/// The transitions that are enabled in the marking that is drawn.
#[must_use]
pub fn enabled(drawing: &Drawing) -> Vec<EdgeId> {
    net::enabled(drawing)
}

/// Transitions that are enabled together in the marking that is drawn, and to which no other one can be added; `first`
/// is the number of the one to begin with, among those that are enabled.
#[must_use]
pub fn maximal_step(drawing: &Drawing, first: usize) -> Vec<EdgeId> {
    net::maximal(drawing, first)
}

/// The marking that is drawn, as text: `2 free + busy`.
#[must_use]
pub fn marking(drawing: &Drawing) -> String {
    net::marking_of(drawing)
}

/// The name of a transition of the drawing of a net as it is drawn.
#[must_use]
pub fn transition_name(drawing: &Drawing, transition: EdgeId) -> Option<&str> {
    net::transition_name(drawing, transition)
}

/// Why a transition is not enabled in the marking that is drawn; none if it is.
#[must_use]
pub fn why_disabled(drawing: &Drawing, transition: EdgeId) -> Option<String> {
    net::why_disabled(drawing, transition)
}

/// The scene of a reachability graph, with a marking, given as text, as the current one.
#[must_use]
pub fn with_marking(scene: &Scene, marking: &str) -> Scene {
    markings::with_current(scene, marking)
}

/// The shortest firing sequence of a reachability graph from a marking, given as text, to another, given by its number;
/// none if the drawing has none.
#[must_use]
pub fn firings(drawing: &Drawing, from: &str, to: u32) -> Option<Vec<EdgeId>> {
    markings::firings(drawing, from, to)
}

/// The drawing of a model, which takes these places, at a step of its run.
#[must_use]
pub fn model_at(drawing: &Drawing, taken: &Taken, step: &Step<'_>) -> Drawing {
    if chart::is_one(drawing) {
        return chart::at(drawing, step);
    }
    if counters::is_one(drawing) {
        return counters::at(drawing, taken, step);
    }
    if !net::is_one(drawing) {
        return model::at(drawing, taken, step);
    }
    let mut drawing = drawing.clone();
    net::at(&mut drawing, step);
    drawing
}

/// A run up to a step.
struct Moment<'a> {
    journal: &'a Journal,
    arg: ArgView,
    cex: CexView,
    precision: PrecisionView,
    cells: CellsView,
    subjects: &'a Subjects,
    /// Is it the end of the run?
    is_last: bool,
}

impl<'a> Moment<'a> {
    /// The run after these events of its journal.
    fn new(journal: &'a Journal, events: &[Event], subjects: &'a Subjects) -> Moment<'a> {
        let mut moment = Moment {
            journal,
            arg: ArgView::default(),
            cex: CexView::default(),
            precision: PrecisionView::default(),
            cells: CellsView::default(),
            subjects,
            is_last: events.len() >= journal.events.len(),
        };
        for event in events {
            moment.arg.apply(event, journal);
            moment.cex.apply(event, journal);
            moment.precision.apply(event, journal);
            moment.cells.apply(event, journal);
        }
        moment
    }

    fn step(&self) -> Step<'_> {
        let Moment { journal, arg, cex, subjects, .. } = self;
        Step {
            journal,
            graph: arg,
            cex,
            subjects,
            part: GraphPart::default(),
            most: MOST,
            last: None,
            configurations: None,
        }
    }

    /// The location of the step, or else the one with the most facts.
    fn location(&self) -> Option<LocationId> {
        let of_node = |n: &NodeId| self.arg.nodes.get(n.index()).map(|n| n.label.location);
        let target = |e: &EdgeId| self.journal.names.edges.get(e.index()).map(|e| e.target);
        let subjects = self.subjects;
        let about = subjects.nodes.first().and_then(of_node).or(subjects.locations.first().copied());
        let facts = |n: &ArgNodeView| n.label.values.len() + n.label.literals.len() + n.label.either.len();
        let most = || self.arg.live().max_by_key(|(id, n)| (facts(n), std::cmp::Reverse(*id)));
        about.or(subjects.edges.last().and_then(target)).or_else(|| most().map(|(_, n)| n.label.location))
    }
}

/// Is it a run of refinement by splitting?
fn is_split(journal: &Journal) -> bool {
    matches!(journal.first_step(), Some(Event::Split(_)))
}

impl Pictures {
    /// The pictures of a run of a model.
    #[must_use]
    pub fn new(run: &Run, model: &System) -> Pictures {
        let formula = match run.property() {
            Property::Branching(formula) => Some((**formula).clone()),
            _ => None,
        };
        Pictures {
            formula,
            witness: None,
            drawing: self::model(model),
            net: model.net.clone(),
            configurations: model.chart.as_ref().map(|reading| Configurations::of(model, reading)),
            clocks: model.clocks.clone(),
            system: Arc::clone(run.system()),
            blocks: run.blocks(),
            product: run.product().cloned(),
            structure: None,
            coverable: None,
            images: None,
            samples: None,
            plane: None,
            abstractions: None,
            drawable: None,
            run: FoundRun::default(),
        }
    }

    /// Stores the run that was found, to be drawn at the last step.
    pub fn found(&mut self, run: FoundRun) {
        self.run = run;
    }

    /// A scene of an event, which has these subjects in the model.
    pub fn scene(&mut self, journal: &Journal, index: usize, subjects: &Subjects, what: What) -> Drawn {
        let events = &journal.events[..journal.events.len().min(index + 1)];
        let moment = Moment::new(journal, events, subjects);
        match what {
            What::Model => {
                let step = Step { configurations: self.configurations.as_ref(), ..moment.step() };
                model_scene(&self.drawing, Some(&step)).into()
            }
            What::Method if is_split(journal) => {
                Scene { parts: vec![split::scene::cells(&moment.cells, journal)] }.into()
            }
            What::Method if journal.has_graph() => graph::graph(&moment.step()).into(),
            What::Method => Scene { parts: vec![rounds::rounds(events, journal)] }.into(),
            What::Product => match &self.product {
                Some(product) => product::product(product, &moment, events).into(),
                None => Scene::sentence("The property is not a temporal formula.").into(),
            },
            What::Timeline(at) => match (&self.net, &self.clocks) {
                (Some(net), Some(clocks)) => {
                    timeline::timeline(net, &self.drawing, clocks, &self.run, at).into()
                }
                _ => Scene::sentence("The model is not a time net.").into(),
            },
            What::Abstractions(chosen) => self.abstractions(&moment, chosen),
            What::Structure | What::Markings => match &self.net {
                Some(net) if what == What::Structure => {
                    let scene = || analysis::structure(net, &self.drawing);
                    self.structure.get_or_insert_with(scene).clone().into()
                }
                Some(net) => {
                    if let Some(clocks) = &self.clocks {
                        let now = net::state_at(&moment.step()).map(NodeId::index);
                        return classes::classes(net, clocks, now).into();
                    }
                    let now = net::marking_at(net, &moment.step());
                    let (mut scene, is_whole) = markings::reachable(net, now.as_ref());
                    let evaluated = |event: &Event| {
                        matches!(event, Event::Explicit(explicit::Event::FormulaEvaluated { .. }))
                    };
                    if let Some(formula) = self.formula.as_ref().filter(|_| events.iter().any(evaluated)) {
                        let witness = || {
                            let witness = Witness::of(net, formula)?;
                            Some(analysis::witness(&self.system, net, &witness))
                        };
                        scene.parts.splice(0..0, self.witness.get_or_insert_with(witness).clone());
                    }
                    if !is_whole {
                        let coverable = self.coverable.get_or_insert_with(|| analysis::coverable(net));
                        scene.parts.extend(coverable.parts.iter().cloned());
                    }
                    scene.into()
                }
                None => Scene::sentence("The model is not a Petri net.").into(),
            },
            What::States { axes, .. } if !journal.has_graph() => self.states(&moment, axes),
            What::Path => path::path(self, &moment).into(),
            What::States { location, node, axes } => {
                let samples = self.samples.take().unwrap_or_else(|| sample(&self.system, SAMPLES));
                let drawn = location
                    .or_else(|| moment.location())
                    .map(|location| states::states(&self.system, &moment, &samples, (location, node), axes));
                self.samples = Some(samples);
                drawn.unwrap_or_else(|| Scene::sentence("No location has been reached yet.").into())
            }
        }
    }

    /// The system under predicates, which are those of the step unless others are chosen.
    fn abstractions(&mut self, moment: &Moment<'_>, chosen: Option<Chosen>) -> Drawn {
        let predicates = abstractions::choices(moment, chosen, &self.system);
        let known = self.abstractions.take().filter(|(of, _)| *of == predicates);
        let scene = known.map_or_else(
            || abstractions::abstractions(&self.system, moment.journal, &predicates),
            |(_, scene)| scene,
        );
        self.abstractions = Some((predicates.clone(), scene.clone()));
        Drawn { predicates, ..scene.into() }
    }

    /// The states over two variables, or over one, beside the abstract transition system if there is one.
    fn states(&mut self, moment: &Moment<'_>, axes: Option<(VarId, VarId)>) -> Drawn {
        let all = self.drawable.get_or_insert_with(|| state_variables(&self.system)).clone();
        let tracked = |v: &VarId| usize::from(!moment.precision.variables.iter().any(|(w, _)| w == v));
        let mut first = all.clone();
        first.sort_by_key(tracked);
        let usual =
            first.first().map(|x| (*x, *first.get(1).unwrap_or(x))).map(|(x, y)| (x.min(y), x.max(y)));
        let Some(axes) = axes.filter(|(x, y)| all.contains(x) && all.contains(y)).or(usual) else {
            let text = "No variable to draw: the model has none, or only variables of type real.";
            return Scene::sentence(text).into();
        };
        let known = self.plane.take().filter(|p| (p.x.variable, p.y.variable) == axes);
        let mut plane = known.unwrap_or_else(|| Plane::new(&self.system, axes, LIMITS));
        let run = if moment.is_last && self.run.back.is_none() { self.run.rows.as_slice() } else { &[] };
        let mut parts = vec![plane::plane(&mut plane, moment, &self.system, run)];
        if !moment.cells.cells.is_empty() {
            parts.push(split::scene::cells(&moment.cells, moment.journal));
        }
        self.plane = Some(plane);
        let variables = all.iter().map(|v| (*v, self.system.variable(*v).name.clone())).collect();
        Drawn { scene: Scene { parts }, variables, axes: Some(axes), ..Drawn::default() }
    }

    fn images(&mut self) -> &mut Images {
        self.images.get_or_insert_with(|| Images::new(&self.blocks, LIMITS))
    }
}
