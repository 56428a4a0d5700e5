//! The left side: the configurations and the model.

use veristep_core::methods::cegar::Strategy;
use veristep_core::methods::cegar::experiment::questions;
use veristep_core::methods::{Plan, auto};
use veristep_core::run::Options;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::compare::{Choices, Compare, LIMITS, Msg, export};
use crate::state::Action;
use crate::ui::data_model::data_model;
use crate::ui::editor::Editor;
use crate::ui::icon::icon;
use crate::ui::options::choices;

/// The schedule of `auto`.
pub(super) fn schedule() -> Vec<Choices> {
    auto::schedule().iter().filter(|p| matches!(p, Plan::Cegar(_))).map(Plan::choices).collect()
}

/// A set of strategies.
struct Preset {
    name: &'static str,
    what: &'static str,
    source: String,
    rows: Vec<Choices>,
}

fn presets() -> Vec<Preset> {
    let of = |all: &[Strategy]| all.iter().map(Strategy::unusual).collect::<Vec<Choices>>();
    let turns = Preset {
        name: "auto",
        what: "schedule of strategies",
        source: "Abstraction refinement in the schedule of the engine auto".to_owned(),
        rows: schedule(),
    };
    let asked = questions().into_iter().map(|q| Preset {
        name: q.name,
        what: q.title,
        source: format!("A research question of Hajdu and Micskei (2020), figure {}", q.figure),
        rows: of(&q.strategies),
    });
    std::iter::once(turns).chain(asked).collect()
}

fn number(event: &Event) -> Option<u32> {
    event.target_dyn_into::<HtmlSelectElement>()?.value().parse().ok()
}

impl Compare {
    pub(super) fn top(&self, act: &Callback<Msg>) -> Html {
        let ask = |message: fn() -> Msg| act.reform(move |_: MouseEvent| message());
        let load = act.reform(|event: Event| number(&event).map_or(Msg::Nothing, |n| Msg::Load(n as usize)));
        let limit = act.reform(|event: Event| number(&event).map_or(Msg::Nothing, Msg::Limit));
        let property = act.reform(|event: InputEvent| Msg::Property(crate::browser::value_of(&event)));
        let examples = &self.library.examples;
        let current = examples.iter().position(|e| e.text == *self.text);
        let option = |(i, e): (usize, &crate::examples::Example)| {
            html! { <option value={i.to_string()} selected={current == Some(i)}>{ e.title.clone() }</option> }
        };
        let seconds = |s: &u32| html! { <option value={s.to_string()} selected={*s == self.limit}>{ format!("{s} s per row") }</option> };
        let (sign, label) = self.theme.sign();
        html! {
            <header class="top">
                <a class="brand" href={self.back()} title="To the verifier"><img src="icons/icon.svg" alt="" width="26" height="26" /><span>{ "Veristep" }</span></a>
                <h1 class="title">{ "Compare" }</h1>
                <select class="field models" aria-label="Model" onchange={load} data-testid="models">
                    if current.is_none() { <option value="" selected=true>{ "Your model" }</option> }
                    { for examples.iter().enumerate().map(option) }
                </select>
                <label class="property"><span class="label-text">{ "Property" }</span>
                    <input class="field" value={self.property.clone()} oninput={property} placeholder="x <= 1 or G (p -> F q); empty: the property of the model"
                        spellcheck="false" autocomplete="off" aria-label="Property" data-testid="property" /></label>
                { data_model(self.kind, act.reform(Msg::DataModel)) }
                <div class="runs">
                    if self.running.is_some() {
                        <button class="btn keep" onclick={ask(|| Msg::Stop)} data-testid="stop">{ icon("stop") }{ "Stop" }</button>
                    } else {
                        <button class="btn primary" onclick={ask(|| Msg::Run)} data-testid="run">{ icon("play") }{ "Run" }</button>
                    }
                </div>
                <select class="field" aria-label="Time limit" onchange={limit} data-testid="limit">{ for LIMITS.iter().map(seconds) }</select>
                <span class="grow"></span>
                <button class="btn keep" onclick={ask(|| Msg::Save(export::Format::Csv))} data-testid="csv" title="The table as CSV">{ icon("download") }<span class="words">{ "CSV" }</span></button>
                <button class="btn keep" onclick={ask(|| Msg::Save(export::Format::Latex))} data-testid="latex" title="The table as LaTeX">{ icon("download") }<span class="words">{ "LaTeX" }</span></button>
                <button class="btn" onclick={ask(|| Msg::Share)} title="Copies a link that contains the model and the configurations" data-testid="share">
                    { icon(if self.copied { "check" } else { "share" }) }<span class="words">{ if self.copied { "Copied" } else { "Share" } }</span></button>
                <button class="btn quiet icon-only" aria-label={label} title={label} onclick={ask(|| Msg::Theme)}>{ icon(sign) }</button>
            </header>
        }
    }

    pub(super) fn chooser(&self, act: &Callback<Msg>) -> Html {
        let draft = act.reform(|action: Action| match action {
            Action::Option(name, value) => Msg::Draft(name, value),
            _ => Msg::Nothing,
        });
        let preset = |preset: Preset| {
            let Preset { name, what, source, rows } = preset;
            let title = format!("{source}: {} configurations", rows.len());
            let onclick = act.reform(move |_: MouseEvent| Msg::Preset(rows.clone()));
            html! { <button class="btn small" {title} {onclick} data-testid={format!("preset-{}", name.to_ascii_lowercase())}><strong>{ name }</strong><span>{ what }</span></button> }
        };
        let add = act.reform(|_: MouseEvent| Msg::Add);
        html! {
            <section class="panel chooser" aria-label="Configurations">
                <div class="scroll">
                    <h2>{ "Compare" }</h2>
                    <div class="presets">{ for presets().into_iter().map(preset) }</div>
                    <details class="draft">
                        <summary>{ "New configuration" }</summary>
                        { choices(&self.library.options, Options::ENGINE, &self.draft, &draft) }
                        <button class="btn" onclick={add} data-testid="add">{ icon("plus") }{ "Add and run" }</button>
                    </details>
                    <h2>{ "Model" }</h2>
                </div>
                <div class="text-half">
                    <Editor text={self.text.clone()} version={self.version} diagnostics={self.diagnostics.clone()} marks={vec![]} command={None}
                        on_change={act.reform(Msg::Typed)} on_cursor={Callback::noop()} />
                </div>
            </section>
        }
    }

    fn back(&self) -> String {
        let fragment =
            veristep_core::link::Link { view: Vec::new(), options: self.own.clone(), ..self.link() }.encode();
        if fragment.len() <= veristep_core::link::MAX_FRAGMENT {
            format!("./{fragment}")
        } else {
            "./".to_owned()
        }
    }
}
