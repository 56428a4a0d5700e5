//! Messages that stay until they are dismissed.

use yew::prelude::*;

use crate::state::{Action, Doing, Failure, Notice, Tone};
use crate::ui::icon::icon;
use crate::ui::{Act, ask};

/// The props.
pub struct Props {
    /// The messages.
    pub notices: Vec<Notice>,
    /// How the last engine ended, if it crashed.
    pub failure: Option<Failure>,
    /// It ended while it parsed the current text.
    pub stops_engine: bool,
    /// The callback for actions.
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
    html! { <div class="notices" role="status">{ failure(props) }{ for props.notices.iter().enumerate().map(one) }</div> }
}

/// The end of an engine, with a button to try again.
fn failure(props: &Props) -> Html {
    // If the text was changed since, there is no message.
    let stale = |d: &&Failure| d.doing == Doing::Reading && !props.stops_engine;
    let Some(Failure { doing, input, why, .. }) = props.failure.as_ref().filter(|d| !stale(d)) else {
        return Html::default();
    };
    let kept = if *doing == Doing::Reading {
        "The text is parsed again only after an edit or Try again."
    } else {
        "The text and the steps up to here are kept."
    };
    html! {
        <div class="notice warning" data-testid="engine-died">
            { icon("warning") }
            <span class="text">{ format!("The engine stopped while {} {input}, and was restarted. This is a defect of Veristep. {kept} ", doing.words()) }<span class="muted">{ why }</span></span>
            <button class="btn small keep" onclick={ask(&props.act, || Action::TryAgain)} data-testid="try-again">{ "Try again" }</button>
            if !props.stops_engine {
                <button class="btn quiet small icon-only keep" aria-label="Dismiss this message" onclick={ask(&props.act, || Action::DismissFailure)}>{ icon("cross") }</button>
            }
        </div>
    }
}
