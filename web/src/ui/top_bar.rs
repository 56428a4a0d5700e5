//! The bar at the top: examples, property, running, sharing, theme, help.

use veristep_core::run::Kind;
use yew::prelude::*;

use crate::browser;
use crate::state::{Action, Engine, Popover, Status, View};
use crate::ui::data_model::data_model;
use crate::ui::icon::icon;
use crate::ui::{Act, ask};

/// The props.
pub struct Props {
    /// The title of the example, or empty.
    pub title: AttrValue,
    /// The property.
    pub property: AttrValue,
    /// Its error.
    pub problem: Option<AttrValue>,
    /// The language of the model.
    pub kind: Kind,
    /// The method that Run uses.
    pub method: AttrValue,
    /// Neither model nor user states a property.
    pub no_property: bool,
    /// The engine.
    pub engine: Engine,
    /// The run's status, if it belongs to the current text.
    pub status: Option<Status>,
    /// The text has no errors.
    pub runnable: bool,
    /// The settings of the views.
    pub view: View,
    /// The callback for actions.
    pub act: Act,
}

fn toggles(props: &Props, popover: Popover) -> Callback<MouseEvent> {
    let (act, view) = (props.act.clone(), props.view.clone());
    Callback::from(move |_| {
        let popover = if view.popover == Some(popover) { None } else { Some(popover) };
        act.emit(Action::View(View { popover, ..view.clone() }));
    })
}

fn opens(
    props: &Props,
    popover: Popover,
    sign: &'static str,
    words: &'static str,
    test: &'static str,
) -> Html {
    let open = props.view.popover == Some(popover);
    html! {
        <button class="btn" aria-expanded={open.to_string()} aria-label={words} title={words} onclick={toggles(props, popover)} data-testid={test}>
            { icon(sign) }<span class="words">{ words }</span>
        </button>
    }
}

/// The bar.
pub fn top_bar(props: &Props) -> Html {
    let on_property = {
        let act = props.act.clone();
        Callback::from(move |event: InputEvent| act.emit(Action::Property(browser::value_of(&event))))
    };
    let title = if !props.property.is_empty() {
        props.property.clone()
    } else if props.no_property {
        "A property, for example x <= 1, G F (x = 0) or deadlock-free".into()
    } else {
        "A property, for example x <= 1, G F (x = 0) or deadlock-free; if empty, that of the model".into()
    };
    html! {
        <header class="top">
            <div class="brand"><img src="icons/icon.svg" alt="" width="26" height="26" /><h1>{ "Veristep" }</h1></div>
            { opens(props, Popover::Gallery, "grid", "Models", "open-gallery") }
            <span class="title" title={props.title.clone()} data-testid="model-name">{ &props.title }</span>
            <label class="property"><span class="label-text">{ "Property" }</span>
                <input id="property" class="field" value={props.property.clone()} {title} oninput={on_property}
                    placeholder={if props.no_property { "x >= 0, G F (x = 0)" } else { "as in the model" }}
                    aria-describedby={match (&props.problem, props.no_property) { (Some(_), _) => Some("property-problem"), (None, true) => Some("nothing-asked"), _ => None }}
                    aria-invalid={props.problem.is_some().then_some("true")}
                    spellcheck="false" autocomplete="off" aria-label="Property" data-testid="property" />
                if let Some(problem) = &props.problem { <span class="problem" id="property-problem" role="status" data-testid="property-problem">{ problem }</span> }
            </label>
            { data_model(props.kind, props.act.reform(Action::DataModel)) }
            { running(props) }
            <span class="grow"></span>
            <button class="btn" onclick={ask(&props.act, || Action::Compare)} title="Several strategies on this model: a table, and their graphs side by side" data-testid="open-compare">{ icon("columns") }<span class="words">{ "Compare" }</span></button>
            <a class="btn" href="formula.html" title="Temporal formulas and their automata" data-testid="open-formulas">{ icon("loop") }<span class="words">{ "Formulas" }</span></a>
            <a class="btn" href="solver.html" title="The SMT solver: scripts, proofs, interpolants" data-testid="open-solver">{ icon("shield") }<span class="words">{ "Solver" }</span></a>
            { opens(props, Popover::Share, "share", "Share", "open-share") }
            { opens(props, Popover::Options, "sliders", "Options", "open-options") }
            { theme_button(props) }
            <button class="btn quiet icon-only" aria-label="Help" title="Help (?)" aria-expanded={(props.view.popover == Some(Popover::Help)).to_string()}
                onclick={toggles(props, Popover::Help)} data-testid="open-help">{ icon("question") }</button>
        </header>
    }
}

fn running(props: &Props) -> Html {
    let busy = matches!(props.status, Some(Status::Running | Status::Pausing | Status::Stopping));
    let lost = matches!(props.engine, Engine::Lost(_));
    let words = match props.status {
        Some(Status::Paused(_)) => "Continue",
        Some(Status::Done | Status::Stopped) => "Run again",
        _ => "Run",
    };
    if busy {
        let stopping = props.status == Some(Status::Stopping);
        return html! {
            <div class="runs">
                <button class="btn keep" onclick={ask(&props.act, || Action::Pause)} disabled={props.status != Some(Status::Running)} data-testid="pause">
                    { icon("pause") }{ "Pause" }</button>
                <button class="btn keep" onclick={ask(&props.act, || Action::Stop)} disabled={stopping} data-testid="stop">{ icon("stop") }{ if stopping { "Stopping…" } else { "Stop" } }</button>
            </div>
        };
    }
    html! {
        <div class="runs">
            <button class="btn primary" onclick={ask(&props.act, || Action::Run)} disabled={!props.runnable || lost} data-testid="run">{ icon("play") }{ words }</button>
            if !props.method.is_empty() { <button class="btn quiet keep method" onclick={toggles(props, Popover::Options)} title="The method that Run uses. Click to choose another one." aria-label={format!("Method: {}", props.method)} data-testid="method">{ &props.method }</button> }
        </div>
    }
}

fn theme_button(props: &Props) -> Html {
    let (act, view) = (props.act.clone(), props.view.clone());
    let onclick =
        Callback::from(move |_| act.emit(Action::View(View { theme: view.theme.next(), ..view.clone() })));
    let (sign, label) = props.view.theme.sign();
    html! { <button class="btn quiet icon-only" aria-label={label} title={label} {onclick} data-testid="theme">{ icon(sign) }</button> }
}
