//! Messages that stay until they are dismissed.

use yew::prelude::*;

use crate::state::{Action, Notice, Tone};
use crate::ui::Act;
use crate::ui::icon::icon;

/// What it shows.
pub struct Props {
    /// The messages.
    pub notices: Vec<Notice>,
    /// Where to ask.
    pub act: Act,
}

/// All messages, oldest first.
pub fn notices(props: &Props) -> Html {
    let one = |(index, notice): (usize, &Notice)| {
        let act = props.act.clone();
        let onclick = Callback::from(move |_| act.emit(Action::Dismiss(index)));
        let (class, sign) = match notice.tone {
            Tone::Info => ("info", "info"),
            Tone::Warning => ("warning", "warning"),
        };
        html! {
            <div class={classes!("notice", class)} data-testid="notice">
                { icon(sign) }
                <span class="text">{ &notice.text }</span>
                <button class="btn quiet small icon-only keep" aria-label="Dismiss this message" {onclick}>{ icon("cross") }</button>
            </div>
        }
    };
    html! { <div class="notices" role="status">{ for props.notices.iter().enumerate().map(one) }</div> }
}
