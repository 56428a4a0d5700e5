//! The panel in the middle: the verdict, and the views of the algorithm.

use std::rc::Rc;

use veristep_core::draw::{Fold, GraphPart};
use veristep_core::kit;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::explained::{Explained, Subjects};
use crate::state::{
    Action, FrameRef, Granularity, JournalRef, MiddleTab, Move, Notice, PictureOf, Related, Run, ShowGhosts,
    Simulated, Tone, View,
};
use crate::ui::abstractions_view::abstractions_view;
use crate::ui::arg_view::ArgView;
use crate::ui::canvas::Fit;
use crate::ui::events_view::EventsView;
use crate::ui::icon::icon;
use crate::ui::scene::Shown;
use crate::ui::simulation_view::{self, SimulationView};
use crate::ui::{Act, ask, path_view, precision_view, states_view, timeline_view, verdict_banner};

/// The props.
pub struct Props {
    /// The run.
    pub run: Option<Run>,
    /// It belongs to the current text and property.
    pub current: bool,
    /// It belongs to the current text, for any property.
    pub same_model: bool,
    /// Its journal.
    pub journal: JournalRef,
    /// The step.
    pub frame: FrameRef,
    /// The subjects of the step.
    pub subjects: Rc<Subjects>,
    /// The shown cut of the path.
    pub cut: Option<u32>,
    /// The explanation of the interpolant there.
    pub explained: Option<Rc<Explained>>,
    /// The picture of the step.
    pub depicted: Option<Rc<Explained>>,
    /// The phase of the step.
    pub phase: Option<&'static str>,
    /// The objects related to the selection.
    pub related: Rc<Related>,
    /// The part of the graph that is drawn.
    pub part: GraphPart,
    /// The run is followed while it works.
    pub growing: bool,
    /// The settings of the views.
    pub view: View,
    /// The model is a Petri net.
    pub is_net: bool,
    /// The simulation of a statechart.
    pub simulation: Option<Rc<Simulated>>,
    /// The marking of the token game, as text.
    pub played: Option<String>,
    /// The text has no errors.
    pub runnable: bool,
    /// Why there is no property, if that is so.
    pub no_property: Option<AttrValue>,
    /// How drawings place themselves.
    pub fit: Fit,
    /// The callback for actions.
    pub act: Act,
}

/// The panel.
pub fn view_panel(props: &Props) -> Html {
    let tools = tools(props);
    let graph = props.journal.get().has_graph();
    let shown = Shown {
        name: "picture",
        related: props.related.clone(),
        focus: None,
        at_rest: props.frame.at_rest(),
        on_edit: None,
        card: None,
        phase: props.phase,
        fit: props.fit,
        tools: Html::default(),
        save: Some(props.act.reform(|format| Action::Save(PictureOf::Run, format))),
        act: props.act.clone(),
    };
    let body = match props.view.middle {
        MiddleTab::Graph if !graph && props.frame.cursor > 0 => {
            path_view::depicted(props.depicted.as_ref(), &shown)
        }
        MiddleTab::Graph if props.frame.cursor == 0 => {
            welcome(props.journal.length(), props.runnable, &props.act)
        }
        MiddleTab::Graph => html! {
            <ArgView journal={props.journal.clone()} frame={props.frame.clone()} subjects={props.subjects.clone()} phase={props.phase}
                related={props.related.clone()} part={props.part} growing={props.growing} {tools} fit={props.fit} act={props.act.clone()} />
        },
        MiddleTab::Simulation => html! {
            <SimulationView simulation={props.simulation.clone().unwrap_or_default()} found={simulation_view::found(props.run.as_ref())} act={props.act.clone()} />
        },
        MiddleTab::Path => html! {
            { path_view::path_view(&path_view::Props { depicted: props.depicted.clone(), journal: props.journal.clone(), frame: props.frame.clone(), cut: props.cut, explained: props.explained.clone(), shown, view: props.view.clone(), act: props.act.clone() }) }
        },
        MiddleTab::Product | MiddleTab::Markings | MiddleTab::Structure if props.frame.cursor == 0 => {
            welcome(props.journal.length(), props.runnable, &props.act)
        }
        MiddleTab::Product | MiddleTab::Markings | MiddleTab::Structure => {
            path_view::depicted_with(props.depicted.as_ref(), props.played.as_deref(), &shown)
        }
        MiddleTab::Precision => html! {
            { precision_view::precision_view(&precision_view::Props { journal: props.journal.clone(), frame: props.frame.clone(), subjects: props.subjects.clone(), related: props.related.clone(), act: props.act.clone() }) }
        },
        MiddleTab::Timeline => timeline_view::timeline_view(props.depicted.as_ref(), &shown, &props.view),
        MiddleTab::Abstractions => abstractions_view(props.depicted.as_ref(), &shown, &props.view),
        MiddleTab::States => states_view::states_view(props.depicted.as_ref(), &shown, &props.view),
        MiddleTab::Events => html! {
            <EventsView journal={props.journal.clone()} cursor={props.frame.cursor} act={props.act.clone()} />
        },
    };
    html! {
        <section class="panel view" aria-label="Algorithm" data-testid="view-panel">
            <header>
                <div class="tabs" role="tablist" aria-label="Show the run as">{ for MiddleTab::ALL.into_iter().filter(|tab| is_shown(*tab, props)).map(|tab| tab_button(tab, props)) }</div>
            </header>
            { banner(props) }
            { body }
        </section>
    }
}

