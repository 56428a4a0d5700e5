//! The examples, with a search.

use std::rc::Rc;

use veristep_core::run::Kind;
use yew::prelude::*;

use crate::examples::{Example, Expected};
use crate::protocol::Library;
use crate::state::{Action, LeftTab, PhoneTab, View};
use crate::ui::Act;
use crate::ui::icon::icon;
use crate::ui::popover::Popover;

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
        <Popover name="gallery" title="Examples" on_close={props.on_close.clone()} head={search_field(search, on_search)}>
            if none {
                <p class="muted" role="status">{ "No example matches. Try “loop”, “unsafe” or “figure 1”." }</p>
            }
            <ul class="cards">
                if search.trim().is_empty() { { new_automaton(props) } }
                { for found.into_iter().map(|example| card(example, props)) }
            </ul>
        </Popover>
    }
}

/// An empty automaton, to be drawn or written.
fn new_automaton(props: &Props) -> Html {
    let (act, view) = (props.act.clone(), props.view.clone());
    let onclick = Callback::from(move |_| {
        act.emit(Action::View(View {
            phone: PhoneTab::Model,
            left: LeftTab::Both,
            popover: None,
            ..view.clone()
        }));
        let (property, options) = (String::new(), Vec::new());
        act.emit(Action::Load { example: None, kind: Kind::Cfa, text: "".into(), property, options });
    });
    html! {
        <li key="" style="display:grid">
            <button class="example" {onclick} data-testid="new-automaton">
                <strong>{ "New automaton" }</strong>
                <p>{ "An empty model: draw it in the diagram, or write it." }</p>
            </button>
        </li>
    }
}

fn search_field(search: &str, oninput: Callback<InputEvent>) -> Html {
    html! {
        <input class="field" type="search" style="width:100%" placeholder="Search: figure 1, unsafe, loop…"
            aria-label="Search the examples" data-testid="gallery-search" value={search.to_owned()} {oninput} />
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
                <span class="change">{ example.change.clone() }</span>
            </button>
        </li>
    }
}
