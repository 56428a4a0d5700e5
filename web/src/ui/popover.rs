//! A card above the page that blocks nothing: the page behind stays usable.

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

use crate::ui::icon::icon;

/// A popover's props.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Its class and test name.
    pub name: &'static str,
    /// Its heading.
    pub title: AttrValue,
    /// The callback that closes it.
    pub on_close: Callback<()>,
    /// Beside the heading.
    #[prop_or_default]
    pub head: Html,
    /// Its content.
    pub children: Html,
}

/// A popover; it takes the focus when it opens and gives it back when it closes.
#[component]
pub fn Popover(props: &Props) -> Html {
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            let before = web_sys::window().and_then(|w| w.document()).and_then(|d| d.active_element());
            if let Some(element) = node.cast::<HtmlElement>() {
                let _ = element.focus();
            }
            move || {
                if let Some(element) = before.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
                    let _ = element.focus();
                }
            }
        });
    }
    let close = {
        let on_close = props.on_close.clone();
        Callback::from(move |_: MouseEvent| on_close.emit(()))
    };
    let id = format!("pop-{}", props.name);
    html! {
        <div ref={node} class={classes!("pop", props.name)} role="dialog" aria-labelledby={id.clone()} tabindex="-1"
            data-testid={props.name}>
            <div class="head">
                <h2 {id}>{ &props.title }</h2>
                <span class="grow">{ props.head.clone() }</span>
                <button class="btn quiet icon-only keep" aria-label="Close" onclick={close}>{ icon("cross") }</button>
            </div>
            <div class="body" tabindex="0">{ props.children.clone() }</div>
        </div>
    }
}