/// Has a tab something to show?
fn is_shown(tab: MiddleTab, props: &Props) -> bool {
    let journal = props.journal.get();
    let applies = match tab {
        // Only abstraction refinement over a graph has an abstract path and a precision.
        MiddleTab::Path | MiddleTab::Precision => journal.has_graph() && !is_enumerated(props),
        MiddleTab::Simulation => props.simulation.is_some(),
        MiddleTab::Product => journal.names.origin.is_some(),
        MiddleTab::Markings | MiddleTab::Structure => props.is_net || journal.names.markings,
        MiddleTab::Abstractions => matches_states(props),
        MiddleTab::Timeline => journal.names.timed,
        _ => true,
    };
    applies || tab == props.view.middle
}

/// Are concrete states matched by predicates?
fn matches_states(props: &Props) -> bool {
    let journal = props.journal.get();
    matches!(journal.first_step(), Some(kit::Event::Under(_) | kit::Event::CombinedApprox(_)))
}

/// Are the markings of a net enumerated? They are unless another method is chosen.
fn is_enumerated(props: &Props) -> bool {
    let journal = props.journal.get();
    props.is_net && journal.first_step().is_none_or(|event| matches!(event, kit::Event::Explicit(_)))
}

/// The verdict, or why there is none.
fn banner(props: &Props) -> Html {
    if let Some(why) = &props.no_property {
        return verdict_banner::no_property(why, props.run.is_some(), &props.act);
    }
    let Some(run) = &props.run else { return Html::default() };
    let journal = props.journal.get();
    let related = props.related.locations.iter().map(|l| journal.location(*l).to_owned()).collect();
    verdict_banner::verdict_banner(&verdict_banner::Props {
        run: run.clone(),
        current: props.current,
        same_model: props.same_model,
        length: journal.events.len(),
        related,
        view: props.view.clone(),
        act: props.act.clone(),
    })
}

