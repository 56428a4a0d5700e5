//! The model as a graph of locations and edges, which can be edited.

use std::rc::Rc;
use std::sync::Arc;

use veristep_core::draw::{self, GraphPart, Step, Taken};
use veristep_core::edit::net;
use veristep_core::formats::cfa;
use veristep_core::scene::{Drawing, Text};
use veristep_core::system;
use yew::prelude::*;

use crate::explained::Subjects;
use crate::protocol::{ModelInfo, Role};
use crate::state::{
    Action, Answers, Editable, FrameRef, Game, JournalRef, PictureOf, Related, Simulated, SimulationMove,
};
use crate::ui::Act;
use crate::ui::canvas::Fit;
use crate::ui::graph_editor::{Edited, Kind, Language, moved, tools, use_editor};
use crate::ui::icon::icon;
use crate::ui::play::use_play;
use crate::ui::scene::{Shown, above, picture};

/// Control flow automata.
pub(super) static LANGUAGE: Language = Language {
    kind: Kind::ControlFlow,
    whole: "automaton",
    node: "location",
    edge: "edge",
    label: "Statements",
    example: "assume x < 3; x := x + 1",
    enter: "Enter writes the statements; Shift and Enter begin a new line",
    first: "start",
    letter: "l",
    roles: &[
        (Role::Plain, system::Role::Plain, "plain"),
        (Role::Initial, system::Role::Initial, "initial"),
        (Role::Error, system::Role::Error, "error"),
        (Role::Final, system::Role::Final, "final"),
    ],
    copied: cfa::copied,
};

/// Petri nets.
static NETS: Language = Language {
    kind: Kind::Net,
    whole: "net",
    node: "node",
    edge: "arc",
    label: "Weight",
    example: "1",
    enter: "A whole number",
    first: "p1",
    letter: "p",
    roles: &[],
    copied: net::copied,
};

/// Statecharts.
static CHARTS: Language = Language {
    kind: Kind::Chart,
    whole: "chart",
    node: "state",
    edge: "transition",
    label: "Event, guard and actions",
    example: "event [condition] / actions; empty: a completion transition",
    enter: "Enter writes the label: an event, [a guard], and / actions; also after 3 and done",
    first: "A",
    letter: "S",
    roles: &[
        (Role::Initial, system::Role::Initial, "initial"),
        (Role::Plain, system::Role::Plain, "plain"),
        (Role::Final, system::Role::Final, "final"),
    ],
    copied: |_| String::new(),
};

/// A net or a chart as it is edited.
#[inline(never)]
fn edited_as(model: &ModelInfo) -> Option<Rc<ModelInfo>> {
    let drawn = model.net.as_deref().or_else(|| Some(&model.chart.as_deref()?.drawn))?;
    Some(Rc::new(ModelInfo { drawing: model.drawing.clone(), ..drawn.clone() }))
}

/// The props.
#[derive(Properties, Clone, PartialEq)]
pub struct Props {
    /// What it can be edited as, if it can.
    pub editable: Editable,
    /// It is the drawing of an older text, because the text has errors.
    pub stale: bool,
    /// The text.
    pub text: Rc<str>,
    /// The results of edits of the drawing.
    pub answers: Answers,
    /// The model.
    pub model: Option<Rc<ModelInfo>>,
    /// The subjects of the step.
    pub subjects: Rc<Subjects>,
    /// The phase of the step.
    pub phase: Option<&'static str>,
    /// The step.
    pub frame: FrameRef,
    /// The journal.
    pub journal: JournalRef,
    /// The token game.
    pub game: Rc<Game>,
    /// The simulation of a chart, if that is shown.
    pub simulation: Option<Rc<Simulated>>,
    /// The objects related to the selection.
    pub related: Rc<Related>,
    /// How drawings place themselves.
    pub fit: Fit,
    /// The callback for actions.
    pub act: Act,
}

