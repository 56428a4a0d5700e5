//! The examples, with a search.

use yew::prelude::*;

use crate::examples::{EXAMPLES, Example, Expected};
use crate::state::{Action, View};
use crate::ui::Act;
use crate::ui::icon::icon;
use crate::ui::popover::Popover;

/// What it shows.
pub struct Props {
    /// The example that is loaded.
    pub current: Option<&'static str>,
    /// What is shown.
    pub view: View,
    /// Where to ask.
    pub act: Act,
    /// What closes it.
    pub on_close: Callback<()>,
}

/// All examples that match what was typed.
pub fn gallery(props: &Props) -> Html {
    let search = &props.view.search;
    let on_search = {
        let (act, view) = (props.act.clone(), props.view.clone());
        Callback::from(move |event: InputEvent| {
            act.emit(Action::View(View { search: crate::browser::value_of(&event), ..view.clone() }));
        })
    };
    let found: Vec<&'static Example> = EXAMPLES.iter().filter(|e| e.matches(search.trim())).collect();
    let none = found.is_empty();
    html! {
        <Popover name="gallery" title="Examples" on_close={props.on_close.clone()} head={search_field(search, on_search)}>
            if none {
                <p class="muted" role="status">{ "Nothing matches. Try “loop”, “unsafe” or “figure 1”." }</p>
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
            aria-label="Search the examples" data-testid="gallery-search" value={search.to_owned()} {oninput} />
    }
}

fn card(example: &'static Example, props: &Props) -> Html {
    let onclick = {
        let (act, on_close) = (props.act.clone(), props.on_close.clone());
        Callback::from(move |_| {
            act.emit(Action::Load {
                example: Some(example.id),
                text: example.text.into(),
                property: String::new(),
            });
            on_close.emit(());
        })
    };
    let current = props.current == Some(example.id);
    let (tone, sign) = match example.expected {
        Expected::Holds => ("good", "check"),
        Expected::Violated => ("bad", "cross"),
        Expected::Open => ("open", "unknown"),
    };
    html! {
        <li key={example.id} style="display:grid">
            <button class={classes!("example", current.then_some("current"))} {onclick} data-testid={format!("example-{}", example.id)}
                aria-current={current.then_some("true")}>
                <strong>{ example.title }</strong>
                <span class="tags">
                    <span class={classes!("answer", tone)}>{ icon(sign) }{ example.expected.name() }</span>
                    <span aria-hidden="true">{ "·" }</span><span>{ example.concept }</span>
                </span>
                <p>{ example.story }</p>
                <span class="change">{ example.change }</span>
            </button>
        </li>
    }
}