fn tab_button(tab: MiddleTab, props: &Props) -> Html {
    let (act, view) = (props.act.clone(), props.view.clone());
    // Pictures of the net itself need no more than the first step.
    let begins = matches!(tab, MiddleTab::Markings | MiddleTab::Structure)
        && props.frame.cursor == 0
        && props.runnable;
    let has_no_property = props.no_property.is_some();
    let onclick = Callback::from(move |_| {
        act.emit(Action::View(View { middle: tab, ..view.clone() }));
        if begins && has_no_property {
            act.emit(Action::Property("deadlock-free".to_owned()));
            let text = "These pictures are part of a run, which needs a property: deadlock-free was chosen.";
            act.emit(Action::Say(Notice { tone: Tone::Info, text: text.to_owned() }));
        }
        if begins {
            act.emit(Action::Go(Move::Forward(Granularity::Event)));
        }
    });
    let badge = match tab {
        MiddleTab::Precision => {
            let precision = &props.frame.precision;
            precision.predicates.len() + precision.variables.len() + precision.searched.len()
        }
        MiddleTab::Path => usize::from(props.frame.cex.target.is_some()),
        _ => 0,
    };
    html! {
        <button class="tab" role="tab" aria-selected={(props.view.middle == tab).to_string()} {onclick} data-testid={format!("tab-{}", tab.name())}>
            { tab.title() }
            if badge > 0 { <span class="badge">{ if tab == MiddleTab::Path { "●".to_owned() } else { badge.to_string() } }</span> }
        </button>
    }
}

/// The buttons of the graph.
fn tools(props: &Props) -> Html {
    let always = props.view.ghosts == ShowGhosts::Always;
    let ghosts = {
        let (act, view) = (props.act.clone(), props.view.clone());
        let next = if always { ShowGhosts::Briefly } else { ShowGhosts::Always };
        Callback::from(move |_| act.emit(Action::View(View { ghosts: next, ..view.clone() })))
    };
    let fold = {
        let (act, view) = (props.act.clone(), props.view.clone());
        Callback::from(move |event: Event| {
            let chosen = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value());
            let found = Fold::ALL.iter().find(|(_, name)| chosen.as_deref() == Some(name));
            if let Some((fold, _)) = found {
                act.emit(Action::View(View { fold: *fold, ..view.clone() }));
            }
        })
    };
    let option = |(fold, name): &(Fold, &'static str)| {
        html! { <option value={*name} selected={*fold == props.view.fold}>{ *name }</option> }
    };
    html! {
        <>
        <select class="field fold" aria-label="Show nodes" title="Nodes that are shown; others are folded" onchange={fold} data-testid="fold">
            { for Fold::ALL.iter().map(option) }
        </select>
        <button class="btn" aria-pressed={always.to_string()} aria-label="Keep removed nodes visible" title="Keep removed nodes visible" onclick={ghosts} data-testid="ghosts">{ icon("ghost") }</button>
        </>
    }
}

/// The first actions of a new user.
fn welcome(length: usize, runnable: bool, act: &Act) -> Html {
    let step = || Action::Go(Move::Forward(Granularity::Event));
    html! {
        <div class="empty" data-testid="welcome">
            <svg class="art" viewBox="0 0 168 104" aria-hidden="true">
                <path class="l" style="fill:none" d="M84 26V40M84 40C84 50 48 44 48 58M84 40C84 50 120 44 120 58" />
                <path class="d" d="M134 66C160 58 158 22 104 16" />
                <rect class="a" x="62" y="4" width="44" height="22" rx="6" />
                <rect class="l" x="26" y="58" width="44" height="22" rx="6" />
                <rect class="l" style="stroke-dasharray:5 4;stroke:var(--check)" x="98" y="58" width="44" height="22" rx="6" />
                <path class="l" style="fill:none" d="M48 80V96M40 96H56" />
            </svg>
            <strong>{ if length > 0 { "Before the first step" } else { "Verification step by step" } }</strong>
            <p>{ "Run verifies the model and shows the verdict. Step shows one event at a time. Afterwards you can move forward and back." }</p>
            <div class="row">
                if length == 0 {
                    <button class="btn primary keep" onclick={ask(act, || Action::Run)} disabled={!runnable}>{ icon("play") }{ "Run" }</button>
                }
                <button class="btn keep" onclick={ask(act, step)} disabled={!runnable}>{ icon("forward") }{ "Step" }</button>
            </div>
            <p class="muted"><kbd>{ "→" }</kbd>{ " steps, " }<kbd>{ "Space" }</kbd>{ " plays, " }<kbd>{ "?" }</kbd>{ " shows all keys" }</p>
        </div>
    }
}
