//! The bar at the top: examples, property, running, sharing, theme, help.

use std::rc::Rc;

use veristep_core::run::Kind;
use wasm_bindgen::JsCast;
use yew::prelude::*;

use crate::browser;
use crate::protocol::ModelInfo;
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
    /// The model.
    pub model: Option<Rc<ModelInfo>>,
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
    let hint = hint(props);
    // Enter runs what was typed.
    let onkeydown = {
        let (act, runs) = (props.act.clone(), props.runnable && !busy(props));
        Callback::from(move |event: KeyboardEvent| {
            // The choice of an entry of the list is an event without a key in some browsers.
            let is_key = event.is_instance_of::<web_sys::KeyboardEvent>();
            if runs && is_key && event.key() == "Enter" && !event.is_composing() {
                act.emit(Action::Run);
            }
        })
    };
    let own = props.model.iter().flat_map(|model| &model.properties);
    html! {
        <header class="top">
            <div class="brand"><img src="icons/icon.svg" alt="" width="26" height="26" /><h1>{ "Veristep" }</h1></div>
            { opens(props, Popover::Gallery, "grid", "Models", "open-gallery") }
            <span class="title" title={props.title.clone()} data-testid="model-name">{ &props.title }</span>
            <label class="property"><span class="label-text">{ "Property" }</span>
                <input id="property" class="field" value={props.property.clone()} title={hint.title} oninput={on_property} {onkeydown}
                    placeholder={hint.placeholder} list="own-properties"
                    aria-describedby={match (&props.problem, hint.is_needed) { (Some(_), _) => Some("property-problem"), (None, true) => Some("nothing-asked"), _ => None }}
                    aria-invalid={props.problem.is_some().then_some("true")}
                    spellcheck="false" autocomplete="off" aria-label="Property" data-testid="property" />
                <datalist id="own-properties">{ for own.map(|own| html! { <option value={own.clone()} /> }) }</datalist>
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

/// What the field of the property states before something is typed.
struct Hint {
    /// Neither the model nor the user states a property.
    is_needed: bool,
    placeholder: String,
    title: AttrValue,
}

#[inline(never)]
fn hint(props: &Props) -> Hint {
    let model = props.model.as_deref();
    let is_needed =
        props.property.trim().is_empty() && model.is_some_and(|model| model.no_property.is_some());
    let example = match model {
        Some(model) if model.net.is_some() => "deadlock-free, EF (p >= 1)",
        Some(model) if model.chart.is_some() => "!in(Off), G (event(e) -> F in(On))",
        _ => "x >= 0, G F (x = 0)",
    };
    let own = model.map_or(&[][..], |model| &model.properties);
    let placeholder = match own.first() {
        Some(first) => format!("{first} (1 of {})", own.len()),
        None if is_needed => example.to_owned(),
        None => "as in the model".to_owned(),
    };
    let title = match (&*props.property, own.is_empty()) {
        ("", _) if is_needed => format!("A property, for example {example}").into(),
        ("", true) => format!("A property, for example {example}; if empty, that of the model").into(),
        ("", false) => "A property; if empty, the first one of the model; the list has all of them".into(),
        _ => props.property.clone(),
    };
    Hint { is_needed, placeholder, title }
}

/// Is the engine running?
fn busy(props: &Props) -> bool {
    matches!(props.status, Some(Status::Running | Status::Pausing | Status::Stopping))
}

fn running(props: &Props) -> Html {
    let busy = busy(props);
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
