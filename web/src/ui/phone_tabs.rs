//! The choice of the panel on a narrow screen, which has one at a time.

use yew::prelude::*;

use crate::state::{Action, PhoneTab, View};
use crate::ui::Act;

/// The tabs.
pub fn phone_tabs(view: &View, act: &Act) -> Html {
    let tab = |tab: PhoneTab, title: &'static str| {
        let (act, view, selected) = (act.clone(), view.clone(), view.phone == tab);
        let onclick = Callback::from(move |_| act.emit(Action::View(View { phone: tab, ..view.clone() })));
        html! { <button class="tab" role="tab" aria-selected={selected.to_string()} {onclick}>{ title }</button> }
    };
    html! {
        <div class="phone-tabs" role="tablist" aria-label="Panel">
            { tab(PhoneTab::Model, "Model") }{ tab(PhoneTab::View, "View") }{ tab(PhoneTab::Why, "Why") }
        </div>
    }
}
