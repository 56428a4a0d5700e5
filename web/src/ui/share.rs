//! The link to the model and the step.

use yew::prelude::*;

use crate::browser;
use crate::state::{Action, View};
use crate::ui::Act;
use crate::ui::icon::icon;
use crate::ui::popover::Popover;

/// The props.
pub struct Props {
    /// The link.
    pub url: String,
    /// The shown steps are those of the current model and property.
    pub current: bool,
    /// The settings of the views.
    pub view: View,
    /// The callback for actions.
    pub act: Act,
    /// The callback that closes it.
    pub on_close: Callback<()>,
}

/// Up to this length a link works in chats, mails and learning platforms.
const SAFE: usize = 2000;
/// Up to this length browsers and servers should accept it.
const NOTED: usize = 8000;

/// The share card.
pub fn share(props: &Props) -> Html {
    let (with_step, copied) = (props.view.share_step && props.current, props.view.copied);
    let url = props.url.clone();
    let choose = |share_step: bool| {
        let (act, view) = (props.act.clone(), props.view.clone());
        Callback::from(move |_: MouseEvent| act.emit(Action::View(View { share_step, ..view.clone() })))
    };
    let copy = {
        let (act, url) = (props.act.clone(), url.clone());
        Callback::from(move |_: MouseEvent| browser::copy(&url, act.reform(Action::Copied)))
    };
    html! {
        <Popover name="share" title="Share" on_close={props.on_close.clone()}>
            <div class="row" role="group" aria-label="What the link opens">
                <button class="btn" aria-pressed={with_step.to_string()} onclick={choose(true)} disabled={!props.current}>{ "This step" }</button>
                <button class="btn" aria-pressed={(!with_step).to_string()} onclick={choose(false)}>{ "The model only" }</button>
            </div>
            <textarea class="url" readonly=true aria-label="The link" data-testid="share-url" value={url.clone()} />
            { meter(url.len()) }
            <div class="row">
                <button class="btn primary keep" onclick={copy} data-testid="copy-link">
                    { icon(if copied { "check" } else { "copy" }) }{ if copied { "Copied" } else { "Copy link" } }
                </button>
                <span class="muted" role="status">{ if copied { "The link is in the clipboard." } else { "" } }</span>
            </div>
            <p class="muted">{ "The link contains the model, the property and the step. Nothing is stored on a server." }</p>
        </Popover>
    }
}

fn meter(length: usize) -> Html {
    let (class, text) = match length {
        0..=SAFE => ("short", "short enough for messages and mail"),
        _ if length <= NOTED => ("long", "works in browsers; some programs cut links off at 2000"),
        _ => ("too-long", "too long for many programs; send the model as a file"),
    };
    let share = (length * 100 / NOTED).clamp(2, 100);
    html! {
        <div>
            <div class={classes!("meter", class)}><div style={format!("width:{share}%")}></div></div>
            <span class="muted">{ format!("{length} characters: {text}") }</span>
        </div>
    }
}
