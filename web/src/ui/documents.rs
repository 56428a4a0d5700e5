//! The user's own models: new, from a file, into a file, and those that the browser keeps on this machine.

use std::collections::BTreeSet;
use std::rc::Rc;

use veristep_core::run::Kind;
use yew::prelude::*;

use crate::files::{self, Kept};
use crate::state::{Action, LeftTab, PhoneTab, View};
use crate::ui::Act;
use crate::ui::icon::icon;

/// The props.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The settings of the views.
    pub view: View,
    /// What is searched for.
    pub search: AttrValue,
    /// The callback for actions.
    pub act: Act,
    /// The callback that closes the card.
    pub on_close: Callback<()>,
}

/// The kept models as far as they are known.
#[derive(Clone, PartialEq, Default)]
enum Found {
    #[default]
    Searching,
    /// Nothing can be kept here.
    Forbidden,
    All(Rc<[Kept]>),
}

/// The user's own models.
#[component]
pub fn Documents(props: &Props) -> Html {
    let found = use_state_eq(Found::default);
    let deleted = use_state_eq(BTreeSet::<Rc<str>>::new);
    {
        let found = found.clone();
        use_effect_with((), move |()| {
            files::list(move |all| found.set(all.map_or(Found::Forbidden, |all| Found::All(all.into()))));
        });
    }
    let (act, on_close) = (props.act.clone(), props.on_close.clone());
    let then_close = |action: fn() -> Action| {
        let (act, on_close) = (act.clone(), on_close.clone());
        Callback::from(move |_: MouseEvent| {
            act.emit(action());
            on_close.emit(());
        })
    };
    let list = match &*found {
        Found::Searching => Html::default(),
        Found::Forbidden => html! {
            <p class="muted" role="status" data-testid="not-kept">{ "This browser does not store models for this page, for example in a private window. Save them as files." }</p>
        },
        Found::All(all) if all.is_empty() => html! {
            <p class="muted">{ "The last 100 models that you change are kept here, on this machine only." }</p>
        },
        Found::All(all) => {
            let matches =
                |kept: &&Kept| kept.name.to_ascii_lowercase().contains(&props.search.to_ascii_lowercase());
            html! {
                <ul class="own-models" aria-label="Kept on this machine">
                    { for all.iter().filter(matches).map(|kept| entry(kept, (&found, &deleted), (&act, &on_close))) }
                </ul>
            }
        }
    };
    html! {
        <section class="own" aria-label="Your models">
            <div class="row">
                { new_model(Kind::Cfa, ("New automaton", "new-automaton"), &props.view, &act) }
                { new_model(Kind::Pn, ("New Petri net", "new-net"), &props.view, &act) }
                { new_model(Kind::Sc, ("New statechart", "new-chart"), &props.view, &act) }
                <button class="btn" onclick={then_close(|| Action::OpenFile)} title="Open a file (Ctrl O), or drop it on the page" data-testid="open-file">{ "Open a file…" }</button>
                <button class="btn" onclick={then_close(|| Action::SaveModel)} title="Save the model as a file (Ctrl S)" data-testid="save-file">{ "Save as a file" }</button>
            </div>
            { list }
        </section>
    }
}

/// An empty model, to be drawn or written.
fn new_model(kind: Kind, (label, test): (&'static str, &'static str), view: &View, act: &Act) -> Html {
    let (act, view) = (act.clone(), view.clone());
    let onclick = Callback::from(move |_| {
        let (phone, left) = (PhoneTab::Model, LeftTab::Both);
        act.emit(Action::View(View { phone, left, popover: None, ..view.clone() }));
        let (property, options) = (String::new(), Vec::new());
        act.emit(Action::Load { example: None, kind, text: "".into(), property, options });
    });
    html! {
        <button class="btn" {onclick} title="An empty model: draw it in the diagram, or write it" data-testid={test}>
            { icon("plus") }{ label }
        </button>
    }
}

type Deleted = UseStateHandle<BTreeSet<Rc<str>>>;

/// A model that the browser keeps. One that is deleted can be kept again, until the card is closed.
fn entry(
    kept: &Kept,
    (found, deleted): (&UseStateHandle<Found>, &Deleted),
    (act, on_close): (&Act, &Callback<()>),
) -> Html {
    let date = js_sys::Date::new(&kept.time.into());
    let date = String::from(date.to_locale_string("en-GB", &wasm_bindgen::JsValue::UNDEFINED));
    let gone = deleted.contains(&kept.id);
    let open = {
        let (kept, act, on_close) = (kept.clone(), act.clone(), on_close.clone());
        Callback::from(move |_: MouseEvent| {
            on_close.emit(());
            files::open_kept(&kept, &act);
        })
    };
    let delete = {
        let (kept, deleted) = (kept.clone(), deleted.clone());
        Callback::from(move |_: MouseEvent| {
            let mut all = BTreeSet::clone(&deleted);
            if all.remove(&kept.id) {
                files::keep(&kept);
            } else {
                all.insert(kept.id.clone());
                files::forget(&kept.id);
            }
            deleted.set(all);
        })
    };
    let duplicate = {
        let (kept, found) = (kept.clone(), found.clone());
        Callback::from(move |_: MouseEvent| {
            let copy = Kept {
                id: files::new_id(),
                name: format!("Copy of {}", kept.name),
                time: files::now(),
                ..kept.clone()
            };
            files::keep(&copy);
            if let Found::All(all) = &*found {
                found.set(Found::All(std::iter::once(copy).chain(all.iter().cloned()).collect()));
            }
        })
    };
    html! {
        <li key={kept.id.to_string()}>
            <button class="btn quiet grow" onclick={open} disabled={gone} data-testid="kept"><strong>{ &kept.name }</strong><span class="muted">{ date }</span></button>
            if !gone { <button class="btn small" onclick={duplicate} aria-label={format!("Duplicate {}", kept.name)} data-testid="duplicate-kept">{ "Duplicate" }</button> }
            <button class="btn small" onclick={delete} aria-label={format!("{} {}", if gone { "Undo deleting" } else { "Delete" }, kept.name)} data-testid="delete-kept">{ if gone { "Undo" } else { "Delete" } }</button>
        </li>
    }
}
