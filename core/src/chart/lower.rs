//! From a chart to a system of locations and edges.
//!
//! The configuration is a variable for each composite state, whose value is the active substate. From `stable`, where
//! the chart waits, an edge for each event of the environment leads to the choice of its transitions; these lead to
//! `settle`, from which completion transitions and raised events are executed until none is left, and then back to
//! `stable`. If several transitions can be taken in one microstep, variables record which ones are selected before the
//! first of them is executed. Only `stable` and `finished` are observed.

mod actions;
mod effect;
mod encoding;
mod flow;
mod select;

use std::sync::Arc;

use crate::chart::reading::Reading;
use crate::chart::{Chart, EventId, StateKind};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Expr, Syntax, Type};
use crate::system::{Draft, DraftVariable, Formalism, LocationId, Op, Role, System};

use encoding::Encoding;
use flow::{Flow, Point, Step};

/// The name of the location where the chart waits for the environment.
pub const STABLE: &str = "stable";
/// The name of the location after a final state of the chart.
pub const FINISHED: &str = "finished";

/// The system of a chart.
///
/// # Errors
/// What is not supported.
pub fn lower(chart: Chart) -> Result<System, Vec<Diagnostic>> {
    let chart = Arc::new(chart);
    let mut lowering = Lowering::new(&chart);
    lowering.all()?;
    let Lowering { flow, places, encoding, .. } = lowering;
    let draft = Draft {
        name: chart.name.clone(),
        variables: encoding.variables.iter().map(variable).collect(),
        locations: flow.locations,
        edges: flow.edges,
        initial: places.start,
        invariant: Expr::bool(true),
        asked: Vec::new(),
        embedded: None,
    };
    let mut system = draft.finish()?;
    system.formalism = Formalism::Chart;
    system.syntax = Syntax::Ltl;
    system.enumerations = chart.enumerations.iter().chain(&encoding.enumerations).cloned().collect();
    system.stated.clone_from(&chart.properties);
    system.control = encoding.control();
    let inside = chart.state_ids().map(|s| encoding.inside(s)).collect();
    let event = chart.event_ids().map(|e| encoding.is_event(e)).collect();
    if system.edges.iter().any(|e| e.target == places.fault) {
        system.locations[places.fault.index()].role = Role::Error;
        system.error = Some(places.fault);
        system.fault = Some(places.fault);
    }
    system.chart = Some(Arc::new(Reading {
        inside,
        event,
        meaning: encoding.meaning(),
        queued: encoding.queued.clone(),
        chart,
    }));
    Ok(system)
}

fn variable((name, ty, span): &(String, Type, Span)) -> DraftVariable {
    DraftVariable { name: name.clone(), ty: ty.clone(), span: *span, promised: None }
}

/// The locations with a meaning of their own.
#[derive(Clone, Copy)]
struct Places {
    start: LocationId,
    stable: LocationId,
    finished: LocationId,
    settle: LocationId,
    fault: LocationId,
}

struct Lowering<'a> {
    chart: &'a Chart,
    encoding: Encoding,
    flow: Flow,
    places: Places,
    /// For each event the location at which its transitions are chosen.
    reactions: Vec<LocationId>,
}

impl<'a> Lowering<'a> {
    fn new(chart: &'a Arc<Chart>) -> Lowering<'a> {
        let mut flow = Flow::default();
        let places = Places {
            start: flow.location("start", Role::Initial, true),
            stable: flow.location(STABLE, Role::Plain, false),
            finished: flow.location(FINISHED, Role::Final, false),
            settle: flow.location("settle", Role::Plain, true),
            fault: flow.location("fault", Role::Plain, true),
        };
        flow.fault = Some(places.fault);
        let name = |e: EventId| format!("on {}", chart.event(e).name);
        let reactions = chart.event_ids().map(|e| flow.location(&name(e), Role::Plain, true)).collect();
        Lowering { chart, encoding: Encoding::new(chart), flow, places, reactions }
    }

    fn all(&mut self) -> Result<(), Vec<Diagnostic>> {
        let Places { start, stable, settle, .. } = self.places;
        self.settling()?;
        for e in self.chart.event_ids() {
            let reaction = self.reactions[e.index()];
            if self.chart.event(e).external {
                let label = format!("event {}", self.chart.event(e).name);
                let steps = self.encoding.reception(e);
                self.go(&steps, Point::new(stable, &label), reaction);
            }
            let steps = self.reaction(Some(e))?;
            self.go(&steps, Point::new(reaction, ""), settle);
        }
        // All variables are known now.
        let mut first = vec![Step::Do(self.encoding.initial_values())];
        first.extend(self.initial_entry()?);
        self.go(&first, Point::new(start, "initial values"), settle);
        Ok(())
    }

    /// Adds steps between two locations.
    fn go(&mut self, steps: &[Step], from: Point, to: LocationId) {
        if let Some(end) = self.flow.run(steps, from) {
            self.flow.edge(end, to);
        }
    }

    /// Completion transitions, then raised events, until there are none.
    fn settling(&mut self) -> Result<(), Vec<Diagnostic>> {
        let Places { stable, finished, settle, .. } = self.places;
        let mut steps = Vec::new();
        let finals =
            self.chart.substates(Chart::ROOT).filter(|s| self.chart.state(*s).kind == StateKind::Final);
        for last in finals {
            let body = vec![Step::Go(finished, String::new())];
            steps.push(Step::when(self.encoding.inside(last), body));
        }
        steps.extend(self.reaction(None)?);
        for e in self.encoding.queued.clone() {
            let mut body = self.encoding.dequeue();
            body.push(Step::Go(self.reactions[e.index()], format!("event {}", self.chart.event(e).name)));
            steps.push(Step::when(self.encoding.is_next(e), body));
        }
        self.go(&steps, Point::new(settle, ""), stable);
        Ok(())
    }
}

/// `v := e`
fn assign(v: crate::expr::VarId, e: Expr) -> Step {
    Step::Do(Op::Assign(v, e))
}
