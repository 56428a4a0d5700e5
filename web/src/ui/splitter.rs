//! The bar between two panels: dragged, or moved with the arrow keys.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::text::decimal;
use veristep_core::layout::between;

/// The props.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The custom property it sets on its parent, `--left` or `--right`.
    pub sets: &'static str,
    /// What it resizes.
    pub label: &'static str,
    /// The share in percent at the start.
    pub start: f64,
}

const NARROWEST: f64 = 14.0;
const WIDEST: f64 = 55.0;
const KEY_STEP: f64 = 2.0;

/// A splitter between the middle panel and one beside it.
#[component]
pub fn Splitter(props: &Props) -> Html {
    let node = use_node_ref();
    let share = use_state(|| props.start);
    let set = {
        let (node, share, sets) = (node.clone(), share.clone(), props.sets);
        Callback::from(move |to: f64| {
            let to = between(to, NARROWEST, WIDEST);
            let parent = node.cast::<Element>().and_then(|e| e.parent_element());
            if let Some(parent) = parent.and_then(|p| p.dyn_into::<HtmlElement>().ok()) {
                let _ = parent.style().set_property(sets, &format!("{}%", decimal(to, 1)));
            }
            share.set(to);
        })
    };
    let onpointerdown = Callback::from(|event: PointerEvent| {
        if let Some(target) = event.target_dyn_into::<Element>() {
            let _ = target.set_pointer_capture(event.pointer_id());
        }
        event.prevent_default();
    });
    let onpointermove = {
        let (set, node, left) = (set.clone(), node.clone(), props.sets == "--left");
        Callback::from(move |event: PointerEvent| {
            let Some(element) = node.cast::<Element>() else { return };
            if !element.has_pointer_capture(event.pointer_id()) {
                return;
            }
            let Some(parent) = element.parent_element() else { return };
            let rect = parent.get_bounding_client_rect();
            let from_left = (f64::from(event.client_x()) - rect.left()) / rect.width() * 100.0;
            set.emit(if left { from_left } else { 100.0 - from_left });
        })
    };
    let onkeydown = {
        let (share, left) = (share.clone(), props.sets == "--left");
        Callback::from(move |event: KeyboardEvent| {
            let way = match event.key().as_str() {
                "ArrowLeft" => -KEY_STEP,
                "ArrowRight" => KEY_STEP,
                _ => return,
            };
            event.stop_propagation();
            event.prevent_default();
            set.emit(*share + if left { way } else { -way });
        })
    };
    html! {
        <div ref={node} class="splitter" role="separator" aria-orientation="vertical" tabindex="0" aria-label={props.label}
            aria-valuenow={decimal(*share, 0)} aria-valuemin="14" aria-valuemax="55"
            {onpointerdown} {onpointermove} {onkeydown}></div>
    }
}