/// The drawing at the position of a simulation, or at a step of the run.
fn drawn_at(
    (taken, drawing): &(Taken, Arc<Drawing>),
    journal: &JournalRef,
    (frame, subjects): (&FrameRef, &Subjects),
    (simulation, model): (Option<&Simulated>, Option<&ModelInfo>),
) -> Option<Arc<Drawing>> {
    if let Some(moment) = simulation.and_then(Simulated::shown) {
        let transitions: Vec<_> = moment.transitions.iter().map(|(t, _)| *t).collect();
        return Some(draw::simulated(drawing, &moment.active, &transitions).into());
    }
    if frame.cursor == 0 {
        return Some(drawing.clone());
    }
    let journal = journal.get();
    let (graph, cex) = (&frame.arg, &frame.cex);
    let configurations = model.and_then(|model| Some(&model.chart.as_ref()?.configurations));
    let (part, most, last) = (GraphPart::default(), draw::MOST, None);
    let step = Step { journal: &journal, graph, cex, subjects, part, most, last, configurations };
    Some(draw::model_at(drawing, taken, &step).into())
}

/// The drawn model.
#[component]
pub fn CfaView(props: &Props) -> Html {
    let drawn = use_memo(props.model.clone(), |model| model.as_deref().and_then(edited_as));
    let edited = Edited {
        language: match props.editable {
            Editable::Chart => &CHARTS,
            _ if props.model.as_ref().is_some_and(|model| model.chart.is_some()) => &CHARTS,
            _ if props.editable == Editable::Net || drawn.is_some() => &NETS,
            _ => &LANGUAGE,
        },
        editable: props.editable != Editable::No,
        text: props.text.clone(),
        answers: props.answers.clone(),
        model: Option::clone(&drawn).or_else(|| props.model.clone()),
        related: props.related.clone(),
        act: props.act.clone(),
    };
    let editor = use_editor(&edited);
    let placed = use_memo((edited.model.clone(), editor.dragged()), |(model, dragged)| {
        let model = model.as_ref()?;
        let drawing = match dragged {
            Some(dragged) => moved(model, dragged),
            None => model.drawing.clone(),
        };
        Some((Taken::of(&drawing), drawing))
    });
    let drawn = use_memo(
        (
            placed.clone(),
            props.journal.clone(),
            (props.frame.clone(), props.subjects.clone()),
            (props.simulation.clone(), props.model.clone()),
        ),
        |(placed, journal, (frame, subjects), (simulation, model))| {
            let placed = placed.as_ref().as_ref()?;
            drawn_at(placed, journal, (frame, subjects), (simulation.as_deref(), model.as_deref()))
        },
    );
    let play = use_play(&props.game, &props.act, &placed, &props.model, props.frame.cursor);
    // While a net is played, clicks fire transitions; a chart that is simulated keeps its structure.
    let edits = edited.editable && play.drawing().is_none() && props.simulation.is_none();
    let Some(drawing) = play.drawing().or(drawn.as_ref().as_ref()) else { return editor.empty() };
    let shown = Shown {
        name: "cfa",
        related: editor.related(),
        focus: None,
        // Without a location of the step the initial one is in view.
        at_rest: true,
        phase: props.phase,
        fit: props.fit,
        on_edit: edits.then(|| editor.gestures()),
        card: editor.has_card().then(|| editor.card(drawing)).flatten(),
        tools: html! { <>if edits { { tools(&edited, &editor) } }{ play.tools(drawing) }{ simulate(props) }</> },
        save: Some(props.act.reform(|format| Action::Save(PictureOf::Model, format))),
        act: play.act(&props.act),
    };
    let title = draw::title(drawing);
    let stale = props.stale.then(|| Text::plain("of the last text without errors"));
    let above = above(play.heading(title), &stale.unwrap_or_default());
    html! {
        <div class={classes!("edited", play.direction(), props.stale.then_some("stale"), editor.classes())} onfocusin={editor.user()} onkeydown={play.on_key()}>
            { picture(title, above, &editor.linked(drawing), "cfa".to_owned(), &shown) }
            { play.history() }
            <p class="sr" role="status">{ editor.news() }{ play.news() }</p>
        </div>
    }
}

/// The button with which a chart is played.
fn simulate(props: &Props) -> Html {
    if props.model.as_ref().is_none_or(|model| model.chart.is_none()) {
        return Html::default();
    }
    let on = props.simulation.is_some();
    let onclick = props.act.reform(|_: MouseEvent| Action::Simulate(SimulationMove::Toggle));
    html! { <button class="btn" aria-pressed={on.to_string()} aria-label="Play the chart" title="Play the chart: send events and see what they do" {onclick} data-testid="play-chart">{ icon("play") }</button> }
}
