//! Pictures of a step, as HTML that the page only inserts: the model is in the worker, and the page stays small.

pub(super) mod automaton;
mod cells;
mod path;
mod plane;
mod product;
mod rounds;
mod states;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use solver_lite::Limits;
use veristep_core::kit::{Journal, NodeId, View};
use veristep_core::picture::{Images, Plane, sample, state_variables};
use veristep_core::run::Run;
use veristep_core::system::{Blocks, EdgeId, LocationId, State, System, VarId};
use veristep_core::temporal::Product;
use veristep_core::views::{ArgNodeView, ArgView, CellsView, CexView, PrecisionView};

use crate::explained::{Depicted, Look, Subjects};
use crate::protocol::{Proof, RunResult, Shown, TraceRow};

/// The maximal number of concrete states.
const SAMPLES: usize = 20_000;
/// Limits of each query: a picture must not block the page.
const LIMITS: Limits = Limits {
    conflicts: 500,
    pivots: 2_000,
    branches: 100,
    memory: 64 << 20,
    strategy: solver_lite::Strategy::Auto,
};

/// The model of a run, with derived data for pictures.
pub(super) struct Scene {
    system: Arc<System>,
    blocks: Blocks,
    /// Of a temporal formula.
    product: Option<Arc<Product>>,
    images: Option<Images>,
    samples: Option<Vec<(LocationId, State)>>,
    /// The states over two variables, and the variables to choose from.
    plane: Option<Plane>,
    drawable: Option<Vec<VarId>>,
    /// The run that was found.
    run: Vec<TraceRow>,
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

impl Moment<'_> {
    /// The location of the step, or else the one with the most facts.
    fn location(&self) -> Option<LocationId> {
        let of_node = |n: &NodeId| self.arg.nodes.get(n.index()).map(|n| n.label.location);
        let target = |e: &EdgeId| self.journal.names.edges.get(e.index()).map(|e| e.target);
        let subjects = self.subjects;
        let about = subjects.nodes.first().and_then(of_node).or(subjects.locations.first().copied());
        let facts = |n: &ArgNodeView| n.label.values.len() + n.label.literals.len() + n.label.either.len();
        let most = || self.arg.live().max_by_key(|(id, n)| (facts(n), std::cmp::Reverse(*id)));
        about.or(subjects.edges.first().and_then(target)).or_else(|| most().map(|(_, n)| n.label.location))
    }
}

impl Scene {
    pub(super) fn new(run: &Run) -> Scene {
        Scene {
            system: Arc::clone(run.system()),
            blocks: run.blocks(),
            product: run.product().cloned(),
            images: None,
            samples: None,
            plane: None,
            drawable: None,
            run: Vec::new(),
        }
    }

    /// Stores a trace, to be drawn at its end.
    pub(super) fn found(&mut self, outcome: &RunResult) {
        if let Some(Proof { shown: Shown::Trace(rows), .. }) = &outcome.certificate {
            self.run.clone_from(rows);
        }
    }

    /// The requested picture of an event.
    pub(super) fn depict(
        &mut self,
        journal: &Journal,
        index: u32,
        subjects: &Subjects,
        look: Look,
    ) -> Depicted {
        let mut moment = Moment {
            journal,
            arg: ArgView::default(),
            cex: CexView::default(),
            precision: PrecisionView::default(),
            cells: CellsView::default(),
            subjects,
            is_last: index as usize + 1 >= journal.events.len(),
        };
        for event in journal.events.iter().take(index as usize + 1) {
            moment.arg.apply(event, journal);
            moment.cex.apply(event, journal);
            moment.precision.apply(event, journal);
            moment.cells.apply(event, journal);
        }
        let events = &journal.events[..journal.events.len().min(index as usize + 1)];
        match look {
            Look::Nothing => Depicted::default(),
            Look::Method => {
                let split = !moment.cells.cells.is_empty();
                let html =
                    if split { cells::draw(&moment.cells, journal) } else { rounds::draw(events, journal) };
                Depicted { look, html, ..Depicted::default() }
            }
            Look::Product => {
                let html = match &self.product {
                    Some(product) => product::draw(product, &moment, events),
                    None => "<p class=\"muted\">The property is not a temporal formula.</p>".to_owned(),
                };
                Depicted { look, html, ..Depicted::default() }
            }
            Look::States { axes, .. } if !journal.has_graph() => self.states(&moment, axes, look),
            Look::Path => Depicted { look, html: path::draw(self, &moment), ..Depicted::default() },
            Look::States { location, node, axes } => {
                let samples = self.samples.take().unwrap_or_else(|| sample(&self.system, SAMPLES));
                let depicted = location
                    .or_else(|| moment.location())
                    .map(|location| states::draw(&self.system, &moment, &samples, (location, node), axes));
                self.samples = Some(samples);
                Depicted { look, ..depicted.unwrap_or_default() }
            }
        }
    }

    /// The states over two variables, beside the abstract transition system if there is one.
    fn states(&mut self, moment: &Moment<'_>, axes: Option<(VarId, VarId)>, look: Look) -> Depicted {
        let all = self.drawable.get_or_insert_with(|| state_variables(&self.system)).clone();
        let spoken = |v: &VarId| usize::from(!moment.precision.variables.iter().any(|(w, _)| w == v));
        let mut first = all.clone();
        first.sort_by_key(spoken);
        let usual = first.first().copied().zip(first.get(1).copied()).map(|(x, y)| (x.min(y), x.max(y)));
        let Some(axes) = axes.filter(|(x, y)| x != y && all.contains(x) && all.contains(y)).or(usual) else {
            let html =
                "<p class=\"muted\">Two variables not of type real are needed; this model has fewer.</p>";
            return Depicted { look, html: html.to_owned(), ..Depicted::default() };
        };
        let known = self.plane.take().filter(|p| (p.x.variable, p.y.variable) == axes);
        let mut plane = known.unwrap_or_else(|| Plane::new(&self.system, axes, LIMITS));
        let mut html = format!(
            "<div class=\"beside\"><div>{}</div>",
            plane::draw(&mut plane, moment, &self.system, if moment.is_last { &self.run } else { &[] })
        );
        if !moment.cells.cells.is_empty() {
            html.push_str(&format!("<div>{}</div>", cells::draw(&moment.cells, moment.journal)));
        }
        html.push_str("</div>");
        self.plane = Some(plane);
        let variables = all.iter().map(|v| (*v, self.system.variable(*v).name.clone())).collect();
        Depicted { look, html, variables, axes: Some(axes) }
    }

    fn images(&mut self) -> &mut Images {
        self.images.get_or_insert_with(|| Images::new(&self.blocks, LIMITS))
    }
}
