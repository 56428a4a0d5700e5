//! A small system under a set of predicates; the engine draws the pictures.

use std::rc::Rc;

use veristep_core::draw::{Choice, Chosen};
use yew::prelude::*;

use crate::explained::Explained;
use crate::state::{Action, View};
use crate::ui::Act;
use crate::ui::path_view::depicted;
use crate::ui::scene::Shown;

/// The pictures, below the predicates to choose from.
pub fn abstractions_view(picture: Option<&Rc<Explained>>, shown: &Shown, view: &View) -> Html {
    let Some(explained) = picture else {
        return html! {
            <div class="empty">
                <strong>{ "No predicates yet" }</strong>
                <p>{ "After the first step, the model is drawn here under its predicates: the concrete states, the may and the must abstraction, and the search with abstract matching." }</p>
            </div>
        };
    };
    html! {
        <div class="states" data-testid="abstractions">
            { choices(&explained.depicted.drawn.predicates, view, &shown.act) }
            { depicted(picture, shown) }
        </div>
    }
}

/// The set of the predicates that are used.
fn used(all: &[Choice]) -> Chosen {
    all.iter().filter(|choice| choice.used).fold(0, |set, choice| set | 1 << choice.id.0)
}

fn choices(all: &[Choice], view: &View, act: &Act) -> Html {
    if all.is_empty() {
        return html! { <p class="muted">{ "There are no predicates: a state is its location and its program counters." }</p> };
    }
    let choice = |choice: &Choice| {
        let (act, view) = (act.clone(), view.clone());
        let next = used(all) ^ 1 << choice.id.0;
        let onclick =
            Callback::from(move |_| act.emit(Action::View(View { predicates: Some(next), ..view.clone() })));
        html! {
            <button class="btn" aria-pressed={choice.used.to_string()} {onclick}><code>{ choice.text.clone() }</code></button>
        }
    };
    let reset = {
        let (act, view) = (act.clone(), view.clone());
        Callback::from(move |_| act.emit(Action::View(View { predicates: None, ..view.clone() })))
    };
    html! {
        <div class="row" role="group" aria-label="Predicates" data-testid="predicates">
            <span>{ "Predicates" }</span>
            { for all.iter().map(choice) }
            if view.predicates.is_some() {
                <button class="btn" onclick={reset}>{ "Reset to this step" }</button>
            }
        </div>
    }
}
