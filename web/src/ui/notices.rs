//! Messages that stay until they are dismissed.

use yew::prelude::*;

use crate::state::{Action, Death, Doing, Notice, Tone};
use crate::ui::icon::icon;
use crate::ui::{Act, ask};

/// The props.
pub struct Props {
    /// The messages.
    pub notices: Vec<Notice>,
    /// How the last engine ended, if it crashed.
    pub death: Option<Death>,
    /// It ended while it parsed the current text.
    pub deadly: bool,
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
    html! { <div class="notices" role="status">{ death(props) }{ for props.notices.iter().enumerate().map(one) }</div> }
}

/// The end of an engine, with a button to try again.
fn death(props: &Props) -> Html {
    // If the text was changed since, there is no message.
    let stale = |d: &&Death| d.doing == Doing::Reading && !props.deadly;
    let Some(Death { doing, input, why, .. }) = props.death.as_ref().filter(|d| !stale(d)) else {
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
            if !props.deadly {
                <button class="btn quiet small icon-only keep" aria-label="Dismiss this message" onclick={ask(&props.act, || Action::DismissDeath)}>{ icon("cross") }</button>
            }
        </div>
    }
}
