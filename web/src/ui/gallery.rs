//! The user's own models and the examples, with a search.

use std::rc::Rc;

use yew::prelude::*;

use crate::examples::{Example, Expected};
use crate::protocol::Library;
use crate::state::{Action, View};
use crate::ui::Act;
use crate::ui::documents::Documents;
use crate::ui::icon::icon;
use crate::ui::popover::Popover;
use crate::ui::scene::with_code;

/// The props.
pub struct Props {
    /// Where the examples are.
    pub library: Rc<Library>,
    /// The example that is loaded.
    pub current: Option<Rc<str>>,
    /// The settings of the views.
    pub view: View,
    /// The callback for actions.
    pub act: Act,
    /// The callback that closes it.
    pub on_close: Callback<()>,
}

/// All examples that match the search.
pub fn gallery(props: &Props) -> Html {
    let search = &props.view.search;
    let on_search = {
        let (act, view) = (props.act.clone(), props.view.clone());
        Callback::from(move |event: InputEvent| {
            act.emit(Action::View(View { search: crate::browser::value_of(&event), ..view.clone() }));
        })
    };
    let found: Vec<&Example> = props.library.examples.iter().filter(|e| e.matches(search.trim())).collect();
    let none = found.is_empty();
    html! {
        <Popover name="gallery" title="Models" on_close={props.on_close.clone()} head={search_field(search, on_search)}>
            <Documents search={search.trim().to_owned()} view={props.view.clone()} act={props.act.clone()} on_close={props.on_close.clone()} />
            <h3>{ "Examples" }</h3>
            if none {
                <p class="muted" role="status">{ "No example matches. Try “loop”, “unsafe” or “figure 1”." }</p>
            }
            <ul class="cards">
                { for found.into_iter().map(|example| card(example, props)) }
            </ul>
        </Popover>
    }
}

fn search_field(search: &str, oninput: Callback<InputEvent>) -> Html {
    html! {
        <input class="field" type="search" style="width:100%" placeholder="Search: figure 1, unsafe, loop…"
            aria-label="Search the models" data-testid="gallery-search" value={search.to_owned()} {oninput} />
    }
}

fn card(example: &Example, props: &Props) -> Html {
    let onclick = {
        let (act, on_close) = (props.act.clone(), props.on_close.clone());
        let (id, text): (Rc<str>, Rc<str>) = (example.id.as_str().into(), example.text.as_str().into());
        let (kind, options, property) = (example.kind, example.options.clone(), example.property.clone());
        Callback::from(move |_| {
            let (example, text, options) = (Some(id.clone()), text.clone(), options.clone());
            act.emit(Action::Load { example, kind, text, property: property.clone(), options });
            on_close.emit(());
        })
    };
    let current = props.current.as_deref() == Some(&*example.id);
    let (tone, sign) = match example.expected {
        Expected::Holds => ("good", "check"),
        Expected::Violated => ("bad", "cross"),
        Expected::Open => ("open", "unknown"),
    };
    html! {
        <li key={example.id.clone()} style="display:grid">
            <button class={classes!("example", current.then_some("current"))} {onclick} data-testid={format!("example-{}", example.id)}
                aria-current={current.then_some("true")}>
                <strong>{ example.title.clone() }</strong>
                <span class="tags">
                    <span class={classes!("answer", tone)}>{ icon(sign) }{ example.expected.name() }</span>
                    <span aria-hidden="true">{ "·" }</span><span>{ example.concept.clone() }</span>
                </span>
                <p>{ example.story.clone() }</p>
                <span class="change">{ with_code(&example.change) }</span>
            </button>
        </li>
    }
}
